"""The value of open wagers to the house, and the distribution of its change by a throw. Exact.

A wager's value is the house's expected win from it, if it is left to be decided from its current state. A throw changes
the house's win plus the value of the remaining wagers. For every outcome that change is known in advance: it has a
mean, zero where every wager is left to its machine, and a variance. Many wagers depend on one throw, so they are first
summed outcome by outcome; changes by different throws are uncorrelated.

All values are whole cents and fractions. Winnings rounded up to the chip, commission, promotional tokens, sleeping
wagers and those returned asleep with the wager before them are computed as the table settles them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from croupier.maths.chain import Ending, NeverDecided, ending_of, machine_chain
from croupier.money import winnings_of_many
from croupier.rules import schema
from croupier.rules.game import Terms
from croupier.rules.machine import Machine, Pick
from croupier.rules.offers import sleeps_now
from croupier.rules.outcomes import Faces
from croupier.rules.shelf import Shelf
from croupier.table.checks_and_tokens import lost_tokens
from croupier.table.settling import by_sleep
from croupier.table.state import Area, Stake, Stakes, State, TableView

NOTHING = Fraction(0)
VOID = Ending("void", NOTHING)


class Share(NamedTuple):
    """How a wager ends if left alone: ways to each ending, by its index, out of `over`."""

    ways: tuple[tuple[int, int], ...]
    over: int


class Transitions(NamedTuple):
    """One state of a machine: its distinct transitions, and which of them each outcome takes.

    A transition leads to an ending, by its index, or to a state. `over` is the common denominator of all values in
    these states.
    """

    ways: tuple[int | str, ...]
    which: tuple[int, ...]
    over: int


class SolvedMachine:
    """A machine with the probabilities of its endings from each state, in integers."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._rows: dict[str, Transitions] = {}
        try:
            solved: Mapping[str, Mapping[Ending, Fraction]] = machine_chain(machine).endings()
        except NeverDecided:  # a wager that is never decided wins nothing
            solved = {}
        entries = (entry for row in machine.table.values() for entry in {id(entry): entry for entry in row}.values())
        self.endings = list(dict.fromkeys([VOID, *(ending_of(entry) for entry in entries if entry.decides)]))
        self._shares = {state: self._share(solved.get(state, {})) for state in machine.table}

    def _share(self, chances: Mapping[Ending, Fraction]) -> Share:
        over = lcm(*(chance.denominator for chance in chances.values()))
        ways = ((self.endings.index(ending), int(chance * over)) for ending, chance in chances.items())
        return Share(tuple(ways), over)

    def share(self, state: str) -> Share:
        """Return how a wager in a state ends if left alone."""
        return self._shares[state]

    def row(self, state: str) -> Transitions:
        """Return the transitions from a state."""
        row = self._rows.get(state)
        if row is None:
            row = self._rows[state] = self._row(state)
        return row

    def _row(self, state: str) -> Transitions:
        cells = self._machine.table[state]
        ways = {id(cell): self.endings.index(ending_of(cell)) if cell.decides else cell.next or state for cell in cells}
        different = tuple(dict.fromkeys(ways.values()))
        over = lcm(*(self._shares[each].over for each in (state, *different) if isinstance(each, str)))
        return Transitions(different, tuple(different.index(ways[id(cell)]) for cell in cells), over)


class SolvedMachines:
    """The courses of all wagers met so far, each machine solved once."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._courses: dict[tuple[Terms, str, Pick], SolvedMachine] = {}

    def course(self, terms: Terms, wager: str, pick: Pick) -> SolvedMachine:
        """Return the course of a wager made under these terms."""
        key = (terms, wager, pick)
        course = self._courses.get(key)
        if course is None:
            course = self._courses[key] = SolvedMachine(self.shelf.game(terms).machine(wager, pick))
        return course


class Change(NamedTuple):
    """The change in value of stakes by a throw: values over a common denominator, and each outcome's index."""

    values: list[int]
    over: int
    which: Sequence[int]


class Pile:
    """Stakes in one place that are settled alike, with the smallest chip of the table."""

    def __init__(self, course: SolvedMachine, stakes: Iterable[Stake], chip: int) -> None:
        self._course = course
        self._chip = chip
        self._stakes = list(stakes)
        self._amounts = [stake.amount for stake in self._stakes]
        self._tokens = [stake.tokens for stake in self._stakes if stake.tokens]
        self._results: dict[int, int] = {}

    def _result(self, place: int) -> int:
        """Return the house's win from these stakes with an ending."""
        result = self._results.get(place)
        if result is None:
            result = self._results[place] = self._won(self._course.endings[place])
        return result

    def _won(self, ending: Ending) -> int:
        """Return the house's win; a lost token was not money, and a void wager's commission is returned."""
        if ending.then == "void":
            return -sum(stake.commission for stake in self._stakes)
        if ending.then == "lose":
            return sum(self._amounts) - sum(self._tokens)
        paid = sum(winnings_of_many(self._amounts, ending.net, self._chip))
        return -paid - sum(lost_tokens(laid, ending.share) for laid in self._tokens)

    def worth(self, state: str) -> Fraction:
        """Return the house's expected win from a state on."""
        return Fraction(self._worth(state, over := self._course.share(state).over), over)

    def _worth(self, state: str, over: int) -> int:
        share = self._course.share(state)
        return sum(ways * self._result(place) for place, ways in share.ways) * (over // share.over)

    def changes(self, state: str) -> Change:
        """Return the change in value for each outcome."""
        row = self._course.row(state)
        now = self._worth(state, row.over)
        values = [
            (self._worth(way, row.over) if isinstance(way, str) else self._result(way) * row.over) - now
            for way in row.ways
        ]
        return Change(values, row.over, row.which)

    def goes_back(self, state: str, when: Sequence[bool]) -> Change:
        """Return the change for sleeping stakes that are returned on some outcomes."""
        over = self._course.share(state).over
        value = self._result(self._course.endings.index(VOID)) * over - self._worth(state, over)
        return Change([0, value], over, when)


class Law(NamedTuple):
    """A throw for the house: mean and variance of the change in value, and the actual change."""

    mean: Fraction
    variance: Fraction
    came: Fraction

    @property
    def luck(self) -> Fraction:
        """The actual change above the mean."""
        return self.came - self.mean


class _Known(NamedTuple):
    """The cached values of an area, and the stakes that they belong to: stakes are replaced, never mutated."""

    stakes: Stakes
    chip: int
    asleep: bool
    worth: Fraction
    changes: list[Change]


class Worths:
    """The values of one table's wagers, state after state; unchanged areas are not computed again."""

    def __init__(self, courses: SolvedMachines) -> None:
        self._courses = courses
        self._known: dict[Area, _Known] = {}

    def standing(self, state: State) -> Fraction:
        """Return the house's expected win from all wagers on the layout."""
        return sum(self.by_area(state).values(), NOTHING)

    def by_area(self, state: State) -> dict[Area, Fraction]:
        """Return the house's expected win for each area."""
        return {area: known.worth for area, known in self._evaluated(state).items()}

    def throw(self, state: State, faces: Faces) -> Law:
        """Return the distribution of a throw from this state, and the change that these faces make."""
        outcomes = self._courses.shelf.game(state.terms[-1]).book.outcomes
        changes = [change for known in self._evaluated(state).values() for change in known.changes]
        over = lcm(*(change.over for change in changes))
        totals = [0] * len(outcomes)
        for values, share, which in changes:
            whole = [value * (over // share) for value in values]
            totals = [total + whole[way] for total, way in zip(totals, which, strict=True)]
        count, summed = len(totals), sum(totals)
        squares = sum(total * total for total in totals)
        variance = Fraction(count * squares - summed * summed, (count * over) ** 2)
        return Law(Fraction(summed, count * over), variance, Fraction(totals[outcomes.index[faces]], over))

    def _evaluated(self, state: State) -> dict[Area, _Known]:
        if state.layout:
            view = TableView(self._courses.shelf, state)
            self._known = {area: self._area(view, area, stakes) for area, stakes in state.layout.items()}
        else:
            self._known = {}
        return self._known

    def _area(self, view: TableView, area: Area, stakes: Stakes) -> _Known:
        wager, chip = view.wager_of(area), view.state.settings.chip
        asleep = sleeps_now(wager, view.state.phases)
        known = self._known.get(area)
        alone = wager.stands_alone  # a wager behind another depends on more than itself
        if alone and known is not None and known.stakes is stakes and known[1:3] == (chip, asleep):
            return known
        course = self._course(view, area)
        awake, sleeping = by_sleep(view, wager, stakes)
        act = Pile(course, awake.values(), chip)
        changes = [act.changes(area.state)] if awake else []
        worth = act.worth(area.state)
        if sleeping:
            worth += Pile(course, sleeping.values(), chip).worth(area.state)
            changes += self._returned_asleep(view, area, wager, sleeping)
        return _Known(stakes, chip, asleep, worth, changes)

    def _course(self, view: TableView, area: Area) -> SolvedMachine:
        return self._courses.course(view.state.terms[area.terms], area.wager, area.pick)

    def _returned_asleep(
        self, view: TableView, area: Area, wager: schema.Wager, asleep: Mapping[str, Stake]
    ) -> Iterator[Change]:
        """Yield the changes by sleeping wagers that are returned when the wager in front is decided (reading CR-9)."""
        for flat in view.flat_areas(wager, area.state):
            players = view.state.layout[flat].keys() & asleep.keys()
            pile = Pile(self._course(view, area), [asleep[each] for each in players], view.state.settings.chip)
            row = self._course(view, flat).row(flat.state)
            decides = [not isinstance(way, str) for way in row.ways]
            yield pile.goes_back(area.state, [decides[way] for way in row.which])
