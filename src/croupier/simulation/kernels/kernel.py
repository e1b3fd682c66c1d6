"""The general kernel: a strategy played throw by throw in compiled code, exact to the cent.

It is table and player in one, working on the arrays of `numbers`. The effect of a throw comes from the compiled
machines; whether a wager may be made comes from the book's conditions, checked in the table's order.
`simulation.seated.player` does the same at a real table, and tests compare the two.
"""

from __future__ import annotations

from croupier.simulation.kernels import numbers as n
from croupier.simulation.kernels.acting import carry_out, take_down_all, test_for_ruin
from croupier.simulation.kernels.amounts import flat_stake, part_of
from croupier.simulation.kernels.compiled import compiled, part
from croupier.simulation.kernels.dice import Throws
from croupier.simulation.kernels.numbers import (
    Floats,
    Ints,
    is_true,
    of_counter,
    of_entry,
    of_progression,
    of_row,
    of_rule,
    of_slot,
)


@part
def _stop(t: Ints, s: Ints, money: Ints, is_open: bool, weight: int, counts: Ints) -> None:
    """Decide whether the player leaves, and why; take wagers down, and wait for those that are locked.

    A player who leaves without enough to bet is ruined, for whatever reason they left.
    """
    misc = t[n.P_MISC]
    reason = s[misc + n.LEAVING]
    if reason == n.GOING:
        if money[n.NET] >= t[n.STOP_WIN]:
            reason = n.WON
        elif money[n.NET] <= -t[n.STOP_LOSS]:
            reason = n.LOST
        elif s[misc + n.SHOOTERS] > t[n.STOP_SHOOTERS]:
            reason = n.SHOOTERS_DONE
        elif s[misc + n.ROLLS] >= t[n.STOP_ROLLS]:
            reason = n.ROLLS_DONE
    if reason != n.GOING:
        if t[n.WHEN_DECIDED] == 0 and is_open:
            take_down_all(t, s, money, weight, counts)
        if money[n.BANK] + money[n.NET] == money[n.CASH]:
            s[misc + n.ENDED] = reason
            test_for_ruin(t, s, money)
        else:
            s[misc + n.LEAVING] = reason


@part
def _throw(
    t: Ints, s: Ints, money: Ints, outcome: int, scratch: Ints, weight: int, counts: Ints, floats: Floats
) -> bool:
    """Make one throw with all its effects before the rules; return whether the rules apply next."""
    misc = t[n.P_MISC]
    decided = settle(t, s, money, outcome, scratch, weight, counts, floats)
    passes = t[n.PASS_OUTCOMES] >= 0 and is_true(t, t[n.PASS_OUTCOMES], outcome)
    if passes and t[n.PASS_PHASE] >= 0:
        passes = is_true(t, t[n.PASS_TRUTH], s[t[n.PASS_PHASE]])
    for p in range(t[n.PHASES]):
        s[p] = t[t[n.PHASE_TABLE] + (p * t[n.PHASE_STATES] + s[p]) * t[n.OUTCOMES] + outcome]
    s[misc + n.ROLLS] = min(s[misc + n.ROLLS] + 1, t[n.CAP_ROLLS])
    s[misc + n.SHOOTER_ROLLS] = min(s[misc + n.SHOOTER_ROLLS] + 1, t[n.CAP_SHOOTER_ROLLS])
    s[misc + n.LAST] = t[t[n.LISTS] + t[n.RESULT_CLASSES] + outcome]
    if decided:
        count_decisions(t, s, scratch)
        move_progressions(t, s, scratch)
    if passes:
        new_shooter(t, s)
    is_open = t[n.OPEN_PHASE] < 0 or is_true(t, t[n.OPEN_TRUTH], s[t[n.OPEN_PHASE]])
    _stop(t, s, money, is_open, weight, counts)
    if money[n.NET] > money[n.PEAK]:
        money[n.PEAK] = money[n.NET]
    elif money[n.PEAK] - money[n.NET] > money[n.DEEPEST]:
        money[n.DEEPEST] = money[n.PEAK] - money[n.NET]
    return is_open and s[misc + n.ENDED] == n.GOING and s[misc + n.LEAVING] == n.GOING


@part
def standing_on(t: Ints, s: Ints) -> int:
    """The total on the layout, commission included."""
    total = 0
    for k in range(t[n.SLOTS]):
        total += s[t[n.P_STAKES] + k] + s[t[n.P_COMMISSION] + k]
    return total


@part
def leave(t: Ints, s: Ints, weight: int, counts: Ints) -> None:
    """Count the wagers left at the end by row, at face value: commission is returned."""
    for k in range(t[n.SLOTS]):
        if s[t[n.P_STAKES] + k] > 0:
            row = s[t[n.P_ROWS] + k]
            counts[t[n.COUNTS_OF_ROWS] + row * n.ROW_COUNTS + n.LEFT_IN] += weight * s[t[n.P_STAKES] + k]
            counts[k * n.SLOT_COUNTS + n.COMMISSION_BACK] += weight * s[t[n.P_COMMISSION] + k]


@compiled
def advance(
    t: Ints, s: Ints, money: Ints, throws: Throws, at: int, made: int, until: int, acts: bool, limit: int, marks: Ints,
    snaps: Ints, weight: int, counts: Ints, floats: Floats, scratch: Ints,
) -> int:  # fmt: skip
    """Play on from a state, from throw `made` of the session to `until`; return the number of throws made.

    The array of throws begins with throw number `at`. With `acts`, the rules are applied first. They are not applied
    after throw number `limit`, the last of a session; but a player who could not have bet any more after it is ruined.
    When the number of throws made is one of `marks`, the net result is stored in `snaps`. Every count is added `weight`
    times.
    """
    ended = t[n.P_MISC] + n.ENDED
    acting = acts
    mark = 0
    while mark < marks.shape[0] and marks[mark] <= made:
        mark += 1
    while True:
        if acting:
            carry_out(t, s, money, weight, counts)
        if made >= until or s[ended] != n.GOING:
            return made
        acting = _throw(t, s, money, int(throws[made - at]), scratch, weight, counts, floats)
        made += 1
        if acting and made >= limit:
            acting = False
            if money[n.BANK] + money[n.NET] == money[n.CASH]:
                test_for_ruin(t, s, money)
        if mark < marks.shape[0] and marks[mark] == made:
            snaps[mark] = money[n.NET]
            mark += 1


# Settling: collect, pay, return or move the wagers on the layout


@part
def _kind(t: Ints, s: Ints, slot: int, outcome: int) -> int:
    """The effect of the outcome on a slot's wager, including sleep and a flat wager decided during it (CR-9)."""
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
    """Collect, pay or return the wager on a slot; return the winnings."""
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
    """Move a wager to another state, and if it travels, to another slot."""
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
    """Accumulate the squared deviation of the throw from expected worth, per kind of wager and in total."""
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
    """Settle all slots: wagers are decided first, then others travel. Return whether any was decided."""
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


# The strategy's memory: streaks, hits, progressions, and what restarts with each shooter


@part
def _moved(t: Ints, q: int, value: int, kind: int, by: int, over: int) -> int:
    """The position of a progression after one decision."""
    stepped = of_progression(t, q, n.STEP) >= 0
    if kind == n.M_FIRST:
        return 0 if stepped else of_progression(t, q, n.START)
    if stepped:
        if kind == n.M_NEXT:
            if value + 1 < of_progression(t, q, n.STEPS):
                return value + 1
            return 0 if of_progression(t, q, n.ENDS_FIRST) != 0 else value
        if kind == n.M_BACK:
            return max(0, value - by)
        return value
    if kind == n.M_ADD:
        value += by
    elif kind == n.M_TIMES:
        value = value * by // over
    return min(max(value, of_progression(t, q, n.LEAST)), of_progression(t, q, n.MOST))


@part
def _decided_on(t: Ints, truth: int, scratch: Ints, kind: int) -> int:
    """How many of these slots were decided this way."""
    number = 0
    for k in range(t[n.SLOTS]):
        if scratch[n.DONE, k] == kind and is_true(t, truth, k):
            number += 1
    return number


@part
def count_decisions(t: Ints, s: Ints, scratch: Ints) -> None:
    """Update streaks and hits: losses of a throw count before its wins."""
    for c in range(t[n.COUNTERS]):
        truth, what = of_counter(t, c, n.OVER_SLOTS), of_counter(t, c, n.COUNTS)
        lost = _decided_on(t, truth, scratch, n.LOSE)
        won = _decided_on(t, truth, scratch, n.WIN)
        place = t[n.P_COUNTERS] + c
        if what == n.WINS:
            s[place] = (0 if lost > 0 else s[place]) + won
        elif what == n.LOSSES:
            s[place] = 0 if won > 0 else s[place] + lost
        else:
            s[place] += won
        s[place] = min(s[place], of_counter(t, c, n.CAP))


@part
def _share_of(total: int, by: int, over: int) -> int:
    """A share of the winnings, capped if it is a multiple, since a progression ends there anyway."""
    return part_of(total if by <= over else min(total, n.MOST_CENTS), by, over)


@part
def move_progressions(t: Ints, s: Ints, scratch: Ints) -> None:
    """Move progressions: for each loss of the throw, then each win; a share of the winnings is added once."""
    for q in range(t[n.PROGRESSIONS]):
        truth, place = of_progression(t, q, n.MOVED_BY), t[n.P_PROGRESSIONS] + q
        lost = _decided_on(t, truth, scratch, n.LOSE)
        wins = _decided_on(t, truth, scratch, n.WIN)
        value = s[place]
        for _ in range(lost):
            value = _moved(
                t,
                q,
                value,
                of_progression(t, q, n.ON_LOSS),
                of_progression(t, q, n.LOSS_BY),
                of_progression(t, q, n.LOSS_OVER),
            )
        kind, by, over = (
            of_progression(t, q, n.ON_WIN),
            of_progression(t, q, n.WIN_BY),
            of_progression(t, q, n.WIN_OVER),
        )
        if wins > 0 and kind == n.M_ADD_WON:
            total = 0
            for k in range(t[n.SLOTS]):
                if scratch[n.DONE, k] == n.WIN and is_true(t, truth, k):
                    total += scratch[n.WON_ON, k]
            value = _moved(t, q, value, n.M_ADD, _share_of(total, by, over), 1)
        else:
            for _ in range(wins):
                value = _moved(t, q, value, kind, by, over)
        s[place] = value


@part
def new_shooter(t: Ints, s: Ints) -> None:
    """Pass the dice: restart everything counted per shooter."""
    misc = t[n.P_MISC]
    s[misc + n.SHOOTERS] = min(s[misc + n.SHOOTERS] + 1, t[n.CAP_SHOOTERS])
    s[misc + n.SHOOTER_ROLLS] = 0
    for c in range(t[n.COUNTERS]):
        if of_counter(t, c, n.COUNTS) == n.HITS:
            s[t[n.P_COUNTERS] + c] = 0
    for r in range(t[n.RULES]):
        if of_rule(t, r, n.PER_SHOOTER) != 0:
            s[t[n.P_MADE] + r] = 0
    for q in range(t[n.PROGRESSIONS]):
        if of_progression(t, q, n.RESTARTS) != 0:
            stepped = of_progression(t, q, n.STEP) >= 0
            s[t[n.P_PROGRESSIONS] + q] = 0 if stepped else of_progression(t, q, n.START)
