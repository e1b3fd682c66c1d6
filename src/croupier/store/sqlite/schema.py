"""The tables of an SQLite store, version by version. A file of any version is migrated to the newest when opened."""

from __future__ import annotations

import apsw

from croupier.store.contract import CorruptStore, StoreError

APPLICATION_ID = 0x43525550  # "CRUP" in the file's header identifies the owner

# Each migration leads from the version before it; the first starts from nothing. Released ones are never changed.
# Events lie in the order of writing, so a group commit touches few pages, even across many streams.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE records (
  position INTEGER PRIMARY KEY,
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  document BLOB NOT NULL,
  hash BLOB NOT NULL,
  UNIQUE (stream, version)
) STRICT""",
        """CREATE TABLE heads (
  stream TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT, WITHOUT ROWID""",
        """CREATE TABLE answers (
  position INTEGER PRIMARY KEY,
  who TEXT NOT NULL,
  key TEXT NOT NULL,
  digest BLOB NOT NULL,
  reply BLOB NOT NULL,
  seal BLOB NOT NULL,
  UNIQUE (who, key)
) STRICT""",
        """CREATE TABLE refusals (
  number INTEGER PRIMARY KEY,
  document BLOB NOT NULL,
  seal BLOB NOT NULL
) STRICT""",
        """CREATE TABLE vault (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL,
  seal BLOB NOT NULL
) STRICT, WITHOUT ROWID""",
    ),
    (
        """CREATE TABLE snapshots (
  stream TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  hash BLOB NOT NULL,
  state BLOB NOT NULL,
  seal BLOB NOT NULL
) STRICT, WITHOUT ROWID""",
    ),
    (),  # same tables, but an older croupier would write unsealed vault entries
)
NEWEST = len(MIGRATIONS)


def found_version(connection: apsw.Connection, name: str) -> int:
    """Return the schema version of a file. Raises StoreError if it is not a croupier store, or too new."""
    application = _pragma(connection, "application_id")
    if application != APPLICATION_ID:
        raise CorruptStore(f"{name} is no store of croupier: its file is a database of another kind, or is damaged.")
    version = _pragma(connection, "user_version")
    if version > NEWEST:
        raise StoreError(
            f"{name} has version {version} of the tables and this croupier knows {NEWEST}: it needs a newer croupier."
        )
    if version < 1 or _tables(connection) != sorted(sql for step in MIGRATIONS[:version] for sql in step):
        raise CorruptStore(f"{name} is damaged: its tables are not those of version {version}.")
    return version


def migrate(connection: apsw.Connection, version: int) -> None:
    """Migrate the tables to the newest version, in the open transaction."""
    for step in MIGRATIONS[version:]:
        for sql in step:
            connection.execute(sql)
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", NEWEST)


def _pragma(connection: apsw.Connection, name: str) -> int:
    value = connection.pragma(name)
    assert isinstance(value, int), f"{name} is a number in the header of every file"
    return value


def _tables(connection: apsw.Connection) -> list[str]:
    """Return the exact table definitions: a flipped bit in them would change the meaning of every query."""
    rows = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_stat%'")
    return sorted(str(sql) for (sql,) in rows)
