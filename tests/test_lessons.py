"""First games: each move is accepted, the dice do what the words say, and a mistake is named with its line."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from croupier import rulebooks
from croupier.cli.main import main
from croupier.practice.lessons import play_lesson
from croupier.rules.errors import RuleBookError
from croupier.rules.lesson import Lesson
from croupier.rules.shelf import Shelf
from tests.tables import SHELF

BOOK = """[book]
id = "home-craps"
extends = "craps-nsw-2024"
title = "Craps at home"
"""
LESSON = """
[lesson]
title = "Craps at home"
end = { title = "That is it.", says = "Well played." }

[[lesson.steps]]
title = "First"
says = "Press the line."
bet = "win_line"

[[lesson.steps]]
title = "Then"
says = "Roll."
throws = [[3, 4]]
won = "5.00"
"""


def lesson_of(book_id: str) -> Lesson:
    lesson = SHELF.book(book_id).lesson
    assert lesson is not None, book_id
    return lesson


@pytest.mark.parametrize("book_id", rulebooks.ids())
def test_a_first_game_goes_as_it_says(book_id: str) -> None:
    play_lesson(SHELF, SHELF.book(book_id))


@pytest.mark.parametrize("book_id", rulebooks.ids())
def test_a_first_game_is_short_has_a_win_and_a_loss_and_ends_with_the_right_sum(book_id: str) -> None:
    lesson = lesson_of(book_id)
    won = sum(float(step.won) for step in lesson.steps)
    lost = sum(float(step.lost) for step in lesson.steps)
    assert 5 <= len(lesson.steps) <= 8
    assert won > 0 < lost
    said = re.search(r"You won ([\d.]+), lost ([\d.]+) and leave ([\d.]+) up", lesson.end.says)
    assert said is not None, lesson.end.says
    assert [float(one.rstrip(".")) for one in said.groups()] == [won, lost, won - lost]


@pytest.mark.parametrize("book_id", rulebooks.ids())
def test_a_first_game_shows_a_wager_and_a_payment_that_the_felt_has(book_id: str) -> None:
    """An amount in a title is what the step before it paid."""
    steps = lesson_of(book_id).steps
    for before, step in pairwise(steps):
        paid = re.match(r"[^:]+: ([\d.]+) for ([\d.]+)", step.title)
        if paid is not None:
            assert paid.group(1) == before.won
            assert paid.group(2) in {one.amount for one in steps if one.bet}


def checked(folder: Path, lesson: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """What `croupier check` says of a book with this lesson."""
    folder.mkdir()
    (folder / "book.toml").write_text(BOOK)
    (folder / "lesson.toml").write_text(lesson)
    code = main(["check", str(folder)])
    told = capsys.readouterr()
    return code, told.out + told.err


def test_an_own_book_may_have_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(tmp_path / "home", LESSON, capsys)[0] == 0


def test_a_book_without_one_does_not_have_that_of_the_book_it_extends(tmp_path: Path) -> None:
    file = tmp_path / "home-craps.toml"
    file.write_text(BOOK)
    assert Shelf((file,)).book("home-craps").lesson is None


MISTAKES = {
    "no such wager": ('bet = "win_line"', 'bet = "lose_line"', 6, 'step 1: there is no wager "lose_line"'),
    "no area": ('bet = "win_line"', 'bet = "hardway"\npick = 7', 6, "step 1: the felt has no area for hardway 7"),
    "two moves": ('bet = "win_line"', 'bet = "win_line"\nthrows = [[1, 2]]', 6, "step 1: is one move"),
    "no move": ('bet = "win_line"', "", 6, "step 1: is one move"),
    "many words": ("Press the line.", "Press " + "it " * 20, 6, "step 1: says 21 words; at most 20"),
    "no such faces": ("[[3, 4]]", "[[3, 7]]", 11, "step 2: (3, 7) cannot fall here"),
    "too few faces": ("[[3, 4]]", "[[3]]", 11, "step 2: (3,) cannot fall here"),
    "another result": ("[[3, 4]]", "[[1, 1]]", 11, "step 2: says won 5.00 and lost 0.00, but it wins 0.00"),
    "another marker": ("[[3, 4]]\nwon", "[[4, 4]]\nmarker = 6\n#", 11, "step 2: says marker 6, but it lies on 8"),
    "refused": ('"win_line"', '"come"', 6, "step 1: the table refuses it: A Come wager"),
    "no amount": ('bet = "win_line"', 'bet = "win_line"\namount = "five"', 6, "step 1: 'five': "),
    "unknown key": ('bet = "win_line"', 'bets = "win_line"', 6, "bets"),
    "no end": ('end = { title = "That is it.", says = "Well played." }', "", 2, "end"),
    "no throw": ('throws = [[3, 4]]\nwon = "5.00"', 'bet = "field"', 2, "lesson: nothing is thrown in it"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], mistake: str) -> None:
    old, new, line, says = MISTAKES[mistake]
    assert old in LESSON
    code, told = checked(tmp_path / "home", LESSON.replace(old, new, 1), capsys)
    assert code != 0
    assert f"home/lesson.toml:{line}: " in told
    assert says in told


def test_steps_in_another_form_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "home-craps.toml"
    file.write_text(BOOK + '[lesson]\ntitle = "x"\nend = { title = "x", says = "x" }\nsteps = [{ title = "x" }]\n')
    with pytest.raises(RuleBookError, match="write each step as a table of its own"):
        _ = Shelf((file,)).book("home-craps").lesson
