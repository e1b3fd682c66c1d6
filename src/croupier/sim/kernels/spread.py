"""How a figure is spread over many sessions, in memory that does not grow with their number.

Values are counted in bins of one unit. Where they reach too far for that, bins are joined two by two, as often as it
takes. How wide the bins are in the end depends on the smallest and the largest value alone, so spreads can be added up
in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from croupier.sim.kernels.compiled import compiled
from croupier.sim.kernels.numbers import Ints

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
        """Add what another has counted."""
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
        """Join bins until they are that wide."""
        if shift > self.shift and len(self.counts):
            places = (np.arange(len(self.counts)) + self.low) >> (shift - self.shift)
            low = int(places[0])
            counts = np.zeros(int(places[-1]) - low + 1, np.int64)
            np.add.at(counts, places - low, self.counts)
            self.low, self.counts = low, counts
        self.shift = shift

    @property
    def total(self) -> int:
        """How many values were counted."""
        return int(self.counts.sum())

    @property
    def width(self) -> int:
        """How far apart values must be to be told apart."""
        return self.unit << self.shift

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Each value that was met, from the lowest, and how often; of a joined bin its lowest value."""
        for i in np.flatnonzero(self.counts):
            yield ((self.low + int(i)) << self.shift) * self.unit, int(self.counts[i])

    def quantiles(self, percents: Sequence[int]) -> list[int]:
        """For each per cent the smallest value that at least so much of all does not exceed."""
        below = np.cumsum(self.counts)
        places = [int(np.searchsorted(below, -(-percent * self.total // 100))) for percent in percents]
        return [((self.low + place) << self.shift) * self.unit for place in places]

    def share(self, at_least: int) -> float:
        """The share of values that are this or more."""
        return sum(count for value, count in self if value >= at_least) / self.total
