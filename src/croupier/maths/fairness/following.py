"""What follows what: runs, the longest of them, correlation, and which face comes after which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise, product
from math import ceil

from croupier.maths.fairness.sample import Answer, Cell, LeftOut, Sample, independent
from croupier.maths.fairness.significance import (
    COUNTED,
    EXPECTED,
    LongRun,
    Shift,
    chi_square_tail,
    long_run_chance,
    runs_chance,
    share,
)
from croupier.maths.fairness.throws import COINS
from croupier.rules.outcomes import Face

# Correlations over fewer throws are not near enough to normal.
CORRELATED = 20
LAGS = 10
# So many throws for each lag: a sum of squared correlations needs more than one of them does.
PER_LAG = 40


def side_runs(sample: Sample) -> Iterator[Answer | LeftOut]:
    """Throws above and below the middle of fair totals; those in the middle are passed over."""
    assert sample.scores is not None, "asked of faces that add up"
    fair = sample.fair_scores
    middle = _middle(fair)
    sides = [score > middle for score in sample.scores if score != middle]
    over = sum((p for score, p in fair.items() if score > middle), Fraction(0))
    under = sum((p for score, p in fair.items() if score < middle), Fraction(0))
    yield _runs("runs", f"Do {_sides_named(sample, middle)} take turns as they should?", sides)
    if over == under:
        yield _longest(sides)
    else:
        yield LeftOut("longest run", "fair totals are not as often above their middle as below it")


def _middle(fair: Mapping[int, Fraction]) -> Fraction:
    """The median of fair totals: half-way where it lies between two of them."""
    values, below = list(fair), Fraction(0)
    for value, following in pairwise(values):
        below += fair[value]
        if below == Fraction(1, 2):
            return Fraction(value + following, 2)
        if below > Fraction(1, 2):
            return Fraction(value)
    return Fraction(values[-1])


def _sides_named(sample: Sample, middle: Fraction) -> str:
    if sample.two_up:
        return "Heads and Tails (Odds passed over)"
    if sample.kind.faces == COINS:
        return "more heads and more tails" if sample.kind.count > 1 else "heads and tails"
    if middle.denominator > 1:
        return f"throws above and below {float(middle)}"
    passed = f" ({middle}s passed over)" if middle in sample.fair_scores else ""
    return f"throws above and below {middle}{passed}"


def odds_runs(sample: Sample) -> Iterator[Answer | LeftOut]:
    """Two coins: Odds and the rest in turns, and Odds in a row."""
    odds = [first != second for first, second in sample.throws]
    yield _runs("odds runs", "Do Odds and the rest take turns as they should?", odds)
    longest = max((len(list(run)) for odd, run in groupby(odds) if odd), default=0)
    yield Answer(
        name="longest odds",
        asks="Are there more Odds in a row than chance makes?",
        measure="in a row",
        statistic=Fraction(longest),
        p=long_run_chance(longest, len(odds), 0.5),
        method="recursion" if len(odds) <= COUNTED else "estimate",
        bias=LongRun("odds", Fraction(1, 2), len(odds)),
    )


def _runs(name: str, asks: str, sides: Sequence[bool]) -> Answer | LeftOut:
    """Wald and Wolfowitz: the number of runs, given how many throws lie on each side."""
    above = sum(sides)
    below = len(sides) - above
    if not above or not below:
        return LeftOut(name, "no two throws fall on different sides")
    runs = 1 + sum(before != now for before, now in pairwise(sides))
    return Answer(
        name=name,
        asks=asks,
        measure="runs",
        statistic=Fraction(runs),
        p=runs_chance(above, below, runs),
        method="exact" if len(sides) <= COUNTED else "normal",
        bias=share("same side", Fraction(1, 2), len(sides) - 1, 1),
    )


def _longest(sides: Sequence[bool]) -> Answer | LeftOut:
    """A run of one side is a run of "the same again": a fair coin for each throw after the first."""
    if len(sides) < 2:
        return LeftOut("longest run", "fewer than two throws fall on a side")
    longest, trials = max(len(list(run)) for _, run in groupby(sides)), len(sides) - 1
    return Answer(
        name="longest run",
        asks="Is the longest run on one side longer than chance makes it?",
        measure="in a row",
        statistic=Fraction(longest),
        p=long_run_chance(longest - 1, trials, 0.5),
        method="recursion" if trials <= COUNTED else "estimate",
        bias=LongRun("same side", Fraction(1, 2), trials),
    )


def serial(sample: Sample) -> Iterator[Answer | LeftOut]:
    """The correlation of totals with those that follow: the next one alone, and the next few together."""
    scores = sample.scores
    assert scores is not None, "asked of faces that add up"
    n, what = len(scores), "number of heads" if sample.kind.faces == COINS else "total"
    if n < CORRELATED or len(set(scores)) == 1:
        same = "every throw has the same total, so nothing can go with it"
        yield LeftOut("correlation", same if n >= CORRELATED else f"needs at least {CORRELATED} throws")
        return
    lags = max(1, min(LAGS, n // PER_LAG))
    correlations = [correlation(scores, lag) for lag in range(1, lags + 1)]
    squares = [standard_square(r, n, lag) for lag, r in enumerate(correlations, start=1)]
    yield Answer(
        name="next throw",
        asks=f"Does the {what} of a throw say anything about the next one?",
        measure="r",
        statistic=correlations[0],
        p=chi_square_tail(squares[0], 1),
        method="normal",
        bias=Shift("correlation", Fraction(0), Fraction(1), n, 1),
    )
    if lags > 1:
        yield Answer(
            name=f"next {lags}",
            asks=f"Does the {what} say anything about any of the next {lags}?",
            measure="χ²",
            statistic=sum(squares, Fraction(0)),
            p=chi_square_tail(sum(squares), lags),
            method="chi-square",
            bias=Shift("correlation", Fraction(0), Fraction(1), n, lags),
            degrees=lags,
        )


def correlation(scores: Sequence[int], lag: int) -> Fraction:
    """The serial correlation of scores at a lag, about their mean."""
    n, total = len(scores), sum(scores)
    apart = [n * score - total for score in scores]
    return Fraction(sum(a * b for a, b in zip(apart, apart[lag:], strict=False)), sum(a * a for a in apart))


def standard_square(r: Fraction, n: int, lag: int) -> Fraction:
    """The correlation less its mean, squared, in units of its variance, both those of a shuffled normal sample."""
    mean = Fraction(lag - n, n * (n - 1))
    spread = n**4 - (lag + 3) * n**3 + 3 * lag * n**2 + 2 * lag * (lag + 1) * n - 4 * lag**2
    return (r - mean) ** 2 / Fraction(spread, (n + 1) * n**2 * (n - 1) ** 2)


def transitions(sample: Sample) -> Answer | LeftOut:
    """Every face of a throw with every face of the next, against what their shares would give."""
    faces, count, steps = sample.kind.faces, sample.kind.count, len(sample.throws) - 1
    counts: Counter[tuple[Face, Face]] = Counter()
    for now, following in pairwise(sample.throws):
        counts.update(product(now, following))
    before = Counter(face for throw in sample.throws[:-1] for face in throw)
    after = Counter(face for throw in sample.throws[1:] for face in throw)
    cells = [Cell(f"{a}→{b}", counts[a, b], Fraction(before[a] * after[b], steps)) for a, b in product(faces, faces)]
    asks = "Does a face say anything about the faces of the next throw?"
    bias = share("same face", sample.fair, steps * count**2, (len(faces) - 1) ** 2)
    needed = ceil(Fraction(EXPECTED * len(faces) ** 2, count**2)) + 1
    return independent(sample, "transitions", asks, cells, bias, needed)
