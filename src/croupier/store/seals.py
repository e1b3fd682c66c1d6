"""Seals: data outside the chains that may change or be deleted is sealed with the house's key, entry by entry.

The mark of an entry starts with the digest of its content, so that anyone can notice a flipped bit. If the entry is
sealed, two proofs follow that the house wrote it. The first is fast and needs the house's key; the house checks it at
every read. The second is a signature, for everyone who knows the public key.

The key lies in its own file, never in the store. So a seal protects against anyone who can write to the store or to a
copy of it but lacks the key. It cannot distinguish an entry from an older one that the house wrote under the same name.
"""

from __future__ import annotations

from hmac import compare_digest
from hmac import digest as keyed_digest
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # slow to load, and callers with a key have loaded them already
    from croupier.store.keys import HouseKey, PublicKey

DIGEST_BYTES = 32
KEYED_BYTES = 32
SEALED_BYTES = DIGEST_BYTES + KEYED_BYTES + 64
_PURPOSE = b"croupier seals\n"  # derives the key of the fast proof
_SIGNED = b"croupier seal\n"  # domain prefix: the signature is valid for nothing else


class Proof(Protocol):
    """Checks whether the house sealed something."""

    def is_sealed(self, mark: bytes) -> bool:
        """Return whether the mark's proofs are the house's, for the digest that it starts with."""


class Seals:
    """Seals made and checked with the house's key."""

    def __init__(self, key: HouseKey) -> None:
        self._key = key
        self._quick = key.derived(_PURPOSE)

    def made(self, digest: bytes) -> bytes:
        """Return the mark of an entry with this digest."""
        return digest + self._keyed(digest) + self._key.sign(_SIGNED + digest)

    def is_sealed(self, mark: bytes) -> bool:
        """Check the fast proof."""
        digest, keyed = mark[:DIGEST_BYTES], mark[DIGEST_BYTES : DIGEST_BYTES + KEYED_BYTES]
        return len(mark) == SEALED_BYTES and compare_digest(keyed, self._keyed(digest))

    def _keyed(self, digest: bytes) -> bytes:
        return keyed_digest(self._quick, digest, "sha256")


class PublicSeals:
    """Seals checked by signature, with the public key alone."""

    def __init__(self, key: PublicKey) -> None:
        self._key = key

    def is_sealed(self, mark: bytes) -> bool:
        """Check the signature."""
        digest, signature = mark[:DIGEST_BYTES], mark[DIGEST_BYTES + KEYED_BYTES :]
        return len(mark) == SEALED_BYTES and self._key.has_signed(signature, _SIGNED + digest)


def digest_in(mark: object) -> object:
    """Return the digest that a mark starts with; anything that is not a mark is returned as is, and matches nothing."""
    return mark[:DIGEST_BYTES] if isinstance(mark, bytes) and len(mark) in (DIGEST_BYTES, SEALED_BYTES) else None
