"""Sic Bo: the rejected readings of SB-1 to SB-10."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

from tests.brute import sic_bo
from tests.brute.lives import LOST, End, Life, Pick, figures, won
from tests.brute.rival import Rival

Settle = Callable[[int], End]
Made = Callable[..., Rival]
PLAIN = sic_bo.settled


def streak(side: str, settle: Settle, first: int, *, triple_ends: bool = False, top: int = 12) -> Life:
    """A Super Streak that is made at a given count, and settled at the top or when its run is over."""

    def decide(dice: sic_bo.Dice, in_a_row: int) -> End | int:
        if sic_bo.triple(dice):
            return settle(in_a_row) if triple_ends else in_a_row
        if not sic_bo.on_side(side, dice):
            return settle(in_a_row)
        return settle(top) if in_a_row + 1 == top else in_a_row + 1

    return Life(sic_bo.RESULTS, decide, start=first)


def whichever_side(line: tuple[str, str]) -> Life:
    """SB-1 B: the next result counts 1, on whichever side it is. The memory is the side and the count."""

    def decide(dice: sic_bo.Dice, memory: tuple[str, int] | None) -> End | tuple[str, int] | None:
        fallen = next((side for side in line if sic_bo.on_side(side, dice)), None)
        if fallen is None:
            return memory
        side, in_a_row = memory or (fallen, 0)
        if fallen != side:
            return PLAIN(in_a_row)
        return PLAIN(12) if in_a_row == 11 else (side, in_a_row + 1)

    return Life(sic_bo.RESULTS, decide)


def each_rung(in_a_row: int) -> End:
    """SB-4: every rung that was passed is paid."""
    passed = [odds for rung, odds in sic_bo.IN_A_ROW.items() if rung <= in_a_row]
    return won(sum(passed)) if passed else LOST


def exactly(named: int, in_a_row: int) -> End:
    """SB-1 E: the player names the exact length."""
    return won(sic_bo.IN_A_ROW[named]) if in_a_row == named else LOST


def at_least(named: int, in_a_row: int) -> End:
    """SB-1 E: the player names a length, and a longer run wins as well."""
    return won(sic_bo.IN_A_ROW[named]) if in_a_row >= named else LOST


def unpaid_past_12(in_a_row: int) -> End:
    """SB-3 (c): a run of 13 is not a Super Streak."""
    return PLAIN(in_a_row) if in_a_row <= 12 else LOST


def paid_at_the_end(side: str) -> Life:
    """SB-3 (b): 12 or more is paid as 12, when the run is over."""

    def decide(dice: sic_bo.Dice, in_a_row: int) -> End | int:
        if sic_bo.triple(dice):
            return in_a_row
        return min(in_a_row + 1, 12) if sic_bo.on_side(side, dice) else PLAIN(in_a_row)

    return Life(sic_bo.RESULTS, decide, start=0)


def super_streaks() -> Iterator[Rival]:
    """SB-1 to SB-4 and SB-6, on both lines."""
    for pick, line in sic_bo.LINES.items():
        made = partial(Rival, book=sic_bo.BOOK, wager="super_streak", pick=pick)
        yield from counted_otherwise(line, made)
        yield from paid_otherwise(line[0], made)
        for counted in range(5):
            worth = 1 + figures(streak(line[0], PLAIN, counted)).ev
            yield made("SB-6", value=worth, how="one unit in running", case=f"{counted} counted", measure="worth")
    for side in sic_bo.SIDES:
        value = figures(streak(side, PLAIN, 0)).ev
        yield Rival("SB-1 C prime", sic_bo.BOOK, "super_streak", side, value, "the player names the side")


def counted_otherwise(line: tuple[str, str], made: Made) -> Iterator[Rival]:
    """SB-1: the count starts elsewhere."""
    side = line[0]
    yield made("SB-1 A", value=figures(streak(side, PLAIN, 1)).ev, how="begins at 1 in a row")
    yield made("SB-1 B", value=figures(whichever_side(line)).ev, how="the next result is 1 in a row")
    yield made("SB-1 D", value=figures(streak(side, PLAIN, -1)).ev, how="begins one below 0")
    for named in range(4, 13):
        for case, pays in (("exactly", exactly), ("at least", at_least)):
            value = figures(streak(side, partial(pays, named), 1)).ev
            yield made("SB-1 E", value=value, how="as A, a length named", case=f"{case} {named}")
    for counted in range(1, 12):
        value = figures(streak(side, PLAIN, counted)).ev
        yield made("SB-1 mid-streak", value=value, how="begins in mid-streak", case=f"{counted} counted")


def paid_otherwise(side: str, made: Made) -> Iterator[Rival]:
    """SB-2 to SB-4: what ends the streak, and what it then pays."""
    for case, first in (("", 0), ("with SB-1 A", 1)):
        ended = figures(streak(side, PLAIN, first, triple_ends=True)).ev
        yield made("SB-2 triple ends", value=ended, how="a triple settles it", case=case)
        rungs = figures(streak(side, each_rung, first)).ev
        yield made("SB-4 each rung", value=rungs, how="the rungs passed are added up", case=case)
    late = figures(paid_at_the_end(side))
    yield made("SB-3 paid at the end", value=late.ev, how="stands at 12 until the run is over")
    yield made("SB-3 paid at the end", value=late.rolls, how="stands at 12 until the run is over", measure="rolls")
    unpaid = figures(streak(side, unpaid_past_12, 0, top=13)).ev
    yield made("SB-3 unpaid past 12", value=unpaid, how="settled at 13, as lost")


EVEN_AS_PRINTED = (4, 6, 8, 12, 14, 16, 18)


def over_216(wins: Callable[[sic_bo.Dice], bool], odds: int) -> Fraction:
    """The expectation of a wager on one result, from what wins."""
    return figures(Life(sic_bo.RESULTS, lambda dice, _: won(odds) if wins(dice) else LOST)).ev


def is_even(dice: sic_bo.Dice, totals: tuple[int, ...], *, triple_6: bool) -> bool:
    """SB-8: one of the totals, and no triple except triple 6."""
    return sum(dice) in totals and (not sic_bo.triple(dice) or (triple_6 and sum(dice) == 18))


def single_results() -> Iterator[Rival]:
    """SB-8 to SB-10: wagers on one result."""
    for name, totals, triple_6, how in (
        ("letter", EVEN_AS_PRINTED, False, "the list as printed, no triple"),
        ("letter, 18 wins", EVEN_AS_PRINTED, True, "the list as printed, triple 6 too"),
        ("10 added, 18 wins", (10, *EVEN_AS_PRINTED), True, "10 added, triple 6 too"),
    ):
        value = over_216(partial(is_even, totals=totals, triple_6=triple_6), 1)
        yield Rival(f"SB-8 {name}", sic_bo.BOOK, "even", None, value, how)
    value = figures(even_streak_by_the_letter()).ev
    yield Rival("SB-8 letter", sic_bo.BOOK, "super_streak", "parity", value, "a 10 ends it", case="on Even")
    for four in sic_bo.PICKS["four_number"]:
        value = over_216(partial(within, four=four), 7)
        yield Rival("SB-9 repeats", sic_bo.BOOK, "four_number", four, value, "every die within the four")
    for face in sic_bo.FACES:
        value = over_216(partial(just_two, face=face), 11)
        yield Rival("SB-10 triple loses", sic_bo.BOOK, "specific_double", face, value, "two dice exactly")


def within(dice: sic_bo.Dice, four: Pick) -> bool:
    """SB-9: every die shows one of the four numbers."""
    assert isinstance(four, tuple)
    return all(face in four for face in dice)


def just_two(dice: sic_bo.Dice, face: int) -> bool:
    """SB-10: the number on two dice but not on the third."""
    return dice.count(face) == 2


def even_streak_by_the_letter() -> Life:
    """SB-8: taken literally, a 10 is not Even, and would end a Super Streak on Even."""

    def decide(dice: sic_bo.Dice, in_a_row: int) -> End | int:
        if sic_bo.triple(dice):
            return in_a_row
        if sum(dice) not in EVEN_AS_PRINTED:
            return PLAIN(in_a_row)
        return PLAIN(12) if in_a_row == 11 else in_a_row + 1

    return Life(sic_bo.RESULTS, decide, start=0)
