"""The checker as a file: small, complete, and the same from the command line and from a house."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from croupier.cli.main import main
from croupier.web import MOST_CHECKER_BYTES, checker, checker_policy
from tests.serving import Running, running

PAGE = checker().decode()
NAMESPACE = "http://www.w3.org/2000/svg"  # the name of a language, never asked for


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("house")), store="memory:", checkpoint_seconds=86_400) as opened:
        yield opened


def test_it_is_small() -> None:
    assert len(checker()) < MOST_CHECKER_BYTES <= 50_000


def test_it_refers_to_nothing_outside_itself() -> None:
    assert not re.findall(r"\bsrc=|@import|url\(|<iframe|<object|<embed|<base\b|import\s*\(", PAGE)
    assert set(re.findall(r'href="([^"]*)"', PAGE)) == {"data:,"}
    assert set(re.findall(r"\b\w+://[^\"'` ]*", PAGE)) == {NAMESPACE}
    assert set(re.findall(r"\bfetch\(.{11}", PAGE)) == {"fetch(`/api/v1/${"}, "only the house that it came from"
    assert not re.findall(r"XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|Worker\(", PAGE)


def test_nothing_but_its_own_script_and_style_may_run() -> None:
    (said,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', PAGE)
    rules = dict(rule.split(" ", 1) for rule in said.split("; "))
    (code,), (look,) = (
        re.findall(r"<script>(.*?)</script>", PAGE, re.S),
        re.findall(r"<style>(.*?)</style>", PAGE, re.S),
    )
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert (rules["script-src"], rules["style-src"]) == (digest(code), digest(look))
    assert rules["connect-src"] == "'self'"
    assert "unsafe" not in said
    assert checker_policy() == f"{said}; frame-ancestors 'none'"
    assert " style=" not in PAGE
    assert not re.findall(r"\son\w+=", PAGE.partition("<script>")[0])


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


# -- where it comes from ----------------------------------------------------------------------------------------------


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "checker.html"
    assert main(["checker", str(file)]) == 0
    assert file.read_bytes() == checker()
    assert capsys.readouterr().out == f"{file}: open it in a browser. It needs no network.\n"
    assert main(["checker", str(tmp_path / "nowhere" / "checker.html")]) == 2
    assert "cannot be written (No such file or directory)." in capsys.readouterr().err


def test_a_house_serves_it(house: Running) -> None:
    nobody = house.nobody()
    reply = nobody.http.get("/check?table=craps-nsw-2024&round=1")
    assert reply.content == checker()
    assert reply.headers["content-type"].startswith("text/html")
    assert reply.headers["content-security-policy"] == checker_policy()
    assert reply.headers["content-encoding"] == "gzip"
    again = nobody.http.get("/check", headers={"if-none-match": reply.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
