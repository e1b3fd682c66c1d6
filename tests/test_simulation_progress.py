"""What a terminal shows while a simulation runs, and what remains when it ends or is interrupted."""

from __future__ import annotations

import io
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FunctionType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.progress import Task, TaskID

from croupier.cli.simulation import plots, progress, run
from croupier.cli.simulation.progress import SPARE, Standing, ending_in_good_order
from croupier.simulation.results import FanPoint
from tests.waiting import until


def terminal(width: int) -> tuple[Console, io.StringIO]:
    written = io.StringIO()
    return Console(file=written, width=width, force_terminal=True, color_system=None), written


def task_of(completed: float, total: float, seconds: float) -> Task:
    """A task as it is this many seconds after its start."""
    task = Task(TaskID(0), "", total, completed, _get_time=lambda: seconds, _lock=threading.RLock())
    task.start_time = 0.0
    return task


def line_of(width: int, task: Task, rolls: int | None = 144) -> str:
    console, written = terminal(width)
    console.print(Standing(console, rolls, "rolls").render(task))
    return written.getvalue()


# -- the bar ----------------------------------------------------------------------------------------------------------


def test_words_are_as_many_as_there_is_room_for() -> None:
    task = task_of(250_000, 1_000_000, 50.0)
    said = [line_of(width, task).strip("\n━╸╺ ") for width in (120, 80, 60, 40)]
    assert said == [
        "250,000 of 1,000,000 sessions, 720,000 rolls a second, 2:30 left",
        "25% of 1 million sessions, 720,000 rolls a second, 2:30 left",
        "25%, 720,000 rolls a second, 2:30 left",
        "25%, 2:30 left",
    ]


def test_where_sessions_may_end_early_they_are_what_is_counted() -> None:
    assert "sessions, 5,000 a second, 2:30 left" in line_of(100, task_of(250_000, 1_000_000, 50.0), rolls=None)


def test_before_anything_is_done_no_rate_is_made_up() -> None:
    assert line_of(80, task_of(0, 1_000_000, 3.0)).strip("\n━╸╺ ") == "0 of 1,000,000 sessions"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0:00"), (59.6, "1:00"), (3599, "59:59"), (3600, "1:00:00"), (360_000, "4 days")]
)
def test_the_time_left_is_told_as_on_a_clock(seconds: float, words: str) -> None:
    task = task_of(1000, 1000 + 10 * seconds, 100.0)
    assert f", {words} left" in line_of(120, task)


@given(st.integers(40, 200), st.integers(1, 10**13), st.floats(0, 1), st.floats(0.01, 10**6), st.booleans())
def test_it_is_one_line_and_leaves_room_for_what_the_terminal_writes(
    width: int, total: int, part: float, seconds: float, known: bool
) -> None:
    shown = line_of(width, task_of(int(part * total), total, seconds), 144 if known else None)
    assert shown.count("\n") == 1
    assert len(shown.rstrip("\n")) <= width - SPARE


def test_nothing_is_left_of_the_bar() -> None:
    console, written = terminal(80)
    with progress.progress(console, 1000, 144, "rolls") as told:
        told(1000)
    assert "1,000 of 1,000 sessions" in written.getvalue()
    assert written.getvalue().endswith("\r\x1b[1A\x1b[2K"), "back to the line it stood on, and cleared"


# -- before it can begin ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("patience", "said"), [(60.0, False), (0.0, True)])
def test_who_waits_is_told_what_for(patience: float, said: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", patience)
    console, written = terminal(80)
    with progress.patience(console, "Getting ready"):
        assert not said or until(lambda: "Getting ready" in written.getvalue())
    assert ("Getting ready" in written.getvalue()) == said
    assert not said or written.getvalue().endswith("\x1b[2K"), "and cleared"


class Screen(io.StringIO):
    """An output that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "stream", "shown"),
    [
        ({"TERM": "xterm"}, Screen(), True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, Screen(), True),
        ({"TERM": "dumb"}, Screen(), False),
        ({"TERM": "xterm"}, io.StringIO(), False),
        ({"TERM": "xterm", "FORCE_COLOR": "1"}, io.StringIO(), False),
    ],
)
def test_only_a_screen_on_which_things_can_be_taken_back_has_a_bar(
    environment: dict[str, str], stream: io.StringIO, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stderr", stream)
    assert (run._screen() is not None) == shown


# -- told to end ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)], ids=["ctrl-c", "term"]
)
@pytest.mark.parametrize("module", ["llvmlite.binding.ffi", "numba.core.codegen"])
def test_an_interruption_waits_until_a_kernel_is_compiled(
    number: signal.Signals, raised: type[BaseException], module: str
) -> None:
    before = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    passed = []

    def compile_kernel() -> None:
        signal.raise_signal(number)
        time.sleep(3 * progress.ASK_AGAIN)
        passed.append("compiled")

    def play() -> None:
        with ending_in_good_order():
            inside(module, compile_kernel)()
            time.sleep(60)
            passed.append("played")

    with pytest.raises(raised):
        play()
    assert passed == ["compiled"]
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == before


def inside(module: str, work: Callable[[], None]) -> FunctionType:
    """A function of another module that does the work."""

    def compiler() -> None:
        work()

    return FunctionType(compiler.__code__, {"__name__": module}, closure=compiler.__closure__)


def test_elsewhere_an_interruption_comes_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), ending_in_good_order():
        signal.raise_signal(signal.SIGINT)


def test_whoever_does_not_listen_to_ctrl_c_is_left_alone() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with ending_in_good_order():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


# -- plots ------------------------------------------------------------------------------------------------------------

NAMES = ("1", "5", "25", "50", "75", "95", "99")


def quantiles(*values: float) -> dict[str, float]:
    return dict(zip(NAMES, values, strict=True))


def drawn() -> list[str]:
    some = quantiles(-300, -200, -100, -20, 100, 200, 300)
    lines = [
        plots.key(),
        *plots.fan([FanPoint(72, 0.0, some), FanPoint(144, 0.0, some)], "rolls", 80),
        *plots.histogram([(-10.0, 3), (0.0, 5), (10.0, 4)], 80),
        *plots.boxes([("one", some), ("a name that is much too long for its column", some)], 60),
    ]
    return [line.plain for line in lines]


def test_plots_are_drawn_in_what_the_output_can_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    fine = drawn()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    plain = drawn()
    assert [line for line in plain if not line.isascii()] == []
    assert [len(line) for line in plain] == [len(line) for line in fine]
    assert not any(line.isascii() for line in fine[:5])


def test_nothing_won_or_lost_is_marked_in_every_box() -> None:
    ahead, astride = quantiles(10, 20, 30, 40, 50, 60, 70), quantiles(-30, -20, -10, 5, 10, 20, 30)
    first, second, axis = (line.plain for line in plots.boxes([("a", ahead), ("b", astride)], 60))
    zero = axis.index(" 0 ") + 1
    assert first[zero] == second[zero] == "┊"
    assert second[zero - 1] == "▓"
