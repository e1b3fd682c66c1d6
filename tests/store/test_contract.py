"""What every store promises, tested in the same way for each kind: memory, SQLite, PostgreSQL."""

from __future__ import annotations

import threading
import time
from hashlib import sha256

import psycopg
import pytest

from croupier.store import (
    Answer,
    Answered,
    Append,
    Committed,
    Conflict,
    Head,
    Record,
    Secret,
    Snapshot,
    Store,
    StoredRefusal,
    StoreError,
    Write,
)
from croupier.store.contract import AFTER_COMMIT, BOUNDARIES
from croupier.store.records import anchor
from tests.store.conftest import LASTING, Opener
from tests.store.writes import append, commit, fill, hashes


class TestAppending:
    def test_an_empty_stream_is_at_version_0_and_has_the_hash_of_its_name(self, store: Store) -> None:
        assert store.head("table/a") == Head("table/a", 0, sha256(b"croupier stream\ntable/a").digest())
        assert store.read("table/a") == []
        assert store.heads() == []

    def test_what_is_appended_is_read_in_order_with_the_hashes_of_the_chain(self, store: Store) -> None:
        first, second = sha256(b"one").digest(), sha256(b"two").digest()
        before = sha256(b"croupier stream\ntable/a").digest()
        one = sha256(before + first).digest()
        two = sha256(one + second).digest()
        assert commit(store, append("table/a", 0, b"one", b"two")) == [Committed((Head("table/a", 2, two),))]
        assert store.read("table/a") == [Record("table/a", 1, b"one", one), Record("table/a", 2, b"two", two)]
        assert store.head("table/a") == Head("table/a", 2, two)

    def test_another_version_than_expected_is_a_conflict_and_changes_nothing(self, store: Store) -> None:
        fill(store, "table/a", 3)
        before = store.read("table/a")
        for expected in (0, 2, 4):
            assert commit(store, append("table/a", expected, b"late")) == [Conflict("table/a", expected, 3)]
        assert store.read("table/a") == before

    def test_another_past_of_the_same_length_is_a_conflict_too(self, store: Store) -> None:
        fill(store, "table/a", 3)
        elsewhere = hashes("table/a", b"other", b"events", b"here")[-1]
        assert commit(store, Write((Append("table/a", 3, (b"x",), elsewhere),))) == [Conflict("table/a", 3, 3)]
        two = Write((Append("table/b", 0, (b"x",)), Append("table/a", 3, (b"x",), elsewhere)))
        assert commit(store, two) == [Conflict("table/a", 3, 3)]
        here = store.head("table/a").hash
        (outcome,) = commit(store, Write((Append("table/a", 3, (b"x",), here),)))
        assert isinstance(outcome, Committed)

    def test_a_write_over_several_streams_is_all_or_nothing(self, store: Store) -> None:
        fill(store, "table/a", 1)
        both = Write((Append("account/ann", 0, (b"x",)), Append("table/a", 0, (b"y",))), refusal=b"no")
        assert commit(store, both) == [Conflict("table/a", 0, 1)]
        assert (store.read("account/ann"), store.refusals()) == ([], [])
        both = Write((Append("account/ann", 0, (b"x",)), Append("table/a", 1, (b"y",))))
        (outcome,) = commit(store, both)
        assert isinstance(outcome, Committed)
        assert [(head.stream, head.version) for head in outcome.heads] == [("account/ann", 1), ("table/a", 2)]

    def test_one_left_out_does_not_keep_the_others_of_its_transaction_from_being_written(self, store: Store) -> None:
        outcomes = commit(store, append("a", 0, b"1"), append("b", 5, b"x"), append("c", 0, b"3"))
        assert [type(outcome) for outcome in outcomes] == [Committed, Conflict, Committed]
        assert [head.stream for head in store.heads()] == ["a", "c"]

    def test_writes_of_one_transaction_see_those_before_them(self, store: Store) -> None:
        outcomes = commit(store, append("a", 0, b"1"), append("a", 0, b"x"), append("a", 1, b"2"))
        assert [type(outcome) for outcome in outcomes] == [Committed, Conflict, Committed]
        assert [record.document for record in store.read("a")] == [b"1", b"2"]
        assert [record.hash for record in store.read("a")] == hashes("a", b"1", b"2")

    def test_a_stream_may_be_appended_to_twice_in_one_write(self, store: Store) -> None:
        (outcome,) = commit(store, Write((Append("a", 0, (b"1",)), Append("b", 0, (b"x",)), Append("a", 1, (b"2",)))))
        assert isinstance(outcome, Committed)
        assert [head.version for head in outcome.heads] == [1, 1, 2]
        assert commit(store, Write((Append("a", 2, (b"3",)), Append("a", 2, (b"4",))))) == [Conflict("a", 2, 3)]
        assert [record.document for record in store.read("a")] == [b"1", b"2"]

    def test_an_append_without_documents_only_asks_for_the_version(self, store: Store) -> None:
        fill(store, "a", 2)
        asked = Write((Append("a", 2, ()), Append("new", 0, ()), Append("b", 0, (b"x",))))
        (outcome,) = commit(store, asked)
        assert isinstance(outcome, Committed)
        assert outcome.heads[:2] == (store.head("a"), Head("new", 0, anchor("new")))
        assert commit(store, Write((Append("a", 1, ()), Append("b", 1, (b"y",))))) == [Conflict("a", 1, 2)]
        assert [head.stream for head in store.heads()] == ["a", "b"]

    def test_documents_are_bytes_of_any_kind_and_size(self, store: Store) -> None:
        documents = (b"", bytes(range(256)), "Füße 🎲".encode(), b"x" * 300_000)
        commit(store, append("a", 0, *documents))
        assert tuple(record.document for record in store.read("a")) == documents

    def test_nothing_to_write_is_written(self, store: Store) -> None:
        assert commit(store) == []
        assert commit(store, Write()) == [Committed(())]

    @pytest.mark.parametrize("name", ["", "a\nb", "a\0b", "x" * 201, "\udc80", "a\U0010ffff"])
    def test_a_name_that_would_break_files_and_messages_is_none(self, name: str) -> None:
        with pytest.raises(ValueError, match="A name in a store"):
            Append(name, 0, ())
        with pytest.raises(ValueError, match="A name in a store"):
            Answer("ann", name, b"", b"")
        with pytest.raises(ValueError, match="A name in a store"):
            Secret(name, b"")


class TestReading:
    def test_pages_and_the_rest(self, store: Store) -> None:
        fill(store, "a", 7)
        versions = [
            [record.version for record in store.read("a", *asked)] for asked in ((0, 3), (3, 3), (6, 3), (7, 3))
        ]
        assert versions == [[1, 2, 3], [4, 5, 6], [7], []]
        assert [record.version for record in store.read("a", 5)] == [6, 7]
        assert store.read("a", 9) == []
        assert store.read("a", 0, 0) == []

    def test_heads_by_their_beginning_in_the_order_of_their_bytes(self, store: Store) -> None:
        names = ["table/b", "table/a", "table", "account/ann", "table/Ä", "table/a/1", "table0", "house"]
        for name in names:
            fill(store, name, 1)
        assert [head.stream for head in store.heads()] == sorted(names)
        assert [head.stream for head in store.heads("table/")] == ["table/a", "table/a/1", "table/b", "table/Ä"]
        assert store.heads("nobody") == []
        assert store.streams() == sorted(names)
        assert store.heads("table/a")[0] == store.head("table/a")

    def test_a_view_does_not_move_while_others_write(self, store: Store) -> None:
        fill(store, "a", 2)
        with store.still() as view:
            fill(store, "a", 2)
            fill(store, "b", 1)
            assert [record.version for record in view.read("a")] == [1, 2]
            assert [head.stream for head in view.heads()] == ["a"]
        assert [record.version for record in store.read("a")] == [1, 2, 3, 4]

    def test_many_threads_read_while_one_writes(self, store: Store) -> None:
        fill(store, "a", 1)
        done = threading.Event()
        faults: list[BaseException] = []

        def look() -> None:
            try:
                seen = 0
                while not done.is_set():
                    found = store.read("a")[-1].version
                    assert found >= seen
                    seen = found
                    time.sleep(0.001)
            except BaseException as error:
                faults.append(error)

        threads = [threading.Thread(target=look) for _ in range(12)]
        for thread in threads:
            thread.start()
        for _ in range(30):
            fill(store, "a", 2)
        done.set()
        for thread in threads:
            thread.join()
        assert faults == []
        assert store.head("a").version == 61


class TestAnswers:
    def test_the_same_key_is_answered_as_the_first_time_and_written_once(self, store: Store) -> None:
        first = append("a", 0, b"1", key="k")
        assert isinstance(commit(store, first)[0], Committed)
        again = Write((Append("a", 1, (b"2",)),), Answer("ann", "k", b"other", b"other"), b"refusal")
        for write in (first, again):
            assert commit(store, write) == [Answered(Answer("ann", "k", b"d" * 32, b"reply to k"))]
        assert ([record.document for record in store.read("a")], store.refusals()) == ([b"1"], [])
        assert store.answer("ann", "k") == Answer("ann", "k", b"d" * 32, b"reply to k")

    def test_within_one_transaction_as_well(self, store: Store) -> None:
        outcomes = commit(store, append("a", 0, b"1", key="k"), append("a", 1, b"2", key="k"), append("a", 1, b"3"))
        assert [type(outcome) for outcome in outcomes] == [Committed, Answered, Committed]
        assert [record.document for record in store.read("a")] == [b"1", b"3"]

    def test_a_repeated_one_does_not_disturb_new_ones_beside_it(self, store: Store) -> None:
        commit(store, append("a", 0, b"1", key="k"))
        outcomes = commit(store, append("a", 1, b"2", key="l"), append("a", 0, b"1", key="k"), append("b", 0, b"3"))
        assert [type(outcome) for outcome in outcomes] == [Committed, Answered, Committed]
        assert [head.version for head in store.heads()] == [2, 1]

    def test_keys_belong_to_whoever_uses_them(self, store: Store) -> None:
        commit(store, append("a", 0, b"1", key="k"))
        other = Write((Append("a", 1, (b"2",)),), Answer("ben", "k", b"d", b"r"))
        assert isinstance(commit(store, other)[0], Committed)
        assert store.answer("ben", "k") == Answer("ben", "k", b"d", b"r")
        assert store.answer("cat", "k") is None

    def test_a_write_left_out_leaves_no_answer(self, store: Store) -> None:
        assert commit(store, append("a", 5, b"1", key="k")) == [Conflict("a", 5, 0)]
        assert store.answer("ann", "k") is None
        assert isinstance(commit(store, append("a", 0, b"1", key="k"))[0], Committed)


class TestBesideTheStreams:
    def test_refusals_are_kept_in_order_and_in_pages(self, store: Store) -> None:
        for word in (b"one", b"two", b"three"):
            commit(store, Write(refusal=word))
        kept = store.refusals()
        assert [refusal.document for refusal in kept] == [b"one", b"two", b"three"]
        assert store.refusals(kept[0].number, 1) == [kept[1]]
        assert store.heads() == []

    def test_the_vault_keeps_replaces_and_forgets(self, store: Store) -> None:
        commit(
            store, Write(vault=(Secret("password/ann", b"1"), Secret("session/x", b"2"), Secret("password/ben", b"")))
        )
        assert store.secret("password/ann") == b"1"
        commit(store, Write(vault=(Secret("password/ann", b"3"), Secret("session/x", None), Secret("never", None))))
        assert store.secrets() == [Secret("password/ann", b"3"), Secret("password/ben", b"")]
        assert store.secrets("password/b") == [Secret("password/ben", b"")]
        assert store.secret("session/x") is None

    def test_the_last_word_in_a_transaction_counts(self, store: Store) -> None:
        commit(
            store,
            Write(vault=(Secret("a", b"1"), Secret("b", None))),
            Write(vault=(Secret("a", None), Secret("b", b"2"))),
        )
        assert store.secrets() == [Secret("b", b"2")]

    def test_a_snapshot_of_the_chain_is_found_and_replaced(self, store: Store) -> None:
        for count in (3, 2):
            fill(store, "a", count)
            head = store.head("a")
            snapshot = Snapshot("a", head.version, head.hash, f"state at {head.version}".encode())
            commit(store, Write(snapshots=(snapshot,)))
            assert store.snapshot("a") == snapshot
        assert store.snapshot("b") is None

    def test_a_snapshot_that_is_not_of_the_chain_is_thrown_away(self, store: Store) -> None:
        fill(store, "a", 3)
        for wrong in (Snapshot("a", 3, b"x" * 32, b"state"), Snapshot("a", 4, store.head("a").hash, b"state")):
            commit(store, Write(snapshots=(wrong,)))
            assert store.snapshot("a") is None

    def test_a_snapshot_may_come_with_the_events_that_it_is_of(self, store: Store) -> None:
        made = hashes("a", b"1")[0]
        commit(store, Write((Append("a", 0, (b"1",)),), snapshots=(Snapshot("a", 1, made, b"state"),)))
        assert store.snapshot("a") == Snapshot("a", 1, made, b"state")


class TestFailing:
    @pytest.mark.parametrize("point", BOUNDARIES)
    def test_what_fails_before_the_commit_is_not_there_and_what_fails_after_it_is(
        self, opened: Opener, point: str
    ) -> None:
        armed = False

        def fail(passed: str) -> None:
            if armed and passed == point:
                raise RuntimeError(point)

        store = opened(fail)
        fill(store, "a", 1)
        armed = True
        write = Write(
            (Append("a", 1, (b"x",)),), Answer("ann", "k", b"", b""), b"no", (Secret("s", b"v"),),
            (Snapshot("a", 1, store.head("a").hash, b""),),
        )  # fmt: skip
        with pytest.raises(RuntimeError, match=point):
            store.commit([write])
        armed = False
        is_there = point == AFTER_COMMIT
        assert store.head("a").version == 1 + is_there
        assert len(store.read("a")) == 1 + is_there
        assert (store.answer("ann", "k") is not None, len(store.refusals())) == (is_there, is_there)
        assert (store.secret("s") is not None, store.snapshot("a") is not None) == (is_there, is_there)
        (outcome,) = store.commit([write])
        assert type(outcome) is (Answered if is_there else Committed)
        assert len(store.read("a")) == 2

    def test_all_boundaries_are_passed_in_order(self, opened: Opener) -> None:
        passed: list[str] = []
        store = opened(passed.append)
        store.commit([append("a", 0, b"1", key="k")])
        assert tuple(passed) == BOUNDARIES

    @pytest.mark.parametrize("address", LASTING, indirect=True)
    def test_a_closed_store_says_so(self, opened: Opener, address: str) -> None:
        store = opened()
        store.close()
        for ask in (lambda: store.commit([Write()]), lambda: store.head("a")):
            with pytest.raises(StoreError, match="is closed"):
                ask()


class TestLoading:
    def test_an_empty_store_is_filled_and_goes_on_from_there(self, store: Store) -> None:
        made = hashes("a", b"1", b"2")
        records = [
            Record("a", 1, b"1", made[0]),
            Record("a", 2, b"2", made[1]),
            Record("b", 1, b"x", hashes("b", b"x")[0]),
        ]
        store.load([*records, StoredRefusal(7, b"no")])
        assert store.read("a") + store.read("b") == records
        assert [refusal.document for refusal in store.refusals()] == [b"no"]
        assert isinstance(commit(store, append("a", 2, b"3"))[0], Committed)

    def test_a_store_with_events_takes_nothing(self, store: Store) -> None:
        fill(store, "a", 1)
        with pytest.raises(StoreError, match="is not empty"):
            store.load([Record("b", 1, b"x", hashes("b", b"x")[0])])
        assert [head.stream for head in store.heads()] == ["a"]

    def test_what_breaks_off_leaves_nothing(self, store: Store) -> None:
        def broken() -> object:
            yield Record("b", 1, b"x", hashes("b", b"x")[0])
            raise StoreError("broken off")

        with pytest.raises(StoreError, match="broken off"):
            store.load(broken())  # type: ignore[arg-type]
        assert (store.heads(), store.streams()) == ([], [])
        fill(store, "b", 1)


class TestLasting:
    @pytest.mark.parametrize("address", LASTING, indirect=True)
    def test_what_was_committed_is_there_when_it_is_opened_again(self, opened: Opener, address: str) -> None:
        store = opened()
        commit(store, append("a", 0, b"1", b"2", key="k"), Write(refusal=b"no", vault=(Secret("s", b"v"),)))
        before = store.read("a")
        store.close()
        store = opened()
        assert store.read("a") == before
        assert (store.answer("ann", "k") is not None, store.secret("s")) == (True, b"v")
        assert commit(store, append("a", 0, b"1", b"2", key="k"))[0] == Answered(
            Answer("ann", "k", b"d" * 32, b"reply to k")
        )

    @pytest.mark.parametrize("address", LASTING, indirect=True)
    def test_one_that_is_only_read_takes_nothing(self, opened: Opener, address: str) -> None:
        fill(opened(), "a", 2)
        looking = opened(read_only=True)
        assert looking.head("a").version == 2
        for ask in (lambda: looking.commit([Write()]), lambda: looking.load([])):
            with pytest.raises(StoreError, match="is open for reading only"):
                ask()

    @pytest.mark.parametrize("address", LASTING, indirect=True)
    def test_nothing_is_made_where_it_is_only_to_be_read(self, opened: Opener, address: str) -> None:
        if not address.startswith("sqlite:"):
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute("DROP SCHEMA IF EXISTS croupier CASCADE")
        with pytest.raises(StoreError, match="cannot be opened"):
            opened(read_only=True)
