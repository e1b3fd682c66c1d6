"""Sessions on given throws: a record of real dice, played by the general kernel as a drawn session is."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from croupier.rules.errors import Impossible
from croupier.rules.outcomes import Faces, Outcomes
from croupier.sim import numbers as n
from croupier.sim import walking as w
from croupier.sim.dice import Throws
from croupier.sim.engine import Engine, Worker
from croupier.sim.kernel import advance
from croupier.sim.numbers import Ints


def cut(outcomes: Outcomes, throws: Sequence[Faces], rolls: int, sessions: int) -> Throws:
    """So many sessions one after the other from a record: a row for each, throws as places among the outcomes.

    Raises Impossible where the record is too short.
    """
    wanted = sessions * rolls
    if wanted > len(throws) or not wanted:
        say = f"{sessions:,} sessions of {rolls:,} need {wanted:,} throws, and the record has {len(throws):,}."
        raise Impossible("record_too_short", say)
    places = [outcomes.index[faces] for faces in throws[:wanted]]
    return np.array(places, np.uint16).reshape(sessions, rolls)


class GivenWorker(Worker):
    """A worker that draws nothing: session number i is row i of its table of throws. The seed means nothing to it."""

    def __init__(self, engine: Engine, throws: Throws) -> None:
        assert engine.machine is None, "what is thrown on a machine is counted otherwise"
        super().__init__(engine)
        self._given = throws
        self._noted = np.zeros(len(engine.marks), np.int64)

    def _play(self, seed: int, first: int, done: int, sessions: int) -> None:
        numbers = self.engine.program.numbers
        counts, floats = np.zeros(numbers[n.COUNTS_SIZE], np.int64), self.engine.program.floats()
        for i in range(done, sessions):
            self._session(self._given[first + i], i, counts, floats)
        self.tally.counts = [a + b for a, b in zip(self.tally.counts, counts.tolist(), strict=True)]
        squares = floats[: len(self.tally.squares)].tolist()
        self.tally.squares = [a + Fraction(b) for a, b in zip(self.tally.squares, squares, strict=True)]

    def _session(self, throws: Throws, place: int, counts: Ints, floats: n.Floats) -> None:
        engine, numbers, money = self.engine, self.engine.program.numbers, self._money
        state = self._state[1]
        state[:] = self._state[0]
        money[:] = 0
        money[[n.CASH, n.BANK]] = n.PLENTY if engine.bankroll is None else engine.bankroll
        rolls, marks, noted = len(throws), engine.marks, self._noted
        made = advance(
            numbers, state, money, throws, 0, 0, rolls, True, rolls, marks, noted, 1, counts, floats, self._scratch
        )
        self._leave(state, counts)
        unit = engine.unit
        self._known[w.FINAL, place] = money[n.NET] // unit
        self._known[w.FALL, place] = money[n.DEEPEST] // unit
        self._known[w.LENGTH, place] = made
        self._known[w.REASON, place] = state[numbers[n.P_MISC] + n.ENDED]
        self._snaps[:, place] = np.where(marks > made, money[n.NET], noted) // unit

    def _leave(self, state: Ints, counts: Ints) -> None:
        """What stands at the end is counted by its row, at its face: commission goes back."""
        numbers = self.engine.program.numbers
        for k in range(numbers[n.SLOTS]):
            stake = state[numbers[n.P_STAKES] + k]
            if stake > 0:
                row = state[numbers[n.P_ROWS] + k]
                counts[numbers[n.COUNTS_OF_ROWS] + row * n.ROW_COUNTS + n.LEFT_IN] += stake
                counts[k * n.SLOT_COUNTS + n.COMMISSION_BACK] += state[numbers[n.P_COMMISSION] + k]
