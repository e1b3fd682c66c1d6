"""Storage quotas: per person, for all guests together, and for the disk.

An order counts with what it stores: its events, its reply, its refusal. The work of staff does not count, however
much a throw settles; their refusals do.
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

GUEST = "guest-"  # prefix of the names of guests
DAY = 86_400.0  # seconds
MOST_REMEMBERED = 50_000
MEGABYTE = 10**6
FULL_WAIT = 60  # seconds before it is worth trying again

DiskState = Literal["ok", "low", "full"]

log = logging.getLogger("croupier.server")


class _Left(NamedTuple):
    """The bytes left at a time."""

    bytes: float
    at: float


class Allowance:
    """`most` bytes at once, refilled over a day."""

    def __init__(self, most: int, clock: Callable[[], float] = monotonic) -> None:
        self._most = most
        self._clock = clock
        self._left: OrderedDict[str, _Left] = OrderedDict()

    def wait(self, who: str) -> int:
        """Return the seconds until something may be stored; 0 if it may now."""
        left = self._now(who).bytes
        return 0 if left > 0 else ceil((1 - left) * DAY / self._most)

    def take(self, who: str, size: int) -> None:
        """Count stored bytes."""
        left = self._now(who)
        self._left[who] = _Left(left.bytes - size, left.at)
        self._left.move_to_end(who)
        while len(self._left) > MOST_REMEMBERED:  # drop the name that stored nothing for longest
            self._left.popitem(last=False)

    def _now(self, who: str) -> _Left:
        now = self._clock()
        left = self._left.get(who, _Left(self._most, now))
        return _Left(min(self._most, left.bytes + (now - left.at) * self._most / DAY), now)


class Quotas:
    """The remaining quotas of people and guests."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = monotonic) -> None:
        self._persons = Allowance(settings.person_bytes_a_day, clock)
        self._guests = Allowance(settings.guests_bytes_a_day, clock)

    def check(self, person: str) -> None:
        """Raise Problem if a person's quota is used up."""
        if wait := self._persons.wait(person):
            raise Problem(
                429, "stored_enough", f"You have had enough stored for now: try again in {wait} s.", wait=wait
            )
        if person.startswith(GUEST) and (wait := self._guests.wait(GUEST)):
            say = f"Guests have had enough stored for now: open an account, or try again in {wait} s."
            raise Problem(429, "guests_stored_enough", say, wait=wait)

    def take(self, person: str, size: int) -> None:
        """Count bytes stored for a person's order."""
        self._persons.take(person, size)
        if person.startswith(GUEST):
            self._guests.take(GUEST, size)


def size_of(write: Write) -> int:
    """Return the bytes that a write adds to the store."""
    size = 0 if write.refusal is None else len(write.refusal)
    if write.answer is not None:
        size += len(write.answer.reply) + len(write.answer.key)
    for append in write.appends:
        for document in append.documents:
            size += len(document)
    return size


class Disk:
    """The room for the store, measured every few seconds."""

    def __init__(self, settings: Settings) -> None:
        self._most = settings.store_most_bytes
        self._low = settings.disk_low_bytes
        self._reserve = settings.disk_reserve_bytes
        self.room = Room(0, None)
        self.state: DiskState = "ok"

    @property
    def left(self) -> int:
        """The bytes by which the store may still grow."""
        left = self._most - self.room.taken
        return max(0, left if self.room.free is None else min(left, self.room.free))

    def look(self, room: Room) -> None:
        """Note the room there is now; log a change of state."""
        self.room, before = room, self.state
        self.state = "full" if self.left < self._reserve else "low" if self.left < self._low else "ok"
        if self.state != before:
            level = logging.INFO if self.state == "ok" else logging.ERROR
            log.log(level, "disk", extra={"state": self.state, "left": self.left})

    def check(self) -> None:
        """Refuse orders when the disk is full: the rest is for rounds in progress and the house. Raises Problem."""
        if self.state == "full":
            raise Problem(503, "disk_full", self.sentence(), wait=FULL_WAIT)

    def sentence(self) -> str:
        """Describe the room that is left."""
        megabytes = f"{self.left // MEGABYTE:,} MB"
        if self.state == "full":
            return f"The house takes no orders: its store has only {megabytes} left."
        return f"The store has {megabytes} left{'' if self.state == 'ok' else ', which is little'}."
