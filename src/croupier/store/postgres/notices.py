"""Notices between houses over PostgreSQL: which streams grew, and to which version. The events stay in the store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import monotonic

import msgspec
import psycopg

from croupier.store.batch import HeadRow
from croupier.store.postgres.connecting import Address, Lost, told

CHANNEL = "croupier"
MOST_BYTES = 7500  # PostgreSQL's limit per notification is just under 8,000


class Notice(msgspec.Struct, frozen=True):
    """Streams that another house appended to, with their new versions; None if notices may have been lost."""

    heads: dict[str, int] | None


class _Sent(msgspec.Struct):
    house: str
    heads: dict[str, int]


def payloads(house: str, heads: Sequence[HeadRow]) -> Iterator[str]:
    """Yield the notices of a commit, packed into as few payloads as possible."""
    room, piece = MOST_BYTES, dict[str, int]()
    for stream, version, _ in heads:
        need = len(msgspec.json.encode(stream)) + len(str(version)) + 2
        if need > room:
            yield _encoded(house, piece)
            room, piece = MOST_BYTES, {}
        piece[stream] = version
        room -= need
    if piece:
        yield _encoded(house, piece)


def _encoded(house: str, heads: dict[str, int]) -> str:
    return msgspec.json.encode(_Sent(house, heads)).decode()


def received(payload: str, house: str) -> Notice | None:
    """Parse a payload; None if it is this house's own. An unreadable one counts as lost notices."""
    try:
        sent = msgspec.json.decode(payload, type=_Sent)
    except msgspec.DecodeError:
        return Notice(None)
    return None if sent.house == house else Notice(sent.heads)


# -- listening --------------------------------------------------------------------------------------------------------


class Listener:
    """A connection that waits for other houses' notices. For use by one thread."""

    def __init__(self, address: Address, house: str) -> None:
        """Raise StoreError if the server does not answer."""
        self._address = address
        self._house = house
        self._connection: psycopg.Connection | None = None
        self._listen()

    def _listen(self) -> psycopg.Connection:
        connection = self._address.connect()
        with told(self._address.name, "cannot be listened to", connection):
            connection.execute(f"LISTEN {CHANNEL}")
        self._connection = connection
        return connection

    def wait(self, seconds: float) -> list[Notice]:
        """Return notices as soon as there are any; empty after this many seconds. Raises StoreError.

        After a reconnection the first notice says that some may be missing. While the server cannot be reached this
        raises Lost, and may be called again.
        """
        end = monotonic() + seconds
        missed: list[Notice] = []
        if self._connection is None or self._connection.closed:
            self._listen()
            missed = [Notice(None)]
        try:
            return missed + self._heard(0.0 if missed else max(0.0, end - monotonic()))
        except Lost:
            self.close()
            raise

    def _heard(self, seconds: float) -> list[Notice]:
        assert self._connection is not None, "it was connected"
        with told(self._address.name, "cannot be listened to", self._connection):
            said = list(self._connection.notifies(timeout=seconds, stop_after=1))
        notices = (received(one.payload, self._house) for one in said)
        return [notice for notice in notices if notice is not None]

    def close(self) -> None:
        """Stop listening."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(psycopg.Error):
                connection.close()
