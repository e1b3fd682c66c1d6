"""The figures of a simulation, computed from its tally once counting is done. Amounts are in dollars, for reading."""

from __future__ import annotations

from fractions import Fraction
from math import nan, sqrt
from typing import NamedTuple

import msgspec
import numpy as np

from croupier.rules.machine import Pick
from croupier.simulation.kernels.engine import Engine, whole_counts
from croupier.simulation.kernels.layout import REASONS, RUINED, Totals
from croupier.simulation.kernels.program import Program
from croupier.simulation.kernels.tally import Spread, Tally

QUANTILES = (1, 5, 25, 50, 75, 95, 99)
UNKNOWN = nan  # the spread of a single session; null in JSON


class WagerFigures(msgspec.Struct, frozen=True):
    """The figures of one kind of wager over all sessions.

    `net` is its total result, with wagers left on the layout at face value. `edge` is the realised result per dollar
    staked: wagers taken down or left on the layout count at their worth at that time, and the gain from rounding up to
    the chip (`rounding`, also per dollar) is excluded, so that it compares with `exact_edge`. `edge_se` is its standard
    error.
    """

    wager: str
    pick: Pick
    bets: int
    staked: float
    commission: float
    won: int
    lost: int
    returned: int
    net: float
    net_per_session: float
    edge: float | None
    edge_se: float | None
    exact_edge: float | None
    rounding: float | None


class RefusedFigures(msgspec.Struct, frozen=True):
    """How often the table refused a rule's action, and why."""

    code: str
    clause: str | None
    count: int


class RuleFigures(msgspec.Struct, frozen=True):
    """The figures of one rule of the strategy."""

    rule: int
    spot: str
    made: int
    refused: tuple[RefusedFigures, ...]


class FanPoint(msgspec.Struct, frozen=True):
    """The mean and the percentiles of the results after a number of rolls."""

    roll: int
    mean: float
    quantiles: dict[str, float]


class Result(msgspec.Struct, frozen=True, omit_defaults=False):
    """All figures of one strategy. The names of the first group are fixed for other programs.

    `net_se` and `net_sd` are UNKNOWN after one session.
    """

    book: str
    strategy: str
    sessions: int
    rolls: int
    seed: int
    rolls_done: int
    seconds: float
    rolls_per_second: float
    staked: float
    net: float
    net_se: float
    quantiles: dict[str, float]
    ruined: float
    name: str
    bankroll: float | None
    unit: float
    pay_table: str | None
    kernel: str
    states: int
    net_sd: float
    rolls_per_session: float
    edge: float | None
    edge_se: float | None
    exact_edge: float | None
    rounding: float | None
    exact_net: float | None
    exact_net_sd: float | None
    ended: dict[str, float]
    won: float
    even: float
    best: float
    worst: float
    drawdown: dict[str, float]
    drawdown_mean: float
    rolls_to_ruin: dict[str, float] | None
    pace: float
    net_per_hour: float
    hours_per_session: float
    resolution: float
    wagers: tuple[WagerFigures, ...]
    rules: tuple[RuleFigures, ...]
    fan: tuple[FanPoint, ...]
    spread: tuple[tuple[float, int], ...]


def result_of(
    engine: Engine, tally: Tally, *, strategy: str, seed: int, seconds: float, pace: float, pay_table: str | None
) -> Result:
    """Compute the figures of a tally. `strategy` is the name or file requested, `pace` is rolls per hour."""
    program, sessions = engine.program, tally.sessions
    numbers, squares = whole_counts(engine, tally)
    counts = program.totals(numbers)
    totals = [_wager_totals(program, counts, group) for group in range(len(program.felt.groups))]
    wagers = tuple(_wager_figures(program, r, float(squares[i]), sessions) for i, r in enumerate(totals) if r.bets)
    total = _total(totals)
    staked, length = float(total.staked) / 100 / sessions, tally.rolls / sessions
    net, deviation = tally.net / 100 / sessions, _deviation(tally)
    exact: ExactSession | None = exact_session(engine)
    hours = length / pace
    return Result(
        book=program.game.book.id,
        strategy=strategy,
        sessions=sessions,
        rolls=engine.rolls,
        seed=seed,
        rolls_done=tally.rolls,
        seconds=seconds,
        rolls_per_second=tally.rolls / seconds if seconds > 0 else 0.0,
        staked=staked,
        net=net,
        net_se=deviation / sqrt(sessions) if sessions > 1 else UNKNOWN,
        quantiles=quantiles(tally.finals),
        ruined=tally.reasons[RUINED] / sessions,
        name=program.strategy.name,
        bankroll=None if engine.bankroll is None else engine.bankroll / 100,
        unit=program.strategy.unit / 100,
        pay_table=pay_table,
        kernel="general" if engine.machine is None else "machine",
        states=0 if engine.machine is None else len(engine.machine.states),
        net_sd=deviation,
        rolls_per_session=length,
        edge=_share(total.realised, total.staked),
        edge_se=sqrt(float(squares[-1])) / float(total.staked) if total.staked else None,
        exact_edge=_share(total.expected, total.staked),
        rounding=_share(total.rounding, total.staked),
        exact_net=None if exact is None else exact.mean / 100,
        exact_net_sd=None if exact is None else exact.deviation / 100,
        ended={reason: count / sessions for reason, count in zip(REASONS, tally.reasons, strict=True) if count},
        won=tally.won / sessions,
        even=tally.level / sessions,
        best=(tally.best or 0) / 100,
        worst=(tally.worst or 0) / 100,
        drawdown=quantiles(tally.falls),
        drawdown_mean=tally.fall / 100 / sessions,
        rolls_to_ruin=quantiles(tally.ruined_after, 1) if tally.ruined_after.total else None,
        pace=pace,
        net_per_hour=net / hours if hours else 0.0,
        hours_per_session=hours,
        resolution=tally.finals.width / 100,
        wagers=wagers,
        rules=_rule_figures(program, counts),
        fan=tuple(
            FanPoint(int(roll), net / 100 / sessions, quantiles(spread))
            for roll, net, spread in zip(engine.marks, tally.fan_nets, tally.fan, strict=True)
        ),
        spread=tuple((value / 100, count) for value, count in tally.finals),
    )


def quantiles(spread: Spread, over: int = 100) -> dict[str, float]:
    """The usual percentiles."""
    return {str(percent): value / over for percent, value in zip(QUANTILES, spread.quantiles(QUANTILES), strict=True)}


def _deviation(tally: Tally) -> float:
    """The standard deviation of a session's result, in dollars."""
    if tally.sessions < 2:
        return UNKNOWN
    variance = Fraction(tally.net_squares * tally.sessions - tally.net**2, tally.sessions * (tally.sessions - 1))
    return sqrt(max(variance, Fraction(0))) / 100


class _WagerTotals(msgspec.Struct, frozen=True):
    """Sums over one kind of wager: integer cents for money moved, fractions for worth."""

    group: int
    bets: int
    staked: int
    commission: int
    won: int
    lost: int
    returned: int
    net: int
    realised: Fraction
    expected: Fraction
    rounding: Fraction


def _wager_totals(program: Program, totals: Totals, group: int) -> _WagerTotals:
    felt = program.felt
    places = [k for k, spot in enumerate(felt.spots) if (spot.wager, felt.own_pick(spot)) == felt.groups[group]]
    slots = [totals.slots[k] for k in places]
    rows = {i: totals.rows[i] for i, row in enumerate(felt.rows) if felt.place[row.spot] in places}
    first = next(iter(rows))
    row = program.tables.rows[first]
    rate = Fraction(int(row.rate), int(row.rate_over))
    staked = sum(slot.staked for slot in slots)
    kept = sum(slot.charged - slot.refunded for slot in slots)
    net = sum(slot.won - slot.lost for slot in slots) - kept
    undecided = {i: row.taken + row.left for i, row in rows.items()}
    decided = staked - sum(slot.returned for slot in slots) - sum(undecided.values())
    rounded_up = Fraction(sum(slot.rounded_up for slot in slots), felt.rows[first].over)
    rounding = rounded_up + rate * decided - kept
    worth = sum((program.worth[i] * stakes for i, stakes in undecided.items()), Fraction(0))
    return _WagerTotals(
        group=group,
        bets=sum(slot.bets for slot in slots),
        staked=staked,
        commission=kept,
        won=sum(slot.wins for slot in slots),
        lost=sum(slot.losses for slot in slots),
        returned=sum(slot.voids for slot in slots),
        net=net,
        realised=net - rounding + worth,
        expected=sum((program.worth[i] * row.made for i, row in rows.items()), Fraction(0)),
        rounding=rounding,
    )


def _total(totals: list[_WagerTotals]) -> _WagerTotals:
    """The sums over all kinds of wagers."""
    fields = _WagerTotals.__struct_fields__[1:]
    return _WagerTotals(
        -1, **{field: sum((getattr(r, field) for r in totals), 0 * getattr(totals[0], field)) for field in fields}
    )


def _share(part: Fraction, staked: int) -> float | None:
    return float(part / staked) if staked else None


def _wager_figures(program: Program, r: _WagerTotals, squares: float, sessions: int) -> WagerFigures:
    spot = program.felt.groups[r.group]
    return WagerFigures(
        wager=spot.wager,
        pick=spot.pick,
        bets=r.bets,
        staked=r.staked / 100,
        commission=r.commission / 100,
        won=r.won,
        lost=r.lost,
        returned=r.returned,
        net=r.net / 100,
        net_per_session=r.net / 100 / sessions,
        edge=_share(r.realised, r.staked),
        edge_se=sqrt(squares) / r.staked,
        exact_edge=_share(r.expected, r.staked),
        rounding=_share(r.rounding, r.staked),
    )


def _rule_figures(program: Program, totals: Totals) -> tuple[RuleFigures, ...]:
    figures = []
    for rule, made, counts in zip(program.strategy.rules, totals.made, totals.refused, strict=True):
        refused = zip(program.refusals, counts, strict=True)
        told = tuple(RefusedFigures(each.code, each.clause, count) for each, count in refused if count)
        figures.append(RuleFigures(rule.rule, rule.spot.name, made, told))
    return tuple(figures)


# The exact mean and standard deviation of a session that a machine plays, over all its paths

MOST_STEPS = 300_000_000  # entries × rolls: about two seconds


class ExactSession(NamedTuple):
    """Mean and standard deviation of a session's result, in cents."""

    mean: float
    deviation: float


def exact_session(engine: Engine) -> ExactSession | None:
    """Return the exact moments; None if money can end a session, or if it would take too long.

    Keeps the probability, first and second moment of each state, and advances them throw by throw.
    """
    machine = engine.machine
    stop = engine.program.strategy.stop
    bound = engine.bankroll is not None or stop.win is not None or stop.loss is not None
    if machine is None or bound or len(machine.results) * engine.rolls > MOST_STEPS:
        return None
    ways, states = engine.outcomes, len(machine.states)
    targets = machine.targets.astype(np.int64)
    brought = machine.results.astype(np.float64)
    chance, first, second = (np.zeros(states) for _ in range(3))
    chance[machine.start // ways] = 1.0
    for _ in range(engine.rolls):
        here, before, square = (np.repeat(part, ways) / ways for part in (chance, first, second))
        chance[:] = np.bincount(targets, here, states)
        first[:] = np.bincount(targets, before + here * brought, states)
        second[:] = np.bincount(targets, square + 2 * before * brought + here * brought**2, states)
    mean = float(first.sum())
    return ExactSession(mean, sqrt(max(0.0, float(second.sum()) - mean**2)))
