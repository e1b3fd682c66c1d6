"""Writes the table of tests/powers.py as scenarios: one line for each row, under the clause that refuses the others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from croupier import rulebooks
from croupier.rules.book import Book, definition_number
from croupier.rules.shelf import Shelf
from tests.powers import EXPECTED, Says

HEAD = """# Who may do what, and nobody else: written from the table in tests/powers.py by `python -m tests.index`.
# Behind a line stands the reading that decides it where the document does not. What is refused to everybody for another
# reason, as a side bet is, stands here with those whose act it would be.
"""


class Refused(NamedTuple):
    """The clause that refuses others, the one that refuses one role in particular, and the one under which a thing
    is done."""

    clause: str | None
    particular: tuple[str, str] | None
    done: str | None


def page(book_id: str) -> Path:
    """The file with the lines of a book."""
    return rulebooks.folder(book_id) / "scenarios" / "conduct-who.scenario"


def refused(book: Book, thing: str) -> Refused:
    """The clause under which someone is refused a thing because of their role alone."""
    conduct = book.conduct
    if thing in conduct.by_id:
        act = conduct.by_id[thing]
        return Refused(act.by_clause or act.clause, next(iter(act.refusals.items()), None), act.clause)
    command, _, reason = thing.partition(" ")
    power = conduct.power("throw" if command == book.rules.throw.command else command, reason or None)
    if power is None:
        return Refused(None, None, None)
    return Refused(power.clause, next(iter(power.refusals.items()), None), power.clause)


def line(book: Book, thing: str, says: Says) -> str:
    """A row of the table in the language of scenarios, with the reading behind it."""
    allowed, source = says
    roles = [role for role in book.conduct.role_ids if role in allowed]
    who = "everybody" if roles == book.conduct.role_ids else f"only {', '.join(roles)}" if roles else "nobody"
    by = refused(book, thing)
    clause = "" if by.clause is None or who == "everybody" else f" by {by.clause}"
    particular = f", for {by.particular[0]} by {by.particular[1]}" if by.particular and clause else ""
    readings = re.findall(r"[A-Z]{1,2}-\d+", source)
    return f"{who} may {thing}{clause}{particular}" + (f"  # {', '.join(readings)}" if readings else "")


def written(book_id: str, shelf: Shelf) -> str:
    """All lines of a book, a scenario for each clause, in the order of the document."""
    book, rows = shelf.book(book_id), EXPECTED[book_id]
    groups: dict[str, list[str]] = {}
    for thing in rows:
        clause = refused(book, thing).clause or book.rules.limits.wagers
        assert clause is not None, f"{book_id} refuses {thing} by no clause"
        groups.setdefault(clause, []).append(thing)
    order = [*map(definition_number, book.definitions), *book.clauses]
    texts = [_scenario(book, clause, groups[clause], rows) for clause in sorted(groups, key=order.index)]
    return "\n\n".join([HEAD.rstrip(), *texts]) + "\n"


def _scenario(book: Book, clause: str, things: list[str], rows: dict[str, Says]) -> str:
    names = ["void" if thing.startswith("void ") else thing for thing in things]
    proves = dict.fromkeys([clause, *(done for thing in things if (done := refused(book, thing).done) is not None)])
    reasons = [thing.removeprefix("void ") for thing in things if thing.startswith("void ")]
    proves |= dict.fromkeys(reason for reason in reasons if reason in book.citable())
    return "\n".join(
        [
            f"scenario {clause.removeprefix('1.1 ')} Who may {', '.join(dict.fromkeys(names))}",
            f"book {book.id}",
            f"proves {', '.join(proves)}",
            *(line(book, thing, rows[thing]) for thing in things),
        ]
    )
