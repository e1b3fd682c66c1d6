"""The terminal game in a real terminal: redrawn after every move, left by Ctrl-C or Ctrl-D without a traceback."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

pty = pytest.importorskip("pty")

CODE = (
    "import sys; from croupier.play import play; from croupier.rules.shelf import Shelf; "
    "sys.exit(play(sys.argv[1], Shelf(), seed=5))"
)
CLEAR = "\x1b[2J"


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, **env: str) -> None:
        self.end, other = pty.openpty()
        settings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", **env}
        command = [sys.executable, "-c", CODE, "craps-nsw-2024"]
        heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # a child ignores what its parent ignores
        try:
            self.program = subprocess.Popen(command, stdin=other, stdout=other, stderr=other, env=settings)
        finally:
            signal.signal(signal.SIGINT, heard)
        os.close(other)

    def read_until(self, words: str, seconds: float = 20) -> str:
        """Everything up to the moment at which these words have appeared."""
        seen, until = "", time.monotonic() + seconds
        while words not in seen:
            assert time.monotonic() < until, f"{words!r} is not in {seen!r}"
            if select.select([self.end], [], [], 0.1)[0]:
                seen += self._read()
        return seen

    def _read(self) -> str:
        try:
            return os.read(self.end, 65536).decode("utf-8", "replace")
        except OSError:  # the program has gone
            return ""

    def type(self, line: str) -> None:
        os.write(self.end, line.encode())

    def interrupt(self) -> None:
        """Ctrl-C, repeated if necessary: a signal just before the program waits for a line is noticed only with the
        next one."""
        for _ in range(20):
            self.program.send_signal(signal.SIGINT)
            if select.select([self.end], [], [], 1)[0]:
                return


@contextlib.contextmanager
def terminal(**env: str) -> Iterator[Terminal]:
    opened = Terminal(**env)
    try:
        yield opened
    finally:
        opened.program.kill()
        opened.program.wait()
        os.close(opened.end)


def test_the_screen_is_drawn_anew_after_every_move() -> None:
    with terminal() as screen:
        assert CLEAR in screen.read_until("> ")
        screen.type("10 win\n")
        drawn = screen.read_until("undo")
        assert CLEAR in drawn
        assert "●10" in drawn
        screen.type("pays\n")
        assert CLEAR not in screen.read_until("Pay table")
        screen.type("quit\n")
        assert "Traceback" not in screen.read_until("you bought 1000.00.")
        assert screen.program.wait(10) == 0


@pytest.mark.parametrize("way", ["ctrl-c", "ctrl-d"])
def test_leaving_is_polite(way: str) -> None:
    with terminal() as screen:
        screen.read_until("> ")
        if way == "ctrl-c":
            screen.interrupt()
        else:
            screen.type("\x04")
        last = screen.read_until("you bought 1000.00.")
        assert "You leave with 1000.00; you bought 1000.00." in last
        assert "Traceback" not in last
        assert screen.program.wait(10) == 0


def test_a_dumb_terminal_gets_plain_lines_and_no_colour() -> None:
    with terminal(TERM="dumb") as screen:
        shown = screen.read_until("> ")
        screen.type("10 win\n")
        shown += screen.read_until("On the layout 10.00")
        assert "\x1b" not in shown.replace("\x1b[?2004h", "")  # readline's own
        assert "WIN LINE" in shown


def test_no_color_is_respected() -> None:
    with terminal(NO_COLOR="1") as screen:
        shown = screen.read_until("> ")
        assert "\x1b[38;5" not in shown
        assert "\x1b[48;5" not in shown
