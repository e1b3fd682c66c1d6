"""Snake Eyes, NSW, order of 13 March 2019: rules 6.1 and 8.1, with readings SE-1 to SE-11."""

from collections.abc import Iterator, Sequence

from . import Pick, Start, Verdict, check, last_word, lost, two_dice, won

BOOK = "snake-eyes-nsw-2019"
OUTCOMES: list[tuple[int, int]] = two_dice()
PAY_TABLES: list[str] = ["one", "two"]

WAGERS: list[tuple[str, Pick]] = [
    ("hardway", 4),
    ("hardway", 6),
    ("hardway", 8),
    ("hardway", 10),
    ("hardway_combo", None),
    ("ce_combo", None),
    ("craps_two", None),
    ("craps_three", None),
    ("craps_twelve", None),
    ("eleven_in_one", None),
    ("any_seven", None),
    ("field", None),
    ("five", None),
    ("six", None),
    ("eight", None),
]

# Rule 8.1, Hardways: winnings to stake in Option One and in Option Two.
HARDWAYS_ONE = {4: (15, 2), 6: (19, 2), 8: (19, 2), 10: (15, 2)}
HARDWAYS_TWO = {4: (7, 1), 6: (9, 1), 8: (9, 1), 10: (7, 1)}

Throws = Iterator[tuple[int, int]]


def starts(wager: str, pick: Pick) -> list[Start]:
    """Always [None]: there is no point in this game (SE-6)."""
    check((wager, pick) in WAGERS, (wager, pick))
    return [None]


def judge(
    wager: str,
    pick: Pick,
    start: Start,
    history: Sequence[tuple[int, int]],
    pay_table: str | None = None,
) -> Verdict | None:
    """What the last throw of the history does to the wager; without a pay table, Option One is displayed."""
    check(start in starts(wager, pick), start)
    check(pay_table in (None, "one", "two"), pay_table)
    two = pay_table == "two"
    throws = iter(history)
    if wager == "hardway" and isinstance(pick, int):
        return last_word(_hardway(pick, (HARDWAYS_TWO if two else HARDWAYS_ONE)[pick], throws), throws)
    if wager == "hardway_combo":
        return last_word(_hardway_combo(throws), throws)
    if wager == "five":
        return last_word(_before_seven("6.1.9", 5, throws), throws)
    if wager == "six":
        return last_word(_before_seven("6.1.10", 6, throws), throws)
    if wager == "eight":
        return last_word(_before_seven("6.1.11", 8, throws), throws)
    for dice in throws:
        return last_word(_one_roll(wager, sum(dice), two), throws)
    return None


def _hardway(number: int, odds: tuple[int, int], throws: Throws) -> Verdict | None:
    """6.1.1: a pair wins; the same total in another way, or a 7, loses (SE-3)."""
    for first, second in throws:
        if first + second == number and first == second:
            return won("6.1.1", *odds)
        if first + second == number or first + second == 7:
            return lost("6.1.1")
    return None


def _hardway_combo(throws: Throws) -> Verdict | None:
    """6.1.2: any hard 4, 6, 8, 10 wins 4 to 1; any of these totals in another way, or a 7, loses (SE-2)."""
    for first, second in throws:
        if first + second in (4, 6, 8, 10):
            return won("6.1.2", 4) if first == second else lost("6.1.2")
        if first + second == 7:
            return lost("6.1.2")
    return None


def _before_seven(rule: str, number: int, throws: Throws) -> Verdict | None:
    """6.1.9, 6.1.10, 6.1.11: the number before a 7, at 1 to 1 (SE-5)."""
    for dice in throws:
        if sum(dice) == number:
            return won(rule, 1)
        if sum(dice) == 7:
            return lost(rule)
    return None


def _one_roll(wager: str, total: int, two: bool) -> Verdict:
    """6.1.3 to 6.1.8 and 6.1.12 at the odds of 8.1; Option Two pays 15 where Option One pays 16."""
    if wager == "craps_two":
        return won("6.1.3", 33) if total == 2 else lost("6.1.3")
    if wager == "craps_three":
        return won("6.1.4", 15 if two else 16) if total == 3 else lost("6.1.4")
    if wager == "craps_twelve":
        return won("6.1.5", 31) if total == 12 else lost("6.1.5")
    if wager == "eleven_in_one":
        return won("6.1.6", 15 if two else 16) if total == 11 else lost("6.1.6")
    if wager == "field":
        return _field(total, two)
    if wager == "any_seven":
        return won("6.1.8", 4) if total == 7 else lost("6.1.8")
    check(wager == "ce_combo", wager)
    return won("6.1.12", 4) if total in (2, 3, 11, 12) else lost("6.1.12")


def _field(total: int, two: bool) -> Verdict:
    """6.1.7: 2 pays 3; 12 pays 1 in Option One and 2 in Option Two; 3, 4, 9, 10, 11 pay 1."""
    if total == 2:
        return won("6.1.7", 3)
    if total == 12:
        return won("6.1.7", 2 if two else 1)
    if total in (3, 4, 9, 10, 11):
        return won("6.1.7", 1)
    return lost("6.1.7")
