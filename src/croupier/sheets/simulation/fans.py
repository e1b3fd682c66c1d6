"""How results spread throw after throw: one strategy in bands of quantiles, or several laid over each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from croupier.sheets.charts import SIZE, Axis, Drawing, Spread
from croupier.sheets.simulation.charts import (
    BANDS,
    LINE,
    MEDIAN,
    WIDE,
    WIDTH,
    Amounts,
    Range,
    Room,
    Sample,
    along,
    amounts,
    badge,
    bands_in,
    colour_of,
    diamond,
    legend,
    line,
    spaced,
    tall,
    through,
    upright,
    whole_ticks,
)
from croupier.sheets.svg import Markup, text, text_width
from croupier.sim.results import QUANTILES, Result

NINE_IN_TEN = (1, 5)  # between these quantiles
HEIGHT = 250.0  # of a picture's values, from its upper edge
LOW = 212.0  # where many stand together: two rows of them fit on a printed page


class Course(NamedTuple):
    """How one strategy went: spread and mean after so many throws, from none on, and the mean at the end."""

    place: int
    key: str
    name: str
    spreads: tuple[Spread, ...]
    mean: float
    is_exact: bool
    lost_at: float | None  # where the bankroll is gone


class Frame(NamedTuple):
    """Where throws and amounts stand in a picture."""

    room: Room
    x: Axis
    y: Axis
    scale: Amounts
    grid: Sequence[tuple[float, str]]


def course_of(result: Result, place: int, key: str, name: str) -> Course:
    """The course of a result: what it was at the marks, and at the end the exact mean where it is known."""
    nothing = Spread(0, (0.0,) * len(QUANTILES), 0.0)
    mean = result.net if result.exact_net is None else result.exact_net
    points = [(point.roll, point.quantiles, point.mean) for point in result.fan if point.roll < result.rolls]
    points.append((result.rolls, result.quantiles, result.net))  # those of the end are known to more places
    spreads = tuple(
        Spread(roll, tuple(known[str(q)] for q in QUANTILES), mean_then) for roll, known, mean_then in points
    )
    lost_at = None if result.bankroll is None else -result.bankroll
    return Course(place, key, name, (nothing, *spreads), mean, result.exact_net is not None, lost_at)


def range_of(courses: Sequence[Course], outermost: int = 0) -> Range:
    """What a picture of these has to take in; of each only the quantiles from `outermost` on, on either side."""
    kept = slice(outermost, len(QUANTILES) - outermost)
    values = [value for course in courses for spread in course.spreads for value in spread.quantiles[kept]]
    values += [course.mean for course in courses]
    return Range(min(values), max(values))


def track(title: str, description: str, course: Course, throws: str, wide: bool) -> Drawing:
    """One session: where it stood, what it ended at, and the exact mean of all that could have been."""
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
    """Bands of quantiles, the median, the mean, and at the end quantiles in figures."""
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
    """Several strategies over each other: where nine in ten results lie, and the median, each with its letter."""
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
    for (end, number), place in zip(ends, places, strict=True):
        course = courses[number]
        colour = colour_of(course.place)
        parts.append(line(frame.room.right, end, frame.room.right + 10, place, f"edge {colour}"))
        parts.append(badge(frame.room.right + 18, place, course.key, colour))
    samples = [Sample(course.key, (colour_of(course.place),), course.name) for course in courses]
    return _drawn(title, description, frame, parts, samples, throws, wide)


def _frame(spreads: Sequence[Spread], span: Range, wide: bool, beside: float, height: float) -> Frame:
    """The frame of a picture with so much room for the words beside it."""
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
    """Where the bankroll is gone, if all have the same and the picture reaches so far."""
    floors = {course.lost_at for course in courses}
    (level,) = floors if len(floors) == 1 else (None,)
    if level is None or not frame.y.first <= level <= frame.y.last:
        return []
    at = frame.y.at(level)
    below = at + SIZE + 2 <= frame.room.bottom  # where nothing else is drawn
    words = text(frame.room.left + 4, at + (SIZE if below else -4), "bankroll gone", "value")
    return [line(frame.room.left, at, frame.room.right, at, "floor"), words]


def _labels(course: Course, scale: Amounts) -> dict[float, tuple[str, str]]:
    """The quantiles at the end in figures, each with the class of its letters; those that are equal share a line."""
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
