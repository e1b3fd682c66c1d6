"""What every store promises: the same outcomes, whatever keeps the records. One class of tests holds them all to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Literal, NamedTuple, Protocol

import msgspec

from croupier.store.records import Answer, Entry, Head, Outcome, Record, Refusal, Secret, Snapshot, Write
from croupier.store.seals import Seals

# What is kept beside the streams and never changes: it is numbered, with gaps, and checkpoints vouch for it.
BesideKind = Literal["answers", "refusals"]
BESIDE: tuple[BesideKind, ...] = ("answers", "refusals")

# A hook that is told when a commit passes a named point. In production it is `nothing`; tests end the process in it.
Boundary = Callable[[str], None]

BEFORE_BEGIN = "before begin"  # nothing is asked of the database yet
AFTER_BEGIN = "after begin"  # it has a transaction open
AFTER_HEADS = "after heads"  # what there is was read, what will be written is known
AFTER_INSERT = "after insert"  # the records are in the transaction
BEFORE_COMMIT = "before commit"  # and so is everything else
AFTER_COMMIT = "after commit"  # it is durable, and nobody knows
BOUNDARIES = (BEFORE_BEGIN, AFTER_BEGIN, AFTER_HEADS, AFTER_INSERT, BEFORE_COMMIT, AFTER_COMMIT)

# The writer of a group has two of its own.
BATCH_TAKEN = "batch taken"  # writes have left the queue
BEFORE_REPLIES = "before replies"  # outcomes are known, and nobody was told
GROUP_BOUNDARIES = (BATCH_TAKEN, *BOUNDARIES, BEFORE_REPLIES)


def nothing(_point: str) -> None:
    """The boundary of a store that nobody tests."""


class StoreError(Exception):
    """A store cannot do what it is asked to. The message is one sentence for a person; nothing was written."""


class CorruptStore(StoreError):
    """What is stored is not what was written. Names the stream and the version where it is known."""

    def __init__(self, sentence: str, stream: str | None = None, version: int | None = None) -> None:
        self.stream = stream
        self.version = version
        super().__init__(sentence)


class StoreBusy(StoreError):
    """Too much is waiting to be written; nothing was written, and it may be tried again."""


class Held(StoreBusy):
    """Others hold some streams and do not let go of them; nothing was written, and to other streams it could be."""

    def __init__(self, sentence: str, streams: frozenset[str]) -> None:
        self.streams = streams
        super().__init__(sentence)


class InDoubt(StoreError):
    """The connection was lost in the very moment of committing: all was written, or nothing, and the store can tell."""


class Room(NamedTuple):
    """Bytes that a store takes, and that are free where it lies; None where that cannot be seen from here."""

    taken: int
    free: int | None


class Reading(Protocol):
    """What can be asked of a store, or of one unchanging view of it."""

    @property
    def name(self) -> str:
        """What it is called in messages; no password is in it."""

    def read(self, stream: str, after: int = 0, limit: int | None = None, *, verified: bool = True) -> list[Record]:
        """Events after a version, in order, each checked against the chain. Raises CorruptStore."""

    def head(self, stream: str) -> Head:
        """How far a stream has come; version 0 where it has no events."""

    def heads(self, prefix: str = "") -> list[Head]:
        """All streams with such a beginning that have events, by name."""

    def streams(self) -> list[str]:
        """All streams that have events, whatever the heads say: the two differ only in a damaged store."""

    def answer(self, who: str, key: str) -> Answer | None:
        """What somebody's command with this key was answered. Raises CorruptStore."""

    def refusals(self, after: int = 0, limit: int | None = None) -> list[Refusal]:
        """Refused commands after a number. Raises CorruptStore."""

    def secret(self, name: str) -> bytes | None:
        """Something private by its name. Raises CorruptStore."""

    def secrets(self, prefix: str = "") -> list[Secret]:
        """All private things with such a beginning, by name. Raises CorruptStore."""

    def snapshot(self, stream: str) -> Snapshot | None:
        """The snapshot of a stream, unless it does not fit the chain or is damaged: then there is none."""

    def beside(self, kind: BesideKind, after: int = 0, until: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Numbers and digests of answers or refusals after one number and up to another, in order."""

    def entries(self) -> Iterator[Entry]:
        """Everything that is sealed by itself: private things and snapshots. What is damaged is left out."""

    def damage(self) -> Iterator[str]:
        """Sentences on what is damaged outside the chains, found by looking at all of it."""


class Store(Reading, Protocol):
    """Streams of events, answers, refusals, private things and snapshots, written in durable transactions."""

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Write all of them that can be, in one durable transaction; each sees those before it. Raises StoreError."""

    def still(self) -> AbstractContextManager[Reading]:
        """One unchanging view, while others write."""

    def use(self, seals: Seals) -> None:
        """Seal what goes into the vault, and snapshots, from now on; and serve nothing of them that is not sealed."""

    def adopt(self) -> None:
        """Seal what is in the vault without a seal, and drop snapshots without one: for a store from before seals."""

    def erase(self, name: str) -> None:
        """Take something out of the vault so that no trace of it is left in the store's own files."""

    def settled(self) -> dict[BesideKind, int]:
        """The last numbers of answers and refusals: nothing that is not there yet will have these or lower ones."""

    def room(self) -> Room:
        """How much the store takes, and how much it may still grow. Raises StoreError."""

    def load(self, kept: Iterable[Record | Refusal]) -> None:
        """Fill an empty store in one transaction, streams one after the other, hashes as given. Raises StoreError."""

    def close(self) -> None:
        """Let go of files and connections."""


# -- faults -----------------------------------------------------------------------------------------------------------
# What can be wrong with stored events, each fault with the place where it is and a sentence.

Kind = Literal["altered", "missing", "added", "checkpoint", "damaged", "forged"]


class Fault(msgspec.Struct, frozen=True):
    """Something that is not as it was written. `version` is the first event of its stream that it concerns.

    An event is `altered`, `missing` or `added`; a `checkpoint` is not what the house signed; and what is `damaged` is
    something else in the store or the file. What is `forged` does not bear the house's seal.
    """

    kind: Kind
    sentence: str
    stream: str | None = None
    version: int | None = None


class Report(msgspec.Struct, frozen=True):
    """What was looked at, and what is wrong with it."""

    name: str
    faults: tuple[Fault, ...]
    streams: int
    records: int
    checkpoints: int
    unsealed: int  # events that no checkpoint vouches for yet
    key: str | None  # with which the checkpoints are signed
    digest: str | None = None  # of an exported file
    unproved: tuple[str, ...] = ()  # sentences on what is there and nothing vouches for

    @property
    def is_good(self) -> bool:
        """Whether everything is as it was written."""
        return not self.faults

    def lines(self) -> list[str]:
        """The report in sentences."""
        counted = f"{self.records:,} events in {self.streams:,} streams and {self.checkpoints:,} checkpoints"
        what = f"{self.name} has {counted}"
        if self.faults:
            count = "one fault was" if len(self.faults) == 1 else f"{len(self.faults)} faults were"
            return [f"{what}; {count} found:", *(fault.sentence for fault in self.faults)]
        lines = [f"{what}; all of them are as they were written."]
        if self.key is not None:
            lines.append(f"The checkpoints are signed with the key {self.key}.")
        if self.unsealed:
            lines.append(f"The last {self.unsealed:,} events are not under a checkpoint yet.")
        lines += self.unproved
        return lines
