"""The numbers of a book at one table: its wagers, their machines and the phases, as the kernels look them up."""

from __future__ import annotations

import numpy as np

from croupier.rules import offers, schema
from croupier.rules.book import holds
from croupier.rules.machine import Pick
from croupier.simulation.kernels import numbers as n
from croupier.simulation.kernels.numbers import Ints, table
from croupier.simulation.kernels.spots import Felt, Register, Row, bound
from croupier.simulation.strategy import Spot
from croupier.table.commands import Settings
from croupier.table.placing import limit_for

THEN = {"stay": n.STAY, "go": n.GO, "lose": n.LOSE, "void": n.VOID, "win": n.WIN}


class BookNumbers:
    """Slots, rows, entries, phases and moments, and the table's limits."""

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
        """The next state for every phase, state and outcome."""
        book, states = self.felt.game.book, self.register.phase_states
        phases = np.zeros((len(states), max(map(len, states), default=1), len(book.outcomes)), np.int64)
        for p, phase in enumerate(self.felt.phases):
            for i, state in enumerate(states[p]):
                entries = book.phase_machines[phase].table[state]
                phases[p, i] = [states[p].index(entry.next or state) for entry in entries]
        return phases

    def limit(self, spot: Spot) -> tuple[int, int | None]:
        """The minimum and maximum that the sign sets for a spot."""
        limit = limit_for(self.settings, spot.wager, None, self.felt.own_pick(spot))
        return limit.minimum or 0, limit.maximum

    def _slot(self, spot: Spot) -> list[int]:
        wager, pick, refusal = self.felt.wager(spot), self.felt.own_pick(spot), self.register.refusal
        fixed, multiple = offers.one_amount(wager, self.settings), wager.units_clause
        low, high = self.limit(spot)
        place, take = self._conditions(wager.place, pick), self._conditions(wager.take, pick)
        phase = offers.start_phase(wager, pick)
        columns = {
            n.START_PHASE: n.NONE if phase is None else self.register.phase(phase),
            n.STARTS: self._starts(spot),
            n.PLACE: place[0],
            n.PLACES: place[1],
            n.TAKE: take[0],
            n.TAKES: take[1],
            n.ADDS_UP: int(wager.adds_up),
            n.SOLE: list(self.felt.game.book.wagers).index(wager.id) if wager.has_one_holder else n.NONE,
            n.LOWEST: low,
            n.HIGHEST: n.NONE if high is None else high,
            n.FIXED_STAKE: n.NONE if fixed is None else fixed,
            n.MULTIPLE: self.settings.chip * wager.fewest_chips,
            n.SLEEP_PHASE: n.NONE,
            n.SLEEP_TRUTH: n.NONE,
            n.GROUP: self.felt.groups.index(Spot(spot.wager, self.felt.own_pick(spot))),
            n.NO_DECLARED: refusal("declared_already", wager.pick_clause) if wager.has_one_holder else n.NONE,
            n.NO_ONE_ONLY: refusal("one_wager_only", wager.one_amount_clause),
            n.NO_LOCKED: refusal("wager_locked", wager.lock_clause),
            n.NO_MULTIPLE: n.NONE if multiple is None else refusal("amount_not_in_units", multiple),
            n.NO_FIXED: n.NONE if fixed is None else refusal("stake_not_the_fixed_amount", wager.one_amount_clause),
            n.NO_FLAT: refusal("flat_wager_missing", wager.behind.clause) if wager.behind else n.NONE,
            n.NO_BEHIND: refusal("stake_above_behind_limit", wager.behind.limit_clause) if wager.behind else n.NONE,
            n.NO_CALL: refusal("cannot_be_called", self.felt.game.book.call_clause),
        }
        sleeps = wager.sleep_phase
        if sleeps is not None:
            columns[n.SLEEP_PHASE] = self.register.phase(sleeps)
            columns[n.SLEEP_TRUTH] = self.register.phase_truth(sleeps, lambda s: offers.sleeps_now(wager, {sleeps: s}))
        return [columns[column] for column in range(n.SLOT_COLUMNS)]

    def _starts(self, spot: Spot) -> int:
        """The rows in which the wager begins: one per state of the phase that determines it, or just one."""
        wager, pick = self.felt.wager(spot), self.felt.own_pick(spot)
        phase = offers.start_phase(wager, pick)
        states = [] if phase is None else self.register.phase_states[self.register.phase(phase)]
        moments = [{}] if phase is None else [{phase: state} for state in states]
        starts = [offers.start_state(wager, pick, phases) for phases in moments]
        return self.register.series(self.felt.row.get((wager.id, pick, state), n.NONE) for state in starts)

    def _conditions(self, conditions: list[schema.Condition], pick: Pick) -> tuple[int, int]:
        """Encode conditions on a phase, or on the wager's own state, whose truth table is over the rows."""
        first = len(self._moments)
        for condition in conditions:
            refusal = self.register.refusal(condition.code, condition.clause)
            phase = offers.phase_of(condition, pick)
            if phase is None:
                truth = self.register.truth(holds(condition, row.state) for row in self.felt.rows)
                self._moments.append([n.NONE, truth, refusal])
            else:
                truth = self.register.phase_truth(phase, bound(condition))
                self._moments.append([self.register.phase(phase), truth, refusal])
        return first, len(conditions)

    def _row(self, row: Row) -> list[int]:
        wager, pick = self.felt.game.wager(row.machine.wager), row.machine.pick
        rate = offers.commission_rate(self.felt.game, wager, pick, row.state)
        best = offers.best_odds(self.felt.game, wager, pick, row.state)
        unit = offers.unit_chips(self.felt.game, wager, pick, row.state, True) * self.settings.chip
        flat, flat_row = self._flat(wager.flat, row.state)
        columns = {
            n.SLOT: self.felt.place[row.spot],
            n.UNIT: unit if self.settings.exact_units else 0,
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

    def _flat(self, flat: str | None, state: str) -> tuple[Spot, int]:
        """The spot and row of the flat wager required behind this state; NONE if there is none."""
        row = self.felt.row.get((flat, None, state)) if flat is not None else None
        return (Spot(""), n.NONE) if row is None else (self.felt.rows[row].spot, row)

    def _entry(self, row: Row, place: int, outcome: int) -> list[int]:
        entry = row.entries[outcome]
        to = self.felt.row[row.machine.wager, row.machine.pick, entry.next] if entry.then == "go" else place
        return [THEN[entry.then], to, int(entry.odds * row.over)]

    def sign(self) -> dict[int, int]:
        """Values for the whole table: chips, limits, when bets are open, when the dice pass."""
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
