"""Checkpoints: signed statements of the heads of a house's streams.

A hash chain shows that a stream is consistent, but someone who rewrites the whole stream can recompute the hashes. A
checkpoint cannot be recreated without the house's key. Each one lists the heads that moved since the previous one and
holds that one's digest, so the newest vouches for all; and each can be kept by a third party.

Answers and refusals belong to no stream. Checkpoints cover them too: their digests are chained in order of their
numbers when a checkpoint is made, so that orders do not wait for it.

Checkpoints are the events of a stream. A document has three lines: the signed statement, the signature, and the heads.
The statement holds only a digest of each head, so it can be shown to anyone: a reader who knows one table can see that
it is included, and learns nothing about the others.

A house also checks its own store against its last checkpoint before it opens (`trusted`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from typing import Literal, NamedTuple

import msgspec

from croupier.store.contract import BESIDE, BesideKind, CorruptStore, Reading, Store, StoreError
from croupier.store.keys import HouseKey, PublicKey
from croupier.store.records import Append, Conflict, Head, Write, beside_anchor, link_digest
from croupier.store.seals import DIGEST_BYTES, Seals
from croupier.store.view import unsealed

STREAM = "checkpoints"
FORMAT: Literal[2] = 2
NONE_BEFORE = "0" * 64  # in place of the previous digest in the first checkpoint
MOST_TRIES = 20  # before giving up because other houses keep winning the race


class Chained(NamedTuple):
    """The chain of answers or refusals so far: the checkpoint it starts at, the last number, and the hash."""

    since: int
    number: int
    hash: str


class Statement(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The part of a checkpoint that is signed. Fields are in alphabetical order, so that its bytes are reproducible.

    The first format has no `answers` and `refusals`, and proves nothing about them.
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
        """Return the chain of answers or refusals; None in the first format."""
        return self.answers if kind == "answers" else self.refusals


class Checkpoint(msgspec.Struct, frozen=True):
    """A statement as it was signed, and the heads it covers."""

    statement: Statement
    line: bytes
    signature: bytes
    heads: tuple[Head, ...]

    @property
    def digest(self) -> str:
        """The digest by which the next checkpoint refers to this one."""
        return sha256(self.line).hexdigest()

    @property
    def key(self) -> PublicKey | None:
        """The key the statement names; None if it is not a valid key."""
        try:
            raw = bytes.fromhex(self.statement.key)
        except ValueError:
            return None
        return PublicKey(raw) if len(raw) == 32 else None

    def has_good_signature(self) -> bool:
        """Return whether the key that it names has signed it."""
        key = self.key
        return key is not None and key.has_signed(self.signature, self.line)

    def document(self) -> bytes:
        """Return the checkpoint as it is stored."""
        heads = [(head.stream, head.version, head.hash.hex()) for head in self.heads]
        return b"\n".join((self.line, self.signature.hex().encode(), msgspec.json.encode(heads)))

    def shown(self) -> bytes:
        """Return the public form, without the names of the streams."""
        return b"\n".join((self.line, self.signature.hex().encode()))

    def covers(self, head: Head) -> bool:
        """Return whether the checkpoint includes this head."""
        return leaf(head) in self.statement.leaves


def leaf(head: Head) -> str:
    """Return the digest of a head. It cannot be reversed by guessing, since the hash in it cannot be guessed."""
    return sha256(f"{head.stream}\n{head.version}\n{head.hash.hex()}".encode()).hexdigest()


def read_checkpoint(document: bytes) -> Checkpoint:
    """Read a checkpoint in its stored or public form. Raises ValueError, which says what is wrong with it."""
    try:
        line, signature, *rest = document.split(b"\n")
        statement = msgspec.json.decode(line, type=Statement)
        listed = msgspec.json.decode(rest[0], type=list[tuple[str, int, str]]) if rest else []
        heads = tuple(Head(stream, version, bytes.fromhex(mark)) for stream, version, mark in listed)
        made = Checkpoint(statement, line, bytes.fromhex(signature.decode("ascii")), heads)
    except (ValueError, msgspec.DecodeError):
        raise ValueError("is not a statement with a signature") from None
    if any((statement.chained(kind) is None) != (statement.format == 1) for kind in BESIDE):
        raise ValueError("is not a statement with a signature")
    if rest and tuple(leaf(head) for head in heads) != statement.leaves:
        raise ValueError("does not list the heads that were signed")
    return made


def said_at(moment: datetime) -> str:
    """Return a time in the form documents use."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def begun(kind: BesideKind, since: int) -> Chained:
    """Return an empty chain of answers or refusals."""
    return Chained(since, 0, beside_anchor(kind).hex())


def follow(view: Reading, kind: BesideKind, chained: Chained, until: int) -> Chained:
    """Extend a chain of answers or refusals up to a number."""
    last, made = chained.number, bytes.fromhex(chained.hash)
    for number, mark in view.beside(kind, chained.number, until):
        last, made = number, link_digest(made, mark)
    return Chained(chained.since, last, made.hex())


class Sealer:
    """Makes the checkpoints of a house. Several houses may share a store and a key."""

    def __init__(self, store: Store, key: HouseKey, house: str) -> None:
        """`house` is the name of the house. Raises StoreError if the store was sealed with another key."""
        self._store = store
        self._key = key
        self._house = house
        self._number = 0
        self._previous = NONE_BEFORE
        self._known: dict[str, Head] | None = {}  # heads covered by the checkpoints so far; None if unknown
        self._chained: dict[BesideKind, Chained] = {kind: begun(kind, 1) for kind in BESIDE}
        self._is_old = False  # the last checkpoint has the first format
        with store.still() as view:
            self._catch_up(view)

    @property
    def is_begun(self) -> bool:
        """Whether the last checkpoint says that everything is under the house's seal."""
        return self._number > 0 and not self._is_old

    def prepare(self, at: datetime, *, anyway: bool = False) -> Write | None:
        """Return the write of the next checkpoint; None if nothing has moved and it is not wanted `anyway`.

        The write conflicts if another house writes a checkpoint first.
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
        """Return the chain of answers or refusals up to now."""
        chained = self._chained[kind]
        if until == 0 < chained.number:  # an imported store: exports contain none
            chained = begun(kind, self._number + 1)
        return follow(view, kind, chained, until)

    def seal(self, at: datetime, *, anyway: bool = False) -> bool:
        """Write the next checkpoint; False if nothing had moved and it is not wanted `anyway`. Raises StoreError."""
        for _ in range(MOST_TRIES):
            write = self.prepare(at, anyway=anyway)
            if write is None:
                return False
            (outcome,) = self._store.commit([write])
            if not isinstance(outcome, Conflict):
                return True
        raise StoreError(f"{self._store.name} could not be sealed: other houses were faster {MOST_TRIES} times.")

    def _catch_up(self, view: Reading) -> None:
        """Read the checkpoints written since. The first time, read only the last one, however many there are."""
        begin = self._number
        if begin == 0:
            begin = max(0, view.head(STREAM).version - 1)
            self._known = None if begin else {}  # the earlier ones are unread, so the next one will name all heads
        for record in view.read(STREAM, begin):
            self._take(record.document, record.version)

    def _take(self, document: bytes, version: int) -> None:
        try:
            found = read_checkpoint(document)
        except ValueError as error:
            raise StoreError(f"{self._store.name}: checkpoint {version} {error}.") from None
        if found.statement.key != self._key.public.hex:
            raise StoreError(
                f"{self._store.name} was sealed with a different key ({found.statement.key[:16]}…) than the house's "
                f"({self._key.public.hex[:16]}…): use the key that it was first sealed with."
            )
        if found.statement.whole:
            self._known = {}
        if self._known is not None:
            self._known.update({head.stream: head for head in found.heads})
        self._number, self._previous = version, found.digest
        self._is_old = found.statement.format == 1
        for kind in BESIDE:
            self._chained[kind] = found.statement.chained(kind) or begun(kind, version + 1)


# -- trust before opening ---------------------------------------------------------------------------------------------
# Before it opens, a house checks that no one else has written to its store. Everything is checked against the house's
# key, which lies outside the store. On a mismatch the house stays closed and reports one sentence: it must not use a
# forged password or snapshot even once. A merely damaged event is different: only its stream is not served.

# A store up to this size is checked completely. In a larger one the chains of answers and refusals and the older
# checkpoints are skipped. `croupier verify` checks everything, at any size.
LOOKED_AT_WHOLE = 64 * 2**20


def trusted(store: Store, key: HouseKey, house: str, at: datetime) -> Sealer:
    """Check that the store is the house's own, and seal it from now on. Raises StoreError.

    A store older than seals is adopted as is: its private data is sealed and a checkpoint records that. From then on
    nothing unsealed is trusted.
    """
    sealer = Sealer(store, key, house)
    seals, is_small = Seals(key), store.room().taken <= LOOKED_AT_WHOLE
    with store.still() as view:
        last = _last(view)
        is_old = last is None or last.statement.format == 1
        _check_seals(view, seals, bare=is_old)
        if last is not None:
            _check_streams(view, _vouched(view, last, whole=is_small))
            if is_small:
                _check_beside(view, last)
        is_empty = not view.heads() and next(view.entries(), None) is None
    store.use(seals)
    if is_old and not is_empty:
        store.adopt()
    if (is_old and not is_empty) or (last is not None and _are_gone(store, last)):
        sealer.seal(at, anyway=True)
    return sealer


def _forged(view: Reading, what: str, stream: str | None = None, version: int | None = None) -> CorruptStore:
    return CorruptStore(f"{view.name} contains data that the house did not write: {what}", stream, version)


def _not_signed(view: Reading, number: int) -> CorruptStore:
    return _forged(view, f"checkpoint {number} is not what it signed.", STREAM, number)


def _last(view: Reading) -> Checkpoint | None:
    version = view.head(STREAM).version
    if not version:
        return None
    found = _checkpoint_at(view, version)
    if not found.has_good_signature() or found.statement.number != version:
        raise _not_signed(view, version)
    return found


def _check_seals(view: Reading, seals: Seals, *, bare: bool) -> None:
    """Check the seals. `bare`: the store is older than seals, so they may be missing."""
    for entry in view.entries():
        if not seals.is_sealed(entry.mark) and not (bare and len(entry.mark) == DIGEST_BYTES):
            raise _forged(view, unsealed(entry.what))


def _vouched(view: Reading, last: Checkpoint, *, whole: bool) -> dict[str, tuple[Head, int]]:
    """Return each stream's last checkpointed head: from the last checkpoint or, if `whole`, all that it vouches for."""
    found: dict[str, tuple[Head, int]] = {}
    one, number = last, last.statement.number
    while True:
        for head in one.heads:
            found.setdefault(head.stream, (head, number))
        if one.statement.whole or not whole or number == 1:
            return found
        expected, number = one.statement.previous, number - 1
        one = _checkpoint_at(view, number)
        if one.digest != expected:
            raise _not_signed(view, number)


def _checkpoint_at(view: Reading, number: int) -> Checkpoint:
    try:
        return read_checkpoint(view.read(STREAM, number - 1, 1)[0].document)
    except ValueError:
        raise _not_signed(view, number) from None


def _check_streams(view: Reading, vouched: dict[str, tuple[Head, int]]) -> None:
    """Refuse a consistent stream that differs from the one that was signed."""
    for stream, (head, number) in vouched.items():
        try:
            record = view.read(stream, head.version - 1, 1)
        except CorruptStore:
            continue  # damaged and not served; a forger would have made it consistent
        if not record or record[0].hash != head.hash:
            raise _forged(
                view, f"checkpoint {number} was signed for different events of {stream}.", stream, head.version
            )


def _check_beside(view: Reading, last: Checkpoint) -> None:
    for kind in BESIDE:
        chained = last.statement.chained(kind)
        if chained is not None and chained.number:
            made = follow(view, kind, begun(kind, chained.since), chained.number)
            if made.hash != chained.hash and made.number:
                raise _forged(view, f"checkpoint {last.statement.number} was signed for different {kind}.")


def _are_gone(store: Store, last: Checkpoint) -> bool:
    """Return whether there are no answers or refusals at all although a checkpoint covers some, as after an import."""
    settled = store.settled()
    chains = [(last.statement.chained(kind), settled[kind]) for kind in BESIDE]
    return any(isinstance(chained, Chained) and chained.number > 0 == number for chained, number in chains)
