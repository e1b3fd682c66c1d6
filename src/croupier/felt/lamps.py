"""What the table shows of its phases: the puck, lights for results, the lines of a streak."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import cycle

import msgspec

from croupier.felt.spots import Standing
from croupier.rules import schema
from croupier.rules.book import Book, shown_value
from croupier.rules.machine import Pick
from croupier.rules.outcomes import Faces
from croupier.table.events import AnyEvent, AreaSettled
from croupier.table.state import State

COLOURS = ("green", "red", "yellow", "magenta", "cyan")  # each set of lights has its own


class Lamp(msgspec.Struct, frozen=True):
    """A name with a value, or with lights of which some are lit."""

    name: str
    words: str = ""
    lit: int = 0
    of: int = 0
    colour: str = "green"


def lamps(
    book: Book, state: State, last: Faces | None, held: list[Standing], full: Collection[Pick] = ()
) -> list[Lamp]:
    """All that the table shows, in the book's order; `held` are the wagers of the player, who may be the thrower.

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
    """Whether a phase is shown by a marker that lies on a value or is off, and not by a count that is always there."""
    states = book.phase_machines[phase.id].table
    return phase.shows is not None and any(shown_value(phase.shows, state) is None for state in states)


def marked_value(book: Book, state: State) -> int | str | None:
    """The value that the book's marker lies on, if it has one and it is on."""
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
    """The picks of wagers that count results and have won by the last of them: a state of theirs has a number."""
    won = [event for event in events if isinstance(event, AreaSettled) and event.result == "win"]
    return tuple(event.pick for event in won if event.pick is not None and _number(event.state))


def _result_lights(
    book: Book, state: State, last: Faces | None, held: list[Standing], full: Collection[Pick]
) -> list[Lamp]:
    """The book's own lights for results: lit when the result falls, one by one where it counts."""
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
