"""Charts of results: fans over time, quantile strips, stacked endings, and the results and edges of wagers.

In charts made of rows, each row has its text on a separate line, so that long names leave the space below to the
figures, even on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    Spread,
    along,
    amounts,
    badge,
    box,
    colour_of,
    diamond,
    dot,
    legend,
    line,
    mean_line,
    places_of,
    quantile_band,
    quantile_line,
    shortened,
    spaced,
    ticks,
    upright,
)
from croupier.documents.markup import Markup, group, text, text_width
from croupier.documents.wording import minus
from croupier.simulation.results import QUANTILES, Result

WIDTH = 360.0  # a third of a wide page, half of a small one, a phone
WIDE = 760.0
BANDS = (("far", 0, 6), ("wide", 1, 5), ("near", 2, 4))  # classes, and the indices of the quantiles they span
MEDIAN = 3


def tall(several: int) -> float:
    """The height of a wide picture: what the column beside it needs for this many strategies."""
    return min(360.0 + 45 * (several - 1), 560.0)


def bands_in(colour: str) -> list[Sample]:
    """The legend of nested quantile bands in one colour."""
    classes = [f"{class_} {colour}" for class_, _, _ in BANDS]
    ends = [f"{QUANTILES[low]} to {QUANTILES[high]} %" for _, low, high in BANDS]
    return [Sample("box", tuple(classes[: i + 1]), words) for i, words in enumerate(ends)]


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
    parts += [*_floor(frame, [course]), _line_of(frame, course, MEDIAN, "median")]
    parts.append(mean_line(course.spreads, frame.x, frame.y))
    parts += [_diamond(frame, course)] if course.is_exact else []
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
    return quantile_band(course.spreads, frame.x, frame.y, low, high, f"{class_} {colour_of(course.place)}")


def _line_of(frame: Frame, course: Course, quantile: int, class_: str) -> Markup:
    return quantile_line(course.spreads, frame.x, frame.y, quantile, class_)


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
    words = text(frame.room.left + 4, at + (SIZE if below else -4), "bankroll lost", "value")
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
    last = int(frame.x.last)
    throws_at = [value for value in ticks(0, last, 10 if wide else 5) if value <= last and value == round(value)]
    below = along(room, frame.x, [(value, f"{value:,.0f}") for value in throws_at], None)
    zero = [line(room.left, frame.y.at(0), room.right, frame.y.at(0), "zero")]
    words = [
        text(2, 11, f"result in {frame.scale.words}", "tick"),
        text((room.left + room.right) / 2, room.bottom + 15 + LINE, throws, "tick", "middle"),
    ]
    entries, end = legend(samples, 2, width - 2, room.bottom + 15 + 2 * LINE + 4)
    inside = "".join([*grid, *below, *zero, *parts, *words, *entries])
    return Drawing(width, end + 4, title, description, inside)


# Charts in rows

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
    below = text(WIDTH / 2, room.bottom + 15 + LINE, "standard errors above the exact house edge", "tick", "middle")
    return Drawing(WIDTH, room.bottom + 15 + LINE + 8, title, description, "".join([*parts, below]))


def _whisker(distance: float, axis: Axis, middle: float, hint: str) -> Markup:
    low, high = (axis.at(distance + side * SURE) for side in (-1, 1))
    class_ = "dot off" if abs(distance) > SURE + 1 else "dot"
    ends = [line(end, middle - 4, end, middle + 4, "whisker") for end in (low, high)]
    return group(hint, line(low, middle, high, middle, "whisker"), *ends, dot(axis.at(distance), middle, 4.2, class_))


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
