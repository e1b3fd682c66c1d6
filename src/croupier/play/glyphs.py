"""The signs that the screen is drawn with, and their stand-ins where the output knows only ASCII."""

from __future__ import annotations

import msgspec
from rich.console import Console

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8

_LINES = {
    UP: "╵",
    DOWN: "╷",
    LEFT: "╴",
    RIGHT: "╶",
    UP | DOWN: "│",
    LEFT | RIGHT: "─",
    DOWN | RIGHT: "┌",
    DOWN | LEFT: "┐",
    UP | RIGHT: "└",
    UP | LEFT: "┘",
    UP | DOWN | RIGHT: "├",
    UP | DOWN | LEFT: "┤",
    DOWN | LEFT | RIGHT: "┬",
    UP | LEFT | RIGHT: "┴",
    UP | DOWN | LEFT | RIGHT: "┼",
}


class Glyphs(msgspec.Struct, frozen=True):
    """One set of signs."""

    chip: str  # before the amount of a wager that acts on the next throw
    off: str  # before the amount of a wager that sleeps
    won: str  # beside an area that has just won
    lit: str
    unlit: str
    pip: str
    dot: str
    to: str
    more: str
    quote: tuple[str, str]
    corners: str
    plain: bool

    def line(self, arms: int) -> str:
        """The sign for lines that leave a point in these directions."""
        if not self.plain:
            return _LINES[arms]
        return "|" if not arms & (LEFT | RIGHT) else "-" if not arms & (UP | DOWN) else "+"

    def say(self, text: str) -> str:
        """A text in the signs that there are."""
        return text.translate(_ASCII) if self.plain else text


_ASCII = str.maketrans(
    {"–": "-", "—": "-", "·": "-", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'", "×": "x", "●": "*", "○": "o"}
)

UNICODE = Glyphs("●", "○", "★", "●", "○", "●", "·", "–", "…", ("“", "”"), "╭╮╰╯", False)
ASCII = Glyphs("*", "o", "!", "*", ".", "o", "-", "-", "...", ('"', '"'), "++++", True)


def glyphs_for(console: Console) -> Glyphs:
    """The signs that a console can show."""
    return UNICODE if console.encoding.lower().startswith("utf") else ASCII
