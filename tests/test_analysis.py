"""Exact analysis: against published figures, against the independent figures in tests/brute, and as a command."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import polars
import pytest

from croupier.cli.analyse import approved, names_of_readings
from croupier.cli.main import main
from croupier.maths.chain import Chain, NeverDecided, solve
from croupier.maths.plan import Staked
from croupier.maths.rows import PLAIN_COLUMNS, Analysis, FigureRow, as_object, percent
from tests.brute import wagers as brute
from tests.brute.lives import Figures as BruteFigures
from tests.brute.lives import unrolled
from tests.brute.rival import Rival
from tests.brute.rivals import rivals as brute_rivals
from tests.brute.rounding import favoured_in_craps
from tests.tables import BOOKS, SHELF

CRAPS, SIC_BO, TWO_UP = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016"
SE, NZ = "snake-eyes-nsw-2019", "snake-eyes-nz"


@cache
def rows(book: str) -> list[FigureRow]:
    return list(Analysis(SHELF, book).rows())


def found(
    book: str, wager: str, pick: object = None, reading: str | None = None, taken: bool | None = None
) -> list[FigureRow]:
    return [
        row
        for row in rows(book)
        if (row.wager, row.pick) == (wager, pick)
        and (taken is None or row.taken == taken)
        and (reading is None or row.reading == reading)
    ]


# -- published figures ------------------------------------------------------------------------------------------------

PUBLISHED: list[tuple[str, str, object, Fraction]] = [
    (CRAPS, "win_line", None, Fraction(7, 495)),
    (CRAPS, "come", None, Fraction(7, 495)),
    (CRAPS, "dont_win", None, Fraction(3, 220)),
    (CRAPS, "dont_come", None, Fraction(3, 220)),
    (CRAPS, "behind_win_line", 4, Fraction(0)),
    (CRAPS, "behind_dont_win", 9, Fraction(0)),
    (CRAPS, "behind_come", 6, Fraction(0)),
    (CRAPS, "behind_dont_come", 10, Fraction(0)),
    (CRAPS, "place_to_win", 6, Fraction(1, 66)),
    (CRAPS, "place_to_win", 5, Fraction(1, 25)),
    (CRAPS, "place_to_win", 4, Fraction(1, 15)),
    (CRAPS, "place_to_lose", 4, Fraction(1, 33)),
    (CRAPS, "place_to_lose", 5, Fraction(1, 40)),
    (CRAPS, "place_to_lose", 6, Fraction(1, 55)),
    (CRAPS, "buy", 4, Fraction(1, 20)),
    (CRAPS, "lay", 4, Fraction(1, 40)),
    (CRAPS, "lay", 5, Fraction(1, 30)),
    (CRAPS, "lay", 6, Fraction(1, 24)),
    (CRAPS, "field", None, Fraction(1, 18)),
    (CRAPS, "any_seven", None, Fraction(1, 6)),
    (CRAPS, "any_craps", None, Fraction(1, 18)),
    (CRAPS, "hardway", 4, Fraction(1, 18)),
    (CRAPS, "hardway", 6, Fraction(1, 22)),
    (CRAPS, "big_6", None, Fraction(1, 11)),
    (CRAPS, "horn", None, Fraction(1, 18)),
    (CRAPS, "horn_high", 11, Fraction(1, 18)),
    (CRAPS, "crap_eleven", None, Fraction(1, 18)),
    (SIC_BO, "small", None, Fraction(1, 36)),
    (SIC_BO, "even", None, Fraction(1, 36)),
    (SIC_BO, "specific_triple", 3, Fraction(35, 216)),
    (SIC_BO, "single_die", 1, Fraction(1, 27)),
    (SIC_BO, "four_number", (1, 2, 3, 4), Fraction(1, 9)),
    (SIC_BO, "super_streak", "size", Fraction(201, 2048)),
    (TWO_UP, "heads", None, Fraction(1, 32)),
    (TWO_UP, "tails", None, Fraction(1, 32)),
    (TWO_UP, "spinner", "heads", Fraction(17841, 524288)),
    (NZ, "hardway_combo", None, Fraction(1, 11)),
    (SE, "ce_combo", None, Fraction(1, 6)),
]


@pytest.mark.parametrize(("book", "wager", "pick", "edge"), PUBLISHED)
def test_published_edges(book: str, wager: str, pick: object, edge: Fraction) -> None:
    taken = found(book, wager, pick, taken=True)
    assert taken
    assert {row.figures.edge for row in taken} == {edge}


def test_published_lengths_and_variances() -> None:
    (line,) = found(CRAPS, "win_line")[:1]
    assert (line.figures.rolls, line.figures.variance) == (Fraction(557, 165), 1 - Fraction(7, 495) ** 2)
    streak = found(SIC_BO, "super_streak", "parity", taken=True)[0].figures
    assert (streak.rolls, streak.variance) == (Fraction(1053, 512), Fraction(327125551, 4194304))
    assert found(TWO_UP, "spinner", "tails", taken=True)[0].figures.chance("win") == Fraction(29791, 262144)
    (dont,) = found(CRAPS, "dont_win", taken=True)
    assert (dont.figures.edge, dont.figures.edge_decided) == (Fraction(3, 220), Fraction(27, 1925))
    (once,) = found(CRAPS, "buy", 4, "CR-6 once per stay")
    assert (once.figures.commission, once.figures.edge_outlay) == (Fraction(1, 30), Fraction(1, 31))
    buy, lay = (found(CRAPS, wager, 4, taken=True)[0].figures for wager in ("buy", "lay"))
    assert (buy.edge_outlay, lay.edge_outlay) == (Fraction(1, 21), Fraction(1, 41))


def test_what_depends_on_the_puck() -> None:
    """Readings CR-9 and CR-13 print these."""
    returned = {4: Fraction(1187, 7512), 5: Fraction(673, 3954), 6: Fraction(16769, 91704)}
    returned |= {8: returned[6], 9: returned[5], 10: returned[4]}
    for point, chance in returned.items():
        assert {row.figures.chance("void") for row in found(CRAPS, "behind_come", point, taken=True)} == {chance}
    assert found(CRAPS, "place_to_win", 4)[0].figures.table_rolls == Fraction(12724, 2089)
    assert found(CRAPS, "hardway", 10)[0].figures.table_rolls == Fraction(12724, 2089)
    assert round(float(found(CRAPS, "buy", 9)[0].figures.table_rolls or 0), 3) == 5.585
    assert round(float(found(CRAPS, "buy", 8)[0].figures.table_rolls or 0), 3) == 5.166


# Section by section of the register: book, wager, pick, rival, expectation by the rival, expectation as taken.
COSTS: list[tuple[str, str, object, str, Fraction, Fraction]] = [
    (SIC_BO, "super_streak", "size", "SB-1 A", Fraction(823, 1024), Fraction(-201, 2048)),
    (SIC_BO, "super_streak", "size", "SB-1 B", Fraction(823, 1024), Fraction(-201, 2048)),
    (SIC_BO, "super_streak", "parity", "SB-3 unpaid past 12", Fraction(-1305, 8192), Fraction(-201, 2048)),
    (SIC_BO, "super_streak", "size", "SB-4 each rung", Fraction(317, 512), Fraction(-201, 2048)),
    (SIC_BO, "even", None, "SB-8 letter", Fraction(-5, 18), Fraction(-1, 36)),
    (SIC_BO, "even", None, "SB-8 letter, 18 wins", Fraction(-29, 108), Fraction(-1, 36)),
    (SIC_BO, "four_number", (3, 4, 5, 6), "SB-9 repeats", Fraction(37, 27), Fraction(-1, 9)),
    (NZ, "hardway_combo", None, "NZ-1 own hardway only", Fraction(844771, 1343034), Fraction(-1, 11)),
    (NZ, "field", None, "NZ-4 line by line", Fraction(-1, 12), Fraction(-1, 36)),
    (CRAPS, "crap_eleven", None, "CR-1 whole stake back", Fraction(1, 36), Fraction(-1, 18)),
    (CRAPS, "horn", None, "CR-2 whole stake back", Fraction(5, 72), Fraction(-1, 18)),
    (CRAPS, "dont_win", 4, "CR-3 letter", Fraction(1, 3), Fraction(0)),
    (CRAPS, "dont_win", 9, "CR-3 letter", Fraction(1, 5), Fraction(0)),
    (CRAPS, "dont_come", 6, "CR-3 letter", Fraction(1, 11), Fraction(0)),
    (CRAPS, "buy", 4, "CR-6 once per stay", Fraction(-1, 30), Fraction(-1, 20)),
    (CRAPS, "buy", 5, "CR-6 once per stay", Fraction(-3, 100), Fraction(-1, 20)),
    (CRAPS, "buy", 8, "CR-6 once per stay", Fraction(-3, 110), Fraction(-1, 20)),
    (CRAPS, "lay", 10, "CR-6 once per stay", Fraction(-1, 120), Fraction(-1, 40)),
    (CRAPS, "lay", 9, "CR-6 once per stay", Fraction(-1, 75), Fraction(-1, 30)),
    (CRAPS, "lay", 6, "CR-6 once per stay", Fraction(-5, 264), Fraction(-1, 24)),
    (CRAPS, "buy", 4, "CR-7 kept", Fraction(-1, 20), Fraction(0)),
    (CRAPS, "lay", 4, "X-2 any stake", Fraction(37, 120), Fraction(-1, 40)),
    (CRAPS, "lay", 9, "X-2 any stake", Fraction(1, 6), Fraction(-1, 30)),
    (CRAPS, "lay", 6, "X-2 any stake", Fraction(13, 264), Fraction(-1, 24)),
    (TWO_UP, "spinner", "heads", "TU-4 not returned", Fraction(-1), Fraction(0)),
    (CRAPS, "behind_come", 4, "CR-9 decided with the Come", Fraction(0), Fraction(0)),
    (CRAPS, "place_to_win", 6, "X-2 any stake", Fraction(4, 11), Fraction(-1, 66)),
    (TWO_UP, "spinner", "heads", "TU-1 five in all", Fraction(-365, 2048), Fraction(-17841, 524288)),
    (TWO_UP, "heads", None, "TU-2 odds not pending", Fraction(-130321, 5120000), Fraction(-1, 32)),
    (CRAPS, "win_line", None, "CR-12 letter", Fraction(-251, 495), Fraction(0)),
    (CRAPS, "win_line", None, "X-1 excess kept", Fraction(-43, 165), Fraction(-7, 990)),
    (CRAPS, "win_line", None, "X-10 returned", Fraction(488, 495), Fraction(244, 495)),
    (CRAPS, "horn", None, "X-10 returned", Fraction(17, 18), Fraction(65, 72)),
    (CRAPS, "crap_eleven", None, "X-10 returned", Fraction(17, 18), Fraction(31, 36)),
    (TWO_UP, "heads", None, "X-10 returned", Fraction(31, 32), Fraction(31, 64)),
    (CRAPS, "win_line", None, "X-12 for 1", Fraction(-7, 495) - Fraction(244, 495), Fraction(-7, 495)),
    (TWO_UP, "spinner", "tails", "TU-10 one chip", Fraction(5975, 262144), Fraction(-17841, 524288)),
]


@pytest.mark.parametrize(("book", "wager", "pick", "reading", "ev", "taken_ev"), COSTS)
def test_what_the_rivals_cost(
    book: str, wager: str, pick: object, reading: str, ev: Fraction, taken_ev: Fraction
) -> None:
    own = [row for row in found(book, wager, pick, reading) if row.situation != "with SB-1 A"]
    assert [(row.figures.ev, row.taken_ev, row.cost) for row in own] == [(ev, taken_ev, ev - taken_ev)]
    assert not own[0].taken


def test_a_triple_that_ends_a_streak_and_the_readings_of_the_spinner() -> None:
    """The register gives percentages for the one, and a figure for each state for the other."""
    by_situation = {row.situation: row.figures for row in found(SIC_BO, "super_streak", "size", "SB-2 triple ends")}
    assert (percent(by_situation[None].edge, 3), percent(by_situation["with SB-1 A"].ev, 2)) == ("23.597%", "57.17%")
    added = {row.start: row.figures.ev for row in found(TWO_UP, "spinner", "heads", "TU-3 top up")}
    assert added == {"1 up 0 odds": Fraction(8145, 8192), "2 up 0 odds": Fraction(399, 128)}


def test_by_one_reading_nothing_is_ever_decided() -> None:
    """NZ-2: every roll that can be read is void."""
    assert Analysis(SHELF, NZ).never_decided() == ["NZ-2 letter"]
    assert [row for row in rows(NZ) if row.reading == "NZ-2 letter"] == []


# -- the independent reading ------------------------------------------------------------------------------------------


def value_of(pay_table: str | None) -> object:
    """A pay table under the name that tests/brute uses: a column, or the odds displayed for this very wager."""
    option = (pay_table or "").rpartition("=")[2]
    return int(option) if option.isdecimal() else option or None


def taken_rows(book: str) -> dict[object, FigureRow]:
    return {
        (row.wager, row.pick, value_of(row.pay_table)): row for row in rows(book) if row.taken and row.situation is None
    }


@pytest.mark.parametrize("book", BOOKS)
def test_every_row_taken_is_that_of_the_independent_reading(book: str) -> None:
    theirs = {(row.wager, row.pick, row.pay_table): row for row in brute.rows() if row.book == book}
    ours = taken_rows(book)
    assert ours.keys() == theirs.keys()
    for key, row in theirs.items():
        assert same_figures(ours[key], brute.figures_of_row(row)), key


def same_figures(row: FigureRow, other: BruteFigures) -> bool:
    made = row.figures
    chances = tuple(made.chance(then) for then in ("win", "lose", "void"))
    return (
        chances == (other.p_win, other.p_lose, other.p_void)
        and made.net == {net: chance for net, chance in other.law.items() if chance}
        and (made.ev, made.variance, made.third_moment) == (other.ev, other.variance, other.third)
        and made.rolls == other.rolls
    )


# What the register leaves without a figure, or gives for a situation that needs no counting.
NOT_COUNTED = {"CR-4 refusal at any time", "CR-7 kept", "CR-15 always", "SB-6 below four returned", "TU-4 not returned"}
ROUNDED = {"X-2 any stake", "X-2 commission too"}
NAMED_ALIKE = {("SB-1 E", "exactly"): "SB-1 E exactly", ("SB-1 E", "at"): "SB-1 E at least"}


def counterparts(rival: Rival) -> Iterator[FigureRow]:
    """The rows among which the figure of tests/brute must be."""
    name = NAMED_ALIKE.get((rival.reading, rival.case.partition(" ")[0]), rival.reading)
    if (rival.reading, rival.case) == ("SB-8 letter", "on Even"):
        name = "SB-8 letter, Super Streak on Even"
    for row in rows(rival.book):
        if (row.reading, row.wager) == (name, rival.wager) and (row.pick == rival.pick or name.startswith("SB-")):
            yield row


def measured(row: FigureRow, measure: str) -> Fraction:
    made = row.figures
    values = {"ev": made.ev, "worth": made.ev, "share of outlay": -made.edge_outlay, "variance": made.variance}
    return {**values, "rolls": made.rolls}[measure]


def is_about_rows(rival: Rival) -> bool:
    """Rows about several wagers at once, about the Win side, or about open wagers are shown elsewhere."""
    if rival.reading in ("X-5", "X-10", "SB-6", "CR-8", "CR-9") or "standing" in rival.case:
        return False
    if rival.reading == "SB-1 E" and rival.case == "exactly 12":
        return False  # 12 in a row is settled at once: the same as at least 12
    if rival.reading == "X-10 returned" and rival.wager in ("buy", "lay"):
        return False  # whether a token pays commission is nowhere said
    if rival.reading == "CR-3 letter" and rival.wager in ("win_line", "come"):
        return False
    if rival.reading == "X-1 excess kept" and rival.wager == "super_streak":
        return False  # it has one fixed amount and no maximum (SB-18)
    if rival.book == NZ and rival.reading.split(" ")[0] in ("X-1", "X-10"):
        return False  # the book leaves limits to another text and has no tokens
    return rival.case != "double Behind"


def test_every_rival_is_that_of_the_independent_reading() -> None:
    checked = set()
    for rival in brute_rivals():
        if not is_about_rows(rival) or rival.reading == "CR-3 letter":
            continue
        assert rival.value in {measured(row, rival.measure) for row in counterparts(rival)}, rival
        checked.add(NAMED_ALIKE.get((rival.reading, rival.case.partition(" ")[0]), rival.reading))
    ours = {str(row.reading) for book in BOOKS for row in rows(book) if not row.taken}
    assert ours - checked - NOT_COUNTED - ROUNDED == {"CR-3 letter", "SB-8 letter, Super Streak on Even"}


def test_worth_in_running_is_that_of_the_independent_reading() -> None:
    """X-5 and CR-3 for the lines of Craps, SB-6 for Super Streak."""
    for rival in brute_rivals():
        if rival.reading in ("X-5", "SB-6") or (rival.reading == "CR-3 letter" and rival.wager in ("win_line", "come")):
            analysis = Analysis(SHELF, rival.book)
            state = rival.case if rival.case.startswith("point") else f"small {rival.case.split()[0]}"
            case = analysis.cases(rival.wager, (), (state,))[0]
            worth = analysis.figures(case).ev + (1 if rival.measure == "worth" else 0)
            assert worth == rival.value, rival


def test_added_money_is_that_of_the_independent_reading() -> None:
    """CR-3: the pick of a row is the point."""
    for rival in brute_rivals():
        if rival.reading == "CR-3 letter" and rival.wager in ("dont_win", "dont_come"):
            point = int(rival.case.removeprefix("point "))
            assert {row.figures.ev for row in found(CRAPS, rival.wager, point, "CR-3 letter")} == {rival.value}


def test_stakes_that_favour_the_player_are_those_of_the_register() -> None:
    """X-2, stakes of 1 to 60 chips, every wager of Craps; commission is exact there, so a chip is a thousand cents."""
    analysis = Analysis(SHELF, CRAPS)
    theirs = favoured_in_craps()
    ours: dict[object, dict[int, Fraction]] = {}
    for wager in analysis.book.rules.wagers:
        if wager.id == "behind_come":
            continue  # the independent reading counts it without returns
        unit = wager.multiple.chips if wager.multiple else 1
        for case in analysis.cases(wager.id, ()):
            evs = {n: analysis.figures(case, Staked(n * 24000, 24000)).ev for n in range(unit, 61, unit)}
            favoured = {chips: ev for chips, ev in evs.items() if ev > 0}
            if favoured:
                ours[wager.id, case.shown_pick] = favoured
    assert ours == {key: stakes for key, stakes in theirs.items() if key[0] != "behind_come"}
    assert max(ours[CRAPS_PLACE_6].items(), key=lambda item: item[1]) == (1, Fraction(4, 11))


CRAPS_PLACE_6 = ("place_to_win", 6)


# -- what the figures must satisfy ------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_figures_agree_with_each_other(book: str) -> None:
    for row in rows(book):
        made = row.figures
        assert sum(chance for _, chance in made.results) == 1
        assert sum(made.chance(then) for then in ("win", "lose", "void")) == 1
        assert made.ev == sum(net * chance for net, chance in made.net.items())
        assert made.variance == sum((net - made.ev) ** 2 * chance for net, chance in made.net.items())
        assert made.rolls_variance >= 0
        listed = sum(chance for _, chance in made.lengths)
        assert made.rolls == 0 or Fraction(99, 100) <= listed <= 1
        assert sum(throws * chance for throws, chance in made.lengths) <= made.rolls


@pytest.mark.parametrize("book", BOOKS)
def test_a_row_is_named_once(book: str) -> None:
    keys = [(r.wager, str(r.pick), r.pay_table, r.reading, r.situation, r.start) for r in rows(book)]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("book", BOOKS)
def test_every_wager_has_an_edge_for_the_house_as_taken(book: str) -> None:
    """The second principle of the register: only Behind wagers are fair."""
    for row in rows(book):
        if row.taken:
            fair = SHELF.book(book).wagers[row.wager].behind is not None
            assert row.figures.edge == 0 if fair else row.figures.edge > 0


def test_every_money_reading_with_rivals_has_rows_or_says_why() -> None:
    """Rejected readings about money that are not computed give their cost in words in the register."""
    for book in BOOKS:
        computed = {*names_of_readings(Analysis(SHELF, book))}
        for reading in SHELF.book(book).readings:
            for rival in reading.rivals:
                if "MONEY" in reading.tags and f"{reading.id} {rival.name}" not in computed:
                    assert rival.edge or reading.id in WITHOUT_MONEY, f"{reading.id} {rival.name}"


# These rivals are about what may be staked or who decides, not about what a wager is worth.
WITHOUT_MONEY = {"CR-24", "SB-18", "SB-20", "X-5", "X-16"}


def test_a_chain_that_is_never_left_is_refused() -> None:
    with pytest.raises(NeverDecided):
        solve({"here": {"there": Fraction(1)}, "there": {"here": Fraction(1)}}, {})
    fair = Chain({"in": {"in": Fraction(1, 2)}}, {"in": {"out": Fraction(1, 2)}})
    assert fair.endings() == {"in": {"out": Fraction(1)}}
    assert fair.rolls() == {"in": (Fraction(2), Fraction(6))}


# -- the command ------------------------------------------------------------------------------------------------------


def run(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = main(["analyse", *words])
    out = capsys.readouterr()
    return status, out.out, out.err


@pytest.mark.parametrize("book", BOOKS)
def test_json_is_as_agreed(book: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["analyse", book, "--json"]) == 0
    given = json.loads(capfdbinary.readouterr().out)
    assert given == json.loads(json.dumps([as_object(row) for row in rows(book)]))
    for row in given:
        assert row["book"] == book
        assert row["wager"] in SHELF.book(book).wagers
        for field in ("p_win", "p_lose", "p_void", "ev", "variance", "rolls"):
            assert str(Fraction(row[field])) == row[field]
        assert isinstance(row["house_edge"], float)
        assert row["house_edge"] == pytest.approx(float(-100 * Fraction(row["ev"])))
        assert isinstance(row["taken"], bool)
        assert row["taken"] == (row["reading"] is None or " " not in row["reading"])


def test_a_plain_text_has_no_reading() -> None:
    """Readings about every wager at once, such as NZ-2 or X-12, are not readings of a wager."""
    for book, wager in (
        (CRAPS, "win_line"),
        (SIC_BO, "small"),
        (TWO_UP, "heads"),
        (SE, "any_seven"),
        (NZ, "any_seven"),
    ):
        assert {row.reading for row in found(book, wager, taken=True)} == {None}
    assert {row.reading for row in found(CRAPS, "buy", 4, taken=True)} == {"CR-6"}
    readings = {row.reading for row in found(SIC_BO, "super_streak", "size", taken=True)}
    assert {"SB-1", "SB-2", "SB-3", "SB-4"} <= readings


def test_approved_pay_tables_have_rows_of_their_own() -> None:
    assert {row.pay_table for row in rows(SE)} == {"one", "two"}
    own = {row.pay_table for row in rows(NZ) if row.pay_table}
    assert own == set(approved(SHELF.book(NZ)))
    assert {row.figures.edge for row in found(NZ, "hardway", 4, taken=True)} == {Fraction(1, 9), Fraction(2, 9)}


def test_the_page_and_the_command_list_every_name(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parent.parent / "docs" / "analysis.md").read_text(encoding="utf-8")
    for book in BOOKS:
        _, out, _ = run(book, "--list", capsys=capsys)
        for name in names_of_readings(Analysis(SHELF, book)):
            assert f"`{name}`" in page
            assert f"  {name}\n" in out
        for name in approved(SHELF.book(book)):
            assert f"`{name}`" in page
            assert name in out


def test_csv_and_parquet_have_the_same_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(SIC_BO, "--csv", capsys=capsys)
    table = list(csv.DictReader(io.StringIO(out)))
    assert [row["ev"] for row in table] == [str(row.figures.ev) for row in rows(SIC_BO)]
    assert tuple(table[0]) == PLAIN_COLUMNS
    status, out, _ = run(SIC_BO, "--parquet", str(tmp_path / "rows.parquet"), capsys=capsys)
    assert (status, out) == (0, f"{tmp_path / 'rows.parquet'}: {len(rows(SIC_BO))} rows\n")
    frame = polars.read_parquet(tmp_path / "rows.parquet")
    assert frame["variance"].to_list() == [row["variance"] for row in table]
    assert {row["pick"] for row in table} - {""} == set(frame["pick"].drop_nulls())


def test_the_table_is_sorted_by_edge(capsys: pytest.CaptureFixture[str]) -> None:
    for book in BOOKS:
        _, out, _ = run(book, capsys=capsys)
        edges = [float(line.split("%")[1]) for line in out.splitlines() if line.count("%") == 2]
        assert edges == sorted(edges)
        assert len(edges) >= len(SHELF.book(book).wagers)


def test_filters(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(SE, "--pay-table", "two", "--wager", "hardway", "--pick", "4", "--csv", capsys=capsys)
    assert {(r["wager"], r["pick"], r["pay_table"]) for r in csv.DictReader(io.StringIO(out))} == {
        ("hardway", "4", "two")
    }
    _, out, _ = run(
        NZ, "--pay-table", "hardway.4=6", "--wager", "hardway", "--reading", "taken", "--csv", capsys=capsys
    )
    tables = {r["pay_table"] for r in csv.DictReader(io.StringIO(out))}
    assert tables == {"hardway.4=6", "hardway.6=9", "hardway.8=9", "hardway.10=7"}
    _, out, _ = run(SIC_BO, "--reading", "SB-8", "--csv", capsys=capsys)
    assert {r["reading"].split(" ")[0] for r in csv.DictReader(io.StringIO(out))} == {"SB-8"}
    _, out, _ = run(CRAPS, "--wager", "behind_win_line", "--pick", "6", "--csv", capsys=capsys)
    assert {r["pick"] for r in csv.DictReader(io.StringIO(out))} == {"6"}


def test_a_real_stake(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(CRAPS, "--stake", "5.00", "--chip", "5.00", "--reading", "taken", "--csv", capsys=capsys)
    evs = {(r["wager"], r["pick"]): Fraction(r["ev"]) for r in csv.DictReader(io.StringIO(out))}
    assert evs["place_to_win", "6"] == Fraction(4, 11)
    assert evs["buy", "5"] == Fraction(2, 5) * 2 - Fraction(3, 5) - Fraction(1, 20)
    assert not {"horn", "horn_high", "crap_eleven"} & {wager for wager, _ in evs}
    _, out, _ = run(CRAPS, "--stake", "5.00", capsys=capsys)
    assert "Left out: Horn is made in multiples of 4.00. (6.2.21)" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((CRAPS, "--wager", "pass_line"), "The book has no wager called pass_line. (6.2)"),
        ((CRAPS, "--wager", "field", "--stake", "2.50"), "2.50 cannot be laid in chips of 1.00. (6.3)"),
        ((CRAPS, "--wager", "field", "--stake", "0"), "A stake must be more than zero. (6.3)"),
        ((CRAPS, "--wager", "horn", "--stake", "6.00"), "Horn is made in multiples of 4.00. (6.2.21)"),
        ((CRAPS, "--chip", "0.00"), "The smallest chip must be worth more than zero. (6.3)"),
        ((TWO_UP, "--chip", "-1"), "The smallest chip must be worth more than zero. (4.5)"),
        ((NZ, "--chip", "0"), "The smallest chip must be worth more than zero. (4.3)"),
        ((SE, "--pay-table", "three"), "The book does not permit 'three' for pay_table; it permits one, two. (8.1)"),
        ((NZ, "--pay-table", "hardway.4=9"), "The book does not permit 9 for hardway.4; it permits 7, 6. (4.10)"),
        ((NZ, "--pay-table", "hardway.5=9"), "The pay table leaves no choice called hardway.5. (4.9)"),
        ((CRAPS, "--wager", "field", "--pick", "3"), "Field is made without a pick. (6.2.17)"),
        ((CRAPS, "--pick", "3"), "A pick needs its wager: name it with --wager. (6.2)"),
        ((CRAPS, "--reading", "CR-13"), "CR-13 does not change the figures of any wager. (6.7)"),
    ],
)
def test_bad_input_gets_one_sentence_with_its_clause(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words, capsys=capsys) == (2, "", f"croupier: {sentence}\n")


def test_an_unknown_reading_is_answered_with_all_names(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(SIC_BO, "--reading", "SB-99", capsys=capsys)
    assert (status, out) == (2, "")
    assert err.startswith('croupier: sic-bo-nsw-2016 has no reading "SB-99"; it has: SB-1 A, ')
    assert err.count("\n") == 1


def test_per_cents_are_rounded_in_exact_arithmetic() -> None:
    assert percent(Fraction(7, 495)) == "1.4141%"
    assert percent(Fraction(-1, 3), 2) == "-33.33%"
    assert percent(Fraction(1, 1000), 0) == "0%"
    assert percent(Fraction(5, 10**6), 3) == "0.000%"
    assert percent(Fraction(15, 10**6), 3) == "0.002%"


# -- the register -----------------------------------------------------------------------------------------------------

FRACTION = re.compile(r"\b(\d+)/(\d+)\b")


def fractions_in(text: str) -> set[Fraction]:
    return {Fraction(int(top), int(under)) for top, under in FRACTION.findall(text)}


def test_the_register_and_the_rows_agree() -> None:
    """Every fraction that the register gives as the edge of a rejected reading's own is computed, as an edge or a
    worth."""
    seen = 0
    for book in BOOKS:
        common = {reading.id for reading in SHELF.book(book).common_readings}
        for reading in SHELF.book(book).readings:
            for rival in reading.rivals:
                own = [row for row in rows(book) if row.reading == f"{reading.id} {rival.name}"]
                if not own or reading.id in common:
                    continue
                computed = {abs(ev) for row in own for ev in (row.figures.ev, row.taken_ev, 1 + row.taken_ev)}
                given = fractions_in(rival.edge or "") - {Fraction(1, 20)}  # the share of void spins in TU-2
                assert given <= computed | {Fraction(1, 32)}, rival  # Heads and Tails, the same by both readings (TU-1)
                seen += len(given)
    assert seen > 40


# -- books of one's own -----------------------------------------------------------------------------------------------

OWN = """
[book]
id = "{id}"
game = "Own"
title = "A book of one's own"
jurisdiction = "none"
casino = "none"
regulator = "none"
instrument = "none"
takes_effect = "never"
timezone = "UTC"

[throw]
faces = [1, 2, 3, 4, 5, 6]
throw = {dice}
command = "roll"
field = "dice"
clause = "1.1"

[void]
wagers = "stand"
clause = "1.1"
grounds = ["1.1"]

[clauses."1.1"]
class = "enforced"
summary = "Everything."

[pay_table]
clause = "1.1"

[pay_table.lines]
long = "1 to 1"

[[wagers]]
id = "long"
name = "Long"
clause = "1.1"
help = "Long."
rows = [
{rows}
]
"""


def own_book(folder: Path, name: str, dice: int, *rows: str, more: str = "") -> str:
    file = folder / f"{name}.toml"
    lines = "\n".join(f'  {{ {row}, clause = "1.1" }},' for row in rows)
    file.write_text(OWN.replace("{id}", name).replace("{dice}", str(dice)).replace("{rows}", lines) + more)
    return str(file)


def test_a_wager_that_lasts_very_long_is_computed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its lengths are listed as far as anyone would read them; its mean is exact."""
    rows = (
        'on = "exactly 4 of 6", then = "win"',
        'on = "exactly 4 of 1", then = "lose"',
        'on = "otherwise", then = "stay"',
    )
    file = own_book(tmp_path, "slow", 4, *rows)
    status, out, _ = run("slow", "--with", file, "--csv", capsys=capsys)
    assert status == 0
    assert [row["rolls"] for row in csv.DictReader(io.StringIO(out))] == ["648"]


def test_a_machine_that_goes_round_in_circles_is_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One step up on a 6, one down on a 1, from one to three steps away: by symmetry the middle wins half the time."""
    rows = (
        'in = "2", on = "exactly 1 of 6", then = "go 3"',
        'in = "2", on = "exactly 1 of 1", then = "go 1"',
        'in = "2", on = "otherwise", then = "stay"',
        'in = "1", on = "exactly 1 of 6", then = "go 2"',
        'in = "1", on = "exactly 1 of 1", then = "lose"',
        'in = "1", on = "otherwise", then = "stay"',
        'in = "3", on = "exactly 1 of 6", then = "win"',
        'in = "3", on = "exactly 1 of 1", then = "go 2"',
        'in = "3", on = "otherwise", then = "stay"',
    )
    file = own_book(tmp_path, "circles", 1, *rows)
    text = Path(file).read_text(encoding="utf-8").replace('help = "Long."', 'help = "Long."\nstart = "2"')
    Path(file).write_text(text, encoding="utf-8")
    status, out, _ = run("circles", "--with", file, "--csv", capsys=capsys)
    assert status == 0
    assert [(r["p_win"], r["rolls"]) for r in csv.DictReader(io.StringIO(out))] == [("1/2", "12")]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ('[[studies]]\nreading = "LO-9 x"', "study LO-9 x: is not a rival reading in the register"),
        ('[rivals."LO-9 x".pay_table]\nreckoned = "for"', "rival LO-9 x: is not in the register of readings"),
    ],
)
def test_studies_and_rivals_of_ones_own_are_checked(
    more: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = own_book(
        tmp_path, "own", 1, 'on = "exactly 1 of 6", then = "win"', 'on = "otherwise", then = "lose"', more=more
    )
    status, out, err = run("own", "--with", file, capsys=capsys)
    assert (status, out) == (2, "")
    assert err == f"croupier: own.toml: {sentence}\n"


def test_nobody_listens(tmp_path: Path) -> None:
    """With standard output closed, and into a pipe that is closed early, the command ends without a message."""
    for words in ("analyse two-up-nsw-2016 >&-", "analyse --json | head -c 1 > /dev/null"):
        done = subprocess.run(
            f"{sys.executable} -m croupier.cli.main {words}", shell=True, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_a_book_two_steps_from_another_is_analysed_like_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has the readings, rejected readings and studies of the first book, including the common ones."""
    head = '[book]\nid = "{id}"\nextends = "{base}"\ngame = "Craps"\ntitle = "{id}"\n'
    for name, base in (("one", CRAPS), ("two", "one")):
        (tmp_path / f"{name}.toml").write_text(head.replace("{id}", name).replace("{base}", base), encoding="utf-8")
    own = [word for name in ("one", "two") for word in ("--with", str(tmp_path / f"{name}.toml"))]
    status, out, err = run("two", *own, "--csv", capsys=capsys)
    assert (status, err) == (0, "")
    told = [{**row, "book": CRAPS} for row in csv.DictReader(io.StringIO(out))]
    _, out, _ = run(CRAPS, "--csv", capsys=capsys)
    assert told == list(csv.DictReader(io.StringIO(out)))


def test_rivals_and_studies_that_no_longer_fit_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A Spinner's bet of another kind: TU-1 and TU-3 are about states that no longer exist."""
    text = (
        f'[book]\nid = "own-up"\nextends = "{TWO_UP}"\ngame = "Two-Up"\ntitle = "Own"\n'
        '[[wagers]]\nid = "spinner"\nstart = "begin"\ntake = []\nrows = [\n'
        '  { in = "begin", on = "{wanted}", then = "win", pays = "spinner", clause = "4.1.1.1.{limb}" },\n'
        '  { in = "begin", on = "not {wanted}", then = "lose", clause = "4.1.1.2.{limb}" },\n]\n'
    )
    (tmp_path / "own-up.toml").write_text(text, encoding="utf-8")
    status, out, err = run("own-up", "--with", str(tmp_path / "own-up.toml"), "--csv", capsys=capsys)
    assert (status, err) == (0, "")
    names = {row["reading"] for row in csv.DictReader(io.StringIO(out))}
    assert {"X-12 for 1", "TU-2 odds not pending"} <= names
    assert not {"TU-1 five in all", "TU-3 top up"} & names


def test_commission_of_a_wager_that_cannot_win_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two sixes in a row, 10% of the possible win: the first throw never wins, and the commission is due all the
    same."""
    rows = (
        'in = "first", on = "exactly 1 of 6", then = "go second"',
        'in = "first", on = "otherwise", then = "lose"',
        'in = "second", on = "exactly 1 of 6", then = "win"',
        'in = "second", on = "otherwise", then = "lose"',
    )
    file = Path(own_book(tmp_path, "late", 1, *rows))
    extra = 'help = "Long."\nstart = "first"\ncommission = { rate = "1/10", of = "winnings", clause = "1.1" }'
    text = file.read_text(encoding="utf-8").replace('help = "Long."', extra).replace("1 to 1", "30 to 1")
    file.write_text(text, encoding="utf-8")
    status, out, err = run("late", "--with", str(file), "--csv", capsys=capsys)
    assert (status, err) == (0, "")
    assert [row["ev"] for row in csv.DictReader(io.StringIO(out))] == [str(Fraction(31, 36) - 1 - 3)]


# -- one row in full --------------------------------------------------------------------------------------------------


def test_a_row_written_by_hand(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Place to Win 6: five ways to win 7/6, six to lose, 36/11 rolls; asleep on come out rolls."""
    assert main(["analyse", CRAPS, "--wager", "place_to_win", "--pick", "6", "--reading", "taken", "--json"]) == 0
    (row,) = json.loads(capfdbinary.readouterr().out)
    sd = (Fraction(5, 11) * Fraction(6, 11)) ** 0.5 * 13 / 6
    lengths = row.pop("lengths")
    assert lengths[:2] == [[1, "11/36"], [2, "275/1296"]]
    assert row.pop("sd") == pytest.approx(sd)
    assert row.pop("skewness") == pytest.approx((6 - 5) / 30**0.5)
    assert row.pop("house_edge") == pytest.approx(100 / 66)
    assert row == {
        "book": CRAPS,
        "wager": "place_to_win",
        "pick": 6,
        "pay_table": None,
        "reading": None,
        "taken": True,
        "p_win": "5/11",
        "p_lose": "6/11",
        "p_void": "0",
        "ev": "-1/66",
        "variance": "845/726",
        "rolls": "36/11",
        "name": "Place Bet to Win",
        "clause": "6.2.10",
        "situation": None,
        "start": "standing",
        "taken_ev": "-1/66",
        "cost": "0",
        "edge_decided": "1/66",
        "edge_outlay": "1/66",
        "commission": "0",
        "third_moment": str(Fraction(13, 6) ** 3 * Fraction(30, 1331)),
        "rolls_variance": "900/121",
        "table_rolls": "1815516/351461",
        "stake": None,
        "chip": None,
        "net": [["-1", "6/11"], ["7/6", "5/11"]],
    }


def test_lengths_and_their_variance_are_those_of_the_independent_reading() -> None:
    for row in brute.rows():
        if row.wager == "behind_come":
            continue
        ours = taken_rows(row.book)[row.wager, row.pick, row.pay_table].figures
        _, theirs = unrolled(brute.life_of(row), 70)
        assert [chance for _, chance in ours.lengths] == theirs[: len(ours.lengths)], row
        mean = sum(n * chance for n, chance in enumerate(theirs, start=1))
        square = sum(n * n * chance for n, chance in enumerate(theirs, start=1))
        assert float(ours.rolls_variance) == pytest.approx(float(square - mean**2), rel=1e-4)
