"""How a simulation ends before its time: by Ctrl-C or told to end, but not in the midst of compiling a kernel."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

BY_A_SIGNAL = 128  # the exit status of a process that a signal ends is this and the number of the signal
ASK_AGAIN = 0.05  # seconds
COMPILERS = ("llvmlite.", "numba.core.codegen")  # torn away from these, the process may fail; they are soon through


@contextmanager
def ending_in_good_order() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, being told to end SystemExit, so that no half-written files are left behind.

    Only the main thread is told anything.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    told = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, _end) for number in told}
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is not for us to answer
        before[signal.SIGINT] = signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def undisturbed(ask: bool = True) -> Iterator[None]:
    """Further Ctrl-C say nothing new while the figures of what was played are made and written."""
    if not ask or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(number: int, frame: FrameType | None) -> None:
    if _is_compiling(frame):
        later = threading.Timer(ASK_AGAIN, _ask, (number,))
        later.daemon = True
        later.start()
    elif number == signal.SIGINT:
        raise KeyboardInterrupt
    else:
        raise SystemExit(BY_A_SIGNAL + number)


def _ask(number: int) -> None:
    """Tell the main thread once more; a real signal, where there are any, wakes it from whatever it waits for."""
    if hasattr(signal, "pthread_kill"):
        main = threading.main_thread().ident
        assert main is not None, "the main thread runs"
        signal.pthread_kill(main, number)
    else:
        _thread.interrupt_main(signal.Signals(number))


def _is_compiling(frame: FrameType | None) -> bool:
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).startswith(COMPILERS):
            return True
        frame = frame.f_back
    return False
