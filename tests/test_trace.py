"""Traceability that is checked: every clause classed, every claim proved, every citation real."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

from croupier.rules.citations import ACTS
from croupier.trace.tracing import TESTS, is_unproved, trace_book
from tests.mutants import load_scenarios
from tests.tables import BOOKS, SHELF

HERE = Path(__file__).parent

# Clauses that later work will bring to life. Lower the number when you bring a clause to life; it never rises.
PLANNED = {
    "craps-nsw-2024": 56,
    "sic-bo-nsw-2016": 56,
    "two-up-nsw-2016": 0,
    "snake-eyes-nsw-2019": 56,
    "snake-eyes-nz": 0,
}


def marked_tests() -> dict[str, dict[str, list[str]]]:
    """The clauses that Python tests are marked with."""
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
    """The package carries an index of its tests, so that the trace can name them. `make index` writes it."""
    assert json.loads(TESTS.read_text(encoding="utf-8")) == marked_tests()


def test_tests_cite_clauses_that_exist() -> None:
    for book_id, clauses in marked_tests().items():
        known = SHELF.book(book_id).citable()
        assert [clause for clause in clauses if clause not in known] == []


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_claim_is_proved(book_id: str) -> None:
    """No clause that the software says it enforces or shows is without a test, or without code behind it."""
    rows = trace_book(SHELF, book_id)
    assert [row.clause for row in rows if is_unproved(row)] == []


@pytest.mark.parametrize("book_id", BOOKS)
def test_planned_clauses_become_fewer_only_knowingly(book_id: str) -> None:
    planned = sum(row.planned for row in trace_book(SHELF, book_id))
    assert planned == PLANNED[book_id]


def test_the_code_that_is_named_exists() -> None:
    named = {name for book_id in BOOKS for row in trace_book(SHELF, book_id) for name in row.code}
    for name in {*ACTS.values(), *(name for name in named if name.startswith("croupier."))}:
        parts = name.split(".")
        for split in range(len(parts), 0, -1):
            try:
                found: object = importlib.import_module(".".join(parts[:split]))
            except ModuleNotFoundError:
                continue
            for part in parts[split:]:
                found = getattr(found, part)
            break
        else:
            pytest.fail(f"{name} is not there")


@pytest.mark.parametrize("book_id", BOOKS)
def test_only_the_prizes_are_still_planned(book_id: str) -> None:
    prizes = {"craps-nsw-2024": "11.", "sic-bo-nsw-2016": "10.", "snake-eyes-nsw-2019": "10."}.get(book_id, "none")
    planned = [row.clause for row in trace_book(SHELF, book_id) if row.planned]
    assert [clause for clause in planned if not clause.startswith((prizes, '1.1 "promotional prize'))] == []


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_enforced_or_recorded_clause_of_the_conduct_has_a_scenario(book_id: str) -> None:
    """Not only a test in Python: a course of play in plain words that somebody can read against the document."""
    layout = SHELF.book(book_id).layout
    drawn = layout.clause if layout is not None else None  # the felt is proved area by area in test_layouts.py
    rows = [row for row in trace_book(SHELF, book_id) if row.class_ in ("enforced", "recorded") and not row.planned]
    without = [row.clause for row in rows if not any(".scenario: " in test for test in row.tests)]
    assert [clause for clause in without if clause != drawn] == []


TOKEN = r'\d+(?:\.\d+)*(?:\([a-z]+\))*(?: tail)?|"[^"]+"|[A-Z]{1,2}-\d+'
NAMED_AFTER = re.compile(rf"((?:{TOKEN})(?:(?:, | and | to | )(?:{TOKEN}))*) ")


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_clause_of_the_conduct_has_a_scenario_named_after_it(book_id: str) -> None:
    scenarios = [scenario for scenario in load_scenarios(book_id) if scenario.file.startswith("conduct-")]
    leads = [match[1] for scenario in scenarios if (match := NAMED_AFTER.match(scenario.name)) is not None]
    named = {token for lead in leads for token in re.findall(TOKEN, lead)}
    proved = {clause for scenario in scenarios for clause in scenario.proves}
    rows = [row for row in trace_book(SHELF, book_id) if row.class_ in ("enforced", "recorded") and not row.planned]
    due = [row.clause for row in rows if row.clause in proved]
    assert len(due) > 50
    assert [clause for clause in due if clause.removeprefix("1.1 ") not in named] == []
