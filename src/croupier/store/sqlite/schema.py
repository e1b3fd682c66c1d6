"""The tables of an SQLite store, version by version. A file of any version is brought up to the newest when opened."""

from __future__ import annotations

import apsw

from croupier.store.contract import CorruptStore, StoreError

APPLICATION_ID = 0x43525550  # "CRUP": whatever looks at the file's header can tell whose it is

# Each of them leads from the version before it; the first begins with nothing. What has been released is never changed.
# Events lie in the order in which they were written: a group of them touches few pages, whatever their streams.
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
    (),  # the tables are the same; an older croupier would put things into the vault without the house's seal
)
NEWEST = len(MIGRATIONS)


def found_version(connection: apsw.Connection, name: str) -> int:
    """The version of the schema in a file. Raises StoreError where it is not a store of ours or one too new."""
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
    """Bring the tables from a version to the newest, in the transaction that is open."""
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
    """How the tables were made, word for word: a flipped bit in here would change what every query means."""
    rows = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_stat%'")
    return sorted(str(sql) for (sql,) in rows)
