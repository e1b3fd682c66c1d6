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
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

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
