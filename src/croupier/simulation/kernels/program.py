"""Encode a strategy at one table as records: everything that the kernels look up, read from the book once."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np

from croupier.maths.chain import Ending, machine_chain
from croupier.rules import offers, schema
from croupier.rules.book import holds
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.machine import Pick
from croupier.simulation import strategy as plan
from croupier.simulation.kernels import layout as n
from croupier.simulation.kernels import spots as on_felt
from croupier.simulation.kernels.layout import Ints, Tables, records
from croupier.simulation.kernels.spots import Felt, Register, bound, conditions_of
from croupier.simulation.strategy import Bet, Chips, Compare, Most, Net, ShareOfChips, Spot, Strategy
from croupier.table.commands import Settings
from croupier.table.placing import limit_for

# Table settings that the kernels do not support
NOT_FOLLOWED = ("player_maximum", "without", "player_limits", "unit", "manual_dice", "late_bets")
# What the kernels know of a wager. A modifier that is not here would be ignored, so they refuse a wager that has one.
KNOWN = {
    *("id", "name", "clause", "help", "rows", "picks", "sets", "start", "start_by", "start_map", "place", "take"),
    *("taking", "travels", "sleeps", "behind", "commission", "multiple", "fixed_stake", "sole", "adds_up"),
    *("stands_on_void", "optional"),  # no throw of a simulation is void, and no wager is missing at its table
}
MOST_PART = 10**6  # limit on the numerator and the denominator of a factor

THEN = {"stay": n.STAY, "go": n.GO, "lose": n.LOSE, "void": n.VOID, "win": n.WIN}
COMPARISONS = {
    "is": n.IS,
    "is not": n.IS_NOT,
    "at least": n.AT_LEAST,
    "at most": n.AT_MOST,
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
FROM_SESSION = {
    plan.Rolls: n.OF_ROLLS,
    plan.ShooterRolls: n.OF_SHOOTER_ROLLS,
    plan.Shooters: n.OF_SHOOTERS,
    plan.Chips: n.CHIPS_IN_HAND,
    plan.Net: n.NET_RESULT,
}


class Program:
    """A strategy ready to run: its tables, its felt and refusals, and the initial state of a session."""

    def __init__(self, game: Game, settings: Settings, strategy: Strategy) -> None:
        _check_followed(settings)
        self.game = game
        self.settings = settings
        self.strategy = strategy
        self.felt = Felt(game, strategy)
        for spot in self.felt.spots:
            _check_known(self.felt.wager(spot))
        self._register = Register(self.felt)
        self._book = _BookTables(self.felt, settings, self._register)
        self._endings: dict[tuple[str, Pick], dict[str, dict[Ending, Fraction]]] = {}
        self.worth = [self._worth(row) for row in self.felt.rows]
        self.tables = self._tables()
        self.refusals = self._register.refusals
        self.start = self._start()

    def no_counts(self) -> n.Counts:
        """Counts of a block that are all zero."""
        return n.no_counts(self.tables, len(self.refusals))

    def totals(self, numbers: Sequence[int]) -> n.Totals:
        """Counts that a tally added up, by name."""
        return n.totals_of(self.tables, len(self.refusals), numbers)

    def no_effects(self) -> n.Records[n.Effect]:
        """Scratch memory for the effects of a throw."""
        return n.blanks(n.Effect, len(self.felt.spots))

    def _worth(self, row: on_felt.Row) -> Fraction:
        """The expected net per unit staked from this row on, commission included; a returned wager counts as zero.

        It is exact, and ignores the rounding of wins up to the chip.
        """
        rate = offers.commission_rate(self.game, self.game.wager(row.machine.wager), row.machine.pick, row.state)
        key = (row.machine.wager, row.machine.pick)
        if key not in self._endings:
            self._endings[key] = machine_chain(row.machine).endings()
        endings = self._endings[key][row.state].items()
        return sum((chance * (end.net - (rate if end.then != "void" else 0)) for end, chance in endings), Fraction(0))

    # Dependence on money

    @property
    def asks_for_money(self) -> bool:
        """Whether its actions depend on money, even if chips never run out."""
        return self.asks_for_chips or self._compares(Net) or any(map(self._may_lay_all, self.strategy.rules))

    @property
    def asks_for_chips(self) -> bool:
        """Whether it depends on the chips in hand, and so needs a bankroll."""
        return self._compares(Chips) or any(self._depends_on_chips(rule) for rule in self.strategy.rules)

    def _compares(self, kind: type) -> bool:
        return any(isinstance(c, Compare) and isinstance(c.subject, kind) for c in conditions_of(self.strategy))

    def _depends_on_chips(self, rule: plan.Rule) -> bool:
        if not isinstance(rule, Bet):
            return False
        if isinstance(rule.stake, ShareOfChips):
            return True
        return self._may_lay_all(rule) and self.felt.wager(rule.spot).stands_alone

    def _may_lay_all(self, rule: plan.Rule) -> bool:
        """Whether "most" may mean all chips in hand: without a limit, or while its flat wager is missing."""
        if not isinstance(rule, Bet) or not isinstance(rule.stake, Most):
            return False
        wager = self.felt.wager(rule.spot)
        limited = wager.has_one_amount or self._book.limit(rule.spot)[1] is not None
        return not limited and (wager.stands_alone or rule.insist)

    # The tables

    def _tables(self) -> Tables:
        book, strategy = self._book, _StrategyTables(self.felt, self._register)
        sign = n.blank(n.Sign)
        sign.groups = len(self.felt.groups)
        book.write_on(sign)
        strategy.write_on(sign)
        return Tables(
            sign=sign,
            slots=records(n.Slot, book.slots),
            rows=records(n.Row, [book.row(row) for row in self.felt.rows]),
            entries=book.entries(),
            phases=book.phases(),
            moments=records(n.Moment, book.moments),
            rules=records(n.Rule, strategy.rules),
            conditions=records(n.Condition, strategy.conditions),
            counters=records(n.Counter, [strategy.counter(subject) for subject in strategy.counters]),
            progressions=records(n.Progression, strategy.progressions),
            lists=np.array([*self._register.lists, 0], np.int64),
            truths=self._register.truth_tables(),
            worth=np.array([float(worth) for worth in self.worth], np.float64),
        )

    def _start(self) -> Ints:
        """The state of a session before its first rule."""
        tables = self.tables
        state = np.zeros(n.state_size(tables), np.int64)
        session = n.session_of(tables, state, n.blank(n.Money), self.no_effects())
        for p, phase in enumerate(self.felt.phases):
            session.phases[p] = self._register.phase_states[p].index(self.game.book.phases[phase].start)
        for q, progression in enumerate(self.strategy.progressions):
            session.progressions[q] = 0 if progression.steps else progression.start
        session.progress.shooters = min(1, tables.sign.cap_shooters)
        return state


def _check_followed(settings: Settings) -> None:
    """Refuse a table with settings that the kernels do not support. Raises Impossible."""
    plain = Settings()
    for name in NOT_FOLLOWED:
        if getattr(settings, name) != getattr(plain, name):
            raise Impossible("table_not_simulated", f"A table with {name} cannot be simulated.")


def _check_known(wager: schema.Wager) -> None:
    """Refuse a wager with a modifier that the kernels do not know. Raises Impossible."""
    for field in msgspec.structs.fields(wager):
        if field.name not in KNOWN and getattr(wager, field.name) != field.default:
            say = f"{wager.name} cannot be simulated: its rule {field.name} is not supported."
            raise Impossible("wager_not_simulated", say, wager.clause)


class _BookTables:
    """What the book and the table's sign say: slots, rows, entries, phases and moments."""

    def __init__(self, felt: Felt, settings: Settings, register: Register) -> None:
        self.felt = felt
        self.settings = settings
        self.register = register
        self.moments: list[n.Moment] = []
        self.slots = [self._slot(spot) for spot in felt.spots]

    def entries(self) -> n.RecordGrid[n.Entry]:
        """The effect of every outcome in every row."""
        rows = [
            [self._entry(row, place, outcome) for outcome in range(len(self.felt.game.book.outcomes))]
            for place, row in enumerate(self.felt.rows)
        ]
        made: Any = np.array(rows, n.dtype_of(n.Entry))
        return made

    def phases(self) -> Ints:
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

    def _slot(self, spot: Spot) -> n.Slot:
        felt, register = self.felt, self.register
        wager, pick, refusal = felt.wager(spot), felt.own_pick(spot), register.refusal
        amount, units = offers.one_amount(wager, self.settings), wager.units_clause
        low, high = self.limit(spot)
        place, take = self._conditions(wager.place, pick), self._conditions(wager.take, pick)
        phase, sleeps = offers.start_phase(wager, pick), wager.sleep_phase
        asleep = n.NONE
        if sleeps is not None:
            asleep = register.phase_truth(sleeps, lambda state: offers.sleeps_now(wager, {sleeps: state}))
        return n.Slot(
            start_phase=n.NONE if phase is None else register.phase(phase),
            starts=self._starts(spot),
            place=place[0],
            places=place[1],
            take=take[0],
            takes=take[1],
            may_grow=wager.adds_up,
            one_pick_of=list(felt.game.book.wagers).index(wager.id) if wager.has_one_holder else n.NONE,
            lowest=low,
            highest=n.NONE if high is None else high,
            one_amount=n.NONE if amount is None else amount,
            step=self.settings.chip * wager.fewest_chips,
            sleep_phase=n.NONE if sleeps is None else register.phase(sleeps),
            sleep_truth=asleep,
            group=felt.groups.index(Spot(spot.wager, pick)),
            declared_already=refusal("declared_already", wager.pick_clause) if wager.has_one_holder else n.NONE,
            one_wager_only=refusal("one_wager_only", wager.one_amount_clause),
            locked=refusal("wager_locked", wager.growing_clause),
            not_in_steps=n.NONE if units is None else refusal("amount_not_in_units", units),
            not_the_amount=(
                n.NONE if amount is None else refusal("stake_not_the_fixed_amount", wager.one_amount_clause)
            ),
            flat_missing=refusal("flat_wager_missing", wager.behind.clause) if wager.behind else n.NONE,
            above_flat_limit=(
                refusal("stake_above_behind_limit", wager.behind.limit_clause) if wager.behind else n.NONE
            ),
            cannot_be_called=refusal("cannot_be_called", felt.game.book.call_clause),
            too_few_for_commission=(
                refusal("not_enough_chips", wager.commission_clause) if wager.takes_commission else n.NONE
            ),
        )

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
        first, register = len(self.moments), self.register
        for condition in conditions:
            refusal = register.refusal(condition.code, condition.clause)
            phase = offers.phase_of(condition, pick)
            if phase is None:
                truth = register.truth(holds(condition, row.state) for row in self.felt.rows)
                self.moments.append(n.Moment(n.NONE, truth, refusal))
            else:
                truth = register.phase_truth(phase, bound(condition))
                self.moments.append(n.Moment(register.phase(phase), truth, refusal))
        return first, len(conditions)

    def row(self, row: on_felt.Row) -> n.Row:
        """Encode a state of a wager's machine."""
        game, pick = self.felt.game, row.machine.pick
        wager = game.wager(row.machine.wager)
        rate = offers.commission_rate(game, wager, pick, row.state)
        best = offers.best_odds(game, wager, pick, row.state)
        unit = offers.unit_chips(game, wager, pick, row.state, True) * self.settings.chip
        flat, flat_row = self._flat(wager.flat, row.state)
        return n.Row(
            slot=self.felt.place[row.spot],
            unit=unit if self.settings.exact_units else 0,
            rate=rate.numerator,
            rate_over=rate.denominator,
            flat_slot=self.felt.place.get(flat, n.NONE),
            flat_row=flat_row,
            limited_by={None: 0, "stake": n.OF_STAKE, "winnings": n.OF_WINNINGS}[
                wager.behind.of if wager.behind else None
            ],
            times=wager.behind.times if wager.behind else 0,
            best=best.numerator,
            best_over=best.denominator,
            odds_over=row.over,
        )

    def _flat(self, flat: str | None, state: str) -> tuple[Spot, int]:
        """The spot and row of the flat wager required behind this state; NONE if there is none."""
        row = self.felt.row.get((flat, None, state)) if flat is not None else None
        return (Spot(""), n.NONE) if row is None else (self.felt.rows[row].spot, row)

    def _entry(self, row: on_felt.Row, place: int, outcome: int) -> n.Entry:
        entry = row.entries[outcome]
        to = self.felt.row[row.machine.wager, row.machine.pick, entry.next] if entry.then == "go" else place
        return n.Entry(THEN[entry.then], to, int(entry.odds * row.over))

    def write_on(self, sign: n.Sign) -> None:
        """Write the values for the whole table: chips, limits, when bets are open, when the dice pass."""
        rules, register, refusal = self.felt.game.book.rules, self.register, self.register.refusal
        sign.chip, sign.exact_units = self.settings.chip, self.settings.exact_units
        sign.not_in_chips = refusal("amount_not_in_chips", rules.limits.chips)
        sign.not_in_units = refusal("amount_not_in_units", rules.limits.unit)
        sign.above_maximum = refusal("stake_above_maximum", rules.limits.maximum)
        sign.below_minimum = refusal("stake_below_minimum", rules.limits.minimum)
        sign.not_enough_chips = refusal("not_enough_chips", rules.limits.chips)
        sign.not_positive = refusal("amount_not_positive", rules.limits.chips)
        reopens = rules.betting.reopens if rules.betting is not None else None
        sign.open_phase, sign.open_truth = self._when(reopens)
        passes = rules.thrower.passes if rules.thrower is not None else None
        sign.pass_phase, sign.pass_truth = self._when(passes.phase if passes is not None else None)
        sign.pass_outcomes = n.NONE
        if passes is not None:
            outcomes = self.felt.game.book.outcomes
            passing = outcomes.matching(passes.on)
            sign.pass_outcomes = register.truth(o in passing for o in range(len(outcomes)))

    def _when(self, condition: schema.PhaseIs | None) -> tuple[int, int]:
        """The phase of a condition and its truth table; NONE if there is no condition."""
        if condition is None:
            return n.NONE, n.NONE
        return self.register.phase(condition.phase), self.register.phase_truth(condition.phase, bound(condition))


class _StrategyTables:
    """What the strategy says: rules, conditions, counters, progressions, and when the player leaves."""

    def __init__(self, felt: Felt, register: Register) -> None:
        self.felt = felt
        self.strategy = felt.strategy
        self.register = register
        self.conditions: list[n.Condition] = []
        self.counters: dict[plan.Streak | plan.Hits, int] = {}
        self.rules = [self._rule(rule) for rule in self.strategy.rules]
        self.progressions = [self._progression(each) for each in self.strategy.progressions]

    def _rule(self, rule: plan.Rule) -> n.Rule:
        first = len(self.conditions)
        for wanted, conditions in ((True, rule.guard.when), (False, rule.guard.unless)):
            self.conditions.extend(self._condition(condition, wanted) for condition in conditions)
        where = (self.felt.place[rule.spot], first, len(self.conditions) - first)
        match rule:
            case plan.Take():
                return n.Rule(n.TAKE_DOWN, *where, leave=rule.leave)
            case plan.Call():
                return n.Rule(n.CALL_OUT, *where, on=rule.on)
        limited = rule.at_most is not None
        return n.Rule(
            n.BET,
            *where,
            *self._stake(rule.stake),
            adds=rule.adds,
            or_less=rule.or_less,
            insist=rule.insist,
            at_most=n.NONE if rule.at_most is None else rule.at_most,
            per_shooter=limited and rule.per == "shooter",
        )

    def _stake(self, stake: plan.Stake) -> tuple[int, int, int, int]:
        """The kind of a stake, its factor as a fraction, and the slot or progression that it refers to."""
        match stake:
            case plan.Fixed(cents=cents):
                return n.OF_FIXED, _limited(cents), 1, 0
            case plan.TimesSpot(factor=factor, spot=spot):
                return n.OF_SPOT, *_factor(factor), self.felt.place[spot]
            case plan.ShareOfChips(share=share):
                return n.OF_CHIPS, *_factor(share), 0
            case plan.Most():
                return n.OF_MOST, 0, 0, 0
            case plan.FromProgression(factor=factor, progression=progression):
                return n.OF_PROGRESSION, *_factor(factor), progression

    def _condition(self, condition: plan.Condition, wanted: bool) -> n.Condition:
        register = self.register
        match condition:
            case plan.PhaseIs(phase=phase, states=states):
                truth = register.phase_truth(phase, states.__contains__)
                return n.Condition(n.A_PHASE, register.phase(phase), truth, 0, 0, wanted)
            case plan.ResultIs(outcomes=outcomes):
                truth = register.truth(bool(members & outcomes) for members in self._classes)
                return n.Condition(n.A_RESULT, 0, truth, 0, 0, wanted)
            case plan.Compare(subject=subject, comparison=comparison, value=value):
                return n.Condition(*self._subject(subject), COMPARISONS[comparison], value, wanted)

    def _subject(self, subject: plan.Subject) -> tuple[int, int, int]:
        """What a condition is about, which phase or counter, and its truth table."""
        match subject:
            case plan.Count(spots=spots):
                return n.A_COUNT, 0, self.register.over_slots(spots)
            case plan.Streak() | plan.Hits():
                return n.A_COUNTER, self.counters.setdefault(subject, len(self.counters)), 0
        return FROM_SESSION[type(subject)], 0, 0

    def _cap(self, subject: plan.Subject, least: int | None = None) -> int:
        """A cap: values above the largest that any condition compares with need not be distinguished."""
        compared = [c.value for c in conditions_of(self.strategy) if isinstance(c, Compare) and c.subject == subject]
        return max([-1 if least is None else least, *compared]) + 1

    def counter(self, subject: plan.Streak | plan.Hits) -> n.Counter:
        """Encode a streak or a number of hits."""
        what = n.HITS if isinstance(subject, plan.Hits) else n.WINS if subject.won else n.LOSSES
        return n.Counter(what, self.register.over_slots(subject.spots), self._cap(subject))

    @property
    def _classes(self) -> list[frozenset[int]]:
        """Classes of outcomes that no condition on the last result distinguishes; the first is for no throw yet."""
        asked = [c.outcomes for c in conditions_of(self.strategy) if isinstance(c, plan.ResultIs)]
        classes: dict[tuple[bool, ...], set[int]] = {}
        for outcome in range(len(self.felt.game.book.outcomes)):
            classes.setdefault(tuple(outcome in outcomes for outcomes in asked), set()).add(outcome)
        return [frozenset(), *map(frozenset, classes.values())]

    def _class_of_each(self) -> list[int]:
        outcomes = range(len(self.felt.game.book.outcomes))
        if not any(isinstance(condition, plan.ResultIs) for condition in conditions_of(self.strategy)):
            return [0 for _ in outcomes]
        classes = self._classes
        return [next(i for i, members in enumerate(classes) if o in members) for o in outcomes]

    def _progression(self, progression: plan.Progression) -> n.Progression:
        steps = self.register.series(map(_limited, progression.steps)) if progression.steps else n.NONE
        return n.Progression(
            self.register.over_slots(progression.of),
            steps,
            len(progression.steps),
            progression.at_end == "first",
            _limited(progression.start),
            _limited(progression.least),
            _limited(progression.most or plan.MOST_CENTS),
            progression.per_shooter,
            *_move(progression.win),
            *_move(progression.loss),
        )

    def write_on(self, sign: n.Sign) -> None:
        """Write when the player leaves, and the caps of all counters."""
        stop = self.strategy.stop
        sign.stop_win = n.UNBOUNDED if stop.win is None else stop.win
        sign.stop_loss = n.UNBOUNDED if stop.loss is None else stop.loss
        sign.stop_shooters = n.UNBOUNDED if stop.shooters is None else stop.shooters
        sign.stop_rolls = n.UNBOUNDED if stop.rolls is None else stop.rolls
        sign.when_decided = stop.when_decided
        sign.cap_rolls = self._cap(plan.Rolls(), stop.rolls)
        sign.cap_shooter_rolls = self._cap(plan.ShooterRolls())
        sign.cap_shooters = self._cap(plan.Shooters(), stop.shooters)
        sign.result_classes = self.register.series(self._class_of_each())


def _limited(cents: int) -> int:
    if abs(cents) > plan.MOST_CENTS:
        say = f"A stake of more than {plan.MOST_MONEY} is too large to be simulated."
        raise Impossible("amount_too_large", say)
    return cents


def _factor(factor: Fraction) -> tuple[int, int]:
    if max(abs(factor.numerator), factor.denominator) > MOST_PART:
        raise Impossible("factor_too_fine", f"The factor {factor} is too fine to be simulated.")
    return factor.numerator, factor.denominator


def _move(move: plan.Move) -> tuple[int, int, int]:
    """The kind of a move and its size: a fraction, or steps or cents."""
    by, over = _factor(move.by) if move.kind in ("times", "add_won") else (int(move.by), 1)
    return MOVES[move.kind], _limited(by), over
