"""A strategy that does not depend on money, compiled into one product machine over wagers and memory.

Its states are found by running the general kernel for every throw from every reachable state, with unlimited chips. A
throw is then one table look-up: the next state and the net result. A bankroll may still bind: each entry knows how much
must be in hand for it, and a session with less continues in the general kernel.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numba import uint64

from croupier.simulation.kernels.compiled import compiled, number, part
from croupier.simulation.kernels.dice import Throws
from croupier.simulation.kernels.kernel import advance, leave, on_layout, restart
from croupier.simulation.kernels.layout import (
    GOING,
    PROGRESS,
    PROGRESS_SIZE,
    UNBOUNDED,
    Counts,
    Effect,
    Ints,
    Money,
    Records,
    Tables,
    blank,
    copied,
    session_on,
)
from croupier.simulation.kernels.program import Program
from croupier.simulation.strategy import PLENTY

MOST_ENTRIES = 3_000_000  # above this the tables exceed the CPU caches, and the general kernel is as fast


class Product:
    """The machine: `table[state * outcomes + outcome]` packs the next state's first entry (low) and the result (high).

    `states` holds the session state behind each number; those from `first_ended` on are sessions that are over.
    `tables` are the program's without its win and loss limits, since the machine does not track the net result.
    `outlay` is the cost of the bets before the first throw.
    """

    def __init__(
        self, program: Program, tables: Tables, outlay: int, states: Ints, targets: Ints, results: Ints, needs: Ints
    ) -> None:
        self.program = program
        self.tables = tables
        self.outlay = outlay
        outcomes = len(program.game.book.outcomes)
        progress = np.ascontiguousarray(states[:, -PROGRESS_SIZE:]).view(PROGRESS)
        reasons: Ints = progress["ended"].reshape(-1)
        ended = reasons != GOING
        order = np.argsort(ended, kind="stable")  # sessions that continue come first
        place = np.argsort(order)
        self.states = np.ascontiguousarray(states[order])
        self.reasons: Ints = reasons[order]  # why the session in each state is over, or GOING
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
        """The table of the walk: result in units in the high half, first entry of the next state in the low half."""
        return ((self.results // self.unit) << 32) | (self.targets * self.outcomes)

    @property
    def is_narrow(self) -> bool:
        """Whether results and table indices fit the packed words of the walk."""
        return int(np.abs(self.results // self.unit).max(initial=0)) < 2**30 and len(self.results) < 2**31


def outcome_classes(t: Tables) -> tuple[Ints, Ints]:
    """Group outcomes that nothing distinguishes: a representative of each class, and the class of every outcome."""
    entries, outcomes = np.asarray(t.entries), t.phases.shape[2]
    signs = [entries[column] for column in entries.dtype.names or ()] + [t.phases.reshape(-1, outcomes)]
    signs.append(t.lists[None, t.sign.result_classes :][:, :outcomes])
    if t.sign.pass_outcomes >= 0:
        signs.append(t.truths[None, t.sign.pass_outcomes, :outcomes])
    _, representatives, classes = np.unique(np.concatenate(signs), axis=1, return_index=True, return_inverse=True)
    return representatives.astype(np.int64), classes.reshape(-1).astype(np.int64)


def product_of(program: Program, most_entries: int = MOST_ENTRIES) -> Product | None:
    """Build the machine of a strategy; None if it depends on money or has too many states."""
    if program.asks_for_money:
        return None
    tables = program.tables._replace(sign=copied(program.tables.sign))
    tables.sign.stop_win = tables.sign.stop_loss = UNBOUNDED
    representatives, classes = outcome_classes(tables)
    first, room = program.start.copy(), Room(program)
    begin(tables, first, room, 1)
    outlay = int(room.money.needed)
    found = explore(tables, room, first, representatives, most_entries // len(classes))
    if found is None:
        return None
    targets, results, needs = (part[:, classes].ravel() for part in found[1:])
    return Product(program, tables, outlay, found.states, targets, results, needs)


# Exploration of all reachable states, in compiled code. A strategy whose stakes grow may have more states than a
# machine can hold, which shows only once they are found. So it must be fast: hundreds of thousands of states per
# second.

FEW = 1024  # initial capacity in states
EMPTY = -1  # an empty slot of the hash index

# Progress of the exploration, in one array
DONE, KNOWN = range(2)


class Explored(NamedTuple):
    """States, and for each throw from each of them the next state, the net result, and the chips needed.

    They are numbered by the fewest throws that reach them, and among equals by their content.
    """

    states: Ints
    targets: Ints
    results: Ints
    needs: Ints


class Room:
    """Memory for playing from a given state: money and effects, and counts that may be ignored."""

    def __init__(self, program: Program) -> None:
        self.money: Money = blank(Money)
        self.effects = program.no_effects()
        self.counts = program.no_counts()
        self.throws: Throws = np.zeros(1, np.uint16)


def begin(t: Tables, row: Ints, room: Room, weight: int) -> None:
    """Apply the rules before the first throw to the state in a row, with unlimited chips."""
    times = np.array([weight], np.int64)
    recount(t, row[None, :], times, BEFORE, room.throws, row, room.money, room.effects, room.counts)


def explore(t: Tables, room: Room, first: Ints, outcomes: Ints, most: int) -> Explored | None:
    """Find every state that these outcomes reach from a first state; None if there are more than `most`."""
    throws = outcomes.astype(np.uint16)
    states = np.empty((0, len(first)), np.int64)
    depths = np.empty(0, np.int64)
    entries = np.empty((0, 3, len(throws)), np.int64)
    come = np.array([0, 1], np.int64)
    while come[DONE] < come[KNOWN] <= most:
        # Leave room beyond the states wanted for all throws from one more.
        size = min(max(FEW, 2 * len(states)), most + 1) + len(throws)
        states, depths, entries = (_enlarged(each, size) for each in (states, depths, entries))
        states[0], depths[0] = first, 0
        index = np.full(4 << size.bit_length(), EMPTY, np.int64)
        _explore(t, throws, states, depths, entries, index, come, room.money, room.effects, room.counts)
    if come[KNOWN] > most:
        return None
    return _in_order(*(each[: come[KNOWN]] for each in (states, depths, entries)))


def _enlarged(array: Ints, size: int) -> Ints:
    larger = np.empty((size, *array.shape[1:]), np.int64)
    larger[: len(array)] = array
    return larger


def _in_order(states: Ints, depths: Ints, entries: Ints) -> Explored:
    """Number the states as Explored says; they are compared as bytes, which is as good as any other order."""
    keys = np.column_stack([depths.astype(">i8").view(np.int64), states])
    order = np.argsort(keys.view(np.dtype((np.void, keys.itemsize * keys.shape[1]))).reshape(-1))
    place = np.argsort(order)
    targets, results, needs = (entries[order, column] for column in range(3))
    return Explored(np.ascontiguousarray(states[order]), place[targets], results, needs)


@part
def _find(states: Ints, index: Ints, row: int) -> int:
    """The number of the state that a row holds; a new state gets the row as its number."""
    mixed = uint64(0)
    for j in range(states.shape[1]):
        mixed = (mixed ^ uint64(states[row, j])) * uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> uint64(29)
    mask = uint64(index.shape[0] - 1)
    place = mixed & mask
    while index[place] != EMPTY:
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
    t: Tables, throws: Throws, states: Ints, depths: Ints, entries: Ints, index: Ints, come: Ints, money: Money,
    effects: Records[Effect], counts: Counts,
) -> None:  # fmt: skip
    """Make all throws from one state after another, until none is left or there is no room for more.

    `index` is empty; its length is a power of two, at least twice that of `states`.
    """
    ways, none = len(throws), counts.made[:0]
    done, known = come[DONE], come[KNOWN]
    for row in range(known):
        _find(states, index, row)
    while done < known and known + ways <= states.shape[0]:
        for k in range(ways):
            for j in range(states.shape[1]):
                states[known, j] = states[done, j]
            session = session_on(t, states[known], money, effects)
            restart(money, PLENTY, UNBOUNDED)
            money.cash -= on_layout(session)
            advance(t, session, throws, number(0), k, k + 1, number(0) != 0, k + 2, none, none, number(0), counts)
            there = _find(states, index, known)
            entries[done, 0, k], entries[done, 1, k], entries[done, 2, k] = there, money.net, money.needed
            if there == known:
                depths[known] = depths[done] + 1
                known += 1
        done += 1
    come[DONE], come[KNOWN] = done, known


# Throws repeated from given states, to count what a walk over the machine did

BEFORE, BETWEEN, LAST = range(3)  # before the first throw; after any throw; after the last, when no rule applies


@compiled
def recount(
    t: Tables, states: Ints, times: Ints, when: int, throws: Throws, state: Ints, money: Money,
    effects: Records[Effect], counts: Counts,
) -> None:  # fmt: skip
    """Repeat every throw made on the machine, and count its effects as often as it was made.

    This keeps wagers and rules out of the walk. After a last throw wagers are left on the layout. BEFORE applies the
    rules without a throw.
    """
    ways, none = t.phases.shape[2], counts.made[:0]
    s = session_on(t, state, money, effects)
    for entry in range(len(times)):
        if times[entry] > 0:
            for j in range(len(state)):
                state[j] = states[entry // ways, j]
            throws[0] = entry % ways
            restart(money, PLENTY, UNBOUNDED)
            money.cash -= on_layout(s)
            until, limit = 0 if when == BEFORE else 1, 1 if when == LAST else 2
            advance(t, s, throws, number(0), number(0), until, when == BEFORE, limit, none, none, times[entry], counts)
            if when == LAST:
                leave(s, times[entry], counts)
