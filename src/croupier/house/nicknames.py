"""Nicknames: what people are called on pages. No identity: two may have the same, and anyone may change theirs."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

MOST_LETTERS = 24
LEAST_LETTERS = 2
BESIDE = " .'-_"  # allowed between letters and digits
RESERVED = (
    "boxer",
    "boxperson",
    "croupier",
    "dealer",
    "guest",
    "house",
    "inspector",
    "manager",
    "operator",
    "supervisor",
)
BAD_NICKNAME = (
    f"A nickname has {LEAST_LETTERS} to {MOST_LETTERS} letters and digits, with single spaces, dots, hyphens and "
    "apostrophes between them, and cannot be a title of the house."
)

_HOW = (
    *("Amber", "Bold", "Brisk", "Calm", "Clever", "Copper", "Coral", "Dapper", "Eager", "Fair", "Golden", "Happy"),
    *("Jolly", "Keen", "Lively", "Lucky", "Mellow", "Merry", "Nimble", "Plucky", "Quick", "Quiet", "Scarlet", "Silver"),
    *("Steady", "Sunny", "Swift", "Tidy", "Velvet", "Witty", "Wry", "Zesty"),
)
_WHO = (
    *(
        "Badger",
        "Bilby",
        "Cockatoo",
        "Curlew",
        "Dingo",
        "Dolphin",
        "Echidna",
        "Emu",
        "Falcon",
        "Finch",
        "Galah",
        "Gecko",
    ),
    *(
        "Heron",
        "Ibis",
        "Kea",
        "Kingfisher",
        "Kiwi",
        "Koala",
        "Lorikeet",
        "Magpie",
        "Numbat",
        "Otter",
        "Pelican",
        "Penguin",
    ),
    *("Possum", "Quokka", "Quoll", "Robin", "Tui", "Wallaby", "Weka", "Wombat"),
)
NICKNAME_BYTES = 4


def nickname(chance: bytes) -> str:
    """Return a nickname for a newcomer, from these random bytes: one of a hundred thousand."""
    return f"{_HOW[chance[0] % len(_HOW)]} {_WHO[chance[1] % len(_WHO)]} {int.from_bytes(chance[2:4], 'big') % 90 + 10}"


def plain(name: str) -> str | None:
    """Return a nickname in its normal form; None if it is no nickname."""
    name = unicodedata.normalize("NFKC", name)
    letters = [character.isalnum() or character in BESIDE for character in name]
    is_short = LEAST_LETTERS <= len(name) <= MOST_LETTERS
    ends_well = bool(name) and name[0].isalnum() and name[-1].isalnum()
    parts = any(one in BESIDE and other in BESIDE for one, other in pairwise(name))
    if not (is_short and all(letters) and ends_well and not parts) or name.casefold() in RESERVED:
        return None
    return name
