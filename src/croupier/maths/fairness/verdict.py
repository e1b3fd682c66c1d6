"""Are the dice fair? Questions put to a record of throws, and the smallest bias that each could have shown.

Every question is what fair dice or coins, thrown independently, would do. Counts and statistics are exact; only the
chance at the end is a float. Nothing depends on the order in which a throw names its dice, but for the tests of each
die by its place, which are left out where the record visibly sorts the faces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from croupier.maths.fairness.questions import (
    alike,
    face_tests,
    odds_runs,
    outcomes,
    pairs,
    serial,
    side_runs,
    totals,
    transitions,
)
from croupier.maths.fairness.statistics import Answer, Cell, LeftOut, Sample, holm
from croupier.maths.fairness.throws import Kind, Record, ThrowsError


class Finding(msgspec.Struct, frozen=True):
    """A test with its chance adjusted for their number, and the smallest bias it finds, alone and among all of them."""

    test: Answer
    adjusted: float
    alone: float | None
    together: float | None


class Fairness(msgspec.Struct, frozen=True):
    """All that the record shows."""

    record: Record
    level: float
    power: float
    faces: tuple[Cell, ...]
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def against(self) -> tuple[Finding, ...]:
        """What speaks against fair dice."""
        return tuple(finding for finding in self.findings if finding.adjusted <= self.level)


def judge_throws(record: Record, level: float = 0.05, power: float = 0.9) -> Fairness:
    """Put every question that the record can answer. Raises ThrowsError for a single throw."""
    if len(record.throws) < 2:
        raise ThrowsError("one throw shows nothing; a record needs two at least")
    sample = Sample(record)
    made = list(_tests(sample))
    tests = [test for test in made if isinstance(test, Answer)]
    adjusted = holm([test.p for test in tests])
    findings = [
        Finding(test, chance, test.bias.smallest(level, power), test.bias.smallest(level / len(tests), power))
        for test, chance in zip(tests, adjusted, strict=True)
    ]
    left_out = tuple(test for test in made if isinstance(test, LeftOut))
    return Fairness(record, level, power, sample.cells(sample.faces), tuple(findings), left_out)


def _tests(sample: Sample) -> Iterator[Answer | LeftOut]:
    """The questions, in the order in which they are shown."""
    yield from face_tests(sample)
    several, two_sided = sample.kind.count > 1, sample.kind.coins and len(sample.kind.faces) == 2
    if several and two_sided:
        yield outcomes(sample)
    elif several and sample.scores is not None:
        yield totals(sample)
    if several:
        yield alike(sample)
    if several and not sample.two_up:  # two coins are alike or not: asked already
        yield pairs(sample)
    if sample.scores is not None:
        yield from side_runs(sample)
        if sample.two_up:
            yield from odds_runs(sample)
        yield from serial(sample)
    yield transitions(sample)


def verdict(fairness: Fairness) -> str:
    """What may be said in the end, and no more than that."""
    kind, findings = fairness.record.kind, fairness.findings
    fair = f"a fair {kind.one}" if kind.count == 1 else f"fair {kind.many}"
    if not findings:
        return "There are too few throws to say anything."
    if not fairness.against:
        return f"Nothing here speaks against {fair}. {_unseen(fairness)}"
    names = [finding.test.name for finding in fairness.against]
    listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    tests, speak = ("test", "speaks") if len(names) == 1 else ("tests", "speak")
    return (
        f"The {tests} of {listed} {speak} against {fair}, which would be suspected wrongly in at most "
        f"{_percent(fairness.level)} of records. {_reason(kind, names)}"
    )


def _reason(kind: Kind, names: Sequence[str]) -> str:
    """Where the fault may lie; a record that puts the larger die first is not the fault of the dice."""
    by_place = [name for name in names if name.startswith(f"{kind.one} ")]
    if by_place and set(names) <= {*by_place, "outcomes"}:
        return f"Only single {kind.many} stand out: one may be biased, or the record writes them in some order."
    return f"The reason may lie in the {kind.one if kind.count == 1 else kind.many}, the throwing or the record."


def _unseen(fairness: Fairness) -> str:
    """How large a bias may be there all the same, by the first test, which is that of the faces."""
    first = fairness.findings[0]
    what = first.test.bias.what
    if first.alone is None:
        return "But there are too few throws to say how large a bias would have shown."
    together = "none" if first.together is None else f"{_points(first.together)} points too often"
    return (
        f"{what.capitalize()} falling {_points(first.alone)} percentage points too often would have been found "
        f"{_percent(fairness.power)} of the time by the test of {first.test.name} alone, and {together} with all "
        f"{len(fairness.findings)} tests judged together. A smaller bias may be there unnoticed."
    )


def _percent(chance: float) -> str:
    return f"{100 * chance:.4g}%"


def _points(shift: float) -> str:
    return f"{100 * shift:.{_decimals(shift)}f}"


def shown_share(fair: float, shift: float) -> str:
    """A share that is too large, and the fair one in brackets: `19.1% (16.7%)`."""
    return f"{fair + shift:.{_decimals(shift)}%} ({fair:.{_decimals(shift)}%})"


def _decimals(shift: float) -> int:
    """So many that a small bias does not vanish in rounding."""
    return 1 if shift >= 0.005 else 2 if shift >= 0.0005 else 4
