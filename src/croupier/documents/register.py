"""A register on paper, as a plain document: its subject, its rows, and the digest that identifies a file of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from croupier.documents.document import Cell, Column, Document, Facts, Section, Table, Words

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


def _column(column: Printed, cells: Sequence[tuple[str, str]]) -> Column:
    is_long = column.id != NEVER_LONG and any(max(map(len, map(printable, cell))) > LONG for cell in cells)
    share = SHARES.get(column.id, LONG_SHARE if is_long else 0)
    return Column(column.name, "right" if column.is_figure else "left", share)


def _about_cuts(rows: Sequence[Sequence[tuple[str, str]]]) -> str:
    most = (MOST_IN_A_CELL, MOST_IN_SMALL)
    cut = any(
        len(printable(text)) > room for row in rows for cell in row for text, room in zip(cell, most, strict=True)
    )
    return f" What ends in {CUT} stands there in full." if cut else ""


def printable(text: str) -> str:
    """Replace characters that the font lacks by their code points."""
    return _UNPRINTABLE.sub(lambda found: f"[U+{ord(found[0]):04X}]", text)


def _fit(text: str, most: int) -> str:
    """Truncate a text so that its row stays on the page, and add line-break opportunities."""
    whole = printable(text)
    cut = whole if len(whole) <= most else whole[: most - 1] + CUT
    return _LONG_WORD.sub(lambda found: _BREAK.join(found[0]), cut)
