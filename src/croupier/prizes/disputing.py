"""Disputes about the terms: the operator's decision is final, and whoever is dissatisfied hears of a right."""

from __future__ import annotations

from datetime import datetime

from croupier.prizes import commands, events
from croupier.prizes.state import Dispute, Promotion
from croupier.rules.prizes import Prizes
from croupier.table.refusals import Refusal

Decision = tuple[events.AnyEvent, ...] | Refusal


def raise_dispute(rules: Prizes, promotion: Promotion, command: commands.RaiseDispute, at: datetime) -> Decision:
    """Somebody disputes the terms, or what was made of them."""
    clause = rules.disputes.clause
    if command.dispute in promotion.disputes or not command.dispute:
        return Refusal("dispute_twice", "Each dispute has a name of its own.", clause)
    if not command.patron or not command.about.strip():
        return Refusal("dispute_not_whole", "Say who disputes what.", clause)
    return (
        events.DisputeRaised(
            at=at, by=command.by, clause=clause, dispute=command.dispute, patron=command.patron, about=command.about
        ),
    )


def decide_dispute(rules: Prizes, promotion: Promotion, command: commands.DecideDispute, at: datetime) -> Decision:
    """Once: there is nobody after the operator."""
    dispute, clause = _dispute(rules, promotion, command.dispute), rules.disputes.clause
    if isinstance(dispute, Refusal):
        return dispute
    if dispute.decided is not None:
        return Refusal("decision_final", "The operator has decided, and that decision is final.", clause)
    if not command.decision.strip():
        return Refusal("decision_missing", "Say what is decided.", clause)
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
    """An award goes back to the winner who disputes, as long as nobody else was drawn for it."""
    clause, award = rules.disputes.clause, promotion.award(number)
    if award is None or award.entrant != dispute.patron:
        return Refusal("not_their_award", f"{dispute.patron} won nothing under the number {number}.", clause)
    if promotion.stage != "drawn":
        return Refusal("wrong_stage", "The promotion is over: no award is given back any more.", clause)
    if award.followed:
        return Refusal("drawn_already", f"The award {number} was drawn again: it is no longer there to give.", clause)
    if not award.is_restorable:
        return Refusal("not_refused", f"The award {number} was neither refused nor has it lapsed.", clause)
    return None


def note_dissatisfied(
    rules: Prizes, promotion: Promotion, command: commands.NoteDissatisfied, at: datetime
) -> Decision:
    """With a decision, so not before there is one."""
    dispute, clause = _dispute(rules, promotion, command.dispute), rules.disputes.clause
    if isinstance(dispute, Refusal):
        return dispute
    if dispute.decided is None:
        return Refusal("not_decided", "The operator has not decided yet.", clause)
    return (events.DissatisfactionNoted(at=at, by=command.by, clause=clause, dispute=dispute.id),)


def advise_of_right(rules: Prizes, promotion: Promotion, command: commands.AdviseOfRight, at: datetime) -> Decision:
    """The right to complain, in the words that are said; anybody may hear of it at any time."""
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
