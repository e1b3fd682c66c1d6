"""What a store keeps and is asked to write, and the hash chain. Documents are bytes that the store never interprets."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

import msgspec

MOST_IN_A_NAME = 200  # characters: far more than any person or table needs
LAST_CHARACTER = "\U0010ffff"  # never in a name, so it ends the range of all names with a prefix


def check_name(name: str) -> None:
    """Check a name for messages, files and indexes: short, no control characters. Raises ValueError."""
    if not 0 < len(name) <= MOST_IN_A_NAME:
        raise ValueError(f"A name in a store has 1 to {MOST_IN_A_NAME} characters.")
    if name.isascii() and name.isprintable():
        return
    if _NEVER_IN_A_NAME.search(name):
        raise ValueError(f"A name in a store cannot have control characters or lone surrogates: {name!r}.")


_NEVER_IN_A_NAME = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\U0010ffff]")


class Record(msgspec.Struct, frozen=True, gc=False):
    """One event of a stream. Versions count from 1 without gaps; the hash covers all documents up to this one."""

    stream: str
    version: int
    document: bytes
    hash: bytes


class Head(msgspec.Struct, frozen=True, gc=False):
    """The end of a stream. Without events: version 0, and the hash that the first event follows."""

    stream: str
    version: int
    hash: bytes


class Append(msgspec.Struct, frozen=True, gc=False):
    """Documents to append to a stream that must be at this version. Without documents, only the version is checked.

    With `after`, the chain's hash must match too: another writer may have appended the same number of other events.
    """

    stream: str
    expected: int
    documents: tuple[bytes, ...]
    after: bytes | None = None

    def __post_init__(self) -> None:
        check_name(self.stream)


class Answer(msgspec.Struct, frozen=True, gc=False):
    """The stored answer to a person's command with this key; `digest` is the command's."""

    who: str
    key: str
    digest: bytes
    reply: bytes

    def __post_init__(self) -> None:
        check_name(self.who)
        check_name(self.key)


class Secret(msgspec.Struct, frozen=True, gc=False):
    """A private value by name; None deletes it. Never exported."""

    name: str
    value: bytes | None

    def __post_init__(self) -> None:
        check_name(self.name)


class Snapshot(msgspec.Struct, frozen=True, gc=False):
    """The state of a stream after the event of this version and hash. It saves reading; the events remain the truth."""

    stream: str
    version: int
    hash: bytes
    state: bytes


class StoredRefusal(msgspec.Struct, frozen=True, gc=False):
    """A refused command, kept apart from the streams; numbers increase, with gaps."""

    number: int
    document: bytes


class SealedEntry(msgspec.Struct, frozen=True, gc=False):
    """An individually sealed entry: its name in messages, and its mark (digest and proofs)."""

    what: str
    mark: bytes


class Write(msgspec.Struct, frozen=True, gc=False):
    """One atomic write."""

    appends: tuple[Append, ...] = ()
    answer: Answer | None = None
    refusal: bytes | None = None
    vault: tuple[Secret, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()


class Committed(msgspec.Struct, frozen=True, gc=False):
    """Written, durably. Holds the heads of the streams appended to, in order of the appends."""

    heads: tuple[Head, ...]


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """Nothing was written: this stream is at another version than expected."""

    stream: str
    expected: int
    version: int


class Answered(msgspec.Struct, frozen=True, gc=False):
    """Nothing was written: a command with this key was answered before. Holds that answer."""

    answer: Answer


Outcome = Committed | Conflict | Answered


# -- hash chain: each hash covers the previous one and the digest of a document ---------------------------------------
# Only the digest goes in, so a document can be withheld from a reader and shown as its digest, and the chain still
# holds.

_ANCHOR = b"croupier stream\n"
_BESIDE = b"croupier beside\n"


def anchor(stream: str) -> bytes:
    """Return the hash that a stream's first event follows: no chain can pass for another stream's."""
    return sha256(_ANCHOR + stream.encode()).digest()


def beside_anchor(kind: str) -> bytes:
    """Return the starting hash of the chain of answers or refusals."""
    return sha256(_BESIDE + kind.encode()).digest()


def digest(document: bytes) -> bytes:
    """Return what a document contributes to its chain."""
    return sha256(document).digest()


def link(previous: bytes, document: bytes) -> bytes:
    """Return the hash of an event from the previous hash and its document."""
    return sha256(previous + sha256(document).digest()).digest()


def link_digest(previous: bytes, digest: bytes) -> bytes:
    """Return the hash of an event from the previous hash and its document's digest."""
    return sha256(previous + digest).digest()


def checksum(*parts: str | int | bytes) -> bytes:
    """Return a checksum for data outside the chains. It reveals a flipped bit, but proves nothing against a forger.

    MessagePack encodes the type and length of each part, so that different lists of parts never encode alike.
    """
    return sha256(_packed(parts)).digest()


def has_checksum(mark: object, *parts: Any) -> bool:  # noqa: ANN401
    """Return whether these parts match a seal. Values of the wrong type, as in a damaged file, never do."""
    return checksum(*parts) == mark


_packed = msgspec.msgpack.Encoder().encode
