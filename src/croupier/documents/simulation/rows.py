"""Charts in rows: endings, quantile strips, the results of wagers, and realised against exact edges.

Each row has its text on a separate line, so that long names leave the space below to the figures, even on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from croupier.documents.charts import SIZE, Axis, Drawing, ticks
from croupier.documents.simulation.charts import (
    LINE,
    WIDTH,
    Amounts,
    Range,
    Room,
    Sample,
    along,
    amounts,
    bands_in,
    box,
    colour_of,
    legend,
    line,
    minus,
    places_of,
    shortened,
    strip,
)
from croupier.documents.svg import Markup, element, text, text_width

SURE = 2  # standard errors within which most differences lie
FEW = 5
BAR = 12.0
PITCH = LINE + BAR + 7


class Piece(NamedTuple):
    """A part of a whole: its name, its class, its share and the share as printed."""

    words: str
    class_: str
    share: float
    shown: str


class Stack(NamedTuple):
    """A whole bar, in pieces."""

    label: str
    pieces: tuple[Piece, ...]


def stacks(title: str, description: str, rows: Sequence[Stack], together: bool) -> Drawing:
    """Stacked bars of equal length, with one legend below all, or one below each bar with its shares."""
    left, right = 2.0, WIDTH - 2
    axis = Axis(0, 1, left, right)
    parts: list[Markup] = []
    top = 4.0
    for row in rows:
        parts.append(text(left, top + SIZE - 1, shortened(row.label, right - left), "label"))
        parts += _pieces(row, axis, top + LINE)
        top += LINE + 24 + 9
        if not together:
            samples = [Sample("box", (piece.class_,), f"{piece.words} {piece.shown}") for piece in row.pieces]
            entries, top = legend(samples, left, right, top + 5)
            parts += entries
            top += 8
    if together:
        pieces = {piece.words: piece for row in rows for piece in row.pieces}
        samples = [Sample("box", (piece.class_,), words) for words, piece in pieces.items()]
        entries, top = legend(samples, left, right, top + 5)
        parts += entries
    return Drawing(WIDTH, top + 4, title, description, "".join(parts))


def _pieces(row: Stack, axis: Axis, top: float) -> list[Markup]:
    parts = []
    start = 0.0
    for piece in row.pieces:
        left, right = axis.at(start), axis.at(min(1.0, start + piece.share))
        parts.append(box(left, top, right - left, 24, piece.class_, f"{piece.words}: {piece.shown}"))
        if text_width(piece.shown, SIZE) + 6 < right - left:
            parts.append(text((left + right) / 2, top + 16, piece.shown, f"on {piece.class_}", "middle"))
        start += piece.share
    return parts


class Strip(NamedTuple):
    """Seven ascending quantiles, and the mean if known."""

    label: str
    place: int
    quantiles: tuple[float, ...]
    mean: float | None


def strips(title: str, description: str, rows: Sequence[Strip], words: str, money: bool) -> Drawing:
    """Quantile strips on one axis from zero; names are omitted if there is only one."""
    named = LINE if len(rows) > 1 else 0
    pitch = 30 + named
    room = Room(12, WIDTH - 16, 8, 8 + pitch * len(rows))
    least = 0.05 if money else FEW  # avoids fractions of a cent or of a throw on the axis
    span = Range(0, max(least, *(max(row.quantiles) for row in rows)))
    scale = amounts(span) if money else Amounts(1, words)
    grid = scale.ticks(span, 5)
    axis = Axis(0, grid[-1][0], room.left, room.right)
    parts = along(room, axis, grid)
    for i, row in enumerate(rows):
        top = room.top + pitch * i
        if named:
            parts.append(text(2, top + SIZE, shortened(row.label, WIDTH - 4), "value label"))
        parts += strip(row.quantiles, row.mean, axis, top + 4 + named, 20, colour_of(row.place))
    below = f"{words} in {scale.words}" if money else words
    parts.append(text((room.left + room.right) / 2, room.bottom + 15 + LINE, below, "tick", "middle"))
    samples = [*bands_in(colour_of(rows[0].place)), Sample("line", ("median",), "median")]
    samples += [Sample("diamond", ("mean filled",), "mean")] if any(row.mean is not None for row in rows) else []
    entries, end = legend(samples, 2, WIDTH - 2, room.bottom + 19 + 2 * LINE)
    return Drawing(WIDTH, end + 4, title, description, "".join([*parts, *entries]))


# Wagers


class Bar(NamedTuple):
    """A wager with an amount, and the amount as printed."""

    label: str
    value: float
    shown: str


def diverging(title: str, description: str, rows: Sequence[Bar], span: Range, words: str) -> Drawing:
    """Bars to either side of zero."""
    scale = amounts(span)
    grid = scale.ticks(Range(min(0.0, span.low), max(0.0, span.high)), 5)
    room, axis, parts = _rows(grid, len(rows))
    for i, row in enumerate(rows):
        top = _top(i)
        start, end = sorted((axis.at(0), axis.at(row.value)))
        class_ = "bar" if row.value >= 0 else "bar player"
        bar = box(start, top, end - start, BAR, class_, f"{row.label}: {row.shown}")
        parts += [*_words(row.label, row.shown, top), bar, _zero(axis, top)]
    below = text(WIDTH / 2, room.bottom + 15 + LINE, f"{words} in {scale.words}", "tick", "middle")
    return Drawing(WIDTH, room.bottom + 15 + LINE + 8, title, description, "".join([*parts, below]))


class Checked(NamedTuple):
    """The distance of a realised edge from the exact one in standard errors, if known, and both in figures."""

    label: str
    distance: float | None
    shown: str


def whiskers(title: str, description: str, rows: Sequence[Checked]) -> Drawing:
    """A dot for each wager with whiskers of two standard errors; those that reach the centre line agree."""
    reach = max(4.0, *(abs(row.distance or 0) + SURE for row in rows))
    values = ticks(-reach, reach, 8)
    places = places_of(values[1] - values[0])
    grid = [(value, minus(f"{value:+,.{places}f}") if value else "exact") for value in values]
    room, axis, parts = _rows(grid, len(rows))
    for i, row in enumerate(rows):
        top = _top(i)
        parts.append(box(axis.at(-SURE), top, axis.at(SURE) - axis.at(-SURE), BAR, "shade"))
        parts += [*_words(row.label, row.shown, top), _zero(axis, top)]
        if row.distance is not None:
            parts.append(_whisker(row.distance, axis, top + BAR / 2, f"{row.label}: {row.shown}"))
    below = text(WIDTH / 2, room.bottom + 15 + LINE, "standard errors from the exact edge", "tick", "middle")
    return Drawing(WIDTH, room.bottom + 15 + LINE + 8, title, description, "".join([*parts, below]))


def _whisker(distance: float, axis: Axis, middle: float, hint: str) -> Markup:
    low, high = (axis.at(distance + side * SURE) for side in (-1, 1))
    class_ = "dot off" if abs(distance) > SURE + 1 else "dot"
    ends = [line(end, middle - 4, end, middle + 4, "whisker") for end in (low, high)]
    dot = element("circle", {"cx": axis.at(distance), "cy": middle, "r": 4.2, "class": class_})
    return element("g", {}, element("title", {}, hint), line(low, middle, high, middle, "whisker"), *ends, dot)


def _rows(grid: Sequence[tuple[float, str]], count: int) -> tuple[Room, Axis, list[Markup]]:
    """The plot area of `count` rows, their axis and its grid, drawn only behind the bars to keep the text clear."""
    room = Room(14, WIDTH - 14, 2, 2 + PITCH * count)
    axis = Axis(grid[0][0], grid[-1][0], room.left, room.right)
    parts = along(room, axis, grid, None)
    for i in range(count):
        parts += [line(axis.at(value), _top(i) - 1, axis.at(value), _top(i) + BAR + 1, "grid") for value, _ in grid]
    return room, axis, parts


def _top(row: int) -> float:
    """The top of a row's bar, below its text."""
    return 2 + PITCH * row + LINE


def _zero(axis: Axis, top: float) -> Markup:
    return line(axis.at(0), top - 2, axis.at(0), top + BAR + 2, "zero")


def _words(label: str, shown: str, top: float) -> list[Markup]:
    """The line above a bar: the name on the left, the figure on the right."""
    room = WIDTH - 4 - text_width(shown, SIZE) - 8
    return [
        text(2, top - 5, shortened(label, room), "label"),
        text(WIDTH - 2, top - 5, shown, "tick", "end"),
    ]
