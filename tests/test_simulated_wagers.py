"""Every wager, pick and approved pay table of every book, simulated over millions of rolls and compared with its exact
figures.

The stake is one that needs no rounding. Mean and variance of a decided wager must lie within four standard errors of
the exact ones; the standard errors are known exactly as well, that of the variance from the fourth moment. With a fixed
seed nothing is left to chance. Five million line wagers are decided, so that an edge off by 0.0018 fails; sixteen
million of a wager that one throw decides, and one at even money fails if its edge is off by 0.001.

Then what results report about wagers: the realised edge, where wagers taken down or still open count at their worth,
against the exact one; and how often players are ruined, against the solver that counts every sequence of throws.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import sqrt
from typing import NamedTuple

import numpy as np
import pytest

from croupier.maths.figures import Figures
from croupier.maths.plan import Lot, Plan
from croupier.maths.rows import Analysis, WagerCase
from croupier.maths.session import ruin_or_target, session
from croupier.rules import schema
from croupier.rules.game import Game
from croupier.rules.offers import one_amount, start_phase, start_state, unit_chips
from croupier.simulation.kernels import layout as n
from croupier.simulation.kernels.engine import Engine, Worker, whole_counts
from croupier.simulation.kernels.program import Program
from croupier.simulation.reading.reader import included, load_strategy
from croupier.simulation.results import Result, result_of
from croupier.simulation.strategy import Bet, Compare, Count, Fixed, Guard, PhaseIs, Spot, Stop, Strategy
from croupier.table.commands import Settings
from tests.same_dice import realised_over_all_throws
from tests.tables import BOOKS, SHELF

CHIP = 100
SEED = 5
STANDARD_ERRORS = 4
APART = 5  # stakes behind a flat wager are multiples of so many units, and the flat stake is not: so results tell both


@cache
def analysis(book: str) -> Analysis:
    return Analysis(SHELF, book)


def cases() -> list[WagerCase]:
    """Every way to make a wager, as `croupier analyse` lists them under the adopted readings."""
    return [case for book in BOOKS for wager in SHELF.book(book).wagers for case in analysis(book).cases(wager, ())]


def name(case: WagerCase) -> str:
    return " ".join(str(part) for part in (case.terms.book, case.wager, case.shown_pick, case.pay_table) if part)


class Sample(NamedTuple):
    """Decided wagers: how many, the sum of their results in units staked, and of the squares.

    `spread` is the sum of squares that the kernel keeps for the standard error of the edge, over all wagers made.
    """

    decided: int
    total: Fraction
    squares: Fraction
    spread: Fraction


class Setting(NamedTuple):
    """A strategy that makes one wager over and over, and the length of its sessions."""

    strategy: Strategy
    spot: Spot
    stake: int
    flat: int
    sessions: int
    rolls: int


LONG = (16, 1_000_000)
# Where a wager depends on how its flat wager came about, each session makes it once, from the opening of the table on.
ONCE = (200_000, 250)


def setting_for(game: Game, case: WagerCase) -> Setting:
    wager = game.wager(case.wager)
    stake = stake_of(game, case)
    once = wager.behind is not None and wager.sleeps is not None
    alone = (_nothing_on(game, wager.id),) if wager.travels else ()
    guard = Guard((*_when_it_begins(game, wager, case), *alone))
    spot = Spot(case.wager, case.pick)
    bet = Bet(2, spot, Fixed(stake), guard, at_most=1 if once else None)
    if wager.behind is None:
        return Setting(Strategy("", "", CHIP, (bet,)), spot, stake, 0, *LONG)
    flat = (stake // CHIP + 1) * CHIP
    alone = (_nothing_on(game, wager.behind.flat),)
    before = Bet(1, Spot(wager.behind.flat), Fixed(flat), Guard(alone), at_most=1 if once else None)
    return Setting(Strategy("", "", CHIP, (before, bet)), spot, stake, flat, *(ONCE if once else LONG))


def stake_of(game: Game, case: WagerCase) -> int:
    """A stake that needs no rounding."""
    wager = game.wager(case.wager)
    fixed = one_amount(wager, Settings(chip=CHIP))
    if fixed is not None:
        return fixed
    unit = unit_chips(game, wager, case.pick, case.start, exact=True)
    return CHIP * unit * (1 if wager.behind is None else APART)


def _when_it_begins(game: Game, wager: schema.Wager, case: WagerCase) -> tuple[PhaseIs, ...]:
    """The phase of the table in which the wager begins as in this case, if the phase decides that."""
    phase = start_phase(wager, case.pick)
    if phase is None:
        return ()
    states = game.book.phase_machines[phase].table
    return (PhaseIs(phase, frozenset(s for s in states if start_state(wager, case.pick, {phase: s}) == case.start)),)


def _nothing_on(game: Game, wager: str) -> Compare:
    """One wager at a time: no other is up, wherever it may have travelled."""
    numbers = (4, 5, 6, 8, 9, 10) if game.wager(wager).travels else ()
    return Compare(Count((Spot(wager), *(Spot(wager, number) for number in numbers))), "is", 0)


def simulated(game: Game, case: WagerCase) -> Sample:
    setting = setting_for(game, case)
    engine = Engine(Program(game, Settings(chip=CHIP), setting.strategy), setting.rolls, None)
    assert engine.machine is not None
    assert engine.has_equal_lengths, "it is the walk that is asked"
    worker = Worker(engine)
    for first in range(0, setting.sessions, engine.block_size):
        worker.block(SEED, first, min(engine.block_size, setting.sessions - first))
    counts, squares = whole_counts(engine, worker.tally)
    felt = engine.program.felt
    group = felt.groups.index(Spot(case.wager, case.pick))
    slots = [k for k, spot in enumerate(felt.spots) if (spot.wager, felt.own_pick(spot)) == felt.groups[group]]

    totals = engine.program.totals(counts)

    def counted(field: str) -> int:
        return sum(getattr(totals.slots[k], field) for k in slots)

    times = worker.tally.visits + worker.tally.lasts
    results = own_results(engine.machine.results, setting)
    total = sum(int(t) * int(r) for t, r in zip(times, results, strict=True) if t and r)
    squared = sum(int(t) * int(r) ** 2 for t, r in zip(times, results, strict=True) if t and r)
    gained = counted("won") - counted("lost") - counted("charged") + counted("refunded")
    assert total == gained, "results on the machine, and what is counted when they are gone through again"
    return Sample(
        decided=counted("wins") + counted("losses") + counted("voids"),
        total=Fraction(total, setting.stake),
        squares=Fraction(squared, setting.stake**2),
        spread=squares[group] / setting.stake**2 / counted("bets"),
    )


def own_results(results: n.Ints, setting: Setting) -> n.Ints:
    """What each throw brings to the wager itself: the remainder of a division shows what its flat wager won or lost."""
    if not setting.flat:
        return results
    rest = results // CHIP % APART
    assert set(np.unique(rest).tolist()) == {0, 1, APART - 1}
    own: n.Ints = results - np.select([rest == 1, rest == APART - 1], [setting.flat, -setting.flat], 0)
    return own


def central_moment(figures: Figures, power: int) -> Fraction:
    return sum(((net - figures.ev) ** power * chance for net, chance in figures.net.items()), Fraction(0))


@pytest.mark.parametrize("case", cases(), ids=name)
def test_a_simulated_wager_has_its_exact_mean_and_variance(case: WagerCase) -> None:
    figures = analysis(case.terms.book).figures(case)
    sample = simulated(SHELF.game(case.terms), case)
    count = sample.decided
    assert count > 10_000
    mean = sample.total / count
    around = (sample.squares - 2 * figures.ev * sample.total) / count + figures.ev**2
    assert figures.variance == central_moment(figures, 2) > 0
    of_variance = (central_moment(figures, 4) - figures.variance**2) / count
    for got, exact, squared_error in (
        (mean, figures.ev, figures.variance / count),
        (around, figures.variance, of_variance),
        # What is kept for the standard error of an edge: gains throw by throw, whose squares vary in their own way.
        (sample.spread, figures.variance, of_variance + (figures.variance / 1000) ** 2),
    ):
        assert (got - exact) ** 2 <= STANDARD_ERRORS**2 * squared_error, f"{float(got)} instead of {float(exact)}"


def test_all_wagers_are_there() -> None:
    """The list of cases has every wager and every pick of every book, and every approved pay table."""
    assert len(cases()) == 190
    for book in BOOKS:
        own = [case for case in cases() if case.terms.book == book]
        found = {(case.wager, case.pick) for case in own}
        rules = SHELF.book(book)
        assert found == {(wager.id, pick) for wager in rules.rules.wagers for pick in rules.picks(wager)}
        approved = {choice for case in own for choice in case.terms.choices}
        assert approved == {
            (".".join(choice.key) or "pay_table", option)
            for choice in rules.rules.pay_table.choices
            for option in choice.options
        }


# What was realised

INCLUDED = [(each.id, book) for each in included() for book in each.books]
SHORT = 7  # throws: much is left standing when a session ends


def results(engine: Engine, worker: Worker) -> Result:
    return result_of(engine, worker.tally, strategy="", seed=SEED, seconds=1.0, pace=100.0, pay_table=None)


def played(engine: Engine, sessions: int, seed: int = SEED) -> Worker:
    worker = Worker(engine)
    for first in range(0, sessions, engine.block_size):
        worker.block(seed, first, min(engine.block_size, sessions - first))
    return worker


def left_standing(engine: Engine, worker: Worker) -> int:
    """Cents still on the layout when sessions ended."""
    counts, _ = whole_counts(engine, worker.tally)
    return sum(row.left for row in engine.program.totals(counts).rows)


@pytest.mark.parametrize(("strategy_id", "book"), INCLUDED)
@pytest.mark.parametrize("bankroll", [None, 100_00], ids=["plenty", "a bankroll"])
def test_the_realised_edge_is_the_exact_one(strategy_id: str, book: str, bankroll: int | None) -> None:
    """For each wager and all together, in sessions so short that much of what was bet is never decided."""
    game = SHELF.game(SHELF.terms(book))
    strategy = load_strategy(strategy_id, game)
    engine = Engine(Program(game, Settings(), strategy), SHORT, bankroll or strategy.bankroll)
    worker = played(engine, 100_000)
    found = results(engine, worker)
    assert found.exact_edge is not None
    assert found.exact_edge < 0
    for edge, error, exact in (
        (found.edge, found.edge_se, found.exact_edge),
        *((wager.edge, wager.edge_se, wager.exact_edge) for wager in found.wagers),
    ):
        assert edge is not None
        assert error is not None
        assert exact is not None
        assert 0 < error < 0.1
        assert abs(edge - exact) < STANDARD_ERRORS * error
    outlives = any(not all(e.decides for e in row.entries) for row in engine.program.felt.rows)
    assert (left_standing(engine, worker) > found.staked * found.sessions) == outlives, "more than 1% of all stakes"


def test_what_results_call_a_standard_error_is_one() -> None:
    """Over many small simulations, the realised edge differs from the exact one as its standard error says."""
    engine = Engine(Program(*_line_with_odds()), SHORT, None)
    times = 400
    squares = 0.0
    for seed in range(times):
        found = results(engine, played(engine, 64, seed))
        assert found.edge is not None
        assert found.edge_se is not None
        assert found.exact_edge is not None
        squares += ((found.edge - found.exact_edge) / found.edge_se) ** 2
    assert abs(squares / times - 1) < STANDARD_ERRORS * sqrt(2 / times)


def _line_with_odds() -> tuple[Game, Settings, Strategy]:
    game = SHELF.game(SHELF.terms(BOOKS[0]))
    return game, Settings(), load_strategy("pass-double-odds", game)


@pytest.mark.parametrize(("strategy_id", "book"), [each for each in INCLUDED if each[0] != "five-count"])
def test_over_all_throws_there_are_the_exact_edge_is_realised_exactly(strategy_id: str, book: str) -> None:
    """Every sequence of a few throws once, as given dice: no fraction is lost, of any wager. (One counts to five.)"""
    game = SHELF.game(SHELF.terms(book))
    strategy = load_strategy(strategy_id, game)
    assert realised_over_all_throws(Program(game, Settings(), strategy), strategy.bankroll, 50_000).wagers


TINY: list[tuple[str, Spot, Fraction, Fraction]] = [
    (BOOKS[0], Spot("win_line"), Fraction(-7, 495), Fraction(8 - 4, 36)),  # 7 and 11, and the craps
    (BOOKS[0], Spot("field"), Fraction(-1, 18), Fraction(-2, 36)),
    (BOOKS[1], Spot("small"), Fraction(-1, 36), Fraction(-1, 36)),
    (BOOKS[2], Spot("heads"), Fraction(-1, 32), Fraction(0)),
    (BOOKS[3], Spot("hardway_combo"), Fraction(-1, 11), Fraction(4 * 4 - 18, 36)),
]


@pytest.mark.parametrize(("book", "spot", "exact", "at_face"), TINY, ids=lambda value: str(value))
def test_one_throw_of_each_kind_brings_what_is_known_of_the_wager(
    book: str, spot: Spot, exact: Fraction, at_face: Fraction
) -> None:
    """All outcomes once: decided wagers and the worth of open ones give the well-known edge."""
    game = SHELF.game(SHELF.terms(book))
    strategy = Strategy("", "", CHIP, (Bet(1, spot, Fixed(1000)),))
    engine = Engine(Program(game, Settings(), strategy), 1, None, general=True)
    worker = Worker(engine, np.arange(engine.outcomes, dtype=np.uint16)[:, None])
    worker.block(0, 0, engine.outcomes)
    found = results(engine, worker)
    assert found.edge == found.exact_edge == float(exact)
    assert found.wagers[0].net == float(at_face * 10 * engine.outcomes)
    assert worker.tally.net == at_face * 1000 * engine.outcomes


# Ruin

PLANS: list[tuple[str, list[tuple[Spot, int]], int, int]] = [
    (BOOKS[0], [(Spot("field"), 500)], 2000, 30),
    (BOOKS[0], [(Spot("win_line"), 500)], 1500, 30),
    (BOOKS[0], [(Spot("win_line"), 500), (Spot("behind_win_line"), 1000)], 4000, 30),
    (BOOKS[0], [(Spot("place_to_win", 6), 600), (Spot("hardway", 8), 100)], 1500, 25),
    (BOOKS[0], [(Spot("buy", 4), 1000), (Spot("any_seven"), 300)], 2600, 20),
    (BOOKS[1], [(Spot("small"), 500)], 1500, 20),
    (BOOKS[1], [(Spot("total", 9), 100), (Spot("single_die", 6), 300)], 1200, 12),
    (BOOKS[2], [(Spot("heads"), 500)], 1500, 40),
    (BOOKS[2], [(Spot("tails"), 300), (Spot("spinner", "heads"), 500)], 2000, 30),
    (BOOKS[3], [(Spot("hardway_combo"), 500)], 2000, 30),
    (BOOKS[3], [(Spot("five"), 300), (Spot("any_seven"), 200)], 1500, 20),
    (BOOKS[4], [(Spot("hardway", 6), 200), (Spot("field"), 300)], 1000, 20),
]


def as_plan(book: str, wagers: list[tuple[Spot, int]]) -> tuple[Plan, Strategy]:
    """The same flat bets for the solver and for the simulator."""
    plan = Plan(SHELF.game(SHELF.terms(book)), tuple(Lot(s.wager, cents, s.pick) for s, cents in wagers), CHIP)
    return plan, Strategy("", "", CHIP, tuple(Bet(1, spot, Fixed(cents)) for spot, cents in wagers))


@pytest.mark.parametrize(("book", "wagers", "bankroll", "rolls"), PLANS)
@pytest.mark.parametrize("general", [False, True], ids=["machine", "general"])
def test_as_many_are_ruined_as_must_be(
    book: str, wagers: list[tuple[Spot, int]], bankroll: int, rolls: int, general: bool
) -> None:
    plan, strategy = as_plan(book, wagers)
    outlook = session(plan, rolls, bankroll)
    engine = Engine(Program(plan.game, Settings(chip=CHIP), strategy), rolls, bankroll, general)
    sessions = 40_000 if general else 200_000
    worker = played(engine, sessions)
    exact = float(outlook.ruined)
    assert 0.01 < exact < 0.99
    found = results(engine, worker)
    assert found.ruined == worker.tally.reasons[n.RUINED] / sessions
    assert abs(found.ruined - exact) < STANDARD_ERRORS * sqrt(exact * (1 - exact) / sessions)
    moments = outlook.moments
    error = sqrt(moments.variance / sessions)
    assert abs(worker.tally.net / sessions - float(moments.mean)) < STANDARD_ERRORS * error


def test_ruin_as_the_session_command_has_it() -> None:
    """This is compared with the known figure itself, so that both sides cannot be wrong together."""
    plan, _ = as_plan(*PLANS[0][:2])
    assert round(100 * float(session(plan, 30, 2000).ruined), 2) == 59.88


ENDLESS = [(book, wagers, bankroll, bankroll * 3 // 2) for book, wagers, bankroll, _ in PLANS if len(wagers) == 1]


@pytest.mark.parametrize(("book", "wagers", "bankroll", "target"), ENDLESS)
def test_ruin_or_target_comes_as_often_as_it_must(
    book: str, wagers: list[tuple[Spot, int]], bankroll: int, target: int
) -> None:
    """Sessions so long that each of them ends one way or the other."""
    plan, strategy = as_plan(book, wagers)
    fate = ruin_or_target(plan, bankroll, target)
    stopping = Strategy("", "", CHIP, strategy.rules, stop=Stop(win=target - bankroll))
    engine = Engine(Program(plan.game, Settings(chip=CHIP), stopping), 3000, bankroll)
    sessions = 40_000
    worker = played(engine, sessions)
    ruined, reached = worker.tally.reasons[n.RUINED], worker.tally.reasons[n.WON]
    assert ruined + reached == sessions
    exact = float(fate.ruined)
    assert abs(ruined / sessions - exact) < STANDARD_ERRORS * sqrt(exact * (1 - exact) / sessions)
