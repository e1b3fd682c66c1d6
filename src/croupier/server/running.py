"""The clock of the house: tables that run by themselves are asked on when something is due."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from functools import partial
from time import monotonic

from croupier.house import orders
from croupier.house.deeds.rounds import NOTHING_DUE, secret_name
from croupier.house.streams import table_stream
from croupier.server.desk import Desk
from croupier.store.contract import StoreError
from croupier.table.telling import Told

LONGEST_SLEEP = 0.25  # seconds: somebody may sit down meanwhile
AFTER_A_FAULT = 1.0  # seconds

log = logging.getLogger("croupier.server")


class Clockwork:
    """Runs all tables with a rhythm, until it is stopped."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._task: asyncio.Task[None] | None = None
        self._not_before: dict[str, float] = {}  # tables that could not go on, by a clock that nobody puts back
        self._under_way: dict[str, asyncio.Task[None]] = {}

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._run(), name="croupier-clockwork")

    async def stop(self) -> None:
        """End; steps that are under way are stored or not, as if somebody had gone while they waited."""
        tasks = [*self._under_way.values(), *([] if self._task is None else [self._task])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            pause = self._begin_steps()
            if self._under_way:
                await asyncio.wait(self._under_way.values(), timeout=pause, return_when=asyncio.FIRST_COMPLETED)
            else:
                await asyncio.sleep(pause)

    def _begin_steps(self) -> float:
        """Begin everything that is due; how long nothing else is. No table waits for another."""
        now, ready = self._desk.clock(), monotonic()
        idle = [(when, table) for when, table in self._desk.house.due() if table not in self._under_way]
        held = {table: self._not_before[table] - ready for _, table in idle if table in self._not_before}
        for when, table in idle:
            if when <= now and held.get(table, 0.0) <= 0:
                task = self._under_way[table] = asyncio.create_task(self._step(table), name=f"croupier-clock-{table}")
                task.add_done_callback(partial(self._has_ended, table))
        waits = [max((when - now) / timedelta(seconds=1), held.get(table, 0.0)) for when, table in idle]
        return min([LONGEST_SLEEP, *(wait for wait in waits if wait > 0)])

    def _has_ended(self, table: str, _: asyncio.Task[None]) -> None:
        self._under_way.pop(table, None)

    async def _step(self, table: str) -> None:
        """One table. Where it cannot go on now, the others do, and it is asked again after a while."""
        self._not_before.pop(table, None)
        try:
            told = await self._run_on(table)
            if told.get("code") == "secret_missing" and await self._is_lost(table):
                log.error("%s gives its round up: %s", table, told["message"])
                told = await self._run_on(table, lost=True)
        except StoreError as error:
            told = {"ok": False, "code": "not_stored", "message": str(error)}
        except Exception as error:  # a fault of the program at one table ends no other's clock
            log.exception("%s: a fault", table)
            told = {"ok": False, "code": "fault", "message": f"{type(error).__name__}."}
        if not told["ok"] and told["code"] != NOTHING_DUE.code:  # another process may have been quicker
            log.error("%s does not go on: %s", table, told["message"])
            self._not_before[table] = monotonic() + AFTER_A_FAULT

    async def _run_on(self, table: str, *, lost: bool = False) -> Told:
        return await self._desk.do(self._desk.order(orders.RunOn(table=table, lost=lost)))

    async def _is_lost(self, table: str) -> bool:
        """Whether the secret of the round is nowhere: the store itself is asked, and at the newest event."""
        stream = table_stream(table)
        await self._desk.load(stream)
        current = self._desk.house.table(table).round
        if current is None or self._desk.house.newest_head(stream) != self._desk.house.head(stream):
            return False
        return await asyncio.to_thread(self._desk.store.secret, secret_name(table, current.number)) is None
