"""The embedded store: events in one SQLite file."""

from croupier.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
