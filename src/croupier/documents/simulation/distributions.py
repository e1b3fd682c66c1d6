"""Charts of final results: histograms, and the cumulative distribution."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import ceil, gcd, sqrt
from typing import NamedTuple

from croupier.documents.charts import (
    LINE,
    SIZE,
    Amounts,
    Axis,
    Drawing,
    Range,
    Room,
    Sample,
    along,
    amounts,
    badge,
    box,
    colour_of,
    dot,
    legend,
    line,
    places_of,
    spaced,
    through,
    ticks,
    upright,
)
from croupier.documents.markup import Markup, joined, text, text_width
from croupier.documents.simulation.result_charts import WIDE, WIDTH, strip, tall
from croupier.documents.simulation.sentences import share
from croupier.documents.wording import minus
from croupier.simulation.results import QUANTILES, Result

MOST_COLUMNS = 45  # twice as many in a wide picture
FEWEST_COLUMNS = 15  # for few sessions: this, or twice the square root of their number
ROUGH = 4  # slightly wider columns are used if they are this many times smoother
POINTS = 1.25  # spacing of the points of a cumulative line
JUMP = 1.0  # per cent; smaller rises between two points are drawn as a slope
BEYOND = 0.25  # how far a picture extends beyond the 1% and 99% quantiles, as a share of their distance
TOWERS = 2.5  # columns this many times as high as any other are truncated, if they are few
MOST_TOWERS = 3
ROW = 13  # height of a row of text above columns


class Column(NamedTuple):
    """Sessions that ended between two amounts in cents, inclusive, and how many of them ended behind or ahead."""

    low: int
    high: int
    sessions: int
    behind: int
    ahead: int


class Columns(NamedTuple):
    """All sessions in columns of equal width, in cents; outliers beyond the picture are only counted."""

    width: int
    columns: tuple[Column, ...]
    below: int
    above: int
    sessions: int

    def share(self, column: Column) -> float:
        """Its share of all sessions, in per cent."""
        return 100 * column.sessions / self.sessions


def span_of(results: Sequence[Result]) -> Range:
    """The range of results shown: all, unless a few outliers would squeeze the rest."""
    ends = []
    for result in results:
        low, high = result.quantiles["1"], result.quantiles["99"]
        reach = BEYOND * (high - low)
        lowest, highest = result.spread[0][0], result.spread[-1][0]  # merged results are represented by the lowest
        ends.append((max(lowest, low - reach), min(highest, high + reach)) if reach else (lowest, highest))
    return Range(min(low for low, _ in ends), max(high for _, high in ends))


def columns_of(result: Result, span: Range, wide: bool = False) -> Columns:
    """Group sessions into columns, each covering equally many possible results to avoid artificial unevenness."""
    counts = [(round(value * 100), count) for value, count in result.spread]
    step = gcd(*(value - counts[0][0] for value, _ in counts)) or max(1, round(result.resolution * 100))
    low, high = round(span.low * 100), round(span.high * 100)
    inside = [(value, count) for value, count in counts if low <= value <= high]
    most = min(MOST_COLUMNS * (1 + wide), max(FEWEST_COLUMNS, ceil(2 * sqrt(result.sessions))))
    width, first = _smoother(inside, step, max(1, ceil(((high - low) // step + 1) / most)))
    behind = _joined([(value, count) for value, count in inside if value < 0], width, first)
    ahead = _joined([(value, count) for value, count in inside if value > 0], width, first)
    columns = [
        Column(first + p * width, first + (p + 1) * width - step, count, behind.get(p, 0), ahead.get(p, 0))
        for p, count in sorted(_joined(inside, width, first).items())
    ]
    below = sum(count for value, count in counts if value < low)
    above = sum(count for value, count in counts if value > high)
    return Columns(width, tuple(columns), below, above, result.sessions)


def _smoother(counts: Sequence[tuple[int, int]], step: int, times: int) -> tuple[int, int]:
    """Choose the width of columns, `times` possible results or one or two more, and the start of one; in cents.

    Possible results may alternate between likely and unlikely: columns of three would then form a comb, of four not.
    """
    if counts[0][0] % step:
        tried = [(n * step, counts[0][0] % step) for n in (times, times + 1)]  # zero lies between columns
    else:
        times += times % 2 == 0
        tried = [(n * step, -(n // 2) * step) for n in (times, times + 1)]  # zero is in the middle of one, or nearly
    rough, smooth = (_roughness(_joined(counts, width, first)) for width, first in tried)
    return tried[1] if times > 1 and rough > ROUGH * smooth else tried[0]


def _joined(counts: Sequence[tuple[int, int]], width: int, first: int) -> dict[int, int]:
    """The number of sessions in each column, by index from the first."""
    found: dict[int, int] = {}
    for value, count in counts:
        place = (value - first) // width
        found[place] = found.get(place, 0) + count
    return found


def _roughness(found: dict[int, int]) -> float:
    """A measure of how much columns deviate from the mean of their neighbours."""
    heights = [found.get(place, 0) for place in range(min(found) - 1, max(found) + 2)]
    bends = ((2 * b - a - c) ** 2 for a, b, c in zip(heights, heights[1:], heights[2:], strict=False))
    return sum(bends) / sum(height**2 for height in heights)


# Histogram


def histogram(title: str, description: str, result: Result, span: Range, place: int, wide: bool = False) -> Drawing:
    """A histogram of results with quantiles above and below it."""
    width = WIDE if wide else WIDTH
    columns = columns_of(result, span, wide)
    scale = amounts(span)
    left, right = 46.0, width - 14
    x = _across(columns, span, left, right)
    marks = _marks(result, x, scale)
    room = Room(left, right, 26 + ROW * (1 + max((mark.row for mark in marks), default=0)), 320 if wide else 232)
    top, towers = _height(columns)
    grid = ticks(0, top, 4)
    y = Axis(0, grid[-1], room.bottom, room.top)
    places = places_of(grid[1])
    parts = upright(room, y, [(value, f"{value:.{places}f} %") for value in grid])
    for column in columns.columns:
        parts.append(_column(columns, column, x, y, scale, column in towers))
    parts += [part for i, tower in enumerate(towers) for part in _torn(columns, tower, x, room, i)]
    parts.append(line(x.at(0), room.top, x.at(0), room.bottom, "zero") if x.first <= 0 <= x.last else Markup())
    parts += [line(mark.at, room.top - 5 - ROW * mark.row, mark.at, room.bottom, "mark") for mark in marks]
    parts += [text(mark.start, room.top - 8 - ROW * mark.row, mark.words, "value") for mark in marks]
    shown = [min(max(result.quantiles[str(percent)], x.first), x.last) for percent in QUANTILES]
    parts += strip(shown, result.net, x, room.bottom + 4, 10, colour_of(place))
    lower = Room(room.left, room.right, room.top, room.bottom + 16)
    parts += along(lower, x, scale.ticks_on(x, 12 if wide else 8), None)
    parts.append(
        text((room.left + room.right) / 2, lower.bottom + 15 + LINE, f"result in {scale.words}", "tick", "middle")
    )
    parts.append(text(2, 11, "share of all sessions", "tick"))
    if result.ruined:
        parts.append(text(width - 2, 11, f"ruined {share(result.ruined)}", "strong", "end"))
    return Drawing(width, lower.bottom + 15 + LINE + 8, title, description, "".join(parts))


def _across(columns: Columns, span: Range, left: float, right: float) -> Axis:
    """An axis at least a few columns wide, so that a single one does not fill the picture."""
    width = columns.width / 100
    low = min([span.low, *(column.low / 100 for column in columns.columns)]) - width / 2
    high = max([span.high, *((column.low + columns.width) / 100 for column in columns.columns)]) + width / 2
    spare = max(0.0, 9 * width - (high - low)) / 2
    return Axis(low - spare, high + spare, left, right)


def _height(columns: Columns) -> tuple[float, list[Column]]:
    """The height of the picture in per cent, and the few columns that tower above all others, if any."""
    ordered = sorted(columns.columns, key=lambda column: -column.sessions)
    for towers in reversed(range(1, MOST_TOWERS + 1)):
        if len(ordered) > 4 * towers and ordered[towers - 1].sessions > TOWERS * ordered[towers].sessions:
            return columns.share(ordered[towers]) * 1.3, ordered[:towers]
    return columns.share(ordered[0]), []


def _column(columns: Columns, column: Column, x: Axis, y: Axis, scale: Amounts, cut: bool) -> Markup:
    """A column coloured by its sessions' results: those around zero in up to three pieces."""
    low, high = scale.brief(column.low / 100), scale.brief(column.high / 100)
    ends = low if column.low == column.high else f"{low} to {high}"
    hint = f"{ends}: {column.sessions:,} sessions, {columns.share(column):.3f} %"
    middle, half = (column.low + column.high) / 200, columns.width / 200
    left, right = x.at(middle - half), x.at(middle + half)
    gap = min(1.0, (right - left) * 0.12)
    height = y.left - (y.right if cut else y.at(columns.share(column)))
    even = column.sessions - column.behind - column.ahead
    pieces, bottom = [], y.left
    for class_, count in (("bar player", column.behind), ("bar even", even), ("bar", column.ahead)):
        if count:
            part = height * count / column.sessions
            bottom -= part
            pieces.append(box(left + gap / 2, bottom, right - left - gap, part, class_, hint))
    return joined(pieces)


def _torn(columns: Columns, tower: Column, x: Axis, room: Room, row: int) -> list[Markup]:
    """The mark of a truncated column with its true height in figures, each in a separate row."""
    middle = x.at((tower.low + tower.high) / 200)
    at = room.top + 12 + 15 * row
    tear = [(middle - 9, at + 3), (middle - 3, at - 3), (middle + 3, at + 3), (middle + 9, at - 3)]
    said = f"{columns.share(tower):.1f} %"
    beyond = middle + 12 + text_width(said, SIZE) > room.right
    words = text(middle - 12 if beyond else middle + 12, at + 4, said, "value", "end" if beyond else None)
    return [through(tear, "tear"), words]


class Mark(NamedTuple):
    """Some quantiles of a result: their position, their text, where it starts, and its row above the columns."""

    at: float
    words: str
    start: float
    row: int


def _marks(result: Result, x: Axis, scale: Amounts) -> list[Mark]:
    """Quantiles to label above the columns, in rows if they do not fit side by side; equal ones together."""
    together: dict[float, list[str]] = {}
    for percent, name in (("5", "5 %"), ("50", "median"), ("95", "95 %")):
        together.setdefault(result.quantiles[percent], []).append(name)
    marks: list[Mark] = []
    ends: list[float] = []
    for value, names in together.items():
        if x.first <= value <= x.last:
            words = f"{', '.join(names)} {scale.brief(value)}"
            width = text_width(words, SIZE)
            start = min(max(x.at(value) - width / 2, x.left - 40), x.right - width + 6)
            row = next((i for i, end in enumerate(ends) if end + 6 < start), len(ends))
            ends[row : row + 1] = [start + width]
            marks.append(Mark(x.at(value), words, start, row))
    return marks


# Cumulative distribution


class Steps(NamedTuple):
    """One strategy in a cumulative picture."""

    place: int
    key: str
    name: str
    result: Result


def cumulative(title: str, description: str, several: Sequence[Steps], span: Range, wide: bool = False) -> Drawing:
    """For each amount, the percentage of sessions that ended there or below."""
    width = WIDE if wide else WIDTH
    scale = amounts(span)
    room = Room(46, width - 14, 22, tall(len(several)) - 20 if wide else 200)
    spare = 0.04 * (span.high - span.low) or max(1.0, abs(span.low)) * 0.1
    x = Axis(span.low - spare, span.high + spare, room.left, room.right)
    y = Axis(0, 100, room.bottom, room.top)
    parts = upright(room, y, [(value, f"{value} %") for value in (0, 25, 50, 75, 100)])
    parts += along(room, x, scale.ticks_on(x, 12 if wide else 8))
    if x.first <= 0 <= x.last:
        parts.append(line(x.at(0), room.top, x.at(0), room.bottom, "zero"))
    lines = [_climb(one.result, x) for one in several]
    for one, climb in zip(several, lines, strict=True):
        parts.append(through([(a, y.at(b)) for a, b in climb], f"course {colour_of(one.place)}"))
    if len(several) == 1:
        parts += _dots(several[0].result, x, y)
    else:
        parts += _badges(several, lines, y)
    parts.append(
        text((room.left + room.right) / 2, room.bottom + 15 + LINE, f"result in {scale.words}", "tick", "middle")
    )
    parts.append(text(2, 11, "sessions that ended there or below", "tick"))
    samples = [Sample(one.key, (colour_of(one.place),), one.name) for one in several if one.key]
    entries, end = (
        legend(samples, 2, width - 2, room.bottom + 19 + 2 * LINE) if samples else ([], room.bottom + 20 + LINE)
    )
    return Drawing(width, end + 4, title, description, "".join([*parts, *entries]))


def _climb(result: Result, x: Axis) -> list[tuple[float, float]]:
    """The points of the line: horizontal position and percentage. Large steps are vertical."""
    values = [value for value, _ in result.spread]
    below = [0, *accumulate(count for _, count in result.spread)]
    steps = round((x.right - x.left) / POINTS)
    apart = (x.right - x.left) / steps
    shares = [100 * below[bisect_right(values, x.first + (x.last - x.first) * i / steps + 1e-9)] / result.sessions
              for i in range(steps + 1)]  # fmt: skip
    points = [(x.left, shares[0])]
    for i, (before, now) in enumerate(pairwise(shares), start=1):
        at = x.left + apart * i
        if now - before > JUMP:
            points += [(at, before), (at, now)]
        elif now != before:
            level = at - points[-1][0] > 1.5 * apart
            points += [(at - apart, before), (at, now)] if level else [(at, now)]
    return [*points, (x.right, shares[-1])]


def _dots(result: Result, x: Axis, y: Axis) -> list[Markup]:
    """The usual quantiles on the line."""
    values = [(percent, result.quantiles[str(percent)]) for percent in QUANTILES]
    return [dot(x.at(value), y.at(at), 3.2, "dot", minus(f"{at} %: {value:+,.2f}")) for at, value in values]


def _badges(several: Sequence[Steps], lines: Sequence[list[tuple[float, float]]], y: Axis) -> list[Markup]:
    """The letters, each on its line at a different height."""
    parts = []
    heights = spaced([100 * (i + 1) / (len(several) + 1) for i in range(len(several))], 100 / 12, 6, 96)
    for one, climb, height in zip(several, lines, heights, strict=True):
        at = next((x for x, share in climb if share >= height), climb[-1][0])
        parts.append(badge(at, y.at(height), one.key, colour_of(one.place)))
    return parts
