"""Rows of registers, before a period is chosen and after: the first know moments, the second are text."""

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
from croupier.rules.facts import NONE, Fact
from croupier.rules.game import Terms
from croupier.table.clock import local, local_day, named
from croupier.table.commands import Settings
from croupier.table.events import ActDone, AreaSettled, Noted, WagerReduced

Cell = str | datetime  # a time is written by the clock of the row

HOUSE = "the house"  # who acts where nobody does, and where it is that is at no table
KEPT_APART = "kept apart"  # names and addresses that are nobody's business here
NOT_KEPT = "not kept"


class Row(msgspec.Struct, frozen=True, gc=False):
    """Something that belongs into a register. Without a zone it happened by the clock of the house.

    `claim` is the claim whose name and address are kept apart, where the row has a place for them.
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
    """A register of a period, ready to be read: columns, and rows of text. `so_far` says how far it goes if not over.

    `clauses` are what the books say that it is kept for, book by book.
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
    """A row of what was stored: when, and by whom in which title."""
    document = entry.document
    given = {"who": document.who, "title": document.role, **more}
    return Row(register, moment(document.at), stream, entry.version, where, what, **given)  # type: ignore[arg-type]


def written(cell: Cell, zone: str) -> str:
    """A cell as text that can be seen: a time with its zone, how far that is from universal time and its name."""
    if isinstance(cell, datetime):
        return f"{local(cell, zone).isoformat(sep=' ', timespec='seconds')} {named(cell, zone)}"
    return cell if cell.isprintable() else "".join(mark if mark.isprintable() else " " for mark in cell)


# -- periods ----------------------------------------------------------------------------------------------------------
# Periods that a register is of: a year, a month, a day, or from one day to another, where each table is at home.

_YEAR, _MONTH, _DAY = r"(\d{4})", r"(\d{4})-(\d{2})", r"\d{4}-\d{2}-\d{2}"
MOST_LETTERS = 21  # of two days with a slash between them


class PeriodError(ValueError):
    """The text is no period; carries a sentence."""


class Period(msgspec.Struct, frozen=True):
    """From a day to another, both included. `text` is how it was asked for."""

    text: str
    first: date
    last: date

    def has(self, at: datetime, zone: str) -> bool:
        """Whether a moment is in it, by the clock of a zone."""
        return self.first <= local_day(at, zone) <= self.last

    def is_before(self, at: datetime, zone: str) -> bool:
        """Whether it is over at a moment, by the clock of a zone."""
        return self.last < local_day(at, zone)


def read_period(text: str) -> Period:
    """A period such as 2026, 2026-11, 2026-11-15 or 2026-11-01/2026-11-15. Raises PeriodError."""
    try:
        first, last = _days(text)
    except (ValueError, IndexError):
        say = f"{_short(text)} is no period: it is a month such as 2026-11, a day, a year, or two days with / between."
        raise PeriodError(say) from None
    if last < first:
        raise PeriodError(f"{text} ends before it begins.")
    return Period(text, first, last)


def _days(text: str) -> tuple[date, date]:
    """The first and the last day. Raises ValueError."""
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
    """So much of what was typed that somebody finds it again."""
    shown = "".join(mark if mark.isprintable() else "?" for mark in text[:MOST_LETTERS])
    return f'"{shown}…"' if len(text) > MOST_LETTERS else f'"{shown}"'


# -- scenes -----------------------------------------------------------------------------------------------------------
# One write at a table: what it remembered before and after, what its sign said, what went back to whom.

Facts = Mapping[str, Fact]


class Standing(NamedTuple):
    """Under which terms a table plays, and what its sign says."""

    terms: Terms
    sign: Settings


class Scene(NamedTuple):
    """What one write changed at a table. `changes` are facts; None is forgotten."""

    book: Book
    at: datetime
    before: Facts
    changes: Mapping[str, Fact | None]
    was: Standing
    now: Standing
    happened: tuple[Any, ...]

    def fact(self, name: str) -> Fact | None:
        """What the table remembers under a name after the write."""
        return self.changes[name] if name in self.changes else self.before.get(name)

    def text(self, name: str) -> str:
        """The same as text; nothing where nothing is remembered."""
        value = self.fact(name)
        return "" if value is None or value == NONE else str(value)

    @property
    def given_back(self) -> int:
        """What went back to players without a result, in cents."""
        settled = sum(stake[3] for event in self._settled("void") for stake in event.stakes)
        return settled + sum(event.amount for event in self.happened if isinstance(event, WagerReduced))

    @property
    def forfeited(self) -> int:
        """What players lost with it, in cents."""
        return sum(stake[1] for event in self._settled("lose") for stake in event.stakes)

    def _settled(self, result: str) -> Iterable[AreaSettled]:
        return (event for event in self.happened if isinstance(event, AreaSettled) and event.result == result)


def changed(happened: Iterable[Any]) -> dict[str, Fact | None]:
    """All that a table remembers anew, or forgets (None)."""
    told = (event for event in happened if isinstance(event, ActDone | Noted))
    return {name: fact for event in told for name, fact in event.facts.items()}
