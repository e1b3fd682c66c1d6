"""Drafting terms, filing them with the regulator, amending them, making them available, and starting."""

from __future__ import annotations

from datetime import datetime, timedelta

from croupier.prizes import commands, events
from croupier.prizes.state import Promotion
from croupier.prizes.terms import Terms, check_prohibited, check_terms, check_values
from croupier.rules.prizes import Prizes
from croupier.rules.schema import acts_on
from croupier.table.refusals import Refusal

Decision = tuple[events.AnyEvent, ...] | Refusal


def draft_terms(rules: Prizes, promotion: Promotion, command: commands.DraftTerms, at: datetime) -> Decision:
    """Draft terms; they may be incomplete, but must be readable."""
    refusal = check_values(rules, command.terms)
    return refusal or (events.TermsDrafted(at=at, by=command.by, clause=rules.clause, terms=command.terms),)


@acts_on("prizes.filing")
def file_terms(rules: Prizes, promotion: Promotion, command: commands.FileTerms, at: datetime) -> Decision:
    """File complete terms with the regulator, early enough before the start; send amended ones again."""
    if promotion.stage != "draft":
        return _resubmit(rules, promotion, command, at)
    refusal = _check_all(rules, promotion.terms)
    if refusal is not None:
        return refusal
    if at > latest_filing(rules, promotion.terms):
        sentence = f"{_named(rules)} must have the terms at least {rules.filing.hours_before} hours before the start."
        return Refusal("filed_too_late", sentence, rules.filing.clause)
    return (events.TermsFiled(at=at, by=command.by, clause=rules.filing.clause, to=rules.filing.with_),)


def _resubmit(rules: Prizes, promotion: Promotion, command: commands.FileTerms, at: datetime) -> Decision:
    if not any(amendment.sent is None for amendment in promotion.amendments):
        return Refusal("nothing_to_file", f"{_named(rules)} already has these terms.", rules.filing.clause)
    return (events.TermsResubmitted(at=at, by=command.by, clause=rules.amending.clause, to=rules.filing.with_),)


def latest_filing(rules: Prizes, terms: Terms) -> datetime:
    """Return the last moment to file terms that state their start."""
    starts = terms.time("starts")
    assert starts is not None
    return starts - timedelta(hours=rules.filing.hours_before)


def _named(rules: Prizes) -> str:
    return rules.filing.with_[:1].upper() + rules.filing.with_[1:]


def _check_all(rules: Prizes, terms: Terms) -> Refusal | None:
    return check_values(rules, terms) or check_prohibited(rules, terms) or check_terms(rules, terms)


@acts_on("prizes.amending")
def amend_terms(rules: Prizes, promotion: Promotion, command: commands.AmendTerms, at: datetime) -> Decision:
    """Amend terms: before the start they become a draft again; after it, the book's amendment rule applies."""
    terms, by = command.terms, command.by
    if promotion.stage == "filed":
        refusal = check_promised(rules, promotion, at) or check_values(rules, terms)
        return refusal or (events.DraftReopened(at=at, by=by, clause=rules.filing.clause, terms=terms),)
    refusal = _check_all(rules, terms)
    if refusal is not None:
        return refusal
    clause = rules.amending.clause
    refusal = _check_fixed(rules, promotion, terms, at)
    if refusal is not None:
        return refusal
    if rules.amending.after_start == "approval":
        return (events.AmendmentProposed(at=at, by=by, clause=clause, terms=terms),)
    return (events.TermsAmended(at=at, by=by, clause=clause, terms=terms, resubmit=True),)


def check_promised(rules: Prizes, promotion: Promotion, at: datetime) -> Refusal | None:
    """Refuse to close or redraft a promotion that was announced to patrons and whose time has come (X-38)."""
    starts = promotion.terms.time("starts")
    if promotion.stage != "filed" or promotion.published is None or starts is None or at < starts:
        return None
    sentence = "The promotion was announced to patrons and its start time has come: start it, or cancel its draw."
    return Refusal("promised", sentence, rules.availability.clause)


# Points of the terms that decide who is in the draw, by which play, and who can win.
_ENTERED_UNDER = ("entries_close", "eligibility", "wager_required", "minimum_wager", "presence_required")


def _check_fixed(rules: Prizes, promotion: Promotion, terms: Terms, at: datetime) -> Refusal | None:
    """Refuse to change the start and, after the closing time, the prizes and conditions of entry (X-40)."""
    clause, closed = rules.amending.clause, promotion.terms.time("entries_close")
    if terms.time("starts") != promotion.terms.time("starts"):
        return Refusal("already_started", "The promotion has started; its start can no longer be changed.", clause)
    if promotion.stage == "entries closed" or (closed is not None and at >= closed):
        if _entered_under(terms) == _entered_under(promotion.terms):
            return None
        say = "The entries are closed: the prizes and the conditions of entry can no longer be changed."
        return Refusal("draw_fixed", say, clause)
    closes = terms.time("entries_close")
    if closes is not None and closes < at:
        say = "Entries are still open, so their closing time must be in the future."
        return Refusal("times_out_of_order", say, rules.clause_of("entries_close"))
    return None


def _entered_under(terms: Terms) -> tuple[object, ...]:
    said = (terms.time(name) or terms.said.get(name) for name in _ENTERED_UNDER)
    return terms.prizes, terms.earning, terms.one_prize_each, *said


def record_approval(rules: Prizes, promotion: Promotion, command: commands.RecordApproval, at: datetime) -> Decision:
    """Put a proposed amendment into effect with the regulator's approval, unless it came too late."""
    clause = rules.amending.clause
    if promotion.proposed is None:
        return Refusal("nothing_to_approve", "No amendment is waiting for approval.", clause)
    if not command.reference.strip():
        return Refusal("reference_missing", "Give the reference of the approval.", clause)
    refusal = _check_fixed(rules, promotion, promotion.proposed, at)
    return refusal or (
        events.AmendmentApproved(at=at, by=command.by, clause=clause, reference=command.reference),
        events.TermsAmended(at=at, by=command.by, clause=clause, terms=promotion.proposed, resubmit=False),
    )


def publish_terms(rules: Prizes, promotion: Promotion, command: commands.PublishTerms, at: datetime) -> Decision:
    """Make the terms available; any means will do: the book names some and allows others."""
    clause = rules.availability.clause
    if not command.means.strip():
        return Refusal("means_missing", "Say how patrons can get the terms.", clause)
    marketing = command.in_marketing
    return (events.TermsPublished(at=at, by=command.by, clause=clause, means=command.means, in_marketing=marketing),)


@acts_on("prizes.availability")
def start_promotion(rules: Prizes, promotion: Promotion, command: commands.StartPromotion, at: datetime) -> Decision:
    """Start the promotion at the time set in its terms, before entries close, and once the terms are available."""
    starts = promotion.terms.time("starts")
    if promotion.filed is None or starts is None:
        return Refusal("not_filed", f"{_named(rules)} does not have the terms yet.", rules.filing.clause)
    if at < starts:
        sentence = f"Under its terms, the promotion starts at {promotion.terms.time_in_words('starts')}, not before."
        return Refusal("too_early", sentence, rules.clause_of("starts"))
    closes = promotion.terms.time("entries_close")
    if closes is not None and at >= closes:
        sentence = f"Under the terms, entries closed at {promotion.terms.time_in_words('entries_close')}."
        return Refusal("entries_closed", sentence, rules.clause_of("entries_close"))
    refusal = check_available(rules, promotion)
    return refusal or (events.PromotionStarted(at=at, by=command.by, clause=rules.clause),)


def check_available(rules: Prizes, promotion: Promotion) -> Refusal | None:
    """Refuse unless patrons can get the terms in force, as amended, and the marketing refers to them."""
    clause = rules.availability.clause
    if promotion.published is None:
        return Refusal("terms_not_available", "Patrons cannot get the terms yet.", clause)
    if promotion.referred_to is None:
        return Refusal("terms_not_referred_to", "The marketing does not refer to the terms yet.", clause)
    return None
