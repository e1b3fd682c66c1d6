"""Blocks of sessions: a seed and session numbers in, a tally out. Pure: a block has the same result everywhere."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import NamedTuple

import numpy as np

from croupier.money import format_cents
from croupier.rules.errors import Impossible
from croupier.simulation.kernels import numbers as n
from croupier.simulation.kernels import walking as w
from croupier.simulation.kernels.compiled import compiled
from croupier.simulation.kernels.dice import AT_ONCE, SPARE, Throws, signed, throws_per_word
from croupier.simulation.kernels.kernel import advance
from croupier.simulation.kernels.numbers import Ints
from croupier.simulation.kernels.product import Product, product_of
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
        numbers, machine = self.program.numbers, self.machine
        states = 0 if machine is None else len(machine.states)
        return Tally(
            self.unit,
            len(self.marks),
            int(numbers[n.GROUPS]) + 1,
            states * self.outcomes,
            states,
            int(numbers[n.COUNTS_SIZE]),
        )


def _check_sizes(program: Program, rolls: int, bankroll: int | None) -> None:
    """Refuse numbers of throws and amounts whose sums would overflow. Raises Impossible."""
    if not 1 <= rolls <= MOST_ROLLS:
        raise Impossible("rolls_out_of_range", f"A session has from 1 to {MOST_ROLLS:,} rolls, not {rolls:,}.")
    if bankroll is None and program.asks_for_chips:
        raise Impossible("bankroll_needed", "This strategy looks at the chips in hand: it needs a bankroll.")
    if bankroll is not None and not 0 < bankroll <= MOST_CENTS:
        raise Impossible("amount_too_large", f"A bankroll is more than nothing and at most {MOST_MONEY}.")
    largest, bets = _largest(program, bankroll), _bets(program)
    if largest * rolls * bets * MARGIN > WORD or (bankroll is None and largest * rolls * bets > PLENTY):
        raise Impossible("amount_too_large", "Such stakes over so many rolls are more money than can be counted.")


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
        numbers, block = engine.program.numbers, engine.block_size
        part = min(w.PART, engine.rolls)
        self._throws = np.zeros((w.LANES, part + SPARE), np.uint16)
        self._noted = np.zeros(len(engine.marks), np.int64)
        self._words = np.zeros((4, AT_ONCE), np.uint32)
        self._known = np.zeros((w.OF_SESSION, block), np.int64)
        self._snaps = np.zeros((len(engine.marks), block), np.int64)
        self._brought = np.zeros((part, w.LANES), np.int32)
        self._lanes = np.zeros((6, w.LANES), np.int64)
        self._state = np.zeros((2, numbers[n.STATE_SIZE]), np.int64)
        self._state[0] = engine.program.start
        self._money = np.zeros(n.MONEY, np.int64)
        self._scratch = np.zeros((n.SCRATCH, numbers[n.SLOTS]), np.int64)

    def block(self, seed: int, first: int, sessions: int) -> Known:
        """Play these sessions, count them, and return the results of each."""
        whole = sessions // w.LANES * w.LANES if self.engine.has_equal_lengths else 0
        if whole:
            self._walk(seed, first, whole)
        if whole < sessions:
            self._play(seed, first, whole, sessions)
        known = self._known[:, :sessions]
        if (known[w.REASON, whole:] == n.BEYOND).any():
            most = format_cents(self.engine.ceiling)
            say = f"A stake came to more than {most}, too much to be counted over so many rolls: set a maximum."
            raise Impossible("amount_too_large", say)
        known[w.LENGTH, :whole] = self.engine.rolls
        known[w.REASON, :whole] = n.GOING
        self._count(known, self._snaps[:, :sessions])
        unit = self.engine.unit
        return Known(first, known[w.FINAL] * unit, known[w.FALL] * unit, known[w.LENGTH], known[w.REASON])

    def _told(self, seed: int, first: int, sessions: int, done: int = 0) -> Ints:
        engine = self.engine
        machine, stop = engine.machine, engine.program.strategy.stop
        unit = 1 if machine is None else machine.unit
        told = {
            w.SEED: signed(seed),
            w.FIRST: first,
            w.SESSIONS: sessions,
            w.THROWS: engine.rolls,
            w.WAYS: engine.outcomes,
            w.PER_WORD: engine.per_word,
            w.START: 0 if machine is None else machine.start,
            w.UNIT_OF: unit,
            w.FIRST_ENDED: 0 if machine is None else machine.first_ended,
            w.BANKROLL: n.PLENTY if engine.bankroll is None else engine.bankroll,
            w.PLACE: done,
            w.CEILING: engine.ceiling,
            w.COUNTED_IN: engine.unit,
            w.WIN_AT: WORD if stop.win is None else -(-stop.win // unit),
        }
        return np.array([told[place] for place in range(w.TOLD)], np.int64)

    def _walk(self, seed: int, first: int, sessions: int) -> None:
        machine = self.engine.machine
        assert machine is not None
        told = self._told(seed, first, sessions)
        w.walk(
            told, machine.table, self.engine.marks, self.tally.visits, self.tally.lasts, self._known, self._snaps,
            self._throws, self._words, self._brought, self._lanes,
        )  # fmt: skip

    def _play(self, seed: int, first: int, done: int, sessions: int) -> None:
        """Play sessions one by one, as many at a time as the counts can hold."""
        while done < sessions:
            counts, floats = self._no_counts(), self.engine.program.floats()
            told = self._told(seed, first + done, sessions - done, done)
            done += self._played(told, counts, floats)
            self.tally.counts = [a + b for a, b in zip(self.tally.counts, counts.tolist(), strict=True)]
            squares = floats[: len(self.tally.squares)].tolist()
            self.tally.squares = [a + Fraction(b) for a, b in zip(self.tally.squares, squares, strict=True)]

    def _no_counts(self) -> Ints:
        return np.zeros(self.engine.program.numbers[n.COUNTS_SIZE], np.int64)

    def _played(self, told: Ints, counts: Ints, floats: n.Floats) -> int:
        engine, numbers, machine = self.engine, self.engine.program.numbers, self.engine.machine
        if self._given is not None:
            return w.play_given(
                numbers, told, self._given, engine.marks, self._known, self._snaps, self._noted, self._state,
                self._money, counts, floats, self._scratch,
            )  # fmt: skip
        table = np.zeros(0, np.int64) if machine is None else machine.table
        states = np.zeros((0, numbers[n.STATE_SIZE]), np.int64) if machine is None else machine.states
        return w.play(
            numbers, told, table, engine.needs, states, engine.marks, self.tally.visits, self.tally.lasts,
            self.tally.ends, self._known, self._snaps, self._noted, self._throws[0], self._words, self._state,
            self._money, counts, floats, self._scratch,
        )  # fmt: skip

    def _count(self, known: Ints, snaps: Ints) -> None:
        tally, unit = self.tally, self.engine.unit
        nets, falls = known[w.FINAL], known[w.FALL]
        tally.sessions += len(nets)
        tally.rolls += int(known[w.LENGTH].sum())
        tally.net += int(nets.sum()) * unit
        tally.net_squares += int(_squares(nets)) * unit * unit
        tally.fall += int(falls.sum()) * unit
        tally.won += int((nets > 0).sum())
        tally.level += int((nets == 0).sum())
        tally.finals.add(nets)
        tally.falls.add(falls)
        for spread, values in zip(tally.fan, snaps, strict=True):
            spread.add(values)
        tally.fan_nets = [a + int(values.sum()) * unit for a, values in zip(tally.fan_nets, snaps, strict=True)]
        worst, best = int(nets.min()) * unit, int(nets.max()) * unit
        tally.worst = worst if tally.worst is None else min(tally.worst, worst)
        tally.best = best if tally.best is None else max(tally.best, best)
        reasons = np.bincount(known[w.REASON], minlength=len(n.REASONS))
        tally.reasons = [a + b for a, b in zip(tally.reasons, reasons.tolist(), strict=True)]
        tally.ruined_after.add(known[w.LENGTH][known[w.REASON] == n.RUINED])


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
    stakes = machine.states[:, machine.numbers[n.P_STAKES] : machine.numbers[n.P_COMMISSION]]
    return int(stakes.max(initial=0))


def _most_counted(machine: Product) -> int:
    """An upper bound on what one throw and the rules after it add to a count: every rule bets the largest stake."""
    largest = max(machine.outlay, _largest_stake(machine), int(machine.needs.max(initial=0)))
    rows = machine.program.felt.rows
    odds = max((entry.odds for row in rows for entry in row.entries), default=Fraction(0))
    over = max((row.over for row in rows), default=1)
    return (largest * ceil(odds + 2) + machine.program.settings.chip * over) * (1 + int(machine.numbers[n.RULES]))


def _recounted(
    engine: Engine, machine: Product, tally: Tally, mask: int, shift: int
) -> tuple[list[int], list[Fraction]]:
    numbers = machine.numbers
    counts, floats = np.zeros(numbers[n.COUNTS_SIZE], np.int64), engine.program.floats()
    state, money = np.zeros(numbers[n.STATE_SIZE], np.int64), np.zeros(n.MONEY, np.int64)
    scratch, throws = np.zeros((n.SCRATCH, numbers[n.SLOTS]), np.int64), np.zeros(1, np.uint16)
    for times, rules in ((tally.visits, True), (tally.lasts, False)):
        part = (times >> shift) & mask
        w.recount(numbers, machine.states, part, rules, throws, state, money, counts, floats, scratch)
    state[:] = engine.program.start
    money[:] = 0
    money[[n.CASH, n.BANK]] = n.PLENTY
    money[n.CEILING] = n.UNBOUNDED
    none, begun = counts[:0], (tally.sessions >> shift) & mask
    advance(numbers, state, money, throws, 0, 0, 0, True, 1, none, none, begun, counts, floats, scratch)
    for number in np.flatnonzero(tally.ends):
        ended = machine.states[number]
        for k in range(numbers[n.SLOTS]):
            place = numbers[n.COUNTS_OF_ROWS] + ended[numbers[n.P_ROWS] + k] * n.ROW_COUNTS + n.LEFT_IN
            times = (tally.ends[number] >> shift) & mask
            counts[place] += ended[numbers[n.P_STAKES] + k] * times
            counts[k * n.SLOT_COUNTS + n.COMMISSION_BACK] += ended[numbers[n.P_COMMISSION] + k] * times
    return counts.tolist(), [Fraction(value) for value in floats[: len(tally.squares)].tolist()]
