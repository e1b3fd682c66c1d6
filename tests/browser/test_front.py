"""The front page, which is where everyone begins."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.felts import dealt_table
from tests.browser.looks import Look, every_size
from tests.browser.visiting import Visitors
from tests.serving import Running


def test_the_staff_come_to_the_console_and_players_to_the_felt(house: Running, visit: Visitors) -> None:
    table, by_itself = dealt_table(house, "craps-nsw-2024"), "Two-Up, The Star Sydney"
    page = visit(house, "dora").go("/")
    expect(page.get_by_role("link", name=re.compile(f"^Watch {by_itself}"))).to_be_visible()
    page.get_by_role("link", name="Dealer console of Dealt").click()
    expect(page.get_by_role("button", name="Start as dealer")).to_be_visible()
    assert page.url.endswith(f"/tables/{table}/deal")
    for who in ("ann", None):
        expect(visit(house, who).go("/").get_by_role("link", name="Play at Dealt")).to_be_visible()


@every_size
def test_it_opens_for_anybody_and_is_accessible(house: Running, visit: Visitors, look: Look) -> None:
    visitor = visit(house, look=look)
    page = visitor.go("/")
    expect(page.get_by_role("main").get_by_role("link").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert page.title() != ""
    visitor.axe_by_day_and_night()
