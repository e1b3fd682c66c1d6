"""The first operator of a house, made by whoever may write to its store. All other accounts with roles are theirs."""

from __future__ import annotations

import asyncio
from secrets import token_bytes
from uuid import uuid4

from croupier.house import orders
from croupier.house.deeds.scene import account_stream
from croupier.house.house import House
from croupier.house.orders import AnyDeed, Order
from croupier.server.credentials import Credentials
from croupier.server.desk import Desk
from croupier.server.settings import Settings
from croupier.store.opening import open_store
from croupier.table.refusals import Refusal

OPERATOR = "operator"


def make_operator(settings: Settings, person: str, password: str) -> Refusal | None:
    """Open an operator's account, or make one of an account that is there; the password is set either way.

    Raises StoreError.
    """
    return asyncio.run(_made(settings, person, password))


async def _made(settings: Settings, person: str, password: str) -> Refusal | None:
    store = await asyncio.to_thread(open_store, settings.store)
    desk = Desk(House(), store)
    try:
        changed = Credentials.of(settings, store, token_bytes).replaced(person, password)
        if isinstance(changed, Refusal):
            return changed
        told = await desk.do(Order(id=str(uuid4()), deed=await _deed(desk, person)), changed)
        return None if told["ok"] else Refusal(str(told["code"]), str(told["message"]))
    finally:
        await desk.close()
        await asyncio.to_thread(store.close)


async def _deed(desk: Desk, person: str) -> AnyDeed:
    stream = account_stream(person)
    if desk.store.head(stream).version == 0:
        return orders.OpenAccount(person=person, name=person, roles=(OPERATOR,))
    await desk.load(stream)
    roles = desk.house.account(person).roles | {OPERATOR}
    return orders.ChangeRoles(person=person, roles=tuple(sorted(roles)))
