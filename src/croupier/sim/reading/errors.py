"""What is wrong with a strategy, and on which line of its file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from croupier.rules.errors import Impossible


class StrategyError(Impossible):
    """A strategy cannot be read for a book. The message names the file, the line where there is one, and the reason."""

    def __init__(self, file: str, line: int | None, reason: str, clause: str | None = None) -> None:
        self.file = file
        self.line = line
        self.reason = reason
        where = file if line is None else f"{file}, line {line}"
        super().__init__("strategy_wrong", f"{where}: {reason}", clause)


class Unreadable(ValueError):
    """Some words of a strategy mean nothing under the book: why, and the clause behind it where there is one.

    `path` is where they stand, as far as is known: the key, the place in a list. Whoever knows the file makes a
    StrategyError of it.
    """

    def __init__(self, reason: str, clause: str | None = None, path: tuple[str | int, ...] = ()) -> None:
        self.reason = reason
        self.clause = clause
        self.path = path
        super().__init__(reason)


@contextmanager
def under(*path: str | int) -> Iterator[None]:
    """Whatever cannot be read in here stands under this key, or at this place of the list under it."""
    try:
        yield
    except Unreadable as error:
        error.path = (*path, *error.path)
        raise
