"""Why a bet is refused, asked in the order in which the table asks."""

from __future__ import annotations

from croupier.sim.kernels import numbers as n
from croupier.sim.kernels.amounts import behind_limit
from croupier.sim.kernels.cells import is_true, of_moment, of_row, of_slot
from croupier.sim.kernels.compiled import part
from croupier.sim.kernels.numbers import Ints


@part
def not_in_units(t: Ints, slot: int, row: int, amount: int, stake: int) -> int:
    """What refuses an amount that cannot be laid, or a stake that cannot stand."""
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
    """What the conditions of the book on this moment have against it."""
    refusal = n.NONE
    for m in range(first, first + count):
        phase = of_moment(t, m, n.PHASE)
        where = row if phase < 0 else s[phase]
        if refusal < 0 and (where < 0 or not is_true(t, of_moment(t, m, n.TRUTH), where)):
            refusal = of_moment(t, m, n.REFUSAL)
    return refusal


@part
def not_now(t: Ints, s: Ints, slot: int, row: int, start: int, standing: int) -> int:
    """What refuses a wager now whatever its stake: another declaration, the phase, a wager that is locked."""
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
    """What refuses this amount, where the moment is right: units, limits, the flat wager, the chips in hand."""
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
