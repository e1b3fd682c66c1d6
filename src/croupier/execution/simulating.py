"""Simulation from Python: one call, one result per strategy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack, overload

import msgspec

from croupier.execution import cluster, frames, local, python_strategies
from croupier.execution.frames import Kept
from croupier.execution.simulation_plan import Asked, OnProgress, Options, Pairs, SimulationPlan
from croupier.money import parse_cents
from croupier.rules.errors import Impossible
from croupier.rules.game import Game, read_pay_table
from croupier.rules.shelf import Shelf
from croupier.simulation.kernels.engine import Engine, Known
from croupier.simulation.kernels.tally import Tally
from croupier.simulation.reading.reader import load_strategy
from croupier.simulation.reference.seat import AnyPlayer, PlayerFactory
from croupier.simulation.results import Result, result_of
from croupier.simulation.strategy import MOST_CENTS, MOST_MONEY, Strategy
from croupier.simulation.strategy_checks import check_strategy
from croupier.table.commands import Limit, Settings

if TYPE_CHECKING:
    from polars import DataFrame

AnyStrategy = str | Path | Strategy | AnyPlayer

UNIT = "1.00"  # the unit reported for a strategy written in Python


class Keywords(TypedDict, total=False):
    """The names and types of `Options`, for type checkers."""

    sessions: int
    rolls: int
    seed: int
    bankroll: str | None
    unit: str | None
    chip: str
    minimum: str | None
    maximum: str | None
    exact_units: bool
    pay_table: str | None
    pace: float
    books: Sequence[str | Path]
    jobs: int | None
    dask: str | None
    keep: bool
    told: OnProgress | None


class Difference(NamedTuple):
    """The gain of a strategy over the first one on the same dice, in dollars per session, and its standard error."""

    net: float
    net_se: float


class Simulation(Result, frozen=True, dict=True):
    """All figures of one strategy, and Polars tables of them."""

    @property
    def difference(self) -> Difference | None:
        """The gain over the first of several strategies; None for the first, and for Python functions."""
        found: Difference | None = self.__dict__.get("difference")
        return found

    def fan_table(self) -> DataFrame:
        """The results over time: a row per mark, with the mean and a column per percentile."""
        return frames.fan_table(self)

    def spread_table(self) -> DataFrame:
        """The distribution of final results."""
        return frames.spread_table(self)

    def wager_table(self) -> DataFrame:
        """The figures of each kind of wager."""
        return frames.wager_table(self)

    def session_table(self) -> DataFrame:
        """A row per session: `session`, `net`, `rolls`, `ended`, `drawdown`. Raises Impossible without `keep`."""
        kept: Kept | None = self.__dict__.get("kept")
        if kept is None:
            say = "Individual sessions were not kept: use simulate(..., keep=True)."
            raise Impossible("sessions_not_kept", say)
        return kept.table()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the attributes that are not fields, too."""
        return _restored, (msgspec.structs.astuple(self), self.__dict__)


def plan_of(
    book: str,
    strategies: Sequence[str | Path | Strategy],
    shelf: Shelf | None = None,
    **options: Unpack[Keywords],
) -> SimulationPlan:
    """Build a plan from user input: names or files of strategies, money as text.

    Raises Impossible, RuleBookError and MoneyError.
    """
    return _planned(book, strategies, Options(**options), shelf)


def _planned(
    book: str, strategies: Sequence[str | Path | Strategy], options: Options, shelf: Shelf | None = None
) -> SimulationPlan:
    shelf = shelf or Shelf(tuple(Path(path) for path in options.books))
    game = shelf.game(shelf.terms(book, read_pay_table(options.pay_table)))
    bankroll, unit, minimum, maximum = (
        None if text is None else parse_cents(text)
        for text in (options.bankroll, options.unit, options.minimum, options.maximum)
    )
    if unit is not None and not 1 <= unit <= MOST_CENTS:
        raise Impossible("unit_out_of_range", f"A unit must be an amount from 0.01 to {MOST_MONEY}.")
    settings = Settings(parse_cents(options.chip), Limit(minimum, maximum), exact_units=options.exact_units)
    plan = SimulationPlan(
        book=book,
        strategies=tuple(_asked(each, game, unit) for each in strategies),
        sessions=options.sessions,
        rolls=options.rolls,
        seed=options.seed,
        bankroll=bankroll,
        settings=settings,
        pay_table=options.pay_table,
        books=tuple(str(path) for path in options.books),
        pace=options.pace,
    )
    plan.check()
    return plan


def _asked(strategy: str | Path | Strategy, game: Game, unit: int | None) -> Asked:
    if not isinstance(strategy, Strategy):
        return Asked(str(strategy), load_strategy(str(strategy), game, unit))
    check_strategy(game, strategy)
    return Asked(strategy.name, strategy)


def results(plan: SimulationPlan, engines: list[Engine], tallies: list[Tally], seconds: float) -> list[Result]:
    """The figures of each strategy."""
    return [
        result_of(
            engine, tally, strategy=asked.name, seed=plan.seed, seconds=seconds, pace=plan.pace,
            pay_table=plan.pay_table,
        )
        for asked, engine, tally in zip(plan.strategies, engines, tallies, strict=True)
    ]  # fmt: skip


@overload
def simulate(book: str, strategy: AnyStrategy, /, **options: Unpack[Keywords]) -> Simulation: ...


@overload
def simulate(
    book: str, first: AnyStrategy, second: AnyStrategy, /, *more: AnyStrategy, **options: Unpack[Keywords]
) -> list[Simulation]: ...


def simulate(book: str, /, *strategies: AnyStrategy, **options: Unpack[Keywords]) -> Simulation | list[Simulation]:
    """Play one strategy, or several on the same dice: return one result, or a list of them.

    A strategy is the name of an included one, a file, a Strategy, or a Python function that receives a Seat before
    every throw; functions are played at a real table, on one core of this machine, and slowly.

    The options and their defaults are those of `execution.simulation_plan.Options`. Money is text such as "200.00".
    `bankroll` and `unit` override those of the strategies; without either chips never run out. `chip`, `minimum`,
    `maximum` and `exact_units` are the table's. `jobs` is the number of cores to use, by default all.

    The same seed gives the same numbers on any machine. Raises Impossible, RuleBookError and MoneyError before the
    first throw, and KeyboardInterrupt when interrupted.
    """
    given = Options(**options)
    written = [each for each in strategies if isinstance(each, str | Path | Strategy)]
    players = [each for each in strategies if not isinstance(each, str | Path | Strategy)]
    local.check_jobs(given.jobs)
    plan = _planned(book, written, given)
    _check(strategies, players, given.dask)
    if given.keep:
        frames.check_keeping(given.sessions)
    by_kernel = iter(_compiled(plan, given, isinstance(strategies[0], str | Path | Strategy)))
    cents = parse_cents(UNIT if given.unit is None else given.unit)
    made = [
        next(by_kernel)
        if isinstance(each, str | Path | Strategy)
        else _by_hand(plan, each, cents, given.keep, given.told)
        for each in strategies
    ]
    return made[0] if len(made) == 1 else made


def _check(strategies: Sequence[AnyStrategy], players: Sequence[object], dask: str | None) -> None:
    """Refuse anything that is not a strategy, and a cluster without Dask. Raises Impossible."""
    if not strategies:
        raise Impossible("no_strategy", "Nothing can be simulated without a strategy.")
    for player in players:
        if not callable(player) and not isinstance(player, PlayerFactory):
            say = f"A strategy must be a name, a file, a Strategy or a Python function, not {player!r}."
            raise Impossible("strategy_wrong", say)
    if dask is not None:
        cluster.need_dask()


def _compiled(plan: SimulationPlan, options: Options, compares: bool) -> list[Simulation]:
    """The results of all strategies not written in Python, on the same dice."""
    if not plan.strategies:
        return []
    engines, keep = plan.engines(), options.keep
    kept = [Kept() for _ in engines] if keep else []

    def each(block: list[Known]) -> None:
        for one, known in zip(kept, block, strict=True):
            one.add(known)

    start = perf_counter()
    told, on_block = options.told, each if keep else None
    if options.dask is None:
        counted, complete = local.run(plan, engines, options.jobs, told, on_block)
    else:
        counted, complete = cluster.run(plan, options.dask, told, on_block)
    if not complete:
        raise KeyboardInterrupt
    made = results(plan, engines, counted.tallies, perf_counter() - start)
    pairs = [None, *counted.pairs] if compares else [None] * len(made)
    tables: list[Kept | None] = [*kept] if keep else [None] * len(made)
    return [_with_tables(*one) for one in zip(made, tables, pairs, strict=True)]


def _by_hand(plan: SimulationPlan, player: AnyPlayer, unit: int, keep: bool, told: OnProgress | None) -> Simulation:
    """The result of a strategy written in Python."""
    kept = Kept() if keep else None
    return _with_tables(
        python_strategies.play(plan, player, python_strategies.name_of(player), unit, told, kept), kept, None
    )


def _with_tables(result: Result, kept: Kept | None, pairs: Pairs | None) -> Simulation:
    difference = None if pairs is None else Difference(pairs.mean, pairs.mean_se)
    return _restored(msgspec.structs.astuple(result), {"kept": kept, "difference": difference})


def _restored(figures: tuple[Any, ...], beside: dict[str, object]) -> Simulation:
    """Build a Simulation from its fields, with the attributes that are not part of the output."""
    made = Simulation(*figures)
    made.__dict__.update(beside)
    return made
