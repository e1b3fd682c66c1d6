"""The state of a table, evolved from its events: the game, its staff, and the round of a self-running table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

import msgspec

from croupier.felt.past_results import Place, Result, taken_back, with_results
from croupier.house import events
from croupier.house.alerts import Alert, Answered, answered, raised
from croupier.house.events import Rhythm
from croupier.house.stored_events import Entry, moment
from croupier.rules.outcomes import Faces
from croupier.table.events import (
    ActDone,
    AreaSettled,
    Noted,
    OutcomeInvalidated,
    PlayerLeft,
    PlayResumed,
    ResultTakenBack,
    Thrown,
    ThrowVoided,
)
from croupier.table.evolve import evolve_all
from croupier.table.state import State


class Round(msgspec.Struct, frozen=True, gc=False):
    """A round of a self-running table. `shut` is the hash of the record that shut the bets.

    `numbers` maps the commitments of players' numbers to the numbers, "" until revealed; `players` maps players to
    their commitments. A `brief` round takes no bets, and its betting time is zero.
    `calls` counts last calls: another is made if the bets could not be shut in time.
    A round that `waits` has no time to close before the first bet. `ready` are the players who are ready.
    """

    number: int
    commitment: str
    closes: datetime
    last_called: bool = False
    shut: bytes | None = None
    shut_at: datetime | None = None
    protocol: int = 1
    brief: bool = False
    numbers: dict[str, str] = {}
    players: dict[str, str] = {}
    calls: int = 0
    opened: datetime = datetime.min.replace(tzinfo=UTC)
    waits: bool = False
    ready: frozenset[str] = frozenset()

    @property
    def in_order(self) -> list[tuple[str, str]]:
        """Commitments with their numbers, in the order in which they determine the dice."""
        return sorted(self.numbers.items())


class Marked(msgspec.Struct, frozen=True, gc=False):
    """When the table recorded a fact, and who caused it; None: the house itself."""

    at: str
    who: str | None


class TableState(msgspec.Struct, frozen=True, gc=False):
    """Everything that decides what may happen at the table next.

    `marks` say when each fact of the game was recorded, and by whom; `duties_answered` are ids of duties that someone
    answered for. `wrong` is a result that was undone and not yet replaced. `time` is that of the newest record and
    never goes back; `since` is that of the first.
    `contributors` numbers everyone who ever committed a number or was ready here, from 1; `lately` are those who
    committed one in the previous round. `away` are players whose page is closed, and since when.
    """

    name: str = ""
    title: str = ""
    game: State = State()
    rhythm: Rhythm | None = None
    staff: dict[str, str] = {}
    round: Round | None = None
    rounds: int = 0
    shown_until: datetime | None = None
    results: tuple[Result, ...] = ()
    wrong: Faces = ()
    alerts: tuple[Alert, ...] = ()
    answered: tuple[Answered, ...] = ()
    duties_answered: tuple[str, ...] = ()
    marks: dict[str, Marked] = {}
    since: str = ""
    time: str = ""
    contributors: dict[str, int] = {}
    lately: frozenset[str] = frozenset()
    away: dict[str, datetime] = {}

    def later(self, at: datetime) -> datetime:
        """Return the time for a new event: the clock's, or that of the newest record if the clock is behind it."""
        return max(at, moment(self.time)) if self.time else at

    def has_reached(self, at: datetime) -> bool:
        """Return whether the newest record is at or after that time."""
        return bool(self.time) and moment(self.time) >= at

    @property
    def is_set(self) -> bool:
        """Whether the table exists."""
        return bool(self.name)

    @property
    def is_shut(self) -> bool:
        """Whether the bets of the round are shut, at a self-running table."""
        return self.round is not None and self.round.shut is not None


# Events that change the results display; streaks are settled without a throw, too.
_FELL = (Thrown, AreaSettled, ThrowVoided, OutcomeInvalidated, ResultTakenBack)
_NOTING = (ActDone, Noted, ResultTakenBack, PlayResumed)  # events that record facts


def evolve(table: TableState, entries: Iterable[Entry]) -> TableState:
    """Return the table after these events."""
    game: list[Any] = []
    noted: list[Entry] = []
    places: list[Place] = []  # of each throw
    time = table.time
    for entry in entries:
        time = max(time, entry.document.at)
        event = entry.document.event
        apply = _APPLY.get(type(event))
        if apply is None:
            game.append(event)
            if type(event) is PlayerLeft and event.player in table.away:
                table = _present(table, event.player)
            elif type(event) in _NOTING:
                noted.append(entry)
            elif type(event) is Thrown:
                places.append(Place(None if table.rhythm is None else table.rounds, entry.version))
        else:
            table = apply(table, event, entry)
    if time != table.time:
        table = msgspec.structs.replace(table, time=time)
    if not game:
        return table
    results, wrong = table.results, table.wrong
    if any(type(event) in _FELL for event in game):
        results, wrong = with_results(results, table.game.phases, game, wrong, places), taken_back(wrong, game)
    table = msgspec.structs.replace(table, game=evolve_all(table.game, game), results=results, wrong=wrong)
    return msgspec.structs.replace(table, marks=_marked(table, noted)) if noted else table


def _marked(table: TableState, noted: list[Entry]) -> dict[str, Marked]:
    """Return the marks of all recorded facts; taken event by event, so that batch size never matters."""
    marks = dict(table.marks)
    for entry in noted:
        event, document = entry.document.event, entry.document
        assert isinstance(event, _NOTING)
        for name, fact in event.facts.items():
            if fact is None:
                marks.pop(name, None)
            else:
                marks[name] = Marked(document.at, document.who)
    return marks


def _set(table: TableState, event: events.TableSet, entry: Entry) -> TableState:
    return msgspec.structs.replace(
        table, name=event.table, title=event.title, rhythm=event.rhythm, since=entry.document.at
    )


def _came(table: TableState, event: events.StaffCame, entry: Entry) -> TableState:
    return msgspec.structs.replace(table, staff={**table.staff, event.person: event.role})


def _went(table: TableState, event: events.StaffWent, entry: Entry) -> TableState:
    staff = {person: role for person, role in table.staff.items() if person != event.person}
    return msgspec.structs.replace(table, staff=staff)


def _player_away(table: TableState, event: events.PlayerAway, entry: Entry) -> TableState:
    return msgspec.structs.replace(table, away={**table.away, event.player: moment(entry.document.at)})


def _player_back(table: TableState, event: events.PlayerBack, entry: Entry) -> TableState:
    return _present(table, event.player)


def _present(table: TableState, player: str) -> TableState:
    away = {person: since for person, since in table.away.items() if person != player}
    return msgspec.structs.replace(table, away=away)


def _opened(table: TableState, event: events.RoundOpened, entry: Entry) -> TableState:
    brief = event.protocol > 1 and event.closes == event.opened
    current = Round(
        event.number,
        event.commitment,
        moment(event.closes),
        protocol=event.protocol,
        brief=brief,
        opened=moment(entry.document.at),
        waits=event.waits,
    )
    return msgspec.structs.replace(table, round=current, rounds=event.number, shown_until=None)


def _clock_set(table: TableState, event: events.ClockSet, entry: Entry) -> TableState:
    assert table.round is not None
    waits = event.closes is None
    closes = table.round.closes if event.closes is None else moment(event.closes)
    current = msgspec.structs.replace(table.round, waits=waits, closes=closes, last_called=False)
    return msgspec.structs.replace(table, round=current)


def _last_called(table: TableState, event: events.LastCalled, entry: Entry) -> TableState:
    assert table.round is not None
    calls = table.round.calls + 1
    called = msgspec.structs.replace(table.round, last_called=True, closes=moment(event.closes), calls=calls)
    return msgspec.structs.replace(table, round=called)


def _number_committed(table: TableState, event: events.NumberCommitted, entry: Entry) -> TableState:
    current = table.round
    assert current is not None
    numbers = {**current.numbers, event.commitment: ""}
    players = {**current.players, event.player: event.commitment}
    current = msgspec.structs.replace(current, numbers=numbers, players=players)
    return msgspec.structs.replace(table, round=current, contributors=_with_contributor(table, event))


def _with_contributor(table: TableState, event: events.NumberCommitted | events.PlayerReady) -> dict[str, int]:
    if event.player in table.contributors:
        return table.contributors
    return {**table.contributors, event.player: event.contributor}


def _player_ready(table: TableState, event: events.PlayerReady, entry: Entry) -> TableState:
    assert table.round is not None
    ready = table.round.ready | {event.player} if event.ready else table.round.ready - {event.player}
    current = msgspec.structs.replace(table.round, ready=ready)
    return msgspec.structs.replace(table, round=current, contributors=_with_contributor(table, event))


def _number_shown(table: TableState, event: events.NumberShown, entry: Entry) -> TableState:
    assert table.round is not None
    numbers = {**table.round.numbers, event.commitment: event.shown}
    return msgspec.structs.replace(table, round=msgspec.structs.replace(table.round, numbers=numbers))


def _shut(table: TableState, event: events.BetsShut, entry: Entry) -> TableState:
    assert table.round is not None
    shut = msgspec.structs.replace(table.round, shut=entry.hash, shut_at=moment(entry.document.at))
    return msgspec.structs.replace(table, round=shut)


def _drawn(table: TableState, event: events.DiceDrawn, entry: Entry) -> TableState:
    assert table.round is not None
    lately = frozenset(table.round.players)
    return msgspec.structs.replace(table, round=None, shown_until=moment(event.shown_until), lately=lately)


def _cancelled(table: TableState, event: events.RoundCancelled, entry: Entry) -> TableState:
    return msgspec.structs.replace(table, round=None)


def _alert_raised(table: TableState, event: events.AlertRaised, entry: Entry) -> TableState:
    return msgspec.structs.replace(table, alerts=(*table.alerts, raised(event, entry)))


def _alert_answered(table: TableState, event: events.AlertAnswered, entry: Entry) -> TableState:
    still, lately = answered(table.alerts, table.answered, event, entry)
    return msgspec.structs.replace(table, alerts=still, answered=lately)


def _duty_answered(table: TableState, event: events.DutyAnswered, entry: Entry) -> TableState:
    return msgspec.structs.replace(table, duties_answered=(*table.duties_answered, event.duty))


_APPLY: dict[type, Callable[[TableState, Any, Entry], TableState]] = {
    events.TableSet: _set,
    events.StaffCame: _came,
    events.StaffWent: _went,
    events.PlayerAway: _player_away,
    events.PlayerBack: _player_back,
    events.RoundOpened: _opened,
    events.ClockSet: _clock_set,
    events.LastCalled: _last_called,
    events.PlayerReady: _player_ready,
    events.NumberCommitted: _number_committed,
    events.BetsShut: _shut,
    events.NumberShown: _number_shown,
    events.DiceDrawn: _drawn,
    events.RoundCancelled: _cancelled,
    events.AlertRaised: _alert_raised,
    events.AlertAnswered: _alert_answered,
    events.DutyAnswered: _duty_answered,
}
