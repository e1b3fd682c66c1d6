"""A sheet of characters with a style each, on which boxes share their borders."""

from __future__ import annotations

from rich.text import Text

from croupier.play.glyphs import DOWN, LEFT, RIGHT, UP, Glyphs


class Canvas:
    """Characters and styles by row and column; what lies outside the sheet is cut."""

    def __init__(self, width: int, height: int, glyphs: Glyphs, palette: dict[str, str]) -> None:
        self.width = width
        self.height = height
        self.glyphs = glyphs
        self.palette = palette
        self._signs = [[" "] * width for _ in range(height)]
        self._styles = [[palette["ground"]] * width for _ in range(height)]
        self._arms: dict[tuple[int, int], int] = {}

    def write(self, x: int, y: int, text: str, role: str) -> None:
        """Put a text down, in the palette's style for its role."""
        style = f"{self.palette['ground']} {self.palette[role]}".strip()
        for place, sign in enumerate(text, x):
            if 0 <= y < self.height and 0 <= place < self.width:
                self._signs[y][place] = sign
                self._styles[y][place] = style

    def across(self, x: int, y: int, length: int) -> None:
        """A horizontal line from a point to the right."""
        for place in range(x, x + length):
            self._join(place, y, RIGHT)
            self._join(place + 1, y, LEFT)

    def down(self, x: int, y: int, length: int, whole: bool = False) -> None:
        """A line downwards from point to point; `whole`: through whole characters, where there are no lines across."""
        for place in range(y, y + length):
            self._join(x, place, UP | DOWN if whole else DOWN)
            if not whole:
                self._join(x, place + 1, UP)

    def _join(self, x: int, y: int, arms: int) -> None:
        self._arms[x, y] = self._arms.get((x, y), 0) | arms

    def lines(self) -> list[Text]:
        """The sheet as lines of text."""
        for (x, y), arms in self._arms.items():
            self.write(x, y, self.glyphs.line(arms), "border")
        return [self._line(signs, styles) for signs, styles in zip(self._signs, self._styles, strict=True)]

    def _line(self, signs: list[str], styles: list[str]) -> Text:
        line = Text(no_wrap=True)
        start = 0
        for place in range(1, len(signs) + 1):
            if place == len(signs) or styles[place] != styles[start]:
                line.append("".join(signs[start:place]), styles[start])
                start = place
        return line
