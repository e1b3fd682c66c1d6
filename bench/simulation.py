"""Simulated rolls a second on one core, by turns with crapssim and with a generator that only draws the dice.

Ours is what `croupier simulate --jobs 1` does for every session once all is compiled: it is played and counted, the
fan chart and the spreads included. What is done once for a whole simulation, of a thousand sessions or a thousand
million, is not in the rolls a second: reading the strategy, building its machine, and at the end going through the
machine again to count wagers and rules. It is timed apart and printed behind them. crapssim gets the same strategies,
units, lengths and bankrolls, a table for each session; starting it is not timed either. Only rolls that were made are
counted on either side: both end a session when the player is ruined.
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
from croupier.execution.plan import Order
from croupier.execution.simulating import order_of, results

HOME = Path(__file__).parents[1] / ".venv-crapssim"  # made by `make bench`
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
AT_LEAST = {LARGE: 10_000.0, BINDING: 1_000.0}  # so many times crapssim
TURNS = 31
SECONDS = 0.1  # of work at each turn: short, so that on a busy machine each side has some turns undisturbed
SOME = 10_000  # sessions: enough to meet nearly all that a strategy can come to
DRAWN_AT_ONCE = 2**16  # rolls; in larger or smaller parts the generator is no quicker

Play = Callable[[int], int]  # so many sessions: how many rolls were made


class NoCrapssim(Exception):
    """crapssim is not there, so that nothing can be compared with it."""


class Race(NamedTuple):
    """One strategy with one bankroll: how many times crapssim, how many times at least, and the figures behind it."""

    name: str
    ratio: float
    at_least: float
    detail: str


def races() -> Iterator[Race]:
    """Each strategy with a bankroll that cannot bind, and with one that does. Raises NoCrapssim."""
    with one_core(), Crapssim() as other:
        for bankroll, at_least in AT_LEAST.items():
            for strategy, name in STRATEGIES.items():
                order = _order(strategy, bankroll)
                ours, theirs, bare = _rates(_croupier(order, bankroll), other.player(strategy, bankroll), draw)
                yield Race(
                    f"{name}, bankroll {float(bankroll):,.0f}, against {other.name}",
                    ours / theirs,
                    at_least,
                    f"{ours / 1e6:.0f} million rolls a second against {theirs:,.0f};"
                    f" {ours / bare:.2f} times the bare generator ({bare / 1e6:.0f} million);"
                    f" {_once(order) * 1e3:.0f} ms besides, once, whatever the number of sessions",
                )


@contextmanager
def one_core() -> Iterator[None]:
    """This process and those that it starts, on one core alone, where the system can do that."""
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
    """crapssim in a process of its own, which waits while others play."""

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
        """Its side of one race."""

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
            raise NoCrapssim(f"crapssim does not run; remove {HOME} so that `make bench` installs it anew.")
        return line


def _order(strategy: str, bankroll: str) -> Order:
    return order_of(BOOK, [strategy], sessions=SOME, rolls=ROLLS, seed=1, bankroll=bankroll, unit=UNIT)


def _croupier(order: Order, bankroll: str) -> Play:
    engines = order.engines()

    def play(sessions: int) -> int:
        counted, complete = run(msgspec.structs.replace(order, sessions=sessions), engines, jobs=1)
        assert complete
        rolls = counted.tallies[0].rolls
        assert rolls == sessions * ROLLS or bankroll == BINDING
        return rolls

    return play


def _once(order: Order) -> float:
    """Seconds for what a simulation does before its first session and after its last."""
    engines = order.engines()
    tallies = run(order, engines, jobs=1)[0].tallies
    before, after = best_of_each((order.engines, lambda: results(order, engines, tallies, 1.0)), 5)
    return before + after


def draw(sessions: int) -> int:
    """The dice of so many sessions and nothing else."""
    generator = np.random.Generator(np.random.SFC64(1))
    for first in range(0, sessions * ROLLS, DRAWN_AT_ONCE):
        generator.integers(1, 7, (min(DRAWN_AT_ONCE, sessions * ROLLS - first), 2), dtype=np.uint8)
    return sessions * ROLLS


def _rates(*sides: Play) -> list[float]:
    """Rolls a second of each side."""
    batches = [_batch(play) for play in sides]
    rolls = [play(sessions) for play, sessions in zip(sides, batches, strict=True)]
    turns = tuple(partial(play, sessions) for play, sessions in zip(sides, batches, strict=True))
    return [made / seconds for made, seconds in zip(rolls, best_of_each(turns, TURNS), strict=True)]


def _batch(play: Play) -> int:
    """How many sessions take long enough to be timed; the first few are not, since they may have to be compiled."""
    sessions = 32
    play(sessions)
    while True:
        start = perf_counter()
        play(sessions)
        seconds = perf_counter() - start
        if seconds >= SECONDS:
            return sessions
        sessions = int(sessions * min(10.0, 1.2 * SECONDS / seconds)) + 1
