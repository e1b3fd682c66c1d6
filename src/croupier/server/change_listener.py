"""Listens for changes that other processes make to the same store.

PostgreSQL announces which streams have changed and to which version; the order processor then reloads those it has in
memory. Tables set up by other processes are loaded too, so that their clocks run here as well. At the start and after
a lost connection, when announcements may have been missed, the heads of all streams are compared. Other stores have
nothing to announce.
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

WAIT = 0.5  # seconds between checks whether to stop
AFTER_A_FAULT = 1.0

log = logging.getLogger("croupier.server")


class Notice(Protocol):
    """Streams that another process has written to, with their versions; None if announcements may have been lost."""

    @property
    def heads(self) -> dict[str, int] | None:
        """Return the new versions by stream."""


class Listener(Protocol):
    """A source of notices that reconnects on the next wait after a lost connection."""

    def wait(self, seconds: float) -> Sequence[Notice]:
        """Return the notices received. Raises StoreError."""

    def close(self) -> None:
        """Stop listening."""


class ChangeListener:
    """Keeps an order processor in step with other processes on the same store."""

    def __init__(self, processor: OrderProcessor) -> None:
        self._processor = processor
        self._listen: Callable[[], Listener] | None = getattr(processor.store, "listen", None)
        self._loop = asyncio.get_running_loop()
        self._stopping = Event()
        self._thread: Thread | None = None
        self._room = asyncio.Semaphore(LOADED_AT_ONCE)
        self._news: dict[str, int] = {}
        self._following: dict[str, asyncio.Task[None]] = {}
        self._may_have_missed = False
        self._comparing: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start listening, if the store announces changes."""
        if self._listen is not None:
            self._thread = Thread(target=self._run, args=(self._listen,), name="croupier-notices", daemon=True)
            self._thread.start()

    async def stop(self) -> None:
        """Stop listening; abandon work in progress."""
        self._stopping.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
        tasks = [*self._following.values(), *([] if self._comparing is None else [self._comparing])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # In the listening thread

    def _run(self, listen: Callable[[], Listener]) -> None:
        listener: Listener | None = None
        is_lost = False
        while not self._stopping.is_set():
            try:
                if listener is None:
                    listener = listen()
                    self._announce([None])  # compare once: changes made earlier were not announced here
                heard = listener.wait(WAIT)
            except StoreError as error:
                if not is_lost:
                    log.warning("No notifications from other processes: %s", error)
                is_lost = True
                self._stopping.wait(AFTER_A_FAULT)
                continue
            if is_lost:
                log.warning("Notifications from other processes arrive again.")
            is_lost = False
            self._announce([notice.heads for notice in heard])
        if listener is not None:
            listener.close()

    def _announce(self, heard: list[dict[str, int] | None]) -> None:
        if heard:
            with suppress(RuntimeError):  # the loop is closed: the server is shutting down
                self._loop.call_soon_threadsafe(self._hear, heard)

    # In the event loop's thread

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
        """Note new versions. While a stream is being reloaded, only the newest version counts."""
        for stream, version in heads.items():
            if stream.startswith(AT_HAND) or self._processor.house.has(stream):
                self._news[stream] = max(version, self._news.get(stream, 0))
                if stream not in self._following:
                    self._following[stream] = asyncio.create_task(self._follow(stream), name=f"croupier-{stream}")

    async def _follow(self, stream: str) -> None:
        """Reload a stream until there is no newer version of it."""
        try:
            while (version := self._news.pop(stream, None)) is not None:
                try:
                    async with self._room:
                        await self._processor.catch_up(stream, version)
                except CorruptStore:
                    pass  # the order processor knows, and serves the other streams
                except StoreError:  # retry once the store is back
                    self._news[stream] = max(version, self._news.get(stream, 0))
                    await asyncio.sleep(AFTER_A_FAULT)
        except Exception:  # a bug: the next notice tries again
            log.exception("%s could not be followed", stream)
        finally:
            del self._following[stream]

    async def _compare(self) -> None:
        """Find the streams that are behind the store."""
        try:
            while self._may_have_missed:
                self._may_have_missed = False
                try:
                    heads = await asyncio.to_thread(self._processor.store.heads)
                except CorruptStore as error:
                    log.error("Writes of other processes cannot be read. %s", error)
                except StoreError:
                    self._may_have_missed = True
                    await asyncio.sleep(AFTER_A_FAULT)
                else:
                    self._note(
                        {head.stream: head.version for head in heads if self._is_behind(head.stream, head.version)}
                    )
        except Exception:  # a bug: the next loss tries again
            log.exception("Writes of other processes could not be read.")
        finally:
            self._comparing = None

    def _is_behind(self, stream: str, version: int) -> bool:
        house = self._processor.house
        return not house.has(stream) or house.head(stream).version < version
