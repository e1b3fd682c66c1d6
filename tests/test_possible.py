"""Acts that are possible right now: they are tried at the table, without any effect."""

from __future__ import annotations

import pytest

from croupier.house import orders
from croupier.house.views.console import possible_acts
from tests.casino import NOON, Casino
from tests.tables import SHELF

BOOKS = ("craps-nsw-2024", "two-up-nsw-2016", "sic-bo-nsw-2016", "snake-eyes-nsw-2019", "snake-eyes-nz")


def opened(book: str = BOOKS[0]) -> Casino:
    casino = Casino()
    casino.open_doors(["ann", "bob"], 200_00)
    casino.set_table("one", book)
    for person in ("ann", "bob"):
        casino.do(person, orders.Sit(table="one", cents=100_00))
    return casino


def now(casino: Casino, person: str = "sue") -> list[str]:
    return possible_acts(SHELF, casino.house.table("one"), person, NOON)


@pytest.mark.parametrize("book", BOOKS)
def test_few_of_all_acts_are_possible_and_trying_them_changes_nothing(book: str) -> None:
    casino = opened(book)
    before = casino.house.table("one")
    acts = len(SHELF.game(before.game.terms[-1]).book.conduct.acts)
    for person in ("dot", "sue", "ann"):
        assert 0 < len(now(casino, person)) < acts / 3
    assert casino.house.table("one") == before
    assert now(casino, "stranger") == []


def test_who_may_not_do_an_act_is_not_told_of_it() -> None:
    casino = opened()
    assert "find_device" in now(casino)
    assert "find_device" not in now(casino, "dot")
    assert "find_device" not in now(casino, "ann")


def test_one_act_makes_another_possible_also_about_somebody_who_has_no_seat_any_more() -> None:
    casino = opened()
    assert not {"exclude_from_game", "withdraw_device", "withdraw_exclusion"} & set(now(casino))
    assert casino.say("sue", "one", "find_device", person="ann")["ok"]
    assert {"exclude_from_game", "withdraw_device"} <= set(now(casino))
    assert casino.say("sue", "one", "exclude_from_game", person="ann")["ok"]
    assert "ann" not in casino.game("one").chips
    assert "withdraw_exclusion" in now(casino)


def test_a_case_that_is_open_is_tried_by_its_name() -> None:
    casino = opened()
    assert "decide_dispute" not in now(casino)
    assert casino.say("ann", "one", "raise_dispute", case="a1", about="a chip")["ok"]
    assert "decide_dispute" in now(casino)


def test_a_wager_can_be_found_only_once_the_dice_are_out() -> None:
    casino = opened()
    assert "find" not in now(casino, "dot")
    assert casino.say("ann", "one", "bet", wager="win_line", amount="10.00")["ok"]
    assert casino.say("dot", "one", "dice_out")["ok"]
    assert "find" in now(casino, "dot")
    assert "find" not in now(casino, "ann")
