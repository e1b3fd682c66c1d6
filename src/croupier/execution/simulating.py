"""Simulation from Python: one call, one result per strategy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack, overload

import msgspec

from croupier.execution import cluster, frames, local, python_strategies
from croupier.execution.frames import Kept
from croupier.execution.local import Told
from croupier.execution.plan import PACE, Asked, Order, Pairs
from croupier.money import parse_cents
from croupier.rules.errors import Impossible
from croupier.rules.game import Game, read_pay_table
from croupier.rules.shelf import Shelf
from croupier.simulation.checking import check_strategy
from croupier.simulation.kernels.engine import Engine, Known
from croupier.simulation.kernels.tally import Tally
from croupier.simulation.reading.reader import load_strategy
from croupier.simulation.results import Result, result_of
from croupier.simulation.seated.seat import AnyPlayer, PlayerFactory
from croupier.simulation.strategy import MOST_CENTS, MOST_MONEY, Strategy
from croupier.table.commands import Limit, Settings

if TYPE_CHECKING:
    from polars import DataFrame

AnyStrategy = str | Path | Strategy | AnyPlayer

UNIT = "1.00"  # the unit reported for a strategy written in Python


class Options(TypedDict, total=False):
    """The keyword arguments of `simulate`, which documents each of them."""

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
    told: Told | None


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
            say = "The sessions were not kept one by one: simulate(..., keep=True) does."
            raise Impossible("sessions_not_kept", say)
        return kept.table()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the attributes that are not fields, too."""
        return _restored, (msgspec.structs.astuple(self), self.__dict__)


def order_of(
    book: str,
    strategies: Sequence[str | Path | Strategy],
    *,
    sessions: int,
    rolls: int,
    seed: int,
    bankroll: str | None = None,
    unit: str | None = None,
    chip: str = "1.00",
    minimum: str | None = None,
    maximum: str | None = None,
    exact_units: bool = False,
    pay_table: str | None = None,
    pace: float = PACE,
    shelf: Shelf | None = None,
    books: Sequence[str | Path] = (),
) -> Order:
    """Build an order from user input: names or files of strategies, money as text.

    Raises Impossible, RuleBookError and MoneyError.
    """
    shelf = shelf or Shelf(tuple(Path(path) for path in books))
    game = shelf.game(shelf.terms(book, read_pay_table(pay_table)))
    units = None if unit is None else parse_cents(unit)
    if units is not None and not 1 <= units <= MOST_CENTS:
        raise Impossible("unit_out_of_range", f"A unit is an amount from 0.01 to {MOST_MONEY}.")
    limit = Limit(*(None if text is None else parse_cents(text) for text in (minimum, maximum)))
    settings = Settings(chip=parse_cents(chip), limit=limit, exact_units=exact_units)
    money = None if bankroll is None else parse_cents(bankroll)
    asked = tuple(_asked(each, game, units) for each in strategies)
    own = tuple(str(path) for path in books)
    order = Order(book, asked, sessions, rolls, seed, money, settings, pay_table, own, pace)
    order.check()
    return order


def _asked(strategy: str | Path | Strategy, game: Game, unit: int | None) -> Asked:
    if not isinstance(strategy, Strategy):
        return Asked(str(strategy), load_strategy(str(strategy), game, unit))
    check_strategy(game, strategy)
    return Asked(strategy.name, strategy)


def results(order: Order, engines: list[Engine], tallies: list[Tally], seconds: float) -> list[Result]:
    """The figures of each strategy."""
    return [
        result_of(
            engine, tally, strategy=asked.name, seed=order.seed, seconds=seconds, pace=order.pace,
            pay_table=order.pay_table,
        )
        for asked, engine, tally in zip(order.strategies, engines, tallies, strict=True)
    ]  # fmt: skip


@overload
def simulate(book: str, strategy: AnyStrategy, /, **options: Unpack[Options]) -> Simulation: ...


@overload
def simulate(
    book: str, first: AnyStrategy, second: AnyStrategy, /, *more: AnyStrategy, **options: Unpack[Options]
) -> list[Simulation]: ...


def simulate(
    book: str,
    /,
    *strategies: AnyStrategy,
    sessions: int = 10_000,
    rolls: int = 144,
    seed: int = 1,
    bankroll: str | None = None,
    unit: str | None = None,
    chip: str = "1.00",
    minimum: str | None = None,
    maximum: str | None = None,
    exact_units: bool = False,
    pay_table: str | None = None,
    pace: float = PACE,
    books: Sequence[str | Path] = (),
    jobs: int | None = None,
    dask: str | None = None,
    keep: bool = False,
    told: Told | None = None,
) -> Simulation | list[Simulation]:
    """Play one strategy, or several on the same dice: return one result, or a list of them.

    A strategy is the name of an included one, a file, a Strategy, or a Python function that receives a Seat before
    every throw; functions are played at a real table, on one core of this machine, and slowly.

    Money is text such as "200.00". `bankroll` and `unit` override those of the strategies; `chip`, `minimum`, `maximum`
    and `exact_units` are the table's; `pace` is rolls per hour; `books` are your own rule books. `jobs` is the number
    of cores to use, by default all; `dask` is the address of a cluster to use instead. `keep` stores every session for
    `session_table`. `told` is called with the number of sessions just completed.

    The same seed gives the same numbers on any machine. Raises Impossible, RuleBookError and MoneyError before the
    first throw, and KeyboardInterrupt when interrupted.
    """
    written = [each for each in strategies if isinstance(each, str | Path | Strategy)]
    players = [each for each in strategies if not isinstance(each, str | Path | Strategy)]
    local.check_jobs(jobs)
    order = order_of(
        book, written, sessions=sessions, rolls=rolls, seed=seed, bankroll=bankroll, unit=unit, chip=chip,
        minimum=minimum, maximum=maximum, exact_units=exact_units, pay_table=pay_table, pace=pace, books=books,
    )  # fmt: skip
    _check(strategies, players, dask)
    if keep:
        frames.check_keeping(sessions)
    by_kernel = iter(_compiled(order, jobs, dask, keep, told, isinstance(strategies[0], str | Path | Strategy)))
    cents = parse_cents(UNIT if unit is None else unit)
    made = [
        next(by_kernel) if isinstance(each, str | Path | Strategy) else _by_hand(order, each, cents, keep, told)
        for each in strategies
    ]
    return made[0] if len(made) == 1 else made


def _check(strategies: Sequence[AnyStrategy], players: Sequence[object], dask: str | None) -> None:
    """Refuse anything that is not a strategy, and a cluster without Dask. Raises Impossible."""
    if not strategies:
        raise Impossible("no_strategy", "Nothing can be simulated without a strategy.")
    for player in players:
        if not callable(player) and not isinstance(player, PlayerFactory):
            say = f"A strategy is a name, a file, a Strategy or a Python function, not {player!r}."
            raise Impossible("strategy_wrong", say)
    if dask is not None:
        cluster.need_dask()


def _compiled(
    order: Order, jobs: int | None, dask: str | None, keep: bool, told: Told | None, compares: bool
) -> list[Simulation]:
    """The results of all strategies not written in Python, on the same dice."""
    if not order.strategies:
        return []
    engines = order.engines()
    kept = [Kept() for _ in engines]

    def each(block: list[Known]) -> None:
        for one, known in zip(kept, block, strict=True):
            one.add(known)

    start = perf_counter()
    if dask is None:
        counted, complete = local.run(order, engines, jobs, told, each if keep else None)
    else:
        counted, complete = cluster.run(order, dask, told, each if keep else None)
    if not complete:
        raise KeyboardInterrupt
    made = results(order, engines, counted.tallies, perf_counter() - start)
    pairs = [None, *counted.pairs] if compares else [None] * len(made)
    return [_with_tables(*one) for one in zip(made, kept if keep else [None] * len(made), pairs, strict=True)]


def _by_hand(order: Order, player: AnyPlayer, unit: int, keep: bool, told: Told | None) -> Simulation:
    """The result of a strategy written in Python."""
    kept = Kept() if keep else None
    return _with_tables(
        python_strategies.play(order, player, python_strategies.name_of(player), unit, told, kept), kept, None
    )


def _with_tables(result: Result, kept: Kept | None, pairs: Pairs | None) -> Simulation:
    difference = None if pairs is None else Difference(pairs.mean, pairs.mean_se)
    return _restored(msgspec.structs.astuple(result), {"kept": kept, "difference": difference})


def _restored(figures: tuple[Any, ...], beside: dict[str, object]) -> Simulation:
    """Build a Simulation from its fields, with the attributes that are not part of the output."""
    made = Simulation(*figures)
    made.__dict__.update(beside)
    return made
