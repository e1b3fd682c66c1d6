"""A newcomer's whole evening at each of the five games: with mouse and keyboard at a desk, with touch on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from croupier import rulebooks
from tests.browser.felts import CALLED_WITHIN_MS, AtFelt, quick_table
from tests.browser.looks import PHONE
from tests.browser.visiting import Visitors
from tests.serving import Running

REFUSED = "status of 4(09|22)"  # what a browser says on its console of an answer that is a refusal
# Areas of which, sooner or later, some win and others lose at once, and how a round with them ends.
SIDES = {
    "craps-nsw-2024": ("Field", "Any Seven"),
    "sic-bo-nsw-2016": ("Small", "Big"),
    "two-up-nsw-2016": ("Heads", "Tails"),
    "snake-eyes-nsw-2019": ("Field", "Any Seven"),
    "snake-eyes-nz": ("Field Bet", "Any 7"),
}
NO_RULE_FOR_LIMITS = "snake-eyes-nz"  # its book leaves them to the house
every_book = pytest.mark.parametrize("book", rulebooks.ids())


def _until_won_and_lost(felt: AtFelt) -> None:
    """Rebet, round after round, until there has been a win and a loss."""
    calls = felt.page.locator(".calls")
    for _ in range(12):
        expect(calls.locator("li.win, li.lose").first).to_be_visible(timeout=CALLED_WITHIN_MS)
        if calls.locator("li.win").count() and calls.locator("li.lose").count():
            return
        before = calls.locator("li.win, li.lose").count()
        felt.expect_bets_open()
        felt.page.get_by_role("button", name="Rebet", exact=True).click()
        expect(calls.locator("li.win, li.lose").nth(before)).to_be_visible(timeout=CALLED_WITHIN_MS)
    raise AssertionError("twelve rounds, and nothing was both won and lost")


@every_book
def test_an_evening_at_a_desk(house: Running, visit: Visitors, book: str) -> None:
    visitor = visit(house)
    visitor.allow(REFUSED)
    felt = AtFelt(visitor, quick_table(house, book, max="50.00"))
    felt.sign_in("ann")
    felt.sit_down("200")
    one, other = SIDES[book]

    # By mouse: a click adds, the right button takes off
    felt.click(one)
    felt.expect_staked(one, "5.00")
    felt.click(one)
    felt.expect_staked(one, "10.00")
    felt.click(one, button="right")
    felt.expect_staked(one, "5.00")

    # A refusal, beside the area, with its rule
    felt.chip("100")
    felt.click(one)
    bubble = felt.page.locator(".bubble")
    expect(bubble).to_contain_text("above the maximum of 50.00")
    rule = bubble.get_by_role("link", name=re.compile("^rule "))
    expect(rule).to_have_count(0 if book == NO_RULE_FOR_LIMITS else 1)
    if book != NO_RULE_FOR_LIMITS:
        assert visitor.context.request.get(rule.get_attribute("href") or "").status == 200
    felt.expect_staked(one, "5.00")

    # By keyboard: a chip, an area, and what goes back
    felt.page.keyboard.press("2")
    felt.area(other).focus()
    felt.page.keyboard.press("Enter")
    felt.expect_staked(other, "5.00")
    felt.page.keyboard.press("Enter")
    felt.expect_staked(other, "10.00")
    felt.page.keyboard.press("u")
    felt.expect_staked(other, "5.00")

    _until_won_and_lost(felt)
    told = felt.told()
    expect(felt.page.locator(".purse .in-hand")).to_contain_text(told["chips"]["ann"])

    # Once more the same
    felt.expect_bets_open()
    felt.page.get_by_role("button", name="Rebet", exact=True).click()
    felt.expect_staked(one, "5.00")
    felt.expect_staked(other, "5.00")
    settled = felt.page.locator(".calls li.win a, .calls li.lose a").first
    assert visitor.context.request.get(settled.get_attribute("href") or "").status == 200
    visitor.axe()

    felt.page.get_by_role("button", name="Sign out").click()
    expect(felt.page.get_by_role("button", name="Sign in")).to_be_visible()


@every_book
def test_an_evening_on_a_phone(house: Running, visit: Visitors, book: str) -> None:
    visitor = visit(house, look=PHONE)
    visitor.allow(REFUSED)
    felt = AtFelt(visitor, quick_table(house, book))
    felt.play()
    one, other = SIDES[book]

    felt.tap(one)
    felt.expect_staked(one, "5.00")
    felt.tap(other)
    felt.expect_staked(other, "5.00")
    felt.page.get_by_role("button", name="Double", exact=True).tap()
    felt.expect_staked(one, "10.00")
    felt.expect_staked(other, "10.00")
    felt.page.get_by_role("button", name="Take off", exact=True).tap()
    felt.tap(other)
    felt.expect_staked(other, "5.00")
    felt.page.get_by_role("button", name="Take off", exact=True).tap()
    felt.turn_to(one)
    box = felt.area(one).bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44, "what is touched is large enough"

    _until_won_and_lost(felt)
    assert felt.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing lies beyond the edge"
    visitor.axe()


def test_a_long_press_takes_a_chip_off(house: Running, visit: Visitors) -> None:
    visitor = visit(house, look=PHONE)
    felt = AtFelt(visitor, quick_table(house, "two-up-nsw-2016"))
    felt.play()
    area = felt.area("Heads")
    for staked in ("5.00", "10.00"):
        felt.tap("Heads")
        felt.expect_staked("Heads", staked)
    area.evaluate(
        """area => {
            const how = { bubbles: true, pointerType: "touch", isPrimary: true };
            area.dispatchEvent(new PointerEvent("pointerdown", how));
            setTimeout(() => area.dispatchEvent(new PointerEvent("pointerup", how)), 900);
        }"""
    )
    felt.expect_staked("Heads", "5.00")
