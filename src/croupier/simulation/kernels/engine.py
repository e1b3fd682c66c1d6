"""Blocks of sessions: a seed and session numbers in, a tally out. Pure: a block has the same result everywhere."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import NamedTuple

import numpy as np

from croupier.money import format_cents
from croupier.rules.errors import Impossible
from croupier.simulation.kernels import layout as n
from croupier.simulation.kernels import walking as w
from croupier.simulation.kernels.compiled import compiled, in_python
from croupier.simulation.kernels.dice import AT_ONCE, SPARE, Throws, signed, throws_per_word
from croupier.simulation.kernels.kernel import leave
from croupier.simulation.kernels.layout import Ints
from croupier.simulation.kernels.product import BETWEEN, LAST, Product, Room, begin, product_of, recount
from croupier.simulation.kernels.program import Program
from croupier.simulation.kernels.tally import Tally
from croupier.simulation.strategy import MOST_CENTS, MOST_MONEY, PLENTY, Bet, Fixed, FromProgression, Rule, TimesSpot

MOST_MARKS = 20  # points of the fan chart
BLOCK_THROWS = 2**21  # approximate throws per block: a few milliseconds of work
MOST_BLOCK = 2**16
MOST_ROLLS = 10**7
MOST_SESSIONS = 10**13
WORD = 2**61
MARGIN = 1000  # bound on the ratio of a count to a stake: odds and their denominators


class Known(NamedTuple):
    """The results of each session of a block, in cents and throws."""

    first: int
    nets: Ints
    falls: Ints
    lengths: Ints
    reasons: Ints


class Engine:
    """A program with everything that sessions of one length and bankroll need. `general` disables the machine."""

    def __init__(self, program: Program, rolls: int, bankroll: int | None, general: bool = False) -> None:
        self.program = program
        self.rolls = rolls
        self.bankroll = bankroll
        self.outcomes = len(program.game.book.outcomes)
        self.per_word = throws_per_word(self.outcomes)
        _check_sizes(program, rolls, bankroll)
        self.machine: Product | None = None if general else self._machine()
        self.marks = np.unique(np.linspace(0, rolls, MOST_MARKS + 1).astype(np.int64))[1:]
        self.unit = self._unit()
        self.needs = self._needs()

    def _machine(self) -> Product | None:
        """The product machine, if it exists, fits, and the bankroll covers the first bets."""
        machine = product_of(self.program)
        if machine is None or not machine.is_narrow or int(np.abs(machine.results).max(initial=0)) * self.rolls > WORD:
            return None
        if _largest_stake(machine) > self.ceiling:  # the general kernel will report it
            return None
        return machine if self.bankroll is None or self.bankroll >= machine.outlay else None

    def _unit(self) -> int:
        """The amount of which every result is a multiple."""
        if self.machine is not None and self.has_equal_lengths:
            return self.machine.unit
        paid = any(self.program.felt.wager(spot).takes_commission for spot in self.program.felt.spots)
        return 1 if paid else self.program.settings.chip

    @cached_property
    def has_equal_lengths(self) -> bool:
        """Whether every session runs to its last roll on the machine: no bankroll or stop can end it."""
        machine, stop = self.machine, self.program.strategy.stop
        if machine is None or machine.first_ended < len(machine.states):
            return False
        return self._has_plenty(machine) and stop.win is None and stop.loss is None

    def _has_plenty(self, machine: Product) -> bool:
        """Whether chips cannot run out: the worst throw every time would still leave enough for the dearest bet."""
        worst = -int(machine.results.min(initial=0)) * self.rolls
        return self.bankroll is None or self.bankroll - worst >= int(machine.needs.max(initial=0))

    def _needs(self) -> Ints:
        """The lowest result, in units of the machine, at which each entry is valid."""
        if self.machine is None:
            return np.zeros(0, np.int64)
        stop = self.program.strategy.stop
        least = -WORD if stop.loss is None else 1 - stop.loss
        needs = np.full(len(self.machine.results), least, np.int64)
        if self.bankroll is not None:
            needs = np.maximum(needs, self.machine.needs - self.bankroll)
        least_units: Ints = -(-needs // self.machine.unit)
        return least_units

    @property
    def ceiling(self) -> int:
        """The largest stake that sums can hold, if stakes may grow; otherwise stakes were checked in advance."""
        strategy = self.program.strategy
        grows = self.program.asks_for_chips or any(map(_multiplies, strategy.rules))
        grows = grows or any(not each.steps and not each.most for each in strategy.progressions)
        return WORD // (self.rolls * _bets(self.program) * MARGIN) if grows else n.UNBOUNDED

    @property
    def block_size(self) -> int:
        """The number of sessions per block: it depends on their length alone, never on the hardware."""
        return max(w.LANES, min(MOST_BLOCK, BLOCK_THROWS // self.rolls) // w.LANES * w.LANES)

    def tally(self) -> Tally:
        """An empty tally of the right size."""
        states = 0 if self.machine is None else len(self.machine.states)
        groups, counts = len(self.program.felt.groups), len(self.program.no_counts().numbers)
        return Tally(self.unit, len(self.marks), groups + 1, states * self.outcomes, states, counts)


def _check_sizes(program: Program, rolls: int, bankroll: int | None) -> None:
    """Refuse numbers of throws and amounts whose sums would overflow. Raises Impossible."""
    if not 1 <= rolls <= MOST_ROLLS:
        raise Impossible("rolls_out_of_range", f"A session can have 1 to {MOST_ROLLS:,} rolls, not {rolls:,}.")
    if bankroll is None and program.asks_for_chips:
        raise Impossible("bankroll_needed", "This strategy depends on the chips in hand: it needs a bankroll.")
    if bankroll is not None and not 0 < bankroll <= MOST_CENTS:
        raise Impossible("amount_too_large", f"A bankroll must be above zero and at most {MOST_MONEY}.")
    largest, bets = _largest(program, bankroll), _bets(program)
    if largest * rolls * bets * MARGIN > WORD or (bankroll is None and largest * rolls * bets > PLENTY):
        raise Impossible("amount_too_large", "Such stakes over so many rolls add up to more money than can be counted.")


def _bets(program: Program) -> int:
    return max(1, sum(isinstance(rule, Bet) for rule in program.strategy.rules))


def _multiplies(rule: Rule) -> bool:
    """Whether a bet may exceed every amount named in the strategy."""
    return isinstance(rule, Bet) and isinstance(rule.stake, TimesSpot | FromProgression) and rule.stake.factor > 1


def _largest(program: Program, bankroll: int | None) -> int:
    """The largest amount named anywhere: as a bankroll, a stake or the limit of a progression."""
    stakes = [bankroll or 0]
    stakes += [
        rule.stake.cents for rule in program.strategy.rules if isinstance(rule, Bet) and isinstance(rule.stake, Fixed)
    ]
    for each in program.strategy.progressions:
        stakes += [*each.steps, each.start, each.most]
    return max(stakes)


class Worker:
    """One core's share of the work: buffers for a block of sessions, and a tally of all blocks done.

    `given` holds recorded throws to use instead of drawing: session i is row i, and the seed is ignored.
    """

    def __init__(self, engine: Engine, given: Throws | None = None) -> None:
        assert given is None or engine.machine is None, "what is thrown on a machine is counted otherwise"
        self.engine = engine
        self._given = given
        self.tally = engine.tally()
        program, part, block = engine.program, min(w.PART, engine.rolls), engine.block_size
        self._throws = np.zeros((w.LANES, part + SPARE), np.uint16)
        self._noted = np.zeros(len(engine.marks), np.int64)
        self._words = np.zeros((4, AT_ONCE), np.uint32)
        sizes = (block, block, block, block, (len(engine.marks), block))
        self._results = w.Results(*(np.zeros(size, np.int64) for size in sizes))
        self._brought = np.zeros((part, w.LANES), np.int32)
        self._lanes = np.zeros((6, w.LANES), np.int64)
        self._state = np.zeros((2, len(program.start)), np.int64)
        self._state[0] = program.start
        self._money: n.Money = n.blank(n.Money)
        self._effects = program.no_effects()
        self._machine = self._machine_tables()

    def _machine_tables(self) -> w.MachineTables:
        engine, tally = self.engine, self.tally
        machine, win, values = engine.machine, engine.program.strategy.stop.win, n.blank(w.Machine)
        counts = (tally.visits, tally.lasts, tally.ends)
        values.unit = 1
        if machine is None:
            none, no_states = np.zeros(0, np.int64), np.zeros((0, len(engine.program.start)), np.int64)
            return w.MachineTables(values, none, none, none, no_states, *counts)
        values.exists, values.start, values.first_ended = True, machine.start, machine.first_ended
        values.unit = machine.unit
        values.win_at = WORD if win is None else -(-win // machine.unit)
        return w.MachineTables(values, machine.table, engine.needs, machine.reasons, machine.states, *counts)

    def block(self, seed: int, first: int, sessions: int) -> Known:
        """Play these sessions, count them, and return the results of each."""
        task = self._task(seed, first)
        whole = sessions // w.LANES * w.LANES if self.engine.has_equal_lengths else 0
        if whole:
            task.sessions = whole
            self._walk(task)
        if whole < sessions:
            self._play(task, whole, sessions)
        results = w.Results(*(each[..., :sessions] for each in self._results))
        if (results.reasons == n.BEYOND).any():
            most = format_cents(self.engine.ceiling)
            say = f"A stake came to more than {most}, too much to be counted over so many rolls: set a maximum."
            raise Impossible("amount_too_large", say)
        self._count(results)
        unit = self.engine.unit
        return Known(first, results.nets * unit, results.drawdowns * unit, results.lengths, results.reasons)

    def _task(self, seed: int, first: int) -> w.Task:
        engine, task = self.engine, n.blank(w.Task)
        task.seed, task.first, task.rolls = signed(seed), first, engine.rolls
        task.outcomes, task.per_word = engine.outcomes, engine.per_word
        task.bankroll = PLENTY if engine.bankroll is None else engine.bankroll
        task.ceiling, task.unit = engine.ceiling, engine.unit
        return task

    def _walk(self, task: w.Task) -> None:
        w.walk(
            task, self._machine, self.engine.marks, self._results, self._throws, self._words, self._brought, self._lanes
        )

    def _play(self, task: w.Task, done: int, sessions: int) -> None:
        """Play sessions one by one, as many at a time as the counts can hold."""
        first = task.first
        while done < sessions:
            counts = self.engine.program.no_counts()
            task.first, task.place, task.sessions = first + done, done, sessions - done
            done += self._played(task, counts)
            self.tally.counts = [a + b for a, b in zip(self.tally.counts, counts.numbers.tolist(), strict=True)]
            squares = counts.squares.tolist()
            self.tally.squares = [a + Fraction(b) for a, b in zip(self.tally.squares, squares, strict=True)]

    def _played(self, task: w.Task, counts: n.Counts) -> int:
        tables, marks = self.engine.program.tables, self.engine.marks
        of_session = (self._state, self._money, self._effects, counts)
        if self._given is not None:
            return w.play_given(tables, task, self._given, marks, self._results, self._noted, *of_session)
        return w.play(
            tables, task, self._machine, marks, self._results, self._noted, self._throws[0], self._words, *of_session
        )

    def _count(self, results: w.Results) -> None:
        tally, unit = self.tally, self.engine.unit
        nets, drawdowns = results.nets, results.drawdowns
        tally.sessions += len(nets)
        tally.rolls += int(results.lengths.sum())
        tally.net += int(nets.sum()) * unit
        tally.net_squares += int(_squares(nets)) * unit * unit
        tally.fall += int(drawdowns.sum()) * unit
        tally.won += int((nets > 0).sum())
        tally.level += int((nets == 0).sum())
        tally.finals.add(nets)
        tally.falls.add(drawdowns)
        for spread, values in zip(tally.fan, results.snaps, strict=True):
            spread.add(values)
        tally.fan_nets = [a + int(v.sum()) * unit for a, v in zip(tally.fan_nets, results.snaps, strict=True)]
        worst, best = int(nets.min()) * unit, int(nets.max()) * unit
        tally.worst = worst if tally.worst is None else min(tally.worst, worst)
        tally.best = best if tally.best is None else max(tally.best, best)
        ended = np.bincount(results.reasons, minlength=len(n.REASONS))
        tally.reasons = [a + b for a, b in zip(tally.reasons, ended.tolist(), strict=True)]
        tally.ruined_after.add(results.lengths[results.reasons == n.RUINED])


@compiled
def _squares(values: Ints) -> float:
    """The sum of squares in a fixed order, so that it is the same on every machine."""
    total = 0.0
    for i in range(values.shape[0]):
        total += float(values[i]) * float(values[i])
    return total


def whole_counts(engine: Engine, tally: Tally) -> tuple[list[int], list[Fraction]]:
    """The counts by wager and rule, including the throws made on the machine.

    Processes the visit counts a few bits at a time, so that no sum of money overflows.
    """
    machine = engine.machine
    counts, squares = list(tally.counts), list(tally.squares)
    if machine is None:
        return counts, squares
    parts = (tally.visits, tally.lasts, tally.ends)
    most = max(tally.sessions, *(int(part.max(initial=0)) for part in parts))
    once = _most_counted(machine) * (1 + sum(int(np.count_nonzero(part)) for part in parts))
    bits = max(1, WORD.bit_length() - 1 - once.bit_length())
    for shift in range(0, most.bit_length(), bits):
        more, more_squares = _recounted(engine, machine, tally, 2**bits - 1, shift)
        counts = [a + (b << shift) for a, b in zip(counts, more, strict=True)]
        squares = [a + (b * 2**shift) for a, b in zip(squares, more_squares, strict=True)]
    return counts, squares


def _largest_stake(machine: Product) -> int:
    """The largest stake in any state."""
    first = len(machine.tables.phases) + len(machine.tables.slots)
    return int(machine.states[:, first : first + len(machine.tables.slots)].max(initial=0))


def _most_counted(machine: Product) -> int:
    """An upper bound on what one throw and the rules after it add to a count: every rule bets the largest stake."""
    largest = max(machine.outlay, _largest_stake(machine), int(machine.needs.max(initial=0)))
    rows = machine.program.felt.rows
    odds = max((entry.odds for row in rows for entry in row.entries), default=Fraction(0))
    over = max((row.over for row in rows), default=1)
    return (largest * ceil(odds + 2) + machine.program.settings.chip * over) * (1 + len(machine.tables.rules))


def _recounted(
    engine: Engine, machine: Product, tally: Tally, mask: int, shift: int
) -> tuple[list[int], list[Fraction]]:
    room, tables, state = Room(engine.program), machine.tables, engine.program.start.copy()
    money, effects, counts = room.money, room.effects, room.counts
    for times, when in ((tally.visits, BETWEEN), (tally.lasts, LAST)):
        part = (times >> shift) & mask
        recount(tables, machine.states, part, when, room.throws, state, money, effects, counts)
    state[:] = engine.program.start
    begin(tables, state, room, (tally.sessions >> shift) & mask)
    for number in np.flatnonzero(tally.ends):
        session = n.session_of(tables, machine.states[number], money, effects)
        in_python(leave)(session, (tally.ends[number] >> shift) & mask, counts)
    return counts.numbers.tolist(), [Fraction(value) for value in counts.squares.tolist()]
