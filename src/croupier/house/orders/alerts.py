"""Alerts and the answers to them. Acts that a book marks raise one, as does an outcome that is declared invalid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.contract.management import Duty
from croupier.contract.requests import EventNumber, Note
from croupier.house.alerts import CLOSING, DONE, REPLACED, WITHDRAWN, Sign, signs_up
from croupier.house.duties import duties_of_promotion, duties_of_table
from croupier.house.events import AlertAnswered, AlertRaised, DutyAnswered
from croupier.house.names import table_stream
from croupier.house.orders.order import Api, AtTable, Decided, OfPromotion, Outcome, Scene
from croupier.house.stored_events import StoredEvent, stamp
from croupier.house.table_state import TableState
from croupier.money import format_cents
from croupier.rules.book import Book
from croupier.rules.conduct import KINDS, PLAYER, Act, fields_of, filled
from croupier.rules.schema import Fact
from croupier.table.clock import local, named
from croupier.table.events import (
    ActDone,
    AnyEvent,
    DebtIncurred,
    DebtPaid,
    Noted,
    OutcomeInvalidated,
    ResultTakenBack,
    SignChanged,
)
from croupier.table.refusals import Refusal

MOST_NOTE = 200
MOST_TOLD = 300  # characters of what was done: people may write anything with an act
MOST_OF_A_PLAYER = 20  # open alerts of one player at a table
INVALIDATED = "Outcome invalidated"
OWES = "Player owes"
DutyId = Annotated[str, Meta(min_length=1, max_length=400, description="The id of a duty.")]
_CAUSES = frozenset([ActDone, OutcomeInvalidated])


class AnswerAlert(AtTable, frozen=True, kw_only=True, tag="answer_alert"):
    """Answer an alert, by the number of the event that raised it. For supervisors and above.

    The record keeps who answered, and when, with the note.
    """

    event: EventNumber
    note: Note

    permits = ("supervisor", "manager", "operator")
    api = Api("/tables/{table}/alerts/{event}/answer", "Answer an alert", {"note": "The dice were replaced."})

    def decide(self, scene: Scene) -> Decided:
        table = scene.tables(self.table)
        refusal = check_note(self.note)
        if refusal is not None:
            return refusal
        if any(one.alert.event == self.event for one in table.answered):
            return Refusal("alert_answered", f"Alert {self.event} has already been answered.")
        if not any(alert.event == self.event for alert in table.alerts):
            return Refusal("no_such_alert", f"This table has no alert with the number {self.event}.")
        return Outcome({self.stream: [AlertAnswered(self.event, self.note.strip())]})


def check_note(note: str) -> Refusal | None:
    """Check the note of an answer: it must say what was done."""
    if note.strip() and len(note) <= MOST_NOTE and note.isprintable():
        return None
    say = f"Say what was done about it, in 1 to {MOST_NOTE} printable characters."
    return Refusal("bad_note", say)


def with_alerts(scene: Scene, table: TableState, decision: Sequence[AnyEvent], outcome: Outcome) -> Outcome:
    """Add to an outcome the alerts that it raises, and the answers that it implies."""
    if not any(type(event) in _CAUSES for event in decision):
        return outcome
    book = scene.shelf.game(table.game.terms[-1]).book
    raised = [] if _waits_for_many(table, decision) else _raised(book, decision)
    stream = table_stream(table.name)
    more = [*_answered(table, decision), *raised, *_owing(outcome.events[stream])]
    if not more:
        return outcome
    return msgspec.structs.replace(outcome, events=outcome.events | {stream: [*outcome.events[stream], *more]})


def _answered(table: TableState, decision: Sequence[AnyEvent]) -> Iterator[AlertAnswered]:
    """Answer the alerts of signs that were taken down or replaced."""
    changed = _changed(decision)
    gone = DONE if "table" in changed or any(isinstance(event, SignChanged) for event in decision) else WITHDRAWN
    for alert in table.alerts:
        if alert.sign in changed:
            yield AlertAnswered(alert.event, gone if changed[alert.sign] is None else REPLACED)
        elif alert.sign == CLOSING and "table" in changed:  # the sign stays up while the table closes
            yield AlertAnswered(alert.event, DONE)


def _waits_for_many(table: TableState, decision: Sequence[AnyEvent]) -> bool:
    """Return whether a player who now acts has too many unanswered alerts.

    The act is still recorded. Without this limit one player could bury the alerts of others.
    """
    said = {event.who for event in decision if isinstance(event, ActDone) and event.by == PLAYER}
    return any(sum(alert.who == who for alert in table.alerts) >= MOST_OF_A_PLAYER for who in said)


def _raised(book: Book, decision: Sequence[AnyEvent]) -> Iterator[AlertRaised]:
    for event in decision:
        match event:
            case OutcomeInvalidated():
                yield AlertRaised(INVALIDATED, f"took the outcome back under {event.reason}", event.clause)
            case ActDone():
                act = book.conduct.by_id[event.act]
                if act.alert is not None:
                    yield _of_act(book, decision, act, event)


def _owing(decision: Sequence[StoredEvent]) -> Iterator[AlertRaised]:
    """Raise an alert for players in debt after a correction, unless the right result has covered it."""
    owed: Counter[str] = Counter()
    clauses: dict[str, str] = {}
    for event in decision:
        if isinstance(event, DebtIncurred | DebtPaid):
            owed[event.player] += event.cents if isinstance(event, DebtIncurred) else -event.cents
            clauses[event.player] = event.clause
    for player, cents in owed.items():
        if cents > 0:
            yield AlertRaised(OWES, f"{player} owes {format_cents(cents)} after a corrected result", clauses[player])


def _of_act(book: Book, decision: Sequence[AnyEvent], act: Act, done: ActDone) -> AlertRaised:
    """Raise the alert of an act; if the act puts up a sign, it is due when the notice is over."""
    assert act.alert is not None
    told = AlertRaised(act.alert, act_in_words(book, act, done) + _from_what(decision), done.clause)
    sign = _put_up(book, decision)
    return told if sign is None else msgspec.structs.replace(told, due=stamp(sign.holds), sign=sign.fact)


def _from_what(decision: Sequence[AnyEvent]) -> str:
    """Return the result that was corrected, in words."""
    was = [" ".join(map(str, event.faces)) for event in decision if isinstance(event, ResultTakenBack)]
    return f"; it was settled as {was[0]}" if was else ""


def _put_up(book: Book, decision: Sequence[AnyEvent]) -> Sign | None:
    signs = signs_up(book, _changed(decision))
    return signs[0] if signs else None


def _changed(decision: Sequence[AnyEvent]) -> dict[str, Fact | None]:
    """Return all facts that the events set, or clear (None)."""
    return {
        name: fact for event in decision if isinstance(event, ActDone | Noted) for name, fact in event.facts.items()
    }


def act_in_words(book: Book, act: Act, done: ActDone, most: int = MOST_TOLD) -> str:
    """Return what was done, in the book's words with the given values filled in, at most `most` characters."""
    fitting = (each for each in act.says if done.said.keys() >= {*fields_of(each)})
    form = max(fitting, key=lambda each: len(fields_of(each)))
    words = {name: _written(book, name, value) for name, value in done.said.items()}
    told = filled(form, words | {"who": done.who or "", "by": done.by or ""})
    return told if len(told) <= most else f"{told[: most - 1]}…"


def _written(book: Book, name: str, value: object) -> str:
    """Format a value for people; a time by the clock of the table."""
    match KINDS.get(name), value:
        case "money", int():
            return format_cents(value)
        case "time", str():
            zone = book.rules.book.timezone
            at = local(datetime.fromisoformat(value), zone)
            return f"{at:%H:%M} {named(at, zone)} on {at.day} {at:%B}"
        case "wager", str():
            return value.replace("_", " ")
    return str(value)


# Answers for duties that were not done in time


class AnswerDuty(AtTable, frozen=True, kw_only=True, tag="answer_duty"):
    """Answer for a duty of a table that is overdue or was done late. For supervisors and above.

    If an alert covers the duty, that alert is answered too.
    """

    duty: DutyId
    note: Note

    permits = ("supervisor", "manager", "operator")
    api = Api(
        "/tables/{table}/duties/answer",
        "Answer for a duty at a table",
        {"duty": "close_table", "note": "The pit was short of staff."},
    )

    def decide(self, scene: Scene) -> Decided:
        duties = duties_of_table(scene.shelf, scene.tables(self.table), scene.at)
        return _duty_answered(duties, self.duty, self.note, self.stream)


class AnswerPromotionDuty(OfPromotion, frozen=True, kw_only=True, tag="answer_promotion_duty"):
    """Answer for a duty of a promotion that is overdue or was done late. For managers and operators."""

    duty: DutyId
    note: Note

    permits = ("manager", "operator")
    api = Api(
        "/promotions/{promotion}/duties/answer",
        "Answer for a duty of a promotion",
        {"duty": "publish_winners", "note": "The notice was late."},
    )

    def decide(self, scene: Scene) -> Decided:
        duties = duties_of_promotion(scene.shelf, scene.promotions(self.promotion), scene.at)
        return _duty_answered(duties, self.duty, self.note, self.stream)


def _duty_answered(duties: list[Duty], duty_id: str, note: str, stream: str) -> Decided:
    refusal = check_note(note)
    if refusal is not None:
        return refusal
    duty = next((duty for duty in duties if duty.id == duty_id), None)
    if duty is None:
        return Refusal("no_such_duty", "There is no such duty now.")
    if not duty.is_late:
        return Refusal("duty_in_time", "This duty needs no answer: it is not overdue and was not done late.")
    if duty.answered:
        return Refusal("duty_answered", "This duty has already been answered for.")
    answer: StoredEvent = DutyAnswered(duty.id, note.strip())
    if duty.alert is not None:
        answer = AlertAnswered(duty.alert, note.strip())
    return Outcome({stream: [answer]})
