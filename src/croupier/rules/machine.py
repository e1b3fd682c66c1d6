"""Wagers and phases as total state machines, and the compiler that builds them from the rows of a book.

For each state and each outcome a machine gives the effect and its clause. The compiler refuses rows that leave gaps,
overlap or can never apply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import Literal

import msgspec

from croupier.rules import schema
from croupier.rules.errors import RuleBookError
from croupier.rules.outcomes import OutcomeError, Outcomes

Pick = int | str | tuple[int, ...] | None
Then = Literal["win", "lose", "void", "go", "stay"]


class Entry(msgspec.Struct, frozen=True):
    """The effect of one outcome in one state.

    `odds` are net winnings per unit staked, by the `line` of the pay table; `next` is the state afterwards. If only
    a `share` of the stake wins and the rest is lost, the odds are net of the loss.
    """

    then: Then
    clause: str
    row: int
    next: str = ""
    odds: Fraction = Fraction(0)
    line: str = ""
    share: Fraction = Fraction(1)

    @property
    def lines(self) -> tuple[str, ...]:
        """The pay table lines that pay it; a row may add several up."""
        return tuple(self.line.split(" + ")) if self.line else ()

    @property
    def decides(self) -> bool:
        """Whether the wager is over."""
        return self.then in ("win", "lose", "void")


class Machine:
    """The table of one wager and pick: `table[state][outcome index]` is an Entry; no cell is empty."""

    def __init__(self, wager: str, pick: Pick, starts: tuple[str, ...], table: dict[str, tuple[Entry, ...]]) -> None:
        self.wager = wager
        self.pick = pick
        self.starts = starts
        self.table = table
        self._units: dict[str, int] = {}

    def exact_unit(self, state: str, extra: Fraction = Fraction(0)) -> int:
        """The fewest chips for which every later win, and a share `extra` of the stake, is exact (X-2)."""
        unit = self._units.get(state)
        if unit is None:
            odds = {entry.odds for later in self.reachable([state]) for entry in self.table[later]}
            unit = self._units[state] = lcm(*(value.denominator for value in odds))
        return lcm(unit, extra.denominator)

    def reachable(self, first: list[str] | tuple[str, ...]) -> list[str]:
        """Return the reachable states, including the first ones, in order of discovery."""
        found = list(dict.fromkeys(first))
        for state in found:
            for entry in self.table[state]:
                if entry.then == "go" and entry.next not in found:
                    found.append(entry.next)
        return found


# -- compiling --------------------------------------------------------------------------------------------------------

OTHERWISE = "otherwise"
MOST_CROSSED = 1_000  # rows that one row with `each` may expand to
MOST_CELLS = 100_000
MOST_ROWS = 5_000  # per wager and pick, or per phase
_BRACES = re.compile(r"\{(\w+)([+-]\d+)?\}")

Words = dict[str, str]
OddsOf = Callable[[str], Fraction]


class ConcreteRow(msgspec.Struct, frozen=True):
    """A row with every name filled in: one state, one description of outcomes."""

    number: int
    state: str
    on: str
    then: Then
    next: str
    clause: str
    odds: Fraction
    line: str
    share: Fraction


class RowCompiler:
    """Compiles the rows of one wager and pick, or of one phase."""

    def __init__(self, file: str, where: str, outcomes: Outcomes, odds_of: OddsOf | None) -> None:
        """Prepare to compile a wager or, if `odds_of` is None, a phase, which never ends."""
        self.file = file
        self.where = where
        self.outcomes = outcomes
        self.odds_of = odds_of
        self.endings = () if odds_of is None else ("win", "lose", "void")
        self.pays_something = True  # a win that pays nothing is a mistake, unless odds include the stake

    def error(self, row: int | None, reason: str) -> RuleBookError:
        """Return an error that names file, wager and row (rows are numbered from 1)."""
        where = self.where if row is None else f"{self.where}, row {row + 1}"
        return RuleBookError(self.file, where, reason)

    def compile(
        self, rows: list[schema.Row], words: Words, sets: Mapping[str, list[int | str]]
    ) -> dict[str, tuple[Entry, ...]]:
        """Return the table by state. Exactly one row fills each cell, and every row fills at least one."""
        concrete: list[ConcreteRow] = []
        for number, written in enumerate(rows):
            concrete.extend(self._expand(number, written, words, sets))
            if len(concrete) > MOST_ROWS:
                raise self.error(number, f"expands the rows to more than {MOST_ROWS:,}")
        by_state: dict[str, list[ConcreteRow]] = {}
        for row in concrete:
            by_state.setdefault(row.state, []).append(row)
        if len(by_state) * len(self.outcomes) > MOST_CELLS:
            raise self.error(None, f"it has more than {MOST_CELLS:,} cells: states, each with every outcome")
        for row in concrete:
            if row.then == "go" and row.next not in by_state:
                raise self.error(row.number, f'goes to the state "{row.next}", for which no row says what happens')
        return {state: self._fill(state, members) for state, members in by_state.items()}

    def check_reachable(self, machine: Machine) -> None:
        """Refuse states that cannot be reached."""
        for start in machine.starts:
            if start not in machine.table:
                raise self.error(None, f'starts in the state "{start}", for which no row says what happens')
        reached = machine.reachable(machine.starts)
        for state, entries in machine.table.items():
            if state not in reached:
                row = min(entry.row for entry in entries)
                raise self.error(row, f'the state "{state}" can never be reached')

    def _expand(
        self, number: int, row: schema.Row, words: Words, sets: Mapping[str, list[int | str]]
    ) -> Iterator[ConcreteRow]:
        for names in self._each(number, row, sets):
            filled = {**{name: _listed(members) for name, members in sets.items()}, **words, **names}
            then, _, target = self._fill_in(number, row.then, filled).partition(" ")
            if then not in (*self.endings, "go", "stay") or bool(target) != (then == "go"):
                allowed = ", ".join((*self.endings, "stay"))
                raise self.error(number, f'"{row.then}" is not one of {allowed} or "go STATE"')
            yield ConcreteRow(
                number=number,
                state=self._fill_in(number, row.state, filled),
                on=self._fill_in(number, row.on, filled),
                then=then,  # type: ignore[arg-type]  # narrowed just above
                next=target,
                clause=self._fill_in(number, row.clause, filled),
                odds=self._net_odds(number, row, filled) if then == "win" else Fraction(0),
                line=self._line(number, row, filled) if then == "win" else "",
                share=Fraction(row.share) if then == "win" and row.rest == "lost" else Fraction(1),
            )

    def _each(self, number: int, row: schema.Row, sets: Mapping[str, list[int | str]]) -> Iterator[Words]:
        axes: list[list[Words]] = []
        for names, source in row.each.items():
            if isinstance(source, str) and source not in sets:
                raise self.error(number, f'each {names} = "{source}": there is no such set')
            values = sets[source] if isinstance(source, str) else source
            columns = [name.strip() for name in names.split(",")]
            rows = [value if isinstance(value, list) else [value] for value in values]
            if any(len(cells) != len(columns) for cells in rows):
                raise self.error(number, f"each {names}: every entry must have {len(columns)} values")
            axes.append([dict(zip(columns, map(str, cells), strict=True)) for cells in rows])
        if prod(map(len, axes)) > MOST_CROSSED:
            raise self.error(number, f"its lists combine to more than {MOST_CROSSED:,} rows")
        for combination in product(*axes):
            yield {name: value for names in combination for name, value in names.items()}

    def _fill_in(self, number: int, text: str, words: Words) -> str:
        def word(match: re.Match[str]) -> str:
            name, step = match[1], match[2]
            if name not in words:
                raise self.error(number, f'{{{name}}} in "{text}" has no value here')
            if step and not words[name].isdecimal():
                raise self.error(number, f'{{{name}{step}}} in "{text}" counts, but {name} is "{words[name]}"')
            return str(int(words[name]) + int(step)) if step else words[name]

        return _BRACES.sub(word, text)

    def _net_odds(self, number: int, row: schema.Row, words: Words) -> Fraction:
        line = self._line(number, row, words)
        assert self.odds_of is not None, "a phase never wins"
        try:
            odds = sum((self.odds_of(part) for part in line.split(" + ")), Fraction(0))
            share = Fraction(row.share)
        except KeyError:
            raise self.error(number, f'wins, but the pay table has no line "{line}"') from None
        except (ValueError, ZeroDivisionError) as reason:
            raise self.error(number, str(reason)) from None
        if not 0 < share <= 1:
            raise self.error(number, f'"{row.share}" is not a share of the stake')
        net = share * odds - (1 - share if row.rest == "lost" else 0)
        if net <= 0 and self.pays_something:
            raise self.error(number, f'wins, but by the line "{line}" it pays nothing')
        return net

    def _line(self, number: int, row: schema.Row, words: Words) -> str:
        """Return the pay table line that a row names; by default, that of the wager and its pick."""
        if row.pays:
            return self._fill_in(number, row.pays, words)
        return f"{words['wager']} {words['pick']}" if words.get("pick") else words["wager"]

    def _fill(self, state: str, rows: list[ConcreteRow]) -> tuple[Entry, ...]:
        cells: list[ConcreteRow | None] = [None] * len(self.outcomes)
        for row in rows:
            if row.on != OTHERWISE:
                self._claim(cells, row, self._matching(row))
        for row in rows:
            if row.on == OTHERWISE:
                self._claim(cells, row, [i for i, cell in enumerate(cells) if cell is None])
        entries = {id(row): self._entry(row) for row in rows}  # the cells of a row share one entry
        return tuple(entries[id(self._filled(state, i, cell))] for i, cell in enumerate(cells))

    def _matching(self, row: ConcreteRow) -> list[int]:
        try:
            return sorted(self.outcomes.matching(row.on))
        except OutcomeError as reason:
            raise self.error(row.number, str(reason)) from None

    def _claim(self, cells: list[ConcreteRow | None], row: ConcreteRow, outcomes: list[int]) -> None:
        if not outcomes:
            raise self.error(row.number, f'"{row.on}" in the state "{row.state}" can never happen')
        for i in outcomes:
            other = cells[i]
            if other is not None:
                raise self.error(
                    row.number,
                    f'overlaps row {other.number + 1}: both say what {self._show(i)} does in the state "{row.state}"',
                )
            cells[i] = row

    def _filled(self, state: str, outcome: int, row: ConcreteRow | None) -> ConcreteRow:
        if row is None:
            raise self.error(None, f'leaves a gap: no row says what {self._show(outcome)} does in the state "{state}"')
        return row

    def _entry(self, row: ConcreteRow) -> Entry:
        return Entry(row.then, row.clause, row.number, row.next, row.odds, row.line, row.share)

    def _show(self, outcome: int) -> str:
        return " ".join(map(str, self.outcomes.all[outcome]))


def _listed(members: list[int | str]) -> str:
    return " ".join(map(str, members))


def pick_words(wager: str, pick: Pick) -> Words:
    """Return the values of `{wager}` and `{pick}` in the rows."""
    return {"wager": wager, "pick": show_pick(pick)}


# -- picks -------------------------------------------------------------------------------------------------------------


def plain_pick(raw: object) -> Pick:
    """Return a number, a word, or a set of numbers in ascending order; None for anything else."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int | str):
        return raw
    if isinstance(raw, list | tuple) and all(type(member) is int for member in raw):
        return tuple(sorted(raw))
    return None


def typed_pick(text: str | None) -> Pick:
    """Parse a pick as people type it: `6`, `size`, `1,2`, `1 2`, `1-2`."""
    if not text:
        return None
    parts = re.split(r"[\s,-]+", text.strip("[]() "))
    if not all(part.isascii() and part.isdecimal() and len(part) < 9 for part in parts):
        return text
    numbers = tuple(sorted(int(part) for part in parts))
    return numbers if len(numbers) > 1 else numbers[0]


def show_pick(pick: Pick) -> str:
    """Format a pick for people: `6`, `size`, `1 2`; empty if there is none."""
    if isinstance(pick, tuple):
        return " ".join(map(str, pick))
    return "" if pick is None else str(pick)
