"""Commands that people give a table, in the imperative. Amounts are in cents; the time is the one a command states."""

from __future__ import annotations

from datetime import datetime

import msgspec

from croupier.rules.game import Terms


class Command(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The base of all commands. `at` is the time, if given; `by` the role of the person giving it, `who` their name.

    Without a role the table itself acts, as for a program that names no one.
    """

    at: datetime | None = None
    by: str | None = None
    who: str | None = None


class Limit(msgspec.Struct, frozen=True, gc=False):
    """Smallest and largest stake; None is no limit."""

    minimum: int | None = None
    maximum: int | None = None


class PlayerSign(Limit, frozen=True):
    """A player's own sign: limits for everything, or for single wagers by their name on the sign."""

    wagers: dict[str, Limit] = {}

    @property
    def is_for_all(self) -> bool:
        """Whether it states limits for everything."""
        return self.minimum is not None or self.maximum is not None


class Settings(msgspec.Struct, frozen=True, gc=False):
    """What the sign at the table says, and how the table is run.

    With `manual_dice` people hand the dice or coins round, and only the holder may throw. With `late_bets` wagers
    are taken until the dice come to rest, each one confirmed (reading X-3). `unit` is the step of stakes above the
    minimum, if the sign states one; `player_limits` are players' own signs. `wager_limits` sets both limits of a
    kind of wager (`hardway`) or of one with its pick (`hardway 4`); a limit left out of `single_limits` falls back
    to the wider one. See `placing.limit_for`.
    """

    chip: int = 100
    limit: Limit = Limit()
    wager_limits: dict[str, Limit] = {}
    player_maximum: int | None = None
    exact_units: bool = False
    fixed_stakes: dict[str, int] = {}
    without: tuple[str, ...] = ()
    seats: int | None = None
    manual_dice: bool = False
    late_bets: bool = False
    player_limits: dict[str, PlayerSign] = {}
    unit: int | None = None
    single_limits: dict[str, Limit] = {}

    @property
    def selections(self) -> list[str]:
        """The kinds of wager and selections that the sign limits, each once."""
        return [*self.wager_limits, *(name for name in self.single_limits if name not in self.wager_limits)]


class OpenTable(Command, frozen=True, kw_only=True):
    """Open the table with a book, a pay table and a sign."""

    terms: Terms
    settings: Settings = Settings()


class SeatPlayer(Command, frozen=True, kw_only=True):
    """Seat a player with chips. `area` names the player area, if any.

    Places are numbered clockwise from 1; without a `place`, seats run clockwise in the order given.
    """

    player: str
    chips: int
    card: bool = True
    area: str | None = None
    place: int | None = None


class BuyChips(Command, frozen=True, kw_only=True):
    """Buy more chips at the table."""

    player: str
    chips: int


class LeaveTable(Command, frozen=True, kw_only=True):
    """Leave the table with all chips in hand."""

    player: str


class PlaceWager(Command, frozen=True, kw_only=True):
    """Make a wager, or add to one that stands. `tokens` is the part of the amount laid in promotional tokens.

    `checks` is the colour of the checks for the rest, or the amount of it in each colour.
    """

    player: str
    wager: str
    amount: int
    pick: object = None
    tokens: int = 0
    checks: str | tuple[tuple[str, int], ...] | None = None


class TakeWager(Command, frozen=True, kw_only=True):
    """Reduce a wager by an amount; without one, take it down."""

    player: str
    wager: str
    pick: object = None
    amount: int | None = None


class CallWager(Command, frozen=True, kw_only=True):
    """Call a wager On or Off."""

    player: str
    wager: str
    on: bool
    pick: object = None


class FindWager(Command, frozen=True, kw_only=True):
    """Record the whole stake that a dealer finds on an area after the throw, even if too small or too large."""

    player: str
    wager: str
    amount: int
    pick: object = None


class CloseBets(Command, frozen=True, kw_only=True):
    """Call that betting is closed."""


class Throw(Command, frozen=True, kw_only=True):
    """Enter the faces that were thrown, of dice or coins."""

    faces: tuple[object, ...]


class VoidThrow(Command, frozen=True, kw_only=True):
    """Declare the throw void, under a clause. If it is invalidated for fraud, players in `forfeit` lose wagers.

    `words` is the call, if the book allows one other than the usual.
    """

    reason: str
    words: str | None = None
    forfeit: tuple[str, ...] = ()


class PerformAct(Command, frozen=True, kw_only=True):
    """Perform an act of the book's conduct, with the fields given in `said`."""

    act: str
    said: dict[str, object] = {}


class AdoptRules(Command, frozen=True, kw_only=True):
    """Continue under an amended book or another pay table; standing wagers keep their terms."""

    terms: Terms


AnyCommand = (
    OpenTable
    | SeatPlayer
    | BuyChips
    | LeaveTable
    | PlaceWager
    | TakeWager
    | CallWager
    | FindWager
    | CloseBets
    | Throw
    | VoidThrow
    | PerformAct
    | AdoptRules
)
