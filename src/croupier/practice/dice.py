"""The dice of a practice table, from a seed: the same seed gives the same throws, whatever is bet.

Throw `number` (counted from 1) of a seed is drawn like a round of electronic dice: the SHA-256 digest of
`croupier practice 1`, the seed and the number, each followed by a line feed, is the secret, and nothing is mixed in.
"""

from __future__ import annotations

from hashlib import sha256

from croupier.house.electronic.fair_dice import Face, drawn
from croupier.rules.schema import ThrowRules


def seeded(seed: str, number: int, rules: ThrowRules) -> tuple[Face, ...]:
    """Return the faces of a throw."""
    secret = sha256(f"croupier practice 1\n{seed}\n{number}\n".encode()).digest()
    return drawn(secret, b"", rules.faces, rules.throw)
