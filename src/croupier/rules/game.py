"""A book under one pay table: what a table plays. Machines are compiled on first use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import msgspec

from croupier.rules import schema
from croupier.rules.book import Book
from croupier.rules.errors import PayTableError, RuleBookError
from croupier.rules.machine import Machine, Pick, RowCompiler, pick_words
from croupier.rules.offers import may_start, start_phase, start_state
from croupier.rules.outcomes import parse_odds
from croupier.rules.schema import acts_on

WHOLE_TABLE = "pay_table"
MOST_CELLS = 1_000_000  # over all machines: none of our books has a tenth of that


class Terms(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """The terms a wager was made under: the book, its pay table choices, and any rival readings played."""

    book: str
    choices: tuple[tuple[str, str], ...] = ()
    readings: tuple[str, ...] = ()


@acts_on("rules.pay_table")
class Game:
    """A book with its odds settled."""

    def __init__(self, book: Book, choices: Mapping[str, str]) -> None:
        self.book = book
        self.choices = dict(choices)
        self.included = 1 if book.rules.pay_table.reckoned == "for" else 0  # odds "for" a stake include it
        self.lines = self._lines()
        self._machines: dict[tuple[str, Pick], Machine] = {}
        self._cells = 0

    def _lines(self) -> dict[str, Fraction]:
        table = self.book.rules.pay_table
        lines = dict(table.lines)
        for choice in table.choices:
            lines.update(choice.options[self.choices[choice_id(choice)]])
        odds: dict[str, Fraction] = {}
        for line, text in lines.items():
            try:
                odds[line] = parse_odds(text) - self.included
            except ValueError as reason:
                raise RuleBookError(self.book.file, f"pay_table line {line}", str(reason)) from None
        return odds

    def wager(self, wager_id: str) -> schema.Wager:
        """Return a wager of the book. Raises KeyError."""
        return self.book.wagers[wager_id]

    def machine(self, wager_id: str, pick: Pick) -> Machine:
        """Return the compiled machine of a wager and pick."""
        key = (wager_id, pick)
        machine = self._machines.get(key)
        if machine is None:
            machine = self._machines[key] = self._compile(self.book.wagers[wager_id], pick)
            self._cells += len(machine.table) * len(self.book.outcomes)
            if self._cells > MOST_CELLS:
                say = f"all wagers together have more than {MOST_CELLS:,} cells: states, each with every outcome"
                raise RuleBookError(self.book.file_with("wagers"), f"wager {wager_id}", say)
        return machine

    def machines(self) -> Iterator[Machine]:
        """Yield the machine of every wager and pick, compiling those not yet used."""
        return (self.machine(wager.id, pick) for wager in self.book.rules.wagers for pick in self.book.picks(wager))

    def _compile(self, wager: schema.Wager, pick: Pick) -> Machine:
        words = pick_words(wager.id, pick)
        where = " ".join(part for part in ("wager", wager.id, words["pick"]) if part)
        compiler = RowCompiler(self.book.file_with("wagers"), where, self.book.outcomes, self.lines.__getitem__)
        compiler.pays_something = not self.included
        table = compiler.compile(wager.rows, words, self._sets(wager, words["pick"]))
        machine = Machine(wager.id, pick, self._starts(wager, pick), table)
        compiler.check_reachable(machine)
        return machine

    def _sets(self, wager: schema.Wager, pick: str) -> dict[str, list[int | str]]:
        sets = dict(self.book.rules.sets)
        for name, members in wager.sets.items():
            sets[name] = members.get(pick, []) if isinstance(members, dict) else members
        return sets

    def _starts(self, wager: schema.Wager, pick: Pick) -> tuple[str, ...]:
        """Return the states in which a new wager can begin, over all phases in which it may be made."""
        phase_id = start_phase(wager, pick)
        if phase_id is None:
            return (start_state(wager, pick, {}),)
        if phase_id not in self.book.phases:
            reason = f'starts by a phase "{phase_id}" that does not exist'
            raise RuleBookError(self.book.file, f"wager {wager.id}", reason)
        states = self.book.phase_machines[phase_id].table
        open_states = [state for state in states if may_start(wager, pick, phase_id, state)]
        return tuple(dict.fromkeys(start_state(wager, pick, {phase_id: state}) for state in open_states))


def choice_id(choice: schema.Choice) -> str:
    """Return the id of a choice, such as `hardway.4`; a choice between whole columns is the pay table itself."""
    return ".".join(choice.key) or WHOLE_TABLE


def read_pay_table(text: str | None) -> object:
    """Parse a pay table as people write it: `two`, or choices such as `hardway.4=6 field=3`."""
    if text is None or "=" not in text:
        return text
    choices: dict[str, object] = {}
    for name, _, word in (part.partition("=") for part in text.split()):
        if name in choices:
            raise PayTableError(f"{name} is chosen twice.", None)
        choices[name] = int(word) if word.isdecimal() and len(word) < 9 else word
    return choices


def choose(table: schema.PayTable, asked: object) -> dict[str, str]:
    """Settle every choice of a pay table. Raises PayTableError for odds that the book does not permit."""
    left = _flatten(asked, table)
    asked_for = set(left)
    chosen: dict[str, str] = {}
    for choice in table.choices:
        name = choice_id(choice)
        value = left.pop(name, choice.default)
        option = _option(value) if name in asked_for else choice.default
        if option not in choice.options:
            permitted = ", ".join(choice.options)
            raise PayTableError(
                f"The book does not permit {value!r} for {name}; it permits {permitted}.", choice.clause
            )
        chosen[name] = option
    if left:
        raise PayTableError(f"The pay table leaves no choice called {next(iter(left))}.", table.clause)
    return chosen


def _option(value: object) -> str | None:
    """Return the name of an option: odds are requested as a number, named columns as a word."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and not value.isdecimal() else None


def _flatten(asked: object, table: schema.PayTable) -> dict[str, object]:
    if asked is None:
        return {}
    if not isinstance(asked, dict):
        if not table.choices:
            raise PayTableError("This book has one pay table only; there is nothing to choose.", table.clause)
        if not any(not choice.key for choice in table.choices):
            raise PayTableError("This book's pay table is not chosen by one word.", table.clause)
        return {WHOLE_TABLE: asked}
    flat: dict[str, object] = {}
    for key, value in asked.items():
        if isinstance(value, dict):
            flat.update({f"{key}.{inner}": option for inner, option in value.items()})
        else:
            flat[str(key)] = value
    return flat
