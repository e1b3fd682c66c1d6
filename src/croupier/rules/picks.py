"""Picks of a wager: parsed from any plain value, and checked against the book."""

from __future__ import annotations

import re

from croupier.rules import schema
from croupier.rules.book import Book
from croupier.rules.errors import Impossible
from croupier.rules.machine import Pick


def find_wager(book: Book, wager_id: str) -> schema.Wager:
    """Return a wager of the book. Raises Impossible: only wagers in the book are permitted."""
    wager = book.wagers.get(wager_id)
    if wager is None:
        raise Impossible("unknown_wager", f"The book has no wager called {wager_id}.", book.rules.limits.wagers)
    return wager


def find_pick(book: Book, wager: schema.Wager, raw: object) -> Pick:
    """Return the pick as the book writes it; sets are accepted in any order. Raises Impossible."""
    if not wager.picks:
        if raw is not None:
            raise Impossible("pick_not_allowed", f"{wager.name} is made without a pick.", wager.clause)
        return None
    offered = book.picks(wager)
    if raw is None:
        raise Impossible("pick_required", f"{wager.name} needs a pick: {_listed(offered)}.", wager.pick_clause)
    pick = plain_pick(raw)
    if pick is None or pick not in offered:
        sentence = f"{wager.name} cannot be made on that; it is made on {_listed(offered)}."
        raise Impossible("pick_unknown", sentence, wager.clause)
    return pick


def plain_pick(raw: object) -> Pick:
    """Return a number, a word, or a set of numbers in ascending order; None for anything else."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int | str):
        return raw
    if isinstance(raw, list | tuple) and all(type(member) is int for member in raw):
        return tuple(sorted(raw))
    return None


def typed_pick(text: str | None) -> Pick:
    """Parse a pick as people type it: `6`, `size`, `1,2`, `1 2`, `1-2`."""
    if not text:
        return None
    parts = re.split(r"[\s,-]+", text.strip("[]() "))
    if not all(part.isascii() and part.isdecimal() and len(part) < 9 for part in parts):
        return text
    numbers = tuple(sorted(int(part) for part in parts))
    return numbers if len(numbers) > 1 else numbers[0]


def show_pick(pick: Pick) -> str:
    """Format a pick for people: `6`, `size`, `1 2`; empty if there is none."""
    if isinstance(pick, tuple):
        return " ".join(map(str, pick))
    return "" if pick is None else str(pick)


def _listed(picks: list[Pick]) -> str:
    return ", ".join(map(show_pick, picks))
