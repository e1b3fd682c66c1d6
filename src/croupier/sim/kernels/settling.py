"""What a throw does to the wagers on the layout: collected, paid, given back, moved on."""

from __future__ import annotations

from croupier.sim.kernels import numbers as n
from croupier.sim.kernels.amounts import flat_stake
from croupier.sim.kernels.cells import is_true, of_entry, of_row, of_slot
from croupier.sim.kernels.compiled import part
from croupier.sim.kernels.numbers import Floats, Ints


@part
def _kind(t: Ints, s: Ints, slot: int, outcome: int) -> int:
    """What the outcome does to the wager on a slot, sleep and a flat wager decided without it included (CR-9)."""
    row = s[t[n.P_ROWS] + slot]
    phase = of_slot(t, slot, n.SLEEP_PHASE)
    if phase >= 0:
        called = s[t[n.P_CALLED] + slot]
        asleep = called == n.CALLED_OFF
        if called == n.NOT_CALLED:
            asleep = is_true(t, of_slot(t, slot, n.SLEEP_TRUTH), s[phase])
        if asleep:
            if of_row(t, row, n.BEHIND_OF) > 0 and flat_stake(t, s, row) > 0:
                flat = of_entry(t, of_row(t, row, n.FLAT_ROW), outcome, n.KIND)
                if flat >= n.LOSE:
                    return n.VOID
            return n.STAY
    return of_entry(t, row, outcome, n.KIND)


@part
def _settle_slot(
    t: Ints, s: Ints, money: Ints, slot: int, kind: int, outcome: int, weight: int, counts: Ints, floats: Floats
) -> int:
    """Collect, pay or give back what lies on a slot; what was won."""
    stakes, paid = t[n.P_STAKES] + slot, t[n.P_COMMISSION] + slot
    rows = t[n.P_ROWS] + slot
    stake, commission, won = s[stakes], s[paid], 0
    result = 0
    if kind == n.WIN:
        odds, over = of_entry(t, s[rows], outcome, n.ODDS), of_row(t, s[rows], n.ODDS_OVER)
        chip = t[n.CHIP]
        won = -(-stake * odds // (over * chip)) * chip
        money[n.CASH] += stake + won
        result = won - commission
        counts[slot * n.SLOT_COUNTS + n.WINS_OF] += weight
        counts[slot * n.SLOT_COUNTS + n.PAID] += weight * won
        counts[slot * n.SLOT_COUNTS + n.ROUNDED_UP] += weight * (won * over - stake * odds)
    elif kind == n.LOSE:
        result = -stake - commission
        counts[slot * n.SLOT_COUNTS + n.LOSSES_OF] += weight
        counts[slot * n.SLOT_COUNTS + n.COLLECTED] += weight * stake
    else:
        money[n.CASH] += stake + commission
        counts[slot * n.SLOT_COUNTS + n.VOIDS_OF] += weight
        counts[slot * n.SLOT_COUNTS + n.RETURNED] += weight * stake
        counts[slot * n.SLOT_COUNTS + n.COMMISSION_BACK] += weight * commission
    money[n.NET] += result
    group = t[n.F_GAINS] + of_slot(t, slot, n.GROUP)
    floats[group] += float(result) - float(stake) * floats[t[n.F_WORTH] + s[rows]]
    s[stakes] = 0
    s[paid] = 0
    s[rows] = 0
    s[t[n.P_CALLED] + slot] = 0
    return won


@part
def _travel(t: Ints, s: Ints, slot: int, outcome: int, floats: Floats) -> None:
    """A wager moves on to another state, and with it, where it travels, to another slot."""
    stakes, rows, paid, called = t[n.P_STAKES], t[n.P_ROWS], t[n.P_COMMISSION], t[n.P_CALLED]
    row = of_entry(t, s[rows + slot], outcome, n.NEXT)
    to = of_row(t, row, n.SLOT)
    gained = floats[t[n.F_WORTH] + row] - floats[t[n.F_WORTH] + s[rows + slot]]
    floats[t[n.F_GAINS] + of_slot(t, slot, n.GROUP)] += float(s[stakes + slot]) * gained
    if to != slot:
        s[stakes + to] += s[stakes + slot]
        s[paid + to] += s[paid + slot]
        s[called + to] = s[called + slot]
        for part_of in (stakes, paid, called, rows):
            s[part_of + slot] = 0
    s[rows + to] = row


@part
def _square(t: Ints, weight: int, floats: Floats) -> None:
    """How far the throw took each kind of wager, and all of them, from what they were worth: squared and added up."""
    total = 0.0
    for group in range(t[n.GROUPS]):
        gained = floats[t[n.F_GAINS] + group]
        total += gained
        floats[group] += weight * (gained * gained)
        floats[t[n.F_GAINS] + group] = 0.0
    floats[t[n.GROUPS]] += weight * (total * total)


@part
def settle(
    t: Ints, s: Ints, money: Ints, outcome: int, scratch: Ints, weight: int, counts: Ints, floats: Floats
) -> bool:
    """What a throw does to all slots: wagers are decided first, then others travel; whether any was decided."""
    touched = 0
    stakes, slots = t[n.P_STAKES], t[n.SLOTS]
    for k in range(slots):
        scratch[n.DONE, k] = n.STAY
        if s[stakes + k] > 0:
            kind = _kind(t, s, k, outcome)
            if kind != n.STAY:
                scratch[n.DONE, k] = kind
                scratch[n.TOUCHED, touched] = k
                touched += 1
    decided = False
    for i in range(touched):
        k = scratch[n.TOUCHED, i]
        if scratch[n.DONE, k] >= n.LOSE:
            decided = True
            scratch[n.WON_ON, k] = _settle_slot(t, s, money, k, scratch[n.DONE, k], outcome, weight, counts, floats)
    for i in range(touched):
        k = scratch[n.TOUCHED, i]
        if scratch[n.DONE, k] == n.GO:
            _travel(t, s, k, outcome, floats)
    if touched > 0:
        _square(t, weight, floats)
    return decided
