"""`croupier serve` and `croupier operator`, typed as people type them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from croupier import rulebooks
from croupier.cli.main import main
from croupier.house.electronic.public_record import kind
from croupier.house.names import account_stream
from croupier.house.stored_events import read
from croupier.server import demonstration
from croupier.store.opening import open_store
from croupier.web import STATIC
from tests.serving import Person, running

CROUPIER = str(Path(sys.executable).with_name("croupier"))


@contextmanager
def served(folder: Path, *words: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A house in a process of its own, and what it printed up to its address."""
    house = subprocess.Popen(
        [CROUPIER, "serve", *words],
        cwd=folder,
        env={**os.environ, "CROUPIER_PORT": "0", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert house.stdout is not None
        printed = [house.stdout.readline()]
        while "--demonstration" in words and "Ctrl-C" not in printed[-1]:
            printed.append(house.stdout.readline())
            assert printed[-1], "".join(printed)
        yield house, printed
    finally:
        house.kill()
        house.communicate()


def test_the_demonstration_prints_its_address_and_sign_ins_that_work(tmp_path: Path) -> None:
    with served(tmp_path, "--demonstration") as (house, printed):
        url = re.search(r"http://\S+", printed[0])
        assert url is not None, printed
        sign_ins = [found.groups() for line in printed if (found := re.match(r"  (\w+) +(\w+) +(\S+)$", line))]
        roles = []
        for role, name, password in sign_ins:
            person = Person(url[0], name, password)
            assert person.get("/me").json()["roles"] == [role]
            roles.append(role)
            person.http.close()
        assert set(roles) == {"player", "dealer", "supervisor", "manager", "operator", "inspector"}
        tables = httpx.get(f"{url[0]}/api/v1/tables").json()
        by_itself = {table["table"]: table["by_itself"] for table in tables if table["open"]}
        assert by_itself == dict.fromkeys(rulebooks.ids(), True) | {demonstration.DEALT: False}
        console = next(found[0] for line in printed if (found := re.search(r"http://\S+/deal", line)))
        assert console == f"{url[0]}/tables/{demonstration.DEALT}/deal"
        assert httpx.get(console).status_code == 200
        house.send_signal(signal.SIGTERM)
        assert house.wait(30) == 0


def test_a_second_start_finds_everything_as_it_was(tmp_path: Path) -> None:
    for time in range(2):
        with served(tmp_path, "--demonstration") as (house, printed):
            url = re.search(r"http://\S+", printed[0])
            assert url is not None
            ann = Person(url[0], "ann", "ann-at-croupier")
            if time == 0:
                assert ann.do("/tables/two-up-nsw-2016/seat", {"chips": "40.00"}).status_code == 200
            assert ann.get("/me").json()["chips"] == "960.00"
            assert ann.get("/tables/two-up-nsw-2016").json()["chips"] == {"ann": "40.00"}
            ann.http.close()
            house.send_signal(signal.SIGINT)
            assert house.wait(30) == 0


def test_the_demonstration_is_for_one_machine(tmp_path: Path) -> None:
    done = subprocess.run(
        [CROUPIER, "serve", "--demonstration"],
        cwd=tmp_path,
        env={**os.environ, "CROUPIER_HOST": "0.0.0.0", "CROUPIER_PORT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "has public passwords" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("person", "password", "says"),
    [
        ("otto", "long enough", None),
        ("otto", "short", "A password must have"),
        ("Otto", "long enough", "An account name must have 1 to 40 lower-case letters"),
    ],
)
def test_the_first_operator(tmp_path: Path, person: str, password: str, says: str | None) -> None:
    done = subprocess.run(
        [CROUPIER, "operator", person], cwd=tmp_path, input=password + "\n", capture_output=True, text=True, check=False
    )
    if says is not None:
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert says in done.stderr
        return
    assert done.stdout == "otto is now an operator of this house and signs in with this password.\n"
    with running(tmp_path, demonstration=False) as house:
        otto = Person(house.url, "otto", password)
        given = {"person": "dora", "name": "Dora", "password": "another long one", "roles": ["dealer"]}
        assert otto.do("/accounts", given).status_code == 200
        dora = Person(house.url, "dora", "another long one")
        assert dora.get("/me").json()["roles"] == ["dealer"]
        otto.http.close()
        dora.http.close()


@pytest.mark.parametrize(("again", "status"), [("long enough", 0), ("long enouhg", 2)])
def test_a_password_is_typed_twice(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    again: str,
    status: int,
) -> None:
    """No one sees it, and someone who mistypes it could not sign in."""
    typed = iter(["long enough", again])
    monkeypatch.setattr("getpass.getpass", lambda prompt: next(typed))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setenv("CROUPIER_STORE", f"sqlite:{tmp_path / 'house.db'}")
    assert main(["operator", "otto"]) == status
    said = capsys.readouterr()
    assert (tmp_path / "house.db").exists() is (status == 0)
    assert said.err == ("" if status == 0 else "croupier: The two passwords are not the same: nothing was changed.\n")


def test_a_player_who_is_made_an_operator_has_another_password_and_keeps_the_role(tmp_path: Path) -> None:
    with running(tmp_path) as house:
        ann = house.person("ann")
        cookie = dict(ann.http.cookies)
    for _ in range(2):
        subprocess.run([CROUPIER, "operator", "ann"], cwd=tmp_path, input="long enough\n", text=True, check=True)
    with running(tmp_path) as house:
        assert httpx.get(f"{house.url}/api/v1/me", cookies=cookie).status_code == 401
        ann = Person(house.url, "ann", "long enough")
        assert ann.get("/me").json()["roles"] == ["operator", "player"]
        ann.http.close()
    assert _events_of(tmp_path, "ann")[-3:] == ["roles_changed", "password_set", "password_set"]


def _events_of(folder: Path, person: str) -> list[str]:
    """The events of an account's stream, in order."""
    with closing(open_store(f"sqlite:{folder / 'house.db'}", read_only=True)) as store:
        return [kind(read(record).document.event) for record in store.read(account_stream(person))]


def test_a_page_for_developers_shows_all_endpoints(tmp_path: Path) -> None:
    with running(tmp_path, name="The <Harbour>") as house:
        page = house.nobody().http.get("/developers")
    assert page.headers["content-type"].startswith("text/html")
    assert "The &lt;Harbour&gt;" in page.text
    assert "POST /api/v1/tables/{table}/lines" in page.text


def test_files_of_the_pages_are_sent_once(tmp_path: Path) -> None:
    with running(tmp_path) as house:
        http = house.nobody().http
        first = http.get("/web/felt/felt.js")
        again = http.get("/web/felt/felt.js", headers={"if-none-match": first.headers["etag"]})
        plain = http.get("/web/felt/felt.js", headers={"accept-encoding": "identity"})
        for missing in (
            "nothing.js",
            "felt",
            "felt/nothing.js",
            "felt/felt.js/more",
            "shell.html",
            "felt/../shell.html",
        ):
            assert http.get(f"/web/{missing}").status_code == 404
        for outside in (
            "..%2f__init__.py",
            "felt/..%2f..%2f__init__.py",
            "../__init__.py",
            "..%2f/__init__.py",
            "%2e%2e/x",
        ):
            assert http.get(f"/web/{outside}").status_code == 404
    assert first.headers["content-encoding"] == "gzip"
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.content == plain.content == (STATIC / "felt" / "felt.js").read_bytes()
    assert (again.status_code, again.content) == (304, b"")
    assert "default-src 'self'" in first.headers["content-security-policy"]
