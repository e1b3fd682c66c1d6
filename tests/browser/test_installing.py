"""The house as an installed app: its manifest and icons, and a page of its own without a connection, never stale."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from croupier.server.pages.installing import ICONS, THEMES
from tests.browser.felts import CALLED_WITHIN_MS, AtFelt
from tests.browser.looks import DESKTOP, PHONE, Look
from tests.browser.restarting import Restarting
from tests.browser.visiting import Visitor, Visitors
from tests.serving import Running

CRAPS = "craps-nsw-2024"
_HAS_WORKER = "() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
_KEPT = """async () => {
    const names = await caches.keys();
    const found = await Promise.all(names.map(name => caches.open(name).then(cache => cache.keys())));
    return found.flat().map(one => new URL(one.url).pathname).sort();
}"""
_SIZE = struct.Struct(">8s4x4sII")


def with_worker(visitor: Visitor, path: str) -> Page:
    """Open a page whose worker is at work."""
    page = visitor.go(path)
    page.wait_for_function(_HAS_WORKER)
    return page


def test_the_manifest_has_icons_of_every_kind_and_they_are_there(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    page = visitor.go("/")
    address = page.locator("link[rel=manifest]").get_attribute("href")
    told = visitor.context.request.get(str(address))
    assert told.headers["content-type"] == "application/manifest+json"
    manifest: dict[str, Any] = told.json()
    assert (manifest["start_url"], manifest["display"], manifest["scope"]) == ("/", "standalone", "/")
    expect(page).to_have_title(manifest["name"])
    assert {(one["sizes"], one["purpose"]) for one in manifest["icons"]} >= {
        (f"{pixels}x{pixels}", purpose) for pixels in (192, 512) for purpose in ("any", "maskable")
    }
    for icon in ICONS:
        drawn = visitor.context.request.get(f"/web/shared/{icon.name}")
        assert drawn.headers["content-type"] == "image/png"
        signature, kind, width, height = _SIZE.unpack(drawn.body()[: _SIZE.size])
        assert (signature, kind, width, height) == (b"\x89PNG\r\n\x1a\n", b"IHDR", icon.pixels, icon.pixels)
        assert len(drawn.body()) < 16_000
    assert {f"/web/shared/{icon.name}" for icon in ICONS if icon.purpose != "touch"} <= {
        one["src"] for one in manifest["icons"]
    }


@pytest.mark.parametrize("path", ["/", "/rules"])
def test_the_theme_is_the_top_of_the_page(house: Running, visit: Visitors, path: str) -> None:
    page = visit(house).go(path)
    for scheme, colour in THEMES:
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        expect(page.locator(f"meta[name=theme-color][media*={scheme}]")).to_have_attribute("content", colour)
        red, green, blue = bytes.fromhex(colour[1:])
        expect(page.locator("#top")).to_have_css("background-color", f"rgb({red}, {green}, {blue})")


@pytest.mark.parametrize("look", [PHONE, DESKTOP], ids=str)
def test_without_a_connection_a_page_says_so_and_nothing_is_stale_after(
    restarting: Restarting, visit: Visitors, look: Look
) -> None:
    visitor = visit(restarting, look=look, installs=True)
    for fault in ("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_FAILED"):
        visitor.allow(fault)
    page = with_worker(visitor, "/")
    restarting.kill()
    page.goto(f"/tables/{CRAPS}")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection to the house")
    visitor.axe_by_day_and_night()
    assert page.evaluate("fetch('/api/v1/tables').then(() => 'answered', () => 'no answer')") == "no answer"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    restarting.open_again()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_contain_text("Craps", timeout=CALLED_WITHIN_MS)  # by itself, at the address that was asked for
    assert page.evaluate(_KEPT) == ["/offline", "/web/offline/page.css", "/web/offline/page.js", "/web/shared/icon.svg"]


def test_play_goes_through_the_worker_as_without_it(house: Running, visit: Visitors) -> None:
    visitor = visit(house, "ann", installs=True)
    with_worker(visitor, "/")
    felt = AtFelt(visitor, CRAPS)
    felt.sit_down("100")
    felt.area("Field").click()
    felt.expect_staked("Field", "5.00")
    assert felt.page.evaluate("navigator.serviceWorker.controller !== null")
    felt.page.reload()
    felt.expect_staked("Field", "5.00")
