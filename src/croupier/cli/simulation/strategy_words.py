"""A strategy in plain sentences: its rules, progressions and end, from what they mean under a book."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

from croupier.cli.simulation.condition_words import ConditionWords, listed, often
from croupier.cli.simulation.quantities import counted
from croupier.money import format_cents
from croupier.rules.machine import Pick
from croupier.sim.strategy import (
    Bet,
    Call,
    Fixed,
    FromProgression,
    Most,
    Move,
    Progression,
    Rule,
    ShareOfChips,
    Stake,
    TimesSpot,
)


class Wording(ConditionWords):
    """Words for a whole strategy under a book."""

    # Rules

    def rules(self) -> Iterator[tuple[int, str]]:
        """The number of each rule, and what it says; one line for all targets of a rule that say the same."""
        for number, rules in groupby(self.strategy.rules, lambda rule: rule.rule):
            for line in self._together(list(rules)):
                yield number, f"{line}."

    def _together(self, rules: list[Rule]) -> list[str]:
        """All targets of a rule in one sentence, where nothing but the pick tells them apart."""
        names = self.spots([rule.spot for rule in rules])
        for said in ({self._rule(rule, names, None) for rule in rules}, {self._rule(rule, names) for rule in rules}):
            if len(said) == 1:
                return list(said)
        return [self._rule(rule, self.spot(rule.spot), None) for rule in rules]

    def _rule(self, rule: Rule, names: str, own: Pick | bool = True) -> str:
        """What a rule says. `own` replaces its own pick by words, so that targets can be put together."""
        pick = rule.spot.pick if own is True else None
        match rule:
            case Bet():
                said = self._bet(rule, names, pick)
            case Call(on=on):
                said = f"Call {names} {'On' if on else 'Off'}"
            case _:
                said = f"Reduce {names} to {self.amount(rule.leave)}" if rule.leave else f"Take down {names}"
        when = [self.condition(condition, pick) for condition in rule.guard.when]
        unless = [self.condition(condition, pick) for condition in rule.guard.unless]
        said += f" when {' and '.join(when)}" if when else ""
        return said + (f", unless {' or '.join(unless)}" if unless else "")

    def _bet(self, rule: Bet, names: str, pick: Pick) -> str:
        stake = self._stake(rule.stake, pick)
        said = f"Bet {'(or raise to) ' if rule.adds else ''}{stake} on {names}"
        said += ", or as much as limits and chips allow" if rule.or_less else ""
        said += ", without waiting for its moment" if rule.insist else ""
        if rule.at_most is not None:
            said += f", {often(rule.at_most)} a {rule.per} at most"
        return said

    def _stake(self, stake: Stake, own: Pick) -> str:
        match stake:
            case Fixed(cents=cents):
                return self.amount(cents)
            case TimesSpot(factor=factor, spot=spot):
                return f"{_factor(factor)}the stake of {self.spot(spot, own)}"
            case ShareOfChips(share=share):
                return f"{float(100 * share):g}% of the chips in hand"
            case Most():
                return "the most that is allowed"
            case FromProgression(factor=factor, progression=place):
                return f"{_factor(factor)}the stake “{self.strategy.progressions[place].id}”"

    # Progressions and the end

    def progressions(self) -> Iterator[tuple[str, str]]:
        """The name of each progression, and how it moves."""
        for progression in self.strategy.progressions:
            yield progression.id, self._progression(progression)

    def _progression(self, progression: Progression) -> str:
        if progression.steps:
            said = f"{', '.join(map(format_cents, progression.steps))}"
        else:
            limits = f"from {format_cents(progression.least)} to {format_cents(progression.most)}"
            said = f"starts at {format_cents(progression.start)}, {limits}"
        spots = self.spots(progression.of, None, "any", "or")
        said += f". A win on {spots} {self._move(progression.win)}, a loss {self._move(progression.loss)}"
        if progression.steps and "next" in (progression.win.kind, progression.loss.kind):
            said += f"; after the last step {'comes the first' if progression.at_end == 'first' else 'it stays there'}"
        return f"{said}{'; it begins anew with each shooter' if progression.per_shooter else ''}."

    def _move(self, move: Move) -> str:
        match move.kind:
            case "next":
                return "goes to the next step"
            case "back":
                return f"goes back {counted(int(move.by), 'step')}"
            case "first":
                return "goes back to the start"
            case "stay":
                return "changes nothing"
            case "add":
                return f"{'adds' if move.by > 0 else 'takes off'} {self.amount(abs(int(move.by)))}"
            case "times":
                return f"multiplies it by {float(move.by):g}"
            case "add_won":
                return f"adds {float(100 * move.by):g}% of what was won"

    def end(self) -> str | None:
        """When the player leaves, where the strategy says so."""
        stop = self.strategy.stop
        moments = [
            *([] if stop.win is None else [f"at {self.amount(stop.win)} up"]),
            *([] if stop.loss is None else [f"at {self.amount(stop.loss)} down"]),
            *([] if stop.shooters is None else [f"after {counted(stop.shooters, 'shooter')}"]),
            *([] if stop.rolls is None else [f"after {counted(stop.rolls, self.throw)}"]),
        ]
        if not moments:
            return None
        how = ", as soon as nothing stands any more" if stop.when_decided else ""
        return f"Leaves {listed(moments, 'or')}{how}."


def _factor(factor: Fraction) -> str:
    return "" if factor == 1 else f"{float(factor):g} x "
