"""Who is present, as the server sees it: open pages and orders, in one process or in several on one store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any, cast

import pytest

from croupier.contract.replies import OrderReply
from croupier.house import orders
from croupier.house.events import PlayerAway, PlayerBack, Rhythm
from croupier.house.queries import Viewer
from croupier.server.live import Broadcaster
from croupier.server.order_processor import OrderProcessor
from croupier.server.presence import ELSEWHERE, Presence
from croupier.server.settings import Settings
from tests.houses import TestHouse

TABLE, STREAM = "clock", "table/clock"
AWAY, SEAT = timedelta(seconds=15), timedelta(minutes=5)


class Process:
    """As much of a house's process as presence needs: it handles orders, and people listen to it."""

    def __init__(self, house: TestHouse, *, shared: bool = False) -> None:
        self.test_house = house
        self.house = house.house
        self.store = cast(Any, type("Shared", (), {"listen": None})() if shared else object())
        self.broadcaster = Broadcaster(10)
        self.presence = Presence(cast(OrderProcessor, self), self.broadcaster, Settings())

    def clock(self) -> Any:  # noqa: ANN401
        return self.test_house.at

    def submission(self, order: orders.Order) -> orders.Order:
        return order

    async def do(self, order: orders.Order) -> OrderReply:
        return self.test_house.do(order)

    async def load(self, stream: str) -> None:
        self.test_house.load(stream)

    def listen(self, person: str) -> Callable[[], None]:
        """Open a page; return the function that closes it."""
        return self.broadcaster.listen(STREAM, lambda: Viewer(person), person).leave

    async def look(self, after: timedelta = timedelta()) -> None:
        """Check once, some time later."""
        self.test_house.wait(after.total_seconds())
        await self.presence.look()

    @property
    def away(self) -> set[str]:
        return set(self.house.table(TABLE).away)

    @property
    def seated(self) -> set[str]:
        return set(self.house.table(TABLE).game.chips)


@pytest.fixture
def house() -> TestHouse:
    house = TestHouse()
    house.clock_table("craps-nsw-2024", TABLE, Rhythm(waits=True))
    for who in ("ann", "ben"):
        house.person(who)
        house.ok(orders.Sit(table=TABLE, cents=100_00), who)
    return house


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_a_closed_page_is_an_absent_player_after_a_while_and_frees_the_seat_later(house: TestHouse) -> None:
    async def evening() -> None:
        process = Process(house)
        process.listen("ann")
        close = process.listen("ben")
        await process.look()
        close()
        await process.look(AWAY - timedelta(seconds=1))
        assert process.away == set(), "a page that is loaded again"
        await process.look(timedelta(seconds=1))
        assert process.away == {"ben"}
        await process.look(SEAT - timedelta(seconds=1))
        assert process.seated == {"ann", "ben"}
        await process.look(timedelta(seconds=1))
        assert process.seated == {"ann"}
        assert house.house.account("ben").chips == 1000_00

    run(evening())


def test_of_two_pages_one_is_enough(house: TestHouse) -> None:
    async def evening() -> None:
        process = Process(house)
        process.listen("ben")
        close = process.listen("ann")
        process.listen("ann")
        close()
        for _ in range(5):
            await process.look(AWAY)
        assert process.away == set()

    run(evening())


def test_who_opens_the_page_again_is_back_and_so_is_who_gives_an_order(house: TestHouse) -> None:
    async def evening() -> None:
        process = Process(house)
        await process.look()
        await process.look(AWAY)
        assert process.away == {"ann", "ben"}
        process.listen("ann")
        process.presence.acted(TABLE, "ben")
        await process.look()
        assert process.away == set()
        await process.look(AWAY)
        assert process.away == {"ben"}, "one order is no open page"

    run(evening())


def test_nothing_is_stored_while_nothing_changes(house: TestHouse) -> None:
    async def evening() -> None:
        process = Process(house)
        process.listen("ann")
        process.listen("ben")
        house.wait(1)
        before = house.house.head(STREAM).version
        for _ in range(100):
            await process.look(timedelta(seconds=1))
        assert house.house.head(STREAM).version == before

    run(evening())


def test_after_a_restart_pages_have_time_to_come_back(house: TestHouse) -> None:
    async def evening() -> None:
        await Process(house).look(timedelta(hours=1))
        process = Process(house)
        await process.look()
        process.listen("ann")
        await process.look(AWAY)
        assert process.away == {"ben"}

    run(evening())


def test_a_process_leaves_those_to_another_whom_it_never_heard(house: TestHouse) -> None:
    async def evening() -> None:
        one, other = Process(house, shared=True), Process(house, shared=True)
        one.listen("ann")
        other.listen("ben")
        for _ in range(100):
            await one.look(timedelta(seconds=10))
            await other.look()
        assert [type(event) for event in house.events(STREAM)].count(PlayerAway) == 0
        await one.look(ELSEWHERE)
        await other.look()
        await one.look()
        assert one.away == set(), "called away, and back at once"
        kinds = [type(event) for event in house.events(STREAM)]
        assert kinds.count(PlayerAway) == kinds.count(PlayerBack)
        assert one.seated == {"ann", "ben"}

    run(evening())


def test_a_player_who_goes_on_in_another_process_is_there(house: TestHouse) -> None:
    async def evening() -> None:
        one, other = Process(house, shared=True), Process(house, shared=True)
        one.listen("ben")
        close = one.listen("ann")
        await one.look()
        close()
        other.listen("ann")
        for _ in range(20):
            await one.look(timedelta(seconds=5))
            await other.look()
        assert one.away == set()
        kinds = [type(event) for event in house.events(STREAM)]
        assert kinds.count(PlayerAway) == 1, "once, and then it is known"

    run(evening())
