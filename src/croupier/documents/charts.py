"""Charts as small SVG drawings: bars, dots, lengths, fans. Generated without a library, for pages and phones.

A drawing has no colours and no font: each document format applies its own style to the classes used here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

import msgspec

from croupier.documents.svg import Markup, element, number, text, text_width

SIZE = 12  # font size, which the style of each format also sets
PITCH = 16
WIDTH = 520
LONGEST_LABEL = 44


class Drawing(msgspec.Struct, frozen=True):
    """A picture of this size, with a title and a description of what it shows."""

    width: float
    height: float
    title: str
    description: str
    inside: str


class Mark(NamedTuple):
    """One row of a chart: its label, its value and the value as printed."""

    label: str
    value: float
    shown: str


class Axis(NamedTuple):
    """A scale from values to positions: `first` is at `left`, `last` at `right`."""

    first: float
    last: float
    left: float
    right: float
    logarithmic: bool = False

    def at(self, value: float) -> float:
        """The position of a value."""
        scale: Callable[[float], float] = log10 if self.logarithmic else float
        share = (scale(value) - scale(self.first)) / (scale(self.last) - scale(self.first))
        return self.left + share * (self.right - self.left)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round, equally spaced values that cover the whole range, in about `most` intervals."""
    span = high - low or 1.0
    power = 10.0 ** floor(log10(span / most))
    step = next(power * times for times in (1, 2, 5, 10, 20) if span / (power * times) <= most)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(i * step, 10) for i in range(first, max(last, first + 1) + 1)]


def logarithmic_ticks(low: float, high: float) -> list[float]:
    """1, 2, 5, 10, … as far as the values reach."""
    grid = [round(10.0**power * times, 10) for power in range(floor(log10(low)), ceil(log10(high)) + 1)
            for times in (1, 2, 5)]  # fmt: skip
    first = max((i for i, value in enumerate(grid) if value <= low), default=0)
    last = min((i for i, value in enumerate(grid) if value >= high), default=len(grid) - 1)
    return grid[first : max(last, first + 1) + 1]


def bars(title: str, description: str, marks: Sequence[Mark], unit: str = "") -> Drawing:
    """Horizontal bars from zero, each with its value at its end."""
    values = [mark.value for mark in marks]
    grid = ticks(min(0.0, *values), max(0.0, *values), most=5)
    return _rows(title, description, marks, grid, unit, logarithmic=False)


def dots(title: str, description: str, marks: Sequence[Mark], unit: str = "") -> Drawing:
    """Dots on a logarithmic axis: equal distances are equal factors, so there is no zero to draw a bar from."""
    values = [mark.value for mark in marks if mark.value > 0]
    grid = logarithmic_ticks(min(values, default=1.0), max(values, default=1.0))
    return _rows(title, description, marks, grid, unit, logarithmic=True)


def _rows(
    title: str, description: str, marks: Sequence[Mark], grid: list[float], unit: str, logarithmic: bool
) -> Drawing:
    left = max(text_width(_short(mark.label), SIZE) for mark in marks) + 8
    right = WIDTH - max(text_width(mark.shown, SIZE) for mark in marks) - 8
    axis = Axis(grid[0], grid[-1], left, right, logarithmic)
    bottom = 4 + PITCH * len(marks)
    parts = [_line(axis.at(value), 2, axis.at(value), bottom, "grid") for value in grid]
    for row, mark in enumerate(marks):
        parts.append(_row(axis, mark, 4 + PITCH * (row + 0.5)))
    if not logarithmic:
        parts.append(_line(axis.at(0), 2, axis.at(0), bottom, "zero"))
    shown = [text(axis.at(value), bottom + 15, f"{number(value)}{unit}", "tick", "middle") for value in grid]
    return Drawing(WIDTH, bottom + 22, title, description, "".join([*parts, *shown]))


def _row(axis: Axis, mark: Mark, middle: float) -> Markup:
    label = text(axis.left - 8, middle + SIZE * 0.35, _short(mark.label), "label", "end")
    if axis.logarithmic:
        end = axis.at(mark.value) if mark.value > 0 else axis.left
        drawn = [
            _line(axis.left, middle, end, middle, "lead"),
            element("circle", {"cx": end, "cy": middle, "r": 4, "class": "dot"}),
        ]
        end += 4
    else:
        start, end = sorted((axis.at(0), axis.at(mark.value)))
        side = "bar" if mark.value >= 0 else "bar player"
        box = {"x": start, "y": middle - PITCH * 0.34, "width": end - start, "height": PITCH * 0.68}
        drawn = [element("rect", {**box, "class": side})]
    value = text(end + 5, middle + SIZE * 0.35, mark.shown, "value")
    return element("g", {}, element("title", {}, f"{mark.label}: {mark.shown}"), label, *drawn, value)


def _short(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"


def _line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return element("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "class": class_})


def lengths(title: str, description: str, chances: Sequence[tuple[int, float]], mean: float) -> Drawing:
    """A distribution of lengths: a column for each number of throws, and the mean."""
    width, height, top, left = 260.0, 156.0, 20.0, 38.0
    bottom, right = height - 22, width - 6
    grid = ticks(0, max(chance for _, chance in chances) * 100, most=4)
    first, last = chances[0][0], chances[-1][0]
    x = Axis(first - 0.5, last + 0.5, left, right)
    y = Axis(0, grid[-1], bottom, top)
    parts = [_line(left, y.at(value), right, y.at(value), "grid") for value in grid]
    parts += [text(left - 5, y.at(value) + 4, f"{number(value)} %", "tick", "end") for value in grid]
    gap = 0.12 if len(chances) <= 40 else 0.0
    for throws, chance in chances:
        start, end = x.at(throws - 0.5 + gap), x.at(throws + 0.5 - gap)
        box = {"x": start, "y": y.at(chance * 100), "width": end - start, "height": bottom - y.at(chance * 100)}
        column = element("rect", {**box, "class": "bar"}, element("title", {}, f"{throws}: {chance * 100:.3f} %"))
        parts.append(column)
    parts += [text(x.at(value), bottom + 15, number(value), "tick", "middle") for value in _whole(first, last)]
    if mean <= last:
        parts.append(_line(x.at(mean), 4, x.at(mean), bottom, "mean"))
        parts.append(text(x.at(mean) + 5, 12, f"mean {mean:.2f}", "value"))
    return Drawing(width, height, title, description, "".join(parts))


def _whole(first: int, last: int) -> list[int]:
    """Whole numbers for the ticks of an axis."""
    step = max(1, round(ticks(0, last - first, most=8)[1]))
    return [value for value in range(first, last + 1) if value % step == 0 or last - first < step]


class Spread(NamedTuple):
    """The distribution of results after a number of throws: five ascending quantiles, and the mean."""

    throws: int
    quantiles: tuple[float, ...]
    mean: float


LEGEND = (("outer", "5 to 95 %"), ("inner", "25 to 75 %"), ("median", "median"), ("mean", "mean"))


def fan(title: str, description: str, spreads: Sequence[Spread], across: str, upwards: str) -> Drawing:
    """Results over time: bands of quantiles, the median and the mean."""
    height, top, left = 300.0, 34.0, 62.0
    bottom, right = height - 38, WIDTH - 12
    values = [value for spread in spreads for value in (*spread.quantiles, spread.mean)]
    grid = ticks(min(values), max(values), most=6)
    x = Axis(spreads[0].throws, spreads[-1].throws, left, right)
    y = Axis(grid[0], grid[-1], bottom, top)
    parts = [_line(left, y.at(value), right, y.at(value), "grid") for value in grid]
    parts += [text(left - 6, y.at(value) + 4, _money(value), "tick", "end") for value in grid]
    for low, high, class_ in ((0, 4, "outer"), (1, 3, "inner")):
        over = [(x.at(s.throws), y.at(s.quantiles[high])) for s in spreads]
        under = [(x.at(s.throws), y.at(s.quantiles[low])) for s in reversed(spreads)]
        parts.append(element("polygon", {"points": _points(over + under), "class": class_}))
    parts.append(_line(left, y.at(0), right, y.at(0), "zero"))
    median = _points([(x.at(s.throws), y.at(s.quantiles[2])) for s in spreads])
    mean = _points([(x.at(s.throws), y.at(s.mean)) for s in spreads])
    parts.append(element("polyline", {"points": median, "class": "median"}))
    parts.append(element("polyline", {"points": mean, "class": "mean"}))
    for value in ticks(spreads[0].throws, spreads[-1].throws, most=6):
        parts.append(text(x.at(value), bottom + 16, number(value), "tick", "middle"))
    parts.append(text((left + right) / 2, height - 5, across, "tick", "middle"))
    parts.append(text(2, 12, upwards, "tick"))
    parts += _legend(right)
    return Drawing(WIDTH, height, title, description, "".join(parts))


def _legend(right: float) -> list[Markup]:
    parts: list[Markup] = []
    end = right
    for class_, words in reversed(LEGEND):
        start = end - text_width(words, SIZE)
        parts.append(text(start, 12, words, "tick"))
        if class_ in ("outer", "inner"):
            parts.append(element("rect", {"x": start - 20, "y": 3, "width": 16, "height": 10, "class": class_}))
        else:
            parts.append(_line(start - 20, 8, start - 4, 8, class_))
        end = start - 30
    return parts


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def _money(value: float) -> str:
    return f"{value:,.0f}".replace("-", "−")
