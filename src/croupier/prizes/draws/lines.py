"""The lines of a draw's public record, and their exact bytes.

Hashes are taken of these bytes, so the encoding is unambiguous: JSON without blanks, the fields in this order, UTF-8, a
line feed at the end.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

import msgspec

TITLE = "croupier prize draw"
FORMAT = 1
SECRET_BYTES = 32
MOST = 2**53  # limit of all counts: what every JSON reader can represent exactly
MOST_DRAWN_AT_ONCE = 100_000
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?")
HASH = re.compile(r"[0-9a-f]{64}")

Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Number = Annotated[int, msgspec.Meta(ge=1, le=MOST)]
Because = Literal["unclaimed", "declined", "denied"]


class Announcement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is fixed before the first entry: the prizes, the rule, and the digest of the secret.

    `prizes` are drawn in this order, then this many `reserves`. With `one_prize_each` all entries of an entrant are out
    once one of them is drawn; without it only the drawn entry.
    """

    promotion: str
    commitment: str
    prizes: tuple[str, ...]
    reserves: Count = 0
    one_prize_each: bool = True


class Header(Announcement, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line: an announcement, with the title and format of the record."""

    record: str
    format: Count


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry: its number, a pseudonym of the entrant, and its weight."""

    number: Number
    entrant: str
    weight: Number


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entries are closed: their number, and the hash of all lines before this one."""

    closed: Count
    sha256: str


class Shown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The secret, revealed once the entries are closed."""

    secret: str


class Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A draw's prize (None: a reserve) and the drawn entry; None if none was left."""

    draw: Number
    prize: Number | None
    number: Number | None
    entrant: str | None


class Passed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The prize that a draw held goes to another draw: the next reserve, or a further draw if none is left."""

    passed: Number
    to: Number
    because: Because


class Ended(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: the number of lines before it, and the hash of all of them."""

    ended: Count
    sha256: str


Line = Announcement | Entry | Closed | Shown | Draw | Passed | Ended

_encoder = msgspec.json.Encoder()


def written(line: Line) -> bytes:
    """Return the bytes of a line."""
    if isinstance(line, Announcement):
        fields = {name: getattr(line, name) for name in Announcement.__struct_fields__}
        return _encoder.encode({"record": TITLE, "format": FORMAT, **fields}) + b"\n"
    return _encoder.encode(line) + b"\n"


def entry_lines(announced: Announcement, entries: Iterable[Entry]) -> Iterator[bytes]:
    """Yield the lines up to the closing of the entries: the announcement, then every entry."""
    yield written(announced)
    yield from map(written, entries)


def entries_digest(announced: Announcement, entries: Iterable[Entry]) -> str:
    """Return the hash that, with the secret, determines the draw: of the announcement and every entry."""
    hashed = hashlib.sha256()
    for line in entry_lines(announced, entries):
        hashed.update(line)
    return hashed.hexdigest()


def amiss(announced: Announcement) -> str | None:
    """Return what is wrong with an announcement, as a message."""
    if NAME.fullmatch(announced.promotion) is None:
        return "The promotion has no id of up to 64 letters and digits."
    if HASH.fullmatch(announced.commitment) is None:
        return "The commitment is no hash of 64 hexadecimal digits."
    if not announced.prizes or not all(_is_text(prize) for prize in announced.prizes):
        return "There is no prize, or one without a name."
    if not 0 <= announced.reserves <= MOST_DRAWN_AT_ONCE - len(announced.prizes):
        return f"No more than {MOST_DRAWN_AT_ONCE:,} prizes and reserves can be drawn at once."
    return None


def amiss_with(entry: Entry, number: int) -> str | None:
    """Return why this cannot be the entry of that number, as a message."""
    if entry.number != number:
        return f"Entry {number} has the number {entry.number}."
    if NAME.fullmatch(entry.entrant) is None:
        return f"The entrant of entry {number} is no name of up to 64 letters and digits."
    if not 1 <= entry.weight <= MOST:
        return f"The weight of entry {number} is not between 1 and 2⁵³."
    return None


def _is_text(prize: str) -> bool:
    """Return whether it is readable text that every JSON encoder writes in the same way."""
    return bool(prize.strip()) and prize.isprintable()
