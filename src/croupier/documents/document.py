"""A document as plain data: sections of words, facts, tables and pictures. Every form of it is laid out from this.

What a figure looks like in print is settled here already, as text, so that two forms of one document cannot disagree.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Literal, cast

import msgspec

from croupier import rulebooks
from croupier.documents.charts import Drawing
from croupier.rules.book import Book
from croupier.rules.loading import RULES_FILES, Tree, read_toml


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


# -- digest -----------------------------------------------------------------------------------------------------------
# The digest of a book: a number for its whole content, so that a sheet says which text it was computed from. It is
# taken from what the TOML files say and not from their bytes. Comments, line ends, the order of keys and the
# division into files do not change it; a pay line, a clause number or a word of a reading does. What the book takes
# over from the book it extends is part of it, and so are the readings common to several books that concern it.

FILES = (*RULES_FILES, "clauses.toml", "layout.toml", "readings.toml", "rivals.toml", "studies.toml")


def digest(book: Book) -> str:
    """SHA-256 of the book's content, in hexadecimal."""
    content = {"book": book.tree(*FILES), "common": _common(book)}
    # A date is the only thing in a book that JSON does not know.
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)
    return sha256(text.encode("ascii")).hexdigest()


def _common(book: Book) -> Tree:
    """What is written once for several books, as far as it concerns this one."""
    ids = {reading.id for reading in book.common_readings}
    files = {part: read_toml(rulebooks.HERE / f"common-{part}.toml") for part in ("readings", "rivals", "studies")}
    readings = cast(list[Tree], files["readings"]["readings"])
    studies = cast(list[Tree], files["studies"]["studies"])
    rivals = cast(Tree, files["rivals"]["rivals"])
    return {
        "readings": [item for item in readings if item["id"] in ids],
        "studies": [item for item in studies if _reading_id(str(item["reading"])) in ids],
        "rivals": {name: change for name, change in rivals.items() if _reading_id(name) in ids},
    }


def _reading_id(name: str) -> str:
    return name.split(" ")[0]
