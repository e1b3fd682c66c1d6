"""A simulation on given throws: one core, since records are short."""

from __future__ import annotations

import threading

from croupier.runs.calm import calmly
from croupier.runs.local import Each, Told
from croupier.runs.order import Counted, Crew, Pairs, block_size
from croupier.sim.kernels.dice import Throws
from croupier.sim.kernels.engine import Engine, Known, Worker


class GivenCrew(Crew):
    """Workers that play the same rows of a table of throws with every strategy."""

    def __init__(self, engines: list[Engine], throws: Throws) -> None:
        self.workers = [Worker(engine, throws) for engine in engines]
        self.pairs = [Pairs() for _ in engines[1:]]


def compile_given(engines: list[Engine], throws: Throws) -> None:
    """Play one throw, so that all is compiled before anybody looks at the clock."""
    GivenCrew(engines, throws[:1, :1].copy()).block(0, 0, 1)


def run_given(
    engines: list[Engine], throws: Throws, told: Told | None = None, each: Each | None = None
) -> tuple[Counted, bool]:
    """Play every row of throws as a session; the result is what was counted, and whether it was all of them.

    Engines must be general ones. Interrupted, it ends with the block that is under way; where not even one was played,
    KeyboardInterrupt is raised.
    """
    size, stopped = block_size(engines), threading.Event()

    def work() -> Counted:
        crew = GivenCrew(engines, throws)
        for first in range(0, len(throws), size):
            if stopped.is_set():
                break
            known = crew.block(0, first, min(size, len(throws) - first))
            if each is not None:
                each([Known(k.first, *(part.copy() for part in k[1:])) for k in known])
            if told is not None:
                told(len(known[0].nets))
        return crew.counted

    counted, interrupted = calmly(work, stopped.set)
    if not counted.sessions:
        raise KeyboardInterrupt
    return counted, not interrupted or counted.sessions == len(throws)
