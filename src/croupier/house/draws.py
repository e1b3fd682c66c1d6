"""The outcome of a promotion's draw. Of very many entries it takes a while, so whoever runs a house reckons it before.

It follows from the secret and the entries alone. What was reckoned last is remembered, and only found again for the
very same entries: whether somebody did it beforehand changes nothing but how long a decision takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from croupier.house.promotions import PromotionState
from croupier.prizes import values
from croupier.prizes.draws import Draw, GivenUp, drawn, entries_digest

BECAUSE = {"refused": "denied", "lapsed": "unclaimed"}  # why an award is drawn for again, by how it ended


class Reckoned(NamedTuple):
    """Every draw so far and those that are due, and the hash of the closed entries that they follow from."""

    draws: tuple[Draw, ...]
    record: str


class _Lately(NamedTuple):
    entries: Mapping[str, values.Entry]
    asked: tuple[object, ...]
    reckoned: Reckoned


_lately: _Lately | None = None


def passed_on(state: PromotionState) -> tuple[tuple[int, str], ...]:
    """The awards that came to nothing since the last draw, and why."""
    known = {award for award, _ in state.passed}
    return tuple(
        (award.number, "declined" if award.declined is not None else BECAUSE[award.status])
        for award in state.promotion.awards
        if award.status in BECAUSE and award.number not in known
    )


def reckoned(state: PromotionState, secret: bytes) -> Reckoned:
    """Who is drawn, those included who follow where awards came to nothing."""
    global _lately  # one is enough: it is drawn right after it was reckoned
    entries, asked = state.promotion.entries, (state.announcement, state.key, secret, state.passed, passed_on(state))
    known = _lately
    if known is not None and known.entries is entries and known.asked == asked:
        return known.reckoned
    tickets = state.tickets()
    given_up = [*state.given_up, *(GivenUp(award, because) for award, because in passed_on(state))]  # type: ignore[arg-type]
    results = drawn(secret, state.announcement, tickets, given_up)
    draws = tuple(one for one in results if isinstance(one, Draw))
    made = Reckoned(draws, entries_digest(state.announcement, tickets))
    _lately = _Lately(entries, asked, made)
    return made
