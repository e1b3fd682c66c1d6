"""Work that Ctrl-C ends in good order: it is done in a thread of its own, which no interruption tears away from it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

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
