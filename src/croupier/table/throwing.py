"""A throw: betting is closed before it, and the outcome is settled."""

from __future__ import annotations

import msgspec

from croupier.rules.game import Game
from croupier.rules.outcomes import Faces
from croupier.rules.schema import acts_on
from croupier.rules.shelf import Shelf
from croupier.table import commands, events
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.settling import move_phases, reopen, settle
from croupier.table.state import State, TableView
from croupier.table.taking import unconfirmed_returned
from croupier.table.thrower import (
    house_turn_clause,
    house_turn_ends,
    house_waits_on,
    lost_turn,
    next_thrower,
    pass_turn,
    title,
    turn_passes,
)
from croupier.table.under_way import is_under_way, lapse, moments
from croupier.table.voiding import void_events
from croupier.table.waiting import lapsed_words


@acts_on("rules.betting")
def close_bets(shelf: Shelf, state: State, command: commands.CloseBets) -> tuple[events.AnyEvent, ...] | Refusal:
    """Call the betting closed, if the book has such a call."""
    view = TableView(shelf, state)
    betting = view.game.book.rules.betting
    if betting is None:
        return Refusal("no_such_call", "In this game no call closes the betting.")
    if not state.bets_open:
        return Refusal("bets_closed", "The bets are already closed.", betting.clause)
    return (events.BetsClosed(view.call("bets close"), betting.clause), *lapsed_words(view))


@acts_on("rules.throw")
def throw(shelf: Shelf, state: State, command: commands.Throw) -> tuple[events.AnyEvent, ...] | Refusal:
    """Settle every wager that this outcome decides. For a throw under way this also means that it has come to rest."""
    view = TableView(shelf, state)
    outcome = view.game.book.outcomes.index.get(plain_faces(command.faces))
    if outcome is None:
        return not_an_outcome(view.game)
    betting, entered_at = view.game.book.rules.betting, _entered_at(view, command)
    if betting is not None and state.bets_open:
        if betting.without == "refused":
            return Refusal("bets_open", betting.say, betting.without_clause)
        return tuple(void_events(view, lapse(view) or betting.without_clause, entered_at=entered_at))
    left_out = lapse(view) if state.facts or state.settings.manual_dice else None
    if left_out is not None:
        return tuple(void_events(view, left_out, entered_at=entered_at))
    if not view.state.in_the_air:
        return tuple(outcome_events(view, outcome, entered_at))
    rested = unconfirmed_returned(shelf, state)
    return (*rested, *outcome_events(TableView(shelf, evolve_all(state, rested)), outcome, entered_at))


def _entered_at(view: TableView, command: commands.Throw) -> str | None:
    """Return when the outcome was reported, at a table run by people; a program without roles keeps no moments."""
    by_people = command.by is not None or view.state.settings.manual_dice or is_under_way(view)
    return command.at.isoformat() if by_people and command.at is not None else None


@acts_on("result")
def outcome_events(view: TableView, outcome: int, entered_at: str | None = None) -> list[events.AnyEvent]:
    """Return all consequences of an outcome, thrown by the player whose turn it is."""
    by = next_thrower(view)
    return [*lost_turn(view, by), *result_events(view, outcome, by, entered_at)]


def result_events(
    view: TableView, outcome: int, by: str | None, entered_at: str | None = None
) -> list[events.AnyEvent]:
    """Return all consequences of a result: wagers settled, phases moved, the turn passed on, betting opened."""
    happened: list[events.AnyEvent] = [_thrown(view, by, outcome, entered_at)]
    happened.extend(settle(view, outcome))
    happened.extend(move_phases(view, outcome))
    happened.extend(pass_turn(view, by, outcome, happened))
    happened.extend(house_waits_on(view, happened))
    reopened = list(reopen(view, happened))
    if not turn_passes(happened) and house_turn_ends(view, by, bool(reopened), happened):
        happened.append(events.TurnOpened(house_turn_clause(view)))
    happened.extend(reopened)
    if not reopened and view.game.book.rules.betting is not None:
        happened = [_goes_on(event) for event in happened]
    return happened


def _goes_on(event: events.AnyEvent) -> events.AnyEvent:
    """Mark that the throw does not end the round of play: it decided nothing for the table (reading X-30)."""
    return msgspec.structs.replace(event, ends_round=False) if isinstance(event, events.Thrown) else event


def plain_faces(faces: tuple[object, ...]) -> Faces:
    """Replace anything but plain ints and strings: True equals 1 in Python, but is not the face of a die."""
    return tuple(face if type(face) in (int, str) else "?" for face in faces)  # type: ignore[misc]


def not_an_outcome(game: Game) -> Refusal:
    """Return the refusal of faces that cannot be thrown."""
    throw_rules = game.book.rules.throw
    faces = ", ".join(map(str, throw_rules.faces))
    count = "one face," if throw_rules.throw == 1 else f"{throw_rules.throw} faces, each"
    say = f"Give {count} one of {faces}."
    return Refusal("not_an_outcome", say, throw_rules.faces_clause or throw_rules.clause)


def _thrown(view: TableView, by: str | None, outcome: int, entered_at: str | None) -> events.Thrown:
    rules, at = view.game.book.rules, moments(view, entered_at)
    faces = view.game.book.outcomes.all[outcome]
    call = view.game.book.outcomes.call(outcome, view.call("result") or "{faces}")
    return events.Thrown(
        faces, call, by, title(view, by), rules.throw.clause, thrown_at=at.thrown_at, rested_at=at.rested_at
    )
