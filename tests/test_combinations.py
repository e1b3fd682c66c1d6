"""Wagers held together: published figures, enumeration by hand, and two ways to compute the same moments."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from croupier.maths import plan as plans
from croupier.maths.combination import (
    LongRun,
    PlanDecision,
    Steps,
    Together,
    correlation,
    correlation_squared,
    per_decision,
    per_throw,
    settled,
)
from croupier.maths.figures import Lives, valued
from croupier.maths.plan import Lot, Plan, read_lots
from croupier.maths.session import PlanSession
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from tests.brute import craps, sic_bo
from tests.brute.lives import End, Life, endings
from tests.tables import BOOKS, SHELF

F = Fraction
CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS


def game_of(book: str, *readings: str) -> Game:
    return SHELF.game(SHELF.terms(book, None, readings))


def once(game: Game, *lots: Lot) -> PlanDecision:
    return per_decision(Plan(game, lots, again=False))


def ever(game: Game, *lots: Lot) -> LongRun:
    return per_throw(Plan(game, lots))


LINE = (Lot("win_line", F(1)), Lot("behind_win_line", F(2)))
COME = (Lot("come", F(1)), Lot("behind_come", F(2)))
HORN = (Lot("horn", F(4)), Lot("any_seven", F(1)))
IRON_CROSS = (
    Lot("field", F(5)),
    Lot("place_to_win", F(5), 5),
    Lot("place_to_win", F(6), 6),
    Lot("place_to_win", F(6), 8),
)


# -- line and Come with double Behind ---------------------------------------------------------------------------------


def test_win_line_with_double_behind() -> None:
    """Edge 7/495 of the flat wager and 1/165 of all money put down: the Behind wager is fair."""
    held = once(game_of(CRAPS), *LINE)
    assert held.joint.moments.mean == F(-7, 495)
    assert held.made == (F(1), F(2, 3))
    assert held.staked == held.outlay == 1 + 2 * F(2, 3)
    assert held.edge == F(1, 165)
    assert held.throws == F(557, 165)
    assert held.joint.profit == F(244, 495)
    assert held.joint.moments.variance == F(2001236, 245025)


def test_win_line_with_double_behind_result_by_result() -> None:
    """Come out: 8/36 and 4/36. Then each point by its number of ways against the six ways of a 7."""
    won = {F(12, 5): 2 * F(5, 36) * F(5, 11), F(3): 2 * F(4, 36) * F(4, 10), F(4): 2 * F(3, 36) * F(3, 9)}
    lost = 2 * (F(5, 36) * F(6, 11) + F(4, 36) * F(6, 10) + F(3, 36) * F(6, 9))
    wanted: dict[Together, Fraction] = {(1, None): F(8, 36), (-1, None): F(4, 36), (-1, -2): lost}
    wanted |= {(1, behind): chance for behind, chance in won.items()}
    held = once(game_of(CRAPS), *LINE)
    assert held.joint.chances == wanted
    total = {F(-3): lost, F(-1): F(1, 9), F(1): F(2, 9)}
    assert held.joint.total == total | {1 + behind: chance for behind, chance in won.items()}


@pytest.mark.parametrize(
    ("readings", "variance"),
    [((), F(1340680424667662, 193115524370175)), (("CR-9 decided with the Come",), F(2001236, 245025))],
)
def test_come_with_double_behind_under_both_readings(readings: tuple[str, ...], variance: Fraction) -> None:
    held = once(game_of(CRAPS, *readings), *COME)
    assert held.joint.moments.mean == F(-7, 495)
    assert held.joint.moments.variance == variance
    assert held.edge == F(1, 165)


@pytest.mark.parametrize("returned", [True, False])
def test_come_with_double_behind_by_brute_force(returned: bool) -> None:
    """The distribution of the total, from every point that may have been thrown."""
    life = craps.come_with_double(returned)
    wanted: dict[Fraction, Fraction] = {}
    for start, chance in craps.come_starts().items():
        for end, share in endings(life, start)[0].items():
            assert isinstance(end, End)
            wanted[end.net] = wanted.get(end.net, F(0)) + chance * share
    readings = () if returned else ("CR-9 decided with the Come",)
    assert once(game_of(CRAPS, *readings), *COME).joint.total == wanted


# -- one-roll wagers: every throw by itself ---------------------------------------------------------------------------


def counted(lives: list[tuple[Life, Fraction]]) -> dict[tuple[Fraction, ...], Fraction]:
    """The joint distribution of wagers that one throw decides, by trying all throws."""
    throws = lives[0][0].throws
    ways: Counter[tuple[Fraction, ...]] = Counter()
    for thrown in throws:
        ends = [life.decide(thrown, life.start) for life, _ in lives]
        ways[tuple(end.net * stake for end, (_, stake) in zip(ends, lives, strict=True) if isinstance(end, End))] += 1
    return {results: F(count, len(throws)) for results, count in ways.items()}


def test_horn_with_any_seven() -> None:
    held = once(game_of(CRAPS), *HORN)
    assert held.joint.chances == {(-4, -1): F(2, 3), (-4, 4): F(1, 6), (13, -1): F(1, 9), (30, -1): F(1, 18)}
    assert held.joint.chances == counted([(craps.life("horn"), F(4)), (craps.life("any_seven"), F(1))])
    assert held.throws == 1
    assert held.edge == F(7, 90)
    again = ever(game_of(CRAPS), *HORN)
    assert again.joint.chances == held.joint.chances
    assert again.growth == held.joint.covariances
    assert [(spell.share, spell.joint.chances) for spell in again.spells] == [(F(1), held.joint.chances)]


@pytest.mark.parametrize("pairs", [("small", "odd"), ("small", "even"), ("big", "odd"), ("small", "any_triple")])
def test_wagers_of_sic_bo_two_by_two(pairs: tuple[str, str]) -> None:
    held = once(game_of(SIC_BO), *(Lot(wager, F(1)) for wager in pairs))
    assert held.joint.chances == counted([(sic_bo.life(wager), F(1)) for wager in pairs])


def test_small_and_odd_fall_apart() -> None:
    """SB-16: 45 results are Small and Odd, 60 Small and Even, 60 Big and Odd; triples lose both wagers."""
    joint = once(game_of(SIC_BO), Lot("small", F(1)), Lot("odd", F(1))).joint
    ways = {results: 216 * chance for results, chance in joint.chances.items()}
    assert ways == {(1, 1): 45, (1, -1): 60, (-1, 1): 60, (-1, -1): 45 + 6}
    assert joint.covariances[0][1] == F(-1, 9) - F(1, 36) ** 2
    assert correlation_squared(joint.covariances, 0, 1) == -(F(29, 259) ** 2)
    assert correlation(joint.covariances, 0, 1) == pytest.approx(-29 / 259)


# -- Iron Cross -------------------------------------------------------------------------------------------------------


def test_iron_cross_roll_by_roll() -> None:
    """With a point only a 7 loses everything; on a come out roll the Place wagers sleep and only the Field is awake."""
    again = ever(game_of(CRAPS), *IRON_CROSS)
    on = {-22: F(6, 36), 2: F(14, 36), 5: F(14, 36), 10: F(2, 36)}
    off = {-5: F(20, 36), 5: F(14, 36), 10: F(2, 36)}
    by_puck = {spell.moment.phases[0]: spell for spell in again.spells}
    assert len(by_puck) == 7
    assert by_puck["come out"].joint.total == off
    assert all(spell.joint.total == on for puck, spell in by_puck.items() if puck != "come out")
    share = F(165, 557)  # one come out roll for each line that is decided
    assert by_puck["come out"].share == share
    mean = (1 - share) * F(-14, 36) + share * F(-10, 36)
    assert again.joint.moments.mean == mean
    assert again.awake == 5 + 17 * (1 - share)
    assert again.edge_per_throw == -mean / again.awake


def test_iron_cross_until_all_are_decided() -> None:
    """Each wager loses its own edge, whatever the others do; the Field is independent of what comes after it."""
    held = once(game_of(CRAPS), *IRON_CROSS)
    assert held.joint.means == (F(-5, 18), F(-5, 25), F(-6, 66), F(-6, 66))
    assert held.joint.profit == F(373, 720)
    assert [correlation_squared(held.joint.covariances, 0, i) for i in (1, 2, 3)] == [0, 0, 0]
    assert correlation_squared(held.joint.covariances, 2, 3) == F(5, 16) ** 2


def test_two_numbers_before_a_seven_by_hand() -> None:
    """Place 6 and 8: both lose with probability 6/16; otherwise one wins, and the other then has its own 5 against
    6."""
    held = once(game_of(CRAPS), Lot("place_to_win", F(6), 6), Lot("place_to_win", F(6), 8))
    both, one = F(10, 16) * F(5, 11), F(5, 16) * F(6, 11)
    assert held.joint.chances == {(-6, -6): F(6, 16), (7, -6): one, (-6, 7): one, (7, 7): both}


# -- every wager by itself, and any plan ------------------------------------------------------------------------------


def every_wager() -> list[tuple[str, str]]:
    return [(book, wager.id) for book in BOOKS for wager in SHELF.book(book).rules.wagers if wager.behind is None]


@pytest.mark.parametrize(("book", "wager_id"), every_wager())
def test_one_wager_held_by_itself_is_the_wager(book: str, wager_id: str) -> None:
    game = game_of(book)
    lives = Lives(game)
    for pick in game.book.picks(game.wager(wager_id)):
        figures = valued(lives, wager_id, pick, game.machine(wager_id, pick).starts[0], None)
        held = once(game, Lot(wager_id, F(1), pick))
        assert held.joint.total == figures.net
        assert held.joint.moments[:2] == (figures.ev, figures.variance)
        assert held.edge_outlay == figures.edge_outlay
        if not game.wager(wager_id).place and figures.table_rolls is None:
            assert held.throws == figures.rolls


PLANS = [
    (CRAPS, ("win_line 10.00", "behind_win_line 20.00")),
    (CRAPS, ("come 10.00", "behind_come 20.00")),
    (CRAPS, ("field 5.00", "place_to_win 5 5.00", "place_to_win 6 6.00", "place_to_win 8 6.00")),
    (CRAPS, ("dont_win 10.00", "behind_dont_win 12.00", "lay 4 40.00", "hardway 8 3.00")),
    (SIC_BO, ("super_streak size 10.00", "small 5.00", "total 9 1.00")),
    (TWO_UP, ("spinner tails 3.00", "heads 5.00", "tails 1.00")),
    (SNAKE_EYES, ("hardway_combo 3.00", "hardway 6 5.00", "field 2.00")),
]


@pytest.mark.parametrize(("book", "words"), PLANS)
def test_the_long_run_is_where_sessions_go(book: str, words: tuple[str, ...]) -> None:
    """Mean and variance of a session grow from throw to throw at the long-run rate; only its opening differs."""
    game = game_of(book)
    plan = Plan(game, read_lots(game, words, 100), 100)
    again = per_throw(plan)
    throws = 50 if book == SIC_BO else 120
    one, next_one = (o.moments for o in PlanSession(plan, throws + 1).outlooks([throws, throws + 1]))
    assert float(next_one.mean - one.mean) == pytest.approx(float(again.joint.moments.mean), rel=1e-6)
    assert float(next_one.variance - one.variance) == pytest.approx(float(again.variance_growth), rel=1e-6)


@pytest.mark.parametrize(("book", "words"), PLANS)
def test_parts_add_up(book: str, words: tuple[str, ...]) -> None:
    game = game_of(book)
    lots = read_lots(game, words, 100)
    held, again = per_decision(Plan(game, lots, 100, again=False)), per_throw(Plan(game, lots, 100))
    for joint in (held.joint, again.joint, *(spell.joint for spell in again.spells)):
        assert sum(joint.chances.values()) == sum(joint.total.values()) == 1
        assert sum(joint.means) == joint.moments.mean
        assert sum(map(sum, joint.covariances)) == joint.moments.variance
    assert sum(spell.share for spell in again.spells) == 1
    for i, j in product(range(len(lots)), repeat=2):
        squared = correlation_squared(again.growth, i, j)
        assert squared is not None
        assert -1 <= squared <= 1
        assert i != j or squared == 1


@pytest.mark.parametrize(("book", "words"), PLANS)
def test_shares_are_what_one_more_throw_leaves_them(book: str, words: tuple[str, ...]) -> None:
    game = game_of(book)
    plan = Plan(game, read_lots(game, words, 100), 100)
    shares = {spell.moment: spell.share for spell in per_throw(plan).spells}
    after: dict[plans.Moment, Fraction] = {}
    for moment, share in shares.items():
        for (to, _), count in plan.steps(moment).items():
            after[to] = after.get(to, F(0)) + share * F(count, plan.outcomes)
    assert after == shares


def test_moments_that_never_come_again_are_no_part_of_the_long_run() -> None:
    """Only before the day's first result does a line of Super Streak have no side."""
    spells = ever(game_of(SIC_BO), Lot("super_streak", F(10), "size")).spells
    phases = {spell.moment.phases[0] for spell in spells}
    assert "nothing yet" not in phases
    assert {"small 0", "big 0", "small 11"} <= phases


def test_a_long_run_that_depends_on_the_beginning_is_refused() -> None:
    """No book has such a table, but a user's own book might come to rest in one of two ways."""
    start, left, right = (plans.Moment((phase,), ("standing",)) for phase in ("start", "left", "right"))
    nothing: Together = (None,)
    steps: Steps = {
        start: {(left, nothing): F(1, 2), (right, nothing): F(1, 2)},
        left: {(left, nothing): F(1)},
        right: {(right, nothing): F(1)},
    }
    with pytest.raises(Impossible) as refused:
        settled(steps)
    assert refused.value.code == "several_ends"
    del steps[start][right, nothing], steps[right]
    assert settled(steps) == {left: steps[left]}


def test_several_players_are_one_plan_with_larger_results() -> None:
    """Eight wagers of 7.00 on Place 6 are paid 9.00 each, not 65.33 rounded up together."""
    game = game_of(CRAPS)
    one = per_decision(Plan(game, (Lot("place_to_win", 700, 6),), 100, again=False))
    eight = per_decision(Plan(game, (Lot("place_to_win", 700, 6, 8),), 100, again=False))
    assert set(one.joint.total) == {-700, 900}
    assert eight.joint.total == {8 * value: chance for value, chance in one.joint.total.items()}
    assert (eight.staked, eight.edge) == (8 * one.staked, one.edge)


def test_plans_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "MOST_MOMENTS", 40)
    for work in (
        lambda: once(game_of(CRAPS), *IRON_CROSS),
        lambda: ever(game_of(CRAPS), *COME),
        lambda: PlanSession(Plan(game_of(CRAPS), (Lot("come", 1000), Lot("behind_come", 2000)), 100), 10),
    ):
        with pytest.raises(Impossible) as refused:
            work()
        assert refused.value.code == "too_many_moments"
    once(game_of(CRAPS), *LINE)
