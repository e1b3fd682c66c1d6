"""Seals: what is in no chain and changes or goes is sealed with the house's key, entry by entry.

A mark that stands beside an entry is the digest of its content, so that a flipped bit is noticed by anybody; behind it,
where the entry is sealed, two proofs that the house wrote it. The first is quick and only for who has the house's key:
a house asks for it whenever it reads. The second is a signature, for everybody who knows the public half.

The key lies in a file of its own, never in the store. So a seal holds against whoever can write to the store, or to a
copy of it, and has not the key; it cannot tell an entry from an older one that the house wrote under the same name.
"""

from __future__ import annotations

from hmac import compare_digest
from hmac import digest as keyed_digest
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # loading them takes a moment, and whoever has one has loaded them
    from croupier.store.keys import HouseKey, PublicKey

DIGEST_BYTES = 32
KEYED_BYTES = 32
SEALED_BYTES = DIGEST_BYTES + KEYED_BYTES + 64
_PURPOSE = b"croupier seals\n"  # of the key of the quick proof
_SIGNED = b"croupier seal\n"  # in front of what is signed, so that it can pass for nothing else


class Proof(Protocol):
    """Tells whether the house has sealed something."""

    def is_sealed(self, mark: bytes) -> bool:
        """Whether the proofs in a mark are the house's, for the digest that it begins with."""


class Seals:
    """The seals of a house that has its key at hand."""

    def __init__(self, key: HouseKey) -> None:
        self._key = key
        self._quick = key.derived(_PURPOSE)

    def made(self, digest: bytes) -> bytes:
        """The mark of an entry with this digest."""
        return digest + self._keyed(digest) + self._key.sign(_SIGNED + digest)

    def is_sealed(self, mark: bytes) -> bool:
        """By the quick proof."""
        digest, keyed = mark[:DIGEST_BYTES], mark[DIGEST_BYTES : DIGEST_BYTES + KEYED_BYTES]
        return len(mark) == SEALED_BYTES and compare_digest(keyed, self._keyed(digest))

    def _keyed(self, digest: bytes) -> bytes:
        return keyed_digest(self._quick, digest, "sha256")


class PublicSeals:
    """The same for who knows the public key alone: by the signature."""

    def __init__(self, key: PublicKey) -> None:
        self._key = key

    def is_sealed(self, mark: bytes) -> bool:
        """By the signature."""
        digest, signature = mark[:DIGEST_BYTES], mark[DIGEST_BYTES + KEYED_BYTES :]
        return len(mark) == SEALED_BYTES and self._key.has_signed(signature, _SIGNED + digest)


def digest_in(mark: object) -> object:
    """The digest that a mark begins with; what is no mark is left as it is, and fits nothing."""
    return mark[:DIGEST_BYTES] if isinstance(mark, bytes) and len(mark) in (DIGEST_BYTES, SEALED_BYTES) else None
