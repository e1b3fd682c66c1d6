"""Checks the felt of a book: every area lies on it, wide and narrow, upon no other, and is for a wager of the book."""

from __future__ import annotations

from itertools import product

from croupier.rules import schema
from croupier.rules.book import Book
from croupier.rules.errors import RuleBookError


def check_layout(book: Book) -> None:
    """Raise RuleBookError for the first thing that is wrong with the felt, where the book has one."""
    layout = book.layout
    if layout is None:
        return
    for area in layout.areas:
        _check_area(book, area)
    named: list[tuple[str, schema.Area | schema.Ring]] = [(f'area "{area.label}"', area) for area in layout.areas]
    if layout.ring is not None:
        named.append(("ring", layout.ring))
    _check_places(book, "felt", layout.size, [(name, lying.at) for name, lying in named])
    _check_places(book, "narrow felt", layout.narrow_size, [(name, lying.narrow) for name, lying in named])


def _check_area(book: Book, area: schema.Area) -> None:
    """The wager and pick are the book's, and what is drawn on the area can be thrown."""
    where, wager = f'area "{area.label}"', book.wagers.get(area.wager)
    if wager is None or (area.pick not in book.picks(wager) and not wager.can_move):
        raise RuleBookError(book.file, where, "is for a wager or pick that the book does not have")
    for face in (face for faces in area.dice for face in faces):
        if face not in book.rules.throw.faces:
            raise RuleBookError(book.file, where, f"draws the face {face}, which is never thrown")


def _check_places(book: Book, felt: str, size: tuple[int, int], places: list[tuple[str, schema.Place]]) -> None:
    """Everything lies on the felt, and nothing upon anything else."""
    taken: dict[tuple[int, int], str] = {}
    columns, rows = size
    for name, (left, top, width, height) in places:
        if min(width, height) < 1 or min(left, top) < 0 or left + width > columns or top + height > rows:
            raise RuleBookError(book.file, name, f"does not lie on a {felt} of {columns} by {rows}")
        for square in product(range(left, left + width), range(top, top + height)):
            if square in taken:
                raise RuleBookError(book.file, name, f"overlaps the {taken[square]} on the {felt}")
            taken[square] = name
