"""`croupier registers`: every register and return of a period as CSV and PDF, offline, from a store or an export."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.cli.keeping.places import source
from croupier.cli.keeping.still import bar, still_store
from croupier.cli.keeping.words import complain, many, plain
from croupier.cli.sheets import NO_TYPST
from croupier.house.registers.files import csv_of, name_of_file, pdf_of_register
from croupier.house.registers.following import Followed, claimants_of
from croupier.house.registers.periods import Period, PeriodError, read_period
from croupier.house.registers.registers import Scope, ScopeError
from croupier.house.registers.rows import Register
from croupier.house.streams import table_stream
from croupier.rules.shelf import Shelf
from croupier.server.settings import SettingsError, read_settings
from croupier.store.checkpoints import STREAM, read_checkpoint
from croupier.store.contract import Reading, StoreError
from croupier.store.importing import import_from
from croupier.store.memory import MemoryStore

OWN = 0o600  # names and addresses are for whoever made the file, and for nobody else on the machine


def add_registers(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument(
        "store",
        metavar="STORE|FILE",
        nargs="?",
        help="an address or path of a store, or an exported file (the store that the settings name)",
    )
    command.add_argument("--period", required=True, help="2026-11, 2026-11-15, 2026, or 2026-11-01/2026-11-15")
    command.add_argument("--out", metavar="FOLDER", default=".", help="where the files go (this folder)")
    command.add_argument("--table", metavar="NAME", help="only what is of one table")
    command.add_argument("--book", metavar="BOOK", help="only what is under one book")
    command.add_argument("--no-names", action="store_true", help="leave names and addresses of claimants out")
    command.add_argument("--settings", metavar="FILE", type=Path, help="the settings of the house")


def registers(shelf: Shelf, given: argparse.Namespace) -> int:
    """Write every register as CSV and PDF; the result is the exit status."""
    try:
        period = read_period(given.period)
        if given.book is not None:
            shelf.book(given.book)
        with _opened(given) as view:
            made, house = _made(shelf, view, period, given), _house(view)
        return _write(made, house, Path(given.out), names=not given.no_names)
    except (PeriodError, ScopeError, SettingsError, StoreError) as error:
        return complain(error)
    except OSError as error:
        return complain(StoreError(f"{given.out} cannot be written to: {error.strerror or error}."))


@contextmanager
def _opened(given: argparse.Namespace) -> Iterator[Reading]:
    """A store as it is now, or an exported file, which is verified first. Raises StoreError, SettingsError."""
    place = source(given.store or read_settings(given.settings, os.environ).store)
    if isinstance(place, Path):
        memory = MemoryStore()
        with bar("reading"):
            import_from(place, memory)
        yield memory
        return
    with still_store(place, "reading") as store:
        yield store


def _made(shelf: Shelf, view: Reading, period: Period, given: argparse.Namespace) -> list[Register]:
    if given.table is not None and not view.head(table_stream(given.table)).version:
        raise StoreError(f"There is no table called {given.table}.")
    claimants = None if given.no_names else claimants_of(view)
    return Followed(shelf).up_to(view).made(period, Scope(given.table, given.book), claimants)


def _house(view: Reading) -> str | None:
    """What the house calls itself, where it has signed anything."""
    last = view.head(STREAM).version
    return read_checkpoint(view.read(STREAM, last - 1)[0].document).statement.house if last else None


def _write(made: list[Register], house: str | None, folder: Path, *, names: bool) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    has_typst = True
    for one in made:
        private = names and one.id == "denied_claims"
        files = {"csv": csv_of(one)}
        try:
            files["pdf"] = pdf_of_register(one, house)
        except ImportError:
            has_typst = False
        for form, content in files.items():
            _put(folder / name_of_file(one, form), content, private)
        print(plain(f"{folder / name_of_file(one, 'csv')}: {one.title}, {many(len(one.rows), 'entry', 'entries')}"))
    if has_typst:
        print("Each of them is there as a PDF, too.")
    else:
        print(f"croupier: {NO_TYPST}", file=sys.stderr)
    if made[0].so_far is not None:
        print(plain(f"The period is not over: {made[0].so_far}."))
    return 0


def _put(file: Path, content: bytes, private: bool) -> None:
    if private:
        file.touch(OWN)
        file.chmod(OWN)
    file.write_bytes(content)
