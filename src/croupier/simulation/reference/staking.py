"""The amount of a bet, and whether it waits. The table's own checks decide what is allowed."""

from __future__ import annotations

from fractions import Fraction

from croupier.money import commission_cents, round_down_to_chip, round_up_to_chip
from croupier.rules import offers
from croupier.table import placing
from croupier.table.commands import Settings


def part_of(cents: int, share: Fraction) -> int:
    """A share or a multiple of an amount, truncated to the cent as commission is."""
    return commission_cents(cents, share)


def waits(bet: placing.Bet) -> bool:
    """Whether the table would refuse the bet now at any amount."""
    if placing.first_refusal(bet, (placing.check_sole, placing.check_moment, placing.check_adds_up)) is not None:
        return True
    refusal = placing.check_flat(bet)
    return refusal is not None and refusal.code == "flat_wager_missing"


def can_begin(bet: placing.Bet) -> bool:
    """Whether the wager has a state to begin in. If not, the table refuses the moment before checking amounts."""
    return bet.area.state in bet.game.machine(bet.wager.id, bet.pick).table


def in_units(bet: placing.Bet, cents: int) -> int:
    """The largest stake up to an amount that can be laid there."""
    if bet.settings.exact_units and not can_begin(bet):
        return round_down_to_chip(cents, bet.settings.chip)
    return placing.in_units(bet.view, bet.area, cents)


def most_allowed(bet: placing.Bet) -> int | None:
    """The most allowed by the flat wager and the sign, or the one fixed amount; None without a limit."""
    flat = bet.view.flat_area(bet.player, bet.wager, bet.area.state) if can_begin(bet) else None
    behind = None if flat is None else bet.state.layout[flat][bet.player].amount
    maximum = placing.maximum_for(bet)
    return offers.largest_stake(bet.game, bet.wager, bet.pick, bet.area.state, bet.settings, maximum, behind)


def least(bet: placing.Bet) -> int:
    """The least that may be bet there."""
    exact = bet.settings.exact_units and can_begin(bet)
    unit = offers.unit_chips(bet.game, bet.wager, bet.pick, bet.area.state, exact) * bet.settings.chip
    return round_up_to_chip(max(1, placing.limit_of(bet).minimum or 0), unit)


def or_less(bet: placing.Bet, stake: int) -> int:
    """Lower a stake to what the limits allow, and to what the chips in hand cover if that is enough for a bet.

    If it is not, the table will refuse for lack of chips. A wager with one amount cannot be made for less.
    """
    if bet.wager.has_one_amount or not can_begin(bet):
        return stake
    limit, smallest = most_allowed(bet), max(1, placing.limit_of(bet).minimum or 0)
    allowed = stake if limit is None else min(stake, limit)
    tried = (in_units(bet, min(allowed, bet.standing.amount + affordable(bet))), in_units(bet, allowed))
    return next((lowered for lowered in tried if lowered >= smallest), stake)


def commission(bet: placing.Bet, stake: int) -> int:
    """The commission due on a stake; zero if the wager has no state to begin in."""
    if not can_begin(bet):
        return 0
    return commission_cents(stake, offers.commission_rate(bet.game, bet.wager, bet.pick, bet.area.state))


def affordable(bet: placing.Bet) -> int:
    """The most that can be added now, with commission, from the chips in hand."""
    in_hand = bet.state.chips[bet.player]
    if not can_begin(bet):
        return in_hand
    rate = offers.commission_rate(bet.game, bet.wager, bet.pick, bet.area.state)
    whole = in_hand + bet.standing.amount + bet.standing.commission  # stake and commission together, once laid
    stake = part_of(whole, 1 / (1 + rate))
    while stake + 1 + commission_cents(stake + 1, rate) <= whole:  # truncated commission leaves at most a cent
        stake += 1
    return stake - bet.standing.amount


def least_of_all(settings: Settings) -> int:
    """The least that any wager at the table takes."""
    signs = [settings.limit, *settings.wager_limits.values()]
    single = [limit.minimum for limit in settings.single_limits.values() if limit.minimum is not None]
    return max(settings.chip, min([*(sign.minimum or 0 for sign in signs), *single]))
