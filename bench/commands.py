"""Durable commands of 64 clients through the order processor, against bare inserts of the very same rows.

The bare side has the same tables, indexes and database settings, as many producers that wait for their own inserts, and
a thread that inserts everything waiting. It leaves out the house and its store: nothing is decided, hashed or compared,
and no head is kept.

It is measured twice. The ratio that counts uses producers that are tasks of an event loop, like the order processor's
clients: that is the best that bare inserts reach. Producers that are threads reach less; that ratio is also shown.
"""

from __future__ import annotations

import asyncio
import gc
from abc import ABC, abstractmethod
from collections.abc import Awaitable
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

from bench.settlement import BOOK
from bench.store import PRODUCERS, BareWriter, in_tasks, in_threads, tell, tell_later
from croupier.house import orders
from croupier.house.house import House
from croupier.house.names import table_stream
from croupier.house.orders import Order, Submission
from croupier.house.stored_events import decode
from croupier.server.order_processor import OrderProcessor
from croupier.store.contract import Store
from croupier.store.keys import HouseKey
from croupier.store.records import checksum
from croupier.store.sqlite import SqliteStore
from croupier.store.sqlite.file import open_to_write

TABLES = [str(number) for number in range(8)]
ROUNDS = 15
EACH = 40  # commands per client and turn
CHIPS = 100_000_00
LINES = (
    {"do": "bet", "wager": "field", "amount": "5.00"},
    {"do": "bet", "wager": "win_line", "amount": "10.00"},
    {"do": "take", "wager": "field"},
    {"do": "take", "wager": "win_line"},
)

RecordRow = tuple[str, int, bytes, bytes]
AnswerRow = tuple[str, str, bytes, bytes, bytes]
Rows = tuple[RecordRow, AnswerRow]  # of one command


class Clients:
    """Clients of an order processor, each seated at one of a few tables."""

    def __init__(self, processor: OrderProcessor) -> None:
        self._processor = processor
        self._numbers = count()

    async def do(self, deed: Order, who: str | None = None) -> None:
        """Execute an order that must not be refused."""
        number = f"{next(self._numbers):032x}"
        reply = await self._processor.do(Submission(id=number, order=deed, who=who, key=number))
        assert reply["ok"], reply

    async def sit_down(self) -> None:
        """Set the tables, and seat every player."""
        for table in TABLES:
            await self.do(orders.SetTable(table=table, title="Craps", line={"book": BOOK}))
        for who in range(PRODUCERS):
            await self.do(orders.OpenAccount(person=_name(who), name="A player", cents=CHIPS))
            await self.do(orders.IssueCard(person=_name(who)))
            await self.do(orders.Sit(table=_table(who), cents=CHIPS), _name(who))

    async def play(self, who: int) -> None:
        """Make wagers and take them down again."""
        for turn in range(EACH):
            await self.do(orders.Say(table=_table(who), line=LINES[turn % len(LINES)]), _name(who))


def _name(who: int) -> str:
    return f"player-{who}"


def _table(who: int) -> str:
    return TABLES[who % len(TABLES)]


class Written:
    """What was written to a store's tables since the last look."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen = dict.fromkeys(map(table_stream, TABLES), 0)

    def news(self) -> list[Rows]:
        """Return the rows of each command: its event and its answer, which has the order's key."""
        return [rows for stream in self._seen for rows in self._news_of(stream)]

    def _news_of(self, stream: str) -> list[Rows]:
        records = self._store.read(stream, self._seen[stream])
        self._seen[stream] += len(records)
        return [((stream, one.version, one.document, one.hash), self._answer_to(one.document)) for one in records]

    def _answer_to(self, document: bytes) -> AnswerRow:
        event = decode(document)
        answer = self._store.answer(event.who or "house", event.order or "")
        assert answer is not None, "every command has a key"
        parts = answer.who, answer.key, answer.digest, answer.reply
        return *parts, checksum(*parts)


def _by_client(commands: list[Rows]) -> dict[str, list[Rows]]:
    own: dict[str, list[Rows]] = {_name(who): [] for who in range(PRODUCERS)}
    for rows in commands:
        own[rows[1][0]].append(rows)
    return own


def _once_more(rows: Rows) -> Rows:
    """Return the rows under other names, for database tables that already have these."""
    (stream, version, document, mark), (who, key, digest, reply, sealed) = rows
    return (f"{stream}'", version, document, mark), (who, f"{key}'", digest, reply, sealed)


class BareInserts(ABC):
    """A store's tables without the store."""

    @abstractmethod
    def insert(self, records: list[RecordRow], answers: list[AnswerRow]) -> None:
        """Insert all rows in one durable transaction."""

    @abstractmethod
    def close(self) -> None:
        """Close the database."""

    def run(self, commands: list[Rows]) -> None:
        """Run each client as a thread that has its own commands inserted, one after another."""
        writer = BareWriter(self._insert, tell)
        own = _by_client(commands)

        def client(who: int) -> None:
            for rows in own[_name(who)]:
                future: Future[None] = Future()
                writer.hand_in(rows, future)
                future.result()

        in_threads(client)
        writer.close()

    async def run_on_loop(self, commands: list[Rows]) -> None:
        """Run each client as a task."""
        loop = asyncio.get_running_loop()
        writer = BareWriter(self._insert, lambda tickets: tell_later(loop, tickets))
        own = _by_client(commands)

        async def client(who: int) -> None:
            for rows in own[_name(who)]:
                future: asyncio.Future[None] = loop.create_future()
                writer.hand_in(rows, future)
                await future

        await in_tasks(client)
        writer.close()

    def _insert(self, commands: list[Rows]) -> None:
        self.insert([record for record, _ in commands], [answer for _, answer in commands])


class SqliteInserts(BareInserts):
    """A file, opened as the store opens it."""

    def __init__(self, path: Path) -> None:
        self._connection = open_to_write(path, lambda _: None)

    def insert(self, records: list[RecordRow], answers: list[AnswerRow]) -> None:
        """Insert all rows in one durable transaction."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany(
            "INSERT INTO records (stream, version, document, hash) VALUES (?, ?, ?, ?)", records
        )
        self._connection.executemany(
            "INSERT INTO answers (who, key, digest, reply, seal) VALUES (?, ?, ?, ?, ?)", answers
        )
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


class PostgresInserts(BareInserts):
    """A separate connection to a database whose tables a store has created."""

    def __init__(self, url: str) -> None:
        import psycopg

        self._connection = psycopg.connect(url)

    def insert(self, records: list[RecordRow], answers: list[AnswerRow]) -> None:
        """Insert all rows in one durable transaction."""
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.executemany("INSERT INTO croupier.records VALUES (%s, %s, %s, %s)", records)
            cursor.executemany("INSERT INTO croupier.answers VALUES (%s, %s, %s, %s, %s)", answers)

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


def command_ratio() -> tuple[float, str]:
    """Return durable commands per second on SQLite, as a share of bare inserts."""
    with TemporaryDirectory() as name:
        store, bare = SqliteStore(Path(name, "house.sqlite")), SqliteInserts(Path(name, "bare.sqlite"))
        return asyncio.run(_measured(store, bare))


def postgres_command_ratio() -> tuple[float, str]:
    """Return the same ratio on a PostgreSQL started for it, with fsync on. Raises NoPostgres."""
    import psycopg

    from croupier.store.postgres import PostgresStore
    from tests.postgres import fresh_database, server

    ours, bare = fresh_database("bench_house"), fresh_database("bench_bare")
    with psycopg.connect(server(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = on")
        connection.execute("SELECT pg_reload_conf()")
    sleep(1.0)  # until the whole server has reloaded
    PostgresStore(bare).close()  # creates the tables
    return asyncio.run(_measured(PostgresStore(ours), PostgresInserts(bare)))


async def _measured(store: Store, bare: BareInserts) -> tuple[float, str]:
    """Alternate the sides and take the median of all turns: a disk's speed changes from second to second."""
    processor, written = OrderProcessor(House(), store, key=HouseKey.new()), Written(store)
    clients = Clients(processor)
    await clients.sit_down()
    written.news()
    turns: list[tuple[float, float, float]] = []
    for _ in range(ROUNDS):
        ours = await _seconds(in_tasks(clients.play))
        commands = written.news()
        assert len(commands) == PRODUCERS * EACH, "every command left one event and one answer"
        threads = await _seconds(asyncio.to_thread(bare.run, commands))
        turns.append((ours, threads, await _seconds(bare.run_on_loop([_once_more(rows) for rows in commands]))))
    await processor.close()
    bare.close()
    store.close()
    speeds = [PRODUCERS * EACH / median(turn[side] for turn in turns) for side in range(3)]
    by_threads = median(bare / ours for ours, bare, _ in turns)
    of_tasks, of_threads = f"{speeds[2]:,.0f}", f"{speeds[1]:,.0f} ({by_threads:.2f} of that)"
    detail = f"{speeds[0]:,.0f} a second; bare inserts of tasks {of_tasks}, of threads {of_threads}"
    return median(bare / ours for ours, _, bare in turns), detail


async def _seconds(work: Awaitable[None]) -> float:
    gc.collect()
    start = perf_counter()
    await work
    return perf_counter() - start


if __name__ == "__main__":
    print("{:.2f} of bare inserts on SQLite; {}".format(*command_ratio()))
    print("{:.2f} of bare inserts on PostgreSQL; {}".format(*postgres_command_ratio()))
