"""A consistent view of a PostgreSQL store: a read transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import LiteralString
from uuid import uuid4

import psycopg

from croupier.store.contract import BesideKind
from croupier.store.postgres.connecting import told
from croupier.store.records import LAST_CHARACTER
from croupier.store.seals import Proof
from croupier.store.view import PAGE, Row, View

_STREAMS: LiteralString = """
WITH RECURSIVE found(stream) AS (
  (SELECT stream FROM croupier.records ORDER BY stream LIMIT 1)
  UNION ALL
  SELECT (SELECT stream FROM croupier.records WHERE records.stream > found.stream ORDER BY stream LIMIT 1)
  FROM found WHERE found.stream IS NOT NULL
)
SELECT stream FROM found WHERE stream IS NOT NULL
"""
_WITHOUT_HEAD: LiteralString = (
    f"SELECT stream FROM ({_STREAMS}) AS known "
    "WHERE NOT EXISTS (SELECT 1 FROM croupier.heads WHERE heads.stream = known.stream AND heads.version > 0)"
)
_HEAD_WITHOUT_EVENT: LiteralString = """
SELECT heads.stream, heads.version FROM croupier.heads LEFT JOIN croupier.records USING (stream, version)
WHERE heads.version > 0 AND records.hash IS DISTINCT FROM heads.hash
"""


NUMBERS_END = 2**63 - 1
_BESIDE: dict[BesideKind, LiteralString] = {
    "answers": "SELECT number, seal FROM croupier.answers WHERE number > %s AND number <= %s ORDER BY number",
    "refusals": "SELECT number, seal FROM croupier.refusals WHERE number > %s AND number <= %s ORDER BY number",
}


class PostgresView(View):
    """Rows from a connection with an open transaction."""

    def __init__(self, connection: psycopg.Connection, name: str, seals: Proof | None = None) -> None:
        self.name = name
        self.seals = seals
        self._connection = connection

    def _all(self, sql: LiteralString, *values: str | int | None) -> Sequence[Row]:
        with told(self.name, "cannot be read", self._connection):
            return self._connection.execute(sql, values, binary=True).fetchall()

    def _one(self, sql: LiteralString, *values: str | int | None) -> Row | None:
        rows = self._all(sql, *values)
        return rows[0] if rows else None

    def _rows(self, stream: str, after: int, limit: int | None) -> Sequence[Row]:
        return self._all(
            "SELECT version, document, hash FROM croupier.records WHERE stream = %s AND version > %s "
            "ORDER BY version LIMIT %s",
            stream,
            after,
            limit,
        )

    def _hash_at(self, stream: str, version: int) -> object:
        row = self._one("SELECT hash FROM croupier.records WHERE stream = %s AND version = %s", stream, version)
        return None if row is None else row[0]

    def _head(self, stream: str) -> Row | None:
        return self._one("SELECT version, hash FROM croupier.heads WHERE stream = %s", stream)

    def _heads(self, prefix: str) -> Sequence[Row]:
        return self._all(
            "SELECT stream, version, hash FROM croupier.heads WHERE stream >= %s AND stream < %s ORDER BY stream",
            prefix,
            prefix + LAST_CHARACTER,
        )

    def streams(self) -> list[str]:
        """Return all streams that have events, regardless of the heads."""
        return [str(stream) for (stream,) in self._all(_STREAMS)]

    def _answer(self, who: str, key: str) -> Row | None:
        return self._one("SELECT digest, reply, seal FROM croupier.answers WHERE who = %s AND key = %s", who, key)

    def _answers(self) -> Iterable[Row]:
        who, key = "", ""
        while rows := self._all(
            "SELECT who, key, digest, reply, seal FROM croupier.answers WHERE (who, key) > (%s, %s) "
            "ORDER BY who, key LIMIT %s",
            who,
            key,
            PAGE,
        ):
            yield from rows
            who, key = rows[-1][:2]

    def _refusals(self, after: int, limit: int | None) -> Sequence[Row]:
        return self._all(
            "SELECT number, document, seal FROM croupier.refusals WHERE number > %s ORDER BY number LIMIT %s",
            after,
            limit,
        )

    def _secret(self, name: str) -> Row | None:
        return self._one("SELECT value, seal FROM croupier.vault WHERE name = %s", name)

    def _secrets(self, prefix: str) -> Sequence[Row]:
        return self._all(
            "SELECT name, value, seal FROM croupier.vault WHERE name >= %s AND name < %s ORDER BY name",
            prefix,
            prefix + LAST_CHARACTER,
        )

    def _snapshots(self) -> Iterable[Row]:
        if self._one("SELECT to_regclass('croupier.snapshots')") == (None,):
            return ()  # not in the first version of the tables
        return self._streamed("SELECT stream, version, hash, state, seal FROM croupier.snapshots")

    def _beside(self, kind: BesideKind, after: int, until: int | None) -> Iterable[Row]:
        return self._streamed(_BESIDE[kind], after, NUMBERS_END if until is None else until)

    def _streamed(self, sql: LiteralString, *values: int) -> Iterator[Row]:
        """Yield rows page by page; needs a consistent view."""
        with (
            told(self.name, "cannot be read", self._connection),
            self._connection.cursor(f"croupier_{uuid4().hex}", binary=True) as cursor,
        ):
            cursor.itersize = PAGE
            yield from cursor.execute(sql, values)

    def _snapshot(self, stream: str) -> Row | None:
        return self._one("SELECT version, hash, state, seal FROM croupier.snapshots WHERE stream = %s", stream)

    def astray(self) -> Iterator[str]:
        """Yield a sentence for each head without its events and each event without a head: a few look-ups a stream."""
        for stream, version in self._all(_HEAD_WITHOUT_EVENT):
            yield f"{self.name} is damaged: event {version} of {stream}, its last one, is missing or altered."
        for (stream,) in self._all(_WITHOUT_HEAD):
            yield f"{self.name} is damaged: the stream {stream} has events and no head."
