"""Torn and bit-flipped stores through the server: what is damaged is named and never served, everything else is.

Everything that a house with a damaged store serves is compared with what the same house served before: either it is
equal, or the request is refused with a typed error.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import apsw
import httpx
import psycopg
import pytest

from croupier.house.events import ChipsGranted
from croupier.server.demonstration import PEOPLE
from croupier.store.checkpoints import trusted
from croupier.store.keys import read_key
from croupier.store.opening import open_store
from croupier.store.records import Write
from croupier.store.verifying import verify
from tests.kills import CLOCK, STAFF, Siege
from tests.mortal import Mortal, Nursery
from tests.postgres import NoPostgres, fresh_database
from tests.soaking import IS_SOAK, chance
from tests.waiting import until

TIMES = 8 if IS_SOAK else 1
DATABASE, LOG = "house.db", "house.db-wal"
PLAYED = 1.5  # seconds
REPORTS = ("/api/v1/reports/books", "/api/v1/reports/house?span=day")


class Seen(NamedTuple):
    """What was served. `whole` is false if it broke off before the end."""

    status: int
    content: bytes
    whole: bool = True


class Look:
    """Reads an open house as an inspector; signed in once, with a session that is in the store."""

    def __init__(self, url: str, cookie: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=30, cookies={"croupier_session": cookie})

    def at(self, path: str) -> Seen:
        """What is served at a path."""
        content = b""
        with self.http.stream("GET", path) as reply:
            try:
                for piece in reply.iter_bytes():
                    content += piece
            except httpx.RemoteProtocolError:
                return Seen(reply.status_code, content, whole=False)
        return Seen(reply.status_code, content)

    def json(self, path: str) -> Any:  # noqa: ANN401  # whatever it is
        """The same, as JSON."""
        return json.loads(self.at(path).content)

    def damaged(self) -> dict[str, str]:
        """What `/health` says."""
        told: dict[str, str] = self.json("/health")["damaged"]
        return told


class Evening(NamedTuple):
    """An evening that is over: everyone has left, and nothing changes any more. Tests must not change the folders."""

    killed: Path  # with all that happened still in the log
    closed: Path  # with all of it in the file
    base: Look  # on the undamaged house
    cookie: str
    paths: tuple[str, ...]
    siege: Siege


def played(siege: Siege) -> tuple[Mortal, str]:
    """Play for a while, and let everyone leave; return an inspector's cookie."""
    for guest in siege.guests:
        guest.tables = (CLOCK, STAFF)
    house = siege.open()
    ivy = next(one for one in PEOPLE if one.person == "ivy")
    reply = httpx.post(f"{house.url}/api/v1/sign-in", json={"person": "ivy", "password": ivy.password})
    cookie = reply.cookies["croupier_session"]
    siege.play(house, PLAYED)
    while any(guest.seats for guest in siege.guests):
        for guest in siege.guests:
            for table in sorted(guest.seats):
                guest.ask(house.url, guest.new(guest.take(table)))
                guest.ask(house.url, guest.new(guest.leave(table)))
    look = Look(house.url, cookie)
    until(lambda: look.json(f"/api/v1/tables/{CLOCK}")["round"] is None)  # one may be under way
    until(lambda: is_sealed(siege.address))
    look.http.close()
    return house, cookie


def is_sealed(address: str) -> bool:
    """Whether a checkpoint covers all that is stored."""
    with closing(open_store(address, read_only=True)) as store:
        return verify(store).unsealed == 0


def paths_of(look: Look) -> Iterator[str]:
    """All paths to read."""
    yield from ("/api/v1/tables", "/api/v1/accounts", "/api/v1/me", "/api/v1/refusals?limit=1000", *REPORTS)
    newest = json.loads(look.json("/api/v1/house")["checkpoint"].partition("\n")[0])["number"]
    for after in range(0, newest - 1, 20):  # the very last one was made when the house closed
        yield f"/api/v1/checkpoints?after={after}&limit={min(20, newest - 1 - after)}"
    for table in look.json("/api/v1/tables"):
        yield f"/api/v1/tables/{table['table']}"
        yield from (f"/api/v1/tables/{table['table']}/{what}" for what in ("events?limit=1000", "record"))
    for table in (CLOCK, STAFF):
        version = look.json(f"/api/v1/tables/{table}")["version"]
        yield from (f"/api/v1/tables/{table}/at/{number}" for number in range(2, version, max(1, version // 3)))
        yield f"/api/v1/tables/{table}/events?after={version // 2}"
    for person in look.json("/api/v1/accounts"):
        yield from (f"/api/v1/accounts/{person}", f"/api/v1/accounts/{person}/events?limit=1000")


@pytest.fixture(scope="module")
def evening(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    folder, killed, closed, base = (tmp_path_factory.mktemp(name) for name in ("made", "killed", "closed", "base"))
    siege = Siege(nursery, folder, f"sqlite:{folder / DATABASE}", seed=3)
    house, cookie = played(siege)
    house.kill()
    keep(folder, killed)
    siege.open().close()
    keep(folder, closed)
    keep(folder, base)
    with opened(nursery, base, cookie) as look:
        assert isinstance(look, Look), look
        assert look.damaged() == {}
        yield Evening(killed, closed, look, cookie, tuple(paths_of(look)), siege)
    siege.close()


def keep(source: Path, target: Path) -> None:
    for name in (DATABASE, LOG, "house.key"):
        if (source / name).exists():
            shutil.copy(source / name, target / name)


@contextmanager
def opened(nursery: Nursery, folder: Path, cookie: str, store: str | None = None) -> Iterator[Look | str]:
    """A house on an unchanged store, or the one sentence with which it fails to open."""
    address = store or f"sqlite:{folder / DATABASE}"
    house = nursery.open(folder, store=address, key="house.key", remembered_seconds=0.001)
    if not house.url:
        assert house.wait() == 2
        said = house.said()
        assert "Traceback" not in said
        yield said.splitlines()[-1]
        return
    look = Look(house.url, cookie)
    try:
        yield look
    finally:
        look.http.close()
        house.kill()


def in_use(log: Path) -> int:
    """Return how much of the log SQLite reads. After a checkpoint it starts again at the front with a new salt, and
    older frames remain behind."""
    content = log.read_bytes()
    salt, frame = content[16:24], 24 + int.from_bytes(content[8:12], "big")
    end = 32
    while content[end + 8 : end + 16] == salt:
        end += frame
    return end


# -- what must hold ----------------------------------------------------------------------------------------------------


def refused(look: Look, evening: Evening) -> dict[str, str]:
    """Compare everything that is served with what was served before; return what is refused, and why."""
    found: dict[str, str] = {}
    for path in evening.paths:
        seen, before = look.at(path), evening.base.at(path)
        assert before.status == 200
        if seen == before:
            continue
        if not seen.whole:  # a long answer that had begun
            assert before.content.startswith(seen.content), path
            found[path] = "broken off"
        elif path == "/api/v1/tables":
            shown, all_of_them = json.loads(seen.content), json.loads(before.content)
            assert all(table in all_of_them for table in shown)
            missing = {f"table/{one['table']}" for one in all_of_them if one not in shown}
            assert missing <= set(look.damaged())
        else:
            found[path] = refusal(seen)
    return found


def refusal(seen: Seen) -> str:
    """Why something is not served."""
    told = json.loads(seen.content)
    assert (seen.status, told["ok"], told["code"]) == (503, False, "store_damaged"), (seen.status, told)
    assert " is damaged: " in told["message"]
    return str(told["message"])


def check(nursery: Nursery, folder: Path, evening: Evening) -> str:
    """A house on a damaged store does not open, or refuses something, or serves everything as it was."""
    with opened(nursery, folder, evening.cookie) as look:
        if isinstance(look, str):
            assert look.startswith(f"croupier: The store {folder / DATABASE} "), look
            assert look.endswith("."), look
            return "not opened"
        return "refused" if refused(look, evening) else "equal"


def flip(file: Path, place: int, bit: int) -> None:
    with file.open("r+b") as opened_file:
        opened_file.seek(place)
        (byte,) = opened_file.read(1)
        opened_file.seek(place)
        opened_file.write(bytes([byte ^ (1 << bit)]))


def fresh(source: Path, folder: Path) -> Path:
    """The folder with nothing in it except the evening."""
    for file in folder.iterdir():
        file.unlink()
    keep(source, folder)
    return folder


# -- one bit -----------------------------------------------------------------------------------------------------------

# Where bits are flipped, by what lies there, and how often.
COLUMNS = {
    ("records", "document"): 3,
    ("records", "hash"): 1,
    ("heads", "hash"): 1,
    ("answers", "reply"): 2,
    ("vault", "value"): 2,
    ("refusals", "document"): 1,
    ("snapshots", "state"): 1,
}


def places(file: Path, content: bytes, rnd: Random) -> Iterator[tuple[str, int]]:
    """The offsets in a file at which such a value is found."""
    with closing(apsw.Connection(str(file), apsw.SQLITE_OPEN_READONLY)) as connection:
        for (table, column), often in COLUMNS.items():
            values = [row[0] for row in connection.execute(f"SELECT {column} FROM {table}")]
            needles = [value if isinstance(value, bytes) else str(value).encode() for value in values]
            copies = 2 if table == "heads" else 1  # of a head the last event has one, too; others are left over
            lying = [needle[:300] for needle in needles if content.count(needle[:300]) == copies]
            # Snapshots are few and replace each other: in a short evening each may lie there twice, once left over.
            for needle in rnd.choices(lying, k=often * TIMES) if lying else ():
                yield f"{table}.{column}", content.index(needle) + rnd.randrange(len(needle))


def test_a_flipped_bit_of_the_file(
    nursery: Nursery, evening: Evening, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    rnd = chance(7)
    content = (evening.closed / DATABASE).read_bytes()
    chosen = list(places(fresh(evening.closed, tmp_path) / DATABASE, content, rnd))
    chosen += [("header", rnd.randrange(100)) for _ in range(2 * TIMES)]
    chosen += [("anywhere", rnd.randrange(len(content))) for _ in range(10 * TIMES)]
    ends: dict[str, list[str]] = {}
    for what, place in chosen:
        flip(fresh(evening.closed, tmp_path) / DATABASE, place, rnd.randrange(8))
        ends.setdefault(what, []).append(check(nursery, tmp_path, evening))
    said = Counter(end for some in ends.values() for end in some)
    record_property(
        "counted", f"flipped bits of a store: {len(chosen)}; {', '.join(f'{n} {end}' for end, n in said.items())}."
    )
    for what in ("records.document", "records.hash", "heads.hash", "answers.reply", "vault.value"):
        assert "equal" not in ends[what], f"a flipped bit in {what} was not noticed"


def test_a_flipped_bit_of_the_log(nursery: Nursery, evening: Evening, tmp_path: Path) -> None:
    rnd = chance(8)
    size = in_use(evening.killed / LOG)
    assert size > 100_000, "much of what happened is in the log alone"
    assert check(nursery, fresh(evening.killed, tmp_path), evening) == "equal"
    for place in (rnd.randrange(32), *(rnd.randrange(32, size * 3 // 4) for _ in range(7 * TIMES))):
        flip(fresh(evening.killed, tmp_path) / LOG, place, rnd.randrange(8))
        assert check(nursery, tmp_path, evening) == "not opened", f"a flipped bit at {place} of the log was not noticed"


# -- torn --------------------------------------------------------------------------------------------------------------


def test_a_file_that_is_cut_short_or_has_a_hole(nursery: Nursery, evening: Evening, tmp_path: Path) -> None:
    rnd = chance(9)
    content = (evening.closed / DATABASE).read_bytes()
    pages = len(content) // 4096
    cuts = [0, 50, *(4096 * rnd.randrange(1, pages) for _ in range(2 * TIMES)), rnd.randrange(4096, len(content))]
    torn = [content[:place] for place in cuts]
    for place in (4096 * rnd.randrange(1, pages) for _ in range(3 * TIMES)):
        torn.append(content[:place] + bytes(4096) + content[place + 4096 :])
    for changed in torn:
        file = fresh(evening.closed, tmp_path) / DATABASE
        file.write_bytes(changed)
        end = check(nursery, tmp_path, evening)
        assert end != "equal"
        assert end != "not opened" or file.read_bytes() == changed, "what is left of a torn store is left as it is"


def test_a_log_that_is_cut_short(nursery: Nursery, evening: Evening, tmp_path: Path) -> None:
    """As after a power failure: the end of the log may be lost. Whatever is served is how it once was."""
    rnd = chance(10)
    content = (evening.killed / LOG).read_bytes()[: in_use(evening.killed / LOG)]
    lost = 0
    for place in (rnd.randrange(len(content) // 3, len(content)) for _ in range(4 * TIMES)):
        (fresh(evening.killed, tmp_path) / LOG).write_bytes(content[:place])
        with closing(open_store(f"sqlite:{tmp_path / DATABASE}", read_only=True)) as store:
            heads = {head.stream: head.version for head in store.heads()}
        with opened(nursery, tmp_path, evening.cookie) as look:
            assert isinstance(look, Look), look
            assert look.damaged() == {}
            for table in (CLOCK, STAFF):
                path, version = f"/api/v1/tables/{table}", heads[f"table/{table}"]
                whole = evening.base.json(f"{path}/events?limit=1000")["entries"]
                assert look.json(f"{path}/events?limit={version}")["entries"] == whole[:version]
                assert look.json(f"{path}/at/{version}") == evening.base.json(f"{path}/at/{version}")
                lost += len(whole) - version
    assert lost > 0, "nothing was ever cut off"


# -- events that someone has changed ----------------------------------------------------------------------------------


class Changed(NamedTuple):
    """A store that can be changed by SQL without the house's knowledge."""

    address: str
    folder: Path

    def sql(self, statement: str) -> None:
        """Change it; `{0}` stands for the schema with the tables."""
        if self.address.startswith("sqlite:"):
            with closing(apsw.Connection(self.address.removeprefix("sqlite:"))) as connection:
                connection.execute(statement.format(""))
        else:
            with psycopg.connect(self.address, autocommit=True) as connection:
                connection.execute(statement.format("croupier.").encode())


@pytest.fixture(params=["sqlite", "postgres"])
def changed(request: pytest.FixtureRequest, evening: Evening, tmp_path: Path) -> Changed:
    """The evening on a store of each kind."""
    keep(evening.closed, tmp_path)
    address = f"sqlite:{tmp_path / DATABASE}"
    if request.param == "sqlite":
        return Changed(address, tmp_path)
    try:
        database = fresh_database(f"damage_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}")
    except NoPostgres as error:
        pytest.skip(str(error))
    with closing(open_store(address, read_only=True)) as source, closing(open_store(database)) as target:
        records = (record for stream in source.streams() for record in source.read(stream))
        target.load(chain(records, source.refusals()))
        trusted(target, read_key(tmp_path / "house.key"), "croupier", datetime.now(UTC))  # as a house that opens on it
        commands = [command for guest in evening.siege.guests for command in guest.sent]
        answers = [source.answer(command.who, command.key) for command in commands]
        target.commit([Write(vault=tuple(source.secrets())), *(Write(answer=answer) for answer in answers)])
    return Changed(database, tmp_path)


EVENT = 7
ALTERED = (
    "UPDATE {0}records SET document = (SELECT document FROM {0}records WHERE stream = 'table/staff' AND version = 3) "
)
CHANGES = {
    "altered": (ALTERED + "WHERE stream = 'table/quick' AND version = 7", "was altered"),
    "missing": ("DELETE FROM {0}records WHERE stream = 'table/quick' AND version = 7", "is missing"),
}


@pytest.mark.parametrize("how", CHANGES)
def test_a_table_with_a_changed_event(changed: Changed, how: str, nursery: Nursery, evening: Evening) -> None:
    """A house that opens on it names it and serves the others. One that has it open discovers it by reading."""
    change, says = CHANGES[how]
    sentence = f"event {EVENT} of table/{CLOCK} {says}"
    with opened(nursery, changed.folder, evening.cookie, changed.address) as running:
        assert isinstance(running, Look)
        assert refused(running, evening) == {}
        changed.sql(change)
        why = refused(running, evening)
        assert f"/api/v1/tables/{CLOCK}" not in why, "what is in memory was checked"
        assert sentence in why[f"/api/v1/tables/{CLOCK}/events?limit=1000"]
        assert sentence in why[f"/api/v1/tables/{CLOCK}/record"]
        assert all(f"/{CLOCK}" in path or path in REPORTS for path in why)
        assert sentence in running.damaged()[f"table/{CLOCK}"]
    changed.sql("DELETE FROM {0}snapshots")
    with opened(nursery, changed.folder, evening.cookie, changed.address) as look:
        assert isinstance(look, Look), look
        why = refused(look, evening)
        assert set(why) == {path for path in evening.paths if f"/{CLOCK}" in path or path in REPORTS}
        assert all(sentence in said for said in why.values())
        assert list(look.damaged()) == [f"table/{CLOCK}"]
        assert sentence in look.damaged()[f"table/{CLOCK}"]
        ann, url = evening.siege.guests[0], str(look.http.base_url)
        for table, is_served in ((CLOCK, False), (STAFF, True), (CLOCK, False)):
            ann.seats -= {table}
            assert ann.ask(url, ann.new(ann.sit(table))) is is_served
        ann.doubtful = None


def test_an_answer_that_was_changed(changed: Changed, nursery: Nursery, evening: Evening) -> None:
    """No one is told something different from the first time, and nothing is done again."""
    otto = evening.siege.guests[-1]
    command = next(command for command in otto.sent if command.deed.event is ChipsGranted)
    with opened(nursery, changed.folder, evening.cookie, changed.address) as look:
        assert isinstance(look, Look), look
        url = str(look.http.base_url)
        assert otto.ask(url, command)  # which sees to it that the answer is the first one
        changed.sql(f"UPDATE {{0}}answers SET reply = seal WHERE who = 'otto' AND key = '{command.key}'")
        assert not otto.ask(url, command)
        otto.doubtful = None
        assert refused(look, evening) == {}


def test_a_session_that_was_changed(changed: Changed, nursery: Nursery, evening: Evening) -> None:
    with opened(nursery, changed.folder, evening.cookie, changed.address) as look:
        assert isinstance(look, Look), look
        assert look.json("/api/v1/me")["person"] == "ivy"
        changed.sql("UPDATE {0}vault SET value = seal WHERE name LIKE 'session/%'")
        assert " in the vault was altered" in refusal(look.at("/api/v1/me"))


def test_a_head_that_was_changed(changed: Changed, nursery: Nursery, evening: Evening) -> None:
    """The end of a stream is then unknown: such a house does not open."""
    changed.sql("UPDATE {0}heads SET version = version - 1 WHERE stream = 'table/quick'")
    with opened(nursery, changed.folder, evening.cookie, changed.address) as look:
        assert isinstance(look, str)
        assert f" of table/{CLOCK}, its last one, is missing or altered." in look
