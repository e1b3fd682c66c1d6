"""Runs on this machine, and from Python: the same numbers however the work is divided, and a proper end."""

from __future__ import annotations

import pickle
import re
import shutil
import signal
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable
from inspect import signature
from itertools import pairwise
from math import inf, isnan, nan
from pathlib import Path
from random import Random
from time import sleep
from typing import Any, get_type_hints

import msgspec
import numpy as np
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier import rulebooks, strategies
from croupier.cli.main import main
from croupier.execution import cluster, local, python_strategies
from croupier.execution.local import AHEAD, interruptible, run
from croupier.execution.simulating import AnyStrategy, Keywords, Simulation, plan_of, results, simulate
from croupier.execution.simulation_plan import (
    DEFAULTS,
    Counted,
    Crew,
    Options,
    Pairs,
    SimulationPlan,
    block_size,
    described,
)
from croupier.execution.worker import packed, unpacked
from croupier.money import MoneyError
from croupier.rules.errors import Impossible, RuleBookError
from croupier.simulation.kernels import engine
from croupier.simulation.kernels.engine import Known
from croupier.simulation.reading.reader import included, load_strategy
from croupier.simulation.reading.shapes import StrategyError
from croupier.simulation.reference.player import Session
from croupier.simulation.reference.seat import Seat
from croupier.simulation.results import Result, WagerFigures
from croupier.simulation.strategy import Bet, Most, Spot, Strategy
from tests.runs import BOUND, BY_SHARES, CRAPS, FLAT, plain, small_order, whole_numbers
from tests.tables import SHELF
from tests.waiting import until

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of some hundred sessions instead of many thousand, so that a short run has many."""
    monkeypatch.setattr(engine, "BLOCK_THROWS", 2**14)


def played(order: SimulationPlan, jobs: int = 1) -> Counted:
    counted, complete = run(order, order.engines(), jobs)
    assert complete
    return counted


# -- the same numbers -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("names", [(FLAT,), (BOUND,), (BY_SHARES,), (FLAT, BOUND, BY_SHARES)], ids="+".join)
def test_any_number_of_jobs_gives_the_same_numbers(names: tuple[str, ...]) -> None:
    order = small_order(*names)
    engines = order.engines()
    assert order.sessions > 5 * block_size(engines)
    one, two, three = (plain(run(order, engines, jobs)[0]) for jobs in (1, 2, 3))
    assert one == two == three


def test_a_flat_strategy_without_a_bankroll_gives_the_same_numbers_too() -> None:
    """Its sessions are walked sixteen at a time, and the remainder at the end of a block one by one."""
    order = small_order(FLAT, bankroll=None, sessions=70_003, rolls=31)
    engines = order.engines()
    assert engines[0].has_equal_lengths
    assert order.sessions > block_size(engines)
    assert plain(run(order, engines, 1)[0]) == plain(run(order, engines, 2)[0])


@pytest.mark.parametrize("names", [(FLAT,), (BOUND, BY_SHARES)], ids="+".join)
@given(cuts=st.lists(st.integers(1, 299), unique=True, max_size=6), chance=st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_any_split_into_blocks_gives_the_same_numbers(names: tuple[str, ...], cuts: list[int], chance: Random) -> None:
    order = small_order(*names, sessions=300, bankroll=None if names == (FLAT,) else "200.00")
    engines = ENGINES.setdefault(names, order.engines())
    ends = [0, *sorted(cuts), 300]
    parts = list(pairwise(ends))
    chance.shuffle(parts)
    together = Crew(engines).counted
    for first, last in parts:
        crew = Crew(engines)
        crew.block(order.seed, first, last - first)
        together.merge(crew.counted)
    whole = Crew(engines)
    whole.block(order.seed, 0, 300)
    assert whole_numbers(together) == whole_numbers(whole.counted)
    for parted, at_once in zip(together.tallies, whole.counted.tallies, strict=True):
        assert [float(x) for x in parted.squares] == pytest.approx([float(x) for x in at_once.squares], rel=1e-12)


ENGINES: dict[tuple[str, ...], list[engine.Engine]] = {}


@pytest.mark.usefixtures("small_blocks")
def test_strategies_side_by_side_are_played_as_each_would_be_alone() -> None:
    both = played(small_order(BOUND, BY_SHARES), 2)
    for place, name in enumerate((BOUND, BY_SHARES)):
        assert plain(played(small_order(name)))["tallies"] == [plain(both)["tallies"][place]]


def test_differences_are_reckoned_session_by_session() -> None:
    nets: list[list[Known]] = []
    order = small_order(BOUND, BY_SHARES, FLAT)
    counted, _ = run(order, order.engines(), 2, each=nets.append)
    first, *others = (np.concatenate([block[i].nets for block in nets]) for i in range(3))
    for pairs, other in zip(counted.pairs, others, strict=True):
        differences = (other - first) / 100
        assert pairs.mean == pytest.approx(differences.mean())
        assert pairs.mean_se == pytest.approx(differences.std(ddof=1) / np.sqrt(order.sessions))


@pytest.mark.parametrize("value", [1, 10**9, 3 * 10**9])
def test_differences_of_any_size_are_squared_exactly(value: int) -> None:
    """Up to what a word can hold at once, and beyond it."""
    pairs = Pairs()
    pairs.add(np.array([value, -value, 3], np.int64))
    assert (pairs.sessions, pairs.sum, pairs.squares) == (3, 3, 2 * value**2 + 9)


def test_other_seeds_give_other_numbers() -> None:
    nets = {played(small_order(BOUND, seed=seed)).tallies[0].net for seed in (0, 1, 2**32, 2**64 - 1)}
    assert len(nets) == 4


# -- an end in good order ---------------------------------------------------------------------------------------------

CHILD = """
import sys
from croupier.execution.local import run
from tests.runs import BOUND, BY_SHARES, small_order
order = small_order(BOUND, BY_SHARES, sessions=10**9)
handed_on = []
told = lambda sessions: print("going", flush=True)
each = (lambda block: handed_on.append(len(block[0].nets))) if sys.argv[1] == "each" else None
counted, complete = run(order, order.engines(), 2, told, each)
print("done", complete, counted.sessions, *(tally.net for tally in counted.tallies), sum(handed_on))
"""


@pytest.mark.parametrize("each", ["each", "nobody"])
def test_an_interrupted_run_ends_with_the_first_so_many_sessions(each: str) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, each], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent
    )
    assert child.stdout is not None
    with child.stdout:
        assert child.stdout.readline() == "going\n"
        child.send_signal(signal.SIGINT)
        *_, last = child.stdout
    assert child.wait(timeout=30) == 0
    done, complete, sessions, *nets, handed_on = last.split()
    assert (done, complete) == ("done", "False")
    again = played(small_order(BOUND, BY_SHARES, sessions=int(sessions)), 2)
    assert [tally.net for tally in again.tallies] == [int(net) for net in nets]
    assert handed_on == (sessions if each == "each" else "0")


def test_what_is_interrupted_again_and_again_still_ends_in_good_order(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped, asked = threading.Event(), 0

    def interrupted(*_: object) -> None:
        nonlocal asked
        asked += 1
        if asked < 5:
            raise KeyboardInterrupt
        stopped.wait(5)

    def stop() -> None:
        if asked >= 3:
            stopped.set()

    monkeypatch.setattr(local, "wait", interrupted)
    assert interruptible(lambda: stopped.wait(5) and "all that was done", stop) == ("all that was done", True)


def test_a_run_interrupted_before_its_first_session_has_nothing_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    order = small_order(FLAT)
    engines = order.engines()
    monkeypatch.setattr(local._Line, "take", lambda _: None)
    with pytest.raises(KeyboardInterrupt):
        run(order, engines)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("where", ["told", "each"])
def test_what_goes_wrong_while_results_are_taken_in_reaches_the_caller(where: str) -> None:
    order = small_order(FLAT, sessions=10**8)
    heard = 0

    def fails(_: object) -> None:
        nonlocal heard
        heard += 1
        if heard == 3:
            raise OSError("the disk is full")

    taking: dict[str, Any] = {where: fails}
    with pytest.raises(OSError, match="the disk is full"):
        run(order, order.engines(), 2, **taking)
    assert heard < 20


@pytest.mark.usefixtures("small_blocks")
def test_what_goes_wrong_in_a_worker_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    order = small_order(FLAT, sessions=10**8)
    engines = order.engines()
    plays = Crew.block

    def fails(crew: Crew, seed: int, first: int, sessions: int) -> list[Known]:
        if first > 5 * block_size(engines):
            raise MemoryError("no room")
        return plays(crew, seed, first, sessions)

    monkeypatch.setattr(Crew, "block", fails)
    with pytest.raises(MemoryError, match="no room"):
        run(order, engines, 3)


# -- memory -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("jobs", [1, 3])
def test_blocks_are_handed_on_in_order(jobs: int) -> None:
    order = small_order(BOUND, BY_SHARES)
    blocks: list[list[Known]] = []
    counted, _ = run(order, order.engines(), jobs, each=blocks.append)
    assert len(blocks) > 5
    for place, tally in enumerate(counted.tallies):
        assert [block[place].first for block in blocks] == list(range(0, order.sessions, len(blocks[0][0].nets)))
        nets, falls, lengths, reasons = (np.concatenate([block[place][i] for block in blocks]) for i in range(1, 5))
        assert (nets.sum(), falls.sum(), lengths.sum()) == (tally.net, tally.fall, tally.rolls)
        assert np.bincount(reasons, minlength=len(tally.reasons)).tolist() == tally.reasons


@pytest.mark.usefixtures("small_blocks")
def test_a_slow_writer_makes_workers_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    order = small_order(FLAT, sessions=8000)
    engines, jobs = order.engines(), 3
    lock, plays = threading.Lock(), Crew.block
    under_way, written, ahead = 0, 0, []

    def block(crew: Crew, *sessions: int) -> list[Known]:
        nonlocal under_way
        with lock:
            under_way += 1
            ahead.append(under_way - written)
        return plays(crew, *sessions)

    def write(_: object) -> None:
        nonlocal written
        until(lambda: written > 0 or under_way > jobs)  # the first takes so long that workers get ahead
        with lock:
            written += 1

    monkeypatch.setattr(Crew, "block", block)
    run(order, engines, jobs, each=write)
    assert written == -(-order.sessions // block_size(engines)) > 20
    assert jobs < max(ahead) <= AHEAD * jobs


@pytest.mark.usefixtures("small_blocks")
def test_workers_wait_for_one_who_is_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    order, jobs = small_order(FLAT, sessions=20_000), 2
    engines = order.engines()
    begun: list[int] = []
    plays = Crew.block

    def block(crew: Crew, seed: int, first: int, sessions: int) -> list[Known]:
        begun.append(first)
        if first == 0:
            until(lambda: len(begun) >= AHEAD * jobs)
            sleep(0.2)  # time enough for another one to begin, were it handed out
            assert len(begun) == AHEAD * jobs
        return plays(crew, seed, first, sessions)

    monkeypatch.setattr(Crew, "block", block)
    assert run(order, engines, jobs, each=lambda _: None)[1]
    assert len(begun) > 50


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("each", [None, lambda _: None], ids=["counting", "handing on"])
def test_memory_does_not_grow_with_the_number_of_sessions(each: Callable[[object], None] | None) -> None:
    def peak(sessions: int) -> int:
        order = small_order(FLAT, BOUND, sessions=sessions)
        engines = order.engines()
        tracemalloc.start()
        try:
            run(order, engines, 2, each=each)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(4000)
    assert peak(40_000) < 1.3 * peak(4000)  # results reach a little further


# -- orders -----------------------------------------------------------------------------------------------------------


def test_every_included_strategy_travels_as_bytes() -> None:
    for one in included():
        for book in one.books:
            order = plan_of(
                book, [one.id], sessions=10, rolls=20, seed=2**64 - 1, bankroll="500.00", chip="0.50", minimum="1.00",
                maximum="1000.00", exact_units=True, pace=60.5,
            )  # fmt: skip
            assert msgspec.structs.asdict(order) == msgspec.structs.asdict(_sent(order))


def _sent(order: SimulationPlan) -> SimulationPlan:
    sent: SimulationPlan = pickle.loads(packed(order)).plan
    return sent


def test_a_sent_order_is_played_like_the_order_itself() -> None:
    order = small_order(BOUND, BY_SHARES)
    sent, engines = unpacked(packed(order))
    assert sent == order
    assert plain(run(sent, engines)[0]) == plain(played(order))


FIELD = """
name = "Field"
book = "own"
about = "One unit on the Field."

[[rules]]
bet = "field"
stake = "1 unit"
"""


@pytest.mark.parametrize("as_folder", [False, True], ids=["file", "folder"])
def test_a_book_of_ones_own_travels_with_the_order(tmp_path: Path, as_folder: bool) -> None:
    own, strategy = tmp_path / "book", tmp_path / "field.toml"
    if as_folder:
        shutil.copytree(rulebooks.folder("snake-eyes-nz"), own)
    else:
        shutil.copy(DOCS / "examples" / "harbour-craps.toml", own)
    first = own / "book.toml" if as_folder else own
    first.write_text(re.sub(r'(?m)^id = "[\w-]+"', 'id = "own"', first.read_text("utf-8"), count=1), "utf-8")
    strategy.write_text(FIELD)
    order = plan_of("own", [strategy], sessions=100, rolls=50, seed=1, books=[own])
    here, parcel = plain(played(order)), packed(order)
    shutil.rmtree(tmp_path)
    sent, engines = unpacked(parcel)
    assert plain(run(sent, engines)[0]) == here


# -- what is refused, before the first throw --------------------------------------------------------------------------


@pytest.fixture
def no_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    def thrown(*_: object) -> None:
        raise AssertionError("dice were thrown")

    monkeypatch.setattr(local, "run", thrown)
    monkeypatch.setattr(cluster, "run", thrown)
    monkeypatch.setattr(Session, "play", thrown)


def act(seat: Seat) -> None:
    seat.bet("field", "5.00")


@pytest.mark.usefixtures("no_throw")
@pytest.mark.parametrize("strategies", [(FLAT,), (act,), (FLAT, act)], ids=["kernel", "Python", "both"])
@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"sessions": 0}, "sessions_out_of_range"),
        ({"sessions": -5}, "sessions_out_of_range"),
        ({"sessions": 10**30}, "sessions_out_of_range"),
        ({"sessions": 1.5}, "not_a_whole_number"),
        ({"rolls": 0}, "rolls_out_of_range"),
        ({"rolls": 10**12}, "rolls_out_of_range"),
        ({"rolls": "144"}, "not_a_whole_number"),
        ({"seed": -1}, "seed_out_of_range"),
        ({"seed": 2**64}, "seed_out_of_range"),
        ({"seed": None}, "not_a_whole_number"),
        ({"pace": 0}, "pace_out_of_range"),
        ({"pace": nan}, "pace_out_of_range"),
        ({"pace": inf}, "pace_out_of_range"),
        ({"chip": "0.00"}, "chip_not_positive"),
        ({"minimum": "10.00", "maximum": "5.00"}, "limits_contradict"),
        ({"bankroll": "0.00"}, "amount_too_large"),
        ({"bankroll": "10000000000.01"}, "amount_too_large"),
        ({"chip": "10000000000.01"}, "amount_too_large"),
        ({"minimum": "10000000000.01"}, "amount_too_large"),
        ({"maximum": "10000000000.01"}, "amount_too_large"),
        ({"unit": "10000000000.01"}, "unit_out_of_range"),
        ({"unit": "0.00"}, "unit_out_of_range"),
        ({"pay_table": "generous"}, "pay_table_not_permitted"),
        ({"jobs": 0}, "jobs_out_of_range"),
        ({"jobs": 2.0}, "not_a_whole_number"),
        ({"keep": True, "sessions": 10**9}, "too_many_to_keep"),
    ],
    ids=str,
)
def test_bad_numbers_are_refused_before_the_first_throw(
    strategies: tuple[Any, ...], given: dict[str, Any], code: str
) -> None:
    with pytest.raises(Impossible) as refused:
        simulate(CRAPS, *strategies, **given)
    assert refused.value.code == code
    assert refused.value.sentence.endswith(".")
    assert "\n" not in refused.value.sentence


@pytest.mark.usefixtures("no_throw")
def test_bad_money_and_unknown_books_are_refused() -> None:
    bad: list[Keywords] = [{"bankroll": "200"}, {"chip": "a chip"}, {"unit": "5"}, {"minimum": ""}]
    for options in bad:
        with pytest.raises(MoneyError):
            simulate(CRAPS, FLAT, **options)
    with pytest.raises(RuleBookError, match="there is no such rule book"):
        simulate("craps", FLAT)
    with pytest.raises(RuleBookError, match="there is no such file"):
        simulate(CRAPS, FLAT, books=["nowhere.toml"])


@pytest.mark.usefixtures("no_throw")
def test_what_is_no_strategy_is_refused() -> None:
    with pytest.raises(Impossible, match="Nothing can be simulated without a strategy"):
        simulate(CRAPS)  # type: ignore[call-overload]
    with pytest.raises(Impossible, match="A strategy must be a name, a file, a Strategy or a Python function, not 5"):
        simulate(CRAPS, 5)  # type: ignore[call-overload]
    with pytest.raises(StrategyError, match="pass-double-odds"):
        simulate(CRAPS, "pass-double-ods")
    game = SHELF.game(SHELF.terms("sic-bo-nsw-2016"))
    small = load_strategy("small-martingale", game)
    with pytest.raises(Impossible, match='"Martingale on Small" cannot be played under craps-nsw-2024: '):
        simulate(CRAPS, small)


@pytest.mark.usefixtures("no_throw")
def test_strategies_that_reckon_with_a_bankroll_must_have_one() -> None:
    by_shares = load_strategy(BY_SHARES, SHELF.game(SHELF.terms(CRAPS)))
    without = msgspec.structs.replace(by_shares, bankroll=None)
    with pytest.raises(Impossible, match="rule 1 stakes a share of the bankroll") as refused:
        simulate(CRAPS, FLAT, without)
    assert refused.value.code == "no_bankroll"
    most = Strategy("All in", "", 100, (Bet(1, Spot("field"), Most()),))
    with pytest.raises(Impossible, match="All in can only be played with a bankroll: rule 1 stakes the most"):
        simulate(CRAPS, most)


def test_the_most_can_be_staked_where_something_limits_it() -> None:
    most = Strategy("All in", "", 100, (Bet(1, Spot("field"), Most()),))
    assert simulate(CRAPS, most, sessions=5, rolls=10, maximum="50.00").staked == 500
    assert simulate(CRAPS, most, sessions=5, rolls=1, bankroll="80.00").staked == 80


@pytest.mark.parametrize("jobs", [0, -1, 1025, 10**9])
def test_an_absurd_number_of_jobs_is_refused(jobs: int) -> None:
    with pytest.raises(Impossible, match=r"From 1 to 1,024 jobs can be done at once, not -?[\d,]+\."):
        run(small_order(FLAT), [], jobs)


@pytest.mark.usefixtures("no_throw")
def test_without_an_extra_one_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Impossible, match=r"Tables need Polars.*croupier\[tables\]") as no_tables:
        simulate(CRAPS, FLAT, keep=True)
    with pytest.raises(Impossible, match=r"A cluster needs Dask.*croupier\[cluster\]") as no_cluster:
        simulate(CRAPS, FLAT, dask="tcp://127.0.0.1:8786")
    assert (no_tables.value.code, no_cluster.value.code) == ("no_tables", "no_cluster")


def test_without_polars_results_are_made_and_tables_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    result = simulate(CRAPS, FLAT, sessions=20, rolls=10)
    monkeypatch.setitem(sys.modules, "polars", None)
    for table in (result.fan_table, result.spread_table, result.wager_table):
        with pytest.raises(Impossible, match="Tables need Polars"):
            table()


def test_extras_are_loaded_only_when_they_are_asked_for() -> None:
    code = "import sys, croupier; croupier.simulate; print(*{'polars', 'distributed', 'dask'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


# -- from Python ------------------------------------------------------------------------------------------------------


def test_one_strategy_gives_a_result_and_several_a_list() -> None:
    alone = simulate(CRAPS, BOUND, sessions=500, bankroll="200.00")
    together = simulate(CRAPS, FLAT, BOUND, sessions=500, bankroll="200.00")
    assert isinstance(alone, Result)
    assert [type(each) for each in together] == [Simulation, Simulation]
    assert untimed(together[1]) == untimed(alone)


def untimed(result: Result) -> dict[str, Any]:
    told = msgspec.structs.asdict(result)
    return {key: value for key, value in told.items() if key not in ("seconds", "rolls_per_second")}


def test_a_strategy_is_a_name_a_file_or_a_value(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    shutil.copy(strategies.file(FLAT), file)
    value = load_strategy(FLAT, SHELF.game(SHELF.terms(CRAPS)))
    found = simulate(CRAPS, FLAT, file, str(file), value, sessions=200, rolls=30)
    assert [each.strategy for each in found] == [FLAT, str(file), str(file), value.name]
    same = [{**untimed(each), "strategy": ""} for each in found]
    assert same == [same[0]] * 4


def test_the_table_and_the_strategies_are_as_they_were_ordered() -> None:
    result = simulate(
        CRAPS, BOUND, sessions=100, rolls=50, seed=9, unit="10.00", bankroll="300.00", maximum="15.00", pace=60.0
    )
    assert (result.book, result.sessions, result.rolls, result.seed) == (CRAPS, 100, 50, 9)
    assert (result.unit, result.bankroll, result.pace) == (10.0, 300.0, 60.0)
    assert {each.code for rule in result.rules for each in rule.refused} >= {"stake_above_maximum"}


def test_differences_are_told_beside_the_results() -> None:
    first, second = simulate(CRAPS, FLAT, BOUND, sessions=1000)
    assert first.difference is None
    assert second.difference is not None
    assert second.difference.net == pytest.approx(second.net - first.net)
    assert 0 < second.difference.net_se < second.net_se + first.net_se
    by_hand, compiled = simulate(CRAPS, act, FLAT, sessions=2, rolls=5)
    assert (by_hand.difference, compiled.difference) == (None, None)


def test_one_session_has_no_standard_error() -> None:
    first, second, by_hand = simulate(CRAPS, FLAT, BOUND, act, sessions=1, rolls=20)
    for result in (first, second, by_hand):
        assert isnan(result.net_se)
        assert isnan(result.net_sd)
        told = msgspec.json.decode(msgspec.json.encode(result))
        assert (told["net_se"], told["net_sd"]) == (None, None)
        assert result.edge_se is not None  # it comes from single throws
        assert result.edge_se > 0
        assert first.wager_table()["edge_se"].null_count() == 0
    assert second.difference is not None
    assert second.difference.net == pytest.approx(second.net - first.net)
    assert isnan(second.difference.net_se)
    again = simulate(CRAPS, FLAT, sessions=1, rolls=20)
    assert untimed(again) == untimed(first)


def test_progress_is_told_session_by_session() -> None:
    heard: list[int] = []
    simulate(CRAPS, FLAT, sessions=1000, told=heard.append)
    assert sum(heard) == 1000


def test_an_interrupted_call_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = played(small_order(FLAT))
    monkeypatch.setattr(local, "run", lambda *_: (counted, False))
    with pytest.raises(KeyboardInterrupt):
        simulate(CRAPS, FLAT)


def test_results_are_the_same_for_other_programs_with_or_without_tables() -> None:
    result = simulate(CRAPS, FLAT, sessions=50, rolls=20, keep=True)
    assert list(msgspec.json.decode(msgspec.json.encode(result))) == list(Result.__struct_fields__)


def test_results_travel_with_all_that_belongs_to_them() -> None:
    _, result = simulate(CRAPS, BOUND, FLAT, sessions=50, rolls=20, keep=True)
    again: Simulation = pickle.loads(pickle.dumps(result))
    assert again == result
    assert again.difference == result.difference
    assert again.session_table().equals(result.session_table())


# -- tables -----------------------------------------------------------------------------------------------------------


def test_tables_say_what_the_result_says() -> None:
    result = simulate(CRAPS, BOUND, sessions=300, bankroll="200.00")
    fan, spread, wagers = result.fan_table(), result.spread_table(), result.wager_table()
    assert fan.columns == ["roll", "mean", "p1", "p5", "p25", "p50", "p75", "p95", "p99"]
    assert fan.row(-1) == (144, result.net, *result.quantiles.values())
    assert len(fan) == len(result.fan)
    assert spread["sessions"].sum() == 300
    assert spread["share"].sum() == pytest.approx(1)
    assert (spread["net"] * spread["share"]).sum() == pytest.approx(result.net)
    assert wagers.columns == list(WagerFigures.__struct_fields__)
    assert wagers["net_per_session"].sum() == pytest.approx(result.net)
    assert ("place_to_win", "6") in set(wagers.select("wager", "pick").rows())


def test_a_table_of_wagers_may_be_empty() -> None:
    result = simulate(CRAPS, lambda seat: None, sessions=3, rolls=5)
    assert (result.wagers, len(result.wager_table()), result.edge, result.staked) == ((), 0, None, 0.0)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("jobs", [1, 3])
def test_sessions_can_be_kept_one_by_one(jobs: int) -> None:
    kept = simulate(CRAPS, FLAT, BOUND, sessions=1500, bankroll="100.00", keep=True, jobs=jobs)
    for result in kept:
        table = result.session_table()
        assert table.columns == ["session", "net", "rolls", "ended", "drawdown"]
        assert table["session"].to_list() == list(range(1500))
        assert table["net"].mean() == pytest.approx(result.net)
        assert table["rolls"].sum() == result.rolls_done
        assert table["drawdown"].mean() == pytest.approx(result.drawdown_mean)
        shares = {ended: len(part) / 1500 for (ended,), part in table.group_by("ended")}
        assert shares == pytest.approx(result.ended)
        assert "ruined" in shares


def test_sessions_that_were_not_kept_are_not_there() -> None:
    with pytest.raises(Impossible, match=r"use simulate\(\.\.\., keep=True\)"):
        simulate(CRAPS, FLAT, sessions=5, rolls=5).session_table()


def test_any_library_that_takes_arrow_takes_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the capsule interface that they all share is used: PyArrow is not needed."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    class Stream:
        def __init__(self, frame: polars.DataFrame) -> None:
            self.__arrow_c_stream__ = frame.__arrow_c_stream__

    result = simulate(CRAPS, BOUND, sessions=200, bankroll="200.00", keep=True)
    for table in (result.session_table(), result.fan_table(), result.spread_table(), result.wager_table()):
        taken = polars.DataFrame(Stream(table))
        assert taken.columns == table.columns
        assert taken.rows() == table.rows()
        assert len(taken) > 1


# -- strategies written in Python -------------------------------------------------------------------------------------


def pass_with_odds(seat: Seat) -> None:
    """The included strategy, written in Python."""
    line = seat.stake_cents("win_line")
    if seat.shown("puck") is None:
        if not line:
            seat.bet("win_line", "5.00")
    elif line and not seat.stake_cents("behind_win_line"):
        seat.bet("behind_win_line", seat.money(2 * line))


class Martingale:
    """The included strategy, with a memory of its own for each session."""

    def __init__(self) -> None:
        self.lost = 0

    def __call__(self, seat: Seat) -> None:
        if seat.rolls:
            self.lost = seat.losses("small") % 7
        stake = 500 * 2**self.lost
        seat.bet("small", seat.money(min(stake, seat.chips_cents // 100 * 100) or stake))


# What a function may want to bet no one knows, so that it is ruined only by the sign of the table; there the line is
# short of chips where its stake is the minimum.
@pytest.mark.parametrize(
    ("book", "name", "player", "given"),
    [
        (CRAPS, FLAT, pass_with_odds, {}),
        (CRAPS, FLAT, pass_with_odds, {"bankroll": "60.00", "minimum": "5.00"}),
        ("sic-bo-nsw-2016", "small-martingale", Martingale, {"bankroll": "300.00"}),
    ],
    ids=["flat", "short of chips", "progression"],
)
def test_a_python_strategy_brings_what_the_same_strategy_brings_as_a_file(
    book: str, name: str, player: AnyStrategy, given: dict[str, Any]
) -> None:
    written, by_hand = simulate(book, name, player, sessions=40, rolls=100, seed=4, keep=True, **given)
    assert by_hand.session_table().equals(written.session_table())
    assert ("ruined" in by_hand.ended) == ("bankroll" in given)
    same = ("net", "net_sd", "net_se", "quantiles", "ended", "ruined", "drawdown", "staked", "edge", "exact_edge",
            "fan", "spread", "rolls_done", "rolls_to_ruin", "won", "best", "worst", "rounding")  # fmt: skip
    assert {field: getattr(by_hand, field) for field in same} == {field: getattr(written, field) for field in same}
    assert by_hand.rules[0].made == sum(rule.made for rule in written.rules)
    assert (by_hand.kernel, by_hand.strategy) == ("table", getattr(player, "__name__", ""))


# A strategy of each kind: what lies behind another, travels, pays commission, is taken down, called, fixed, declared,
# waits for bets to open, stops; and books with and without shooters.
AT_A_TABLE = [
    (CRAPS, "three-point-molly"),
    (CRAPS, "buy-4-10"),
    (CRAPS, "lay-4-10"),
    (CRAPS, "place-inside-regress"),
    (CRAPS, "hardways-always-on"),
    (CRAPS, "dont-pass-lay-odds"),
    (CRAPS, "percent-of-bankroll"),
    (CRAPS, "one-shooter"),
    ("sic-bo-nsw-2016", "small-martingale"),
    ("two-up-nsw-2016", "spinner-and-heads"),
]


@pytest.mark.parametrize(("book", "name"), AT_A_TABLE, ids=[name for _, name in AT_A_TABLE])
def test_what_is_counted_at_a_real_table_is_what_the_kernels_count(book: str, name: str) -> None:
    """Every figure of every wager, and every refusal: two implementations that share no code but the books."""
    order = plan_of(book, [name], sessions=25, rolls=120, seed=8, bankroll="150.00", maximum="40.00", chip="0.50")
    engines = order.engines()
    (by_kernel,) = results(order, engines, run(order, engines)[0].tallies, 1.0)
    strategy = order.strategies[0].strategy
    at_table = python_strategies.play(order, strategy, name, strategy.unit)
    differ = ("seconds", "rolls_per_second", "name", "kernel", "states", "rules", "wagers", "edge_se")
    for field in Result.__struct_fields__:
        if field not in differ:
            assert getattr(at_table, field) == getattr(by_kernel, field), field
    assert at_table.edge_se == pytest.approx(by_kernel.edge_se)
    assert by_number(at_table) == by_number(by_kernel)
    assert len(at_table.wagers) == len(by_kernel.wagers) > 0
    for wager in by_kernel.wagers:
        other = next(each for each in at_table.wagers if (each.wager, each.pick) == (wager.wager, wager.pick))
        assert msgspec.structs.asdict(other) == pytest.approx(msgspec.structs.asdict(wager))


def by_number(result: Result) -> dict[int, tuple[int, dict[tuple[str, str | None], int]]]:
    """Bets and refusals by the number of the rule in the file."""
    told: dict[int, tuple[int, dict[tuple[str, str | None], int]]] = {}
    for rule in result.rules:
        made, refused = told.get(rule.rule, (0, {}))
        for each in rule.refused:
            refused[each.code, each.clause] = refused.get((each.code, each.clause), 0) + each.count
        told[rule.rule] = (made + rule.made, refused)
    return {number: counts for number, counts in told.items() if counts != (0, {})}


def test_the_page_has_all_of_a_seat_and_nothing_else() -> None:
    """Every name, and every argument in order."""
    page = (DOCS / "simulation.md").read_text(encoding="utf-8")
    table = page.split("| of a seat | what it is |\n", 1)[1].split("\n\n", 1)[0]
    told = [word for row in table.splitlines() for word in re.findall(r"`([^`]+)`", row.split("|")[1])]
    public = {name: value for name, value in vars(Seat).items() if not name.startswith("_")}
    methods = {name for name, value in public.items() if not isinstance(value, property)}
    known = [name + (arguments(getattr(Seat, name)) if name in methods else "") for name in public]
    assert sorted(told) == sorted(known)


def arguments(method: Callable[..., object]) -> str:
    return "(" + ", ".join(name for name in signature(method).parameters if name != "self") + ")"


def test_a_player_who_leaves_is_told_apart() -> None:
    def leaves(seat: Seat) -> None:
        if seat.rolls == 3:
            seat.leave()

    result = simulate(CRAPS, leaves, sessions=4, rolls=10, keep=True)
    assert result.ended == {"left": 1.0}
    assert result.rolls_per_session == 3
    assert result.session_table()["ended"].to_list() == ["left"] * 4


def test_a_function_is_ruined_by_the_table_and_not_by_what_it_asks_for() -> None:
    """With chips for some wager it plays on to the last roll, however often its own bets are refused."""

    def dear(seat: Seat) -> None:
        seat.bet("field", "10.00")

    same: dict[str, Any] = {"sessions": 30, "rolls": 6, "bankroll": "15.00", "keep": True}
    sits, ruined = (simulate(CRAPS, dear, **same, minimum=minimum) for minimum in (None, "10.00"))
    assert sits.ended == {"rolls": 1.0}
    ends = ruined.session_table()
    lost = ends.filter(ends["ended"] == "ruined")
    assert 5 < len(lost) < 30
    assert set(lost["net"]) == {-10.0}
    assert sits.session_table()["net"].to_list() == ends["net"].to_list()
    left = 6 - lost["rolls"]  # rolls before each of which it would have bet; once it has asked, the ruined are told
    refused = [(each.code, each.count) for result in (sits, ruined) for each in result.rules[0].refused]
    assert refused == [("not_enough_chips", int(left.sum())), ("not_enough_chips", int((left > 0).sum()))]


@pytest.mark.parametrize("keeps", [False, True])
def test_sessions_at_a_table_are_noted_one_by_one_only_where_they_are_kept(keeps: bool) -> None:
    table = python_strategies._Table(small_order(sessions=5, rolls=20), 100, keeps)
    for number in range(5):
        table.play(number, act)
    assert [len(column) for column in table.notes._known] == ([5] * 4 if keeps else [])
    assert table.result("act", 1.0).sessions == 5


def test_what_a_python_strategy_is_refused_is_counted_by_clause() -> None:
    def greedy(seat: Seat) -> None:
        seat.bet("field", "0.25")
        seat.bet("behind_win_line", "5.00")
        seat.bet("no_such_wager", "5.00")

    (rule,) = simulate(CRAPS, greedy, sessions=2, rolls=1).rules
    assert (rule.rule, rule.made) == (0, 0)
    assert {(each.code, each.clause, each.count) for each in rule.refused} == {
        ("amount_not_in_chips", "6.3", 2), ("no_point", "6.2.5", 2), ("unknown_wager", "6.2", 2),
    }  # fmt: skip


def test_what_a_python_strategy_raises_reaches_its_author() -> None:
    def wrong(seat: Seat) -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        simulate(CRAPS, wrong, sessions=1, rolls=1)


def test_type_checkers_know_every_option() -> None:
    assert get_type_hints(Keywords) == get_type_hints(Options)


def test_the_command_line_describes_the_options_as_python_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    in_python_only = {"books", "keep", "told"}
    for option in set(Options.__struct_fields__) - in_python_only:
        assert described(option) in shown
    assert f"({DEFAULTS.sessions:,})" in shown
    assert f"({DEFAULTS.rolls})" in shown
