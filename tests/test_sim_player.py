"""The meaning of a strategy, sentence by sentence: small games at a real table, with every figure computed by hand.

Throws are written as they are thrown: "34 66" are two throws of two dice, "HT" one of two coins. After the last one
nothing is bet any more. To show whether a condition holds, a bet depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.ledger import COMMISSION, FLOAT, LAYOUT, PURSE, Ledger, hand
from croupier.money import MoneyError, parse_cents
from croupier.rules.errors import Impossible
from croupier.rules.machine import Pick
from croupier.simulation.reference.player import Refused, Seat, Session, Turn
from croupier.simulation.reference.seat import PLAYER, AnyPlayer
from croupier.simulation.strategy import (
    PLENTY,
    Bet,
    Call,
    Chips,
    Compare,
    Comparison,
    Condition,
    Count,
    Fixed,
    FromProgression,
    Guard,
    Hits,
    Most,
    Move,
    Net,
    PhaseIs,
    Progression,
    ResultIs,
    Rolls,
    Rule,
    ShareOfChips,
    ShooterRolls,
    Shooters,
    Spot,
    Stake,
    Stop,
    Strategy,
    Streak,
    Subject,
    Take,
    TimesSpot,
)
from croupier.table import events
from croupier.table.commands import Limit, Settings
from croupier.table.placing import selection_name
from croupier.table.thrower import outcome_passes
from tests.tables import BOOKS, SHELF

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS
POINTS = (4, 5, 6, 8, 9, 10)
STRAIGHT = Fraction(1)

PUCK_ON = PhaseIs("puck", frozenset(f"point {n}" for n in POINTS))


class Played:
    """A session played to its end, and its turns."""

    def __init__(self, session: Session, turns: list[Turn]) -> None:
        self.session = session
        self.turns = turns

    def standing(self, turn: int) -> dict[str, int]:
        """The wagers on the layout at a turn, by their names for people."""
        return {selection_name(*spot): cents for spot, cents in self.turns[turn].standing.items()}

    def with_(self, name: str) -> set[int]:
        """The turns at which something is on a spot."""
        return {turn.number for turn in self.turns if name in self.standing(turn.number)}

    def stakes(self, name: str) -> list[int]:
        """The stakes on a spot, turn by turn."""
        return [self.standing(turn.number).get(name, 0) for turn in self.turns]

    @property
    def nets(self) -> list[int]:
        return [turn.net for turn in self.turns]

    @property
    def chips(self) -> list[int]:
        return [turn.chips for turn in self.turns]

    @property
    def refused(self) -> dict[tuple[int, str, str | None], int]:
        return {tuple(refused): count for refused, count in self.session.refused.items()}  # type: ignore[misc]


def outcomes(book: str, throws: str) -> list[int]:
    index = SHELF.book(book).outcomes.index
    return [index[tuple(int(face) if face.isdigit() else face for face in throw)] for throw in throws.split()]


def play(
    book: str, player: Strategy | AnyPlayer | list[Rule], throws: str, bankroll: int | None = None, **sign: object
) -> Played:
    strategy = Strategy("", "", 100, tuple(player)) if isinstance(player, list) else player
    session = Session(SHELF, SHELF.terms(book), Settings(**sign), strategy, bankroll)  # type: ignore[arg-type]
    return Played(session, list(session.play(outcomes(book, throws))))


def bet(
    wager: str,
    stake: int | Stake,
    pick: Pick = None,
    *,
    rule: int = 1,
    when: tuple[Condition, ...] = (),
    unless: tuple[Condition, ...] = (),
    **more: object,
) -> Bet:
    amount = Fixed(stake) if isinstance(stake, int) else stake
    return Bet(rule, Spot(wager, pick), amount, Guard(when, unless), **more)  # type: ignore[arg-type]


def is_(subject: Subject, value: int, comparison: Comparison = "is") -> Compare:
    return Compare(subject, comparison, value)


def won(*spots: Spot) -> Streak:
    return Streak(spots, True)


def lost(*spots: Spot) -> Streak:
    return Streak(spots, False)


SMALL, BIG, ODD, EVEN = Spot("small"), Spot("big"), Spot("odd"), Spot("even")
NEXT, BACK, FIRST, STAY = Move("next"), Move("back"), Move("first"), Move("stay")


# A whole game


def test_a_line_with_double_odds_is_played_to_the_cent() -> None:
    rules: list[Rule] = [
        bet("win_line", 500),
        bet("behind_win_line", TimesSpot(Fraction(2), Spot("win_line")), rule=2),
    ]
    game = play(CRAPS, rules, "44 62 34 46 52", bankroll=20000)
    assert game.standing(0) == {"win_line": 500}
    assert game.standing(1) == {"win_line": 500, "behind_win_line": 1000}
    assert game.standing(2) == {"win_line": 500}  # 8 again: 5.00 and 10.00 at 6 to 5, and the line made again
    assert game.standing(5) == {}  # seven out, and nothing bet after the last throw
    assert game.nets == [0, 0, 500 + 1200, 1700 + 500, 2200, 2200 - 1500]
    assert game.chips == [19500, 18500, 21200, 21700, 20700, 20700]
    assert [turn.number for turn in game.turns] == [0, 1, 2, 3, 4, 5]
    assert [turn.outcome for turn in game.turns] == [None, *outcomes(CRAPS, "44 62 34 46 52")]
    assert (game.session.rolls, game.session.net, game.session.chips) == (5, 700, 20700)
    assert (game.session.ended, game.refused, game.session.made) == (None, {}, {1: 3, 2: 2})


def test_events_are_told_once_and_completely() -> None:
    game = play(SIC_BO, [bet("small", 100)], "112 665", bankroll=1000)
    kinds = [[type(event).__name__ for event in turn.events] for turn in game.turns]
    moved = ["PhaseMoved", "PhaseMoved"]
    assert kinds == [
        ["TableOpened", "PlayerSeated", "WagerPlaced"],
        ["BetsClosed", "Thrown", "AreaSettled", *moved, "BetsOpened", "WagerPlaced"],
        ["BetsClosed", "Thrown", "AreaSettled", *moved, "BetsOpened"],
    ]


# Sitting down


def test_the_player_sits_alone_with_the_bankroll() -> None:
    session = play(CRAPS, [], "34", bankroll=12345).session
    assert session.hand.state.chips == {PLAYER: 12345}


def test_without_a_bankroll_the_chips_do_not_run_out() -> None:
    game = play(SNAKE_EYES, [bet("field", 10**12)], "33 33 33")
    assert game.refused == {}
    assert game.chips[0] == PLENTY - 10**12
    assert game.nets == [0, -(10**12), -2 * 10**12, -3 * 10**12]


@pytest.mark.parametrize(
    "rule",
    [
        bet("field", 100, when=(is_(Chips(), 100, "at least"),)),
        bet("field", ShareOfChips(Fraction(1, 50))),
        bet("field", Most()),
    ],
    ids=["condition", "share", "most without a limit"],
)
def test_who_reckons_with_the_chips_in_hand_needs_a_bankroll(rule: Rule) -> None:
    with pytest.raises(Impossible, match="needs a bankroll") as caught:
        play(SNAKE_EYES, [rule], "33")
    assert caught.value.code == "no_bankroll"
    assert play(SNAKE_EYES, [rule], "33", bankroll=10000).session.made == {1: 1}


def test_a_table_that_cannot_be_opened_is_told_in_a_sentence() -> None:
    with pytest.raises(Impossible, match="smallest chip must be worth more than zero"):
        play(CRAPS, [], "34", chip=0)
    with pytest.raises(Impossible, match="All 0 seats are taken"):
        play(CRAPS, [], "34", seats=0)
    with pytest.raises(Impossible, match="The amount of chips cannot be negative"):
        play(CRAPS, [], "34", bankroll=-1)


@pytest.mark.parametrize("outcome", [-1, 36])
def test_what_cannot_fall_is_not_thrown(outcome: int) -> None:
    session = Session(SHELF, SHELF.terms(CRAPS), Settings(), Strategy("", "", 100, ()), None)
    with pytest.raises(Impossible) as caught:
        list(session.play([outcome]))
    assert (caught.value.code, caught.value.clause) == ("not_an_outcome", "2.3")


# When rules are carried out


def test_rules_are_carried_out_from_top_to_bottom_and_see_what_those_above_have_done() -> None:
    with_six = bet("field", 100, when=(is_(Count((Spot("six"),)), 1),))
    assert play(SNAKE_EYES, [bet("six", 100), with_six], "").standing(0) == {"six": 100, "field": 100}
    assert play(SNAKE_EYES, [with_six, bet("six", 100)], "").standing(0) == {"six": 100}


def test_nothing_is_bet_after_the_last_outcome() -> None:
    game = play(SNAKE_EYES, [bet("field", 100)], "45 33")
    assert [game.standing(turn) for turn in range(3)] == [{"field": 100}, {"field": 100}, {}]
    assert (game.session.made, game.session.ended) == ({1: 2}, None)
    assert play(SNAKE_EYES, [bet("field", 100)], "").standing(0) == {"field": 100}


def test_outcomes_are_not_drawn_beyond_the_end() -> None:
    drawn: list[int] = []

    def throws() -> Iterator[int]:
        for outcome in outcomes(SNAKE_EYES, "45 45 45"):
            drawn.append(outcome)
            yield outcome

    strategy = Strategy("", "", 100, (bet("field", 100),), stop=Stop(rolls=1))
    session = Session(SHELF, SHELF.terms(SNAKE_EYES), Settings(), strategy, None)
    assert len(list(session.play(throws()))) == 2
    assert len(drawn) == 1


def test_while_the_bets_are_closed_no_rule_is_carried_out() -> None:
    """After Odds the coins are spun again: what is refused at every turn is refused twice in three spins."""
    game = play(TWO_UP, [bet("heads", 500), bet("tails", 150, rule=2, insist=True)], "HT TH HH TT")
    assert game.refused == {(2, "amount_not_in_chips", "4.5"): 2}
    assert [game.standing(turn) for turn in range(4)] == [{"heads": 500}] * 4
    assert game.nets == [0, 0, 0, 500, 0]


def test_bets_are_closed_before_each_throw_where_the_book_closes_them() -> None:
    """A throw with the bets open would have no result in Sic Bo, and would be refused in Two-Up."""
    assert play(SIC_BO, [bet("small", 100)], "112 112").nets == [0, 100, 200]
    assert play(TWO_UP, [bet("heads", 100)], "HH HH").nets == [0, 100, 200]


# Conditions


def test_all_of_when_and_none_of_unless() -> None:
    yes, no = is_(Rolls(), 0), is_(Rolls(), 5)

    def made(when: tuple[Condition, ...], unless: tuple[Condition, ...]) -> bool:
        return play(SNAKE_EYES, [bet("field", 100, when=when, unless=unless)], "").standing(0) != {}

    assert made((), ())
    assert made((yes, yes), (no, no))
    assert not made((yes, no), ())
    assert not made((yes,), (no, yes))


@pytest.mark.parametrize(
    ("comparison", "turns"),
    [
        ("is", {1}),
        ("is not", {0, 2}),
        ("at least", {1, 2}),
        ("at most", {0, 1}),
        ("above", {2}),
        ("below", {0}),
    ],
)
def test_comparisons(comparison: Comparison, turns: set[int]) -> None:
    game = play(SNAKE_EYES, [bet("field", 100, when=(is_(Rolls(), 1, comparison),))], "34 34 34")
    assert game.with_("field") == turns


def test_a_phase_is_in_a_state() -> None:
    on_six = PhaseIs("puck", frozenset({"point 6"}))
    game = play(CRAPS, [bet("field", 100, when=(on_six,)), bet("any_craps", 100, unless=(PUCK_ON,))], "33 22 24 31 34")
    assert game.with_("field") == {1, 2}
    assert game.with_("any_craps") == {0, 3}


def test_the_last_result_is_nothing_before_the_first_throw() -> None:
    sevens = SHELF.book(SNAKE_EYES).outcomes.matching("total 7")
    others = frozenset(range(36)) - sevens
    rules: list[Rule] = [bet("field", 100, when=(ResultIs(sevens),)), bet("six", 100, when=(ResultIs(others),))]
    game = play(SNAKE_EYES, rules, "34 33 61")
    assert game.standing(0) == {}
    assert game.standing(1) == {"field": 100}
    assert game.standing(2) == {"six": 100}


def test_a_count_is_of_spots_with_chips_on_them() -> None:
    comes = tuple(Spot("come", pick) for pick in (None, *POINTS))
    rules: list[Rule] = [
        bet("come", 500, when=(is_(Count(comes), 2, "below"),)),
        bet("field", 100, rule=2, when=(is_(Count(comes), 2),)),
    ]
    game = play(CRAPS, rules, "22 33 54 56 42 11")
    assert game.standing(1) == {"come": 500}
    assert game.standing(2) == {"come 6": 500, "come": 500, "field": 100}  # the six of the first, and another
    assert game.standing(3) == {"come 6": 500, "come 9": 500, "field": 100}
    assert game.standing(5) == {"come 9": 500, "come": 500, "field": 100}  # the 6 has won and come down


def test_rolls_and_shooter_rolls_and_shooters_are_counted() -> None:
    """A seven passes the dice in Snake Eyes: the fourth throw is the second shooter's first."""
    rules: list[Rule] = [
        bet("field", 100, when=(is_(ShooterRolls(), 0),)),
        bet("craps_two", 100, when=(is_(ShooterRolls(), 1),)),
        bet("craps_three", 100, when=(is_(Shooters(), 2),)),
        bet("craps_twelve", 100, when=(is_(Rolls(), 4),)),
        bet("any_seven", 100, when=(is_(Shooters(), 1),)),
    ]
    game = play(SNAKE_EYES, rules, "33 45 61 33 45")
    assert game.with_("field") == {0, 3}
    assert game.with_("craps_two") == {1, 4}
    assert game.with_("craps_three") == {3, 4}
    assert game.with_("craps_twelve") == {4}
    assert game.with_("any_seven") == {0, 1, 2}


def test_the_dice_pass_by_the_phase_before_the_throw_whoever_threw() -> None:
    """A come out seven passes nothing; the seven out of the house, which throws because there is no line wager,
    does."""
    game = play(CRAPS, [bet("field", 100, when=(is_(Shooters(), 1),))], "61 22 43 66")
    assert game.with_("field") == {0, 1, 2}
    assert [event.by for turn in game.turns for event in turn.events if isinstance(event, events.Thrown)] == [None] * 4


def passing(book: str, throws: str = "") -> set[int]:
    """The totals that pass the dice after some throws."""
    view = play(book, [], throws).session.hand.view
    faces = SHELF.book(book).outcomes.all
    return {sum(map(int, fell)) for place, fell in enumerate(faces) if outcome_passes(view, place)}


def test_the_table_says_itself_which_outcomes_pass_the_dice() -> None:
    """Only the phase matters: who throws, and whether anything is wagered, makes no difference."""
    assert passing(CRAPS) == set()
    assert passing(CRAPS, "22") == {7}
    assert passing(CRAPS, "22 34") == set()
    assert passing(SNAKE_EYES) == {7}
    assert passing(SIC_BO) == set()


def test_nobody_shoots_where_the_book_passes_nothing() -> None:
    game = play(TWO_UP, [bet("spinner", 100, "heads", when=(is_(Shooters(), 1),))], "TT TT TT")
    assert game.with_("spinner heads") == {0, 1, 2}


def test_net_is_compared_with_what_the_player_is_up_or_down() -> None:
    game = play(SNAKE_EYES, [bet("six", 100, when=(is_(Net(), -100),)), bet("field", 100)], "33 34", bankroll=1000)
    assert game.with_("six") == {1}  # the Field has lost


def test_the_bankroll_in_a_condition_is_the_chips_in_hand() -> None:
    """20.00 on the 4 cost 1.00 of commission: 79.00 are left in hand, and the player is neither up nor down."""
    rules: list[Rule] = [
        bet("buy", 2000, 4),
        bet("field", 100, when=(is_(Chips(), 7900),)),
        bet("any_craps", 100, when=(is_(Net(), 0),)),
    ]
    game = play(CRAPS, rules, "", bankroll=10000)
    assert game.standing(0) == {"buy 4": 2000, "field": 100, "any_craps": 100}
    assert (game.chips, game.nets) == ([7700], [0])


def test_net_counts_the_commission_on_what_stands_until_it_is_decided() -> None:
    rules: list[Rule] = [bet("lay", 4000, 4), bet("buy", 2000, 10, rule=2, when=(is_(Rolls(), 0),))]
    game = play(CRAPS, rules, "33 64 22", bankroll=100000)
    # Lay 40.00 against the 4 wins 20.00 for 1.00; Buy 20.00 on the 10 wins 40.00 for 1.00.
    assert game.chips[0] == 100000 - 4100 - 2100
    assert game.nets == [0, 0, 4000 - 100, 3900 - 4100]


def test_what_a_take_gives_back_includes_the_commission() -> None:
    down = Take(2, Spot("buy", 4), Guard(when=(is_(Rolls(), 1),)))
    game = play(CRAPS, [bet("buy", 2000, 4, when=(is_(Rolls(), 0),)), down], "33 61", bankroll=5000)
    assert (game.chips[:2], game.nets) == ([2900, 5000], [0, 0, 0])


# Streaks and hits


def test_decisions_in_a_row_losses_before_wins() -> None:
    """By hand, as (won, lost) in a row: 2 0, then with a loss and a win 1 0, 0 2, 0 4, with both again 1 0, 3 0."""
    rules: list[Rule] = [
        bet("small", 100),
        bet("odd", 100),
        *(bet("specific_triple", 100, n, when=(is_(won(SMALL, ODD), n),)) for n in (1, 2, 3)),
        *(bet("specific_double", 100, n, when=(is_(lost(SMALL, ODD), n),)) for n in (1, 2, 4)),
    ]
    game = play(SIC_BO, rules, "122 112 664 664 665 122 111")
    assert [game.with_(f"specific_triple {n}") for n in (1, 2, 3)] == [{2, 5}, {1}, {6}]
    assert [game.with_(f"specific_double {n}") for n in (1, 2, 4)] == [set(), {3}, {4}]


def test_a_wager_that_is_returned_is_no_decision() -> None:
    """Don't Win loses on the 7 and is returned on the 2."""
    dont = Spot("dont_win")
    rules: list[Rule] = [
        bet("dont_win", 500),
        bet("field", 100, when=(is_(lost(dont), 1),)),
        bet("any_craps", 100, when=(is_(won(dont), 0, "above"),)),
    ]
    game = play(CRAPS, rules, "61 11 45")
    assert (game.with_("field"), game.with_("any_craps")) == ({1, 2}, set())


def test_a_streak_outlives_the_shooter() -> None:
    game = play(SNAKE_EYES, [bet("field", 100), bet("six", 100, when=(is_(lost(Spot("field")), 2),))], "34 34 34")
    assert game.with_("six") == {2}


def test_a_wager_that_has_travelled_is_decided_on_its_number() -> None:
    rules: list[Rule] = [
        bet("come", 500, at_most=1),
        bet("field", 100, when=(is_(won(Spot("come", 6)), 1),)),
        bet("craps_two", 100, when=(is_(won(Spot("come")), 1),)),
    ]
    game = play(CRAPS, rules, "22 33 51 34")
    assert (game.standing(1), game.standing(2)) == ({"come": 500}, {"come 6": 500})
    assert (game.with_("field"), game.with_("craps_two")) == ({3}, set())


def test_a_wager_in_its_box_is_decided_there() -> None:
    """The seven wins for the wager in the box and loses for the one on the 6."""
    rules: list[Rule] = [
        bet("come", 500, at_most=2),
        bet("field", 100, when=(is_(lost(Spot("come", 6)), 1),)),
        bet("craps_two", 100, when=(is_(won(Spot("come")), 1),)),
    ]
    game = play(CRAPS, rules, "22 33 34 45")
    assert game.standing(2) == {"come 6": 500, "come": 500}
    assert (game.standing(3), game.nets[3]) == ({"field": 100, "craps_two": 100}, 0)


def test_hits_are_wins_since_the_shooter_began() -> None:
    rules: list[Rule] = [bet("six", 100), bet("craps_two", 100, when=(is_(Hits((Spot("six"),)), 2),))]
    assert play(SNAKE_EYES, rules, "33 33 34 33 33 11").with_("craps_two") == {2, 5}


def test_a_hit_on_the_last_throw_of_a_shooter_is_not_the_next_ones() -> None:
    """The seven out wins for Any Seven and passes the dice; the come out seven before it passes nothing."""
    hit = is_(Hits((Spot("any_seven"),)), 1, "at least")
    assert play(CRAPS, [bet("any_seven", 100), bet("field", 100, when=(hit,))], "34 22 34 45").with_("field") == {1, 2}


def test_hits_are_counted_over_the_session_where_nobody_shoots() -> None:
    rules: list[Rule] = [bet("small", 100), bet("any_triple", 100, when=(is_(Hits((SMALL,)), 2),))]
    assert play(SIC_BO, rules, "112 665 112 665 112 112").with_("any_triple") == {3, 4}


# Progressions


def on_small(win: Move, loss: Move, **more: object) -> Strategy:
    """Small, staked by a progression that its own decisions move."""
    progression = Progression("p", (SMALL,), win, loss, **more)  # type: ignore[arg-type]
    return Strategy("", "", 100, (bet("small", FromProgression(STRAIGHT, 0)),), (progression,))


W, L = "112", "665"  # Small wins, Small loses


@pytest.mark.parametrize(
    ("strategy", "throws", "stakes"),
    [
        (on_small(FIRST, NEXT, steps=(100, 200, 400)), [L, L, L, L, W], [100, 200, 400, 400, 400, 100]),
        (on_small(FIRST, NEXT, steps=(100, 200, 400), at_end="first"), [L, L, L, L], [100, 200, 400, 100, 200]),
        (
            on_small(Move("back", Fraction(2)), NEXT, steps=(100, 200, 300, 400)),
            [L, L, L, W, W],
            [100, 200, 300, 400, 200, 100],
        ),
        (on_small(STAY, NEXT, steps=(100, 200, 300)), [L, W, W, L], [100, 200, 200, 200, 300]),
        (on_small(BACK, STAY, steps=(100, 200)), [L, W, L], [100, 100, 100, 100]),
    ],
    ids=["next, first", "first at the end", "back by two", "stay", "back on the first"],
)
def test_a_progression_goes_along_its_steps(strategy: Strategy, throws: list[str], stakes: list[int]) -> None:
    assert play(SIC_BO, strategy, " ".join([*throws, W])).stakes("small")[:-1] == stakes


def add(cents: int) -> Move:
    return Move("add", Fraction(cents))


@pytest.mark.parametrize(
    ("strategy", "throws", "stakes"),
    [
        (
            on_small(add(-100), add(100), start=200, least=200, most=400),
            [L, L, L, W, W, W],
            [200, 300, 400, 400, 300, 200, 200],
        ),
        (on_small(FIRST, Move("times", Fraction(2)), start=100, most=1000), [L, L, W, L], [100, 200, 400, 100, 200]),
        (on_small(STAY, Move("times", Fraction(3, 2)), start=101, most=1000), [L, L, W], [101, 151, 226, 226]),
        (on_small(Move("add_won"), FIRST, start=100, most=1000), [W, W, L, W], [100, 200, 400, 100, 200]),
        (on_small(Move("add_won", Fraction(1, 2)), STAY, start=101, most=1000), [W, L, W], [101, 151, 151, 226]),
        (on_small(STAY, add(-100), start=300, least=100), [L, L, L], [300, 200, 100, 100]),
    ],
    ids=["add and take away", "double", "times, cut to the cent", "winnings", "half the winnings", "no most"],
)
def test_a_progression_is_an_amount_that_moves(strategy: Strategy, throws: list[str], stakes: list[int]) -> None:
    assert play(SIC_BO, strategy, " ".join([*throws, W]), chip=1).stakes("small")[:-1] == stakes


def on_several(win: Move, loss: Move, *of: Spot, **more: object) -> Strategy:
    """Several wagers of 1.01, and one on the 5 that is staked by a progression they move."""
    rules = [*(bet(spot.wager, 101) for spot in of), bet("single_die", FromProgression(STRAIGHT, 0), 5)]
    progression = Progression("p", of, win, loss, **more)  # type: ignore[arg-type]
    return Strategy("", "", 100, tuple(rules), (progression,))


def test_each_loss_moves_a_progression_before_each_win() -> None:
    """Big and even: three losses and a win on one throw, or two and two."""
    doubled = on_several(FIRST, Move("times", Fraction(2)), SMALL, ODD, EVEN, start=100, most=10000)
    assert play(SIC_BO, doubled, "664 664", chip=1).stakes("single_die 5")[:2] == [100, 100]
    each = on_several(
        Move("times", Fraction(3)), Move("times", Fraction(2)), SMALL, ODD, BIG, EVEN, start=1, most=10000
    )
    assert play(SIC_BO, each, "664 664", chip=1).stakes("single_die 5")[:2] == [1, 1 * 2 * 2 * 3 * 3]


def test_an_amount_stays_between_least_and_most_after_every_move() -> None:
    """Two losses, at most 3.00, then a win: from 1.00 to 3.00, to 3.00, back to 1.00. Two wins stop at 0.50."""
    high = on_several(add(-200), add(200), SMALL, ODD, EVEN, start=100, most=300)
    assert play(SIC_BO, high, "664 664", chip=1).stakes("single_die 5")[:2] == [100, 100]
    low = on_several(add(-200), add(100), BIG, EVEN, start=200, least=50, most=300)
    assert play(SIC_BO, low, "664 665 664", chip=1).stakes("single_die 5")[:3] == [200, 50, 50]


def test_winnings_are_added_up_before_a_share_is_added() -> None:
    """Half of twice 1.01 is 1.01; half of each would be 0.50."""
    halves = on_several(Move("add_won", Fraction(1, 2)), STAY, BIG, EVEN, start=100, most=1000)
    assert play(SIC_BO, halves, "664 664", chip=1).stakes("single_die 5")[:2] == [100, 201]


def test_returned_wagers_move_no_progression() -> None:
    progression = Progression("p", (Spot("dont_win"),), NEXT, NEXT, steps=(500, 600))
    strategy = Strategy("", "", 100, (bet("dont_win", FromProgression(STRAIGHT, 0)),), (progression,))
    assert play(CRAPS, strategy, "11 11 12 11").stakes("dont_win")[:-1] == [500, 500, 500, 600]


@pytest.mark.parametrize(("per_shooter", "then"), [(True, 100), (False, 300)])
def test_a_progression_may_begin_anew_with_each_shooter(per_shooter: bool, then: int) -> None:
    progression = Progression("p", (Spot("field"),), NEXT, NEXT, steps=(100, 200, 300), per_shooter=per_shooter)
    strategy = Strategy("", "", 100, (bet("field", FromProgression(STRAIGHT, 0)),), (progression,))
    assert play(SNAKE_EYES, strategy, "33 33 34 33").stakes("field")[:-1] == [100, 200, 300, then]


@pytest.mark.parametrize(("per_shooter", "then"), [(True, 100), (False, 300)])
def test_an_amount_may_begin_anew_with_each_shooter(per_shooter: bool, then: int) -> None:
    progression = Progression("p", (Spot("field"),), STAY, add(100), start=100, most=300, per_shooter=per_shooter)
    strategy = Strategy("", "", 100, (bet("field", FromProgression(STRAIGHT, 0)),), (progression,))
    assert play(SNAKE_EYES, strategy, "33 33 34 33").stakes("field")[:-1] == [100, 200, 300, then]


def test_progressions_at_two_up() -> None:
    """D'Alembert on Tails: five Odds in a row lose as Heads does; the Odds before them decide nothing."""
    progression = Progression("p", (Spot("tails"),), add(-100), add(100), start=500, most=1000)
    strategy = Strategy("", "", 100, (bet("tails", FromProgression(STRAIGHT, 0)),), (progression,))
    game = play(TWO_UP, strategy, "HH TT HT TH HT TH HT TT")
    assert game.stakes("tails")[:-1] == [500, 600, 500, 500, 500, 500, 500, 600]
    assert game.nets[-1] == -500 + 600 - 500 + 600


# Stopping


@pytest.mark.parametrize(
    ("stop", "throws", "ended", "rolls"),
    [
        (Stop(win=200), "45 45 45", "win", 2),
        (Stop(win=150), "45 45 45", "win", 2),
        (Stop(loss=200), "33 45 33 33 33", "loss", 4),
        (Stop(shooters=2), "33 34 45 34 33", "shooters", 4),
        (Stop(rolls=3), "33 34 45 34", "strategy rolls", 3),
        (Stop(win=100, loss=100, shooters=1, rolls=1), "45 33", "win", 1),
        (Stop(win=100, loss=100, shooters=1, rolls=1), "34 33", "loss", 1),
        (Stop(win=900, loss=900, shooters=1, rolls=1), "34 33", "shooters", 1),
        (Stop(win=900, loss=900, shooters=9, rolls=9), "34 33", None, 2),
    ],
)
def test_reasons_to_stop_in_their_order(stop: Stop, throws: str, ended: str | None, rolls: int) -> None:
    game = play(SNAKE_EYES, Strategy("", "", 100, (bet("field", 100),), stop=stop), throws)
    assert (game.session.ended, game.session.rolls, len(game.turns)) == (ended, rolls, rolls + 1)


def test_a_win_on_the_last_throw_is_a_win() -> None:
    strategy = Strategy("", "", 100, (bet("field", 100),), stop=Stop(win=100))
    assert play(SNAKE_EYES, strategy, "45").session.ended == "win"


def leaving(**stop: int) -> Strategy:
    return Strategy("", "", 100, (bet("six", 500), bet("field", 100, rule=2)), stop=Stop(**stop))  # type: ignore[arg-type]


def test_at_once_what_may_be_taken_down_is_taken_down() -> None:
    game = play(SNAKE_EYES, leaving(rolls=1), "12 33")
    assert (game.session.ended, game.standing(1), game.nets) == ("strategy rolls", {}, [0, 100])


def test_at_once_what_is_locked_is_waited_for() -> None:
    """A Win Line with its point cannot be cashed in at face value; the odds behind it and a Place wager come down."""
    rules = (bet("win_line", 500), bet("behind_win_line", 500, rule=2), bet("place_to_win", 600, rule=3, pick=8))
    strategy = Strategy("", "", 100, rules, stop=Stop(rolls=2))
    game = play(CRAPS, strategy, "33 45 44 33 45")
    assert [game.standing(turn) for turn in (1, 2, 3, 4)] == [
        {"win_line": 500, "behind_win_line": 500, "place_to_win 8": 600},
        {"win_line": 500},
        {"win_line": 500},
        {},
    ]
    assert (game.session.ended, game.session.rolls, game.nets[-1]) == ("strategy rolls", 4, 500)


def test_when_decided_nothing_more_is_bet_and_what_stands_is_played_out() -> None:
    """The first reason remains: it changes nothing that the 6 also brings the win that would end the session."""
    game = play(SNAKE_EYES, leaving(rolls=1, win=600, when_decided=True), "12 45 33 45")
    assert [game.standing(turn) for turn in (1, 2, 3)] == [{"six": 500}, {"six": 500}, {}]
    assert (game.session.ended, game.session.rolls, game.nets) == ("strategy rolls", 3, [0, 100, 100, 600])
    assert game.session.made == {1: 1, 2: 1}


def test_who_leaves_when_decided_is_not_called_back_by_a_later_reason() -> None:
    game = play(SNAKE_EYES, leaving(win=100, loss=400, when_decided=True), "12 34 45")
    assert (game.session.ended, game.session.rolls, game.nets) == ("win", 2, [0, 100, -400])


def test_when_decided_is_at_once_where_nothing_stands() -> None:
    game = play(SNAKE_EYES, leaving(loss=600, when_decided=True), "34 33")
    assert (game.session.ended, game.session.rolls, game.standing(1)) == ("loss", 1, {})


def test_who_is_leaving_may_run_out_of_throws() -> None:
    game = play(SNAKE_EYES, leaving(rolls=1, when_decided=True), "12 45")
    assert (game.session.ended, game.session.rolls, game.standing(2)) == (None, 2, {"six": 500})


# Ruin


def test_who_cannot_bet_before_the_first_throw_is_ruined() -> None:
    game = play(SNAKE_EYES, [bet("field", 500)], "45", bankroll=400)
    assert (game.session.ended, game.session.rolls, len(game.turns)) == ("ruined", 0, 1)
    assert game.refused == {(1, "not_enough_chips", "6.2"): 1}


def test_who_loses_all_is_ruined() -> None:
    game = play(TWO_UP, [bet("heads", 500), bet("tails", 200, rule=2)], "HT TT HH HH", bankroll=900)
    # 9.00: both are bet; Tails come: 5.00 lost, 2.00 won, 6.00 left; 5.00 and no 2.00; Heads: 11.00
    assert game.nets == [0, 0, -300, 200, 200 + 500 - 200]
    assert (game.session.ended, game.refused) == (None, {(2, "not_enough_chips", "4.5"): 1})
    game = play(TWO_UP, [bet("heads", 500), bet("tails", 200, rule=2)], "HT TT TT HH", bankroll=900)
    # Tails again: 5.00 lost, 1.00 left, and neither can be bet
    assert (game.session.ended, game.session.rolls, game.nets[-1]) == ("ruined", 3, -800)
    assert game.refused == {(2, "not_enough_chips", "4.5"): 2, (1, "not_enough_chips", "4.5"): 1}


def test_nobody_is_ruined_while_something_stands() -> None:
    game = play(SNAKE_EYES, [bet("six", 500), bet("field", 500, rule=2)], "45 45 45", bankroll=700)
    assert (game.session.ended, game.refused) == (None, {(2, "not_enough_chips", "6.2"): 3})


def test_who_loses_all_on_the_last_throw_is_ruined_too() -> None:
    assert play(SNAKE_EYES, [bet("field", 500)], "33", bankroll=900).session.ended == "ruined"
    assert play(SNAKE_EYES, [bet("field", 500)], "33", bankroll=1000).session.ended is None
    assert play(SNAKE_EYES, [bet("field", 500)], "45", bankroll=500).session.ended is None


def test_who_leaves_with_too_little_for_any_bet_is_ruined() -> None:
    strategy = Strategy("", "", 100, (bet("field", 500),), stop=Stop(loss=500))
    assert play(SNAKE_EYES, strategy, "33 45", bankroll=900).session.ended == "ruined"
    assert play(SNAKE_EYES, strategy, "33 45", bankroll=1000).session.ended == "loss"


def test_another_refusal_ruins_nobody() -> None:
    game = play(SNAKE_EYES, [bet("field", 150)], "45 45", bankroll=1000)
    assert (game.session.ended, game.refused) == (None, {(1, "amount_not_in_chips", "6.2"): 2})


def test_who_can_pay_for_no_bet_is_ruined_whether_its_moment_has_come_or_not() -> None:
    at_first = (is_(Rolls(), 0),)
    rules: list[Rule] = [bet("six", 500, when=at_first), bet("field", 500, rule=2, when=at_first)]
    game = play(SNAKE_EYES, rules, "34 45 45", bankroll=700)
    assert (game.session.ended, game.session.rolls) == ("ruined", 1)
    assert game.refused == {(2, "not_enough_chips", "6.2"): 1}


def test_who_can_pay_for_another_bet_is_not_ruined() -> None:
    """The Field is too expensive; the 6 waits for a roll that has not come."""
    rules: list[Rule] = [bet("field", 10000), bet("six", 600, rule=2, when=(is_(Rolls(), 9),))]
    game = play(SNAKE_EYES, rules, "45 45", bankroll=6800)
    assert (game.session.ended, game.refused) == (None, {(1, "not_enough_chips", "6.2"): 2})


def test_who_takes_everything_down_is_not_ruined_by_a_bet_refused_before() -> None:
    rules: list[Rule] = [bet("six", 500), bet("field", 1500, rule=2), Take(3, Spot("six"))]
    game = play(SNAKE_EYES, rules, "45 45", bankroll=1500)
    assert (game.session.ended, game.session.rolls) == (None, 2)


@pytest.mark.parametrize(("per_shooter", "ended"), [(True, None), (False, "ruined")])
def test_a_progression_that_begins_anew_with_the_shooter_is_waited_for(per_shooter: bool, ended: str | None) -> None:
    """After a loss the next step is too expensive; a new shooter brings the first one back."""
    spots = (Spot("field"),)
    steps = Progression("p", spots, STAY, Move("next"), steps=(500, 5000), per_shooter=per_shooter)
    strategy = Strategy("", "", 100, (bet("field", FromProgression(Fraction(1), 0)),), (steps,))
    game = play(SNAKE_EYES, strategy, "33 45", bankroll=1500)
    assert (game.session.ended, game.refused[1, "not_enough_chips", "6.2"]) == (ended, 1)


def test_a_bet_above_the_maximum_ruins_nobody() -> None:
    game = play(SNAKE_EYES, [bet("six", 5000)], "45 45", bankroll=1500, limit=Limit(maximum=1000))
    assert (game.session.ended, game.refused) == (None, {(1, "stake_above_maximum", "7.1"): 2})


def test_a_stake_that_comes_to_nothing_ruins() -> None:
    game = play(SNAKE_EYES, [bet("field", ShareOfChips(Fraction(1, 2)))], "33 33 33", bankroll=300)
    # 3.00: half is 1.00 in whole chips; 2.00: 1.00; 1.00: nothing
    assert (game.session.ended, game.session.rolls, game.nets) == ("ruined", 2, [0, -100, -200])
    assert game.refused == {(1, "amount_not_positive", "6.2"): 1}


def test_a_ladder_that_comes_to_nothing_ruins_nobody() -> None:
    down = Progression("p", (Spot("field"),), STAY, Move("add", Fraction(-500)), start=500)
    strategy = Strategy("", "", 100, (bet("field", FromProgression(Fraction(1), 0)),), (down,))
    game = play(SNAKE_EYES, strategy, "33 33", bankroll=2000)
    assert (game.session.ended, game.refused) == (None, {(1, "amount_not_positive", "6.2"): 1})


# A bet: whether it is made


def test_a_wager_that_stands_is_not_made_again() -> None:
    game = play(SNAKE_EYES, [bet("six", 500)], "45 45 33 45")
    assert (game.stakes("six"), game.session.made, game.refused) == ([500] * 5, {1: 2}, {})


def test_a_travelling_wager_is_made_again_once_its_box_is_empty() -> None:
    game = play(CRAPS, [bet("come", 500)], "22 33 45 11")
    assert game.standing(1) == {"come": 500}
    assert game.standing(2) == {"come 6": 500, "come": 500}
    assert game.standing(3) == {"come 6": 500, "come 9": 500, "come": 500}


def test_at_most_so_often_per_shooter() -> None:
    game = play(SNAKE_EYES, [bet("field", 100, at_most=2, per="shooter")], "33 33 33 34 33 33 33")
    assert game.with_("field") == {0, 1, 4, 5}


def test_at_most_so_often_per_session() -> None:
    game = play(SNAKE_EYES, [bet("field", 100, at_most=2, per="session")], "33 34 33 34 33")
    assert (game.with_("field"), game.session.made) == ({0, 1}, {1: 2})


def test_at_most_is_for_each_target_of_a_rule() -> None:
    game = play(SNAKE_EYES, [bet("hardway", 100, pick, at_most=1) for pick in (4, 6)], "34 45")
    assert (game.standing(0), game.standing(1)) == ({"hardway 4": 100, "hardway 6": 100}, {})
    assert game.session.made == {1: 2}


def test_a_refused_bet_is_not_made() -> None:
    game = play(CRAPS, [bet("come", 500, at_most=1, insist=True)], "22 34 22 45")
    assert (game.with_("come"), game.session.made) == ({1}, {1: 1})
    assert game.refused == {(1, "only_after_come_out", "6.2.3"): 1}


def moments(insist: bool) -> dict[str, tuple[str, list[Rule], str, tuple[int, str, str]]]:
    """Bets that the table refuses at this moment, at the turn after these throws: the book, the rules, the refusal."""
    after_one = (is_(Rolls(), 1),)
    return {
        "place": (
            CRAPS,
            [bet("win_line", 500, when=after_one, insist=insist)],
            "22",
            (1, "only_before_come_out", "6.2.1"),
        ),
        "phase": (CRAPS, [bet("behind_win_line", 500, insist=insist)], "", (1, "no_point", "6.2.5")),
        "flat": (CRAPS, [bet("behind_come", 500, 6, insist=insist)], "", (1, "flat_wager_missing", "6.2.7")),
        "first result": (SIC_BO, [bet("super_streak", 1000, "size", insist=insist)], "", (1, "no_result_yet", "6.2")),
        "sole": (
            TWO_UP,
            [bet("spinner", 100, "heads"), bet("spinner", 100, "tails", rule=2, insist=insist)],
            "",
            (2, "declared_already", "4.2"),
        ),
        "locked": (
            TWO_UP,
            [
                bet("spinner", 100, "heads"),
                bet("spinner", 300, "heads", rule=2, adds=True, when=after_one, insist=insist),
            ],
            "HH",
            (2, "wager_locked", "4.6"),
        ),
        "one only": (
            SIC_BO,
            [
                bet("super_streak", 1000, "size"),
                bet("super_streak", 2000, "size", rule=2, adds=True, when=after_one, insist=insist),
            ],
            "112",
            (2, "one_wager_only", "6.7"),
        ),
    }


@pytest.mark.parametrize("name", list(moments(True)))
def test_a_bet_waits_for_its_moment_unless_it_is_to_insist(name: str) -> None:
    book, waiting, throws, refusal = moments(False)[name]
    _, insisting, _, _ = moments(True)[name]
    further = {CRAPS: "45", SIC_BO: "665", TWO_UP: "TT"}[book] if throws else ""
    assert play(book, waiting, f"{throws} {further}").refused == {}
    assert play(book, insisting, f"{throws} {further}").refused == {refusal: 1}


def test_what_is_wrong_at_any_moment_is_refused_without_insisting() -> None:
    rules: list[Rule] = [
        bet("win_line", 500),
        bet("behind_win_line", 1500, rule=2),
        bet("field", 200, rule=3),
        bet("no_such_wager", 500, rule=4),
        bet("hardway", 500, 5, rule=5),
        bet("come", 500, 6, rule=6),
    ]
    game = play(CRAPS, rules, "22 45", limit=Limit(minimum=500))
    assert game.refused == {
        (2, "stake_above_behind_limit", "6.2.5.1"): 1,
        (3, "stake_below_minimum", "7.1"): 2,
        (4, "unknown_wager", "6.2"): 2,
        (5, "pick_unknown", "6.2.9"): 2,
        (6, "pick_not_allowed", "6.2.3"): 2,
    }


@pytest.mark.parametrize("stake", [TimesSpot(STRAIGHT, Spot("dont_win")), Most()], ids=["multiple", "most"])
@pytest.mark.parametrize("less", [False, True], ids=["as it is", "or less"])
def test_who_insists_behind_nothing_hears_of_the_moment(stake: Stake, less: bool) -> None:
    """A wager that has no state to begin in has neither unit nor limit; the table says why it cannot be made."""
    rules: list[Rule] = [bet("dont_win", 500), bet("behind_dont_win", stake, rule=2, insist=True, or_less=less)]
    assert play(CRAPS, rules, "", exact_units=True).refused == {(2, "no_point", "6.2.6"): 1}


@pytest.mark.parametrize("stake", [Fixed(500), Most()], ids=["fixed", "most"])
@pytest.mark.parametrize("less", [False, True], ids=["as it is", "or less"])
def test_who_insists_behind_a_wager_that_is_missing_hears_of_that(stake: Stake, less: bool) -> None:
    assert play(CRAPS, [bet("behind_come", stake, 6, insist=True, or_less=less)], "").refused == {
        (1, "flat_wager_missing", "6.2.7"): 1
    }


def test_what_is_insisted_on_is_rounded_down_all_the_same() -> None:
    """2.50 are nothing where the sign requires units of 5.00."""
    half = TimesSpot(Fraction(1, 2), Spot("win_line"))
    game = play(CRAPS, [bet("win_line", 500), bet("behind_win_line", half, rule=2, insist=True)], "", unit=500)
    assert game.refused == {(2, "amount_not_positive", "6.3"): 1}


def test_adding_above_the_limit_does_not_wait() -> None:
    """At its limit no more may go behind the line, at any moment: that is a refusal."""
    rules: list[Rule] = [
        bet("win_line", 500),
        bet("behind_win_line", 1000, rule=2),
        bet("behind_win_line", 1500, rule=3, adds=True),
    ]
    assert play(CRAPS, rules, "22 45 34").refused == {(3, "stake_above_behind_limit", "6.2.5.1"): 2}


# A bet: how much


def staked(book: str, rule: Bet, throws: str = "", before: tuple[Rule, ...] = (), **table: object) -> int:
    """The stake on the spot of a bet once it has been tried, after these throws, behind what was bet before it."""
    game = play(book, [*before, rule], f"{throws} {'45' if throws else ''}", **table)  # type: ignore[arg-type]
    return game.stakes(selection_name(*rule.spot))[len(throws.split())]


LINE = bet("win_line", 500)


def test_a_fixed_stake_is_tried_as_it_is() -> None:
    game = play(CRAPS, [bet("horn", 500), bet("place_to_win", 500, 6, rule=2)], "", exact_units=True)
    assert game.standing(0) == {}
    assert game.refused == {(1, "amount_not_in_units", "6.2.21"): 1, (2, "amount_not_in_units", "7.1 tail"): 1}


def test_any_other_stake_is_rounded_down_to_what_can_be_laid() -> None:
    def times(factor: int | Fraction) -> TimesSpot:
        return TimesSpot(Fraction(factor), Spot("win_line"))

    assert staked(CRAPS, bet("field", times(Fraction(1, 3))), before=(LINE,), chip=1) == 166
    assert staked(CRAPS, bet("field", times(Fraction(1, 3))), before=(LINE,), chip=50) == 150
    assert staked(CRAPS, bet("horn", times(3)), before=(LINE,)) == 1200
    assert staked(CRAPS, bet("place_to_win", times(2), 6), before=(LINE,)) == 1000
    assert staked(CRAPS, bet("place_to_win", times(2), 6), before=(LINE,), exact_units=True) == 600
    assert staked(CRAPS, bet("place_to_win", times(2), 5), before=(LINE,), exact_units=True) == 1000


def test_a_multiple_is_of_the_stake_without_commission() -> None:
    before = (bet("buy", 2000, 4),)
    assert staked(CRAPS, bet("field", TimesSpot(STRAIGHT, Spot("buy", 4))), before=before, chip=5) == 2000


def test_a_multiple_of_nothing_is_refused() -> None:
    game = play(CRAPS, [bet("field", TimesSpot(Fraction(2), Spot("win_line")))], "45")
    assert game.refused == {(1, "amount_not_positive", "6.3"): 1}
    assert game.session.ended is None


def test_a_share_is_of_the_chips_in_hand() -> None:
    share = ShareOfChips(Fraction(1, 50))
    assert staked(SNAKE_EYES, bet("field", share), bankroll=12345, chip=1) == 246
    assert staked(SNAKE_EYES, bet("field", share), bankroll=12345) == 200
    assert staked(SNAKE_EYES, bet("field", share), before=(bet("six", 5000),), bankroll=15000) == 200


def test_a_multiple_of_a_progression() -> None:
    progression = Progression("p", (SMALL,), STAY, STAY, steps=(101,))
    strategy = Strategy("", "", 100, (bet("small", FromProgression(Fraction(3, 2), 0)),), (progression,))
    assert play(SIC_BO, strategy, "", chip=1).standing(0) == {"small": 151}
    assert play(SIC_BO, strategy, "", chip=100).standing(0) == {"small": 100}


def test_the_most_behind_a_flat_wager() -> None:
    """Double the line; behind the Don't Win, an amount that wins double the line: 20.00 at 1 to 2 against the 4."""
    assert staked(CRAPS, bet("behind_win_line", Most()), "22", (LINE,)) == 1000
    assert staked(CRAPS, bet("behind_dont_win", Most()), "22", (bet("dont_win", 500),)) == 2000
    assert staked(CRAPS, bet("behind_dont_win", Most()), "22", (bet("dont_win", 500),), limit=Limit(500, 1550)) == 1500
    assert staked(CRAPS, bet("behind_dont_win", Most()), "22", (bet("dont_win", 500),), limit=Limit(500, 2500)) == 2000


def test_the_most_by_the_sign() -> None:
    assert staked(CRAPS, bet("place_to_win", Most(), 6), limit=Limit(maximum=2500)) == 2500
    assert staked(CRAPS, bet("place_to_win", Most(), 6), limit=Limit(maximum=2500), exact_units=True) == 2400
    assert staked(CRAPS, bet("field", Most()), before=(LINE,), player_maximum=1200) == 700
    assert staked(CRAPS, bet("hardway", Most(), 4), wager_limits={"hardway 4": Limit(maximum=300)}) == 300


def test_the_most_without_a_limit_is_all_chips_in_hand() -> None:
    assert staked(CRAPS, bet("field", Most()), before=(LINE,), bankroll=1750) == 1200


def test_the_most_of_a_wager_with_one_amount_is_that_amount() -> None:
    def at_first_changeover(**table: object) -> int:
        return play(SIC_BO, [bet("super_streak", Most(), "size")], "112 665", **table).stakes("super_streak size")[1]  # type: ignore[arg-type]

    assert at_first_changeover() == 1000
    assert at_first_changeover(fixed_stakes={"super_streak": 2500}) == 2500
    assert at_first_changeover(limit=Limit(maximum=500)) == 1000


# A bet: or less


def test_or_less_lowers_a_stake_to_what_is_allowed() -> None:
    assert staked(CRAPS, bet("field", 500, or_less=True), limit=Limit(maximum=400)) == 400
    assert staked(CRAPS, bet("field", 500), limit=Limit(maximum=400)) == 0
    assert staked(CRAPS, bet("field", 500, or_less=True), before=(LINE,), player_maximum=800) == 300
    assert staked(CRAPS, bet("behind_win_line", 5000, or_less=True), "22", (LINE,)) == 1000
    assert staked(CRAPS, bet("field", 500, or_less=True), limit=Limit(maximum=600)) == 500


def test_or_less_lowers_a_stake_to_the_chips_in_hand() -> None:
    assert staked(CRAPS, bet("field", 500, or_less=True), bankroll=350) == 300
    assert staked(CRAPS, bet("field", 500), bankroll=350) == 0


def test_or_less_leaves_chips_for_the_commission() -> None:
    """5% cut to the cent: 20.00 cost 21.00, and 0.39 cost 0.40."""
    assert staked(CRAPS, bet("buy", 5000, 4, or_less=True), bankroll=2100) == 2000
    assert staked(CRAPS, bet("buy", 5000, 4, or_less=True), bankroll=2099) == 1900
    assert staked(CRAPS, bet("buy", 5000, 4, or_less=True), bankroll=2099, chip=1) == 1999
    assert staked(CRAPS, bet("buy", 5000, 4, or_less=True), bankroll=40, chip=1) == 39


def test_or_less_rounds_down_in_units() -> None:
    assert staked(CRAPS, bet("place_to_win", 2000, 6, or_less=True), bankroll=1100, exact_units=True) == 600
    assert staked(CRAPS, bet("place_to_win", 700, 6, or_less=True), exact_units=True) == 600
    assert staked(CRAPS, bet("horn", 1000, or_less=True), limit=Limit(maximum=700)) == 400


def test_where_less_would_be_nothing_the_stake_is_tried_unchanged() -> None:
    game = play(CRAPS, [bet("field", 500, or_less=True)], "45", bankroll=50)
    assert (game.session.ended, game.refused) == ("ruined", {(1, "not_enough_chips", "6.3"): 1})
    game = play(CRAPS, [bet("place_to_win", 500, 6, or_less=True)], "45", exact_units=True)
    assert (game.session.ended, game.refused) == (None, {(1, "amount_not_in_units", "7.1 tail"): 1})


def test_where_less_would_be_below_the_minimum_the_stake_is_tried_unchanged() -> None:
    """A player who cannot pay for the smallest permitted wager has run out of money, and does not stay for ever."""
    game = play(CRAPS, [bet("field", 500, or_less=True)], "45", bankroll=400, limit=Limit(minimum=500))
    assert (game.session.ended, game.refused) == ("ruined", {(1, "not_enough_chips", "6.3"): 1})


def test_where_chips_are_missing_a_stake_is_lowered_to_the_maximum_all_the_same() -> None:
    """The reason is then lack of chips, and no other reason is given."""
    rules: list[Rule] = [bet("six", 500), bet("field", 5000, rule=2, or_less=True)]
    game = play(SNAKE_EYES, rules, "45 45", bankroll=500, limit=Limit(maximum=1000))
    assert game.refused == {(2, "not_enough_chips", "6.2"): 2}


def test_a_wager_with_one_amount_is_not_made_for_less() -> None:
    game = play(SIC_BO, [bet("super_streak", 1000, "size", or_less=True)], "112 665", bankroll=500)
    assert (game.session.ended, game.session.rolls) == ("ruined", 0)
    game = play(SIC_BO, [bet("super_streak", 1000, "size", or_less=True)], "112 665", limit=Limit(maximum=500))
    assert game.standing(1) == {"super_streak size": 1000}


# A bet: adding


def test_adding_lays_the_difference() -> None:
    game = play(SNAKE_EYES, [bet("six", 500), bet("six", 800, rule=2, adds=True)], "45 45")
    assert (game.stakes("six"), game.session.made) == ([800, 800, 800], {1: 1, 2: 1})
    laid = [e.amount for turn in game.turns for e in turn.events if isinstance(e, events.WagerPlaced)]
    assert laid == [500, 300]


def test_where_there_is_nothing_to_add_nothing_is_asked() -> None:
    game = play(SNAKE_EYES, [bet("six", 800), bet("six", 500, rule=2, adds=True)], "45 45")
    assert (game.stakes("six"), game.session.made, game.refused) == ([800, 800, 800], {1: 1}, {})


def test_adding_makes_a_wager_that_does_not_stand() -> None:
    assert play(SNAKE_EYES, [bet("six", 800, adds=True)], "").standing(0) == {"six": 800}


def test_pressing_after_hits() -> None:
    """A 6 of 6.00 pays 7.00 and is made again for 12.00, because it has won once since the shooter began."""
    six = Spot("place_to_win", 6)
    rules: list[Rule] = [
        bet("place_to_win", 600, 6, when=(PUCK_ON,)),
        bet("place_to_win", 1200, 6, rule=2, adds=True, when=(is_(Hits((six,)), 1, "at least"),)),
    ]
    game = play(CRAPS, rules, "44 33 51 34 45")
    assert game.stakes("place_to_win 6") == [0, 600, 1200, 1200, 0, 0]
    assert game.nets == [0, 0, 700, 700 + 1400, 2100 - 1200, 900]


def test_adding_no_more_than_the_chips_in_hand_pay_for() -> None:
    six = (bet("place_to_win", 500, 6),)
    more = bet("place_to_win", 1000, 6, rule=2, adds=True, or_less=True)
    assert staked(CRAPS, more, before=six, bankroll=800) == 800
    assert staked(CRAPS, more, before=six, bankroll=500) == 500  # nothing to add
    bought = play(CRAPS, [bet("buy", 1000, 4), bet("buy", 5000, 4, rule=2, adds=True, or_less=True)], "", bankroll=2000)
    # 10.00 and 0.50, then of 9.50 in hand 9.00 and 0.45
    assert (bought.standing(0), bought.chips, bought.nets) == ({"buy 4": 1900}, [5], [0])


# Taking and calling


def test_a_wager_is_taken_down() -> None:
    down = Take(2, Spot("six"), Guard(when=(is_(Rolls(), 1),)))
    game = play(SNAKE_EYES, [bet("six", 500, at_most=1), down], "45 34")
    assert (game.stakes("six"), game.nets, game.session.made) == ([500, 0, 0], [0, 0, 0], {1: 1, 2: 1})


def test_a_wager_is_reduced_to_what_is_left() -> None:
    game = play(SNAKE_EYES, [bet("six", 1000), Take(2, Spot("six"), leave=400)], "45 45 33")
    assert (game.stakes("six"), game.nets) == ([400, 400, 400, 0], [0, 0, 0, 400])
    assert (game.session.made, game.refused) == ({1: 1, 2: 1}, {})


def test_a_single_cent_is_taken_or_added() -> None:
    assert play(SNAKE_EYES, [bet("six", 401), Take(2, Spot("six"), leave=400)], "", chip=1).stakes("six") == [400]
    assert play(SNAKE_EYES, [bet("six", 400), bet("six", 401, adds=True)], "", chip=1).stakes("six") == [401]
    assert staked(SNAKE_EYES, bet("field", 500, or_less=True), bankroll=1, chip=1) == 1


def test_nothing_is_taken_where_nothing_or_no_more_stands() -> None:
    rules: list[Rule] = [Take(1, Spot("field")), bet("six", 400), Take(2, Spot("six"), leave=400)]
    game = play(SNAKE_EYES, rules, "45 45")
    assert (game.standing(0), game.session.made, game.refused) == ({"six": 400}, {1: 1}, {})


def test_what_may_not_be_taken_is_refused_and_counted() -> None:
    game = play(CRAPS, [bet("win_line", 500, at_most=1), Take(2, Spot("win_line"), Guard((PUCK_ON,)))], "22 45 45")
    assert (game.standing(2), game.refused) == ({"win_line": 500}, {(2, "wager_locked", "6.5"): 2})


def test_a_reduction_that_cannot_be_made_is_refused() -> None:
    game = play(SNAKE_EYES, [bet("six", 1000), Take(2, Spot("six"), leave=300)], "", limit=Limit(minimum=500))
    assert (game.standing(0), game.refused) == ({"six": 1000}, {(2, "stake_below_minimum", "7.1"): 1})


def test_one_that_has_travelled_is_taken_by_its_number() -> None:
    rules: list[Rule] = [bet("dont_come", 500), Take(2, Spot("dont_come", 6))]
    game = play(CRAPS, rules, "22 33 45 45")
    assert (game.standing(2), game.standing(3)) == ({"dont_come": 500}, {"dont_come 9": 500, "dont_come": 500})
    assert (game.session.made, game.refused) == ({1: 3, 2: 1}, {})


def test_a_wager_called_off_does_not_act() -> None:
    rules: list[Rule] = [bet("place_to_win", 600, 6), Call(2, Spot("place_to_win", 6), on=False)]
    game = play(CRAPS, rules, "44 34 33 66")
    assert (game.stakes("place_to_win 6"), game.nets) == ([600] * 5, [0] * 5)
    assert (game.session.made, game.refused) == ({1: 1, 2: 1}, {})  # it is called once


def test_a_wager_called_on_acts_when_it_would_sleep() -> None:
    rules: list[Rule] = [bet("place_to_win", 600, 6), Call(2, Spot("place_to_win", 6), on=True)]
    assert play(CRAPS, rules, "34").nets == [0, -600]
    assert play(CRAPS, rules[:1], "34").nets == [0, 0]


def test_a_call_is_made_again_the_other_way() -> None:
    six = Spot("place_to_win", 6)
    at_first = Guard(when=(is_(Rolls(), 0),))
    later = Guard(when=(is_(Rolls(), 0, "above"),))
    game = play(CRAPS, [bet("place_to_win", 600, 6), Call(2, six, False, at_first), Call(3, six, True, later)], "44 34")
    assert (game.nets, game.session.made) == ([0, 0, -600], {1: 1, 2: 1, 3: 1})


def test_nothing_is_called_where_nothing_stands_and_what_cannot_be_called_is_refused() -> None:
    rules: list[Rule] = [
        Call(1, Spot("hardway", 4), True),
        bet("win_line", 500, rule=2),
        Call(3, Spot("win_line"), True),
    ]
    game = play(CRAPS, rules, "22 45")
    assert (game.refused, game.session.made) == ({(3, "cannot_be_called", "6.7.2"): 2}, {2: 1})


def test_taking_ruins_nobody() -> None:
    """Only a bet that could not be made ruins: not one that was taken down, nor a reduction by nothing."""

    def strategy(seat: Seat) -> None:
        seat.bet("six", "1.00")
        assert not seat.take("six", amount="0.00")
        assert seat.take("six")

    game = play(SNAKE_EYES, strategy, "45 45", bankroll=100)
    assert (game.session.ended, game.nets, game.refused) == (None, [0, 0, 0], {(0, "amount_not_positive", None): 2})


# Other games, whole


def test_the_spinners_bet() -> None:
    """Three Heads before Tails, with Odds in between, pay 7.5 to 1; five Odds in a row lose."""
    game = play(TWO_UP, [bet("spinner", 200, "heads")], "HH HT HH TH HH HT HT HT HT HT TT")
    assert game.nets == [0, 0, 0, 0, 0, 1500, 1500, 1500, 1500, 1500, 1300, 1100]


def test_super_streak_is_made_at_each_changeover() -> None:
    """Small, then big: the line is on big, and four more of them pay 6 to 1 when small comes."""
    game = play(SIC_BO, [bet("super_streak", Most(), "size")], "112 665 665 665 665 665 112 112")
    assert game.with_("super_streak size") == {1, 2, 3, 4, 5, 6, 7, 8}
    # the first, made on small, is lost with the changeover to big; a new one is made on big
    assert game.nets == [0, 0, -1000, -1000, -1000, -1000, -1000, 5000, 5000]


def test_a_hardway_in_both_books() -> None:
    for book, odds in ((SNAKE_EYES, Fraction(19, 2)), (SNAKE_EYES_NZ, Fraction(9))):
        assert play(book, [bet("hardway", 200, 6)], "45 33 42").nets == [0, 0, 200 * odds, 200 * odds - 200]


def test_a_win_is_rounded_up_to_the_chip() -> None:
    assert play(SNAKE_EYES, [bet("hardway", 100, 6)], "33").nets == [0, 1000]  # 9.50 in whole chips


# Python


def test_a_function_sees_the_table_and_acts() -> None:
    seen: list[tuple[Any, ...]] = []

    def strategy(seat: Seat) -> None:
        seen.append((seat.rolls, seat.shooter_rolls, seat.shooters, seat.chips_cents, seat.net_cents, seat.last_result))
        seen.append((seat.phase("puck"), seat.shown("puck"), seat.stake_cents("come", 6), seat.stakes_cents))
        if seat.shown("puck") is None:
            assert seat.bet("win_line", "5.00")
        elif not seat.stake_cents("come"):
            assert seat.bet("come", seat.money(500))

    game = play(CRAPS, strategy, "44 33 34 22", bankroll=10000)
    assert seen[0::2] == [
        (0, 0, 1, 10000, 0, None),
        (1, 1, 1, 9500, 0, (4, 4)),
        (2, 2, 1, 9000, 0, (3, 3)),
        (3, 0, 2, 9500, -500, (3, 4)),  # line and Come on the 6 lost, the Come in its box won
    ]
    assert seen[1::2] == [
        ("come out", None, 0, {}),
        ("point 8", 8, 0, {Spot("win_line"): 500}),
        ("point 8", 8, 500, {Spot("win_line"): 500, Spot("come", 6): 500}),
        ("come out", None, 0, {}),
    ]
    assert (game.session.made, game.refused, game.session.ended) == ({0: 4}, {}, None)


def test_what_a_function_is_refused_is_counted_under_rule_0() -> None:
    answers: list[bool] = []

    def strategy(seat: Seat) -> None:
        answers.append(seat.bet("place_to_win", "6.00", pick=6))
        answers.append(seat.call("place_to_win", False, pick=6))
        answers.append(seat.take("place_to_win", pick=6, amount="2.00"))
        answers.append(seat.take("place_to_win", pick=6, amount="9.00"))
        answers.append(seat.take("place_to_win", pick=6))
        answers.append(seat.take("place_to_win", pick=6))
        answers.append(seat.bet("come", "5.00"))
        answers.append(seat.bet("nothing_of_the_kind", "5.00"))

    game = play(CRAPS, strategy, "", bankroll=1000)
    assert answers == [True, True, True, False, True, False, False, False]
    assert game.session.made == {0: 4}
    assert game.session.refused == {
        Refused(0, "amount_above_stake", None): 1,
        Refused(0, "no_such_wager", None): 1,
        Refused(0, "only_after_come_out", "6.2.3"): 1,
        Refused(0, "unknown_wager", "6.2"): 1,
    }
    assert (game.chips, game.nets) == ([1000], [0])


def test_a_function_knows_what_was_won_and_lost_in_a_row() -> None:
    seen: list[tuple[int, int, int]] = []

    def strategy(seat: Seat) -> None:
        seen.append((seat.wins("combination", [2, 1]), seat.losses("combination", (1, 2)), seat.wins("small")))
        seat.bet("combination", "1.00", pick=[2, 1])

    play(SIC_BO, strategy, "123 124 665 664 111")
    assert seen == [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 2, 0)]


def test_a_function_is_not_called_while_the_bets_are_closed() -> None:
    called: list[int] = []
    play(TWO_UP, lambda seat: called.append(seat.rolls), "HT TH HH TT")
    assert called == [0, 3]


def test_a_function_may_leave() -> None:
    """Open wagers are taken down; what the function tries after that is neither done nor counted."""

    def strategy(seat: Seat) -> None:
        seat.bet("six", "5.00")
        if seat.rolls == 1:
            seat.leave()
            assert not seat.bet("field", "5.00")
            assert not seat.bet("field", "1.50")

    game = play(SNAKE_EYES, strategy, "45 45 45")
    assert (game.session.ended, game.session.rolls, game.standing(1)) == ("left", 1, {})
    assert (game.refused, game.session.made, game.nets) == ({}, {0: 2}, [0, 0])


def test_who_leaves_is_not_ruined() -> None:
    def strategy(seat: Seat) -> None:
        seat.bet("field", "5.00")
        seat.leave()

    assert play(SNAKE_EYES, strategy, "33", bankroll=100).session.ended == "left"


def test_a_function_without_chips_is_ruined() -> None:
    def strategy(seat: Seat) -> None:
        seat.bet("field", "5.00")

    game = play(SNAKE_EYES, strategy, "33 33 33", bankroll=1000)
    assert (game.session.ended, game.session.rolls) == ("ruined", 2)


class Doubling:
    """A strategy with a memory: it doubles its last bet."""

    def __init__(self) -> None:
        self.cents = 50

    def __call__(self, seat: Seat) -> None:
        self.cents *= 2
        seat.bet("field", seat.money(self.cents))


class Maker:
    """Creates a separate strategy for each session."""

    def session(self) -> Doubling:
        return Doubling()


@pytest.mark.parametrize("player", [Doubling, Maker(), Maker], ids=["class", "factory", "class of factories"])
def test_each_session_has_a_fresh_strategy(player: AnyPlayer) -> None:
    for _ in range(2):
        assert play(SNAKE_EYES, player, "33 33 33").nets == [0, -100, -300, -700]


def test_one_object_goes_on_from_session_to_session() -> None:
    player = Doubling()
    assert play(SNAKE_EYES, player, "33").nets == [0, -100]
    assert play(SNAKE_EYES, player, "33").nets == [0, -200]


def test_a_fault_in_a_function_is_not_hidden() -> None:
    def strategy(seat: Seat) -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        play(SNAKE_EYES, strategy, "33")


@pytest.mark.parametrize("amount", ["5", 5, 500, 5.0, True, None])
def test_an_amount_is_money_as_text(amount: object) -> None:
    """An unquoted 5 would be five cents to one reader and five dollars to the next."""

    def bets(seat: Seat) -> None:
        seat.bet("field", amount)  # type: ignore[arg-type]

    def takes(seat: Seat) -> None:
        seat.bet("six", "5.00")
        seat.take("six", amount=amount or 0)  # type: ignore[arg-type]

    for strategy in (bets, takes):
        with pytest.raises(MoneyError, match=r'An amount is a text such as "10\.00", not|"5" is not an amount'):
            play(SNAKE_EYES, strategy, "33")


@pytest.mark.parametrize(("cents", "text"), [(0, "0.00"), (5, "0.05"), (1250, "12.50"), (10**15, "10000000000000.00")])
def test_cents_become_the_text_in_which_amounts_go_in(cents: int, text: str) -> None:
    assert Seat.money(cents) == text
    assert parse_cents(text) == cents
    assert Seat.money(np.int64(cents)) == text  # type: ignore[arg-type]


def test_parts_of_a_cent_are_no_money() -> None:
    with pytest.raises(MoneyError, match=r"Cents must be a whole number, not 7\.5"):
        Seat.money(7.5)  # type: ignore[arg-type]


ASKED: list[tuple[Callable[[Seat], object], str]] = [
    (lambda seat: seat.stake_cents("win_lin"), 'The book has no wager called "win_lin"; closest match: win_line'),
    (lambda seat: seat.wins("place_to_win", 7), "Place Bet to Win cannot be made on that"),
    (lambda seat: seat.losses("place_to_win"), "Place Bet to Win needs a pick"),
    (lambda seat: seat.stake_cents("come", 7), 'Come does not travel to "7"'),
    (lambda seat: seat.phase("puk"), 'The book has no phase "puk"; closest match: puck'),
    (lambda seat: seat.shown("puk"), 'The book has no phase "puk"'),
    (lambda seat: seat.chips_cents, "needs a bankroll"),
]


@pytest.mark.parametrize(("ask", "said"), ASKED, ids=[said for _, said in ASKED])
def test_what_is_asked_of_nothing_has_no_answer(ask: Callable[[Seat], object], said: str) -> None:
    """A misspelt word would otherwise be 0 for ever, and unlimited chips are not a number."""

    def strategy(seat: Seat) -> None:
        ask(seat)

    with pytest.raises(Impossible, match=re.escape(said)):
        play(CRAPS, strategy, "34")


# No cent is made or lost


def busy(book: str) -> Strategy:
    """Everything that the book offers, made, called, reduced and taken down in turn."""
    rules: list[Rule] = []
    for wager in SHELF.book(book).rules.wagers:
        for pick in SHELF.book(book).picks(wager):
            spot = Spot(wager.id, pick)
            rules.append(Bet(1, spot, Most() if wager.fixed_stake else Fixed(2500), or_less=True))
            rules.append(Take(2, spot, Guard((is_(lost(spot), 2),)), leave=1000))
            rules.append(Take(3, spot, Guard((is_(won(spot), 2),))))
            rules.append(Call(4, spot, True, Guard((is_(lost(spot), 1),))))
    return Strategy("", "", 100, tuple(rules))


@pytest.mark.parametrize("book", BOOKS)
@given(data=st.data())
def test_no_cent_is_made_or_lost(book: str, data: st.DataObject) -> None:
    last = len(SHELF.book(book).outcomes) - 1
    thrown = data.draw(st.lists(st.integers(0, last), min_size=1, max_size=12))
    bankroll = data.draw(st.sampled_from([5_000, 50_000, 200_000]))
    session = Session(SHELF, SHELF.terms(book), Settings(), busy(book), bankroll)
    ledger = Ledger()
    for turn in session.play(thrown):
        ledger.post(turn.events)
        assert ledger.total == 0
        assert ledger.balances[PURSE] == -bankroll
        assert ledger.balances[hand(PLAYER)] == turn.chips >= 0
        assert ledger.balances[LAYOUT] == sum(turn.standing.values())
        on_what_stands = sum(stake.commission for _, _, stake in session.hand.state.wagers())
        assert turn.net == -ledger.balances[FLOAT] - ledger.balances[COMMISSION] + on_what_stands
