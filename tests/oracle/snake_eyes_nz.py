"""Snake Eyes, New Zealand: rules 4.1, 4.9 and 4.10, with readings NZ-1 to NZ-13.

Clauses have the intended letters (NZ-3): the Hardways wager, printed 4.1(p), is 4.1(a).
"""

from collections.abc import Iterator, Sequence
from typing import TypedDict

from . import Pick, Start, Verdict, check, last_word, lost, two_dice, won


class Display(TypedDict):
    """The odds displayed at a table (4.10)."""

    hardway: dict[str, int]
    craps_two: int
    craps_twelve: int
    field: int


BOOK = "snake-eyes-nz"
OUTCOMES: list[tuple[int, int]] = two_dice()

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

# Rule 4.9: the odds to 1 from which a display may be put together (NZ-4: Field by whole columns).
HARD_4 = (7, 6)
HARD_6 = (9, 8)
HARD_8 = (9, 8)
HARD_10 = (7, 6)
CRAPS_2 = (33, 32, 31, 30)
CRAPS_12 = (33, 32, 31, 30)
FIELD_OPTIONS = (1, 2, 3)


def _displays() -> list[Display]:
    """4.10, NZ-4: all 768 combinations."""
    return [
        {
            "hardway": {"4": four, "6": six, "8": eight, "10": ten},
            "craps_two": two,
            "craps_twelve": twelve,
            "field": field,
        }
        for four in HARD_4
        for six in HARD_6
        for eight in HARD_8
        for ten in HARD_10
        for two in CRAPS_2
        for twelve in CRAPS_12
        for field in FIELD_OPTIONS
    ]


PAY_TABLES: list[Display] = _displays()

Throws = Iterator[tuple[int, int]]


def starts(wager: str, pick: Pick) -> list[Start]:
    """Always [None]: there is no point in this game."""
    check((wager, pick) in WAGERS, (wager, pick))
    return [None]


def judge(
    wager: str,
    pick: Pick,
    start: Start,
    history: Sequence[tuple[int, int]],
    pay_table: Display | None = None,
) -> Verdict | None:
    """What the last Roll of the history does to the wager; without a display, all odds are the highest permitted."""
    check(start in starts(wager, pick), start)
    display = PAY_TABLES[0] if pay_table is None else pay_table
    _check_display(display)
    throws = iter(history)
    if wager == "hardway" and isinstance(pick, int):
        return last_word(_hardway(pick, display["hardway"][str(pick)], throws), throws)
    if wager == "hardway_combo":
        return last_word(_hardway_combo(throws), throws)
    if wager == "five":
        return last_word(_before_seven("4.1(c)", 5, throws), throws)
    if wager == "six":
        return last_word(_before_seven("4.1(d)", 6, throws), throws)
    if wager == "eight":
        return last_word(_before_seven("4.1(e)", 8, throws), throws)
    for dice in throws:
        return last_word(_one_roll(wager, sum(dice), display), throws)
    return None


def _check_display(display: Display) -> None:
    """4.9, 4.10: only odds that the tables permit."""
    hard = display["hardway"]
    check(hard["4"] in HARD_4 and hard["10"] in HARD_10, hard)
    check(hard["6"] in HARD_6 and hard["8"] in HARD_8, hard)
    check(display["craps_two"] in CRAPS_2 and display["craps_twelve"] in CRAPS_12, display)
    check(display["field"] in FIELD_OPTIONS, display)


def _hardway(number: int, odds: int, throws: Throws) -> Verdict | None:
    """4.1(a): a pair wins; the Total by other numbers, or a 7, loses; all other Rolls change nothing (NZ-11)."""
    for first, second in throws:
        if first + second == number and first == second:
            return won("4.1(a)(i)", odds)
        if first + second == number or first + second == 7:
            return lost("4.1(a)(ii)")
    return None


def _hardway_combo(throws: Throws) -> Verdict | None:
    """4.1(b): any hard 4, 6, 8, 10 wins 4 to 1; any of these Totals in another way, or a 7, loses (NZ-1)."""
    for first, second in throws:
        if first + second in (4, 6, 8, 10):
            return won("4.1(b)(i)", 4) if first == second else lost("4.1(b)(ii)")
        if first + second == 7:
            return lost("4.1(b)(ii)")
    return None


def _before_seven(rule: str, number: int, throws: Throws) -> Verdict | None:
    """4.1(c), (d), (e): the number before a 7, at 1 to 1."""
    for dice in throws:
        if sum(dice) == number:
            return won(rule + "(i)", 1)
        if sum(dice) == 7:
            return lost(rule + "(ii)")
    return None


def _one_roll(wager: str, total: int, display: Display) -> Verdict:
    """4.1(f) to 4.1(l): the wagers on a single Roll, at the displayed odds of 4.9."""
    if wager == "field":
        return _field(total, display["field"])
    if wager == "any_seven":
        return won("4.1(g)(i)", 4) if total == 7 else lost("4.1(g)(ii)")
    if wager == "ce_combo":
        return won("4.1(h)(i)", 4) if total in (2, 3, 11, 12) else lost("4.1(h)(ii)")
    if wager == "craps_two":
        return won("4.1(i)(i)", display["craps_two"]) if total == 2 else lost("4.1(i)(ii)")
    if wager == "craps_three":
        return won("4.1(j)(i)", 15) if total == 3 else lost("4.1(j)(ii)")
    if wager == "craps_twelve":
        return won("4.1(k)(i)", display["craps_twelve"]) if total == 12 else lost("4.1(k)(ii)")
    check(wager == "eleven_in_one", wager)
    return won("4.1(l)(i)", 15) if total == 11 else lost("4.1(l)(ii)")


def _field(total: int, option: int) -> Verdict:
    """4.1(f): 2 pays 3, 2, 3 and 12 pays 2, 2, 1 in Options 1, 2, 3; 3, 4, 9, 10, 11 pay 1."""
    if total == 2:
        return won("4.1(f)(i)", 2 if option == 2 else 3)
    if total == 12:
        return won("4.1(f)(i)", 1 if option == 3 else 2)
    if total in (3, 4, 9, 10, 11):
        return won("4.1(f)(i)", 1)
    return lost("4.1(f)(ii)")
