"""Chance from the operating system for a house at work."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_bytes

from croupier.server.settings import Settings
from croupier.store.checkpoints import STREAM
from croupier.store.contract import Store, StoreError
from croupier.store.keys import HouseKey, house_key, read_key

FETCHED = 4096  # bytes at a time
SMALL = 16  # bytes: what is asked for with every event, to salt it


class Chance:
    """Small pieces are cut from a larger one, because each call to the system lets another thread go first.

    Whatever dice hang on is larger and comes from the system when it is asked for: it lies nowhere beforehand.
    """

    def __init__(self) -> None:
        self._left = b""
        self._used = 0

    def __call__(self, size: int) -> bytes:
        """So many bytes, never the same again."""
        if size > SMALL:
            return token_bytes(size)
        start, end = self._used, self._used + size
        if end > len(self._left):
            self._left = token_bytes(FETCHED)
            start, end = 0, size
        self._used = end
        return self._left[start:end]


# -- clock ------------------------------------------------------------------------------------------------------------
# The time of a house: that of the machine, as long as the machine's does not go back.

PACE = 0.9  # of real time, while the house is ahead of the machine's clock: it waits for it, and never stands still


def _machine() -> datetime:
    return datetime.now(UTC)


class SteadyClock:
    """Never goes back, and never stands still.

    Where the machine's clock is put back, the house goes on from where it was, a little slower, until the machine has
    caught up. What was announced for a time is done at that time, and no record is earlier than those before it.
    """

    def __init__(
        self, machine: Callable[[], datetime] = _machine, elapsed: Callable[[], float] = time.monotonic
    ) -> None:
        """`machine` tells the time, and may be put back; `elapsed` counts seconds, and cannot be."""
        self._machine = machine
        self._elapsed = elapsed
        self._last = machine()
        self._counted = elapsed()

    def __call__(self) -> datetime:
        """The time now."""
        counted = self._elapsed()
        steady = self._last + timedelta(seconds=(counted - self._counted) * PACE)
        self._last, self._counted = max(self._machine(), steady), counted
        return self._last

    def go_on_from(self, moment: datetime) -> None:
        """Be no earlier than this, which has happened already."""
        self._last = max(self._last, moment)


# -- own key ----------------------------------------------------------------------------------------------------------
# The house's own key: in the file that the settings name, never in the store that it seals.


def key_there(settings: Settings) -> HouseKey | None:
    """The house's key, read before anything is opened; None where there is none yet. Raises StoreError."""
    path = Path(settings.key)
    return read_key(path) if path.exists() else None


def new_key(settings: Settings, store: Store) -> HouseKey:
    """A key for a house that has none, unless its store was sealed with one before. Raises StoreError."""
    if store.head(STREAM).version:
        raise StoreError(
            f"{store.name} was sealed with a key that is not in {settings.key}: give it the one it began with."
        )
    return house_key(Path(settings.key))
