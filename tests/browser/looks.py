"""How people see the pages: on a phone, on a tablet, on a desk, by day and by night."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import Page

Size = Literal["phone", "tablet", "desktop", "laptop", "small"]
Scheme = Literal["light", "dark"]

_SIZES: dict[Size, dict[str, Any]] = {
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
    "tablet": {"viewport": {"width": 820, "height": 1180}, "has_touch": True, "is_mobile": True},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "laptop": {"viewport": {"width": 1366, "height": 768}},
    "small": {"viewport": {"width": 1024, "height": 768}},
}


class Look(NamedTuple):
    """A size, a colour scheme, and the reader's zone. `still` asks for no motion, so that nothing is caught halfway."""

    size: Size = "desktop"
    scheme: Scheme = "light"
    still: bool = True
    zone: str = "Australia/Sydney"

    def options(self) -> dict[str, Any]:
        """What a browser context is made with."""
        return _SIZES[self.size] | {
            "color_scheme": self.scheme,
            "reduced_motion": "reduce" if self.still else "no-preference",
            "locale": "en-AU",
            "timezone_id": self.zone,
        }

    def __str__(self) -> str:
        return f"{self.size}-{self.scheme}"


PHONE, TABLET, DESKTOP = Look("phone"), Look("tablet"), Look("desktop")
SIZES = (PHONE, TABLET, DESKTOP)
LOOKS = tuple(Look(look.size, scheme) for look in SIZES for scheme in ("light", "dark"))

every_size = pytest.mark.parametrize("look", SIZES, ids=str)
every_look = pytest.mark.parametrize("look", LOOKS, ids=str)


def fits(page: Page) -> None:
    """Nothing stands out over the edge of the page."""
    size = page.viewport_size
    assert size is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
