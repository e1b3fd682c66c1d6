"""Checkpoints: each follows the one before, names what moved, and gives each reader only what they may know."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256

import pytest

from croupier.store import Append, Committed, Conflict, Head, Store, StoreError, Write
from croupier.store.checkpoints import NONE_BEFORE, STREAM, Checkpoint, Sealer, leaf, read_checkpoint
from croupier.store.keys import HouseKey
from croupier.store.memory import MemoryStore
from tests.store.conftest import Opener
from tests.store.writes import fill

AT = datetime(2026, 11, 15, 14, 0, tzinfo=UTC)
KEY = HouseKey.new()


def sealed(store: Store) -> list[Checkpoint]:
    """All checkpoints of a store."""
    return [read_checkpoint(record.document) for record in store.read(STREAM)]


def test_a_checkpoint_names_all_heads_that_moved_and_follows_the_one_before(store: Store) -> None:
    sealer = Sealer(store, KEY, "harbour")
    assert not sealer.seal(AT), "nothing has happened yet"
    fill(store, "table/a", 3)
    fill(store, "account/ann", 1)
    assert sealer.seal(AT)
    assert not sealer.seal(AT), "nothing has happened since"
    fill(store, "table/a", 1)
    fill(store, "table/b", 1)
    assert sealer.seal(AT + timedelta(minutes=1))
    first, second = sealed(store)
    assert [(head.stream, head.version) for head in first.heads] == [("account/ann", 1), ("table/a", 3)]
    assert [(head.stream, head.version) for head in second.heads] == [("table/a", 4), ("table/b", 1)]
    assert (first.statement.number, first.statement.previous, first.statement.whole) == (1, NONE_BEFORE, True)
    assert (second.statement.number, second.statement.whole) == (2, False)
    assert second.statement.previous == sha256(first.line).hexdigest()
    assert (second.statement.streams, second.statement.records, second.statement.house) == (3, 6, "harbour")
    assert (first.statement.at, second.statement.at) == ("2026-11-15T14:00:00.000Z", "2026-11-15T14:01:00.000Z")
    assert all(one.has_good_signature() and one.key == KEY.public for one in (first, second))


def test_a_house_that_begins_again_names_all_heads_once(opened: Opener, address: str) -> None:
    store = opened()
    fill(store, "a", 1)
    fill(store, "b", 1)
    sealer = Sealer(store, KEY, "harbour")
    for stream in ("a", "b", "a"):
        fill(store, stream, 1)
        sealer.seal(AT)
    again = Sealer(store, KEY, "harbour")
    again.seal(AT)
    again.seal(AT)
    fill(store, "b", 1)
    again.seal(AT)
    named = [([head.stream for head in one.heads], one.statement.whole) for one in sealed(store)]
    assert named == [(["a", "b"], True), (["b"], False), (["a"], False), (["a", "b"], True), (["b"], False)]


def test_several_houses_seal_the_same_store(opened: Opener, address: str) -> None:
    store = opened()
    houses = [Sealer(store, KEY, "harbour") for _ in range(3)]
    for turn in range(6):
        fill(store, f"s/{turn % 2}", 1)
        assert houses[turn % 3].seal(AT)
    fill(store, "s/0", 1)
    late = houses[0].prepare(AT)
    assert houses[1].seal(AT)
    assert late is not None
    assert store.commit([late]) == [Conflict(STREAM, 6, 7)]
    assert houses[0].prepare(AT) is None, "the other has sealed it"
    numbers = [one.statement.number for one in sealed(store)]
    assert numbers == list(range(1, 8))


def test_another_key_is_told_apart(store: Store) -> None:
    fill(store, "a", 1)
    Sealer(store, KEY, "harbour").seal(AT)
    other = HouseKey.new()
    with pytest.raises(StoreError) as error:
        Sealer(store, other, "harbour")
    assert str(error.value) == (
        f"{store.name} was sealed with a different key ({KEY.public.hex[:16]}…) than the house's "
        f"({other.public.hex[:16]}…): use the key that it was first sealed with."
    )


def test_a_document_that_is_no_checkpoint_is_told(store: Store) -> None:
    (outcome,) = store.commit([Write((Append(STREAM, 0, (b"something else",)),))])
    assert isinstance(outcome, Committed)
    with pytest.raises(StoreError, match="checkpoint 1 is not a statement with a signature"):
        Sealer(store, KEY, "harbour")


class TestADocument:
    @pytest.fixture
    def made(self) -> Checkpoint:
        store = MemoryStore()
        fill(store, "table/a", 3)
        fill(store, "account/ann", 1)
        Sealer(store, KEY, "harbour").seal(AT.astimezone(timezone(timedelta(hours=10))))
        return sealed(store)[0]

    def test_it_has_a_statement_a_signature_and_the_heads(self, made: Checkpoint) -> None:
        line, signature, heads = made.document().split(b"\n")
        statement = json.loads(line)
        assert list(statement) == sorted(statement)
        assert line == json.dumps(statement, separators=(",", ":"), ensure_ascii=False).encode()
        assert KEY.public.has_signed(bytes.fromhex(signature.decode()), line)
        assert json.loads(heads) == [[head.stream, head.version, head.hash.hex()] for head in made.heads]
        assert read_checkpoint(made.document()) == made

    def test_what_is_shown_lets_one_table_be_checked_and_names_no_other(self, made: Checkpoint) -> None:
        shown = read_checkpoint(made.shown())
        assert b"ann" not in made.shown()
        assert b"table" not in made.shown()
        assert shown.has_good_signature()
        head = made.heads[1]
        assert head.stream == "table/a"
        assert shown.covers(head)
        assert not shown.covers(Head("table/a", 2, head.hash))
        assert not shown.covers(Head("table/b", 3, head.hash))
        digits = head.hash.hex()
        assert leaf(head) == sha256(f"table/a\n3\n{digits}".encode()).hexdigest() == shown.statement.leaves[1]

    def test_heads_that_were_not_signed_are_told_apart(self, made: Checkpoint) -> None:
        document = made.document().replace(b'"table/a",3', b'"table/a",2')
        with pytest.raises(ValueError, match="does not list the heads that were signed"):
            read_checkpoint(document)

    @pytest.mark.parametrize("wrong", [b"", b"{}", b"{}\n00", b"\n\n", b"[1]\nzz\n[]"])
    def test_anything_else_is_none(self, wrong: bytes) -> None:
        with pytest.raises(ValueError, match="is not a statement with a signature"):
            read_checkpoint(wrong)

    def test_a_changed_statement_has_no_good_signature(self, made: Checkpoint) -> None:
        for old, new in ((b'"records":4', b'"records":5'), (b"harbour", b"harbor"), (b'"number":1', b'"number":2')):
            changed = made.document().replace(old, new)
            assert changed != made.document()
            assert not read_checkpoint(changed).has_good_signature()
