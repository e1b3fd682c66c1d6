"""A figure of a rejected reading, and lives that end differently from the text."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from tests.brute.lives import LOST, End, Life, Pick


class Rival(NamedTuple):
    """One figure of one reading: what is measured, its value, and how it is computed.

    The id is the one in the register of readings; the case names the figure where a reading has more than one.
    """

    reading: str
    book: str
    wager: str
    pick: Pick
    value: Fraction
    how: str
    case: str = ""
    measure: str = "ev"  # per unit staked; or "worth", "share of outlay", "variance", "rolls"


def mapped(life: Life, change: Callable[[End], End]) -> Life:
    """The same life with different ends."""

    def decide(throw: object, memory: object) -> object:
        led_to = life.decide(throw, memory)
        return change(led_to) if isinstance(led_to, End) else led_to

    return life._replace(decide=decide)


def at_once(life: Life) -> Life:
    """A throw that does not decide the wager loses it."""

    def decide(throw: object, memory: object) -> End:
        led_to = life.decide(throw, memory)
        return led_to if isinstance(led_to, End) else LOST

    return life._replace(decide=decide)
