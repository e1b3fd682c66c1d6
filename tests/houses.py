"""A house for tests: the real core over an in-memory store, with a clock and dice that the test controls."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from croupier.contract.replies import OrderReply
from croupier.house import orders
from croupier.house.events import Rhythm
from croupier.house.house import House, NotLoaded, Pending
from croupier.house.orders import Order, Submission
from croupier.house.stored_events import Entry, decode
from croupier.rules.shelf import Shelf
from croupier.store.contract import Store
from croupier.store.memory import MemoryStore

SHELF = Shelf()
NOON = datetime(2026, 11, 15, 1, 0, tzinfo=UTC)  # in Sydney


class TestHouse:
    """One house, one store. `do` carries out an order; `at` is the time."""

    __test__ = False

    def __init__(self, store: Store | None = None, seed: str = "seed") -> None:
        self.store: Store = store or MemoryStore()
        self.seed = seed
        self.at = NOON
        self.published: list[tuple[str, Entry]] = []
        self._drawn, self._orders = count(), count(1)
        self.house = self._new()

    def _new(self) -> House:
        return House(SHELF, lambda stream, entries: self.published.extend((stream, entry) for entry in entries))

    def restart(self) -> None:
        """Forget everything except the store."""
        self.house = self._new()

    def entropy(self, size: int) -> bytes:
        """Bytes that look random and are always the same."""
        return hashlib.shake_256(f"{self.seed} {next(self._drawn)}".encode()).digest(size)

    def order(self, deed: Order, who: str | None = None, key: str | None = None) -> Submission:
        """An order with a key of its own."""
        return Submission(id=f"order-{next(self._orders)}", order=deed, who=who, key=key)

    def decide(self, order: Submission) -> Pending:
        """Decide an order; streams are loaded when they are needed."""
        while True:
            try:
                return self.house.decide(order, self.at, self.entropy)
            except NotLoaded as missing:
                self.load(missing.stream)

    def load(self, stream: str) -> None:
        """Load a stream, or catch up with it."""
        after = self.house.head(stream).version if self.house.has(stream) else 0
        secrets = {
            one.name: one.value
            for kind in ("dice/", "draw/")
            for one in self.store.secrets(kind)
            if one.value is not None
        }
        self.house.take_in(stream, self.store.read(stream, after), secrets)

    def do(self, deed: Order, who: str | None = None, key: str | None = None) -> OrderReply:
        """Carry out a deed and return the reply."""
        return self.carry_out(self.order(deed, who, key))

    def carry_out(self, order: Submission) -> OrderReply:
        """Decide, store and settle; repeat if another writer was faster."""
        while True:
            pending = self.decide(order)
            reply = self.house.settle(pending, self.store.commit([pending.write])[0])
            if reply is not None:
                return reply
            for stream in pending.drafted:
                self.load(stream)

    def ok(self, deed: Order, who: str | None = None, key: str | None = None) -> OrderReply:
        """Carry out a deed that must not be refused."""
        reply = self.do(deed, who, key)
        assert reply["ok"], reply
        return reply

    def refused(self, deed: Order, who: str | None = None) -> str:
        """The code with which a deed is refused."""
        reply = self.do(deed, who)
        assert not reply["ok"], reply
        return str(reply["code"])

    def person(self, person: str, *roles: str, cents: int = 1000_00, card: bool = True) -> str:
        """Open an account, with a Player Card."""
        self.ok(orders.OpenAccount(person=person, name=person.title(), roles=roles or ("player",), cents=cents))
        if card:
            self.ok(orders.IssueCard(person=person))
        return person

    def clock_table(self, book: str, name: str = "clock", rhythm: Rhythm | None = None, **line: object) -> str:
        """A table that runs by itself, by its clock."""
        rhythm = rhythm or Rhythm()
        self.ok(orders.SetTable(table=name, title=name.title(), line={"book": book, **line}, rhythm=rhythm))
        return name

    def dealt_table(self, book: str, name: str = "dealt", **line: object) -> str:
        """A table with staff."""
        self.ok(orders.SetTable(table=name, title=name.title(), line={"book": book, **line}))
        return name

    def say(self, table: str, who: str, do: str, **fields: object) -> OrderReply:
        """Give a line for a table."""
        return self.do(orders.Say(table=table, line={"do": do, **fields}), who)

    def wait(self, seconds: float) -> None:
        """Let time pass; automatic tables do what is due when it is due."""
        until = self.at + timedelta(seconds=seconds)
        while True:
            steps = [step for step in self.house.due() if step[0] <= until]
            if not steps:
                break
            self.at = max(self.at, steps[0][0])
            self.ok(orders.RunOn(table=steps[0][1]))
        self.at = until

    def until(self, holds: Callable[[], bool], most: float = 600.0) -> None:
        """Let time pass until a condition holds."""
        for _ in range(int(most)):
            if holds():
                return
            self.wait(1)
        raise AssertionError("it never held")

    def events(self, stream: str) -> list[Any]:
        """All events of a stream, as they are stored."""
        return [decode(record.document).event for record in self.store.read(stream)]
