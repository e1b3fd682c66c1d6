"""A dishonest house against what its players and witnesses hold: one receipt is enough to convict it of any changed
record.

The house has its own key, its store and all the time it wants. It may restore, rewrite, reorder, drop and seal
everything again; `croupier verify` with the house's key then finds nothing wrong. Only what others keep shows the
change.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec
import psycopg
import pytest

from croupier.cli.main import main
from croupier.client import BadReceipt, Client
from croupier.house.stored_events import decode
from croupier.store.checkpoints import STREAM as CHECKPOINTS
from croupier.store.checkpoints import Sealer
from croupier.store.keys import HouseKey, read_key
from croupier.store.opening import SQLITE, open_store
from croupier.store.receipts import Receipt, line_of
from croupier.store.records import Append, Write
from croupier.store.witnessing import Handed
from croupier.table.events import WagerPlaced
from tests.attack.conftest import LASTING, Held, empty_database
from tests.postgres import TABLES
from tests.serving import Person, running
from tests.waiting import until

CROUPIER = str(Path(sys.executable).with_name("croupier"))
BOOK = "craps-nsw-2024"
TABLE = "attacked"
STREAM = f"table/{TABLE}"
PATIENCE = 30.0  # seconds
WITNESS = "witness.jsonl"
Captured = pytest.CaptureFixture[str]


def said(capsys: Captured, *words: object) -> tuple[int, str]:
    status = main(list(map(str, words)))
    printed = capsys.readouterr()
    return status, " ".join((printed.out + printed.err).split())


# Restore and draw again


@contextmanager
def served(folder: Path, store: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    environment = {
        "CROUPIER_PORT": "0",
        "CROUPIER_STORE": store,
        "CROUPIER_CHECKPOINT_SECONDS": "0.2",
        "CROUPIER_WITNESSES": f"file:{folder / WITNESS}",
    }
    house = subprocess.Popen(
        [CROUPIER, "serve", "--demonstration"],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert house.stdout is not None
        found = re.search(r"http://\S+", house.stdout.readline())
        assert found is not None
        yield house, found[0]
    finally:
        house.kill()
        house.communicate()


def round_of(http: httpx.Client) -> dict[str, Any]:
    told: dict[str, Any] = http.get(f"/api/v1/tables/{TABLE}").json()
    return told.get("round") or {}


def drawn(http: httpx.Client, number: int) -> dict[str, Any] | None:
    """The dice of a round, as anyone can see them in the public record."""
    for line in http.get(f"/api/v1/tables/{TABLE}/record").text.splitlines():
        document = json.loads(line).get("document")
        event = json.loads(document)["event"] if document else {}
        if event.get("type") == "dice_drawn" and event["number"] == number:
            return dict(event)
    return None


class Copied:
    """A copy of a store with all its secrets: what an owner has who copies it while the house is running."""

    def __init__(self, address: str, folder: Path) -> None:
        self._address = address
        self._copy = folder / "copy.db"
        if address.startswith(SQLITE):
            assert main(["backup", address, str(self._copy)]) == 0
            return
        copying = (f"CREATE TABLE kept.{table} AS TABLE croupier.{table}" for table in TABLES)
        self._in_one("DROP SCHEMA IF EXISTS kept CASCADE", "CREATE SCHEMA kept", *copying)

    def put_back(self) -> None:
        """Put the copy back, as if nothing had happened since. No house is running."""
        if not self._address.startswith(SQLITE):
            emptying = (f"DELETE FROM croupier.{table}" for table in TABLES)
            filling = (f"INSERT INTO croupier.{table} OVERRIDING SYSTEM VALUE TABLE kept.{table}" for table in TABLES)
            self._in_one(*emptying, *filling, "DROP SCHEMA kept CASCADE")
            return
        file = self._address.removeprefix(SQLITE)
        for beside in ("-wal", "-shm"):
            Path(file + beside).unlink(missing_ok=True)
        shutil.copy(self._copy, file)

    def _in_one(self, *statements: str) -> None:
        """All of it in one transaction, which sees the store at a single moment."""
        with psycopg.connect(self._address) as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            for statement in statements:
                connection.execute(statement.encode())


def test_a_round_drawn_again_from_a_backup_is_convicted(
    tmp_path: Path, backend: str, capsys: Captured, held: Held
) -> None:
    """Restore a copy that was taken while bets were open, and draw the round once more."""
    files = {name: tmp_path / name for name in ("own", "shut", "first.jsonl", "second.jsonl")}
    rhythm = {"open": 4.0, "last_call": 1.0, "shut": 0.5, "show": 20.0, "waits": False}
    with served(tmp_path, backend) as (process, url), httpx.Client(base_url=url, timeout=30) as http:
        setting = {"table": TABLE, "title": "T", "line": {"book": BOOK, "min": "1.00"}, "rhythm": rhythm}
        mia = Person(url, "mia", "mia-at-croupier")
        with closing(mia.http):
            assert mia.do("/tables", setting).is_success
        with Client.sign_in(url, "ann", "ann-at-croupier", receipts=files["own"]) as ann:
            ann.seat(TABLE, "100.00")
            number = until(lambda: round_of(http).get("number"))
            bet = ann.bet(TABLE, "field", "5.00").receipt
            assert bet is not None
            copied = Copied(backend, tmp_path)
            assert not round_of(http)["shut"], "bets are still open"
            with closing(ann.live(TABLE, bet.version)) as live:
                next(entry for entry in live if entry.type == "dice_drawn")
            (shut,) = (one for one in ann.receipts if one.order == "")
            assert shut.stream == STREAM, "it came when the bets were shut"
            files["shut"].write_bytes(line_of(shut))
        first = until(lambda: drawn(http, number))
        files["first.jsonl"].write_bytes(http.get(f"/api/v1/tables/{TABLE}/record").content)
        seen = until(lambda: http.get("/health").json()["witnesses"][0]["handed"])
        until(lambda: http.get("/health").json()["witnesses"][0]["handed"] > seen or process.poll())
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert said(capsys, "verify-dice", files["first.jsonl"], "--receipt", files["own"])[0] == 0
    copied.put_back()
    with served(tmp_path, backend) as (_, url), httpx.Client(base_url=url, timeout=30) as http:
        second = until(lambda: drawn(http, number))
        assert second["secret"] == first["secret"]
        files["second.jsonl"].write_bytes(http.get(f"/api/v1/tables/{TABLE}/record").content)
        (told,) = http.get("/health").json()["witnesses"]
        assert "the store was reset" in told["trouble"]
        assert told["witness"] == "a file", "where it lies is nobody's business"
        with (
            Client.sign_in(url, "ann", "ann-at-croupier", receipts=files["own"]) as ann,
            pytest.raises(BadReceipt, match=r"two different histories|was taken back"),
        ):
            ann.buy_in(TABLE, "1.00")
    key = read_key(tmp_path / "house.key").public.hex
    status, text = said(capsys, "verify", backend, "--key", key)
    assert status == 0, text  # nothing in the store shows it
    for receipts in ("own", "shut"):
        status, text = said(capsys, "verify", backend, "--key", key, "--receipt", files[receipts])
        assert (status, "The house signed at" in text) == (1, True), text
        status, text = said(capsys, "verify-dice", files["second.jsonl"], "--receipt", files[receipts])
        assert (status, "(receipt): The house signed at" in text) == (1, True), text
    status, text = said(capsys, "verify", backend, "--key", key, "--witness", tmp_path / WITNESS)
    assert (status, "The witness" in text) == (1, True), text
    assert "reset to an earlier state" in text or "not the history that was witnessed" in text
    held("verify, verify-dice, the client and a witness convict it")


# Write it again, with the house's own key

Documents = list[bytes]


class Evening:
    """A closed house: its documents by stream, its players' receipts, its witness and its key."""

    def __init__(self, folder: Path, store: str) -> None:
        self.folder = folder
        self.store = store
        self.witness = folder / WITNESS
        with running(folder, store=store, witnesses=(f"file:{self.witness}",), checkpoint_seconds=0.2) as house:
            rhythm = {"open": 3600.0, "last_call": 1.0, "shut": 0.1, "show": 0.1, "waits": False}
            setting = {"table": TABLE, "title": "T", "line": {"book": BOOK, "min": "1.00"}, "rhythm": rhythm}
            assert house.person("mia").do("/tables", setting).is_success
            made = []
            for name in ("ann", "ben"):
                assert house.person(name).do(f"/tables/{TABLE}/seat", {"chips": "100.00"}).is_success
            until(lambda: house.nobody().get(f"/tables/{TABLE}").json().get("round"))
            for name, amount in (("ann", "5.00"), ("ben", "6.00"), ("ann", "7.00"), ("ben", "8.00")):
                line = {"do": "bet", "wager": "field", "amount": amount}
                reply = house.person(name).do(f"/tables/{TABLE}/lines", {"line": line})
                assert reply.is_success, reply.text
                made.append((name, msgspec.convert(reply.json()["receipt"], Receipt)))
        self.key = read_key(folder / "house.key")
        self.receipts = {name: folder / f"{name}.receipts" for name in ("ann", "ben")}
        for name, file in self.receipts.items():
            file.write_bytes(b"".join(line_of(receipt) for who, receipt in made if who == name))
        with closing(open_store(store, read_only=True)) as kept:
            self.streams = {
                head.stream: [record.document for record in kept.read(head.stream)] for head in kept.heads()
            }

    def told_anew(self, name: str, change: Callable[[Documents], None], key: HouseKey | None = None) -> str:
        """A store with a different record, sealed as if it were the original."""
        is_file = self.store.startswith(SQLITE)
        address = f"{SQLITE}{self.folder / name}.db" if is_file else empty_database("told_anew")
        documents = list(self.streams[STREAM])
        change(documents)
        with closing(open_store(address)) as store:
            for stream, kept in (self.streams | {STREAM: documents}).items():
                if stream != CHECKPOINTS:
                    store.commit([Write((Append(stream, 0, tuple(kept)),))])
            Sealer(store, key or self.key, "croupier").seal(datetime.now(UTC))
        return address


@pytest.fixture(scope="module", params=LASTING)
def evening(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Evening:
    folder = tmp_path_factory.mktemp("evening")
    return Evening(folder, f"{SQLITE}{folder / 'house.db'}" if request.param == "sqlite" else empty_database("evening"))


def bets(documents: Documents) -> list[int]:
    return [place for place, one in enumerate(documents) if isinstance(decode(one).event, WagerPlaced)]


def nothing(_: Documents) -> None:
    """The house changes nothing."""


def cut_off(documents: Documents) -> None:
    """The last bet is removed."""
    del documents[bets(documents)[-1] :]


def rewrite(documents: Documents) -> None:
    """The last bet is rewritten, even if only with another salt: the books still balance."""
    place = bets(documents)[-1]
    front, mark, salt = documents[place].partition(b'"salt":"')
    assert mark
    documents[place] = front + mark + salt[:32].translate(bytes.maketrans(b"0123456789", b"1234567890")) + salt[32:]


def reorder(documents: Documents) -> None:
    """Two bets are swapped."""
    *_, one, other = bets(documents)
    documents[one], documents[other] = documents[other], documents[one]


def drop(documents: Documents) -> None:
    """A bet in the middle is removed."""
    del documents[bets(documents)[-2]]


CRIMES = {"cut-off": cut_off, "rewritten": rewrite, "reordered": reorder, "dropped": drop}


@pytest.mark.parametrize("name", CRIMES)
def test_another_past_is_convicted_by_the_receipts_of_one_player(
    name: str, evening: Evening, capsys: Captured, held: Held
) -> None:
    """Cut off, rewrite, reorder or drop bets, and seal everything again with the house's own key.

    A receipt from before the change proves nothing against it; one honest player with a later receipt is enough.
    """
    file = evening.told_anew(name, CRIMES[name])
    key = evening.key.public.hex
    status, text = said(capsys, "verify", file, "--key", key)
    assert status == 0, text  # the house's own word
    convicting = {"ann": 0, "ben": 1} if name in ("cut-off", "rewritten") else {"ann": 1, "ben": 1}
    for player, expected in convicting.items():
        status, text = said(capsys, "verify", file, "--key", key, "--receipt", evening.receipts[player])
        assert (status, "The house signed at" in text) == (expected, expected == 1), (player, text)
    both = [word for file in evening.receipts.values() for word in ("--receipt", file)]
    assert said(capsys, "verify", file, "--key", key, *both)[0] == 1
    held("one honest player's receipts convict it")


@pytest.mark.parametrize("name", CRIMES)
def test_another_past_is_convicted_by_a_witness(name: str, evening: Evening, capsys: Captured, held: Held) -> None:
    """The same, where no player kept anything but a witness has the checkpoints."""
    file = evening.told_anew(f"{name}-witnessed", CRIMES[name])
    status, text = said(capsys, "verify", file, "--key", evening.key.public.hex, "--witness", evening.witness)
    assert (status, "The witness" in text) == (1, True), text
    held("the witness convicts it")


def test_a_swapped_key_is_convicted(evening: Evening, capsys: Captured, held: Held) -> None:
    """Seal the store with another key."""
    file = evening.told_anew("swapped", nothing, HouseKey.new())
    assert said(capsys, "verify", file)[0] == 0
    status, text = said(capsys, "verify", file, "--receipt", evening.receipts["ann"])
    assert (status, "signed with a key other than the house's" in text) == (1, True), text
    status, text = said(capsys, "verify", file, "--witness", evening.witness)
    assert (status, "not signed with the house's key" in text) == (1, True), text
    held("receipts and the witness name the other key")


def test_the_true_past_is_not_convicted(evening: Evening, capsys: Captured, held: Held) -> None:
    """Check all receipts and the witness's file against an honest store."""
    words = [word for file in evening.receipts.values() for word in ("--receipt", file)]
    status, text = said(capsys, "verify", evening.store, *words, "--witness", evening.witness)
    assert status == 0, text
    assert "receipts 4 receipts for 1 stream" in text
    assert "All is well" in text
    held("all is well")


def test_nobody_convicts_an_honest_house_with_what_they_made_up(evening: Evening, capsys: Captured, held: Held) -> None:
    """Make up a receipt and a checkpoint, and present them against an honest house.

    A receipt is worth something because no one else can make one: a forged one is reported as forged, and proves
    nothing else.
    """
    true = evening.receipts["ann"].read_bytes().splitlines()[0]
    made_up = json.loads(true) | {"hash": "0" * 64}
    file = evening.folder / "made-up"
    file.write_text(json.dumps(made_up))
    status, text = said(capsys, "verify", evening.store, "--receipt", file)
    assert (status, "is not signed by the key that it names" in text) == (1, True)
    assert "The house signed at" not in text
    other = msgspec.json.decode(evening.witness.read_bytes().splitlines()[0], type=Handed)
    file.write_bytes(Handed(other.statement.replace('"number":1', '"number":900'), other.signature).line())
    status, text = said(capsys, "verify", evening.store, "--witness", file)
    assert (status, "not signed with the house's key" in text) == (1, True)
    assert "earlier state" not in text
    held("both are called forged, and the house stands")
