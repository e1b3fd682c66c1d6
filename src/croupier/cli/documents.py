"""Commands that write documents: `croupier draw` (state machines), `par` (PAR sheets) and `registers`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from croupier.cli.output import complain, counted, printable, progress
from croupier.cli.stores import source, still_store
from croupier.documents.graph_layout import Node, graph_of, printed_odds
from croupier.documents.machines import Caption, clauses_behind, draw_machine
from croupier.documents.par import par_sheet
from croupier.documents.rendering import html_of, pdf_of
from croupier.house.names import table_stream
from croupier.house.registers import Scope, ScopeError
from croupier.house.registers.register_files import Followed, claimants_of, csv_of, name_of_file, pdf_of_register
from croupier.house.registers.register_rows import Period, PeriodError, Register, read_period
from croupier.rules import schema
from croupier.rules.book import Book, find_pick
from croupier.rules.describing import beside_its_machine
from croupier.rules.errors import Impossible, PayTableError
from croupier.rules.game import Game, read_pay_table
from croupier.rules.machine import pick_words, typed_pick
from croupier.rules.shelf import Shelf
from croupier.server.settings import SettingsError, read_settings
from croupier.store.checkpoints import STREAM, read_checkpoint
from croupier.store.contract import Reading, StoreError
from croupier.store.memory import MemoryStore
from croupier.store.verifying import import_from


def add_draw(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier draw`."""
    command.add_argument("book", metavar="BOOK")
    command.add_argument("wager", metavar="WAGER", help="a wager, or a phase of the table such as puck")
    command.add_argument("pick", metavar="PICK", nargs="*", help="6, size, or 1 2 for a set")
    command.add_argument("--pay-table", metavar="T", help="pay table, if the book has several")
    command.add_argument("--reading", metavar="R", help="a rival reading of the book")
    command.add_argument("--out", metavar="FILE.svg", help="write the picture to a file")


def draw(shelf: Shelf, given: argparse.Namespace) -> int:
    """Draw the requested machine; return the exit status. Raises Impossible."""
    caption, nodes = asked_for(shelf, given)
    picture = draw_machine(nodes, caption)
    if given.out is None:
        print(picture, end="")
    else:
        _write(given.out, picture)
        print(f"{given.out}: {caption.title}, {counted(len(nodes), 'state')}")
    return 0


def _write(file: str, picture: str) -> None:
    try:
        Path(file).write_text(picture, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Impossible("not_written", f"{file} cannot be written ({error.strerror}).") from None


def asked_for(shelf: Shelf, given: argparse.Namespace) -> tuple[Caption, list[Node]]:
    """Return the requested machine and the caption of its picture. Raises Impossible."""
    readings = (given.reading,) if given.reading is not None else ()
    for name in readings:
        _check_reading(shelf.book(given.book), name)
    game = shelf.game(shelf.terms(given.book, read_pay_table(given.pay_table), readings))
    book = game.book
    chosen = tuple(
        f"{name} {text}" for name, text in (("Pay table", given.pay_table), ("Read as", given.reading)) if text
    )
    if given.wager in book.wagers:
        return _wager(game, book.wagers[given.wager], " ".join(given.pick), chosen)
    if given.wager in book.phases:
        return _phase(book, book.phases[given.wager], given.pick, chosen)
    names = ", ".join([*book.wagers, *book.phases])
    say = f"The book has no wager called {given.wager}; it has: {names}."
    raise Impossible("unknown_wager", say, book.rules.limits.wagers)


def _check_reading(book: Book, name: str) -> None:
    if name not in book.rivals:
        cited = [", ".join(reading.clauses) for reading in book.readings if [reading.id] == name.split()[:1]]
        known = "; ".join(book.rivals) or "none"
        say = f'The book has no rival reading "{name}" that can be drawn; it has: {known}.'
        raise Impossible("unknown_reading", say, "".join(cited) or None)


def _wager(game: Game, wager: schema.Wager, text: str, chosen: tuple[str, ...]) -> tuple[Caption, list[Node]]:
    pick = find_pick(game.book, wager, typed_pick(text))
    title = f"{wager.name} {pick_words(wager.id, pick)['pick']}".rstrip()
    nodes = graph_of(game.machine(wager.id, pick), printed_odds(game))
    return _caption(game.book, title, wager.clause, nodes, (*chosen, *_notes(wager))), nodes


def _phase(book: Book, phase: schema.Phase, pick: list[str], chosen: tuple[str, ...]) -> tuple[Caption, list[Node]]:
    if pick:
        say = f"{phase.name} is a phase of the table and has no pick."
        raise Impossible("pick_not_allowed", say, phase.clause)
    nodes = graph_of(book.phase_machines[phase.id])
    return _caption(book, phase.name, phase.clause, nodes, chosen), nodes


def _caption(book: Book, title: str, clause: str, nodes: list[Node], notes: tuple[str, ...]) -> Caption:
    throw = book.rules.throw
    foot = (
        f"Fractions: chances on the next {throw.command}; {len(book.outcomes)} outcomes, all equally likely.",
        f"Clauses: {clauses_behind(nodes)}.",
    )
    return Caption(title, (book.rules.book.title, f"Clause {clause}", *notes), foot)


def _notes(wager: schema.Wager) -> list[str]:
    """Return what affects a wager's value but is not visible in its machine."""
    notes = []
    if any(row.share != "1" for row in wager.rows):
        notes.append("Only a part of the stake wins; the odds shown are net, on the whole stake")
    return [*notes, *(f"{sentence} ({clause})" for sentence, clause in beside_its_machine(wager))]


# -- par: the PAR sheet of a book, as HTML and PDF --------------------------------------------------------------------

NO_TYPST = 'PDFs need Typst, which is not installed: run "pip install typst".'


def add_par(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier par`."""
    command.add_argument("book", metavar="BOOK")
    command.add_argument("--out", metavar="FOLDER", default=".", help="the folder to write to (this folder)")
    command.add_argument("--html", action="store_true", help="only the HTML page")
    command.add_argument("--pdf", action="store_true", help="only the PDF")
    command.add_argument("--pay-table", metavar="T", help="one pay table instead of every approved value")


def make_par(shelf: Shelf, given: argparse.Namespace) -> int:
    """Compute the PAR sheet and write it in the requested formats; return the exit status."""
    try:
        sheet = par_sheet(shelf, given.book, version("croupier"), given.pay_table)
    except PayTableError as error:
        return complain(f"{error} ({error.clause})" if error.clause else str(error))
    files: dict[str, bytes] = {}
    both = given.html == given.pdf
    if both or given.html:
        files["html"] = html_of(sheet).encode("utf-8")
    if both or given.pdf:
        try:
            files["pdf"] = pdf_of(sheet)
        except ImportError:
            if not both:
                return complain(NO_TYPST)
            print(f"croupier: {NO_TYPST}", file=sys.stderr)
    folder = Path(given.out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for form, content in files.items():
            file = folder / f"{given.book}.par.{form}"
            file.write_bytes(content)
            print(f"{file}: {sheet.kind}, {sheet.title}")
    except OSError as error:
        return complain(f"{folder} cannot be written to ({error.strerror}).")
    return 0


# -- registers: every register and return of a period as CSV and PDF, offline -----------------------------------------

OWN = 0o600  # names and addresses: readable only by the user who created the file


def add_registers(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument(
        "store",
        metavar="STORE|FILE",
        nargs="?",
        help="an address or path of a store, or an exported file (the store that the settings name)",
    )
    command.add_argument("--period", required=True, help="2026-11, 2026-11-15, 2026, or 2026-11-01/2026-11-15")
    command.add_argument("--out", metavar="FOLDER", default=".", help="the folder to write to (this folder)")
    command.add_argument("--table", metavar="NAME", help="only entries of one table")
    command.add_argument("--book", metavar="BOOK", help="only entries under one book")
    command.add_argument("--no-names", action="store_true", help="leave out names and addresses of claimants")
    command.add_argument("--settings", metavar="FILE", type=Path, help="the settings of the house")


def registers(shelf: Shelf, given: argparse.Namespace) -> int:
    """Write every register as CSV and PDF; return the exit status."""
    try:
        period = read_period(given.period)
        if given.book is not None:
            shelf.book(given.book)
        with _opened(given) as view:
            made, house = _made(shelf, view, period, given), _house(view)
        return _write_registers(made, house, Path(given.out), names=not given.no_names)
    except (PeriodError, ScopeError, SettingsError, StoreError) as error:
        return complain(error)
    except OSError as error:
        return complain(StoreError(f"{given.out} cannot be written to: {error.strerror or error}."))


@contextmanager
def _opened(given: argparse.Namespace) -> Iterator[Reading]:
    """Open a store as of now, or an exported file, which is verified first. Raises StoreError, SettingsError."""
    place = source(given.store or read_settings(given.settings, os.environ).store)
    if isinstance(place, Path):
        memory = MemoryStore()
        with progress("reading"):
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
    """Return the name of the house, if it has signed anything."""
    last = view.head(STREAM).version
    return read_checkpoint(view.read(STREAM, last - 1)[0].document).statement.house if last else None


def _write_registers(made: list[Register], house: str | None, folder: Path, *, names: bool) -> int:
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
        entries = counted(len(one.rows), "entry", "entries")
        print(printable(f"{folder / name_of_file(one, 'csv')}: {one.title}, {entries}"))
    if has_typst:
        print("Each register was also written as a PDF.")
    else:
        print(f"croupier: {NO_TYPST}", file=sys.stderr)
    if made[0].so_far is not None:
        print(printable(f"The period is not over: {made[0].so_far}."))
    return 0


def _put(file: Path, content: bytes, private: bool) -> None:
    if private:
        file.touch(OWN)
        file.chmod(OWN)
    file.write_bytes(content)
