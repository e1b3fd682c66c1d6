"""A player's memory between throws: streaks, progressions, shooters, bets made so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from croupier.simulation.reference.staking import part_of
from croupier.simulation.strategy import Bet, Compare, Hits, Move, Progression, Rule, Spot, Spots, Streak
from croupier.table import events
from croupier.table.state import TableView


class Decision(NamedTuple):
    """A wager won or lost by a throw, on the spot where it lay before the throw."""

    spot: Spot
    won: bool
    winnings: int


def decisions_of(view: TableView, happened: Iterable[events.AnyEvent]) -> list[Decision]:
    """The decisions among the events of a table with one player; returned wagers are not decisions."""
    settled = [event for event in happened if isinstance(event, events.AreaSettled) and event.result != "void"]
    return [
        Decision(Spot(event.wager, view.shown_pick(event.area)), event.result == "win", paid)
        for event in settled
        for _, _, paid, _ in event.stakes
    ]


class Tally(NamedTuple):
    """The result of one throw on some spots."""

    lost: int
    won: int
    winnings: int


def tally(decisions: Sequence[Decision], spots: Iterable[Spot]) -> Tally:
    """Losses, wins and total winnings on these spots."""
    own = [decision for decision in decisions if decision.spot in spots]
    won = sum(decision.won for decision in own)
    return Tally(len(own) - won, won, sum(decision.winnings for decision in own))


class Record:
    """Decisions on some spots: the current streak, and wins since the shooter began."""

    def __init__(self) -> None:
        self.wins = 0
        self.losses = 0
        self.hits = 0

    def add(self, brought: Tally) -> None:
        """Add one throw. Losses count first: a throw with a loss and a win ends at one win in a row."""
        if brought.lost:
            self.losses += brought.lost
            self.wins = 0
        if brought.won:
            self.wins += brought.won
            self.losses = 0
        self.hits += brought.won


class Course:
    """The position of a progression: one of its steps, or an amount."""

    def __init__(self, progression: Progression) -> None:
        self.progression = progression
        self.begin()

    def begin(self) -> None:
        """Restart."""
        self.step = 0
        self.amount = self.progression.start

    @property
    def cents(self) -> int:
        """The current stake."""
        return self.progression.steps[self.step] if self.progression.steps else self.amount

    @property
    def first_cents(self) -> int:
        """The first stake."""
        return self.progression.steps[0] if self.progression.steps else self.progression.start

    def add(self, brought: Tally) -> None:
        """Move for each loss, then for each win; a share of the winnings is added once per throw."""
        win = self.progression.win
        moves = [self.progression.loss] * brought.lost
        if win.kind == "add_won" and brought.won:
            moves.append(Move("add", Fraction(part_of(brought.winnings, win.by))))
        else:
            moves += [win] * brought.won
        for move in moves:
            self._move(move)

    def _move(self, move: Move) -> None:
        match move.kind:
            case "next":
                self._next()
            case "back":
                self.step = max(0, self.step - int(move.by))
            case "first":
                self.begin()
            case "add":
                self.amount += int(move.by)
            case "times":
                self.amount = part_of(self.amount, move.by)
            case _:
                assert move.kind == "stay", f"no decision does {move.kind} to a progression"
        least, most = self.progression.least, self.progression.most
        self.amount = max(least, min(self.amount, most) if most else self.amount)  # no `most`, no cap

    def _next(self) -> None:
        last = len(self.progression.steps) - 1
        after_last = 0 if self.progression.at_end == "first" else last
        self.step = self.step + 1 if self.step < last else after_last


class Memory:
    """Everything a strategy can ask about besides the table itself. With `all_spots`, records every spot."""

    def __init__(
        self, rules: Sequence[Rule] = (), progressions: Sequence[Progression] = (), all_spots: bool = False
    ) -> None:
        self.rolls = 0
        self.shooter_rolls = 0
        self.shooters = 1
        self.last: int | None = None
        self.courses = [Course(progression) for progression in progressions]
        self.made: Counter[int] = Counter()  # by index of the rule, for `at_most`
        self._per_shooter = [n for n, rule in enumerate(rules) if isinstance(rule, Bet) and rule.per == "shooter"]
        self._all_spots = all_spots
        subjects = [c.subject for rule in rules for c in rule.guard.conditions if isinstance(c, Compare)]
        self._records = {s.spots: Record() for s in subjects if isinstance(s, Streak | Hits)}

    def record(self, spots: Spots) -> Record:
        """The record of some spots; empty if nothing was decided on them."""
        return self._records.get(spots) or Record()

    def add(self, outcome: int, decisions: Sequence[Decision], dice_pass: bool) -> None:
        """Record a throw; if the dice pass, the next shooter begins."""
        self.last = outcome
        self.rolls += 1
        self.shooter_rolls += 1
        if decisions:
            self._decide(decisions)
        if dice_pass:
            self._next_shooter()

    def _decide(self, decisions: Sequence[Decision]) -> None:
        if self._all_spots:
            for decision in decisions:
                self._records.setdefault((decision.spot,), Record())
        for spots, record in self._records.items():
            record.add(tally(decisions, spots))
        for course in self.courses:
            course.add(tally(decisions, course.progression.of))

    def _next_shooter(self) -> None:
        self.shooters += 1
        self.shooter_rolls = 0
        for record in self._records.values():
            record.hits = 0
        for place in self._per_shooter:
            self.made[place] = 0
        for course in self.courses:
            if course.progression.per_shooter:
                course.begin()
