"""Registers as files: CSV that is safe in spreadsheets, and PDF for print. And registers that follow a store.

The same register makes the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

import msgspec

from croupier.documents import register as sheet
from croupier.documents.rendering import pdf_of
from croupier.documents.wording import day
from croupier.house.registers.kinds import Column
from croupier.house.registers.registers import STREAMS, Registers
from croupier.house.registers.rows import Register
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
        sheet.register_sheet(
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


def _printed(column: Column, small: Column | None) -> sheet.Printed:
    name = column.name if small is None else f"{column.name}, {small.name.lower()}"
    return sheet.Printed(column.id, name, column.is_figure)


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
