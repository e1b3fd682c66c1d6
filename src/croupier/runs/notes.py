"""What is noted of sessions at a real table until it is known what was bet there, and a tally can be filled in."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate

import numpy as np

from croupier.rules.machine import Pick
from croupier.runs.tables import ENDED
from croupier.sim.kernels import numbers as n
from croupier.sim.kernels.engine import Engine, Known
from croupier.sim.kernels.spread import Spread
from croupier.sim.kernels.tally import Tally
from croupier.sim.results import RefusedFigures, RuleFigures
from croupier.sim.seated.player import Session

Kind = tuple[str, Pick]  # a wager and its pick
Row = tuple[str, Pick, str]  # and the state that its machine is in


class Notes:
    """Counts of wagers under the columns that a kernel has for them, and of sessions by what came of them.

    They need memory for every different result. Only where somebody `keeps` sessions is each of them noted by itself.
    """

    def __init__(self, marks: int, keeps: bool) -> None:
        self.ended: Counter[str] = Counter()
        self._sums: Counter[str] = Counter()
        self._finals: Counter[int] = Counter()
        self._falls: Counter[int] = Counter()
        self._fan: list[Counter[int]] = [Counter() for _ in range(marks)]
        self._ruined_after: Counter[int] = Counter()
        self._known = [array("q") for _ in Known._fields[1:]] if keeps else []
        self._slots: dict[tuple[Row, int], int | Fraction] = {}
        self._rows: Counter[tuple[Row, int]] = Counter()
        self._squares: dict[Kind | None, float] = {}
        self._made: Counter[int] = Counter()
        self._refused: Counter[tuple[int, str, str | None]] = Counter()

    # Wagers

    def place(self, row: Row, amount: int, commission: int) -> None:
        """A bet was made."""
        self._rows[row, n.MADE_IN] += amount
        self._add(row, {n.BETS: 1, n.STAKED: amount, n.COMMISSION: commission})

    def take(self, row: Row, amount: int, commission: int) -> None:
        """Chips were taken back."""
        self._rows[row, n.TAKEN_IN] += amount
        self._add(row, {n.COMMISSION_BACK: commission})

    def leave(self, row: Row, amount: int, commission: int) -> None:
        """A wager stood at the end of a session."""
        self._rows[row, n.LEFT_IN] += amount
        self._add(row, {n.COMMISSION_BACK: commission})

    def win(self, row: Row, won: int, rounded_up: Fraction) -> None:
        """A wager was won; rounding up to the chip gave so much of it."""
        self._add(row, {n.WINS_OF: 1, n.PAID: won, n.ROUNDED_UP: rounded_up})

    def lose(self, row: Row, stake: int) -> None:
        """A wager was lost."""
        self._add(row, {n.LOSSES_OF: 1, n.COLLECTED: stake})

    def void(self, row: Row, stake: int, commission: int) -> None:
        """A wager was returned by the rules."""
        self._add(row, {n.VOIDS_OF: 1, n.RETURNED: stake, n.COMMISSION_BACK: commission})

    def _add(self, row: Row, columns: Mapping[int, int | Fraction]) -> None:
        for column, value in columns.items():
            self._slots[row, column] = self._slots.get((row, column), 0) + value

    def gain(self, gains: Mapping[Kind, float]) -> None:
        """A throw took wagers so far from what they were worth: each kind, and all together."""
        for kind, gained in (*gains.items(), (None, sum(gains.values()))):
            self._squares[kind] = self._squares.get(kind, 0.0) + gained * gained

    # Sessions

    def add(self, session: Session, nets: Sequence[int], at_marks: Sequence[int]) -> None:
        """A session is over: its result before the first throw, after each throw, and at the marks."""
        net, ended = nets[-1], session.ended or ENDED[n.GOING]
        fall = max(peak - now for peak, now in zip(accumulate(nets, max), nets, strict=True))
        self._sums.update(sessions=1, rolls=session.rolls, net=net, net_squares=net * net, fall=fall)
        self._finals[net] += 1
        self._falls[fall] += 1
        for counter, value in zip(self._fan, at_marks, strict=True):
            counter[value] += 1
        self.ended[ended] += 1
        if ended == ENDED[n.RUINED]:
            self._ruined_after[session.rolls] += 1
        self._made.update(session.made)
        self._refused.update(session.refused)
        if self._known:
            for column, value in zip(self._known, (net, fall, session.rolls, ENDED.index(ended)), strict=True):
                column.append(value)

    @property
    def known(self) -> Known:
        """What is known of each session, where that is kept."""
        return Known(0, *(np.array(column, np.int64) for column in self._known))

    # What becomes of it

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of wagers that were made, in the order in which they were met."""
        return list(dict.fromkeys((wager, pick) for (wager, pick, _), _ in self._slots))

    @property
    def rules(self) -> tuple[RuleFigures, ...]:
        """What was done and refused by the number of the rule; a player in Python has one, number 0."""
        numbers = sorted({0, *self._made, *(rule for rule, _, _ in self._refused)})
        return tuple(RuleFigures(number, "", self._made[number], self._refused_to(number)) for number in numbers)

    def _refused_to(self, number: int) -> tuple[RefusedFigures, ...]:
        told = sorted(((code, clause or "") for rule, code, clause in self._refused if rule == number))
        return tuple(RefusedFigures(c, k or None, self._refused[number, c, k or None]) for c, k in told)

    def fill(self, tally: Tally, engine: Engine) -> None:
        """Enter everything into an empty tally of an engine that has a place for every kind of wager."""
        for name, value in self._sums.items():
            setattr(tally, name, value)
        unit = engine.unit
        for spread, values in ((tally.finals, self._finals), (tally.falls, self._falls)):
            _fill(spread, values, unit)
        for spread, values in zip(tally.fan, self._fan, strict=True):
            _fill(spread, values, unit)
        tally.fan_nets = [sum(net * count for net, count in values.items()) for values in self._fan]
        tally.worst, tally.best = min(self._finals), max(self._finals)
        tally.won = sum(count for net, count in self._finals.items() if net > 0)
        tally.level = self._finals.get(0, 0)
        _fill(tally.ruined_after, self._ruined_after, 1)
        tally.reasons = [self.ended[reason] for reason in n.REASONS]
        groups = [*engine.program.felt.groups, None]
        tally.squares = [Fraction(self._squares.get(group, 0.0)) for group in groups]
        self._fill_counts(tally.counts, engine)

    def _fill_counts(self, counts: list[int], engine: Engine) -> None:
        felt, first_row = engine.program.felt, int(engine.program.numbers[n.COUNTS_OF_ROWS])
        for (row, column), count in self._slots.items():
            place = felt.rows[felt.row[row]]
            value = count * place.over if column == n.ROUNDED_UP else count
            counts[felt.place[place.spot] * n.SLOT_COUNTS + column] += int(value)
        for (row, column), amount in self._rows.items():
            counts[first_row + felt.row[row] * n.ROW_COUNTS + column] += amount


def _fill(spread: Spread, values: Counter[int], unit: int) -> None:
    numbers, times = np.array(list(values), np.int64), list(values.values())
    spread.add(np.repeat(numbers // unit, times))
