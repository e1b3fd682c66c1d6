"""The event store: durable streams of documents, hash-chained and sealed. It knows nothing about games.

Importing the package loads no database driver and no cryptography; `croupier.store.opening` loads those.
"""

from croupier.store.contract import CorruptStore, InDoubt, Reading, Store, StoreBusy, StoreError
from croupier.store.records import (
    Answer,
    Answered,
    Append,
    Committed,
    Conflict,
    Head,
    Outcome,
    Record,
    Secret,
    Snapshot,
    StoredRefusal,
    Write,
)

__all__ = [
    "Answer",
    "Answered",
    "Append",
    "Committed",
    "Conflict",
    "CorruptStore",
    "Head",
    "InDoubt",
    "Outcome",
    "Reading",
    "Record",
    "Secret",
    "Snapshot",
    "Store",
    "StoreBusy",
    "StoreError",
    "StoredRefusal",
    "Write",
]
