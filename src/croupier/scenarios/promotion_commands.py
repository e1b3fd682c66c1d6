"""Turn the lines of a promotion scenario into commands of the engine, and write the terms they state."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from itertools import cycle

from msgspec.structs import replace

from croupier.money import MoneyError, parse_cents
from croupier.prizes import commands
from croupier.prizes.state import Promotion
from croupier.prizes.terms import Entry, Part, Prize, Terms, Value, moment
from croupier.rules.prizes import Prizes, Term

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

# The stages of an ordinary promotion, and the term that says when each is reached.
WAY = {"draft": None, "filed": None, "running": "starts", "entries closed": "entries_close", "drawn": "awarded_at"}
_ENTRANTS = ("ann", "ben", "cy")


def straight_to(stage: str, promotion: Promotion, terms: Terms, above: int) -> list[commands.AnyCommand]:
    """Return the commands that lead to a stage from the one before it. In the draw ann, ben and cy win in turn."""
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


# -- drafting ---------------------------------------------------------------------------------------------------------
# The terms of a scenario: complete ones with stock values, and the changes that lines make to them.

_SUMMER = timezone(timedelta(hours=11))  # Sydney in March

# The times in complete terms: they start on a Sunday, take entries for a week and draw three hours later.
STARTS = datetime(2026, 3, 1, 9, tzinfo=_SUMMER)
STOCK_TIMES = {
    "starts": STARTS,
    "entries_close": STARTS + timedelta(days=7),
    "awarded_at": STARTS + timedelta(days=7, hours=3),
}


def words_to_id(words: str) -> str:
    """Convert `crossed cheque`, as people write it, to `crossed_cheque`."""
    return words.strip().replace(" ", "_")


def complete_terms(rules: Prizes) -> Terms:
    """Return every term that the book requires of a promotion, with a stock value; no prize yet."""
    return Terms({term.id: _stock(term) for term in rules.terms if term.of == "promotion" and _is_asked(term)})


def stock_prize(rules: Prizes, prize_id: str, kind: str, cents: int, count: int) -> Prize:
    """Return a prize with every term that the book requires of its kind."""
    asked = [term for term in rules.terms if term.of == "prize" and _is_asked(term)]
    said = {term.id: _stock(term) for term in asked if not term.kinds or kind in term.kinds}
    return Prize(prize_id, kind, {**said, "value": cents}, count)


def _is_asked(term: Term) -> bool:
    return not term.optional and term.when is None


def _stock(term: Term) -> Value:
    if term.id in STOCK_TIMES:
        return STOCK_TIMES[term.id].isoformat()
    stock: dict[str, Value] = {"money": 1_00, "count": 2, "yes or no": False, "time": STARTS.isoformat()}
    return stock.get(term.value, f"The terms say {term.name}.")


def read_value(rules: Prizes, term_id: str, text: str) -> Value:
    """Parse a value by the type of its term; one that does not fit stays text, so that the engine refuses it."""
    term = rules.terms_by_id.get(term_id)
    if term is not None and term.value == "yes or no" and text in ("yes", "no"):
        return text == "yes"
    if term is not None and term.value == "count" and text.isdecimal() and len(text) < 10:
        return int(text)
    if term is not None and term.value == "money":
        try:
            return parse_cents(text)
        except MoneyError:
            return text
    return text


def say(terms: Terms, term_id: str, prize_id: str | None, value: Value | None) -> Terms | None:
    """Return the terms with a point set, or left out if the value is None. None if there is no such prize or point."""
    if prize_id is None:
        said = _said(terms.said, term_id, value)
        return None if said is None else replace(terms, said=said)
    prize = terms.prize(prize_id)
    said = None if prize is None else _said(prize.said, term_id, value)
    return None if said is None or prize is None else with_prize(terms, replace(prize, said=said))


def _said(said: dict[str, Value], term_id: str, value: Value | None) -> dict[str, Value] | None:
    if value is not None:
        return {**said, term_id: value}
    return {name: kept for name, kept in said.items() if name != term_id} if term_id in said else None


def with_prize(terms: Terms, prize: Prize) -> Terms:
    """Return the terms with a prize in its old place, or added at the end."""
    if terms.prize(prize.id) is None:
        return replace(terms, prizes=(*terms.prizes, prize))
    return replace(terms, prizes=tuple(prize if old.id == prize.id else old for old in terms.prizes))


def without_prize(terms: Terms, prize_id: str) -> Terms:
    """Return the terms without a prize."""
    return replace(terms, prizes=tuple(prize for prize in terms.prizes if prize.id != prize_id))


def same_value(rules: Prizes, term_id: str, value: Value, text: str) -> bool:
    """Whether a value is what a line says; two notations of the same moment are equal."""
    wanted = read_value(rules, term_id, text)
    if value == wanted:
        return True
    term = rules.terms_by_id.get(term_id)
    at = moment(text)
    return term is not None and term.value == "time" and at is not None and at == moment(str(value))
