"""Witnesses: a file, a URL, another house. Each has every checkpoint, none stops the house, each detects a rollback."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from croupier.cli.main import main
from croupier.server.settings import SettingsError, read_settings
from croupier.store import witnessing
from croupier.store.checkpoints import STREAM, Checkpoint, Sealer, read_checkpoint
from croupier.store.keys import HouseKey
from croupier.store.memory import MemoryStore
from croupier.store.records import Append, Write
from croupier.store.witnessing import PREFIX, Handed, Keeper, NotTaken, read_witnessed
from tests.serving import Person, Running, got, running
from tests.waiting import until

TABLE = "craps-nsw-2024"
NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
Captured = pytest.CaptureFixture[str]


def said(capsys: Captured, *words: object) -> tuple[int, str]:
    status = main(list(map(str, words)))
    printed = capsys.readouterr()
    return status, " ".join((printed.out + printed.err).split())


def told_by(house: Running) -> dict[str, Any]:
    (told,) = house.nobody().http.get("/health").json()["witnesses"]
    return dict(told)


def sealed(house: Running) -> int:
    """The number of a checkpoint that is made now."""
    house.person("sam").do("/accounts/ann/card/end")
    house.person("sam").do("/accounts/ann/card")
    house.call(house.running_house.seal())
    return house.running_house.store.head(STREAM).version


def checkpoints(store: MemoryStore) -> list[Checkpoint]:
    return [read_checkpoint(record.document) for record in store.read(STREAM)]


# A file


def test_a_file_has_every_checkpoint_once_through_restarts(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "witness.jsonl"
    for _ in range(2):
        with running(tmp_path, witnesses=(f"file:{file}",)) as house:
            number = sealed(house)
            until(lambda: told_by(house)["handed"] >= number)  # noqa: B023
            assert told_by(house) == {"witness": "a file", "handed": number, "trouble": None}
    numbers = [one.checkpoint.statement.number for one in read_witnessed(file.read_bytes(), "it")]
    assert numbers == list(range(1, numbers[-1] + 1)), "also what was sealed when the house closed"
    status, text = said(capsys, "verify", tmp_path / "house.db", "--witness", file)
    assert (status, f"witnessed {numbers[-1]} checkpoints, elsewhere" in text) == (0, True), text
    assert said(capsys, "verify", tmp_path / "house.db", "--witness", f"file:{file}")[0] == 0


def test_a_line_that_was_cut_off_is_written_again(tmp_path: Path) -> None:
    file = tmp_path / "witness.jsonl"
    with running(tmp_path, witnesses=(f"file:{file}",)) as house:
        sealed(house)
        number = sealed(house)
        until(lambda: told_by(house)["handed"] >= number)
    whole = file.read_bytes()
    file.write_bytes(whole[:-100])
    assert read_witnessed(file.read_bytes(), "it"), "what is whole can still be read"
    with running(tmp_path, witnesses=(f"file:{file}",)) as house:
        until(lambda: file.read_bytes().startswith(whole))
        assert told_by(house)["trouble"] is None


def test_a_file_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    with running(tmp_path, witnesses=(f"file:{tmp_path / 'none' / 'witness.jsonl'}",)) as house:
        sealed(house)
        trouble = until(lambda: told_by(house)["trouble"])
        assert trouble == "The file cannot be written: No such file or directory."
        health = house.nobody().http.get("/health")
        assert (health.status_code, health.json()["ok"]) == (200, True)
        assert str(tmp_path) not in health.text
        assert house.person("ann").do(f"/tables/{TABLE}/seat", {"chips": "10.00"}).is_success
        (tmp_path / "none").mkdir()
        until(lambda: told_by(house)["trouble"] is None)
        assert told_by(house)["handed"]


def test_a_store_that_was_taken_back_is_found_at_the_start_and_by_verifying(tmp_path: Path, capsys: Captured) -> None:
    file, store = tmp_path / "witness.jsonl", tmp_path / "house.db"
    with running(tmp_path, witnesses=(f"file:{file}",)) as house:
        sealed(house)
    shutil.copy(store, tmp_path / "copy")
    with running(tmp_path, witnesses=(f"file:{file}",)) as house:
        sealed(house)
    last = read_witnessed(file.read_bytes(), "it")[-1].checkpoint.statement
    shutil.copy(tmp_path / "copy", store)
    status, text = said(capsys, "verify", store, "--witness", file)
    assert status == 1
    assert f"has checkpoint {last.number}, signed at {last.at}; here the last is number" in text
    assert "the store was reset to an earlier state" in text
    with running(tmp_path, witnesses=(f"file:{file}",)) as house:
        assert "reset to an earlier state" in until(lambda: told_by(house)["trouble"])
        assert house.nobody().http.get("/health").status_code == 200
        for _ in range(3):
            sealed(house)  # it goes on, beyond what the witness has
    status, text = said(capsys, "verify", store, "--witness", file)
    assert (status, "this is not the history that was witnessed" in text) == (1, True), text
    status, text = said(capsys, "verify", store, "--witness", file, "--json")
    assert {fault["kind"] for fault in json.loads(text)["faults"]} == {"witness"}


# A URL


@contextmanager
def hooked(failures: int) -> Iterator[tuple[str, list[tuple[str | None, Handed]]]]:
    """A server that takes POST requests, after a number of failures."""
    got: list[tuple[str | None, Handed]] = []
    left = [failures]

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            left[0] -= 1
            if left[0] < 0:
                got.append((self.headers["authorization"], Handed(**body)))
            self.send_response(200 if left[0] < 0 else 500)
            self.send_header("content-length", "0")
            self.end_headers()

        def do_GET(self) -> None:
            content = b"".join(handed.line() for _, handed in got)
            self.send_response(200)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}", got
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_url_is_tried_again_until_it_takes_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr("croupier.server.witnesses.FIRST_PAUSE", 0.05)
    with hooked(3) as (where, handed), running(tmp_path, witnesses=(f"http://s3cret@{where}/hook",)) as house:
        number = sealed(house)
        assert until(lambda: told_by(house)["trouble"]) == "The witness refuses the checkpoint: it answered 500."
        later = sealed(house)
        until(lambda: told_by(house)["handed"] >= later)
        assert told_by(house) == {"witness": "127.0.0.1", "handed": later, "trouble": None}
        assert "s3cret" not in house.nobody().http.get("/health").text
        assert {token for token, _ in handed} == {"Bearer s3cret"}
        numbers = [one.checkpoint().statement.number for _, one in handed]
        assert numbers == list(range(numbers[0], later + 1))
        assert numbers[0] <= number
        status, text = said(capsys, "verify", tmp_path / "house.db", "--witness", f"http://{where}/hook")
        assert status == 0, text


def test_a_url_that_nobody_answers_at_is_one_sentence(tmp_path: Path, capsys: Captured) -> None:
    with running(tmp_path, witnesses=("http://127.0.0.1:9/hook",)) as house:
        sealed(house)
        assert "does not answer" in until(lambda: told_by(house)["trouble"])
    status, text = said(capsys, "verify", tmp_path / "house.db", "--witness", "http://127.0.0.1:9/hook")
    assert (status, "does not answer" in text) == (2, True)


# Another house


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The house that is a witness."""
    with running(tmp_path_factory.mktemp("witness")) as opened:
        yield opened


@pytest.fixture(scope="module")
def token(other: Running) -> str:
    issued = other.person("otto").post("/tokens", {"name": "for the harbour", "scopes": ["witness"]})
    return str(issued.json()["token"])


def test_another_house_keeps_checkpoints_and_finds_a_rollback(
    other: Running, token: str, tmp_path: Path, capsys: Captured
) -> None:
    place = f"house:{other.url.replace('http://', f'http://{token}@')}"
    store = tmp_path / "house.db"
    with running(tmp_path, witnesses=(place,)) as house:
        number = sealed(house)
        until(lambda: told_by(house)["handed"] >= number)
        assert told_by(house) == {"witness": "the house at 127.0.0.1", "handed": number, "trouble": None}
        key = house.running_house.key.public.hex
    url = f"{other.url}/api/v1/witness/{key}"
    status, text = said(capsys, "verify", store, "--witness", url)
    assert status == 0, text
    shutil.copy(store, tmp_path / "copy")
    with running(tmp_path, witnesses=(place,)) as house:
        for _ in range(5):
            number = sealed(house)
        until(lambda: told_by(house)["handed"] >= number)
    shutil.copy(tmp_path / "copy", store)
    status, text = said(capsys, "verify", store, "--witness", url)
    assert (status, "the store was reset" in text) == (1, True), text
    with running(tmp_path, witnesses=(place,)) as house:
        sealed(house)
        assert "the store was reset" in until(lambda: told_by(house)["trouble"])
    # What contradicts was kept as well: the witness holds two checkpoints of one number, both signed.
    kept = [one.checkpoint.statement.number for one in read_kept(other, key)]
    assert len(kept) > len(set(kept))
    status, text = said(capsys, "verify", store, "--witness", url)
    assert (status, "not the history that was witnessed" in text) == (1, True), text


def read_kept(house: Running, key: str) -> list[witnessing.Witnessed]:
    found: list[witnessing.Witnessed] = []
    after: int | None = 0
    while after is not None:
        page = got(house.nobody(), f"/witness/{key}?after={after}&limit=3")
        lines = b"".join(Handed(one["statement"], one["signature"]).line() for one in page["entries"])
        found += read_witnessed(lines, "it") if lines else []
        after = page["next"]
    return found


def signed(key: HouseKey, count: int = 1) -> list[Handed]:
    store = MemoryStore()
    sealer = Sealer(store, key, "harbour")
    for number in range(count):
        store.commit([Write((Append("table/t", number, (b"{}",)),))])
        sealer.seal(NOW)
    return [Handed.of(one) for one in checkpoints(store)]


def bearer(house: Running, token: str) -> Person:
    person = house.nobody()
    person.headers = {"authorization": f"Bearer {token}"}
    return person


def test_a_witness_keeps_what_was_signed_and_nothing_else(other: Running, token: str) -> None:
    program, key = bearer(other, token), HouseKey.new()
    first, second = signed(key, 2)
    body = {"statement": first.statement, "signature": first.signature}
    for _ in range(2):
        reply = program.post(f"/witness/{key.public.hex}", body)
        assert (reply.status_code, reply.json()) == (200, {"ok": True, "number": 1})
    assert len(got(program, f"/witness/{key.public.hex}")["entries"]) == 1
    forged = [
        body | {"signature": second.signature},
        {"statement": first.statement.replace('"number":1', '"number":7'), "signature": first.signature},
        {"statement": "{}", "signature": first.signature},
        {"statement": f"{first.statement}\n", "signature": first.signature},
    ]
    for one in forged:
        reply = program.post(f"/witness/{key.public.hex}", one)
        assert (reply.status_code, reply.json()["code"]) == (422, "bad_checkpoint"), one
    stranger = program.post(f"/witness/{HouseKey.new().public.hex}", body)
    assert (stranger.status_code, stranger.json()["code"]) == (422, "bad_checkpoint")
    assert program.post("/witness/none", body).status_code == 400
    assert got(program, f"/witness/{'0' * 64}") == {"entries": [], "next": None}


def test_the_token_of_a_witness_is_for_nothing_else(other: Running, token: str) -> None:
    program = bearer(other, token)
    for path in ("/accounts", "/export", "/refusals"):
        assert program.get(path, program.headers).status_code == 403
    chips = program.http.post(
        "/api/v1/accounts/ann/chips",
        json={"chips": "10.00", "reason": "x"},
        headers=program.headers | {"idempotency-key": "w"},
    )
    assert (chips.status_code, chips.json()["code"]) == (403, "not_allowed")
    key = HouseKey.new()
    (handed,) = signed(key)
    body = {"statement": handed.statement, "signature": handed.signature}
    player = other.person("ann").post("/tokens", {"name": "mine", "scopes": ["witness"]}).json()["token"]
    assert bearer(other, player).post(f"/witness/{key.public.hex}", body).status_code == 403, "she is no operator"


def test_a_large_checkpoint_is_taken(other: Running, token: str) -> None:
    """The first one after a start names every stream: there are thousands of them."""
    store, key = MemoryStore(), HouseKey.new()
    store.commit([Write((Append(f"account/{number}", 0, (b"{}",)),)) for number in range(5000)])
    Sealer(store, key, "harbour").seal(NOW)
    handed = Handed.of(checkpoints(store)[0])
    assert len(handed.statement) > 300_000
    body = {"statement": handed.statement, "signature": handed.signature}
    assert bearer(other, token).post(f"/witness/{key.public.hex}", body).json() == {"ok": True, "number": 1}


def test_what_a_witness_keeps_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    keeper = Keeper(store)
    houses = [HouseKey.new() for _ in range(3)]
    monkeypatch.setattr(witnessing, "MOST_HOUSES", 2)
    for key in houses[:2]:
        keeper.take(key.public.hex, signed(key)[0], "otto", NOW)
    with pytest.raises(NotTaken, match="no room for another house"):
        keeper.take(houses[2].public.hex, signed(houses[2])[0], "otto", NOW)
    handed = signed(houses[0], 5)
    monkeypatch.setattr(witnessing, "MOST_BYTES", 3 * len(handed[-1].statement))
    kept = [keeper.take(houses[0].public.hex, one, "otto", NOW) for one in handed[:2]]
    assert kept == [1, 2]
    with pytest.raises(NotTaken, match="no room for more checkpoints"):
        keeper.take(houses[0].public.hex, handed[2], "otto", NOW)
    assert [head.stream for head in store.heads(PREFIX)] == sorted(PREFIX + key.public.hex for key in houses[:2])


def test_two_processes_may_be_one_witness() -> None:
    store, key = MemoryStore(), HouseKey.new()
    handed = signed(key, 6)
    keepers = [Keeper(store), Keeper(store)]
    for number, one in enumerate(handed):
        keepers[number % 2].take(key.public.hex, one, "otto", NOW)
        assert keepers[(number + 1) % 2].take(key.public.hex, one, "otto", NOW) == number + 1
    assert store.head(PREFIX + key.public.hex).version == len(handed)


# The setting


def test_the_setting_is_a_list_of_places(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('witnesses = ["file:a b", "https://x.example/y", "house:http://t@y.example"]')
    assert read_settings(file, {}).witnesses == ("file:a b", "https://x.example/y", "house:http://t@y.example")
    in_environment = {"CROUPIER_WITNESSES": "file:a  https://x.example"}
    assert read_settings(None, in_environment).witnesses == ("file:a", "https://x.example")
    assert read_settings(None, {}).witnesses == ()
    for wrong in ("paper", "ftp://x", "file:", "house:x", "http://"):
        with pytest.raises(SettingsError, match="Setting witnesses: each is file:PATH, a URL"):
            read_settings(None, {"CROUPIER_WITNESSES": wrong})
