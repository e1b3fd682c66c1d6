"""What a running house needs from the machine: randomness, a steady clock and its key."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from secrets import token_bytes

from croupier.server.settings import Settings
from croupier.store.checkpoints import STREAM
from croupier.store.contract import Store, StoreError
from croupier.store.keys import HouseKey, house_key, read_key

FETCHED = 4096  # bytes at a time
SMALL = 16  # bytes: the size of an event's salt


class SystemEntropy:
    """Random bytes. Small requests are cut from a buffer, because each system call yields to another thread.

    Secrets that dice depend on are larger and come directly from the system, so they never lie in a buffer.
    """

    def __init__(self) -> None:
        self._left = b""
        self._used = 0

    def __call__(self, size: int) -> bytes:
        """Return so many bytes, each used only once."""
        if size > SMALL:
            return token_bytes(size)
        start, end = self._used, self._used + size
        if end > len(self._left):
            self._left = token_bytes(FETCHED)
            start, end = 0, size
        self._used = end
        return self._left[start:end]


# The clock

PACE = 0.9  # of real time, while the house is ahead of the machine's clock: it slows down but never stops


_machine = partial(datetime.now, UTC)


class SteadyClock:
    """A clock that never goes back and never stops.

    If the machine's clock is set back, this one continues a little slower until the machine has caught up. So what was
    announced for a time happens at that time, and no record is earlier than those before it.
    """

    def __init__(
        self, machine: Callable[[], datetime] = _machine, elapsed: Callable[[], float] = time.monotonic
    ) -> None:
        """`machine` returns the time and may be set back; `elapsed` counts seconds and cannot be."""
        self._machine = machine
        self._elapsed = elapsed
        self._last = machine()
        self._counted = elapsed()

    def __call__(self) -> datetime:
        """Return the current time."""
        now, counted = self._machine(), self._elapsed()
        if now <= self._last:  # set back
            now = self._last + timedelta(seconds=(counted - self._counted) * PACE)
        self._last, self._counted = now, counted
        return now

    def go_on_from(self, moment: datetime) -> None:
        """Continue from this moment if the clock is earlier."""
        self._last = max(self._last, moment)


# The house's key: in a file named in the settings, never in the store that it seals


def key_there(settings: Settings) -> HouseKey | None:
    """Read the house's key before anything is opened; None if there is none yet. Raises StoreError."""
    path = Path(settings.key)
    return read_key(path) if path.exists() else None


def new_key(settings: Settings, store: Store) -> HouseKey:
    """Create a key for a house without one. Raises StoreError if its store was sealed with another key."""
    if store.head(STREAM).version:
        raise StoreError(f"{store.name} was sealed with a key that is not in {settings.key}: use its first key.")
    return house_key(Path(settings.key))
