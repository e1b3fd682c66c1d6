"""`croupier settings`: every setting of a house, as a file that a house can be started with."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator

from croupier.cli.keeping.words import print_json
from croupier.rules.shelf import Shelf
from croupier.server.settings import about

WIDTH = 80


def add_settings(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("--json", action="store_true", help="print JSON")


def settings(_shelf: Shelf, given: argparse.Namespace) -> int:
    """Print all settings with their defaults."""
    if given.json:
        names = ("name", "environment", "default", "about")
        print_json([dict(zip(names, row, strict=True)) for row in about()])
    else:
        print("\n".join(_file()))
    return 0


def _file() -> Iterator[str]:
    yield "# All settings of a house, with their defaults: for croupier serve --settings FILE."
    yield "# A setting in the environment is taken instead of what the file says."
    for name, variable, default, sentence in about():
        yield ""
        yield from textwrap.wrap(sentence, WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
        yield f"# In the environment: {variable}"
        yield f"{name} = {json.dumps(default, ensure_ascii=False)}"  # a text, a number or a yes is the same in TOML
