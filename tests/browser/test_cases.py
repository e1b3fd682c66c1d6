"""Open cases on the floor and at the console: listed with their next step, and chosen instead of typed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.looks import DESKTOP, PHONE, Look, every_size, fits
from tests.browser.visiting import Visitors
from tests.serving import Person, Running, did

TABLE = "/tables/pit"


@pytest.fixture
def pit(house: Running) -> Running:
    """A table that dora deals and sam supervises; ann lost 10.00 on the field, and disputes it."""
    otto, dora, sam, ann = (house.person(name) for name in ("otto", "dora", "sam", "ann"))
    line = {"book": "craps-nsw-2024", "min": "5.00", "max": "500.00"}
    did(otto, "/tables", {"table": "pit", "title": "Craps, pit 1", "line": line})
    did(dora, f"{TABLE}/post", {"role": "dealer"})
    did(sam, f"{TABLE}/post", {"role": "supervisor"})
    did(ann, f"{TABLE}/seat", {"chips": "100.00"})
    said(ann, do="bet", wager="field", amount="10.00")
    said(dora, do="roll", dice=[3, 4])
    said(ann, do="raise_dispute", case="toss", about="the 4 was a 1", wager="field")
    return house


def said(who: Person, **line: object) -> None:
    did(who, f"{TABLE}/lines", {"line": line})


@pytest.mark.parametrize("look", [DESKTOP, PHONE], ids=str)
def test_a_dispute_is_decided_from_the_floor_and_paid_at_the_console(pit: Running, visit: Visitors, look: Look) -> None:
    floor = visit(pit, "sam", look)
    page = floor.go("/floor")
    case = page.locator(".cases > li").filter(has_text="toss")
    expect(case).to_contain_text("dispute, raised")
    expect(case).to_contain_text("ann: the 4 was a 1")
    expect(case).to_contain_text("decides the dispute toss. rule 10.13")
    expect(case.get_by_role("link", name="rule 10.13")).to_be_visible()
    case.get_by_role("button", name="Go to the table").click()
    panel = page.get_by_role("dialog", name="Craps, pit 1")
    panel.locator(".cases").get_by_role("button", name="Decide the dispute toss with (decision)").click()
    form = page.get_by_role("dialog").last
    form.get_by_role("radio", name="Decide that (amount) is due in toss because (decision)").check()
    expect(form.locator("[name=case]")).to_have_value("toss")
    form.get_by_label("Amount", exact=True).fill("20.00")
    form.get_by_label("Decision", exact=True).fill("the camera shows a 1")
    form.get_by_role("button", name="Do it").click()
    expect(panel.locator(".cases")).to_contain_text("20.00 to pay")

    console = visit(pit, "dora", look)
    page = console.go(f"{TABLE}/deal")
    row = page.locator(".console-cases .cases > li").filter(has_text="toss")  # no one has to look for it
    expect(row).to_contain_text("20.00 to pay")
    sheet = page.get_by_role("dialog")
    row.get_by_role("button", name="Reimburse the patron of toss").click()
    picked = sheet.locator("[name=case]")
    expect(picked).to_have_value("toss")
    expect(picked.get_by_role("option")).to_contain_text(["toss: ann"])
    sheet.get_by_role("button", name="Do it").click()
    expect(sheet).to_have_count(0)
    assert console.context.request.get(f"/api/v1{TABLE}").json()["chips"] == {"ann": "110.00"}


def test_a_player_names_no_case_and_sees_what_comes_of_it(pit: Running, visit: Visitors) -> None:
    visitor = visit(pit, "ann", PHONE)
    page = visitor.go(TABLE)
    own = page.get_by_role("list", name="Your open cases")
    expect(own.locator("> li")).to_contain_text("dispute, raised")
    page.get_by_role("button", name="Actions …").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Raise the dispute (case) about (what)").click()
    expect(sheet.get_by_label("Case name", exact=True)).to_have_value(re.compile(r"^ann-\d{6}$"))
    sheet.get_by_label("About what", exact=True).fill("the payment")
    fits(page)
    visitor.axe()
    sheet.get_by_role("button", name="Do it").click()
    expect(own.locator("> li")).to_have_count(2)

    said(pit.person("sam"), do="decide_dispute", case="toss", decision="it stands")
    decided = own.locator("> li").filter(has_text="toss")
    expect(decided).to_contain_text("dispute, decided")
    fits(page)
    visitor.axe()
    decided.get_by_role("button", name="Accept the decision on toss").click()
    expect(page.get_by_role("dialog").locator("[name=case]")).to_have_value("toss")
    page.get_by_role("dialog").get_by_role("button", name="Do it").click()
    expect(own.locator("> li")).to_have_count(1)


def test_players_see_no_cases_of_others(pit: Running, visit: Visitors) -> None:
    ben = pit.person("ben")
    did(ben, f"{TABLE}/seat", {"chips": "50.00"})
    said(ben, do="raise_dispute", case="mine", about="a chip")
    page = visit(pit, "ben").go(TABLE)
    own = page.get_by_role("list", name="Your open cases").locator("> li")
    expect(own).to_have_count(1)
    expect(own).to_contain_text("a chip")


@every_size
def test_cases_fit_and_are_accessible(pit: Running, visit: Visitors, look: Look) -> None:
    for person, path in (("sam", "/floor"), ("dora", f"{TABLE}/deal")):
        visitor = visit(pit, person, look)
        page = visitor.go(path)
        expect(page.locator(".cases > li")).to_contain_text("ann: the 4 was a 1")
        fits(page)
        visitor.axe_by_day_and_night()


def test_where_nothing_is_open_the_floor_says_so_and_a_case_is_typed(pit: Running, visit: Visitors) -> None:
    sam, ann = pit.person("sam"), pit.person("ann")
    said(sam, do="decide_dispute", case="toss", decision="it stands")
    said(ann, do="accept_decision", case="toss")
    page = visit(pit, "sam").go("/floor")
    expect(page.get_by_text("No open cases.")).to_be_visible()
    page.get_by_role("button", name="Supervise Craps, pit 1").click()
    panel = page.get_by_role("dialog", name="Craps, pit 1")
    expect(panel.locator(".cases")).to_have_count(0)
    panel.get_by_text("Disputes and complaints").click()
    panel.get_by_role("button", name="Close the dispute (case)").click()
    form = page.get_by_role("dialog").last
    form.locator("[name=case]").fill("toss")
    assert form.locator("[name=case]").evaluate("field => field.tagName") == "INPUT"


def test_a_dealer_with_a_post_elsewhere_is_told_where(pit: Running, visit: Visitors) -> None:
    line = {"book": "sic-bo-nsw-2016", "min": "5.00"}
    did(pit.person("otto"), "/tables", {"table": "sic", "title": "Sic Bo 2", "line": line})
    visitor = visit(pit, "dora")
    visitor.allow("status of 422")
    page = visitor.go("/tables/sic/deal")
    page.get_by_role("button", name="Start as dealer").click()
    expect(page.locator(".problem").first).to_contain_text("Dora must first leave the post at Craps, pit 1.")
