"""The stored form of an event: who, when, and by which order. Versioned; old formats stay readable."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec

from croupier.house.events import HouseEvent
from croupier.prizes.events import AnyEvent as PrizeEvent
from croupier.store.records import Record
from croupier.table.events import AnyEvent

FORMAT = 1

StoredEvent = AnyEvent | HouseEvent | PrizeEvent


class Document(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, rename={"role": "as"}):
    """One event as stored. `who` is the person, None if the house itself acted; `order` is the order behind it.

    `salt` is set in documents that are not public: their digests are, and a stake must not be guessable from a digest.
    """

    format: int
    at: str
    event: StoredEvent
    who: str | None = None
    role: str | None = None
    order: str | None = None
    salt: str | None = None


class UnknownFormat(Exception):
    """This version cannot read a stored document; carries a message."""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Document)

# Each entry converts the plain values of a document from its format to the next.
UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def encode(document: Document) -> bytes:
    """Return the bytes to store."""
    return _encoder.encode(document)


def decode(stored: bytes) -> Document:
    """Read a stored document of any format so far. Raises UnknownFormat."""
    try:
        document = _decoder.decode(stored)
    except msgspec.MsgspecError:
        return _upgraded(stored)
    return document if document.format == FORMAT else _upgraded(stored)


def _upgraded(stored: bytes) -> Document:
    try:
        plain = msgspec.json.decode(stored, type=dict[str, Any])
        number = plain.get("format")
        while isinstance(number, int) and number in UPGRADES:
            plain = UPGRADES[number](plain)
            number = plain["format"]
        if number == FORMAT:
            return msgspec.convert(plain, Document)
    except msgspec.MsgspecError as error:
        raise UnknownFormat(f"A stored document cannot be read: {error}.") from None
    raise UnknownFormat(f"A stored document has format {number}; this version reads formats up to {FORMAT}.")


def stamp(at: datetime) -> str:
    """Return a time as stored: UTC, to the microsecond, always of the same length."""
    text: str = msgspec.to_builtins(at.astimezone(UTC))
    return text if at.microsecond else f"{text[:-1]}.000000Z"


def moment(text: str) -> datetime:
    """Read a stored time."""
    return datetime.fromisoformat(text)


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A stored event, decoded."""

    version: int
    hash: bytes
    stored: bytes
    document: Document


def read(record: Record) -> Entry:
    """Decode a record of the store. Raises UnknownFormat."""
    return Entry(record.version, record.hash, record.document, decode(record.document))
