"""Stores and files named on the command line, and `croupier export`, `import` and `backup`.

A new file is complete or absent.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from croupier.cli.output import Tell, complain, counted, print_json, printable, progress
from croupier.rules.shelf import Shelf
from croupier.store.checkpoints import STREAM
from croupier.store.contract import BesideKind, CorruptStore, Reading, StoreError
from croupier.store.drafts import draft_of, file_errors, settle_folder
from croupier.store.exporting import Exported, back_up, export_to
from croupier.store.keys import PublicKey, read_public_key
from croupier.store.opening import MEMORY, SQLITE, open_store
from croupier.store.records import Record, SealedEntry
from croupier.store.sqlite.file import expect_no_log
from croupier.store.verifying import import_from, verify
from croupier.store.view import ReadThrough, T

_SQLITE_FILE = b"SQLite format 3\0"
_OUR_MARK = slice(68, 72), b"CRUP"  # offset of the application id in an SQLite header, and ours
_PEEKED = 200  # bytes that identify a file's type
_BESIDE = ("", "-wal", "-shm", ".lock")  # suffixes of the files that an open store may have


def source(given: str) -> str | Path:
    """Return what to read: the address of a store, or the path of an exported file. Raises StoreError."""
    if given.startswith(MEMORY):
        raise StoreError("A store in memory is gone when its house closes: there is nothing to read.")
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
        raise StoreError(f"{given.removeprefix(SQLITE)} is not a store: it is a folder.")
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
        with file_errors(target):
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
    return StoreError(f"{target} already exists and was not overwritten.")


def held(records: int, streams: int, checkpoints: int) -> str:
    """Describe what a store or a file holds; the stream of checkpoints is not counted."""
    events = f"{counted(records, 'event')} in {counted(streams, 'stream')}"
    return f"{events} and {counted(checkpoints, 'checkpoint')}"


# -- a consistent view of a store, with a progress bar for its reader -------------------------------------------------


class StillStore(ReadThrough):
    """A store at one moment, read-only. Reports how many events have been read."""

    def __init__(self, view: Reading, tell: Tell | None) -> None:
        self.name = view.name
        self._view = view
        self._tell = tell
        self._read = 0

    def _ask(self, question: Callable[[Reading], T], at_once: bool = False) -> T:
        return question(self._view)

    @contextmanager
    def still(self) -> Iterator[Reading]:
        """Open the view itself."""
        yield self

    def read(self, stream: str, after: int = 0, limit: int | None = None, *, verified: bool = True) -> list[Record]:
        """Return the events after a version, in order, each checked against the chain. Raises CorruptStore."""
        records = super().read(stream, after, limit, verified=verified)
        self._read += len(records)
        if self._tell is not None:
            self._tell(self._read)
        return records

    def damage(self) -> Iterator[str]:
        """Yield a sentence for each damage outside the chains."""
        return self._view.damage()

    def beside(self, kind: BesideKind, after: int = 0, until: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield numbers and digests of answers or refusals."""
        return self._view.beside(kind, after, until)

    def entries(self) -> Iterator[SealedEntry]:
        """Yield every individually sealed entry."""
        return self._view.entries()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        """Refuse to write: the store is open for reading only. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    commit = use = adopt = erase = settled = room = load = _refuse

    def close(self) -> None:
        """Do nothing: the owner closes the store."""

    @property
    def checkpoints(self) -> int:
        """The number of checkpoints."""
        return self.head(STREAM).version


@contextmanager
def still_store(address: str, words: str, times: int = 1) -> Iterator[StillStore]:
    """Open a store at this moment, with a bar for a reader that passes over it this many times. Raises StoreError."""
    with (
        closing(open_store(address, read_only=True)) as store,
        store.still() as view,
        progress(words, times * _size(view)) as tell,
    ):
        yield StillStore(view, tell)


def _size(view: Reading) -> int:
    """Return the number of events; 0, for an indefinite bar, if a damaged store cannot tell."""
    try:
        return sum(head.version for head in view.heads())
    except StoreError:
        return 0


# -- export, import and backup ----------------------------------------------------------------------------------------

NOT_IN_EXPORTS = "Passwords, sessions, tokens and secrets of dice are not in it."
NEW_SECRETS = (
    "Passwords, sessions and tokens were not in the file: people need new ones.",
    "Secrets of dice were not in it either: a round that was in progress is cancelled, and its record says so.",
)

Result = dict[str, object]
Work = Callable[[argparse.Namespace], tuple[list[str], Result]]


def add_export(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("store", metavar="STORE", help="an address or path of a store; a house may be running on it")
    command.add_argument("file", metavar="FILE", help="the file to write, which must not exist yet")
    command.add_argument("--refusals", action="store_true", help="include the commands that were refused")
    command.add_argument("--json", action="store_true", help="print JSON")


def add_import(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("file", metavar="FILE", help="an exported file; nothing is imported unless all of it verifies")
    command.add_argument("store", metavar="STORE", help="an address or path of an empty store, or of a new one")
    command.add_argument("--key", help="the house's public key, with which the file must be sealed")
    command.add_argument("--json", action="store_true", help="print JSON")


def add_backup(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("store", metavar="STORE", help="an address or path of a store; a house may be running on it")
    command.add_argument("file", metavar="FILE", help="the file to write, which must not exist yet")
    command.add_argument("--json", action="store_true", help="print JSON")


def export(_shelf: Shelf, given: argparse.Namespace) -> int:
    """Write all events of a store to a file: 0 on success, 2 on failure."""
    return _report(_export, given)


def import_(_shelf: Shelf, given: argparse.Namespace) -> int:
    """Fill an empty store from a file: 0 on success, 2 on failure."""
    return _report(_import, given)


def backup(_shelf: Shelf, given: argparse.Namespace) -> int:
    """Copy a store while it is in use: 0 on success, 2 on failure."""
    return _report(_backup, given)


def _report(work: Work, given: argparse.Namespace) -> int:
    try:
        sentences, result = work(given)
    except StoreError as error:
        return complain(error)
    if given.json:
        print_json({"ok": True, **result})
    else:
        print("\n".join(map(printable, sentences)))
    return 0


def _export(given: argparse.Namespace) -> tuple[list[str], Result]:
    with new_file(Path(given.file)) as beside, still_store(store_address(given.store), "exporting") as store:
        done = export_to(store, beside, datetime.now(UTC), refusals=given.refusals)
        checkpoints = store.checkpoints
    sentence = f"{given.file} has {_held(done, checkpoints)}."
    return [sentence, NOT_IN_EXPORTS], _result(given.file, done, checkpoints)


def _backup(given: argparse.Namespace) -> tuple[list[str], Result]:
    address, target = store_address(given.store), Path(given.file)
    expect_no_log(target)
    with new_file(target) as beside, progress("copying"), closing(open_store(address, read_only=True)) as store:
        said = back_up(store, beside, datetime.now(UTC)).replace(str(beside), str(target))
    kind = "copy" if address.startswith(SQLITE) else "export"
    return [said], {"file": printable(given.file), "kind": kind, "bytes": target.stat().st_size}


def _import(given: argparse.Namespace) -> tuple[list[str], Result]:
    file, address = exported_file(given.file), target_address(given.store)
    key = None if given.key is None else read_public_key(given.key)
    with progress("importing"):
        done, checkpoints = _imported(file, address, key)
    sentence = f"{given.file} was verified and imported: {_held(done, checkpoints)}."
    return [sentence, *NEW_SECRETS], _result(given.file, done, checkpoints)


def _imported(file: Path, address: str, key: PublicKey | None) -> tuple[Exported, int]:
    if not address.startswith(SQLITE):
        # Opening a database creates a store's tables in it, so verify the file first.
        for fault in verify(file, key).faults:
            raise CorruptStore(f"{file} is not imported: {fault.sentence}")
        return _taken_in(file, address, key)
    path = Path(address.removeprefix(SQLITE))
    if os.path.lexists(path) or not path.name:
        return _taken_in(file, address, key)
    expect_no_log(path)
    with new_file(path) as beside:
        return _taken_in(file, f"{SQLITE}{beside}", key)


def _taken_in(file: Path, address: str, key: PublicKey | None) -> tuple[Exported, int]:
    with closing(open_store(address)) as store:
        if store.heads() or store.refusals(limit=1):
            raise StoreError(f"{store.name} is not empty: an export can be imported only into an empty store.")
        return import_from(file, store, key), store.head(STREAM).version


def _held(done: Exported, checkpoints: int) -> str:
    refusals = f", and {counted(done.refusals, 'refusal')}" if done.refusals else ""
    return held(done.records - checkpoints, done.streams - bool(checkpoints), checkpoints) + refusals


def _result(file: str, done: Exported, checkpoints: int) -> Result:
    return {
        "file": printable(file),
        "streams": done.streams - bool(checkpoints),
        "events": done.records - checkpoints,
        "checkpoints": checkpoints,
        "refusals": done.refusals,
    }
