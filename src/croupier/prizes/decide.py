"""The entry point: turns a command into events or a refusal. Pure: time and draw results are arguments."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from croupier.prizes import claims, commands, drawing, events, filing, giving
from croupier.prizes.duties import BEFORE_THE_DRAW, duties
from croupier.prizes.state import Promotion, Stage
from croupier.rules.prizes import Prizes
from croupier.rules.schema import acts_on
from croupier.table.refusals import Refusal

Decision = tuple[events.AnyEvent, ...] | Refusal
Decider = Callable[[Prizes, Promotion, Any, datetime], Decision]

# Stages from filing to the draw, and to the end.
_FILED: tuple[Stage, ...] = ("filed", "running", "entries closed", "drawn")
_STARTED: tuple[Stage, ...] = ("running", "entries closed")
_DRAWN: tuple[Stage, ...] = ("drawn",)
_AFTER: tuple[Stage, ...] = ("drawn", "cancelled")
_KNOWN: tuple[Stage, ...] = (*_FILED, "cancelled", "closed")


@acts_on("prizes.clause")
def decide(rules: Prizes, promotion: Promotion, command: commands.AnyCommand, at: datetime) -> Decision:
    """Decide a command. Nothing takes effect until the events are applied."""
    if at.tzinfo is None:
        return Refusal("time_zone_needed", "Give the time with its zone.")
    asked = _ASKED[type(command)]
    if promotion.stage not in asked.stages:
        known = " or ".join(f"“{stage}”" for stage in asked.stages)
        say = f"This is possible only at the stage {known}; the promotion is at “{promotion.stage}”."
        cancelled = promotion.stage == "cancelled"
        return Refusal("wrong_stage", say, rules.integrity.clause if cancelled else asked.clause(rules))
    if promotion.postponed and not asked.goes_on:
        sentence = "The promotion is postponed until its integrity is validated."
        return Refusal("postponed", sentence, rules.integrity.clause)
    return asked.decider(rules, promotion, command, at.astimezone(UTC))


def may_be_asked(promotion: Promotion) -> list[type[commands.Command]]:
    """Return the commands that fit the current stage; `decide` may still refuse them for other reasons."""
    return [
        kind
        for kind, asked in _ASKED.items()
        if promotion.stage in asked.stages and (asked.goes_on or not promotion.postponed)
    ]


def close_promotion(rules: Prizes, promotion: Promotion, command: commands.ClosePromotion, at: datetime) -> Decision:
    """Close the promotion: everything promised must be drawn and given, and nothing be due."""
    promised = filing.check_promised(rules, promotion, at)
    if promised is not None:
        return promised
    if promotion.stage == "entries closed" and promotion.entries:
        return Refusal("not_drawn", "There are entries, but the prizes have not been drawn yet.", rules.clause)
    if promotion.stage == "drawn":
        for prize in promotion.terms.prizes:
            drawn = sum(award.prize == prize.id for award in promotion.awards) + promotion.nobody.count(prize.id)
            if drawn < prize.count:
                return Refusal("not_drawn", f"{prize.id} is still to be drawn.", rules.clause)
        if any(award.status == "drawn" for award in promotion.awards):
            return Refusal("not_given", "Some prizes have been won but not given.", rules.clause)
    refusal = _unanswered(rules, promotion) or _left_undone(rules, promotion, at)
    if refusal is None and is_left(promotion) and not command.reason.strip():
        say = "Say why a prize that was refused or not claimed is not drawn again."
        return Refusal("reason_missing", say, rules.refusals.clause)
    return refusal or (events.PromotionClosed(at=at, by=command.by, clause=rules.clause, reason=command.reason),)


def is_left(promotion: Promotion) -> bool:
    """Return whether the award of a drawn prize failed and was not drawn again."""
    return promotion.stage == "drawn" and any(promotion.left(prize) > 0 for prize in promotion.terms.prizes)


def _unanswered(rules: Prizes, promotion: Promotion) -> Refusal | None:
    """Refuse while a claim is open: it must be met by giving its claimant the prize, or be denied."""
    for claim in promotion.claims.values():
        award = promotion.award(claim.award)
        met = award is not None and award.status == "given" and award.entrant == claim.claimant
        if claim.denied is None and not met:
            say = f"The claim {claim.id} has been neither met nor denied."
            return Refusal("claim_open", say, rules.clause_of("claim_method"))
    return None


def _left_undone(rules: Prizes, promotion: Promotion, at: datetime) -> Refusal | None:
    """Refuse while duties are open; duties before a draw that will not happen do not count."""
    for duty in duties(rules, promotion, at):
        if duty.is_open and (promotion.stage == "drawn" or duty.id not in BEFORE_THE_DRAW):
            return Refusal("duty_open", f"Still to be done: {duty.what}.", duty.clause)
    return None


class _Asked(NamedTuple):
    """The decider of a command, its stages, and whether it may be given while the promotion is postponed.

    `clause` returns the clause that it is under.
    """

    decider: Decider
    stages: tuple[Stage, ...]
    goes_on: bool
    clause: Callable[[Prizes], str]


def _term(name: str) -> Callable[[Prizes], str]:
    return lambda rules: rules.clause_of(name)


def _part(name: str) -> Callable[[Prizes], str]:
    """Return the getter of the clause of a part of the prize rules."""
    return lambda rules: str(getattr(rules, name).clause)


def _whole(rules: Prizes) -> str:
    return rules.clause


def _all_terms(rules: Prizes) -> str:
    return rules.terms_clause


_ASKED: dict[type, _Asked] = {
    commands.DraftTerms: _Asked(filing.draft_terms, ("new", "draft"), True, _all_terms),
    commands.FileTerms: _Asked(filing.file_terms, ("draft", *_FILED, "cancelled"), True, _part("filing")),
    commands.AmendTerms: _Asked(filing.amend_terms, ("filed", *_STARTED), True, _part("amending")),
    commands.RecordApproval: _Asked(filing.record_approval, _STARTED, True, _part("amending")),
    commands.PublishTerms: _Asked(filing.publish_terms, (*_FILED, "cancelled"), True, _part("availability")),
    commands.StartPromotion: _Asked(filing.start_promotion, ("draft", "filed"), False, _term("starts")),
    commands.TakeEntries: _Asked(drawing.take_entries, ("running",), False, _term("entries_close")),
    commands.CloseEntries: _Asked(drawing.close_entries, ("running",), True, _term("entries_close")),
    commands.NameScrutineer: _Asked(drawing.name_scrutineer, ("draft", *_FILED), True, _part("scrutineer")),
    commands.NoteScrutineer: _Asked(drawing.note_scrutineer, ("entries closed", "drawn"), False, _part("scrutineer")),
    commands.DrawPrizes: _Asked(drawing.draw_prizes, ("entries closed", "drawn"), False, _term("awarded_at")),
    commands.Postpone: _Asked(claims.postpone, _FILED, True, _part("integrity")),
    commands.Validate: _Asked(claims.validate, ("draft", *_FILED), True, _part("integrity")),
    commands.CancelDraw: _Asked(claims.cancel_draw, _FILED, True, _part("integrity")),
    commands.TellInspector: _Asked(claims.tell_inspector, ("draft", *_FILED, "cancelled"), True, _part("integrity")),
    commands.TellWinner: _Asked(giving.tell_winner, _DRAWN, True, _part("winners")),
    commands.MakeClaim: _Asked(claims.make_claim, (*_AFTER, "closed"), True, _term("claim_method")),
    commands.OfferAlternative: _Asked(giving.offer_alternative, _DRAWN, False, _part("alternative")),
    commands.ChooseAlternative: _Asked(giving.choose_alternative, _DRAWN, False, _part("alternative")),
    commands.UndoAlternative: _Asked(giving.undo_alternative, _DRAWN, False, _part("alternative")),
    commands.ChooseForms: _Asked(giving.choose_forms, _DRAWN, False, _part("payment")),
    commands.PayPrize: _Asked(giving.pay_prize, _DRAWN, False, _part("payment")),
    commands.HandOver: _Asked(giving.hand_over, _DRAWN, False, _whole),
    commands.LapseAward: _Asked(giving.lapse_award, _DRAWN, False, _part("winners")),
    commands.DenyClaim: _Asked(claims.deny_claim, (*_AFTER, "closed"), True, _part("refusals")),
    commands.TellReason: _Asked(claims.tell_reason, (*_AFTER, "closed"), True, _part("refusals")),
    commands.RaiseDispute: _Asked(claims.raise_dispute, _KNOWN, True, _part("disputes")),
    commands.DecideDispute: _Asked(claims.decide_dispute, ("draft", *_KNOWN), True, _part("disputes")),
    commands.NoteDissatisfied: _Asked(claims.note_dissatisfied, ("draft", *_KNOWN), True, _part("disputes")),
    commands.AdviseOfRight: _Asked(claims.advise_of_right, ("draft", *_KNOWN), True, _part("disputes")),
    commands.ClosePromotion: _Asked(
        close_promotion, ("new", "draft", "filed", "entries closed", *_AFTER), False, _whole
    ),
}
