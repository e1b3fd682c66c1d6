"""Two-Up, NSW, order of 17 August 2016: what one spin of two coins does to each wager of rule 4.1."""

from __future__ import annotations

from fractions import Fraction

from tests.brute.lives import LOST, End, Life, Pick, won

BOOK = "two-up-nsw-2016"
Coins = tuple[str, str]
SPINS: list[Coins] = [("H", "H"), ("H", "T"), ("T", "H"), ("T", "T")]
PICKS: dict[str, tuple[Pick, ...]] = {"heads": (None,), "tails": (None,), "spinner": ("heads", "tails")}


def life(wager: str, pick: Pick = None) -> Life:
    """A wager of rule 4.1, made while no Odds stand (TU-2)."""
    declared = pick if wager == "spinner" else wager
    mine = ("H", "H") if declared == "heads" else ("T", "T")
    if wager == "spinner":
        return Life(SPINS, lambda coins, memory: spinner(coins, mine, *memory), start=(0, 0))
    return Life(SPINS, lambda coins, odds: one_side(coins, mine, odds), start=0)


def one_side(coins: Coins, mine: Coins, odds: int) -> End | int:
    """4.1.2, 4.1.3: the memory is the number of Odds spun in a row."""
    if coins[0] == coins[1]:
        return won(1) if coins == mine else LOST
    return odds + 1 if odds < 4 else LOST


def spinner(coins: Coins, mine: Coins, so_far: int, odds: int) -> End | tuple[int, int]:
    """4.1.1, TU-1: the memory is how many of the three have been spun, and the number of Odds in a row; that run starts
    again.
    """
    if coins == mine:
        return won(Fraction(15, 2)) if so_far == 2 else (so_far + 1, 0)
    if coins[0] == coins[1] or odds == 4:
        return LOST
    return so_far, odds + 1
