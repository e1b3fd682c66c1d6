"""The digest of a book: a number for its whole content, so that a sheet says which text it was computed from.

It is taken from what the TOML files say and not from their bytes. Comments, line ends, the order of keys and the
division into files do not change it; a pay line, a clause number or a word of a reading does. What the book takes over
from the book it extends is part of it, and so are the readings common to several books that concern it.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import cast

from croupier import rulebooks
from croupier.rules.book import Book
from croupier.rules.loading import RULES_FILES, Tree, read_toml

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
