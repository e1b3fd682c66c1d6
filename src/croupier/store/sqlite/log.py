"""Is SQLite's write-ahead log whole? SQLite itself forgets all that stands behind a damaged page of it.

After a crash it is right to do so: what was torn was never acknowledged. But a flipped bit in the middle would take
with it what was. The two can be told apart: a transaction is written only once the one before it is on the disk, so
where one follows a damaged one, the damaged one was whole before.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache
from operator import mul
from pathlib import Path
from typing import BinaryIO, NamedTuple

HEADER = 32
FRAME = 24
_MAGIC = 0x377F0682  # with its last bit set the sums are made from words in the other order
_MASK = 0xFFFFFFFF

Sums = tuple[int, int]


class _Frame(NamedTuple):
    number: int
    salt: Sums
    ends: bool  # the last of a transaction
    is_good: bool  # its sums follow from those of the frame before


def damaged_frame(log: Path) -> int | None:
    """The number of a damaged frame behind which there are others that were acknowledged; 0 is the header."""
    try:
        with log.open("rb") as file:
            return _damaged(file)
    except FileNotFoundError:
        return None


def _damaged(file: BinaryIO) -> int | None:
    header = file.read(HEADER)
    if len(header) < HEADER:
        return None  # it was begun and holds nothing yet
    magic, _, page, _, *salt, first, second = struct.unpack(">8I", header)
    is_good = magic & ~1 == _MAGIC and _sums(header[:24], (0, 0), _order(magic)) == (first, second)
    if not is_good:
        # Which word was hit is not known: the usual ones are tried, and frames that follow one another show the rest.
        sizes = {size for size in (page, 4096) if 512 <= size <= 65536 and size & (size - 1) == 0}
        frames = [frame for size in sizes for order in "<>" for frame in _frames(file, size, (first, second), order)]
        return 0 if any(frame.is_good for frame in frames) else None
    own = (frame for frame in _frames(file, page, (first, second), _order(magic)))
    return _first_lost(own, (salt[0], salt[1]))


def _first_lost(frames: Iterator[_Frame], salt: Sums) -> int | None:
    bad: int | None = None
    ended = False
    for frame in frames:
        if bad is not None and ended and frame.is_good and frame.salt == salt:
            return bad
        if bad is None and not (frame.is_good and frame.salt == salt):
            bad = frame.number
        if bad is not None and frame.salt == salt:
            ended = ended or frame.ends
    return None


def _frames(file: BinaryIO, page: int, before: Sums, order: str) -> Iterator[_Frame]:
    file.seek(HEADER)
    number = 0
    while len(frame := file.read(FRAME + page)) == FRAME + page:
        number += 1
        _, size, *salt, first, second = struct.unpack(">6I", frame[:FRAME])
        is_good = _sums(frame[:8] + frame[FRAME:], before, order) == (first, second)
        yield _Frame(number, (salt[0], salt[1]), size > 0, is_good)
        before = (first, second)


def _order(magic: int) -> str:
    return ">" if magic & 1 else "<"


def _sums(content: bytes, before: Sums, order: str) -> Sums:
    """SQLite adds word by word, each sum into the other; what each word comes to in the end is known beforehand."""
    weights = _weights(len(content) // 8)
    words = (*before, *struct.unpack(f"{order}{len(content) // 4}I", content))
    return sum(map(mul, words, weights[0])) & _MASK, sum(map(mul, words, weights[1])) & _MASK


@cache
def _weights(steps: int) -> tuple[list[int], list[int]]:
    """How often each word of so many pairs is in either sum, the two sums before them first."""
    own, other = [], []  # from the last pair to the first
    a, b, c, d = 1, 0, 0, 1  # what a step leaves of the two sums, so many steps later
    for _ in range(steps):
        own += [b, a + b]
        other += [d, c + d]
        a, b, c, d = (a + b) & _MASK, (a + 2 * b) & _MASK, (c + d) & _MASK, (c + 2 * d) & _MASK
    return [a, b, *reversed(own)], [c, d, *reversed(other)]
