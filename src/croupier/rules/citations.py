"""Every place in a book's rules that cites a clause, and the part of the book that it belongs to.

This is how a clause is traced to its implementation. A field cites a clause if its type says so (`schema.Cited`), so a
new field cannot be missed. The code that acts on a part declares it with `schema.acts_on`, so it can be moved and
renamed freely; a test requires every part that can cite a clause to be declared.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Protocol, TypeGuard, get_args, get_origin, get_type_hints

import msgspec

from croupier.rules.book import Book
from croupier.rules.game import Game
from croupier.rules.machine import Machine
from croupier.rules.prizes import Prizes
from croupier.rules.schema import Cited

# Parts whose citations are found elsewhere: wagers one by one, the rows of machines once they are compiled, and bars
# in the powers and acts that they are laid over.
_ELSEWHERE = ("wagers", "phases", "rows", "bars")
_ONE_OF = {"roles": "role", "powers": "power", "acts": "act"}


class _WithId(Protocol):
    id: str


class Citation(msgspec.Struct, frozen=True):
    """A clause, the place in the book that cites it, and the part of the book that it belongs to."""

    clause: str
    place: str
    part: str


def citations(book: Book, game: Game) -> Iterator[Citation]:
    """Yield all citations of a book: its rules, its machines row by row, its conduct, prizes and layout."""
    yield from _of_part("rules", book.rules)
    for phase in book.rules.phases:
        yield Citation(phase.clause, f"phase {phase.id}", "rules.phases")
        for clause, row in sorted(_rows(book.phase_machines[phase.id])):
            yield Citation(clause, f"phase {phase.id}, row {row + 1}", "rules.phases")
    for wager in book.rules.wagers:
        yield from _of_part("wager", wager, f"wager {wager.id}, ")
        machines = [game.machine(wager.id, pick) for pick in book.picks(wager)]
        for clause, row in sorted({cited for machine in machines for cited in _rows(machine)}):
            yield Citation(clause, f"wager {wager.id}, row {row + 1}", "wager.rows")
    known = book.citable()
    for citation in _of_part("conduct", book.conduct):
        if not citation.place.endswith(".grounds") or citation.clause in known:  # a ground may be words, not a clause
            yield citation
    if book.prizes is not None:
        yield from prize_citations(book.prizes)
    if book.layout is not None:
        yield Citation(book.layout.clause, "layout", "layout")


def prize_citations(prizes: Prizes) -> Iterator[Citation]:
    """Yield the citations in a book's prize rules, row by row."""
    yield from _of_part("prizes", prizes, "prizes, ")


def _of_part(root: str, struct: msgspec.Struct, before: str = "") -> Iterator[Citation]:
    for field, cites in fields_with(Cited, type(struct)).items():
        value = [] if field in _ELSEWHERE else getattr(struct, field)
        label = before + _ONE_OF.get(field, field)
        named = [(f"{label} {row.id}", row) for row in value] if _have_ids(value) else [(label, value)]
        for name, inner in named:
            for clause, place in texts_marked(Cited, inner, name, cites):
                yield Citation(clause, place, f"{root}.{field}")


def _have_ids(value: object) -> TypeGuard[list[_WithId]]:
    return isinstance(value, list) and bool(value) and hasattr(value[0], "id")


def _rows(machine: Machine) -> set[tuple[str, int]]:
    return {(entry.clause, entry.row) for entries in machine.table.values() for entry in entries}


def texts_marked(mark: object, value: object, name: str, is_marked: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the texts anywhere inside a part of a book whose type is the mark, such as `Cited`, each with its place."""
    if isinstance(value, msgspec.Struct):
        for field, inner_is in fields_with(mark, type(value)).items():
            yield from texts_marked(mark, getattr(value, field), f"{name}.{field}", inner_is)
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from texts_marked(mark, inner, name if isinstance(inner, str) else f"{name}[{i}]", is_marked)
    elif isinstance(value, dict) and is_marked:
        for inner in value.values():
            yield from texts_marked(mark, inner, name, is_marked)
    elif isinstance(value, str) and is_marked:
        yield value, name


@cache
def fields_with(mark: object, type_: type[msgspec.Struct]) -> dict[str, bool]:
    """Return the fields that hold the mark, directly (True) or in a struct inside them (False)."""
    found: dict[str, bool] = {}
    for field, hint in get_type_hints(type_, include_extras=True).items():
        inner = list(_inside(hint))
        structs = [each for each in inner if isinstance(each, type) and issubclass(each, msgspec.Struct)]
        if mark in inner:
            found[field] = True
        elif any(fields_with(mark, each) for each in structs):
            found[field] = False
    return found


def _inside(hint: object) -> Iterator[object]:
    """Yield a type and everything it is made of."""
    yield hint
    if get_origin(hint) is not Annotated:
        for inner in get_args(hint):
            yield from _inside(inner)
