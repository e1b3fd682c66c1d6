"""The one way in: a command becomes events, or a refusal. Pure: the time is an argument, the outcome of a draw too."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from croupier.prizes import claiming, commands, disputing, doubting, drawing, events, filing, giving
from croupier.prizes.duties import BEFORE_THE_DRAW, duties
from croupier.prizes.state import Promotion, Stage
from croupier.rules.prizes import Prizes
from croupier.table.refusals import Refusal

Decision = tuple[events.AnyEvent, ...] | Refusal
Decider = Callable[[Prizes, Promotion, Any, datetime], Decision]

# From the filing on until the winners are drawn, and until everything is over.
_FILED: tuple[Stage, ...] = ("filed", "running", "entries closed", "drawn")
_STARTED: tuple[Stage, ...] = ("running", "entries closed")
_DRAWN: tuple[Stage, ...] = ("drawn",)
_AFTER: tuple[Stage, ...] = ("drawn", "cancelled")
_KNOWN: tuple[Stage, ...] = (*_FILED, "cancelled", "closed")


def decide(rules: Prizes, promotion: Promotion, command: commands.AnyCommand, at: datetime) -> Decision:
    """What a command leads to. Nothing has happened until the events are applied."""
    if at.tzinfo is None:
        return Refusal("time_zone_needed", "Say the time with its zone.")
    decider, stages, goes_on = _DECIDE[type(command)]
    if promotion.stage not in stages:
        known = " or ".join(f"“{stage}”" for stage in stages)
        return Refusal("wrong_stage", f"That is done at the stage {known}; it is at “{promotion.stage}”.")
    if promotion.postponed and not goes_on:
        sentence = "It is put off until its integrity is validated."
        return Refusal("postponed", sentence, rules.integrity.clause)
    return decider(rules, promotion, command, at.astimezone(UTC))


def may_be_asked(promotion: Promotion) -> list[type[commands.Command]]:
    """What fits the stage that a promotion has come to; whether it is refused for another reason, `decide` tells."""
    return [
        kind
        for kind, (_, stages, goes_on) in _DECIDE.items()
        if promotion.stage in stages and (goes_on or not promotion.postponed)
    ]


def close_promotion(rules: Prizes, promotion: Promotion, command: commands.ClosePromotion, at: datetime) -> Decision:
    """Nothing that was promised is still to be drawn or given, and nothing is due."""
    promised = filing.check_promised(rules, promotion, at)
    if promised is not None:
        return promised
    if promotion.stage == "entries closed" and promotion.entries:
        return Refusal("not_drawn", "There are entries, and the prizes are not drawn yet.", rules.clause)
    if promotion.stage == "drawn":
        for prize in promotion.terms.prizes:
            drawn = sum(award.prize == prize.id for award in promotion.awards) + promotion.nobody.count(prize.id)
            if drawn < prize.count:
                return Refusal("not_drawn", f"{prize.id} is still to be drawn.", rules.clause)
        if any(award.status == "drawn" for award in promotion.awards):
            return Refusal("not_given", "There are prizes that were won and not given.", rules.clause)
    refusal = _unanswered(promotion) or _left_undone(rules, promotion, at)
    return refusal or (events.PromotionClosed(at=at, by=command.by, clause=rules.clause),)


def _unanswered(promotion: Promotion) -> Refusal | None:
    """A claim is met by giving the prize to who made it, or it is denied."""
    for claim in promotion.claims.values():
        award = promotion.award(claim.award)
        met = award is not None and award.status == "given" and award.entrant == claim.claimant
        if claim.denied is None and not met:
            return Refusal("claim_open", f"The claim {claim.id} is neither met nor denied.")
    return None


def _left_undone(rules: Prizes, promotion: Promotion, at: datetime) -> Refusal | None:
    """Duties that are open; what lies before a draw that never comes is no longer due."""
    for duty in duties(rules, promotion, at):
        if duty.is_open and (promotion.stage == "drawn" or duty.id not in BEFORE_THE_DRAW):
            return Refusal("duty_open", f"Still to be done: {duty.what}.", duty.clause)
    return None


# What decides each command, the stages at which it may be given, and whether it may be given while all is put off.
_DECIDE: dict[type, tuple[Decider, tuple[Stage, ...], bool]] = {
    commands.DraftTerms: (filing.draft_terms, ("new", "draft"), True),
    commands.FileTerms: (filing.file_terms, ("draft", *_FILED, "cancelled"), True),
    commands.AmendTerms: (filing.amend_terms, ("filed", *_STARTED), True),
    commands.RecordApproval: (filing.record_approval, _STARTED, True),
    commands.PublishTerms: (filing.publish_terms, (*_FILED, "cancelled"), True),
    commands.StartPromotion: (filing.start_promotion, ("draft", "filed"), False),
    commands.TakeEntries: (drawing.take_entries, ("running",), False),
    commands.CloseEntries: (drawing.close_entries, ("running",), True),
    commands.NameScrutineer: (drawing.name_scrutineer, ("draft", *_FILED), True),
    commands.NoteScrutineer: (drawing.note_scrutineer, ("entries closed", "drawn"), False),
    commands.DrawPrizes: (drawing.draw_prizes, ("entries closed", "drawn"), False),
    commands.Postpone: (doubting.postpone, _FILED, True),
    commands.Validate: (doubting.validate, ("draft", *_FILED), True),
    commands.CancelDraw: (doubting.cancel_draw, _FILED, True),
    commands.TellInspector: (doubting.tell_inspector, ("draft", *_FILED, "cancelled"), True),
    commands.TellWinner: (giving.tell_winner, _DRAWN, True),
    commands.MakeClaim: (claiming.make_claim, (*_AFTER, "closed"), True),
    commands.OfferAlternative: (giving.offer_alternative, _DRAWN, False),
    commands.ChooseAlternative: (giving.choose_alternative, _DRAWN, False),
    commands.ChooseForms: (giving.choose_forms, _DRAWN, False),
    commands.PayPrize: (giving.pay_prize, _DRAWN, False),
    commands.HandOver: (giving.hand_over, _DRAWN, False),
    commands.LapseAward: (giving.lapse_award, _DRAWN, False),
    commands.DenyClaim: (claiming.deny_claim, (*_AFTER, "closed"), True),
    commands.TellReason: (claiming.tell_reason, (*_AFTER, "closed"), True),
    commands.RaiseDispute: (disputing.raise_dispute, _KNOWN, True),
    commands.DecideDispute: (disputing.decide_dispute, ("draft", *_KNOWN), True),
    commands.NoteDissatisfied: (disputing.note_dissatisfied, ("draft", *_KNOWN), True),
    commands.AdviseOfRight: (disputing.advise_of_right, ("draft", *_KNOWN), True),
    commands.ClosePromotion: (close_promotion, ("new", "draft", "filed", "entries closed", *_AFTER), False),
}
