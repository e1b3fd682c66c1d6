"""SQL statements of a PostgreSQL store: those of a transaction, each for all rows at once, and the schema."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, LiteralString

import psycopg
from psycopg import errors

from croupier.store.contract import CorruptStore, StoreError
from croupier.store.group_commit import (
    AnswerKey,
)
from croupier.store.postgres.connecting import CHANNEL
from croupier.store.records import Answer, Head, Record, anchor, has_checksum
from croupier.store.seals import DIGEST_BYTES, Seals

Connection = psycopg.Connection
Cursor = psycopg.Cursor

# Statements for all rows at once, passed column by column: see `for_rows`.
INSERT_RECORDS: LiteralString = (
    "INSERT INTO croupier.records SELECT * FROM unnest(%b::text[], %b::int8[], %b::bytea[], %b::bytea[])"
)
MOVE_HEADS: LiteralString = (
    "UPDATE croupier.heads SET version = moved.version, hash = moved.hash "
    "FROM unnest(%b::text[], %b::int8[], %b::bytea[]) AS moved (stream, version, hash) "
    "WHERE heads.stream = moved.stream"
)
INSERT_HEADS: LiteralString = "INSERT INTO croupier.heads SELECT * FROM unnest(%b::text[], %b::int8[], %b::bytea[])"
# Waits for another transaction that inserts the same answer.
INSERT_ANSWERS: LiteralString = (
    "INSERT INTO croupier.answers SELECT * FROM unnest(%b::text[], %b::text[], %b::bytea[], %b::bytea[], "
    "%b::bytea[]) ON CONFLICT DO NOTHING"
)
INSERT_REFUSALS: LiteralString = (
    "INSERT INTO croupier.refusals (document, seal) SELECT * FROM unnest(%b::bytea[], %b::bytea[])"
)
SET_SECRETS: LiteralString = (
    "INSERT INTO croupier.vault SELECT * FROM unnest(%b::text[], %b::bytea[], %b::bytea[]) "
    "ON CONFLICT (name) DO UPDATE SET value = excluded.value, seal = excluded.seal"
)
SET_SNAPSHOTS: LiteralString = (
    "INSERT INTO croupier.snapshots SELECT * FROM unnest(%b::text[], %b::int8[], %b::bytea[], %b::bytea[], "
    "%b::bytea[]) ON CONFLICT (stream) DO UPDATE SET version = excluded.version, hash = excluded.hash, "
    "state = excluded.state, seal = excluded.seal"
)


def make_heads(connection: Connection, streams: Sequence[str]) -> None:
    """Create heads at version 0 for streams that have none. Waits for another transaction creating the same one."""
    if streams:
        connection.execute(
            "INSERT INTO croupier.heads SELECT stream, 0, '' FROM unnest(%b::text[]) AS new (stream) "
            "ON CONFLICT DO NOTHING",
            [list(streams)],
        )


def lock_heads(connection: Connection, streams: Sequence[str]) -> Cursor:
    """Lock heads in order of name; returns stream, version and hash. Only this transaction can move them now."""
    return connection.execute(
        "SELECT stream, version, hash FROM croupier.heads WHERE stream = ANY(%b::text[]) ORDER BY stream "
        "FOR NO KEY UPDATE",
        [list(streams)],
        binary=True,
    )


def wait_shortly(connection: Connection) -> None:
    """Shorten the lock timeout for this transaction: wait for a busy writer, not for a stuck one."""
    connection.execute("SET LOCAL lock_timeout = '200ms'")


def held_heads(connection: Connection, streams: Iterable[str]) -> frozenset[str]:
    """Return the streams whose heads others have locked; if none is visible, the ones that are being created."""
    asked = [list(streams)]
    heads: LiteralString = "SELECT stream FROM croupier.heads WHERE stream = ANY(%b::text[])"
    there = {stream for (stream,) in connection.execute(heads, asked)}
    free = {stream for (stream,) in connection.execute(f"{heads} FOR NO KEY UPDATE SKIP LOCKED", asked)}
    return frozenset(there - free or set(streams) - there)


def last_events(connection: Connection, streams: Sequence[str]) -> Cursor:
    """Return stream, version and hash of the last event of each stream."""
    return connection.execute(
        "SELECT stream, last.version, last.hash FROM unnest(%b::text[]) AS asked (stream) LEFT JOIN LATERAL ("
        "SELECT version, hash FROM croupier.records WHERE records.stream = asked.stream ORDER BY version DESC LIMIT 1"
        ") AS last ON true",
        [list(streams)],
        binary=True,
    )


def head(stream: str, version: int | None, mark: bytes | None) -> Head:
    """Build a head from either kind of row; a stream without events has no version or an empty hash."""
    return Head(stream, version, mark) if version and mark is not None else Head(stream, 0, anchor(stream))


def answers(connection: Connection, keys: Sequence[AnswerKey]) -> Cursor | None:
    """Select the stored answers for these keys."""
    if not keys:
        return None
    return connection.execute(
        "SELECT who, key, digest, reply, seal FROM croupier.answers "
        "WHERE (who, key) IN (SELECT * FROM unnest(%b::text[], %b::text[]))",
        [[who for who, _ in keys], [key for _, key in keys]],
        binary=True,
    )


def made_answers(rows: Iterable[Sequence[Any]], name: str) -> dict[AnswerKey, Answer]:
    """Build answers from their rows. Raises CorruptStore."""
    found = {}
    for who, key, digest, reply, mark in rows:
        if not has_checksum(mark, who, key, digest, reply):
            raise CorruptStore(f"{name} is damaged: the answer to the command {key} of {who} was altered.")
        found[who, key] = Answer(who, key, digest, reply)
    return found


def load_refusals(connection: Connection, rows: Sequence[tuple[int, bytes, bytes]]) -> None:
    """Insert refused commands with their original numbers; numbering continues from there."""
    sql: LiteralString = (
        "INSERT INTO croupier.refusals (number, document, seal) OVERRIDING SYSTEM VALUE "
        "SELECT * FROM unnest(%b::int8[], %b::bytea[], %b::bytea[])"
    )
    for_rows(connection, sql, rows)
    if rows:
        connection.execute(
            "SELECT setval(pg_get_serial_sequence('croupier.refusals', 'number'), %s)", [max(row[0] for row in rows)]
        )


def settled(connection: Connection) -> tuple[int, int]:
    """Return the last numbers of answers and refusals, once every transaction that may hold one has ended."""
    connection.execute("SET LOCAL lock_timeout = '1s'")
    connection.execute("LOCK TABLE croupier.answers, croupier.refusals IN SHARE MODE")
    row = connection.execute(
        "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('croupier.answers', 'number')), 0), "
        "coalesce(pg_sequence_last_value(pg_get_serial_sequence('croupier.refusals', 'number')), 0)"
    ).fetchone()
    assert row is not None, "there are sequences"
    return int(row[0]), int(row[1])


def seal_vault(connection: Connection, seals: Seals) -> None:
    """Seal the unsealed vault entries. Waits for another house doing the same."""
    connection.execute("LOCK TABLE croupier.vault, croupier.snapshots IN SHARE ROW EXCLUSIVE MODE")
    bare = connection.execute(
        "SELECT name, seal FROM croupier.vault WHERE length(seal) = %s", [DIGEST_BYTES], binary=True
    ).fetchall()
    rows = [(name, seals.made(mark)) for name, mark in bare]
    sql: LiteralString = (
        "UPDATE croupier.vault SET seal = sealed.seal FROM unnest(%b::text[], %b::bytea[]) AS sealed (name, seal) "
        "WHERE vault.name = sealed.name"
    )
    for_rows(connection, sql, rows)
    connection.execute("DELETE FROM croupier.snapshots WHERE length(seal) = %s", [DIGEST_BYTES])


def drop_secrets(connection: Connection, names: Sequence[str]) -> None:
    """Delete vault entries, locked in order of name first."""
    if names:
        connection.execute(
            "DELETE FROM croupier.vault WHERE name IN ("
            "SELECT name FROM croupier.vault WHERE name = ANY(%b::text[]) ORDER BY name FOR UPDATE)",
            [list(names)],
        )


def for_rows(connection: Connection, sql: LiteralString, rows: Sequence[Sequence[Any]]) -> Cursor | None:
    """Execute a statement for all rows, passed column by column; None if there are none."""
    return connection.execute(sql, [list(column) for column in zip(*rows, strict=True)]) if rows else None


def notify(connection: Connection, payloads: Iterable[str]) -> Cursor:
    """Queue notices to the other houses for the commit; selects the transaction's number."""
    return connection.execute(
        "SELECT pg_current_xact_id()::text, (SELECT count(pg_notify(%s, said)) FROM unnest(%b::text[]) AS said)",
        [CHANNEL, list(payloads)],
    )


def fate(connection: Connection, transaction: str) -> str:
    """Return a transaction's status: committed, aborted or in progress. An abandoned one in progress is terminated."""
    try:
        row = connection.execute("SELECT pg_xact_status(%s::text::xid8)", [transaction]).fetchone()
    except errors.InvalidParameterValue:
        return "aborted"  # a crashed server has no record of it
    found = "aborted" if row is None or row[0] is None else str(row[0])
    if found == "in progress":
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_xid = %s::text::xid8::xid "
            "AND pid <> pg_backend_pid()",
            [transaction],
        )
    return found


def lock_if_empty(connection: Connection) -> bool:
    """Return whether there are no events and no refusals, locking both tables until the transaction ends."""
    connection.execute("LOCK TABLE croupier.heads, croupier.refusals IN EXCLUSIVE MODE")
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM croupier.records) OR EXISTS (SELECT 1 FROM croupier.refusals)"
    ).fetchone()
    connection.execute("DELETE FROM croupier.heads WHERE version = 0")
    return row is not None and not row[0]


def copy_records(connection: Connection, records: Sequence[Record]) -> None:
    """Insert many events with COPY."""
    if not records:
        return
    sql: LiteralString = "COPY croupier.records (stream, version, document, hash) FROM STDIN (FORMAT BINARY)"
    with connection.cursor().copy(sql) as copy:
        copy.set_types(["text", "int8", "bytea", "bytea"])
        for one in records:
            copy.write_row((one.stream, one.version, one.document, one.hash))


# -- schema -----------------------------------------------------------------------------------------------------------

# Each migration leads from the version before it. Released ones are never changed. Names are compared byte by byte, as
# everywhere else, regardless of the database's locale.
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
    # Answers are numbered so that checkpoints can cover them. Rows lie in that order, so a BRIN index, the smallest
    # kind, is enough.
    """
ALTER TABLE croupier.answers ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY;
CREATE INDEX answers_by_number ON croupier.answers USING brin (number);
""",
)
NEWEST = len(MIGRATIONS)

_LOCK = 0x43525550  # advisory lock: one program migrates, the others wait


def bring_up_to_date(connection: psycopg.Connection, name: str) -> None:
    """Create the tables or migrate them to the newest version, in the open transaction. Raises StoreError."""
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
    """Return the version of the tables; 0 if there are none. Raises StoreError if it is too new."""
    # Query the catalogue: `to_regclass` may cache a miss although another house has just created the table.
    there = connection.execute(
        "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'croupier' AND tablename = 'schema_version'"
    ).fetchone()
    if there is None:
        return 0
    row = connection.execute("SELECT version FROM croupier.schema_version").fetchone()
    version = int(row[0]) if row is not None else 0
    if version > NEWEST:
        raise StoreError(
            f"{name} has tables of version {version}, and this croupier knows version {NEWEST}: use a newer one."
        )
    return version
