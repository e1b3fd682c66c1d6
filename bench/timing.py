"""Best of several runs, the two sides by turns, so that a busy machine disturbs both alike."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import perf_counter


def by_turns(ours: Callable[[], object], bare: Callable[[], object], rounds: int) -> tuple[float, float]:
    """The best time of each side in seconds."""
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for side, work in enumerate((ours, bare)):
            gc.collect()
            start = perf_counter()
            work()
            best[side] = min(best[side], perf_counter() - start)
    return best[0], best[1]
