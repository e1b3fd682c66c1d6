"""The console shows the steps that the house sends: steps that ask for something, and why nothing can be entered
yet."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.consoles import AtConsole
from tests.browser.felts import dealt_table
from tests.browser.visiting import Visitors
from tests.serving import Running, did

NEW_ZEALAND, SIC_BO = "snake-eyes-nz", "sic-bo-nsw-2016"


def answered(console: AtConsole) -> None:
    """Wait until the house has responded: nothing else is sent before that."""
    expect(console.page.locator(".dealing")).to_have_attribute("aria-busy", "false")


def test_dice_are_brought_inspected_and_offered_step_by_step(house: Running, visit: Visitors) -> None:
    table = dealt_table(house, NEW_ZEALAND, dice="manual")
    sam = house.person("sam")
    did(sam, f"/tables/{table}/post", {"role": "supervisor"})
    did(house.person("ann"), f"/tables/{table}/seat", {"chips": "100.00"})
    console = AtConsole(visit(house, "dora"), table)
    console.take_post()
    page, why = console.page, console.page.locator(".read-back")
    expect(why).to_contain_text("No player has accepted the dice.")
    rule = why.get_by_role("link", name="rule 5.3(c)")
    expect(rule).to_have_attribute("href", re.compile(rf"^/rules/{NEW_ZEALAND}/5\.3"))
    expect(page.locator(".entry .face-button:visible:enabled")).to_have_count(0)
    console.visitor.axe()

    console.step("Bring the dice").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Count").fill("5")
    sheet.get_by_role("button", name="Do it").click()
    expect(sheet).to_have_count(0)
    console.step("Inspect the dice").click()
    expect(page.locator(".steps button")).to_have_count(0)  # the rest of it is for someone else
    answered(console)
    did(sam, f"/tables/{table}/lines", {"line": {"do": "inspect_dice"}})
    console.step("Offer the dice to ann").click()
    expect(page.locator(".next")).to_contain_text("The dice are offered to ann.")


def test_an_entry_that_differs_is_amended_by_who_may(house: Running, visit: Visitors) -> None:
    table = dealt_table(house, SIC_BO, dice="manual")
    did(house.person("sam"), f"/tables/{table}/post", {"role": "supervisor"})
    console = AtConsole(visit(house, "dora"), table)
    console.take_post()
    for done in range(3):
        console.step(f"Tumble ({done} of 3 done)").click()
        answered(console)
    expect(console.step("Tumble")).to_have_count(0)
    console.page.keyboard.press("b")
    answered(console)
    console.step("Uncover the dice").click()
    expect(console.page.locator(".entry h2")).to_have_text("Call what lies there")
    answered(console)
    console.put_in((1, 2, 4))
    console.again()
    expect(console.page.locator(".entry h2")).to_have_text("Enter the result on the terminal")
    answered(console)
    console.put_in((1, 2, 5))
    console.again()
    told = console.page.locator(".next")
    expect(told).to_contain_text("The entry differs: the casino supervisor must amend it.")
    expect(console.page.locator(".entry")).to_be_hidden()

    other = AtConsole(visit(house, "sam"), table)
    expect(other.page.locator(".entry h2")).to_have_text("Amend the entry: it is not what was called")
    other.put_in((1, 2, 4))
    expect(other.page.locator(".confirm")).to_contain_text("Amend to ")
    other.again()
    console.step("Confirm 1 2 4, 7, and settle").click()
    expect(console.page.locator(".results li")).to_have_count(1)
