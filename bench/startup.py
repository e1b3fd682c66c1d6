"""The time until `croupier table` has answered its first line, against a Python that starts and stops."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench.timing import by_turns

FIRST_LINE = b'{"do":"open","book":"craps-nsw-2024"}\n'


def startup_ratio() -> tuple[float, str]:
    """Time the first reply, opening the table with the largest book."""
    ours, bare = by_turns(_first_reply, _bare_start, 15)
    return ours / bare, f"{ours * 1e3:.0f} ms against {bare * 1e3:.0f} ms"


def _first_reply() -> None:
    command = [str(Path(sys.executable).with_name("croupier")), "table"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as table:
        assert table.stdin is not None
        assert table.stdout is not None
        table.stdin.write(FIRST_LINE)
        table.stdin.flush()
        assert b'"ok":true' in table.stdout.readline()
        table.stdin.close()


def _bare_start() -> None:
    subprocess.run([sys.executable, "-c", "pass"], check=True)
