"""What a wager may do now: when it is made, how much is staked, what it lies behind, whether it sleeps.

This is the one reading of the modifiers of a wager, such as `behind`, `sleeps` or `fixed_stake`. Tables, figures,
simulations, felts and pages ask here. What the definition alone answers is a property of `schema.Wager`; what people
are told stands in `describing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Protocol

from croupier.money import format_cents, parse_cents, round_down_to_chip, round_up_to_chip, winnings_cents
from croupier.rules import schema
from croupier.rules.book import holds, shown_value
from croupier.rules.errors import Impossible
from croupier.rules.machine import Machine, Pick, pick_words

if TYPE_CHECKING:
    from croupier.rules.game import Game

NO_COMMISSION = Fraction(0)


class Sign(Protocol):
    """What a table states: the smallest chip, and the amounts of wagers that have just one, by their option."""

    @property
    def chip(self) -> int: ...

    @property
    def fixed_stakes(self) -> Mapping[str, int]: ...


# -- when it is made, and where it begins ------------------------------------------------------------------------------


def phase_of(condition: schema.Condition, pick: Pick) -> str | None:
    """The phase of the table that a condition is about; None where it is about the wager's own state."""
    return condition.phase if condition.phase is None else _filled(condition.phase, pick)


def phases_of(wager: schema.Wager, pick: Pick) -> Iterator[str]:
    """The phases on which it depends whether the wager may be made, where it begins and whether it acts."""
    asked = [phase_of(condition, pick) for condition in wager.place]
    return (phase for phase in [*asked, start_phase(wager, pick), wager.sleep_phase] if phase is not None)


def may_be_made(wager: schema.Wager, pick: Pick, phases: Mapping[str, str]) -> bool:
    """Whether the phases of the table let the wager be made now."""
    asked = ((condition, phase_of(condition, pick)) for condition in wager.place)
    return all(phase is None or holds(condition, phases[phase]) for condition, phase in asked)


def may_start(wager: schema.Wager, pick: Pick, phase: str, state: str) -> bool:
    """Whether the wager may be made while that phase is in that state."""
    return all(holds(condition, state) for condition in wager.place if phase_of(condition, pick) == phase)


def start_phase(wager: schema.Wager, pick: Pick) -> str | None:
    """The phase of the table that decides in which state a new wager begins, if one does."""
    return _filled(wager.start_by, pick) if wager.start_by else None


def start_state(wager: schema.Wager, pick: Pick, phases: Mapping[str, str]) -> str:
    """The state in which a wager made now begins."""
    phase = start_phase(wager, pick)
    if phase is None:
        return _filled(wager.start, pick)
    return wager.start_map.get(phases[phase], phases[phase])


def states_now(wager: schema.Wager, machine: Machine, phases: Mapping[str, str]) -> list[str]:
    """The states that a wager can be in at this moment: one that begins by a phase keeps step with it."""
    if start_phase(wager, machine.pick) is not None:
        now = start_state(wager, machine.pick, phases)
        return [now] if now in machine.table else []
    begins = may_be_made(wager, machine.pick, phases)
    return [state for state in machine.table if begins or state not in machine.starts]


def _filled(text: str, pick: Pick) -> str:
    """A name of the book with the pick filled in."""
    return text.replace("{pick}", pick_words("", pick)["pick"]) if "{" in text else text


# -- how much is staked ------------------------------------------------------------------------------------------------


def one_amount(wager: schema.Wager, sign: Sign) -> int | None:
    """The amount that a table takes for a wager with just one; None where any amount within the limits will do."""
    fixed = wager.fixed_stake
    if fixed is None:
        return None
    given = sign.fixed_stakes.get(fixed.option)
    return given if given is not None else round_up_to_chip(parse_cents(fixed.default), sign.chip)


def smallest_stake(wager: schema.Wager, sign: Sign) -> int:
    """The least that can be laid, whatever minimum the sign states."""
    fixed = one_amount(wager, sign)
    return sign.chip * wager.fewest_chips if fixed is None else fixed


def largest_stake(
    game: Game, wager: schema.Wager, pick: Pick, state: str, sign: Sign, maximum: int | None, flat_cents: int | None
) -> int | None:
    """The most that may stand: the one amount, or what the maximum and the flat wager leave; None without a limit.

    `flat_cents` is the flat wager that it lies behind; None where that does not matter or does not limit it.
    """
    fixed = one_amount(wager, sign)
    if fixed is not None:
        return fixed
    if flat_cents is not None and not wager.stands_alone:
        behind = behind_limit(game, wager, pick, state, flat_cents, sign.chip)
        maximum = behind if maximum is None else min(maximum, behind)
    chips = wager.fewest_chips
    return maximum if maximum is None or chips == 1 else round_down_to_chip(maximum, chips * sign.chip)


def exact_unit(game: Game, wager: schema.Wager, pick: Pick, state: str) -> int:
    """The unit, in chips, with which nothing ever needs rounding (readings X-2, CR-8)."""
    return game.machine(wager.id, pick).exact_unit(state, commission_rate(game, wager, pick, state))


def unit_chips(game: Game, wager: schema.Wager, pick: Pick, state: str, exact: bool) -> int:
    """The unit of stakes in chips. `exact`: the table takes only stakes with which nothing needs rounding."""
    chips = wager.fewest_chips
    return lcm(chips, exact_unit(game, wager, pick, state)) if exact and not wager.has_one_amount else chips


def check_laid(limits: schema.Limits, wager: schema.Wager, amount: int, stake: int, chip: int) -> None:
    """Chips are moved whole, and some wagers stand in several at a time. Raises Impossible."""
    if amount % chip:
        say = f"{format_cents(amount)} cannot be laid in chips of {format_cents(chip)}."
        raise Impossible("amount_not_in_chips", say, limits.chips)
    if wager.multiple and stake % (wager.multiple.chips * chip):
        unit = format_cents(wager.multiple.chips * chip)
        raise Impossible("amount_not_in_units", f"{wager.name} is made in multiples of {unit}.", wager.multiple.clause)


def check_limits(limits: schema.Limits, stake: int, minimum: int | None, maximum: int | None) -> None:
    """Refuse a stake outside the limits of a sign. Raises Impossible."""
    if maximum is not None and stake > maximum:
        say = f"{format_cents(stake)} is above the maximum of {format_cents(maximum)}."
        raise Impossible("stake_above_maximum", say, limits.maximum)
    if minimum is not None and stake < minimum:
        say = f"{format_cents(stake)} is below the minimum of {format_cents(minimum)}."
        raise Impossible("stake_below_minimum", say, limits.minimum)


# -- commission --------------------------------------------------------------------------------------------------------


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


# -- what lies behind a flat wager -------------------------------------------------------------------------------------


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


def flat_missing(game: Game, wager: schema.Wager, where: str = "") -> Impossible:
    """Why a wager cannot be made without its flat wager; `where` says where that should be."""
    say = f"{wager.name} needs a {game.wager(wager.flat or '').name} wager{where}."
    return Impossible("flat_wager_missing", say, wager.flat_clause)


# -- sleeping, On and Off ----------------------------------------------------------------------------------------------


def sleeps_now(wager: schema.Wager, phases: Mapping[str, str]) -> bool:
    """Whether the wager does not act in these phases of the table, unless its player calls it On."""
    sleep = wager.sleeps
    return sleep is not None and holds(sleep.when, phases[sleep.when.phase])


def sleep_clause(wager: schema.Wager, phases: Mapping[str, str], called: bool | None) -> str | None:
    """The clause under which a wager that was called On, Off or neither does not act; None where it acts."""
    sleep = wager.sleeps
    if sleep is None or called is True:
        return None
    if called is False:
        return sleep.call_clause
    return sleep.clause if sleeps_now(wager, phases) else None


# -- wagers that travel ------------------------------------------------------------------------------------------------


def made_on(wager: schema.Wager, pick: Pick) -> Pick:
    """The pick with which a wager that now shows this one was made: none if it has travelled there."""
    return None if wager.travels else pick


def shown_pick(wager: schema.Wager, pick: Pick, state: str) -> Pick:
    """The pick that people see: a wager that has travelled shows its number."""
    return shown_value(wager.travels, state) if wager.travels else pick


def state_on(wager: schema.Wager, number: Pick) -> str:
    """The state of a wager that has travelled to a number."""
    assert wager.travels is not None, f"{wager.id} goes nowhere"
    return wager.travels.replace("{n}", str(number))


def numbers(game: Game, wager: schema.Wager) -> list[Pick]:
    """The numbers that a wager can travel to."""
    shown = [shown_value(wager.travels, state) for state in game.machine(wager.id, None).table]
    return [number for number in shown if number is not None]
