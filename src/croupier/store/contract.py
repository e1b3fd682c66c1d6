"""The contract of every store: the same outcomes for every backend. One test class checks them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Literal, NamedTuple, Protocol

import msgspec

from croupier.store.records import Answer, Head, Outcome, Record, SealedEntry, Secret, Snapshot, StoredRefusal, Write
from croupier.store.seals import Seals

# Kept beside the streams and never changed. Numbered, with gaps; covered by checkpoints.
BesideKind = Literal["answers", "refusals"]
BESIDE: tuple[BesideKind, ...] = ("answers", "refusals")

# A hook called when a commit passes a named point. In production it is `nothing`; tests kill the process in it.
Boundary = Callable[[str], None]

BEFORE_BEGIN = "before begin"  # nothing sent to the database yet
AFTER_BEGIN = "after begin"  # a transaction is open
AFTER_HEADS = "after heads"  # existing state is read, and the rows to write are known
AFTER_INSERT = "after insert"  # the records are in the transaction
BEFORE_COMMIT = "before commit"  # so is everything else
AFTER_COMMIT = "after commit"  # durable, but not yet reported
BOUNDARIES = (BEFORE_BEGIN, AFTER_BEGIN, AFTER_HEADS, AFTER_INSERT, BEFORE_COMMIT, AFTER_COMMIT)

# Two more points, passed by the group commit.
BATCH_TAKEN = "batch taken"  # writes have left the queue
BEFORE_REPLIES = "before replies"  # outcomes are known, but not yet reported
GROUP_BOUNDARIES = (BATCH_TAKEN, *BOUNDARIES, BEFORE_REPLIES)


def nothing(_point: str) -> None:
    """Ignore the point: the boundary used outside tests."""


class StoreError(Exception):
    """A store cannot do what was requested. The message is one sentence for a person; nothing was written."""


class CorruptStore(StoreError):
    """Stored data differs from what was written. Names the stream and version where known."""

    def __init__(self, sentence: str, stream: str | None = None, version: int | None = None) -> None:
        self.stream = stream
        self.version = version
        super().__init__(sentence)


class StoreBusy(StoreError):
    """Too many writes are waiting; nothing was written, and the caller may retry."""


class Held(StoreBusy):
    """Others hold locks on some streams; nothing was written, but writes to other streams could succeed."""

    def __init__(self, sentence: str, streams: frozenset[str]) -> None:
        self.streams = streams
        super().__init__(sentence)


class InDoubt(StoreError):
    """The connection was lost during a commit: all was written or nothing, and the store will know which."""


class Room(NamedTuple):
    """Bytes that a store uses, and bytes free on its disk; None if that is not visible from here."""

    taken: int
    free: int | None


class Reading(Protocol):
    """The read side of a store, or of a consistent view of it."""

    @property
    def name(self) -> str:
        """The store's name in messages, without any password."""

    def read(self, stream: str, after: int = 0, limit: int | None = None, *, verified: bool = True) -> list[Record]:
        """Return the events after a version, in order, each checked against the chain. Raises CorruptStore."""

    def head(self, stream: str) -> Head:
        """Return the head of a stream; version 0 if it has no events."""

    def heads(self, prefix: str = "") -> list[Head]:
        """Return the heads of all non-empty streams with this prefix, sorted by name."""

    def streams(self) -> list[str]:
        """Return all streams that have events, regardless of the heads: they disagree only in a damaged store."""

    def answer(self, who: str, key: str) -> Answer | None:
        """Return the stored answer to a person's command with this key. Raises CorruptStore."""

    def refusals(self, after: int = 0, limit: int | None = None) -> list[StoredRefusal]:
        """Return the refused commands after a number. Raises CorruptStore."""

    def secret(self, name: str) -> bytes | None:
        """Return a vault entry by name. Raises CorruptStore."""

    def secrets(self, prefix: str = "") -> list[Secret]:
        """Return all vault entries with this prefix, sorted by name. Raises CorruptStore."""

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the snapshot of a stream; None if there is none, or it is damaged or does not match the chain."""

    def beside(self, kind: BesideKind, after: int = 0, until: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield numbers and digests of answers or refusals in a range (exclusive, inclusive), in order."""

    def entries(self) -> Iterator[SealedEntry]:
        """Yield every individually sealed entry: vault entries and snapshots. Damaged ones are left out."""

    def damage(self) -> Iterator[str]:
        """Yield a sentence for each damage outside the chains; reads everything."""


class Store(Reading, Protocol):
    """Streams of events, answers, refusals, vault entries and snapshots, written in durable transactions."""

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Commit the writes that can be, in one durable transaction; each sees those before it. Raises StoreError."""

    def still(self) -> AbstractContextManager[Reading]:
        """Open a consistent view while others write."""

    def use(self, seals: Seals) -> None:
        """Seal vault entries and snapshots from now on, and serve only those that are sealed."""

    def adopt(self) -> None:
        """Seal unsealed vault entries and drop unsealed snapshots, in a store older than seals."""

    def erase(self, name: str) -> None:
        """Remove a vault entry and leave no trace of it in the store's own files."""

    def settled(self) -> dict[BesideKind, int]:
        """Return the last numbers of answers and refusals: no later commit will use these or lower ones."""

    def room(self) -> Room:
        """Return the space that the store uses and the space left to grow. Raises StoreError."""

    def load(self, kept: Iterable[Record | StoredRefusal]) -> None:
        """Fill an empty store in one transaction, stream by stream, keeping the hashes given. Raises StoreError."""

    def close(self) -> None:
        """Release files and connections."""


# -- faults found by verification -------------------------------------------------------------------------------------

Kind = Literal["altered", "missing", "added", "checkpoint", "damaged", "forged"]


class Fault(msgspec.Struct, frozen=True):
    """Data that differs from what was written. `version` is the first affected event of its stream.

    An event is `altered`, `missing` or `added`; a `checkpoint` differs from what the house signed; `damaged` covers
    anything else in the store or the file. `forged` means that it lacks the house's seal.
    """

    kind: Kind
    sentence: str
    stream: str | None = None
    version: int | None = None


class VerificationReport(msgspec.Struct, frozen=True):
    """What was verified, and the faults found."""

    name: str
    faults: tuple[Fault, ...]
    streams: int
    records: int
    checkpoints: int
    unsealed: int  # events that no checkpoint covers yet
    key: str | None  # that the checkpoints are signed with
    digest: str | None = None  # of an exported file
    unproved: tuple[str, ...] = ()  # sentences about what is present but not vouched for

    @property
    def is_good(self) -> bool:
        """Whether no fault was found."""
        return not self.faults

    def lines(self) -> list[str]:
        """Return the report in sentences."""
        counted = f"{self.records:,} events in {self.streams:,} streams and {self.checkpoints:,} checkpoints"
        what = f"{self.name} has {counted}"
        if self.faults:
            count = "one fault was" if len(self.faults) == 1 else f"{len(self.faults)} faults were"
            return [f"{what}; {count} found:", *(fault.sentence for fault in self.faults)]
        lines = [f"{what}; all of them are as they were written."]
        if self.key is not None:
            lines.append(f"The checkpoints are signed with the key {self.key}.")
        if self.unsealed:
            lines.append(f"The last {self.unsealed:,} events are not covered by a checkpoint yet.")
        lines += self.unproved
        return lines
