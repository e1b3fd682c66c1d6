"""A strategy that does not ask for money, compiled into one machine: all that can stand and be remembered is its state.

The states are found by letting the general kernel make every throw from every state that turns up, with chips that
never run out. What a throw does from then on is one look-up: the next state, and what it brings. A bankroll may still
bind: each entry knows how much must be in hand for it, and a session that has less goes on in the general kernel.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from croupier.sim.kernels import numbers as n
from croupier.sim.kernels.exploring import explore, nothing
from croupier.sim.kernels.kernel import advance
from croupier.sim.kernels.numbers import Floats, Ints
from croupier.sim.kernels.program import Program

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
