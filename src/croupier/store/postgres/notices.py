"""What one house tells the others over PostgreSQL: which streams have come how far. The events are in the store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from croupier.store.batch import HeadRow

CHANNEL = "croupier"
MOST_BYTES = 7500  # PostgreSQL carries less than 8,000 in one


class Notice(msgspec.Struct, frozen=True):
    """Streams that another house has appended to, with their new versions; None where some notices may be lost."""

    heads: dict[str, int] | None


class _Sent(msgspec.Struct):
    house: str
    heads: dict[str, int]


def payloads(house: str, heads: Sequence[HeadRow]) -> Iterator[str]:
    """What a commit says, in as few pieces as it can be said in."""
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
    """A notice; None where it is one's own. What cannot be read means that something is not known."""
    try:
        sent = msgspec.json.decode(payload, type=_Sent)
    except msgspec.DecodeError:
        return Notice(None)
    return None if sent.house == house else Notice(sent.heads)
