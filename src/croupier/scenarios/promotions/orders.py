"""What a line asks of a promotion, as a command of the engine. One row for each form of line."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import cycle

from croupier.money import parse_cents
from croupier.prizes import commands
from croupier.prizes.state import Promotion
from croupier.prizes.values import Entry, Part, Terms
from croupier.scenarios.promotions.drafting import words_to_id

_NOBODY, _RECORD = "nobody", "the record of the draw"

Values = dict[str, str]
Order = Callable[[Values, str | None, Terms], commands.AnyCommand]


def _reason(said: Values) -> str:
    return said.get("reason", "")


def _award(said: Values) -> int:
    return int(said["award"])


def _publish(said: Values, by: str | None, terms: Terms) -> commands.AnyCommand:
    return commands.PublishTerms(means=said.get("means", ""), in_marketing="marketing" in said, by=by)


def _enter(said: Values, by: str | None, terms: Terms) -> commands.AnyCommand:
    entry = Entry(said.get("entry", said["who"]), said["who"], int(said.get("weight", "1")))
    return commands.TakeEntries(entries=(entry,), reason=_reason(said), by=by)


def _name_scrutineer(said: Values, by: str | None, terms: Terms) -> commands.AnyCommand:
    return commands.NameScrutineer(name="" if said["name"] == _NOBODY else said["name"], by=by)


def _draw(said: Values, by: str | None, terms: Terms) -> commands.AnyCommand:
    drawn = [(said["prize"], said["entry"]), *re.findall(r", ([\w-]+) for ([\w-]+)", said["more"])]
    return commands.DrawPrizes(
        winners=tuple(pair for pair in drawn if pair[1] != _NOBODY),
        nobody=tuple(prize for prize, entry in drawn if entry == _NOBODY),
        record=_RECORD,
        by=by,
    )


def _close_entries(said: Values, by: str | None, terms: Terms) -> commands.AnyCommand:
    pairs = [pair.split() for pair in said["earned"].split(", ")] if "earned" in said else []
    return commands.CloseEntries(entries=tuple(Entry(who, who, int(weight)) for who, weight in pairs), by=by)


def _tell_winner(said: Values, by: str | None, terms: Terms) -> commands.AnyCommand:
    way, reached = words_to_id(said["way"]), "missed" not in said
    return commands.TellWinner(award=_award(said), way=way, reached=reached, by=by)


def _personal(said: Values) -> dict[str, str]:
    return {"name": said.get("name", ""), "address": said.get("address", "")}


def _claim(said: Values, by: str | None, terms: Terms) -> commands.AnyCommand:
    claim, who = said["claim"], said["who"]
    return commands.MakeClaim(claim=claim, award=_award(said), claimant=who, by=by, **_personal(said))


def _deny(said: Values, by: str | None, terms: Terms) -> commands.AnyCommand:
    return commands.DenyClaim(claim=said["claim"], reason=_reason(said), by=by, **_personal(said))


def _choose_forms(said: Values, by: str | None, terms: Terms) -> commands.AnyCommand:
    forms = tuple(words_to_id(form) for form in said["forms"].split(","))
    return commands.ChooseForms(award=_award(said), forms=forms, by=by)


def _pay(said: Values, by: str | None, terms: Terms) -> commands.AnyCommand:
    pairs = [part.split(" by ") for part in said["parts"].split(", ")]
    parts = tuple(Part(words_to_id(form), parse_cents(amount)) for amount, form in pairs)
    return commands.PayPrize(award=_award(said), parts=parts, by=by)


def _raise_dispute(said: Values, by: str | None, terms: Terms) -> commands.AnyCommand:
    return commands.RaiseDispute(dispute=said["dispute"], patron=said["who"], about=said.get("about", ""), by=by)


def _decide_dispute(said: Values, by: str | None, terms: Terms) -> commands.AnyCommand:
    restores = int(said["restores"]) if "restores" in said else None
    return commands.DecideDispute(dispute=said["dispute"], decision=said.get("decision", ""), restores=restores, by=by)


ORDERS: dict[str, Order] = {
    "draft": lambda said, by, terms: commands.DraftTerms(terms=terms, by=by),
    "file": lambda said, by, terms: commands.FileTerms(by=by),
    "amend": lambda said, by, terms: commands.AmendTerms(terms=terms, by=by),
    "approve": lambda said, by, terms: commands.RecordApproval(reference=said.get("reference", ""), by=by),
    "publish": _publish,
    "start": lambda said, by, terms: commands.StartPromotion(by=by),
    "enter": _enter,
    "close_entries": _close_entries,
    "name_scrutineer": _name_scrutineer,
    "note_scrutineer": lambda said, by, terms: commands.NoteScrutineer(by=by),
    "draw": _draw,
    "postpone": lambda said, by, terms: commands.Postpone(reason=_reason(said), by=by),
    "validate": lambda said, by, terms: commands.Validate(finding=_reason(said), by=by),
    "cancel": lambda said, by, terms: commands.CancelDraw(reason=_reason(said), by=by),
    "tell_inspector": lambda said, by, terms: commands.TellInspector(by=by),
    "tell_winner": _tell_winner,
    "claim": _claim,
    "offer": lambda said, by, terms: commands.OfferAlternative(award=_award(said), by=by),
    "take_money": lambda said, by, terms: commands.ChooseAlternative(award=_award(said), reason=_reason(said), by=by),
    "undo_money": lambda said, by, terms: commands.UndoAlternative(award=_award(said), reason=_reason(said), by=by),
    "choose_forms": _choose_forms,
    "pay": _pay,
    "hand_over": lambda said, by, terms: commands.HandOver(award=_award(said), by=by),
    "lapse": lambda said, by, terms: commands.LapseAward(award=_award(said), reason=_reason(said), by=by),
    "deny": _deny,
    "tell_reason": lambda said, by, terms: commands.TellReason(claim=said["claim"], by=by),
    "raise_dispute": _raise_dispute,
    "decide_dispute": _decide_dispute,
    "dissatisfied": lambda said, by, terms: commands.NoteDissatisfied(dispute=said["dispute"], by=by),
    "advise": lambda said, by, terms: commands.AdviseOfRight(dispute=said["dispute"], by=by),
    "close": lambda said, by, terms: commands.ClosePromotion(reason=_reason(said), by=by),
}

# The stages on the straight way, and the point of the terms that says when each is reached.
WAY = {"draft": None, "filed": None, "running": "starts", "entries closed": "entries_close", "drawn": "awarded_at"}
_ENTRANTS = ("ann", "ben", "cy")


def straight_to(stage: str, promotion: Promotion, terms: Terms, above: int) -> list[commands.AnyCommand]:
    """What is done to reach a stage from the one before it. In the draw ann, ben and cy win in turn."""
    if stage == "draft":
        return [commands.DraftTerms(terms=terms)]
    if stage == "filed":
        return [commands.FileTerms(), commands.PublishTerms(means="a brochure", in_marketing=True)]
    if stage == "running":
        entries = tuple(Entry(name, name) for name in _ENTRANTS)
        return [commands.StartPromotion(), commands.TakeEntries(entries=entries, reason="a coupon")]
    if stage == "entries closed":
        return [commands.CloseEntries()]
    prizes = [prize.id for prize in promotion.terms.prizes for _ in range(prize.count)]
    draw = commands.DrawPrizes(winners=tuple(zip(prizes, cycle(_ENTRANTS), strict=False)), record=_RECORD)
    if all(prize.value <= above for prize in promotion.terms.prizes):
        return [draw]
    return [commands.NameScrutineer(name="Sue Scrutiny"), commands.NoteScrutineer(), draw]
