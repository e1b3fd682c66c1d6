"""Sic Bo, NSW, order of 17 August 2016: what one result of three dice does to each wager of rules 3 and 6."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

from tests.brute.lives import LOST, End, Life, Pick, won

BOOK = "sic-bo-nsw-2016"
Dice = tuple[int, int, int]
FACES = (1, 2, 3, 4, 5, 6)
RESULTS: list[Dice] = [(a, b, c) for a in FACES for b in FACES for c in FACES]

# Rule 7.1 and 7.2.
TOTALS = {4: 62, 5: 31, 6: 18, 7: 12, 8: 8, 9: 7, 10: 6, 11: 6, 12: 7, 13: 8, 14: 12, 15: 18, 16: 31, 17: 62}
SINGLE_DIE = {1: 1, 2: 2, 3: 12}
IN_A_ROW = {4: 6, 5: 10, 6: 15, 7: 20, 8: 35, 9: 50, 10: 75, 11: 100, 12: 500}

# 3.1.1, 3.1.2, 3.2.1 and 3.2.2, the last as SB-8 mends it; a triple is on no side.
SIDES = {
    "small": (4, 5, 6, 7, 8, 9, 10),
    "big": (11, 12, 13, 14, 15, 16, 17),
    "odd": (5, 7, 9, 11, 13, 15, 17),
    "even": (4, 6, 8, 10, 12, 14, 16),
}
LINES: dict[Pick, tuple[str, str]] = {"size": ("small", "big"), "parity": ("odd", "even")}

PICKS: dict[str, tuple[Pick, ...]] = {
    **dict.fromkeys(("small", "big", "odd", "even", "any_triple"), (None,)),
    **dict.fromkeys(("specific_triple", "specific_double", "single_die"), FACES),
    "total": tuple(TOTALS),
    "combination": tuple(combinations(FACES, 2)),
    "four_number": ((1, 2, 3, 4), (2, 3, 4, 5), (2, 3, 5, 6), (3, 4, 5, 6)),
    "super_streak": ("size", "parity"),
}


def life(wager: str, pick: Pick = None, side: str | None = None) -> Life:
    """A wager of rule 3.1, 3.2 or 6; the side of a Super Streak is its line's side when it is made."""
    if wager == "super_streak":
        return Life(RESULTS, streak(side or LINES[pick][0]), start=0)
    return Life(RESULTS, lambda dice, _: one_result(wager, pick, dice))


def triple(dice: Dice) -> bool:
    """1.1: three dice with the same value."""
    return len(set(dice)) == 1


def on_side(side: str, dice: Dice) -> bool:
    """A total on the side, and not a triple."""
    return sum(dice) in SIDES[side] and not triple(dice)


def one_result(wager: str, pick: Pick, dice: Dice) -> End:
    """3.1 and 3.2: the next result decides the wager."""
    if wager in SIDES:
        return won(1) if on_side(wager, dice) else LOST
    if wager == "any_triple":
        return won(31) if triple(dice) else LOST
    if wager == "combination":  # SB-11: once, however often
        assert isinstance(pick, tuple)
        return won(6) if set(pick) <= set(dice) else LOST
    if wager == "four_number":  # SB-9: three different numbers, all among the four
        assert isinstance(pick, tuple)
        return won(7) if len(set(dice)) == 3 and set(dice) <= set(pick) else LOST
    if wager == "total":
        assert isinstance(pick, int)
        return won(TOTALS[pick]) if sum(dice) == pick else LOST
    return on_a_face(wager, dice.count(pick))


def on_a_face(wager: str, shown: int) -> End:
    """3.1.3, 3.1.4 (SB-10: two or three of the number) and 3.1.8, by how many dice show the number."""
    if wager == "specific_triple":
        return won(180) if shown == 3 else LOST
    if wager == "specific_double":
        return won(11) if shown >= 2 else LOST
    assert wager == "single_die", wager
    return won(SINGLE_DIE[shown]) if shown else LOST


def streak(side: str) -> Callable[[Dice, int], End | int]:
    """6.3, 6.4 under SB-1 C, SB-2, SB-3 and SB-4. The memory is the length of the run."""

    def decide(dice: Dice, in_a_row: int) -> End | int:
        if triple(dice):
            return in_a_row
        if not on_side(side, dice):
            return settled(in_a_row)
        return settled(12) if in_a_row == 11 else in_a_row + 1

    return decide


def settled(in_a_row: int) -> End:
    """7.2: three or fewer lose."""
    return won(Fraction(IN_A_ROW[in_a_row])) if in_a_row >= 4 else LOST
