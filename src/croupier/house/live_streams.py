"""A stream in memory: what is stored of it, and what has been decided on top of that and waits to be stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from croupier.house.accounts import Account
from croupier.house.names import PROMOTIONS, TABLES, account_stream, promotion_stream, table_stream
from croupier.house.promotions import PromotionState
from croupier.house.stored_events import Document, Entry, encode, read
from croupier.house.tables import TableState
from croupier.store.records import Record, Snapshot, anchor, link

S = TypeVar("S")


class Head(NamedTuple):
    """How far a stream goes: its last version and the chain's hash of it."""

    version: int
    hash: bytes


class Drafted(msgspec.Struct, frozen=True, gc=False):
    """What a write adds to one stream: between which heads, which entries, and the state after them."""

    before: Head
    after: Head
    entries: list[Entry]
    state: Any


_NOWHERE = Head(-1, b"")
RELIED_ON = Drafted(_NOWHERE, _NOWHERE, [], None)  # nothing is added: what goes elsewhere was decided by the stream

Evolve = Callable[[S, list[Entry]], S]


class Live(Generic[S]):
    """One stream. `state` is what everybody may see; `newest` is what the next decision goes by."""

    def __init__(self, stream: str, start: S, evolve: Evolve[S]) -> None:
        self.stream = stream
        self._evolve = evolve
        self.state = self.newest = start
        self.head = self.newest_head = Head(0, anchor(stream))

    def take_in(self, records: list[Record]) -> list[Entry]:
        """Go on with what the store has, and return it; what was decided on top of the old end is forgotten."""
        entries = [read(record) for record in records if record.version > self.head.version]
        if entries:
            assert entries[0].version == self.head.version + 1, f"{self.stream} goes on with a gap"
            self.state = self._evolve(self.state, entries)
            self.head = Head(entries[-1].version, entries[-1].hash)
            self.fall_back()
        return entries

    def restore(self, state: S, head: Head) -> None:
        """Begin with a snapshot instead of the first event."""
        assert self.head.version == 0, f"{self.stream} has begun already"
        self.state, self.head = state, head
        self.fall_back()

    def fall_back(self) -> None:
        """Forget what waits to be stored."""
        self.newest, self.newest_head = self.state, self.head

    def draft(self, documents: Iterable[Document]) -> Drafted:
        """What the stream would be with these events, and the entries they would be."""
        version, hashed = self.newest_head
        entries = []
        for place, document in enumerate(documents, version + 1):
            stored = encode(document)
            hashed = link(hashed, stored)
            entries.append(Entry(place, hashed, stored, document))
        after = Head(version + len(entries), hashed)
        return Drafted(self.newest_head, after, entries, self._evolve(self.newest, entries))

    def go_ahead(self, draft: Drafted) -> None:
        """Decide on top of these events from now on, before they are stored."""
        self.newest, self.newest_head = draft.state, draft.after

    def stored(self, draft: Drafted) -> bool:
        """These events are stored. False where they have been taken in already."""
        if self.head != draft.before:
            return False
        self.state, self.head = draft.state, draft.after
        if self.newest_head.version < self.head.version:  # it was given up for lost, and has landed all the same
            self.fall_back()
        return True


# -- snapshots --------------------------------------------------------------------------------------------------------
# Snapshots: what a stream had come to, as bytes, so that it need not be read from its first event again. They are a
# convenience and never a truth. One that this very program would not have written is not used: the stream is read
# from the beginning then, and nothing is lost but time.

FORMAT = 2  # one more whenever the same events lead to another state than before, though it has the same shape
OPENING = b"croupier snapshot\n"
MOST_BYTES = 64 * 2**20  # what is larger is not worth keeping; it would hold up the writes that go with it

State = TableState | Account | PromotionState


class Restored(NamedTuple):
    """A stream at the moment of its snapshot."""

    state: State
    head: Head


def kind_of(stream: str) -> type[State]:
    """What a stream is the history of."""
    if stream.startswith(PROMOTIONS):
        return PromotionState
    return TableState if stream.startswith(TABLES) else Account


def taken(stream: str, state: State, head: Head) -> Snapshot | None:
    """A snapshot of a stream; None of one that is too large to be worth it."""
    try:
        stored = _front(type(state)) + msgspec.msgpack.encode(state)
    except OverflowError:  # a number that no such bytes have room for
        return None
    return Snapshot(stream, head.version, head.hash, stored) if len(stored) <= MOST_BYTES else None


def restored(snapshot: Snapshot) -> Restored | None:
    """What a snapshot shows; None where it is not of this program, not of this stream, or cannot be read."""
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
    """What stands before a state: what it is, the format, and a fingerprint of program and shape."""
    shape = repr(msgspec.inspect.type_info(kind))
    made = sha256(f"{version('croupier')}\n{shape}".encode()).hexdigest()
    return OPENING + f"{FORMAT} {made}\n".encode()


def make_ready() -> None:
    """Find out beforehand what stands before states: it takes longer than a snapshot of a large table."""
    for kind in (TableState, Account, PromotionState):
        _front(kind)


class Intervals:
    """When the next snapshot of a stream is due: so many events after the last one."""

    def __init__(self, events: int) -> None:
        self._events = events
        self._last: dict[str, int] = {}

    def found(self, stream: str, version: int) -> None:
        """There is a snapshot of this version."""
        self._last[stream] = version

    def is_due(self, stream: str, version: int) -> bool:
        """Whether a stream that has come this far should have one."""
        return version - self._last.get(stream, 0) >= self._events
