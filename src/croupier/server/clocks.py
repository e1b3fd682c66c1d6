"""The clocks of the house: one advances tables that run by themselves, one closes the entries of promotions.

A clock only submits orders when something is due; the house decides what happens.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from time import monotonic

from croupier.contract.replies import OrderReply, ProblemBody
from croupier.house import orders
from croupier.house.names import TABLES, account_stream, name_of, promotion_stream, table_stream
from croupier.house.orders import NOTHING_DUE, secret_name
from croupier.house.queries import Earned, Played, PromotionState, counting_of, earned, tables_that_count
from croupier.server.order_processor import OrderProcessor
from croupier.server.reports import ReportWorker
from croupier.store.contract import StoreError

LONGEST_SLEEP = 0.25  # seconds
SHORTEST_SLEEP = 0.01  # at a table with thousands of bets a second, not every one of them is looked at
AFTER_A_FAULT = 1.0  # seconds before a table is tried again
AFTER_A_PROMOTION_FAULT = 5.0

log = logging.getLogger("croupier.server")


class Clockwork:
    """Advances all tables with a rhythm until it is stopped."""

    def __init__(self, processor: OrderProcessor) -> None:
        self._processor = processor
        self._task: asyncio.Task[None] | None = None
        self._not_before: dict[str, float] = {}  # tables that could not advance, by a monotonic clock
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Look again: something has happened at a table, and its next step may be due."""
        self._news.set()

    def start(self) -> None:
        """Start the clock."""
        self._task = asyncio.create_task(self._run(), name="croupier-clockwork")

    async def stop(self) -> None:
        """Stop the clock. Steps in progress may or may not be stored."""
        tasks = [*self._under_way.values(), *([] if self._task is None else [self._task])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            self._news.clear()
            pause = self._begin_steps()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), pause)
            await asyncio.sleep(min(SHORTEST_SLEEP, pause))

    def _begin_steps(self) -> float:
        """Start every step that is due; return the seconds until the next one. Tables do not wait for each other."""
        now, ready = self._processor.clock(), monotonic()
        idle = [(when, table) for when, table in self._processor.house.due() if table not in self._under_way]
        held = {table: self._not_before[table] - ready for _, table in idle if table in self._not_before}
        for when, table in idle:
            if when <= now and held.get(table, 0.0) <= 0:
                task = self._under_way[table] = asyncio.create_task(self._step(table), name=f"croupier-clock-{table}")
                task.add_done_callback(partial(self._has_ended, table))
        waits = [max((when - now) / timedelta(seconds=1), held.get(table, 0.0)) for when, table in idle]
        return min([LONGEST_SLEEP, *(wait for wait in waits if wait > 0)])

    def _has_ended(self, table: str, _: asyncio.Task[None]) -> None:
        self._under_way.pop(table, None)
        self.wake()

    async def _step(self, table: str) -> None:
        """Advance one table. If it fails, the others continue and it is tried again after a while."""
        self._not_before.pop(table, None)
        try:
            told = await self._run_on(table)
            if isinstance(told, ProblemBody) and told.code == "secret_missing" and await self._is_lost(table):
                log.error("%s abandons its round: %s", table, told.message)
                told = await self._run_on(table, lost=True)
        except StoreError as error:
            told = ProblemBody(code="not_stored", message=str(error))
        except Exception as error:  # a bug at one table must not stop the others
            log.exception("%s: a fault", table)
            told = ProblemBody(code="fault", message=f"{type(error).__name__}.")
        if isinstance(told, ProblemBody) and told.code != NOTHING_DUE.code:  # another process may have been quicker
            log.error("%s cannot continue: %s", table, told.message)
            self._not_before[table] = monotonic() + AFTER_A_FAULT

    async def _run_on(self, table: str, *, lost: bool = False) -> OrderReply:
        return await self._processor.do(self._processor.submission(orders.RunOn(table=table, lost=lost)))

    async def _is_lost(self, table: str) -> bool:
        """Return whether the round's secret is lost: not in the store itself, as of the newest event."""
        stream = table_stream(table)
        await self._processor.load(stream)
        current = self._processor.house.table(table).round
        if current is None or self._processor.house.newest_head(stream) != self._processor.house.head(stream):
            return False
        return await asyncio.to_thread(self._processor.store.secret, secret_name(table, current.number)) is None


# Promotions: entries close when their terms say so, including those earned by play

SETTLED = timedelta(seconds=1)  # orders decided before the close may still be being stored
UNDER_WAY = timedelta(seconds=60)  # how long another process's write may take: PostgreSQL ends it after that
PAUSE = 0.5  # seconds
QUICKER = ("wrong_stage", "promotion_moved_on")  # another process closed the entries, or a manager changed the terms


async def play_of(processor: OrderProcessor, report_worker: ReportWorker, state: PromotionState) -> Played | None:
    """Return what play has earned in a promotion so far; None if play earns nothing. Raises StoreError."""
    counting = counting_of(state.promotion.terms)
    if counting is None:
        return None
    return await report_worker.plays(counting, dict.fromkeys(_tables_of(processor, state)))


async def own_play_of(
    processor: OrderProcessor, report_worker: ReportWorker, state: PromotionState, person: str
) -> Earned | None:
    """Return what a person's play has earned so far; None if play earns nothing. Raises StoreError."""
    counting = counting_of(state.promotion.terms)
    if counting is None:
        return None
    upto = {table: processor.house.head(table_stream(table)).version for table in _tables_of(processor, state)}
    return earned(counting, await report_worker.staked_by(person, counting, upto))


def _tables_of(processor: OrderProcessor, state: PromotionState) -> list[str]:
    """List the tables where play counts. Raises CorruptStore."""
    _check_whole(processor, state)
    return tables_that_count(processor.house.shelf, state.book, state.promotion.terms, processor.house.tables())


def _check_whole(processor: OrderProcessor, state: PromotionState) -> None:
    """Raise CorruptStore for a damaged table whose play may count: it must not be left out silently."""
    earning = state.promotion.terms.earning
    named = () if earning is None else earning.tables
    for stream, error in processor.damaged.items():
        if stream.startswith(TABLES) and not processor.house.has(stream) and (not named or name_of(stream) in named):
            raise error


class EntriesClock:
    """Closes the entries of every promotion on time, until it is stopped."""

    def __init__(self, processor: OrderProcessor, report_worker: ReportWorker) -> None:
        self._processor = processor
        self._report_worker = report_worker
        self._not_before: dict[str, float] = {}  # by a monotonic clock
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the clock."""
        self._task = asyncio.create_task(self._run(), name="croupier-entries")

    async def stop(self) -> None:
        """Stop the clock. An order in progress may or may not be stored."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            for name in self._due():
                await self._close(name)
            await asyncio.sleep(PAUSE)

    def _due(self) -> list[str]:
        now, ready = self._processor.clock(), monotonic()
        return [
            state.name
            for state in self._processor.house.promotions()
            if _is_over(state, now) and self._not_before.get(state.name, ready) <= ready
        ]

    async def _close(self, name: str) -> None:
        """Close the entries of one promotion. If that fails, the others continue and it is tried again."""
        try:
            told = await self._closed(name)
        except StoreError as error:
            told = ProblemBody(code="not_stored", message=str(error))
        except Exception as error:  # a bug with one promotion must not stop the others
            log.exception("%s: a fault", name)
            told = ProblemBody(code="fault", message=f"{type(error).__name__}.")
        if isinstance(told, ProblemBody) and told.code not in QUICKER:
            log.error("The entries of %s could not be closed: %s", name, told.message)
            self._not_before[name] = monotonic() + AFTER_A_PROMOTION_FAULT

    async def _closed(self, name: str) -> OrderReply | None:
        """Return the house's reply; None if play may still be being stored. Raises StoreError."""
        house = self._processor.house
        state, version = house.promotion(name), house.head(promotion_stream(name)).version
        if self._others_may_store(state):
            return None
        decided = self._decided(table.name for table in house.tables())
        played = await play_of(self._processor, self._report_worker, state)
        if played is not None and any(upto < decided.get(table, 0) for table, upto in played.tables.items()):
            return None
        await self._meet(() if played is None else (entry.entrant for entry in played.entries))
        entries, tables = ((), {}) if played is None else (played.entries, played.tables)
        # The version ensures that entries counted under some terms are never entered under others.
        order = orders.CloseEntries(promotion=name, version=version, entries=entries, tables=tables)
        return await self._processor.do(self._processor.submission(order))

    def _others_may_store(self, state: PromotionState) -> bool:
        """Return whether another process on the same store may still store play from before the close.

        Times at a table never run backwards: a table with a later record has all earlier ones.
        """
        closes = state.promotion.terms.time("entries_close")
        if closes is None or counting_of(state.promotion.terms) is None or not hasattr(self._processor.store, "listen"):
            return False
        tables = (self._processor.house.table(table) for table in _tables_of(self._processor, state))
        return self._processor.clock() < closes + UNDER_WAY and not all(table.has_reached(closes) for table in tables)

    async def _meet(self, people: Iterable[str]) -> None:
        """Load the accounts of these people: the draw checks whether each of them may take part."""
        for stream in map(account_stream, people):
            if not self._processor.house.has(stream):
                await self._processor.load(stream)

    def _decided(self, tables: Iterable[str]) -> dict[str, int]:
        """Return how far these tables have come in all decisions, stored or not."""
        return {table: self._processor.house.newest_head(table_stream(table)).version for table in tables}


def _is_over(state: PromotionState, now: datetime) -> bool:
    closes = state.promotion.terms.time("entries_close")
    return state.promotion.stage == "running" and closes is not None and now >= closes + SETTLED
