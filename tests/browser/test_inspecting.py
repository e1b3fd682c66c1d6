"""The inspector's page: any event on the felt, the chain checked in the browser, refused orders, and exports."""

from __future__ import annotations

import asyncio
import re
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import Look, every_size
from tests.browser.visiting import Visitors
from tests.serving import Running, did

TABLE = "/tables/pit"
ROLL, SETTLED, LAST = 7, 8, 10  # of the events below


@pytest.fixture
def pit(house: Running) -> Running:
    """A table that dora deals: ann won 10.00 on the field, there is a point, and a Come wager was refused before it."""
    otto, dora, ann = (house.person(name) for name in ("otto", "dora", "ann"))
    line = {"book": "craps-nsw-2024", "min": "5.00", "max": "500.00"}
    did(otto, "/tables", {"table": "pit", "title": "Craps, pit 1", "line": line})
    did(dora, f"{TABLE}/post", {"role": "dealer"})
    did(ann, f"{TABLE}/seat", {"chips": "100.00"})
    did(ann, f"{TABLE}/lines", {"line": {"do": "bet", "wager": "field", "amount": "5.00"}})
    did(ann, f"{TABLE}/lines", {"line": {"do": "bet", "wager": "field", "amount": "5.00"}})
    assert ann.do(f"{TABLE}/lines", {"line": {"do": "bet", "wager": "come", "amount": "5.00"}}).status_code == 422
    did(dora, f"{TABLE}/lines", {"line": {"do": "roll", "dice": [2, 1]}})
    did(dora, f"{TABLE}/lines", {"line": {"do": "roll", "dice": [2, 2]}})
    return house


def at_event(page: Page, number: int) -> None:
    expect(page.get_by_role("heading", name=f"Event {number}", exact=True)).to_be_visible()


def test_any_event_is_replayed_on_the_felt(pit: Running, visit: Visitors) -> None:
    page = visit(pit, "ivy").go("/inspect?table=pit")
    at_event(page, LAST)
    expect(page.locator(".marker")).to_have_class(re.compile("there"))  # the puck is on the point
    page.get_by_role("button", name="Previous throw").click()
    at_event(page, LAST - 1)
    page.get_by_role("button", name="Previous throw").click()
    at_event(page, ROLL)
    expect(page.locator(".inspect-event")).to_contain_text("The stickperson threw 2 1, “3” called; out at ")
    expect(page.locator(".inspect-event")).to_contain_text("dora")
    page.get_by_role("button", name="Previous event").click()
    at_event(page, ROLL - 1)
    field = page.get_by_role("button", name=re.compile("^Field, pays"))
    expect(field).to_have_accessible_name(re.compile("10.00 staked"))
    page.get_by_label("Event", exact=True).last.fill(str(SETTLED))
    page.get_by_label("Event", exact=True).last.press("Enter")
    at_event(page, SETTLED)
    expect(field).not_to_have_accessible_name(re.compile("staked"))
    expect(page.get_by_role("link", name="rule 6.2.17").first).to_have_attribute("href", "/rules/craps-nsw-2024/6.2.17")
    assert page.url.endswith(f"/inspect?table=pit&event={SETTLED}")


def test_it_is_worked_by_keys_and_plays_by_itself(pit: Running, visit: Visitors) -> None:
    page = visit(pit, "sam").go("/inspect?table=pit&event=1")
    at_event(page, 1)
    expect(page.get_by_text("The table was not open yet.")).to_be_visible()
    scrubber = page.get_by_role("slider")
    scrubber.focus()
    page.keyboard.press("ArrowRight")
    at_event(page, 2)
    page.keyboard.press("End")
    at_event(page, LAST)
    page.keyboard.press("Home")
    at_event(page, 1)
    page.get_by_label("Speed").select_option("quick")
    page.get_by_role("button", name="Play").click()
    at_event(page, LAST)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    did(pit.people[1], f"{TABLE}/lines", {"line": {"do": "roll", "dice": [6, 6]}})  # the table goes on
    page.get_by_role("button", name="Last event").click()
    at_event(page, LAST + 1)


@pytest.mark.parametrize("name", ["ivy", "sam"])
def test_the_chain_is_followed_in_the_browser(pit: Running, visit: Visitors, name: str) -> None:
    """For an inspector from the stored documents, for a supervisor from the public record."""
    asyncio.run_coroutine_threadsafe(pit.running_house.seal(), pit.running_house.loop).result(30)
    page = visit(pit, name).go("/inspect?table=pit")
    at_event(page, LAST)
    page.get_by_role("button", name="Verify the chain").click()
    card = page.get_by_role("region", name="Hash chain")
    expect(card).to_contain_text(f"All {LAST} events are intact.")
    expect(card).to_contain_text("The last hash matches the one that the house shows")
    expect(card).to_contain_text(f"contains the hash of event {LAST}.")
    expect(card).to_contain_text(re.compile("It is signed with the house’s key|cannot check Ed25519"))


def test_the_first_event_that_does_not_fit_is_named(pit: Running, visit: Visitors, tmp_path: Path) -> None:
    visitor = visit(pit, "ivy")
    visitor.allow("status of 503")
    page = visitor.go("/inspect?table=pit")
    at_event(page, LAST)
    with closing(apsw.Connection(str(tmp_path / "house.db"))) as other:
        other.setbusytimeout(10_000)
        swapped = "CAST(replace(CAST(document AS TEXT), '500', '900') AS BLOB)"
        other.execute(f"UPDATE records SET document = {swapped} WHERE stream = 'table/pit' AND version = 5")
    page.get_by_role("button", name="Verify the chain").click()
    card = page.get_by_role("region", name="Hash chain")
    expect(card).to_contain_text("Event 5 was altered: its hash does not follow from the one before.")
    expect(card).to_contain_text("Events up to 4 are intact.")


def test_what_was_refused_and_what_can_be_taken_along(pit: Running, visit: Visitors) -> None:
    visitor = visit(pit, "ivy")
    page = visitor.go("/inspect?table=pit")
    page.get_by_role("button", name="Show", exact=True).click()
    row = page.get_by_role("row").filter(has_text="bet come 5.00")
    expect(row).to_contain_text("ann")
    expect(row.get_by_role("link")).to_have_attribute("href", "/rules/craps-nsw-2024/6.2.3")
    links = page.get_by_role("region", name="Downloads").get_by_role("link")
    for place in range(links.count()):
        href = links.nth(place).get_attribute("href")
        assert visitor.context.request.get(str(href)).ok, href


def test_a_supervisor_is_offered_what_a_supervisor_may_have(pit: Running, visit: Visitors) -> None:
    page = visit(pit, "sam").go("/inspect?table=pit")
    expect(page.get_by_role("region", name="Downloads").get_by_role("link")).to_have_count(1)
    expect(page.get_by_role("button", name="Show", exact=True)).to_have_count(0)


def test_players_are_told_that_it_is_not_for_them(pit: Running, visit: Visitors) -> None:
    page = visit(pit, "ann").go("/inspect?table=pit")
    expect(page.get_by_text("This page is for inspectors, supervisors, managers and operators.")).to_be_visible()


@every_size
def test_it_is_accessible(pit: Running, visit: Visitors, look: Look) -> None:
    visitor = visit(pit, "ivy", look)
    page = visitor.go("/inspect?table=pit")
    at_event(page, LAST)
    page.get_by_role("button", name="Show", exact=True).click()
    page.get_by_role("button", name="Verify the chain").click()
    expect(page.get_by_role("region", name="Hash chain")).to_contain_text("are intact")
    page.get_by_text("Raw data").click()
    visitor.axe_by_day_and_night()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
