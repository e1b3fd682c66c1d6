"""Writes submitted during one turn of the event loop are written together, whatever the thread is doing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from croupier.store import Committed, Outcome, StoreBusy, StoreError, Write
from croupier.store.memory import MemoryStore
from tests.store.writers import LoopWriter
from tests.store.writes import append

PRODUCERS = 64


class Counting(MemoryStore):
    """A store that remembers how much was written at once."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        self.sizes.append(len(writes))
        return super().commit(writes)


def test_those_whose_turn_it_is_go_together() -> None:
    store = Counting()

    async def work() -> None:
        writer = LoopWriter(store)

        async def produce(who: int) -> None:
            for version in range(10):
                assert isinstance(await writer.submit(append(f"table/{who}", version, b"{}")), Committed)

        await asyncio.gather(*(produce(who) for who in range(PRODUCERS)))
        writer.close()

    asyncio.run(work())
    assert store.sizes == [PRODUCERS] * 10


def test_what_was_handed_in_last_is_written_when_the_writer_closes() -> None:
    store = Counting()

    async def work() -> None:
        writer = LoopWriter(store)
        future = writer.submit(append("table/1", 0, b"{}"))
        writer.close()  # before the loop has gone round
        assert isinstance(await future, Committed)
        with pytest.raises(StoreError, match="accepts no more writes"):
            writer.submit(append("table/1", 1, b"{}"))

    asyncio.run(work())
    assert store.head("table/1").version == 1


def test_too_much_of_one_turn_is_refused() -> None:
    async def work() -> None:
        writer = LoopWriter(MemoryStore(), most_waiting=2)
        kept = [writer.submit(append("table/1", version, b"{}")) for version in range(2)]
        with pytest.raises(StoreBusy, match="2 writes waiting"):
            writer.submit(append("table/1", 2, b"{}"))
        assert all(isinstance(outcome, Committed) for outcome in await asyncio.gather(*kept))
        writer.close()

    asyncio.run(work())
