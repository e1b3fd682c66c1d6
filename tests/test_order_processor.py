"""The desk: many orders at once on one store, answered once they are stored, in the order of their decisions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from croupier.contract.replies import OrderReply
from croupier.house import orders
from croupier.house.electronic.public_record import public_record
from croupier.house.electronic.verification import verify_dice
from croupier.house.events import DiceDrawn, Rhythm, RoundCancelled
from croupier.house.house import House
from croupier.house.orders import Order, Submission
from croupier.house.reporting.bookkeeping import audit, entries
from croupier.house.stored_events import Entry
from croupier.server import clocks
from croupier.server.clocks import Clockwork
from croupier.server.order_processor import OrderProcessor
from croupier.store.contract import InDoubt, Store, StoreError
from croupier.store.memory import MemoryStore
from croupier.store.records import Outcome, Secret, Write
from croupier.store.sqlite import SqliteStore
from croupier.table.events import AreaSettled
from tests.houses import NOON, SHELF

CRAPS = "craps-nsw-2024"
PLAYERS = 16


class Faulty(MemoryStore):
    """A store that fails on demand: before it has written, or after it."""

    def __init__(self) -> None:
        super().__init__()
        self.before: list[StoreError] = []
        self.after: list[StoreError] = []

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        if self.before:
            raise self.before.pop()
        done = super().commit(writes)
        if self.after:
            raise self.after.pop()
        return done


class Reception:
    """A desk whose orders get consecutive keys."""

    def __init__(self, store: Store, heard: list[tuple[str, int]] | None = None) -> None:
        def published(stream: str, told: list[Entry]) -> None:
            if heard is not None:
                heard.extend((stream, entry.version) for entry in told)

        self.processor = OrderProcessor(House(SHELF, published), store)
        self._number = 0

    async def __call__(self, deed: Order, who: str | None = None, key: str | None = None) -> OrderReply:
        self._number += 1
        return await self.processor.do(Submission(id=f"order-{self._number}", order=deed, who=who, key=key))

    async def open(self, players: int = PLAYERS, rhythm: Rhythm | None = None) -> None:
        await self(orders.SetTable(table="one", title="One", line={"book": CRAPS}, rhythm=rhythm))
        for number in range(players):
            await self(orders.OpenAccount(person=f"p{number}", name="P", cents=1000_00))
            await self(orders.IssueCard(person=f"p{number}"))
            assert (await self(orders.Sit(table="one", cents=500_00), f"p{number}"))["ok"]


def bet(amount: str = "1.00") -> orders.Say:
    return orders.Say(table="one", line={"do": "bet", "wager": "field", "amount": amount})


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 60))


def test_many_at_once_are_all_there_once_and_heard_in_order(tmp_path: Path) -> None:
    heard: list[tuple[str, int]] = []

    async def work() -> None:
        store = SqliteStore(tmp_path / "house.db")
        ask = Reception(store, heard)
        await ask.open()

        async def client(number: int) -> None:
            for round_ in range(20):
                told = await ask(bet(), f"p{number}", f"key-{round_}")
                assert told["ok"], told
                assert ask.processor.house.head("table/one").version >= told["versions"]["table/one"]

        await asyncio.gather(*(client(number) for number in range(PLAYERS)))
        assert ask.processor.house.table("one").game.chips == {f"p{n}": 480_00 for n in range(PLAYERS)}
        await ask.processor.close()
        records = {head.stream: store.read(head.stream) for head in store.heads()}
        assert audit({stream: entries(stored) for stream, stored in records.items()}) == []
        store.close()

    run(work)
    versions = [version for stream, version in heard if stream == "table/one"]
    assert versions == list(range(versions[0], versions[0] + len(versions)))


def test_who_waits_hears_that_it_failed_and_nothing_has_happened() -> None:
    async def work() -> None:
        store = Faulty()
        ask = Reception(store)
        await ask.open(1)
        before = ask.processor.house.table("one")
        store.before.append(StoreError("The disk is full."))
        with pytest.raises(StoreError, match="The disk is full"):
            await ask(bet(), "p0", "k1")
        assert ask.processor.house.table("one") == before
        assert (await ask(bet(), "p0", "k1"))["ok"]
        assert ask.processor.house.table("one").game.chips == {"p0": 499_00}
        await ask.processor.close()

    run(work)


@pytest.mark.parametrize("was_written", [True, False])
def test_an_order_in_doubt_is_done_once(was_written: bool) -> None:
    async def work() -> None:
        store = Faulty()
        ask = Reception(store)
        await ask.open(1)
        (store.after if was_written else store.before).append(InDoubt("The connection was lost."))
        assert (await ask(bet(), "p0", "k1"))["ok"]
        assert ask.processor.house.table("one").game.chips == {"p0": 499_00}
        await ask.processor.close()

    run(work)


def test_two_desks_on_one_store_follow_each_other() -> None:
    async def work() -> None:
        store = MemoryStore()
        one, other = Reception(store), Reception(store)
        await one.open(2)

        async def client(ask: Reception, player: str) -> None:
            for number in range(25):
                assert (await ask(bet(), player, f"key-{number}"))["ok"]

        await asyncio.gather(client(one, "p0"), client(other, "p1"))
        for ask in (one, other):
            await ask.processor.load("table/one")
            await ask.processor.close()
        assert one.processor.house.table("one") == other.processor.house.table("one")
        assert sum(one.processor.house.table("one").game.chips.values()) == 2 * 500_00 - 50_00

    run(work)


def test_who_stops_waiting_does_not_take_the_order_back() -> None:
    async def work() -> None:
        ask = Reception(MemoryStore())
        await ask.open(1)
        gone = asyncio.create_task(ask(bet(), "p0", "k1"))
        await asyncio.sleep(0)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        assert (await ask(bet("2.00"), "p0", "k2"))["ok"]
        assert ask.processor.house.table("one").game.chips == {"p0": 497_00}
        await ask.processor.close()

    run(work)


def test_the_clockwork_runs_a_table_until_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "LONGEST_SLEEP", 0.002)  # for a clock that runs so fast

    async def work() -> None:
        now = [NOON]
        ask = Reception(MemoryStore())
        ask.processor.clock = lambda: now[0]
        await ask.open(1, Rhythm())
        clock = Clockwork(ask.processor)
        clock.start()
        while ask.processor.house.table("one").rounds < 4:
            now[0] += timedelta(seconds=1)
            await asyncio.sleep(0.001)
        await clock.stop()
        assert [one for one in asyncio.all_tasks() if one.get_name().startswith("croupier-clock")] == []
        await ask.processor.close()
        drawn = [e for e in entries(ask.processor.store.read("table/one")) if isinstance(e.document.event, DiceDrawn)]
        assert len(drawn) == 3

    run(work)


def test_a_round_whose_secret_is_lost_is_given_up_and_the_record_shows_it(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For example in a store that was imported: the table goes on, wagers stay up, and anyone who verifies the dice
    finds it."""
    store = MemoryStore()
    monkeypatch.setattr(clocks, "LONGEST_SLEEP", 0.002)  # for a clock that runs so fast

    async def opened() -> None:
        ask = Reception(store)
        ask.processor.clock = lambda: NOON
        await ask.open(1, Rhythm())
        assert (await ask(orders.RunOn(table="one")))["ok"]
        assert (await ask(bet(), "p0"))["ok"]
        store.commit([Write(vault=(Secret("dice/one/1", None),))])
        await ask.processor.close()

    async def imported() -> None:
        now = [NOON]
        ask = Reception(store)
        ask.processor.clock = lambda: now[0]
        await ask.processor.open_tables()
        clock = Clockwork(ask.processor)
        clock.start()
        while ask.processor.house.table("one").rounds < 4:
            now[0] += timedelta(seconds=1)
            await asyncio.sleep(0.001)
        await clock.stop()
        await ask.processor.close()

    run(opened)
    run(imported)
    happened = [entry.document.event for entry in entries(store.read("table/one"))]
    assert [event for event in happened if isinstance(event, RoundCancelled)] == [RoundCancelled(1, "", standing=True)]
    assert any(isinstance(event, AreaSettled) for event in happened)
    said = [record.getMessage() for record in caplog.records]
    assert said == ["one abandons its round: The secret of round 1 is missing: the table cannot continue."]
    rules = SHELF.book(CRAPS).rules.throw
    verdict = verify_dice(
        b"".join(public_record("table/one", rules, store.read("table/one"))).splitlines(keepends=True)
    )
    assert {finding.fault for finding in verdict.findings} == {"skipped", "commitment_changed", "cancelled_with_bets"}
    assert {finding.round for finding in verdict.findings} == {1}


def test_asking_for_what_is_not_there_costs_no_memory() -> None:
    async def work() -> None:
        ask = Reception(MemoryStore())
        await ask.open(1)
        before = len(ask.processor.house)
        for number in range(20):
            assert not (await ask(orders.Sit(table=f"none-{number}", cents=100), "p0"))["ok"]
            assert not (await ask(orders.Exclude(person=f"nobody-{number}"), "p0"))["ok"]
            assert not (await ask(bet(), f"nobody-{number}"))["ok"]
        assert len(ask.processor.house) == before
        assert (await ask(bet(), "p0"))["ok"]
        await ask.processor.close()

    run(work)


def test_who_asks_in_the_moment_in_which_a_reading_ends_has_one_of_their_own() -> None:
    """What the first reading found may be discarded before anyone uses it: waiting for one reading after the other
    might never end."""

    async def work() -> None:
        processor = Reception(MemoryStore()).processor
        load, read, late = processor._load, list[str](), list[asyncio.Future[None]]()

        async def noted(stream: str) -> None:
            await load(stream)
            read.append(stream)
            if len(read) == 1:  # it comes before those who waited are told
                late.append(asyncio.ensure_future(processor.load(stream)))

        processor._load = noted  # type: ignore[method-assign]
        await processor.load("table/none")
        await late[0]
        assert read == ["table/none"] * 2
        await asyncio.sleep(0)
        assert processor._loading == {}
        await processor.close()

    run(work)
