"""Electronic dice and coins. The session draws from them once the bets are closed, never before (reading X-3)."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Sequence

from croupier.rules.outcomes import Face, Faces


class Dice:
    """Something to throw: faces fall by `below(n)`, a number from 0 to n-1, each equally likely."""

    def __init__(self, below: Callable[[int], int], seed: int | None = None) -> None:
        self._below = below
        self.seed = seed

    def throw(self, faces: Sequence[Face], count: int) -> Faces:
        """What falls."""
        return tuple(faces[self._below(len(faces))] for _ in range(count))


def electronic() -> Dice:
    """The operating system's generator, unbiased."""
    return Dice(secrets.randbelow)


def seeded(seed: int) -> Dice:
    """The same throws for the same seed: for tests and demonstrations."""
    return Dice(random.Random(seed).randrange, seed)
