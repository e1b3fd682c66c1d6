"""Craps over the pipe: On and Off, Come wagers that travel, who has the dice."""

from __future__ import annotations

import pytest

from tests.talk import CRAPS, Reply, Talk, clauses, pairs, settled
from tests.test_pipe_craps import POINTS, other_point, table_on

SLEEPERS = [
    *[f"hardway:{pick}" for pick in (4, 6, 8, 10)],
    *[f"place_to_win:{pick}" for pick in POINTS],
    *[f"buy:{pick}" for pick in POINTS],
]
NEVER_ASLEEP = [
    "win_line",
    "dont_win",
    "place_to_lose:6",
    "lay:6",
    "big_6",
    "big_8",
    "any_craps",
    "craps_two",
    "craps_three",
    "craps_twelve",
    "eleven",
    "field",
    "any_seven",
    "horn",
    "horn_high:2",
    "crap_eleven",
]


@pytest.mark.clause(CRAPS, "6.7.1")
@pytest.mark.parametrize("name", SLEEPERS)
def test_a_sleeping_wager_is_off_on_the_come_out_and_on_with_a_point(name: str) -> None:
    pick = int(name.partition(":")[2])
    talk = table_on(None)
    talk.bet(name, "20.00")
    assert talk.on() == {name: False}
    assert settled(talk.roll(3, 4)) == {}
    assert settled(talk.roll(*pairs(pick)[0])) == {}
    assert (talk.standing(), talk.on(), talk.last["puck"]) == ({name: "20.00"}, {name: True}, pick)
    assert settled(talk.roll(3, 4))[name][0] == "lose"


@pytest.mark.clause(CRAPS, "6.7.1", "6.7.2")
@pytest.mark.parametrize("name", SLEEPERS)
def test_a_sleeping_wager_called_on_acts_on_a_come_out_and_called_off_sleeps_on_a_point(name: str) -> None:
    pick = int(name.partition(":")[2])
    number = (pick // 2, pick // 2) if name.startswith("hardway") else pairs(pick)[0]
    talk = table_on(None)
    talk.bet(name, "20.00")
    talk.call(name, on=True)
    assert talk.on() == {name: True}
    assert settled(talk.roll(*number))[name][0] == "win"
    talk.bet(name, "20.00")  # a new wager: 6.7.1 applies again, and a point stands
    assert talk.on() == {name: True}
    talk.call(name, on=False)
    assert talk.on() == {name: False}
    reply = talk.roll(3, 4)
    assert (settled(reply), reply["puck"]) == ({}, None)
    reply = talk.roll(*number)
    assert (settled(reply), reply["puck"], talk.on()) == ({}, pick, {name: False})  # the call lasts
    talk.call(name, on=True)
    assert settled(talk.roll(3, 4))[name][0] == "lose"


@pytest.mark.clause(CRAPS, "6.7")
def test_a_call_lasts_from_the_come_out_into_the_point_and_ends_with_the_wager() -> None:
    talk = table_on(None)
    talk.bet("place_to_win:6", "6.00")
    talk.call("place_to_win:6", on=True)
    talk.roll(2, 2)
    assert talk.on() == {"place_to_win:6": True}
    talk.roll(2, 2)
    assert talk.last["puck"] is None
    assert talk.on() == {"place_to_win:6": True}  # still on at the next come out
    assert settled(talk.roll(3, 4)) == {"place_to_win:6": ("lose", "6.00", "0.00", "0.00")}
    talk.bet("place_to_win:6", "6.00")
    assert talk.on() == {"place_to_win:6": False}


@pytest.mark.clause(CRAPS, "6.7")
@pytest.mark.parametrize("name", NEVER_ASLEEP)
def test_other_wagers_never_sleep_and_cannot_be_called(name: str) -> None:
    talk = table_on(None)
    talk.bet(name, "20.00")
    assert talk.on() == {name: True}
    wager, _, pick = name.partition(":")
    fields: dict[str, object] = {"wager": wager} | ({"pick": int(pick)} if pick else {})
    talk.no("call", player="ann", **fields, on=False)
    talk.no("call", player="ann", **fields, on=True)


@pytest.mark.parametrize(
    "fields",
    [
        {"on": "yes"},
        {"on": 1},
        {"on": None},
        {},
        {"on": True, "pick": 8},
        {"on": True, "pick": None},
        {"on": True, "player": "bob"},
        {"on": True, "player": "eve"},
        {"on": True, "wager": "buy"},
        {"on": True, "wager": "come"},
    ],
    ids=str,
)
def test_a_call_names_a_standing_wager_and_true_or_false(fields: dict[str, object]) -> None:
    talk = table_on(None)
    talk.bet("place_to_win:6", "6.00")
    talk.no("call", **({"player": "ann", "wager": "place_to_win", "pick": 6} | fields))
    assert talk.on() == {"place_to_win:6": False}


def come_on(number: int, behind: str = "20.00") -> Talk:
    """A Come of 10.00 on a number with money behind, the puck on another number."""
    talk = table_on(other_point(number))
    talk.bet("come", "10.00")
    talk.roll(*pairs(number)[0])
    talk.bet(f"behind_come:{number}", behind)
    assert talk.on() == {f"come:{number}": True, f"behind_come:{number}": True}
    return talk


@pytest.mark.clause(CRAPS, "6.7.1", "6.2.3.1.2", "6.2.3.2.2")
@pytest.mark.parametrize("number", POINTS)
def test_behind_the_come_is_returned_when_its_come_is_decided_on_a_come_out(number: int) -> None:
    for total, result in ((number, "win"), (7, "lose")):
        talk = come_on(number)
        talk.roll(*pairs(other_point(number))[0])
        assert talk.last["puck"] is None
        assert talk.on() == {f"come:{number}": True, f"behind_come:{number}": False}
        reply = talk.roll(*pairs(total)[0])
        assert settled(reply)[f"come:{number}"][0] == result
        assert settled(reply)[f"behind_come:{number}"] == ("void", "20.00", "0.00", "20.00")
        assert clauses(reply)[f"behind_come:{number}"].startswith("6.7")
        assert talk.chips() == ("100010.00" if result == "win" else "99990.00")


@pytest.mark.clause(CRAPS, "6.7.2")
@pytest.mark.parametrize("number", POINTS)
def test_behind_the_come_is_returned_when_it_was_called_off(number: int) -> None:
    for total, chips in ((number, "100010.00"), (7, "99990.00")):
        talk = come_on(number)
        talk.call(f"behind_come:{number}", on=False)
        assert talk.on()[f"behind_come:{number}"] is False
        reply = talk.roll(*pairs(total)[0])
        assert settled(reply)[f"behind_come:{number}"] == ("void", "20.00", "0.00", "20.00")
        assert (talk.chips(), talk.standing()) == (chips, {})


@pytest.mark.clause(CRAPS, "6.7.1", "6.2.7.2", "6.2.7.3")
@pytest.mark.parametrize(("number", "won"), [(4, 40), (5, 30), (6, 24), (8, 24), (9, 30), (10, 40)])
def test_behind_the_come_called_on_is_decided_on_a_come_out(number: int, won: int) -> None:
    for total, chips in ((number, f"{100000 + 10 + won}.00"), (7, "99970.00")):
        talk = come_on(number)
        talk.roll(*pairs(other_point(number))[0])
        talk.call(f"behind_come:{number}", on=True)
        talk.roll(*pairs(total)[0])
        assert (talk.chips(), talk.standing()) == (chips, {})


def test_behind_the_dont_come_is_never_asleep_and_cannot_be_called() -> None:
    talk = table_on(4)
    talk.bet("dont_come", "10.00")
    talk.roll(3, 3)
    talk.bet("behind_dont_come:6", "24.00")
    talk.no("call", player="ann", wager="behind_dont_come", pick=6, on=False)
    talk.roll(2, 2)
    assert talk.on() == {"dont_come:6": True, "behind_dont_come:6": True}
    talk.roll(3, 4)
    assert talk.chips() == "100030.00"


@pytest.mark.parametrize("number", POINTS)
def test_a_standing_come_is_decided_before_a_new_one_travels_to_its_number(number: int) -> None:
    talk = come_on(number)
    talk.bet("come", "15.00")
    talk.bet("dont_come", "7.00")
    reply = talk.roll(*pairs(number)[-1])
    assert set(settled(reply)) == {f"come:{number}", f"behind_come:{number}"}
    assert talk.standing() == {f"come:{number}": "15.00", f"dont_come:{number}": "7.00"}
    talk.bet("dont_come", "3.00")
    reply = talk.roll(*pairs(number)[0])
    assert settled(reply) == {
        f"come:{number}": ("win", "15.00", "15.00", "30.00"),
        f"dont_come:{number}": ("lose", "7.00", "0.00", "0.00"),
    }
    assert talk.standing() == {f"dont_come:{number}": "3.00"}


def test_come_wagers_stand_on_several_numbers_and_a_seven_decides_them_all_and_a_new_one() -> None:
    talk = table_on(4)
    for total in (5, 6, 8):
        talk.bet("come", "10.00")
        talk.roll(*pairs(total)[0])
    talk.bet("come", "10.00")
    talk.bet("dont_come", "5.00")
    assert set(talk.standing()) == {"come:5", "come:6", "come:8", "come", "dont_come"}
    reply = talk.roll(3, 4)
    assert {name: row[0] for name, row in settled(reply).items()} == {
        "come:5": "lose",
        "come:6": "lose",
        "come:8": "lose",
        "come": "win",
        "dont_come": "lose",
    }
    assert (talk.standing(), talk.last["puck"]) == ({}, None)


def test_a_come_made_on_a_point_that_is_then_made_travels_to_it_and_stands_over_the_come_out() -> None:
    talk = table_on(6)
    talk.bet("come", "10.00")
    assert talk.roll(3, 3)["puck"] is None
    assert (talk.standing(), talk.on()) == ({"come:6": "10.00"}, {"come:6": True})
    assert settled(talk.roll(2, 4)) == {"come:6": ("win", "10.00", "10.00", "20.00")}
    assert talk.last["puck"] == 6


def test_money_behind_does_not_pass_to_the_come_that_takes_the_number_next() -> None:
    talk = come_on(9)
    talk.bet("come", "5.00")
    talk.roll(4, 5)
    talk.no_bet("behind_come:9", "11.00")  # double the 5.00 now there
    talk.bet("behind_come:9", "10.00")
    talk.no_bet("behind_come:10", "1.00")


def thrower(reply: Reply) -> object:
    """The thrower: the contract does not name this field, the program prints it as `by`."""
    return next(event["by"] for event in reply["events"] if event["type"] == "thrown")


@pytest.mark.clause(CRAPS, "3.2", "3.7.1", "3.8.1", "3.8.2", "4.1", "4.3")
def test_the_dice_go_clockwise_to_the_next_seat_with_a_line_wager() -> None:
    talk = Talk(CRAPS, seats=dict.fromkeys(("ann", "bob", "cat"), "100.00"))
    assert thrower(talk.roll(1, 1)) is None  # no line wager: the house
    talk.bet("win_line", "5.00", player="cat")
    assert thrower(talk.roll(6, 5)) == "cat"
    for player in ("ann", "bob", "cat"):
        talk.bet("win_line" if player != "bob" else "dont_win", "5.00", player=player)
    assert thrower(talk.roll(2, 2)) == "cat"  # no 7 Out: cat keeps them
    assert thrower(talk.roll(3, 4)) == "cat"
    for player in ("ann", "bob", "cat"):
        talk.bet("win_line" if player != "bob" else "dont_win", "5.00", player=player)
    assert thrower(talk.roll(2, 2)) == "ann"  # after the 7 Out, clockwise from cat
    assert thrower(talk.roll(3, 4)) == "ann"
    talk.bet("dont_win", "5.00", player="bob")
    talk.bet("win_line", "5.00", player="cat")
    assert thrower(talk.roll(2, 2)) == "bob"
    talk.take("dont_win", player="bob")
    assert thrower(talk.roll(1, 1)) == "cat"  # bob took his wager down (4.3), the point stays
    assert talk.last["puck"] == 4


@pytest.mark.clause(CRAPS, "3.9")
def test_without_a_line_wager_the_house_throws_until_all_is_decided() -> None:
    talk = Talk(CRAPS)
    talk.bet("big_8", "5.00")
    assert thrower(talk.roll(2, 2)) is None
    assert thrower(talk.roll(3, 4)) is None
    assert talk.standing() == {}


NO_ROLL = [*[f"5.2.{limb}" for limb in range(1, 5)], *[f"5.3.{limb}" for limb in range(1, 9)]]


@pytest.mark.clause(CRAPS, "5.1", "5.2.1", "5.2.2", "5.2.3", "5.2.4")
@pytest.mark.clause(CRAPS, "5.3.1", "5.3.2", "5.3.3", "5.3.4", "5.3.5", "5.3.6", "5.3.7", "5.3.8")
@pytest.mark.parametrize("reason", NO_ROLL)
def test_a_no_roll_never_happened_and_all_wagers_stand(reason: str) -> None:
    talk = table_on(None)
    talk.bet("win_line", "10.00")
    talk.roll(2, 2)
    for name in ("behind_win_line", "come", "field", "hardway:6", "buy:9"):
        talk.bet(name, "20.00")
    before = talk.last
    reply = talk.do("void", reason=reason)
    assert settled(reply) == {}
    assert (reply["chips"], reply["puck"]) == (before["chips"], 4)
    assert talk.standing() == {
        "win_line": "10.00",
        "behind_win_line": "20.00",
        "come": "20.00",
        "field": "20.00",
        "hardway:6": "20.00",
        "buy:9": "20.00",
    }
    talk.take("field")
    assert settled(talk.roll(5, 4))["buy:9"][0] == "win"
    assert talk.standing()["come:9"] == "20.00"


@pytest.mark.parametrize(
    "reason",
    ["6.1", "5.2.5", "5.3.9", "5.4", "5.3.1.", " 5.3.1", "8.1", "7.1.1", "6.3(a)", "9.4.1", "10.4.1", "10.6", "99"],
)
def test_a_clause_under_which_craps_voids_nothing_is_refused(reason: str) -> None:
    table_on(None).no("void", reason=reason)


def test_losing_wagers_are_settled_first_then_void_ones_then_winning_ones() -> None:
    """The layout has them in another order: a dealer collects, returns, then pays."""
    talk = come_on(6)
    talk.roll(*pairs(other_point(6))[0])  # the point is made: money behind the Come sleeps on the come-out roll
    for name in ("any_seven", "field"):
        talk.bet(name, "10.00")
    assert [row["wager"] for row in talk.last["wagers"]] == ["come", "behind_come", "any_seven", "field"]
    events = talk.do("roll", dice=[3, 4])["events"]
    order = [(event["wager"], event["result"]) for event in events if event["type"] == "wager_settled"]
    assert order == [("come", "lose"), ("field", "lose"), ("behind_come", "void"), ("any_seven", "win")]
