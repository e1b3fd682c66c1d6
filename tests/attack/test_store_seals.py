"""Forged stores: the attacker can write to the store and knows its format, but does not have the house's key."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path

import httpx
import msgspec
import pytest
from argon2 import PasswordHasher

from croupier.cli.main import main
from croupier.house.account_state import Account
from croupier.house.live_streams import _front
from croupier.server.credentials import Session, Token
from croupier.store.records import anchor, checksum, link
from tests.attack.conftest import Held, Opened
from tests.attack.laid_open import LaidOpen
from tests.mortal import Nursery
from tests.serving import Person

Forge = Callable[[], AbstractContextManager[None]]

OWN = "a password of my own"
NOW = datetime.now(UTC)


class Forging:
    """A house that was closed properly, and what can be done to its store in the meantime."""

    def __init__(self, store: LaidOpen) -> None:
        self.store = store

    @contextmanager
    def secret(self, name: str, value: bytes, *, mark: Callable[[bytes, bytes | None], bytes]) -> Iterator[None]:
        """A secret in the vault is replaced, or added."""
        before = self.store.ask("SELECT value, seal FROM vault WHERE name = ?", name)
        made = mark(checksum(name, value), bytes(before[0][1]) if before else None)
        self.store.change("DELETE FROM vault WHERE name = ?", name)
        self.store.change("INSERT INTO vault (name, value, seal) VALUES (?, ?, ?)", name, value, made)
        yield
        self.store.change("DELETE FROM vault WHERE name = ?", name)
        for old in before:
            self.store.change("INSERT INTO vault (name, value, seal) VALUES (?, ?, ?)", name, *old)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """An account has chips that no one gave it."""
        stream = "account/ann"
        ((state, mark, version, chained),) = self.store.ask(
            "SELECT state, seal, version, hash FROM snapshots WHERE stream = ?", stream
        )
        front = _front(Account)
        account = msgspec.msgpack.decode(bytes(state)[len(front) :], type=Account)
        rich = front + msgspec.msgpack.encode(msgspec.structs.replace(account, chips=account.chips + 1_000_000_00))
        forged = checksum(stream, version, bytes(chained), rich) + bytes(mark)[32:]
        change = "UPDATE snapshots SET state = ?, seal = ? WHERE stream = ?"
        self.store.change(change, rich, forged, stream)
        yield
        self.store.change(change, bytes(state), bytes(mark), stream)

    @contextmanager
    def refusal(self, way: str) -> Iterator[None]:
        """A refusal is altered, removed or added."""
        rows = self.store.ask("SELECT number, document, seal FROM refusals ORDER BY number")
        number, document, mark = rows[1][0], bytes(rows[1][1]), bytes(rows[1][2])
        if way == "altered":
            other = document.replace(b'"who":"ann"', b'"who":"ben"')
            assert other != document
            self.store.change(
                "UPDATE refusals SET document = ?, seal = ? WHERE number = ?", other, checksum(other), number
            )
        else:
            self.store.change("DELETE FROM refusals WHERE number = ?", number)
        yield
        self.store.change("DELETE FROM refusals WHERE number = ?", number)
        self.store.put_refusal((number, document, mark))

    @contextmanager
    def answer(self, way: str) -> Iterator[None]:
        """An answer is altered, or removed so that an order would be carried out a second time."""
        number = self.store.number
        rows = self.store.ask(f"SELECT {number}, who, key, digest, reply, seal FROM answers ORDER BY {number}")
        at, who, key, *parts = rows[0]
        digest, reply, mark = map(bytes, parts)
        if way == "altered":
            other = reply.replace(b'"ok":true', b'"ok":false') if b'"ok":true' in reply else reply + b" "
            made = checksum(who, key, digest, other)
            self.store.change(f"UPDATE answers SET reply = ?, seal = ? WHERE {number} = ?", other, made, at)
        else:
            self.store.change(f"DELETE FROM answers WHERE {number} = ?", at)
        yield
        self.store.change(f"DELETE FROM answers WHERE {number} = ?", at)
        self.store.put_answer(at, (who, key, digest, reply, mark))

    @contextmanager
    def stream(self) -> Iterator[None]:
        """A stream is rewritten from one event on, with all its hashes and its head."""
        stream = "account/ben"
        rows = self.store.ask("SELECT version, document, hash FROM records WHERE stream = ? ORDER BY version", stream)
        last = anchor(stream)
        for version, document, _ in rows:
            other = bytes(document).replace(b":100000", b":900000")
            last = link(last, other)
            sql = "UPDATE records SET document = ?, hash = ? WHERE stream = ? AND version = ?"
            self.store.change(sql, other, last, stream, version)
        ((before,),) = self.store.ask("SELECT hash FROM heads WHERE stream = ?", stream)
        assert last != bytes(before), "something was changed"
        self.store.change("UPDATE heads SET hash = ? WHERE stream = ?", last, stream)
        yield
        for version, document, mark in rows:
            sql = "UPDATE records SET document = ?, hash = ? WHERE stream = ? AND version = ?"
            self.store.change(sql, bytes(document), bytes(mark), stream, version)
        self.store.change("UPDATE heads SET hash = ? WHERE stream = ?", bytes(before), stream)

    def all(self) -> dict[str, Forge]:
        """Every forgery that is tried, by name."""
        hashed = PasswordHasher(time_cost=1, memory_cost=64).hash(OWN).encode()
        token = msgspec.json.encode(Token("otto", "mine", ("manage",), NOW))
        session = msgspec.json.encode(
            Session("otto", NOW, NOW.replace(year=NOW.year + 1), "csrf", sha256(hashed).hexdigest())
        )
        place = sha256(b"mine").hexdigest()
        marks: dict[str, Callable[[bytes, bytes | None], bytes]] = {
            "without a seal": lambda digest, _: digest,
            "with the seal of another": lambda digest, old: digest + (old or os.urandom(128))[32:],
            "with a seal of one's own making": lambda digest, _: digest + os.urandom(96),
        }
        tried: dict[str, Forge] = {}
        for how, mark in marks.items():
            tried[f"a password {how}"] = partial(self.secret, "password/otto", hashed, mark=mark)
        bare = marks["without a seal"]
        tried["a token"] = partial(self.secret, f"token/{place}", token, mark=bare)
        tried["a session"] = partial(self.secret, f"session/{place}", session, mark=bare)
        tried["the secret of a round"] = partial(self.secret, "dice/craps-nsw-2024/1", b"x" * 32, mark=bare)
        tried["a snapshot"] = self.snapshot
        tried["a stream with all its hashes"] = self.stream
        for way in ("altered", "taken out"):
            tried[f"a refusal {way}"] = partial(self.refusal, way)
            tried[f"an answer {way}"] = partial(self.answer, way)
        return tried


@pytest.fixture
def closed(opened: Opened, backend: str, tmp_path: Path) -> Forging:
    """A house with everything that can be forged, closed for the night."""
    house = opened(snapshot_events=1, key=tmp_path / "house.key")
    ann = Person(house.url, "ann", "ann-at-croupier")
    for _ in range(3):
        assert ann.do("/tables/craps-nsw-2024/lines", {"line": {"do": "fly"}}).status_code != 200
    assert ann.do("/tables/craps-nsw-2024/seat", {"chips": "50.00"}).status_code == 200
    ann.http.close()
    house.close()
    return Forging(LaidOpen(backend))


def verified(backend: str, key: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """What `croupier verify` finds wrong."""
    status = main(["verify", backend, "--key", key, "--json"])
    return status, [fault["sentence"] for fault in json.loads(capsys.readouterr().out)["faults"]]


def test_forged_entries(
    closed: Forging,
    nursery: Nursery,
    backend: str,
    tmp_path: Path,
    held: Held,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Passwords, tokens, sessions, secrets, snapshots, refusals, answers and books forged in a closed store."""
    key = str(tmp_path / "house.key")
    assert verified(backend, key, capsys) == (0, [])
    tried = closed.all()
    for what, forged in tried.items():
        with forged():
            status, faults = verified(backend, key, capsys)
            assert status == 1, what
            assert faults, what
            house = nursery.open(tmp_path, store=backend, key=key)
            assert house.url == "", f"{what} was believed"
            said = house.said()
            assert house.wait() == 2, said
            assert "contains data that the house did not write: " in said, (what, said)
            assert "Traceback" not in said
    assert verified(backend, key, capsys) == (0, []), "everything is as it was before"
    house = nursery.open(tmp_path, store=backend, key=key)
    assert house.url, house.said()
    assert httpx.get(f"{house.url}/health").json()["ok"] is True
    house.close()
    held(f"{len(tried)} forgeries: each is named by verify --key, and the house opens on none")


def test_seals_stripped(
    closed: Forging, nursery: Nursery, backend: str, tmp_path: Path, held: Held, capsys: pytest.CaptureFixture[str]
) -> None:
    """A store made to look as if it were from before seals."""
    key = str(tmp_path / "house.key")
    store = closed.store
    for table in ("vault", "snapshots"):
        store.change(f"UPDATE {table} SET seal = {'substr' if 'sqlite' in backend else 'substring'}(seal, 1, 32)")
    if backend.startswith("sqlite:"):
        store.change("PRAGMA user_version = 2")
    assert verified(backend, key, capsys)[0] == 1
    house = nursery.open(tmp_path, store=backend, key=key)
    assert house.url == ""
    assert "is not sealed by the house" in house.said()
    held("the last checkpoint says that there are seals, so none is missing unnoticed")
