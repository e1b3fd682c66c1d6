"""Whatever is done to stored events afterwards is found and named, in a store and in an exported file alike."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.store import StoreError
from croupier.store.checkpoints import STREAM, Checkpoint, Sealer, read_checkpoint
from croupier.store.contract import VerificationReport
from croupier.store.exporting import export_to
from croupier.store.keys import HouseKey
from croupier.store.memory import MemoryStore
from croupier.store.records import link
from croupier.store.sqlite import SqliteStore
from croupier.store.verifying import verify
from tests.store.tampering import AT, KEY, TABLES, Opened, furnish
from tests.store.writes import fill

LAST = 9  # events in each stream
SEALED = (3, 5, 9)  # where the checkpoints are


def furnished() -> Opened:
    """A store with three streams and three checkpoints, laid open."""
    store = MemoryStore()
    furnish(store)
    return Opened(store)


WHOLE = furnished()


@pytest.fixture(params=["export", "sqlite"])
def look(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., VerificationReport]:
    """Verify the opened store, as a file of either kind."""
    made = 0

    def verified(opened: Opened, key: HouseKey | None = KEY, kept: bytes | None = None) -> VerificationReport:
        nonlocal made
        made += 1
        file = tmp_path / f"{made}"
        opened.export(file) if request.param == "export" else opened.save(file)
        return verify(file, None if key is None else key.public, kept)

    return verified


Look = Callable[..., VerificationReport]


def named(report: VerificationReport) -> list[tuple[str, str | None, int | None]]:
    return [(fault.kind, fault.stream, fault.version) for fault in report.faults]


def test_what_is_whole_is_good(look: Look) -> None:
    report = look(WHOLE)
    assert report.faults == ()
    assert (report.streams, report.records, report.checkpoints, report.unsealed) == (3, 27, 3, 0)
    assert report.key == KEY.public.hex
    assert report.lines()[0].endswith(
        "has 27 events in 3 streams and 3 checkpoints; all of them are as they were written."
    )
    assert look(WHOLE, key=None).is_good


@pytest.mark.parametrize("version", [1, 4, 9])
class TestOneEvent:
    def test_altered(self, look: Look, version: int) -> None:
        changed = WHOLE.copy()
        number, _, mark = changed.streams["table/a"][version - 1]
        changed.streams["table/a"][version - 1] = (number, b'{"event":"other"}', mark)
        assert named(look(changed)) == [("altered", "table/a", version)]

    def test_its_hash_altered(self, look: Look, version: int) -> None:
        changed = WHOLE.copy()
        number, document, _ = changed.streams["table/a"][version - 1]
        changed.streams["table/a"][version - 1] = (number, document, bytes(32))
        assert named(look(changed)) == [("altered", "table/a", version)]

    def test_taken_out(self, look: Look, version: int) -> None:
        changed = WHOLE.copy()
        del changed.streams["table/a"][version - 1]
        assert named(look(changed)) == [("missing", "table/a", version)]

    def test_taken_out_and_the_rest_counted_anew(self, look: Look, version: int) -> None:
        changed = WHOLE.copy()
        del changed.streams["table/a"][version - 1]
        changed.renumber("table/a")
        ((kind, stream, found),) = named(look(changed))
        assert (stream, found) == ("table/a", version)
        assert kind == ("missing" if version == LAST else "altered")

    def test_altered_and_all_hashes_made_anew(self, look: Look, version: int) -> None:
        """The chain holds; only a checkpoint reveals the change, and shows the last good one."""
        changed = WHOLE.copy()
        number, _, mark = changed.streams["table/a"][version - 1]
        changed.streams["table/a"][version - 1] = (number, b'{"event":"other"}', mark)
        changed.rechain("table/a")
        first = max((sealed for sealed in SEALED if sealed < version), default=0) + 1
        assert named(look(changed)) == [("altered", "table/a", first)]

    def test_moved_to_another_stream(self, look: Look, version: int) -> None:
        changed = WHOLE.copy()
        changed.streams["table/b"].insert(4, changed.streams["table/a"].pop(version - 1))
        for stream in ("table/a", "table/b"):
            changed.renumber(stream)
        assert [fault[1:] for fault in named(look(changed))] == [("table/a", version), ("table/b", 5)]


@pytest.mark.parametrize("version", [1, 4, 8])
def test_one_put_in_with_a_hash_that_follows(look: Look, version: int) -> None:
    changed = WHOLE.copy()
    rows = changed.streams["table/a"]
    before = rows[version - 1][2]
    rows.insert(version, (0, b'{"event":"new"}', link(before, b'{"event":"new"}')))
    changed.renumber("table/a")
    assert named(look(changed)) == [("added", "table/a", version + 1)]


def test_one_put_in_twice_under_the_same_number(tmp_path: Path) -> None:
    """Only a file can contain that: a store has each number once."""
    changed = WHOLE.copy()
    changed.streams["table/a"].insert(4, changed.streams["table/a"][4])
    assert ("added", "table/a", 6) in named(verify(changed.export(tmp_path / "file")))


def test_two_swapped(look: Look) -> None:
    for first, second in ((1, 2), (3, 9), (4, 6)):
        changed = WHOLE.copy()
        rows = changed.streams["table/a"]
        rows[first - 1], rows[second - 1] = rows[second - 1], rows[first - 1]
        changed.renumber("table/a")
        assert named(look(changed)) == [("altered", "table/a", first)]


def test_the_end_cut_off(look: Look) -> None:
    changed = WHOLE.copy()
    changed.streams["table/a"] = changed.streams["table/a"][:4]
    report = look(changed)
    assert named(report) == [("missing", "table/a", 5)]
    assert report.faults[0].sentence == "Events 5 to 9 of table/a are missing, as checkpoint 3 shows."


def test_a_stream_deleted(look: Look) -> None:
    changed = WHOLE.copy()
    del changed.streams["table/a"]
    report = look(changed)
    assert named(report) == [("missing", "table/a", 1)]
    said = "The stream table/a is missing, with all of its 9 events, as checkpoint 3 shows."
    assert report.lines() == [f"{report.name} has 18 events in 2 streams and 3 checkpoints; one fault was found:", said]


def test_a_stream_written_anew(look: Look) -> None:
    changed = WHOLE.copy()
    changed.streams["table/a"] = [(number, b"%d" % number, b"") for number in range(1, 30)]
    changed.rechain("table/a")
    report = look(changed)
    assert named(report) == [("altered", "table/a", 1)]
    assert (
        report.faults[0].sentence
        == "One of the events 1 to 3 of table/a was altered: checkpoint 1 was signed for different events."
    )


def test_every_stream_is_followed_to_its_first_fault(look: Look) -> None:
    changed = WHOLE.copy()
    del changed.streams["table/a"][6]
    del changed.streams["table/a"][2]
    changed.streams["table/b"][4] = (5, b"x", b"y" * 32)
    assert named(look(changed)) == [("missing", "table/a", 3), ("altered", "table/b", 5)]


def test_what_is_newer_than_the_last_checkpoint_is_said(look: Look) -> None:
    store = MemoryStore()
    furnish(store)
    fill(store, "table/a", 2)
    fill(store, "table/new", 3)
    report = look(Opened(store))
    assert (report.is_good, report.unsealed) == (True, 5)
    assert report.lines()[-1] == "The last 5 events are not covered by a checkpoint yet."


class TestCheckpoints:
    def checkpoints(self, opened: Opened) -> list[Checkpoint]:
        return [read_checkpoint(document) for _, document, _ in opened.streams[STREAM]]

    def replace(self, opened: Opened, number: int, document: bytes) -> None:
        """Replace an event and recompute the hashes of its stream, so that only the signatures can reveal it."""
        version, _, mark = opened.streams[STREAM][number - 1]
        opened.streams[STREAM][number - 1] = (version, document, mark)
        opened.rechain(STREAM)

    @pytest.mark.parametrize("number", [1, 2])
    def test_one_taken_out(self, look: Look, number: int) -> None:
        changed = WHOLE.copy()
        del changed.streams[STREAM][number - 1]
        changed.renumber(STREAM)
        changed.rechain(STREAM)
        report = look(changed)
        assert named(report) == [("checkpoint", STREAM, number)]
        assert f"Checkpoint {number} is missing" in report.faults[0].sentence

    def test_all_taken_out(self, look: Look) -> None:
        changed = WHOLE.copy()
        del changed.streams[STREAM]
        assert named(look(changed)) == [("checkpoint", None, None)]
        report = look(changed, key=None)
        assert (report.is_good, report.unsealed, report.key) == (True, 27, None)

    @pytest.mark.parametrize("number", [1, 2, 3])
    def test_one_signed_with_another_key(self, look: Look, number: int) -> None:
        """Under the other key's name, or under the house's."""
        other = HouseKey.new()
        own = self.checkpoints(WHOLE)[number - 1]
        lines = (own.line, own.line.replace(KEY.public.hex.encode(), other.public.hex.encode()))
        for line in lines:
            changed = WHOLE.copy()
            document = b"\n".join((line, other.sign(line).hex().encode(), own.document().split(b"\n")[2]))
            self.replace(changed, number, document)
            report = look(changed)
            assert ("checkpoint", STREAM, number) in named(report)
            assert not look(changed, key=None).is_good

    def test_all_signed_with_another_key(self, look: Look) -> None:
        store = MemoryStore()
        furnish(store)
        changed = Opened(store)
        del changed.streams[STREAM]
        forged = MemoryStore()
        for stream in TABLES:
            fill(forged, stream, LAST)
        other = HouseKey.new()
        Sealer(forged, other, "harbour").seal(AT)
        assert named(look(Opened(forged))) == [("checkpoint", STREAM, 1)]
        assert look(Opened(forged), key=other).is_good

    def test_one_whose_statement_was_changed(self, look: Look) -> None:
        changed = WHOLE.copy()
        self.replace(changed, 2, changed.streams[STREAM][1][1].replace(b'"records":15', b'"records":16'))
        assert ("checkpoint", STREAM, 2) in named(look(changed))

    def test_one_that_lists_other_heads_than_were_signed(self, look: Look) -> None:
        changed = WHOLE.copy()
        self.replace(changed, 2, changed.streams[STREAM][1][1].replace(b'["table/a",5,', b'["table/a",4,'))
        assert ("checkpoint", STREAM, 2) in named(look(changed))

    def test_one_of_another_house_or_out_of_order(self, look: Look) -> None:
        other = MemoryStore()
        furnish(other, (1, 2, 3))
        changed = WHOLE.copy()
        self.replace(changed, 2, Opened(other).streams[STREAM][1][1])
        kinds = {fault[:2] for fault in named(look(changed))}
        assert ("checkpoint", STREAM) in kinds
        swapped = WHOLE.copy()
        rows = swapped.streams[STREAM]
        rows[0], rows[1] = rows[1], rows[0]
        swapped.renumber(STREAM)
        swapped.rechain(STREAM)
        assert ("checkpoint", STREAM, 1) in named(look(swapped))

    def test_a_house_that_takes_its_own_word_back(self, look: Look) -> None:
        """Everything is signed with the right key, and yet the later checkpoint has less than the one before."""
        store = MemoryStore()
        sealer = Sealer(store, KEY, "harbour")
        fill(store, "table/a", 5)
        fill(store, "table/b", 5)
        sealer.seal(AT)
        honest = Opened(store)
        shorter = MemoryStore()
        shorter_sealer = Sealer(shorter, KEY, "harbour")
        fill(shorter, "table/a", 3)
        shorter_sealer.seal(AT)
        fill(shorter, "table/a", 1)
        shorter_sealer.seal(AT)
        changed = Opened(shorter)
        changed.streams[STREAM][0] = honest.streams[STREAM][0]
        changed.rechain(STREAM)
        sentences = [fault.sentence for fault in look(changed).faults]
        assert "Checkpoint 2 removes events of table/a that an earlier one includes." in sentences
        assert "Checkpoint 2 omits table/b, which was at event 5." in sentences

    def test_everything_since_a_moment_taken_back(self, look: Look) -> None:
        """What is left is consistent: only someone who kept a checkpoint can tell."""
        kept = self.checkpoints(WHOLE)
        changed = WHOLE.copy()
        changed.streams[STREAM] = changed.streams[STREAM][:2]
        for table in TABLES:
            changed.streams[table] = changed.streams[table][:5]
        assert look(changed).is_good
        assert look(changed, kept=kept[1].shown()).is_good
        report = look(changed, kept=kept[2].shown() + b"\n")
        assert [fault.sentence for fault in report.faults] == [
            "Checkpoint 3, which was kept, is missing, and so is everything after it."
        ]

    def test_a_kept_one_that_is_not_the_same(self, look: Look) -> None:
        other = MemoryStore()
        furnish(other, (2, 2, 5))
        kept = self.checkpoints(Opened(other))[1]
        assert [fault.sentence for fault in look(WHOLE, kept=kept.document()).faults] == [
            "Checkpoint 2 is not the one that was kept."
        ]
        assert look(WHOLE, kept=self.checkpoints(WHOLE)[1].document()).is_good
        forged = signed_by_another(self.checkpoints(WHOLE)[1])
        assert "is not signed with the house's key" in look(WHOLE, kept=forged).faults[0].sentence
        with pytest.raises(StoreError, match="The checkpoint that was kept is not a statement with a signature"):
            look(WHOLE, kept=b"a letter")


def signed_by_another(checkpoint: Checkpoint) -> bytes:
    """The same statement, signed by someone else."""
    return checkpoint.line + b"\n" + HouseKey.new().sign(checkpoint.line).hex().encode()


class TestAFile:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        return WHOLE.export(tmp_path / "house.jsonl")

    def test_checkpoints_behind_the_events_that_they_are_about(self, file: Path) -> None:
        """An attacker who puts them there, with a correct digest, might hope that they are read too late."""
        changed = WHOLE.copy()
        changed.streams["table/a"] = changed.streams["table/a"][:2]
        renamed = {("zz" if stream == STREAM else stream): rows for stream, rows in changed.streams.items()}
        changed.streams = renamed
        content = changed.export(file).read_bytes().replace(b'"zz"', f'"{STREAM}"'.encode())
        file.write_bytes(content)
        sentences = [fault.sentence for fault in verify(file, KEY.public).faults]
        assert any("is out of place: checkpoints come before all other events" in sentence for sentence in sentences)

    @pytest.mark.parametrize("line", [0, 1, 5, -2, -1])
    def test_a_line_taken_out_put_in_twice_or_emptied(self, file: Path, line: int) -> None:
        lines = file.read_bytes().splitlines(keepends=True)
        taken = [*lines]
        del taken[line]
        for changed in (taken, [*lines, lines[line]], [b"\n" if one == lines[line] else one for one in lines]):
            file.write_bytes(b"".join(changed))
            assert not verify(file).is_good

    def test_a_file_signed_as_a_whole_by_somebody_else(self, tmp_path: Path) -> None:
        store = MemoryStore()
        furnish(store)
        other = HouseKey.new()
        file = tmp_path / "signed.jsonl"
        export_to(store, file, AT, key=other)
        assert any("signed with a key other than the house's" in fault.sentence for fault in verify(file).faults)
        export_to(store, file, AT, key=KEY)
        assert verify(file, KEY.public).is_good
        file.write_bytes(file.read_bytes().replace(b'"signature":"', b'"signature":"00'))
        assert [fault.sentence for fault in verify(file).faults] == [
            "The file is not what was signed: its signature is invalid."
        ]

    def test_what_is_no_export_at_all(self, file: Path, tmp_path: Path) -> None:
        for content in (b"", b"hello\n", b"\xff" * 100, b"{}\n[]\n"):
            file.write_bytes(content)
            report = verify(file)
            assert {fault.kind for fault in report.faults} == {"damaged"}
        with pytest.raises(StoreError, match="cannot be read: No such file or directory"):
            verify(tmp_path / "nothing")
        with pytest.raises(StoreError, match="cannot be read: Is a directory"):
            verify(tmp_path)


# -- any change at all ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    store = MemoryStore()
    furnish(store)
    file = tmp_path_factory.mktemp("export") / "house.jsonl"
    export_to(store, file, AT, key=KEY)
    return file.read_bytes()


@given(data=st.data())
def test_any_byte_of_an_export_that_is_changed_is_found(
    data: st.DataObject, exported: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = data.draw(st.integers(0, len(exported) - 1))
    change = data.draw(st.sampled_from(["flip", "cut", "drop", "put in"]))
    byte = bytes([exported[place] ^ (1 << data.draw(st.integers(0, 7)))])
    rest = exported[place + 1 :]
    changed = {
        "flip": exported[:place] + byte + rest,
        "cut": exported[:place],
        "drop": exported[:place] + rest,
        "put in": exported[:place] + byte + exported[place:],
    }[change]
    file = tmp_path_factory.getbasetemp() / "changed.jsonl"
    file.write_bytes(changed)
    assert not verify(file, KEY.public).is_good


def events(opened: Opened) -> st.SearchStrategy[tuple[str, int]]:
    return st.tuples(st.sampled_from(TABLES), st.integers(0, LAST - 1))


@given(data=st.data())
def test_any_change_by_somebody_who_knows_the_format_is_named(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Everything but the hashes is made consistent: the first event named is the first that was changed."""
    changed = WHOLE.copy()
    stream, place = data.draw(events(changed))
    rows = changed.streams[stream]
    what = data.draw(st.sampled_from(["alter", "take out", "put in", "swap", "move", "delete", "rewrite"]))
    touched = {(stream, place + 1)}
    match what:
        case "alter":
            rows[place] = (place + 1, data.draw(st.text().map(str.encode)) + b"!", rows[place][2])
        case "take out":
            del rows[place]
        case "put in":
            rows.insert(place, (0, b"new", data.draw(st.binary(min_size=32, max_size=32))))
        case "swap":
            other = data.draw(st.integers(0, LAST - 1).filter(lambda one: one != place))
            rows[place], rows[other] = rows[other], rows[place]
            touched = {(stream, min(place, other) + 1)}
        case "move":
            target = data.draw(st.sampled_from([one for one in TABLES if one != stream]))
            there = data.draw(st.integers(0, LAST - 1))
            changed.streams[target].insert(there, rows.pop(place))
            touched.add((target, there + 1))
        case "delete":
            del changed.streams[stream]
            touched = {(stream, 1)}
        case "rewrite":
            rows[place:] = [(0, b"other %d" % number, b"") for number in range(len(rows) - place)]
            changed.rechain(stream)
            touched = {(stream, max((sealed for sealed in SEALED if sealed <= place), default=0) + 1)}
    if stream in changed.streams:
        for one in TABLES:
            changed.renumber(one)
    report = verify(changed.export(tmp_path_factory.getbasetemp() / "changed.jsonl"), KEY.public)
    assert {(fault.stream, fault.version) for fault in report.faults} == touched


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    file = tmp_path_factory.mktemp("store") / "house.sqlite"
    with closing(SqliteStore(file)) as store:
        WHOLE.fill(store)
    return file.read_bytes()


@given(data=st.data())
def test_any_flipped_bit_of_a_store_is_found_or_changes_nothing(
    data: st.DataObject, stored: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A file has unused space. Whatever is served is what was written."""
    place = data.draw(st.integers(0, len(stored) - 1))
    flipped = bytes([stored[place] ^ (1 << data.draw(st.integers(0, 7)))])
    folder = tmp_path_factory.getbasetemp()
    for left in folder.glob("flipped.sqlite*"):
        left.unlink()
    file = folder / "flipped.sqlite"
    file.write_bytes(stored[:place] + flipped + stored[place + 1 :])
    try:
        is_good = verify(file, KEY.public).is_good
    except StoreError:
        is_good = False
    try:
        with closing(SqliteStore(file)) as store:
            served = Opened(store).streams
    except StoreError:
        return
    assert served == WHOLE.streams
    assert is_good
