"""Felts as they are sent live: one that is the same for many is made once, and equals what each would see alone."""

from __future__ import annotations

from datetime import timedelta

import pytest

from croupier.house import orders
from croupier.house.names import table_stream
from croupier.house.views.table import draw, draw_table, show_felt
from croupier.house.views.visibility import Viewer
from croupier.rulebooks import ids
from croupier.server import live
from croupier.server.live import Pictures
from tests.houses import SHELF, TestHouse

EVERYBODY = (
    Viewer(),
    Viewer("ann"),
    Viewer("ben"),
    Viewer("cat"),
    Viewer("ivy", all=True),
    Viewer("ann", all=True),
    Viewer("gone"),
)


def evening(book: str) -> TestHouse:
    """A table with staff, and ann and ben at it; `gone` threw and left."""
    house = TestHouse()
    house.dealt_table(book, "dealt", min="5.00", max="100.00")
    house.ok(orders.TakePost(table="dealt", role="dealer"), house.person("dora", "dealer"))
    house.ok(orders.TakePost(table="dealt", role="supervisor"), house.person("sue", "supervisor"))
    for person in ("ann", "ben", "gone"):
        house.ok(orders.Sit(table="dealt", cents=100_00), house.person(person))
    return house


@pytest.mark.parametrize("book", ids())
def test_everybody_is_told_what_they_would_see_alone(book: str) -> None:
    house = evening(book)
    pictures = Pictures(SHELF)
    house.ok(orders.GetUp(table="dealt"), "gone")
    for who, word, said in (
        ("sue", "player_sign", {"player": "ann", "minimum": "5.00", "maximum": "500.00"}),
        ("dora", "no_more_bets", {}),
        ("ben", "raise_dispute", {"case": "b1", "about": "a chip"}),
    ):
        house.say("dealt", who, word, **said)
        state, head = house.house.table("dealt"), house.house.head(table_stream("dealt"))
        for later in (0, 7):  # who comes later is told the time by then
            now = house.at + timedelta(seconds=later)
            for look in EVERYBODY:
                assert pictures.felt_for(state, head, look, now) == show_felt(SHELF, state, head, look, now), look


def test_a_felt_is_made_once_for_all_who_see_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    house = evening("craps-nsw-2024")
    made: list[Viewer] = []

    def counted(*args: object, **more: object) -> object:
        made.append(args[3])  # type: ignore[arg-type]
        return show_felt(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(live, "show_felt", counted)
    pictures = Pictures(SHELF)
    state, head = house.house.table("dealt"), house.house.head(table_stream("dealt"))
    for number in range(100):
        pictures.felt_for(state, head, Viewer(f"passer-by-{number}"), house.at)
        pictures.felt_for(state, head, Viewer("ivy", all=True), house.at)
    pictures.felt_for(state, head, Viewer("ann"), house.at)
    assert made == [Viewer(), Viewer(all=True), Viewer("ann")]


def test_equal_felts_are_drawn_once() -> None:
    house = evening("sic-bo-nsw-2016")
    first = draw(SHELF, house.house.table("dealt").game)
    house.say("dealt", "ann", "bet", wager="small", amount="5.00")
    again = draw(SHELF, house.house.table("dealt").game)
    assert first["areas"] is again["areas"]
    assert house.say("dealt", "sue", "set_maximum", maximum="200.00")["ok"]
    after = draw(SHELF, house.house.table("dealt").game)
    assert first["sign"] != after["sign"]


def test_nobody_notices_a_sign_for_somebody_else() -> None:
    house = evening("craps-nsw-2024")

    def terms(person: str) -> object:
        state, head, look = house.house.table("dealt"), house.house.head(table_stream("dealt")), Viewer(person)
        told = show_felt(SHELF, state, head, look, house.at)["terms"]
        assert draw_table(SHELF, state, look)["terms"] == told
        return told

    before = terms("ann"), terms("ben")
    assert house.say("dealt", "sue", "player_sign", player="ann", minimum="5.00", maximum="500.00")["ok"]
    assert terms("ann") != before[0]
    assert terms("ben") == before[1]


def test_a_sign_that_is_put_up_can_be_read_by_everybody() -> None:
    house = evening("craps-nsw-2024")
    from_then = (house.at + timedelta(minutes=30)).isoformat()
    assert house.say("dealt", "sue", "post_minimum_sign", minimum="10.00", time=from_then)["ok"]
    state, head = house.house.table("dealt"), house.house.head(table_stream("dealt"))
    for look in (Viewer(), Viewer("ann"), Viewer("sue", all=True)):
        signs = show_felt(SHELF, state, head, look, house.at)["signs"]
        assert isinstance(signs, list)
        assert [(sign["announces"], sign["minimum"], sign["wager"]) for sign in signs] == [("minimum", "10.00", None)]
