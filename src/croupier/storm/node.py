"""One process of the house in the storm: it decides, writes in groups, and may end at any boundary of a write."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from croupier.house.house import House, NotLoaded, Pending
from croupier.house.orders import Order, RunOn
from croupier.rules.shelf import Shelf
from croupier.store.contract import InDoubt, Store, StoreError
from croupier.store.records import Outcome, Write
from croupier.storm.agenda import Agenda
from croupier.storm.faults import Crash, Faults
from croupier.table.telling import Told

TICK = 0.5
RESTART = 5.0
NOTHING = Write()

Reply = Callable[[Told], None]


class Waiting(NamedTuple):
    """An order that is decided, and whoever waits for it."""

    pending: Pending
    reply: Reply


class Node:
    """A house in memory over a store that others use too. `life` counts its starts."""

    def __init__(self, agenda: Agenda, store: Store, shelf: Shelf, faults: Faults, random: Random) -> None:
        self._agenda = agenda
        self._store = store
        self._shelf = shelf
        self._faults = faults
        self._random = random
        self.life = 0
        self._numbers = 0
        self._skew = timedelta()
        self._start()

    def _start(self) -> None:
        self.life += 1
        self.is_up = True
        self.house = House(self._shelf)
        self._queue: list[Waiting] = []
        self._is_writing = False
        for head in self._store.heads("table/"):
            self._load(head.stream)
        self._in(TICK, self._tick)

    def _crash(self) -> None:
        """Everything in memory is gone; after a while the process is back."""
        self.is_up = False
        self._agenda.after(RESTART, self._start)

    def _in(self, seconds: float, step: Callable[[], None]) -> None:
        """Later in this life; a crash cancels it."""
        life = self.life

        def if_alive() -> None:
            if self.is_up and self.life == life:
                step()

        self._agenda.after(seconds, if_alive)

    @property
    def clock(self) -> datetime:
        """What this machine takes for the time."""
        return self._agenda.now + self._skew

    # Orders

    def take(self, order: Order, reply: Reply) -> None:
        """An order has come in; without a process there is no answer."""
        if not self.is_up:
            return
        pending = self._decided(order)
        if pending.write == NOTHING:
            reply(pending.answer)
            return
        self._queue.append(Waiting(pending, reply))
        if not self._is_writing:
            self._is_writing = True
            self._in(self._faults.delay(), self._write)

    def _decided(self, order: Order) -> Pending:
        while True:
            try:
                return self.house.decide(order, self.clock, self._random.randbytes)
            except NotLoaded as missing:
                self._load(missing.stream)

    def _load(self, stream: str) -> None:
        after = self.house.head(stream).version if self.house.has(stream) else 0
        kept = self._store.secrets(f"dice/{stream.removeprefix('table/')}/") if stream.startswith("table/") else []
        secrets = {one.name: one.value for one in kept if one.value is not None}
        self.house.take_in(stream, self._store.read(stream, after), secrets)

    # Writing

    def _write(self) -> None:
        """One group commit; what was decided meanwhile goes with the next."""
        batch, self._queue = self._queue, []
        self._is_writing = False
        try:
            outcomes = self._committed([waiting.pending.write for waiting in batch])
        except Crash:
            self._crash()
            return
        for waiting, outcome in zip(batch, outcomes, strict=True):
            self._settle(waiting, outcome)

    def _committed(self, writes: list[Write]) -> list[Outcome | StoreError]:
        if self._faults.happens("disk_fails"):
            return [StoreError("The disk is full.")] * len(writes)
        self._faults.plan_crash()
        outcomes: list[Outcome | StoreError] = list(self._store.commit(writes))
        if self._faults.happens("in_doubt"):
            return [InDoubt("The connection was lost.")] * len(writes)
        return outcomes

    def _settle(self, waiting: Waiting, outcome: Outcome | StoreError) -> None:
        pending, reply = waiting
        if isinstance(outcome, StoreError):
            self.house.failed(pending)
            if not isinstance(outcome, InDoubt):
                return  # whoever waits is told that it failed, and asks again
            told = None
        else:
            told = self.house.settle(pending, outcome)
        if told is not None:
            reply(told)
            return
        for stream in pending.drafted:
            self._load(stream)
        self.take(pending.order, reply)

    # The clockwork

    def _tick(self) -> None:
        if self._faults.happens("clock_jumps"):
            self._skew += timedelta(seconds=self._random.uniform(-600, 600))
        for when, table in self.house.due():
            if when <= self.clock:
                self._numbers += 1
                number = f"clock-{self._random.getrandbits(32):08x}-{self._numbers}"
                self.take(Order(id=number, deed=RunOn(table=table)), lambda told: None)
        self._in(TICK, self._tick)
