"""What the tables of numbers point to: lists, truth tables, refusals, and the states of the phases by number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from croupier.rules import schema
from croupier.rules.book import holds
from croupier.sim.kernels.numbers import Ints
from croupier.sim.kernels.spots import Felt
from croupier.sim.strategy import Spot


class Refusal(NamedTuple):
    """Why a table refuses: a stable code, and the clause behind it."""

    code: str
    clause: str | None


class Register:
    """Everything that is numbered as it turns up. The numbers go into the tables."""

    def __init__(self, felt: Felt) -> None:
        self.felt = felt
        self.lists: list[int] = []
        self.truths: list[list[int]] = []
        self.refusals: list[Refusal] = []
        self.phase_states = [list(felt.game.book.phase_machines[phase].table) for phase in felt.phases]

    def series(self, members: Iterable[int]) -> int:
        """Members one after the other; where the first of them stands."""
        first = len(self.lists)
        self.lists.extend(members)
        return first

    def truth(self, answers: Iterable[bool]) -> int:
        """A table of yes and no; the same table has the same number."""
        table = [int(answer) for answer in answers]
        if table not in self.truths:
            self.truths.append(table)
        return self.truths.index(table)

    def refusal(self, code: str, clause: str | None) -> int:
        """The number of a refusal."""
        refusal = Refusal(code, clause)
        if refusal not in self.refusals:
            self.refusals.append(refusal)
        return self.refusals.index(refusal)

    def phase(self, phase: str) -> int:
        """The number of a phase."""
        return self.felt.phases.index(phase)

    def phase_truth(self, phase: str, answer: Callable[[str], bool]) -> int:
        """A truth table over the states of a phase."""
        return self.truth(answer(state) for state in self.phase_states[self.phase(phase)])

    def over_slots(self, spots: tuple[Spot, ...]) -> int:
        """A truth table over the slots."""
        return self.truth(spot in spots for spot in self.felt.spots)

    def truth_tables(self) -> Ints:
        """All truth tables in one, as wide as the widest."""
        made = np.zeros((len(self.truths) + 1, max(map(len, self.truths), default=1)), np.int64)
        for i, truths in enumerate(self.truths):
            made[i, : len(truths)] = truths
        return made


def bound(condition: schema.Condition | schema.PhaseIs) -> Callable[[str], bool]:
    """A condition of the book as a question about a state."""
    return lambda state: holds(condition, state)
