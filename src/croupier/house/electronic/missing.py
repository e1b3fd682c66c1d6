"""How often players' numbers were missing, and where more were missing than the others explain: of whom, and when.

A house that has accounts of its own in a round could hold back their numbers once it knows all others, and so choose
between throws. It cannot hide that: each number held back is missing in the record, with who had put it in. Where it
uses another account each time, no player stands out; but a round does, as soon as several are held back in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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


class Thin(msgspec.Struct, frozen=True):
    """A round of which more numbers are missing than of the others: `chance` is that of one such round by bad luck."""

    round: int
    put_in: int
    missing: int
    chance: float


class Numbers(msgspec.Struct, frozen=True):
    """The numbers of all rounds that were drawn under protocol 2; `without` are rounds that were drawn with none.

    `incomplete` are rounds of which a number is missing, `empty` those of which all are. `newcomers` counts the first
    number of every player.
    """

    put_in: int
    shown: int
    missing: int
    without: int
    contributors: dict[int, Count]
    suspected: tuple[Suspicion, ...]
    incomplete: int = 0
    empty: int = 0
    newcomers: Count = Count()
    thin: tuple[Thin, ...] = ()


class Tally:
    """Counts numbers, by player and by round."""

    def __init__(self) -> None:
        self._contributors: dict[int, Count] = {}
        self._rounds: dict[int, Count] = {}
        self._newcomers = Count()
        self._without = 0

    def count(self, number: int, contributors: Sequence[int], numbers: Sequence[str]) -> None:
        """Those of a round, by who put them in; "" is one that is missing."""
        self._without += not numbers
        for contributor, own in zip(contributors, numbers, strict=True):
            if contributor not in self._contributors:
                self._newcomers = self._newcomers.and_one(is_missing=not own)
            for counts, which in ((self._contributors, contributor), (self._rounds, number)):
                counts[which] = counts.get(which, Count()).and_one(is_missing=not own)

    def numbers(self) -> Numbers:
        """All of it, with what stands out."""
        told = tallied(self._contributors, self._without)
        return msgspec.structs.replace(
            told,
            incomplete=sum(count.missing > 0 for count in self._rounds.values()),
            empty=sum(count.missing == count.put_in for count in self._rounds.values()),
            newcomers=self._newcomers,
            thin=tuple(_thin(self._rounds, Count(told.put_in, told.missing))),
        )


def tallied(counts: Mapping[int, Count], without: int) -> Numbers:
    """What there is by player."""
    put_in = sum(count.put_in for count in counts.values())
    missing = sum(count.missing for count in counts.values())
    suspected = []
    for contributor, own in sorted(counts.items()):
        chance = _chance(own, Count(put_in - own.put_in, missing - own.missing))
        if chance < SURPRISING:
            suspected.append(Suspicion(contributor, own.put_in, own.missing, chance))
    return Numbers(put_in, put_in - missing, missing, without, dict(sorted(counts.items())), tuple(suspected))


def _thin(rounds: Mapping[int, Count], every: Count) -> Iterator[Thin]:
    """Rounds of which so many are missing that one such round among all of them is no bad luck."""
    for number, own in sorted(rounds.items()):
        if own.missing:
            others = Count(every.put_in - own.put_in, every.missing - own.missing)
            chance = min(1.0, len(rounds) * _chance(own, others))
            if chance < SURPRISING:
                yield Thin(number, own.put_in, own.missing, chance)


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
