"""Shared by the store commands: stores and files named on the command line, new files, and output as text or JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from croupier.store.contract import StoreError
from croupier.store.drafts import draft_of, settle_folder, told_of
from croupier.store.opening import MEMORY, SQLITE

_SQLITE_FILE = b"SQLite format 3\0"
_OUR_MARK = slice(68, 72), b"CRUP"  # offset of the application id in an SQLite header, and ours
_PEEKED = 200  # bytes that identify a file's type
_BESIDE = ("", "-wal", "-shm", ".lock")  # suffixes of the files that an open store may have


def source(given: str) -> str | Path:
    """Return what to read: the address of a store, or the path of an exported file. Raises StoreError."""
    if given.startswith(MEMORY):
        raise StoreError("A store in memory is gone with its house: there is nothing to look at.")
    if _is_address(given):
        return given
    path = Path(given)
    begin = _begin(path)
    if begin.startswith(_SQLITE_FILE):
        return f"{SQLITE}{given}"
    # Even if one byte was changed, one of these is still intact.
    if begin.startswith(b'{"') or b'"croupier"' in begin or b'"export"' in begin:
        return path
    raise StoreError(f"{given} is neither a store nor an exported file, or its beginning is damaged.")


def store_address(given: str) -> str:
    """Return the address of an existing store. Raises StoreError."""
    found = source(given)
    if isinstance(found, Path):
        raise StoreError(f"{given} is an exported file, not a store.")
    return found


def target_address(given: str) -> str:
    """Return the address of a store that may have to be created. Raises StoreError."""
    if given.startswith(MEMORY):
        raise StoreError("A store in memory keeps nothing: give a path, or the address of a database.")
    if _is_address(given):
        return given
    return store_address(given) if os.path.lexists(given) else f"{SQLITE}{given}"


def _is_address(given: str) -> bool:
    """Return whether this is an address, for the store to parse, rather than a path. Raises StoreError."""
    if given.startswith(SQLITE) and Path(given.removeprefix(SQLITE)).is_dir() and given != SQLITE:
        raise StoreError(f"{given.removeprefix(SQLITE)} is no store: it is a folder.")
    return given.startswith(SQLITE) or "://" in given


def exported_file(given: str) -> Path:
    """Return the path of an exported file. Raises StoreError."""
    found = source(given)
    if isinstance(found, Path):
        return found
    raise StoreError(f"{given} is a store, not an exported file: croupier backup copies a store.")


def is_ours(address: str) -> bool:
    """Return whether an address claims to hold a croupier store, however damaged the rest is."""
    if not address.startswith(SQLITE):
        return True  # a database either has tables of that name, or nothing that could be damaged
    where, mark = _OUR_MARK
    with suppress(StoreError):
        return _begin(Path(address.removeprefix(SQLITE)))[where] == mark
    return False


def shown(address: str) -> str:
    """Return the name of a store that cannot be opened, without a password that its address may contain."""
    return f"The store {address.removeprefix(SQLITE)}" if address.startswith(SQLITE) else "The PostgreSQL store"


def _begin(path: Path) -> bytes:
    """Return the first bytes of a file. Raises StoreError."""
    try:
        if path.is_dir():
            raise StoreError(f"{path} cannot be read: it is a folder.")
        if path.exists() and not path.is_file():
            raise StoreError(f"{path} cannot be read: it is not an ordinary file.")
        with path.open("rb") as file:
            return file.read(_PEEKED)
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}.") from error


@contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """Yield the path of a draft that becomes the new file when the block succeeds, and is removed when it fails.

    An existing file is never touched, even if it appears meanwhile. Raises StoreError.
    """
    if os.path.lexists(target):
        raise _there_already(target)
    beside = draft_of(target)
    try:
        yield beside
        with told_of(target):
            _take_place(beside, target)
    except StoreError as error:
        raise StoreError(str(error).replace(str(beside), str(target))) from error
    finally:
        for suffix in _BESIDE:
            with suppress(OSError):
                beside.with_name(beside.name + suffix).unlink(missing_ok=True)


def _take_place(beside: Path, target: Path) -> None:
    try:
        os.link(beside, target)
    except FileExistsError:
        raise _there_already(target) from None
    except OSError:  # some file systems have no hard links
        if os.path.lexists(target):
            raise _there_already(target) from None
        beside.replace(target)
    settle_folder(target.parent)


def _there_already(target: Path) -> StoreError:
    return StoreError(f"{target} is there already, and is not overwritten.")


# -- output -----------------------------------------------------------------------------------------------------------

CANNOT = 2  # exit status when something cannot be read or done


def plain(text: str) -> str:
    """Make any text printable and valid JSON: names in a damaged file may contain anything."""
    return "".join(mark if mark.isprintable() else "?" for mark in text)


def complain(error: Exception) -> int:
    """Report why something cannot be done; return the exit status."""
    print(f"croupier: {plain(str(error))}", file=sys.stderr)
    return CANNOT


def print_json(value: object) -> None:
    """Print a result as JSON."""
    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def many(count: int, one: str, more: str | None = None) -> str:
    """Format a count: `1 event`, `1,200 events`."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def held(records: int, streams: int, checkpoints: int) -> str:
    """Describe what a store or a file holds; the stream of checkpoints is not counted."""
    events = f"{many(records, 'event')} in {many(streams, 'stream')}"
    return f"{events} and {many(checkpoints, 'checkpoint')}"
