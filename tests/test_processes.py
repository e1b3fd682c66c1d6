"""Several processes on one PostgreSQL: each of them serves any table, and all of them show the same."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from queue import Empty, Queue
from random import Random
from time import monotonic
from typing import Any, TypeVar

import psycopg
import pytest

from croupier.contract.replies import OrderReply
from croupier.house import orders
from croupier.house.electronic.public_record import public_record
from croupier.house.electronic.verification import verify_dice
from croupier.house.events import DiceDrawn, Rhythm, TableSet
from croupier.house.house import House
from croupier.house.orders import Order, Submission
from croupier.house.reporting.bookkeeping import audit, entries
from croupier.house.stored_events import Document, Entry, decode, encode, stamp
from croupier.server.change_listener import ChangeListener
from croupier.server.clocks import Clockwork
from croupier.server.order_processor import OrderProcessor
from croupier.store.contract import CorruptStore, Reading, StoreError
from croupier.store.memory import MemoryStore
from croupier.store.postgres import Notice, PostgresStore
from croupier.store.records import Append, Committed, Head, Record, Write
from tests.houses import NOON, SHELF, TestHouse
from tests.postgres import NoPostgres, fresh_database
from tests.store.cutting import Cable
from tests.waiting import PATIENCE, turns_until, until

CRAPS = "craps-nsw-2024"
QUICK = Rhythm(open=1.0, last_call=0.2, shut=0.05, show=0.05)
UNHEARD = "No notifications from other processes"

T = TypeVar("T")


class Process:
    """A process of the house as a thread with its own loop, store and memory."""

    numbers = count(1)

    def __init__(self, url: str, *, clock: bool = False, listens: bool = True) -> None:
        self.heard: defaultdict[str, list[int]] = defaultdict(list)
        self.faults: list[dict[str, Any]] = []
        self._store = PostgresStore(url, patience=1.0)
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda loop, context: self.faults.append(context))
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.processor, self._clockwork, self._change_listener = self.run(self._open(clock, listens))

    async def _open(self, clock: bool, listens: bool) -> tuple[OrderProcessor, Clockwork, ChangeListener]:
        processor = OrderProcessor(House(SHELF, self._published), self._store, snapshot_events=20)
        notices, clockwork = ChangeListener(processor), Clockwork(processor)
        if listens:
            notices.start()
        assert await processor.open_tables() == {}
        if clock:
            clockwork.start()
        return processor, clockwork, notices

    def listen(self) -> None:
        self._loop.call_soon_threadsafe(self._change_listener.start)

    def _published(self, stream: str, told: list[Entry]) -> None:
        self.heard[stream] += [entry.version for entry in told]

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something in its loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def order(self, deed: Order, who: str | None = None, key: str | None = None) -> Submission:
        return Submission(id=f"order-{next(self.numbers)}", order=deed, who=who, key=key)

    def do(self, deed: Order, who: str | None = None) -> OrderReply:
        return self.run(self.processor.do(self.order(deed, who)))

    def ok(self, deed: Order, who: str | None = None) -> None:
        told = self.do(deed, who)
        assert told["ok"], told

    def ask(self, question: Callable[[House], T]) -> T:
        """Read something from its memory."""

        async def look() -> T:
            return question(self.processor.house)

        return self.run(look())

    def version(self, stream: str) -> int:
        return self.ask(lambda house: house.head(stream).version if house.has(stream) else 0)

    def close(self) -> None:
        async def end() -> None:
            await self._clockwork.stop()
            await self._change_listener.stop()
            await self.processor.close()

        try:
            self.run(end())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._store.close()
        assert self.faults == []


@pytest.fixture
def database() -> str:
    try:
        return fresh_database(f"processes_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}")
    except NoPostgres as error:
        pytest.skip(str(error))


@contextmanager
def two(url: str, other: str | None = None, **how: bool) -> Iterator[tuple[Process, Process]]:
    with ExitStack() as stack:
        made = [stack.enter_context(closing(Process(each, **how))) for each in (url, other or url)]
        yield made[0], made[1]


@pytest.fixture
def stored(database: str) -> Callable[[], dict[str, list[Record]]]:
    """Everything stored."""

    def read() -> dict[str, list[Record]]:
        with closing(PostgresStore(database)) as store:
            return {head.stream: store.read(head.stream) for head in store.heads()}

    return read


Stored = Callable[[], dict[str, list[Record]]]


def open_house(process: Process, people: int, rhythm: Rhythm | None = None, tables: tuple[str, ...] = ("one",)) -> None:
    for table in tables:
        process.ok(orders.SetTable(table=table, title=table.title(), line={"book": CRAPS}, rhythm=rhythm))
    for number in range(people):
        process.ok(orders.OpenAccount(person=f"p{number}", name="P", cents=10_000_00))
        process.ok(orders.IssueCard(person=f"p{number}"))


def line(do: str, table: str = "one", **said: object) -> orders.Say:
    return orders.Say(table=table, line={"do": do, "wager": "field", **said})


def balances(records: dict[str, list[Record]]) -> list[str]:
    return [str(found) for found in audit({stream: entries(each) for stream, each in records.items()})]


def is_gapless(versions: list[int]) -> bool:
    return versions == list(range(versions[0], versions[0] + len(versions))) if versions else True


# -- orders to both ----------------------------------------------------------------------------------------------------


def test_orders_given_to_both_at_once_are_there_once(database: str, stored: Stored) -> None:
    """Players switch from one to the other, and send half of their orders to both with the same key."""
    answers: dict[str, list[OrderReply]] = defaultdict(list)

    async def ask(process: Process, order: Submission) -> None:
        answers[order.id].append(await process.processor.do(order))

    def player(number: int, processes: tuple[Process, Process]) -> None:
        rnd, who = Random(number), f"p{number}"
        processes[number % 2].ok(orders.Sit(table="one", cents=500_00), who)
        for turn in range(25):
            deed = line("bet", amount="1.00") if rnd.random() < 0.8 else line("take")
            chosen = rnd.choice(processes)
            order = chosen.order(deed, who, f"key-{turn}")
            asked = processes if rnd.random() < 0.5 else (chosen,)
            futures = [asyncio.run_coroutine_threadsafe(ask(each, order), each._loop) for each in asked]
            for future in futures:
                future.result(PATIENCE)

    with two(database) as processes:
        open_house(processes[0], 6)
        players = [threading.Thread(target=player, args=(number, processes)) for number in range(6)]
        for thread in players:
            thread.start()
        for thread in players:
            thread.join()
        records = stored()
        last = len(records["table/one"])
        until(lambda: all(process.version("table/one") == last for process in processes))
        one, other = (process.ask(lambda house: house.table("one")) for process in processes)
        assert one == other
        for process in processes:
            assert process.heard["table/one"][-1] == last
            assert all(map(is_gapless, process.heard.values())), process.heard
    written = defaultdict(set)
    for record in records["table/one"]:
        written[decode(record.document).order].add(record.version)
    assert len(answers) == 6 * 25
    for order, told in answers.items():
        assert all(each == told[0] for each in told), f"{order} was answered in two ways"
        assert len(written[order]) == (1 if told[0]["ok"] else 0), told[0]
    assert sum(len(told) == 2 for told in answers.values()) > 30
    assert balances(records) == []


def test_what_one_has_acknowledged_the_other_does_not_deny(database: str, stored: Stored) -> None:
    """Even if it has not heard of the event yet, and has the old state of the table and the account in memory."""
    with two(database, listens=False) as (one, other):
        open_house(one, 1)
        assert not other.do(line("bet", amount="1.00"), "p0")["ok"]
        assert other.version("table/one") > 0
        for _ in range(5):
            one.ok(orders.Sit(table="one", cents=100_00), "p0")
            other.ok(line("bet", amount="1.00"), "p0")
            one.ok(line("take"), "p0")
            other.ok(orders.GetUp(table="one"), "p0")
        one.ok(orders.Sit(table="one", cents=100_00), "p0")
        other.ok(line("bet", amount="1.00"), "p0")
        one.ok(orders.Exclude(person="p0"), "p0")
        assert other.do(line("bet", amount="1.00"), "p0")["code"] == "excluded"
        assert balances(stored()) == []


def test_own_events_that_are_read_before_they_are_settled() -> None:
    """The first of two is read back because someone asked: the next decision must not forget the second."""
    house = TestHouse()
    house.dealt_table(CRAPS, "one")
    house.person("ann")
    house.ok(orders.Sit(table="one", cents=100_00), "ann")
    pending = [house.decide(house.order(line("bet", amount="1.00"), "ann")) for _ in range(2)]
    outcomes = house.store.commit([each.write for each in pending])
    first = house.house.head("table/one").version + 1
    house.house.take_in("table/one", house.store.read("table/one", first - 1, 1))
    assert [house.house.settle(*each) is not None for each in zip(pending, outcomes, strict=True)] == [True, True]
    assert house.house.head("table/one").version == first + 1
    house.load("table/one")
    assert house.house.newest_head("table/one") == house.house.head("table/one")
    assert [entry.version for stream, entry in house.published if stream == "table/one"][-2:] == [first, first + 1]


# -- clocks ------------------------------------------------------------------------------------------------------------


def test_both_run_the_clocks_of_all_tables(database: str, stored: Stored) -> None:
    tables = ("one", "two", "three")
    with two(database, clock=True) as processes:
        open_house(processes[0], 3, QUICK, tables)
        for number, table in enumerate(tables):
            processes[number % 2].ok(orders.Sit(table=table, cents=500_00), f"p{number}")

        def rounds(process: Process) -> int:
            return process.ask(lambda house: min(house.table(table).rounds for table in tables))

        until(lambda: all(rounds(process) >= 1 for process in processes))
        rnd = Random(1)
        end = monotonic() + PATIENCE
        while min(map(rounds, processes)) < 4:
            assert monotonic() < end
            number = rnd.randrange(3)
            rnd.choice(processes).do(line("bet", tables[number], amount="1.00"), f"p{number}")
    for process in processes:
        assert all(map(is_gapless, process.heard.values())), process.heard
    records = stored()
    assert balances(records) == []
    rules = SHELF.book(CRAPS).rules.throw
    for table in tables:
        stream = f"table/{table}"
        assert verify_dice(public_record(stream, rules, records[stream])).findings == ()
        drawn = [e.document.event.number for e in entries(records[stream]) if isinstance(e.document.event, DiceDrawn)]
        assert drawn == list(range(1, len(drawn) + 1))
        assert len(drawn) >= 3


def test_no_secrets_of_rounds_that_others_drew_are_kept(database: str) -> None:
    with closing(Process(database)) as idle, closing(Process(database, clock=True)) as busy:
        open_house(busy, 1, QUICK)
        busy.ok(orders.Sit(table="one", cents=500_00), "p0")
        until(lambda: idle.ask(lambda house: house.has("table/one") and house.table("one").rounds >= 3))
        assert len(idle.ask(lambda house: house._secrets)) <= 1


# -- hearing of each other ---------------------------------------------------------------------------------------------


def test_one_hears_what_the_other_did(database: str) -> None:
    """Without being asked: listeners at its tables and of its accounts hear the same."""
    with two(database) as (one, other):
        open_house(one, 2)
        until(lambda: other.version("table/one") == one.version("table/one"))
        other.run(other.processor.load("account/p0"))
        one.ok(orders.Sit(table="one", cents=100_00), "p0")
        for _ in range(30):
            one.ok(line("bet", amount="1.00"), "p0")
        for stream in ("table/one", "account/p0"):
            until(lambda stream=stream: other.version(stream) == one.version(stream))  # type: ignore[misc]
            assert is_gapless(other.heard[stream])
            assert other.heard[stream][-1] == one.version(stream)
        one.ok(orders.GrantChips(person="p1", cents=1_00, reason="more"))
        one.ok(line("bet", amount="1.00"), "p0")
        until(lambda: other.version("table/one") == one.version("table/one"))
        assert not other.ask(lambda house: house.has("account/p1"))  # no one here has asked for it


def test_what_was_written_before_it_listens_is_heard_too(database: str) -> None:
    """Tables are loaded at one moment, and listening begins at another."""
    with closing(Process(database)) as one, closing(Process(database, listens=False)) as other:
        open_house(one, 1)
        other.run(other.processor.load("account/p0"))
        one.ok(orders.Sit(table="one", cents=100_00), "p0")
        assert not other.ask(lambda house: house.has("table/one"))
        other.listen()
        for stream in ("table/one", "account/p0"):
            until(lambda stream=stream: other.version(stream) == one.version(stream))  # type: ignore[misc]
        assert other.heard["account/p0"] == [one.version("account/p0")]


def test_a_table_that_another_one_has_set_up_runs_here_too(database: str) -> None:
    with closing(Process(database)) as one, closing(Process(database, clock=True)) as other:
        open_house(one, 1, QUICK)
        one.ok(orders.Sit(table="one", cents=100_00), "p0")
        until(lambda: one.ask(lambda house: house.table("one").rounds >= 2))  # its own clock stands still
        assert other.heard["table/one"]


def test_whatever_was_missed_is_found_when_the_connection_is_back(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(Cable(database)) as cable, two(database, cable.url) as (one, other):
        open_house(one, 1)
        until(lambda: other.version("table/one") == one.version("table/one"))
        cable.cut()
        one.ok(orders.Sit(table="one", cents=100_00), "p0")
        one.ok(line("bet", amount="1.00"), "p0")
        one.ok(orders.SetTable(table="new", title="New", line={"book": CRAPS}))
        until(lambda: UNHEARD in caplog.text)
        assert other.version("table/one") < one.version("table/one")
        cable.mend()
        for table in ("table/one", "table/new"):
            until(lambda table=table: other.version(table) == one.version(table))  # type: ignore[misc]
        one.ok(line("bet", amount="1.00"), "p0")
        until(lambda: other.version("table/one") == one.version("table/one"))
        assert is_gapless(other.heard["table/one"])


def test_it_stops_while_the_connection_is_lost(database: str, caplog: pytest.LogCaptureFixture) -> None:
    with closing(Cable(database)) as cable:
        process = Process(cable.url)
        open_house(process, 1)
        cable.cut()
        until(lambda: UNHEARD in caplog.text)
        process.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "croupier-notices"]


def test_a_notice_that_nobody_understands_makes_it_compare(database: str) -> None:
    with closing(PostgresStore(database)) as store, closing(Process(database)) as process:
        open_house(process, 1)
        records = store.read("table/one")
        process.ask(lambda house: house.forget("table/one"))
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("NOTIFY croupier, 'what?'")
        until(lambda: process.version("table/one") == len(records))


class AnnouncingStore(MemoryStore):
    """A store that reports the changes of others that the test gives it, and fails as often as the test says."""

    def __init__(self) -> None:
        super().__init__()
        self.said: Queue[Notice] = Queue()
        self.faults: dict[str, list[StoreError]] = {"listen": [], "still": [], "heads": []}

    def _fails(self, what: str) -> None:
        if self.faults[what]:
            raise self.faults[what].pop()

    def listen(self) -> AnnouncingStore:
        self._fails("listen")
        return self

    def wait(self, seconds: float) -> list[Notice]:
        try:
            return [self.said.get(timeout=0.01)]
        except Empty:
            return []

    @contextmanager
    def still(self) -> Iterator[Reading]:
        self._fails("still")
        with super().still() as view:
            yield view

    def heads(self, prefix: str = "") -> list[Head]:
        self._fails("heads")
        return super().heads(prefix)

    def set_up(self, table: str) -> None:
        """Another process sets up a table."""
        document = encode(Document(1, stamp(NOON), TableSet(table, table.title())))
        assert isinstance(self.commit([Write((Append(f"table/{table}", 0, (document,)),))])[0], Committed)


LOST = StoreError("The server does not answer.")


@pytest.mark.parametrize(
    ("faults", "notice"),
    [
        ({}, Notice({"table/one": 1})),
        ({}, Notice(None)),
        ({"still": [LOST, LOST]}, Notice({"table/one": 1})),
        ({"heads": [LOST, LOST]}, Notice(None)),
        ({"still": [CorruptStore("It is damaged.")]}, Notice({"table/one": 1, "table/two": 1})),
    ],
    ids=["told", "missed", "reading fails", "comparing fails", "damaged"],
)
def test_what_fails_is_tried_again(
    faults: dict[str, list[StoreError]], notice: Notice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.server.change_listener.AFTER_A_FAULT", 0.01)

    async def work() -> None:
        store = AnnouncingStore()
        store.faults["listen"] = [LOST, LOST]
        processor = OrderProcessor(House(SHELF), store)
        notices = ChangeListener(processor)
        notices.start()
        store.set_up("zero")
        await turns_until(lambda: processor.house.has("table/zero"))
        store.set_up("one")
        store.set_up("two")
        store.faults |= {name: list(each) for name, each in faults.items()}
        store.said.put(notice)
        damaged = {"table/one"} if "damaged" in str(faults) else set()
        awaited = {"table/two"} if damaged else {"table/one"}
        await turns_until(lambda: all(map(processor.house.has, awaited)) and not any(store.faults.values()))
        assert set(processor.damaged) == damaged
        await notices.stop()
        await processor.close()

    asyncio.run(asyncio.wait_for(work(), PATIENCE))


def test_heads_that_cannot_be_compared_are_told_of(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is reported once, and changes of single streams are still noticed."""
    monkeypatch.setattr("croupier.server.change_listener.AFTER_A_FAULT", 0.01)

    async def work() -> None:
        store = AnnouncingStore()
        store.faults["heads"] = [CorruptStore("The head of table/x cannot be read.") for _ in range(10)]
        processor = OrderProcessor(House(SHELF), store)
        notices = ChangeListener(processor)
        notices.start()
        store.set_up("one")
        store.said.put(Notice({"table/one": 1}))
        await turns_until(lambda: processor.house.has("table/one") and notices._comparing is None)
        assert len(store.faults["heads"]) == 9, "they are compared once"
        await notices.stop()
        await processor.close()

    asyncio.run(asyncio.wait_for(work(), PATIENCE))
    assert [record.getMessage() for record in caplog.records] == [
        "Writes of other processes cannot be read. The head of table/x cannot be read."
    ]


class Slow(AnnouncingStore):
    """A store that hands out what it has read only on demand."""

    def __init__(self) -> None:
        super().__init__()
        self.has_read, self.go_on = threading.Event(), threading.Event()

    @contextmanager
    def still(self) -> Iterator[Reading]:
        with super().still() as view:
            yield view
        self.has_read.set()
        self.go_on.wait(PATIENCE)


def test_news_of_a_stream_that_is_being_read() -> None:
    """Someone who joins a reading that began before the news does not have the news yet."""

    async def work() -> None:
        store = Slow()
        processor = OrderProcessor(House(SHELF), store)
        early = asyncio.create_task(processor.load("table/one"))
        await asyncio.to_thread(store.has_read.wait, PATIENCE)
        store.set_up("one")
        late = asyncio.create_task(processor.catch_up("table/one", 1))
        await asyncio.sleep(0)
        store.go_on.set()
        await asyncio.gather(early, late)
        assert processor.house.table("one").title == "One"
        await processor.close()

    asyncio.run(work())


def test_with_other_stores_there_is_nothing_to_hear() -> None:
    async def work() -> None:
        processor = OrderProcessor(House(SHELF), MemoryStore())
        notices = ChangeListener(processor)
        notices.start()
        assert not [thread for thread in threading.enumerate() if thread.name == "croupier-notices"]
        await notices.stop()
        await processor.close()

    asyncio.run(work())
