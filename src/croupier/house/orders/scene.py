"""What a deed is decided by: the house as it is, who asks, and the time. And what comes of it, before it is stored."""

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
GIVEN = ("at", "as", "who")  # what the house says of every line itself, whatever the line says


class Scene:
    """The house at one moment, as far as an order is concerned with it. What is not there is new and empty.

    `asker` is who asks, with the roles that count for this order; nobody's account where the house itself acts.
    `all_tables` are those that the house has.
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
    """What a deed leads to: events by stream, the title acted under, secrets to keep (None: forget), what to tell.

    What is `sealed` goes into the vault too, and nobody decides anything by it. A stream without events is one that it
    was decided by: what is stored holds only if nothing has happened there.
    """

    events: dict[str, list[StoredEvent]]
    role: str | None = None
    secrets: dict[str, bytes | None] = {}
    sealed: dict[str, bytes] = {}
    told: Told = {}


Decided = Outcome | Refusal
