"""Exports, imports and backups: complete or not at all, exact to the byte, without anything private."""

from __future__ import annotations

import json
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import apsw
import pytest

from croupier.store import Answer, Append, CorruptStore, Secret, Snapshot, Store, StoreError, Write
from croupier.store.checkpoints import STREAM, Sealer
from croupier.store.exporting import Exported, back_up, export_to
from croupier.store.keys import HouseKey
from croupier.store.memory import MemoryStore
from croupier.store.opening import open_store
from croupier.store.sqlite import SqliteStore
from croupier.store.verifying import import_from, verify
from tests.store.children import Children
from tests.store.writes import append, commit, fill

AT = datetime(2026, 11, 15, 14, 0, tzinfo=UTC)
KEY = HouseKey.new()
ODD = (b"", bytes(range(256)), "Füße 🎲\n\u2028".encode(), b'{"quote":"\\""}', b"\xff\xfe")
PRIVATE = b"never to be seen"


def furnish(store: Store) -> None:
    """Everything that a store can hold."""
    fill(store, "table/craps", 5)
    commit(store, Write((Append("account/ann", 0, ODD),), Answer("ann", "k", b"d", PRIVATE), b'{"refused":"bet"}'))
    commit(store, Write(refusal=b"\xff", vault=(Secret("password/ann", PRIVATE), Secret("seed/1", PRIVATE))))
    head = store.head("table/craps")
    commit(store, Write(snapshots=(Snapshot("table/craps", head.version, head.hash, PRIVATE),)))
    Sealer(store, KEY, "harbour").seal(AT)
    fill(store, "table/craps", 2)


def content(store: Store) -> object:
    """All events and refusals."""
    return (
        [store.read(head.stream) for head in store.heads()],
        [refusal.document for refusal in store.refusals()],
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "house.jsonl"


def test_an_export_has_all_events_and_nothing_private(store: Store, file: Path) -> None:
    furnish(store)
    assert export_to(store, file, AT) == Exported(streams=3, records=13, refusals=0)
    assert PRIVATE not in file.read_bytes()
    lines = file.read_bytes().splitlines(keepends=True)
    header, *events, footer = map(json.loads, lines)
    assert (header["croupier"], header["format"], header["at"]) == ("export", 1, "2026-11-15T14:00:00.000Z")
    assert header["heads"] == [[head.stream, head.version, head.hash.hex()] for head in store.heads()]
    assert [(line["stream"], line["version"]) for line in events] == [
        (STREAM, 1), *(("account/ann", number) for number in range(1, 6)),
        *(("table/craps", number) for number in range(1, 8)),
    ]  # fmt: skip
    assert footer == {"streams": 3, "records": 13, "refusals": 0, "sha256": sha256(b"".join(lines[:-1])).hexdigest()}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert verify(file, KEY.public).is_good


def test_it_may_have_the_refusals_and_a_signature(store: Store, file: Path) -> None:
    furnish(store)
    assert export_to(store, file, AT, refusals=True, key=KEY).refusals == 2
    footer = json.loads(file.read_bytes().splitlines()[-1])
    assert footer["key"] == KEY.public.hex
    signed = b"croupier export\n" + footer["sha256"].encode()
    assert KEY.public.has_signed(bytes.fromhex(footer["signature"]), signed)
    assert verify(file, KEY.public).is_good


def test_the_same_store_gives_the_same_bytes(store: Store, tmp_path: Path) -> None:
    furnish(store)
    files = [tmp_path / "one", tmp_path / "two"]
    for file in files:
        export_to(store, file, AT, refusals=True, key=KEY)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_what_is_imported_is_the_same_to_the_byte_and_goes_on(store: Store, file: Path, tmp_path: Path) -> None:
    source = MemoryStore()
    furnish(source)
    export_to(source, file, AT, refusals=True)
    assert import_from(file, store, KEY.public) == Exported(3, 13, 2)
    assert content(store) == content(source)
    again = tmp_path / "again.jsonl"
    export_to(store, again, AT, refusals=True)
    assert again.read_bytes() == file.read_bytes().replace(b'{"refusal":2', b'{"refusal":2')
    fill(store, "table/craps", 1)
    Sealer(store, KEY, "harbour").seal(AT)
    assert verify(store, KEY.public).is_good


def test_many_pages(file: Path) -> None:
    source, target = MemoryStore(), MemoryStore()
    fill(source, "long", 2500)
    for number in range(2100):
        commit(source, Write(refusal=b"%d" % number))
    export_to(source, file, AT, refusals=True)
    import_from(file, target)
    assert content(target) == content(source)


class TestImporting:
    @pytest.fixture
    def source(self, file: Path) -> MemoryStore:
        source = MemoryStore()
        furnish(source)
        export_to(source, file, AT)
        return source

    def test_not_into_a_store_with_events(self, source: MemoryStore, file: Path, store: Store) -> None:
        fill(store, "a", 1)
        with pytest.raises(StoreError, match="is not empty"):
            import_from(file, store)
        assert [head.stream for head in store.heads()] == ["a"]

    def test_not_a_file_in_which_anything_is_wrong(self, source: MemoryStore, file: Path, store: Store) -> None:
        file.write_bytes(file.read_bytes().replace(b'{\\"event\\":3}', b'{\\"event\\":4}'))
        with pytest.raises(CorruptStore) as error:
            import_from(file, store)
        assert str(error.value).startswith(f"{file} is not imported: ")
        assert store.heads() == []

    def test_not_one_that_is_signed_by_somebody_else(self, source: MemoryStore, file: Path, store: Store) -> None:
        with pytest.raises(CorruptStore, match="signed with a key other than the house's"):
            import_from(file, store, HouseKey.new().public)
        assert store.heads() == []

    def test_not_one_that_changes_while_it_is_read(
        self, source: MemoryStore, file: Path, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        good = verify(file)

        def changed(path: Path, *given: object) -> object:
            other = MemoryStore()
            fill(other, "another", 3)
            export_to(other, path, AT)
            return good

        monkeypatch.setattr("croupier.store.verifying.verify", changed)
        with pytest.raises(StoreError, match="was changed while it was read"):
            import_from(file, store)
        assert store.heads() == []

    def test_not_what_is_not_there(self, tmp_path: Path, store: Store) -> None:
        with pytest.raises(StoreError, match="cannot be read: No such file or directory"):
            import_from(tmp_path / "nothing", store)


class TestWriting:
    def test_a_damaged_store_is_not_exported_and_the_old_file_stays(self, tmp_path: Path, file: Path) -> None:
        with closing(SqliteStore(tmp_path / "house.sqlite")) as store:
            fill(store, "a", 5)
            export_to(store, file, AT)
            before = file.read_bytes()
            with closing(apsw.Connection(str(store.path))) as tool:
                tool.execute("UPDATE records SET document = x'00' WHERE version = 4")
            with pytest.raises(CorruptStore, match="event 4 of a was altered"):
                export_to(store, file, AT)
        assert file.read_bytes() == before
        assert [one.name for one in tmp_path.iterdir() if "jsonl" in one.name] == ["house.jsonl"]

    @pytest.mark.parametrize("place", [".", "no/house.jsonl"])
    def test_where_nothing_can_be_written(self, tmp_path: Path, place: str) -> None:
        with pytest.raises(StoreError, match="cannot be written"):
            export_to(MemoryStore(), tmp_path / place, AT)
        assert list(tmp_path.iterdir()) == []

    def test_a_full_disk(self, tmp_path: Path, file: Path, children: Children) -> None:
        """Files of a child process may not grow beyond a limit: to it, that is a full disk."""
        with closing(SqliteStore(tmp_path / "house.sqlite")) as store:
            commit(store, append("a", 0, *[b"x" * 1000] * 1000))
        copy = tmp_path / "copy.sqlite"
        given = {"path": str(tmp_path / "house.sqlite"), "file": str(file), "copy": str(copy), "bytes": 300_000}
        said = children.run("export_with_little_room", given)
        assert said["export"] == f"{file} cannot be written: File too large."
        assert said["copy"].startswith(f"{copy} cannot be written: its disk ")
        assert {one.name for one in tmp_path.iterdir() if not one.name.startswith("house.sqlite")} == set()


class TestWhileOthersWrite:
    @pytest.fixture
    def writing(self, store: Store) -> Iterator[Store]:
        """Someone writes all the time, to two streams at once."""
        done = threading.Event()

        def write() -> None:
            version = 0
            while not done.is_set():
                store.commit([Write((Append("left", version, (b"x",)), Append("right", version, (b"y",))))])
                version += 1
                time.sleep(0.001)

        writer = threading.Thread(target=write)
        writer.start()
        while store.head("left").version < 3:
            time.sleep(0.001)
        yield store
        done.set()
        writer.join()

    def test_an_export_is_of_one_moment(self, writing: Store, tmp_path: Path) -> None:
        for number in range(5):
            file = tmp_path / f"{number}.jsonl"
            export_to(writing, file, AT)
            (_, left, _), (_, right, _) = json.loads(file.read_bytes().splitlines()[0])["heads"]
            assert left == right
            assert verify(file).is_good

    def test_a_backup_is_of_one_moment(self, writing: Store, tmp_path: Path) -> None:
        for number in range(5):
            file = tmp_path / f"{number}.backup"
            said = back_up(writing, file, AT)
            assert said.startswith(f"{file} is ")
            report = verify(file)
            assert report.is_good, report.lines()
            assert report.records % 2 == 0
            assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_backup_of_a_file_has_everything_and_is_a_store(tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite"
    with closing(SqliteStore(tmp_path / "house.sqlite")) as store:
        furnish(store)
        assert back_up(store, target, AT) == f"{target} is a complete copy of the store, including its private data."
        with closing(open_store(f"sqlite:{tmp_path / 'house.sqlite'}", read_only=True)) as looking:
            back_up(looking, tmp_path / "from-outside.sqlite", AT)
        for file in (target, tmp_path / "from-outside.sqlite"):
            with closing(SqliteStore(file)) as copy:
                assert content(copy) == content(store)
                assert copy.secrets() == store.secrets()
                assert copy.answer("ann", "k") == store.answer("ann", "k")
                assert isinstance(copy.snapshot("table/craps"), Snapshot)
                commit(copy, append("table/craps", 7, b"goes on"))
