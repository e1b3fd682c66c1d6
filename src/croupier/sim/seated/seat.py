"""A strategy written in Python: what it sees of the table, what it may do there, and how each session gets its own."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Protocol, cast, runtime_checkable

from croupier.money import MoneyError, format_cents, parse_cents
from croupier.rules.book import shown_value
from croupier.rules.errors import Impossible
from croupier.rules.outcomes import Faces
from croupier.rules.picks import plain_pick
from croupier.sim.places import check_spot
from croupier.sim.reading.shapes import nearest, quoted
from croupier.sim.seated.hand import PLAYER, Hand
from croupier.sim.seated.memory import Memory
from croupier.sim.strategy import Spot
from croupier.table import commands


class Seat:
    """What a strategy written in Python sees and may do.

    Amounts go in as texts such as "10.00", and come out in cents under names that say so; `money` leads from the one to
    the other. An act returns whether the table accepted it; what it refuses is counted under rule 0. Once the player
    has left, nothing more is done. What is asked about a wager or a phase that the book does not have is Impossible.
    """

    def __init__(
        self, hand: Hand, memory: Memory, ask: Callable[[commands.AnyCommand], bool], leave: Callable[[], None]
    ) -> None:
        self._hand = hand
        self._memory = memory
        self._ask = ask
        self._leave = leave

    # What there is to see

    @property
    def chips_cents(self) -> int:
        """Chips in hand. Raises Impossible where nobody brought a bankroll: then chips never run out."""
        return self._hand.purse

    @property
    def net_cents(self) -> int:
        """What the player is up or down; what stands counts at its face, commission included."""
        return self._hand.net

    @property
    def stakes_cents(self) -> dict[Spot, int]:
        """What stands of the player's, spot by spot, without commission."""
        return self._hand.stakes

    def stake_cents(self, wager: str, pick: object = None) -> int:
        """What stands on a spot, without commission."""
        return self._hand.stake(self._spot(wager, pick))

    @property
    def rolls(self) -> int:
        """How many throws the session has seen."""
        return self._memory.rolls

    @property
    def shooter_rolls(self) -> int:
        """How many throws this shooter has made."""
        return self._memory.shooter_rolls

    @property
    def shooters(self) -> int:
        """The number of the shooter: 1 for the first."""
        return self._memory.shooters

    @property
    def last_result(self) -> Faces | None:
        """The faces that fell last; None before the first throw."""
        return None if self._memory.last is None else self._hand.game.book.outcomes.all[self._memory.last]

    def phase(self, name: str) -> str:
        """The state that a phase of the table is in."""
        phases = self._hand.state.phases
        if name not in phases:
            raise Impossible("unknown_phase", f"The book has no phase {quoted(name)}; {nearest(name, phases)}.")
        return phases[name]

    def shown(self, name: str) -> int | str | None:
        """What people see of a phase, such as the number on which the puck lies; None where it shows nothing."""
        state = self.phase(name)
        return shown_value(self._hand.game.book.phases[name].shows, state)

    def wins(self, wager: str, pick: object = None) -> int:
        """How many wagers on a spot were won in a row."""
        return self._memory.record((self._spot(wager, pick),)).wins

    def losses(self, wager: str, pick: object = None) -> int:
        """How many wagers on a spot were lost in a row."""
        return self._memory.record((self._spot(wager, pick),)).losses

    def _spot(self, wager: str, pick: object) -> Spot:
        """Where somebody asks about. Raises Impossible: a word that means nothing would only ever be told nothing."""
        spot = Spot(wager, plain_pick(pick))
        check_spot(self._hand.game, spot)
        return spot

    # What there is to do

    def bet(self, wager: str, amount: str, pick: object = None) -> bool:
        """Make a wager, or add to one that stands. Raises MoneyError for what is no amount."""
        return self._ask(commands.PlaceWager(player=PLAYER, wager=wager, pick=pick, amount=parse_cents(amount)))

    def take(self, wager: str, pick: object = None, amount: str | None = None) -> bool:
        """Reduce a wager by an amount; without one, take it down. Raises MoneyError for what is no amount."""
        cents = None if amount is None else parse_cents(amount)
        return self._ask(commands.TakeWager(player=PLAYER, wager=wager, pick=pick, amount=cents))

    def call(self, wager: str, on: bool, pick: object = None) -> bool:
        """Call a wager On or Off."""
        return self._ask(commands.CallWager(player=PLAYER, wager=wager, pick=pick, on=on))

    def leave(self) -> None:
        """End the session: what may be is taken down, and what is locked is waited for."""
        self._leave()

    @staticmethod
    def money(cents: int) -> str:
        """Cents as the text in which amounts go in: 1250 becomes "12.50". Raises MoneyError for parts of a cent."""
        try:
            return format_cents(index(cents))
        except TypeError:
            raise MoneyError(f"Cents are a whole number, not {cents!r}: nobody pays with parts of one.") from None


class PlayerCallable(Protocol):
    """A strategy written in Python: called whenever rules would be carried out."""

    def __call__(self, seat: Seat, /) -> None:
        """Look round, and act."""


@runtime_checkable
class PlayerFactory(Protocol):
    """Something that gives a strategy of its own to each session, so that none remembers another."""

    def session(self) -> PlayerCallable:
        """The strategy for one session."""


AnyPlayer = PlayerCallable | PlayerFactory | type[PlayerCallable] | type[PlayerFactory]


def fresh(player: AnyPlayer) -> PlayerCallable:
    """The strategy for one session: a class gives a new object, a factory what it makes, a function is itself."""
    made = cast(Callable[[], PlayerCallable | PlayerFactory], player)() if isinstance(player, type) else player
    return made.session() if isinstance(made, PlayerFactory) else made
