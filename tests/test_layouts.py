"""The felts: an area for every wager and pick, none on top of another, all within the felt."""

from __future__ import annotations

from itertools import combinations

import pytest

from croupier.rules import schema
from croupier.rules.book import Book, shown_value
from croupier.rules.machine import Pick
from tests.tables import BOOKS, SHELF

LAYOUT_CLAUSES = {
    "craps-nsw-2024": "2.2",
    "sic-bo-nsw-2016": "2.2",
    "two-up-nsw-2016": "2.2",
    "snake-eyes-nsw-2019": "2.2",
    "snake-eyes-nz": "3.2",
}


def layout_of(book: Book) -> schema.Layout:
    assert book.layout is not None, f"{book.id} has no layout"
    return book.layout


def places_of(book: Book) -> list[tuple[str, Pick]]:
    """Every wager and pick, and every number that a wager can travel to."""
    game = SHELF.game(SHELF.terms(book.id))
    places: list[tuple[str, Pick]] = []
    for wager in book.rules.wagers:
        places += [(wager.id, pick) for pick in book.picks(wager)]
        if wager.travels is not None:
            shown = [shown_value(wager.travels, state) for state in game.machine(wager.id, None).table]
            places += [(wager.id, number) for number in shown if number is not None]
    return places


@pytest.mark.clause("craps-nsw-2024", "2.2")
@pytest.mark.clause("sic-bo-nsw-2016", "2.2")
@pytest.mark.clause("two-up-nsw-2016", "2.2")
@pytest.mark.clause("snake-eyes-nsw-2019", "2.2")
@pytest.mark.clause("snake-eyes-nz", "3.2")
@pytest.mark.parametrize("book_id", BOOKS)
def test_every_wager_and_pick_has_exactly_one_area(book_id: str) -> None:
    book = SHELF.book(book_id)
    picks = [area.pick for area in layout_of(book).areas]
    drawn = [(area.wager, pick) for area, pick in zip(layout_of(book).areas, picks, strict=True)]
    assert sorted(map(repr, drawn)) == sorted(map(repr, places_of(book)))


@pytest.mark.parametrize("book_id", BOOKS)
def test_areas_lie_within_the_felt(book_id: str) -> None:
    layout = layout_of(SHELF.book(book_id))
    columns, rows = layout.size
    for area in layout.areas:
        left, top, width, height = area.at
        assert width > 0, area
        assert height > 0, area
        assert 0 <= left <= left + width <= columns, area
        assert 0 <= top <= top + height <= rows, area


@pytest.mark.parametrize("book_id", BOOKS)
def test_no_area_lies_on_another(book_id: str) -> None:
    for one, other in combinations(layout_of(SHELF.book(book_id)).areas, 2):
        beside = one.at[0] + one.at[2] <= other.at[0] or other.at[0] + other.at[2] <= one.at[0]
        apart = one.at[1] + one.at[3] <= other.at[1] or other.at[1] + other.at[3] <= one.at[1]
        assert beside or apart, (one, other)


@pytest.mark.parametrize("book_id", BOOKS)
def test_felts_look_like_felts(book_id: str) -> None:
    """A real table is about twice to three times as long as it is deep; every area has its name on it."""
    layout = layout_of(SHELF.book(book_id))
    assert 2 <= layout.size[0] / layout.size[1] <= 3.5
    assert all(area.label.strip() == area.label != "" for area in layout.areas)


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_layout_cites_the_clause_that_asks_for_it(book_id: str) -> None:
    book = SHELF.book(book_id)
    assert layout_of(book).clause == LAYOUT_CLAUSES[book_id]
    assert layout_of(book).clause in book.citable()


def test_wagers_behind_a_come_lie_beside_its_number() -> None:
    areas = layout_of(SHELF.book("craps-nsw-2024")).areas
    for number in (4, 5, 6, 8, 9, 10):
        box = next(area.at for area in areas if area.wager == "come" and area.pick == number)
        behind = next(area.at for area in areas if area.wager == "behind_come" and area.pick == number)
        assert behind[0] == box[0]
        assert behind[1] == box[1] + box[3]
