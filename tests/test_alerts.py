"""Alerts: what raises one, how long it stays, who answers it, and that no alert is lost."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from croupier.contract.management import Answered, FloorTable
from croupier.contract.shown_events import StakeLimits
from croupier.house import orders
from croupier.house.alerts import LATELY, Alert
from croupier.house.events import AlertAnswered, AlertRaised, RoundCancelled
from croupier.house.live_streams import restored, taken
from croupier.house.names import table_stream
from croupier.house.orders.alerts import MOST_OF_A_PLAYER, MOST_TOLD
from croupier.house.stored_events import stamp
from croupier.house.views.floor import show_alerts, show_floor_table
from croupier.rulebooks import ids
from tests.houses import SHELF, TestHouse

CRAPS, TWO_UP = "craps-nsw-2024", "two-up-nsw-2016"


@pytest.fixture
def house() -> TestHouse:
    return TestHouse()


def staffed(house: TestHouse, book: str = CRAPS, **line: str) -> str:
    """A table with staff, and ann and ben at it."""
    table = house.dealt_table(book, "dealt", **line)
    for person, role in (("dora", "dealer"), ("sue", "supervisor"), ("otto", "operator")):
        house.ok(orders.TakePost(table=table, role=role), house.person(person, role))
    for person in ("ann", "ben"):
        house.ok(orders.Sit(table=table, cents=100_00), house.person(person))
    return table


def alerts(house: TestHouse, table: str = "dealt") -> tuple[Alert, ...]:
    return house.house.table(table).alerts


def dispute(house: TestHouse, case: str = "a7", about: str = "a late bet") -> Alert:
    said = house.say("dealt", "ann", "raise_dispute", case=case, about=about)
    assert said["ok"], said
    return alerts(house)[-1]


def answer(alert: Alert | int, note: str = "Both were heard.") -> orders.AnswerAlert:
    event = alert if isinstance(alert, int) else alert.event
    return orders.AnswerAlert(table="dealt", event=event, note=note)


# Raising


def test_a_dispute_is_an_alert_with_who_what_and_the_clause(house: TestHouse) -> None:
    staffed(house)
    alert = dispute(house)
    told = (alert.words, alert.tells, alert.clause, alert.who, alert.at)
    assert told == ("Dispute", "raises the dispute a7 about a late bet", "10.13", "ann", stamp(house.at))
    assert isinstance(house.events("table/dealt")[alert.event - 1], AlertRaised)


def test_what_a_book_does_not_mark_raises_none(house: TestHouse) -> None:
    staffed(house)
    assert house.say("dealt", "dora", "explain_rules", player="ann")["ok"]
    assert house.say("dealt", "ann", "bet", wager="field", amount="10.00")["ok"]
    assert house.say("dealt", "dora", "roll", dice=[1, 2])["ok"]
    assert alerts(house) == ()


def test_money_is_told_as_money_and_the_fitting_sentence_is_taken(house: TestHouse) -> None:
    staffed(house)
    wrong = {"case": "b1", "way": "underpaid", "amount": "1200.00", "wager": "field"}
    assert house.say("dealt", "dora", "report_mispayment", **wrong)["ok"]
    assert house.say("dealt", "dora", "report_mispayment", **wrong | {"case": "b2", "player": "ann"})["ok"]
    assert [alert.tells for alert in alerts(house)] == [
        "reports b1, underpaid 1200.00 on field to a patron unknown",
        "reports b2, underpaid 1200.00 to ann on field",
    ]


def test_what_somebody_says_at_length_is_cut_short(house: TestHouse) -> None:
    staffed(house)
    told = dispute(house, about="word " * 500).tells
    assert len(told) == MOST_TOLD
    assert told.endswith("…")


def test_an_outcome_that_is_taken_back_is_an_alert(house: TestHouse) -> None:
    staffed(house)
    house.ok(orders.Say(table="dealt", line={"do": "bet", "wager": "field", "amount": "10.00"}), "ann")
    assert house.say("dealt", "dora", "roll", dice=[1, 2])["ok"]
    void = house.say("dealt", "sue", "void", reason="10.5.2")
    assert void["ok"], void
    assert [(one.words, one.tells, one.clause, one.who) for one in alerts(house)] == [
        ("Outcome invalidated", "took the outcome back under 10.5.2", "10.6", "sue")
    ]


def test_a_round_that_is_given_up_is_an_alert(house: TestHouse) -> None:
    table = house.clock_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), house.person("ann"))
    house.wait(0)
    house.house._secrets.clear()
    house.at += timedelta(minutes=1)
    house.ok(orders.RunOn(table=table, lost=True))
    assert isinstance(house.events("table/clock")[-2], RoundCancelled)
    (alert,) = alerts(house, table)
    told = (alert.words, alert.tells, alert.who)
    assert told == ("Round abandoned", "abandoned round 1: its secret is lost", None)


@pytest.mark.parametrize("book", ids())
def test_every_book_has_acts_that_raise_alerts(book: str) -> None:
    marked = {act.id for act in SHELF.book(book).conduct.acts if act.alert is not None}
    assert {"post_minimum_sign", "post_closing_sign", "declare_lost", "dispute_face", "report_malfunction"} & marked
    assert "raise_dispute" in marked or book == "snake-eyes-nz"
    assert all(act.alert is None or act.alert.strip() == act.alert for act in SHELF.book(book).conduct.acts)


# Signs


def test_a_sign_is_an_alert_once_its_notice_is_over_and_until_it_is_acted_on(house: TestHouse) -> None:
    staffed(house, min="5.00")
    soon = (house.at + timedelta(minutes=5)).isoformat()
    assert house.say("dealt", "sue", "post_minimum_sign", minimum="10.00", time=soon)["ok"]
    (alert,) = alerts(house)
    assert alert.tells == "puts up a sign that the minimum is 10.00 from 12:05 AEDT on 15 November"
    assert (alert.due, alert.sign) == (stamp(house.at + timedelta(minutes=20)), "next minimum")
    shown = show_alerts(SHELF, [house.house.table("dealt")], house.at)
    assert (len(shown.open), len(shown.coming)) == (0, 1)
    house.wait(20 * 60)
    shown = show_alerts(SHELF, [house.house.table("dealt")], house.at)
    assert [(one.since, one.answered) for one in shown.open] == [(alert.due, None)]
    assert shown.coming == []
    assert house.say("dealt", "sue", "set_minimum", minimum="10.00")["ok"]
    assert alerts(house) == ()
    (done,) = house.house.table("dealt").answered
    assert (done.alert, done.who, done.note) == (alert, "sue", "The sign has done its work.")


def test_a_sign_for_later_than_its_notice_holds_at_the_time_that_it_states(house: TestHouse) -> None:
    staffed(house, min="5.00")
    later = house.at + timedelta(minutes=45)
    sign = {"wager": "field", "minimum": "10.00", "time": later.isoformat()}
    assert house.say("dealt", "sue", "post_minimum_sign", **sign)["ok"]
    assert alerts(house)[0].due == stamp(later)
    shown = show_floor_table(SHELF, house.house.table("dealt"), 9, house.at, None)
    (up,) = shown.signs
    told = (up.announces, up.wager, up.minimum, up.shown, up.holds)
    assert told == ("minimum", "field", "10.00", stamp(house.at), stamp(later))


def test_another_sign_in_its_place_takes_the_alert_over(house: TestHouse) -> None:
    staffed(house, min="5.00")
    for minutes in (30, 60):
        time = (house.at + timedelta(minutes=minutes)).isoformat()
        assert house.say("dealt", "sue", "post_minimum_sign", minimum="10.00", time=time)["ok"]
    (alert,) = alerts(house)
    assert alert.due == stamp(house.at + timedelta(minutes=60))
    assert [one.note for one in house.house.table("dealt").answered] == ["Another sign took its place."]


def test_closing_the_table_answers_for_its_sign(house: TestHouse) -> None:
    staffed(house)
    at = (house.at + timedelta(minutes=20)).isoformat()
    assert house.say("dealt", "sue", "post_closing_sign", time=at)["ok"]
    assert [alert.sign for alert in alerts(house)] == ["closing sign"]
    assert [sign.announces for sign in floor(house).signs] == ["closing"]
    house.wait(20 * 60)
    assert floor(house).alerts == 1
    assert house.say("dealt", "sue", "close_table")["ok"]
    assert (alerts(house), floor(house).signs, floor(house).state) == ((), [], "closed")


def floor(house: TestHouse) -> FloorTable:
    return show_floor_table(SHELF, house.house.table("dealt"), 1, house.at, None)


# Answering


def test_an_alert_stays_until_it_is_answered_with_who_when_and_a_note(house: TestHouse) -> None:
    staffed(house)
    alert = dispute(house)
    house.wait(3600)
    assert alerts(house) == (alert,)
    house.ok(answer(alert), "sue")
    assert alerts(house) == ()
    (done,) = house.house.table("dealt").answered
    assert (done.alert, done.who, done.at, done.note) == (alert, "sue", stamp(house.at), "Both were heard.")
    assert house.events("table/dealt")[-1] == AlertAnswered(alert.event, "Both were heard.")


def test_an_alert_is_answered_once_and_by_its_own_number(house: TestHouse) -> None:
    staffed(house)
    first, second = dispute(house), dispute(house, "b8")
    house.ok(answer(second), "sue")
    assert alerts(house) == (first,)
    assert house.refused(answer(second), "otto") == "alert_answered"
    for event in (first.event - 1, first.event + 1, 10**9, -1):
        assert house.refused(answer(event), "otto") == "no_such_alert"
    assert house.refused(orders.AnswerAlert(table="none", event=1, note="x"), "otto") == "no_such_table"


@pytest.mark.parametrize("note", ["", "  ", "x" * 201, "two\nlines", "hidden\u200b"])
def test_an_answer_says_something_that_can_be_read(house: TestHouse, note: str) -> None:
    staffed(house)
    assert house.refused(answer(dispute(house), note), "sue") == "bad_note"
    assert len(alerts(house)) == 1


@pytest.mark.parametrize("who", ["ann", "ben", "dora", "ivy"])
def test_players_dealers_and_inspectors_do_not_answer(house: TestHouse, who: str) -> None:
    staffed(house)
    house.person("ivy", "inspector")
    assert house.refused(answer(dispute(house)), who) == "not_allowed"


def test_who_answers_needs_no_post_at_the_table(house: TestHouse) -> None:
    staffed(house)
    alert = dispute(house)
    house.ok(answer(alert), house.person("mia", "manager"))
    assert alerts(house) == ()


def test_only_the_last_answers_are_remembered_and_all_are_on_record(house: TestHouse) -> None:
    staffed(house)
    for number in range(LATELY + 3):
        house.ok(answer(dispute(house, f"case-{number}"), f"Heard {number}."), "sue")
    notes = [one.note for one in house.house.table("dealt").answered]
    assert notes == [f"Heard {number}." for number in range(3, LATELY + 3)]
    assert sum(isinstance(event, AlertAnswered) for event in house.events("table/dealt")) == LATELY + 3


# Nothing is lost


def test_alerts_are_there_after_a_restart_and_in_a_snapshot(house: TestHouse) -> None:
    staffed(house)
    house.ok(answer(dispute(house)), "sue")
    waiting = dispute(house, "b8")
    before = house.house.table("dealt")
    house.restart()
    house.load(table_stream("dealt"))
    after = house.house.table("dealt")
    assert (after.alerts, after.answered) == (before.alerts, before.answered)
    assert after.alerts == (waiting,)
    kept = taken(table_stream("dealt"), after, house.house.head(table_stream("dealt")))
    assert kept is not None
    again = restored(kept)
    assert again is not None
    assert msgspec.to_builtins(again.state) == msgspec.to_builtins(after)


def test_the_floor_shows_the_longest_waiting_first_and_the_newest_answer_first(house: TestHouse) -> None:
    staffed(house)
    cases = []
    for case in ("one", "two", "three", "four"):
        house.wait(60)
        cases.append(dispute(house, case))
    for alert in cases[:2]:
        house.wait(5)
        house.ok(answer(alert, f"On {alert.event}."), "sue")
    shown = show_alerts(SHELF, [house.house.table("dealt")], house.at)
    assert [one.event for one in shown.open] == [cases[2].event, cases[3].event]
    assert [one.answered for one in shown.answered] == [
        Answered("sue", stamp(house.at - timedelta(seconds=5 * ago)), f"On {cases[1 - ago].event}.") for ago in (0, 1)
    ]
    assert {(one.table, one.title, one.book) for one in shown.open} == {("dealt", "Dealt", CRAPS)}


def test_a_table_at_a_glance(house: TestHouse) -> None:
    staffed(house, min="5.00", max="500.00")
    dispute(house)
    shown = floor(house)
    assert (shown.state, shown.bets, shown.by_itself, shown.round) == ("open", "open", False, None)
    assert shown.staff == {"dora": "dealer", "sue": "supervisor", "otto": "operator"}
    assert (shown.players, shown.limits) == (["ann", "ben"], StakeLimits(min="5.00", max="500.00"))
    assert (shown.signs, shown.alerts, shown.glance) == ([], 1, None)


def test_one_player_cannot_bury_what_others_have_to_say(house: TestHouse) -> None:
    staffed(house)
    dispute(house)
    for _ in range(MOST_OF_A_PLAYER + 5):
        assert house.say("dealt", "ann", "complain", case="a7")["ok"]  # it is on record all the same
    assert len(alerts(house)) == MOST_OF_A_PLAYER
    assert house.say("dealt", "ben", "raise_dispute", case="b1", about="a chip")["ok"]
    assert alerts(house)[-1].who == "ben"
    house.ok(answer(alerts(house)[0]), "sue")
    assert house.say("dealt", "ann", "complain", case="a7")["ok"]
    assert alerts(house)[-1].who == "ann"


@pytest.mark.parametrize("book", ids())
def test_a_float_that_differs_from_the_last_closing_is_an_alert_and_takes_two_persons(
    house: TestHouse, book: str
) -> None:
    table = house.dealt_table(book, "dealt")
    for person, role in (("dora", "dealer"), ("sue", "supervisor"), ("otto", "operator")):
        house.ok(orders.TakePost(table=table, role=role), house.person(person, role))
    closes = next(person for person in ("sue", "otto") if house.say(table, person, "close_table")["ok"])
    assert house.say(table, "dora", "count_float", amount="500.00", when="closing")["ok"]
    assert house.say(table, closes, "reopen_table")["ok"]
    assert house.say(table, "dora", "count_float", amount="400.00", when="opening")["code"] == "count_differs"
    assert alerts(house) == ()
    assert house.say(table, "dora", "report_count", amount="400.00")["ok"]
    (alert,) = alerts(house)
    assert (alert.words, alert.who) == ("Float differs", "dora")
    assert alert.tells == "reports 400.00 in the float, unlike the last closing"
    assert house.say(table, "dora", "confirm_count")["code"] == "same_person"
    assert house.say(table, "sue", "confirm_count")["ok"]
    assert house.house.table(table).game.in_float == 400_00
