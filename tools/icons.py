"""Make the icons of the installed house from its one drawing, `shared/icon.svg`: `python -m tools.icons`.

A browser draws them. They are in the repository, so that a house needs no browser. A maskable icon and the
one for touch screens fill their squares: systems cut their own shapes out of them, and the drawing has nothing in the
corners that it would miss.
"""

from __future__ import annotations

import sys

from playwright.sync_api import Page, sync_playwright

from croupier.server.pages.installing import ICONS
from croupier.web import STATIC
from tests.browser.chromium import NoBrowser, launched

DRAWING = STATIC / "shared" / "icon.svg"
CORNERS = 'rx="7"'


def main() -> int:
    """Make all icons."""
    svg = DRAWING.read_text(encoding="utf-8")
    assert svg.count(CORNERS) == 1, "the drawing has one square with round corners"
    with sync_playwright() as playwright:
        try:
            browser = launched(playwright)
        except NoBrowser as missing:
            print(missing, file=sys.stderr)
            return 2
        page = browser.new_page()
        for icon in ICONS:
            fills = icon.purpose != "any"
            _draw(page, svg.replace(CORNERS, 'rx="0"') if fills else svg, icon.pixels, icon.name)
        browser.close()
    return 0


def _draw(page: Page, svg: str, pixels: int, name: str) -> None:
    page.set_viewport_size({"width": pixels, "height": pixels})
    page.set_content(f"<style>html, body {{ margin: 0; background: none }} svg {{ display: block }}</style>{svg}")
    path = STATIC / "shared" / name
    path.write_bytes(page.screenshot(omit_background=True))
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())
