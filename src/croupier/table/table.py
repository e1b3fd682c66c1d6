"""A table with memory around the pure engine, for programs that want a game in three lines."""

from __future__ import annotations

from datetime import datetime

import msgspec

from croupier.contract.events import EventView
from croupier.contract.lines import StandingWager
from croupier.money import format_cents, parse_cents
from croupier.rules.shelf import Shelf
from croupier.table import commands, events
from croupier.table.decide import Decision, decide
from croupier.table.event_views import event_rows, standing_wagers
from croupier.table.evolve import evolve_all
from croupier.table.exposure import Exposure, standing_exposure
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.view import TableView


class Refused(Exception):
    """The table refused; nothing has changed. Carries the code, the clause and a sentence."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        self.code = refusal.code
        self.clause = refusal.clause
        clause = f" ({refusal.clause})" if refusal.clause else ""
        super().__init__(f"{refusal.message}{clause}")


class Table:
    """A live table. Amounts are text such as ``"10.00"``; every method returns what happened, or raises Refused."""

    def __init__(self, shelf: Shelf, command: commands.OpenTable) -> None:
        self.shelf = shelf
        self.state = State()
        self.history: list[events.AnyEvent] = []
        self.do(command)

    def decide(self, command: commands.AnyCommand) -> Decision:
        """Return what a command would lead to; nothing happens."""
        return decide(self.shelf, self.state, command)

    def do(self, command: commands.AnyCommand) -> list[EventView]:
        """Carry out a command, or raise Refused."""
        decision = self.decide(command)
        if isinstance(decision, Refusal):
            raise Refused(decision)
        self.state = evolve_all(self.state, decision)
        self.history.extend(decision)
        view = self.view
        return [row for event in decision for row in event_rows(view, event)]

    @property
    def view(self) -> TableView:
        """The state with its games, for queries."""
        return TableView(self.shelf, self.state)

    @property
    def chips(self) -> dict[str, str]:
        """Each player's chips in hand."""
        return {player: format_cents(cents) for player, cents in self.state.chips.items()}

    @property
    def wagers(self) -> list[StandingWager]:
        """Every standing wager."""
        return standing_wagers(self.view)

    def seat(self, player: str, chips: str, card: bool = True, place: int | None = None) -> list[EventView]:
        """Seat a player with chips, at a place of the table if one is named."""
        return self.do(commands.SeatPlayer(player=player, chips=parse_cents(chips), card=card, place=place))

    def buy(self, player: str, chips: str) -> list[EventView]:
        """Buy more chips for a seated player."""
        return self.do(commands.BuyChips(player=player, chips=parse_cents(chips)))

    def bet(self, player: str, wager: str, amount: str, pick: object = None) -> list[EventView]:
        """Make a wager, or add to it."""
        return self.do(commands.PlaceWager(player=player, wager=wager, amount=parse_cents(amount), pick=pick))

    def take(self, player: str, wager: str, amount: str | None = None, pick: object = None) -> list[EventView]:
        """Reduce a wager by an amount, or take it down."""
        cents = None if amount is None else parse_cents(amount)
        return self.do(commands.TakeWager(player=player, wager=wager, amount=cents, pick=pick))

    def call(self, player: str, wager: str, on: bool, pick: object = None) -> list[EventView]:
        """Call a wager On or Off."""
        return self.do(commands.CallWager(player=player, wager=wager, on=on, pick=pick))

    def no_more_bets(self) -> list[EventView]:
        """Close the bets, if the book closes them by a call."""
        return self.do(commands.CloseBets())

    def roll(self, *dice: int) -> list[EventView]:
        """Enter the dice."""
        return self.do(commands.Throw(faces=dice))

    def spin(self, coins: str) -> list[EventView]:
        """Enter the coins, such as ``"HT"``."""
        return self.do(commands.Throw(faces=tuple(coins)))

    def void(self, reason: str) -> list[EventView]:
        """Declare the throw void under a clause."""
        return self.do(commands.VoidThrow(reason=reason))

    def act(
        self, act: str, role: str, who: str | None = None, *, at: datetime | None = None, **said: object
    ) -> list[EventView]:
        """Perform an act of the book's conduct in a role: ``table.act("pass", "player", "ann")``."""
        return self.do(commands.PerformAct(act=act, by=role, who=who, at=at, said=said))

    def find(self, player: str, wager: str, amount: str, pick: object = None) -> list[EventView]:
        """Record what a dealer finds on an area after the throw."""
        return self.do(commands.FindWager(player=player, wager=wager, amount=parse_cents(amount), pick=pick))

    def adopt(self, book: str, pay_table: object = None) -> list[EventView]:
        """Continue under an amended book or another pay table."""
        return self.do(commands.AdoptRules(terms=self.shelf.terms(book, pay_table)))

    def exposure(self) -> Exposure:
        """Return the most that the house can lose on standing wagers at the next throw."""
        return standing_exposure(self.shelf, self.state)


def open_table(
    book: str,
    players: dict[str, str] | None = None,
    *,
    chip: str | None = None,
    pay_table: object = None,
    settings: commands.Settings | None = None,
    shelf: Shelf | None = None,
) -> Table:
    """Open a table and seat players, each with chips. `settings` is the whole sign, `chip` its smallest chip alone."""
    shelf = shelf or Shelf()
    settings = settings or commands.Settings()
    if chip is not None:
        settings = msgspec.structs.replace(settings, chip=parse_cents(chip))
    table = Table(shelf, commands.OpenTable(terms=shelf.terms(book, pay_table), settings=settings))
    for player, chips in (players or {}).items():
        table.seat(player, chips)
    return table
