"""The event broadcaster: sends stored events to all listeners of a stream, each with what they may see.

Listeners with the same view share the same bytes. A listener who falls behind is disconnected and resumes where they
left off, so a slow connection does not cost the house memory.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from croupier.contract import replies
from croupier.contract.replies import Felt, Reply
from croupier.house.house import House, NotLoaded
from croupier.house.live_streams import Head
from croupier.house.names import TABLES, name_of, table_stream
from croupier.house.queries import (
    PUBLIC_VIEWER,
    BetsShut,
    Console,
    SharedFelt,
    Shown,
    TableState,
    Viewer,
    is_like_others,
    same_for_all,
    show_account_entry,
    show_felt,
    steps_of,
    with_console,
)
from croupier.house.stored_events import Entry, stamp
from croupier.rules.shelf import Shelf
from croupier.server.problems import Problem
from croupier.store.receipts import Claim, Receipt
from croupier.table.events import BetsClosed
from croupier.table.state import TableView

_encode = msgspec.json.Encoder().encode
WAIT_SECONDS = 10
EVERYTHING = Viewer(None, all=True)
MOST_BYTES = 4 * 2**20

Look = Callable[[], Viewer]
Issue = Callable[[Sequence[Claim]], list[Receipt]]


class Chunk(NamedTuple):
    """Encoded events, and the version of the last one."""

    version: int
    data: bytes


def no_receipts(_: Sequence[Claim]) -> list[Receipt]:
    """Sign nothing: for a house without a key."""
    return []


def message(name: str, told: Reply | Receipt | dict[str, str], version: int | None = None) -> bytes:
    """Encode one server-sent event."""
    number = b"" if version is None else b"id: %d\n" % version
    return b"%sevent: %s\ndata: %s\n\n" % (number, name.encode(), _encode(told))


class Listener:
    """A subscriber to a stream. `look` is called at each event, because a person may join or leave the staff."""

    def __init__(
        self,
        broadcaster: Broadcaster,
        stream: str,
        look: Look,
        person: str | None,
        network: str,
        most: int,
        most_bytes: int,
    ) -> None:
        self._broadcaster = broadcaster
        self.stream = stream
        self.person = person
        self.network = network
        self.look = look
        self._most = most
        self._most_bytes = most_bytes
        self._chunks: list[Chunk] = []
        self._bytes = 0
        self._loop = asyncio.get_running_loop()
        self._came: asyncio.Future[None] | None = None
        self._heard_at = self._loop.time()
        self._timer: asyncio.TimerHandle | None = None
        self.is_late = False
        self.is_closed = False
        self.is_gone = False  # the client has disconnected

    def hear(self, chunk: Chunk) -> None:
        """Queue a chunk, unless the listener is too far behind."""
        self._heard_at = self._loop.time()
        self.is_late = self.is_late or self._is_too_much(chunk)
        if not self.is_late:  # after a dropped chunk nothing may follow, or the gap would go unnoticed
            self._chunks.append(chunk)
            self._bytes += len(chunk.data)
        self.wake()

    def _is_too_much(self, chunk: Chunk) -> bool:
        """Return whether the queue would overflow. An empty queue takes any chunk, or a large one would never pass."""
        if not self._chunks:
            return False
        return len(self._chunks) >= self._most or self._bytes + len(chunk.data) > self._most_bytes

    def wake(self) -> None:
        """Wake the waiting task."""
        if self._came is not None and not self._came.done():
            self._came.set_result(None)

    def stay_awake(self, seconds: float) -> None:
        """Wake the listener whenever nothing has been sent for so long.

        Events do not reset the timer; it checks the clock when it fires. Some tables have thousands of listeners, and
        most resets would be wasted.
        """
        quiet = self._loop.time() - self._heard_at
        if quiet >= seconds:
            self._heard_at += quiet
            quiet = 0.0
            self.wake()
        self._timer = self._loop.call_later(seconds - quiet, self.stay_awake, seconds)

    def hang_up(self) -> None:
        """Note that the client has disconnected."""
        self.is_gone = True
        self.wake()

    async def next(self) -> list[Chunk]:
        """Return the chunks since the last call; an empty list if the listener was woken for another reason."""
        if not (self._chunks or self.is_late or self.is_closed or self.is_gone):
            self._came = self._loop.create_future()
            await self._came
            self._came = None
        chunks, self._chunks, self._bytes = self._chunks, [], 0
        return chunks

    def leave(self) -> None:
        """Stop listening."""
        if self._timer is not None:
            self._timer.cancel()
        self._broadcaster.forget(self)


class Broadcaster:
    """All listeners of one process."""

    def __init__(
        self,
        most_waiting: int,
        most_bytes: int = MOST_BYTES,
        most: int | None = None,
        most_from_one: int | None = None,
        issue: Issue = no_receipts,
    ) -> None:
        """`most` is the maximum number of listeners, `most_from_one` that of one network.

        `issue` signs the receipts that listeners get when bets close.
        """
        self.issue = issue
        self._most_waiting = most_waiting
        self._most_bytes = most_bytes
        self._most = most
        self._most_from_one = most_from_one
        self._listeners: dict[str, set[Listener]] = {}
        self._from: Counter[str] = Counter()
        self._hearing: Counter[tuple[str, str]] = Counter()  # listeners by stream and person
        self.is_closed = False

    def listen(self, stream: str, look: Look, person: str | None = None, network: str = "") -> Listener:
        """Subscribe to all events stored from now on. Raises Problem if there are too many listeners."""
        if self._most_from_one is not None and self._from[network] >= self._most_from_one:
            say = "Too many listeners from this address: close one first."
            raise Problem(429, "too_many_listeners", say, wait=WAIT_SECONDS)
        if self._most is not None and len(self) >= self._most:
            raise Problem(503, "listeners_full", "Too many listeners: try again later.", wait=WAIT_SECONDS)
        listener = Listener(self, stream, look, person, network, self._most_waiting, self._most_bytes)
        listener.is_closed = self.is_closed
        self._listeners.setdefault(stream, set()).add(listener)
        self._from[network] += 1
        if person is not None:
            self._hearing[stream, person] += 1
        return listener

    def hears(self, stream: str, person: str) -> bool:
        """Return whether a person listens to a stream here."""
        return (stream, person) in self._hearing

    def forget(self, listener: Listener) -> None:
        """Remove a listener."""
        others = self._listeners.get(listener.stream, set())
        if listener in others:
            others.discard(listener)
            if listener.person is not None:
                self._hearing[listener.stream, listener.person] -= 1
                if not self._hearing[listener.stream, listener.person]:
                    del self._hearing[listener.stream, listener.person]
            self._from[listener.network] -= 1
            if not self._from[listener.network]:
                del self._from[listener.network]
        if not others:
            self._listeners.pop(listener.stream, None)

    def __len__(self) -> int:
        return self._from.total()

    def close(self) -> None:
        """Disconnect everyone: the house closes."""
        self.is_closed = True
        self._dismiss(lambda listener: True)

    def dismiss(self, person: str) -> None:
        """Disconnect a person who has signed out; clients that are still authorised reconnect."""
        self._dismiss(lambda listener: listener.person == person)

    def dismiss_from(self, stream: str) -> None:
        """Disconnect all listeners of a stream; they reconnect and resume."""
        self._dismiss(lambda listener: listener.stream == stream)

    def _dismiss(self, whom: Callable[[Listener], bool]) -> None:
        for listener in [one for listeners in self._listeners.values() for one in listeners if whom(one)]:
            listener.is_closed = True
            listener.wake()

    def publish(self, house: House, stream: str, entries: list[Entry]) -> None:
        """Send what was stored to all listeners of a stream."""
        listeners = self._listeners.get(stream)
        if listeners:
            encoded = EntryEncoder.of(house, stream, self.issue).encode(entries)
            for listener in list(listeners):
                try:
                    listener.hear(encoded.to(listener.look()))
                except NotLoaded:  # their account is not loaded: they reconnect, and the others do not wait
                    listener.is_closed = True
                    listener.wake()


class EntryEncoder(NamedTuple):
    """Encodes the entries of one stream for its listeners. `table` is None for the stream of an account.

    It is immutable, so past entries can be encoded in a thread.
    """

    shelf: Shelf
    table: TableState | None
    issue: Issue

    @classmethod
    def of(cls, house: House, stream: str, issue: Issue) -> EntryEncoder:
        """Create the encoder of one stream."""
        return cls(house.shelf, house.table(name_of(stream)) if stream.startswith(TABLES) else None, issue)

    def encode(self, entries: list[Entry]) -> EncodedEntries:
        """Prepare entries, with receipts for those that close the bets."""
        if self.table is None:
            return EncodedEntries(None, entries)
        kind = BetsClosed if self.table.rhythm is None else BetsShut
        stream = table_stream(self.table.name)
        shut = [Claim(stream, one.version, one.hash) for one in entries if isinstance(one.document.event, kind)]
        receipts = {one.version: message("receipt", one) for one in self.issue(shut)} if shut else {}
        return EncodedEntries(TableView(self.shelf, self.table.game), entries, receipts)


class EncodedEntries:
    """Entries of a stream as bytes, encoded once for all who see the same.

    An entry that closes the bets is followed by its receipt, so everyone at the table has it before the throw.
    """

    def __init__(
        self, view: TableView | None, entries: list[Entry], receipts: Mapping[int, bytes] = MappingProxyType({})
    ) -> None:
        """`receipts` are by version."""
        self._entries = entries
        self._shown = None if view is None else [Shown(view, entry) for entry in entries]
        self._receipts = receipts
        self._messages: dict[Viewer, list[bytes]] = {}
        self._chunks: dict[Viewer, Chunk] = {}

    def to(self, look: Viewer) -> Chunk:
        """Return the entries as this viewer may see them."""
        audience = EVERYTHING if look.all else look
        chunk = self._chunks.get(audience)
        if chunk is None:
            chunk = self._chunks[audience] = self._chunk(audience)
        return chunk

    def _chunk(self, look: Viewer) -> Chunk:
        if look.person is None or self._shown is None:
            return Chunk(self._entries[-1].version, b"".join(self._for_all(look)))
        own = [shown.concerns(look.person) for shown in self._shown]
        if not any(own):
            return self.to(PUBLIC_VIEWER)
        told = zip(own, self._shown, self._for_all(PUBLIC_VIEWER), strict=True)
        return Chunk(
            self._entries[-1].version,
            b"".join([self._entry(shown.to(look)) if is_own else public for is_own, shown, public in told]),
        )

    def _for_all(self, look: Viewer) -> list[bytes]:
        """Encode every entry for viewers who see the same."""
        messages = self._messages.get(look)
        if messages is None:
            messages = self._messages[look] = [self._entry(told) for told in self._told(look)]
        return messages

    def _told(self, look: Viewer) -> Sequence[replies.Entry]:
        if self._shown is None:
            return [show_account_entry(entry) for entry in self._entries]
        return [shown.to(look) for shown in self._shown]

    def _entry(self, told: replies.Entry) -> bytes:
        return message("entry", told, told.version) + self._receipts.get(told.version, b"")


# Live felts: computed once per event for all who see the same


class _Kept(msgspec.Struct):
    """What was computed for one version of a table: the common part, felts by audience, and steps by staff member."""

    head: Head
    shared: SharedFelt
    felts: dict[bool, Felt] = {}
    consoles: dict[str, Console | None] = {}


class Pictures:
    """The newest felt of each table that is being watched."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._kept: dict[str, _Kept] = {}

    def felt_for(self, state: TableState, head: Head, look: Viewer, now: datetime) -> Felt:
        """Return a table's felt for a viewer, as `show_felt` does."""
        kept = self._kept.get(state.name)
        if kept is None or kept.head != head:
            kept = self._kept[state.name] = _Kept(head, same_for_all(self._shelf, state))
        if not is_like_others(state, look.person):
            return show_felt(self._shelf, state, head, look, now, kept.shared)
        felt = kept.felts.get(look.all)
        if felt is None:
            audience = PUBLIC_VIEWER._replace(all=look.all)
            felt = kept.felts[look.all] = show_felt(self._shelf, state, head, audience, now, kept.shared)
        felt = msgspec.structs.replace(felt, now=stamp(now))
        console = self._console(kept, state, look, now)
        return felt if console is None else with_console(felt, console)

    def _console(self, kept: _Kept, state: TableState, look: Viewer, now: datetime) -> Console | None:
        if look.person is None or not look.all or look.person not in state.staff:
            return None
        if look.person not in kept.consoles:
            kept.consoles[look.person] = steps_of(self._shelf, state, look.person, now)
        return kept.consoles[look.person]
