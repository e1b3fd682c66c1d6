"""The entry point: turns a command into events or a refusal. Pure: no clock, no randomness, no files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any

from croupier.rules.shelf import Shelf
from croupier.table import commands, debts, events
from croupier.table.clock import local, utc_moment
from croupier.table.evolve import evolve_all
from croupier.table.leaving import shut_out
from croupier.table.opening import adopt_rules, buy_chips, leave_table, open_table, seat_player
from croupier.table.placing import place_wager
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.taking import call_wager, find_wager, take_wager
from croupier.table.throwing import close_bets, throw
from croupier.table.voiding import void_throw

Decision = tuple[events.AnyEvent, ...] | Refusal


def decide(shelf: Shelf, state: State, command: commands.AnyCommand) -> Decision:
    """Decide a command, and record who gave it and when. Nothing happens until the events are applied."""
    now = _moment(shelf, state, command)
    if now is not None and state.time is not None and now < datetime.fromisoformat(state.time):
        return Refusal("time_runs_back", f"The table has been told a later time already: {_shown(shelf, state)}.")
    decision = decide_without_note(shelf, state, command)
    if isinstance(decision, Refusal):
        return decision
    if command.by is not None and not isinstance(command, commands.PerformAct):
        decision = (_given(command, command.by), *decision)
    told = None if now is None else now.isoformat()
    return decision if told in (None, state.time) else (*decision, events.TimeTold(str(told)))


def _shown(shelf: Shelf, state: State) -> str:
    """Return the latest time given to the table, in its own zone."""
    timezone = shelf.game(state.terms[-1]).book.rules.book.timezone
    told = local(datetime.fromisoformat(str(state.time)), timezone)
    return f"{told:%Y-%m-%d %H:%M:%S} in {timezone}"


def _moment(shelf: Shelf, state: State, command: commands.AnyCommand) -> datetime | None:
    """Return the moment a command states, if any; a time without a zone is in the table's zone."""
    if command.at is None or not (state.is_open or isinstance(command, commands.OpenTable)):
        return None
    terms = command.terms if isinstance(command, commands.OpenTable) else state.terms[-1]
    return utc_moment(command.at, shelf.game(terms).book.rules.book.timezone)


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
    """Close reports of wrong payments for a result that is taken back."""
    from croupier.table.conduct.payments import put_right_by_correction

    return put_right_by_correction(shelf, state, command, decision)


def _less_debts(shelf: Shelf, state: State, decision: tuple[events.AnyEvent, ...]) -> tuple[events.AnyEvent, ...]:
    """Take players' debts from what they are paid."""
    clause = debts.clause(shelf.game(state.terms[-1]).book)
    return (*decision, *debts.paid(evolve_all(state, decision), decision, clause))


def _given(command: commands.AnyCommand, by: str) -> events.CommandGiven:
    """Return the record of a person giving a command in a role; an act records it itself."""
    from croupier.table.conduct.acting import WORDS

    at = command.at.isoformat() if command.at is not None else None
    return events.CommandGiven(WORDS[type(command)], by, command.who, at)


def _check_conduct(shelf: Shelf, state: State, command: commands.AnyCommand) -> Refusal | None:
    """Check a command against the conduct; with no role named and no facts recorded, nothing can object.

    A found wager is always checked: whether it was laid in time depends on whether the dice are out.
    """
    opening, finding = (isinstance(command, kind) for kind in (commands.OpenTable, commands.FindWager))
    if command.by is None and not finding and (opening or not (state.facts or state.settings.manual_dice)):
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
    from croupier.table.conduct.acting import check_opening, check_power

    return check_opening, check_power


def _perform_act(shelf: Shelf, state: State, command: commands.PerformAct) -> Decision:
    from croupier.table.conduct.acting import perform_act

    return perform_act(shelf, state, command)


_DECIDE: dict[type, Callable[[Shelf, State, Any], Decision]] = {
    commands.OpenTable: open_table,
    commands.SeatPlayer: seat_player,
    commands.BuyChips: buy_chips,
    commands.LeaveTable: leave_table,
    commands.PlaceWager: place_wager,
    commands.TakeWager: take_wager,
    commands.CallWager: call_wager,
    commands.FindWager: find_wager,
    commands.CloseBets: close_bets,
    commands.Throw: throw,
    commands.VoidThrow: void_throw,
    commands.PerformAct: _perform_act,
    commands.AdoptRules: adopt_rules,
}
