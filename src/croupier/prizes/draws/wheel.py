"""Tickets in a row, as many for each entry as its weight: whose is the ticket with this number?

Entries can be taken out, and those behind move up. Finding and taking out need a few steps only, even among millions,
by sums over growing stretches of the row (a Fenwick tree).
"""

from __future__ import annotations

from collections.abc import Iterable


class Wheel:
    """The tickets of all entries that are still in, in the order of the entries."""

    def __init__(self, weights: Iterable[int]) -> None:
        self._weights = list(weights)
        self.total = sum(self._weights)
        self._sums = [
            0,
            *self._weights,
        ]  # from 1 on: the sum of as many weights as the lowest set bit of the place says
        for place in range(1, len(self._sums)):
            above = place + (place & -place)
            if above < len(self._sums):
                self._sums[above] += self._sums[place]
        self._widest = 1 << (len(self._weights).bit_length() - 1) if self._weights else 0

    def holder(self, ticket: int) -> int:
        """Which entry, counted from 0, holds a ticket, counted from 0 among those that are still in."""
        assert 0 <= ticket < self.total, "only a ticket that is still in is held by anybody"
        place, stretch = 0, self._widest
        while stretch:
            there = place + stretch
            if there < len(self._sums) and self._sums[there] <= ticket:
                place, ticket = there, ticket - self._sums[there]
            stretch >>= 1
        return place

    def take_out(self, entry: int) -> None:
        """This entry's tickets are gone."""
        weight, self._weights[entry] = self._weights[entry], 0
        self.total -= weight
        place = entry + 1
        while place < len(self._sums):
            self._sums[place] -= weight
            place += place & -place
