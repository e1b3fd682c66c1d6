"""What is counted over blocks of sessions. Everything adds up, exactly and in any order, on any number of machines."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from croupier.sim.kernels import numbers as n
from croupier.sim.kernels.numbers import Ints
from croupier.sim.kernels.spread import Spread

FAN_BINS = 2**13


class Tally:
    """Sums and spreads over the sessions counted so far. Amounts are cents; spreads count in `unit` cents."""

    def __init__(self, unit: int, marks: int, squares: int, entries: int, states: int, counts: int) -> None:
        self.sessions = 0
        self.rolls = 0
        self.net = 0
        self.net_squares = 0
        self.fall = 0
        self.won = 0  # sessions that ended with more than they began with, and with as much
        self.level = 0
        self.finals = Spread(unit)
        self.falls = Spread(unit)
        self.fan = [Spread(unit, FAN_BINS) for _ in range(marks)]
        self.fan_nets = [0] * marks
        self.worst: int | None = None
        self.best: int | None = None
        self.reasons = [0] * len(n.REASONS)
        self.ruined_after = Spread()
        self.visits: Ints = np.zeros(entries, np.int64)  # throws made on the machine, and those that were the last
        self.lasts: Ints = np.zeros(entries, np.int64)
        self.ends: Ints = np.zeros(states, np.int64)  # sessions that ended in each state of the machine
        self.counts = [0] * counts  # of what the general kernel did
        self.squares = [Fraction(0)] * squares  # floats are fractions, too: as such they add up in any order

    def merge(self, other: Tally) -> None:
        """Add what another has counted."""
        for name in ("sessions", "rolls", "net", "net_squares", "fall", "won", "level"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("finals", "falls", "ruined_after"):
            getattr(self, name).merge(getattr(other, name))
        for own, more in zip(self.fan, other.fan, strict=True):
            own.merge(more)
        for name in ("visits", "lasts", "ends"):
            np.add(getattr(self, name), getattr(other, name), out=getattr(self, name))
        for name, choose in (("worst", min), ("best", max)):
            met = [one for one in (getattr(self, name), getattr(other, name)) if one is not None]
            setattr(self, name, choose(met, default=None))
        for name in ("reasons", "counts", "squares", "fan_nets"):
            setattr(self, name, [a + b for a, b in zip(getattr(self, name), getattr(other, name), strict=True)])
