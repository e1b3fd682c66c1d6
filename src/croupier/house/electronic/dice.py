"""Electronic dice that anybody can check: committed to before the bets, drawn with the players' numbers, shown after.

The secret of a round comes from the operating system. Its digest is published before the first bet. With their bets
players commit to numbers of their own, and show them once the bets are shut. What falls follows from the secret and
from those numbers alone (protocol 2): no id, no time and no hash of a record has a part in it, so that the house has
nothing left to vary. Bits become faces by rejection, so that every face is equally likely.

Under protocol 1 the chain's hash of the record that shut the bets stood in the place of the numbers.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from math import exp, lgamma, log

import msgspec

PROTOCOL = 2  # of new rounds
PROTOCOLS = (1, 2)
SECRET_BYTES = 32
NUMBER_BYTES = 32
WORD = 2**32
MISSING = "-"  # stands for a number that was not shown
MARK = re.compile(r"[0-9a-f]{64}")  # a digest, or 32 bytes, in hexadecimal digits

Face = int | str


def commitment(table: str, number: int, secret: bytes, protocol: int = PROTOCOL) -> str:
    """What is published before a round: a digest of the secret, bound to the table and to the round."""
    return _digest(f"croupier dice {protocol}\n{table}\n{number}\n".encode() + secret).hex()


def number_commitment(table: str, number: int, own: bytes) -> str:
    """What a player sends with a bet: a digest of a number of their own, bound to the table and to the round."""
    return _digest(f"croupier number 1\n{table}\n{number}\n".encode() + own).hex()


def mixed(table: str, number: int, numbers: Iterable[tuple[str, str]]) -> bytes:
    """What the secret is mixed with: each commitment in order with its number, both in hex; "" where it is missing."""
    rows = "".join(f"{committed} {shown or MISSING}\n" for committed, shown in numbers)
    return _digest(f"croupier throw 2\n{table}\n{number}\n{rows}".encode())


def drawn(secret: bytes, mix: bytes, faces: Sequence[Face], throw: int) -> tuple[Face, ...]:
    """What falls: so many dice or coins with these faces."""
    words = _words(secret, mix)
    return tuple(_face(words, faces) for _ in range(throw))


def in_bytes(text: str) -> bytes | None:
    """The 32 bytes of a secret, a number or a digest; None for what is none."""
    return bytes.fromhex(text) if MARK.fullmatch(text) else None


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _face(words: Iterator[int], faces: Sequence[Face]) -> Face:
    """The first word below the largest multiple of the number of faces decides; the others are thrown away."""
    fair = WORD - WORD % len(faces)
    return faces[next(word for word in words if word < fair) % len(faces)]


def _words(secret: bytes, mix: bytes) -> Iterator[int]:
    """Words of 32 bits without end."""
    for block in count():
        digest = hmac.digest(secret, mix + block.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, len(digest), 4))


# -- missing ----------------------------------------------------------------------------------------------------------
# How often players' numbers were missing, and where more were missing than the others explain: of whom, and when. A
# house that has accounts of its own in a round could hold back their numbers once it knows all others, and so choose
# between throws. It cannot hide that: each number held back is missing in the record, with who had put it in. Where
# it uses another account each time, no player stands out; but a round does, as soon as several are held back in it.

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
