"""Every condition under which a book can refuse a player has a twin: a scenario in which it does refuse one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from croupier.rules.book import Book
from croupier.scenarios.scenario_lines import Step
from tests.mutants import load_scenarios
from tests.tables import BOOKS, SHELF


class Twin(NamedTuple):
    """A refusal: the part of the book that makes it, its wager, its code and its clause."""

    part: str
    wager: str | None
    code: str
    clause: str


# Refusals that cannot occur, and why not.
NEVER = {
    ("two-up-nsw-2016", "place"): "with Odds standing the bets are closed, and that is the refusal (4.6)",
}


def refusals_of(book: Book) -> Iterator[Twin]:
    """Every refusal that the data of a book can lead to."""
    for wager in book.rules.wagers:
        for condition in wager.place:
            yield Twin("place", wager.id, condition.code, condition.clause)
        for condition in wager.take:
            yield Twin("take", wager.id, condition.code, condition.clause)
        if wager.behind is not None:
            yield Twin("behind", wager.id, "flat_wager_missing", wager.behind.clause)
            yield Twin("behind.limit", wager.id, "stake_above_behind_limit", wager.behind.limit_clause)
        if wager.multiple is not None:
            yield Twin("multiple", wager.id, "amount_not_in_units", wager.multiple.clause)
        if wager.fixed_stake is not None:
            yield Twin("fixed_stake", wager.id, "stake_not_the_fixed_amount", wager.fixed_stake.clause)
        if wager.optional is not None:
            yield Twin("optional", wager.id, "wager_not_offered", wager.optional)
        if wager.sole is not None:
            yield Twin("sole", wager.id, "held_by_another", wager.sole.clause)
            yield Twin("sole.declared", wager.id, "declared_already", wager.sole.declared_clause)
            yield Twin("sole.turn", wager.id, "turn_passed", wager.sole.turn_clause)
    yield from _of_the_table(book)


def _of_the_table(book: Book) -> Iterator[Twin]:
    rules = book.rules
    limits = (
        ("wagers", "unknown_wager", rules.limits.wagers),
        ("minimum", "stake_below_minimum", rules.limits.minimum),
        ("maximum", "stake_above_maximum", rules.limits.maximum),
        ("unit", "amount_not_in_units", rules.limits.unit),
        ("chips", "amount_not_in_chips", rules.limits.chips),
        ("chips", "not_enough_chips", rules.limits.chips),
    )
    for part, code, clause in limits:
        if clause is not None:
            yield Twin(f"limits.{part}", None, code, clause)
    if rules.betting is not None:
        yield Twin("betting", None, "bets_closed", rules.betting.clause)
        if rules.betting.without == "refused":
            yield Twin("betting.without", None, "bets_open", rules.betting.without_clause)
    if rules.card is not None:
        yield Twin("card", None, "no_player_card", rules.card.clause)


def refusals_shown(book_id: str) -> set[tuple[str | None, str, str]]:
    """Wager, code and clause of every refusal that a scenario of the book expects; also with None as the wager."""

    def steps(of: list[Step]) -> Iterator[Step]:
        for step in of:
            yield step
            yield from steps(step.trials)

    shown: set[tuple[str | None, str, str]] = set()
    for scenario in load_scenarios(book_id):
        for step in steps(scenario.steps):
            for expected in step.expected:
                if expected.kind == "refused" and "clause" in expected.values:
                    code, clause = expected.values["code"], expected.values["clause"]
                    shown |= {(step.values.get("wager"), code, clause), (None, code, clause)}
    return shown


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_condition_that_can_refuse_is_seen_to_refuse(book_id: str) -> None:
    shown = refusals_shown(book_id)
    twins = list(refusals_of(SHELF.book(book_id)))
    missing = [twin for twin in twins if twin[1:] not in shown and (book_id, twin.part) not in NEVER]
    assert missing == []
    assert [(book_id, t.part) for t in twins if t[1:] in shown and (book_id, t.part) in NEVER] == []


def test_every_exception_speaks_of_something_in_a_book() -> None:
    known = {(book_id, twin.part) for book_id in BOOKS for twin in refusals_of(SHELF.book(book_id))}
    assert set(NEVER) <= known
