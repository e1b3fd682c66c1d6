"""Sic Bo over the pipe: picks, no more bets, no result, Super Streak."""

from __future__ import annotations

import itertools

import pytest

from tests.talk import SIC_BO, Talk, clauses, settled

Dice = tuple[int, int, int]


@pytest.mark.parametrize(
    ("wager", "pick", "shown"),
    [
        *[("combination", list(order), [2, 5]) for order in itertools.permutations([2, 5])],
        *[("four_number", list(order), [2, 3, 5, 6]) for order in itertools.permutations([2, 3, 5, 6])],
    ],
)
def test_set_picks_are_accepted_in_any_order_and_shown_ascending(wager: str, pick: list[int], shown: list[int]) -> None:
    talk = Talk(SIC_BO)
    talk.do("bet", player="ann", wager=wager, pick=pick, amount="5.00")
    talk.do("bet", player="ann", wager=wager, pick=shown, amount="5.00")
    assert [(row["pick"], row["amount"]) for row in talk.last["wagers"]] == [(shown, "10.00")]
    talk.do("take", player="ann", wager=wager, pick=pick, amount="5.00")
    reply = talk.close_and((2, 3, 5))
    assert [event["pick"] for event in reply["events"] if event["type"] == "wager_settled"] == [shown]


BAD_PICKS: dict[str, list[object]] = {
    "small": [1, "small", [], False],
    "any_triple": [1],
    "specific_triple": [None, 0, 7, "1", [1], True, 1.5],
    "specific_double": [None, 0, 7, [1, 1]],
    "total": [None, 3, 18, 0, -4, "4", [4]],
    "combination": [None, 1, [1], [1, 1], [1, 7], [0, 1], [1, 2, 3], ["1", "2"], "1,2", [1, True], [[1, 2]], {}],
    "four_number": [None, [1, 2, 3], [1, 2, 3, 5], [1, 2, 3, 4, 5], [1, 2, 4, 5], [3, 3, 4, 5], [1, 1, 2, 3, 4], 4],
    "single_die": [None, 0, 7],
    "super_streak": [None, "small", "odd", "Size", 1, ["size"], ""],
}


@pytest.mark.parametrize(("wager", "pick"), [(wager, pick) for wager, picks in BAD_PICKS.items() for pick in picks])
def test_a_pick_that_the_wager_does_not_have_is_refused(wager: str, pick: object) -> None:
    talk = Talk(SIC_BO)
    talk.close_and((1, 2, 3))
    talk.no("bet", player="ann", wager=wager, pick=pick, amount="10.00")


@pytest.mark.clause(SIC_BO, "3.10")
def test_no_more_bets_closes_the_betting_until_the_result() -> None:
    talk = Talk(SIC_BO)
    talk.bet("big", "10.00")
    talk.do("no_more_bets")
    talk.no_bet("big", "10.00")
    talk.no_bet("small", "10.00")
    talk.no_take("big")
    talk.no_take("big", "5.00")
    talk.roll(1, 1, 2)
    talk.bet("small", "10.00")
    talk.take("small", "5.00")


@pytest.mark.clause(SIC_BO, "8.4", "8.6")
def test_a_roll_without_no_more_bets_is_no_result() -> None:
    talk = Talk(SIC_BO, seats={"ann": "100.00", "bob": "100.00"})
    talk.close_and((1, 1, 2))  # Small, Even
    talk.bet("super_streak:size", "10.00")
    talk.bet("big", "20.00")
    talk.bet("total:17", "5.00", player="bob")
    reply = talk.roll(6, 6, 5)
    assert reply["ok"]
    assert settled(reply) == {"big": ("void", "20.00", "0.00", "20.00")}
    assert settled(reply, "bob") == {"total:17": ("void", "5.00", "0.00", "5.00")}
    assert set(clauses(reply).values()) <= {"8.4", "8.6"}
    assert talk.last["chips"] == {"ann": "90.00", "bob": "100.00"}
    assert talk.standing() == {"super_streak:size": "10.00"}
    talk.bet("super_streak:parity", "10.00")  # nothing progressed: both windows are open still


NO_RESULT = ["8.1", "8.2", "8.3", "8.4", "8.5"]


@pytest.mark.clause(SIC_BO, "8.1", "8.2", "8.3", "8.4", "8.5", "8.6")
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("reason", NO_RESULT)
def test_no_result_returns_all_but_super_streak_and_reopens_the_bets(reason: str, closed: bool) -> None:
    talk = Talk(SIC_BO, seats={"ann": "100.00"})
    talk.close_and((1, 1, 2))
    talk.bet("super_streak:size", "10.00")
    talk.close_and((1, 1, 2))
    talk.bet("even", "20.00")
    if closed:
        talk.do("no_more_bets")
    reply = talk.do("void", reason=reason)
    assert settled(reply) == {"even": ("void", "20.00", "0.00", "20.00")}
    assert (talk.chips(), talk.standing()) == ("90.00", {"super_streak:size": "10.00"})
    talk.no_bet("super_streak:size", "10.00")
    talk.bet("even", "5.00")
    for _ in range(2):
        assert "super_streak:size" not in settled(talk.close_and((1, 1, 2)))
    assert settled(talk.close_and((1, 1, 2))) == {}  # the fourth in a row, the void one not counted
    assert settled(talk.close_and((6, 6, 5))) == {"super_streak:size": ("win", "10.00", "60.00", "70.00")}


@pytest.mark.parametrize("reason", ["8", "8.8", "8.9", "3.10", "5.2.1", "7.1.1", "6.4", "9.3.1", "9.5", "8.1 "])
def test_a_clause_under_which_sic_bo_voids_nothing_is_refused(reason: str) -> None:
    talk = Talk(SIC_BO)
    talk.do("no_more_bets")
    talk.no("void", reason=reason)


SMALL, BIG, ODD, EVEN = (1, 2, 3), (6, 5, 5), (1, 2, 2), (1, 1, 2)  # the first two are Even, the last two Small
RUNGS = {4: 6, 5: 10, 6: 15, 7: 20, 8: 35, 9: 50, 10: 75, 11: 100, 12: 500}


@pytest.mark.clause(SIC_BO, "6.3.1", "6.3.2", "6.4.1", "6.4.2", "7.2")
@pytest.mark.parametrize("length", range(12))
@pytest.mark.parametrize(("side", "other"), [(SMALL, BIG), (BIG, SMALL)], ids=["small", "big"])
def test_super_streak_on_size_is_settled_at_the_changeover(side: Dice, other: Dice, length: int) -> None:
    check_streak("super_streak:size", side, other, length)


@pytest.mark.clause(SIC_BO, "6.3.3", "6.3.4", "6.4.1", "6.4.2", "7.2")
@pytest.mark.parametrize("length", range(12))
@pytest.mark.parametrize(("side", "other"), [(ODD, EVEN), (EVEN, ODD)], ids=["odd", "even"])
def test_super_streak_on_parity_is_settled_at_the_changeover(side: Dice, other: Dice, length: int) -> None:
    check_streak("super_streak:parity", side, other, length)


def check_streak(name: str, side: Dice, other: Dice, length: int) -> None:
    talk = Talk(SIC_BO, seats={"ann": "100.00", "bob": "100.00"})
    talk.close_and(side)  # fixes the side; only later results count
    talk.bet(name, "10.00")
    for _ in range(length):
        assert name not in settled(talk.close_and(side))
        talk.no_bet(name, "10.00", player="bob")  # in mid-streak
    reply = talk.close_and(other)
    odds = RUNGS.get(length, 0)
    won = ("win", "10.00", f"{10 * odds}.00", f"{10 * odds + 10}.00")
    assert settled(reply) == {name: won if odds else ("lose", "10.00", "0.00", "0.00")}
    talk.bet(name, "10.00", player="bob")  # the window is open again


@pytest.mark.clause(SIC_BO, "6.3", "6.4.2", "7.2")
def test_super_streak_is_paid_at_once_at_twelve_and_the_window_stays_shut_until_the_changeover() -> None:
    talk = Talk(SIC_BO, seats={"ann": "100.00"})
    talk.close_and(SMALL)
    talk.bet("super_streak:size", "10.00")
    for _ in range(11):
        assert settled(talk.close_and(SMALL)) == {}
    assert settled(talk.close_and(SMALL)) == {"super_streak:size": ("win", "10.00", "5000.00", "5010.00")}
    talk.no_bet("super_streak:size", "10.00")
    for _ in range(2):
        assert settled(talk.close_and(SMALL)) == {}
        talk.no_bet("super_streak:size", "10.00")
    talk.close_and(BIG)
    talk.bet("super_streak:size", "10.00")


@pytest.mark.clause(SIC_BO, "6.4.1", "6.4.2")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_triple_neither_wins_loses_nor_progresses_a_super_streak(face: int) -> None:
    talk = Talk(SIC_BO)
    talk.close_and(SMALL)
    talk.bet("super_streak:size", "10.00")
    for _ in range(4):
        talk.close_and((face, face, face))
        talk.close_and(SMALL)
    talk.close_and((face, face, face))
    assert settled(talk.close_and(BIG))["super_streak:size"] == ("win", "10.00", "60.00", "70.00")
    talk.close_and((face, face, face))
    talk.bet("super_streak:size", "10.00")  # a triple does not shut the window


@pytest.mark.clause(SIC_BO, "6.2")
def test_super_streak_waits_for_the_days_first_result_that_is_no_triple() -> None:
    talk = Talk(SIC_BO)
    for pick in ("size", "parity"):
        talk.no_bet(f"super_streak:{pick}", "10.00")
    talk.roll(1, 1, 2)  # no result
    talk.close_and((2, 2, 2))
    for pick in ("size", "parity"):
        talk.no_bet(f"super_streak:{pick}", "10.00")
    talk.close_and(SMALL)
    for pick in ("size", "parity"):
        talk.bet(f"super_streak:{pick}", "10.00")


@pytest.mark.clause(SIC_BO, "6.5")
def test_the_two_super_streaks_are_independent_and_may_end_together() -> None:
    talk = Talk(SIC_BO, seats={"ann": "100.00"})
    talk.close_and((1, 1, 2))  # Small, Even
    talk.bet("super_streak:size", "10.00")
    talk.close_and((1, 2, 2))  # Small 1; Odd: the parity window opens again
    talk.bet("super_streak:parity", "10.00")
    talk.no_bet("super_streak:size", "10.00")
    for _ in range(4):
        talk.close_and((1, 2, 2))  # Small 2 to 5, Odd 1 to 4
    assert settled(talk.close_and((6, 6, 4))) == {  # Big and Even
        "super_streak:size": ("win", "10.00", "100.00", "110.00"),
        "super_streak:parity": ("win", "10.00", "60.00", "70.00"),
    }


@pytest.mark.clause(SIC_BO, "6.2", "6.7")
@pytest.mark.parametrize(
    ("amount", "wrong"), [(None, ["5.00", "9.00", "11.00", "20.00"]), ("25.00", ["10.00", "50.00"])]
)
def test_super_streak_is_one_bet_a_line_of_the_fixed_amount_and_cannot_be_taken(
    amount: str | None, wrong: list[str]
) -> None:
    fields: dict[str, object] = {} if amount is None else {"super_streak": amount}
    fixed = amount or "10.00"
    talk = Talk(SIC_BO, min="12.00", max="5000.00", **fields)
    short = Talk(SIC_BO, max="5.00", **fields)  # the limits do not apply to it
    for one in (talk, short):
        one.close_and(SMALL)
        for bad in wrong:
            one.no_bet("super_streak:size", bad)
        one.bet("super_streak:size", fixed)
        one.no_bet("super_streak:size", fixed)
        one.no_take("super_streak:size")
        one.no_take("super_streak:size", "5.00")
        one.bet("super_streak:parity", fixed)
        one.do("no_more_bets")
        one.no_take("super_streak:size")
        assert one.standing() == {"super_streak:size": fixed, "super_streak:parity": fixed}


def test_super_streak_is_refused_after_no_more_bets() -> None:
    talk = Talk(SIC_BO)
    talk.close_and(SMALL)
    talk.do("no_more_bets")
    talk.no_bet("super_streak:size", "10.00")


def test_a_card_is_ignored_in_sic_bo() -> None:
    talk = Talk(SIC_BO)
    talk.do("seat", player="eve", chips="10.00", card=False)
    talk.bet("big", "10.00", player="eve")
