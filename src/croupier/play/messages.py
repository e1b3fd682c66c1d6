"""Events and refusals in sentences, each with its clause."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rich.text import Text

from croupier.contract import shown_events
from croupier.felt.areas import wager_name
from croupier.felt.past_results import is_marker
from croupier.play.felt import Glyphs
from croupier.play.solo_game import YOU, Batch, SoloGame
from croupier.rules.outcomes import Faces
from croupier.table.refusals import Refusal

NOTHING = "0.00"
STYLES = {
    "refused": "bold yellow",
    "win": "bold green",
    "lose": "red",
    "void": "cyan",
    "call": "bold",
    "clause": "dim",
    "plain": "",
}


class Messages:
    """Words the events of a session for its player."""

    def __init__(self, session: SoloGame, glyphs: Glyphs) -> None:
        self.session = session
        self.glyphs = glyphs
        self._lines: dict[type, Callable[[Any], Text]] = {
            shown_events.WagerPlaced: self._placed,
            shown_events.WagerReduced: self._back,
            shown_events.WagerRemoved: self._back,
            shown_events.WagerCalled: self._called,
            shown_events.BetsClosed: self._closed,
            shown_events.BetsOpened: self._opened,
            shown_events.Thrown: self._thrown,
            shown_events.TurnPassed: self._passed,
            shown_events.HouseThrowsOn: self._house,
            shown_events.ThrowVoided: self._voided,
        }

    def describe(self, rows: list[shown_events.EventView]) -> list[Text]:
        """Return what happened, line by line; settlements follow the throw, with losses grouped."""
        lines: list[Text] = []
        settled = self._settled([row for row in rows if isinstance(row, shown_events.WagerSettled)])
        for row in rows:
            if type(row) in self._lines:
                lines.append(self._lines[type(row)](row))
            if isinstance(row, shown_events.Thrown):
                lines += settled
                lines += self._moved([row for row in rows if isinstance(row, shown_events.WagerMoved)])
                lines += self._phases([row for row in rows if isinstance(row, shown_events.PhaseMoved)])
                settled = []
        return lines + settled

    def describe_batch(self, batch: Batch, nothing: str) -> list[Text]:
        """Return the results of several moves at once."""
        lines = self.describe(batch.events)
        lines += [self.refused(refusal, name) for name, refusal in batch.refused]
        return lines or [self.say(nothing)]

    def say(self, sentence: str, style: str = "plain", clause: object = None) -> Text:
        """Return a sentence with the clause behind it."""
        text = Text(self.glyphs.say(sentence), STYLES[style])
        if clause is not None:
            text.append(self.glyphs.say(f" ({clause})"), STYLES["clause"])
        return text

    def refused(self, refusal: Refusal, name: str = "") -> Text:
        """Return a refusal in plain words."""
        message = second_person(refusal.message)
        return self.say(f"{name}: {message}" if name else message, "refused", refusal.clause)

    def name(
        self,
        row: shown_events.WagerChange | shown_events.WagerCalled | shown_events.WagerSettled | shown_events.WagerMoved,
    ) -> str:
        """Return the wager that a row is about."""
        return wager_name(self.session.game.wager(row.wager), row.pick)

    def call(self, moment: str, words: object) -> Text:
        """Return a spoken call, and who makes it."""
        heard = next((call for call in self.session.rules.calls if call.moment == moment), None)
        by = heard.by.capitalize() if heard else "Dealer"
        start, end = self.glyphs.quote
        return self.say(f"{by}: {start}{words}{end}", "call", heard.clause if heard else None)

    def _closed(self, row: shown_events.BetsClosed) -> Text:
        return self.call("bets close", row.call)

    def _opened(self, row: shown_events.BetsOpened) -> Text:
        return self.call("bets open", row.call)

    def _thrown(self, row: shown_events.Thrown) -> Text:
        title, verb = row.title, self.session.rules.throw.command
        by = f"You, the {title}, {verb}" if row.by == YOU else f"The {title} {third_person(verb)}"
        faces = faces_text(self.session.results[-1].faces) if self.session.results else ""
        return Text.assemble(f"{by} ", (faces, "bold"), "  ", self.call("result", row.call))

    def _placed(self, row: shown_events.WagerPlaced) -> Text:
        total = f", {row.stake} in all" if row.stake != row.amount else ""
        fee = f"; commission {row.commission}" if row.commission != NOTHING else ""
        return self.say(f"{row.amount} on {self.name(row)}{total}{fee}", clause=row.clause)

    def _back(self, row: shown_events.WagerReduced | shown_events.WagerRemoved) -> Text:
        fee = f" with commission {row.commission}" if row.commission != NOTHING else ""
        left = f", {row.stake} stays" if row.stake != NOTHING else ""
        return self.say(f"{row.amount} back from {self.name(row)}{fee}{left}", clause=row.clause)

    def _called(self, row: shown_events.WagerCalled) -> Text:
        return self.say(f"{self.name(row)} is {'ON' if row.on else 'OFF'}", clause=row.clause)

    def _passed(self, row: shown_events.TurnPassed) -> Text:
        return self.say(f"The {self.session.rules.throw.field} pass on", clause=row.clause)

    def _house(self, row: shown_events.HouseThrowsOn) -> Text:
        return self.say("The house throws for you from now on", clause=row.clause)

    def _voided(self, row: shown_events.ThrowVoided) -> Text:
        return self.call("void", row.call)

    def _settled(self, rows: list[shown_events.WagerSettled]) -> list[Text]:
        lines = []
        for row in (row for row in rows if row.result == "win"):
            sentence = f"{self.name(row)} wins: {row.stake} pays {row.paid}, {row.returned} comes back"
            lines.append(self.say(sentence, "win", row.clause))
        lost = [(f"{row.stake} on {self.name(row)}", row.clause) for row in rows if row.result == "lose"]
        void = [(f"{row.returned} from {self.name(row)}", row.clause) for row in rows if row.result == "void"]
        lines += self._list("Lost:", lost, "lose") + self._list("Returned, neither won nor lost:", void, "void")
        return lines

    def _moved(self, rows: list[shown_events.WagerMoved]) -> list[Text]:
        there = [(f"{self.name(row)} to {row.to}", row.clause) for row in rows if row.to != row.pick]
        stays = [(f"{self.name(row)}, {row.state}", row.clause) for row in rows if row.to == row.pick]
        return self._list("Travels:", there, "plain") + self._list("Stays up:", stays, "plain")

    def _list(self, head: str, items: list[tuple[str, str]], style: str) -> list[Text]:
        if not items:
            return []
        line = self.say(head, style)
        for place, (item, clause) in enumerate(items):
            line.append(" " if place == 0 else "; ", STYLES[style])
            line.append_text(self.say(item, style, clause))
        return [line]

    def _phases(self, rows: list[shown_events.PhaseMoved]) -> list[Text]:
        """Describe the puck going on or off; counts are on the screen anyway."""
        lines = []
        for row in rows:
            phase = self.session.game.book.phases[row.phase]
            if is_marker(self.session.game.book, phase):
                now = "OFF" if row.value is None else f"ON {row.value}"
                lines.append(self.say(f"{phase.name} {now}", "call", row.clause))
        return lines


def faces_text(faces: Faces) -> str:
    """Return the dice or coins in a line."""
    return " ".join(f"[{face}]" for face in faces)


def third_person(verb: str) -> str:
    """Return the third person: `roll` becomes `rolls`, `fly` `flies`, `toss` `tosses`."""
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search(r"(s|x|z|o|ch|sh)$", verb) else f"{verb}s"


def second_person(message: str) -> str:
    """Correct the grammar of a sentence about a player called "you"."""
    message = re.sub(rf"\b{YOU} has\b", f"{YOU} have", message)
    message = re.sub(rf"\b{YOU} is\b", f"{YOU} are", message)
    return message[:1].upper() + message[1:]
