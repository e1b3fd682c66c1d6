"""The desk: orders of many people at once, each decided on the newest state and answered once it is stored.

Decisions are made in the thread of the loop, one after the other. Writes go to the store's own thread in groups. What
became of a group comes back in one step and is settled in the order in which it was decided, so that what people see
of a stream never goes back or skips.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from secrets import token_bytes
from typing import NamedTuple

from croupier.house.house import House, NotLoaded, Pending
from croupier.house.orders import Order
from croupier.store.contract import Boundary, InDoubt, Store, StoreError, nothing
from croupier.store.group import Scribe
from croupier.store.records import Outcome, Record, Write
from croupier.table.telling import Told

NOTHING = Write()
MOST_TRIES = 100  # a stream that others write to without end would keep an order waiting for ever


class Ticket(NamedTuple):
    """Whoever waits for a write."""

    pending: Pending
    reply: asyncio.Future[Told | None]


class Desk:
    """One house, one store, one loop."""

    def __init__(
        self,
        house: House,
        store: Store,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        entropy: Callable[[int], bytes] = token_bytes,
        boundary: Boundary = nothing,
    ) -> None:
        self.house = house
        self.store = store
        self.clock = clock
        self.entropy = entropy
        self._loop = asyncio.get_running_loop()
        self._scribe: Scribe[Ticket] = Scribe(store, self._hand_over, boundary=boundary)
        self._loading: dict[str, asyncio.Future[None]] = {}

    async def do(self, order: Order) -> Told:
        """Carry an order out. Raises StoreError where it cannot be stored; nothing has happened then.

        An order that was in doubt is decided again: where it was stored after all, its key brings the first answer.
        """
        for _ in range(MOST_TRIES):
            pending = await self._decided(order)
            if pending.write == NOTHING:
                return pending.answer
            try:
                reply = await self._stored(pending)
            except InDoubt:
                if order.key is None and order.who is not None:
                    raise
                reply = None
            if reply is not None:
                return reply
            for stream in pending.drafted:
                await self.load(stream)
        raise StoreError("Others were quicker again and again: try again in a moment.")

    async def _decided(self, order: Order) -> Pending:
        while True:
            try:
                return self.house.decide(order, self.clock(), self.entropy)
            except NotLoaded as missing:
                await self.load(missing.stream)

    async def _stored(self, pending: Pending) -> Told | None:
        reply: asyncio.Future[Told | None] = self._loop.create_future()
        try:
            self._scribe.hand_in(pending.write, Ticket(pending, reply))
        except StoreError:
            self.house.failed(pending)
            raise
        return await asyncio.shield(reply)  # who stops waiting does not take the write back

    def _hand_over(self, tickets: list[Ticket], outcomes: list[Outcome | StoreError]) -> None:
        try:
            self._loop.call_soon_threadsafe(self._settle, tickets, outcomes)
        except RuntimeError:
            return  # the loop is closed, and nobody waits any more

    def _settle(self, tickets: list[Ticket], outcomes: list[Outcome | StoreError]) -> None:
        for (pending, reply), outcome in zip(tickets, outcomes, strict=True):
            if isinstance(outcome, StoreError):
                self.house.failed(pending)
                if not reply.cancelled():
                    reply.set_exception(outcome)
                    reply.exception()  # whoever stopped waiting does not have to hear of it
            else:
                told = self.house.settle(pending, outcome)
                if not reply.cancelled():
                    reply.set_result(told)

    async def load(self, stream: str) -> None:
        """Take a stream in, or catch up with what others have written to it. Several who ask wait for one reading."""
        under_way = self._loading.get(stream)
        if under_way is None:
            under_way = self._loading[stream] = asyncio.ensure_future(self._load(stream))
            under_way.add_done_callback(lambda _: self._loading.pop(stream, None))
        await asyncio.shield(under_way)

    async def _load(self, stream: str) -> None:
        after = self.house.head(stream).version if self.house.has(stream) else 0
        records, secrets = await asyncio.to_thread(self._read, stream, after)
        self.house.take_in(stream, records, secrets)

    def _read(self, stream: str, after: int) -> tuple[list[Record], dict[str, bytes]]:
        kept = self.store.secrets(f"dice/{stream.removeprefix('table/')}/") if stream.startswith("table/") else []
        return self.store.read(stream, after), {one.name: one.value for one in kept if one.value is not None}

    async def close(self) -> None:
        """Store what waits, and take nothing more."""
        await asyncio.to_thread(self._scribe.close)
