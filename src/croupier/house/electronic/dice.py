"""Electronic dice that anybody can check: committed to before the bets, decided by the bets, shown after the throw.

The secret of a round comes from the operating system. Its digest is published before the first bet. What falls follows
from the secret and from the chain's hash of the record that shut the bets: before that record stands, nobody can know
it, and after it nobody can change it. Bits become faces by rejection, so that every face is equally likely.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count

SECRET_BYTES = 32
WORD = 2**32
_COMMITS = b"croupier dice 1\n"

Face = int | str


def commitment(table: str, number: int, secret: bytes) -> str:
    """What is published before a round: a digest of the secret, bound to the table and to the round."""
    return hashlib.sha256(_COMMITS + f"{table}\n{number}\n".encode() + secret).hexdigest()


def drawn(secret: bytes, shut: bytes, faces: Sequence[Face], throw: int) -> tuple[Face, ...]:
    """What falls: so many dice or coins with these faces."""
    words = _words(secret, shut)
    return tuple(_face(words, faces) for _ in range(throw))


def _face(words: Iterator[int], faces: Sequence[Face]) -> Face:
    """The first word below the largest multiple of the number of faces decides; the others are thrown away."""
    fair = WORD - WORD % len(faces)
    return faces[next(word for word in words if word < fair) % len(faces)]


def _words(secret: bytes, shut: bytes) -> Iterator[int]:
    """Words of 32 bits without end."""
    for block in count():
        digest = hmac.digest(secret, shut + block.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, len(digest), 4))
