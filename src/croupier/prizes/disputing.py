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
    return (events.DisputeDecided(at=at, by=command.by, clause=clause, dispute=dispute.id, decision=command.decision),)


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
