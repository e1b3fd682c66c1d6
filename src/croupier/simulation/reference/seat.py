"""A strategy written in Python: what it sees of the table, what it may do there, and one instance per session."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import NamedTuple, Protocol, cast, runtime_checkable

from croupier.money import MoneyError, format_cents, parse_cents
from croupier.rules.book import shown_value
from croupier.rules.errors import Impossible
from croupier.rules.game import Game, Terms
from croupier.rules.machine import plain_pick
from croupier.rules.outcomes import Faces
from croupier.rules.shelf import Shelf
from croupier.simulation.reading.shapes import nearest, quoted
from croupier.simulation.reference.player_memory import Memory
from croupier.simulation.strategy import PLENTY, Spot, check_spot
from croupier.table import commands, events
from croupier.table.decide import decide
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import Stake, State, TableView
from croupier.table.throwing import not_an_outcome


class Seat:
    """The view and the actions of a strategy written in Python.

    Amounts go in as texts such as "10.00", and come out in cents under names that say so; `money` converts cents to
    text. An action returns whether the table accepted it; refusals are counted under rule 0. After the player has left,
    actions do nothing. Asking about a wager or phase that the book does not have raises Impossible.
    """

    def __init__(
        self, hand: Hand, memory: Memory, ask: Callable[[commands.AnyCommand], bool], leave: Callable[[], None]
    ) -> None:
        self._hand = hand
        self._memory = memory
        self._ask = ask
        self._leave = leave

    # Queries

    @property
    def chips_cents(self) -> int:
        """Chips in hand. Raises Impossible without a bankroll, when chips never run out."""
        return self._hand.purse

    @property
    def net_cents(self) -> int:
        """The player's net result; wagers on the layout count at face value, commission included."""
        return self._hand.net

    @property
    def stakes_cents(self) -> dict[Spot, int]:
        """The player's stakes on the layout by spot, without commission."""
        return self._hand.stakes

    def stake_cents(self, wager: str, pick: object = None) -> int:
        """The stake on a spot, without commission."""
        return self._hand.stake(self._spot(wager, pick))

    @property
    def rolls(self) -> int:
        """The number of throws in the session so far."""
        return self._memory.rolls

    @property
    def shooter_rolls(self) -> int:
        """The number of throws by this shooter."""
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
        """The current state of a phase."""
        phases = self._hand.state.phases
        if name not in phases:
            raise Impossible("unknown_phase", f"The book has no phase {quoted(name)}; {nearest(name, phases)}.")
        return phases[name]

    def shown(self, name: str) -> int | str | None:
        """The value that a phase shows, such as the number the puck is on; None if it shows nothing."""
        state = self.phase(name)
        return shown_value(self._hand.game.book.phases[name].shows, state)

    def wins(self, wager: str, pick: object = None) -> int:
        """How many wagers on a spot were won in a row."""
        return self._memory.record((self._spot(wager, pick),)).wins

    def losses(self, wager: str, pick: object = None) -> int:
        """How many wagers on a spot were lost in a row."""
        return self._memory.record((self._spot(wager, pick),)).losses

    def _spot(self, wager: str, pick: object) -> Spot:
        """The spot asked about. Raises Impossible, since a misspelt spot would always answer zero."""
        spot = Spot(wager, plain_pick(pick))
        check_spot(self._hand.game, spot)
        return spot

    # Actions

    def bet(self, wager: str, amount: str, pick: object = None) -> bool:
        """Make a wager, or add to one on the layout. Raises MoneyError for an invalid amount."""
        return self._ask(commands.PlaceWager(player=PLAYER, wager=wager, pick=pick, amount=parse_cents(amount)))

    def take(self, wager: str, pick: object = None, amount: str | None = None) -> bool:
        """Reduce a wager by an amount; without one, take it down. Raises MoneyError for an invalid amount."""
        cents = None if amount is None else parse_cents(amount)
        return self._ask(commands.TakeWager(player=PLAYER, wager=wager, pick=pick, amount=cents))

    def call(self, wager: str, on: bool, pick: object = None) -> bool:
        """Call a wager On or Off."""
        return self._ask(commands.CallWager(player=PLAYER, wager=wager, pick=pick, on=on))

    def leave(self) -> None:
        """End the session: take down every wager that may be, and wait for those that are locked."""
        self._leave()

    @staticmethod
    def money(cents: int) -> str:
        """Format cents as an amount: 1250 becomes "12.50". Raises MoneyError for fractions of a cent."""
        try:
            return format_cents(index(cents))
        except TypeError:
            raise MoneyError(f"Cents must be a whole number, not {cents!r}.") from None


class PlayerCallable(Protocol):
    """A strategy written in Python: called whenever rules would be applied."""

    def __call__(self, seat: Seat, /) -> None:
        """Look at the table, and act."""


@runtime_checkable
class PlayerFactory(Protocol):
    """Makes a separate strategy for each session, so that none remembers another."""

    def session(self) -> PlayerCallable:
        """The strategy for one session."""


AnyPlayer = PlayerCallable | PlayerFactory | type[PlayerCallable] | type[PlayerFactory]


def fresh(player: AnyPlayer) -> PlayerCallable:
    """Return the strategy for one session: a new object of a class, a factory's product, or the function itself."""
    made = cast(Callable[[], PlayerCallable | PlayerFactory], player)() if isinstance(player, type) else player
    return made.session() if isinstance(made, PlayerFactory) else made


# One player alone at a real table: chips in hand, wagers on the layout, and the table's answers

PLAYER = "player"


class Refused(NamedTuple):
    """A refusal by the table: the number of the rule, the reason, and the clause."""

    rule: int
    code: str
    clause: str | None


class Hand:
    """A player's hand at a table of the engine. Without a bankroll there are always enough chips.

    `happened` lists the events of all commands, in order; callers add the refusals, since they know which rule it was.
    """

    def __init__(self, shelf: Shelf, terms: Terms, settings: commands.Settings, bankroll: int | None) -> None:
        self.shelf = shelf
        self.bankroll = bankroll
        self.bought = PLENTY if bankroll is None else bankroll
        self.happened: list[events.AnyEvent | Refused] = []
        self.state = State()
        self._view: TableView | None = None
        self._standing: dict[Spot, Stake] | None = None
        self.must(commands.OpenTable(terms=terms, settings=settings))
        self.must(commands.SeatPlayer(player=PLAYER, chips=self.bought))

    def ask(self, command: commands.AnyCommand) -> tuple[events.AnyEvent, ...] | Refusal:
        """Carry out a command; a refusal changes nothing."""
        decision = decide(self.shelf, self.state, command)
        if not isinstance(decision, Refusal):
            self.state = evolve_all(self.state, decision)
            self._view = self._standing = None
            self.happened.extend(decision)
        return decision

    def must(self, command: commands.AnyCommand) -> tuple[events.AnyEvent, ...]:
        """Carry out a command that is not the player's choice. Raises Impossible if the table refuses."""
        decision = self.ask(command)
        if isinstance(decision, Refusal):
            raise Impossible(decision.code, decision.message, decision.clause)
        return decision

    def throw(self, outcome: int) -> tuple[events.AnyEvent, ...]:
        """Throw and settle an outcome; close the bets first if the book closes them."""
        if not 0 <= outcome < len(self.game.book.outcomes):
            refusal = not_an_outcome(self.game)
            raise Impossible(refusal.code, refusal.message, refusal.clause)
        if self.game.book.rules.betting is not None and self.state.bets_open:
            self.must(commands.CloseBets())
        return self.must(commands.Throw(faces=self.game.book.outcomes.all[outcome]))

    @property
    def view(self) -> TableView:
        """The current table, for queries."""
        if self._view is None:
            self._view = TableView(self.shelf, self.state)
        return self._view

    @property
    def game(self) -> Game:
        """The book with its odds settled."""
        return self.view.game

    @property
    def standing(self) -> dict[Spot, Stake]:
        """The player's wagers on the layout, by spot."""
        if self._standing is None:
            view = self.view
            self._standing = {
                Spot(area.wager, view.shown_pick(area)): stakes[PLAYER] for area, stakes in self.state.layout.items()
            }
        return self._standing

    @property
    def stakes(self) -> dict[Spot, int]:
        """The stakes on the layout, without commission."""
        return {spot: stake.amount for spot, stake in self.standing.items()}

    def stake(self, spot: Spot) -> int:
        """The stake on a spot, without commission."""
        stake = self.standing.get(spot)
        return 0 if stake is None else stake.amount

    @property
    def chips(self) -> int:
        """Chips in hand."""
        return self.state.chips[PLAYER]

    @property
    def purse(self) -> int:
        """Chips in hand, for a strategy that depends on them. Raises Impossible without a bankroll."""
        self.need_bankroll()
        return self.chips

    def need_bankroll(self) -> None:
        """Raises Impossible if chips cannot run out."""
        if self.bankroll is None:
            raise Impossible("no_bankroll", "The strategy depends on the chips in hand, so it needs a bankroll.")

    @property
    def net(self) -> int:
        """Chips in hand plus wagers on the layout, commission included, less the bankroll."""
        return self.chips + sum(s.amount + s.commission for _, _, s in self.state.wagers()) - self.bought
