"""A strategy written in Python: what it sees of the table, what it may do there, and how each session gets its own."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import NamedTuple, Protocol, cast, runtime_checkable

from croupier.money import MoneyError, format_cents, parse_cents
from croupier.rules.book import shown_value
from croupier.rules.errors import Impossible
from croupier.rules.game import Game, Terms
from croupier.rules.outcomes import Faces
from croupier.rules.picks import plain_pick
from croupier.rules.shelf import Shelf
from croupier.simulation.reading.shapes import nearest, quoted
from croupier.simulation.seated.memory import Memory
from croupier.simulation.strategy import PLENTY, Spot, check_spot
from croupier.table import commands, events
from croupier.table.decide import decide
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import Stake, State
from croupier.table.throwing import not_an_outcome
from croupier.table.view import TableView


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


# -- hand -------------------------------------------------------------------------------------------------------------
# One player alone at a real table: the chips in hand, what stands of theirs, and what the table answers.

PLAYER = "player"


class Refused(NamedTuple):
    """What the table refused: the number of the rule, why, and under which clause."""

    rule: int
    code: str
    clause: str | None


class Hand:
    """A player's hand at a table of the engine. Without a bankroll there are chips enough for everything.

    `happened` is what has come of all that was asked, in its order; what is refused, those who ask enter themselves:
    they know which rule it was.
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
        """Have a command carried out; a refusal changes nothing."""
        decision = decide(self.shelf, self.state, command)
        if not isinstance(decision, Refusal):
            self.state = evolve_all(self.state, decision)
            self._view = self._standing = None
            self.happened.extend(decision)
        return decision

    def must(self, command: commands.AnyCommand) -> tuple[events.AnyEvent, ...]:
        """Have something carried out that is no choice of the player's. Raises Impossible where the table refuses."""
        decision = self.ask(command)
        if isinstance(decision, Refusal):
            raise Impossible(decision.code, decision.message, decision.clause)
        return decision

    def throw(self, outcome: int) -> tuple[events.AnyEvent, ...]:
        """Have an outcome thrown and settled, with the bets closed first where the book closes them."""
        if not 0 <= outcome < len(self.game.book.outcomes):
            refusal = not_an_outcome(self.game)
            raise Impossible(refusal.code, refusal.message, refusal.clause)
        if self.game.book.rules.betting is not None and self.state.bets_open:
            self.must(commands.CloseBets())
        return self.must(commands.Throw(faces=self.game.book.outcomes.all[outcome]))

    @property
    def view(self) -> TableView:
        """The table as it is now, for questions."""
        if self._view is None:
            self._view = TableView(self.shelf, self.state)
        return self._view

    @property
    def game(self) -> Game:
        """The book with its odds settled."""
        return self.view.game

    @property
    def standing(self) -> dict[Spot, Stake]:
        """What stands of the player's, spot by spot."""
        if self._standing is None:
            view = self.view
            self._standing = {
                Spot(area.wager, view.shown_pick(area)): stakes[PLAYER] for area, stakes in self.state.layout.items()
            }
        return self._standing

    @property
    def stakes(self) -> dict[Spot, int]:
        """The stakes that stand, without commission."""
        return {spot: stake.amount for spot, stake in self.standing.items()}

    def stake(self, spot: Spot) -> int:
        """What stands on a spot, without commission."""
        stake = self.standing.get(spot)
        return 0 if stake is None else stake.amount

    @property
    def chips(self) -> int:
        """Chips in hand."""
        return self.state.chips[PLAYER]

    @property
    def purse(self) -> int:
        """Chips in hand, for a strategy that reckons with them. Raises Impossible where they cannot run out."""
        self.need_bankroll()
        return self.chips

    def need_bankroll(self) -> None:
        """Raises Impossible where chips cannot run out."""
        if self.bankroll is None:
            raise Impossible("no_bankroll", "The strategy reckons with the chips in hand, so it needs a bankroll.")

    @property
    def net(self) -> int:
        """Chips in hand and what stands, commission included, less what the player came with."""
        return self.chips + sum(s.amount + s.commission for _, _, s in self.state.wagers()) - self.bought
