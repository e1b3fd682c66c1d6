"""The amount of a bet: what the rule wants, what can be laid, and what is affordable; and the conditions."""

from __future__ import annotations

from croupier.simulation.kernels.compiled import number, part
from croupier.simulation.kernels.layout import (
    A_COUNT,
    A_COUNTER,
    A_PHASE,
    A_RESULT,
    ABOVE,
    AT_LEAST,
    AT_MOST,
    BET,
    CHIPS_IN_HAND,
    IS,
    IS_NOT,
    NONE,
    OF_CHIPS,
    OF_FIXED,
    OF_MOST,
    OF_PROGRESSION,
    OF_ROLLS,
    OF_SHOOTER_ROLLS,
    OF_SHOOTERS,
    OF_SPOT,
    OF_WINNINGS,
    Condition,
    Session,
    Tables,
)


@part
def start_row(t: Tables, s: Session, slot: int) -> int:
    """The row in which a new wager begins now; NONE if it cannot begin."""
    phase = t.slots[slot].start_phase
    return t.lists[t.slots[slot].starts + (s.phases[phase] if phase >= 0 else 0)]


@part
def behind_limit(t: Tables, row: int, flat: int) -> int:
    """The largest stake behind a flat wager of this size, in whole chips (reading CR-10)."""
    chip, its = t.sign.chip, t.rows[row]
    most = its.times * flat
    most -= most % chip
    if its.limited_by == OF_WINNINGS and its.best > 0:
        most = most * its.best_over // its.best
        most -= most % chip
    return most


@part
def flat_stake(t: Tables, s: Session, row: int) -> int:
    """The stake of the flat wager that a wager in this row lies behind; zero if it is elsewhere."""
    slot = t.rows[row].flat_slot
    if slot < 0 or s.rows[slot] != t.rows[row].flat_row:
        return 0
    return s.stakes[slot]


@part
def in_units(t: Tables, slot: int, row: int, cents: int) -> int:
    """The largest stake up to an amount that can be laid there (reading X-16)."""
    step = t.slots[slot].step
    if row >= 0 and t.rows[row].unit > 0 and t.slots[slot].one_amount < 0:
        step = t.rows[row].unit
    return cents - cents % step


@part
def commission_on(t: Tables, row: int, amount: int) -> int:
    """The commission on a stake in a row; zero if the wager has no row to begin in."""
    return amount * t.rows[row].rate // t.rows[row].rate_over if row >= 0 else 0


@part
def commission_due(t: Tables, s: Session, slot: int, row: int, stake: int) -> int:
    """The commission for raising to this stake: that on the whole less what is already paid (reading CR-24)."""
    return max(0, commission_on(t, row, stake) - s.paid[slot])


@part
def _affordable(t: Tables, s: Session, slot: int, row: int) -> int:
    """The most that can be added now, with commission, from the chips in hand."""
    if row < 0:
        return s.money.cash
    whole = s.money.cash + s.stakes[slot] + s.paid[slot]  # stake and commission together, once laid
    rate, over = t.rows[row].rate, t.rows[row].rate_over
    stake = part_of(whole, over, over + rate)
    while stake + 1 + (stake + 1) * rate // over <= whole:
        stake += 1
    return stake - s.stakes[slot]


@part
def part_of(cents: int, factor: int, over: int) -> int:
    """A fraction of an amount, truncated to the cent, without a product that might overflow."""
    return cents // over * factor + cents % over * factor // over


@part
def wished(t: Tables, s: Session, r: int, slot: int, row: int, flat: int) -> int:
    """The stake that a rule asks for, before any limits or refusals."""
    rule = t.rules[r]
    if rule.stake == OF_FIXED:
        return rule.factor
    if rule.stake == OF_SPOT:
        wish = part_of(s.stakes[rule.ref], rule.factor, rule.factor_over)
    elif rule.stake == OF_CHIPS:
        wish = part_of(s.money.cash, rule.factor, rule.factor_over)
    elif rule.stake == OF_MOST:
        if t.slots[slot].one_amount >= 0:
            return t.slots[slot].one_amount
        limited = row >= 0 and t.rows[row].limited_by > 0 and flat > 0
        wish = behind_limit(t, row, flat) if limited else _affordable(t, s, slot, row)
        high = t.slots[slot].highest
        if high >= 0 and (not limited or high < wish):
            wish = high
    else:
        steps, value = t.progressions[rule.ref].steps, s.progressions[rule.ref]
        wish = part_of(t.lists[steps + value] if steps >= 0 else value, rule.factor, rule.factor_over)
    return in_units(t, slot, row, wish)


@part
def _least(t: Tables, slot: int, row: int) -> int:
    """The least that may be bet there."""
    step = t.slots[slot].step
    if row >= 0 and t.rows[row].unit > 0:
        step = t.rows[row].unit
    least = max(1, t.slots[slot].lowest)
    return least + (-least) % step


@part
def lowered(t: Tables, s: Session, slot: int, row: int, stake: int, flat: int) -> int:
    """Lower a stake to what the limits allow, and to what the chips in hand cover if that is enough for a bet."""
    allowed = stake
    if t.slots[slot].highest >= 0:
        allowed = min(allowed, t.slots[slot].highest)
    if t.rows[row].limited_by > 0 and flat > 0:
        allowed = min(allowed, behind_limit(t, row, flat))
    least = max(1, t.slots[slot].lowest)
    payable = s.stakes[slot] + _affordable(t, s, slot, row)
    paid_for = in_units(t, slot, row, min(allowed, payable))
    if paid_for >= least:
        return paid_for
    allowed = in_units(t, slot, row, allowed)
    return allowed if allowed >= least else stake


@part
def chips_needed(t: Tables, s: Session, r: int) -> int:
    """The chips needed to make a bet at some point from an empty layout; NONE if no amount would help.

    Excludes bets that depend on others, are zero or exceed the maximum. A progression that restarts with the
    next shooter counts with its first stake.
    """
    rule = t.rules[r]
    at, slot = rule.slot, t.slots[rule.slot]
    if rule.kind != BET or rule.stake == OF_SPOT or slot.flat_missing >= 0:
        return NONE
    row = start_row(t, s, at)
    stake = wished(t, s, r, at, row, number(0))
    least = _least(t, at, row)
    any_amount = slot.one_amount < 0
    if rule.stake == OF_PROGRESSION and t.progressions[rule.ref].restarts:
        progression = t.progressions[rule.ref]
        first = t.lists[progression.steps] if progression.steps >= 0 else progression.start
        stake = min(stake, in_units(t, at, row, first * rule.factor // rule.factor_over))
    if rule.stake == OF_CHIPS or (rule.stake == OF_MOST and any_amount and slot.highest < 0):
        if stake < least:
            return s.money.cash + 1
        stake = least
    elif rule.or_less and any_amount:
        stake = min(stake, least)
    if stake <= 0 or (any_amount and 0 <= slot.highest < stake):
        return NONE
    return stake + commission_on(t, row, stake)


# Conditions of the strategy


@part
def _compares(number: int, how: int, value: int) -> bool:
    """Whether a comparison holds."""
    if how == IS:
        return number == value
    if how == IS_NOT:
        return number != value
    if how == AT_LEAST:
        return number >= value
    if how == AT_MOST:
        return number <= value
    if how == ABOVE:
        return number > value
    return number < value


@part
def is_met(t: Tables, s: Session, condition: Condition) -> bool:
    """Whether a condition of the strategy holds now."""
    about = condition.about
    if about == A_PHASE:
        return t.truths[condition.truth, s.phases[condition.what]]
    if about == A_RESULT:
        return t.truths[condition.truth, s.progress.last]
    number = 0
    if about == A_COUNT:
        for k in range(len(s.stakes)):
            if s.stakes[k] > 0 and t.truths[condition.truth, k]:
                number += 1
    elif about == A_COUNTER:
        number = s.counters[condition.what]
    elif about == OF_ROLLS:
        number = s.progress.rolls
    elif about == OF_SHOOTER_ROLLS:
        number = s.progress.shooter_rolls
    elif about == OF_SHOOTERS:
        number = s.progress.shooters
    elif about == CHIPS_IN_HAND:
        number = s.money.cash
    else:
        number = s.money.net
    return _compares(number, condition.comparison, condition.value)
