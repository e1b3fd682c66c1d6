"""`croupier checker`: the page that checks records, prize draws and receipts, as one file to keep."""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.rules.errors import Impossible
from croupier.rules.shelf import Shelf
from croupier.web.checker import checker


def add_checker(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("file", metavar="FILE", help="where the page goes, such as checker.html")


def write_checker(_: Shelf, given: argparse.Namespace) -> int:
    """Write the page. Raises Impossible."""
    try:
        Path(given.file).write_bytes(checker())
    except OSError as error:
        raise Impossible("not_written", f"{given.file} cannot be written ({error.strerror}).") from None
    print(f"{given.file}: open it in a browser. It asks the network for nothing.")
    return 0
