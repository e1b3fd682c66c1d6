"""Compile every kernel ahead of time, or load it from the cache: `python -m croupier.execution.compile_ahead`.

The set of kernels depends on argument types, not on the game. So a few sessions of one strategy, played in every way,
compile all of them.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from time import perf_counter
from typing import Any, NamedTuple

import msgspec
from numba.core.dispatcher import Dispatcher

from croupier.execution.local import run, run_given
from croupier.execution.simulating import plan_of, results
from croupier.simulation import kernels as kernel_modules
from croupier.simulation.kernels.dice import throws
from croupier.simulation.kernels.walking import LANES
from croupier.simulation.reading.reader import included

STRATEGY = "pass-line"
BANKROLL = "100.00"


class Way(NamedTuple):
    """One way to play: the parameters that determine which kernels are called, and with which types."""

    sessions: int
    bankroll: str | None = None
    general: bool = False
    rolls: int = 2


WAYS = (
    Way(LANES + 1),  # sixteen sessions on the machine, and one left over
    Way(1, BANKROLL),
    Way(1, BANKROLL, general=True),
    Way(LANES + 1, rolls=1),  # arrays with one row have another memory layout than those with several
)


class Compiled(NamedTuple):
    """The number of kernels compiled, and the cache folder; None if there is none."""

    compiled: int
    kept: str | None


def compile_ahead() -> Compiled:
    """Play in every way, so that every kernel is compiled."""
    strategy = next(one for one in included() if one.id == STRATEGY)
    for way in WAYS:
        plan = plan_of(
            strategy.books[0], [STRATEGY], sessions=way.sessions, rolls=way.rolls, seed=1, bankroll=way.bankroll
        )
        plan = msgspec.structs.replace(plan, general=way.general)
        engines = plan.engines()
        counted, _ = run(plan, engines, jobs=1)
        results(plan, engines, counted.tallies, 0.0)
        thrown = throws(plan.seed, 0, plan.rolls, engines[0].outcomes)
        if way.general:
            run_given(engines, thrown[None, :])
    stats = [kernel.stats for kernel in kernels()]
    compiled = sum(sum(each.cache_misses.values()) for each in stats)
    return Compiled(compiled, next((each.cache_path for each in stats), None))


def kernels() -> Iterator[Any]:
    """Every compiled function that is cached on disk."""
    for module in pkgutil.iter_modules(kernel_modules.__path__, kernel_modules.__name__ + "."):
        for value in vars(import_module(module.name)).values():
            if isinstance(value, Dispatcher) and value.__module__ == module.name and value.stats.cache_path:
                yield value


def main() -> None:
    """Compile the kernels, and print a summary."""
    start = perf_counter()
    done = compile_ahead()
    how = f"compiled in {perf_counter() - start:.0f} s" if done.compiled else "already compiled"
    place = f"in {done.kept}" if done.kept else "for this run only, since no cache folder is writable"
    print(f"The kernels for simulations are {how}, {place}.")


if __name__ == "__main__":
    main()
