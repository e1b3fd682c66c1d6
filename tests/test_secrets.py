"""No secret gets out: everything that a running house says, with all logs on, is searched for secrets."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from croupier.server.demonstration import PEOPLE
from croupier.store.opening import open_store
from tests.serving import Person
from tests.waiting import until

TABLE = "/tables/sic-bo-nsw-2016"
PASSWORD, WRONG, NEXT = "qq-first-password-zz", "qq-wrong-password-zz", "qq-second-password-zz"
QUERY = "qq-a-secret-in-the-query-zz"
CROUPIER = [sys.executable, "-c", "from croupier.cli.main import run; run()"]


class Told(NamedTuple):
    """Everything that the house has said, and everything that it must not have said."""

    said: dict[str, str]
    secrets: dict[str, str]


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """A house in a process of its own, with everything logged; the log is complete once it is closed."""
    log: list[str] = []
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
    environment |= {"CROUPIER_PORT": "0", "CROUPIER_LOG": "debug", "CROUPIER_STORE": "sqlite:house.db"}
    with (folder / "log").open("w+") as errors:
        process = subprocess.Popen(
            [*CROUPIER, "serve", "--demonstration"],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        try:
            assert process.stdout is not None
            for line in process.stdout:
                found = re.search(r"http://\S+", line)
                if found is not None:
                    break
            else:
                raise AssertionError((folder / "log").read_text())
            yield found[0].rstrip("."), log
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
        log.append((folder / "log").read_text())


def replies(url: str, secrets: dict[str, str]) -> Iterator[str]:
    """People arrive, play, make mistakes; return all answers of the house, except what it gives to its owner once."""
    nobody = Person(url)
    new = {"person": "wanda", "name": "Wanda", "password": PASSWORD}
    yield nobody.post("/sign-up", new).text
    yield nobody.post("/sign-up", new).text
    yield nobody.post("/sign-in", {"person": "wanda", "password": WRONG}).text
    yield nobody.post("/sign-in", {"person": WRONG, "password": PASSWORD}).text.replace(WRONG, "")
    wanda = Person(url, "wanda", PASSWORD)
    secrets["cookie"] = next(iter(wanda.http.cookies.values()))
    secrets["csrf"] = wanda.headers["x-csrf-token"]
    secrets["token"] = wanda.post("/tokens", {"name": "bot", "scopes": ["play"]}).json()["token"]
    yield wanda.get("/tokens").text
    program = httpx.Client(base_url=url, headers={"authorization": f"Bearer {secrets['token']}"})
    yield program.post(f"/api/v1{TABLE}/seat", json={"chips": "100.00"}, headers={"idempotency-key": "sit"}).text
    yield program.post("/api/v1/tokens", json={"name": "more", "scopes": ["play"]}).text
    until(lambda: wanda.get(TABLE).json()["round"])
    yield wanda.do(f"{TABLE}/lines", {"line": {"do": "bet", "wager": "small", "amount": "5.00"}}).text
    yield wanda.do(f"{TABLE}/lines", {"line": {"do": "nothing of the kind"}}).text
    yield wanda.do(f"{TABLE}/seat", {"chips": "1.00", "password": PASSWORD}).text
    yield wanda.http.get("/api/v1/me", headers={"authorization": f"Bearer {secrets['token']}x"}).text
    yield wanda.http.post(f"/api/v1{TABLE}/leave", json={}, headers={"x-csrf-token": secrets["csrf"] + "x"}).text
    yield wanda.http.get(f"/api/v1{TABLE}/events", params={"after": QUERY, "token": secrets["token"]}).text
    yield wanda.http.get(f"/api/v1{TABLE}", params={"password": QUERY}).text
    otto = Person(url, "otto", next(one.password for one in PEOPLE if one.person == "otto"))
    given = {"person": "xeno", "name": "Xeno", "password": PASSWORD}
    yield wanda.do("/accounts", given).text
    yield otto.do("/accounts", given).text
    for path in ("/export?refusals=true", "/refusals?limit=1000", f"{TABLE}/record", f"{TABLE}/events?limit=1000"):
        yield otto.get(path).text
    for path in ("/metrics", "/health", "/", "/api/openapi.json", "/api/v1/house"):
        yield nobody.http.get(path).text
    yield wanda.post("/password", {"old": WRONG, "new": NEXT}).text
    yield wanda.post("/password", {"old": PASSWORD, "new": NEXT}).text
    yield wanda.get("/me").text
    for client in (nobody.http, wanda.http, otto.http, program):
        client.close()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    folder = Path(tmp_path_factory.mktemp("secrets"))
    secrets = {"password": PASSWORD, "wrong password": WRONG, "next password": NEXT}
    with served(folder) as (url, log):
        answered = "\n".join(replies(url, secrets))
    said = {"replies": answered, "log": log[0]}
    store = open_store(f"sqlite:{folder / 'house.db'}")
    vault = {one.name: one.value for one in store.secrets() if one.value is not None}
    said["refusals"] = "\n".join(one.document.decode() for one in store.refusals())
    said["streams"] = "\n".join(record.document.decode() for stream in store.streams() for record in store.read(stream))
    store.close()
    for name, value in vault.items():
        if name.startswith("dice/"):
            secrets[name] = value.hex()
        elif name.startswith("password/"):
            secrets[name] = value.decode()
    done = subprocess.run(
        [*CROUPIER, "export", "--refusals", "house.db", "house.jsonl"], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    said["export"] = (folder / "house.jsonl").read_text()
    return Told(said, secrets)


@pytest.mark.parametrize("where", ["replies", "log", "refusals", "streams", "export"])
def test_no_secret_is_told(told: Told, where: str) -> None:
    """Passwords right and wrong, cookies, tokens, CSRF tokens, hashes, and dice that have not been drawn."""
    assert {name for name, secret in told.secrets.items() if secret in told.said[where]} == set()
    assert "$argon2" not in told.said[where]


def test_what_was_asked_for_in_an_address_is_in_no_log(told: Told) -> None:
    assert QUERY not in told.said["log"]
    assert QUERY not in told.said["export"]


def test_there_was_something_to_find(told: Told) -> None:
    """Otherwise nothing is proved: a round was open, requests were logged, refusals were kept."""
    assert any(name.startswith("dice/sic-bo-nsw-2016/") for name in told.secrets)
    assert sum(name.startswith("password/") for name in told.secrets) == len(PEOPLE) + 2
    lines = [json.loads(line) for line in told.said["log"].splitlines()]
    assert any(line["what"] == "request" and line.get("person") == "wanda" for line in lines)
    assert any(line["level"] == "debug" for line in lines), "everything was logged"
    assert "nothing of the kind" in told.said["refusals"]
    assert all(word in told.said["export"] for word in ("wager_placed", "round_opened", "wanda", "nothing of the kind"))
    assert {"cookie", "csrf", "token"} <= set(told.secrets)


def test_the_password_of_a_database_is_in_no_message(tmp_path: Path) -> None:
    """Whether it is written before the host or after a question mark."""
    secret = "qq-database-password-zz"
    for address in (
        f"postgresql://house:{secret}@127.0.0.1:1/house",
        f"postgresql://127.0.0.1:1/house?user=house&password={secret}",
    ):
        environment = os.environ | {"CROUPIER_PORT": "0", "CROUPIER_LOG": "debug", "CROUPIER_STORE": address}
        done = subprocess.run([*CROUPIER, "serve"], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 2, done.stderr
        assert done.stderr.strip()
        assert secret not in done.stdout + done.stderr
