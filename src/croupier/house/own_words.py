"""Refusals in the words for the person who asked: `You have 4.00 in chips`, never the name of an account."""

from __future__ import annotations

import msgspec

from croupier.table.refusals import Refusal

# How a sentence about a person begins, and the same said to them; the longer ones first. Only a name begins a sentence
# with a small letter, so no other word is taken for one.
_BEGINNINGS = (
    ("No player called {who} sits", "You do not sit"),
    ("{who} already has", "You already have"),
    ("{who} has", "You have"),
    ("{who} does", "You do"),
    ("{who} is", "You are"),
    ("{who}'s", "Your"),
)


def said_to(who: str | None, refusal: Refusal) -> Refusal:
    """Return a refusal as it is said to the person who gave the order."""
    for about, to_them in _BEGINNINGS if who is not None else ():
        begins = f"{about.format(who=who)} "
        if refusal.message.startswith(begins):
            return msgspec.structs.replace(refusal, message=f"{to_them} {refusal.message.removeprefix(begins)}")
    return refusal
