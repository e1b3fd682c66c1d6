"""Rows of registers, before a period is chosen and after: the first know moments, the second are text."""

from __future__ import annotations

from datetime import date, datetime

import msgspec

from croupier.house.documents import Entry, moment
from croupier.house.registers.kinds import Column
from croupier.table.clock import local, named

Cell = str | datetime  # a time is written by the clock of the row

HOUSE = "the house"  # who acts where nobody does, and where it is that is at no table
KEPT_APART = "kept apart"  # names and addresses that are nobody's business here
NOT_KEPT = "not kept"


class Row(msgspec.Struct, frozen=True, gc=False):
    """Something that belongs into a register. Without a zone it happened by the clock of the house.

    `claim` is the claim whose name and address are kept apart, where the row has a place for them.
    """

    register: str
    at: datetime
    stream: str
    version: int
    where: str
    what: str
    zone: str | None = None
    book: str | None = None
    clause: str | None = None
    who: str | None = None
    title: str | None = None
    cells: dict[str, Cell] = {}
    claim: str | None = None


class Register(msgspec.Struct, frozen=True):
    """A register of a period, ready to be read: columns, and rows of text. `so_far` says how far it goes if not over.

    `clauses` are what the books say that it is kept for, book by book.
    """

    id: str
    title: str
    purpose: str
    period: str
    first: date
    last: date
    so_far: str | None
    clauses: dict[str, tuple[str, ...]]
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


def row_of(register: str, entry: Entry, stream: str, where: str, what: str, **more: object) -> Row:
    """A row of what was stored: when, and by whom in which title."""
    document = entry.document
    given = {"who": document.who, "title": document.role, **more}
    return Row(register, moment(document.at), stream, entry.version, where, what, **given)  # type: ignore[arg-type]


def written(cell: Cell, zone: str) -> str:
    """A cell as text that can be seen: a time with its zone, how far that is from universal time and its name."""
    if isinstance(cell, datetime):
        return f"{local(cell, zone).isoformat(sep=' ', timespec='seconds')} {named(cell, zone)}"
    return cell if cell.isprintable() else "".join(mark if mark.isprintable() else " " for mark in cell)
