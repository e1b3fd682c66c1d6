"""Creates the first operator of a house, who can then create all other accounts with roles.

It needs write access to the store, not a running server.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from croupier.contract.replies import ProblemBody
from croupier.house import orders
from croupier.house.house import House
from croupier.house.names import account_stream
from croupier.house.orders import Order
from croupier.server.credentials import Credentials
from croupier.server.order_processor import OrderProcessor
from croupier.server.settings import Settings
from croupier.server.system import key_there, new_key
from croupier.store.checkpoints import trusted
from croupier.store.contract import Store
from croupier.store.opening import open_store
from croupier.store.records import Secret
from croupier.table.refusals import Refusal

OPERATOR = "operator"


def make_operator(settings: Settings, person: str, password: str) -> Refusal | None:
    """Open an operator's account, or make an existing account an operator's; set the password either way.

    Raises StoreError.
    """
    return asyncio.run(_made(settings, person, password))


async def _made(settings: Settings, person: str, password: str) -> Refusal | None:
    key = await asyncio.to_thread(key_there, settings)
    store = await asyncio.to_thread(open_store, settings.store)
    try:
        key = key if key is not None else await asyncio.to_thread(new_key, settings, store)
        await asyncio.to_thread(trusted, store, key, settings.name, datetime.now(UTC))
        return await _made_in(settings, store, person, password)
    finally:
        await asyncio.to_thread(store.close)


async def _made_in(settings: Settings, store: Store, person: str, password: str) -> Refusal | None:
    processor = OrderProcessor(House(), store)
    try:
        changed = Credentials.of(settings, store, processor.entropy).replaced(person, password, by_another=True)
        if isinstance(changed, Refusal):
            return changed
        *before, last = await _orders(processor, person)
        return await _done(processor, before) or await _done(processor, [last], changed)
    finally:
        await processor.close()


async def _orders(processor: OrderProcessor, person: str) -> list[Order]:
    """List the orders to give. The password is stored with the last one, so that the account's events record it."""
    await processor.load(account_stream(person))
    account = processor.house.account(person)
    if not account.is_open:
        return [orders.OpenAccount(person=person, name=person, roles=(OPERATOR,))]
    roles = tuple(sorted(account.roles | {OPERATOR}))
    changes = [] if OPERATOR in account.roles else [orders.ChangeRoles(person=person, roles=roles)]
    return [*changes, orders.SetPassword(person=person)]


async def _done(processor: OrderProcessor, given: list[Order], beside: tuple[Secret, ...] = ()) -> Refusal | None:
    for order in given:
        told = await processor.do(processor.submission(order), beside)
        if isinstance(told, ProblemBody):
            return Refusal(told.code, told.message)
    return None
