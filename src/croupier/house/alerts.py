"""Alerts, which stay until someone answers them, and the signs that some of them are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from croupier.contract import replies
from croupier.house.events import AlertAnswered, AlertRaised
from croupier.house.stored_events import Entry, stamp
from croupier.money import format_cents
from croupier.rules.book import Book
from croupier.rules.schema import Fact
from croupier.table.clock import utc_moment

DONE = "The sign has done its work."  # the note of the house when a sign with an alert is acted on
REPLACED = "Another sign took its place."
WITHDRAWN = "The sign was withdrawn."
LATELY = 20  # answered alerts that a table keeps in memory; its stream has all of them


class Alert(msgspec.Struct, frozen=True, gc=False):
    """An alert, identified by the number of the event that raised it: a title, a message, when and by whom.

    With `due` it becomes an alert only then. `sign` is the fact of the sign that it is about.
    """

    event: int
    words: str
    tells: str
    clause: str | None
    at: str
    who: str | None
    due: str | None = None
    sign: str | None = None


class Answered(msgspec.Struct, frozen=True, gc=False):
    """An answered alert: by whom, when, and with what note."""

    alert: Alert
    at: str
    who: str | None
    note: str


def raised(event: AlertRaised, entry: Entry) -> Alert:
    """Return the alert that an event raised."""
    document = entry.document
    return Alert(
        entry.version, event.words, event.tells, event.clause, document.at, document.who, event.due, event.sign
    )


def answered(
    still: tuple[Alert, ...], lately: tuple[Answered, ...], event: AlertAnswered, entry: Entry
) -> tuple[tuple[Alert, ...], tuple[Answered, ...]]:
    """Return the open and the recently answered alerts after this answer."""
    document = entry.document
    done = tuple(
        Answered(alert, document.at, document.who, event.note) for alert in still if alert.event == event.event
    )
    return tuple(alert for alert in still if alert.event != event.event), (*lately, *done)[-LATELY:]


def is_due(alert: Alert, now: str) -> bool:
    """Return whether the alert is due; stored times compare as text."""
    return alert.due is None or alert.due <= now


# Signs at a table announce something: a higher minimum, the closing. Each has its period of notice.

MINIMUM, CLOSING = "next minimum", "closing sign"  # the facts that hold them
CLOSING_TIME = "closing time"
NOTICE = "minutes of notice"


class Sign(msgspec.Struct, frozen=True):
    """A sign: what it announces, when it went up, the time that it states, and when it may be acted on.

    `fact` is the name of its fact; `wager` is the wager of a minimum, None for all wagers.
    """

    fact: str
    announces: Literal["minimum", "closing"]
    shown: datetime
    states: datetime
    holds: datetime
    wager: str | None = None
    minimum: int | None = None


def show_sign(sign: Sign) -> replies.Sign:
    """Return the public form of a sign."""
    minimum = None if sign.minimum is None else format_cents(sign.minimum)
    return replies.Sign(sign.announces, stamp(sign.shown), stamp(sign.states), stamp(sign.holds), sign.wager, minimum)


def signs_up(book: Book, facts: Mapping[str, Fact | None]) -> list[Sign]:
    """Return the signs that are up, by the table's facts; first the one that may be acted on first."""
    return sorted([*_minimums(book, facts), *_closing(book, facts)], key=lambda sign: (sign.holds, sign.fact))


def _minimums(book: Book, facts: Mapping[str, Fact | None]) -> Iterator[Sign]:
    for fact, cents in facts.items():
        shown, states = facts.get(f"{fact} shown"), facts.get(f"{fact} from")
        if fact.startswith(MINIMUM) and isinstance(cents, int) and shown is not None and states is not None:
            wager = fact.removeprefix(MINIMUM).strip() or None
            yield _sign(book, fact, "minimum", shown, states, wager, cents)


def _closing(book: Book, facts: Mapping[str, Fact | None]) -> Iterator[Sign]:
    shown, states = facts.get(CLOSING), facts.get(CLOSING_TIME)
    if shown is not None and states is not None and facts.get("table") is None:  # no notice once the table closes
        yield _sign(book, CLOSING, "closing", shown, states)


def _sign(
    book: Book,
    fact: str,
    announces: Literal["minimum", "closing"],
    shown: Fact,
    states: Fact,
    wager: str | None = None,
    minimum: int | None = None,
) -> Sign:
    """Return a sign; it takes effect at the time that it states, but not before its notice is over."""
    zone, notice = book.rules.book.timezone, book.conduct.facts.get(NOTICE, 0)
    since, stated = (utc_moment(datetime.fromisoformat(str(each)), zone) for each in (shown, states))
    noticed = _later(since, int(notice))
    return Sign(fact, announces, since, stated, max(stated, noticed), wager, minimum)


def _later(since: datetime, minutes: int) -> datetime:
    try:
        return since + timedelta(minutes=minutes)
    except OverflowError:  # past the last representable time
        return since
