"""Every wager, pick and approved pay table of every book, simulated over millions of rolls and held against its exact
figures.

The stake is one with which nothing needs rounding. Mean and variance of a decided wager must lie within four standard
errors of the exact ones, which are known as well: that of the variance comes from the exact fourth moment. With a
fixed seed nothing is left to chance. Of a line wager five million are decided, so that an edge off by 0.0018 fails;
a wager that one throw decides has sixteen million, and one at even money fails when its edge is off by 0.001.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import lcm
from typing import NamedTuple

import numpy as np
import pytest

from croupier.maths.figures import Figures
from croupier.maths.rows import Analysis, Case
from croupier.rules import schema
from croupier.rules.compiling import pick_words
from croupier.rules.game import Game, start_phase, start_state
from croupier.rules.stakes import exact_unit
from croupier.sim.kernels import numbers as n
from croupier.sim.kernels.engine import Engine, Worker, whole_counts
from croupier.sim.kernels.program import Program
from croupier.sim.strategy import Bet, Compare, Count, Fixed, Guard, PhaseIs, Spot, Strategy
from croupier.table.commands import Settings
from croupier.table.placing import fixed_cents
from tests.tables import BOOKS, SHELF

CHIP = 100
SEED = 5
STANDARD_ERRORS = 4
APART = 5  # stakes behind a flat wager are multiples of so many units, and the flat stake is not: so results tell both


@cache
def analysis(book: str) -> Analysis:
    return Analysis(SHELF, book)


def cases() -> list[Case]:
    """Every way to make a wager, as `croupier analyse` lists them by the readings taken."""
    return [case for book in BOOKS for wager in SHELF.book(book).wagers for case in analysis(book).cases(wager, ())]


def name(case: Case) -> str:
    return " ".join(str(part) for part in (case.terms.book, case.wager, case.shown_pick, case.pay_table) if part)


class Sample(NamedTuple):
    """Wagers that were decided: how many, the sum of their results in units staked, and of the squares.

    `spread` is the sum of squares that the kernel keeps for the standard error of the edge, over all wagers made.
    """

    decided: int
    total: Fraction
    squares: Fraction
    spread: Fraction


class Setting(NamedTuple):
    """A strategy that makes one wager over and over, and how long its sessions are."""

    strategy: Strategy
    spot: Spot
    stake: int
    flat: int
    sessions: int
    rolls: int


LONG = (16, 1_000_000)
# Where a wager depends on how its flat wager came about, each session makes it once, from the opening of the table on.
ONCE = (200_000, 250)


def setting_for(game: Game, case: Case) -> Setting:
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


def stake_of(game: Game, case: Case) -> int:
    """One with which nothing needs rounding."""
    wager = game.wager(case.wager)
    if wager.fixed_stake is not None:
        return fixed_cents(Settings(chip=CHIP), wager.fixed_stake)
    unit = lcm(exact_unit(game, wager, case.pick, case.start), wager.multiple.chips if wager.multiple else 1)
    return CHIP * unit * (1 if wager.behind is None else APART)


def _when_it_begins(game: Game, wager: schema.Wager, case: Case) -> tuple[PhaseIs, ...]:
    """The phase of the table in which it begins as this case does, where a phase decides that."""
    words = pick_words(wager.id, case.pick)["pick"]
    phase = start_phase(wager, words)
    if phase is None:
        return ()
    states = game.book.phase_machines[phase].table
    return (PhaseIs(phase, frozenset(s for s in states if start_state(wager, words, {phase: s}) == case.start)),)


def _nothing_on(game: Game, wager: str) -> Compare:
    """One wager at a time: nothing of it stands, wherever it may have travelled."""
    numbers = (4, 5, 6, 8, 9, 10) if game.wager(wager).travels else ()
    return Compare(Count((Spot(wager), *(Spot(wager, number) for number in numbers))), "is", 0)


def simulated(game: Game, case: Case) -> Sample:
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

    def counted(column: int) -> int:
        return sum(counts[k * n.SLOT_COUNTS + column] for k in slots)

    times = worker.tally.visits + worker.tally.lasts
    results = own_results(engine.machine.results, setting)
    total = sum(int(t) * int(r) for t, r in zip(times, results, strict=True) if t and r)
    squared = sum(int(t) * int(r) ** 2 for t, r in zip(times, results, strict=True) if t and r)
    gained = counted(n.PAID) - counted(n.COLLECTED) - counted(n.COMMISSION) + counted(n.COMMISSION_BACK)
    assert total == gained, "results on the machine, and what is counted when they are gone through again"
    return Sample(
        decided=counted(n.WINS_OF) + counted(n.LOSSES_OF) + counted(n.VOIDS_OF),
        total=Fraction(total, setting.stake),
        squares=Fraction(squared, setting.stake**2),
        spread=squares[group] / setting.stake**2 / counted(n.BETS),
    )


def own_results(results: n.Ints, setting: Setting) -> n.Ints:
    """What each throw brings to the wager itself: the rest of a division tells what its flat wager won or lost."""
    if not setting.flat:
        return results
    rest = results // CHIP % APART
    assert set(np.unique(rest).tolist()) == {0, 1, APART - 1}
    own: n.Ints = results - np.select([rest == 1, rest == APART - 1], [setting.flat, -setting.flat], 0)
    return own


def central_moment(figures: Figures, power: int) -> Fraction:
    return sum(((net - figures.ev) ** power * chance for net, chance in figures.net.items()), Fraction(0))


@pytest.mark.parametrize("case", cases(), ids=name)
def test_a_simulated_wager_has_its_exact_mean_and_variance(case: Case) -> None:
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
    """The list that is gone through has every wager and every pick of every book, and every approved pay table."""
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
