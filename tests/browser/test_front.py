"""The front page, which is where everybody begins."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.looks import Look, every_look
from tests.browser.visiting import Visitors
from tests.serving import Running


@every_look
def test_it_opens_for_anybody_and_is_accessible(house: Running, visit: Visitors, look: Look) -> None:
    visitor = visit(house, look=look)
    page = visitor.go("/")
    expect(page.get_by_role("main").get_by_role("link").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert page.title() != ""
    visitor.axe()
