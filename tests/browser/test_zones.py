"""Times are in the table's own zone and name it, wherever the reader is: here in New York."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from croupier.house.alerts import signs_up
from tests.browser.looks import Look, fits
from tests.browser.visiting import Visitors
from tests.clocks import MovedClock
from tests.serving import Person, Running, did, running

# 21:00 in Sydney, 23:00 in Auckland, 05:00 in New York. Tests take less than ten minutes.
EVENING = datetime(2026, 11, 12, 10, tzinfo=UTC)
AWAY = Look(zone="America/New_York")
AWAY_ON_A_PHONE = Look("phone", zone="America/New_York")
SYDNEY, AUCKLAND = re.compile(r"21:0\d AEDT"), re.compile(r"23:0\d NZDT")
# Each with its book, and who signs there: in Sydney a supervisor, in Auckland the operator.
TABLES = {
    "pit": ("craps-nsw-2024", "Craps, pit 1", "sam", "supervisor"),
    "harbour": ("snake-eyes-nz", "Snake Eyes, Auckland", "otto", "operator"),
}
UNNAMED = re.compile(r"\b\d\d?:\d\d(:\d\d)?(?!:?\d| AEDT| NZDT)")


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock(EVENING)


@pytest.fixture
def house(tmp_path: Path, clock: MovedClock) -> Iterator[Running]:
    """A table in Sydney and one in Auckland, with signs that announce a higher minimum; ann lost at each, and disputes
    it.
    """
    with running(tmp_path, clock=clock, session_hours=10_000) as opened:
        otto, sam, ann, dora = (opened.person(name) for name in ("otto", "sam", "ann", "dora"))
        signing = {"otto": otto, "sam": sam}
        for table, (book, title, who, role) in TABLES.items():
            line = {"book": book, "min": "5.00", "max": "500.00"}
            did(otto, "/tables", {"table": table, "title": title, "line": line})
            did(signing[who], f"/tables/{table}/post", {"role": role})
            did(ann, f"/tables/{table}/seat", {"chips": "100.00"})
            said(ann, table, do="bet", wager="field", amount="10.00")
            did(dora, f"/tables/{table}/post", {"role": "dealer"})
            said(dora, table, do="roll", dice=[3, 3])
            did(dora, f"/tables/{table}/post/leave", {})
            said(ann, table, do="raise_dispute", case=f"{table}-1", about="the roll of six")
            said(signing[who], table, do="post_minimum_sign", minimum="10.00", time="2026-11-12T10:30:00Z")
        yield opened


def said(who: Person, table: str, **line: object) -> None:
    did(who, f"/tables/{table}/lines", {"line": line})


def all_named(page: Page) -> None:
    """No time on the page lacks its zone; countdowns do not count as times."""
    words = page.locator("#main").inner_text()
    spans = re.sub(r"notice ends in [\d:]+", "", words)
    assert [found.group() for found in UNNAMED.finditer(spans)] == [], words


def test_the_floor_tells_the_times_of_each_table(house: Running, visit: Visitors) -> None:
    page = visit(house, "sam", AWAY).go("/floor")
    for title, time, states in (
        ("Craps, pit 1", SYDNEY, "Minimum 10.00 from 21:30 AEDT"),
        ("Snake Eyes, Auckland", AUCKLAND, "Minimum 10.00 from 23:30 NZDT"),
    ):
        alert = page.locator(".alert").filter(has_text=title).first
        expect(alert).to_contain_text(re.compile(f"since {time.pattern}, "))
        expect(page.locator(".case").filter(has_text=title)).to_contain_text(re.compile(f"since {time.pattern}, "))
        card = page.locator(".floor-card").filter(has=page.get_by_role("heading", name=title, exact=True))
        expect(card.locator(".sign")).to_contain_text(states)
        expect(card.locator(".sign")).to_contain_text(re.compile(f"posted {time.pattern}, "))
    expect(page.locator("h1 + .row .clock")).to_have_text(re.compile(r"21:0\d:\d\d AEDT"))
    for left in (1, 0):
        note = page.get_by_label("What was done").first
        note.fill("Heard.")
        note.press("Enter")
        expect(page.locator(".alert")).to_have_count(left)
    page.get_by_text("Recently answered").click()
    row = page.get_by_role("row").filter(has_text="Snake Eyes, Auckland").first
    expect(row.get_by_role("cell").nth(1)).to_have_text(AUCKLAND)
    expect(row.get_by_role("cell").nth(3)).to_have_text(AUCKLAND)
    all_named(page)
    fits(page)


def test_what_an_operator_elsewhere_enters_is_the_tables_time(house: Running, visit: Visitors) -> None:
    said(house.people[0], "harbour", do="withdraw_minimum_sign")
    page = visit(house, "otto", AWAY).go("/floor")
    page.get_by_role("button", name="Supervise Snake Eyes, Auckland").click()
    panel = page.get_by_role("dialog", name="Snake Eyes, Auckland")
    panel.get_by_role("button", name="Put up a sign that the minimum is (minimum) from (time)").click()
    form = page.get_by_role("dialog").last
    form.get_by_role("textbox", name="Minimum").fill("15.00")
    time = form.get_by_label("Time (Pacific/Auckland time)", exact=True)
    expect(time).to_have_value(re.compile("^2026-11-12T23:2"))
    time.fill("2026-11-12T23:45")
    form.get_by_role("button", name="Do it").click()
    panel.get_by_text("Table facts").click()
    expect(panel.locator(".known-facts")).to_contain_text(re.compile(r"next minimum from\s*23:45 NZDT"))
    state = house.running_house.house.table("harbour")
    book = house.running_house.house.shelf.game(state.game.terms[-1]).book
    (sign,) = signs_up(book, state.game.facts)
    assert sign.states == datetime(2026, 11, 12, 10, 45, tzinfo=UTC)


def test_somebody_is_excluded_until_a_time_of_the_house(house: Running, visit: Visitors) -> None:
    page = visit(house, "mia", AWAY).go("/floor")
    page.get_by_label("Find a person by username").fill("be")
    page.get_by_role("button", name="ben", exact=True).click()
    page.get_by_text("Exclude from play").click()
    page.get_by_label("Until (Australia/Sydney time); leave empty for a permanent exclusion").fill("2027-07-01T09:30")
    page.get_by_role("button", name="Exclude Ben").click()
    expect(page.locator(".person")).to_contain_text("excluded until 1 July, 09:30 AEST, by the house")
    assert house.running_house.house.account("ben").excluded_until == datetime(2027, 6, 30, 23, 30, tzinfo=UTC)
    seat = visit(house, "ben", AWAY).go("/tables/harbour").locator(".seat")
    expect(seat).to_contain_text("excluded from play until Thu, 1 July 2027, 11:30 NZST by the house")
    mine = visit(house, "ben", AWAY).go("/me")
    expect(mine.locator("main")).to_contain_text("You cannot play until Thu, 1 July 2027, 09:30 AEST")


@pytest.mark.parametrize("look", [AWAY, AWAY_ON_A_PHONE], ids=str)
def test_ones_own_book(house: Running, visit: Visitors, look: Look) -> None:
    page = visit(house, "ann", look).go("/me")
    visits = page.get_by_role("table", name="Visits to tables")
    expect(visits.get_by_role("row").filter(has_text="Craps, pit 1")).to_contain_text(SYDNEY)
    expect(visits.get_by_role("row").filter(has_text="Snake Eyes, Auckland")).to_contain_text(AUCKLAND)
    past = page.get_by_role("table", name="Past wagers").get_by_role("row").nth(1)
    page.get_by_role("combobox", name="Table").select_option("harbour")
    expect(past).to_contain_text(re.compile(r"Thu, 12 Nov 2026, 23:0\d NZDT"))
    page.get_by_role("combobox", name="Table").select_option("pit")
    expect(past).to_contain_text(re.compile(r"Thu, 12 Nov 2026, 21:0\d AEDT"))
    history = page.get_by_role("table", name="Account history").get_by_role("row")
    expect(history.nth(1)).to_contain_text(SYDNEY)  # an account is at no table: it goes by the clock of the house
    card = page.get_by_role("region", name="My limits")
    for most in ("50", ""):
        card.get_by_label("Daily loss limit").fill(most)
        card.get_by_role("button", name="Set my limits").click()
        expect(card).to_contain_text("lose at most 50.00")
    expect(card).to_contain_text(re.compile(r"From Fri, 13 Nov 2026, 21:0\d AEDT: no loss limit"))
    all_named(page)
    fits(page)


@pytest.mark.parametrize("look", [AWAY, AWAY_ON_A_PHONE], ids=str)
def test_an_inspector_elsewhere_reads_the_tables_time(house: Running, visit: Visitors, look: Look) -> None:
    refused = {"line": {"do": "bet", "wager": "field", "amount": "1.00"}}
    assert house.people[2].do("/tables/harbour/lines", refused).status_code == 422
    page = visit(house, "ivy", look).go("/inspect?table=harbour")
    facts = page.locator(".inspect-event .facts")
    expect(facts).to_contain_text(re.compile(r"2026-11-12 23:0\d:\d\d NZDT"))
    expect(page.get_by_role("region", name="Nearby events")).to_contain_text("Pacific/Auckland time")
    expect(page.locator(".inspect-around li").first).to_contain_text(re.compile(r"23:0\d:\d\d"))
    page.get_by_role("button", name="Previous throw").click()
    expect(page.locator(".inspect-event")).to_contain_text(re.compile(r"out at 23:0\d:\d\d NZDT, at rest at 23:0\d:"))
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".refusals tbody tr").first).to_contain_text(re.compile(r"2026-11-12 23:0\d:\d\d NZDT"))
    fits(page)


def test_players_and_passers_by_read_signs_by_the_tables_clock(house: Running, visit: Visitors) -> None:
    for person, path in (("ann", "/tables/harbour"), (None, "/display/harbour")):
        page = visit(house, person, AWAY).go(path)
        expect(page.locator("main")).to_contain_text("Minimum 10.00 from 23:30 NZDT")


def test_duties_are_due_by_the_tables_clock(house: Running, visit: Visitors) -> None:
    page = visit(house, "sam", AWAY).go("/duties")
    for title, time in (("Craps, pit 1", "21:30 AEDT"), ("Snake Eyes, Auckland", "23:30 NZDT")):
        duty = page.locator(".duty").filter(has_text=title).filter(has_text="minimum").first
        expect(duty).to_contain_text(f"(Thu, 12 Nov 2026, {time})")
    all_named(page)
    fits(page)


def test_a_dealers_console_names_cases_by_the_tables_clock(house: Running, visit: Visitors) -> None:
    page = visit(house, "otto", AWAY).go("/tables/harbour/deal")
    page.get_by_role("button", name=re.compile("^More")).first.click()
    expect(page.get_by_text(re.compile(f"since {AUCKLAND.pattern}, ")).first).to_be_visible()


def test_registers_begin_with_the_month_where_the_house_is(house: Running, clock: MovedClock, visit: Visitors) -> None:
    clock.move_to(datetime(2026, 11, 30, 14, tzinfo=UTC))  # it is December in Sydney, and November in New York
    page = visit(house, "ivy", AWAY).go("/registers")
    expect(page.get_by_label("Month")).to_have_value("2026-12")
    page.get_by_label("Month").fill("2026-11")
    page.get_by_role("navigation", name="Registers").get_by_role("button", name="Disputes").click()
    cells = page.locator("td.of-when")
    expect(cells.nth(0)).to_contain_text(re.compile(r"2026-11-12 21:0\d:\d\d\s*\+11:00 AEDT"))
    expect(cells.nth(1)).to_contain_text(re.compile(r"2026-11-12 23:0\d:\d\d\s*\+13:00 NZDT"))
    fits(page)


def test_the_terms_of_a_promotion_are_written_by_the_casinos_clock(house: Running, visit: Visitors) -> None:
    mia = house.person("mia")
    did(mia, "/promotions", {"promotion": "spring", "title": "Spring draw", "book": "craps-nsw-2024"})
    page = visit(house, "mia", AWAY).go("/promotions/spring")
    times = page.get_by_role("group", name="When (Australia/Sydney time)")
    times.locator("[data-term=starts] input").fill("2026-12-01T20:00")
    page.get_by_role("button", name="Save the draft").click()
    expect(page.locator(".editor-bar .problem")).to_be_empty()
    page.reload()
    expect(times.locator("[data-term=starts] input")).to_have_value("2026-12-01T20:00")
    draft = house.running_house.house.promotion("spring").promotion.terms
    assert draft.said["starts"] == "2026-12-01T20:00+11:00"
