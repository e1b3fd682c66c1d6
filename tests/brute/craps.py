"""Craps, NSW, order of 16 August 2024: what one throw of two dice does to each wager of rule 6.2."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tests.brute.lives import LOST, VOID, End, Life, Pick, won

BOOK = "craps-nsw-2024"
Dice = tuple[int, int]
THROWS: list[Dice] = [(a, b) for a in range(1, 7) for b in range(1, 7)]
NUMBERS = (4, 5, 6, 8, 9, 10)


# The settlement odds of rule 8.1 that differ with the number; 4 and 10, 5 and 9, 6 and 8 are always alike.
def by_number(four: Fraction, five: Fraction, six: Fraction) -> dict[int, Fraction]:
    """Odds for 4 and 10, for 5 and 9, for 6 and 8."""
    return {4: four, 5: five, 6: six, 8: six, 9: five, 10: four}


BEHIND = by_number(Fraction(2, 1), Fraction(3, 2), Fraction(6, 5))  # Behind the Win Line, Behind the Come, Buy
BEHIND_DONT = by_number(Fraction(1, 2), Fraction(2, 3), Fraction(5, 6))  # Behind the Don'ts, Lay
TO_WIN = by_number(Fraction(9, 5), Fraction(7, 5), Fraction(7, 6))
TO_LOSE = by_number(Fraction(5, 11), Fraction(5, 8), Fraction(4, 5))
HARDWAY = {4: Fraction(15, 2), 6: Fraction(19, 2), 8: Fraction(19, 2), 10: Fraction(15, 2)}

# What a wager on one total alone pays, by rule 8.1.
ONE_TOTAL = {2: 33, 3: 16, 11: 16, 12: 33}

PICKS: dict[str, tuple[Pick, ...]] = {
    **dict.fromkeys(("win_line", "dont_win", "come", "dont_come"), (None,)),
    **dict.fromkeys(("behind_win_line", "behind_dont_win", "behind_come", "behind_dont_come"), NUMBERS),
    "hardway": (4, 6, 8, 10),
    **dict.fromkeys(("place_to_win", "place_to_lose", "buy", "lay"), NUMBERS),
    **dict.fromkeys(("any_craps", "craps_two", "craps_three", "craps_twelve", "eleven"), (None,)),
    **dict.fromkeys(("field", "any_seven", "big_6", "big_8", "horn", "crap_eleven"), (None,)),
    "horn_high": (2, 3, 11, 12),
}

# 6.7.1: inactive on a come out roll.
SLEEPERS = ("buy", "place_to_win", "behind_come", "hardway")


def life(wager: str, pick: Pick = None) -> Life:
    """A wager of rule 6.2 while it is active; the pick of a Behind wager is its point."""
    if isinstance(pick, int) and wager != "horn_high":
        return on_a_number(wager, pick)
    if wager in ("win_line", "come"):
        return Life(THROWS, line)
    if wager in ("dont_win", "dont_come"):
        return Life(THROWS, dont)
    if wager in ("big_6", "big_8"):
        return Life(THROWS, before_seven(6 if wager == "big_6" else 8, Fraction(1)))
    return Life(THROWS, lambda dice, _: one_roll(wager, pick, sum(dice)))


def on_a_number(wager: str, number: int) -> Life:
    """The wagers for or against one number. True odds are those of the Behind wagers (6.2.24, 6.2.25)."""
    if wager == "hardway":
        return Life(THROWS, lambda dice, _: hardway(dice, number, HARDWAY[number]))
    if wager == "place_to_win":
        return Life(THROWS, before_seven(number, TO_WIN[number]))
    if wager == "place_to_lose":
        return Life(THROWS, after_seven(number, TO_LOSE[number]))
    if wager == "buy":
        return Life(THROWS, before_seven(number, BEHIND[number]), commission=Fraction(5, 100))
    if wager == "lay":
        could_win = BEHIND_DONT[number]
        return Life(THROWS, after_seven(number, could_win), commission=Fraction(5, 100) * could_win)
    if wager in ("behind_win_line", "behind_come"):
        return Life(THROWS, before_seven(number, BEHIND[number]))
    assert wager in ("behind_dont_win", "behind_dont_come"), wager
    return Life(THROWS, after_seven(number, BEHIND_DONT[number]))


def line(dice: Dice, point: int | None) -> End | int | None:
    """6.2.1 Win Line, 6.2.3 Come. The memory is the point."""
    total = sum(dice)
    if point is None:
        return won(1) if total in (7, 11) else LOST if total in (2, 3, 12) else total
    return won(1) if total == point else LOST if total == 7 else point


def dont(dice: Dice, point: int | None) -> End | int | None:
    """6.2.2 Don't Win, 6.2.4 Don't Come: the 2 is void."""
    total = sum(dice)
    if point is None:
        return LOST if total in (7, 11) else won(1) if total in (3, 12) else VOID if total == 2 else total
    return won(1) if total == 7 else LOST if total == point else point


def before_seven(number: int, odds: Fraction) -> Callable[[Dice, None], End | None]:
    """6.2.10 and similar wagers: the number wins, a 7 loses, and nothing else matters."""
    return lambda dice, _: won(odds) if sum(dice) == number else LOST if sum(dice) == 7 else None


def after_seven(number: int, odds: Fraction) -> Callable[[Dice, None], End | None]:
    """6.2.11 and similar wagers: a 7 wins, the number loses."""
    return lambda dice, _: won(odds) if sum(dice) == 7 else LOST if sum(dice) == number else None


def hardway(dice: Dice, number: int, odds: Fraction) -> End | None:
    """6.2.9: the pair has to come before a 7 and before the same total in any other way."""
    if sum(dice) == number:
        return won(odds) if dice[0] == dice[1] else LOST
    return LOST if sum(dice) == 7 else None


def one_roll(wager: str, pick: Pick, total: int) -> End:
    """6.2.12 to 6.2.18 and 6.2.21 to 6.2.23: every throw decides the wager."""
    if wager == "any_craps":
        return won(Fraction(15, 2)) if total in (2, 3, 12) else LOST
    if wager == "field":
        return won(2) if total in (2, 12) else won(1) if total in (3, 4, 9, 10, 11) else LOST
    if wager == "any_seven":
        return won(4) if total == 7 else LOST
    if wager == "crap_eleven":  # CR-1: half on Any Craps, half on Eleven
        return parts({"any_craps": 1, "eleven": 1}, total)
    if wager == "horn":  # CR-2: a quarter on each
        return parts(HORN, total)
    if wager == "horn_high":
        assert isinstance(pick, int)
        high = NAMES[pick]
        return parts({**HORN, high: 2}, total)
    (number,) = (number for number, name in NAMES.items() if name == wager)
    return won(ONE_TOTAL[number]) if total == number else LOST


NAMES = {2: "craps_two", 3: "craps_three", 11: "eleven", 12: "craps_twelve"}
HORN = dict.fromkeys(NAMES.values(), 1)


def parts(units: dict[str, int], total: int) -> End:
    """Several wagers in one: each part wins or loses separately, and the result is the sum."""
    net = sum((count * one_roll(part, None, total).net for part, count in units.items()), Fraction(0))
    return won(net, sum(units.values())) if net > 0 else LOST


# -- with the puck -----------------------------------------------------------------------------------------

Puck = int | None  # the come out point; None before a come out roll
WAYS = {number: sum(sum(dice) == number for dice in THROWS) for number in NUMBERS}
AFTER_A_COME_OUT: dict[Puck, Fraction] = {number: Fraction(ways, 24) for number, ways in WAYS.items()}


def next_puck(total: int, puck: Puck) -> Puck:
    """CR-5: the puck alone decides whether a roll is a come out roll."""
    if puck is None:
        return total if total in NUMBERS else None
    return None if total in (7, puck) else puck


def sleeper_at_the_table(wager: str, number: int) -> Life:
    """6.7.1, CR-13: a wager that sleeps on come out rolls, with every roll of the table counted, starting from a come
    out roll.
    """
    awake = life(wager, number)

    def decide(dice: Dice, puck: Puck) -> End | Puck:
        end = None if puck is None else awake.decide(dice, None)
        return end if isinstance(end, End) else next_puck(sum(dice), puck)

    return Life(THROWS, decide, commission=awake.commission)


def behind_the_come(number: int) -> Life:
    """CR-9 as adopted: a come out roll that decides the Come returns the Behind wager. The memory is the puck."""

    def decide(dice: Dice, puck: Puck) -> End | Puck:
        total = sum(dice)
        if total in (7, number):
            return VOID if puck is None else LOST if total == 7 else won(BEHIND[number])
        return next_puck(total, puck)

    return Life(THROWS, decide, sleeps=lambda puck: puck is None)


def pucks_behind(number: int) -> dict[Puck, Fraction]:
    """Where the puck is when a Come made right after a come out point has travelled to its number."""
    pucks: dict[Puck, Fraction] = {}
    for point, chance in AFTER_A_COME_OUT.items():
        puck = next_puck(number, point)
        pucks[puck] = pucks.get(puck, Fraction(0)) + chance
    return pucks


def come_with_double(returned: bool) -> Life:
    """A Come of 1, made while the puck is on a point, with 2 behind its number; returned or decided on a come out roll.

    The memory is (number of the Come, puck).
    """

    def decide(dice: Dice, memory: tuple[int | None, Puck]) -> End | tuple[int, Puck]:
        number, puck = memory
        flat = line(dice, number)
        puck_now = next_puck(sum(dice), puck)
        if not isinstance(flat, End):
            assert flat is not None
            return flat, puck_now
        if number is None or (puck is None and returned):
            return flat
        return won(1 + 2 * BEHIND[number]) if flat.result == "win" else End("lose", Fraction(-3))

    return Life(THROWS, decide)


def come_starts() -> dict[tuple[None, Puck], Fraction]:
    """Right after a come out point."""
    return {(None, puck): chance for puck, chance in AFTER_A_COME_OUT.items()}
