"""How often players' numbers were missing, and whose were missing more often than the others' explain.

A house that has accounts of its own in a round could hold back their numbers once it knows all others, and so choose
between throws. It cannot hide that: each number held back is missing in the record, with who had put it in.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, lgamma, log

import msgspec

SURPRISING = 0.001  # so small a chance is no bad luck


class Count(msgspec.Struct, frozen=True):
    """Numbers that were put in and drawn with, and how many of them were missing."""

    put_in: int = 0
    missing: int = 0

    def and_one(self, *, is_missing: bool) -> Count:
        """One more."""
        return Count(self.put_in + 1, self.missing + is_missing)


class Suspicion(msgspec.Struct, frozen=True):
    """A contributor whose numbers are missing more often than those of the others: `chance` is that of bad luck."""

    contributor: int
    put_in: int
    missing: int
    chance: float


class Numbers(msgspec.Struct, frozen=True):
    """The numbers of all rounds that were drawn under protocol 2; `without` are rounds that were drawn with none."""

    put_in: int
    shown: int
    missing: int
    without: int
    contributors: dict[int, Count]
    suspected: tuple[Suspicion, ...]


def tallied(counts: Mapping[int, Count], without: int) -> Numbers:
    """All of it, with what stands out."""
    put_in = sum(count.put_in for count in counts.values())
    missing = sum(count.missing for count in counts.values())
    suspected = []
    for contributor, own in sorted(counts.items()):
        chance = _chance(own, Count(put_in - own.put_in, missing - own.missing))
        if chance < SURPRISING:
            suspected.append(Suspicion(contributor, own.put_in, own.missing, chance))
    return Numbers(put_in, put_in - missing, missing, without, dict(sorted(counts.items())), tuple(suspected))


def _chance(own: Count, others: Count) -> float:
    """How likely it is that so many or more are missing by the bad luck that the others have.

    The others' rate is taken as if one more of theirs were missing and one more shown: few numbers prove little.
    """
    if own.missing == 0:
        return 1.0
    rate = (others.missing + 1) / (others.put_in + 2)
    ways = lgamma(own.put_in + 1)
    return min(
        1.0,
        sum(
            exp(
                ways
                - lgamma(missing + 1)
                - lgamma(own.put_in - missing + 1)
                + missing * log(rate)
                + (own.put_in - missing) * log(1 - rate)
            )
            for missing in range(own.missing, own.put_in + 1)
        ),
    )
