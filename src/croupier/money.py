"""Money in whole cents. Parsing, formatting and rounding of amounts happen only here."""

from __future__ import annotations

import re
from fractions import Fraction

_DOLLARS_AND_CENTS = re.compile(r"[0-9]+\.[0-9]{2}", re.ASCII)


class MoneyError(ValueError):
    """The text is not an amount of money; the message is a sentence for a person."""


def parse_cents(text: object) -> int:
    """Parse an amount such as ``"10.00"``: digits, a point and exactly two decimals, and nothing else."""
    if not isinstance(text, str):
        raise MoneyError(f'An amount is a text such as "10.00", not {_describe(text)}.')
    if not _DOLLARS_AND_CENTS.fullmatch(text):
        raise MoneyError(f'"{_shorten(text)}" is not an amount: write dollars and two decimals, such as "10.00".')
    return _number(text[:-3]) * 100 + int(text[-2:])


def format_cents(cents: int) -> str:
    """Format cents as dollars and cents: 1050 becomes ``"10.50"``."""
    sign, cents = ("-", -cents) if cents < 0 else ("", cents)
    dollars, rest = divmod(cents, 100)
    return f"{sign}{dollars if dollars < _EASY else _digits(dollars)}.{rest:02d}"


def dollars(cents: int) -> str:
    """Format an amount for a sentence: ``$10,000``, ``$12.50``."""
    whole, rest = divmod(cents, 100)
    if not 0 <= whole < _EASY:
        return f"${format_cents(cents)}"
    return f"${whole:,}" if rest == 0 else f"${whole:,}.{rest:02d}"


def winnings_cents(stake_cents: int, odds: Fraction, chip_cents: int) -> int:
    """Return what a win pays: stake times odds, rounded up once to the smallest chip (reading X-2)."""
    return winnings_of_many([stake_cents], odds, chip_cents)[0]


def winnings_of_many(stakes_cents: list[int], odds: Fraction, chip_cents: int) -> list[int]:
    """Return what the same win pays on many stakes, each rounded separately: a full area is paid in one call."""
    numerator, per_chip = odds.numerator, odds.denominator * chip_cents
    return [-(-stake * numerator // per_chip) * chip_cents for stake in stakes_cents]


def commission_cents(stake_cents: int, rate: Fraction) -> int:
    """Return the commission on a stake, rounded down to the cent (reading CR-8); never to chips."""
    return stake_cents * rate.numerator // rate.denominator


def round_down_to_chip(cents: int, chip_cents: int) -> int:
    """Return the largest amount in whole chips that is not above the given one."""
    return cents - cents % chip_cents


def round_up_to_chip(cents: int, chip_cents: int) -> int:
    """Return the smallest amount in whole chips that is not below the given one."""
    return -(-cents // chip_cents) * chip_cents


# Amounts are unbounded, but Python limits how many digits it converts at once.
_AT_ONCE = 4000
_EASY = 10**18


def _number(digits: str) -> int:
    if len(digits) <= _AT_ONCE:
        return int(digits)
    half = len(digits) // 2
    shift: int = 10**half
    return _number(digits[:-half]) * shift + _number(digits[-half:])


def _digits(number: int) -> str:
    length = number.bit_length() * 3 // 10  # slightly below the number of decimal digits
    if length < _AT_ONCE:
        return str(number)
    high, low = divmod(number, 10 ** (length // 2))
    return _digits(high) + _digits(low).zfill(length // 2)


def _describe(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, list | dict):  # it may be nested too deeply for Python to print
        return "a list" if isinstance(value, list) else "an object"
    return f"{type(value).__name__} {_shorten(str(value))}"


def _shorten(text: str, limit: int = 40) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
