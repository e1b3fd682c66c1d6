"""A house that starts on a store with a damaged stream: that one is named and not served, all others are."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import apsw
import psycopg
import pytest

from croupier.house import orders
from croupier.house.events import ChipsGranted, Rhythm
from croupier.house.house import House
from croupier.house.orders import Order, Submission
from croupier.house.stored_events import FORMAT, Document, UnknownFormat, encode, stamp
from croupier.server.clocks import Clockwork
from croupier.server.order_processor import OrderProcessor
from croupier.store.contract import CorruptStore, Store, StoreError
from croupier.store.opening import open_store
from croupier.store.records import Append, Committed, Head, Write
from tests.houses import NOON, SHELF, TestHouse
from tests.postgres import NoPostgres, fresh_database
from tests.waiting import turns_until

QUICK = Rhythm(open=1.0, last_call=0.2, shut=0.01, show=0.01)
Sql = Callable[[str], None]


class Damaged(NamedTuple):
    """A store with tables called bad and good, with someone seated at both, and a way to damage it."""

    store: Store
    sql: Sql


@pytest.fixture(params=["sqlite", "postgres"])
def damaged(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Damaged]:
    if request.param == "sqlite":
        address, schema = f"sqlite:{tmp_path / 'house.db'}", ""
    else:
        schema = "croupier."
        try:
            address = fresh_database(f"damaged_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}")
        except NoPostgres as error:
            pytest.skip(str(error))

    def sql(statement: str) -> None:
        if schema:
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute(statement.format(schema).encode())
        else:
            with closing(apsw.Connection(address.removeprefix("sqlite:"))) as other:
                other.execute(statement.format(schema))

    with closing(open_store(address)) as store:
        fill(store)
        yield Damaged(store, sql)


def fill(store: Store) -> None:
    house = TestHouse(store)
    for table in ("bad", "good"):
        house.clock_table("craps-nsw-2024", table, QUICK)
    house.person("ann")
    for table in ("bad", "good"):
        house.ok(orders.Sit(table=table, cents=100_00), "ann")


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 60))


async def do(processor: OrderProcessor, deed: Order, who: str | None = None) -> bool:
    return bool((await processor.do(Submission(id="order", order=deed, who=who)))["ok"])


def more(table: str) -> orders.BuyIn:
    return orders.BuyIn(table=table, cents=1_00)


ALTERED = """
UPDATE {0}records SET document = (SELECT document FROM {0}records WHERE stream = 'table/good' AND version = 2)
WHERE stream = 'table/bad' AND version = 3
"""
MISSING = "DELETE FROM {0}records WHERE stream = 'table/bad' AND version = 3"


@pytest.mark.parametrize(
    ("change", "version", "says"),
    [
        (ALTERED, 3, "event 3 of table/bad was altered"),
        (MISSING, 3, "event 3 of table/bad is missing"),
    ],
    ids=["altered", "missing"],
)
def test_it_is_named_and_the_others_are_served(
    damaged: Damaged, change: str, version: int, says: str, caplog: pytest.LogCaptureFixture
) -> None:
    damaged.sql(change)

    async def work() -> None:
        processor = OrderProcessor(House(SHELF), damaged.store)
        with caplog.at_level(logging.ERROR, "croupier.server"):
            found = await processor.open_tables()
        assert [(error.stream, error.version) for error in found.values()] == [("table/bad", version)]
        assert says in str(found["table/bad"])
        assert [record.getMessage() for record in caplog.records] == [
            f"table/bad cannot be served. {found['table/bad']}"
        ]
        assert await do(processor, more("good"), "ann")
        for _ in range(2):  # whoever gives an order, and whoever wants to look
            with pytest.raises(StoreError, match=says):
                await do(processor, more("bad"), "ann")
            with pytest.raises(StoreError, match=says):
                await processor.load("table/bad")
        assert not processor.house.has("table/bad")
        assert len(caplog.records) == 1
        assert await do(processor, more("good"), "ann")
        await processor.close()

    run(work)


def test_the_clocks_of_the_others_run(damaged: Damaged) -> None:
    damaged.sql(ALTERED)

    async def work() -> None:
        processor = OrderProcessor(House(SHELF), damaged.store)
        assert set(await processor.open_tables()) == {"table/bad"}
        clock = Clockwork(processor)
        clock.start()
        await turns_until(lambda: processor.house.table("good").rounds >= 2)
        await clock.stop()
        await processor.close()

    run(work)


def test_a_head_that_is_not_the_end(damaged: Damaged) -> None:
    damaged.sql("UPDATE {0}heads SET version = version - 1 WHERE stream = 'table/bad'")
    expect_named(damaged.store)


def test_a_head_that_cannot_be_read(damaged: Damaged, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the heads do not say which tables exist, but the events do."""

    def heads(prefix: str = "") -> list[Head]:
        raise CorruptStore("The store is damaged: the head of the stream 'table/bad' cannot be read.")

    damaged.sql(ALTERED)
    monkeypatch.setattr(damaged.store, "heads", heads)
    expect_named(damaged.store)


def expect_named(store: Store) -> None:
    async def work() -> None:
        processor = OrderProcessor(House(SHELF), store)
        found = await processor.open_tables()
        assert [error.stream for error in found.values()] == ["table/bad"]
        assert "of table/bad" in str(found["table/bad"])
        assert await do(processor, more("good"), "ann")
        with pytest.raises(StoreError, match="of table/bad"):
            await do(processor, more("bad"), "ann")
        await processor.close()

    run(work)


def test_it_is_served_again_when_it_is_whole(damaged: Damaged) -> None:
    damaged.sql("UPDATE {0}records SET stream = 'aside' WHERE stream = 'table/bad' AND version = 2")

    async def work() -> None:
        processor = OrderProcessor(House(SHELF), damaged.store)
        assert set(await processor.open_tables()) == {"table/bad"}
        damaged.sql("UPDATE {0}records SET stream = 'table/bad' WHERE stream = 'aside'")
        assert await do(processor, more("bad"), "ann")
        assert processor.damaged == {}
        await processor.close()

    run(work)


def add(store: Store, stream: str, document: bytes) -> int:
    version = store.head(stream).version
    assert isinstance(store.commit([Write((Append(stream, version, (document,)),))])[0], Committed)
    return version + 1


@pytest.mark.parametrize(
    ("document", "says"),
    [
        (b"what?", "A stored document cannot be read"),
        (b'{"format":99,"at":"","event":{}}', "has format 99; this version reads formats up to 1"),
        (
            encode(Document(FORMAT, stamp(NOON), ChipsGranted(100, "welcome"))),
            "It does not follow from the events before it.",
        ),
    ],
)
def test_an_event_that_makes_no_sense_in_good_form(damaged: Damaged, document: bytes, says: str) -> None:
    """The chain is intact, so the store has no objection. The house must not take the table for another one."""
    version = add(damaged.store, "table/bad", document)
    add(damaged.store, "table/bad", document)

    async def work() -> None:
        processor = OrderProcessor(House(SHELF), damaged.store)
        found = await processor.open_tables()
        assert [(error.stream, error.version) for error in found.values()] == [("table/bad", version)]
        assert f"event {version} of table/bad makes no sense" in str(found["table/bad"])
        assert says in str(found["table/bad"])
        with pytest.raises(CorruptStore, match="table/bad"):
            await do(processor, more("bad"), "ann")
        assert await do(processor, more("good"), "ann")
        await processor.close()

    run(work)


def test_what_cannot_be_read_leaves_nothing_behind(damaged: Damaged) -> None:
    """An empty table in memory would be taken for one that was never set up."""
    add(damaged.store, "table/bad", b"what?")
    house = House(SHELF)
    with pytest.raises(UnknownFormat):
        house.take_in("table/bad", damaged.store.read("table/bad"))
    assert not house.has("table/bad")


def test_one_that_is_in_memory_stays_as_it_was_checked(damaged: Damaged) -> None:
    """What comes after it cannot be read: commands are refused with the reason, and viewers see what was there
    before."""

    async def work() -> None:
        processor = OrderProcessor(House(SHELF), damaged.store)
        assert await processor.open_tables() == {}
        before = processor.house.table("bad")
        version = add(damaged.store, "table/bad", b"what?")
        with pytest.raises(CorruptStore, match=f"event {version} of table/bad makes no sense"):
            await do(processor, more("bad"), "ann")
        assert processor.house.table("bad") == before
        assert await do(processor, more("good"), "ann")
        await processor.close()

    run(work)


def test_a_fault_of_a_listener_is_not_taken_for_damage(damaged: Damaged) -> None:
    """The store is sound, and the message must not send anyone there to look for the fault."""

    def broken(stream: str, told: object) -> None:
        raise ZeroDivisionError

    async def work() -> None:
        processor = OrderProcessor(House(SHELF, broken), damaged.store)
        await processor.load("table/bad")
        other = OrderProcessor(House(SHELF), damaged.store)
        assert await do(other, more("bad"), "ann")
        with pytest.raises(ZeroDivisionError):
            await processor.load("table/bad")
        assert processor.damaged == {}
        for each in (processor, other):
            await each.close()

    run(work)
