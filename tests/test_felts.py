"""The felt as it is sent: which areas light up, the result, what is drawn, and what others may not see."""

from __future__ import annotations

from copy import copy

import msgspec
import pytest

from croupier import open_table, rulebooks
from croupier.contract.lines import StandingWager
from croupier.contract.shown_events import EventView
from croupier.felt.areas import is_offered, spots_of
from croupier.felt.past_results import MOST_RESULTS, winning_areas, with_results
from croupier.house import orders
from croupier.house.live_streams import Head
from croupier.house.names import table_stream
from croupier.house.views.table import draw_table, show_felt
from croupier.house.views.visibility import ANOTHER, Viewer
from croupier.money import format_cents
from croupier.rules.machine import Pick
from croupier.rules.offers import smallest_stake
from croupier.rules.shelf import Shelf
from croupier.table import events
from croupier.table.decide import Refused, Table
from tests.houses import TestHouse

CRAPS, SIC_BO, TWO_UP = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016"
NOT_NOW = ("flat_wager_missing", "declared_already")  # where a wager lies behind another, or there is one a table
# What is thrown before the areas are looked at: nothing, or what sets the puck and lets wagers lie on numbers.
OPENINGS: list[tuple[str, list[tuple[int, ...]]]] = [
    *((book, []) for book in rulebooks.ids()),
    (CRAPS, [(1, 3)]),
    (CRAPS, [(2, 3)]),
    (CRAPS, [(3, 3)]),
    (CRAPS, [(4, 4)]),
    (CRAPS, [(5, 4)]),
    (CRAPS, [(6, 4)]),
]


@pytest.mark.parametrize(("book", "thrown"), OPENINGS, ids=str)
def test_areas_that_light_up_are_those_where_wagers_win(book: str, thrown: list[tuple[int, ...]]) -> None:
    """Chips on every area that takes some, every outcome thrown: the lit areas are those where the table pays."""
    table = chips_everywhere(book, thrown)
    view, spots = table.view, spots_of(table.view.game.book)
    standing = {key_of(row) for row in table.wagers if row.get("on", True)}
    assert len(standing) >= len(view.game.book.rules.wagers) // 2
    for faces in view.game.book.outcomes.all:
        after = copy(table)
        after.history = list(table.history)
        told = after.spin("".join(map(str, faces))) if book == TWO_UP else after.roll(*map(int, faces))
        shown = with_results((), view.state.phases, after.history[len(table.history) :])[-1]
        lit = set(winning_areas(view.game, spots, shown))
        won = {key_of(row) for row in told if row["type"] == "wager_settled" and row["result"] == "win"}
        assert lit & standing == won, (faces, lit, won)


@pytest.mark.clause(TWO_UP, "2.4.2", "2.4.3")
@pytest.mark.parametrize(("side", "other", "falls"), [("Heads", "Tails", "H"), ("Tails", "Heads", "T")])
def test_everybody_sees_the_third_light_with_which_the_spinner_wins(side: str, other: str, falls: str) -> None:
    """Three lights, of which the third stays lit until the next spin; without a spinner one light shows the result."""
    house = TestHouse()
    table = house.dealt_table(TWO_UP)
    ann, bob, dora = house.person("ann"), house.person("bob"), house.person("dora", "dealer")
    house.ok(orders.TakePost(table=table, role="dealer"), dora)
    for person in (ann, bob):
        house.ok(orders.Sit(table=table, cents=100_00), person)

    def spun(coins: str) -> dict[str, tuple[object, object]]:
        assert house.say(table, dora, "no_more_bets")["ok"]
        assert house.say(table, dora, "spin", coins=coins)["ok"]
        state = house.house.table(table)
        felt = show_felt(house.house.shelf, state, house.house.head(table_stream(table)), Viewer(bob), house.at)
        lit = felt["lamps"]
        assert isinstance(lit, list)
        return {lamp["name"]: (lamp["lit"], lamp["of"]) for lamp in lit}

    line = {"do": "bet", "wager": "spinner", "pick": side.lower(), "amount": "10.00"}
    house.ok(orders.Say(table=table, line=line), ann)
    for lit in (1, 2, 3):
        assert spun(falls * 2) == {side: (lit, 3), other: (0, 3), "Odds": (0, 5)}
    assert spun(falls * 2) == {side: (1, 3), other: (0, 3), "Odds": (0, 5)}, "nobody spins for anything now"


def chips_everywhere(book: str, thrown: list[tuple[int, ...]]) -> Table:
    """A table with chips on every area that takes some."""
    table = open_table(book, chip="1.00")
    table.seat("ann", "1000000.00")
    for dice in thrown:
        table.roll(*dice)
    for spot in spots_of(table.view.game.book):
        if is_offered(table.view, spot):
            try:
                table.bet(
                    "ann", spot.wager.id, format_cents(smallest_stake(spot.wager, table.state.settings)), spot.pick
                )
            except Refused as refused:
                if refused.refusal.code not in NOT_NOW:
                    raise
    if table.view.game.book.rules.betting is not None:
        table.no_more_bets()
    return table


def key_of(row: EventView | StandingWager) -> tuple[str, Pick]:
    pick = row["pick"]
    return str(row["wager"]), tuple(pick) if isinstance(pick, list) else pick  # type: ignore[return-value]


def test_the_display_keeps_the_last_results_and_marks_what_did_not_count() -> None:
    thrown = [events.Thrown((1, face), str(face), None, "dealer", "1") for face in (1, 2, 3, 4, 5, 6)]
    results = with_results((), {}, thrown * 20)
    assert len(results) == MOST_RESULTS
    assert results[-1].faces == (1, 6)
    void = events.ThrowVoided("8.1", "no roll", "ann", "shooter", None, 0)
    results = with_results(results, {}, [void])
    assert (results[-1].faces, results[-1].void, results[-1].call) == ((), "8.1", "no roll")
    invalid = events.OutcomeInvalidated("a foul", "9.2")
    results = with_results(results[:-1], {}, [invalid])
    assert (results[-1].faces, results[-1].void, results[-1].call) == ((), "9.2", "invalid outcome")


def test_a_settled_outcome_that_is_invalidated_is_shown_as_such_and_what_was_bet_since_stands() -> None:
    """Sic Bo 9.4 is about the throw under way, otherwise about the latest result, never about the next one."""
    house = TestHouse()
    table = house.dealt_table("sic-bo-nsw-2016", "dealt")
    house.ok(orders.TakePost(table=table, role="dealer"), house.person("dora", "dealer"))
    house.ok(orders.TakePost(table=table, role="supervisor"), house.person("sue", "supervisor"))
    house.ok(orders.Sit(table=table, cents=100_00), house.person("ann"))
    assert house.say(table, "ann", "bet", wager="small", amount="10.00")["ok"]
    assert house.say(table, "dora", "no_more_bets")["ok"]
    assert house.say(table, "dora", "roll", dice=[1, 2, 3])["ok"]
    assert house.say(table, "ann", "bet", wager="small", amount="10.00")["ok"]
    assert house.say(table, "sue", "void", reason="9.4.1")["ok"]
    state = house.house.table(table)
    (invalid,) = state.results
    assert (invalid.faces, invalid.void) == ((), "9.5")
    assert [(player, area.wager, stake.amount) for player, area, stake in state.game.wagers()] == [
        ("ann", "small", 10_00)
    ]
    assert state.game.chips == {"ann": 90_00}  # the first stake came back, the second one stands


def test_the_display_remembers_how_the_table_stood_before_each_throw() -> None:
    happened: list[events.AnyEvent] = [
        events.Thrown((3, 3), "6", None, "dealer", "1"),
        events.PhaseMoved("puck", "off", "on 6", "1"),
        events.Thrown((4, 2), "6", None, "dealer", "1"),
    ]
    first, second = with_results((), {"puck": "off"}, happened)
    assert (first.phases, second.phases) == ({"puck": "off"}, {"puck": "on 6"})


def test_a_restarted_house_shows_the_same_felt() -> None:
    house = TestHouse()
    for person in ("ann", "ben"):
        house.person(person, "player")
    table = house.clock_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), "ann")
    house.until(lambda: len(house.house.table(table).results) == 3)
    before = _felt(house, table, Viewer("ann"))
    house.restart()
    house.load(table_stream(table))
    assert _felt(house, table, Viewer("ann")) == before


def _felt(house: TestHouse, table: str, look: Viewer) -> dict[str, object]:
    state = house.house.table(table)
    head = house.house.head(table_stream(table))
    told: dict[str, object] = msgspec.to_builtins(
        show_felt(house.house.shelf, state, Head(head.version, head.hash), look, house.at)
    )
    return told


@pytest.mark.parametrize("book", rulebooks.ids())
def test_every_area_is_drawn_with_what_it_pays_and_its_limits(book: str) -> None:
    house = TestHouse()
    table = house.clock_table(book, min="2.00", max="500.00")
    drawn = draw_table(house.house.shelf, house.house.table(table), Viewer())
    areas = drawn["areas"]
    assert isinstance(areas, list)
    assert len(areas) == len(spots_of(Shelf().book(book)))
    for area in areas:
        assert area["pays"], area
        assert area["name"], area
        assert area["clause"], area
        assert (area["min"], area["max"]) == ("2.00", "500.00")


def test_who_threw_is_nobodys_business_but_their_own() -> None:
    house = TestHouse()
    for person in ("ann", "ben"):
        house.person(person, "player")
    dora = house.person("dora", "dealer", cents=0, card=False)
    table = house.dealt_table(CRAPS)
    for person in ("ann", "ben"):
        house.ok(orders.Sit(table=table, cents=100_00), person)
    house.ok(orders.TakePost(table=table, role="dealer"), dora)
    house.say(table, "ann", "bet", wager="win_line", amount="10.00")
    house.say(table, dora, "roll", dice=[3, 3])
    seen = {who: _felt(house, table, Viewer(who)) for who in ("ann", "ben")}
    assert [row["by"] for row in seen["ann"]["results"]] == ["ann"]  # type: ignore[attr-defined]
    assert [row["by"] for row in seen["ben"]["results"]] == [ANOTHER]  # type: ignore[attr-defined]
    assert "ann" not in str(seen["ben"])
    assert seen["ann"]["marker"]["value"] == 6  # type: ignore[index]
