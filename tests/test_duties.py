"""Duties with a clock: what is due at tables and in promotions, the moment before and after, and who answers for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from croupier.contract.management import Duty
from croupier.house import orders
from croupier.house.duties import MOST_DONE, duties_of_promotion, duties_of_table, show_duties
from croupier.house.events import AlertAnswered, DutyAnswered
from croupier.house.live_streams import restored, taken
from croupier.house.names import table_stream
from croupier.house.promotion_state import PromotionState
from croupier.house.stored_events import stamp
from croupier.house.table_state import Marked
from croupier.house.views.floor import show_alerts, show_floor_table
from croupier.prizes.commands import DraftTerms
from croupier.prizes.decide import decide
from croupier.prizes.evolve import evolve_all
from croupier.prizes.state import Promotion
from croupier.rulebooks import ids
from croupier.rules.conduct import fields_of
from croupier.table.refusals import Refusal
from tests.houses import SHELF, TestHouse
from tests.promotions import AWARD, CLOSE, START, prizes_of, terms_of
from tests.test_alerts import CRAPS, staffed

SIC_BO, SNAKE_EYES = "sic-bo-nsw-2016", "snake-eyes-nsw-2019"
SYDNEY = ZoneInfo("Australia/Sydney")
INSTANT = timedelta(microseconds=1)
NOTE = "It was seen too late."


@pytest.fixture
def house() -> TestHouse:
    return TestHouse()


def did(house: TestHouse, who: str, do: str, **fields: object) -> None:
    said = house.say("dealt", who, do, **fields)
    assert said["ok"], said


def duties(house: TestHouse, at: datetime | None = None) -> list[Duty]:
    return duties_of_table(SHELF, house.house.table("dealt"), at or house.at)


def duty(house: TestHouse, kind: str, at: datetime | None = None) -> Duty:
    (found,) = [each for each in duties(house, at) if each.id.split(" ")[0] == kind]
    return found


def answer(duty_id: str, note: str = NOTE) -> orders.AnswerDuty:
    return orders.AnswerDuty(table="dealt", duty=duty_id, note=note)


def standings(house: TestHouse, kind: str, due: datetime) -> list[str]:
    """The status a moment before a time, at that time, and a moment after."""
    return [duty(house, kind, due + step).standing for step in (-INSTANT, timedelta(), INSTANT)]


# -- signs: 20 minutes -------------------------------------------------------------------------------------------------


@pytest.mark.clause(CRAPS, "7.5")
def test_a_higher_minimum_is_due_when_its_sign_has_stood_and_its_alert_stands_for_it(house: TestHouse) -> None:
    staffed(house)
    shown = house.at
    did(house, "sue", "post_minimum_sign", minimum="10.00", time=(shown + timedelta(minutes=5)).isoformat())
    due = shown + timedelta(minutes=20)
    assert standings(house, "set_minimum", due) == ["due", "due", "overdue"]
    found = duty(house, "set_minimum")
    assert (found.of, found.name, found.book, found.clause) == ("table", "dealt", CRAPS, "7.5")
    assert (found.since, found.due, found.what) == (
        stamp(shown),
        stamp(due),
        "Set the minimum that the sign states for all wagers",
    )
    assert (found.responsible, found.roles) == (["casino supervisor"], ["supervisor", "manager"])
    (alert,) = house.house.table("dealt").alerts
    assert (found.alert, found.answered) == (alert.event, False)
    house.at = due + INSTANT
    house.ok(answer(found.id), "sue")
    assert house.events(table_stream("dealt"))[-1] == AlertAnswered(alert.event, NOTE)
    assert (duty(house, "set_minimum").standing, duty(house, "set_minimum").answered) == ("overdue", True)
    did(house, "sue", "set_minimum", minimum="10.00")
    assert [
        one for one in duties(house) if one.id.startswith("set_minimum")
    ] == []  # answered by hand: who acted is gone


@pytest.mark.clause(CRAPS, "10.9")
def test_what_was_done_about_a_sign_is_never_late_and_stays_listed(house: TestHouse) -> None:
    staffed(house)
    shown = house.at
    did(house, "sue", "post_closing_sign", time=(shown + timedelta(minutes=30)).isoformat())
    due = shown + timedelta(minutes=30)
    assert standings(house, "close_table", due) == ["due", "due", "overdue"]
    house.at = due + timedelta(hours=1)
    did(house, "sue", "close_table")
    found = duty(house, "close_table")
    assert (found.standing, found.done_by, found.done_at) == ("done", "sue", stamp(house.at))
    assert (found.since, found.due, found.waits) == (stamp(shown), stamp(due), False)


def test_another_sign_in_its_place_is_another_duty(house: TestHouse) -> None:
    staffed(house)
    did(house, "sue", "post_minimum_sign", minimum="10.00", wager="field", time="2026-11-15T12:30")
    first = duty(house, "set_minimum")
    house.at += timedelta(minutes=1)
    did(house, "sue", "post_minimum_sign", minimum="15.00", wager="field", time="2026-11-15T12:30")
    second = duty(house, "set_minimum")
    assert first.id != second.id
    assert (second.what, second.since) == ("Set the minimum that the sign states for field", stamp(house.at))


def test_signs_are_not_alerts_twice(house: TestHouse) -> None:
    staffed(house)
    did(house, "sue", "post_closing_sign", time=house.at.isoformat())
    house.at += timedelta(minutes=20) + INSTANT
    table = house.house.table("dealt")
    shown = show_alerts(SHELF, [table], house.at)
    assert [one.words for one in shown.open] == ["Notice over"]
    assert (shown.duties, show_floor_table(SHELF, table, 1, house.at, None).alerts) == ([], 1)


def test_signs_of_the_same_moment_have_alerts_of_their_own(house: TestHouse) -> None:
    staffed(house)
    did(house, "sue", "post_minimum_sign", minimum="10.00", time=house.at.isoformat())
    did(house, "sue", "post_closing_sign", time=house.at.isoformat())
    minimum, closing = house.house.table("dealt").alerts
    assert (duty(house, "set_minimum").alert, duty(house, "close_table").alert) == (minimum.event, closing.event)


# -- the pay table's sign: one month -----------------------------------------------------------------------------------


def adopted(house: TestHouse, at: datetime) -> None:
    house.at = at
    did(house, "otto", "adopt", book=SNAKE_EYES, pay_table="two")


@pytest.mark.clause(SNAKE_EYES, "8.2")
@pytest.mark.parametrize(
    ("changed", "until"),
    [
        (datetime(2026, 11, 20, 12, 0, tzinfo=SYDNEY), datetime(2026, 12, 20, 12, 0, tzinfo=SYDNEY)),
        (datetime(2027, 1, 31, 9, 30, tzinfo=SYDNEY), datetime(2027, 2, 28, 9, 30, tzinfo=SYDNEY)),
        (datetime(2027, 3, 20, 12, 0, tzinfo=SYDNEY), datetime(2027, 4, 20, 12, 0, tzinfo=SYDNEY)),  # clocks go back
    ],
)
def test_the_sign_about_the_pay_table_is_kept_up_for_a_month(
    house: TestHouse, changed: datetime, until: datetime
) -> None:
    staffed(house, SNAKE_EYES)
    adopted(house, changed)
    assert standings(house, "remove_pay_table_sign", until) == ["due", "done", "done"]
    found = duty(house, "remove_pay_table_sign", until)
    assert (found.since, found.due, found.clause) == (stamp(changed), stamp(until), "8.2")
    assert (found.done_at, found.done_by) == (stamp(until), None)  # by the clock: nothing more is asked for
    house.at = until - INSTANT
    assert house.say("dealt", "sue", "remove_pay_table_sign")["code"] == "month_not_over"
    house.at = until
    did(house, "sue", "remove_pay_table_sign")
    assert duties(house) == []


# -- wrong payments: month-end, and as soon as possible ----------------------------------------------------------------


def wrongly_paid(house: TestHouse, case: str, amount: str = "1000.01", at: datetime | None = None) -> None:
    house.at = at or house.at
    did(house, "dora", "report_mispayment", case=case, way="overpaid", amount=amount, wager="field", player="ann")


@pytest.mark.clause(CRAPS, "9.3.2")
@pytest.mark.parametrize(
    ("learnt", "month", "due"),
    [
        (datetime(2026, 11, 17, tzinfo=SYDNEY), "2026-11", datetime(2026, 12, 2, tzinfo=SYDNEY)),
        (datetime(2026, 11, 30, 23, 59, 59, tzinfo=SYDNEY), "2026-11", datetime(2026, 12, 2, tzinfo=SYDNEY)),
        (datetime(2026, 12, 1, tzinfo=SYDNEY), "2026-12", datetime(2027, 1, 2, tzinfo=SYDNEY)),
        (datetime(2027, 3, 31, tzinfo=SYDNEY), "2027-03", datetime(2027, 4, 2, tzinfo=SYDNEY)),
    ],
)
def test_a_return_is_due_by_the_end_of_the_first_day_after_its_month(
    house: TestHouse, learnt: datetime, month: str, due: datetime
) -> None:
    staffed(house)
    wrongly_paid(house, "m1", at=learnt)
    assert standings(house, "month_end", due) == ["due", "due", "overdue"]
    found = duty(house, "month_end")
    assert (found.id, found.clause, found.responsible) == (f"month_end {month}", "9.3.2", ["casino operator"])
    assert (found.since, found.due, found.roles) == (stamp(learnt), stamp(due), ["operator"])
    house.at = due
    did(house, "otto", "month_end", month=month)
    found = duty(house, "month_end", due + timedelta(days=99))
    assert (found.standing, found.done_by, found.done_at) == ("done", "otto", stamp(due))


@pytest.mark.clause(CRAPS, "9.3.2")
def test_a_case_of_the_amount_itself_asks_for_no_return(house: TestHouse) -> None:
    staffed(house)
    wrongly_paid(house, "m1", "1000.00")
    assert [one.id for one in duties(house)] == ["enquire m1", "put_right_elsewhere m1"]


def test_each_month_is_a_duty_and_a_second_case_is_none_of_its_own(house: TestHouse) -> None:
    staffed(house)
    for day, case in ((17, "a"), (18, "b")):
        wrongly_paid(house, case, at=datetime(2026, 11, day, tzinfo=SYDNEY))
    wrongly_paid(house, "c", at=datetime(2026, 12, 9, tzinfo=SYDNEY))
    returns = [one for one in duties(house) if one.id.startswith("month_end")]
    assert [(one.id, one.standing) for one in returns] == [
        ("month_end 2026-11", "overdue"),
        ("month_end 2026-12", "due"),
    ]
    assert returns[0].since == stamp(datetime(2026, 11, 17, tzinfo=SYDNEY))
    did(house, "otto", "month_end", month="2026-11")
    returns = [one for one in duties(house) if one.id.startswith("month_end")]
    assert [(one.id, one.standing) for one in returns] == [
        ("month_end 2026-12", "due"),
        ("month_end 2026-11", "done late"),
    ]


def test_a_clock_that_is_put_back_brings_no_case_into_a_month_that_was_told_of(house: TestHouse) -> None:
    staffed(house)
    wrongly_paid(house, "m1", at=datetime(2026, 11, 17, tzinfo=SYDNEY))
    told = house.at = datetime(2026, 12, 1, tzinfo=SYDNEY)
    did(house, "otto", "month_end", month="2026-11")
    assert duty(house, "month_end").standing == "done"
    wrongly_paid(house, "m2", at=datetime(2026, 11, 20, tzinfo=SYDNEY))
    returns = [one for one in duties(house) if one.id.startswith("month_end")]
    assert [(one.id, one.standing) for one in returns] == [("month_end 2026-12", "due"), ("month_end 2026-11", "done")]
    assert returns[0].since == stamp(told)


def test_what_is_overdue_stays_an_alert_until_somebody_answers_also_when_it_was_done_late(house: TestHouse) -> None:
    staffed(house)
    wrongly_paid(house, "m1")
    house.ok(orders.AnswerAlert(table="dealt", event=house.house.table("dealt").alerts[0].event, note=NOTE), "sue")

    def waiting() -> list[tuple[str, str]]:
        table = house.house.table("dealt")
        shown: list[tuple[str, str]]
        shown = [(one.id, one.standing) for one in show_alerts(SHELF, [table], house.at).duties]
        assert show_floor_table(SHELF, table, 1, house.at, None).alerts == len(shown)
        return shown

    assert waiting() == []
    house.at = datetime(2026, 12, 3, tzinfo=SYDNEY)
    assert waiting() == [("month_end 2026-11", "overdue")]
    did(house, "otto", "month_end", month="2026-11")
    assert waiting() == [("month_end 2026-11", "done late")]
    house.at += timedelta(days=400)
    assert waiting() == [("month_end 2026-11", "done late")]
    house.ok(answer("month_end 2026-11"), "sue")
    assert house.events(table_stream("dealt"))[-1] == DutyAnswered("month_end 2026-11", NOTE)
    assert waiting() == []
    assert (duty(house, "month_end").standing, duty(house, "month_end").answered) == ("done late", True)


@pytest.mark.clause(CRAPS, "9.1.1", "9.1.2", "9.2.2")
def test_a_wrong_payment_is_seen_to_as_soon_as_possible_without_a_deadline(house: TestHouse) -> None:
    staffed(house)
    did(house, "ann", "bet", wager="field", amount="5.00")
    did(house, "dora", "roll", dice=[3, 4])
    did(house, "dora", "report_mispayment", case="m1", way="underpaid", amount="5.00", wager="field")
    learnt, year = stamp(house.at), house.at + timedelta(days=365)
    assert [(one.id, one.clause, one.due, one.standing) for one in duties(house, year)] == [
        ("enquire m1", "9.1.1", None, "due"),
        ("put_right_elsewhere m1", "9.1.2", None, "due"),
    ]
    house.at += timedelta(hours=1)
    did(house, "sue", "enquire", case="m1", finding="suspected intentional")
    assert duty(house, "try_to_identify").standing == "due"
    assert duty(house, "try_to_identify").clause == "9.2.2"
    enquired = duty(house, "enquire")
    assert (enquired.standing, enquired.done_by, enquired.done_at) == ("done", "sue", stamp(house.at))
    assert (enquired.since, enquired.what) == (learnt, "Enquire whether m1 was intended")
    house.at += timedelta(hours=1)
    did(house, "otto", "try_to_identify", case="m1")
    found = {one.id: (one.standing, one.done_by) for one in duties(house)}
    assert found == {
        "enquire m1": ("done", "sue"),
        "put_right_elsewhere m1": ("done", "otto"),
        "try_to_identify m1": ("done", "otto"),
    }
    did(house, "sue", "identify_patron", case="m1", patron="ann")
    assert duty(house, "put_right_elsewhere").standing == "due"  # now that the patron is known, there is more to do
    did(house, "dora", "reimburse", case="m1")
    assert (duty(house, "put_right_elsewhere").standing, duty(house, "put_right_elsewhere").done_by) == ("done", "dora")


# -- faults: at once ---------------------------------------------------------------------------------------------------


@pytest.mark.clause(SIC_BO, "8.8")
def test_an_inspector_is_told_of_a_fault_at_once(house: TestHouse) -> None:
    staffed(house, SIC_BO)
    did(house, "dora", "report_malfunction", what="lights")
    reported = house.at
    due = reported + timedelta(minutes=15)
    assert standings(house, "notify_inspector", due)[1:] == ["due", "overdue"]
    found = duty(house, "notify_inspector")
    (alert,) = house.house.table("dealt").alerts
    assert (found.since, found.due, found.clause, found.alert) == (stamp(reported), stamp(due), "8.8", alert.event)
    assert show_alerts(SHELF, [house.house.table("dealt")], due + INSTANT).duties == []  # the fault is an alert
    house.at += timedelta(minutes=16)
    did(house, "dora", "notify_inspector")
    found = duty(house, "notify_inspector")
    assert (found.standing, found.done_by, found.done_at) == ("done late", "dora", stamp(house.at))
    assert (found.alert, found.answered) == (alert.event, False)
    house.ok(orders.AnswerAlert(table="dealt", event=alert.event, note=NOTE), "sue")
    assert (duty(house, "notify_inspector").alert, duty(house, "notify_inspector").answered) == (None, True)
    did(house, "sue", "rectify")
    assert duties(house) == []
    house.at += timedelta(days=1)
    did(house, "dora", "report_malfunction", what="lights")
    assert duty(house, "notify_inspector").id != found.id


def test_who_tells_at_once_is_in_time(house: TestHouse) -> None:
    staffed(house, SIC_BO)
    did(house, "dora", "report_malfunction", what="lights")
    did(house, "dora", "notify_inspector")
    assert duty(house, "notify_inspector", house.at + timedelta(days=1)).standing == "done"


@pytest.mark.clause(SIC_BO, "6.6")
@pytest.mark.parametrize("offered", [True, False])
def test_the_final_call_is_due_once_the_clock_is_on_the_table(house: TestHouse, offered: bool) -> None:
    staffed(house, SIC_BO, **({} if offered else {"without": ["super_streak"]}))  # type: ignore[arg-type]
    assert duties(house) == []
    did(house, "sue", "post_closing_sign", time=(house.at + timedelta(hours=1)).isoformat())
    assert [one.id.split(" ")[0] for one in duties(house)] == ["close_table", *(["final_call"] if offered else [])]
    if offered:
        found = duty(house, "final_call")
        assert (found.since, found.due, found.clause, found.responsible) == (stamp(house.at), None, "6.6", ["dealer"])
        house.at += timedelta(minutes=1)
        did(house, "dora", "final_call")
        found = duty(house, "final_call")
        assert (found.standing, found.done_by, found.done_at) == ("done", "dora", stamp(house.at))


@pytest.mark.clause(CRAPS, "10.14")
def test_whoever_is_dissatisfied_is_told_of_the_right_to_complain(house: TestHouse) -> None:
    staffed(house)
    did(house, "ann", "raise_dispute", case="d1", about="a late bet")
    did(house, "sue", "decide_dispute", case="d1", decision="No.")
    did(house, "otto", "final_decision", case="d1", decision="No.")
    assert duties(house) == []
    did(house, "ann", "dissatisfied", case="d1")
    found = duty(house, "tell_right", house.at + timedelta(days=999))
    assert (found.standing, found.due, found.since, found.clause) == ("due", None, stamp(house.at), "10.14")
    did(house, "sue", "tell_right", case="d1")
    assert (duty(house, "tell_right").standing, duty(house, "tell_right").done_by) == ("done", "sue")


# -- promotions --------------------------------------------------------------------------------------------------------


def drafted(book: str, starts: datetime) -> PromotionState:
    """A promotion of which only the terms are written down."""
    rules = prizes_of(book)
    moved = starts - START
    said = {"starts": starts, "entries_close": CLOSE + moved, "awarded_at": AWARD + moved}
    draft = DraftTerms(terms=terms_of(rules, **{term: at.isoformat() for term, at in said.items()}), by="mia")
    happened = decide(rules, Promotion(), draft, starts - timedelta(days=30))
    assert not isinstance(happened, Refusal), happened
    return PromotionState("spring", book, "Spring", evolve_all(Promotion(), happened))


@pytest.mark.clause(CRAPS, "11.12")
def test_the_terms_are_filed_24_hours_before_the_start() -> None:
    starts = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
    state, by = drafted(CRAPS, starts), starts - timedelta(hours=24)
    found = [duties_of_promotion(SHELF, state, by + step)[0] for step in (-INSTANT, timedelta(), INSTANT)]
    assert [one.standing for one in found] == ["due", "due", "overdue"]
    assert (found[0].of, found[0].name, found[0].title, found[0].book) == ("promotion", "spring", "Spring", CRAPS)
    assert (found[0].id, found[0].due, found[0].clause) == ("file", stamp(by), "11.12")
    assert (found[0].responsible, found[0].roles) == (["casino operator"], ["manager", "operator"])
    late = show_alerts(SHELF, [], by + INSTANT, [state]).duties
    assert [(one.id, one.waits) for one in late] == [("file", True)]
    told = msgspec.structs.replace(state, duties_answered=("file",))
    assert show_alerts(SHELF, [], by + INSTANT, [told]).duties == []
    assert duties_of_promotion(SHELF, told, by + INSTANT)[0].answered


# -- one list ----------------------------------------------------------------------------------------------------------


def test_one_list_has_the_soonest_first_and_what_has_no_deadline_last(house: TestHouse) -> None:
    staffed(house)
    wrongly_paid(house, "m1")
    did(house, "sue", "post_closing_sign", time=house.at.isoformat())
    starts = house.at + timedelta(days=3)
    shown = show_duties(SHELF, [house.house.table("dealt")], [drafted(CRAPS, starts)], house.at)
    assert [one.id.split(" ")[0] for one in shown.open] == [
        "close_table",
        "file",
        "publish",
        "month_end",
        "enquire",
        "put_right_elsewhere",
    ]
    assert (shown.at, shown.done) == (stamp(house.at), [])


def test_of_those_done_the_last_are_listed_and_all_that_wait_for_an_answer(house: TestHouse) -> None:
    staffed(house)
    table = house.house.table("dealt")
    late = {f"return {2000 + number}-01": Marked(f"{2000 + number}-06-01T00:00:00Z", "otto") for number in range(3)}
    many = {f"return {2100 + number}-01": Marked(f"{2100 + number}-02-01T00:00:00Z", "otto") for number in range(60)}
    facts = {name: mark.at for name, mark in (late | many).items()}
    full = msgspec.structs.replace(table, marks=late | many, game=msgspec.structs.replace(table.game, facts=facts))
    shown = show_duties(SHELF, [full], [], house.at).done
    assert len(shown) == MOST_DONE + len(late)
    assert [one.id for one in shown[-3:]] == [f"month_end {2000 + number}-01" for number in (2, 1, 0)]
    assert [one.standing for one in shown[-4:]] == ["done", "done late", "done late", "done late"]
    answered = msgspec.structs.replace(full, duties_answered=tuple(f"month_end {2000 + n}-01" for n in range(3)))
    assert len(show_duties(SHELF, [answered], [], house.at).done) == MOST_DONE


# -- answering ---------------------------------------------------------------------------------------------------------


def test_only_what_is_late_is_answered_for_and_only_once(house: TestHouse) -> None:
    staffed(house)
    wrongly_paid(house, "m1")
    assert house.refused(answer("month_end 2026-11"), "sue") == "duty_in_time"
    assert house.refused(answer("enquire m1"), "sue") == "duty_in_time"
    assert house.refused(answer("month_end 2026-10"), "sue") == "no_such_duty"
    house.at = datetime(2026, 12, 2, 0, 0, 1, tzinfo=SYDNEY)
    for note in ("", "   ", "x" * 201, "a\nb"):
        assert house.refused(answer("month_end 2026-11", note), "sue") == "bad_note"
    for who in ("ann", "dora"):
        assert house.refused(answer("month_end 2026-11"), who) == "not_allowed"
    house.ok(answer("month_end 2026-11"), "sue")
    assert house.refused(answer("month_end 2026-11"), "otto") == "duty_answered"


def test_a_table_that_is_read_again_has_the_same_duties(house: TestHouse) -> None:
    staffed(house)
    wrongly_paid(house, "m1")
    house.at = datetime(2026, 12, 5, tzinfo=SYDNEY)
    did(house, "otto", "month_end", month="2026-11")
    house.ok(answer("month_end 2026-11"), "sue")
    before, state, head = duties(house), house.house.table("dealt"), house.house.head(table_stream("dealt"))
    snapshot = taken(table_stream("dealt"), state, head)
    assert snapshot is not None
    again = restored(snapshot)
    assert again is not None
    assert again.state == state
    house.restart()
    house.load(table_stream("dealt"))
    assert duties(house) == before


def test_marks_go_with_what_the_table_forgets(house: TestHouse) -> None:
    staffed(house)
    did(house, "sue", "post_minimum_sign", minimum="10.00", time=house.at.isoformat())
    assert house.house.table("dealt").marks["next minimum"] == Marked(stamp(house.at), "sue")
    house.at += timedelta(minutes=20)
    did(house, "sue", "set_minimum", minimum="10.00")
    table = house.house.table("dealt")
    assert {*table.marks} <= {*table.game.facts}
    assert "next minimum" not in table.marks


# -- the books ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", ids())
def test_the_duties_of_a_book_have_words_that_can_be_filled_in(book: str) -> None:
    conduct = SHELF.book(book).conduct
    assert conduct.duties
    for each in conduct.duties:
        words = {"notice": {"wager"}, "month end": {"month"}}.get(each.within, {*fields_of(each.fact)})
        assert {*fields_of(each.what)} <= words, each.id
        assert each.within != "month end" or each.since is not None
        assert not [name for name in each.is_ if not isinstance(name, str)]
        assert {*conduct.by_id[each.id].by} <= {*conduct.role_ids}


def test_which_book_has_which_clocks() -> None:
    clocks: dict[str, Any] = {
        book: sorted({(each.id, each.within) for each in SHELF.book(book).conduct.duties}) for book in ids()
    }
    common = [("close_table", "notice"), ("set_minimum", "notice")]
    told = ("tell_right", "as soon as possible")
    assert clocks == {
        CRAPS: sorted(
            [
                *common,
                told,
                ("enquire", "as soon as possible"),
                ("put_right_elsewhere", "as soon as possible"),
                ("try_to_identify", "as soon as possible"),
                ("month_end", "month end"),
            ]
        ),
        SIC_BO: sorted([*common, told, ("notify_inspector", "at once"), ("final_call", "as soon as possible")]),
        SNAKE_EYES: sorted([*common, told, ("remove_pay_table_sign", "until")]),
        "snake-eyes-nz": common,
        "two-up-nsw-2016": sorted([*common, told]),
    }
