"""Entries, the scrutineer, and the draw: its outcome is computed elsewhere and recorded here."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from croupier.money import dollars
from croupier.prizes import commands, events
from croupier.prizes.filing import check_available
from croupier.prizes.public_draw import MOST
from croupier.prizes.state import Promotion
from croupier.prizes.terms import Entry
from croupier.rules.prizes import Prizes
from croupier.rules.schema import acts_on
from croupier.table.refusals import Refusal

Decision = tuple[events.AnyEvent, ...] | Refusal

MOST_NAMED = 100  # characters of the names of an entry and its entrant


def take_entries(rules: Prizes, promotion: Promotion, command: commands.TakeEntries, at: datetime) -> Decision:
    """Take entries by hand until the closing time of the terms, with a recorded reason."""
    closes, clause = promotion.terms.time("entries_close"), rules.clause_of("entries_close")
    assert closes is not None
    if at >= closes:
        return Refusal(
            "entries_closed",
            f"Under the terms, entries closed at {promotion.terms.time_in_words('entries_close')}.",
            clause,
        )
    if not command.entries:
        return Refusal("no_entries", "Give at least one entry.", clause)
    names = [name for entry in command.entries for name in (entry.id, entry.entrant)]
    if not all(len(name) <= MOST_NAMED and name.isprintable() for name in names):
        say = f"The names of entries and entrants can have up to {MOST_NAMED} visible letters."
        return Refusal("entry_not_whole", say, clause)
    refusal = _check_entries(rules, promotion, command.entries)
    if refusal is None and not command.reason.strip():
        say = "Say why the entry is made by hand and not earned by play."
        return Refusal("reason_missing", say, rules.clause_of("eligibility"))
    return refusal or _taken(rules, command.entries, command.by, at, command.reason)


def _check_entries(rules: Prizes, promotion: Promotion, entries: tuple[Entry, ...]) -> Refusal | None:
    seen: set[str] = set()
    clause = rules.clause_of("entries_close")
    for entry in entries:
        if entry.id in promotion.entries or entry.id in seen or not entry.id:
            return Refusal("entry_twice", f"Each entry needs a unique name, but {entry.id} is taken.", clause)
        if not 1 <= entry.weight <= MOST or not entry.entrant:
            say = f"The entry {entry.id} has a weight outside the limits, or no entrant."
            return Refusal("entry_not_whole", say, clause)
        seen.add(entry.id)
    return None


def _taken(
    rules: Prizes, entries: tuple[Entry, ...], by: str | None, at: datetime, reason: str = ""
) -> tuple[events.EntriesTaken, ...]:
    if not entries:
        return ()
    return (events.EntriesTaken(at=at, by=by, clause=rules.clause, entries=entries, reason=reason),)


def close_entries(rules: Prizes, promotion: Promotion, command: commands.CloseEntries, at: datetime) -> Decision:
    """Close the entries, not before the time that the terms promise."""
    closes, clause = promotion.terms.time("entries_close"), rules.clause_of("entries_close")
    assert closes is not None
    if at < closes:
        return Refusal(
            "too_early",
            f"Under the terms, entries are taken until {promotion.terms.time_in_words('entries_close')}.",
            clause,
        )
    closed = events.EntriesClosed(at=at, by=command.by, clause=clause)
    refusal = _check_entries(rules, promotion, command.entries)
    return refusal or (*_taken(rules, command.entries, command.by, at), closed)


def name_scrutineer(rules: Prizes, promotion: Promotion, command: commands.NameScrutineer, at: datetime) -> Decision:
    """Name the scrutineer."""
    clause = rules.scrutineer.clause
    if not command.name.strip():
        return Refusal("name_missing", "Say who the scrutineer is.", clause)
    return (events.ScrutineerNamed(at=at, by=command.by, clause=clause, name=command.name),)


def note_scrutineer(rules: Prizes, promotion: Promotion, command: commands.NoteScrutineer, at: datetime) -> Decision:
    """Record that the scrutineer is present; one must have been named."""
    clause = rules.scrutineer.clause
    if promotion.scrutineer is None:
        return Refusal("scrutineer_missing", "No scrutineer has been named yet.", clause)
    return (events.ScrutineerNoted(at=at, by=command.by, clause=clause),)


@acts_on("draw")
def draw_prizes(rules: Prizes, promotion: Promotion, command: commands.DrawPrizes, at: datetime) -> Decision:
    """Draw the prizes.

    The winners must be entries, the prizes still to be drawn, the terms available to patrons, and a required scrutineer
    present.
    """
    awarded = promotion.terms.time("awarded_at")
    assert awarded is not None
    if at < awarded:
        sentence = (
            f"Under the terms, the prize is awarded at {promotion.terms.time_in_words('awarded_at')}, not before."
        )
        return Refusal("too_early", sentence, rules.clause_of("awarded_at"))
    drawn = [*(prize for prize, _ in command.winners), *command.nobody]
    refusal = (
        _check_outcome(rules, promotion, command, drawn)
        or check_available(rules, promotion)
        or _check_reasons(rules, promotion)
        or _check_disputes(rules, promotion)
        or check_scrutineer(rules, promotion, drawn)
    )
    if refusal is not None:
        return refusal
    winners = tuple(
        events.Winner(number, prize, entry, promotion.entries[entry].entrant)
        for number, (prize, entry) in enumerate(command.winners, len(promotion.awards) + 1)
    )
    overseen, clause = (
        promotion.scrutineer_there,
        rules.scrutineer.clause if promotion.scrutineer_there else rules.clause,
    )
    return (
        events.PrizesDrawn(
            at=at,
            by=command.by,
            clause=clause,
            winners=winners,
            record=command.record,
            overseen=overseen,
            nobody=command.nobody,
        ),
    )


def _check_reasons(rules: Prizes, promotion: Promotion) -> Refusal | None:
    """Refuse a redraw before the winner is told why their claim was refused."""
    for claim in promotion.claims.values():
        award = promotion.award(claim.award)
        own = award is not None and award.status == "refused" and award.entrant == claim.claimant
        if own and claim.denied is not None and claim.told is None:
            sentence = f"The claimant of {claim.id} has not been told yet why it was refused."
            return Refusal("reason_not_told", sentence, rules.refusals.clause)
    return None


def _check_disputes(rules: Prizes, promotion: Promotion) -> Refusal | None:
    """Refuse a redraw while the winner disputes it: the award may be restored until then (X-43)."""
    disputing = {dispute.patron: dispute.id for dispute in promotion.disputes.values() if dispute.decided is None}
    for award in promotion.awards:
        if award.is_restorable and award.entrant in disputing:
            sentence = f"The winner of award {award.number} disputes it: decide {disputing[award.entrant]} first."
            return Refusal("dispute_open", sentence, rules.disputes.clause)
    return None


def _check_outcome(
    rules: Prizes, promotion: Promotion, command: commands.DrawPrizes, drawn: list[str]
) -> Refusal | None:
    clause = rules.clause_of("manner")
    if not drawn or not command.record.strip():
        return Refusal("no_outcome", "A draw needs prizes and a record that can be verified.", clause)
    for prize_id, number in Counter(drawn).items():
        prize = promotion.terms.prize(prize_id)
        if prize is None:
            return Refusal("unknown_prize", f"The terms have no prize called {prize_id}.", clause)
        if number > promotion.left(prize):
            say = f"Only {promotion.left(prize)} of {prize_id} are still to be drawn."
            return Refusal("drawn_already", say, clause)
    for _, entry in command.winners:
        if entry not in promotion.entries:
            return Refusal("unknown_entry", f"There is no entry called {entry}.", clause)
    return None


@acts_on("prizes.scrutineer")
def check_scrutineer(rules: Prizes, promotion: Promotion, prize_ids: list[str]) -> Refusal | None:
    """Refuse to draw any single prize above the threshold without a scrutineer named and present."""
    rule = rules.scrutineer
    prizes = [prize for prize in promotion.terms.prizes if prize.id in prize_ids]
    if all(prize.worth <= rule.above_cents for prize in prizes) or promotion.scrutineer_there:
        return None
    above = dollars(rule.above_cents)
    if promotion.scrutineer is None:
        sentence = f"A prize worth more than {above} must be drawn under a scrutineer, but none has been named."
        return Refusal("scrutineer_missing", sentence, rule.clause)
    return Refusal(
        "scrutineer_absent", f"A prize worth more than {above} must be drawn with the scrutineer present.", rule.clause
    )
