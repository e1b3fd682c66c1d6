"""Builds the reference of settings in docs/settings.md from the settings themselves; a test checks that it is up to
date.

`python -m tests.settings` rewrites it.
"""

from __future__ import annotations

import json
from pathlib import Path

from croupier.server.settings import about

PAGE = Path(__file__).parent.parent / "docs" / "settings.md"

HEAD = """# The settings of a house

This page is generated from the program (`python -m tests.settings`). `croupier settings` prints the same as a file that
you can start a house with, and `croupier settings --json` prints it for programs.

An environment variable overrides the settings file; a setting in neither has its default. If a setting is unknown or
invalid, the house says so in one sentence and does not start.

| in the file | in the environment | default | what it is |
|---|---|---|---|
"""


def page() -> str:
    """The whole page."""
    rows = (
        f"| `{name}` | `{variable}` | `{json.dumps(default, ensure_ascii=False)}` | {sentence} |\n"
        for name, variable, default, sentence in about()
    )
    return HEAD + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
