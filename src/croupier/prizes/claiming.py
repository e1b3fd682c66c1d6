"""Claims to awards, claims that are denied, and the reasons that claimants are given."""

from __future__ import annotations

from datetime import datetime

from croupier.money import dollars
from croupier.prizes import commands, events
from croupier.prizes.state import Claim, Promotion
from croupier.rules.prizes import Prizes
from croupier.table.refusals import Refusal

Decision = tuple[events.AnyEvent, ...] | Refusal


def make_claim(rules: Prizes, promotion: Promotion, command: commands.MakeClaim, at: datetime) -> Decision:
    """Anybody may claim what was drawn; whether they are paid is another question."""
    clause = rules.clause_of("claim_method")
    if promotion.award(command.award) is None:
        return Refusal("unknown_award", f"Nothing was won under the number {command.award}.", clause)
    if command.claim in promotion.claims or not command.claim or not command.claimant:
        return Refusal("claim_twice", "Each claim has a name of its own, and somebody who makes it.", clause)
    if any(
        c.award == command.award and c.claimant == command.claimant and c.denied is None
        for c in promotion.claims.values()
    ):
        return Refusal("claim_open", f"{command.claimant} has claimed this award already.", clause)
    if bool(command.name.strip()) != bool(command.address.strip()):
        say = "A name is kept with its address, or neither is."
        return Refusal("name_or_address_missing", say, rules.refusals.keep_clause)
    made = events.ClaimMade(
        at=at, by=command.by, clause=clause, claim=command.claim, award=command.award, claimant=command.claimant
    )
    return (made, *_named(rules, command, at))


def _named(
    rules: Prizes, command: commands.MakeClaim | commands.DenyClaim, at: datetime
) -> tuple[events.ClaimantNamed, ...]:
    if not (command.name.strip() and command.address.strip()):
        return ()
    return (
        events.ClaimantNamed(
            at=at,
            by=command.by,
            clause=rules.refusals.keep_clause,
            claim=command.claim,
            seal=command.seal,
        ),
    )


def deny_claim(rules: Prizes, promotion: Promotion, command: commands.DenyClaim, at: datetime) -> Decision:
    """With a reason; above the book's threshold with the claimant's name and address on the record."""
    claim, rule = _open_claim(rules, promotion, command.claim), rules.refusals
    if isinstance(claim, Refusal):
        return claim
    if not command.reason.strip():
        return Refusal("reason_missing", "Say why the claim is refused.", rule.clause)
    award = promotion.award(claim.award)
    assert award is not None
    prize, winner = promotion.prize_of(award), claim.claimant == award.entrant
    if award.status == "given" and winner:
        return Refusal("award_settled", "The prize was given on this claim.", rule.clause)
    kept, named = prize.worth > rule.keep_above_cents, _named(rules, command, at)
    known = claim.id in promotion.seals
    if named and known:
        say = "Name and address were taken down with the claim, and stay as they are."
        return Refusal("named_already", say, rule.keep_clause)
    if kept and not named and not known:
        sentence = f"Of a denied claim for a prize over {dollars(rule.keep_above_cents)} name and address are kept."
        return Refusal("name_or_address_missing", sentence, rule.keep_clause)
    denied = events.ClaimDenied(
        at=at,
        by=command.by,
        clause=rule.keep_clause if kept else rule.clause,
        claim=claim.id,
        award=award.number,
        reason=command.reason,
        value=prize.value,
        kept=kept,
        winner=winner,
    )
    return (*named, denied)


def _open_claim(rules: Prizes, promotion: Promotion, claim_id: str) -> Claim | Refusal:
    claim, clause = promotion.claims.get(claim_id), rules.refusals.clause
    if claim is None:
        return Refusal("unknown_claim", f"There is no claim called {claim_id}.", clause)
    return Refusal("claim_denied", "The claim is denied already.", clause) if claim.denied is not None else claim


def tell_reason(rules: Prizes, promotion: Promotion, command: commands.TellReason, at: datetime) -> Decision:
    """Once, for a claim that was denied."""
    claim, clause = promotion.claims.get(command.claim), rules.refusals.clause
    if claim is None or claim.denied is None:
        return Refusal("not_denied", f"No claim called {command.claim} was denied.", clause)
    if claim.told is not None:
        return Refusal("told_already", "The claimant was told why already.", clause)
    return (events.ReasonTold(at=at, by=command.by, clause=clause, claim=claim.id),)
