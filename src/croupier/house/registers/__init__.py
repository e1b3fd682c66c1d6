"""All registers of a house, from the entries of its streams. The same entries and period make the same text.

Everything is entered in one pass over each stream, and reading can continue with later entries. No clock is read: the
newest event shows whether a period is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from croupier.house.names import ACCOUNTS, PROMOTIONS, TABLES, name_of, table_stream
from croupier.house.registers.entries import AccountReading, TableReading
from croupier.house.registers.promotion_rows import PromotionReading
from croupier.house.registers.register_rows import (
    BY_ID,
    HOUSE,
    KEPT_APART,
    KINDS,
    Cell,
    Kind,
    Period,
    Register,
    RegisterRow,
    clauses_of,
    written,
)
from croupier.house.stored_events import Entry, moment
from croupier.rules.book import Book
from croupier.rules.shelf import Shelf
from croupier.table.clock import UNIVERSAL

STREAMS = (TABLES, ACCOUNTS, PROMOTIONS)  # sources of the registers
NOTHING_YET = "so far: nothing has happened in this house yet"

# Names and addresses, by promotion and claim.
Claimants = Mapping[tuple[str, str], tuple[str, str]]
Reading = TableReading | AccountReading | PromotionReading


class Scope(msgspec.Struct, frozen=True):
    """What a register is limited to: a table, or everything played and promoted under a book."""

    table: str | None = None
    book: str | None = None


EVERYTHING = Scope()


class ScopeError(Exception):
    """Nothing can match the scope; carries a message."""


class Registers:
    """The registers of a house, as far as its streams were read."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._readings: dict[str, Reading] = {}
        self._opened: dict[str, tuple[str, str]] = {}  # by stream, its start: the first table sets the house's zone
        self._newest = ""

    def take_in(self, stream: str, entries: Iterable[Entry]) -> None:
        """Continue with new entries of a stream."""
        reading = self._readings.get(stream)
        if reading is None:
            reading = self._readings[stream] = self._begun(stream)
        reading.take_in(self._noticed(stream, entries))

    def _begun(self, stream: str) -> Reading:
        if stream.startswith(TABLES):
            return TableReading(self._shelf, stream)
        return AccountReading(stream) if stream.startswith(ACCOUNTS) else PromotionReading(self._shelf, stream)

    def _noticed(self, stream: str, entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            self._newest = max(self._newest, entry.document.at)  # stored times compare as text
            self._opened.setdefault(stream, (entry.document.at, stream))
            yield entry

    # Making registers

    def made(self, period: Period, scope: Scope = EVERYTHING, claimants: Claimants | None = None) -> list[Register]:
        """Make every register of a period. Without claimants, names and addresses are left out. Raises ScopeError."""
        return [self.register(kind.id, period, scope, claimants) for kind in KINDS]

    def register(
        self,
        register: str,
        period: Period,
        scope: Scope = EVERYTHING,
        claimants: Claimants | None = None,
    ) -> Register:
        """Make one register. Raises ScopeError."""
        self._expect_something(scope)
        for reading in self._readings.values():
            if isinstance(reading, TableReading):
                reading.close()
        kind, zone, books = BY_ID[register], self._zone(), self._books(scope)
        rows = sorted(self._rows(kind, period, scope, zone), key=lambda row: (row.at, row.stream, row.version))
        cited = {book.id: clauses_of(book, kind.id) for book in books}
        return Register(
            id=kind.id,
            title=kind.title,
            purpose=kind.purpose,
            period=period.text,
            first=period.first,
            last=period.last,
            so_far=self._so_far(period, zone, books),
            clauses={book: clauses for book, clauses in cited.items() if clauses},
            columns=kind.columns,
            rows=tuple(_shown(kind, row, zone, claimants) for row in rows),
        )

    def _rows(self, kind: Kind, period: Period, scope: Scope, zone: str) -> Iterator[RegisterRow]:
        for reading in self._readings.values():
            returned = reading.returned(period) if isinstance(reading, TableReading) else ()
            for row in (*reading.rows, *returned):
                if row.register == kind.id and period.has(row.at, row.zone or zone) and _is_within(row, scope):
                    yield row

    def _books(self, scope: Scope) -> list[Book]:
        """Return the books of the tables and promotions in the scope, by id."""
        found: dict[str, Book] = {}
        for stream, reading in self._readings.items():
            book = None if isinstance(reading, AccountReading) else reading.book
            elsewhere = scope.table is not None and stream != table_stream(scope.table)
            if book is not None and scope.book in (None, book.id) and not elsewhere:
                found[book.id] = book
        return [found[book] for book in sorted(found)]

    def _expect_something(self, scope: Scope) -> None:
        """Check that the table is played under the book, if both are named. Raises ScopeError."""
        if scope.table is None or scope.book is None:
            return
        reading = self._readings.get(table_stream(scope.table))
        book = reading.book if isinstance(reading, TableReading) else None
        if book is not None and book.id != scope.book:
            raise ScopeError(f"{scope.table} is not played by the book {scope.book}: name the table or the book.")

    def _zone(self) -> str:
        """Return the time zone of the house: that of its first table."""
        tables = {
            opened: self._readings[stream] for stream, opened in self._opened.items() if stream.startswith(TABLES)
        }
        for opened in sorted(tables):
            book = getattr(tables[opened], "book", None)
            if isinstance(book, Book):
                return book.rules.book.timezone
        return UNIVERSAL

    def _so_far(self, period: Period, zone: str, books: list[Book]) -> str | None:
        """Return how far a period has come, if it is not over everywhere."""
        if not self._newest:
            return NOTHING_YET
        newest = moment(self._newest)
        zones = {zone, *(book.rules.book.timezone for book in books)}
        if all(period.is_before(newest, each) for each in zones):
            return None
        return f"so far, up to {written(newest, zone)}"


def _is_within(row: RegisterRow, scope: Scope) -> bool:
    return scope.book in (None, row.book) and (scope.table is None or row.stream == table_stream(scope.table))


def _shown(kind: Kind, row: RegisterRow, zone: str, claimants: Claimants | None) -> tuple[str, ...]:
    """Return a row, column by column, as text."""
    own = row.zone or zone
    common: dict[str, Cell] = {
        "when": row.at,
        "where": row.where,
        "book": row.book or "",
        "clause": row.clause or "",
        "who": row.who or HOUSE,
        "title": row.title or "",
        "what": row.what,
    }
    cells = common | row.cells | _named(row, claimants)
    return tuple(written(cells.get(column.id, ""), own) for column in kind.columns)


def _named(row: RegisterRow, claimants: Claimants | None) -> dict[str, Cell]:
    if row.claim is None:
        return {}
    apart = (KEPT_APART, KEPT_APART)
    name, address = apart if claimants is None else claimants.get((name_of(row.stream), row.claim), apart)
    return {"name": name, "address": address}
