"""A table at one moment. Immutable: `evolve` returns the next state.

`TableView` is a state with the games by which its wagers are played: queries shared by deciding and showing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from croupier.rules import offers, schema
from croupier.rules.game import Game, Terms
from croupier.rules.machine import Pick
from croupier.rules.schema import NONE, Fact, acts_on
from croupier.rules.shelf import Shelf
from croupier.table.commands import Settings

IN_THE_AIR = "thrown"  # the value of the fact "throw" between the throw and rest


class Area(NamedTuple):
    """Where chips lie and what they wait for: a wager and pick, its machine's state, the terms it was made under."""

    wager: str
    pick: Pick
    state: str
    terms: int


class OnArea(msgspec.Struct, frozen=True, gc=False):
    """The fields that name an area, for events that concern one."""

    wager: str
    pick: Pick
    state: str
    terms: int

    @property
    def area(self) -> Area:
        """The area that it concerns."""
        return Area(self.wager, self.pick, self.state, self.terms)


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
NO_STAKE = Stake(0)


def more_checks(laid: Checks, more: Iterable[tuple[str, int]]) -> Checks:
    """Add checks to those of a stake, or remove them if negative."""
    there = dict(laid)
    for colour, cents in more:
        there[colour] = there.get(colour, 0) + cents
    return tuple((colour, cents) for colour, cents in there.items() if cents)


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

    def in_value_chips(self, player: str) -> int:
        """Return the chips a player has in hand that are not checks without a face value."""
        return self.chips[player] - sum(self.checks.get(player, {}).values())

    @property
    def in_the_air(self) -> bool:
        """Whether the dice have been thrown and have not come to rest."""
        return self.facts.get("throw") == IN_THE_AIR

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


class TableView:
    """A state together with the games by which its wagers are played."""

    __slots__ = ("game", "games", "state")

    def __init__(self, shelf: Shelf, state: State) -> None:
        self.state = state
        self.games = shelf.games(state.terms)
        self.game = self.games[-1]

    def at(self, state: State) -> TableView:
        """Return the same table in another state, under the same terms."""
        view = TableView.__new__(TableView)
        view.state, view.games, view.game = state, self.games, self.game
        return view

    def fact(self, name: str) -> Fact:
        """Return the value of a fact, or the book's initial value; `none` if there is neither."""
        facts = self.state.facts
        return facts[name] if name in facts else self.game.book.conduct.facts.get(name, NONE)

    def game_of(self, area: Area) -> Game:
        """Return the game under whose terms the wagers of an area were made."""
        return self.games[area.terms]

    def wager_of(self, area: Area) -> schema.Wager:
        """Return the definition of an area's wager."""
        return self.games[area.terms].book.wagers[area.wager]

    def shown_pick(self, area: Area) -> Pick:
        """Return the pick that people see: a wager that has travelled shows its number."""
        return offers.shown_pick(self.wager_of(area), area.pick, area.state)

    def find(self, player: str, wager_id: str, pick: Pick) -> Area | None:
        """Return the area of a player's standing wager with that name and pick."""
        for area, stakes in self.state.layout.items():
            if area.wager == wager_id and player in stakes and self.shown_pick(area) == pick:
                return area
        return None

    def holds(self, player: str, wager_ids: list[str]) -> bool:
        """Whether a player has one of these wagers standing; with none named, any wager."""
        return any(
            player in stakes and (not wager_ids or area.wager in wager_ids)
            for area, stakes in self.state.layout.items()
        )

    @acts_on("wager.sleeps")
    def asleep(self, wager: schema.Wager, stake: Stake) -> str | None:
        """Return the clause under which the wager does not act on the next throw; None if it acts."""
        return offers.sleep_clause(wager, self.state.phases, stake.called)

    def state_for(self, condition: schema.Condition, pick: Pick, own_state: str) -> str:
        """Return the state that a condition tests: of the phase that it names, or the wager's own."""
        phase = offers.phase_of(condition, pick)
        return own_state if phase is None else self.state.phases[phase]

    def flat_areas(self, wager: schema.Wager, state: str) -> list[Area]:
        """Return the areas of the flat wager that a wager in this state lies behind; none if it stands alone."""
        flat = wager.flat
        return [area for area in self.state.layout if area.wager == flat and area.state == state]

    def flat_area(self, player: str, wager: schema.Wager, state: str) -> Area | None:
        """Return the area of the player's flat wager that a Behind wager in this state depends on."""
        areas = self.flat_areas(wager, state)
        return next((area for area in areas if player in self.state.layout[area]), None)

    @acts_on("rules.calls")
    def call(self, moment: str) -> str | None:
        """Return the words called at a moment, if the book has them."""
        return self.game.book.calls.get(moment)
