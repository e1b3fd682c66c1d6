"""What keeps guests playing: nicknames, refills within limits, seats that absent players give up."""

from __future__ import annotations

from datetime import timedelta

import pytest

from croupier.house import orders
from croupier.house.events import ChipsGranted, Limits, PlayerAway, PlayerBack, Rhythm
from croupier.house.nicknames import nickname, plain
from croupier.table.events import PlayerLeft
from tests.houses import TestHouse

TABLE = "clock"
RHYTHM = Rhythm(open=20, last_call=5, shut=0.5, show=3.5, waits=True)


@pytest.fixture
def house() -> TestHouse:
    house = TestHouse()
    house.clock_table("craps-nsw-2024", TABLE, RHYTHM)
    for who in ("ann", "ben"):
        house.person(who, cents=100_00)
        house.ok(orders.Sit(table=TABLE, cents=100_00), who)
    house.wait(1)
    return house


def lose_all(house: TestHouse) -> None:
    """Ann bets everything on Any Seven until it is gone."""
    for _ in range(50):
        left = house.house.table(TABLE).game.chips["ann"]
        if not left and not house.house.table(TABLE).game.layout:
            return
        if left and house.house.table(TABLE).round is not None and not house.house.table(TABLE).is_shut:
            told = house.say(TABLE, "ann", "bet", wager="any_seven", amount=f"{left / 100:.2f}")
            assert told["ok"], told
        house.wait(30)
    raise AssertionError("a very lucky evening")


# Refills


def test_who_has_lost_everything_plays_on(house: TestHouse) -> None:
    lose_all(house)
    house.ok(orders.Refill(person="ann"), "ann")
    assert house.house.account("ann").chips == 200_00
    house.ok(orders.BuyIn(table=TABLE, cents=200_00), "ann")
    assert house.events("account/ann")[-2] == ChipsGranted(200_00, "refill")


def test_a_refill_is_for_those_without_chips_anywhere(house: TestHouse) -> None:
    assert house.refused(orders.Refill(person="ann"), "ann") == "chips_left"
    house.ok(orders.Say(table=TABLE, line={"do": "bet", "wager": "field", "amount": "100.00"}), "ann")
    assert house.refused(orders.Refill(person="ann"), "ann") == "chips_left"


def test_there_are_three_refills_in_a_day(house: TestHouse) -> None:
    for _ in range(3):
        lose_all(house)
        house.ok(orders.Refill(person="ann"), "ann")
        house.ok(orders.BuyIn(table=TABLE, cents=200_00), "ann")
    lose_all(house)
    assert house.refused(orders.Refill(person="ann"), "ann") == "refilled_enough"
    house.restart()  # nothing of it is forgotten
    assert house.refused(orders.Refill(person="ann"), "ann") == "refilled_enough"
    house.at += timedelta(hours=24)
    house.ok(orders.Refill(person="ann"), "ann")


def test_own_limits_come_first(house: TestHouse) -> None:
    house.ok(orders.SetLimits(person="ann", limits=Limits(loss=100_00)), "ann")
    lose_all(house)
    house.ok(orders.SetLimits(person="ann", limits=Limits(loss=50_00)), "ann")
    assert house.refused(orders.Refill(person="ann"), "ann") == "loss_limit_reached"
    house.ok(orders.Exclude(person="ann"), "ann")
    assert house.refused(orders.Refill(person="ann"), "ann") == "excluded"


def test_nobody_refills_for_another(house: TestHouse) -> None:
    assert house.refused(orders.Refill(person="ann"), "ben") == "not_allowed"


# Nicknames


def test_a_nickname_can_be_changed_and_is_no_identity(house: TestHouse) -> None:
    for who in ("ann", "ben"):
        house.ok(orders.ChangeName(person=who, name="Lucky Otter"), who)
    assert {house.house.account(who).name for who in ("ann", "ben")} == {"Lucky Otter"}
    assert house.refused(orders.ChangeName(person="ann", name="Ben"), "ben") == "not_allowed"


@pytest.mark.parametrize("name", ["Jo", "Lucky Otter 7", "Søren", "O'Neill", "小明", "a.b-c_d"])
def test_what_a_nickname_may_be(name: str) -> None:
    assert plain(name) == name


@pytest.mark.parametrize(
    "name",
    ["J", "", " Jo", "Jo ", "Jo  Jo", "<b>Jo</b>", "Jo\n", "Jo\u202e", "x" * 25, "Dealer", "house", "Jo@home", "🎲🎲"],
)
def test_what_is_no_nickname(name: str, house: TestHouse) -> None:
    assert plain(name) is None
    if name:
        assert house.refused(orders.ChangeName(person="ann", name=name), "ann") == "bad_name"


def test_the_house_thinks_of_nicknames_that_are_some() -> None:
    names = {nickname(bytes([one, two, two, one])) for one in range(256) for two in range(256)}
    assert {plain(name) for name in names} == names
    assert len(names) > 20_000


def test_a_guest_has_a_nickname_from_the_start(house: TestHouse) -> None:
    house.ok(orders.OpenAccount(person="guest-1", name="", cents=1))
    assert plain(house.house.account("guest-1").name) == house.house.account("guest-1").name


# Seats of those who are away


def away(house: TestHouse, person: str, *, here: bool = False) -> None:
    house.ok(orders.NotePresence(table=TABLE, person=person, here=here))


def free(person: str) -> orders.FreeSeat:
    return orders.FreeSeat(table=TABLE, person=person, minutes=5)


def test_presence_is_stored_when_it_changes_and_survives_a_restart(house: TestHouse) -> None:
    away(house, "ann")
    assert house.do(orders.NotePresence(table=TABLE, person="ann", here=False))["code"] == "nothing_due"
    house.restart()
    house.load("table/clock")
    assert set(house.house.table(TABLE).away) == {"ann"}
    away(house, "ann", here=True)
    assert house.house.table(TABLE).away == {}
    kinds = [type(event) for event in house.events("table/clock")]
    assert (kinds.count(PlayerAway), kinds.count(PlayerBack)) == (1, 1)


def test_a_seat_is_given_back_after_a_while_with_all_chips(house: TestHouse) -> None:
    assert house.do(free("ann"))["code"] == "nothing_due", "ann is here"
    away(house, "ann")
    house.wait(299)
    assert house.do(free("ann"))["code"] == "nothing_due"
    house.wait(1)
    house.ok(free("ann"))
    assert set(house.house.table(TABLE).game.chips) == {"ben"}
    assert house.house.table(TABLE).away == {}
    assert house.house.account("ann").chips == 100_00


def test_wagers_in_play_are_carried_to_their_end(house: TestHouse) -> None:
    line = {"do": "bet", "wager": "hardway", "pick": 6, "amount": "10.00"}
    house.ok(orders.Say(table=TABLE, line=line), "ann")
    away(house, "ann")
    at_once = orders.FreeSeat(table=TABLE, person="ann", minutes=0)
    assert house.do(at_once)["code"] == "nothing_due", "the wager stands, although it could be taken down"
    assert house.house.table(TABLE).game.layout
    while house.house.table(TABLE).game.layout:
        house.wait(300)
        if house.house.table(TABLE).game.layout:
            assert house.do(free("ann"))["code"] == "nothing_due"
    house.ok(free("ann"))
    (left,) = [event for event in house.events("table/clock") if isinstance(event, PlayerLeft)]
    assert house.house.account("ann").chips == left.chips


def test_who_comes_back_keeps_the_seat(house: TestHouse) -> None:
    away(house, "ann")
    house.wait(300)
    away(house, "ann", here=True)
    assert house.do(free("ann"))["code"] == "nothing_due"


# Names


def test_people_are_told_what_is_refused_to_them_without_their_names(house: TestHouse) -> None:
    told = house.say(TABLE, "ann", "bet", wager="field", amount="500.00")
    assert told["message"] == "You have 100.00 in chips, but this takes 500.00."
    told = house.say(TABLE, "ann", "take", wager="field")
    assert told["message"].startswith("You have no such wager")
    again = house.do(orders.Sit(table=TABLE, cents=100_00), "ann")
    assert again["message"] == "You already have a seat."
