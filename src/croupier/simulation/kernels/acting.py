"""Apply the strategy's rules: bets, take-downs and calls, each allowed or refused as at the table."""

from __future__ import annotations

from croupier.simulation.kernels import numbers as n
from croupier.simulation.kernels.amounts import (
    behind_limit,
    chips_needed,
    commission_due,
    flat_stake,
    in_units,
    is_met,
    lowered,
    wished,
)
from croupier.simulation.kernels.compiled import part
from croupier.simulation.kernels.numbers import Ints, is_true, of_condition, of_moment, of_row, of_rule, of_slot


@part
def _bet(t: Ints, s: Ints, money: Ints, r: int, weight: int, counts: Ints) -> None:
    """Make one bet of the strategy, if it may be made now."""
    slot = of_rule(t, r, n.AT)
    standing = s[t[n.P_STAKES] + slot]
    adds, made = of_rule(t, r, n.ADDS) != 0, t[n.P_MADE] + r
    if standing > 0 and not adds:
        return
    if of_rule(t, r, n.AT_MOST) >= 0 and s[made] >= of_rule(t, r, n.AT_MOST):
        return
    phase = of_slot(t, slot, n.START_PHASE)
    start = t[t[n.LISTS] + of_slot(t, slot, n.STARTS) + (s[phase] if phase >= 0 else 0)]
    row = s[t[n.P_ROWS] + slot] if standing > 0 else start
    behind = row >= 0 and of_row(t, row, n.BEHIND_OF) > 0
    flat = flat_stake(t, s, row) if behind else 0
    waits = of_rule(t, r, n.INSIST) == 0
    if waits and behind and flat == 0:
        return
    refusal = not_now(t, s, slot, row, start, standing)
    if waits and refusal >= 0:
        return
    stake = wished(t, s, money, r, slot, row, flat)
    if of_rule(t, r, n.OR_LESS) != 0 and of_slot(t, slot, n.FIXED_STAKE) < 0 and row >= 0:
        stake = lowered(t, s, money, slot, row, stake, flat)
    amount = stake - standing
    if adds and amount <= 0:
        return
    if amount <= 0:
        counts[t[n.COUNTS_REFUSED] + r * t[n.REFUSALS] + t[n.NOT_POSITIVE]] += weight
        return
    commission = commission_due(t, s, slot, row, stake)
    if of_rule(t, r, n.OR_LESS) != 0:  # with fewer chips it would be lowered further, and might not even be refused
        money[n.OUT] = max(money[n.OUT], money[n.BANK] + money[n.NET] - money[n.CASH] + amount + commission)
    if refusal < 0:
        refusal = refused(t, money, slot, row, flat, amount, stake, commission)
    if refusal >= 0:
        counts[t[n.COUNTS_REFUSED] + r * t[n.REFUSALS] + refusal] += weight
        return
    _lay(t, s, money, slot, row, amount, commission, weight, counts)
    if of_rule(t, r, n.AT_MOST) >= 0:
        s[made] += 1
    counts[t[n.COUNTS_MADE] + r] += weight


@part
def _lay(
    t: Ints, s: Ints, money: Ints, slot: int, row: int, amount: int, commission: int, weight: int, counts: Ints
) -> None:
    """Move chips from the hand to the layout."""
    s[t[n.P_STAKES] + slot] += amount
    if s[t[n.P_STAKES] + slot] > money[n.CEILING]:
        s[t[n.P_MISC] + n.ENDED] = n.BEYOND
    s[t[n.P_ROWS] + slot] = row
    s[t[n.P_COMMISSION] + slot] += commission
    money[n.CASH] -= amount + commission
    money[n.OUT] = max(money[n.OUT], money[n.BANK] + money[n.NET] - money[n.CASH])
    counts[slot * n.SLOT_COUNTS + n.BETS] += weight
    counts[t[n.COUNTS_OF_ROWS] + row * n.ROW_COUNTS + n.MADE_IN] += weight * amount
    counts[slot * n.SLOT_COUNTS + n.STAKED] += weight * amount
    counts[slot * n.SLOT_COUNTS + n.COMMISSION] += weight * commission


@part
def _reduce(t: Ints, s: Ints, money: Ints, slot: int, left: int, weight: int, counts: Ints) -> None:
    """Return chips from a wager, with the commission on them (reading CR-7)."""
    stakes, paid = t[n.P_STAKES] + slot, t[n.P_COMMISSION] + slot
    row = s[t[n.P_ROWS] + slot]
    amount = s[stakes] - left
    back = max(0, s[paid] - left * of_row(t, row, n.RATE) // of_row(t, row, n.RATE_OVER))
    s[stakes] = left
    s[paid] -= back
    money[n.CASH] += amount + back
    counts[t[n.COUNTS_OF_ROWS] + row * n.ROW_COUNTS + n.TAKEN_IN] += weight * amount
    counts[slot * n.SLOT_COUNTS + n.COMMISSION_BACK] += weight * back
    if left == 0:
        s[t[n.P_ROWS] + slot] = 0
        s[t[n.P_CALLED] + slot] = 0


@part
def _take(t: Ints, s: Ints, money: Ints, r: int, weight: int, counts: Ints) -> None:
    """Take a wager down, or down to what the rule leaves; Behind wagers shrink with it (reading CR-10)."""
    slot, left = of_rule(t, r, n.AT), of_rule(t, r, n.LEAVE)
    standing = s[t[n.P_STAKES] + slot]
    if standing == 0 or standing <= left:
        return
    row = s[t[n.P_ROWS] + slot]
    refusal = against_the_moment(t, s, of_slot(t, slot, n.TAKE), of_slot(t, slot, n.TAKES), row)
    if refusal < 0 and left > 0:
        if left < of_slot(t, slot, n.LOWEST):
            refusal = t[n.BELOW_MINIMUM]
        else:
            refusal = not_in_units(t, slot, row, standing - left, left)
    if refusal >= 0:
        counts[t[n.COUNTS_REFUSED] + r * t[n.REFUSALS] + refusal] += weight
        return
    counts[t[n.COUNTS_MADE] + r] += weight
    _reduce(t, s, money, slot, left, weight, counts)
    for k in range(t[n.SLOTS]):
        behind = s[t[n.P_STAKES] + k]
        if behind > 0 and k != slot:
            its = s[t[n.P_ROWS] + k]
            if of_row(t, its, n.FLAT_SLOT) == slot and of_row(t, its, n.FLAT_ROW) == row:
                most = 0
                if left > 0:
                    most = behind_limit(t, its, left)
                if behind > most:
                    _reduce(t, s, money, k, in_units(t, k, its, most), weight, counts)


@part
def _call(t: Ints, s: Ints, r: int, weight: int, counts: Ints) -> None:
    """Call a wager On or Off."""
    slot = of_rule(t, r, n.AT)
    called = n.CALLED_ON if of_rule(t, r, n.ON) != 0 else n.CALLED_OFF
    if s[t[n.P_STAKES] + slot] == 0 or s[t[n.P_CALLED] + slot] == called:
        return
    if of_slot(t, slot, n.SLEEP_PHASE) < 0:
        counts[t[n.COUNTS_REFUSED] + r * t[n.REFUSALS] + of_slot(t, slot, n.NO_CALL)] += weight
        return
    s[t[n.P_CALLED] + slot] = called
    counts[t[n.COUNTS_MADE] + r] += weight


@part
def take_down_all(t: Ints, s: Ints, money: Ints, weight: int, counts: Ints) -> None:
    """Take down every wager that the book allows, for a player about to leave."""
    for k in range(t[n.SLOTS]):
        if s[t[n.P_STAKES] + k] > 0:
            row = s[t[n.P_ROWS] + k]
            if against_the_moment(t, s, of_slot(t, k, n.TAKE), of_slot(t, k, n.TAKES), row) < 0:
                _reduce(t, s, money, k, 0, weight, counts)


@part
def test_for_ruin(t: Ints, s: Ints, money: Ints) -> None:
    """End the session as ruined if no bet of the strategy is affordable. Called with an empty layout."""
    cheapest = n.UNBOUNDED
    for r in range(t[n.RULES]):
        due = chips_needed(t, s, money, r)
        if due >= 0:
            cheapest = min(cheapest, due)
    if cheapest < n.UNBOUNDED:
        money[n.OUT] = max(money[n.OUT], cheapest)
        if money[n.CASH] < cheapest:
            s[t[n.P_MISC] + n.ENDED] = n.RUINED


@part
def carry_out(t: Ints, s: Ints, money: Ints, weight: int, counts: Ints) -> None:
    """Apply the rules from top to bottom, then test for ruin."""
    money[n.OUT] = 0
    for r in range(t[n.RULES]):
        first = of_rule(t, r, n.IF)
        holds = True
        for c in range(first, first + of_rule(t, r, n.IFS)):
            if holds and is_met(t, s, money, c) != (of_condition(t, c, n.WANTED) != 0):
                holds = False
        if not holds:
            continue
        if of_rule(t, r, n.OP) == n.BET:
            _bet(t, s, money, r, weight, counts)
        elif of_rule(t, r, n.OP) == n.TAKE_DOWN:
            _take(t, s, money, r, weight, counts)
        else:
            _call(t, s, r, weight, counts)
    if money[n.BANK] + money[n.NET] == money[n.CASH]:
        test_for_ruin(t, s, money)


# Why a bet is refused, checked in the table's order


@part
def not_in_units(t: Ints, slot: int, row: int, amount: int, stake: int) -> int:
    """The refusal of an amount that cannot be laid, or of a stake not in units."""
    if amount % t[n.CHIP] != 0:
        return t[n.NO_CHIPS_MULTIPLE]
    if of_slot(t, slot, n.NO_MULTIPLE) >= 0 and stake % of_slot(t, slot, n.MULTIPLE) != 0:
        return of_slot(t, slot, n.NO_MULTIPLE)
    exact = t[n.EXACT] != 0 and of_slot(t, slot, n.FIXED_STAKE) < 0 and row >= 0
    if exact and stake % of_row(t, row, n.UNIT) != 0:
        return t[n.NO_UNITS]
    return n.NONE


@part
def against_the_moment(t: Ints, s: Ints, first: int, count: int, row: int) -> int:
    """The refusal by the book's conditions on this moment."""
    refusal = n.NONE
    for m in range(first, first + count):
        phase = of_moment(t, m, n.PHASE)
        where = row if phase < 0 else s[phase]
        if refusal < 0 and (where < 0 or not is_true(t, of_moment(t, m, n.TRUTH), where)):
            refusal = of_moment(t, m, n.REFUSAL)
    return refusal


@part
def not_now(t: Ints, s: Ints, slot: int, row: int, start: int, standing: int) -> int:
    """The refusal of a wager now at any stake: another declaration, the phase, a locked wager."""
    refusal = n.NONE
    if of_slot(t, slot, n.SOLE) >= 0:
        for k in range(t[n.SLOTS]):
            if k != slot and of_slot(t, k, n.SOLE) == of_slot(t, slot, n.SOLE) and s[t[n.P_STAKES] + k] > 0:
                refusal = of_slot(t, slot, n.NO_DECLARED)
    if refusal < 0:
        refusal = against_the_moment(t, s, of_slot(t, slot, n.PLACE), of_slot(t, slot, n.PLACES), row)
    if refusal < 0 and standing > 0:
        if of_slot(t, slot, n.ADDS_UP) == 0:
            refusal = of_slot(t, slot, n.NO_ONE_ONLY)
        elif row != start:
            refusal = of_slot(t, slot, n.NO_LOCKED)
    return refusal


@part
def refused(t: Ints, money: Ints, slot: int, row: int, flat: int, amount: int, stake: int, commission: int) -> int:
    """The refusal of this amount at a valid moment: units, limits, the flat wager, the chips in hand."""
    refusal = not_in_units(t, slot, row, amount, stake)
    if refusal >= 0:
        return refusal
    if of_slot(t, slot, n.FIXED_STAKE) >= 0:
        if amount != of_slot(t, slot, n.FIXED_STAKE):
            return of_slot(t, slot, n.NO_FIXED)
    elif 0 <= of_slot(t, slot, n.HIGHEST) < stake:
        return t[n.ABOVE_MAXIMUM]
    elif stake < of_slot(t, slot, n.LOWEST):
        return t[n.BELOW_MINIMUM]
    if row >= 0 and of_row(t, row, n.BEHIND_OF) > 0:
        if flat == 0:
            return of_slot(t, slot, n.NO_FLAT)
        if stake > behind_limit(t, row, flat):
            return of_slot(t, slot, n.NO_BEHIND)
    return t[n.NO_CHIPS] if amount + commission > money[n.CASH] else n.NONE
