"""The screens on which people see the pages: phone, tablet and desk, light and dark."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import Page

Size = Literal["phone", "tablet", "desktop", "laptop", "small", "low", "tall", "side", "zoomed"]
Scheme = Literal["light", "dark"]

_SIZES: dict[Size, dict[str, Any]] = {
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
    "tablet": {"viewport": {"width": 820, "height": 1180}, "has_touch": True, "is_mobile": True},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "laptop": {"viewport": {"width": 1366, "height": 768}},
    "small": {"viewport": {"width": 1024, "height": 768}},
    "low": {"viewport": {"width": 1366, "height": 650}},  # a laptop, as much of it as a browser leaves
    "tall": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "side": {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True},
    "zoomed": {"viewport": {"width": 683, "height": 325}},  # that laptop at 200 %
}


class Look(NamedTuple):
    """A size, a colour scheme, and the reader's time zone and locale. `still` asks for reduced motion, so that no
    screenshot catches an animation halfway.
    """

    size: Size = "desktop"
    scheme: Scheme = "light"
    still: bool = True
    zone: str = "Australia/Sydney"
    locale: str = "en-AU"

    def options(self) -> dict[str, Any]:
        """The options of the browser context."""
        return _SIZES[self.size] | {
            "color_scheme": self.scheme,
            "reduced_motion": "reduce" if self.still else "no-preference",
            "locale": self.locale,
            "timezone_id": self.zone,
        }

    def __str__(self) -> str:
        return self.size


PHONE, TABLET, DESKTOP = Look("phone"), Look("tablet"), Look("desktop")
SIZES = (PHONE, TABLET, DESKTOP)

every_size = pytest.mark.parametrize("look", SIZES, ids=str)


def fits(page: Page) -> None:
    """Nothing extends beyond the edge of the page."""
    size = page.viewport_size
    assert size is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
