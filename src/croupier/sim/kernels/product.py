"""A strategy that does not ask for money, compiled into one machine: all that can stand and be remembered is its state.

The states are found by letting the general kernel make every throw from every state that turns up, with chips that
never run out. What a throw does from then on is one look-up: the next state, and what it brings. A bankroll may still
bind: each entry knows how much must be in hand for it, and a session that has less goes on in the general kernel.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from croupier.sim.kernels import numbers as n
from croupier.sim.kernels.compiled import compiled, number
from croupier.sim.kernels.dice import Throws
from croupier.sim.kernels.kernel import advance, standing_on
from croupier.sim.kernels.numbers import Floats, Ints
from croupier.sim.kernels.program import Program

MOST_ENTRIES = 3_000_000  # beyond it the tables no longer fit the caches, and the general kernel is as quick
AT_ONCE = 4096  # states whose throws are made at once


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
    outcomes = int(numbers[n.OUTCOMES])
    first = program.start[None, :].copy()
    outlay = _begin(numbers, first[0], *_nothing(program))
    known = {first.tobytes(): 0}
    states, targets, results, needs = [first], [], [], []
    todo = first
    while len(todo):
        if len(known) * outcomes > most_entries:
            return None
        after, brought, needed = _expand(program, numbers, todo, representatives)
        unique, inverse = np.unique(_as_keys(after), return_inverse=True)
        numbered = np.empty(len(unique), np.int64)
        new = []
        for i, key in enumerate(unique):
            text = key.tobytes()
            if text not in known:
                known[text] = len(known)
                new.append(np.frombuffer(text, np.int64))
            numbered[i] = known[text]
        count = len(todo)
        targets.append(numbered[inverse.reshape(count, -1)][:, classes])
        results.append(brought.reshape(count, -1)[:, classes])
        needs.append(needed.reshape(count, -1)[:, classes])
        todo = np.array(new, np.int64).reshape(len(new), first.shape[1])
        states.append(todo)
    return Product(program, numbers, outlay, *(np.concatenate(part) for part in (states, targets, results, needs)))


def _as_keys(rows: Ints) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    rows = np.ascontiguousarray(rows)
    return rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).reshape(-1)


def _nothing(program: Program) -> tuple[Ints, Ints, Floats, Ints]:
    """Money, counts, floats and scratch that nobody looks at."""
    numbers = program.numbers
    return (
        np.zeros(n.MONEY, np.int64),
        np.zeros(numbers[n.COUNTS_SIZE], np.int64),
        program.floats(),
        np.zeros((n.SCRATCH, numbers[n.SLOTS]), np.int64),
    )


def _expand(program: Program, numbers: Ints, states: Ints, outcomes: Ints) -> tuple[Ints, Ints, Ints]:
    """Every outcome from each of these states: what comes after, what it brings, what must be in hand for it."""
    after = np.repeat(states, len(outcomes), axis=0)
    brought, needed = np.zeros(len(after), np.int64), np.zeros(len(after), np.int64)
    for first in range(0, len(after), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        throws = np.resize(np.roll(outcomes, -first), len(after[part])).astype(np.uint16)
        _make(numbers, after[part], throws, brought[part], needed[part], *_nothing(program))
    return after, brought, needed


def _begin(t: Ints, state: Ints, money: Ints, counts: Ints, floats: Floats, scratch: Ints) -> int:
    """The rules before the first throw; what their bets take."""
    money[[n.CASH, n.BANK]] = n.PLENTY
    none = counts[:0]
    advance(t, state, money, np.empty(0, np.uint16), 0, 0, 0, True, 1, none, none, 0, counts, floats, scratch)
    return int(money[n.OUT])


@compiled
def _make(
    t: Ints, states: Ints, throws: Throws, brought: Ints, needed: Ints, money: Ints, counts: Ints, floats: Floats,
    scratch: Ints,
) -> None:  # fmt: skip
    """One throw from each state, in place."""
    none = counts[:0]
    for i in range(states.shape[0]):
        money[:] = 0
        money[n.CASH] = n.PLENTY - standing_on(t, states[i])
        money[n.BANK] = n.PLENTY
        advance(
            t, states[i], money, throws, number(0), i, i + 1, number(0) != 0, i + 2, none, none, number(0), counts,
            floats, scratch,
        )  # fmt: skip
        brought[i] = money[n.NET]
        needed[i] = money[n.OUT]
