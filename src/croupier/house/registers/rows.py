"""Rows of registers, before and after a period is chosen; periods; and the scene of a write at a table.

A `Row` holds times; the rows of a `Register` are text.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

import msgspec

from croupier.house.registers.kinds import Column
from croupier.house.stored_events import Entry, moment
from croupier.rules.book import Book
from croupier.rules.game import Terms
from croupier.rules.schema import NONE, Fact
from croupier.table.clock import local, local_day, named
from croupier.table.commands import Settings
from croupier.table.events import ActDone, AreaSettled, Noted, WagerReduced

Cell = str | datetime  # a time is written in the zone of the row

HOUSE = "the house"  # the actor if no person acts, and the place if it is not a table
KEPT_APART = "kept apart"  # names and addresses that the reader may not see
NOT_KEPT = "not kept"


class Row(msgspec.Struct, frozen=True, gc=False):
    """An entry for a register. Without a zone it uses the clock of the house.

    `claim` is the claim whose name and address are kept apart, if the row shows them.
    """

    register: str
    at: datetime
    stream: str
    version: int
    where: str
    what: str
    zone: str | None = None
    book: str | None = None
    clause: str | None = None
    who: str | None = None
    title: str | None = None
    cells: dict[str, Cell] = {}
    claim: str | None = None


class Register(msgspec.Struct, frozen=True):
    """A register of a period, ready to read: columns, and rows of text. `so_far` is set if the period is not over.

    `clauses` are the clauses that require it, book by book.
    """

    id: str
    title: str
    purpose: str
    period: str
    first: date
    last: date
    so_far: str | None
    clauses: dict[str, tuple[str, ...]]
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


def row_of(register: str, entry: Entry, stream: str, where: str, what: str, **more: object) -> Row:
    """Return a row for a stored entry: when, by whom and under which title."""
    document = entry.document
    given = {"who": document.who, "title": document.role, **more}
    return Row(register, moment(document.at), stream, entry.version, where, what, **given)  # type: ignore[arg-type]


def written(cell: Cell, zone: str) -> str:
    """Return a cell as printable text; a time with its UTC offset and the name of its zone."""
    if isinstance(cell, datetime):
        return f"{local(cell, zone).isoformat(sep=' ', timespec='seconds')} {named(cell, zone)}"
    return cell if cell.isprintable() else "".join(mark if mark.isprintable() else " " for mark in cell)


# Periods of a register: a year, a month, a day, or a range of days, each in the time zone of its table

_YEAR, _MONTH, _DAY = r"(\d{4})", r"(\d{4})-(\d{2})", r"\d{4}-\d{2}-\d{2}"
MOST_LETTERS = 21  # of two days with a slash between them


class PeriodError(ValueError):
    """The text is not a period; carries a message."""


class Period(msgspec.Struct, frozen=True):
    """A range of days, both included. `text` is how it was written."""

    text: str
    first: date
    last: date

    def has(self, at: datetime, zone: str) -> bool:
        """Return whether a moment is in it, in a time zone."""
        return self.first <= local_day(at, zone) <= self.last

    def is_before(self, at: datetime, zone: str) -> bool:
        """Return whether it is over at a moment, in a time zone."""
        return self.last < local_day(at, zone)


def read_period(text: str) -> Period:
    """Read a period such as 2026, 2026-11, 2026-11-15 or 2026-11-01/2026-11-15. Raises PeriodError."""
    try:
        first, last = _days(text)
    except (ValueError, IndexError):
        say = f"{_short(text)} is no period: it is a month such as 2026-11, a day, a year, or two days with / between."
        raise PeriodError(say) from None
    if last < first:
        raise PeriodError(f"{text} ends before it begins.")
    return Period(text, first, last)


def _days(text: str) -> tuple[date, date]:
    """Return the first and the last day. Raises ValueError."""
    if found := re.fullmatch(_YEAR, text, re.ASCII):
        return date(int(text), 1, 1), date(int(text), 12, 31)
    if found := re.fullmatch(_MONTH, text, re.ASCII):
        year, month = int(found[1]), int(found[2])
        first = date(year, month, 1)
        return first, date(year, month, monthrange(year, month)[1])
    if re.fullmatch(rf"{_DAY}(?:/{_DAY})?", text, re.ASCII):
        days = [date.fromisoformat(day) for day in text.split("/")]
        return days[0], days[-1]
    raise ValueError(text)


def _short(text: str) -> str:
    """Return enough of the input to recognise it."""
    shown = "".join(mark if mark.isprintable() else "?" for mark in text[:MOST_LETTERS])
    return f'"{shown}…"' if len(text) > MOST_LETTERS else f'"{shown}"'


# One write at a table: facts before and after, the sign, what was returned

Facts = Mapping[str, Fact]


class Standing(NamedTuple):
    """The terms and the sign of a table."""

    terms: Terms
    sign: Settings


class Scene(NamedTuple):
    """What one write changed at a table. `changes` are facts; None is cleared."""

    book: Book
    at: datetime
    before: Facts
    changes: Mapping[str, Fact | None]
    was: Standing
    now: Standing
    happened: tuple[Any, ...]

    def fact(self, name: str) -> Fact | None:
        """Return a fact after the write."""
        return self.changes[name] if name in self.changes else self.before.get(name)

    def text(self, name: str) -> str:
        """Return a fact as text; empty if there is none."""
        value = self.fact(name)
        return "" if value is None or value == NONE else str(value)

    @property
    def given_back(self) -> int:
        """Cents returned to players without a result."""
        settled = sum(stake[3] for event in self._settled("void") for stake in event.stakes)
        return settled + sum(event.amount for event in self.happened if isinstance(event, WagerReduced))

    @property
    def forfeited(self) -> int:
        """Cents that players lost by it."""
        return sum(stake[1] for event in self._settled("lose") for stake in event.stakes)

    def _settled(self, result: str) -> Iterable[AreaSettled]:
        return (event for event in self.happened if isinstance(event, AreaSettled) and event.result == result)


def changed(happened: Iterable[Any]) -> dict[str, Fact | None]:
    """Return all facts that events set, or clear (None)."""
    told = (event for event in happened if isinstance(event, ActDone | Noted))
    return {name: fact for event in told for name, fact in event.facts.items()}
