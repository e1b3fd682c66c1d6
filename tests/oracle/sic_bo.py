"""Sic Bo, NSW, order of 17 August 2016: sections 3, 6 and 7, with readings SB-1 to SB-19."""

from collections.abc import Iterator, Sequence

from . import Pick, Start, Verdict, check, last_word, lost, won

Dice = tuple[int, int, int]

BOOK = "sic-bo-nsw-2016"
FACES = (1, 2, 3, 4, 5, 6)
OUTCOMES: list[Dice] = [(a, b, c) for a in FACES for b in FACES for c in FACES]
PAY_TABLES: list[None] = [None]

WAGERS: list[tuple[str, Pick]] = [
    ("small", None),
    ("big", None),
    ("odd", None),
    ("even", None),
    *[("specific_triple", n) for n in FACES],
    *[("specific_double", n) for n in FACES],
    ("any_triple", None),
    *[("total", n) for n in (4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)],
    *[("combination", (1, n)) for n in (2, 3, 4, 5, 6)],
    *[("combination", (2, n)) for n in (3, 4, 5, 6)],
    *[("combination", (3, n)) for n in (4, 5, 6)],
    *[("combination", (4, n)) for n in (5, 6)],
    ("combination", (5, 6)),
    ("four_number", (1, 2, 3, 4)),
    ("four_number", (2, 3, 4, 5)),
    ("four_number", (2, 3, 5, 6)),
    ("four_number", (3, 4, 5, 6)),
    *[("single_die", n) for n in FACES],
    ("super_streak", "size"),
    ("super_streak", "parity"),
]

# Rules 7.1 and 7.2, typed line by line.
TOTALS = {4: 62, 17: 62, 5: 31, 16: 31, 6: 18, 15: 18, 7: 12, 14: 12, 8: 8, 13: 8, 9: 7, 12: 7, 10: 6, 11: 6}
SINGLE_DIE = {1: 1, 2: 2, 3: 12}
IN_A_ROW = {4: 6, 5: 10, 6: 15, 7: 20, 8: 35, 9: 50, 10: 75, 11: 100, 12: 500}


def starts(wager: str, pick: Pick) -> list[Start]:
    """For Super Streak the side on which the line is (6.2, SB-1 reading C)."""
    check((wager, pick) in WAGERS, (wager, pick))
    if wager == "super_streak":
        return ["small", "big"] if pick == "size" else ["odd", "even"]
    return [None]


def judge(wager: str, pick: Pick, start: Start, history: Sequence[Dice], pay_table: None = None) -> Verdict | None:
    """What the last result of the history does to the wager; None while it is undecided."""
    check(start in starts(wager, pick), start)
    check(pay_table is None, pay_table)
    results = iter(history)
    if wager == "super_streak":
        return last_word(_super_streak(start, results), results)
    for dice in results:
        return last_word(_one_result(wager, pick, dice), results)
    return None


def _one_result(wager: str, pick: Pick, dice: Dice) -> Verdict:
    """3.1 and 3.2: every wager except Super Streak is decided by the next result."""
    if wager in ("small", "big", "odd", "even"):
        return _even_money(wager, dice)
    if isinstance(pick, int):
        return _on_a_number(wager, pick, dice)
    if wager == "any_triple":
        return won("3.1.5", 31) if _triple(dice) else lost("3.1.5")
    assert isinstance(pick, tuple)
    if wager == "combination":
        return won("3.1.7", 6) if pick[0] in dice and pick[1] in dice else lost("3.1.7")
    check(wager == "four_number", wager)
    return _four_number(pick, dice)


def _triple(dice: Dice) -> bool:
    """1.1: three dice with the same value."""
    return dice[0] == dice[1] == dice[2]


def _is_on(side: object, dice: Dice) -> bool:
    """3.1.1.1, 3.1.2.1, 3.2.1.1, 3.2.2.1 (SB-8): the totals of a side, excluding triples."""
    total = sum(dice)
    if _triple(dice):
        return False
    if side == "small":
        return total in (4, 5, 6, 7, 8, 9, 10)
    if side == "big":
        return total in (11, 12, 13, 14, 15, 16, 17)
    if side == "odd":
        return total in (5, 7, 9, 11, 13, 15, 17)
    check(side == "even", side)
    return total in (4, 6, 8, 10, 12, 14, 16)


def _even_money(wager: str, dice: Dice) -> Verdict:
    """3.1.1, 3.1.2, 3.2.1, 3.2.2: 1 to 1; any other total or a triple loses."""
    rule = "3.2.2"
    if wager == "small":
        rule = "3.1.1"
    if wager == "big":
        rule = "3.1.2"
    if wager == "odd":
        rule = "3.2.1"
    if _is_on(wager, dice):
        return won(rule + ".1", 1)
    return lost(rule + ".2")


def _on_a_number(wager: str, number: int, dice: Dice) -> Verdict:
    """3.1.3, 3.1.4 (SB-10), 3.1.6 (SB-12) and 3.1.8 (SB-13)."""
    shown = dice.count(number)
    if wager == "specific_triple":
        return won("3.1.3", 180) if shown == 3 else lost("3.1.3")
    if wager == "specific_double":
        return won("3.1.4", 11) if shown in (2, 3) else lost("3.1.4")
    if wager == "total":
        return won("3.1.6", TOTALS[number]) if sum(dice) == number else lost("3.1.6")
    check(wager == "single_die", wager)
    return won("3.1.8", SINGLE_DIE[shown]) if shown else lost("3.1.8")


def _four_number(four: tuple[int, ...], dice: Dice) -> Verdict:
    """3.2.3, SB-9: three different numbers, all of them among the four."""
    different = dice[0] != dice[1] and dice[0] != dice[2] and dice[1] != dice[2]
    if different and dice[0] in four and dice[1] in four and dice[2] in four:
        return won("3.2.3", 7)
    return lost("3.2.3")


def _super_streak(side: object, results: Iterator[Dice]) -> Verdict | None:
    """6.4, SB-1 to SB-4: only results after the wager count; triples do nothing; 12 settles at once."""
    in_a_row = 0
    for dice in results:
        if _triple(dice):
            continue
        if _is_on(side, dice):
            in_a_row += 1
            if in_a_row == 12:
                return won("6.4.2", IN_A_ROW[12])
        elif in_a_row <= 3:
            return lost("6.4.1")
        else:
            return won("6.4.2", IN_A_ROW[in_a_row])
    return None
