"""The state of a promotion, evolved from its events, and its draw.

`draw_outcome` computes the draw from the secret and the entries alone. With many entries that takes a while, so the
server computes it before the decision. The last result is cached for exactly the same entries: computing it in advance
changes only how long a decision takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from croupier.house import events
from croupier.house.stored_events import Entry
from croupier.prizes import terms
from croupier.prizes.evolve import evolve as evolve_promotion
from croupier.prizes.public_draw import (
    Announcement,
    Draw,
    DrawEntry,
    GivenUp,
    drawn,
    entries_digest,
    pseudonym,
    public_record,
)
from croupier.prizes.state import Promotion
from croupier.rules.prizes import Prizes
from croupier.rules.shelf import Shelf


class PromotionState(msgspec.Struct, frozen=True, gc=False):
    """Everything that decides what may happen to a promotion next.

    `secret` is empty until revealed; `passed` are awards that failed and were drawn for again.
    """

    name: str = ""
    book: str = ""
    title: str = ""
    promotion: Promotion = Promotion()
    commitment: str = ""
    key: str = ""
    prizes: tuple[str, ...] = ()
    one_prize_each: bool = True
    secret: str = ""
    passed: tuple[tuple[int, str], ...] = ()
    counted: events.PlayCounted | None = None
    duties_answered: tuple[str, ...] = ()

    @property
    def is_opened(self) -> bool:
        """Whether the promotion exists."""
        return bool(self.name)

    @property
    def is_announced(self) -> bool:
        """Whether its terms are filed with the regulator: from then on patrons can get them."""
        return self.promotion.filed is not None

    @property
    def announcement(self) -> Announcement:
        """What was fixed before the first entry: the prizes to draw, and the digest of the secret."""
        return Announcement(self.name, self.commitment, self.prizes, 0, self.one_prize_each)

    def tickets(self) -> list[DrawEntry]:
        """Return the entries as the public record shows them."""
        key = bytes.fromhex(self.key)
        taken = self.promotion.entries.values()
        return [DrawEntry(n, pseudonym(key, self.name, one.entrant), one.weight) for n, one in enumerate(taken, 1)]

    def record(self) -> Iterator[bytes]:
        """Return the public record of the draw so far, line by line."""
        tickets = None if self.promotion.entries_closed is None else self.tickets()
        secret = bytes.fromhex(self.secret) if self.secret else None
        return public_record(self.announcement, tickets, secret, self.given_up)

    @property
    def given_up(self) -> list[GivenUp]:
        """The awards that were drawn for again; an award has the number of its draw."""
        return [GivenUp(award, because) for award, because in self.passed]  # type: ignore[arg-type]  # values as stored


def rules_of(shelf: Shelf, state: PromotionState) -> Prizes:
    """Return the prize rules of a promotion's book."""
    rules = shelf.book(state.book).prizes
    assert rules is not None, "only a book that knows prizes has promotions"
    return rules


def evolve(state: PromotionState, entries: Iterable[Entry]) -> PromotionState:
    """Return the promotion after these events."""
    for entry in entries:
        event: Any = entry.document.event
        apply = _APPLY.get(type(event))
        if apply is None:
            state = msgspec.structs.replace(state, promotion=evolve_promotion(state.promotion, event))
        else:
            state = apply(state, event)
    return state


def _opened(state: PromotionState, event: events.PromotionOpened) -> PromotionState:
    return PromotionState(name=event.promotion, book=event.book, title=event.title)


def _committed(state: PromotionState, event: events.DrawCommitted) -> PromotionState:
    return msgspec.structs.replace(
        state,
        commitment=event.commitment,
        key=event.key,
        prizes=event.prizes,
        one_prize_each=event.one_prize_each,
    )


def _counted(state: PromotionState, event: events.PlayCounted) -> PromotionState:
    return msgspec.structs.replace(state, counted=event)


def _shown(state: PromotionState, event: events.DrawShown) -> PromotionState:
    return msgspec.structs.replace(state, secret=event.secret)


def _passed_on(state: PromotionState, event: events.PrizesPassedOn) -> PromotionState:
    return msgspec.structs.replace(state, passed=(*state.passed, *event.passed))


def _duty_answered(state: PromotionState, event: events.DutyAnswered) -> PromotionState:
    return msgspec.structs.replace(state, duties_answered=(*state.duties_answered, event.duty))


_APPLY: dict[type, Callable[[PromotionState, Any], PromotionState]] = {
    events.PromotionOpened: _opened,
    events.DrawCommitted: _committed,
    events.PlayCounted: _counted,
    events.DrawShown: _shown,
    events.PrizesPassedOn: _passed_on,
    events.DutyAnswered: _duty_answered,
}


# Draws

BECAUSE = {"refused": "denied", "lapsed": "unclaimed"}  # why an award is drawn for again, by its status


class DrawOutcome(NamedTuple):
    """All draws, made and due, and the hash of the closed entries that they follow from."""

    draws: tuple[Draw, ...]
    record: str


class _Lately(NamedTuple):
    entries: Mapping[str, terms.Entry]
    asked: tuple[object, ...]
    outcome: DrawOutcome


_lately: _Lately | None = None


def passed_on(state: PromotionState) -> tuple[tuple[int, str], ...]:
    """Return the awards that failed since the last draw, with the reasons."""
    known = {award for award, _ in state.passed}
    return tuple(
        (award.number, "declined" if award.declined is not None else BECAUSE[award.status])
        for award in state.promotion.awards
        if award.status in BECAUSE and award.number not in known
    )


def draw_outcome(state: PromotionState, secret: bytes) -> DrawOutcome:
    """Compute the draws, including those that replace failed awards."""
    global _lately  # one is enough: the draw follows its computation
    entries, asked = state.promotion.entries, (state.announcement, state.key, secret, state.passed, passed_on(state))
    known = _lately
    if known is not None and known.entries is entries and known.asked == asked:
        return known.outcome
    tickets = state.tickets()
    given_up = [*state.given_up, *(GivenUp(award, because) for award, because in passed_on(state))]  # type: ignore[arg-type]
    results = drawn(secret, state.announcement, tickets, given_up)
    draws = tuple(one for one in results if isinstance(one, Draw))
    made = DrawOutcome(draws, entries_digest(state.announcement, tickets))
    _lately = _Lately(entries, asked, made)
    return made
