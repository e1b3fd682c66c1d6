"""Waiting for something that happens in another thread or process.

The clock decides only how long a failing test takes to fail: nothing relies on a sleep for its order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic, sleep
from typing import Final, TypeVar

PATIENCE: Final = 60.0  # seconds, on a machine that does much else
PAUSE: Final = 0.01
Found = TypeVar("Found")


def until(look: Callable[[], Found | None], pause: float = PAUSE) -> Found:
    """Poll until there is something; return it."""
    end = monotonic() + PATIENCE
    while not (found := look()):
        assert monotonic() < end, "it never held"
        sleep(pause)
    return found


async def turns_until(look: Callable[[], Found | None]) -> Found:
    """The same in an event loop, which runs in the meantime."""
    end = monotonic() + PATIENCE
    while not (found := look()):
        assert monotonic() < end, "it never held"
        await asyncio.sleep(PAUSE)
    return found
