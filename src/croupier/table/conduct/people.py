"""People: cards, devices, exclusion, idle players."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from croupier.table import events
from croupier.table.clock import local_day
from croupier.table.conduct.scene import Scene, by_name
from croupier.table.handing import sole_area, turn_clause
from croupier.table.leaving import has_turn, leaving
from croupier.table.opening import left
from croupier.table.refusals import Refusal
from croupier.table.settling import given_back
from croupier.table.view import TableView
from croupier.table.waiting import LATE, waiting_of


def has_wagers(scene: Scene) -> bool:
    """Whether the player has any wager standing."""
    return scene.view.holds(scene.text("player"), [])


def is_idle(scene: Scene) -> bool:
    """Who has a wager standing now plays, whatever went before."""
    idle = scene.state.idle.get(scene.text("player"), 0)
    return idle >= scene.number("idle rounds") and not has_wagers(scene)


def table_is_full(scene: Scene) -> bool:
    """Whether every place at the table is taken."""
    seats = scene.state.settings.seats
    return seats is not None and len(scene.state.seats) >= seats


def card_is_needed(scene: Scene) -> bool:
    """From the day that the book says; without a time it is later."""
    card = scene.book.rules.card
    return card is not None and (scene.at is None or local_day(scene.at, scene.timezone) >= card.since)


def return_wagers(scene: Scene) -> list[events.AnyEvent]:
    """All that stands of a player goes back, whatever the throw would make of it (reading CR-12).

    What earlier throws have settled stays settled.
    """
    player = scene.text("player")
    returned: list[events.AnyEvent] = [
        given_back(scene.state, area, scene.clause, {player: stakes[player]})
        for area, stakes in scene.state.layout.items()
        if player in stakes
    ]
    late = waiting_of(scene.view, LATE, player)
    if late:  # what is gone need not be confirmed
        returned.append(events.Noted(dict.fromkeys(late), scene.clause))
    return [*returned, *_lost_turn(scene.view, player)]


def _lost_turn(view: TableView, player: str) -> Iterator[events.TurnPassed]:
    """Without the wager that the book asks for, nobody keeps the dice or coins (reading CR-18)."""
    rules = view.game.book.rules.thrower
    if rules is None or not rules.wagers or not has_turn(view, player) or not view.holds(player, rules.wagers):
        return
    yield events.TurnPassed(player, turn_clause(view))


def end_turn(scene: Scene) -> list[events.AnyEvent]:
    """Who is excluded throws no more: an offer lapses, the turn passes on, or the house throws on until a decision."""
    person, view = scene.text("person"), scene.view
    if scene.state.facts.get("offered to") == person:
        return [events.Noted({"dice": None, "offered to": None}, scene.clause)]
    if not has_turn(view, person):
        return []
    standing = sole_area(view)
    if standing is None or standing[0] != person:
        return [events.TurnPassed(person, scene.clause)]
    if scene.state.house_throws_for is not None:
        return []
    return [events.HouseThrowsOn(person, standing[1].wager, scene.clause)]


def vacate(scene: Scene) -> list[events.AnyEvent]:
    """A player leaves because the place is wanted."""
    return leaving(scene.view, left(scene.state, scene.text("player"), scene.clause))


CHECKS: dict[str, Callable[[Scene], bool]] = by_name(
    has_wagers,
    is_idle,
    table_is_full,
    card_is_needed,
)

EFFECTS: dict[str, Callable[[Scene], list[events.AnyEvent] | Refusal]] = by_name(
    return_wagers,
    end_turn,
    vacate,
)
