"""Periods that a register is of: a year, a month, a day, or from one day to another, where each table is at home."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime

import msgspec

from croupier.table.clock import local_day

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
