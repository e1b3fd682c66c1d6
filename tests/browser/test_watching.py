"""The page tests notice every fault on a page: without this, none of them would prove much."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route

from tests.browser.looks import Look, Scheme, every_size
from tests.browser.restarting import Restarting
from tests.browser.visiting import Visitor, Visitors
from tests.browser.watching import LEFT
from tests.serving import Running

BLANK = "<!doctype html><html lang=en><title>Nothing</title><main><h1>Nothing</h1></main></html>"
STREAM = "/api/v1/tables/two-up-nsw-2016/live"
FAULTS = {
    "an error in a script": ("setTimeout(() => { throw new Error('no dice') })", "script: no dice"),
    "a promise nobody looks after": ("Promise.reject(new Error('no coins'))", "script: no coins"),
    "an error on the console": ("console.error('no chips')", "console: no chips"),
    "something that is not there": ("fetch('/nowhere')", "console: Failed to load resource: the server responded with"),
    "another host": ("location.href = 'http://example.org/'", "another host: GET http://example.org/"),
    "an inline script": (
        "document.body.append(Object.assign(document.createElement('script'), { text: '0' }))",
        "console: Executing inline script violates",
    ),
    "an inline style": ("document.body.setAttribute('style', 'color: red')", "console: Applying inline style violates"),
}

# Text that is hard to read by night alone.
_PALE_BY_NIGHT = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("@media (prefers-color-scheme: dark) { body { background: #fff } main { color: #ddd } }");
    document.adoptedStyleSheets = [sheet];
    document.querySelector("main").append("Read this");
}"""


def blank(visitor: Visitor) -> Page:
    """A page of the house that does nothing."""

    def fulfil(route: Route) -> None:
        route.fulfill(body=BLANK, content_type="text/html", headers={"content-security-policy": "default-src 'self'"})

    visitor.context.route("**/blank", fulfil)
    return visitor.go("/blank")


def noted(visitor: Visitor, said: str) -> bool:
    """Whether a fault is noticed within a short time."""
    for _ in range(100):
        if any(fault.startswith(said) for fault in visitor.faults()):
            return True
        visitor.page.wait_for_timeout(50)
    return False


@pytest.mark.parametrize(("script", "said"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_noted_and_fails_the_test_unless_allowed(
    house: Running, visit: Visitors, script: str, said: str
) -> None:
    visitor = visit(house)
    blank(visitor).evaluate(f"() => {{ {script} }}")
    assert noted(visitor, said), visitor.faults()
    with pytest.raises(AssertionError, match="faults on"):
        visitor.check()
    visitor.allow(".")
    assert visitor.faults() == []


def test_a_page_that_is_left_while_it_listens_has_no_fault(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    cut: list[str | None] = []
    visitor.page.on("requestfailed", lambda request: cut.append(request.failure))
    blank(visitor).evaluate(f"() => new Promise(done => {{ new EventSource('{STREAM}').onopen = () => done() }})")
    blank(visitor)
    assert cut == [LEFT]
    assert visitor.faults() == []


def test_axe_says_what_is_wrong_and_where(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    page = blank(visitor)
    visitor.axe()
    page.evaluate("() => document.querySelector('main').append(document.createElement('button'))")
    with pytest.raises(
        AssertionError, match=r"button-name \(critical\): .*, in 1 place:\n  .*<button></button>\n.*text"
    ):
        visitor.axe()


@every_size
def test_a_page_is_as_large_as_its_look_and_touched_where_there_is_no_mouse(
    house: Running, visit: Visitors, look: Look
) -> None:
    page = blank(visit(house, look=look))
    assert page.viewport_size is not None
    assert page.evaluate("screen.width") == page.viewport_size["width"]
    assert matches(page, "(pointer: coarse)") == (look.size != "desktop")
    assert matches(page, "(hover: none)") == (look.size != "desktop")
    assert matches(page, "(prefers-reduced-motion: reduce)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_has_the_colours_of_its_look(house: Running, visit: Visitors, scheme: Scheme) -> None:
    assert matches(blank(visit(house, look=Look(scheme=scheme))), f"(prefers-color-scheme: {scheme})")


def test_axe_looks_at_both_colour_schemes_and_leaves_the_page_as_it_was(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    page = blank(visitor)
    page.evaluate(_PALE_BY_NIGHT)
    visitor.axe()
    with pytest.raises(AssertionError, match="color-contrast"):
        visitor.axe_by_day_and_night()
    assert matches(page, "(prefers-reduced-motion: reduce)")


def matches(page: Page, query: str) -> bool:
    return bool(page.evaluate("query => matchMedia(query).matches", query))


def test_a_house_is_killed_and_opens_again_at_its_address(restarting: Restarting, visit: Visitors) -> None:
    ann = visit(restarting, "ann")
    page = blank(ann)
    restarting.kill()
    page.evaluate("() => { fetch('/api/v1/me').catch(() => {}) }")
    assert noted(ann, f"request: GET {restarting.url}/api/v1/me net::ERR_"), ann.faults()
    ann.allow("net::ERR_")
    restarting.open_again()
    assert page.evaluate("() => fetch('/api/v1/me').then(answer => answer.json())")["person"] == "ann"
