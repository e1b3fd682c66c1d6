"""Players' own numbers: committed with bets, revealed once betting closes, and used in the throw; never waited for
twice.

Also rounds of the previous version, which had none: a house that is started in the middle of one finishes it as it
began.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.house import orders
from croupier.house.electronic.fair_dice import commitment, drawn, mixed
from croupier.house.electronic.public_record import public_record
from croupier.house.electronic.verification import Verdict, verify_dice
from croupier.house.events import (
    BetsShut,
    DiceDrawn,
    LastCalled,
    NumberCommitted,
    NumberShown,
    Rhythm,
    RoundCancelled,
    RoundOpened,
)
from croupier.house.house import digest
from croupier.house.orders.rounds import due
from croupier.house.reporting.bookkeeping import entries
from croupier.house.stored_events import stamp
from croupier.house.views.visibility import Shown, Viewer, show_table
from croupier.store.memory import MemoryStore
from croupier.store.records import Append, Secret, Write, anchor, link
from croupier.table.events import WagerPlaced
from croupier.table.state import TableView
from tests.electronic import own_commitment, own_number
from tests.houses import SHELF, TestHouse

CRAPS, TWO_UP = "craps-nsw-2024", "two-up-nsw-2016"
OLDER = Path(__file__).parent / "older" / "rounds.json"
TABLE, STREAM = "clock", "table/clock"


@pytest.fixture
def house() -> TestHouse:
    """A table that runs by itself, with two people at it, in its first round."""
    house = TestHouse()
    opened(house, CRAPS)
    return house


def opened(house: TestHouse, book: str, rhythm: Rhythm | None = None) -> None:
    house.clock_table(book, TABLE, rhythm)
    for who in ("ann", "ben"):
        house.person(who)
        house.ok(orders.Sit(table=TABLE, cents=500_00), who)
    house.wait(1)


def bet(who: str, round: int = 1, wager: str = "field", **more: Any) -> orders.Say:  # noqa: ANN401
    line = {"do": "bet", "wager": wager, "amount": "10.00"}
    said: dict[str, Any] = {"round": round, "number": own_commitment(TABLE, who, round)} | more
    return orders.Say(table=TABLE, line=line, **said)


def shows(who: str, round: int = 1) -> orders.ShowNumber:
    return orders.ShowNumber(table=TABLE, round=round, number=own_number(who, round).hex())


def puts_in(who: str, round: int = 1) -> orders.PutInNumber:
    return orders.PutInNumber(table=TABLE, round=round, number=own_commitment(TABLE, who, round))


def shut(house: TestHouse) -> datetime:
    """Let the bets be closed; return the time."""
    house.until(lambda: house.house.table(TABLE).is_shut)
    current = house.house.table(TABLE).round
    assert current is not None
    assert current.shut_at is not None
    house.at = current.shut_at
    return current.shut_at


def all_of(house: TestHouse, kind: type) -> list[Any]:
    return [event for event in house.events(STREAM) if isinstance(event, kind)]


def when_drawn(house: TestHouse) -> datetime:
    documents = [entry.document for entry in entries(house.store.read(STREAM))]
    return datetime.fromisoformat(next(each.at for each in documents if isinstance(each.event, DiceDrawn)))


def verdict(house: TestHouse) -> Verdict:
    book = SHELF.game(house.house.table(TABLE).game.terms[-1]).book
    return verify_dice(public_record(STREAM, book.rules.throw, house.store.read(STREAM)))


# Putting in


def test_a_number_goes_with_the_bet(house: TestHouse) -> None:
    told: Any = house.ok(bet("ann"), "ann")
    assert told["number"] == own_commitment(TABLE, "ann", 1)
    records = house.store.read(STREAM)[-2:]
    placed, put_in = [entry.document for entry in entries(records)]
    assert isinstance(placed.event, WagerPlaced)
    assert put_in.event == NumberCommitted(1, "ann", 1, own_commitment(TABLE, "ann", 1))
    assert (placed.order, placed.at) == (put_in.order, put_in.at), "in one write"
    assert told["versions"][STREAM] == records[-1].version


def test_a_bet_without_a_number_is_a_bet(house: TestHouse) -> None:
    assert house.ok(bet("ann", number=msgspec.UNSET), "ann")["number"] is None
    assert all_of(house, NumberCommitted) == []


@pytest.mark.parametrize("word", ["take", "call"])
def test_a_number_goes_with_any_line_about_a_wager(house: TestHouse, word: str) -> None:
    line: dict[str, Any] = {"wager": "hardway", "pick": 6}
    house.ok(orders.Say(table=TABLE, line={"do": "bet", "amount": "10.00", **line}), "ann")
    line |= {"do": word} | ({"on": True} if word == "call" else {})
    house.ok(orders.Say(table=TABLE, line=line, round=1, number=own_commitment(TABLE, "ann", 1)), "ann")
    assert len(all_of(house, NumberCommitted)) == 1


def test_the_first_number_stands(house: TestHouse) -> None:
    house.ok(bet("ann"), "ann")
    told = house.ok(bet("ann", number="0" * 64), "ann")
    assert told["number"] == own_commitment(TABLE, "ann", 1)
    assert house.ok(puts_in("ann"), "ann")["number"] == own_commitment(TABLE, "ann", 1)
    assert len(all_of(house, NumberCommitted)) == 1
    assert len(all_of(house, WagerPlaced)) == 2


def test_a_copied_commitment_is_not_taken_twice(house: TestHouse) -> None:
    house.ok(bet("ann"), "ann")
    told = house.ok(bet("ben", number=own_commitment(TABLE, "ann", 1)), "ben")
    assert told["number"] == own_commitment(TABLE, "ann", 1)
    assert [event.player for event in all_of(house, NumberCommitted)] == ["ann"]
    assert house.ok(bet("ben"), "ben")["number"] == own_commitment(TABLE, "ben", 1), "a number of his own is"
    assert [event.contributor for event in all_of(house, NumberCommitted)] == [1, 2]


def test_contributors_keep_their_number(house: TestHouse) -> None:
    for round, order in ((1, "ben ann"), (2, "ann ben")):
        for who in order.split():
            house.ok(bet(who, round), who)
        house.until(lambda round=round: house.house.table(TABLE).rounds > round)  # type: ignore[misc]
    known = [(event.number, event.player, event.contributor) for event in all_of(house, NumberCommitted)]
    assert known == [(1, "ben", 1), (1, "ann", 2), (2, "ann", 2), (2, "ben", 1)]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"number": "what"}, "bad_number"),
        ({"number": "A" * 64}, "bad_number"),
        ({"number": "0" * 64 + "\n"}, "bad_number"),
        ({"round": None}, "bad_number"),
        ({"round": 2}, "round_over"),
        ({"line": {"do": "raise_dispute"}}, "bad_number"),
    ],
)
def test_a_number_that_is_none_is_refused_with_its_bet(house: TestHouse, changed: dict[str, Any], code: str) -> None:
    before = house.store.head(STREAM)
    assert house.refused(msgspec.structs.replace(bet("ann"), **changed), "ann") == code
    assert house.store.head(STREAM) == before


def test_a_refused_bet_puts_no_number_in(house: TestHouse) -> None:
    told = house.do(bet("ann", wager="no such wager"), "ann")
    assert not told["ok"]
    assert all_of(house, NumberCommitted) == []


def test_a_number_alone_is_for_those_whose_wagers_stand(house: TestHouse) -> None:
    assert house.refused(puts_in("ann"), "ann") == "no_wager"
    house.ok(bet("ann", wager="win_line", number=msgspec.UNSET), "ann")
    assert house.refused(puts_in("ann", 2), "ann") == "round_over"
    told = house.ok(puts_in("ann"), "ann")
    assert told["number"] == own_commitment(TABLE, "ann", 1)
    house.person("cal")
    assert house.refused(puts_in("cal"), "cal") == "not_at_table"
    house.ok(bet("ben", number=msgspec.UNSET), "ben")
    shut(house)
    assert house.refused(puts_in("ben"), "ben") == "bets_shut"


def test_where_people_throw_there_are_no_numbers(house: TestHouse) -> None:
    house.dealt_table(CRAPS)
    house.ok(orders.Sit(table="dealt", cents=100_00), "ann")
    line = {"do": "bet", "wager": "field", "amount": "10.00"}
    assert house.refused(orders.Say(table="dealt", line=line, round=1, number="0" * 64), "ann") == "no_numbers"
    assert house.refused(orders.PutInNumber(table="dealt", round=1, number="0" * 64), "ann") == "no_numbers"
    assert house.refused(orders.ShowNumber(table="dealt", round=1, number="0" * 64), "ann") == "no_numbers"


# Showing


def test_a_number_is_shown_between_the_last_bet_and_the_dice(house: TestHouse) -> None:
    house.ok(bet("ann"), "ann")
    house.ok(bet("ben"), "ben")
    assert house.refused(shows("ann"), "ann") == "not_shut"
    shut(house)
    assert house.refused(shows("ann", 2), "ann") == "round_over"
    assert house.refused(orders.ShowNumber(table=TABLE, round=1, number="0" * 64), "ann") == "unknown_number"
    assert house.refused(orders.ShowNumber(table=TABLE, round=1, number="nothing"), "ann") == "bad_number"
    house.ok(shows("ann"), "ann")
    versions = house.ok(shows("ann"), "ann")["versions"]
    assert versions == {}, "a second time nothing happens"
    shown = NumberShown(1, "ann", own_commitment(TABLE, "ann", 1), own_number("ann", 1).hex())
    assert all_of(house, NumberShown) == [shown]
    house.wait(5)
    assert house.refused(shows("ben"), "ben") == "round_over"


def test_the_throw_follows_from_the_secret_and_the_numbers_alone(house: TestHouse) -> None:
    for who in ("ann", "ben"):
        house.ok(bet(who), who)
    shut(house)
    house.ok(shows("ben"), "ben")
    house.wait(3)
    listed = sorted(own_commitment(TABLE, who, 1) for who in ("ann", "ben"))
    (closed,), (fell,) = all_of(house, BetsShut), all_of(house, DiceDrawn)
    assert list(closed.numbers) == listed
    own = {own_commitment(TABLE, "ben", 1): own_number("ben", 1).hex()}
    assert list(fell.numbers) == [own.get(committed, "") for committed in listed]
    rows = list(zip(listed, fell.numbers, strict=True))
    secret = bytes.fromhex(fell.secret)
    assert fell.faces == drawn(secret, mixed(TABLE, 1, rows), (1, 2, 3, 4, 5, 6), 2)
    (begun,) = all_of(house, RoundOpened)
    assert (begun.protocol, begun.commitment) == (2, commitment(TABLE, 1, secret))
    assert verdict(house).findings == ()


@pytest.mark.parametrize(
    ("shown", "seconds"), [((), 2.0), (("ann",), 2.0), (("ann", "ben"), 1.0)], ids=["none", "one", "all"]
)
def test_the_dice_wait_for_numbers_and_not_for_long(house: TestHouse, shown: tuple[str, ...], seconds: float) -> None:
    for who in ("ann", "ben"):
        house.ok(bet(who), who)
    closed = shut(house)
    for who in shown:
        house.ok(shows(who), who)
    house.wait(5)
    assert when_drawn(house) - closed == timedelta(seconds=seconds)
    numbers = verdict(house).numbers
    assert (numbers.put_in, numbers.missing, numbers.without) == (2, 2 - len(shown), 0)


def test_the_last_number_to_come_is_the_moment_of_the_draw(house: TestHouse) -> None:
    house.ok(bet("ann"), "ann")
    closed = shut(house)
    house.wait(1.5)
    house.ok(shows("ann"), "ann")
    house.wait(0.1)
    assert when_drawn(house) - closed == timedelta(seconds=1.5)


def test_without_numbers_nothing_is_waited_for(house: TestHouse) -> None:
    house.ok(bet("ann", number=msgspec.UNSET), "ann")
    closed = shut(house)
    house.wait(5)
    assert when_drawn(house) - closed == timedelta(seconds=1)
    assert verdict(house).numbers.without == 1


def test_a_rhythm_says_how_long() -> None:
    house = TestHouse()
    opened(house, CRAPS, Rhythm(shut=0.5, numbers=4.0))
    house.ok(bet("ann"), "ann")
    closed = shut(house)
    house.wait(10)
    assert when_drawn(house) - closed == timedelta(seconds=4)
    bad = orders.SetTable(table="bad", title="Bad", line={"book": CRAPS}, rhythm=Rhythm(numbers=31.0))
    assert house.refused(bad) == "bad_rhythm"


def test_a_round_that_takes_no_bets_waits_for_those_who_put_numbers_in() -> None:
    """After Odds at Two-Up: players with open wagers and a number in the previous throw get time to commit another."""
    house, waited = TestHouse(), 0
    opened(house, TWO_UP)
    for _ in range(40):
        house.until(lambda: house.house.table(TABLE).round is not None)
        table = house.house.table(TABLE)
        assert table.round is not None
        number = table.round.number
        if table.round.brief and table.game.layout:
            assert house.house.due()[0][0] == table.round.closes + timedelta(seconds=2)
            house.ok(puts_in("ann", number), "ann")
            assert house.house.due()[0][0] == table.round.closes, "and not longer than it takes"
            waited += 1
        elif table.game.bets_open and not table.game.layout:
            house.ok(bet("ann", number, "heads"), "ann")
        else:
            house.ok(puts_in("ann", number), "ann")
        shut(house)
        house.ok(shows("ann", number), "ann")
        house.until(lambda number=number: house.house.table(TABLE).rounds > number)  # type: ignore[misc]
    assert waited
    found = verdict(house)
    assert (found.findings, found.numbers.missing, found.numbers.without) == ((), 0, 0)


def test_a_quick_table_is_not_accused_of_giving_less_time_than_it_ever_gives() -> None:
    house = TestHouse()
    opened(house, CRAPS, Rhythm(open=1.9, last_call=0.5, shut=0.1, show=0.5))
    house.ok(bet("ann"), "ann")
    shut(house)
    house.ok(shows("ann"), "ann")
    house.wait(20)
    found = verdict(house)
    assert found.drawn > 3
    assert (found.findings, found.numbers.put_in) == ((), 1)


def test_it_waits_for_one_who_has_left_too_because_the_record_does_not_show_who_has_wagers() -> None:
    house = TestHouse()
    opened(house, TWO_UP)
    house.ok(bet("ann", 1, "heads"), "ann")
    table = house.house.table(TABLE)
    assert table.round is not None
    brief = msgspec.structs.replace(table.round, brief=True, closes=table.round.opened)
    for lately, seconds in ({"ann", "who left"}, 2), ({"ann"}, 0):
        now = msgspec.structs.replace(table, round=brief, lately=frozenset(lately))
        assert due(now) == brief.opened + timedelta(seconds=seconds)


# What a house that was away does


def test_after_a_pause_the_last_call_is_made_again(house: TestHouse) -> None:
    house.ok(bet("ann"), "ann")
    house.restart()
    house.at += timedelta(hours=3)
    house.load(STREAM)
    back = house.at
    house.wait(60)
    called = all_of(house, LastCalled)
    assert [event.closes for event in called if event.number == 1] == [stamp(back + timedelta(seconds=20))]
    assert verdict(house).findings == ()


def test_a_round_cancelled_with_bets_standing_says_so(house: TestHouse) -> None:
    house.ok(bet("ann"), "ann")
    house.store.commit([Write(vault=(Secret("dice/clock/1", None),))])
    house.restart()
    house.load(STREAM)
    house.until(lambda: house.house.table(TABLE).is_shut)
    house.wait(0)
    house.at += timedelta(seconds=10)
    house.ok(orders.RunOn(table=TABLE, lost=True))
    assert all_of(house, RoundCancelled) == [RoundCancelled(1, "", standing=True)]
    assert {"cancelled_with_bets", "skipped"} <= {finding.fault for finding in verdict(house).findings}


def test_a_round_of_a_table_that_closes_is_no_fault(house: TestHouse) -> None:
    sue = house.person("sue", "supervisor")
    house.ok(orders.TakePost(table=TABLE, role="supervisor"), sue)
    house.ok(bet("ann"), "ann")
    house.ok(orders.Say(table=TABLE, line={"do": "take", "wager": "field"}), "ann")
    for who in ("ann", "ben"):
        house.ok(orders.GetUp(table=TABLE), who)
    assert house.say(TABLE, sue, "close_table")["ok"]
    house.wait(30)
    assert all_of(house, RoundCancelled)
    assert verdict(house).findings == ()


# Who sees what


def test_others_see_a_number_and_not_whose_it_is(house: TestHouse) -> None:
    house.ok(bet("ann"), "ann")
    shut(house)
    house.ok(shows("ann"), "ann")
    view = TableView(SHELF, house.house.table(TABLE).game)
    shown = [Shown(view, entry) for entry in entries(house.store.read(STREAM))]
    for kind in ("number_committed", "number_shown"):
        (one,) = [each for each in shown if each.to(Viewer())["type"] == kind]
        for look in (Viewer(), Viewer("ben")):
            told: Any = msgspec.to_builtins(one.to(look))
            (row,) = told["events"]
            assert "player" not in row
            assert row["commitment"] == own_commitment(TABLE, "ann", 1)
            assert not {"who", "as", "order"} & set(told)
        assert one.concerns("ann")
        assert not one.concerns("ben")
        for look in (Viewer("ann"), Viewer("sue", all=True)):
            told = one.to(look)
            assert told["events"][0]["player"] == "ann"


def test_a_table_tells_how_its_dice_are_drawn(house: TestHouse) -> None:
    house.ok(bet("ann"), "ann")
    told: Any = show_table(SHELF, house.house.table(TABLE), house.house.head(STREAM), Viewer())
    assert (told["round"]["protocol"], told["round"]["numbers"]) == (2, 1)


# The version before


def older(name: str) -> tuple[TestHouse, dict[str, Any]]:
    """A house on a store of the previous version, in the middle of a round."""
    kept = json.loads(OLDER.read_text(encoding="utf-8"))[name]
    house, appends = TestHouse(MemoryStore(), seed="newer"), []
    for stream, documents in kept["streams"].items():
        appends.append(Append(stream, 0, tuple(document.encode() for document in documents), anchor(stream)))
    vault = tuple(Secret(secret, bytes.fromhex(value)) for secret, value in kept["secrets"].items())
    house.store.commit([Write(tuple(appends), vault=vault)])
    house.at = datetime.fromisoformat(kept["at"])
    house.load(STREAM)
    house.load("account/ann")
    return house, kept


@pytest.mark.parametrize("name", ["open", "shut"])
def test_a_round_of_the_version_before_is_finished_as_it_was_begun(name: str) -> None:
    house, kept = older(name)
    number = kept["round"]
    current = house.house.table(TABLE).round
    assert current is not None
    assert (current.number, current.protocol, current.numbers) == (number, 1, {})
    if name == "open":
        assert house.ok(bet("ann", number), "ann")["number"] is None, "a page may send one, and the bet counts"
    house.until(lambda: house.house.table(TABLE).rounds > number + 1)
    assert all_of(house, NumberCommitted) == []
    shown = {event.number: event for event in all_of(house, DiceDrawn)}
    hashed, secret = anchor(STREAM), bytes.fromhex(kept["secrets"][f"dice/clock/{number}"])
    for record in house.store.read(STREAM):
        hashed = link(hashed, record.document)
        if f'"bets_shut","number":{number},'.encode() in record.document.replace(b"}", b","):
            break
    assert shown[number].faces == drawn(secret, hashed, (1, 2, 3, 4, 5, 6), 2)
    begun = {event.number: event.protocol for event in all_of(house, RoundOpened)}
    assert begun[number] == 1
    assert begun[number + 1] == 2
    found = verdict(house)
    assert found.findings == ()
    assert found.older == number


def test_an_order_of_the_version_before_is_known_when_it_is_sent_again() -> None:
    house, kept = older("open")
    line = {"do": "bet", "wager": "field", "amount": "5.00"}
    again = house.order(orders.Say(table=TABLE, line=line, round=kept["round"]), "ann")
    assert digest(again.order).hex() == kept["digest"]
