"""Passwords that are hashed quickly. Slow hashes stop thieves; in tests they would take more time than everything
else."""

from __future__ import annotations

from functools import partial
from typing import Final

from argon2 import PasswordHasher

from croupier.server import credentials

QuickHasher: Final = partial(PasswordHasher, time_cost=1, memory_cost=64, parallelism=1)
_QUICK: Final = {"PasswordHasher": QuickHasher, "_NOBODY": QuickHasher().hash("the password of no account")}
_SLOW: Final = {name: vars(credentials)[name] for name in _QUICK}


def hash_quickly() -> None:
    """Hash quickly from now on, in this process."""
    vars(credentials).update(_QUICK)


def hash_slowly() -> None:
    """Hash slowly, as houses do outside tests."""
    vars(credentials).update(_SLOW)
