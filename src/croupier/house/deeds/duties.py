"""Answers for duties that were not done in time: who answers, and when, stays on record with the note."""

from __future__ import annotations

from croupier.house import orders
from croupier.house.deeds.alerts import check_note
from croupier.house.deeds.scene import Decided, Outcome, Scene
from croupier.house.documents import StoredEvent
from croupier.house.duties import DutyShown, duties_of_promotion, duties_of_table
from croupier.house.events import AlertAnswered, DutyAnswered
from croupier.house.streams import promotion_stream, table_stream
from croupier.table.refusals import Refusal


def answer_duty(scene: Scene, deed: orders.AnswerDuty) -> Decided:
    """At a table; where an alert stands for the duty, that one is answered."""
    duties = duties_of_table(scene.shelf, scene.tables(deed.table), scene.at)
    return _answered(duties, deed.duty, deed.note, table_stream(deed.table))


def answer_promotion_duty(scene: Scene, deed: orders.AnswerPromotionDuty) -> Decided:
    """In a promotion."""
    duties = duties_of_promotion(scene.shelf, scene.promotions(deed.promotion), scene.at)
    return _answered(duties, deed.duty, deed.note, promotion_stream(deed.promotion))


def _answered(duties: list[DutyShown], duty_id: str, note: str, stream: str) -> Decided:
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
