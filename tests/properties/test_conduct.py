"""Whole evenings with their people: players, dealers and supervisors do what the books let them, in any order.

Void throws, lost dice, corrections, exclusions, signs, disputes and closures at all five books: no command ever raises,
a refusal changes nothing, every cent is accounted for, and when everyone has left no one is owed anything. The test
counts what the evenings of a book have reached, so that it cannot pass merely because nothing happened.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis.stateful import run_state_machine_as_test

from tests.properties.courses import Evening
from tests.properties.nights import COURSES
from tests.soaking import IS_SOAK, series
from tests.tables import BOOKS, SHELF

# What the evenings of a book reach, where the book knows the act; and what they reach at every book.
REACHED = [
    *("confirm_late", "house_takes", "dice_off", "return_dice", "declare_lost", "new_set", "vacate"),
    *("move_wager", "correct_position", "refuse_wager", "void_wagers", "reimburse", "give_back", "put_right_elsewhere"),
    *("settle_streaks", "return_streaks", "rectify", "place_declared", "overrule_call", "amend_entry"),
    *("correct_result", "ask_again", "take_silence", "dice_out", "find_lost"),
    *("withdraw_exclusion", "withdraw_device", "withdraw_minimum_sign", "withdraw_closing_sign", "withdraw_final_call"),
    *("post_closing_sign", "close_table", "reopen_table", "issue_checks", "redeem_checks"),
    *("fill_float", "credit_float", "count_float", "report_count", "confirm_count"),
]
HAPPENINGS = [
    "void",
    "correction",
    "corrected at once",
    "debt",
    "played out while closing",
    "closed for good",
    "reopened",
]


def usual_evenings(night: type[Evening]) -> None:
    """All courses in many orders; in every second evening people also act freely."""
    for number in series(40, in_a_soak=100):
        rnd, evening = Random(number), night()
        evening.open(
            manual=number % 4 < 3, late=number % 3 < 2, seats=3 + number % 2, high=[None, 5_000][number % 5 == 0]
        )
        for played in rnd.sample([each for each in COURSES for _ in range(1 + number % 2)], len(COURSES)):
            played(evening, rnd.getrandbits(32))
            evening.every_cent_is_accounted_for()
            evening.checks_are_chips()
            evening.the_float_is_what_the_ledger_says()
            evening.nothing_waits_too_long()
            evening.the_house_throws_only_for_a_wager_that_stands()
            evening.only_one_has_the_dice()
            evening.the_table_can_be_shown()
        evening.teardown()


@pytest.mark.parametrize("book_id", BOOKS)
def test_whole_evenings(book_id: str) -> None:
    """Usual evenings first, so that what is reached does not depend on luck; then evenings in any order."""
    reached: Counter[str] = Counter()
    night = type("NightAt", (Evening,), {"book": book_id, "reached": reached})
    usual_evenings(night)
    if not IS_SOAK:
        check_reached(book_id, reached)
    run_state_machine_as_test(night)


def check_reached(book_id: str, reached: Counter[str]) -> None:
    acts = SHELF.book(book_id).conduct.by_id
    wanted = [*HAPPENINGS, *(name for name in REACHED if name in acts)]
    assert {name for name in wanted if not reached[name]} == set()
    assert reached["left unconfirmed"] or "confirm_late" not in acts
    assert reached["settled"] >= 30
    assert "issue_checks" not in acts or (reached["win in checks"] and reached["lose in checks"])
    assert sum(reached[name] > 0 for name in acts) >= 0.85 * len(acts), [name for name in acts if not reached[name]]
