"""Checkpoints: what a house says, signed, of how far its streams have come.

A chain of hashes shows that a stream holds together, but whoever rewrites all of it can make the hashes anew. A
checkpoint cannot be made anew without the house's key. Each names the heads that moved since the one before and holds
that one's digest, so the newest vouches for all; and each can be kept by somebody else.

Answers and refusals are in no stream. Each checkpoint says how far they have come, too: their digests are chained in
the order of their numbers when a checkpoint is made, so that whoever gives an order does not wait for that.

Checkpoints are the events of a stream. A document has three lines: the statement, which is signed; the signature; and
the heads. The statement itself holds only a digest of each head. So it can be shown to anybody: who knows one table can
see that it is in there, and learns nothing of the others.
"""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from typing import Literal, NamedTuple

import msgspec

from croupier.store.contract import BESIDE, BesideKind, Reading, Store, StoreError
from croupier.store.keys import HouseKey, PublicKey
from croupier.store.records import Append, Conflict, Head, Write, beside_anchor, link_digest

STREAM = "checkpoints"
FORMAT: Literal[2] = 2
NONE_BEFORE = "0" * 64  # in place of the digest of the one before the first
MOST_TRIES = 20  # of a house that others are ahead of


class Chained(NamedTuple):
    """How far answers or refusals have come: since which checkpoint they are chained, the last number, the hash."""

    since: int
    number: int
    hash: str


class Statement(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What is signed. The fields are in alphabetical order, so that the same statement is always the same bytes.

    The first format has no `answers` and `refusals`, and proves nothing of them.
    """

    answers: Chained | None = None
    at: str
    croupier: Literal["checkpoint"]
    format: Literal[1, 2]
    house: str
    key: str
    leaves: tuple[str, ...]
    number: int
    previous: str
    records: int
    refusals: Chained | None = None
    streams: int
    whole: bool

    def chained(self, kind: BesideKind) -> Chained | None:
        """How far what is kept beside the streams has come; None in the first format."""
        return self.answers if kind == "answers" else self.refusals


class Checkpoint(msgspec.Struct, frozen=True):
    """A statement as it was signed, and the heads that it is about."""

    statement: Statement
    line: bytes
    signature: bytes
    heads: tuple[Head, ...]

    @property
    def digest(self) -> str:
        """By which the next one refers to it."""
        return sha256(self.line).hexdigest()

    @property
    def key(self) -> PublicKey | None:
        """Whose signature it is said to be; None where that is no key."""
        try:
            raw = bytes.fromhex(self.statement.key)
        except ValueError:
            return None
        return PublicKey(raw) if len(raw) == 32 else None

    def has_good_signature(self) -> bool:
        """Whether the owner of the key that it names has signed it."""
        key = self.key
        return key is not None and key.has_signed(self.signature, self.line)

    def document(self) -> bytes:
        """As it is stored."""
        heads = [(head.stream, head.version, head.hash.hex()) for head in self.heads]
        return b"\n".join((self.line, self.signature.hex().encode(), msgspec.json.encode(heads)))

    def shown(self) -> bytes:
        """As anybody may see it: without the names of the streams."""
        return b"\n".join((self.line, self.signature.hex().encode()))

    def covers(self, head: Head) -> bool:
        """Whether it says that this stream had come to this."""
        return leaf(head) in self.statement.leaves


def leaf(head: Head) -> str:
    """The digest of a head. Nobody can guess its way back, since the hash in it cannot be guessed."""
    return sha256(f"{head.stream}\n{head.version}\n{head.hash.hex()}".encode()).hexdigest()


def read_checkpoint(document: bytes) -> Checkpoint:
    """A checkpoint as it is stored or shown. Raises ValueError, which says what is wrong with it."""
    try:
        line, signature, *rest = document.split(b"\n")
        statement = msgspec.json.decode(line, type=Statement)
        listed = msgspec.json.decode(rest[0], type=list[tuple[str, int, str]]) if rest else []
        heads = tuple(Head(stream, version, bytes.fromhex(mark)) for stream, version, mark in listed)
        made = Checkpoint(statement, line, bytes.fromhex(signature.decode("ascii")), heads)
    except (ValueError, msgspec.DecodeError):
        raise ValueError("is no statement with a signature") from None
    if any((statement.chained(kind) is None) != (statement.format == 1) for kind in BESIDE):
        raise ValueError("is no statement with a signature")
    if rest and tuple(leaf(head) for head in heads) != statement.leaves:
        raise ValueError("does not list the heads that were signed")
    return made


def said_at(moment: datetime) -> str:
    """A time as it stands in documents."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def begun(kind: BesideKind, since: int) -> Chained:
    """A chain of answers or refusals that has none yet."""
    return Chained(since, 0, beside_anchor(kind).hex())


def follow(view: Reading, kind: BesideKind, chained: Chained, until: int) -> Chained:
    """A chain of answers or refusals, gone on with up to a number."""
    last, made = chained.number, bytes.fromhex(chained.hash)
    for number, mark in view.beside(kind, chained.number, until):
        last, made = number, link_digest(made, mark)
    return Chained(chained.since, last, made.hex())


class Sealer:
    """Makes the checkpoints of a house. Several houses on one store may, each with the same key."""

    def __init__(self, store: Store, key: HouseKey, house: str) -> None:
        """`house` is what it calls itself. Raises StoreError where the store was sealed with another key."""
        self._store = store
        self._key = key
        self._house = house
        self._number = 0
        self._previous = NONE_BEFORE
        self._known: dict[str, Head] | None = {}  # heads in the checkpoints so far; None where they are not known
        self._chained: dict[BesideKind, Chained] = {kind: begun(kind, 1) for kind in BESIDE}
        self._is_old = False  # whether the last checkpoint is of the first format
        with store.still() as view:
            self._catch_up(view)

    @property
    def is_begun(self) -> bool:
        """Whether the last checkpoint says that everything is under the house's seal."""
        return self._number > 0 and not self._is_old

    def prepare(self, at: datetime, *, anyway: bool = False) -> Write | None:
        """The write of the next checkpoint; None where nothing has moved, unless it is wanted `anyway`.

        Another house may be quicker: a conflict.
        """
        settled = self._store.settled()
        with self._store.still() as view:
            self._catch_up(view)
            heads = [head for head in view.heads() if head.stream != STREAM]
            chained = {kind: self._followed(view, kind, settled[kind]) for kind in BESIDE}
        known = self._known
        moved = [head for head in heads if known is None or known.get(head.stream) != head]
        if not moved and chained == self._chained and not anyway:
            return None
        line = msgspec.json.encode(
            Statement(
                **chained,
                at=said_at(at),
                croupier="checkpoint",
                format=FORMAT,
                house=self._house,
                key=self._key.public.hex,
                leaves=tuple(leaf(head) for head in moved),
                number=self._number + 1,
                previous=self._previous,
                records=sum(head.version for head in heads),
                streams=len(heads),
                whole=len(moved) == len(heads),
            )
        )
        made = Checkpoint(msgspec.json.decode(line, type=Statement), line, self._key.sign(line), tuple(moved))
        return Write((Append(STREAM, self._number, (made.document(),)),))

    def _followed(self, view: Reading, kind: BesideKind, until: int) -> Chained:
        """How far answers or refusals have come by now."""
        chained = self._chained[kind]
        if until == 0 < chained.number:  # there never were any here: the store was imported, and exports have none
            chained = begun(kind, self._number + 1)
        return follow(view, kind, chained, until)

    def seal(self, at: datetime, *, anyway: bool = False) -> bool:
        """Write the next checkpoint; whether anything had moved, or it was wanted `anyway`. Raises StoreError."""
        for _ in range(MOST_TRIES):
            write = self.prepare(at, anyway=anyway)
            if write is None:
                return False
            (outcome,) = self._store.commit([write])
            if not isinstance(outcome, Conflict):
                return True
        raise StoreError(f"{self._store.name} could not be sealed: other houses were quicker {MOST_TRIES} times.")

    def _catch_up(self, view: Reading) -> None:
        """Take in what was sealed since. At first only the last one is looked at, however many there are."""
        begin = self._number
        if begin == 0:
            begin = max(0, view.head(STREAM).version - 1)
            self._known = None if begin else {}  # without the earlier ones: the next will name all heads
        for record in view.read(STREAM, begin):
            self._take(record.document, record.version)

    def _take(self, document: bytes, version: int) -> None:
        try:
            found = read_checkpoint(document)
        except ValueError as error:
            raise StoreError(f"{self._store.name}: checkpoint {version} {error}.") from None
        if found.statement.key != self._key.public.hex:
            raise StoreError(
                f"{self._store.name} was sealed with another key ({found.statement.key[:16]}…) than the house's "
                f"({self._key.public.hex[:16]}…): give it the key that it began with."
            )
        if found.statement.whole:
            self._known = {}
        if self._known is not None:
            self._known.update({head.stream: head for head in found.heads})
        self._number, self._previous = version, found.digest
        self._is_old = found.statement.format == 1
        for kind in BESIDE:
            self._chained[kind] = found.statement.chained(kind) or begun(kind, version + 1)
