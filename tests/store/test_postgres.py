"""The store for more than one house: several write at once, connections are lost and restored, other houses are
notified."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import psycopg
import pytest

from croupier.store import (
    Answer,
    Answered,
    Append,
    Committed,
    Conflict,
    CorruptStore,
    InDoubt,
    Outcome,
    Secret,
    StoreError,
    Write,
)
from croupier.store.contract import BATCH_TAKEN, BEFORE_COMMIT, Held
from croupier.store.group_commit import GroupCommitter
from croupier.store.opening import open_store
from croupier.store.postgres import Notice, PostgresStore, connecting, statements
from croupier.store.postgres.connecting import Lost
from croupier.store.verifying import verify
from tests.store.cutting import Cable
from tests.store.writes import append, commit, fill
from tests.waiting import PATIENCE, until

HOUSES = 4


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(database)) as made:
        yield made


@pytest.fixture
def cable(database: str) -> Iterator[Cable]:
    with closing(Cable(database)) as made:
        yield made


def run(database: str, sql: str) -> list[tuple[object, ...]]:
    """Run a statement as another user of the database."""
    with psycopg.connect(database, autocommit=True) as connection:
        cursor = connection.execute(sql.encode())
        return cursor.fetchall() if cursor.description else []


def waits_for_a_lock(database: str) -> bool:
    """Whether someone waits for a lock that another holds."""
    sql = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    return bool(run(database, sql))


class Pauses:
    """Replaces the clock of a client that waits for a lost server: time passes only in its pauses."""

    def __init__(self) -> None:
        self.made: list[float] = []
        self.each: Callable[[], None] = lambda: None
        self._now = 0.0

    def monotonic(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += seconds
        self.made.append(seconds)
        self.each()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> Pauses:
    made = Pauses()
    monkeypatch.setattr(connecting, "monotonic", made.monotonic)
    monkeypatch.setattr(connecting, "sleep", made.sleep)
    return made


def end_all(database: str) -> None:
    """End every other connection to the database."""
    run(database, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid()")  # fmt: skip


def written(store: PostgresStore, writes: Sequence[Write]) -> list[Outcome | StoreError]:
    """The outcomes of writes that are submitted together."""
    outcomes: list[Outcome | StoreError] = []
    taken, all_in = threading.Event(), threading.Event()

    def boundary(point: str) -> None:
        if point == BATCH_TAKEN and not taken.is_set():
            taken.set()
            all_in.wait(10)

    with closing(GroupCommitter[None](store, lambda _, found: outcomes.extend(found), boundary=boundary)) as committer:
        committer.hand_in(Write(refusal=b"no"), None)  # while this one waits, the others come together
        taken.wait(10)
        for write in writes:
            committer.hand_in(write, None)
        all_in.set()
    return outcomes[1:]


def kinds(outcomes: Sequence[object]) -> list[type]:
    return [type(outcome) for outcome in outcomes]


class TestSeveralHouses:
    def at_once(self, database: str, work: Callable[[PostgresStore, int], None]) -> None:
        faults: list[BaseException] = []

        def house(number: int) -> None:
            try:
                with closing(PostgresStore(database)) as store:
                    work(store, number)
            except BaseException as error:
                faults.append(error)

        threads = [threading.Thread(target=house, args=(number,)) for number in range(HOUSES)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []

    def test_nobody_overwrites_anybody(self, database: str) -> None:
        """All append to the same few streams, some of them new, in writes that name them in different orders."""
        each = 25

        def work(store: PostgresStore, number: int) -> None:
            done = 0
            while done < each:
                streams = [f"s/{(number + done + step) % 5}" for step in range(3)] + [f"new/{done}"]
                if number % 2:
                    streams.reverse()
                versions = {stream: store.head(stream).version for stream in streams}
                document = f"{number} {done}".encode()
                vault = (Secret(streams[0], document), Secret(streams[1], None if done % 2 else document))
                appends = tuple(Append(stream, versions[stream], (document,)) for stream in streams)
                (outcome,) = store.commit([Write(appends, Answer("ann", f"{number} {done}", b"", b""), None, vault)])
                done += isinstance(outcome, Committed)

        self.at_once(database, work)
        with closing(PostgresStore(database)) as store:
            everything = [record.document for head in store.heads() for record in store.read(head.stream)]
            assert len(everything) == HOUSES * each * 4
            assert len(set(everything)) == HOUSES * each
            assert verify(store).is_good

    def test_the_same_command_at_two_houses_is_done_once(self, database: str) -> None:
        """This holds even if the streams differ, so that no lock on them keeps the two houses apart."""
        outcomes: list[object] = []
        together = threading.Barrier(HOUSES, timeout=20)

        def work(store: PostgresStore, number: int) -> None:
            for turn in range(10):
                together.wait()
                write = Write(
                    (Append(f"s/{number}/{turn}", 0, (b"x",)),), Answer("ann", f"k{turn}", b"", b"%d" % number)
                )
                outcomes.extend(store.commit([write, append(f"t/{number}", turn, b"y")]))

        self.at_once(database, work)
        assert sum(isinstance(outcome, Answered) for outcome in outcomes) == 10 * (HOUSES - 1)
        with closing(PostgresStore(database)) as store:
            assert len(store.heads("s/")) == 10
            assert [head.version for head in store.heads("t/")] == [10] * HOUSES
            for turn in range(10):
                answer = store.answer("ann", f"k{turn}")
                assert answer is not None
                assert store.head(f"s/{answer.reply.decode()}/{turn}").version == 1

    def test_whoever_waited_for_a_stream_sees_what_was_written_to_it(self, database: str) -> None:
        """Whatever isolation level is the server's default."""
        database += "&options=-cdefault_transaction_isolation%3Dserializable"
        inside = threading.Event()

        def hold(point: str) -> None:
            if point == BEFORE_COMMIT and not inside.is_set():
                inside.set()
                until(lambda: waits_for_a_lock(database))

        with closing(PostgresStore(database, boundary=hold)) as first, closing(PostgresStore(database)) as second:
            done: list[object] = []
            slow = threading.Thread(target=lambda: done.extend(first.commit([append("a", 0, b"1", key="k")])))
            slow.start()
            inside.wait(PATIENCE)
            outcomes = second.commit([append("a", 0, b"2"), append("a", 0, b"1", key="k"), append("a", 1, b"3")])
            slow.join()
            assert [type(outcome) for outcome in (*done, *outcomes)] == [Committed, Conflict, Answered, Committed]
            assert [record.document for record in second.read("a")] == [b"1", b"3"]

    def test_a_stream_that_is_held_elsewhere_is_no_affair_of_the_others(
        self, store: PostgresStore, database: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Someone stops in the middle of a transaction. Everything that can be written is, in order; the rest get an
        error."""
        monkeypatch.setattr("croupier.store.postgres.connecting.LOCK_PATIENCE", "1s")
        commit(store, append("bad", 0, b"1"), append("good", 0, b"1"))
        store._disconnect()
        both = Write((Append("bad", 1, (b"2",)), Append("good", 2, (b"3",))))
        writes = [
            append("good", 1, b"2"),
            append("bad", 1, b"2"),
            both,
            append("good", 2, b"4"),
            append("new", 0, b"1"),
        ]
        with psycopg.connect(database) as other:
            other.execute("SELECT 1 FROM croupier.heads WHERE stream = 'bad' FOR UPDATE")
            assert kinds(written(store, writes)) == [Committed, Held, Held, Committed, Committed]
            wait_shortly, waits = statements.wait_shortly, list[psycopg.Cursor]()

            def noted(connection: psycopg.Connection) -> None:
                wait_shortly(connection)
                waits.append(connection.execute("SHOW lock_timeout"))

            monkeypatch.setattr(statements, "wait_shortly", noted)
            again = written(store, [append("bad", 1, b"2"), append("good", 3, b"5")])
            assert kinds(again) == [Held, Committed]
            told = [cursor.fetchone() for cursor in waits]
            assert told == [("200ms",)], "it is known to be held, and not waited for as long again"
        assert kinds(written(store, [append("bad", 1, b"2"), append("good", 4, b"6")])) == [Committed, Committed]
        assert [record.document for record in store.read("good")] == [b"1", b"2", b"4", b"5", b"6"]
        assert verify(store).is_good

    def test_a_stream_that_is_begun_elsewhere_is_no_affair_of_the_others(
        self, store: PostgresStore, database: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("croupier.store.postgres.connecting.LOCK_PATIENCE", "1s")
        fill(store, "good", 1)
        store._disconnect()
        with psycopg.connect(database) as other:
            other.execute("INSERT INTO croupier.heads VALUES ('new', 0, '')")
            outcomes = written(store, [append("good", 1, b"2"), append("new", 0, b"1")])
            assert kinds(outcomes) == [Committed, Held]
            assert "another house holds the same streams for too long" in str(outcomes[1])

    def test_two_begin_at_once(self, database: str) -> None:
        self.at_once(database, lambda store, number: fill(store, f"s/{number}", 1))
        with closing(PostgresStore(database)) as store:
            assert len(store.heads()) == HOUSES


class TestNotices:
    def test_others_are_told_which_streams_have_come_how_far(self, store: PostgresStore, database: str) -> None:
        with closing(PostgresStore(database)) as other, closing(store.listen()) as listener:
            fill(other, "table/a", 3)
            commit(other, append("table/a", 3, b"x"), append("table/b", 0, b"y"), append("table/c", 9, b"conflict"))
            told = listener.wait(5)
            told += listener.wait(5) if len(told) < 2 else []
            assert told == [Notice({"table/a": 3}), Notice({"table/a": 4, "table/b": 1})]
            fill(store, "table/a", 1)  # one's own
            commit(other, Write(refusal=b"no"))
            assert listener.wait(0.1) == []

    def test_many_streams_are_told_in_pieces(self, store: PostgresStore, database: str) -> None:
        names = [f"table/{'ö' * 90}{number}" for number in range(100)]
        with closing(PostgresStore(database)) as other, closing(store.listen()) as listener:
            commit(other, *(append(name, 0, b"x") for name in names))
            told: dict[str, int] = {}
            pieces = 0
            while len(told) < len(names):
                for notice in listener.wait(5):
                    assert notice.heads is not None
                    told |= notice.heads
                    pieces += 1
            assert told == dict.fromkeys(names, 1)
            assert pieces > 1

    def test_after_a_lost_connection_some_may_be_missing(self, database: str, cable: Cable) -> None:
        with closing(PostgresStore(database)) as other, closing(PostgresStore(cable.url)) as store:
            listener = store.listen()
            cable.cut()
            with pytest.raises(Lost):
                listener.wait(5)
            fill(other, "table/a", 1)
            with pytest.raises(Lost, match="does not answer"):
                listener.wait(0.1)
            cable.mend()
            assert listener.wait(5) == [Notice(None)]
            fill(other, "table/a", 1)
            assert listener.wait(5) == [Notice({"table/a": 2})]
            listener.close()

    def test_a_notice_that_cannot_be_read_means_that_something_is_not_known(
        self, store: PostgresStore, database: str
    ) -> None:
        with closing(store.listen()) as listener:
            run(database, "NOTIFY croupier, 'what?'")
            assert listener.wait(5) == [Notice(None)]


class TestLostConnections:
    def test_one_that_was_ended_in_between_is_made_anew(self, store: PostgresStore, database: str) -> None:
        fill(store, "a", 1)
        store.read("a")
        end_all(database)
        fill(store, "a", 1)
        end_all(database)
        assert len(store.read("a")) == 2

    def test_one_that_is_ended_in_the_middle_of_a_transaction(self, database: str) -> None:
        ended = 0

        def end(point: str) -> None:
            nonlocal ended
            if point == BEFORE_COMMIT and ended < 2:
                ended += 1
                end_all(database)

        with closing(PostgresStore(database, boundary=end)) as store:
            assert isinstance(commit(store, append("a", 0, b"1", key="k"))[0], Committed)
            assert (ended, len(store.read("a"))) == (2, 1)

    def test_a_server_that_is_gone_is_told_in_a_sentence_and_found_again(self, cable: Cable) -> None:
        with closing(PostgresStore(cable.url, patience=0.2)) as store:
            fill(store, "a", 1)
            cable.cut()
            for ask in (lambda: commit(store, append("a", 1, b"x", key="k")), lambda: store.read("a")):
                with pytest.raises(StoreError) as error:
                    ask()
                said = str(error.value)
                assert said.startswith(f"{store.name} does not answer: ")
                assert said.endswith(".")
                assert "\n" not in said
                assert "a-secret-word" not in said
            cable.mend()
            assert isinstance(commit(store, append("a", 1, b"x", key="k"))[0], Committed)
            assert len(store.read("a")) == 2

    def test_one_that_comes_back_soon_is_waited_for(self, cable: Cable, pauses: Pauses) -> None:
        pauses.each = cable.mend
        with closing(PostgresStore(cable.url)) as store:
            fill(store, "a", 1)
            cable.cut()
            fill(store, "a", 1)
            cable.cut()
            assert len(store.read("a")) == 2
        assert len(pauses.made) >= 2

    def test_whoever_has_waited_in_vain_does_not_wait_as_long_again(self, cable: Cable, pauses: Pauses) -> None:
        with closing(PostgresStore(cable.url, patience=0.5)) as store:
            cable.cut()
            for made in ([0.05, 0.1, 0.2], [], []):
                pauses.made.clear()
                with pytest.raises(StoreError):
                    commit(store, append("a", 0, b"x"))
                assert pauses.made == pytest.approx(made)
            cable.mend()
            fill(store, "a", 1)

    @pytest.mark.parametrize("when", ["before", "after"])
    def test_one_lost_in_the_moment_of_the_commit_is_done_once(self, cable: Cable, when: str) -> None:
        """Only the server knows whether the commit reached it: if it did not, it is done again."""
        with closing(PostgresStore(cable.url)) as store:
            fill(store, "a", 1)
            cable.cut_at_commit(when, mend=True)
            outcomes = commit(store, append("a", 1, b"x", key="k"), append("a", 2, b"y"))
            assert [type(outcome) for outcome in outcomes] == [Committed, Committed]
            assert [record.document for record in store.read("a", 1)] == [b"x", b"y"]

    @pytest.mark.parametrize("when", ["before", "after"])
    def test_where_nobody_can_be_asked_it_is_in_doubt_and_may_be_asked_for_again(self, cable: Cable, when: str) -> None:
        with closing(PostgresStore(cable.url, patience=0.2)) as store:
            fill(store, "a", 1)
            cable.cut_at_commit(when, mend=False)
            with pytest.raises(InDoubt, match="either everything was written or nothing"):
                commit(store, append("a", 1, b"x", b"y", key="k"))
            cable.mend()
            (outcome,) = commit(store, append("a", 1, b"x", b"y", key="k"))
            assert type(outcome) is (Committed if when == "before" else Answered)
            assert [record.document for record in store.read("a", 1)] == [b"x", b"y"]


class TestOpening:
    @pytest.mark.parametrize(
        ("url", "said"),
        [
            (
                "postgres://ann:a-secret-word@127.0.0.1:1/house",
                "The PostgreSQL store house at 127.0.0.1:1 does not",
            ),
            ("postgres://[::1/house", "The address of the PostgreSQL store cannot be understood: "),
            ("postgres://h/house?sslmode=a-secret-word", "The PostgreSQL store house at h "),
        ],
    )
    def test_an_address_where_nobody_is(self, url: str, said: str) -> None:
        with pytest.raises(StoreError) as error:
            open_store(url)
        assert str(error.value).startswith(said)
        assert "\n" not in str(error.value)

    def test_no_message_has_the_password(self) -> None:
        for url in ("postgres://ann:a-secret-word@127.0.0.1:1/house", "postgres://ann:a-secret-word@:x:/house"):
            with pytest.raises(StoreError) as error:
                open_store(url)
            assert "a-secret-word" not in str(error.value)

    def test_a_database_that_is_not_there(self, database: str) -> None:
        url = database.replace("/store_", "/no_")
        with pytest.raises(StoreError, match=r'database "no_.*" does not exist'):
            open_store(url)

    def test_one_of_a_newer_croupier(self, store: PostgresStore, database: str) -> None:
        run(database, f"UPDATE croupier.schema_version SET version = {statements.NEWEST + 1}")
        with pytest.raises(StoreError, match=f"has tables of version {statements.NEWEST + 1}"):
            open_store(database)

    def test_one_of_the_first_version_is_brought_up_to_date(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run(database, "DROP SCHEMA IF EXISTS croupier CASCADE")
        with monkeypatch.context() as patch:
            patch.setattr(statements, "MIGRATIONS", statements.MIGRATIONS[:1])
            patch.setattr(statements, "NEWEST", 1)
            patch.setattr("croupier.store.postgres.store.NEWEST", 1)
            with closing(PostgresStore(database)) as store:
                fill(store, "a", 2)
        with closing(PostgresStore(database)) as store:
            assert len(store.read("a")) == 2
            assert store.snapshot("a") is None
        assert run(database, "SELECT version FROM croupier.schema_version") == [(statements.NEWEST,)]

    def test_a_user_who_may_not_write(self, store: PostgresStore, database: str) -> None:
        fill(store, "a", 2)
        run(database, "DROP ROLE IF EXISTS looker")
        run(database, "CREATE ROLE looker LOGIN")
        run(database, "GRANT USAGE ON SCHEMA croupier TO looker")
        run(database, "GRANT SELECT ON ALL TABLES IN SCHEMA croupier TO looker")
        url = database.replace("postgres:@", "looker:@")
        try:
            with closing(PostgresStore(url)) as looking:
                assert len(looking.read("a")) == 2
                with pytest.raises(StoreError, match="wrote nothing: this user may not do that"):
                    fill(looking, "a", 1)
        finally:
            run(database, "DROP OWNED BY looker")
            run(database, "DROP ROLE looker")

    def test_a_server_that_may_only_be_read(self, store: PostgresStore, database: str) -> None:
        fill(store, "a", 2)
        with closing(PostgresStore(f"{database}&options=-cdefault_transaction_read_only%3Don")) as looking:
            fill(looking, "a", 1)  # a default is a default: whoever may write says so
        assert store.head("a").version == 3


class TestDamage:
    @pytest.mark.parametrize(
        ("sql", "version"),
        [
            ("UPDATE croupier.records SET document = 'x' WHERE version = 3", 3),
            ("DELETE FROM croupier.records WHERE version = 1", 1),
            ("DELETE FROM croupier.records WHERE version = 5", 5),
            ("UPDATE croupier.heads SET version = 4", 5),
        ],
    )
    def test_a_stream_is_not_served(self, store: PostgresStore, database: str, sql: str, version: int) -> None:
        fill(store, "a", 5)
        run(database, sql)
        with pytest.raises(CorruptStore) as error:
            store.read("a")
        assert (error.value.stream, error.value.version) == ("a", version)

    def test_nor_is_anything_appended_to_it(self, store: PostgresStore, database: str) -> None:
        fill(store, "a", 3)
        with closing(PostgresStore(database)) as other:
            run(database, "DELETE FROM croupier.records WHERE version = 3")
            with pytest.raises(CorruptStore, match="the head of a does not match its last event") as error:
                commit(other, append("b", 0, b"x"), append("a", 3, b"x"))
            assert (error.value.stream, other.heads("b")) == ("a", [])
        with pytest.raises(CorruptStore, match="event 3 of a, its last one, is missing or altered"):
            PostgresStore(database)
