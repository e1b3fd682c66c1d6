"""The clock that closes entries, with several processes that write into one store."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest

from croupier.house import orders
from croupier.house.house import House
from croupier.house.names import promotion_stream
from croupier.prizes.terms import Earning
from croupier.server.clocks import UNDER_WAY, EntriesClock
from croupier.server.order_processor import OrderProcessor
from croupier.server.reports import ReportWorker
from croupier.store.memory import MemoryStore
from tests.promoting import CLOSE, NAME, SHELF, START, Promoting
from tests.promotions import CRAPS

SECOND = timedelta(seconds=1)


class Shared(MemoryStore):
    """A store into which other processes write, and which announces that."""

    def listen(self) -> None:
        """No one is notified here."""


class Played:
    """A process in which ann plays for a promotion; `closed` is the result when another process closes the entries."""

    def __init__(self, store: MemoryStore) -> None:
        self.house = Promoting(store=store).started(earning=Earning(10_00)).house
        self.house.dealt_table(CRAPS)
        self.house.person("dora", "dealer")
        self.house.ok(orders.TakePost(table="dealt", role="dealer"), "dora")
        self.house.ok(orders.Sit(table="dealt", cents=100_00), "ann")

    def play(self, at: datetime) -> None:
        """Ann stakes ten dollars, and a throw decides the bet."""
        self.house.at = at
        assert self.house.say("dealt", "ann", "bet", wager="any_seven", amount="10.00")["ok"]
        assert self.house.say("dealt", "dora", "roll", dice=[3, 4])["ok"]

    def closed(self, after: timedelta) -> int | None:
        """Ann's tickets, this long after the time in the terms; None if the close waits."""
        return asyncio.run(self._closed(after))

    async def _closed(self, after: timedelta) -> int | None:
        processor = OrderProcessor(House(SHELF), self.house.store, clock=lambda: CLOSE + after)
        await processor.open_tables()
        await processor.load(promotion_stream(NAME))
        told = await EntriesClock(processor, ReportWorker(self.house.store, SHELF))._closed(NAME)
        entries = processor.house.promotion(NAME).promotion.entries
        await processor.close()
        if told is None:
            return None
        assert told["ok"], told
        return entries["ann"].weight if entries else 0


@pytest.fixture
def shared() -> Played:
    played = Played(Shared())
    played.play(START)
    return played


def test_play_that_another_process_stores_late_counts_because_the_close_waits_for_it(shared: Played) -> None:
    assert shared.closed(2 * SECOND) is None
    shared.play(CLOSE - SECOND)  # decided before the close, stored after it
    assert shared.closed(UNDER_WAY - SECOND) is None
    assert shared.closed(UNDER_WAY) == 2


def test_a_table_that_has_gone_on_since_the_close_is_not_waited_for(shared: Played) -> None:
    shared.play(CLOSE)
    assert shared.closed(2 * SECOND) == 1


def test_nobody_is_waited_for_where_one_process_has_the_store() -> None:
    played = Played(MemoryStore())
    played.play(START)
    assert played.closed(2 * SECOND) == 1
