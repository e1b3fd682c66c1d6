"""How sessions came out in the end: columns of results, and the share that came out no better than so much."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import ceil, gcd
from typing import NamedTuple

from croupier.sheets.charts import SIZE, Axis, Drawing, ticks
from croupier.sheets.simulation.charts import (
    LINE,
    WIDE,
    WIDTH,
    Amounts,
    Range,
    Room,
    Sample,
    along,
    amounts,
    badge,
    box,
    colour_of,
    legend,
    line,
    minus,
    places_of,
    spaced,
    strip,
    tall,
    through,
    upright,
)
from croupier.sheets.simulation.words import share
from croupier.sheets.svg import Markup, Value, element, text, text_width
from croupier.sim.results import QUANTILES, Result

MOST_COLUMNS = 45  # twice as many in a wide picture
STEPS = 240  # of a cumulative line: about one for each point of its width
BEYOND = 0.25  # how far a picture reaches beyond the quantiles from 1 to 99 %, in parts of their distance
TOWERS = 2.5  # columns so many times as high as any other are cut off, if they are few
MOST_TOWERS = 3


class Column(NamedTuple):
    """Sessions that ended from one amount to another, both included; in cents."""

    low: int
    high: int
    sessions: int


class Columns(NamedTuple):
    """All sessions in columns of equal width, in cents; those too far out for the picture are only counted."""

    width: int
    columns: tuple[Column, ...]
    below: int
    above: int
    sessions: int

    def share(self, column: Column) -> float:
        """Its part of all sessions, in per cent."""
        return 100 * column.sessions / self.sessions


def span_of(results: Sequence[Result]) -> Range:
    """The results that a picture shows: all, unless a few are so far out that they would squeeze the rest."""
    ends = []
    for result in results:
        low, high = result.quantiles["1"], result.quantiles["99"]
        reach = BEYOND * (high - low)
        lowest, highest = result.spread[0][0], result.spread[-1][0]  # of joined results the lowest stands for all
        ends.append((max(lowest, low - reach), min(highest, high + reach)) if reach else (lowest, highest))
    return Range(min(low for low, _ in ends), max(high for _, high in ends))


def columns_of(result: Result, span: Range, wide: bool = False) -> Columns:
    """Sessions in columns. Each takes in equally many possible results, or they would be uneven for no reason."""
    counts = [(round(value * 100), count) for value, count in result.spread]
    step = gcd(*(value - counts[0][0] for value, _ in counts)) or max(1, round(result.resolution * 100))
    low, high = round(span.low * 100), round(span.high * 100)
    times = max(1, ceil(((high - low) // step + 1) / (MOST_COLUMNS * (1 + wide))))
    if counts[0][0] % step:
        first = counts[0][0] % step  # nobody can end even: columns begin on either side of zero
    else:
        times += times % 2 == 0
        first = -(times // 2) * step  # one column has zero in its middle
    width = times * step
    found: dict[int, int] = {}
    below = above = 0
    for value, count in counts:
        if value < low:
            below += count
        elif value > high:
            above += count
        else:
            place = (value - first) // width
            found[place] = found.get(place, 0) + count
    columns = [Column(first + p * width, first + (p + 1) * width - step, n) for p, n in sorted(found.items())]
    return Columns(width, tuple(columns), below, above, result.sessions)


# -- columns ----------------------------------------------------------------------------------------------------------


def histogram(title: str, description: str, result: Result, span: Range, place: int, wide: bool = False) -> Drawing:
    """Columns of results with the quantiles above and below them."""
    width = WIDE if wide else WIDTH
    columns = columns_of(result, span, wide)
    scale = amounts(span)
    room = Room(46, width - 14, 64, 320 if wide else 232)
    x = _across(columns, span, room)
    top, towers = _height(columns)
    grid = ticks(0, top, 4)
    y = Axis(0, grid[-1], room.bottom, room.top)
    places = places_of(grid[1])
    parts = upright(room, y, [(value, f"{value:.{places}f} %") for value in grid])
    for column in columns.columns:
        parts.append(_column(columns, column, x, y, scale, column in towers))
    parts += [part for i, tower in enumerate(towers) for part in _torn(columns, tower, x, room, i)]
    parts.append(line(x.at(0), room.top, x.at(0), room.bottom, "zero") if x.first <= 0 <= x.last else Markup())
    parts += _marks(result, x, room, scale)
    shown = [min(max(result.quantiles[str(percent)], x.first), x.last) for percent in QUANTILES]
    parts += strip(shown, result.net, x, room.bottom + 4, 10, colour_of(place))
    lower = Room(room.left, room.right, room.top, room.bottom + 16)
    parts += along(lower, x, scale.ticks_on(x, 12 if wide else 6), None)
    parts.append(
        text((room.left + room.right) / 2, lower.bottom + 15 + LINE, f"result in {scale.words}", "tick", "middle")
    )
    parts.append(text(2, 11, "share of all sessions", "tick"))
    if result.ruined:
        parts.append(text(width - 2, 11, f"ruined {share(result.ruined)}", "strong", "end"))
    return Drawing(width, lower.bottom + 15 + LINE + 8, title, description, "".join(parts))


def _across(columns: Columns, span: Range, room: Room) -> Axis:
    """At least as wide as some columns, so that a single one does not fill the picture."""
    width = columns.width / 100
    low = min([span.low, *(column.low / 100 for column in columns.columns)]) - width / 2
    high = max([span.high, *((column.low + columns.width) / 100 for column in columns.columns)]) + width / 2
    spare = max(0.0, 9 * width - (high - low)) / 2
    return Axis(low - spare, high + spare, room.left, room.right)


def _height(columns: Columns) -> tuple[float, list[Column]]:
    """How high the picture reaches, in per cent; and the few columns that tower over all others, if there are such."""
    ordered = sorted(columns.columns, key=lambda column: -column.sessions)
    for towers in reversed(range(1, MOST_TOWERS + 1)):
        if len(ordered) > 4 * towers and ordered[towers - 1].sessions > TOWERS * ordered[towers].sessions:
            return columns.share(ordered[towers]) * 1.3, ordered[:towers]
    return columns.share(ordered[0]), []


def _column(columns: Columns, column: Column, x: Axis, y: Axis, scale: Amounts, cut: bool) -> Markup:
    side = "bar player" if column.high < 0 else "bar" if column.low > 0 else "bar even"
    low, high = scale.brief(column.low / 100), scale.brief(column.high / 100)
    ends = low if column.low == column.high else f"{low} to {high}"
    hint = f"{ends}: {column.sessions:,} sessions, {columns.share(column):.3f} %"
    middle, half = (column.low + column.high) / 200, columns.width / 200
    left, right = x.at(middle - half), x.at(middle + half)
    gap = min(1.0, (right - left) * 0.12)
    top = y.right if cut else y.at(columns.share(column))
    return box(left + gap / 2, top, right - left - gap, y.left - top, side, hint)


def _torn(columns: Columns, tower: Column, x: Axis, room: Room, row: int) -> list[Markup]:
    """The mark of a column that was cut off, with its true height in figures; each in a row of its own."""
    middle = x.at((tower.low + tower.high) / 200)
    at = room.top + 12 + 15 * row
    tear = [(middle - 9, at + 3), (middle - 3, at - 3), (middle + 3, at + 3), (middle + 9, at - 3)]
    said = f"{columns.share(tower):.1f} %"
    beyond = middle + 12 + text_width(said, SIZE) > room.right
    words = text(middle - 12 if beyond else middle + 12, at + 4, said, "value", "end" if beyond else None)
    return [through(tear, "tear"), words]


def _marks(result: Result, x: Axis, room: Room, scale: Amounts) -> list[Markup]:
    """Lines at some quantiles, named above the columns, one above the other where they would not fit side by side."""
    marked = [(value, words) for value, words in (
        (result.quantiles["5"], "5 %"), (result.quantiles["50"], "median"), (result.quantiles["95"], "95 %"),
    ) if x.first <= value <= x.last]  # fmt: skip
    parts: list[Markup] = []
    ends: list[float] = []
    for value, words in marked:
        at = x.at(value)
        said = f"{words} {scale.brief(value)}"
        width = text_width(said, SIZE)
        start = min(max(at - width / 2, room.left - 40), room.right - width + 6)
        row = next((i for i, end in enumerate(ends) if end + 6 < start), len(ends))
        ends[row : row + 1] = [start + width]
        top = room.top - 8 - 13 * row
        parts.append(line(at, top + 3, at, room.bottom, "mark"))
        parts.append(text(start, top, said, "value"))
    return parts


# -- cumulative -------------------------------------------------------------------------------------------------------


class Steps(NamedTuple):
    """One strategy in a cumulative picture."""

    place: int
    key: str
    name: str
    result: Result


def cumulative(title: str, description: str, several: Sequence[Steps], span: Range, wide: bool = False) -> Drawing:
    """For each amount the share of sessions that ended there or below, in per cent."""
    width = WIDE if wide else WIDTH
    scale = amounts(span)
    room = Room(46, width - 14, 22, tall(len(several)) - 20 if wide else 200)
    spare = 0.04 * (span.high - span.low) or max(1.0, abs(span.low)) * 0.1
    x = Axis(span.low - spare, span.high + spare, room.left, room.right)
    y = Axis(0, 100, room.bottom, room.top)
    parts = upright(room, y, [(value, f"{value} %") for value in (0, 25, 50, 75, 100)])
    parts += along(room, x, scale.ticks_on(x, 12 if wide else 6))
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
    """The line in steps: where it stands across the picture, and at how many per cent."""
    values = [value for value, _ in result.spread]
    below = [0, *accumulate(count for _, count in result.spread)]
    shares = [100 * below[bisect_right(values, x.first + (x.last - x.first) * i / STEPS + 1e-9)] / result.sessions
              for i in range(STEPS + 1)]  # fmt: skip
    points = [(x.left, shares[0])]
    for i, (before, now) in enumerate(pairwise(shares), start=1):
        if now != before:
            at = x.left + (x.right - x.left) * i / STEPS
            points += [(at, before), (at, now)]
    return [*points, (x.right, shares[-1])]


def _dots(result: Result, x: Axis, y: Axis) -> list[Markup]:
    """The usual quantiles on the line."""
    parts = []
    for percent in QUANTILES:
        value = result.quantiles[str(percent)]
        dot: dict[str, Value] = {"cx": x.at(value), "cy": y.at(percent), "r": 3.2, "class": "dot"}
        parts.append(element("circle", dot, element("title", {}, minus(f"{percent} %: {value:+,.2f}"))))
    return parts


def _badges(several: Sequence[Steps], lines: Sequence[list[tuple[float, float]]], y: Axis) -> list[Markup]:
    """The letters, each on its own line and at a height of its own."""
    parts = []
    heights = spaced([100 * (i + 1) / (len(several) + 1) for i in range(len(several))], 100 / 12, 6, 96)
    for one, climb, height in zip(several, lines, heights, strict=True):
        at = next((x for x, share in climb if share >= height), climb[-1][0])
        parts.append(badge(at, y.at(height), one.key, colour_of(one.place)))
    return parts
