"""The clock of promotions: entries close when their terms say so, with those that play has earned."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from time import monotonic

from croupier.house import orders
from croupier.house.promotions import PromotionState
from croupier.house.reporting.plays import Earned, Played, counting_of, earned, tables_that_count
from croupier.house.streams import TABLES, account_stream, name_of, promotion_stream, table_stream
from croupier.server.desk import Desk
from croupier.server.reckoning import Reckoning
from croupier.store.contract import StoreError
from croupier.table.telling import Told

SETTLED = timedelta(seconds=1)  # what was decided before the close may still be on its way into the store
UNDER_WAY = timedelta(seconds=60)  # so long it may be where another process writes: PostgreSQL ends it after that
PAUSE = 0.5  # seconds
AFTER_A_FAULT = 5.0
QUICKER = ("wrong_stage", "promotion_moved_on")  # somebody else was: another process, or a manager with other terms

log = logging.getLogger("croupier.server")


async def play_of(desk: Desk, reckoning: Reckoning, state: PromotionState) -> Played | None:
    """What play has earned in a promotion so far; None where it earns nothing. Raises StoreError."""
    counting = counting_of(state.promotion.terms)
    if counting is None:
        return None
    return await reckoning.plays(counting, dict.fromkeys(_tables_of(desk, state)))


async def own_play_of(desk: Desk, reckoning: Reckoning, state: PromotionState, person: str) -> Earned | None:
    """What somebody's own play has earned so far; None where play earns nothing. Raises StoreError."""
    counting = counting_of(state.promotion.terms)
    if counting is None:
        return None
    upto = {table: desk.house.head(table_stream(table)).version for table in _tables_of(desk, state)}
    return earned(counting, await reckoning.staked_by(person, counting, upto))


def _tables_of(desk: Desk, state: PromotionState) -> list[str]:
    """The tables at which play counts. Raises CorruptStore."""
    _check_whole(desk, state)
    return tables_that_count(desk.house.shelf, state.book, state.promotion.terms, desk.house.tables())


def _check_whole(desk: Desk, state: PromotionState) -> None:
    """Raises CorruptStore for a table that is not at hand and may count: nobody's play is left out without a word."""
    earning = state.promotion.terms.earning
    named = () if earning is None else earning.tables
    for stream, error in desk.damaged.items():
        if stream.startswith(TABLES) and not desk.house.has(stream) and (not named or name_of(stream) in named):
            raise error


class EntriesClock:
    """Closes the entries of every promotion in its time, until it is stopped."""

    def __init__(self, desk: Desk, reckoning: Reckoning) -> None:
        self._desk = desk
        self._reckoning = reckoning
        self._not_before: dict[str, float] = {}  # by a clock that nobody puts back
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._run(), name="croupier-entries")

    async def stop(self) -> None:
        """End; what is under way is stored or not."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            for name in self._due():
                await self._close(name)
            await asyncio.sleep(PAUSE)

    def _due(self) -> list[str]:
        now, ready = self._desk.clock(), monotonic()
        return [
            state.name
            for state in self._desk.house.promotions()
            if _is_over(state, now) and self._not_before.get(state.name, ready) <= ready
        ]

    async def _close(self, name: str) -> None:
        """One promotion. Where its entries cannot be closed now, the others' are, and it is tried again."""
        try:
            told = await self._closed(name)
        except StoreError as error:
            told = {"ok": False, "code": "not_stored", "message": str(error)}
        except Exception as error:  # a fault of the program with one promotion ends no other's clock
            log.exception("%s: a fault", name)
            told = {"ok": False, "code": "fault", "message": f"{type(error).__name__}."}
        if told is not None and not told["ok"] and told["code"] not in QUICKER:
            log.error("The entries of %s are not closed: %s", name, told["message"])
            self._not_before[name] = monotonic() + AFTER_A_FAULT

    async def _closed(self, name: str) -> Told | None:
        """What the house says to it; None where play may still be on its way into the store. Raises StoreError."""
        house = self._desk.house
        state, version = house.promotion(name), house.head(promotion_stream(name)).version
        if self._others_may_store(state):
            return None
        decided = self._decided(table.name for table in house.tables())
        played = await play_of(self._desk, self._reckoning, state)
        if played is not None and any(upto < decided.get(table, 0) for table, upto in played.tables.items()):
            return None
        await self._meet(() if played is None else (entry.entrant for entry in played.entries))
        entries, tables = ((), {}) if played is None else (played.entries, played.tables)
        # With the version: what was counted by some terms is never entered under others.
        deed = orders.CloseEntries(promotion=name, version=version, entries=entries, tables=tables)
        return await self._desk.do(self._desk.order(deed))

    def _others_may_store(self, state: PromotionState) -> bool:
        """Whether play of before the close may still come from another process, in a store that several share.

        The times of a table never run back: one that has a later record has had all that came before.
        """
        closes = state.promotion.terms.time("entries_close")
        if closes is None or counting_of(state.promotion.terms) is None or not hasattr(self._desk.store, "listen"):
            return False
        tables = (self._desk.house.table(table) for table in _tables_of(self._desk, state))
        return self._desk.clock() < closes + UNDER_WAY and not all(table.has_reached(closes) for table in tables)

    async def _meet(self, people: Iterable[str]) -> None:
        """See that their accounts are in memory: who may be in a draw is asked of each."""
        for stream in map(account_stream, people):
            if not self._desk.house.has(stream):
                await self._desk.load(stream)

    def _decided(self, tables: Iterable[str]) -> dict[str, int]:
        """How far these tables have come with all that is decided, stored or not."""
        return {table: self._desk.house.newest_head(table_stream(table)).version for table in tables}


def _is_over(state: PromotionState, now: datetime) -> bool:
    closes = state.promotion.terms.time("entries_close")
    return state.promotion.stage == "running" and closes is not None and now >= closes + SETTLED
