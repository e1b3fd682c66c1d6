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


Checks = tuple[tuple[str, int], ...]  # colours of checks, and how much there is in each


# Values that hold nothing but values: they cannot come round to themselves, so that nothing need be looked for in them
# when memory is tidied up (`gc=False`). Commands, events and documents are of the same kind.


class Stake(msgspec.Struct, frozen=True, gc=False):
    """One player's chips on an area. `called` is On, Off, or neither; `tokens` is what of the amount is in tokens.

    `checks` is what of it is in checks without a value of their own.
    """

    amount: int
    commission: int = 0
    called: bool | None = None
    tokens: int = 0
    checks: Checks = ()


Stakes = dict[str, Stake]


class Turn(msgspec.Struct, frozen=True, gc=False):
    """Who throws next: the turn goes on after a player, or after the place of one who left; void throws in a row."""

    after: str | None = None
    passed: bool = False
    place: int | None = None
    void_run: int = 0
    void_for: tuple[str | None, str | None] = (None, None)
    house_throws_for: tuple[str, str] | None = None


Taken = tuple[str, Area, int]  # who took down how much of which wager
Voided = tuple[str, Area, str]  # whose wager was void, which, and by what clause


class Latest(msgspec.Struct, frozen=True, gc=False):
    """The latest settled result: its faces, the player who threw, and the table just before it was settled.

    `reimbursed` are players who since were paid, or gave back, something to put a payment right. `taken` is what
    players had taken down after an earlier form of the result, and it decided. `rested_at` is when it came to rest,
    where people said so. `voided` are wagers that were void with it or have been declared so since.
    """

    faces: tuple[int | str, ...]
    by: str | None
    before: State
    reimbursed: tuple[str, ...] = ()
    taken: tuple[Taken, ...] = ()
    rested_at: str | None = None
    voided: tuple[Voided, ...] = ()


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything that matters for what may happen next.

    `seats` are the players clockwise by their `places`, which are numbered from 1. The turn goes on after the player
    `turn_after`, or after the place `turn_place` once that player has left it. `fresh` are the wagers that no throw has
    seen yet, `idle` the rounds in a row without a wager at a full table, `facts` what the conduct of the game has the
    table remember. `tokens` are the promotional tokens in hand of all who were given any, none left included. `checks`
    are, by player and colour, what of the chips in hand is in checks without a value of their own; colours of which
    none is left are included. `brought` are the chips that came to the table, less those that left it: what of them is
    neither in a hand nor on the layout is in the float. `kept` are the chips of everybody who is away while a wager of
    theirs stands or while chips wait for them; `owing` is what players owe after a result was corrected. `latest` is
    the result that can still be corrected, `time` the latest moment that the table has been told, in universal time.
    `results` counts the results of this gaming day. `staked` is the most that each player had on an area when it was
    decided, by area, this gaming day: what a dispute can be about (reading X-57).
    """

    settings: Settings = Settings()
    terms: tuple[Terms, ...] = ()
    phases: dict[str, str] = {}
    seats: tuple[str, ...] = ()
    places: dict[str, int] = {}
    chips: dict[str, int] = {}
    without_card: frozenset[str] = frozenset()
    layout: dict[Area, Stakes] = {}
    bets_open: bool = True
    turn_after: str | None = None
    passed: bool = False
    turn_place: int | None = None
    void_run: int = 0
    void_for: tuple[str | None, str | None] = (None, None)
    house_throws_for: tuple[str, str] | None = None
    fresh: dict[tuple[str, Area], bool] = {}
    idle: dict[str, int] = {}
    facts: dict[str, Fact] = {}
    tokens: dict[str, int] = {}
    checks: dict[str, dict[str, int]] = {}
    brought: int = 0
    kept: dict[str, int] = {}
    owing: dict[str, int] = {}
    latest: Latest | None = None
    results: int = 0
    time: str | None = None
    staked: dict[Area, dict[str, int]] = {}

    @property
    def turn(self) -> Turn:
        """Who throws next, as one value."""
        return Turn(self.turn_after, self.passed, self.turn_place, self.void_run, self.void_for, self.house_throws_for)

    def chips_of(self, player: str) -> int:
        """What a player has in hand, or is kept for a player who has left."""
        return self.chips.get(player, 0) + self.kept.get(player, 0)

    @property
    def has_kinds(self) -> bool:
        """Whether anybody was given tokens or checks, so that what goes back must be told apart."""
        return bool(self.tokens or self.checks)

    @property
    def is_open(self) -> bool:
        """Whether the table has been opened."""
        return bool(self.terms)

    @property
    def terms_now(self) -> int:
        """The place of the terms under which new wagers are made."""
        return len(self.terms) - 1

    @property
    def in_float(self) -> int:
        """What is known to be in the float: less than nothing where nobody counted what it began with (X-44)."""
        laid = sum(stake.amount - stake.tokens for stakes in self.layout.values() for stake in stakes.values())
        return self.brought - sum(self.chips.values()) - sum(self.kept.values()) - laid

    def wagers(self) -> list[tuple[str, Area, Stake]]:
        """All standing wagers."""
        return [(player, area, stake) for area, stakes in self.layout.items() for player, stake in stakes.items()]
