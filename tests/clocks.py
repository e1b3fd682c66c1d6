"""Clocks that a test controls."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path


class Clock:
    """The clock of a house: it stands still until it is advanced."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        """The time it shows."""
        return self.at


class MovedClock:
    """The clock of a house. It runs by itself from the time it was last moved to: promotions take days."""

    def __init__(self, at: datetime) -> None:
        self._ahead = at - datetime.now(UTC)

    def __call__(self) -> datetime:
        """The time it shows."""
        return datetime.now(UTC) + self._ahead

    def move_to(self, at: datetime) -> None:
        """Set the time."""
        self._ahead = at - datetime.now(UTC)


class Ahead:
    """The clock of houses in other processes: ahead of real time by an hour for each byte in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __call__(self) -> datetime:
        """The time it shows."""
        return datetime.now(UTC) + timedelta(hours=self._file.stat().st_size)

    def put_on(self, hours: int) -> None:
        """Advance it at once in every house that uses it."""
        with self._file.open("ab") as file:
            file.write(b"." * hours)
