"""The store for several machines: PostgreSQL, with any number of houses writing at the same time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from threading import Lock
from typing import ClassVar
from uuid import uuid4

import psycopg
from psycopg import errors

from croupier.store.contract import (
    AFTER_BEGIN,
    AFTER_COMMIT,
    AFTER_HEADS,
    AFTER_INSERT,
    BEFORE_BEGIN,
    BEFORE_COMMIT,
    BESIDE,
    BesideKind,
    Boundary,
    CorruptStore,
    Held,
    InDoubt,
    Reading,
    Room,
    StoreError,
    nothing,
)
from croupier.store.group_commit import AnswerKey, Batch, Repeated, answers_of, expect_news, streams_of
from croupier.store.pool import Pool
from croupier.store.postgres import statements
from croupier.store.postgres.connecting import (
    HELD,
    PASSING,
    PATIENCE,
    Address,
    Listener,
    Lost,
    as_store_error,
    is_lost,
    patiently,
    payloads,
)
from croupier.store.postgres.statements import NEWEST, bring_up_to_date, for_rows, found_version
from croupier.store.records import Outcome, Record, StoredRefusal, Write, checksum
from croupier.store.seals import Proof
from croupier.store.view import PAGE, ReadThrough, Row, SqlView, T

MOST_READERS = 8  # open connections; further callers wait
MOST_TRIES = 20  # for a transaction that others block
LOADED_AT_ONCE = 1000  # rows


class PostgresView(SqlView):
    """Rows from a connection with an open transaction."""

    schema = "croupier."
    numbers: ClassVar[dict[BesideKind, str]] = {"answers": "number", "refusals": "number"}
    has_snapshots = "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'croupier' AND tablename = 'snapshots'"

    def __init__(self, connection: psycopg.Connection, name: str, seals: Proof | None = None) -> None:
        super().__init__(name, seals)
        self._connection = connection

    def _all(self, sql: str, *values: str | int) -> Sequence[Row]:
        with as_store_error(self.name, "cannot be read", self._connection):
            return self._connection.execute(_query(sql), values, binary=True).fetchall()

    def _each(self, sql: str, *values: str | int) -> Iterator[Row]:
        """Yield rows page by page; needs a consistent view."""
        with (
            as_store_error(self.name, "cannot be read", self._connection),
            self._connection.cursor(f"croupier_{uuid4().hex}", binary=True) as cursor,
        ):
            cursor.itersize = PAGE
            yield from cursor.execute(_query(sql), values)


def _query(sql: str) -> bytes:
    return sql.replace("?", "%s").encode()


class PostgresStore(ReadThrough):
    """A store in a database. Streams are locked row by row, always in the same order, so writers cannot deadlock."""

    def __init__(
        self, url: str, *, read_only: bool = False, boundary: Boundary = nothing, patience: float = PATIENCE
    ) -> None:
        """Open or create a store. `patience` is how many seconds to wait for a lost server. Raises StoreError."""
        self._address = Address(url)
        self.name = self._address.name
        self._boundary = boundary
        self._read_only = read_only
        self._patience = patience
        self._lock = Lock()
        self._house = uuid4().hex  # lets a listener recognize its own notices
        self._writer: psycopg.Connection | None = None
        self._held: frozenset[str] = frozenset()  # streams whose locks timed out
        self._known: set[str] = set()  # streams with a head that matches their last event
        self._is_answering = True
        self._is_closed = False
        self._readers = Pool(self._address.connect, _drop, MOST_READERS, f"{self.name} is closed.")
        self._prepare()

    def _prepare(self) -> None:
        """Ensure that the tables exist and that each stream ends at its head."""
        connection = self._address.connect()
        try:
            with as_store_error(self.name, "cannot be opened", connection):
                if self._read_only:
                    if found_version(connection, self.name) == 0:
                        raise StoreError(f"{self.name} cannot be opened: nothing is stored there.")
                elif found_version(connection, self.name) < NEWEST:
                    with connection.transaction():
                        bring_up_to_date(connection, self.name)
            for sentence in PostgresView(connection, self.name).unmatched_heads():
                raise CorruptStore(sentence)
        finally:
            _drop(connection)

    # -- writing ------------------------------------------------------------------------------------------------------

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Commit the writes that can be, in one durable transaction; each sees those before it. Raises StoreError."""
        if self._read_only:
            raise StoreError(f"{self.name} is open for reading only.")
        with self._lock:
            # If the last call gave up waiting, try just once this time.
            patience = self._patience if self._is_answering else 0.0
            try:
                outcomes = patiently(lambda: self._try(writes), patience)
            except (Lost, InDoubt):
                self._is_answering = False
                raise
            self._is_answering = True
            return outcomes

    def _try(self, writes: Sequence[Write]) -> list[Outcome]:
        """Treat every write as new, as nearly all are; look up answers only if one turns out not to be."""
        connection = self._connected()
        keys: list[AnswerKey] = []
        for _ in range(MOST_TRIES):
            try:
                with (
                    as_store_error(self.name, "wrote nothing", connection),
                    self._telling_who_is_held(connection, writes),
                ):
                    return self._commit(connection, writes, keys)
            except Repeated:
                keys = answers_of(writes)
            except PASSING:
                continue
            except Lost:
                self._disconnect()
                raise
        raise StoreError(
            f"{self.name} wrote nothing: other houses wrote to the same streams {MOST_TRIES} times in a row."
        )

    @contextmanager
    def _telling_who_is_held(self, connection: psycopg.Connection, writes: Sequence[Write]) -> Iterator[None]:
        """When a lock times out, report the streams that are held; later calls wait less for those."""
        try:
            yield
        except errors.LockNotAvailable as error:
            streams = statements.held_heads(connection, streams_of(writes))
            self._held |= streams
            raise Held(f"{self.name} wrote nothing: {HELD}.", streams) from error
        self._held -= streams_of(writes)

    def _connected(self) -> psycopg.Connection:
        if self._is_closed:
            raise StoreError(f"{self.name} is closed.")
        if self._writer is None or self._writer.closed:
            self._writer = self._address.connect_to_write()
        return self._writer

    def _disconnect(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            _drop(writer)

    def _commit(self, connection: psycopg.Connection, writes: Sequence[Write], keys: list[AnswerKey]) -> list[Outcome]:
        self._boundary(BEFORE_BEGIN)
        try:
            streams = sorted(streams_of(writes))
            batch = self._begin(connection, streams, keys)
            outcomes = batch.decide(writes)
            if not keys:
                expect_news(writes, outcomes)
            self._boundary(AFTER_HEADS)
            transaction = self._insert(connection, batch)
            self._boundary(BEFORE_COMMIT)
        except BaseException:
            with suppress(psycopg.Error):
                connection.execute("ROLLBACK")
            raise
        self._finish(connection, transaction)
        self._known.update(streams)
        self._boundary(AFTER_COMMIT)
        return outcomes

    def _begin(self, connection: psycopg.Connection, streams: list[str], keys: list[AnswerKey]) -> Batch:
        """Open a transaction that holds the heads of the streams until it ends.

        Missing heads are created first, then all are locked, both in order of name, so that writers cannot wait for
        each other in a circle. Everything is sent in one round trip, since the server may be far away.
        """
        new = [stream for stream in streams if stream not in self._known]
        with connection.pipeline():
            connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
            if not self._held.isdisjoint(streams):
                statements.wait_shortly(connection)
            statements.make_heads(connection, new)
            locked = statements.lock_heads(connection, streams)
            last = statements.last_events(connection, new)
            answered = statements.answers(connection, keys)
        self._boundary(AFTER_BEGIN)
        heads = {row[0]: statements.head(*row) for row in locked.fetchall()}
        for row in last.fetchall():
            event, head = statements.head(*row), heads[row[0]]
            if event != head:
                say = f"{self.name} is damaged: the head of {head.stream} does not match its last event."
                raise CorruptStore(say, head.stream, head.version)
        found = {} if answered is None else statements.made_answers(answered.fetchall(), self.name)
        return Batch(heads, found, self._seals)

    def _insert(self, connection: psycopg.Connection, batch: Batch) -> str:
        """Write all rows, each kind in key order, and return the transaction's number."""
        heads = batch.head_rows
        with connection.pipeline():
            for_rows(connection, statements.INSERT_RECORDS, batch.records)
            for_rows(connection, statements.MOVE_HEADS, heads)
        self._boundary(AFTER_INSERT)
        with connection.pipeline():
            answers = for_rows(connection, statements.INSERT_ANSWERS, sorted(batch.new_answers))
            for_rows(connection, statements.INSERT_REFUSALS, batch.refusals)
            for_rows(connection, statements.SET_SECRETS, batch.secret_rows)
            statements.drop_secrets(connection, batch.dropped_secrets)
            for_rows(connection, statements.SET_SNAPSHOTS, batch.snapshot_rows)
            number = statements.notify(connection, payloads(self._house, heads))
        if answers is not None and answers.rowcount < len(batch.new_answers):
            raise Repeated
        row = number.fetchone()
        assert row is not None, "a transaction has a number"
        return str(row[0])

    def _finish(self, connection: psycopg.Connection, transaction: str) -> None:
        """Commit. If the connection is lost during the commit, ask the server for the outcome."""
        try:
            connection.execute("COMMIT")
        except psycopg.Error as error:
            if not is_lost(connection, error):
                raise
            self._disconnect()
            if not self._is_committed(transaction):
                raise  # the same as losing the connection before the commit

    def _is_committed(self, transaction: str) -> bool:
        try:
            return patiently(lambda: self._fate(transaction), self._patience)
        except StoreError as error:
            raise InDoubt(
                f"{self.name} lost its connection during a commit: either everything was written or nothing. "
                "Send the order again with the same key."
            ) from error

    def _fate(self, transaction: str) -> bool:
        connection = self._connected()
        with as_store_error(self.name, "cannot be read", connection):
            fate = statements.fate(connection, transaction)
        if fate == "in progress":
            raise Lost(f"{self.name} is still committing.")
        return fate == "committed"

    def load(self, kept: Iterable[Record | StoredRefusal]) -> None:
        """Fill an empty store in one transaction, stream by stream, keeping the hashes given. Raises StoreError."""
        if self._read_only:
            raise StoreError(f"{self.name} is open for reading only.")
        with self._lock:
            connection = self._connected()
            with as_store_error(self.name, "wrote nothing", connection), connection.transaction():
                if not statements.lock_if_empty(connection):
                    raise StoreError(f"{self.name} is not empty.")
                heads: dict[str, tuple[str, int, bytes]] = {}
                rest = iter(kept)
                while some := list(islice(rest, LOADED_AT_ONCE)):
                    records = [one for one in some if isinstance(one, Record)]
                    statements.copy_records(connection, records)
                    refused = [one for one in some if isinstance(one, StoredRefusal)]
                    statements.load_refusals(
                        connection, [(one.number, one.document, checksum(one.document)) for one in refused]
                    )
                    heads.update({one.stream: (one.stream, one.version, one.hash) for one in records})
                for_rows(connection, statements.INSERT_HEADS, list(heads.values()))
            self._known.clear()

    # -- seals and private data ---------------------------------------------------------------------------------------

    def adopt(self) -> None:
        """Seal unsealed vault entries and drop unsealed snapshots. Raises StoreError."""
        with self._lock:
            assert self._seals is not None, "there is something to seal with"
            connection = self._connected()
            with as_store_error(self.name, "wrote nothing", connection), connection.transaction():
                statements.seal_vault(connection, self._seals)

    def erase(self, name: str) -> None:
        """Remove a vault entry and leave no trace of it in its table. Raises StoreError."""
        with self._lock:
            connection = self._connected()
            with as_store_error(self.name, "wrote nothing", connection):
                statements.drop_secrets(connection, [name])
                connection.execute("VACUUM (FULL) croupier.vault")

    def settled(self) -> dict[BesideKind, int]:
        """Return the last numbers of answers and refusals: transactions with lower ones have committed or never will.

        Numbers are assigned before a transaction ends, and transactions of several houses end in any order. So this
        waits for all writers to finish, and new ones wait for that moment.
        """
        with (
            self._readers.lend() as connection,
            as_store_error(self.name, "cannot be sealed", connection),
            connection.transaction(),
        ):
            return dict(zip(BESIDE, statements.settled(connection), strict=True))

    def room(self) -> Room:
        """Return the size of the database; the free space of its server is unknown. Raises StoreError."""
        with self._readers.lend() as connection, as_store_error(self.name, "cannot be read", connection):
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        assert row is not None, "it has a size"
        return Room(int(row[0]), None)

    # -- reading ------------------------------------------------------------------------------------------------------

    @contextmanager
    def still(self) -> Iterator[Reading]:
        """Open a consistent view while others write."""
        with self._readers.lend() as connection:
            with as_store_error(self.name, "cannot be read", connection), connection.pipeline():
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                connection.execute("SELECT 1")  # the first query fixes the snapshot
            yield PostgresView(connection, self.name, self._seals)
            with as_store_error(self.name, "cannot be read", connection):
                connection.execute("COMMIT")

    def _ask(self, question: Callable[[Reading], T], at_once: bool = False) -> T:
        return patiently(lambda: self._asked(question, at_once), self._patience if self._is_answering else 0.0)

    def _asked(self, question: Callable[[Reading], T], at_once: bool) -> T:
        try:
            if at_once:
                with self._readers.lend() as connection:
                    return question(PostgresView(connection, self.name, self._seals))
            with self.still() as view:
                return question(view)
        except Lost:
            self._readers.forget()  # they all led to the same server
            raise

    def listen(self) -> Listener:
        """Listen for notices of other houses' commits. Raises StoreError."""
        return Listener(self._address, self._house)

    def close(self) -> None:
        """Close all connections."""
        self._is_closed = True
        self._readers.close()
        with self._lock:
            self._disconnect()


def _drop(connection: psycopg.Connection) -> None:
    with suppress(psycopg.Error):
        connection.close()
