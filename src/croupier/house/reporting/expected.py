"""What standing wagers are worth to the house, and what a throw may make of that: exact, from the machines of the book.

A wager is worth what the house wins by it on average, left to its decision from where it stands. A throw changes what
the house has won together with what the wagers left standing are worth, and how it does so is known for every outcome
before it falls: a mean, which is nothing where every wager is left to its machine, and a variance. Many wagers hang on
one throw, so they are added up outcome by outcome first; from throw to throw such changes do not depend on each other.

All of it is whole cents and fractions. Winnings rounded up to the chip, commission, promotional tokens, wagers that
sleep and those that go back asleep with the wager before them are reckoned as the table settles them.
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
from croupier.table.state import Area, Stake, Stakes, State
from croupier.table.view import TableView

NOTHING = Fraction(0)
VOID = Ending("void", NOTHING)


class Share(NamedTuple):
    """How a wager ends that is left to itself: so many ways out of `over` to each ending, by its place in the list."""

    ways: tuple[tuple[int, int], ...]
    over: int


class Row(NamedTuple):
    """One state of a machine: the different ways it goes on, and which of them each outcome takes.

    A way leads to an ending, by its place in the list of endings, or to a state. `over` is what all worths in these
    states are fractions of.
    """

    ways: tuple[int | str, ...]
    which: tuple[int, ...]
    over: int


class Course:
    """A machine with the chances of its endings from each state, everything in whole numbers."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._rows: dict[str, Row] = {}
        try:
            solved: Mapping[str, Mapping[Ending, Fraction]] = machine_chain(machine).endings()
        except NeverDecided:  # what is never decided wins nothing
            solved = {}
        entries = (entry for row in machine.table.values() for entry in {id(entry): entry for entry in row}.values())
        self.endings = list(dict.fromkeys([VOID, *(ending_of(entry) for entry in entries if entry.decides)]))
        self._shares = {state: self._share(solved.get(state, {})) for state in machine.table}

    def _share(self, chances: Mapping[Ending, Fraction]) -> Share:
        over = lcm(*(chance.denominator for chance in chances.values()))
        ways = ((self.endings.index(ending), int(chance * over)) for ending, chance in chances.items())
        return Share(tuple(ways), over)

    def share(self, state: str) -> Share:
        """How a wager ends that is left to itself in a state."""
        return self._shares[state]

    def row(self, state: str) -> Row:
        """What each outcome does in a state."""
        row = self._rows.get(state)
        if row is None:
            row = self._rows[state] = self._row(state)
        return row

    def _row(self, state: str) -> Row:
        cells = self._machine.table[state]
        ways = {id(cell): self.endings.index(ending_of(cell)) if cell.decides else cell.next or state for cell in cells}
        different = tuple(dict.fromkeys(ways.values()))
        over = lcm(*(self._shares[each].over for each in (state, *different) if isinstance(each, str)))
        return Row(different, tuple(different.index(ways[id(cell)]) for cell in cells), over)


class Courses:
    """The courses of all wagers at hand, each machine solved once."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._courses: dict[tuple[Terms, str, Pick], Course] = {}

    def course(self, terms: Terms, wager: str, pick: Pick) -> Course:
        """The course of a wager made under these terms."""
        key = (terms, wager, pick)
        course = self._courses.get(key)
        if course is None:
            course = self._courses[key] = Course(self.shelf.game(terms).machine(wager, pick))
        return course


class Change(NamedTuple):
    """By how much a throw changes what stakes are worth: values over one number, and which each outcome brings."""

    values: list[int]
    over: int
    which: Sequence[int]


class Pile:
    """Stakes that lie in one place and meet the same fate, with the smallest chip of the table."""

    def __init__(self, course: Course, stakes: Iterable[Stake], chip: int) -> None:
        self._course = course
        self._chip = chip
        self._stakes = list(stakes)
        self._amounts = [stake.amount for stake in self._stakes]
        self._tokens = [stake.tokens for stake in self._stakes if stake.tokens]
        self._results: dict[int, int] = {}

    def _result(self, place: int) -> int:
        """What the house has won by these stakes when they end so."""
        result = self._results.get(place)
        if result is None:
            result = self._results[place] = self._won(self._course.endings[place])
        return result

    def _won(self, ending: Ending) -> int:
        """A token that is lost was no money; commission goes back with a wager that is void."""
        if ending.then == "void":
            return -sum(stake.commission for stake in self._stakes)
        if ending.then == "lose":
            return sum(self._amounts) - sum(self._tokens)
        paid = sum(winnings_of_many(self._amounts, ending.net, self._chip))
        return -paid - sum(lost_tokens(laid, ending.share) for laid in self._tokens)

    def worth(self, state: str) -> Fraction:
        """What the house wins by them on average from a state on."""
        return Fraction(self._worth(state, over := self._course.share(state).over), over)

    def _worth(self, state: str, over: int) -> int:
        share = self._course.share(state)
        return sum(ways * self._result(place) for place, ways in share.ways) * (over // share.over)

    def changes(self, state: str) -> Change:
        """What each outcome makes of what they are worth."""
        row = self._course.row(state)
        now = self._worth(state, row.over)
        values = [
            (self._worth(way, row.over) if isinstance(way, str) else self._result(way) * row.over) - now
            for way in row.ways
        ]
        return Change(values, row.over, row.which)

    def goes_back(self, state: str, when: Sequence[bool]) -> Change:
        """The same for stakes that are asleep, and go back on some outcomes."""
        over = self._course.share(state).over
        value = self._result(self._course.endings.index(VOID)) * over - self._worth(state, over)
        return Change([0, value], over, when)


class Law(NamedTuple):
    """A throw to the house: mean and variance of what it changes over all outcomes, and what it did change."""

    mean: Fraction
    variance: Fraction
    came: Fraction

    @property
    def luck(self) -> Fraction:
        """What the throw brought above the mean."""
        return self.came - self.mean


class _Known(NamedTuple):
    """What has been reckoned for an area, and for which stakes: a state never changes them, it has others."""

    stakes: Stakes
    chip: int
    asleep: bool
    worth: Fraction
    changes: list[Change]


class Worths:
    """What the wagers of one table are worth, state after state: what did not change is not reckoned again."""

    def __init__(self, courses: Courses) -> None:
        self._courses = courses
        self._known: dict[Area, _Known] = {}

    def standing(self, state: State) -> Fraction:
        """What the house wins on average by all wagers as they stand."""
        return sum(self.by_area(state).values(), NOTHING)

    def by_area(self, state: State) -> dict[Area, Fraction]:
        """The same for each area."""
        return {area: known.worth for area, known in self._reckoned(state).items()}

    def throw(self, state: State, faces: Faces) -> Law:
        """What a throw may bring from this state, and what these faces do."""
        outcomes = self._courses.shelf.game(state.terms[-1]).book.outcomes
        changes = [change for known in self._reckoned(state).values() for change in known.changes]
        over = lcm(*(change.over for change in changes))
        totals = [0] * len(outcomes)
        for values, share, which in changes:
            whole = [value * (over // share) for value in values]
            totals = [total + whole[way] for total, way in zip(totals, which, strict=True)]
        count, summed = len(totals), sum(totals)
        squares = sum(total * total for total in totals)
        variance = Fraction(count * squares - summed * summed, (count * over) ** 2)
        return Law(Fraction(summed, count * over), variance, Fraction(totals[outcomes.index[faces]], over))

    def _reckoned(self, state: State) -> dict[Area, _Known]:
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
        alone = wager.stands_alone  # what lies behind a wager depends on more than itself
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

    def _course(self, view: TableView, area: Area) -> Course:
        return self._courses.course(view.state.terms[area.terms], area.wager, area.pick)

    def _returned_asleep(
        self, view: TableView, area: Area, wager: schema.Wager, asleep: Mapping[str, Stake]
    ) -> Iterator[Change]:
        """A wager behind another one goes back when that one is decided while it sleeps (reading CR-9)."""
        for flat in view.flat_areas(wager, area.state):
            players = view.state.layout[flat].keys() & asleep.keys()
            pile = Pile(self._course(view, area), [asleep[each] for each in players], view.state.settings.chip)
            row = self._course(view, flat).row(flat.state)
            decides = [not isinstance(way, str) for way in row.ways]
            yield pile.goes_back(area.state, [decides[way] for way in row.which])
