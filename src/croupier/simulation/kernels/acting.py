"""Apply the strategy's rules: bets, take-downs and calls, each allowed or refused as at the table."""

from __future__ import annotations

from croupier.simulation.kernels.amounts import (
    behind_limit,
    chips_needed,
    commission_due,
    commission_on,
    flat_stake,
    in_units,
    is_met,
    lowered,
    start_row,
    wished,
)
from croupier.simulation.kernels.compiled import number, part
from croupier.simulation.kernels.layout import (
    BET,
    BEYOND,
    CALLED_OFF,
    CALLED_ON,
    NONE,
    RUINED,
    TAKE_DOWN,
    UNBOUNDED,
    Counts,
    Money,
    Session,
    Slot,
    Tables,
)


@part
def _bet(t: Tables, s: Session, r: int, weight: int, counts: Counts) -> None:
    """Make one bet of the strategy, if it may be made now."""
    rule = t.rules[r]
    slot = rule.slot
    stood = s.stakes[slot]
    if stood > 0 and not rule.adds:
        return
    if rule.at_most >= 0 and s.made[r] >= rule.at_most:
        return
    start = start_row(t, s, slot)
    row = s.rows[slot] if stood > 0 else start
    behind = row >= 0 and t.rows[row].limited_by > 0
    flat = flat_stake(t, s, row) if behind else 0
    waits = not rule.insist
    if waits and behind and flat == 0:
        return
    refusal = not_now(t, s, slot, row, start, stood)
    if waits and refusal >= 0:
        return
    stake = wished(t, s, r, slot, row, flat)
    if rule.or_less and t.slots[slot].one_amount < 0 and row >= 0:
        stake = lowered(t, s, slot, row, stake, flat)
    amount = stake - stood
    if rule.adds and amount <= 0:
        return
    if amount <= 0:
        counts.refused[r, t.sign.not_positive] += weight
        return
    commission = commission_due(t, s, slot, row, stake)
    if rule.or_less:  # with fewer chips it would be lowered further, and might not even be refused
        _need(s.money, amount + commission)
    if refusal < 0:
        refusal = refused(t, s.money, slot, row, flat, amount, stake, commission)
    if refusal >= 0:
        counts.refused[r, refusal] += weight
        return
    _lay(s, slot, row, amount, commission, weight, counts)
    if rule.at_most >= 0:
        s.made[r] += 1
    counts.made[r] += weight


@part
def _need(money: Money, amount: int) -> None:
    """Note that the player must own what is on the layout, and this amount."""
    money.needed = max(money.needed, money.bankroll + money.net - money.cash + amount)


@part
def _lay(s: Session, slot: int, row: int, amount: int, commission: int, weight: int, counts: Counts) -> None:
    """Move chips from the hand to the layout."""
    s.stakes[slot] += amount
    if s.stakes[slot] > s.money.ceiling:
        s.progress.ended = BEYOND
    s.rows[slot] = row
    s.paid[slot] += commission
    s.money.cash -= amount + commission
    _need(s.money, 0)
    counts.rows[row].made += weight * amount
    counted = counts.slots[slot]
    counted.bets += weight
    counted.staked += weight * amount
    counted.charged += weight * commission


@part
def _reduce(t: Tables, s: Session, slot: int, left: int, weight: int, counts: Counts) -> None:
    """Return chips from a wager, with the commission on them (reading CR-7)."""
    row = s.rows[slot]
    amount = s.stakes[slot] - left
    back = max(0, s.paid[slot] - commission_on(t, row, left))
    s.stakes[slot] = left
    s.paid[slot] -= back
    s.money.cash += amount + back
    counts.rows[row].taken += weight * amount
    counts.slots[slot].refunded += weight * back
    if left == 0:
        s.rows[slot] = s.called[slot] = 0


@part
def _take(t: Tables, s: Session, r: int, weight: int, counts: Counts) -> None:
    """Take a wager down, or down to what the rule leaves; Behind wagers shrink with it (reading CR-10)."""
    slot, left = t.rules[r].slot, t.rules[r].leave
    stood = s.stakes[slot]
    if stood == 0 or stood <= left:
        return
    row = s.rows[slot]
    refusal = against_the_moment(t, s, t.slots[slot].take, t.slots[slot].takes, row)
    if refusal < 0 and left > 0:
        if left < t.slots[slot].lowest:
            refusal = t.sign.below_minimum
        else:
            refusal = not_in_units(t, t.slots[slot], row, stood - left, left)
    if refusal >= 0:
        counts.refused[r, refusal] += weight
        return
    counts.made[r] += weight
    _reduce(t, s, slot, left, weight, counts)
    for k in range(len(s.stakes)):
        behind = s.stakes[k]
        if behind > 0 and k != slot:
            its = s.rows[k]
            if t.rows[its].flat_slot == slot and t.rows[its].flat_row == row:
                most = 0
                if left > 0:
                    most = behind_limit(t, its, left)
                if behind > most:
                    _reduce(t, s, k, in_units(t, k, its, most), weight, counts)


@part
def _call(t: Tables, s: Session, r: int, weight: int, counts: Counts) -> None:
    """Call a wager On or Off."""
    slot = t.rules[r].slot
    called = CALLED_ON if t.rules[r].on else CALLED_OFF
    if s.stakes[slot] == 0 or s.called[slot] == called:
        return
    if t.slots[slot].sleep_phase < 0:
        counts.refused[r, t.slots[slot].cannot_be_called] += weight
        return
    s.called[slot] = called
    counts.made[r] += weight


@part
def take_down_all(t: Tables, s: Session, weight: int, counts: Counts) -> None:
    """Take down every wager that the book allows, for a player about to leave."""
    for k in range(len(s.stakes)):
        if s.stakes[k] > 0 and against_the_moment(t, s, t.slots[k].take, t.slots[k].takes, s.rows[k]) < 0:
            _reduce(t, s, k, number(0), weight, counts)


@part
def test_for_ruin(t: Tables, s: Session) -> None:
    """End the session as ruined if no bet of the strategy is affordable. Called with an empty layout."""
    cheapest = UNBOUNDED
    for r in range(len(t.rules)):
        due = chips_needed(t, s, r)
        if due >= 0:
            cheapest = min(cheapest, due)
    if cheapest < UNBOUNDED:
        s.money.needed = max(s.money.needed, cheapest)
        if s.money.cash < cheapest:
            s.progress.ended = RUINED


@part
def carry_out(t: Tables, s: Session, weight: int, counts: Counts) -> None:
    """Apply the rules from top to bottom, then test for ruin."""
    s.money.needed = 0
    for r in range(len(t.rules)):
        rule = t.rules[r]
        holds = True
        for c in range(rule.conditions, rule.conditions + rule.condition_count):
            if holds and is_met(t, s, t.conditions[c]) != t.conditions[c].wanted:
                holds = False
        if not holds:
            continue
        if rule.kind == BET:
            _bet(t, s, r, weight, counts)
        elif rule.kind == TAKE_DOWN:
            _take(t, s, r, weight, counts)
        else:
            _call(t, s, r, weight, counts)
    if s.money.bankroll + s.money.net == s.money.cash:
        test_for_ruin(t, s)


# Why a bet is refused, checked in the table's order


@part
def not_in_units(t: Tables, slot: Slot, row: int, amount: int, stake: int) -> int:
    """The refusal of an amount that cannot be laid, or of a stake not in units."""
    if amount % t.sign.chip != 0:
        return t.sign.not_in_chips
    if slot.not_in_steps >= 0 and stake % slot.step != 0:
        return slot.not_in_steps
    if t.sign.exact_units and slot.one_amount < 0 and row >= 0 and stake % t.rows[row].unit != 0:
        return t.sign.not_in_units
    return NONE


@part
def against_the_moment(t: Tables, s: Session, first: int, count: int, row: int) -> int:
    """The refusal by the book's conditions on this moment."""
    refusal = NONE
    for m in range(first, first + count):
        moment = t.moments[m]
        where = row if moment.phase < 0 else s.phases[moment.phase]
        if refusal < 0 and (where < 0 or not t.truths[moment.truth, where]):
            refusal = moment.refusal
    return refusal


@part
def not_now(t: Tables, s: Session, at: int, row: int, start: int, stood: int) -> int:
    """The refusal of a wager at any stake: another pick is declared, the phase forbids it, or it is locked."""
    slot, refusal = t.slots[at], NONE
    if slot.one_pick_of >= 0:
        for k in range(len(s.stakes)):
            if k != at and t.slots[k].one_pick_of == slot.one_pick_of and s.stakes[k] > 0:
                refusal = slot.declared_already
    if refusal < 0:
        refusal = against_the_moment(t, s, slot.place, slot.places, row)
    if refusal < 0 and stood > 0:
        if not slot.may_grow:
            refusal = slot.one_wager_only
        elif row != start:
            refusal = slot.locked
    return refusal


@part
def refused(t: Tables, money: Money, at: int, row: int, flat: int, amount: int, stake: int, commission: int) -> int:
    """The refusal of this amount at a valid moment: units, limits, the flat wager, the chips in hand."""
    slot = t.slots[at]
    refusal = not_in_units(t, slot, row, amount, stake)
    if refusal >= 0:
        return refusal
    if slot.one_amount >= 0:
        if amount != slot.one_amount:
            return slot.not_the_amount
    elif 0 <= slot.highest < stake:
        return t.sign.above_maximum
    elif stake < slot.lowest:
        return t.sign.below_minimum
    if row >= 0 and t.rows[row].limited_by > 0:
        if flat == 0:
            return slot.flat_missing
        if stake > behind_limit(t, row, flat):
            return slot.above_flat_limit
    if amount > money.cash:
        return t.sign.not_enough_chips
    return slot.too_few_for_commission if amount + commission > money.cash else NONE
