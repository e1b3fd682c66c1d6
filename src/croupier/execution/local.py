"""A simulation on the cores of this machine: one thread for each, all of them in compiled code most of the time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

from croupier.execution.plan import Counted, Crew, Order, Pairs, block_size, check_whole, copied
from croupier.rules.errors import Impossible
from croupier.simulation.kernels.dice import Throws
from croupier.simulation.kernels.engine import Engine, Known, Worker

Told = Callable[[int], None]  # so many sessions more are done
Each = Callable[[list[Known]], None]  # a block is done, block after block in order

MOST_JOBS = 1024
AHEAD = 2  # blocks for each thread that may wait for somebody who writes them down


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_jobs(jobs: int | None) -> None:
    """Refuse a number of jobs that makes no sense. Raises Impossible."""
    if jobs is not None:
        check_whole("jobs", jobs)
        if not 1 <= jobs <= MOST_JOBS:
            raise Impossible("jobs_out_of_range", f"From 1 to {MOST_JOBS:,} jobs can be done at once, not {jobs:,}.")


class _Line:
    """Blocks handed out in order, and what is known of them handed on in order, to one after the other.

    Whoever takes the next block waits while too many are waiting to be handed on: memory stays the same, however slowly
    they are taken in.
    """

    def __init__(self, sessions: int, size: int, room: int, told: Told | None, each: Each | None) -> None:
        self._sessions = sessions
        self._size = size
        self._room = room * size
        self._told = told
        self._each = each
        self._changed = threading.Condition()
        self._stopped = False
        self._taken = 0  # sessions before this one are handed out,
        self._handed_on = 0  # and those before this one are handed on
        self._is_handing_on = False
        self._waiting: dict[int, list[Known]] = {}

    def stop(self) -> None:
        """Hand out no more."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def take(self) -> range | None:
        """The sessions of the next block; None when there is no more to do."""
        with self._changed:
            while not self._stopped and self._each is not None and self._taken - self._handed_on >= self._room:
                self._changed.wait()
            if self._stopped or self._taken == self._sessions:
                return None
            first, self._taken = self._taken, min(self._taken + self._size, self._sessions)
            return range(first, self._taken)

    def done(self, known: list[Known]) -> None:
        """A block is done. It is handed on as soon as all before it are."""
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
        """Nothing where another thread is handing on: it will look again when it is through."""
        with self._changed:
            if self._is_handing_on or self._handed_on not in self._waiting:
                return None
            self._is_handing_on = True
            return self._waiting.pop(self._handed_on)


def run(
    order: Order, engines: list[Engine], jobs: int | None = None, told: Told | None = None, each: Each | None = None
) -> tuple[Counted, bool]:
    """Play all sessions; the result is what was counted, and whether it was all of them.

    Interrupted, it ends with the blocks that are under way: what is counted then are the first so many sessions. Where
    not even one was played, KeyboardInterrupt is raised. Also raises Impossible.
    """
    check_jobs(jobs)
    size = block_size(engines)
    threads = min(jobs or cores(), -(-order.sessions // size))
    line = _Line(order.sessions, size, AHEAD * threads, told, each)

    def work() -> Counted:
        crew = Crew(engines)
        try:
            while (sessions := line.take()) is not None:
                line.done(crew.block(order.seed, sessions.start, len(sessions)))
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

    counted, interrupted = calmly(work_together, line.stop)
    if not counted.sessions:
        raise KeyboardInterrupt
    return counted, not interrupted or counted.sessions == order.sessions


# -- calm -------------------------------------------------------------------------------------------------------------
# Work that Ctrl-C ends in good order: it is done in a thread of its own, which no interruption tears away from it.

T = TypeVar("T")

LOOK_UP = 0.2  # seconds between two looks: while it waits, no interruption reaches Python on some systems


def calmly(work: Callable[[], T], stop: Callable[[], None]) -> tuple[T, bool]:
    """What the work comes to, and whether it was interrupted.

    Ctrl-C reaches the main thread alone. It is answered by `stop`, as often as it comes; the work then ends as
    soon as it can with what it has. An exception in the work reaches the caller.
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
            except BaseException:  # the process is told to end: the work must not go on behind its back
                stop()
                raise
    return future.result(), interrupted


# -- given ------------------------------------------------------------------------------------------------------------
# A simulation on given throws: one core, since records are short.


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
