"""The general kernel: a strategy played throw by throw, compiled, to the cent.

It is the table and the player in one, over the numbers of `numbers`. What a throw does comes from the compiled
machines; whether a wager may be made comes from the book's conditions, in the order in which the table asks.
`sim.seated.player` does the same at a real table, and tests compare the two.
"""

from __future__ import annotations

from croupier.sim.kernels import numbers as n
from croupier.sim.kernels.acting import carry_out, take_down_all, test_for_ruin
from croupier.sim.kernels.cells import is_true
from croupier.sim.kernels.compiled import compiled, part
from croupier.sim.kernels.dice import Throws
from croupier.sim.kernels.numbers import Floats, Ints
from croupier.sim.kernels.remembering import count_decisions, move_progressions, new_shooter
from croupier.sim.kernels.settling import settle


@part
def _stop(t: Ints, s: Ints, money: Ints, is_open: bool, weight: int, counts: Ints) -> None:
    """Whether the player leaves, and why. Nobody leaves wagers behind: what is locked is waited for.

    Who has nothing left to bet with when they leave is ruined, whatever else made them go.
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
    """One throw and all that follows before the rules; whether they are to be carried out."""
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
    """What stands on the layout, commission included."""
    total = 0
    for k in range(t[n.SLOTS]):
        total += s[t[n.P_STAKES] + k] + s[t[n.P_COMMISSION] + k]
    return total


@part
def leave(t: Ints, s: Ints, weight: int, counts: Ints) -> None:
    """What stands at the end is counted by its row; it counts at its face, so commission goes back."""
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
    """Play on from a state, from throw `made` of the session to `until`; the result is how many were made in the end.

    The list of throws begins with number `at`.
    `acts`: the rules are carried out first. They are not carried out after throw number `limit`, the last of a session;
    but who could not have bet any more after it is ruined.
    Wherever the number of throws made is one of the `marks`, the net result is noted in `snaps`. Everything counted is
    counted `weight` times over.
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
