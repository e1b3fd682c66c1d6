"""A table at one moment. Immutable: `evolve` returns the next state."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from croupier.rules.game import Terms
from croupier.rules.machine import Pick
from croupier.rules.schema import Fact
from croupier.table.commands import Settings


class Area(NamedTuple):
    """Where chips lie and what they wait for: a wager and pick, its machine's state, the terms it was made under."""

    wager: str
    pick: Pick
    state: str
    terms: int


Checks = tuple[tuple[str, int], ...]  # colours of checks, and the amount in each


# These structs contain only values and can never form a reference cycle, so the garbage collector need not track them
# (`gc=False`). The same applies to commands, events and documents.


class Stake(msgspec.Struct, frozen=True, gc=False):
    """One player's chips on an area. `called` is On, Off, or neither; `tokens` is the part of the amount in tokens.

    `checks` is the part in checks without a face value.
    """

    amount: int
    commission: int = 0
    called: bool | None = None
    tokens: int = 0
    checks: Checks = ()


Stakes = dict[str, Stake]


class Turn(msgspec.Struct, frozen=True, gc=False):
    """Who throws next: the turn continues after a player, or after the place of one who left; void throws in a row."""

    after: str | None = None
    passed: bool = False
    place: int | None = None
    void_run: int = 0
    void_for: tuple[str | None, str | None] = (None, None)
    house_throws_for: tuple[str, str] | None = None


Taken = tuple[str, Area, int]  # player, wager, amount taken down
Voided = tuple[str, Area, str]  # player, wager declared void, clause


class Latest(msgspec.Struct, frozen=True, gc=False):
    """The latest settled result: its faces, the player who threw, and the table just before it was settled.

    `reimbursed` lists players with a payment corrected since, in either direction. `taken` lists wagers that players
    had taken down after an earlier version of the result and that this one decided. `rested_at` is when it came to
    rest, if stated. `voided` lists wagers that were void with it or have been declared so since.
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

    `seats` are the players clockwise by their `places`, which are numbered from 1. The turn continues after the
    player `turn_after`, or after the place `turn_place` once that player has left it. `fresh` are the wagers made
    since the last throw, `idle` the rounds in a row without a wager at a full table, `facts` the facts of the
    conduct. `tokens` are the promotional tokens in hand of every player who was given any, zero included. `checks`
    are, by player and colour, the part of the chips in hand that is in checks without a face value, zero included.
    `brought` are the chips that came to the table, less those that left it: those not in a hand, kept or on the
    layout are in the float. `kept` are the chips of players who are away while a wager of theirs stands or chips
    wait for them; `owing` are debts after a corrected result. `latest` is the result that can still be corrected,
    `time` the latest time given to the table, in UTC. `results` counts the results of this gaming day. `staked` is
    the largest stake each player had on an area when it was decided, by area, this gaming day: what a dispute can be
    about (reading X-57).
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
        """Return the chips a player has in hand or, after leaving, kept for them."""
        return self.chips.get(player, 0) + self.kept.get(player, 0)

    @property
    def has_kinds(self) -> bool:
        """Whether any player was given tokens or checks, so that settlements must separate them from chips."""
        return bool(self.tokens or self.checks)

    @property
    def is_open(self) -> bool:
        """Whether the table has been opened."""
        return bool(self.terms)

    @property
    def terms_now(self) -> int:
        """The index of the terms under which new wagers are made."""
        return len(self.terms) - 1

    @property
    def in_float(self) -> int:
        """The known contents of the float; negative if its opening amount was never counted (X-44)."""
        laid = sum(stake.amount - stake.tokens for stakes in self.layout.values() for stake in stakes.values())
        return self.brought - sum(self.chips.values()) - sum(self.kept.values()) - laid

    def wagers(self) -> list[tuple[str, Area, Stake]]:
        """Return all standing wagers."""
        return [(player, area, stake) for area, stakes in self.layout.items() for player, stake in stakes.items()]
