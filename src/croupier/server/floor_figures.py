"""Figures for the floor: shows the latest available ones at once and updates them in the background."""

from __future__ import annotations

import asyncio
import logging

from croupier.house.names import table_stream
from croupier.house.queries import Glance
from croupier.server.reports import ReportWorker
from croupier.server.running_house import RunningHouse
from croupier.store.contract import StoreError

PATIENCE = 1.5  # seconds a request waits for the newest figures before it gets the last known ones

log = logging.getLogger("croupier.server")


class Glances:
    """The newest figures of all tables, computed once for all callers, and only where something is new."""

    def __init__(self, running_house: RunningHouse, report_worker: ReportWorker) -> None:
        self._running_house = running_house
        self._report_worker = report_worker
        self._known: dict[str, Glance] = {}
        self._under_way: asyncio.Task[None] | None = None

    async def at_hand(self) -> dict[str, Glance]:
        """Return the figures by table, without a long wait; a table that is missing is still being computed."""
        if self._under_way is None or self._under_way.done():
            self._under_way = asyncio.create_task(self._refresh(), name="croupier-glances")
        await asyncio.wait([self._under_way], timeout=PATIENCE)
        return self._known

    async def _refresh(self) -> None:
        house, now = self._running_house.house, self._running_house.clock()
        for state in house.tables():
            stream = table_stream(state.name)
            if stream in self._running_house.damaged:
                continue
            zone = house.shelf.game(state.game.terms[-1]).book.rules.book.timezone
            try:
                glance = await self._report_worker.glance(state.name, house.head(stream).version, zone, now)
            except StoreError as error:
                self._running_house.note_damage(error)
                log.error("no figures of %s", stream, extra={"reason": str(error)})
                continue
            self._known[state.name] = glance
