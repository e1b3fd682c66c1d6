"""Registers as files: CSV that is safe in spreadsheets, and PDF for print. Also registers that follow a store.

The same register makes the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from croupier.documents.document import Cell, Document, Facts, Section, Table, Words
from croupier.documents.document import Column as PaperColumn
from croupier.documents.rendering import pdf_of
from croupier.documents.wording import day
from croupier.house.registers import STREAMS, Registers
from croupier.house.registers.register_rows import Column, Register
from croupier.house.reporting.reports import Row, csv_text
from croupier.house.stored_events import read
from croupier.rules.errors import RuleBookError
from croupier.rules.shelf import Shelf
from croupier.store.contract import CorruptStore, Reading
from croupier.store.records import Record
from croupier.store.view import PAGE

# A spreadsheet would run such text as a formula, and people may write anything; plain numbers are safe.
_FORMULA = re.compile(r"[=+@\t\r-]")
_OFFSET = len("2026-11-15 12:00:00")  # characters of a time, before its zone
_FIGURE = re.compile(r"-?[0-9]+(\.[0-9]+)?", re.ASCII)


def name_of_file(register: Register, ending: str) -> str:
    """Return the name of a register's file."""
    return f"{register.id}-{register.period.replace('/', '_')}.{ending}"


def csv_of(register: Register) -> bytes:
    """Return the register as CSV: every row in full with its period; only a header if it is empty."""
    period = register.period if register.so_far is None else f"{register.period}, {register.so_far}"
    names = ["period", *(column.id for column in register.columns)]
    rows: list[Row] = [dict(zip(names, [period, *map(_safe, row)], strict=True)) for row in register.rows]
    return (csv_text(rows) or ",".join(names) + "\n").encode()


def _safe(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) and not _FIGURE.fullmatch(cell) else cell


def pdf_of_register(register: Register, house: str | None) -> bytes:
    """Return the register as PDF, with the digest of its CSV. Raises ImportError without Typst."""
    wide = [column for column in register.columns if column.under is None]
    small = {column.under: column for column in register.columns if column.under is not None}
    places = {column.id: place for place, column in enumerate(register.columns)}
    return pdf_of(
        register_sheet(
            title=register.title,
            facts=_facts(register, house),
            columns=[_printed(column, small.get(column.id)) for column in wide],
            rows=[[_cell(row, column, small.get(column.id), places) for column in wide] for row in register.rows],
            digest=sha256(csv_of(register)).hexdigest(),
            foot=f"{register.title} · {register.period}",
        )
    )


def _cell(row: Sequence[str], column: Column, small: Column | None, places: dict[str, int]) -> tuple[str, str]:
    """Return a text and the small print under it; for a time, its zone."""
    text = row[places[column.id]]
    if column.id == "when":
        return text[:_OFFSET], text[_OFFSET:]
    return text, "" if small is None else row[places[small.id]]


def _printed(column: Column, small: Column | None) -> Printed:
    name = column.name if small is None else f"{column.name}, {small.name.lower()}"
    return Printed(column.id, name, column.is_figure)


def _facts(register: Register, house: str | None) -> Sequence[tuple[str, Sequence[str]]]:
    days = {register.first: None, register.last: None}
    period = " to ".join(map(day, days))
    clauses = [f"{book}: {', '.join(cited)}" for book, cited in register.clauses.items()]
    facts = [
        ("House", [house] if house else []),
        ("Period", [f"{period}, by the clock of each table"]),
        ("", [f"The period is not over: {register.so_far}."] if register.so_far else []),
        ("What it is", [register.purpose]),
        ("Clauses", clauses),
        ("Entries", [f"{len(register.rows):,}"] if register.rows else []),
    ]
    return [(label, said) for label, said in facts if said]


# Registers of a store: read page by page, and the names kept apart from its events

VAULT = "claimant/"  # vault prefix of claimants' names and addresses


class Claimant(msgspec.Struct, frozen=True):
    """The person who made a claim."""

    name: str
    address: str


class Followed:
    """The registers of a store, read incrementally."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._begin()

    def _begin(self) -> None:
        self._registers = Registers(self._shelf)
        self._read: dict[str, int] = {}

    def up_to(self, view: Reading) -> Registers:
        """Return the registers up to a view. Raises StoreError, and RuleBookError if a book is missing."""
        for head in view.heads():
            if head.stream.startswith(STREAMS):
                self._go_on(view, head.stream)
        return self._registers

    def _go_on(self, view: Reading, stream: str) -> None:
        while records := view.read(stream, self._read.get(stream, 0), PAGE):
            try:
                self.take_in(stream, records)
            except RuleBookError:  # the stream is fine: its book is unavailable
                self._begin()
                raise
            except Exception as error:  # the hashes are right, and the content is still invalid
                self._begin()  # start over: the stream may be partly entered
                first, last = records[0].version, records[-1].version
                say = f"{view.name} is damaged: events {first} to {last} of {stream} cannot be understood: {error}"
                raise CorruptStore(f"{say.rstrip('.')}.", stream, first) from error

    def take_in(self, stream: str, records: list[Record]) -> Registers:
        """Continue with verified records of a stream."""
        self._registers.take_in(stream, list(map(read, records)))
        self._read[stream] = records[-1].version
        return self._registers


def claimants_of(view: Reading) -> dict[tuple[str, str], tuple[str, str]]:
    """Return names and addresses of claimants, by promotion and claim. Raises StoreError."""
    found = {}
    for secret in view.secrets(VAULT):
        promotion, _, claim = secret.name.removeprefix(VAULT).partition("/")
        if secret.value is not None:
            try:
                one = msgspec.json.decode(secret.value, type=Claimant)
            except msgspec.MsgspecError:
                raise CorruptStore(f"{view.name} is damaged: the claimant of {claim} cannot be read.") from None
            found[promotion, claim] = (one.name, one.address)
    return found


# A register on paper

KIND, HEADING = "Register", "Entries"
NOTHING = "There is nothing to report for this period."
MOST_IN_A_CELL, MOST_IN_SMALL = 300, 150  # letters on paper: limits that keep a row on its page
MOST_IN_A_WORD = 16  # letters without a line break
CUT = "…"

# The characters that the font has. Others are printed as code points, so that no name is silently changed.
_UNPRINTABLE = re.compile(
    "[^\u0020-\u007e\u00a0-\u024f\u0386-\u03ff\u0400-\u045f\u1e00-\u1eff\u2010-\u2027\u20a0-\u20bf]"
)
_LONG_WORD = re.compile(rf"\S{{{MOST_IN_A_WORD},}}")
_BREAK = "\u200b"  # zero-width space: an invisible line break
# Width shares by column; other columns are as wide as their content, if that is short.
SHARES = {"what": 5, "sign": 4, "address": 3, "name": 3, "reason": 3, "decision": 3, "about": 2, "before": 2, "now": 2}
LONG, LONG_SHARE = 16, 2  # longer texts than this are long, and get this share
NEVER_LONG = "when"


class Printed(NamedTuple):
    """A column on paper: its id, its heading, and whether it holds figures."""

    id: str
    name: str
    is_figure: bool


def register_sheet(
    *,
    title: str,
    facts: Sequence[tuple[str, Sequence[str]]],
    columns: Sequence[Printed],
    rows: Sequence[Sequence[tuple[str, str]]],
    digest: str,
    foot: str,
) -> Document:
    """Build the document. A cell is a text and another in small print, which may be empty."""
    table = Table(
        columns=tuple(_column(one, [row[place] for row in rows]) for place, one in enumerate(columns)),
        rows=tuple(
            tuple(Cell(_fit(text, MOST_IN_A_CELL), _fit(small, MOST_IN_SMALL)) for text, small in row) for row in rows
        ),
        flows=True,
    )
    body: Section = Section(HEADING, (table,)) if rows else Section(HEADING, (Words((NOTHING,)),))
    return Document(
        kind=KIND,
        title=title,
        identity=Facts(tuple((label, tuple(map(printable, said))) for label, said in facts)),
        sections=(body,),
        closing=f"SHA-256 of the same register as CSV: {digest}.{_about_cuts(rows)}",
        foot=f"{foot} · SHA-256 {digest[:16]}",
    )


def _column(column: Printed, cells: Sequence[tuple[str, str]]) -> PaperColumn:
    is_long = column.id != NEVER_LONG and any(max(map(len, map(printable, cell))) > LONG for cell in cells)
    share = SHARES.get(column.id, LONG_SHARE if is_long else 0)
    return PaperColumn(column.name, "right" if column.is_figure else "left", share)


def _about_cuts(rows: Sequence[Sequence[tuple[str, str]]]) -> str:
    most = (MOST_IN_A_CELL, MOST_IN_SMALL)
    cut = any(
        len(printable(text)) > room for row in rows for cell in row for text, room in zip(cell, most, strict=True)
    )
    return f" Texts that end in {CUT} are complete there." if cut else ""


def printable(text: str) -> str:
    """Replace characters that the font lacks by their code points."""
    return _UNPRINTABLE.sub(lambda found: f"[U+{ord(found[0]):04X}]", text)


def _fit(text: str, most: int) -> str:
    """Truncate a text so that its row stays on the page, and add line-break opportunities."""
    whole = printable(text)
    cut = whole if len(whole) <= most else whole[: most - 1] + CUT
    return _LONG_WORD.sub(lambda found: _BREAK.join(found[0]), cut)
