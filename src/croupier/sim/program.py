"""A strategy at one table turned into numbers: everything that the kernels look up, read from the book once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from croupier.maths.chain import Ending, machine_chain
from croupier.rules import schema
from croupier.rules.book import holds
from croupier.rules.errors import Impossible
from croupier.rules.game import Game, start_phase, start_state
from croupier.rules.machine import Pick
from croupier.rules.stakes import best_odds, commission_rate, exact_unit
from croupier.sim import numbers as n
from croupier.sim.numbers import Tables, laid_out
from croupier.sim.spots import Felt, Row, conditions_of
from croupier.sim.strategy import (
    Bet,
    Call,
    Chips,
    Compare,
    Condition,
    Count,
    Fixed,
    FromProgression,
    Hits,
    Most,
    Move,
    Net,
    PhaseIs,
    Progression,
    ResultIs,
    Rolls,
    Rule,
    ShareOfChips,
    ShooterRolls,
    Shooters,
    Spot,
    Stake,
    Strategy,
    Streak,
    Take,
    TimesSpot,
)
from croupier.table.commands import Settings
from croupier.table.placing import fixed_cents, limit_for

MOST_CENTS = 10**12  # of a stake, a bankroll or a limit: beyond it sums of many throws no longer fit a word
MOST_PART = 10**6  # of the numerator and the denominator of a factor
# What a sign may say, or how a table may be run, that no kernel follows
NOT_FOLLOWED = ("player_maximum", "without", "player_limits", "unit", "manual_dice", "late_bets")

THEN = {"stay": n.STAY, "go": n.GO, "lose": n.LOSE, "void": n.VOID, "win": n.WIN}
COMPARISONS = {
    "is": n.IS,
    "is not": n.IS_NOT,
    "at least": n.AT_LEAST,
    "at most": n.AT_MOST_IS,
    "above": n.ABOVE,
    "below": n.BELOW,
}
MOVES = {
    "stay": n.M_STAY,
    "next": n.M_NEXT,
    "back": n.M_BACK,
    "first": n.M_FIRST,
    "add": n.M_ADD,
    "times": n.M_TIMES,
    "add_won": n.M_ADD_WON,
}


class Refusal(NamedTuple):
    """Why a table refuses: a stable code, and the clause behind it."""

    code: str
    clause: str | None


class Program:
    """A strategy ready to be run: its numbers, what its slots and refusals are called, and how a session begins."""

    def __init__(self, game: Game, settings: Settings, strategy: Strategy) -> None:
        _check_followed(settings)
        self.game = game
        self.settings = settings
        self.strategy = strategy
        self.felt = Felt(game, strategy)
        self.refusals: list[Refusal] = []
        self._lists: list[int] = []
        self._truths: list[list[int]] = []
        self._moments: list[list[int]] = []
        self._conditions: list[list[int]] = []
        self._endings: dict[tuple[str, Pick], dict[str, dict[Ending, Fraction]]] = {}
        self._counters: dict[Streak | Hits, int] = {}
        self._phase_states = [list(game.book.phase_machines[phase].table) for phase in self.felt.phases]
        self.numbers = self._numbers()
        self.start = self._start()
        self.worth = [self._worth(row) for row in self.felt.rows]

    def floats(self) -> n.Floats:
        """Room for sums that are not money, and what a wager is worth in each row."""
        floats = np.zeros(self.numbers[n.FLOATS_SIZE], np.float64)
        floats[self.numbers[n.F_WORTH] :] = [float(worth) for worth in self.worth]
        return floats

    def _worth(self, row: Row) -> Fraction:
        """What a unit staked brings in the end from this row on, commission included; what is returned brings nothing.

        It is exact, and does not know that wins are rounded up to the chip.
        """
        rate = commission_rate(self.game, self.game.wager(row.machine.wager), row.machine.pick, row.state)
        key = (row.machine.wager, row.machine.pick)
        if key not in self._endings:
            self._endings[key] = machine_chain(row.machine).endings()
        endings = self._endings[key][row.state].items()
        return sum((chance * (end.net - (rate if end.then != "void" else 0)) for end, chance in endings), Fraction(0))

    # What does not depend on money

    @property
    def asks_for_money(self) -> bool:
        """Whether what it does depends on money, even where chips never run out."""
        return self.asks_for_chips or self._compares(Net) or any(map(self._may_lay_all, self.strategy.rules))

    @property
    def asks_for_chips(self) -> bool:
        """Whether it looks at the chips in hand, of which there must be a number then."""
        return self._compares(Chips) or any(self._depends_on_chips(rule) for rule in self.strategy.rules)

    def _compares(self, kind: type) -> bool:
        return any(isinstance(c, Compare) and isinstance(c.subject, kind) for c in conditions_of(self.strategy))

    def _depends_on_chips(self, rule: Rule) -> bool:
        if not isinstance(rule, Bet):
            return False
        if isinstance(rule.stake, ShareOfChips):
            return True
        return self._may_lay_all(rule) and self.felt.wager(rule.spot).behind is None

    def _may_lay_all(self, rule: Rule) -> bool:
        """Whether "most" may be all chips in hand: where nothing limits it, or while what it lies behind is missing."""
        if not isinstance(rule, Bet) or not isinstance(rule.stake, Most):
            return False
        wager = self.felt.wager(rule.spot)
        limited = wager.fixed_stake is not None or self._limit(rule.spot)[1] is not None
        return not limited and (wager.behind is None or rule.insist)

    # The tables

    def _numbers(self) -> n.Ints:
        slots = [self._slot(spot) for spot in self.felt.spots]
        rules = [self._rule(rule) for rule in self.strategy.rules]
        progressions = [self._progression(each) for each in self.strategy.progressions]
        sign = self._sign()  # last: it looks at what the conditions compare
        counters = [self._counter(subject) for subject in self._counters]
        outcomes = len(self.game.book.outcomes)
        phases = np.zeros((len(self.felt.phases), max(map(len, self._phase_states), default=1), outcomes), np.int64)
        for p, phase in enumerate(self.felt.phases):
            table, states = self.game.book.phase_machines[phase].table, self._phase_states[p]
            for i, state in enumerate(states):
                phases[p, i] = [states.index(entry.next or state) for entry in table[state]]
        entries = np.zeros((len(self.felt.rows), outcomes, 3), np.int64)
        for i, row in enumerate(self.felt.rows):
            entries[i] = [self._entry(row, i, outcome) for outcome in range(outcomes)]
        tables = Tables(
            slots=_table(slots, n.SLOT_COLUMNS),
            rows=_table([self._row(row) for row in self.felt.rows], n.ROW_COLUMNS),
            entries=entries,
            phases=phases,
            moments=_table(self._moments, n.MOMENT_COLUMNS),
            rules=_table(rules, n.RULE_COLUMNS),
            conditions=_table(self._conditions, n.CONDITION_COLUMNS),
            counters=_table(counters, n.COUNTER_COLUMNS),
            progressions=_table(progressions, n.PROGRESSION_COLUMNS),
            lists=np.array([*self._lists, 0], np.int64),
            truths=self._truth_tables(),
        )
        return laid_out(sign, tables, len(self.refusals))

    def _truth_tables(self) -> n.Ints:
        made = np.zeros((len(self._truths) + 1, max(map(len, self._truths), default=1)), np.int64)
        for i, truths in enumerate(self._truths):
            made[i, : len(truths)] = truths
        return made

    def _start(self) -> n.Ints:
        """The state of a session before its first rule."""
        numbers = self.numbers
        state = np.zeros(numbers[n.STATE_SIZE], np.int64)
        for p, phase in enumerate(self.felt.phases):
            state[p] = self._phase_states[p].index(self.game.book.phases[phase].start)
        for q, progression in enumerate(self.strategy.progressions):
            state[numbers[n.P_PROGRESSIONS] + q] = 0 if progression.steps else progression.start
        state[numbers[n.P_MISC] + n.SHOOTERS] = min(1, numbers[n.CAP_SHOOTERS])
        return state

    # Lists, truth tables, refusals

    def _list(self, members: Iterable[int]) -> int:
        first = len(self._lists)
        self._lists.extend(members)
        return first

    def _truth(self, answers: Iterable[bool]) -> int:
        table = [int(answer) for answer in answers]
        if table not in self._truths:
            self._truths.append(table)
        return self._truths.index(table)

    def _refusal(self, code: str, clause: str | None) -> int:
        refusal = Refusal(code, clause)
        if refusal not in self.refusals:
            self.refusals.append(refusal)
        return self.refusals.index(refusal)

    def _phase(self, phase: str) -> int:
        return self.felt.phases.index(phase)

    def _phase_truth(self, phase: str, answer: Callable[[str], bool]) -> int:
        return self._truth(answer(state) for state in self._phase_states[self._phase(phase)])

    def _over_slots(self, spots: tuple[Spot, ...]) -> int:
        return self._truth(spot in spots for spot in self.felt.spots)

    # The book

    def _limit(self, spot: Spot) -> tuple[int, int | None]:
        limit = limit_for(self.settings, spot.wager, None, self.felt.own_pick(spot))
        return limit.minimum or 0, limit.maximum

    def _slot(self, spot: Spot) -> list[int]:
        wager, words = self.felt.wager(spot), self.felt.words(spot)
        fixed = fixed_cents(self.settings, wager.fixed_stake) if wager.fixed_stake else n.NONE
        low, high = self._limit(spot)
        place, take = self._conditions_of_book(wager.place, words), self._conditions_of_book(wager.take, words)
        lock = wager.take[0].clause if wager.take else wager.clause
        phase = start_phase(wager, words)
        columns = {
            n.START_PHASE: n.NONE if phase is None else self._phase(phase),
            n.STARTS: self._starts(spot),
            n.PLACE: place[0],
            n.PLACES: place[1],
            n.TAKE: take[0],
            n.TAKES: take[1],
            n.ADDS_UP: int(wager.adds_up),
            n.SOLE: n.NONE if wager.sole is None else list(self.game.book.wagers).index(wager.id),
            n.LOWEST: low,
            n.HIGHEST: n.NONE if high is None else high,
            n.FIXED_STAKE: fixed,
            n.MULTIPLE: self.settings.chip * (wager.multiple.chips if wager.multiple else 1),
            n.SLEEP_PHASE: n.NONE,
            n.SLEEP_TRUTH: n.NONE,
            n.GROUP: self.felt.groups.index(Spot(spot.wager, self.felt.own_pick(spot))),
            n.NO_DECLARED: self._refusal("declared_already", wager.sole.declared_clause) if wager.sole else n.NONE,
            n.NO_ONE_ONLY: self._refusal(
                "one_wager_only", wager.fixed_stake.clause if wager.fixed_stake else wager.clause
            ),
            n.NO_LOCKED: self._refusal("wager_locked", lock),
            n.NO_MULTIPLE: self._refusal("amount_not_in_units", wager.multiple.clause) if wager.multiple else n.NONE,
            n.NO_FIXED: self._refusal("stake_not_the_fixed_amount", wager.fixed_stake.clause)
            if wager.fixed_stake
            else n.NONE,
            n.NO_FLAT: self._refusal("flat_wager_missing", wager.behind.clause) if wager.behind else n.NONE,
            n.NO_BEHIND: self._refusal("stake_above_behind_limit", wager.behind.limit_clause)
            if wager.behind
            else n.NONE,
            n.NO_CALL: self._refusal("cannot_be_called", self._call_clause()),
        }
        if wager.sleeps is not None:
            when = wager.sleeps.when
            columns[n.SLEEP_PHASE] = self._phase(when.phase)
            columns[n.SLEEP_TRUTH] = self._phase_truth(when.phase, lambda state: holds(when, state))
        return [columns[column] for column in range(n.SLOT_COLUMNS)]

    def _call_clause(self) -> str | None:
        return next((each.sleeps.call_clause for each in self.game.book.rules.wagers if each.sleeps), None)

    def _starts(self, spot: Spot) -> int:
        """The rows in which the wager begins: one for each state of the phase that decides it, or one."""
        wager, words, pick = self.felt.wager(spot), self.felt.words(spot), self.felt.own_pick(spot)
        phase = start_phase(wager, words)
        if phase is None:
            return self._list([self.felt.row.get((wager.id, pick, start_state(wager, words, {})), n.NONE)])
        states = self._phase_states[self._phase(phase)]
        starts = [start_state(wager, words, {phase: state}) for state in states]
        return self._list(self.felt.row.get((wager.id, pick, state), n.NONE) for state in starts)

    def _conditions_of_book(self, conditions: list[schema.Condition], words: str) -> tuple[int, int]:
        """Conditions on a phase, or on the wager's own state: then the truth table is over the rows."""
        first = len(self._moments)
        for condition in conditions:
            refusal = self._refusal(condition.code, condition.clause)
            if condition.phase is None:
                truth = self._truth(holds(condition, row.state) for row in self.felt.rows)
                self._moments.append([n.NONE, truth, refusal])
            else:
                phase = condition.phase.replace("{pick}", words)
                truth = self._phase_truth(phase, _bound(condition))
                self._moments.append([self._phase(phase), truth, refusal])
        return first, len(conditions)

    def _row(self, row: Row) -> list[int]:
        wager, pick = self.game.wager(row.machine.wager), row.machine.pick
        rate = commission_rate(self.game, wager, pick, row.state)
        best = best_odds(self.game, wager, pick, row.state)
        unit = exact_unit(self.game, wager, pick, row.state) * self.settings.chip
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

    # The strategy

    def _rule(self, rule: Rule) -> list[int]:
        columns = dict.fromkeys(range(n.RULE_COLUMNS), 0)
        columns[n.AT] = self.felt.place[rule.spot]
        columns[n.NUMBER] = rule.rule
        columns[n.AT_MOST] = n.NONE
        columns[n.IF] = len(self._conditions)
        for wanted, conditions in ((1, rule.guard.when), (0, rule.guard.unless)):
            self._conditions.extend([*self._condition(condition), wanted] for condition in conditions)
        columns[n.IFS] = len(self._conditions) - columns[n.IF]
        match rule:
            case Bet():
                columns[n.OP] = n.BET
                columns |= self._stake(rule.stake)
                columns[n.ADDS], columns[n.OR_LESS] = int(rule.adds), int(rule.or_less)
                columns[n.INSIST] = int(rule.insist)
                if rule.at_most is not None:
                    columns[n.AT_MOST], columns[n.PER_SHOOTER] = rule.at_most, int(rule.per == "shooter")
            case Take():
                columns[n.OP], columns[n.LEAVE] = n.TAKE_DOWN, rule.leave
            case Call():
                columns[n.OP], columns[n.ON] = n.CALL_OUT, int(rule.on)
        return [columns[column] for column in range(n.RULE_COLUMNS)]

    def _stake(self, stake: Stake) -> dict[int, int]:
        match stake:
            case Fixed(cents=cents):
                return {n.STAKE_KIND: n.OF_FIXED, n.FACTOR: _limited(cents), n.FACTOR_OVER: 1}
            case TimesSpot(factor=factor, spot=spot):
                return {n.STAKE_KIND: n.OF_SPOT, n.REF: self.felt.place[spot], **_factor(factor)}
            case ShareOfChips(share=share):
                return {n.STAKE_KIND: n.OF_CHIPS, **_factor(share)}
            case Most():
                return {n.STAKE_KIND: n.OF_MOST}
            case FromProgression(factor=factor, progression=progression):
                return {n.STAKE_KIND: n.OF_PROGRESSION, n.REF: progression, **_factor(factor)}

    def _condition(self, condition: Condition) -> list[int]:
        """Its columns, but for whether it is wanted."""
        match condition:
            case PhaseIs(phase=phase, states=states):
                return [n.A_PHASE, self._phase(phase), self._phase_truth(phase, states.__contains__), 0, 0]
            case ResultIs(outcomes=outcomes):
                return [n.A_RESULT, 0, self._truth(bool(c & outcomes) for c in self._classes), 0, 0]
            case Compare(subject=subject, comparison=comparison, value=value):
                about, what, truth = self._subject(subject)
                return [about, what, truth, COMPARISONS[comparison], value]

    def _subject(self, subject: object) -> tuple[int, int, int]:
        match subject:
            case Count(spots=spots):
                return n.A_COUNT, 0, self._over_slots(spots)
            case Streak() | Hits():
                return n.A_COUNTER, self._counters.setdefault(subject, len(self._counters)), 0
            case Rolls():
                return n.OF_ROLLS, 0, 0
            case ShooterRolls():
                return n.OF_SHOOTER_ROLLS, 0, 0
            case Shooters():
                return n.OF_SHOOTERS, 0, 0
            case Chips():
                return n.CHIPS_IN_HAND, 0, 0
        return n.NET_RESULT, 0, 0

    def _cap(self, subject: object, least: int = -1) -> int:
        """Beyond the largest number that anything compares with, numbers need not be told apart."""
        compared = [c.value for c in conditions_of(self.strategy) if isinstance(c, Compare) and c.subject == subject]
        return max([least, *compared]) + 1

    def _counter(self, subject: Streak | Hits) -> list[int]:
        what = n.HITS if isinstance(subject, Hits) else n.WINS if subject.won else n.LOSSES
        return [what, self._over_slots(subject.spots), self._cap(subject)]

    @property
    def _classes(self) -> list[frozenset[int]]:
        """Sets of outcomes that no condition on the last result tells apart; the first is that of no throw yet."""
        asked = [c.outcomes for c in conditions_of(self.strategy) if isinstance(c, ResultIs)]
        classes: dict[tuple[bool, ...], set[int]] = {}
        for outcome in range(len(self.game.book.outcomes)):
            classes.setdefault(tuple(outcome in outcomes for outcomes in asked), set()).add(outcome)
        return [frozenset(), *map(frozenset, classes.values())]

    def _progression(self, progression: Progression) -> list[int]:
        columns = {
            n.MOVED_BY: self._over_slots(progression.of),
            n.STEP: self._list(map(_limited, progression.steps)) if progression.steps else n.NONE,
            n.STEPS: len(progression.steps),
            n.ENDS_FIRST: int(progression.at_end == "first"),
            n.START: _limited(progression.start),
            n.LEAST: _limited(progression.least),
            n.MOST: _limited(progression.most or MOST_CENTS),
            n.ANEW: int(progression.per_shooter),
            **_move(progression.win, n.ON_WIN),
            **_move(progression.loss, n.ON_LOSS),
        }
        return [columns[column] for column in range(n.PROGRESSION_COLUMNS)]

    def _sign(self) -> list[int]:
        book, stop = self.game.book.rules, self.strategy.stop
        limits, betting = book.limits, book.betting
        reopens = betting.reopens if betting is not None else None
        columns = {
            n.CHIP: self.settings.chip,
            n.EXACT: int(self.settings.exact_units),
            n.NO_CHIPS_MULTIPLE: self._refusal("amount_not_in_chips", limits.chips),
            n.NO_UNITS: self._refusal("amount_not_in_units", limits.unit),
            n.ABOVE_MAXIMUM: self._refusal("stake_above_maximum", limits.maximum),
            n.BELOW_MINIMUM: self._refusal("stake_below_minimum", limits.minimum),
            n.NO_CHIPS: self._refusal("not_enough_chips", limits.chips),
            n.NOT_POSITIVE: self._refusal("amount_not_positive", limits.chips),
            n.OPEN_PHASE: n.NONE if reopens is None else self._phase(reopens.phase),
            n.OPEN_TRUTH: n.NONE if reopens is None else self._phase_truth(reopens.phase, _bound(reopens)),
            n.STOP_WIN: n.UNBOUNDED if stop.win is None else stop.win,
            n.STOP_LOSS: n.UNBOUNDED if stop.loss is None else stop.loss,
            n.STOP_SHOOTERS: n.UNBOUNDED if stop.shooters is None else stop.shooters,
            n.STOP_ROLLS: n.UNBOUNDED if stop.rolls is None else stop.rolls,
            n.WHEN_DECIDED: int(stop.when_decided),
            n.CAP_ROLLS: self._cap(Rolls(), -1 if stop.rolls is None else stop.rolls),
            n.CAP_SHOOTER_ROLLS: self._cap(ShooterRolls()),
            n.CAP_SHOOTERS: self._cap(Shooters(), -1 if stop.shooters is None else stop.shooters),
            n.RESULT_CLASSES: self._list(self._class_of_each()),
            **self._passing(),
        }
        return [columns[column] for column in range(n.SIGN_PLACES)]

    def _class_of_each(self) -> list[int]:
        classes = self._classes
        if not any(isinstance(condition, ResultIs) for condition in conditions_of(self.strategy)):
            return [0] * len(self.game.book.outcomes)
        return [
            next(i for i, members in enumerate(classes) if o in members) for o in range(len(self.game.book.outcomes))
        ]

    def _passing(self) -> dict[int, int]:
        thrower = self.game.book.rules.thrower
        passes = thrower.passes if thrower is not None else None
        if passes is None:
            return {n.PASS_PHASE: n.NONE, n.PASS_TRUTH: n.NONE, n.PASS_OUTCOMES: n.NONE}
        outcomes, phase = self.game.book.outcomes.matching(passes.on), passes.phase
        return {
            n.PASS_PHASE: n.NONE if phase is None else self._phase(phase.phase),
            n.PASS_TRUTH: n.NONE if phase is None else self._phase_truth(phase.phase, _bound(phase)),
            n.PASS_OUTCOMES: self._truth(o in outcomes for o in range(len(self.game.book.outcomes))),
        }


def _check_followed(settings: Settings) -> None:
    """Refuse a table whose sign the kernels would not follow. Raises Impossible."""
    plain = Settings()
    for name in NOT_FOLLOWED:
        if getattr(settings, name) != getattr(plain, name):
            raise Impossible("table_not_simulated", f"A table with {name} cannot be simulated.")


def _bound(condition: schema.Condition | schema.PhaseIs) -> Callable[[str], bool]:
    return lambda state: holds(condition, state)


def _common(unit: int, wager: schema.Wager, chip: int) -> int:
    """A step that serves both the exact unit and the multiple that the wager asks for."""
    return int(np.lcm(unit, chip * (wager.multiple.chips if wager.multiple else 1)))


def _limited(cents: int) -> int:
    if abs(cents) > MOST_CENTS:
        raise Impossible("amount_too_large", "A stake of more than 10,000,000,000.00 is more than can be simulated.")
    return cents


def _factor(factor: Fraction) -> dict[int, int]:
    if max(abs(factor.numerator), factor.denominator) > MOST_PART:
        raise Impossible("factor_too_fine", f"The factor {factor} is finer than can be simulated.")
    return {n.FACTOR: factor.numerator, n.FACTOR_OVER: factor.denominator}


def _move(move: Move, column: int) -> dict[int, int]:
    part = _factor(move.by) if move.kind in ("times", "add_won") else {n.FACTOR: int(move.by), n.FACTOR_OVER: 1}
    _limited(part[n.FACTOR])
    return {column: MOVES[move.kind], column + 1: part[n.FACTOR], column + 2: part[n.FACTOR_OVER]}


def _table(rows: Sequence[Sequence[int]], columns: int) -> n.Ints:
    return np.array(rows, np.int64).reshape(len(rows), columns)
