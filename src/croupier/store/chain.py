"""How events hang together: each hash is made from the one before it and the digest of a document.

It takes only the digest of a document, so one that is withheld from a reader can be shown as its digest, and the chain
still holds.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

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
