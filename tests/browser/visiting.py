"""Visitors of a house, each with a browser of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Protocol

from playwright.sync_api import Browser, Page

from croupier.server import demonstration
from tests.browser.accessibility import axe, axe_by_day_and_night
from tests.browser.looks import DESKTOP, Look
from tests.browser.watching import Watch

PATIENCE_MS = 15_000  # on a machine that does much else


class House(Protocol):
    """A house that can be visited."""

    @property
    def url(self) -> str:
        """Its address."""


class Visitor:
    """Someone with a browser: `page` is what they see, and no fault may occur on it that is not allowed."""

    def __init__(self, browser: Browser, house: House, look: Look, *, installs: bool = False) -> None:
        # The worker of the pages changes nothing while there is a connection, and each browser would start one.
        workers: Literal["allow", "block"] = "allow" if installs else "block"
        self.context = browser.new_context(base_url=house.url, service_workers=workers, **look.options())
        self.context.set_default_timeout(PATIENCE_MS)
        self._watch = Watch(self.context, house.url)
        self.page: Page = self.context.new_page()

    def sign_in(self, name: str) -> None:
        """Sign in as someone of the demonstration, without using the sign-in page."""
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
        """Allow a fault that would otherwise fail the test: `allow("status of 409")` for a refusal."""
        self._watch.allow(pattern)

    def axe(self) -> None:
        """Check the page's accessibility, as far as a program can."""
        axe(self.page)

    def axe_by_day_and_night(self) -> None:
        """Check the page's accessibility in both colour schemes."""
        axe_by_day_and_night(self.page)

    def faults(self) -> list[str]:
        """The faults so far."""
        return self._watch.faults()

    def check(self) -> None:
        """Check that there was no fault that is not allowed."""
        assert not self.faults(), f"faults on {self.page.url}:\n" + "\n".join(self.faults())


class Visitors:
    """All visitors of one test."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._come: list[Visitor] = []

    def __call__(
        self, house: House, person: str | None = None, look: Look = DESKTOP, *, installs: bool = False
    ) -> Visitor:
        """A visitor arrives at a house, signed in or not. One who `installs` it has the worker of the pages."""
        visitor = Visitor(self._browser, house, look, installs=installs)
        self._come.append(visitor)
        if person is not None:
            visitor.sign_in(person)
        return visitor

    def leave(self, pictures: Path | None) -> None:
        """All of them leave; each page's last screenshot is saved if a folder is given."""
        for number, visitor in enumerate(self._come, 1):
            if pictures is not None and not visitor.page.is_closed():
                visitor.page.screenshot(path=pictures / f"visitor-{number}.png", full_page=True)
            visitor.context.close()
        for visitor in self._come:
            visitor.check()
