"""Promotions over HTTP when things go wrong: odd input, odd moments, damage, several processes on one store."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.house import orders
from croupier.house.promotion_state import draw_outcome
from croupier.house.reporting.tickets import Counting, Played, Plays
from croupier.prizes.draw_verification import verify_draw
from croupier.prizes.public_draw import MOST, Draw
from croupier.prizes.terms import MOST_LETTERS, MOST_PRIZES, Earning, Entry
from croupier.server import clocks as clockwork
from croupier.store.contract import StoreError
from tests.clocks import Clock
from tests.postgres import NoPostgres, fresh_database
from tests.promoting import AWARD, CLOSE, FILING, START, Promoting
from tests.promotion_evenings import NAME, PATH, WHO, Evening, throw
from tests.promotions import CRAPS, SECOND
from tests.serving import running
from tests.waiting import until

LATER = CLOSE + 2 * SECOND
KEPT = ("Qqanna", "Winnerzz", "Qqharbour")


def opened(folder: Path, clock: Clock, stack: ExitStack, **changes: object) -> Evening:
    folder.mkdir(exist_ok=True)
    settings = {"session_hours": 80_000, "checkpoint_seconds": 86_400, **changes}
    return Evening(stack.enter_context(running(folder, clock=clock, **settings)), clock)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with ExitStack() as stack:
        yield opened(tmp_path, Clock(FILING), stack)


def begin(evening: Evening, earning: Earning) -> Evening:
    """A running promotion, and a table with a dealer."""
    mia = evening.people["mia"]
    assert mia.do("/tables", {"table": "dealt", "title": "Dealt", "line": {"book": CRAPS}}).is_success
    assert evening.people["dora"].do("/tables/dealt/post", {"role": "dealer"}).is_success
    assert mia.do("/promotions", {"promotion": NAME, "book": CRAPS, "title": "Spring draw"}).is_success
    evening.says("draft_terms", terms=Promoting().terms(earning=earning))
    evening.says("file_terms")
    evening.says("publish_terms", means="this page", in_marketing=True)
    evening.clock.at = START
    evening.says("start_promotion")
    return evening


def stage(evening: Evening) -> str:
    return str(evening.told("mia")["stage"])


# Odd input

Change = Callable[[dict[str, Any]], None]


def of_prize(**changes: object) -> Change:
    return lambda terms: terms["prizes"][0].update(changes)


def said_of_prize(**changes: object) -> Change:
    return lambda terms: terms["prizes"][0]["said"].update(changes)


ODD_TERMS: list[tuple[Change, str]] = [
    (of_prize(id="on two\nlines"), "prize_not_named"),
    (of_prize(id="turned \u202e round"), "prize_not_named"),
    (of_prize(id=" "), "prize_not_named"),
    (of_prize(id="x" * 61), "prize_not_named"),
    (of_prize(count=MOST_PRIZES + 1), "prize_not_counted"),
    (of_prize(count=2**70), "prize_not_counted"),
    (of_prize(millilitres=2**70), "prize_not_counted"),
    (said_of_prize(value="9" * 20 + ".00"), "term_not_readable"),
    (said_of_prize(value="9" * 5000 + ".00"), "term_not_readable"),
    (said_of_prize(nature="x" * (MOST_LETTERS + 1)), "term_not_readable"),
    (lambda terms: terms.update(earning={"amount": "0.00"}), "bad_amount"),
    (lambda terms: terms.update(earning={"amount": "9" * 5000 + ".00"}), "bad_amount"),
]


@pytest.mark.parametrize(("change", "code"), ODD_TERMS)
def test_terms_that_could_never_be_drawn_or_shown_are_refused(change: Change, code: str) -> None:
    promoting, terms = Promoting(), Promoting().terms()
    change(terms)
    assert promoting.refused("draft_terms", terms=terms) == code


def test_what_is_just_within_the_bounds_is_accepted() -> None:
    promoting, terms = Promoting(), Promoting().terms()
    of_prize(id="x" * 60, count=MOST_PRIZES)(terms)
    said_of_prize(nature="x" * MOST_LETTERS)(terms)
    promoting.says("draft_terms", terms=terms)


def test_a_prize_that_is_described_on_several_lines_stands_on_one_in_the_record(evening: Evening) -> None:
    mia = evening.people["mia"]
    mia.do("/promotions", {"promotion": NAME, "book": CRAPS, "title": "Spring draw"})
    terms = Promoting().terms()
    said_of_prize(nature="A car,\r\n\tblue,\u00a0with\0a boot\u2028")(terms)
    for do, said in (
        ("draft_terms", {"terms": terms}),
        ("file_terms", {}),
        ("publish_terms", {"means": "this page", "in_marketing": True}),
    ):
        evening.says(do, **said)
    evening.clock.at = START
    evening.says("start_promotion")
    evening.says("take_entries", entries=[{"id": "e1", "entrant": "ann", "weight": MOST}], reason="A coupon.")
    evening.clock.at = CLOSE
    evening.house.call(evening.house.running_house.own_order(orders.CloseEntries(promotion=NAME)))
    evening.clock.at = AWARD
    evening.says("draw_prizes")
    reply = evening.nobody.get(f"{PATH}/record")
    assert b'"first: A car, blue, with a boot"' in reply.content
    verdict = verify_draw(reply.content.splitlines(keepends=True))
    assert (verdict.finding, len(verdict.results)) == (None, 1)


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"id": "e1", "entrant": "ann", "weight": MOST + 1}, "entry_not_whole"),
        ({"id": "e1", "entrant": "ann", "weight": 10**4000}, "entry_not_whole"),
        ({"id": "e\n1", "entrant": "ann"}, "entry_not_whole"),
        ({"id": "e" * 101, "entrant": "ann"}, "entry_not_whole"),
        ({"id": "e1", "entrant": "Ann of the Hills"}, "bad_name"),
        ({"id": "e1", "entrant": "\0"}, "bad_name"),
    ],
)
def test_entries_that_could_never_be_drawn_are_refused(entry: dict[str, object], code: str) -> None:
    assert Promoting().started().refused("take_entries", entries=[entry], reason="A coupon.") == code


def test_play_never_weighs_more_than_can_be_drawn() -> None:
    plays = Plays(Counting("2026", "2027", 1))
    plays.staked["ann"] = MOST * 3
    assert plays.entries() == (Entry("ann", "ann", MOST),)


def test_nobody_takes_the_name_that_anothers_claim_or_dispute_would_have() -> None:
    promoting = Promoting().started().entered("ann").closed().says("draw_prizes")
    promoting.says("make_claim", "ben", claim="claim-2", award=1, claimant="ben")
    promoting.says("make_claim", "ann", award=1, claimant="ann")
    promoting.says("raise_dispute", "ben", dispute="dispute-2", patron="ben", about="the terms")
    promoting.says("raise_dispute", "ann", patron="ann", about="the draw")
    assert list(promoting.state.promotion.claims) == ["claim-2", "claim-3"]
    assert list(promoting.state.promotion.disputes) == ["dispute-2", "dispute-3"]


@pytest.mark.parametrize("name", ["a/b", "a\0b", "..", "Claim", "x" * 41, ""])
def test_claims_have_names_that_can_stand_in_an_address(name: str) -> None:
    promoting = Promoting().started().entered("ann").closed().says("draw_prizes")
    assert promoting.refused("make_claim", "ann", claim=name, award=1, claimant="ann") == "bad_name"
    assert promoting.refused("raise_dispute", "ann", dispute=name, patron="ann", about="x") == "bad_name"


# What no one shall see


def test_whatever_players_and_staff_say_of_a_draft_it_is_as_if_there_were_none(evening: Evening) -> None:
    evening.people["mia"].do("/promotions", {"promotion": NAME, "book": CRAPS, "title": "Spring draw"})
    lines = [
        {"line": {"do": "file_terms"}},
        {"line": {"do": "draw_prizes"}},
        {"line": {"do": "raise_dispute", "patron": "ann", "about": "x"}, "version": 0},
        {"line": {}},
    ]
    for who in ("ann", "dora", "sam"):
        for body in lines:
            told = [evening.people[who].do(f"/promotions/{name}/lines", body) for name in (NAME, "nothing")]
            there, nowhere = ((one.status_code, one.text.replace(NAME, "nothing")) for one in told)
            assert there == nowhere, (who, body)
            assert told[0].status_code == (404 if who == "ann" else 403)


def test_a_name_in_the_wrong_place_is_not_kept_with_the_refusal(evening: Evening) -> None:
    evening.drawn()
    for who, said, personal in (
        ("mia", {"do": "make_claim", "award": 1, "claimant": "ann", **WHO}, None),
        ("mia", {"do": "make_claim", "award": 1, "claimant": WHO["name"]}, None),
        ("ann", {"do": "make_claim", "award": 9, "claimant": "ann"}, WHO),
        ("mia", {"do": "raise_dispute", "patron": WHO["name"], "about": "x"}, None),
        ("mia", {"do": "hand_over", "award": 1}, WHO),
        ("mia", {"do": "take_entries", "entries": [{"id": "e7", "entrant": WHO["name"]}], "reason": "A coupon."}, None),
        ("mia", {"do": "claim_it", "award": 1, **WHO}, None),
    ):
        body = {"line": said} | ({} if personal is None else {"personal": personal})
        assert evening.people[who].do(f"{PATH}/lines", body).status_code in (403, 422), said
    ivy = evening.people["ivy"]
    kept = ivy.get("/refusals?limit=1000").text + ivy.get("/export?refusals=true").text
    assert kept.count('"claimant":"ann"') >= 2
    assert not any(word in kept for word in KEPT)


def test_the_same_key_with_another_name_is_another_order(evening: Evening) -> None:
    evening.drawn()
    body = {"line": {"do": "make_claim", "award": 1, "claimant": "ann"}, "personal": WHO}
    first = evening.people["ann"].do(f"{PATH}/lines", body, key="once")
    other = evening.people["ann"].do(f"{PATH}/lines", body | {"personal": WHO | {"name": "Else"}}, key="once")
    assert (first.status_code, other.status_code, other.json()["code"]) == (200, 409, "key_used")
    assert evening.people["ivy"].get(f"{PATH}/claims/claim-1").json()["name"] == WHO["name"]


# Very many


def test_the_record_of_very_many_entries_comes_whole_and_the_draw_is_what_was_reckoned(evening: Evening) -> None:
    evening.started()
    evening.clock.at = CLOSE
    many = tuple(Entry(f"p{n}", f"p{n}", n % 7 + 1) for n in range(1, 2500))
    evening.house.call(evening.house.running_house.own_order(orders.CloseEntries(promotion=NAME, entries=many)))
    evening.clock.at = AWARD
    evening.says("draw_prizes")
    reply = evening.nobody.get(f"{PATH}/record")
    paths = evening.nobody.http.get("/api/openapi.json").json()["paths"]
    documented = paths["/api/v1/promotions/{promotion}/record"]["get"]["responses"]["200"]["content"]
    assert reply.headers["content-type"].partition(";")[0] in documented
    verdict = verify_draw(reply.content.splitlines(keepends=True))
    assert (verdict.finding, verdict.entries, len(verdict.results)) == (None, len(many) + 2, 1)
    drawn = verdict.results[0]
    assert isinstance(drawn, Draw)
    assert evening.told(None)["draw"]["results"][0]["entrant"] == drawn.entrant


def test_what_was_reckoned_is_found_again_for_the_same_entries_alone() -> None:
    first, other = (Promoting().started().entered("ann", "ben", "cy").closed() for _ in range(2))
    secrets = [one.house.house.secret(f"draw/{one.state.name}") for one in (first, other)]
    assert all(secrets)
    for promoting, secret in zip((first, other, first), (*secrets, secrets[0]), strict=True):
        assert secret is not None
        made = draw_outcome(promoting.state, secret)
        assert draw_outcome(promoting.state, secret) is made
        entrants = [ticket.entrant for ticket in promoting.state.tickets()]
        assert [draw.entrant in entrants for draw in made.draws] == [True]


# The clock of the house


def test_entries_that_closed_while_the_house_was_shut_are_closed_when_it_opens_and_drawn(tmp_path: Path) -> None:
    clock = Clock(FILING)
    with ExitStack() as stack:
        evening = begin(opened(tmp_path / "a", clock, stack), Earning(10_00))
        throw(evening, "counts", ann="30.00")
        crashed = tmp_path / "b"
        crashed.mkdir()
        for file in (tmp_path / "a").iterdir():  # as it lies there when the machine goes down
            shutil.copy(file, crashed)
    clock.at = LATER
    with ExitStack() as stack:
        evening = opened(crashed, clock, stack)
        until(lambda: stage(evening) == "entries closed")
        again = tmp_path / "c"
        again.mkdir()
        for file in crashed.iterdir():
            shutil.copy(file, again)
    clock.at = AWARD
    with ExitStack() as stack:
        evening = opened(again, clock, stack)
        evening.says("draw_prizes")
        assert [award["entrant"] for award in evening.told("ivy")["awards"]] == ["ann"]
        assert verify_draw(evening.nobody.get(f"{PATH}/record").content.splitlines(keepends=True)).finding is None


def test_where_something_is_said_while_play_is_counted_it_is_counted_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was counted under some terms is never entered under others."""
    begin(evening, Earning(10_00, ("dealt",)))
    throw(evening, "counts", ann="40.00")
    running_house = evening.house.running_house
    plays, said = running_house.report_worker.plays, list[bool]()

    async def slow(by: Counting, tables: Mapping[str, int | None]) -> Played:
        counted = await plays(by, tables)
        if len(said) < 2:
            deed = orders.Promote(promotion=NAME, line={"do": "name_scrutineer", "name": f"Sue {len(said)}"})
            said.append(bool((await running_house.processor.do(running_house.processor.submission(deed, "mia")))["ok"]))
        return counted

    monkeypatch.setattr(running_house.report_worker, "plays", slow)
    evening.clock.at = LATER
    until(lambda: stage(evening) == "entries closed")
    assert said == [True, True]
    assert evening.told("ivy")["draw"]["weight"] == 4
    kinds = [entry["type"] for entry in evening.people["ivy"].get(f"{PATH}/events").json()["entries"]]
    assert kinds[-5:] == ["scrutineer_named", "scrutineer_named", "play_counted", "entries_taken", "entries_closed"]


def test_play_that_waits_to_be_stored_is_waited_for(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(evening, Earning(10_00))
    throw(evening, "counts", ann="40.00")
    house = evening.house.running_house.house
    newest, asked = house.newest_head, list[str]()

    def ahead(stream: str) -> Any:  # noqa: ANN401
        head = newest(stream)
        if stream != "table/dealt" or len(asked) >= 2:
            return head
        asked.append(stage_now())
        return head._replace(version=head.version + 1)

    def stage_now() -> str:
        return house.promotion(NAME).promotion.stage

    monkeypatch.setattr(house, "newest_head", ahead)
    evening.clock.at = LATER
    until(lambda: stage(evening) == "entries closed")
    assert asked == ["running", "running"]


def test_a_clock_that_ran_ahead_and_is_put_back_holds_nothing_up(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clockwork, "AFTER_A_FAULT", 0.1)
    begin(evening, Earning(10_00))
    report_worker = evening.house.running_house.report_worker
    plays, failed = report_worker.plays, list[datetime]()

    async def failing(by: Counting, tables: Mapping[str, int | None]) -> Played:
        if evening.clock.at != LATER:
            failed.append(evening.clock.at)
            raise StoreError("The store is not there.")
        return await plays(by, tables)

    monkeypatch.setattr(report_worker, "plays", failing)
    evening.clock.at = LATER + timedelta(days=1000)
    until(lambda: bool(failed))
    evening.clock.at = LATER
    until(lambda: stage(evening) == "entries closed")


def test_play_at_a_damaged_table_is_not_left_out_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock, folder = Clock(FILING), tmp_path / "house"
    with ExitStack() as stack:
        throw(begin(opened(folder, clock, stack), Earning(10_00)), "counts", ann="40.00")
    with closing(sqlite3.connect(folder / "house.db")) as store:
        store.execute("DELETE FROM records WHERE stream = 'table/dealt' AND version = 3")
        store.execute("DELETE FROM snapshots")
        store.commit()
    monkeypatch.setattr(clockwork, "AFTER_A_FAULT", 0.1)
    clock.at = LATER
    with ExitStack() as stack, caplog.at_level("ERROR", "croupier.server"):
        evening = opened(folder, clock, stack)
        until(lambda: caplog.text.count("The entries of spring could not be closed") > 1)
        assert stage(evening) == "running"
        for who, path in (("ivy", "/play"), ("ann", "/play/own")):
            reply = evening.people[who].get(f"{PATH}{path}")
            assert (reply.status_code, reply.json()["code"]) == (503, "store_damaged")
        assert evening.nobody.http.get("/health").json()["damaged_promotions"] == 0


# Several processes


def test_two_processes_on_one_store_close_once_and_each_can_draw(tmp_path: Path) -> None:
    try:
        store = fresh_database(f"promotions_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}")
    except NoPostgres as error:
        pytest.skip(str(error))
    clock = Clock(FILING)
    with ExitStack() as stack:
        key = str(tmp_path / "house.key")
        one = opened(tmp_path / "one", clock, stack, store=store, key=key)
        other = opened(tmp_path / "other", clock, stack, store=store, key=key)
        begin(one, Earning(10_00))
        throw(one, "counts", ann="30.00", ben="20.00")
        until(lambda: NAME in other.nobody.get("/promotions").text)
        clock.at = CLOSE + clockwork.UNDER_WAY  # no table has gone on since: each waits for what the other may store
        until(lambda: {stage(one), stage(other)} == {"entries closed"})
        clock.at = AWARD
        other.says("draw_prizes")
        until(lambda: stage(one) == "drawn")
        records = [each.nobody.get(f"{PATH}/record").content for each in (one, other)]
        assert records[0] == records[1]
        assert verify_draw(records[0].splitlines(keepends=True)).finding is None
        winner = one.told("ivy")["awards"][0]["entrant"]
        one.says("make_claim", winner, WHO, award=1, claimant=winner)
        until(lambda: len(other.told("ivy")["claims"]) == 1)
        told = other.people["ivy"].get(f"{PATH}/claims/claim-1").json()
        assert told == {"promotion": NAME, "claim": "claim-1", "sealed": True, **WHO}
        kinds = [entry["type"] for entry in other.people["ivy"].get(f"{PATH}/events").json()["entries"]]
        assert [kinds.count(kind) for kind in ("entries_closed", "play_counted", "prizes_drawn")] == [1, 1, 1]
