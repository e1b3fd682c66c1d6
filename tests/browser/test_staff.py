"""The pages for staff and for visitors: signs, disputed faces, replays, small screens."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Request, expect

from tests.browser.felts import AtFelt
from tests.browser.looks import Look, every_size
from tests.browser.visiting import Visitors
from tests.serving import Person, Running, did


def said(who: Person, **line: object) -> None:
    did(who, "/tables/pit/lines", {"line": line})


@pytest.fixture
def pit(house: Running) -> Running:
    """A Craps table where players throw in turn; dora deals, sam supervises, ann plays."""
    line = {"book": "craps-nsw-2024", "min": "5.00", "max": "500.00", "dice": "manual"}
    did(house.person("otto"), "/tables", {"table": "pit", "title": "Craps, pit 1", "line": line})
    did(house.person("dora"), "/tables/pit/post", {"role": "dealer"})
    did(house.person("sam"), "/tables/pit/post", {"role": "supervisor"})
    did(house.person("ann"), "/tables/pit/seat", {"chips": "100.00"})
    return house


def test_the_console_says_who_decides_a_disputed_face_and_settles_nothing_before(pit: Running, visit: Visitors) -> None:
    dora, ann, sam = pit.person("dora"), pit.person("ann"), pit.person("sam")
    said(ann, do="bet", wager="win_line", amount="10.00")
    said(dora, do="offer", player="ann")
    for word in ("accept", "choose", "throw"):
        said(ann, do=word)
    said(dora, do="rest")
    said(dora, do="call_result", faces=[4, 3])
    page = visit(pit, "dora").go("/tables/pit/deal")
    confirm = page.get_by_role("button", name="Confirm 7, and settle")
    expect(confirm).to_be_visible()
    said(ann, do="dispute_face")
    expect(page.get_by_text("It is disputed which faces are up. That is for the boxperson to decide.")).to_be_visible()
    expect(confirm).to_have_count(0)
    said(sam, do="decide_face", faces=[4, 3])
    confirm.click()
    expect(page.locator("section.pay")).to_contain_text("pay 10.00")


def test_a_sign_of_what_is_to_come_is_on_the_display(pit: Running, visit: Visitors) -> None:
    page = visit(pit).go("/display/pit")
    expect(page.get_by_role("heading", name="Craps, pit 1")).to_be_visible()
    signs = page.get_by_role("list", name="Signs")
    expect(signs).to_have_count(0)
    later = (datetime.now(UTC) + timedelta(minutes=30)).isoformat()
    said(pit.person("sam"), do="post_minimum_sign", minimum="10.00", time=later)
    expect(signs).to_contain_text("Minimum 10.00 from ")


def test_who_drags_the_scrubber_asks_for_the_felt_only_where_they_are_by_then(pit: Running, visit: Visitors) -> None:
    for amount in ("5.00", "6.00", "7.00", "8.00", "9.00") * 4:
        said(pit.person("ann"), do="bet", wager="field", amount=amount)
        said(pit.person("ann"), do="take", wager="field")
    page = visit(pit, "ivy").go("/inspect?table=pit")
    expect(page.locator("#event-title")).to_be_visible()
    asked: list[str] = []

    def note(request: Request) -> None:
        if "/at/" in request.url and request.url.endswith("/felt"):
            asked.append(request.url)

    page.on("request", note)
    page.get_by_role("slider").evaluate(
        """slider => {
            for (let event = Number(slider.max) - 1; event >= 7; event--) {
                slider.value = event;
                slider.dispatchEvent(new Event("input"));
            }
        }"""
    )
    expect(page.locator("#event-title")).to_have_text("Event 7")
    assert 1 <= len(asked) <= 3, asked


def test_nothing_later_is_shown_of_a_table_that_was_not_open_yet(pit: Running, visit: Visitors) -> None:
    said(pit.person("ann"), do="bet", wager="field", amount="5.00")
    page = visit(pit, "ivy").go("/inspect?table=pit")
    expect(page.get_by_text("Chips on the felt: 5.00, in hand: ann 95.00")).to_be_visible()
    page.get_by_role("button", name="First event").click()
    expect(page.get_by_text("The table was not open yet.")).to_be_visible()
    expect(page.get_by_text("in hand")).to_have_count(0)


@every_size
def test_the_page_for_developers_is_for_everybody(house: Running, visit: Visitors, look: Look) -> None:
    visitor = visit(house, None, look)
    page = visitor.go("/developers")
    expect(page.get_by_text("POST /api/v1/tables/{table}/lines")).to_be_visible()
    visitor.axe_by_day_and_night()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]


def test_a_player_reads_the_sign_of_what_is_to_come(pit: Running, visit: Visitors) -> None:
    felt = AtFelt(visit(pit, "ann"), "pit")
    expect(felt.page.locator(".status .signs")).to_be_hidden()
    soon = (datetime.now(UTC) + timedelta(minutes=25)).isoformat()
    said(pit.person("sam"), do="post_minimum_sign", minimum="10.00", time=soon)
    expect(felt.page.locator(".status .signs")).to_contain_text("Minimum 10.00 from")
