"""The history of results: lines of runs, turns of shooters, the way of the puck."""

from __future__ import annotations

import pytest

from croupier import rulebooks
from croupier.felt.past_results import UNKNOWN, Result, Step, marker_name, roads, steps
from croupier.house import orders
from croupier.house.names import table_stream
from croupier.rules.shelf import Shelf
from tests.houses import TestHouse

SHELF = Shelf()


def craps(faces: tuple[int, ...], puck: str = "come out", by: str | None = None, void: str | None = None) -> Result:
    return Result(faces, str(sum(faces)), by, "shooter", {"puck": puck}, void)


@pytest.mark.parametrize("book", rulebooks.ids())
def test_only_sic_bo_counts_runs_on_two_sides(book: str) -> None:
    found = [(road.name, road.sides) for road in roads(SHELF.book(book))]
    sic_bo = [("Small or Big", ("small", "big")), ("Odd or Even", ("odd", "even"))]
    assert found == (sic_bo if book == "sic-bo-nsw-2016" else [])


@pytest.mark.parametrize("book", rulebooks.ids())
def test_only_craps_has_a_marker_that_lies_on_numbers(book: str) -> None:
    assert marker_name(SHELF.book(book)) == ("Puck" if book == "craps-nsw-2024" else None)


def told(*results: Result) -> list[Step]:
    return list(steps(SHELF.book("craps-nsw-2024"), results))


def test_a_seven_out_ends_the_turn_also_where_the_house_throws() -> None:
    found = told(craps((4, 3)), craps((4, 4)), craps((6, 5), "point 8"), craps((4, 3), "point 8"), craps((1, 1)))
    assert found == [
        Step(1, None, None, False),
        Step(1, None, 8, False),
        Step(1, 8, 8, False),
        Step(1, 8, None, True),
        Step(2, None, None, False),
    ]


def test_a_point_that_is_made_ends_no_turn() -> None:
    assert told(craps((4, 4), "point 8"), craps((2, 1))) == [Step(1, 8, None, False), Step(1, None, None, False)]


def test_another_shooter_begins_another_turn() -> None:
    """The dice may pass on without a seven: a shooter may give them up."""
    thrown = [craps((2, 1), by="ann"), craps((2, 1), by="ann"), craps((2, 1), by="ben"), craps((2, 1))]
    assert [step.turn for step in told(*thrown)] == [1, 1, 2, 3]


def test_what_does_not_count_moves_nothing() -> None:
    found = told(craps((), "point 6", void="5.3.1"), craps((4, 3), "point 6", void="10.6"), craps((3, 3), "point 6"))
    assert found == [Step(1, 6, 6, False), Step(1, 6, 6, False), Step(1, 6, None, False)]


def test_results_are_the_same_however_a_table_is_read_again() -> None:
    """A house that restarts reads all events at once, and still knows the state before the first throw."""
    house = TestHouse()
    house.dealt_table("craps-nsw-2024", "pit")
    house.person("dora", "dealer")
    house.ok(orders.TakePost(table="pit", role="dealer"), "dora")
    for dice in ([2, 2], [3, 4], [6, 6]):
        assert house.say("pit", "dora", "roll", dice=dice)["ok"]
    first = house.house.table("pit").results
    house.restart()
    house.load(table_stream("pit"))
    assert house.house.table("pit").results == first
    assert [result.phases["puck"] for result in first] == ["come out", "point 4", "come out"]


def test_an_outcome_without_a_thrower_on_record_begins_no_turn_of_its_own() -> None:
    invalid = Result((), "invalid outcome", None, UNKNOWN, {"puck": "come out"}, "10.6")
    ann, ben = craps((4, 4), by="ann"), craps((4, 4), by="ben")
    out = craps((4, 3), "point 8", by="ann")
    assert [step.turn for step in told(invalid, ann, invalid, ann, invalid, ben, invalid)] == [1, 1, 1, 1, 1, 2, 2]
    assert [step.turn for step in told(ann, out, invalid, ben, invalid, ben)] == [1, 1, 2, 2, 2, 2]
