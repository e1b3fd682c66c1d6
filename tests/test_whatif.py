"""What if: other odds, another barred number, unit, reading or book, compared with the book as it is."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from croupier import rulebooks
from croupier.cli.compare import add_compare, compare
from croupier.maths.plan import Staked
from croupier.maths.rows import Analysis
from croupier.maths.what_if import ANY, ComparedBook, Comparison, compare_columns, merged, unit_stakes
from croupier.rules.errors import Impossible, PayTableError, RuleBookError
from croupier.rules.game import read_pay_table
from croupier.rules.machine import Pick, show_pick
from croupier.rules.shelf import Shelf, with_copy
from tests.tables import BOOKS

F = Fraction
ROOT = Path(__file__).parent.parent
HARBOUR = ROOT / "docs" / "examples" / "harbour-craps.toml"
CRAPS, SIC_BO, TWO_UP = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016"
SNAKE_EYES, NZ = "snake-eyes-nsw-2019", "snake-eyes-nz"
SHELF = Shelf()


def column(
    shelf: Shelf, book: str, pay_table: str | None = None, stakes: Mapping[str, Staked] | None = None
) -> ComparedBook:
    return ComparedBook(shelf, shelf.terms(book, read_pay_table(pay_table)), stakes or {})


@cache
def plain(book: str, pay_table: str | None = None) -> ComparedBook:
    return column(SHELF, book, pay_table)


def changed(lines: list[Comparison]) -> dict[tuple[str, Pick], tuple[Fraction, Fraction]]:
    """Edge before and after of every wager and pick that changes."""
    return {
        (line.wager, line.pick): (line.before.edge, line.after.edge)
        for line in lines
        if line.is_changed and line.before is not None and line.after is not None
    }


def paying(book: str, pay_table: str | None = None, **odds: str) -> dict[tuple[str, Pick], tuple[Fraction, Fraction]]:
    """What changes when lines of the pay table pay other odds; `__` stands for a blank."""
    lines = {line.replace("__", " "): text for line, text in odds.items()}
    copy = with_copy(SHELF, book, odds=lines)
    return changed(compare_columns(plain(book, pay_table), column(copy, book, pay_table)))


# -- other pay-outs ---------------------------------------------------------------------------------------------------


def test_any_seven_at_5_to_1_is_fair() -> None:
    assert paying(CRAPS, any_seven="5 to 1") == {("any_seven", None): (F(1, 6), F(0))}


def test_big_6_at_the_odds_of_a_place_bet_has_its_edge() -> None:
    assert paying(CRAPS, big_6="7 to 6") == {("big_6", None): (F(1, 11), F(1, 66))}


def test_a_field_that_pays_one_of_its_ends_threefold_keeps_1_in_36() -> None:
    assert paying(NZ, "field=2", field__12="3 to 1") == {("field", None): (F(1, 18), F(1, 36))}


def test_a_field_that_pays_both_ends_threefold_is_fair() -> None:
    assert paying(CRAPS, field__2__or__12="3 to 1") == {("field", None): (F(1, 18), F(0))}


def test_one_line_may_pay_several_wagers() -> None:
    """33 to 1 on the 2 is a quarter of a Horn, a fifth of a Horn High, or two fifths."""
    by_wager = paying(CRAPS, horn__number__2="30 to 1")
    assert {key: after - before for key, (before, after) in by_wager.items()} == {
        ("horn", None): F(3, 36) / 4,
        ("horn_high", 2): F(3, 36) * 2 / 5,
        ("horn_high", 3): F(3, 36) / 5,
        ("horn_high", 11): F(3, 36) / 5,
        ("horn_high", 12): F(3, 36) / 5,
    }


def test_a_line_that_the_operator_chooses_changes_in_every_approved_column() -> None:
    for pay_table, before in (("one", F(1, 18)), ("two", F(1, 9))):
        assert paying(SNAKE_EYES, pay_table, hardway__4="8 to 1") == {("hardway", 4): (before, F(0))}


# -- other numbers ----------------------------------------------------------------------------------------------------


def barring(number: int, wins: list[int | str]) -> list[Comparison]:
    copy = with_copy(SHELF, CRAPS, sets={"barred": [number], "dont_wins": wins})
    return compare_columns(plain(CRAPS), column(copy, CRAPS))


def test_a_12_barred_is_as_good_as_a_2() -> None:
    assert changed(barring(12, [2, 3])) == {}


def test_a_3_barred_costs_as_much_again_and_more() -> None:
    """The Don't side loses 244/495, and wins what the Win Line loses, 251/495, except for the barred number."""
    lines = barring(3, [2, 12])
    after = F(244, 495) - (F(251, 495) - F(2, 36))
    assert after == F(41, 990)
    assert changed(lines) == {("dont_win", None): (F(3, 220), after), ("dont_come", None): (F(3, 220), after)}
    made = next(line.after for line in lines if line.wager == "dont_win")
    assert made is not None
    assert made.edge_decided == F(41, 935)  # 4.38%, as public tables give it


def test_a_set_that_leaves_lines_of_the_pay_table_unused_is_only_a_copy() -> None:
    """Four in a row no longer pays: 6 to 1 and the stake are lost one time in 32."""
    longer: dict[str, list[int | str]] = {"losing_runs": [0, 1, 2, 3, 4], "paid_runs": [5, 6, 7, 8, 9, 10, 11]}
    lines = compare_columns(plain(SIC_BO), column(with_copy(SHELF, SIC_BO, sets=longer), SIC_BO))
    before, after = F(201, 2048), F(201, 2048) + F(7, 32)
    assert changed(lines) == {("super_streak", "size"): (before, after), ("super_streak", "parity"): (before, after)}


# -- other pay tables -------------------------------------------------------------------------------------------------


def test_the_second_field_of_new_zealand() -> None:
    lines = compare_columns(plain(NZ), plain(NZ, "field=2"))
    assert changed(lines) == {("field", None): (F(1, 36), F(1, 18))}


def test_the_two_columns_of_snake_eyes() -> None:
    found = changed(compare_columns(plain(SNAKE_EYES, "one"), plain(SNAKE_EYES, "two")))
    assert found == {
        ("hardway", 4): (F(1, 18), F(1, 9)),
        ("hardway", 6): (F(1, 22), F(1, 11)),
        ("hardway", 8): (F(1, 22), F(1, 11)),
        ("hardway", 10): (F(1, 18), F(1, 9)),
        ("craps_three", None): (F(1, 18), F(1, 9)),
        ("eleven_in_one", None): (F(1, 18), F(1, 9)),
        ("field", None): (F(1, 18), F(1, 36)),
    }


# -- minimum units ----------------------------------------------------------------------------------------------------


def staking(units: Mapping[str, int], chip: int = 100, book: str = CRAPS) -> list[Comparison]:
    stakes = unit_stakes(SHELF.book(book), units, chip)
    return compare_columns(plain(book), column(SHELF, book, stakes=stakes))


def test_one_chip_to_place_is_rounded_up_to_the_players_favour() -> None:
    sixth, fifth, fourth = (F(1, 66), F(-4, 11)), (F(1, 25), F(-1, 5)), (F(1, 15), F(0))
    wanted: dict[Pick, tuple[Fraction, Fraction]] = {4: fourth, 5: fifth, 6: sixth, 8: sixth, 9: fifth, 10: fourth}
    assert changed(staking({"place_to_win": 1})) == {("place_to_win", pick): edges for pick, edges in wanted.items()}


@pytest.mark.parametrize(("chips", "edge"), [(4, F(-1, 44)), (5, F(0)), (6, F(1, 66)), (7, F(-3, 77))])
def test_larger_units_to_place_a_six(chips: int, edge: Fraction) -> None:
    """7 to 6, rounded up to a chip: 4 pay 5, 5 pay 6, 6 pay 7, 7 pay 9."""
    paid = -(-7 * chips // 6)
    assert edge == F(6, 11) - F(5, 11) * F(paid, chips)
    after = {line.pick: line.after for line in staking({"place_to_win": chips}) if line.wager == "place_to_win"}[6]
    assert after is not None
    assert after.edge == edge


def test_any_unit_is_the_fewest_chips_that_can_be_laid() -> None:
    """The study of X-2 asks the same question and answers it in another way."""
    rows = [row for row in Analysis(SHELF, CRAPS).rows() if row.reading == "X-2 any stake"]
    wanted = {(row.wager, row.pick): (-row.taken_ev, row.figures.edge) for row in rows if row.cost}
    assert changed(staking({ANY: 1}, chip=2400)) == wanted  # a chip whose commission has no part of a cent
    assert ("horn", None) not in wanted
    assert wanted["crap_eleven", None] == (F(1, 18), F(1, 36))


def test_the_exact_unit_changes_nothing() -> None:
    assert changed(staking({"hardway": 2, "horn": 4, "buy": 20, "any_craps": 2})) == {}


def test_a_chip_may_be_so_small_that_the_commission_is_cut_away() -> None:
    found = changed(staking({"buy": 1}, chip=1))
    assert found["buy", 4] == (F(1, 20), F(0))


@pytest.mark.parametrize(
    ("units", "clause", "words"),
    [
        ({"place_to_win": 0}, "7.1 tail", "at least one chip"),
        ({"horn": 3}, "6.2.21", "multiples of 4.00"),
        ({"yo": 1}, "6.2", "no wager called yo"),
    ],
)
def test_units_that_cannot_be(units: dict[str, int], clause: str, words: str) -> None:
    with pytest.raises(Impossible, match=words) as caught:
        staking(units)
    assert caught.value.clause == clause


# -- rival readings ---------------------------------------------------------------------------------------------------


def reading(book: str, *names: str) -> list[Comparison]:
    played = tuple(name for name in names if not SHELF.book(book).is_studied(name))
    studied = next((name for name in names if name not in played), None)
    return compare_columns(plain(book), column(with_copy(SHELF, book, played), book), studied)


def test_even_by_the_letter() -> None:
    assert changed(reading(SIC_BO, "SB-8 letter")) == {("even", None): (F(1, 36), F(5, 18))}


def test_readings_lie_over_each_other() -> None:
    found = changed(reading(SIC_BO, "SB-8 letter, 18 wins", "SB-9 repeats"))
    assert found.pop(("even", None)) == (F(1, 36), F(29, 108))
    assert len(found) == 4
    assert set(found.values()) == {(F(1, 9), F(-37, 27))}


def test_other_picks_are_compared_with_the_one_wager_that_there_was() -> None:
    """A player who names the length of a streak must hit it: 6 to 1 with probability 1/16 for four in a row."""
    found = changed(reading(SIC_BO, "SB-1 E exactly"))
    assert set(found) == {("super_streak", length) for length in range(4, 12)}
    assert found["super_streak", 4] == (F(201, 2048), 1 - F(7, 16))


def test_a_reading_that_changes_no_edge_may_change_the_rest() -> None:
    lines = reading(CRAPS, "CR-9 decided with the Come")
    found = changed(lines)
    assert set(found) == {("behind_come", pick) for pick in (4, 5, 6, 8, 9, 10)}
    assert set(found.values()) == {(F(0), F(0))}
    four = next(line for line in lines if line.pick == 4 and line.wager == "behind_come")
    assert four.before is not None
    assert four.after is not None
    assert four.after.chance("win") == F(1, 3) > four.before.chance("win")
    assert four.after.rolls == 4


def test_a_reading_that_is_only_studied_is_compared_in_its_situation() -> None:
    found = changed(reading(CRAPS, "CR-3 letter"))
    worth = {4: F(1, 3), 5: F(1, 5), 6: F(1, 11), 8: F(1, 11), 9: F(1, 5), 10: F(1, 3)}
    assert found == {(wager, pick): (F(0), -ev) for wager in ("dont_win", "dont_come") for pick, ev in worth.items()}


def test_a_studied_reading_goes_with_other_odds() -> None:
    """Commission once per stay, and Buy 4 at 9 to 5: only losses bear the commission, 2/3 of the wagers."""
    copy = with_copy(SHELF, CRAPS, odds={"buy 4": "9 to 5", "any_seven": "5 to 1"})
    found = changed(compare_columns(plain(CRAPS), column(copy, CRAPS), "CR-6 once per stay"))
    assert found["buy", 4] == (F(1, 20), F(2, 3) * (1 + F(1, 20)) - F(1, 3) * F(9, 5))
    assert found["buy", 10] == (F(1, 20), F(1, 30))
    assert found["any_seven", None] == (F(1, 6), F(0))
    assert {wager for wager, _ in found} == {"buy", "lay", "any_seven"}


def test_a_reading_that_decides_nothing_has_no_figures() -> None:
    with pytest.raises(Impossible, match="never decided") as caught:
        reading(NZ, "NZ-2 letter")
    assert caught.value.clause == "4.1(a)"


@pytest.mark.parametrize("book", BOOKS)
def test_every_reading_costs_what_the_analysis_says(book: str) -> None:
    """The analysis plays a rejected reading as a book of its own and takes the choices of the pay table one by one."""
    rows = [row for row in Analysis(SHELF, book).rows() if not row.taken and is_default(book, row.pay_table)]
    for name in dict.fromkeys(row.reading for row in rows):
        assert name is not None
        over = {study.situation for study in SHELF.book(book).studies if study.over and study.reading == name}
        own = [row for row in rows if row.reading == name and (row.situation is None or row.situation not in over)]
        lines = {(line.wager, line.pick, line.start, line.situation): line for line in reading(book, name)}
        for row in own:
            line = lines[row.wager, row.pick, row.start, row.situation]
            assert line.before is not None
            assert line.after is not None
            assert (-line.before.edge, line.after) == (row.taken_ev, row.figures), (name, row.wager, row.pick)


def is_default(book: str, pay_table: str | None) -> bool:
    """Whether a row is of the default pay table."""
    defaults = {".".join(choice.key): choice.default for choice in SHELF.book(book).rules.pay_table.choices}
    parts = [part.rpartition("=") for part in (pay_table or "").split()]
    return all(defaults[name] == option for name, _, option in parts)


# -- other books ------------------------------------------------------------------------------------------------------


def test_a_book_of_ones_own_shows_exactly_what_differs() -> None:
    shelf = Shelf((HARBOUR,))
    lines = compare_columns(plain(CRAPS), column(shelf, "harbour-craps"))
    assert changed(lines) == {
        ("any_seven", None): (F(1, 6), F(1, 12)),
        ("any_craps", None): (F(1, 18), F(1, 9)),
        ("eleven", None): (F(1, 18), F(1, 9)),
    }  # a barred 12 is worth as much as a barred 2
    new = [line for line in lines if line.before is None or line.after is None]
    assert [(line.wager, line.before, line.change) for line in new] == [("harbour_lights", None, None)]
    assert new[0].after is not None
    assert new[0].after.edge == F(47428, 1497375)
    assert lines[-1] == new[0], "what has no change to be sorted by comes last"


def test_a_copy_of_ones_own_book_takes_lines_of_the_book_it_extends() -> None:
    shelf = Shelf((HARBOUR,))
    copy = with_copy(shelf, "harbour-craps", odds={"any_seven": "5 to 1", "field 2 or 12": "3 to 1"})
    assert changed(compare_columns(column(shelf, "harbour-craps"), column(copy, "harbour-craps"))) == {
        ("any_seven", None): (F(1, 12), F(0)),
        ("field", None): (F(1, 18), F(0)),
    }


def test_a_copy_of_ones_own_book_takes_choices_and_readings_of_the_book_it_extends(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('[book]\nid = "own"\nextends = "snake-eyes-nz"\n', encoding="utf-8")
    shelf = Shelf((file,))
    copy = with_copy(shelf, "own", ("NZ-4 line by line",), {"hardway 4": "8 to 1"})
    assert changed(compare_columns(column(shelf, "own"), column(copy, "own"))) == {
        ("hardway", 4): (F(1, 9), F(0)),
        ("field", None): (F(1, 36), F(1, 12)),
    }


@pytest.mark.parametrize("book", BOOKS)
def test_a_book_beside_itself_shows_nothing(book: str) -> None:
    lines = compare_columns(plain(book), column(with_copy(SHELF, book), book))
    wagers = SHELF.book(book).wagers
    assert {line.wager for line in lines} == set(wagers)
    assert changed(lines) == {}
    assert all(line.change == 0 for line in lines)


PAIRS = [
    (plain(CRAPS), column(Shelf((HARBOUR,)), "harbour-craps")),
    (plain(SNAKE_EYES), plain(NZ)),
    (plain(SNAKE_EYES, "two"), plain(CRAPS)),
    (plain(SIC_BO), column(with_copy(SHELF, SIC_BO, ("SB-1 E exactly",)), SIC_BO)),
    (plain(TWO_UP), column(with_copy(SHELF, TWO_UP, ("X-12 for 1",)), TWO_UP)),
    (plain(CRAPS), column(SHELF, CRAPS, stakes=unit_stakes(SHELF.book(CRAPS), {ANY: 1}, 100))),
]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=lambda side: side.book.id)
def test_the_other_way_round_every_change_is_turned_round(one: ComparedBook, other: ComparedBook) -> None:
    there, back = compare_columns(one, other), compare_columns(other, one)
    assert {(line.wager, line.pick): (line.before, line.after) for line in there} == {
        (line.wager, line.pick): (line.after, line.before) for line in back
    }
    changes = sorted(line.change for line in there if line.change is not None)
    assert changes == sorted(-line.change for line in back if line.change is not None)
    assert any(changes)


# -- lines ------------------------------------------------------------------------------------------------------------


def test_the_largest_change_comes_first() -> None:
    sizes = [abs(line.change) for line in staking({ANY: 1}) if line.change is not None]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == F(25, 66)


def test_equal_picks_share_a_line() -> None:
    lines = [line for line in staking({"place_to_win": 1}) if line.is_changed]
    assert [(each.line.wager, each.picks) for each in merged(lines)] == [
        ("place_to_win", (6, 8)),
        ("place_to_win", (5, 9)),
        ("place_to_win", (4, 10)),
    ]


def test_states_tell_apart_what_pick_and_situation_do_not() -> None:
    found = merged([line for line in reading(TWO_UP, "TU-3 top up") if line.is_changed])
    assert [(each.picks, each.starts, each.line.change) for each in found] == [
        (("heads", "tails"), ("2 up 0 odds",), F(-399, 128)),
        (("heads", "tails"), ("1 up 0 odds",), F(-8145, 8192)),
    ]


# -- the copy ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_every_reading_that_can_be_played_makes_a_copy(book: str) -> None:
    for name in SHELF.book(book).rivals:
        copy = with_copy(SHELF, book, (name,))
        played, laid_over = copy.book(book).rules, SHELF.book(book, (name,)).rules
        assert played == laid_over, name


def test_the_book_itself_stays_as_it_is() -> None:
    files = {file: file.read_bytes() for file in rulebooks.folder(CRAPS).rglob("*.toml")}
    shelf = Shelf()
    copy = with_copy(
        shelf, CRAPS, ("CR-1 odds on all",), {"any_seven": "5 to 1"}, {"barred": [12], "dont_wins": [2, 3]}
    )
    assert copy.book(CRAPS).rules.pay_table.lines["any_seven"] == "5 to 1"
    assert copy.book(CRAPS).rules.sets["barred"] == [12]
    assert copy.book(SIC_BO).rules == shelf.book(SIC_BO).rules
    assert shelf.book(CRAPS).rules == Shelf().book(CRAPS).rules
    assert shelf.book(CRAPS).rules.pay_table.lines["any_seven"] == "4 to 1"
    assert {file: file.read_bytes() for file in rulebooks.folder(CRAPS).rglob("*.toml")} == files


def test_a_copy_can_be_read_otherwise_too() -> None:
    copy = with_copy(SHELF, SIC_BO, odds={"even": "2 to 1"})
    terms = copy.terms(SIC_BO, None, ("SB-8 letter",))
    endings = ComparedBook(copy, terms).lives.life("even", None, "standing").endings
    assert {(end.then, end.net): chance for end, chance in endings.items()} == {
        ("win", F(2)): F(13, 36),
        ("lose", F(-1)): F(23, 36),
    }


def test_odds_go_over_a_reading_that_sets_them_too() -> None:
    copy = with_copy(SHELF, NZ, ("NZ-4 line by line",), {"field 2 alone": "3 to 1"})
    lines = copy.book(NZ).rules.pay_table.lines
    assert (lines["field 2 alone"], lines["field 12 alone"]) == ("3 to 1", "1 to 1")


def test_a_reading_that_adds_lines_up_adds_the_changed_ones() -> None:
    """SB-4 each rung: what a copy pays for four in a row is part of what it pays for five."""
    copy = with_copy(SHELF, SIC_BO, ("SB-4 each rung",), {"super_streak 4": "7 to 1"})
    machine = copy.game(copy.terms(SIC_BO)).machine("super_streak", "size")
    assert {entry.odds for entry in machine.table["small 5"] if entry.then == "win"} == {F(17)}


@pytest.mark.parametrize(
    ("sets", "words"),
    [
        (
            {"barred": [12]},
            ["wager dont_win", "overlaps", "12 is now in both barred and dont_wins", "2 is now in none"],
        ),
        ({"dont_wins": [3]}, ["wager dont_win", "leaves a gap", "Don't Win (6.2.2)", "12 is now in none", "as well"]),
        ({"naturals": [7]}, ["wager win_line", "leaves a gap", "Win Line (6.2.1)", "11 is now in none"]),
        ({"barred": [13]}, ["wager dont_win", "a total of 13"]),
        ({"barred": []}, ["barred", "empty"]),
        ({"bared": [12]}, ["no set", "points, craps, naturals, barred, dont_wins"]),
        (
            {"points": [4, 5, 6, 8, 9], "naturals": [7, 10, 11]},
            ["wager behind_come", '"point 10"', "come never reaches"],
        ),
    ],
)
def test_sets_that_do_not_hold_together_are_refused_with_a_hint(
    sets: dict[str, list[int | str]], words: list[str]
) -> None:
    with pytest.raises(RuleBookError) as caught:
        with_copy(SHELF, CRAPS, sets=sets)
    told = str(caught.value)
    assert told.startswith(CRAPS)
    assert [word for word in words if word not in told] == []


def test_numbers_that_always_stood_in_two_sets_are_no_hint() -> None:
    with pytest.raises(RuleBookError, match="wager super_streak size: leaves a gap") as caught:
        with_copy(SHELF, SIC_BO, sets={"losing_runs": [0, 1, 2]})
    assert "is now in" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "odds", "words"),
    [
        ("any_sven", "5 to 1", "closest match: any_seven"),
        ("yo", "15 to 1", "its lines are win_line, dont_win, "),
        ("any_seven", "5:1", 'write them as "7.5 to 1"'),
    ],
)
def test_lines_and_odds_that_there_are_not(line: str, odds: str, words: str) -> None:
    with pytest.raises(PayTableError, match=words) as caught:
        with_copy(SHELF, CRAPS, odds={line: odds})
    assert caught.value.clause == "8.1"


def test_a_wager_that_pays_nothing_is_refused() -> None:
    with pytest.raises(RuleBookError, match=r"two-up-nsw-2016 as changed: wager heads, row 1: .* pays nothing"):
        with_copy(SHELF, TWO_UP, odds={"heads": "0 to 1"})


# -- the command ------------------------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    parser = argparse.ArgumentParser()
    add_compare(parser)
    assert compare(Shelf((HARBOUR,)), parser.parse_args(words)) == 0
    return capsys.readouterr().out


def refused(*words: str) -> Impossible | RuleBookError:
    parser = argparse.ArgumentParser()
    add_compare(parser)
    with pytest.raises((Impossible, RuleBookError)) as caught:
        compare(Shelf(), parser.parse_args(words))
    assert "\n" not in str(caught.value)
    error = caught.value
    assert isinstance(error, Impossible | RuleBookError)
    return error


def test_the_table_has_both_columns_and_the_change(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = run(capsys, CRAPS, "--pay", "any_seven=5 to 1", "--unit", "place_to_win=1")
    lines = [line.split() for line in out.splitlines()]
    assert ["Any", "Seven", "16.6667%", "0.0000%", "-16.6667", "-1/6"] in lines
    assert ["Place", "Bet", "to", "Win", "6,", "8", "1.5152%", "-36.3636%", "-37.8788", "-25/66"] in lines
    assert "any_seven pays 5 to 1, not 4 to 1" in out
    assert "64 others, counted pick by pick, do not change" in out
    assert "The book itself is not changed." in out
    assert max(map(len, out.splitlines())) <= 80
    assert "Win Line" not in out
    assert "Win Line  " in run(capsys, CRAPS, "--pay", "any_seven=5 to 1", "--all")


def test_chances_and_rolls_are_told_where_they_change(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, NZ, "--reading", "NZ-1 own hardway only")
    assert "wins 2/11 = 0.1818 → 437561/1343034 = 0.3258" in out
    assert "rolls 18/11 = 1.6364 → 2429/627 = 3.8740" in out
    assert "-71.9911  -966865/1343034\n" in out
    out = run(capsys, SIC_BO, "--reading", "SB-1 A", "--reading", "SB-2 triple ends")
    assert "-66.9857\n    exactly -22570934659720573351/33695156183620386816\n" in out


def test_json_has_exact_fractions(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(run(capsys, CRAPS, "harbour-craps", "--json"))
    assert [row["wager"] for row in rows] == ["any_seven", "any_craps", "eleven", "harbour_lights"]
    first, last = rows[0], rows[-1]
    assert (first["book"], first["other"], first["pick"]) == (CRAPS, "harbour-craps", None)
    assert (first["edge_before"], first["edge_after"], first["change"]) == ("1/6", "1/12", "-1/12")
    assert first["change_points"] == pytest.approx(-100 / 12)
    assert (first["p_win_before"], first["rolls_after"], first["stake_after"]) == ("1/6", "1", None)
    assert (last["edge_before"], last["edge_after"], last["change"]) == (None, "47428/1497375", None)
    assert last["rolls_before"] is None


def test_csv_has_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    words = (SIC_BO, "--pay", "combination=5 to 1", "--stake", "10")
    rows = json.loads(run(capsys, *words, "--json"))
    table = list(csv.DictReader(io.StringIO(run(capsys, *words, "--csv"))))
    assert len(table) == len(rows) == 15
    for row, plain_row in zip(rows, table, strict=True):
        assert plain_row["pick"] == show_pick(tuple(row["pick"]))
        assert (plain_row["change"], plain_row["stake_before"]) == (row["change"], "10.00")
        assert list(plain_row) == list(row)


def test_both_columns_at_a_real_stake(capsys: pytest.CaptureFixture[str]) -> None:
    """6 to 5 and 7 to 6 pay the same on 10, rounded up, but not on 30. A Horn cannot be made with either stake."""
    for stake, count in (("10.00", 0), ("30", 1)):
        out = run(capsys, CRAPS, "--pay", "place_to_win 6=6 to 5", "--stake", stake, "--json")
        assert len(json.loads(out)) == count
    out = run(capsys, CRAPS, "--pay", "place_to_win 6=6 to 5", "--stake", "30")
    assert "Left out: Horn is made in multiples of 4.00. (6.2.21)" in out
    rows = json.loads(run(capsys, CRAPS, "--pay", "place_to_win 6=6 to 5", "--stake", "30", "--json", "--all"))
    assert "horn" not in {row["wager"] for row in rows}


def test_the_pay_table_is_that_of_both_columns_unless_the_other_has_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    words = (SNAKE_EYES, "--pay", "any_seven=5 to 1", "--pay-table", "two", "--json")
    assert [row["wager"] for row in json.loads(run(capsys, *words))] == ["any_seven"]
    rows = json.loads(run(capsys, *words, "--other-pay-table", "one"))
    assert {row["wager"] for row in rows} > {"any_seven", "field", "hardway"}
    rows = json.loads(run(capsys, SNAKE_EYES, NZ, "--pay-table", "two", "--other-pay-table", "field=3", "--json"))
    assert {row["wager"]: row["change"] for row in rows} == {"field": "1/36", "craps_twelve": "-1/18"}


def test_nothing_is_said_to_be_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert "No wager changes: all 71, counted pick by pick" in run(capsys, CRAPS, CRAPS)
    assert json.loads(run(capsys, CRAPS, CRAPS, "--json")) == []


@pytest.mark.parametrize(
    ("words", "clause", "told"),
    [
        ((CRAPS,), None, "nothing to compare with"),
        ((CRAPS, "--pay", "any_seven"), "8.1", 'write it as "any_seven=5 to 1"'),
        ((CRAPS, "--pay", "=5 to 1"), "8.1", 'write it as "any_seven=5 to 1"'),
        ((CRAPS, "--pay", "any_seven=" + "9" * 5000), "8.1", "too long"),
        ((CRAPS, "--set", "barred"), "6.2", 'write it as "barred=12"'),
        ((CRAPS, "--unit", "hardway=one"), "7.1 tail", '"one" is not a number of chips'),
        ((CRAPS, "--unit", "hardway=-1"), "7.1 tail", "at least one chip"),
        ((CRAPS, "--unit", "hardway=1", "--chip", "0"), "6.3", "chip must be worth more than zero"),
        ((CRAPS, "--unit", "hardway=1", "--stake", "5"), "7.1 tail", "give only one of them"),
        ((CRAPS, CRAPS, "--stake", "0"), "6.3", "more than zero"),
        ((CRAPS, CRAPS, "--stake", "ten"), "6.3", '"ten" is not an amount'),
        ((CRAPS, CRAPS, "--stake", "7.00", "--chip", "2.00"), "6.3", "chips of 2.00"),
        ((SIC_BO, "--reading", "SB-8"), "3.2.2", "name one of: SB-8 letter, SB-8 letter, 18 wins"),
        ((SIC_BO, "--reading", "SB-8 litter"), "3.1", 'no reading "SB-8 litter"'),
        (
            (CRAPS, "--reading", "CR-6 once per stay", "--reading", "CR-7 kept"),
            "6.2.24",
            "cannot be combined",
        ),
        ((CRAPS, CRAPS, "--reading", "CR-6 once per stay"), "6.2.24", "in the same book"),
        ((CRAPS, "--reading", "X-1 excess kept", "--stake", "10"), "7.3", "in the same book"),
        ((SNAKE_EYES, "--other-pay-table", "three"), "8.1", "it permits one, two"),
        ((NZ, "--other-pay-table", "hardway.4=8"), "4.10", "it permits 7, 6"),
        ((CRAPS, "--other-pay-table", "two"), "8.1", "there is nothing to choose"),
    ],
)
def test_what_cannot_be_asked_gets_a_sentence(words: tuple[str, ...], clause: str | None, told: str) -> None:
    error = refused(*words)
    assert isinstance(error, Impossible)
    assert told in error.sentence
    assert error.clause == clause


def test_a_book_that_there_is_not_is_told_which_there_are() -> None:
    assert "the books are craps-nsw-2024" in str(refused("craps"))
    assert "the books are craps-nsw-2024" in str(refused(CRAPS, "craps"))
