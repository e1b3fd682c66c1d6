"""Claims to awards and their denial, disputes about the terms, and doubts about integrity."""

from __future__ import annotations

from datetime import datetime, timedelta

from croupier.money import dollars
from croupier.prizes import commands, events
from croupier.prizes.state import Claim, Dispute, Promotion
from croupier.rules.conduct import AT_ONCE
from croupier.rules.prizes import Prizes
from croupier.rules.schema import acts_on
from croupier.table.refusals import Refusal

Decision = tuple[events.AnyEvent, ...] | Refusal


def make_claim(rules: Prizes, promotion: Promotion, command: commands.MakeClaim, at: datetime) -> Decision:
    """Record a claim; anyone may claim what was drawn. Whether it is paid is decided elsewhere."""
    clause = rules.clause_of("claim_method")
    if promotion.award(command.award) is None:
        return Refusal("unknown_award", f"There is no award {command.award}.", clause)
    if command.claim in promotion.claims or not command.claim or not command.claimant:
        return Refusal("claim_twice", "A claim needs a unique name and a claimant.", clause)
    if any(
        c.award == command.award and c.claimant == command.claimant and c.denied is None
        for c in promotion.claims.values()
    ):
        return Refusal("claim_open", f"{command.claimant} has already claimed this award.", clause)
    if bool(command.name.strip()) != bool(command.address.strip()):
        say = "Give both name and address, or neither."
        return Refusal("name_or_address_missing", say, rules.refusals.keep_clause)
    made = events.ClaimMade(
        at=at, by=command.by, clause=clause, claim=command.claim, award=command.award, claimant=command.claimant
    )
    return (made, *_named(rules, command, at))


def _named(
    rules: Prizes, command: commands.MakeClaim | commands.DenyClaim, at: datetime
) -> tuple[events.ClaimantNamed, ...]:
    if not (command.name.strip() and command.address.strip()):
        return ()
    return (
        events.ClaimantNamed(
            at=at,
            by=command.by,
            clause=rules.refusals.keep_clause,
            claim=command.claim,
            seal=command.seal,
        ),
    )


@acts_on("prizes.refusals")
def deny_claim(rules: Prizes, promotion: Promotion, command: commands.DenyClaim, at: datetime) -> Decision:
    """Deny a claim, with a reason; above the book's threshold, with name and address on record."""
    claim, rule = _open_claim(rules, promotion, command.claim), rules.refusals
    if isinstance(claim, Refusal):
        return claim
    if not command.reason.strip():
        return Refusal("reason_missing", "Say why the claim is refused.", rule.clause)
    award = promotion.award(claim.award)
    assert award is not None
    prize, winner = promotion.prize_of(award), claim.claimant == award.entrant
    if award.status == "given" and winner:
        return Refusal("award_settled", "The prize has already been given for this claim.", rule.clause)
    kept, named = prize.worth > rule.keep_above_cents, _named(rules, command, at)
    known = claim.id in promotion.seals
    if named and known:
        say = "Name and address were recorded with the claim and cannot be changed."
        return Refusal("named_already", say, rule.keep_clause)
    if kept and not named and not known:
        sentence = (
            f"For a denied claim to a prize over {dollars(rule.keep_above_cents)}, name and address must be recorded."
        )
        return Refusal("name_or_address_missing", sentence, rule.keep_clause)
    denied = events.ClaimDenied(
        at=at,
        by=command.by,
        clause=rule.keep_clause if kept else rule.clause,
        claim=claim.id,
        award=award.number,
        reason=command.reason,
        value=prize.value,
        kept=kept,
        winner=winner,
    )
    return (*named, denied)


def _open_claim(rules: Prizes, promotion: Promotion, claim_id: str) -> Claim | Refusal:
    claim, clause = promotion.claims.get(claim_id), rules.refusals.clause
    if claim is None:
        return Refusal("unknown_claim", f"There is no claim called {claim_id}.", clause)
    return Refusal("claim_denied", "The claim is already denied.", clause) if claim.denied is not None else claim


def tell_reason(rules: Prizes, promotion: Promotion, command: commands.TellReason, at: datetime) -> Decision:
    """Record that the claimant of a denied claim was told why, once."""
    claim, clause = promotion.claims.get(command.claim), rules.refusals.clause
    if claim is None or claim.denied is None:
        return Refusal("not_denied", f"No claim called {command.claim} was denied.", clause)
    if claim.told is not None:
        return Refusal("told_already", "The claimant has already been told why.", clause)
    return (events.ReasonTold(at=at, by=command.by, clause=clause, claim=claim.id),)


# Disputes about the terms: the operator's decision is final; a dissatisfied patron is advised of a right.


def raise_dispute(rules: Prizes, promotion: Promotion, command: commands.RaiseDispute, at: datetime) -> Decision:
    """Record a dispute about the terms or their application."""
    clause = rules.disputes.clause
    if command.dispute in promotion.disputes or not command.dispute:
        return Refusal("dispute_twice", "A dispute needs a unique name.", clause)
    if not command.patron or not command.about.strip():
        return Refusal("dispute_not_whole", "Say who disputes what.", clause)
    return (
        events.DisputeRaised(
            at=at, by=command.by, clause=clause, dispute=command.dispute, patron=command.patron, about=command.about
        ),
    )


def decide_dispute(rules: Prizes, promotion: Promotion, command: commands.DecideDispute, at: datetime) -> Decision:
    """Decide a dispute, once: the operator is the last instance."""
    dispute, clause = _dispute(rules, promotion, command.dispute), rules.disputes.clause
    if isinstance(dispute, Refusal):
        return dispute
    if dispute.decided is not None:
        return Refusal(
            "decision_final", "The operator has already decided the dispute, and the decision is final.", clause
        )
    if not command.decision.strip():
        return Refusal("decision_missing", "Say what the decision is.", clause)
    decided = events.DisputeDecided(at=at, by=command.by, clause=clause, dispute=dispute.id, decision=command.decision)
    if command.restores is None:
        return (decided,)
    refusal = _check_restored(rules, promotion, dispute, command.restores)
    if refusal is not None:
        return refusal
    return decided, events.AwardRestored(
        at=at, by=command.by, clause=clause, dispute=dispute.id, award=command.restores
    )


def _check_restored(rules: Prizes, promotion: Promotion, dispute: Dispute, number: int) -> Refusal | None:
    """Refuse to restore an award unless the patron won it and it was not drawn again."""
    clause, award = rules.disputes.clause, promotion.award(number)
    if award is None or award.entrant != dispute.patron:
        return Refusal("not_their_award", f"{dispute.patron} did not win award {number}.", clause)
    if promotion.stage != "drawn":
        return Refusal("wrong_stage", "The promotion is over: awards can no longer be restored.", clause)
    if award.followed:
        return Refusal("drawn_already", f"Award {number} was drawn again and can no longer be restored.", clause)
    if not award.is_restorable:
        return Refusal("not_refused", f"Award {number} has neither been refused nor lapsed.", clause)
    return None


def note_dissatisfied(
    rules: Prizes, promotion: Promotion, command: commands.NoteDissatisfied, at: datetime
) -> Decision:
    """Record dissatisfaction with a decision; there must be one."""
    dispute, clause = _dispute(rules, promotion, command.dispute), rules.disputes.clause
    if isinstance(dispute, Refusal):
        return dispute
    if dispute.decided is None:
        return Refusal("not_decided", "The operator has not decided the dispute yet.", clause)
    return (events.DissatisfactionNoted(at=at, by=command.by, clause=clause, dispute=dispute.id),)


@acts_on("prizes.disputes")
def advise_of_right(rules: Prizes, promotion: Promotion, command: commands.AdviseOfRight, at: datetime) -> Decision:
    """Advise of the right to complain, in the book's words; possible at any time."""
    dispute = _dispute(rules, promotion, command.dispute)
    if isinstance(dispute, Refusal):
        return dispute
    rule = rules.disputes
    return (
        events.RightToComplainTold(at=at, by=command.by, clause=rule.clause, dispute=dispute.id, words=rule.advice),
    )


def _dispute(rules: Prizes, promotion: Promotion, dispute_id: str) -> Dispute | Refusal:
    found = promotion.disputes.get(dispute_id)
    return found or Refusal("unknown_dispute", f"There is no dispute called {dispute_id}.", rules.disputes.clause)


# Doubts about integrity: postponing, validating or cancelling, and notifying the inspector.


def postpone(rules: Prizes, promotion: Promotion, command: commands.Postpone, at: datetime) -> Decision:
    """Postpone until integrity is validated; the inspector must be notified."""
    rule = rules.integrity
    if promotion.postponed:
        return Refusal("postponed_already", "The promotion is already postponed.", rule.clause)
    if not command.reason.strip():
        return _no_reason(rules)
    due = _notice_due(rules, at)
    return (events.Postponed(at=at, by=command.by, clause=rule.clause, reason=command.reason, tell=rule.tell, due=due),)


def validate(rules: Prizes, promotion: Promotion, command: commands.Validate, at: datetime) -> Decision:
    """Resume what was postponed."""
    clause = rules.integrity.clause
    if not promotion.postponed:
        return Refusal("not_postponed", "Nothing is postponed.", clause)
    if not command.finding.strip():
        return Refusal("finding_missing", "Say how the integrity was validated.", clause)
    return (events.Validated(at=at, by=command.by, clause=clause, finding=command.finding),)


def cancel_draw(rules: Prizes, promotion: Promotion, command: commands.CancelDraw, at: datetime) -> Decision:
    """Cancel the draw; the inspector must be notified."""
    rule = rules.integrity
    if not command.reason.strip():
        return _no_reason(rules)
    due = _notice_due(rules, at)
    return (
        events.DrawCancelled(at=at, by=command.by, clause=rule.clause, reason=command.reason, tell=rule.tell, due=due),
    )


def _notice_due(rules: Prizes, at: datetime) -> datetime:
    return at + (timedelta(hours=rules.integrity.within_hours) or AT_ONCE)


def _no_reason(rules: Prizes) -> Refusal:
    return Refusal("reason_missing", "Say why the integrity is in doubt.", rules.integrity.clause)


@acts_on("prizes.integrity")
def tell_inspector(rules: Prizes, promotion: Promotion, command: commands.TellInspector, at: datetime) -> Decision:
    """Record the notice, late or not; `duties` reports which."""
    rule = rules.integrity
    if all(notice.told is not None for notice in promotion.notices):
        return Refusal("nothing_to_tell", "The inspector has already been notified of everything.", rule.clause)
    return (events.InspectorTold(at=at, by=command.by, clause=rule.clause, who=rule.tell),)
