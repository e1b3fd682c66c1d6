"""Pictures of dice and coins, a few lines high."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from croupier.play.glyphs import Glyphs
from croupier.rules.outcomes import Face

# The places of the pips in three rows of three.
_PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
STYLE = "black on white"


def picture(fallen: Sequence[Face], faces: Sequence[Face], glyphs: Glyphs) -> list[list[str]]:
    """What has fallen, line by line, each line in pieces side by side; an empty text has not been thrown yet."""
    return [list(row) for row in zip(*(_die(face, faces, glyphs) for face in fallen), strict=True)]


def picture_lines(rows: list[list[str]]) -> list[Text]:
    """A picture as lines of text."""
    lines = []
    for row in rows:
        line = Text()
        for piece in row:
            line.append(" ").append(piece, STYLE)
        lines.append(line)
    return lines


def _die(face: Face, faces: Sequence[Face], glyphs: Glyphs) -> list[str]:
    a, b, c, d = tuple(glyphs.corners)
    across = "-" if glyphs.plain else "─"
    side = "|" if glyphs.plain else "│"
    inside = _pips(face, glyphs) if set(faces) <= set(_PIPS) else [str(face).center(7)]
    return [f"{a}{across * 7}{b}", *(f"{side}{row}{side}" for row in inside), f"{c}{across * 7}{d}"]


def _pips(face: Face, glyphs: Glyphs) -> list[str]:
    places = _PIPS.get(face, ()) if isinstance(face, int) else ()
    signs = [glyphs.pip if place in places else " " for place in range(9)]
    return [f" {signs[row]} {signs[row + 1]} {signs[row + 2]} " for row in (0, 3, 6)]
