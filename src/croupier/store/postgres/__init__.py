"""The store for several machines: events in a PostgreSQL database."""

from croupier.store.postgres.connecting import Listener, Notice
from croupier.store.postgres.store import PostgresStore

__all__ = ["Listener", "Notice", "PostgresStore"]
