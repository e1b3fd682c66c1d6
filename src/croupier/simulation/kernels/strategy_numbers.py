"""The numbers of a strategy: its rules, conditions, counters and progressions, and when the player leaves."""

from __future__ import annotations

from fractions import Fraction

from croupier.rules.errors import Impossible
from croupier.simulation import strategy as plan
from croupier.simulation.kernels import numbers as n
from croupier.simulation.kernels.numbers import table
from croupier.simulation.kernels.spots import Felt, Register, conditions_of

MOST_PART = 10**6  # limit on the numerator and the denominator of a factor

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


class StrategyNumbers:
    """Rules, conditions, counters and progressions, and the player's stops."""

    def __init__(self, felt: Felt, register: Register) -> None:
        self.felt = felt
        self.strategy = felt.strategy
        self.register = register
        self._conditions: list[list[int]] = []
        self._counters: dict[plan.Streak | plan.Hits, int] = {}
        self.rules = table([self._rule(rule) for rule in self.strategy.rules], n.RULE_COLUMNS)
        self.conditions = table(self._conditions, n.CONDITION_COLUMNS)
        self.counters = table([self._counter(subject) for subject in self._counters], n.COUNTER_COLUMNS)
        moves = [self._progression(each) for each in self.strategy.progressions]
        self.progressions = table(moves, n.PROGRESSION_COLUMNS)

    def _rule(self, rule: plan.Rule) -> list[int]:
        columns = dict.fromkeys(range(n.RULE_COLUMNS), 0)
        columns[n.AT] = self.felt.place[rule.spot]
        columns[n.AT_MOST] = n.NONE
        columns[n.IF] = len(self._conditions)
        for wanted, conditions in ((1, rule.guard.when), (0, rule.guard.unless)):
            self._conditions.extend([*self._condition(condition), wanted] for condition in conditions)
        columns[n.IFS] = len(self._conditions) - columns[n.IF]
        match rule:
            case plan.Bet():
                columns[n.OP] = n.BET
                columns |= self._stake(rule.stake)
                columns[n.ADDS], columns[n.OR_LESS] = int(rule.adds), int(rule.or_less)
                columns[n.INSIST] = int(rule.insist)
                if rule.at_most is not None:
                    columns[n.AT_MOST], columns[n.PER_SHOOTER] = rule.at_most, int(rule.per == "shooter")
            case plan.Take():
                columns[n.OP], columns[n.LEAVE] = n.TAKE_DOWN, rule.leave
            case plan.Call():
                columns[n.OP], columns[n.ON] = n.CALL_OUT, int(rule.on)
        return [columns[column] for column in range(n.RULE_COLUMNS)]

    def _stake(self, stake: plan.Stake) -> dict[int, int]:
        match stake:
            case plan.Fixed(cents=cents):
                return {n.STAKE_KIND: n.OF_FIXED, n.FACTOR: _limited(cents), n.FACTOR_OVER: 1}
            case plan.TimesSpot(factor=factor, spot=spot):
                return {n.STAKE_KIND: n.OF_SPOT, n.REF: self.felt.place[spot], **_factor(factor)}
            case plan.ShareOfChips(share=share):
                return {n.STAKE_KIND: n.OF_CHIPS, **_factor(share)}
            case plan.Most():
                return {n.STAKE_KIND: n.OF_MOST}
            case plan.FromProgression(factor=factor, progression=progression):
                return {n.STAKE_KIND: n.OF_PROGRESSION, n.REF: progression, **_factor(factor)}

    def _condition(self, condition: plan.Condition) -> list[int]:
        """The columns of a condition, except WANTED."""
        match condition:
            case plan.PhaseIs(phase=phase, states=states):
                return [
                    n.A_PHASE,
                    self.register.phase(phase),
                    self.register.phase_truth(phase, states.__contains__),
                    0,
                    0,
                ]
            case plan.ResultIs(outcomes=outcomes):
                return [n.A_RESULT, 0, self.register.truth(bool(c & outcomes) for c in self._classes), 0, 0]
            case plan.Compare(subject=subject, comparison=comparison, value=value):
                about, what, truth = self._subject(subject)
                return [about, what, truth, COMPARISONS[comparison], value]

    def _subject(self, subject: object) -> tuple[int, int, int]:
        match subject:
            case plan.Count(spots=spots):
                return n.A_COUNT, 0, self.register.over_slots(spots)
            case plan.Streak() | plan.Hits():
                return n.A_COUNTER, self._counters.setdefault(subject, len(self._counters)), 0
            case plan.Rolls():
                return n.OF_ROLLS, 0, 0
            case plan.ShooterRolls():
                return n.OF_SHOOTER_ROLLS, 0, 0
            case plan.Shooters():
                return n.OF_SHOOTERS, 0, 0
            case plan.Chips():
                return n.CHIPS_IN_HAND, 0, 0
        return n.NET_RESULT, 0, 0

    def _cap(self, subject: object, least: int = -1) -> int:
        """A cap: values above the largest that any condition compares with need not be distinguished."""
        compared = [
            c.value for c in conditions_of(self.strategy) if isinstance(c, plan.Compare) and c.subject == subject
        ]
        return max([least, *compared]) + 1

    def _counter(self, subject: plan.Streak | plan.Hits) -> list[int]:
        what = n.HITS if isinstance(subject, plan.Hits) else n.WINS if subject.won else n.LOSSES
        return [what, self.register.over_slots(subject.spots), self._cap(subject)]

    @property
    def _classes(self) -> list[frozenset[int]]:
        """Classes of outcomes that no condition on the last result distinguishes; the first is for no throw yet."""
        asked = [c.outcomes for c in conditions_of(self.strategy) if isinstance(c, plan.ResultIs)]
        classes: dict[tuple[bool, ...], set[int]] = {}
        for outcome in range(len(self.felt.game.book.outcomes)):
            classes.setdefault(tuple(outcome in outcomes for outcomes in asked), set()).add(outcome)
        return [frozenset(), *map(frozenset, classes.values())]

    def _progression(self, progression: plan.Progression) -> list[int]:
        columns = {
            n.MOVED_BY: self.register.over_slots(progression.of),
            n.STEP: self.register.series(map(_limited, progression.steps)) if progression.steps else n.NONE,
            n.STEPS: len(progression.steps),
            n.ENDS_FIRST: int(progression.at_end == "first"),
            n.START: _limited(progression.start),
            n.LEAST: _limited(progression.least),
            n.MOST: _limited(progression.most or plan.MOST_CENTS),
            n.RESTARTS: int(progression.per_shooter),
            **_move(progression.win, n.ON_WIN),
            **_move(progression.loss, n.ON_LOSS),
        }
        return [columns[column] for column in range(n.PROGRESSION_COLUMNS)]

    def _class_of_each(self) -> list[int]:
        classes = self._classes
        if not any(isinstance(condition, plan.ResultIs) for condition in conditions_of(self.strategy)):
            return [0] * len(self.felt.game.book.outcomes)
        return [
            next(i for i, members in enumerate(classes) if o in members)
            for o in range(len(self.felt.game.book.outcomes))
        ]

    def sign(self) -> dict[int, int]:
        """When the player leaves, and the caps of all counters."""
        stop = self.strategy.stop
        return {
            n.STOP_WIN: n.UNBOUNDED if stop.win is None else stop.win,
            n.STOP_LOSS: n.UNBOUNDED if stop.loss is None else stop.loss,
            n.STOP_SHOOTERS: n.UNBOUNDED if stop.shooters is None else stop.shooters,
            n.STOP_ROLLS: n.UNBOUNDED if stop.rolls is None else stop.rolls,
            n.WHEN_DECIDED: int(stop.when_decided),
            n.CAP_ROLLS: self._cap(plan.Rolls(), -1 if stop.rolls is None else stop.rolls),
            n.CAP_SHOOTER_ROLLS: self._cap(plan.ShooterRolls()),
            n.CAP_SHOOTERS: self._cap(plan.Shooters(), -1 if stop.shooters is None else stop.shooters),
            n.RESULT_CLASSES: self.register.series(self._class_of_each()),
        }


def _limited(cents: int) -> int:
    if abs(cents) > plan.MOST_CENTS:
        say = f"A stake of more than {plan.MOST_MONEY} is more than can be simulated."
        raise Impossible("amount_too_large", say)
    return cents


def _factor(factor: Fraction) -> dict[int, int]:
    if max(abs(factor.numerator), factor.denominator) > MOST_PART:
        raise Impossible("factor_too_fine", f"The factor {factor} is finer than can be simulated.")
    return {n.FACTOR: factor.numerator, n.FACTOR_OVER: factor.denominator}


def _move(move: plan.Move, column: int) -> dict[int, int]:
    part = _factor(move.by) if move.kind in ("times", "add_won") else {n.FACTOR: int(move.by), n.FACTOR_OVER: 1}
    _limited(part[n.FACTOR])
    return {column: MOVES[move.kind], column + 1: part[n.FACTOR], column + 2: part[n.FACTOR_OVER]}
