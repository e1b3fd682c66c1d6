"""Craps, NSW, order of 16 August 2024: sections 6 and 8, with readings CR-1 to CR-23."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from . import Pick, Start, Verdict, check, last_word, lost, paid, two_dice, voided, won

BOOK = "craps-nsw-2024"
OUTCOMES: list[tuple[int, int]] = two_dice()
PAY_TABLES: list[None] = [None]

Throws = Iterator[tuple[int, int]]

POINTS = (4, 5, 6, 8, 9, 10)

WAGERS: list[tuple[str, Pick]] = [
    ("win_line", None),
    ("dont_win", None),
    ("come", None),
    ("dont_come", None),
    ("behind_win_line", None),
    ("behind_dont_win", None),
    *[("behind_come", n) for n in POINTS],
    *[("behind_dont_come", n) for n in POINTS],
    *[("hardway", n) for n in (4, 6, 8, 10)],
    *[("place_to_win", n) for n in POINTS],
    *[("place_to_lose", n) for n in POINTS],
    ("any_craps", None),
    ("craps_two", None),
    ("craps_three", None),
    ("craps_twelve", None),
    ("eleven", None),
    ("field", None),
    ("any_seven", None),
    ("big_6", None),
    ("big_8", None),
    ("horn", None),
    *[("horn_high", n) for n in (2, 3, 11, 12)],
    ("crap_eleven", None),
    *[("buy", n) for n in POINTS],
    *[("lay", n) for n in POINTS],
]

# Rule 8.1, typed line by line: winnings to stake.
BEHIND_WIN_LINE = {4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)}
BEHIND_DONT_WIN = {4: (1, 2), 5: (2, 3), 6: (5, 6), 8: (5, 6), 9: (2, 3), 10: (1, 2)}
BEHIND_COME = {4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)}
BEHIND_DONT_COME = {4: (1, 2), 5: (2, 3), 6: (5, 6), 8: (5, 6), 9: (2, 3), 10: (1, 2)}
HARDWAYS = {4: (15, 2), 6: (19, 2), 8: (19, 2), 10: (15, 2)}
PLACE_TO_WIN = {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)}
PLACE_TO_LOSE = {4: (5, 11), 5: (5, 8), 6: (4, 5), 8: (4, 5), 9: (5, 8), 10: (5, 11)}
BUY = {4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)}
LAY = {4: (1, 2), 5: (2, 3), 6: (5, 6), 8: (5, 6), 9: (2, 3), 10: (1, 2)}
HORN_PARTS = {2: 33, 3: 16, 11: 16, 12: 33}


def starts(wager: str, pick: Pick) -> list[Start]:
    """The come out point for the two Behind line wagers (6.2.5, 6.2.6); None for the rest."""
    check((wager, pick) in WAGERS, (wager, pick))
    if wager in ("behind_win_line", "behind_dont_win"):
        return [4, 5, 6, 8, 9, 10]
    return [None]


def judge(
    wager: str, pick: Pick, start: Start, history: Sequence[tuple[int, int]], pay_table: None = None
) -> Verdict | None:
    """What the last throw of the history does to the wager; None while it is undecided."""
    check(start in starts(wager, pick), start)
    check(pay_table is None, pay_table)
    throws = iter(history)
    number = start if isinstance(start, int) else pick
    if isinstance(number, int) and wager != "horn_high":
        return last_word(_on_a_number(wager, number, throws), throws)
    if wager in ("win_line", "dont_win", "come", "dont_come"):
        return last_word(_on_the_line(wager, throws), throws)
    if wager == "big_6":
        return last_word(_number_before_seven("6.2.19", "6.2.19", 6, (1, 1), throws), throws)
    if wager == "big_8":
        return last_word(_number_before_seven("6.2.20", "6.2.20", 8, (1, 1), throws), throws)
    for dice in throws:
        return last_word(_one_roll(wager, pick, sum(dice)), throws)
    return None


def _on_the_line(wager: str, throws: Throws) -> Verdict | None:
    """6.2.1 to 6.2.4: the four flat wagers."""
    if wager == "win_line":
        return _line("6.2.1", throws)
    if wager == "dont_win":
        return _dont("6.2.2", throws)
    if wager == "come":
        return _line("6.2.3", throws)
    return _dont("6.2.4", throws)


def _line(rule: str, throws: Throws) -> Verdict | None:
    """6.2.1 Win Line and 6.2.3 Come: 7 or 11 wins, 2, 3 or 12 loses; otherwise the point must come before a 7."""
    point = 0
    for dice in throws:
        total = sum(dice)
        if point == 0:
            if total in (7, 11):
                return won(rule + ".1.1", 1)
            if total in (2, 3, 12):
                return lost(rule + ".2.1")
            point = total
        elif total == point:
            return won(rule + ".1.2", 1)
        elif total == 7:
            return lost(rule + ".2.2")
    return None


def _dont(rule: str, throws: Throws) -> Verdict | None:
    """6.2.2 Don't Win, 6.2.4 Don't Come: 3, 12 wins, 7, 11 loses, 2 is void; otherwise a 7 must come before the
    point."""
    point = 0
    for dice in throws:
        total = sum(dice)
        if point == 0:
            if total in (3, 12):
                return won(rule + ".1.1", 1)
            if total in (7, 11):
                return lost(rule + ".2.1")
            if total == 2:
                return voided(rule + ".3")
            point = total
        elif total == 7:
            return won(rule + ".1.2", 1)
        elif total == point:
            return lost(rule + ".2.2")
    return None


def _on_a_number(wager: str, number: int, throws: Throws) -> Verdict | None:
    """The wagers for or against one number, including Hardways."""
    if wager == "hardway":
        return _hardway(number, throws)
    if wager == "behind_win_line":
        return _number_before_seven("6.2.5.2", "6.2.5.3", number, BEHIND_WIN_LINE[number], throws)
    if wager == "behind_come":
        return _number_before_seven("6.2.7.2", "6.2.7.3", number, BEHIND_COME[number], throws)
    if wager == "place_to_win":
        return _number_before_seven("6.2.10.1", "6.2.10.2", number, PLACE_TO_WIN[number], throws)
    if wager == "buy":
        return _number_before_seven("6.2.24", "6.2.24", number, BUY[number], throws)
    if wager == "behind_dont_win":
        return _seven_before_number("6.2.6.2", "6.2.6.3", number, BEHIND_DONT_WIN[number], throws)
    if wager == "behind_dont_come":
        return _seven_before_number("6.2.8.2", "6.2.8.3", number, BEHIND_DONT_COME[number], throws)
    if wager == "place_to_lose":
        return _seven_before_number("6.2.11.1", "6.2.11.2", number, PLACE_TO_LOSE[number], throws)
    check(wager == "lay", wager)
    return _seven_before_number("6.2.25", "6.2.25", number, LAY[number], throws)


def _number_before_seven(wins: str, loses: str, number: int, odds: tuple[int, int], throws: Throws) -> Verdict | None:
    """Won by the number, lost by a 7 (6.2.5, 6.2.7, 6.2.10, 6.2.19, 6.2.20, 6.2.24)."""
    for dice in throws:
        if sum(dice) == number:
            return won(wins, *odds)
        if sum(dice) == 7:
            return lost(loses)
    return None


def _seven_before_number(wins: str, loses: str, number: int, odds: tuple[int, int], throws: Throws) -> Verdict | None:
    """Won by a 7, lost by the number (6.2.6, 6.2.8, 6.2.11, 6.2.25)."""
    for dice in throws:
        if sum(dice) == 7:
            return won(wins, *odds)
        if sum(dice) == number:
            return lost(loses)
    return None


def _hardway(number: int, throws: Throws) -> Verdict | None:
    """6.2.9: a pair wins; the same total in another way, or a 7, loses (SE-3)."""
    for first, second in throws:
        if first + second == number and first == second:
            return won("6.2.9", *HARDWAYS[number])
        if first + second == number or first + second == 7:
            return lost("6.2.9")
    return None


def _one_roll(wager: str, pick: Pick, total: int) -> Verdict:
    """6.2.12 to 6.2.18 and 6.2.21 to 6.2.23: the wagers that every throw decides."""
    if wager == "field":
        return _field(total)
    if wager == "horn":
        return _horn(total)
    if wager == "horn_high":
        return _horn_high(pick, total)
    if wager == "crap_eleven":
        return _crap_eleven(total)
    return _plain_one_roll(wager, total)


def _plain_one_roll(wager: str, total: int) -> Verdict:
    """6.2.12 to 6.2.16 and 6.2.18, at the odds of 8.1."""
    if wager == "any_craps":
        return won("6.2.12", 15, 2) if total in (2, 3, 12) else lost("6.2.12")
    if wager == "craps_two":
        return won("6.2.13", 33) if total == 2 else lost("6.2.13")
    if wager == "craps_three":
        return won("6.2.14", 16) if total == 3 else lost("6.2.14")
    if wager == "craps_twelve":
        return won("6.2.15", 33) if total == 12 else lost("6.2.15")
    if wager == "eleven":
        return won("6.2.16", 16) if total == 11 else lost("6.2.16")
    check(wager == "any_seven", wager)
    return won("6.2.18", 4) if total == 7 else lost("6.2.18")


def _field(total: int) -> Verdict:
    """6.2.17: 2 or 12 pays 2, the others of 3, 4, 9, 10, 11 pay 1."""
    if total in (2, 12):
        return won("6.2.17", 2)
    if total in (3, 4, 9, 10, 11):
        return won("6.2.17", 1)
    return lost("6.2.17")


def _horn(total: int) -> Verdict:
    """6.2.21, 8.1, CR-2: four wagers of one unit; the three that miss are lost."""
    if total not in (2, 3, 11, 12):
        return lost("6.2.21")
    return won("6.2.21", HORN_PARTS[total] - 3, 4)


def _horn_high(high: Pick, total: int) -> Verdict:
    """6.2.22, 8.1, CR-2: five units, two of them on the number nominated."""
    if total not in (2, 3, 11, 12):
        return lost("6.2.22.3")
    if total == high:
        return won("6.2.22.2", 2 * HORN_PARTS[total] - 3, 5)
    return won("6.2.22.2", HORN_PARTS[total] - 4, 5)


def _crap_eleven(total: int) -> Verdict:
    """6.2.23, 8.1, CR-1: half on Any Craps, half on Eleven; the half that misses is lost."""
    if total in (2, 3, 12):
        return won("6.2.23", Fraction(15, 2) - 1, 2)
    if total == 11:
        return won("6.2.23", 16 - 1, 2)
    return lost("6.2.23")


def commission(wager: str, pick: Pick, stake_cents: int) -> int:
    """5% of a Buy (6.2.24), 5% of what a Lay could win (6.2.25); a fraction of a cent is dropped (CR-6 to CR-8)."""
    if wager == "buy":
        return stake_cents * 5 // 100
    if wager == "lay" and isinstance(pick, int):
        winnings, stake = LAY[pick]
        return stake_cents * winnings * 5 // (stake * 100)
    return 0


def commission_on_more(wager: str, pick: Pick, stake_cents: int, more_cents: int) -> int:
    """An increase pays what the whole stake now owes, minus what it owed before (contract; CR-24)."""
    return commission(wager, pick, stake_cents + more_cents) - commission(wager, pick, stake_cents)


def behind_limit(wager: str, point: int, flat_cents: int, chip_cents: int) -> int:
    """The largest stake, in whole chips, behind a flat wager (6.2.5.1, 6.2.6.1, 6.2.7.1, 6.2.8.1; CR-10)."""
    double = 2 * flat_cents
    if wager in ("behind_win_line", "behind_come"):
        return double - double % chip_cents
    check(wager in ("behind_dont_win", "behind_dont_come"), wager)
    odds = Fraction(*(BEHIND_DONT_WIN if wager == "behind_dont_win" else BEHIND_DONT_COME)[point])
    stake = double * odds.denominator // odds.numerator
    stake -= stake % chip_cents
    while paid(stake, odds, chip_cents) > double:
        stake -= chip_cents
    return stake


def sleeps(wager: str) -> bool:
    """6.7: inactive on a come out roll unless called On; only these four kinds (CR-13)."""
    return wager in ("buy", "place_to_win", "behind_come", "hardway")


def exact_unit(wager: str, pick_or_point: Pick) -> int:
    """The stake, in smallest chips, for which every payment is exact (X-2, CR-1, CR-2, CR-8)."""
    if wager in ("hardway", "any_craps"):
        return 2
    if wager in ("horn", "crap_eleven"):
        return 4
    if wager == "horn_high":
        return 5
    if wager == "buy":
        return 20
    if isinstance(pick_or_point, int):
        return _exact_unit_of_number(wager, pick_or_point)
    return 1


def _exact_unit_of_number(wager: str, number: int) -> int:
    """X-2 and CR-8: the units that depend on the number."""
    if wager == "place_to_win":
        return 6 if number in (6, 8) else 5
    if wager in ("behind_win_line", "behind_come"):
        return _by_number(number, 1, 2, 5)
    if wager in ("behind_dont_win", "behind_dont_come"):
        return _by_number(number, 2, 3, 6)
    if wager == "place_to_lose":
        return _by_number(number, 11, 8, 5)
    if wager == "lay":
        return _by_number(number, 40, 30, 24)
    return 1


def _by_number(number: int, four_ten: int, five_nine: int, six_eight: int) -> int:
    """The value for 4 or 10, for 5 or 9, for 6 or 8."""
    if number in (4, 10):
        return four_ten
    if number in (5, 9):
        return five_nine
    return six_eight
