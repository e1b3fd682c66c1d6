"""Text plots and number formats for the terminal: fan charts, histograms, box plots, amounts and standard errors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import floor, gcd, isfinite, log10

import numpy as np
from rich.text import Text

from croupier.simulation.results import FanPoint

HEIGHT = 13  # lines of a fan chart, at most
BINS = 15  # lines of a histogram, about
WIDEST = 72  # characters of a plot
NEARLY = 1e-9  # tolerance for rounding errors of floats
RAREST = 0.005  # share below which a tail is pooled
STEPS = (1, 2, 5)  # of a histogram
HALF_STEPS = (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 7.5)  # of an axis on which every other tick is labelled
EIGHTHS = " ▏▎▍▌▋▊▉"

# From the outermost band to the innermost: the share of sessions, its quantiles, character and style
BANDS = ((98, "1", "99", "░", "dim"), (90, "5", "95", "▒", "dim"), (50, "25", "75", "▓", ""))
MEDIAN = ("━", "bold")
MIDDLE = "█"  # the median of a box
ZERO = ("┈", "dim")
UPRIGHT = "┊"  # zero line beside boxes

# Replacements, one for one, for outputs that lack these characters
_MARKS, _LETTERS = "░▒▓█━┈┊│┤┼└─…▏▎▍▌▋▊▉", ".:%#=-|||++-~...####"


def nice(least: float, among: Sequence[float]) -> float:
    """Return the smallest round number, one of these steps times a power of ten, that is not below this."""
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in (*among, 10) if step * power >= least * (1 - NEARLY))


def fan(points: Sequence[FanPoint], throws: str, width: int) -> list[Text]:
    """Draw quantiles roll by roll: bands around the median."""
    lows = min(0.0, *(point.quantiles["1"] for point in points))
    highs = max(0.0, *(point.quantiles["99"] for point in points))
    step = nice(max(highs - lows, 0.01) / (HEIGHT - 1), HALF_STEPS)
    rows = range(int(highs / step + NEARLY), int(lows / step - NEARLY) - 1, -1)
    write = in_one_line([[row * step for row in rows]], 10**6)
    write = compact if max(len(write(row * step)) for row in rows) > 9 else write
    labels = {row: write(row * step) if row % 2 == 0 else "" for row in rows}
    margin = max(map(len, labels.values()))
    across = min(WIDEST, width) - margin - 2
    drawn = _spread_out(points, across)
    lines = [_fan_line(labels[row].rjust(margin), row, step, drawn) for row in rows]
    last = f"{points[-1].roll:,} {throws}"
    lines.append(Text(f"{'':{margin}} └{'─' * across}", "dim"))
    lines.append(Text(f"{'':{margin}}  0{last.rjust(across - 1)}", "dim"))
    return _printable(lines)


def key(median: str = MEDIAN[0]) -> Text:
    """Return the legend of a fan chart or of boxes."""
    told = Text()
    for part, _, _, mark, style in reversed(BANDS):
        told.append(f"{mark * 2} ", style).append(f"{part}%  ", "dim")
    told.append("of sessions  ", "dim").append(median, MEDIAN[1]).append(" median", "dim")
    return _printable([told])[0]


def _printable(lines: list[Text]) -> list[Text]:
    """Return the lines as is if the output can encode them, otherwise in plain ASCII."""
    try:
        _MARKS.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        table = str.maketrans(_MARKS, _LETTERS)
        for line in lines:
            line.plain = line.plain.translate(table)
    return lines


def _spread_out(points: Sequence[FanPoint], across: int) -> dict[str, list[float]]:
    """Resample each quantile to this many points from the first throw to the last."""
    rolls = [0, *(point.roll for point in points)]
    places = np.linspace(0, rolls[-1], across)
    return {
        name: np.interp(places, rolls, [0.0, *(point.quantiles[name] for point in points)]).tolist()
        for name in points[0].quantiles
    }


def _fan_line(label: str, row: int, step: float, drawn: dict[str, list[float]]) -> Text:
    line = Text(f"{label} {'┼' if row == 0 else '┤' if label.strip() else '│'}", "dim")
    for place, median in enumerate(drawn["50"]):
        mark, style = ZERO if row == 0 else (" ", "")
        for _, low, high, band, look in BANDS:
            if drawn[low][place] <= row * step <= drawn[high][place]:
                mark, style = band, look
        if round(median / step) == row:
            mark, style = MEDIAN
        line.append(mark, style)
    return line


def histogram(spread: Sequence[tuple[float, int]], width: int) -> list[Text]:
    """Draw a histogram with steps of equal width, losses and wins separately, and each step's share of all sessions."""
    values = np.array([round(100 * value) for value, _ in spread])
    counts = np.array([count for _, count in spread])
    total = int(counts.sum())
    below = np.cumsum(counts)
    low = int(values[np.searchsorted(below, RAREST * total)])
    high = int(values[min(len(values) - 1, int(np.searchsorted(below, (1 - RAREST) * total)))])
    grid = gcd(*(b - a for a, b in pairwise(values.tolist())), int(values[0])) or 100
    step = _step(high - low, grid)
    places = np.clip(values, low, high) // step
    bins = {place: int(counts[places == place].sum()) for place in range(int(places[0]), int(places[-1]) + 1)}
    labels = _labels(list(bins), step, grid, int(values[0]), int(values[-1]))
    margin, most = max(map(len, labels)), max(bins.values())
    room = min(WIDEST, width) - margin - 9
    return _printable(
        [
            Text.assemble(
                f"{label.rjust(margin)} ", f"{share(count / total).rjust(6)} ", (_bar(count / most, room), _look(place))
            )
            for label, (place, count) in zip(labels, bins.items(), strict=True)
        ]
    )


def _look(place: int) -> str:
    return "green" if place >= 0 else "red"


def _step(across: int, grid: int) -> int:
    return round(nice(max(1.0, (across + grid) / (BINS * grid)), STEPS)) * grid


def _labels(places: list[int], step: int, grid: int, lowest: int, highest: int) -> list[str]:
    cents = any(amount % 100 for amount in (step, grid))

    def written(amount: int) -> str:
        return dollars(amount / 100) if cents else whole_dollars(amount / 100)

    labels = []
    for place in places:
        first, last = place * step, (place + 1) * step - grid
        labels.append(written(first) if first == last else f"{written(first)} to {written(last)}")
    if lowest < places[0] * step:
        labels[0] = f"up to {written((places[0] + 1) * step - grid)}"
    if highest >= (places[-1] + 1) * step:
        labels[-1] = f"from {written(places[-1] * step)}"
    return labels


def _bar(part: float, room: int) -> str:
    whole, rest = divmod(round(8 * part * room), 8)
    return ("█" * whole + EIGHTHS[rest]).rstrip() or ("▏" if part else "")


def boxes(results: Sequence[tuple[str, dict[str, float]]], width: int) -> list[Text]:
    """Draw box plots on one scale: 1% to 99%, the middle 90%, the middle half, and the median."""
    margin = min(max(len(name) for name, _ in results), width // 3)
    across = min(WIDEST, width) - margin - 1
    low = min(0.0, *(quantiles["1"] for _, quantiles in results))
    high = max(0.0, *(quantiles["99"] for _, quantiles in results))
    scale = (across - 1) / max(high - low, 0.01)

    def at(value: float) -> int:
        return round((value - low) * scale)

    lines = [_box(_cut(name, margin), quantiles, at, across) for name, quantiles in results]
    axis = [" "] * across
    for value in (low, 0.0, high):
        text = compact(value)
        first = min(max(0, at(value) - len(text) // 2), across - len(text))
        if set(axis[max(0, first - 1) : first + len(text) + 1]) <= {" "}:
            axis[first : first + len(text)] = text
    return _printable([*lines, Text(f"{'':{margin}} {''.join(axis)}".rstrip(), "dim")])


def _cut(name: str, width: int) -> str:
    return name.ljust(width) if len(name) <= width else f"{name[: width - 1]}…"


def _box(name: str, quantiles: dict[str, float], at: Callable[[float], int], across: int) -> Text:
    marks = [" "] * across
    for _, low, high, mark, _ in BANDS:
        first, last = at(quantiles[low]), at(quantiles[high])
        marks[first : last + 1] = mark * (last + 1 - first)
    marks[at(0.0)] = UPRIGHT
    marks[at(quantiles["50"])] = MIDDLE
    return Text(f"{name} {''.join(marks)}".rstrip())


# -- number formats: amounts, shares, standard errors, large counts ---------------------------------------------------

FEWEST_PLACES, MOST_PLACES = 2, 8
EXACT_PLACES = 3  # for an edge that is known exactly
_WORDS = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))
_SUFFIXES = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))
_SHORT = 10**4  # amounts below it are written in full


def dollars(value: float, places: int = 2) -> str:
    """Format an amount: `-1,234.50`."""
    text = f"{value:,.{places}f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text


def whole_dollars(value: float) -> str:
    """Format an amount without cents."""
    return dollars(value, 0)


def compact(value: float) -> str:
    """Format an amount in about six characters: `-1,234`, `-12.3k`, `4.56M`."""
    size = next((size for size, _ in _SUFFIXES if abs(value) >= size), 1)
    if abs(value) < _SHORT:
        return dollars(value, 0)
    digits = value / size
    return f"{digits:.{max(0, 2 - floor(log10(abs(digits))))}f}{dict(_SUFFIXES)[size]}"


def in_one_line(rows: Sequence[Sequence[float]], width: int) -> Callable[[float], str]:
    """Return the amount format for which these rows, with a blank before each cell, fit this width."""
    whole = all(value == round(value) for row in rows for value in row)
    for written in (whole_dollars if whole else dollars, whole_dollars):
        widths = (max(len(written(value)) for value in column) + 1 for column in zip(*rows, strict=True))
        if sum(widths) <= width:
            return written
    return compact


def share(value: float, places: int = 1) -> str:
    """Format a share in percent; a non-zero share never reads as 0%, nor an incomplete one as 100%."""
    text = f"{value:.{places}%}"
    least = f"{10.0**-places:.{places}f}%"
    if value > 0 and not text.strip("0.%"):
        return f"<{least}"
    return f">{100 - 10.0**-places:.{places}f}%" if value < 1 and text.startswith("100") else text


def deviation(value: float) -> str:
    """Format a standard deviation; a single session has none."""
    return dollars(value) if isfinite(value) else "unknown"


def with_error(value: float, error: float | None, show: Callable[[float, int], str] = dollars) -> str:
    """Format a figure with its standard error, with as many places as two digits of the error need."""
    if not error or not isfinite(error):
        return show(value, FEWEST_PLACES)
    places = min(MOST_PLACES, max(FEWEST_PLACES, 1 - floor(log10(error))))
    return f"{show(value, places)} ± {show(error, places)}"


def edge(value: float, error: float | None = None) -> str:
    """Format the house edge in percent, from the player's net return per dollar staked."""
    if error is None:
        return f"{dollars(-100 * value, EXACT_PLACES)}%"
    return f"{with_error(-100 * value, 100 * error)}%"


def large(number: float) -> str:
    """Format a large number: `14.4 million`."""
    for size, word in _WORDS:
        if number >= size:
            return f"{number / size:.3g} {word}"
    return f"{number:,.0f}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """Format a count: `1 roll`, `1,000 rolls`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def measured(text: str, one: str) -> str:
    """Format a quantity that is already text: `1 hour`, `1.44 hours`."""
    return f"{text} {one if text in ('1', '-1') else f'{one}s'}"
