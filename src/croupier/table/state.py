"""A table at one moment. Values only; a state never changes, `evolve` makes the next one."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from croupier.rules.facts import Fact
from croupier.rules.game import Terms
from croupier.rules.machine import Pick
from croupier.table.commands import Settings


class Area(NamedTuple):
    """Where chips lie and what they wait for: a wager and pick, its machine's state, the terms it was made under."""

    wager: str
    pick: Pick
    state: str
    terms: int


# Values that hold nothing but values: they cannot come round to themselves, so that nothing need be looked for in them
# when memory is tidied up (`gc=False`). Commands, events and documents are of the same kind.


class Stake(msgspec.Struct, frozen=True, gc=False):
    """One player's chips on an area. `called` is On, Off, or neither; `tokens` is what of the amount is in tokens."""

    amount: int
    commission: int = 0
    called: bool | None = None
    tokens: int = 0


Stakes = dict[str, Stake]


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything that matters for what may happen next.

    The turn goes on after the player `turn_after`, or begins at `turn_from` once that player has left. `fresh` are the
    wagers that no throw has seen yet, `idle` the rounds in a row without a wager at a full table, `facts`
    what the conduct of the game has the table remember. `tokens` are the promotional tokens in hand of all who were
    given any, none left included. `staked` is the most that each player had on an area when it was decided, this gaming
    day: what a dispute can be about (reading X-57).
    """

    settings: Settings = Settings()
    terms: tuple[Terms, ...] = ()
    phases: dict[str, str] = {}
    seats: tuple[str, ...] = ()
    chips: dict[str, int] = {}
    without_card: frozenset[str] = frozenset()
    layout: dict[Area, Stakes] = {}
    bets_open: bool = True
    turn_after: str | None = None
    passed: bool = False
    turn_from: str | None = None
    void_run: int = 0
    void_for: tuple[str | None, str | None] = (None, None)
    house_throws_for: tuple[str, str] | None = None
    fresh: dict[tuple[str, Area], bool] = {}
    idle: dict[str, int] = {}
    facts: dict[str, Fact] = {}
    tokens: dict[str, int] = {}
    staked: dict[str, dict[Area, int]] = {}

    @property
    def is_open(self) -> bool:
        """Whether the table has been opened."""
        return bool(self.terms)

    @property
    def terms_now(self) -> int:
        """The place of the terms under which new wagers are made."""
        return len(self.terms) - 1

    def wagers(self) -> list[tuple[str, Area, Stake]]:
        """All standing wagers."""
        return [(player, area, stake) for area, stakes in self.layout.items() for player, stake in stakes.items()]
