"""A document as plain data: sections of words, facts, tables and pictures. Every format is rendered from this.

Figures are already formatted as text here, so that two formats of one document cannot disagree.
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
    """A table cell: a text, and a second one in small print under it."""

    text: str
    small: str = ""


class Column(msgspec.Struct, frozen=True):
    """The head of a column. Figures are right-aligned, words left-aligned.

    `share` is its part of the remaining width; zero makes the column as wide as its content.
    """

    name: str
    align: Literal["left", "right"] = "right"
    share: int = 0


class Table(msgspec.Struct, frozen=True, tag="table"):
    """Rows under column heads. Without a caption the table belongs to what is above it.

    On paper a short table stays on one page and a long one starts a new page, unless it `flows`.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    flows: bool = False


class Facts(msgspec.Struct, frozen=True, tag="facts"):
    """Labels with their texts; a fact may take several lines."""

    rows: tuple[tuple[str, tuple[str, ...]], ...]


class Words(msgspec.Struct, frozen=True, tag="words"):
    """Paragraphs."""

    paragraphs: tuple[str, ...]


class Picture(msgspec.Struct, frozen=True):
    """A drawing with its caption: a headline, and a note."""

    drawing: Drawing
    headline: str
    note: str = ""


class Pictures(msgspec.Struct, frozen=True, tag="pictures"):
    """Pictures side by side, up to `across` in a row."""

    pictures: tuple[Picture, ...]
    across: int


class Tables(msgspec.Struct, frozen=True, tag="tables"):
    """Small tables side by side, up to `across` in a row."""

    tables: tuple[Table, ...]
    across: int


class Group(msgspec.Struct, frozen=True, tag="group"):
    """Related parts under their own heading."""

    title: str
    aside: str
    parts: tuple[Facts | Table, ...]


Part = Words | Facts | Table | Pictures | Tables | Group


class Section(msgspec.Struct, frozen=True):
    """A heading and its parts; on paper `together` keeps it on one page."""

    title: str
    parts: tuple[Part, ...]
    together: bool = False


class Document(msgspec.Struct, frozen=True):
    """A whole document: title block, sections, closing remark, and the footer of every page."""

    kind: str
    title: str
    identity: Facts
    sections: tuple[Section, ...]
    closing: str
    foot: str


# The digest of a book identifies the exact text that a document was computed from. It covers the parsed content of the
# TOML files, not their bytes: comments, line endings, the order of keys and the split into files do not change it; a
# pay line, a clause number or a word of a reading does. It includes what the book inherits from the book it extends,
# and the readings shared by several books that concern it.

FILES = (*RULES_FILES, "clauses.toml", "layout.toml", "readings.toml", "rivals.toml", "studies.toml")


def digest(book: Book) -> str:
    """SHA-256 of the book's content, in hexadecimal."""
    content = {"book": book.tree(*FILES), "common": _common(book)}
    # Dates are the only values in a book that JSON cannot represent.
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)
    return sha256(text.encode("ascii")).hexdigest()


def _common(book: Book) -> Tree:
    """The content shared by several books, as far as it concerns this one."""
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
