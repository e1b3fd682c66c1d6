"""The store for more than one machine: PostgreSQL, with any number of houses that write at the same time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from threading import Lock
from uuid import uuid4

import psycopg
from psycopg import errors

from croupier.store.batch import AnswerKey, Batch, Repeated, answers_of, expect_news, streams_of
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
from croupier.store.pool import Pool
from croupier.store.postgres import tables
from croupier.store.postgres.connecting import HELD, PASSING, PATIENCE, Address, Lost, is_lost, patiently, told
from croupier.store.postgres.notices import Listener, payloads
from croupier.store.postgres.tables import NEWEST, bring_up_to_date, found_version
from croupier.store.postgres.view import PostgresView
from croupier.store.records import Outcome, Record, Refusal, Write, seal
from croupier.store.seals import Seals
from croupier.store.view import ReadThrough, T

MOST_READERS = 8  # connections at once; whoever comes later waits for one
MOST_TRIES = 20  # of a transaction that others stood in the way of
LOADED_AT_ONCE = 1000  # rows


class PostgresStore(ReadThrough):
    """A store in a database. Streams are locked row by row, always in the same order, so nobody waits in a circle."""

    def __init__(
        self, url: str, *, read_only: bool = False, boundary: Boundary = nothing, patience: float = PATIENCE
    ) -> None:
        """Open a store, or make it. `patience` is how many seconds a lost server is waited for. Raises StoreError."""
        self._address = Address(url)
        self.name = self._address.name
        self._boundary = boundary
        self._read_only = read_only
        self._patience = patience
        self._lock = Lock()
        self._house = uuid4().hex  # so that a listener knows its own notices
        self._writer: psycopg.Connection | None = None
        self._held: frozenset[str] = frozenset()  # streams that were waited for in vain
        self._known: set[str] = set()  # streams that have a head, and one that fits their events
        self._seals: Seals | None = None
        self._is_answering = True
        self._is_closed = False
        self._readers = Pool(self._address.connect, _drop, MOST_READERS, f"{self.name} is closed.")
        self._prepare()

    def _prepare(self) -> None:
        """See that the tables are there, and that each stream ends where its head says."""
        connection = self._address.connect()
        try:
            with told(self.name, "cannot be opened", connection):
                if self._read_only:
                    if found_version(connection, self.name) == 0:
                        raise StoreError(f"{self.name} cannot be opened: nothing is stored there.")
                elif found_version(connection, self.name) < NEWEST:
                    with connection.transaction():
                        bring_up_to_date(connection, self.name)
            for sentence in PostgresView(connection, self.name).astray():
                raise CorruptStore(sentence)
        finally:
            _drop(connection)

    # -- writing ------------------------------------------------------------------------------------------------------

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Write all of them that can be, in one durable transaction; each sees those before it. Raises StoreError."""
        if self._read_only:
            raise StoreError(f"{self.name} is open for reading only.")
        with self._lock:
            # Whoever has just waited in vain need not wait as long for the next: it is tried once.
            patience = self._patience if self._is_answering else 0.0
            try:
                outcomes = patiently(lambda: self._try(writes), patience)
            except (Lost, InDoubt):
                self._is_answering = False
                raise
            self._is_answering = True
            return outcomes

    def _try(self, writes: Sequence[Write]) -> list[Outcome]:
        """At first every write is taken to be new, as nearly all are, and answers are looked up only if one is not."""
        connection = self._connected()
        keys: list[AnswerKey] = []
        for _ in range(MOST_TRIES):
            try:
                with told(self.name, "took nothing", connection), self._telling_who_is_held(connection, writes):
                    return self._commit(connection, writes, keys)
            except Repeated:
                keys = answers_of(writes)
            except PASSING:
                continue
            except Lost:
                self._disconnect()
                raise
        raise StoreError(f"{self.name} took nothing: other houses stood in the way {MOST_TRIES} times.")

    @contextmanager
    def _telling_who_is_held(self, connection: psycopg.Connection, writes: Sequence[Write]) -> Iterator[None]:
        """Whoever waits in vain for a stream learns which it is; the next need not wait as long for it."""
        try:
            yield
        except errors.LockNotAvailable as error:
            streams = tables.held_heads(connection, streams_of(writes))
            self._held |= streams
            raise Held(f"{self.name} took nothing: {HELD}.", streams) from error
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
        """Open a transaction in which the heads of the streams are ours until the end.

        First those are made that are not there, then all are locked, both by name. So whoever waits holds nothing
        that one further on could wait for. All of it is asked for at once: the way to the server may be long.
        """
        new = [stream for stream in streams if stream not in self._known]
        with connection.pipeline():
            connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
            if not self._held.isdisjoint(streams):
                tables.wait_shortly(connection)
            tables.make_heads(connection, new)
            locked = tables.lock_heads(connection, streams)
            last = tables.last_events(connection, new)
            answered = tables.answers(connection, keys)
        self._boundary(AFTER_BEGIN)
        heads = {row[0]: tables.head(*row) for row in locked.fetchall()}
        for row in last.fetchall():
            event, head = tables.head(*row), heads[row[0]]
            if event != head:
                say = f"{self.name} is damaged: the head of {head.stream} is not that of its last event."
                raise CorruptStore(say, head.stream, head.version)
        found = {} if answered is None else tables.made_answers(answered.fetchall(), self.name)
        return Batch(heads, found, self._seals)

    def _insert(self, connection: psycopg.Connection, batch: Batch) -> str:
        """Write all rows, each kind by name; the number of the transaction."""
        heads = batch.head_rows
        with connection.pipeline():
            tables.insert_records(connection, batch.records)
            tables.move_heads(connection, heads)
        self._boundary(AFTER_INSERT)
        with connection.pipeline():
            answers = tables.insert_answers(connection, sorted(batch.new_answers))
            tables.insert_refusals(connection, batch.refusals)
            tables.set_secrets(connection, batch.secret_rows)
            tables.drop_secrets(connection, batch.dropped_secrets)
            tables.set_snapshots(connection, batch.snapshot_rows)
            number = tables.notify(connection, payloads(self._house, heads))
        if answers is not None and answers.rowcount < len(batch.new_answers):
            raise Repeated
        row = number.fetchone()
        assert row is not None, "a transaction has a number"
        return str(row[0])

    def _finish(self, connection: psycopg.Connection, transaction: str) -> None:
        """Commit. Where the connection is lost in that very moment, the server is asked what became of it."""
        try:
            connection.execute("COMMIT")
        except psycopg.Error as error:
            if not is_lost(connection, error):
                raise
            self._disconnect()
            if not self._is_committed(transaction):
                raise  # it is as if it had been lost before

    def _is_committed(self, transaction: str) -> bool:
        try:
            return patiently(lambda: self._fate(transaction), self._patience)
        except StoreError as error:
            raise InDoubt(
                f"{self.name} was lost while it was committing: what was asked for is there whole or not at all, "
                "and may be asked for again with the same key."
            ) from error

    def _fate(self, transaction: str) -> bool:
        connection = self._connected()
        with told(self.name, "cannot be read", connection):
            fate = tables.fate(connection, transaction)
        if fate == "in progress":
            raise Lost(f"{self.name} is still at work on it.")
        return fate == "committed"

    def load(self, kept: Iterable[Record | Refusal]) -> None:
        """Fill an empty store in one transaction, streams one after the other, hashes as given. Raises StoreError."""
        if self._read_only:
            raise StoreError(f"{self.name} is open for reading only.")
        with self._lock:
            connection = self._connected()
            with told(self.name, "took nothing", connection), connection.transaction():
                if not tables.lock_if_empty(connection):
                    raise StoreError(f"{self.name} is not empty.")
                heads: dict[str, tuple[str, int, bytes]] = {}
                rest = iter(kept)
                while some := list(islice(rest, LOADED_AT_ONCE)):
                    records = [one for one in some if isinstance(one, Record)]
                    tables.copy_records(connection, records)
                    refused = [one for one in some if isinstance(one, Refusal)]
                    tables.load_refusals(
                        connection, [(one.number, one.document, seal(one.document)) for one in refused]
                    )
                    heads.update({one.stream: (one.stream, one.version, one.hash) for one in records})
                tables.insert_heads(connection, list(heads.values()))
            self._known.clear()

    # -- what is private ----------------------------------------------------------------------------------------------

    def use(self, seals: Seals) -> None:
        """Seal what goes into the vault, and snapshots, from now on; and serve nothing of them that is not sealed."""
        self._seals = seals

    def adopt(self) -> None:
        """Seal what is in the vault without a seal, and drop snapshots without one. Raises StoreError."""
        with self._lock:
            assert self._seals is not None, "there is something to seal with"
            connection = self._connected()
            with told(self.name, "took nothing", connection), connection.transaction():
                tables.seal_vault(connection, self._seals)

    def erase(self, name: str) -> None:
        """Take something out of the vault so that no trace of it is left in its table. Raises StoreError."""
        with self._lock:
            connection = self._connected()
            with told(self.name, "took nothing", connection):
                tables.drop_secrets(connection, [name])
                connection.execute("VACUUM (FULL) croupier.vault")

    def settled(self) -> dict[BesideKind, int]:
        """The last numbers of answers and refusals: whoever has a lower one has committed, or never will.

        Numbers are handed out before a transaction ends, and those of several houses end in any order. So all who are
        writing are waited for, and for that moment others wait.
        """
        with (
            self._readers.lend() as connection,
            told(self.name, "cannot be sealed", connection),
            connection.transaction(),
        ):
            return dict(zip(BESIDE, tables.settled(connection), strict=True))

    def room(self) -> Room:
        """What the database takes; how much is free on its server cannot be asked. Raises StoreError."""
        with self._readers.lend() as connection, told(self.name, "cannot be read", connection):
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        assert row is not None, "it has a size"
        return Room(int(row[0]), None)

    # -- reading ------------------------------------------------------------------------------------------------------

    @contextmanager
    def still(self) -> Iterator[Reading]:
        """One unchanging view, while others write."""
        with self._readers.lend() as connection:
            with told(self.name, "cannot be read", connection), connection.pipeline():
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                connection.execute("SELECT 1")  # the first look decides what is seen
            yield PostgresView(connection, self.name, self._seals)
            with told(self.name, "cannot be read", connection):
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
        """Be told what other houses write. Raises StoreError."""
        return Listener(self._address, self._house)

    def close(self) -> None:
        """Let go of all connections."""
        self._is_closed = True
        self._readers.close()
        with self._lock:
            self._disconnect()


def _drop(connection: psycopg.Connection) -> None:
    with suppress(psycopg.Error):
        connection.close()
