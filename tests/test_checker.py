"""The checker as a file: small, whole, always the same bytes, and the same from the command line and from a house."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from croupier.cli.main import main
from croupier.web import checker as making
from croupier.web.checker import HERE, MOST_BYTES, checker, policy, script, short_names, style
from tests.golden.reading import rows
from tests.serving import Running, running

PAGE = checker().decode()
NAMESPACE = "http://www.w3.org/2000/svg"  # the name of a language, never asked for


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("house")), store="memory:", checkpoint_seconds=86_400) as opened:
        yield opened


def test_it_is_small() -> None:
    assert len(checker()) < MOST_BYTES <= 50_000


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
    assert policy() == f"{said}; frame-ancestors 'none'"
    assert " style=" not in PAGE
    assert not re.findall(r"\son\w+=", PAGE.partition("<script>")[0])


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def test_the_same_sources_make_the_same_bytes() -> None:
    code = "import sys; from croupier.web.checker import checker; sys.stdout.buffer.write(checker())"
    made = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": seed, **PATH}
        )
        for seed in ("1", "2")
    ]
    assert {one.stdout for one in made} == {checker()}


PATH = {"PYTHONPATH": str(Path(making.__file__).parents[3])}


# -- how it is made ---------------------------------------------------------------------------------------------------


def fields(value: Any) -> Iterator[str]:  # noqa: ANN401  # whatever a record holds
    """The names of all fields in records and receipts, those within documents too."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from fields(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from fields(inner)
    elif isinstance(value, str) and value.startswith("{"):
        yield from fields(json.loads(value))


def test_no_field_of_a_record_is_written_short() -> None:
    lines = [line for name in ("dice", "draws") for row in rows(name, "records") for line in row["lines"]]
    known = {name for line in lines for name in fields(line)}
    known |= {name for row in rows("receipts", "receipts") for name in fields(row["receipt"])}
    assert known >= {"sha256", "document", "numbers", "contributor", "one_prize_each", "signature"}
    sources = "\n".join(path.read_text(encoding="utf-8") for path in HERE.glob("*.js"))
    assert not known & set(short_names(sources))


def test_text_and_patterns_are_kept_and_the_rest_is_written_short() -> None:
    source = (
        "// A comment.\n"
        "const reckoned = (/** @type {number} */ one) => {\n"
        '  const text = `a  ${one + +reckoned({ a: "b  c" })}  ${`in  ${one}`}  d`;\n'
        "  for (let i = 0; i < 2; ) i++;\n"
        "  return /one  two\\/[/]/.test(text) ? [one, 4 / 2 / 1] : null;\n"
        "};\n"
    )
    short = "".join(making._short(source, {"reckoned": "$a", "one": "$b"}))
    assert short == (
        '"use strict";const $a=($b)=>{const text=`a  ${$b+ +$a({a:"b  c"})}  ${`in  ${$b}`}  d`;'
        "for(let i=0;i<2;)i++;return/one  two\\/[/]/.test(text)?[$b,4/2/1]:null}\n"
    )


@pytest.mark.parametrize(
    ("source", "short"),
    [
        ("const a = 1; const b = 2; const c = 3;", "const a=1,b=2,c=3"),
        (
            "const f = () => { const a = 1; const b = 2; return a; }; const g = 1;",
            "const f=()=>{const a=1,b=2;return a},g=1",
        ),
        ("const a = 1; f(); const b = 2;", "const a=1;f();const b=2"),
        ("if (a) { const b = 1; } const c = 1; const d = 2;", "if(a){const b=1}const c=1,d=2"),
        ("let a = 1; const b = 2;", "let a=1;const b=2"),
        ("const { a } = b; for (const c of a) f(c); const d = 1;", "const{a}=b;for(const c of a)f(c);const d=1"),
    ],
)
def test_constants_that_follow_one_another_are_joined(source: str, short: str) -> None:
    assert "".join(making._short(source, {})) == f'"use strict";{short}\n'


def test_two_modules_may_not_have_the_same_name_for_something() -> None:
    with pytest.raises(ValueError, match="the same name for something: told"):
        short_names("const told = 1;\nfunction told() {}\n")


def test_what_is_left_out_of_the_style_means_nothing() -> None:
    assert "/*" not in style()
    assert ".verdict.bad{" in style()
    assert "*{box-sizing:border-box}" in style()
    assert script().startswith('"use strict";')


# -- where it comes from ----------------------------------------------------------------------------------------------


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "checker.html"
    assert main(["checker", str(file)]) == 0
    assert file.read_bytes() == checker()
    assert capsys.readouterr().out == f"{file}: open it in a browser. It asks the network for nothing.\n"
    assert main(["checker", str(tmp_path / "nowhere" / "checker.html")]) == 2
    assert "cannot be written (No such file or directory)." in capsys.readouterr().err


def test_a_house_serves_it(house: Running) -> None:
    nobody = house.nobody()
    reply = nobody.http.get("/check?table=craps-nsw-2024&round=1")
    assert reply.content == checker()
    assert reply.headers["content-type"].startswith("text/html")
    assert reply.headers["content-security-policy"] == policy()
    assert reply.headers["content-encoding"] == "gzip"
    again = nobody.http.get("/check", headers={"if-none-match": reply.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
