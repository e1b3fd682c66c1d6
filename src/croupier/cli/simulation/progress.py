"""Progress and interruption of a simulation: a one-line bar, a notice during compilation, and signal handling."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console
from rich.progress import Progress, ProgressColumn, Task
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from croupier.cli.simulation.plots import large
from croupier.execution.simulation_plan import OnProgress

SHORTEST_BAR, LONGEST_BAR = 12, 40  # columns
SPARE = 4  # columns reserved for two ^C from the terminal; on a line of its own, that line would be cleared instead

MOST_HOURS = 99
PATIENCE = 1.0  # seconds before the user might wonder what is going on


@contextmanager
def patience(console: Console, words: str) -> Iterator[None]:
    """Show these words if the block takes a while, and remove them when it is done."""
    status = console.status(words)
    later = threading.Timer(PATIENCE, status.start)
    later.daemon = True
    later.start()
    try:
        yield
    finally:
        later.cancel()
        later.join()
        status.stop()


@contextmanager
def progress(console: Console, sessions: int, rolls: int | None, throws: str) -> Iterator[OnProgress]:
    """Show a bar that advances with the sessions reported, and remove it at the end.

    `rolls` is the number per session over all strategies; None if sessions may end early.
    """
    with Progress(Standing(console, rolls, throws), console=console, transient=True) as shown:
        task = shown.add_task("", total=sessions)
        yield lambda done: shown.advance(task, done)


class Standing(ProgressColumn):
    """The bar, and as many words beside it as fit."""

    def __init__(self, console: Console, rolls: int | None, throws: str) -> None:
        super().__init__()
        self._console = console
        self._rolls = rolls
        self._throws = "" if rolls is None else f" {throws}"

    def render(self, task: Task) -> Table:
        """Return the longest words that fit, else the shortest."""
        width = self._console.width - SPARE
        forms = list(self._forms(task))
        words = next((words for words in forms if len(words) + 1 + SHORTEST_BAR <= width), forms[-1])
        bar = ProgressBar(task.total, task.completed, max(1, min(LONGEST_BAR, width - len(words) - 1)))
        line = Table.grid(padding=(0, 1))
        line.add_row(bar, Text(words, no_wrap=True))
        return line

    def _forms(self, task: Task) -> Iterator[str]:
        done, total = round(task.completed), round(task.total or 0)
        part, speed = f"{task.percentage:.0f}%", _speed(task)
        rate, left = (self._rate(speed), _left((total - done) / speed)) if speed else ("", "")
        yield f"{done:{len(f'{total:,}')},} of {total:,} sessions{rate}{left}"
        yield f"{part} of {large(total)} sessions{rate}{left}"
        yield f"{part}{rate}{left}"
        yield f"{part}{left}"

    def _rate(self, speed: float) -> str:
        """Return rolls per second; sessions per second if their length is unknown."""
        return f", {large(speed * (self._rolls or 1))}{self._throws} a second"


def _speed(task: Task) -> float:
    """Return recent sessions per second, or the overall rate while too few blocks are done."""
    return task.speed or (task.completed / task.elapsed if task.elapsed else 0.0)


def _left(seconds: float) -> str:
    """Format the time left: `, 0:47 left`, `, 1:02:03 left`, `, 12 days left`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours > MOST_HOURS:
        return f", {large(hours // 24)} days left"
    return f", {f'{hours}:{minutes:02}' if hours else minutes}:{rest:02} left"


# -- interruption by Ctrl-C or a signal, but never while a kernel is being compiled -----------------------------------

BY_A_SIGNAL = 128  # exit status for death by a signal: this plus the signal's number
ASK_AGAIN = 0.05  # seconds
COMPILERS = ("llvmlite.", "numba.core.codegen")  # interrupting these may crash the process; they finish soon


@contextmanager
def ending_in_good_order() -> Iterator[None]:
    """Turn Ctrl-C into KeyboardInterrupt and other signals into SystemExit, so that no partial files are left behind.

    Only the main thread handles signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    told = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, _end) for number in told}
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # otherwise another handler is installed
        before[signal.SIGINT] = signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def undisturbed(ask: bool = True) -> Iterator[None]:
    """Ignore further Ctrl-C while the figures of an interrupted simulation are computed and written."""
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
    """Signal the main thread again; a real signal, where available, wakes it from any wait."""
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
