"""What one throw shows: faces, totals, coins together, dice alike, pairs of dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import ceil, comb

from croupier.maths.fairness.sample import Answer, Cell, LeftOut, Sample, even, independent, pooled
from croupier.maths.fairness.significance import COUNTED, EXPECTED, binomial_chance, share
from croupier.maths.fairness.throws import COINS
from croupier.rules.outcomes import Face

PLACES = ("first", "second", "third", "fourth")


def face_tests(sample: Sample) -> Iterator[Answer | LeftOut]:
    """All faces together, then each die by its place in the record."""
    kind = sample.kind
    coins = kind.faces == COINS
    asks = "Do heads fall half of the time?" if coins else "Do all faces fall equally often?"
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


def _equally_often(sample: Sample, name: str, asks: str, faces: Sequence[Face]) -> Answer | LeftOut:
    cells = sample.cells(faces)
    if len(cells) > 2:
        return even(sample, name, asks, cells, "one face")
    word = "heads" if sample.kind.faces == COINS else cells[0].label
    return _hits(name, asks, word, cells)


def _hits(name: str, asks: str, word: str, cells: tuple[Cell, ...]) -> Answer:
    """Hits and misses, counted out."""
    hits, trials = cells[0].count, cells[0].count + cells[1].count
    fair = cells[0].expected / trials
    return Answer(
        name=name,
        asks=asks,
        measure=word,
        statistic=Fraction(hits),
        p=binomial_chance(hits, trials, fair),
        method="exact" if trials <= COUNTED else "normal",
        bias=share(word, fair, trials, 1),
        cells=cells,
    )


def totals(sample: Sample) -> Answer | LeftOut:
    """What the dice of a throw add up to."""
    assert sample.scores is not None, "asked of faces that add up"
    asks = f"Do the totals fall as often as those of fair {sample.kind.many}?"
    labels = {total: str(total) for total in sample.fair_scores}
    return pooled("totals", asks, "total", sample.scores, sample.fair_scores, labels)


def outcomes(sample: Sample) -> Answer | LeftOut:
    """What coins show, one by one where the record keeps them apart; how many heads otherwise."""
    kind, trials = sample.kind, len(sample.throws)
    if not sample.kept_apart:
        return _heads_together(sample)
    counts, possible = Counter(sample.throws), list(product(kind.faces, repeat=kind.count))
    cells = [Cell("".join(map(str, fell)), counts[fell], Fraction(trials, len(possible))) for fell in possible]
    asks = f"Do {', '.join(cell.label for cell in cells)} fall equally often?"
    return even(sample, "outcomes", asks, cells, "one outcome")


def _heads_together(sample: Sample) -> Answer | LeftOut:
    assert sample.scores is not None, "coins have two sides"
    labels = {score: f"{score} {sample.kind.faces[0]}" for score in sample.fair_scores}
    if sample.two_up:
        labels = {0: "Tails", 1: "Odds", 2: "Heads"}
    asks = f"Do {', '.join(labels.values())} fall as often as they should?"
    return pooled("outcomes", asks, "", sample.scores, sample.fair_scores, labels)


def alike(sample: Sample) -> Answer | LeftOut:
    """How many dice of a throw show the same face."""
    kind, trials = sample.kind, len(sample.throws)
    if kind.count > 2:
        return _patterns(sample)
    doubles = sum(first == second for first, second in sample.throws)
    same = Cell("doubles", doubles, trials * sample.fair)
    other = Cell("odds" if sample.two_up else "different", trials - doubles, trials * (1 - sample.fair))
    if sample.two_up:
        return _hits("odds", "Do the two coins differ half of the time?", "odds", (other, same))
    asks = f"Do the two {kind.many} show the same face one time in {len(kind.faces)}?"
    return _hits("doubles", asks, "doubles", (same, other))


def _patterns(sample: Sample) -> Answer | LeftOut:
    """Three alike, a pair, all different: from the rarest to the commonest."""
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
    """`(2, 1)` is a pair."""
    if pattern == (2, 2):
        return "two pairs"
    return {1: "all different", 2: "a pair", 3: "three alike", 4: "four alike"}[pattern[0]]


def pairs(sample: Sample) -> Answer | LeftOut:
    """Every two dice of a throw, in no order, against what their faces would give if they fell independently.

    The expectation comes from how often each face did fall, so that a loaded face does not count again here. Pairs of
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
        cells.append(Cell(label, counts[frozenset((first, second))], expected))
    asks = f"Do the {kind.many} of one throw fall independently, given how often faces fall?"
    needed = ceil(Fraction(EXPECTED * len(faces) ** 2, comb(kind.count, 2)))
    bias = share(f"{kind.many} alike", sample.fair, trials, comb(len(faces), 2))
    return independent(sample, "pairs", asks, cells, bias, needed)
