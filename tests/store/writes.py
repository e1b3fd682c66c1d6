"""Short forms of the writes that tests need."""

from __future__ import annotations

from croupier.store import Answer, Append, Committed, Outcome, Store, Write
from croupier.store.records import anchor, link


def append(stream: str, expected: int, *documents: bytes, key: str | None = None) -> Write:
    """Documents for one stream, with an answer to ann's command where it has a key."""
    answer = None if key is None else Answer("ann", key, b"d" * 32, f"reply to {key}".encode())
    return Write((Append(stream, expected, documents),), answer)


def commit(store: Store, *writes: Write) -> list[Outcome]:
    """One transaction."""
    return store.commit(writes)


def fill(store: Store, stream: str, count: int) -> None:
    """This many events, one after the other, in one transaction."""
    begin = store.head(stream).version
    documents = tuple(f'{{"event":{number}}}'.encode() for number in range(begin + 1, begin + count + 1))
    (outcome,) = store.commit([Write((Append(stream, begin, documents),))])
    assert isinstance(outcome, Committed)


def hashes(stream: str, *documents: bytes) -> list[bytes]:
    """The hash chain, computed independently."""
    made, last = [], anchor(stream)
    for document in documents:
        last = link(last, document)
        made.append(last)
    return made
