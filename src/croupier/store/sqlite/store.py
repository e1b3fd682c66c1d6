"""The embedded store: one SQLite file, one writing process, any number of readers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from shutil import disk_usage
from threading import Lock
from typing import ClassVar

import apsw

from croupier.store.contract import (
    AFTER_BEGIN,
    AFTER_COMMIT,
    AFTER_HEADS,
    AFTER_INSERT,
    BEFORE_BEGIN,
    BEFORE_COMMIT,
    BesideKind,
    Boundary,
    CorruptStore,
    Reading,
    Room,
    StoreError,
    nothing,
)
from croupier.store.drafts import draft_of, put_in_place
from croupier.store.group_commit import AnswerKey, Batch, Repeated, answers_of, expect_news, streams_of
from croupier.store.pool import Pool
from croupier.store.records import Answer, Head, Outcome, Record, StoredRefusal, Write, anchor, checksum
from croupier.store.seals import DIGEST_BYTES, Proof
from croupier.store.sqlite.file import FileLock, connect_to_read, expect_no_log, named, open_to_write, way_to_read
from croupier.store.view import ReadThrough, Row, SqlView, T

# A file up to this size is checked whole when opened: that takes less than a second, and the house starts with a file
# known to be sound. In a larger one only the end of each stream is checked. Either way every event is checked against
# its chain when read, so damage is found before it is served; `verify` checks everything.
CHECKED_WHOLE = 64 * 2**20

MOST_READERS = 8  # open connections; further callers wait
MOST_HEADS = 200_000  # heads cached in memory, some hundred bytes each
LOADED_AT_ONCE = 1000  # rows
COPIED_AT_ONCE = 1000  # pages

_RECORD = "INSERT INTO records (stream, version, document, hash) VALUES (?, ?, ?, ?)"
_HEAD = (
    "INSERT INTO heads (stream, version, hash) VALUES (?, ?, ?) "
    "ON CONFLICT DO UPDATE SET version = excluded.version, hash = excluded.hash"
)
_ANSWER = "INSERT INTO answers (who, key, digest, reply, seal) VALUES (?, ?, ?, ?, ?)"
_REFUSAL = "INSERT INTO refusals (document, seal) VALUES (?, ?)"
_OLD_REFUSAL = "INSERT INTO refusals (number, document, seal) VALUES (?, ?, ?)"
_SECRET = (
    "INSERT INTO vault (name, value, seal) VALUES (?, ?, ?) "
    "ON CONFLICT DO UPDATE SET value = excluded.value, seal = excluded.seal"
)
_NO_SECRET = "DELETE FROM vault WHERE name = ?"
_SNAPSHOT = "INSERT OR REPLACE INTO snapshots (stream, version, hash, state, seal) VALUES (?, ?, ?, ?, ?)"


class SqliteView(SqlView):
    """Rows from a connection with an open read transaction."""

    numbers: ClassVar[dict[BesideKind, str]] = {"answers": "position", "refusals": "number"}
    has_snapshots = "SELECT 1 FROM sqlite_schema WHERE name = 'snapshots'"

    def __init__(self, connection: apsw.Connection, name: str, seals: Proof | None = None) -> None:
        super().__init__(name, seals)
        self._connection = connection

    def _all(self, sql: str, *values: str | int) -> Sequence[Row]:
        with as_store_error(self.name, "cannot be read"):
            return self._connection.execute(sql, values).fetchall()

    def _each(self, sql: str, *values: str | int) -> Iterator[Row]:
        with as_store_error(self.name, "cannot be read"):
            yield from self._connection.execute(sql, values)

    def _structure(self) -> Iterator[str]:
        for (said,) in self._all("PRAGMA integrity_check(10)"):
            if said != "ok":
                yield f"{self.name} is damaged: {str(said).splitlines()[-1]}."


class SqliteStore(ReadThrough):
    """A store in a file. A writer has it exclusively; readers may be other processes."""

    def __init__(
        self, path: Path | str, *, read_only: bool = False, boundary: Boundary = nothing, vfs: str | None = None
    ) -> None:
        """Open or create a store. `vfs` is the file system for SQLite to use. Raises StoreError."""
        self.path = Path(path)
        self.name = named(self.path)
        self._boundary = boundary
        self._lock = Lock()
        self._heads: dict[str, Head] = {}
        self._file_lock: FileLock | None = None
        self._writer: apsw.Connection | None = None
        if read_only:
            with as_store_error(self.name, "cannot be opened"):
                connect = way_to_read(self.path, vfs)
        else:
            self._open_to_write(vfs)
            connect = partial(connect_to_read, self.path, vfs)
        self._connect = connect
        self._readers = Pool(self._reader, apsw.Connection.close, MOST_READERS, f"{self.name} is closed.")

    def _open_to_write(self, vfs: str | None) -> None:
        with as_store_error(self.name, "cannot be opened"):
            if not self.path.parent.is_dir():
                raise StoreError(f"{self.name} cannot be opened: there is no folder {self.path.parent}.")
            # Through a link, a second house would use a different lock file, and SQLite a different log.
            if self.path.is_symlink():
                self.path = self.path.resolve()
            if self.path.is_file() and self.path.stat().st_nlink > 1:
                raise StoreError(f"{self.name} cannot be opened: the file has other names as well (hard links).")
            lock = FileLock(self.path, self.name)
        try:
            with as_store_error(self.name, "cannot be opened"):
                self._writer = open_to_write(self.path, self._check, vfs)
        except BaseException:
            lock.release()
            raise
        self._file_lock = lock

    def _check(self, connection: apsw.Connection) -> None:
        """Check a small file whole, and the end of every stream in a large one. Raises CorruptStore."""
        view = SqliteView(connection, self.name)
        more = view.damage() if self.path.stat().st_size <= CHECKED_WHOLE else ()
        for sentence in chain(view.unmatched_heads(), more):
            raise CorruptStore(sentence)

    def _reader(self) -> apsw.Connection:
        with as_store_error(self.name, "cannot be read"):
            return self._connect()

    # -- writing ------------------------------------------------------------------------------------------------------

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Commit the writes that can be, in one durable transaction; each sees those before it. Raises StoreError."""
        with self._lock, as_store_error(self.name, "wrote nothing"):
            connection = self._writing
            try:
                return self._commit(connection, writes, None)
            except Repeated:
                return self._commit(connection, writes, self._answers(connection, writes))

    def _commit(
        self, connection: apsw.Connection, writes: Sequence[Write], answers: dict[AnswerKey, Answer] | None
    ) -> list[Outcome]:
        """Commit the writes. Without `answers`, treat each as new, as nearly all are; raise Repeated if in doubt."""
        self._boundary(BEFORE_BEGIN)
        with self._transaction(connection):
            self._boundary(AFTER_BEGIN)
            batch = Batch(
                {stream: self._head(connection, stream) for stream in streams_of(writes)}, answers or {}, self._seals
            )
            outcomes = batch.decide(writes)
            if answers is None:
                expect_news(writes, outcomes)
            self._boundary(AFTER_HEADS)
            self._insert(connection, batch)
            self._boundary(BEFORE_COMMIT)
        if len(self._heads) > MOST_HEADS:
            self._heads.clear()
        self._heads.update(batch.changed)
        self._boundary(AFTER_COMMIT)
        return outcomes

    @property
    def _writing(self) -> apsw.Connection:
        if self._file_lock is None:
            raise StoreError(f"{self.name} is open for reading only.")
        if self._writer is None:
            raise StoreError(f"{self.name} is closed.")
        return self._writer

    @contextmanager
    def _transaction(self, connection: apsw.Connection) -> Iterator[None]:
        if connection.in_transaction:  # an earlier rollback failed
            connection.execute("ROLLBACK")
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            self._heads.clear()
            with suppress(apsw.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            raise

    def _head(self, connection: apsw.Connection, stream: str) -> Head:
        """Return the head of a stream: cached, since no one else writes, and checked against the events at first."""
        head = self._heads.get(stream)
        if head is None:
            head = SqliteView(connection, self.name).head(stream)
            sql = "SELECT version, hash FROM records WHERE stream = ? ORDER BY version DESC LIMIT 1"
            last = connection.execute(sql, (stream,)).fetchone() or (0, anchor(stream))
            if last != (head.version, head.hash):
                say = f"{self.name} is damaged: the head of {stream} does not match its last event."
                raise CorruptStore(say, stream, head.version)
            self._heads[stream] = head
        return head

    def _answers(self, connection: apsw.Connection, writes: Sequence[Write]) -> dict[AnswerKey, Answer]:
        view = SqliteView(connection, self.name)
        found = ((key, view.answer(*key)) for key in answers_of(writes))
        return {key: answer for key, answer in found if answer is not None}

    def _insert(self, connection: apsw.Connection, batch: Batch) -> None:
        _insert(connection, _RECORD, batch.records)
        _insert(connection, _HEAD, batch.head_rows)
        self._boundary(AFTER_INSERT)
        try:
            _insert(connection, _ANSWER, batch.new_answers)
        except apsw.ConstraintError:
            raise Repeated from None
        _insert(connection, _REFUSAL, batch.refusals)
        _insert(connection, _SECRET, batch.secret_rows)
        _insert(connection, _NO_SECRET, [(name,) for name in batch.dropped_secrets])
        _insert(connection, _SNAPSHOT, batch.snapshot_rows)

    def load(self, kept: Iterable[Record | StoredRefusal]) -> None:
        """Fill an empty store in one transaction, stream by stream, keeping the hashes given. Raises StoreError."""
        with self._lock, as_store_error(self.name, "wrote nothing"), self._transaction(self._writing):
            connection = self._writing
            sql = "SELECT 1 FROM (SELECT position FROM records UNION ALL SELECT number FROM refusals) LIMIT 1"
            if connection.execute(sql).fetchone() is not None:
                raise StoreError(f"{self.name} is not empty.")
            heads: dict[str, tuple[str, int, bytes]] = {}
            rest = iter(kept)
            while some := list(islice(rest, LOADED_AT_ONCE)):
                records = [(one.stream, one.version, one.document, one.hash) for one in some if isinstance(one, Record)]
                refusals = [
                    (one.number, one.document, checksum(one.document)) for one in some if isinstance(one, StoredRefusal)
                ]
                connection.executemany(_RECORD, records)
                connection.executemany(_OLD_REFUSAL, refusals)
                heads.update({stream: (stream, version, mark) for stream, version, _, mark in records})
            connection.executemany(_HEAD, heads.values())
        self._heads.clear()

    # -- seals and private data ---------------------------------------------------------------------------------------

    def adopt(self) -> None:
        """Seal unsealed vault entries and drop unsealed snapshots. Raises StoreError."""
        with self._lock, as_store_error(self.name, "wrote nothing"), self._transaction(self._writing):
            assert self._seals is not None, "there is something to seal with"
            connection = self._writing
            bare = connection.execute("SELECT seal, name FROM vault WHERE length(seal) = ?", (DIGEST_BYTES,)).fetchall()
            sealed = [(self._seals.made(mark), name) for mark, name in bare if isinstance(mark, bytes)]
            connection.executemany("UPDATE vault SET seal = ? WHERE name = ?", sealed)
            connection.execute("DELETE FROM snapshots WHERE length(seal) = ?", (DIGEST_BYTES,))

    def erase(self, name: str) -> None:
        """Remove a vault entry without trace by rewriting the file. Raises StoreError."""
        free, size = disk_usage(self.path.parent).free, self.path.stat().st_size
        if free < 2 * size:
            raise StoreError(
                f"{self.name} must be rewritten once to remove a secret for good: that needs "
                f"{2 * size // 10**6 + 1} MB of free disk space, and there are {free // 10**6} MB."
            )
        with self._lock, as_store_error(self.name, "wrote nothing"):
            connection = self._writing
            connection.pragma("secure_delete", True)
            with self._transaction(connection):
                connection.execute(_NO_SECRET, (name,))
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            connection.pragma("secure_delete", False)

    def settled(self) -> dict[BesideKind, int]:
        """Return the last numbers of answers and refusals: with a single writer, the next ones are higher."""
        sql = "SELECT coalesce((SELECT max(position) FROM answers), 0), coalesce((SELECT max(number) FROM refusals), 0)"
        with self._readers.lend() as connection, as_store_error(self.name, "cannot be read"):
            row = connection.execute(sql).fetchone()
        assert row is not None, "counting always has a result"
        return {"answers": row[0], "refusals": row[1]}

    def room(self) -> Room:
        """Return the size of its files and the free space on their disk. Raises StoreError."""
        with as_store_error(self.name, "cannot be read"):
            log = self.path.with_name(f"{self.path.name}-wal")
            taken = sum(file.stat().st_size for file in (self.path, log) if file.exists())
            return Room(taken, disk_usage(self.path.parent).free)

    # -- reading ------------------------------------------------------------------------------------------------------

    @contextmanager
    def still(self) -> Iterator[Reading]:
        """Open a consistent view while others write."""
        with self._stopped() as connection:
            yield SqliteView(connection, self.name, self._seals)

    def _ask(self, question: Callable[[Reading], T], at_once: bool = False) -> T:
        with self._readers.lend() if at_once else self._stopped() as connection:
            return question(SqliteView(connection, self.name, self._seals))

    @contextmanager
    def _stopped(self) -> Iterator[apsw.Connection]:
        with self._readers.lend() as connection:
            with as_store_error(self.name, "cannot be read"):
                connection.execute("BEGIN")
                connection.execute("SELECT 1 FROM heads LIMIT 1").fetchall()  # the first query fixes the snapshot
            yield connection
            connection.execute("ROLLBACK")  # on errors the connection is closed, which does the same

    def copy_to(self, target: Path) -> None:
        """Copy the whole file as of now, while it is written to. Raises StoreError."""
        beside = draft_of(target)
        expect_no_log(target)
        try:
            with as_store_error(str(target), "cannot be written"), self._stopped() as connection:
                os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
                copy = apsw.Connection(str(beside), apsw.SQLITE_OPEN_READWRITE)
                try:
                    _copy(connection, copy)
                finally:
                    copy.close()
                put_in_place(beside, target)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file. SQLite merges the log into it, so that the file is complete by itself."""
        self._readers.close()
        with self._lock:
            writer, self._writer = self._writer, None
            if writer is not None:
                with suppress(apsw.Error):
                    writer.close()
            if self._file_lock is not None:
                self._file_lock.release()


def _insert(connection: apsw.Connection, sql: str, rows: Sequence[tuple[apsw.SQLiteValue, ...]]) -> None:
    if rows:  # each call yields to other threads, which may take a while
        connection.executemany(sql, rows)


def _copy(source: apsw.Connection, target: apsw.Connection) -> None:
    """Copy page by page, consistently: the open transaction freezes the source."""
    with target.backup("main", source, "main") as backup:
        while not backup.done:
            backup.step(COPIED_AT_ONCE)


# -- errors, turned into one sentence ---------------------------------------------------------------------------------

_REASONS: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.FullError, "its disk is full"),
    (apsw.ReadOnlyError, "it is read-only"),
    (apsw.PermissionsError, "the user who runs this may not use it"),
    (apsw.CantOpenError, "its file cannot be opened"),
    (apsw.BusyError, "another program is writing to it"),
    (apsw.LockedError, "another program is writing to it"),
    (apsw.NoMemError, "there is not enough memory"),
    (apsw.IOError, "its disk failed"),
)
_DAMAGED = (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError)

# Extended result codes that mean a page differs from what was written.
_DAMAGED_CODES = (apsw.SQLITE_IOERR_DATA, apsw.SQLITE_IOERR_CORRUPTFS, apsw.SQLITE_IOERR_SHORT_READ)


@contextmanager
def as_store_error(name: str, cannot: str) -> Iterator[None]:
    """Turn any error in the block into a StoreError that says what failed and why."""
    try:
        yield
    except _DAMAGED as error:
        raise CorruptStore(f"{name} is damaged: {_said(error)}.") from error
    except apsw.Error as error:
        if getattr(error, "extendedresult", 0) in _DAMAGED_CODES:
            raise CorruptStore(f"{name} is damaged: {_said(error)}.") from error
        reason = next((reason for kind, reason in _REASONS if isinstance(error, kind)), _said(error))
        raise StoreError(f"{name} {cannot}: {reason}.") from error
    except OSError as error:
        raise StoreError(f"{name} {cannot}: {error.strerror or error}.") from error


def _said(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "a name in it is not text"
    if isinstance(error, apsw.NotADBError):
        return "its file is not a database"
    if isinstance(error, apsw.CorruptError):
        return "pages of its file are inconsistent"
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
