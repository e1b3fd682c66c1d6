"""A pool of read connections, created on demand up to a limit."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Generic, TypeVar

from croupier.store.contract import StoreError

T = TypeVar("T")


class _Waiting(Generic[T]):
    """A thread waiting for a connection, or for a free place to open one."""

    def __init__(self) -> None:
        self.called = Lock()
        self.called.acquire()
        self.connection: T | None = None


class Pool(Generic[T]):
    """Connections for reading. If none is free, callers wait; the longest-waiting one gets the next.

    A connection on which something failed is closed.
    """

    def __init__(self, make: Callable[[], T], drop: Callable[[T], None], most: int, closed: str) -> None:
        """`closed` is the message for requests after close."""
        self._make = make
        self._drop = drop
        self._closed_sentence = closed
        self._lock = Lock()
        self._free: list[T] = []
        self._places = most  # free places: connections that may still be opened
        self._waiting: deque[_Waiting[T]] = deque()
        self._is_closed = False

    @contextmanager
    def lend(self) -> Iterator[T]:
        """Lend a connection for the block. Raises StoreError after close."""
        connection = self._take()
        try:
            if connection is None:
                connection = self._make()
            yield connection
        except BaseException:
            if connection is not None:
                self._drop(connection)
            self._give_back(None)
            raise
        self._give_back(connection)

    def _take(self) -> T | None:
        """Take a free connection, or a place to open one."""
        with self._lock:
            if self._is_closed:
                raise StoreError(self._closed_sentence)
            if self._free:
                return self._free.pop()
            if self._places:
                self._places -= 1
                return None
            one = _Waiting[T]()
            self._waiting.append(one)
        one.called.acquire()
        return one.connection

    def _give_back(self, connection: T | None) -> None:
        with self._lock:
            if self._waiting:
                one = self._waiting.popleft()
                one.connection = connection
                one.called.release()
                return
            if connection is None or self._is_closed:
                self._places += 1
            else:
                self._free.append(connection)
                return
        if connection is not None:
            self._drop(connection)

    def close(self) -> None:
        """Close free connections now, and the others when they are returned."""
        with self._lock:
            self._is_closed = True
        self.forget()

    def forget(self) -> None:
        """Close free connections; new ones may be opened."""
        with self._lock:
            free, self._free = self._free, []
            self._places += len(free)
        for connection in free:
            self._drop(connection)
