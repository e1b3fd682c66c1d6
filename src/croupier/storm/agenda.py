"""Virtual time: what is to happen, and when. Nothing here looks at a clock; two runs from one seed are the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

Step = Callable[[], None]


class Agenda:
    """Steps in the order of their times; those of one time in the order in which they were entered."""

    def __init__(self) -> None:
        self.now = START
        self.steps = 0
        self._waiting: list[tuple[datetime, int, Step]] = []
        self._numbers = count()

    def after(self, seconds: float, step: Step) -> None:
        """Have something done so many seconds from now."""
        heappush(self._waiting, (self.now + timedelta(seconds=seconds), next(self._numbers), step))

    def run(self, until: datetime) -> None:
        """Do all that is due until a time, which is now then."""
        while self._waiting and self._waiting[0][0] <= until:
            self.now, _, step = heappop(self._waiting)
            self.steps += 1
            step()
        self.now = until
