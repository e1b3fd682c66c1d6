"""An event loop in which almost no time passes: when everything waits, its clock jumps to the next event."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
TURN = 1e-6  # seconds that each turn of the loop takes


class _Clock(selectors.DefaultSelector):
    """Advances the clock where a real loop would wait. `None`, with no event to come, still waits for other threads."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(timeout if timeout is None else 0)
        self.now += TURN + (0.0 if ready or timeout is None else timeout)
        return ready


class _VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._virtual = _Clock()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now


def run_in_no_time(work: Coroutine[Any, Any, T]) -> T:
    """Run it to its end, however long that takes by the clock of the loop."""
    with asyncio.Runner(loop_factory=_VirtualLoop) as runner:
        return runner.run(work)
