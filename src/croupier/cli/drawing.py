"""`croupier draw`: the machine of a wager, or of a phase of the table, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from croupier.rules import schema
from croupier.rules.book import Book
from croupier.rules.compiling import pick_words
from croupier.rules.describing import beside_its_machine
from croupier.rules.errors import Impossible
from croupier.rules.game import Game, read_pay_table
from croupier.rules.picks import find_pick, typed_pick
from croupier.rules.shelf import Shelf
from croupier.sheets.graph import Node, graph_of, printed_odds
from croupier.sheets.machines import Caption, clauses_behind, counted, draw_machine

if TYPE_CHECKING:
    import argparse


def add_draw(command: argparse.ArgumentParser) -> None:
    """The arguments of `croupier draw`."""
    command.add_argument("book", metavar="BOOK")
    command.add_argument("wager", metavar="WAGER", help="a wager, or a phase of the table such as puck")
    command.add_argument("pick", metavar="PICK", nargs="*", help="6, size, or 1 2 for a set")
    command.add_argument("--pay-table", metavar="T", help="pay table, where the book has several")
    command.add_argument("--reading", metavar="R", help="a rival reading of the book")
    command.add_argument("--out", metavar="FILE.svg", help="write the picture to a file")


def draw(shelf: Shelf, given: argparse.Namespace) -> int:
    """Draw the machine that is asked for; the result is the exit status. Raises Impossible."""
    caption, nodes = asked_for(shelf, given)
    picture = draw_machine(nodes, caption)
    if given.out is None:
        print(picture, end="")
    else:
        _write(given.out, picture)
        print(f"{given.out}: {caption.title}, {counted(nodes)}")
    return 0


def _write(file: str, picture: str) -> None:
    try:
        Path(file).write_text(picture, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Impossible("not_written", f"{file} cannot be written ({error.strerror}).") from None


def asked_for(shelf: Shelf, given: argparse.Namespace) -> tuple[Caption, list[Node]]:
    """The machine that is asked for, with what stands around its picture. Raises Impossible."""
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
    say = f"The book has no wager called {given.wager}; what can be drawn: {names}."
    raise Impossible("unknown_wager", say, book.rules.limits.wagers)


def _check_reading(book: Book, name: str) -> None:
    if name not in book.rivals:
        cited = [", ".join(reading.clauses) for reading in book.readings if [reading.id] == name.split()[:1]]
        known = "; ".join(book.rivals) or "none"
        say = f'No rival reading "{name}" of the book can be drawn; there are: {known}.'
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
    """What the machine does not show and changes what a wager is worth."""
    notes = []
    if any(row.share != "1" for row in wager.rows):
        notes.append("Only a part of the stake wins; the odds shown are net, on the whole stake")
    return [*notes, *(f"{sentence} ({clause})" for sentence, clause in beside_its_machine(wager))]
