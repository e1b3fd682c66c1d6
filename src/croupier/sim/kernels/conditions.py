"""Whether a condition of the strategy holds."""

from __future__ import annotations

from croupier.sim.kernels import numbers as n
from croupier.sim.kernels.cells import is_true, of_condition
from croupier.sim.kernels.compiled import part
from croupier.sim.kernels.numbers import Ints


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
