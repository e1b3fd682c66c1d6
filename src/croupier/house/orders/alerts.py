"""Alerts: acts that a book marks raise one, and so does an outcome that is taken back. Supervisors answer for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from croupier.house import orders
from croupier.house.alerts import CLOSING, DONE, REPLACED, WITHDRAWN, Sign, signs_up
from croupier.house.duties import DutyShown, duties_of_promotion, duties_of_table
from croupier.house.events import AlertAnswered, AlertRaised, DutyAnswered
from croupier.house.names import promotion_stream, table_stream
from croupier.house.orders.scene import Decided, Outcome, Scene
from croupier.house.stored_events import StoredEvent, stamp
from croupier.house.tables import TableState
from croupier.money import format_cents
from croupier.rules.book import Book
from croupier.rules.conduct import KINDS, PLAYER, Act, fields_of, filled
from croupier.rules.facts import Fact
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
MOST_TOLD = 300  # letters of what was done: people may say anything with an act
MOST_OF_A_PLAYER = 20  # alerts of one player that wait at a table
INVALIDATED = "Outcome invalidated"
OWES = "Player owes"
_CAUSES = frozenset([ActDone, OutcomeInvalidated])


def answer_alert(scene: Scene, deed: orders.AnswerAlert) -> Decided:
    """The alert is answered for, by whoever asks, now."""
    table = scene.tables(deed.table)
    refusal = check_note(deed.note)
    if refusal is not None:
        return refusal
    if any(one.alert.event == deed.event for one in table.answered):
        return Refusal("alert_answered", f"Alert {deed.event} has been answered already.")
    if not any(alert.event == deed.event for alert in table.alerts):
        return Refusal("no_such_alert", f"No alert of this table has the number {deed.event}.")
    return Outcome({table_stream(deed.table): [AlertAnswered(deed.event, deed.note.strip())]})


def check_note(note: str) -> Refusal | None:
    """Whoever answers for something says what was done about it."""
    if note.strip() and len(note) <= MOST_NOTE and note.isprintable():
        return None
    say = f"Say what was done about it, in 1 to {MOST_NOTE} letters, and none that cannot be seen."
    return Refusal("bad_note", say)


def with_alerts(scene: Scene, table: TableState, decision: Sequence[AnyEvent], outcome: Outcome) -> Outcome:
    """What was decided, with the alerts that it raises, and those that are answered by it."""
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
    """Who takes a sign down, or puts another in its place, has answered for it."""
    changed = _changed(decision)
    gone = DONE if "table" in changed or any(isinstance(event, SignChanged) for event in decision) else WITHDRAWN
    for alert in table.alerts:
        if alert.sign in changed:
            yield AlertAnswered(alert.event, gone if changed[alert.sign] is None else REPLACED)
        elif alert.sign == CLOSING and "table" in changed:  # the sign stays up while the table closes
            yield AlertAnswered(alert.event, DONE)


def _waits_for_many(table: TableState, decision: Sequence[AnyEvent]) -> bool:
    """Whether a player says something who has said so much already that nobody has answered for.

    What they do is on record all the same. Without an end to it one player could bury what others have to say.
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
    """Who owes something after a correction, unless the right result has paid for it."""
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
    """An act that puts up a sign is nobody's worry before its notice is over."""
    assert act.alert is not None
    told = AlertRaised(act.alert, told_of(book, act, done) + _from_what(decision), done.clause)
    sign = _put_up(book, decision)
    return told if sign is None else msgspec.structs.replace(told, due=stamp(sign.holds), sign=sign.fact)


def _from_what(decision: Sequence[AnyEvent]) -> str:
    """What a result was that is corrected."""
    was = [" ".join(map(str, event.faces)) for event in decision if isinstance(event, ResultTakenBack)]
    return f"; it was settled as {was[0]}" if was else ""


def _put_up(book: Book, decision: Sequence[AnyEvent]) -> Sign | None:
    signs = signs_up(book, _changed(decision))
    return signs[0] if signs else None


def _changed(decision: Sequence[AnyEvent]) -> dict[str, Fact | None]:
    """All that the table remembers anew, or forgets (None)."""
    return {
        name: fact for event in decision if isinstance(event, ActDone | Noted) for name, fact in event.facts.items()
    }


def told_of(book: Book, act: Act, done: ActDone, most: int = MOST_TOLD) -> str:
    """What was done, in the words of the book, with what was said put in; at most so many letters."""
    fitting = (each for each in act.says if done.said.keys() >= {*fields_of(each)})
    form = max(fitting, key=lambda each: len(fields_of(each)))
    words = {name: _written(book, name, value) for name, value in done.said.items()}
    told = filled(form, words | {"who": done.who or "", "by": done.by or ""})
    return told if len(told) <= most else f"{told[: most - 1]}…"


def _written(book: Book, name: str, value: object) -> str:
    """A value as people read it; a time as the table's own clock shows it."""
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


# -- duties -----------------------------------------------------------------------------------------------------------
# Answers for duties that were not done in time: who answers, and when, stays on record with the note.


def answer_duty(scene: Scene, deed: orders.AnswerDuty) -> Decided:
    """At a table; where an alert stands for the duty, that one is answered."""
    duties = duties_of_table(scene.shelf, scene.tables(deed.table), scene.at)
    return _duty_answered(duties, deed.duty, deed.note, table_stream(deed.table))


def answer_promotion_duty(scene: Scene, deed: orders.AnswerPromotionDuty) -> Decided:
    """In a promotion."""
    duties = duties_of_promotion(scene.shelf, scene.promotions(deed.promotion), scene.at)
    return _duty_answered(duties, deed.duty, deed.note, promotion_stream(deed.promotion))


def _duty_answered(duties: list[DutyShown], duty_id: str, note: str, stream: str) -> Decided:
    refusal = check_note(note)
    if refusal is not None:
        return refusal
    duty = next((duty for duty in duties if duty.id == duty_id), None)
    if duty is None:
        return Refusal("no_such_duty", "There is no duty called that, or no longer.")
    if not duty.is_late:
        return Refusal("duty_in_time", "Nobody has to answer for it: it is not overdue, and was not done late.")
    if duty.answered:
        return Refusal("duty_answered", "Somebody has answered for it already.")
    answer: StoredEvent = DutyAnswered(duty.id, note.strip())
    if duty.alert is not None:
        answer = AlertAnswered(duty.alert, note.strip())
    return Outcome({stream: [answer]})
