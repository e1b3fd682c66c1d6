"""Connections that are lent for a question and come back: as many as there are questions at once, up to a bound."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Generic, TypeVar

from croupier.store.contract import StoreError

T = TypeVar("T")


class _Waiting(Generic[T]):
    """Somebody who waits for a connection, or for the place of one that is gone."""

    def __init__(self) -> None:
        self.called = Lock()
        self.called.acquire()
        self.connection: T | None = None


class Pool(Generic[T]):
    """Connections for reading. Whoever finds none free waits, and whoever has waited longest gets the next.

    One on which something failed is closed.
    """

    def __init__(self, make: Callable[[], T], drop: Callable[[T], None], most: int, closed: str) -> None:
        """`closed` is the sentence said when something is asked for after the end."""
        self._make = make
        self._drop = drop
        self._closed_sentence = closed
        self._lock = Lock()
        self._free: list[T] = []
        self._places = most  # that no connection takes
        self._waiting: deque[_Waiting[T]] = deque()
        self._is_closed = False

    @contextmanager
    def lend(self) -> Iterator[T]:
        """A connection of one's own for a while. Raises StoreError after the end."""
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
        """A connection, or the right to make one."""
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
        """Close those that are free now, and the others when they come back."""
        with self._lock:
            self._is_closed = True
        self.forget()

    def forget(self) -> None:
        """Close those that are free; more can be made."""
        with self._lock:
            free, self._free = self._free, []
            self._places += len(free)
        for connection in free:
            self._drop(connection)
