"""A table as the house runs it: the game, who runs it, and the round of a table that runs by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

import msgspec

from croupier.felt.results import Result, with_results
from croupier.house import events
from croupier.house.alerts import Alert, Answered, answered, raised
from croupier.house.documents import Entry, moment
from croupier.house.events import Rhythm
from croupier.table.events import OutcomeInvalidated, Thrown, ThrowVoided
from croupier.table.evolve import evolve_all
from croupier.table.state import State


class Round(msgspec.Struct, frozen=True, gc=False):
    """A round of a table that runs by itself. `shut` is the hash of the record that shut the bets."""

    number: int
    commitment: str
    closes: datetime
    last_called: bool = False
    shut: bytes | None = None
    shut_at: datetime | None = None


class TableState(msgspec.Struct, frozen=True, gc=False):
    """Everything that matters for what may happen at the table next."""

    name: str = ""
    title: str = ""
    game: State = State()
    rhythm: Rhythm | None = None
    staff: dict[str, str] = {}
    round: Round | None = None
    rounds: int = 0
    shown_until: datetime | None = None
    results: tuple[Result, ...] = ()
    alerts: tuple[Alert, ...] = ()
    answered: tuple[Answered, ...] = ()

    @property
    def is_set(self) -> bool:
        """Whether there is such a table."""
        return bool(self.name)

    @property
    def is_shut(self) -> bool:
        """Whether the bets of the round are shut, at a table that runs by itself."""
        return self.round is not None and self.round.shut is not None


_FELL = (Thrown, ThrowVoided, OutcomeInvalidated)  # what the results display shows


def evolve(table: TableState, entries: Iterable[Entry]) -> TableState:
    """The table after these events."""
    game: list[Any] = []
    for entry in entries:
        apply = _APPLY.get(type(entry.document.event))
        if apply is None:
            game.append(entry.document.event)
        else:
            table = apply(table, entry.document.event, entry)
    if not game:
        return table
    results = table.results
    if any(type(event) in _FELL for event in game):
        results = with_results(results, table.game.phases, game)
    return msgspec.structs.replace(table, game=evolve_all(table.game, game), results=results)


def _set(table: TableState, event: events.TableSet, entry: Entry) -> TableState:
    return msgspec.structs.replace(table, name=event.table, title=event.title, rhythm=event.rhythm)


def _came(table: TableState, event: events.StaffCame, entry: Entry) -> TableState:
    return msgspec.structs.replace(table, staff={**table.staff, event.person: event.role})


def _went(table: TableState, event: events.StaffWent, entry: Entry) -> TableState:
    staff = {person: role for person, role in table.staff.items() if person != event.person}
    return msgspec.structs.replace(table, staff=staff)


def _opened(table: TableState, event: events.RoundOpened, entry: Entry) -> TableState:
    current = Round(event.number, event.commitment, moment(event.closes))
    return msgspec.structs.replace(table, round=current, rounds=event.number, shown_until=None)


def _last_called(table: TableState, event: events.LastCalled, entry: Entry) -> TableState:
    assert table.round is not None
    called = msgspec.structs.replace(table.round, last_called=True, closes=moment(event.closes))
    return msgspec.structs.replace(table, round=called)


def _shut(table: TableState, event: events.BetsShut, entry: Entry) -> TableState:
    assert table.round is not None
    shut = msgspec.structs.replace(table.round, shut=entry.hash, shut_at=moment(entry.document.at))
    return msgspec.structs.replace(table, round=shut)


def _drawn(table: TableState, event: events.DiceDrawn, entry: Entry) -> TableState:
    return msgspec.structs.replace(table, round=None, shown_until=moment(event.shown_until))


def _cancelled(table: TableState, event: events.RoundCancelled, entry: Entry) -> TableState:
    return msgspec.structs.replace(table, round=None)


def _alert_raised(table: TableState, event: events.AlertRaised, entry: Entry) -> TableState:
    return msgspec.structs.replace(table, alerts=(*table.alerts, raised(event, entry)))


def _alert_answered(table: TableState, event: events.AlertAnswered, entry: Entry) -> TableState:
    still, lately = answered(table.alerts, table.answered, event, entry)
    return msgspec.structs.replace(table, alerts=still, answered=lately)


_APPLY: dict[type, Callable[[TableState, Any, Entry], TableState]] = {
    events.TableSet: _set,
    events.StaffCame: _came,
    events.StaffWent: _went,
    events.RoundOpened: _opened,
    events.LastCalled: _last_called,
    events.BetsShut: _shut,
    events.DiceDrawn: _drawn,
    events.RoundCancelled: _cancelled,
    events.AlertRaised: _alert_raised,
    events.AlertAnswered: _alert_answered,
}
