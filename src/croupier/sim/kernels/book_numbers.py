"""The numbers of a book at one table: its wagers, their machines and the phases, as the kernels look them up."""

from __future__ import annotations

import numpy as np

from croupier.rules import schema
from croupier.rules.book import holds
from croupier.rules.game import start_phase, start_state
from croupier.rules.stakes import best_odds, commission_rate, exact_unit
from croupier.sim.kernels import numbers as n
from croupier.sim.kernels.numbers import Ints, table
from croupier.sim.kernels.register import Register, bound
from croupier.sim.kernels.spots import Felt, Row
from croupier.sim.strategy import Spot
from croupier.table.commands import Settings
from croupier.table.placing import fixed_cents, limit_for

THEN = {"stay": n.STAY, "go": n.GO, "lose": n.LOSE, "void": n.VOID, "win": n.WIN}


class BookNumbers:
    """Slots, rows, entries, phases and moments, and what the sign of the table says."""

    def __init__(self, felt: Felt, settings: Settings, register: Register) -> None:
        self.felt = felt
        self.settings = settings
        self.register = register
        self._moments: list[list[int]] = []
        self.slots = table([self._slot(spot) for spot in felt.spots], n.SLOT_COLUMNS)
        self.moments = table(self._moments, n.MOMENT_COLUMNS)
        self.rows = table([self._row(row) for row in felt.rows], n.ROW_COLUMNS)
        self.entries = self._all_entries()
        self.phases = self._all_phases()

    def _all_entries(self) -> Ints:
        outcomes = len(self.felt.game.book.outcomes)
        entries = np.zeros((len(self.felt.rows), outcomes, n.ENTRY_COLUMNS), np.int64)
        for i, row in enumerate(self.felt.rows):
            entries[i] = [self._entry(row, i, outcome) for outcome in range(outcomes)]
        return entries

    def _all_phases(self) -> Ints:
        """The state after each outcome, for every state of every phase."""
        book, states = self.felt.game.book, self.register.phase_states
        phases = np.zeros((len(states), max(map(len, states), default=1), len(book.outcomes)), np.int64)
        for p, phase in enumerate(self.felt.phases):
            for i, state in enumerate(states[p]):
                entries = book.phase_machines[phase].table[state]
                phases[p, i] = [states[p].index(entry.next or state) for entry in entries]
        return phases

    def limit(self, spot: Spot) -> tuple[int, int | None]:
        """The least and the most that the sign allows on a spot."""
        limit = limit_for(self.settings, spot.wager, None, self.felt.own_pick(spot))
        return limit.minimum or 0, limit.maximum

    def _slot(self, spot: Spot) -> list[int]:
        wager, words = self.felt.wager(spot), self.felt.words(spot)
        fixed = fixed_cents(self.settings, wager.fixed_stake) if wager.fixed_stake else n.NONE
        low, high = self.limit(spot)
        place, take = self._conditions(wager.place, words), self._conditions(wager.take, words)
        lock = wager.take[0].clause if wager.take else wager.clause
        phase = start_phase(wager, words)
        columns = {
            n.START_PHASE: n.NONE if phase is None else self.register.phase(phase),
            n.STARTS: self._starts(spot),
            n.PLACE: place[0],
            n.PLACES: place[1],
            n.TAKE: take[0],
            n.TAKES: take[1],
            n.ADDS_UP: int(wager.adds_up),
            n.SOLE: n.NONE if wager.sole is None else list(self.felt.game.book.wagers).index(wager.id),
            n.LOWEST: low,
            n.HIGHEST: n.NONE if high is None else high,
            n.FIXED_STAKE: fixed,
            n.MULTIPLE: self.settings.chip * (wager.multiple.chips if wager.multiple else 1),
            n.SLEEP_PHASE: n.NONE,
            n.SLEEP_TRUTH: n.NONE,
            n.GROUP: self.felt.groups.index(Spot(spot.wager, self.felt.own_pick(spot))),
            n.NO_DECLARED: self.register.refusal("declared_already", wager.sole.declared_clause)
            if wager.sole
            else n.NONE,
            n.NO_ONE_ONLY: self.register.refusal(
                "one_wager_only", wager.fixed_stake.clause if wager.fixed_stake else wager.clause
            ),
            n.NO_LOCKED: self.register.refusal("wager_locked", lock),
            n.NO_MULTIPLE: self.register.refusal("amount_not_in_units", wager.multiple.clause)
            if wager.multiple
            else n.NONE,
            n.NO_FIXED: self.register.refusal("stake_not_the_fixed_amount", wager.fixed_stake.clause)
            if wager.fixed_stake
            else n.NONE,
            n.NO_FLAT: self.register.refusal("flat_wager_missing", wager.behind.clause) if wager.behind else n.NONE,
            n.NO_BEHIND: self.register.refusal("stake_above_behind_limit", wager.behind.limit_clause)
            if wager.behind
            else n.NONE,
            n.NO_CALL: self.register.refusal("cannot_be_called", self._call_clause()),
        }
        if wager.sleeps is not None:
            when = wager.sleeps.when
            columns[n.SLEEP_PHASE] = self.register.phase(when.phase)
            columns[n.SLEEP_TRUTH] = self.register.phase_truth(when.phase, lambda state: holds(when, state))
        return [columns[column] for column in range(n.SLOT_COLUMNS)]

    def _call_clause(self) -> str | None:
        return next((each.sleeps.call_clause for each in self.felt.game.book.rules.wagers if each.sleeps), None)

    def _starts(self, spot: Spot) -> int:
        """The rows in which the wager begins: one for each state of the phase that decides it, or one."""
        wager, words, pick = self.felt.wager(spot), self.felt.words(spot), self.felt.own_pick(spot)
        phase = start_phase(wager, words)
        if phase is None:
            return self.register.series([self.felt.row.get((wager.id, pick, start_state(wager, words, {})), n.NONE)])
        states = self.register.phase_states[self.register.phase(phase)]
        starts = [start_state(wager, words, {phase: state}) for state in states]
        return self.register.series(self.felt.row.get((wager.id, pick, state), n.NONE) for state in starts)

    def _conditions(self, conditions: list[schema.Condition], words: str) -> tuple[int, int]:
        """Conditions on a phase, or on the wager's own state: then the truth table is over the rows."""
        first = len(self._moments)
        for condition in conditions:
            refusal = self.register.refusal(condition.code, condition.clause)
            if condition.phase is None:
                truth = self.register.truth(holds(condition, row.state) for row in self.felt.rows)
                self._moments.append([n.NONE, truth, refusal])
            else:
                phase = condition.phase.replace("{pick}", words)
                truth = self.register.phase_truth(phase, bound(condition))
                self._moments.append([self.register.phase(phase), truth, refusal])
        return first, len(conditions)

    def _row(self, row: Row) -> list[int]:
        wager, pick = self.felt.game.wager(row.machine.wager), row.machine.pick
        rate = commission_rate(self.felt.game, wager, pick, row.state)
        best = best_odds(self.felt.game, wager, pick, row.state)
        unit = exact_unit(self.felt.game, wager, pick, row.state) * self.settings.chip
        flat, flat_row = (Spot(""), n.NONE) if wager.behind is None else self._flat(wager.behind.flat, row.state)
        columns = {
            n.SLOT: self.felt.place[row.spot],
            n.UNIT: _common(unit, wager, self.settings.chip) if self.settings.exact_units else 0,
            n.RATE: rate.numerator,
            n.RATE_OVER: rate.denominator,
            n.FLAT_SLOT: self.felt.place.get(flat, n.NONE),
            n.FLAT_ROW: flat_row,
            n.BEHIND_OF: 0 if wager.behind is None else ("stake", "winnings").index(wager.behind.of) + 1,
            n.TIMES: 0 if wager.behind is None else wager.behind.times,
            n.BEST: best.numerator,
            n.BEST_OVER: best.denominator,
            n.ODDS_OVER: row.over,
        }
        return [columns[column] for column in range(n.ROW_COLUMNS)]

    def _flat(self, flat: str, state: str) -> tuple[Spot, int]:
        """Where the flat wager must lie for what lies behind it in this state."""
        row = self.felt.row.get((flat, None, state))
        return (Spot(""), n.NONE) if row is None else (self.felt.rows[row].spot, row)

    def _entry(self, row: Row, place: int, outcome: int) -> list[int]:
        entry = row.entries[outcome]
        to = self.felt.row[row.machine.wager, row.machine.pick, entry.next] if entry.then == "go" else place
        return [THEN[entry.then], to, int(entry.odds * row.over)]

    def sign(self) -> dict[int, int]:
        """What holds for the whole table: chips, limits, when bets are open, when the dice pass."""
        rules = self.felt.game.book.rules
        limits, betting = rules.limits, rules.betting
        reopens = betting.reopens if betting is not None else None
        refusal, register = self.register.refusal, self.register
        return {
            n.CHIP: self.settings.chip,
            n.EXACT: int(self.settings.exact_units),
            n.NO_CHIPS_MULTIPLE: refusal("amount_not_in_chips", limits.chips),
            n.NO_UNITS: refusal("amount_not_in_units", limits.unit),
            n.ABOVE_MAXIMUM: refusal("stake_above_maximum", limits.maximum),
            n.BELOW_MINIMUM: refusal("stake_below_minimum", limits.minimum),
            n.NO_CHIPS: refusal("not_enough_chips", limits.chips),
            n.NOT_POSITIVE: refusal("amount_not_positive", limits.chips),
            n.OPEN_PHASE: n.NONE if reopens is None else register.phase(reopens.phase),
            n.OPEN_TRUTH: n.NONE if reopens is None else register.phase_truth(reopens.phase, bound(reopens)),
            **self._passing(),
        }

    def _passing(self) -> dict[int, int]:
        thrower = self.felt.game.book.rules.thrower
        passes = thrower.passes if thrower is not None else None
        if passes is None:
            return {n.PASS_PHASE: n.NONE, n.PASS_TRUTH: n.NONE, n.PASS_OUTCOMES: n.NONE}
        outcomes, phase = self.felt.game.book.outcomes.matching(passes.on), passes.phase
        return {
            n.PASS_PHASE: n.NONE if phase is None else self.register.phase(phase.phase),
            n.PASS_TRUTH: n.NONE if phase is None else self.register.phase_truth(phase.phase, bound(phase)),
            n.PASS_OUTCOMES: self.register.truth(o in outcomes for o in range(len(self.felt.game.book.outcomes))),
        }


def _common(unit: int, wager: schema.Wager, chip: int) -> int:
    """A step that serves both the exact unit and the multiple that the wager asks for."""
    return int(np.lcm(unit, chip * (wager.multiple.chips if wager.multiple else 1)))
