"""A record of throws as a sample, and the statistics that compare its counts with fair dice.

Counts come in exact and a probability leaves as a float. Exact enumeration is used where feasible; elsewhere the
chi-square distribution, whose tail is a finite sum for integer degrees of freedom.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from math import ceil, comb
from typing import Literal

import msgspec

from croupier.maths.fairness.throws import COINS, ThrowKind, ThrowRecord
from croupier.rules.outcomes import Face

# Up to this many equiprobable cells, every possible count is enumerated where chi-square would be inaccurate.
COUNTED_CELLS = 8
# The faces of one throw form several pairs, so a few throws would give many dependent pairs.
INDEPENDENT = 40
# If every throw is sorted, and chance would rarely do that, the record does not keep the dice apart.
SORTED = Fraction(1, 100)


class CountedCell(msgspec.Struct, frozen=True):
    """An observed count and its expectation for fair dice."""

    label: str
    count: int
    expected: Fraction


class FairnessTest(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one test. `measure` names the statistic; `p` is its p-value."""

    name: str
    asks: str
    measure: str
    statistic: Fraction
    p: float
    method: Literal["chi-square", "exact", "normal", "recursion", "estimate"]
    bias: Shift | RunBias
    degrees: int | None = None
    cells: tuple[CountedCell, ...] = ()


class LeftOut(msgspec.Struct, frozen=True):
    """A test that the record does not allow, and why."""

    name: str
    reason: str


class ThrowSample:
    """The throws, with the quantities that several tests need."""

    def __init__(self, record: ThrowRecord) -> None:
        self.kind: ThrowKind = record.kind
        self.throws = record.throws
        self.faces: list[Face] = [face for throw in record.throws for face in throw]
        self.values = _values(record.kind)
        self.scores = None if self.values is None else [sum(self.values[face] for face in t) for t in record.throws]

    @property
    def two_up(self) -> bool:
        """Whether these are two coins, which fall Heads, Odds or Tails."""
        return self.kind.faces == COINS and self.kind.count == 2

    @property
    def fair(self) -> Fraction:
        """The fair probability of each face."""
        return Fraction(1, len(self.kind.faces))

    @cached_property
    def kept_apart(self) -> bool:
        """Whether the record may tell one die from another: not if it sorts them."""
        count, faces = self.kind.count, len(self.kind.faces)
        if count == 1:
            return False
        places = [[self.kind.faces.index(face) for face in throw] for throw in self.throws]
        in_order = all(p == sorted(p) for p in places) or all(p == sorted(p, reverse=True) for p in places)
        chance = Fraction(comb(faces + count - 1, count), faces**count)
        return not (in_order and chance ** len(self.throws) < SORTED)

    def cells(self, faces: Sequence[Face]) -> tuple[CountedCell, ...]:
        """The observed and expected count of each face."""
        counts = Counter(faces)
        return tuple(CountedCell(str(face), counts[face], len(faces) * self.fair) for face in self.kind.faces)

    @cached_property
    def fair_scores(self) -> dict[int, Fraction]:
        """The fair probability of each total, or number of heads."""
        assert self.values is not None, "only faces with values add up"
        ways = Counter({0: 1})
        for _ in range(self.kind.count):
            more: Counter[int] = Counter()
            for total, count in ways.items():
                for value in self.values.values():
                    more[total + value] += count
            ways = more
        return {total: Fraction(ways[total], ways.total()) for total in sorted(ways)}


def _values(kind: ThrowKind) -> dict[Face, int] | None:
    """The value of each face: a die its number, a coin 1 for the first of two sides; None for other letters."""
    if not kind.coins:
        return {face: int(face) for face in kind.faces}
    return {face: int(face == kind.faces[0]) for face in kind.faces} if len(kind.faces) == 2 else None


def chi_square(name: str, asks: str, cells: Sequence[CountedCell], bias: Shift) -> FairnessTest:
    """A chi-square test of the counts, with the degrees of freedom of `bias`."""
    return FairnessTest(
        name=name,
        asks=asks,
        measure="χ²",
        statistic=(value := sum(((c.count - c.expected) ** 2 / c.expected for c in cells), Fraction(0))),
        p=chi_square_tail(value, bias.degrees),
        method="chi-square",
        bias=bias,
        degrees=bias.degrees,
        cells=tuple(cells),
    )


def even(sample: ThrowSample, name: str, asks: str, cells: Sequence[CountedCell], what: str) -> FairnessTest | LeftOut:
    """Test cells of equal probability: by chi-square, or by enumeration if that would be inaccurate."""
    trials = sum(cell.count for cell in cells)
    answer = chi_square(name, asks, cells, share(what, Fraction(1, len(cells)), trials, len(cells) - 1))
    if cells[0].expected >= EXPECTED:
        return answer
    if len(cells) > COUNTED_CELLS:
        each = trials // len(sample.throws)  # a throw may contribute several counts
        return LeftOut(name, f"needs at least {ceil(Fraction(EXPECTED * len(cells), each))} throws")
    chance = equal_cells_chance([cell.count for cell in cells])
    return msgspec.structs.replace(answer, p=chance, method="exact", degrees=None)


def pooled(
    name: str, asks: str, word: str, observed: Sequence[int], fair: Mapping[int, Fraction], labels: Mapping[int, str]
) -> FairnessTest | LeftOut:
    """A chi-square test over ordered values, pooling neighbours until each cell's expectation is large enough."""
    trials, counts = len(observed), Counter(observed)
    groups: list[list[int]] = [[]]
    for value in fair:
        if trials * sum(fair[v] for v in groups[-1]) >= EXPECTED:
            groups.append([])
        groups[-1].append(value)
    if len(groups) > 1 and trials * sum(fair[v] for v in groups[-1]) < EXPECTED:
        last = groups.pop()
        groups[-1] += last
    if len(groups) < 2:
        return LeftOut(name, f"needs at least {_enough(list(fair.values()))} throws")
    cells = []
    for group in groups:
        expected = trials * sum((fair[v] for v in group), Fraction(0))
        cells.append(CountedCell(_span([labels[v] for v in group]), sum(counts[v] for v in group), expected))
    largest = max(cells, key=lambda cell: cell.expected)
    what = f"{word} {largest.label}".strip()
    return chi_square(name, asks, cells, share(what, largest.expected / trials, trials, len(cells) - 1))


def _span(labels: Sequence[str]) -> str:
    if len(labels) == 1:
        return labels[0]
    return f"{labels[0]}–{labels[-1]}" if labels[0].isdecimal() else " or ".join(labels)


def _enough(fair: Sequence[Fraction]) -> int:
    """The number of throws needed to fill two cells."""
    split = max(min(sum(fair[:at]), sum(fair[at:])) for at in range(1, len(fair)))
    return ceil(EXPECTED / split)


def independent(
    sample: ThrowSample, name: str, asks: str, cells: Sequence[CountedCell], bias: Shift, needed: int
) -> FairnessTest | LeftOut:
    """A chi-square test against expectations estimated from the faces; each estimate costs a degree of freedom."""
    needed = max(needed, INDEPENDENT)
    if len(sample.throws) < needed:
        return LeftOut(name, f"needs at least {needed} throws")
    if any(cell.expected < 1 for cell in cells):
        return LeftOut(name, "a face falls too rarely for this test")
    return chi_square(name, asks, cells, bias)


# Significance and power

# Above this many trials the chi-square approximation replaces exact enumeration.
COUNTED = 5_000

# Chi-square is unreliable for a cell with a smaller expectation.
EXPECTED = 5

# The usual levels and powers lie well inside these bounds; outside them floats lack the precision.
LEVELS = (0.0001, 0.5)
POWERS = (0.5, 0.9999)


# The chi-square distribution


def chi_square_tail(value: float | Fraction, degrees: int) -> float:
    """The probability of a chi-square value at least this large."""
    half = float(value) / 2
    if half <= 0:
        return 1.0
    tail = math.exp(-half) if degrees % 2 == 0 else math.erfc(math.sqrt(half))
    for lower in range(2 - degrees % 2, degrees, 2):
        tail += _step(half, lower)
    return min(1.0, tail)


def noncentral_tail(value: float, degrees: int, noncentrality: float) -> float:
    """The tail of the noncentral chi-square distribution: a Poisson mixture of chi-square tails."""
    half = value / 2
    weight = math.exp(-noncentrality / 2)
    tail = chi_square_tail(value, degrees)
    total, used, number = weight * tail, weight, 0
    # The weights rise before they fall; the truncated remainder is below float precision.
    while weight > 1e-18 or number < noncentrality / 2:
        tail += _step(half, degrees + 2 * number)
        number += 1
        weight *= noncentrality / 2 / number
        total += weight * tail
        used += weight
    return min(1.0, total / used)


def _step(half: float, degrees: int) -> float:
    """The increase in the tail from two more degrees of freedom."""
    return math.exp(degrees / 2 * math.log(half) - half - math.lgamma(degrees / 2 + 1))


@cache
def critical_value(degrees: int, level: float) -> float:
    """The chi-square value that chance alone exceeds with this probability."""
    low, high = 0.0, 1.0
    while chi_square_tail(high, degrees) > level:
        high *= 2
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if chi_square_tail(middle, degrees) > level else (low, middle)
    return high


@cache
def noncentrality_found(degrees: int, level: float, power: float) -> float:
    """The smallest noncentrality that a chi-square test at this level detects with this power."""
    critical = critical_value(degrees, level)
    low, high = 0.0, 1.0
    while noncentral_tail(critical, degrees, high) < power:
        high *= 2
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if noncentral_tail(critical, degrees, middle) < power else (low, middle)
    return high


# Exact enumeration


def binomial_chance(hits: int, trials: int, chance: Fraction) -> float:
    """Two-sided p-value of a number of hits: the probability of any count no more likely than this one."""
    if trials > COUNTED:
        mean = trials * chance
        return chi_square_tail((hits - mean) ** 2 / (mean * (1 - chance)), 1)
    won, lost = chance.numerator, chance.denominator - chance.numerator
    ways = [lost**trials]
    for hit in range(trials):
        ways.append(ways[-1] * (trials - hit) * won // ((hit + 1) * lost))
    return _as_improbable(ways, ways[hits])


def runs_chance(above: int, below: int, runs: int) -> float:
    """Two-sided p-value of a number of runs, given how many throws lie on each side."""
    if above + below > COUNTED:
        mean, variance = runs_moments(above, below)
        return chi_square_tail((runs - mean) ** 2 / variance, 1)
    firsts, seconds = _choices(above - 1), _choices(below - 1)
    ways = [0, 0]  # 0 and 1 runs: impossible, as both sides occur
    for half in range(1, min(above, below) + 1):
        first, second = firsts[half - 1], seconds[half - 1]
        more_first = firsts[half] if half < above else 0
        more_second = seconds[half] if half < below else 0
        ways += [2 * first * second, more_first * second + first * more_second]
    return _as_improbable(ways, ways[runs])


def runs_moments(above: int, below: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of the number of runs, given how many throws lie on each side."""
    both, cross = above + below, 2 * above * below
    return 1 + Fraction(cross, both), Fraction(cross * (cross - both), both**2 * (both - 1))


def equal_cells_chance(counts: Sequence[int]) -> float:
    """The p-value of counts over equiprobable cells.

    Unevenness is measured by the sum of squares, as in chi-square. Each partition stands for all its arrangements over
    the cells.
    """
    cells, cases = len(counts), sum(counts)
    observed = sum(count**2 for count in counts)
    ways = 0
    for parts in _splits(cases, cells, cases):
        if sum(part**2 for part in parts) >= observed:
            padded = [*parts, *[0] * (cells - len(parts))]
            orders = math.factorial(cells) // math.prod(map(math.factorial, Counter(padded).values()))
            ways += orders * (math.factorial(cases) // math.prod(map(math.factorial, parts)))
    return ways / int(cells**cases)


def _splits(cases: int, cells: int, largest: int) -> Iterator[tuple[int, ...]]:
    """All partitions of `cases` into at most `cells` parts, from the largest part down."""
    if cases == 0:
        yield ()
    elif cells:
        for part in range(min(cases, largest), -(-cases // cells) - 1, -1):
            for rest in _splits(cases - part, cells - 1, part):
                yield part, *rest


def _choices(things: int) -> list[int]:
    """The binomial coefficients of `things`."""
    ways = [1]
    for chosen in range(things):
        ways.append(ways[-1] * (things - chosen) // (chosen + 1))
    return ways


def _as_improbable(ways: Sequence[int], observed: int) -> float:
    return sum(way for way in ways if way <= observed) / sum(ways)


def long_run_chance(length: int, trials: int, chance: float) -> float:
    """The probability of a run of at least this many hits somewhere in the trials.

    A run is first completed at a trial if exactly `length` hits follow a miss and no run was completed before that
    miss.
    """
    if length <= 0:
        return 1.0
    if length > trials:
        return 0.0
    if trials > COUNTED:
        return _long_run_estimate(length, trials, chance)
    whole = chance**length
    found = [0.0] * length + [whole]
    for trial in range(length + 1, trials + 1):
        found.append(found[-1] + (1 - found[trial - length - 1]) * (1 - chance) * whole)
    return min(1.0, found[-1])


def _long_run_estimate(length: int, trials: int, chance: float) -> float:
    """The same for very many trials: the probability of no run falls by a constant factor per trial.

    That factor is 1/x, x being the root next above 1 of x = 1 + (1 - chance) × chance^length × x^(length + 1) (Feller).
    """
    if chance * (length + 1) >= length:  # a run is almost certain, and the iteration finds the wrong root
        return 1.0
    x, rate = 1.0, (1 - chance) * chance**length
    for _ in range(200):
        x = 1 + rate * x ** (length + 1)
    none = (1 - chance * x) / ((length + 1 - length * x) * (1 - chance)) * math.exp(-(trials + 1) * math.log(x))
    return min(1.0, max(0.0, 1 - none))


# Multiple testing


def holm(chances: Sequence[float]) -> list[float]:
    """Holm's adjustment of p-values for the number of tests."""
    adjusted = [0.0] * len(chances)
    highest = 0.0
    for made, place in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        highest = max(highest, min(1.0, chances[place] * (len(chances) - made)))
        adjusted[place] = highest
    return adjusted


# Power: what a sample can detect


class Shift(msgspec.Struct, frozen=True):
    """A share that deviates from `fair` by some d over `trials`, detected by a chi-square test.

    With the other cells sharing the rest in their fair proportions, the noncentrality is trials × d² / spread, where
    the spread of a share is fair × (1 - fair), and 1 for a correlation.
    """

    what: str
    fair: Fraction
    spread: Fraction
    trials: int
    degrees: int

    def smallest(self, level: float, power: float) -> float | None:
        """The smallest d detected at this level with this power; None if there is none, or too few trials."""
        if self.fair and self.trials * min(self.fair, 1 - self.fair) < EXPECTED:
            return None
        found = math.sqrt(noncentrality_found(self.degrees, level, power) * self.spread / self.trials)
        return found if self.fair + found <= 1 else None


class RunBias(msgspec.Struct, frozen=True):
    """A share that deviates from `fair` by some d over `trials`, detected by the longest run alone."""

    what: str
    fair: Fraction
    trials: int

    def smallest(self, level: float, power: float) -> float | None:
        """The smallest d detected at this level with this power; None if even a certain hit is not detected."""
        fair = float(self.fair)
        length = next(n for n in range(1, self.trials + 2) if long_run_chance(n, self.trials, fair) <= level)
        if length > self.trials:
            return None
        low, high = fair, 1.0
        while high - low > 1e-6:
            middle = (low + high) / 2
            enough = long_run_chance(length, self.trials, middle) >= power
            low, high = (low, middle) if enough else (middle, high)
        return high - fair


def share(what: str, fair: Fraction, trials: int, degrees: int) -> Shift:
    """The deviation of a share."""
    return Shift(what, fair, fair * (1 - fair), trials, degrees)
