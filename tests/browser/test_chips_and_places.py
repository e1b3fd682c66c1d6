"""What a player chooses instead of typing it: a free place at the table, and the checks of which a bet consists."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.consoles import AtConsole
from tests.browser.felts import AtFelt, dealt_table
from tests.browser.looks import PHONE, Look, every_size, fits
from tests.browser.visiting import Visitors
from tests.serving import Running

SIC_BO = "sic-bo-nsw-2016"


def test_free_places_are_picked_and_taken_ones_are_seen(house: Running, visit: Visitors) -> None:
    table = dealt_table(house, SIC_BO, seats=3)
    ann, ben = (AtFelt(visit(house, name, look), table) for name, look in (("ann", PHONE), ("ben", PHONE)))
    places = ben.page.get_by_label("Place", exact=True)
    expect(places.locator("option")).to_have_text(["any", "1", "2", "3"])
    ann.sit_down("100", place=2)
    expect(places.locator("option")).to_have_text(["any", "1", "2, taken", "3"])
    expect(places.locator("option:disabled")).to_have_text(["2, taken"])
    fits(ben.page)
    ben.visitor.axe()
    ann.get_up()
    expect(places.locator("option")).to_have_text(["any", "1", "2", "3"])
    ben.sit_down("100", place=3)
    assert house.running_house.house.table(table).game.places == {"ben": 3}


def test_a_place_that_somebody_takes_meanwhile_is_no_longer_picked(house: Running, visit: Visitors) -> None:
    table = dealt_table(house, SIC_BO)
    ann, ben = (AtFelt(visit(house, name), table) for name in ("ann", "ben"))
    ben.page.get_by_label("Play chips").fill("120")
    ben.page.get_by_label("Place", exact=True).select_option("2")
    ann.sit_down("100", place=2)
    expect(ben.page.get_by_label("Place", exact=True)).to_have_value("")
    expect(ben.page.get_by_label("Play chips")).to_have_value("120")  # what was typed stays


@pytest.fixture
def table(house: Running) -> str:
    return dealt_table(house, SIC_BO)


def _with_checks(house: Running, visit: Visitors, table: str, ann: AtFelt) -> AtConsole:
    dora = AtConsole(visit(house, "dora"), table)
    dora.take_post()
    ann.sit_down("20")
    said = {"Player": "ann", "Amount": "50.00", "Colour": "red", "Value": "5.00"}
    dora.do("Issue …", said)
    expect(ann.page.locator(".purse")).to_contain_text("In red checks")
    return dora


def test_a_bet_is_laid_in_the_checks_that_are_picked(house: Running, visit: Visitors, table: str) -> None:
    ann = AtFelt(visit(house, "ann"), table)
    dora = _with_checks(house, visit, table, ann)
    check = ann.page.locator(".chip-button.check")
    expect(check).to_have_text("5 red check")

    def standing() -> dict[str, dict[str, str]]:
        return {row["wager"]: row.get("checks", {}) for row in dora.told()["wagers"]}

    ann.click("Small")  # in value chips, as long as no check is picked
    ann.expect_staked("Small", "5.00")
    check.click()
    ann.click("Big")
    ann.expect_staked("Big", "5.00")
    assert standing() == {"small": {}, "big": {"red": "5.00"}}
    expect(ann.page.locator(".felt .stack.check")).to_have_count(1)
    expect(dora.page.locator(".felt .stack.check")).to_have_count(1)
    expect(ann.page.locator(".purse")).to_contain_text(re.compile(r"In red checks\s*45\.00"))

    ann.page.get_by_role("button", name="Undo", exact=True).click()
    ann.expect_staked("Big", None)
    expect(ann.page.locator(".purse")).to_contain_text(re.compile(r"In red checks\s*50\.00"))
    ann.chip("5")
    ann.click("Big")
    ann.expect_staked("Big", "5.00")
    assert standing() == {"small": {}, "big": {}}


def test_checks_that_are_redeemed_are_no_longer_there_to_bet_with(house: Running, visit: Visitors, table: str) -> None:
    ann = AtFelt(visit(house, "ann"), table)
    dora = _with_checks(house, visit, table, ann)
    ann.page.locator(".chip-button.check").click()
    dora.do("Redeem …", {"Player": "ann", "Amount": "50.00", "Colour": "red"})
    expect(ann.page.locator(".chip-button.check")).to_have_count(0)
    ann.click("Big")
    ann.expect_staked("Big", "5.00")  # in the value chip that is picked instead


@every_size
def test_checks_are_seen_on_every_screen(house: Running, visit: Visitors, table: str, look: Look) -> None:
    ann = AtFelt(visit(house, "ann", look), table)
    _with_checks(house, visit, table, ann)
    fits(ann.page)
    ann.visitor.axe_by_day_and_night()
