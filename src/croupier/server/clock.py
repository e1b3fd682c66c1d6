"""The time of a house: that of the machine, as long as the machine's does not go back."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

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
