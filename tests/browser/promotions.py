"""A promotion in a house whose clock can be moved, brought to a stage without the pages."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page

from croupier.house import orders
from tests.browser.clocks import MovedClock
from tests.promoting import AWARD, CLOSE, START, Promoting
from tests.promotions import CRAPS
from tests.serving import Person, Running

NAME = "autumn"
PATH = f"/promotions/{NAME}"


class Promoted:
    """One promotion, and everybody who has to do with it."""

    def __init__(self, house: Running, clock: MovedClock, book: str = CRAPS) -> None:
        self.house, self.clock = house, clock
        self.terms: dict[str, Any] = Promoting(book).terms()
        self._people: dict[str, Person] = {}
        self.did("mia", "/promotions", {"promotion": NAME, "title": "Autumn draw", "book": book})
        self.says("draft_terms", terms=self.terms)

    def did(self, who: str, path: str, body: object) -> None:
        """Something that must not be refused."""
        if who not in self._people:
            self._people[who] = self.house.person(who)
        reply = self._people[who].do(path, body)
        assert reply.status_code == 200, reply.text

    def says(self, do: str, who: str = "mia", personal: dict[str, str] | None = None, **said: object) -> Promoted:
        """A line about it."""
        body: dict[str, Any] = {"line": {"do": do, **said}}
        self.did(who, f"{PATH}/lines", body if personal is None else {**body, "personal": personal})
        return self

    def filed(self) -> Promoted:
        """The regulator has the terms, and patrons can get them."""
        return self.says("file_terms").says("publish_terms", means="this page", in_marketing=True)

    def running(self) -> Promoted:
        """Started, and ann has an entry."""
        self.filed()
        self.clock.move_to(START)
        entries = [{"id": "e1", "entrant": "ann", "weight": 3}]
        return self.says("start_promotion").says("take_entries", entries=entries, reason="A coupon.")

    def drawn(self) -> Promoted:
        """Entries closed by the house, and the prize drawn for ann."""
        self.running()
        self.clock.move_to(CLOSE)
        self.house.call(self.house.running_house.own_order(orders.CloseEntries(promotion=NAME)))
        self.clock.move_to(AWARD)
        return self.says("draw_prizes")


def step(page: Page) -> Locator:
    """Which step of its course a promotion has come to."""
    return page.get_by_label("Progress of the promotion").locator("[aria-current=step]")


def point(page: Page, term: str) -> Locator:
    """A point of the terms in the form, by its id."""
    return page.locator(f".point[data-term={term}]")
