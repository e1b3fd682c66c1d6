"""Read untrusted files and lines up to a limit, so that endless input cannot exhaust memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, AnyStr

MOST_IN_A_RECORD = 64 * 2**20  # bytes of one line: a throw with 100,000 wagers has some 10 MB


class TooLong(ValueError):
    """A file or a line is longer than any legitimate one; the message is a sentence."""


def read_text(file: Path, most_bytes: int, most_in_a_line: int) -> str:
    """Read a text in UTF-8. Raises TooLong, OSError and UnicodeDecodeError."""
    with file.open("rb") as stream:
        content = stream.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise TooLong(f"it has more than {most_bytes:,} bytes")
    for number, line in enumerate(content.split(b"\n"), 1):
        if len(line) > most_in_a_line:
            raise TooLong(f"line {number} has more than {most_in_a_line:,} bytes")
    return content.decode("utf-8")


def bounded(stream: IO[AnyStr], most: int = MOST_IN_A_RECORD) -> Iterator[AnyStr]:
    """Yield the lines of a stream. Raises TooLong."""
    number = 0
    while line := stream.readline(most + 1):
        number += 1
        if len(line) > most:
            raise TooLong(f"line {number} is longer than any line of a record")
        yield line
