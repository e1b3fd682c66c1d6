"""Simulated rolls per second on one core, alternating with crapssim and with a generator that only draws dice.

Our side is what `croupier simulate --jobs 1` does for every session once everything is compiled: it plays and counts,
including the fan chart and the distributions. Work done once per simulation, whether of a thousand sessions or a
billion, is not in the rolls per second: reading the strategy, building its machine, and a final pass through the
machine to count wagers and rules. It is timed separately and printed after them. crapssim gets the same strategies,
units, lengths and bankrolls, a table per session; its start is not timed either. Only rolls actually made count on
either side: both end a session when the player is ruined.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import NamedTuple, Self

import msgspec
import numpy as np

from bench.timing import best_of_each
from croupier.execution.local import run
from croupier.execution.simulating import plan_of, results
from croupier.execution.simulation_plan import SimulationPlan

HOME = Path(__file__).parents[1] / ".venv-crapssim"  # created by `make bench`
OTHER_SIDE = Path(__file__).with_name("crapssim_side.py")
BOOK = "craps-nsw-2024"
UNIT = "5.00"
ROLLS = 144
STRATEGIES = {
    "pass-double-odds": "pass line with double odds",
    "iron-cross": "Iron Cross",
    "three-point-molly": "3-Point Molly",
}
LARGE, BINDING = "10000000.00", "200.00"
AT_LEAST = {LARGE: 10_000.0, BINDING: 1_000.0}  # times crapssim
TURNS = 31
SECONDS = 0.1  # of work per turn: short, so that on a busy machine each side has some undisturbed turns
SOME = 10_000  # sessions: enough to reach nearly every state of a strategy
DRAWN_AT_ONCE = 2**16  # rolls; larger or smaller chunks are no faster

Play = Callable[[int], int]  # sessions to play -> rolls made


class NoCrapssim(Exception):
    """crapssim is not installed, so there is nothing to compare with."""


class Race(NamedTuple):
    """One strategy with one bankroll: the speed relative to crapssim, its lower bound, and the figures behind it."""

    name: str
    ratio: float
    at_least: float
    detail: str


def races() -> Iterator[Race]:
    """Race each strategy with a bankroll that cannot run out, and with one that can. Raises NoCrapssim."""
    with one_core(), Crapssim() as other:
        for bankroll, at_least in AT_LEAST.items():
            for strategy, name in STRATEGIES.items():
                plan = _plan(strategy, bankroll)
                ours, theirs, bare = _rates(_croupier(plan, bankroll), other.player(strategy, bankroll), draw)
                yield Race(
                    f"{name}, bankroll {float(bankroll):,.0f}, against {other.name}",
                    ours / theirs,
                    at_least,
                    f"{ours / 1e6:.0f} million rolls a second against {theirs:,.0f};"
                    f" {ours / bare:.2f} times the bare generator ({bare / 1e6:.0f} million);"
                    f" {_once(plan) * 1e3:.0f} ms besides, once, whatever the number of sessions",
                )


@contextmanager
def one_core() -> Iterator[None]:
    """Pin this process and its children to one core, where the system supports it."""
    if sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


class Crapssim:
    """crapssim in its own process, which waits while others play."""

    def __enter__(self) -> Self:
        if not (HOME / ".installed").exists():
            raise NoCrapssim("crapssim is not installed: `make bench` does it, but needs PyPI the first time.")
        command = [str(HOME / "bin" / "python"), str(OTHER_SIDE)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = self._answer()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()

    def player(self, strategy: str, bankroll: str) -> Play:
        """Return its side of one race."""

        def play(sessions: int) -> int:
            assert self._process.stdin is not None
            self._process.stdin.write(f"{strategy} {bankroll} {sessions}\n")
            self._process.stdin.flush()
            return int(self._answer())

        return play

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            self._process.communicate()
            raise NoCrapssim(f"crapssim does not run; remove {HOME} so that `make bench` installs it again.")
        return line


def _plan(strategy: str, bankroll: str) -> SimulationPlan:
    return plan_of(BOOK, [strategy], sessions=SOME, rolls=ROLLS, seed=1, bankroll=bankroll, unit=UNIT)


def _croupier(plan: SimulationPlan, bankroll: str) -> Play:
    engines = plan.engines()

    def play(sessions: int) -> int:
        counted, complete = run(msgspec.structs.replace(plan, sessions=sessions), engines, jobs=1)
        assert complete
        rolls = counted.tallies[0].rolls
        assert rolls == sessions * ROLLS or bankroll == BINDING
        return rolls

    return play


def _once(plan: SimulationPlan) -> float:
    """Return the seconds a simulation spends before its first session and after its last."""
    engines = plan.engines()
    tallies = run(plan, engines, jobs=1)[0].tallies
    before, after = best_of_each((plan.engines, lambda: results(plan, engines, tallies, 1.0)), 5)
    return before + after


def draw(sessions: int) -> int:
    """Draw the dice of this many sessions and nothing else."""
    generator = np.random.Generator(np.random.SFC64(1))
    for first in range(0, sessions * ROLLS, DRAWN_AT_ONCE):
        generator.integers(1, 7, (min(DRAWN_AT_ONCE, sessions * ROLLS - first), 2), dtype=np.uint8)
    return sessions * ROLLS


def _rates(*sides: Play) -> list[float]:
    """Return the rolls per second of each side."""
    batches = [_batch(play) for play in sides]
    rolls = [play(sessions) for play, sessions in zip(sides, batches, strict=True)]
    turns = tuple(partial(play, sessions) for play, sessions in zip(sides, batches, strict=True))
    return [made / seconds for made, seconds in zip(rolls, best_of_each(turns, TURNS), strict=True)]


def _batch(play: Play) -> int:
    """Return how many sessions take long enough to be timed, after a warm-up for compilation."""
    sessions = 32
    play(sessions)
    while True:
        start = perf_counter()
        play(sessions)
        seconds = perf_counter() - start
        if seconds >= SECONDS:
            return sessions
        sessions = int(sessions * min(10.0, 1.2 * SECONDS / seconds)) + 1
