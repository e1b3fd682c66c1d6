"""Decide the outcomes of a group of writes. Every store shares this logic and then only stores the resulting rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

from croupier.store.records import Answer, Answered, Append, Committed, Conflict, Head, Outcome, Snapshot, Write, seal
from croupier.store.seals import Seals

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
        self.new_answers: list[AnswerRow] = []
        self.refusals: list[SealedRow] = []
        self._secrets: dict[str, bytes | None] = {}
        self._snapshots: dict[str, Snapshot] = {}

    def decide(self, writes: Sequence[Write]) -> list[Outcome]:
        """Decide the writes in order; a write may depend on an earlier one in the batch."""
        return [self._decide(write) for write in writes]

    def _decide(self, write: Write) -> Outcome:
        answer, appends = write.answer, write.appends
        if answer is not None:
            key = (answer.who, answer.key)
            if key in self.answers:
                return Answered(self.answers[key])
        conflict = self._first_conflict(appends)
        if conflict is not None:
            return conflict
        heads = tuple([self._appended(append) for append in appends])
        if answer is not None:
            self.answers[key] = answer
            parts = (answer.who, answer.key, answer.digest, answer.reply)
            self.new_answers.append((*parts, seal(*parts)))
        if write.refusal is not None:
            self.refusals.append((write.refusal, seal(write.refusal)))
        for secret in write.vault:
            self._secrets[secret.name] = secret.value
        for snapshot in write.snapshots:
            self._snapshots[snapshot.stream] = snapshot
        return Committed(heads)

    def _first_conflict(self, appends: tuple[Append, ...]) -> Conflict | None:
        """Return the first conflict. Two appends to one stream in a write build on each other."""
        grown: dict[str, int] = {}
        for append in appends:
            stream, head = append.stream, self.heads[append.stream]
            version = head.version + grown.get(stream, 0)
            # A different history of the same length is a conflict too. A second append in a write builds on the first.
            is_same_past = append.after is None or append.after == head.hash or stream in grown
            if append.expected != version or not is_same_past:
                return Conflict(stream, append.expected, version)
            if append.documents:
                grown[stream] = grown.get(stream, 0) + len(append.documents)
        return None

    def _appended(self, append: Append) -> Head:
        stream, head = append.stream, self.heads[append.stream]
        if not append.documents:  # only checks the version; changes nothing
            return head
        version, last = append.expected, head.hash
        for document in append.documents:
            version += 1
            last = sha256(last + sha256(document).digest()).digest()
            self.records.append((stream, version, document, last))
        head = self.heads[stream] = Head(stream, version, last)
        return head

    @property
    def changed(self) -> dict[str, Head]:
        """The heads of the streams that grew."""
        return {row[0]: self.heads[row[0]] for row in self.records}

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
        return seal(*parts) if self._seals is None else self._seals.made(seal(*parts))
