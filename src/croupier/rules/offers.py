"""What a wager may do now: when it may be made, for how much, what it lies behind, whether it sleeps.

This is the only interpreter of a wager's modifiers, such as `behind`, `sleeps` or `fixed_stake`. Tables, figures,
simulations, felts and pages call it. Answers that need only the definition are properties of `schema.Wager`;
sentences for people are in `describing`.
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
from croupier.rules.schema import acts_on

if TYPE_CHECKING:
    from croupier.rules.game import Game

NO_COMMISSION = Fraction(0)


class Sign(Protocol):
    """What a table's sign states: the smallest chip, and the amounts of fixed-stake wagers, by their option."""

    @property
    def chip(self) -> int: ...

    @property
    def fixed_stakes(self) -> Mapping[str, int]: ...


# -- when it is made, and where it begins ------------------------------------------------------------------------------


def phase_of(condition: schema.Condition, pick: Pick) -> str | None:
    """Return the phase of the table that a condition tests; None if it tests the wager's own state."""
    return condition.phase if condition.phase is None else _filled(condition.phase, pick)


def phases_of(wager: schema.Wager, pick: Pick) -> Iterator[str]:
    """Yield the phases that determine whether the wager may be made, where it begins and whether it sleeps."""
    asked = [phase_of(condition, pick) for condition in wager.place]
    return (phase for phase in [*asked, start_phase(wager, pick), wager.sleep_phase] if phase is not None)


def may_be_made(wager: schema.Wager, pick: Pick, phases: Mapping[str, str]) -> bool:
    """Whether the phases of the table allow the wager to be made now."""
    asked = ((condition, phase_of(condition, pick)) for condition in wager.place)
    return all(phase is None or holds(condition, phases[phase]) for condition, phase in asked)


def may_start(wager: schema.Wager, pick: Pick, phase: str, state: str) -> bool:
    """Whether the wager may be made while that phase is in that state."""
    return all(holds(condition, state) for condition in wager.place if phase_of(condition, pick) == phase)


def start_phase(wager: schema.Wager, pick: Pick) -> str | None:
    """Return the phase of the table that decides the starting state of a new wager, if any."""
    return _filled(wager.start_by, pick) if wager.start_by else None


def start_state(wager: schema.Wager, pick: Pick, phases: Mapping[str, str]) -> str:
    """Return the state in which a wager made now begins."""
    phase = start_phase(wager, pick)
    if phase is None:
        return _filled(wager.start, pick)
    return wager.start_map.get(phases[phase], phases[phase])


def states_now(wager: schema.Wager, machine: Machine, phases: Mapping[str, str]) -> list[str]:
    """Return the states a wager can be in now. A wager that begins by a phase stays in step with it."""
    if start_phase(wager, machine.pick) is not None:
        now = start_state(wager, machine.pick, phases)
        return [now] if now in machine.table else []
    begins = may_be_made(wager, machine.pick, phases)
    return [state for state in machine.table if begins or state not in machine.starts]


def _filled(text: str, pick: Pick) -> str:
    """Return a name from the book with the pick filled in."""
    return text.replace("{pick}", pick_words("", pick)["pick"]) if "{" in text else text


# -- how much is staked ------------------------------------------------------------------------------------------------


def one_amount(wager: schema.Wager, sign: Sign) -> int | None:
    """Return the amount of a fixed-stake wager; None if any amount within the limits is allowed."""
    fixed = wager.fixed_stake
    if fixed is None:
        return None
    given = sign.fixed_stakes.get(fixed.option)
    return given if given is not None else round_up_to_chip(parse_cents(fixed.default), sign.chip)


def smallest_stake(wager: schema.Wager, sign: Sign) -> int:
    """Return the least that can be laid, ignoring the minimum on the sign."""
    fixed = one_amount(wager, sign)
    return sign.chip * wager.fewest_chips if fixed is None else fixed


def largest_stake(
    game: Game, wager: schema.Wager, pick: Pick, state: str, sign: Sign, maximum: int | None, flat_cents: int | None
) -> int | None:
    """Return the largest stake allowed: the fixed amount, or the lower of the maximum and the flat wager's limit.

    None means no limit. `flat_cents` is the flat wager that it lies behind; None if it does not limit this one.
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
    """Return the smallest stake unit, in chips, that never needs rounding (readings X-2, CR-8)."""
    return game.machine(wager.id, pick).exact_unit(state, commission_rate(game, wager, pick, state))


def unit_chips(game: Game, wager: schema.Wager, pick: Pick, state: str, exact: bool) -> int:
    """Return the stake unit in chips. `exact`: the table takes only stakes that never need rounding."""
    chips = wager.fewest_chips
    return lcm(chips, exact_unit(game, wager, pick, state)) if exact and not wager.has_one_amount else chips


def check_laid(limits: schema.Limits, wager: schema.Wager, amount: int, stake: int, chip: int) -> None:
    """Check that chips are moved whole, and in the wager's multiple. Raises Impossible."""
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


@acts_on("wager.commission")
def commission_rate(game: Game, wager: schema.Wager, pick: Pick, state: str) -> Fraction:
    """Return the commission per unit staked."""
    commission = wager.commission
    if commission is None:
        return NO_COMMISSION
    rate = Fraction(commission.rate)
    if commission.of == "winnings":
        rate *= best_odds(game, wager, pick, state) + game.included
    return rate


def best_odds(game: Game, wager: schema.Wager, pick: Pick, state: str) -> Fraction:
    """Return the most that a unit can win from a state on."""
    machine = game.machine(wager.id, pick)
    entries = [entry for later in machine.reachable([state]) for entry in machine.table[later]]
    return max((entry.odds for entry in entries if entry.then == "win"), default=Fraction(0))


# -- what lies behind a flat wager -------------------------------------------------------------------------------------


def behind_limit(game: Game, wager: schema.Wager, pick: Pick, state: str, flat_cents: int, chip_cents: int) -> int:
    """Return the largest stake behind a flat wager of this size, in whole chips (reading CR-10)."""
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
    """Return the refusal of a wager without its flat wager; `where` says where that should be."""
    say = f"{wager.name} needs a {game.wager(wager.flat or '').name} wager{where}."
    return Impossible("flat_wager_missing", say, wager.flat_clause)


# -- sleeping, On and Off ----------------------------------------------------------------------------------------------


def sleeps_now(wager: schema.Wager, phases: Mapping[str, str]) -> bool:
    """Whether the wager sleeps in these phases of the table, unless its player calls it On."""
    sleep = wager.sleeps
    return sleep is not None and holds(sleep.when, phases[sleep.when.phase])


def sleep_clause(wager: schema.Wager, phases: Mapping[str, str], called: bool | None) -> str | None:
    """Return the clause under which the wager does not act, given its player's call; None if it acts."""
    sleep = wager.sleeps
    if sleep is None or called is True:
        return None
    if called is False:
        return sleep.call_clause
    return sleep.clause if sleeps_now(wager, phases) else None


# -- wagers that travel ------------------------------------------------------------------------------------------------


def made_on(wager: schema.Wager, pick: Pick) -> Pick:
    """Return the pick a wager was made with: none if it has travelled to the one it shows."""
    return None if wager.travels else pick


def shown_pick(wager: schema.Wager, pick: Pick, state: str) -> Pick:
    """Return the pick that people see: a wager that has travelled shows its number."""
    return shown_value(wager.travels, state) if wager.travels else pick


def state_on(wager: schema.Wager, number: Pick) -> str:
    """Return the state of a wager that has travelled to a number."""
    assert wager.travels is not None, f"{wager.id} goes nowhere"
    return wager.travels.replace("{n}", str(number))


def numbers(game: Game, wager: schema.Wager) -> list[Pick]:
    """Return the numbers that a wager can travel to."""
    shown = [shown_value(wager.travels, state) for state in game.machine(wager.id, None).table]
    return [number for number in shown if number is not None]
