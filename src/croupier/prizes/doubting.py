"""Doubts about integrity: putting a promotion or draw off, validating it, cancelling it, telling the inspector."""

from __future__ import annotations

from datetime import datetime, timedelta

from croupier.prizes import commands, events
from croupier.prizes.state import Promotion
from croupier.rules.duties import AT_ONCE
from croupier.rules.prizes import Prizes
from croupier.table.refusals import Refusal

Decision = tuple[events.AnyEvent, ...] | Refusal


def postpone(rules: Prizes, promotion: Promotion, command: commands.Postpone, at: datetime) -> Decision:
    """Put it off until its integrity is validated; the inspector is to be told."""
    rule = rules.integrity
    if promotion.postponed:
        return Refusal("postponed_already", "It is put off already.", rule.clause)
    if not command.reason.strip():
        return _no_reason(rules)
    due = _notice_due(rules, at)
    return (events.Postponed(at=at, by=command.by, clause=rule.clause, reason=command.reason, tell=rule.tell, due=due),)


def validate(rules: Prizes, promotion: Promotion, command: commands.Validate, at: datetime) -> Decision:
    """What was put off goes on."""
    clause = rules.integrity.clause
    if not promotion.postponed:
        return Refusal("not_postponed", "Nothing is put off.", clause)
    if not command.finding.strip():
        return Refusal("finding_missing", "Say how its integrity was validated.", clause)
    return (events.Validated(at=at, by=command.by, clause=clause, finding=command.finding),)


def cancel_draw(rules: Prizes, promotion: Promotion, command: commands.CancelDraw, at: datetime) -> Decision:
    """Cancel it; the inspector is to be told."""
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
    return Refusal("reason_missing", "Say why its integrity is in doubt.", rules.integrity.clause)


def tell_inspector(rules: Prizes, promotion: Promotion, command: commands.TellInspector, at: datetime) -> Decision:
    """The notice is on the record, late or not; `duties` tells which."""
    rule = rules.integrity
    if all(notice.told is not None for notice in promotion.notices):
        return Refusal("nothing_to_tell", "There is nothing of which the inspector is still to be told.", rule.clause)
    return (events.InspectorTold(at=at, by=command.by, clause=rule.clause, who=rule.tell),)
