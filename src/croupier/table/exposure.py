"""What the house can lose on the next throw: on standing wagers, and at a full table under the present sign."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import msgspec

from croupier.money import round_down_to_chip, winnings_cents
from croupier.rules import offers, schema
from croupier.rules.machine import Entry, Machine, Pick
from croupier.rules.shelf import Shelf
from croupier.table.checks_and_tokens import lost_tokens
from croupier.table.placing import limit_for
from croupier.table.state import Stake, State, TableView


class Exposure(msgspec.Struct, frozen=True):
    """The worst outcome for the house, and its cost. `cents` is None if nothing limits it."""

    cents: int | None
    faces: tuple[int | str, ...]


def standing_exposure(shelf: Shelf, state: State) -> Exposure:
    """Return the most the house can lose on standing wagers at the next throw; negative if it wins in any case."""
    view = TableView(shelf, state)
    losses = [0] * len(view.game.book.outcomes)
    for area, stakes in state.layout.items():
        wager = view.wager_of(area)
        entries = view.game_of(area).machine(area.wager, area.pick).table[area.state]
        for stake in stakes.values():
            if view.asleep(wager, stake) is None:
                for outcome, entry in enumerate(entries):
                    losses[outcome] += _loss(entry, stake, state.settings.chip)
    return _worst(view, losses)


def sign_exposure(shelf: Shelf, state: State, seats: int) -> Exposure:
    """Return the most the house could lose at the next throw if every seat held every winning wager at its maximum.

    Every state that a wager could be in now counts; sleeping wagers may be called On.
    """
    view = TableView(shelf, state)
    worst: list[int | None] = []
    for outcome in range(len(view.game.book.outcomes)):
        everybody, one_player = _winners(view, outcome)
        other_seats = _most_at_one_seat(view, everybody)
        holder = _largest([_most_at_one_seat(view, [*everybody, *chosen]) for chosen in product(*one_player)])
        worst.append(None if other_seats is None or holder is None else (seats - 1) * other_seats + holder)
    if None in worst:
        return Exposure(None, view.game.book.outcomes.all[worst.index(None)])
    return _worst(view, [loss or 0 for loss in worst])


Winner = tuple[int | None, Entry]


def _winners(view: TableView, outcome: int) -> tuple[list[Winner], list[list[Winner]]]:
    """Return the wagers that an outcome pays, each at its maximum: open to everyone, and with one holder.

    A wager that does not travel is in one state at a time, and only its best paid one counts. A wager with one
    holder is made on one pick, each with its own maximum, so every candidate is returned.
    """
    everybody: list[Winner] = []
    one_player: list[list[Winner]] = []
    for wager in view.game.book.rules.wagers:
        if wager.id in view.state.settings.without:
            continue
        by_place: dict[object, list[Winner]] = {}
        for stake, machine, state in _at_maximum(view, wager):
            entry = machine.table[state][outcome]
            if entry.then == "win":
                place = (machine.pick, state) if wager.can_move else machine.pick
                by_place.setdefault(place, []).append((stake, entry))
        best = [max(winners, key=lambda winner: winner[1].odds) for winners in by_place.values()]
        if not wager.has_one_holder:
            everybody.extend(best)
        elif best:
            one_player.append(best)
    return everybody, one_player


def _most_at_one_seat(view: TableView, winners: list[tuple[int | None, Entry]]) -> int | None:
    """Return the most one player can win with these wagers: best paid first, up to the player's maximum on the sign."""
    settings = view.state.settings
    budget = settings.player_maximum
    total = 0
    for most, entry in sorted(winners, key=lambda winner: winner[1].odds, reverse=True):
        stake = budget if most is None else most if budget is None else min(most, budget)
        if stake is None:
            return None
        total += winnings_cents(round_down_to_chip(stake, settings.chip), entry.odds, settings.chip)
        budget = None if budget is None else budget - stake
    return total


def _at_maximum(view: TableView, wager: schema.Wager) -> Iterator[tuple[int | None, Machine, str]]:
    for pick in view.game.book.picks(wager):
        machine = view.game.machine(wager.id, pick)
        for state in offers.states_now(wager, machine, view.state.phases):
            yield _largest_stake(view, wager, pick, state), machine, state


def _largest_stake(view: TableView, wager: schema.Wager, pick: Pick, state: str) -> int | None:
    settings, flat = view.state.settings, wager.flat
    most = limit_for(settings, wager.id, None, pick).maximum
    behind = None if flat is None else _largest_flat(view, flat)
    return offers.largest_stake(view.game, wager, pick, state, settings, most, behind)


def _largest_flat(view: TableView, wager_id: str) -> int | None:
    """Return the largest stake of a flat wager, on any pick."""
    picks = view.game.book.picks(view.game.book.wagers[wager_id])
    return _largest([limit_for(view.state.settings, wager_id, None, pick).maximum for pick in picks])


def _largest(amounts: list[int | None]) -> int | None:
    """Return the largest amount, where None is unlimited."""
    return None if None in amounts else max(cents or 0 for cents in amounts)


def _loss(entry: Entry, stake: Stake, chip: int) -> int:
    if entry.then == "win":
        return winnings_cents(stake.amount, entry.odds, chip) + lost_tokens(stake.tokens, entry.share)
    return stake.tokens - stake.amount if entry.then == "lose" else 0


def _worst(view: TableView, losses: list[int]) -> Exposure:
    worst = max(range(len(losses)), key=losses.__getitem__)
    return Exposure(losses[worst], view.game.book.outcomes.all[worst])
