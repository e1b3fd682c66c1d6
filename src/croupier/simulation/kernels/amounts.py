"""The amount of a bet: what the rule wants, what can be laid, and what is affordable; and the conditions."""

from __future__ import annotations

from croupier.simulation.kernels import numbers as n
from croupier.simulation.kernels.compiled import part
from croupier.simulation.kernels.numbers import Ints, is_true, of_condition, of_progression, of_row, of_rule, of_slot


@part
def behind_limit(t: Ints, row: int, flat: int) -> int:
    """The largest stake behind a flat wager of this size, in whole chips (reading CR-10)."""
    chip = t[n.CHIP]
    most = of_row(t, row, n.TIMES) * flat
    most -= most % chip
    if of_row(t, row, n.BEHIND_OF) == 2 and of_row(t, row, n.BEST) > 0:
        most = most * of_row(t, row, n.BEST_OVER) // of_row(t, row, n.BEST)
        most -= most % chip
    return most


@part
def flat_stake(t: Ints, s: Ints, row: int) -> int:
    """The stake of the flat wager that a wager in this row lies behind; zero if it is elsewhere."""
    slot = of_row(t, row, n.FLAT_SLOT)
    if slot < 0 or s[t[n.P_ROWS] + slot] != of_row(t, row, n.FLAT_ROW):
        return 0
    return s[t[n.P_STAKES] + slot]


@part
def in_units(t: Ints, slot: int, row: int, cents: int) -> int:
    """The largest stake up to an amount that can be laid there (reading X-16)."""
    step = of_slot(t, slot, n.MULTIPLE)
    if row >= 0 and of_row(t, row, n.UNIT) > 0 and of_slot(t, slot, n.FIXED_STAKE) < 0:
        step = of_row(t, row, n.UNIT)
    return cents - cents % step


@part
def commission_on(t: Ints, row: int, amount: int) -> int:
    """The commission on a stake in a row; zero if the wager has no row to begin in."""
    return amount * of_row(t, row, n.RATE) // of_row(t, row, n.RATE_OVER) if row >= 0 else 0


@part
def commission_due(t: Ints, s: Ints, slot: int, row: int, stake: int) -> int:
    """The commission for raising to this stake: that on the whole less what is already paid (reading CR-24)."""
    return max(0, commission_on(t, row, stake) - s[t[n.P_COMMISSION] + slot])


@part
def _affordable(t: Ints, s: Ints, money: Ints, slot: int, row: int) -> int:
    """The most that can be added now, with commission, from the chips in hand."""
    if row < 0:
        return money[n.CASH]
    standing = s[t[n.P_STAKES] + slot]
    whole = money[n.CASH] + standing + s[t[n.P_COMMISSION] + slot]  # stake and commission together, once laid
    rate, over = of_row(t, row, n.RATE), of_row(t, row, n.RATE_OVER)
    stake = part_of(whole, over, over + rate)
    while stake + 1 + (stake + 1) * rate // over <= whole:
        stake += 1
    return stake - standing


@part
def part_of(cents: int, factor: int, over: int) -> int:
    """A fraction of an amount, truncated to the cent, without a product that might overflow."""
    return cents // over * factor + cents % over * factor // over


@part
def _progressed(t: Ints, s: Ints, q: int) -> int:
    """The current amount of a progression, in cents."""
    value = s[t[n.P_PROGRESSIONS] + q]
    return t[t[n.LISTS] + of_progression(t, q, n.STEP) + value] if of_progression(t, q, n.STEP) >= 0 else value


@part
def wished(t: Ints, s: Ints, money: Ints, r: int, slot: int, row: int, flat: int) -> int:
    """The stake that a rule asks for, before any limits or refusals."""
    kind, factor, over = of_rule(t, r, n.STAKE_KIND), of_rule(t, r, n.FACTOR), of_rule(t, r, n.FACTOR_OVER)
    if kind == n.OF_FIXED:
        return factor
    if kind == n.OF_SPOT:
        wish = part_of(s[t[n.P_STAKES] + of_rule(t, r, n.REF)], factor, over)
    elif kind == n.OF_CHIPS:
        wish = part_of(money[n.CASH], factor, over)
    elif kind == n.OF_MOST:
        if of_slot(t, slot, n.FIXED_STAKE) >= 0:
            return of_slot(t, slot, n.FIXED_STAKE)
        limited = row >= 0 and of_row(t, row, n.BEHIND_OF) > 0 and flat > 0
        wish = behind_limit(t, row, flat) if limited else _affordable(t, s, money, slot, row)
        high = of_slot(t, slot, n.HIGHEST)
        if high >= 0 and (not limited or high < wish):
            wish = high
    else:
        wish = part_of(_progressed(t, s, of_rule(t, r, n.REF)), factor, over)
    return in_units(t, slot, row, wish)


@part
def _least(t: Ints, slot: int, row: int) -> int:
    """The least that may be bet there."""
    step = of_slot(t, slot, n.MULTIPLE)
    if row >= 0 and of_row(t, row, n.UNIT) > 0:
        step = of_row(t, row, n.UNIT)
    least = max(1, of_slot(t, slot, n.LOWEST))
    return least + (-least) % step


@part
def lowered(t: Ints, s: Ints, money: Ints, slot: int, row: int, stake: int, flat: int) -> int:
    """Lower a stake to what the limits allow, and to what the chips in hand cover if that is enough for a bet."""
    allowed = stake
    if of_slot(t, slot, n.HIGHEST) >= 0:
        allowed = min(allowed, of_slot(t, slot, n.HIGHEST))
    if of_row(t, row, n.BEHIND_OF) > 0 and flat > 0:
        allowed = min(allowed, behind_limit(t, row, flat))
    least = max(1, of_slot(t, slot, n.LOWEST))
    payable = s[t[n.P_STAKES] + slot] + _affordable(t, s, money, slot, row)
    paid_for = in_units(t, slot, row, min(allowed, payable))
    if paid_for >= least:
        return paid_for
    allowed = in_units(t, slot, row, allowed)
    return allowed if allowed >= least else stake


@part
def chips_needed(t: Ints, s: Ints, money: Ints, r: int) -> int:
    """The chips needed to make a bet at some point from an empty layout; NONE if no amount would help.

    Excludes bets that depend on others, are zero or exceed the maximum. A progression that restarts with the
    next shooter counts with its first stake.
    """
    slot, kind = of_rule(t, r, n.AT), of_rule(t, r, n.STAKE_KIND)
    if of_rule(t, r, n.OP) != n.BET or kind == n.OF_SPOT or of_slot(t, slot, n.NO_FLAT) >= 0:
        return n.NONE
    phase = of_slot(t, slot, n.START_PHASE)
    row = t[t[n.LISTS] + of_slot(t, slot, n.STARTS) + (s[phase] if phase >= 0 else 0)]
    stake = wished(t, s, money, r, slot, row, 0)
    least = _least(t, slot, row)
    any_amount = of_slot(t, slot, n.FIXED_STAKE) < 0
    if kind == n.OF_PROGRESSION and of_progression(t, of_rule(t, r, n.REF), n.RESTARTS) != 0:
        q = of_rule(t, r, n.REF)
        first = (
            t[t[n.LISTS] + of_progression(t, q, n.STEP)]
            if of_progression(t, q, n.STEP) >= 0
            else of_progression(t, q, n.START)
        )
        stake = min(stake, in_units(t, slot, row, first * of_rule(t, r, n.FACTOR) // of_rule(t, r, n.FACTOR_OVER)))
    of_chips = kind == n.OF_CHIPS or (kind == n.OF_MOST and any_amount and of_slot(t, slot, n.HIGHEST) < 0)
    if of_chips:
        if stake < least:
            return money[n.CASH] + 1
        stake = least
    elif of_rule(t, r, n.OR_LESS) != 0 and any_amount:
        stake = min(stake, least)
    if stake <= 0 or (any_amount and 0 <= of_slot(t, slot, n.HIGHEST) < stake):
        return n.NONE
    return stake + commission_on(t, row, stake)


# Conditions of the strategy


@part
def _compares(number: int, how: int, value: int) -> bool:
    """Whether a comparison holds."""
    if how == n.IS:
        return number == value
    if how == n.IS_NOT:
        return number != value
    if how == n.AT_LEAST:
        return number >= value
    if how == n.AT_MOST_IS:
        return number <= value
    if how == n.ABOVE:
        return number > value
    return number < value


@part
def is_met(t: Ints, s: Ints, money: Ints, c: int) -> bool:
    """Whether a condition of the strategy holds now."""
    about, what = of_condition(t, c, n.ABOUT), of_condition(t, c, n.WHAT)
    truth = of_condition(t, c, n.SUBJECT_TRUTH)
    misc = t[n.P_MISC]
    if about == n.A_PHASE:
        return is_true(t, truth, s[what])
    if about == n.A_RESULT:
        return is_true(t, truth, s[misc + n.LAST])
    number = 0
    if about == n.A_COUNT:
        stakes = t[n.P_STAKES]
        for k in range(t[n.SLOTS]):
            if s[stakes + k] > 0 and is_true(t, truth, k):
                number += 1
    elif about == n.A_COUNTER:
        number = s[t[n.P_COUNTERS] + what]
    elif about == n.OF_ROLLS:
        number = s[misc + n.ROLLS]
    elif about == n.OF_SHOOTER_ROLLS:
        number = s[misc + n.SHOOTER_ROLLS]
    elif about == n.OF_SHOOTERS:
        number = s[misc + n.SHOOTERS]
    elif about == n.CHIPS_IN_HAND:
        number = money[n.CASH]
    else:
        number = money[n.NET]
    return _compares(number, of_condition(t, c, n.COMPARED), of_condition(t, c, n.WITH))
