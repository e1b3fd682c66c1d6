"""What the front page is made of: small felts that are drawn once and kept, results, and prices that differ."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier import rulebooks
from croupier.house import orders
from croupier.house.events import Rhythm
from croupier.house.names import table_stream
from croupier.house.queries import list_table, show_front
from croupier.house.views.front import preview
from croupier.house.views.table import draw
from croupier.rules.layout import Layout
from tests.houses import SHELF, TestHouse
from tests.serving import Running, did, got, running
from tests.tables import BOOKS

CRAPS, SYDNEY, NEW_ZEALAND = "craps-nsw-2024", "snake-eyes-nsw-2019", "snake-eyes-nz"
MOST_BYTES = 12_000  # of all felts, as they are sent


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = Path(tmp_path_factory.mktemp("house"))
    with running(folder, store="memory:", checkpoint_seconds=86_400) as opened:
        yield opened


def tables(*books: str, **line: object) -> TestHouse:
    opened = TestHouse()
    for book in books:
        opened.dealt_table(book, book, **line)
    return opened


def layout_of(book: str) -> Layout:
    layout = SHELF.book(book).layout
    assert layout is not None
    return layout


@pytest.mark.parametrize("book", BOOKS)
def test_a_felt_is_small_and_has_what_always_shows(book: str) -> None:
    drawing = draw(SHELF, tables(book).house.table(book).game)
    small = preview(drawing)
    shown = [area for area in drawing.wide.areas if area.shows == "always"]
    assert [area.path for area in small.areas] == [area.path for area in shown]
    assert small.cloth == drawing.wide.cloth
    assert [area.lettering is None for area in small.areas] == [area.box is None for area in shown]


def test_the_puck_lies_where_it_lies_on_the_felt() -> None:
    drawing = draw(SHELF, tables(CRAPS).house.table(CRAPS).game)
    small = preview(drawing)
    assert small.puck == drawing.wide.puck
    assert {pick for pick, _, _ in small.pucks} == {4, 5, 6, 8, 9, 10}


def test_tables_with_the_same_felt_share_its_picture_and_others_have_their_own() -> None:
    opened = tables(*BOOKS)
    opened.dealt_table(CRAPS, "second", min="5.00")
    opened.dealt_table(SYDNEY, "other-odds", pay_table="two")
    front = show_front(SHELF, opened.house.tables())
    assert front.felts["second"] == front.felts[CRAPS]
    assert front.felts["other-odds"] != front.felts[SYDNEY]
    assert len(front.previews) == len(BOOKS) + 1
    assert [game.book for game in front.games].count(CRAPS) == 1


def test_every_book_presents_itself_in_a_sentence() -> None:
    games = {game.book: game for game in show_front(SHELF, tables(*BOOKS).house.tables()).games}
    assert set(games) == set(rulebooks.ids())
    for game in games.values():
        assert game.about.endswith(".")
        assert game.about.count("! ") == 0
        assert game.place in ("Sydney", "New Zealand")


def test_books_of_one_game_are_told_apart_by_their_prices() -> None:
    (prices,) = show_front(SHELF, tables(*BOOKS).house.tables()).prices
    assert (prices.game, prices.books) == ("Snake Eyes", [SYDNEY, NEW_ZEALAND])
    assert [(f"{row.wager} {row.on}".strip(), row.pays, row.most) for row in prices.rows] == [
        ("Hardways 4, 10", ["7.5 to 1", "7 to 1"], [0]),
        ("Hardways 6, 8", ["9.5 to 1", "9 to 1"], [0]),
        ("Craps Three", ["16 to 1", "15 to 1"], [0]),
        ("Craps Twelve", ["31 to 1", "33 to 1"], [1]),
        ("11 in 1 Roll", ["16 to 1", "15 to 1"], [0]),
        ("Field 12", ["1 to 1", "2 to 1"], [1]),
    ]


def test_a_house_without_tables_has_an_empty_front_page() -> None:
    front = show_front(SHELF, [])
    assert (front.games, front.previews, front.felts, front.prices) == ([], [], {}, [])


def test_the_list_of_tables_has_results_marker_and_whether_somebody_is_there() -> None:
    opened = tables(CRAPS)
    opened.clock_table(CRAPS, "clock", Rhythm(open=20, last_call=5, shut=0.5, show=3.5, waits=True))
    opened.person("ann")
    opened.ok(orders.Sit(table="clock", cents=100_00), "ann")
    opened.wait(1)
    opened.say("clock", "ann", "bet", wager="field", amount="5.00")
    opened.wait(30)
    dealt, clock = (
        list_table(SHELF, opened.house.table(name), opened.house.head(table_stream(name))) for name in (CRAPS, "clock")
    )
    assert (dealt.results, dealt.fell, dealt.attended) == ([], [], False)
    (last,) = clock.results
    assert last.faces == clock.fell
    assert last.call == str(sum(face for face in last.faces if isinstance(face, int)))
    assert clock.marker is not None
    assert clock.marker.value == clock.puck
    assert clock.attended


def test_it_is_sent_packed_and_not_again_until_a_table_changes(house: Running) -> None:
    mia = house.person("mia")
    first = mia.http.get("/api/v1/front", headers={"accept-encoding": "gzip"})
    assert first.status_code == 200
    assert len(gzip.compress(first.content)) < MOST_BYTES
    same = {"if-none-match": first.headers["etag"]}
    assert mia.http.get("/api/v1/front", headers=same).status_code == 304
    did(mia, "/tables", {"table": "quick", "title": "Quick", "line": {"book": CRAPS}})
    again = mia.http.get("/api/v1/front", headers=same)
    assert again.status_code == 200
    told: dict[str, Any] = got(mia, "/front")
    assert told["felts"]["quick"] == told["felts"][CRAPS]
