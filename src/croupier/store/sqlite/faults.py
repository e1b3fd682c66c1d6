"""SQLite errors, turned into one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from croupier.store.contract import CorruptStore, StoreError

_REASONS: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.FullError, "its disk is full"),
    (apsw.ReadOnlyError, "it may only be read"),
    (apsw.PermissionsError, "it may not be used by whoever runs this"),
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
def told(name: str, cannot: str) -> Iterator[None]:
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
        return "a name in it is no text"
    if isinstance(error, apsw.NotADBError):
        return "its file is no database"
    if isinstance(error, apsw.CorruptError):
        return "pages of its file do not hold together"
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
