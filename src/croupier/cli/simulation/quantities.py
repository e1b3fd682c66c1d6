"""Simulated figures as people read them: amounts, shares, standard errors, and numbers too large to count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor, isfinite, log10

FEWEST_PLACES, MOST_PLACES = 2, 8
EXACT_PLACES = 3  # of an edge that is known exactly
_WORDS = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))
_LETTERS = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))
_SHORT = 10**4  # amounts below it are written out


def dollars(value: float, places: int = 2) -> str:
    """An amount: `-1,234.50`."""
    text = f"{value:,.{places}f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text


def whole_dollars(value: float) -> str:
    """An amount without cents."""
    return dollars(value, 0)


def compact(value: float) -> str:
    """An amount in six characters or so: `-1,234`, `-12.3k`, `4.56M`."""
    size = next((size for size, _ in _LETTERS if abs(value) >= size), 1)
    if abs(value) < _SHORT:
        return dollars(value, 0)
    digits = value / size
    return f"{digits:.{max(0, 2 - floor(log10(abs(digits))))}f}{dict(_LETTERS)[size]}"


def in_one_line(rows: Sequence[Sequence[float]], width: int) -> Callable[[float], str]:
    """How amounts are written so that these rows, with a blank before each cell, are no wider than that."""
    whole = all(value == round(value) for row in rows for value in row)
    for written in (whole_dollars if whole else dollars, whole_dollars):
        widths = (max(len(written(value)) for value in column) + 1 for column in zip(*rows, strict=True))
        if sum(widths) <= width:
            return written
    return compact


def share(value: float, places: int = 1) -> str:
    """A share in per cent; what is not nothing does not read as nothing, nor what is not all as all."""
    text = f"{value:.{places}%}"
    least = f"{10.0**-places:.{places}f}%"
    if value > 0 and not text.strip("0.%"):
        return f"<{least}"
    return f">{100 - 10.0**-places:.{places}f}%" if value < 1 and text.startswith("100") else text


def deviation(value: float) -> str:
    """A standard deviation; one session has none."""
    return dollars(value) if isfinite(value) else "unknown"


def with_error(value: float, error: float | None, show: Callable[[float, int], str] = dollars) -> str:
    """A figure with its standard error, and as many places as two digits of that take."""
    if not error or not isfinite(error):
        return show(value, FEWEST_PLACES)
    places = min(MOST_PLACES, max(FEWEST_PLACES, 1 - floor(log10(error))))
    return f"{show(value, places)} ± {show(error, places)}"


def edge(value: float, error: float | None = None) -> str:
    """The house's edge from what a dollar staked brings the player, in per cent."""
    if error is None:
        return f"{dollars(-100 * value, EXACT_PLACES)}%"
    return f"{with_error(-100 * value, 100 * error)}%"


def large(number: float) -> str:
    """A number that nobody counts: `14.4 million`."""
    for size, word in _WORDS:
        if number >= size:
            return f"{number / size:.3g} {word}"
    return f"{number:,.0f}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """So many of something: `1 roll`, `1,000 rolls`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def measured(text: str, one: str) -> str:
    """So much of something, written out already: `1 hour`, `1.44 hours`."""
    return f"{text} {one if text in ('1', '-1') else f'{one}s'}"
