"""Two-Up over the pipe: Heads, Tails, five Odds, the spinner and the spinner's wager, void spins."""

from __future__ import annotations

import itertools

import pytest

from tests.talk import TWO_UP, Reply, Talk, clauses, settled

OTHER = {"heads": "tails", "tails": "heads"}
COINS = {"heads": "HH", "tails": "TT"}


def table(**seats: str) -> Talk:
    return Talk(TWO_UP, seats=seats or {"ann": "100.00", "bob": "100.00", "cat": "100.00"})


def spin(talk: Talk, *coins: str) -> Reply:
    """Spin one after the other, closing the bets wherever that is required again; return the last reply."""
    for pair in coins:
        reply = talk.ask("spin", coins=pair)
        if not reply["ok"]:
            talk.do("no_more_bets")
            reply = talk.do("spin", coins=pair)
    return reply


@pytest.mark.clause(TWO_UP, "4.1.2.1", "4.1.2.2", "4.1.3.1", "4.1.3.2", "8.1")
@pytest.mark.parametrize("side", ["heads", "tails"])
def test_heads_and_tails_win_one_to_one_and_lose_on_the_other(side: str) -> None:
    talk = table()
    talk.bet(side, "10.00")
    reply = talk.close_and(COINS[side])
    assert settled(reply) == {side: ("win", "10.00", "10.00", "20.00")}
    assert clauses(reply)[side].startswith(f"4.1.{2 if side == 'heads' else 3}")
    talk.bet(side, "10.00")
    assert settled(talk.close_and(COINS[OTHER[side]])) == {side: ("lose", "10.00", "0.00", "0.00")}
    assert talk.chips() == "100.00"


@pytest.mark.clause(TWO_UP, "4.1.2.2", "4.1.2.3", "4.1.3.2", "4.1.3.3")
@pytest.mark.parametrize("side", ["heads", "tails"])
@pytest.mark.parametrize("odds", [("HT",) * 5, ("TH",) * 5, ("HT", "TH", "HT", "TH", "TH")])
def test_odds_leave_wagers_standing_and_the_fifth_in_a_row_loses(side: str, odds: tuple[str, ...]) -> None:
    talk = table()
    talk.bet(side, "10.00")
    talk.do("no_more_bets")
    for pair in odds[:4]:
        assert settled(talk.do("spin", coins=pair)) == {}
        assert talk.standing() == {side: "10.00"}
    assert settled(talk.do("spin", coins=odds[4])) == {side: ("lose", "10.00", "0.00", "0.00")}
    talk.no("spin", coins="HT")  # a result has fallen: no more bets is needed again
    talk.bet(side, "10.00")


@pytest.mark.clause(TWO_UP, "4.6", "6.3")
def test_no_more_bets_is_needed_before_a_spin_and_closes_the_betting_until_a_result() -> None:
    talk = table()
    talk.bet("heads", "10.00")
    talk.no("spin", coins="HH")
    talk.do("no_more_bets")
    for _ in range(2):
        talk.no_bet("heads", "5.00")
        talk.no_bet("tails", "5.00", player="bob")
        talk.no_bet("spinner:heads", "5.00", player="bob")
        talk.no_take("heads")
        talk.no_take("heads", "5.00")
        talk.do("spin", coins="HT")
    for coins in ("HH", "TT"):
        assert talk.do("spin", coins=coins)["ok"]
        talk.no("spin", coins="HH")
        talk.bet("tails", "5.00")
        talk.take("tails", "5.00")
        talk.do("no_more_bets")


@pytest.mark.clause(TWO_UP, "4.4")
def test_heads_and_tails_are_settled_within_the_spinners_turn_and_he_may_bet_on_either() -> None:
    talk = table()
    talk.bet("spinner:heads", "10.00")
    talk.bet("heads", "10.00")
    talk.bet("tails", "5.00")
    talk.bet("tails", "20.00", player="bob")
    reply = talk.close_and("HH")
    assert settled(reply) == {
        "heads": ("win", "10.00", "10.00", "20.00"),
        "tails": ("lose", "5.00", "0.00", "0.00"),
    }
    assert settled(reply, "bob") == {"tails": ("lose", "20.00", "0.00", "0.00")}
    talk.bet("tails", "20.00", player="bob")
    reply = talk.close_and("TT")
    assert settled(reply) == {"spinner:heads": ("lose", "10.00", "0.00", "0.00")}
    assert talk.last["chips"] == {"ann": "95.00", "bob": "100.00", "cat": "100.00"}


@pytest.mark.clause(TWO_UP, "4.2", "4.6")
def test_the_spinners_wager_is_locked_from_the_first_valid_spin_until_it_is_decided() -> None:
    talk = table()
    talk.bet("spinner:heads", "10.00")
    talk.bet("spinner:heads", "4.00")  # before the spin it may grow
    talk.take("spinner:heads", "2.00")
    talk.close_and("HH")
    for _ in range(2):  # the bets are open again, and his stays locked (TU-3)
        talk.bet("heads", "1.00")
        talk.no_bet("spinner:heads", "10.00")
        talk.no_take("spinner:heads")
        talk.no_take("spinner:heads", "2.00")
        assert talk.standing()["spinner:heads"] == "12.00"
        spin(talk, "HT", "HH")
    assert talk.standing() == {}
    assert talk.chips() == "192.00"  # 100 - 12 + 102, and two winning Heads of 1.00


@pytest.mark.clause(TWO_UP, "3.1", "4.2")
def test_one_spinner_and_one_declaration_at_a_time() -> None:
    talk = table()
    talk.bet("spinner:heads", "10.00")
    talk.no_bet("spinner:tails", "10.00")
    talk.no_bet("spinner:heads", "10.00", player="bob")
    talk.no_bet("spinner:tails", "10.00", player="bob")
    talk.close_and("HH")
    talk.no_bet("spinner:tails", "10.00")
    talk.no_bet("spinner:heads", "10.00", player="bob")
    assert [row["player"] for row in talk.last["wagers"]] == ["ann"]


@pytest.mark.clause(TWO_UP, "3.2", "6.4")
def test_after_a_loss_the_turn_passes_to_the_next_seat() -> None:
    talk = table()
    for player in ("ann", "bob", "cat", "ann"):
        talk.bet("spinner:heads", "10.00", player=player)
        assert settled(talk.close_and("TT"), player) == {"spinner:heads": ("lose", "10.00", "0.00", "0.00")}
    assert talk.last["chips"] == {"ann": "80.00", "bob": "90.00", "cat": "90.00"}


@pytest.mark.clause(TWO_UP, "3.2", "6.4")
def test_a_lone_loser_is_offered_the_coins_again() -> None:
    talk = table(ann="100.00")
    for _ in range(3):
        talk.bet("spinner:tails", "10.00")
        talk.close_and("HH")
    assert talk.chips() == "70.00"


def test_a_winning_spinner_keeps_the_coins_by_betting_again() -> None:
    talk = table()
    for side in ("heads", "tails", "heads"):
        talk.bet(f"spinner:{side}", "10.00")
        talk.no_bet("spinner:heads", "10.00", player="bob")
        spin(talk, *[COINS[side]] * 3)
    assert talk.chips() == "325.00"


@pytest.mark.clause(TWO_UP, "3.3", "4.3")
def test_without_a_spinner_the_boxer_spins_and_the_coins_are_offered_again_after_a_result() -> None:
    talk = table()
    talk.bet("tails", "10.00", player="bob")
    assert settled(spin(talk, "HT", "TT"), "bob") == {"tails": ("win", "10.00", "10.00", "20.00")}
    talk.bet("spinner:heads", "10.00")
    spin(talk, "HH", "HH", "HH")
    assert talk.chips() == "175.00"


NO_SPIN = ["7.1.1", "7.1.2", "7.3.1", "7.3.2", "7.3.3", "7.3.4"]


@pytest.mark.clause(TWO_UP, "4.7", "7.1.1", "7.1.2", "7.3.1", "7.3.2", "7.3.3", "7.3.4", "7.6")
@pytest.mark.parametrize("reason", NO_SPIN)
def test_a_void_spin_with_nothing_spun_reopens_the_bets_and_all_wagers_stand(reason: str) -> None:
    talk = table()
    talk.bet("spinner:heads", "10.00")
    talk.bet("heads", "10.00")
    talk.do("no_more_bets")
    assert settled(talk.do("void", reason=reason)) == {}
    assert talk.standing() == {"spinner:heads": "10.00", "heads": "10.00"}
    talk.no("spin", coins="HH")
    talk.bet("heads", "10.00")
    talk.take("heads", "15.00")
    talk.bet("spinner:heads", "6.00")
    talk.take("spinner:heads", "4.00")
    talk.bet("tails", "5.00", player="bob")
    reply = talk.close_and("HH")
    assert settled(reply) == {"heads": ("win", "5.00", "5.00", "10.00")}
    assert talk.standing() == {"spinner:heads": "12.00"}
    assert talk.last["chips"] == {"ann": "93.00", "bob": "95.00", "cat": "100.00"}


@pytest.mark.clause(TWO_UP, "4.7")
@pytest.mark.parametrize("odds", [1, 2, 4])
def test_a_void_spin_with_odds_standing_reopens_nothing_and_does_not_break_the_run(odds: int) -> None:
    talk = table()
    talk.bet("heads", "10.00")
    spin(talk, *["HT"] * odds)
    talk.do("void", reason="7.1.1")
    talk.no_take("heads")
    talk.no_bet("heads", "10.00")
    talk.no_bet("tails", "10.00", player="bob")
    for _ in range(4 - odds):
        talk.do("spin", coins="TH")  # without another no_more_bets
    assert settled(talk.do("spin", coins="TH")) == {"heads": ("lose", "10.00", "0.00", "0.00")}


def test_a_void_spin_between_two_heads_reopens_all_but_the_spinners_wager() -> None:
    talk = table()
    talk.bet("spinner:heads", "10.00")
    talk.close_and("HH")
    talk.bet("heads", "10.00")
    talk.do("no_more_bets")
    talk.do("void", reason="7.3.4")
    talk.take("heads", "5.00")
    talk.no_take("spinner:heads")
    talk.no_bet("spinner:heads", "2.00")
    spin(talk, "HH", "HH")
    assert talk.chips() == "180.00"


@pytest.mark.clause(TWO_UP, "6.5")
@pytest.mark.parametrize("side", ["heads", "tails"])
def test_after_three_invalid_spins_at_the_start_the_boxer_spins_on_for_the_wager(side: str) -> None:
    talk = table()
    talk.bet(f"spinner:{side}", "10.00")
    talk.bet("tails", "5.00", player="bob")
    for _ in range(3):
        talk.do("no_more_bets")
        talk.do("void", reason="7.1.2")
    talk.take("tails", player="bob")  # players may withdraw or alter
    assert talk.standing() == {f"spinner:{side}": "10.00"}
    talk.no_bet("spinner:heads", "10.00", player="bob")
    spin(talk, *[COINS[side]] * 3)
    assert talk.last["chips"] == {"ann": "175.00", "bob": "100.00", "cat": "100.00"}


@pytest.mark.clause(TWO_UP, "6.6")
def test_three_invalid_spins_after_a_valid_one_leave_the_spinners_wager_in_play() -> None:
    talk = table()
    talk.bet("spinner:heads", "10.00")
    spin(talk, "HT")
    for _ in range(3):
        talk.do("void", reason="7.3.1")
    assert talk.standing() == {"spinner:heads": "10.00"}
    talk.no_take("spinner:heads")
    spin(talk, "HH", "HH", "HH")
    assert talk.chips() == "175.00"


@pytest.mark.parametrize(
    "reason", ["7", "7.1.3", "7.3.5", "7.5", "4.7", "6.4", "6.7.1", "8.1", "5.2.1", "9.3.1", "9.5", "7.3.4 "]
)
def test_a_clause_under_which_two_up_voids_nothing_is_refused(reason: str) -> None:
    talk = table()
    talk.do("no_more_bets")
    talk.no("void", reason=reason)
    talk.do("spin", coins="HH")


@pytest.mark.parametrize(
    ("wager", "pick"),
    [
        ("heads", "heads"),
        ("heads", "HH"),
        ("tails", 1),
        *itertools.product(["spinner"], [None, "Heads", "HH", "odds", "", True, 0, ["heads"]]),
        ("odds", None),
        ("five_odds", None),
    ],
)
def test_a_wager_or_pick_that_two_up_does_not_have_is_refused(wager: str, pick: object) -> None:
    table().no("bet", player="ann", wager=wager, pick=pick, amount="10.00")


def test_a_player_who_may_not_spin_a_card_or_not_bets_in_two_up() -> None:
    talk = table()
    talk.do("seat", player="eve", chips="10.00", card=False)
    talk.bet("heads", "10.00", player="eve")


@pytest.mark.clause(TWO_UP, "3.1")
def test_a_seat_that_does_not_bet_declines_and_the_first_that_does_is_the_spinner() -> None:
    talk = table()
    talk.bet("heads", "5.00")
    talk.bet("spinner:tails", "10.00", player="bob")
    talk.no_bet("spinner:tails", "10.00", player="ann")
    spin(talk, "TT", "TT", "TT")
    assert talk.last["chips"] == {"ann": "95.00", "bob": "175.00", "cat": "100.00"}
