"""Checked reads: every store provides raw rows, and this module turns them into verified records.

`contract.Reading` says what each query returns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, TypeVar

from croupier.store.contract import BesideKind, CorruptStore, Reading
from croupier.store.records import (
    LAST_CHARACTER,
    Answer,
    Head,
    Record,
    SealedEntry,
    Secret,
    Snapshot,
    StoredRefusal,
    anchor,
    has_checksum,
    link,
)
from croupier.store.seals import Proof, Seals, digest_in

PAGE = 1000  # rows per query when reading everything
NO_LIMIT = 2**63 - 1  # more rows, and higher numbers, than any table has

# A database row. In a damaged file the values may have any type, so nothing is assumed.
Row = Sequence[Any]

T = TypeVar("T")


class View(ABC):
    """A consistent view of a store, made from raw rows. Anything inconsistent raises CorruptStore."""

    name: str
    seals: Proof | None = None  # None: seals are not checked

    # -- provided by each database ------------------------------------------------------------------------------------

    @abstractmethod
    def _rows(self, stream: str, after: int, limit: int | None) -> Sequence[Row]:
        """Return version, document and hash of the events after a version, in order."""

    @abstractmethod
    def _hash_at(self, stream: str, version: int) -> object:
        """Return the hash of one event; None if there is no such event."""

    @abstractmethod
    def _head(self, stream: str) -> Row | None:
        """Return version and hash of the stored head of a stream."""

    @abstractmethod
    def _heads(self, prefix: str) -> Sequence[Row]:
        """Return stream, version and hash of all heads with this prefix, sorted by name."""

    @abstractmethod
    def streams(self) -> list[str]:
        """Return all streams that have events, regardless of the heads."""

    @abstractmethod
    def _answer(self, who: str, key: str) -> Row | None:
        """Return digest, reply and seal."""

    @abstractmethod
    def _answers(self) -> Iterable[Row]:
        """Return who, key, digest, reply and seal of all answers."""

    @abstractmethod
    def _refusals(self, after: int, limit: int | None) -> Sequence[Row]:
        """Return number, document and seal, in order."""

    @abstractmethod
    def _secret(self, name: str) -> Row | None:
        """Return value and seal."""

    @abstractmethod
    def _secrets(self, prefix: str) -> Sequence[Row]:
        """Return name, value and seal of all entries with this prefix, sorted by name."""

    @abstractmethod
    def _snapshot(self, stream: str) -> Row | None:
        """Return version, hash, state and seal."""

    @abstractmethod
    def _snapshots(self) -> Iterable[Row]:
        """Return stream, version, hash, state and seal of all snapshots."""

    @abstractmethod
    def _beside(self, kind: BesideKind, after: int, until: int | None) -> Iterable[Row]:
        """Return number and seal of answers or refusals, in order."""

    def _structure(self) -> Iterator[str]:
        """Yield sentences about faults that the database itself finds; not every database checks."""
        return iter(())

    # -- queries ------------------------------------------------------------------------------------------------------

    def read(self, stream: str, after: int = 0, limit: int | None = None, *, verified: bool = True) -> list[Record]:
        rows = self._rows(stream, after, limit)
        if not verified:
            return [Record(stream, version, document, mark) for version, document, mark in rows]
        end = self.head(stream)
        if after > end.version:
            if rows:
                raise self._too_many(stream, end.version + 1)
            return []
        before = self._hash_at(stream, after) if after else anchor(stream)
        if not isinstance(before, bytes):
            raise self._wrong(stream, after, "is missing")
        records = self._followed(stream, after, before, rows)
        last = after + len(records)
        if last > end.version:
            raise self._too_many(stream, end.version + 1)
        if last == end.version and (records[-1].hash if records else before) != end.hash:
            raise self._wrong(stream, last, "has a different hash from the head of its stream")
        if last < end.version and (limit is None or len(records) < limit):
            raise self._wrong(stream, last + 1, "is missing")
        return records

    def _followed(self, stream: str, after: int, last: bytes, rows: Sequence[Row]) -> list[Record]:
        """Return rows as records, checking that each follows the one before."""
        records: list[Record] = []
        for expected, (version, document, mark) in enumerate(rows, start=after + 1):
            if version != expected:
                raise self._wrong(stream, expected, "is missing")
            if not isinstance(document, bytes) or link(last, document) != mark:
                raise self._wrong(stream, version, "was altered: its hash does not match")
            last = mark
            records.append(Record(stream, version, document, mark))
        return records

    def head(self, stream: str) -> Head:
        row = self._head(stream)
        if row is None:
            return Head(stream, 0, anchor(stream))
        return self._made_head(stream, *row)

    def _made_head(self, stream: object, version: object, mark: object) -> Head:
        if not (isinstance(stream, str) and isinstance(version, int) and isinstance(mark, bytes)):
            raise CorruptStore(f"{self.name} is damaged: the head of the stream {stream!r} cannot be read.")
        return Head(stream, version, mark) if version else Head(stream, 0, anchor(stream))

    def heads(self, prefix: str = "") -> list[Head]:
        made = (self._made_head(*row) for row in self._heads(prefix))
        return [head for head in made if head.version]

    def answer(self, who: str, key: str) -> Answer | None:
        row = self._answer(who, key)
        if row is None:
            return None
        digest, reply, mark = row
        if not has_checksum(mark, who, key, digest, reply):
            raise CorruptStore(self._not_as_written(_answer_to(who, key)))
        return Answer(who, key, digest, reply)

    def refusals(self, after: int = 0, limit: int | None = None) -> list[StoredRefusal]:
        made = []
        for number, document, mark in self._refusals(after, limit):
            if not has_checksum(mark, document):
                raise CorruptStore(self._not_as_written(f"refusal {number}"))
            made.append(StoredRefusal(number, document))
        return made

    def secret(self, name: str) -> bytes | None:
        row = self._secret(name)
        return None if row is None else self._made_secret(name, *row).value

    def secrets(self, prefix: str = "") -> list[Secret]:
        return [self._made_secret(*row) for row in self._secrets(prefix)]

    def _made_secret(self, name: str, value: bytes, mark: object) -> Secret:
        if not has_checksum(digest_in(mark), name, value):
            raise CorruptStore(self._not_as_written(in_vault(name)))
        if not self._is_trusted(mark):
            raise CorruptStore(f"{self.name} contains data that the house did not write: {unsealed(in_vault(name))}")
        return Secret(name, value)

    def _is_trusted(self, mark: Any) -> bool:  # noqa: ANN401  # a valid mark: its digest matches
        return self.seals is None or self.seals.is_sealed(mark)

    def snapshot(self, stream: str) -> Snapshot | None:
        row = self._snapshot(stream)
        if row is None:
            return None
        version, mark, state, sealed = row
        is_ours = has_checksum(digest_in(sealed), stream, version, mark, state) and self._is_trusted(sealed)
        if not is_ours or self._hash_at(stream, version) != mark:
            return None
        return Snapshot(stream, version, mark, state)

    # -- full scans ---------------------------------------------------------------------------------------------------

    def damage(self) -> Iterator[str]:
        yield from self._structure()
        for *parts, mark in self._answers():
            if not has_checksum(mark, *parts):
                yield self._not_as_written(_answer_to(*parts[:2]))
        for number, document, mark in self._all_refusals():
            if not has_checksum(mark, document):
                yield self._not_as_written(f"refusal {number}")
        for name, value, mark in self._secrets(""):
            if not has_checksum(digest_in(mark), name, value):
                yield self._not_as_written(in_vault(name))

    def beside(self, kind: BesideKind, after: int = 0, until: int | None = None) -> Iterator[tuple[int, bytes]]:
        for number, mark in self._beside(kind, after, until):
            yield number, mark if isinstance(mark, bytes) else b""

    def entries(self) -> Iterator[SealedEntry]:
        for name, value, mark in self._secrets(""):
            if has_checksum(digest_in(mark), name, value):
                yield SealedEntry(in_vault(name), mark)
        for *parts, mark in self._snapshots():
            if has_checksum(digest_in(mark), *parts):
                yield SealedEntry(f"the snapshot of {parts[0]}", mark)

    def _all_refusals(self) -> Iterator[Row]:
        after = 0
        while rows := self._refusals(after, PAGE):
            yield from rows
            after = rows[-1][0]

    def _wrong(self, stream: str, version: int, what: str) -> CorruptStore:
        return CorruptStore(f"{self.name} is damaged: event {version} of {stream} {what}.", stream, version)

    def _too_many(self, stream: str, version: int) -> CorruptStore:
        return self._wrong(stream, version, "is extra: the stream's head comes before it")

    def _not_as_written(self, what: str) -> str:
        return f"{self.name} is damaged: {what} was altered."


def in_vault(name: object) -> str:
    """Return the name of a vault entry in messages."""
    return f"{name} in the vault"


def unsealed(what: str) -> str:
    """Return the sentence for an entry that the house did not write."""
    return f"{what} is not sealed by the house."


def _answer_to(who: object, key: object) -> str:
    return f"the answer to the command {key} of {who}"


class SqlView(View):
    """A view of a database with tables like SQLite's, in a read transaction on a connection of its own."""

    schema = ""  # prefix of the names of tables
    numbers: ClassVar[dict[BesideKind, str]]  # the columns that number answers and refusals
    has_snapshots: str  # a query with a row if there is such a table: not in the first version of the tables

    def __init__(self, name: str, seals: Proof | None = None) -> None:
        self.name = name
        self.seals = seals

    @abstractmethod
    def _all(self, sql: str, *values: str | int) -> Sequence[Row]:
        """Return the rows of a query. `?` stands for a value."""

    @abstractmethod
    def _each(self, sql: str, *values: str | int) -> Iterator[Row]:
        """Yield rows as they are read, however many there are."""

    def _one(self, sql: str, *values: str | int) -> Row | None:
        rows = self._all(sql, *values)
        return rows[0] if rows else None

    def _rows(self, stream: str, after: int, limit: int | None) -> Sequence[Row]:
        sql = f"SELECT version, document, hash FROM {self.schema}records WHERE stream = ? AND version > ?"
        return self._all(f"{sql} ORDER BY version LIMIT ?", stream, after, NO_LIMIT if limit is None else limit)

    def _hash_at(self, stream: str, version: int) -> object:
        row = self._one(f"SELECT hash FROM {self.schema}records WHERE stream = ? AND version = ?", stream, version)
        return None if row is None else row[0]

    def _head(self, stream: str) -> Row | None:
        return self._one(f"SELECT version, hash FROM {self.schema}heads WHERE stream = ?", stream)

    def _heads(self, prefix: str) -> Sequence[Row]:
        sql = f"SELECT stream, version, hash FROM {self.schema}heads WHERE stream >= ? AND stream < ? ORDER BY stream"
        return self._all(sql, prefix, prefix + LAST_CHARACTER)

    def streams(self) -> list[str]:
        return [str(stream) for (stream,) in self._all(self._streams)]

    @property
    def _streams(self) -> str:
        """The query of all streams that have events: one index look-up each, however many events they have."""
        return f"""
WITH RECURSIVE found(stream) AS (
  SELECT (SELECT stream FROM {self.schema}records ORDER BY stream LIMIT 1)
  UNION ALL
  SELECT (SELECT stream FROM {self.schema}records WHERE records.stream > found.stream ORDER BY stream LIMIT 1)
  FROM found WHERE found.stream IS NOT NULL
)
SELECT stream FROM found WHERE stream IS NOT NULL
"""

    def _answer(self, who: str, key: str) -> Row | None:
        return self._one(f"SELECT digest, reply, seal FROM {self.schema}answers WHERE who = ? AND key = ?", who, key)

    def _answers(self) -> Iterable[Row]:
        return self._each(f"SELECT who, key, digest, reply, seal FROM {self.schema}answers")

    def _refusals(self, after: int, limit: int | None) -> Sequence[Row]:
        sql = f"SELECT number, document, seal FROM {self.schema}refusals WHERE number > ? ORDER BY number LIMIT ?"
        return self._all(sql, after, NO_LIMIT if limit is None else limit)

    def _secret(self, name: str) -> Row | None:
        return self._one(f"SELECT value, seal FROM {self.schema}vault WHERE name = ?", name)

    def _secrets(self, prefix: str) -> Sequence[Row]:
        sql = f"SELECT name, value, seal FROM {self.schema}vault WHERE name >= ? AND name < ? ORDER BY name"
        return self._all(sql, prefix, prefix + LAST_CHARACTER)

    def _snapshot(self, stream: str) -> Row | None:
        return self._one(f"SELECT version, hash, state, seal FROM {self.schema}snapshots WHERE stream = ?", stream)

    def _snapshots(self) -> Iterable[Row]:
        if self._one(self.has_snapshots) is None:
            return ()
        return self._each(f"SELECT stream, version, hash, state, seal FROM {self.schema}snapshots")

    def _beside(self, kind: BesideKind, after: int, until: int | None) -> Iterable[Row]:
        number = self.numbers[kind]
        sql = f"SELECT {number}, seal FROM {self.schema}{kind} WHERE {number} > ? AND {number} <= ? ORDER BY {number}"
        return self._each(sql, after, NO_LIMIT if until is None else until)

    def unmatched_heads(self) -> Iterator[str]:
        """Yield a sentence for each head without its events and each event without a head: a few look-ups a stream."""
        wrong_end = (
            f"SELECT heads.stream, heads.version FROM {self.schema}heads LEFT JOIN {self.schema}records "
            "ON records.stream = heads.stream AND records.version = heads.version "
            "WHERE heads.version <> 0 AND records.hash IS DISTINCT FROM heads.hash"
        )
        for stream, version in self._all(wrong_end):
            yield f"{self.name} is damaged: event {version} of {stream}, its last one, is missing or altered."
        no_head = (
            f"SELECT stream FROM ({self._streams}) AS known WHERE NOT EXISTS ("
            f"SELECT 1 FROM {self.schema}heads WHERE heads.stream = known.stream AND heads.version <> 0)"
        )
        for (stream,) in self._all(no_head):
            yield f"{self.name} is damaged: the stream {stream} has events but no head."


class ReadThrough(ABC):
    """A store that answers every query from a current view."""

    _seals: Seals | None = None

    def use(self, seals: Seals) -> None:
        self._seals = seals

    @abstractmethod
    def _ask(self, question: Callable[[Reading], T], at_once: bool = False) -> T:
        """Run a query on a view. `at_once`: it is a single statement, which needs no consistent view."""

    @abstractmethod
    def still(self) -> AbstractContextManager[Reading]:
        """Open a consistent view while others write."""

    def read(self, stream: str, after: int = 0, limit: int | None = None, *, verified: bool = True) -> list[Record]:
        return self._ask(lambda view: view.read(stream, after, limit, verified=verified), at_once=not verified)

    def head(self, stream: str) -> Head:
        return self._ask(lambda view: view.head(stream), at_once=True)

    def heads(self, prefix: str = "") -> list[Head]:
        return self._ask(lambda view: view.heads(prefix), at_once=True)

    def streams(self) -> list[str]:
        return self._ask(lambda view: view.streams(), at_once=True)

    def answer(self, who: str, key: str) -> Answer | None:
        return self._ask(lambda view: view.answer(who, key), at_once=True)

    def refusals(self, after: int = 0, limit: int | None = None) -> list[StoredRefusal]:
        return self._ask(lambda view: view.refusals(after, limit), at_once=True)

    def secret(self, name: str) -> bytes | None:
        return self._ask(lambda view: view.secret(name), at_once=True)

    def secrets(self, prefix: str = "") -> list[Secret]:
        return self._ask(lambda view: view.secrets(prefix), at_once=True)

    def snapshot(self, stream: str) -> Snapshot | None:
        return self._ask(lambda view: view.snapshot(stream))

    def beside(self, kind: BesideKind, after: int = 0, until: int | None = None) -> Iterator[tuple[int, bytes]]:
        with self.still() as view:
            yield from view.beside(kind, after, until)

    def entries(self) -> Iterator[SealedEntry]:
        with self.still() as view:
            yield from view.entries()

    def damage(self) -> Iterator[str]:
        with self.still() as view:
            yield from view.damage()
