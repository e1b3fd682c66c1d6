"""What an order is decided by (the house, the person and the time), and the outcome before it is stored."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import msgspec

from croupier.house.accounts import Account
from croupier.house.orders import Order
from croupier.house.promotions import PromotionState
from croupier.house.stored_events import StoredEvent
from croupier.house.tables import TableState
from croupier.rules.shelf import Shelf
from croupier.table.event_views import Told
from croupier.table.refusals import Refusal

Entropy = Callable[[int], bytes]

NOBODY = Account()
GIVEN = ("at", "as", "who")  # the house sets these itself and ignores the line's values


class Scene:
    """The house at one moment, as far as an order needs it. A missing state is new and empty.

    `asker` is the person giving the order, with the roles that count for it; an empty account if the house itself acts.
    `all_tables` returns all tables of the house.
    """

    __slots__ = (
        *("accounts", "all_tables", "asker", "at", "entropy", "is_house"),
        *("order", "promotions", "secret", "shelf", "tables"),
    )

    def __init__(
        self,
        shelf: Shelf,
        order: Order,
        at: datetime,
        entropy: Entropy,
        tables: Callable[[str], TableState],
        accounts: Callable[[str], Account],
        promotions: Callable[[str], PromotionState],
        secret: Callable[[str], bytes | None],
        all_tables: Callable[[], list[TableState]],
    ) -> None:
        self.shelf = shelf
        self.order = order
        self.at = at
        self.entropy = entropy
        self.tables = tables
        self.accounts = accounts
        self.promotions = promotions
        self.secret = secret
        self.all_tables = all_tables
        self.is_house = order.who is None
        account = NOBODY if order.who is None else accounts(order.who)
        self.asker = account if order.within is None else account.within(order.within)


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """The outcome of an order: events by stream, the title used, secrets to keep (None: forget), and the reply.

    `sealed` values go into the vault too, and no decision depends on them. A stream without events is one that the
    decision depends on: the write is stored only if nothing has happened there.
    """

    events: dict[str, list[StoredEvent]]
    role: str | None = None
    secrets: dict[str, bytes | None] = {}
    sealed: dict[str, bytes] = {}
    told: Told = {}


Decided = Outcome | Refusal
