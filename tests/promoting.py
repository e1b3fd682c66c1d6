"""A house with a promotion, for tests: a manager who runs it, players who play for it, and a clock that the test
controls."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from croupier.contract.replies import OrderReply
from croupier.house import orders
from croupier.house.names import promotion_stream
from croupier.house.promotion_state import PromotionState
from croupier.prizes.reading import terms_as_line
from croupier.prizes.terms import Earning, Prize, Terms
from croupier.rules.prizes import Prizes
from croupier.store.contract import Store
from tests.houses import SHELF, TestHouse
from tests.promotions import AWARD, CLOSE, CRAPS, HOUR, START, prizes_of, terms_of

NAME = "autumn"
FILING = START - 30 * HOUR


class Promoting:
    """One promotion. `says` gives a line as the manager; time stands still until it is moved."""

    def __init__(self, book: str = CRAPS, store: Store | None = None) -> None:
        self.house = TestHouse(store)
        self.house.at = FILING
        self.rules: Prizes = prizes_of(book)
        self.house.person("mia", "manager", cents=0, card=False)
        for person in ("ann", "ben", "cy"):
            self.house.person(person)
        self.house.ok(orders.OpenPromotion(promotion=NAME, book=book, title="Autumn draw"), "mia")

    def at(self, when: datetime) -> Promoting:
        """Set the time."""
        self.house.at = when
        return self

    def reply(self, do: str, who: str = "mia", personal: orders.Personal | None = None, **said: object) -> OrderReply:
        """The house's reply to a line."""
        deed = orders.Promote(promotion=NAME, line={"do": do, **said}, personal=personal)
        return self.house.do(deed, who)

    def says(self, do: str, who: str = "mia", personal: orders.Personal | None = None, **said: object) -> Promoting:
        """Give a line that must not be refused."""
        reply = self.reply(do, who, personal, **said)
        assert reply["ok"], reply
        return self

    def refused(self, do: str, who: str = "mia", personal: orders.Personal | None = None, **said: object) -> str:
        """The code with which a line is refused."""
        reply = self.reply(do, who, personal, **said)
        assert not reply["ok"], reply
        return str(reply["code"])

    @property
    def state(self) -> PromotionState:
        """The promotion as it is stored."""
        return self.house.house.promotion(NAME)

    def events(self) -> list[Any]:
        """All its events."""
        return self.house.events(promotion_stream(NAME))

    def terms(self, *prizes: Prize, earning: Earning | None = None, **said: object) -> dict[str, Any]:
        """Complete terms, as a line takes them."""
        made = terms_of(self.rules, *prizes, **said)  # type: ignore[arg-type]  # values of terms
        return terms_as_line(self.rules, Terms(made.said, made.prizes, earning))

    def started(self, *prizes: Prize, earning: Earning | None = None, **said: object) -> Promoting:
        """Draft, file, publish and start the promotion in time."""
        self.says("draft_terms", terms=self.terms(*prizes, earning=earning, **said)).says("file_terms")
        self.says("publish_terms", means="a secure website", in_marketing=True)
        return self.at(START).says("start_promotion")

    def entered(self, *entrants: str) -> Promoting:
        """Enter people by hand, each with weight one."""
        entries = [{"id": f"e{n}", "entrant": entrant} for n, entrant in enumerate(entrants, 1)]
        return self.says("take_entries", entries=entries, reason="a coupon")

    def closed(self) -> Promoting:
        """Let the clock close the entries and reach the time of the award."""
        self.at(CLOSE)
        self.house.ok(orders.CloseEntries(promotion=NAME))
        return self.at(AWARD)


__all__ = ["AWARD", "CLOSE", "FILING", "NAME", "SHELF", "START", "Promoting"]
