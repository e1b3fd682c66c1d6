"""The terminal game, played by scripts with seeded dice."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import croupier.play
from croupier.ledger import COMMISSION, FLOAT, LAYOUT, PURSE, Ledger, hand
from croupier.money import MoneyError
from croupier.play import play
from croupier.play.messages import third_person
from croupier.play.solo_game import YOU, Dice, SoloGame, electronic, seeded
from croupier.rules.errors import PayTableError, UnknownBook
from croupier.table.events import ChipsBought
from croupier.table.evolve import evolve_all
from croupier.table.state import State
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
from tests.test_architecture import words_of


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_same_seed_plays_the_same_game(book_id: str) -> None:
    assert run(book_id, *SCRIPTS[book_id], seed=11) == run(book_id, *SCRIPTS[book_id], seed=11)


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


def test_settlements_say_what_was_paid_what_came_back_and_why() -> None:
    playing = sit_down(CRAPS, (3, 4), (1, 1))
    assert "Win Line wins: 10.00 pays 10.00, 20.00 comes back (6.2.1.1.1)" in said(playing, "10 win", "")
    told = said(playing, "10 dont win; 5 field; 1 any seven", "")
    assert "Field wins: 5.00 pays 10.00, 15.00 comes back (6.2.17)" in told
    assert "Lost: 1.00 on Any Seven (6.2.18)" in told
    assert "Returned, neither won nor lost: 10.00 from Don't Win (6.2.2.3)" in told


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
        (CRAPS, ["10 come"], "A Come wager can be made only after the come out roll, while a point is set. (6.2.3)"),
        (CRAPS, ["10 hard 5"], "Hardways cannot be made on that; it is made on 4, 6, 8, 10. (6.2.9)"),
        (CRAPS, ["10 hard"], "Hardways needs a pick: 4, 6, 8, 10. (6.2.9)"),
        (CRAPS, ["10.50 field"], "10.50 cannot be laid in chips of 1.00. (6.3)"),
        (CRAPS, ["5 horn"], "Horn is made in multiples of 4.00. (6.2.21)"),
        (CRAPS, ["2000 field"], "You have 1000.00 in chips, but this takes 2000.00. (6.3)"),
        (CRAPS, ["5 field", "on field"], "You cannot call Field On or Off. (6.7.2)"),
        (CRAPS, ["5 field", "take 6 field"], "The wager is only 5.00."),
        (SIC_BO, ["streak size"], "Super Streak opens with the day's first result that is not a triple. (6.2)"),
        (SIC_BO, ["", "5 streak size"], "Super Streak takes exactly 10.00. (6.7)"),
        (TWO_UP, ["5 spinner heads", "5 spinner tails"], "You have already declared heads. (4.2)"),
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
    assert "nothing to undo" in said(playing, "undo")
    assert "nothing to undo" in said(playing, "5 win", "", "undo")
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
    assert "Behind the Win Line: A wager behind the Win Line can be made once a point is set. (6.2.5)" in told


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
    assert "Win Line: A Win Line wager can be made only just before a come out roll" in said(playing, "double")
    told = said(playing, "clear")
    assert "20.00 back from Behind the Win Line" in told
    assert "Win Line: Once its point is set, a Win Line wager stays until it is decided. (6.5)" in told


def test_double_with_a_number_is_a_wager_where_the_felt_has_one() -> None:
    playing = sit_down(SIC_BO)
    assert "How much?" in said(playing, "double 3")
    assert "2.00 on Specific Doubles 3" in said(playing, "double 3 2")


def test_a_player_without_chips_is_offered_new_ones() -> None:
    playing = sit_down(CRAPS, (3, 4), chips="20.00")
    assert "You can get new chips only when you have none left." in said(playing, "chips")
    said(playing, "20 field", "")
    assert playing._hint().plain == 'You have no chips left. Type "chips" for 20.00 new ones, or "quit".'
    assert "You have 20.00 in new chips." in said(playing, "chips")
    assert playing.session.in_hand == 2000
    playing._farewell()
    assert "You leave with 20.00; you bought 40.00." in text_of(playing.console)


def test_new_chips_are_an_event_that_history_gives_again() -> None:
    playing = sit_down(CRAPS, (3, 4), (3, 4), chips="20.00")
    table = playing.session.table
    said(playing, "20 field", "", "chips", "20 field", "", "chips", "5 field")
    assert [event for event in table.history if isinstance(event, ChipsBought)] == [ChipsBought(YOU, 2000)] * 2
    assert evolve_all(State(), table.history) == table.state
    assert wealth_of(playing.session) == 2000
    assert playing.session.bought_cents == 6000


@pytest.mark.parametrize("line", ["10 field;", "10 field;;", ";10 field", ";; 10 field ;  ; "])
def test_nothing_between_semicolons_asks_for_nothing(line: str) -> None:
    playing = sit_down(CRAPS)  # without dice: a throw would fail
    assert said(playing, line) == "10.00 on Field (6.2.17)"


@pytest.mark.parametrize("line", [";", ";;;;", " ; ; "])
def test_semicolons_alone_do_not_throw(line: str) -> None:
    playing = sit_down(CRAPS)
    assert said(playing, line) == "There is no command between the semicolons."
    assert playing.session.results == []


@pytest.mark.parametrize("line", ["", "   ", "r", "roll", "throw", "roll the dice", "roll; 10 field"])
def test_a_line_throws_once(line: str) -> None:
    playing = sit_down(CRAPS, (1, 2))
    said(playing, line)
    assert len(playing.session.results) == 1


@pytest.mark.parametrize("line", ["roll 5", "roll roll", "r 10 field", "throw 2 3", "undo 5", "quit field", "chips 50"])
def test_what_stands_alone_is_not_done_with_more_behind_it(line: str) -> None:
    playing = sit_down(CRAPS)
    said(playing, "5 field")
    assert 'alone, without "' in said(playing, line)
    assert playing.session.on_layout == 500


@pytest.mark.parametrize(
    "line", ["-10 field", "bet -10 field", "-$10.50 field", "take -5 field", "0 field", "take 0 field"]
)
def test_amounts_are_more_than_nothing(line: str) -> None:
    playing = sit_down(CRAPS)
    assert "more than 0.00." in said(playing, "5 field", line)
    assert playing.session.on_layout == 500


def test_the_house_throws_in_good_grammar() -> None:
    assert [third_person(verb) for verb in ("roll", "spin", "fly", "toss", "play")] == [
        *("rolls", "spins", "flies", "tosses", "plays")
    ]


class Interrupted:
    """Input that a player interrupts with Ctrl-C."""

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
    assert text_of(console).rstrip().endswith("You leave with 1000.00; you bought 1000.00.")


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_end_of_input_ends_the_game_politely(book_id: str) -> None:
    assert run(book_id).rstrip().endswith("You leave with 1000.00; you bought 1000.00.")


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
    assert shown.rstrip().endswith("You leave with 990.00 in hand and 10.00 on the layout; you bought 1000.00.")


def test_what_cannot_be_had_is_said_before_the_game() -> None:
    with pytest.raises(UnknownBook):
        play("roulette", SHELF, console=make_console(), lines=iter(()))
    with pytest.raises(PayTableError):
        play(SNAKE_EYES, SHELF, pay_table="three", console=make_console(), lines=iter(()))
    console = make_console()
    assert play(CRAPS, SHELF, chip="0.00", console=console, lines=iter(())) == 2
    assert "The smallest chip must be worth more than zero." in text_of(console)


@pytest.mark.parametrize("chips", ["0.00", "0", "0.50"])
def test_nobody_sits_down_without_a_chip(chips: str) -> None:
    console = make_console()
    assert play(CRAPS, SHELF, chips=chips, console=console, lines=iter(())) == 2
    assert text_of(console) == "Begin with at least one chip: 1.00 or more.\n"


@pytest.mark.parametrize("chips", ["100", "100.0", "100.00", "$100"])
def test_chips_to_begin_with_are_read_as_amounts_are(chips: str) -> None:
    assert "You leave with 100.00; you bought 100.00." in run(CRAPS, chips=chips)
    with pytest.raises(MoneyError):
        run(CRAPS, chips="many")


def test_a_pay_table_is_chosen_as_in_scenarios() -> None:
    shown = run(SNAKE_EYES_NZ, "pays", pay_table="hardway.4=6 field=3")
    assert "4 at 6 to 1" in shown
    assert "2 at 3 to 1" in shown
    for wrong in ("hardway.4=99", "hardway=6", "moon=1", "hardway.4=", "=", "field=3 field.4=2", "hardway.4 =6"):
        with pytest.raises(PayTableError):
            run(SNAKE_EYES_NZ, pay_table=wrong)


def wealth_of(session: SoloGame) -> int:
    """Chips in hand and on the layout and the commission paid, from the ledger, which must agree with the table."""
    ledger = Ledger()
    ledger.post(session.table.history)
    paid: int = ledger.balances[COMMISSION]
    assert ledger.total == 0
    assert ledger.balances[hand(YOU)] == session.in_hand
    assert ledger.balances[LAYOUT] == session.on_layout
    assert -ledger.balances[PURSE] == session.bought_cents
    assert session.in_hand + session.on_layout + paid == session.bought_cents - ledger.balances[FLOAT]
    return session.in_hand + session.on_layout + paid


@pytest.mark.parametrize("book_id", BOOKS)
def test_nothing_typed_breaks_the_game(book_id: str) -> None:
    """Only throws create or lose chips, and no line causes an internal error."""
    chance = random.Random(book_id)
    playing = sit_down(book_id, chips="60.00")
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
        thrown, wealth, bought = len(session.results), wealth_of(session), session.bought_cents
        playing._show(playing.answer(line))
        assert session.in_hand >= 0
        if len(session.results) == thrown:
            assert wealth_of(session) == wealth + session.bought_cents - bought, line
    assert evolve_all(State(), session.table.history) == session.table.state
    assert max(map(len, text_of(playing.console).splitlines())) <= 80


@pytest.mark.parametrize("file", sorted(Path(croupier.play.__path__[0]).glob("*.py")), ids=lambda file: file.name)
def test_the_game_knows_no_wager_and_no_book(file: Path) -> None:
    names = {wager for book_id in BOOKS for wager in SHELF.book(book_id).wagers} | set(BOOKS)
    numbers = {"five", "six", "eight", "eleven"}
    assert words_of(file) & (names - numbers) == set()
