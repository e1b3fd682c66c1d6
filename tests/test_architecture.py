"""What the layers and the engine promise: imports go in one direction, and the engine does not know any game."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import croupier
from tests.tables import BOOKS, SHELF
from tools.modifiers import naming

SOURCE = Path(croupier.__file__).parent
ROOT = Path(__file__).parent.parent
ENGINE = [SOURCE / "money.py", *sorted((SOURCE / "table").rglob("*.py")), SOURCE / "ledger.py"]
ENGINE += sorted((SOURCE / "prizes").glob("*.py"))
COMPILER = sorted((SOURCE / "rules").rglob("*.py"))
SIM = sorted((SOURCE / "simulation").rglob("*.py"))
MATHS = sorted(file for file in (SOURCE / "maths").rglob("*.py") if "fairness" not in file.parts)

# Words of the language in which rows describe outcomes, which also happen to name a wager somewhere.
OUTCOME_WORDS = {"total"}


def words_of(file: Path) -> set[str]:
    """Every word in the string constants of a module, except docstrings."""
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


@pytest.mark.parametrize("file", [*ENGINE, *COMPILER, *MATHS, *SIM], ids=lambda file: str(file.relative_to(SOURCE)))
def test_the_engine_knows_no_wager_and_no_book(file: Path) -> None:
    """The engine learns everything about a game from a book."""
    names = {wager for book_id in BOOKS for wager in SHELF.book(book_id).wagers} | set(BOOKS)
    allowed = OUTCOME_WORDS if file in COMPILER else set()
    assert words_of(file) & (names - allowed) == set()


def test_the_cache_of_kernels_looks_at_every_module_they_are_made_of() -> None:
    """Otherwise a kernel cached on disk would go on using what another module contained yesterday."""
    kernels = [file for file in SOURCE.rglob("*.py") if "kernels.compiled import" in file.read_text(encoding="utf-8")]
    assert len(kernels) > 5
    assert {file.parent for file in kernels} == {SOURCE / "simulation" / "kernels"}


def test_the_layers_hold() -> None:
    """import-linter, as configured in pyproject.toml."""
    script = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([str(script)], cwd=SOURCE.parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_dir_lists_the_public_names() -> None:
    """They are imported on first use, so a new interpreter has to list them without that."""
    names = "import croupier; print(*dir(croupier))"
    done = subprocess.run([sys.executable, "-c", names], capture_output=True, text=True, check=True)
    assert set(croupier.__all__) <= set(done.stdout.split())
    assert all(getattr(croupier, name) is not None for name in croupier.__all__)


MOST_FILES = 8


def test_few_files_name_a_modifier_of_wagers() -> None:
    """The meaning of a modifier is defined once, in `rules/offers.py`; other modules ask for the result."""
    named = naming()
    assert {"behind", "sleeps", "fixed_stake", "sole", "multiple", "travels", "commission"} <= named.keys()
    assert {name: files for name, files in named.items() if len(files) > MOST_FILES} == {}


def test_the_count_of_modifiers_sees_fields_and_texts_that_name_one(tmp_path: Path) -> None:
    sources = {
        "reads": "limit = each.behind.times",
        "cites": 'PLACES = {"behind.clause": "words"}',
        "asks": "alone = wager.stands_alone",
        "pays": "class Stake:\n    commission: int\n\npaid = stake.commission",
        "costs": "rate = wager.commission.rate",
    }
    for name, text in sources.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    named = naming(tmp_path)
    assert named["behind"] == ["cites.py", "reads.py"]
    assert named["commission"] == ["costs.py"]  # a stake has one too


def test_nothing_in_the_engine_reads_a_clock_or_takes_chances() -> None:
    forbidden = {"random", "secrets", "time", "os", "asyncio", "socket", "threading", "uuid"}
    for file in [*ENGINE, *COMPILER, *SIM, *sorted((SOURCE / "maths").rglob("*.py"))]:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        imported = {alias.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names}
        imported |= {str(n.module).split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        assert imported & forbidden == set(), file
        called = {n.func.attr for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)}
        assert called & {"now", "today", "utcnow"} == set(), file


# A program that names no one: it opens a table, plays a round, has a throw declared void, and stands up.
PLAIN = """
import json, sys
from croupier.pipe import Pipe
pipe, book, wager, throw, ground = Pipe(), *sys.argv[1:]
name = {"player": "ann", "wager": wager, "amount": "10.00", "pick": None}
lines = [{"do": "open", "book": book}, {"do": "seat", "player": "ann", "chips": "100.00"}, {"do": "bet", **name},
         {"do": "take", "player": "ann", "wager": wager}, {"do": "bet", **name}, {"do": "no_more_bets"},
         {"do": "void", "reason": ground}, {"do": "no_more_bets"}, json.loads(throw), {"do": "exposure"},
         {"do": "take", "player": "ann", "wager": wager}, {"do": "leave", "player": "ann"}]
replies = [json.loads(pipe.answer(json.dumps(line).encode())) for line in lines]
assert [reply["ok"] for reply in replies].count(True) >= 8, replies
print(*sorted(name for name in sys.modules if name.startswith("croupier.") and "conduct" in name))
"""

ROUNDS = {
    "craps-nsw-2024": ("field", '{"do":"roll","dice":[3,4]}', "5.2.1"),
    "sic-bo-nsw-2016": ("small", '{"do":"roll","dice":[1,2,4]}', "8.3"),
    "two-up-nsw-2016": ("heads", '{"do":"spin","coins":"HH"}', "7.4.1"),
    "snake-eyes-nsw-2019": ("field", '{"do":"roll","dice":[3,4]}', "5.2.1"),
    "snake-eyes-nz": ("field", '{"do":"roll","dice":[3,4]}', "6.3(a)"),
}


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_program_that_names_nobody_waits_for_no_conduct(book_id: str) -> None:
    """Loading the conduct of a book takes as long as starting up."""
    command = [sys.executable, "-c", PLAIN, book_id, *ROUNDS[book_id]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_the_oracle_imports_nothing_of_the_package() -> None:
    """The oracle is independent only as long as it shares nothing with what it checks."""
    allowed = {"collections", "fractions", "functools", "itertools", "math", "types", "typing", "__future__"}
    files = sorted((ROOT / "tests" / "oracle").rglob("*.py"))
    assert len(files) > 5
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name.split(".")[0] for alias in node.names} <= allowed, file
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 1 or (node.level == 0 and str(node.module).split(".")[0] in allowed), file
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                assert called not in ("__import__", "import_module", "exec", "eval"), file


def test_the_lock_names_no_place_to_download_from() -> None:
    """The person who installs chooses the index: the lock has names, versions and hashes only."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "--hash=sha256:" in text
    assert [word for word in ("://", "--index-url", "--extra-index-url", "--find-links") if word in text] == []


def test_the_lock_of_npm_does_neither() -> None:
    text = (ROOT / "tools" / "web" / "package-lock.json").read_text(encoding="utf-8")
    assert [word for word in ("://", '"resolved"') if word in text] == []
    packages = {name: package for name, package in json.loads(text)["packages"].items() if name}
    assert packages
    assert [name for name, package in packages.items() if not package["integrity"].startswith("sha512-")] == []


# A home folder, or the folder in which this happened to be written.
SOMEBODYS_FOLDER = re.compile(r"(?<![\w.~-])/(?:home|Users|root|work)/\w")


def test_no_tracked_file_names_somebodys_folder() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a checkout")  # a source distribution has no list of tracked files
    found = []
    for name in filter(None, listed.stdout.decode("utf-8").split("\0")):
        file = ROOT / name
        if file.is_file():
            text = file.read_text(encoding="utf-8", errors="replace")
            found += [f"{name}: {match[0]}" for match in SOMEBODYS_FOLDER.finditer(text)]
    assert found == []
