"""What goes wrong, and how often: all of it by chances that a seed decides."""

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
    """The process ends here, in the middle of whatever it does."""


class Chances(msgspec.Struct, frozen=True):
    """How often each thing goes wrong, as a share of the times it could."""

    request_lost: float = 0.02
    reply_lost: float = 0.02
    request_doubled: float = 0.03
    reordered: float = 0.02  # a request that is overtaken by the next of the same person
    slow: float = 0.05  # a message that takes its time
    disk_slow: float = 0.05  # a commit that does
    disk_fails: float = 0.01
    in_doubt: float = 0.005
    crash: float = 0.01  # in a commit, at any of its boundaries
    crash_idle: float = 0.0002  # at a tick of the clockwork, between commits
    clock_jumps: float = 0.001  # at a tick of the clockwork
    notice_lost: float = 0.1  # what one process tells the others of a commit
    both_at_once: float = 0.1  # two who run a table do something in the same moment


CALM = Chances(*[0.0] * len(Chances.__struct_fields__))


class Faults:
    """Decides what goes wrong now, and counts what did."""

    def __init__(self, random: Random, chances: Chances) -> None:
        self._random = random
        self._chances = chances
        self.seen: Counter[str] = Counter()
        self._crash_at: str | None = None

    def cease(self) -> None:
        """The storm is over: nothing goes wrong any more."""
        self._chances = CALM

    def happens(self, name: str) -> bool:
        """Whether this goes wrong now."""
        if self._random.random() >= getattr(self._chances, name):
            return False
        self.seen[name] += 1
        return True

    def delay(self, slow: str = "slow") -> float:
        """How long a message or a disk takes, in seconds."""
        return self._random.uniform(1.0, 8.0) if self.happens(slow) else self._random.uniform(0.001, 0.05)

    def plan_crash(self) -> None:
        """Let the next commit end the process at one of its boundaries, or not."""
        self._crash_at = self._random.choice(BOUNDARIES) if self.happens("crash") else None

    def boundary(self, point: str) -> None:
        """A commit has come to a boundary."""
        if point == self._crash_at:
            self._crash_at = None
            self.seen[f"crash {point}"] += 1
            raise Crash(point)


# -- agenda -----------------------------------------------------------------------------------------------------------
# Virtual time: what is to happen, and when. Nothing here looks at a clock; two runs from one seed are the same.

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
