"""Clocks in the hand of a test."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path


class Clock:
    """The time of a house: it stands still until it is put on."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        """What it shows."""
        return self.at


class Ahead:
    """The time of houses in processes of their own: ahead of the world by an hour for each byte in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __call__(self) -> datetime:
        """What it shows."""
        return datetime.now(UTC) + timedelta(hours=self._file.stat().st_size)

    def put_on(self, hours: int) -> None:
        """In every house that has it, this very moment."""
        with self._file.open("ab") as file:
            file.write(b"." * hours)
