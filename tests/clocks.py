"""A clock in the hand of a test: it stands still until it is put on."""

from __future__ import annotations

from datetime import datetime


class Clock:
    """The time of a house."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        """What it shows."""
        return self.at
