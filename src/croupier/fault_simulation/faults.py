"""Fault injection, decided by a seed, and virtual time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from random import Random

import msgspec

from croupier.store.contract import BOUNDARIES


class Crash(Exception):
    """The process dies here, in the middle of its work."""


class Chances(msgspec.Struct, frozen=True):
    """The probability of each fault, whenever it could occur."""

    request_lost: float = 0.02
    reply_lost: float = 0.02
    request_doubled: float = 0.03
    reordered: float = 0.02  # a request overtaken by the same person's next one
    slow: float = 0.05  # a delayed message
    disk_slow: float = 0.05  # a delayed commit
    disk_fails: float = 0.01
    in_doubt: float = 0.005
    crash: float = 0.01  # during a commit, at any of its boundaries
    crash_idle: float = 0.0002  # at a clock tick, between commits
    clock_jumps: float = 0.001  # at a clock tick
    notice_lost: float = 0.1  # a process's notice to the others about a commit
    both_at_once: float = 0.1  # two staff members act at a table at the same moment


NO_FAULTS = Chances(*[0.0] * len(Chances.__struct_fields__))


class Faults:
    """Decides which faults occur, and counts them."""

    def __init__(self, random: Random, chances: Chances) -> None:
        self._random = random
        self._chances = chances
        self.seen: Counter[str] = Counter()
        self._crash_at: str | None = None

    def cease(self) -> None:
        """Stop injecting faults."""
        self._chances = NO_FAULTS

    def happens(self, name: str) -> bool:
        """Return whether this fault occurs now."""
        if self._random.random() >= getattr(self._chances, name):
            return False
        self.seen[name] += 1
        return True

    def delay(self, slow: str = "slow") -> float:
        """Return how long a message or a disk takes, in seconds."""
        return self._random.uniform(1.0, 8.0) if self.happens(slow) else self._random.uniform(0.001, 0.05)

    def plan_crash(self) -> None:
        """Decide whether the next commit kills the process, and at which boundary."""
        self._crash_at = self._random.choice(BOUNDARIES) if self.happens("crash") else None

    def boundary(self, point: str) -> None:
        """Crash if the planned boundary is reached."""
        if point == self._crash_at:
            self._crash_at = None
            self.seen[f"crash {point}"] += 1
            raise Crash(point)


# -- virtual time: nothing here reads a clock, so two runs from one seed are the same ---------------------------------

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

Step = Callable[[], None]


class Agenda:
    """Scheduled steps in order of time; those of the same time in order of scheduling."""

    def __init__(self) -> None:
        self.now = START
        self.steps = 0
        self._waiting: list[tuple[datetime, int, Step]] = []
        self._numbers = count()

    def after(self, seconds: float, step: Step) -> None:
        """Schedule a step this many seconds from now."""
        heappush(self._waiting, (self.now + timedelta(seconds=seconds), next(self._numbers), step))

    def run(self, until: datetime) -> None:
        """Execute everything due until a time, and advance to that time."""
        while self._waiting and self._waiting[0][0] <= until:
            self.now, _, step = heappop(self._waiting)
            self.steps += 1
            step()
        self.now = until
