"""A house that is killed in the middle of something and resumes where it was."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from tests.mortal import Nursery


class Restarting:
    """The demonstration in a process of its own, always at the same address."""

    def __init__(self, nursery: Nursery, folder: Path) -> None:
        self._nursery = nursery
        self._folder = folder
        self._house = nursery.open(folder, "--demonstration")
        self.url = self._house.url

    def kill(self) -> None:
        """Kill it at once."""
        self._house.kill()

    def open_again(self) -> None:
        """Resume from what is in its store."""
        self._house = self._nursery.open(self._folder, "--demonstration", port=urlsplit(self.url).port)
        assert self._house.url == self.url, self._house.said()
