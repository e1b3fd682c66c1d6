"""Marks: what tells an order with a password from the same order with another, when it is sent again under its key.

A mark goes into the digest that is kept with the answer. So it must be no easier to guess a password from than the hash
in the vault: it is made the same slow way, and salted with a secret that lies outside the store. Whoever has the store
alone cannot try a single password; whoever has the house's key as well is as slow as with the hash.
"""

from __future__ import annotations

from hmac import digest as keyed_digest

from argon2 import PasswordHasher
from argon2.low_level import hash_secret_raw

from croupier.store.contract import Store
from croupier.store.keys import HouseKey
from croupier.store.records import Secret, Write

OLD_KEY = "marking"  # in the vault of older houses: with it passwords could be guessed a thousand times quicker
PURGING = "marking/purging"  # in the vault while it is being taken away
MARK_BYTES = 8
_PURPOSE = b"croupier marks\n"


class Marks:
    """The marks of a house. Slow: not for the thread of a loop."""

    def __init__(self, key: HouseKey) -> None:
        self._secret = key.derived(_PURPOSE)
        self._hasher = PasswordHasher()

    def of(self, person: str, password: str, key: str) -> str:
        """The mark of a person's password in the order with this key: in any other order it is another."""
        salt = keyed_digest(self._secret, f"{person}\n{key}".encode(), "sha256")
        made = hash_secret_raw(
            password.encode(),
            salt,
            self._hasher.time_cost,
            self._hasher.memory_cost,
            self._hasher.parallelism,
            MARK_BYTES,
            self._hasher.type,
        )
        return made.hex()


def purge(store: Store) -> None:
    """Take away the key that older houses kept in the vault: without it what they left tells nothing.

    Copies that were made of the store before still have it. Raises StoreError.
    """
    if store.secret(OLD_KEY) is None and store.secret(PURGING) is None:
        return
    store.commit([Write(vault=(Secret(PURGING, b""),))])  # who is interrupted begins again
    store.erase(OLD_KEY)
    store.commit([Write(vault=(Secret(PURGING, None),))])
