"""Checks without a value of their own: which ones a bet takes, what is taken off a stake, what is redeemed, old
records."""

from __future__ import annotations

import pytest

from croupier.table import events
from croupier.table.checks_and_tokens import changes_a_check, chosen, redeemed, taken_off
from croupier.table.evolve import evolve_all
from croupier.table.state import Area, Checks, Stake, State
from tests.talk import SIC_BO, SNAKE_NZ, Talk

SMALL = Area("small", None, "standing", 0)


def holding(chips: int, checks: dict[str, int], **worth: int) -> State:
    """Ann with this many chips in hand, of which this much is in checks."""
    facts = {f"checks {colour} ann": value for colour, value in worth.items()}
    return State(seats=("ann",), chips={"ann": chips}, checks={"ann": checks} if checks else {}, facts=dict(facts))


@pytest.mark.parametrize(
    ("chips", "checks", "said", "cents", "taken"),
    [
        (5000, {"red": 5000}, None, 1000, (("red", 1000),)),
        (5000, {"red": 5000}, None, 0, ()),
        (5050, {"red": 5000}, None, 1000, (("red", 1000),)),  # less than a chip is nothing to bet with
        (5100, {"red": 5000}, None, 1000, ()),
        (5100, {"red": 5000}, "red", 1000, (("red", 1000),)),
        (5100, {"red": 5000}, "red", 0, ()),
        (5100, {"red": 5000}, (("red", 500),), 1000, (("red", 500),)),
        (1600, {"red": 1000, "blue": 600}, None, 1300, (("red", 1000), ("blue", 300))),
        (1600, {"red": 1000, "blue": 600}, None, 600, (("red", 500), ("blue", 100))),  # refused: in parts
        (500, {}, None, 500, ()),
        (500, {"red": 0}, None, 500, ()),
    ],
)
def test_which_checks_a_bet_takes(
    chips: int, checks: dict[str, int], said: str | Checks | None, cents: int, taken: Checks
) -> None:
    assert chosen(holding(chips, checks, red=500, blue=300), "ann", said, cents) == taken


@pytest.mark.parametrize(
    ("stake", "back", "off"),
    [
        (Stake(1400, checks=(("red", 1000),)), 400, ()),
        (Stake(1400, checks=(("red", 1000),)), 500, (("red", 500, 500),)),
        (Stake(1400, checks=(("red", 1000),)), 1400, (("red", 1000, 1000),)),
        (Stake(1000, checks=(("red", 1000),)), 300, (("red", 500, 0),)),
        (Stake(1000, checks=(("red", 1000),)), 700, (("red", 1000, 500),)),
        (Stake(1600, checks=(("red", 1000), ("blue", 600))), 1300, (("red", 1000, 1000), ("blue", 300, 300))),
        (Stake(1500, tokens=500, checks=(("red", 1000),)), 1000, (("red", 1000, 1000),)),
    ],
)
def test_what_comes_off_a_stake(stake: Stake, back: int, off: events.ReducedChecks) -> None:
    found = taken_off(holding(0, {"red": 0}, red=500, blue=300), "ann", stake, back)
    assert found == off
    assert changes_a_check(found) == any(came_off != goes for _, came_off, goes in off)


def test_as_many_checks_are_redeemed_as_an_amount_takes() -> None:
    state = holding(1700, {"red": 1000, "blue": 600}, red=500, blue=300)
    taken = {
        cents: [(each.checks, each.cents) for each in redeemed(state, "ann", "3.6", cents)] for cents in (0, 1, 1001)
    }
    assert taken == {0: [], 1: [("red", 500)], 1001: [("red", 1000), ("blue", 300)]}
    assert [(each.checks, each.cents) for each in redeemed(state, "ann", "3.6")] == [("red", 1000), ("blue", 600)]


def test_a_record_from_before_checks_were_counted_replays() -> None:
    """Checks that were sold as chips are value chips, and cannot be redeemed a second time."""
    old = [
        b'{"format":1,"event":{"type":"player_seated","player":"ann","chips":0,"card":true}}',
        b'{"format":1,"event":{"type":"chips_bought","player":"ann","chips":5000}}',
        b'{"format":1,"event":{"type":"wager_placed","wager":"small","pick":null,"state":"standing","terms":0,'
        b'"player":"ann","amount":100,"stake":100,"commission":0,"clause":"3.1.1"}}',
        b'{"format":1,"event":{"type":"area_settled","wager":"small","pick":null,"state":"standing","terms":0,'
        b'"result":"win","clause":"3.1.1.1","stakes":[["ann",100,100,200]]}}',
    ]
    state = evolve_all(State(), [events.decode(each) for each in old])
    assert (state.chips, state.checks, state.layout) == ({"ann": 5100}, {}, {})


@pytest.mark.clause(SIC_BO, "3.3", "3.5", "3.6")
@pytest.mark.clause(SNAKE_NZ, "4.3")
@pytest.mark.parametrize(("book", "wager"), [(SIC_BO, "small"), (SNAKE_NZ, "six")])
def test_checks_over_the_pipe(book: str, wager: str) -> None:
    talk = Talk(book, seats={"ann": "0.00"})
    said = {"player": "ann", "colour": "red", "as": "dealer"}
    talk.do("issue_checks", amount="50.00", value="5.00", **said)
    assert talk.last["checks"] == {"ann": {"red": "50.00"}}
    assert talk.chips() == "50.00"
    bet = {"player": "ann", "wager": wager}
    assert talk.ask("bet", amount="1.00", **bet)["code"] == "amount_not_in_checks"
    for junk in (7, ["red"], {"red": "5.00"}, True):
        assert talk.ask("bet", amount="5.00", checks=junk, **bet)["code"] == "bad_field"
    assert talk.ask("bet", amount="5.00", checks="blue", **bet)["code"] == "no_such_checks"
    assert talk.ask("bet", amount="5.00", checks="", **bet)["code"] == "no_such_checks"
    talk.do("bet", amount="15.00", **bet)
    assert talk.last["wagers"][0]["checks"] == {"red": "15.00"}
    talk.do("take", amount="5.00", **bet)
    assert talk.last["events"][0]["checks"] == {"red": "5.00"}
    assert talk.last["checks"] == {"ann": {"red": "40.00"}}
    for _ in range(2):
        assert talk.ask("redeem_checks", amount="140.00", **said)["code"] == "not_enough_checks"
    talk.do("redeem_checks", amount="40.00", **said)
    assert "checks" not in talk.last
    assert talk.chips() == "40.00"
    assert talk.ask("redeem_checks", amount="40.00", **said)["code"] == "not_enough_checks"


def test_checks_that_nobody_has_change_nothing_at_other_tables() -> None:
    """Without the field, and where no one has checks, a bet works as it always did."""
    talk = Talk(SIC_BO, seats={"ann": "50.00"})
    assert "checks" not in talk.last
    talk.do("bet", player="ann", wager="small", amount="1.00", checks=None)
    assert "checks" not in talk.last["wagers"][0]
    assert talk.ask("bet", player="ann", wager="small", amount="50.00")["code"] == "not_enough_chips"
