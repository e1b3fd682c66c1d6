"""A store in memory: for tests, for simulations, and for tables that need no history."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from threading import RLock

from croupier.store.contract import (
    AFTER_BEGIN,
    AFTER_COMMIT,
    AFTER_HEADS,
    AFTER_INSERT,
    BEFORE_BEGIN,
    BEFORE_COMMIT,
    BESIDE,
    BesideKind,
    Boundary,
    Reading,
    Room,
    StoreError,
    nothing,
)
from croupier.store.group_commit import (
    AnswerKey,
    AnswerRow,
    Batch,
    HeadRow,
    SecretRow,
    SnapshotRow,
    streams_of,
)
from croupier.store.records import Answer, Head, Outcome, Record, StoredRefusal, Write, anchor, checksum
from croupier.store.seals import DIGEST_BYTES, Proof
from croupier.store.view import ReadThrough, Row, T, View


class _Kept:
    """Everything stored, in rows like a database's."""

    def __init__(self) -> None:
        self.records: dict[str, list[tuple[int, bytes, bytes]]] = {}
        self.heads: dict[str, HeadRow] = {}
        self.answers: dict[AnswerKey, AnswerRow] = {}
        self.refusals: list[tuple[int, bytes, bytes]] = []  # number, document, seal
        self.vault: dict[str, SecretRow] = {}
        self.snapshots: dict[str, SnapshotRow] = {}
        self.names: list[str] = []  # of the streams, sorted

    def copy(self) -> _Kept:
        """Return a copy that later changes do not affect."""
        other = _Kept()
        other.records = {stream: list(rows) for stream, rows in self.records.items()}
        other.heads, other.answers = dict(self.heads), dict(self.answers)
        other.refusals, other.vault = list(self.refusals), dict(self.vault)
        other.snapshots, other.names = dict(self.snapshots), list(self.names)
        return other


class MemoryStore(ReadThrough):
    """Streams in dictionaries. They last as long as the object, even if the house that uses them is killed."""

    name = "The store in memory"

    def __init__(self, boundary: Boundary = nothing) -> None:
        self._boundary = boundary
        self._kept = _Kept()
        self._lock = RLock()  # reentrant: a boundary may read the store

    def commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Commit the writes that can be, in one step; each sees those before it."""
        with self._lock:
            self._boundary(BEFORE_BEGIN)
            self._boundary(AFTER_BEGIN)
            batch = Batch(
                {stream: self._head(stream) for stream in streams_of(writes)}, self._answers(writes), self._seals
            )
            outcomes = batch.decide(writes)
            self._boundary(AFTER_HEADS)
            self._boundary(AFTER_INSERT)
            self._boundary(BEFORE_COMMIT)
            self._take(batch)
            self._boundary(AFTER_COMMIT)
            return outcomes

    def _head(self, stream: str) -> Head:
        row = self._kept.heads.get(stream)
        return Head(stream, 0, anchor(stream)) if row is None else Head(*row)

    def _answers(self, writes: Sequence[Write]) -> dict[AnswerKey, Answer]:
        keys = ((write.answer.who, write.answer.key) for write in writes if write.answer is not None)
        rows = (self._kept.answers.get(key) for key in keys)
        return {(row[0], row[1]): Answer(*row[:4]) for row in rows if row is not None}

    def _take(self, batch: Batch) -> None:
        kept = self._kept
        for stream, version, document, mark in batch.records:
            kept.records.setdefault(stream, []).append((version, document, mark))
        for row in batch.head_rows:
            if row[0] not in kept.heads:
                insort(kept.names, row[0])
            kept.heads[row[0]] = row
        kept.answers.update({(row[0], row[1]): row for row in batch.new_answers})
        first = kept.refusals[-1][0] + 1 if kept.refusals else 1
        kept.refusals += [(number, *row) for number, row in enumerate(batch.refusals, start=first)]
        kept.vault.update({row[0]: row for row in batch.secret_rows})
        for name in batch.dropped_secrets:
            kept.vault.pop(name, None)
        kept.snapshots.update({row[0]: row for row in batch.snapshot_rows})

    @contextmanager
    def still(self) -> Iterator[Reading]:
        """Open a consistent view while others write."""
        with self._lock:
            copy = self._kept.copy()
        yield _MemoryView(copy, self._seals)

    def _ask(self, question: Callable[[Reading], T], at_once: bool = False) -> T:
        with self._lock:  # held for the whole query, so no copy is needed
            return question(_MemoryView(self._kept, self._seals))

    def adopt(self) -> None:
        """Seal unsealed vault entries and drop unsealed snapshots."""
        with self._lock:
            assert self._seals is not None, "there is something to seal with"
            kept = self._kept
            for name, value, mark in list(kept.vault.values()):
                if len(mark) == DIGEST_BYTES:
                    kept.vault[name] = (name, value, self._seals.made(mark))
            kept.snapshots = {name: row for name, row in kept.snapshots.items() if len(row[4]) > DIGEST_BYTES}

    def erase(self, name: str) -> None:
        """Remove a vault entry; there is no other copy."""
        with self._lock:
            self._kept.vault.pop(name, None)

    def settled(self) -> dict[BesideKind, int]:
        """Return the last numbers of answers and refusals."""
        with self._lock:
            kept = self._kept
            return dict(zip(BESIDE, (len(kept.answers), kept.refusals[-1][0] if kept.refusals else 0), strict=True))

    def room(self) -> Room:
        """Return no limits: there is no disk to fill."""
        return Room(0, None)

    def load(self, kept: Iterable[Record | StoredRefusal]) -> None:
        """Fill an empty store. Raises StoreError if it is not empty."""
        with self._lock:
            if self._kept.heads or self._kept.refusals:
                raise StoreError(f"{self.name} is not empty.")
            filled = self._kept.copy()
            for one in kept:
                if isinstance(one, StoredRefusal):
                    filled.refusals.append((one.number, one.document, checksum(one.document)))
                else:
                    filled.records.setdefault(one.stream, []).append((one.version, one.document, one.hash))
                    filled.heads[one.stream] = (one.stream, one.version, one.hash)
            filled.names = sorted(filled.heads)
            self._kept = filled

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class _MemoryView(View):
    name = MemoryStore.name

    def __init__(self, kept: _Kept, seals: Proof | None) -> None:
        self._kept = kept
        self.seals = seals

    def _rows(self, stream: str, after: int, limit: int | None) -> Sequence[Row]:
        rows = self._kept.records.get(stream, [])
        return rows[after : None if limit is None else after + limit]

    def _hash_at(self, stream: str, version: int) -> object:
        rows = self._kept.records.get(stream, [])
        return rows[version - 1][2] if 0 < version <= len(rows) else None

    def _head(self, stream: str) -> Row | None:
        row = self._kept.heads.get(stream)
        return None if row is None else row[1:]

    def _heads(self, prefix: str) -> Sequence[Row]:
        return [self._kept.heads[stream] for stream in self._kept.names if stream.startswith(prefix)]

    def streams(self) -> list[str]:
        """Return all streams that have events."""
        return sorted(self._kept.records)

    def _answer(self, who: str, key: str) -> Row | None:
        row = self._kept.answers.get((who, key))
        return None if row is None else row[2:]

    def _answers(self) -> Iterable[Row]:
        return self._kept.answers.values()

    def _refusals(self, after: int, limit: int | None) -> Sequence[Row]:
        begin = bisect_right(self._kept.refusals, after, key=itemgetter(0))
        return self._kept.refusals[begin : None if limit is None else begin + limit]

    def _beside(self, kind: BesideKind, after: int, until: int | None) -> Iterable[Row]:
        if kind == "refusals":
            rows = [(number, mark) for number, _, mark in self._refusals(after, None)]
        else:
            rows = [(number, row[4]) for number, row in enumerate(self._kept.answers.values(), start=1)][after:]
        return rows if until is None else [row for row in rows if row[0] <= until]

    def _secret(self, name: str) -> Row | None:
        row = self._kept.vault.get(name)
        return None if row is None else row[1:]

    def _secrets(self, prefix: str) -> Sequence[Row]:
        return [row for name, row in sorted(self._kept.vault.items()) if name.startswith(prefix)]

    def _snapshots(self) -> Iterable[Row]:
        return self._kept.snapshots.values()

    def _snapshot(self, stream: str) -> Row | None:
        row = self._kept.snapshots.get(stream)
        return None if row is None else row[1:]
