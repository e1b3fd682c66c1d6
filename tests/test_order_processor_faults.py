"""Faults of the store and of the program at a desk: one order is affected, and none of those behind it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence

import pytest

from croupier.contract.replies import OrderReply
from croupier.house import orders
from croupier.house.events import Rhythm
from croupier.house.house import House
from croupier.house.orders import Order, Submission
from croupier.house.orders.order import Decided, Scene
from croupier.house.stored_events import Entry
from croupier.server.change_listener import ChangeListener
from croupier.server.clocks import Clockwork
from croupier.server.order_processor import OrderProcessor
from croupier.store.contract import StoreError
from croupier.store.memory import MemoryStore
from croupier.store.records import Outcome, Write
from tests.houses import SHELF
from tests.waiting import PATIENCE, turns_until

QUICK = Rhythm(open=1, last_call=0, shut=0, show=0)


class Gated(MemoryStore):
    """A store whose next commits wait for a signal, and then fail or succeed."""

    def __init__(self) -> None:
        super().__init__()
        self.plan: list[tuple[threading.Event, bool]] = []
        self.begun = 0  # commits of the plan

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        if self.plan:
            gate, fails = self.plan.pop(0)
            self.begun += 1
            gate.wait(PATIENCE)
            if fails:
                raise StoreError("The disk is full.")
        return super().commit(writes)


class Room:
    """A desk with automatic tables and one player at each."""

    def __init__(self, published: Callable[[str, list[Entry]], None] | None = None) -> None:
        self.store = Gated()
        self.processor = OrderProcessor(House(SHELF, published), self.store)
        self._number = 0

    async def do(self, deed: Order, who: str | None = None) -> OrderReply:
        self._number += 1
        return await self.processor.do(Submission(id=f"o{self._number}", order=deed, who=who, key=f"k{self._number}"))

    async def open(self, *tables: str, rhythm: Rhythm | None = QUICK) -> None:
        for table in tables:
            line = {"book": "craps-nsw-2024"}
            assert (await self.do(orders.SetTable(table=table, title=table, line=line, rhythm=rhythm)))["ok"]
            await self.people(f"at-{table}")
            assert (await self.do(orders.Sit(table=table, cents=100_00), f"at-{table}"))["ok"]

    async def people(self, *names: str) -> None:
        for name in names:
            assert (await self.do(orders.OpenAccount(person=name, name=name, cents=1000_00)))["ok"]
            assert (await self.do(orders.IssueCard(person=name)))["ok"]

    async def is_committing(self, number: int) -> None:
        """Wait until this many commits of the plan have begun."""
        await turns_until(lambda: self.store.begun == number)

    async def is_waiting(self, number: int) -> None:
        """Wait until this many writes wait for a commit to end."""
        await turns_until(lambda: self.processor.measured().waiting == number)


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 60))


def test_what_lands_after_it_was_given_up_for_lost_is_what_the_clock_goes_by() -> None:
    """Two commits fail; a third, decided between the two, is stored: its player's table must not stop."""

    async def work() -> None:
        room = Room()
        await room.do(orders.SetTable(table="one", title="One", line={"book": "craps-nsw-2024"}, rhythm=QUICK))
        await room.people("ann", "ben", "cat")
        gates = [threading.Event() for _ in range(3)]
        room.store.plan = list(zip(gates, (True, True, False), strict=True))

        def sits(person: str) -> asyncio.Task[OrderReply]:
            return asyncio.create_task(room.do(orders.Sit(table="one", cents=100_00), person))

        ann = sits("ann")
        await room.is_committing(1)
        ben = sits("ben")
        await room.is_waiting(1)
        gates[0].set()
        with pytest.raises(StoreError):
            await ann
        await room.is_committing(2)
        cat = sits("cat")
        await room.is_waiting(1)
        gates[1].set()
        gates[2].set()
        assert (await cat)["ok"]
        with pytest.raises(StoreError):
            await ben
        assert room.processor.house.newest_head("table/one") == room.processor.house.head("table/one")
        assert [table for _, table in room.processor.house.due()] == ["one"]
        await room.processor.close()

    run(work)


def test_a_fault_in_settling_one_order_leaves_no_other_without_an_answer(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        heard: list[tuple[str, int]] = []
        fails = [False]

        def published(stream: str, entries: list[Entry]) -> None:
            if fails[0] and stream == "table/bad":
                fails[0] = False
                raise ValueError("a fault of whoever listens")
            heard.extend((stream, entry.version) for entry in entries)

        room = Room(published)
        await room.open("bad", "good", rhythm=None)
        gate = threading.Event()
        room.store.plan = [(gate, False)]
        first = asyncio.create_task(room.do(orders.IssueCard(person="at-bad"), "at-bad"))  # the thread is busy with it
        await room.is_committing(1)
        fails[0] = True
        line = {"do": "bet", "wager": "field", "amount": "1.00"}
        bets = [asyncio.create_task(room.do(orders.Say(table=t, line=line), f"at-{t}")) for t in ("bad", "good")]
        await room.is_waiting(2)
        gate.set()
        await first
        with pytest.raises(ValueError, match="a fault of whoever listens"):
            await bets[0]
        assert (await bets[1])["ok"]
        assert (await room.do(orders.Say(table="bad", line=line), "at-bad"))["ok"]
        for table in ("bad", "good"):
            assert room.processor.house.head(f"table/{table}").version == room.store.head(f"table/{table}").version
        assert ("table/good", room.store.head("table/good").version) in heard
        await room.processor.close()

    run(work)
    assert "An order could not be settled." in [record.getMessage() for record in caplog.records]


def test_a_fault_at_one_table_ends_no_other_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    real = orders.RunOn.decide

    def faulty(order: orders.RunOn, scene: Scene) -> Decided:
        if order.table == "bad":
            raise ValueError("a fault of the program")
        return real(order, scene)

    monkeypatch.setattr(orders.RunOn, "decide", faulty)

    async def work() -> None:
        room = Room()
        await room.open("bad", "good")
        clock = Clockwork(room.processor)
        clock.start()
        await turns_until(lambda: room.processor.house.table("good").rounds >= 2)
        assert room.processor.house.table("bad").rounds == 0
        await clock.stop()
        await room.processor.close()

    run(work)


def test_a_slow_table_keeps_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        room = Room()
        await room.open("slow", "good")
        real, never, begun = room.processor.do, asyncio.Event(), []

        async def do(order: Submission) -> OrderReply:
            if isinstance(order.order, orders.RunOn) and order.order.table == "slow":
                begun.append(order.id)
                await never.wait()
            return await real(order)

        monkeypatch.setattr(room.processor, "do", do)
        clock = Clockwork(room.processor)
        clock.start()
        await turns_until(lambda: room.processor.house.table("good").rounds >= 2)
        assert len(begun) == 1, "the step of the slow table has begun once, and goes on all the while"
        assert room.processor.house.table("slow").rounds == 0
        await clock.stop()
        await room.processor.close()

    run(work)


def test_a_stream_that_could_not_be_followed_once_is_followed_with_the_next_notice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work() -> None:
        room = Room()
        await room.open("one", rhythm=None)
        asked: list[int] = []

        async def catch_up(stream: str, version: int) -> None:
            asked.append(version)
            if len(asked) == 1:
                raise ValueError("a fault of the program")

        monkeypatch.setattr(room.processor, "catch_up", catch_up)
        notices = ChangeListener(room.processor)
        for version in (98, 99):
            notices._note({"table/one": version})
            await turns_until(lambda: not notices._following)
        assert asked == [98, 99]
        await room.processor.close()

    run(work)
