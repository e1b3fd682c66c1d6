"""Witnesses: third parties that keep a house's checkpoints, and what those prove about its store.

A whole store can be replaced with an older copy of itself, and nothing inside would show it. A checkpoint held by
a third party does. A witness keeps statement and signature as received, one JSON object each; the newest vouches for
all before it, since each statement holds the digest of the previous one.
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
    """A checkpoint as handed to a witness: the signed line and its signature."""

    statement: str
    signature: str

    @classmethod
    def of(cls, checkpoint: Checkpoint) -> Handed:
        """Return what is handed over of a checkpoint: nothing that names a stream."""
        return cls(checkpoint.line.decode(), checkpoint.signature.hex())

    def checkpoint(self) -> Checkpoint:
        """Parse the checkpoint. Raises ValueError."""
        if "\n" in self.statement or "\n" in self.signature:
            raise ValueError("is not a statement with a signature")
        return read_checkpoint(f"{self.statement}\n{self.signature}".encode("utf-8", "surrogatepass"))

    def line(self) -> bytes:
        """Return a line of a witness's file."""
        return msgspec.json.encode(self) + b"\n"


class Witnessed(msgspec.Struct, frozen=True):
    """A checkpoint that a witness holds; `witness` is their name in messages."""

    checkpoint: Checkpoint
    witness: str


def read_witnessed(content: bytes, witness: str) -> list[Witnessed]:
    """Read the checkpoints in a witness's file, one per line. Raises ValueError.

    An unreadable last line is skipped: a power failure may have truncated it.
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
        raise ValueError(f"line {number} is not a checkpoint with its signature") from None


_decoder = msgspec.json.Decoder(Handed)


def against_witnessed(
    witnessed: Iterable[Witnessed], checkpoints: Mapping[int, Checkpoint], key: str | None = None
) -> Iterator[str]:
    """Yield a sentence for each witnessed checkpoint that is not among these, byte for byte.

    `key` is the house's, if known; otherwise all must be signed with the same key.
    """
    last = max(checkpoints, default=0)
    for one in witnessed:
        found, statement = one.checkpoint, one.checkpoint.statement
        key = statement.key if key is None else key
        which = f"The witness {one.witness} has checkpoint {statement.number}, signed at {statement.at}"
        if not found.has_good_signature() or statement.key != key:
            yield f"{which}, which is not signed with the house's key."
        elif statement.number not in checkpoints:
            yield f"{which}; here the last is number {last}: the store was reset to an earlier state."
        elif checkpoints[statement.number].shown() != found.shown():
            yield f"{which}; here a different one has that number: this is not the history that was witnessed."


# -- acting as a witness ----------------------------------------------------------------------------------------------

PREFIX = "witness/"  # streams of other houses' checkpoints, one per key
MOST_HOUSES = 20
MOST_STATEMENT = 4 * 2**20  # bytes: room for fifty thousand streams
MOST_BYTES = 256 * 2**20  # per house, in total
REMEMBERED = 1000  # recent checkpoints that are not stored again when resubmitted
MOST_TRIES = 20  # before giving up because other processes keep winning the race


class NotTaken(Exception):
    """A witness declines a checkpoint; has a code and a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        super().__init__(sentence)


class KeptCheckpoint(msgspec.Struct, frozen=True):
    """A stored checkpoint of another house: who submitted it, and when.

    `highest` is the highest number so far, and `bytes` the total stored including this one.
    """

    at: str
    who: str
    highest: int
    bytes: int
    statement: str
    signature: str

    def handed(self) -> Handed:
        """Return it as it was submitted."""
        return Handed(self.statement, self.signature)


class _Book(msgspec.Struct):
    """A summary of one house's stored checkpoints, so that they need not all be read."""

    version: int
    highest: int
    bytes: int
    digests: dict[str, None]


class Keeper:
    """Keeps other houses' checkpoints in streams of its own store. Safe for several processes of a house.

    Everything another house signed is kept, even if it contradicts an earlier checkpoint: that is the point of a
    witness.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._books: dict[str, _Book] = {}
        self._one_at_a_time = Lock()

    def take(self, key: str, handed: Handed, who: str, at: datetime) -> int:
        """Store a checkpoint; returns the highest number that its house has signed. Raises NotTaken and StoreError."""
        try:
            found = handed.checkpoint()
        except ValueError as error:
            raise NotTaken("bad_checkpoint", f"The checkpoint {error}.") from None
        if found.statement.key != key or not found.has_good_signature():
            raise NotTaken("bad_checkpoint", "It is not signed with the key in the address.")
        with self._one_at_a_time:
            for _ in range(MOST_TRIES):
                book = self._book(key)
                mark = sha256(found.shown()).hexdigest()
                if mark in book.digests:
                    return book.highest
                if self._is_kept(
                    key, book, KeptCheckpoint("", who, 0, 0, handed.statement, handed.signature), found, at
                ):
                    return self._book(key).highest
        raise StoreError(
            f"{self._store.name} could not keep a checkpoint: other processes were faster {MOST_TRIES} times."
        )

    def _is_kept(self, key: str, book: _Book, entry: KeptCheckpoint, found: Checkpoint, at: datetime) -> bool:
        size = book.bytes + len(entry.statement) + len(entry.signature)
        if size > MOST_BYTES:
            raise NotTaken("witness_full", "This witness has no room for more checkpoints of that house.")
        if not book.version and len(self._store.heads(PREFIX)) >= MOST_HOUSES:
            raise NotTaken("witness_full", "This witness has no room for another house.")
        highest = max(book.highest, found.statement.number)
        made = msgspec.structs.replace(entry, at=said_at(at), highest=highest, bytes=size)
        write = Write((Append(PREFIX + key, book.version, (msgspec.json.encode(made),)),))
        return not isinstance(self._store.commit([write])[0], Conflict)

    def _book(self, key: str) -> _Book:
        """Return the summary of a house, up to date with what was written since."""
        stream = PREFIX + key
        end = self._store.head(stream).version
        book = self._books.get(key)
        if book is None or end - book.version > REMEMBERED:
            book = self._books[key] = _Book(max(0, end - REMEMBERED), 0, 0, {})
        for record in self._store.read(stream, book.version):
            entry = msgspec.json.decode(record.document, type=KeptCheckpoint)
            book.version, book.highest, book.bytes = record.version, entry.highest, entry.bytes
            book.digests[sha256(f"{entry.statement}\n{entry.signature}".encode()).hexdigest()] = None
        while len(book.digests) > REMEMBERED:
            del book.digests[next(iter(book.digests))]
        return book

    def kept(self, key: str, after: int, limit: int) -> list[tuple[int, KeptCheckpoint]]:
        """Return what is stored of a house, in order of arrival."""
        records = self._store.read(PREFIX + key, after, limit)
        return [(record.version, msgspec.json.decode(record.document, type=KeptCheckpoint)) for record in records]
