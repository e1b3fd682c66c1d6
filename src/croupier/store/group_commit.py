"""Group commit: one thread takes all waiting writes into one durable transaction, and their outcomes are decided.

A disk flush takes as long for one event as for a hundred. Writes that arrive during a flush share the next one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from threading import Condition, Lock, Thread
from time import perf_counter
from typing import Generic, TypeVar

import msgspec

from croupier.store.contract import (
    BATCH_TAKEN,
    BEFORE_REPLIES,
    Boundary,
    CorruptStore,
    Held,
    Store,
    StoreBusy,
    StoreError,
    nothing,
)
from croupier.store.records import (
    Answer,
    Answered,
    Append,
    Committed,
    Conflict,
    Head,
    Outcome,
    Snapshot,
    Write,
    checksum,
    link,
)
from croupier.store.seals import Seals

# -- outcomes of a group of writes: every store shares this and then only stores the resulting rows -------------------

AnswerKey = tuple[str, str]
RecordRow = tuple[str, int, bytes, bytes]  # stream, version, document, hash
HeadRow = tuple[str, int, bytes]
AnswerRow = tuple[str, str, bytes, bytes, bytes]  # who, key, digest, reply, seal
SealedRow = tuple[bytes, bytes]  # document, seal
SecretRow = tuple[str, bytes, bytes]  # name, value, seal
SnapshotRow = tuple[str, int, bytes, bytes, bytes]  # stream, version, hash, state, seal


def streams_of(writes: Iterable[Write]) -> set[str]:
    """Return every stream that the writes append to."""
    return {append.stream for write in writes for append in write.appends}


def answers_of(writes: Iterable[Write]) -> list[AnswerKey]:
    """Return who and key of every answer that the writes would keep."""
    return [(write.answer.who, write.answer.key) for write in writes if write.answer is not None]


class Repeated(Exception):
    """Raised when a command may have been answered before and its stored answer must be looked up."""


def expect_news(writes: Sequence[Write], outcomes: Sequence[Outcome]) -> None:
    """Raise Repeated if a write with a key is in conflict: it may be a retry of one that was answered before."""
    for write, outcome in zip(writes, outcomes, strict=True):
        if write.answer is not None and isinstance(outcome, Conflict):
            raise Repeated


class Batch:
    """The writes of one transaction: their outcomes, and the rows to commit."""

    def __init__(self, heads: dict[str, Head], answers: dict[AnswerKey, Answer], seals: Seals | None = None) -> None:
        """`heads` covers every stream written to, `answers` those stored; both are updated as writes are decided.

        With `seals`, vault entries and snapshots are sealed.
        """
        self.heads = heads
        self.answers = answers
        self._seals = seals
        self.records: list[RecordRow] = []
        self.changed: dict[str, Head] = {}  # the heads of the streams that grew
        self.new_answers: list[AnswerRow] = []
        self.refusals: list[SealedRow] = []
        self._secrets: dict[str, bytes | None] = {}
        self._snapshots: dict[str, Snapshot] = {}

    def decide(self, writes: Sequence[Write]) -> list[Outcome]:
        """Decide the writes in order; a write may depend on an earlier one in the batch."""
        return [self._decide(write) for write in writes]

    def _decide(self, write: Write) -> Outcome:
        answer = write.answer
        if answer is not None:
            key = (answer.who, answer.key)
            if key in self.answers:
                return Answered(self.answers[key])
        heads = self._appended(write.appends)
        if isinstance(heads, Conflict):
            return heads
        if answer is not None:
            self.answers[key] = answer
            parts = (answer.who, answer.key, answer.digest, answer.reply)
            self.new_answers.append((*parts, checksum(*parts)))
        if write.refusal is not None:
            self.refusals.append((write.refusal, checksum(write.refusal)))
        for secret in write.vault:
            self._secrets[secret.name] = secret.value
        for snapshot in write.snapshots:
            self._snapshots[snapshot.stream] = snapshot
        return Committed(heads)

    def _appended(self, appends: tuple[Append, ...]) -> tuple[Head, ...] | Conflict:
        """Append to the streams and return their heads; nothing is appended if there is a conflict."""
        rows: list[RecordRow] = []
        grown: dict[str, Head] = {}
        heads = []
        for append in appends:
            stream, documents = append.stream, append.documents
            is_second = stream in grown  # a second append to a stream builds on the first
            head = grown[stream] if is_second else self.heads[stream]
            # A different history of the same length is a conflict too.
            is_same_past = append.after is None or append.after == head.hash or is_second
            if append.expected != head.version or not is_same_past:
                return Conflict(stream, append.expected, head.version)
            if documents:  # without any, only the version is checked
                version, last = head.version, head.hash
                for document in documents:
                    version, last = version + 1, link(last, document)
                    rows.append((stream, version, document, last))
                head = grown[stream] = Head(stream, version, last)
            heads.append(head)
        self.records += rows
        self.heads |= grown
        self.changed |= grown
        return tuple(heads)

    @property
    def head_rows(self) -> list[HeadRow]:
        """The changed heads as rows, sorted by stream."""
        return [(stream, head.version, head.hash) for stream, head in sorted(self.changed.items())]

    @property
    def secret_rows(self) -> list[SecretRow]:
        """The vault entries to keep, sorted by name; the last value written wins."""
        kept = sorted((name, value) for name, value in self._secrets.items() if value is not None)
        return [(name, value, self._sealed(name, value)) for name, value in kept]

    @property
    def dropped_secrets(self) -> list[str]:
        """Names of the vault entries to remove, sorted."""
        return sorted(name for name, value in self._secrets.items() if value is None)

    @property
    def snapshot_rows(self) -> list[SnapshotRow]:
        """The newest snapshot of each stream, sorted by stream."""
        kept = (snapshot for _, snapshot in sorted(self._snapshots.items()))
        rows = ((one.stream, one.version, one.hash, one.state) for one in kept)
        return [(*row, self._sealed(*row)) for row in rows]

    def _sealed(self, *parts: str | int | bytes) -> bytes:
        return checksum(*parts) if self._seals is None else self._seals.made(checksum(*parts))


# -- the thread -------------------------------------------------------------------------------------------------------

MOST_WAITING = 10_000  # writes; beyond that, callers must retry
MOST_AT_ONCE = 500  # per transaction: the first of a long queue should not wait for the last

T = TypeVar("T")
OnBatch = Callable[[list[T], list[Outcome | StoreError]], None]


class Measured(msgspec.Struct, frozen=True):
    """The writer's statistics so far."""

    writes: int  # passed to the store
    batches: int  # transactions
    failed: int  # writes that the store could not commit
    largest: int  # writes in one transaction
    seconds: float  # spent in the store
    waiting: int  # writes waiting now


class GroupCommitter(Generic[T]):
    """The writer thread. Each write has a ticket; tickets and outcomes are returned together, batch by batch.

    `on_batch` is called in that thread. A ticket is any value that identifies the waiting caller.
    """

    def __init__(
        self,
        store: Store,
        on_batch: OnBatch[T],
        *,
        most_waiting: int = MOST_WAITING,
        most_at_once: int = MOST_AT_ONCE,
        boundary: Boundary = nothing,
    ) -> None:
        self._store = store
        self._on_batch = on_batch
        self._most_waiting = most_waiting
        self._most_at_once = most_at_once
        self._boundary = boundary
        self._writes: list[Write] = []
        self._tickets: list[T] = []
        self._lock = Lock()
        self._changed = Condition(self._lock)
        self._is_idle = False
        self._is_closed = False
        self._measured = Measured(0, 0, 0, 0, 0.0, 0)
        self._thread = Thread(target=self._run, name="croupier-store", daemon=True)
        self._thread.start()

    def hand_in(self, write: Write, ticket: T) -> None:
        """Queue a write. Raises StoreBusy if too many are waiting, and StoreError after close."""
        with self._lock:
            self._expect_room(len(self._writes))
            self._writes.append(write)
            self._tickets.append(ticket)
            self._wake()

    def _expect_room(self, waiting: int) -> None:
        if self._is_closed:
            raise StoreError(f"{self._store.name} accepts no more writes: the house is closing.")
        if waiting >= self._most_waiting:
            raise StoreBusy(f"{self._store.name} has {waiting:,} writes waiting: try again in a moment.")

    def _wake(self) -> None:
        if self._is_idle:
            self._is_idle = False
            self._changed.notify()

    def close(self) -> None:
        """Write everything queued, then stop."""
        with self._lock:
            self._is_closed = True
            self._is_idle = False
            self._changed.notify()
        self._thread.join()

    def measured(self) -> Measured:
        """Return the statistics so far."""
        with self._lock:
            return msgspec.structs.replace(self._measured, waiting=len(self._writes))

    def _run(self) -> None:
        while True:
            writes, tickets = self._take()
            if not writes:
                return
            self._boundary(BATCH_TAKEN)
            start = perf_counter()
            outcomes = self._written(writes)
            self._count(outcomes, perf_counter() - start)
            self._boundary(BEFORE_REPLIES)
            self._on_batch(tickets, outcomes)

    def _take(self) -> tuple[list[Write], list[T]]:
        """Take everything queued, up to the limit; nothing means that the writer is closed."""
        with self._lock:
            while not self._writes and not self._is_closed:
                self._is_idle = True
                self._changed.wait()
            self._is_idle = False
            most = self._most_at_once
            writes, self._writes = self._writes[:most], self._writes[most:]
            tickets, self._tickets = self._tickets[:most], self._tickets[most:]
        return writes, tickets

    def _written(self, writes: Sequence[Write]) -> list[Outcome | StoreError]:
        try:
            return list(self._store.commit(writes))
        except CorruptStore as error:
            if error.stream is None or len(writes) == 1:
                return [error] * len(writes)
            # One stream is damaged: commit one by one, so that writes to the others still succeed.
            return [outcome for write in writes for outcome in self._written([write])]
        except Held as error:
            return self._written_beside(error, writes)
        except StoreError as error:
            return [error] * len(writes)
        except Exception as error:  # a bug: report it to the waiting callers and keep serving others
            failed = StoreError(f"{self._store.name} wrote nothing: {type(error).__name__}: {error}.")
            failed.__cause__ = error
            return [failed] * len(writes)

    def _written_beside(self, held: Held, writes: Sequence[Write]) -> list[Outcome | StoreError]:
        """Write, in order, what concerns none of the locked streams."""
        is_held = [not held.streams.isdisjoint(streams_of([write])) for write in writes]
        free = [write for write, no in zip(writes, is_held, strict=True) if not no]
        if not free or len(free) == len(writes):
            return [held] * len(writes)
        outcomes = iter(self._written(free))
        return [held if no else next(outcomes) for no in is_held]

    def _count(self, outcomes: list[Outcome | StoreError], seconds: float) -> None:
        done = self._measured
        self._measured = Measured(
            writes=done.writes + len(outcomes),
            batches=done.batches + 1,
            failed=done.failed + sum(1 for outcome in outcomes if isinstance(outcome, StoreError)),
            largest=max(done.largest, len(outcomes)),
            seconds=done.seconds + seconds,
            waiting=0,
        )


class LoopGroupCommitter(GroupCommitter[T]):
    """Group commit for callers on an event loop.

    All writes queued in one iteration of the loop are passed on together. Waking the writer at the first of them would
    make the two threads wait for each other at every write.
    """

    def __init__(
        self,
        store: Store,
        on_batch: OnBatch[T],
        loop: asyncio.AbstractEventLoop | None = None,
        *,
        most_waiting: int = MOST_WAITING,
        most_at_once: int = MOST_AT_ONCE,
        boundary: Boundary = nothing,
    ) -> None:
        """Use the running loop unless one is given."""
        self._loop = asyncio.get_running_loop() if loop is None else loop
        self._new_writes: list[Write] = []
        self._new_tickets: list[T] = []
        super().__init__(store, on_batch, most_waiting=most_waiting, most_at_once=most_at_once, boundary=boundary)

    def hand_in(self, write: Write, ticket: T) -> None:
        """Queue a write. Raises StoreBusy if too many are waiting, and StoreError after close."""
        with self._lock:
            self._expect_room(len(self._writes) + len(self._new_writes))
            if not self._new_writes:
                self._loop.call_soon(self._hand_on)
            self._new_writes.append(write)
            self._new_tickets.append(ticket)

    def _hand_on(self) -> None:
        with self._lock:
            self._writes += self._new_writes
            self._tickets += self._new_tickets
            self._new_writes, self._new_tickets = [], []
            if self._writes:
                self._wake()

    def close(self) -> None:
        """Write everything queued, then stop."""
        self._hand_on()
        super().close()
