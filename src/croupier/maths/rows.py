"""The figures of a book, one row for every wager, pick, approved pay-table value and reading.

The reading taken is the book itself. Rival readings come from two places: `rivals.toml`, which are played as books, and
`studies.toml`, about matters that no machine plays, such as commission or rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import cached_property
from itertools import product

import msgspec

from croupier.maths.chain import NeverDecided
from croupier.maths.figures import Figures, Life, Lives, studied, taken_instead, valued
from croupier.maths.plan import Staked
from croupier.money import format_cents
from croupier.rules import offers, schema
from croupier.rules.book import Book, shown_value
from croupier.rules.errors import RuleBookError
from croupier.rules.game import WHOLE_TABLE, Terms, choice_id
from croupier.rules.machine import Machine, Pick, show_pick
from croupier.rules.shelf import Shelf


class FigureRow(msgspec.Struct, frozen=True):
    """One wager under one reading, with its figures. `taken_ev` is the expected value under the reading taken.

    `refused`: under the reading taken the wager cannot be made this way, so nothing is won or lost.
    """

    book: str
    wager: str
    name: str
    clause: str
    pick: Pick
    pay_table: str | None
    reading: str | None
    taken: bool
    situation: str | None
    start: str
    figures: Figures
    taken_ev: Fraction
    stake: int | None = None
    chip: int | None = None
    refused: bool = False

    @property
    def cost(self) -> Fraction:
        """The gain to the player from the rival reading over the reading taken, per unit staked."""
        return self.figures.ev - self.taken_ev


class WagerCase(msgspec.Struct, frozen=True):
    """A wager that can be made: its start, and the pay-table choices that it depends on."""

    wager: str
    pick: Pick
    start: str
    shown_pick: Pick
    pay_table: str | None
    terms: Terms


class Analysis:
    """All rows of one book."""

    def __init__(self, shelf: Shelf, book_id: str) -> None:
        self.shelf = shelf
        self.book = shelf.book(book_id)
        self._lives: dict[Terms, Lives] = {}
        self._concerned: dict[tuple[str, str], bool] = {}
        self._cases: dict[tuple[str, tuple[str, ...]], list[WagerCase]] = {}

    @cached_property
    def rivals(self) -> list[str]:
        """The playable rival readings. A rival inherited from the base may not fit an extended book."""
        if self.book.base is None:
            return self.book.rivals
        return [rival for rival in self.book.rivals if rival in self.book.own_rivals or self._compiles(rival)]

    def _compiles(self, rival: str) -> bool:
        try:
            list(self.shelf.game(self.shelf.terms(self.book.id, None, (rival,))).machines())
        except RuleBookError:
            return False
        return True

    def _has_all(self, study: schema.Study) -> bool:
        """Whether the book, which may have changed them, still has the rivals and wagers that a study needs."""
        parts = all(
            part.wager in self.book.wagers and part.pick in self.book.picks(self.book.wagers[part.wager])
            for part in study.parts
        )
        return parts and set(study.over) <= set(self.rivals)

    def lives(self, terms: Terms) -> Lives:
        """The wagers of one game, each solved once."""
        if terms not in self._lives:
            self._lives[terms] = Lives(self.shelf.game(terms))
        return self._lives[terms]

    def rows(self, wager_id: str | None = None, staked: Staked | None = None) -> Iterator[FigureRow]:
        """The rows of a book, or of one wager. At a real stake, skip studies, which set their own stake."""
        for wager in self.book.rules.wagers:
            if wager_id is None or wager.id == wager_id:
                yield from self._taken_rows(wager, staked)
                yield from self._rival_rows(wager, staked)
                if staked is None:
                    yield from self._studied_rows(wager)

    def _taken_rows(self, wager: schema.Wager, staked: Staked | None) -> Iterator[FigureRow]:
        readings: list[str | None] = [*self.own_readings(wager.id)]
        for case in self.cases(wager.id, ()):
            figures = self.figures(case, staked)
            for reading in readings or [None]:
                yield staked_at(self._row(case, reading, figures, figures.ev, taken=True), staked)

    def _rival_rows(self, wager: schema.Wager, staked: Staked | None) -> Iterator[FigureRow]:
        for rival in self.rivals:
            if self.concerns(rival, wager.id) and not self.book.is_studied(rival):
                for case in self._decided_cases(wager.id, rival):
                    figures = self.figures(case, staked)
                    row = self._row(case, rival, figures, self._taken_ev(case, staked), taken=False)
                    yield staked_at(row, staked)

    def _decided_cases(self, wager_id: str, rival: str) -> list[WagerCase]:
        """The ways to make a wager under a rival reading; none if it would never be decided."""
        try:
            return self.cases(wager_id, (rival,))
        except NeverDecided:
            return []

    def _studied_rows(self, wager: schema.Wager) -> Iterator[FigureRow]:
        for study in self.book.studies:
            if study.concerns(wager) and self._has_all(study):
                yield from self._study_rows(study, wager)

    def figures(self, case: WagerCase, staked: Staked | None = None) -> Figures:
        """The figures of a case as its game plays it."""
        return valued(self.lives(case.terms), case.wager, case.pick, case.start, staked)

    def _row(
        self, case: WagerCase, reading: str | None, figures: Figures, taken_ev: Fraction, taken: bool
    ) -> FigureRow:
        wager = self.shelf.game(case.terms).wager(case.wager)
        return FigureRow(
            book=self.book.id,
            wager=wager.id,
            name=wager.name,
            clause=wager.clause,
            pick=case.shown_pick,
            pay_table=case.pay_table,
            reading=reading,
            taken=taken,
            situation=None,
            start=case.start,
            figures=figures,
            taken_ev=taken_ev,
        )

    def _taken_ev(self, case: WagerCase, staked: Staked | None) -> Fraction:
        """The expected value under the reading taken of the same wager and pick, or of its first pick."""
        plain = self.cases(case.wager, ())
        same = [other for other in plain if (other.shown_pick, other.pay_table) == (case.shown_pick, case.pay_table)]
        return self.figures((same or plain)[0], staked).ev

    def _study_rows(self, study: schema.Study, wager: schema.Wager) -> Iterator[FigureRow]:
        for case in self.cases(wager.id, tuple(study.over), tuple(study.starts)):
            lives = self.lives(case.terms)
            try:
                figures = studied(lives, study, case.wager, case.pick, case.start)
            except NeverDecided:
                continue  # the wager is never decided, so there is nothing to compute
            if figures is not None:
                if study.over:  # based on another rival: the reading taken is the plain book
                    taken_ev = self._taken_ev(case, None)
                else:
                    taken_ev = taken_instead(lives, study, case.wager, case.pick, case.start).ev
                row = self._row(case, study.reading, figures, taken_ev, taken=False)
                refused = bool(study.starts) and study.rival.ends is None and study.taken.ends == "void"
                yield msgspec.structs.replace(row, situation=study.situation, refused=refused)

    def never_decided(self) -> list[str]:
        """The rival readings under which no wager is ever decided, so there is nothing to compute."""
        lives = self.lives(self.shelf.terms(self.book.id))
        found = [rival for rival in self.rivals if self._never_decides(rival)]
        for study in self.book.studies:
            wager = next((w for w in self.book.rules.wagers if study.concerns(w)), None)
            if wager is None or study.starts or study.over or not self._has_all(study):
                continue
            machine = lives.game.machine(wager.id, self.book.picks(wager)[0])
            try:
                studied(lives, study, wager.id, machine.pick, machine.starts[0])
            except NeverDecided:
                found.append(study.reading)
        return found

    def _never_decides(self, rival: str) -> bool:
        concerned = [wager.id for wager in self.book.rules.wagers if self.concerns(rival, wager.id)]
        return bool(concerned) and not any(self._decided_cases(wager, rival) for wager in concerned)

    def own_readings(self, wager_id: str) -> list[str]:
        """The readings that apply to the wager itself: those with a rival way to play it."""
        rivals = [rival for rival in self.rivals if self.concerns(rival, wager_id)]
        rivals += [s.reading for s in self.book.studies if not s.situation and wager_id in s.wagers]  # named explicitly
        common = {reading.id for reading in self.book.common_readings}
        ids = dict.fromkeys(rival.split(" ")[0] for rival in rivals)
        return [reading for reading in ids if reading not in common]

    def concerns(self, rival: str, wager_id: str) -> bool:
        """Whether a rival reading changes a wager."""
        key = (rival, wager_id)
        if key not in self._concerned:
            self._concerned[key] = self._is_concerned(rival, wager_id)
        return self._concerned[key]

    def _is_concerned(self, rival: str, wager_id: str) -> bool:
        change = self.book.rival(rival)
        named = {wager["id"] for wager in change.get("wagers", [])}  # type: ignore[attr-defined]
        if wager_id in named or set(change) == {"wagers"}:
            return wager_id in named
        return not self._same_machines(rival, wager_id)

    def _same_machines(self, rival: str, wager_id: str) -> bool:
        plain, other = (self.shelf.game(self.shelf.terms(self.book.id, None, readings)) for readings in ((), (rival,)))
        return all(
            plain.machine(wager_id, pick).table == other.machine(wager_id, pick).table
            for pick in plain.book.picks(plain.wager(wager_id))
        )

    def cases(self, wager_id: str, readings: tuple[str, ...], starts: tuple[str, ...] = ()) -> list[WagerCase]:
        """Every way to make the wager; `starts` are patterns of states that money joins instead."""
        key = (wager_id, (*readings, "", *starts))
        if key not in self._cases:
            self._cases[key] = self._find_cases(wager_id, readings, starts)
        return self._cases[key]

    def _find_cases(self, wager_id: str, readings: tuple[str, ...], starts: tuple[str, ...]) -> list[WagerCase]:
        book = self.shelf.book(self.book.id, readings)
        wager = book.wagers[wager_id]
        default = self.shelf.terms(book.id, None, readings)
        found: list[WagerCase] = []
        for pick in book.picks(wager):
            machine = self.shelf.game(default).machine(wager_id, pick)
            for pay_table, terms in pay_tables(book, machine, default):
                for state, shown in ways_to_begin(self.lives(terms), wager, pick, starts):
                    found.append(WagerCase(wager_id, pick, state, shown, pay_table, terms))
        return found


def fits(row: FigureRow, chosen: Mapping[str, str]) -> bool:
    """Return whether a row applies to the chosen pay table; rows that depend on no choice always do."""
    for part in (row.pay_table or "").split():
        name, equals, option = part.partition("=")
        if chosen[name if equals else WHOLE_TABLE] != (option if equals else part):
            return False
    return True


def staked_at(row: FigureRow, staked: Staked | None) -> FigureRow:
    """Return the row with its stake and chip filled in."""
    return row if staked is None else msgspec.structs.replace(row, stake=staked.stake, chip=staked.chip)


def ways_to_begin(
    lives: Lives, wager: schema.Wager, pick: Pick, patterns: tuple[str, ...] = ()
) -> Iterator[tuple[str, Pick]]:
    """The states in which a wager can begin, each with the pick shown; `patterns` name other states to join."""
    states = machine_starts(lives.game.machine(wager.id, pick), patterns)
    seen: list[tuple[Pick, Life]] = []
    for state in states:
        shown = shown_pick(lives.game.book, wager, pick, state) if patterns or len(states) > 1 else pick
        way = (shown, lives.life(wager.id, pick, state))
        if way not in seen:  # Small and Big, Odd and Even: both sides are equal
            seen.append(way)
            yield state, shown


def machine_starts(machine: Machine, patterns: tuple[str, ...]) -> list[str]:
    """The states in which a wager begins, or the states matching `patterns` that money joins instead."""
    if not patterns:
        return list(machine.starts)
    return [state for state in machine.table if any(fnmatchcase(state, pattern) for pattern in patterns)]


def shown_pick(book: Book, wager: schema.Wager, pick: Pick, state: str) -> Pick:
    """The pick shown: a wager without one that begins on a point, or has travelled, shows its number."""
    if pick is not None or wager.can_move:
        return offers.shown_pick(wager, pick, state)
    phase = offers.start_phase(wager, pick)
    return shown_value(book.phases[phase].shows if phase else None, state)


def pay_tables(book: Book, machine: Machine, default: Terms) -> Iterator[tuple[str | None, Terms]]:
    """The approved pay-table values that a wager depends on, as `--pay-table` takes them, each with its terms."""
    lines = {line for entries in machine.table.values() for entry in entries for line in entry.lines}
    choices = [
        choice
        for choice in book.rules.pay_table.choices
        if not choice.key or any(lines & set(option) for option in choice.options.values())
    ]
    if not choices:
        yield None, default
        return
    for options in product(*(choice.options for choice in choices)):
        chosen = {choice_id(choice): option for choice, option in zip(choices, options, strict=True)}
        names = [option if name == WHOLE_TABLE else f"{name}={option}" for name, option in chosen.items()]
        terms = msgspec.structs.replace(default, choices=tuple({**dict(default.choices), **chosen}.items()))
        yield " ".join(names), terms


# Rows as plain values for JSON, CSV and Parquet; fractions become text only here

PLAIN_COLUMNS = (
    *("book", "wager", "pick", "pay_table", "reading", "taken", "p_win", "p_lose", "p_void", "ev", "variance", "rolls"),
    *("house_edge", "name", "clause", "situation", "start", "taken_ev", "cost", "edge_decided", "edge_outlay"),
    *("commission", "sd", "third_moment", "skewness", "rolls_variance", "table_rolls", "stake", "chip"),
)


def as_object(row: FigureRow) -> dict[str, object]:
    """A row as JSON: exact fractions as text, percentages and roots as numbers."""
    made = row.figures
    return {
        "book": row.book,
        "wager": row.wager,
        "pick": row.pick,
        "pay_table": row.pay_table,
        "reading": row.reading,
        "taken": row.taken,
        "p_win": str(made.chance("win")),
        "p_lose": str(made.chance("lose")),
        "p_void": str(made.chance("void")),
        "ev": str(made.ev),
        "variance": str(made.variance),
        "rolls": str(made.rolls),
        "house_edge": float(100 * made.edge),
        "name": row.name,
        "clause": row.clause,
        "situation": row.situation,
        "start": row.start,
        "taken_ev": str(row.taken_ev),
        "cost": str(row.cost),
        "edge_decided": None if made.edge_decided is None else str(made.edge_decided),
        "edge_outlay": str(made.edge_outlay),
        "commission": str(made.commission),
        "sd": made.sd,
        "third_moment": str(made.third_moment),
        "skewness": made.skewness,
        "rolls_variance": str(made.rolls_variance),
        "table_rolls": None if made.table_rolls is None else str(made.table_rolls),
        "stake": None if row.stake is None else format_cents(row.stake),
        "chip": None if row.chip is None else format_cents(row.chip),
        "net": [[str(net), str(chance)] for net, chance in made.net.items()],
        "lengths": [[throws, str(chance)] for throws, chance in made.lengths],
    }


def as_record(row: FigureRow) -> dict[str, object]:
    """A row for a table of columns: the pick is text, and distributions are omitted."""
    plain = as_object(row)
    return {**{column: plain[column] for column in PLAIN_COLUMNS}, "pick": show_pick(row.pick) or None}


def percent(share: Fraction, places: int = 4) -> str:
    """A share as a percentage with fixed places, rounded half to even in exact arithmetic: `1.4141%`."""
    scaled = round(100 * share * 10**places)
    sign, digits = "-" if scaled < 0 else "", f"{abs(scaled):0{places + 1}d}"
    return f"{sign}{digits[:-places]}.{digits[-places:]}%" if places else f"{sign}{digits}%"
