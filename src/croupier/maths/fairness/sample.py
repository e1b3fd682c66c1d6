"""A record of throws as a sample: what is counted in it, and how counts are held against what fair dice would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, comb
from typing import Literal

import msgspec

from croupier.maths.fairness.significance import EXPECTED, LongRun, Shift, chi_square_tail, equal_cells_chance, share
from croupier.maths.fairness.throws import COINS, Kind, Record
from croupier.rules.outcomes import Face

# Over so many cells of equal share every possible count is gone through, where chi-square would be rough.
COUNTED_CELLS = 8
# Faces of one throw go into several pairs, so that few throws would give many pairs that hang together.
INDEPENDENT = 40
# A record in which every throw is sorted, and which would hardly be so by chance, does not keep the dice apart.
SORTED = Fraction(1, 100)


class Cell(msgspec.Struct, frozen=True):
    """What was counted and what fair dice would have given."""

    label: str
    count: int
    expected: Fraction


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One question put to the record. `measure` says what the statistic is; `p` is the chance of one so extreme."""

    name: str
    asks: str
    measure: str
    statistic: Fraction
    p: float
    method: Literal["chi-square", "exact", "normal", "recursion", "estimate"]
    bias: Shift | LongRun
    degrees: int | None = None
    cells: tuple[Cell, ...] = ()


class LeftOut(msgspec.Struct, frozen=True):
    """A test that the record does not allow."""

    name: str
    reason: str


class Sample:
    """The throws, and what is asked of them more than once."""

    def __init__(self, record: Record) -> None:
        self.kind: Kind = record.kind
        self.throws = record.throws
        self.faces: list[Face] = [face for throw in record.throws for face in throw]
        self.values = _values(record.kind)
        self.scores = None if self.values is None else [sum(self.values[face] for face in t) for t in record.throws]

    @property
    def two_up(self) -> bool:
        """Two coins, so that they fall Heads, Odds or Tails."""
        return self.kind.faces == COINS and self.kind.count == 2

    @property
    def fair(self) -> Fraction:
        """The share of each face."""
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

    def cells(self, faces: Sequence[Face]) -> tuple[Cell, ...]:
        """How often each face fell, and should have."""
        counts = Counter(faces)
        return tuple(Cell(str(face), counts[face], len(faces) * self.fair) for face in self.kind.faces)

    @cached_property
    def fair_scores(self) -> dict[int, Fraction]:
        """How likely each total is, or each number of heads."""
        assert self.values is not None, "only faces with values add up"
        ways = Counter({0: 1})
        for _ in range(self.kind.count):
            more: Counter[int] = Counter()
            for total, count in ways.items():
                for value in self.values.values():
                    more[total + value] += count
            ways = more
        return {total: Fraction(ways[total], ways.total()) for total in sorted(ways)}


def _values(kind: Kind) -> dict[Face, int] | None:
    """What faces count: dice their number, a coin one for the first of its two sides; other letters count nothing."""
    if not kind.coins:
        return {face: int(face) for face in kind.faces}
    return {face: int(face == kind.faces[0]) for face in kind.faces} if len(kind.faces) == 2 else None


def chi_square(name: str, asks: str, cells: Sequence[Cell], bias: Shift) -> Answer:
    """Counts against expectations, with as many degrees of freedom as the bias is sought with."""
    return Answer(
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


def even(sample: Sample, name: str, asks: str, cells: Sequence[Cell], what: str) -> Answer | LeftOut:
    """Cells of equal share: by chi-square, or against every possible count where it would be rough."""
    trials = sum(cell.count for cell in cells)
    answer = chi_square(name, asks, cells, share(what, Fraction(1, len(cells)), trials, len(cells) - 1))
    if cells[0].expected >= EXPECTED:
        return answer
    if len(cells) > COUNTED_CELLS:
        each = trials // len(sample.throws)  # a throw may count for several
        return LeftOut(name, f"needs at least {ceil(Fraction(EXPECTED * len(cells), each))} throws")
    chance = equal_cells_chance([cell.count for cell in cells])
    return msgspec.structs.replace(answer, p=chance, method="exact", degrees=None)


def pooled(
    name: str, asks: str, word: str, observed: Sequence[int], fair: Mapping[int, Fraction], labels: Mapping[int, str]
) -> Answer | LeftOut:
    """Chi-square over values in their order, neighbours pooled until each cell expects enough."""
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
        cells.append(Cell(_span([labels[v] for v in group]), sum(counts[v] for v in group), expected))
    largest = max(cells, key=lambda cell: cell.expected)
    what = f"{word} {largest.label}".strip()
    return chi_square(name, asks, cells, share(what, largest.expected / trials, trials, len(cells) - 1))


def _span(labels: Sequence[str]) -> str:
    if len(labels) == 1:
        return labels[0]
    return f"{labels[0]}–{labels[-1]}" if labels[0].isdecimal() else " or ".join(labels)


def _enough(fair: Sequence[Fraction]) -> int:
    """How many throws fill two cells."""
    split = max(min(sum(fair[:at]), sum(fair[at:])) for at in range(1, len(fair)))
    return ceil(EXPECTED / split)


def independent(
    sample: Sample, name: str, asks: str, cells: Sequence[Cell], bias: Shift, needed: int
) -> Answer | LeftOut:
    """Chi-square against expectations that the faces themselves gave; each face that was counted costs a degree."""
    needed = max(needed, INDEPENDENT)
    if len(sample.throws) < needed:
        return LeftOut(name, f"needs at least {needed} throws")
    if any(cell.expected < 1 for cell in cells):
        return LeftOut(name, "a face falls so rarely that nothing can be said of what goes with it")
    return chi_square(name, asks, cells, bias)
