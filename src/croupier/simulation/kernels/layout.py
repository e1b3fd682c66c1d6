"""What the kernels work on: the tables of a program, the state of a session, and the counts. The only layout there is.

A record is declared once, as a class: its annotations are the static types of its fields, and `dtype_of` makes the
NumPy type from them. Kernels read and write fields by name: `t.slots[slot].lowest`, `s.money.cash`. In all kernels `t`
is the tables of a program, `s` the session, and `counts` the counts, to which everything is added `weight` times.

A *slot* is a spot that may hold chips. A *row* is a state of a wager's machine, with all machines in one list, so that
a row alone identifies the state of a wager. Truth tables answer every yes-or-no question that the book or the strategy
has about a phase, a row, a result or a slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from croupier.simulation.kernels.compiled import in_python, inlined

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
R = TypeVar("R", covariant=True)
T = TypeVar("T")


class Records(Protocol[R]):
    """An array of records, as the kernels see it."""

    def __getitem__(self, place: int, /) -> R: ...

    def __len__(self) -> int: ...


class RecordGrid(Protocol[R]):
    """A two-dimensional array of records."""

    def __getitem__(self, place: tuple[int, int], /) -> R: ...


@cache
def fields_of(record: type) -> dict[str, type]:
    """The fields of a record, and their types."""
    return get_type_hints(record)


@cache
def _dtype_of(record: type) -> np.dtype[np.void]:
    kinds = {int: np.int64, bool: np.bool_}
    fields = [(name, kinds[kind]) for name, kind in fields_of(record).items()]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def dtype_of(record: type) -> np.dtype[np.void]:
    """The NumPy type of a record."""
    return _dtype_of(record)


def records(kind: type[R], rows: Sequence[R]) -> Records[R]:
    """An array of records."""
    made: Any = np.array(rows, dtype_of(kind))
    return made


def blanks(kind: type[R], count: int) -> Records[R]:
    """An array of records whose fields are all zero."""
    made: Any = np.zeros(count, dtype_of(kind))
    return made


def blank(kind: type[R]) -> R:
    """A record whose fields are all zero."""
    return blanks(kind, 1)[0]


def copied(record: T) -> T:
    """A copy of a record."""
    made: Any = record
    return made.copy()


NONE = -1
UNBOUNDED = 2**62
FULL = 2**61  # counts are flushed before they exceed this

# Effects of an entry of a machine
STAY, GO, LOSE, VOID, WIN = range(5)

# Kinds of rules, stakes, conditions, comparisons, counters and moves of a progression
BET, TAKE_DOWN, CALL_OUT = range(3)
OF_FIXED, OF_SPOT, OF_CHIPS, OF_MOST, OF_PROGRESSION = range(5)
A_PHASE, A_RESULT, A_COUNT, A_COUNTER, OF_ROLLS, OF_SHOOTER_ROLLS, OF_SHOOTERS, CHIPS_IN_HAND, NET_RESULT = range(9)
IS, IS_NOT, AT_LEAST, AT_MOST, ABOVE, BELOW = range(6)
WINS, LOSSES, HITS = range(3)
M_STAY, M_NEXT, M_BACK, M_FIRST, M_ADD, M_TIMES, M_ADD_WON = range(7)

# What limits a wager behind another
OF_STAKE, OF_WINNINGS = 1, 2

# How a wager is called
NOT_CALLED, CALLED_ON, CALLED_OFF = range(3)

# Why a session ended. BEYOND: a stake exceeded the ceiling, which is reported and not counted.
GOING, WON, LOST, SHOOTERS_DONE, ROLLS_DONE, RUINED, BEYOND = range(7)
REASONS = ("rolls", "win", "loss", "shooters", "strategy rolls", "ruined")


# The tables of a program


class Slot(NamedTuple):
    """A spot that may hold chips. Refusals are indices in the program's list of them."""

    start_phase: int  # the phase that determines in which row a new wager begins, or NONE
    starts: int  # index in `lists` of the rows in which it begins, one per state of that phase
    place: int  # first of its conditions in `moments` for making it, and their number
    places: int
    take: int  # the same for taking it down
    takes: int
    may_grow: bool  # whether more may be added to it
    one_pick_of: int  # the wager of which a player may hold only one pick, or NONE
    lowest: int
    highest: int  # NONE: no limit
    one_amount: int  # the only stake allowed; NONE: any
    step: int  # stakes are multiples of this, in cents; at least a chip
    sleep_phase: int
    sleep_truth: int
    group: int  # wagers of one kind and pick, wherever they have travelled
    declared_already: int
    one_wager_only: int
    locked: int
    not_in_steps: int
    not_the_amount: int
    flat_missing: int
    above_flat_limit: int
    cannot_be_called: int
    too_few_for_commission: int


class Row(NamedTuple):
    """A state of a wager's machine."""

    slot: int  # the slot of chips in this row
    unit: int  # stakes are multiples of this, in cents, if the table requires exact units; else 0
    rate: int  # commission, as a fraction of the stake
    rate_over: int
    flat_slot: int  # the flat wager it lies behind, and the row which that must be in
    flat_row: int
    limited_by: int  # 0: it lies behind nothing; otherwise OF_STAKE or OF_WINNINGS of the flat wager
    times: int
    best: int  # the best odds from here on
    best_over: int
    odds_over: int  # common denominator of the odds of all entries in the row


class Entry(NamedTuple):
    """The effect of an outcome in a row."""

    kind: int
    next: int
    odds: int


class Moment(NamedTuple):
    """A condition of the book on a phase (NONE: on the wager's own row)."""

    phase: int
    truth: int
    refusal: int


class Rule(NamedTuple):
    """A rule of the strategy."""

    kind: int
    slot: int
    conditions: int  # first of its conditions, and their number
    condition_count: int
    stake: int = OF_FIXED  # the kind of stake
    factor: int = 0
    factor_over: int = 0
    ref: int = 0  # a slot or a progression
    adds: bool = False
    or_less: bool = False
    insist: bool = False
    at_most: int = NONE
    per_shooter: bool = False
    leave: int = 0
    on: bool = False


class Condition(NamedTuple):
    """A condition of the strategy: what it is about, and the comparison."""

    about: int
    what: int  # a phase or a counter
    truth: int
    comparison: int
    value: int
    wanted: bool


class Counter(NamedTuple):
    """A streak or a number of hits, over the slots of a truth table."""

    counts: int
    slots: int
    cap: int


class Progression(NamedTuple):
    """A progression of the strategy."""

    moved_by: int  # truth table over slots
    steps: int  # first of its steps in `lists`; NONE if it is an amount
    step_count: int
    ends_first: bool
    start: int
    least: int
    most: int
    restarts: bool  # with each shooter
    on_win: int
    win_by: int
    win_over: int
    on_loss: int
    loss_by: int
    loss_over: int


class Sign:
    """Values for the whole table and strategy: chips, when bets open, when the dice pass, when the player leaves."""

    chip: int
    exact_units: bool
    not_in_chips: int  # refusals
    not_in_units: int
    above_maximum: int
    below_minimum: int
    not_enough_chips: int
    not_positive: int
    open_phase: int  # bets reopen when this phase allows it; NONE: after every throw
    open_truth: int
    pass_phase: int
    pass_truth: int
    pass_outcomes: int  # NONE: no shooters
    stop_win: int
    stop_loss: int
    stop_shooters: int
    stop_rolls: int
    when_decided: bool
    cap_rolls: int
    cap_shooter_rolls: int
    cap_shooters: int
    result_classes: int  # index in `lists` of each outcome's class, for conditions on the last result
    groups: int


class Tables(NamedTuple):
    """Everything that the kernels look up: a strategy at one table."""

    sign: Sign
    slots: Records[Slot]
    rows: Records[Row]
    entries: RecordGrid[Entry]  # by row and outcome
    phases: Ints  # by phase, state and outcome: the next state
    moments: Records[Moment]
    rules: Records[Rule]
    conditions: Records[Condition]
    counters: Records[Counter]
    progressions: Records[Progression]
    lists: Ints
    truths: Truths  # by table and number
    worth: Floats  # the expected net of a wager in each row, per unit staked


# The state of a session


class Progress:
    """How far a session is."""

    rolls: int
    shooter_rolls: int
    shooters: int
    last: int  # the class of the last result
    leaving: int  # why the player leaves, and why the session ended
    ended: int


class Money:
    """Money of a session, in cents.

    `needed` is what the player must own for the last pass over the rules to go the same way, with every bet paid, none
    lowered and no ruin. Stakes above the ceiling cannot be counted.
    """

    cash: int  # chips in hand
    net: int
    bankroll: int
    peak: int  # highest net so far
    drawdown: int  # the largest fall from a peak
    needed: int
    ceiling: int


class Effect:
    """What a throw does to a slot: scratch memory of `settle`. `touched` is a list of the slots affected."""

    kind: int
    won: int
    touched: int


PROGRESS = dtype_of(Progress)
PROGRESS_SIZE = len(fields_of(Progress))


class Session(NamedTuple):
    """The state of a session. All but money and effects are views of one row of numbers, which identifies the state."""

    phases: Ints
    rows: Ints  # by slot, like the next three
    stakes: Ints
    paid: Ints  # commission
    called: Ints
    counters: Ints
    progressions: Ints
    made: Ints  # how often each rule with a limit was applied
    progress: Progress
    money: Money
    effects: Records[Effect]


def state_size(t: Tables) -> int:
    """The length of the row of numbers behind a session."""
    memory = len(t.counters) + len(t.progressions) + len(t.rules)
    return len(t.phases) + 4 * len(t.slots) + memory + PROGRESS_SIZE


@inlined
def session_on(t: Tables, row: Ints, money: Money, effects: Records[Effect]) -> Session:
    """The session whose state is in this row."""
    slots = len(t.slots)
    rows = len(t.phases)
    stakes, paid, called, counters = rows + slots, rows + 2 * slots, rows + 3 * slots, rows + 4 * slots
    progressions = counters + len(t.counters)
    made = progressions + len(t.progressions)
    progress = made + len(t.rules)
    return Session(
        row[:rows],
        row[rows:stakes],
        row[stakes:paid],
        row[paid:called],
        row[called:counters],
        row[counters:progressions],
        row[progressions:made],
        row[made:progress],
        row[progress:].view(PROGRESS)[0],
        money,
        effects,
    )


session_of = in_python(session_on)


# Counts


class SlotCounts:
    """Counts of a slot; amounts in cents."""

    bets: int
    staked: int
    charged: int  # commission
    wins: int
    losses: int
    voids: int
    won: int  # winnings
    lost: int  # stakes lost
    returned: int  # stakes returned undecided, by the rules
    refunded: int  # commission
    rounded_up: int  # added to winnings by rounding, times the denominator of the odds


class RowCounts:
    """Stakes made in a row, taken down in it, and left in it at the end, in cents."""

    made: int
    taken: int
    left: int


class Counts(NamedTuple):
    """Counts of a block of sessions. `numbers` holds them all; the next four are views of it."""

    numbers: Ints
    slots: Records[SlotCounts]
    rows: Records[RowCounts]
    refused: Ints  # by rule and refusal
    made: Ints  # by rule
    squares: Floats  # squared deviations from expected worth: by group, and in total
    gains: Floats  # those of one throw, by group


class Totals(NamedTuple):
    """The counts of any number of blocks, which may exceed 64 bits."""

    slots: list[SlotCounts]
    rows: list[RowCounts]
    refused: list[list[int]]
    made: list[int]


SLOT_COUNTS, ROW_COUNTS = dtype_of(SlotCounts), dtype_of(RowCounts)
SLOT_FIELDS, ROW_FIELDS = tuple(fields_of(SlotCounts)), tuple(fields_of(RowCounts))


class _Ends(NamedTuple):
    """Where each part of the counts ends in their array of numbers."""

    slots: int
    rows: int
    refused: int
    made: int


def _ends(t: Tables, refusals: int) -> _Ends:
    slots = len(t.slots) * len(SLOT_FIELDS)
    rows = slots + len(t.rows) * len(ROW_FIELDS)
    refused = rows + len(t.rules) * refusals
    return _Ends(slots, rows, refused, refused + len(t.rules))


def no_counts(t: Tables, refusals: int) -> Counts:
    """Counts that are all zero."""
    ends = _ends(t, refusals)
    numbers = np.zeros(ends.made, np.int64)
    slots: Any = numbers[: ends.slots].view(SLOT_COUNTS)
    rows: Any = numbers[ends.slots : ends.rows].view(ROW_COUNTS)
    refused = numbers[ends.rows : ends.refused].reshape(len(t.rules), refusals)
    squares, gains = np.zeros(t.sign.groups + 1), np.zeros(t.sign.groups)
    return Counts(numbers, slots, rows, refused, numbers[ends.refused :], squares, gains)


def totals_of(t: Tables, refusals: int, numbers: Sequence[int]) -> Totals:
    """Counts that were added up as plain numbers, by name again."""
    ends, width = _ends(t, refusals), max(1, refusals)
    return Totals(
        _named(SlotCounts, numbers[: ends.slots]),
        _named(RowCounts, numbers[ends.slots : ends.rows]),
        [list(numbers[first : first + refusals]) for first in range(ends.rows, ends.refused, width)],
        list(numbers[ends.refused :]),
    )


def _named(kind: type[T], numbers: Sequence[int]) -> list[T]:
    fields: type = kind
    names, made = tuple(fields_of(fields)), []
    for first in range(0, len(numbers), len(names)):
        record = kind()
        for name, number in zip(names, numbers[first:], strict=False):
            setattr(record, name, number)
        made.append(record)
    return made


def as_numbers(totals: Totals) -> list[int]:
    """The counts as plain numbers, as a tally keeps them."""
    slots = [getattr(slot, name) for slot in totals.slots for name in SLOT_FIELDS]
    rows = [getattr(row, name) for row in totals.rows for name in ROW_FIELDS]
    return [*slots, *rows, *(count for rule in totals.refused for count in rule), *totals.made]
