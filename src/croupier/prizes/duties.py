"""What is due in a promotion: what, by when, under which clause, and whether it was done. Deadlines are values.

Where a book gives a time, there is a deadline. What it wants at once is overdue at any later moment; what it wants as
soon as possible stays due, without a deadline, until it is done (reading X-36).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal

import msgspec

from croupier.prizes.filing import latest_filing
from croupier.prizes.giving import tell_by
from croupier.prizes.state import Award, Mark, Promotion
from croupier.rules.prizes import Prizes

# Duties that come before the draw, by their ids.
BEFORE_THE_DRAW = frozenset({"file", "publish", "scrutineer"})

Standing = Literal["due", "overdue", "done", "done late"]


class Duty(msgspec.Struct, frozen=True, gc=False):
    """One thing that somebody has to see to; `due` is None for as soon as possible."""

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
    """Everything that is due or was done, in the order in which it arises."""
    if promotion.stage == "new":
        return []
    parts = (_before_the_start, _amendments, _scrutineer, _winners, _notices, _reasons, _advice)
    return [_standing(duty, at) for part in parts for duty in part(rules, promotion)]


def _duty(id_: str, what: str, clause: str, since: datetime | None, due: datetime | None, done: Mark | None) -> Duty:
    return Duty(id_, what, clause, since, due, done, "due")


def _standing(duty: Duty, at: datetime) -> Duty:
    late = duty.due is not None and (duty.done.at if duty.done is not None else at) > duty.due
    words: dict[tuple[bool, bool], Standing] = {
        (False, False): "due",
        (False, True): "overdue",
        (True, False): "done",
        (True, True): "done late",
    }
    return msgspec.structs.replace(duty, standing=words[duty.done is not None, late])


def _is_over(promotion: Promotion) -> bool:
    return promotion.stage in ("cancelled", "closed")


def _before_the_start(rules: Prizes, promotion: Promotion) -> Iterator[Duty]:
    starts = promotion.terms.time("starts")
    if starts is not None and not (_is_over(promotion) and promotion.filed is None):
        by = latest_filing(rules, promotion.terms)
        what = f"File the terms with {rules.filing.with_}"
        yield _duty("file", what, rules.filing.clause, None, by, promotion.filed)
    if starts is not None and not (_is_over(promotion) and promotion.published is None):
        since = promotion.changed or (promotion.filed.at if promotion.filed is not None else None)
        due = None if promotion.changed is not None else starts
        what = "Make the terms available to patrons"
        yield _duty("publish", what, rules.availability.clause, since, due, promotion.published)


def _amendments(rules: Prizes, promotion: Promotion) -> Iterator[Duty]:
    for number, amendment in enumerate(promotion.amendments, 1):
        what = f"Send the amended terms to {rules.filing.with_}, as soon as possible"
        yield _duty(f"resubmit {number}", what, rules.amending.clause, amendment.made.at, None, amendment.sent)


def _scrutineer(rules: Prizes, promotion: Promotion) -> Iterator[Duty]:
    above = any(prize.value > rules.scrutineer.above_cents for prize in promotion.terms.prizes)
    if above and not (_is_over(promotion) and promotion.scrutineer is None):
        due, clause = promotion.terms.time("awarded_at"), rules.scrutineer.clause
        yield _duty("scrutineer", "Name a scrutineer for the draw", clause, None, due, promotion.scrutineer)


def _winners(rules: Prizes, promotion: Promotion) -> Iterator[Duty]:
    if promotion.terms.said.get("presence_required") is True:
        return
    for award in promotion.awards:
        told = _told(promotion, award)
        if told is not None or (award.status == "drawn" and not _is_over(promotion)):
            tries = "told" if told is not None else _tries(award)
            what = f"Tell the winner of award {award.number} ({tries})"
            yield _duty(f"tell {award.number}", what, rules.winners.clause, award.drawn, tell_by(rules, award), told)


def _told(promotion: Promotion, award: Award) -> Mark | None:
    """When the winner knew of it: reached, or with a claim of their own."""
    marks = [attempt.mark for attempt in award.attempts if attempt.reached]
    own = (c for c in promotion.claims.values() if c.award == award.number and c.claimant == award.entrant)
    return min([*marks, *(claim.made for claim in own)], key=lambda mark: mark.at, default=None)


def _tries(award: Award) -> str:
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


def _advice(rules: Prizes, promotion: Promotion) -> Iterator[Duty]:
    for dispute in promotion.disputes.values():
        if dispute.dissatisfied is not None:
            what = f"Tell whoever raised {dispute.id} of the right to complain to an inspector"
            since = dispute.dissatisfied.at
            yield _duty(f"advise {dispute.id}", what, rules.disputes.clause, since, None, dispute.advised)
