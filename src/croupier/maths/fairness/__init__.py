"""Are the dice fair? Run the tests on a record of throws, with the smallest bias that each could have detected.

The null hypothesis is always fair dice or coins, thrown independently. Counts and statistics are exact; only p-values
are floats. Nothing depends on the order in which a throw names its dice, except the tests of each die by position,
which are left out if the record visibly sorts the faces.
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
from croupier.maths.fairness.statistics import CountedCell, FairnessTest, LeftOut, ThrowSample, holm
from croupier.maths.fairness.throws import ThrowKind, ThrowRecord, ThrowsError


class FairnessFinding(msgspec.Struct, frozen=True):
    """A test with its adjusted p-value, and the smallest bias it detects, alone and among all tests."""

    test: FairnessTest
    adjusted: float
    alone: float | None
    together: float | None


class Fairness(msgspec.Struct, frozen=True):
    """The results of all tests on a record."""

    record: ThrowRecord
    level: float
    power: float
    faces: tuple[CountedCell, ...]
    findings: tuple[FairnessFinding, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def against(self) -> tuple[FairnessFinding, ...]:
        """The findings that reject fair dice."""
        return tuple(finding for finding in self.findings if finding.adjusted <= self.level)


def judge_throws(record: ThrowRecord, level: float = 0.05, power: float = 0.9) -> Fairness:
    """Run every test that the record allows. Raises ThrowsError for a single throw."""
    if len(record.throws) < 2:
        raise ThrowsError("a record needs at least two throws")
    sample = ThrowSample(record)
    made = list(_tests(sample))
    tests = [test for test in made if isinstance(test, FairnessTest)]
    adjusted = holm([test.p for test in tests])
    findings = [
        FairnessFinding(test, chance, test.bias.smallest(level, power), test.bias.smallest(level / len(tests), power))
        for test, chance in zip(tests, adjusted, strict=True)
    ]
    left_out = tuple(test for test in made if isinstance(test, LeftOut))
    return Fairness(record, level, power, sample.cells(sample.faces), tuple(findings), left_out)


def _tests(sample: ThrowSample) -> Iterator[FairnessTest | LeftOut]:
    """The tests, in display order."""
    yield from face_tests(sample)
    several, two_sided = sample.kind.count > 1, sample.kind.coins and len(sample.kind.faces) == 2
    if several and two_sided:
        yield outcomes(sample)
    elif several and sample.scores is not None:
        yield totals(sample)
    if several:
        yield alike(sample)
    if several and not sample.two_up:  # for two coins this is the doubles test again
        yield pairs(sample)
    if sample.scores is not None:
        yield from side_runs(sample)
        if sample.two_up:
            yield from odds_runs(sample)
        yield from serial(sample)
    yield transitions(sample)


def verdict(fairness: Fairness) -> str:
    """Say what the tests support, and no more."""
    kind, findings = fairness.record.kind, fairness.findings
    fair = f"a fair {kind.one}" if kind.count == 1 else f"fair {kind.many}"
    if not findings:
        return "There are too few throws to say anything."
    if not fairness.against:
        return f"Nothing here is evidence against {fair}. {_unseen(fairness)}"
    names = [finding.test.name for finding in fairness.against]
    listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    tests = "test" if len(names) == 1 else "tests"
    rejects = "rejects" if len(names) == 1 else "reject"
    return (
        f"The {tests} of {listed} {rejects} {fair}. The tests would reject {fair} wrongly in at most "
        f"{_percent(fairness.level)} of records. {_reason(kind, names)}"
    )


def _reason(kind: ThrowKind, names: Sequence[str]) -> str:
    """Name possible causes; dice sorted by the record are not the fault of the dice."""
    by_place = [name for name in names if name.startswith(f"{kind.one} ")]
    if by_place and set(names) <= {*by_place, "outcomes"}:
        return f"Only single {kind.many} stand out: one may be biased, or the record writes them in some order."
    return f"The reason may lie in the {kind.one if kind.count == 1 else kind.many}, the throwing or the record."


def _unseen(fairness: Fairness) -> str:
    """Say how large a bias could remain undetected, by the first test, that of the faces."""
    first = fairness.findings[0]
    what = first.test.bias.what
    if first.alone is None:
        return "But there are too few throws to say how large a bias would have shown."
    together = "none" if first.together is None else f"{_points(first.together)} points too often"
    return (
        f"{what.capitalize()} coming up {_points(first.alone)} percentage points too often would have been found "
        f"{_percent(fairness.power)} of the time by the test of {first.test.name} alone, and {together} with all "
        f"{len(fairness.findings)} tests judged together. A smaller bias could go unnoticed."
    )


def _percent(chance: float) -> str:
    return f"{100 * chance:.4g}%"


def _points(shift: float) -> str:
    return f"{100 * shift:.{_decimals(shift)}f}"


def shown_share(fair: float, shift: float) -> str:
    """A share that is too large, with the fair share in brackets: `19.1% (16.7%)`."""
    return f"{fair + shift:.{_decimals(shift)}%} ({fair:.{_decimals(shift)}%})"


def _decimals(shift: float) -> int:
    """Enough decimals to keep a small bias visible after rounding."""
    return 1 if shift >= 0.005 else 2 if shift >= 0.0005 else 4
