"""Views of a promotion: the terms for everyone, a person's own part in it, and everything for managers."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import msgspec
from msgspec.structs import asdict

from croupier.contract.management import (
    Amendment,
    Attempt,
    Award,
    Claim,
    CountedPlay,
    Dispute,
    Draw,
    DrawResult,
    FullPromotion,
    Mark,
    Notice,
    OwnEntry,
    OwnPart,
    PrizeListed,
    Promotion,
    PromotionCommand,
    PromotionListed,
    PromotionTimes,
    Terms,
    TermShown,
)
from croupier.contract.replies import Objection
from croupier.house.live_streams import Head
from croupier.house.names import KEEPING_BOOKS
from croupier.house.promotion_state import PromotionState, rules_of
from croupier.house.stored_events import stamp
from croupier.money import format_cents
from croupier.prizes import commands
from croupier.prizes import state as prizes
from croupier.prizes import terms as prizes_terms
from croupier.prizes.commands import Command, DrawPrizes
from croupier.prizes.decide import decide, may_be_asked
from croupier.prizes.giving import money_due, winner_chooses
from croupier.prizes.public_draw import pseudonym
from croupier.prizes.reading import WORDS, fields_of, terms_as_line
from croupier.prizes.terms import Part, shown_terms
from croupier.rules.prizes import Prizes
from croupier.rules.shelf import Shelf
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


def show_summary(shelf: Shelf, state: PromotionState, head: Head, look: Looker) -> PromotionListed:
    """Return a promotion's entry in a list."""
    promotion = state.promotion
    times = [promotion.terms.time(name) for name in TIMES]
    entrants = (entry.entrant for entry in promotion.entries.values())
    winners = (award.entrant for award in promotion.awards if award.status in ("drawn", "given"))
    return PromotionListed(
        promotion=state.name,
        title=state.title,
        book=state.book,
        version=head.version,
        stage=promotion.stage,
        postponed=promotion.postponed,
        times=PromotionTimes(*(None if at is None else stamp(at) for at in times)),
        zone=shelf.book(state.book).rules.book.timezone,
        prizes=[
            PrizeListed(prize.id, prize.kind, prize.said.get("nature", ""), prize.count, format_cents(prize.value))
            for prize in promotion.terms.prizes
        ],
        entered=look.person is not None and look.person in entrants,
        won=look.person is not None and look.person in winners,
    )


def show_promotion(shelf: Shelf, state: PromotionState, head: Head, look: Looker, now: datetime) -> Promotion:
    """Return a promotion: terms with their clauses, the draw, and the viewer's own part, or everything."""
    rules, terms = rules_of(shelf, state), state.promotion.terms
    shown = Promotion(
        **asdict(show_summary(shelf, state, head, look)),
        terms=[TermShown(name, says, clause) for name, says, clause in shown_terms(rules, terms)],
        earning=_terms(rules, terms).earning,
        one_prize_each=terms.one_prize_each,
        draw=_draw(state),
        own=None if look.person is None else _own(rules, state, look.person, now),
    )
    return _everything(rules, state, shown, look.person, now) if look.sees_all else shown


def _terms(rules: Prizes, terms: prizes_terms.Terms) -> Terms:
    return msgspec.convert(terms_as_line(rules, terms), Terms)


# The draw


def _draw(state: PromotionState) -> Draw:
    """Return the public part of the draw. Winners appear under their pseudonyms in the public record."""
    promotion, key = state.promotion, bytes.fromhex(state.key)
    numbers = {entry: number for number, entry in enumerate(promotion.entries, 1)}
    return Draw(
        commitment=state.commitment or None,
        entries=len(promotion.entries),
        weight=sum(entry.weight for entry in promotion.entries.values()),
        results=[
            DrawResult(
                award=award.number,
                prize=award.prize,
                entry=numbers[award.entry],
                entrant=pseudonym(key, state.name, award.entrant),
                status=award.status,
            )
            for award in promotion.awards
        ],
        nobody=list(promotion.nobody),
    )


def _own(rules: Prizes, state: PromotionState, person: str, now: datetime) -> OwnPart:
    """Return a person's own part: pseudonym in the record, entries, awards, claims, disputes."""
    promotion = state.promotion
    entries = enumerate(promotion.entries.values(), 1)
    return OwnPart(
        name=pseudonym(bytes.fromhex(state.key), state.name, person) if state.key else None,
        entries=[OwnEntry(number, entry.weight) for number, entry in entries if entry.entrant == person],
        awards=[_award(rules, promotion, one, person, now) for one in promotion.awards if one.entrant == person],
        claims=[_claim(claim) for claim in promotion.claims.values() if claim.claimant == person],
        disputes=[_dispute(one) for one in promotion.disputes.values() if one.patron == person],
    )


# For managers


def _everything(
    rules: Prizes, state: PromotionState, shown: Promotion, person: str | None, now: datetime
) -> FullPromotion:
    promotion, full = state.promotion, FullPromotion(**asdict(shown))
    asked = [kind for kind in may_be_asked(promotion) if kind in WORDS]
    return msgspec.structs.replace(
        full,
        form=_terms(rules, promotion.terms),
        proposed=None if promotion.proposed is None else _terms(rules, promotion.proposed),
        may=[_asked(rules, promotion, kind, person, now) for kind in asked],
        filed=_mark(promotion.filed),
        published=_mark(promotion.published),
        in_marketing=promotion.referred_to is not None,
        amendments=[Amendment(_mark(one.made), _mark(one.sent)) for one in promotion.amendments],
        scrutineer=_mark(promotion.scrutineer),
        scrutineer_there=promotion.scrutineer_there,
        notices=[Notice(one.what, stamp(one.since), stamp(one.due), _mark(one.told)) for one in promotion.notices],
        entries_closed=_mark(promotion.entries_closed),
        entrants=len({entry.entrant for entry in promotion.entries.values()}),
        counted=None if state.counted is None else msgspec.convert(msgspec.to_builtins(state.counted), CountedPlay),
        to_draw=sum(promotion.left(prize) for prize in promotion.terms.prizes),
        awards=[_award(rules, promotion, award, person, now) for award in promotion.awards],
        claims=[_claim(claim, named=claim.id in promotion.seals) for claim in promotion.claims.values()],
        disputes=[_dispute(one, _restorable(promotion, one)) for one in promotion.disputes.values()],
    )


def _asked(
    rules: Prizes, promotion: prizes.Promotion, kind: type[Command], person: str | None, now: datetime
) -> PromotionCommand:
    fields, refused = fields_of(kind), None
    if {*fields} <= {*_TRIED} and kind is not DrawPrizes:  # whether prizes can be drawn is only known by drawing them
        command = kind(by=person, **{name: _TRIED[name] for name in fields})
        decided = decide(rules, promotion, command, now)  # type: ignore[arg-type]  # one of all commands
        if isinstance(decided, Refusal):
            refused = Objection(decided.message, decided.clause)
    return PromotionCommand(WORDS[kind], fields, refused)


def _mark(mark: prizes.Mark | None) -> Mark | None:
    return None if mark is None else Mark(stamp(mark.at), mark.by)


def _award(rules: Prizes, promotion: prizes.Promotion, award: prizes.Award, person: str | None, now: datetime) -> Award:
    due = money_due(rules, promotion, award)
    return Award(
        award=award.number,
        prize=award.prize,
        entrant=award.entrant,
        value=format_cents(promotion.prize_of(award).value),
        drawn=stamp(award.drawn),
        status=award.status,
        declined=_mark(award.declined),
        attempts=[Attempt(one.way, one.reached, stamp(one.mark.at), one.mark.by) for one in award.attempts],
        alternative=None if award.alternative is None else format_cents(award.alternative),
        chosen=award.chosen,
        forms=list(award.forms),
        due=None if due is None else format_cents(due),
        winner_chooses=due is not None and winner_chooses(rules, due),
        offers=offers(rules, promotion, award, person, now) if award.status == "drawn" else {},
    )


def _claim(claim: prizes.Claim, named: bool | None = None) -> Claim:
    return Claim(
        claim=claim.id,
        award=claim.award,
        claimant=claim.claimant,
        made=_mark(claim.made),
        denied=_mark(claim.denied),
        reason=claim.reason,
        kept=claim.kept,
        told=_mark(claim.told),
        named=named,
    )


def _dispute(dispute: prizes.Dispute, restorable: list[int] | None = None) -> Dispute:
    return Dispute(
        dispute=dispute.id,
        patron=dispute.patron,
        about=dispute.about,
        decision=dispute.decision,
        raised=_mark(dispute.raised),
        decided=_mark(dispute.decided),
        dissatisfied=_mark(dispute.dissatisfied),
        advised=_mark(dispute.advised),
        restorable=restorable,
    )


def _restorable(promotion: prizes.Promotion, dispute: prizes.Dispute) -> list[int]:
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


def offers(
    rules: Prizes, promotion: prizes.Promotion, award: prizes.Award, by: str | None, at: datetime
) -> dict[str, Objection | None]:
    """Return what a person may do with an award: None, or why not yet. What can never be done is left out."""
    found: dict[str, Objection | None] = {}
    for name, command in _tried(rules, promotion, award, by).items():
        decided = decide(rules, promotion, command, at)
        if not isinstance(decided, Refusal):
            found[name] = None
        elif decided.code not in NOT_FOR_IT:
            found[name] = Objection(decided.message, decided.clause)
    return found


def _tried(
    rules: Prizes, promotion: prizes.Promotion, award: prizes.Award, by: str | None
) -> dict[str, commands.AnyCommand]:
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


def _whole(rules: Prizes, promotion: prizes.Promotion, award: prizes.Award, form: str) -> tuple[Part, ...]:
    """Return the whole amount in the chosen forms: a cent in each but the first."""
    due, forms = money_due(rules, promotion, award) or 0, award.forms or (form,)
    small = tuple(Part(each, 1) for each in forms[1:])
    return (Part(forms[0], due - len(small)), *small)
