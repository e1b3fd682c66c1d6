"""Backups of a store that is in use."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from croupier.store.contract import Store
from croupier.store.exporting import export_to


def back_up(store: Store, target: Path, at: datetime) -> str:
    """Put what a store holds at this moment into a file, and say what it is. Raises StoreError.

    An SQLite file is copied whole, with all that is private. Of a PostgreSQL store the events and refusals are
    exported: the server has means of its own to copy everything.
    """
    from croupier.store.sqlite import SqliteStore  # only now: loading it takes a moment

    if isinstance(store, SqliteStore):
        store.copy_to(target)
        return f"{target} is a whole copy of the store, with all that is private in it."
    done = export_to(store, target, at, refusals=True)
    return (
        f"{target} is an export of {done.records:,} events and {done.refusals:,} refusals; what is private is not in "
        "it: pg_dump copies that as well."
    )
