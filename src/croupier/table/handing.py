"""Dice or coins that people hand round: who has them, who is offered them next, and how somebody loses them."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rules import schema
from croupier.table import events
from croupier.table.state import Area, Stakes, State
from croupier.table.view import TableView

HOUSE = "house"  # the value of the fact "dice" while the house throws because no player accepts them


def holder(view: TableView) -> str | None:
    """The player who accepted the dice or coins, at a table where people hand them round."""
    name = view.state.facts.get("shooter")
    return name if isinstance(name, str) and view.state.settings.manual_dice else None


def excluded(state: State, player: str) -> bool:
    """Whether somebody is excluded from the game, or from the whole casino."""
    return f"excluded {player}" in state.facts


def out_of_the_ring(state: State, player: object) -> bool:
    """Whether somebody was sent out of the ring, and is kept out until the close of play."""
    return f"out of the ring {player}" in state.facts


def barred(state: State, player: str) -> bool:
    """Whether somebody is not offered the dice or coins at all."""
    return excluded(state, player) or out_of_the_ring(state, player)


def with_the_house(state: State) -> bool:
    """Whether the house throws because no player accepts the dice or coins."""
    return state.facts.get("dice") == HOUSE


def declined(state: State, player: str) -> bool:
    """Whether a player has turned down the offer that is going round."""
    return f"declined {player}" in state.facts


def in_turn(view: TableView) -> list[str]:
    """Everybody to whom the dice or coins may go, clockwise from who had them last (X-11); that one comes last.

    Where one wager goes with them, who lost it waits until somebody else has had a turn, unless nobody else is there.
    With the bets closed, or the table closing (X-7), nobody can make the wager, so that they go only to who has it.
    """
    state = view.state
    order = [player for player in _clockwise(state) if not too_late_for(view, player)]
    if state.passed and sole_wager(view) is not None and len(order) > 1:
        order = [player for player in order if player != state.turn_after]
    return [player for player in order if not barred(state, player)]


def _clockwise(state: State) -> list[str]:
    seats, start = state.seats, 0
    if state.turn_after in seats:
        start = seats.index(state.turn_after) + 1
    elif state.turn_from in seats:
        start = seats.index(state.turn_from)
    return [*seats[start:], *seats[:start]]


def too_late_for(view: TableView, player: str) -> bool:
    """Whether a player lacks the wager that the book asks for and can make none: closed bets, or a closing table."""
    rules = view.game.book.rules.thrower
    if rules is None or (view.state.bets_open and view.state.facts.get("table") != "closing"):
        return False
    return not view.holds(player, rules.wagers)


def all_declined(view: TableView) -> bool:
    """Whether nobody is left to whom an offer could go."""
    return all(declined(view.state, player) for player in in_turn(view))


def next_offered(view: TableView) -> str | None:
    """Who is offered the dice or coins now; when all have declined, the round begins anew."""
    order = in_turn(view)
    return next((player for player in order if not declined(view.state, player)), order[0] if order else None)


def sole_wager(view: TableView) -> schema.Wager | None:
    """The wager that goes with the coins, where the book has one."""
    book = view.game.book
    named = book.rules.thrower.wagers if book.rules.thrower is not None else []
    return next((book.wagers[wager] for wager in named if book.wagers[wager].sole is not None), None)


def sole_area(view: TableView) -> tuple[str, Area] | None:
    """Who holds the wager that goes with the coins, and where it stands."""
    for area, stakes in view.state.layout.items():
        if view.wager_of(area).sole is not None:
            return next(iter(stakes)), area
    return None


def begun(view: TableView, area: Area) -> bool:
    """Whether a wager has been through a throw that counts for it."""
    return area.state not in view.game_of(area).machine(area.wager, area.pick).starts


def turn_clause(view: TableView) -> str:
    """The clause under which a turn passes on from who can no longer throw."""
    rules, wager = view.game.book.rules.thrower, sole_wager(view)
    assert rules is not None, "only a book with throwers passes turns"
    if wager is not None and wager.sole is not None:
        return wager.sole.turn_clause
    return rules.keeps_clause or rules.clause


def lost_with_the_wager(view: TableView, reduced: events.WagerReduced) -> Iterator[events.TurnPassed]:
    """Who takes down the last wager that must stay for every later throw loses the dice at once (reading CR-18)."""
    rules, player = view.game.book.rules.thrower, reduced.player
    if rules is None or rules.keeps_clause is None or reduced.wager not in rules.wagers or holder(view) != player:
        return
    held = {area for area, stakes in view.state.layout.items() if area.wager in rules.wagers and player in stakes}
    if not reduced.stake and held == {reduced.area} and begun(view, reduced.area):
        yield events.TurnPassed(player, rules.keeps_clause)


def lost_with_the_refund(view: TableView, gone: list[tuple[Area, Stakes]]) -> Iterator[events.TurnPassed]:
    """Whoever has the dice and is left without the wager that must stay, because it goes back, loses them as well."""
    rules, player = view.game.book.rules.thrower, holder(view)
    if rules is None or rules.keeps_clause is None or player is None:
        return
    held = {area for area, stakes in view.state.layout.items() if area.wager in rules.wagers and player in stakes}
    if any(begun(view, area) for area in held) and held <= {area for area, stakes in gone if player in stakes}:
        yield events.TurnPassed(player, rules.keeps_clause)
