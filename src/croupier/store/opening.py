"""Which store an address means."""

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
    """The store at an address: `sqlite:PATH`, `postgres://…` or `memory:`. Raises StoreError.

    A store that is not there is made, unless it is only to be read.
    """
    if address == MEMORY:
        return MemoryStore(boundary)
    if address.startswith(SQLITE):
        path = address.removeprefix(SQLITE)
        if not Path(path).name:
            raise StoreError('An SQLite store has a path, such as "sqlite:house.sqlite".')
        # Only now, here and below: whoever has one kind of store need not wait for the other to be loaded.
        from croupier.store.sqlite import SqliteStore

        return SqliteStore(Path(path), read_only=read_only, boundary=boundary)
    if address.startswith(POSTGRES):
        need_psycopg()
        from croupier.store.postgres import PostgresStore

        return PostgresStore(address, read_only=read_only, boundary=boundary)
    raise StoreError(
        'No store has such an address: it is "sqlite:" with a path, "postgres://" with a server and a database, or '
        '"memory:".'
    )


def need_psycopg() -> None:
    """The driver for PostgreSQL does not come with the package. Raises StoreError."""
    try:
        import_module("psycopg")
    except ImportError:
        say = f"A PostgreSQL store needs psycopg, which is not installed: pip install '{EXTRA}' brings it."
        raise StoreError(say) from None
