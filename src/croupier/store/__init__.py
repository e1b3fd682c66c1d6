"""The event store: streams of documents, chained, sealed and kept for good. It knows nothing of games.

Only what needs neither a database nor a key is loaded here; `croupier.store.opening` brings the rest.
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
    Refusal,
    Secret,
    Snapshot,
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
    "Refusal",
    "Secret",
    "Snapshot",
    "Store",
    "StoreBusy",
    "StoreError",
    "Write",
]
