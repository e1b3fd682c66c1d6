"""How much may be stored: by one person, by all guests together, and before the disk is full.

What is counted is what an order leaves in the store: its events, its answer, the refusal that is kept of it. Work that
staff do is not counted, however much comes of a throw; what they are refused is.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from time import monotonic
from typing import Literal, NamedTuple

from croupier.server.problems import Problem
from croupier.server.settings import Settings
from croupier.store.contract import Room
from croupier.store.records import Write

GUEST = "guest-"  # what the names of those begin with who play without an account of their own making
DAY = 86_400.0  # seconds
MOST_REMEMBERED = 50_000
MEGABYTE = 10**6
FULL_WAIT = 60  # seconds after which somebody may look again

DiskState = Literal["ok", "low", "full"]

log = logging.getLogger("croupier.server")


class _Left(NamedTuple):
    """How many bytes may be stored, and when that was so."""

    bytes: float
    at: float


class Allowance:
    """`most` bytes at once, and as many again in every day."""

    def __init__(self, most: int, clock: Callable[[], float] = monotonic) -> None:
        self._most = most
        self._clock = clock
        self._left: OrderedDict[str, _Left] = OrderedDict()

    def wait(self, who: str) -> int:
        """For how many seconds nothing more may be stored; 0 where something may."""
        left = self._now(who).bytes
        return 0 if left > 0 else ceil((1 - left) * DAY / self._most)

    def take(self, who: str, size: int) -> None:
        """So much was stored."""
        left = self._now(who)
        self._left[who] = _Left(left.bytes - size, left.at)
        self._left.move_to_end(who)
        while len(self._left) > MOST_REMEMBERED:  # whoever has not stored anything for longest
            self._left.popitem(last=False)

    def _now(self, who: str) -> _Left:
        now = self._clock()
        left = self._left.get(who, _Left(self._most, now))
        return _Left(min(self._most, left.bytes + (now - left.at) * self._most / DAY), now)


class Quotas:
    """What people may still store."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = monotonic) -> None:
        self._persons = Allowance(settings.person_bytes_a_day, clock)
        self._guests = Allowance(settings.guests_bytes_a_day, clock)

    def check(self, person: str) -> None:
        """Raises Problem where somebody has stored enough."""
        if wait := self._persons.wait(person):
            raise Problem(
                429, "stored_enough", f"You have had enough stored for now: try again in {wait} s.", wait=wait
            )
        if person.startswith(GUEST) and (wait := self._guests.wait(GUEST)):
            say = f"Guests have had enough stored for now: open an account, or try again in {wait} s."
            raise Problem(429, "guests_stored_enough", say, wait=wait)

    def take(self, person: str, size: int) -> None:
        """So much of what somebody asked for was stored."""
        self._persons.take(person, size)
        if person.startswith(GUEST):
            self._guests.take(GUEST, size)


def size_of(write: Write) -> int:
    """The bytes that a write leaves in the store."""
    size = 0 if write.refusal is None else len(write.refusal)
    if write.answer is not None:
        size += len(write.answer.reply) + len(write.answer.key)
    for append in write.appends:
        for document in append.documents:
            size += len(document)
    return size


class Disk:
    """How much room there is for the store, looked at every few seconds."""

    def __init__(self, settings: Settings) -> None:
        self._most = settings.store_most_bytes
        self._low = settings.disk_low_bytes
        self._reserve = settings.disk_reserve_bytes
        self.room = Room(0, None)
        self.state: DiskState = "ok"

    @property
    def left(self) -> int:
        """Bytes by which the store may still grow."""
        left = self._most - self.room.taken
        return max(0, left if self.room.free is None else min(left, self.room.free))

    def look(self, room: Room) -> None:
        """Take note of how much there is now; what has changed is logged."""
        self.room, before = room, self.state
        self.state = "full" if self.left < self._reserve else "low" if self.left < self._low else "ok"
        if self.state != before:
            level = logging.INFO if self.state == "ok" else logging.ERROR
            log.log(level, "disk", extra={"state": self.state, "left": self.left})

    def check(self) -> None:
        """What is left is for rounds that are under way, and for the house itself. Raises Problem."""
        if self.state == "full":
            raise Problem(503, "disk_full", self.sentence(), wait=FULL_WAIT)

    def sentence(self) -> str:
        """How it stands."""
        megabytes = f"{self.left // MEGABYTE:,} MB"
        if self.state == "full":
            return f"The house takes no orders: its store has only {megabytes} left."
        return f"The store has {megabytes} left{'' if self.state == 'ok' else ', which is little'}."
