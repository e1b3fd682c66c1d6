"""Stakes and holdings that are not value chips: checks without a face value (SB-23, NZ-17) and promotional tokens.

`State.chips` counts all chips in hand. `State.checks` is the part of them in checks, by colour, and `Stake.checks`
the part of a stake. The fact `checks COLOUR PLAYER` is the value of one check.

A win pays in chips on the whole stake; the voucher decides whether a winning token goes back (reading X-10). A
losing or collected token goes to the house's token account, never to the float: it was not money.
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
    """Return the value of one check."""
    value = state.facts.get(f"checks {colour} {player}")
    return value if isinstance(value, int) and value > 0 else 1


def held(state: State, player: str) -> Mapping[str, int]:
    """Return what a player holds in checks, by colour."""
    return state.checks.get(player, {})


def laid(state: State, player: str, colour: str) -> int:
    """Return what a player has on the layout in checks of a colour."""
    stakes = (stake for who, _, stake in state.wagers() if who == player)
    return sum(cents for stake in stakes for name, cents in stake.checks if name == colour)


# -- bets ------------------------------------------------------------------------------------------------------------


def chosen(state: State, player: str, said: str | Checks | None, cents: int) -> Checks:
    """Return the checks a bet uses: those it names; by default all, if the player has too few value chips to bet."""
    if said is None:
        only_checks = player in state.checks and state.in_value_chips(player) < state.settings.chip
        return _whole(state, player, cents) if only_checks and any(held(state, player).values()) else ()
    return said if not isinstance(said, str) else ((said, cents),) if cents else ()


def _whole(state: State, player: str, cents: int) -> Checks:
    """Make up an amount in whole checks of any colours; a remainder is charged to the last colour."""
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
    """Refuse checks that the player does not hold, or not in that amount, or that are not whole."""
    in_hand = held(state, player)
    for colour, cents in checks:
        if colour not in in_hand:
            return Refusal("no_such_checks", f"{player} has no {colour} checks from this table.", clause)
        value = worth(state, player, colour)
        if cents % value:
            say = f"{player}'s {colour} checks are worth {format_cents(value)} each and cannot be split."
            return Refusal("amount_not_in_checks", say, clause)
        if cents > in_hand[colour]:
            has, takes = format_cents(in_hand[colour]), format_cents(cents)
            return Refusal(
                "not_enough_checks", f"{player} has {has} in {colour} checks, but this takes {takes}.", clause
            )
    return None


# -- returned checks ------------------------------------------------------------------------------------------------


def taken_off(state: State, player: str, stake: Stake, cents: int) -> events.ReducedChecks:
    """Return the checks that come off a stake when `cents` go back in chips: value chips first, then whole checks.

    If whole checks do not make up the rest, one of them is changed: it comes off the layout, and its part of the
    amount goes back in value chips.
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
    """Add checks to a settlement: stakes laid in checks are returned and paid in kind (SB-25, NZ-19)."""
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
    """Turn all checks in hand into value chips; with an amount, as many whole ones as it takes."""
    for colour, in_hand in held(state, player).items():
        value = worth(state, player, colour)
        due = in_hand if cents is None else min(in_hand, -(-cents // value) * value)
        if due > 0:
            yield events.ChecksRedeemed(player, colour, due, clause, place)
            cents = None if cents is None else cents - due


def redeeming_clause(conduct: Conduct, otherwise: str) -> str:
    """Return the clause under which checks are redeemed at the table."""
    act = conduct.by_id.get(REDEEMING)
    return otherwise if act is None else act.clause


# -- tokens -----------------------------------------------------------------------------------------------------------

COLLECTED = "collected"  # win or lose
RETURNED = "returned"  # when it wins

_WHOLE = Fraction(1)


def in_kind(state: State, event: events.AreaSettled, share: Fraction = _WHOLE) -> events.AreaSettled:
    """Split a settlement into chips, tokens and checks; `share` is the part of a stake that has won."""
    return with_checks(state, _with_tokens(state, event, share))


def _with_tokens(state: State, event: events.AreaSettled, share: Fraction) -> events.AreaSettled:
    """Add tokens to a settlement; `share` is the part of a stake that has won."""
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
    """Add lost tokens back to the winnings, which are net of the lost parts of a wager (X-19): tokens are not money."""
    player, stake, paid, _ = row
    paid += lost_tokens(laid, share)
    return player, stake, paid, stake - laid + paid


def lost_tokens(laid: int, share: Fraction) -> int:
    """Return the tokens on the parts that are lost while a share of the wager wins."""
    return laid - laid * share.numerator // share.denominator
