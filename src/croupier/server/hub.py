"""Who listens to which stream. What has been stored goes to all of them, each with what they may see.

The bytes are made once for those who see the same. A listener who does not keep up is told to come again from where
they are, so that nobody's slow line costs the house memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from croupier.house.deeds.scene import table_stream
from croupier.house.documents import Entry
from croupier.house.house import House
from croupier.house.showing import PUBLIC_EYES, Eyes, Shown, show_account_entry
from croupier.table.telling import Told
from croupier.table.view import TableView

_TABLES = table_stream("")
_encode = msgspec.json.Encoder().encode

Look = Callable[[], Eyes]


class Chunk(NamedTuple):
    """Some events as they go over the line, and the version of the last."""

    version: int
    data: bytes


def message(name: str, told: Told, version: int | None = None) -> bytes:
    """One message of a stream of server-sent events."""
    number = b"" if version is None else b"id: %d\n" % version
    return b"%sevent: %s\ndata: %s\n\n" % (number, name.encode(), _encode(told))


class Listener:
    """Somebody who listens. `look` is asked at each event, since a person may become staff, or stop being it."""

    def __init__(self, hub: Hub, stream: str, look: Look, person: str | None, most: int) -> None:
        self._hub = hub
        self.stream = stream
        self.person = person
        self.look = look
        self._most = most
        self._chunks: list[Chunk] = []
        self._came: asyncio.Future[None] | None = None
        self.is_late = False
        self.is_closed = False

    def hear(self, chunk: Chunk) -> None:
        """Something has happened."""
        if len(self._chunks) >= self._most:
            self.is_late = True
        else:
            self._chunks.append(chunk)
        self.wake()

    def wake(self) -> None:
        """Let whoever waits look again."""
        if self._came is not None and not self._came.done():
            self._came.set_result(None)

    async def next(self, seconds: float) -> list[Chunk]:
        """What has happened since the last time; after so long without anything, nothing."""
        if not self._chunks and not self.is_late and not self.is_closed:
            self._came = asyncio.get_running_loop().create_future()
            await asyncio.wait([self._came], timeout=seconds)
            self._came = None
        chunks, self._chunks = self._chunks, []
        return chunks

    def leave(self) -> None:
        """Listen no longer."""
        self._hub.forget(self)


class Hub:
    """All listeners of one process."""

    def __init__(self, most_waiting: int) -> None:
        self._most = most_waiting
        self._listeners: dict[str, set[Listener]] = {}
        self.is_closed = False

    def listen(self, stream: str, look: Look, person: str | None = None) -> Listener:
        """Hear of all that is stored from now on."""
        listener = Listener(self, stream, look, person, self._most)
        listener.is_closed = self.is_closed
        self._listeners.setdefault(stream, set()).add(listener)
        return listener

    def forget(self, listener: Listener) -> None:
        """Somebody has gone."""
        others = self._listeners.get(listener.stream, set())
        others.discard(listener)
        if not others:
            self._listeners.pop(listener.stream, None)

    def __len__(self) -> int:
        return sum(map(len, self._listeners.values()))

    def close(self) -> None:
        """Send everybody home: the house closes."""
        self.is_closed = True
        self._dismiss(lambda listener: True)

    def dismiss(self, person: str) -> None:
        """Send one person home, who has signed out: whoever is still let in comes again."""
        self._dismiss(lambda listener: listener.person == person)

    def _dismiss(self, whom: Callable[[Listener], bool]) -> None:
        for listener in [one for listeners in self._listeners.values() for one in listeners if whom(one)]:
            listener.is_closed = True
            listener.wake()

    def publish(self, house: House, stream: str, entries: list[Entry]) -> None:
        """Tell all who listen to a stream what was stored."""
        listeners = self._listeners.get(stream)
        if listeners:
            telling = Telling(house, stream, entries)
            for listener in list(listeners):
                listener.hear(telling.to(listener.look()))


class Telling:
    """Some entries of a stream as bytes, made once for each of those who see different things."""

    def __init__(self, house: House, stream: str, entries: list[Entry]) -> None:
        self._entries = entries
        self._shown: list[Shown] | None = None
        if stream.startswith(_TABLES):
            view = TableView(house.shelf, house.table(stream.removeprefix(_TABLES)).game)
            self._shown = [Shown(view, entry) for entry in entries]
        self._made: dict[Eyes, Chunk] = {}

    def to(self, look: Eyes) -> Chunk:
        """What goes to somebody."""
        audience = self._audience(look)
        chunk = self._made.get(audience)
        if chunk is None:
            told = self.told(audience)
            messages = [message("entry", one, entry.version) for one, entry in zip(told, self._entries, strict=True)]
            chunk = self._made[audience] = Chunk(self._entries[-1].version, b"".join(messages))
        return chunk

    def _audience(self, look: Eyes) -> Eyes:
        if look.all:
            return Eyes(None, all=True)
        if look.person is None or self._shown is None:
            return look
        return look if any(shown.concerns(look.person) for shown in self._shown) else PUBLIC_EYES

    def told(self, look: Eyes) -> list[Told]:
        """The same in plain values."""
        if self._shown is None:
            return [show_account_entry(entry) for entry in self._entries]
        return [shown.to(look) for shown in self._shown]
