"""Opening an SQLite file: made whole or not at all, checked before anything is taken from it, brought up to date."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path

import apsw

from croupier.store.contract import CorruptStore, StoreError
from croupier.store.drafts import settle_folder
from croupier.store.sqlite.faults import told
from croupier.store.sqlite.lock import is_held
from croupier.store.sqlite.log import damaged_frame
from croupier.store.sqlite.schema import NEWEST, found_version, migrate
from croupier.store.sqlite.view import SqliteView

# A file up to this size is looked through whole when it is opened: that takes less than a second, and the house begins
# with all of it known to hold together. With a larger one only the end of each stream is looked at. Either way every
# event is checked against its chain when it is read, so that what is damaged is found before it is served; and `verify`
# looks at all of it.
CHECKED_WHOLE = 64 * 2**20

PATIENCE_MS = 5000  # for another program that holds the file for a moment, such as one that looks into it
KEPT_LOG = 64 * 2**20  # bytes that the log keeps after it was long
LOG_PAGES = 4000  # after which it goes into the file: most pages are written many times over until then
CACHE_KB = 32 * 1024  # of the writer: the ends of all streams, and where the next answers go


def connect(path: Path, vfs: str | None = None) -> apsw.Connection:
    """A connection that may write."""
    connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE, vfs)
    _settle(connection)
    return connection


def connect_to_read(path: Path, vfs: str | None = None) -> apsw.Connection:
    """A connection that writes nothing."""
    connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY, vfs)
    _settle(connection)
    return connection


def connect_to_still(path: Path) -> apsw.Connection:
    """A connection to a file that nobody can write to, in a folder where nothing can be put beside it."""
    address = f"{path.absolute().as_uri()}?immutable=1"
    return apsw.Connection(address, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


def _settle(connection: apsw.Connection) -> None:
    connection.set_busy_timeout(PATIENCE_MS)
    connection.pragma("synchronous", "FULL")
    connection.pragma("fullfsync", True)  # on a Mac an ordinary one leaves data in the disk's own memory
    connection.pragma("cell_size_check", True)
    connection.pragma("trusted_schema", False)


def make(path: Path, vfs: str | None = None) -> None:
    """A new store, empty, in its place only when it is whole. Nobody else may read it."""
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
        raise StoreError(f"{named(path)} cannot be used: the disk it lies on does not allow a write-ahead log.")
    connection.pragma("journal_size_limit", KEPT_LOG)
    connection.wal_autocheckpoint(LOG_PAGES)
    connection.pragma("cache_size", -CACHE_KB)


def named(path: Path) -> str:
    """What a store is called in messages."""
    return f"The store {path}"


def expect_no_log(path: Path) -> None:
    """Refuse to put a file beside a log: SQLite would take what is in the log for the file's own. Raises StoreError."""
    if _has_log(path):
        log = f"{path.name}-wal"
        raise StoreError(
            f"{path} cannot be made: the log {log} of another store lies there; put the two together again."
        )


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def check_file(path: Path) -> None:
    """Refuse a file that SQLite would take for something else than it is. Raises StoreError."""
    name = named(path)
    if path.is_dir():
        raise StoreError(f"{name} cannot be opened: it is a folder.")
    if path.stat().st_size == 0:
        raise CorruptStore(f"{name} is damaged: its file is empty.")
    frame = damaged_frame(path.with_name(f"{path.name}-wal"))
    if frame is not None:
        where = f"frame {frame}" if frame else "the beginning"
        raise CorruptStore(
            f"{name} is damaged: {where} of its log {path.name}-wal is not what was written, and what stands behind it "
            "was acknowledged."
        )


def open_to_write(path: Path, vfs: str | None = None) -> apsw.Connection:
    """The connection of the one writer, on a store that is checked and has the newest tables. Raises StoreError."""
    name = named(path)
    with told(name, "cannot be opened"):
        if not path.exists():
            expect_no_log(path)
            make(path, vfs)
        check_file(path)
        connection = connect(path, vfs)
        try:
            version = found_version(connection, name)
            if connection.readonly("main"):  # SQLite is content with less than it was asked for
                raise StoreError(f"{name} cannot be opened: it may only be read.")
            _use_log(connection, path)
            check_content(connection, path)
            if version < NEWEST:
                with connection:
                    migrate(connection, version)
        except BaseException:
            connection.close()
            raise
    return connection


def way_to_read(path: Path, vfs: str | None = None) -> Callable[[], apsw.Connection]:
    """How to connect for looking only, which works beside a running house. Raises StoreError."""
    name = named(path)
    with told(name, "cannot be opened"):
        if not path.exists():
            raise StoreError(f"{name} cannot be opened: there is no such file.")
        if not is_held(path):
            check_file(path)
        try:
            return _tried(partial(connect_to_read, path, vfs), name)
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            # SQLite cannot put its shared memory beside a file in a folder that is closed to it. If no log is there
            # either, the file is all there is.
            if _has_log(path):
                raise
            return _tried(partial(connect_to_still, path), name)


def _tried(way: Callable[[], apsw.Connection], name: str) -> Callable[[], apsw.Connection]:
    connection = way()
    try:
        found_version(connection, name)
    finally:
        connection.close()
    return way


def check_content(connection: apsw.Connection, path: Path) -> None:
    """Look through a small file whole, and at the end of every stream of a large one. Raises CorruptStore."""
    view = SqliteView(connection, named(path))
    more = view.damage() if path.stat().st_size <= CHECKED_WHOLE else ()
    for sentence in chain(view.astray(), more):
        raise CorruptStore(sentence)
