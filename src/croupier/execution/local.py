"""Run a simulation on the cores of this machine: one thread per core, mostly in compiled code; stops on Ctrl-C."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

from croupier.execution.simulation_plan import (
    Counted,
    Crew,
    OnProgress,
    Pairs,
    SimulationPlan,
    block_size,
    check_whole,
    copied,
)
from croupier.rules.errors import Impossible
from croupier.simulation.kernels.dice import Throws
from croupier.simulation.kernels.engine import Engine, Known, Worker

Each = Callable[[list[Known]], None]  # called with each block, in order

MOST_JOBS = 1024
AHEAD = 2  # blocks per thread that may wait to be handed on


def cores() -> int:
    """The number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_jobs(jobs: int | None) -> None:
    """Refuse an invalid number of jobs. Raises Impossible."""
    if jobs is not None:
        check_whole("jobs", jobs)
        if not 1 <= jobs <= MOST_JOBS:
            raise Impossible("jobs_out_of_range", f"From 1 to {MOST_JOBS:,} jobs can be done at once, not {jobs:,}.")


class _Line:
    """Hands out blocks in order, and hands on their results in order, one at a time.

    A thread that takes the next block waits while too many results are pending, so memory stays bounded however slowly
    they are consumed.
    """

    def __init__(self, sessions: int, size: int, room: int, told: OnProgress | None, each: Each | None) -> None:
        self._sessions = sessions
        self._size = size
        self._room = room * size
        self._told = told
        self._each = each
        self._changed = threading.Condition()
        self._stopped = False
        self._taken = 0  # sessions before this one are handed out,
        self._handed_on = 0  # and the results of those before this one are handed on
        self._is_handing_on = False
        self._waiting: dict[int, list[Known]] = {}

    def stop(self) -> None:
        """Hand out no more blocks."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def take(self) -> range | None:
        """The sessions of the next block; None when there are no more."""
        with self._changed:
            while not self._stopped and self._each is not None and self._taken - self._handed_on >= self._room:
                self._changed.wait()
            if self._stopped or self._taken == self._sessions:
                return None
            first, self._taken = self._taken, min(self._taken + self._size, self._sessions)
            return range(first, self._taken)

    def done(self, known: list[Known]) -> None:
        """Accept the results of a block; they are handed on once all blocks before it are."""
        if self._each is not None:
            kept = copied(known)
            with self._changed:
                self._waiting[known[0].first] = kept
            self._hand_on(self._each)
        if self._told is not None:
            with self._changed:
                self._told(len(known[0].nets))

    def _hand_on(self, each: Each) -> None:
        while (block := self._next_to_hand_on()) is not None:
            each(block)
            with self._changed:
                self._handed_on += len(block[0].nets)
                self._is_handing_on = False
                self._changed.notify_all()

    def _next_to_hand_on(self) -> list[Known] | None:
        """The next block to hand on; None if another thread is handing on, since it will check again."""
        with self._changed:
            if self._is_handing_on or self._handed_on not in self._waiting:
                return None
            self._is_handing_on = True
            return self._waiting.pop(self._handed_on)


def run(
    plan: SimulationPlan,
    engines: list[Engine],
    jobs: int | None = None,
    told: OnProgress | None = None,
    each: Each | None = None,
) -> tuple[Counted, bool]:
    """Play all sessions; return the counts, and whether they are complete.

    If interrupted, it finishes the blocks in progress, which cover a prefix of the sessions. Raises KeyboardInterrupt
    if no session was played, and Impossible.
    """
    check_jobs(jobs)
    size = block_size(engines)
    threads = min(jobs or cores(), -(-plan.sessions // size))
    line = _Line(plan.sessions, size, AHEAD * threads, told, each)

    def work() -> Counted:
        crew = Crew(engines)
        try:
            while (sessions := line.take()) is not None:
                line.done(crew.block(plan.seed, sessions.start, len(sessions)))
        except BaseException:
            line.stop()
            raise
        return crew.counted

    def work_together() -> Counted:
        with ThreadPoolExecutor(threads) as pool:
            first, *others = [pool.submit(work) for _ in range(threads)]
        counted = first.result()
        for other in others:
            counted.merge(other.result())
        return counted

    counted, interrupted = interruptible(work_together, line.stop)
    if not counted.sessions:
        raise KeyboardInterrupt
    return counted, not interrupted or counted.sessions == plan.sessions


# Work that Ctrl-C ends cleanly: it runs in a separate thread, which interrupts do not reach

T = TypeVar("T")

LOOK_UP = 0.2  # seconds between checks: on some systems a blocking wait delays interrupts


def interruptible(work: Callable[[], T], stop: Callable[[], None]) -> tuple[T, bool]:
    """Run the work; return its result, and whether it was interrupted.

    Ctrl-C reaches only the main thread. Each one calls `stop`; the work then ends as soon as it can with what it has.
    An exception in the work propagates to the caller.
    """
    interrupted = False
    with ThreadPoolExecutor(1) as pool:
        future: Future[T] | None = None
        while future is None or not future.done():
            try:
                if future is None:
                    future = pool.submit(work)
                if interrupted:
                    stop()
                wait([future], LOOK_UP)
            except KeyboardInterrupt:
                interrupted = True
            except BaseException:  # the process is exiting: the work must not outlive it
                stop()
                raise
    return future.result(), interrupted


# Simulations on recorded throws: on one core, since records are short


class GivenCrew(Crew):
    """Workers that play the same rows of a table of throws with every strategy."""

    def __init__(self, engines: list[Engine], throws: Throws) -> None:
        self.workers = [Worker(engine, throws) for engine in engines]
        self.pairs = [Pairs() for _ in engines[1:]]


def compile_given(engines: list[Engine], throws: Throws) -> None:
    """Play one throw, so that everything is compiled before timing starts."""
    GivenCrew(engines, throws[:1, :1].copy()).block(0, 0, 1)


def run_given(
    engines: list[Engine], throws: Throws, told: OnProgress | None = None, each: Each | None = None
) -> tuple[Counted, bool]:
    """Play every row of throws as a session; return the counts, and whether they are complete.

    Engines must be general ones. If interrupted, it finishes the block in progress; raises KeyboardInterrupt if no
    session was played.
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

    counted, interrupted = interruptible(work, stopped.set)
    if not counted.sessions:
        raise KeyboardInterrupt
    return counted, not interrupted or counted.sessions == len(throws)
