"""Group commit with a future for each write: for threads, and for the tasks of an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress

from croupier.store.contract import Boundary, Store, StoreError, nothing
from croupier.store.group_commit import MOST_AT_ONCE, MOST_WAITING, GroupCommitter, LoopGroupCommitter
from croupier.store.records import Outcome, Write


class GroupWriter(GroupCommitter[Future[Outcome]]):
    """Group commit for threads: each write has a future."""

    def __init__(
        self,
        store: Store,
        *,
        most_waiting: int = MOST_WAITING,
        most_at_once: int = MOST_AT_ONCE,
        boundary: Boundary = nothing,
    ) -> None:
        super().__init__(store, _settle, most_waiting=most_waiting, most_at_once=most_at_once, boundary=boundary)

    def submit(self, write: Write) -> Future[Outcome]:
        """Submit a write; the future holds the outcome or a StoreError. Raises StoreBusy, StoreError."""
        future: Future[Outcome] = Future()
        future.set_running_or_notify_cancel()  # once handed in it cannot be taken back
        self.hand_in(write, future)
        return future


class LoopWriter(LoopGroupCommitter["asyncio.Future[Outcome]"]):
    """Group commit for an event loop, which is woken once per batch and not once per write."""

    def __init__(
        self,
        store: Store,
        loop: asyncio.AbstractEventLoop | None = None,
        *,
        most_waiting: int = MOST_WAITING,
        most_at_once: int = MOST_AT_ONCE,
        boundary: Boundary = nothing,
    ) -> None:
        """`loop` is the running one by default."""
        super().__init__(
            store, self._hand_over, loop, most_waiting=most_waiting, most_at_once=most_at_once, boundary=boundary
        )

    def submit(self, write: Write) -> asyncio.Future[Outcome]:
        """Submit a write, from the thread of the loop. Raises StoreBusy, StoreError.

        Cancelling the wait does not cancel the write.
        """
        future = self._loop.create_future()
        self.hand_in(write, future)
        return future

    def _hand_over(self, tickets: list[asyncio.Future[Outcome]], outcomes: list[Outcome | StoreError]) -> None:
        with suppress(RuntimeError):  # the loop is closed, and no one waits any more
            self._loop.call_soon_threadsafe(_settle, tickets, outcomes)


def _settle(
    futures: Sequence[Future[Outcome] | asyncio.Future[Outcome]], outcomes: Sequence[Outcome | StoreError]
) -> None:
    """Resolve the futures of a batch."""
    for future, outcome in zip(futures, outcomes, strict=True):
        if future.done():  # whoever waited has gone
            continue
        if isinstance(outcome, StoreError):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
