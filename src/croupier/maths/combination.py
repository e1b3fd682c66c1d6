"""Wagers held together: the exact joint distribution of their results, per decision and per throw.

Per decision, each wager is made once, as soon as the book allows it, and held until all are decided. Per throw, each
wager is made again whenever it is decided and play never ends; the result is the stationary distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import NamedTuple

import msgspec

from croupier.maths.chain import CentralMoments, Chain, NeverDecided, fewest_first, gathered, moments, solve, visits
from croupier.maths.plan import Amount, Moment, Place, Plan
from croupier.rules.errors import Impossible

# The result of each wager: None if it was never made, or is not decided by this throw.
Together = tuple[Amount | None, ...]
Matrix = tuple[tuple[Fraction, ...], ...]
Steps = dict[Moment, dict[tuple[Moment, Together], Fraction]]
NONE = Fraction(0)


class Joint:
    """The joint distribution of several wagers' results."""

    def __init__(self, chances: Mapping[Together, Fraction]) -> None:
        self.chances = chances
        self.wagers = len(next(iter(chances)))

    @cached_property
    def total(self) -> dict[Amount, Fraction]:
        """The distribution of the total result, from worst to best."""
        return dict(sorted(gathered((sum_of(row), chance) for row, chance in self.chances.items()).items()))

    @cached_property
    def moments(self) -> CentralMoments:
        """Mean, variance and third central moment of the total."""
        return moments((Fraction(value), chance) for value, chance in self.total.items())

    @cached_property
    def means(self) -> tuple[Fraction, ...]:
        """The expected value of each wager."""
        rows = self.chances.items()
        return tuple(sum(((row[i] or 0) * chance for row, chance in rows), NONE) for i in range(self.wagers))

    @cached_property
    def covariances(self) -> Matrix:
        """The covariance of each pair of wagers."""
        return covariances(
            ([(result or 0) - mean for result, mean in zip(row, self.means, strict=True)], chance)
            for row, chance in self.chances.items()
        )

    @property
    def profit(self) -> Fraction:
        """The probability that the total is a profit."""
        return sum((chance for value, chance in self.total.items() if value > 0), NONE)


def sum_of(results: Together) -> Amount:
    """The total result of all wagers."""
    return sum(result for result in results if result is not None)


def covariances(apart: Iterable[tuple[list[Fraction], Fraction]]) -> Matrix:
    """The covariance of each pair of wagers, from the deviations of their results from the mean."""
    sums: dict[tuple[int, int], Fraction] = {}
    for gaps, chance in apart:
        for i, first in enumerate(gaps):
            for j, second in enumerate(gaps[: i + 1]):
                sums[i, j] = sums.get((i, j), NONE) + chance * first * second
    size = max(i for i, _ in sums) + 1
    return tuple(tuple(sums[max(i, j), min(i, j)] for j in range(size)) for i in range(size))


def correlation_squared(matrix: Matrix, i: int, j: int) -> Fraction | None:
    """The square of a correlation, with its sign: exact, as a root is not. None if a wager never varies."""
    spread = matrix[i][i] * matrix[j][j]
    return None if not spread else matrix[i][j] * abs(matrix[i][j]) / spread


def correlation(matrix: Matrix, i: int, j: int) -> float | None:
    """The correlation of two wagers, from -1 to 1."""
    squared = correlation_squared(matrix, i, j)
    return None if squared is None else sqrt(squared) if squared >= 0 else -sqrt(-squared)


# Per decision


class PlanDecision(msgspec.Struct, frozen=True):
    """Each wager made once and held until all are decided.

    `made` is each wager's probability of being made at all; `staked` is the expected stake, `outlay` adds commission.
    """

    joint: Joint
    made: tuple[Fraction, ...]
    throws: Fraction
    staked: Fraction
    outlay: Fraction

    @property
    def edge(self) -> Fraction:
        """The house edge on the expected stake."""
        return -self.joint.moments.mean / self.staked

    @property
    def edge_outlay(self) -> Fraction:
        """The house edge on stake and commission together."""
        return -self.joint.moments.mean / self.outlay


def per_decision(plan: Plan) -> PlanDecision:
    """Return the exact joint distribution of wagers made once each. Raises Impossible."""
    whole = course(plan)
    try:
        met = visits(whole.chain.moves, {whole.first: Fraction(1)})
    except NeverDecided:
        raise Impossible("never_decided", "These wagers are not always decided in the end.") from None
    ends = gathered((row, met[at] * p) for at, chances in whole.chain.ends.items() for row, p in chances.items())
    joint = Joint({tuple(_amount(result) for result in results): chance for results, chance in ends.items()})
    missed = [sum((p for row, p in joint.chances.items() if row[i] is None), NONE) for i in range(joint.wagers)]
    made = tuple(1 - chance for chance in missed)
    return PlanDecision(
        joint=joint,
        made=made,
        throws=sum(met.values(), NONE),
        staked=_money(made, [holding.stakes for holding in plan.holdings]),
        outlay=_money(made, [holding.outlay for holding in plan.holdings]),
    )


def _amount(result: Amount | str | None) -> Amount | None:
    assert not isinstance(result, str), "a course ends when nothing stands"
    return result


def _money(shares: Iterable[Fraction], amounts: Iterable[Amount]) -> Fraction:
    return sum((share * amount for share, amount in zip(shares, amounts, strict=True)), NONE)


# Per throw


class Spell(NamedTuple):
    """A moment, the long-run share of throws made from it, and the joint result of one such throw."""

    moment: Moment
    share: Fraction
    joint: Joint


class LongRun(msgspec.Struct, frozen=True):
    """Wagers made again without end.

    `joint` is one throw at a random time; `growth` is the increase in the covariances of the sums per throw, which
    differs from the covariances of one throw because throws are dependent. `staked` is the mean stake put down per
    throw, `outlay` adds commission; `awake` is the mean stake on the layout that acts on a throw.
    """

    spells: tuple[Spell, ...]
    joint: Joint
    growth: Matrix
    staked: Fraction
    outlay: Fraction
    awake: Fraction

    @property
    def variance_growth(self) -> Fraction:
        """The long-run increase per throw in the variance of the total."""
        return sum((sum(row, NONE) for row in self.growth), NONE)

    @property
    def edge(self) -> Fraction:
        """The house edge on the amount staked."""
        return -self.joint.moments.mean / self.staked

    @property
    def edge_per_throw(self) -> Fraction:
        """The house edge per throw on the money that acts on it."""
        return -self.joint.moments.mean / self.awake


def per_throw(plan: Plan) -> LongRun:
    """Return the long-run result of one throw, from every moment and overall. Raises Impossible."""
    steps = settled(_find_steps(plan))
    moves = {moment: gathered((after, p) for (after, _), p in ways.items()) for moment, ways in steps.items()}
    shares = _shares(moves)
    spells = [
        Spell(moment, shares[moment], Joint(gathered((results, p) for (_, results), p in ways.items())))
        for moment, ways in steps.items()
    ]
    joint = Joint(gathered((row, s.share * p) for s in spells for row, p in s.joint.chances.items()))
    decided = [sum((p for row, p in joint.chances.items() if row[i] is not None), NONE) for i in range(joint.wagers)]
    awake = [sum((s.share for s in spells if plan.is_active(i, s.moment)), NONE) for i in range(joint.wagers)]
    return LongRun(
        spells=tuple(sorted(spells, key=lambda spell: -spell.share)),
        joint=joint,
        growth=_growth(steps, moves, shares, joint.means),
        staked=_money(decided, [holding.stakes for holding in plan.holdings]),  # made as often as decided
        outlay=_money(decided, [holding.outlay for holding in plan.holdings]),
        awake=_money(awake, [holding.stakes for holding in plan.holdings]),
    )


def _find_steps(plan: Plan) -> Steps:
    """One throw from every reachable moment."""
    assert plan.again, "in the long run wagers are made again"
    return {
        moment: {way: Fraction(count, plan.outcomes) for way, count in ways.items()}
        for moment, ways in plan.all_steps().items()
    }


def settled(steps: Steps) -> Steps:
    """Keep only the recurrent moments; those at the opening of a table may be transient. Raises Impossible."""
    ahead = {moment: {after for after, _ in ways} for moment, ways in steps.items()}
    back: dict[Moment, set[Moment]] = {moment: set() for moment in steps}
    for moment, afters in ahead.items():
        for after in afters:
            back[after].add(moment)
    here = next(iter(steps))
    while True:
        reached, leading = _reached(ahead, here), _reached(back, here)
        lost = [moment for moment in reached if moment not in leading]
        if not lost:
            break
        here = lost[0]
    if len(leading) < len(steps):
        raise Impossible("several_ends", "The long run of this plan depends on how it begins.")
    return {moment: ways for moment, ways in steps.items() if moment in reached}


def _reached(arrows: Mapping[Moment, set[Moment]], first: Moment) -> dict[Moment, None]:
    found = {first: None}
    queue = [first]
    for moment in queue:
        for after in arrows[moment]:
            if after not in found:
                found[after] = None
                queue.append(after)
    return found


def _between(
    moves: Mapping[Moment, Mapping[Moment, Fraction]], ends: Moment
) -> Mapping[Moment, Mapping[Moment, Fraction]]:
    """The moments between two visits to one of them."""
    left = {
        moment: {to: chance for to, chance in row.items() if to != ends}
        for moment, row in moves.items()
        if moment != ends
    }
    return fewest_first(left)[0]


def _shares(moves: Mapping[Moment, Mapping[Moment, Fraction]]) -> dict[Moment, Fraction]:
    """The stationary distribution: expected visits to each moment between two visits to the first, normalised."""
    first = next(iter(moves))
    starts = {to: chance for to, chance in moves[first].items() if to != first}
    met = {first: Fraction(1), **visits(_between(moves, first), starts)}
    length = sum(met.values(), NONE)
    return {moment: times / length for moment, times in met.items()}


def _growth(
    steps: Steps,
    moves: Mapping[Moment, Mapping[Moment, Fraction]],
    shares: Mapping[Moment, Fraction],
    means: tuple[Fraction, ...],
) -> Matrix:
    """The increase per throw in the covariances of the sums.

    `ahead` is each wager's expected advantage over the average from a moment until the first moment recurs. The result
    of a throw plus its change in `ahead` is uncorrelated with every earlier throw.
    """
    first = next(iter(steps))
    gains: dict[Moment, dict[int, Fraction]] = {}
    for moment, ways in steps.items():
        gains[moment] = {i: -mean for i, mean in enumerate(means)}
        for (_, results), chance in ways.items():
            for i, result in enumerate(results):
                gains[moment][i] += (result or 0) * chance
    ahead = solve(_between(moves, first), {moment: gains[moment] for moment in moves if moment != first})
    ahead[first] = dict.fromkeys(range(len(means)), NONE)
    return covariances(
        (
            [(result or 0) - means[i] + ahead[after][i] - ahead[moment][i] for i, result in enumerate(results)],
            shares[moment] * chance,
        )
        for moment, ways in steps.items()
        for (after, results), chance in ways.items()
    )


# The chain of moments through which wagers made once each pass until all are decided

Results = tuple[Place, ...]


class PlanCourse(NamedTuple):
    """A plan from its first moment: its transitions, and each wager's result at the end."""

    first: Moment
    chain: Chain[Moment, Results]


def course(plan: Plan) -> PlanCourse:
    """Return every moment that a plan of wagers made once can pass through."""
    assert not plan.again, "wagers that are made again are never all decided"
    moves: dict[Moment, dict[Moment, Fraction]] = {}
    ends: dict[Moment, dict[Results, Fraction]] = {}
    for moment, ways in plan.all_steps().items():
        afters = [(after, Fraction(count, plan.outcomes)) for (after, _), count in ways.items()]
        moves[moment] = gathered((after, chance) for after, chance in afters if not plan.is_over(after))
        ends[moment] = gathered((after.places, chance) for after, chance in afters if plan.is_over(after))
    return PlanCourse(plan.make_all(plan.opening()), Chain(moves, ends))


class Watched(NamedTuple):
    """One wager's view of a course: its starting moments, its immediate results and its chain.

    Counts only the throws that matter to that wager.
    """

    starts: dict[Moment, Fraction]
    at_once: dict[Place, Fraction]
    chain: Chain[Moment, Place]

    def endings(self) -> dict[Place, Fraction]:
        """The probability of each result."""
        ways = self.chain.endings()
        later = [(end, p * share) for start, p in self.starts.items() for end, share in ways[start].items()]
        return gathered([*self.at_once.items(), *later])


def watch(whole: PlanCourse, place: int, matters: Callable[[Moment], bool]) -> Watched:
    """Follow one wager of a course, counting only the throws before which `matters` holds.

    The moments between are eliminated. An ending of None means that the wager was never made.
    """
    silent = {moment: moves for moment, moves in whole.chain.moves.items() if not matters(moment)}
    leads = solve(
        {moment: {to: p for to, p in moves.items() if to in silent} for moment, moves in silent.items()},
        {moment: _exits(whole, moment, place, silent) for moment in silent},
    )
    moves: dict[Moment, dict[Moment, Fraction]] = {}
    ends: dict[Moment, dict[Place, Fraction]] = {}
    for moment in whole.chain.moves:
        if moment in silent:
            continue
        later = [(key, p * q) for to, p in whole.chain.moves[moment].items() for key, q in leads.get(to, {}).items()]
        exits = gathered([*_exits(whole, moment, place, silent).items(), *later])
        moves[moment], ends[moment] = _sorted_out(exits)
    starts, at_once = _sorted_out(leads.get(whole.first, {whole.first: Fraction(1)}))
    return Watched(starts, at_once, Chain(moves, ends))


Exit = Moment | tuple[Place]


def _exits(whole: PlanCourse, moment: Moment, place: int, silent: Mapping[Moment, object]) -> dict[Exit, Fraction]:
    """Where one throw leads outside the silent moments; an ending is wrapped in a tuple."""
    moves: list[tuple[Exit, Fraction]] = [(to, p) for to, p in whole.chain.moves[moment].items() if to not in silent]
    return gathered([*moves, *(((results[place],), p) for results, p in whole.chain.ends[moment].items())])


def _sorted_out(exits: Mapping[Exit, Fraction]) -> tuple[dict[Moment, Fraction], dict[Place, Fraction]]:
    moves = {key: chance for key, chance in exits.items() if isinstance(key, Moment)}
    ends = {key[0]: chance for key, chance in exits.items() if not isinstance(key, Moment)}
    return moves, ends
