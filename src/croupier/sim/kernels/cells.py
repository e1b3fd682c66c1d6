"""One number of one table, by its row and column: how all kernels look things up.

In all kernels `t` is the array of numbers, `s` the state of the session, `money` its money.
"""

from __future__ import annotations

from croupier.sim.kernels import numbers as n
from croupier.sim.kernels.compiled import part
from croupier.sim.kernels.numbers import Ints


@part
def of_slot(t: Ints, slot: int, column: int) -> int:
    """About a slot."""
    return t[t[n.SLOT_TABLE] + slot * n.SLOT_COLUMNS + column]


@part
def of_row(t: Ints, row: int, column: int) -> int:
    """About a row: one state of one machine."""
    return t[t[n.ROW_TABLE] + row * n.ROW_COLUMNS + column]


@part
def of_entry(t: Ints, row: int, outcome: int, column: int) -> int:
    """What an outcome does in a row."""
    return t[t[n.ENTRY_TABLE] + (row * t[n.OUTCOMES] + outcome) * n.ENTRY_COLUMNS + column]


@part
def of_moment(t: Ints, moment: int, column: int) -> int:
    """About a condition of the book on the moment."""
    return t[t[n.BOOK_TABLE] + moment * n.MOMENT_COLUMNS + column]


@part
def of_rule(t: Ints, rule: int, column: int) -> int:
    """About a rule of the strategy."""
    return t[t[n.RULE_TABLE] + rule * n.RULE_COLUMNS + column]


@part
def of_condition(t: Ints, condition: int, column: int) -> int:
    """About a condition of the strategy."""
    return t[t[n.CONDITION_TABLE] + condition * n.CONDITION_COLUMNS + column]


@part
def of_counter(t: Ints, counter: int, column: int) -> int:
    """About a counter: a streak or a number of hits."""
    return t[t[n.COUNTER_TABLE] + counter * n.COUNTER_COLUMNS + column]


@part
def of_progression(t: Ints, progression: int, column: int) -> int:
    """About a progression."""
    return t[t[n.PROGRESSION_TABLE] + progression * n.PROGRESSION_COLUMNS + column]


@part
def is_true(t: Ints, truth: int, what: int) -> bool:
    """The answer of a truth table."""
    return t[t[n.TRUTH_TABLES] + truth * t[n.TRUTH_WIDTH] + what] != 0
