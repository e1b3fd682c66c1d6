"""What is wrong with a strategy, and on which line of its file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from croupier.rules.errors import Impossible
from croupier.sim.reading.lines import Path

Tell = Callable[[Path, str, str | None], None]  # where something is wrong, why, and the clause behind it


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

    Where they stand is known to those who read the table around them: see Mistakes.
    """

    def __init__(self, reason: str, clause: str | None = None) -> None:
        self.reason = reason
        self.clause = clause
        super().__init__(reason)


class Mistakes:
    """What is wrong with one table of a file, told part by part, so that one mistake does not hide another."""

    def __init__(self, tell: Tell, *table: str | int) -> None:
        self._tell = tell
        self._table = table
        self._places: set[Path] = set()

    def add(self, path: Path, reason: str, clause: str | None = None) -> None:
        """Something is wrong at a place of the table, or with the table as a whole."""
        self._places.add(path)
        self._tell((*self._table, *path), reason, clause)

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Whatever cannot be read in here stands at this place; reading goes on behind it."""
        try:
            yield
        except Unreadable as error:
            self.add(path, error.reason, error.clause)

    def about(self, *path: str | int) -> bool:
        """Whether anything was told about a key, or about a place of the list under it: that is enough then."""
        return any(place[: len(path)] == path for place in self._places)

    def __bool__(self) -> bool:
        """Whether anything is wrong at all."""
        return bool(self._places)
