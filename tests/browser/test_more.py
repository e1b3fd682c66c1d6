"""The sheet with all acts of a book: what is possible now comes first, and every order gets a sentence in reply."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.consoles import AtConsole
from tests.browser.felts import AtFelt, dealt_table
from tests.browser.looks import DESKTOP, PHONE, Look, fits
from tests.browser.sheets import worded
from tests.browser.visiting import Visitors
from tests.serving import Running

CRAPS, TWO_UP = "craps-nsw-2024", "two-up-nsw-2016"
EXCLUDE = "Exclude … from the game"


def supervised(house: Running, visit: Visitors, book: str = CRAPS, look: Look = DESKTOP) -> AtConsole:
    """Sam supervises, and ann has a seat."""
    table = dealt_table(house, book, min="1.00")
    sam = AtConsole(visit(house, "sam", look), table)
    sam.take_post("supervisor")
    AtFelt(visit(house, "ann"), table).sit_down("100")
    expect(sam.page.get_by_role("region", name="Players").locator("tbody tr")).to_have_count(1)
    return sam


def opened(console: AtConsole) -> Locator:
    """The sheet, once the house has sent what is possible."""
    console.page.get_by_role("button", name="More …").click()
    sheet = console.page.get_by_role("dialog")
    expect(sheet.get_by_role("status").filter(has_text="possible now")).to_be_visible()
    return sheet


def asked(console: AtConsole, act: str) -> Locator:
    """The form of an act."""
    sheet = opened(console)
    sheet.get_by_label("Search").fill(act.replace("…", ""))
    sheet.locator(".acts").get_by_role("button", name=worded(act)).first.click()
    return sheet


@pytest.mark.parametrize("book", [CRAPS, TWO_UP])
def test_an_exclusion_says_what_is_missing_what_stands_against_it_and_that_it_is_done(
    house: Running, visit: Visitors, book: str
) -> None:
    sam = supervised(house, visit, book)
    sam.visitor.allow("status of 422")
    sheet = asked(sam, EXCLUDE)
    person, told, press = (
        sheet.locator("input[name=person]"),
        sheet.get_by_role("alert"),
        sheet.get_by_role("button", name="Do it"),
    )
    press.click()
    expect(told).to_have_text("Person is missing.")
    expect(person).to_be_focused()
    expect(person).to_have_attribute("aria-invalid", "true")
    expect(person).to_have_accessible_description("Person is missing.")
    sam.visitor.axe()
    person.fill("ann")
    press.click()
    expect(told).to_contain_text("A casino supervisor must first find that ann used a device.")
    expect(told.get_by_role("link")).to_be_visible()
    sam.page.keyboard.press("Escape")

    sam.do("Find that … used a device", {"Person": "ann"})
    expect(sam.page.locator(".done")).to_have_text("Done: Find that ann used a device.")
    sheet = opened(sam)
    now = sheet.get_by_role("region", name="Possible now")
    expect(now.get_by_role("button", name=worded(EXCLUDE))).to_be_visible()
    sam.page.keyboard.press("Escape")
    sam.do(EXCLUDE, {"Person": "ann"})
    expect(sam.page.locator(".done")).to_have_text("Done: Exclude ann from the game.")
    expect(sam.page.get_by_role("region", name="Players")).not_to_contain_text("ann")


def test_an_amount_that_is_none_is_told_beside_the_button(house: Running, visit: Visitors) -> None:
    sam = supervised(house, visit)
    sheet = asked(sam, "Sell …")
    sheet.locator("input[name=amount]").fill("ten")
    sheet.get_by_role("button", name="Do it").click()
    expect(sheet.get_by_role("alert")).to_have_text("Amount must be an amount such as 10.00.")


def test_what_is_possible_now_comes_first_and_the_rest_is_folded_by_topic(house: Running, visit: Visitors) -> None:
    sam = supervised(house, visit)
    sheet = opened(sam)
    now = sheet.get_by_role("region", name="Possible now").get_by_role("button")
    told = sam.visitor.context.request.get(f"/api/v1/tables/{sam.table}/acts").json()
    expect(now).to_have_count(len(told))
    topics = sheet.locator("details.topic")
    assert topics.count() > 3
    expect(topics.locator("button:visible")).to_have_count(0)
    people = topics.filter(has_text="People and exclusions")
    people.locator("summary").click()
    expect(people.get_by_role("button", name=worded(EXCLUDE))).to_be_visible()
    everything = sheet.locator(".acts li").count()

    sheet.get_by_label("Search").fill("exclu")
    expect(topics).to_have_count(0)
    expect(sheet.get_by_role("region", name="Other acts").get_by_role("button", name=worded(EXCLUDE))).to_be_visible()
    assert 0 < sheet.locator(".acts li").count() < everything / 4
    sheet.get_by_label("Search").fill("xyzzy")
    expect(sheet.get_by_role("status").first).to_have_text("No act matches.")
    sheet.get_by_label("Search").fill("")
    expect(sheet.locator(".acts li")).to_have_count(everything)


def test_it_is_worked_by_keys_alone(house: Running, visit: Visitors) -> None:
    sam = supervised(house, visit)
    keys, sheet = sam.page.keyboard, sam.page.get_by_role("dialog")
    sam.page.locator(".dealing").focus()
    keys.press("m")
    expect(sheet.get_by_label("Search")).to_be_focused()
    now = sheet.get_by_role("region", name="Possible now").get_by_role("button")
    expect(now.first).to_be_visible()
    keys.press("ArrowDown")
    expect(now.first).to_be_focused()
    keys.press("ArrowDown")
    expect(now.nth(1)).to_be_focused()
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    expect(sheet.get_by_label("Search")).to_be_focused()
    keys.type("finds used device")
    keys.press("Enter")
    expect(sheet.locator("input[name=person]")).to_be_focused()
    keys.type("ann")
    keys.press("Enter")
    expect(sheet).to_have_count(0)
    expect(sam.page.locator(".done")).to_have_text("Done: Find that ann used a device.")


@pytest.mark.parametrize("look", [PHONE, DESKTOP], ids=str)
def test_it_can_be_read_on_every_screen(house: Running, visit: Visitors, look: Look) -> None:
    sam = supervised(house, visit, CRAPS, look)
    sheet = opened(sam)
    fits(sam.page)
    sam.visitor.axe_by_day_and_night()
    sheet.get_by_label("Search").fill("decides dispute")
    sheet.locator(".acts").get_by_role("button", name=worded("Decide the dispute")).first.click()
    ways = sheet.get_by_role("group", name="How").locator("label")
    assert ways.count() > 1
    for way in ways.all():
        assert way.evaluate("one => one.scrollWidth <= one.clientWidth"), "a way is cut off"
    inside = "sheet => sheet.scrollWidth <= sheet.clientWidth"
    assert sheet.evaluate(inside)
    ways.nth(1).click()
    expect(sheet.locator("input[name=amount]")).to_be_visible()
    sam.visitor.axe_by_day_and_night()
