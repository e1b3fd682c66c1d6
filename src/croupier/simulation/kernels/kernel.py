"""The general kernel: a strategy played throw by throw in compiled code, exact to the cent.

It is table and player in one, working on the records of `layout`. The effect of a throw comes from the compiled
machines; whether a wager may be made comes from the book's conditions, checked in the table's order.
`simulation.reference.player` does the same at a real table, and tests compare the two.
"""

from __future__ import annotations

from croupier.simulation.kernels.acting import carry_out, take_down_all, test_for_ruin
from croupier.simulation.kernels.amounts import flat_stake, part_of
from croupier.simulation.kernels.compiled import part
from croupier.simulation.kernels.dice import Throws
from croupier.simulation.kernels.layout import (
    CALLED_OFF,
    GO,
    GOING,
    HITS,
    LOSE,
    LOSSES,
    LOST,
    M_ADD,
    M_ADD_WON,
    M_BACK,
    M_FIRST,
    M_NEXT,
    M_TIMES,
    NOT_CALLED,
    ROLLS_DONE,
    SHOOTERS_DONE,
    STAY,
    VOID,
    WIN,
    WINS,
    WON,
    Counts,
    Ints,
    Money,
    Progression,
    Session,
    Tables,
)
from croupier.simulation.strategy import MOST_CENTS


@part
def restart(money: Money, bankroll: int, ceiling: int) -> None:
    """Give a player a bankroll, with nothing won or lost yet."""
    money.cash = money.bankroll = bankroll
    money.net = money.peak = money.drawdown = money.needed = 0
    money.ceiling = ceiling


@part
def _stop(t: Tables, s: Session, is_open: bool, weight: int, counts: Counts) -> None:
    """Decide whether the player leaves, and why; take wagers down, and wait for those that are locked.

    A player who leaves without enough to bet is ruined, for whatever reason they left.
    """
    sign, progress, money = t.sign, s.progress, s.money
    reason = progress.leaving
    if reason == GOING:
        if money.net >= sign.stop_win:
            reason = WON
        elif money.net <= -sign.stop_loss:
            reason = LOST
        elif progress.shooters > sign.stop_shooters:
            reason = SHOOTERS_DONE
        elif progress.rolls >= sign.stop_rolls:
            reason = ROLLS_DONE
    if reason != GOING:
        if not sign.when_decided and is_open:
            take_down_all(t, s, weight, counts)
        if money.bankroll + money.net == money.cash:
            progress.ended = reason
            test_for_ruin(t, s)
        else:
            progress.leaving = reason


@part
def _throw(t: Tables, s: Session, outcome: int, weight: int, counts: Counts) -> bool:
    """Make one throw with all its effects before the rules; return whether the rules apply next."""
    sign, progress, money = t.sign, s.progress, s.money
    decided = settle(t, s, outcome, weight, counts)
    passes = sign.pass_outcomes >= 0 and t.truths[sign.pass_outcomes, outcome]
    if passes and sign.pass_phase >= 0:
        passes = t.truths[sign.pass_truth, s.phases[sign.pass_phase]]
    for p in range(len(s.phases)):
        s.phases[p] = t.phases[p, s.phases[p], outcome]
    progress.rolls = min(progress.rolls + 1, sign.cap_rolls)
    progress.shooter_rolls = min(progress.shooter_rolls + 1, sign.cap_shooter_rolls)
    progress.last = t.lists[sign.result_classes + outcome]
    if decided:
        count_decisions(t, s)
        move_progressions(t, s)
    if passes:
        new_shooter(t, s)
    is_open = sign.open_phase < 0 or t.truths[sign.open_truth, s.phases[sign.open_phase]]
    _stop(t, s, is_open, weight, counts)
    if money.net > money.peak:
        money.peak = money.net
    elif money.peak - money.net > money.drawdown:
        money.drawdown = money.peak - money.net
    return is_open and progress.ended == GOING and progress.leaving == GOING


@part
def on_layout(s: Session) -> int:
    """The total on the layout, commission included."""
    total = 0
    for k in range(len(s.stakes)):
        total += s.stakes[k] + s.paid[k]
    return total


@part
def leave(s: Session, weight: int, counts: Counts) -> None:
    """Count the wagers left at the end by row, at face value: commission is returned."""
    for k in range(len(s.stakes)):
        if s.stakes[k] > 0:
            counts.rows[s.rows[k]].left += weight * s.stakes[k]
            counts.slots[k].refunded += weight * s.paid[k]


@part
def advance(
    t: Tables, s: Session, throws: Throws, at: int, made: int, until: int, acts: bool, limit: int, marks: Ints,
    snaps: Ints, weight: int, counts: Counts,
) -> int:  # fmt: skip
    """Play on from a state, from throw `made` of the session to `until`; return the number of throws made.

    The array of throws begins with throw number `at`. With `acts`, the rules are applied first. They are not applied
    after throw number `limit`, the last of a session; but a player who could not have bet any more after it is ruined.
    When the number of throws made is one of `marks`, the net result is stored in `snaps`. Every count is added `weight`
    times.
    """
    progress, money = s.progress, s.money
    acting = acts
    mark = 0
    while mark < len(marks) and marks[mark] <= made:
        mark += 1
    while True:
        if acting:
            carry_out(t, s, weight, counts)
        if made >= until or progress.ended != GOING:
            return made
        acting = _throw(t, s, int(throws[made - at]), weight, counts)
        made += 1
        if acting and made >= limit:
            acting = False
            if money.bankroll + money.net == money.cash:
                test_for_ruin(t, s)
        if mark < len(marks) and marks[mark] == made:
            snaps[mark] = money.net
            mark += 1


# Settling: collect, pay, return or move the wagers on the layout


@part
def _kind(t: Tables, s: Session, slot: int, outcome: int) -> int:
    """The effect of the outcome on a slot's wager, including sleep and a flat wager decided during it (CR-9)."""
    row = s.rows[slot]
    phase = t.slots[slot].sleep_phase
    if phase >= 0:
        called = s.called[slot]
        asleep = called == CALLED_OFF
        if called == NOT_CALLED:
            asleep = t.truths[t.slots[slot].sleep_truth, s.phases[phase]]
        if asleep:
            has_flat = t.rows[row].limited_by > 0 and flat_stake(t, s, row) > 0
            return VOID if has_flat and t.entries[t.rows[row].flat_row, outcome].kind >= LOSE else STAY
    return t.entries[row, outcome].kind


@part
def _settle_slot(t: Tables, s: Session, slot: int, kind: int, outcome: int, weight: int, counts: Counts) -> int:
    """Collect, pay or return the wager on a slot; return the winnings."""
    row, stake, commission, won = s.rows[slot], s.stakes[slot], s.paid[slot], 0
    money, counted = s.money, counts.slots[slot]
    result = 0
    if kind == WIN:
        odds, over = t.entries[row, outcome].odds, t.rows[row].odds_over
        chip = t.sign.chip
        won = -(-stake * odds // (over * chip)) * chip
        money.cash += stake + won
        result = won - commission
        counted.wins += weight
        counted.won += weight * won
        counted.rounded_up += weight * (won * over - stake * odds)
    elif kind == LOSE:
        result = -stake - commission
        counted.losses += weight
        counted.lost += weight * stake
    else:
        money.cash += stake + commission
        counted.voids += weight
        counted.returned += weight * stake
        counted.refunded += weight * commission
    money.net += result
    counts.gains[t.slots[slot].group] += float(result) - float(stake) * t.worth[row]
    s.stakes[slot] = s.paid[slot] = s.rows[slot] = s.called[slot] = 0
    return won


@part
def _travel(t: Tables, s: Session, slot: int, outcome: int, counts: Counts) -> None:
    """Move a wager to another state, and if it travels, to another slot."""
    row = t.entries[s.rows[slot], outcome].next
    to = t.rows[row].slot
    gained = t.worth[row] - t.worth[s.rows[slot]]
    counts.gains[t.slots[slot].group] += float(s.stakes[slot]) * gained
    if to != slot:
        s.stakes[to] += s.stakes[slot]
        s.paid[to] += s.paid[slot]
        s.called[to] = s.called[slot]
        s.stakes[slot] = s.paid[slot] = s.rows[slot] = s.called[slot] = 0
    s.rows[to] = row


@part
def _square(weight: int, counts: Counts) -> None:
    """Accumulate the squared deviation of the throw from expected worth, per kind of wager and in total."""
    groups = len(counts.gains)
    total = 0.0
    for group in range(groups):
        gained = counts.gains[group]
        total += gained
        counts.squares[group] += weight * (gained * gained)
        counts.gains[group] = 0.0
    counts.squares[groups] += weight * (total * total)


@part
def settle(t: Tables, s: Session, outcome: int, weight: int, counts: Counts) -> bool:
    """Settle all slots: wagers are decided first, then others travel. Return whether any was decided."""
    effects = s.effects
    touched = 0
    for k in range(len(s.stakes)):
        effects[k].kind = STAY
        if s.stakes[k] > 0:
            kind = _kind(t, s, k, outcome)
            if kind != STAY:
                effects[k].kind = kind
                effects[touched].touched = k
                touched += 1
    decided = False
    for i in range(touched):
        k = effects[i].touched
        if effects[k].kind >= LOSE:
            decided = True
            effects[k].won = _settle_slot(t, s, k, effects[k].kind, outcome, weight, counts)
    for i in range(touched):
        k = effects[i].touched
        if effects[k].kind == GO:
            _travel(t, s, k, outcome, counts)
    if touched > 0:
        _square(weight, counts)
    return decided


# The strategy's memory: streaks, hits, progressions, and what restarts with each shooter


@part
def _moved(progression: Progression, value: int, kind: int, by: int, over: int) -> int:
    """The position of a progression after one decision."""
    stepped = progression.steps >= 0
    if kind == M_FIRST:
        return 0 if stepped else progression.start
    if stepped:
        if kind == M_NEXT:
            if value + 1 < progression.step_count:
                return value + 1
            return 0 if progression.ends_first else value
        if kind == M_BACK:
            return max(0, value - by)
        return value
    if kind == M_ADD:
        value += by
    elif kind == M_TIMES:
        value = value * by // over
    return min(max(value, progression.least), progression.most)


@part
def _decided_on(t: Tables, s: Session, truth: int) -> tuple[int, int]:
    """How many of these slots lost, and how many won."""
    lost, won = 0, 0
    for k in range(len(s.effects)):
        if t.truths[truth, k]:
            lost += s.effects[k].kind == LOSE
            won += s.effects[k].kind == WIN
    return lost, won


@part
def count_decisions(t: Tables, s: Session) -> None:
    """Update streaks and hits: losses of a throw count before its wins."""
    for c in range(len(t.counters)):
        counter = t.counters[c]
        lost, won = _decided_on(t, s, counter.slots)
        value = s.counters[c]
        if counter.counts == WINS:
            value = (0 if lost > 0 else value) + won
        elif counter.counts == LOSSES:
            value = 0 if won > 0 else value + lost
        else:
            value += won
        s.counters[c] = min(value, counter.cap)


@part
def _share_of(total: int, by: int, over: int) -> int:
    """A share of the winnings, capped if it is a multiple, since a progression ends there anyway."""
    return part_of(total if by <= over else min(total, MOST_CENTS), by, over)


@part
def move_progressions(t: Tables, s: Session) -> None:
    """Move progressions: for each loss of the throw, then each win; a share of the winnings is added once."""
    for q in range(len(t.progressions)):
        each = t.progressions[q]
        lost, wins = _decided_on(t, s, each.moved_by)
        value = s.progressions[q]
        for _ in range(lost):
            value = _moved(each, value, each.on_loss, each.loss_by, each.loss_over)
        if wins > 0 and each.on_win == M_ADD_WON:
            total = 0
            for k in range(len(s.effects)):
                if s.effects[k].kind == WIN and t.truths[each.moved_by, k]:
                    total += s.effects[k].won
            value = _moved(each, value, M_ADD, _share_of(total, each.win_by, each.win_over), 1)
        else:
            for _ in range(wins):
                value = _moved(each, value, each.on_win, each.win_by, each.win_over)
        s.progressions[q] = value


@part
def new_shooter(t: Tables, s: Session) -> None:
    """Pass the dice: restart everything counted per shooter."""
    s.progress.shooters = min(s.progress.shooters + 1, t.sign.cap_shooters)
    s.progress.shooter_rolls = 0
    for c in range(len(t.counters)):
        if t.counters[c].counts == HITS:
            s.counters[c] = 0
    for r in range(len(t.rules)):
        if t.rules[r].per_shooter:
            s.made[r] = 0
    for q in range(len(t.progressions)):
        if t.progressions[q].restarts:
            s.progressions[q] = 0 if t.progressions[q].steps >= 0 else t.progressions[q].start
