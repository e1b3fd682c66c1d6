"""The language of scenarios about promotions; the books' scenarios notice every change in what a book says of
prizes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest

from croupier.prizes import commands
from croupier.prizes.terms import Terms
from croupier.scenarios import ScenarioError, read_scenarios, run_scenario
from croupier.scenarios.forms import PROMOTION
from croupier.scenarios.promotion_commands import ORDERS
from croupier.scenarios.scenario_lines import Step
from tests import prize_mutants
from tests.mutants import load_scenarios
from tests.promotions import PRIZE_BOOKS
from tests.tables import SHELF

GOOD = """
scenario A prize is drawn and paid
book craps-nsw-2024
promotion
complete terms
prize first = money worth 500.00
at 2026-02-26T09:00+11:00
the terms are drafted
each
  at 2026-02-28T09:00:01+11:00, the terms are filed: refused filed_too_late by 11.12
  filed without meals of first: terms_filed by 11.12
as mia, the terms are filed
  > terms_filed by 11.12 to="the NICC" by=mia at=2026-02-25T22:00Z
duty file under 11.12 is done by mia
duty publish under 11.6 is due by 2026-03-01T09:00+11:00
brought to drawn
stage is drawn
award 1 of ann is drawn
there is no duty scrutineer
ann claims award 1 as c1
award 1 is paid 500.00 by crossed cheque
  > prize_paid by 11.4 parts="500.00 by crossed_cheque"
the promotion closes
"""
TRUE = GOOD.replace("  filed without meals of first: terms_filed by 11.12\n", "").replace(
    "brought to drawn", "patrons get the terms by a brochure, and the marketing refers to them\nbrought to drawn"
)


def first_difference(text: str) -> str:
    (scenario,) = read_scenarios(text, "test.scenario")
    return str(run_scenario(scenario, SHELF))


def test_a_true_scenario_has_no_difference() -> None:
    assert first_difference(TRUE) == "None"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("filed_too_late by 11.12", "filed_too_late by 11.1", "got:      refused filed_too_late by 11.12: The NICC"),
        ("refused filed_too_late by 11.12", "terms_filed by 11.12", "got:      refused filed_too_late by 11.12"),
        ("filed: refused filed_too_late by 11.12", "filed: terms_filed by 11.12; terms_filed by 11.12", "line 10"),
        ("  > terms_filed by 11.12 to", "  > terms_filed by 11.13 to", "expected: terms_filed by 11.13"),
        ('to="the NICC"', 'to="the Authority"', 'got:      terms_filed by 11.12 by=mia to="the NICC"'),
        ("at=2026-02-25T22:00Z", "at=2026-02-25T22:01Z", "at=2026-02-25T22:01Z"),
        ("by=mia at", "by=otto at", "by=otto"),
        ("by=mia at", "whom=mia at", "whom=mia"),
        ("11.12 is done by mia", "11.12 is done by otto", "got:      duty file under 11.12 is done by mia"),
        ("duty file under 11.12 is done", "duty file under 11.6 is done", "got:      duty file under 11.12 is done"),
        ("duty file under 11.12 is done", "duty file under 11.12 is done late", "is done by mia"),
        ("duty file", "duty fill", "got:      duties: file, publish"),
        ("is due by 2026-03-01T09:00+11:00", "is due by 2026-03-01T09:00+10:00", "is due by 2026-02-28T22:00:00+00:00"),
        ("is due by 2026-03-01T09:00+11:00", "is due as soon as possible", "is due by 2026-02-28T22:00:00+00:00"),
        ("is due by 2026-03-01T09:00+11:00", "is due at once", "is due by 2026-02-28T22:00:00+00:00"),
        ("stage is drawn", "stage is closed", "got:      stage is drawn"),
        ("award 1 of ann is drawn", "award 1 of ben is drawn", "got:      award 1 of ann is drawn"),
        ("award 1 of ann is drawn", "award 2 of ann is drawn", "got:      there is no such award"),
        ("there is no duty scrutineer", "there is no duty file", "got:      duty file is done"),
        ("is paid 500.00", "is paid 400.00", "expected: prize_paid by 11.4"),
        ("  > prize_paid by 11.4 parts", "  > prize_paid happens award", 'parts="500.00 by crossed_cheque"'),
        ("the promotion closes", "it waits", "got:      it does not wait"),
        ("the promotion closes", "claim c1 is kept with name and address", "got:      not kept"),
        ("the promotion closes", "claim c2 is kept with name and address", "there is no claim called c2"),
        ("the promotion closes", "the terms say manner = by lot", "got:      the terms say The terms say how"),
        ("the promotion closes", "the terms say alternative of first = 1.00", "got:      the terms say nothing of it"),
        ("the promotion closes", "the terms do not say manner", "got:      manner: the terms say"),
        ("the promotion closes", "the terms do not say colour", "the book knows no point called colour"),
        ("the promotion closes", "the terms do not say value of car", "the terms have no prize called car"),
        ("the promotion closes", "prize car contains tobacco", "no prize called car was written down"),
        ("the promotion closes", "term value of car = 1.00", "have no such prize or point"),
        ("the promotion closes", "award 1 is handed over", "got:      refused award_settled"),
        ("at 2026-02-26T09:00+11:00\n", "", "got:      no time has been given"),
        ("craps-nsw-2024", "two-up-nsw-2016", "got:      two-up-nsw-2016 has none"),
        ("brought to drawn", "prize second = boat worth 1.00\nthe terms are amended", "refused unknown_kind"),
    ],
)
def test_a_false_scenario_shows_the_first_difference(old: str, new: str, expected: str) -> None:
    assert TRUE.count(old) >= 1
    assert expected in first_difference(TRUE.replace(old, new))


def test_a_point_that_the_terms_do_not_have_cannot_be_left_out() -> None:
    assert "line 11" in first_difference(GOOD)
    assert "have no such prize or point" in first_difference(GOOD)


def test_what_an_each_tries_leaves_no_trace() -> None:
    text = """
scenario Nothing remains
book craps-nsw-2024
promotion
complete terms
prize first = money worth 500.00
at 2026-02-26T09:00+11:00
each
  at 2026-02-27T09:00+11:00, filed with manner = by lot: terms_filed by 11.12
stage is new
the terms are drafted
  > terms_drafted happens at=2026-02-26T09:00+11:00
the terms say manner = by lot
"""
    assert "line 13 (Nothing remains)" in first_difference(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            TRUE.replace("stage is drawn", "stage is over"),
            'line 17: "stage is over" is not a line that a scenario of a promotion can have',
        ),
        (TRUE.replace("500.00 by crossed", "500 by crossed"), "line 21: .*money has two decimals, such as 10.00"),
        (TRUE.replace("worth 500.00", "worth 500"), "line 6: .*money has two decimals"),
        (TRUE.replace("the promotion closes", "ann bets 10.00 on win_line"), 'line 23: "ann bets 10.00 on win_line"'),
        (TRUE.replace("at 2026-02-26T09:00+11:00", "at 2026-02-26T09:00"), "line 7: .* has no zone"),
        (TRUE.replace("at 2026-02-26T", "at 0206-02-26T"), "line 7: .* is in a year before 2000"),
        (TRUE.replace("at 2026-02-26T09:00+11:00", "at noon"), 'line 7: "noon" is not a time such as 2026-'),
        (TRUE.replace("at 2026-02-28T09:00:01+11:00,", "at 2026-02-28T25:00:01+11:00,"), "line 10: .* is not a time"),
        (TRUE.replace("complete terms", "table chip 1.00"), "line 5: a promotion is not played at a table"),
        (
            TRUE.replace("complete terms", "complete terms\npromotion"),
            "line 6: write promotion before anything happens",
        ),
        (TRUE.replace("promotion\ncomplete", "table chip 1.00\npromotion\ncomplete"), "line 5: .* without a table"),
        (TRUE.replace("stage is drawn\n", "stage is drawn\n  > prizes_drawn by 11.1\n"), "line 18: .*is a statement"),
        (
            TRUE.replace("  > prize_paid by 11.4", "  > ann wins 5.00"),
            "line 22: .*is not a consequence that can be expected",
        ),
        ("scenario Without\nbook craps-nsw-2024\ncomplete terms\n", 'line 3: "complete terms" is not a line'),
    ],
)
def test_a_file_that_cannot_be_read_names_its_line(text: str, message: str) -> None:
    def read_and_run() -> None:
        for scenario in read_scenarios(text, "test.scenario"):
            run_scenario(scenario, SHELF)

    with pytest.raises(ScenarioError, match=message.replace("(", r"\(").replace("+", r"\+")):
        read_and_run()


def steps_of(book_id: str) -> Iterator[Step]:
    """Every step of every scenario about a promotion under a book, including refused attempts."""
    for scenario in load_scenarios(book_id):
        for step in scenario.steps if scenario.promotion else []:
            yield from (step, *step.trials)


def test_every_command_can_be_given_and_every_form_is_used() -> None:
    steps = [step for book_id in PRIZE_BOOKS for step in steps_of(book_id)]
    given = {type(ORDERS[step.kind](step.values, None, Terms())) for step in steps if step.kind in ORDERS}
    assert given == set(get_args(commands.AnyCommand))
    assert {kind for kind, _ in PROMOTION.expected} == {e.kind for step in steps for e in step.expected}
    unused = {kind for kind, _ in PROMOTION.steps} - {step.kind for step in steps}
    assert unused == {"several_each"}  # what it changes is the draw of the house, not what a promotion decides


@pytest.mark.parametrize("book_id", PRIZE_BOOKS)
def test_some_scenario_notices_every_change_in_what_a_book_says_of_prizes(book_id: str) -> None:
    """A clause, a figure, an amount, a yes or no, a row left out: no mistake goes unnoticed."""
    living, count = prize_mutants.survivors(book_id)
    assert [str(mutant) for mutant in living] == []
    assert count > 250


@pytest.mark.parametrize("book_id", PRIZE_BOOKS)
def test_scenarios_about_promotions_are_in_files_of_their_own(book_id: str) -> None:
    for scenario in load_scenarios(book_id):
        assert scenario.promotion == scenario.file.startswith("promotion-")
