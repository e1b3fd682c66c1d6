"""Receipts: made under one signature for many, verified by anyone, and proof if the past was changed."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cli.main import main
from croupier.client import BadReceipt, Client, Refused
from croupier.client.receipts import Receipts
from croupier.contract.replies import OrderReply
from croupier.house import orders
from croupier.house.electronic.verification import verify_dice
from croupier.house.house import House
from croupier.house.orders import Order
from croupier.server.order_processor import OrderProcessor
from croupier.store.keys import HouseKey, read_key
from croupier.store.memory import MemoryStore
from croupier.store.receipts import (
    Claim,
    Receipt,
    contradictions,
    held_against,
    is_signed,
    issue,
    line_of,
    read_receipts,
)
from tests.serving import Person, Running, got, running

Captured = pytest.CaptureFixture[str]
AT = datetime(2026, 11, 16, 12, tzinfo=UTC)
TABLE = "craps-nsw-2024"
STREAM = f"table/{TABLE}"
KEY, OTHER = HouseKey.new(), HouseKey.new()
MORE = {"chips": "1.00"}  # an order that a table takes at any time


def claim(version: int = 1, mark: bytes = b"a" * 32, stream: str = STREAM, order: str = "") -> Claim:
    return Claim(stream, version, mark, order)


def one(version: int = 1, mark: bytes = b"a" * 32, key: HouseKey = KEY, at: datetime = AT) -> Receipt:
    return issue(key, [claim(version, mark)], at)[0]


# One by one


@given(st.lists(st.tuples(st.integers(1, 10**6), st.binary(min_size=32, max_size=32)), min_size=1, max_size=70))
def test_every_receipt_of_a_group_is_signed_and_none_says_anything_else(rows: list[tuple[int, bytes]]) -> None:
    made = issue(KEY, [claim(version, mark) for version, mark in rows], AT)
    assert [(one.version, one.hash) for one in made] == [(version, mark.hex()) for version, mark in rows]
    assert len({one.signature for one in made}) == 1
    assert all(map(is_signed, made))
    assert max(len(one.path) for one in made) == (len(made) - 1).bit_length()


CHANGES: dict[str, dict[str, Any]] = {
    "the key": {"key": OTHER.public.hex},
    "the stream": {"stream": "table/other"},
    "the version": {"version": 2},
    "the hash": {"hash": "b" * 64},
    "the time": {"at": "2026-11-16T12:00:01.000000Z"},
    "the order": {"order": "c" * 64},
    "the path": {"path": ("d" * 64,)},
    "a longer path": {"path": ("d" * 64,) * 100},
    "the signature": {"signature": "0" * 128},
    "a hash that is none": {"hash": "none"},
    "a key that is none": {"key": "none"},
    "a signature that is none": {"signature": "none"},
    "a step that is none": {"path": ("none",)},
    "capitals": {"key": KEY.public.hex.upper()},
    "a stream of two lines": {"stream": f"{STREAM}\n1"},
    "no version": {"version": 0},
    "a time of another form": {"at": "2026-11-16T12:00:00Z"},
    "an order that is none": {"order": "none"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_no_letter_of_a_receipt_can_be_changed(change: dict[str, Any]) -> None:
    good = issue(KEY, [claim(version) for version in (1, 2, 3)], AT)[0]
    assert is_signed(good)
    assert not is_signed(msgspec.structs.replace(good, **change))


def test_a_receipt_is_the_json_that_the_format_says() -> None:
    made = issue(KEY, [claim(order="e" * 64), claim(2)], AT)[0]
    leaf = f"croupier receipt 1\n{STREAM}\n1\n{'61' * 32}\n2026-11-16T12:00:00.000000Z\n{'e' * 64}\n"
    beside = f"croupier receipt 1\n{STREAM}\n2\n{'61' * 32}\n2026-11-16T12:00:00.000000Z\n\n"
    nodes = sorted(sha256(text.encode()).digest() for text in (leaf, beside))
    signature = KEY.sign(b"croupier receipts 1\n" + sha256(b"\x01" + b"".join(nodes)).digest())
    assert json.loads(line_of(made)) == {
        "croupier": "receipt",
        "format": 1,
        "key": KEY.public.hex,
        "stream": STREAM,
        "version": 1,
        "hash": "61" * 32,
        "at": "2026-11-16T12:00:00.000000Z",
        "order": "e" * 64,
        "path": [sha256(beside.encode()).hexdigest()],
        "signature": signature.hex(),
    }


def test_nothing_is_signed_for_nobody() -> None:
    assert issue(KEY, [], AT) == []


# Several


def test_two_hashes_for_one_event_convict_alone() -> None:
    first, second = one(7), one(7, b"b" * 32, at=AT + timedelta(hours=1))
    assert list(contradictions([first, one(8), first])) == []
    (wrong,) = contradictions([first, second])
    assert wrong.receipt is second
    assert "two different histories" in wrong.sentence
    assert f"event 7 of {STREAM}" in wrong.sentence
    assert first.hash in wrong.sentence
    assert second.hash in wrong.sentence


def test_a_house_has_one_key() -> None:
    (wrong,) = contradictions([one(7), one(7, b"b" * 32, OTHER)])
    assert "a key other than" in wrong.sentence
    (wrong,) = contradictions([one(7)], OTHER.public.hex)
    assert "a key other than" in wrong.sentence


def test_what_is_not_signed_convicts_nobody() -> None:
    forged = msgspec.structs.replace(one(7), hash="b" * 64)
    (wrong,) = held_against([one(7), forged], lambda *_: one(7).hash, lambda _: 7)
    assert "is not signed" in wrong.sentence


def test_a_past_is_held_against_what_was_signed() -> None:
    past = {1: "a" * 64, 2: (b"a" * 32).hex()}
    assert held_against([one(2)], lambda _, at: past.get(at), lambda _: 2) == []
    (wrong,) = held_against([one(1)], lambda _, at: past.get(at), lambda _: 2)
    assert "this is a different history" in wrong.sentence
    (wrong,) = held_against([one(3)], lambda _, at: past.get(at), lambda _: 2)
    assert "here it ends at event 2: events were removed" in wrong.sentence
    (wrong,) = held_against([one(3)], lambda _, at: None, lambda _: 0)
    assert "there is no such stream" in wrong.sentence


@pytest.mark.parametrize("content", [b"", b"\n\n", b"{}", b"null", b'{"croupier":"receipt"}', b"\xff", b"[" * 10_000])
def test_what_is_no_file_of_receipts_is_called_so(content: bytes) -> None:
    with pytest.raises(ValueError, match="receipt"):
        read_receipts(content)


def test_a_newer_format_is_no_receipt_of_this_one() -> None:
    with pytest.raises(ValueError, match="line 2"):
        read_receipts(line_of(one()) + line_of(one()).replace(b'"format":1', b'"format":2'))


# Over HTTP


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("house")


@pytest.fixture(scope="module")
def house(folder: Path) -> Iterator[Running]:
    with running(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def ann(house: Running) -> Person:
    ann = house.person("ann")
    assert ann.do(f"/tables/{TABLE}/seat", {"chips": "500.00"}).is_success
    return ann


def receipt_of(reply: httpx.Response) -> Receipt:
    assert reply.status_code == 200, reply.text
    return msgspec.convert(reply.json()["receipt"], Receipt)


def hash_at(house: Running, version: int) -> str:
    return house.running_house.store.read(STREAM, version - 1, 1)[0].hash.hex()


def test_an_accepted_order_has_a_receipt_for_its_table(house: Running, ann: Person) -> None:
    reply = ann.do(f"/tables/{TABLE}/chips", MORE)
    receipt = receipt_of(reply)
    assert is_signed(receipt)
    assert receipt.key == got(ann, "/house")["key"]
    assert receipt.stream == STREAM
    assert receipt.version == reply.json()["versions"][STREAM]
    assert receipt.hash == hash_at(house, receipt.version)


def test_the_order_in_a_receipt_is_that_which_was_accepted(ann: Person) -> None:
    """Anyone who kept the order can show it: it is the deed as JSON with sorted keys."""
    receipt = receipt_of(ann.do(f"/tables/{TABLE}/chips", {"chips": "10.00"}))
    order = {"deed": "buy_in", "table": TABLE, "version": None, "cents": 1000}
    text = json.dumps(order, sort_keys=True, separators=(",", ":"))
    assert receipt.order == sha256(text.encode()).hexdigest()


def test_what_is_no_tables_has_no_receipt(ann: Person) -> None:
    assert "receipt" not in ann.do("/accounts/ann/limits", {"loss": "900.00"}).json()
    refused = ann.do(f"/tables/{TABLE}/lines", {"line": {"do": "bet", "wager": "none", "amount": "5.00"}})
    assert (refused.status_code, "receipt" in refused.json()) == (422, False)


def test_a_repeated_order_gets_a_fresh_receipt_for_what_was_stored(house: Running, ann: Person) -> None:
    first = ann.do(f"/tables/{TABLE}/chips", MORE, "the-same")
    assert ann.do(f"/tables/{TABLE}/chips", MORE).is_success
    again = ann.do(f"/tables/{TABLE}/chips", MORE, "the-same")
    before, after = receipt_of(first), receipt_of(again)
    assert first.json()["versions"] == again.json()["versions"]
    assert (before.version, before.hash, before.order) == (after.version, after.hash, after.order)
    assert before.at < after.at
    assert is_signed(after)
    kept = house.running_house.store.answer("ann", "the-same")
    assert kept is not None
    assert b"receipt" not in kept.reply


def test_many_orders_at_once_share_a_signature(house: Running) -> None:
    """However they are grouped, each has its own head of the stream, and none has another's."""

    async def all_at_once() -> list[OrderReply]:
        processor = house.running_house.processor
        deeds = [orders.BuyIn(table=TABLE, cents=1_00) for _ in range(30)]
        return await asyncio.gather(*(processor.do(processor.submission(deed, "ann")) for deed in deeds))

    made = [msgspec.json.decode(told["receipt"], type=Receipt) for told in house.call(all_at_once())]
    assert len({receipt.signature for receipt in made}) < 30
    assert len({receipt.version for receipt in made}) == 30
    assert all(receipt.hash == hash_at(house, receipt.version) for receipt in made)
    assert all(map(is_signed, made))


def test_what_was_not_stored_has_no_receipt() -> None:
    """Another process was faster: the order is decided again, and the receipt is for what was stored in the end."""

    async def two_desks() -> list[tuple[Receipt, bytes]]:
        store, made = MemoryStore(), []
        processors = [OrderProcessor(House(), store, key=KEY) for _ in range(2)]
        opening: list[Order] = [
            orders.SetTable(table="t", title="T", line={"book": TABLE}),
            orders.OpenAccount(person="ann", name="Ann", cents=100_00, card=True),
        ]
        for deed in opening:
            assert (await processors[0].do(processors[0].submission(deed)))["ok"]
        seat = processors[0].submission(orders.Sit(table="t", cents=10_00), "ann", "sit")
        assert (await processors[0].do(seat))["ok"]
        for processor in (
            *processors,
            *processors,
        ):  # each time the other has come further, which this one finds out by a conflict
            told = await processor.do(processor.submission(orders.BuyIn(table="t", cents=1_00), "ann"))
            assert isinstance(told["receipt"], msgspec.Raw)
            receipt = msgspec.json.decode(told["receipt"], type=Receipt)
            made.append((receipt, store.read("table/t", receipt.version - 1, 1)[0].hash))
        for processor in processors:
            await processor.close()
        return made

    made = asyncio.run(two_desks())
    assert all(is_signed(receipt) and receipt.hash == mark.hex() for receipt, mark in made)
    assert len({receipt.version for receipt, _ in made}) == 4


def test_anybody_may_ask_for_the_receipt_of_any_event(house: Running, ann: Person) -> None:
    made = msgspec.convert(got(house.nobody(), f"/tables/{TABLE}/receipts/2"), Receipt)
    assert is_signed(made)
    assert (made.version, made.order, made.hash) == (2, "", hash_at(house, 2))
    missing = house.nobody().get(f"/tables/{TABLE}/receipts/1000000")
    assert (missing.status_code, missing.json()["code"]) == (404, "no_such_event")
    nowhere = house.nobody().get("/tables/none/receipts/1")
    assert (nowhere.status_code, nowhere.json()["code"]) == (404, "no_such_table")
    assert house.nobody().get(f"/tables/{TABLE}/receipts/0").status_code == 400


def test_asking_for_receipts_is_bounded(house: Running) -> None:
    ben = house.person("ben")
    statuses = [ben.get(f"/tables/{TABLE}/receipts/1").status_code for _ in range(200)]
    assert set(statuses) == {200, 429}


def test_who_listens_gets_a_receipt_when_bets_are_shut(house: Running, ann: Person) -> None:
    quick = {"open": 1.0, "last_call": 0.3, "shut": 0.1, "show": 0.1, "waits": False}
    line = {"book": TABLE, "min": "1.00"}
    assert house.person("mia").do("/tables", {"table": "quick", "title": "Q", "line": line, "rhythm": quick}).is_success
    assert ann.do("/tables/quick/seat", {"chips": "50.00"}).is_success
    live = [heard(house, "quick", after) for after in ("", "?after=0")]  # as it happens, and what is past
    assert live[0][0] == "bets_shut"
    assert live[1][0] == "bets_shut"
    for _, version, receipt in live:
        assert is_signed(receipt)
        assert (receipt.stream, receipt.version, receipt.order) == ("table/quick", version, "")
        assert receipt.hash == house.running_house.store.read("table/quick", version - 1, 1)[0].hash.hex()


def heard(house: Running, table: str, query: str) -> tuple[str, int, Receipt]:
    """The first receipt, and the entry after which it comes."""
    entry: dict[str, Any] = {}
    name = ""
    with httpx.stream("GET", f"{house.url}/api/v1/tables/{table}/live{query}", timeout=30) as reply:
        for text in reply.iter_lines():
            if text.startswith("event: "):
                name = text.removeprefix("event: ")
            if text.startswith("data: ") and name == "receipt":
                return entry["type"], entry["version"], msgspec.json.decode(text.removeprefix("data: "), type=Receipt)
            if text.startswith("data: ") and name == "entry":
                entry = json.loads(text.removeprefix("data: "))
    raise AssertionError("no receipt came")


# The client


def test_a_client_keeps_and_checks_receipts(house: Running, tmp_path: Path) -> None:
    file = tmp_path / "own.receipts"
    password = "ben-at-croupier"
    with Client.sign_in(house.url, "ben", password, receipts=file, house_key=house.running_house.key.public.hex) as ben:
        ben.seat(TABLE, "50.00")
        done = ben.buy_in(TABLE, "5.00")
        assert done.receipt is not None
        assert [receipt.version for receipt in ben.receipts][-1] == done.versions[STREAM]
        ben.confirm_receipts()
        assert ben.receipts.write(tmp_path / "copy") == 2
    assert read_receipts(file.read_bytes()) == read_receipts((tmp_path / "copy").read_bytes())
    with Client.sign_in(house.url, "ben", password, receipts=file) as again:
        assert again.receipts.key == house.running_house.key.public.hex, "it is the one that was seen first"
        again.leave(TABLE)
        assert len(again.receipts) == 3


def test_a_client_that_knows_the_key_takes_no_other(house: Running) -> None:
    with suppress(Refused), Client.sign_in(house.url, "ann", "ann-at-croupier") as ann:
        ann.seat(TABLE, "50.00")  # unless another test has done so
    with Client.sign_in(house.url, "ann", "ann-at-croupier", house_key=OTHER.public.hex) as ann:
        with pytest.raises(BadReceipt, match="different key") as caught:
            ann.buy_in(TABLE, "5.00")
        assert caught.value.receipts[-1].key == house.running_house.key.public.hex


def never(_stream: str, _version: int) -> Receipt | None:
    raise AssertionError("the house is not asked")


def test_a_client_finds_another_hash_for_the_same_event(tmp_path: Path) -> None:
    kept = Receipts(None, tmp_path / "file")
    kept.keep(one(7), never)
    with pytest.raises(BadReceipt, match="two different histories") as caught:
        kept.keep(one(7, b"b" * 32), never)
    assert caught.value.receipts == (one(7), one(7, b"b" * 32))
    assert read_receipts((tmp_path / "file").read_bytes()) == [one(7), one(7, b"b" * 32)], "the file convicts alone"


def test_a_client_has_the_house_show_its_past_when_versions_go_back() -> None:
    asked: list[int] = []

    def honest(_stream: str, version: int) -> Receipt | None:
        asked.append(version)
        return one(version)

    kept = Receipts(None, None)
    kept.keep(one(7), honest)
    kept.keep(one(3), honest)  # an older answer, sent again
    assert asked == [7]
    with pytest.raises(BadReceipt, match="it was removed"):
        kept.keep(one(4), lambda *_: None)
    with pytest.raises(BadReceipt, match="two different histories"):
        kept.keep(one(5), lambda *_: one(7, b"b" * 32))


def test_a_client_asks_once_after_a_start(tmp_path: Path) -> None:
    """A house restored from a backup may have gone on beyond what the client knows: it is asked once after each
    start."""
    Receipts(None, tmp_path / "file").keep(one(7), never)
    again = Receipts(None, tmp_path / "file")
    with pytest.raises(BadReceipt, match="two different histories"):
        again.keep(one(9), lambda *_: one(7, b"b" * 32))


def test_a_client_takes_nothing_that_is_not_signed() -> None:
    with pytest.raises(BadReceipt, match="is not signed"):
        Receipts(None, None).keep(msgspec.structs.replace(one(7), version=8), never)


# On the command line


def said(capsys: Captured, *words: object) -> tuple[int, str]:
    status = main(list(map(str, words)))
    printed = capsys.readouterr()
    return status, printed.out + printed.err


@pytest.fixture(scope="module")
def evening(house: Running, ann: Person, folder: Path) -> dict[str, Path]:
    """Receipts of an evening, the table's public record, and an export."""
    made = [receipt_of(ann.do(f"/tables/{TABLE}/chips", MORE)) for _ in range(3)]
    files = {name: folder / name for name in ("receipts", "record", "export", "key")}
    files["receipts"].write_bytes(b"".join(map(line_of, made)))
    files["record"].write_bytes(house.nobody().get(f"/tables/{TABLE}/record").content)
    files["export"].write_bytes(house.person("ivy").get("/export").content)
    files["key"].write_bytes(house.running_house.key.public.pem())
    return files


def test_an_honest_house_is_not_convicted(evening: dict[str, Path], folder: Path, capsys: Captured) -> None:
    for source in (folder / "house.db", evening["export"]):
        status, text = said(capsys, "verify", source, "--receipt", evening["receipts"], "--key", evening["key"])
        assert status == 0, text
        assert "receipts     3 receipts for 1 stream" in text
    status, text = said(capsys, "verify-dice", evening["record"], "--receipt", evening["receipts"])
    assert status == 0, text
    assert "receipts 3 of this table, checked against it" in text
    status, text = said(capsys, "verify", "--receipt", evening["receipts"])
    assert (status, "none contradicts another" in text) == (0, True)
    status, text = said(capsys, "verify", "--receipt", evening["receipts"], "--json")
    assert (status, json.loads(text)["ok"], json.loads(text)["receipts"]) == (0, True, 3)


def test_another_past_is_convicted(evening: dict[str, Path], house: Running, folder: Path, capsys: Captured) -> None:
    key = read_key(folder / "house.key")
    there = read_receipts(evening["receipts"].read_bytes())[0]
    forks = {
        "another hash": issue(key, [Claim(STREAM, there.version, b"x" * 32)], AT)[0],
        "not come so far": issue(key, [Claim(STREAM, 10**6, b"x" * 32)], AT)[0],
    }
    for name, receipt in forks.items():
        file = folder / "fork"
        file.write_bytes(line_of(receipt))
        for source in (folder / "house.db", evening["export"]):
            status, text = said(capsys, "verify", source, "--receipt", file)
            assert status == 1, (name, text)
            assert "The house signed at" in text
            assert "The books were not audited" not in text
        status, text = said(capsys, "verify", evening["export"], "--receipt", file, "--json")
        assert [fault["kind"] for fault in json.loads(text)["faults"]] == ["receipt"]
        status, text = said(capsys, "verify-dice", evening["record"], "--receipt", file)
        assert (status, "(receipt): The house signed" in text) == (1, True), text
    (folder / "fork").write_bytes(line_of(forks["another hash"]))
    status, text = said(capsys, "verify", "--receipt", evening["receipts"], "--receipt", folder / "fork")
    assert (status, "two different histories" in " ".join(text.split())) == (1, True), text


def test_a_swapped_key_is_convicted(evening: dict[str, Path], folder: Path, capsys: Captured) -> None:
    there = read_receipts(evening["receipts"].read_bytes())[0]
    file = folder / "swapped"
    file.write_bytes(line_of(issue(OTHER, [Claim(STREAM, there.version, bytes.fromhex(there.hash))], AT)[0]))
    commands = [
        ("verify", folder / "house.db", "--receipt", file),
        ("verify", evening["export"], "--receipt", file),
        ("verify", "--receipt", evening["receipts"], "--receipt", file),
        ("verify", "--receipt", file, "--key", evening["key"]),
        ("verify-dice", evening["record"], "--receipt", file, "--key", evening["key"]),
    ]
    for words in commands:
        status, text = said(capsys, *words)
        assert (status, "a key other than the house's" in " ".join(text.split())) == (1, True), (words, text)


def test_what_cannot_be_read_is_said_in_a_sentence(evening: dict[str, Path], folder: Path, capsys: Captured) -> None:
    junk = folder / "junk"
    junk.write_bytes(b"no receipt")
    other = folder / "other"
    other.write_bytes(line_of(issue(KEY, [claim(stream="table/other")], AT)[0]))
    for words, sentence in {
        ("verify",): "Name what to verify",
        ("verify", "--witness", junk): "is not a file of a witness",
        ("verify", "--receipt", junk): "is not a file of receipts: line 1 is not a receipt.",
        ("verify", "--receipt", folder / "none"): "cannot be read: No such file",
        ("verify", evening["export"], "--receipt", junk): "is not a file of receipts",
        ("verify-dice", evening["record"], "--receipt", junk): "is not a file of receipts",
        ("verify-dice", evening["record"], "--receipt", other): "None of the receipts is for the table",
    }.items():
        status, text = said(capsys, *words)
        assert (status, sentence in text) == (2, True), (words, text)


def test_receipts_of_a_damaged_store_are_still_held_against_it(
    evening: dict[str, Path], folder: Path, capsys: Captured
) -> None:
    cut = folder / "cut"
    lines = evening["export"].read_bytes().splitlines(keepends=True)
    cut.write_bytes(b"".join(line for line in lines if f'"stream":"{STREAM}"'.encode() not in line))
    status, text = said(capsys, "verify", cut, "--receipt", evening["receipts"], "--json")
    assert status == 1
    assert {fault["kind"] for fault in json.loads(text)["faults"]} >= {"receipt", "damaged"}


def test_a_record_is_verified_against_receipts_of_its_own_table_alone(evening: dict[str, Path]) -> None:
    there = read_receipts(evening["receipts"].read_bytes())
    other = issue(KEY, [claim(stream="table/other")], AT)
    with evening["record"].open("rb") as lines:
        checked = verify_dice(lines, (), [*there, *other])
    assert (checked.receipts, [finding for finding in checked.findings if finding.fault == "receipt"]) == (3, [])


def test_receipts_are_few_bytes() -> None:
    """Sixty-four orders in one group: the bytes that a receipt adds to each answer."""
    made = issue(KEY, [claim(version, os.urandom(32), order="e" * 64) for version in range(1, 65)], AT)
    assert max(len(line_of(receipt)) for receipt in made) < 1000
