"""Register rows of promotions: one table lists the registers and the wording of each event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from croupier.house import events as house
from croupier.house.names import name_of
from croupier.house.registers.register_rows import NOT_KEPT, Cell, RegisterRow, row_of, written
from croupier.house.stored_events import Entry, moment
from croupier.money import format_cents
from croupier.prizes import events
from croupier.prizes.terms import Entry as Ticket
from croupier.rules.book import Book
from croupier.rules.conduct import filled
from croupier.rules.shelf import Shelf

PROMOTIONS, DISPUTES, DENIED, NOTICES = "promotions", "disputes", "denied_claims", "malfunctions_and_notices"


class Wording(NamedTuple):
    """How an event is entered: its wording with fields in braces, its registers, and the column of each field."""

    says: str
    registers: tuple[str, ...] = (PROMOTIONS,)
    cells: Mapping[str, str] = {}


_OF_AWARD = {"award": "award"}
_PAID = {**_OF_AWARD, "amount": "cents"}
_CLAIM = {**_OF_AWARD, "claim": "claim", "amount": "value", "value": "value", "reason": "reason"}
_DISPUTE = {"case": "dispute", "patron": "patron", "decision": "decision"}
_DOUBT = {"about": "reason", "told": "tell", "by_when": "due"}
_DOUBTED = (PROMOTIONS, NOTICES)

EVENTS: dict[type, Wording] = {
    house.PromotionOpened: Wording('opens the promotion "{title}"'),
    events.TermsDrafted: Wording("drafts the terms"),
    events.TermsFiled: Wording("files the terms", cells={"told": "to"}),
    events.DraftReopened: Wording("changes the terms before the start: they are a draft again"),
    events.TermsAmended: Wording("amends the terms"),
    events.AmendmentProposed: Wording("proposes an amendment of the terms"),
    events.AmendmentApproved: Wording("records the approval {reference} of an amendment"),
    events.TermsResubmitted: Wording("sends the amended terms", cells={"told": "to"}),
    events.TermsPublished: Wording("makes the terms available: {means}"),
    events.PromotionStarted: Wording("starts the promotion"),
    house.DrawCommitted: Wording("commits to the draw under {commitment}"),
    events.EntriesTaken: Wording("takes {entries}{why}"),
    house.PlayCounted: Wording("counts the play from {since} to {until}"),
    events.EntriesClosed: Wording("closes the entries"),
    events.ScrutineerNamed: Wording("names {name} as scrutineer"),
    events.ScrutineerNoted: Wording("notes that the scrutineer is present"),
    house.DrawShown: Wording("reveals the secret of the draw"),
    events.PrizesDrawn: Wording("draws the prizes {overseen}: {winners}{nobody}"),
    house.PrizesPassedOn: Wording("passes prizes on to a further draw: {passed}"),
    events.Postponed: Wording("postpones the promotion: {reason}", _DOUBTED, _DOUBT),
    events.Validated: Wording("finds the integrity validated: {finding}", _DOUBTED, {"about": "finding"}),
    events.DrawCancelled: Wording("cancels the draw: {reason}", _DOUBTED, _DOUBT),
    events.InspectorTold: Wording(
        "notifies the inspector of what was postponed or cancelled", _DOUBTED, {"told": "who"}
    ),
    events.WinnerTold: Wording("tries to notify the winner ({way}): {reached}", cells=_OF_AWARD),
    events.ClaimMade: Wording("records the claim {claim} of {claimant}", cells=_OF_AWARD),
    events.ClaimantNamed: Wording("records name and address for the claim {claim}"),
    events.AlternativeOffered: Wording("offers money instead of the prize", cells=_PAID),
    events.AlternativeChosen: Wording("takes the money instead of the prize{why}", cells=_PAID),
    events.AlternativeUndone: Wording("wants the prize after all, not the money{why}", cells=_OF_AWARD),
    events.FormsChosen: Wording("chooses how to be paid: {forms}", cells=_OF_AWARD),
    events.PrizePaid: Wording("pays the prize: {parts}", cells={**_OF_AWARD, "amount": "paid"}),
    events.PrizeHandedOver: Wording("hands the prize over", cells=_OF_AWARD),
    events.AwardLapsed: Wording("lets the award lapse: {reason}", cells=_OF_AWARD),
    events.ClaimDenied: Wording("denies the claim {claim}: {reason}", (PROMOTIONS, DENIED), _CLAIM),
    events.ReasonTold: Wording("tells the claimant of {claim} why", (PROMOTIONS, DENIED), {"claim": "claim"}),
    events.DisputeRaised: Wording("raises the dispute {dispute} about {about}", (DISPUTES,), _DISPUTE),
    events.DisputeDecided: Wording("decides the dispute {dispute} with {decision}", (DISPUTES,), _DISPUTE),
    events.AwardRestored: Wording("restores the award by the decision on {dispute}", cells=_OF_AWARD),
    events.DissatisfactionNoted: Wording("notes dissatisfaction with {dispute}", (DISPUTES,), _DISPUTE),
    events.RightToComplainTold: Wording(
        "advises of the right to complain about {dispute}: {words}", (DISPUTES,), _DISPUTE
    ),
    events.PromotionClosed: Wording("closes the promotion{why}"),
    house.DutyAnswered: Wording("answers for the duty {duty}, which was not done in time: {note}"),
}


class PromotionReading:
    """The register rows of a promotion, read from its first entry on."""

    def __init__(self, shelf: Shelf, stream: str) -> None:
        self.rows: list[RegisterRow] = []
        self.book: Book | None = None
        self._shelf = shelf
        self._stream = stream
        self._people: dict[str, str] = {}  # by claim or dispute, the person who made it

    def take_in(self, entries: Iterable[Entry]) -> None:
        """Continue with new entries of the stream."""
        for entry in entries:
            event = entry.document.event
            if isinstance(event, house.PromotionOpened):
                self.book = self._shelf.book(event.book)
            if self.book is not None and type(event) in EVENTS:
                self._enter(self.book, entry, EVENTS[type(event)])

    def _enter(self, book: Book, entry: Entry, told: Wording) -> None:
        event, zone = entry.document.event, book.rules.book.timezone
        said = _fields(event, zone)
        self._remember(event)
        for register in told.registers:
            cells: dict[str, Cell] = {column: said[field] for column, field in told.cells.items() if field in said}
            self.rows.append(
                row_of(
                    register,
                    entry,
                    self._stream,
                    name_of(self._stream),
                    filled(told.says, said),
                    zone=zone,
                    book=book.id,
                    clause=getattr(event, "clause", None),
                    cells=cells | self._about(register, event),
                    claim=_kept(register, event),
                )
            )

    def _remember(self, event: object) -> None:
        match event:
            case events.ClaimMade():
                self._people[f"claim {event.claim}"] = event.claimant
            case events.DisputeRaised():
                self._people[f"dispute {event.dispute}"] = event.patron

    def _about(self, register: str, event: Any) -> dict[str, Cell]:  # noqa: ANN401  # any event in the table
        """Return columns from earlier events: who claimed or disputed, and the status."""
        if register == DISPUTES:
            return {"patron": self._people.get(f"dispute {event.dispute}", ""), "standing": _STANDING[type(event)]}
        if register != DENIED:
            return {}
        claimant = {"claimant": self._people.get(f"claim {event.claim}", "")}
        unkept = isinstance(event, events.ClaimDenied) and not event.kept
        return {**claimant, "name": NOT_KEPT, "address": NOT_KEPT} if unkept else {**claimant}


_STANDING: dict[type, str] = {
    events.DisputeRaised: "raised",
    events.DisputeDecided: "final",
    events.DissatisfactionNoted: "advice due",
    events.RightToComplainTold: "advice given",
}


def _kept(register: str, event: object) -> str | None:
    """Return the claim whose name and address the row shows."""
    return event.claim if register == DENIED and isinstance(event, events.ClaimDenied) and event.kept else None


def _fields(event: Any, zone: str) -> dict[str, str]:  # noqa: ANN401  # any event in the table
    """Return the fields of an event as text."""
    plain = {name: getattr(event, name) for name in event.__struct_fields__}
    said = {name: _FIELDS.get(name, _text)(value) for name, value in plain.items()}
    told = {name: written(value, zone) for name, value in said.items()}
    if "parts" in plain:
        told["paid"] = format_cents(sum(part.cents for part in event.parts))
    reason = told.get("reason", "")
    return told | {"why": f": {reason}" if reason else ""}


def _text(value: object) -> Cell:
    return value if isinstance(value, datetime) else str(value)


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values)) or "nothing"


def _won(winners: Iterable[events.Winner]) -> str:
    return _listed(f"{one.prize} to {one.entrant}" for one in winners)


def _fallen_on_nobody(prizes: Iterable[str]) -> str:
    return "".join(f"; no winner of {prize}, as no entry was left" for prize in prizes)


def _parts(parts: Iterable[Any]) -> str:
    return _listed(f"{format_cents(part.cents)} as {_spoken(part.form)}" for part in parts)


def _forms(forms: Iterable[str]) -> str:
    return _listed(map(_spoken, forms))


def _passed(passed: Iterable[tuple[int, str]]) -> str:
    return _listed(f"award {number}, {why}" for number, why in passed)


def _entries(entries: tuple[Ticket, ...]) -> str:
    """Return the number of entries and their weight: one entry may outweigh all others."""
    weight = sum(entry.weight for entry in entries)
    return f"{_counted(len(entries), 'entry', 'entries')} with {_counted(weight, 'ticket', 'tickets')}"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _overseen(overseen: bool) -> str:
    return "under the scrutineer" if overseen else "without a scrutineer"


def _reached(reached: bool) -> str:
    return "reached" if reached else "not reached"


def _spoken(word: str) -> str:
    return word.replace("_", " ")


def _elsewhere(_terms: object) -> str:
    """Return nothing: terms have pages of their own."""
    return ""


# Fields that need special formatting.
_FIELDS: dict[str, Callable[[Any], Cell]] = {
    "value": format_cents,
    "cents": format_cents,
    "winners": _won,
    "parts": _parts,
    "passed": _passed,
    "entries": _entries,
    "nobody": _fallen_on_nobody,
    "reached": _reached,
    "overseen": _overseen,
    "forms": _forms,
    "since": moment,
    "until": moment,
    "way": _spoken,
    "terms": _elsewhere,
}
