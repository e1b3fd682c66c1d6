"""Group commit: many wait, one writes, and a fault in one batch or one stream does not affect the others."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from croupier.store import (
    Answer,
    Append,
    Committed,
    Conflict,
    CorruptStore,
    Outcome,
    Store,
    StoreBusy,
    StoreError,
    Write,
)
from croupier.store.contract import BATCH_TAKEN, BEFORE_REPLIES, GROUP_BOUNDARIES
from croupier.store.group_commit import GroupCommitter
from croupier.store.memory import MemoryStore
from croupier.store.sqlite import SqliteStore
from croupier.store.verifying import verify
from tests.store.faulty import FaultyFiles
from tests.store.writers import GroupWriter, LoopWriter
from tests.store.writes import append

PRODUCERS = 64
EACH = 12


class SlowStore(MemoryStore):
    """A store that waits until it is released, so that more writes arrive in the meantime."""

    def __init__(self) -> None:
        super().__init__()
        self.may_go = threading.Event()
        self.entered = threading.Event()
        self.sizes: list[int] = []

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        self.sizes.append(len(writes))
        self.entered.set()
        assert self.may_go.wait(20)
        return super().commit(writes)


def test_64_threads_write_durably_in_few_transactions(store: Store) -> None:
    """Each thread writes to a stream of its own, and all take turns to write to a common one."""
    order = threading.Lock()
    common = 0

    def produce(who: int) -> None:
        nonlocal common
        for number in range(EACH):
            with order:  # whoever decides does so one after the other: no one is late
                write = Write(
                    (Append(f"own/{who}", number, (b"x",)), Append("common", common, (b"%d" % who,))),
                    Answer(f"{who}", f"{number}", b"", b""),
                )
                future = writer.submit(write)
                common += 1
            assert isinstance(future.result(30), Committed)

    with closing(GroupWriter(store)) as writer, ThreadPoolExecutor(PRODUCERS) as pool:
        list(pool.map(produce, range(PRODUCERS)))
        done = writer.measured()
    assert (done.writes, done.failed, done.waiting) == (PRODUCERS * EACH, 0, 0)
    assert done.batches < done.writes
    assert done.largest > 1
    assert done.seconds > 0
    assert store.head("common").version == PRODUCERS * EACH
    assert [head.version for head in store.heads("own/")] == [EACH] * PRODUCERS
    assert verify(store).is_good


def test_64_tasks_of_an_event_loop(store: Store) -> None:
    async def produce(writer: LoopWriter, who: int) -> list[Outcome]:
        return [await writer.submit(append(f"own/{who}", number, b"x")) for number in range(EACH)]

    async def run() -> list[list[Outcome]]:
        with closing(LoopWriter(store)) as writer:
            outcomes = await asyncio.gather(*(produce(writer, who) for who in range(PRODUCERS)))
            assert writer.measured().batches <= EACH * 4
            return outcomes

    outcomes = asyncio.run(run())
    assert {type(outcome) for some in outcomes for outcome in some} == {Committed}
    assert [head.version for head in store.heads("own/")] == [EACH] * PRODUCERS


def test_the_loop_is_woken_once_for_each_batch() -> None:
    store = SlowStore()

    async def run() -> int:
        loop = asyncio.get_running_loop()
        woken = 0
        really = loop.call_soon_threadsafe

        def counting(*given: object) -> object:
            nonlocal woken
            woken += 1
            return really(*given)  # type: ignore[arg-type]

        loop.call_soon_threadsafe = counting  # type: ignore[assignment]
        with closing(LoopWriter(store)) as writer:
            futures = [writer.submit(append(f"s/{number}", 0, b"x")) for number in range(100)]
            store.may_go.set()
            await asyncio.gather(*futures)
        loop.call_soon_threadsafe = really  # type: ignore[method-assign]
        return woken

    assert asyncio.run(run()) == len(store.sizes) <= 3


def test_all_that_waits_goes_with_the_next_up_to_a_bound() -> None:
    store = SlowStore()
    with closing(GroupWriter(store, most_at_once=10)) as writer:
        first = writer.submit(append("s/first", 0, b"x"))
        assert store.entered.wait(20)
        futures = [writer.submit(append(f"s/{number}", 0, b"x")) for number in range(25)]
        assert writer.measured().waiting == 25
        store.may_go.set()
        assert all(isinstance(future.result(20), Committed) for future in (first, *futures))
    assert store.sizes == [1, 10, 10, 5]


def test_outcomes_go_to_whom_they_belong() -> None:
    store = SlowStore()
    with closing(GroupWriter(store)) as writer:
        first = append("a", 0, b"1", key="k")
        futures = [writer.submit(write) for write in (first, append("a", 5, b"x"), first, append("a", 1, b"2"))]
        store.may_go.set()
        names = [type(future.result(20)).__name__ for future in futures]
    assert names == ["Committed", "Conflict", "Answered", "Committed"]


def test_too_many_are_told_to_come_again() -> None:
    store = SlowStore()
    with closing(GroupWriter(store, most_waiting=3)) as writer:
        writer.submit(append("first", 0, b"x"))
        assert store.entered.wait(20)
        futures = [writer.submit(append(f"s/{number}", 0, b"x")) for number in range(3)]
        with pytest.raises(StoreBusy, match="has 3 writes waiting: try again in a moment"):
            writer.submit(append("late", 0, b"x"))
        store.may_go.set()
        assert all(isinstance(future.result(20), Committed) for future in futures)
        assert isinstance(writer.submit(append("late", 0, b"x")).result(20), Committed)


def test_closing_writes_what_waits_and_takes_nothing_more() -> None:
    store = SlowStore()
    writer = GroupWriter(store)
    futures = [writer.submit(append(f"s/{number}", 0, b"x")) for number in range(20)]
    store.may_go.set()
    writer.close()
    assert all(isinstance(future.result(0), Committed) for future in futures)
    with pytest.raises(StoreError, match="accepts no more writes"):
        writer.submit(append("late", 0, b"x"))


def test_whoever_stops_waiting_does_not_take_the_write_back() -> None:
    store = SlowStore()

    async def run() -> None:
        with closing(LoopWriter(store)) as writer:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(writer.submit(append("a", 0, b"x")), 0.05)
            store.may_go.set()
            assert isinstance(await writer.submit(append("a", 1, b"y")), Committed)

    asyncio.run(run())
    assert store.head("a").version == 2


def test_all_boundaries_are_passed_in_order() -> None:
    passed: list[str] = []
    with closing(GroupWriter(MemoryStore(passed.append), boundary=passed.append)) as writer:
        writer.submit(append("a", 0, b"x")).result(20)
    assert tuple(passed) == GROUP_BOUNDARIES
    assert (GROUP_BOUNDARIES[0], GROUP_BOUNDARIES[-1]) == (BATCH_TAKEN, BEFORE_REPLIES)


class TestFaults:
    @pytest.fixture
    def files(self) -> FaultyFiles:
        return FaultyFiles()

    @pytest.fixture
    def disk(self, tmp_path: Path, files: FaultyFiles) -> Iterator[SqliteStore]:
        with closing(SqliteStore(tmp_path / "house.sqlite", vfs=files.name)) as store:
            yield store

    def test_a_batch_that_fails_fails_for_all_in_it_and_the_next_is_tried(
        self, disk: SqliteStore, files: FaultyFiles
    ) -> None:
        with closing(GroupWriter(disk)) as writer:
            with files.failing(apsw.FullError):
                futures = [writer.submit(append(f"s/{number}", 0, b"x")) for number in range(10)]
                said = {str(future.exception(20)) for future in futures}
            assert said == {f"{disk.name} wrote nothing: its disk is full."}
            assert disk.heads() == []
            assert isinstance(writer.submit(append("s/1", 0, b"x")).result(20), Committed)
            done = writer.measured()
            assert (done.writes, done.failed) == (11, 10)

    def test_a_damaged_stream_is_no_affair_of_the_others(self, disk: SqliteStore, tmp_path: Path) -> None:
        disk.commit([append("bad", 0, b"1"), append("good", 0, b"1")])
        disk.close()
        with closing(SqliteStore(tmp_path / "house.sqlite")) as store:
            with closing(apsw.Connection(str(store.path))) as tool:
                tool.execute("UPDATE heads SET hash = zeroblob(32) WHERE stream = 'bad'")
            outcomes: list[Outcome | StoreError] = []
            done = threading.Event()

            def told(_: list[None], found: list[Outcome | StoreError]) -> None:
                outcomes.extend(found)
                if len(outcomes) == 4:
                    done.set()

            with closing(GroupCommitter[None](store, told)) as committer:
                for write in (
                    append("good", 1, b"2"),
                    append("bad", 1, b"2"),
                    append("good", 2, b"3"),
                    append("bad", 0),
                ):
                    committer.hand_in(write, None)
                assert done.wait(20)
        assert [type(outcome) for outcome in outcomes] == [Committed, CorruptStore, Committed, CorruptStore]

    def test_a_fault_of_the_program_reaches_whoever_waits_and_ends_nothing(self) -> None:
        class Broken(MemoryStore):
            is_broken = True

            def commit(self, writes: Sequence[Write]) -> list[Outcome]:
                if self.is_broken:
                    raise ZeroDivisionError("oh")
                return super().commit(writes)

        store = Broken()
        with closing(GroupWriter(store)) as writer:
            failed: Future[Outcome] = writer.submit(append("a", 0, b"x"))
            with pytest.raises(StoreError, match="wrote nothing: ZeroDivisionError: oh"):
                failed.result(20)
            store.is_broken = False
            assert writer.submit(append("a", 1, b"x")).result(20) == Conflict("a", 1, 0)
