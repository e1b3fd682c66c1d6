"""An independent, brute-force reading of the five rules documents.

Nothing of the package is imported here: every total and all odds in these modules were typed from the documents (and
from the readings of them, which take precedence over the literal text). Each book is a module with the same names:
BOOK, OUTCOMES, WAGERS, PAY_TABLES, starts() and judge().
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

Pick = int | str | tuple[int, ...] | None
Start = int | str | None
Result = Literal["win", "lose", "void"]


class Verdict(NamedTuple):
    """The fate of a wager: its net winnings per unit of the whole stake, and the clause that decides it."""

    result: Result
    odds: Fraction
    clause: str


def won(clause: str, winnings: int | Fraction, stake: int = 1) -> Verdict:
    """A win of this many units net on a stake of this many units."""
    return Verdict("win", Fraction(winnings) / stake, clause)


def lost(clause: str) -> Verdict:
    """Lost: the whole stake is collected."""
    return Verdict("lose", Fraction(0), clause)


def voided(clause: str) -> Verdict:
    """Void: neither won nor lost; the stake is returned."""
    return Verdict("void", Fraction(0), clause)


def last_word(verdict: Verdict | None, rest: Iterator[object]) -> Verdict | None:
    """Return the verdict, unless throws are left over after it: then the history went on too long."""
    if verdict is not None and next(rest, None) is not None:
        raise ValueError(f"already decided by {verdict.clause} before the last throw")
    return verdict


def paid(stake_cents: int, odds: Fraction, chip_cents: int) -> int:
    """Winnings in cents, rounded up once to the smallest chip (SE 6.5, TU 4.10, CR 6.8; reading X-2)."""
    cents_times_denominator = stake_cents * odds.numerator
    chip_times_denominator = chip_cents * odds.denominator
    chips, over = divmod(cents_times_denominator, chip_times_denominator)
    if over:
        chips += 1
    return chips * chip_cents


def two_dice() -> list[tuple[int, int]]:
    """Every throw of two dice, (1, 1) to (6, 6)."""
    return [(a, b) for a in (1, 2, 3, 4, 5, 6) for b in (1, 2, 3, 4, 5, 6)]


def check(known: bool, what: object) -> None:
    """Refuse a wager, pick, start or pay table that the book does not have."""
    if not known:
        raise ValueError(f"not in this book: {what!r}")
