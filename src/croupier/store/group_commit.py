"""Group commit: one thread writes, and takes everything that waits into one durable transaction.

A disk needs as long for one event as for a hundred. While it is busy others come, and they all go with the next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from threading import Condition, Lock, Thread
from time import perf_counter
from typing import Generic, TypeVar

import msgspec

from croupier.store.batch import streams_of
from croupier.store.contract import (
    BATCH_TAKEN,
    BEFORE_REPLIES,
    Boundary,
    CorruptStore,
    Held,
    Store,
    StoreBusy,
    StoreError,
    nothing,
)
from croupier.store.records import Outcome, Write

MOST_WAITING = 10_000  # writes; more than that are told to come again
MOST_AT_ONCE = 500  # in one transaction: the first of a long queue should not wait for the last

T = TypeVar("T")
OnBatch = Callable[[list[T], list[Outcome | StoreError]], None]


class Measured(msgspec.Struct, frozen=True):
    """What a writer has done so far."""

    writes: int  # handed on to the store
    batches: int  # in so many transactions
    failed: int  # writes that the store could not take
    largest: int  # writes in one transaction
    seconds: float  # in the store
    waiting: int  # writes, now


class Scribe(Generic[T]):
    """The thread that writes. Each write comes with a ticket; tickets and outcomes go back together, batch by batch.

    `on_batch` is called in that thread. Tickets are whatever tells the caller who is waiting.
    """

    def __init__(
        self,
        store: Store,
        on_batch: OnBatch[T],
        *,
        most_waiting: int = MOST_WAITING,
        most_at_once: int = MOST_AT_ONCE,
        boundary: Boundary = nothing,
    ) -> None:
        self._store = store
        self._on_batch = on_batch
        self._most_waiting = most_waiting
        self._most_at_once = most_at_once
        self._boundary = boundary
        self._writes: list[Write] = []
        self._tickets: list[T] = []
        self._lock = Lock()
        self._changed = Condition(self._lock)
        self._is_idle = False
        self._is_closed = False
        self._measured = Measured(0, 0, 0, 0, 0.0, 0)
        self._thread = Thread(target=self._run, name="croupier-store", daemon=True)
        self._thread.start()

    def hand_in(self, write: Write, ticket: T) -> None:
        """Have something written. Raises StoreBusy where too much is waiting, and StoreError after the end."""
        with self._lock:
            self._expect_room(len(self._writes))
            self._writes.append(write)
            self._tickets.append(ticket)
            self._wake()

    def _expect_room(self, waiting: int) -> None:
        if self._is_closed:
            raise StoreError(f"{self._store.name} takes nothing more: the house is closing.")
        if waiting >= self._most_waiting:
            raise StoreBusy(f"{self._store.name} has {waiting:,} writes waiting: try again in a moment.")

    def _wake(self) -> None:
        if self._is_idle:
            self._is_idle = False
            self._changed.notify()

    def close(self) -> None:
        """Write what is waiting, and end."""
        with self._lock:
            self._is_closed = True
            self._is_idle = False
            self._changed.notify()
        self._thread.join()

    def measured(self) -> Measured:
        """What was done so far."""
        with self._lock:
            return msgspec.structs.replace(self._measured, waiting=len(self._writes))

    def _run(self) -> None:
        while True:
            writes, tickets = self._take()
            if not writes:
                return
            self._boundary(BATCH_TAKEN)
            start = perf_counter()
            outcomes = self._written(writes)
            self._count(outcomes, perf_counter() - start)
            self._boundary(BEFORE_REPLIES)
            self._on_batch(tickets, outcomes)

    def _take(self) -> tuple[list[Write], list[T]]:
        """All that is waiting, up to a bound; nothing at the end."""
        with self._lock:
            while not self._writes and not self._is_closed:
                self._is_idle = True
                self._changed.wait()
            self._is_idle = False
            most = self._most_at_once
            writes, self._writes = self._writes[:most], self._writes[most:]
            tickets, self._tickets = self._tickets[:most], self._tickets[most:]
        return writes, tickets

    def _written(self, writes: Sequence[Write]) -> list[Outcome | StoreError]:
        try:
            return list(self._store.commit(writes))
        except CorruptStore as error:
            if error.stream is None or len(writes) == 1:
                return [error] * len(writes)
            # One stream is damaged: whoever writes to others shall not suffer from it.
            return [outcome for write in writes for outcome in self._written([write])]
        except Held as error:
            return self._written_beside(error, writes)
        except StoreError as error:
            return [error] * len(writes)
        except Exception as error:  # a fault of the program: those who wait must hear of it, and others go on
            failed = StoreError(f"{self._store.name} took nothing: {type(error).__name__}: {error}.")
            failed.__cause__ = error
            return [failed] * len(writes)

    def _written_beside(self, held: Held, writes: Sequence[Write]) -> list[Outcome | StoreError]:
        """What is for streams that nobody holds is written, in its order."""
        is_held = [not held.streams.isdisjoint(streams_of([write])) for write in writes]
        free = [write for write, no in zip(writes, is_held, strict=True) if not no]
        if not free or len(free) == len(writes):
            return [held] * len(writes)
        outcomes = iter(self._written(free))
        return [held if no else next(outcomes) for no in is_held]

    def _count(self, outcomes: list[Outcome | StoreError], seconds: float) -> None:
        done = self._measured
        self._measured = Measured(
            writes=done.writes + len(outcomes),
            batches=done.batches + 1,
            failed=done.failed + sum(1 for outcome in outcomes if isinstance(outcome, StoreError)),
            largest=max(done.largest, len(outcomes)),
            seconds=done.seconds + seconds,
            waiting=0,
        )


class LoopScribe(Scribe[T]):
    """Group commit for the thread of an event loop.

    What is handed in while the loop goes round once goes on together: a thread that began with the first of it would
    have the two wait for each other, write by write.
    """

    def __init__(
        self,
        store: Store,
        on_batch: OnBatch[T],
        loop: asyncio.AbstractEventLoop | None = None,
        *,
        most_waiting: int = MOST_WAITING,
        most_at_once: int = MOST_AT_ONCE,
        boundary: Boundary = nothing,
    ) -> None:
        """`loop` is the running one unless another is named."""
        self._loop = asyncio.get_running_loop() if loop is None else loop
        self._new_writes: list[Write] = []
        self._new_tickets: list[T] = []
        super().__init__(store, on_batch, most_waiting=most_waiting, most_at_once=most_at_once, boundary=boundary)

    def hand_in(self, write: Write, ticket: T) -> None:
        """Have something written. Raises StoreBusy where too much is waiting, and StoreError after the end."""
        with self._lock:
            self._expect_room(len(self._writes) + len(self._new_writes))
            if not self._new_writes:
                self._loop.call_soon(self._hand_on)
            self._new_writes.append(write)
            self._new_tickets.append(ticket)

    def _hand_on(self) -> None:
        with self._lock:
            self._writes += self._new_writes
            self._tickets += self._new_tickets
            self._new_writes, self._new_tickets = [], []
            if self._writes:
                self._wake()

    def close(self) -> None:
        """Write what is waiting, and end."""
        self._hand_on()
        super().close()
