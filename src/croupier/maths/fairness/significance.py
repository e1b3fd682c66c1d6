"""How rare a figure is when chance alone is at work, and what a sample of a given size can show at all.

Counts come in exact and a probability leaves as a float. Where integers can count every possible case, they do;
elsewhere the chi-square distribution is used, whose tail is a finite sum for whole degrees of freedom.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

import msgspec

# Beyond so many trials every case is no longer counted one by one: the chi-square distribution is as good by then.
COUNTED = 5_000

# A cell that expects less than this is too thin for chi-square.
EXPECTED = 5

# The levels and powers that people ask for lie well inside of these; outside, floats would no longer carry the answer.
LEVELS = (0.0001, 0.5)
POWERS = (0.5, 0.9999)


# -- the chi-square distribution --------------------------------------------------------------------------------------


def chi_square_tail(value: float | Fraction, degrees: int) -> float:
    """The chance of a chi-square value as large as this or larger."""
    half = float(value) / 2
    if half <= 0:
        return 1.0
    tail = math.exp(-half) if degrees % 2 == 0 else math.erfc(math.sqrt(half))
    for lower in range(2 - degrees % 2, degrees, 2):
        tail += _step(half, lower)
    return min(1.0, tail)


def noncentral_tail(value: float, degrees: int, noncentrality: float) -> float:
    """The same chance when the truth differs from what is tested: chi-square tails, mixed in Poisson shares."""
    half = value / 2
    weight = math.exp(-noncentrality / 2)
    tail = chi_square_tail(value, degrees)
    total, used, number = weight * tail, weight, 0
    # Weights rise before they fall; what is left out at the end is smaller than what a float holds.
    while weight > 1e-18 or number < noncentrality / 2:
        tail += _step(half, degrees + 2 * number)
        number += 1
        weight *= noncentrality / 2 / number
        total += weight * tail
        used += weight
    return min(1.0, total / used)


def _step(half: float, degrees: int) -> float:
    """How much more the tail holds with two degrees of freedom more."""
    return math.exp(degrees / 2 * math.log(half) - half - math.lgamma(degrees / 2 + 1))


@cache
def critical_value(degrees: int, level: float) -> float:
    """The chi-square value that chance alone reaches with this probability."""
    low, high = 0.0, 1.0
    while chi_square_tail(high, degrees) > level:
        high *= 2
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if chi_square_tail(middle, degrees) > level else (low, middle)
    return high


@cache
def noncentrality_found(degrees: int, level: float, power: float) -> float:
    """The smallest noncentrality that a chi-square test at this level finds with this probability."""
    critical = critical_value(degrees, level)
    low, high = 0.0, 1.0
    while noncentral_tail(critical, degrees, high) < power:
        high *= 2
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if noncentral_tail(critical, degrees, middle) < power else (low, middle)
    return high


# -- every case counted -----------------------------------------------------------------------------------------------


def binomial_chance(hits: int, trials: int, chance: Fraction) -> float:
    """The chance of a number of hits as improbable as this one or more so, on either side."""
    if trials > COUNTED:
        mean = trials * chance
        return chi_square_tail((hits - mean) ** 2 / (mean * (1 - chance)), 1)
    won, lost = chance.numerator, chance.denominator - chance.numerator
    ways = [lost**trials]
    for hit in range(trials):
        ways.append(ways[-1] * (trials - hit) * won // ((hit + 1) * lost))
    return _as_improbable(ways, ways[hits])


def runs_chance(above: int, below: int, runs: int) -> float:
    """The chance of a number of runs as improbable as this one or more so, given how many lie on each side."""
    if above + below > COUNTED:
        mean, variance = runs_moments(above, below)
        return chi_square_tail((runs - mean) ** 2 / variance, 1)
    firsts, seconds = _choices(above - 1), _choices(below - 1)
    ways = [0, 0]  # of 0 runs and of 1 run: there are two sides, so there are two runs at least
    for half in range(1, min(above, below) + 1):
        first, second = firsts[half - 1], seconds[half - 1]
        more_first = firsts[half] if half < above else 0
        more_second = seconds[half] if half < below else 0
        ways += [2 * first * second, more_first * second + first * more_second]
    return _as_improbable(ways, ways[runs])


def runs_moments(above: int, below: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of the number of runs, given how many lie on each side."""
    both, cross = above + below, 2 * above * below
    return 1 + Fraction(cross, both), Fraction(cross * (cross - both), both**2 * (both - 1))


def equal_cells_chance(counts: Sequence[int]) -> float:
    """The chance of counts as uneven as these, when each case falls into any of the cells alike.

    Uneven is measured by the sum of squares, as chi-square does. Each way to split the cases stands for all its
    arrangements over the cells.
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
    """All ways to split cases into at most so many parts, from the largest part down."""
    if cases == 0:
        yield ()
    elif cells:
        for part in range(min(cases, largest), -(-cases // cells) - 1, -1):
            for rest in _splits(cases - part, cells - 1, part):
                yield part, *rest


def _choices(things: int) -> list[int]:
    """In how many ways none, one, two … of the things are chosen."""
    ways = [1]
    for chosen in range(things):
        ways.append(ways[-1] * (things - chosen) // (chosen + 1))
    return ways


def _as_improbable(ways: Sequence[int], observed: int) -> float:
    return sum(way for way in ways if way <= observed) / sum(ways)


def long_run_chance(length: int, trials: int, chance: float) -> float:
    """The chance of so many hits in a row, or more, somewhere in the trials.

    A run is first completed at a trial where the hits before it follow a miss, and nothing before that was one.
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
    """The same for very many trials: the chance that there is none falls by a constant factor with every trial.

    That factor is 1/x, x being the root next above 1 of x = 1 + (1 - chance) × chance^length × x^(length + 1) (Feller).
    """
    if chance * (length + 1) >= length:  # hits are so likely that a run is as good as certain; the root is another one
        return 1.0
    x, rate = 1.0, (1 - chance) * chance**length
    for _ in range(200):
        x = 1 + rate * x ** (length + 1)
    none = (1 - chance * x) / ((length + 1 - length * x) * (1 - chance)) * math.exp(-(trials + 1) * math.log(x))
    return min(1.0, max(0.0, 1 - none))


# -- many tests at once -----------------------------------------------------------------------------------------------


def holm(chances: Sequence[float]) -> list[float]:
    """Each chance raised for the number of tests made, as Holm does it: from the smallest, and never falling."""
    adjusted = [0.0] * len(chances)
    highest = 0.0
    for made, place in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        highest = max(highest, min(1.0, chances[place] * (len(chances) - made)))
        adjusted[place] = highest
    return adjusted


# -- what a sample can show -------------------------------------------------------------------------------------------


class Shift(msgspec.Struct, frozen=True):
    """A share that departs from `fair` by some d in `trials`, seen by a chi-square test.

    With the other cells sharing the rest in their fair proportions, the noncentrality is trials × d² / spread, where
    the spread of a share is fair × (1 - fair), and 1 for a correlation.
    """

    what: str
    fair: Fraction
    spread: Fraction
    trials: int
    degrees: int

    def smallest(self, level: float, power: float) -> float | None:
        """The smallest d that is found at this level with this power; None where there is none, or too few trials."""
        if self.fair and self.trials * min(self.fair, 1 - self.fair) < EXPECTED:
            return None
        found = math.sqrt(noncentrality_found(self.degrees, level, power) * self.spread / self.trials)
        return found if self.fair + found <= 1 else None


class LongRun(msgspec.Struct, frozen=True):
    """A share that departs from `fair` by some d in `trials`, seen by the longest run alone."""

    what: str
    fair: Fraction
    trials: int

    def smallest(self, level: float, power: float) -> float | None:
        """The smallest d that is found at this level with this power; None where even a certainty is not."""
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
    """The departure of a share."""
    return Shift(what, fair, fair * (1 - fair), trials, degrees)
