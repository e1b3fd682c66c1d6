"""What `verify-dice` and `verify-draw` have in common: a public record, read line by line, and hashes noted earlier."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from croupier.lines import TooLong, bounded

HASH = re.compile(r"[0-9a-f]{64}")
TOLD_EVERY = 10_000

V = TypeVar("V")


def add_record(command: argparse.ArgumentParser, of: str) -> None:
    """The arguments of a command that checks the public record of something."""
    command.add_argument("file", metavar="FILE", help=f"the public record of {of}; - is standard input")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument(
        "--seen", metavar="HASH", action="append", default=[], help="a hash noted earlier, which must be in the record"
    )


def checked_record(
    given: argparse.Namespace, check: Callable[[Iterable[bytes], list[str]], V], unreadable: type[Exception]
) -> V | None:
    """What a check says of the record; None where it cannot be read, and the reason is told."""
    try:
        if any(HASH.fullmatch(mark) is None for mark in given.seen):
            raise unreadable("--seen is followed by a hash of 64 hexadecimal digits.")
        with _lines(given.file) as lines:
            return check(lines, given.seen)
    except (unreadable, TooLong) as error:
        name = "standard input" if given.file == "-" else given.file
        print(f"croupier: {name}: {str(error).rstrip('.')}.", file=sys.stderr)
    except OSError as error:
        print(f"croupier: {given.file} cannot be read ({error.strerror})", file=sys.stderr)
    return None


@contextmanager
def _lines(name: str) -> Iterator[Iterable[bytes]]:
    """The lines of a file, with a bar where the output for errors is a screen."""
    if name == "-":
        yield bounded(sys.stdin.buffer) if sys.stdin else ()
        return
    with Path(name).open("rb") as file:
        if not sys.stderr.isatty():
            yield bounded(file)
            return
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("reading", total=Path(name).stat().st_size or None)
            yield _counted(bounded(file), lambda done: bar.update(task, completed=done))


def _counted(lines: Iterable[bytes], tell: Callable[[int], None]) -> Iterator[bytes]:
    done = 0
    for number, line in enumerate(lines):
        if number % TOLD_EVERY == 0:
            tell(done)
        done += len(line)
        yield line
