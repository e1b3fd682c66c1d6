"""Shared parts of a simulation's charts (sizes, money axes, legends, labels that do not overlap), and the fan charts.

Like all drawings they have no colours: `s0`, `s1`, … are the strategies, and the style gives each a colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor, log10
from typing import NamedTuple

from croupier.documents.charts import SIZE, Axis, Drawing, Spread, ticks
from croupier.documents.svg import Markup, element, number, text, text_width
from croupier.documents.wording import MINUS
from croupier.simulation.results import QUANTILES, Result

WIDTH = 360.0  # a third of a wide page, half of a small one, a phone
WIDE = 760.0
COLOURS = 6
SPARE = 12.0  # how far text may extend beyond the plot area
LINE = 17.0  # line height

BANDS = (("far", 0, 6), ("wide", 1, 5), ("near", 2, 4))  # classes, and the indices of the quantiles they span
MEDIAN = 3

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


def minus(written: str) -> str:
    """Use a printed minus sign; a value that rounds to zero has no sign."""
    return written.replace("-", MINUS) if written.strip("-+0.,") else written.lstrip("-+")


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """A straight line."""
    return element("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "class": class_})


def box(x: float, y: float, width: float, height: float, class_: str, hint: str = "") -> Markup:
    """A rectangle; the hint shows on hover."""
    inside = (element("title", {}, hint),) if hint else ()
    return element("rect", {"x": x, "y": y, "width": max(width, 0), "height": max(height, 0), "class": class_}, *inside)


def through(points: Iterable[tuple[float, float]], class_: str, closed: bool = False) -> Markup:
    """A line through points, or the area that they enclose."""
    listed = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return element("polygon" if closed else "polyline", {"points": listed, "class": class_})


def diamond(x: float, y: float, size: float, class_: str) -> Markup:
    """A diamond-shaped mark."""
    return through([(x - size, y), (x, y - size), (x + size, y), (x, y + size)], class_, closed=True)


def badge(x: float, y: float, key: str, colour: str) -> Markup:
    """The letter of a strategy in a ring of its colour."""
    ring = element("circle", {"cx": x, "cy": y, "r": 8, "class": f"ring {colour}"})
    return element("g", {}, ring, text(x, y + SIZE * 0.35, key, "key", "middle"))


def colour_of(place: int) -> str:
    """The class of a strategy; once the colours are used up they repeat, dashed."""
    return f"s{place % COLOURS}" + (" again" if place >= COLOURS else "")


def tall(several: int) -> float:
    """The height of a wide picture: what the column beside it needs for this many strategies."""
    return min(360.0 + 45 * (several - 1), 560.0)


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
            return Markup("".join(box(x + 1, y - 5.5, 16, 11, class_) for class_ in sample.classes))
    return badge(x + 9, y, sample.kind, *sample.classes)


def bands_in(colour: str) -> list[Sample]:
    """The legend of nested quantile bands in one colour."""
    classes = [f"{class_} {colour}" for class_, _, _ in BANDS]
    ends = [f"{QUANTILES[low]} to {QUANTILES[high]} %" for _, low, high in BANDS]
    return [Sample("box", tuple(classes[: i + 1]), words) for i, words in enumerate(ends)]


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


def whole_ticks(last: int, most: int) -> list[tuple[float, str]]:
    """Ticks for numbers of throws: whole, and none beyond the last."""
    return [(value, f"{value:,.0f}") for value in ticks(0, last, most) if value <= last and value == round(value)]


def strip(
    quantiles: Sequence[float], mean: float | None, x: Axis, top: float, height: float, colour: str
) -> list[Markup]:
    """Quantiles as nested bands, the median as a line, and a diamond for the mean if it is in range."""
    parts = []
    for (class_, low, high), part in zip(BANDS, (0.3, 0.15, 0.0), strict=True):
        left, inset = x.at(quantiles[low]), part * height
        width = x.at(quantiles[high]) - left
        parts.append(box(left, top + inset, width, height - 2 * inset, f"{class_} {colour}"))
    median = x.at(quantiles[MEDIAN])
    parts.append(line(median, top - height / 10, median, top + height * 1.1, "median"))
    if mean is not None and x.first <= mean <= x.last:
        parts.append(diamond(x.at(mean), top + height / 2, 4.5, "mean filled"))
    return parts


# Fan charts: one strategy in quantile bands, or several overlaid

NINE_IN_TEN = (1, 5)  # indices of the 5% and 95% quantiles
HEIGHT = 250.0  # y position of the plot area's lower edge
LOW = 212.0  # the same for small pictures: two rows of them fit on a printed page


class Course(NamedTuple):
    """One strategy over time: distribution and mean after each mark, from zero on, and the mean at the end."""

    place: int
    key: str
    name: str
    spreads: tuple[Spread, ...]
    mean: float
    is_exact: bool
    lost_at: float | None  # the level at which the bankroll is lost


class Frame(NamedTuple):
    """The axes of a picture."""

    room: Room
    x: Axis
    y: Axis
    scale: Amounts
    grid: Sequence[tuple[float, str]]


def course_of(result: Result, place: int, key: str, name: str) -> Course:
    """The course of a result: its values at the marks, and the exact mean at the end if known."""
    nothing = Spread(0, (0.0,) * len(QUANTILES), 0.0)
    mean = result.net if result.exact_net is None else result.exact_net
    points = [(point.roll, point.quantiles, point.mean) for point in result.fan if point.roll < result.rolls]
    points.append((result.rolls, result.quantiles, result.net))  # the final values have higher precision
    spreads = tuple(
        Spread(roll, tuple(known[str(q)] for q in QUANTILES), mean_then) for roll, known, mean_then in points
    )
    lost_at = None if result.bankroll is None else -result.bankroll
    return Course(place, key, name, (nothing, *spreads), mean, result.exact_net is not None, lost_at)


def range_of(courses: Sequence[Course], outermost: int = 0) -> Range:
    """The range of a picture of these courses, ignoring `outermost` quantiles at either end."""
    kept = slice(outermost, len(QUANTILES) - outermost)
    values = [value for course in courses for spread in course.spreads for value in spread.quantiles[kept]]
    values += [course.mean for course in courses]
    return Range(min(values), max(values))


def track(title: str, description: str, course: Course, throws: str, wide: bool) -> Drawing:
    """One session: its course, its final result, and the exact mean of a session."""
    span = range_of([course])
    ended = amounts(span).brief(course.spreads[-1].mean)
    frame = _frame(course.spreads, span, wide, 14 + text_width(ended, SIZE), tall(1) if wide else HEIGHT)
    parts = [*_floor(frame, [course]), _line_of(frame, course, MEDIAN, f"course {colour_of(course.place)}")]
    parts += _ends(frame, {course.spreads[-1].mean: (ended, "strong")})
    samples = []
    if course.is_exact:
        parts.append(_diamond(frame, course))
        samples.append(Sample("diamond", ("mean filled",), "exact mean of a session"))
    return _drawn(title, description, frame, parts, samples, throws, wide)


def fan(
    title: str,
    description: str,
    course: Course,
    span: Range,
    throws: str,
    wide: bool = False,
    height: float = HEIGHT,
) -> Drawing:
    """Quantile bands, the median and the mean, with the final quantiles in figures."""
    labels = _labels(course, amounts(span))
    beside = 14 + max(text_width(words, SIZE) for words, _ in labels.values())
    frame = _frame(course.spreads, span, wide, beside, tall(1) if wide else height)
    samples = [
        *bands_in(colour_of(course.place)),
        Sample("line", ("median",), "median"),
        Sample("line", ("mean",), "mean"),
        *([Sample("diamond", ("mean filled",), "exact mean")] if course.is_exact else []),
    ]
    parts = [_band(frame, course, low, high, class_) for class_, low, high in BANDS]
    parts += [*_floor(frame, [course]), _line_of(frame, course, MEDIAN, "median"), *_mean(frame, course)]
    return _drawn(title, description, frame, [*parts, *_ends(frame, labels)], samples, throws, wide)


def fans(title: str, description: str, courses: Sequence[Course], span: Range, throws: str, wide: bool) -> Drawing:
    """Several strategies overlaid: the band of 90% of results, and the median, each with its letter."""
    frame = _frame(courses[0].spreads, span, wide, 30, tall(len(courses)) if wide else HEIGHT)
    parts: list[Markup] = []
    for course in courses:
        colour = colour_of(course.place)
        parts.append(_band(frame, course, NINE_IN_TEN[0], NINE_IN_TEN[1], "over"))
        parts += [_line_of(frame, course, quantile, f"edge {colour}") for quantile in NINE_IN_TEN]
    parts += _floor(frame, courses)
    for course in courses:
        parts.append(_line_of(frame, course, MEDIAN, f"course {colour_of(course.place)}"))
    ends = sorted((frame.y.at(course.spreads[-1].quantiles[MEDIAN]), course.place) for course in courses)
    places = spaced([place for place, _ in ends], 18, frame.room.top, frame.room.bottom)
    for (end, at), place in zip(ends, places, strict=True):
        course = courses[at]
        colour = colour_of(course.place)
        parts.append(line(frame.room.right, end, frame.room.right + 10, place, f"edge {colour}"))
        parts.append(badge(frame.room.right + 18, place, course.key, colour))
    samples = [Sample(course.key, (colour_of(course.place),), course.name) for course in courses]
    return _drawn(title, description, frame, parts, samples, throws, wide)


def _frame(spreads: Sequence[Spread], span: Range, wide: bool, beside: float, height: float) -> Frame:
    """The frame of a picture that leaves `beside` for the text on the right."""
    room = Room(58 if wide else 52, (WIDE if wide else WIDTH) - beside, 22, height)
    scale = amounts(span)
    grid = scale.ticks(span, 8 if wide else 6)
    last = max(spreads[-1].throws, 1)
    x = Axis(0, last, room.left, room.right)
    return Frame(room, x, Axis(grid[0][0], grid[-1][0], room.bottom, room.top), scale, grid)


def _band(frame: Frame, course: Course, low: int, high: int, class_: str) -> Markup:
    over = [(frame.x.at(s.throws), frame.y.at(s.quantiles[high])) for s in course.spreads]
    under = [(frame.x.at(s.throws), frame.y.at(s.quantiles[low])) for s in reversed(course.spreads)]
    return through(over + under, f"{class_} {colour_of(course.place)}", closed=True)


def _line_of(frame: Frame, course: Course, quantile: int, class_: str) -> Markup:
    return through([(frame.x.at(s.throws), frame.y.at(s.quantiles[quantile])) for s in course.spreads], class_)


def _mean(frame: Frame, course: Course) -> list[Markup]:
    means = through([(frame.x.at(s.throws), frame.y.at(s.mean)) for s in course.spreads], "mean")
    return [means, _diamond(frame, course)] if course.is_exact else [means]


def _diamond(frame: Frame, course: Course) -> Markup:
    return diamond(frame.room.right, frame.y.at(course.mean), 4.5, "mean filled")


def _floor(frame: Frame, courses: Sequence[Course]) -> list[Markup]:
    """The level at which the bankroll is lost, if it is the same for all and in range."""
    floors = {course.lost_at for course in courses}
    (level,) = floors if len(floors) == 1 else (None,)
    if level is None or not frame.y.first <= level <= frame.y.last:
        return []
    at = frame.y.at(level)
    below = at + SIZE + 2 <= frame.room.bottom  # where nothing else is drawn
    words = text(frame.room.left + 4, at + (SIZE if below else -4), "bankroll gone", "value")
    return [line(frame.room.left, at, frame.room.right, at, "floor"), words]


def _labels(course: Course, scale: Amounts) -> dict[float, tuple[str, str]]:
    """The final quantiles in figures, each with its text class; equal ones share a line."""
    together: dict[float, list[int]] = {}
    for percent, value in zip(QUANTILES, course.spreads[-1].quantiles, strict=True):
        together.setdefault(value, []).append(percent)
    labels = {}
    for value, percents in together.items():
        ends = "–".join(dict.fromkeys(map(str, (percents[0], percents[-1]))))
        of = "all" if len(percents) == len(QUANTILES) else f"{ends} %"
        labels[value] = f"{of} {scale.brief(value)}", "strong" if QUANTILES[MEDIAN] in percents else "tick"
    return labels


def _ends(frame: Frame, labels: dict[float, tuple[str, str]]) -> list[Markup]:
    values = sorted(labels, reverse=True)
    places = spaced([frame.y.at(value) for value in values], 13, frame.room.top + 2, frame.room.bottom)
    parts = []
    for value, place in zip(values, places, strict=True):
        words, class_ = labels[value]
        parts.append(line(frame.room.right, frame.y.at(value), frame.room.right + 7, place, "lead"))
        parts.append(text(frame.room.right + 10, place + 4, words, class_))
    return parts


def _drawn(
    title: str, description: str, frame: Frame, parts: list[Markup], samples: Sequence[Sample], throws: str, wide: bool
) -> Drawing:
    room = frame.room
    width = WIDE if wide else WIDTH
    grid = upright(room, frame.y, frame.grid)
    below = along(room, frame.x, whole_ticks(int(frame.x.last), 10 if wide else 5), None)
    zero = [line(room.left, frame.y.at(0), room.right, frame.y.at(0), "zero")]
    words = [
        text(2, 11, f"result in {frame.scale.words}", "tick"),
        text((room.left + room.right) / 2, room.bottom + 15 + LINE, throws, "tick", "middle"),
    ]
    entries, end = legend(samples, 2, width - 2, room.bottom + 15 + 2 * LINE + 4)
    inside = "".join([*grid, *below, *zero, *parts, *words, *entries])
    return Drawing(width, end + 4, title, description, inside)
