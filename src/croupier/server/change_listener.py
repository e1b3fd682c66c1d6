"""What other processes write: heard of here, so that a table is the same wherever it is looked at.

PostgreSQL tells which streams have come how far, and the desk catches up with those it has in memory. Tables that
others have set up are loaded, so that their clocks run here too. Whatever may have been missed, at the start or while
the connection was lost, is found by comparing the heads of all streams. With other stores there is nothing to hear.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from threading import Event, Thread
from typing import Protocol

from croupier.house.names import AT_HAND
from croupier.server.order_processor import LOADED_AT_ONCE, OrderProcessor
from croupier.store.contract import CorruptStore, StoreError

WAIT = 0.5  # seconds, after which it is looked whether to stop
AFTER_A_FAULT = 1.0

log = logging.getLogger("croupier.server")


class Notice(Protocol):
    """Streams that another process has written to, with their versions; None where some notices may be lost."""

    @property
    def heads(self) -> dict[str, int] | None:
        """How far they have come."""


class Listener(Protocol):
    """Whoever waits for notices; a lost connection is made again with the next wait."""

    def wait(self, seconds: float) -> Sequence[Notice]:
        """What was said. Raises StoreError."""

    def close(self) -> None:
        """Stop listening."""


class Notices:
    """Keeps a desk in step with others on the same store, until it is stopped."""

    def __init__(self, desk: OrderProcessor) -> None:
        self._desk = desk
        self._listen: Callable[[], Listener] | None = getattr(desk.store, "listen", None)
        self._loop = asyncio.get_running_loop()
        self._stopping = Event()
        self._thread: Thread | None = None
        self._room = asyncio.Semaphore(LOADED_AT_ONCE)
        self._news: dict[str, int] = {}
        self._following: dict[str, asyncio.Task[None]] = {}
        self._may_have_missed = False
        self._comparing: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, where the store has something to tell."""
        if self._listen is not None:
            self._thread = Thread(target=self._run, args=(self._listen,), name="croupier-notices", daemon=True)
            self._thread.start()

    async def stop(self) -> None:
        """Stop listening; what is under way is left where it is."""
        self._stopping.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
        tasks = [*self._following.values(), *([] if self._comparing is None else [self._comparing])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # In the thread that listens

    def _run(self, listen: Callable[[], Listener]) -> None:
        listener: Listener | None = None
        is_lost = False
        while not self._stopping.is_set():
            try:
                if listener is None:
                    listener = listen()
                    self._tell([None])  # whatever was written before
                heard = listener.wait(WAIT)
            except StoreError as error:
                if not is_lost:
                    log.warning("Other processes are not heard: %s", error)
                is_lost = True
                self._stopping.wait(AFTER_A_FAULT)
                continue
            if is_lost:
                log.warning("Other processes are heard again.")
            is_lost = False
            self._tell([notice.heads for notice in heard])
        if listener is not None:
            listener.close()

    def _tell(self, heard: list[dict[str, int] | None]) -> None:
        if heard:
            with suppress(RuntimeError):  # the loop is closed, and nobody wants to know
                self._loop.call_soon_threadsafe(self._hear, heard)

    # In the thread of the loop

    def _hear(self, heard: Iterable[dict[str, int] | None]) -> None:
        if self._stopping.is_set():
            return
        for heads in heard:
            if heads is not None:
                self._note(heads)
                continue
            self._may_have_missed = True
            if self._comparing is None:
                self._comparing = asyncio.create_task(self._compare(), name="croupier-notices")

    def _note(self, heads: dict[str, int]) -> None:
        """While the desk catches up with a stream more is noted, and only the newest counts."""
        for stream, version in heads.items():
            if stream.startswith(AT_HAND) or self._desk.house.has(stream):
                self._news[stream] = max(version, self._news.get(stream, 0))
                if stream not in self._following:
                    self._following[stream] = asyncio.create_task(self._follow(stream), name=f"croupier-{stream}")

    async def _follow(self, stream: str) -> None:
        """Catch up with a stream until there is no news of it."""
        try:
            while (version := self._news.pop(stream, None)) is not None:
                try:
                    async with self._room:
                        await self._desk.catch_up(stream, version)
                except CorruptStore:
                    pass  # the desk knows, and serves the others
                except StoreError:  # the store will be back
                    self._news[stream] = max(version, self._news.get(stream, 0))
                    await asyncio.sleep(AFTER_A_FAULT)
        except Exception:  # a fault of the program: the next notice tries again
            log.exception("%s could not be followed", stream)
        finally:
            del self._following[stream]

    async def _compare(self) -> None:
        """See which streams have come further than is known here."""
        try:
            while self._may_have_missed:
                self._may_have_missed = False
                try:
                    heads = await asyncio.to_thread(self._desk.store.heads)
                except CorruptStore as error:
                    log.error("What other processes wrote cannot be looked for. %s", error)
                except StoreError:
                    self._may_have_missed = True
                    await asyncio.sleep(AFTER_A_FAULT)
                else:
                    self._note(
                        {head.stream: head.version for head in heads if self._is_behind(head.stream, head.version)}
                    )
        except Exception:  # a fault of the program: the next loss tries again
            log.exception("What other processes wrote could not be looked for.")
        finally:
            self._comparing = None

    def _is_behind(self, stream: str, version: int) -> bool:
        house = self._desk.house
        return not house.has(stream) or house.head(stream).version < version
