"""Every scenario that comes with the books, and the language they are written in."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier import rulebooks
from croupier.scenarios import ScenarioError, read_scenarios, run_scenario
from tests.mutants import load_scenarios, survivors
from tests.tables import BOOKS, SHELF

FILES = sorted(file for book in BOOKS for file in (rulebooks.folder(book) / "scenarios").glob("*.scenario"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.parent.name}/{file.stem}")
def test_the_table_does_what_the_scenarios_say(file: Path) -> None:
    scenarios = read_scenarios(file.read_text(encoding="utf-8"), file.name)
    differences = [str(found) for scenario in scenarios if (found := run_scenario(scenario, SHELF)) is not None]
    assert differences == []
    assert {scenario.book for scenario in scenarios} == {file.parent.parent.name}


@pytest.mark.parametrize("book_id", BOOKS)
def test_scenarios_are_named_once_and_prove_clauses_that_exist(book_id: str) -> None:
    scenarios = load_scenarios(book_id)
    names = [(scenario.file, scenario.name) for scenario in scenarios]
    assert len(names) == len(set(names))
    known = SHELF.book(book_id).citable()
    assert [(s.name, c) for s in scenarios for c in s.proves if c not in known] == []
    assert all(scenario.proves for scenario in scenarios)


@pytest.mark.parametrize("book_id", BOOKS)
def test_some_scenario_notices_every_altered_row(book_id: str) -> None:
    """Another outcome, other odds, win for lose: no row of any machine can be wrong unnoticed."""
    living, count = survivors(book_id)
    assert [str(mutant) for mutant in living] == []
    assert count > 100


GOOD = """
scenario A natural
book craps-nsw-2024
ann sits with 100.00
ann bets 10.00 on win_line
roll 3 4
  > ann wins 10.00 on win_line by 6.2.1.1.1
ann has 110.00
"""


def first_difference(text: str) -> str:
    (scenario,) = read_scenarios(text, "test.scenario")
    return str(run_scenario(scenario, SHELF))


def test_a_true_scenario_has_no_difference() -> None:
    assert first_difference(GOOD) == "None"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("ann wins 10.00", "ann wins 11.00", "line 7 (A natural)\n  expected: ann wins 11.00 on win_line"),
        ("by 6.2.1.1.1", "by 6.2.1.1.2", "got:      ann wins 10.00 on win_line by 6.2.1.1.1"),
        ("  > ann wins 10.00 on win_line by 6.2.1.1.1\n", "", "expected: nothing\n  got:      ann wins 10.00"),
        ("ann has 110.00", "ann has 120.00", "line 8 (A natural)\n  expected: ann has 120.00\n  got:      110.00"),
        (
            "ann bets 10.00",
            "bob bets 10.00",
            "expected: bob bets 10.00 on win_line\n  got:      refused",
        ),
        ("craps-nsw-2024", "moon-craps", "there is no such rule book"),
        ("roll 3 4", "roll 3 9", "refused not_an_outcome"),
    ],
)
def test_a_false_scenario_shows_the_first_difference(old: str, new: str, expected: str) -> None:
    assert expected in first_difference(GOOD.replace(old, new))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the file holds no scenario"),
        ("ann bets 1.00 on field", "line 1: a file begins with: scenario NAME"),
        (GOOD.replace("roll 3 4", "rool 3 4"), 'line 6: "rool 3 4" is not a line that a scenario can have'),
        (GOOD.replace("ann wins", "ann winz"), 'line 7: "ann winz 10.00'),
        (GOOD.replace("book craps-nsw-2024\n", ""), "does not name its book"),
        ("scenario Nothing\nbook craps-nsw-2024\n", "nothing happens"),
        ("scenario Early\nbook craps-nsw-2024\n> nothing\n", "nothing has happened yet"),
        (GOOD + "table chip 1.00\n", "describe the table before anything happens"),
    ],
)
def test_a_file_that_cannot_be_read_names_its_line(text: str, message: str) -> None:
    def read_and_run() -> None:
        for scenario in read_scenarios(text, "test.scenario"):
            run_scenario(scenario, SHELF)

    with pytest.raises(ScenarioError, match=message.replace("(", r"\(")):
        read_and_run()
