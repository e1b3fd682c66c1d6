"""The tables of a PostgreSQL store, version by version, in a schema of their own."""

from __future__ import annotations

from typing import LiteralString

import psycopg

from croupier.store.contract import StoreError

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
