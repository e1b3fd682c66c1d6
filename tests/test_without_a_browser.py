"""Page tests without a browser are skipped with a sentence, or fail where a browser is required."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ONE = "tests/browser/test_front.py"


def tried(**environment: str) -> subprocess.CompletedProcess[str]:
    """One page test, with a browser that does not exist."""
    command = [sys.executable, "-m", "pytest", ONE, "-x", "-rs", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    given = {**os.environ, "CHROMIUM": "/nowhere/chromium", "COLUMNS": "300"} | environment
    given = {name: value for name, value in given.items() if value and not name.startswith("PYTEST_")}
    return subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(("required", "status", "outcome"), [("", 0, "SKIPPED"), ("required", 1, "ERRORS")])
def test_without_a_browser(required: str, status: int, outcome: str) -> None:
    done = tried(BROWSER_TESTS=required)
    assert done.returncode == status, done.stdout + done.stderr
    assert outcome in done.stdout
    assert "/nowhere/chromium" in done.stdout
