"""Snapshots: what a stream had come to, as bytes, so that it need not be read from its first event again.

They are a convenience and never a truth. One that this very program would not have written is not used: the stream is
read from the beginning then, and nothing is lost but time.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.metadata import version
from typing import NamedTuple

import msgspec

from croupier.house.accounts import Account
from croupier.house.live import Head
from croupier.house.promotions import PromotionState
from croupier.house.streams import PROMOTIONS, TABLES, account_stream, promotion_stream, table_stream
from croupier.house.tables import TableState
from croupier.store.records import Snapshot

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
