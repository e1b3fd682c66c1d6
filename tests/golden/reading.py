"""The golden vectors, read, and the short programs of the documentation that are held against them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"

Plain = dict[str, Any]


@cache
def vectors(name: str) -> Plain:
    """One of the three files."""
    read: Plain = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    return read


def rows(name: str, part: str) -> list[Plain]:
    found: list[Plain] = vectors(name)[part]
    return found


def named(row: Plain) -> str:
    """What a test of a vector is called."""
    return str(row["name"]).replace(" ", "-")


def file_of(row: Plain) -> bytes:
    """A record as a file."""
    return "".join(f"{line}\n" for line in row["lines"]).encode()


def lines_of(row: Plain) -> list[bytes]:
    return file_of(row).splitlines(keepends=True)


def receipts_file(*receipts: Plain) -> bytes:
    return "".join(json.dumps(receipt, separators=(",", ":")) + "\n" for receipt in receipts).encode()


def compared_record() -> Plain:
    """The record that receipts are held against."""
    return next(row for row in rows("dice", "records") if row["name"] == vectors("receipts")["record"])


def program(page: str) -> str:
    """The short program of a page."""
    text = (DOCS / page).read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return str(code)


def run(page: str, folder: Path, *files: bytes, alone: bool = True) -> subprocess.CompletedProcess[str]:
    """The short program of a page, over files; `alone` in a Python that knows nothing but its own library."""
    (folder / "program.py").write_text(program(page), encoding="utf-8")
    names = [f"{number}.jsonl" for number, _ in enumerate(files, 1)]
    for name, content in zip(names, files, strict=True):
        (folder / name).write_bytes(content)
    command = [sys.executable, *(["-I", "-S"] if alone else []), "program.py", *names]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
