"""The terminal game, played by scripts with seeded dice."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import croupier.play
from croupier.play import play
from croupier.play.dice import Dice, electronic, seeded
from croupier.play.playing import Playing
from croupier.play.session import YOU, Session
from croupier.rules.book import definition_number
from croupier.rules.errors import PayTableError, UnknownBook
from croupier.table.table import Refused, open_table
from tests.tables import BOOKS, SHELF
from tests.test_architecture import words_of

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS


def make_console(width: int = 80, height: int = 24) -> Console:
    return Console(file=StringIO(), width=width, height=height, no_color=True)


def text_of(console: Console) -> str:
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def run(book_id: str, *lines: str, seed: int | None = 5, width: int = 80, height: int = 24, **terms: object) -> str:
    """Play a script to its end; what the screen showed."""
    console = make_console(width, height)
    status = play(book_id, SHELF, seed=seed, console=console, lines=iter(lines), **terms)  # type: ignore[arg-type]
    assert status == 0
    return text_of(console)


def sit_down(book_id: str, *throws: tuple[object, ...], chips: str = "1000.00", width: int = 80) -> Playing:
    """A player whose dice fall as told."""
    table = open_table(book_id, {YOU: chips}, shelf=SHELF)
    session = Session(table, loaded(book_id, *throws), table.state.chips[YOU])
    return Playing(session, make_console(width), iter(()))


def loaded(book_id: str, *throws: tuple[object, ...]) -> Dice:
    faces: list[int | str] = SHELF.book(book_id).rules.throw.faces
    fall = iter([faces.index(face) for throw in throws for face in throw])  # type: ignore[arg-type]
    return Dice(lambda count: next(fall))


def said(playing: Playing, *lines: str) -> str:
    """What the last of these lines was answered."""
    replies = [playing.answer(line) for line in lines]
    return "\n".join(line.plain for line in replies[-1].lines)


SCRIPTS = {
    CRAPS: [
        "10 win line",
        "5 hard 8",
        "",
        "20 behind win line",
        "10 come",
        "6 place 6",
        "4 horn",
        "",
        "wagers",
        "",
        "",
    ],
    SIC_BO: ["10 small; 5 odd", "5 total 9", "1 comb 1 2", "", "streak size", "rebet", "", "", "table"],
    TWO_UP: ["10 heads", "20 spinner tails", "", "", "", "rebet", "", "history"],
    SNAKE_EYES: ["10 hard 6; 5 field; 5 combo", "", "", "5 five; 1 craps 2", "", "", "pays"],
    SNAKE_EYES_NZ: ["10 hard 6; 5 field; 5 combo", "", "", "5 five; 1 craps 2", "", "", "pays"],
}


@pytest.mark.parametrize("book_id", BOOKS)
@pytest.mark.parametrize(("width", "height"), [(80, 24), (80, 50), (120, 40), (200, 50), (60, 30), (40, 20)])
def test_a_game_of_each_book_keeps_within_the_width(book_id: str, width: int, height: int) -> None:
    shown = run(book_id, *SCRIPTS[book_id], "help", "rules", width=width, height=height)
    assert max(map(len, shown.splitlines())) <= width
    assert "You leave with" in shown.splitlines()[-1] or "You leave with" in shown.splitlines()[-2]


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_same_seed_plays_the_same_game(book_id: str) -> None:
    assert run(book_id, *SCRIPTS[book_id], seed=11) == run(book_id, *SCRIPTS[book_id], seed=11)


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
    """Whatever the size of the felt, chips that lie on it are never left out."""
    table = open_table(book_id, {YOU: "1000000.00"}, shelf=SHELF)
    session = Session(table, seeded(1), 0)
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


@pytest.mark.clause(CRAPS, "4.4.1")
@pytest.mark.clause(SIC_BO, "5.1", "5.2", "5.3")
@pytest.mark.clause(TWO_UP, "6.2", "6.3", "6.9")
@pytest.mark.clause(SNAKE_EYES, "4.3.1")
@pytest.mark.clause(SNAKE_EYES_NZ, "5.6(a)")
@pytest.mark.parametrize(
    ("book_id", "throw", "calls"),
    [
        (CRAPS, (3, 4), ["Stickperson: “7” (4.4.1)"]),
        (SIC_BO, (4, 1, 2), ["Dealer: “no more bets” (5.2)", "“1 2 4, 7” (5.3)", "Dealer: “place your bets” (5.1)"]),
        (
            TWO_UP,
            ("H", "H"),
            ["Boxer: “no more bets, come in spinner” (6.3)", "Boxer: “Heads” (6.9)", "“place your bets”"],
        ),
        (SNAKE_EYES, (3, 4), ["Dealer: “7” (4.3.1)"]),
        (SNAKE_EYES_NZ, (3, 4), ["Dealer: “7” (5.6(a))"]),
    ],
)
def test_the_calls_are_heard(book_id: str, throw: tuple[object, ...], calls: list[str]) -> None:
    heard = said(sit_down(book_id, throw), "")
    places = [heard.index(call) for call in calls]
    assert places == sorted(places)


@pytest.mark.parametrize("book_id", [SIC_BO, TWO_UP])
def test_bets_open_with_a_call(book_id: str) -> None:
    assert "“place your bets”" in run(book_id)


@pytest.mark.parametrize("book_id", BOOKS)
def test_dice_are_drawn_only_once_the_bets_are_closed(book_id: str) -> None:
    playing = sit_down(book_id)
    closed: list[bool] = []

    def below(count: int) -> int:
        closed.append(not playing.session.table.state.bets_open or playing.session.rules.betting is None)
        return 0

    playing.session.dice = Dice(below)
    said(playing, "")
    assert closed == [True] * playing.session.rules.throw.throw


def test_electronic_dice_are_the_operating_systems() -> None:
    thrown = {electronic().throw([1, 2, 3, 4, 5, 6], 2) for _ in range(2000)}
    assert len(thrown) == 36


@pytest.mark.parametrize("book_id", BOOKS)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_screen_says_what_is_thrown_and_whether_it_is_seeded(book_id: str, width: int) -> None:
    field = SHELF.book(book_id).rules.throw.field
    assert f"SEEDED {field.upper()} (seed 1234567)" in run(book_id, seed=1234567, width=width)
    shown = run(book_id, seed=None, width=width)
    assert f"electronic {field}" in shown
    assert "SEEDED" not in shown


def test_settlements_say_what_was_paid_what_came_back_and_why() -> None:
    playing = sit_down(CRAPS, (3, 4), (1, 1))
    assert "Win Line wins: 10.00 pays 10.00, 20.00 comes back (6.2.1.1.1)" in said(playing, "10 win", "")
    told = said(playing, "10 dont win; 5 field; 1 any seven", "")
    assert "Field wins: 5.00 pays 10.00, 15.00 comes back (6.2.17)" in told
    assert "Lost: 1.00 on Any Seven (6.2.18)" in told
    assert "Comes back, neither won nor lost: 10.00 from Don't Win (6.2.2.3)" in told


def test_come_wagers_travel_and_the_puck_moves() -> None:
    playing = sit_down(CRAPS, (2, 2), (3, 3), (3, 4))
    assert 'Puck ON 4 (1.1 "come out point")' in said(playing, "5 win", "")
    assert "Travels: Come to 6 (6.2.3)" in said(playing, "5 come", "")
    told = said(playing, "")
    assert "The dice pass on (3.7.1)" in told
    assert "Puck OFF" in told
    assert "5.00 on Come 6 (6.2.3.2.2)" in told


@pytest.mark.parametrize(
    ("book_id", "lines", "refusal"),
    [
        (CRAPS, ["10 come"], "A Come wager is made after the come out roll, while a point stands. (6.2.3)"),
        (CRAPS, ["10 hard 5"], "Hardways cannot be made on that; it is made on 4, 6, 8, 10. (6.2.9)"),
        (CRAPS, ["10 hard"], "Hardways needs a pick: 4, 6, 8, 10. (6.2.9)"),
        (CRAPS, ["10.50 field"], "10.50 cannot be laid in chips of 1.00. (6.3)"),
        (CRAPS, ["5 horn"], "Horn is made in multiples of 4.00. (6.2.21)"),
        (CRAPS, ["2000 field"], "You have 1000.00 in chips, and this takes 2000.00. (6.3)"),
        (CRAPS, ["5 field", "on field"], "Field is not called On or Off. (6.7.2)"),
        (CRAPS, ["5 field", "take 6 field"], "Only 5.00 stands there."),
        (SIC_BO, ["streak size"], "Super Streak opens with the day's first result that is no triple. (6.2)"),
        (SIC_BO, ["", "5 streak size"], "Super Streak is made with exactly 10.00. (6.7)"),
        (TWO_UP, ["5 spinner heads", "5 spinner tails"], "You have declared heads already. (4.2)"),
        (SNAKE_EYES_NZ, ["10 hard 5"], "Hardways cannot be made on that; it is made on 4, 6, 8, 10. (4.1(a))"),
    ],
)
def test_refusals_are_in_plain_words_with_their_clause(book_id: str, lines: list[str], refusal: str) -> None:
    playing = sit_down(book_id, (1, 1, 2) if book_id == SIC_BO else ())
    for line in lines[:-1]:
        said(playing, line)
    before = playing.session.table.state
    assert refusal in said(playing, lines[-1])
    assert playing.session.table.state is before


def test_undo_takes_back_one_move_at_a_time_and_never_a_throw() -> None:
    playing = sit_down(CRAPS, (2, 2))
    session = playing.session
    start = session.table.state
    said(playing, "10 win; 4 buy 4; 5 field")
    assert (session.in_hand, session.on_layout) == (98080, 1900)
    said(playing, "undo")
    assert [held.name for held in session.standing] == ["Win Line", "Buy 4"]
    said(playing, "take win", "undo")
    assert [held.name for held in session.standing] == ["Win Line", "Buy 4"]
    said(playing, "u", "u")
    assert session.table.state == start
    assert len(session.table.history) == 2
    assert "nothing to take back" in said(playing, "undo")
    assert "nothing to take back" in said(playing, "5 win", "", "undo")
    assert session.on_layout == 500


def test_rebet_places_again_what_stood() -> None:
    playing = sit_down(CRAPS, (3, 4), (2, 2), (1, 2), (3, 4))
    session = playing.session
    assert "nothing to place again" in said(playing, "rebet")
    said(playing, "10 win; 5 field; 2 any seven", "")
    assert session.standing == []
    assert said(playing, "rebet").count(" on ") == 3
    assert session.on_layout == 1700
    assert "nothing to place again" in said(playing, "rebet")
    said(playing, "")
    assert [held.name for held in session.standing] == ["Win Line"]
    said(playing, "5 come", "", "rebet")
    assert sorted(held.name for held in session.standing) == ["Come", "Win Line"]


def test_rebet_goes_as_far_as_the_rules_allow() -> None:
    playing = sit_down(CRAPS, (2, 2), (2, 2))
    said(playing, "10 win", "", "20 behind win; 3 field", "")
    told = said(playing, "rebet")
    assert "10.00 on Win Line (6.2.1)" in told
    assert "3.00 on Field (6.2.17)" in told
    assert "Behind the Win Line: A wager behind the Win Line is made once a point stands. (6.2.5)" in told


def test_double_and_clear_move_everything_and_are_undone_at_once() -> None:
    playing = sit_down(CRAPS, (2, 2))
    session = playing.session
    assert "nothing to double" in said(playing, "double")
    assert "nothing to take down" in said(playing, "clear")
    said(playing, "10 win; 5 field", "double")
    assert session.on_layout == 3000
    said(playing, "undo")
    assert session.on_layout == 1500
    said(playing, "clear")
    assert (session.in_hand, session.on_layout) == (100000, 0)
    said(playing, "undo", "", "20 behind win")
    assert "Win Line: A Win Line wager is made just before a come out roll" in said(playing, "double")
    told = said(playing, "clear")
    assert "20.00 back from Behind the Win Line" in told
    assert "Win Line: A Win Line wager stays until it is decided once its point is set. (6.5)" in told


def test_double_with_a_number_is_a_wager_where_the_felt_has_one() -> None:
    playing = sit_down(SIC_BO)
    assert "How much?" in said(playing, "double 3")
    assert "2.00 on Specific Doubles 3" in said(playing, "double 3 2")


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
    playing = sit_down(TWO_UP, *[("H", "T")] * 5, ("H", "H"), ("T", "T"))

    def lights() -> str:
        return "   ".join(line.plain for line in playing.screen.status(200)).partition("spins   ")[2]

    assert lights() == "Heads ○○○   Tails ○○○   Odds ○○○○○"
    said(playing, "", "")
    assert lights() == "Heads ○○○   Tails ○○○   Odds ●●○○○"
    said(playing, "", "", "")
    assert lights() == "Heads ○○○   Tails ○○○   Odds ●●●●●"
    said(playing, "")
    assert lights() == "Heads ●●●   Tails ○○○   Odds ○○○○○"
    said(playing, "")
    assert lights() == "Heads ○○○   Tails ●●●   Odds ○○○○○"


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
    assert "│HARD 4    7.5:1│" in run(SNAKE_EYES)
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


def test_a_player_without_chips_is_offered_new_ones() -> None:
    playing = sit_down(CRAPS, (3, 4), chips="20.00")
    assert "New chips are for those who have none left." in said(playing, "chips")
    said(playing, "20 field", "")
    assert playing._hint().plain == 'You have no chips left. Type "chips" for 20.00 new ones, or "quit".'
    assert "You have 20.00 in new chips." in said(playing, "chips")
    assert playing.session.in_hand == 2000
    playing._farewell()
    assert "You leave with 20.00 in hand, of 40.00 in chips." in text_of(playing.console)


class Interrupted:
    """Input that a player breaks off with Ctrl-C."""

    def __init__(self, *lines: str) -> None:
        self.lines = iter(lines)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        for line in self.lines:
            return line
        raise KeyboardInterrupt


@pytest.mark.parametrize("book_id", BOOKS)
def test_ctrl_c_ends_the_game_politely(book_id: str) -> None:
    console = make_console()
    assert play(book_id, SHELF, seed=1, console=console, lines=Interrupted("pays")) == 0
    assert text_of(console).rstrip().endswith("You leave with 1000.00 in hand, of 1000.00 in chips.")


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_end_of_input_ends_the_game_politely(book_id: str) -> None:
    assert run(book_id).rstrip().endswith("You leave with 1000.00 in hand, of 1000.00 in chips.")


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_it_works_over_a_pipe_whatever_comes_in(encoding: str) -> None:
    code = "import sys; from croupier.play import play; from croupier.rules.shelf import Shelf; "
    code += f"sys.exit(play({CRAPS!r}, Shelf(), seed=1))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=b"10 win\n\xff\xfe\n\n5 h\xc3\xa9\nrules 6.2.1\n",
        env={**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "80"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode(encoding)
    assert "> 10 win" in shown
    assert "10.00 on Win Line (6.2.1)" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_leaving_counts_what_is_on_the_layout() -> None:
    shown = run(CRAPS, "10 win", "quit", "20 win")
    assert shown.rstrip().endswith("You leave with 990.00 in hand and 10.00 on the layout, of 1000.00 in chips.")


def test_what_cannot_be_had_is_said_before_the_game() -> None:
    with pytest.raises(UnknownBook):
        play("roulette", SHELF, console=make_console(), lines=iter(()))
    with pytest.raises(PayTableError):
        play(SNAKE_EYES, SHELF, pay_table="three", console=make_console(), lines=iter(()))
    console = make_console()
    assert play(CRAPS, SHELF, chip="0.00", console=console, lines=iter(())) == 2
    assert "The smallest chip must be worth something." in text_of(console)


def test_it_plays_in_ascii_where_there_is_nothing_else() -> None:
    class Ascii(StringIO):
        encoding = "ascii"

    for book_id in BOOKS:
        console = Console(file=Ascii(), width=80, height=50, no_color=True)
        play(book_id, SHELF, seed=2, console=console, lines=iter([*SCRIPTS[book_id], "help", "pays", "history"]))
        assert text_of(console).isascii(), book_id


@pytest.mark.parametrize("book_id", BOOKS)
def test_nothing_typed_breaks_the_game(book_id: str) -> None:
    """Chips are neither made nor lost by anything but throws, and no line is answered with a fault."""
    chance = random.Random(book_id)
    playing = sit_down(book_id)
    session = playing.session
    session.dice = seeded(3)
    names = [f"{spot.wager.id} {spot.pick or ''}" for spot in session.spots]
    verbs = ["", "take ", "on ", "off ", "help ", "5 ", "10 ", "4 ", "20 ", "10.5 ", "rules ", "bet ", "take 2 "]
    alone = [
        "",
        "",
        "",
        "undo",
        "rebet",
        "double",
        "clear",
        "chips",
        "wagers",
        "on",
        "off",
        "🎲",
        "10",
        "((",
        "a b c;;",
    ]
    for _ in range(400):
        line = chance.choice(alone) if chance.random() < 0.4 else chance.choice(verbs) + chance.choice(names)
        thrown, wealth = len(session.results), session.in_hand + session.on_layout
        playing._show(playing.answer(line))
        fees = sum(held.stake.commission for held in session.standing)
        assert session.in_hand >= 0
        if len(session.results) == thrown and line != "chips":
            assert abs(session.in_hand + session.on_layout - wealth) <= fees + 5000, line
    assert max(map(len, text_of(playing.console).splitlines())) <= 80


@pytest.mark.parametrize("file", sorted(Path(croupier.play.__path__[0]).glob("*.py")), ids=lambda file: file.name)
def test_the_game_knows_no_wager_and_no_book(file: Path) -> None:
    names = {wager for book_id in BOOKS for wager in SHELF.book(book_id).wagers} | set(BOOKS)
    numbers = {"five", "six", "eight", "eleven"}
    assert words_of(file) & (names - numbers) == set()
