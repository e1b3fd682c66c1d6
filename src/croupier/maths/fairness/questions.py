"""The fairness tests: frequencies within one throw, and dependence between throws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, groupby, pairwise, product
from math import ceil, comb

from croupier.maths.fairness.statistics import (
    COUNTED,
    EXPECTED,
    CountedCell,
    FairnessTest,
    LeftOut,
    RunBias,
    Shift,
    ThrowSample,
    binomial_chance,
    chi_square_tail,
    even,
    independent,
    long_run_chance,
    pooled,
    runs_chance,
    share,
)
from croupier.maths.fairness.throws import COINS
from croupier.rules.outcomes import Face

PLACES = ("first", "second", "third", "fourth")


def face_tests(sample: ThrowSample) -> Iterator[FairnessTest | LeftOut]:
    """Test all faces together, then each die by its position in the record."""
    kind = sample.kind
    coins = kind.faces == COINS
    asks = "Do heads come up half of the time?" if coins else "Do all faces come up equally often?"
    yield _equally_often(sample, "heads" if coins else "faces", asks, sample.faces)
    if kind.count == 1:
        return
    if not sample.kept_apart:
        reason = f"the record sorts the faces of a throw, so it does not keep the {kind.many} apart"
        yield LeftOut(f"each {kind.one}", reason)
        return
    for place in range(kind.count):
        asks = f"The same for the {kind.one} written {PLACES[place]}, if the record keeps the {kind.many} apart."
        yield _equally_often(sample, f"{kind.one} {place + 1}", asks, [throw[place] for throw in sample.throws])


def _equally_often(sample: ThrowSample, name: str, asks: str, faces: Sequence[Face]) -> FairnessTest | LeftOut:
    cells = sample.cells(faces)
    if len(cells) > 2:
        return even(sample, name, asks, cells, "one face")
    word = "heads" if sample.kind.faces == COINS else cells[0].label
    return _hits(name, asks, word, cells)


def _hits(name: str, asks: str, word: str, cells: tuple[CountedCell, ...]) -> FairnessTest:
    """An exact binomial test of hits and misses."""
    hits, trials = cells[0].count, cells[0].count + cells[1].count
    fair = cells[0].expected / trials
    return FairnessTest(
        name=name,
        asks=asks,
        measure=word,
        statistic=Fraction(hits),
        p=binomial_chance(hits, trials, fair),
        method="exact" if trials <= COUNTED else "normal",
        bias=share(word, fair, trials, 1),
        cells=cells,
    )


def totals(sample: ThrowSample) -> FairnessTest | LeftOut:
    """Test the totals of the dice."""
    assert sample.scores is not None, "asked of faces that add up"
    asks = f"Do the totals come up as often as those of fair {sample.kind.many}?"
    labels = {total: str(total) for total in sample.fair_scores}
    return pooled("totals", asks, "total", sample.scores, sample.fair_scores, labels)


def outcomes(sample: ThrowSample) -> FairnessTest | LeftOut:
    """Test coins one by one if the record keeps them apart, else the number of heads."""
    kind, trials = sample.kind, len(sample.throws)
    if not sample.kept_apart:
        return _heads_together(sample)
    counts, possible = Counter(sample.throws), list(product(kind.faces, repeat=kind.count))
    cells = [CountedCell("".join(map(str, fell)), counts[fell], Fraction(trials, len(possible))) for fell in possible]
    asks = f"Do {', '.join(cell.label for cell in cells)} come up equally often?"
    return even(sample, "outcomes", asks, cells, "one outcome")


def _heads_together(sample: ThrowSample) -> FairnessTest | LeftOut:
    assert sample.scores is not None, "coins have two sides"
    labels = {score: f"{score} {sample.kind.faces[0]}" for score in sample.fair_scores}
    if sample.two_up:
        labels = {0: "Tails", 1: "Odds", 2: "Heads"}
    asks = f"Do {', '.join(labels.values())} come up as often as they should?"
    return pooled("outcomes", asks, "", sample.scores, sample.fair_scores, labels)


def alike(sample: ThrowSample) -> FairnessTest | LeftOut:
    """Test how many dice of a throw show the same face."""
    kind, trials = sample.kind, len(sample.throws)
    if kind.count > 2:
        return _patterns(sample)
    doubles = sum(first == second for first, second in sample.throws)
    same = CountedCell("doubles", doubles, trials * sample.fair)
    other = CountedCell("odds" if sample.two_up else "different", trials - doubles, trials * (1 - sample.fair))
    if sample.two_up:
        return _hits("odds", "Do the two coins differ half of the time?", "odds", (other, same))
    asks = f"Do the two {kind.many} show the same face one time in {len(kind.faces)}?"
    return _hits("doubles", asks, "doubles", (same, other))


def _patterns(sample: ThrowSample) -> FairnessTest | LeftOut:
    """Test patterns (three alike, a pair, all different), from rarest to most common."""
    outcomes = product(sample.kind.faces, repeat=sample.kind.count)
    ways = Counter(_pattern(outcome) for outcome in outcomes)
    ranked = sorted(ways, key=lambda pattern: (ways[pattern], pattern))
    fair = {place: Fraction(ways[pattern], ways.total()) for place, pattern in enumerate(ranked)}
    observed = [ranked.index(_pattern(throw)) for throw in sample.throws]
    labels = {place: _called(pattern) for place, pattern in enumerate(ranked)}
    asks = f"Are {sample.kind.many} of one throw alike as often as they should be?"
    return pooled("alike", asks, "", observed, fair, labels)


def _pattern(throw: Sequence[Face]) -> tuple[int, ...]:
    return tuple(sorted(Counter(throw).values(), reverse=True))


def _called(pattern: tuple[int, ...]) -> str:
    """Name a pattern: `(2, 1)` is a pair."""
    if pattern == (2, 2):
        return "two pairs"
    return {1: "all different", 2: "a pair", 3: "three alike", 4: "four alike"}[pattern[0]]


def pairs(sample: ThrowSample) -> FairnessTest | LeftOut:
    """Test every unordered pair of dice in a throw for independence.

    Expected counts come from the observed frequency of each face, so a loaded face does not count again here. Pairs of
    one throw that share a die have no common part beyond their faces, so three dice give three pairs to count.
    """
    kind, faces = sample.kind, sample.kind.faces
    counts = Counter(frozenset(pair) for throw in sample.throws for pair in combinations(throw, 2))
    fell, trials = Counter(sample.faces), len(sample.throws) * comb(kind.count, 2)
    cells = []
    for first, second in combinations_with_replacement(faces, 2):
        both = Fraction(fell[first] * fell[second], len(sample.faces) ** 2)
        expected = trials * (both if first == second else 2 * both)
        label = f"{first}{second}" if kind.coins else f"{first}-{second}"
        cells.append(CountedCell(label, counts[frozenset((first, second))], expected))
    asks = f"Are the {kind.many} of one throw independent, given how often each face comes up?"
    needed = ceil(Fraction(EXPECTED * len(faces) ** 2, comb(kind.count, 2)))
    bias = share(f"{kind.many} alike", sample.fair, trials, comb(len(faces), 2))
    return independent(sample, "pairs", asks, cells, bias, needed)


# Dependence between throws: runs, longest runs, serial correlation and transitions

# Below this many throws a correlation is not close enough to normal.
CORRELATED = 20
LAGS = 10
# Throws needed per lag: a sum of squared correlations needs more than a single one.
PER_LAG = 40


def side_runs(sample: ThrowSample) -> Iterator[FairnessTest | LeftOut]:
    """Test runs above and below the fair median total; throws at the median are skipped."""
    assert sample.scores is not None, "asked of faces that add up"
    fair = sample.fair_scores
    middle = _middle(fair)
    sides = [score > middle for score in sample.scores if score != middle]
    over = sum((p for score, p in fair.items() if score > middle), Fraction(0))
    under = sum((p for score, p in fair.items() if score < middle), Fraction(0))
    yield _runs("runs", f"Do {_sides_named(sample, middle)} alternate as often as they should?", sides)
    if over == under:
        yield _longest(sides)
    else:
        yield LeftOut("longest run", "fair totals are not above and below their median equally often")


def _middle(fair: Mapping[int, Fraction]) -> Fraction:
    """The median of fair totals: the midpoint if it lies between two of them."""
    values, below = list(fair), Fraction(0)
    for value, following in pairwise(values):
        below += fair[value]
        if below == Fraction(1, 2):
            return Fraction(value + following, 2)
        if below > Fraction(1, 2):
            return Fraction(value)
    return Fraction(values[-1])


def _sides_named(sample: ThrowSample, middle: Fraction) -> str:
    if sample.two_up:
        return "Heads and Tails (Odds skipped)"
    if sample.kind.faces == COINS:
        return "more heads and more tails" if sample.kind.count > 1 else "heads and tails"
    if middle.denominator > 1:
        return f"throws above and below {float(middle)}"
    passed = f" ({middle}s skipped)" if middle in sample.fair_scores else ""
    return f"throws above and below {middle}{passed}"


def odds_runs(sample: ThrowSample) -> Iterator[FairnessTest | LeftOut]:
    """Test runs of Odds against the rest for two coins, and the longest run of Odds."""
    odds = [first != second for first, second in sample.throws]
    yield _runs("odds runs", "Do Odds and the rest alternate as often as they should?", odds)
    longest = max((len(list(run)) for odd, run in groupby(odds) if odd), default=0)
    yield FairnessTest(
        name="longest odds",
        asks="Are there more Odds in a row than chance explains?",
        measure="in a row",
        statistic=Fraction(longest),
        p=long_run_chance(longest, len(odds), 0.5),
        method="recursion" if len(odds) <= COUNTED else "estimate",
        bias=RunBias("odds", Fraction(1, 2), len(odds)),
    )


def _runs(name: str, asks: str, sides: Sequence[bool]) -> FairnessTest | LeftOut:
    """Wald–Wolfowitz test: the number of runs, given how many throws lie on each side."""
    above = sum(sides)
    below = len(sides) - above
    if not above or not below:
        return LeftOut(name, "no two throws are on different sides")
    runs = 1 + sum(before != now for before, now in pairwise(sides))
    return FairnessTest(
        name=name,
        asks=asks,
        measure="runs",
        statistic=Fraction(runs),
        p=runs_chance(above, below, runs),
        method="exact" if len(sides) <= COUNTED else "normal",
        bias=share("same side", Fraction(1, 2), len(sides) - 1, 1),
    )


def _longest(sides: Sequence[bool]) -> FairnessTest | LeftOut:
    """Test the longest run. A run on one side is a run of repeats: a fair coin for each throw after the first."""
    if len(sides) < 2:
        return LeftOut("longest run", "fewer than two throws are on a side")
    longest, trials = max(len(list(run)) for _, run in groupby(sides)), len(sides) - 1
    return FairnessTest(
        name="longest run",
        asks="Is the longest run on one side longer than chance explains?",
        measure="in a row",
        statistic=Fraction(longest),
        p=long_run_chance(longest - 1, trials, 0.5),
        method="recursion" if trials <= COUNTED else "estimate",
        bias=RunBias("same side", Fraction(1, 2), trials),
    )


def serial(sample: ThrowSample) -> Iterator[FairnessTest | LeftOut]:
    """Test the serial correlation of totals: at lag 1 alone, and over the first few lags together."""
    scores = sample.scores
    assert scores is not None, "asked of faces that add up"
    n, what = len(scores), "number of heads" if sample.kind.faces == COINS else "total"
    if n < CORRELATED or len(set(scores)) == 1:
        same = "every throw has the same total"
        yield LeftOut("correlation", same if n >= CORRELATED else f"needs at least {CORRELATED} throws")
        return
    lags = max(1, min(LAGS, n // PER_LAG))
    correlations = [correlation(scores, lag) for lag in range(1, lags + 1)]
    squares = [standard_square(r, n, lag) for lag, r in enumerate(correlations, start=1)]
    yield FairnessTest(
        name="next throw",
        asks=f"Does the {what} of a throw say anything about the next one?",
        measure="r",
        statistic=correlations[0],
        p=chi_square_tail(squares[0], 1),
        method="normal",
        bias=Shift("correlation", Fraction(0), Fraction(1), n, 1),
    )
    if lags > 1:
        yield FairnessTest(
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
    """The squared standardised correlation, using the mean and variance of a shuffled normal sample."""
    mean = Fraction(lag - n, n * (n - 1))
    spread = n**4 - (lag + 3) * n**3 + 3 * lag * n**2 + 2 * lag * (lag + 1) * n - 4 * lag**2
    return (r - mean) ** 2 / Fraction(spread, (n + 1) * n**2 * (n - 1) ** 2)


def transitions(sample: ThrowSample) -> FairnessTest | LeftOut:
    """Test every face of a throw against every face of the next for independence."""
    faces, count, steps = sample.kind.faces, sample.kind.count, len(sample.throws) - 1
    counts: Counter[tuple[Face, Face]] = Counter()
    for now, following in pairwise(sample.throws):
        counts.update(product(now, following))
    before = Counter(face for throw in sample.throws[:-1] for face in throw)
    after = Counter(face for throw in sample.throws[1:] for face in throw)
    cells = [
        CountedCell(f"{a}→{b}", counts[a, b], Fraction(before[a] * after[b], steps)) for a, b in product(faces, faces)
    ]
    asks = "Does a face say anything about the faces of the next throw?"
    bias = share("same face", sample.fair, steps * count**2, (len(faces) - 1) ** 2)
    needed = ceil(Fraction(EXPECTED * len(faces) ** 2, count**2)) + 1
    return independent(sample, "transitions", asks, cells, bias, needed)
