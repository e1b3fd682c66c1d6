"""A document as plain data: sections of words, facts, tables and pictures. Every form of it is laid out from this.

What a figure looks like in print is settled here already, as text, so that two forms of one document cannot disagree.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.sheets.charts import Drawing


class Cell(msgspec.Struct, frozen=True):
    """What stands in a table: a text, and in small print under it a second one."""

    text: str
    small: str = ""


class Column(msgspec.Struct, frozen=True):
    """The head of a column. Figures stand on the right, words on the left.

    `share` is its part in the room that is left over; with none the column is as wide as what stands in it.
    """

    name: str
    align: Literal["left", "right"] = "right"
    share: int = 0


class Table(msgspec.Struct, frozen=True, tag="table"):
    """Rows under the heads of their columns. Without a caption it belongs to what stands above it.

    On paper a short one stays on one page and a long one begins on a page of its own, unless it `flows`.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    flows: bool = False


class Facts(msgspec.Struct, frozen=True, tag="facts"):
    """Labels, each with what is to be said; a fact may take several lines."""

    rows: tuple[tuple[str, tuple[str, ...]], ...]


class Words(msgspec.Struct, frozen=True, tag="words"):
    """Paragraphs."""

    paragraphs: tuple[str, ...]


class Picture(msgspec.Struct, frozen=True):
    """A drawing with its caption: a headline, and what else there is to say."""

    drawing: Drawing
    headline: str
    note: str = ""


class Pictures(msgspec.Struct, frozen=True, tag="pictures"):
    """Pictures side by side, so many across where there is room."""

    pictures: tuple[Picture, ...]
    across: int


class Tables(msgspec.Struct, frozen=True, tag="tables"):
    """Small tables side by side."""

    tables: tuple[Table, ...]
    across: int


class Group(msgspec.Struct, frozen=True, tag="group"):
    """Things that belong together, under a heading of their own."""

    title: str
    aside: str
    parts: tuple[Facts | Table, ...]


Part = Words | Facts | Table | Pictures | Tables | Group


class Section(msgspec.Struct, frozen=True):
    """A heading and what stands under it; on paper `together` keeps it on one page."""

    title: str
    parts: tuple[Part, ...]
    together: bool = False


class Document(msgspec.Struct, frozen=True):
    """The whole: title block, sections, and the line that stands at the foot of every page."""

    kind: str
    title: str
    identity: Facts
    sections: tuple[Section, ...]
    closing: str
    foot: str
