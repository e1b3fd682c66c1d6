"""Alters the compiled machines one row at a time and checks whether a scenario notices.

A row is altered in four ways: it ends the opposite way (win for lose), it pays other odds (each of its odds in turn, if
its outcomes have several), and the first and the last outcome that it covers go to another row of the same state.
`python -m tests.mutants BOOK` lists the survivors.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from croupier import rulebooks
from croupier.rules.book import Book
from croupier.rules.checking import all_choices
from croupier.rules.game import Game, Terms
from croupier.rules.machine import Entry, Machine, Pick
from croupier.rules.shelf import Shelf
from croupier.scenarios import Scenario, read_scenarios, run_scenario

Cells = tuple[Entry, ...]


class Mutant(NamedTuple):
    """One altered row: which one, how it is altered, and the cells of the state afterwards."""

    owner: str
    pick: Pick
    state: str
    row: int
    how: str
    outcomes: tuple[int, ...]
    entry: Entry
    odds: Fraction | None = None
    is_phase: bool = False

    def __str__(self) -> str:
        pick = "" if self.pick is None else f" {self.pick}"
        return f'{self.owner}{pick}, in "{self.state}", row {self.row + 1}: {self.how}'

    def alter(self, machine: Machine) -> Machine:
        """A copy of the machine with the row altered; only these odds are replaced."""
        cells = list(machine.table[self.state])
        for i in self.outcomes:
            if self.odds is None or cells[i].odds == self.odds:
                cells[i] = self.entry
        table = {**machine.table, self.state: tuple(cells)}
        return Machine(machine.wager, machine.pick, machine.starts, table)


def load_scenarios(book_id: str) -> list[Scenario]:
    """All scenarios of a book."""
    folder = rulebooks.folder(book_id) / "scenarios"
    files = sorted(folder.glob("*.scenario"))
    return [scenario for file in files for scenario in read_scenarios(file.read_text(encoding="utf-8"), file.name)]


def mutants(shelf: Shelf, book_id: str) -> Iterator[Mutant]:
    """Every alteration of every row of every machine of a book, phases included."""
    choices = all_choices(shelf.book(book_id).rules.pay_table)
    games = [shelf.game(Terms(book_id, tuple(chosen.items()))) for chosen in choices]
    for wager in games[0].book.rules.wagers:
        for pick in games[0].book.picks(wager):
            machines = [game.machine(wager.id, pick) for game in games]
            yield from _of_machine(games[0].book, wager.id, pick, machines)
    for phase_id, machine in games[0].book.phase_machines.items():
        for mutant in _of_machine(games[0].book, phase_id, None, [machine]):
            yield mutant._replace(is_phase=True)


def _of_machine(book: Book, owner: str, pick: Pick, machines: list[Machine]) -> Iterator[Mutant]:
    for state, cells in machines[0].table.items():
        for row in sorted({entry.row for entry in cells}):
            yield from _of_row(book, owner, pick, state, row, [machine.table[state] for machine in machines])


def _of_row(book: Book, owner: str, pick: Pick, state: str, row: int, tables: list[Cells]) -> Iterator[Mutant]:
    cells = tables[0]
    claimed = tuple(i for i, entry in enumerate(cells) if entry.row == row)
    entry = cells[claimed[0]]
    is_phase = owner in book.phases
    if is_phase:
        other = next((e for e in cells if e.next != entry.next or e.then != entry.then), None)
        if other is not None:
            yield Mutant(owner, pick, state, row, f"does as row {other.row + 1}", claimed, other)
    else:
        flipped = _flip(entry)
        yield Mutant(owner, pick, state, row, f"{flipped.then} for {entry.then}", claimed, flipped)
        for odds in sorted({table[i].odds for table in tables for i in claimed if table[i].then == "win"}):
            other_odds = msgspec.structs.replace(entry, odds=odds + 1)
            yield Mutant(owner, pick, state, row, f"pays {odds + 1} for {odds}", claimed, other_odds, odds)
    yield from _moved_outcomes(book, owner, pick, state, row, cells, claimed)


def _flip(entry: Entry) -> Entry:
    if entry.then == "lose":
        return msgspec.structs.replace(entry, then="win", odds=Fraction(1))
    return msgspec.structs.replace(entry, then="lose", next="", odds=Fraction(0))


def _moved_outcomes(
    book: Book, owner: str, pick: Pick, state: str, row: int, cells: Cells, claimed: tuple[int, ...]
) -> Iterator[Mutant]:
    other = next((e for e in cells if e.row != row and (e.then, e.next, e.odds) != _fate(cells[claimed[0]])), None)
    if other is None:
        return
    faces = book.outcomes.all
    for place in sorted({claimed[0], claimed[-1]}):
        same = tuple(i for i in claimed if sorted(map(str, faces[i])) == sorted(map(str, faces[place])))
        shown = " ".join(map(str, faces[place]))
        yield Mutant(owner, pick, state, row, f"{shown} goes to row {other.row + 1}", same, other)


def _fate(entry: Entry) -> tuple[str, str, Fraction]:
    return (entry.then, entry.next, entry.odds)


class MutantGame(Game):
    """A game in which one machine is altered."""

    def __init__(self, original: Game, mutant: Mutant) -> None:
        self.__dict__.update(original.__dict__)
        self.original = original
        self.mutant = mutant
        if mutant.is_phase:
            machines = dict(original.book.phase_machines)
            machines[mutant.owner] = mutant.alter(machines[mutant.owner])
            self.book = copy.copy(original.book)
            self.book.__dict__["phase_machines"] = machines

    def machine(self, wager_id: str, pick: Pick) -> Machine:
        """The machine, altered if it is the chosen one."""
        machine = self.original.machine(wager_id, pick)
        if not self.mutant.is_phase and (wager_id, pick) == (self.mutant.owner, self.mutant.pick):
            return self.mutant.alter(machine)
        return machine


class MutantShelf(Shelf):
    """A shelf whose games have one machine altered."""

    def __init__(self, original: Shelf, mutant: Mutant) -> None:
        super().__init__()
        self._books = original._books
        self.original = original
        self.mutant = mutant
        self.altered: dict[Terms, MutantGame] = {}

    def game(self, terms: Terms) -> Game:
        """The altered game."""
        if terms not in self.altered:
            self.altered[terms] = MutantGame(self.original.game(terms), self.mutant)
        return self.altered[terms]


def survivors(book_id: str) -> tuple[list[Mutant], int]:
    """The mutants of a book that no scenario notices, and the number of mutants."""
    shelf = Shelf()
    scenarios = load_scenarios(book_id)
    by_wager = {
        wager: [s for s in scenarios if any(_speaks_of(step, wager) for step in s.steps)]
        for wager in shelf.book(book_id).wagers
    }
    living: list[Mutant] = []
    count = 0
    for mutant in mutants(shelf, book_id):
        count += 1
        relevant = scenarios if mutant.is_phase else by_wager[mutant.owner]
        altered = MutantShelf(shelf, mutant)
        noticing = next((place for place, scenario in enumerate(relevant) if _notices(scenario, altered)), None)
        if noticing is None:
            living.append(mutant)
        else:  # the same scenario is likely to notice what is done to the next row
            relevant.insert(0, relevant.pop(noticing))
    return living, count


def _notices(scenario: Scenario, shelf: Shelf) -> bool:
    """A scenario notices through a difference; a broken table may also fail an assertion of the engine."""
    try:
        return run_scenario(scenario, shelf) is not None
    except (AssertionError, KeyError, ValueError):
        return True


def _speaks_of(step: object, wager: str) -> bool:
    values = getattr(step, "values", {})
    return values.get("wager") == wager


def listed(books: Iterable[str], survivors_of: Callable[[str], tuple[Sequence[object], int]]) -> int:
    """List the survivors of books; returns the exit status."""
    status = 0
    for book_id in books:
        living, count = survivors_of(book_id)
        for mutant in living:
            print(f"{book_id}: nobody notices: {mutant}")
        print(f"{book_id}: {count} mutants, {len(living)} survive")
        status = status or bool(living)
    return int(status)


if __name__ == "__main__":
    sys.exit(listed(sys.argv[1:] or rulebooks.ids(), survivors))
