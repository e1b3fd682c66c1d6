"""Replaying: how a table or an account stood after any of its events, from the events alone."""

from __future__ import annotations

from croupier.house.house import House
from croupier.house.snapshots import Restored
from croupier.store.contract import Reading

AT_ONCE = 10_000  # events that are replayed together


def replayed(store: Reading, stream: str, version: int) -> Restored:
    """A stream after one of its events. Raises StoreError, UnknownFormat."""
    house, after = House(), 0
    while after < version:
        records = store.read(stream, after, min(AT_ONCE, version - after))
        house.take_in(stream, records)
        after = records[-1].version
    return Restored(house.state(stream), house.head(stream))
