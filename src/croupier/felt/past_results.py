"""The results display: recent results with their calls, newest last; how they are laid out; and the table's lamps.

It is a fold over the events of a table, so that every viewer sees the same, after a restart too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import cycle
from typing import NamedTuple

import msgspec

from croupier.contract.replies import Lamp
from croupier.felt.areas import Spot, Standing, machine_pick, state_at
from croupier.rules import schema
from croupier.rules.book import Book, holds, shown_value
from croupier.rules.game import Game
from croupier.rules.machine import Pick
from croupier.rules.offers import may_be_made, sleeps_now, start_phase
from croupier.rules.outcomes import Faces
from croupier.rules.schema import Phase, acts_on
from croupier.table import events
from croupier.table.events import AnyEvent, AreaSettled
from croupier.table.state import State

MOST_RESULTS = 60  # what a display has room for
INVALID = "invalid outcome"
UNKNOWN = ""  # the title of the thrower if it is not on record


class Result(msgspec.Struct, frozen=True, gc=False):
    """A throw; `faces` is empty if no outcome counted. `void` is the clause by which it did not count.

    `phases` are the phases at the throw, which determine the wagers it decides. `full` are the picks on which wagers
    that count results won with this one. `round` is its number at an electronic table, `version` that of its event,
    `was` the wrong result that it replaces.
    """

    faces: Faces
    call: str | None
    by: str | None
    title: str
    phases: dict[str, str]
    void: str | None = None
    full: tuple[Pick, ...] = ()
    was: Faces = ()
    round: int | None = None
    version: int | None = None


class Place(NamedTuple):
    """Where a throw is on record: its round at an electronic table, and the version of its event."""

    round: int | None = None
    version: int | None = None


NOWHERE = Place()


def with_results(
    results: tuple[Result, ...],
    phases: Mapping[str, str],
    happened: Iterable[events.AnyEvent],
    wrong: Faces = (),
    places: Iterable[Place] = (),
) -> tuple[Result, ...]:
    """Return the display after these events; `phases` are those before them, `wrong` a result undone earlier.

    `places` has one for each throw.
    """
    now, of = dict(phases), iter(places)
    for event in happened:
        results = results[-MOST_RESULTS:]  # after each event, so that batching makes no difference
        match event:
            case events.TableOpened():
                now = event.phases
            case events.PhaseMoved():
                now = {**now, event.phase: event.now}
            case events.Thrown():
                results, wrong = (*results, result_of(event, now, wrong, next(of, NOWHERE))), ()
            case events.AreaSettled() if results and results[-1].void is None:
                full = counted_out((event,))
                if full:
                    results = (*results[:-1], msgspec.structs.replace(results[-1], full=(*results[-1].full, *full)))
            case events.ThrowVoided():
                results = (*results, Result((), event.call, event.by, event.title, now, event.reason))
            case events.ResultTakenBack():
                results, now = _without_latest(results, now)
                wrong = event.faces
            case events.OutcomeInvalidated():
                results = (*results, Result((), INVALID, None, UNKNOWN, now, event.clause, was=wrong))
                wrong = ()
    return results[-MOST_RESULTS:]


def result_of(event: events.Thrown, phases: dict[str, str], was: Faces = (), place: Place = NOWHERE) -> Result:
    """Return the result of a throw in these phases."""
    return Result(
        event.faces, event.call, event.by, event.title, phases, was=was, round=place.round, version=place.version
    )


def taken_back(wrong: Faces, happened: Iterable[events.AnyEvent]) -> Faces:
    """Return the result that was undone and not yet replaced, after these events."""
    for event in happened:
        match event:
            case events.ResultTakenBack():
                wrong = event.faces
            case events.Thrown() | events.OutcomeInvalidated():
                wrong = ()
    return wrong


def _without_latest(results: tuple[Result, ...], phases: dict[str, str]) -> tuple[tuple[Result, ...], dict[str, str]]:
    """Return the display without the latest result that counted or was invalidated since, and the phases before it."""
    for place in range(len(results) - 1, -1, -1):
        if results[place].void is None or results[place].was:
            return (*results[:place], *results[place + 1 :]), results[place].phases
    return results, phases


def winning_areas(game: Game, spots: list[Spot], result: Result) -> list[tuple[str, Pick]]:
    """Return the areas that light up: where a wager lying there at the throw wins."""
    if result.void is not None or not result.faces:
        return []
    outcome = game.book.outcomes.index[result.faces]
    return [spot.key for spot in spots if _wins(game, spot, result.phases, outcome)]


def _wins(game: Game, spot: Spot, phases: Mapping[str, str], outcome: int) -> bool:
    if sleeps_now(spot.wager, phases):
        return False
    wager, pick = spot.wager, spot.pick
    if not spot.travelled and start_phase(wager, pick) is None and not may_be_made(wager, pick, phases):
        return False  # nothing can have lain there
    machine = game.machine(spot.wager.id, machine_pick(spot))
    state = state_at(phases, spot)
    return state in machine.table and machine.table[state][outcome].then == "win"


# -- roads ------------------------------------------------------------------------------------------------------------

Value = int | str | None  # of a marker


class Road(NamedTuple):
    """A line of results on one of several sides, as displays show it: a column for each run."""

    name: str
    sides: tuple[str, ...]


class Step(NamedTuple):
    """A result in the history: its turn, counted from 1, and the marker's value before and after.

    One that `passes` ends a turn, for any thrower.
    """

    turn: int
    before: Value
    after: Value
    passes: bool


def roads(book: Book) -> list[Road]:
    """Return the lines that the book itself counts: phases whose states are named results."""
    named = list(book.rules.throw.named)
    found = []
    for phase in book.rules.phases:
        words = {word for state in book.phase_machines[phase.id].table for word in state.split()}
        sides = tuple(name for name in named if name in words)
        if len(sides) > 1:
            found.append(Road(phase.name, sides))
    return found


def marker_name(book: Book) -> str | None:
    """Return the book's name for the marker that lies on a number, if it has one."""
    marker = _marker(book)
    return None if marker is None else marker.name


def steps(book: Book, results: Iterable[Result]) -> Iterator[Step]:
    """Yield a step for each result: another thrower, or dice that passed on, begin another turn."""
    turn, known, passed, marker = 1, None, False, _marker(book)
    for result in results:
        begins = known is not None and (passed or is_another(known, result))
        turn += begins
        if known is None or begins or result.title != UNKNOWN:
            known = result
        passed = passes(book, result)
        before, after = (None, None) if marker is None else _lay_on(book, marker, result)
        yield Step(turn, before, after, passed)


def is_another(before_it: Result, result: Result) -> bool:
    """Whether another player has thrown, if both throwers are on record."""
    return UNKNOWN not in (before_it.title, result.title) and before_it.by != result.by


def _marker(book: Book) -> Phase | None:
    return next((phase for phase in book.rules.phases if is_marker(book, phase)), None)


def _counts(result: Result) -> bool:
    return bool(result.faces) and result.void is None


def passes(book: Book, result: Result) -> bool:
    """Whether the dice pass on with this result, for any thrower."""
    rule = None if book.rules.thrower is None else book.rules.thrower.passes
    if rule is None or not _counts(result):
        return False
    if book.outcomes.index[result.faces] not in book.outcomes.matching(rule.on):
        return False
    return rule.phase is None or holds(rule.phase, result.phases[rule.phase.phase])


def _lay_on(book: Book, marker: Phase, result: Result) -> tuple[Value, Value]:
    """Return the marker's value before and after a result."""
    before = after = result.phases[marker.id]
    if _counts(result):
        entry = book.phase_machines[marker.id].table[before][book.outcomes.index[result.faces]]
        after = entry.next if entry.then == "go" else before
    return shown_value(marker.shows, before), shown_value(marker.shows, after)


# -- lamps ------------------------------------------------------------------------------------------------------------

COLOURS = ("green", "red", "yellow", "magenta", "cyan")  # each set of lights has its own


@acts_on("rules.lights")
def lamps(
    book: Book, state: State, last: Faces | None, held: list[Standing], full: Collection[Pick] = ()
) -> list[Lamp]:
    """Return everything the table shows, in the book's order; `held` are the wagers of the player, who may throw.

    `full` are the picks on which wagers that count a result have just won: the last light is lit with the result.
    """
    named = _result_lights(book, state, last, held, full)
    counted = {lamp.name.lower() for lamp in named}
    return named + [
        _phase_lamp(book, phase, state.phases[phase.id])
        for phase in book.rules.phases
        if not counted & set(state.phases[phase.id].split())
    ]


def is_marker(book: Book, phase: schema.Phase) -> bool:
    """Whether a phase is shown by a marker that lies on a value or is off, rather than by a permanent count."""
    states = book.phase_machines[phase.id].table
    return phase.shows is not None and any(shown_value(phase.shows, state) is None for state in states)


def marked_value(book: Book, state: State) -> int | str | None:
    """Return the value that the book's marker lies on; None if it has none or it is off."""
    for phase in book.rules.phases:
        if is_marker(book, phase):
            return shown_value(phase.shows, state.phases[phase.id])
    return None


def _phase_lamp(book: Book, phase: schema.Phase, now: str) -> Lamp:
    if is_marker(book, phase):
        value = shown_value(phase.shows, now)
        return Lamp(phase.name, "OFF" if value is None else f"ON {value}")
    count = _number(now)
    if count is None:
        return Lamp(phase.name, now)
    most = max(_number(state) or 0 for state in book.phase_machines[phase.id].table)
    return Lamp(phase.name, " ".join(word for word in now.split() if not word.isdecimal()), count, most)


def _number(state: str) -> int | None:
    return next((int(word) for word in state.split() if word.isdecimal()), None)


def counted_out(events: Iterable[AnyEvent]) -> tuple[Pick, ...]:
    """Return the picks of wagers that count results and win with the last one; their states include a number."""
    won = [event for event in events if isinstance(event, AreaSettled) and event.result == "win"]
    return tuple(event.pick for event in won if event.pick is not None and _number(event.state))


def _result_lights(
    book: Book, state: State, last: Faces | None, held: list[Standing], full: Collection[Pick]
) -> list[Lamp]:
    """Return the book's lights for results: lit when the result falls, or one by one if it is counted."""
    fell = book.outcomes.names(last) if last is not None else []
    lights = [_result_light(book, state, light, light.result in fell, held, full) for light in book.rules.lights]
    return [msgspec.structs.replace(lamp, colour=colour) for lamp, colour in zip(lights, cycle(COLOURS), strict=False)]


def _result_light(
    book: Book, state: State, light: schema.Light, fell: bool, held: list[Standing], full: Collection[Pick]
) -> Lamp:
    name = light.result
    for phase in book.rules.phases:
        now = state.phases[phase.id]
        if name.lower() in now.split():  # a run of this result; all lights when its last one has just fallen
            return Lamp(name, lit=_number(now) or (light.of if fell else 0), of=light.of)
    for mine in held:
        if mine.pick == name.lower():  # the thrower's own wager counts this result
            return Lamp(name, lit=_number(mine.state) or 0, of=light.of)
    if fell and name.lower() in full:
        return Lamp(name, lit=light.of, of=light.of)
    return Lamp(name, lit=1 if fell else 0, of=light.of)
