"""Who is present at tables that run by themselves: players whose page is open, or who give orders.

Only changes are stored, as events of the table, so that all processes of a house know who is away, even after a
restart. A process sees only its own listeners. Where several processes share a store, one reports a player as away at
once only if the player was connected to it and has left. If it reports a player who is connected elsewhere, the other
process corrects the report.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from datetime import datetime, timedelta

from croupier.house import orders
from croupier.house.names import account_stream, table_stream
from croupier.house.orders import NOTHING_DUE
from croupier.house.queries import TableState
from croupier.server.live import Broadcaster
from croupier.server.order_processor import OrderProcessor
from croupier.server.settings import Settings
from croupier.store.contract import StoreError

BETWEEN_LOOKS = 1.0  # seconds
ELSEWHERE = timedelta(minutes=30)  # how long a player whom another process may hear is taken to be there

log = logging.getLogger("croupier.server")


class Presence:
    """Notes who goes away and who comes back, and frees the seats of those who stay away."""

    def __init__(self, processor: OrderProcessor, broadcaster: Broadcaster, settings: Settings) -> None:
        self._processor = processor
        self._broadcaster = broadcaster
        self._away_after = timedelta(seconds=settings.away_seconds)
        self._seat_minutes = settings.seat_minutes
        self._is_alone = not hasattr(processor.store, "listen")
        self._heard: dict[tuple[str, str], datetime] = {}  # by table and player: when they were last heard
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start looking."""
        self._task = asyncio.create_task(self._run(), name="croupier-presence")

    async def stop(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def acted(self, table: str, person: str) -> None:
        """Note that a person has given an order at a table."""
        self._heard[table, person] = self._processor.clock()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(BETWEEN_LOOKS)
            try:
                await self.look()
            except StoreError as error:
                log.error("presence could not be recorded", extra={"reason": str(error)})
            except Exception:  # one bug must not end the loop
                log.exception("presence could not be recorded")

    async def look(self) -> None:
        """Check once who is present, and give the orders that follow. Raises StoreError."""
        now, tables = self._processor.clock(), self._processor.house.tables()
        seated = {(table.name, person) for table in tables if table.rhythm is not None for person in table.game.chips}
        for gone in self._heard.keys() - seated:
            del self._heard[gone]
        due = [order for table in tables if table.rhythm is not None for order in self._due(table, now)]
        for order in due:
            stream = account_stream(order.person)
            if isinstance(order, orders.FreeSeat) and not self._processor.house.has(stream):
                await self._processor.load(stream)
            told = await self._processor.do(self._processor.submission(order))
            if not told["ok"] and told["code"] != NOTHING_DUE.code:
                log.error("%s at %s: %s", order.person, order.table, told["message"])

    def _due(self, table: TableState, now: datetime) -> Iterator[orders.NotePresence | orders.FreeSeat]:
        for person in table.game.chips:
            is_here = self._is_here(table, person, now)
            if is_here is (person in table.away):
                yield orders.NotePresence(table=table.name, person=person, here=is_here)
            elif not is_here and self._has_stayed_away(table, person, now):
                yield orders.FreeSeat(table=table.name, person=person, minutes=self._seat_minutes)

    def _has_stayed_away(self, table: TableState, person: str, now: datetime) -> bool:
        """Return whether the seat of a player can be given to others."""
        if not orders.may_be_freed(table, person):
            return False
        return now >= table.away[person] + timedelta(minutes=self._seat_minutes)

    def _is_here(self, table: TableState, person: str, now: datetime) -> bool:
        """Return whether a player is there: heard now, or a short time ago."""
        place = table.name, person
        if self._broadcaster.hears(table_stream(table.name), person):
            self._heard[place] = now
            return True
        if place not in self._heard:
            if person in table.away:
                return False
            self._heard[place] = now if self._is_alone else now + ELSEWHERE
        if now - self._heard[place] < self._away_after:
            return True
        del self._heard[place]
        return False
