"""How much a bet comes to, and whether it waits. What the table allows is asked of the table's own checks."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from croupier.money import commission_cents, round_down_to_chip, round_up_to_chip
from croupier.rules.stakes import commission_rate, exact_unit
from croupier.table import placing
from croupier.table.commands import Settings
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


def least(bet: Bet) -> int:
    """The least that may be made there."""
    wager, chip = bet.wager, bet.settings.chip
    step = chip * (wager.multiple.chips if wager.multiple else 1)
    if bet.settings.exact_units and can_begin(bet) and wager.fixed_stake is None:
        step = lcm(step, chip * exact_unit(bet.game, wager, bet.pick, bet.area.state))
    return round_up_to_chip(max(1, placing.limit_of(bet).minimum or 0), step)


def or_less(bet: Bet, stake: int) -> int:
    """A stake lowered to what the limits allow, and to what the chips in hand pay for if that can be made.

    If not, it is refused for want of chips. A wager with one amount cannot be made for less.
    """
    if bet.wager.fixed_stake is not None or not can_begin(bet):
        return stake
    limit, smallest = most_allowed(bet), max(1, placing.limit_of(bet).minimum or 0)
    allowed = stake if limit is None else min(stake, limit)
    tried = (in_units(bet, min(allowed, bet.standing.amount + affordable(bet))), in_units(bet, allowed))
    return next((lowered for lowered in tried if lowered >= smallest), stake)


def commission(bet: Bet, stake: int) -> int:
    """What is due on a stake; nothing where the wager has no state to begin in."""
    if not can_begin(bet):
        return 0
    return commission_cents(stake, commission_rate(bet.game, bet.wager, bet.pick, bet.area.state))


def affordable(bet: Bet) -> int:
    """The most that can be laid now with its commission out of the chips in hand."""
    in_hand = bet.state.chips[bet.player]
    if not can_begin(bet):
        return in_hand
    rate = commission_rate(bet.game, bet.wager, bet.pick, bet.area.state)
    whole = in_hand + bet.standing.amount + bet.standing.commission  # stake and commission together, once it is laid
    stake = part_of(whole, 1 / (1 + rate))
    while stake + 1 + commission_cents(stake + 1, rate) <= whole:  # cutting commission leaves a cent at most
        stake += 1
    return stake - bet.standing.amount


def least_of_all(settings: Settings) -> int:
    """The least that any wager at the table takes."""
    signs = [settings.limit, *settings.wager_limits.values()]
    single = [limit.minimum for limit in settings.single_limits.values() if limit.minimum is not None]
    return max(settings.chip, min([*(sign.minimum or 0 for sign in signs), *single]))
