"""People who come to a house with a browser of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from playwright.sync_api import Browser, Page

from croupier.server import demonstration
from tests.browser.accessibility import axe
from tests.browser.looks import DESKTOP, Look
from tests.browser.watching import Watch

PATIENCE_MS = 15_000  # on a machine that does much else


class House(Protocol):
    """Somewhere to go."""

    @property
    def url(self) -> str:
        """Its address."""


class Visitor:
    """Somebody with a browser: `page` is what they see, and nothing may go wrong on it that is not allowed."""

    def __init__(self, browser: Browser, house: House, look: Look) -> None:
        self.context = browser.new_context(base_url=house.url, **look.options())
        self.context.set_default_timeout(PATIENCE_MS)
        self._watch = Watch(self.context, house.url)
        self.page: Page = self.context.new_page()

    def sign_in(self, name: str) -> None:
        """Be somebody of the demonstration from here on, without the page for it."""
        one = next(one for one in demonstration.PEOPLE if one.person == name)
        told = self.context.request.post("/api/v1/sign-in", data={"person": one.person, "password": one.password})
        assert told.ok, told.text()

    def go(self, path: str) -> Page:
        """Open a page."""
        told = self.page.goto(path)
        assert told is not None
        assert told.ok, f"{path}: {told.status}"
        return self.page

    def allow(self, pattern: str) -> None:
        """Something may go wrong that would otherwise fail the test: `allow("status of 409")` for a refusal."""
        self._watch.allow(pattern)

    def axe(self) -> None:
        """The page is accessible, as far as a program can tell."""
        axe(self.page)

    def faults(self) -> list[str]:
        """What has gone wrong so far."""
        return self._watch.faults()

    def check(self) -> None:
        """Nothing has gone wrong that is not allowed."""
        assert not self.faults(), f"faults on {self.page.url}:\n" + "\n".join(self.faults())


class Visitors:
    """Everybody who comes in one test."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._come: list[Visitor] = []

    def __call__(self, house: House, person: str | None = None, look: Look = DESKTOP) -> Visitor:
        """Somebody comes to a house, signed in or not."""
        visitor = Visitor(self._browser, house, look)
        self._come.append(visitor)
        if person is not None:
            visitor.sign_in(person)
        return visitor

    def leave(self, pictures: Path | None) -> None:
        """All of them leave, with a last picture of each page where a folder for them is given."""
        for number, visitor in enumerate(self._come, 1):
            if pictures is not None and not visitor.page.is_closed():
                visitor.page.screenshot(path=pictures / f"visitor-{number}.png", full_page=True)
            visitor.context.close()
        for visitor in self._come:
            visitor.check()
