"""The entry point: `decide` turns a command into events or a refusal. Pure: no clock, no randomness, no files.

`Table` is a table with memory around it, for programs that want a game in three lines.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any

import msgspec

from croupier.contract.lines import StandingWager
from croupier.contract.shown_events import EventView
from croupier.money import format_cents, parse_cents
from croupier.rules.shelf import Shelf
from croupier.table import commands, events, opening
from croupier.table.clock import local, moment_reached
from croupier.table.event_views import event_rows, standing_wagers
from croupier.table.evolve import evolve_all
from croupier.table.exposure import Exposure, standing_exposure
from croupier.table.leaving import debt_clause, debts_paid, shut_out
from croupier.table.placing import place_wager
from croupier.table.refusals import Refusal
from croupier.table.state import State, TableView
from croupier.table.taking import call_wager, find_wager, take_wager
from croupier.table.throwing import close_bets, throw
from croupier.table.voiding import void_throw

Decision = tuple[events.AnyEvent, ...] | Refusal


def decide(shelf: Shelf, state: State, command: commands.AnyCommand) -> Decision:
    """Decide a command, and record who gave it and when. Nothing happens until the events are applied."""
    now = _moment(shelf, state, command)
    if now is not None and state.time is not None and now < datetime.fromisoformat(state.time):
        return Refusal("time_runs_back", f"An earlier command gave a later time: {_shown(shelf, state)}.")
    decision = decide_without_note(shelf, state, command)
    if isinstance(decision, Refusal):
        return decision
    if command.by is not None and not isinstance(command, commands.PerformAct):
        decision = (_given(command, command.by), *decision)
    given = None if now is None else now.isoformat()
    return decision if given in (None, state.time) else (*decision, events.TimeTold(str(given)))


def _shown(shelf: Shelf, state: State) -> str:
    """Return the latest time given to the table, in its own zone."""
    timezone = shelf.game(state.terms[-1]).book.rules.book.timezone
    latest = local(datetime.fromisoformat(str(state.time)), timezone)
    return f"{latest:%Y-%m-%d %H:%M:%S} in {timezone}"


def _moment(shelf: Shelf, state: State, command: commands.AnyCommand) -> datetime | None:
    """Return the moment a command states, if any; a time without a zone is in the table's zone."""
    if command.at is None or not (state.is_open or isinstance(command, commands.OpenTable)):
        return None
    terms = command.terms if isinstance(command, commands.OpenTable) else state.terms[-1]
    return moment_reached(command.at, shelf.game(terms).book.rules.book.timezone)


def decide_without_note(shelf: Shelf, state: State, command: commands.AnyCommand) -> Decision:
    """Decide a command for a caller that keeps its own record of who gave it and when."""
    if not state.is_open and not isinstance(command, commands.OpenTable):
        return Refusal("not_open", "The table is not open yet.")
    refusal = _check_conduct(shelf, state, command)
    decision = refusal if refusal is not None else _DECIDE[type(command)](shelf, state, command)
    if isinstance(decision, Refusal):
        return decision
    if state.latest is not None and any(isinstance(event, events.ResultTakenBack) for event in decision):
        decision = (*decision, *_cases_put_right(shelf, state, command, decision))
    if state.owing:
        decision = _less_debts(shelf, state, decision)
    if state.facts or isinstance(command, commands.PerformAct):
        decision = (*decision, *shut_out(shelf, state, decision))
    return decision


def _cases_put_right(
    shelf: Shelf, state: State, command: commands.AnyCommand, decision: tuple[events.AnyEvent, ...]
) -> list[events.AnyEvent]:
    """Close reports of wrong payments for a result that is undone."""
    from croupier.table.conduct.payments import put_right_by_correction

    return put_right_by_correction(shelf, state, command, decision)


def _less_debts(shelf: Shelf, state: State, decision: tuple[events.AnyEvent, ...]) -> tuple[events.AnyEvent, ...]:
    """Take players' debts from what they are paid."""
    clause = debt_clause(shelf.game(state.terms[-1]).book)
    return (*decision, *debts_paid(evolve_all(state, decision), decision, clause))


def _given(command: commands.AnyCommand, by: str) -> events.CommandGiven:
    """Return the record of a person giving a command in a role; an act records it itself."""
    from croupier.table.conduct.acts import WORDS

    at = command.at.isoformat() if command.at is not None else None
    return events.CommandGiven(WORDS[type(command)], by, command.who, at)


def _check_conduct(shelf: Shelf, state: State, command: commands.AnyCommand) -> Refusal | None:
    """Check a command against the conduct; with no role named and no facts recorded, nothing can object.

    A found wager is always checked: whether it was laid in time depends on whether the dice are out.
    """
    is_free = isinstance(command, commands.OpenTable) or not (state.facts or state.settings.manual_dice)
    if is_free and command.by is None and not isinstance(command, commands.FindWager):
        return None
    check_opening, check_power = _powers()
    if isinstance(command, commands.OpenTable):
        return None if state.is_open else check_opening(shelf, command)
    return check_power(shelf, state, command)


@cache
def _powers() -> tuple[
    Callable[[Shelf, commands.OpenTable], Refusal | None], Callable[[Shelf, State, commands.AnyCommand], Refusal | None]
]:
    """Import on first use: a program that names no roles never pays for it."""
    from croupier.table.conduct.acts import check_opening, check_power

    return check_opening, check_power


def _perform_act(shelf: Shelf, state: State, command: commands.PerformAct) -> Decision:
    from croupier.table.conduct.acts import perform_act

    return perform_act(shelf, state, command)


_DECIDE: dict[type, Callable[[Shelf, State, Any], Decision]] = {
    commands.OpenTable: opening.open_table,
    commands.SeatPlayer: opening.seat_player,
    commands.BuyChips: opening.buy_chips,
    commands.LeaveTable: opening.leave_table,
    commands.PlaceWager: place_wager,
    commands.TakeWager: take_wager,
    commands.CallWager: call_wager,
    commands.FindWager: find_wager,
    commands.CloseBets: close_bets,
    commands.Throw: throw,
    commands.VoidThrow: void_throw,
    commands.PerformAct: _perform_act,
    commands.AdoptRules: opening.adopt_rules,
}


# -- a table with memory ----------------------------------------------------------------------------------------------


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
