"""Views of a promotion: the terms for everybody, a person's own part in it, and everything for managers."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

import msgspec

from croupier.house.live_streams import Head
from croupier.house.names import KEEPING_BOOKS
from croupier.house.promotions import PromotionState, rules_of
from croupier.house.stored_events import stamp
from croupier.money import format_cents
from croupier.prizes import commands
from croupier.prizes.commands import Command, DrawPrizes
from croupier.prizes.decide import decide, may_be_asked
from croupier.prizes.giving import money_due, winner_chooses
from croupier.prizes.public_draw import pseudonym
from croupier.prizes.reading import WORDS, fields_of, tell_terms
from croupier.prizes.state import Award, Claim, Dispute, Mark, Promotion
from croupier.prizes.terms import Part, shown_terms
from croupier.rules.prizes import Prizes
from croupier.rules.shelf import Shelf
from croupier.table.event_views import Told
from croupier.table.refusals import Refusal

TIMES = ("starts", "entries_close", "awarded_at")
_TRIED = {"reason": "-"}  # filler, to find out whether anything else rules a command out


class Looker(msgspec.Struct, frozen=True):
    """The viewer of a promotion: anonymous, a player, or a person who sees everything."""

    person: str | None = None
    sees_all: bool = False


def looker(person: str | None, roles: Collection[str]) -> Looker:
    """Return the viewer for a person with these roles."""
    return Looker(person, not frozenset(roles).isdisjoint(KEEPING_BOOKS))


def may_see(state: PromotionState, look: Looker) -> bool:
    """Return whether the viewer sees the promotion: patrons do once its terms are filed."""
    return look.sees_all or state.is_announced


def show_summary(shelf: Shelf, state: PromotionState, head: Head, look: Looker) -> Told:
    """Return a promotion's entry in a list."""
    promotion = state.promotion
    told: Told = {"promotion": state.name, "title": state.title, "book": state.book, "version": head.version}
    told |= {"stage": promotion.stage, "postponed": promotion.postponed, "times": _times(promotion)}
    told["zone"] = shelf.book(state.book).rules.book.timezone  # the time zone of its times
    told["prizes"] = [
        {
            "id": prize.id,
            "kind": prize.kind,
            "nature": prize.said.get("nature", ""),
            "count": prize.count,
            "value": format_cents(prize.value),
        }
        for prize in promotion.terms.prizes
    ]
    told["entered"] = look.person is not None and any(e.entrant == look.person for e in promotion.entries.values())
    told["won"] = look.person is not None and any(
        award.entrant == look.person and award.status in ("drawn", "given") for award in promotion.awards
    )
    return told


def _times(promotion: Promotion) -> dict[str, str | None]:
    times = {name: promotion.terms.time(name) for name in TIMES}
    return {name: None if at is None else stamp(at) for name, at in times.items()}


def show_promotion(shelf: Shelf, state: PromotionState, head: Head, look: Looker, now: datetime) -> Told:
    """Return a promotion: terms with their clauses, the draw, and the viewer's own part, or everything."""
    rules, terms = rules_of(shelf, state), state.promotion.terms
    told = show_summary(shelf, state, head, look)
    told["terms"] = [{"name": name, "says": says, "clause": clause} for name, says, clause in shown_terms(rules, terms)]
    told["earning"] = tell_terms(rules, terms)["earning"]
    told["one_prize_each"] = terms.one_prize_each
    told["draw"] = _draw(state)
    told["own"] = None if look.person is None else _own(rules, state, look.person, now)
    if look.sees_all:
        told |= _everything(rules, state, look.person, now)
    return told


# The draw


def _draw(state: PromotionState) -> Told:
    """Return the public part of the draw. Winners appear under their pseudonyms in the public record."""
    promotion, key = state.promotion, bytes.fromhex(state.key)
    numbers = {entry: number for number, entry in enumerate(promotion.entries, 1)}
    return {
        "commitment": state.commitment or None,
        "entries": len(promotion.entries),
        "weight": sum(entry.weight for entry in promotion.entries.values()),
        "results": [
            {
                "award": award.number,
                "prize": award.prize,
                "entry": numbers[award.entry],
                "entrant": pseudonym(key, state.name, award.entrant),
                "status": award.status,
            }
            for award in promotion.awards
        ],
        "nobody": list(promotion.nobody),
    }


def _own(rules: Prizes, state: PromotionState, person: str, now: datetime) -> Told:
    """Return a person's own part: pseudonym in the record, entries, awards, claims, disputes."""
    promotion = state.promotion
    entries = enumerate(promotion.entries.values(), 1)
    return {
        "name": pseudonym(bytes.fromhex(state.key), state.name, person) if state.key else None,
        "entries": [{"number": n, "weight": entry.weight} for n, entry in entries if entry.entrant == person],
        "awards": [_award(rules, promotion, one, person, now) for one in promotion.awards if one.entrant == person],
        "claims": [_claim(claim) for claim in promotion.claims.values() if claim.claimant == person],
        "disputes": [_dispute(one) for one in promotion.disputes.values() if one.patron == person],
    }


# For managers


def _everything(rules: Prizes, state: PromotionState, person: str | None, now: datetime) -> Told:
    promotion = state.promotion
    asked = [kind for kind in may_be_asked(promotion) if kind in WORDS]
    return {
        "form": tell_terms(rules, promotion.terms),
        "proposed": None if promotion.proposed is None else tell_terms(rules, promotion.proposed),
        "may": [_asked(rules, promotion, kind, person, now) for kind in asked],
        "filed": _mark(promotion.filed),
        "published": _mark(promotion.published),
        "in_marketing": promotion.referred_to is not None,
        "amendments": [{"made": _mark(one.made), "sent": _mark(one.sent)} for one in promotion.amendments],
        "scrutineer": _mark(promotion.scrutineer),
        "scrutineer_there": promotion.scrutineer_there,
        "notices": [
            {"what": one.what, "since": stamp(one.since), "due": stamp(one.due), "told": _mark(one.told)}
            for one in promotion.notices
        ],
        "entries_closed": _mark(promotion.entries_closed),
        "entrants": len({entry.entrant for entry in promotion.entries.values()}),
        "counted": None if state.counted is None else msgspec.to_builtins(state.counted),
        "to_draw": sum(promotion.left(prize) for prize in promotion.terms.prizes),
        "awards": [_award(rules, promotion, award, person, now) for award in promotion.awards],
        "claims": [_claim(claim) | {"named": claim.id in promotion.seals} for claim in promotion.claims.values()],
        "disputes": [
            _dispute(dispute) | {"restorable": _restorable(promotion, dispute)}
            for dispute in promotion.disputes.values()
        ],
    }


def _asked(rules: Prizes, promotion: Promotion, kind: type[Command], person: str | None, now: datetime) -> Told:
    """Return a command that fits the stage: its fields and, if it takes at most a reason, why it is refused now."""
    fields = fields_of(kind)
    told: Told = {"do": WORDS[kind], "fields": fields, "refused": None}
    if {*fields} <= {*_TRIED} and kind is not DrawPrizes:  # whether prizes can be drawn is only known by drawing them
        command = kind(by=person, **{name: _TRIED[name] for name in fields})
        decided = decide(rules, promotion, command, now)  # type: ignore[arg-type]  # one of all commands
        if isinstance(decided, Refusal):
            told["refused"] = {"message": decided.message, "clause": decided.clause}
    return told


def _mark(mark: Mark | None) -> dict[str, Any] | None:
    return None if mark is None else {"at": stamp(mark.at), "by": mark.by}


def _award(rules: Prizes, promotion: Promotion, award: Award, person: str | None, now: datetime) -> Told:
    """Return an award with the money due for it, if any, and what the viewer can do with it now."""
    due = money_due(rules, promotion, award)
    return {
        "award": award.number,
        "prize": award.prize,
        "entrant": award.entrant,
        "value": format_cents(promotion.prize_of(award).value),
        "drawn": stamp(award.drawn),
        "status": award.status,
        "declined": _mark(award.declined),
        "attempts": [{"way": one.way, "reached": one.reached, **(_mark(one.mark) or {})} for one in award.attempts],
        "alternative": None if award.alternative is None else format_cents(award.alternative),
        "chosen": award.chosen,
        "forms": list(award.forms),
        "due": None if due is None else format_cents(due),
        "winner_chooses": due is not None and winner_chooses(rules, due),
        "offers": offers(rules, promotion, award, person, now) if award.status == "drawn" else {},
    }


def _claim(claim: Claim) -> Told:
    return {
        "claim": claim.id,
        "award": claim.award,
        "claimant": claim.claimant,
        "made": _mark(claim.made),
        "denied": _mark(claim.denied),
        "reason": claim.reason,
        "kept": claim.kept,
        "told": _mark(claim.told),
    }


def _dispute(dispute: Dispute) -> Told:
    marks = {name: _mark(getattr(dispute, name)) for name in ("raised", "decided", "dissatisfied", "advised")}
    said = {"about": dispute.about, "decision": dispute.decision}
    return {"dispute": dispute.id, "patron": dispute.patron, **said, **marks}


def _restorable(promotion: Promotion, dispute: Dispute) -> list[int]:
    """Return the awards that a decision for the patron can restore."""
    own = (award for award in promotion.awards if award.entrant == dispute.patron and award.is_restorable)
    return [award.number for award in own if promotion.stage == "drawn"]


# What can be done with an award now, found by trying: what the book would accept, and otherwise why not yet. So a page
# needs no rules: which prizes are paid, who chooses how, when an award lapses.

# Refusals that waiting does not change: the prize is not of that kind, or something else was done.
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
DECLINE = "decline"  # an award lapses in two ways: it is not claimed, or the winner declines it


def offers(rules: Prizes, promotion: Promotion, award: Award, by: str | None, at: datetime) -> dict[str, Told | None]:
    """Return what a person may do with an award: None, or why not yet. What can never be done is left out."""
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
    """Return the whole amount in the chosen forms: a cent in each but the first."""
    due, forms = money_due(rules, promotion, award) or 0, award.forms or (form,)
    small = tuple(Part(each, 1) for each in forms[1:])
    return (Part(forms[0], due - len(small)), *small)
