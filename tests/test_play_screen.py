"""What the terminal game shows: the felt, the lights, the sign, help and the pay table."""

from __future__ import annotations

import contextlib
from io import StringIO

import pytest
from rich.console import Console

from croupier.play import play
from croupier.play.loop import Playing
from croupier.play.solo_game import YOU, SoloGame, seeded
from croupier.rules.book import definition_number
from croupier.table.decide import Refused, open_table
from tests.seated import (
    CRAPS,
    SCRIPTS,
    SIC_BO,
    SNAKE_EYES,
    SNAKE_EYES_NZ,
    TWO_UP,
    make_console,
    run,
    said,
    sit_down,
    text_of,
)
from tests.tables import BOOKS, SHELF


@pytest.mark.parametrize("book_id", BOOKS)
@pytest.mark.parametrize(("width", "height"), [(80, 24), (80, 50), (120, 40), (200, 50), (60, 30), (40, 20)])
def test_a_game_of_each_book_keeps_within_the_width(book_id: str, width: int, height: int) -> None:
    shown = run(book_id, *SCRIPTS[book_id], "help", "rules", width=width, height=height)
    assert max(map(len, shown.splitlines())) <= width
    assert "You leave with" in shown.splitlines()[-1] or "You leave with" in shown.splitlines()[-2]


@pytest.mark.clause(CRAPS, "2.2")
@pytest.mark.clause(SIC_BO, "2.2")
@pytest.mark.clause(TWO_UP, "2.2")
@pytest.mark.clause(SNAKE_EYES, "2.2")
@pytest.mark.clause(SNAKE_EYES_NZ, "3.2")
@pytest.mark.parametrize("book_id", BOOKS)
def test_the_layout_is_drawn_with_every_area(book_id: str) -> None:
    shown = run(book_id, width=200, height=50)
    layout = SHELF.book(book_id).layout
    assert layout is not None
    for label in {area.label for area in layout.areas}:
        expected = sum(area.label == label for area in layout.areas)
        assert shown.count(label) >= expected, label


@pytest.mark.parametrize("book_id", BOOKS)
@pytest.mark.parametrize(("width", "height"), [(80, 24), (80, 50), (120, 40)])
def test_chips_are_seen_on_every_area(book_id: str, width: int, height: int) -> None:
    """Whatever the size of the felt, chips on it are never left out."""
    table = open_table(book_id, {YOU: "1000000.00"}, shelf=SHELF)
    session = SoloGame(table, seeded(1), 0)
    screen = Playing(session, make_console(width, height), iter(())).screen
    for spot in session.spots:
        with contextlib.suppress(Refused):
            session.bet(spot.wager.id, spot.pick, 7_700_000)
            felt = "".join(line.plain for line in screen.felt(width, height - 10))
            assert felt.count("●") + felt.count("○") == 1, spot
            session.undo()


def test_chips_limits_results_and_puck_are_on_the_screen() -> None:
    shown = run(CRAPS, "10 win line", "")
    assert "In hand 990.00   On the layout 10.00   Shooter: you   Puck ON 8" in shown
    assert "Results none yet" in shown
    assert "SIX" in shown
    playing = sit_down(CRAPS, (4, 4), (3, 3))
    said(playing, "10 win line", "", "")
    assert "Results 6 · 8 (newest first)" in playing.screen.results(80).plain
    assert "8  ON" in "\n".join(line.plain for line in playing.screen.felt(80, 14))


@pytest.mark.clause(CRAPS, "7.1")
@pytest.mark.clause(SIC_BO, "4.1", "6.7")
@pytest.mark.clause(TWO_UP, "5.1")
@pytest.mark.clause(SNAKE_EYES, "7.1")
@pytest.mark.parametrize(
    ("book_id", "sign"),
    [
        (CRAPS, "Sign: chips of 5.00, no maximum (7.1); wins rounded up to 5.00 (6.8)"),
        (SIC_BO, "Sign: chips of 5.00, no maximum (4.1); Super Streak exactly 10.00 (6.7)"),
        (TWO_UP, "Sign: chips of 5.00, no maximum (5.1); wins rounded up to 5.00 (4.10)"),
        (SNAKE_EYES, "Sign: chips of 5.00, no maximum (7.1); wins rounded up to 5.00 (6.5)"),
        (SNAKE_EYES_NZ, "Sign: chips of 5.00, no maximum"),
    ],
)
def test_the_sign_is_at_the_table(book_id: str, sign: str) -> None:
    assert sign in run(book_id, chip="5.00").splitlines()


def test_the_sign_states_a_fixed_amount_that_the_chips_can_make() -> None:
    assert "Super Streak exactly 12.00 (6.7)" in run(SIC_BO, chip="3.00")


@pytest.mark.parametrize("book_id", BOOKS)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_screen_says_what_is_thrown_and_whether_it_is_seeded(book_id: str, width: int) -> None:
    field = SHELF.book(book_id).rules.throw.field
    assert f"SEEDED {field.upper()} (seed 1234567)" in run(book_id, seed=1234567, width=width)
    shown = run(book_id, seed=None, width=width)
    assert f"electronic {field}" in shown
    assert "SEEDED" not in shown


@pytest.mark.clause(CRAPS, "2.4.5.1", "2.4.5.2")
def test_off_and_on_markers_are_shown() -> None:
    playing = sit_down(CRAPS, (2, 2))
    assert "Hardways 8, OFF" in said(playing, "5 hard 8", "wagers")
    assert "Hardways 8 is ON (6.7.2)" in said(playing, "on hard 8")
    assert "Hardways 8, ON" in said(playing, "wagers")
    assert "●5" in "\n".join(line.plain for line in playing.screen.felt(80, 14))
    said(playing, "off")
    assert "Hardways 8, OFF" in said(playing, "wagers")
    assert "○5" in "\n".join(line.plain for line in playing.screen.felt(80, 14))


@pytest.mark.clause(CRAPS, "2.4.5.3", "2.4.5.4", "2.4.5.5")
def test_lay_buy_and_place_to_lose_are_told_apart() -> None:
    playing = sit_down(CRAPS)
    held = said(playing, "40 lay 4; 20 buy 4; 11 lose 4", "wagers")
    assert [line.strip() for line in held.splitlines()] == [
        "40.00 Lay 4",
        "20.00 Buy 4, OFF",
        "11.00 Place Bet to Lose 4",
    ]
    felt = [line.plain for line in playing.screen.felt(80, 14)]
    assert any(line.startswith("│Lay    ●40│") for line in felt)
    assert any(line.startswith("│Buy    ○20│") for line in felt)
    assert any(line.startswith("│Lose   ●11│") for line in felt)


@pytest.mark.clause(SIC_BO, "2.3")
@pytest.mark.clause(TWO_UP, "2.5")
@pytest.mark.clause(SNAKE_EYES, "2.6.3.2")
@pytest.mark.clause(SNAKE_EYES_NZ, "3.4(c)(ii)")
@pytest.mark.parametrize(
    ("book_id", "throw", "lit"),
    [
        (
            SIC_BO,
            (3, 3, 5),
            {
                *(("big", None), ("odd", None), ("total", 11), ("combination", (3, 5)), ("specific_double", 3)),
                *(("single_die", 3), ("single_die", 5)),
            },
        ),
        (
            SIC_BO,
            (2, 2, 2),
            {("any_triple", None), ("specific_triple", 2), ("specific_double", 2), ("total", 6), ("single_die", 2)},
        ),
        (TWO_UP, ("T", "T"), {("tails", None)}),
        (SNAKE_EYES, (1, 1), {("craps_two", None), ("ce_combo", None), ("field", None)}),
        (SNAKE_EYES_NZ, (3, 3), {("hardway", 6), ("hardway_combo", None), ("six", None)}),
    ],
)
def test_winning_areas_light_up(book_id: str, throw: tuple[object, ...], lit: set[tuple[str, object]]) -> None:
    playing = sit_down(book_id, throw)
    said(playing, "")
    assert playing.session.won == lit
    felt = "\n".join(line.plain for line in playing.screen.felt(160, 50))
    assert felt.count("★") == len(lit)


def test_areas_that_sleep_do_not_light_up() -> None:
    playing = sit_down(CRAPS, (2, 2), (2, 2))
    said(playing, "5 hard 4", "")
    assert ("hardway", 4) not in playing.session.won
    assert ("place_to_win", 4) not in playing.session.won
    said(playing, "")
    assert ("hardway", 4) in playing.session.won
    assert ("place_to_win", 4) in playing.session.won


@pytest.mark.clause(TWO_UP, "2.4", "2.4.1", "2.4.2", "2.4.3")
def test_two_up_has_lights_for_each_result() -> None:
    playing = sit_down(TWO_UP, *[("H", "T")] * 5, ("H", "H"), ("H", "H"), ("T", "T"))

    def lights() -> str:
        return "   ".join(line.plain for line in playing.screen.status(200)).partition("spins   ")[2]

    assert lights() == "Heads ○○○   Tails ○○○   Odds ○○○○○"
    said(playing, "", "")
    assert lights() == "Heads ○○○   Tails ○○○   Odds ●●○○○"
    said(playing, "", "", "")
    assert lights() == "Heads ○○○   Tails ○○○   Odds ●●●●●"
    said(playing, "", "")
    assert lights() == "Heads ●○○   Tails ○○○   Odds ○○○○○"
    said(playing, "")
    assert lights() == "Heads ○○○   Tails ●○○   Odds ○○○○○"


@pytest.mark.clause(TWO_UP, "2.4.1", "2.4.2", "2.4.3")
@pytest.mark.parametrize(("side", "other", "falls"), [("Heads", "Tails", "H"), ("Tails", "Heads", "T")])
def test_the_lights_count_what_the_spinner_has_spun_towards_three(side: str, other: str, falls: str) -> None:
    playing = sit_down(TWO_UP, (falls, falls), ("H", "T"), ("H", "T"), (falls, falls), (falls, falls))

    def lights() -> list[str]:
        shown = playing.screen.status(200)[0].plain.split("   ")
        return [item for item in shown if item.startswith((side, other, "Odds"))]

    said(playing, f"10 spinner {side}")
    counted = [lights()]
    for _ in range(5):
        said(playing, "")
        counted.append(lights())
    heads = [f"{side} {lit}" for lit in ("○○○", "●○○", "●○○", "●○○", "●●○", "●●●")]
    odds = [f"Odds {lit}" for lit in ("○○○○○", "○○○○○", "●○○○○", "●●○○○", "○○○○○", "○○○○○")]
    assert counted == [[*sorted([a, f"{other} ○○○"]), b] for a, b in zip(heads, odds, strict=True)]


@pytest.mark.parametrize("book_id", BOOKS)
def test_help_explains_the_signs(book_id: str) -> None:
    told = said(sit_down(book_id), "help").splitlines()[-1]
    assert told.startswith("Signs: ★ has just won; ●10 your chips")
    assert ("○10 your chips, OFF" in told) == (book_id == CRAPS)
    assert ("lights, lit and unlit" in told) == (book_id == TWO_UP)
    assert book_id != CRAPS or "16:1+ 16 to 1 or more" in told


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("horn", "These odds are on a quarter of the stake; the other three quarters are lost."),
        ("horn high", "These odds are on two fifths for the pick and on a fifth for the others; the rest of the stake"),
        ("crap eleven", "These odds are on half of the stake; the other half is lost."),
        ("horn", "The felt prints 16:1+ where there is little room: 16 to 1 or more."),
    ],
)
def test_odds_on_a_part_of_the_stake_say_so(name: str, sentence: str) -> None:
    assert sentence in said(sit_down(CRAPS), f"help {name}")
    pays = " ".join(said(sit_down(CRAPS), "pays").split())
    assert "3, 11 at 16 to 1, on a quarter of the stake; the other three quarters are lost" in pays


@pytest.mark.parametrize(
    ("book_id", "pays"),
    [
        (SNAKE_EYES, "3, 4, 9, 10, 11, 12 at 1 to 1; 2 at 3 to 1"),
        (SNAKE_EYES_NZ, "3, 4, 9, 10, 11 at 1 to 1; 2 at 3 to 1; 12 at 2 to 1"),
        (CRAPS, "3, 4, 9, 10, 11 at 1 to 1; 2 or 12 at 2 to 1"),
    ],
)
def test_every_number_that_pays_is_in_the_pay_table(book_id: str, pays: str) -> None:
    assert f"Pays {pays}." in said(sit_down(book_id), "help field")
    assert pays in said(sit_down(book_id), "pays")


@pytest.mark.parametrize(("width", "height"), [(80, 24), (80, 50), (120, 40)])
def test_chips_hide_neither_a_label_nor_the_numbers_that_win(width: int, height: int) -> None:
    playing = sit_down(CRAPS, width=width)
    said(playing, "20 hi 2; 20 hi 11; 15 hi 12; 10 field; 4 horn")
    felt = "\n".join(line.plain for line in playing.screen.felt(width - (40 if width > 100 else 0), height - 10))
    assert "2 3 4 9 10 11 12" in felt
    assert "FIELD" in felt
    assert felt.count("●") == 5
    for number in (2, 11, 12):
        assert f"HI {number}" in felt or f"H {number}●" in felt, number


@pytest.mark.parametrize(("width", "height"), [(80, 24), (80, 50), (120, 40)])
@pytest.mark.parametrize("book_id", [SNAKE_EYES, SNAKE_EYES_NZ])
def test_chips_on_the_field_leave_its_numbers_readable(book_id: str, width: int, height: int) -> None:
    playing = sit_down(book_id, width=width)
    said(playing, "10 field")
    felt = "\n".join(line.plain for line in playing.screen.felt(width - (40 if width > 100 else 0), height - 10))
    assert "2 3 4 9 10 11 12" in felt
    assert "●10" in felt


def test_the_two_streak_lines_are_shown() -> None:
    playing = sit_down(SIC_BO, (1, 1, 2), (1, 1, 4))
    shown = "\n".join(line.plain for line in playing.screen.status(80))
    assert "Small or Big nothing yet" in shown
    said(playing, "", "streak size", "")
    shown = "\n".join(line.plain for line in playing.screen.status(80))
    assert "Small or Big: small ●○○○○○○○○○○○" in shown
    assert "Odd or Even: even ●○○○○○○○○○○○" in shown


@pytest.mark.clause(SNAKE_EYES, "2.6.2")
@pytest.mark.clause(SNAKE_EYES_NZ, "3.4(b)")
@pytest.mark.parametrize("book_id", [SNAKE_EYES, SNAKE_EYES_NZ])
def test_the_latest_results_are_displayed(book_id: str) -> None:
    playing = sit_down(book_id, (1, 2), (3, 4), (5, 5))
    assert "Nothing has been thrown yet." in said(playing, "history")
    said(playing, "5 field", "", "", "")
    assert "Results 10 · 7 · 3 (newest first)" in playing.screen.results(80).plain
    first, second, third = said(playing, "history").splitlines()
    assert first.split() == ["1", "[1]", "[2]", "3", "by", "you", "+5"]
    assert second.split() == ["2", "[3]", "[4]", "7", "by", "the", "house", "-"]
    assert third.startswith("   3  [5] [5]  10")


@pytest.mark.clause(CRAPS, "10.15")
@pytest.mark.clause(SIC_BO, "9.14")
@pytest.mark.clause(TWO_UP, "9.14")
@pytest.mark.clause(SNAKE_EYES, "9.14")
@pytest.mark.parametrize("book_id", BOOKS)
def test_the_rules_are_there_for_anyone_who_asks(book_id: str) -> None:
    playing, book = sit_down(book_id), SHELF.book(book_id)
    sections = said(playing, "rules")
    assert all(heading in sections for heading in book.sections.values())
    for number, clause in book.clauses.items():
        assert clause.summary in said(playing, f"rules {number}"), number
    for word, definition in book.definitions.items():
        assert definition.summary in said(playing, f"rules {word}"), word
        assert definition.summary in said(playing, f"rules {definition_number(word)}"), word
    for reading in book.readings:
        assert reading.taken in said(playing, f"rules {reading.id}"), reading.id
    assert 'The book has no clause "99.9"' in said(playing, "rules 99.9")


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_wager_is_explained_and_every_line_of_the_pay_table_is_there(book_id: str) -> None:
    playing, book = sit_down(book_id), SHELF.book(book_id)
    pays = said(playing, "pays")
    for wager in book.rules.wagers:
        assert wager.name in pays
        assert wager.help in said(playing, f"help {wager.id}")
    for printed in book.rules.pay_table.lines.values():
        assert printed in pays


def test_the_felt_shows_the_odds_of_the_table_s_own_pay_table() -> None:
    shown = run(SNAKE_EYES)
    assert "│    HARD 4     │" in shown
    assert "│     7.5:1     │" in shown
    assert "7.5" not in run(SNAKE_EYES, pay_table="two")
    shown = run(SNAKE_EYES_NZ, "pays", pay_table={"field": 3, "craps_two": 30})
    assert "30 to 1" in shown
    assert "1:1, 2 pays 3:1, 12 pays 1:1" in shown


@pytest.mark.parametrize("book_id", BOOKS)
def test_each_prompt_says_in_one_line_what_is_possible(book_id: str) -> None:
    playing = sit_down(book_id, *[(1,) * 3 if book_id == SIC_BO else (1, 2) if book_id != TWO_UP else ("H", "T")] * 3)
    hints = [playing._hint().plain]
    assert hints[0].startswith('Type an amount and an area, such as "10 ')
    example = hints[0].split('"')[1]
    assert " on " in said(playing, example)
    hints.append(playing._hint().plain)
    assert "Press Enter to" in hints[1]
    assert "undo" in hints[1]
    said(playing, "")
    hints.append(playing._hint().plain)
    assert all(len(hint) < 80 for hint in hints)
    if book_id == TWO_UP:
        assert hints[2] == "The bets are closed until this is decided. Press Enter to spin again."


def test_it_plays_in_ascii_where_there_is_nothing_else() -> None:
    class Ascii(StringIO):
        encoding = "ascii"

    for book_id in BOOKS:
        console = Console(file=Ascii(), width=80, height=50, no_color=True)
        play(book_id, SHELF, seed=2, console=console, lines=iter([*SCRIPTS[book_id], "help", "pays", "history"]))
        assert text_of(console).isascii(), book_id
