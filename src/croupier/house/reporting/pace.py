"""How fast a table throws: the times of its throws in the last hour, and what that comes to in an hour."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec

from croupier.house.documents import Entry, moment
from croupier.table.events import Thrown, ThrowVoided

HOUR = timedelta(hours=1)
SHORTEST = timedelta(minutes=1)  # from less nobody can tell a pace


class Pace(msgspec.Struct, frozen=True):
    """Throws in the last hour, and how many an hour they come to from the first of them to the last."""

    last_hour: int
    an_hour: float | None


class Paces:
    """The pace of all tables whose entries were taken in. A throw that was void took its time as well."""

    def __init__(self) -> None:
        self._throws: dict[str, deque[datetime]] = {}

    def take_in(self, stream: str, entries: Iterable[Entry]) -> None:
        """Go on with the entries of a stream."""
        throws = self._throws.setdefault(stream, deque())
        for entry in entries:
            if isinstance(entry.document.event, Thrown | ThrowVoided):
                throws.append(moment(entry.document.at))
                while throws[-1] - throws[0] > HOUR:
                    throws.popleft()

    def pace(self, stream: str, now: datetime) -> Pace:
        """The pace of a table at a time."""
        lately = [at for at in self._throws.get(stream, ()) if now - HOUR < at <= now]
        span = lately[-1] - lately[0] if lately else timedelta()
        return Pace(len(lately), (len(lately) - 1) / (span / HOUR) if span >= SHORTEST else None)
