"""Checkpoints in the hands of others: what a witness keeps, and what that shows of a store.

A whole store can be replaced by an older copy of itself, and nothing in it will show that. A checkpoint that somebody
else has does. A witness keeps statement and signature as they were handed over, one JSON object for each; the newest
vouches for all before it, since each statement holds the digest of the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from threading import Lock

import msgspec

from croupier.store.checkpoints import Checkpoint, read_checkpoint, said_at
from croupier.store.contract import Store, StoreError
from croupier.store.records import Append, Conflict, Write


class Handed(msgspec.Struct, frozen=True):
    """A checkpoint as it is handed to a witness: the line that was signed, and its signature."""

    statement: str
    signature: str

    @classmethod
    def of(cls, checkpoint: Checkpoint) -> Handed:
        """What is handed over of a checkpoint: nothing that names a stream."""
        return cls(checkpoint.line.decode(), checkpoint.signature.hex())

    def checkpoint(self) -> Checkpoint:
        """What it says. Raises ValueError."""
        if "\n" in self.statement or "\n" in self.signature:
            raise ValueError("is no statement with a signature")
        return read_checkpoint(f"{self.statement}\n{self.signature}".encode("utf-8", "surrogatepass"))

    def line(self) -> bytes:
        """As it stands in the file of a witness."""
        return msgspec.json.encode(self) + b"\n"


class Witnessed(msgspec.Struct, frozen=True):
    """A checkpoint that somebody else has; `witness` is what they are called in sentences."""

    checkpoint: Checkpoint
    witness: str


def read_witnessed(content: bytes, witness: str) -> list[Witnessed]:
    """The checkpoints in a witness's file, one to a line. Raises ValueError.

    The last line may have been cut off when a machine lost its power: it is passed over.
    """
    *lines, last = content.split(b"\n")
    found = [_read(number, line, witness) for number, line in enumerate(lines, 1) if line.strip()]
    if last.strip():
        try:
            found.append(_read(len(lines) + 1, last, witness))
        except ValueError:
            if not found:
                raise
    if not found:
        raise ValueError("there is no checkpoint in it")
    return found


def _read(number: int, line: bytes, witness: str) -> Witnessed:
    try:
        return Witnessed(_decoder.decode(line).checkpoint(), witness)
    except (ValueError, msgspec.MsgspecError, RecursionError):
        raise ValueError(f"line {number} is no checkpoint with its signature") from None


_decoder = msgspec.json.Decoder(Handed)


def against_witnessed(
    witnessed: Iterable[Witnessed], checkpoints: Mapping[int, Checkpoint], key: str | None = None
) -> Iterator[str]:
    """Sentences on checkpoints that witnesses have and that are not among these, letter by letter.

    `key` is the house's, where it is known; otherwise all must be signed with the same.
    """
    last = max(checkpoints, default=0)
    for one in witnessed:
        found, statement = one.checkpoint, one.checkpoint.statement
        key = statement.key if key is None else key
        which = f"The witness {one.witness} has checkpoint {statement.number}, signed at {statement.at}"
        if not found.has_good_signature() or statement.key != key:
            yield f"{which}, which is not signed with the house's key."
        elif statement.number not in checkpoints:
            yield f"{which}; here the last is number {last}: the store was taken back to an older past."
        elif checkpoints[statement.number].shown() != found.shown():
            yield f"{which}; here another one has that number: this is not the past that was witnessed."


# -- being a witness --------------------------------------------------------------------------------------------------

PREFIX = "witness/"  # of the streams in which a house keeps the checkpoints of others, each under their key
MOST_HOUSES = 20
MOST_STATEMENT = 4 * 2**20  # bytes: one that names fifty thousand streams
MOST_BYTES = 256 * 2**20  # of one house, in all
REMEMBERED = 1000  # checkpoints that are not kept a second time where they are handed over again
MOST_TRIES = 20  # of a house that others are ahead of


class NotTaken(Exception):
    """A witness does not take a checkpoint; carries a code and a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        super().__init__(sentence)


class Entry(msgspec.Struct, frozen=True):
    """A checkpoint of another house as it is kept: who handed it over and when.

    `highest` is the highest number so far, and `bytes` how much was kept with this one.
    """

    at: str
    who: str
    highest: int
    bytes: int
    statement: str
    signature: str

    def handed(self) -> Handed:
        """As it was handed over."""
        return Handed(self.statement, self.signature)


class _Book(msgspec.Struct):
    """What is known of the checkpoints of one house without reading all of them."""

    version: int
    highest: int
    bytes: int
    digests: dict[str, None]


class Keeper:
    """Keeps the checkpoints of other houses in streams of its own store. Several processes of a house may.

    Whatever another house signed is kept, also what contradicts an earlier one: that is what a witness is for.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._books: dict[str, _Book] = {}
        self._one_at_a_time = Lock()

    def take(self, key: str, handed: Handed, who: str, at: datetime) -> int:
        """Keep a checkpoint; the highest number that this house has signed. Raises NotTaken and StoreError."""
        try:
            found = handed.checkpoint()
        except ValueError as error:
            raise NotTaken("bad_checkpoint", f"That {error}.") from None
        if found.statement.key != key or not found.has_good_signature():
            raise NotTaken("bad_checkpoint", "That is not signed with the key in the address.")
        with self._one_at_a_time:
            for _ in range(MOST_TRIES):
                book = self._book(key)
                mark = sha256(found.shown()).hexdigest()
                if mark in book.digests:
                    return book.highest
                if self._is_kept(key, book, Entry("", who, 0, 0, handed.statement, handed.signature), found, at):
                    return self._book(key).highest
        raise StoreError(f"{self._store.name} could not keep a checkpoint: others were quicker {MOST_TRIES} times.")

    def _is_kept(self, key: str, book: _Book, entry: Entry, found: Checkpoint, at: datetime) -> bool:
        size = book.bytes + len(entry.statement) + len(entry.signature)
        if size > MOST_BYTES:
            raise NotTaken("witness_full", "This witness has kept as much of that house as it can.")
        if not book.version and len(self._store.heads(PREFIX)) >= MOST_HOUSES:
            raise NotTaken("witness_full", "This witness keeps the checkpoints of as many houses as it can.")
        highest = max(book.highest, found.statement.number)
        made = msgspec.structs.replace(entry, at=said_at(at), highest=highest, bytes=size)
        write = Write((Append(PREFIX + key, book.version, (msgspec.json.encode(made),)),))
        return not isinstance(self._store.commit([write])[0], Conflict)

    def _book(self, key: str) -> _Book:
        """What is known, with what was written since."""
        stream = PREFIX + key
        end = self._store.head(stream).version
        book = self._books.get(key)
        if book is None or end - book.version > REMEMBERED:
            book = self._books[key] = _Book(max(0, end - REMEMBERED), 0, 0, {})
        for record in self._store.read(stream, book.version):
            entry = msgspec.json.decode(record.document, type=Entry)
            book.version, book.highest, book.bytes = record.version, entry.highest, entry.bytes
            book.digests[sha256(f"{entry.statement}\n{entry.signature}".encode()).hexdigest()] = None
        while len(book.digests) > REMEMBERED:
            del book.digests[next(iter(book.digests))]
        return book

    def kept(self, key: str, after: int, limit: int) -> list[tuple[int, Entry]]:
        """What is kept of a house, in the order in which it came."""
        records = self._store.read(PREFIX + key, after, limit)
        return [(record.version, msgspec.json.decode(record.document, type=Entry)) for record in records]
