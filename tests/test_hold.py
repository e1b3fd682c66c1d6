"""The hold of a table: against the engine with several players, and the largest loss against the sign's exposure."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction

import msgspec
import pytest

from croupier.cli.main import main
from croupier.maths import hold
from croupier.maths.hold import (
    HouseLimits,
    Takings,
    largest_loss,
    largest_stake,
    reachable_phases,
    takings,
    worst_throw,
)
from croupier.maths.plan import Plan, read_mix
from croupier.maths.session import session
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.table.commands import Limit, Settings
from croupier.table.decide import Refused, open_table
from croupier.table.exposure import sign_exposure
from tests.tables import BOOKS, SHELF, throw

F = Fraction
CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS
CHIP = 100
ONE = F(1)


def game_of(book: str) -> Game:
    return SHELF.game(SHELF.terms(book))


def mix_of(book: str, *words: str) -> Plan:
    game = game_of(book)
    return Plan(game, read_mix(game, words, CHIP).lots, CHIP)


# -- several players at a real table ----------------------------------------------------------------------------------

# Two on Place 6 with a stake that is rounded up, two on the line with something behind it, one on the Field.
WORDS = ("place_to_win 6 7.00 x2", "win_line 5.00 + behind_win_line 7.00 x2", "field 5.00")
HOLDINGS: list[list[tuple[str, int | None, str]]] = [
    [("place_to_win", 6, "7.00")],
    [("place_to_win", 6, "7.00")],
    [("win_line", None, "5.00"), ("behind_win_line", None, "7.00")],
    [("win_line", None, "5.00"), ("behind_win_line", None, "7.00")],
    [("field", None, "5.00")],
]


class House:
    """A table of five who repeat their wagers, over every sequence of throws."""

    def __init__(self) -> None:
        self.table = open_table(CRAPS, {f"player {i}": "1000.00" for i in range(len(HOLDINGS))}, shelf=SHELF)
        self.falls = Counter(tuple(sorted(faces, key=str)) for faces in self.table.view.game.book.outcomes.all)
        self.kept: Counter[int] = Counter()
        self.handle = F(0)

    def make_wagers(self) -> None:
        for i, held in enumerate(HOLDINGS):
            for wager, pick, amount in held:
                if self.table.view.find(f"player {i}", wager, pick) is None:
                    try:
                        self.table.bet(f"player {i}", wager, amount, pick=pick)
                    except Refused as refused:
                        if refused.code not in ("only_before_come_out", "no_point"):
                            raise

    def play_all(self, throws: int, kept: int = 0, chance: Fraction = ONE) -> House:
        if throws == 0:
            self.kept[kept] += int(chance * 36**3)
            return self
        self.make_wagers()
        ready = self.table.state
        for faces, count in self.falls.items():
            self.table.state = ready
            gained, share = kept, chance * F(count, 36)
            for told in throw(self.table, faces):
                if told["type"] == "wager_settled":
                    stake, paid = (round(100 * float(str(told[name]))) for name in ("stake", "paid"))
                    gained += stake if told["result"] == "lose" else -paid
                    self.handle += share * stake
            self.play_all(throws - 1, gained, share)
        return self


@pytest.fixture(scope="module")
def house() -> House:
    return House().play_all(3)


def test_a_table_keeps_what_is_foretold(house: House) -> None:
    kept = takings(mix_of(CRAPS, *WORDS), 3)
    every = sum(house.kept.values())
    assert every == 36**3
    mean = F(sum(cents * ways for cents, ways in house.kept.items()), every)
    assert kept.mean == mean
    assert kept.variance == F(sum(cents**2 * ways for cents, ways in house.kept.items()), every) - mean**2
    assert kept.handle == house.handle
    assert kept.share == mean / house.handle
    assert kept.loses == F(sum(ways for cents, ways in house.kept.items() if cents < 0), every)
    assert kept.counted


def test_the_interval_holds_nineteen_of_twenty(house: House) -> None:
    kept = takings(mix_of(CRAPS, *WORDS), 3)
    every = sum(house.kept.values())
    assert kept.low == min(c for c in house.kept if sum(n for d, n in house.kept.items() if d <= c) >= F(every, 40))
    assert kept.high == min(
        c for c in house.kept if sum(n for d, n in house.kept.items() if d <= c) >= F(39 * every, 40)
    )
    inside = sum(ways for cents, ways in house.kept.items() if kept.low <= cents <= kept.high)
    assert F(inside, every) >= F(95, 100)


# -- over many throws -------------------------------------------------------------------------------------------------


def test_one_roll_wagers_leave_their_edge_of_the_handle() -> None:
    """Small and a pair of numbers each cost 1/36 of what is staked, and stakes are made again on every throw."""
    kept = takings(mix_of(SIC_BO, "small 10.00 x4", "combination 1,2 5.00 x2"), 40)
    assert kept.handle == 40 * (4 * 1000 + 2 * 500)
    assert kept.share == F(1, 36)


def test_moments_are_those_of_the_session() -> None:
    plan = mix_of(CRAPS, "win_line 10.00 + behind_win_line 20.00 x3", "come 5.00 x2", "field 5.00 x4")
    kept, players = takings(plan, 40), session(plan, 40).moments
    assert (kept.mean, kept.variance) == (-players.mean, players.variance)
    assert kept.sd == pytest.approx(float(players.variance) ** 0.5)


def test_with_one_bet_on_each_side_only_the_fifth_odds_are_kept() -> None:
    """Heads against Tails at the same stake: the house wins both after five Odds in a row, and nothing else."""
    kept = takings(mix_of(TWO_UP, "heads 10.00", "tails 10.00"), 5)
    assert (kept.mean, kept.loses) == (F(2000, 32), F(0))
    assert (kept.low, kept.high) == (0, 2000)


def test_too_long_for_counting_it_is_a_normal_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = mix_of(CRAPS, "win_line 10.00 x8", "field 5.00 x3")
    counted = takings(plan, 120)
    monkeypatch.setattr(hold, "EXACT_WORK", 0)
    normal = takings(plan, 120)
    assert (counted.counted, normal.counted) == (True, False)
    same = ("mean", "variance", "handle", "share", "throws")
    assert [getattr(normal, name) for name in same] == [getattr(counted, name) for name in same]
    for near in ("low", "high"):
        assert abs(getattr(normal, near) - getattr(counted, near)) < 2000
    assert abs(normal.loses - counted.loses) < F(2, 100)


def test_absurd_times_are_refused() -> None:
    plan = mix_of(CRAPS, "win_line 10.00")
    with pytest.raises(Impossible) as refused:
        takings(plan, 10**7)
    assert refused.value.code == "too_many_throws"


def test_nothing_staked_keeps_nothing() -> None:
    assert Takings(1, F(0), F(0), F(0), 0, 0, F(0), True).share == 0


# -- the largest loss on one throw ------------------------------------------------------------------------------------


def test_the_largest_loss_of_a_mix() -> None:
    """A 4 after a point of 4: 8 lines, double behind them at 2 to 1, and 4 wins on the Field."""
    loss = largest_loss(mix_of(CRAPS, "win_line 10.00 + behind_win_line 20.00 x8", "field 5.00 x3"))
    assert loss.cents == 8 * (1000 + 4000) + 3 * 500
    faces = game_of(CRAPS).book.outcomes.all[loss.outcome]
    assert sum(face for face in faces if isinstance(face, int)) in (4, 10)
    assert loss.moment.phases == (f"point {sum(face for face in faces if isinstance(face, int))}",)


def exposed(book: str, phases: dict[str, str], sign: HouseLimits) -> int:
    """The exposure that the table itself computes for a moment."""
    settings = Settings(chip=sign.chip, limit=Limit(None, sign.maximum))
    state = msgspec.structs.replace(open_table(book, settings=settings, shelf=SHELF).state, phases=phases)
    cents = sign_exposure(SHELF, state, sign.seats).cents
    assert cents is not None
    return cents


@pytest.mark.parametrize("book", [CRAPS, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ])
@pytest.mark.parametrize("maximum", [2000, 60_000])
def test_the_worst_throw_under_limits_is_the_worst_that_the_table_tells(book: str, maximum: int) -> None:
    game, sign = game_of(book), HouseLimits(CHIP, maximum, 7)
    every = {tuple(phases.items()): exposed(book, phases, sign) for phases in reachable_phases(game.book)}
    worst = worst_throw(game, sign)
    assert worst.cents == max(every.values()) == every[tuple(worst.phases.items())]
    assert worst.faces in game.book.outcomes.all


def test_the_worst_throw_of_sic_bo_comes_late_in_two_streaks() -> None:
    """Under a low maximum the fixed stake of Super Streak counts most: both lines at their twelfth result in a row."""
    game, sign = game_of(SIC_BO), HouseLimits(CHIP, 100, 7)
    worst = worst_throw(game, sign)
    assert set(worst.phases.values()) <= {f"{side} 11" for side in ("small", "big", "odd", "even")}
    assert worst.cents == exposed(SIC_BO, worst.phases, sign)
    others = reachable_phases(game.book)
    assert len(others) == 1 + 26 * 26
    assert all(exposed(SIC_BO, phases, sign) <= worst.cents for phases in others[::97])


def test_stakes_in_multiples_stay_below_the_maximum() -> None:
    """Under 53.00 a Horn in fours is 52.00 at most, a Horn High in fives 50.00; a Behind wager may be 53.00."""
    game = game_of(CRAPS)
    most = [
        largest_stake(game, HouseLimits(CHIP, 5350, 1), game.wager(wager), pick, state)
        for wager, pick, state in (
            ("horn", None, "standing"),
            ("horn_high", 2, "standing"),
            ("field", None, "standing"),
            ("behind_win_line", None, "point 6"),
        )
    ]
    assert most == [5200, 5000, 5300, 5300]


def test_one_seat_more_costs_as_much_again() -> None:
    game = game_of(SNAKE_EYES)
    one, five = (worst_throw(game, HouseLimits(CHIP, 10_000, seats)) for seats in (1, 5))
    assert five.cents == 5 * one.cents
    assert five.faces == one.faces


def test_a_fixed_amount_is_that_of_the_mix(capsys: pytest.CaptureFixture[str]) -> None:
    """SB 6.7: one amount for everyone, which the largest loss under the sign has to use too."""
    words = [
        "hold",
        "sic-bo-nsw-2016",
        "super_streak size 100",
        "super_streak parity 100",
        "--hours",
        "1",
        "--max",
        "50",
    ]
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    mix, sign = told["largest_loss"]["amount"], told["largest_loss_under_limits"]["amount"]
    assert 0 < Fraction(mix) <= Fraction(sign)
    assert main(["hold", "sic-bo-nsw-2016", "super_streak size 100", "super_streak parity 50"]) == 2
    said = "croupier: Super Streak has one amount, the same for all players. (6.7)\n"
    assert capsys.readouterr().err == said
