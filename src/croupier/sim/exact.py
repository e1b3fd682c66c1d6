"""The exact mean and deviation of a session that a machine plays: all its ways at once, instead of some of them."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from croupier.sim.kernels.engine import Engine

MOST_STEPS = 300_000_000  # entries times rolls: about two seconds


class ExactSession(NamedTuple):
    """Mean and standard deviation of a session's result, in cents."""

    mean: float
    deviation: float


def exact_session(engine: Engine) -> ExactSession | None:
    """None where money can end a session, or where it would take long.

    Chance, chance times result, and chance times its square are kept for each state and carried on throw by throw.
    """
    machine = engine.machine
    stop = engine.program.strategy.stop
    bound = engine.bankroll is not None or stop.win is not None or stop.loss is not None
    if machine is None or bound or len(machine.results) * engine.rolls > MOST_STEPS:
        return None
    ways, states = engine.outcomes, len(machine.states)
    targets = machine.targets.astype(np.int64)
    brought = machine.results.astype(np.float64)
    chance, first, second = (np.zeros(states) for _ in range(3))
    chance[machine.start // ways] = 1.0
    for _ in range(engine.rolls):
        here, before, square = (np.repeat(part, ways) / ways for part in (chance, first, second))
        chance[:] = np.bincount(targets, here, states)
        first[:] = np.bincount(targets, before + here * brought, states)
        second[:] = np.bincount(targets, square + 2 * before * brought + here * brought**2, states)
    mean = float(first.sum())
    return ExactSession(mean, sqrt(max(0.0, float(second.sum()) - mean**2)))
