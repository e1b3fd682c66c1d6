"""A house that is killed in the middle of things and opens again where it was."""

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
        """It ends this very moment."""
        self._house.kill()

    def open_again(self) -> None:
        """It goes on with what is in its store."""
        self._house = self._nursery.open(self._folder, "--demonstration", port=urlsplit(self.url).port)
        assert self._house.url == self.url, self._house.said()
