"""Snake Eyes, NSW (order of 13 March 2019, rule 6.1) and New Zealand (rule 4.1): one game, different odds."""

from __future__ import annotations

from fractions import Fraction

from tests.brute.lives import LOST, End, Life, Pick, won

NSW = "snake-eyes-nsw-2019"
NZ = "snake-eyes-nz"
Dice = tuple[int, int]
THROWS: list[Dice] = [(a, b) for a in range(1, 7) for b in range(1, 7)]
HARD = (4, 6, 8, 10)

PICKS: dict[str, tuple[Pick, ...]] = {
    "hardway": HARD,
    **dict.fromkeys(("hardway_combo", "ce_combo", "craps_two", "craps_three", "craps_twelve"), (None,)),
    **dict.fromkeys(("eleven_in_one", "any_seven", "field", "five", "six", "eight"), (None,)),
}

# NSW 8.1, line by line: Option One, Option Two.
NSW_LINES: dict[str, tuple[Fraction, Fraction]] = {
    "hardway 4": (Fraction(15, 2), Fraction(7)),
    "hardway 6": (Fraction(19, 2), Fraction(9)),
    "hardway 8": (Fraction(19, 2), Fraction(9)),
    "hardway 10": (Fraction(15, 2), Fraction(7)),
    "craps_two": (Fraction(33), Fraction(33)),
    "craps_three": (Fraction(16), Fraction(15)),
    "craps_twelve": (Fraction(31), Fraction(31)),
    "eleven_in_one": (Fraction(16), Fraction(15)),
    "field 2": (Fraction(3), Fraction(3)),
    "field 12": (Fraction(1), Fraction(2)),
}
# NZ 4.9: the odds to choose from, highest first, and the three options of the Field; two lines leave no choice.
NZ_CHOICES: dict[tuple[str, Pick], tuple[int, ...]] = {
    ("hardway", 4): (7, 6),
    ("hardway", 6): (9, 8),
    ("hardway", 8): (9, 8),
    ("hardway", 10): (7, 6),
    ("craps_two", None): (33, 32, 31, 30),
    ("craps_twelve", None): (33, 32, 31, 30),
    ("field", None): (1, 2, 3),
}
NZ_FIELD = {"field 2": {1: 3, 2: 2, 3: 3}, "field 12": {1: 2, 2: 2, 3: 1}}
NZ_FIXED = {"craps_three": 15, "eleven_in_one": 15}

Displayed = str | int | None  # NSW: the column; NZ: the odds or the Field option displayed, where there is a choice


def displays(book: str, wager: str, pick: Pick) -> tuple[Displayed, ...]:
    """The odds that the book allows a table to display for a wager."""
    return ("one", "two") if book == NSW else NZ_CHOICES.get((wager, pick), (None,))


def odds_of(book: str, line: str, shown: Displayed) -> Fraction:
    """The odds to 1 of a line of the pay table, with these odds on display."""
    if book == NSW:
        return NSW_LINES[line][0 if shown == "one" else 1]
    if line in NZ_FIXED:
        return Fraction(NZ_FIXED[line])
    assert isinstance(shown, int), shown
    return Fraction(NZ_FIELD[line][shown] if line in NZ_FIELD else shown)


def life(book: str, wager: str, pick: Pick = None, shown: Displayed = None) -> Life:
    """A wager with these odds on display."""
    assert shown in displays(book, wager, pick), shown
    if wager == "hardway":
        assert isinstance(pick, int)
        odds = odds_of(book, f"hardway {pick}", shown)
        return Life(THROWS, lambda dice, _: hardway(dice, pick, odds))
    if wager == "hardway_combo":
        return Life(THROWS, lambda dice, _: hardway_combo(dice))
    if wager in ("five", "six", "eight"):
        return Life(THROWS, lambda dice, _: before_seven(sum(dice), {"five": 5, "six": 6, "eight": 8}[wager]))
    pays = one_roll(book, wager, shown)
    return Life(THROWS, lambda dice, _: won(pays[sum(dice)]) if sum(dice) in pays else LOST)


def hardway(dice: Dice, number: int, odds: Fraction) -> End | None:
    """NSW 6.1.1, NZ 4.1(a): the pair has to come before a 7 and before the same total in any other way."""
    if sum(dice) == number:
        return won(odds) if dice[0] == dice[1] else LOST
    return LOST if sum(dice) == 7 else None


def hardway_combo(dice: Dice) -> End | None:
    """NSW 6.1.2, NZ 4.1(b), SE-2, NZ-1: any of the pairs has to come before a 7 and before any of the totals in another
    way.
    """
    if sum(dice) in HARD:
        return won(4) if dice[0] == dice[1] else LOST
    return LOST if sum(dice) == 7 else None


def before_seven(total: int, number: int) -> End | None:
    """NSW 6.1.9 to 6.1.11, NZ 4.1(c) to (e)."""
    return won(1) if total == number else LOST if total == 7 else None


def one_roll(book: str, wager: str, shown: Displayed) -> dict[int, Fraction]:
    """The wagers on a single roll: which totals win, and at what odds to 1."""
    if wager == "field":
        ends = {2: odds_of(book, "field 2", shown), 12: odds_of(book, "field 12", shown)}
        return {**ends, **dict.fromkeys((3, 4, 9, 10, 11), Fraction(1))}
    if wager == "any_seven":
        return {7: Fraction(4)}
    if wager == "ce_combo":  # SE-4: one wager
        return dict.fromkeys((2, 3, 11, 12), Fraction(4))
    number = {"craps_two": 2, "craps_three": 3, "craps_twelve": 12, "eleven_in_one": 11}[wager]
    return {number: odds_of(book, wager, shown)}
