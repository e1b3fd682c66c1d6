"""How far a simulation is: a bar, sessions done, how fast, and the time left. All in one line, however narrow.

Before it can begin, kernels may have to be compiled. Whoever waits for that is told so.
"""

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
from croupier.execution.local import Told

SHORTEST_BAR, LONGEST_BAR = 12, 40  # columns
SPARE = 4  # columns in which the terminal may write ^C, twice; on a line of its own, that line would be cleared instead

MOST_HOURS = 99
PATIENCE = 1.0  # seconds in which nobody wonders what is going on


@contextmanager
def patience(console: Console, words: str) -> Iterator[None]:
    """Says these words as soon as something takes its time, and takes them back when it is done."""
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
def progress(console: Console, sessions: int, rolls: int | None, throws: str) -> Iterator[Told]:
    """Shows the bar while it is told of sessions that are done, and then nothing any more.

    `rolls` is how many there are in a session of all strategies; None where sessions may end early.
    """
    with Progress(Standing(console, rolls, throws), console=console, transient=True) as shown:
        task = shown.add_task("", total=sessions)
        yield lambda done: shown.advance(task, done)


class Standing(ProgressColumn):
    """The bar, and as many words beside it as leave it some room."""

    def __init__(self, console: Console, rolls: int | None, throws: str) -> None:
        super().__init__()
        self._console = console
        self._rolls = rolls
        self._throws = "" if rolls is None else f" {throws}"

    def render(self, task: Task) -> Table:
        """The longest words for which there is room, else the shortest."""
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
        """Rolls a second, or sessions where nobody knows how long they are."""
        return f", {large(speed * (self._rolls or 1))}{self._throws} a second"


def _speed(task: Task) -> float:
    """Sessions a second: of late, or as long as too few blocks are done for that, on the whole."""
    return task.speed or (task.completed / task.elapsed if task.elapsed else 0.0)


def _left(seconds: float) -> str:
    """The time left: `, 0:47 left`, `, 1:02:03 left`, `, 12 days left`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours > MOST_HOURS:
        return f", {large(hours // 24)} days left"
    return f", {f'{hours}:{minutes:02}' if hours else minutes}:{rest:02} left"


# -- ending -----------------------------------------------------------------------------------------------------------
# How a simulation ends before its time: by Ctrl-C or told to end, but not in the midst of compiling a kernel.

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
