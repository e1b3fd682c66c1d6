"""The file of an SQLite store: its tables, and how it is created, locked, checked and migrated before use."""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from operator import mul
from pathlib import Path
from time import sleep
from typing import BinaryIO, NamedTuple

import apsw

from croupier.store.contract import CorruptStore, StoreError
from croupier.store.drafts import settle_folder

PATIENCE_MS = 5000  # for another program that holds the file briefly, such as a reader
KEPT_LOG = 64 * 2**20  # bytes that the log keeps after growing longer
LOG_PAGES = 4000  # in the log before a checkpoint: most pages are rewritten many times until then
CACHE_KB = 32 * 1024  # for the writer: the ends of all streams, and where the next answers go


def connect(path: Path, vfs: str | None = None) -> apsw.Connection:
    """Open a connection for writing."""
    connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE, vfs)
    _settle(connection)
    return connection


def connect_to_read(path: Path, vfs: str | None = None) -> apsw.Connection:
    """Open a connection for reading."""
    connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY, vfs)
    _settle(connection)
    return connection


def connect_to_still(path: Path) -> apsw.Connection:
    """Open a file that cannot change, in a folder where no file can be created beside it."""
    address = f"{path.absolute().as_uri()}?immutable=1"
    return apsw.Connection(address, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


def _settle(connection: apsw.Connection) -> None:
    connection.set_busy_timeout(PATIENCE_MS)
    connection.pragma("synchronous", "FULL")
    connection.pragma("fullfsync", True)  # on macOS, a plain fsync leaves data in the drive's cache
    connection.pragma("cell_size_check", True)
    connection.pragma("trusted_schema", False)


def make(path: Path, vfs: str | None = None) -> None:
    """Create an empty store atomically, readable only by its owner."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        connection = connect(draft, vfs)
        try:
            with connection:
                migrate(connection, 0)
            _use_log(connection, path)
        finally:
            connection.close()
        draft.replace(path)
        settle_folder(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def _use_log(connection: apsw.Connection, path: Path) -> None:
    if connection.pragma("journal_mode", "WAL") != "wal":
        raise StoreError(f"{named(path)} cannot be used: its disk does not support a write-ahead log.")
    connection.pragma("journal_size_limit", KEPT_LOG)
    connection.wal_autocheckpoint(LOG_PAGES)
    connection.pragma("cache_size", -CACHE_KB)


def named(path: Path) -> str:
    """Return the store's name in messages."""
    return f"The store {path}"


def expect_no_log(path: Path) -> None:
    """Refuse to create a file beside an old log: SQLite would apply the log to it. Raises StoreError."""
    if _has_log(path):
        log = f"{path.name}-wal"
        raise StoreError(
            f"{path} cannot be created: the log {log} of another store is there; move that log to its store first."
        )


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def check_file(path: Path) -> None:
    """Refuse a file that SQLite would misread. Raises StoreError."""
    name = named(path)
    if path.is_dir():
        raise StoreError(f"{name} cannot be opened: it is a folder.")
    if path.stat().st_size == 0:
        raise CorruptStore(f"{name} is damaged: its file is empty.")
    frame = damaged_frame(path.with_name(f"{path.name}-wal"))
    if frame is not None:
        where = f"frame {frame}" if frame else "the beginning"
        raise CorruptStore(
            f"{name} is damaged: {where} of its log {path.name}-wal was altered, and acknowledged events follow it."
        )


def open_to_write(path: Path, check: Callable[[apsw.Connection], None], vfs: str | None = None) -> apsw.Connection:
    """Open the only writing connection, on a checked and migrated store. Raises StoreError and errors of SQLite.

    `check` looks at the content before anything is changed.
    """
    if not path.exists():
        expect_no_log(path)
        make(path, vfs)
    check_file(path)
    connection = connect(path, vfs)
    try:
        version = found_version(connection, named(path))
        if connection.readonly("main"):  # SQLite silently falls back to read-only
            raise StoreError(f"{named(path)} cannot be opened: it is read-only.")
        _use_log(connection, path)
        check(connection)
        if version < NEWEST:
            with connection:
                migrate(connection, version)
    except BaseException:
        connection.close()
        raise
    return connection


def way_to_read(path: Path, vfs: str | None = None) -> Callable[[], apsw.Connection]:
    """Return how to connect for reading only, even beside a running house. Raises StoreError and errors of SQLite."""
    if not path.exists():
        raise StoreError(f"{named(path)} cannot be opened: there is no such file.")
    if not is_held(path):
        check_file(path)
    try:
        return _tried(partial(connect_to_read, path, vfs), path)
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        # SQLite cannot create its shared memory in a read-only folder. If there is no log either, the file is complete.
        if _has_log(path):
            raise
        return _tried(partial(connect_to_still, path), path)


def _tried(way: Callable[[], apsw.Connection], path: Path) -> Callable[[], apsw.Connection]:
    connection = way()
    try:
        found_version(connection, named(path))
    finally:
        connection.close()
    return way


# -- tables: a file of any version is migrated to the newest when opened ----------------------------------------------

APPLICATION_ID = 0x43525550  # "CRUP" in the file's header identifies the owner

# Each migration leads from the version before it; the first starts from nothing. Released ones are never changed.
# Events lie in the order of writing, so a group commit touches few pages, even across many streams.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE records (
  position INTEGER PRIMARY KEY,
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  document BLOB NOT NULL,
  hash BLOB NOT NULL,
  UNIQUE (stream, version)
) STRICT""",
        """CREATE TABLE heads (
  stream TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT, WITHOUT ROWID""",
        """CREATE TABLE answers (
  position INTEGER PRIMARY KEY,
  who TEXT NOT NULL,
  key TEXT NOT NULL,
  digest BLOB NOT NULL,
  reply BLOB NOT NULL,
  seal BLOB NOT NULL,
  UNIQUE (who, key)
) STRICT""",
        """CREATE TABLE refusals (
  number INTEGER PRIMARY KEY,
  document BLOB NOT NULL,
  seal BLOB NOT NULL
) STRICT""",
        """CREATE TABLE vault (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL,
  seal BLOB NOT NULL
) STRICT, WITHOUT ROWID""",
    ),
    (
        """CREATE TABLE snapshots (
  stream TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  hash BLOB NOT NULL,
  state BLOB NOT NULL,
  seal BLOB NOT NULL
) STRICT, WITHOUT ROWID""",
    ),
    (),  # same tables, but an older croupier would write unsealed vault entries
)
NEWEST = len(MIGRATIONS)


def found_version(connection: apsw.Connection, name: str) -> int:
    """Return the schema version of a file. Raises StoreError if it is not a croupier store, or too new."""
    application = _pragma(connection, "application_id")
    if application != APPLICATION_ID:
        raise CorruptStore(f"{name} is not a croupier store: its file is another kind of database, or is damaged.")
    version = _pragma(connection, "user_version")
    if version > NEWEST:
        raise StoreError(
            f"{name} has tables of version {version}, and this croupier knows version {NEWEST}: use a newer one."
        )
    if version < 1 or _tables(connection) != sorted(sql for step in MIGRATIONS[:version] for sql in step):
        raise CorruptStore(f"{name} is damaged: its tables are not those of version {version}.")
    return version


def migrate(connection: apsw.Connection, version: int) -> None:
    """Migrate the tables to the newest version, in the open transaction."""
    for step in MIGRATIONS[version:]:
        for sql in step:
            connection.execute(sql)
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", NEWEST)


def _pragma(connection: apsw.Connection, name: str) -> int:
    value = connection.pragma(name)
    assert isinstance(value, int), f"{name} is a number in the header of every file"
    return value


def _tables(connection: apsw.Connection) -> list[str]:
    """Return the exact table definitions: a flipped bit in them would change the meaning of every query."""
    rows = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_stat%'")
    return sorted(str(sql) for (sql,) in rows)


# -- lock: one house per file; the operating system releases it when its holder dies ----------------------------------

TRIES = 4
PAUSE = 0.05  # seconds between tries

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # the locked byte: far behind the process number, which stays readable

    def _take(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_of(path: Path) -> Path:
    """Return the lock file beside a store."""
    return path.with_name(f"{path.name}.lock")


class FileLock:
    """Held until it is released or the process ends in any way."""

    def __init__(self, path: Path, name: str) -> None:
        """Raise StoreError if another process holds the lock, and OSError if the lock file cannot be created."""
        file = lock_of(path)
        self._descriptor = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        if not self._is_taken():
            holder = _read(self._descriptor)
            os.close(self._descriptor)
            raise StoreError(f"{name} is in use by another house{holder}.")
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, b"%d\n" % os.getpid())

    def _is_taken(self) -> bool:
        """Try to take the lock. Retries, since `is_held` in another process takes it for an instant."""
        for _ in range(TRIES):
            try:
                _take(self._descriptor)
            except OSError:
                sleep(PAUSE)
            else:
                return True
        return False

    def release(self) -> None:
        """Release the lock. The file stays: without it, two houses could lock different files of the same name."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            with suppress(OSError):
                os.close(descriptor)


def is_held(path: Path) -> bool:
    """Return whether a house has the store open."""
    try:
        descriptor = os.open(lock_of(path), os.O_RDWR)
    except OSError:
        return False
    try:
        _take(descriptor)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def _read(descriptor: int) -> str:
    with suppress(OSError):
        number = os.pread(descriptor, 20, 0) if hasattr(os, "pread") else b""
        if number.strip().isdigit():
            return f" (process {int(number)})"
    return ""


# -- write-ahead log --------------------------------------------------------------------------------------------------
# SQLite silently drops everything after a damaged page of its write-ahead log. After a crash that is right: a torn
# write was never acknowledged. But a flipped bit in the middle would take acknowledged transactions with it. The two
# can be told apart: a transaction is written only once the one before it is on disk, so a damaged one that is followed
# by another was once complete.

HEADER = 32
FRAME = 24
_MAGIC = 0x377F0682  # the last bit selects the byte order of the checksums
_MASK = 0xFFFFFFFF

Sums = tuple[int, int]


class _Frame(NamedTuple):
    number: int
    salt: Sums
    ends: bool  # the last frame of a transaction
    is_good: bool  # its checksums follow from the previous frame's


def damaged_frame(log: Path) -> int | None:
    """Return the number of a damaged frame that is followed by acknowledged ones; 0 is the header."""
    try:
        with log.open("rb") as file:
            return _damaged(file)
    except FileNotFoundError:
        return None


def _damaged(file: BinaryIO) -> int | None:
    header = file.read(HEADER)
    if len(header) < HEADER:
        return None  # started but still empty
    magic, _, page, _, *salt, first, second = struct.unpack(">8I", header)
    is_good = magic & ~1 == _MAGIC and _sums(header[:24], (0, 0), _order(magic)) == (first, second)
    if not is_good:
        # The damaged word is unknown: try the usual sizes; frames whose checksums follow one another confirm the right
        # one.
        sizes = {size for size in (page, 4096) if 512 <= size <= 65536 and size & (size - 1) == 0}
        frames = [frame for size in sizes for order in "<>" for frame in _frames(file, size, (first, second), order)]
        return 0 if any(frame.is_good for frame in frames) else None
    own = (frame for frame in _frames(file, page, (first, second), _order(magic)))
    return _first_lost(own, (salt[0], salt[1]))


def _first_lost(frames: Iterator[_Frame], salt: Sums) -> int | None:
    bad: int | None = None
    ended = False
    for frame in frames:
        if bad is not None and ended and frame.is_good and frame.salt == salt:
            return bad
        if bad is None and not (frame.is_good and frame.salt == salt):
            bad = frame.number
        if bad is not None and frame.salt == salt:
            ended = ended or frame.ends
    return None


def _frames(file: BinaryIO, page: int, before: Sums, order: str) -> Iterator[_Frame]:
    file.seek(HEADER)
    number = 0
    while len(frame := file.read(FRAME + page)) == FRAME + page:
        number += 1
        _, size, *salt, first, second = struct.unpack(">6I", frame[:FRAME])
        is_good = _sums(frame[:8] + frame[FRAME:], before, order) == (first, second)
        yield _Frame(number, (salt[0], salt[1]), size > 0, is_good)
        before = (first, second)


def _order(magic: int) -> str:
    return ">" if magic & 1 else "<"


def _sums(content: bytes, before: Sums, order: str) -> Sums:
    """Return SQLite's checksums. It adds word by word, each sum into the other; this multiplies by known weights."""
    weights = _weights(len(content) // 8)
    words = (*before, *struct.unpack(f"{order}{len(content) // 4}I", content))
    return sum(map(mul, words, weights[0])) & _MASK, sum(map(mul, words, weights[1])) & _MASK


@cache
def _weights(steps: int) -> tuple[list[int], list[int]]:
    """Return how often each word counts in each sum, for so many pairs of words; the two previous sums come first."""
    own, other = [], []  # from the last pair to the first
    a, b, c, d = 1, 0, 0, 1  # how the two sums contribute, this many steps later
    for _ in range(steps):
        own += [b, a + b]
        other += [d, c + d]
        a, b, c, d = (a + b) & _MASK, (a + 2 * b) & _MASK, (c + d) & _MASK, (c + 2 * d) & _MASK
    return [a, b, *reversed(own)], [c, d, *reversed(other)]
