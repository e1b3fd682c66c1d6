"""Duties of a promotion: what, by when, under which clause, and whether it was done. Deadlines are values.

If a book gives a time, there is a deadline. What it requires at once is overdue after some minutes; what it requires as
soon as possible stays due, without a deadline, until it is done (reading X-36).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from croupier.prizes.filing import latest_filing
from croupier.prizes.giving import tell_by
from croupier.prizes.state import Award, Claim, Mark, Promotion
from croupier.rules.prizes import Prizes

# Ids of duties before the draw.
BEFORE_THE_DRAW = frozenset({"file", "publish", "publish again", "scrutineer", "start", "draw"})

Standing = Literal["due", "overdue", "done", "done late"]


class Duty(msgspec.Struct, frozen=True, gc=False):
    """One thing to be done; `due` is None for as soon as possible."""

    id: str
    what: str
    clause: str
    since: datetime | None
    due: datetime | None
    done: Mark | None
    standing: Standing

    @property
    def is_open(self) -> bool:
        """Whether it is still to be done."""
        return self.done is None


def duties(rules: Prizes, promotion: Promotion, at: datetime) -> list[Duty]:
    """Return all duties, open and done, in the order in which they arise."""
    if promotion.stage == "new":
        return []
    parts = (_before_the_start, _amendments, _scrutineer, _winners, _prizes, _notices, _reasons, _disputes)
    found = [*_promised(rules, promotion, at), *(duty for part in parts for duty in part(rules, promotion))]
    return [_standing(duty, at) for duty in found]


def _duty(id_: str, what: str, clause: str, since: datetime | None, due: datetime | None, done: Mark | None) -> Duty:
    return Duty(id_, what, clause, since, due, done, "due")


def _standing(duty: Duty, at: datetime) -> Duty:
    done = duty.done.at if duty.done is not None else None
    return msgspec.structs.replace(duty, standing=standing_of(duty.due, done, at))


def standing_of(due: datetime | None, done: datetime | None, at: datetime) -> Standing:
    """Return the status of a duty at a time; done exactly at the deadline is in time."""
    late = due is not None and (done if done is not None else at) > due
    words: dict[tuple[bool, bool], Standing] = {
        (False, False): "due",
        (False, True): "overdue",
        (True, False): "done",
        (True, True): "done late",
    }
    return words[done is not None, late]


def _is_over(promotion: Promotion) -> bool:
    return promotion.stage in ("cancelled", "closed")


def _before_the_start(rules: Prizes, promotion: Promotion) -> Iterator[Duty]:
    starts = promotion.terms.time("starts")
    if starts is not None and not (_is_over(promotion) and promotion.filed is None):
        by = latest_filing(rules, promotion.terms)
        what = f"File the terms with {rules.filing.with_}"
        yield _duty("file", what, rules.filing.clause, None, by, promotion.filed)
    if starts is not None:
        yield from _publishing(rules, promotion, starts)


def _publishing(rules: Prizes, promotion: Promotion, starts: datetime) -> Iterator[Duty]:
    """Yield the publishing of the initial terms, by the start, and of amended ones, as soon as possible."""
    what, clause = "Make the terms available to patrons, and refer to them in the marketing", rules.availability.clause
    first = promotion.first_published
    if promotion.changed is not None and first is not None:
        yield _duty("publish", what, clause, promotion.filed.at if promotion.filed else None, starts, first)
    if _is_over(promotion) and promotion.published is None:
        return
    if promotion.changed is not None:
        what = f"{what}, as amended"
        yield _duty("publish again", what, clause, promotion.changed, None, promotion.available)
    else:
        since = promotion.filed.at if promotion.filed is not None else None
        yield _duty("publish", what, clause, since, starts, promotion.available)


def _promised(rules: Prizes, promotion: Promotion, at: datetime) -> Iterator[Duty]:
    """Yield what the terms promised for a time that has come: the start, the draw."""
    starts, awarded = promotion.terms.time("starts"), promotion.terms.time("awarded_at")
    if promotion.stage == "filed" and starts is not None and at >= starts:
        what, clause = "Start the promotion, or cancel it", rules.clause_of("starts")
        yield _duty("start", what, clause, starts, None, None)
    if promotion.stage == "entries closed" and promotion.entries and awarded is not None and at >= awarded:
        what, clause = "Hold the draw, or cancel it", rules.clause_of("awarded_at")
        yield _duty("draw", what, clause, awarded, None, None)


def _claims(promotion: Promotion) -> dict[tuple[int, str], list[Claim]]:
    """Return claims by award and claimant: there may be thousands of both."""
    claims: dict[tuple[int, str], list[Claim]] = {}
    for claim in promotion.claims.values():
        claims.setdefault((claim.award, claim.claimant), []).append(claim)
    return claims


def _prizes(rules: Prizes, promotion: Promotion) -> Iterator[Duty]:
    """Yield prizes that their winners have claimed: to be given, or the claim refused."""
    claims = _claims(promotion)
    for award in promotion.awards if promotion.stage == "drawn" else ():
        claim = next((one for one in claims.get((award.number, award.entrant), ()) if one.denied is None), None)
        if award.status == "drawn" and claim is not None:
            what = f"Give the prize of award {award.number}, or refuse the claim"
            clause = rules.clause_of("claim_method")
            yield _duty(f"give {award.number}", what, clause, claim.made.at, None, None)


def _amendments(rules: Prizes, promotion: Promotion) -> Iterator[Duty]:
    for number, amendment in enumerate(promotion.amendments, 1):
        what = f"Send the amended terms to {rules.filing.with_}, as soon as possible"
        yield _duty(f"resubmit {number}", what, rules.amending.clause, amendment.made.at, None, amendment.sent)


def _scrutineer(rules: Prizes, promotion: Promotion) -> Iterator[Duty]:
    above = any(prize.worth > rules.scrutineer.above_cents for prize in promotion.terms.prizes)
    if above and not (_is_over(promotion) and promotion.scrutineer is None):
        due, clause = promotion.terms.time("awarded_at"), rules.scrutineer.clause
        yield _duty("scrutineer", "Name a scrutineer for the draw", clause, None, due, promotion.scrutineer)


def _winners(rules: Prizes, promotion: Promotion) -> Iterator[Duty]:
    if promotion.terms.said.get("presence_required") is True:
        return
    claims = _claims(promotion)
    for award in promotion.awards:
        own = claims.get((award.number, award.entrant), ())
        told = _told(award, own)
        if told is None:
            told = _ended_late(rules, promotion, award, own)
        if told is not None or (award.status == "drawn" and not _is_over(promotion)):
            what = f"Tell the winner of award {award.number} ({_tries(award, told)})"
            yield _duty(f"tell {award.number}", what, rules.winners.clause, award.drawn, tell_by(rules, award), told)


def _ended_late(rules: Prizes, promotion: Promotion, award: Award, claims: Sequence[Claim]) -> Mark | None:
    """Return when an award ended after the winner should have been told: that still has to be answered for."""
    ends = [claim.denied for claim in claims if claim.denied is not None and award.status == "refused"]
    ends += [Mark(notice.since, None) for notice in promotion.notices if notice.what == "cancelled"]
    return next((end for end in ends if end.at > tell_by(rules, award)), None)


def _told(award: Award, claims: Sequence[Claim]) -> Mark | None:
    """Return when the winner knew: reached, by claiming in person, or by declining.

    If the award lapsed and the winner was never reached, return the first attempt: a late one has to be answered for.
    """
    reached = [attempt.mark for attempt in award.attempts if attempt.reached]
    own = [claim.made for claim in claims if claim.made.by in (None, claim.claimant)]
    tried = [attempt.mark for attempt in award.attempts if award.status == "lapsed"]
    own += [award.declined] if award.declined is not None else []
    return min([*reached, *own] or tried, key=lambda mark: mark.at, default=None)


def _tries(award: Award, told: Mark | None) -> str:
    knew = award.declined is not None or any(attempt.reached for attempt in award.attempts)
    if told is not None and (award.status != "lapsed" or knew):
        return "told"
    return "not tried yet" if not award.attempts else f"tried {len(award.attempts)} times"


def _notices(rules: Prizes, promotion: Promotion) -> Iterator[Duty]:
    for number, notice in enumerate(promotion.notices, 1):
        hours = rules.integrity.within_hours
        when = f"within {hours} hours" if hours else "at once"
        what = f"Tell {notice.tell} {when} that it was {notice.what}"
        yield _duty(f"notice {number}", what, rules.integrity.clause, notice.since, notice.due, notice.told)


def _reasons(rules: Prizes, promotion: Promotion) -> Iterator[Duty]:
    for claim in promotion.claims.values():
        if claim.denied is not None:
            what = f"Tell the claimant of {claim.id} why it was refused, as soon as practicable"
            yield _duty(f"reason {claim.id}", what, rules.refusals.clause, claim.denied.at, None, claim.told)


def _disputes(rules: Prizes, promotion: Promotion) -> Iterator[Duty]:
    for dispute in promotion.disputes.values():
        what, since = f"Decide the dispute {dispute.id}", dispute.raised.at
        yield _duty(f"decide {dispute.id}", what, rules.disputes.clause, since, None, dispute.decided)
        if dispute.dissatisfied is not None:
            what = f"Tell the patron who raised {dispute.id} of the right to complain to an inspector"
            since = dispute.dissatisfied.at
            yield _duty(f"advise {dispute.id}", what, rules.disputes.clause, since, None, dispute.advised)
