"""`croupier export`, `import` and `backup`: a store to a file, and back. A file is complete or absent."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from croupier.cli.store.arguments import (
    complain,
    exported_file,
    held,
    many,
    new_file,
    plain,
    print_json,
    store_address,
    target_address,
)
from croupier.rules.shelf import Shelf
from croupier.store.checkpoints import STREAM
from croupier.store.contract import BesideKind, CorruptStore, Reading, Room, StoreError
from croupier.store.exporting import Exported, back_up, export_to
from croupier.store.keys import PublicKey, read_public_key
from croupier.store.opening import SQLITE, open_store
from croupier.store.records import Outcome, Record, SealedEntry, StoredRefusal, Write
from croupier.store.seals import Seals
from croupier.store.sqlite.file import expect_no_log
from croupier.store.verifying import import_from, verify
from croupier.store.view import ReadThrough, T

NOT_IN_EXPORTS = "Passwords, sessions, tokens and secrets of dice are not in it."
NEW_SECRETS = (
    "Passwords, sessions and tokens were not in the file: people need new ones.",
    "Nor were secrets of dice: a round that was under way is given up, and its record shows that.",
)

Result = dict[str, object]
Work = Callable[[argparse.Namespace], tuple[list[str], Result]]


def add_export(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("store", metavar="STORE", help="an address or path of a store; a house may be at work on it")
    command.add_argument("file", metavar="FILE", help="the file to write, which must not be there yet")
    command.add_argument("--refusals", action="store_true", help="with the commands that were refused")
    command.add_argument("--json", action="store_true", help="print JSON")


def add_import(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("file", metavar="FILE", help="an exported file; nothing is taken in unless all of it is right")
    command.add_argument("store", metavar="STORE", help="an address or path of a store that is empty or not there yet")
    command.add_argument("--key", help="the house's public key, with which the file must be sealed")
    command.add_argument("--json", action="store_true", help="print JSON")


def add_backup(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("store", metavar="STORE", help="an address or path of a store; a house may be at work on it")
    command.add_argument("file", metavar="FILE", help="the file to write, which must not be there yet")
    command.add_argument("--json", action="store_true", help="print JSON")


def export(_shelf: Shelf, given: argparse.Namespace) -> int:
    """Write all events of a store to a file: 0 on success, 2 on failure."""
    return _told(_export, given)


def import_(_shelf: Shelf, given: argparse.Namespace) -> int:
    """Fill an empty store from a file: 0 on success, 2 on failure."""
    return _told(_import, given)


def backup(_shelf: Shelf, given: argparse.Namespace) -> int:
    """Copy a store while it is in use: 0 on success, 2 on failure."""
    return _told(_backup, given)


def _told(work: Work, given: argparse.Namespace) -> int:
    try:
        sentences, result = work(given)
    except StoreError as error:
        return complain(error)
    if given.json:
        print_json({"ok": True, **result})
    else:
        print("\n".join(map(plain, sentences)))
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
    with new_file(target) as beside, bar("copying"), closing(open_store(address, read_only=True)) as store:
        said = back_up(store, beside, datetime.now(UTC)).replace(str(beside), str(target))
    kind = "copy" if address.startswith(SQLITE) else "export"
    return [said], {"file": plain(given.file), "kind": kind, "bytes": target.stat().st_size}


def _import(given: argparse.Namespace) -> tuple[list[str], Result]:
    file, address = exported_file(given.file), target_address(given.store)
    key = None if given.key is None else read_public_key(given.key)
    with bar("importing"):
        done, checkpoints = _imported(file, address, key)
    sentence = f"{given.file} was verified, and all of it is in the store now: {_held(done, checkpoints)}."
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
            raise StoreError(f"{store.name} is not empty: an export goes into an empty store only.")
        return import_from(file, store, key), store.head(STREAM).version


def _held(done: Exported, checkpoints: int) -> str:
    refusals = f", and {many(done.refusals, 'refusal')}" if done.refusals else ""
    return held(done.records - checkpoints, done.streams - bool(checkpoints), checkpoints) + refusals


def _result(file: str, done: Exported, checkpoints: int) -> Result:
    return {
        "file": plain(file),
        "streams": done.streams - bool(checkpoints),
        "events": done.records - checkpoints,
        "checkpoints": checkpoints,
        "refusals": done.refusals,
    }


# -- a consistent view of a store, with a progress bar for its reader -------------------------------------------------

Tell = Callable[[int], None]


class StillStore(ReadThrough):
    """A store at one moment, read-only. Reports the events that are read."""

    def __init__(self, view: Reading, tell: Tell) -> None:
        self.name = view.name
        self._view = view
        self._tell = tell

    def _ask(self, question: Callable[[Reading], T], at_once: bool = False) -> T:
        return question(self._view)

    @contextmanager
    def still(self) -> Iterator[Reading]:
        """Open the view itself."""
        yield self

    def read(self, stream: str, after: int = 0, limit: int | None = None, *, verified: bool = True) -> list[Record]:
        """Return the events after a version, in order, each checked against the chain. Raises CorruptStore."""
        records = super().read(stream, after, limit, verified=verified)
        self._tell(len(records))
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

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Refuse: it is read-only. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    def use(self, seals: Seals) -> None:
        """Refuse: it is read-only. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    def adopt(self) -> None:
        """Refuse: it is read-only. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    def erase(self, name: str) -> None:
        """Refuse: it is read-only. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    def settled(self) -> dict[BesideKind, int]:
        """Refuse: it is read-only. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    def room(self) -> Room:
        """Refuse: it does not grow. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

    def load(self, kept: Iterable[Record | StoredRefusal]) -> None:
        """Refuse: it is read-only. Raises StoreError."""
        raise StoreError(f"{self.name} is open for reading only.")

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
        bar(words, times * _size(view)) as tell,
    ):
        yield StillStore(view, tell)


def _size(view: Reading) -> int:
    """Return the number of events; 0, for an indefinite bar, if a damaged store cannot tell."""
    try:
        return sum(head.version for head in view.heads())
    except StoreError:
        return 0


@contextmanager
def bar(words: str, total: int = 0) -> Iterator[Tell]:
    """Show a bar during the block, indefinite without a total; nothing if standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(words, total=total or None)
        yield lambda more: shown.advance(task, more)
