"""Encode a strategy at one table as numbers: everything that the kernels look up, read from the book once."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from croupier.maths.chain import Ending, machine_chain
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.machine import Pick
from croupier.rules.offers import commission_rate
from croupier.simulation.kernels import numbers as n
from croupier.simulation.kernels.book_numbers import BookNumbers
from croupier.simulation.kernels.numbers import Tables, laid_out
from croupier.simulation.kernels.spots import Felt, Register, Row, conditions_of
from croupier.simulation.kernels.strategy_numbers import StrategyNumbers
from croupier.simulation.strategy import Bet, Chips, Compare, Most, Net, Rule, ShareOfChips, Strategy
from croupier.table.commands import Settings

# Table settings that the kernels do not support
NOT_FOLLOWED = ("player_maximum", "without", "player_limits", "unit", "manual_dice", "late_bets")


class Program:
    """A strategy ready to run: its numbers, its slots and refusals, and the initial state of a session."""

    def __init__(self, game: Game, settings: Settings, strategy: Strategy) -> None:
        _check_followed(settings)
        self.game = game
        self.settings = settings
        self.strategy = strategy
        self.felt = Felt(game, strategy)
        self._register = Register(self.felt)
        self._book = BookNumbers(self.felt, settings, self._register)
        self.refusals = self._register.refusals
        self.numbers = self._numbers()
        self.start = self._start()
        self._endings: dict[tuple[str, Pick], dict[str, dict[Ending, Fraction]]] = {}
        self.worth = [self._worth(row) for row in self.felt.rows]

    def floats(self) -> n.Floats:
        """Buffers for sums that are not money, and the worth of a wager in each row."""
        floats = np.zeros(self.numbers[n.FLOATS_SIZE], np.float64)
        floats[self.numbers[n.F_WORTH] :] = [float(worth) for worth in self.worth]
        return floats

    def _worth(self, row: Row) -> Fraction:
        """The expected net per unit staked from this row on, commission included; a returned wager counts as zero.

        It is exact, and ignores the rounding of wins up to the chip.
        """
        rate = commission_rate(self.game, self.game.wager(row.machine.wager), row.machine.pick, row.state)
        key = (row.machine.wager, row.machine.pick)
        if key not in self._endings:
            self._endings[key] = machine_chain(row.machine).endings()
        endings = self._endings[key][row.state].items()
        return sum((chance * (end.net - (rate if end.then != "void" else 0)) for end, chance in endings), Fraction(0))

    # Dependence on money

    @property
    def asks_for_money(self) -> bool:
        """Whether its actions depend on money, even if chips never run out."""
        return self.asks_for_chips or self._compares(Net) or any(map(self._may_lay_all, self.strategy.rules))

    @property
    def asks_for_chips(self) -> bool:
        """Whether it depends on the chips in hand, and so needs a bankroll."""
        return self._compares(Chips) or any(self._depends_on_chips(rule) for rule in self.strategy.rules)

    def _compares(self, kind: type) -> bool:
        return any(isinstance(c, Compare) and isinstance(c.subject, kind) for c in conditions_of(self.strategy))

    def _depends_on_chips(self, rule: Rule) -> bool:
        if not isinstance(rule, Bet):
            return False
        if isinstance(rule.stake, ShareOfChips):
            return True
        return self._may_lay_all(rule) and self.felt.wager(rule.spot).stands_alone

    def _may_lay_all(self, rule: Rule) -> bool:
        """Whether "most" may mean all chips in hand: without a limit, or while its flat wager is missing."""
        if not isinstance(rule, Bet) or not isinstance(rule.stake, Most):
            return False
        wager = self.felt.wager(rule.spot)
        limited = wager.has_one_amount or self._book.limit(rule.spot)[1] is not None
        return not limited and (wager.stands_alone or rule.insist)

    # The arrays

    def _numbers(self) -> n.Ints:
        book, strategy, register = self._book, StrategyNumbers(self.felt, self._register), self._register
        sign = book.sign() | strategy.sign()
        tables = Tables(
            slots=book.slots,
            rows=book.rows,
            entries=book.entries,
            phases=book.phases,
            moments=book.moments,
            rules=strategy.rules,
            conditions=strategy.conditions,
            counters=strategy.counters,
            progressions=strategy.progressions,
            lists=np.array([*register.lists, 0], np.int64),
            truths=register.truth_tables(),
        )
        return laid_out([sign[place] for place in range(n.SIGN_PLACES)], tables, len(register.refusals))

    def _start(self) -> n.Ints:
        """The state of a session before its first rule."""
        numbers = self.numbers
        state = np.zeros(numbers[n.STATE_SIZE], np.int64)
        for p, phase in enumerate(self.felt.phases):
            state[p] = self._register.phase_states[p].index(self.game.book.phases[phase].start)
        for q, progression in enumerate(self.strategy.progressions):
            state[numbers[n.P_PROGRESSIONS] + q] = 0 if progression.steps else progression.start
        state[numbers[n.P_MISC] + n.SHOOTERS] = min(1, numbers[n.CAP_SHOOTERS])
        return state


def _check_followed(settings: Settings) -> None:
    """Refuse a table with settings that the kernels do not support. Raises Impossible."""
    plain = Settings()
    for name in NOT_FOLLOWED:
        if getattr(settings, name) != getattr(plain, name):
            raise Impossible("table_not_simulated", f"A table with {name} cannot be simulated.")
