"""A compiled wager: for each state and each outcome, what happens and under which clause."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Literal

import msgspec

Pick = int | str | tuple[int, ...] | None
Then = Literal["win", "lose", "void", "go", "stay"]


class Entry(msgspec.Struct, frozen=True):
    """What one outcome does in one state.

    `odds` are net winnings per unit staked, by the `line` of the pay table; `next` is the state afterwards. Where only
    a `share` of the stake wins and the rest is lost, the odds are net of what is lost.
    """

    then: Then
    clause: str
    row: int
    next: str = ""
    odds: Fraction = Fraction(0)
    line: str = ""
    share: Fraction = Fraction(1)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the pay table that pay it; a row may add several up."""
        return tuple(self.line.split(" + ")) if self.line else ()

    @property
    def decides(self) -> bool:
        """Whether the wager is over."""
        return self.then in ("win", "lose", "void")


class Machine:
    """The table of one wager and pick: `table[state][outcome index]` is an Entry; no cell is empty."""

    def __init__(self, wager: str, pick: Pick, starts: tuple[str, ...], table: dict[str, tuple[Entry, ...]]) -> None:
        self.wager = wager
        self.pick = pick
        self.starts = starts
        self.table = table
        self._units: dict[str, int] = {}

    def exact_unit(self, state: str, extra: Fraction = Fraction(0)) -> int:
        """The fewest chips with which every win from this state on, and a share of the stake, is exact (X-2)."""
        unit = self._units.get(state)
        if unit is None:
            odds = {entry.odds for later in self.reachable([state]) for entry in self.table[later]}
            unit = self._units[state] = lcm(*(value.denominator for value in odds))
        return lcm(unit, extra.denominator)

    def reachable(self, first: list[str] | tuple[str, ...]) -> list[str]:
        """The states that can be reached, the first ones included, in the order of discovery."""
        found = list(dict.fromkeys(first))
        for state in found:
            for entry in self.table[state]:
                if entry.then == "go" and entry.next not in found:
                    found.append(entry.next)
        return found
