"""Alerts: what happened at a table that somebody must answer for. They stay until somebody does, with who and when."""

from __future__ import annotations

import msgspec

from croupier.house.documents import Entry
from croupier.house.events import AlertAnswered, AlertRaised

DONE = "The sign has done its work."  # what the house notes where a sign that an alert is about was acted on
REPLACED = "Another sign took its place."
WITHDRAWN = "The sign was withdrawn."
LATELY = 20  # so many answered alerts are remembered at each table; all of them are in its stream


class Alert(msgspec.Struct, frozen=True, gc=False):
    """An alert, called by the number of the event that raised it: in short, in a sentence, when and by whose doing.

    With `due` it is one only from then on. `sign` is the fact of the sign that it is about.
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
    """An alert that somebody answered for: who, when, and what they say of it."""

    alert: Alert
    at: str
    who: str | None
    note: str


def raised(event: AlertRaised, entry: Entry) -> Alert:
    """What the table remembers of an alert."""
    document = entry.document
    return Alert(
        entry.version, event.words, event.tells, event.clause, document.at, document.who, event.due, event.sign
    )


def answered(
    still: tuple[Alert, ...], lately: tuple[Answered, ...], event: AlertAnswered, entry: Entry
) -> tuple[tuple[Alert, ...], tuple[Answered, ...]]:
    """The alerts that wait, and those answered lately, once this one is answered."""
    document = entry.document
    done = tuple(
        Answered(alert, document.at, document.who, event.note) for alert in still if alert.event == event.event
    )
    return tuple(alert for alert in still if alert.event != event.event), (*lately, *done)[-LATELY:]


def is_due(alert: Alert, now: str) -> bool:
    """Whether it is an alert already: times are stored so that they can be compared as texts."""
    return alert.due is None or alert.due <= now
