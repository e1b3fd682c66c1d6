"""Leaving the table: the turn passes on, debts are paid, and the facts of the seat are cleared.

A player's debts come from a correction: the float advances them, and they are taken from later payments or on leaving.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from croupier.rules.book import Book
from croupier.rules.schema import acts_on
from croupier.rules.shelf import Shelf
from croupier.table import events
from croupier.table.checks_and_tokens import redeemed, redeeming_clause
from croupier.table.evolve import evolve_all
from croupier.table.state import State, TableView
from croupier.table.thrower import excluded, holder, sole_area, turn_clause
from croupier.table.under_way import with_the_checks, with_the_turn
from croupier.table.waiting import CALLED_ON, LATE, SPOKEN, waiting_of

# Facts that the table keeps only while the player has a seat. Exclusions outlast it.
OF_A_SEAT = ("advice", "area", "card", "claim", "declined", "reminded", "tokens")
CORRECTING = "correct_result"  # the act by which debts arise
INVALID = ("card", "invalid")  # stays invalid until staff have seen the player's own card (reading CR-29)


def shut_out(shelf: Shelf, state: State, decision: tuple[events.AnyEvent, ...]) -> list[events.AnyEvent]:
    """Remove excluded players with their chips in hand once they have no wager standing (reading X-49)."""
    changed = [name for event in decision if isinstance(event, events.ActDone) for name in event.facts]
    shut = [player for player in state.seats if excluded(state, player) or f"excluded {player}" in changed]
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


@acts_on("leaving")
def leaving(view: TableView, left: events.PlayerLeft) -> list[events.AnyEvent]:
    """Pass on the turn, pay debts, let the player go with the chips, and clear the facts of the seat.

    Checks are valid only at this table, so they are redeemed first (readings SB-23, NZ-17).
    """
    player, happened = left.player, [*_turn_given_up(view, left.player)]
    if player in view.state.checks:
        clause = redeeming_clause(view.game.book.conduct, left.clause or _clause(view))
        happened += redeemed(view.state, player, clause)
    paid = list(debts_cashed(view.state, player, debt_clause(view.game.book))) if player in view.state.owing else []
    happened += paid
    happened.append(msgspec.structs.replace(left, chips=left.chips - total_paid(paid)))
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


# -- debts ------------------------------------------------------------------------------------------------------------


def debt_clause(book: Book) -> str:
    """Return the clause under which a book takes back results, and so collects debts."""
    act, invalidated = book.conduct.by_id.get(CORRECTING), book.rules.void.invalidated
    if act is not None:
        return act.clause
    return invalidated.clause if invalidated is not None else book.rules.throw.clause


def debts_incurred(state: State, due: dict[str, int], clause: str) -> Iterator[events.DebtIncurred]:
    """Yield a debt for each player who has too few chips to give back what is due."""
    for player, cents in due.items():
        lacking = cents - state.chips_of(player)
        if lacking > 0:
            yield events.DebtIncurred(player, lacking, clause)


def debts_paid(
    after: State, happened: Iterable[events.AnyEvent], clause: str
) -> Iterator[events.DebtPaid | events.ChecksRedeemed]:
    """Yield what is taken from payments just made to players in debt."""
    if not after.owing:
        return
    received = _received(happened)
    for player, owing in after.owing.items():
        yield from _taken(after, player, min(owing, received[player]), clause)


def _taken(state: State, player: str, due: int, clause: str) -> Iterator[events.DebtPaid | events.ChecksRedeemed]:
    """Take an amount from a player's chips, or all there are; checks are redeemed if value chips are too few."""
    cents = min(due, state.chips_of(player))
    if cents <= 0:
        return
    if player in state.checks:
        yield from redeemed(state, player, clause, max(0, cents - state.in_value_chips(player)))
    yield events.DebtPaid(player, cents, clause)


def _received(happened: Iterable[events.AnyEvent]) -> Counter[str]:
    """Sum payments to players, less what was taken from them; a stake returned undecided is not a payment."""
    received: Counter[str] = Counter()
    for event in happened:
        match event:
            case events.AreaSettled(result="win"):
                for player, _, _, returned in event.stakes:
                    received[player] += returned
            case events.PaymentCorrected():
                received[event.player] += event.cents
            case events.DebtPaid():
                received[event.player] -= event.cents
    return received


def debts_cashed(state: State, player: str, clause: str) -> Iterator[events.DebtPaid | events.ChecksRedeemed]:
    """Yield what is taken from the chips with which a player leaves."""
    yield from _taken(state, player, state.owing.get(player, 0), clause)


def total_paid(happened: Iterable[events.AnyEvent]) -> int:
    """Sum the debts paid by these events."""
    return sum(event.cents for event in happened if isinstance(event, events.DebtPaid))
