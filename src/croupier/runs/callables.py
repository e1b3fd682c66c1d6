"""Strategies written in Python: played at a real table, on one core, thousands of rolls a second instead of millions.

What happens there is counted as a kernel counts it, so that the same figures can be made of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from pathlib import Path
from time import perf_counter

import msgspec

from croupier.rules.game import read_pay_table
from croupier.rules.shelf import Shelf
from croupier.runs.local import Told
from croupier.runs.notes import Kind, Notes, Row
from croupier.runs.order import Order
from croupier.runs.tables import ENDED, Kept
from croupier.sim.kernels.dice import throws
from croupier.sim.kernels.engine import Engine
from croupier.sim.kernels.program import Program
from croupier.sim.results import Result, result_of
from croupier.sim.seated.hand import PLAYER, Hand
from croupier.sim.seated.player import Session
from croupier.sim.seated.seat import AnyPlayer
from croupier.sim.strategy import Bet, Fixed, Spot, Strategy
from croupier.table import events
from croupier.table.state import Area, Stakes

KERNEL = "table"  # what a result calls it

Layout = dict[Area, Stakes]


def name_of(player: AnyPlayer) -> str:
    """What a strategy written in Python is called."""
    return str(getattr(player, "__name__", None) or type(player).__name__)


def play(
    order: Order, player: AnyPlayer | Strategy, name: str, unit: int, told: Told | None = None, kept: Kept | None = None
) -> Result:
    """Play all sessions of an order at its table, and make figures of them.

    All that the player did stands under rule 0. Raises Impossible, and whatever the player raises.
    """
    table = _Table(order, unit, keeps=kept is not None)
    start = perf_counter()
    for number in range(order.sessions):
        table.play(number, player)
        if told is not None:
            told(1)
    seconds = perf_counter() - start
    if kept is not None:
        kept.add(table.notes.known)
    return table.result(name, seconds)


class _Table:
    """Where sessions are played one after the other, and what is known of the wagers there."""

    def __init__(self, order: Order, unit: int, keeps: bool) -> None:
        """Raises Impossible for sizes that no simulation can have."""
        order.check()
        self.order = order
        self.unit = unit
        self.shelf = Shelf(tuple(Path(path) for path in order.books))
        self.terms = self.shelf.terms(order.book, read_pay_table(order.pay_table))
        self.game = self.shelf.game(self.terms)
        Hand(self.shelf, self.terms, order.settings, order.bankroll)  # it knows what is wrong with a sign or a purse
        self.outcomes = len(self.game.book.outcomes)
        self.marks: list[int] = self._engine([]).marks.tolist()
        self.notes = Notes(len(self.marks), keeps)
        self.worth = cache(self._worth)
        throws(order.seed, 0, 1, self.outcomes)  # compiled before anybody looks at the clock

    def _engine(self, kinds: Iterable[Kind]) -> Engine:
        """One with places for wagers of these kinds; what is done there it is not asked."""
        first = self.game.book.rules.wagers[0]  # nothing can be counted at a table without a place for it
        spots = [Spot(*kind) for kind in kinds] or [Spot(first.id, self.game.book.picks(first)[0])]
        rules = tuple(Bet(0, spot, Fixed(self.order.settings.chip)) for spot in spots)
        program = Program(self.game, self.order.settings, Strategy("", "", self.unit, rules))
        return Engine(program, self.order.rolls, self.order.bankroll, general=True)

    def _worth(self, row: Row) -> float:
        """What a cent is worth that is staked on a wager in this state."""
        program = self._engine([row[:2]]).program
        return float(program.worth[program.felt.row[row]])

    def odds(self, row: Row, outcome: int) -> Fraction:
        """What a win pays on a wager in this state."""
        return self.game.machine(row[0], row[1]).table[row[2]][outcome].odds

    def play(self, number: int, player: AnyPlayer | Strategy) -> None:
        """Play a session to its end."""
        order = self.order
        session = Session(self.shelf, self.terms, order.settings, player, order.bankroll)
        before: Layout = {}
        nets: list[int] = []
        for turn in session.play(map(int, throws(order.seed, number, order.rolls, self.outcomes))):
            nets.append(turn.net)
            self._count(turn.events, turn.outcome, before)
            before = session.hand.state.layout
        for area, stakes in before.items():
            self.notes.leave(_row(area), stakes[PLAYER].amount, stakes[PLAYER].commission)
        self.notes.add(session, nets, [nets[min(mark, len(nets) - 1)] for mark in self.marks])

    def _count(self, happened: Iterable[events.AnyEvent], outcome: int | None, before: Layout) -> None:
        """Count what was bet, taken down and decided; `before` is how the layout was when the throw fell."""
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
        """Count a decision; how far it was from what the wager was worth."""
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
        """The figures, in the form in which a kernel's are given."""
        order, notes = self.order, self.notes
        engine = self._engine(notes.kinds)
        tally = engine.tally()
        notes.fill(tally, engine)
        result = result_of(
            engine, tally, strategy=name, seed=order.seed, seconds=seconds, pace=order.pace, pay_table=order.pay_table
        )
        ended = {why: notes.ended[why] / tally.sessions for why in ENDED if notes.ended[why]}
        return msgspec.structs.replace(result, name=name, kernel=KERNEL, ended=ended, rules=notes.rules)


def _row(area: Area) -> Row:
    return area.wager, area.pick, area.state
