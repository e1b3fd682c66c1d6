"""The clock of the house: tables that run by themselves are asked on when something is due."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import uuid4

from croupier.house import orders
from croupier.house.deeds.rounds import NOTHING_DUE
from croupier.house.orders import Order
from croupier.server.desk import Desk
from croupier.store.contract import StoreError

LONGEST_SLEEP = 0.25  # seconds: somebody may sit down meanwhile
AFTER_A_FAULT = timedelta(seconds=1)

log = logging.getLogger("croupier.server")


class Clockwork:
    """Runs all tables with a rhythm, until it is stopped."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._task: asyncio.Task[None] | None = None
        self._not_before: dict[str, datetime] = {}  # tables that could not go on

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._run(), name="croupier-clockwork")

    async def stop(self) -> None:
        """End after the step that is under way."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(await self._steps())

    async def _steps(self) -> float:
        """Everything that is due; how long nothing else is."""
        now = self._desk.clock()
        due = [(max(when, self._not_before.get(table, when)), table) for when, table in self._desk.house.due()]
        tables = [table for when, table in due if when <= now]
        await asyncio.gather(*map(self._step, tables))
        if tables or not due:
            return 0.0 if tables else LONGEST_SLEEP
        return min(LONGEST_SLEEP, max(0.0, (min(due)[0] - now) / timedelta(seconds=1)))

    async def _step(self, table: str) -> None:
        """One table. Where it cannot go on now, the others do, and it is asked again after a while."""
        self._not_before.pop(table, None)
        try:
            told = await self._desk.do(Order(id=str(uuid4()), deed=orders.RunOn(table=table)))
        except StoreError as error:
            told = {"ok": False, "code": "not_stored", "message": str(error)}
        if not told["ok"] and told["code"] != NOTHING_DUE.code:  # another process may have been quicker
            log.error("%s does not go on: %s", table, told["message"])
            self._not_before[table] = self._desk.clock() + AFTER_A_FAULT
