"""Documents: what is stored of an event, with who, when and by which order. Versioned; old ones stay readable."""

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
    """One event as it is stored. `who` is the person, None where the house itself acted; `order` is what led to it.

    `salt` is in documents that are not public: their digests are, and nobody shall guess a stake from a digest.
    """

    format: int
    at: str
    event: StoredEvent
    who: str | None = None
    role: str | None = None
    order: str | None = None
    salt: str | None = None


class UnknownFormat(Exception):
    """A document that this version cannot read; carries a sentence."""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Document)

# What turns the plain values of a document into those of the next format.
UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def encode(document: Document) -> bytes:
    """The bytes that are stored."""
    return _encoder.encode(document)


def decode(stored: bytes) -> Document:
    """A stored document of any format there has been. Raises UnknownFormat for one that is none."""
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
    raise UnknownFormat(f"A stored document is of format {number}, and this version knows formats up to {FORMAT}.")


def stamp(at: datetime) -> str:
    """A time as it is stored: in universal time, to the microsecond, always of the same length."""
    text: str = msgspec.to_builtins(at.astimezone(UTC))
    return text if at.microsecond else f"{text[:-1]}.000000Z"


def moment(text: str) -> datetime:
    """A stored time."""
    return datetime.fromisoformat(text)


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A stored event, read."""

    version: int
    hash: bytes
    stored: bytes
    document: Document


def read(record: Record) -> Entry:
    """What a store has, as an entry. Raises UnknownFormat."""
    return Entry(record.version, record.hash, record.document, decode(record.document))
