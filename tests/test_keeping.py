"""`croupier verify`, `export`, `import`, `backup` and `settings`, as someone who keeps a house uses them."""

from __future__ import annotations

import base64
import io
import json
import os
import random
import resource
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import psycopg
import pytest

from croupier.cli.main import INTERRUPTED, main
from croupier.cli.stores import new_file
from croupier.house.account_state import Account
from croupier.house.events import ChipsGranted
from croupier.house.live_streams import taken
from croupier.house.stored_events import decode, encode
from croupier.house.views.history import replayed
from croupier.server.credentials import Session
from croupier.server.settings import Settings, SettingsError, about, read_settings
from croupier.store.checkpoints import STREAM, read_checkpoint
from croupier.store.contract import Reading, Store, StoreError
from croupier.store.keys import HouseKey
from croupier.store.opening import open_store
from croupier.store.records import Snapshot, Write, link
from croupier.store.seals import Seals
from croupier.store.sqlite import SqliteStore
from croupier.store.verifying import verify
from tests import settings
from tests.evenings import HOUSE, KEY, PASSWORDS, play, sign_in
from tests.postgres import NoPostgres, fresh_database
from tests.store.tampering import Opened
from tests.store.writes import append, commit, fill

EVENTS = 33
STREAMS = 3
NOBODY = 65534


class Said(NamedTuple):
    """The outcome of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401  # whatever was printed
        return json.loads(self.out)


Croupier = Callable[..., Said]


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Croupier:
    """Runs croupier."""

    def typed(*words: object) -> Said:
        status = main([str(word) for word in words])
        return Said(status, *capsys.readouterr())

    return typed


@pytest.fixture(scope="session")
def bytes_of_house(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("evening") / "house.sqlite"
    with closing(SqliteStore(path)) as store:
        play(store)
        sign_in(store)
    return path.read_bytes()


@pytest.fixture
def house(tmp_path: Path, bytes_of_house: bytes) -> Path:
    """The store of a house, closed for the night."""
    path = tmp_path / "house.sqlite"
    path.write_bytes(bytes_of_house)
    return path


@pytest.fixture
def exported(house: Path, tmp_path: Path, croupier: Croupier) -> Path:
    path = tmp_path / "house.jsonl"
    assert croupier("export", house, path).status == 0
    return path


def names(folder: Path) -> set[str]:
    """The names in a folder, except those of the files that SQLite adds while a database is open."""
    return {one.name for one in folder.iterdir() if not one.name.endswith(("-wal", "-shm", ".lock"))}


def content(store: Reading) -> object:
    """All content of a store."""
    answers = [store.answer("ann", f"key-{key}") for key in ("sit", "5.00", "10.00")]
    streams = {head.stream: store.read(head.stream) for head in store.heads()}
    return streams, store.refusals(), store.secrets(), answers


# -- verify ------------------------------------------------------------------------------------------------------------


class TestVerify:
    @pytest.mark.parametrize("kind", ["a path", "an address", "an export"])
    def test_a_house_that_is_sound(self, kind: str, house: Path, exported: Path, croupier: Croupier) -> None:
        source = {"a path": house, "an address": f"sqlite:{house}", "an export": exported}[kind]
        done = croupier("verify", source, "--key", KEY.public.hex)
        assert (done.status, done.err) == (0, "")
        assert done.out.splitlines() == [
            f"The {'export' if source == exported else 'store'} {exported if source == exported else house}",
            f"holds        {EVENTS} events in {STREAMS} streams and 2 checkpoints",
            f"house        {HOUSE}",
            f"key          {KEY.public.hex}",
            "             (the key you gave)",
            "sealed       up to 2026-11-15T01:00:48.000Z, by checkpoint 2",
            "             not sealed yet: 1 event since then",
            "books        1 table and 2 accounts: every cent is accounted for",
            "",
            "All is well: everything is as it was written, and the books balance.",
        ]

    def test_for_programs(self, house: Path, exported: Path, croupier: Croupier) -> None:
        told = {source: croupier("verify", source, "--json").json for source in (house, exported)}
        for plain in told.values():
            assert plain["ok"] is True
            assert (plain["events"], plain["streams"], plain["checkpoints"]) == (EVENTS, STREAMS, 2)
            assert plain["books"] == {"tables": 1, "accounts": 2}
            assert plain["faults"] == []
        sealed = told[house]["sealed"]
        assert sealed == told[exported]["sealed"]
        assert (sealed["number"], sealed["house"], sealed["key"]) == (2, HOUSE, KEY.public.hex)
        assert (sealed["key_given"], sealed["events_since"]) == (False, 1)

    def test_what_it_prints_for_programs_is_a_checkpoint_to_keep(
        self, house: Path, tmp_path: Path, croupier: Croupier
    ) -> None:
        sealed = croupier("verify", house, "--json").json["sealed"]
        kept = tmp_path / "kept"
        kept.write_text(f"{sealed['statement']}\n{sealed['signature']}\n")
        assert read_checkpoint(kept.read_bytes().strip()).has_good_signature()
        assert croupier("verify", house, "--checkpoint", kept).status == 0
        with closing(SqliteStore(house)) as store:
            cut = Opened(store)
        del cut.streams[STREAM][1:]
        del cut.streams["table/sic-bo-1"][14:]
        older = cut.export(tmp_path / "older.jsonl")
        assert croupier("verify", older).status == 0
        done = croupier("verify", older, "--checkpoint", kept)
        assert done.status == 1
        assert "- Checkpoint 2, which was kept, is missing, and so is everything after it." in done.out

    @pytest.mark.parametrize("kind", ["export", "save"])
    def test_what_was_changed_is_named(self, kind: str, house: Path, tmp_path: Path, croupier: Croupier) -> None:
        with closing(SqliteStore(house)) as store:
            whole = Opened(store)
        for change, sentence in CHANGES:
            changed = whole.copy()
            change(changed.streams["account/ann"])
            path = getattr(changed, kind)(tmp_path / f"{kind}-{CHANGES.index((change, sentence))}")
            done = croupier("verify", path)
            assert done.status == 1
            assert sentence in " ".join(done.out.split())
            assert "All is well" not in done.out
            assert "The books were not audited" in done.out
            first = croupier("verify", path, "--json").json["faults"][0]
            assert (first["stream"], first["version"]) == ("account/ann", 3)

    def test_whose_key_it_is(self, house: Path, tmp_path: Path, croupier: Croupier) -> None:
        pem = tmp_path / "house.pub"
        pem.write_bytes(KEY.public.pem())
        assert "(the key you gave)" in croupier("verify", house, "--key", pem).out
        assert "(not checked: " in croupier("verify", house).out
        done = croupier("verify", house, "--key", HouseKey.new().public.hex)
        assert done.status == 1
        assert "signed with a key other than the house's" in done.out

    def test_a_store_without_a_seal(self, tmp_path: Path, croupier: Croupier) -> None:
        path = tmp_path / "a.sqlite"
        with closing(SqliteStore(path)) as store:
            fill(store, "a", 3)
        done = croupier("verify", path)
        assert done.status == 0
        assert "sealed       no: nothing is signed yet" in done.out
        assert "books" not in done.out, "these are no documents of a house"
        assert croupier("verify", path, "--json").json["books"] is None
        assert croupier("verify", path, "--key", KEY.public.hex).status == 1

    def test_names_that_would_write_on_the_screen(self, tmp_path: Path, croupier: Croupier) -> None:
        path = tmp_path / "a.jsonl"
        with closing(open_store("memory:")) as store:
            fill(store, "a", 2)
            opened = Opened(store)
        opened.streams["\x1b[2J\ud7ff"] = opened.streams.pop("a")
        done = croupier("verify", opened.export(path))
        assert done.status == 1
        assert "\x1b" not in done.out
        assert "\x1b" not in json.dumps(croupier("verify", path, "--json").json, ensure_ascii=False)


def _altered(rows: list[Any]) -> None:
    rows[2] = (3, rows[2][1].replace(b"2026", b"2025"), rows[2][2])


def _taken_out(rows: list[Any]) -> None:
    del rows[2]


def _put_in(rows: list[Any]) -> None:
    rows.insert(2, (3, b"{}", link(rows[1][2], b"{}")))
    rows[3] = (4, *rows[3][1:])
    rows[4] = (5, *rows[4][1:])


CHANGES: list[tuple[Callable[[list[Any]], None], str]] = [
    (_altered, "- Event 3 of account/ann was altered or moved"),
    (_taken_out, "- Event 3 of account/ann is missing."),
    (_put_in, "- Event 3 of account/ann was inserted: event 4 continues from the event before it."),
]


# -- the books ---------------------------------------------------------------------------------------------------------


class TestBooks:
    @pytest.mark.parametrize("kind", ["export", "save"])
    def test_a_house_that_made_chips_up(self, kind: str, house: Path, tmp_path: Path, croupier: Croupier) -> None:
        """Someone rewrites a stream, with all hashes, and deletes the checkpoints."""
        with closing(SqliteStore(house)) as store:
            opened = Opened(store)
        del opened.streams[STREAM]
        rows = opened.streams["account/ann"]
        place = next(i for i, row in enumerate(rows) if isinstance(decode(row[1]).event, ChipsGranted))
        document = decode(rows[place][1])
        less = msgspec.structs.replace(document.event, cents=50_00)
        rows[place] = (*rows[place][:1], encode(msgspec.structs.replace(document, event=less)), rows[place][2])
        opened.rechain("account/ann")
        path = getattr(opened, kind)(tmp_path / "rewritten")
        done = croupier("verify", path)
        assert done.status == 1
        assert "- account/ann, event 4: account ann holds -50.00." in done.out
        assert "accounted for" not in done.out
        faults = croupier("verify", path, "--json").json["faults"]
        assert ("books", "account/ann", 4) in {(fault["kind"], fault["stream"], fault["version"]) for fault in faults}

    @pytest.mark.parametrize("kind", ["export", "save"])
    @pytest.mark.parametrize(
        ("document", "why"), [(b"{}", "format None"), (b'{"format":99}', "has format 99; this version reads")]
    )
    def test_documents_that_cannot_be_read(
        self, document: bytes, why: str, kind: str, house: Path, tmp_path: Path, croupier: Croupier
    ) -> None:
        with closing(SqliteStore(house)) as store:
            commit(store, append("account/bob", 3, document, document))
            path = getattr(Opened(store), kind)(tmp_path / "odd")
        done = croupier("verify", path, "--json")
        assert done.status == 1
        (fault,) = done.json["faults"]
        assert (fault["kind"], fault["stream"], fault["version"]) == ("unread", "account/bob", 4)
        assert why in fault["sentence"]

    @pytest.mark.parametrize("stream", ["account/ann", "table/sic-bo-1"])
    def test_a_snapshot_that_no_events_lead_to(self, stream: str, house: Path, croupier: Croupier) -> None:
        """A house that starts from it would pay out chips that no one ever had."""

        def keep(version: int, forge: Callable[[Any], Any]) -> None:
            with closing(SqliteStore(house)) as store:
                state, head = replayed(store, stream, version)
                snapshot = taken(stream, forge(state), head)
                assert snapshot is not None
                store.use(Seals(KEY))
                commit(store, Write(snapshots=(snapshot,)))

        for version in (3, 4):
            keep(version, lambda state: state)
            assert croupier("verify", house).status == 0
            keep(version, richer)
            done = croupier("verify", house)
            assert done.status == 1
            assert f"- The snapshot of {stream} at event {version} " in done.out
            assert "All is well" not in done.out
            (fault,) = croupier("verify", house, "--json").json["faults"]
            assert (fault["kind"], fault["stream"], fault["version"]) == ("snapshot", stream, version)

    def test_a_snapshot_that_no_house_would_begin_with(self, house: Path, croupier: Croupier) -> None:
        with closing(SqliteStore(house)) as store:
            store.use(Seals(KEY))
            commit(store, Write(snapshots=(Snapshot("account/ann", 2, store.read("account/ann")[1].hash, b"older"),)))
        assert croupier("verify", house).status == 0

    def test_a_file_that_changes_while_it_is_read(
        self, exported: Path, croupier: Croupier, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def verified(path: Path, *given: Any) -> object:  # noqa: ANN401  # as it is called
            report = verify(path, *given)
            path.write_bytes(path.read_bytes().replace(b"100000", b"100001"))
            return report

        monkeypatch.setattr("croupier.cli.verify.verify_chains", verified)
        assert croupier("verify", exported) == (2, "", f"croupier: {exported} was changed while it was read.\n")


def richer(state: Any) -> Any:  # noqa: ANN401  # a table or an account
    """The same with chips from nowhere."""
    if isinstance(state, Account):
        return msgspec.structs.replace(state, chips=1_000_000_00)
    return msgspec.structs.replace(state, game=msgspec.structs.replace(state.game, chips={"ann": 1_000_000_00}))


# -- one byte ----------------------------------------------------------------------------------------------------------


def changed_byte(whole: bytes, seed: int) -> bytes:
    rnd = random.Random(seed)
    place = rnd.randrange(len(whole))
    other = (whole[place] + rnd.randrange(1, 256)) % 256
    return whole[:place] + bytes([other]) + whole[place + 1 :]


@pytest.fixture(scope="session")
def bytes_of_export(bytes_of_house: bytes, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("exported")
    (folder / "house.sqlite").write_bytes(bytes_of_house)
    assert main(["export", str(folder / "house.sqlite"), str(folder / "house.jsonl"), "--refusals"]) == 0
    return (folder / "house.jsonl").read_bytes()


@pytest.mark.parametrize("seed", range(100))
def test_no_byte_of_an_export_can_be_changed(
    seed: int, bytes_of_export: bytes, tmp_path: Path, croupier: Croupier
) -> None:
    path = tmp_path / "changed.jsonl"
    path.write_bytes(changed_byte(bytes_of_export, seed))
    done = croupier("verify", path)
    assert done.status in (1, 2), done.out
    assert "All is well" not in done.out
    assert croupier("import", path, tmp_path / "new.sqlite").status == 2
    assert names(tmp_path) == {"changed.jsonl"}


@pytest.fixture(scope="session")
def whole(bytes_of_house: bytes, tmp_path_factory: pytest.TempPathFactory) -> object:
    path = tmp_path_factory.mktemp("whole") / "house.sqlite"
    path.write_bytes(bytes_of_house)
    with closing(SqliteStore(path)) as store:
        return content(store)


@pytest.mark.parametrize("seed", range(150))
def test_no_byte_of_a_store_can_be_changed_unless_it_means_nothing(
    seed: int, house: Path, whole: object, croupier: Croupier
) -> None:
    """A file has unused space."""
    house.write_bytes(changed_byte(house.read_bytes(), seed))
    done = croupier("verify", house)
    assert done.status == 0 or "All is well" not in done.out
    if done.status == 0:
        with closing(open_store(f"sqlite:{house}", read_only=True)) as store:
            assert content(store) == whole


# -- there and back ----------------------------------------------------------------------------------------------------


def overtaken(target: Path) -> None:
    """Create a file while someone else creates one with the same name."""
    with new_file(target) as beside:
        beside.write_text("ours")
        target.write_text("theirs")


class TestMoving:
    def test_there_and_back(self, house: Path, tmp_path: Path, croupier: Croupier) -> None:
        file, new = tmp_path / "a.jsonl", tmp_path / "new.sqlite"
        done = croupier("export", house, file, "--refusals")
        assert done == (
            0,
            f"{file} has {EVENTS} events in {STREAMS} streams and 2 checkpoints, and 2 refusals.\n"
            "Passwords, sessions, tokens and secrets of dice are not in it.\n",
            "",
        )
        done = croupier("import", file, new, "--key", KEY.public.hex)
        assert (done.status, done.err) == (0, "")
        assert done.out.startswith(f"{file} was verified and imported: {EVENTS} events in ")
        assert "people need new ones" in done.out
        with closing(SqliteStore(house)) as old, closing(SqliteStore(new)) as store:
            assert Opened(store).streams == Opened(old).streams
            assert [one.document for one in store.refusals()] == [one.document for one in old.refusals()]
            assert store.secrets() == []
            commit(store, append("account/ann", 4, b"goes on"))
        assert stat.S_IMODE(new.stat().st_mode) == stat.S_IMODE(file.stat().st_mode) == 0o600
        assert names(tmp_path) == {"house.sqlite", "a.jsonl", "new.sqlite"}

    def test_results_for_programs(self, house: Path, tmp_path: Path, croupier: Croupier) -> None:
        file, copy = tmp_path / "a.jsonl", tmp_path / "copy.sqlite"
        counts = {"streams": STREAMS, "events": EVENTS, "checkpoints": 2, "refusals": 0}
        assert croupier("export", house, file, "--json").json == {"ok": True, "file": str(file), **counts}
        done = croupier("import", file, tmp_path / "new.sqlite", "--json")
        assert done.json == {"ok": True, "file": str(file), **counts}
        done = croupier("backup", house, copy, "--json")
        assert done.json == {"ok": True, "file": str(copy), "kind": "copy", "bytes": copy.stat().st_size}

    def test_refusals_are_exported_only_when_they_are_asked_for(
        self, house: Path, exported: Path, tmp_path: Path, croupier: Croupier
    ) -> None:
        assert b"not_at_table" not in exported.read_bytes()
        croupier("export", house, tmp_path / "all.jsonl", "--refusals")
        assert b"not_at_table" in (tmp_path / "all.jsonl").read_bytes()

    def test_while_a_house_is_at_work(self, house: Path, tmp_path: Path, croupier: Croupier) -> None:
        with closing(SqliteStore(house)) as store:
            commit(store, append("account/ann", 4, b"new, and still in the log only"))
            assert croupier("export", house, tmp_path / "a.jsonl").status == 0
            done = croupier("backup", house, tmp_path / "copy.sqlite")
            said = f"{tmp_path / 'copy.sqlite'} is a complete copy of the store, including its private data.\n"
            assert done == (0, said, "")
            commit(store, append("account/ann", 5, b"later"))
            assert croupier("verify", house, "--json").json["events"] == EVENTS + 2
            done = croupier("import", tmp_path / "a.jsonl", house)
            assert done.status == 2
            assert f"is in use by another house (process {os.getpid()})" in done.err
            with closing(SqliteStore(tmp_path / "copy.sqlite")) as copy:
                assert copy.read("account/ann") == store.read("account/ann")[:5]
                assert copy.secrets() == store.secrets() != []
        assert b"still in the log only" in (tmp_path / "a.jsonl").read_bytes()

    def test_into_a_store_that_is_there_and_empty(self, exported: Path, tmp_path: Path, croupier: Croupier) -> None:
        new = tmp_path / "new.sqlite"
        SqliteStore(new).close()
        assert croupier("import", exported, new).status == 0
        assert croupier("verify", f"sqlite:{new}", "--json").json["events"] == EVENTS

    @pytest.mark.parametrize("command", ["export", "backup"])
    def test_nothing_is_overwritten(self, command: str, house: Path, tmp_path: Path, croupier: Croupier) -> None:
        there, link = tmp_path / "there", tmp_path / "link"
        there.write_text("mine")
        link.symlink_to(tmp_path / "nothing")
        for target in (there, link, Path(os.devnull), house):
            said = f"croupier: {target} already exists and was not overwritten.\n"
            assert croupier(command, house, target) == (2, "", said)
        assert there.read_text() == "mine"
        assert names(tmp_path) == {"house.sqlite", "there", "link"}

    def test_nor_what_comes_there_in_the_meantime(self, tmp_path: Path) -> None:
        target = tmp_path / "target"
        with pytest.raises(StoreError, match="target already exists"):
            overtaken(target)
        assert target.read_text() == "theirs"
        assert names(tmp_path) == {"target"}

    def test_on_a_disk_that_knows_no_second_names(
        self, house: Path, tmp_path: Path, croupier: Croupier, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refused(*_given: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", refused)
        file = tmp_path / "a.jsonl"
        assert croupier("export", house, file).status == 0
        assert croupier("verify", file).status == 0
        with pytest.raises(StoreError, match="target already exists"):
            overtaken(tmp_path / "target")
        assert (tmp_path / "target").read_text() == "theirs"
        assert names(tmp_path) == {"house.sqlite", "a.jsonl", "target"}

    @pytest.mark.parametrize("command", ["import", "backup"])
    def test_a_log_of_another_store_is_not_mixed_up_with_a_new_one(
        self, command: str, house: Path, exported: Path, tmp_path: Path, croupier: Croupier
    ) -> None:
        (tmp_path / "new.sqlite-wal").write_bytes(b"what another store wrote last")
        done = croupier(command, exported if command == "import" else house, tmp_path / "new.sqlite")
        assert (done.status, done.out) == (2, "")
        assert "the log new.sqlite-wal of another store is there" in done.err
        assert names(tmp_path) == {"house.sqlite", "house.jsonl"}

    def test_a_store_that_is_not_empty(self, house: Path, exported: Path, croupier: Croupier) -> None:
        before = house.read_bytes()
        said = f"croupier: The store {house} is not empty: an export can be imported only into an empty store.\n"
        assert croupier("import", exported, house) == (2, "", said)
        assert house.read_bytes() == before

    def test_not_with_another_key(self, exported: Path, tmp_path: Path, croupier: Croupier) -> None:
        done = croupier("import", exported, tmp_path / "new.sqlite", "--key", HouseKey.new().public.hex)
        assert done.status == 2
        assert done.err.startswith(f"croupier: {exported} is not imported: Checkpoint 1 is signed with a key other")
        assert names(tmp_path) == {"house.sqlite", "house.jsonl"}

    def test_a_damaged_store_is_not_exported(self, house: Path, tmp_path: Path, croupier: Croupier) -> None:
        with closing(sqlite3.connect(house)) as tool, tool:
            tool.execute("UPDATE records SET document = x'00' WHERE stream = 'account/ann' AND version = 2")
        done = croupier("export", house, tmp_path / "a.jsonl")
        assert (done.status, done.out) == (2, "")
        assert "event 2 of account/ann was altered" in done.err
        assert names(tmp_path) == {"house.sqlite"}

    def test_one_that_is_interrupted(
        self, house: Path, tmp_path: Path, croupier: Croupier, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def pressed(store: Store, target: Path, *_given: object, **_named: object) -> None:
            target.write_text("half of it")
            raise KeyboardInterrupt

        monkeypatch.setattr("croupier.cli.stores.export_to", pressed)
        assert croupier("export", house, tmp_path / "a.jsonl").status == INTERRUPTED
        assert names(tmp_path) == {"house.sqlite"}

    @pytest.mark.parametrize("command", ["export", "import", "backup"])
    def test_a_full_disk(self, command: str, tmp_path: Path) -> None:
        """Files may not grow beyond a limit: that is a full disk."""
        large, file, target = tmp_path / "large.sqlite", tmp_path / "large.jsonl", tmp_path / "target"
        with closing(SqliteStore(large)) as store:
            commit(store, append("a", 0, *[b"x" * 1000] * 1000))
        assert main(["export", str(large), str(file)]) == 0
        words = [command, str(file if command == "import" else large), str(target)]
        done = subprocess.run(
            [sys.executable, "-m", "croupier.cli.main", *words],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000)),
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("croupier: ")
        assert str(target) in done.stderr
        assert ".part" not in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert names(tmp_path) == {"large.sqlite", "large.jsonl"}


# -- what cannot be read -----------------------------------------------------------------------------------------------


class TestCannot:
    @pytest.fixture
    def place(self, tmp_path: Path, house: Path, exported: Path) -> Path:
        """A folder with all kinds of things in it."""
        folder = tmp_path / "place"
        folder.mkdir()
        (folder / "empty").touch()
        (folder / "notes.txt").write_text("Buy milk.\n")
        with closing(sqlite3.connect(folder / "other.db")) as other, other:
            other.execute("CREATE TABLE milk (litres)")
        house.rename(folder / "house.sqlite")
        exported.rename(folder / "house.jsonl")
        return folder

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ("verify nothing", "nothing cannot be read: No such file or directory."),
            ("verify sqlite:nothing", "The store nothing cannot be opened: there is no such file."),
            ("verify .", ". cannot be read: it is a folder."),
            ("verify sqlite:.", ". is not a store: it is a folder."),
            ("import house.jsonl sqlite:..", ".. is not a store: it is a folder."),
            ("verify /dev/zero", "/dev/zero cannot be read: it is not an ordinary file."),
            ("verify empty", "empty is neither a store nor an exported file, or its beginning is damaged."),
            ("verify notes.txt", "notes.txt is neither a store nor an exported file, or its beginning is damaged."),
            ("verify sqlite:notes.txt", "The store notes.txt is damaged: its file is not a database."),
            ("verify other.db", "The store other.db is not a croupier store: its file is another kind of database"),
            ("verify memory:", "A store in memory is gone when its house closes: there is nothing to read."),
            ("verify mysql://me:geheim@here/db", "That is not the address of a store"),
            ("verify postgres://me:geheim@127.0.0.1:1/db", "The PostgreSQL store db at 127.0.0.1:1 does not answer"),
            ("verify house.sqlite --key nothing", "The key nothing cannot be read: No such file or directory."),
            ("verify house.sqlite --key notes.txt", "notes.txt does not contain an Ed25519 key in PEM form."),
            ("verify house.sqlite --checkpoint nothing", "The checkpoint nothing cannot be read: No such file"),
            ("verify house.sqlite --checkpoint notes.txt", "The checkpoint that was kept is not a statement"),
            ("export nothing a", "nothing cannot be read: No such file or directory."),
            ("export notes.txt a", "notes.txt is neither a store nor an exported file"),
            ("export house.jsonl a", "house.jsonl is an exported file, not a store."),
            ("export other.db a", "The store other.db is not a croupier store"),
            ("export house.sqlite no/a", "no/a cannot be written: there is no folder no."),
            ("export house.sqlite /dev/full", "/dev/full already exists and was not overwritten."),
            ("export postgres://me:geheim@127.0.0.1:1/db a", "The PostgreSQL store db at 127.0.0.1:1 does not answer"),
            ("import nothing a", "nothing cannot be read: No such file or directory."),
            ("import notes.txt a", "notes.txt is neither a store nor an exported file"),
            ("import house.sqlite a", "house.sqlite is a store, not an exported file: croupier backup copies a store."),
            ("import house.jsonl .", ". cannot be read: it is a folder."),
            ("import house.jsonl notes.txt", "notes.txt is neither a store nor an exported file"),
            ("import house.jsonl other.db", "The store other.db is not a croupier store"),
            ("import house.jsonl no/a", "no/a cannot be written: there is no folder no."),
            ("import house.jsonl sqlite:", "An SQLite store has a path"),
            ("import house.jsonl memory:", "A store in memory keeps nothing"),
            ("import house.jsonl postgres://me:geheim@127.0.0.1:1/db", "The PostgreSQL store db at 127.0.0.1:1 does"),
            ("backup house.jsonl a", "house.jsonl is an exported file, not a store."),
            ("backup other.db a", "The store other.db is not a croupier store"),
            ("backup house.sqlite no/a", "no/a cannot be written: there is no folder no."),
        ],
    )
    def test_is_told_in_one_sentence(
        self, words: str, said: str, place: Path, croupier: Croupier, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(place)
        before = names(place)
        done = croupier(*words.split())
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith(f"croupier: {said}")
        assert len(done.err.splitlines()) == 1
        assert "geheim" not in done.err
        assert names(place) == before

    def test_a_file_that_is_closed_to_us(self, bytes_of_house: bytes, croupier: Croupier) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "house.sqlite"
            path.write_bytes(bytes_of_house)
            assert croupier("export", path, path.with_name("a")).status == 0, "and all is loaded"
            path.chmod(0)
            path.parent.chmod(0o755)
            before = names(path.parent)
            with somebody_else():
                said = "croupier: {} cannot be read: Permission denied.\n"
                assert croupier("verify", path) == (2, "", said.format(path))
                assert croupier("export", path, path.with_name("b")) == (2, "", said.format(path))
                assert croupier("verify", f"sqlite:{path}").status == 2
            assert names(path.parent) == before

    def test_a_driver_that_is_not_installed(self, croupier: Croupier, monkeypatch: pytest.MonkeyPatch) -> None:
        def missing(name: str) -> object:
            raise ImportError(name)

        monkeypatch.setattr("croupier.store.opening.import_module", missing)
        done = croupier("verify", "postgres://localhost/house")
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith("croupier: A PostgreSQL store needs psycopg, which is not installed: pip install")

    def test_a_store_so_damaged_that_it_cannot_be_opened(self, house: Path, croupier: Croupier) -> None:
        """The file says that it is one of ours, so it is damaged, not something else."""
        house.write_bytes(house.read_bytes()[: 4096 * 2 + 7])
        done = croupier("verify", house)
        assert done.status == 1
        assert "is damaged" in done.out
        assert croupier("verify", house, "--json").json["faults"][0]["kind"] == "damaged"


class somebody_else:  # noqa: N801  # reads as a function
    """Someone without special rights, since root could read every file."""

    def __enter__(self) -> None:
        self._is_root = os.geteuid() == 0
        if self._is_root:
            os.seteuid(NOBODY)

    def __exit__(self, *_given: object) -> None:
        if self._is_root:
            os.seteuid(0)


# -- what is private ---------------------------------------------------------------------------------------------------


def test_nothing_private_leaves_the_store(tmp_path: Path, croupier: Croupier) -> None:
    path, file = tmp_path / "house.sqlite", tmp_path / "house.jsonl"
    with closing(SqliteStore(path)) as store:
        play(store)
        evening = sign_in(store)
        kept = {one.name: one.value for one in store.secrets() if one.value is not None}
    assert {name.partition("/")[0] for name in kept} == {"dice", "password", "session", "token"}
    handed_out = [issued.secret for issued in (*evening.sessions, *evening.tokens)]
    private: set[bytes] = {word.encode() for word in (*PASSWORDS.values(), *handed_out)}
    private |= {sha256(word).hexdigest().encode() for word in private}
    private |= {one.what.csrf.encode() for one in evening.sessions if isinstance(one.what, Session)}
    for value in kept.values():
        private |= {value, value.hex().encode(), base64.b64encode(value).rstrip(b"=")}
        private |= {json.dumps(value.decode(errors="replace"))[1:-1].encode(), sha256(value).hexdigest().encode()}
    assert len(private) > 2 * len(kept)
    printed = ""
    for words in (
        ("export", path, file, "--refusals"),
        ("verify", path),
        ("verify", path, "--json"),
        ("verify", file),
        ("verify", file, "--json"),
        ("import", file, tmp_path / "new.sqlite", "--json"),
    ):
        done = croupier(*words)
        assert done.status == 0
        printed += done.out + done.err
    given_away = file.read_bytes() + (tmp_path / "new.sqlite").read_bytes() + printed.encode()
    assert [secret for secret in private if secret in given_away] == []
    croupier("backup", path, tmp_path / "copy.sqlite")
    copied = (tmp_path / "copy.sqlite").read_bytes()
    assert [name for name, value in kept.items() if value not in copied] == [], "a backup has all of it"


# -- PostgreSQL --------------------------------------------------------------------------------------------------------


@pytest.fixture
def database() -> str:
    """The address of an empty database, with a password in it."""
    try:
        url = fresh_database(f"keeping_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}")
    except NoPostgres as error:
        pytest.skip(str(error))
    return f"{url}{'&' if '?' in url else '?'}password=geheim"


def test_a_database(database: str, exported: Path, tmp_path: Path, croupier: Croupier) -> None:
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(exported.read_bytes().replace(b"100000", b"900000"))
    with psycopg.connect(database) as tool:
        tool.execute("DROP SCHEMA IF EXISTS croupier CASCADE")
    done = croupier("import", changed, database)
    assert done.status == 2
    assert "is not imported" in done.err
    assert croupier("verify", database).err.endswith("cannot be opened: nothing is stored there.\n")
    said = [croupier("import", exported, database)]
    said += [croupier("verify", database), croupier("verify", database, "--json")]
    said += [croupier("export", database, tmp_path / "again.jsonl"), croupier("backup", database, tmp_path / "backup")]
    assert [done.status for done in said] == [0] * len(said), said
    assert "geheim" not in "".join(done.out + done.err for done in said)
    assert said[1].out.startswith("The PostgreSQL store keeping_")
    assert said[1].out.endswith("All is well: everything is as it was written, and the books balance.\n")
    assert said[2].json["events"] == EVENTS
    assert "is an export of 35 events and 0 refusals, without private data" in said[4].out
    assert exported.read_bytes().splitlines()[1:-1] == (tmp_path / "again.jsonl").read_bytes().splitlines()[1:-1]
    assert croupier("verify", tmp_path / "backup").status == 0
    done = croupier("import", exported, database)
    assert done.status == 2
    assert "is not empty" in done.err


@pytest.mark.parametrize("version", [2, 4], ids=["in the middle", "at the end"])
def test_a_database_that_was_changed(version: int, database: str, exported: Path, croupier: Croupier) -> None:
    assert croupier("import", exported, database).status == 0
    with psycopg.connect(database) as tool:
        change = "UPDATE croupier.records SET document = 'x' WHERE stream = 'account/ann' AND version = %s"
        tool.execute(change, [version])
    done = croupier("verify", database)
    assert (done.status, done.err) == (1, "")
    assert f"event {version} of account/ann" in " ".join(done.out.split()).replace("Event", "event")
    assert "geheim" not in done.out


# -- on a screen -------------------------------------------------------------------------------------------------------


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_a_bar_on_a_screen_and_nowhere_else(
    house: Path, exported: Path, tmp_path: Path, croupier: Croupier, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: dict[str, tuple[object, ...]] = {
        "verifying": ("verify", house),
        "exporting": ("export", house, tmp_path / "a.jsonl"),
        "importing": ("import", exported, tmp_path / "new.sqlite"),
        "copying": ("backup", house, tmp_path / "copy.sqlite"),
    }
    assert croupier("verify", exported).err == ""
    monkeypatch.setenv("TERM", "xterm")
    for words, command in commands.items():
        screen = Screen()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stderr", screen)
            done = croupier(*command)
        assert done.status == 0
        assert words in screen.getvalue()


# -- settings ----------------------------------------------------------------------------------------------------------


class TestSettings:
    def test_what_is_printed_is_a_settings_file(self, tmp_path: Path, croupier: Croupier) -> None:
        done = croupier("settings")
        assert done.status == 0
        file = tmp_path / "house.toml"
        file.write_text(done.out, encoding="utf-8")
        assert read_settings(file, {}) == Settings()
        for name, variable, _, _ in about():
            assert f"\n{name} = " in done.out
            assert f"\n# In the environment: {variable}\n" in done.out
        assert all(sentence in " ".join(done.out.replace("\n# ", " ").split()) for _, _, _, sentence in about())

    def test_a_setting_that_there_is_not_is_named(self, tmp_path: Path) -> None:
        file = tmp_path / "house.toml"
        file.write_text("port = 0\nprot = 0\n", encoding="utf-8")
        with pytest.raises(SettingsError, match=r"^There is no setting prot; croupier settings lists them\.$"):
            read_settings(file, {})

    def test_a_file_that_is_no_text_is_told_so(self, tmp_path: Path) -> None:
        file = tmp_path / "house.toml"
        file.write_bytes(b"port = 0 # \xff\n")
        with pytest.raises(SettingsError, match=r"house\.toml is not UTF-8 text\.$"):
            read_settings(file, {})

    @pytest.mark.parametrize(
        ("variable", "text", "says"),
        [
            ("CROUPIER_WELCOME", "5", "Setting welcome: it is an amount such as 1000.00."),
            ("CROUPIER_LOG", "loud", "Setting log: it is one of debug, info, warning, error."),
            ("CROUPIER_FAILURES", "0", "Setting failures: expected `int` >= 1."),
        ],
    )
    def test_what_a_setting_can_be_is_told(self, variable: str, text: str, says: str) -> None:
        with pytest.raises(SettingsError) as error:
            read_settings(None, {variable: text})
        assert str(error.value) == says

    def test_for_programs(self, croupier: Croupier) -> None:
        rows = [
            (row["name"], row["environment"], row["default"], row["about"])
            for row in croupier("settings", "--json").json
        ]
        assert rows == about()

    def test_the_page_is_up_to_date(self) -> None:
        """`python -m tests.settings` writes it."""
        assert settings.PAGE.read_text(encoding="utf-8") == settings.page()
