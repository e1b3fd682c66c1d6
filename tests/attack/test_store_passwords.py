"""Guessing passwords from a stolen copy of the store without going through the slow hash."""

from __future__ import annotations

import asyncio
import hmac
import json
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from time import perf_counter

import msgspec

from croupier.house import orders
from croupier.server.credentials import OLD_KEY
from croupier.server.running_house import RunningHouse
from croupier.server.settings import Settings
from tests.attack.conftest import Held, Opened
from tests.attack.laid_open import LaidOpen
from tests.serving import Person
from tests.store.make_version_2 import FILE, KEY, PASSWORD

GUESSES = 1_000


def old_mark(vault: dict[str, bytes], person: str, password: str) -> str:
    """The digest of an order as older houses made it, with a key kept in the vault."""
    key = vault.get(OLD_KEY, b"it is not there")
    return hmac.digest(key, f"{person}/{password}".encode(), "sha256")[:8].hex()


def digests(store: LaidOpen) -> set[bytes]:
    """The digests by which answered orders are told apart."""
    return {bytes(digest) for (digest,) in store.ask("SELECT digest FROM answers")}


def guessed(store: LaidOpen, person: str, name: str, passwords: Iterator[str]) -> str | None:
    """The password of someone who signed up, found without a single slow hash."""
    vault = {str(name): bytes(value) for name, value in store.ask("SELECT name, value FROM vault")}
    known = digests(store)
    kept = " ".join(bytes(document).decode() for (document,) in store.ask("SELECT document FROM refusals"))
    for password in passwords:
        mark = old_mark(vault, person, password)
        deed = orders.OpenAccount(person=person, name=name, cents=1_000_00, card=True, credential=mark)
        if sha256(msgspec.json.encode(deed, order="sorted")).digest() in known or mark in kept:
            return password
    return None


def test_the_old_way_to_guess_works_on_an_old_store(tmp_path: Path, held: Held) -> None:
    """Passwords guessed from a store of the previous version, through its fast digests."""
    shutil.copy(FILE, tmp_path / "old.sqlite")
    start = perf_counter()
    words = (*(f"guess number {number}" for number in range(GUESSES)), PASSWORD)
    found = guessed(LaidOpen(f"sqlite:{tmp_path / 'old.sqlite'}"), "ann", "Ann", iter(words))
    seconds = perf_counter() - start
    assert found == PASSWORD, "this is what there was to repair"
    held(f"nothing, there: it took {seconds:.2f} s for {GUESSES:,} guesses. Keep copies of old stores like the key")


def test_an_old_store_is_purged_when_it_is_opened(tmp_path: Path, held: Held) -> None:
    """The same after a house of this version has opened that store."""
    path, key = tmp_path / "house.sqlite", tmp_path / "house.key"
    shutil.copy(FILE, path)
    shutil.copy(KEY, key)
    key.chmod(0o600)
    old = LaidOpen(f"sqlite:{path}")
    ((secret,),) = old.ask("SELECT value FROM vault WHERE name = ?", OLD_KEY)

    async def opened() -> None:
        running_house = RunningHouse(msgspec.convert({"store": f"sqlite:{path}", "key": str(key)}, Settings))
        await running_house.open()
        await running_house.sign_in("ann", PASSWORD)
        await running_house.close()

    asyncio.run(opened())
    assert all(bytes(secret) not in file.read_bytes() for file in tmp_path.iterdir()), "not even in free pages"
    assert guessed(LaidOpen(f"sqlite:{path}"), "ann", "Ann", iter([PASSWORD])) is None
    held("the key of the marks is gone, from the file's free room as well, and people still sign in")


def test_marks_cannot_be_tried_without_the_key(opened: Opened, backend: str, held: Held) -> None:
    """Passwords guessed from a copy of the store, through everything it keeps about a sign-up and about refused
    orders."""
    house = opened()
    new, password = {"person": "wanda", "name": "Wanda"}, "a password that is guessed"
    nobody = Person(house.url)
    for _ in range(2):
        assert nobody.post("/sign-up", new | {"password": password}, **{"idempotency-key": "k"}).status_code == 200
    other = nobody.post("/sign-up", new | {"password": "another password"}, **{"idempotency-key": "k"})
    assert other.json()["code"] == "key_used", "passwords are still told apart"
    otto = Person(house.url, "otto", "otto-at-croupier")
    assert otto.do("/accounts", new | {"password": password}).json()["code"] == "name_taken"
    nobody.http.close()
    otto.http.close()
    house.kill()
    store = LaidOpen(backend)
    names = {str(name) for (name,) in store.ask("SELECT name FROM vault")}
    assert OLD_KEY not in names
    assert guessed(store, "wanda", "Wanda", iter([password])) is None
    refused = [json.loads(bytes(document)) for (document,) in store.ask("SELECT document FROM refusals")]
    assert all(one["deed"].get("credential", "") == "" for one in refused)
    for (digest,) in store.ask("SELECT digest FROM answers"):  # with no mark at all, or with one no one can make
        bare = orders.OpenAccount(person="wanda", name="Wanda", cents=1_000_00, card=True)
        assert bytes(digest) != sha256(msgspec.json.encode(bare, order="sorted")).digest()
    held("no mark can be made without the house's key, and with it each takes as long as the hash in the vault")
