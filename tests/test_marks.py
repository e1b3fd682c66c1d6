"""Marks tell passwords apart in repeated orders, and are no easier to guess from than the vault's hashes."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import argon2
import pytest
from argon2.low_level import hash_secret_raw

from croupier.server.credentials import OLD_KEY, PURGING, Marks, purge
from croupier.store.keys import HouseKey
from croupier.store.memory import MemoryStore
from croupier.store.records import Secret, Write
from croupier.store.sqlite import SqliteStore

PASSWORD = "correct horse battery"
KEY = HouseKey.new()


def test_a_mark_is_of_a_person_a_password_and_an_order_of_one_house() -> None:
    marks = Marks(KEY)
    mark = marks.of("ann", PASSWORD, "key")
    assert mark == Marks(KEY).of("ann", PASSWORD, "key")
    others = {
        marks.of("bob", PASSWORD, "key"),
        marks.of("ann", "another password", "key"),
        marks.of("ann", PASSWORD, "other"),
        Marks(HouseKey.new()).of("ann", PASSWORD, "key"),
    }
    assert len(others | {mark}) == 5


@pytest.mark.usefixtures("slow_passwords")
def test_a_mark_is_as_slow_to_make_as_a_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    marks, costs = Marks(KEY), list[tuple[object, ...]]()

    def noted(password: bytes, salt: bytes, *given: Any) -> bytes:  # noqa: ANN401  # as argon2 takes them
        *cost, _length, kind = given
        costs.append((*cost, kind))
        return hash_secret_raw(password, salt, *given)

    monkeypatch.setattr("croupier.server.credentials.hash_secret_raw", noted)
    marks.of("ann", PASSWORD, "key")
    vault = argon2.extract_parameters(argon2.PasswordHasher().hash(PASSWORD))
    assert costs == [(vault.time_cost, vault.memory_cost, vault.parallelism, vault.type)]


@pytest.mark.parametrize("left", [OLD_KEY, PURGING])
def test_the_key_of_older_marks_is_taken_out_of_the_vault_and_its_bytes_out_of_the_file(
    tmp_path: Path, left: str
) -> None:
    """Whether it is still there, or its removal was interrupted."""
    secret, path = b"a key that lay in the vault of old", tmp_path / "house.sqlite"
    with closing(SqliteStore(path)) as store:
        store.commit([Write(vault=(Secret(OLD_KEY, secret), *(Secret(f"session/{n}", secret) for n in range(200))))])
        store.commit([Write(vault=tuple(Secret(f"session/{n}", None) for n in range(200)))])
        if left == PURGING:
            store.commit([Write(vault=(Secret(OLD_KEY, None), Secret(PURGING, b"")))])
        store.commit([Write(vault=(Secret("password/ann", b"hash"),))])
    shutil.copy(path, tmp_path / "before")
    assert secret in (tmp_path / "before").read_bytes()
    with closing(SqliteStore(path)) as store:
        purge(store)
        assert [one.name for one in store.secrets()] == ["password/ann"]
        files = [file for file in tmp_path.iterdir() if file.name.startswith("house.sqlite")]
        assert all(secret not in file.read_bytes() for file in files)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_store_that_never_had_one_is_left_alone() -> None:
    store = MemoryStore()
    store.commit = lambda writes: pytest.fail("nothing is to be written")  # type: ignore[method-assign]
    purge(store)
