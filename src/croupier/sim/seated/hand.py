"""One player alone at a real table: the chips in hand, what stands of theirs, and what the table answers."""

from __future__ import annotations

from typing import NamedTuple

from croupier.rules.errors import Impossible
from croupier.rules.game import Game, Terms
from croupier.rules.shelf import Shelf
from croupier.sim.strategy import PLENTY, Spot
from croupier.table import commands, events
from croupier.table.decide import decide
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import Stake, State
from croupier.table.throwing import not_an_outcome
from croupier.table.view import TableView

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
