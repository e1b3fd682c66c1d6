"""The course of a table's rounds, as its public record tells it, and everything in it that is not as it must be.

A round is opened with a commitment, its bets are shut, its dice drawn, and they are thrown as they were drawn: in this
order, each once. Only before its bets are shut may it be cancelled instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from croupier.house.documents import StoredEvent
from croupier.house.electronic.dice import SECRET_BYTES, Face, commitment, drawn
from croupier.house.electronic.public import MOST
from croupier.house.events import BetsShut, DiceDrawn, LastCalled, RoundCancelled, RoundOpened, TableSet
from croupier.table.events import TableOpened, Thrown

# What a finding may be.
FAULTS = {
    "altered": "a record, a document or the record's past is not what it was",
    "missing": "records or rounds are left out",
    "added": "records stand where none can be",
    "not_shown": "a step of a round is told without its document",
    "out_of_place": "a step of a round comes when it is not its turn",
    "commitment_changed": "the secret shown is not the one that was committed to",
    "shut_early": "the bets were shut before the time announced",
    "early_bet": "a wager changed while nothing was committed to",
    "late_bet": "a wager changed after the bets were shut",
    "skipped": "a round was neither drawn nor cancelled, or cancelled when it was too late for that",
    "redrawn": "a round was opened or drawn a second time",
    "other_dice": "what is thrown, or how it was drawn, is not what it must be",
    "other_throw": "other faces were settled than were drawn",
    "not_settled": "what was drawn was not thrown at once",
    "not_drawn": "a throw was settled that was never drawn",
    "voided": "a throw was declared void after it was drawn",
    "receipt": "the house has signed another past, in a receipt that somebody holds",
}

MOST_SHOWN = 40

STEPS = (RoundOpened, LastCalled, BetsShut, DiceDrawn, RoundCancelled)

Stage = Literal["open", "shut", "drawn", "thrown", "cancelled"]
OVER = ("thrown", "cancelled")

WAGERING = ("wager_placed", "wager_reduced", "wager_called", "wager_found")
VOIDING = ("throw_voided", "outcome_invalidated")

# What may come between the dice and their throw, and what is a fault of its own there.
BEFORE_A_THROW = ("turn_passed", "thrown", "dice_drawn", "round_cancelled", *VOIDING, *WAGERING)


class Finding(msgspec.Struct, frozen=True):
    """Something that is not as it must be: one of FAULTS, and a sentence."""

    fault: str
    sentence: str
    version: int | None = None
    round: int | None = None


class Told(NamedTuple):
    """What a line tells: the kind, and the event where its document is shown; else what is shown of it."""

    version: int
    hash: bytes
    kind: str
    shown: dict[str, Any]
    event: StoredEvent | None = None
    at: str = ""


class _Round(msgspec.Struct):
    number: int
    commitment: str = ""
    closes: str = ""
    stage: Stage = "open"
    shut: bytes | None = None
    faces: tuple[Face, ...] = ()


Found = Iterator[Finding]


class Course:
    """The rounds so far. `throws` are what was drawn."""

    def __init__(self, table: str, faces: Sequence[Face], throw: int) -> None:
        self.table = table
        self._faces = faces
        self._throw = throw
        self._round = _Round(0, stage="cancelled")
        self._version = self._last_drawn = 0
        self.book: str | None = None
        self.runs_by_itself = False
        self.rounds = self.drawn = self.cancelled = 0
        self.throws: list[tuple[Face, ...]] = []

    @property
    def under_way(self) -> int | None:
        """The round that is not over yet."""
        return None if self._round.stage in OVER else self._round.number

    def go_on(self, told: Told) -> Found:
        """What is wrong with the next record, if anything."""
        self._version = told.version
        if self._round.stage == "drawn" and told.kind not in BEFORE_A_THROW:
            yield from self._leave_unsettled()
        step = _STEPS.get(told.kind)
        if step is not None:
            if not isinstance(told.event, STEPS):
                yield self._finding(
                    "not_shown", f"Record {told.version} is {told.kind}, and does not show its document."
                )
            elif not 0 < told.event.number <= MOST:
                yield self._out_of_place("its round has no number")
            else:
                yield from step(self, told.event, told)
        elif told.kind in _OTHERS:
            yield from _OTHERS[told.kind](self, told)

    def ended(self) -> Found:
        """What is wrong with the record as a whole."""
        if self._round.stage == "drawn":
            yield from self._leave_unsettled()

    def _leave_unsettled(self) -> Found:
        yield self._finding("not_settled", f"Round {self._round.number} was drawn, and its throw did not follow.")
        self._round.stage = "thrown"

    def _finding(self, fault: str, sentence: str) -> Finding:
        return Finding(fault, sentence, self._version, self._round.number or None)

    def _is_this(self, number: int) -> bool:
        """Whether it is the round that was opened last."""
        return self._round.number == number > 0

    def _out_of_place(self, what: str) -> Finding:
        return self._finding("out_of_place", f"Record {self._version} does not belong here: {what}.")

    # Steps of a round

    def _opened(self, event: RoundOpened, told: Told) -> Found:
        last = self._round
        if last.stage in ("open", "shut"):
            yield self._finding("skipped", f"Round {last.number} was neither drawn nor cancelled.")
        self._round = _Round(event.number, event.commitment, event.closes)
        self.runs_by_itself = True
        self.rounds += 1
        if event.number > last.number + 1:
            gap = (last.number + 1, event.number - 1)
            which = f"Round {gap[0]} is" if gap[0] == gap[1] else f"Rounds {gap[0]} to {gap[1]} are"
            yield self._finding("missing", f"{which} missing.")
        elif event.number <= last.number:
            yield self._finding("redrawn", f"Round {event.number} was opened after round {last.number}.")

    def _last_called(self, event: LastCalled, told: Told) -> Found:
        current = self._round
        if not self._is_this(event.number) or current.stage != "open":
            yield self._out_of_place(f"the last call of round {event.number}")
        elif event.closes < current.closes:
            yield self._out_of_place(f"the last call of round {event.number} is for an earlier time than was announced")
        else:
            current.closes = event.closes

    def _shut(self, event: BetsShut, told: Told) -> Found:
        current = self._round
        if not self._is_this(event.number) or current.stage != "open":
            yield self._out_of_place(f"the bets of round {event.number} are shut")
            return
        if told.at < current.closes:
            say = f"The bets of round {event.number} were shut before the time that was announced."
            yield self._finding("shut_early", say)
        current.stage, current.shut = "shut", told.hash

    def _drawn(self, event: DiceDrawn, told: Told) -> Found:
        current = self._round
        if not self._is_this(event.number):
            yield self._out_of_place(f"round {event.number} is drawn")
            return
        if current.stage in ("drawn", *OVER):
            how = "after it was cancelled" if current.stage == "cancelled" else "a second time"
            yield self._finding("redrawn", f"Round {event.number} was drawn {how}.")
        elif current.stage == "open":
            yield self._out_of_place(f"round {event.number} is drawn before its bets are shut")
        secret = _secret(event.secret)
        yield from self._check_secret(secret)
        yield from self._check_faces(event, secret)
        current.stage, current.faces, self._last_drawn = "drawn", event.faces, current.number
        self.drawn += 1
        self.throws.append(event.faces)

    def _check_secret(self, secret: bytes | None) -> Found:
        current = self._round
        if secret is None or commitment(self.table, current.number, secret) != current.commitment:
            say = f"The secret of round {current.number} is not the one that was committed to."
            yield self._finding("commitment_changed", say)

    def _check_faces(self, event: DiceDrawn, secret: bytes | None) -> Found:
        current = self._round
        if current.shut is not None and event.shut != current.shut.hex():
            say = f"Round {current.number} was drawn by another hash than that of the record which shut its bets."
            yield self._finding("altered", say)
        if secret is None or current.shut is None:
            return
        falls = drawn(secret, current.shut, self._faces, self._throw)
        if falls != event.faces:
            say = f"Round {current.number} shows {shown(event.faces)}, and what was committed to gives {shown(falls)}."
            yield self._finding("other_dice", say)

    def _cancelled(self, event: RoundCancelled, told: Told) -> Found:
        current = self._round
        if not self._is_this(event.number) or current.stage == "cancelled":
            yield self._out_of_place(f"round {event.number} is cancelled")
            return
        if current.stage == "shut":
            yield self._finding("skipped", f"Round {event.number} was cancelled after its bets were shut.")
        elif current.stage != "open":
            yield self._finding("voided", f"Round {event.number} was cancelled after it was drawn.")
        yield from self._check_secret(_secret(event.secret))
        current.stage = "cancelled"
        self.cancelled += 1

    # What else happens at the table

    def _set(self, told: Told) -> Found:
        event = told.event
        rhythm = event.rhythm if isinstance(event, TableSet) else told.shown.get("rhythm")
        self.runs_by_itself = self.runs_by_itself or rhythm is not None
        return iter(())

    def _table_opened(self, told: Told) -> Found:
        terms = told.shown.get("terms")
        book = terms.get("book") if isinstance(terms, dict) else None
        self.book = told.event.terms.book if isinstance(told.event, TableOpened) else str(book)
        return iter(())

    def _thrown(self, told: Told) -> Found:
        current, faces = self._round, told.shown.get("faces")
        fell = told.event.faces if isinstance(told.event, Thrown) else tuple(faces) if isinstance(faces, list) else ()
        if current.stage == "drawn":
            if fell != current.faces:
                say = f"In round {current.number} {shown(current.faces)} was drawn, and {shown(fell)} was settled."
                yield self._finding("other_throw", say)
            current.stage = "thrown"
        elif self.runs_by_itself:
            yield self._finding("not_drawn", f"Record {self._version} settles a throw that was not drawn.")

    def _voided(self, told: Told) -> Found:
        if self._last_drawn:
            say = f"The throw of round {self._last_drawn} was declared void after it was drawn."
            yield Finding("voided", say, self._version, self._last_drawn)
        elif self.runs_by_itself:
            yield self._finding("voided", f"Record {self._version} declares a throw void that was not drawn.")
        if self._round.stage == "drawn":
            self._round.stage = "thrown"

    def _wagered(self, told: Told) -> Found:
        stage = self._round.stage
        if stage == "open" or not self.runs_by_itself:
            return
        if stage in OVER:
            say = f"Record {self._version} changes a wager while no round is open: nothing was committed to."
            yield self._finding("early_bet", say)
        else:
            say = f"Record {self._version} changes a wager after the bets of round {self._round.number} were shut."
            yield self._finding("late_bet", say)


_STEPS: dict[str, Callable[[Course, Any, Told], Found]] = {
    "round_opened": Course._opened,
    "last_called": Course._last_called,
    "bets_shut": Course._shut,
    "dice_drawn": Course._drawn,
    "round_cancelled": Course._cancelled,
}

_OTHERS: dict[str, Callable[[Course, Told], Found]] = {
    "table_set": Course._set,
    "table_opened": Course._table_opened,
    "thrown": Course._thrown,
    **dict.fromkeys(VOIDING, Course._voided),
    **dict.fromkeys(WAGERING, Course._wagered),
}


def shown(faces: Sequence[object]) -> str:
    """Faces as they are written: `3 4`. Whatever a file holds, it is no more than a few words."""
    written = " ".join(map(str, faces[:MOST_SHOWN]))
    return written if written.replace(" ", "").isalnum() and len(written) <= MOST_SHOWN else "no throw"


def _secret(text: str) -> bytes | None:
    """The bytes of a secret; None for what is none."""
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        return None
    return secret if len(secret) == SECRET_BYTES and secret.hex() == text else None
