"""What the next throw would do, as the felt says it, compared with what the table then settles."""

from __future__ import annotations

from copy import copy

import pytest

from croupier.contract.shown_events import EventView
from croupier.felt.areas import is_offered, refusal_now, spots_of
from croupier.felt.next_throw import effects_of, own_changes
from croupier.house import orders
from croupier.house.names import table_stream
from croupier.house.views.table import show_next_throw
from croupier.house.views.visibility import Viewer
from croupier.money import parse_cents
from croupier.rules.outcomes import Faces
from croupier.table.decide import Table
from tests.houses import TestHouse
from tests.test_felts import CRAPS, OPENINGS, TWO_UP, chips_everywhere, key_of

ENDED = ("win", "lose", "void")


@pytest.mark.parametrize(("book", "thrown"), OPENINGS, ids=str)
def test_every_outcome_does_what_the_felt_said(book: str, thrown: list[tuple[int, ...]]) -> None:
    table = chips_everywhere(book, thrown)
    view = table.view
    before = {key_of(row): row for row in table.wagers}
    ahead = {spot.key: effects_of(view, spot, "ann") for spot in spots_of(view.game.book)}
    changes = own_changes(view, "ann")
    for place, faces in enumerate(view.game.book.outcomes.all):
        after, settled = _thrown(table, faces)
        decided = {key_of(row): row for row in settled}
        for key, row in before.items():
            effects = ahead[key]
            effect = effects.effects[effects.which[place]]
            if effect.then in ENDED:
                assert decided[key]["result"] == effect.then, (faces, key)
                assert decided[key]["clause"] == effect.clause
            elif effect.then != "sleep":  # a sleeping Behind wager goes back with its flat wager
                assert key not in decided, (faces, key, effect)
            if effect.then == "go" and effect.to is not None:
                assert (key[0], effect.to) in {key_of(now) for now in after.wagers}, (faces, row)
        paid = sum(parse_cents(row["paid"]) for row in settled)
        lost = sum(parse_cents(row["stake"]) for row in settled if row["result"] == "lose")
        back = parse_cents(after.chips["ann"]) - parse_cents(table.chips["ann"])
        change = changes[place]
        assert (change.won, change.lost, change.returned) == (paid, lost, back), faces


def test_a_win_is_paid_at_the_odds_that_the_felt_names() -> None:
    """Field pays even money, 2 to 1 on 2 and 12; Horn pays by the number, on a quarter of the stake."""
    table = chips_everywhere(CRAPS, [])
    spots = {spot.key: spot for spot in spots_of(table.view.game.book)}
    outcomes = table.view.game.book.outcomes

    def pays(wager: str, *faces: int) -> str | None:
        effects = effects_of(table.view, spots[wager, None], None)
        return effects.effects[effects.which[outcomes.index[faces]]].pays

    assert pays("field", 1, 1) == "2 to 1"
    assert pays("field", 4, 5) == "1 to 1"
    assert pays("field", 3, 4) is None
    assert (pays("horn", 1, 1), pays("horn", 1, 2)) == ("33 to 1", "16 to 1")


def test_where_no_wager_can_be_made_there_is_nothing_to_say() -> None:
    table = chips_everywhere(CRAPS, [(4, 4)])
    for spot in spots_of(table.view.game.book):
        said = effects_of(table.view, spot, "ben")
        assert bool(said.effects) == is_offered(table.view, spot), spot.name


@pytest.mark.parametrize(("book", "thrown"), OPENINGS, ids=str)
def test_why_nothing_more_can_be_bet_is_what_the_table_says(book: str, thrown: list[tuple[int, ...]]) -> None:
    table = chips_everywhere(book, thrown)
    for spot in spots_of(table.view.game.book):
        said = effects_of(table.view, spot, "ann").refused
        refused = None if spot.travelled else refusal_now(table, "ann", spot.wager, spot.pick)
        if refused is not None and refused.code == "bets_closed":
            continue
        assert said == refused, spot.name


def test_a_viewer_is_told_about_their_own_chips_alone() -> None:
    house = TestHouse()
    table = house.dealt_table(TWO_UP)
    house.ok(orders.TakePost(table=table, role="dealer"), house.person("dora", "dealer"))
    for person in ("ann", "ben"):
        house.ok(orders.Sit(table=table, cents=100_00), house.person(person))
    assert house.say(table, "ann", "bet", wager="heads", amount="10.00")["ok"]
    state, head = house.house.table(table), house.house.head(table_stream(table))

    def own(person: str | None) -> set[tuple[object, ...]]:
        ahead = show_next_throw(house.house.shelf, state, head, Viewer(person))
        return {(*each.faces, each.won, each.lost, each.returned) for each in ahead.outcomes}

    nothing = ("0.00", "0.00", "0.00")
    assert own("ben") == own(None) == {(one, other, *nothing) for one in "HT" for other in "HT"}
    assert own("ann") == {
        ("H", "H", "10.00", "0.00", "20.00"),
        ("T", "T", "0.00", "10.00", "0.00"),
        ("H", "T", *nothing),
        ("T", "H", *nothing),
    }


def _thrown(table: Table, faces: Faces) -> tuple[Table, list[EventView]]:
    after = copy(table)
    after.history = list(table.history)
    coins = "".join(map(str, faces))
    told = after.spin(coins) if coins.isalpha() else after.roll(*map(int, faces))
    return after, [row for row in told if row["type"] == "wager_settled"]
