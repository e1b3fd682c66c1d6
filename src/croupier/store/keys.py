"""The house's Ed25519 signing key: the private half in its own file, the public half for everyone."""

from __future__ import annotations

import os
from contextlib import suppress
from hmac import digest as keyed_digest
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from croupier.store.contract import StoreError
from croupier.store.drafts import draft_of, file_errors

MOST_BYTES = 10_000  # a key file has a few hundred
OTHERS = 0o077  # mode bits that give anyone else access to a private file


class PublicKey(NamedTuple):
    """The public half, which checks signatures."""

    raw: bytes

    @property
    def hex(self) -> str:
        """The key as checkpoints write it."""
        return self.raw.hex()

    def pem(self) -> bytes:
        """Return the key as a PEM file."""
        key = Ed25519PublicKey.from_public_bytes(self.raw)
        return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def has_signed(self, signature: bytes, content: bytes) -> bool:
        """Return whether a signature over this is from the key's owner."""
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, content)
        except (InvalidSignature, ValueError):
            return False
        return True


class HouseKey:
    """The house's signing key."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = PublicKey(private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))

    @classmethod
    def new(cls) -> HouseKey:
        """Generate a new key."""
        return cls(Ed25519PrivateKey.generate())

    def sign(self, content: bytes) -> bytes:
        """Return a signature of 64 bytes."""
        return self._private.sign(content)

    def derived(self, purpose: bytes) -> bytes:
        """Derive a 32-byte secret for one purpose, always the same; it reveals nothing about the key."""
        raw = self._private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        return keyed_digest(raw, purpose, "sha256")

    def pem(self) -> bytes:
        """Return the key as a PEM file. Anyone who has it can sign."""
        return self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def house_key(path: Path) -> HouseKey:
    """Read the key in a file, creating it if missing. Raises StoreError."""
    if not path.exists():
        _make(path)
    return read_key(path)


def _make(path: Path) -> None:
    """Create a key file atomically; if another process creates one first, keep that one."""
    beside = draft_of(path)
    try:
        with file_errors(path):
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(HouseKey.new().pem())
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(beside, path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def read_key(path: Path) -> HouseKey:
    """Read the key in a file. Raises StoreError if it is missing, readable by others, or not such a key."""
    content = read_at_most(path, MOST_BYTES, "The key ")
    if os.name == "posix" and path.stat().st_mode & OTHERS:
        raise StoreError(f"The house's key {path} can be read by other users: restrict it with chmod 600.")
    with suppress(ValueError, TypeError):
        key = load_pem_private_key(content, None)
        if isinstance(key, Ed25519PrivateKey):
            return HouseKey(key)
    raise StoreError(f"{path} does not contain a private Ed25519 key in PEM form.")


def read_public_key(given: str) -> PublicKey:
    """Read a public key from 64 hexadecimal digits or a PEM file, public or private. Raises StoreError."""
    with suppress(ValueError):
        raw = bytes.fromhex(given)
        if len(raw) == 32:
            return PublicKey(raw)
    content = read_at_most(Path(given), MOST_BYTES, "The key ")
    with suppress(ValueError, TypeError):
        public = load_pem_public_key(content)
        if isinstance(public, Ed25519PublicKey):
            return PublicKey(public.public_bytes(Encoding.Raw, PublicFormat.Raw))
    with suppress(ValueError, TypeError):
        private = load_pem_private_key(content, None)
        if isinstance(private, Ed25519PrivateKey):
            return HouseKey(private).public
    raise StoreError(f"{given} does not contain an Ed25519 key in PEM form.")


def read_at_most(path: Path, most: int, what: str = "") -> bytes:
    """Return the first bytes of a file, which messages call e.g. "The key house.key". Raises StoreError."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise StoreError(f"{what}{path} cannot be read: {error.strerror or error}.") from error
