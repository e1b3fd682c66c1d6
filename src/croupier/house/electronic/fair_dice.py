"""Verifiable electronic dice: committed to before the bets, drawn with the players' numbers, revealed afterwards.

The secret of a round comes from the operating system. Its digest is published before the first bet. With their bets
players commit to numbers of their own, and reveal them once the bets are shut. The throw follows from the secret and
those numbers alone (protocol 2): no id, time or record hash takes part, so that the house has nothing left to vary.
Bits become faces by rejection sampling, so that every face is equally likely.

Under protocol 1 the chain's hash of the record that shut the bets took the place of the numbers.

`Tally` counts missing numbers and flags players and rounds with more than the others explain. A house with accounts of
its own in a round could withhold their numbers once it knows all others, and so choose between throws. It cannot hide
that: each withheld number is missing in the record, with its contributor. If it uses a new account each time, no player
stands out; but a round does, as soon as several are withheld in it.
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
MISSING = "-"  # in place of a number that was not revealed
MARK = re.compile(r"[0-9a-f]{64}")  # a digest, or 32 bytes, in hexadecimal digits

Face = int | str


def commitment(table: str, number: int, secret: bytes, protocol: int = PROTOCOL) -> str:
    """Return the commitment published before a round: a digest of the secret, bound to the table and the round."""
    return _digest(f"croupier dice {protocol}\n{table}\n{number}\n".encode() + secret).hex()


def number_commitment(table: str, number: int, own: bytes) -> str:
    """Return a player's commitment: a digest of their number, bound to the table and the round."""
    return _digest(f"croupier number 1\n{table}\n{number}\n".encode() + own).hex()


def mixed(table: str, number: int, numbers: Iterable[tuple[str, str]]) -> bytes:
    """Return the value mixed with the secret, from commitments in order with their numbers in hex; "" if missing."""
    rows = "".join(f"{committed} {shown or MISSING}\n" for committed, shown in numbers)
    return _digest(f"croupier throw 2\n{table}\n{number}\n{rows}".encode())


def drawn(secret: bytes, mix: bytes, faces: Sequence[Face], throw: int) -> tuple[Face, ...]:
    """Draw a number of dice or coins with these faces."""
    words = _words(secret, mix)
    return tuple(_face(words, faces) for _ in range(throw))


def in_bytes(text: str) -> bytes | None:
    """Return the 32 bytes of a secret, a number or a digest; None if invalid."""
    return bytes.fromhex(text) if MARK.fullmatch(text) else None


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _face(words: Iterator[int], faces: Sequence[Face]) -> Face:
    """Take the first word below the largest multiple of the number of faces; reject the others."""
    fair = WORD - WORD % len(faces)
    return faces[next(word for word in words if word < fair) % len(faces)]


def _words(secret: bytes, mix: bytes) -> Iterator[int]:
    """Yield 32-bit words endlessly."""
    for block in count():
        digest = hmac.digest(secret, mix + block.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, len(digest), 4))


# Missing numbers

SURPRISING = 0.001  # a probability this small is not bad luck


class Count(msgspec.Struct, frozen=True):
    """The numbers committed for draws, and how many of them were missing."""

    put_in: int = 0
    missing: int = 0

    def and_one(self, *, is_missing: bool) -> Count:
        """Return the count with one more number."""
        return Count(self.put_in + 1, self.missing + is_missing)


class Suspicion(msgspec.Struct, frozen=True):
    """A contributor whose numbers are missing more often than others'; `chance` is the probability of bad luck."""

    contributor: int
    put_in: int
    missing: int
    chance: float


class Thin(msgspec.Struct, frozen=True):
    """A round with more missing numbers than the others; `chance` is the probability of such a round by bad luck."""

    round: int
    put_in: int
    missing: int
    chance: float


class Numbers(msgspec.Struct, frozen=True):
    """The numbers of all rounds drawn under protocol 2; `without` counts rounds drawn with none.

    `incomplete` counts rounds with a missing number, `empty` those where all are missing. `newcomers` counts every
    player's first number.
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
    """Counts numbers by player and by round."""

    def __init__(self) -> None:
        self._contributors: dict[int, Count] = {}
        self._rounds: dict[int, Count] = {}
        self._newcomers = Count()
        self._without = 0

    def count(self, number: int, contributors: Sequence[int], numbers: Sequence[str]) -> None:
        """Count the numbers of a round, by contributor; "" is a missing one."""
        self._without += not numbers
        for contributor, own in zip(contributors, numbers, strict=True):
            if contributor not in self._contributors:
                self._newcomers = self._newcomers.and_one(is_missing=not own)
            for counts, which in ((self._contributors, contributor), (self._rounds, number)):
                counts[which] = counts.get(which, Count()).and_one(is_missing=not own)

    def numbers(self) -> Numbers:
        """Return all counts, with what stands out."""
        told = tallied(self._contributors, self._without)
        return msgspec.structs.replace(
            told,
            incomplete=sum(count.missing > 0 for count in self._rounds.values()),
            empty=sum(count.missing == count.put_in for count in self._rounds.values()),
            newcomers=self._newcomers,
            thin=tuple(_thin(self._rounds, Count(told.put_in, told.missing))),
        )


def tallied(counts: Mapping[int, Count], without: int) -> Numbers:
    """Return the counts by player."""
    put_in = sum(count.put_in for count in counts.values())
    missing = sum(count.missing for count in counts.values())
    suspected = []
    for contributor, own in sorted(counts.items()):
        chance = _chance(own, Count(put_in - own.put_in, missing - own.missing))
        if chance < SURPRISING:
            suspected.append(Suspicion(contributor, own.put_in, own.missing, chance))
    return Numbers(put_in, put_in - missing, missing, without, dict(sorted(counts.items())), tuple(suspected))


def _thin(rounds: Mapping[int, Count], every: Count) -> Iterator[Thin]:
    """Yield rounds with too many missing numbers for bad luck, given the number of rounds."""
    for number, own in sorted(rounds.items()):
        if own.missing:
            others = Count(every.put_in - own.put_in, every.missing - own.missing)
            chance = min(1.0, len(rounds) * _chance(own, others))
            if chance < SURPRISING:
                yield Thin(number, own.put_in, own.missing, chance)


def _chance(own: Count, others: Count) -> float:
    """Return the probability of this many missing numbers or more, at the rate of the others.

    The others' rate is smoothed by one more missing and one more revealed number: few numbers prove little.
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
