"""Checks without a value of their own: what of a player's chips is in checks, and which of them move (SB-23, NZ-17).

`State.chips` counts all chips in hand. `State.checks` says what of them is in checks, colour by colour, and
`Stake.checks` what of a stake. What one check is worth is the fact `checks COLOUR PLAYER`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from croupier.money import format_cents
from croupier.table import events
from croupier.table.refusals import Refusal
from croupier.table.state import Checks, Stake, State

if TYPE_CHECKING:
    from croupier.rules.conduct import Conduct


REDEEMING = "redeem_checks"  # the act whose clause says where checks are redeemed


def worth(state: State, player: str, colour: str) -> int:
    """What one check is worth."""
    value = state.facts.get(f"checks {colour} {player}")
    return value if isinstance(value, int) and value > 0 else 1


def held(state: State, player: str) -> Mapping[str, int]:
    """What a player has in hand in checks, by colour."""
    return state.checks.get(player, {})


def laid(state: State, player: str, colour: str) -> int:
    """What a player has on the layout in checks of a colour."""
    stakes = (stake for who, _, stake in state.wagers() if who == player)
    return sum(cents for stake in stakes for name, cents in stake.checks if name == colour)


def in_value_chips(state: State, player: str) -> int:
    """What a player has in hand in chips that are no checks."""
    return state.chips[player] - sum(held(state, player).values())


# -- bets ------------------------------------------------------------------------------------------------------------


def chosen(state: State, player: str, said: str | Checks | None, cents: int) -> Checks:
    """Which checks a bet takes: those that it names; without a word, all from who has nothing else to bet with."""
    if said is None:
        only_checks = player in state.checks and in_value_chips(state, player) < state.settings.chip
        return _whole(state, player, cents) if only_checks and any(held(state, player).values()) else ()
    return said if not isinstance(said, str) else ((said, cents),) if cents else ()


def _whole(state: State, player: str, cents: int) -> Checks:
    """An amount in whole checks of whatever colours; what no whole check makes up is asked of the last colour."""
    taken: dict[str, int] = {}
    left = cents
    for colour, in_hand in held(state, player).items():
        taken[colour] = min(left, in_hand) // worth(state, player, colour) * worth(state, player, colour)
        left -= taken[colour]
    if left:
        last = next(reversed(taken))
        taken[last] += left
    return tuple((colour, amount) for colour, amount in taken.items() if amount)


def not_in_hand(state: State, player: str, checks: Checks, clause: str | None) -> Refusal | None:
    """Why these checks cannot be laid: there are none, they are not whole, or there are not so many."""
    in_hand = held(state, player)
    for colour, cents in checks:
        if colour not in in_hand:
            return Refusal("no_such_checks", f"{player} has no {colour} checks of this table.", clause)
        value = worth(state, player, colour)
        if cents % value:
            say = f"{player}'s {colour} checks are worth {format_cents(value)} each and are laid whole."
            return Refusal("amount_not_in_checks", say, clause)
        if cents > in_hand[colour]:
            has, takes = format_cents(in_hand[colour]), format_cents(cents)
            return Refusal(
                "not_enough_checks", f"{player} has {has} in {colour} checks, and this takes {takes}.", clause
            )
    return None


# -- what goes back --------------------------------------------------------------------------------------------------


def taken_off(state: State, player: str, stake: Stake, cents: int) -> events.ReducedChecks:
    """Which checks come off a stake from which so much goes back in chips: value chips first, then whole checks.

    Where no whole checks make up the rest, one of them is changed: it comes off the layout, and what goes back of it
    does so in value chips.
    """
    short = cents - (stake.amount - stake.tokens - sum(amount for _, amount in stake.checks))
    rows: list[tuple[str, int, int]] = []
    for colour, there in stake.checks:
        if short <= 0:
            break
        value = worth(state, player, colour)
        off = min(there, -(-short // value) * value)
        back = min(off, cents // value * value)
        rows.append((colour, off, back))
        short -= off
        cents -= back
    return tuple(rows)


def changes_a_check(off: events.ReducedChecks) -> bool:
    """Whether a check would have to be changed, which only the house does."""
    return any(came_off != back for _, came_off, back in off)


def with_checks(state: State, event: events.AreaSettled) -> events.AreaSettled:
    """The same settlement, where stakes lie in part in checks: they go back and are paid in kind (SB-25, NZ-19)."""
    stakes = state.layout[event.area]
    rows: list[events.SettledChecks] = []
    for player, stake, paid, _ in event.stakes:
        for colour, there in stakes[player].checks:
            back = 0 if event.result == "lose" else there
            if event.result == "win":
                value = worth(state, player, colour)
                back += max(0, paid) * there // stake // value * value
            rows.append((player, colour, there, back))
    return msgspec.structs.replace(event, checks=tuple(rows)) if rows else event


# -- redemption ------------------------------------------------------------------------------------------------------


def redeemed(
    state: State, player: str, clause: str, cents: int | None = None, place: str | None = None
) -> Iterator[events.ChecksRedeemed]:
    """All checks in hand become value chips; with an amount, as many whole ones as it takes."""
    for colour, in_hand in held(state, player).items():
        value = worth(state, player, colour)
        due = in_hand if cents is None else min(in_hand, -(-cents // value) * value)
        if due > 0:
            yield events.ChecksRedeemed(player, colour, due, clause, place)
            cents = None if cents is None else cents - due


def redeeming_clause(conduct: Conduct, otherwise: str) -> str:
    """The clause under which checks are redeemed at the table."""
    act = conduct.by_id.get(REDEEMING)
    return otherwise if act is None else act.clause


# -- tokens -----------------------------------------------------------------------------------------------------------
# Promotional tokens as part of a stake: a win pays on the whole stake in chips, the token goes as its voucher says.
# The books leave it to the voucher whether a winning token goes back (reading X-10). A losing or collected token
# goes to the house's account for tokens and never to the float: it was no money.

COLLECTED = "collected"  # win or lose
RETURNED = "returned"  # when it wins

_WHOLE = Fraction(1)


def in_kind(state: State, event: events.AreaSettled, share: Fraction = _WHOLE) -> events.AreaSettled:
    """The same settlement, with what goes as tokens or checks told apart; `share` is how much of a stake has won."""
    return with_checks(state, _with_tokens(state, event, share))


def _with_tokens(state: State, event: events.AreaSettled, share: Fraction) -> events.AreaSettled:
    """The same settlement, where stakes lie in part in tokens; `share` is how much of a stake has won."""
    stakes = state.layout[event.area]
    rows: list[events.SettledStake] = []
    tokens: list[events.SettledTokens] = []
    for row in event.stakes:
        player, laid = row[0], stakes[row[0]].tokens
        if not laid:
            rows.append(row)
        elif event.result == "win":
            rows.append(_won(row, laid, share))
            back = laid - lost_tokens(laid, share) if state.facts.get(f"tokens {player}") == RETURNED else 0
            tokens.append((player, laid, back))
        else:
            void = event.result == "void"
            rows.append((*row[:3], row[3] - laid) if void else row)
            tokens.append((player, laid, laid if void else 0))
    if not tokens:
        return event
    return events.AreaSettled(*event.area, event.result, event.clause, tuple(rows), tuple(tokens))


def _won(row: events.SettledStake, laid: int, share: Fraction) -> events.SettledStake:
    """Winnings are told net of the parts of a wager that are lost (X-19); tokens lost are no money to be taken off."""
    player, stake, paid, _ = row
    paid += lost_tokens(laid, share)
    return player, stake, paid, stake - laid + paid


def lost_tokens(laid: int, share: Fraction) -> int:
    """What of the tokens lies on the parts that are lost while a share of the wager wins."""
    return laid - laid * share.numerator // share.denominator
