"""Exact sessions compared with every sequence of throws, counted by brute force and played over the engine."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.maths.plan import Lot, Plan, read_lots
from croupier.maths.session import Fate, PlanSession, ruin_or_target, session
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from tests.brute import sessions as brute
from tests.brute.rounding import UNITS
from tests.brute.wagers import Row, display_in_full, rows
from tests.planned import Player
from tests.tables import BOOKS, SHELF

F = Fraction
CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS
CHIP = 100
THROWS = {CRAPS: 3, SIC_BO: 2, TWO_UP: 6, SNAKE_EYES: 3, SNAKE_EYES_NZ: 3}


def game_of(book: str, pay_table: object = None) -> Game:
    return SHELF.game(SHELF.terms(book, pay_table))


def plan_of(book: str, *words: str) -> Plan:
    game = game_of(book)
    return Plan(game, read_lots(game, words, CHIP), CHIP)


# -- every wager and pick, by brute force -----------------------------------------------------------------------------


def wagers() -> list[Row]:
    """Every wager, pick and approved pay-table value; a Behind wager on the line has no pick of its own."""
    found = []
    for row in rows():
        on_the_line = row.wager in ("behind_win_line", "behind_dont_win")
        found.append(row._replace(pick=None) if on_the_line else row)
    return list(dict.fromkeys(found))


def name(row: Row) -> str:
    return " ".join(str(part) for part in row if part is not None)


def counted(row: Row) -> tuple[Plan, brute.Game]:
    """Twice the same plan. A chip of seven makes rounding happen wherever it can; some wagers require multiples."""
    stake = CHIP * (UNITS.get(row.wager, 7))
    bets = brute.plan_for(row.wager, row.pick, stake, stake)
    plan = Plan(
        game_of(row.book, display_in_full(row)), tuple(Lot(bet.wager, bet.stake, bet.pick) for bet in bets), CHIP
    )
    return plan, brute.Game(row.book, bets, CHIP, row.pay_table)


@pytest.mark.parametrize("row", wagers(), ids=name)
def test_sessions_of_every_wager_equal_full_enumeration(row: Row) -> None:
    plan, game = counted(row)
    throws = THROWS[row.book]
    outlook = session(plan, throws)
    assert outlook.ways == brute.session(game, throws)
    assert outlook.all_ways == plan.outcomes**throws


def one_of_each() -> list[Row]:
    """One pick of every wager: picks make no more difference to ruin than to a session."""
    return list({(row.book, row.wager): row for row in reversed(wagers())}.values())


@pytest.mark.parametrize("row", one_of_each(), ids=name)
def test_ruin_and_target_of_every_wager_equal_full_enumeration(row: Row) -> None:
    """Money for less than three stakes, and a target that the smallest win reaches."""
    plan, game = counted(row)
    stake = int(plan.lots[-1].stake)
    bankroll, target = 2 * stake + 50, 2 * stake + 150
    throws = THROWS[row.book]
    outlook, fates = session(plan, throws, bankroll, target), brute.ruin(game, throws, bankroll, target)
    assert (outlook.ruined, outlook.reached) == (fates.ruined, fates.reached)
    assert outlook.results == fates.results


PLANS = [
    (CRAPS, 4, ("win_line 7.00", "behind_win_line 14.00")),
    (CRAPS, 4, ("dont_win 7.00", "behind_dont_win 7.00", "place_to_win 6 5.00")),
    (CRAPS, 4, ("come 7.00", "behind_come 14.00")),
    (CRAPS, 4, ("behind_dont_come 7.00", "dont_come 7.00", "win_line 3.00")),
    (CRAPS, 3, ("field 5.00", "place_to_win 5 5.00", "place_to_win 6 6.00", "place_to_win 8 6.00")),
    (CRAPS, 3, ("buy 4 20.00", "lay 10 41.00", "hardway 8 3.00", "horn 4.00")),
    (SIC_BO, 3, ("super_streak size 10.00", "super_streak parity 10.00", "small 3.00")),
    (TWO_UP, 7, ("spinner tails 3.00", "heads 5.00", "tails 1.00")),
    (SNAKE_EYES, 3, ("hardway_combo 3.00", "hardway 6 5.00", "field 2.00", "ce_combo 7.00")),
    (SNAKE_EYES_NZ, 3, ("hardway_combo 3.00", "hardway 10 5.00", "five 2.00")),
]


def brute_plan(plan: Plan) -> brute.Game:
    bets = tuple(brute.Bet(lot.wager, lot.pick, int(lot.stake)) for lot in plan.lots)
    default = "one" if plan.game.book.id == SNAKE_EYES else None
    return brute.Game(plan.game.book.id, bets, CHIP, default)


@pytest.mark.parametrize(("book", "throws", "words"), PLANS)
def test_sessions_of_several_wagers_equal_full_enumeration(book: str, throws: int, words: tuple[str, ...]) -> None:
    plan = plan_of(book, *words)
    assert session(plan, throws).ways == brute.session_by_classes(brute_plan(plan), throws)


# -- the table settles, the analysis predicts -------------------------------------------------------------------------


PLAYED = [(book, 5 if book == TWO_UP else 2 if book == SIC_BO else 3, words) for book, _, words in PLANS]


@pytest.mark.parametrize(("book", "throws", "words"), PLAYED)
def test_the_table_settles_what_a_session_predicts(book: str, throws: int, words: tuple[str, ...]) -> None:
    plan = plan_of(book, *words)
    assert session(plan, throws).ways == Player(plan).play_all(throws)


# -- ruin or target, however long it takes ----------------------------------------------------------------------------


def ruin_chance(p_win: Fraction, units: int, target: int) -> Fraction:
    """The probability of ruin of a gambler who wins or loses one unit at a time, as in every textbook."""
    ratio = (1 - p_win) / p_win
    return (ratio**target - ratio**units) / (ratio**target - 1)


@pytest.mark.parametrize(
    ("book", "words", "p_win", "rolls"),
    [
        (CRAPS, "win_line 10.00", F(244, 495), F(557, 165)),
        (CRAPS, "big_6 10.00", F(5, 11), F(36, 11)),
        (SIC_BO, "small 10.00", F(35, 72), F(1)),
        (TWO_UP, "heads 10.00", F(31, 64), F(31, 16)),
    ],
)
def test_even_money_ruins_as_a_gambler_is_ruined(book: str, words: str, p_win: Fraction, rolls: Fraction) -> None:
    fate = ruin_or_target(plan_of(book, words), 3000, 7000)
    ruined = ruin_chance(p_win, 3, 7)
    assert (fate.ruined, fate.reached) == (ruined, 1 - ruined)
    decisions = (3 - 7 * (1 - ruined)) / (1 - 2 * p_win)
    assert fate.throws == decisions * rolls


def test_money_that_covers_no_stake_is_ruin_and_the_rest_is_kept() -> None:
    """With 35.00 the last 5.00 cannot be staked: the same as 30.00, and a target of 70.00 is four wins away."""
    plan = plan_of(CRAPS, "win_line 10.00")
    assert ruin_or_target(plan, 3500, 7000).ruined == ruin_chance(F(244, 495), 3, 7)
    assert ruin_or_target(plan, 900, 7000) == Fate(F(1), F(0), F(0))


def test_a_long_session_comes_to_ruin_or_target_in_the_end() -> None:
    plan = plan_of(CRAPS, "win_line 10.00", "behind_win_line 20.00")
    fate = ruin_or_target(plan, 6000, 10_000)
    outlooks = list(PlanSession(plan, 200, 6000, 10_000).outlooks([50, 100, 200]))
    assert outlooks[0].ruined < outlooks[1].ruined < outlooks[2].ruined < fate.ruined
    assert outlooks[2].reached < fate.reached
    assert fate.ruined + fate.reached == 1
    assert 1 - outlooks[2].ruined - outlooks[2].reached < F(1, 500)


def test_too_much_money_for_the_stake_is_refused_at_once() -> None:
    with pytest.raises(Impossible, match="give a number of rolls"):
        ruin_or_target(plan_of(CRAPS, "win_line 1.00", "behind_win_line 2.00"), 10**6, 2 * 10**6)


# -- what a session tells ---------------------------------------------------------------------------------------------


def test_the_shares_of_a_session_are_those_of_its_results() -> None:
    outlook = session(plan_of(CRAPS, "any_seven 5.00"), 2)
    assert outlook.ways == {-1000: 30**2, 1500: 2 * 30 * 6, 4000: 6**2}
    assert [outlook.quantile(share) for share in (F(1, 100), F(25, 36), F(251, 360), F(35, 36), F(1))] == [
        -1000,
        -1000,
        1500,
        1500,
        4000,
    ]
    assert (outlook.chance(1), outlook.chance(1501)) == (F(11, 36), F(1, 36))
    assert outlook.moments.mean == 2 * F(-500, 6)
    assert outlook.moments.variance == 2 * 500**2 * 25 * F(5, 36)


def test_a_session_tells_of_every_throw() -> None:
    heard: list[int] = []
    session(plan_of(SIC_BO, "small 10.00"), 5, on_throw=heard.append)
    assert heard == [1, 2, 3, 4, 5]


def test_the_mean_of_a_long_session_is_the_edge_of_what_was_decided() -> None:
    """One-roll wagers lose their edge on every throw: 1/18 of 5.00 on the Field, 1/36 of 10.00 on Small."""
    assert session(plan_of(CRAPS, "field 5.00"), 60).moments.mean == 60 * F(-500, 18)
    assert session(plan_of(SIC_BO, "small 10.00"), 60).moments.mean == 60 * F(-1000, 36)


@pytest.mark.parametrize("throws", [100_000, 10**7])
@pytest.mark.parametrize("bankroll", [None, 50_000])
def test_absurd_sessions_are_refused_at_once(throws: int, bankroll: int | None) -> None:
    with pytest.raises(Impossible) as refused:
        session(plan_of(CRAPS, "win_line 10.00", "behind_win_line 20.00"), throws, bankroll)
    assert refused.value.code == "too_many_throws"
    most = int("".join(filter(str.isdigit, refused.value.sentence)))
    assert 300 < most < 1500


def test_how_much_can_be_counted_out_depends_on_the_results_there_are() -> None:
    small, streak = plan_of(SIC_BO, "small 10.00"), plan_of(SIC_BO, "super_streak size 10.00")
    assert PlanSession(small, 1000).most_throws(10**9) > PlanSession(streak, 300).most_throws(10**9) > 50
