"""A file system for SQLite that fails on demand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import apsw

_names = count(1)


class FaultyFiles(apsw.VFS):
    """The ordinary file system, in which a chosen operation fails, or all from that one on."""

    def __init__(self) -> None:
        self.name = f"faulty-{next(_names)}"
        self.operations = 0
        self._first: int | None = None
        self._last = 0
        self._error: type[apsw.Error] = apsw.FullError
        super().__init__(self.name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        """Every file is one of ours."""
        return _File(self, name, flags)

    def passed(self) -> None:
        """Count an operation that changes a file, and fail if it is the chosen one."""
        self.operations += 1
        if self._first is not None and self._first <= self.operations <= self._last:
            raise self._error("as the test wants it")

    @contextmanager
    def failing(self, error: type[apsw.Error], nth: int = 1, times: int = 1_000_000) -> Iterator[None]:
        """Inside this context operations fail: this many, from the nth on."""
        self._first = self.operations + nth
        self._last = self._first + times - 1
        self._error = error
        try:
            yield
        finally:
            self._first = None


class _File(apsw.VFSFile):
    def __init__(self, files: FaultyFiles, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._files = files
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._files.passed()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._files.passed()
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._files.passed()
        super().xTruncate(newsize)
