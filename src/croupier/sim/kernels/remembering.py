"""What a strategy remembers of what was decided: streaks, hits, progressions, and what begins anew with a shooter."""

from __future__ import annotations

from croupier.sim.kernels import numbers as n
from croupier.sim.kernels.amounts import part_of
from croupier.sim.kernels.cells import is_true, of_counter, of_progression, of_rule
from croupier.sim.kernels.compiled import part
from croupier.sim.kernels.numbers import Ints


@part
def _moved(t: Ints, q: int, value: int, kind: int, by: int, over: int) -> int:
    """Where a progression stands after one decision."""
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
    """How many of these slots were decided so."""
    number = 0
    for k in range(t[n.SLOTS]):
        if scratch[n.DONE, k] == kind and is_true(t, truth, k):
            number += 1
    return number


@part
def count_decisions(t: Ints, s: Ints, scratch: Ints) -> None:
    """Streaks and hits: losses of a throw count before its wins."""
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
    """A share of what was won; no more than counts where it is a multiple, since a progression ends there anyway."""
    return part_of(total if by <= over else min(total, n.MOST_CENTS), by, over)


@part
def move_progressions(t: Ints, s: Ints, scratch: Ints) -> None:
    """Progressions: each loss of the throw, then each win; a share of what was won is added once."""
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
    """The dice pass on: what is counted for each shooter begins anew."""
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
        if of_progression(t, q, n.ANEW) != 0:
            stepped = of_progression(t, q, n.STEP) >= 0
            s[t[n.P_PROGRESSIONS] + q] = 0 if stepped else of_progression(t, q, n.START)
