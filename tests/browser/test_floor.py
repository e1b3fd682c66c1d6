"""The supervisors' floor: alerts appear by themselves and stay until answered, tables are managed, and people are
looked after.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.looks import Look, every_size
from tests.browser.visiting import Visitors
from tests.serving import Person, Running, did

TABLE = "/tables/pit"


@pytest.fixture
def pit(house: Running) -> Running:
    """A table that dora deals; ann has won 10.00 there on the field."""
    otto, dora, ann = (house.person(name) for name in ("otto", "dora", "ann"))
    line = {"book": "craps-nsw-2024", "min": "5.00", "max": "500.00"}
    did(otto, "/tables", {"table": "pit", "title": "Craps, pit 1", "line": line})
    did(dora, f"{TABLE}/post", {"role": "dealer"})
    did(ann, f"{TABLE}/seat", {"chips": "100.00"})
    said(ann, do="bet", wager="field", amount="10.00")
    said(dora, do="roll", dice=[2, 1])
    return house


def said(who: Person, **line: object) -> None:
    did(who, f"{TABLE}/lines", {"line": line})


def card(page: Page, title: str = "Craps, pit 1") -> Locator:
    return page.locator(".floor-card").filter(has=page.get_by_role("heading", name=title, exact=True))


def supervising(page: Page) -> Locator:
    page.get_by_role("button", name="Supervise Craps, pit 1").click()
    return page.get_by_role("dialog", name="Craps, pit 1")


def test_an_alert_comes_by_itself_and_stays_until_it_is_answered(pit: Running, visit: Visitors) -> None:
    sam = visit(pit, "sam")
    sam.page.clock.install()
    page = sam.go("/floor")
    expect(page.get_by_text("No open alerts.")).to_be_visible()
    said(pit.people[2], do="raise_dispute", case="a1", about="the roll of three")
    alert = page.get_by_role("listitem").filter(has_text="! Dispute").first
    expect(alert).to_contain_text("ann raises the dispute a1 about the roll of three.")
    expect(alert.get_by_role("link", name="rule 10.13")).to_have_attribute("href", "/rules/craps-nsw-2024/10.13")
    expect(page.locator("#say-now")).to_contain_text("Alert: Dispute, Craps, pit 1.")
    expect(card(page)).to_contain_text("! 1 alert")
    note = alert.get_by_label("What was done")
    note.fill("The camera")
    for _ in range(2):  # with the second answer the page has been brought up to date by the first
        with page.expect_response("**/api/v1/floor"):
            page.clock.fast_forward(4000)
    expect(note).to_be_focused()
    note.press_sequentially(" shows three.")
    note.press("Enter")
    expect(page.get_by_text("No open alerts.")).to_be_visible()
    expect(card(page)).not_to_contain_text("alert")
    page.get_by_text("Recently answered").click()
    row = page.get_by_role("row").filter(has_text="Dispute, Craps, pit 1")
    expect(row).to_contain_text("sam")
    expect(row).to_contain_text("The camera shows three.")


def test_two_supervisors_see_the_same_and_one_answer_is_enough(pit: Running, visit: Visitors) -> None:
    said(pit.people[2], do="raise_dispute", case="a1", about="the roll of three")
    sam, mia = visit(pit, "sam").go("/floor"), visit(pit, "mia").go("/floor")
    for page in (sam, mia):
        expect(page.locator(".alert")).to_have_count(1)
    sam.get_by_label("What was done").fill("Heard.")
    sam.get_by_role("button", name="Answer", exact=True).click()
    for page in (sam, mia):
        expect(page.locator(".alert")).to_have_count(0)


def test_a_wrong_result_is_corrected_from_the_floor_and_who_owes_is_named(pit: Running, visit: Visitors) -> None:
    """Ann has left with what the wrong result paid her: she owes it, and the supervisor who corrects the result sees
    that.
    """
    did(pit.people[2], f"{TABLE}/leave", {})
    sam = visit(pit, "sam")
    page = sam.go("/floor")
    panel = supervising(page)
    panel.get_by_role("button", name="Take charge as supervisor").click()
    panel.get_by_role("button", name="Correct the result 2-1 …").click()
    form = page.get_by_role("dialog").last
    expect(form.locator(".face-key input:checked")).to_have_count(0)  # nothing is meant before someone says it
    sam.axe()
    for die, value in enumerate((2, 3), 1):
        form.get_by_role("radio", name=f"{value}, {die} of 2").check()
    form.get_by_role("button", name="Do it").click()
    expect(panel.get_by_role("button", name="Correct the result 2-3 …")).to_be_visible()
    page.get_by_role("button", name="Close").last.click()
    expect(card(page)).to_contain_text("Owe the house")
    expect(card(page)).to_contain_text("ann 20.00")
    alert = page.get_by_role("listitem").filter(has_text="! Result corrected").first
    expect(alert).to_contain_text(re.compile(r"corrects the result to 2 3; it was settled as 2 1\."))


def test_a_table_at_a_glance(pit: Running, visit: Visitors) -> None:
    page = visit(pit, "ivy").go("/floor")
    here = card(page)
    for words in ("dora (dealer)", "1: ann", "5.00 to 500.00", "−10.00", "1 throw in the last hour"):
        expect(here).to_contain_text(words)
    # Of 36 throws 20 lose 10.00, 14 win as much and 2 win twice as much: the mean is 20 / 36, the deviation 10.79.
    expect(here.get_by_role("img")).to_have_accessible_name(
        "Win −10.00 including wagers on the layout; expected 0.56; 95% interval −20.59 to 21.70."
    )
    expect(page.get_by_role("button", name="Answer", exact=True)).to_have_count(0)


def test_a_supervisor_takes_charge_puts_up_a_sign_and_sees_its_clock(pit: Running, visit: Visitors) -> None:
    visitor = visit(pit, "sam")
    page = visitor.go("/floor")
    panel = supervising(page)
    panel.get_by_role("button", name="Take charge as supervisor").click()
    expect(panel).to_contain_text("You run this table as supervisor.")
    panel.get_by_role("button", name="Put up a sign that the minimum is (minimum) from (time)").click()
    form = page.get_by_role("dialog").last
    form.get_by_role("textbox", name="Minimum").fill("10.00")
    soon = page.evaluate("new Date(Date.now() + 30 * 60000 - new Date().getTimezoneOffset() * 60000).toISOString()")
    form.get_by_label("Time (Australia/Sydney time)", exact=True).fill(soon[:16])
    form.get_by_role("button", name="Do it").click()
    expect(panel).to_contain_text("next minimum")
    page.keyboard.press("Escape")
    sign = card(page).locator(".sign")
    expect(sign).to_contain_text("Minimum 10.00 from ")
    expect(sign).to_contain_text(re.compile("notice ends in 2[89]:"))  # it states whole minutes
    assert pit.running_house.house.table("pit").staff == {"dora": "dealer", "sam": "supervisor"}


def test_a_refusal_is_told_with_its_clause(pit: Running, visit: Visitors) -> None:
    visitor = visit(pit, "sam")
    visitor.allow("status of 422")
    page = visitor.go("/floor")
    panel = supervising(page)
    panel.get_by_role("button", name="Take charge as supervisor").click()
    panel.get_by_role("button", name="Close the table").click()
    form = page.get_by_role("dialog").last
    form.get_by_role("button", name="Do it").click()
    alert = form.get_by_role("alert")
    expect(alert).to_contain_text("a sign must state the closing time first")
    expect(alert.get_by_role("link")).to_have_attribute("href", "/rules/craps-nsw-2024/10.9")


def test_somebody_is_excluded_and_let_in_again(pit: Running, visit: Visitors) -> None:
    page = visit(pit, "mia").go("/floor")
    page.get_by_label("Find a person by username").fill("be")
    page.get_by_role("button", name="ben", exact=True).click()
    expect(page.locator(".person")).to_contain_text("may play")
    page.get_by_text("Exclude from play").click()
    page.get_by_role("button", name="Exclude Ben").click()
    expect(page.locator(".person")).to_contain_text("excluded permanently, by the house")
    assert pit.running_house.house.account("ben").may_not_play(datetime.now(UTC) + timedelta(days=1000))
    page.get_by_role("button", name="Lift the exclusion").click()
    expect(page.locator(".person")).to_contain_text("may play")


def test_players_are_told_that_it_is_not_for_them(pit: Running, visit: Visitors) -> None:
    page = visit(pit, "ann").go("/floor")
    expect(page.get_by_text("This page is for staff who supervise tables.")).to_be_visible()


@every_size
def test_it_is_accessible_with_alerts_and_a_table_in_hand(pit: Running, visit: Visitors, look: Look) -> None:
    said(pit.people[2], do="raise_dispute", case="a1", about="the roll of three")
    visitor = visit(pit, "sam", look)
    page = visitor.go("/floor")
    expect(page.locator(".alert")).to_have_count(1)
    expect(page.locator(".win-bar")).to_have_count(1)
    visitor.axe_by_day_and_night()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
    panel = supervising(page)
    panel.get_by_role("button", name="Take charge as supervisor").click()
    expect(panel).to_contain_text("Limits, signs, closing")
    visitor.axe_by_day_and_night()
