"""The client against a real house: a whole game, live events through a restart, commands that are done exactly once."""

from __future__ import annotations

import ast
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any, cast

import httpx
import msgspec
import pytest

import croupier.client
from croupier.client import BadReceipt, BadReply, Client, Entry, MoneyError, Refused, Rhythm, Table, Unreachable
from croupier.client.numbers import Asking, Following
from croupier.contract.replies import Done
from croupier.house.electronic.fair_dice import commitment, drawn, mixed
from croupier.house.electronic.verification import verify_dice
from croupier.house.stored_events import stamp
from croupier.money import parse_cents
from croupier.server.demonstration import PEOPLE
from croupier.store.keys import HouseKey
from croupier.store.receipts import Claim, Receipt, issue
from tests.serving import Running, running
from tests.waiting import until

QUICK = Rhythm(open=1.0, last_call=0.0, shut=0.0, show=0.0)
PASSWORDS = {one.person: one.password for one in PEOPLE}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("house"))) as opened:
        yield opened


def come_in(house: Running, person: str, **how: Any) -> Client:  # noqa: ANN401  # as Client takes them
    return Client.sign_in(house.url, person, PASSWORDS[person], **how)


# -- a game -----------------------------------------------------------------------------------------------------------


def test_a_game_is_played_to_its_end(house: Running) -> None:
    with come_in(house, "otto") as otto:
        otto.set_table("quick", "Quick Craps", "craps-nsw-2024", rhythm=QUICK, min="1.00")
    with come_in(house, "ann") as ann:
        before = parse_cents(ann.me().chips)
        live = ann.live("quick")
        ann.seat("quick", "100.00")
        rows = (row for entry in live for row in entry.events)
        number = next(row["number"] for row in rows if row["type"] == "round_opened")
        ann.bet("quick", "field", "10.00", round=number)
        settled = next(row for row in rows if row["type"] == "wager_settled")
        live.close()
        table = ann.table("quick")
        assert (table.seated, table.by_itself, table.book) == (True, True, "craps-nsw-2024")
        assert table.raw["puck"] in (None, 4, 5, 6, 8, 9, 10)
        in_hand = 9000 + parse_cents(settled["returned"])
        assert table.chips == {"ann": f"{in_hand // 100}.00"}
        ann.leave("quick")
        assert parse_cents(ann.me().chips) == before - 10000 + in_hand
        assert ann.me().tables == []


def rows_of(entries: Iterator[Entry], kind: str) -> Iterator[dict[str, Any]]:
    return (row for entry in entries for row in entry.events if row["type"] == kind)


@pytest.mark.parametrize("says_round", [True, False], ids=["with its round", "whenever it comes"])
def test_numbers_go_with_bets_and_are_shown(house: Running, says_round: bool) -> None:
    """This happens by itself while the table is followed live; also for open wagers from earlier rounds."""
    name = f"numbers-{says_round}".lower()
    with come_in(house, "otto") as otto:
        rhythm = Rhythm(open=1.0, last_call=0.0, shut=0.0, show=0.0, waits=False)
        otto.set_table(name, "Numbers", "craps-nsw-2024", rhythm=rhythm, min="1.00")
    with come_in(house, "ben") as ben:
        ben.seat(name, "100.00")
        with closing(ben.live(name, 0)) as live:
            number = next(rows_of(live, "round_opened"))["number"]
            done = ben.bet(name, "win_line", "10.00", round=number if says_round else None)
            assert (done.number is not None) is says_round
            throws, settled = [], 0
            for entry in live:
                throws += [row for row in entry.events if row["type"] == "dice_drawn"]
                settled += any(row["type"] == "wager_settled" for row in entry.events)
                if settled or len(throws) == 3:
                    break
        for row in throws[: len(throws) - bool(settled)] or throws:
            assert len(row["numbers"]) == 1
            assert len(row["numbers"][0]) == 64
        verdict = verify_dice(ben.record(name))
        assert verdict.findings == ()
        assert verdict.numbers.missing == 0
        assert ben.doubts == []


def test_who_does_not_follow_a_table_puts_no_number_in(house: Running) -> None:
    with come_in(house, "otto") as otto, come_in(house, "ben") as ben:
        otto.set_table("silent", "Silent", "craps-nsw-2024", rhythm=QUICK, min="1.00")
        ben.seat("silent", "100.00")
        until(lambda: ben.table("silent").round)
        assert ben.bet("silent", "field", "10.00").number is None


ROUND_OPENED = {"type": "round_opened", "number": 7, "commitment": commitment("t", 7, bytes(32)), "protocol": 2}


def heard(row: dict[str, Any], hashed: str = "hash") -> Entry:
    return Entry(version=1, hash=hashed, at=stamp(datetime.now(UTC)), type=row["type"], events=[row])


KEY, SHUT = HouseKey.new(), "ab" * 32


def signed(hashed: str, stream: str = "table/t", version: int = 1) -> Receipt:
    return issue(KEY, [Claim(stream, version, bytes.fromhex(hashed))], datetime.now(UTC))[0]


class Dishonest:
    """A house that accepts a number, and then draws as a test wants."""

    def __init__(self) -> None:
        self.doubts: list[str] = []
        self.put_in, self.shown = list[str](), list[str]()
        self.signed: Receipt | Exception = signed(SHUT)
        self.stands: str | None = "as it is put in"
        self.wagers: list[object] | None = None  # where the house tells how the table stands
        self.done: list[str] = []
        asking = Asking(self.table, self._take, self._see, self._sign, lambda _: ([1, 2, 3, 4, 5, 6], 2))
        self.page = Following("t", asking, self.doubts)

    def table(self, _: str) -> Table:
        if self.wagers is None:
            raise Unreachable("away", "key")
        return cast(Table, SimpleNamespace(seated=True, wagers=self.wagers, round=None))

    def _take(self, table: str, round: int, committed: str) -> Done:
        self.put_in.append(committed)
        return Done(ok=True, versions={}, number=committed if self.stands == "as it is put in" else self.stands)

    def _sign(self, table: str, version: int) -> Receipt:
        self.done.append(f"signed {version}")
        if isinstance(self.signed, Exception):
            raise self.signed
        return self.signed

    def _see(self, table: str, round: int, number: str) -> Done:
        self.done.append("shown")
        self.shown.append(number)
        return Done(ok=True, versions={}, number=self.put_in[-1])

    def play(self, *, listed: bool = True, drawn_with: bool = True, **changed: object) -> list[str]:
        """A round with a bet; return the client's doubts about it."""
        self.page.heard(heard(ROUND_OPENED))
        self.page.has_bet(None)
        rows = [(self.put_in[-1], "")] if listed else []
        self.page.heard(heard({"type": "bets_shut", "number": 7, "numbers": [one for one, _ in rows]}, SHUT))
        if drawn_with:
            rows = [(committed, self.shown[-1] if self.shown else "") for committed, _ in rows]
        faces = drawn(bytes(32), mixed("t", 7, rows), [1, 2, 3, 4, 5, 6], 2)
        row = {"type": "dice_drawn", "number": 7, "secret": bytes(32).hex(), "shut": SHUT, "faces": list(faces)}
        self.page.heard(heard(row | {"numbers": [own for _, own in rows]} | changed))
        return self.doubts


def test_an_honest_round_leaves_no_doubt() -> None:
    assert Dishonest().play() == []


@pytest.mark.parametrize(
    ("play", "doubt"),
    [
        (lambda house: house.play(listed=False), "was closed without your number"),
        (lambda house: house.play(drawn_with=False), "was drawn without your number"),
        (lambda house: house.play(shut="another"), "for different bets from those you were told about"),
        (lambda house: house.play(secret=bytes(31).hex() + "01"), "does not match its commitment"),
        (lambda house: house.play(faces=[7, 7]), "do not follow from the commitments"),
    ],
)
def test_a_client_notices_what_is_done_with_its_number(play: Callable[[Dishonest], list[str]], doubt: str) -> None:
    assert any(doubt in sentence for sentence in play(Dishonest()))


IN_MY_NAME = "the house says that you are ready, and you did not say so here. Did another program of yours?"


@pytest.mark.parametrize(
    ("said", "ready", "listed", "doubts"),
    [
        (True, True, [1], []),
        (False, None, [], []),
        (False, None, [1], ["t: Round 7 was shut early, and you were not ready."]),
        (True, False, [1], ["t: Round 7 was shut early, and you were not ready."]),
        (
            False,
            True,
            [1],
            [f"t: In round 7 {IN_MY_NAME}"],
        ),
    ],
    ids=["said so", "by the clock", "over the player's head", "taken back", "in the player's name"],
)
def test_a_client_notices_bets_that_are_shut_early_without_its_player(
    said: bool, ready: bool | None, listed: list[int], doubts: list[str]
) -> None:
    house = Dishonest()
    house.page.heard(heard(ROUND_OPENED))
    house.page.has_bet(None)
    if said:
        house.page.with_ready(7)
    if ready is not None:
        house.page.heard(
            heard({"type": "player_ready", "number": 7, "player": "ann", "contributor": 1, "ready": ready})
        )
    house.page.heard(heard({"type": "bets_shut", "number": 7, "numbers": house.put_in, "ready": listed}, SHUT))
    assert house.doubts == doubts


NONE_IN = "t: No number of yours was in round 7: the house could choose the throw."


def test_a_bet_whose_number_is_not_taken_is_told() -> None:
    """Without a message the house could choose the dice while the player believes that their number is included."""
    house = Dishonest()
    house.stands = None
    assert house.play(listed=False) == [NONE_IN]
    assert house.done == []


def test_another_number_in_ones_name_is_told_once() -> None:
    """It may come from another program of the player."""
    house = Dishonest()
    house.stands = "cd" * 32
    (doubt,) = house.play(listed=False)
    assert doubt.startswith("t: The house holds another number for you in round 7: unless another program of yours")
    house.page.heard(heard(ROUND_OPENED | {"number": 8}))
    house.page.has_bet(None)
    house.page.heard(heard({"type": "bets_shut", "number": 8, "numbers": []}))
    assert house.doubts == [doubt]


@pytest.mark.parametrize(("wagers", "doubts"), [(["one"], [NONE_IN]), ([], []), (None, [])])
def test_wagers_that_stand_in_a_round_without_ones_number_are_told(
    wagers: list[object] | None, doubts: list[str]
) -> None:
    """For example after Odds, where a round takes no bets: a house that closes it at once chooses the result."""
    house = Dishonest()
    house.play()
    house.wagers = wagers
    secret = commitment("t", 8, bytes(32))
    house.page.heard(heard(ROUND_OPENED | {"number": 8, "commitment": secret}))
    house.page.heard(heard({"type": "bets_shut", "number": 8, "numbers": []}, SHUT))
    faces = drawn(bytes(32), mixed("t", 8, []), [1, 2, 3, 4, 5, 6], 2)
    row = {"type": "dice_drawn", "number": 8, "secret": bytes(32).hex(), "shut": SHUT, "faces": list(faces)}
    house.page.heard(heard(row | {"numbers": []}))
    assert house.doubts == [doubt.replace("7", "8") for doubt in doubts]


def test_a_number_is_shown_once_the_house_has_signed_what_it_shut() -> None:
    house = Dishonest()
    assert house.play() == []
    assert house.done == ["signed 1", "shown"]


@pytest.mark.parametrize(
    "receipt",
    [signed("cd" * 32), signed(SHUT, version=2), signed(SHUT, "table/u")],
    ids=["other bets", "another event", "another table"],
)
def test_a_number_is_kept_back_where_the_house_signs_something_else(receipt: Receipt) -> None:
    house = Dishonest()
    house.signed = receipt
    (doubt,) = house.play()
    assert doubt == (
        "t: The house has signed different bets from those it says it closed in round 7: your number was not revealed."
    )
    assert house.shown == []


def test_a_number_that_is_not_listed_is_kept_back() -> None:
    house = Dishonest()
    assert house.play(listed=False) == [
        "t: Round 7 was closed without your number, although the house had accepted it."
    ]
    assert house.done == []


@pytest.mark.parametrize("answer", [Refused("not_found", None, "No.", 404), Unreachable("away", None)])
def test_a_house_that_signs_nothing_gets_no_number(answer: Exception) -> None:
    house = Dishonest()
    house.signed = answer
    assert house.play() == ["t: No receipt came for the bets of round 7: your number was not revealed."]
    assert house.done == ["signed 1"]


def test_what_contradicts_the_house_is_raised_and_the_number_kept_back() -> None:
    house = Dishonest()
    house.signed = BadReceipt("The house has signed two different histories.", ())
    with pytest.raises(BadReceipt):
        house.play()
    assert house.shown == []


@pytest.mark.parametrize("has_come", [True, False], ids=["it came with the event", "it is asked for"])
def test_the_receipt_of_the_shut_bets_is_at_hand_or_is_asked_for(has_come: bool) -> None:
    asked, told = [], signed(SHUT)

    def house(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        return httpx.Response(200, content=msgspec.json.encode(told))

    with Client("http://house", transport=httpx.MockTransport(house)) as client:
        if has_come:
            client._keep(told)
        assert client._signed("t", 1) == told
        assert asked == ([] if has_come else ["/api/v1/tables/t/receipts/1"])
        assert list(client.receipts) == [told], "and is kept"


def test_a_receipt_is_not_waited_for_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.client.client.RECEIPT_WAIT", 0.2)
    tries = []

    def house(request: httpx.Request) -> httpx.Response:
        tries.append(request.extensions["timeout"]["read"])
        raise httpx.ReadTimeout("nothing came", request=request)

    with Client("http://house", transport=httpx.MockTransport(house)) as client, pytest.raises(Unreachable):
        client._signed("t", 1)
    assert max(tries) <= 0.2
    assert len(tries) < 8, "it is not tried as often as anything else"


def test_a_receipt_is_known_before_what_it_came_with_is_told() -> None:
    entry = {"version": 1, "hash": SHUT, "at": "2026-11-16T12:00:00Z", "type": "bets_shut", "events": []}
    content = b"event: entry\ndata: %s\n\nevent: receipt\ndata: %s\n\n" % (
        msgspec.json.encode(entry),
        msgspec.json.encode(signed(SHUT)),
    )
    with (
        Client("http://house", transport=httpx.MockTransport(lambda _: httpx.Response(200, content=content))) as client,
        closing(client.live_account(0)) as live,
    ):
        assert next(live).hash == SHUT
        assert client.receipts.of("table/t", 1) is not None


class Watched(Client):
    """Notes what the house has signed by the time a number is revealed."""

    held: Receipt | None = None

    def show_number(self, table: str, round: int, number: str, **how: Any) -> Done:  # noqa: ANN401  # as Client
        self.held = self.receipts.newest(f"table/{table}")
        return super().show_number(table, round, number, **how)


def test_a_round_of_a_real_house_from_the_bet_to_the_dice(house: Running) -> None:
    """With a table's default pauses, except for the time that betting is open."""
    order = ["number_committed", "bets_shut", "number_shown", "dice_drawn"]
    with come_in(house, "otto") as otto:
        otto.set_table("real", "Real", "sic-bo-nsw-2016", rhythm=Rhythm(open=1.0, last_call=0.0), min="1.00")
    with Watched.sign_in(house.url, "ben", PASSWORDS["ben"]) as ben, closing(ben.live("real")) as live:
        ben.seat("real", "100.00")
        number = next(rows_of(live, "round_opened"))["number"]
        steps: list[Entry] = []
        ben.bet("real", "small", "10.00", round=number)
        while not steps or steps[-1].type != order[-1]:
            steps.append(next(live))
        steps = [entry for entry in steps if entry.type in order]
        assert [entry.type for entry in steps] == order
        _, shut, _, fell = steps
        assert isinstance(ben, Watched)
        assert ben.held is not None
        assert (ben.held.version, ben.held.hash) == (shut.version, shut.hash), "signed before the number is shown"
        assert fell.events[0]["shut"] == shut.hash
        assert len(fell.events[0]["numbers"][0]) == 64
        verdict = verify_dice(ben.record("real"))
        assert (verdict.findings, verdict.numbers.missing, ben.doubts) == ((), 0, [])
        ben.leave("real")


@pytest.fixture(scope="module")
def stood(house: Running) -> Table:
    """A game by hand at the given table; return its state before the first throw."""
    with come_in(house, "otto") as otto, come_in(house, "dora") as dora, come_in(house, "ben") as ben:
        otto.set_table("told", "Craps by hand", "craps-nsw-2024", min="1.00")
        dora.take_post("told", "dealer")
        ben.seat("told", "50.00")
        ben.bet("told", "place_to_win", "12.00", 6)
        stood = ben.table("told")
        dora.say("told", {"do": "roll", "dice": [5, 3]})
        dora.say("told", {"do": "roll", "dice": [4, 2]})
        ben.leave("told")
        dora.leave_post("told")
    return stood


def test_history_replay_and_record_agree(house: Running, stood: Table) -> None:
    with come_in(house, "ben") as ben:
        entries = list(ben.events("told"))
        assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
        assert [entry.version for entry in ben.events("told", after=3)] == list(range(4, len(entries) + 1))
        placed = next(entry for entry in entries if entry.type == "wager_placed")
        assert (placed.who, placed.role) == ("ben", "player")
        assert ben.replay("told", stood.version) == stood
        assert [(one.wager, one.pick, one.amount) for one in stood.wagers] == [("place_to_win", 6, "12.00")]
        assert len(list(ben.record("told"))) == len(entries) + 2
        with pytest.raises(Refused) as refused:
            ben.replay("told", 10_000)
        assert (refused.value.status, refused.value.code) == (404, "no_such_event")


def test_a_newcomer_comes_in_and_a_program_acts_for_them(house: Running) -> None:
    with Client.sign_up(house.url, "nora", "Nora", "long enough for anybody") as nora:
        issued = nora.issue_token("bot", "play", days=1)
        assert [token.name for token in nora.tokens()] == ["bot"]
        with Client(house.url, issued.token) as bot:
            bot.seat("sic-bo-nsw-2016", "20.00")
            assert bot.me().tables == ["sic-bo-nsw-2016"]
            nora.end_token("bot")
            with pytest.raises(Refused) as refused:
                bot.me()
            assert (refused.value.status, refused.value.code) == (401, "bad_token")
        nora.leave("sic-bo-nsw-2016")
        assert [entry.type for entry in nora.my_events()][-1] == "came_from_table"
        nora.sign_out()
        with pytest.raises(Refused) as refused:
            nora.me()
        assert refused.value.code == "not_signed_in"


def test_accounts_are_opened_granted_limited_and_excluded(house: Running) -> None:
    with come_in(house, "otto") as otto, come_in(house, "mia") as mia:
        otto.open_account("nick", "Nick", "first password", chips="10.00")
        otto.grant("nick", "5.50", "a good reason")
        otto.issue_card("nick")
        assert otto.account("nick").chips == "15.50"
        otto.change_roles("nick", "player", "dealer")
        otto.reset_password("nick", "second password")
        with Client.sign_in(house.url, "nick", "second password") as nick:
            nick.set_limits("nick", loss="100.00", minutes=60)
            nick.change_password("second password", "third password")
        with Client.sign_in(house.url, "nick", "third password") as nick:
            assert nick.me().roles == ["dealer", "player"]
            assert (nick.me().limits.loss, nick.me().limits.minutes) == ("100.00", 60)
        until = datetime.now(UTC).replace(microsecond=0) + timedelta(days=2)
        mia.exclude("nick", until)
        excluded = mia.account("nick").exclusion
        assert excluded is not None
        assert (excluded.until, excluded.by_house) == (stamp(until), True)
        mia.let_in("nick")
        otto.end_card("nick")
        assert otto.account("nick").card is None
        assert {"ann", "nick"} <= set(otto.accounts())
        assert next(mia.account_events("nick", after=1)).type == "chips_granted"


def test_what_happens_to_an_account_is_heard(house: Running) -> None:
    with come_in(house, "ben") as ben, come_in(house, "otto") as otto, closing(ben.live_account()) as live:
        otto.grant("ben", "3.00", "to be heard")
        entry = next(live)
        assert (entry.type, entry.who) == ("chips_granted", "otto")
        assert [(row["amount"], row["reason"]) for row in entry.events] == [("3.00", "to be heard")]


def test_a_refusal_says_which_clause_and_is_kept(house: Running) -> None:
    with come_in(house, "ben") as ben, come_in(house, "mia") as mia:
        ben.seat("two-up-nsw-2016", "20.00")
        with pytest.raises(Refused) as refused:
            ben.bet("two-up-nsw-2016", "heads", "0.50")
        assert refused.value.status == 422
        assert refused.value.message in str(refused.value)
        kept = list(mia.refusals())[-1]
        assert (kept.who, kept.code, kept.clause) == ("ben", refused.value.code, refused.value.clause)
        with pytest.raises(Refused) as refused:
            ben.leave("two-up-nsw-2016", version=1)
        assert (refused.value.status, refused.value.code) == (409, "table_moved_on")
        ben.leave("two-up-nsw-2016")
    with pytest.raises(Refused) as refused:
        Client.sign_in(house.url, "ben", "not his password")
    assert (refused.value.status, refused.value.code) == (401, "sign_in_failed")


def test_a_round_says_whether_it_waits_for_a_bet(house: Running) -> None:
    with come_in(house, "ben") as ben:
        ben.seat("snake-eyes-nz", "20.00")
        waiting = until(lambda: ben.table("snake-eyes-nz").round)
        assert waiting is not None
        assert waiting.waiting
        ben.bet("snake-eyes-nz", "field", "10.00", round=waiting.number)
        counting = ben.table("snake-eyes-nz").round
        assert counting is not None
        assert not counting.waiting


def test_books_say_what_can_be_bet_on(house: Running) -> None:
    with Client(house.url) as anybody:
        assert [one.id for one in anybody.books()] == anybody.house().books
        triples = anybody.book("sic-bo-nsw-2016").wagers[4]
    assert (triples.id, triples.picks, triples.pays) == ("specific_triple", [1, 2, 3, 4, 5, 6], "180 to 1")


def test_an_amount_that_is_none_is_not_sent(house: Running) -> None:
    with come_in(house, "ben") as ben, pytest.raises(MoneyError):
        ben.seat("two-up-nsw-2016", "20")


def test_reports_and_the_export_come_as_values(house: Running, stood: Table, tmp_path: Path) -> None:
    with come_in(house, "ivy") as ivy:
        report = ivy.table_report("told", "month")
        assert report.periods[0].figures.drop == "50.00"
        expected = report.periods[0].exactly("expected")
        assert expected is not None
        assert float(expected) == pytest.approx(report.periods[0].figures.expected)
        assert ivy.house_report("year").periods[0].figures.table is None
        books = ivy.books_report()
        assert (books.ok, books.total, books.findings) == (True, "0.00", [])
        owed = next(one.amount for one in books.balances if one.account == "bank")
        assert owed.startswith("-")
        ivy.export(tmp_path / "house.jsonl")
        assert (tmp_path / "house.jsonl").read_bytes().endswith(b"}\n")
        with pytest.raises(FileExistsError):
            ivy.export(tmp_path / "house.jsonl")
    assert [file.name for file in tmp_path.iterdir()] == ["house.jsonl"]


# -- through a restart ------------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def test_live_events_and_commands_go_on_through_a_restart(tmp_path: Path) -> None:
    """One client listens without a break and one plays; in between, the house closes and opens again on the same
    store."""
    port, heard = free_port(), list[Entry]()
    table = "by-hand"

    def listen(stranger: Client, after: int) -> None:
        with stranger, closing(stranger.live(table, after)) as live:
            for entry in live:
                heard.append(entry)
                if entry.type == "player_left":
                    return

    with running(tmp_path, port=port) as house:
        ann = come_in(house, "ann", tries=20)
        with come_in(house, "otto") as otto:
            first = otto.set_table(table, "Craps by hand", "craps-nsw-2024").versions[f"table/{table}"] + 1
        listener = Thread(target=listen, args=(Client(house.url), first - 1), daemon=True)
        listener.start()
        ann.seat(table, "100.00")
        ann.bet(table, "field", "10.00", key="once")
    with running(tmp_path, port=port):
        ann.bet(table, "field", "10.00", key="once")  # the first answer, and no second wager
        assert [one.amount for one in ann.table(table).wagers] == ["10.00"]
        ann.take(table, "field")
        ann.leave(table)
        listener.join(30)
        assert not listener.is_alive(), "the live events did not go on"
        with Client(f"http://127.0.0.1:{port}") as anybody:
            told = [entry for entry in anybody.events(table) if first <= entry.version <= heard[-1].version]
        ann.close()
    assert [entry.version for entry in heard] == list(range(first, first + len(heard)))
    assert heard == told


# -- what is sent again, and what is not ------------------------------------------------------------------------------


class Dropping(httpx.BaseTransport):
    """Lets requests through, but loses the answers to the first `lost` of them that go to a path."""

    def __init__(self, path: str, lost: int) -> None:
        self._inner = httpx.HTTPTransport()
        self._path = path
        self._lost = lost
        self.keys: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        reply = self._inner.handle_request(request)
        if request.url.path.endswith(self._path):
            self.keys.append(request.headers["idempotency-key"])
            if len(self.keys) <= self._lost:
                reply.read()
                reply.close()
                raise httpx.ReadError("the line is dead")
        return reply

    def close(self) -> None:
        self._inner.close()


def test_a_command_whose_answer_was_lost_is_carried_out_once(house: Running) -> None:
    dropping = Dropping("/chips", 2)
    with come_in(house, "ben") as ben, come_in(house, "otto", transport=dropping, first_pause=0.01) as otto:
        before, version = parse_cents(ben.me().chips), ben.me().version
        done = otto.grant("ben", "7.00", "a lost answer")
        assert len(dropping.keys) == 3
        assert len(set(dropping.keys)) == 1
        assert parse_cents(ben.me().chips) == before + 700
        assert done.versions == {"account/ben": version + 1}


def test_who_gives_up_can_send_the_same_command_again(house: Running) -> None:
    dropping = Dropping("/chips", 2)
    with come_in(house, "ben") as ben, come_in(house, "otto", transport=dropping, tries=2, first_pause=0.01) as otto:
        before = parse_cents(ben.me().chips)
        with pytest.raises(Unreachable) as lost:
            otto.grant("ben", "7.00", "given up")
        assert lost.value.key == dropping.keys[0]
        assert lost.value.key in str(lost.value)
        otto.grant("ben", "7.00", "given up", key=lost.value.key)
        assert parse_cents(ben.me().chips) == before + 700


def answering(*replies: httpx.Response | Exception) -> tuple[Client, list[httpx.Request]]:
    """A client of a house that gives these answers in order, and the requests it received."""
    left, sent = iter(replies), list[httpx.Request]()

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        reply = next(left)
        if isinstance(reply, Exception):
            raise reply
        return reply

    return Client("http://house", tries=3, first_pause=0.0, transport=httpx.MockTransport(answer)), sent


DONE = httpx.Response(200, json={"ok": True, "versions": {"table/t": 7}, "and": "something newer"})
NOT_STORED = {"ok": False, "code": "not_stored", "clause": None, "message": "The disk is full."}


@pytest.mark.parametrize(
    "first",
    [
        httpx.Response(503, json=NOT_STORED, headers={"retry-after": "0"}),
        httpx.Response(503, text="<h1>no house behind this proxy</h1>"),
        httpx.Response(502),
        httpx.Response(429, json={"code": "too_many", "message": "Wait."}, headers={"retry-after": "0"}),
        httpx.ReadTimeout("too long"),
        httpx.RemoteProtocolError("cut off"),
        httpx.ConnectError("refused"),
    ],
    ids=str,
)
def test_a_command_is_sent_again_with_its_key(first: httpx.Response | Exception) -> None:
    client, sent = answering(first, DONE)
    assert client.leave("t").versions == {"table/t": 7}
    assert len({request.headers["idempotency-key"] for request in sent}) == 1
    assert sent[0].content == sent[1].content
    assert len(sent) == 2


@pytest.mark.parametrize(
    ("status", "code", "headers"),
    [
        (422, "bets_shut", {}),
        (409, "key_used", {}),
        (403, "not_allowed", {}),
        (500, "fault", {}),
        (503, "store_damaged", {}),
        (429, "locked", {"retry-after": "60"}),
    ],
)
def test_what_will_not_change_is_not_tried_again(status: int, code: str, headers: dict[str, str]) -> None:
    told = {"ok": False, "code": code, "clause": "4.6", "message": "No."}
    client, sent = answering(httpx.Response(status, json=told, headers=headers))
    with pytest.raises(Refused) as refused:
        client.leave("t")
    found = refused.value
    assert (found.code, found.clause, found.message, found.status) == (code, "4.6", "No.", status)
    assert str(found) == "No. (4.6)"
    assert len(sent) == 1


def test_tries_are_bounded_and_the_last_refusal_is_told() -> None:
    client, sent = answering(*(httpx.Response(503, json=NOT_STORED) for _ in range(9)))
    with pytest.raises(Refused) as refused:
        client.leave("t")
    assert (refused.value.code, len(sent)) == ("not_stored", 3)
    client, sent = answering(*(httpx.ConnectError("refused") for _ in range(9)))
    with pytest.raises(Unreachable, match="The house at http://house does not answer: refused"):
        client.tables()
    assert len(sent) == 3


def test_a_command_is_given_up_after_a_while_however_many_tries_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now, given = [0.0], list[float]()
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr("time.sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))

    def silent(request: httpx.Request) -> httpx.Response:
        given.append(request.extensions["timeout"]["read"])
        now[0] += given[-1]
        raise httpx.ReadTimeout("too long")

    with Client("http://house", tries=100, transport=httpx.MockTransport(silent)) as client:
        with pytest.raises(Unreachable) as lost:
            client.leave("t")
        assert lost.value.key is not None
    assert given[0] == 10.0
    assert 20.0 < now[0] <= 30.0
    now[0], given[:] = 0.0, []
    with Client("http://house", timeout=1.0, total=2.5, transport=httpx.MockTransport(silent)) as client:
        with pytest.raises(Unreachable):
            client.tables()
        assert now[0] <= 2.5
        now[0], given[:] = 0.0, []
        with pytest.raises(Unreachable):
            client.house_report()  # is slow to make: one try may take all of the time
        assert given == [2.5]


def test_who_is_asked_to_wait_for_longer_than_there_is_time_is_told_at_once() -> None:
    busy = httpx.Response(503, json=NOT_STORED, headers={"retry-after": "5"})
    transport = httpx.MockTransport(lambda request: busy)
    with Client("http://house", total=2.0, transport=transport) as client, pytest.raises(Refused) as refused:
        client.leave("t")
    assert refused.value.wait == 5.0


def test_what_takes_no_key_is_sent_again_only_if_nobody_heard_it() -> None:
    issued = httpx.Response(200, json={"token": "x", "name": "bot", "scopes": ["play"], "until": None})
    client, sent = answering(httpx.ConnectError("refused"), httpx.Response(503, json=NOT_STORED), issued)
    assert client.issue_token("bot", "play").token == "x"
    assert len(sent) == 3
    client, sent = answering(httpx.ReadError("cut off"), issued)
    with pytest.raises(Unreachable):
        client.issue_token("bot", "play")
    assert len(sent) == 1


def test_what_is_no_address_is_told_at_once() -> None:
    with pytest.raises(ValueError, match="begin with http:// or https://"):
        Client("127.0.0.1:8000")


def test_an_answer_that_is_no_houses_is_told_in_a_sentence() -> None:
    client, _ = answering(httpx.Response(200, json=[1, 2, 3]))
    with pytest.raises(BadReply, match="cannot be understood"):
        client.leave("t")
    client, _ = answering(httpx.Response(418, text="a teapot"))
    with pytest.raises(Refused) as refused:
        client.leave("t")
    assert (refused.value.code, refused.value.status) == ("http_418", 418)


# -- live events on a bad line ----------------------------------------------------------------------------------------


def told(version: int) -> bytes:
    # A line separator of Unicode ends no line of a stream.
    entry = {"version": version, "hash": "", "at": "2026-11-15T10:00:00Z", "type": "noted", "events": [{"n": "\u2028"}]}
    return b"id: %d\nevent: entry\ndata: %s\n\n" % (version, msgspec.json.encode(entry))


class BadLine(httpx.SyncByteStream):
    """Some bytes, and then the connection breaks or the house ends it."""

    def __init__(self, content: bytes, dead: bool) -> None:
        self._content = content
        self._dead = dead

    def __iter__(self) -> Iterator[bytes]:
        yield self._content[: len(self._content) // 2]
        yield self._content[len(self._content) // 2 :]
        if self._dead:
            raise httpx.ReadError("the line is dead")


def listening(answer: Callable[[int], httpx.Response], patience: float = 60.0) -> Client:
    """A client of a house whose answer depends on the last event that the client knows."""
    return Client(
        "http://house",
        first_pause=0.0,
        transport=httpx.MockTransport(lambda request: answer(int(request.headers["last-event-id"]))),
        patience=patience,
    )


LAST = 6
HEAD = b"retry: 1000\n\n: still here\n\n"


@pytest.mark.parametrize("dead", [True, False], ids=["dead", "ended"])
def test_nothing_is_missed_or_doubled_wherever_the_line_breaks(dead: bool) -> None:
    whole = HEAD + told(1) + told(2)
    for cut in range(len(HEAD) + len(told(1)), len(whole) + 1):  # one more event each time, or nothing would go on

        def answer(after: int, cut: int = cut) -> httpx.Response:
            content = HEAD + b"".join(map(told, range(after + 1, LAST + 1)))
            return httpx.Response(200, stream=BadLine(content[:cut], dead))

        live = listening(answer).live("t", after=0)
        assert [next(live).version for _ in range(LAST)] == [1, 2, 3, 4, 5, 6]
        live.close()


def test_what_was_told_already_is_passed_over_and_what_is_left_out_asked_for_again() -> None:
    asked: list[int] = []
    contents = iter([told(1) + told(2), told(1) + told(2) + told(4), told(3) + told(4)])

    def answer(after: int) -> httpx.Response:
        asked.append(after)
        return httpx.Response(200, content=HEAD + next(contents))

    live = listening(answer).live("t", after=0)
    assert [next(live).version for _ in range(4)] == [1, 2, 3, 4]
    assert asked == [0, 2, 2]


def test_a_house_that_leaves_an_event_out_for_good_is_not_listened_to() -> None:
    live = listening(lambda after: httpx.Response(200, content=told(after + 2))).live("t", after=0)
    with pytest.raises(BadReply, match="left out event 1 and sent 2"):
        next(live)


def test_late_and_closed_are_no_entries() -> None:
    late = b'event: late\ndata: {"message":"Come again."}\n\n'
    live = listening(lambda after: httpx.Response(200, content=told(after + 1) + late)).live("t", after=0)
    assert [next(live).version for _ in range(3)] == [1, 2, 3]


def test_who_knows_more_than_there_is_hears_so(house: Running) -> None:
    with Client(house.url) as anybody, pytest.raises(Refused, match="The stream's last event is") as refused:
        next(anybody.live("craps-nsw-2024", after=10**6))
    assert (refused.value.status, refused.value.code) == (409, "ahead")


def test_who_may_not_listen_hears_why() -> None:
    no = {"code": "not_signed_in", "message": "Sign in first, or send a token."}
    with pytest.raises(Refused, match="Sign in first"):
        next(listening(lambda after: httpx.Response(401, json=no)).live("t", after=0))


def test_a_house_that_stays_away_is_given_up_after_a_while() -> None:
    def answer(after: int) -> httpx.Response:
        raise httpx.ConnectError("refused")

    with pytest.raises(Unreachable, match="does not answer: refused"):
        next(listening(answer, patience=0.0).live("t", after=0))


# -- all of it --------------------------------------------------------------------------------------------------------

NOT_FOR_CLIENTS = {("get", "/health"), ("get", "/metrics")}


def test_every_endpoint_has_a_method(house: Running) -> None:
    asked: set[tuple[str, str]] = set()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.add((request.method.lower(), request.url.path))
        return httpx.Response(418)

    client = Client("http://house", transport=httpx.MockTransport(answer))
    use_everything(client)
    with pytest.raises(Refused):
        Client.sign_in("http://house", "p", "w", transport=httpx.MockTransport(answer))
    with pytest.raises(Refused):
        Client.sign_up("http://house", "p", "P", "w", transport=httpx.MockTransport(answer))
    with pytest.raises(Refused):
        Client.as_guest("http://house", transport=httpx.MockTransport(answer))
    document = house.nobody().http.get("/api/openapi.json").json()
    endpoints = {(method, path) for path, item in document["paths"].items() for method in item}
    used = {
        (method, template)
        for method, template in endpoints
        if any(method == verb and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path) for verb, path in asked)
    }
    assert endpoints - used == NOT_FOR_CLIENTS
    public = {name for name in vars(Client) if not name.startswith("_")}
    assert public == {*USES, "sign_in", "sign_up", "as_guest", "close", "confirm_receipts"}


USES: dict[str, tuple[Any, ...]] = {
    "sign_out": (),
    "change_password": ("old", "new"),
    "receipt": ("t", 1),
    "correction": ("t", "4-3"),
    "next_throw": ("t",),
    "counts": ("t",),
    "visit": ("t",),
    "past_round": ("t", 1),
    "past_throw": ("t", 1),
    "round_record": ("t", 1),
    "front": (),
    "practise": ("book", [{"do": "open"}]),
    "chances": ("book",),
    "lesson": ("book",),
    "possible_acts": ("t",),
    "witness": ("k", "s", "g"),
    "witnessed": ("k",),
    "issue_token": ("bot", "play"),
    "tokens": (),
    "end_token": ("bot",),
    "tokens_of": ("ann",),
    "end_token_of": ("ann", "bot"),
    "put_in_number": ("t", 1, "0" * 64),
    "show_number": ("t", 1, "0" * 64),
    "ready": ("t", 1),
    "change_name": ("ann", "Lucky Otter"),
    "refill": ("ann",),
    "open_promotion": ("p", "book", "Title"),
    "promote": ("p", {"do": "file_terms"}),
    "promotions": (),
    "promotion": ("p",),
    "promotion_events": ("p",),
    "promotion_play": ("p",),
    "own_play": ("p",),
    "draw_record": ("p",),
    "claimant": ("p", "claim-1"),
    "prizes": ("book",),
    "seat": ("t", "1.00"),
    "buy_in": ("t", "1.00"),
    "leave": ("t",),
    "bet": ("t", "field", "1.00"),
    "take": ("t", "field"),
    "call": ("t", "field", True),
    "say": ("t", {"do": "roll", "dice": [1, 2]}),
    "set_table": ("t", "Table", "craps-nsw-2024"),
    "take_post": ("t", "dealer"),
    "leave_post": ("t",),
    "answer_alert": ("t", 5, "Seen to."),
    "answer_duty": ("t", "month_end 2026-11", "Seen to."),
    "answer_promotion_duty": ("p", "file", "Seen to."),
    "open_account": ("p", "P", "w"),
    "change_roles": ("p", "player"),
    "reset_password": ("p", "w"),
    "issue_card": ("p",),
    "end_card": ("p",),
    "grant": ("p", "1.00", "why"),
    "set_limits": ("p",),
    "exclude": ("p",),
    "let_in": ("p",),
    "house": (),
    "tables": (),
    "table": ("t",),
    "drawing": ("t",),
    "replay_drawing": ("t", 3),
    "stored": ("t",),
    "past_wagers": ("t",),
    "felt": ("t",),
    "replay_felt": ("t", 3),
    "replay": ("t", 1),
    "events": ("t",),
    "record": ("t",),
    "floor": (),
    "alerts": (),
    "cases": (),
    "cases_of": ("t",),
    "duties": (),
    "me": (),
    "my_events": (),
    "accounts": (),
    "account": ("p",),
    "account_events": ("p",),
    "refusals": (),
    "checkpoints": (),
    "table_report": ("t",),
    "house_report": (),
    "books": (),
    "book": ("craps-nsw-2024",),
    "acts": ("craps-nsw-2024",),
    "clauses": ("craps-nsw-2024",),
    "clause": ("craps-nsw-2024", "6.5"),
    "books_report": (),
    "registers": ("2026-11",),
    "register": ("disputes", "2026-11"),
    "register_file": ("disputes", "2026-11", "csv"),
    "export": ("never-written.jsonl",),
    "live": ("t", 0),
    "live_account": (0,),
}


def use_everything(client: Client) -> None:
    for name, arguments in USES.items():
        with pytest.raises(Refused):
            next(iter(getattr(client, name)(*arguments)))


def test_the_client_knows_nothing_of_the_house_but_money_and_how_dice_are_drawn() -> None:
    folder = Path(croupier.client.__file__).parent
    imported = {
        node.module
        for file in folder.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith("croupier")
    }
    others = {name for name in imported if not name.startswith(("croupier.client", "croupier.contract"))}
    shared = {"croupier.money", "croupier.house.electronic.fair_dice", "croupier.store.receipts"}
    assert others == shared, "dice and receipts are checked by one code everywhere"
