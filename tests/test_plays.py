"""Play that becomes entries: what counts, to the cent; what does not; and that a count can be repeated."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from croupier.house import orders
from croupier.house.reporting.bookkeeping import entries
from croupier.house.reporting.tickets import (
    Counting,
    Earned,
    Played,
    Plays,
    counting_of,
    earned,
    stretch_of,
    tables_that_count,
)
from croupier.house.stored_events import FORMAT, Document, Entry, encode, stamp
from croupier.prizes.public_draw import MOST
from croupier.prizes.terms import Earning, Terms, Value
from croupier.prizes.terms import Entry as Ticket
from croupier.server.reports import MOST_COUNTS, ReportWorker
from croupier.store.contract import CorruptStore, Reading, StoreError
from croupier.store.memory import MemoryStore
from croupier.store.records import Append, Committed, Record, Write
from croupier.store.view import PAGE
from croupier.table import events
from tests.casino import Casino
from tests.houses import SHELF, TestHouse
from tests.tables import BOOKS
from tests.test_house_reports import DAY, lay
from tests.test_house_reports import Record as TableRecord

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, _ = BOOKS
INSTANT = timedelta(microseconds=1)
ALWAYS = Counting(stamp(datetime(2000, 1, 1, tzinfo=UTC)), stamp(datetime(2100, 1, 1, tzinfo=UTC)), 10_00)


def counted(found: list[Entry], counting: Counting = ALWAYS) -> dict[str, int]:
    plays = Plays(counting)
    plays.take_in(found)
    return plays.staked


def within(since: datetime, until: datetime, **more: Any) -> Counting:  # noqa: ANN401
    return Counting(stamp(since), stamp(until), 10_00, **more)


# -- what counts -------------------------------------------------------------------------------------------------------


def test_wagers_that_were_won_or_lost_count_and_others_do_not() -> None:
    table = TableRecord(CRAPS, ("ann", "bob", "cat"))
    table.bet("field", 20_00)
    table.bet("dont_win", 7_00, player="bob")
    table.bet("win_line", 9_00, player="cat")
    table.throw(1, 1)  # the field wins on 2, the don't win is void, the win line loses
    assert counted(table.entries) == {"ann": 20_00, "cat": 9_00}
    table.bet("place_to_win", 6_00, 6, player="bob")
    table.throw(2, 2)  # asleep on a come out roll, and undecided
    assert counted(table.entries) == {"ann": 20_00, "cat": 9_00}
    table.throw(3, 3)
    assert counted(table.entries) == {"ann": 20_00, "bob": 6_00, "cat": 9_00}


def test_commission_is_no_stake() -> None:
    table = TableRecord(CRAPS)
    table.bet("win_line", 10_00)
    table.throw(2, 2)
    table.bet("buy", 40_00, 5)
    placed = table.entries[-1].document.event
    assert isinstance(placed, events.WagerPlaced)
    assert placed.commission == 2_00
    table.throw(5, 2)
    assert counted(table.entries) == {"ann": 50_00}


@pytest.mark.parametrize("conditions", ["collected", "returned"])
@pytest.mark.parametrize("dice", [(3, 3), (3, 4)])
def test_promotional_tokens_are_no_stake_and_do_not_help_to_reach_the_minimum(
    conditions: str, dice: tuple[int, int]
) -> None:
    table = TableRecord(SNAKE_EYES, ("ann", "bob"))
    table.happened(events.TokensIssued("ann", 50_00, conditions, "1.1"))
    table.bet("six", 20_00, laid=15_00)
    table.bet("eight", 10_00, laid=10_00)
    table.bet("six", 5_00, player="bob")
    table.throw(*dice)
    table.throw(3, 4)
    assert counted(table.entries) == {"ann": 5_00, "bob": 5_00}
    assert counted(table.entries, within(DAY, DAY + INSTANT, minimum=5_01)) == {}


def test_only_the_wagers_that_are_named_count() -> None:
    table = TableRecord(CRAPS)
    table.bet("field", 20_00)
    table.bet("any_seven", 5_00)
    table.bet("craps_two", 1_00)
    table.throw(1, 1)
    named = within(DAY, DAY + INSTANT, wagers=frozenset(["field", "craps_two"]))
    assert counted(table.entries, named) == {"ann": 21_00}


@pytest.mark.parametrize(("minimum", "staked"), [(9_99, 30_00), (10_00, 30_00), (10_01, 20_00), (20_01, None)])
def test_each_wager_has_to_reach_the_minimum(minimum: int, staked: int | None) -> None:
    table = TableRecord(SIC_BO)
    table.bet("small", 10_00)
    table.bet("big", 20_00)
    table.throw(1, 2, 3)
    found = counted(table.entries, within(DAY, DAY + INSTANT, minimum=minimum))
    assert found == ({} if staked is None else {"ann": staked})


def test_the_time_is_that_of_the_settling_from_the_start_until_before_the_close() -> None:
    table = TableRecord(CRAPS)
    since, until = DAY + timedelta(hours=1), DAY + timedelta(hours=2)
    for at, cents in ((since - INSTANT, 1_00), (since, 2_00), (until - INSTANT, 4_00), (until, 8_00)):
        table.now = DAY
        table.bet("field", cents)
        table.now = at
        table.throw(1, 1)
    assert counted(table.entries, within(since, until)) == {"ann": 6_00}


def test_a_table_whose_clock_is_put_back_loses_no_play() -> None:
    table = TableRecord(CRAPS)
    for hours, cents in ((5, 1_00), (1, 2_00), (5, 4_00), (9, 8_00), (5, 16_00)):
        table.now = DAY + timedelta(hours=hours)
        table.bet("field", cents)
        table.throw(1, 1)
    five = DAY + timedelta(hours=5)
    assert counted(table.entries, within(five, five + INSTANT)) == {"ann": 21_00}


@pytest.mark.parametrize("book", BOOKS)
def test_every_kind_of_wager_counts_and_with_tokens_it_is_the_turnover(book: str) -> None:
    """The report counts separately: stakes of all wagers that won or lost, including tokens."""
    rnd, kinds = Random(f"plays at {book}"), set[str]()
    for _ in range(200):
        table = TableRecord(book, ("ann", "bob", "cat"))
        table.happened(events.TokensIssued("bob", 500_00, "collected", "1.1"))
        for _ in range(10):
            lay(table, rnd, book)
            table.throw(*rnd.choice(SHELF.book(book).outcomes.all))
        settled = [e for e in (one.document.event for one in table.entries) if isinstance(e, events.AreaSettled)]
        decided = [event for event in settled if event.result != "void"]
        tokens = sum(laid for event in decided for _, laid, _ in event.tokens)
        assert sum(counted(table.entries).values()) == table.day().turnover - tokens
        kinds |= {event.wager for event in decided}
        if kinds == {*SHELF.book(book).wagers}:
            return
    raise AssertionError("some kinds of wagers were never decided")


# -- what is taken back ------------------------------------------------------------------------------------------------


def crowd(casino: Casino) -> None:
    casino.open_doors(["ann", "bob"], 100_000)
    casino.set_table("pit", CRAPS)
    for person in ("ann", "bob"):
        casino.do(person, orders.Sit(table="pit", cents=30_000))


def said(casino: Casino, who: str, word: str, **fields: object) -> None:
    reply = casino.say(who, "pit", word, **fields)
    assert reply["ok"], reply


@pytest.mark.clause(CRAPS, "10.6")
def test_an_outcome_that_is_invalidated_decides_nothing_also_for_who_forfeits_the_wager() -> None:
    casino = Casino(DAY)
    crowd(casino)
    for person, amount in (("ann", "10.00"), ("bob", "20.00")):
        said(casino, person, "bet", wager="field", amount=amount)
    said(casino, "dot", "dice_out")
    said(casino, "sue", "void", reason="10.5.2", forfeit=["bob"])
    settled = [
        e for e in (one.document.event for one in casino.streams()["table/pit"]) if isinstance(e, events.AreaSettled)
    ]
    assert [event.result for event in settled] == ["lose", "void"]  # bob's was forfeited, ann's went back
    assert counted(casino.streams()["table/pit"]) == {}
    said(casino, "bob", "bet", wager="field", amount="5.00")
    said(casino, "dot", "roll", dice=[1, 1])
    assert counted(casino.streams()["table/pit"]) == {"bob": 5_00}


def test_a_wrong_payment_that_is_put_right_changes_no_stake() -> None:
    casino = Casino(DAY)
    crowd(casino)
    said(casino, "ann", "bet", wager="field", amount="10.00")
    said(casino, "dot", "roll", dice=[1, 1])
    said(casino, "dot", "report_mispayment", case="m1", way="underpaid", amount="5.00", wager="field", player="ann")
    said(casino, "dot", "reimburse", case="m1")
    kinds = {type(one.document.event) for one in casino.streams()["table/pit"]}
    assert events.PaymentCorrected in kinds
    assert counted(casino.streams()["table/pit"]) == {"ann": 10_00}


# -- entries -----------------------------------------------------------------------------------------------------------


def test_one_entry_for_each_person_weighs_a_ticket_for_so_many_cents() -> None:
    plays = Plays(ALWAYS)
    plays.staked |= {"dan": 10_00, "bob": 9_99, "ann": 39_99, "cat": 10**15}
    assert plays.entries() == (Ticket("ann", "ann", 3), Ticket("cat", "cat", 10**12), Ticket("dan", "dan", 1))


def test_what_play_is_worth_and_what_is_missing_to_the_next_ticket() -> None:
    worth = {cents: (earned(ALWAYS, cents).tickets, earned(ALWAYS, cents).missing) for cents in (0, 9_99, 10_00, 39_99)}
    assert worth == {0: (0, 10_00), 9_99: (0, 1), 10_00: (1, 10_00), 39_99: (3, 1)}
    assert earned(ALWAYS, MOST * 10_00 - 1) == Earned(MOST * 10_00 - 1, MOST - 1, 1)
    assert earned(ALWAYS, MOST * 10_00 + 5) == Earned(MOST * 10_00 + 5, MOST, None)


def test_how_terms_count_play() -> None:
    said: dict[str, Value] = {"starts": "2026-03-01T09:00:00+11:00", "entries_close": "2026-03-08T09:00:00+11:00"}
    assert counting_of(Terms(said)) is None
    assert counting_of(Terms({"starts": said["starts"]}, earning=Earning(500))) is None
    whole = Terms({**said, "minimum_wager": 250}, earning=Earning(500, wagers=("field",)))
    assert counting_of(whole) == Counting(
        "2026-02-28T22:00:00.000000Z", "2026-03-07T22:00:00.000000Z", 500, frozenset(["field"]), 250
    )


def test_the_tables_are_those_named_or_all_of_the_book() -> None:
    house = TestHouse()
    for name, book in (("a", CRAPS), ("b", SIC_BO), ("c", CRAPS)):
        house.dealt_table(book, name)
    tables = house.house.tables()
    assert tables_that_count(SHELF, CRAPS, Terms(earning=Earning(1)), tables) == ["a", "c"]
    assert tables_that_count(SHELF, CRAPS, Terms(earning=Earning(1, tables=("c", "x"))), tables) == ["c"]


# -- over a store ------------------------------------------------------------------------------------------------------


class Watched(MemoryStore):
    """A store that notes which ranges are read, by their first version, and whether they were checked."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[tuple[int, bool]] = []

    @contextmanager
    def still(self) -> Iterator[Reading]:
        with super().still() as view:
            read = view.read

            def noted(stream: str, after: int = 0, limit: int | None = None, *, verified: bool = True) -> list[Record]:
                self.reads.append((after, verified))
                return read(stream, after, limit, verified=verified)

            view.read = noted  # type: ignore[method-assign]
            yield view


def settled(at: datetime, cents: int = 1_00, person: str = "ann", order: str = "o1") -> bytes:
    event = events.AreaSettled("field", None, "start", 0, "lose", "6.2.17", ((person, cents, 0, 0),))
    return encode(Document(FORMAT, stamp(at), event, order=order))


def append(store: MemoryStore, documents: list[bytes], stream: str = "table/pit") -> None:
    write = Write((Append(stream, store.head(stream).version, tuple(documents)),))
    assert isinstance(store.commit([write])[0], Committed)


def plays(report_worker: ReportWorker, counting: Counting, tables: Mapping[str, int | None]) -> Played:
    return asyncio.run(report_worker.plays(counting, tables))


def test_the_same_versions_make_the_same_entries_whatever_came_since() -> None:
    store = MemoryStore()
    append(store, [settled(DAY, 25_00, person) for person in ("ann", "bob", "ann")])
    append(store, [settled(DAY, 7_00, "bob")], "table/other")
    first = plays(ReportWorker(store, SHELF), ALWAYS, {"pit": None, "other": None})
    assert first == Played(
        {"ann": 50_00, "bob": 32_00}, (Ticket("ann", "ann", 5), Ticket("bob", "bob", 3)), {"other": 1, "pit": 3}
    )
    append(store, [settled(DAY, 99_00, "cat")] * 2 * PAGE)
    append(store, [settled(DAY, 99_00, "ann")], "table/other")
    again = ReportWorker(store, SHELF)
    assert plays(again, ALWAYS, dict(first.tables)) == first
    assert plays(again, ALWAYS, {"pit": None}).tables == {"pit": 3 + 2 * PAGE}
    assert plays(again, ALWAYS, dict(first.tables)) == first  # also once it was read further
    assert plays(again, ALWAYS, {"pit": 4}).staked["cat"] == 99_00


def test_pages_in_which_nothing_counts_are_looked_at_once_and_not_read() -> None:
    store = Watched()
    days = [DAY + timedelta(days=page) for page in range(5)]
    for day in days:
        append(store, [settled(day)] * PAGE)
    report_worker, third = ReportWorker(store, SHELF), within(days[2], days[3])
    assert plays(report_worker, third, {"pit": None}).staked == {"ann": PAGE * 1_00}
    assert store.reads == [
        (0, False),
        (PAGE, False),
        (2 * PAGE, False),
        (2 * PAGE, True),
        (3 * PAGE, False),
        (4 * PAGE, False),
    ]
    store.reads.clear()
    append(store, [settled(days[2], 5_00)])
    assert plays(report_worker, third, {"pit": None}).staked == {"ann": PAGE * 1_00 + 5_00}
    assert store.reads == [(2 * PAGE, True), (5 * PAGE, False), (5 * PAGE, True)]


def test_a_page_that_was_not_full_is_looked_at_again() -> None:
    store = MemoryStore()
    append(store, [settled(DAY)])
    report_worker, later = ReportWorker(store, SHELF), within(DAY + INSTANT, DAY + timedelta(days=1))
    assert plays(report_worker, later, {"pit": None}).staked == {}
    append(store, [settled(DAY + INSTANT, 2_00)])
    assert plays(report_worker, later, {"pit": None}).staked == {"ann": 2_00}


def test_a_clock_that_was_put_back_hides_no_page() -> None:
    """A year of play, with one event of it at a wrong time: bisection would never meet it."""
    store = MemoryStore()
    for page in range(4):
        append(store, [settled(DAY + timedelta(days=90 * page))] * (PAGE - 1))
        append(
            store, [settled(DAY - timedelta(days=1), 3_00)] if page == 2 else [settled(DAY + timedelta(days=90 * page))]
        )
    found = plays(ReportWorker(store, SHELF), within(DAY - timedelta(days=2), DAY), {"pit": None})
    assert found.staked == {"ann": 3_00}


def test_a_page_with_a_document_of_another_form_is_read() -> None:
    records = [Record("table/pit", 1, settled(DAY), b""), Record("table/pit", 2, b'{"at":"?"}', b"")]
    elsewhere = within(DAY + timedelta(days=1), DAY + timedelta(days=2))
    assert not stretch_of(records[:1]).touches(elsewhere)
    assert stretch_of(records).touches(elsewhere)
    assert [entry.document.at for entry in entries(records[:1])] == [stamp(DAY)]


def test_a_damaged_document_is_told_of() -> None:
    store = MemoryStore()
    append(store, [settled(DAY), b'{"format":1,"at":"2024-08-19T10:00:00.000000Z","event":{}}'])
    with pytest.raises(CorruptStore, match=r"event 2 of table/pit cannot be read"):
        plays(ReportWorker(store, SHELF), ALWAYS, {"pit": None})


def test_a_table_that_nobody_has_played_at_has_earned_nothing() -> None:
    assert plays(ReportWorker(MemoryStore(), SHELF), ALWAYS, {"pit": None}) == Played({}, (), {"pit": 0})


# -- one's own, so far -------------------------------------------------------------------------------------------------


def staked(
    report_worker: ReportWorker, store: MemoryStore, person: str = "ann", by: Counting = ALWAYS, *more: str
) -> int:
    """What someone staked at the pit and at more tables, as far as it is stored."""
    tables = {table: store.head(f"table/{table}").version for table in ("pit", *more)}
    return asyncio.run(report_worker.staked_by(person, by, tables))


def test_ones_own_play_goes_on_where_it_was_and_every_event_is_read_once() -> None:
    store = Watched()
    append(store, [settled(DAY, 2_00)] * (PAGE + 5))
    report_worker = ReportWorker(store, SHELF)
    assert staked(report_worker, store) == (PAGE + 5) * 2_00
    store.reads.clear()
    assert [staked(report_worker, store, who) for who in ("ann", "bob", "ann")] == [
        (PAGE + 5) * 2_00,
        0,
        (PAGE + 5) * 2_00,
    ]
    assert store.reads == []  # nothing has happened: no one has anything read again
    append(store, [settled(DAY, 3_00, "bob"), settled(DAY, 1_00)])
    assert [staked(report_worker, store, who) for who in ("bob", "ann")] == [3_00, (PAGE + 5) * 2_00 + 1_00]
    assert store.reads == [(PAGE + 5, True), (PAGE + 7, True)]


def test_ones_own_play_is_that_of_the_tables_that_count_now() -> None:
    store = MemoryStore()
    append(store, [settled(DAY, 2_00)])
    report_worker = ReportWorker(store, SHELF)
    assert staked(report_worker, store, "ann", ALWAYS, "other") == 2_00
    append(store, [settled(DAY, 5_00)], "table/other")
    append(store, [settled(DAY, 7_00)], "table/third")
    assert staked(report_worker, store, "ann", ALWAYS, "other", "third") == 14_00
    assert staked(report_worker, store) == 2_00
    later = within(DAY + INSTANT, DAY + timedelta(days=1))
    assert staked(report_worker, store, "ann", later, "other") == 0


def test_ones_own_play_comes_to_what_is_counted_at_the_close_however_often_it_is_asked_for() -> None:
    """This also holds if an outcome is invalidated, or a clock is set back."""
    rnd, store = Random("so far"), MemoryStore()
    by, report_worker = within(DAY, DAY + timedelta(hours=1), minimum=5_00), ReportWorker(store, SHELF)
    for number in range(200):
        at = DAY + timedelta(minutes=rnd.randint(-30, 90))
        happened = [settled(at, rnd.randint(1, 20) * 1_00, rnd.choice(["ann", "bob"]), f"o{number}")]
        if rnd.random() < 0.2:
            invalidated = events.OutcomeInvalidated("craps", "6.2")
            happened.insert(0, encode(Document(FORMAT, stamp(at), invalidated, order=f"o{number}")))
        append(store, happened, rnd.choice(["table/pit", "table/other"]))
        if rnd.random() < 0.3:
            whole = plays(ReportWorker(store, SHELF), by, {"pit": None, "other": None}).staked
            assert {who: staked(report_worker, store, who, by, "other") for who in whole} == whole
    assert len(whole) == 2


def test_what_could_not_be_read_to_its_end_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    append(store, [settled(DAY, 2_00)])
    report_worker = ReportWorker(store, SHELF)
    assert staked(report_worker, store) == 2_00
    append(store, [settled(DAY, 3_00), settled(DAY, 5_00)])
    enter = Plays._enter

    def fails(self: Plays, event: events.AreaSettled, of_result: bool) -> None:
        if event.stakes[0][1] == 5_00:
            raise StoreError("The store is not there.")
        enter(self, event, of_result)

    with monkeypatch.context() as broken:
        broken.setattr(Plays, "_enter", fails)
        with pytest.raises(StoreError):
            staked(report_worker, store)
    assert staked(report_worker, store) == 10_00


def test_counts_that_nobody_asks_for_any_more_are_let_go() -> None:
    store = Watched()
    append(store, [settled(DAY, 2_00)])
    report_worker = ReportWorker(store, SHELF)
    others = [within(DAY, DAY + timedelta(days=day)) for day in range(1, MOST_COUNTS + 1)]
    for by in (ALWAYS, *others[:-1], ALWAYS, others[-1]):
        assert staked(report_worker, store, by=by) == 2_00
    store.reads.clear()
    assert staked(report_worker, store) == 2_00
    assert store.reads == []  # the first of the others had to go
    assert staked(report_worker, store, by=others[0]) == 2_00
    assert store.reads != []
