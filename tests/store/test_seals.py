"""Seals: what the house puts into the vault and stores as snapshots is its own, and a house checks that."""

from __future__ import annotations

import shutil
import stat
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import msgspec
import psycopg
import pytest

from croupier.house.names import ACCOUNTS, TABLES
from croupier.house.views.history import replayed
from croupier.store import Answer, Append, Committed, CorruptStore, Secret, Snapshot, Store, Write
from croupier.store.checkpoints import (
    NONE_BEFORE,
    STREAM,
    Checkpoint,
    Sealer,
    Statement,
    leaf,
    read_checkpoint,
    trusted,
)
from croupier.store.exporting import export_to
from croupier.store.keys import HouseKey, read_key
from croupier.store.memory import MemoryStore
from croupier.store.postgres import PostgresStore, statements
from croupier.store.records import beside_anchor, checksum, link_digest
from croupier.store.seals import DIGEST_BYTES, SEALED_BYTES, PublicSeals, Seals
from croupier.store.sqlite import SqliteStore
from croupier.store.verifying import import_from, verify
from tests.store import make_version_2
from tests.store.conftest import Opener
from tests.store.writes import commit, fill

AT = datetime(2026, 11, 15, 14, 0, tzinfo=UTC)
KEY = HouseKey.new()


def answered(store: Store, *keys: str) -> None:
    for key in keys:
        commit(store, Write(answer=Answer("ann", key, b"d" * 32, f"reply to {key}".encode())))


def furnished(store: Store) -> Sealer:
    """A store with some of everything, sealed."""
    sealer = trusted(store, KEY, "harbour", AT)
    fill(store, "a", 3)
    head = store.head("a")
    commit(store, Write(vault=(Secret("password/ann", b"hash"), Secret("token/x", b"token"))))
    commit(store, Write(snapshots=(Snapshot("a", 3, head.hash, b"state"),)))
    answered(store, "one", "two", "three")
    for word in (b"no", b"never"):
        commit(store, Write(refusal=word))
    sealer.seal(AT)
    return sealer


def test_a_seal_is_told_by_the_key_and_by_its_public_half() -> None:
    digest, seals = checksum("password/ann", b"hash"), Seals(KEY)
    mark = seals.made(digest)
    assert (mark[:DIGEST_BYTES], len(mark)) == (digest, SEALED_BYTES)
    proofs = seals, Seals(KEY), PublicSeals(KEY.public)
    assert all(proof.is_sealed(mark) for proof in proofs)
    others = (Seals(HouseKey.new()), PublicSeals(HouseKey.new().public))
    assert not any(proof.is_sealed(mark) for proof in others)
    moved = checksum("password/ben", b"hash") + mark[DIGEST_BYTES:]
    for wrong in (digest, b"", mark[:-1], moved, Seals(HouseKey.new()).made(digest)):
        assert not any(proof.is_sealed(wrong) for proof in proofs)


def test_entries_without_the_house_s_seal_are_not_served(opened: Opener, address: str) -> None:
    store = opened()
    fill(store, "a", 3)
    snapshot = Snapshot("a", 3, store.head("a").hash, b"state")
    commit(store, Write(vault=(Secret("bare", b"1"),), snapshots=(snapshot,)))
    store.use(Seals(HouseKey.new()))
    commit(store, Write(vault=(Secret("other", b"2"),)))
    store.use(Seals(KEY))
    commit(store, Write(vault=(Secret("own", b"3"),)))
    assert store.secret("own") == b"3"
    assert store.secrets("own") == [Secret("own", b"3")]
    for name in ("bare", "other"):
        with pytest.raises(CorruptStore, match=f"{name} in the vault is not sealed by the house"):
            store.secret(name)
    with pytest.raises(CorruptStore, match="is not sealed by the house"):
        store.secrets()
    assert store.snapshot("a") is None
    commit(store, Write(snapshots=(snapshot,)))
    assert store.snapshot("a") == snapshot


def test_a_store_from_before_seals_is_taken_over_once(opened: Opener, address: str) -> None:
    store = opened()
    fill(store, "a", 3)
    commit(store, Write(vault=(Secret("password/ann", b"hash"),)))
    commit(store, Write(snapshots=(Snapshot("a", 3, store.head("a").hash, b"state"),)))
    assert [len(entry.mark) for entry in store.entries()] == [DIGEST_BYTES, DIGEST_BYTES]
    trusted(store, KEY, "harbour", AT)
    assert store.secret("password/ann") == b"hash"
    assert [(entry.what, len(entry.mark)) for entry in store.entries()] == [("password/ann in the vault", SEALED_BYTES)]
    assert store.head(STREAM).version == 1, "a checkpoint says that all is sealed"
    assert verify(store, KEY.public).unproved == ()
    store.use(None)  # type: ignore[arg-type]  # as someone would who has not the key
    commit(store, Write(vault=(Secret("password/ann", b"another"),)))
    with pytest.raises(CorruptStore, match="contains data that the house did not write: password/ann in the vault"):
        trusted(store, KEY, "harbour", AT)
    assert [fault.kind for fault in verify(store, KEY.public).faults] == ["forged"]


def test_what_is_erased_is_gone_and_the_rest_is_not(store: Store) -> None:
    furnished(store)
    store.erase("token/x")
    store.erase("never there")
    assert store.secrets() == [Secret("password/ann", b"hash")]
    assert verify(store, KEY.public).is_good
    commit(store, Write(vault=(Secret("token/x", b"again"),)))
    assert store.secret("token/x") == b"again"


def test_how_much_room_there_is(store: Store) -> None:
    furnished(store)
    room = store.room()
    assert (room.taken > 10_000) is not isinstance(store, MemoryStore)
    assert (room.free is not None) is isinstance(store, SqliteStore)


def test_an_empty_store_is_not_sealed_before_anything_has_happened(store: Store) -> None:
    trusted(store, KEY, "harbour", AT)
    assert store.heads() == []


def test_checkpoints_vouch_for_answers_and_refusals(store: Store) -> None:
    furnished(store)
    statement = read_checkpoint(store.read(STREAM)[-1].document).statement
    assert statement.format == 2
    for kind in ("answers", "refusals"):
        chained, made = statement.chained(kind), beside_anchor(kind)
        assert chained is not None
        for number, mark in store.beside(kind):
            made, last = link_digest(made, mark), number
        assert (chained.since, chained.number, chained.hash) == (1, last, made.hex())
    report = verify(store, KEY.public)
    assert (report.is_good, report.unproved) == (True, ())
    answered(store, "four")
    assert verify(store, KEY.public).unproved == ("The last 1 answers are not covered by a checkpoint yet.",)
    assert trusted(store, KEY, "harbour", AT).seal(AT), "that an answer was given is worth a checkpoint"
    assert verify(store, KEY.public).unproved == ()


@pytest.mark.parametrize("refusals", [True, False])
def test_an_imported_store_has_no_answers_and_goes_on(store: Store, tmp_path: Path, refusals: bool) -> None:
    source = MemoryStore()
    furnished(source)
    file = tmp_path / "house.jsonl"
    export_to(source, file, AT, refusals=refusals)
    assert verify(file, KEY.public).is_good
    import_from(file, store)
    report = verify(store, KEY.public)
    gone = ["answers"] if refusals else ["answers", "refusals"]
    assert report.is_good
    assert [sentence.split()[3].rstrip(",") for sentence in report.unproved] == gone
    sealer = trusted(store, KEY, "harbour", AT)
    answered(store, "one", "four")
    commit(store, Write(refusal=b"again"))
    sealer.seal(AT)
    report = verify(store, KEY.public)
    assert report.is_good
    assert [sentence.split()[:3] for sentence in report.unproved] == [["The", kind, "are"] for kind in gone]
    trusted(store, KEY, "harbour", AT)
    assert store.head(STREAM).version == 3, "it begins again once"


def test_refusals_of_an_export_are_held_against_its_checkpoints(tmp_path: Path) -> None:
    source = MemoryStore()
    furnished(source)
    for number, row in enumerate(source._kept.refusals):
        other = MemoryStore()
        furnished(other)
        document = b"yes" if number else b"maybe"
        other._kept.refusals[number] = (row[0], document, checksum(document))
        file = tmp_path / f"{number}.jsonl"
        export_to(other, file, AT, refusals=True)
        (fault,) = verify(file, KEY.public).faults
        assert fault.sentence == (
            "One of the refusals 1 to 2 was altered, removed or inserted: checkpoint 1 was signed for different ones."
        )


def test_numbers_that_are_settled_are_not_given_out_again(database: str) -> None:
    """A house that has been given its number but has not committed yet is waited for."""
    with closing(PostgresStore(database)) as store:
        answered(store, "one")
        with psycopg.connect(database) as slow:
            slow.execute("INSERT INTO croupier.answers VALUES ('ben', 'slow', 'd', 'r', 's')")
            found: list[int] = []
            asking = Thread(target=lambda: found.append(store.settled()["answers"]))
            asking.start()
            asking.join(0.3)
            assert found == [], "it waits"
            slow.commit()
        asking.join()
        assert found == [2]
        assert [number for number, _ in store.beside("answers")] == [1, 2]


# -- the store of a house of the last version -------------------------------------------------------------------------


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "house.sqlite"
    shutil.copy(make_version_2.FILE, path)
    shutil.copy(make_version_2.KEY, tmp_path / "house.key")
    (tmp_path / "house.key").chmod(stat.S_IRUSR | stat.S_IWUSR)
    return path


def test_a_store_of_the_last_version_verifies_as_it_is(old: Path) -> None:
    key = read_key(old.with_name("house.key"))
    before = old.read_bytes()
    report = verify(old, key.public)
    assert report.is_good
    assert report.unproved == (
        "Answers and refusals are not proved: checkpoints of format 1 do not cover them.",
        "Not proved, because they predate seals: 6 vault entries and snapshots.",
    )
    assert old.read_bytes() == before


def test_a_store_of_the_last_version_goes_on_equal_to_the_byte(old: Path) -> None:
    key = read_key(old.with_name("house.key"))
    with closing(SqliteStore(old, read_only=True)) as store:
        before = {head.stream: store.read(head.stream) for head in store.heads()}
        states = {stream: replayed(store, stream, len(rows)) for stream, rows in before.items() if stream != STREAM}
        refusals, passwords = store.refusals(), store.secrets("password/")
        answer = store.answer("ann", "sit")
    with closing(SqliteStore(old)) as store:
        sealer = trusted(store, key, "harbour", AT)
        assert store.head(STREAM).version == 2
        for stream, rows in before.items():
            assert store.read(stream)[: len(rows)] == rows
        assert {stream: replayed(store, stream, len(before[stream])) for stream in states} == states
        assert (store.refusals(), store.secrets("password/"), store.answer("ann", "sit")) == (
            refusals,
            passwords,
            answer,
        )
        (outcome,) = commit(store, Write(vault=(Secret("new", b"1"),)))
        assert isinstance(outcome, Committed)
        assert not sealer.seal(AT)
    assert all(stream.startswith((TABLES, ACCOUNTS)) for stream in states)
    report = verify(old, key.public)
    assert report.is_good
    assert report.unproved == tuple(
        f"The {kind} are chained from checkpoint 2 on: nothing is proved about earlier ones."
        for kind in ("answers", "refusals")
    )


def test_an_older_checkpoint_behind_a_newer_one_is_found(old: Path) -> None:
    """A sealed store cannot be made to look like one from before seals by adding an old checkpoint of the house."""
    key = read_key(old.with_name("house.key"))
    with closing(SqliteStore(old)) as store:
        first = store.read(STREAM)[0].document
        trusted(store, key, "harbour", AT)
        store.commit([Write((Append(STREAM, 2, (first,)),))])
        with pytest.raises(CorruptStore, match="checkpoint 3 is not what it signed"):
            trusted(store, key, "harbour", AT)
    assert not verify(old, key.public).is_good


def old_checkpoint(store: Store) -> Write:
    """The first checkpoint, as older houses signed it."""
    heads = tuple(store.heads())
    line = msgspec.json.encode(
        Statement(
            at="2026-11-15T13:00:00.000Z",
            croupier="checkpoint",
            format=1,
            house="harbour",
            key=KEY.public.hex,
            leaves=tuple(map(leaf, heads)),
            number=1,
            previous=NONE_BEFORE,
            records=sum(head.version for head in heads),
            streams=len(heads),
            whole=True,
        )
    )
    made = Checkpoint(msgspec.json.decode(line, type=Statement), line, KEY.sign(line), heads)
    return Write((Append(STREAM, 0, (made.document(),)),))


@pytest.mark.parametrize("version", [1, 2])
def test_a_database_of_an_older_version_is_read_as_it_is_and_taken_over(
    database: str, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS croupier CASCADE")
    with monkeypatch.context() as patch:
        patch.setattr(statements, "MIGRATIONS", statements.MIGRATIONS[:version])
        patch.setattr(statements, "NEWEST", version)
        patch.setattr("croupier.store.postgres.store.NEWEST", version)
        with closing(PostgresStore(database)) as store:
            fill(store, "a", 2)
            answered(store, "one", "two")
            commit(store, Write(refusal=b"no", vault=(Secret("password/ann", b"hash"),)))
            commit(store, old_checkpoint(store))
    with closing(PostgresStore(database, read_only=True)) as store:
        before = store.read("a"), store.read(STREAM), store.refusals()
        report = verify(store, KEY.public)
        assert (report.is_good, len(report.unproved)) == (True, 2)
    with closing(PostgresStore(database)) as store:
        trusted(store, KEY, "harbour", AT)
        assert (store.read("a"), store.read(STREAM)[:1], store.refusals()) == before
        assert [number for number, _ in store.beside("answers")] == [1, 2]
        report = verify(store, KEY.public)
        assert (report.is_good, report.checkpoints) == (True, 2)
        assert store.secret("password/ann") == b"hash"
