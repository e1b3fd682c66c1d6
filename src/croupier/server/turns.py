"""Waiting for what only so many can do at once: the queue has an end, and nobody fills it alone."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from croupier.server.problems import Problem

WAIT_SECONDS = 3


class Turns:
    """So many at once; so many more wait, and of them so many from one network."""

    def __init__(self, at_once: int, most: int, most_from_one: int) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._most = most
        self._most_from_one = most_from_one
        self._from: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, network: str) -> AsyncIterator[None]:
        """Wait for one's turn, and have it. Raises Problem where too many wait."""
        if self._from[network] >= self._most_from_one or self._from.total() >= self._most:
            raise Problem(503, "busy", "Too many are signing in: try again in a moment.", wait=WAIT_SECONDS)
        self._from[network] += 1
        try:
            async with self._places:
                yield
        finally:
            self._from[network] -= 1
            if not self._from[network]:
                del self._from[network]
