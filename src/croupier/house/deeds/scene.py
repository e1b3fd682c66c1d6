"""What a deed is decided by: the house as it is, who asks, and the time. And what comes of it, before it is stored."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

import msgspec

from croupier.house.accounts import Account
from croupier.house.documents import StoredEvent
from croupier.house.orders import Order
from croupier.house.tables import TableState
from croupier.rules.shelf import Shelf
from croupier.table.refusals import Refusal
from croupier.table.telling import Told

Entropy = Callable[[int], bytes]


def table_stream(table: str) -> str:
    """The stream of a table."""
    return f"table/{table}"


def account_stream(person: str) -> str:
    """The stream of an account book."""
    return f"account/{person}"


class Scene(NamedTuple):
    """The house at one moment, as far as an order is concerned with it. What is not there is new and empty."""

    shelf: Shelf
    order: Order
    at: datetime
    entropy: Entropy
    tables: Callable[[str], TableState]
    accounts: Callable[[str], Account]
    secret: Callable[[str], bytes | None]

    @property
    def asker(self) -> Account:
        """Who asks, with the roles that count for this order; nobody's account where the house itself acts."""
        if self.order.who is None:
            return Account()
        account, within = self.accounts(self.order.who), self.order.within
        return account if within is None else msgspec.structs.replace(account, roles=account.roles.intersection(within))

    @property
    def is_house(self) -> bool:
        """Whether the house itself acts."""
        return self.order.who is None


class Outcome(msgspec.Struct, frozen=True):
    """What a deed leads to: events by stream, the title acted under, secrets to keep (None: forget), what to tell."""

    events: dict[str, list[StoredEvent]]
    role: str | None = None
    secrets: dict[str, bytes | None] = {}
    told: Told = {}


Decided = Outcome | Refusal
