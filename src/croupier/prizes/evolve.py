"""Applies events. No rules are consulted: an event says everything that changed, and a replay is a fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from croupier.prizes import events
from croupier.prizes.state import ENDED, Amendment, Attempt, Award, Claim, Dispute, Mark, Notice, Promotion


def evolve(promotion: Promotion, event: events.AnyEvent) -> Promotion:
    """Return the promotion after an event."""
    return _EVOLVE[type(event)](promotion, event)


def evolve_all(promotion: Promotion, happened: Iterable[events.AnyEvent]) -> Promotion:
    """Return the promotion after several events."""
    for event in happened:
        promotion = evolve(promotion, event)
    return promotion


def _mark(event: events.Event) -> Mark:
    return Mark(event.at, event.by)


# -- terms -------------------------------------------------------------------------------------------------------------


def _drafted(promotion: Promotion, event: events.TermsDrafted | events.DraftReopened) -> Promotion:
    return replace(
        promotion, stage="draft", terms=event.terms, filed=None, published=None, referred_to=None, changed=None
    )


def _filed(promotion: Promotion, event: events.TermsFiled) -> Promotion:
    return replace(promotion, stage="filed", filed=_mark(event))


def _amended(promotion: Promotion, event: events.TermsAmended) -> Promotion:
    made = (Amendment(_mark(event)),) if event.resubmit else ()
    return replace(
        promotion,
        first_published=promotion.first_published or promotion.available,
        terms=event.terms,
        proposed=None,
        amendments=(*promotion.amendments, *made),
        published=None,
        referred_to=None,
        changed=event.at,
    )


def _proposed(promotion: Promotion, event: events.AmendmentProposed) -> Promotion:
    return replace(promotion, proposed=event.terms)


def _approved(promotion: Promotion, event: events.AmendmentApproved) -> Promotion:
    return replace(promotion, proposed=None)


def _resubmitted(promotion: Promotion, event: events.TermsResubmitted) -> Promotion:
    sent = tuple(a if a.sent is not None else replace(a, sent=_mark(event)) for a in promotion.amendments)
    return replace(promotion, amendments=sent)


def _published(promotion: Promotion, event: events.TermsPublished) -> Promotion:
    referred = promotion.referred_to or (_mark(event) if event.in_marketing else None)
    return replace(promotion, published=promotion.published or _mark(event), referred_to=referred)


# -- course ------------------------------------------------------------------------------------------------------------


def _started(promotion: Promotion, event: events.PromotionStarted) -> Promotion:
    return replace(promotion, stage="running")


def _entries_taken(promotion: Promotion, event: events.EntriesTaken) -> Promotion:
    return replace(promotion, entries={**promotion.entries, **{entry.id: entry for entry in event.entries}})


def _entries_closed(promotion: Promotion, event: events.EntriesClosed) -> Promotion:
    return replace(promotion, stage="entries closed", entries_closed=_mark(event))


def _scrutineer_named(promotion: Promotion, event: events.ScrutineerNamed) -> Promotion:
    return replace(promotion, scrutineer=_mark(event), scrutineer_there=False)


def _scrutineer_noted(promotion: Promotion, event: events.ScrutineerNoted) -> Promotion:
    return replace(promotion, scrutineer_there=True)


def _prizes_drawn(promotion: Promotion, event: events.PrizesDrawn) -> Promotion:
    drawn = [Award(w.award, w.prize, w.entry, w.entrant, event.at) for w in event.winners]
    return replace(
        promotion,
        stage="drawn",
        awards=(*(replace(award, followed=award.status in ENDED) for award in promotion.awards), *drawn),
        nobody=(*promotion.nobody, *event.nobody),
        scrutineer_there=False,
        proposed=None,
    )


def _postponed(promotion: Promotion, event: events.Postponed) -> Promotion:
    notice = Notice("put off", event.at, event.tell, event.due)
    return replace(promotion, postponed=True, scrutineer_there=False, notices=(*promotion.notices, notice))


def _validated(promotion: Promotion, event: events.Validated) -> Promotion:
    return replace(promotion, postponed=False)


def _cancelled(promotion: Promotion, event: events.DrawCancelled) -> Promotion:
    notice = Notice("cancelled", event.at, event.tell, event.due)
    return replace(promotion, stage="cancelled", postponed=False, notices=(*promotion.notices, notice))


def _inspector_told(promotion: Promotion, event: events.InspectorTold) -> Promotion:
    told = tuple(n if n.told is not None else replace(n, told=_mark(event)) for n in promotion.notices)
    return replace(promotion, notices=told)


def _closed(promotion: Promotion, event: events.PromotionClosed) -> Promotion:
    return replace(promotion, stage="closed")


# -- awards and claims -------------------------------------------------------------------------------------------------


def _change_award(promotion: Promotion, number: int, **changes: object) -> Promotion:
    awards = list(promotion.awards)
    awards[number - 1] = replace(awards[number - 1], **changes)
    return replace(promotion, awards=tuple(awards))


def _winner_told(promotion: Promotion, event: events.WinnerTold) -> Promotion:
    attempt = Attempt(event.way, event.reached, _mark(event))
    return _change_award(promotion, event.award, attempts=(*promotion.awards[event.award - 1].attempts, attempt))


def _alternative_offered(promotion: Promotion, event: events.AlternativeOffered) -> Promotion:
    return _change_award(promotion, event.award, alternative=event.cents)


def _alternative_chosen(promotion: Promotion, event: events.AlternativeChosen) -> Promotion:
    return _change_award(promotion, event.award, alternative=event.cents, chosen=True, chosen_by=event.by)


def _alternative_undone(promotion: Promotion, event: events.AlternativeUndone) -> Promotion:
    """Restore the prize; the forms of payment chosen for the money no longer apply."""
    return _change_award(promotion, event.award, chosen=False, chosen_by=None, forms=(), forms_by=None)


def _forms_chosen(promotion: Promotion, event: events.FormsChosen) -> Promotion:
    return _change_award(promotion, event.award, forms=event.forms, forms_by=event.by)


def _given(promotion: Promotion, event: events.PrizePaid | events.PrizeHandedOver) -> Promotion:
    return _change_award(promotion, event.award, status="given")


def _lapsed(promotion: Promotion, event: events.AwardLapsed) -> Promotion:
    return _change_award(promotion, event.award, status="lapsed", declined=_mark(event) if event.declined else None)


def _claim_made(promotion: Promotion, event: events.ClaimMade) -> Promotion:
    claim = Claim(event.claim, event.award, event.claimant, _mark(event))
    return replace(promotion, claims={**promotion.claims, claim.id: claim})


def _claimant_named(promotion: Promotion, event: events.ClaimantNamed) -> Promotion:
    return replace(promotion, seals={**promotion.seals, event.claim: event.seal})


def _claim_denied(promotion: Promotion, event: events.ClaimDenied) -> Promotion:
    claim = replace(promotion.claims[event.claim], denied=_mark(event), reason=event.reason, kept=event.kept)
    after = replace(promotion, claims={**promotion.claims, claim.id: claim})
    return _change_award(after, event.award, status="refused") if event.winner else after


def _reason_told(promotion: Promotion, event: events.ReasonTold) -> Promotion:
    claim = replace(promotion.claims[event.claim], told=_mark(event))
    return replace(promotion, claims={**promotion.claims, claim.id: claim})


# -- disputes ----------------------------------------------------------------------------------------------------------


def _dispute_raised(promotion: Promotion, event: events.DisputeRaised) -> Promotion:
    dispute = Dispute(event.dispute, event.patron, _mark(event), event.about)
    return replace(promotion, disputes={**promotion.disputes, dispute.id: dispute})


def _change_dispute(promotion: Promotion, dispute_id: str, **changes: object) -> Promotion:
    changed = replace(promotion.disputes[dispute_id], **changes)
    return replace(promotion, disputes={**promotion.disputes, dispute_id: changed})


def _dispute_decided(promotion: Promotion, event: events.DisputeDecided) -> Promotion:
    return _change_dispute(promotion, event.dispute, decided=_mark(event), decision=event.decision)


def _award_restored(promotion: Promotion, event: events.AwardRestored) -> Promotion:
    return _change_award(promotion, event.award, status="drawn", declined=None)


def _dissatisfied(promotion: Promotion, event: events.DissatisfactionNoted) -> Promotion:
    return _change_dispute(promotion, event.dispute, dissatisfied=_mark(event))


def _advised(promotion: Promotion, event: events.RightToComplainTold) -> Promotion:
    return _change_dispute(promotion, event.dispute, advised=_mark(event))


_EVOLVE: dict[type, Callable[[Promotion, Any], Promotion]] = {
    events.TermsDrafted: _drafted,
    events.TermsFiled: _filed,
    events.DraftReopened: _drafted,
    events.TermsAmended: _amended,
    events.AmendmentProposed: _proposed,
    events.AmendmentApproved: _approved,
    events.TermsResubmitted: _resubmitted,
    events.TermsPublished: _published,
    events.PromotionStarted: _started,
    events.EntriesTaken: _entries_taken,
    events.EntriesClosed: _entries_closed,
    events.ScrutineerNamed: _scrutineer_named,
    events.ScrutineerNoted: _scrutineer_noted,
    events.PrizesDrawn: _prizes_drawn,
    events.Postponed: _postponed,
    events.Validated: _validated,
    events.DrawCancelled: _cancelled,
    events.InspectorTold: _inspector_told,
    events.WinnerTold: _winner_told,
    events.ClaimMade: _claim_made,
    events.ClaimantNamed: _claimant_named,
    events.AlternativeOffered: _alternative_offered,
    events.AlternativeChosen: _alternative_chosen,
    events.AlternativeUndone: _alternative_undone,
    events.FormsChosen: _forms_chosen,
    events.PrizePaid: _given,
    events.PrizeHandedOver: _given,
    events.AwardLapsed: _lapsed,
    events.ClaimDenied: _claim_denied,
    events.ReasonTold: _reason_told,
    events.DisputeRaised: _dispute_raised,
    events.DisputeDecided: _dispute_decided,
    events.AwardRestored: _award_restored,
    events.DissatisfactionNoted: _dissatisfied,
    events.RightToComplainTold: _advised,
    events.PromotionClosed: _closed,
}
