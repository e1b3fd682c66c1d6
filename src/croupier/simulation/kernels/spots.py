"""The spots that a strategy can have chips on, the machines behind them, and the phases of the table that matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from math import lcm
from typing import NamedTuple

import numpy as np

from croupier.rules import offers, schema
from croupier.rules.book import holds
from croupier.rules.game import Game
from croupier.rules.machine import Entry, Machine, Pick
from croupier.simulation.kernels.layout import Truths
from croupier.simulation.strategy import (
    Bet,
    Call,
    Compare,
    Condition,
    Count,
    Hits,
    PhaseIs,
    Spot,
    Strategy,
    Streak,
    Take,
    TimesSpot,
)


class Row:
    """One state of one machine. `spot` is where chips in it lie."""

    def __init__(self, machine: Machine, state: str, spot: Spot) -> None:
        self.machine = machine
        self.state = state
        self.spot = spot
        self.entries: tuple[Entry, ...] = machine.table[state]
        self.over = lcm(*(entry.odds.denominator for row in machine.table.values() for entry in row))


class Felt:
    """All spots of a strategy in a fixed order, and the rows of their machines."""

    def __init__(self, game: Game, strategy: Strategy) -> None:
        self.game = game
        self.strategy = strategy
        self.spots: list[Spot] = list(dict.fromkeys(self._all_spots()))
        self.place = {spot: i for i, spot in enumerate(self.spots)}
        self.rows: list[Row] = list(self._all_rows())
        self.row = {(row.machine.wager, row.machine.pick, row.state): i for i, row in enumerate(self.rows)}

    def wager(self, spot: Spot) -> schema.Wager:
        """The definition of a spot's wager."""
        return self.game.wager(spot.wager)

    def machine(self, spot: Spot) -> Machine:
        """The machine behind a spot: a wager that travels has one for all its numbers."""
        return self.game.machine(spot.wager, self.own_pick(spot))

    @cached_property
    def groups(self) -> list[Spot]:
        """Kinds of wagers, each named as it is made: a wager that travels is one kind wherever it lies."""
        return list(dict.fromkeys(Spot(spot.wager, self.own_pick(spot)) for spot in self.spots))

    def own_pick(self, spot: Spot) -> Pick:
        """The pick with which the wager is made: none if the spot's number is one that it travels to."""
        return offers.made_on(self.wager(spot), spot.pick)

    def _all_spots(self) -> Iterator[Spot]:
        """The spots named anywhere, their flat wagers, and every number they can travel to."""
        for spot in _named(self.strategy):
            wager = self.wager(spot)
            flat = wager.flat
            if flat is not None:
                yield from self._travelled(self.game.wager(flat))
            yield from self._travelled(wager) if wager.can_move else (spot,)

    def _travelled(self, wager: schema.Wager) -> Iterator[Spot]:
        """A wager without picks: where it begins, and every number that it travels to."""
        yield Spot(wager.id)
        for number in offers.numbers(self.game, wager) if wager.can_move else []:
            yield Spot(wager.id, number)

    def _all_rows(self) -> Iterator[Row]:
        seen: set[tuple[str, Pick]] = set()
        for spot in self.spots:
            key = (spot.wager, self.own_pick(spot))
            if key not in seen:
                seen.add(key)
                machine, wager = self.machine(spot), self.wager(spot)
                for state in machine.table:
                    yield Row(machine, state, Spot(wager.id, offers.shown_pick(wager, spot.pick, state)))

    @cached_property
    def phases(self) -> list[str]:
        """The phases that a wager, a condition, the dice or the betting depends on, in the book's order."""
        asked = set(_phases_named(self.strategy))
        for spot in self.spots:
            wager, pick = self.wager(spot), self.own_pick(spot)
            asked.update(offers.phases_of(wager, pick))
            asked.update(offers.phase_of(condition, pick) or "" for condition in wager.take)
        rules = self.game.book.rules
        if rules.betting is not None and rules.betting.reopens is not None:
            asked.add(rules.betting.reopens.phase)
        if rules.thrower is not None and rules.thrower.passes is not None and rules.thrower.passes.phase is not None:
            asked.add(rules.thrower.passes.phase.phase)
        return [phase for phase in self.game.book.phases if phase in asked]


def conditions_of(strategy: Strategy) -> list[Condition]:
    """Every condition of every rule."""
    return [condition for rule in strategy.rules for condition in rule.guard.conditions]


def _named(strategy: Strategy) -> Iterator[Spot]:
    for rule in strategy.rules:
        match rule:
            case Bet(spot=spot, stake=stake):
                yield spot
                if isinstance(stake, TimesSpot):
                    yield stake.spot
            case Take(spot=spot) | Call(spot=spot):
                yield spot
    for condition in conditions_of(strategy):
        if isinstance(condition, Compare) and isinstance(condition.subject, Count | Streak | Hits):
            yield from condition.subject.spots
    for progression in strategy.progressions:
        yield from progression.of


def _phases_named(strategy: Strategy) -> Iterator[str]:
    for condition in conditions_of(strategy):
        if isinstance(condition, PhaseIs):
            yield condition.phase


# What the tables refer to by number: lists, truth tables, refusals and phase states


class Refusal(NamedTuple):
    """Why a table refuses: a stable code, and the clause behind it."""

    code: str
    clause: str | None


class Register:
    """Assigns numbers to lists, truth tables and refusals as they are first used."""

    def __init__(self, felt: Felt) -> None:
        self.felt = felt
        self.lists: list[int] = []
        self.truths: list[list[bool]] = []
        self.refusals: list[Refusal] = []
        self.phase_states = [list(felt.game.book.phase_machines[phase].table) for phase in felt.phases]

    def series(self, members: Iterable[int]) -> int:
        """Append a list; return the index of its first member."""
        first = len(self.lists)
        self.lists.extend(members)
        return first

    def truth(self, answers: Iterable[bool]) -> int:
        """The number of a truth table; equal tables share a number."""
        table = list(answers)
        if table not in self.truths:
            self.truths.append(table)
        return self.truths.index(table)

    def refusal(self, code: str, clause: str | None) -> int:
        """The number of a refusal."""
        refusal = Refusal(code, clause)
        if refusal not in self.refusals:
            self.refusals.append(refusal)
        return self.refusals.index(refusal)

    def phase(self, phase: str) -> int:
        """The number of a phase."""
        return self.felt.phases.index(phase)

    def phase_truth(self, phase: str, answer: Callable[[str], bool]) -> int:
        """A truth table over the states of a phase."""
        return self.truth(answer(state) for state in self.phase_states[self.phase(phase)])

    def over_slots(self, spots: tuple[Spot, ...]) -> int:
        """A truth table over the slots."""
        return self.truth(spot in spots for spot in self.felt.spots)

    def truth_tables(self) -> Truths:
        """All truth tables in one, as wide as the widest."""
        made = np.zeros((len(self.truths) + 1, max(map(len, self.truths), default=1)), np.bool_)
        for i, truths in enumerate(self.truths):
            made[i, : len(truths)] = truths
        return made


def bound(condition: schema.Condition | schema.PhaseIs) -> Callable[[str], bool]:
    """A condition of the book as a predicate on a state."""
    return lambda state: holds(condition, state)
