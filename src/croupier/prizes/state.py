"""The state of a promotion. Immutable values only; `evolve` makes the next one."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from croupier.prizes.terms import Entry, Prize, Terms

Stage = Literal["new", "draft", "filed", "running", "entries closed", "drawn", "cancelled", "closed"]


ENDED = ("refused", "lapsed")  # how an award fails


class Mark(msgspec.Struct, frozen=True, gc=False):
    """When something was done, and by whom."""

    at: datetime
    by: str | None


class Amendment(msgspec.Struct, frozen=True, gc=False):
    """A change of the terms after the start, to be sent to the regulator."""

    made: Mark
    sent: Mark | None = None


class Notice(msgspec.Struct, frozen=True, gc=False):
    """A notice to the inspector: what happened and when, its deadline, and when it was given."""

    what: Literal["put off", "cancelled"]
    since: datetime
    tell: str
    due: datetime
    told: Mark | None = None


class Attempt(msgspec.Struct, frozen=True, gc=False):
    """An attempt to notify a winner."""

    way: str
    reached: bool
    mark: Mark


class Award(msgspec.Struct, frozen=True, gc=False):
    """What an entry won. `alternative` is money offered instead, `chosen` whether the winner takes it.

    `forms` are the forms of payment; `chosen_by` and `forms_by` are who chose. `followed`: the award failed, and
    there was another draw since.
    """

    number: int
    prize: str
    entry: str
    entrant: str
    drawn: datetime
    status: Literal["drawn", "given", "refused", "lapsed"] = "drawn"
    attempts: tuple[Attempt, ...] = ()
    alternative: int | None = None
    chosen: bool = False
    forms: tuple[str, ...] = ()
    declined: Mark | None = None
    forms_by: str | None = None
    followed: bool = False
    chosen_by: str | None = None

    @property
    def is_restorable(self) -> bool:
        """Whether the award failed and was not drawn for again."""
        return self.status in ENDED and not self.followed


class Claim(msgspec.Struct, frozen=True, gc=False):
    """A claim to an award. Names and addresses are kept apart."""

    id: str
    award: int
    claimant: str
    made: Mark
    denied: Mark | None = None
    reason: str = ""
    kept: bool = False
    told: Mark | None = None


class Dispute(msgspec.Struct, frozen=True, gc=False):
    """A dispute about the terms."""

    id: str
    patron: str
    raised: Mark
    about: str = ""
    decided: Mark | None = None
    decision: str = ""
    dissatisfied: Mark | None = None
    advised: Mark | None = None


class Promotion(msgspec.Struct, frozen=True, gc=False):
    """Everything that decides what may happen next.

    `published` is when patrons could first get the terms in force, `referred_to` when the marketing first referred to
    them; `first_published` is when both were done for the initial terms.
    `seals` are digests of name and address, by claim; `nobody` are prizes for which no entry was left.
    """

    stage: Stage = "new"
    terms: Terms = Terms()
    filed: Mark | None = None
    proposed: Terms | None = None
    amendments: tuple[Amendment, ...] = ()
    published: Mark | None = None
    referred_to: Mark | None = None
    first_published: Mark | None = None
    changed: datetime | None = None
    entries: dict[str, Entry] = {}
    entries_closed: Mark | None = None
    scrutineer: Mark | None = None
    scrutineer_there: bool = False
    postponed: bool = False
    notices: tuple[Notice, ...] = ()
    awards: tuple[Award, ...] = ()
    nobody: tuple[str, ...] = ()
    claims: dict[str, Claim] = {}
    seals: dict[str, str] = {}
    disputes: dict[str, Dispute] = {}

    @property
    def available(self) -> Mark | None:
        """When the terms in force were available and the marketing referred to them: the later of both."""
        if self.published is None or self.referred_to is None:
            return None
        return max(self.published, self.referred_to, key=lambda mark: mark.at)

    @property
    def may_earn(self) -> bool:
        """Whether play counts, now or later: entries are not closed, and the promotion is not over."""
        return self.entries_closed is None and self.stage not in ("cancelled", "closed")

    def award(self, number: int) -> Award | None:
        """Return an award by its number, counted from 1."""
        return self.awards[number - 1] if 0 < number <= len(self.awards) else None

    def prize_of(self, award: Award) -> Prize:
        """Return the prize of an award. It exists: terms cannot change after a draw."""
        prize = self.terms.prize(award.prize)
        assert prize is not None, award.prize
        return prize

    def left(self, prize: Prize) -> int:
        """Return how many of a prize are still to be drawn: never drawn, or refused or lapsed since."""
        standing = [a for a in self.awards if a.prize == prize.id and a.status in ("drawn", "given")]
        return prize.count - len(standing) - self.nobody.count(prize.id)

    def claim_of_winner(self, award: Award) -> Claim | None:
        """Return the winner's own claim to an award, unless it was denied."""
        mine = (c for c in self.claims.values() if c.award == award.number and c.claimant == award.entrant)
        return next((claim for claim in mine if claim.denied is None), None)
