"""Who may do what, over all books: the table in tests/powers.py is complete and matches the scenarios.

The scenarios themselves run like all others, which shows that tables behave as they say.
"""

from __future__ import annotations

import re

import pytest

from croupier.scenarios.acts import things
from tests import who
from tests.powers import EXPECTED
from tests.tables import BOOKS, SHELF


@pytest.mark.parametrize("book_id", BOOKS)
def test_everything_that_can_be_done_has_its_row(book_id: str) -> None:
    """A new act needs one row in tests/powers.py, read from the document or decided by a reading."""
    rows, known = EXPECTED[book_id], things(SHELF.book(book_id))
    conduct = SHELF.book(book_id).conduct
    missing = [
        f'"{thing}": the book gives it to {conduct.by_id[thing].by} by {conduct.by_id[thing].clause}; read who may'
        if thing in conduct.by_id
        else f'"{thing}"'
        for thing in known
        if thing not in rows
    ]
    assert missing == [], f"rows that tests/powers.py lacks for {book_id}"
    assert [thing for thing in rows if thing not in known] == [], f"rows of {book_id} about what it does not know"


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_rows_are_what_the_scenarios_say(book_id: str) -> None:
    """`make index` writes them."""
    assert who.page(book_id).read_text(encoding="utf-8") == who.written(book_id, SHELF)


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_row_has_its_source(book_id: str) -> None:
    """Each row is read from clauses of the book or decided by registered readings, and names roles of the book."""
    book = SHELF.book(book_id)
    known = {*book.citable(), *(reading.id for reading in book.readings)}
    for thing, (roles, source) in EXPECTED[book_id].items():
        assert set(roles) <= set(book.conduct.role_ids), thing
        assert [part for part in source.split(", ") if part not in known] == [], thing


def test_readings_about_who_does_what_decide_a_row() -> None:
    used = {part for rows in EXPECTED.values() for _, source in rows.values() for part in source.split(", ")}
    assert {"X-59", "X-60", "X-61", "X-62"} <= {part for part in used if re.fullmatch(r"X-\d+", part)}
