"""Checked traceability: every clause has a class, every claim is proved, every citation is real."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.rules.citations import fields_with
from croupier.rules.conduct import Conduct
from croupier.rules.prizes import Prizes
from croupier.rules.schema import Cited, Rules, Wager, acts_on
from croupier.trace import TESTS, acting, is_unproved, trace_book
from tests.mutants import load_scenarios
from tests.tables import BOOKS, SHELF

HERE = Path(__file__).parent

# The section on promotional prizes, in the books that have one.
PRIZES = {"craps-nsw-2024": "11.", "sic-bo-nsw-2016": "10.", "snake-eyes-nsw-2019": "10."}


def marked_tests() -> dict[str, dict[str, list[str]]]:
    """The clauses with which Python tests are marked."""
    found: dict[str, dict[str, list[str]]] = {}
    for file in sorted(HERE.rglob("test_*.py")):
        path = file.relative_to(HERE.parent)
        module = importlib.import_module(".".join(path.with_suffix("").parts))
        for name, function in vars(module).items():
            marks = getattr(function, "pytestmark", []) if name.startswith("test_") else []
            for mark in (mark for mark in marks if mark.name == "clause"):
                book, *clauses = mark.args
                for clause in clauses:
                    found.setdefault(book, {}).setdefault(clause, []).append(f"{path.as_posix()}::{name}")
    return {book: {c: sorted(set(n)) for c, n in sorted(clauses.items())} for book, clauses in sorted(found.items())}


def test_the_index_of_tests_is_up_to_date() -> None:
    """The package contains an index of its tests, so that the trace can name them. `make index` writes it."""
    assert json.loads(TESTS.read_text(encoding="utf-8")) == marked_tests()


def test_tests_cite_clauses_that_exist() -> None:
    for book_id, clauses in marked_tests().items():
        known = SHELF.book(book_id).citable()
        assert [clause for clause in clauses if clause not in known] == []


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_claim_is_proved(book_id: str) -> None:
    """No clause that the software claims to enforce or show is without a test, or without code for it."""
    rows = trace_book(SHELF, book_id)
    assert [row.clause for row in rows if is_unproved(row)] == []


ROOTS = {"rules": Rules, "wager": Wager, "conduct": Conduct, "prizes": Prizes}
LAID_OVER = {"rules.wagers", "conduct.bars"}  # cited as parts of a wager, and in the powers and acts that they bar


def test_every_part_of_a_book_that_can_cite_a_clause_has_code_that_acts_on_it() -> None:
    """A new field with a clause is not forgotten, and no code claims a part that does not exist."""
    citing = {f"{root}.{field}" for root, type_ in ROOTS.items() for field in fields_with(Cited, type_)} - LAID_OVER
    declared = {part for part in acting() if "." in part}
    assert declared == citing
    assert {part for book_id in BOOKS for part in parts_named(book_id)} | citing | {"layout"} == acting().keys()


def parts_named(book_id: str) -> Iterator[str]:
    """What the clauses of a book name as their code, where nothing in the book cites them."""
    book = SHELF.book(book_id)
    yield from (part for clause in [*book.clauses.values(), *book.definitions.values()] for part in clause.code)


def test_the_trace_is_shown_by_a_process_of_its_own() -> None:
    """The code that acts on a part of a book is found without other imports of the tests."""
    command = [sys.executable, "-m", "croupier.cli.main", "trace", "snake-eyes-nz", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    here = {row.clause: row.code for row in trace_book(SHELF, "snake-eyes-nz")}
    assert {row["clause"]: row["code"] for row in json.loads(done.stdout)} == here


def test_the_code_that_is_named_exists() -> None:
    for name in acting().values():
        module, _, qualified = name.rpartition(".")
        while module not in sys.modules:
            module, _, outer = module.rpartition(".")
            qualified = f"{outer}.{qualified}"
        found: object = sys.modules[module]
        for part in qualified.split("."):
            found = getattr(found, part)
        assert callable(found)


def test_two_functions_do_not_act_on_one_part() -> None:
    with pytest.raises(ValueError, match=r"wager\.behind belongs to croupier\.table\."):
        acts_on("wager.behind")(parts_named)


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_clause_is_physical_with_a_reason_or_has_a_test(book_id: str) -> None:
    """No clause of any book waits for later work."""
    rows = trace_book(SHELF, book_id)
    assert [row.clause for row in rows if not (row.tests if row.class_ != "physical" else row.reason)] == []


def is_of_prizes(book_id: str, clause: str) -> bool:
    """Whether a clause is about promotional prizes."""
    return clause.startswith((PRIZES[book_id], '1.1 "promotional prize'))


@pytest.mark.parametrize("book_id", PRIZES)
def test_every_clause_about_prizes_has_code_and_a_scenario_named_after_it(book_id: str) -> None:
    rows = [row for row in trace_book(SHELF, book_id) if is_of_prizes(book_id, row.clause)]
    assert len(rows) == 56
    assert [row.clause for row in rows if row.class_ == "physical"] == []
    cited = [row.clause for row in rows if any(name.startswith("croupier.prizes.") for name in row.code)]
    assert [row.clause for row in rows if row.clause not in cited] == []
    named = named_after(book_id, "promotion-")
    assert [row.clause for row in rows if row.clause.removeprefix("1.1 ") not in named] == []
    without = [row.clause for row in rows if not any(test.startswith("promotion-") for test in row.tests)]
    assert without == []


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_enforced_or_recorded_clause_of_the_conduct_has_a_scenario(book_id: str) -> None:
    """Not only a test in Python: a course of play in plain words that can be compared with the document."""
    layout = SHELF.book(book_id).layout
    drawn = layout.clause if layout is not None else None  # the felt is proved area by area in test_layouts.py
    rows = [row for row in trace_book(SHELF, book_id) if row.class_ in ("enforced", "recorded")]
    without = [row.clause for row in rows if not any(".scenario: " in test for test in row.tests)]
    assert [clause for clause in without if clause != drawn] == []


TOKEN = r'\d+(?:\.\d+)*(?:\([a-z0-9]+\))*(?: tail)?|"[^"]+"|[A-Z]{1,2}-\d+'
NAMED_AFTER = re.compile(rf"((?:{TOKEN})(?:(?:, | and | to | )(?:{TOKEN}))*) ")


def named_after(book_id: str, files: str) -> set[str]:
    """The clauses that name the scenarios in some files."""
    scenarios = [scenario for scenario in load_scenarios(book_id) if scenario.file.startswith(files)]
    leads = [match[1] for scenario in scenarios if (match := NAMED_AFTER.match(scenario.name)) is not None]
    return {token for lead in leads for token in re.findall(TOKEN, lead)}


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_clause_of_the_conduct_has_a_scenario_named_after_it(book_id: str) -> None:
    scenarios = [scenario for scenario in load_scenarios(book_id) if scenario.file.startswith("conduct-")]
    named = named_after(book_id, "conduct-")
    proved = {clause for scenario in scenarios for clause in scenario.proves}
    rows = [row for row in trace_book(SHELF, book_id) if row.class_ in ("enforced", "recorded")]
    due = [row.clause for row in rows if row.clause in proved]
    assert len(due) > 50
    assert [clause for clause in due if clause.removeprefix("1.1 ") not in named] == []
