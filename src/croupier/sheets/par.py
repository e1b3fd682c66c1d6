"""What a PAR sheet says: the probability accounting report of one book, as a plain document for any form.

The order is that of a file in which the mathematics of a game is handed over: which document it is, how to read the
figures, the figures at a glance, all of them, how they come about, and how doubtful clauses were read.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.maths.rows import Analysis
from croupier.rules.book import Book
from croupier.rules.game import WHOLE_TABLE, Terms, read_pay_table
from croupier.rules.shelf import Shelf
from croupier.sheets.digest import digest
from croupier.sheets.document import Document, Facts, Section, Words
from croupier.sheets.par_notes import CLOSING, NET_RESULTS, about_readings, about_sessions, how_to_read
from croupier.sheets.par_readings import reading_groups
from croupier.sheets.par_session import sessions
from croupier.sheets.par_wagers import (
    edge_and_volatility,
    is_asked_for,
    lines_of,
    net_results,
    rolls_to_decision,
    wager_table,
)
from croupier.sheets.wording import day

KIND = "PAR sheet"


def par_sheet(shelf: Shelf, book_id: str, version: str, pay_table: str | None = None) -> Document:
    """The sheet of a book, under every approved pay-table value or those asked for. Raises PayTableError."""
    terms = shelf.terms(book_id, read_pay_table(pay_table))
    book = shelf.book(book_id)
    mark = digest(book)
    return Document(
        kind=KIND,
        title=book.rules.book.title,
        identity=identity(book, mark, version, pay_table),
        sections=tuple(_sections(shelf, terms, None if pay_table is None else values_of(terms))),
        closing=CLOSING,
        foot=f"{book.id} · digest {mark[:16]} · croupier {version}",
    )


def values_of(terms: Terms) -> set[str]:
    """The pay-table values under these terms, as rows name them: `two`, `hardway.4=6`."""
    return {option if name == WHOLE_TABLE else f"{name}={option}" for name, option in terms.choices}


def identity(book: Book, mark: str, version: str, pay_table: str | None) -> Facts:
    """Which document this is about, and from what it was computed."""
    names = book.rules.book
    displayed = f"{pay_table}, and no other" if pay_table else "every approved value"
    facts: list[tuple[str, tuple[str, ...]]] = [
        ("Game", (names.game,)),
        ("Book", (names.id if names.extends is None else f"{names.id}, which extends {names.extends}",)),
        ("Jurisdiction", (names.jurisdiction,)),
        ("Casino", (names.casino,)),
        ("Regulator", (names.regulator,)),
        ("Instrument", (names.instrument,)),
        ("Signed", (day(names.signed) if names.signed else "undated",)),
        ("Takes effect", (names.takes_effect,)),
        ("Pay table", (displayed,) if book.rules.pay_table.choices else ()),
        ("Damage", tuple(names.damage) or ("none known",)),
        ("Digest of the book", (f"SHA-256 {mark}",)),
        ("Software", (f"croupier {version}",)),
    ]
    return Facts(tuple((label, said) for label, said in facts if said))


def _sections(shelf: Shelf, terms: Terms, values: set[str] | None) -> Iterator[Section]:
    analysis = Analysis(shelf, terms.book)
    book = analysis.book
    throws = f"{book.rules.throw.command}s"
    lines = lines_of(analysis, values)
    yield Section("How to read this sheet", (Words(how_to_read(book, lines, throws)),))
    yield Section("At a glance", (edge_and_volatility(lines),))
    yield Section("All wagers", (wager_table(lines, throws),))
    lengths = rolls_to_decision(lines, throws)
    if lengths is not None:
        yield Section(f"{throws.capitalize()} to decision", (lengths,))
    results = net_results(lines)
    if results is not None:
        yield Section("Net results", (Words((NET_RESULTS,)), results))
    pictures, table = sessions(shelf.game(terms), lines, values_of(terms), throws)
    yield Section("Sessions", (Words((about_sessions(throws),)), pictures, table), together=True)
    rows = [row for row in analysis.rows() if is_asked_for(row.pay_table, values)]
    groups = reading_groups(shelf, book, rows)
    about = Words((about_readings(book, {group.title for group in groups}),))
    yield Section("Readings taken that touch money", (about, *groups))
