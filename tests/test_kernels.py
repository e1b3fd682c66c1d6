"""The simulator part by part: distributions and tallies that add up in any order, blocks, machines, exact sessions.

`tests/properties/test_simulation.py` checks that the kernels play by the rules; here are sizes, sums and bounds, and
moments of play that random strategies reach only by luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import sqrt
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.maths.plan import Lot, Plan
from croupier.maths.session import session
from croupier.rules import schema
from croupier.rules.errors import Impossible
from croupier.rules.machine import Pick
from croupier.simulation.kernels import layout as n
from croupier.simulation.kernels import product as product_kernel
from croupier.simulation.kernels import program as kernel_program
from croupier.simulation.kernels.engine import MOST_MARKS, Engine, Known, Worker, whole_counts
from croupier.simulation.kernels.product import MOST_ENTRIES, outcome_classes, product_of
from croupier.simulation.kernels.program import NOT_FOLLOWED, Program
from croupier.simulation.kernels.tally import Spread, Tally
from croupier.simulation.kernels.walking import LANES, PART
from croupier.simulation.reading.reader import load_strategy
from croupier.simulation.results import MOST_STEPS, exact_session, result_of
from croupier.simulation.strategy import (
    Bet,
    Call,
    Chips,
    Compare,
    Count,
    Fixed,
    FromProgression,
    Guard,
    Most,
    Move,
    Net,
    PhaseIs,
    Progression,
    ResultIs,
    Rule,
    ShareOfChips,
    Spot,
    Stop,
    Strategy,
    Take,
    TimesSpot,
)
from croupier.table.commands import Limit, PlayerSign, Settings
from tests.same_dice import WAYS, Block, Case, Witness, at_table, compare, in_kernel
from tests.tables import BOOKS, SHELF

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS
POINTS = (4, 5, 6, 8, 9, 10)
PUCK_ON = PhaseIs("puck", frozenset(f"point {point}" for point in POINTS))
LINE, ODDS = Spot("win_line"), Spot("behind_win_line")
FIELD = Spot("field")
SMALL, HEADS = Spot("small"), Spot("heads")


NEVER = Stop()


def strategy(*rules: Rule, stop: Stop = NEVER, progressions: tuple[Progression, ...] = ()) -> Strategy:
    return Strategy("", "", 100, rules, progressions, stop)


def program(book: str, played: Strategy, **sign: object) -> Program:
    return case(book, played, None, **sign).program


def case(book: str, played: Strategy, bankroll: int | None = None, **sign: object) -> Case:
    return Case(SHELF.terms(book), Settings(**sign), played, bankroll)  # type: ignore[arg-type]


PASS = strategy(Bet(1, LINE, Fixed(500)))
PASS_ODDS = strategy(Bet(1, LINE, Fixed(500)), Bet(2, ODDS, TimesSpot(Fraction(2), LINE)))
STEPS = Progression("up", (SMALL,), Move("first"), Move("next"), steps=(100, 200, 400))
MARTINGALE = strategy(Bet(1, SMALL, FromProgression(Fraction(1), 0)), progressions=(STEPS,))


# Sizes


def all_in(book: str, wager: str, pick: Pick = None) -> Case:
    """All chips, every time: winnings are staked again."""
    return case(book, strategy(Bet(1, Spot(wager, pick), ShareOfChips(Fraction(1)))), 1_000_00)


def test_a_stake_that_grows_beyond_what_can_be_counted_is_told() -> None:
    """Seven wins in a row on one triple at 180 to 1 exceed any amount of money; a kernel must not overflow."""
    played = all_in(SIC_BO, "specific_triple", 6)
    engine = Engine(played.program, 20, played.bankroll, general=True)
    triple = SHELF.book(SIC_BO).outcomes.index[6, 6, 6]
    worker = Worker(engine, np.full((1, 20), triple, np.uint16))
    with pytest.raises(Impossible, match="A stake came to more than"):
        worker.block(0, 0, 1)


FIVE_SIX = tuple(Spot("specific_triple", pick) for pick in (5, 6))
MULTIPLES: list[tuple[str, Strategy]] = [
    ("another wager", strategy(Bet(1, SMALL, Fixed(10**12)), Bet(2, FIVE_SIX[1], TimesSpot(Fraction(90_000), SMALL)))),
    (
        "a progression",
        strategy(
            Bet(1, FIVE_SIX[1], FromProgression(Fraction(90_000), 0)),
            progressions=(Progression("", FIVE_SIX, Move("stay"), Move("stay"), steps=(10**12,)),),
        ),
    ),
]


@pytest.mark.parametrize("played", [played for _, played in MULTIPLES], ids=[name for name, _ in MULTIPLES])
def test_a_multiple_that_is_more_than_can_be_counted_is_told(played: Strategy) -> None:
    """A fixed amount is never too large, but a multiple of one can be: at 180 to 1 it would overflow."""
    made = program(SIC_BO, played)
    triple = SHELF.book(SIC_BO).outcomes.index[6, 6, 6]
    with pytest.raises(Impossible, match="A stake came to more than"):
        Worker(Engine(made, 5, None, general=True), np.full((1, 5), triple, np.uint16)).block(0, 0, 1)
    engine = Engine(made, 5, None)
    assert engine.machine is None
    with pytest.raises(Impossible, match="A stake came to more than"):
        Worker(engine).block(0, 0, LANES)


def test_a_wager_that_is_added_to_itself_is_told_when_it_is_more_than_can_be_counted() -> None:
    """It stays up from throw to throw and grows tenfold each time."""
    buy = Spot("buy", 4)
    grows = strategy(Bet(1, buy, Fixed(500)), Bet(2, buy, TimesSpot(Fraction(10), buy), adds=True))
    with pytest.raises(Impossible, match="A stake came to more than"):
        Worker(Engine(program(CRAPS, grows), 1000, None)).block(0, 0, 100)
    some = strategy(Bet(1, buy, Fixed(500)), Bet(2, buy, TimesSpot(Fraction(10), buy), adds=True, at_most=2))
    compare(case(CRAPS, some), 1, 60, 2, LANES + 1)


def test_so_much_is_counted_that_it_is_handed_on_in_between() -> None:
    """The largest possible stake wins at 180 to 1 again and again: no count overflows."""
    played = case(SIC_BO, strategy(Bet(1, Spot("specific_triple", 6), Fixed(10**12))))
    engine = Engine(played.program, 1000, None, general=True)
    triple = SHELF.book(SIC_BO).outcomes.index[6, 6, 6]
    worker = Worker(engine, np.full((500, 1000), triple, np.uint16))
    worker.block(0, 0, 500)
    paid = played.program.totals(worker.tally.counts).slots[0].won
    assert paid == worker.tally.net == 500 * 1000 * 180 * 10**12
    assert paid > 2**64


def test_without_a_bankroll_chips_last_to_the_end_or_it_is_told() -> None:
    rules = [Bet(i, Spot("hardway", pick), Fixed(10**12)) for i, pick in enumerate((4, 6, 8, 10), 1)]
    with pytest.raises(Impossible, match="more money than can be counted"):
        Engine(case(CRAPS, strategy(*rules)).program, 4000, None)


# Spreads

VALUES = st.lists(st.integers(-3000, 3000), min_size=1, max_size=60)


def spread_of(values: Sequence[int], most_bins: int, unit: int = 1) -> Spread:
    spread = Spread(unit, most_bins)
    spread.add(np.array(values, np.int64))
    return spread


def look(spread: Spread) -> tuple[Any, ...]:
    return spread.shift, spread.low, spread.counts.tolist(), spread.total, list(spread)


def test_one_bin_is_not_enough_for_what_is_below_nothing_and_above() -> None:
    assert look(spread_of([-5, 5], 2))[0] == 3
    with pytest.raises(AssertionError, match="never share one"):
        Spread(1, 1)


@given(st.lists(VALUES, min_size=1, max_size=6), st.sampled_from([2, 7, 64, 8192]), st.randoms(use_true_random=False))
def test_spreads_add_up_in_any_order(parts: list[list[int]], most_bins: int, rnd: Random) -> None:
    """Counted in one go, one after the other, or separately and then merged in any order: identical, to the bin."""
    whole = spread_of([value for part in parts for value in part], most_bins)
    rnd.shuffle(parts)
    added, merged = Spread(1, most_bins), Spread(1, most_bins)
    for part in parts:
        added.add(np.array(part, np.int64))
        merged.merge(spread_of(part, most_bins))
    first, *others = [spread_of(part, most_bins) for part in parts]
    for other in others:
        other.merge(first)
        first = other
    first.merge(Spread(1, most_bins))
    assert look(added) == look(merged) == look(first) == look(whole)


@given(VALUES, st.sampled_from([2, 16, 100, 8192]))
def test_bins_are_no_wider_than_they_must_be(values: list[int], most_bins: int) -> None:
    spread = spread_of(values, most_bins)
    assert len(spread.counts) <= most_bins
    assert spread.width == 2**spread.shift
    narrower = spread.shift - 1
    assert narrower < 0 or (max(values) >> narrower) - (min(values) >> narrower) >= most_bins
    assert sorted(dict(spread)) == sorted({value >> spread.shift << spread.shift for value in values})


@given(VALUES, st.sampled_from([16, 8192]), st.integers(1, 50))
def test_quantiles_are_those_of_a_sorted_list(values: list[int], most_bins: int, unit: int) -> None:
    spread = spread_of(values, most_bins, unit)
    percents = [1, 5, 25, 50, 75, 95, 99, 100]
    in_order = sorted(values)
    expected = [in_order[-(-percent * len(values) // 100) - 1] for percent in percents]
    lowest_of_bin = [(value >> spread.shift << spread.shift) * unit for value in expected]
    assert spread.quantiles(percents) == lowest_of_bin
    assert all(0 <= value * unit - low < spread.width for value, low in zip(expected, lowest_of_bin, strict=True))
    if spread.shift == 0:
        at_least = in_order[len(values) // 2]
        assert spread.share(at_least * unit) == sum(value >= at_least for value in values) / len(values)
        assert spread.share(at_least * unit + 1) == sum(value > at_least for value in values) / len(values)


def test_spreads_that_count_in_different_units_do_not_mix() -> None:
    with pytest.raises(AssertionError, match="only like"):
        spread_of([1], 16, 100).merge(spread_of([1], 16, 25))


# Tallies and blocks


def told(tally: Tally) -> dict[str, Any]:
    """Everything in a tally except sums of squares: kernels add those up as floats, which depend on the order."""
    return {name: plain(value) for name, value in vars(tally).items() if name != "squares"}


def plain(value: object) -> object:
    """The same in values that can be compared."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    return look(value) if isinstance(value, Spread) else value.tolist() if isinstance(value, np.ndarray) else value


BINDING = [
    (PASS_ODDS, None, False),
    (PASS_ODDS, 6000, False),
    (PASS_ODDS, 6000, True),
    (strategy(*PASS_ODDS.rules, stop=Stop(win=2000, shooters=3, when_decided=True)), None, False),
]


@pytest.mark.parametrize(("played", "bankroll", "general"), BINDING)
def test_sessions_do_not_depend_on_how_they_are_split_into_blocks(
    played: Strategy, bankroll: int | None, general: bool
) -> None:
    """Sixteen are walked at a time: blocks of other sizes, and sessions in any order, give the same results in other
    ways."""
    engine = Engine(program(CRAPS, played), 100, bankroll, general)
    one = Worker(engine)
    whole = kept(one.block(9, 0, 70))
    for starts in ([0, 16, 32, 48, 64], [0, 5, 37, 38], [33, 0]):
        ends = [min([start for start in [*starts, 70] if start > first]) for first in starts]
        workers = [Worker(engine), Worker(engine)]
        for i, (first, end) in enumerate(zip(starts, ends, strict=True)):
            known = kept(workers[i % 2].block(9, first, end - first))
            assert [part[first:end].tolist() for part in whole[1:]] == [part.tolist() for part in known[1:]]
        workers[1].tally.merge(workers[0].tally)
        assert told(workers[1].tally) == told(one.tally)
        (counts, squares), (others, other_squares) = (whole_counts(engine, w.tally) for w in (one, workers[1]))
        assert counts == others
        assert [float(s) for s in squares] == pytest.approx([float(s) for s in other_squares], rel=1e-12)


def kept(known: Known) -> Known:
    return Known(known.first, *(part.copy() for part in known[1:]))


def test_tallies_merge_in_any_order_to_the_last_bit() -> None:
    engine = Engine(program(CRAPS, PASS_ODDS), 100, 6000)
    tallies = []
    for first in (0, 100, 200):
        worker = Worker(engine)
        worker.block(9, first, 100)
        tallies.append(worker.tally)

    def merged(order: Iterable[int]) -> Tally:
        tally = engine.tally()
        for place in order:
            tally.merge(tallies[place])
        return tally

    ways = [merged(order) for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0))]
    assert told(ways[0]) == told(ways[1]) == told(ways[2])
    assert ways[0].squares == ways[1].squares == ways[2].squares
    assert any(square > 0 for square in ways[0].squares)
    assert ways[0].sessions == 300


@pytest.mark.parametrize("seed", [0, 2**63 - 1, 2**63, 2**64 - 1])
@pytest.mark.parametrize("first", [0, 2**32 - 3, 10**13 - 20])
def test_blocks_begin_anywhere_and_with_any_seed(seed: int, first: int) -> None:
    played = case(CRAPS, PASS_ODDS)
    for bankroll in (None, 8000):
        engine = Engine(played.program, 50, bankroll)
        known = Worker(engine).block(seed, first, LANES + 2)
        kernels = [in_kernel(played.program, bankroll, played.dice(seed, first + i, 50)) for i in range(LANES + 2)]
        assert known.nets.tolist() == [kernel.net for kernel in kernels]
        assert len(set(known.nets.tolist())) > 5


LATE = 350_00  # many are ruined, some of them after the first throws that are drawn at once


@pytest.mark.parametrize("rolls", [1, 2, PART - 1, PART, PART + 1])
def test_sessions_as_long_as_what_is_drawn_at_once(rolls: int) -> None:
    """On the machine throughout, or first on it and then in the general kernel."""
    compare(case(CRAPS, PASS_ODDS), 3, rolls, 1, LANES + 1)
    compare(case(CRAPS, PASS_ODDS, LATE), 3, rolls, 1, LANES + 1)


def test_sessions_longer_than_what_is_drawn_at_once() -> None:
    stop = Stop(loss=LATE, rolls=2 * PART + 100)
    compared = compare(case(CRAPS, strategy(*PASS_ODDS.rules, stop=stop)), 3, 2 * PART + 200, 1, LANES + 1)
    lengths = compared.block.known.lengths
    assert lengths.min() < PART
    assert 2 * PART + 100 <= lengths.max() <= 2 * PART + 200  # a line wager with its point is waited for


def test_the_machine_is_left_late_in_a_session() -> None:
    worker = Worker(Engine(program(CRAPS, PASS_ODDS), 2 * PART, LATE))
    known = worker.block(3, 0, 200)
    ruined = known.lengths[known.reasons == n.RUINED]
    assert bool((ruined > PART).any())
    assert bool((ruined < PART).any())
    assert sum(worker.tally.counts) > 0
    assert int(worker.tally.visits.sum()) > 0


OWN_MARKS: list[tuple[str, Strategy, int | None]] = [
    ("walked", PASS_ODDS, None),
    ("on a machine and off it", PASS_ODDS, LATE),
    ("until a stop", strategy(*PASS_ODDS.rules, stop=Stop(win=20_00, loss=30_00)), None),
    ("in the general kernel", strategy(Bet(1, FIELD, ShareOfChips(Fraction(1, 50)))), LATE),
]


@pytest.mark.parametrize(("played", "bankroll"), [each[1:] for each in OWN_MARKS], ids=[each[0] for each in OWN_MARKS])
@pytest.mark.parametrize("rolls", [7, 50, PART + 30])
def test_results_at_the_points_of_a_fan_chart(played: Strategy, bankroll: int | None, rolls: int) -> None:
    """Only a few points, as in every simulation; elsewhere the result is compared after every throw."""
    here = case(CRAPS, played, bankroll)
    dice = [here.dice(3, session, rolls) for session in range(LANES + 3)]
    sessions = [in_kernel(here.program, bankroll, each) for each in dice]
    nets = [each.nets(rolls) for each in sessions]
    assert len(set(map(tuple, nets))) > LANES / 2
    for way in WAYS:
        engine = Engine(here.program, rolls, bankroll, general=way != "machine")
        assert len(engine.marks) == min(rolls, MOST_MARKS)
        assert engine.marks[-1] == rolls
        block = Block(engine, Worker(engine, np.array(dice, np.uint16) if way == "given" else None), 3, len(dice))
        expected = [[each[mark - 1] for mark in engine.marks] for each in nets]
        assert block.nets == expected
        points = list(zip(*expected, strict=True))
        assert block.tally.fan_nets == [sum(nets) for nets in points]
        assert [sorted(spread) for spread in block.tally.fan] == [sorted(Counter(nets).items()) for nets in points]


# Sums over very many sessions


def test_counts_are_exact_however_many_throws_were_made() -> None:
    """As if every throw of a small simulation had been made 2^36 times: each count is exactly that many times
    larger."""
    engine = Engine(program(CRAPS, PASS_ODDS, chip=1), 100, None)
    worker = Worker(engine)
    worker.block(1, 0, 64)
    counts, squares = whole_counts(engine, worker.tally)
    times = 2**36 + 12345
    for name in ("visits", "lasts", "ends"):
        setattr(worker.tally, name, getattr(worker.tally, name) * times)
    worker.tally.sessions *= times
    more, more_squares = whole_counts(engine, worker.tally)
    assert more == [count * times for count in counts]
    assert [float(s) for s in more_squares] == pytest.approx([float(s) * times for s in squares], rel=1e-12)


def test_large_stakes_are_counted_exactly() -> None:
    """Stakes of a hundred million over a million sessions: more cents than 64 bits can hold."""
    engine = Engine(program(SNAKE_EYES, strategy(Bet(1, FIELD, Fixed(10**10)))), 100, None)
    assert engine.machine is not None
    worker = Worker(engine)
    worker.block(1, 0, 64)
    counts, _ = whole_counts(engine, worker.tally)
    for name in ("visits", "lasts", "ends"):
        setattr(worker.tally, name, getattr(worker.tally, name) * 10**6)
    worker.tally.sessions *= 10**6
    worker.tally.net *= 10**6
    more, _ = whole_counts(engine, worker.tally)
    assert max(more) > 2**63
    assert more == [count * 10**6 for count in counts]
    figures = result_of(engine, worker.tally, strategy="", seed=1, seconds=1.0, pace=100.0, pay_table=None)
    assert sum(wager.net for wager in figures.wagers) == worker.tally.net / 100


@pytest.mark.parametrize(("kind", "wide"), [(10**5, False), (2 * 10**11, True)])
def test_results_that_do_not_fit_the_words_of_the_walk_are_left_to_the_general_kernel(kind: int, wide: bool) -> None:
    played = strategy(Bet(1, FIELD, Fixed(100)), Bet(2, Spot("any_seven"), Fixed(kind)))
    engine = Engine(program(CRAPS, played), 20, None)
    assert (engine.machine is None) == wide
    compare(case(CRAPS, played), 1, 20, 2, LANES + 1)


def test_sizes_that_cannot_be_counted_are_refused() -> None:
    plain = program(CRAPS, PASS)
    share = program(CRAPS, strategy(Bet(1, FIELD, ShareOfChips(Fraction(1, 50)))))
    huge = program(CRAPS, strategy(Bet(1, FIELD, Fixed(10**12))))
    for made, rolls, bankroll, code in [
        (plain, 0, None, "rolls_out_of_range"),
        (plain, 10**7 + 1, None, "rolls_out_of_range"),
        (plain, 100, 0, "amount_too_large"),
        (plain, 100, 10**12 + 1, "amount_too_large"),
        (share, 100, None, "bankroll_needed"),
        (huge, 10**7, None, "amount_too_large"),
    ]:
        with pytest.raises(Impossible) as caught:
            Engine(made, rolls, bankroll)
        assert caught.value.code == code


@pytest.mark.parametrize(
    "sign",
    [
        {"player_maximum": 1000},
        {"without": ("field",)},
        {"player_limits": {"player": PlayerSign(None, 1000)}},
        {"unit": 500},
        {"manual_dice": True},
        {"late_bets": True},
    ],
    ids=lambda sign: next(iter(sign)),
)
def test_tables_whose_signs_no_kernel_follows_are_refused(sign: dict[str, object]) -> None:
    with pytest.raises(Impossible, match="cannot be simulated") as caught:
        program(CRAPS, PASS, **sign)
    assert caught.value.code == "table_not_simulated"


def test_every_part_of_a_sign_is_followed_or_refused() -> None:
    """Chips, limits, units and fixed stakes are in the random strategies; the number of seats makes no difference."""
    followed = {"chip", "limit", "wager_limits", "single_limits", "exact_units", "fixed_stakes", "seats"}
    assert followed | set(NOT_FOLLOWED) == set(Settings.__struct_fields__)


def test_a_wager_whose_rules_no_kernel_knows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new modifier of a wager is not ignored: the wager is refused, and others can still be simulated."""
    monkeypatch.setattr(kernel_program, "KNOWN", kernel_program.KNOWN - {"behind"})
    program(CRAPS, PASS)
    odds = load_strategy("pass-double-odds", SHELF.game(SHELF.terms(CRAPS)))
    with pytest.raises(
        Impossible, match=r"Behind the Win Line cannot be simulated: .* behind is not supported"
    ) as caught:
        program(CRAPS, odds)
    assert (caught.value.code, caught.value.clause) == ("wager_not_simulated", "6.2.5")


def test_every_modifier_of_a_wager_is_known() -> None:
    assert set(schema.Wager.__struct_fields__) == kernel_program.KNOWN


# Machines


def machine_of(book: str, played: Strategy) -> tuple[int, int]:
    """How many states go on, and how many end a session."""
    machine = product_of(program(book, played))
    assert machine is not None
    return machine.first_ended, len(machine.states) - machine.first_ended


COME, COME_6 = Bet(1, Spot("come"), Fixed(500)), TimesSpot(Fraction(1), Spot("come", 6))
ONE_NUMBER = strategy(COME, Bet(2, Spot("behind_come", 6), COME_6))
SIZES: list[tuple[str, Strategy, int, int]] = [
    (CRAPS, PASS, 7, 0),  # the puck is off, or on one of six points; the line is always there
    (CRAPS, PASS_ODDS, 7, 0),  # and behind it there is always as much as there should be
    (CRAPS, strategy(Bet(1, LINE, Fixed(500)), Take(2, LINE)), 7, 0),  # taken back at once, before each come-out
    (CRAPS, strategy(Bet(1, Spot("any_craps"), Fixed(100))), 7, 0),  # the puck passes the dice, so it is followed
    (SNAKE_EYES, strategy(Bet(1, FIELD, Fixed(100))), 1, 0),
    (SNAKE_EYES, strategy(Bet(1, FIELD, Fixed(100)), stop=Stop(shooters=1)), 1, 1),
    (SNAKE_EYES, strategy(Bet(1, FIELD, Fixed(100)), stop=Stop(rolls=3)), 3, 1),
    (SNAKE_EYES, strategy(Bet(1, FIELD, Fixed(100), at_most=2, per="shooter")), 3, 0),  # none, one or two since a 7
    (SNAKE_EYES, strategy(Bet(1, FIELD, TimesSpot(Fraction(1), Spot("five")))), 1, 0),  # nothing is ever staked
    (SIC_BO, MARTINGALE, 3, 0),
    (TWO_UP, strategy(Bet(1, HEADS, Fixed(100))), 5, 0),  # no Odds, or one to four of them in a row
    # Come wagers on any of six numbers while the puck is off; while it is on, on any of the five others.
    (CRAPS, strategy(COME), 2**6 + 6 * 2**5, 0),
]


@pytest.mark.parametrize(("book", "played", "going", "ended"), SIZES)
def test_a_machine_has_the_states_that_can_be_reached(book: str, played: Strategy, going: int, ended: int) -> None:
    assert machine_of(book, played) == (going, ended)


def test_sessions_that_are_over_stay_over() -> None:
    machine = product_of(program(SNAKE_EYES, strategy(Bet(1, FIELD, Fixed(100)), stop=Stop(rolls=3, shooters=2))))
    assert machine is not None
    over = np.arange(machine.first_ended, len(machine.states))
    rows = [part.reshape(-1, machine.outcomes) for part in (machine.targets, machine.results)]
    assert len(over) >= 2
    assert bool((rows[0][over] == over[:, None]).all())
    assert bool((rows[1][over] == 0).all())
    assert bool((rows[1][: machine.first_ended] != 0).any())
    assert set(machine.reasons[over].tolist()) == {n.SHOOTERS_DONE, n.ROLLS_DONE}


def test_every_state_is_reached_once_and_leads_somewhere() -> None:
    machine = product_of(program(CRAPS, ONE_NUMBER))
    assert machine is not None
    assert len(np.unique(machine.states, axis=0)) == len(machine.states)
    assert set(machine.targets.tolist()) | {machine.start // 36} == set(range(len(machine.states)))
    assert bool((machine.table & 0xFFFFFFFF == machine.targets * 36).all())
    assert bool(((machine.table >> 32) * machine.unit == machine.results).all())


def test_outcomes_that_nothing_tells_apart_are_made_once() -> None:
    """A line depends only on the total, and of the totals that are not a point there are three kinds: 2, 3 and 12
    lose, 7 and 11 do not."""
    _, classes = outcome_classes(program(CRAPS, PASS).tables)
    totals = [sum(faces) for faces in SHELF.book(CRAPS).outcomes.all]  # type: ignore[arg-type]
    kinds = {
        total: {int(kind) for kind, fell in zip(classes, totals, strict=True) if fell == total} for total in totals
    }
    assert all(len(kind) == 1 for kind in kinds.values())
    assert kinds[2] == kinds[3] == kinds[12]
    assert len({next(iter(kind)) for kind in kinds.values()}) == 6 + 1 + 1 + 1
    asking = strategy(Bet(1, LINE, Fixed(500), Guard((ResultIs(frozenset({0, 1})),))))
    assert len(set(outcome_classes(program(CRAPS, asking).tables)[1].tolist())) == 9 + 1


def up_and_down(most: int) -> Strategy:
    """A stake that grows by a chip after a loss and shrinks by one after a win: every amount is another state."""
    moving = Progression("up", (FIELD,), Move("add", Fraction(-100)), Move("add", Fraction(100)), start=100, most=most)
    return strategy(Bet(1, FIELD, FromProgression(Fraction(1), 0)), progressions=(moving,))


def test_states_are_numbered_by_the_throws_that_lead_to_them_and_then_by_what_they_are() -> None:
    """So a machine is the same however it was found, and so are the sums of floats over it."""
    machine = product_of(program(CRAPS, up_and_down(3000)))
    assert machine is not None
    assert len(machine.states) == machine.first_ended > 200
    targets = machine.targets.reshape(-1, machine.outcomes).tolist()
    away, queue = {0: 0}, [0]
    for here in queue:
        new = [there for there in dict.fromkeys(targets[here]) if there not in away]
        away |= dict.fromkeys(new, away[here] + 1)
        queue += new
    keys = [(away[number], machine.states[number].tobytes()) for number in range(len(machine.states))]
    assert keys == sorted(keys)


def test_a_machine_is_the_same_however_often_room_is_made_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made = program(CRAPS, ONE_NUMBER)
    whole = product_of(made)
    monkeypatch.setattr(product_kernel, "FEW", 1)
    bit_by_bit = product_of(made)
    assert whole is not None
    assert bit_by_bit is not None
    for name in ("states", "targets", "results", "needs"):
        assert np.array_equal(getattr(whole, name), getattr(bit_by_bit, name))


def test_a_stake_that_grows_and_grows_does_not_keep_anybody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test counts work, not time: every state is examined once and indexed a few times, and the search stops as
    soon as there are too many."""
    calls: list[tuple[int, int]] = []

    def counted(*arguments: Any) -> None:  # noqa: ANN401
        come = arguments[6]
        done, known = come.tolist()
        explore_part(*arguments)
        assert come[product_kernel.DONE] > done
        calls.append((known, int(come[product_kernel.KNOWN])))

    explore_part = product_kernel._explore
    monkeypatch.setattr(product_kernel, "_explore", counted)
    most = 100_000 // 36
    assert product_of(program(CRAPS, up_and_down(10**9)), 100_000) is None
    assert calls[-1][1] <= most + 1 + 2 * 36
    assert sum(known for known, _ in calls) <= 2 * most, "each time room is made, all that is known goes into the index"
    assert len(calls) > 1


def test_a_machine_that_grows_too_large_is_not_made() -> None:
    made = program(CRAPS, PASS)
    assert product_of(made, 7 * 36) is not None
    assert product_of(made, 7 * 36 - 1) is None
    many = strategy(*(Bet(1, Spot("hardway", pick), Fixed(100), at_most=400) for pick in (4, 6, 8, 10)))
    assert product_of(program(SNAKE_EYES, many), 200_000) is None
    assert MOST_ENTRIES > 200_000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("croupier.simulation.kernels.engine.product_of", lambda made: product_of(made, 7 * 36 - 1))
        engine = Engine(made, 50, None)
        assert engine.machine is None
        general = Worker(engine).block(1, 0, 20)
    assert general.nets.tolist() == Worker(Engine(made, 50, None)).block(1, 0, 20).nets.tolist()


ASKING: list[tuple[Rule, bool]] = [
    (Bet(1, FIELD, Fixed(100)), False),
    (Bet(1, FIELD, Fixed(100), or_less=True), False),
    (Bet(1, FIELD, ShareOfChips(Fraction(1, 10))), True),
    (Bet(1, FIELD, Most()), True),
    (Bet(1, ODDS, Most()), False),
    (Bet(1, ODDS, Most(), insist=True), True),  # behind nothing it is all chips in hand, which the table refuses
    (Bet(1, FIELD, Fixed(100), Guard((Compare(Chips(), "above", 0),))), True),
    (Bet(1, FIELD, Fixed(100), Guard((), (Compare(Net(), "above", 0),))), True),
    (Call(1, Spot("hardway", 4), True), False),
]


@pytest.mark.parametrize(("rule", "asks"), ASKING)
def test_what_asks_for_money_has_no_machine(rule: Rule, asks: bool) -> None:
    assert (product_of(program(CRAPS, strategy(rule))) is None) == asks


def test_the_sign_may_say_how_much_is_most() -> None:
    assert product_of(program(CRAPS, strategy(Bet(1, FIELD, Most())), limit=Limit(None, 1000))) is not None
    assert product_of(program(SIC_BO, strategy(Bet(1, Spot("super_streak", "size"), Most())))) is not None


# What was found to be wrong once


def test_a_single_large_result_is_not_the_result_of_the_session() -> None:
    """A win on one throw after large losses is not the win at which the player leaves; nor is a loss after a win."""
    for stop in (Stop(win=150), Stop(loss=350), Stop(win=1500, loss=350, when_decided=True)):
        for wager, stake in (("field", 100), ("field", 400), ("craps_two", 100)):
            compare(case(CRAPS, strategy(Bet(1, Spot(wager), Fixed(stake)), stop=stop)), 1, 60, 3, 40)


@pytest.mark.parametrize("bankroll", [1, 99, 499, 500, 501, 1499, 1500])
def test_a_bankroll_that_does_not_reach_for_the_first_bets(bankroll: int) -> None:
    compare(case(CRAPS, PASS_ODDS, bankroll), 1, 30, 3, LANES + 3)


def test_a_bankroll_that_cannot_be_lost_is_walked() -> None:
    """Ten throws cost 15.00 each at the worst, and then the line and its Behind wager are due once more."""
    for bankroll, walked in ((16500, True), (16499, False)):
        assert Engine(program(CRAPS, PASS_ODDS), 10, bankroll).has_equal_lengths == walked
        compare(case(CRAPS, PASS_ODDS, bankroll), 1, 10, 2, LANES + 3)
    stop = strategy(*PASS_ODDS.rules, stop=Stop(win=1000))
    assert not Engine(program(CRAPS, stop), 10, 10**6).has_equal_lengths


@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_a_strategy_that_stops_with_the_last_roll_of_all_says_why(rolls: int) -> None:
    """The strategy's own reasons come before the limit of the simulation; ruin follows from the rules, which do not."""
    played = case(SNAKE_EYES, strategy(Bet(1, FIELD, Fixed(100)), stop=Stop(rolls=rolls)))
    assert {each.ended for each in compare(played, 1, rolls, 3, LANES + 3).played} == {"strategy rolls"}
    nothing = strategy(
        Bet(1, FIELD, Fixed(100), at_most=rolls), Bet(2, Spot("five"), TimesSpot(Fraction(1, 200), FIELD))
    )
    compare(case(SNAKE_EYES, nothing), 1, rolls, 3, LANES + 3)


def test_a_condition_on_every_result_there_is_holds_after_the_first_throw() -> None:
    every = ResultIs(frozenset(range(36)))
    for guard in (
        Guard((every,)),
        Guard((), (every,)),
        Guard((ResultIs(frozenset()),)),
        Guard((), (ResultIs(frozenset()),)),
    ):
        compare(case(SNAKE_EYES, strategy(Bet(1, FIELD, Fixed(100), guard))), 1, 10, 2, LANES + 1)


@pytest.mark.parametrize("or_less", [False, True])
def test_behind_nothing_the_most_is_all_chips_in_hand(or_less: bool) -> None:
    """With chips in hand the table then says what is missing; with too few or none it says that first."""
    behind = [Bet(2, spot, Most(), insist=True, or_less=or_less) for spot in (ODDS, Spot("behind_come", 6))]
    played = strategy(Bet(1, LINE, Fixed(100)), *behind)
    tables = [(None, Limit()), (900, Limit()), (50, Limit()), (900, Limit(1000)), (5000, Limit(None, 1000))]
    for bankroll, limit in tables:
        compare(case(CRAPS, played, bankroll, limit=limit), 1, 30, 2, LANES + 1)


def test_what_would_come_to_less_with_fewer_chips_is_asked_of_the_general_kernel() -> None:
    """With chips for it the bet is refused, since the line is locked; with no chips it comes to what is already on
    the line."""
    more = Bet(2, LINE, Fixed(500), Guard((PUCK_ON,)), adds=True, or_less=True, insist=True)
    compare(case(CRAPS, strategy(Bet(1, LINE, Fixed(300)), more), 300), 1, 40, 3, LANES + 3)


def test_an_amount_without_a_ceiling_goes_on_growing() -> None:
    more = Progression("", (FIELD,), Move("add", Fraction(100)), Move("add", Fraction(50)), start=100)
    asking = Guard((Compare(Net(), "above", -(10**9)),))  # a machine would grow as well, without success
    played = strategy(Bet(1, FIELD, FromProgression(Fraction(1), 0), asking), progressions=(more,))
    compared = compare(case(SNAKE_EYES, played), 1, 60, 2, LANES + 1)
    assert max(turn.standing[FIELD] for turn in compared.played[0].seen if turn.standing) > 3000


@pytest.mark.parametrize("leave", [100, 300, 700])
def test_what_shrinks_behind_a_wager_stays_in_its_units(leave: int) -> None:
    flat, behind = Spot("dont_win"), Spot("behind_dont_win")
    rules = [Bet(1, flat, Fixed(1000)), Bet(2, behind, Most())]
    less = Take(3, flat, Guard((Compare(Count((behind,)), "is", 1),)), leave)
    for exact_units in (True, False):
        played = compare(case(CRAPS, strategy(*rules, less), exact_units=exact_units), 1, 60, 3, LANES + 1).played
        assert {turn.standing[flat] for each in played for turn in each.seen if behind in turn.standing} == {leave}


def test_commission_is_paid_out_of_the_last_chips() -> None:
    """Commission is cut to the cent, so that a cent of it more or less decides how much can be laid."""
    for wager in ("buy", "lay"):
        for bankroll in (*range(1, 60, 3), *range(2000, 2045, 4)):
            played = strategy(Bet(1, Spot(wager, 4), Fixed(3000), or_less=True))
            compare(case(CRAPS, played, bankroll, chip=1), bankroll, 20, 1, LANES + 1)


@pytest.mark.parametrize("wager", ["buy", "lay"])
def test_an_increase_pays_what_the_whole_stake_owes_more(wager: str) -> None:
    """Slices so small that none owes a cent by itself: the second brings the stake to 38 cents, which owes one."""
    spot = Spot(wager, 4)
    slices = [Bet(number, spot, Fixed(19 * number), adds=True) for number in (1, 2)]
    rest = Bet(3, spot, Fixed(3000), adds=True, or_less=True)
    for bankroll in (None, *range(20, 60, 3), *range(2000, 2045, 4)):
        rules = slices if bankroll is None else [*slices, rest]
        compare(case(CRAPS, strategy(*rules), bankroll, chip=1), bankroll or 1, 20, 1, LANES + 1)


# Progressions, and how players leave


def test_all_that_one_throw_won_is_added_to_a_progression() -> None:
    """A throw of 1, 2 and 2 wins Small at 1 to 1 and the Single Die 2 at 2 to 1: three times the stake is added."""
    die = Spot("single_die", 2)
    for share, after in ((Fraction(1), 400), (Fraction(1, 2), 200), (Fraction(1, 4), 100)):
        adding = Progression("", (SMALL, die), Move("add_won", share), Move("first"), start=100, most=100_000)
        bets = [Bet(number, spot, FromProgression(Fraction(1), 0)) for number, spot in ((1, SMALL), (2, die))]
        here = case(SIC_BO, strategy(*bets, progressions=(adding,)))
        index = SHELF.book(SIC_BO).outcomes.index
        dice = [index[1, 2, 2], index[6, 6, 6], index[1, 1, 1]]
        for played in (in_kernel(here.program, None, dice), at_table(here, dice, Witness())):
            assert [seen.standing for seen in played.seen[:3]] == [
                {SMALL: 100, die: 100},
                {SMALL: after, die: after},
                {SMALL: 100, die: 100},
            ]
        witness = compare(here, 2, 60, 2, LANES + 1).witness
        assert {"moved by add_won", "moved by several wins of one throw"} <= witness.noted


PLACE, STREAK, SPINNER = Spot("place_to_win", 6), Spot("super_streak", "size"), Spot("spinner", "heads")
# Called Off, a wager sleeps: not even a 7 decides it.
ASLEEP: list[Rule] = [Bet(1, PLACE, Fixed(600), Guard((PUCK_ON,))), Call(2, PLACE, on=False), Bet(3, FIELD, Fixed(500))]
STANDING: list[tuple[str, str, list[Rule], tuple[str, ...]]] = [
    ("locked line", CRAPS, [Bet(1, LINE, Fixed(500)), Bet(2, FIELD, Fixed(500))], ("win", "loss", "strategy rolls")),
    ("locked streak", SIC_BO, [Bet(1, STREAK, Most()), Bet(2, Spot("odd"), Fixed(500))], ("win", "strategy rolls")),
    ("locked streak", SIC_BO, [Bet(1, STREAK, Most()), Bet(2, Spot("odd"), Fixed(900))], ("loss",)),
    ("locked spinner", TWO_UP, [Bet(1, SPINNER, Fixed(500)), Bet(2, HEADS, Fixed(500))], ("win", "strategy rolls")),
    ("locked spinner", TWO_UP, [Bet(1, SPINNER, Fixed(500)), Bet(2, Spot("tails"), Fixed(900))], ("loss",)),
    ("hardway", SNAKE_EYES, [Bet(1, Spot("hardway", 4), Fixed(500)), Bet(2, FIELD, Fixed(500))], ("win", "loss")),
    ("asleep", CRAPS, ASLEEP, ("win", "loss", "strategy rolls", "shooters")),
]
LEAVING = [(name, book, rules, reason) for name, book, rules, reasons in STANDING for reason in reasons]
REASONS = {
    "win": Stop(win=1000),
    "loss": Stop(loss=1000),
    "strategy rolls": Stop(rolls=7),
    "shooters": Stop(shooters=1),
}


@pytest.mark.parametrize("when_decided", [False, True], ids=["at once", "when decided"])
@pytest.mark.parametrize(
    ("name", "book", "rules", "reason"), LEAVING, ids=[f"{name}-{why}" for name, _, _, why in LEAVING]
)
def test_who_leaves_takes_down_what_may_be_and_waits_for_the_rest(
    name: str, book: str, rules: list[Rule], reason: str, when_decided: bool
) -> None:
    """A locked wager is never up when the dice pass on: that throw decides it."""
    leaving = msgspec.structs.replace(REASONS[reason], when_decided=when_decided)
    compared = compare(case(book, strategy(*rules, stop=leaving)), 4, 60, 10, LANES + 3)
    noted = compared.witness.noted
    waits = when_decided or name.startswith("locked")
    assert (f"waited {'when decided' if when_decided else 'at once'}: {reason}" in noted) == waits
    assert ("taken down when leaving" in noted) == (not waits)
    gone = [each for each in compared.played if each.ended != "rolls"]
    assert {each.ended for each in gone} == ({reason} if gone else set())
    assert not any(each.seen[-1].standing for each in gone)
    assert len(gone) > 5 or (name == "asleep" and when_decided)


def test_who_is_left_with_nothing_by_the_last_throw_is_ruined() -> None:
    """This holds though no rule is applied after it, and also for a player who leaves with too little for another
    bet."""
    for rolls in (1, 2, 3):
        compared = compare(case(SNAKE_EYES, strategy(Bet(1, FIELD, Fixed(100))), rolls * 100), 1, rolls, 12, LANES + 3)
        assert "ruined after the last throw" in compared.witness.noted
        assert {each.ended for each in compared.played} == {"ruined", "rolls"}
    for stop in (Stop(loss=300), Stop(rolls=1), Stop(rolls=1, when_decided=True)):
        poor = case(CRAPS, strategy(Bet(1, LINE, Fixed(300)), stop=stop), 500)
        compared = compare(poor, 1, 40, 8, LANES + 3)
        assert "ruined when leaving" in compared.witness.noted
        last = [(each.ended == "ruined", each.seen[-1]) for each in compared.played]
        assert all(ruined == (seen.chips < 300 and not seen.standing) for ruined, seen in last)


def test_what_still_stands_after_the_last_throw_is_no_ruin() -> None:
    """All chips are on the layout, and none are in hand; with unlimited chips no one is ruined either."""
    here = case(CRAPS, strategy(Bet(1, LINE, Fixed(500))), 500)
    compared = compare(here, 1, 1, 8, LANES + 3)
    standing = [each for each in compared.played if each.seen[-1].standing]
    assert standing
    assert {(each.seen[-1].chips, each.ended) for each in standing} == {(0, "rolls")}


# Exact sessions

FLAT: list[tuple[str, list[tuple[Spot, int]]]] = [
    (CRAPS, [(LINE, 500)]),
    (CRAPS, [(LINE, 500), (ODDS, 1000)]),
    (CRAPS, [(Spot("dont_win"), 500), (Spot("hardway", 6), 100), (Spot("buy", 4), 2000)]),
    (SIC_BO, [(SMALL, 300), (Spot("any_triple"), 100)]),
    (TWO_UP, [(HEADS, 500), (Spot("spinner", "tails"), 100)]),
    (SNAKE_EYES_NZ, [(Spot("hardway_combo"), 700), (FIELD, 200)]),
]


@pytest.mark.parametrize(("book", "wagers"), FLAT)
def test_an_exact_session_is_that_of_the_same_flat_plan(book: str, wagers: list[tuple[Spot, int]]) -> None:
    """Computed separately over all sequences of throws, in fractions."""
    plan = Plan(SHELF.game(SHELF.terms(book)), tuple(Lot(spot.wager, cents, spot.pick) for spot, cents in wagers), 100)
    played = strategy(*(Bet(1, spot, Fixed(cents)) for spot, cents in wagers))
    for rolls in (1, 2, 30):
        moments = session(plan, rolls).moments
        exact = exact_session(Engine(program(book, played), rolls, None))
        assert exact is not None
        assert exact.mean == pytest.approx(float(moments.mean), rel=1e-9, abs=1e-9)
        assert exact.deviation == pytest.approx(sqrt(moments.variance), rel=1e-9)


UP = Progression("up", (HEADS,), Move("first"), Move("next"), steps=(100, 200, 400), at_end="first")
TINY: list[tuple[str, int, Strategy]] = [
    (TWO_UP, 5, strategy(Bet(1, HEADS, FromProgression(Fraction(1), 0)), progressions=(UP,))),
    (TWO_UP, 5, strategy(Bet(1, HEADS, Fixed(100)), stop=Stop(rolls=3, when_decided=True))),
    (CRAPS, 2, PASS_ODDS),
    (SNAKE_EYES, 2, strategy(Bet(1, Spot("hardway", 4), Fixed(300)), Bet(2, FIELD, Fixed(100)), stop=Stop(shooters=1))),
]


@pytest.mark.parametrize(("book", "rolls", "played"), TINY)
def test_an_exact_session_is_that_of_every_sequence_of_throws(book: str, rolls: int, played: Strategy) -> None:
    """Each sequence is played at a real table."""
    tiny = case(book, played)
    sequences = list(product(range(len(SHELF.book(book).outcomes)), repeat=rolls))
    nets = [at_table(tiny, dice, Witness()).net for dice in sequences]
    exact = exact_session(Engine(tiny.program, rolls, None))
    assert exact is not None
    mean = Fraction(sum(nets), len(nets))
    variance = Fraction(sum(net * net for net in nets), len(nets)) - mean**2
    assert len(set(nets)) > 3
    assert exact.mean == pytest.approx(float(mean), rel=1e-9)
    assert exact.deviation == pytest.approx(sqrt(variance), rel=1e-9)


def test_there_is_no_exact_session_where_money_can_end_it_or_it_would_take_long() -> None:
    made = program(CRAPS, PASS)
    assert exact_session(Engine(made, 144, None)) is not None
    assert exact_session(Engine(made, 144, 10**6)) is None
    assert exact_session(Engine(made, 144, None, general=True)) is None
    assert exact_session(Engine(made, MOST_STEPS // (7 * 36) + 1, None)) is None
    for stop in (Stop(win=500), Stop(loss=500)):
        assert exact_session(Engine(program(CRAPS, strategy(*PASS.rules, stop=stop)), 144, None)) is None


def test_simulated_sessions_are_spread_as_they_must_be() -> None:
    """Mean and variance of sessions of an included strategy, within four standard errors of the exact ones."""
    engine = Engine(program(CRAPS, load_strategy("three-point-molly", SHELF.game(SHELF.terms(CRAPS)))), 144, None)
    worker = Worker(engine)
    for first in range(0, 200_000, engine.block_size):
        worker.block(77, first, engine.block_size)
    tally, exact = worker.tally, exact_session(engine)
    assert exact is not None
    mean = tally.net / tally.sessions
    assert abs(mean - exact.mean) < 4 * exact.deviation / sqrt(tally.sessions)
    variance = tally.net_squares / tally.sessions - mean**2
    fourth = sum((value - mean) ** 4 * count for value, count in tally.finals) / tally.sessions
    assert abs(variance - exact.deviation**2) < 4 * sqrt((fourth - variance**2) / tally.sessions)
