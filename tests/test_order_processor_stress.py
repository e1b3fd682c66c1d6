"""Two desks on one store that fails, stalls and leaves writes in doubt, with people who go away and ask again.

The fault simulation has a simpler processor of its own, in virtual time; this one is the processor that serves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from time import sleep

import pytest

from croupier.contract.replies import OrderReply
from croupier.house import orders
from croupier.house.house import House
from croupier.house.names import table_stream
from croupier.house.orders import Order, Submission
from croupier.house.reporting.bookkeeping import audit, entries
from croupier.house.stored_events import Entry
from croupier.server.order_processor import OrderProcessor
from croupier.store.contract import InDoubt, StoreError
from croupier.store.memory import MemoryStore
from croupier.store.records import Outcome, Write
from tests.houses import SHELF
from tests.soaking import series
from tests.waiting import turns_until

TABLES = ("a", "b")
PEOPLE = tuple(f"p{number}" for number in range(6))
EACH = 20  # orders
FAILS, IN_DOUBT, SLOW = 0.08, 0.06, 0.16


class Moody(MemoryStore):
    """A store that sometimes refuses a write, and sometimes does not say whether it was stored."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._random = Random(seed)
        self.is_moody = False

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        if not self.is_moody:
            return super().commit(writes)
        mood = self._random.random()
        sleep(self._random.random() * 0.004)
        if mood < FAILS:
            raise StoreError("The disk is full.")
        done = super().commit(writes)
        if mood < FAILS + IN_DOUBT:
            raise InDoubt("The connection was lost.")
        if mood < FAILS + IN_DOUBT + SLOW:
            sleep(0.005)
        return done


class Evening:
    """People at two tables; each order goes to one desk or the other."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.store = Moody(seed)
        self.heard: list[list[tuple[str, Entry]]] = [[], []]
        self.processors = [self._processor(heard) for heard in self.heard]
        self.answers: dict[tuple[str, str], OrderReply] = {}
        self._orders = 0

    def _processor(self, heard: list[tuple[str, Entry]]) -> OrderProcessor:
        def published(stream: str, told: list[Entry]) -> None:
            heard.extend((stream, entry) for entry in told)

        return OrderProcessor(House(SHELF, published), self.store, snapshot_events=7)

    def order(self, deed: Order, who: str | None = None, key: str | None = None) -> Submission:
        self._orders += 1
        return Submission(id=f"order-{self._orders}", order=deed, who=who, key=key)

    async def open(self) -> None:
        for table in TABLES:
            await self.processors[0].do(
                self.order(orders.SetTable(table=table, title=table, line={"book": "craps-nsw-2024"}))
            )
        for person in PEOPLE:
            await self.processors[0].do(self.order(orders.OpenAccount(person=person, name=person, cents=1000_00)))
            await self.processors[0].do(self.order(orders.IssueCard(person=person)))
        for processor in self.processors:
            await processor.open_tables()
        for heard in self.heard:
            heard.clear()

    def deed(self) -> Order:
        table, mood = self.random.choice(TABLES), self.random.random()
        if mood < 0.2:
            return orders.Sit(table=table, cents=50_00)
        if mood < 0.35:
            return orders.GetUp(table=table)
        if mood < 0.45:
            return orders.BuyIn(table=table, cents=10_00)
        word = "take" if mood < 0.6 else "bet"
        return orders.Say(table=table, line={"do": word, "wager": "field", "amount": "1.00"})

    async def play(self, person: str) -> None:
        for number in range(EACH):
            deed, key = self.deed(), f"key-{number}"
            while (told := await self.ask(deed, person, key)) is None or self.random.random() < 0.2:
                if told is not None:  # they ask once more although they were told
                    self.note(person, key, told)
            self.note(person, key, told)

    async def ask(self, deed: Order, person: str, key: str) -> OrderReply | None:
        """Send an order to one of the desks; None if there was no answer, or no one waited for it."""
        task = asyncio.create_task(self.random.choice(self.processors).do(self.order(deed, person, key)))
        if self.random.random() < 0.15:
            await asyncio.sleep(self.random.random() * 0.003)
            task.cancel()
        try:
            return await task
        except (StoreError, asyncio.CancelledError):
            return None

    def note(self, person: str, key: str, told: OrderReply) -> None:
        assert self.answers.setdefault((person, key), told) == told, "the same key, and two answers"

    def is_through(self) -> bool:
        """Nothing is pending any more, including orders of people who went away."""
        return not any(
            processor._tasks
            or processor._loading
            or any(house.newest_head(stream) != house.head(stream) for stream in map(table_stream, TABLES))
            for processor, house in ((processor, processor.house) for processor in self.processors)
        )

    async def check(self) -> None:
        for processor, heard in zip(self.processors, self.heard, strict=True):
            for stream in [head.stream for head in self.store.heads() if processor.house.has(head.stream)]:
                house = processor.house
                assert house.newest_head(stream) == house.head(stream), f"{stream}: nothing waits to be stored"
                await processor.load(stream)
                head = self.store.head(stream)
                assert house.head(stream) == (head.version, head.hash), stream
            for table in TABLES:
                records = self.store.read(table_stream(table))
                told = [entry for stream, entry in heard if stream == table_stream(table)]
                first = told[0].version - 1
                assert [(one.version, one.hash) for one in told] == [(one.version, one.hash) for one in records[first:]]
        for person, key in self.answers:
            assert self.store.answer(person, key) is not None, "acknowledged, and not kept"
        books = {head.stream: entries(self.store.read(head.stream)) for head in self.store.heads()}
        assert audit(books) == []


@pytest.mark.parametrize("seed", series(6, in_a_soak=30))
def test_nothing_is_lost_doubled_or_out_of_step(seed: int) -> None:
    async def work() -> None:
        evening = Evening(seed)
        await evening.open()
        evening.store.is_moody = True
        await asyncio.gather(*map(evening.play, PEOPLE))
        evening.store.is_moody = False
        await turns_until(evening.is_through)
        await evening.check()
        assert len(evening.answers) == len(PEOPLE) * EACH
        for processor in evening.processors:
            await processor.close()

    asyncio.run(asyncio.wait_for(work(), 120))
