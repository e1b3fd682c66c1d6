"""A stream in memory: what is stored of it, and what has been decided on top of that and waits to be stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from croupier.house.documents import Document, Entry, encode, read
from croupier.store.chain import anchor, link
from croupier.store.records import Record

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
