"""One table over a pipe: JSON lines in, JSON lines out."""

from __future__ import annotations

from typing import BinaryIO

import msgspec

from croupier.money import format_cents
from croupier.protocol.reading import AskCases, AskExposure, read_line
from croupier.protocol.replies import tell_cases, tell_events, tell_refusal, tell_table
from croupier.rules.shelf import Shelf
from croupier.table.decide import decide
from croupier.table.event_views import Told
from croupier.table.evolve import evolve_all
from croupier.table.exposure import sign_exposure, standing_exposure
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.view import TableView

MOST_IN_A_LINE = 2**20  # bytes; far longer than any command


class Pipe:
    """A table that answers lines."""

    def __init__(self, shelf: Shelf | None = None) -> None:
        self.shelf = shelf or Shelf()
        self.state = State()
        self._encoder = msgspec.json.Encoder()

    def answer(self, line: bytes) -> bytes:
        """Return the reply to one line. It never raises, and a refusal never changes the table."""
        command = read_line(self.shelf, self.state, line)
        if isinstance(command, AskExposure):
            asked = {"ok": True, "events": [], "exposure": self._exposure(command)}
            return self._encoder.encode(asked | tell_table(self.shelf, self.state))
        if isinstance(command, AskCases):
            told = {"ok": True, "events": [], "cases": tell_cases(self.shelf, self.state)}
            return self._encoder.encode(told | tell_table(self.shelf, self.state))
        decision = command if isinstance(command, Refusal) else decide(self.shelf, self.state, command)
        if isinstance(decision, Refusal):
            return self._encoder.encode(tell_refusal(decision) | tell_table(self.shelf, self.state))
        self.state = evolve_all(self.state, decision)
        view = TableView(self.shelf, self.state)
        told = {"ok": True, "events": tell_events(view, decision)}
        return self._encoder.encode(told | tell_table(self.shelf, self.state, view))

    def _exposure(self, asked: AskExposure) -> Told:
        seats = asked.seats or self.state.settings.seats or max(1, len(self.state.seats))
        told: Told = {"seats": seats}
        for name, exposure in (
            ("standing", standing_exposure(self.shelf, self.state)),
            ("sign", sign_exposure(self.shelf, self.state, seats)),
        ):
            loss = None if exposure.cents is None else format_cents(exposure.cents)
            told[name] = {"loss": loss, "on": list(exposure.faces)}
        return told


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
