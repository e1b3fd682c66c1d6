"""The felts, wide and narrow: an area for every wager and pick, no overlaps, and every area large enough for a
finger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, groupby, product
from pathlib import Path
from typing import Literal

import pytest
from msgspec import convert

from croupier.contract.replies import DrawnArea
from croupier.felt.areas import Spot, spots_of
from croupier.felt.sheets import narrow_sheets, wide_sheet
from croupier.rules import layout as layouts
from croupier.rules.book import Book, shown_value
from croupier.rules.machine import Pick
from croupier.rules.shelf import Shelf
from croupier.table.decide import open_table
from croupier.table.state import TableView
from tests.tables import BOOKS, SHELF

HARBOUR = Path(__file__).parents[1] / "docs" / "examples" / "harbour-craps.toml"
LAYOUT_CLAUSES = {
    "craps-nsw-2024": "2.2",
    "sic-bo-nsw-2016": "2.2",
    "two-up-nsw-2016": "2.2",
    "snake-eyes-nsw-2019": "2.2",
    "snake-eyes-nz": "3.2",
}

Felt = Literal["wide", "narrow"]
FELTS: tuple[Felt, ...] = ("wide", "narrow")
DRAWN = {"wide": (1200, 22), "narrow": (344, 15)}  # how wide a felt is drawn and how high a row of it is, in pixels


def layout_of(book: Book) -> layouts.Layout:
    assert book.layout is not None, f"{book.id} has no layout"
    return book.layout


def on(lying: layouts.Area | layouts.Ring, felt: Felt) -> layouts.Place:
    return lying.at if felt == "wide" else lying.narrow


def size_of(layout: layouts.Layout, felt: Felt) -> tuple[int, int]:
    return layout.size if felt == "wide" else layout.narrow_size


def places_on(layout: layouts.Layout, felt: Felt) -> list[tuple[str, layouts.Place]]:
    """The position of everything on a felt: the areas, and the ring if there is one."""
    areas = [(f"{area.wager} {area.pick}", on(area, felt)) for area in layout.areas]
    return areas if layout.ring is None else [*areas, ("ring", on(layout.ring, felt))]


def squares_of(place: layouts.Place) -> Iterator[tuple[int, int]]:
    left, top, width, height = place
    return product(range(left, left + width), range(top, top + height))


def places_of(book: Book) -> list[tuple[str, Pick]]:
    """Every wager and pick, and every number to which a wager can travel."""
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


@pytest.mark.parametrize("felt", FELTS)
@pytest.mark.parametrize("book_id", BOOKS)
def test_areas_lie_within_the_felt(book_id: str, felt: Felt) -> None:
    layout = layout_of(SHELF.book(book_id))
    columns, rows = size_of(layout, felt)
    for name, (left, top, width, height) in places_on(layout, felt):
        assert width > 0, name
        assert height > 0, name
        assert 0 <= left <= left + width <= columns, name
        assert 0 <= top <= top + height <= rows, name


@pytest.mark.parametrize("felt", FELTS)
@pytest.mark.parametrize("book_id", BOOKS)
def test_no_area_lies_on_another(book_id: str, felt: Felt) -> None:
    for (one, at), (other, there) in combinations(places_on(layout_of(SHELF.book(book_id)), felt), 2):
        beside = at[0] + at[2] <= there[0] or there[0] + there[2] <= at[0]
        apart = at[1] + at[3] <= there[1] or there[1] + there[3] <= at[1]
        assert beside or apart, (one, other)


@pytest.mark.parametrize("felt", FELTS)
@pytest.mark.parametrize("book_id", BOOKS)
def test_every_area_is_large_enough_for_a_finger(book_id: str, felt: Felt) -> None:
    """44 pixels each way, at the width at which felts are drawn and with the height of their rows."""
    layout = layout_of(SHELF.book(book_id))
    pixels, row = DRAWN[felt]
    for name, (_, _, width, height) in places_on(layout, felt):
        assert width * pixels / size_of(layout, felt)[0] >= 44, name
        assert height * row >= 44, name


@pytest.mark.parametrize("book_id", BOOKS)
def test_narrow_felts_have_24_columns_and_no_area_below_four_by_three(book_id: str) -> None:
    layout = layout_of(SHELF.book(book_id))
    assert layout.narrow_size[0] == 24
    for area in layout.areas:
        assert area.narrow[2] >= 4, area
        assert area.narrow[3] >= 3, area


@pytest.mark.parametrize("book_id", BOOKS)
def test_wide_felts_have_no_holes_but_the_ring(book_id: str) -> None:
    """The terminal game shows the result in the one free place; there must be no other."""
    layout = layout_of(SHELF.book(book_id))
    covered = {square for _, place in places_on(layout, "wide") for square in squares_of(place)}
    assert covered == set(squares_of((0, 0, *layout.size)))
    assert (layout.ring is not None) == (book_id == "two-up-nsw-2016")


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_area_is_of_a_group_and_groups_are_read_out_one_after_the_other(book_id: str) -> None:
    headings = [group for group, _ in groupby(area.group for area in layout_of(SHELF.book(book_id)).areas)]
    assert all(heading.strip() == heading != "" for heading in headings)
    assert len(set(headings)) == len(headings) > 1


@pytest.mark.parametrize("book_id", BOOKS)
def test_dice_drawn_on_an_area_win_there(book_id: str) -> None:
    """Every throw that shows the drawn dice, as many of them as are thrown, wins at once."""
    game = SHELF.game(SHELF.terms(book_id))
    drawn = [area for area in layout_of(game.book).areas if area.dice]
    assert drawn
    for area in drawn:
        machine = game.machine(area.wager, area.pick)
        shown = [throws_showing(game.book, faces) for faces in area.dice]
        assert all(shown), area
        for outcome in set.union(*shown):
            assert {machine.table[state][outcome].then for state in machine.starts} == {"win"}, (area, outcome)


def throws_showing(book: Book, faces: list[int | str]) -> set[int]:
    """The indexes of the outcomes that show these faces, as many of them as possible."""
    wanted = [Counter(some) for some in combinations(faces, min(len(faces), book.rules.throw.throw))]
    return {place for place, fallen in enumerate(book.outcomes.all) for some in wanted if some <= Counter(fallen)}


@pytest.mark.parametrize("book_id", BOOKS)
def test_felts_look_like_felts(book_id: str) -> None:
    """A real table is about two to three times as long as it is deep, and every area bears its name."""
    layout = layout_of(SHELF.book(book_id))
    assert 2 <= layout.size[0] / layout.size[1] <= 3.5
    assert all(area.label.strip() == area.label != "" for area in layout.areas)


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_layout_cites_the_clause_that_asks_for_it(book_id: str) -> None:
    book = SHELF.book(book_id)
    assert layout_of(book).clause == LAYOUT_CLAUSES[book_id]
    assert layout_of(book).clause in book.citable()


def sheets_of(book_id: str) -> list[layouts.Sheet]:
    felt = layout_of(SHELF.book(book_id))
    assert felt.wide is not None
    return [felt.wide, *felt.narrow]


def drawn_on(sheets: list[layouts.Sheet]) -> list[tuple[str, Pick]]:
    return [(area.wager, pick) for sheet in sheets for area in sheet.areas for pick, _, _ in area.places]


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_area_is_drawn_on_a_screen_and_on_a_phone(book_id: str) -> None:
    wide, *narrow = sheets_of(book_id)
    known = {(area.wager, area.pick) for area in layout_of(SHELF.book(book_id)).areas}
    assert sorted(map(repr, drawn_on([wide]))) == sorted(map(repr, known))
    assert set(drawn_on(narrow)) == known


@pytest.mark.parametrize("book_id", BOOKS)
def test_what_is_tapped_on_a_phone_is_large_enough_for_a_finger(book_id: str) -> None:
    """44 pixels each way when a sheet 374 wide is drawn 344 wide; areas that appear only with chips are as large as
    the chips."""
    for sheet in sheets_of(book_id)[1:]:
        for area in sheet.areas:
            if area.shows == "held" or area.band is not None:
                continue
            points = [*layouts.points_of(layouts.outline(area))]
            across, down = zip(*points, strict=True)
            assert max(across) - min(across) >= 44, area
            assert max(down) - min(down) >= 44, area


def test_what_a_sheet_prints_is_what_the_table_pays_and_bars() -> None:
    view = open_table("craps-nsw-2024", shelf=SHELF).view
    areas = {(spot.wager.id, spot.pick): drawn for spot, drawn in zip_places(view)}
    assert "7 to 6" in [words.says for words in areas["place_to_win", 6].text]
    assert [dice.faces for dice in areas["dont_win", None].dice] == [[1, 1]]
    field = [words.says for words in areas["field", None].text]
    assert field.count("pays 2 to 1") == 2
    assert {"2", "3", "4", "9", "10", "11", "12"} < set(field)
    harbour = Shelf()
    harbour.add(HARBOUR)
    terms = open_table("harbour-craps", shelf=harbour).view
    barred = {(spot.wager.id, spot.pick): drawn for spot, drawn in zip_places(terms)}
    assert [dice.faces for dice in barred["dont_win", None].dice] == [[6, 6]], "the rules of this book bar 12"
    assert barred["harbour_lights", None].box is not None, "what is not drawn lies below as a rectangle"
    assert wide_sheet(terms).size[1] > wide_sheet(view).size[1]
    assert {one.place for sheet in narrow_sheets(terms) for one in sheet.areas} == set(
        range(len(spots_of(terms.game.book)))
    )


def zip_places(view: TableView) -> Iterator[tuple[Spot, DrawnArea]]:
    spots = spots_of(view.game.book)
    yield from ((spots[drawn.place], drawn) for drawn in wide_sheet(view).areas)


def test_an_outline_of_any_kind_becomes_a_path() -> None:
    def path(**outline: object) -> str:
        area = convert({"wager": "up", "chip": [5, 5], **outline}, layouts.DrawnArea)
        return layouts.path_text(layouts.outline(area), (10, 1))

    assert path(path="M0 0 H9 V8 L4,4 Q1 1 2 2 Z") == "M10 1H19V9L14 5Q11 2 12 3Z"
    assert path(rect=[0, 0, 8, 6]) == "M10 1H18V7H10Z"
    assert path(rect=[0, 0, 8, 6, 2]) == "M12 1H16A2 2 0 0 1 18 3V5A2 2 0 0 1 16 7H12A2 2 0 0 1 10 5V3A2 2 0 0 1 12 1Z"
    assert path(circle=[4, 4, 3]) == "M11 5A3 3 0 0 1 14 2A3 3 0 0 1 17 5A3 3 0 0 1 14 8A3 3 0 0 1 11 5Z"
    assert path(band=["M1 1A5 6 0 1 0 7.25 8.5", 3]) == "M11 2A5 6 0 1 0 17.25 9.5"
    assert path().startswith("M-7 6A22 22 0 0 1 15 -16"), "as large as a stack of chips"


@pytest.mark.parametrize("felt", FELTS)
def test_wagers_behind_a_come_lie_beside_its_number(felt: Felt) -> None:
    areas = layout_of(SHELF.book("craps-nsw-2024")).areas
    for number in (4, 5, 6, 8, 9, 10):
        box = next(on(area, felt) for area in areas if area.wager == "come" and area.pick == number)
        behind = next(on(area, felt) for area in areas if area.wager == "behind_come" and area.pick == number)
        assert behind[0] == box[0]
        assert behind[1] == box[1] + box[3]


@pytest.mark.parametrize("felt", FELTS)
def test_everything_on_a_number_of_craps_lies_in_its_column(felt: Felt) -> None:
    areas = [area for area in layout_of(SHELF.book("craps-nsw-2024")).areas if "numbers" in area.group]
    columns = [{on(area, felt)[0::2] for area in areas if area.pick == number} for number in (4, 5, 6, 8, 9, 10)]
    assert [len(column) for column in columns] == [1] * 6
    assert len(set.union(*columns)) == 6
    assert len(areas) == 6 * 8


@pytest.mark.clause("two-up-nsw-2016", "2.2.1", "2.2.2")
def test_two_up_has_areas_marked_h_and_t_and_the_spinner_s_own() -> None:
    areas = layout_of(SHELF.book("two-up-nsw-2016")).areas
    assert [(area.wager, area.label) for area in areas if area.group != "Spinner"] == [("heads", "H"), ("tails", "T")]
    assert {area.wager for area in areas if area.group == "Spinner"} == {"spinner"}
