"""Events of a promotion, in the past tense, stored under the tags below.

No event contains a claimant's name or address, only that they are known.
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
    """Terms were drafted."""

    terms: Terms


class TermsFiled(Event, frozen=True, kw_only=True, tag="terms_filed"):
    """The terms were sent to the regulator before the start."""

    to: str


class DraftReopened(Event, frozen=True, kw_only=True, tag="draft_reopened"):
    """Filed terms were changed before the start: they are a draft again, and must be filed again."""

    terms: Terms


class TermsAmended(Event, frozen=True, kw_only=True, tag="terms_amended"):
    """The terms changed after the start; `resubmit`: they must be sent to the regulator again."""

    terms: Terms
    resubmit: bool


class AmendmentProposed(Event, frozen=True, kw_only=True, tag="amendment_proposed"):
    """Changed terms await the regulator's approval; those in force stay in force."""

    terms: Terms


class AmendmentApproved(Event, frozen=True, kw_only=True, tag="amendment_approved"):
    """The regulator approved the changed terms."""

    reference: str


class TermsResubmitted(Event, frozen=True, kw_only=True, tag="terms_resubmitted"):
    """The amended terms were sent to the regulator."""

    to: str


class TermsPublished(Event, frozen=True, kw_only=True, tag="terms_published"):
    """The terms in force were made available to patrons by these means."""

    means: str
    in_marketing: bool


class PromotionStarted(Event, frozen=True, kw_only=True, tag="promotion_started"):
    """The promotion started."""


class EntriesTaken(Event, frozen=True, kw_only=True, tag="entries_taken"):
    """Entries were taken; `reason` is set for those taken by hand."""

    entries: tuple[Entry, ...]
    reason: str = ""


class EntriesClosed(Event, frozen=True, kw_only=True, tag="entries_closed"):
    """The entries were closed."""


class ScrutineerNamed(Event, frozen=True, kw_only=True, tag="scrutineer_named"):
    """The operator named the person who oversees the draw."""

    name: str


class ScrutineerNoted(Event, frozen=True, kw_only=True, tag="scrutineer_noted"):
    """The scrutineer was present to oversee the next draw."""


class Winner(msgspec.Struct, frozen=True, gc=False):
    """A prize and the entry that won it; `award` numbers the awards of this promotion."""

    award: int
    prize: str
    entry: str
    entrant: str


class PrizesDrawn(Event, frozen=True, kw_only=True, tag="prizes_drawn"):
    """Prizes were drawn; `overseen`: a scrutineer was present; `nobody`: prizes for which no entry was left."""

    winners: tuple[Winner, ...]
    record: str
    overseen: bool
    nobody: tuple[str, ...] = ()


class Postponed(Event, frozen=True, kw_only=True, tag="postponed"):
    """The promotion or draw was postponed; whom to notify, and by when."""

    reason: str
    tell: str
    due: datetime


class Validated(Event, frozen=True, kw_only=True, tag="validated"):
    """Its integrity was validated, and it went on."""

    finding: str


class DrawCancelled(Event, frozen=True, kw_only=True, tag="draw_cancelled"):
    """The draw was cancelled; whom to notify, and by when."""

    reason: str
    tell: str
    due: datetime


class InspectorTold(Event, frozen=True, kw_only=True, tag="inspector_told"):
    """The inspector was notified of everything postponed or cancelled so far."""

    who: str


class WinnerTold(Event, frozen=True, kw_only=True, tag="winner_told"):
    """An attempt was made to notify a winner, and did or did not reach them."""

    award: int
    way: str
    reached: bool


class ClaimMade(Event, frozen=True, kw_only=True, tag="claim_made"):
    """An award was claimed."""

    claim: str
    award: int
    claimant: str


class ClaimantNamed(Event, frozen=True, kw_only=True, tag="claimant_named"):
    """A claimant's name and address are known; they are stored elsewhere, and `seal` is a digest of them."""

    claim: str
    seal: str


class AlternativeOffered(Event, frozen=True, kw_only=True, tag="alternative_offered"):
    """The winner was offered this amount instead of the prize."""

    award: int
    cents: int


class AlternativeChosen(Event, frozen=True, kw_only=True, tag="alternative_chosen"):
    """The winner took the money instead of the prize."""

    award: int
    cents: int
    reason: str = ""


class AlternativeUndone(Event, frozen=True, kw_only=True, tag="alternative_undone"):
    """The winner took the prize after all."""

    award: int
    reason: str


class FormsChosen(Event, frozen=True, kw_only=True, tag="forms_chosen"):
    """The forms of payment were chosen."""

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
    """An award was not claimed as the terms require, or the winner declined it."""

    award: int
    reason: str
    declined: bool = False


class ClaimDenied(Event, frozen=True, kw_only=True, tag="claim_denied"):
    """A claim was refused. `kept`: the book requires its details to be kept; `winner`: it was the winner's own."""

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
    """A patron disputed the terms."""

    dispute: str
    patron: str
    about: str


class DisputeDecided(Event, frozen=True, kw_only=True, tag="dispute_decided"):
    """The operator made a final decision."""

    dispute: str
    decision: str


class AwardRestored(Event, frozen=True, kw_only=True, tag="award_restored"):
    """The decision of a dispute restored an award that was refused or had lapsed."""

    award: int
    dispute: str


class DissatisfactionNoted(Event, frozen=True, kw_only=True, tag="dissatisfaction_noted"):
    """The patron was not satisfied with the decision."""

    dispute: str


class RightToComplainTold(Event, frozen=True, kw_only=True, tag="right_to_complain_told"):
    """The patron was advised of the right to complain, in these words."""

    dispute: str
    words: str


class PromotionClosed(Event, frozen=True, kw_only=True, tag="promotion_closed"):
    """The promotion was closed; `reason` is why something was not drawn again."""

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
