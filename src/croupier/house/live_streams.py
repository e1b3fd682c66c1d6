"""A stream in memory, its snapshots, and when they are due.

A live stream has a stored state and a newest one, which includes events that are decided and wait for the store. A
snapshot is a stream's state as bytes, so that loading need not start at the first event. It is only a cache: one that
this exact program would not have written is ignored, and the stream is replayed from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from croupier.house.account_state import Account
from croupier.house.names import PROMOTIONS, TABLES, account_stream, promotion_stream, table_stream
from croupier.house.promotion_state import PromotionState
from croupier.house.stored_events import Document, Entry, encode, read
from croupier.house.table_state import TableState
from croupier.store.records import Record, Snapshot, anchor, link

S = TypeVar("S")


class Head(NamedTuple):
    """The end of a stream: its last version and the hash of the chain there."""

    version: int
    hash: bytes


class Drafted(msgspec.Struct, frozen=True, gc=False):
    """What a write adds to one stream: the heads before and after, the entries, and the state after them."""

    before: Head
    after: Head
    entries: list[Entry]
    state: Any


_NOWHERE = Head(-1, b"")
RELIED_ON = Drafted(_NOWHERE, _NOWHERE, [], None)  # adds nothing: the decision depends on this stream

Evolve = Callable[[S, list[Entry]], S]


class Live(Generic[S]):
    """One stream. `state` is stored and public; `newest` is what the next decision builds on."""

    def __init__(self, stream: str, start: S, evolve: Evolve[S]) -> None:
        self.stream = stream
        self._evolve = evolve
        self.state = self.newest = start
        self.head = self.newest_head = Head(0, anchor(stream))

    def take_in(self, records: list[Record]) -> list[Entry]:
        """Append the store's records and return the new entries; drops decisions built on the old end."""
        entries = [read(record) for record in records if record.version > self.head.version]
        if entries:
            assert entries[0].version == self.head.version + 1, f"{self.stream} goes on with a gap"
            self.state = self._evolve(self.state, entries)
            self.head = Head(entries[-1].version, entries[-1].hash)
            self.fall_back()
        return entries

    def restore(self, state: S, head: Head) -> None:
        """Start from a snapshot instead of the first event."""
        assert self.head.version == 0, f"{self.stream} has begun already"
        self.state, self.head = state, head
        self.fall_back()

    def fall_back(self) -> None:
        """Drop everything that waits for the store."""
        self.newest, self.newest_head = self.state, self.head

    def draft(self, documents: Iterable[Document]) -> Drafted:
        """Return the entries for these events, and the stream's state after them."""
        version, hashed = self.newest_head
        entries = []
        for place, document in enumerate(documents, version + 1):
            stored = encode(document)
            hashed = link(hashed, stored)
            entries.append(Entry(place, hashed, stored, document))
        after = Head(version + len(entries), hashed)
        return Drafted(self.newest_head, after, entries, self._evolve(self.newest, entries))

    def go_ahead(self, draft: Drafted) -> None:
        """Build further decisions on these events before they are stored."""
        self.newest, self.newest_head = draft.state, draft.after

    def stored(self, draft: Drafted) -> bool:
        """Mark these events as stored. False: they were already taken in."""
        if self.head != draft.before:
            return False
        self.state, self.head = draft.state, draft.after
        if self.newest_head.version < self.head.version:  # it was given up as lost, and was stored after all
            self.fall_back()
        return True


# Snapshots

FORMAT = 2  # raise it whenever the same events lead to a different state of the same shape
OPENING = b"croupier snapshot\n"
MOST_BYTES = 64 * 2**20  # a larger one would hold up the writes stored with it

State = TableState | Account | PromotionState


class Restored(NamedTuple):
    """The state and head of a stream at its snapshot."""

    state: State
    head: Head


def kind_of(stream: str) -> type[State]:
    """Return the type of a stream's state."""
    if stream.startswith(PROMOTIONS):
        return PromotionState
    return TableState if stream.startswith(TABLES) else Account


def taken(stream: str, state: State, head: Head) -> Snapshot | None:
    """Return a snapshot of a stream, or None if it is too large to be worth storing."""
    try:
        stored = _front(type(state)) + msgspec.msgpack.encode(state)
    except OverflowError:  # an integer too large for MessagePack
        return None
    return Snapshot(stream, head.version, head.hash, stored) if len(stored) <= MOST_BYTES else None


def restored(snapshot: Snapshot) -> Restored | None:
    """Read a snapshot; None if it is of another program or stream, or unreadable."""
    kind = kind_of(snapshot.stream)
    front = _front(kind)
    if not snapshot.state.startswith(front):
        return None
    try:
        state = msgspec.msgpack.decode(memoryview(snapshot.state)[len(front) :], type=kind)
    except (msgspec.MsgspecError, RecursionError):
        return None
    if _stream_of(state) != snapshot.stream:
        return None
    return Restored(state, Head(snapshot.version, snapshot.hash))


def _stream_of(state: State) -> str:
    if isinstance(state, PromotionState):
        return promotion_stream(state.name)
    return table_stream(state.name) if isinstance(state, TableState) else account_stream(state.person)


@cache
def _front(kind: type[State]) -> bytes:
    """Return the header of a snapshot: its magic, the format, and a fingerprint of program version and shape."""
    shape = repr(msgspec.inspect.type_info(kind))
    made = sha256(f"{version('croupier')}\n{shape}".encode()).hexdigest()
    return OPENING + f"{FORMAT} {made}\n".encode()


def make_ready() -> None:
    """Fill the cache of snapshot headers: computing one takes longer than a snapshot of a large table."""
    for kind in (TableState, Account, PromotionState):
        _front(kind)


class Intervals:
    """When the next snapshot of a stream is due: a fixed number of events after the last one."""

    def __init__(self, events: int) -> None:
        self._events = events
        self._last: dict[str, int] = {}

    def found(self, stream: str, version: int) -> None:
        """Record that a snapshot of this version exists."""
        self._last[stream] = version

    def is_due(self, stream: str, version: int) -> bool:
        """Return whether a stream at this version is due for a snapshot."""
        return version - self._last.get(stream, 0) >= self._events
