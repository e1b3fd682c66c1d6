"""Open the store at an address."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from croupier.store.contract import Boundary, Store, StoreError, nothing
from croupier.store.memory import MemoryStore

MEMORY = "memory:"
SQLITE = "sqlite:"
POSTGRES = ("postgres://", "postgresql://")
EXTRA = "croupier[postgres]"


def open_store(address: str, *, read_only: bool = False, boundary: Boundary = nothing) -> Store:
    """Open the store at an address: `sqlite:PATH`, `postgres://…` or `memory:`. Raises StoreError.

    A missing store is created, unless it is opened for reading only.
    """
    if address == MEMORY:
        return MemoryStore(boundary)
    if address.startswith(SQLITE):
        path = address.removeprefix(SQLITE)
        if not Path(path).name:
            raise StoreError('An SQLite store has a path, such as "sqlite:house.sqlite".')
        # Imported late, here and below: users of one kind of store need not load the other.
        from croupier.store.sqlite import SqliteStore

        return SqliteStore(Path(path), read_only=read_only, boundary=boundary)
    if address.startswith(POSTGRES):
        need_psycopg()
        from croupier.store.postgres import PostgresStore

        return PostgresStore(address, read_only=read_only, boundary=boundary)
    raise StoreError(
        'That is not the address of a store: one is "sqlite:" with a path, "postgres://" with a server and a database, '
        'or "memory:".'
    )


def need_psycopg() -> None:
    """Raise StoreError if the PostgreSQL driver, an optional dependency, is not installed."""
    try:
        import_module("psycopg")
    except ImportError:
        say = f"A PostgreSQL store needs psycopg, which is not installed: pip install '{EXTRA}' installs it."
        raise StoreError(say) from None
