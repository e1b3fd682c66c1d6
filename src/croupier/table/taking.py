"""Reduce wagers, take them down, call them On and Off, and handle what is found or late when the dice come to rest."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.money import commission_cents, format_cents
from croupier.rules import offers, schema
from croupier.rules.book import holds
from croupier.rules.machine import Pick, plain_pick
from croupier.rules.schema import acts_on
from croupier.rules.shelf import Shelf
from croupier.table import commands, events
from croupier.table.checks_and_tokens import changes_a_check, taken_off
from croupier.table.evolve import evolve_all
from croupier.table.placing import (
    Bet,
    bets_closed,
    check_adds_up,
    check_card,
    check_chips,
    check_chips_multiple,
    check_flat,
    check_limits,
    check_moment,
    check_multiple,
    check_offered,
    check_sole,
    first_refusal,
    in_units,
    limit_for,
    limit_of,
    locked,
    maximum_for,
    own_limit,
    placed,
    read_bet,
    unknown_wager,
)
from croupier.table.refusals import Refusal, unknown_player
from croupier.table.state import Area, State, TableView
from croupier.table.thrower import begun, lost_with_the_wager
from croupier.table.under_way import is_under_way
from croupier.table.waiting import CONFIRMING, called_on_name, late_cents, late_name, late_taken, waits_for_marker


@acts_on("wager.take")
def take_wager(shelf: Shelf, state: State, command: commands.TakeWager) -> tuple[events.AnyEvent, ...] | Refusal:
    """Give chips back from a wager, while the book allows it. Wagers behind it shrink with it (reading CR-10)."""
    view = TableView(shelf, state)
    area = find_standing(view, command.player, command.wager, command.pick)
    if isinstance(area, Refusal):
        return area
    stake = state.layout[area][command.player]
    amount = stake.amount if command.amount is None else command.amount
    refusal = _check_take(view, command.player, area, amount)
    if refusal is not None:
        return refusal
    wager = view.wager_of(area)
    clause = taking_clause(view, area)
    reduced = reduction(view, command.player, area, stake.amount - amount, clause)
    if changes_a_check(reduced.checks):
        return Refusal("amount_not_in_checks", "A check cannot be split.", view.game_of(area).book.rules.limits.chips)
    late = late_taken(view, command.player, area, amount)
    turn = (*retirement(view, wager, reduced), *lost_with_the_wager(view, reduced))
    return (reduced, *late, *returned_from_behind(shelf, state, reduced), *turn)


@acts_on("wager.taking")
def taking_clause(view: TableView, area: Area) -> str | None:
    """Return the clause for taking this wager down: its own, that of its lock, or the book's for all wagers."""
    wager = view.wager_of(area)
    if wager.taking is not None:
        return wager.taking
    usual = wager.take[0].clause if wager.take else view.game_of(area).book.rules.limits.taking
    return _clause_after_void(view) or usual


def _clause_after_void(view: TableView) -> str | None:
    """Return the clause by which a void throw has reopened the bets, so that wagers may come down."""
    rules, state = view.game.book.rules, view.state
    if rules.betting is None or rules.void.wagers != "stand" or not state.void_run:
        return None
    thrower = rules.thrower
    if thrower is None or thrower.void_limit is None or state.void_run < thrower.void_limit:
        return rules.void.clause
    own = [area for player, area, _ in state.wagers() if (player, area.wager) == state.house_throws_for]
    return thrower.void_clause if own and not begun(view, own[0]) else rules.void.clause


def retirement(view: TableView, wager: schema.Wager, reduced: events.WagerReduced) -> Iterator[events.TurnPassed]:
    """Pass on the turn of a player who takes down the wager for which the house has begun to throw (TU-4)."""
    passes = wager.turn_clause
    if passes is not None and not reduced.stake and view.state.house_throws_for == (reduced.player, wager.id):
        yield events.TurnPassed(reduced.player, passes)


def find_standing(view: TableView, player: str, wager_id: str, raw_pick: object) -> Area | Refusal:
    """Find the area of a standing wager by the names that people use for it."""
    if player not in view.state.chips:
        return unknown_player(player)
    if wager_id not in view.game.book.wagers and all(area.wager != wager_id for area in view.state.layout):
        return unknown_wager(view, wager_id)
    pick: Pick = plain_pick(raw_pick)
    area = view.find(player, wager_id, pick) if raw_pick is None or pick is not None else None
    if area is None:
        return Refusal("no_such_wager", f"{player} has no such wager on the layout.")
    return area


def _check_take(view: TableView, player: str, area: Area, amount: int) -> Refusal | None:
    if not view.state.bets_open:
        return bets_closed(view)
    lock = check_lock(view, area)
    if lock is not None:
        return lock
    return check_amount(view, player, area, amount)


def check_lock(view: TableView, area: Area) -> Refusal | None:
    """Refuse if the book does not let the wager come down in its present state."""
    for condition in view.wager_of(area).take:
        if not holds(condition, view.state_for(condition, area.pick, area.state)):
            return Refusal(condition.code, condition.say, condition.clause)
    return None


def check_amount(view: TableView, player: str, area: Area, amount: int) -> Refusal | None:
    """Check that the amount can go back and leaves a valid stake."""
    wager, standing = view.wager_of(area), view.state.layout[area][player].amount
    if amount <= 0:
        return Refusal("amount_not_positive", "Take more than 0.00.")
    if amount > standing:
        return Refusal("amount_above_stake", f"The wager is only {format_cents(standing)}.")
    left = standing - amount
    if not left:
        return None
    if wager.has_one_amount:
        clause = wager.one_amount_clause
        return Refusal("stake_not_the_fixed_amount", f"{wager.name} has a fixed amount.", clause)
    limits = view.game_of(area).book.rules.limits
    settings = view.state.settings
    limit = limit_for(settings, wager.id, player, area.pick)
    if limit.minimum is not None and left < limit.minimum:
        say = f"That would leave {format_cents(left)}, below the minimum of {format_cents(limit.minimum)}."
        own = limits.player_sign if own_limit(settings, wager.id, player, area.pick) is not None else None
        return Refusal("stake_below_minimum", say, own or limits.minimum)
    return check_multiple(view, area, amount, left)


def reduction(view: TableView, player: str, area: Area, left: int, clause: str | None) -> events.WagerReduced:
    """Return the event of a stake cut down to what is left; commission on the rest goes back (reading CR-7)."""
    stake = view.state.layout[area][player]
    rate = offers.commission_rate(view.game_of(area), view.wager_of(area), area.pick, area.state)
    commission = max(0, stake.commission - commission_cents(left, rate))
    tokens = max(0, stake.tokens - left)  # chips go back first, then tokens (reading X-27)
    checks = taken_off(view.state, player, stake, stake.amount - left - tokens) if stake.checks else ()
    return events.WagerReduced(
        player=player,
        wager=area.wager,
        pick=area.pick,
        state=area.state,
        terms=area.terms,
        amount=stake.amount - left,
        stake=left,
        commission=commission,
        clause=clause,
        tokens=tokens,
        checks=checks,
    )


def returned_from_behind(shelf: Shelf, state: State, reduced: events.WagerReduced) -> Iterator[events.WagerReduced]:
    """Yield what may no longer stand behind a flat wager that was reduced or taken down."""
    view = TableView(shelf, state)
    for area, stakes in state.layout.items():
        wager = view.wager_of(area)
        depends = wager.flat == reduced.wager and area.state == reduced.state
        if not depends or reduced.player not in stakes:
            continue
        game, chip = view.game_of(area), state.settings.chip
        most = offers.behind_limit(game, wager, area.pick, area.state, reduced.stake, chip) if reduced.stake else 0
        if stakes[reduced.player].amount > most:
            left = in_units(view, area, most)
            yield reduction(view, reduced.player, area, left, wager.limit_clause)


def call_wager(shelf: Shelf, state: State, command: commands.CallWager) -> tuple[events.AnyEvent, ...] | Refusal:
    """Call a wager On or Off, if the book lets players do so."""
    view = TableView(shelf, state)
    area = find_standing(view, command.player, command.wager, command.pick)
    if isinstance(area, Refusal):
        return area
    wager = view.wager_of(area)
    if wager.sleeps is None:
        clause = view.game.book.call_clause
        return Refusal("cannot_be_called", f"You cannot call {wager.name} On or Off.", clause)
    if not state.bets_open:
        return bets_closed(view)
    waiting = called_on_name(view, command.player, area)
    if command.on and waits_for_marker(view, command.player, area):
        return (events.Noted({waiting: "yes"}, wager.sleeps.clause),)
    forgotten = (events.Noted({waiting: None}, wager.sleeps.call_clause),) if waiting in state.facts else ()
    return (called(command.player, area, command.on, wager.sleeps.call_clause), *forgotten)


def called(player: str, area: Area, on: bool, clause: str) -> events.WagerCalled:
    """Return the event of a wager called On or Off."""
    return events.WagerCalled(
        player=player, wager=area.wager, pick=area.pick, state=area.state, terms=area.terms, on=on, clause=clause
    )


def find_wager(shelf: Shelf, state: State, command: commands.FindWager) -> tuple[events.AnyEvent, ...] | Refusal:
    """Accept chips that were laid in time but never entered, found before the throw is settled (reading X-53).

    Below the minimum they are valid, within the limits they are a wager like any other, and above the maximum they
    count up to it (reading X-1).
    """
    view = TableView(shelf, state)
    found = _read_found(view, command)
    if isinstance(found, Refusal):
        return found
    bet = Bet(view, found.player, found.wager, found.pick, command.amount - found.standing.amount, found.area)
    refusal = _check_still_open(bet)
    if refusal is None and bet.amount <= 0:
        refusal = Refusal("nothing_found", f"The table already has {format_cents(found.standing.amount)} there.")
    refusal = refusal or check_card(bet, command.at) or first_refusal(bet, _FOUND_CHECKS)
    return refusal if refusal is not None else _found_events(shelf, state, bet)


def _read_found(view: TableView, command: commands.FindWager) -> Bet | Refusal:
    """Parse a found wager. It is named like a bet, or by its number if it has travelled."""
    wager = view.game.book.wagers.get(command.wager)
    if wager is None or not wager.can_move or command.pick is None or command.amount <= 0:
        return read_bet(view, command)
    area = find_standing(view, command.player, command.wager, command.pick)
    return area if isinstance(area, Refusal) else Bet(view, command.player, wager, None, command.amount, area)


def _check_still_open(bet: Bet) -> Refusal | None:
    """Refuse while bets are open: the player can still bet, unless the standing wager is locked."""
    if not bet.state.bets_open or bet.game.book.rules.betting is None or (bet.standing.amount and _is_locked(bet)):
        return None
    say = "The bets are open: the player can still correct the wager."
    below = bet.stake < (limit_of(bet).minimum or 0)
    return Refusal("bets_open", say, bet.limits.below_found if below else bet.limits.chips)


def _is_locked(bet: Bet) -> bool:
    """Whether a new wager would no longer begin in the state of the standing one, so that nothing may be added."""
    if bet.area.state != bet.start or bet.area.terms != bet.state.terms_now:
        return True
    return not _keeps_step(bet) and check_moment(bet) is not None


def _keeps_step(bet: Bet) -> bool:
    """Whether the wager's state follows the phase that keeps bets closed, so that chips laid in time share it."""
    betting = bet.game.book.rules.betting
    pending = betting.reopens.phase if betting is not None and betting.reopens is not None else None
    return pending is not None and bet.wager.start_by == pending and not bet.state.bets_open


def _check_new(bet: Bet) -> Refusal | None:
    """Check a wager that was not known before as if it were made now."""
    if bet.standing.amount:
        return None
    moment = () if _keeps_step(bet) else (check_moment,)
    return first_refusal(bet, (check_offered, check_sole, _check_before_throw, *moment))


def _check_before_throw(bet: Bet) -> Refusal | None:
    """Require that the thrower's own wager was laid before the first throw."""
    betting = bet.game.book.rules.betting
    if not bet.wager.has_one_holder or betting is None or betting.reopens is None:
        return None
    if holds(betting.reopens, bet.state.phases[betting.reopens.phase]):
        return None
    say = f"{bet.wager.name} must be made before the first throw after the bets close."
    return Refusal("throw_made", say, bet.wager.pick_clause)


def _check_grows(bet: Bet) -> Refusal | None:
    """Refuse to let a wager that cannot be added to grow by being found (readings CR-3, TU-3)."""
    if not bet.standing.amount or (bet.wager.adds_up and not _is_locked(bet)):
        return None
    maximum = maximum_for(bet)
    if maximum is not None and bet.standing.amount >= in_units(bet.view, bet.area, maximum):
        return None  # all of it goes back
    return locked(bet) if bet.wager.adds_up else check_adds_up(bet)


def _check_fixed(bet: Bet) -> Refusal | None:
    """Require a found wager with a fixed stake to have that amount."""
    return check_limits(bet) if bet.wager.has_one_amount else None


_FOUND_CHECKS = (_check_new, _check_grows, _check_fixed, check_chips_multiple, check_flat, check_chips)


def _found_events(shelf: Shelf, state: State, bet: Bet) -> tuple[events.AnyEvent, ...] | Refusal:
    minimum, maximum = limit_of(bet).minimum, maximum_for(bet)
    below = minimum is not None and bet.stake < minimum
    above = maximum is not None and bet.stake > maximum
    clause = bet.limits.above_found if above else bet.limits.below_found if below else bet.limits.found
    if not below and not above and state.bets_open and not is_under_way(bet.view):
        return Refusal("within_limits", "The wager is within the limits. Enter it as a bet.", bet.limits.chips)
    found = events.WagerFound(bet.player, bet.wager.id, bet.pick, bet.stake, clause)
    laid = placed(bet)
    if maximum is None or not above:
        return (found, laid)
    lying = evolve_all(state, (laid,))
    left = max(in_units(bet.view, bet.area, maximum), bet.standing.amount)  # what stood before is left alone
    cut = reduction(TableView(shelf, lying), bet.player, bet.area, left, clause)
    return (found, laid, cut, *returned_from_behind(shelf, lying, cut))


# -- late wagers ------------------------------------------------------------------------------------------------------


def unconfirmed_returned(shelf: Shelf, state: State) -> list[events.AnyEvent]:
    """Give back late wagers that were not confirmed, with what lies behind them (reading X-24)."""
    confirming = TableView(shelf, state).game.book.conduct.by_id.get(CONFIRMING)
    happened: list[events.AnyEvent] = []
    if confirming is None:
        return happened
    for player, area, _ in state.wagers():
        view = TableView(shelf, state)
        late = late_cents(view, player, area) if player in state.layout.get(area, {}) else 0
        if late:
            reduced = reduction(view, player, area, state.layout[area][player].amount - late, confirming.clause)
            forgotten = events.Noted({late_name(view, player, area): None}, confirming.clause)
            step: list[events.AnyEvent] = [reduced, *returned_from_behind(shelf, state, reduced), forgotten]
            state = evolve_all(state, step)
            happened += step
    return happened
