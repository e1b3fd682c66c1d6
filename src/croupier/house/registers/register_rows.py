"""The registers, with their columns and clauses; their rows; periods; and what a write changed at a table.

A `RegisterRow` holds times; the rows of a `Register` are text.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

import msgspec

from croupier.house.stored_events import Entry, moment
from croupier.rules.book import Book
from croupier.rules.game import Terms
from croupier.rules.prizes import Prizes
from croupier.rules.schema import NONE, Fact
from croupier.table.clock import local, local_day, named
from croupier.table.commands import Settings
from croupier.table.events import ActDone, AreaSettled, Noted, WagerReduced


class Column(NamedTuple):
    """A column: its id and heading. On paper it may be in small print `under` another."""

    id: str
    name: str
    under: str | None = None
    is_figure: bool = False


class Kind(NamedTuple):
    """A register: its id, title and purpose, and its own columns beside the common ones."""

    id: str
    title: str
    purpose: str
    own: tuple[Column, ...]

    @property
    def columns(self) -> tuple[Column, ...]:
        """All of its columns."""
        return (*EVERY, *self.own)


# Columns of every register.
EVERY = (
    Column("when", "When"),
    Column("where", "Where"),
    Column("book", "Book", under="where"),
    Column("clause", "Clause"),
    Column("who", "Who"),
    Column("title", "As", under="who"),
    Column("what", "What"),
)
CASE, AMOUNT, PATRON = Column("case", "Case"), Column("amount", "Amount", is_figure=True), Column("patron", "Patron")
WAY, FINDING = Column("way", "Way", under="case"), Column("finding", "Finding")
STANDING = Column("standing", "Status", under="finding")

KINDS = (
    Kind(
        "monthly_return",
        "Monthly return of wrong payments",
        "Every single wrong payment above the book's amount that was discovered in the period, as known at its end, or "
        "when the return was made if that was later.",
        (
            CASE,
            WAY,
            AMOUNT,
            Column("no_credit", "No credit", under="amount"),
            PATRON,
            FINDING,
            STANDING,
            Column("put_right", "Corrected"),
            Column("returned", "Return made"),
            Column("returned_by", "Made by", under="returned"),
        ),
    ),
    Kind(
        "wrong_payments",
        "Wrong payments",
        "Every step in every case of a wrong payment, of any amount.",
        (CASE, WAY, AMOUNT, PATRON, FINDING, STANDING, Column("due", "Still due")),
    ),
    Kind(
        "disputes",
        "Disputes and complaints",
        "What players and patrons disputed, who decided it and how, and complaints to an inspector.",
        (CASE, PATRON, Column("standing", "Status"), Column("decision", "Decision")),
    ),
    Kind(
        "exclusions",
        "Exclusions",
        "Who was excluded from a game, the casino or the house, by whom and until when, and what led to it.",
        (Column("person", "Person"), Column("from", "From"), Column("until", "Until")),
    ),
    Kind(
        "invalidated_outcomes",
        "Invalidated outcomes",
        "Outcomes that were declared invalid, and wagers that were found invalid, with what happened to the money.",
        (
            Column("reason", "Ground"),
            Column("person", "Players named"),
            Column("given_back", "Refunded", is_figure=True),
            Column("forfeited", "Forfeited", is_figure=True),
        ),
    ),
    Kind(
        "changes",
        "Changes of limits and pay tables",
        "Every change of the limits and units on the sign and of the pay table, with the sign that announced it and "
        "whether its notice was observed.",
        (
            Column("before", "Before"),
            Column("now", "Now"),
            Column("sign", "Sign"),
            Column("notice", "Notice", under="sign"),
        ),
    ),
    Kind(
        "malfunctions_and_notices",
        "Malfunctions and notices",
        "Faults of the equipment and what was done about them, and everything that an inspector had to be told.",
        (Column("about", "About"), Column("told", "Whom to tell"), Column("by_when", "By when", under="told")),
    ),
    Kind(
        "promotions",
        "Promotions",
        "Every step of every promotion, from its draft to its close.",
        (
            Column("award", "Award"),
            Column("amount", "Amount", is_figure=True),
            Column("told", "Notified"),
            Column("by_when", "By when", under="told"),
        ),
    ),
    Kind(
        "denied_claims",
        "Denied claims",
        "Claims to prizes that were denied, with the reason; above the book's amount with name and address.",
        (
            Column("claim", "Claim"),
            Column("award", "Award", under="claim"),
            Column("value", "Value", is_figure=True),
            Column("claimant", "Claimant"),
            Column("reason", "Reason"),
            Column("name", "Name"),
            Column("address", "Address", under="name"),
        ),
    ),
)
BY_ID = {kind.id: kind for kind in KINDS}


# Clauses behind a register

RETURN = "monthly_return"
_MONTH_END = "make_return"  # the effect of the act that makes the monthly return


def clauses_of(book: Book, register: str) -> tuple[str, ...]:
    """Return the clauses of a book behind a register, in the order of the book."""
    cited = set(_cited(book, register))
    return tuple(clause for clause in book.clauses if clause in cited)


def _cited(book: Book, register: str) -> Iterator[str]:
    for act in book.conduct.acts:
        if act.register == register or (register == RETURN and act.effect == _MONTH_END):
            yield act.clause
    invalidated, pay_table = book.rules.void.invalidated, book.rules.pay_table
    if register == "invalidated_outcomes" and invalidated is not None:
        yield from (invalidated.clause, *invalidated.grounds)
    if register == "changes":
        yield from (clause for clause in (pay_table.change_clause, pay_table.sign_clause) if clause is not None)
    if book.prizes is not None:
        yield from _PRIZES.get(register, _nothing)(book.prizes)


def _of_promotions(prizes: Prizes) -> tuple[str, ...]:
    parts = (prizes.scrutineer, prizes.alternative, prizes.payment, prizes.filing, prizes.amending)
    more = (prizes.availability, prizes.winners, prizes.integrity)
    return (prizes.clause, prizes.terms_clause, *(part.clause for part in (*parts, *more)))


def _of_denied(prizes: Prizes) -> tuple[str, ...]:
    return prizes.refusals.clause, prizes.refusals.keep_clause


def _of_disputes(prizes: Prizes) -> tuple[str, ...]:
    return (prizes.disputes.clause,)


def _of_notices(prizes: Prizes) -> tuple[str, ...]:
    return (prizes.integrity.clause,)


def _nothing(_prizes: Prizes) -> tuple[str, ...]:
    return ()


_PRIZES = {
    "promotions": _of_promotions,
    "denied_claims": _of_denied,
    "disputes": _of_disputes,
    "malfunctions_and_notices": _of_notices,
}


# Rows

Cell = str | datetime  # a time is written in the zone of the row

HOUSE = "the house"  # the actor if no person acts, and the place if it is not a table
KEPT_APART = "kept apart"  # names and addresses that the reader may not see
NOT_KEPT = "not kept"


class RegisterRow(msgspec.Struct, frozen=True, gc=False):
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


def row_of(register: str, entry: Entry, stream: str, where: str, what: str, **more: object) -> RegisterRow:
    """Return a row for a stored entry: when, by whom and under which title."""
    document = entry.document
    given = {"who": document.who, "title": document.role, **more}
    return RegisterRow(register, moment(document.at), stream, entry.version, where, what, **given)  # type: ignore[arg-type]


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
        say = (
            f"{_short(text)} is not a period: write a month such as 2026-11, a day, a year, or two days with / between."
        )
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


class TermsAndSign(NamedTuple):
    """The terms and the sign of a table."""

    terms: Terms
    sign: Settings


class TableWrite(NamedTuple):
    """What one write changed at a table. `changes` are facts; None is cleared."""

    book: Book
    at: datetime
    before: Facts
    changes: Mapping[str, Fact | None]
    was: TermsAndSign
    now: TermsAndSign
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
