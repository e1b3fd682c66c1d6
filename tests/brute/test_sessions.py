"""Short sessions: by hand, by a second player who knows only the oracle, and by adding independent throws."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import pytest

from tests.brute import craps, sic_bo, snake_eyes, two_up
from tests.brute.lives import Pick, endings
from tests.brute.rounding import at_a_stake
from tests.brute.sessions import (
    FLAT_OF,
    Bet,
    Fates,
    Game,
    plan_for,
    played,
    ruin,
    session,
    session_by_classes,
    throws_of,
)
from tests.brute.wagers import Row, life_of, rows
from tests.oracle import craps as craps_oracle
from tests.oracle import paid
from tests.oracle import sic_bo as sic_bo_oracle
from tests.oracle import two_up as two_up_oracle

F = Fraction
ALL_ROWS = list(rows())
STAKE = 6000  # 60 chips of 1.00: a multiple of every unit


def game_of(row: Row, stake: int = STAKE) -> Game:
    return Game(row.book, plan_for(row.wager, row.pick, stake, stake), 100, row.pay_table)


def results(wager: str, pick: Pick, *dice: tuple[int, int], stake: int = 1000, flat_stake: int = 1000) -> list[int]:
    """The result of a session of Craps after each throw, in cents."""
    game = Game(craps.BOOK, plan_for(wager, pick, stake, flat_stake))
    return [moment.result for moment in played(game, dice)]


# -- by hand -----------------------------------------------------------------------------------------------


def test_a_win_line_is_made_only_before_a_come_out_roll() -> None:
    assert results("win_line", None, (3, 4), (6, 6), (2, 2), (5, 6), (1, 3), (5, 6)) == [1000, 0, 0, 0, 1000, 2000]


def test_a_come_is_made_only_while_a_point_stands() -> None:
    """There is no Come at a come out 7; a 7 on the first roll of a Come wins it; making the point takes the puck
    off."""
    assert results("come", None, (3, 4), (2, 2), (3, 4), (5, 6)) == [0, 0, 1000, 1000]
    assert results("come", None, (2, 2), (3, 3), (2, 2), (3, 4)) == [0, 0, 0, -1000]  # lost to a come out 7


def test_sleeping_wagers_do_nothing_on_a_come_out_roll() -> None:
    assert results("place_to_win", 6, (3, 3), (3, 3), (3, 4), (4, 2), (3, 4)) == [0, 1200, 1200, 1200, 200]
    assert results("hardway", 4, (2, 2), (2, 2), (2, 2), (1, 3)) == [0, 7500, 7500, 6500]
    assert results("big_6", None, (3, 3), (3, 4)) == [1000, 0]  # always awake


def test_commission_counts_when_the_wager_is_decided() -> None:
    """5 per cent of 10.00, or of the 5.00 that a Lay against 4 could win."""
    assert results("buy", 4, (2, 3), (3, 3), (2, 2), (3, 4)) == [0, 0, 1950, 900]
    assert results("lay", 4, (3, 4), (2, 2)) == [475, 475 - 1025]


def test_behind_wagers_lie_behind_their_flat_wager() -> None:
    """It is made once there is a point: 10.00 on the line, 20.00 behind a 6 at 6 to 5."""
    assert results("behind_win_line", None, (3, 3), (4, 2), (2, 2), (3, 4), stake=2000) == [0, 3400, 3400, 400]
    assert results("behind_win_line", 4, (3, 3), (4, 2), stake=2000) == [0, 1000]  # not behind a 6
    assert results("behind_dont_win", None, (2, 2), (3, 4), stake=4000) == [0, 3000]


def test_behind_the_come_is_returned_on_a_come_out_roll() -> None:
    """CR-9: point 4, a Come on 6, the point is made: on the come out roll only the Come is decided."""
    to_the_come_out = ((2, 2), (3, 3), (1, 3))
    assert results("behind_come", None, *to_the_come_out, (3, 4), stake=2000)[-1] == -1000
    assert results("behind_come", None, *to_the_come_out, (3, 3), stake=2000)[-1] == 1000
    assert results("behind_come", None, (2, 2), (3, 3), (3, 4), stake=2000)[-1] == -3000
    assert results("behind_dont_come", None, *to_the_come_out, (3, 4), stake=2400)[-1] == 1000 + 2000
    once_more = results("behind_come", None, *to_the_come_out, (3, 3), (3, 3), stake=2000)
    assert once_more[-2:] == [1000, 1000]  # it has gone: the 6 after that finds nothing of it


def test_super_streak_is_made_in_its_window() -> None:
    """SB-1: first result Small; wager; four Small with a triple among them; Big pays 6 to 1 and opens the window."""
    small, big, triple = (1, 1, 2), (5, 6, 6), (2, 2, 2)
    game = Game(sic_bo.BOOK, plan_for("super_streak", "size", 1000))
    moments = played(game, [triple, small, small, small, triple, small, small, big, triple, small])
    assert [moment.result for moment in moments] == [0, 0, 0, 0, 0, 0, 0, 6000, 6000, 5000]
    assert [moment.table[0] for moment in moments[:4]] == [None, ("small", 0), ("small", 1), ("small", 2)]


def test_super_streak_is_not_made_in_mid_streak() -> None:
    """SB-3: paid at 12, and the window stays closed until the changeover."""
    small, big = (1, 1, 2), (5, 6, 6)
    game = Game(sic_bo.BOOK, plan_for("super_streak", "size", 1000))
    moments = played(game, [*[small] * 13, small, big, small])
    assert [moment.result for moment in moments[11:]] == [0, 500_000, 500_000, 500_000, 499_000]


def test_a_spinner_who_has_lost_spins_again() -> None:
    heads, tails, odds = ("H", "H"), ("T", "T"), ("H", "T")
    game = Game(two_up.BOOK, plan_for("spinner", "heads", 1000))
    spins = [heads, odds, heads, heads, tails, *[odds] * 5, heads]
    assert [moment.result for moment in played(game, spins)] == [0, 0, 0, 7500, 6500, *[6500] * 4, 5500, 5500]


def test_winnings_are_rounded_up_to_the_chip() -> None:
    game = Game(craps.BOOK, plan_for("place_to_win", 6, 500), chip=500)
    assert played(game, [(2, 2), (3, 3)])[-1].result == 1000  # 5.83 is paid with two chips of 5.00
    with pytest.raises(AssertionError):
        session(Game(craps.BOOK, plan_for("horn", None, 1000), chip=500), 1)


# -- by adding up ------------------------------------------------------------------------------------------


def summed(law: dict[int, Fraction], throws: int) -> dict[int, Fraction]:
    """The distribution of the sum of independent throws."""
    total = {0: F(1)}
    for _ in range(throws):
        longer: dict[int, Fraction] = {}
        for (a, p), (b, q) in product(total.items(), law.items()):
            longer[a + b] = longer.get(a + b, F(0)) + p * q
        total = longer
    return total


def test_wagers_on_one_throw_are_independent_of_each_other() -> None:
    checked = 0
    for row in ALL_ROWS:
        life = life_of(row)
        if endings(life, life.start)[1] > 1:
            continue
        throws = 2
        law = {int(net * STAKE): chance for net, chance in at_a_stake(life, STAKE, 100).law.items()}
        every = len(life.throws) ** throws
        found = session(game_of(row), throws)
        assert {cents: F(ways, every) for cents, ways in found.items()} == summed(law, throws), row
        checked += 1
    assert checked == 13 + 56 + 14 + 15  # Craps, Sic Bo, NSW in two columns, NZ with its choices


@pytest.mark.parametrize("book", [craps.BOOK, sic_bo.BOOK, two_up.BOOK, snake_eyes.NSW, snake_eyes.NZ])
def test_every_sequence_is_counted_and_classes_lose_nothing(book: str) -> None:
    """All picks of Craps and Two-Up; elsewhere all picks of a wager are alike, and one of each is enough."""
    throws = {36: 3, 216: 2, 4: 6}[len(throws_of(book))]
    first_of_each = {row.wager: row for row in reversed(ALL_ROWS) if row.book == book}
    for row in [row for row in ALL_ROWS if row.book == book]:
        if book in (craps.BOOK, two_up.BOOK) or row in first_of_each.values():
            found = session(game_of(row), throws)
            assert sum(found.values()) == len(throws_of(book)) ** throws
            assert session_by_classes(game_of(row), throws) == found, row


def test_behind_wagers_are_fair_in_every_session() -> None:
    """Every decided Behind wager is fair, so the mean result of a session is that of its flat wager."""
    for row in ALL_ROWS:
        if row.wager in FLAT_OF:
            with_behind = session(game_of(row), 3)
            flat = session(Game(row.book, plan_for(FLAT_OF[row.wager], None, STAKE)), 3)
            assert with_behind != flat
            assert mean_of(with_behind) == mean_of(flat), row


def mean_of(found: dict[int, int]) -> Fraction:
    return F(sum(cents * ways for cents, ways in found.items()), sum(found.values()))


def test_a_longer_super_streak() -> None:
    """Eight results: the first sets the side, and the wager is made for the second."""
    found = session_by_classes(Game(sic_bo.BOOK, plan_for("super_streak", "parity", 1000)), 8)
    every = 216**8
    assert sum(found.values()) == every
    # Each result on the other side of the one before, and no triple: seven wagers lost.
    assert found[-7000] == 210 * 105**7
    # Nothing decided: nothing but Odd and triples, or nothing but Even and triples; triples alone are counted once.
    assert found[0] == 2 * (105 + 6) ** 8 - 6**8


# -- by a second player, who knows only the oracle ---------------------------------------------------------


def puck_after(puck: int | None, total: int) -> int | None:
    if puck is None:
        return total if total in (4, 5, 6, 8, 9, 10) else None
    return None if total in (puck, 7) else puck


def remembered(sequence: tuple[Any, ...], wager: str, pick: Pick) -> int:
    """A session of Craps with one wager, from the whole history of each wager, in cents."""
    result, puck = 0, None
    history: list[Any] | None = None
    for dice in sequence:
        come_out = puck is None
        if history is None:
            may = come_out if wager in ("win_line", "dont_win") else not come_out
            history = [] if may or wager not in ("win_line", "dont_win", "come", "dont_come") else None
        if history is not None and not (come_out and craps_oracle.sleeps(wager)):
            history.append(dice)
            verdict = craps_oracle.judge(wager, pick, None, history)
            if verdict is not None:
                history = None
                won = paid(STAKE, verdict.odds, 100) if verdict.result == "win" else 0
                lost = STAKE if verdict.result == "lose" else 0
                result += won - lost - craps_oracle.commission(wager, pick, STAKE)
        puck = puck_after(puck, sum(dice))
    return result


def test_craps_sessions_agree_with_a_player_who_remembers_everything() -> None:
    """All sequences of two throws for every wager except the Behind wagers."""
    for row in ALL_ROWS:
        if row.book == craps.BOOK and row.wager not in FLAT_OF:
            expected = Counter(remembered(dice, row.wager, row.pick) for dice in product(craps.THROWS, repeat=2))
            assert session(game_of(row), 2) == expected, row


@pytest.mark.parametrize(("wager", "pick"), [("win_line", None), ("come", None), ("buy", 8), ("hardway", 6)])
def test_sessions_of_three_throws_agree_as_well(wager: str, pick: Pick) -> None:
    expected = Counter(remembered(dice, wager, pick) for dice in product(craps.THROWS, repeat=3))
    assert session(game_of(Row(craps.BOOK, wager, pick, None)), 3) == expected


def test_two_up_sessions_agree_with_the_oracle() -> None:
    for row in ALL_ROWS:
        if row.book != two_up.BOOK:
            continue
        expected: Counter[int] = Counter()
        for spins in product(two_up.SPINS, repeat=6):
            expected[simple(two_up_oracle, row, spins)] += 1
        assert session(game_of(row), 6) == expected, row


def simple(oracle: ModuleType, row: Row, sequence: tuple[Any, ...]) -> int:
    """A session at a table that always allows the wager."""
    result, history = 0, []
    for throw in sequence:
        history.append(throw)
        verdict = oracle.judge(row.wager, row.pick, None, history, row.pay_table)
        if verdict is not None:
            history = []
            result += paid(STAKE, verdict.odds, 100) if verdict.result == "win" else -STAKE
    return result


def test_super_streak_sessions_agree_with_the_oracle() -> None:
    """Six results of five kinds, on both lines: the side is set by the first result, then by each changeover."""
    kinds = [(1, 1, 2), (1, 2, 2), (5, 5, 6), (5, 6, 6), (3, 3, 3)]
    for pick, sides in (("size", ("small", "big")), ("parity", ("odd", "even"))):
        game = Game(sic_bo.BOOK, plan_for("super_streak", pick, STAKE))
        for sequence in product(kinds, repeat=5):
            side, history, expected = None, [], 0
            for dice in sequence:
                fallen = next((s for s in sides if sic_bo_oracle.judge(s, None, None, [dice]).result == "win"), None)  # type: ignore[union-attr]
                if side is not None:
                    history.append(dice)
                    verdict = sic_bo_oracle.judge("super_streak", pick, side, history)
                    if verdict is not None:
                        history = []
                        expected += int(verdict.odds) * STAKE if verdict.result == "win" else -STAKE
                side = fallen or side
            assert played(game, sequence)[-1].result == expected, sequence


# -- with a bankroll ---------------------------------------------------------------------------------------


def test_a_bankroll_of_one_stake() -> None:
    """Any Seven with 10.00: lost with probability 5/6 at the first throw; a win brings 40.00 and at least four more
    throws.
    """
    game = Game(craps.BOOK, plan_for("any_seven", None, 1000))
    assert ruin(game, 1, 1000) == Fates(F(5, 6), F(0), F(1, 6), {-1000: F(5, 6), 4000: F(1, 6)})
    assert ruin(game, 3, 1000).ruined == F(5, 6)
    assert ruin(game, 3, 1000, target=5000) == Fates(F(5, 6), F(1, 6), F(0), {-1000: F(5, 6), 4000: F(1, 6)})


def test_too_little_to_begin_with() -> None:
    assert ruin(Game(craps.BOOK, plan_for("buy", 4, 1000)), 2, 1049) == Fates(F(1), F(0), F(0), {0: F(1)})
    assert ruin(Game(craps.BOOK, plan_for("buy", 4, 1000)), 2, 1050).ruined == F(1, 6) * F(24, 36)


def test_nobody_is_ruined_while_a_wager_stands() -> None:
    """A Win Line with all the money: ruin needs a 2, 3 or 12 at once, or a point and then a 7."""
    game = Game(craps.BOOK, plan_for("win_line", None, 1000))
    assert ruin(game, 1, 1000).ruined == F(4, 36)
    assert ruin(game, 2, 1000).ruined == F(4, 36) + F(24, 36) * F(6, 36)


def test_what_the_money_does_not_cover_is_not_made() -> None:
    """The plan is made in order: with 15.00 the Field of 10.00 is made and the Any Seven of 10.00 is not."""
    bets = (Bet("field", None, 1000), Bet("any_seven", None, 1000))
    law = ruin(Game(craps.BOOK, bets), 1, 1500).results
    assert law == {-1000: F(20, 36), 1000: F(14, 36), 2000: F(2, 36)}
    law = ruin(Game(craps.BOOK, bets), 1, 2000).results
    assert law == {-2000: F(14, 36), 3000: F(6, 36), 0: F(14, 36), 1000: F(2, 36)}


def test_a_behind_wager_waits_for_money() -> None:
    """With 25.00 a line bet of 10.00 leaves too little for 20.00 behind it; 30.00 is just enough."""
    plan = plan_for("behind_win_line", None, 2000, 1000)
    assert min(ruin(Game(craps.BOOK, plan), 2, 2500).results) == -2000  # two lines lost, nothing behind them
    assert min(ruin(Game(craps.BOOK, plan), 2, 3000).results) == -3000


@pytest.mark.parametrize("row", [row for row in ALL_ROWS if row.wager in ("lay", "horn", "heads", "five")], ids=str)
def test_a_rich_player_is_never_ruined(row: Row) -> None:
    """With more money than can be lost, the result is that of the unlimited session."""
    throws = {36: 2, 4: 5}[len(throws_of(row.book))]
    fates = ruin(game_of(row), throws, 100 * STAKE)
    every = len(throws_of(row.book)) ** throws
    assert (fates.ruined, fates.reached, fates.playing) == (F(0), F(0), F(1))
    assert fates.results == {cents: F(ways, every) for cents, ways in session(game_of(row), throws).items()}
