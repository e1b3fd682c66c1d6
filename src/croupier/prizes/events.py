"""What happened to a promotion, in the past tense. The tags below are what is stored.

Names and addresses of claimants stand in no event; that they are known does.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from croupier.prizes.terms import Entry, Part, Terms


class Event(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="type"):
    """The base of all events: when it happened, who did it, and the clause behind it."""

    at: datetime
    by: str | None
    clause: str | None = None


class TermsDrafted(Event, frozen=True, kw_only=True, tag="terms_drafted"):
    """Terms were written down."""

    terms: Terms


class TermsFiled(Event, frozen=True, kw_only=True, tag="terms_filed"):
    """The terms went to the regulator before the start."""

    to: str


class DraftReopened(Event, frozen=True, kw_only=True, tag="draft_reopened"):
    """Filed terms were changed before the start: they are a draft again, and are filed anew."""

    terms: Terms


class TermsAmended(Event, frozen=True, kw_only=True, tag="terms_amended"):
    """The terms changed after the start; `resubmit`: the regulator is sent them again."""

    terms: Terms
    resubmit: bool


class AmendmentProposed(Event, frozen=True, kw_only=True, tag="amendment_proposed"):
    """Changed terms wait for the regulator's approval; those in force stay in force."""

    terms: Terms


class AmendmentApproved(Event, frozen=True, kw_only=True, tag="amendment_approved"):
    """The regulator approved the changed terms."""

    reference: str


class TermsResubmitted(Event, frozen=True, kw_only=True, tag="terms_resubmitted"):
    """The amended terms went to the regulator."""

    to: str


class TermsPublished(Event, frozen=True, kw_only=True, tag="terms_published"):
    """Patrons can get the terms in force by these means."""

    means: str
    in_marketing: bool


class PromotionStarted(Event, frozen=True, kw_only=True, tag="promotion_started"):
    """The promotion started."""


class EntriesTaken(Event, frozen=True, kw_only=True, tag="entries_taken"):
    """Entries were taken; `reason` is why, of those that were taken by hand."""

    entries: tuple[Entry, ...]
    reason: str = ""


class EntriesClosed(Event, frozen=True, kw_only=True, tag="entries_closed"):
    """No more entries are taken."""


class ScrutineerNamed(Event, frozen=True, kw_only=True, tag="scrutineer_named"):
    """The operator named who oversees the draw."""

    name: str


class ScrutineerNoted(Event, frozen=True, kw_only=True, tag="scrutineer_noted"):
    """The scrutineer was there to oversee the next draw."""


class Winner(msgspec.Struct, frozen=True, gc=False):
    """A prize and the entry that won it; `award` numbers what was won in this promotion."""

    award: int
    prize: str
    entry: str
    entrant: str


class PrizesDrawn(Event, frozen=True, kw_only=True, tag="prizes_drawn"):
    """Prizes were drawn; `overseen`: a scrutineer was there; `nobody`: prizes that no entry was left for."""

    winners: tuple[Winner, ...]
    record: str
    overseen: bool
    nobody: tuple[str, ...] = ()


class Postponed(Event, frozen=True, kw_only=True, tag="postponed"):
    """The promotion or draw was put off; whom to tell, and by when."""

    reason: str
    tell: str
    due: datetime


class Validated(Event, frozen=True, kw_only=True, tag="validated"):
    """Its integrity was validated, and it went on."""

    finding: str


class DrawCancelled(Event, frozen=True, kw_only=True, tag="draw_cancelled"):
    """The draw was cancelled; whom to tell, and by when."""

    reason: str
    tell: str
    due: datetime


class InspectorTold(Event, frozen=True, kw_only=True, tag="inspector_told"):
    """The inspector was told of all that had been put off or cancelled."""

    who: str


class WinnerTold(Event, frozen=True, kw_only=True, tag="winner_told"):
    """Somebody tried to tell a winner, in one of the ways, and did or did not reach them."""

    award: int
    way: str
    reached: bool


class ClaimMade(Event, frozen=True, kw_only=True, tag="claim_made"):
    """Somebody claimed an award."""

    claim: str
    award: int
    claimant: str


class ClaimantNamed(Event, frozen=True, kw_only=True, tag="claimant_named"):
    """The name and address of a claimant are known; they are kept elsewhere, and `seal` is a digest of them."""

    claim: str
    seal: str


class AlternativeOffered(Event, frozen=True, kw_only=True, tag="alternative_offered"):
    """The winner may be paid so much instead of the prize."""

    award: int
    cents: int


class AlternativeChosen(Event, frozen=True, kw_only=True, tag="alternative_chosen"):
    """The winner took the money instead of the prize."""

    award: int
    cents: int
    reason: str = ""


class AlternativeUndone(Event, frozen=True, kw_only=True, tag="alternative_undone"):
    """The winner wanted the prize after all."""

    award: int
    reason: str


class FormsChosen(Event, frozen=True, kw_only=True, tag="forms_chosen"):
    """The winner said in which forms to be paid."""

    award: int
    forms: tuple[str, ...]


class PrizePaid(Event, frozen=True, kw_only=True, tag="prize_paid"):
    """A prize was paid in money."""

    award: int
    parts: tuple[Part, ...]


class PrizeHandedOver(Event, frozen=True, kw_only=True, tag="prize_handed_over"):
    """A prize that is not money was handed over."""

    award: int


class AwardLapsed(Event, frozen=True, kw_only=True, tag="award_lapsed"):
    """Nobody claimed an award as the terms ask, or the winner declined it."""

    award: int
    reason: str
    declined: bool = False


class ClaimDenied(Event, frozen=True, kw_only=True, tag="claim_denied"):
    """A claim was refused. `kept`: its details are kept by the book's rule; `winner`: it was the winner's own claim."""

    claim: str
    award: int
    reason: str
    value: int
    kept: bool
    winner: bool


class ReasonTold(Event, frozen=True, kw_only=True, tag="reason_told"):
    """The claimant was told why."""

    claim: str


class DisputeRaised(Event, frozen=True, kw_only=True, tag="dispute_raised"):
    """Somebody disputed the terms."""

    dispute: str
    patron: str
    about: str


class DisputeDecided(Event, frozen=True, kw_only=True, tag="dispute_decided"):
    """The operator decided, finally."""

    dispute: str
    decision: str


class AwardRestored(Event, frozen=True, kw_only=True, tag="award_restored"):
    """By the decision of a dispute an award that was refused or had lapsed is its winner's again."""

    award: int
    dispute: str


class DissatisfactionNoted(Event, frozen=True, kw_only=True, tag="dissatisfaction_noted"):
    """Somebody was not satisfied with the decision."""

    dispute: str


class RightToComplainTold(Event, frozen=True, kw_only=True, tag="right_to_complain_told"):
    """They were told of the right to complain, in these words."""

    dispute: str
    words: str


class PromotionClosed(Event, frozen=True, kw_only=True, tag="promotion_closed"):
    """The promotion is over; `reason` is why something was not drawn again."""

    reason: str = ""


AnyEvent = (
    TermsDrafted
    | TermsFiled
    | DraftReopened
    | TermsAmended
    | AmendmentProposed
    | AmendmentApproved
    | TermsResubmitted
    | TermsPublished
    | PromotionStarted
    | EntriesTaken
    | EntriesClosed
    | ScrutineerNamed
    | ScrutineerNoted
    | PrizesDrawn
    | Postponed
    | Validated
    | DrawCancelled
    | InspectorTold
    | WinnerTold
    | ClaimMade
    | ClaimantNamed
    | AlternativeOffered
    | AlternativeChosen
    | AlternativeUndone
    | FormsChosen
    | PrizePaid
    | PrizeHandedOver
    | AwardLapsed
    | ClaimDenied
    | ReasonTold
    | DisputeRaised
    | DisputeDecided
    | AwardRestored
    | DissatisfactionNoted
    | RightToComplainTold
    | PromotionClosed
)
