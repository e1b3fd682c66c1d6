"""What can be done with an award now, found by trying: what the book would take, and why not yet of the rest.

A page that shows it needs to know no rules: which prizes are paid, who chooses how, when an award lapses.
"""

from __future__ import annotations

from datetime import datetime

from croupier.prizes import commands
from croupier.prizes.decide import decide
from croupier.prizes.giving import money_due
from croupier.prizes.state import Award, Promotion
from croupier.prizes.values import Part
from croupier.rules.prizes import Prizes
from croupier.table.refusals import Refusal
from croupier.table.telling import Told

# Refusals that no waiting changes: it is not for such a prize, or somebody has done otherwise.
NOT_FOR_IT = frozenset(
    {
        "not_money",
        "money_due",
        "no_alternative",
        "alternative_not_stated",
        "alternative_not_offered",
        "award_settled",
        "winner_chose",
        "chosen_already",
        "not_chosen",
        "claim_open",
    }
)
DECLINE = "decline"  # an award lapses in two ways: nobody comes, or the winner does not want it


def offers(rules: Prizes, promotion: Promotion, award: Award, by: str | None, at: datetime) -> dict[str, Told | None]:
    """By name what somebody may do with an award; None, or why not yet. What is never done with it is not there."""
    found: dict[str, Told | None] = {}
    for name, command in _tried(rules, promotion, award, by).items():
        decided = decide(rules, promotion, command, at)
        if not isinstance(decided, Refusal):
            found[name] = None
        elif decided.code not in NOT_FOR_IT:
            found[name] = {"message": decided.message, "clause": decided.clause}
    return found


def _tried(rules: Prizes, promotion: Promotion, award: Award, by: str | None) -> dict[str, commands.AnyCommand]:
    number, form, said = award.number, rules.payment.forms[0].id, "-"
    own: dict[str, commands.AnyCommand] = {
        "choose_alternative": commands.ChooseAlternative(award=number, reason=said, by=by),
        "undo_alternative": commands.UndoAlternative(award=number, reason=said, by=by),
        "choose_forms": commands.ChooseForms(award=number, forms=(form,), by=by),
        DECLINE: commands.LapseAward(award=number, reason=said, declined=True, by=by),
    }
    if by == award.entrant:
        return {"make_claim": commands.MakeClaim(claim=said, award=number, claimant=award.entrant, by=by), **own}
    others: dict[str, commands.AnyCommand] = {
        "tell_winner": commands.TellWinner(award=number, way=rules.winners.ways[0].id, reached=True, by=by),
        "pay_prize": commands.PayPrize(award=number, parts=_whole(rules, promotion, award, form), by=by),
        "hand_over": commands.HandOver(award=number, by=by),
        "lapse_award": commands.LapseAward(award=number, reason=said, by=by),
    }
    if award.alternative is None:
        others["offer_alternative"] = commands.OfferAlternative(award=number, by=by)
    return {**own, **others}


def _whole(rules: Prizes, promotion: Promotion, award: Award, form: str) -> tuple[Part, ...]:
    """The whole amount, in the forms that were chosen: a cent in each but the first."""
    due, forms = money_due(rules, promotion, award) or 0, award.forms or (form,)
    small = tuple(Part(each, 1) for each in forms[1:])
    return (Part(forms[0], due - len(small)), *small)
