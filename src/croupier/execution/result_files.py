"""Files written atomically: each is written beside its target and replaces it once complete.

Rows of sessions are written block by block, so a file may be much larger than memory.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import numpy as np

from croupier.execution.frames import Kept, need_polars
from croupier.money import format_cents
from croupier.rules.errors import Impossible
from croupier.simulation.kernels import layout as n
from croupier.simulation.kernels.engine import Known
from croupier.simulation.kernels.layout import Ints

REASONS: dict[type[Exception], str] = {
    FileNotFoundError: "there is no such folder",
    FileExistsError: "it is being written already",
    IsADirectoryError: "it is a folder",
}
_NUMBERED = re.compile(r"\(os error (?P<number>\d+)\)")  # in the text of Polars errors

COLUMNS = ("session", "net", "rolls", "ended", "drawdown")
EMPTY = '""'  # an empty name as shown
PART_ROWS = 2**20  # rows per part of a Parquet file: some megabytes


class Draft:
    """A file being written. Anything but an ordinary file, such as a pipe or a device, is written directly."""

    def __init__(self, target: str) -> None:
        """Raises Impossible at once if the target cannot be written."""
        self.target = target
        with self.writing():
            if not target:
                raise OSError(None, "a file needs a name")
            asked = Path(target)
            self.is_file = asked.is_file() or not asked.exists()
            if asked.is_dir() or target.endswith(os.sep):
                raise IsADirectoryError
            if asked.exists() and not os.access(asked, os.W_OK):
                raise PermissionError(None, "it is not writable")
            self._place = Path(os.path.realpath(asked)) if self.is_file else asked
            self.path = self._place.with_name(f".{self._place.name}.{os.getpid()}.part") if self.is_file else asked
            self.stream: BinaryIO = self.path.open("xb" if self.is_file else "wb")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Report any file error in this context as one sentence about the target."""
        try:
            yield
        except (OSError, ValueError) as error:
            raise cannot_write(self.target, error) from None

    def write(self, content: bytes) -> None:
        """Append content. Raises Impossible."""
        with self.writing():
            self.stream.write(content)

    def done(self) -> None:
        """Move the completed file into place. Raises Impossible."""
        with self.writing():
            self.stream.close()
            if self.is_file:
                self.path.replace(self._place)

    def drop(self) -> None:
        """Discard the file; after `done` there is nothing to discard."""
        with suppress(OSError):
            self.stream.close()
        if self.is_file:
            self.path.unlink(missing_ok=True)


def cannot_write(file: str, error: Exception) -> Impossible:
    """The error for a file that cannot be written."""
    reason = _reason(error)
    return Impossible("not_written", f"{file or EMPTY} cannot be written{f' ({reason})' if reason else ''}.")


def _reason(error: Exception) -> str | None:
    """The reason in words, if the error has one."""
    numbered = _NUMBERED.search(str(error))
    if type(error) in REASONS:
        return REASONS[type(error)]
    if numbered is not None:
        return os.strerror(int(numbered["number"]))
    if isinstance(error, OSError):
        return error.strerror
    return "a file cannot have such a name" if isinstance(error, ValueError) else None


def write_text(draft: Draft, text: str) -> None:
    """Write a whole text file and finish it. Raises Impossible."""
    draft.write(text.encode("utf-8"))
    draft.done()


class SessionRows(ABC):
    """A table with one row per session, and per strategy if there are several."""

    def __init__(self, draft: Draft, strategies: Sequence[str]) -> None:
        self.draft = draft
        self.strategies = strategies
        self.columns = (*(("strategy",) if len(strategies) > 1 else ()), *COLUMNS)
        self.rows = 0

    @abstractmethod
    def add(self, block: list[Known]) -> None:
        """Write the rows of a block, strategy by strategy. Raises Impossible."""

    @abstractmethod
    def done(self) -> None:
        """Finish the table. Raises Impossible."""

    def drop(self) -> None:
        """Discard the table."""
        self.draft.drop()


class CsvRows(SessionRows):
    """Sessions as CSV, with money as text."""

    def __init__(self, draft: Draft, strategies: Sequence[str]) -> None:
        super().__init__(draft, strategies)
        draft.write(f"{','.join(self.columns)}\n".encode())

    def add(self, block: list[Known]) -> None:
        """Write the rows of a block. Raises Impossible."""
        for strategy, known in zip(self.strategies, block, strict=True):
            self._write(strategy, known)
            self.rows += len(known.nets)

    def _write(self, strategy: str, known: Known) -> None:
        first = f"{_quoted(strategy)}," if len(self.strategies) > 1 else ""
        sessions = range(known.first, known.first + len(known.nets))
        columns = (_money(known.nets), known.lengths.tolist(), known.reasons.tolist(), _money(known.falls))
        lines = [
            f"{first}{session},{net},{rolls},{n.REASONS[reason]},{fall}\n"
            for session, net, rolls, reason, fall in zip(sessions, *columns, strict=True)
        ]
        self.draft.write("".join(lines).encode())

    def done(self) -> None:
        """Finish the table. Raises Impossible."""
        self.draft.done()


def _money(cents: Ints) -> list[str]:
    """Format amounts as text, each distinct value once."""
    values, places = np.unique(cents, return_inverse=True)
    texts = np.array([format_cents(value) for value in values.tolist()], object)
    made: list[str] = texts[places].tolist()
    return made


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


class ParquetRows(SessionRows):
    """Sessions as Parquet: parts of some megabytes in a folder beside the target, joined at the end."""

    def __init__(self, draft: Draft, strategies: Sequence[str]) -> None:
        """Raises Impossible without Polars."""
        super().__init__(draft, strategies)
        self._polars = need_polars()
        with draft.writing():
            beside = draft.path.parent if draft.is_file else None
            self._folder = TemporaryDirectory(prefix=".", suffix=".part", dir=beside, ignore_cleanup_errors=True)
        self._parts = 0
        self._written = 0
        self._kept = [Kept() for _ in strategies]

    def add(self, block: list[Known]) -> None:
        """Add the rows of a block. Raises Impossible."""
        for kept, known in zip(self._kept, block, strict=True):
            kept.add(known)
            self.rows += len(known.nets)
        if self.rows - self._written >= PART_ROWS:
            self._write_part()

    def _write_part(self) -> None:
        pl = self._polars
        named = [pl.lit(name).alias("strategy") for name in self.strategies if len(self.strategies) > 1]
        tables = [kept.table().select(*named[place : place + 1], pl.all()) for place, kept in enumerate(self._kept)]
        with self._writing():
            pl.concat(tables).write_parquet(Path(self._folder.name) / f"{self._parts:06}.parquet")
        self._parts, self._written = self._parts + 1, self.rows
        self._kept = [Kept() for _ in self.strategies]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with self.draft.writing():
                yield
        except self._polars.exceptions.PolarsError as error:
            raise cannot_write(self.draft.target, error) from None

    def done(self) -> None:
        """Finish the table: join its parts into one file. Raises Impossible."""
        if self.rows > self._written:
            self._write_part()
        with self._writing():
            self._polars.scan_parquet(Path(self._folder.name) / "*.parquet").sink_parquet(self.draft.path)
        self._folder.cleanup()
        self.draft.done()

    def drop(self) -> None:
        """Discard the table and its parts."""
        self._folder.cleanup()
        super().drop()
