"""What a store keeps and what it is asked to write: plain values, the documents in them bytes that it never reads."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

import msgspec

MOST_IN_A_NAME = 200  # characters: far more than a person or a table is called
LAST_CHARACTER = "\U0010ffff"  # never in a name, so that it ends the range of all names with one beginning


def check_name(name: str) -> None:
    """Names go into messages, files and indexes: they are short and have no control characters. Raises ValueError."""
    if not 0 < len(name) <= MOST_IN_A_NAME:
        raise ValueError(f"A name in a store has 1 to {MOST_IN_A_NAME} characters.")
    if name.isascii() and name.isprintable():
        return
    if _NEVER_IN_A_NAME.search(name):
        raise ValueError(f"A name in a store has no control characters and no halves of any: {name!r}.")


_NEVER_IN_A_NAME = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\U0010ffff]")


class Record(msgspec.Struct, frozen=True, gc=False):
    """One event of a stream: its version counts from 1 without gaps, its hash follows from all documents up to it."""

    stream: str
    version: int
    document: bytes
    hash: bytes


class Head(msgspec.Struct, frozen=True, gc=False):
    """How far a stream has come. One without events has version 0 and the hash that its first event follows."""

    stream: str
    version: int
    hash: bytes


class Append(msgspec.Struct, frozen=True, gc=False):
    """Documents to be added to a stream that must be at this version. Without documents it only asks for that.

    With `after`, the chain's hash, it must also have come there the same way: another writer may have made the same
    number of other events.
    """

    stream: str
    expected: int
    documents: tuple[bytes, ...]
    after: bytes | None = None

    def __post_init__(self) -> None:
        check_name(self.stream)


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What somebody's command with this key was answered; `digest` is that of the command."""

    who: str
    key: str
    digest: bytes
    reply: bytes

    def __post_init__(self) -> None:
        check_name(self.who)
        check_name(self.key)


class Secret(msgspec.Struct, frozen=True, gc=False):
    """Something private, by name; None in place of a value takes it away. It is never exported."""

    name: str
    value: bytes | None

    def __post_init__(self) -> None:
        check_name(self.name)


class Snapshot(msgspec.Struct, frozen=True, gc=False):
    """What a stream had come to after the event of this version and hash. It saves reading; it is no second truth."""

    stream: str
    version: int
    hash: bytes
    state: bytes


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """A command that was refused, as it is kept apart from the streams; numbers go up, with gaps."""

    number: int
    document: bytes


class Entry(msgspec.Struct, frozen=True, gc=False):
    """Something that is sealed by itself, as messages call it, with the mark that stands beside it."""

    what: str
    mark: bytes


class Write(msgspec.Struct, frozen=True, gc=False):
    """All of it is written, or nothing."""

    appends: tuple[Append, ...] = ()
    answer: Answer | None = None
    refusal: bytes | None = None
    vault: tuple[Secret, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()


class Committed(msgspec.Struct, frozen=True, gc=False):
    """It is written and will stay so; the heads are those of the streams appended to, in the order of the appends."""

    heads: tuple[Head, ...]


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """Nothing of it is written: this stream is at another version than the one expected."""

    stream: str
    expected: int
    version: int


class Answered(msgspec.Struct, frozen=True, gc=False):
    """Nothing of it is written: a command with this key was answered before, and this was the answer."""

    answer: Answer


Outcome = Committed | Conflict | Answered


# -- chain ------------------------------------------------------------------------------------------------------------
# How events hang together: each hash is made from the one before it and the digest of a document. It takes only the
# digest of a document, so one that is withheld from a reader can be shown as its digest, and the chain still holds.

_ANCHOR = b"croupier stream\n"
_BESIDE = b"croupier beside\n"


def anchor(stream: str) -> bytes:
    """The hash that the first event of a stream follows: no chain can pass for that of another stream."""
    return sha256(_ANCHOR + stream.encode()).digest()


def beside_anchor(kind: str) -> bytes:
    """The same for a chain of what is kept beside the streams: answers, refusals."""
    return sha256(_BESIDE + kind.encode()).digest()


def digest(document: bytes) -> bytes:
    """What a document adds to its chain."""
    return sha256(document).digest()


def link(previous: bytes, document: bytes) -> bytes:
    """The hash of an event from the hash before it and its document."""
    return sha256(previous + sha256(document).digest()).digest()


def link_digest(previous: bytes, digest: bytes) -> bytes:
    """The same where only the document's digest is known."""
    return sha256(previous + digest).digest()


def seal(*parts: str | int | bytes) -> bytes:
    """A digest kept beside what is in no chain, so that a flipped bit is noticed; it proves nothing against a forger.

    MessagePack writes down of each part what kind it is and how long, so that no two lists of parts look the same.
    """
    return sha256(_packed(parts)).digest()


def is_sealed(mark: object, *parts: Any) -> bool:  # noqa: ANN401
    """Whether these are what was sealed. Values of another kind than those written, as in a damaged file, are not."""
    return seal(*parts) == mark


_packed = msgspec.msgpack.Encoder().encode
