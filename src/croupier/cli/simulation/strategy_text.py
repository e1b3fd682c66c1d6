"""A strategy in plain sentences: wagers, amounts, conditions, rules, progressions and stops, as a book applies them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from croupier.cli.simulation.plots import counted, measured
from croupier.money import format_cents
from croupier.rules.book import shown_value
from croupier.rules.game import Game
from croupier.rules.machine import Pick, show_pick
from croupier.rules.outcomes import OutcomeError
from croupier.simulation.strategy import (
    Bet,
    Call,
    Chips,
    Compare,
    Comparison,
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
    TimesSpot,
)

OWN = "that number"  # the pick in a rule that covers several
MOST_RESULTS = 8  # listed one by one
FINEST = 10  # the largest denominator for fractions of units
SHOOTERS: dict[Comparison, str] = {
    "is": "number {}",
    "is not": "not number {}",
    "at least": "number {} or later",
    "at most": "number {} or earlier",
    "above": "after number {}",
    "below": "before number {}",
}
ALIKE = ("pair", "triple")  # terms common to all dice games
COMPARED: dict[Comparison, str] = {
    "is": "exactly ",
    "is not": "not exactly ",
    "at least": "at least ",
    "at most": "at most ",
    "above": "more than ",
    "below": "fewer than ",
}


class ConditionWords:
    """Words for the conditions of a strategy."""

    def __init__(self, game: Game, strategy: Strategy) -> None:
        self.game = game
        self.strategy = strategy
        thrower = game.book.rules.thrower
        self.has_shooters = thrower is not None and thrower.passes is not None
        self.throw = game.book.rules.throw.command

    def amount(self, cents: int) -> str:
        """Return money and the number of units; money alone if that is not a simple number of units."""
        units = Fraction(cents, self.strategy.unit)
        if units.denominator > FINEST:
            return format_cents(cents)
        return f"{format_cents(cents)} ({measured(f'{float(units):g}', 'unit')})"

    # Spots

    def spot(self, spot: Spot, own: Pick = None) -> str:
        """Return a wager with its pick."""
        name = self.game.wager(spot.wager).name
        return f"{name} on {OWN}" if own is not None and spot.pick == own else f"{name} {show_pick(spot.pick)}".rstrip()

    def spots(self, spots: Sequence[Spot], own: Pick = None, every: str = "every", word: str = "and") -> str:
        """Return several wagers, grouped by kind; all picks of a kind become `every` one."""
        if own is not None and len(spots) == 1:
            return self.spot(spots[0], own)
        parts = []
        for wager_id, group in groupby(spots, lambda spot: spot.wager):
            wager, picks = self.game.wager(wager_id), [spot.pick for spot in group]
            whole = len(picks) > 1 and len(picks) >= len(wager.picks or picks)
            named = listed([show_pick(pick) or "in its box" for pick in picks], word) if picks != [None] else ""
            parts.append(f"{every} {wager.name}" if whole else f"{wager.name} {named}".rstrip())
        return listed(parts, word)

    # Conditions

    def condition(self, condition: Condition, own: Pick) -> str:
        """Return a condition in words; `own` is the pick to be named as the rule's own."""
        match condition:
            case PhaseIs(phase=phase, states=states):
                return f"the {phase} is {self._states(phase, states, own)}"
            case ResultIs(outcomes=outcomes):
                return f"the last result was {self._results(outcomes)}"
            case Compare():
                return self._comparison(condition, own)

    def _states(self, phase_id: str, states: frozenset[str], own: Pick) -> str:
        """Return states as a strategy would write them: off, on, a value shown, or the states by name."""
        shows = self.game.book.phases[phase_id].shows
        every = {state: shown_value(shows, state) for state in self.game.book.phase_machines[phase_id].table}
        for word, shown in (("off", False), ("on", True)):
            if states == {state for state, value in every.items() if (value is not None) == shown}:
                return word
        turned_round = len(states) > len(every) / 2
        told = [state for state in every if (state in states) != turned_round]
        words = [OWN if own is not None and every[s] == own else str(every[s] or s) for s in told]
        return f"{'not ' if turned_round else ''}{listed(words, 'or')}"

    def _results(self, outcomes: frozenset[int]) -> str:
        """Return results by the book's name, by totals, or one by one; by their complement where that is shorter."""
        book = self.game.book.outcomes
        others = frozenset(range(len(book))) - outcomes
        for wanted, turn in ((outcomes, ""), (others, "not ")):
            names = {name: name for name in book.named} | {name: f"a {name}" for name in ALIKE}
            for name, words in names.items():
                if self._matching(name) == wanted:
                    return f"{turn}{words}"
            totals = self._totals(wanted)
            if totals and len(totals) <= MOST_RESULTS:
                return f"{turn}a total of {listed(list(map(str, totals)), 'or')}"
        told = [" ".join(map(str, book.all[place])) for place in sorted(outcomes)]
        rest = len(told) - MOST_RESULTS
        return listed([*told[:MOST_RESULTS], *([counted(rest, "other")] if rest > 0 else [])], "or")

    def _matching(self, description: str) -> frozenset[int] | None:
        try:
            return self.game.book.outcomes.matching(description)
        except OutcomeError:
            return None

    def _totals(self, outcomes: frozenset[int]) -> list[int]:
        """Return the totals that these results make up completely, if they do."""
        sums: dict[int, set[int]] = {}
        for place, faces in enumerate(self.game.book.outcomes.all):
            numbers = [face for face in faces if isinstance(face, int)]
            if len(numbers) == len(faces):
                sums.setdefault(sum(numbers), set()).add(place)
        found = [total for total, places in sums.items() if places & outcomes]
        return sorted(found) if frozenset().union(*(sums[total] for total in found)) == outcomes else []

    def _comparison(self, condition: Compare, own: Pick) -> str:
        match condition.subject:
            case Count(spots=spots):
                return self._standing(condition, spots, own)
            case Streak(spots=spots, won=won):
                return self._in_a_row(condition, self._any(spots, own), "won" if won else "lost")
            case Hits(spots=spots):
                since = "since the shooter began" if self.has_shooters else "in the session"
                return f"{self._won(condition, self._any(spots, own))} {since}"
            case Rolls():
                return f"the session has seen {COMPARED[condition.comparison]}{counted(condition.value, self.throw)}"
            case ShooterRolls():
                return f"the shooter has made {COMPARED[condition.comparison]}{counted(condition.value, self.throw)}"
            case Shooters():
                return f"the shooter is {SHOOTERS[condition.comparison].format(f'{condition.value:,}')}"
            case Chips():
                return f"the chips in hand are {self._money(condition)}"
            case Net():
                return f"the result is {self._money(condition)}"

    def _won(self, condition: Compare, names: str) -> str:
        if (condition.comparison, condition.value) == ("is", 0):
            return f"no {names.removeprefix('any ')} has won"
        words = "less than " if condition.comparison == "below" else COMPARED[condition.comparison]
        return f"{names} has won {words}{often(condition.value)}"

    def _in_a_row(self, condition: Compare, names: str, done: str) -> str:
        match condition.comparison, condition.value:
            case ("is", 0) | ("below", 1):
                return f"{names} has not just {done}"
            case ("at least", 1) | ("above", 0):
                return f"{names} has just {done}"
        return f"{names} has {done} {COMPARED[condition.comparison]}{condition.value:,} in a row"

    def _any(self, spots: Sequence[Spot], own: Pick) -> str:
        return self.spots(spots, own, "any", "or")

    def _standing(self, condition: Compare, spots: Sequence[Spot], own: Pick) -> str:
        names = self._any(spots, own).removeprefix("any ")
        match condition.comparison, condition.value:
            case "at least", 1:
                return f"{names} stands"
            case "is", 0:
                return f"no {names} stands"
        wagers = "wager stands" if condition.value == 1 else "wagers stand"
        return f"{COMPARED[condition.comparison]}{condition.value:,} {names} {wagers}"

    def _money(self, condition: Compare) -> str:
        words = {"above": "above ", "below": "below "}.get(condition.comparison, COMPARED[condition.comparison])
        return f"{words}{self.amount(condition.value)}"


def often(count: int) -> str:
    """Return once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def listed(words: list[str], last: str) -> str:
    """Join words into a list, with a conjunction before the last."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


# -- sentences --------------------------------------------------------------------------------------------------------


class Wording(ConditionWords):
    """Words for a whole strategy under a book."""

    # Rules

    def rules(self) -> Iterator[tuple[int, str]]:
        """Yield the number and text of each rule; targets with the same text share a line."""
        for number, rules in groupby(self.strategy.rules, lambda rule: rule.rule):
            for line in self._together(list(rules)):
                yield number, f"{line}."

    def _together(self, rules: list[Rule]) -> list[str]:
        """Put all targets of a rule into one sentence if they differ only in their picks."""
        names = self.spots([rule.spot for rule in rules])
        for said in ({self._rule(rule, names, None) for rule in rules}, {self._rule(rule, names) for rule in rules}):
            if len(said) == 1:
                return list(said)
        return [self._rule(rule, self.spot(rule.spot), None) for rule in rules]

    def _rule(self, rule: Rule, names: str, own: Pick | bool = True) -> str:
        """Return the text of a rule. `own` replaces the pick with words, so that targets can be merged."""
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
        said += ", even while the book does not allow it" if rule.insist else ""
        if rule.at_most is not None:
            said += f", at most {often(rule.at_most)} per {rule.per}"
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
                return "the maximum allowed"
            case FromProgression(factor=factor, progression=place):
                return f"{_factor(factor)}the stake “{self.strategy.progressions[place].id}”"

    # Progressions and stops

    def progressions(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each progression, and how it moves."""
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
            said += f"; after the last step it {'starts again' if progression.at_end == 'first' else 'stays there'}"
        return f"{said}{'; it restarts with each shooter' if progression.per_shooter else ''}."

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
        """Return when the player leaves, if the strategy says so."""
        stop = self.strategy.stop
        moments = [
            *([] if stop.win is None else [f"with a profit of {self.amount(stop.win)}"]),
            *([] if stop.loss is None else [f"with a loss of {self.amount(stop.loss)}"]),
            *([] if stop.shooters is None else [f"after {counted(stop.shooters, 'shooter')}"]),
            *([] if stop.rolls is None else [f"after {counted(stop.rolls, self.throw)}"]),
        ]
        if not moments:
            return None
        how = ", once every wager is decided" if stop.when_decided else ""
        return f"Leaves {listed(moments, 'or')}{how}."


def _factor(factor: Fraction) -> str:
    return "" if factor == 1 else f"{float(factor):g} x "
