"""Trace each clause to its code and tests.

The book cites the clauses, the code declares which parts of a book it acts on (`schema.acts_on`), and scenarios and
tests name what they prove. Nothing is listed by hand.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from functools import lru_cache
from pathlib import Path
from typing import Literal

import msgspec

from croupier import felt, prizes, table
from croupier.rules import schema
from croupier.rules.book import Book, definition_number
from croupier.rules.citations import citations
from croupier.rules.shelf import Shelf
from croupier.scenarios import read_scenarios

TESTS = Path(__file__).parent / "tests.json"

Kind = Literal["clause", "tail", "definition"]
ByClause = dict[str, list[str]]


class TraceRow(msgspec.Struct, frozen=True, rename={"class_": "class"}):
    """One clause: what it says, what the software does about it, where, and which tests prove it."""

    clause: str
    kind: Kind
    class_: str
    summary: str
    reason: str | None
    moment: str | None
    code: list[str]
    tests: list[str]
    readings: list[str]


def trace_book(shelf: Shelf, book_id: str) -> list[TraceRow]:
    """Return a row for every clause and definition of a book, in document order."""
    book = shelf.book(book_id)
    code, tests = _code(shelf, book), _tests(book)
    rows = [
        _row(definition_number(word), "definition", clause, code, tests) for word, clause in book.definitions.items()
    ]
    for number, clause in book.clauses.items():
        kind: Kind = "tail" if number.endswith(" tail") else "clause"
        rows.append(_row(number, kind, clause, code, tests))
    return rows


def gaps(rows: list[TraceRow]) -> list[TraceRow]:
    """Return the clauses that lack a required test or code."""
    return [row for row in rows if is_unproved(row)]


def is_unproved(row: TraceRow) -> bool:
    """Whether the software claims to act on the clause, but a test or the code is missing."""
    if row.class_ == "physical":
        return False
    return not row.tests or (row.class_ == "enforced" and not row.code)


def _row(number: str, kind: Kind, clause: schema.Clause, code: ByClause, tests: ByClause) -> TraceRow:
    return TraceRow(
        clause=number,
        kind=kind,
        class_=clause.class_,
        summary=clause.summary,
        reason=clause.reason,
        moment=clause.moment,
        code=[acting().get(part, part) for part in clause.code] or _with_limbs(number, code),
        tests=_with_limbs(number, tests),
        readings=clause.readings,
    )


def _with_limbs(number: str, found: ByClause) -> list[str]:
    """Return the entries of a clause itself; for a lead-in, those of its limbs."""
    if number in found:
        return found[number]
    limbs = (f"{number}.", f"{number}(")
    return list(dict.fromkeys(name for clause, names in found.items() if clause.startswith(limbs) for name in names))


def _code(shelf: Shelf, book: Book) -> ByClause:
    found: ByClause = {}
    for citation in citations(book, shelf.game(shelf.terms(book.id))):
        names = found.setdefault(citation.clause, [])
        for name in (acting()[citation.part], f"{book.id}: {citation.place}"):
            if name not in names:
                names.append(name)
    return found


def _tests(book: Book) -> ByClause:
    found: ByClause = {}
    for clause, names in marked_tests().get(book.id, {}).items():
        found.setdefault(clause, []).extend(names)
    for file in book.source.scenario_files():
        for scenario in read_scenarios(file.read_text(encoding="utf-8"), file.name):
            for clause in scenario.proves:
                found.setdefault(clause, []).append(f"{file.name}: {scenario.name}")
    return found


@lru_cache(maxsize=1)
def acting() -> dict[str, str]:
    """The code that acts on each part of a book, as the code declares it."""
    for layer in (table, felt, prizes):
        for module in pkgutil.walk_packages(layer.__path__, f"{layer.__name__}."):
            importlib.import_module(module.name)
    return schema.ACTING


@lru_cache(maxsize=1)
def marked_tests() -> dict[str, ByClause]:
    """The tests written in Python, by book and clause: an index built from their marks; a test keeps it current."""
    return json.loads(TESTS.read_text(encoding="utf-8")) if TESTS.is_file() else {}
