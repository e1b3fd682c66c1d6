"""`make test` leaves much out, but no layer, no book and no page; tests that are named always run."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from croupier.rulebooks import ids
from croupier.server.pages.files import PAGES
from tests import tiers
from tests.tiers import FIRST_CASE, LEFT_OUT, ONLY, Case, thorough

ROOT = Path(__file__).parent.parent
LAYERS = [
    layer.strip().removeprefix("croupier.")
    for line in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]["layers"]
    for layer in line.split("|")
]
# It bounds the files that are read, which the attacks by files are about.
IMPORTED_BY_NO_TEST = {"bounded_reading": "attack/test_files.py"}
# Evenings of mistakes: `test_corrections.py` has the quick test of what is corrected.
WITHOUT_QUICK_TESTS = {"browser/test_mistakes.py"}
OF_EVERY_BOOK = {
    "its scenarios": ("test_scenarios.py", "test_the_table_does_what_the_scenarios_say"),
    "its evenings": ("properties/test_tables.py", "test_evenings"),
    "its evenings with staff": ("properties/test_conduct.py", "test_whole_evenings"),
    "its edges": ("test_analysis.py", "test_json_is_as_agreed"),
    "its machines against the oracle": ("test_enumeration.py", "test_machines_agree_with_the_oracle"),
    "its kernels against the table": (
        "properties/test_simulation.py",
        "test_an_included_strategy_is_the_same_in_every_kernel",
    ),
}


@pytest.fixture(scope="module")
def everything(pytestconfig: pytest.Config) -> list[Case]:
    """Every case there is. A run of all files has them at hand; any other run collects them."""
    at_hand = pytestconfig.stash[tiers.COLLECTED]
    files = {path.relative_to(ROOT / "tests").as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    return at_hand if {file for file, _ in at_hand} == files else _collected()


@pytest.fixture(scope="module")
def quick(everything: list[Case]) -> list[Case]:
    left_out = thorough(everything)
    return [case for case in everything if case not in left_out]


def test_every_file_has_a_quick_test(everything: list[Case], quick: list[Case]) -> None:
    assert {file for file, _ in everything} - {file for file, _ in quick} == WITHOUT_QUICK_TESTS


@pytest.mark.parametrize("layer", LAYERS)
def test_every_layer_has_quick_tests(quick: list[Case], layer: str) -> None:
    imports = re.compile(rf"^\s*(from croupier\.{layer}\b|from croupier import .*\b{layer}\b)", re.MULTILINE)
    files = {file for file, _ in quick}
    assert IMPORTED_BY_NO_TEST.get(layer) in files or any(
        imports.search((ROOT / "tests" / file).read_text()) for file in files
    )


@pytest.mark.parametrize("book", ids())
@pytest.mark.parametrize(("file", "test"), OF_EVERY_BOOK.values(), ids=OF_EVERY_BOOK)
def test_every_book_is_tested_in_every_way(quick: list[Case], file: str, test: str, book: str) -> None:
    assert any(where == file and name.startswith(f"{test}[") and book in name for where, name in quick)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_opened(quick: list[Case], page: str) -> None:
    """`test_the_first_load_is_light` opens the page whose address is the name of the case."""
    address = re.sub(r"\{\w+\}", r"[\\w-]+", page)
    opened = re.compile(rf"test_the_first_load_is_light\[{address}\]")
    assert any(file == "browser/test_weight.py" and opened.fullmatch(name) for file, name in quick)


@pytest.mark.parametrize("table", [ONLY, FIRST_CASE, LEFT_OUT], ids=["only", "first case", "left out"])
def test_the_tables_name_tests_that_there_are(everything: list[Case], table: tiers.Tests) -> None:
    for file, names in table.items():
        known = {name for where, name in everything if where == file}
        for name in names:
            pattern = re.compile(re.escape(name).replace(r"\*", ".*") + r"(\[.*\])?", re.DOTALL)
            assert any(pattern.fullmatch(one) for one in known), f"{file} has no {name}"


def test_books_are_told_apart_by_their_ids() -> None:
    assert sorted(tiers.BOOKS) == sorted(ids())


def test_what_is_named_runs_though_it_is_thorough() -> None:
    named = ("test_strategy_files.py", "test_a_file_as_large_as_may_be_is_read")
    whole = ("--quick", "-o", f"testpaths=tests/{named[0]}")
    assert named not in _collected(*whole), "all is asked for, and quickly"
    assert named in _collected("--quick", f"tests/{named[0]}")
    assert named in _collected(*whole, "-k", "large")


def test_all_tests_run_before_a_change_is_taken() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert "make test-all" in (ROOT / ".ci" / "run").read_text()
    assert "$(BIN)/pytest -n auto --dist worksteal --quick $(ARGS)" in _recipe(makefile, "test")
    assert "$(BIN)/pytest -n auto --dist worksteal $(ARGS)" in _recipe(makefile, "test-all")


def _recipe(makefile: str, target: str) -> str:
    return re.split(rf"^{target}:.*\n", makefile, flags=re.MULTILINE)[1].split("\n\n")[0]


def _collected(*options: str) -> list[Case]:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider", *options]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    names = [line.removeprefix("tests/") for line in said.splitlines() if re.match(r"tests/[\w/]+\.py::", line)]
    assert names, said
    return [(file, name) for file, _, name in (one.partition("::") for one in names)]
