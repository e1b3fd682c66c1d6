"""Charts as small SVG drawings, for pages and phones: the parts they share, and bars, dots, lengths and fans.

A drawing has no colours and no font: each document format applies its own style to the classes used here. `s0`, `s1`, …
are the strategies of a simulation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

import msgspec

from croupier.documents.markup import Markup, element, group, joined, number, text, text_width
from croupier.documents.wording import minus

SIZE = 12  # font size, which the style of each format also sets
LINE = 17.0  # line height
SPARE = 12.0  # how far text may extend beyond the plot area
COLOURS = 6


class Drawing(msgspec.Struct, frozen=True):
    """A picture of this size, with a title and a description of what it shows."""

    width: float
    height: float
    title: str
    description: str
    inside: str


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


# Money axes

_SCALES = ((1e10, 1e9, "billions of dollars"), (1e7, 1e6, "millions of dollars"), (0.0, 1.0, "dollars"))


class Room(NamedTuple):
    """The plot area of a picture."""

    left: float
    right: float
    top: float
    bottom: float


class Range(NamedTuple):
    """From the lowest value to the highest."""

    low: float
    high: float


class Amounts(NamedTuple):
    """A scale for amounts on an axis: they are divided by `over`, which `words` names."""

    over: float
    words: str

    def ticks(self, span: Range, most: int = 6) -> list[tuple[float, str]]:
        """Round amounts that cover the whole range, each with its text."""
        grid = ticks(span.low / self.over, span.high / self.over, most)
        places = places_of(grid[1] - grid[0])
        return [(value * self.over, minus(f"{value:,.{places}f}")) for value in grid]

    def ticks_on(self, axis: Axis, most: int = 8) -> list[tuple[float, str]]:
        """Round amounts within an axis of any limits, as many as fit."""
        for fewer in range(most, 1, -1):
            marks = self.ticks(Range(axis.first, axis.last), fewer)
            room = axis.at(marks[1][0]) - axis.at(marks[0][0])
            if max(text_width(words, SIZE) for _, words in marks) <= room:
                break
        return [mark for mark in marks if axis.first <= mark[0] <= axis.last]

    def brief(self, value: float) -> str:
        """An amount beside a mark, with its sign; cents only where they matter."""
        scaled = round(value / self.over, 6)
        places = 0 if abs(scaled) >= 1000 or scaled == round(scaled) else 2
        return minus(f"{scaled:+,.{places}f}") if scaled else "0"


def amounts(span: Range) -> Amounts:
    """The scale on which these amounts are easy to read."""
    largest = max(abs(span.low), abs(span.high))
    return next(Amounts(over, words) for least, over, words in _SCALES if largest >= least)


def places_of(step: float) -> int:
    """The number of decimals needed for steps of this size."""
    return max(0, -floor(log10(step) + 1e-9))


# Shapes


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def box(x: float, y: float, width: float, height: float, class_: str, hint: str = "") -> Markup:
    """A rectangle; the hint shows on hover."""
    inside = (element("title", hint),) if hint else ()
    return element("rect", *inside, x=x, y=y, width=max(width, 0), height=max(height, 0), class_=class_)


def dot(x: float, y: float, radius: float, class_: str, hint: str = "") -> Markup:
    """A round mark; the hint shows on hover."""
    return element("circle", *((element("title", hint),) if hint else ()), cx=x, cy=y, r=radius, class_=class_)


def through(points: Iterable[tuple[float, float]], class_: str, closed: bool = False) -> Markup:
    """A line through points, or the area that they enclose."""
    listed = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return element("polygon" if closed else "polyline", points=listed, class_=class_)


def diamond(x: float, y: float, size: float, class_: str) -> Markup:
    """A diamond-shaped mark."""
    return through([(x - size, y), (x, y - size), (x + size, y), (x, y + size)], class_, closed=True)


def badge(x: float, y: float, key: str, colour: str) -> Markup:
    """The letter of a strategy in a ring of its colour."""
    return element("g", dot(x, y, 8, f"ring {colour}"), text(x, y + SIZE * 0.35, key, "key", "middle"))


def colour_of(place: int) -> str:
    """The class of a strategy; once the colours are used up they repeat, dashed."""
    return f"s{place % COLOURS}" + (" again" if place >= COLOURS else "")


# Labels, legends and grids


def spaced(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move label positions, given in ascending order, until they are a gap apart and within bounds."""
    found: list[float] = []
    for place in places:
        found.append(max(place, found[-1] + gap if found else low))
    limit = high
    for i in reversed(range(len(found))):
        found[i] = min(found[i], limit)
        limit = found[i] - gap
    return found


def shortened(words: str, room: float) -> str:
    """Truncate text to the width available."""
    while text_width(words, SIZE) > room and len(words) > 2:
        words = f"{words[:-2].rstrip()}…"
    return words


class Sample(NamedTuple):
    """An entry of a legend: a line, a diamond, stacked boxes or the letter of a strategy; and its meaning."""

    kind: str
    classes: tuple[str, ...]
    words: str


def legend(samples: Sequence[Sample], left: float, right: float, top: float) -> tuple[list[Markup], float]:
    """Legend entries on as many lines as they need, and the y position where the last line ends."""
    parts: list[Markup] = []
    x, y = left, top
    for sample in samples:
        words = shortened(sample.words, right - left - 26)
        width = 26 + text_width(words, SIZE) + 10
        if x > left and x + width - 10 > right:
            x, y = left, y + LINE
        parts += [_sample(sample, x, y), text(x + 24, y + 4, words, "tick")]
        x += width
    return parts, y + LINE / 2


def _sample(sample: Sample, x: float, y: float) -> Markup:
    match sample.kind:
        case "line":
            return line(x, y, x + 18, y, *sample.classes)
        case "diamond":
            return diamond(x + 9, y, 5, *sample.classes)
        case "box":
            return joined(box(x + 1, y - 5.5, 16, 11, class_) for class_ in sample.classes)
    return badge(x + 9, y, sample.kind, *sample.classes)


def upright(room: Room, axis: Axis, grid: Sequence[tuple[float, str]]) -> list[Markup]:
    """Horizontal grid lines across a picture, each with its value on the left."""
    lines = [line(room.left, axis.at(value), room.right, axis.at(value), "grid") for value, _ in grid]
    return lines + [text(room.left - 6, axis.at(value) + 4, shown, "tick", "end") for value, shown in grid]


def along(room: Room, axis: Axis, grid: Sequence[tuple[float, str]], class_: str | None = "grid") -> list[Markup]:
    """Tick labels below a picture, with vertical grid lines if there is a class for them."""
    shown: list[Markup] = []
    end = 0.0
    for value, words in grid:
        half = text_width(words, 11) / 2
        middle = min(max(axis.at(value), half + 1), room.right + SPARE - half)
        if middle - half > end:
            shown.append(text(middle, room.bottom + 15, words, "tick", "middle"))
            end = middle + half
    lines = [line(axis.at(value), room.top, axis.at(value), room.bottom, class_) for value, _ in grid if class_]
    return lines + shown


# Results over time


class Spread(NamedTuple):
    """The distribution of results after a number of throws: ascending quantiles, and the mean."""

    throws: int
    quantiles: tuple[float, ...]
    mean: float


def quantile_band(spreads: Sequence[Spread], x: Axis, y: Axis, low: int, high: int, class_: str) -> Markup:
    """The area between two quantiles, given by their indices."""
    over = [(x.at(s.throws), y.at(s.quantiles[high])) for s in spreads]
    under = [(x.at(s.throws), y.at(s.quantiles[low])) for s in reversed(spreads)]
    return through(over + under, class_, closed=True)


def quantile_line(spreads: Sequence[Spread], x: Axis, y: Axis, quantile: int, class_: str) -> Markup:
    """The course of one quantile, given by its index."""
    return through([(x.at(s.throws), y.at(s.quantiles[quantile])) for s in spreads], class_)


def mean_line(spreads: Sequence[Spread], x: Axis, y: Axis) -> Markup:
    """The course of the mean."""
    return through([(x.at(s.throws), y.at(s.mean)) for s in spreads], "mean")


# Charts of a PAR sheet

PITCH = 16
WIDTH = 520
LONGEST_LABEL = 44


class Mark(NamedTuple):
    """One row of a chart: its label, its value and the value as printed."""

    label: str
    value: float
    shown: str


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
    parts = [line(axis.at(value), 2, axis.at(value), bottom, "grid") for value in grid]
    parts += [_row(axis, mark, 4 + PITCH * (row + 0.5)) for row, mark in enumerate(marks)]
    if not logarithmic:
        parts.append(line(axis.at(0), 2, axis.at(0), bottom, "zero"))
    parts += [text(axis.at(value), bottom + 15, f"{number(value)}{unit}", "tick", "middle") for value in grid]
    return Drawing(WIDTH, bottom + 22, title, description, "".join(parts))


def _row(axis: Axis, mark: Mark, middle: float) -> Markup:
    label = text(axis.left - 8, middle + SIZE * 0.35, _short(mark.label), "label", "end")
    if axis.logarithmic:
        end = axis.at(mark.value) if mark.value > 0 else axis.left
        drawn = [line(axis.left, middle, end, middle, "lead"), dot(end, middle, 4, "dot")]
        end += 4
    else:
        start, end = sorted((axis.at(0), axis.at(mark.value)))
        side = "bar" if mark.value >= 0 else "bar player"
        drawn = [box(start, middle - PITCH * 0.34, end - start, PITCH * 0.68, side)]
    value = text(end + 5, middle + SIZE * 0.35, mark.shown, "value")
    return group(f"{mark.label}: {mark.shown}", label, *drawn, value)


def _short(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"


def lengths(title: str, description: str, chances: Sequence[tuple[int, float]], mean: float) -> Drawing:
    """A distribution of lengths: a column for each number of throws, and the mean."""
    width, height = 260.0, 156.0
    room = Room(38, width - 6, 20, height - 22)
    grid = ticks(0, max(chance for _, chance in chances) * 100, most=4)
    first, last = chances[0][0], chances[-1][0]
    x = Axis(first - 0.5, last + 0.5, room.left, room.right)
    y = Axis(0, grid[-1], room.bottom, room.top)
    parts = upright(room, y, [(value, f"{number(value)} %") for value in grid])
    gap = 0.12 if len(chances) <= 40 else 0.0
    for throws, chance in chances:
        start, end, top = x.at(throws - 0.5 + gap), x.at(throws + 0.5 - gap), y.at(chance * 100)
        parts.append(box(start, top, end - start, room.bottom - top, "bar", f"{throws}: {chance * 100:.3f} %"))
    parts += [text(x.at(value), room.bottom + 15, number(value), "tick", "middle") for value in _whole(first, last)]
    if mean <= last:
        parts.append(line(x.at(mean), 4, x.at(mean), room.bottom, "mean"))
        parts.append(text(x.at(mean) + 5, 12, f"mean {mean:.2f}", "value"))
    return Drawing(width, height, title, description, "".join(parts))


def _whole(first: int, last: int) -> list[int]:
    """Whole numbers for the ticks of an axis."""
    step = max(1, round(ticks(0, last - first, most=8)[1]))
    return [value for value in range(first, last + 1) if value % step == 0 or last - first < step]


LEGEND = (("outer", "5 to 95 %"), ("inner", "25 to 75 %"), ("median", "median"), ("mean", "mean"))


def fan(title: str, description: str, spreads: Sequence[Spread], across: str, upwards: str) -> Drawing:
    """Results over time: bands of five quantiles, the median and the mean."""
    height = 300.0
    room = Room(62, WIDTH - 12, 34, height - 38)
    values = [value for spread in spreads for value in (*spread.quantiles, spread.mean)]
    grid = ticks(min(values), max(values), most=6)
    x = Axis(spreads[0].throws, spreads[-1].throws, room.left, room.right)
    y = Axis(grid[0], grid[-1], room.bottom, room.top)
    parts = upright(room, y, [(value, minus(f"{value:,.0f}")) for value in grid])
    parts += [
        quantile_band(spreads, x, y, low, high, class_) for low, high, class_ in ((0, 4, "outer"), (1, 3, "inner"))
    ]
    parts.append(line(room.left, y.at(0), room.right, y.at(0), "zero"))
    parts += [quantile_line(spreads, x, y, 2, "median"), mean_line(spreads, x, y)]
    for value in ticks(spreads[0].throws, spreads[-1].throws, most=6):
        parts.append(text(x.at(value), room.bottom + 16, number(value), "tick", "middle"))
    parts.append(text((room.left + room.right) / 2, height - 5, across, "tick", "middle"))
    parts.append(text(2, 12, upwards, "tick"))
    return Drawing(WIDTH, height, title, description, "".join([*parts, *_legend(room.right)]))


def _legend(right: float) -> list[Markup]:
    parts: list[Markup] = []
    end = right
    for class_, words in reversed(LEGEND):
        start = end - text_width(words, SIZE)
        parts.append(text(start, 12, words, "tick"))
        is_band = class_ in ("outer", "inner")
        parts.append(box(start - 20, 3, 16, 10, class_) if is_band else line(start - 20, 8, start - 4, 8, class_))
        end = start - 30
    return parts
