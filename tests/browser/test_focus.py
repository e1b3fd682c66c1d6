"""The keyboard goes where play goes on: after Play, after a dialog, after a refusal, after sitting down."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.felts import AtFelt
from tests.browser.visiting import Visitors
from tests.serving import Running

CRAPS = "craps-nsw-2024"
ON_THE_FELT = ".felt .area:focus"


def expect_on_the_felt(page: Page) -> None:
    expect(page.locator(ON_THE_FELT)).to_have_count(1)


def test_play_on_the_front_page_leads_to_the_felt(house: Running, visit: Visitors) -> None:
    page = visit(house).go("/")
    page.get_by_role("link", name=re.compile("^Play at Craps, The Star")).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/tables/{CRAPS}")
    expect_on_the_felt(page)
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.reload()  # a page that is only loaded again begins at its top
    expect(page.locator(".purse .in-hand")).to_contain_text("200.00")
    expect(page.locator(ON_THE_FELT)).to_have_count(0)


def test_a_player_sits_down_bets_and_gets_up_by_keyboard(house: Running, visit: Visitors) -> None:
    felt = AtFelt(visit(house, "ann"), CRAPS)
    page = felt.page
    page.get_by_label("Play chips").fill("100")
    page.keyboard.press("Enter")
    expect_on_the_felt(page)
    felt.expect_bets_open()
    page.keyboard.press("Enter")
    expect(page.locator('.felt .area[aria-label*=" 5.00 staked"]')).to_be_focused()
    page.keyboard.press("Backspace")
    expect(page.locator(".felt .area[aria-label*=staked]")).to_have_count(0)
    page.get_by_text("You are seated").press("Enter")
    page.get_by_role("button", name="Leave the table").press("Enter")
    expect(page.get_by_role("button", name="Sit down")).to_be_focused()


def test_after_more_chips_play_goes_on_at_the_felt(house: Running, visit: Visitors) -> None:
    felt = AtFelt(visit(house, "ann"), CRAPS)
    felt.sit_down("100")
    felt.page.get_by_text("You are seated").press("Enter")
    felt.page.get_by_label("Play chips").press("Enter")
    expect(felt.page.locator(".purse .in-hand")).to_contain_text("200.00")
    expect_on_the_felt(felt.page)
    expect(felt.page.get_by_role("button", name="Add chips")).to_be_hidden()


def test_a_refusal_leaves_the_keyboard_at_its_area(house: Running, visit: Visitors) -> None:
    visitor = visit(house, "ann")
    visitor.allow("status of 422")
    felt = AtFelt(visitor, CRAPS)
    felt.sit_down("2")
    field = felt.area("Field")
    field.focus()
    felt.page.keyboard.press("Enter")  # a chip of five
    refusal = felt.page.locator(".bubble[role=alert]")
    expect(refusal).to_be_visible()
    expect(field).to_be_focused()
    refusal.get_by_role("button", name="Close").press("Enter")
    expect(field).to_be_focused()


def test_a_dialog_gives_the_keyboard_back(house: Running, visit: Visitors) -> None:
    felt = AtFelt(visit(house), CRAPS)
    felt.play()
    expect_on_the_felt(felt.page)
    leave = felt.page.get_by_role("button", name="Sign out")
    leave.press("Enter")
    felt.page.get_by_role("dialog").get_by_role("button", name="Stay").press("Enter")
    expect(leave).to_be_focused()


def test_a_wrong_password_can_be_typed_again_and_signing_in_leads_on(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    visitor.allow("status of 401")
    page = visitor.go(f"/tables/{CRAPS}")
    page.get_by_role("button", name="Sign in").first.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Username").first.fill("ann")
    password = dialog.get_by_label("Password").first
    password.fill("not the one")
    password.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("wrong")
    expect(password).to_be_focused()
    password.fill("ann-at-croupier")
    password.press("Enter")
    expect(page.get_by_role("button", name="Sit down")).to_be_focused()
