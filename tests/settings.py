"""The reference of settings in docs/settings.md, made from the settings themselves: a test keeps it true.

`python -m tests.settings` writes it anew.
"""

from __future__ import annotations

import json
from pathlib import Path

from croupier.server.settings import about

PAGE = Path(__file__).parent.parent / "docs" / "settings.md"

HEAD = """# The settings of a house

This page is made from the program (`python -m tests.settings`). `croupier settings` prints the same as a file that a
house can be started with, and `croupier settings --json` for programs.

A setting is looked for in the environment first, then in the settings file, and has a default otherwise. What is no
setting, or makes no sense, is told in one sentence before anything starts.

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
