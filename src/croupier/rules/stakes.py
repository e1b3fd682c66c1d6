"""How much may be staked, and what a stake costs: units, commission, what may lie behind a flat wager."""

from __future__ import annotations

from fractions import Fraction

from croupier.money import format_cents, round_down_to_chip, winnings_cents
from croupier.rules import schema
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.machine import Pick

NO_COMMISSION = Fraction(0)


def commission_rate(game: Game, wager: schema.Wager, pick: Pick, state: str) -> Fraction:
    """Commission per unit staked."""
    commission = wager.commission
    if commission is None:
        return NO_COMMISSION
    rate = Fraction(commission.rate)
    if commission.of == "winnings":
        rate *= best_odds(game, wager, pick, state) + game.included
    return rate


def best_odds(game: Game, wager: schema.Wager, pick: Pick, state: str) -> Fraction:
    """The most that a unit can win from a state on."""
    machine = game.machine(wager.id, pick)
    entries = [entry for later in machine.reachable([state]) for entry in machine.table[later]]
    return max((entry.odds for entry in entries if entry.then == "win"), default=Fraction(0))


def exact_unit(game: Game, wager: schema.Wager, pick: Pick, state: str) -> int:
    """The unit, in chips, with which nothing ever needs rounding (readings X-2, CR-8)."""
    return game.machine(wager.id, pick).exact_unit(state, commission_rate(game, wager, pick, state))


def check_laid(limits: schema.Limits, wager: schema.Wager, amount: int, stake: int, chip: int) -> None:
    """Chips are moved whole, and some wagers stand in several at a time. Raises Impossible."""
    if amount % chip:
        say = f"{format_cents(amount)} cannot be laid in chips of {format_cents(chip)}."
        raise Impossible("amount_not_in_chips", say, limits.chips)
    if wager.multiple and stake % (wager.multiple.chips * chip):
        unit = format_cents(wager.multiple.chips * chip)
        raise Impossible("amount_not_in_units", f"{wager.name} is made in multiples of {unit}.", wager.multiple.clause)


def behind_limit(game: Game, wager: schema.Wager, pick: Pick, state: str, flat_cents: int, chip_cents: int) -> int:
    """The largest stake behind a flat wager of this size, in whole chips (reading CR-10)."""
    behind = wager.behind
    assert behind is not None, f"{wager.id} lies behind nothing"
    most = round_down_to_chip(behind.times * flat_cents, chip_cents)
    if behind.of == "stake":
        return most
    odds = best_odds(game, wager, pick, state)
    if odds <= 0:
        return most
    stake = round_down_to_chip(most * odds.denominator // odds.numerator, chip_cents)
    assert winnings_cents(stake, odds, chip_cents) <= behind.times * flat_cents
    return stake
