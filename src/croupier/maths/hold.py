"""The operator's view: the table's hold over a number of throws for a given mix of wagers, and the largest losses.

All players bet on the same throws, so the wagers of a mix win and lose together: they form one plan, in which a wager
held by several players counts that many times. Amounts are in cents; gains are the house's.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import isqrt, log2, sqrt
from statistics import NormalDist
from typing import NamedTuple

import msgspec

from croupier.maths.plan import Moment, Plan
from croupier.maths.session import OnProgress, Outlook, PlanSession, lumped
from croupier.money import round_down_to_chip, winnings_cents
from croupier.rules import offers, schema
from croupier.rules.book import Book
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.machine import Machine, Pick
from croupier.rules.outcomes import Face

# The full distribution is computed if that takes no more than about 15 seconds.
EXACT_WORK = 2 * 10**10
# Mean and variance are always exact; this many bytes of long integers take about as long.
TALLY_WORK = 2 * 10**10

LOW, HIGH = Fraction(25, 1000), Fraction(975, 1000)


class Takings(msgspec.Struct, frozen=True):
    """The house's win: `low` and `high` bound the middle 95% of sessions, `loses` is the probability of a loss.

    Mean, variance and handle (the stakes of all decided wagers) are always exact; the rest is exact if `counted`,
    otherwise taken from a normal distribution with that mean and variance.
    """

    throws: int
    mean: Fraction
    variance: Fraction
    handle: Fraction
    low: int
    high: int
    loses: Fraction
    counted: bool

    @property
    def sd(self) -> float:
        """Standard deviation of the house's win."""
        return sqrt(self.variance)

    @property
    def share(self) -> Fraction:
        """Expected win as a share of the handle."""
        return self.mean / self.handle if self.handle else Fraction(0)


def takings(plan: Plan, throws: int, on_throw: OnProgress | None = None) -> Takings:
    """Return the house's win over this many throws. Raises Impossible if even the mean would take too long."""
    tally = _tally(plan, throws)
    try:
        outlook = next(PlanSession(plan, throws, work=EXACT_WORK).outlooks([throws], on_throw))
    except Impossible:
        return _normal(tally, throws)
    kept = Outlook(throws, {-cents: ways for cents, ways in outlook.ways.items()}, {})
    loses = 1 - kept.chance(at_least=0)
    return Takings(throws, *tally, kept.quantile(LOW), kept.quantile(HIGH), loses, counted=True)


class HouseWin(NamedTuple):
    """Mean and variance of the house's win, and the handle."""

    mean: Fraction
    variance: Fraction
    handle: Fraction


def _normal(tally: HouseWin, throws: int) -> Takings:
    """Take the interval and the probability of a loss from a normal distribution."""
    if not tally.variance:
        whole = round(tally.mean)
        return Takings(throws, *tally, whole, whole, Fraction(tally.mean < 0), counted=True)
    law = NormalDist(float(tally.mean), sqrt(tally.variance))
    low, high = (round(law.inv_cdf(float(share))) for share in (LOW, HIGH))
    return Takings(throws, *tally, low, high, Fraction(law.cdf(0)), counted=False)


def _tally(plan: Plan, throws: int) -> HouseWin:
    """Accumulate, per moment of the table: ways, their sums, squares and decided stakes."""
    steps, first = lumped(_steps(plan), plan.make_all(plan.opening()))
    _check_work(sum(map(len, steps.values())), plan.outcomes, throws)
    here = {first: (1, 0, 0, 0)}
    for _ in range(throws):
        after: dict[Moment, tuple[int, int, int, int]] = {}
        for moment, (ways, total, square, staked) in here.items():
            for (to, (net, stakes)), count in steps[moment].items():
                old = after.get(to, (0, 0, 0, 0))
                after[to] = (
                    old[0] + count * ways,
                    old[1] + count * (total + net * ways),
                    old[2] + count * (square + 2 * net * total + net**2 * ways),
                    old[3] + count * (staked + stakes * ways),
                )
        here = after
    every = plan.outcomes**throws
    mean, squares, handle = (Fraction(sum(sums[i] for sums in here.values()), every) for i in (1, 2, 3))
    return HouseWin(-mean, squares - mean**2, handle)


Steps = dict[Moment, Counter[tuple[Moment, tuple[int, int]]]]


def _steps(plan: Plan) -> Steps:
    """One throw from every moment: the next moment, the players' net, and the stakes decided."""
    steps: Steps = {}
    for moment, ways in plan.all_steps().items():
        steps[moment] = Counter()
        for (after, results), count in ways.items():
            decided = [(i, int(result)) for i, result in enumerate(results) if result is not None]
            stakes = sum(int(plan.holdings[i].stakes) for i, _ in decided)
            steps[moment][after, (sum(net for _, net in decided), stakes)] += count
    return steps


def _check_work(arrows: int, outcomes: int, throws: int) -> None:
    most = isqrt(int(TALLY_WORK / (arrows * log2(outcomes) / 2)))
    if throws > most:
        say = f"The hold of such a mix can be computed for at most {most:,} throws."
        raise Impossible("too_many_throws", say)


class Loss(NamedTuple):
    """The largest loss the house can take on one throw: the outcome and the moment."""

    cents: int
    outcome: int
    moment: Moment


def largest_loss(plan: Plan) -> Loss:
    """Return the largest loss on one throw with the wagers of the mix at their stakes."""
    return max(
        (
            Loss(sum(int(result) for result in plan.throw(moment, outcome)[1] if result is not None), outcome, moment)
            for moment in _steps(plan)
            for outcome, _ in plan.classes
        ),
        key=lambda loss: loss.cents,
    )


# The largest loss on one throw under a table's limits, over every reachable state of its phases. Every seat holds all
# that then wins, at its maximum, and nothing that loses. Sleeping wagers may be called On.

Phases = dict[str, str]


class HouseLimits(msgspec.Struct, frozen=True):
    """The limits on a loss: smallest chip and largest stake in cents, number of seats, and fixed amounts.

    `fixed_stakes` gives the amount of each wager that has only one, by option; the default is the book's.
    """

    chip: int
    maximum: int
    seats: int
    fixed_stakes: dict[str, int] = {}


class Worst(NamedTuple):
    """The largest loss in cents, the outcome that causes it, and the state of the phases before it."""

    cents: int
    faces: tuple[Face, ...]
    phases: Phases


def worst_throw(game: Game, sign: HouseLimits) -> Worst:
    """Return the largest loss on one throw, over every reachable state of the phases."""
    losses: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    worst = Worst(-1, (), {})
    for phases in reachable_phases(game.book):
        rows = []
        for wager in game.book.rules.wagers:
            key = (wager.id, tuple(phases[phase] for phase in _asked(game.book, wager)))
            if key not in losses:
                losses[key] = _losses(game, sign, wager, phases)
            rows.append(losses[key])
        together = [sum(column) for column in zip(*rows, strict=True)]
        most = max(together)
        if most > worst.cents:
            worst = Worst(most, game.book.outcomes.all[together.index(most)], phases)
    return worst


def reachable_phases(book: Book) -> list[Phases]:
    """Every combination of phase states that can be reached from the opening."""
    found = [{phase.id: phase.start for phase in book.rules.phases}]
    seen = {tuple(found[0].values())}
    for phases in found:
        rows = [book.phase_machines[phase].table[state] for phase, state in phases.items()]
        for entries in zip(*rows, strict=True):
            after = {p: entry.next or phases[p] for p, entry in zip(phases, entries, strict=True)}
            if tuple(after.values()) not in seen:
                seen.add(tuple(after.values()))
                found.append(after)
    return found


def _asked(book: Book, wager: schema.Wager) -> list[str]:
    """The phases that determine what a wager can win."""
    asked: dict[str, None] = {}
    for pick in book.picks(wager):
        asked.update(dict.fromkeys(offers.phases_of(wager, pick)))
    return list(asked)


def _losses(game: Game, sign: HouseLimits, wager: schema.Wager, phases: Phases) -> list[int]:
    """The cost of a wager on each outcome when it lies everywhere at its maximum; only winning parts count.

    A wager that travels may be in all its states at once, any other in one of them; a wager limited to one holder lies
    on one pick.
    """
    by_pick: list[list[int]] = []
    for pick in game.book.picks(wager):
        machine = game.machine(wager.id, pick)
        by_state = [_wins(game, sign, wager, machine, state) for state in offers.states_now(wager, machine, phases)]
        if by_state:
            columns = zip(*by_state, strict=True)
            by_pick.append([sum(column) if wager.can_move else max(column) for column in columns])
    if not by_pick:
        return [0] * len(game.book.outcomes)
    columns = zip(*by_pick, strict=True)
    return [max(column) if wager.has_one_holder else sign.seats * sum(column) for column in columns]


def _wins(game: Game, sign: HouseLimits, wager: schema.Wager, machine: Machine, state: str) -> list[int]:
    stake = largest_stake(game, sign, wager, machine.pick, state)
    entries = machine.table[state]
    return [winnings_cents(stake, entry.odds, sign.chip) if entry.then == "win" else 0 for entry in entries]


def largest_stake(game: Game, sign: HouseLimits, wager: schema.Wager, pick: Pick, state: str) -> int:
    """The most that the sign lets one player stake, in the wager's units."""
    most = round_down_to_chip(sign.maximum, sign.chip)
    return offers.largest_stake(game, wager, pick, state, sign, most, most) or 0
