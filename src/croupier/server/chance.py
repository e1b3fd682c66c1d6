"""Chance from the operating system for a house at work."""

from __future__ import annotations

from secrets import token_bytes

FETCHED = 4096  # bytes at a time
SMALL = 16  # bytes: what is asked for with every event, to salt it


class Chance:
    """Small pieces are cut from a larger one, because each call to the system lets another thread go first.

    Whatever dice hang on is larger and comes from the system when it is asked for: it lies nowhere beforehand.
    """

    def __init__(self) -> None:
        self._left = b""
        self._used = 0

    def __call__(self, size: int) -> bytes:
        """So many bytes, never the same again."""
        if size > SMALL:
            return token_bytes(size)
        start, end = self._used, self._used + size
        if end > len(self._left):
            self._left = token_bytes(FETCHED)
            start, end = 0, size
        self._used = end
        return self._left[start:end]
