"""A promotion at one moment. Values only; a state never changes, `evolve` makes the next one."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from croupier.prizes.terms import Entry, Prize, Terms

Stage = Literal["new", "draft", "filed", "running", "entries closed", "drawn", "cancelled", "closed"]


ENDED = ("refused", "lapsed")  # how an award comes to nothing


class Mark(msgspec.Struct, frozen=True, gc=False):
    """When something was done, and by whom."""

    at: datetime
    by: str | None


class Amendment(msgspec.Struct, frozen=True, gc=False):
    """A change of the terms after the start that the regulator is sent."""

    made: Mark
    sent: Mark | None = None


class Notice(msgspec.Struct, frozen=True, gc=False):
    """Something that the inspector is told: what, when it happened, by when, and when it was done."""

    what: Literal["put off", "cancelled"]
    since: datetime
    tell: str
    due: datetime
    told: Mark | None = None


class Attempt(msgspec.Struct, frozen=True, gc=False):
    """An attempt to tell a winner."""

    way: str
    reached: bool
    mark: Mark


class Award(msgspec.Struct, frozen=True, gc=False):
    """What an entry won. `alternative` is what may be paid instead, `chosen` whether the winner takes that.

    `forms` are those to be paid in; `chosen_by` and `forms_by` are who said so. `followed`: it came to nothing, and
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
        """Whether it came to nothing, and nobody else was drawn for it."""
        return self.status in ENDED and not self.followed


class Claim(msgspec.Struct, frozen=True, gc=False):
    """A claim to an award. Names and addresses are `named`, apart."""

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
    """Everything that matters for what may happen next.

    `published` is when patrons could first get the terms in force, `referred_to` when the marketing first did so;
    `first_published` is when both were done for the terms that it started with.
    `seals` are digests of name and address, by the claims they are known of; `nobody` are prizes that no entry was
    left for.
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
        """When patrons could get the terms in force and the marketing referred to them: the later of both."""
        if self.published is None or self.referred_to is None:
            return None
        return max(self.published, self.referred_to, key=lambda mark: mark.at)

    @property
    def may_earn(self) -> bool:
        """Whether play counts, or will: entries are not closed, and it is not over."""
        return self.entries_closed is None and self.stage not in ("cancelled", "closed")

    def award(self, number: int) -> Award | None:
        """An award by its number; they are counted from 1."""
        return self.awards[number - 1] if 0 < number <= len(self.awards) else None

    def prize_of(self, award: Award) -> Prize:
        """The prize of an award. Terms no longer change once something was drawn, so that it is there."""
        prize = self.terms.prize(award.prize)
        assert prize is not None, award.prize
        return prize

    def left(self, prize: Prize) -> int:
        """How many of a prize are still to be drawn: never drawn, or refused or lapsed since."""
        standing = [a for a in self.awards if a.prize == prize.id and a.status in ("drawn", "given")]
        return prize.count - len(standing) - self.nobody.count(prize.id)

    def claim_of_winner(self, award: Award) -> Claim | None:
        """The winner's own claim to an award, unless it was denied."""
        mine = (c for c in self.claims.values() if c.award == award.number and c.claimant == award.entrant)
        return next((claim for claim in mine if claim.denied is None), None)
