"""Run strategies written in Python: at a real table, on one core, at thousands of rolls a second, not millions.

Play is counted as a kernel counts it, so that the same figures can be computed.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from pathlib import Path
from time import perf_counter

import msgspec
import numpy as np

from croupier.execution.frames import ENDED, Kept
from croupier.execution.simulation_plan import OnProgress, SimulationPlan
from croupier.rules.game import read_pay_table
from croupier.rules.machine import Pick
from croupier.rules.shelf import Shelf
from croupier.simulation.kernels.dice import throws
from croupier.simulation.kernels.engine import Engine, Known
from croupier.simulation.kernels.layout import GOING, REASONS, RUINED, as_numbers
from croupier.simulation.kernels.program import Program
from croupier.simulation.kernels.tally import Spread, Tally
from croupier.simulation.reference.player import Session
from croupier.simulation.reference.seat import PLAYER, AnyPlayer, Hand
from croupier.simulation.results import RefusedFigures, Result, RuleFigures, result_of
from croupier.simulation.strategy import Bet, Fixed, Spot, Strategy
from croupier.table import events
from croupier.table.state import Area, Stakes

KERNEL = "table"  # the kernel's name in a result

Layout = dict[Area, Stakes]


def name_of(player: AnyPlayer) -> str:
    """The name of a strategy written in Python."""
    return str(getattr(player, "__name__", None) or type(player).__name__)


def play(
    plan: SimulationPlan,
    player: AnyPlayer | Strategy,
    name: str,
    unit: int,
    told: OnProgress | None = None,
    kept: Kept | None = None,
) -> Result:
    """Play all sessions of a plan at its table, and compute the figures.

    Everything the player does is counted under rule 0. Raises Impossible, and anything the player raises.
    """
    table = _Table(plan, unit, keeps=kept is not None)
    start = perf_counter()
    for number in range(plan.sessions):
        table.play(number, player)
        if told is not None:
            told(1)
    seconds = perf_counter() - start
    if kept is not None:
        kept.add(table.notes.known)
    return table.result(name, seconds)


class _Table:
    """Plays sessions one after another, and values the wagers."""

    def __init__(self, plan: SimulationPlan, unit: int, keeps: bool) -> None:
        """Raises Impossible for sizes that no simulation can have."""
        plan.check()
        self.plan = plan
        self.unit = unit
        self.shelf = Shelf(tuple(Path(path) for path in plan.books))
        self.terms = self.shelf.terms(plan.book, read_pay_table(plan.pay_table))
        self.game = self.shelf.game(self.terms)
        Hand(self.shelf, self.terms, plan.settings, plan.bankroll)  # validates the limits and the bankroll
        self.outcomes = len(self.game.book.outcomes)
        self.marks: list[int] = self._engine([]).marks.tolist()
        self.notes = Notes(len(self.marks), keeps)
        self.worth = cache(self._worth)
        throws(plan.seed, 0, 1, self.outcomes)  # compile before timing starts

    def _engine(self, kinds: Iterable[Kind]) -> Engine:
        """An engine with slots for wagers of these kinds; it is never run."""
        first = self.game.book.rules.wagers[0]  # counting needs at least one slot
        spots = [Spot(*kind) for kind in kinds] or [Spot(first.id, self.game.book.picks(first)[0])]
        rules = tuple(Bet(0, spot, Fixed(self.plan.settings.chip)) for spot in spots)
        program = Program(self.game, self.plan.settings, Strategy("", "", self.unit, rules))
        return Engine(program, self.plan.rolls, self.plan.bankroll, general=True)

    def _worth(self, row: Row) -> float:
        """The expected value of a cent staked on a wager in this state."""
        program = self._engine([row[:2]]).program
        return float(program.worth[program.felt.row[row]])

    def odds(self, row: Row, outcome: int) -> Fraction:
        """The odds of a win for a wager in this state."""
        return self.game.machine(row[0], row[1]).table[row[2]][outcome].odds

    def play(self, number: int, player: AnyPlayer | Strategy) -> None:
        """Play a session to its end."""
        plan = self.plan
        session = Session(self.shelf, self.terms, plan.settings, player, plan.bankroll)
        before: Layout = {}
        nets: list[int] = []
        for turn in session.play(map(int, throws(plan.seed, number, plan.rolls, self.outcomes))):
            nets.append(turn.net)
            self._count(turn.events, turn.outcome, before)
            before = session.hand.state.layout
        for area, stakes in before.items():
            self.notes.leave(_row(area), stakes[PLAYER].amount, stakes[PLAYER].commission)
        self.notes.add(session, nets, [nets[min(mark, len(nets) - 1)] for mark in self.marks])

    def _count(self, happened: Iterable[events.AnyEvent], outcome: int | None, before: Layout) -> None:
        """Count the wagers made, taken down and decided; `before` is the layout before the throw."""
        gains: dict[Kind, float] = {}
        for event in happened:
            match event:
                case events.WagerPlaced():
                    self.notes.place(_row(event.area), event.amount, event.commission)
                case events.WagerReduced():
                    self.notes.take(_row(event.area), event.amount, event.commission)
                case events.AreaSettled():
                    self._gain(gains, event, self._settle(event, outcome, before))
                case events.AreaMoved():
                    here, there = _row(event.area), _row(event.area._replace(state=event.to))
                    stake = before[event.area][PLAYER].amount
                    self._gain(gains, event, stake * (self.worth(there) - self.worth(here)))
        if gains:
            self.notes.gain(gains)

    def _gain(self, gains: dict[Kind, float], event: events.AreaEvent, gained: float) -> None:
        kind = (event.wager, event.pick)
        gains[kind] = gains.get(kind, 0.0) + gained

    def _settle(self, event: events.AreaSettled, outcome: int | None, before: Layout) -> float:
        """Count a decision; return its deviation from the wager's worth."""
        row, standing = _row(event.area), before[event.area][PLAYER]
        ((_, stake, won, _),) = event.stakes
        match event.result:
            case "win":
                assert outcome is not None, "nothing is won before the first throw"
                result = won - standing.commission
                self.notes.win(row, won, won - stake * self.odds(row, outcome))
            case "lose":
                result = -stake - standing.commission
                self.notes.lose(row, stake)
            case "void":
                result = 0
                self.notes.void(row, stake, standing.commission)
        return result - stake * self.worth(row)

    def result(self, name: str, seconds: float) -> Result:
        """The figures, in the same form as a kernel's."""
        plan, notes = self.plan, self.notes
        engine = self._engine(notes.kinds)
        tally = engine.tally()
        notes.fill(tally, engine)
        result = result_of(
            engine, tally, strategy=name, seed=plan.seed, seconds=seconds, pace=plan.pace, pay_table=plan.pay_table
        )
        ended = {why: notes.ended[why] / tally.sessions for why in ENDED if notes.ended[why]}
        return msgspec.structs.replace(result, name=name, kernel=KERNEL, ended=ended, rules=notes.rules)


def _row(area: Area) -> Row:
    return area.wager, area.pick, area.state


# Notes on sessions at a real table, kept until all kinds of wagers are known and a tally can be filled

Kind = tuple[str, Pick]  # a wager and its pick
Row = tuple[str, Pick, str]  # and the state of its machine


class Notes:
    """Counts of wagers under a kernel's columns, and of sessions by their results.

    Memory grows with the number of distinct results. Individual sessions are stored only if `keeps` is set.
    """

    def __init__(self, marks: int, keeps: bool) -> None:
        self.ended: Counter[str] = Counter()
        self._sums: Counter[str] = Counter()
        self._finals: Counter[int] = Counter()
        self._falls: Counter[int] = Counter()
        self._fan: list[Counter[int]] = [Counter() for _ in range(marks)]
        self._ruined_after: Counter[int] = Counter()
        self._known = [array("q") for _ in Known._fields[1:]] if keeps else []
        self._slots: dict[tuple[Row, str], int | Fraction] = {}
        self._rows: Counter[tuple[Row, str]] = Counter()
        self._squares: dict[Kind | None, float] = {}
        self._made: Counter[int] = Counter()
        self._refused: Counter[tuple[int, str, str | None]] = Counter()

    # Wagers

    def place(self, row: Row, amount: int, commission: int) -> None:
        """Count a bet."""
        self._rows[row, "made"] += amount
        self._add(row, bets=1, staked=amount, charged=commission)

    def take(self, row: Row, amount: int, commission: int) -> None:
        """Count chips taken down."""
        self._rows[row, "taken"] += amount
        self._add(row, refunded=commission)

    def leave(self, row: Row, amount: int, commission: int) -> None:
        """Count a wager left on the layout at the end of a session."""
        self._rows[row, "left"] += amount
        self._add(row, refunded=commission)

    def win(self, row: Row, won: int, rounded_up: Fraction) -> None:
        """Count a win, and the part of it due to rounding up to the chip."""
        self._add(row, wins=1, won=won, rounded_up=rounded_up)

    def lose(self, row: Row, stake: int) -> None:
        """Count a loss."""
        self._add(row, losses=1, lost=stake)

    def void(self, row: Row, stake: int, commission: int) -> None:
        """Count a wager returned by the rules."""
        self._add(row, voids=1, returned=stake, refunded=commission)

    def _add(self, row: Row, **columns: int | Fraction) -> None:
        for column, value in columns.items():
            self._slots[row, column] = self._slots.get((row, column), 0) + value

    def gain(self, gains: Mapping[Kind, float]) -> None:
        """Add a throw's squared deviation from expected worth, by kind and in total."""
        for kind, gained in (*gains.items(), (None, sum(gains.values()))):
            self._squares[kind] = self._squares.get(kind, 0.0) + gained * gained

    # Sessions

    def add(self, session: Session, nets: Sequence[int], at_marks: Sequence[int]) -> None:
        """Add a finished session: its results before the first throw, after each throw, and at the marks."""
        net, ended = nets[-1], session.ended or ENDED[GOING]
        fall = max(peak - now for peak, now in zip(accumulate(nets, max), nets, strict=True))
        self._sums.update(sessions=1, rolls=session.rolls, net=net, net_squares=net * net, fall=fall)
        self._finals[net] += 1
        self._falls[fall] += 1
        for counter, value in zip(self._fan, at_marks, strict=True):
            counter[value] += 1
        self.ended[ended] += 1
        if ended == ENDED[RUINED]:
            self._ruined_after[session.rolls] += 1
        self._made.update(session.made)
        self._refused.update(session.refused)
        if self._known:
            for column, value in zip(self._known, (net, fall, session.rolls, ENDED.index(ended)), strict=True):
                column.append(value)

    @property
    def known(self) -> Known:
        """The results of each session, if kept."""
        return Known(0, *(np.array(column, np.int64) for column in self._known))

    # Output

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of wagers made, in order of first appearance."""
        return list(dict.fromkeys((wager, pick) for (wager, pick, _), _ in self._slots))

    @property
    def rules(self) -> tuple[RuleFigures, ...]:
        """Actions and refusals by rule number; a player in Python has one, number 0."""
        numbers = sorted({0, *self._made, *(rule for rule, _, _ in self._refused)})
        return tuple(RuleFigures(number, "", self._made[number], self._refused_to(number)) for number in numbers)

    def _refused_to(self, number: int) -> tuple[RefusedFigures, ...]:
        told = sorted(((code, clause or "") for rule, code, clause in self._refused if rule == number))
        return tuple(RefusedFigures(c, k or None, self._refused[number, c, k or None]) for c, k in told)

    def fill(self, tally: Tally, engine: Engine) -> None:
        """Fill an empty tally of an engine that has a slot for every kind of wager."""
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
        tally.reasons = [self.ended[reason] for reason in REASONS]
        groups = [*engine.program.felt.groups, None]
        tally.squares = [Fraction(self._squares.get(group, 0.0)) for group in groups]
        tally.counts = self._counts(tally.counts, engine.program)

    def _counts(self, empty: list[int], program: Program) -> list[int]:
        felt, totals = program.felt, program.totals(empty)
        for (row, name), count in self._slots.items():
            place = felt.rows[felt.row[row]]
            slot = totals.slots[felt.place[place.spot]]
            value = count * place.over if name == "rounded_up" else count
            setattr(slot, name, getattr(slot, name) + int(value))
        for (row, name), amount in self._rows.items():
            setattr(totals.rows[felt.row[row]], name, amount)
        return as_numbers(totals)


def _fill(spread: Spread, values: Counter[int], unit: int) -> None:
    numbers, times = np.array(list(values), np.int64), list(values.values())
    spread.add(np.repeat(numbers // unit, times))
