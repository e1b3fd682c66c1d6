"""One table over a pipe: JSON lines in, JSON lines out."""

from __future__ import annotations

from typing import BinaryIO

import msgspec

from croupier.contract.lines import CasesLine, ExposureLine, LineDone, LineRefused
from croupier.protocol import read_line, reply_cases, reply_done, reply_exposure, reply_refused
from croupier.rules.shelf import Shelf
from croupier.table.decide import decide
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import State

MOST_IN_A_LINE = 2**20  # bytes; far longer than any command


class Pipe:
    """A table that answers lines."""

    def __init__(self, shelf: Shelf | None = None) -> None:
        self.shelf = shelf or Shelf()
        self.state = State()
        self._encoder = msgspec.json.Encoder()

    def answer(self, line: bytes) -> bytes:
        """Return the reply to one line. It never raises, and a refusal never changes the table."""
        return self._encoder.encode(self._reply(line).as_dict())

    def _reply(self, line: bytes) -> LineDone | LineRefused:
        command = read_line(self.shelf, self.state, line)
        if isinstance(command, ExposureLine):
            return reply_exposure(self.shelf, self.state, command.seats)
        if isinstance(command, CasesLine):
            return reply_cases(self.shelf, self.state)
        decision = command if isinstance(command, Refusal) else decide(self.shelf, self.state, command)
        if isinstance(decision, Refusal):
            return reply_refused(self.shelf, self.state, decision)
        self.state = evolve_all(self.state, decision)
        return reply_done(self.shelf, self.state, decision)


def _pass_over(lines: BinaryIO, line: bytes) -> None:
    """Read to the end of a line without keeping it."""
    while line and not line.endswith(b"\n"):
        line = lines.readline(MOST_IN_A_LINE)


def run(lines: BinaryIO, replies: BinaryIO, shelf: Shelf | None = None) -> None:
    """Answer every line until the input ends, flushing each reply."""
    pipe = Pipe(shelf)
    while line := lines.readline(MOST_IN_A_LINE + 1):
        if len(line) > MOST_IN_A_LINE:
            _pass_over(lines, line)
            line = b"{"  # not JSON, as if the line were cut off there
        replies.write(pipe.answer(line) + b"\n")
        replies.flush()
