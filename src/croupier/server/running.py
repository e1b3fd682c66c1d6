"""The clock of the house: tables that run by themselves are asked on when something is due."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from uuid import uuid4

from croupier.house import orders
from croupier.house.orders import Order
from croupier.server.desk import Desk
from croupier.store.contract import StoreError

LONGEST_SLEEP = 0.25  # seconds: somebody may sit down meanwhile
AFTER_A_FAULT = 1.0


class Clockwork:
    """Runs all tables with a rhythm, until it is stopped."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._task: asyncio.Task[None] | None = None

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
            try:
                pause = await self._steps()
            except StoreError:  # the store will be back, or the house will be closed
                pause = AFTER_A_FAULT
            await asyncio.sleep(pause)

    async def _steps(self) -> float:
        """Everything that is due; how long nothing else is."""
        now = self._desk.clock()
        due = self._desk.house.due()
        tables = [table for when, table in due if when <= now]
        await asyncio.gather(
            *(self._desk.do(Order(id=str(uuid4()), deed=orders.RunOn(table=table))) for table in tables)
        )
        if tables or not due:
            return 0.0 if tables else LONGEST_SLEEP
        return min(LONGEST_SLEEP, max(0.0, (due[0][0] - now) / timedelta(seconds=1)))
