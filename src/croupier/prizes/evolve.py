"""Applies events. No rules are consulted: an event says everything that changed, and a replay is a fold."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from croupier.prizes import events
from croupier.prizes.state import ENDED, Amendment, Attempt, Award, Claim, Dispute, Mark, Notice, Promotion


def evolve_all(promotion: Promotion, happened: Iterable[events.AnyEvent]) -> Promotion:
    """Return the promotion after several events."""
    for event in happened:
        promotion = evolve(promotion, event)
    return promotion


def evolve(promotion: Promotion, event: events.AnyEvent) -> Promotion:
    """Return the promotion after an event."""
    for part in (_terms, _course, _awards, _claims_and_disputes):
        after = part(promotion, event)
        if after is not None:
            return after
    raise AssertionError(f"{type(event).__name__} changes nothing")


def _terms(was: Promotion, event: events.AnyEvent) -> Promotion | None:
    mark = Mark(event.at, event.by)
    match event:
        case events.TermsDrafted(terms=terms) | events.DraftReopened(terms=terms):
            return replace(was, stage="draft", terms=terms, filed=None, published=None, referred_to=None, changed=None)
        case events.TermsFiled():
            return replace(was, stage="filed", filed=mark)
        case events.TermsAmended():
            return replace(
                was,
                first_published=was.first_published or was.available,
                terms=event.terms,
                proposed=None,
                amendments=(*was.amendments, *((Amendment(mark),) if event.resubmit else ())),
                published=None,
                referred_to=None,
                changed=event.at,
            )
        case events.AmendmentProposed(terms=terms):
            return replace(was, proposed=terms)
        case events.AmendmentApproved():
            return replace(was, proposed=None)
        case events.TermsResubmitted():
            return replace(was, amendments=tuple(a if a.sent else replace(a, sent=mark) for a in was.amendments))
        case events.TermsPublished():
            referred = was.referred_to or (mark if event.in_marketing else None)
            return replace(was, published=was.published or mark, referred_to=referred)
    return None


def _course(was: Promotion, event: events.AnyEvent) -> Promotion | None:
    mark = Mark(event.at, event.by)
    match event:
        case events.PromotionStarted():
            return replace(was, stage="running")
        case events.EntriesTaken(entries=entries):
            return replace(was, entries={**was.entries, **{entry.id: entry for entry in entries}})
        case events.EntriesClosed():
            return replace(was, stage="entries closed", entries_closed=mark)
        case events.ScrutineerNamed():
            return replace(was, scrutineer=mark, scrutineer_there=False)
        case events.ScrutineerNoted():
            return replace(was, scrutineer_there=True)
        case events.PrizesDrawn():
            drawn = [Award(w.award, w.prize, w.entry, w.entrant, event.at) for w in event.winners]
            return replace(
                was,
                stage="drawn",
                awards=(*(replace(award, followed=award.status in ENDED) for award in was.awards), *drawn),
                nobody=(*was.nobody, *event.nobody),
                scrutineer_there=False,
                proposed=None,
            )
        case events.Postponed(tell=tell, due=due):
            notices = (*was.notices, Notice("put off", event.at, tell, due))
            return replace(was, postponed=True, scrutineer_there=False, notices=notices)
        case events.Validated():
            return replace(was, postponed=False)
        case events.DrawCancelled(tell=tell, due=due):
            notices = (*was.notices, Notice("cancelled", event.at, tell, due))
            return replace(was, stage="cancelled", postponed=False, notices=notices)
        case events.InspectorTold():
            return replace(was, notices=tuple(n if n.told else replace(n, told=mark) for n in was.notices))
        case events.PromotionClosed():
            return replace(was, stage="closed")
    return None


def _awards(was: Promotion, event: events.AnyEvent) -> Promotion | None:
    mark = Mark(event.at, event.by)
    match event:
        case events.WinnerTold(way=way, reached=reached):
            attempts = (*was.awards[event.award - 1].attempts, Attempt(way, reached, mark))
            return _change_award(was, event.award, attempts=attempts)
        case events.AlternativeOffered(award=award, cents=cents):
            return _change_award(was, award, alternative=cents)
        case events.AlternativeChosen(award=award, cents=cents, by=by):
            return _change_award(was, award, alternative=cents, chosen=True, chosen_by=by)
        case events.AlternativeUndone(award=award):  # the forms of payment chosen for the money no longer apply
            return _change_award(was, award, chosen=False, chosen_by=None, forms=(), forms_by=None)
        case events.FormsChosen(award=award, forms=forms, by=by):
            return _change_award(was, award, forms=forms, forms_by=by)
        case events.PrizePaid(award=award) | events.PrizeHandedOver(award=award):
            return _change_award(was, award, status="given")
        case events.AwardLapsed(award=award, declined=declined):
            return _change_award(was, award, status="lapsed", declined=mark if declined else None)
        case events.AwardRestored(award=award):
            return _change_award(was, award, status="drawn", declined=None)
    return None


def _claims_and_disputes(was: Promotion, event: events.AnyEvent) -> Promotion | None:
    mark = Mark(event.at, event.by)
    match event:
        case events.ClaimMade():
            return _with_claim(was, Claim(event.claim, event.award, event.claimant, mark))
        case events.ClaimantNamed():
            return replace(was, seals={**was.seals, event.claim: event.seal})
        case events.ClaimDenied():
            claim = replace(was.claims[event.claim], denied=mark, reason=event.reason, kept=event.kept)
            after = _with_claim(was, claim)
            return _change_award(after, event.award, status="refused") if event.winner else after
        case events.ReasonTold():
            return _with_claim(was, replace(was.claims[event.claim], told=mark))
        case events.DisputeRaised():
            return _with_dispute(was, Dispute(event.dispute, event.patron, mark, event.about))
        case events.DisputeDecided():
            decided = replace(was.disputes[event.dispute], decided=mark, decision=event.decision)
            return _with_dispute(was, decided)
        case events.DissatisfactionNoted():
            return _with_dispute(was, replace(was.disputes[event.dispute], dissatisfied=mark))
        case events.RightToComplainTold():
            return _with_dispute(was, replace(was.disputes[event.dispute], advised=mark))
    return None


def _change_award(was: Promotion, number: int, **changes: object) -> Promotion:
    awards = list(was.awards)
    awards[number - 1] = replace(awards[number - 1], **changes)
    return replace(was, awards=tuple(awards))


def _with_claim(was: Promotion, claim: Claim) -> Promotion:
    return replace(was, claims={**was.claims, claim.id: claim})


def _with_dispute(was: Promotion, dispute: Dispute) -> Promotion:
    return replace(was, disputes={**was.disputes, dispute.id: dispute})
