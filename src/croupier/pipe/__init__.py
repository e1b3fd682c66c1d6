"""One table over a pipe: JSON lines in, JSON lines out."""

from __future__ import annotations

from typing import BinaryIO

import msgspec

from croupier.money import format_cents
from croupier.pipe.reading import AskExposure, read_line
from croupier.rules.shelf import Shelf
from croupier.table.decide import decide
from croupier.table.evolve import evolve_all
from croupier.table.exposure import sign_exposure, standing_exposure
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.telling import Told, tell, tell_facts, tell_phases, tell_wagers
from croupier.table.view import TableView

_TOO_LONG = ("rules document",)  # facts that are shown to those who ask for them


class Pipe:
    """A table that answers lines."""

    def __init__(self, shelf: Shelf | None = None) -> None:
        self.shelf = shelf or Shelf()
        self.state = State()
        self._encoder = msgspec.json.Encoder()

    def answer(self, line: bytes) -> bytes:
        """The reply to one line; it never raises and never changes the table on a refusal."""
        command = read_line(self.shelf, self.state, line)
        if isinstance(command, AskExposure):
            return self._encoder.encode({"ok": True, "events": [], "exposure": self._exposure(command)} | self._table())
        decision = command if isinstance(command, Refusal) else decide(self.shelf, self.state, command)
        if isinstance(decision, Refusal):
            reply = {"ok": False, "code": decision.code, "clause": decision.clause, "message": decision.message}
            return self._encoder.encode(reply | self._table())
        self.state = evolve_all(self.state, decision)
        view = TableView(self.shelf, self.state)
        told = [row for event in decision for row in tell(view, event)]
        return self._encoder.encode({"ok": True, "events": told} | self._table(view))

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

    def _table(self, view: TableView | None = None) -> Told:
        chips = {player: format_cents(cents) for player, cents in self.state.chips.items()}
        if not self.state.is_open:
            return {"chips": chips, "wagers": []}
        view = view or TableView(self.shelf, self.state)
        table: Told = {"chips": chips, "wagers": tell_wagers(view), **tell_phases(view)}
        if view.game.book.rules.betting is not None:
            table["bets"] = "open" if self.state.bets_open else "closed"
        return table | self._remembered()

    def _remembered(self) -> Told:
        """Tokens in hand and what the conduct of the game has the table remember, where there is any."""
        told: Told = {}
        if any(self.state.tokens.values()):
            told["tokens"] = {player: format_cents(cents) for player, cents in self.state.tokens.items() if cents}
        facts = {name: value for name, value in self.state.facts.items() if name not in _TOO_LONG}
        return told | {"facts": tell_facts(facts)} if facts else told


def run(lines: BinaryIO, replies: BinaryIO, shelf: Shelf | None = None) -> None:
    """Answer every line until the input ends, each reply flushed at once."""
    pipe = Pipe(shelf)
    for line in lines:
        replies.write(pipe.answer(line) + b"\n")
        replies.flush()
