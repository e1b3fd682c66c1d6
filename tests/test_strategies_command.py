"""`croupier strategies`: the list, the explanation in sentences, and the check of a file."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from croupier.cli.main import main
from croupier.cli.simulation.options import add_simulate
from croupier.cli.simulation.strategies import add_strategies
from croupier.cli.simulation.strategy_text import Wording
from croupier.simulation.reading.reader import included, read_strategy
from croupier.simulation.strategy import Bet, Fixed, Guard, ResultIs, Spot, Strategy
from tests.tables import BOOKS, SHELF

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS


class Screen:
    """Runs `croupier strategies` and reads its output."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.err = ""

    def __call__(self, *words: str, status: int = 0) -> list[str]:
        got = main(["strategies", *words])
        out, self.err = self.capsys.readouterr()
        assert got == status, out + self.err
        return [line.rstrip() for line in out.splitlines()]

    def values(self, *words: str, status: int = 0) -> Any:  # noqa: ANN401
        return json.loads("\n".join(self(*words, "--json", status=status)))


@pytest.fixture
def screen(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("COLUMNS", "80")
    return Screen(capsys)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- the list ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_included_strategy_is_listed_under_its_books(
    width: int, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = screen()
    assert max(map(len, lines)) <= width
    under: dict[str, list[str]] = {}
    for line in filter(None, lines):
        if line.split()[0] in BOOKS and not line.startswith(" "):
            book = line.split()[0]
        elif line.startswith("  ") and line[2] != " ":
            under.setdefault(book, []).append(line.split()[0])
    assert under == {book: [one.id for one in included() if book in one.books] for book in BOOKS}


def test_the_list_for_programs(screen: Screen) -> None:
    told = screen.values()
    assert {row["id"] for row in told} == {one.id for one in included()}
    assert len(told) == len(included())
    assert {tuple(row) for row in told} == {("id", "name", "about", "books")}
    assert [row["id"] for row in screen.values(TWO_UP)] == [one.id for one in included() if TWO_UP in one.books]


def test_a_book_lists_its_strategies_with_what_they_are_about(screen: Screen) -> None:
    told = " ".join(" ".join(screen(SIC_BO)).split())
    mine = [one for one in included() if SIC_BO in one.books]
    assert len(mine) > 3
    for one in mine:
        assert f"{one.id} {one.name} {one.about}" in told
    assert "iron-cross" not in told


def test_a_book_of_ones_own_has_the_strategies_of_the_one_it_extends(screen: Screen) -> None:
    own = str(Path(__file__).parent.parent / "docs" / "examples" / "harbour-craps.toml")
    assert "iron-cross" in {row["id"] for row in screen.values("--with", own, "harbour-craps")}


@pytest.mark.parametrize("command", ["simulate", "strategies"])
def test_help_explains_every_word_and_its_examples_can_be_typed(
    command: str, screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    explained = argparse.ArgumentParser()
    {"simulate": add_simulate, "strategies": add_strategies}[command](explained)
    assert [action.dest for action in explained._actions if not action.help] == []
    assert main([command, "--help"]) == 0
    told = screen.capsys.readouterr().out
    assert max(map(len, told.splitlines())) <= 80
    examples = re.findall(rf"^  croupier ({command}.*)$", told, re.MULTILINE)
    assert len(examples) >= 3
    monkeypatch.chdir(tmp_path)
    Path("my-own.toml").write_text(HEAD.format(book=CRAPS) + FIELD, encoding="utf-8")
    for example in examples:
        assert main(shlex.split(example)) == 0


# -- an explanation ---------------------------------------------------------------------------------------------------

EXPLAINED = [(one.id, book) for one in included() for book in one.books]


@pytest.mark.parametrize(("name", "book"), EXPLAINED, ids=lambda word: word)
def test_every_included_strategy_is_explained(
    name: str, book: str, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines, told = screen(name, "--book", book), screen.values(name, "--book", book)
    assert max(map(len, lines)) <= 60
    flat = " ".join(" ".join(lines).split())
    assert flat.startswith(f"{told['name']} ({name}) {', '.join(told['books'])}")
    assert told["book"] == book
    assert told["about"] in flat
    for row in told["rules"]:
        assert f"{row['rule']} {row['says']}" in flat
        assert row["says"].endswith(".")
    for row in told["progressions"]:
        assert f"{row['name']} {row['says']}" in flat
    assert {row["rule"] for row in told["rules"]} == set(range(1, max(row["rule"] for row in told["rules"]) + 1))
    assert (told["kernel"] == "machine") == (told["states"] > 0)
    assert all(low <= high for low, high in (wager["exact_edge"] for wager in told["wagers"]))
    assert not any(word in flat for word in ("frozenset", "Fraction", "None"))


def test_an_explanation_reads_like_this(screen: Screen) -> None:
    lines = screen("one-shooter")
    rules = lines[lines.index("1  Bet 5.00 (1 unit) on Win Line.") :]
    assert rules == [
        "1  Bet 5.00 (1 unit) on Win Line.",
        "2  Bet 2 x the stake of Win Line on Behind the Win Line.",
        "3  Bet 6.00 (1.2 units) on Place Bet to Win 6 and 8 when the puck is on, unless",
        "   the puck is that number.",
        "",
        "Leaves with a profit of 100.00 (20 units), with a loss of 100.00 (20 units) or",
        "after 1 shooter, once every wager is decided.",
        "",
        "house edge  Win Line 1.414%, Behind the Win Line 0.000%, Place Bet to Win 6 and",
        "            8 1.515%",
        "played by   a machine with 13 states: one look-up for each throw",
    ]


def test_what_can_be_reckoned_exactly_is_told(screen: Screen) -> None:
    told = screen.values("field-flat")
    assert told["wagers"] == [{"wager": "field", "pick": None, "exact_edge": [-1 / 18, -1 / 18]}]
    assert told["session"]["rolls"] == 144
    assert told["session"]["net"] == pytest.approx(-144 * 5 / 18)
    assert "exact mean  -40.00 after 144 rolls; standard deviation 64.72" in screen("field-flat")
    assert "craps-nsw-2024, snake-eyes-nsw-2019, snake-eyes-nz, explained for snake-eyes-nz; unit 5.00" in " ".join(
        screen("field-flat", "--book", SNAKE_EYES_NZ)
    )
    shared = screen("percent-of-bankroll")
    assert "bankroll    needed, because rule 1 stakes a share of the bankroll" in shared
    assert "played by   the general kernel, because what it does depends on money" in shared
    assert screen.values("percent-of-bankroll")["session"] is None


CONDITIONS = {
    "puck is off": "the puck is off",
    "puck is on": "the puck is on",
    "puck is 6 or 8": "the puck is 6 or 8",
    "puck is not 6": "the puck is not 6",
    "puck is not off": "the puck is on",
    "last result is total 7": "the last result was a total of 7",
    "last result is total 7 11": "the last result was a total of 7 or 11",
    "last result is not total 7": "the last result was not a total of 7",
    "last result is pair, total 4": "the last result was 2 2",
    "last result is exactly 1 of 6": "the last result was 1 6, 2 6, 3 6, 4 6, 5 6, 6 1, 6 2, 6 3 or 2 others",
    "field stands": "Field stands",
    "no come *": "no Come stands",
    "no come 6": "no Come 6 stands",
    "come stands": "Come stands",
    "count come * below 2": "fewer than 2 Come wagers stand",
    "count place_to_win * is 1": "exactly 1 Place Bet to Win wager stands",
    "wins field at least 3": "Field has won at least 3 in a row",
    "losses field at most 2": "Field has lost at most 2 in a row",
    "wins field is 0": "Field has not just won",
    "hits place_to_win * below 2": "any Place Bet to Win has won less than twice since the shooter began",
    "hits place_to_win 6 is not 1": "Place Bet to Win 6 has won not exactly once since the shooter began",
    "hits place_to_win 6 is 0": "no Place Bet to Win 6 has won since the shooter began",
    "losses field at least 1": "Field has just lost",
    "last result is pair": "the last result was a pair",
    "rolls at least 100": "the session has seen at least 100 rolls",
    "shooter rolls at most 1": "the shooter has made at most 1 roll",
    "shooters above 3": "the shooter is after number 3",
    "bankroll below 50.00": "the chips in hand are below 50.00 (10 units)",
    "net above -7.00": "the result is above -7.00 (-1.4 units)",
    "net above -5.00": "the result is above -5.00 (-1 unit)",
    "rolls is 1": "the session has seen exactly 1 roll",
    "net at least 1.23": "the result is at least 1.23",
}

HEAD = 'name = "Try"\nbook = "{book}"\nabout = "Tried."\nunit = "5.00"\n'


def said(book: str, text: str) -> Wording:
    game = SHELF.game(SHELF.terms(book))
    return Wording(game, read_strategy(HEAD.format(book=book) + text, "try.toml", game))


@pytest.mark.parametrize(("condition", "words"), CONDITIONS.items(), ids=lambda text: text)
def test_conditions_in_words(condition: str, words: str) -> None:
    rules = f'[[rules]]\nbet = "field"\nstake = "1 unit"\nwhen = "{condition}"\nunless = ["puck is 4", "puck is 5"]\n'
    wanted = f"Bet 5.00 (1 unit) on Field when {words}, unless the puck is 4 or the puck is 5."
    assert list(said(CRAPS, rules).rules()) == [(1, wanted)]


def test_the_last_of_many_results_is_one_other() -> None:
    game = SHELF.game(SHELF.terms(CRAPS))
    asked = ResultIs(frozenset(range(9)))
    wording = Wording(game, Strategy("", "", 100, (Bet(1, Spot("field"), Fixed(100), Guard((asked,))),)))
    assert wording.condition(asked, None).endswith(" 2 1, 2 2 or 1 other")


RULES = {
    'bet = "field"\nstake = "most"': "Bet the maximum allowed on Field.",
    'bet = "field"\nstake = "2.5% of bankroll"': "Bet 2.5% of the chips in hand on Field.",
    'bet = "field"\nstake = "7.77"': "Bet 7.77 on Field.",
    'bet = "field"\nstake = "1/2 x win_line"': "Bet 0.5 x the stake of Win Line on Field.",
    'bet = "field"\nstake = "progression up"': "Bet the stake “up” on Field.",
    'bet = "field"\nstake = "3 x progression up"': "Bet 3 x the stake “up” on Field.",
    'bet = "field"\nstake = "2 units"\nadds = true': "Bet (or raise to) 10.00 (2 units) on Field.",
    'bet = "field"\nstake = "1 unit"\nor_less = true': (
        "Bet 5.00 (1 unit) on Field, or as much as limits and chips allow."
    ),
    'bet = "come"\nstake = "1 unit"\ninsist = true': (
        "Bet 5.00 (1 unit) on Come, even while the book does not allow it."
    ),
    'bet = "field"\nstake = "1 unit"\nat_most = 1': "Bet 5.00 (1 unit) on Field, at most once per shooter.",
    'bet = "field"\nstake = "1 unit"\nat_most = 3\nper = "session"': (
        "Bet 5.00 (1 unit) on Field, at most 3 times per session."
    ),
    'bet = ["field", "hardway 8"]\nstake = "1 unit"': "Bet 5.00 (1 unit) on Field and Hardways 8.",
    'bet = "hardway *"\nstake = "1 unit"': "Bet 5.00 (1 unit) on every Hardways.",
    'bet = "behind_come *"\nstake = "2 x come {pick}"': (
        "Bet 2 x the stake of Come on that number on every Behind the Come."
    ),
    'take = "place_to_win 6"': "Take down Place Bet to Win 6.",
    'take = "come *"': "Take down every Come.",
    'take = ["place_to_win 6", "place_to_win 8"]\nleave = "6.00"': (
        "Reduce Place Bet to Win 6 and 8 to 6.00 (1.2 units)."
    ),
    'call_on = "hardway 4"': "Call Hardways 4 On.",
    'call_off = "hardway *"': "Call every Hardways Off.",
}
UP = '[progressions.up]\nof = "field"\nsteps = [1, 2]\nwin = "first"\nloss = "next"\n'
FIELD = '[[rules]]\nbet = "field"\nstake = "1 unit"\n'


@pytest.mark.parametrize(("rule", "words"), RULES.items(), ids=lambda text: text)
def test_rules_in_words(rule: str, words: str) -> None:
    assert next(iter(said(CRAPS, f"[[rules]]\n{rule}\n{FIELD}{UP}").rules())) == (1, words)


def test_targets_that_differ_in_more_than_their_pick_have_lines_of_their_own() -> None:
    rule = '[[rules]]\nbet = ["place_to_win 6", "hardway 8"]\nstake = "1 unit"\nwhen = "puck is {pick}"\n'
    assert list(said(CRAPS, rule).rules()) == [
        (1, "Bet 5.00 (1 unit) on Place Bet to Win 6 and Hardways 8 when the puck is that number.")
    ]
    rule = rule.replace("puck is {pick}", "place_to_win {pick} stands").replace("hardway 8", "hardway 6")
    assert len(list(said(CRAPS, rule).rules())) == 1
    rule = rule.replace("place_to_win {pick} stands", "no behind_come {pick}").replace("hardway 6", "big_6")
    rule = rule.replace(', "big_6"', "")
    assert list(said(CRAPS, rule).rules()) == [
        (1, "Bet 5.00 (1 unit) on Place Bet to Win 6 when no Behind the Come 6 stands.")
    ]


PROGRESSIONS = {
    'steps = [1, 2, "7.50"]\nwin = "first"\nloss = "next"\nend = "first"': (
        "5.00, 10.00, 7.50. A win on Field goes back to the start, a loss goes to the next step; after the last step "
        "it starts again."
    ),
    'steps = [1, 2]\nwin = "back 2"\nloss = "stay"\nper = "shooter"': (
        "5.00, 10.00. A win on Field goes back 2 steps, a loss changes nothing; it restarts with each shooter."
    ),
    'steps = [1, 2]\nwin = "back"\nloss = "next"': (
        "5.00, 10.00. A win on Field goes back 1 step, a loss goes to the next step; after the last step it stays "
        "there."
    ),
    'start = "1 unit"\nwin = "add half winnings"\nloss = "double"\nmost = "50.00"\nleast = "2.00"': (
        "starts at 5.00, from 2.00 to 50.00. A win on Field adds 50% of what was won, a loss multiplies it by 2."
    ),
    'start = "1 unit"\nwin = "less 1 unit"\nloss = "add 2.00"\nmost = "50.00"': (
        "starts at 5.00, from 0.00 to 50.00. A win on Field takes off 5.00 (1 unit), a loss adds 2.00 (0.4 units)."
    ),
}


@pytest.mark.parametrize(("moves", "words"), PROGRESSIONS.items(), ids=lambda text: text)
def test_progressions_in_words(moves: str, words: str) -> None:
    text = f'[[rules]]\nbet = "field"\nstake = "progression p"\n[progressions.p]\nof = "field"\n{moves}\n'
    assert list(said(CRAPS, text).progressions()) == [("p", words)]


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        ("", None),
        ('win = "10.00"', "Leaves with a profit of 10.00 (2 units)."),
        (
            'loss = "10.00"\nleave = "when decided"',
            "Leaves with a loss of 10.00 (2 units), once every wager is decided.",
        ),
        ("shooters = 2\nrolls = 1", "Leaves after 2 shooters or after 1 roll."),
    ],
)
def test_the_end_in_words(stop: str, words: str | None) -> None:
    assert said(CRAPS, f"{FIELD}[stop]\n{stop}\n" if stop else FIELD).end() == words


def test_other_games_have_their_own_words() -> None:
    when = '["size is small 0", "hits big is 0", "last result is triple", "last result is not small"]'
    sic_bo = f'[[rules]]\nbet = "big"\nstake = "1 unit"\nwhen = {when}\n'
    assert [words for _, words in said(SIC_BO, sic_bo).rules()] == [
        "Bet 5.00 (1 unit) on Big when the size is small 0 and no Big has won in the session and the last result was "
        "a triple and the last result was not small."
    ]
    two_up = '[[rules]]\nbet = "heads"\nstake = "1 unit"\nwhen = "rolls at least 1"\n[stop]\nrolls = 9\n'
    words = said(TWO_UP, two_up)
    assert list(words.rules()) == [(1, "Bet 5.00 (1 unit) on Heads when the session has seen at least 1 spin.")]
    assert words.end() == "Leaves after 9 spins."


# -- a check ----------------------------------------------------------------------------------------------------------


def test_every_mistake_is_told_with_its_line(screen: Screen, folder: Path) -> None:
    text = (
        HEAD.format(book=CRAPS)
        + '[[rules]]\nbet = "win_lin"\nstake = "1 unit"\n[[rules]]\nbet = "field"\nstake = "-1"\n'
    )
    (folder / "wrong.toml").write_text(text, encoding="utf-8")
    lines = screen("wrong.toml", status=1)
    assert [line.partition(":")[0] for line in lines] == ["wrong.toml, line 6", "wrong.toml, line 10"]
    assert lines[0].endswith("(6.2)")
    told = screen.values("wrong.toml", status=1)
    assert told["file"] == "wrong.toml"
    assert [(row["line"], row["clause"]) for row in told["problems"]] == [(6, "6.2"), (10, None)]
    assert all(row["reason"] in lines[place] for place, row in enumerate(told["problems"]))


def test_a_file_without_mistakes_is_explained(screen: Screen, folder: Path) -> None:
    (folder / "mine.toml").write_text(HEAD.format(book=CRAPS) + FIELD, encoding="utf-8")
    lines = screen("mine.toml")
    assert lines[:2] == ["Try (mine.toml)", "craps-nsw-2024; unit 5.00"]
    assert "1  Bet 5.00 (1 unit) on Field." in lines
    assert screen("mine.toml", "--book", TWO_UP, status=1) == [
        f'mine.toml, line 2: it is written for "{CRAPS}", not for "{TWO_UP}"'
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('name = "a', "line 1: this is not TOML"),
        ('name = "Try"', "book is missing"),
        ("book = 3", "line 1: book must be a text in quotes"),
        ("book = []", "line 1: it is written for no book"),
        ('book = "craps-nsw-2023"', 'line 1: there is no book "craps-nsw-2023"; closest match: craps-nsw-2024'),
    ],
)
def test_a_file_that_is_for_no_book_is_told_so(text: str, wanted: str, screen: Screen, folder: Path) -> None:
    (folder / "wrong.toml").write_text(text + "\n", encoding="utf-8")
    lines = screen("wrong.toml", status=1)
    assert len(lines) == 1
    assert wanted in lines[0]


def test_a_strategy_for_several_books_is_checked_for_each(screen: Screen, folder: Path) -> None:
    text = (
        HEAD.replace('"{book}"', f'["{SNAKE_EYES}", "{CRAPS}"]') + FIELD + '[[rules]]\nbet = "five"\nstake = "1 unit"\n'
    )
    (folder / "both.toml").write_text(text, encoding="utf-8")
    lines = screen("both.toml", status=1)
    assert len(lines) == 1
    assert 'both.toml, line 9: the book has no wager called "five"' in lines[0]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("iron-crss",),
            '"iron-crss": there is no such strategy, and the name does not end in .toml; closest match: iron-cross',
        ),
        (("no.toml",), "no.toml: there is no such file"),
        (("iron-cross", "--book", "no-book"), "no-book: there is no such rule book"),
    ],
)
def test_what_is_not_there_is_one_sentence(words: tuple[str, ...], sentence: str, screen: Screen, folder: Path) -> None:
    assert screen(*words, status=2) == []
    assert screen.err.startswith(f"croupier: {sentence}")
    assert len(screen.err.splitlines()) == 1
