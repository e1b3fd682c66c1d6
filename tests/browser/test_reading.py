"""The pages that are read rather than played on: rules, sheets, missing pages; at every size, light and dark."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.looks import Look, every_size
from tests.browser.visiting import Visitors
from tests.serving import Running

PAGES = (
    "/rules",
    "/rules/craps-nsw-2024",
    "/rules/sic-bo-nsw-2016?q=triple",
    "/rules/craps-nsw-2024/6.2.1",
    "/rules/snake-eyes-nz/4.1(a)",
    "/rules/two-up-nsw-2016/wagers/spinner",
    "/rules/sic-bo-nsw-2016/readings",
    "/sheets",
    "/sheets/two-up-nsw-2016",
    "/developers",
)
NOT_THERE = ("/rules/no-such-book", "/rules/craps-nsw-2024/99.99")


@every_size
def test_pages_to_read_are_accessible(house: Running, visit: Visitors, look: Look) -> None:
    visitor = visit(house, "ivy", look)
    for path in PAGES:
        page = visitor.go(path)
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        visitor.axe_by_day_and_night()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path} lies beyond the edge"


def test_what_is_not_there_or_not_for_everybody_is_said_on_a_page(house: Running, visit: Visitors) -> None:
    visitor = visit(house, "ann")
    visitor.allow("status of 40[34]")
    for path, status in (*((path, 404) for path in NOT_THERE), ("/sheets/two-up-nsw-2016", 403)):
        told = visitor.page.goto(path)
        assert told is not None
        assert told.status == status
        expect(visitor.page.get_by_role("heading", level=1)).to_have_count(1)
        visitor.axe()
