"""A consistent view of an SQLite store: a read transaction on its own connection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import apsw

from croupier.store.contract import BesideKind
from croupier.store.records import LAST_CHARACTER
from croupier.store.seals import Proof
from croupier.store.sqlite.faults import told
from croupier.store.view import Row, View

NO_LIMIT = -1  # SQLite's convention

# Streams that have events: one index look-up each, however many events they have.
_STREAMS = """
WITH RECURSIVE found(stream) AS (
  SELECT min(stream) FROM records
  UNION ALL
  SELECT (SELECT min(stream) FROM records WHERE records.stream > found.stream) FROM found
  WHERE found.stream IS NOT NULL
)
SELECT stream FROM found WHERE stream IS NOT NULL
"""
WITHOUT_HEAD = f"SELECT stream FROM ({_STREAMS}) WHERE stream NOT IN (SELECT stream FROM heads)"
HEAD_WITHOUT_EVENT = """
SELECT heads.stream, heads.version FROM heads
LEFT JOIN records ON records.stream = heads.stream AND records.version = heads.version
WHERE records.hash IS NOT heads.hash
"""


NUMBERS_END = 2**63 - 1
_BESIDE: dict[BesideKind, str] = {
    "answers": "SELECT position, seal FROM answers WHERE position > ? AND position <= ? ORDER BY position",
    "refusals": "SELECT number, seal FROM refusals WHERE number > ? AND number <= ? ORDER BY number",
}


class SqliteView(View):
    """Rows from a connection with an open read transaction."""

    def __init__(self, connection: apsw.Connection, name: str, seals: Proof | None = None) -> None:
        self.name = name
        self.seals = seals
        self._connection = connection

    def _all(self, sql: str, *values: apsw.SQLiteValue) -> Sequence[Row]:
        with told(self.name, "cannot be read"):
            return self._connection.execute(sql, values).fetchall()

    def _one(self, sql: str, *values: apsw.SQLiteValue) -> Row | None:
        with told(self.name, "cannot be read"):
            row: Row | None = self._connection.execute(sql, values).fetchone()
            return row

    def _rows(self, stream: str, after: int, limit: int | None) -> Sequence[Row]:
        sql = "SELECT version, document, hash FROM records WHERE stream = ? AND version > ? ORDER BY version LIMIT ?"
        return self._all(sql, stream, after, NO_LIMIT if limit is None else limit)

    def _hash_at(self, stream: str, version: int) -> object:
        row = self._one("SELECT hash FROM records WHERE stream = ? AND version = ?", stream, version)
        return None if row is None else row[0]

    def _head(self, stream: str) -> Row | None:
        return self._one("SELECT version, hash FROM heads WHERE stream = ?", stream)

    def _heads(self, prefix: str) -> Sequence[Row]:
        sql = "SELECT stream, version, hash FROM heads WHERE stream >= ? AND stream < ? ORDER BY stream"
        return self._all(sql, prefix, prefix + LAST_CHARACTER)

    def streams(self) -> list[str]:
        """Return all streams that have events, regardless of the heads."""
        return [str(stream) for (stream,) in self._all(_STREAMS)]

    def _answer(self, who: str, key: str) -> Row | None:
        return self._one("SELECT digest, reply, seal FROM answers WHERE who = ? AND key = ?", who, key)

    def _answers(self) -> Iterable[Row]:
        with told(self.name, "cannot be read"):
            yield from self._connection.execute("SELECT who, key, digest, reply, seal FROM answers ORDER BY position")

    def _refusals(self, after: int, limit: int | None) -> Sequence[Row]:
        sql = "SELECT number, document, seal FROM refusals WHERE number > ? ORDER BY number LIMIT ?"
        return self._all(sql, after, NO_LIMIT if limit is None else limit)

    def _secret(self, name: str) -> Row | None:
        return self._one("SELECT value, seal FROM vault WHERE name = ?", name)

    def _secrets(self, prefix: str) -> Sequence[Row]:
        sql = "SELECT name, value, seal FROM vault WHERE name >= ? AND name < ? ORDER BY name"
        return self._all(sql, prefix, prefix + LAST_CHARACTER)

    def _snapshots(self) -> Iterable[Row]:
        if self._one("SELECT 1 FROM sqlite_schema WHERE name = 'snapshots'") is None:
            return  # not in the first version of the tables
        with told(self.name, "cannot be read"):
            yield from self._connection.execute("SELECT stream, version, hash, state, seal FROM snapshots")

    def _beside(self, kind: BesideKind, after: int, until: int | None) -> Iterable[Row]:
        with told(self.name, "cannot be read"):
            yield from self._connection.execute(_BESIDE[kind], (after, NUMBERS_END if until is None else until))

    def _snapshot(self, stream: str) -> Row | None:
        return self._one("SELECT version, hash, state, seal FROM snapshots WHERE stream = ?", stream)

    def _structure(self) -> Iterator[str]:
        for (said,) in self._all("PRAGMA integrity_check(10)"):
            if said != "ok":
                yield f"{self.name} is damaged: {str(said).splitlines()[-1]}."

    def astray(self) -> Iterator[str]:
        """Yield a sentence for each head without its events and each event without a head: a few look-ups a stream."""
        for stream, version in self._all(HEAD_WITHOUT_EVENT):
            yield f"{self.name} is damaged: event {version} of {stream}, its last one, is missing or altered."
        for (stream,) in self._all(WITHOUT_HEAD):
            yield f"{self.name} is damaged: the stream {stream} has events and no head."
