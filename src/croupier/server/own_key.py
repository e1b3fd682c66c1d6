"""The house's own key: in the file that the settings name, never in the store that it seals."""

from __future__ import annotations

from pathlib import Path

from croupier.server.settings import Settings
from croupier.store.checkpoints import STREAM
from croupier.store.contract import Store, StoreError
from croupier.store.keys import HouseKey, house_key, read_key


def key_there(settings: Settings) -> HouseKey | None:
    """The house's key, read before anything is opened; None where there is none yet. Raises StoreError."""
    path = Path(settings.key)
    return read_key(path) if path.exists() else None


def new_key(settings: Settings, store: Store) -> HouseKey:
    """A key for a house that has none, unless its store was sealed with one before. Raises StoreError."""
    if store.head(STREAM).version:
        raise StoreError(
            f"{store.name} was sealed with a key that is not in {settings.key}: give it the one it began with."
        )
    return house_key(Path(settings.key))
