"""What passes through the pipe: the lines that a table reads, one tagged struct for each command, and its replies.

Acts of a book's conduct are lines too, but each book names its own acts and their fields. A house takes the same lines.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.contract.shown_events import EventView, Fact, JsonRecord, Pick

NO_TOKENS = "0.00"


class Line(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="do", rename={"by": "as"}):
    """Fields of every line: the time, and the role and name of the acting person. Unknown fields are ignored."""

    at: str | None = None
    by: str | None = None
    who: str | None = None


class OpenLine(Line, frozen=True, kw_only=True, tag="open"):
    """Open the table. A book may add fields of its own for fixed stakes."""

    book: str
    chip: object = "1.00"
    min: object = None
    max: object = None
    pay_table: object = None
    units: Literal["any", "exact"] = "any"
    dice: Literal["auto", "manual"] = "auto"
    late: bool = False
    unit: object = None
    limits: dict[str, object] = {}
    player_max: object = None
    without: list[str] = []
    seats: int | None = None


class LimitFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits for one kind of wager, or for one selection of it."""

    min: object = None
    max: object = None


class SeatLine(Line, frozen=True, kw_only=True, tag="seat"):
    """Seat a player."""

    player: str
    chips: object
    card: bool = True
    area: str | None = None
    place: int | None = None


class ChipsLine(Line, frozen=True, kw_only=True, tag="chips"):
    """Buy more chips."""

    player: str
    chips: object


class LeaveLine(Line, frozen=True, kw_only=True, tag="leave"):
    """Leave the table."""

    player: str


class WagerLine(Line, frozen=True, kw_only=True):
    """The fields that name a wager."""

    player: str
    wager: str
    pick: object = None


class FindLine(WagerLine, frozen=True, kw_only=True, tag="find"):
    """Record the stake that a dealer finds after the throw."""

    amount: object


class BetLine(WagerLine, frozen=True, kw_only=True, tag="bet"):
    """Bet. `tokens` is the part of the amount in promotional tokens, `checks` the colour for the rest."""

    amount: object
    tokens: object = NO_TOKENS
    checks: str | None = None


class TakeLine(WagerLine, frozen=True, kw_only=True, tag="take"):
    """Reduce a wager or take it down."""

    amount: object = None


class CallLine(WagerLine, frozen=True, kw_only=True, tag="call"):
    """Call a wager On or Off."""

    on: bool


class CloseLine(Line, frozen=True, kw_only=True, tag="no_more_bets"):
    """Close the betting."""


class RollLine(Line, frozen=True, kw_only=True, tag="roll"):
    """Enter the dice."""

    dice: object = None


class SpinLine(Line, frozen=True, kw_only=True, tag="spin"):
    """Enter the coins."""

    coins: object = None


class VoidLine(Line, frozen=True, kw_only=True, tag="void"):
    """Declare a throw void."""

    reason: str
    call: str | None = None
    forfeit: list[str] = []


class AdoptLine(Line, frozen=True, kw_only=True, tag="adopt"):
    """Continue under an amended book or another pay table."""

    book: str
    pay_table: object = None


class ExposureLine(Line, frozen=True, kw_only=True, tag="exposure"):
    """Ask what the house can lose; with `seats`, at a table of that many players."""

    seats: int | None = None


class CasesLine(Line, frozen=True, kw_only=True, tag="cases"):
    """Ask for the open disputes and other cases, and what comes next."""


class ActLine(Line, frozen=True, kw_only=True, tag=False):
    """The fields that every act of a book's conduct has; the book names the others."""


# -- replies --------------------------------------------------------------------------------------------------------


class StandingWager(JsonRecord, frozen=True, kw_only=True):
    """A wager that stands. `on` is whether it acts on the next throw, if the book has wagers that sleep."""

    player: str
    wager: str
    pick: Pick
    amount: str
    tokens: str | None = None
    checks: dict[str, str] = {}
    on: bool | None = None


class TableStatus(JsonRecord, frozen=True, kw_only=True):
    """The table after a line: chips in hand, wagers, what the phases show, whether bets are open, facts.

    `phases` are fields that the book names, such as `puck`. `kept` are chips of players who are away, `owing` debts.
    """

    FLAT = "phases"

    chips: dict[str, str]
    wagers: list[StandingWager]
    phases: dict[str, int | str | None] = {}
    bets: Literal["open", "closed"] | None = None
    tokens: dict[str, str] = {}
    kept: dict[str, str] = {}
    owing: dict[str, str] = {}
    checks: dict[str, dict[str, str]] = {}
    facts: dict[str, Fact | None] = {}

    def as_dict(self) -> dict[str, object]:
        """Return the JSON object as a dict. Every reply has it, so the fields are written out."""
        found: dict[str, object] = {"chips": self.chips, "wagers": self.wagers, **self.phases}
        for name in ("bets", "tokens", "kept", "owing", "checks", "facts"):
            value = getattr(self, name)
            if value:
                found[name] = value
        return found


class WorstOutcome(JsonRecord, frozen=True, kw_only=True):
    """The most that the house can lose, None if there is no limit, and the faces that cause this loss."""

    loss: str | None
    on: list[int | str]


class ExposureReport(JsonRecord, frozen=True, kw_only=True):
    """What the house can lose on standing wagers, and under the present sign with so many seats."""

    seats: int
    standing: WorstOutcome
    sign: WorstOutcome


class OpenCase(JsonRecord, frozen=True, kw_only=True):
    """A dispute or another case that is open: `stands` is its progress, `next` the acts that can follow.

    `who` and `since` are None if not stated; `due` is the money still to be paid.
    """

    kind: str
    case: str
    who: str | None
    about: str
    since: str | None
    stands: str
    due: str
    next: list[str]


class LineDone(JsonRecord, frozen=True, kw_only=True):
    """The reply to a line that was carried out, or to a question."""

    FLAT = "table"

    ok: Literal[True]
    events: list[EventView]
    exposure: ExposureReport | None = None
    cases: list[OpenCase] | None = None
    table: TableStatus

    def as_dict(self) -> dict[str, object]:
        """Return the JSON object as a dict, with its events as they are printed."""
        found: dict[str, object] = {"ok": True, "events": [event.printable for event in self.events]}
        if self.exposure is not None:
            found["exposure"] = self.exposure
        if self.cases is not None:
            found["cases"] = self.cases
        return found | self.table.as_dict()


class LineRefused(JsonRecord, frozen=True, kw_only=True):
    """The reply to a line that was refused; nothing has changed."""

    FLAT = "table"

    ok: Literal[False]
    code: str
    clause: str | None
    message: str
    table: TableStatus
