"""Leaving the table: the turn passes on, and the facts of the seat are cleared."""

from __future__ import annotations

import msgspec

from croupier.rules.shelf import Shelf
from croupier.table import debts, events
from croupier.table.checks_and_tokens import redeemed, redeeming_clause
from croupier.table.evolve import evolve_all
from croupier.table.forgetting import with_the_checks, with_the_turn
from croupier.table.state import State, TableView
from croupier.table.thrower import excluded, holder, sole_area, turn_clause
from croupier.table.waiting import CALLED_ON, LATE, SPOKEN, waiting_of

# Facts that the table keeps only while the player has a seat. Exclusions outlast it.
OF_A_SEAT = ("advice", "area", "card", "claim", "declined", "reminded", "tokens")
INVALID = ("card", "invalid")  # stays invalid until somebody has seen the player's own card (reading CR-29)


def shut_out(shelf: Shelf, state: State, decision: tuple[events.AnyEvent, ...]) -> list[events.AnyEvent]:
    """Remove excluded players with their chips in hand once they have no wager standing (reading X-49)."""
    told = [name for event in decision if isinstance(event, events.ActDone) for name in event.facts]
    shut = [player for player in state.seats if excluded(state, player) or f"excluded {player}" in told]
    happened: list[events.AnyEvent] = []
    for player in shut:
        view = TableView(shelf, evolve_all(state, [*decision, *happened]))
        power = view.game.book.conduct.by_id.get(f"exclude_from_{view.state.facts.get(f'excluded {player}')}")
        if power is not None and player in view.state.chips and not view.holds(player, []):
            chips, tokens = view.state.chips[player], view.state.tokens.get(player, 0)
            happened += leaving(view, events.PlayerLeft(player, chips, power.clause, tokens))
    return happened


def has_turn(view: TableView, player: str) -> bool:
    """Whether the player has the dice or coins now."""
    state = view.state
    if view.game.book.rules.thrower is None:
        return False
    if state.settings.manual_dice:
        return holder(view) == player
    return state.turn_after == player and not state.passed


def leaving(view: TableView, left: events.PlayerLeft) -> list[events.AnyEvent]:
    """Pass on the turn, pay debts, let the player go with the chips, and clear the facts of the seat.

    Checks are valid only at this table, so they are redeemed first (readings SB-23, NZ-17).
    """
    player, happened = left.player, [*_turn_given_up(view, left.player)]
    if player in view.state.checks:
        clause = redeeming_clause(view.game.book.conduct, left.clause or _clause(view))
        happened += redeemed(view.state, player, clause)
    paid = list(debts.cashed(view.state, player, debts.clause(view.game.book))) if player in view.state.owing else []
    happened += paid
    happened.append(msgspec.structs.replace(left, chips=left.chips - debts.total(paid)))
    forgotten = seat_facts(view, player)
    if forgotten:
        happened.append(events.Noted(dict.fromkeys(forgotten), left.clause or _clause(view)))
    return happened


def _turn_given_up(view: TableView, player: str) -> list[events.AnyEvent]:
    """Pass on the turn; if the wager that goes with it stays, the house throws until it is decided."""
    if not has_turn(view, player):
        return []
    standing = sole_area(view)
    if standing is None or standing[0] != player:
        return [events.TurnPassed(player, turn_clause(view))]
    if view.state.house_throws_for is not None:
        return []
    rules = view.game.book.rules.thrower
    assert rules is not None, "somebody had a turn"
    clause = rules.later_void_clause or rules.clause
    held = [name for name in with_the_turn(view.state.facts, player) if name in view.state.facts]
    goes_on = events.HouseThrowsOn(player, standing[1].wager, clause)
    return [goes_on, events.Noted(dict.fromkeys(held), clause)] if held else [goes_on]


def _clause(view: TableView) -> str:
    """Return the clause under which players come and go."""
    power = view.game.book.conduct.power("leave", None)
    return (power.clause if power is not None else None) or view.game.book.rules.throw.clause


def seat_facts(view: TableView, player: str) -> list[str]:
    """Return the facts of a player's seat, including an offer that can no longer be answered."""
    facts = view.state.facts
    laid = any(stakes[player].tokens for stakes in view.state.layout.values() if player in stakes)
    words = [word for word in OF_A_SEAT if word != "tokens" or not laid]  # where tokens go is decided with the wager
    found = [name for word in words if (name := f"{word} {player}") in facts and (word, facts[name]) != INVALID]
    found += [name for name in with_the_checks(facts, player) if name in facts]
    found += [name for kind in (CALLED_ON, LATE, SPOKEN) for name in waiting_of(view, kind, player)] if facts else []
    if facts.get("offered to") == player:
        found += [fact for fact in ("dice", "offered to") if fact in facts]
    return found
