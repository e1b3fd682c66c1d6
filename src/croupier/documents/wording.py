"""Figures, picks and odds as printed. Fractions become decimals only here, rounded exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from fractions import Fraction

from croupier.rules.machine import Pick, pick_words

MINUS = "\u2212"
PLACES = 3
LONG = 20
_MANY_PICKS = 4
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def fraction(value: Fraction) -> str:
    """An exact value: `7/495`, `−1/18`, `4`."""
    return str(value).replace("-", MINUS)


def is_long(value: Fraction) -> bool:
    """Whether a fraction is so long that its decimal should come first."""
    return len(str(value)) > LONG


def signed(value: Fraction) -> str:
    """An exact value with its sign: plus is in the player's favour."""
    return plus(fraction(value))


def decimal(value: Fraction | float, places: int) -> str:
    """Round to a number of places, half to even; a non-zero value never prints as zero."""
    exact = Fraction(value)
    while exact and abs(exact) * 10**places < Fraction(1, 2):
        places += 1
    digits = f"{round(abs(exact) * 10**places):0{places + 1}d}"
    sign = MINUS if exact < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def percent(value: Fraction, places: int = PLACES) -> str:
    """A share as a percentage: `1.414 %`."""
    return f"{decimal(100 * value, places)}\u00a0%"


def signed_percent(value: Fraction) -> str:
    """A share as a percentage with its sign: plus is in the player's favour."""
    return plus(percent(value))


def dollars(cents: Fraction | int) -> str:
    """Cents as dollars with a printed minus sign: `−140.00`, `12,600.50`."""
    return with_commas(decimal(Fraction(cents, 100), 2))


def with_commas(text: str) -> str:
    """Add thousands separators to a number."""
    whole, point, rest = text.lstrip(MINUS).partition(".")
    return f"{text[: text.startswith(MINUS)]}{int(whole):,}{point}{rest}"


def plus(text: str) -> str:
    """Add a plus sign to a positive number."""
    return text if text.startswith(MINUS) or not text.strip("0.\u00a0%,") else f"+{text}"


def minus(text: str) -> str:
    """Use a printed minus sign; a value that rounds to zero has no sign."""
    return text.replace("-", MINUS) if text.strip("-+0.,") else text.lstrip("-+")


def listed(words: Iterable[str]) -> str:
    """Join words into a list, without repeats."""
    return ", ".join(dict.fromkeys(words))


def picks_in_words(picks: Sequence[Pick], offered: int) -> str:
    """The picks that share a line of the PAR sheet; `offered` is how many the wager has in all."""
    if len(picks) == offered > _MANY_PICKS and not isinstance(picks[0], int):
        return f"each of {offered} picks"
    numbers = [pick for pick in picks if isinstance(pick, int)]
    if len(numbers) == len(picks) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}\u2013{numbers[-1]}"
    return listed(pick_words("", pick)["pick"] for pick in picks)


def odds_in_words(odds: Sequence[str]) -> str:
    """Odds as the document prints them, with the common ending once: `6, 10, 15 to 1`."""
    once = list(dict.fromkeys(odds))
    if len(once) > 2 and all(text.endswith(" to 1") for text in once):
        return f"{', '.join(text.removesuffix(' to 1') for text in once)} to 1"
    return "; ".join(text.replace(" ", "\u00a0") for text in once) if len(once) > 1 else "".join(once)


def day(value: date) -> str:
    """A date in words, independent of the locale: `16 August 2024`."""
    return f"{value.day} {_MONTHS[value.month - 1]} {value.year}"
