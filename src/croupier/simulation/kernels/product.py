"""A strategy that does not ask for money, compiled into one machine: all that can stand and be remembered is its state.

The states are found by letting the general kernel make every throw from every state that turns up, with chips that
never run out. What a throw does from then on is one look-up: the next state, and what it brings. A bankroll may still
bind: each entry knows how much must be in hand for it, and a session that has less goes on in the general kernel.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numba import uint64

from croupier.simulation.kernels import numbers as n
from croupier.simulation.kernels.compiled import compiled, number, part
from croupier.simulation.kernels.dice import Throws
from croupier.simulation.kernels.kernel import advance, standing_on
from croupier.simulation.kernels.numbers import Floats, Ints
from croupier.simulation.kernels.program import Program

MOST_ENTRIES = 3_000_000  # beyond it the tables no longer fit the caches, and the general kernel is as quick


class Product:
    """The machine: `table[state * outcomes + outcome]` is the next state's first entry and, above it, the result.

    `states` holds the state of a session behind each number; those from `first_ended` on are sessions that are over.
    `numbers` are those of the program without the results at which a player leaves: here results are told throw by
    throw. `outlay` is what the bets before the first throw take.
    """

    def __init__(
        self, program: Program, numbers: Ints, outlay: int, states: Ints, targets: Ints, results: Ints, needs: Ints
    ) -> None:
        self.program = program
        self.numbers = numbers
        self.outlay = outlay
        outcomes = int(program.numbers[n.OUTCOMES])
        ended = states[:, program.numbers[n.P_MISC] + n.ENDED] != n.GOING
        order = np.argsort(ended, kind="stable")  # what goes on first
        place = np.argsort(order)
        self.states = np.ascontiguousarray(states[order])
        self.first_ended = int(len(order) - ended.sum())
        self.start = int(place[0]) * outcomes
        self.outcomes = outcomes
        self.results = results.reshape(-1, outcomes)[order].ravel()
        self.needs = needs.reshape(-1, outcomes)[order].ravel()
        self.targets = place[targets.reshape(-1, outcomes)[order].ravel()]

    @cached_property
    def unit(self) -> int:
        """The largest amount of which every result is a multiple, so that results fit 32 bits."""
        return int(np.gcd.reduce(self.results)) or 1

    @cached_property
    def table(self) -> Ints:
        """The walk's one look-up: result in units above, first entry of the next state below."""
        return ((self.results // self.unit) << 32) | (self.targets * self.outcomes)

    @property
    def is_narrow(self) -> bool:
        """Whether the results of a throw and the table fit the words of the walk."""
        return int(np.abs(self.results // self.unit).max(initial=0)) < 2**30 and len(self.results) < 2**31


def outcome_classes(numbers: Ints) -> tuple[Ints, Ints]:
    """Outcomes that nothing tells apart: one of each class, and the class of every outcome."""
    outcomes = int(numbers[n.OUTCOMES])
    entries = numbers[numbers[n.ENTRY_TABLE] : numbers[n.PHASE_TABLE]].reshape(-1, outcomes, n.ENTRY_COLUMNS)
    phases = numbers[numbers[n.PHASE_TABLE] : numbers[n.BOOK_TABLE]].reshape(-1, outcomes)
    signs = [entries[:, :, column] for column in range(n.ENTRY_COLUMNS)] + [phases]
    signs.append(numbers[numbers[n.LISTS] + numbers[n.RESULT_CLASSES] :][None, :outcomes])
    if numbers[n.PASS_OUTCOMES] >= 0:
        first = numbers[n.TRUTH_TABLES] + numbers[n.PASS_OUTCOMES] * numbers[n.TRUTH_WIDTH]
        signs.append(numbers[None, first : first + outcomes])
    _, representatives, classes = np.unique(np.concatenate(signs), axis=1, return_index=True, return_inverse=True)
    return representatives.astype(np.int64), classes.reshape(-1).astype(np.int64)


def product_of(program: Program, most_entries: int = MOST_ENTRIES) -> Product | None:
    """The machine of a strategy; None where it asks for money or has too many states."""
    if program.asks_for_money:
        return None
    numbers = program.numbers.copy()
    numbers[[n.STOP_WIN, n.STOP_LOSS]] = n.UNBOUNDED
    representatives, classes = outcome_classes(numbers)
    first = program.start.copy()
    outlay = _begin(numbers, first, *nothing(program))
    found = explore(program, numbers, first, representatives, most_entries // int(numbers[n.OUTCOMES]))
    if found is None:
        return None
    targets, results, needs = (part[:, classes].ravel() for part in found[1:])
    return Product(program, numbers, outlay, found.states, targets, results, needs)


def _begin(t: Ints, state: Ints, money: Ints, counts: Ints, floats: Floats, scratch: Ints) -> int:
    """The rules before the first throw; what their bets take."""
    money[[n.CASH, n.BANK]] = n.PLENTY
    money[n.CEILING] = n.UNBOUNDED
    none = counts[:0]
    advance(t, state, money, np.empty(0, np.uint16), 0, 0, 0, True, 1, none, none, 0, counts, floats, scratch)
    return int(money[n.OUT])


# -- exploring --------------------------------------------------------------------------------------------------------
# Every state that a session can come to, found in compiled code by making every throw from each of them in turn. A
# strategy whose stakes grow may have more states than any machine should; that is known only when they are found. So
# they must be found quickly: hundreds of thousands in a second.

FEW = 1024  # states for which there is room at first
NOBODY = -1  # in a place of the index

# How far it has come, in one array
DONE, KNOWN = range(2)


class Explored(NamedTuple):
    """States, and for each throw from each of them where it leads, what it brings, and what must be in hand for it.

    They are numbered by how many throws it takes to come to them, those of equally many by what they are.
    """

    states: Ints
    targets: Ints
    results: Ints
    needs: Ints


def nothing(program: Program) -> tuple[Ints, Ints, Floats, Ints]:
    """Money, counts, floats and scratch that nobody looks at."""
    numbers = program.numbers
    return (
        np.zeros(n.MONEY, np.int64),
        np.zeros(numbers[n.COUNTS_SIZE], np.int64),
        program.floats(),
        np.zeros((n.SCRATCH, numbers[n.SLOTS]), np.int64),
    )


def explore(program: Program, numbers: Ints, first: Ints, outcomes: Ints, most: int) -> Explored | None:
    """All that these outcomes lead to from a first state; None where that is more than so many states."""
    room, throws = nothing(program), outcomes.astype(np.uint16)
    states = np.empty((0, len(first)), np.int64)
    depths = np.empty(0, np.int64)
    entries = np.empty((0, 3, len(throws)), np.int64)
    come = np.array([0, 1], np.int64)
    while come[DONE] < come[KNOWN] <= most:
        # Beyond the states that are wanted there is room for all throws from one more.
        size = min(max(FEW, 2 * len(states)), most + 1) + len(throws)
        states, depths, entries = (_enlarged(each, size) for each in (states, depths, entries))
        states[0], depths[0] = first, 0
        index = np.full(4 << size.bit_length(), NOBODY, np.int64)
        _explore(numbers, throws, states, depths, entries, index, come, *room)
    if come[KNOWN] > most:
        return None
    return _in_order(*(each[: come[KNOWN]] for each in (states, depths, entries)))


def _enlarged(array: Ints, size: int) -> Ints:
    larger = np.empty((size, *array.shape[1:]), np.int64)
    larger[: len(array)] = array
    return larger


def _in_order(states: Ints, depths: Ints, entries: Ints) -> Explored:
    """Numbered as Explored has it: states are compared as bytes, which is as good as any other order."""
    keys = np.column_stack([depths.astype(">i8").view(np.int64), states])
    order = np.argsort(keys.view(np.dtype((np.void, keys.itemsize * keys.shape[1]))).reshape(-1))
    place = np.argsort(order)
    targets, results, needs = (entries[order, column] for column in range(3))
    return Explored(np.ascontiguousarray(states[order]), place[targets], results, needs)


@part
def _find(states: Ints, index: Ints, row: int) -> int:
    """The number of the state that a row holds; if it was not known before, it is the row's own from now on."""
    mixed = uint64(0)
    for j in range(states.shape[1]):
        mixed = (mixed ^ uint64(states[row, j])) * uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> uint64(29)
    mask = uint64(index.shape[0] - 1)
    place = mixed & mask
    while index[place] != NOBODY:
        known = index[place]
        j = 0
        while j < states.shape[1] and states[known, j] == states[row, j]:
            j += 1
        if j == states.shape[1]:
            return known
        place = (place + uint64(1)) & mask
    index[place] = row
    return row


@compiled
def _explore(
    t: Ints, throws: Throws, states: Ints, depths: Ints, entries: Ints, index: Ints, come: Ints, money: Ints,
    counts: Ints, floats: Floats, scratch: Ints,
) -> None:  # fmt: skip
    """Make all throws from one state after the other, until none is left or there is no room for what may follow.

    `index` is empty; its length is a power of two, at least twice that of `states`.
    """
    none, ways = counts[:0], throws.shape[0]
    done, known = come[DONE], come[KNOWN]
    for row in range(known):
        _find(states, index, row)
    while done < known and known + ways <= states.shape[0]:
        for k in range(ways):
            for j in range(states.shape[1]):
                states[known, j] = states[done, j]
            money[:] = 0
            money[n.CASH] = n.PLENTY - standing_on(t, states[known])
            money[n.BANK] = n.PLENTY
            money[n.CEILING] = n.UNBOUNDED
            advance(
                t, states[known], money, throws, number(0), k, k + 1, number(0) != 0, k + 2, none, none, number(0),
                counts, floats, scratch,
            )  # fmt: skip
            there = _find(states, index, known)
            entries[done, 0, k], entries[done, 1, k], entries[done, 2, k] = there, money[n.NET], money[n.OUT]
            if there == known:
                depths[known] = depths[done] + 1
                known += 1
        done += 1
    come[DONE], come[KNOWN] = done, known
