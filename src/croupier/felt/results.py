"""The results display: what has fallen lately, the newest last, with what was called and whether it counted.

It is a fold over the events of a table, so that everybody who comes to it sees the same, after a restart too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from croupier.felt.lamps import counted_out
from croupier.felt.spots import Spot, machine_pick, state_at
from croupier.rules.game import Game
from croupier.rules.machine import Pick
from croupier.rules.offers import may_be_made, sleeps_now, start_phase
from croupier.rules.outcomes import Faces
from croupier.table import events

MOST_RESULTS = 60  # what a display has room for
INVALID = "invalid outcome"
UNKNOWN = ""  # the title of whoever threw, where that is not on record


class Result(msgspec.Struct, frozen=True, gc=False):
    """A throw: nothing fell that counts where `faces` is empty. `void` is the clause by which it did not count.

    `phases` is how the table stood when it was thrown: which wagers it decides depends on that. `full` are the picks on
    which wagers that count results won with this one. `round` is its number at a table that runs by itself, `was` the
    wrong result in whose place it stands.
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


def with_results(
    results: tuple[Result, ...],
    phases: Mapping[str, str],
    happened: Iterable[events.AnyEvent],
    wrong: Faces = (),
    rounds: Iterable[int | None] = (),
) -> tuple[Result, ...]:
    """The display after these events; `phases` is how the table stood before them, `wrong` what had been taken back.

    `rounds` has one for each throw.
    """
    now, of = dict(phases), iter(rounds)
    for event in happened:
        results = results[-MOST_RESULTS:]  # after each, so that it does not matter how many events come at once
        match event:
            case events.TableOpened():
                now = event.phases
            case events.PhaseMoved():
                now = {**now, event.phase: event.now}
            case events.Thrown():
                fell = Result(event.faces, event.call, event.by, event.title, now, was=wrong, round=next(of, None))
                results, wrong = (*results, fell), ()
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


def taken_back(wrong: Faces, happened: Iterable[events.AnyEvent]) -> Faces:
    """The result that was taken back and in whose place there is none yet, after these events."""
    for event in happened:
        match event:
            case events.ResultTakenBack():
                wrong = event.faces
            case events.Thrown() | events.OutcomeInvalidated():
                wrong = ()
    return wrong


def _without_latest(results: tuple[Result, ...], phases: dict[str, str]) -> tuple[tuple[Result, ...], dict[str, str]]:
    """The display without the latest result that counted, or was declared invalid since; how the table stood before."""
    for place in range(len(results) - 1, -1, -1):
        if results[place].void is None or results[place].was:
            return (*results[:place], *results[place + 1 :]), results[place].phases
    return results, phases


def winning_areas(game: Game, spots: list[Spot], result: Result) -> list[tuple[str, Pick]]:
    """The areas that light up: where a wager that lay there when it was thrown wins."""
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
