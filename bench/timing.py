"""Best of several runs, alternating the sides so that a busy machine disturbs them alike."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import perf_counter


def by_turns(ours: Callable[[], object], bare: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return the best time of each of two sides in seconds."""
    best = best_of_each((ours, bare), rounds)
    return best[0], best[1]


def best_of_each(sides: tuple[Callable[[], object], ...], rounds: int) -> list[float]:
    """Return the best time of each side in seconds."""
    best = [float("inf")] * len(sides)
    for _ in range(rounds):
        for side, work in enumerate(sides):
            gc.collect()
            start = perf_counter()
            work()
            best[side] = min(best[side], perf_counter() - start)
    return best
