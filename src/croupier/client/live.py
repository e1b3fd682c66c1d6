"""Live events: server-sent events that go on by themselves after a break, with nothing missed and nothing doubled."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from typing import NamedTuple

import httpx

from croupier.client.errors import BadReply, Refused
from croupier.client.line import Line, Pauses, may_try_again, read
from croupier.client.replies import Entry
from croupier.store.receipts import Receipt

# The house says at least every 15 seconds that it is still there.
TIMEOUT = httpx.Timeout(10.0, read=45.0)
STEADY = 5.0  # seconds, after which a connection that breaks was a good one
MOST_GAPS = 5  # in a row: then it is no accident


class Message(NamedTuple):
    """One message: its name, and what it says."""

    name: str
    data: bytes


class _Gap(Exception):
    """A number is missing: what has come since the last one is asked for again."""


class Live:
    """What is heard of one stream, through as many connections as it takes."""

    def __init__(self, line: Line, path: str, after: int, patience: float, keep: Callable[[Receipt], None]) -> None:
        """`keep` is handed the receipts that come when bets are shut."""
        self._keep = keep
        self._line = line
        self._path = path
        self._position = after
        self._patience = patience
        self._pauses = Pauses(line.first_pause)
        self._heard = time.monotonic()  # when anything was heard of the house
        self._gaps = 0

    def entries(self) -> Generator[Entry, None, None]:
        """Everything after a version, as it happens, for as long as anybody asks for more.

        Raises Refused where one may not listen any longer, and Unreachable where nothing is heard for too long.
        """
        while True:
            start, begin = self._position, time.monotonic()
            wait, error = None, Exception("it ended the connection")
            try:
                yield from self._one_connection()
            except Refused as refused:
                if not may_try_again(refused, harmless=True):
                    raise
                wait, error = refused.wait, refused
            except (httpx.TransportError, _Gap) as broken:
                error = broken
            if self._position > start or time.monotonic() - begin > STEADY:
                self._pauses = Pauses(self._line.first_pause)
            if time.monotonic() - self._heard > self._patience:
                raise self._line.unreachable(error) from error
            self._pauses.take(wait)

    def _one_connection(self) -> Iterator[Entry]:
        with self._line.stream(self._path, {"last-event-id": str(self._position)}, timeout=TIMEOUT) as pieces:
            for together in messages(self._noted(pieces)):
                for message in together:  # what the house has signed is at hand before anything is done about it
                    if message.name == "receipt":
                        self._keep(read(message.data, Receipt))
                for message in together:
                    if message.name == "entry" and (entry := self._next(message)) is not None:
                        self._position = entry.version
                        yield entry

    def _noted(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self._heard = time.monotonic()
            yield piece

    def _next(self, message: Message) -> Entry | None:
        """The entry, if it is the next one; None for one that has come already. Raises _Gap where one is missing."""
        entry = read(message.data, Entry)
        if entry.version <= self._position:
            return None
        if entry.version == self._position + 1:
            self._gaps = 0
            return entry
        self._gaps += 1
        if self._gaps == MOST_GAPS:
            raise BadReply(f"The house leaves event {self._position + 1} out, and tells {entry.version}.")
        raise _Gap(f"event {self._position + 1} did not come")


def messages(pieces: Iterator[bytes]) -> Iterator[list[Message]]:
    """The messages of a stream, those together that came together. One that was cut off is none."""
    name, data, rest = "message", list[bytes](), b""
    for piece in pieces:
        together = list[Message]()
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            content = line.rstrip(b"\r")
            field, _, value = content.partition(b":")
            if field == b"event":
                name = value.removeprefix(b" ").decode("utf-8", "replace")
            elif field == b"data":
                data.append(value.removeprefix(b" "))
            elif not content:
                if data:
                    together.append(Message(name, b"\n".join(data)))
                name, data = "message", []
        yield together
