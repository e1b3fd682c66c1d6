"""How much a bet comes to, and whether it waits. What the table allows is asked of the table's own checks."""

from __future__ import annotations

from fractions import Fraction

from croupier.money import commission_cents, round_down_to_chip
from croupier.rules.stakes import commission_rate
from croupier.table import placing
from croupier.table.placing import Bet


def part_of(cents: int, share: Fraction) -> int:
    """A share or a multiple of an amount, part of a cent cut: as commission is reckoned."""
    return commission_cents(cents, share)


def waits(bet: Bet) -> bool:
    """Whether the table would refuse the bet for the moment, whatever its amount."""
    if placing.first_refusal(bet, (placing.check_sole, placing.check_moment, placing.check_adds_up)) is not None:
        return True
    refusal = placing.check_flat(bet)
    return refusal is not None and refusal.code == "flat_wager_missing"


def can_begin(bet: Bet) -> bool:
    """Whether the wager has a state to begin in. If not, the table refuses the moment before it looks at amounts."""
    return bet.area.state in bet.game.machine(bet.wager.id, bet.pick).table


def in_units(bet: Bet, cents: int) -> int:
    """The largest stake not above an amount that can be laid there."""
    if bet.settings.exact_units and not can_begin(bet):
        return round_down_to_chip(cents, bet.settings.chip)
    return placing.in_units(bet.view, bet.area, cents)


def behind_most(bet: Bet) -> int | None:
    """The most that may lie behind the flat wager that stands; None where there is none."""
    if bet.wager.behind is None or not can_begin(bet):
        return None
    flat = bet.view.flat_area(bet.player, bet.wager, bet.area.state)
    if flat is None:
        return None
    flat_cents = bet.state.layout[flat][bet.player].amount
    return bet.view.behind_limit(bet.game, bet.wager, bet.pick, bet.area.state, flat_cents)


def most_allowed(bet: Bet) -> int | None:
    """As much as may stand there: what a flat wager and the sign allow, or the one amount; None without a limit."""
    if bet.wager.fixed_stake is not None:
        return placing.fixed_cents(bet.settings, bet.wager.fixed_stake)
    limits = [limit for limit in (behind_most(bet), placing.maximum_for(bet)) if limit is not None]
    return min(limits) if limits else None


def or_less(bet: Bet, stake: int) -> int:
    """A stake lowered to what the limits and the chips in hand allow; unchanged where that would be too little.

    Then it is refused for what really stands in its way. A wager with one amount cannot be made for less either.
    """
    if bet.wager.fixed_stake is not None or not can_begin(bet):
        return stake
    payable = bet.standing.amount + affordable(bet)
    allowed = most_allowed(bet)
    lowered = in_units(bet, min(stake, payable) if allowed is None else min(stake, payable, allowed))
    return lowered if lowered >= max(1, placing.limit_of(bet).minimum or 0) else stake


def affordable(bet: Bet) -> int:
    """The most that can be laid now with its commission out of the chips in hand."""
    in_hand = bet.state.chips[bet.player]
    rate = commission_rate(bet.game, bet.wager, bet.pick, bet.area.state)
    most = part_of(in_hand, 1 / (1 + rate))
    while most + 1 + commission_cents(most + 1, rate) <= in_hand:  # cutting commission leaves a cent at most
        most += 1
    return most
