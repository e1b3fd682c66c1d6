"""Open a table, seat players, sell chips, let players leave, and adopt amended rules."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from croupier.money import format_cents
from croupier.rules import schema
from croupier.rules.book import Book
from croupier.rules.errors import PayTableError, RuleBookError
from croupier.rules.game import Game, Terms
from croupier.rules.machine import show_pick, typed_pick
from croupier.rules.shelf import Shelf
from croupier.table import commands, events
from croupier.table.clock import local, month_later
from croupier.table.evolve import next_place
from croupier.table.leaving import debt_clause, debts_cashed, leaving, total_paid
from croupier.table.placing import limit_for, selection_name
from croupier.table.refusals import Refusal, unknown_player
from croupier.table.state import Area, State, TableView
from croupier.table.under_way import bets_call


def open_table(shelf: Shelf, state: State, command: commands.OpenTable) -> tuple[events.AnyEvent, ...] | Refusal:
    """Open with a book, a pay table and a sign."""
    if state.is_open:
        return Refusal("already_open", "The table is already open.")
    game = shelf.game(command.terms)
    refusal = check_settings(game, command.settings)
    if refusal is not None:
        return refusal
    phases = {phase.id: phase.start for phase in game.book.rules.phases}
    return (events.TableOpened(command.terms, command.settings, phases, bets_call(game.book, command.settings)),)


def read_terms(shelf: Shelf, book: str, pay_table: object) -> Terms | Refusal:
    """Return the terms for a book's id and a pay table as people name it."""
    try:
        return shelf.terms(book, pay_table)
    except PayTableError as error:
        return Refusal("pay_table_not_permitted", str(error), error.clause)
    except RuleBookError as error:
        return Refusal("unknown_book", f"{error}.")


def check_settings(game: Game, settings: commands.Settings) -> Refusal | None:
    """Check that the sign is consistent and names only wagers in the book."""
    limits = game.book.rules.limits
    if settings.chip <= 0:
        return Refusal("chip_not_positive", "The smallest chip must be worth more than zero.")
    refusal = _check_limits(limits, settings)
    if refusal is not None:
        return refusal
    total, lowest, highest = settings.player_maximum, settings.limit.minimum, settings.limit.maximum
    if total is not None and total < (lowest or 0):
        return Refusal("limits_contradict", "A player's total must be at least the minimum.", limits.maximum)
    if (settings.unit or 0) > (highest or settings.unit or 0):
        return Refusal("limits_contradict", "The unit must be at most the maximum.", limits.unit)
    if settings.unit is not None and (settings.unit <= 0 or settings.unit % settings.chip):
        say = f"{format_cents(settings.unit)} cannot be laid in chips of {format_cents(settings.chip)}."
        return Refusal("amount_not_in_chips", say, limits.unit)
    return (
        _check_selections(game.book, settings)
        or _check_without(game.book, settings)
        or _check_fixed_stakes(game.book, settings)
    )


def _check_limits(limits: schema.Limits, settings: commands.Settings) -> Refusal | None:
    """Refuse a maximum that is zero or below its minimum."""
    say = "The maximum must be above zero and not below the minimum."
    signs = settings.player_limits.values()
    own = [limit for sign in signs for limit in (sign, *sign.wagers.values())]
    named = [limit_for(settings, wager, None, typed_pick(pick)) for wager, _, pick in _selections(settings)]
    if any(map(_contradicts, (settings.limit, *named))):
        return Refusal("limits_contradict", say, limits.maximum)
    return Refusal("limits_contradict", say, limits.player_sign) if any(map(_contradicts, own)) else None


def _selections(settings: commands.Settings) -> Iterator[tuple[str, str, str]]:
    return (name.partition(" ") for name in settings.selections)


def _contradicts(limit: commands.Limit) -> bool:
    low, high = limit.minimum, limit.maximum
    return (low is not None and low < 0) or (high is not None and (high <= 0 or (low is not None and high < low)))


def _check_selections(book: Book, settings: commands.Settings) -> Refusal | None:
    """Check that limits are for a wager of the book, or for one of its picks as the book writes it."""
    for name, (wager_id, _, pick) in zip(settings.selections, _selections(settings), strict=True):
        wager = book.wagers.get(wager_id)
        if wager is None:
            return Refusal("unknown_wager", f"The book has no wager called {wager_id}.", book.rules.limits.wagers)
        if name != wager_id and name not in [selection_name(wager_id, each) for each in book.picks(wager)]:
            known = ", ".join(map(show_pick, wager.picks)) or "none"
            say = f"The sign names {name}, but {wager.name} has no pick {pick}; it has {known}."
            return Refusal("pick_unknown", say, wager.clause)
    return None


def _check_without(book: Book, settings: commands.Settings) -> Refusal | None:
    for wager_id in settings.without:
        wager = book.wagers.get(wager_id)
        if wager is None:
            return Refusal("unknown_wager", f"The book has no wager called {wager_id}.", book.rules.limits.wagers)
        if wager.optional is None:
            return Refusal("wager_not_optional", f"You cannot leave out {wager.name}.", wager.clause)
    return None


def _check_fixed_stakes(book: Book, settings: commands.Settings) -> Refusal | None:
    fixed = book.fixed_stakes
    for option, amount in settings.fixed_stakes.items():
        if option not in fixed:
            return Refusal("unknown_option", f"This book has no fixed stake called {option}.")
        if amount <= 0 or amount % settings.chip:
            say = f"{format_cents(amount)} cannot be laid in chips of {format_cents(settings.chip)}."
            return Refusal("amount_not_in_chips", say, fixed[option].clause)
    return None


def seat_player(shelf: Shelf, state: State, command: commands.SeatPlayer) -> tuple[events.AnyEvent, ...] | Refusal:
    """Give a player a seat and chips."""
    if not command.player:
        return Refusal("player_without_name", "A player needs a name.")
    if command.player in state.chips:
        return Refusal("already_seated", f"{command.player} already has a seat.")
    if command.chips < 0:
        return Refusal("amount_negative", "The amount of chips cannot be negative.")
    if state.settings.seats is not None and len(state.seats) >= state.settings.seats:
        return Refusal("table_full", f"All {state.settings.seats} seats are taken.")
    refusal = None if command.place is None else _check_place(state, command.place)
    place = _free_place(state) if command.place is None else command.place
    seated = events.PlayerSeated(command.player, command.chips, command.card, command.area, place)
    return refusal or (seated,)


def _check_place(state: State, place: int) -> Refusal | None:
    """Check that the place exists and is free."""
    most = state.settings.seats
    if place < 1 or (most is not None and place > most):
        there = "are numbered from 1" if most is None else f"are numbered from 1 to {most}"
        return Refusal("no_such_place", f"There is no place {place}; the places at this table {there}.")
    return Refusal("place_taken", f"Place {place} is taken.") if place in state.places.values() else None


def _free_place(state: State) -> int | None:
    """Return the place for a player who names none: after the last one; past the end, the first free one."""
    most = state.settings.seats
    if most is None or next_place(state.places) <= most:
        return None
    return next(place for place in range(1, most + 1) if place not in state.places.values())


def buy_chips(shelf: Shelf, state: State, command: commands.BuyChips) -> tuple[events.AnyEvent, ...] | Refusal:
    """Give a seated player more chips."""
    if command.player not in state.chips:
        return unknown_player(command.player)
    if command.chips <= 0:
        return Refusal("amount_not_positive", "Buy more than 0.00 in chips.")
    return (events.ChipsBought(command.player, command.chips),)


def leave_table(shelf: Shelf, state: State, command: commands.LeaveTable) -> tuple[events.AnyEvent, ...] | Refusal:
    """Leave with all chips in hand; a locked wager is played out, and what it returns is kept (reading X-64).

    A player who has left collects what was kept by leaving once more.
    """
    player = command.player
    if player in state.kept:
        return _handed_over(shelf, state, player)
    if player not in state.chips:
        return unknown_player(player)
    removable = _removable(shelf, state, command)
    if removable is not None:
        say = f"{player} has to take down wagers such as {removable} first."
        return Refusal("wagers_standing", say)
    return tuple(leaving(TableView(shelf, state), left(state, player)))


def _handed_over(shelf: Shelf, state: State, player: str) -> tuple[events.AnyEvent, ...] | Refusal:
    """Hand over kept chips, less the player's debts."""
    tokens = state.tokens.get(player, 0)
    if not state.kept[player] and not tokens:
        return Refusal("nothing_kept", f"{player} has a wager that is not decided yet; there is nothing to pay out.")
    book = shelf.game(state.terms[-1]).book
    paid = list(debts_cashed(state, player, debt_clause(book))) if player in state.owing else []
    rest = state.kept[player] - total_paid(paid)
    return (*paid, events.PlayerLeft(player, rest, tokens=tokens)) if rest or tokens else tuple(paid)


def _removable(shelf: Shelf, state: State, command: commands.LeaveTable) -> str | None:
    """Return the name of a wager that the player could take down now."""
    from croupier.table.decide import decide  # imported late: it imports this module

    view, player = TableView(shelf, state), command.player
    for area, stakes in state.layout.items():
        if player in stakes:
            pick = view.shown_pick(area)
            take = commands.TakeWager(player=player, wager=area.wager, pick=pick, at=command.at)
            if not isinstance(decide(shelf, state, take), Refusal):
                return view.wager_of(area).name
    return None


def left(state: State, player: str, clause: str | None = None) -> events.PlayerLeft:
    """Return the event of a player leaving with the chips in hand; unused tokens are handed back (reading X-27)."""
    return events.PlayerLeft(player, state.chips[player], clause, state.tokens.get(player, 0))


def adopt_rules(shelf: Shelf, state: State, command: commands.AdoptRules) -> tuple[events.AnyEvent, ...] | Refusal:
    """Continue under an amended book or another pay table. Standing wagers keep their terms (X-9)."""
    view, new = TableView(shelf, state), shelf.game(command.terms)
    old, clause = view.game.book, new.book.rules.pay_table.change_clause
    if command.terms == state.terms[-1]:
        return Refusal("same_rules", "The table already plays under these rules.")
    if old is new.book and any(_outlasts_a_throw(view, area) for area in state.layout):
        say = "You can change the displayed odds only while no wager stands that can outlast a throw (reading X-9)."
        return Refusal("wagers_standing", say, clause)
    if old is not new.book and not _amends(old, new.book):
        return Refusal("another_game", "That book does not amend the one in play. Open another table for it.")
    return (events.RulesAdopted(command.terms, clause), *_change_told(new.book, command.at))


def _change_told(book: Book, at: datetime | None) -> Iterator[events.Noted]:
    """Put up the sign that announces a change for a month, if the book requires it; without a time, no end (SE-15)."""
    clause = book.rules.pay_table.sign_clause
    if clause is not None:
        until = None if at is None else month_later(local(at, book.rules.book.timezone)).isoformat()
        yield events.Noted({"pay table sign": "up", "pay table sign until": until}, clause)


def _outlasts_a_throw(view: TableView, area: Area) -> bool:
    machine = view.game_of(area).machine(area.wager, area.pick)
    return not all(entry.decides for entry in machine.table[area.state])


def _amends(old: Book, new: Book) -> bool:
    """Whether the new book replaces the old one and keeps what is thrown and the phases."""
    if new.rules.book.replaces != old.id:
        return False
    same_throw = old.outcomes.all == new.outcomes.all
    same_phases = {p: set(m.table) for p, m in old.phase_machines.items()} == {
        p: set(m.table) for p, m in new.phase_machines.items()
    }
    return same_throw and same_phases
