"""Durable writes of 64 producers through group commit, against bare group-committed inserts of the same bytes.

The bare side has the same producers, waiting in the same way, and a thread that inserts what it receives: no versions
are expected, nothing is chained or deduplicated, no head is kept. The rate of inserts without waiting producers is also
shown.
"""

from __future__ import annotations

import asyncio
import gc
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Condition, Lock, Thread
from time import perf_counter
from typing import Generic, TypeVar

import apsw

from croupier.store.records import Answer, Append, Write
from croupier.store.sqlite import SqliteStore
from tests.store.writers import GroupWriter, LoopWriter

PRODUCERS = 64
EACH = 40  # writes per producer and turn
ROUNDS = 15
TABLES = [f"table/{number}" for number in range(5)]
DOCUMENT = (
    b'{"format":1,"at":"2026-11-15T14:00:00.000000Z","who":"ann","as":"player","order":"0193f7a2-6c1e-7d55-a3b0",'
    b'"event":{"type":"wager_placed","player":"ann","wager":"win_line","pick":null,"amount":1000,"state":0,"terms":0}}'
)
REPLY = b'{"ok":true,"table":"craps-1","version":1234,"events":[{"type":"wager_placed","amount":"10.00"}]}'
DIGEST = bytes(32)
_BARE = (
    "CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT NOT NULL, version INTEGER NOT NULL, "
    "document BLOB NOT NULL, who TEXT NOT NULL, key TEXT NOT NULL, digest BLOB NOT NULL, reply BLOB NOT NULL, "
    "UNIQUE (stream, version)) STRICT"
)
_INSERT = "INSERT INTO events (stream, version, document, who, key, digest, reply) VALUES (?, ?, ?, ?, ?, ?, ?)"

Values = tuple[str, int, bytes, str, str, bytes, bytes]
V = TypeVar("V")


def store_ratios() -> Iterator[tuple[str, float, str]]:
    """Yield what is measured, the writes per second as a share of bare inserts, and the rates.

    The sides alternate and the median of all turns counts: a disk's speed changes from second to second, so the best
    turns of two sides may not be comparable.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        kinds = (_Alone, _BareThreads, _Threads, _BareLoop, _Loop)
        sides: list[_Side] = [kind(folder) for kind in kinds]
        try:
            turns = [[_seconds(side) for side in sides] for _ in range(ROUNDS)]
        finally:
            for side in sides:
                side.close()
    most = PRODUCERS * EACH / median(turn[0] for turn in turns)
    for what, bare, ours in (("threads", 1, 2), ("tasks of an event loop", 3, 4)):
        ratio = median(turn[bare] / turn[ours] for turn in turns)
        speeds = [PRODUCERS * EACH / median(turn[side] for turn in turns) for side in (ours, bare)]
        detail = f"{speeds[0]:,.0f} a second; bare inserts {speeds[1]:,.0f}, and {most:,.0f} when no writer waits"
        yield f"durable writes of {PRODUCERS} {what}", ratio, detail


def _seconds(side: _Side) -> float:
    gc.collect()
    start = perf_counter()
    side.run()
    return perf_counter() - start


class _Side(ABC):
    """A writer with the next free version of every table."""

    def __init__(self) -> None:
        self.numbers = count()
        self._versions = dict.fromkeys(TABLES, 0)

    def values(self, who: int) -> Values:
        """Return the next write of a producer."""
        table = TABLES[who % len(TABLES)]
        version = self._versions[table]
        self._versions[table] = version + 1
        return table, version, DOCUMENT, "ann", f"{next(self.numbers):032x}", DIGEST, REPLY

    @abstractmethod
    def run(self) -> None:
        """Execute all writes of all producers."""

    @abstractmethod
    def close(self) -> None:
        """Close the file."""


class _Bare(_Side):
    """A file with one table."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._connection = apsw.Connection(str(file))
        self._connection.pragma("journal_mode", "WAL")
        self._connection.pragma("synchronous", "FULL")
        self._connection.execute(_BARE)

    def insert(self, rows: list[Values]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany(_INSERT, rows)
        self._connection.execute("COMMIT")

    def close(self) -> None:
        self._connection.close()


class _Alone(_Bare):
    """Inserts without producers, in transactions of the same size."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "alone.sqlite")

    def run(self) -> None:
        for _ in range(EACH):
            self.insert([self.values(who) for who in range(PRODUCERS)])


class BareWriter(Generic[V]):
    """A thread that inserts everything waiting and reports it."""

    def __init__(self, insert: Callable[[list[V]], None], told: Callable[[list[object]], None]) -> None:
        self._insert = insert
        self._told = told
        self._waiting: list[tuple[V, object]] = []
        self._changed = Condition()
        self._is_open = True
        self._thread = Thread(target=self._run)
        self._thread.start()

    def hand_in(self, values: V, ticket: object) -> None:
        """Queue a value for the next transaction."""
        with self._changed:
            self._waiting.append((values, ticket))
            self._changed.notify()

    def close(self) -> None:
        """Insert what is waiting, and stop."""
        with self._changed:
            self._is_open = False
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and self._is_open:
                    self._changed.wait()
                taken, self._waiting = self._waiting, []
            if not taken:
                return
            self._insert([values for values, _ in taken])
            self._told([ticket for _, ticket in taken])


def in_threads(produce: Callable[[int], None]) -> None:
    """Run all producers at once, each as a thread."""
    with ThreadPoolExecutor(PRODUCERS) as pool:
        list(pool.map(produce, range(PRODUCERS)))


async def in_tasks(produce: Callable[[int], Awaitable[None]]) -> None:
    """Run all producers at once, each as a task of the loop."""
    await asyncio.gather(*(produce(who) for who in range(PRODUCERS)))


class _BareThreads(_Bare):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "bare-threads.sqlite")
        self._order = Lock()

    def run(self) -> None:
        writer = BareWriter(self.insert, tell)
        in_threads(lambda who: self._produce(writer, who))
        writer.close()

    def _produce(self, writer: BareWriter[Values], who: int) -> None:
        for _ in range(EACH):
            future: Future[None] = Future()
            with self._order:
                writer.hand_in(self.values(who), future)
            future.result()


class _BareLoop(_Bare):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "bare-loop.sqlite")

    def run(self) -> None:
        asyncio.run(self._run())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        writer = BareWriter(self.insert, lambda tickets: tell_later(loop, tickets))
        await in_tasks(lambda who: self._produce(writer, loop, who))
        writer.close()

    async def _produce(self, writer: BareWriter[Values], loop: asyncio.AbstractEventLoop, who: int) -> None:
        for _ in range(EACH):
            future: asyncio.Future[None] = loop.create_future()
            writer.hand_in(self.values(who), future)
            await future


def tell_later(loop: asyncio.AbstractEventLoop, tickets: list[object]) -> None:
    """Have the loop notify everyone waiting."""
    loop.call_soon_threadsafe(tell, tickets)


def tell(tickets: list[object]) -> None:
    """Notify everyone waiting."""
    for future in tickets:
        assert isinstance(future, Future | asyncio.Future)
        future.set_result(None)


class _Ours(_Side):
    """The store; each write has an event for a table and an answer."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._store = SqliteStore(file)

    def write(self, who: int) -> Write:
        table, version, document, by, key, digest, reply = self.values(who)
        return Write((Append(table, version, (document,)),), Answer(by, key, digest, reply))

    def close(self) -> None:
        self._store.close()


class _Threads(_Ours):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "threads.sqlite")
        self._order = Lock()

    def run(self) -> None:
        writer = GroupWriter(self._store)
        in_threads(lambda who: self._produce(writer, who))
        writer.close()

    def _produce(self, writer: GroupWriter, who: int) -> None:
        for _ in range(EACH):
            with self._order:
                future = writer.submit(self.write(who))
            future.result()


class _Loop(_Ours):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "loop.sqlite")

    def run(self) -> None:
        asyncio.run(self._run())

    async def _run(self) -> None:
        writer = LoopWriter(self._store)
        await in_tasks(lambda who: self._produce(writer, who))
        writer.close()

    async def _produce(self, writer: LoopWriter, who: int) -> None:
        for _ in range(EACH):
            await writer.submit(self.write(who))


if __name__ == "__main__":
    for what, ratio, detail in store_ratios():
        print(f"{what}: {ratio:.2f} of bare inserts; {detail}")
