"""The description of a simulation, as a value that can be sent elsewhere, and the workers that run it in blocks."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from typing import Annotated, get_type_hints

import msgspec
import numpy as np
from msgspec import Meta

from croupier.rules.errors import Impossible
from croupier.rules.game import Game, read_pay_table
from croupier.rules.shelf import Shelf
from croupier.simulation.kernels.dice import MOST_SEED
from croupier.simulation.kernels.engine import MOST_SESSIONS, Engine, Known, Worker
from croupier.simulation.kernels.layout import Ints
from croupier.simulation.kernels.program import Program
from croupier.simulation.kernels.tally import Tally
from croupier.simulation.kernels.walking import LANES
from croupier.simulation.reading.reader import needs_bankroll
from croupier.simulation.results import UNKNOWN
from croupier.simulation.strategy import MOST_CENTS, MOST_MONEY, Bet, Most, Strategy
from croupier.table.commands import Settings
from croupier.table.opening import check_settings
from croupier.table.placing import limit_for

MOST_PACE = 1_000_000
WORD = 2**63


OnProgress = Callable[[int], None]  # called with the number of sessions just completed


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a simulation: keyword arguments of `simulate`, most of them also of the command line."""

    sessions: Annotated[int, Meta(description="number of sessions to play")] = 10_000
    rolls: Annotated[int, Meta(description="maximum number of rolls or spins in a session")] = 144
    seed: Annotated[int, Meta(description="seed of the dice: the same seed gives the same throws")] = 1
    bankroll: Annotated[str | None, Meta(description="chips to begin with")] = None
    unit: Annotated[str | None, Meta(description="value of one unit of the strategy")] = None
    chip: Annotated[str, Meta(description="smallest chip; wins are rounded up to it")] = "1.00"
    minimum: Annotated[str | None, Meta(description="smallest stake that the table accepts")] = None
    maximum: Annotated[str | None, Meta(description="largest stake that the table accepts")] = None
    exact_units: Annotated[bool, Meta(description="accept only stakes whose wins need no rounding")] = False
    pay_table: Annotated[str | None, Meta(description="an approved pay table")] = None
    pace: Annotated[float, Meta(description="rolls or spins per hour")] = 100.0
    books: Annotated[Sequence[str | Path], Meta(description="your own rule books")] = ()
    jobs: Annotated[int | None, Meta(description="number of cores to use on this machine")] = None
    dask: Annotated[str | None, Meta(description="address of a Dask cluster to use instead")] = None
    keep: Annotated[bool, Meta(description="store every session for `session_table`")] = False
    told: Annotated[OnProgress | None, Meta(description="called with the number of sessions just completed")] = None


DEFAULTS = Options()


def described(option: str) -> str:
    """The description of an option."""
    (meta,) = get_type_hints(Options, include_extras=True)[option].__metadata__
    return str(meta.description)


class Asked(msgspec.Struct, frozen=True):
    """A strategy, and the name or file under which it was requested."""

    name: str
    strategy: Strategy


class SimulationPlan(msgspec.Struct, frozen=True):
    """One simulation: the table, the strategies, the number and length of sessions, and the seed.

    `books` are the caller's book files. Without a bankroll chips never run out, unless the strategy sets one. `general`
    disables product machines, for comparing the kernels.
    """

    book: str
    strategies: tuple[Asked, ...]
    sessions: int
    rolls: int
    seed: int
    bankroll: int | None = None
    settings: Settings = Settings()
    pay_table: str | None = None
    books: tuple[str, ...] = ()
    pace: float = DEFAULTS.pace
    general: bool = False

    def check(self) -> None:
        """Refuse invalid numbers, and strategies that lack a bankroll. Raises Impossible."""
        for what, number in (("sessions", self.sessions), ("rolls", self.rolls), ("seed", self.seed)):
            check_whole(what, number)
        if not 1 <= self.sessions <= MOST_SESSIONS:
            say = f"From 1 to {MOST_SESSIONS:,} sessions can be simulated, not {self.sessions:,}."
            raise Impossible("sessions_out_of_range", say)
        if not 0 <= self.seed < MOST_SEED:
            raise Impossible("seed_out_of_range", f"A seed must be a whole number from 0 to {MOST_SEED - 1:,}.")
        if not 0 < self.pace <= MOST_PACE:
            say = f"A pace must be a number of rolls an hour, above 0 and at most {MOST_PACE:,}."
            raise Impossible("pace_out_of_range", say)
        sign = {"chip": self.settings.chip, "minimum": self.settings.limit.minimum}
        for what, cents in {**sign, "maximum": self.settings.limit.maximum}.items():
            if cents is not None and cents > MOST_CENTS:
                raise Impossible("amount_too_large", f"A {what} can be at most {MOST_MONEY}.")
        for asked in self.strategies:
            reason = needs_bankroll(asked.strategy)
            if reason is not None and self.bankroll_of(asked) is None:
                raise _no_bankroll(asked, reason)

    def bankroll_of(self, asked: Asked) -> int | None:
        """The bankroll for a strategy: the plan's, or else the strategy's own."""
        return asked.strategy.bankroll if self.bankroll is None else self.bankroll

    def engines(self, shelf: Shelf | None = None) -> list[Engine]:
        """Build and compile one engine per strategy. Raises Impossible and RuleBookError."""
        self.check()
        shelf = shelf or Shelf(tuple(Path(path) for path in self.books))
        game = shelf.game(shelf.terms(self.book, read_pay_table(self.pay_table)))
        engines = []
        for asked in self.strategies:
            bankroll = self.bankroll_of(asked)
            _check_table(game, self.settings, bankroll)
            program = Program(game, self.settings, asked.strategy)
            if bankroll is None:
                self._check_limits(asked, program)
            engines.append(Engine(program, self.rolls, bankroll, self.general))
        _compile(engines)
        return engines

    def _check_limits(self, asked: Asked, program: Program) -> None:
        """Refuse to stake the most without a bankroll if the table has no limit. Raises Impossible."""
        for rule in asked.strategy.rules:
            if isinstance(rule, Bet) and isinstance(rule.stake, Most):
                wager, pick = program.felt.wager(rule.spot), program.felt.own_pick(rule.spot)
                limited = wager.has_one_amount or not wager.stands_alone
                if not limited and limit_for(self.settings, wager.id, None, pick).maximum is None:
                    raise _no_bankroll(asked, f"rule {rule.rule} stakes the most, and the table has no maximum")


def check_whole(what: str, number: object) -> None:
    """Refuse anything but a whole number. Raises Impossible."""
    try:
        operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        raise Impossible("not_a_whole_number", f"{what} must be a whole number, not {number!r}.") from None


def _check_table(game: Game, settings: Settings, bankroll: int | None) -> None:
    """Refuse a table that could not be opened, and a player who could not sit at it. Raises Impossible."""
    refusal = check_settings(game, settings)
    if refusal is not None:
        raise Impossible(refusal.code, refusal.message, refusal.clause)
    if bankroll is not None and bankroll < 0:
        raise Impossible("amount_negative", "A bankroll cannot be negative.")


def _no_bankroll(asked: Asked, reason: str) -> Impossible:
    return Impossible("no_bankroll", f"{asked.name} can only be played with a bankroll: {reason}.")


def _compile(engines: list[Engine]) -> None:
    """Play a few sessions, so that all kernels are compiled before timing or threads start."""
    for engine in engines:
        Worker(engine).block(0, 0, LANES + 1 if engine.has_equal_lengths else 1)


def _sum_of_squares(values: Ints) -> int:
    """The exact sum of squares; vectorised if it fits 64 bits."""
    if int(np.abs(values).max(initial=0)) ** 2 * len(values) < WORD:
        return int(np.dot(values, values))
    return sum(value * value for value in values.tolist())


class Pairs:
    """The difference between a strategy and the first one, session by session on the same dice."""

    def __init__(self) -> None:
        self.sessions = 0
        self.sum = 0
        self.squares = 0

    def add(self, differences: Ints) -> None:
        """Add more sessions, in cents."""
        self.sessions += len(differences)
        self.sum += int(differences.sum())
        self.squares += _sum_of_squares(differences)

    def merge(self, other: Pairs) -> None:
        """Add another set of pairs."""
        self.sessions, self.sum = self.sessions + other.sessions, self.sum + other.sum
        self.squares += other.squares

    @property
    def mean(self) -> float:
        """The mean difference, in dollars per session."""
        return self.sum / 100 / self.sessions

    @property
    def mean_se(self) -> float:
        """The standard error of the mean, in dollars."""
        if self.sessions < 2:
            return UNKNOWN
        variance = (self.squares - self.sum * self.sum / self.sessions) / (self.sessions - 1)
        return sqrt(max(0.0, variance) / self.sessions) / 100


class Counted(msgspec.Struct):
    """The counts so far: a tally per strategy, and how each differs from the first."""

    tallies: list[Tally]
    pairs: list[Pairs]

    @property
    def sessions(self) -> int:
        """The number of sessions each strategy has played."""
        return self.tallies[0].sessions

    def merge(self, other: Counted) -> None:
        """Add other counts."""
        for own, more in zip(self.tallies, other.tallies, strict=True):
            own.merge(more)
        for mine, theirs in zip(self.pairs, other.pairs, strict=True):
            mine.merge(theirs)


class Crew:
    """Workers that play the same sessions with every strategy: one crew per core."""

    def __init__(self, engines: list[Engine]) -> None:
        self.workers = [Worker(engine) for engine in engines]
        self.pairs = [Pairs() for _ in engines[1:]]

    def block(self, seed: int, first: int, sessions: int) -> list[Known]:
        """Play these sessions with every strategy and count them."""
        known = [worker.block(seed, first, sessions) for worker in self.workers]
        for pairs, other in zip(self.pairs, known[1:], strict=True):
            pairs.add(other.nets - known[0].nets)
        return known

    @property
    def counted(self) -> Counted:
        """The counts of this crew."""
        return Counted([worker.tally for worker in self.workers], self.pairs)


def copied(block: list[Known]) -> list[Known]:
    """Copy the results of a block: workers reuse their arrays for the next one."""
    return [Known(known.first, *(part.copy() for part in known[1:])) for known in block]


def block_size(engines: list[Engine]) -> int:
    """The number of sessions per block; the same for all strategies, since only the session length matters."""
    return engines[0].block_size
