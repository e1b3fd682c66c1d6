"""A house over HTTP with a promotion, and everyone involved in it; the test controls the clock."""

from __future__ import annotations

from typing import Any

import httpx

from croupier.house import orders
from tests.clocks import Clock
from tests.promoting import AWARD, CLOSE, START, Promoting
from tests.promotions import CRAPS
from tests.serving import Running

NAME = "spring"
WHO = {"name": "Qqanna Winnerzz", "address": "9 Qqharbour Road"}
PATH = f"/promotions/{NAME}"


class Evening:
    """A house with a promotion; `mia` runs it."""

    def __init__(self, house: Running, clock: Clock) -> None:
        self.house, self.clock = house, clock
        self.people = {name: house.person(name) for name in ("ann", "ben", "dora", "sam", "mia", "otto", "ivy")}
        self.nobody = house.nobody()

    def says(self, do: str, who: str = "mia", personal: dict[str, str] | None = None, **said: object) -> httpx.Response:
        """Give a line that must not be refused."""
        reply = self.line(do, who, personal, **said)
        assert reply.is_success, reply.text
        return reply

    def line(self, do: str, who: str = "mia", personal: dict[str, str] | None = None, **said: object) -> httpx.Response:
        """A line about the promotion."""
        body: dict[str, Any] = {"line": {"do": do, **said}}
        return self.people[who].do(f"{PATH}/lines", body | ({} if personal is None else {"personal": personal}))

    def started(self) -> Evening:
        """Drafted, filed, published and started; ann and ben have entries."""
        body = {"promotion": NAME, "book": CRAPS, "title": "Spring draw"}
        assert self.people["mia"].do("/promotions", body).is_success
        self.says("draft_terms", terms=Promoting().terms())
        self.says("file_terms")
        self.says("publish_terms", means="this page", in_marketing=True)
        self.clock.at = START
        self.says("start_promotion")
        self.says(
            "take_entries",
            entries=[{"id": "e1", "entrant": "ann"}, {"id": "e2", "entrant": "ann", "weight": 5}],
            reason="A coupon.",
        )
        return self

    def drawn(self) -> Evening:
        """Entries are closed and the prize is drawn for ann."""
        self.started()
        self.clock.at = CLOSE
        self.house.call(self.house.running_house.own_order(orders.CloseEntries(promotion=NAME)))
        self.clock.at = AWARD
        self.says("draw_prizes")
        return self

    def told(self, who: str | None) -> dict[str, Any]:
        """The promotion as a person sees it."""
        person = self.nobody if who is None else self.people[who]
        reply = person.get(PATH)
        assert reply.status_code == 200, reply.text
        told: dict[str, Any] = reply.json()
        return told


def throw(evening: Evening, _why: str, **stakes: str) -> None:
    """Everyone who stakes sits down, and a natural decides their bets."""
    for name, stake in stakes.items():
        player = evening.people[name]
        player.do("/tables/dealt/seat", {"chips": "100.00"})
        bet = {"do": "bet", "wager": "win_line", "amount": stake}
        assert player.do("/tables/dealt/lines", {"line": bet}).is_success
    assert evening.people["dora"].do("/tables/dealt/lines", {"line": {"do": "roll", "dice": [3, 4]}}).is_success
