"""Replaying: how a table or an account stood after any of its events, from the events alone."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from croupier.house.house import House
from croupier.house.snapshots import Restored
from croupier.store.contract import Reading

AT_ONCE = 10_000  # events that are replayed together
APART = 1_000  # events between two places on the way that are kept
MOST_KEPT = 64  # places, of all streams together


def replayed(store: Reading, stream: str, version: int, since: Restored | None = None) -> Restored:
    """A stream after one of its events, from its first one on, or from how it was `since` an earlier one.

    Raises StoreError, UnknownFormat.
    """
    house, after = House(), 0 if since is None else since.head.version
    while after < version:
        records = store.read(stream, after, min(AT_ONCE, version - after))
        house.take_in(stream, records, restored=since)
        after = records[-1].version
    return Restored(house.state(stream), house.head(stream))


class Replays:
    """Replays of one store. Places on the way are kept: whoever goes to and fro does not begin at the first event."""

    def __init__(self, store: Reading) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[str, int], Restored] = OrderedDict()
        self._lock = Lock()

    def at(self, stream: str, version: int) -> Restored:
        """A stream after one of its events. Raises StoreError, UnknownFormat."""
        there = self._nearest(stream, version)
        while there is None or there.head.version < version:
            before = 0 if there is None else there.head.version
            there = replayed(self._store, stream, min(version, before - before % APART + APART), there)
            self._keep(stream, there)
        return there

    def _nearest(self, stream: str, version: int) -> Restored | None:
        with self._lock:
            places = [kept for kept in self._kept if kept[0] == stream and kept[1] <= version]
            if not places:
                return None
            nearest = max(places)
            self._kept.move_to_end(nearest)
            return self._kept[nearest]

    def _keep(self, stream: str, there: Restored) -> None:
        with self._lock:
            self._kept[stream, there.head.version] = there
            self._kept.move_to_end((stream, there.head.version))
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
