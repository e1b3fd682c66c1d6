"""Every figure that the readings print, adopted or rejected, is confirmed by counting throws."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.brute import craps, sic_bo, snake_eyes, two_up
from tests.brute.lives import Pick, figures
from tests.brute.rival import Rival
from tests.brute.rivals import rivals, token
from tests.brute.rivals_craps import stays
from tests.brute.rivals_two_up import withdrawing
from tests.brute.rounding import at_a_stake, favoured, favoured_in_craps, rounded_up
from tests.brute.wagers import figures_for, figures_of_row, life_of, rows

F = Fraction
LOW = {4: 4, 5: 5, 6: 6, 8: 6, 9: 5, 10: 4}  # 4 and 10, 5 and 9, 6 and 8 are alike


def values(reading: str, wager: str, case: str = "", measure: str = "ev") -> dict[Pick, Fraction]:
    """The figures of one reading for one wager, by pick."""
    found = [it for it in rivals() if (it.reading, it.wager, it.case, it.measure) == (reading, wager, case, measure)]
    assert found, (reading, wager, case, measure)
    return {it.pick: it.value for it in found}


def per_cent(value: Fraction, digits: int) -> str:
    """A figure as the readings print it."""
    return f"{float(100 * value):+.{digits}f}"


def test_no_figure_is_given_twice() -> None:
    def name(it: Rival) -> tuple[object, ...]:
        return it.reading, it.book, it.wager, it.pick, it.case, it.measure

    assert len({name(it) for it in rivals()}) == len(rivals()) > 700


# -- section 0 ---------------------------------------------------------------------------------------------

# Reading, wager, case, the rival's expectation in the table of section 0; for every pick of the wager.
SECTION_0: list[tuple[str, str, str, Fraction]] = [
    ("SB-1 A", "super_streak", "", F(823, 1024)),
    ("SB-1 B", "super_streak", "", F(823, 1024)),
    ("SB-3 unpaid past 12", "super_streak", "", F(-1305, 8192)),
    ("SB-4 each rung", "super_streak", "", F(317, 512)),
    ("SB-8 letter", "even", "", F(-5, 18)),
    ("SB-8 letter, 18 wins", "even", "", F(-29, 108)),
    ("SB-9 repeats", "four_number", "", F(37, 27)),
    ("NZ-1 own hardway only", "hardway_combo", "", F(844771, 1343034)),
    ("NZ-4 line by line", "field", "", F(-1, 12)),
    ("CR-1 whole stake back", "crap_eleven", "", F(1, 36)),
    ("CR-2 whole stake back", "horn", "", F(5, 72)),
    ("CR-3 letter", "dont_win", "point 4", F(1, 3)),
    ("CR-3 letter", "dont_win", "point 5", F(1, 5)),
    ("CR-3 letter", "dont_come", "point 6", F(1, 11)),
    ("CR-9 decided with the Come", "behind_come", "", F(0)),
    ("TU-1 five in all", "spinner", "", F(-365, 2048)),
    ("TU-2 odds not pending", "heads", "one spin in 20 is void", -(F(19, 20) ** 4) / 32),
    ("TU-3 top up", "spinner", "after 1", F(8145, 8192)),
    ("TU-3 top up", "spinner", "after 2", F(399, 128)),
    ("CR-12 letter", "win_line", "", F(-251, 495)),
]


@pytest.mark.parametrize(("reading", "wager", "case", "ev"), SECTION_0, ids=lambda it: str(it))
def test_section_0_rivals(reading: str, wager: str, case: str, ev: Fraction) -> None:
    assert set(values(reading, wager, case).values()) == {ev}


def test_section_0_per_cents() -> None:
    """Figures that are printed rounded, or for several numbers at once."""
    assert {per_cent(ev, 3) for ev in values("SB-2 triple ends", "super_streak").values()} == {"-23.597"}
    assert {per_cent(ev, 2) for ev in values("SB-1 A", "super_streak").values()} == {"+80.37"}
    assert {per_cent(ev, 2) for ev in values("NZ-1 own hardway only", "hardway_combo").values()} == {"+62.90"}
    buys, lays = values("CR-6 once per stay", "buy"), values("CR-6 once per stay", "lay")
    assert [per_cent(buys[number], 2) for number in (4, 5, 6)] == ["-3.33", "-3.00", "-2.73"]
    assert [per_cent(lays[number], 2) for number in (4, 5, 6)] == ["-0.83", "-1.33", "-1.89"]
    assert per_cent(max(favoured(craps.life("place_to_win", 6)).values()), 2) == "+36.36"
    assert [per_cent(ev, 1) for ev in (F(8145, 8192), F(399, 128))] == ["+99.4", "+311.7"]


def test_section_0_taken() -> None:
    """The last column of the table."""
    assert figures_for(sic_bo.BOOK, "super_streak", "size").ev == F(-201, 2048)
    assert figures_for(sic_bo.BOOK, "even").ev == F(-1, 36)
    assert figures_for(sic_bo.BOOK, "four_number", (2, 3, 5, 6)).ev == F(-1, 9)
    assert figures_for(snake_eyes.NZ, "hardway_combo").ev == F(-1, 11)
    fields = [figures_for(snake_eyes.NZ, "field", None, option).ev for option in (1, 2, 3)]
    assert [per_cent(ev, 2) for ev in fields] == ["-2.78", "-5.56", "-5.56"]
    assert {figures_for(craps.BOOK, wager).ev for wager in ("crap_eleven", "horn")} == {F(-1, 18)}
    assert [figures_for(craps.BOOK, "lay", number).ev for number in (4, 5, 6)] == [F(-1, 40), F(-1, 30), F(-1, 24)]
    assert figures_for(craps.BOOK, "behind_come", 6).ev == 0
    assert figures_for(two_up.BOOK, "spinner", "tails").ev == F(-17841, 524288)
    assert figures_for(two_up.BOOK, "heads").ev == F(-1, 32)


# -- section 2 ---------------------------------------------------------------------------------------------


def test_x_1_twice_the_maximum() -> None:
    assert values("X-1 excess kept", "win_line") == {None: F(-43, 165)} == {None: -F(7 + 251, 495) / 2}


def test_x_5_wagers_in_running() -> None:
    worth = {point: values("X-5", "win_line", f"point {point}", "worth")[None] for point in craps.NUMBERS}
    assert worth[4] == F(2, 3)
    worth = {point: values("X-5", "dont_win", f"point {point}", "worth")[None] for point in craps.NUMBERS}
    assert worth == {4: F(4, 3), 5: F(6, 5), 6: F(12, 11), 8: F(12, 11), 9: F(6, 5), 10: F(4, 3)}  # CR-4


def test_x_10_tokens() -> None:
    assert values("X-10", "win_line", measure="worth") == {None: F(244, 495)}
    assert values("X-10", "heads", measure="worth") == {None: F(31, 64)}
    for row in rows():
        assert token(row, returned=True) == 1 + figures_of_row(row).ev, row


SEVERAL_IN_ONE = ("horn", "horn_high", "crap_eleven")


def test_x_12_every_edge_rises_by_the_chance_to_win() -> None:
    for row in rows():
        case = "" if row.pay_table is None else f"pay table {row.pay_table}"
        (rival,) = (it for it in rivals() if it.reading == "X-12 for 1" and (*it[1:4], it.case) == (*row[:3], case))
        plain = figures_of_row(row)
        if row.wager not in SEVERAL_IN_ONE:
            assert rival.value == plain.ev - plain.p_win, row


def test_x_12_part_by_part() -> None:
    """In a Horn and similar wagers, only the part that wins does not get its stake back."""
    horn, elevens, highs = (values("X-12 for 1", wager) for wager in ("horn", "crap_eleven", "horn_high"))
    assert horn[None] == F(-1, 18) - F(6, 36) / 4
    assert elevens[None] == F(-1, 18) - F(6, 36) / 2
    assert highs[12] == F(-1, 18) - (F(5, 36) + 2 * F(1, 36)) / 5
    assert highs[11] == F(-1, 18) - (F(4, 36) + 2 * F(2, 36)) / 5


# stakes of 1 to 60 chips that favour the player, the best stake printed, and what it is worth.
NOT_BY_5, NOT_BY_2, NOT_BY_3, NOT_BY_6 = ([n for n in range(1, 61) if n % by] for by in (5, 2, 3, 6))
ROUNDED: list[tuple[tuple[str, ...], tuple[int, ...], list[int], int, Fraction]] = [
    (("place_to_win",), (6, 8), [1, 2, 3, 4, 7, 8, 9, 13, 14, 19], 1, F(4, 11)),
    (("place_to_win",), (5, 9), [1, 3], 1, F(1, 5)),
    (("place_to_lose",), (4, 10), [1, 3, 5, 7, 9], 1, F(1, 3)),
    (("place_to_lose",), (5, 9), [1, 2, 4, 5, 7, 10, 13], 2, F(1, 5)),
    (("place_to_lose",), (6, 8), [1, 2, 3, 4, 7, 8, 9, 13, 14, 19], 4, F(1, 11)),
    (("behind_win_line", "behind_come"), (6, 8), NOT_BY_5, 1, F(4, 11)),
    (("behind_win_line", "behind_come"), (5, 9), NOT_BY_2, 1, F(1, 5)),
    (("behind_dont_win", "behind_dont_come"), (4, 10), NOT_BY_2, 1, F(1, 3)),
    (("behind_dont_win", "behind_dont_come"), (5, 9), NOT_BY_3, 1, F(1, 5)),
    (("behind_dont_win", "behind_dont_come"), (6, 8), NOT_BY_6, 1, F(1, 11)),
    (("buy",), (5, 9), [1, 3], 1, F(3, 20)),
    (("buy",), (6, 8), [1, 2, 3, 6], 1, F(69, 220)),
    (("lay",), (4, 10), [1, 3, 5, 7, 9, 11, 13], 1, F(37, 120)),
    (("lay",), (5, 9), [1, 2, 4, 5, 8, 11], 1, F(1, 6)),
    (("lay",), (6, 8), [1, 2, 3, 4, 5], 1, F(13, 264)),
]


def test_x_2_the_whole_table() -> None:
    """Nothing in Craps favours the player except what the table lists; no stake is better than the best one it
    names."""
    expected = {
        (wager, number): (stakes, best, ev)
        for wagers, numbers, stakes, best, ev in ROUNDED
        for wager in wagers
        for number in numbers
    }
    found = favoured_in_craps()
    assert found.keys() == expected.keys()
    for named, (stakes, best, ev) in expected.items():
        assert list(found[named]) == stakes, named
        assert found[named][best] == ev == max(found[named].values()), named
    assert [per_cent(ev, 1) for ev in (F(3, 20), F(69, 220), F(37, 120), F(1, 6), F(13, 264))] == [
        "+15.0",
        "+31.4",
        "+30.8",
        "+16.7",
        "+4.9",
    ]


def test_x_2_exactly_nothing() -> None:
    """Stakes at which rounding makes a wager exactly fair: Place 4 and 10 at 1 to 4 chips, Hardways and Any Craps
    at 1."""
    for number in (4, 10):
        even = [chips for chips in range(1, 61) if at_a_stake(craps.life("place_to_win", number), chips, 1).ev == 0]
        assert even == [1, 2, 3, 4]
    for wager, pick in (("hardway", 4), ("hardway", 6), ("hardway", 8), ("hardway", 10), ("any_craps", None)):
        assert at_a_stake(craps.life(wager, pick), 1, 1).ev == 0


def test_x_2_the_spinner_and_whole_odds() -> None:
    assert favoured(two_up.life("spinner", "heads")) == {1: F(5975, 262144)}
    for row in rows():
        if row.book in (sic_bo.BOOK, snake_eyes.NZ):  # all odds whole: rounding never happens
            assert at_a_stake(life_of(row), 1, 1).ev == figures(life_of(row)).ev, row


def test_rounding_up() -> None:
    assert [rounded_up(F(n, 2), 1) for n in range(5)] == [0, 1, 1, 2, 2]
    assert [rounded_up(F(amount), 25) for amount in (0, 1, 25, 26)] == [0, 25, 25, 50]


# -- section 3: Sic Bo -------------------------------------------------------------------------------------


def test_sb_1_every_way_to_count() -> None:
    assert set(values("SB-1 C prime", "super_streak").items()) == {(side, F(-201, 2048)) for side in sic_bo.SIDES}
    assert set(values("SB-1 D", "super_streak").values()) == {F(-2249, 4096)}
    for counted, printed in ((2, "+260.7"), (3, "+621.5")):
        found = values("SB-1 mid-streak", "super_streak", f"{counted} counted").values()
        assert {per_cent(ev, 1) for ev in found} == {printed}
    assert {per_cent(ev, 0) for ev in values("SB-1 mid-streak", "super_streak", "4 counted").values()} == {"+1343"}
    assert values("SB-1 mid-streak", "super_streak", "1 counted") == values("SB-1 A", "super_streak")
    assert set(values("SB-1 mid-streak", "super_streak", "11 counted").values()) == {F(500 + 100, 2)}


def test_sb_1_a_length_named() -> None:
    """Same as reading A, so P(exactly n) = 2^-n below 12, and P(at least n) = 2^-(n-1)."""
    for n, odds in sic_bo.IN_A_ROW.items():
        exactly, at_least = (values("SB-1 E", "super_streak", f"{how} {n}")["size"] for how in ("exactly", "at least"))
        assert exactly == F(1 + odds, 2 ** min(n, 11)) - 1
        assert at_least == F(1 + odds, 2 ** (n - 1)) - 1
    exact = [values("SB-1 E", "super_streak", f"exactly {n}")["parity"] for n in range(4, 13)]
    least = [values("SB-1 E", "super_streak", f"at least {n}")["parity"] for n in range(4, 13)]
    assert (per_cent(max(exact), 0), per_cent(min(exact), 0)) == ("-56", "-95")
    assert (per_cent(least[0], 1), per_cent(min(least), 0), least.index(min(least))) == ("-12.5", "-90", 11 - 4)


def test_sb_2_to_sb_4() -> None:
    triple = values("SB-2 triple ends", "super_streak", "with SB-1 A")
    assert {per_cent(ev, 2) for ev in triple.values()} == {"+57.17"}
    assert set(values("SB-4 each rung", "super_streak", "with SB-1 A").values()) == {F(573, 256)}
    assert set(values("SB-3 paid at the end", "super_streak").values()) == {F(-201, 2048)}
    lasts = values("SB-3 paid at the end", "super_streak", measure="rolls").values()
    assert {f"{float(rolls):.4f}" for rolls in lasts} == {"2.0571"}


def test_sb_6_worth_by_counter() -> None:
    for counted, below in enumerate((2048, 1024, 512, 256, 128)):
        worth = values("SB-6", "super_streak", f"{counted} counted", "worth")
        assert set(worth.values()) == {F(1847, below)}


def test_sb_8_to_sb_10() -> None:
    assert values("SB-8 10 added, 18 wins", "even") == {None: F(-1, 54)}
    assert per_cent(values("SB-8 letter", "super_streak", "on Even")["parity"], 1) == "-80.9"
    assert set(values("SB-10 triple loses", "specific_double").values()) == {F(-1, 6)}


# -- section 4: Craps --------------------------------------------------------------------------------------


def test_cr_1_and_cr_2() -> None:
    assert values("CR-1 odds on all", "crap_eleven") == {None: F(8, 9)}
    high = values("CR-2 whole stake back", "horn_high")
    assert high == {2: F(13, 180), 3: F(1, 15), 11: F(1, 15), 12: F(13, 180)}


def test_cr_3_money_added_after_the_point() -> None:
    added = {4: F(1, 3), 5: F(1, 5), 6: F(1, 11)}
    for point in craps.NUMBERS:
        for wager, sign in (("dont_win", 1), ("dont_come", 1), ("win_line", -1), ("come", -1)):
            assert values("CR-3 letter", wager, f"point {point}") == {None: sign * added[LOW[point]]}


def test_cr_6_once_per_stay() -> None:
    for number in craps.NUMBERS:
        bought, laid = {4: (F(1, 30), F(1, 120)), 5: (F(3, 100), F(1, 75)), 6: (F(3, 110), F(5, 264))}[LOW[number]]
        assert (stays("buy", number), stays("lay", number)) == (-bought, -laid)


def test_cr_8_commission_in_whole_chips() -> None:
    printed = {
        "CR-8 rounded down": {10: "0.000", 25: "3.846", 50: "3.846"},
        "CR-8": {10: "4.762", 25: "4.762", 50: "4.762"},
        "CR-8 rounded up": {10: "9.091", 25: "7.407", 50: "5.660"},
    }
    for reading, by_stake in printed.items():
        for stake, share in by_stake.items():
            found = values(reading, "buy", f"stake {stake}", "share of outlay")
            for number in craps.NUMBERS:
                if (craps.BEHIND[number] * stake).denominator == 1:  # 25 chips at 3 to 2 are rounded up besides
                    assert f"{float(-100 * found[number]):.3f}" == share, (reading, number, stake)
    assert values("CR-8 rounded down", "buy", "stake 25")[5] == F(-1, 25) + F(2, 5) * F(1, 2) / 25


def test_cr_12_by_the_letter() -> None:
    """The stake can be lost, but nothing can be won."""
    for row in rows():
        if row.book == craps.BOOK and row.wager not in ("buy", "lay"):
            assert values("CR-12 letter", row.wager)[row.pick] == -figures_of_row(row).p_lose


def test_cr_9_variance() -> None:
    rival, taken = (
        values(name, "come", "double Behind", "variance")[None] for name in ("CR-9 decided with the Come", "CR-9")
    )
    assert (f"{float(rival):.3f}", f"{float(taken):.3f}") == ("8.167", "6.942")
    plain = values("CR-9 decided with the Come", "behind_come", measure="variance")
    assert plain == {number: craps.BEHIND[number] for number in craps.NUMBERS}


# -- sections 5 to 7 ---------------------------------------------------------------------------------------


def test_tu_1_chance() -> None:
    """P = 99/1024: the expectation is 17/2 of it, minus the stake."""
    assert set(values("TU-1 five in all", "spinner").values()) == {F(17, 2) * F(99, 1024) - 1}


def test_tu_2_for_any_share_of_void_spins() -> None:
    assert F(19, 20) ** 4 / 32 == F(130321, 5120000)
    for void, of in ((0, 1), (1, 20), (1, 10), (1, 3)):
        for side in ("heads", "tails"):
            assert figures(withdrawing(side, void, of)).ev == -((1 - F(void, of)) ** 4) / 32
    for standing in (1, 2, 3, 4):
        for side in ("heads", "tails"):
            found = values("TU-2 odds not pending", side, f"{standing} Odds standing")
            assert found == {None: -F(1, 2 ** (5 - standing))}


def test_tu_10() -> None:
    assert set(values("TU-10 one chip", "spinner").values()) == {F(5975, 262144)}


def test_se_2_to_se_4() -> None:
    """Not printed: each is the sum of its parts."""
    quarters = [5 * figures_for(snake_eyes.NSW, "hardway", number).p_win - 1 for number in (4, 6, 8, 10)]
    assert values("SE-2 four quarter wagers", "hardway_combo") == {None: sum(quarters) / 4} == {None: F(-49, 99)}
    assert values("SE-3 ends without loss", "hardway", "pay table two") == {
        4: F(7, 9),
        6: F(9, 11),
        8: F(9, 11),
        10: F(7, 9),
    }
    for case in ("", "pay table one"):  # Craps; Snake Eyes
        harmless = values("SE-3 ends without loss", "hardway", case)
        assert harmless == {4: F(15, 2) / 9, 6: F(19, 2) / 11, 8: F(19, 2) / 11, 10: F(15, 2) / 9}
    half_craps, half_eleven = 5 * F(4, 36) - 1, 5 * F(2, 36) - 1
    assert values("SE-4 two half wagers", "ce_combo") == {None: (half_craps + half_eleven) / 2} == {None: F(-7, 12)}


def test_se_9() -> None:
    assert set(values("SE-9 one chip", "hardway").values()) == {F(0)}
    assert values("SE-9 five chips", "hardway") == {4: F(-2, 45), 6: F(-2, 55), 8: F(-2, 55), 10: F(-2, 45)}


def test_nz_1_and_nz_11() -> None:
    (rolls,) = values("NZ-1 own hardway only", "hardway_combo", measure="rolls").values()
    assert f"{float(rolls):.3f}" == "3.874"
    assert values("NZ-11 letter", "hardway", "at 7") == {4: F(-7, 9), 10: F(-7, 9)}
    assert values("NZ-11 letter", "hardway_combo") == {None: F(-4, 9)}


def test_the_figures_taken_are_never_for_the_player() -> None:
    """Principle 2 of the readings: every expectation is negative, except for the Behind wagers, which are exactly
    fair."""
    for row in rows():
        ev = figures_for(row.book, row.wager, row.pick, row.pay_table).ev
        assert (ev == 0) if row.wager.startswith("behind_") else (ev < 0), row
