"""The five books as data: complete and consistent."""

from __future__ import annotations

from datetime import date

import pytest

from croupier import rulebooks
from croupier.rules.checking import check_book
from croupier.rules.shelf import Shelf
from tests.tables import BOOKS, SHELF

# Every number, letter and limb, headings and rows of pay tables aside.
CLAUSES = {
    "snake-eyes-nsw-2019": 160,
    "snake-eyes-nz": 134,
    "two-up-nsw-2016": 104,
    "craps-nsw-2024": 239,
    "sic-bo-nsw-2016": 153,
}
TAILS = {
    "craps-nsw-2024": ["7.1 tail", "9.1 tail"],
    "two-up-nsw-2016": ["6.6 tail", "6.7 tail"],
    "snake-eyes-nz": ["5.7 tail", "6.3 tail", "6.4 tail"],
}
PICKS = {
    "craps-nsw-2024": 61,
    "sic-bo-nsw-2016": 58,
    "two-up-nsw-2016": 4,
    "snake-eyes-nsw-2019": 15,
    "snake-eyes-nz": 15,
}


def test_the_package_has_the_five_books() -> None:
    assert sorted(rulebooks.ids()) == sorted(CLAUSES) == sorted(BOOKS)


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_clause_of_the_document_is_there(book_id: str) -> None:
    numbers = list(SHELF.book(book_id).clauses)
    tails = [number for number in numbers if number.endswith(" tail")]
    assert len(numbers) - len(tails) == CLAUSES[book_id]
    assert tails == TAILS.get(book_id, [])
    for number in numbers:  # a limb never stands without the clause that it is a limb of
        parent = number.rpartition("(")[0] or number.rpartition(".")[0]
        assert parent in numbers or parent.isdecimal(), number


def test_there_are_74_definitions() -> None:
    assert sum(len(SHELF.book(book_id).definitions) for book_id in BOOKS) == 74


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_book_holds_together(book_id: str) -> None:
    book = Shelf().book(book_id)
    check_book(book)
    assert sum(len(book.picks(wager)) for wager in book.rules.wagers) == PICKS[book_id]


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_book_says_what_it_is(book_id: str) -> None:
    identity = SHELF.book(book_id).rules.book
    assert identity.id == book_id
    for value in (identity.jurisdiction, identity.casino, identity.regulator, identity.instrument, identity.timezone):
        assert value
    assert identity.damage
    assert (identity.signed is None) == (book_id == "snake-eyes-nz")


def test_dates_of_the_orders() -> None:
    signed = {book_id: SHELF.book(book_id).rules.book.signed for book_id in BOOKS}
    assert signed["craps-nsw-2024"] == date(2024, 8, 16)
    assert signed["sic-bo-nsw-2016"] == signed["two-up-nsw-2016"] == date(2016, 8, 17)
    assert signed["snake-eyes-nsw-2019"] == date(2019, 3, 13)


@pytest.mark.parametrize("book_id", BOOKS)
def test_summaries_are_one_line_each(book_id: str) -> None:
    book = SHELF.book(book_id)
    for number, clause in [*book.clauses.items(), *book.definitions.items()]:
        assert 10 < len(clause.summary) <= 220, number
        assert "\n" not in clause.summary


@pytest.mark.clause("snake-eyes-nsw-2019", "8.1")
def test_snake_eyes_nsw_has_two_whole_columns() -> None:
    choices = SHELF.book("snake-eyes-nsw-2019").rules.pay_table.choices
    assert [list(choice.options) for choice in choices] == [["one", "two"]]


@pytest.mark.clause("snake-eyes-nz", "4.9", "4.10")
def test_snake_eyes_nz_has_768_displays() -> None:
    count = 1
    for choice in SHELF.book("snake-eyes-nz").rules.pay_table.choices:
        count *= len(choice.options)
    assert count == 768
