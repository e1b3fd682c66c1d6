"""The counting of throws, checked against published figures, against the oracle, and against plain unrolling."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.brute import craps, sic_bo, snake_eyes, two_up
from tests.brute.lives import End, Life, Pick, endings, figures, unrolled
from tests.brute.wagers import Row, display_in_full, figures_for, figures_of_row, life_of, rows
from tests.oracle import craps as craps_oracle
from tests.oracle import sic_bo as sic_bo_oracle
from tests.oracle import snake_eyes_nsw as nsw_oracle
from tests.oracle import snake_eyes_nz as nz_oracle
from tests.oracle import two_up as two_up_oracle

F = Fraction
ALL_ROWS = list(rows())
ORACLES: dict[str, ModuleType] = {
    oracle.BOOK: oracle for oracle in (craps_oracle, sic_bo_oracle, two_up_oracle, nsw_oracle, nz_oracle)
}


def test_nothing_of_the_package_is_imported() -> None:
    """These figures are independent only as long as they share nothing with what they check."""
    standard = {"ast", "collections", "fractions", "functools", "itertools", "pathlib", "types", "typing", "__future__"}
    files = sorted(Path(__file__).parent.rglob("*.py"))
    assert len(files) > 10
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= standard | {"pytest"}, file
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, file
                ours = str(node.module) in ("tests.brute", "tests.oracle") or str(node.module).startswith(
                    "tests.brute."
                )
                assert ours or str(node.module).split(".")[0] in standard, file
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                assert called not in ("__import__", "import_module", "exec", "eval"), file


# -- completeness ------------------------------------------------------------------------------------------


def test_every_wager_and_pick_of_the_books_has_a_row() -> None:
    for book, oracle in ORACLES.items():
        listed = {(wager, pick) for wager, pick in oracle.WAGERS if (wager, pick) not in LINE_BEHINDS}
        points = (
            {(wager, point) for wager, _ in LINE_BEHINDS for point in craps.NUMBERS} if book == craps.BOOK else set()
        )
        assert {(row.wager, row.pick) for row in ALL_ROWS if row.book == book} == listed | points
    assert len(ALL_ROWS) == len(set(ALL_ROWS)) == 71 + 58 + 4 + 2 * 15 + (8 + 4 + 4 + 3 + 8)


# At a table these have no pick of their own: the point is the puck's. In the analysis the pick is the point.
LINE_BEHINDS = {("behind_win_line", None), ("behind_dont_win", None)}


def test_displays_are_those_that_a_table_takes() -> None:
    assert display_in_full(Row(snake_eyes.NZ, "hardway", 4, 6)) == {"hardway": {"4": 6}}
    assert display_in_full(Row(snake_eyes.NZ, "field", None, 3)) == {"field": 3}
    assert display_in_full(Row(snake_eyes.NSW, "field", None, "two")) == "two"
    assert display_in_full(Row(craps.BOOK, "field", None, None)) is None


# -- published figures -------------------------------------------------------------------------------------

# Expectation per unit staked, as the readings and public sources print it.
PUBLISHED: list[tuple[str, str, Pick, object, F]] = [
    *[(craps.BOOK, wager, None, None, F(-7, 495)) for wager in ("win_line", "come")],
    *[(craps.BOOK, wager, None, None, F(-3, 220)) for wager in ("dont_win", "dont_come")],
    *[
        (craps.BOOK, f"behind_{flat}", number, None, F(0))
        for flat in ("win_line", "dont_win", "come", "dont_come")
        for number in craps.NUMBERS
    ],
    *[(craps.BOOK, "place_to_win", number, None, F(-1, 15)) for number in (4, 10)],
    *[(craps.BOOK, "place_to_win", number, None, F(-1, 25)) for number in (5, 9)],
    *[(craps.BOOK, "place_to_win", number, None, F(-1, 66)) for number in (6, 8)],
    *[(craps.BOOK, "place_to_lose", number, None, F(-1, 33)) for number in (4, 10)],
    *[(craps.BOOK, "place_to_lose", number, None, F(-1, 40)) for number in (5, 9)],
    *[(craps.BOOK, "place_to_lose", number, None, F(-1, 55)) for number in (6, 8)],
    *[(craps.BOOK, "buy", number, None, F(-1, 20)) for number in craps.NUMBERS],
    *[(craps.BOOK, "lay", number, None, F(-1, 40)) for number in (4, 10)],
    *[(craps.BOOK, "lay", number, None, F(-1, 30)) for number in (5, 9)],
    *[(craps.BOOK, "lay", number, None, F(-1, 24)) for number in (6, 8)],
    *[(craps.BOOK, "hardway", number, None, F(-1, 18)) for number in (4, 10)],
    *[(craps.BOOK, "hardway", number, None, F(-1, 22)) for number in (6, 8)],
    *[
        (craps.BOOK, wager, None, None, F(-1, 18))
        for wager in ("any_craps", "craps_two", "craps_three", "craps_twelve", "eleven", "field", "horn", "crap_eleven")
    ],
    *[(craps.BOOK, "horn_high", high, None, F(-1, 18)) for high in (2, 3, 11, 12)],
    (craps.BOOK, "any_seven", None, None, F(-1, 6)),
    *[(craps.BOOK, wager, None, None, F(-1, 11)) for wager in ("big_6", "big_8")],
    *[(sic_bo.BOOK, side, None, None, F(-1, 36)) for side in ("small", "big", "odd", "even")],
    *[(sic_bo.BOOK, "specific_triple", face, None, F(181, 216) - 1) for face in range(1, 7)],
    *[(sic_bo.BOOK, "specific_double", face, None, F(-1, 9)) for face in range(1, 7)],
    *[(sic_bo.BOOK, "single_die", face, None, F(-1, 27)) for face in range(1, 7)],
    (sic_bo.BOOK, "any_triple", None, None, F(-1, 9)),
    *[
        (sic_bo.BOOK, "total", number, None, F(ways * (1 + odds), 216) - 1)
        for low, ways, odds in ((4, 3, 62), (5, 6, 31), (6, 10, 18), (7, 15, 12), (8, 21, 8), (9, 25, 7), (10, 27, 6))
        for number in (low, 21 - low)
    ],
    *[(sic_bo.BOOK, "combination", (a, b), None, F(-1, 36)) for a in range(1, 6) for b in range(a + 1, 7)],
    *[(sic_bo.BOOK, "four_number", four, None, F(-1, 9)) for four in sic_bo.PICKS["four_number"]],
    *[(sic_bo.BOOK, "super_streak", line, None, F(-201, 2048)) for line in ("size", "parity")],
    *[(two_up.BOOK, side, None, None, F(-1, 32)) for side in ("heads", "tails")],
    *[(two_up.BOOK, "spinner", side, None, F(-17841, 524288)) for side in ("heads", "tails")],
    *[(snake_eyes.NSW, "hardway", number, "one", F(-1, 18)) for number in (4, 10)],
    *[(snake_eyes.NSW, "hardway", number, "two", F(-1, 9)) for number in (4, 10)],
    *[(snake_eyes.NSW, "hardway", number, "one", F(-1, 22)) for number in (6, 8)],
    *[(snake_eyes.NSW, "hardway", number, "two", F(-1, 11)) for number in (6, 8)],
    *[(snake_eyes.NSW, "craps_two", None, column, F(-1, 18)) for column in ("one", "two")],
    *[(snake_eyes.NSW, "craps_twelve", None, column, F(-1, 9)) for column in ("one", "two")],
    *[(snake_eyes.NSW, wager, None, "one", F(-1, 18)) for wager in ("craps_three", "eleven_in_one", "field")],
    *[(snake_eyes.NSW, wager, None, "two", F(-1, 9)) for wager in ("craps_three", "eleven_in_one")],
    (snake_eyes.NSW, "field", None, "two", F(-1, 36)),
    *[(snake_eyes.NZ, "hardway", number, odds, F(1 + odds, 9) - 1) for number in (4, 10) for odds in (7, 6)],
    *[(snake_eyes.NZ, "hardway", number, odds, F(1 + odds, 11) - 1) for number in (6, 8) for odds in (9, 8)],
    *[
        (snake_eyes.NZ, wager, None, odds, F(1 + odds, 36) - 1)
        for wager in ("craps_two", "craps_twelve")
        for odds in (33, 32, 31, 30)
    ],
    *[(snake_eyes.NZ, wager, None, None, F(-1, 9)) for wager in ("craps_three", "eleven_in_one")],
    *[
        (snake_eyes.NZ, "field", None, option, edge)
        for option, edge in ((1, F(-1, 36)), (2, F(-1, 18)), (3, F(-1, 18)))
    ],
    *[
        (book, wager, None, shown, edge)
        for book, columns in ((snake_eyes.NSW, ("one", "two")), (snake_eyes.NZ, (None,)))
        for shown in columns
        for wager, edge in (
            ("hardway_combo", F(-1, 11)),
            ("ce_combo", F(-1, 6)),
            ("any_seven", F(-1, 6)),
            ("five", F(-1, 5)),
            ("six", F(-1, 11)),
            ("eight", F(-1, 11)),
        )
    ],
]


def test_every_expectation_is_the_published_one() -> None:
    expected = {Row(*named): ev for *named, ev in PUBLISHED}  # type: ignore[arg-type]
    assert {row: figures_of_row(row).ev for row in ALL_ROWS} == expected


def test_the_win_line_in_full() -> None:
    found = figures_for(craps.BOOK, "win_line")
    assert (found.p_win, found.p_lose, found.p_void) == (F(244, 495), F(251, 495), F(0))
    assert found.law == {F(1): F(244, 495), F(-1): F(251, 495)}
    assert found.variance == 1 - F(7, 495) ** 2
    assert found.rolls == F(557, 165)


def test_the_dont_win_in_full() -> None:
    """CR-16: 3/220 per wager made, 27/1925 per wager decided."""
    found = figures_for(craps.BOOK, "dont_win")
    assert (found.p_void, found.ev, found.ev / (1 - found.p_void)) == (F(1, 36), F(-3, 220), F(-27, 1925))
    assert found.p_win + found.p_lose == F(35, 36)


def test_buy_and_lay_by_stake_and_by_outlay() -> None:
    """CR-8: 4.76 per cent of the outlay; 2.44, 3.23 and 4.00 per cent for a Lay."""
    for number in craps.NUMBERS:
        life = craps.life("buy", number)
        assert figures(life).ev / (1 + life.commission) == F(-1, 21)
        assert figures(life).law.keys() == {craps.BEHIND[number] - F(1, 20), F(-21, 20)}
    for number, edge in ((4, F(1, 41)), (5, F(1, 31)), (6, F(1, 25))):
        life = craps.life("lay", number)
        assert figures(life).ev / (1 + life.commission) == -edge


def test_super_streak_in_full() -> None:
    """SB-1: the distribution of the counter, whichever side the line is on."""
    for pick, sides in sic_bo.LINES.items():
        for side in sides:
            found = figures(sic_bo.life("super_streak", pick, side))
            assert (found.p_win, found.rolls) == (F(1, 16), F(1053, 512))
            assert found.variance == F(327125551, 4194304)
            rungs = {F(sic_bo.IN_A_ROW[n]): F(1, 2 ** (n + 1)) for n in range(4, 12)}
            assert found.law == {F(-1): F(15, 16), **rungs, F(500): F(1, 2**12)}


def test_two_up_in_full() -> None:
    assert figures_for(two_up.BOOK, "heads").p_win == F(31, 64)
    assert figures_for(two_up.BOOK, "spinner", "heads").p_win == F(29791, 262144) == F(31, 64) ** 3


def test_rolls_that_are_published() -> None:
    """CR-13, SE-2: the published mean numbers of active rolls."""
    for wager in ("place_to_win", "place_to_lose", "buy", "lay", "behind_win_line", "behind_dont_win"):
        for number, rolls in ((4, F(4)), (5, F(18, 5)), (6, F(36, 11))):
            assert figures_for(craps.BOOK, wager, number).rolls == rolls
            assert figures_for(craps.BOOK, wager, 14 - number).rolls == rolls
    assert figures_for(snake_eyes.NSW, "hardway_combo").rolls == F(18, 11)
    assert figures_for(snake_eyes.NZ, "hardway_combo").rolls == F(18, 11)


def test_the_two_lines_of_super_streak_hang_together() -> None:
    """SB-16: of 210 results 60 are Small and Even, 45 Small and Odd; the correlation is 1/7."""
    ways = {
        (size, parity): sum(sic_bo.on_side(size, dice) and sic_bo.on_side(parity, dice) for dice in sic_bo.RESULTS)
        for size in ("small", "big")
        for parity in ("even", "odd")
    }
    assert ways == {("small", "even"): 60, ("small", "odd"): 45, ("big", "even"): 45, ("big", "odd"): 60}
    assert F(60 + 60 - 45 - 45, 210) == F(1, 7)


# -- sleeping wagers ---------------------------------------------------------------------------------------

# CR-9: p(void), for 4 and 10, 5 and 9, 6 and 8. What is not returned is decided at fair odds.
RETURNED = {4: F(1187, 7512), 5: F(673, 3954), 6: F(16769, 91704)}


@pytest.mark.parametrize("number", craps.NUMBERS)
def test_behind_the_come_that_may_be_returned(number: int) -> None:
    low = min(number, 14 - number)
    found = figures_for(craps.BOOK, "behind_come", number)
    plain = figures(craps.life("behind_come", number))
    kept = 1 - RETURNED[low]
    assert found.p_void == RETURNED[low]
    assert (found.p_win, found.p_lose) == (kept * plain.p_win, kept * plain.p_lose)
    assert (found.ev, found.variance, found.third) == (F(0), kept * plain.variance, kept * plain.third)
    assert found.rolls == kept * plain.rolls  # each active roll decides it with the same chance (Wald)


def test_a_come_with_double_behind() -> None:
    """CR-9: variance 6.942 with the Behind wager returned on come out rolls, 8.167 without."""
    taken = figures(craps.come_with_double(returned=True), craps.come_starts())
    rival = figures(craps.come_with_double(returned=False), craps.come_starts())
    assert taken.ev == rival.ev == F(-7, 495)
    assert taken.variance == F(1340680424667662, 193115524370175)
    assert rival.variance == F(2001236, 245025)
    assert (f"{float(taken.variance):.3f}", f"{float(rival.variance):.3f}") == ("6.942", "8.167")


def test_table_rolls_from_a_come_out() -> None:
    """CR-13: sleeping changes the waiting time, and nothing else."""
    table_rolls = {4: F(12724, 2089), 5: F(34569, 6190), 6: F(1815516, 351461)}
    assert [f"{float(rolls):.3f}" for rolls in table_rolls.values()] == ["6.091", "5.585", "5.166"]
    for wager in ("place_to_win", "buy", "hardway"):
        for pick in craps.PICKS[wager]:
            assert isinstance(pick, int)
            at_the_table, awake = figures(craps.sleeper_at_the_table(wager, pick)), figures_for(craps.BOOK, wager, pick)
            assert at_the_table.rolls == table_rolls[min(pick, 14 - pick)]
            assert at_the_table._replace(rolls=awake.rolls) == awake


# -- the same by unrolling ---------------------------------------------------------------------------------


def assert_bracketed(life: Life, starts: dict[Any, F] | None, throws: int) -> None:
    """The closed forms lie within the margin that this many throws leave open."""
    ends, lengths = unrolled(life, throws, starts)
    undecided = 1 - sum(lengths)
    exact: dict[object, F] = {}
    rolls = F(0)
    for memory, weight in (starts or {life.start: F(1)}).items():
        fates, more = endings(life, memory)
        rolls += weight * more
        for end, chance in fates.items():
            exact[end] = exact.get(end, F(0)) + weight * chance
    assert exact.keys() == ends.keys()
    assert all(ends[end] <= exact[end] <= ends[end] + undecided for end in ends)
    if life.sleeps(None) is False:
        so_far = sum((n * chance for n, chance in enumerate(lengths, start=1)), F(0)) + throws * undecided
        assert so_far <= rolls
        assert rolls - so_far <= undecided * 10
    assert undecided < F(1, 1000)


@pytest.mark.parametrize("book", ORACLES)
def test_closed_forms_agree_with_unrolling(book: str) -> None:
    """Throw after throw, with nothing summed to infinity; the spinner and the Super Streak are over by then."""
    for row in ALL_ROWS:
        if row.book == book:
            assert_bracketed(life_of(row), None, 40)


def test_closed_forms_with_the_puck_agree_with_unrolling() -> None:
    for number in craps.NUMBERS:
        assert_bracketed(craps.behind_the_come(number), craps.pucks_behind(number), 60)
        assert_bracketed(craps.sleeper_at_the_table("place_to_win", number), None, 60)
    for returned in (True, False):
        assert_bracketed(craps.come_with_double(returned), craps.come_starts(), 60)


# -- the same by the oracle --------------------------------------------------------------------------------

# One throw of two dice for each total, and for those that can be a pair the pair and another.
KINDS = [
    (1, 1),
    (1, 2),
    (1, 3),
    (2, 2),
    (2, 3),
    (2, 4),
    (3, 3),
    (3, 4),
    (3, 5),
    (4, 4),
    (4, 5),
    (4, 6),
    (5, 5),
    (5, 6),
    (6, 6),
]
SIC_BO_KINDS = [(1, 1, 2), (1, 2, 2), (5, 5, 6), (5, 6, 6), (3, 3, 3)]


def histories(book: str) -> Iterator[list[Any]]:
    """Short histories: all histories of two throws, then longer ones from throws that represent the rest."""
    if book == two_up.BOOK:
        yield from (list(spins) for length in range(1, 8) for spins in product(two_up.SPINS, repeat=length))
    elif book == sic_bo.BOOK:
        yield from ([dice] for dice in sic_bo.RESULTS)
        yield from (list(results) for length in (2, 3, 4, 5) for results in product(SIC_BO_KINDS, repeat=length))
        yield from ([side] * runs + [last] for side in SIC_BO_KINDS for runs in range(13) for last in SIC_BO_KINDS)
    else:
        yield from (list(throws) for length in (1, 2) for throws in product(craps.THROWS, repeat=length))
        yield from (list(throws) for throws in product(KINDS, repeat=3))


def lived(life: Life, history: list[Any]) -> End | str | None:
    """The end that the last throw of a history causes; None while undecided; "over" if the wager ended earlier."""
    memory: object = life.start
    for i, throw in enumerate(history):
        led_to = life.decide(throw, memory)
        if isinstance(led_to, End):
            return led_to if i == len(history) - 1 else "over"
        memory = led_to
    return None


def judged(row: Row, start: object, history: list[Any]) -> End | str | None:
    """The same, according to the oracle."""
    pick = None if (row.wager, None) in LINE_BEHINDS else row.pick
    table = nz_display(row) if row.book == snake_eyes.NZ else row.pay_table
    try:
        verdict = ORACLES[row.book].judge(row.wager, pick, start, history, table)
    except ValueError:
        return "over"
    return None if verdict is None else End(verdict.result, F(-1) if verdict.result == "lose" else verdict.odds)


def nz_display(row: Row) -> nz_oracle.Display:
    """A complete display that contains the odds of this row."""
    display = nz_oracle.PAY_TABLES[0]
    if row.wager == "hardway":
        return {**display, "hardway": {**display["hardway"], str(row.pick): row.pay_table}}  # type: ignore[dict-item]
    return display if row.pay_table is None else {**display, row.wager: row.pay_table}  # type: ignore[misc]


def starts(row: Row) -> list[tuple[object, Life]]:
    """The oracle's names for the states in which a wager begins, each with its life."""
    if row.wager == "super_streak":
        return [(side, sic_bo.life(row.wager, row.pick, side)) for side in sic_bo.LINES[row.pick]]
    return [(row.pick if (row.wager, None) in LINE_BEHINDS else None, life_of(row))]


@pytest.mark.parametrize("book", ORACLES)
def test_lives_agree_with_the_oracle(book: str) -> None:
    told = list(histories(book))
    for row in ALL_ROWS:
        if row.book != book:
            continue
        one_roll = figures_of_row(row).rolls == 1
        some = [history for history in told if len(history) == 1 or not one_roll]
        for start, life in starts(row):
            assert [lived(life, history) for history in some] == [judged(row, start, history) for history in some], row


def test_memories_with_the_puck_agree_with_the_plain_wager() -> None:
    """A Behind the Come wager that is never up on a come out roll is decided like the plain wager."""
    for number in craps.NUMBERS:
        with_puck, plain = craps.behind_the_come(number), craps.life("behind_come", number)
        for puck in craps.NUMBERS:
            for dice in craps.THROWS:
                end = with_puck.decide(dice, puck)
                assert plain.decide(dice, None) == (end if isinstance(end, End) else None)
