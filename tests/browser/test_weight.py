"""The first load of every page is small, and all of it comes from the house itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Response, expect

from tests.browser.visiting import Visitors
from tests.serving import Running

MOST_BYTES = 300_000
TABLE = "craps-nsw-2024"
PAGES = {
    "/": "ann",
    f"/tables/{TABLE}": "ann",
    f"/tables/{TABLE}/rounds/1": "ann",
    f"/tables/{TABLE}/throws/2": "ann",
    f"/tables/{TABLE}/deal": "dora",
    f"/display/{TABLE}": None,
    "/practice/sic-bo-nsw-2016": None,
    f"/learn/{TABLE}": None,
    "/floor": "sam",
    "/inspect": "ivy",
    "/me": "ann",
    "/promotions": "ann",
    "/promotions/harbour-draw": "mia",
    "/duties": "mia",
    "/registers": "ivy",
    f"/rules/{TABLE}": None,
    "/developers": None,
}


@pytest.mark.parametrize("path", PAGES)
def test_the_first_load_is_light(house: Running, visit: Visitors, path: str) -> None:
    visitor = visit(house, PAGES[path])
    visitor.allow(r"status of 404 .*/rounds/1\b")  # nothing has been thrown in this house
    came: list[Response] = []
    visitor.page.on("response", lambda one: came.append(one))
    page = visitor.go(path)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.locator("#loading")).to_have_count(0)
    finished = [one for one in came if "/live" not in one.url]  # what is listened to never ends
    sizes = {one.url: one.request.sizes() for one in finished}
    total = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes.values())
    assert 0 < total < MOST_BYTES, {url: size["responseBodySize"] for url, size in sizes.items()}
    assert all(one.url.startswith(house.url) for one in came)
    scripts = [one.url for one in came if one.url.endswith(".js")]
    assert len(scripts) == len(set(scripts)), "a script that was announced is not asked for again"
    announced = page.evaluate("[...document.querySelectorAll('link[rel=modulepreload]')].map((one) => one.href)")
    first = page.evaluate("[...document.scripts].map((one) => one.src)")
    assert set(scripts) == {*announced, *first}, "the page says beforehand which scripts it needs"
    policy = came[0].headers["content-security-policy"]
    assert policy.startswith("default-src 'self'")
    assert "unsafe" not in policy
