"""Everything needed to play is in view at every size and large enough for a finger; everything else is one press
away."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from croupier import rulebooks
from tests.browser.felts import AtFelt, dealt_table, quick_table
from tests.browser.looks import Look
from tests.browser.visiting import Visitors
from tests.serving import Running

CRAPS = "craps-nsw-2024"
LOW, TALL, SIDE, ZOOMED, TABLET = Look("low"), Look("tall"), Look("side"), Look("zoomed"), Look("tablet")
NUMBERS = tuple(f"Place Bet to Win {number}" for number in (4, 5, 6, 8, 9, 10))
NEEDED = {
    CRAPS: ("Win Line", "Don't Win", "Come", "Field", *NUMBERS),
    "sic-bo-nsw-2016": ("Small", "Big", "Odd", "Even", "Any Triple"),
    "two-up-nsw-2016": ("Heads", "Tails", "Spinner's bet heads"),
    "snake-eyes-nsw-2019": ("Any Seven", "Craps Two", "Hardways 8"),
    "snake-eyes-nz": ("Any 7", "Craps 2", "Hardways 8"),
}
# Whatever a finger touches on the page as it stands, if it is smaller than 44 pixels.
_SMALL = """() => [...document.querySelectorAll(
        '.area:not(.absent, .shows-held, .band) .ground, .number .ground, .rack button, .chip-button, .felt-tabs button'
    )].map(one => [one.parentElement.getAttribute('aria-label') ?? one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && Math.min(box.width, box.height) < 44)
    .map(([name, box]) => `${name} ${box.width} ${box.height}`)"""


def _seated(house: Running, visit: Visitors, look: Look, book: str = CRAPS) -> AtFelt:
    visitor = visit(house, "ann", look)
    felt = AtFelt(visitor, quick_table(house, book))
    felt.sit_down("200")
    return felt


@pytest.mark.parametrize("book", rulebooks.ids())
@pytest.mark.parametrize("look", [LOW, TALL], ids=str)
def test_what_is_needed_to_play_fits_without_scrolling(house: Running, visit: Visitors, look: Look, book: str) -> None:
    felt = _seated(house, visit, look, book)
    page = felt.page
    page.evaluate("scrollTo(0, 0)")
    for name in NEEDED[book]:
        expect(felt.area(name)).to_be_in_viewport(ratio=0.99)
    for part in (".felt", ".status .bets", ".status .result", ".purse .in-hand"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
    for name in ("Undo", "Clear", "Rebet", "Double"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=0.99)
    for chip in page.locator(".chip-button").all():
        expect(chip).to_be_in_viewport(ratio=0.99)
    assert page.evaluate("[scrollX, scrollY]") == [0, 0], "it was all there from the beginning"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing lies beyond the edge"


@pytest.mark.parametrize("look", [TABLET, SIDE, ZOOMED], ids=str)
def test_dice_and_clock_stay_in_view(house: Running, visit: Visitors, look: Look) -> None:
    felt = _seated(house, visit, look)
    felt.area("Win Line").scroll_into_view_if_needed()
    for part in (".status .bets", ".status .result"):
        expect(felt.page.locator(part)).to_be_in_viewport(ratio=0.99)
    assert felt.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing lies beyond the edge"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("book", rulebooks.ids())
def test_every_part_of_a_felt_on_a_phone_is_for_fingers(
    house: Running, visit: Visitors, book: str, scheme: str
) -> None:
    felt = _seated(house, visit, TALL._replace(scheme=scheme), book)  # type: ignore[arg-type]
    parts = felt.page.locator(".felt-tabs:not([hidden]) button").all()
    for part in parts:
        part.tap()
        assert felt.page.evaluate(_SMALL) == []
        felt.visitor.axe()
    assert felt.page.evaluate(_SMALL) == []


def _seated_where_people_deal(house: Running, visit: Visitors, look: Look = LOW) -> AtFelt:
    felt = AtFelt(visit(house, "ann", look), dealt_table(house, CRAPS))
    felt.sit_down("200")
    return felt


def test_a_tab_says_how_many_wagers_it_hides(house: Running, visit: Visitors) -> None:
    felt = _seated_where_people_deal(house, visit, TALL)
    for name in ("Buy 10", "Hardways 8", "Field"):
        felt.tap(name)
        expect(felt.area(name)).to_have_attribute("aria-label", re.compile(" staked"))
    tabs = felt.page.locator(".felt-tabs")
    tabs.get_by_role("button", name="Felt").tap()
    expect(tabs.get_by_role("button")).to_have_text(["Felt", "Numbers1 wager", "Centre1 wager"])
    expect(felt.area("Buy 10")).to_be_hidden()


def test_rare_wagers_of_a_number_show_when_its_box_is_pointed_at(house: Running, visit: Visitors) -> None:
    felt = _seated_where_people_deal(house, visit)
    expect(felt.area("Lay 4")).to_be_hidden()
    felt.area("Place Bet to Win 4").hover()
    for name in ("Lay 4", "Place Bet to Lose 4", "Buy 4"):
        expect(felt.area(name)).to_be_visible()
    expect(felt.area("Lay 5")).to_be_hidden()
    felt.click("Buy 4")
    expect(felt.area("Buy 4")).to_have_attribute("aria-label", re.compile(" staked"))
    felt.area("Field").hover()
    expect(felt.area("Lay 4")).to_be_hidden()
    expect(felt.area("Buy 4")).to_be_visible()  # with the chips on it


def test_the_keyboard_reaches_every_wager_of_a_number(house: Running, visit: Visitors) -> None:
    felt = _seated_where_people_deal(house, visit)
    keys = felt.page.keyboard
    felt.area("Place Bet to Win 6").focus()
    keys.press("ArrowUp")
    expect(felt.area("Place Bet to Lose 6")).to_be_focused()
    keys.press("ArrowLeft")
    expect(felt.area("Lay 6")).to_be_focused()
    keys.press("m")
    box = felt.page.get_by_role("dialog", name="On the 6")
    expect(box.get_by_role("listitem")).to_have_count(6)
    felt.visitor.axe()
    box.get_by_role("button", name=re.compile("^Buy 6")).click()
    expect(box).to_have_count(0)
    expect(felt.area("Buy 6")).to_have_attribute("aria-label", re.compile(" staked"))
    expect(felt.page.locator(".area:focus")).to_have_count(1)  # play goes on where it was


def test_odds_have_a_pocket_beside_their_flat_chip(house: Running, visit: Visitors) -> None:
    felt = _seated_where_people_deal(house, visit)
    dora = house.person("dora")
    assert dora.do("/tables/dealt/post", {"role": "dealer"}).status_code == 200
    felt.click("Win Line")
    felt.expect_staked("Win Line", "5.00")
    odds = felt.area("Behind the Win Line")
    expect(odds).to_be_hidden()
    assert dora.do("/tables/dealt/lines", {"line": {"do": "roll", "dice": [4, 2]}}).status_code == 200
    expect(odds).to_be_visible()
    expect(felt.area("Behind the Don't Win")).to_be_hidden()
    felt.click("Behind the Win Line")
    felt.expect_staked("Behind the Win Line", "5.00")
