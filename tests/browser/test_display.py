"""The screen above a table: for everyone, live, without names or chips, from phone size to a wall."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.looks import Look, every_size
from tests.browser.restarting import Restarting
from tests.browser.visiting import Visitor, Visitors
from tests.serving import Running, did

BOOKS: dict[str, tuple[str, str, str, list[Any]]] = {
    "craps": ("craps-nsw-2024", "roll", "dice", [[2, 2], [6, 5], [3, 4]]),
    "sic-bo": ("sic-bo-nsw-2016", "roll", "dice", [[1, 2, 3], [4, 4, 4], [5, 6, 6]]),
    "snake": ("snake-eyes-nz", "roll", "dice", [[1, 1], [6, 5]]),
    "two-up": ("two-up-nsw-2016", "spin", "coins", ["HH", "HT", "TT"]),
}


class Dealt:
    """A table of a book that dora deals; `throw` makes its next throw."""

    def __init__(self, house: Running, name: str) -> None:
        self.house, self.name = house, name
        self.book, self._do, self._field, throws = BOOKS[name]
        self._throws = list(throws)
        self.dora, self.ann = house.person("dora"), house.person("ann")
        line = {"book": self.book, "min": "5.00", "max": "500.00"}
        did(house.person("otto"), "/tables", {"table": name, "title": f"Table {name}", "line": line})
        for other in BOOKS:  # a dealer runs one table at a time
            self.dora.do(f"/tables/{other}/post/leave", {})
        did(self.dora, f"/tables/{name}/post", {"role": "dealer"})
        did(self.ann, f"/tables/{name}/seat", {"chips": "1000.00"})

    def throw(self) -> None:
        """Close betting where the book does that, and throw."""
        if self.name in ("sic-bo", "two-up"):
            self.dora.do(f"/tables/{self.name}/lines", {"line": {"do": "no_more_bets"}})
        line = {"do": self._do, self._field: self._throws.pop(0)}
        did(self.dora, f"/tables/{self.name}/lines", {"line": line})


def results(page: Page) -> list[str]:
    """The results announced, newest first."""
    return page.get_by_role("list", name="Results, the newest first").get_by_role("listitem").all_inner_texts()


def test_rolls_are_shown_by_shooter_with_the_puck(house: Running, visit: Visitors) -> None:
    table = Dealt(house, "craps")
    page = visit(house).go("/display/craps")
    expect(page.get_by_text("No throws yet.").first).to_be_visible()
    table.throw()
    expect(page.locator(".display-call")).to_have_text("4")
    expect(page.locator(".display-lamps")).to_contain_text("Puck ON 4")
    table.throw()
    table.throw()
    expect(page.locator(".display-call")).to_have_text("7")
    expect(page.locator(".roll")).to_have_text([re.compile(r"^4\s*point"), re.compile("^11"), re.compile(r"^7\s*out")])
    assert results(page) == ["7, out", "11", "4, point"]
    expect(page.locator(".display-sign")).to_contain_text(re.compile(r"Minimum\s*5\s*Maximum\s*500"))


def test_sic_bo_has_its_two_roads_with_triples_marked(house: Running, visit: Visitors) -> None:
    table = Dealt(house, "sic-bo")
    for _ in range(3):
        table.throw()
    page = visit(house).go("/display/sic-bo")
    roads = page.locator(".road")
    expect(roads).to_have_count(2)
    expect(roads.nth(0).locator(".road-cells .cell")).to_have_text(["6", "12", "17"])
    expect(roads.nth(1).locator(".road-cells .cell")).to_have_text(["6", "12", "17"])
    cells = roads.nth(0).locator(".road-cells .cell")
    place = "cells => cells.map(cell => [cell.style.gridColumn, cell.style.gridRow])"
    assert cells.evaluate_all(place) == [["1", "1"], ["1", "2"], ["2", "1"]]
    assert results(page) == ["5 6 6, 17, big, odd", "4 4 4, 12, triple", "1 2 3, 6, small, even"]
    expect(page.locator(".display-sign")).to_contain_text("Super Streak: exactly 10")


def test_spins_stand_in_a_row_with_the_lights(house: Running, visit: Visitors) -> None:
    table = Dealt(house, "two-up")
    for _ in range(2):
        table.throw()
    page = visit(house).go("/display/two-up")
    expect(page.locator(".fell-name")).to_have_text(["O", "H"])
    expect(page.get_by_role("img", name="Odds: 1 of 5")).to_be_visible()
    expect(page.locator(".display-bets")).to_have_text("No more bets")
    table.throw()
    expect(page.locator(".fell-name")).to_have_text(["T", "O", "H"])
    expect(page.locator(".display-bets")).to_have_text("Bets are open")


def test_snake_eyes_displays_its_odds(house: Running, visit: Visitors) -> None:
    table = Dealt(house, "snake")
    table.throw()
    page = visit(house).go("/display/snake")
    expect(page.locator(".fell-name")).to_have_text(["2"])
    expect(page.locator(".display-sign")).to_contain_text("33 to 1")


def test_nobodys_chips_or_name_are_on_the_wall(house: Running, visit: Visitors) -> None:
    """Not even the viewer's own: someone who is signed in sees what everyone sees."""
    table = Dealt(house, "craps")
    did(table.ann, "/tables/craps/lines", {"line": {"do": "bet", "wager": "win_line", "amount": "5.00"}})
    page = visit(house, "ann").go("/display/craps")
    expect(page.locator(".display-lamps")).to_contain_text("a player, the shooter")
    assert page.locator(".stack").count() == 0
    assert "ann" not in page.locator("main").inner_text().split()


def test_a_table_that_is_not_there_is_named(house: Running, visit: Visitors) -> None:
    visitor = visit(house)
    visitor.allow("status of 404")
    page = visitor.go("/display/nowhere")
    expect(page.get_by_text("There is no table called nowhere.")).to_be_visible()


def test_it_says_when_the_house_is_gone_and_comes_back(restarting: Restarting, visit: Visitors) -> None:
    visitor = visit(restarting)
    visitor.allow("ERR_")
    visitor.allow("status of 50")
    page = visitor.go("/display/craps-nsw-2024")
    expect(page.locator(".display-bets")).not_to_be_empty()
    restarting.kill()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    restarting.open_again()
    expect(page.get_by_text("Connection lost")).to_have_count(0)


@pytest.mark.parametrize("size", [(360, 740), (1280, 800), (3840, 2160)], ids=str)
@pytest.mark.parametrize("name", BOOKS)
def test_it_fits_every_screen(house: Running, browser: Browser, name: str, size: tuple[int, int]) -> None:
    table = Dealt(house, name)
    for _ in range(2):
        table.throw()
    visitor = Visitor(browser, house, Look())
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    page = visitor.go(f"/display/{name}")
    expect(page.locator(".display-call")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    if size[0] > 1000:  # a wall does not scroll
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1]
        newest = page.locator(".display-history .newest").first.bounding_box()
        assert newest is not None
        assert newest["y"] + newest["height"] <= size[1]
    visitor.context.close()
    visitor.check()


@every_size
def test_it_is_accessible(house: Running, visit: Visitors, look: Look) -> None:
    table = Dealt(house, "sic-bo")
    for _ in range(3):
        table.throw()
    visitor = visit(house, look=look)
    expect(visitor.go("/display/sic-bo").locator(".road")).to_have_count(2)
    visitor.axe_by_day_and_night()
