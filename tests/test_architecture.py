"""What the layers and the engine promise: imports go one way, and the engine knows no game."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import croupier
from tests.tables import BOOKS, SHELF

SOURCE = Path(croupier.__file__).parent
ENGINE = [SOURCE / "money.py", *sorted((SOURCE / "table").rglob("*.py")), *sorted((SOURCE / "ledger").rglob("*.py"))]
COMPILER = sorted((SOURCE / "rules").rglob("*.py"))

# Words of the language in which rows describe outcomes, which also happen to name a wager somewhere.
OUTCOME_WORDS = {"total"}


def words_of(file: Path) -> set[str]:
    """Every word in the string constants of a module, docstrings aside."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    docstrings = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            docstrings.add(id(node.body[0].value))  # type: ignore[attr-defined]
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            found.add(node.value)
            found.update(re.findall(r"[\w-]+", node.value) if " " not in node.value else ())
    return found


@pytest.mark.parametrize("file", [*ENGINE, *COMPILER], ids=lambda file: str(file.relative_to(SOURCE)))
def test_the_engine_knows_no_wager_and_no_book(file: Path) -> None:
    """What the engine knows of a game, it read in a book."""
    names = {wager for book_id in BOOKS for wager in SHELF.book(book_id).wagers} | set(BOOKS)
    allowed = OUTCOME_WORDS if file in COMPILER else set()
    assert words_of(file) & (names - allowed) == set()


def test_the_layers_hold() -> None:
    """import-linter, as configured in pyproject.toml."""
    script = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([str(script)], cwd=SOURCE.parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_in_the_engine_reads_a_clock_or_takes_chances() -> None:
    forbidden = {"random", "secrets", "time", "os", "asyncio", "socket", "threading", "uuid"}
    for file in [*ENGINE, *COMPILER]:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        imported = {alias.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names}
        imported |= {str(n.module).split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        assert imported & forbidden == set(), file
        called = {n.func.attr for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)}
        assert called & {"now", "today", "utcnow"} == set(), file
