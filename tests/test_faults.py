"""Faults of the surroundings: one clear sentence and status 2 at the start; 503 and recovery while the house runs.

Whatever fails, nothing is half done: what was acknowledged is stored once, and the house closes properly.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event as Flag
from typing import Any

import httpx
import psycopg
import pytest

from croupier.store.keys import HouseKey
from croupier.store.opening import open_store
from croupier.store.verifying import verify
from tests.kills import CLOCK, STAFF, Guest, Siege
from tests.mortal import NOBODY, PATIENCE, Mortal, Nursery
from tests.postgres import NoPostgres, fresh_database
from tests.store.cutting import Cable
from tests.waiting import until

SETTINGS: dict[str, Any] = {"store": "sqlite:house.db", "key": "house.key"}


def sentence(house: Mortal) -> str:
    """The one sentence with which a house did not open."""
    assert house.url == ""
    assert house.wait() == 2
    (said,) = house.said().splitlines()
    assert said.startswith("croupier: "), said
    assert said.endswith("."), said
    return said.removeprefix("croupier: ")


@pytest.fixture
def folder(nursery: Nursery) -> Iterator[Path]:
    """A folder with a closed house; anyone may read it."""
    with tempfile.TemporaryDirectory() as made:
        path = Path(made)
        path.chmod(0o755)
        nursery.open(path, **SETTINGS).close()
        yield path
        path.chmod(0o755)


def opens(nursery: Nursery, folder: Path) -> None:
    """The house opens and closes as if nothing had happened."""
    house = nursery.open(folder, **SETTINGS)
    assert house.url, house.said()
    assert httpx.get(f"{house.url}/health").json()["ok"]
    house.close()


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


# -- at the start ------------------------------------------------------------------------------------------------------


def test_a_port_in_use(nursery: Nursery, folder: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        port, before = other.getsockname()[1], content(folder)
        said = sentence(nursery.open(folder, **SETTINGS, port=port))
        assert said == f"The house cannot listen on 127.0.0.1 port {port}: address already in use."
        assert content(folder) == before
    opens(nursery, folder)


def test_a_port_that_another_house_has_and_does_not_serve_yet(nursery: Nursery, folder: Path) -> None:
    """A house takes its port before it opens its store."""
    first = nursery.open(folder, **SETTINGS)
    port = first.url.rpartition(":")[2]
    with tempfile.TemporaryDirectory() as other:
        assert "address already in use" in sentence(nursery.open(Path(other), **SETTINGS, port=port))
        assert content(Path(other)) == {}, "nothing was made"
    first.close()


def test_a_second_house_on_the_same_file(nursery: Nursery, folder: Path) -> None:
    first = nursery.open(folder, **SETTINGS)
    said = sentence(nursery.open(folder, **SETTINGS))
    assert said == f"The store house.db is in use by another house (process {first.pid})."
    assert httpx.get(f"{first.url}/health").json()["ok"]
    first.close()
    opens(nursery, folder)


def a_wrong_key(folder: Path) -> str:
    (folder / "house.key").write_bytes(HouseKey.new().pem())
    return "was sealed with a different key"


def a_key_that_others_may_read(folder: Path) -> str:
    (folder / "house.key").chmod(0o640)
    return "The house's key house.key can be read by other users: restrict it with chmod 600."


def a_key_that_is_none(folder: Path) -> str:
    (folder / "house.key").write_text("sesame\n")
    return "house.key does not contain a private Ed25519 key in PEM form."


def a_folder_in_place_of_the_key(folder: Path) -> str:
    (folder / "house.key").unlink()
    (folder / "house.key").mkdir()
    return "The key house.key cannot be read: Is a directory."


@pytest.mark.parametrize(
    "spoil", [a_wrong_key, a_key_that_others_may_read, a_key_that_is_none, a_folder_in_place_of_the_key]
)
def test_a_key(spoil: Callable[[Path], str], nursery: Nursery, tmp_path: Path) -> None:
    nursery.open(tmp_path, "--demonstration", **SETTINGS).close()  # only what was sealed knows its key
    key, before = (tmp_path / "house.key").read_bytes(), (tmp_path / "house.db").read_bytes()
    expected = spoil(tmp_path)
    assert expected in sentence(nursery.open(tmp_path, **SETTINGS))
    assert (tmp_path / "house.db").read_bytes() == before
    if (tmp_path / "house.key").is_dir():
        (tmp_path / "house.key").rmdir()
    (tmp_path / "house.key").write_bytes(key)
    (tmp_path / "house.key").chmod(0o600)
    opens(nursery, tmp_path)


def test_a_file_that_may_only_be_read(nursery: Nursery, folder: Path) -> None:
    if os.geteuid() == 0:
        for name in ("house.db", "house.key", "house.db.lock"):
            shutil.chown(folder / name, NOBODY, NOBODY)
    (folder / "house.db").chmod(0o400)
    folder.chmod(0o777)
    before = (folder / "house.db").read_bytes()
    said = sentence(nursery.open(folder, **SETTINGS, is_nobody=True))
    assert said == "The store house.db cannot be opened: it is read-only."
    assert (folder / "house.db").read_bytes() == before
    (folder / "house.db").chmod(0o600)
    opens(nursery, folder)


def test_a_folder_that_may_only_be_read(nursery: Nursery, folder: Path) -> None:
    folder.chmod(0o555)
    before = content(folder)
    said = sentence(nursery.open(folder, key="new.key", store="sqlite:new.db", is_nobody=True))
    assert said == "The store new.db cannot be opened: Permission denied."
    assert content(folder) == before


def test_a_full_disk_at_the_first_start(nursery: Nursery, tmp_path: Path) -> None:
    said = sentence(nursery.open(tmp_path, **SETTINGS, most_bytes=8192))
    assert said.startswith("The store house.db cannot be opened: ")
    assert set(content(tmp_path)) <= {"house.db.lock"}, "nothing is left that is half made"
    opens(nursery, tmp_path)


@pytest.mark.parametrize(
    ("store", "says"),
    [
        ("sqlite:no/such/folder/house.db", "cannot be opened: there is no folder no/such/folder."),
        ("sqlite:house.key", "is damaged: its file is not a database."),
        ("sqlite:.", "An SQLite store has a path"),
        ("sqlite:..", "cannot be opened: it is a folder."),
        ("nowhere:", "That is not the address of a store"),
        ("postgres://nobody@127.0.0.1:1/house", "The PostgreSQL store house at 127.0.0.1:1 does not answer: "),
    ],
)
def test_a_store_that_is_none(store: str, says: str, nursery: Nursery, folder: Path) -> None:
    before = content(folder)
    assert says in sentence(nursery.open(folder, key="house.key", store=store))
    assert content(folder).items() >= before.items()


# -- while it runs -----------------------------------------------------------------------------------------------------


@pytest.fixture
def sieges(nursery: Nursery, tmp_path: Path) -> Iterator[Callable[[str], Siege]]:
    made: list[Siege] = []

    def siege(address: str) -> Siege:
        made.append(Siege(nursery, tmp_path, address, seed=5))
        return made[-1]

    yield siege
    for one in made:
        one.close()


def endure(guest: Guest, url: str, until: Flag) -> None:
    """Keep sending the same command until it is answered, whatever happens."""
    while not until.is_set():
        if not guest.step(url):
            guest.counts["unanswered"] += 1
            time.sleep(0.05)


@contextmanager
def under_load(siege: Siege, url: str) -> Iterator[None]:
    """Meanwhile everyone sends commands."""
    until = Flag()
    with ThreadPoolExecutor(len(siege.guests)) as pool:
        visits = [pool.submit(endure, guest, url, until) for guest in siege.guests]
        try:
            yield
        finally:
            until.set()
        for visit in visits:
            visit.result()


def goes_on(siege: Siege) -> None:
    """Commands are acknowledged again."""
    before = siege.counts["acknowledged"]
    until(lambda: siege.counts["acknowledged"] > before + 5)


def refused_now(siege: Siege, url: str) -> dict[str, Any]:
    """The answer to a command that cannot be stored."""
    reply = httpx.get(f"{url}/api/v1/tables/{STAFF}", timeout=30)  # by no one: who is signed in, the store would say
    assert reply.status_code == 200, "what is in memory can be looked at"
    otto = siege.guests[-1]
    command = otto.new(otto.deed())
    headers = otto.headers | {"idempotency-key": command.key}
    told = otto.http.post(f"{url}/api/v1{command.deed.path}", json=command.deed.body, headers=headers)
    assert told.status_code == 503, told.text
    assert int(told.headers["retry-after"]) >= 1
    return dict(told.json())


def test_a_full_disk(nursery: Nursery, sieges: Callable[[str], Siege], tmp_path: Path) -> None:
    siege = sieges(f"sqlite:{tmp_path / 'house.db'}")
    house = siege.open()
    soft, hard = resource.prlimit(house.pid, resource.RLIMIT_FSIZE)
    with under_load(siege, house.url):
        goes_on(siege)
        log = tmp_path / "house.db-wal"
        resource.prlimit(house.pid, resource.RLIMIT_FSIZE, (log.stat().st_size + 50_000, hard))
        until(lambda: siege.counts["unanswered"] > 5)
    resource.prlimit(house.pid, resource.RLIMIT_FSIZE, (1, hard))  # not even what is short
    told = refused_now(siege, house.url)
    assert told["code"] == "not_stored"
    assert told["message"].startswith("The store wrote nothing: its disk ")
    health = httpx.get(f"{house.url}/health")
    assert (health.status_code, health.json()["ok"]) == (503, False)
    siege.check()
    with under_load(siege, house.url):
        resource.prlimit(house.pid, resource.RLIMIT_FSIZE, (soft, hard))
        goes_on(siege)
    assert httpx.get(f"{house.url}/health").status_code == 200
    house.close()
    siege.end()


def test_a_full_disk_when_it_closes(nursery: Nursery, sieges: Callable[[str], Siege], tmp_path: Path) -> None:
    """There is no room for a last checkpoint either, but what was acknowledged is there."""
    siege = sieges(f"sqlite:{tmp_path / 'house.db'}")
    house = siege.open()
    with under_load(siege, house.url):
        goes_on(siege)
        resource.prlimit(house.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        until(lambda: siege.counts["unanswered"] > 5)
    house.close()
    siege.check()
    siege.end()


@pytest.fixture
def cable() -> Iterator[Cable]:
    """A connection to an empty database that can be cut."""
    try:
        url = fresh_database(f"faults_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}")
    except NoPostgres as error:
        pytest.skip(str(error))
    with closing(Cable(url)) as made:
        yield made


def test_a_database_that_is_lost_for_a_moment(sieges: Callable[[str], Siege], cable: Cable) -> None:
    """The connection is cut, even in the middle of a commit, or ended by the server: the house recovers by itself."""
    siege = sieges(cable.url)
    house = siege.open()
    with under_load(siege, house.url):
        for _ in range(3):
            goes_on(siege)
            cable.cut()
            time.sleep(0.2)
            cable.mend()
        for when in ("before", "after"):
            goes_on(siege)
            cable.cut_at_commit(when, mend=True)
        goes_on(siege)
        with psycopg.connect(cable.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        goes_on(siege)
    siege.check()
    house.close()
    siege.end()


def test_a_database_that_is_lost_for_long(sieges: Callable[[str], Siege], cable: Cable) -> None:
    siege = sieges(cable.url)
    house = siege.open()
    with under_load(siege, house.url):
        goes_on(siege)
        cable.cut_at_commit("after", mend=False)  # it is committed, and no one can find out
        until(lambda: siege.counts["unanswered"] > 5)
    health = httpx.get(f"{house.url}/health", timeout=30)
    assert health.status_code == 503
    assert health.json()["state"].startswith("The store does not answer: ")
    assert refused_now(siege, house.url)["code"] == "not_stored"
    with under_load(siege, house.url):
        cable.mend()
        goes_on(siege)
    assert httpx.get(f"{house.url}/health").json()["ok"]
    siege.check()
    house.close()
    siege.end()


def test_a_database_that_is_gone_when_it_closes(sieges: Callable[[str], Siege], cable: Cable) -> None:
    siege = sieges(cable.url)
    house = siege.open()
    with under_load(siege, house.url):
        goes_on(siege)
        cable.cut()
        house.send(signal.SIGTERM)
        assert house.wait(30) == 0, house.said()
    cable.mend()
    siege.check()
    siege.end()


# -- the end -----------------------------------------------------------------------------------------------------------


def listen(url: str, opened: Flag) -> str:
    """Everything that a listener hears until the house ends the connection."""
    heard = ""
    with httpx.stream("GET", f"{url}/api/v1/tables/{CLOCK}/live?after=0", timeout=60) as reply:
        for piece in reply.iter_text():
            heard += piece
            opened.set()
    return heard


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_it_closes_in_good_order(
    kind: str, number: signal.Signals, sieges: Callable[[str], Siege], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """With listeners, a request that never ends, and commands in progress."""
    cable = request.getfixturevalue("cable") if kind == "postgres" else None
    siege = sieges(f"sqlite:{tmp_path / 'house.db'}" if cable is None else cable.url)
    house, opened = siege.open(shutdown_seconds=1), [Flag() for _ in range(3)]
    host, port = house.url.removeprefix("http://").split(":")
    with (
        ThreadPoolExecutor(len(opened)) as pool,
        socket.create_connection((host, int(port))) as half,
        under_load(siege, house.url),
    ):
        half.sendall(b"POST /api/v1/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        listeners = [pool.submit(listen, house.url, one) for one in opened]
        assert all(one.wait(PATIENCE) for one in opened)
        goes_on(siege)
        house.send(number)
        assert house.wait() == 0, house.said()
        heard = {listener.result() for listener in listeners}
    assert all("event: closed\n" in one for one in heard)
    siege.check()
    with closing(open_store(siege.address, read_only=True)) as store:
        report = verify(store)
        assert (report.is_good, report.unsealed) == (True, 0)
    siege.end()


# What an acceptance test found


@pytest.mark.parametrize("link", [os.symlink, os.link], ids=["symbolic", "hard"])
def test_a_second_house_by_another_name_of_the_file(
    link: Callable[[str, str], None], nursery: Nursery, folder: Path
) -> None:
    with closing(nursery.open(folder, **SETTINGS)) as first:
        link(str(folder / "house.db"), str(folder / "other.db"))
        said = sentence(nursery.open(folder, **{**SETTINGS, "store": "sqlite:other.db"}))
        assert "is in use by another house" in said or "has other names as well" in said
        assert httpx.get(f"{first.url}/health").json()["ok"] is True


def test_a_key_that_is_none_touches_nothing_else(nursery: Nursery, tmp_path: Path) -> None:
    (tmp_path / "house.key").write_text("no key at all")
    (tmp_path / "house.key").chmod(0o600)
    sentence(nursery.open(tmp_path, **SETTINGS))
    assert [file.name for file in tmp_path.iterdir()] == ["house.key"]


def test_a_missing_key_of_a_sealed_store_is_not_made_anew(nursery: Nursery, folder: Path) -> None:
    nursery.open(folder, "--demonstration", **SETTINGS).close()
    (folder / "house.key").rename(folder / "away.key")
    assert "was sealed with a key that is not in house.key" in sentence(nursery.open(folder, **SETTINGS))
    assert not (folder / "house.key").exists()
    (folder / "away.key").rename(folder / "house.key")
    opens(nursery, folder)


@pytest.mark.parametrize(
    ("setting", "value"), [("log", "loud"), ("welcome", "abc"), ("welcome", "-5.00"), ("welcome", "1.5")]
)
def test_a_setting_that_makes_no_sense(setting: str, value: str, nursery: Nursery, folder: Path) -> None:
    assert setting in sentence(nursery.open(folder, **{**SETTINGS, setting: value}))
