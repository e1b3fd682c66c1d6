"""The embedded store: its file, its lock, its versions, and what happens when the disk fails."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from croupier.store import Append, Committed, CorruptStore, Secret, Snapshot, Store, StoredRefusal, StoreError, Write
from croupier.store.opening import open_store
from croupier.store.sqlite import SqliteStore, file
from croupier.store.verifying import verify
from tests.store import make_version_1
from tests.store.children import Children
from tests.store.faulty import FaultyFiles
from tests.store.writes import append, commit, fill


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path)) as made:
        yield made


def change(path: Path, sql: str, *values: apsw.SQLiteValue) -> None:
    """Change the file with an ordinary tool."""
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(sql, values)


class TestTheFile:
    def test_nobody_else_may_read_what_is_private(self, store: SqliteStore, path: Path) -> None:
        fill(store, "a", 1)
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
        assert modes == dict.fromkeys(
            ("house.sqlite", "house.sqlite-wal", "house.sqlite-shm", "house.sqlite.lock"), 0o600
        )

    def test_closed_it_is_one_file_and_a_lock(self, store: SqliteStore, path: Path) -> None:
        fill(store, "a", 1)
        store.read("a")
        store.close()
        assert sorted(file.name for file in path.parent.iterdir()) == ["house.sqlite", "house.sqlite.lock"]

    def test_what_is_acknowledged_is_on_the_disk(self, path: Path) -> None:
        files = FaultyFiles()
        with closing(SqliteStore(path, vfs=files.name)) as store:
            fill(store, "a", 1)
            before = files.operations
            fill(store, "a", 1)
            assert files.operations - before >= 3  # frames, and a sync at least
            with files.failing(apsw.IOError, nth=files.operations - before), pytest.raises(StoreError):
                fill(store, "a", 1)  # the last operation of a commit is the sync: without it there is no commit
            assert store.head("a").version == 2

    def test_a_second_house_is_told_who_is_there(self, store: SqliteStore, path: Path, children: Children) -> None:
        fill(store, "a", 1)
        said = f"The store {path} is in use by another house (process {os.getpid()})."
        with pytest.raises(StoreError) as error:
            SqliteStore(path)
        assert str(error.value) == said
        assert children.run("open_as_nobody", {"path": str(path), "is_nobody": False})["writing"] == said
        store.close()
        with closing(SqliteStore(path)) as again:
            assert again.head("a").version == 1

    def test_a_reader_from_outside_works_beside_the_house(self, store: SqliteStore, path: Path) -> None:
        fill(store, "a", 3)
        with closing(SqliteStore(path, read_only=True)) as looking:
            assert len(looking.read("a")) == 3
            fill(store, "a", 1)
            assert len(looking.read("a")) == 4
        assert verify(path).is_good


class TestOpening:
    @pytest.mark.parametrize(
        ("address", "said"),
        [
            ("sqlite:", 'An SQLite store has a path, such as "sqlite:house.sqlite".'),
            ("oracle:x", "That is not the address of a store"),
            ("house.sqlite", "That is not the address of a store"),
        ],
    )
    def test_an_address_that_means_nothing(self, address: str, said: str) -> None:
        with pytest.raises(StoreError, match=said):
            open_store(address)

    def test_a_driver_that_is_not_installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def missing(name: str) -> object:
            raise ImportError(name)

        monkeypatch.setattr("croupier.store.opening.import_module", missing)
        with pytest.raises(StoreError, match="needs psycopg, which is not installed: pip install"):
            open_store("postgres://localhost/house")

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError) as error:
            SqliteStore(tmp_path / "no" / "house.sqlite")
        assert str(error.value) == (
            f"The store {tmp_path}/no/house.sqlite cannot be opened: there is no folder {tmp_path}/no."
        )

    def test_a_folder_in_its_place(self, path: Path) -> None:
        path.mkdir()
        with pytest.raises(StoreError, match="cannot be opened: it is a folder"):
            SqliteStore(path)

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"", "its file is empty"),
            (b"This is a letter, not a database. " * 200, "its file is not a database"),
            (b"SQLite format 3\0" + b"\0" * 8000, "is damaged"),
        ],
    )
    def test_something_else_in_its_place(self, path: Path, content: bytes, said: str) -> None:
        path.write_bytes(content)
        with pytest.raises(CorruptStore, match=said):
            SqliteStore(path)
        assert path.read_bytes() == content

    def test_a_log_without_its_file_is_not_mixed_up_with_a_new_one(self, path: Path, tmp_path: Path) -> None:
        left = tmp_path / "left"
        left.mkdir()
        with closing(SqliteStore(path)) as store:
            fill(store, "a", 3)
            shutil.copyfile(path.with_name("house.sqlite-wal"), left / "house.sqlite-wal")
            with pytest.raises(StoreError, match=r"the log house\.sqlite-wal of another store is there"):
                store.copy_to(left / "house.sqlite")
        with pytest.raises(StoreError, match=r"the log house\.sqlite-wal of another store is there"):
            SqliteStore(left / "house.sqlite")
        assert not (left / "house.sqlite").exists()

    def test_a_database_of_somebody_else(self, path: Path) -> None:
        change(path, "CREATE TABLE records (a)")
        with pytest.raises(StoreError, match="is not a croupier store"):
            SqliteStore(path)

    def test_one_of_a_newer_croupier(self, store: SqliteStore, path: Path) -> None:
        store.close()
        change(path, f"PRAGMA user_version = {file.NEWEST + 1}")
        with pytest.raises(StoreError) as error:
            SqliteStore(path)
        assert str(error.value) == (
            f"The store {path} has tables of version {file.NEWEST + 1}, and this croupier knows version {file.NEWEST}: "
            "use a newer one."
        )

    def test_tables_that_are_not_ours(self, store: SqliteStore, path: Path) -> None:
        store.close()
        change(path, "ALTER TABLE answers RENAME COLUMN reply TO reqly")
        with pytest.raises(CorruptStore, match="its tables are not those of version"):
            SqliteStore(path)

    @pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
    def test_a_file_that_was_cut_off(self, store: SqliteStore, path: Path, part: float) -> None:
        for number in range(20):
            fill(store, f"table/{number}", 30)
        store.close()
        os.truncate(path, int(path.stat().st_size * part))
        with pytest.raises(CorruptStore, match=f"The store {path} is damaged"):
            SqliteStore(path)

    def test_a_large_one_is_looked_at_where_its_streams_end(
        self, store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fill(store, "a", 3)
        fill(store, "b", 3)
        store.close()
        monkeypatch.setattr("croupier.store.sqlite.store.CHECKED_WHOLE", 0)
        with closing(SqliteStore(path)) as again:
            assert again.head("a").version == 3
        change(path, "DELETE FROM records WHERE stream = 'b' AND version = 3")
        with pytest.raises(CorruptStore, match="event 3 of b, its last one, is missing or altered"):
            SqliteStore(path)
        change(path, "DELETE FROM heads WHERE stream = 'b'")
        with pytest.raises(CorruptStore, match="the stream b has events but no head"):
            SqliteStore(path)


class TestVersions:
    def test_a_store_of_the_first_version_is_brought_up_to_date(self, path: Path) -> None:
        shutil.copyfile(make_version_1.FILE, path)
        with closing(SqliteStore(path)) as store:
            assert [record.document for record in store.read("table/craps")] == [
                b'{"event":1}', b'{"event":2}', b'{"event":3}'
            ]  # fmt: skip
            assert [head.stream for head in store.heads()] == ["account/ann", "table/craps"]
            assert store.refusals() == [StoredRefusal(1, b'{"refused":"bet"}')]
            assert store.secret("password/ann") == b"hash"
            answer = store.answer("ann", "k1")
            assert answer is not None
            assert answer.reply == b"first"
            head = store.head("table/craps")
            snapshot = Snapshot("table/craps", 3, head.hash, b"state")
            (outcome,) = commit(store, Write((Append("table/craps", 3, (b"4",)),), snapshots=(snapshot,)))
            assert isinstance(outcome, Committed)
            assert store.snapshot("table/craps") == snapshot
        with closing(apsw.Connection(str(path))) as connection:
            assert connection.pragma("user_version") == file.NEWEST
        assert verify(path).is_good

    def test_a_store_of_the_first_version_is_read_as_it_is(self, path: Path) -> None:
        shutil.copyfile(make_version_1.FILE, path)
        report = verify(path)
        assert (report.is_good, report.records, report.streams) == (True, 4, 2)
        with closing(apsw.Connection(str(path))) as connection:
            assert connection.pragma("user_version") == 1

    def test_the_kept_file_is_one_of_the_first_version(self) -> None:
        header = make_version_1.FILE.read_bytes()[:100]
        assert int.from_bytes(header[60:64], "big") == 1
        assert int.from_bytes(header[68:72], "big") == file.APPLICATION_ID

    def test_a_migration_that_fails_changes_nothing(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        shutil.copyfile(make_version_1.FILE, path)
        broken = (*file.MIGRATIONS, ("CREATE TABLE more (a) STRICT",))
        with monkeypatch.context() as patch:
            patch.setattr(file, "MIGRATIONS", broken)
            with pytest.raises(StoreError, match="cannot be opened"):
                SqliteStore(path)
        with closing(SqliteStore(path)) as store:
            assert store.head("table/craps").version == 3


class TestDamage:
    """What was changed behind the store's back is never served."""

    @pytest.mark.parametrize(
        ("sql", "version", "said"),
        [
            ("UPDATE records SET document = 'x' WHERE version = 3", 3, "was altered"),
            ("UPDATE records SET document = x'00' WHERE version = 3", 3, "was altered"),
            ("UPDATE records SET hash = zeroblob(32) WHERE version = 3", 3, "was altered"),
            ("DELETE FROM records WHERE version = 1", 1, "is missing"),
            ("DELETE FROM records WHERE version = 3", 3, "is missing"),
            ("DELETE FROM records WHERE version = 5", 5, "is missing"),
            ("DELETE FROM records", 1, "is missing"),
            ("UPDATE heads SET version = 4", 5, "is extra"),
            ("UPDATE heads SET hash = zeroblob(32)", 5, "has a different hash from the head"),
            ("DELETE FROM heads", 1, "is extra"),
        ],
    )
    def test_a_stream_is_not_served(self, store: SqliteStore, path: Path, sql: str, version: int, said: str) -> None:
        fill(store, "a", 5)
        if "'x'" in sql:
            sql = sql.replace("'x'", "CAST('x' AS BLOB)")
        change(path, sql)
        with pytest.raises(CorruptStore, match=f"The store {path} is damaged: event {version} of a {said}") as error:
            store.read("a")
        assert (error.value.stream, error.value.version) == ("a", version)

    def test_nor_is_a_page_of_it(self, store: SqliteStore, path: Path) -> None:
        fill(store, "a", 9)
        change(path, "UPDATE records SET hash = zeroblob(32) WHERE version = 3")
        assert len(store.read("a", 0, 2)) == 2
        for page in ((0, 3), (2, 1), (3, 2)):
            with pytest.raises(CorruptStore):
                store.read("a", *page)
        assert len(store.read("a", 4)) == 5
        change(path, "DELETE FROM records WHERE version = 5")
        with pytest.raises(CorruptStore, match="event 5 of a is missing"):
            store.read("a", 5, 1)

    def test_two_swapped(self, store: SqliteStore, path: Path) -> None:
        fill(store, "a", 5)
        for old, new in ((2, 99), (4, 2), (99, 4)):
            change(path, "UPDATE records SET version = ? WHERE version = ?", new, old)
        with pytest.raises(CorruptStore, match="event 2 of a was altered"):
            store.read("a")

    def test_nothing_is_appended_to_a_stream_whose_head_is_not_its_end(self, path: Path) -> None:
        with closing(SqliteStore(path)) as store:
            fill(store, "a", 3)
            fill(store, "b", 3)
        # The file is opened again, as otherwise the house knows where its own streams end.
        with closing(SqliteStore(path)) as store:
            change(path, "UPDATE heads SET version = 2 WHERE stream = 'a'")
            with pytest.raises(CorruptStore, match="the head of a does not match its last event") as error:
                commit(store, append("b", 3, b"x"), append("a", 2, b"x"))
            assert error.value.stream == "a"
            assert store.head("b").version == 3

    @pytest.mark.parametrize(
        ("sql", "asked", "said"),
        [
            (
                "UPDATE answers SET reply = x'00'",
                lambda store: store.answer("ann", "k"),
                "the answer to the command k of ann",
            ),
            (
                "UPDATE answers SET reply = x'00'",
                lambda store: commit(store, append("a", 0, b"1", key="k")),
                "the answer",
            ),
            ("UPDATE vault SET value = x'00'", lambda store: store.secret("s"), "s in the vault"),
            ("UPDATE vault SET value = x'00'", lambda store: store.secrets(), "s in the vault"),
            ("UPDATE refusals SET document = x'00'", lambda store: store.refusals(), "refusal 1"),
        ],
    )
    def test_what_is_beside_the_streams_is_not_served(
        self, store: SqliteStore, path: Path, sql: str, asked: object, said: str
    ) -> None:
        write = append("a", 0, b"1", key="k")
        commit(store, write, Write(refusal=b"no", vault=(Secret("s", b"v"),)))
        change(path, sql)
        assert callable(asked)
        with pytest.raises(CorruptStore, match=said):
            asked(store)
        store.close()
        with pytest.raises(CorruptStore, match=said):
            SqliteStore(path)

    def test_a_damaged_snapshot_is_thrown_away(self, store: SqliteStore, path: Path) -> None:
        fill(store, "a", 2)
        commit(store, Write(snapshots=(Snapshot("a", 2, store.head("a").hash, b"state"),)))
        change(path, "UPDATE snapshots SET state = x'00'")
        assert store.snapshot("a") is None
        assert len(store.read("a")) == 2


class TestTheLog:
    """SQLite drops everything after a damaged page of its log; the store does not allow that."""

    @pytest.fixture
    def crashed(self, path: Path, tmp_path: Path) -> Path:
        """A store as a crash leaves it: ten acknowledged transactions, all of them in the log."""
        left = tmp_path / "crashed"
        left.mkdir()
        with closing(SqliteStore(path)) as store:
            for _ in range(10):
                fill(store, "a", 2)
            for file in (path, path.with_name("house.sqlite-wal")):
                shutil.copyfile(file, left / file.name)
        return left / "house.sqlite"

    def test_a_log_that_is_whole_is_taken_in(self, crashed: Path) -> None:
        with closing(SqliteStore(crashed)) as store:
            assert len(store.read("a")) == 20

    def test_a_flipped_bit_is_found_unless_it_may_be_the_end_of_what_was_written(self, crashed: Path) -> None:
        log = crashed.with_name("house.sqlite-wal")
        whole = log.read_bytes()
        file = crashed.read_bytes()
        told: list[str] = []
        places = [*range(0, 32, 5), *range(40, len(whole), 997)]
        for place in places:
            log.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
            try:
                with closing(SqliteStore(crashed)) as store:
                    kept = len(store.read("a"))
                assert kept in (18, 20), place  # all, or all but what was written last
            except CorruptStore as error:
                told.append(str(error))
            crashed.write_bytes(file)
        assert len(told) > len(places) * 0.8
        assert all("of its log house.sqlite-wal was altered" in sentence for sentence in told)

    def test_what_was_torn_in_a_crash_was_never_acknowledged(self, crashed: Path) -> None:
        log = crashed.with_name("house.sqlite-wal")
        whole = log.read_bytes()
        file = crashed.read_bytes()
        seen = set()
        for end in range(len(whole) - 1, 0, -2500):
            crashed.write_bytes(file)
            crashed.with_name("house.sqlite-shm").unlink(missing_ok=True)
            log.write_bytes(whole[:end])
            with closing(SqliteStore(crashed)) as store:
                seen.add(len(store.read("a")))
        assert seen <= set(range(0, 20, 2))
        assert len(seen) > 5


class TestFailingDisks:
    @pytest.mark.parametrize(
        ("error", "said"),
        [
            (apsw.FullError, "its disk is full"),
            (apsw.IOError, "its disk failed"),
            (apsw.ReadOnlyError, "it is read-only"),
        ],
    )
    def test_whatever_fails_nothing_is_half_done_and_it_goes_on(
        self, path: Path, error: type[apsw.Error], said: str
    ) -> None:
        """Every single operation of a commit fails in turn."""
        files = FaultyFiles()
        with closing(SqliteStore(path, vfs=files.name)) as store:
            fill(store, "a", 1)
            before = files.operations
            fill(store, "a", 1)
            needed = files.operations - before
            for nth in range(1, needed + 1):
                before_it = store.read("a")
                write = append("a", len(before_it), b"x" * 3000, key=f"k{nth}")
                with files.failing(error, nth), pytest.raises(StoreError) as told:
                    commit(store, write)
                assert str(told.value) == f"The store {path} wrote nothing: {said}."
                assert store.read("a") == before_it
                assert store.answer("ann", f"k{nth}") is None
                assert isinstance(commit(store, write)[0], Committed)
            assert len(store.read("a")) == 2 + needed
        assert verify(path).is_good

    def test_one_failure_that_passes(self, path: Path) -> None:
        files = FaultyFiles()
        with closing(SqliteStore(path, vfs=files.name)) as store:
            for nth in range(1, 5):
                with files.failing(apsw.IOError, nth, times=1), pytest.raises(StoreError, match="wrote nothing"):
                    fill(store, "a", 50)
                fill(store, "a", 1)
            assert len(store.read("a")) == 4
        assert verify(path).is_good

    def test_a_store_that_cannot_be_made_is_not_there(self, path: Path) -> None:
        files = FaultyFiles()
        with files.failing(apsw.FullError), pytest.raises(StoreError, match="cannot be opened: its disk is full"):
            SqliteStore(path, vfs=files.name)
        assert not path.exists()
        with closing(SqliteStore(path, vfs=files.name)) as store:
            fill(store, "a", 1)

    def test_a_copy_that_cannot_be_finished_is_not_there(self, store: SqliteStore, path: Path, tmp_path: Path) -> None:
        fill(store, "a", 1)
        with pytest.raises(StoreError, match="cannot be written: there is no folder"):
            store.copy_to(tmp_path / "no" / "copy.sqlite")
        with pytest.raises(StoreError, match="cannot be written: it is a folder"):
            store.copy_to(tmp_path)
        assert sorted(file.name for file in tmp_path.iterdir() if "copy" in file.name) == []

    def test_a_disk_with_no_room_left(self, path: Path, children: Children) -> None:
        """Files of a child process may not grow beyond a limit: to it, that is a full disk."""
        result = children.run("fill_up", {"path": str(path), "bytes": 400_000})
        assert result["said"].startswith(f"The store {path} wrote nothing: its disk ")
        assert result["after"] == result["before"] > 0
        with closing(SqliteStore(path)) as store:
            assert len(store.read("a")) == result["after"]
            fill(store, "a", 1)
        assert verify(path).is_good


class TestClosedFiles:
    @pytest.fixture
    def path(self) -> Iterator[Path]:
        """A path in a folder that everyone can access."""
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder) / "house.sqlite"

    def test_a_folder_that_is_closed_to_writing(self, path: Path, children: Children) -> None:
        with closing(SqliteStore(path)) as store:
            fill(store, "a", 3)
        path.with_name("house.sqlite.lock").unlink()
        path.parent.chmod(0o755)
        path.chmod(0o644)
        folder = path.parent
        folder.chmod(0o555)
        try:
            result = children.run("open_as_nobody", {"path": str(path)})
        finally:
            folder.chmod(0o755)
        assert result["writing"] == f"The store {path} cannot be opened: Permission denied."
        assert result["making"] == f"The store {folder}/new.sqlite cannot be opened: Permission denied."
        assert (result["read"], result["faults"]) == (3, 0)

    def test_a_file_that_may_only_be_read(self, path: Path, children: Children) -> None:
        with closing(SqliteStore(path)) as store:
            fill(store, "a", 3)
        path.with_name("house.sqlite.lock").chmod(0o666)
        path.chmod(0o444)
        path.parent.chmod(0o777)
        result = children.run("open_as_nobody", {"path": str(path)})
        assert result["writing"] == f"The store {path} cannot be opened: it is read-only."
        assert (result["read"], result["faults"]) == (3, 0)


def test_a_store_is_one_of_the_kind_that_is_promised(store: SqliteStore) -> None:
    kept: Store = store
    assert kept.name.startswith("The store ")
