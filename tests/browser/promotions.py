"""A promotion in a house whose clock can be moved, brought to a stage without using the pages."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page

from croupier.house import orders
from tests.clocks import MovedClock
from tests.promoting import AWARD, CLOSE, START, Promoting
from tests.promotions import CRAPS
from tests.serving import Person, Running

NAME = "autumn"
PATH = f"/promotions/{NAME}"


class Promoted:
    """One promotion, and everyone involved in it."""

    def __init__(self, house: Running, clock: MovedClock, book: str = CRAPS) -> None:
        self.house, self.clock = house, clock
        self.terms: dict[str, Any] = Promoting(book).terms()
        self._people: dict[str, Person] = {}
        self.did("mia", "/promotions", {"promotion": NAME, "title": "Autumn draw", "book": book})
        self.says("draft_terms", terms=self.terms)

    def did(self, who: str, path: str, body: object) -> None:
        """Send something that must not be refused."""
        if who not in self._people:
            self._people[who] = self.house.person(who)
        reply = self._people[who].do(path, body)
        assert reply.status_code == 200, reply.text

    def says(self, do: str, who: str = "mia", personal: dict[str, str] | None = None, **said: object) -> Promoted:
        """Send a line about it."""
        body: dict[str, Any] = {"line": {"do": do, **said}}
        self.did(who, f"{PATH}/lines", body if personal is None else {**body, "personal": personal})
        return self

    def filed(self) -> Promoted:
        """The regulator has the terms, and patrons can read them."""
        return self.says("file_terms").says("publish_terms", means="this page", in_marketing=True)

    def running(self) -> Promoted:
        """The promotion is running, and ann has an entry."""
        self.filed()
        self.clock.move_to(START)
        entries = [{"id": "e1", "entrant": "ann", "weight": 3}]
        return self.says("start_promotion").says("take_entries", entries=entries, reason="A coupon.")

    def drawn(self) -> Promoted:
        """The house has closed the entries, and the prize is drawn for ann."""
        self.running()
        self.clock.move_to(CLOSE)
        self.house.call(self.house.running_house.own_order(orders.CloseEntries(promotion=NAME)))
        self.clock.move_to(AWARD)
        return self.says("draw_prizes")


def step(page: Page) -> Locator:
    """The step that a promotion has reached."""
    return page.get_by_label("Progress of the promotion").locator("[aria-current=step]")


def point(page: Page, term: str) -> Locator:
    """A point of the terms in the form, by its id."""
    return page.locator(f".point[data-term={term}]")
