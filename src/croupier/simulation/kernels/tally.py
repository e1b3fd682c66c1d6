"""Counts over blocks of sessions. They add up exactly and in any order, across any number of machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from croupier.simulation.kernels import layout as n
from croupier.simulation.kernels.compiled import compiled
from croupier.simulation.kernels.layout import Ints

FAN_BINS = 2**13


class Tally:
    """Sums and distributions over the sessions counted so far. Amounts are in cents; distributions use `unit` cents."""

    def __init__(self, unit: int, marks: int, squares: int, entries: int, states: int, counts: int) -> None:
        self.sessions = 0
        self.rolls = 0
        self.net = 0
        self.net_squares = 0
        self.fall = 0
        self.won = 0  # sessions that ended up, and (`level`) even
        self.level = 0
        self.finals = Spread(unit)
        self.falls = Spread(unit)
        self.fan = [Spread(unit, FAN_BINS) for _ in range(marks)]
        self.fan_nets = [0] * marks
        self.worst: int | None = None
        self.best: int | None = None
        self.reasons = [0] * len(n.REASONS)
        self.ruined_after = Spread()
        self.visits: Ints = np.zeros(entries, np.int64)  # throws made on the machine, and (`lasts`) each session's last
        self.lasts: Ints = np.zeros(entries, np.int64)
        self.ends: Ints = np.zeros(states, np.int64)  # sessions that ended in each state of the machine
        self.counts = [0] * counts  # counts of the general kernel
        self.squares = [Fraction(0)] * squares  # as fractions, floats add up exactly in any order

    def merge(self, other: Tally) -> None:
        """Add another tally."""
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


# A histogram in bounded memory. Values are counted in bins of one unit; if the range is too large, bins are merged in
# pairs as often as needed. The final bin width depends only on the smallest and the largest value, so histograms can be
# added in any order.

MOST_BINS = 2**16


@compiled
def _count(values: Ints, shift: int, low: int, counts: Ints) -> None:
    for i in range(values.shape[0]):
        counts[(values[i] >> shift) - low] += 1


class Spread:
    """Counts of values that are multiples of `unit`. Bin i holds the values from (low + i) << shift, in units."""

    def __init__(self, unit: int = 1, most_bins: int = MOST_BINS) -> None:
        assert most_bins > 1, "however wide bins are, what is below nothing and what is not never share one"
        self.unit = unit
        self.most_bins = most_bins
        self.shift = 0
        self.low = 0
        self.counts: Ints = np.zeros(0, np.int64)

    def add(self, values: Ints) -> None:
        """Count more values, given in units."""
        if len(values):
            self._reach(int(values.min()), int(values.max()))
            _count(values, self.shift, self.low, self.counts)

    def merge(self, other: Spread) -> None:
        """Add another histogram."""
        assert (self.unit, self.most_bins) == (other.unit, other.most_bins), "only like is added to like"
        if len(other.counts):
            lowest, highest = other._ends()
            self._widen(max(self.shift, other.shift))
            self._reach(lowest, highest)
            places = (((np.arange(len(other.counts)) + other.low) << other.shift) >> self.shift) - self.low
            np.add.at(self.counts, places, other.counts)

    def _ends(self) -> tuple[int, int]:
        return self.low << self.shift, (self.low + len(self.counts) - 1) << self.shift

    def _reach(self, lowest: int, highest: int) -> None:
        """Make room for values between these two, in units."""
        if len(self.counts):
            low, high = self._ends()
            lowest, highest = min(lowest, low), max(highest, high)
        shift = self.shift
        while (highest >> shift) - (lowest >> shift) >= self.most_bins:
            shift += 1
        self._widen(shift)
        low, high = lowest >> shift, highest >> shift
        if len(self.counts) and (low, high) == (self.low, self.low + len(self.counts) - 1):
            return
        counts = np.zeros(high - low + 1, np.int64)
        if len(self.counts):
            counts[self.low - low : self.low - low + len(self.counts)] = self.counts
        self.low, self.counts = low, counts

    def _widen(self, shift: int) -> None:
        """Merge bins until they have this width."""
        if shift > self.shift and len(self.counts):
            places = (np.arange(len(self.counts)) + self.low) >> (shift - self.shift)
            low = int(places[0])
            counts = np.zeros(int(places[-1]) - low + 1, np.int64)
            np.add.at(counts, places - low, self.counts)
            self.low, self.counts = low, counts
        self.shift = shift

    @property
    def total(self) -> int:
        """The number of values counted."""
        return int(self.counts.sum())

    @property
    def width(self) -> int:
        """The width of a bin."""
        return self.unit << self.shift

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Each value that occurred, ascending, with its count; a merged bin is represented by its lowest value."""
        for i in np.flatnonzero(self.counts):
            yield ((self.low + int(i)) << self.shift) * self.unit, int(self.counts[i])

    def quantiles(self, percents: Sequence[int]) -> list[int]:
        """The percentiles: for each per cent, the smallest value that at least this share does not exceed."""
        below = np.cumsum(self.counts)
        places = [int(np.searchsorted(below, -(-percent * self.total // 100))) for percent in percents]
        return [((self.low + place) << self.shift) * self.unit for place in places]

    def share(self, at_least: int) -> float:
        """The share of values at or above `at_least`."""
        return sum(count for value, count in self if value >= at_least) / self.total
