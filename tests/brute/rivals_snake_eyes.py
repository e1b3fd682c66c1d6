"""Snake Eyes, both books: the rejected readings of SE-2 to SE-9 and NZ-1 to NZ-11."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tests.brute import craps, snake_eyes
from tests.brute.lives import LOST, VOID, End, Life, figures, won
from tests.brute.rival import Rival, at_once, mapped
from tests.brute.rounding import at_a_stake


def own_hardway_only(dice: snake_eyes.Dice, alive: frozenset[int]) -> End | frozenset[int]:
    """NZ-1 (b): an easy total loses only its own hardway. The memory is the set of hardways still open."""
    total = sum(dice)
    if total == 7:
        return LOST
    if total not in alive:
        return alive
    if dice[0] == dice[1]:
        return won(4)
    return alive - {total} or LOST


def four_quarters(dice: snake_eyes.Dice, memory: tuple[frozenset[int], int]) -> End | tuple[frozenset[int], int]:
    """SE-2 as four quarter wagers at 4 to 1, each decided separately: the memory is which are still open, and how many
    have won.
    """
    standing, won_so_far = memory
    total = sum(dice)
    if total == 7:
        standing = frozenset()
    elif total in standing:
        standing -= {total}
        won_so_far += dice[0] == dice[1]
    if standing:
        return standing, won_so_far
    net = Fraction(4 * won_so_far - (4 - won_so_far), 4)
    return End("win" if net > 0 else "lose", net)


def over_36(pays: dict[int, Fraction]) -> Fraction:
    """The expectation of a wager on one throw, from the totals that win."""
    return figures(Life(snake_eyes.THROWS, lambda dice, _: won(pays[sum(dice)]) if sum(dice) in pays else LOST)).ev


def combinations() -> Iterator[Rival]:
    """SE-2, SE-4, NZ-1 and NZ-4."""
    nsw, nz = snake_eyes.NSW, snake_eyes.NZ
    all_four = frozenset(snake_eyes.HARD)
    quarters = figures(Life(snake_eyes.THROWS, four_quarters, start=(all_four, 0))).ev
    how = "each quarter decided by itself, at 4 to 1"
    yield Rival("SE-2 four quarter wagers", nsw, "hardway_combo", None, quarters, how)
    halves = over_36(dict.fromkeys((2, 3, 11, 12), Fraction(4 - 1, 2)))
    yield Rival("SE-4 two half wagers", nsw, "ce_combo", None, halves, "one half wins 4 to 1, the other is lost")
    own = figures(Life(snake_eyes.THROWS, own_hardway_only, start=all_four))
    how = "an easy total kills its own hardway"
    yield Rival("NZ-1 own hardway only", nz, "hardway_combo", None, own.ev, how)
    yield Rival("NZ-1 own hardway only", nz, "hardway_combo", None, own.rolls, how, measure="rolls")
    field = over_36({2: Fraction(2), **dict.fromkeys((3, 4, 9, 10, 11, 12), Fraction(1))})
    yield Rival("NZ-4 line by line", nz, "field", None, field, "2 pays 2, 12 pays 1")


def hardways() -> Iterator[Rival]:
    """SE-3 (for Craps too, 6.2.9) and SE-9."""
    for number in snake_eyes.HARD:
        one, two = (snake_eyes.life(snake_eyes.NSW, "hardway", number, column) for column in ("one", "two"))
        at_craps = craps.life("hardway", number)
        lives = (
            (snake_eyes.NSW, "pay table one", one),
            (snake_eyes.NSW, "pay table two", two),
            (craps.BOOK, "", at_craps),
        )
        for book, case, life in lives:
            value = figures(mapped(life, lambda end: VOID if end.result == "lose" else end)).ev
            how = "what would lose returns the stake"
            yield Rival("SE-3 ends without loss", book, "hardway", number, value, how, case)
        for chips, name in ((1, "one chip"), (5, "five chips")):
            value = at_a_stake(one, chips, 1).ev
            yield Rival(f"SE-9 {name}", snake_eyes.NSW, "hardway", number, value, "winnings rounded up")


def otherwise_lose() -> Iterator[Rival]:
    """NZ-11: taken literally, every roll that does not win loses, at every odds that may be displayed."""
    for wager, picks in (("hardway", snake_eyes.HARD), ("hardway_combo", (None,))):
        for pick in picks:
            for shown in snake_eyes.displays(snake_eyes.NZ, wager, pick):
                value = figures(at_once(snake_eyes.life(snake_eyes.NZ, wager, pick, shown))).ev
                case = "" if shown is None else f"at {shown}"
                yield Rival("NZ-11 letter", snake_eyes.NZ, wager, pick, value, "what does not win loses", case)
