"""The statements with which a transaction reads and writes the tables, each for all rows at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, LiteralString

import psycopg
from psycopg import errors

from croupier.store.batch import (
    AnswerKey,
    AnswerRow,
    HeadRow,
    RecordRow,
    SealedRow,
    SecretRow,
    SnapshotRow,
)
from croupier.store.contract import CorruptStore, StoreError
from croupier.store.postgres.notices import CHANNEL
from croupier.store.records import Answer, Head, Record, anchor, is_sealed
from croupier.store.seals import DIGEST_BYTES, Seals

Connection = psycopg.Connection
Cursor = psycopg.Cursor


def make_heads(connection: Connection, streams: Sequence[str]) -> None:
    """Heads at version 0 for streams that have none; whoever makes the same one at the same time is waited for."""
    if streams:
        connection.execute(
            "INSERT INTO croupier.heads SELECT stream, 0, '' FROM unnest(%b::text[]) AS new (stream) "
            "ON CONFLICT DO NOTHING",
            [list(streams)],
        )


def lock_heads(connection: Connection, streams: Sequence[str]) -> Cursor:
    """Stream, version and hash of heads that nobody else can move from now on, locked by name."""
    return connection.execute(
        "SELECT stream, version, hash FROM croupier.heads WHERE stream = ANY(%b::text[]) ORDER BY stream "
        "FOR NO KEY UPDATE",
        [list(streams)],
        binary=True,
    )


def wait_shortly(connection: Connection) -> None:
    """In this transaction, wait for whoever is at work, and not for whoever is stuck."""
    connection.execute("SET LOCAL lock_timeout = '200ms'")


def held_heads(connection: Connection, streams: Iterable[str]) -> frozenset[str]:
    """Streams whose heads others hold. One that is being begun cannot be seen: where no other is held, it is that."""
    asked = [list(streams)]
    heads: LiteralString = "SELECT stream FROM croupier.heads WHERE stream = ANY(%b::text[])"
    there = {stream for (stream,) in connection.execute(heads, asked)}
    free = {stream for (stream,) in connection.execute(f"{heads} FOR NO KEY UPDATE SKIP LOCKED", asked)}
    return frozenset(there - free or set(streams) - there)


def last_events(connection: Connection, streams: Sequence[str]) -> Cursor:
    """Stream, version and hash of the last event of each stream."""
    return connection.execute(
        "SELECT stream, last.version, last.hash FROM unnest(%b::text[]) AS asked (stream) LEFT JOIN LATERAL ("
        "SELECT version, hash FROM croupier.records WHERE records.stream = asked.stream ORDER BY version DESC LIMIT 1"
        ") AS last ON true",
        [list(streams)],
        binary=True,
    )


def head(stream: str, version: int | None, mark: bytes | None) -> Head:
    """A head from either of these rows; a stream without events has nothing or an empty hash there."""
    return Head(stream, version, mark) if version and mark is not None else Head(stream, 0, anchor(stream))


def answers(connection: Connection, keys: Sequence[AnswerKey]) -> Cursor | None:
    """Answers that are there for any of these."""
    if not keys:
        return None
    return connection.execute(
        "SELECT who, key, digest, reply, seal FROM croupier.answers "
        "WHERE (who, key) IN (SELECT * FROM unnest(%b::text[], %b::text[]))",
        [[who for who, _ in keys], [key for _, key in keys]],
        binary=True,
    )


def made_answers(rows: Iterable[Sequence[Any]], name: str) -> dict[AnswerKey, Answer]:
    """Answers from their rows. Raises CorruptStore."""
    found = {}
    for who, key, digest, reply, mark in rows:
        if not is_sealed(mark, who, key, digest, reply):
            raise CorruptStore(f"{name} is damaged: the answer to the command {key} of {who} is not what was written.")
        found[who, key] = Answer(who, key, digest, reply)
    return found


def insert_records(connection: Connection, rows: Sequence[RecordRow]) -> None:
    """Events."""
    sql: LiteralString = (
        "INSERT INTO croupier.records SELECT * FROM unnest(%b::text[], %b::int8[], %b::bytea[], %b::bytea[])"
    )
    _all_at_once(connection, sql, rows)


def move_heads(connection: Connection, rows: Sequence[HeadRow]) -> None:
    """Heads that are there and locked, to where they are now."""
    sql: LiteralString = (
        "UPDATE croupier.heads SET version = moved.version, hash = moved.hash "
        "FROM unnest(%b::text[], %b::int8[], %b::bytea[]) AS moved (stream, version, hash) "
        "WHERE heads.stream = moved.stream"
    )
    _all_at_once(connection, sql, rows)


def insert_heads(connection: Connection, rows: Sequence[HeadRow]) -> None:
    """Heads that are not there."""
    sql: LiteralString = "INSERT INTO croupier.heads SELECT * FROM unnest(%b::text[], %b::int8[], %b::bytea[])"
    _all_at_once(connection, sql, rows)


def insert_answers(connection: Connection, rows: Sequence[AnswerRow]) -> Cursor | None:
    """Answers that are not there: whoever writes the same one at the same time is waited for."""
    sql: LiteralString = (
        "INSERT INTO croupier.answers SELECT * FROM unnest(%b::text[], %b::text[], %b::bytea[], %b::bytea[], "
        "%b::bytea[]) ON CONFLICT DO NOTHING"
    )
    return _all_at_once(connection, sql, rows)


def insert_refusals(connection: Connection, rows: Sequence[SealedRow]) -> None:
    """Refused commands."""
    sql: LiteralString = "INSERT INTO croupier.refusals (document, seal) SELECT * FROM unnest(%b::bytea[], %b::bytea[])"
    _all_at_once(connection, sql, rows)


def load_refusals(connection: Connection, rows: Sequence[tuple[int, bytes, bytes]]) -> None:
    """Refused commands with the numbers that they had elsewhere; the next ones go on from there."""
    sql: LiteralString = (
        "INSERT INTO croupier.refusals (number, document, seal) OVERRIDING SYSTEM VALUE "
        "SELECT * FROM unnest(%b::int8[], %b::bytea[], %b::bytea[])"
    )
    _all_at_once(connection, sql, rows)
    if rows:
        connection.execute(
            "SELECT setval(pg_get_serial_sequence('croupier.refusals', 'number'), %s)", [max(row[0] for row in rows)]
        )


def settled(connection: Connection) -> tuple[int, int]:
    """The last numbers of answers and refusals, once all are done who may have been given one."""
    connection.execute("SET LOCAL lock_timeout = '1s'")
    connection.execute("LOCK TABLE croupier.answers, croupier.refusals IN SHARE MODE")
    row = connection.execute(
        "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('croupier.answers', 'number')), 0), "
        "coalesce(pg_sequence_last_value(pg_get_serial_sequence('croupier.refusals', 'number')), 0)"
    ).fetchone()
    assert row is not None, "there are sequences"
    return int(row[0]), int(row[1])


def seal_vault(connection: Connection, seals: Seals) -> None:
    """Seal what has no seal. Whoever else does the same at the same time is waited for."""
    connection.execute("LOCK TABLE croupier.vault, croupier.snapshots IN SHARE ROW EXCLUSIVE MODE")
    bare = connection.execute(
        "SELECT name, seal FROM croupier.vault WHERE length(seal) = %s", [DIGEST_BYTES], binary=True
    ).fetchall()
    rows = [(name, seals.made(mark)) for name, mark in bare]
    sql: LiteralString = (
        "UPDATE croupier.vault SET seal = sealed.seal FROM unnest(%b::text[], %b::bytea[]) AS sealed (name, seal) "
        "WHERE vault.name = sealed.name"
    )
    _all_at_once(connection, sql, rows)
    connection.execute("DELETE FROM croupier.snapshots WHERE length(seal) = %s", [DIGEST_BYTES])


def set_secrets(connection: Connection, rows: Sequence[SecretRow]) -> None:
    """What is private, in place of what had the same name."""
    sql: LiteralString = (
        "INSERT INTO croupier.vault SELECT * FROM unnest(%b::text[], %b::bytea[], %b::bytea[]) "
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value, seal = excluded.seal"
    )
    _all_at_once(connection, sql, rows)


def drop_secrets(connection: Connection, names: Sequence[str]) -> None:
    """What is private and no longer wanted, locked by name before it is gone."""
    if names:
        connection.execute(
            "DELETE FROM croupier.vault WHERE name IN ("
            "SELECT name FROM croupier.vault WHERE name = ANY(%b::text[]) ORDER BY name FOR UPDATE)",
            [list(names)],
        )


def set_snapshots(connection: Connection, rows: Sequence[SnapshotRow]) -> None:
    """Snapshots in place of older ones."""
    sql: LiteralString = (
        "INSERT INTO croupier.snapshots SELECT * FROM unnest(%b::text[], %b::int8[], %b::bytea[], %b::bytea[], "
        "%b::bytea[]) ON CONFLICT (stream) DO UPDATE SET version = excluded.version, hash = excluded.hash, "
        "state = excluded.state, seal = excluded.seal"
    )
    _all_at_once(connection, sql, rows)


def _all_at_once(connection: Connection, sql: LiteralString, rows: Sequence[Sequence[Any]]) -> Cursor | None:
    """A statement for all rows, given column by column."""
    return connection.execute(sql, [list(column) for column in zip(*rows, strict=True)]) if rows else None


def notify(connection: Connection, payloads: Iterable[str]) -> Cursor:
    """Have the others told when the transaction is committed; its number."""
    return connection.execute(
        "SELECT pg_current_xact_id()::text, (SELECT count(pg_notify(%s, said)) FROM unnest(%b::text[]) AS said)",
        [CHANNEL, list(payloads)],
    )


def fate(connection: Connection, transaction: str) -> str:
    """What became of a transaction: committed, aborted or in progress. One that nobody waits for any more is ended."""
    try:
        row = connection.execute("SELECT pg_xact_status(%s::text::xid8)", [transaction]).fetchone()
    except errors.InvalidParameterValue:
        return "aborted"  # a server that went down has forgotten that it ever began
    found = "aborted" if row is None or row[0] is None else str(row[0])
    if found == "in progress":
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_xid = %s::text::xid8::xid "
            "AND pid <> pg_backend_pid()",
            [transaction],
        )
    return found


def lock_if_empty(connection: Connection) -> bool:
    """Whether there are no events and no refusals; nobody can add any until the end of the transaction."""
    connection.execute("LOCK TABLE croupier.heads, croupier.refusals IN EXCLUSIVE MODE")
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM croupier.records) OR EXISTS (SELECT 1 FROM croupier.refusals)"
    ).fetchone()
    connection.execute("DELETE FROM croupier.heads WHERE version = 0")
    return row is not None and not row[0]


def copy_records(connection: Connection, records: Sequence[Record]) -> None:
    """Many events, the quickest way."""
    if not records:
        return
    sql: LiteralString = "COPY croupier.records (stream, version, document, hash) FROM STDIN (FORMAT BINARY)"
    with connection.cursor().copy(sql) as copy:
        copy.set_types(["text", "int8", "bytea", "bytea"])
        for one in records:
            copy.write_row((one.stream, one.version, one.document, one.hash))


# -- schema -----------------------------------------------------------------------------------------------------------
# The tables of a PostgreSQL store, version by version, in a schema of their own.

# Each of them leads from the version before it. What has been released is never changed. Names are compared byte by
# byte, as everywhere else, whatever the language of the database.
MIGRATIONS: tuple[LiteralString, ...] = (
    """
CREATE TABLE croupier.records (
  stream text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  document bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (stream, version)
);
CREATE TABLE croupier.heads (
  stream text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL,
  hash bytea NOT NULL
) WITH (fillfactor = 70);
CREATE TABLE croupier.answers (
  who text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  digest bytea NOT NULL,
  reply bytea NOT NULL,
  seal bytea NOT NULL,
  PRIMARY KEY (who, key)
);
CREATE TABLE croupier.refusals (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  document bytea NOT NULL,
  seal bytea NOT NULL
);
CREATE TABLE croupier.vault (
  name text COLLATE "C" PRIMARY KEY,
  value bytea NOT NULL,
  seal bytea NOT NULL
);
""",
    """
CREATE TABLE croupier.snapshots (
  stream text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL,
  hash bytea NOT NULL,
  state bytea NOT NULL,
  seal bytea NOT NULL
);
""",
    # Answers are numbered, so that checkpoints can vouch for them. They lie in that order, for which the smallest of
    # indexes is enough.
    """
ALTER TABLE croupier.answers ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY;
CREATE INDEX answers_by_number ON croupier.answers USING brin (number);
""",
)
NEWEST = len(MIGRATIONS)

_LOCK = 0x43525550  # among the locks of the database that programs agree on: one of them migrates, the others wait


def bring_up_to_date(connection: psycopg.Connection, name: str) -> None:
    """Make the tables, or bring them to the newest version, in the transaction that is open. Raises StoreError."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
    version = found_version(connection, name)
    if version == NEWEST:
        return
    if version == 0:
        connection.execute("CREATE SCHEMA IF NOT EXISTS croupier")
        connection.execute("CREATE TABLE croupier.schema_version (version integer NOT NULL)")
        connection.execute("INSERT INTO croupier.schema_version VALUES (0)")
    for step in MIGRATIONS[version:]:
        connection.execute(step)
    connection.execute("UPDATE croupier.schema_version SET version = %s", (NEWEST,))


def found_version(connection: psycopg.Connection, name: str) -> int:
    """The version of the tables; 0 where there are none. Raises StoreError where they are too new."""
    # Asked of the catalogue: `to_regclass` may remember that there was none, when another house has just made it.
    there = connection.execute(
        "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'croupier' AND tablename = 'schema_version'"
    ).fetchone()
    if there is None:
        return 0
    row = connection.execute("SELECT version FROM croupier.schema_version").fetchone()
    version = int(row[0]) if row is not None else 0
    if version > NEWEST:
        raise StoreError(
            f"{name} has version {version} of the tables and this croupier knows {NEWEST}: it needs a newer croupier."
        )
    return version
