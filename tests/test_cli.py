"""The command line: what it prints, and that bad input gets one clear sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from croupier import rulebooks
from croupier.cli.main import main, parser
from tests.tables import BOOKS


def run(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = main(words)
    out = capsys.readouterr()
    return status, out.out, out.err


def test_books_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run("books", capsys=capsys)
    assert status == 0
    assert all(book in out for book in BOOKS)
    status, out, _ = run("books", "--json", capsys=capsys)
    assert {row["id"]: row["clauses"] for row in json.loads(out)}["craps-nsw-2024"] == 239


@pytest.mark.parametrize("book", BOOKS)
def test_every_clause_is_shown(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run("rules", book, capsys=capsys)
    assert status == 0
    numbers = {line.split()[0] for line in out.splitlines() if line.strip()}
    from tests.tables import SHELF

    assert {number for number in SHELF.book(book).clauses if not number.endswith("tail")} <= numbers


def test_one_clause_is_shown_with_its_readings(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run("rules", "sic-bo-nsw-2016", "3.2.2.1", capsys=capsys)
    assert status == 0
    assert "SB-8" in out
    assert "wager even, row 1" in out
    status, out, _ = run("rules", "craps-nsw-2024", "come point", capsys=capsys)
    assert '1.1 "come point"' in out


@pytest.mark.parametrize("book", BOOKS)
def test_the_trace_has_a_row_for_every_clause(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run("trace", book, "--json", capsys=capsys)
    rows = json.loads(out)
    from tests.tables import SHELF

    assert status == 0
    assert [row["clause"] for row in rows if row["kind"] != "definition"] == list(SHELF.book(book).clauses)
    for row in rows:
        assert {"clause", "class", "summary", "reason", "code", "tests", "readings"} <= set(row)
    status, out, _ = run("trace", book, capsys=capsys)
    assert "gaps:" in out
    status, out, _ = run("trace", book, "--gaps", "--json", capsys=capsys)
    assert json.loads(out) == []


def test_the_register_of_readings_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run("readings", "sic-bo-nsw-2016", capsys=capsys)
    assert status == 0
    assert "SB-8" in out
    assert "house 5/18" in " ".join(out.split())
    status, out, _ = run("readings", "sic-bo-nsw-2016", "--json", capsys=capsys)
    playable = {row["id"]: row["playable"] for row in json.loads(out)}
    assert playable["SB-9"] == ["SB-9 repeats"]


BAD = [
    (("rules", "moon"), "there is no such rule book"),
    (("rules", "craps-nsw-2024", "99.9"), "has no clause 99.9"),
    (("trace", "moon"), "there is no such rule book"),
    (("check", "/nowhere/book.toml"), "there is no such file or folder"),
    (("books", "--with", "/nowhere/book.toml"), "there is no such file or folder"),
    (("scenario", "/nowhere/a.scenario"), "cannot be read"),
    (("play", "moon"), "there is no such rule book"),
    (("play", "craps-nsw-2024", "--chips", "many"), "is not an amount"),
    (("play", "snake-eyes-nsw-2019", "--pay-table", "three"), "does not permit"),
]


@pytest.mark.parametrize(("words", "sentence"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_is_one_sentence_and_status_2(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run(*words, capsys=capsys)
    assert status == 2
    assert sentence in err
    assert err.startswith("croupier: ")
    assert len(err.splitlines()) == 1


def test_scenarios_run_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(file) for file in sorted((rulebooks.folder("two-up-nsw-2016") / "scenarios").glob("*.scenario"))]
    status, out, _ = run("scenario", *files, capsys=capsys)
    assert status == 0
    assert out.endswith("scenarios, all as written\n")
    wrong = tmp_path / "wrong.scenario"
    wrong.write_text("scenario Wrong\nbook two-up-nsw-2016\nann sits with 5.00\nann has 6.00\n", encoding="utf-8")
    status, out, _ = run("scenario", str(wrong), capsys=capsys)
    assert status == 1
    assert "line 4 (Wrong)\n  expected: ann has 6.00\n  got:      5.00" in out


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version", capsys=capsys)[1].startswith("croupier ")
    assert "COMMAND" in run(capsys=capsys)[1]
    assert "play" in parser().format_help()


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m croupier.cli.main rules craps-nsw-2024 | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""
