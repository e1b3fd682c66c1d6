"""Files from strangers: small ones that cause endless work, endless ones, and deeply nested ones."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.attack.conftest import Held
from tests.attack.lines import MB

CROUPIER = (sys.executable, "-c", "from croupier.cli.main import run; run()")
BOOK = '[book]\nid = "evil"\nextends = "craps-nsw-2024"\n[[wagers]]\nid = "field"\n'
ROW = '[[wagers.rows]]\nthen = "lose"\nclause = "6.5"\n'
FORTY = ",".join(map(str, range(40)))
CROSSED = ROW + 'on = "any"\neach = {' + ",".join(f"a{n} = [{FORTY}]" for n in range(6)) + "}\n"
MANY_ROWS = "".join(
    ROW + f'on = "any"\nin = "s{n}-{{a}}-{{b}}"\neach = {{a = [{FORTY}], b = [1, 2]}}\n' for n in range(99)
)
MANY_CELLS = "".join(
    ROW + f'on = "any"\nin = "s{n}-{{a}}-{{b}}"\neach = {{a = [{FORTY}], b = [1, 2]}}\n' for n in range(40)
)
STRATEGY = 'name = "evil"\nabout = "evil"\nbook = "craps-nsw-2024"\n'
SCENARIO = "scenario evil\nbook craps-nsw-2024\n"

BOOKS = {
    "lists crossed in a row of a book": BOOK + CROSSED,
    "very many rows of a book": BOOK + MANY_ROWS,
    "an endless line of a book": BOOK + f'name = "{"a" * 50 * MB}"\n',
    "30,000 words in words in a key of a book": BOOK + "a." * 30_000 + "b = 1\n",
    "30,000 lists in lists in a book": BOOK + "x = " + "[\n" * 30_000 + "]\n" * 30_000,
    "30,000 times not in a row of a book": BOOK + ROW + 'on = """' + "not\n" * 30_000 + 'any"""\n',
    "tables in tables in a book": BOOK + "[" + "a." * 1000 + "b]\n" + "c." * 1000 + "d = 1\n",
    "a range without end in a row of a book": BOOK + ROW + 'on = "total 1-99999999999"\n',
    "outcomes that are described by themselves": BOOK + '[throw]\nnamed = {a = "b", b = "a"}\n',
    "more dice than there are": BOOK + "[throw]\nthrow = 30\n",
    "a die with very many faces": BOOK + f"[throw]\nthrow = 4\nfaces = [{','.join(map(str, range(1, 400)))}]\n",
    "a share with an exponent": BOOK + ROW.replace("lose", "win") + 'on = "any"\nshare = "1e-99999999"\n',
}
STRATEGIES = {
    "an endless line of a strategy": STRATEGY + f'x = "{"a" * 2 * MB}"\n',
    "30,000 lists in lists in a strategy": STRATEGY + "x = " + "[\n" * 30_000 + "]\n" * 30_000,
    "30,000 words in words in a strategy": STRATEGY + "a." * 1900 + "b = 1\n" * 15,
}
SCENARIOS = {
    "an endless line of a scenario": f"scenario {'a' * 50 * MB}\n",
    "30,000 roles in roles in a scenario": SCENARIO + "as a, " * 30_000 + "roll 3 4\n",
}


def check_one_sentence(words: tuple[str, ...], given: bytes = b"", most_bytes: int = 1536 * MB) -> str:
    """Run the program; it must end soon, within its memory limit, with status 2 and one sentence. Return the
    sentence."""

    def bounds() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))

    done = subprocess.run(
        [*CROUPIER, *words], input=given, capture_output=True, check=False, timeout=60, preexec_fn=bounds
    )
    said = done.stderr.decode()
    assert done.returncode == 2, said[-2000:] or done.stdout[-2000:]
    assert said.count("\n") == 1
    assert said.startswith("croupier: ")
    assert len(said) < 1000
    return said.removeprefix("croupier: ").strip()


@pytest.mark.parametrize("what", BOOKS)
def test_books(what: str, tmp_path: Path, held: Held) -> None:
    """A book from a stranger."""
    file = tmp_path / "evil.toml"
    file.write_text(BOOKS[what])
    held(f"{what}: {check_one_sentence(('books', '--with', str(file))).replace(str(tmp_path), '')}")


def test_cells_of_one_wager(tmp_path: Path, held: Held) -> None:
    """Not too many rows, but very many states, each with a cell for every outcome."""
    file = tmp_path / "evil.toml"
    file.write_text(BOOK + MANY_CELLS)
    said = check_one_sentence(("books", "--with", str(file))).replace(str(tmp_path), "")
    assert "100,000 cells" in said, "it is the bound on cells that refuses the book"
    held(said)


@pytest.mark.parametrize("what", STRATEGIES)
def test_strategies(what: str, tmp_path: Path, held: Held) -> None:
    """A strategy from a stranger."""
    file = tmp_path / "evil.toml"
    file.write_text(STRATEGIES[what])
    said = check_one_sentence(("simulate", "craps-nsw-2024", "--strategy", str(file)), most_bytes=16_384 * MB)
    held(f"{what}: {said.replace(str(tmp_path), '')[:200]}")


@pytest.mark.parametrize("what", SCENARIOS)
def test_scenarios(what: str, tmp_path: Path, held: Held) -> None:
    """A scenario from a stranger."""
    file = tmp_path / "evil.scenario"
    file.write_text(SCENARIOS[what])
    held(f"{what}: {check_one_sentence(('scenario', str(file))).replace(str(tmp_path), '')[:200]}")


@pytest.mark.parametrize("command", ["verify-dice", "verify-draw", "verify", "fairness"])
@pytest.mark.parametrize("what", ["an endless line", "30,000 lists in lists"])
def test_records(what: str, command: str, tmp_path: Path, held: Held) -> None:
    """A record from a stranger."""
    file = tmp_path / "evil.jsonl"
    if what == "an endless line":
        with file.open("wb") as out:  # a file with a hole takes no room
            out.write(b'{"croupier":"')
            out.seek(4096 * MB)
            out.write(b"\n")
    else:
        file.write_bytes(b"[" * 30_000)
    said = check_one_sentence((command, str(file)))
    held(f"{what} for {command}: {said.replace(str(tmp_path), '')[:200]}")


def test_pipe(held: Held) -> None:
    """An endless line in the pipe."""
    lines = b"[" * 30_000 + b"\n" + b"a" * 20 * MB + b'\n{"do":"exposure"}\n'
    done = subprocess.run([*CROUPIER, "table"], input=lines, capture_output=True, check=False, timeout=60)
    replies = done.stdout.splitlines()
    assert done.returncode == 0
    assert done.stderr == b""
    assert [b"malformed_json" in reply for reply in replies] == [True, True, False]
    held("one reply for each line, and the next line is read")


def test_a_file_that_never_ends(held: Held) -> None:
    """An endless device instead of a file."""
    device = "/dev/zero"
    if not os.path.exists(device):
        pytest.skip("there is no such device here")
    for words in (("books", "--with", device), ("scenario", device), ("verify-dice", device)):
        check_one_sentence(words)
    held("one sentence each")
