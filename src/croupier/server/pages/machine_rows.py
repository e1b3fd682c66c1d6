"""The rows of a wager's machine or of a phase of the table, in words: state, throw, result and clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from croupier.documents.graph_layout import printed_odds
from croupier.rules import schema
from croupier.rules.book import Book
from croupier.rules.describing import any_of
from croupier.rules.game import Game
from croupier.rules.machine import OTHERWISE, Entry, Machine

_BRACES = re.compile(r"\{(\w+)([+-]\d+)?\}")
_FEW = 3
_ENDINGS = {"lose": "loses", "void": "is void: the stake is returned", "stay": "stays as it is"}
_PHASE_ENDINGS = {"stay": "stays as it is"}
_COUNTS = {"1": "one", "2": "two", "3": "three", "4": "four"}
_STANDING = "standing"


Sets = Mapping[str, list[int | str] | dict[str, list[int | str]]]


class RowInWords(msgspec.Struct, frozen=True):
    """One row. `state` is empty if the wager has no states; `where` explains the letters."""

    state: str
    on: str
    then: str
    where: str
    clauses: list[str]


def wager_rows(game: Game, wager: schema.Wager) -> list[RowInWords]:
    """Describe how a wager is decided."""
    machines = [game.machine(wager.id, pick) for pick in game.book.picks(wager)]
    words = _Words(game.book, {**game.book.rules.sets, **wager.sets}, wager.picks)
    printed = printed_odds(game)
    made = []
    for place, row in enumerate(wager.rows):
        entries = list(_entries(machines, place))
        then = _won(row, entries, printed) if row.then == "win" else words.then(row.then, _ENDINGS)
        made.append(words.row(row, then, entries))
    return made


def phase_rows(book: Book, phase: schema.Phase) -> list[RowInWords]:
    """Describe how a phase of the table moves."""
    words, machine = _Words(book, book.rules.sets, []), book.phase_machines[phase.id]
    return [
        words.row(row, words.then(row.then, _PHASE_ENDINGS), list(_entries([machine], place)))
        for place, row in enumerate(phase.rows)
    ]


def _entries(machines: Iterable[Machine], row: int) -> Iterator[Entry]:
    cells = (entry for machine in machines for cells in machine.table.values() for entry in cells)
    return (entry for entry in cells if entry.row == row)


def _won(row: schema.Row, entries: list[Entry], printed: Mapping[str, str]) -> str:
    odds = list(dict.fromkeys(" and ".join(printed[line] for line in entry.lines) for entry in entries))
    paid = f"wins {any_of(odds)}" if len(odds) <= _FEW else "wins at the odds of the pay table"
    if row.share == "1":
        return paid
    rest = "is returned" if row.rest == "back" else "is lost"
    return f"{paid} on {Fraction(row.share)} of the stake; the rest {rest}"


class _Words:
    """Words rows. A name in braces becomes a list, a letter or the pick."""

    def __init__(self, book: Book, sets: Sets, picks: list[schema.Pick]) -> None:
        self._sets = sets
        self._saying = Saying(book)
        self._picked = _picked(picks)

    def row(self, row: schema.Row, then: str, entries: list[Entry]) -> RowInWords:
        """Word a whole row."""
        letters = dict(_letters(row, self._sets))
        state = "" if row.state == _STANDING else self._filled(row.state.replace(" {pick}", ": {pick}"), letters)
        clauses = list(dict.fromkeys(entry.clause for entry in entries))
        return RowInWords(state, self._on(row.on, letters), self._filled(then, letters), self._where(row), clauses)

    def then(self, then: str, endings: Mapping[str, str]) -> str:
        """Word the result of a row that does not win."""
        return endings.get(then) or f"goes to {then.removeprefix('go ')}"

    def _filled(self, text: str, letters: Mapping[str, str]) -> str:
        def word(found: re.Match[str]) -> str:
            name, step = found[1], found[2]
            if name == "pick":
                return self._picked
            shown = letters[name] if name in letters else self._members(name)
            return f"{shown} {step[0]} {step[1:]}" if step else shown

        return _BRACES.sub(word, text)

    def _members(self, name: str) -> str:
        members = self._sets[name]
        if not isinstance(members, dict):
            return " ".join(map(str, members))
        return " or ".join(f"{any_of(map(str, some))} where {pick} is picked" for pick, some in members.items())

    def _where(self, row: schema.Row) -> str:
        """Explain the letters of a row."""
        letters, parts = dict(_letters(row, self._sets)), []
        for names, source in row.each.items():
            values = self._sets[source] if isinstance(source, str) else source
            named = " and ".join(letters[name.strip()] for name in names.split(","))
            if isinstance(values, dict):
                said = "; ".join(f"{_one_of(some)} with {pick}" for pick, some in values.items())
            else:
                said = _one_of(values)
            parts.append(f"{named} {'are' if ',' in names else 'is'} {said}")
        return "; ".join(parts)

    def _on(self, on: str, letters: Mapping[str, str]) -> str:
        if on == OTHERWISE:
            return "anything else"
        terms = (self._filled(term, letters) for term in on.split(","))
        return ", ".join(map(self._saying.outcome, terms))


def _letters(row: schema.Row, sets: Sets) -> Iterator[tuple[str, str]]:
    """Yield how each name of a row is written: as a letter if it ranges over numbers, else as a word."""
    for names, source in row.each.items():
        values = sets[source] if isinstance(source, str) else source
        every = values if isinstance(values, list) else [one for some in values.values() for one in some]
        counts = all(isinstance(value, int) for value in every)
        for name in map(str.strip, names.split(",")):
            yield name, name[0] if counts else f"the {name}"


class Saying:
    """Words descriptions of outcomes: `total 7 11` is a total of 7 or 11."""

    def __init__(self, book: Book) -> None:
        self._named = book.outcomes.named
        self._defined = {word.lower() for word in book.definitions}  # these have a page that explains them
        self._thing = "coin" if book.rules.throw.field == "coins" else "die"

    def outcome(self, term: str) -> str:
        """Word one term of a description."""
        said = term.strip()
        if said.startswith("not "):
            return f"not {self.outcome(said.removeprefix('not '))}"
        if said in self._named:
            explained = ", ".join(map(self.outcome, self._named[said].split(",")))
            return said if said.lower() in self._defined else f"{said.capitalize()} ({explained})"
        head, _, rest = said.partition(" of ")
        match head.split():
            case ["any"]:
                return "any result"
            case ["pair"]:
                return "two alike"
            case ["triple"]:
                return "three alike"
            case ["total", *totals] if totals[0][0].isdecimal():
                return f"a total of {any_of(total.replace('-', ' to ') for total in totals)}"
            case ["total", *words]:
                return f"a total of {' '.join(words)}"
            case ["exactly", count]:
                return f"{_faces(rest)} on exactly {_many(count, self._thing)}"
            case ["at", "least", count]:
                return f"{_faces(rest)} on at least {_many(count, self._thing)}"
            case ["every", "one"]:
                return f"each of {_faces(rest)}"
            case ["different", count]:
                return f"{_COUNTS[count]} different ones of {_faces(rest)}"
            case ["within", *faces]:
                return f"nothing but {any_of(faces)}"
        return said


def _faces(text: str) -> str:
    faces = text.split()
    return any_of(faces) if all(len(face) == 1 for face in faces) else text


def _many(count: str, thing: str) -> str:
    several = {"die": "dice", "coin": "coins"}[thing]
    return f"one {thing}" if count == "1" else f"{_COUNTS[count]} {several}"


def _picked(picks: list[schema.Pick]) -> str:
    if picks and isinstance(picks[0], tuple):
        return "the numbers picked"
    return "the side picked" if picks and isinstance(picks[0], str) else "the number picked"


def _one_of(values: Sequence[int | str | list[int | str]]) -> str:
    """Word a choice: `4, 5 or 6`; consecutive numbers are `0 to 10`; pairs stay together."""
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) == len(values) > _FEW and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{values[0]} to {values[-1]}"
    return any_of(" and ".join(map(str, one)) if isinstance(one, list) else str(one) for one in values)
