"""A strategy at one table as one array of numbers, which the kernels read and `program` fills.

The array is a header and several tables with named columns. A *slot* is a spot that may hold chips. A *row* is a state
of a wager's machine, with all machines in one list, so that a row alone identifies the state of a wager. Truth tables
answer every yes-or-no question that the book or the strategy has about a phase, a row, a result or a slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.simulation.kernels.compiled import part
from croupier.simulation.strategy import MOST_CENTS as MOST_CENTS
from croupier.simulation.strategy import PLENTY as PLENTY

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NONE = -1

# Effects of an entry of a machine
STAY, GO, LOSE, VOID, WIN = range(5)

# Columns of `slots`
(
    START_PHASE,  # the phase that determines in which row a new wager begins, or NONE
    STARTS,  # index in `lists` of the rows in which it begins, one per state of that phase
    PLACE,  # first of its conditions in `moments` for making it,
    PLACES,  # and their number
    TAKE,
    TAKES,
    ADDS_UP,
    SOLE,  # the wager of which a player may hold only one pick, or NONE
    LOWEST,
    HIGHEST,  # NONE: no limit
    FIXED_STAKE,  # NONE: any
    MULTIPLE,  # stakes are multiples of this, in cents; at least a chip
    SLEEP_PHASE,
    SLEEP_TRUTH,
    GROUP,  # wagers of one kind and pick, wherever they have travelled
    NO_DECLARED,  # indices of its refusals
    NO_ONE_ONLY,
    NO_LOCKED,
    NO_MULTIPLE,
    NO_FIXED,
    NO_FLAT,
    NO_BEHIND,
    NO_CALL,
    SLOT_COLUMNS,
) = range(24)

# Columns of `rows`
(
    SLOT,  # the slot of chips in this row
    UNIT,  # stakes are multiples of this, in cents, if the table requires exact units; else 0
    RATE,  # commission, as a fraction of the stake
    RATE_OVER,
    FLAT_SLOT,  # the flat wager it lies behind, and the row which that must be in
    FLAT_ROW,
    BEHIND_OF,  # 0: behind nothing; 1: the flat wager limits its stake; 2: its winnings
    TIMES,
    BEST,  # the best odds from here on
    BEST_OVER,
    ODDS_OVER,  # common denominator of the odds of all entries in the row
    ROW_COLUMNS,
) = range(12)

# Columns of `entries`, third axis
KIND, NEXT, ODDS, ENTRY_COLUMNS = range(4)

# Columns of `moments`: a condition of the book on a phase (NONE: on the wager's own row)
PHASE, TRUTH, REFUSAL, MOMENT_COLUMNS = range(4)

# Columns of `rules`
(
    OP,
    AT,  # the slot
    STAKE_KIND,
    FACTOR,
    FACTOR_OVER,
    REF,  # a slot or a progression
    ADDS,
    OR_LESS,
    INSIST,
    AT_MOST,
    PER_SHOOTER,
    IF,  # first of its conditions in `conditions`, and their number
    IFS,
    LEAVE,
    ON,
    RULE_COLUMNS,
) = range(16)
BET, TAKE_DOWN, CALL_OUT = range(3)
OF_FIXED, OF_SPOT, OF_CHIPS, OF_MOST, OF_PROGRESSION = range(5)

# Columns of `conditions`
ABOUT, WHAT, SUBJECT_TRUTH, COMPARED, WITH, WANTED, CONDITION_COLUMNS = range(7)
A_PHASE, A_RESULT, A_COUNT, A_COUNTER, OF_ROLLS, OF_SHOOTER_ROLLS, OF_SHOOTERS, CHIPS_IN_HAND, NET_RESULT = range(9)
IS, IS_NOT, AT_LEAST, AT_MOST_IS, ABOVE, BELOW = range(6)

# Columns of `counters`
COUNTS, OVER_SLOTS, CAP, COUNTER_COLUMNS = range(4)
WINS, LOSSES, HITS = range(3)

# Columns of `progressions`
(
    MOVED_BY,  # truth table over slots
    STEP,  # first of its steps in `lists`; NONE if it is an amount
    STEPS,
    ENDS_FIRST,
    START,
    LEAST,
    MOST,
    RESTARTS,  # restarts with each shooter
    ON_WIN,
    WIN_BY,
    WIN_OVER,
    ON_LOSS,
    LOSS_BY,
    LOSS_OVER,
    PROGRESSION_COLUMNS,
) = range(15)
M_STAY, M_NEXT, M_BACK, M_FIRST, M_ADD, M_TIMES, M_ADD_WON = range(7)

# The header starts the array: values for the whole table and strategy, and the offsets of the tables.
(
    CHIP,
    EXACT,  # whether the table requires exact units
    NO_CHIPS_MULTIPLE,
    NO_UNITS,
    ABOVE_MAXIMUM,
    BELOW_MINIMUM,
    NO_CHIPS,
    NOT_POSITIVE,
    OPEN_PHASE,  # bets reopen when this phase allows it; NONE: after every throw
    OPEN_TRUTH,
    PASS_PHASE,
    PASS_TRUTH,
    PASS_OUTCOMES,  # NONE: no shooters
    STOP_WIN,
    STOP_LOSS,
    STOP_SHOOTERS,
    STOP_ROLLS,
    WHEN_DECIDED,
    CAP_ROLLS,
    CAP_SHOOTER_ROLLS,
    CAP_SHOOTERS,
    RESULT_CLASSES,  # index in `lists` of each outcome's class, for conditions on the last result
    SIGN_PLACES,
) = range(23)
(
    OUTCOMES,
    PHASES,
    PHASE_STATES,
    SLOTS,
    RULES,
    COUNTERS,
    PROGRESSIONS,
    REFUSALS,
    TRUTH_WIDTH,
    SLOT_TABLE,
    ROW_TABLE,
    ENTRY_TABLE,
    PHASE_TABLE,
    BOOK_TABLE,
    RULE_TABLE,
    CONDITION_TABLE,
    COUNTER_TABLE,
    PROGRESSION_TABLE,
    LISTS,
    TRUTH_TABLES,
    COUNTS_OF_ROWS,
    COUNTS_REFUSED,
    COUNTS_MADE,
    P_PHASES,  # offsets of the parts of a session's state
    P_ROWS,
    P_STAKES,
    P_COMMISSION,
    P_CALLED,
    P_COUNTERS,
    P_PROGRESSIONS,
    P_MADE,
    P_MISC,
    STATE_SIZE,
    COUNTS_SIZE,
    GROUPS,
    F_GAINS,  # offsets in the array of floats; first come the squares, one per group and one for the total
    F_WORTH,
    FLOATS_SIZE,
    HEADER,
) = range(SIGN_PLACES, SIGN_PLACES + 39)
UNBOUNDED = 2**62
FULL = 2**61  # counts are flushed before they exceed this

# The last part of a session's state
ROLLS, SHOOTER_ROLLS, SHOOTERS, LAST, LEAVING, ENDED, MISC = range(7)
NOT_CALLED, CALLED_ON, CALLED_OFF = range(3)

# Why a session ended. BEYOND: a stake exceeded the ceiling, which is reported and not counted.
GOING, WON, LOST, SHOOTERS_DONE, ROLLS_DONE, RUINED, BEYOND = range(7)
REASONS = ("rolls", "win", "loss", "shooters", "strategy rolls", "ruined")

# Scratch of a throw, slot by slot: the effect, the winnings, and the list of slots affected
DONE, WON_ON, TOUCHED, SCRATCH = range(4)

# Money of a session, in cents: chips in hand, net result, bankroll, highest net so far, maximum drawdown, and OUT: what
# the player must own for the last pass over the rules to go the same way, with every bet paid, none lowered and no
# ruin. Stakes above the ceiling cannot be counted.
CASH, NET, BANK, PEAK, DEEPEST, OUT, CEILING, MONEY = range(8)

# Columns of the counts per slot
(
    BETS,
    STAKED,
    COMMISSION,
    WINS_OF,
    LOSSES_OF,
    VOIDS_OF,
    PAID,  # winnings
    COLLECTED,  # stakes lost
    RETURNED,  # stakes returned undecided, by the rules
    COMMISSION_BACK,
    ROUNDED_UP,  # added to winnings by rounding, times the denominator of the odds
    SLOT_COUNTS,
) = range(12)
# Columns of the counts per row: stakes made in it, taken down, left on the layout at the end
MADE_IN, TAKEN_IN, LEFT_IN, ROW_COUNTS = range(4)


class Tables(NamedTuple):
    """The tables of a strategy before they are concatenated."""

    slots: Ints
    rows: Ints
    entries: Ints  # [row, outcome, column]
    phases: Ints  # [phase, state, outcome] → state
    moments: Ints
    rules: Ints
    conditions: Ints
    counters: Ints
    progressions: Ints
    lists: Ints
    truths: Ints


def laid_out(sign: list[int], tables: Tables, refusals: int) -> Ints:
    """Concatenate all tables behind a header with their offsets: the only array that kernels pass around."""
    header = dict(enumerate(sign))
    slots, rules = len(tables.slots), len(tables.rules)
    phases, states, outcomes = tables.phases.shape
    header |= {OUTCOMES: outcomes, PHASES: phases, PHASE_STATES: states, SLOTS: slots, RULES: rules}
    groups = int(tables.slots[:, GROUP].max(initial=-1)) + 1
    header |= {GROUPS: groups, **_ends(F_GAINS, groups + 1, (groups, len(tables.rows)))}
    header |= {COUNTERS: len(tables.counters), PROGRESSIONS: len(tables.progressions), REFUSALS: refusals}
    header[TRUTH_WIDTH] = tables.truths.shape[1]
    parts = (phases, slots, slots, slots, slots, len(tables.counters), len(tables.progressions), rules, MISC)
    header |= _ends(P_PHASES, 0, parts)
    header |= _ends(COUNTS_OF_ROWS, slots * SLOT_COUNTS, (len(tables.rows) * ROW_COUNTS, rules * refusals))
    header[COUNTS_SIZE] = header[COUNTS_MADE] + rules
    header |= _ends(SLOT_TABLE, HEADER, [table.size for table in tables[:-1]])
    return np.concatenate([[header[place] for place in range(HEADER)], *(table.ravel() for table in tables)])


def _ends(first: int, start: int, sizes: Sequence[int]) -> dict[int, int]:
    """The offsets of consecutive parts of these sizes, and the end of the last one."""
    return {first + i: start + sum(sizes[:i]) for i in range(len(sizes) + 1)}


def table(rows: Sequence[Sequence[int]], columns: int) -> Ints:
    """Rows of numbers as one table, with the right number of columns even when empty."""
    return np.array(rows, np.int64).reshape(len(rows), columns)


# Access to one cell of a table, by row and column. In all kernels `t` is the array of numbers, `s` the state of the
# session and `money` its money.


@part
def of_slot(t: Ints, slot: int, column: int) -> int:
    """A column of a slot."""
    return t[t[SLOT_TABLE] + slot * SLOT_COLUMNS + column]


@part
def of_row(t: Ints, row: int, column: int) -> int:
    """A column of a row: one state of one machine."""
    return t[t[ROW_TABLE] + row * ROW_COLUMNS + column]


@part
def of_entry(t: Ints, row: int, outcome: int, column: int) -> int:
    """A column of the entry for an outcome in a row."""
    return t[t[ENTRY_TABLE] + (row * t[OUTCOMES] + outcome) * ENTRY_COLUMNS + column]


@part
def of_moment(t: Ints, moment: int, column: int) -> int:
    """A column of a condition of the book on the moment."""
    return t[t[BOOK_TABLE] + moment * MOMENT_COLUMNS + column]


@part
def of_rule(t: Ints, rule: int, column: int) -> int:
    """A column of a rule of the strategy."""
    return t[t[RULE_TABLE] + rule * RULE_COLUMNS + column]


@part
def of_condition(t: Ints, condition: int, column: int) -> int:
    """A column of a condition of the strategy."""
    return t[t[CONDITION_TABLE] + condition * CONDITION_COLUMNS + column]


@part
def of_counter(t: Ints, counter: int, column: int) -> int:
    """A column of a counter: a streak or a number of hits."""
    return t[t[COUNTER_TABLE] + counter * COUNTER_COLUMNS + column]


@part
def of_progression(t: Ints, progression: int, column: int) -> int:
    """A column of a progression."""
    return t[t[PROGRESSION_TABLE] + progression * PROGRESSION_COLUMNS + column]


@part
def is_true(t: Ints, truth: int, what: int) -> bool:
    """The answer of a truth table."""
    return t[t[TRUTH_TABLES] + truth * t[TRUTH_WIDTH] + what] != 0
