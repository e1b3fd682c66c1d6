"""A clock for a house that a test may move: promotions take days."""

from __future__ import annotations

from datetime import UTC, datetime


class MovedClock:
    """The time of a house. It goes on by itself, from wherever it was moved to."""

    def __init__(self, at: datetime) -> None:
        self._ahead = at - datetime.now(UTC)

    def __call__(self) -> datetime:
        """What it shows."""
        return datetime.now(UTC) + self._ahead

    def move_to(self, at: datetime) -> None:
        """Let it be that time now."""
        self._ahead = at - datetime.now(UTC)
