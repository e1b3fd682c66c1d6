"""The course of an award: the winner is notified, may take money instead, gets the prize, or never claims it."""

from __future__ import annotations

from datetime import datetime, timedelta

from croupier.money import dollars
from croupier.prizes import commands, events
from croupier.prizes.state import Award, Promotion
from croupier.prizes.terms import no_alternative
from croupier.rules.prizes import Prizes
from croupier.rules.schema import acts_on
from croupier.table.refusals import Refusal

Decision = tuple[events.AnyEvent, ...] | Refusal


def open_award(promotion: Promotion, number: int, clause: str) -> Award | Refusal:
    """Return an award that is still to be given, or a refusal citing `clause`."""
    award = promotion.award(number)
    if award is None:
        return Refusal("unknown_award", f"There is no award {number}.", clause)
    if award.status != "drawn":
        return Refusal("award_settled", f"Award {number} is already {award.status}.", clause)
    return award


@acts_on("prizes.winners")
def tell_winner(rules: Prizes, promotion: Promotion, command: commands.TellWinner, at: datetime) -> Decision:
    """Record an attempt to notify the winner in one of the book's ways, successful or not."""
    award = open_award(promotion, command.award, rules.winners.clause)
    if isinstance(award, Refusal):
        return award
    way = next((way for way in rules.winners.ways if way.id == command.way), None)
    if way is None:
        known = ", ".join(way.id for way in rules.winners.ways)
        sentence = f"A winner must be notified in one of these ways: {known}; not by {command.way}."
        return Refusal("way_not_permitted", sentence, rules.winners.clause)
    return (
        events.WinnerTold(
            at=at, by=command.by, clause=way.clause, award=award.number, way=way.id, reached=command.reached
        ),
    )


def offer_alternative(
    rules: Prizes, promotion: Promotion, command: commands.OfferAlternative, at: datetime
) -> Decision:
    """Offer money: the amount in the terms, or the prize's value if the book does not require it stated."""
    award = open_award(promotion, command.award, rules.alternative.clause)
    if isinstance(award, Refusal):
        return award
    prize, rule = promotion.prize_of(award), rules.alternative
    refusal = no_alternative(rules, prize)
    if refusal is not None:
        return refusal
    if rule.stated and "alternative" not in prize.said:
        sentence = f"The terms state no {rule.called} alternative for {prize.id}."
        return Refusal("alternative_not_stated", sentence, rule.clause)
    cents = int(prize.said.get("alternative", prize.value))
    return (events.AlternativeOffered(at=at, by=command.by, clause=rule.clause, award=award.number, cents=cents),)


@acts_on("prizes.alternative")
def choose_alternative(
    rules: Prizes, promotion: Promotion, command: commands.ChooseAlternative, at: datetime
) -> Decision:
    """Choose the money that was offered, once, with a recorded reason."""
    clause = rules.alternative.clause
    award = open_award(promotion, command.award, clause)
    if isinstance(award, Refusal):
        return award
    if award.alternative is None:
        return Refusal("alternative_not_offered", "Money instead of this prize was not offered.", clause)
    if award.chosen:
        return Refusal("chosen_already", "The winner has already taken the money.", clause)
    if not command.reason.strip():
        return Refusal("reason_missing", "Say why the winner takes the money.", clause)
    chosen = events.AlternativeChosen(
        at=at, by=command.by, clause=clause, award=award.number, cents=award.alternative, reason=command.reason
    )
    return (chosen,)


def undo_alternative(rules: Prizes, promotion: Promotion, command: commands.UndoAlternative, at: datetime) -> Decision:
    """Return to the prize, until it is paid; only the winner may undo the winner's own choice."""
    clause = rules.alternative.clause
    award = open_award(promotion, command.award, clause)
    if isinstance(award, Refusal):
        return award
    if not award.chosen:
        return Refusal("not_chosen", "The winner has not taken money instead of this prize.", clause)
    if award.chosen_by == award.entrant != command.by:
        return Refusal("winner_chose", "The winner chose the money, and only the winner may undo that.", clause)
    if not command.reason.strip():
        return Refusal("reason_missing", "Say why the winner wants the prize after all.", clause)
    return (events.AlternativeUndone(at=at, by=command.by, clause=clause, award=award.number, reason=command.reason),)


def money_due(rules: Prizes, promotion: Promotion, award: Award) -> int | None:
    """Return the money due for an award; None if the prize itself is handed over."""
    prize = promotion.prize_of(award)
    if award.chosen:
        return award.alternative
    return prize.value if rules.kinds_by_id[prize.kind].monetary else None


def winner_chooses(rules: Prizes, due: int) -> bool:
    """Return whether an amount is above the threshold at which the winner chooses the form of payment."""
    above = rules.payment.choice_above_cents
    return above is not None and due > above


def choose_forms(rules: Prizes, promotion: Promotion, command: commands.ChooseForms, at: datetime) -> Decision:
    """Choose any of the book's forms, or several. Others may choose only until the winner has."""
    clause = rules.payment.clause
    award = open_award(promotion, command.award, clause)
    if isinstance(award, Refusal):
        return award
    if money_due(rules, promotion, award) is None:
        return Refusal("not_money", "This prize is handed over, not paid.", clause)
    if award.forms_by == award.entrant != command.by:
        return Refusal("winner_chose", "The winner has chosen how to be paid.", clause)
    refusal = _check_forms(rules, command.forms)
    return refusal or (
        events.FormsChosen(at=at, by=command.by, clause=clause, award=award.number, forms=command.forms),
    )


def _check_forms(rules: Prizes, forms: tuple[str, ...]) -> Refusal | None:
    known = {form.id: form.name for form in rules.payment.forms}
    for form in forms:
        if form not in known:
            sentence = f"A prize can be paid by {', or by '.join(known.values())}; not by {form}."
            return Refusal("form_not_permitted", sentence, rules.payment.clause)
    return None if forms else Refusal("form_missing", "Say in which form the prize is paid.", rules.payment.clause)


@acts_on("prizes.payment")
def pay_prize(rules: Prizes, promotion: Promotion, command: commands.PayPrize, at: datetime) -> Decision:
    """Pay the whole amount, in forms that the book allows; above its threshold, in those that were chosen."""
    clause = rules.payment.clause
    award = open_award(promotion, command.award, clause)
    if isinstance(award, Refusal):
        return award
    due, forms = money_due(rules, promotion, award), tuple(p.form for p in command.parts)
    if due is None:
        return Refusal("not_money", "This prize is handed over, not paid.", clause)
    refusal = _check_claimed(rules, promotion, award) or _check_forms(rules, forms)
    if refusal is not None:
        return refusal
    if winner_chooses(rules, due) and not award.forms:
        above = dollars(rules.payment.choice_above_cents or 0)
        sentence = f"Above {above} the winner must choose how to be paid, and has not chosen yet."
        return Refusal("choice_missing", sentence, clause)
    if winner_chooses(rules, due) and set(forms) != set(award.forms):
        chosen = " and ".join(form.name for form in rules.payment.forms if form.id in award.forms)
        return Refusal("not_as_chosen", f"The winner chose to be paid by {chosen}.", clause)
    if sum(part.cents for part in command.parts) != due or any(part.cents < 1 for part in command.parts):
        return Refusal("wrong_amount", f"The parts of the payment must add up to {dollars(due)}.", clause)
    return (events.PrizePaid(at=at, by=command.by, clause=clause, award=award.number, parts=command.parts),)


def hand_over(rules: Prizes, promotion: Promotion, command: commands.HandOver, at: datetime) -> Decision:
    """Hand over a prize that is not money, unless the winner chose money instead."""
    award = open_award(promotion, command.award, rules.clause)
    if isinstance(award, Refusal):
        return award
    if money_due(rules, promotion, award) is not None:
        return Refusal("money_due", "This prize is paid, not handed over.", rules.payment.clause)
    refusal = _check_claimed(rules, promotion, award)
    return refusal or (events.PrizeHandedOver(at=at, by=command.by, clause=rules.clause, award=award.number),)


def _check_claimed(rules: Prizes, promotion: Promotion, award: Award) -> Refusal | None:
    if promotion.claim_of_winner(award) is not None:
        return None
    clause = rules.clause_of("claim_method")
    return Refusal("not_claimed", f"The winner has not claimed award {award.number}.", clause)


def tell_by(rules: Prizes, award: Award) -> datetime:
    """Return the deadline for notifying a winner who need not attend the draw."""
    return award.drawn + timedelta(days=rules.winners.within_days)


def lapse_award(rules: Prizes, promotion: Promotion, command: commands.LapseAward, at: datetime) -> Decision:
    """Let an award lapse, not before the notification deadline unless presence was required or it was declined."""
    clause = rules.winners.clause
    award = open_award(promotion, command.award, clause)
    if isinstance(award, Refusal):
        return award
    if not command.reason.strip():
        return Refusal("reason_missing", "Say which of the terms was not met.", rules.refusals.clause)
    if any(claim.award == award.number and claim.denied is None for claim in promotion.claims.values()):
        say = "There is a claim to this award: give the prize or deny the claim."
        return Refusal("claim_open", say, rules.clause_of("claim_method"))
    reached = any(attempt.reached for attempt in award.attempts)
    if command.declined and command.by != award.entrant and not reached:
        return Refusal("winner_not_told", "The winner was not reached, so cannot have declined the prize.", clause)
    absent = promotion.terms.said.get("presence_required") is not True and not command.declined
    if absent and at <= tell_by(rules, award):
        return Refusal("too_early", "The time for notifying the winner is not over yet.", clause)
    if absent and not award.attempts:
        return Refusal("winner_not_told", "No attempt was made to notify the winner.", clause)
    lapsed = events.AwardLapsed(
        at=at,
        by=command.by,
        clause=rules.clause,
        award=award.number,
        reason=command.reason,
        declined=command.declined,
    )
    return (lapsed,)
