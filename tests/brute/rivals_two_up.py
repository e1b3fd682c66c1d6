"""Two-Up: the rejected readings of TU-1 to TU-10."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from tests.brute import two_up
from tests.brute.lives import LOST, VOID, End, Life, figures, won
from tests.brute.rival import Rival
from tests.brute.rounding import at_a_stake

SIDES = {"heads": ("H", "H"), "tails": ("T", "T")}
NO_SPIN = ("", "")


def five_in_all(side: str) -> Life:
    """TU-1 (b): declaring the side does not restart the count of Odds."""

    def decide(coins: two_up.Coins, memory: tuple[int, int]) -> End | tuple[int, int]:
        so_far, odds = memory
        if coins == SIDES[side]:
            return won(Fraction(15, 2)) if so_far == 2 else (so_far + 1, odds)
        return LOST if coins[0] == coins[1] or odds == 4 else (so_far, odds + 1)

    return Life(two_up.SPINS, decide, start=(0, 0))


def withdrawing(side: str, void: int, of: int) -> Life:
    """TU-2 (b): a given number of spins out of a given total are void, and the wager is withdrawn at the first of them
    after an Odds.
    """

    def decide(coins: two_up.Coins, odds: int) -> End | int:
        if coins == NO_SPIN:
            return VOID if odds else odds
        return two_up.one_side(coins, SIDES[side], odds)

    spins = two_up.SPINS * (of - void) + [NO_SPIN] * (len(two_up.SPINS) * void)
    return Life(spins, decide, start=0)


def coins() -> Iterator[Rival]:
    """TU-1 and TU-2, TU-3 and TU-10, for both sides."""
    for side in SIDES:
        yield from one_side(side)
        spinner = two_up.life("spinner", side)
        made = partial(Rival, book=two_up.BOOK, wager="spinner", pick=side)
        value = figures(five_in_all(side)).ev
        yield made("TU-1 five in all", value=value, how="the Odds of the whole turn are counted")
        for spun in (1, 2):
            value = figures(spinner._replace(start=(spun, 0))).ev
            yield made("TU-3 top up", value=value, how="begins in the middle", case=f"after {spun}")
        yield made("TU-10 one chip", value=at_a_stake(spinner, 1, 1).ev, how="one chip is paid 8")


def one_side(side: str) -> Iterator[Rival]:
    """TU-2, for a Heads or Tails wager."""
    made = partial(Rival, "TU-2 odds not pending", two_up.BOOK, side, None)
    how = "withdrawn at the first void spin after an Odds"
    yield made(value=figures(withdrawing(side, 1, 20)).ev, how=how, case="one spin in 20 is void")
    for standing in (1, 2, 3, 4):
        value = figures(two_up.life(side)._replace(start=standing)).ev
        yield made(value=value, how="begins with Odds", case=f"{standing} Odds standing")
