"""A strategy prepared for one book: what is bet, taken and called between throws, and when the player leaves.

These are plain values. `simulation.reading` reads them from a strategy file, `simulation.reference` plays them at a
real table, and `simulation.kernels` encodes them as records. Amounts are in cents. `docs/strategies.md` explains the
language.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

import msgspec

from croupier.rules.book import find_pick, find_wager
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.machine import Pick, show_pick
from croupier.rules.offers import numbers
from croupier.simulation.reading.shapes import nearest, quoted

MOST_CENTS = 10**12  # limit on any amount in a simulation: above it sums over many throws overflow 64 bits
PLENTY = 10**17  # the cents of a player whose chips never run out
MOST_MONEY = f"{MOST_CENTS // 100:,}.00"  # as shown in messages


class Spot(NamedTuple):
    """A place for chips as people name it: a wager and its pick. A wager that has travelled has its number as pick."""

    wager: str
    pick: Pick = None

    @property
    def name(self) -> str:
        """The spot as written in a strategy."""
        return f"{self.wager} {show_pick(self.pick)}".rstrip()


Spots = tuple[Spot, ...]


# Stakes


class Fixed(msgspec.Struct, frozen=True, tag=True):
    """A fixed number of cents, tried as it is."""

    cents: int


class TimesSpot(msgspec.Struct, frozen=True, tag=True):
    """A multiple of the stake on another spot."""

    factor: Fraction
    spot: Spot


class ShareOfChips(msgspec.Struct, frozen=True, tag=True):
    """A share of the chips in hand."""

    share: Fraction


class Most(msgspec.Struct, frozen=True, tag=True):
    """As much as is allowed: the limit behind a flat wager, and the sign's maximum."""


class FromProgression(msgspec.Struct, frozen=True, tag=True):
    """A multiple of the current amount of a progression, named by its index."""

    factor: Fraction
    progression: int


Stake = Fixed | TimesSpot | ShareOfChips | Most | FromProgression


# Conditions


class PhaseIs(msgspec.Struct, frozen=True, tag=True):
    """A phase of the table is in one of these states."""

    phase: str
    states: frozenset[str]


class ResultIs(msgspec.Struct, frozen=True, tag=True):
    """The last throw was one of these outcomes; false before the first throw."""

    outcomes: frozenset[int]


class Count(msgspec.Struct, frozen=True, tag=True):
    """How many of these spots have chips on them."""

    spots: Spots


class Streak(msgspec.Struct, frozen=True, tag=True):
    """How many wagers on these spots were won (or lost) in a row; returned wagers do not count.

    Within one throw losses count first: a throw with a loss and a win ends at one win in a row.
    """

    spots: Spots
    won: bool


class Hits(msgspec.Struct, frozen=True, tag=True):
    """How many wagers on these spots were won since the shooter began; per session in games without shooters."""

    spots: Spots


class Rolls(msgspec.Struct, frozen=True, tag=True):
    """The number of throws in the session so far."""


class ShooterRolls(msgspec.Struct, frozen=True, tag=True):
    """The number of throws by this shooter."""


class Shooters(msgspec.Struct, frozen=True, tag=True):
    """The number of the shooter: 1 for the first."""


class Chips(msgspec.Struct, frozen=True, tag=True):
    """Chips in hand, in cents."""


class Net(msgspec.Struct, frozen=True, tag=True):
    """Chips in hand plus wagers on the layout, commission included, less the bankroll; in cents."""


Subject = Count | Streak | Hits | Rolls | ShooterRolls | Shooters | Chips | Net
Comparison = Literal["is", "is not", "at least", "at most", "above", "below"]


class Compare(msgspec.Struct, frozen=True, tag=True):
    """A comparison of a number with a value."""

    subject: Subject
    comparison: Comparison
    value: int

    def holds(self, number: int) -> bool:
        """Whether it is true of a number."""
        match self.comparison:
            case "is":
                return number == self.value
            case "is not":
                return number != self.value
            case "at least":
                return number >= self.value
            case "at most":
                return number <= self.value
            case "above":
                return number > self.value
            case "below":
                return number < self.value


Condition = PhaseIs | ResultIs | Compare


class Guard(msgspec.Struct, frozen=True):
    """All of `when` and none of `unless` must hold."""

    when: tuple[Condition, ...] = ()
    unless: tuple[Condition, ...] = ()

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions of both lists."""
        return (*self.when, *self.unless)


# Rules, in the order in which they are applied between throws


class Bet(msgspec.Struct, frozen=True, tag=True):
    """Make a wager. `rule` is the number of the rule in the file, from 1.

    The bet waits while a wager is on the spot; with `adds` it waits only while the stake is reached, and adds what is
    missing. It also waits until the book allows the wager, unless `insist` is set. `or_less` lowers the stake to what
    the limits and the chips in hand allow. `at_most` limits how often it is made, per shooter or per session.
    """

    rule: int
    spot: Spot
    stake: Stake
    guard: Guard = Guard()
    adds: bool = False
    or_less: bool = False
    insist: bool = False
    at_most: int | None = None
    per: Literal["shooter", "session"] = "session"


class Take(msgspec.Struct, frozen=True, tag=True):
    """Take a wager down, or reduce it to `leave`."""

    rule: int
    spot: Spot
    guard: Guard = Guard()
    leave: int = 0


class Call(msgspec.Struct, frozen=True, tag=True):
    """Call a wager On or Off, unless it is called so already."""

    rule: int
    spot: Spot
    on: bool
    guard: Guard = Guard()


Rule = Bet | Take | Call


# Progressions


class Move(msgspec.Struct, frozen=True):
    """The effect of a decision on a progression.

    On steps: `next`, `back` by a number of steps, `first`, `stay`. On an amount: `add` cents (negative subtracts),
    `times` a factor, `add_won` a share of the winnings, `first` (back to the start), `stay`.
    """

    kind: Literal["next", "back", "first", "stay", "add", "times", "add_won"]
    by: Fraction = Fraction(1)


class Progression(msgspec.Struct, frozen=True):
    """A stake that moves with the decisions on some spots: along steps, or as an amount from `least` to `most`.

    Of the wagers that one throw decides, each loss moves it first, then each win; winnings are summed before a share of
    them is added. Returned wagers move nothing. With `per_shooter` it restarts with every shooter.
    """

    id: str
    of: Spots
    win: Move
    loss: Move
    steps: tuple[int, ...] = ()
    at_end: Literal["first", "stay"] = "stay"
    start: int = 0
    least: int = 0
    most: int = 0
    per_shooter: bool = False


class Stop(msgspec.Struct, frozen=True):
    """When the player leaves, checked after each throw in this order. With `when_decided`, wagers play out first."""

    win: int | None = None
    loss: int | None = None
    shooters: int | None = None
    rolls: int | None = None
    when_decided: bool = False


class Strategy(msgspec.Struct, frozen=True):
    """A whole strategy for one book."""

    name: str
    about: str
    unit: int
    rules: tuple[Rule, ...]
    progressions: tuple[Progression, ...] = ()
    stop: Stop = Stop()
    bankroll: int | None = None


# Where chips can lie under a book: on the picks of its wagers, and on the numbers to which some of them travel


def check_spot(game: Game, spot: Spot) -> None:
    """Refuse a spot on which no wager can ever be. Raises Impossible."""
    try:
        wager = find_wager(game.book, spot.wager)
    except Impossible as error:
        say = f"The book has no wager called {quoted(spot.wager)}; {nearest(spot.wager, game.book.wagers)}."
        raise Impossible(error.code, say, error.clause) from None
    if not wager.can_move:
        found = find_pick(game.book, wager, spot.pick)
        if found != spot.pick:
            raise Impossible("pick_unknown", f"{wager.name} is made on {found}, numbers in ascending order.")
        return
    reached = numbers(game, wager)
    if spot.pick is not None and spot.pick not in reached:
        listed = ", ".join(map(show_pick, reached))
        say = f"{wager.name} does not travel to {quoted(show_pick(spot.pick))}; it travels to {listed}."
        raise Impossible("pick_unknown", say, wager.clause)
