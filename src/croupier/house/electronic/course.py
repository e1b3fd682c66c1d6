"""The course of a table's rounds in its public record, with a finding for everything that breaks the protocol.

A round is opened with a commitment, its bets are shut, its dice drawn, and thrown as drawn: in this order, each once.
Players commit to numbers of their own while bets are open, and reveal them once they are shut. Bets are shut at the
time announced, or earlier if all players are ready. A round may be cancelled only before its bets are shut, and only if
the table closes or nobody has bet yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

import msgspec

from croupier.house.electronic.fair_dice import (
    MARK,
    PROTOCOLS,
    Face,
    Tally,
    commitment,
    drawn,
    in_bytes,
    mixed,
    number_commitment,
)
from croupier.house.electronic.public_record import MOST, SIGN
from croupier.house.events import (
    BetsShut,
    ClockSet,
    DiceDrawn,
    LastCalled,
    Rhythm,
    RoundCancelled,
    RoundOpened,
    TableSet,
)
from croupier.house.stored_events import StoredEvent
from croupier.table.events import TableOpened, Thrown

# All kinds of findings
FAULTS = {
    "altered": "a record, a document or the history of the record was changed",
    "missing": "records or rounds are left out",
    "added": "there are records where none can be",
    "not_shown": "a step of a round is given without its document",
    "out_of_place": "a step of a round is out of order",
    "commitment_changed": "the revealed secret does not match the commitment",
    "secret_reused": "one secret, or one commitment, was used for several rounds",
    "number_changed": "a player's number does not match its commitment, or was revealed and left out of the draw",
    "numbers_altered": "the numbers listed when the bets closed are not those that were committed",
    "drawn_early": "a player's number is missing, and the dice were drawn before its deadline",
    "shut_early": "the bets closed before the announced time, and not all players with a number were ready, or before "
    "players had time for one",
    "shut_late": "the bets closed much later than announced",
    "sign_changed": "the sign of the table changed between the last bet and the throw",
    "time_backwards": "a record is earlier than one before it",
    "early_bet": "a wager changed while there was no commitment",
    "late_bet": "a wager changed after the bets closed",
    "skipped": "a round was neither drawn nor cancelled, or was cancelled too late",
    "cancelled_with_bets": "a round was cancelled although the table never closed, and bets stood or may have stood",
    "redrawn": "a round was opened or drawn a second time",
    "other_dice": "the dice, or the way they were drawn, are wrong",
    "other_throw": "the settled faces differ from the drawn ones",
    "not_settled": "the drawn faces were not settled at once",
    "not_drawn": "a throw was settled that was never drawn",
    "voided": "a throw was declared void after it was drawn",
    "receipt": "the house has signed a different history, in a receipt that someone holds",
}

MOST_SHOWN = 40
MUCH_LATER = timedelta(seconds=10)  # a house late by half of that announces a new time

STEPS = (RoundOpened, ClockSet, LastCalled, BetsShut, DiceDrawn, RoundCancelled)

Stage = Literal["open", "shut", "drawn", "thrown", "cancelled"]
OVER = ("thrown", "cancelled")

STAKING = ("wager_placed", "wager_found")
WAGERING = (*STAKING, "wager_reduced", "wager_called")
VOIDING = ("throw_voided", "outcome_invalidated")
SIGNING = ("sign_changed", "rules_adopted")
SAYING = ("act_done", "noted")

# Kinds that may come between the dice and their throw, or have a finding of their own there.
BEFORE_A_THROW = ("turn_passed", "thrown", "dice_drawn", "round_cancelled", *VOIDING, *WAGERING)


class Finding(msgspec.Struct, frozen=True):
    """A violation: one of FAULTS, and a message."""

    fault: str
    sentence: str
    version: int | None = None
    round: int | None = None


class LineContent(NamedTuple):
    """The content of a line: its kind, and the event if its document is public; otherwise what is shown of it."""

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
    waits: bool = False  # no time was announced: it begins with the first bet
    protocol: int = 1
    announced: str = ""  # when that time was announced
    opened: str = ""
    open: timedelta = timedelta()  # for how long, as the table's rhythm has it
    stage: Stage = "open"
    shut: bytes | None = None
    shut_at: str = ""
    faces: tuple[Face, ...] = ()
    contributors: dict[str, int] = {}  # by the commitments of their numbers
    ready: set[int] = set()  # contributors
    shown: dict[str, str] = {}  # numbers by their commitments
    listed: tuple[str, ...] = ()  # commitments, as listed when the bets were shut


Found = Iterator[Finding]


class Course:
    """The rounds so far. `throws` are the faces drawn; `early` counts rounds shut because all were ready."""

    def __init__(self, table: str, faces: Sequence[Face], throw: int) -> None:
        self.table = table
        self._faces = faces
        self._throw = throw
        self._round = _Round(0, stage="cancelled")
        self._version = self._last_drawn = 0
        self._at = ""
        self._rhythm = Rhythm()
        self._used: dict[str, int] = {}  # commitments and secrets, with their rounds
        self._stands = False  # the last change of a wager was a stake
        self._has_bets = False  # there was a stake at all: the record does not show which wagers are decided
        self._closes = self._may_close = False  # whether the table is closing, as far as the record shows
        self.book: str | None = None
        self.runs_by_itself = False
        self.rounds = self.drawn = self.cancelled = self.older = self.early = 0
        self._lately: set[int] = set()  # contributors with a number in the last round that was drawn
        self.throws: list[tuple[Face, ...]] = []
        self.numbers = Tally()

    @property
    def under_way(self) -> int | None:
        """The round that is not over yet."""
        return None if self._round.stage in OVER else self._round.number

    def go_on(self, content: LineContent) -> Found:
        """Yield findings about the next record."""
        self._version = content.version
        if content.at:
            if content.at < self._at:
                yield self._finding("time_backwards", f"Record {content.version} is earlier than one before it.")
            self._at = max(self._at, content.at)
        if self._round.stage == "drawn" and content.kind not in BEFORE_A_THROW:
            yield from self._leave_unsettled()
        step = _STEPS.get(content.kind)
        if step is not None:
            if not isinstance(content.event, STEPS):
                yield self._finding(
                    "not_shown", f"Record {content.version} is {content.kind}, but does not show its document."
                )
            elif not 0 < content.event.number <= MOST:
                yield self._out_of_place("its round has no number")
            else:
                yield from step(self, content.event, content)
        elif content.kind in _OTHERS:
            yield from _OTHERS[content.kind](self, content)

    def ended(self) -> Found:
        """Yield findings about the record as a whole."""
        if self._round.stage == "drawn":
            yield from self._leave_unsettled()

    def _leave_unsettled(self) -> Found:
        yield self._finding("not_settled", f"Round {self._round.number} was drawn, but its throw did not follow.")
        self._round.stage = "thrown"

    def _finding(self, fault: str, sentence: str) -> Finding:
        return Finding(fault, sentence, self._version, self._round.number or None)

    def _is_this(self, number: int) -> bool:
        """Return whether this is the latest round."""
        return self._round.number == number > 0

    def _out_of_place(self, what: str) -> Finding:
        return self._finding("out_of_place", f"Record {self._version} does not belong here: {what}.")

    # Steps of a round

    def _opened(self, event: RoundOpened, content: LineContent) -> Found:
        last = self._round
        if last.stage in ("open", "shut"):
            yield self._finding("skipped", f"Round {last.number} was neither drawn nor cancelled.")
        self._round = _Round(
            number=event.number,
            commitment=event.commitment,
            closes=event.closes,
            waits=event.waits,
            protocol=event.protocol,
            announced=content.at,
            opened=content.at,
            open=timedelta(seconds=self._rhythm.open),
        )
        self.runs_by_itself = True
        self.rounds += 1
        self.older += event.protocol == 1
        if event.protocol not in PROTOCOLS or event.protocol < last.protocol:
            say = f"Round {event.number} uses a protocol that is not allowed here: its dice prove nothing."
            yield self._finding("other_dice", say)
        yield from self._check_used(event.commitment, "commitment")
        if event.number > last.number + 1:
            gap = (last.number + 1, event.number - 1)
            which = f"Round {gap[0]} is" if gap[0] == gap[1] else f"Rounds {gap[0]} to {gap[1]} are"
            yield self._finding("missing", f"{which} missing.")
        elif event.number <= last.number:
            yield self._finding("redrawn", f"Round {event.number} was opened after round {last.number}.")

    def _clock_set(self, event: ClockSet, content: LineContent) -> Found:
        current = self._round
        if not self._is_this(event.number) or current.stage != "open":
            yield self._out_of_place(f"the clock of round {event.number} is set")
        elif event.closes is None:
            current.waits = True
        elif event.closes < current.closes:
            yield self._out_of_place(f"the clock of round {event.number} is set to an earlier time than was announced")
        else:
            current.closes, current.announced, current.waits = event.closes, content.at, False

    def _last_called(self, event: LastCalled, content: LineContent) -> Found:
        current = self._round
        if not self._is_this(event.number) or current.stage != "open":
            yield self._out_of_place(f"the last call of round {event.number}")
        elif event.closes < current.closes:
            yield self._out_of_place(f"the last call of round {event.number} is for an earlier time than was announced")
        else:
            current.closes, current.announced = event.closes, content.at

    def _shut(self, event: BetsShut, content: LineContent) -> Found:
        current = self._round
        if not self._is_this(event.number) or current.stage != "open":
            yield self._out_of_place(f"the bets of round {event.number} are closed")
            return
        yield from self._check_ready(event) if event.ready else self._check_time(event, content)
        yield from self._check_time_for_numbers(event, content)
        if event.numbers != tuple(sorted(current.contributors)):
            say = f"The numbers listed when round {event.number} closed its bets are not those that were committed."
            yield self._finding("numbers_altered", say)
        current.stage, current.shut, current.shut_at, current.listed = "shut", content.hash, content.at, event.numbers

    def _check_time(self, event: BetsShut, content: LineContent) -> Found:
        """Check that bets were shut at the time announced."""
        current = self._round
        if current.waits or content.at < current.closes:
            say = f"The bets of round {event.number} were closed before the announced time."
            yield self._finding("shut_early", say)
            return
        # A clock set back announces times that the record has already passed.
        since = max(current.closes, current.announced)
        if _is_later(content.at, since, MUCH_LATER + timedelta(seconds=self._rhythm.numbers)):
            say = f"The bets of round {event.number} were closed much later than announced."
            yield self._finding("shut_late", say)

    def _check_ready(self, event: BetsShut) -> Found:
        """Check that bets shut before their time had the consent of everyone with a number."""
        current = self._round
        if event.ready != tuple(sorted(current.ready)) or not set(current.contributors.values()) <= current.ready:
            say = f"The bets of round {event.number} were closed early, and not all players with a number were ready."
            yield self._finding("shut_early", say)
        self.early += 1

    def _check_time_for_numbers(self, event: BetsShut, content: LineContent) -> Found:
        """Check that players with a number in the round before had as long for the next one as for revealing it.

        Otherwise a house could keep them out: by saying that all are ready, or by announcing next to no time. A table
        that never has its bets open for so long gives them what it has; a round without bets gives them the whole time.
        """
        current = self._round
        if self._lately <= set(current.contributors.values()):
            return
        waits = timedelta(seconds=self._rhythm.numbers)
        takes_bets = current.closes > current.opened
        if not _is_later(
            content.at, current.opened, min(waits, current.open) if takes_bets and not event.ready else waits
        ):
            say = f"The bets of round {event.number} were closed before players had time to commit numbers."
            yield self._finding("shut_early", say)

    def _drawn(self, event: DiceDrawn, content: LineContent) -> Found:
        current = self._round
        if not self._is_this(event.number):
            yield self._out_of_place(f"round {event.number} is drawn")
            return
        if current.stage in ("drawn", *OVER):
            how = "after it was cancelled" if current.stage == "cancelled" else "a second time"
            yield self._finding("redrawn", f"Round {event.number} was drawn {how}.")
        elif current.stage == "open":
            yield self._out_of_place(f"round {event.number} is drawn before its bets are closed")
        secret = in_bytes(event.secret)
        yield from self._check_secret(secret)
        yield from self._check_numbers(event, content)
        yield from self._check_faces(event, secret)
        current.stage, current.faces, self._last_drawn = "drawn", event.faces, current.number
        self._lately = set(current.contributors.values())
        self.drawn += 1
        self.throws.append(event.faces)

    def _check_secret(self, secret: bytes | None) -> Found:
        current = self._round
        opened = None if secret is None else commitment(self.table, current.number, secret, current.protocol)
        if opened != current.commitment:
            say = f"The secret of round {current.number} does not match its commitment."
            yield self._finding("commitment_changed", say)
        if secret is not None:
            yield from self._check_used(secret.hex(), "secret")

    def _check_used(self, mark: str, what: str) -> Found:
        number = self._round.number
        before = self._used.setdefault(mark, number)
        if before != number:
            say = f"The {what} of round {number} is also that of round {before}."
            yield self._finding("secret_reused", say)

    def _check_numbers(self, event: DiceDrawn, content: LineContent) -> Found:
        """Check that each number opens its commitment and was revealed, and that missing ones had their time."""
        current = self._round
        if len(event.numbers) != len(current.listed):
            say = f"Round {current.number} was not drawn with the numbers that were committed."
            yield self._finding("number_changed", say)
            return
        for committed, own in zip(current.listed, event.numbers, strict=True):
            if (own and not self._opens(committed, own)) or own != current.shown.get(committed, ""):
                say = f"Round {current.number} was drawn with a number other than the one revealed, or without it."
                yield self._finding("number_changed", say)
        waits = timedelta(seconds=max(self._rhythm.numbers, self._rhythm.shut))
        if "" in event.numbers and not _is_later(content.at, current.shut_at, waits):
            say = f"Round {current.number} was drawn before the deadline of a missing number."
            yield self._finding("drawn_early", say)
        if current.protocol > 1:
            by = [current.contributors.get(committed, 0) for committed in current.listed]
            self.numbers.count(current.number, by, event.numbers)

    def _opens(self, committed: str, own: str) -> bool:
        number = in_bytes(own)
        return number is not None and number_commitment(self.table, self._round.number, number) == committed

    def _check_faces(self, event: DiceDrawn, secret: bytes | None) -> Found:
        current = self._round
        if current.shut is not None and event.shut != current.shut.hex():
            say = f"Round {current.number} does not name the hash of the record that closed its bets."
            yield self._finding("altered", say)
        if secret is None or current.shut is None or not _are_numbers(event, current.listed):
            return
        mix = current.shut
        if current.protocol > 1:
            mix = mixed(self.table, current.number, zip(current.listed, event.numbers, strict=True))
        falls = drawn(secret, mix, self._faces, self._throw)
        if falls != event.faces:
            say = f"Round {current.number} shows {shown(event.faces)}, but its commitments give {shown(falls)}."
            yield self._finding("other_dice", say)

    def _cancelled(self, event: RoundCancelled, content: LineContent) -> Found:
        current = self._round
        if not self._is_this(event.number) or current.stage == "cancelled":
            yield self._out_of_place(f"round {event.number} is cancelled")
            return
        if current.stage == "shut":
            yield self._finding("skipped", f"Round {event.number} was cancelled after its bets were closed.")
        elif current.stage != "open":
            yield self._finding("voided", f"Round {event.number} was cancelled after it was drawn.")
        may_be = self._closes or (self._may_close and current.protocol == 1)  # records of protocol 1 do not say
        may_stand = self._has_bets if current.protocol > 1 and current.stage == "open" else self._stands
        if (event.standing or may_stand) and not may_be:
            how = "with bets standing" if event.standing or self._stands else "and bets may have stood"
            say = f"Round {event.number} was cancelled {how}, although the table never closed."
            yield self._finding("cancelled_with_bets", say)
        yield from self._check_secret(in_bytes(event.secret))
        current.stage = "cancelled"
        self.cancelled += 1

    # Other events of the table

    def _set(self, content: LineContent) -> Found:
        event = content.event
        rhythm = event.rhythm if isinstance(event, TableSet) else content.shown.get("rhythm")
        if rhythm is not None:
            self.runs_by_itself, self._rhythm = True, _rhythm(rhythm)
        return iter(())

    def _table_opened(self, content: LineContent) -> Found:
        terms = content.shown.get("terms")
        book = terms.get("book") if isinstance(terms, dict) else None
        self.book = content.event.terms.book if isinstance(content.event, TableOpened) else str(book)
        return iter(())

    def _reopened(self, content: LineContent) -> Found:
        self._closes = self._may_close = False
        return iter(())

    def _said(self, content: LineContent) -> Found:
        """Read an act or a note: the record shows whether it closes the table."""
        if SIGN in content.shown:
            self._closes = content.shown[SIGN] in ("closing", "closed")
        self._may_close = True
        return iter(())

    def _sign_changed(self, content: LineContent) -> Found:
        if self._round.stage == "shut":
            say = f"The sign changed after the bets of round {self._round.number} were closed and before its throw."
            yield self._finding("sign_changed", say)

    # Players' numbers

    def _number_committed(self, content: LineContent) -> Found:
        current, committed, contributor = self._round, _field(content, "commitment"), _field(content, "contributor")
        is_number = isinstance(committed, str) and MARK.fullmatch(committed) and isinstance(contributor, int)
        if not is_number or not self._is_step(content, "open"):
            yield self._out_of_place("a number is committed")
        elif committed in current.contributors or contributor in current.contributors.values():
            say = f"Record {self._version} commits a number that was committed before, or a player's second number."
            yield self._finding("numbers_altered", say)
        else:
            current.contributors[str(committed)] = int(contributor)  # type: ignore[call-overload]  # checked above

    def _player_ready(self, content: LineContent) -> Found:
        contributor, is_ready = _field(content, "contributor"), _field(content, "ready")
        if not isinstance(contributor, int) or not isinstance(is_ready, bool) or not self._is_step(content, "open"):
            yield self._out_of_place("a player is ready")
        elif is_ready:
            self._round.ready.add(contributor)
        else:
            self._round.ready.discard(contributor)

    def _number_shown(self, content: LineContent) -> Found:
        current, committed, own = self._round, str(_field(content, "commitment")), str(_field(content, "shown"))
        if not self._is_step(content, "shut") or committed not in current.listed or committed in current.shown:
            yield self._out_of_place("a number is revealed")
        elif not self._opens(committed, own):
            say = f"Record {self._version} reveals a number that does not match its commitment."
            yield self._finding("number_changed", say)
        else:
            current.shown[committed] = own

    def _is_step(self, content: LineContent, stage: Stage) -> bool:
        """Return whether a record belongs to the current round, at this stage of it."""
        current = self._round
        return current.protocol > 1 and current.stage == stage and _field(content, "number") == current.number

    def _thrown(self, content: LineContent) -> Found:
        current, faces = self._round, content.shown.get("faces")
        fell = (
            content.event.faces
            if isinstance(content.event, Thrown)
            else tuple(faces)
            if isinstance(faces, list)
            else ()
        )
        if current.stage == "drawn":
            if fell != current.faces:
                say = f"In round {current.number} {shown(current.faces)} was drawn, but {shown(fell)} was settled."
                yield self._finding("other_throw", say)
            current.stage = "thrown"
            self._stands = False
        elif self.runs_by_itself:
            yield self._finding("not_drawn", f"Record {self._version} settles a throw that was not drawn.")

    def _voided(self, content: LineContent) -> Found:
        if self._last_drawn:
            say = f"The throw of round {self._last_drawn} was declared void after it was drawn."
            yield Finding("voided", say, self._version, self._last_drawn)
        elif self.runs_by_itself:
            yield self._finding("voided", f"Record {self._version} declares a throw void that was not drawn.")
        if self._round.stage == "drawn":
            self._round.stage = "thrown"

    def _wagered(self, content: LineContent) -> Found:
        stage = self._round.stage
        if content.kind != "wager_called":
            self._stands = content.kind in STAKING
            self._has_bets = self._has_bets or self._stands
        if stage == "open" or not self.runs_by_itself:
            return
        if stage in OVER:
            say = f"Record {self._version} changes a wager while no round is open and nothing is committed."
            yield self._finding("early_bet", say)
        else:
            say = f"Record {self._version} changes a wager after the bets of round {self._round.number} were closed."
            yield self._finding("late_bet", say)


_STEPS: dict[str, Callable[[Course, Any, LineContent], Found]] = {
    "round_opened": Course._opened,
    "clock_set": Course._clock_set,
    "last_called": Course._last_called,
    "bets_shut": Course._shut,
    "dice_drawn": Course._drawn,
    "round_cancelled": Course._cancelled,
}

_OTHERS: dict[str, Callable[[Course, LineContent], Found]] = {
    "table_set": Course._set,
    "table_opened": Course._table_opened,
    "table_reopened": Course._reopened,
    "number_committed": Course._number_committed,
    "number_shown": Course._number_shown,
    "player_ready": Course._player_ready,
    "thrown": Course._thrown,
    **dict.fromkeys(SAYING, Course._said),
    **dict.fromkeys(SIGNING, Course._sign_changed),
    **dict.fromkeys(VOIDING, Course._voided),
    **dict.fromkeys(WAGERING, Course._wagered),
}


def shown(faces: Sequence[object]) -> str:
    """Format faces as `3 4`, limited to a few words even if the file is malformed."""
    written = " ".join(map(str, faces[:MOST_SHOWN]))
    return written if written.replace(" ", "").isalnum() and len(written) <= MOST_SHOWN else "no throw"


def _field(content: LineContent, name: str) -> object:
    """Return a field of a record, whichever way it is shown."""
    return content.shown.get(name) if content.event is None else getattr(content.event, name, None)


def _are_numbers(event: DiceDrawn, listed: tuple[str, ...]) -> bool:
    """Return whether a throw can be computed from the numbers in the record."""
    marks = (*listed, *(own for own in event.numbers if own))
    return len(event.numbers) == len(listed) and all(map(MARK.fullmatch, marks))


def _rhythm(content: object) -> Rhythm:
    """Return the rhythm of a self-running table; the default one if it is invalid."""
    try:
        return content if isinstance(content, Rhythm) else msgspec.convert(content, Rhythm)
    except msgspec.ValidationError:
        return Rhythm()


def _is_later(at: str, than: str, by: timedelta) -> bool:
    """Return whether a time is at least that much later than another; False if either is invalid."""
    try:
        return datetime.fromisoformat(at) - datetime.fromisoformat(than) >= by
    except (ValueError, TypeError):
        return False
