"""Snapshots: what is restored from one is what the events lead to; anything else found there is not used."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from threading import Event
from time import sleep
from typing import Any

import msgspec
import pytest

from croupier.contract.replies import OrderReply
from croupier.house import live_streams, orders
from croupier.house.account_state import Account
from croupier.house.events import Limits, Rhythm
from croupier.house.house import House
from croupier.house.live_streams import Head, Intervals, Restored, restored, taken
from croupier.house.orders import Order, Submission
from croupier.house.stored_events import stamp
from croupier.house.table_state import Round, TableState
from croupier.server.order_processor import OrderProcessor
from croupier.store.contract import Reading, Store, StoreBusy, StoreError
from croupier.store.memory import MemoryStore
from croupier.store.opening import open_store
from croupier.store.records import Outcome, Record, Snapshot, Write
from croupier.table.clock import local
from croupier.table.state import State
from tests.casino import Casino
from tests.electronic import own_commitment, own_number
from tests.houses import SHELF
from tests.properties.nights import COURSES
from tests.properties.test_house_money import Floor, NightAtTheHouse
from tests.properties.test_tables import bookable
from tests.tables import BOOKS

Streams = dict[str, list[Record]]

# -- whatever has happened at tables and in accounts -------------------------------------------------------------------


def evening(book: str, number: int) -> Streams:
    """Everything that a book has, done at a table with staff."""
    rnd = Random(f"{book} {number}")
    night = type("SnapshotNight", (NightAtTheHouse,), {"book": book, "reached": Counter()})()
    night.open(manual=number % 2 == 0, late=number % 2 == 0, seats=3 + number % 2, high=[None, 5_000][number % 2])
    night.casino.check = lambda: None  # others look at the money
    for played in rnd.sample(COURSES, len(COURSES)):
        played(night, rnd.getrandbits(32))
    night.by_all_ways(rnd)
    return stored(night.casino.store)


def floor(book: str) -> Streams:
    """Two tables with staff and an automatic one, people who come and go, and everything that an account can
    contain."""
    rnd = Random(book)
    floor = type("SnapshotFloor", (Floor,), {"books": (book, book, book), "moved": Counter()})()
    floor.open()
    casino = floor.casino
    for number in range(6):
        floor.rounds_are_played(rnd.getrandbits(32))
        floor.hand_out_tokens(rnd.choice(["ann", "bob"]), "one", "collected")
        if number == 3:
            floor.gets_up("bob", "one")
    put_numbers_in(floor)
    wait_for_kim(floor)
    if book == "craps-nsw-2024":
        owe_something(casino)
    later = stamp(casino.now + timedelta(days=30))
    for who, deed in (
        ("ann", orders.SetLimits(person="ann", limits=Limits(loss=1_000_00, minutes=90))),
        ("ann", orders.SetLimits(person="ann", limits=Limits(loss=2_000_00))),
        ("cy", orders.Exclude(person="cy", until=later)),
        ("max", orders.Exclude(person="bob")),
        ("max", orders.LetIn(person="bob")),
        ("olga", orders.EndCard(person="bob")),
        ("bob", orders.Sit(table="two", cents=10_00)),
        ("olga", orders.ChangeRoles(person="ida", roles=("inspector", "supervisor"))),
        ("ida", orders.LeavePost(table="two")),
    ):
        casino.do(who, deed)
    if book == "craps-nsw-2024":
        forget_the_return(casino)
    return stored(casino.store)


def put_numbers_in(floor: Floor) -> None:
    """Two rounds of an automatic table, to which two people contribute their own numbers."""
    casino, last = floor.casino, floor.casino.house.table("clock").rounds + 3
    while (table := casino.house.table("clock")).rounds < last:
        for person in (*table.game.seats,):
            wager, pick = Random(0).choice(bookable(floor.at["clock"]))
            said = {"do": "bet", "wager": wager, "pick": pick, "amount": "10.00"}
            number = own_commitment("clock", person, table.rounds)
            casino.ask(person, orders.Say(table="clock", line=said, round=table.rounds, number=number))
            casino.ask(person, orders.SayReady(table="clock", round=table.rounds, ready=person == "ann"))
            shown = own_number(person, table.rounds).hex()
            casino.ask(person, orders.ShowNumber(table="clock", round=table.rounds, number=shown))
        for when, name in casino.house.due():  # in time: a house that is late announces another time, again and again
            casino.now = max(casino.now, when)
            casino.do(None, orders.RunOn(table=name))


def wait_for_kim(floor: Floor) -> None:
    """A player who was given chips again sits at a table that waits for a bet, and goes away."""
    casino, book = floor.casino, floor.at["clock"]
    casino.do(None, orders.OpenAccount(person="kim", name="Kim"))
    casino.do(None, orders.IssueCard(person="kim"))
    casino.do("kim", orders.Refill(person="kim"))
    casino.set_table("patient", book, Rhythm(waits=True))
    casino.do("kim", orders.Sit(table="patient", cents=10_00))
    casino.do(None, orders.RunOn(table="patient"))
    casino.do(None, orders.NotePresence(table="patient", person="kim", here=False))


def owe_something(casino: Casino) -> None:
    """Someone is paid by mistake and leaves with it before the result is corrected."""
    casino.do("cy", orders.Sit(table="one", cents=100_00))
    assert casino.say("cy", "one", "bet", wager="any_seven", amount="50.00")["ok"]
    assert casino.say("dot", "one", "roll", dice=[3, 4])["ok"]
    casino.do("cy", orders.GetUp(table="one"))
    assert casino.say("sue", "one", "correct_result", faces=[1, 1])["ok"]


def forget_the_return(casino: Casino) -> None:
    """Someone answers a duty: the return of a month in which far too much was paid."""
    paid = {"case": "m1", "way": "overpaid", "amount": "1500.00", "wager": "field"}
    assert casino.say("dot", "one", "report_mispayment", **paid)["ok"]
    month = local(casino.now, "Australia/Sydney").strftime("%Y-%m")
    casino.now += timedelta(days=40)
    casino.do("sue", orders.AnswerDuty(table="one", duty=f"month_end {month}", note="It was forgotten."))


def stored(store: Store) -> Streams:
    return {head.stream: store.read(head.stream) for head in store.heads()}


def states(stream: str, records: list[Record], start: Restored | None = None) -> Iterator[Restored]:
    """The state of a stream after each event."""
    house = House(SHELF)
    house.take_in(stream, [], None, start)
    for record in records:
        house.take_in(stream, [record])
        yield Restored(house.state(stream), house.head(stream))


def in_order(value: object) -> object:
    """A value in which dictionaries are equal only if they were filled in the same order."""
    if isinstance(value, msgspec.Struct):
        return [(name, in_order(getattr(value, name))) for name in value.__struct_fields__]
    if isinstance(value, dict):
        return [(in_order(key), in_order(each)) for key, each in value.items()]
    return [type(value), *map(in_order, value)] if isinstance(value, tuple) else value


def there_and_back(stream: str, at: Restored) -> Restored:
    snapshot = taken(stream, *at)
    assert snapshot is not None
    again = restored(snapshot)
    assert again is not None
    return again


def reached(state: object, start: msgspec.Struct) -> set[str]:
    """The fields in which a state differs from its start."""
    return {
        f"{type(start).__name__}.{name}"
        for name in start.__struct_fields__
        if getattr(state, name) != getattr(start, name)
    }


def fields(*kinds: msgspec.Struct) -> set[str]:
    return {f"{type(kind).__name__}.{name}" for kind in kinds for name in kind.__struct_fields__}


ROUND = Round(0, "", None)  # type: ignore[arg-type]


def test_what_is_restored_is_what_the_events_lead_to() -> None:
    """After any event, at every kind of table and account; and it goes on from there in the same way."""
    seen: set[str] = set()
    for book in BOOKS:
        for streams in (floor(book), evening(book, 0), evening(book, 1)):
            rnd = Random(book)
            for stream, records in streams.items():
                seen |= check_all_cuts(stream, records, rnd)
    assert fields(TableState(), State(), Account(), ROUND) - seen == set()


def check_all_cuts(stream: str, records: list[Record], rnd: Random) -> set[str]:
    seen: set[str] = set()
    played = list(states(stream, records))
    for place, at in enumerate(played):
        again = there_and_back(stream, at)
        assert again == at, f"{stream} after event {at.head.version}"
        seen |= reached(at.state, TableState() if isinstance(at.state, TableState) else Account())
        if isinstance(at.state, TableState):
            seen |= reached(at.state.game, State()) | (reached(at.state.round, ROUND) if at.state.round else set())
        if rnd.random() < 0.02 or place == len(played) - 1:
            assert in_order(again.state) == in_order(at.state)
            on = [there_and_back(stream, each) for each in states(stream, records[place + 1 :][:50], again)]
            assert on == played[place + 1 :][:50]
    return seen


# -- what is not used --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played() -> Streams:
    return floor(BOOKS[0])


def snapshot_of(streams: Streams, stream: str) -> Snapshot:
    *_, last = states(stream, streams[stream])
    snapshot = taken(stream, *last)
    assert snapshot is not None
    return snapshot


def changed(snapshot: Snapshot, state: bytes) -> Snapshot:
    return msgspec.structs.replace(snapshot, state=state)


def test_one_that_is_cut_short_or_goes_on_is_not_used(played: Streams) -> None:
    snapshot = snapshot_of(played, "table/clock")
    assert restored(snapshot) is not None
    for size in range(len(snapshot.state)):
        assert restored(changed(snapshot, snapshot.state[:size])) is None, size
    assert restored(changed(snapshot, snapshot.state + b"\x00")) is None


def test_one_of_another_stream_is_not_used(played: Streams) -> None:
    table, account = snapshot_of(played, "table/one"), snapshot_of(played, "account/ann")
    assert restored(msgspec.structs.replace(table, stream="table/two")) is None
    assert restored(msgspec.structs.replace(table, stream="account/ann")) is None
    assert restored(msgspec.structs.replace(account, stream="table/one")) is None
    assert restored(msgspec.structs.replace(account, stream="account/bob")) is None


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Pretends to be an older program: of another format, release, or shape of the stored state."""

    def older(what: str) -> None:
        live_streams._front.cache_clear()
        if what == "format":
            monkeypatch.setattr(live_streams, "FORMAT", 0)
        elif what == "release":
            monkeypatch.setattr(live_streams, "version", lambda package: "0.0.1")
        else:
            shape = msgspec.inspect.type_info
            monkeypatch.setattr(msgspec.inspect, "type_info", lambda kind: (shape(kind), "without tokens"))

    yield older
    monkeypatch.undo()
    live_streams._front.cache_clear()


@pytest.mark.parametrize("what", ["format", "release", "shape"])
def test_one_of_an_older_program_is_not_used(
    played: Streams, older: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    older(what)
    old = snapshot_of(played, "table/one")
    assert restored(old) is not None
    monkeypatch.undo()
    live_streams._front.cache_clear()
    assert restored(old) is None
    assert restored(snapshot_of(played, "table/one")) is not None


def test_another_process_of_the_same_program_writes_the_same_front() -> None:
    """Whatever order its sets have."""
    code = "from croupier.house import live_streams as s; print([s._front(s.TableState), s._front(s.Account)])"
    said = {
        subprocess.check_output([sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, text=True)
        for seed in ("1", "2")
    }
    assert said == {f"{[live_streams._front(TableState), live_streams._front(Account)]}\n"}


def test_the_front_is_made_before_the_house_opens() -> None:
    """It takes milliseconds, during which listeners would hear nothing."""

    async def work() -> None:
        live_streams._front.cache_clear()
        processor = OrderProcessor(House(), MemoryStore())
        await processor.open_tables()
        await processor.close()
        before = live_streams._front.cache_info().misses
        assert taken("account/ann", Account(person="ann"), Head(1, b"")) is not None
        assert taken("table/one", TableState(name="one"), Head(1, b"")) is not None
        assert live_streams._front.cache_info().misses == before

    run(work)


def test_what_is_too_large_is_not_kept(monkeypatch: pytest.MonkeyPatch, played: Streams) -> None:
    *_, last = states("account/ann", played["account/ann"])
    assert taken("account/ann", *last) is not None
    huge = msgspec.structs.replace(last.state, chips=2**70)
    assert taken("account/ann", huge, last.head) is None
    monkeypatch.setattr(live_streams, "MOST_BYTES", 50)
    assert taken("account/ann", *last) is None


def test_intervals() -> None:
    due = Intervals(10)
    assert not due.is_due("a", 9)
    assert due.is_due("a", 10)
    due.found("a", 12)
    assert not due.is_due("a", 21)
    assert due.is_due("a", 22)
    assert due.is_due("b", 10)


# -- at the desk -------------------------------------------------------------------------------------------------------


class DiskFull(StoreError):
    """The error with which the stores below fail on demand."""


class Watched:
    """A store of any kind that notes how many events were read from it, and what was written to it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.read_events = 0
        self.snapshots: list[Snapshot] = []
        self.too_early: list[Snapshot] = []
        self.before: Callable[[Sequence[Write]], None] = lambda writes: None

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._store, name)

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        self.before(writes)
        kept = [snapshot for write in writes for snapshot in write.snapshots]
        self.too_early += [snapshot for snapshot in kept if not self._is_stored(snapshot)]
        outcomes = self._store.commit(writes)
        self.snapshots += kept
        return outcomes

    def _is_stored(self, snapshot: Snapshot) -> bool:
        """Already stored: events of the same transaction are not."""
        events = self._store.read(snapshot.stream, snapshot.version - 1, 1)
        return [event.hash for event in events] == [snapshot.hash]

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> list[Record]:
        return self._counted(self._store.read(stream, after, limit))

    @contextmanager
    def still(self) -> Iterator[Reading]:
        with self._store.still() as view:
            read = view.read
            view.read = lambda *asked: self._counted(read(*asked))  # type: ignore[method-assign]
            yield view

    def _counted(self, records: list[Record]) -> list[Record]:
        self.read_events += len(records)
        return records


class Reception:
    """A desk with one table and one player, who bets and takes the bet down."""

    def __init__(self, store: Watched, snapshot_events: int) -> None:
        self.processor = OrderProcessor(House(SHELF), store, snapshot_events=snapshot_events)  # type: ignore[arg-type]
        self.orders = 0

    async def __call__(self, deed: Order, who: str | None = None, key: str | None = None) -> OrderReply:
        self.orders += 1
        return await self.processor.do(Submission(id=f"order-{self.orders}", order=deed, who=who, key=key))

    async def open(self, cents: int = 500_00, rhythm: Rhythm | None = None) -> None:
        await self(orders.SetTable(table="one", title="One", line={"book": "craps-nsw-2024"}, rhythm=rhythm))
        await self(orders.OpenAccount(person="ann", name="Ann", cents=cents))
        await self(orders.IssueCard(person="ann"))
        assert (await self(orders.Sit(table="one", cents=cents), "ann"))["ok"]

    async def play(self, times: int) -> None:
        for _ in range(times // 20):
            told = await asyncio.gather(*(self(line(do), "ann") for do in ("bet", "take") * 10))
            assert all(each["ok"] for each in told), told


def line(do: str, amount: str = "1.00") -> orders.Say:
    said = {"amount": amount} if do == "bet" else {}
    return orders.Say(table="one", line={"do": do, "wager": "field", **said})


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 60))


def read_again(store: Watched, stream: str) -> tuple[int, object]:
    """How many events are read when a new process loads a stream, and the resulting state."""
    told: list[tuple[int, object]] = []

    async def work() -> None:
        processor = OrderProcessor(House(SHELF), store)  # type: ignore[arg-type]
        before = store.read_events
        await processor.load(stream)
        told.append((store.read_events - before, processor.house.state(stream)))
        await processor.close()

    run(work)
    return told[0]


def replayed(store: Watched, stream: str) -> object:
    *_, last = states(stream, store._store.read(stream))
    return last.state


@pytest.fixture(params=["memory:", "sqlite:"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watched]:
    address = request.param + (str(tmp_path / "house.db") if request.param == "sqlite:" else "")
    opened = open_store(address)
    yield Watched(opened)
    opened.close()


def test_of_thousands_of_events_few_are_read(store: Watched) -> None:
    async def work() -> None:
        ask = Reception(store, snapshot_events=100)
        await ask.open()
        await ask.play(3000)
        for number in range(250):
            await ask(orders.GrantChips(person="ann", cents=number + 1, reason="more"))
        await ask.processor.close()

    run(work)
    for stream, most in (("table/one", 3000), ("account/ann", 250)):
        assert store.head(stream).version > most
        versions = [snapshot.version for snapshot in store.snapshots if snapshot.stream == stream]
        assert versions == sorted(set(versions))
        assert most // 200 <= len(versions) <= most // 100 + 1  # a group may bring some more than a hundred
        read, state = read_again(store, stream)
        assert read == store.head(stream).version - versions[-1] < 200
        assert state == replayed(store, stream)
        assert versions == [snapshot.version for snapshot in store.snapshots if snapshot.stream == stream]


def test_a_stream_that_was_never_kept_is_kept_when_it_is_loaded(store: Watched) -> None:
    async def work() -> None:
        ask = Reception(store, snapshot_events=10_000)
        await ask.open()
        await ask.play(600)
        await ask.processor.close()

    run(work)
    assert store.snapshots == []
    version = store.head("table/one").version
    first, state = read_again(store, "table/one")
    assert first == version
    assert [(each.stream, each.version) for each in store.snapshots] == [("table/one", version)]
    assert read_again(store, "table/one") == (0, state)


@pytest.mark.parametrize("what", ["garbage", "short", "older", "foreign", "another past"])
def test_what_is_not_used_costs_only_the_reading(store: Watched, what: str) -> None:
    async def work() -> None:
        ask = Reception(store, snapshot_events=50)
        await ask.open()
        await ask.play(200)
        await ask.processor.close()

    run(work)
    good = store.snapshot("table/one")
    front = len(live_streams._front(TableState))
    bad = {
        "garbage": changed(good, b"\xff" * 100),
        "short": changed(good, good.state[:-1]),
        "older": changed(good, b"croupier snapshot\n0 " + good.state[20:]),
        "foreign": changed(good, good.state[:front] + msgspec.msgpack.encode(TableState(name="two"))),
        "another past": msgspec.structs.replace(good, hash=bytes(32)),
    }[what]
    store._store.commit([Write(snapshots=(bad,))])
    read, state = read_again(store, "table/one")
    assert read == store.head("table/one").version
    assert state == replayed(store, "table/one")


def test_a_snapshot_that_cannot_be_stored_is_no_fault() -> None:
    """Only writers at the same moment notice it, and another snapshot is made in due time."""
    store = Watched(MemoryStore())
    failed: list[Sequence[Write]] = []

    def full(writes: Sequence[Write]) -> None:
        if len(failed) < 3 and any(write.snapshots for write in writes):
            failed.append(writes)
            raise DiskFull

    async def work() -> None:
        faults: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context))
        store.before = full
        ask = Reception(store, snapshot_events=20)
        await ask.open()
        for number in range(100):
            for do in ("bet", "take"):
                while True:
                    try:
                        assert (await ask(line(do), "ann", f"{do}-{number}"))["ok"]
                        break
                    except DiskFull:
                        continue
        await ask.processor.close()
        assert faults == []

    run(work)
    assert len(failed) == 3
    assert store.snapshots
    read, state = read_again(store, "table/one")
    assert read < 40
    assert state == replayed(store, "table/one")


def test_a_snapshot_that_the_store_has_no_time_for_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Watched(MemoryStore())

    async def work() -> None:
        faults: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context))
        ask = Reception(store, snapshot_events=20)
        hand_in, refused = ask.processor._committer.hand_in, []

        def busy(write: Write, ticket: Any) -> None:  # noqa: ANN401
            if write.snapshots:
                refused.append(write)
                raise StoreBusy("Try again in a moment.")
            hand_in(write, ticket)

        monkeypatch.setattr(ask.processor._committer, "hand_in", busy)
        await ask.open()
        await ask.play(100)
        await ask.processor.close()
        gc.collect()  # a task that no one asked what happened to it tells then
        assert len(refused) > 2
        assert faults == []

    run(work)


def test_nothing_is_kept_of_what_is_not_stored() -> None:
    """A disk that fails again and again, so that much of what was decided is never stored."""
    store, rnd = Watched(MemoryStore()), Random(3)

    def fails(writes: Sequence[Write]) -> None:
        sleep(0.002)  # meanwhile others decide on top of it
        if rnd.random() < 0.3:
            raise DiskFull

    async def client(ask: Reception, number: int) -> None:
        for turn in range(60):
            await asyncio.sleep(0.001 * (number + 1))
            while True:
                try:
                    assert (await ask(line("bet"), "ann", f"{number}-{turn}"))["ok"]
                    break
                except DiskFull:
                    continue

    async def work() -> None:
        ask = Reception(store, snapshot_events=5)
        await ask.open()
        store.before = fails
        await asyncio.gather(*(client(ask, number) for number in range(8)))
        store.before = lambda writes: None
        await ask.processor.close()

    run(work)
    assert len(store.snapshots) > 10
    assert store.too_early == []
    assert read_again(store, "table/one")[1] == replayed(store, "table/one")


def test_a_refusal_for_reasons_that_never_came_to_be_is_thought_over() -> None:
    """All chips are bet; before that is stored another bet is refused. Then the first one turns out not to be
    stored."""
    store = Watched(MemoryStore())
    is_failing, is_refused = Event(), Event()

    def fails(writes: Sequence[Write]) -> None:
        store.before = lambda writes: None
        is_failing.set()
        is_refused.wait(10)
        raise DiskFull

    async def work() -> None:
        ask = Reception(store, snapshot_events=500)
        await ask.open(cents=10_00)
        store.before = fails
        first = asyncio.create_task(ask(line("bet", "10.00"), "ann", "first"))
        await asyncio.to_thread(is_failing.wait, 10)
        second = asyncio.create_task(ask(line("bet", "7.00"), "ann", "second"))
        while ask.processor._committer.measured().waiting == 0:  # it is decided
            await asyncio.sleep(0.001)
        is_refused.set()
        with pytest.raises(DiskFull):
            await first
        assert (await second)["ok"]
        assert ask.processor.house.table("one").game.chips == {"ann": 3_00}
        assert not (await ask(line("bet", "7.00"), "ann", "third"))["ok"]
        assert (await ask(orders.BuyIn(table="no\nname", cents=1_00), "ann"))["code"] == "no_such_table"
        await ask.processor.close()
        assert len(store.refusals()) == 2

    run(work)
