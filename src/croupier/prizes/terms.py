"""The terms of a promotion: their values, and checks for completeness and prohibited prizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Literal

import msgspec

from croupier.money import dollars
from croupier.prizes.public_draw import MOST
from croupier.rules.prizes import Prizes, Term, ValueKind
from croupier.rules.schema import acts_on
from croupier.table.refusals import Refusal

MOST_PRIZES = 10_000  # of a promotion: each has a line in the record of the draw
MOST_NAMED = 60  # characters of a prize's name
MOST_LETTERS = 2000  # of one point of the terms; each prize is announced with its nature

_SORTS: dict[ValueKind, str] = {
    "text": f"a text of up to {MOST_LETTERS:,} letters",
    "time": "a time with its zone, such as 2026-03-01T20:00+11:00",
    "money": "an amount above zero, such as 10.00",
    "count": "a whole number from 1",
    "yes or no": "yes or no",
}


def check_values(rules: Prizes, terms: Terms) -> Refusal | None:
    """Refuse unreadable terms: unknown points, values of the wrong type, prizes of an unknown kind or with no count.

    Terms that pass can be drawn, and written to the public record of the draw.
    """
    ids, details = [prize.id for prize in terms.prizes], rules.clause_of("details")
    if len(set(ids)) < len(ids) or not all(map(_is_name, ids)):
        say = f"Each prize needs a unique name of 1 to {MOST_NAMED} visible letters."
        return Refusal("prize_not_named", say, details)
    if sum(max(prize.count, 0) for prize in terms.prizes) > MOST_PRIZES:
        return Refusal("prize_not_counted", f"A promotion can have up to {MOST_PRIZES:,} prizes.", details)
    if terms.earning is not None and not 0 < terms.earning.cents <= MOST:
        say = "The stake that earns a ticket must be above zero."
        return Refusal("bad_amount", say, rules.clause_of("eligibility"), ("earning",))
    for prize in terms.prizes:
        if prize.kind not in rules.kinds_by_id:
            known = ", ".join(rules.kinds_by_id)
            say = f"There is no kind of prize called {prize.kind}; there are {known}."
            return Refusal("unknown_kind", say, details, (prize.id,))
        if prize.count < 1:
            return Refusal("prize_not_counted", "There must be at least one of each prize.", details, (prize.id,))
        if not 0 <= prize.millilitres <= MOST:
            say = f"The amount of liquor must be from 0 to {MOST:,} millilitres."
            return Refusal("prize_not_counted", say, details, (prize.id,))
        for thing in prize.contains:
            if thing not in rules.things:
                known = ", ".join(rules.things)
                say = f"A prize can be declared to contain {known}, but not {thing}."
                return Refusal("unknown_thing", say, rules.prohibited_clause, (prize.id,))
    parts = [("promotion", terms.said, ()), *(("prize", prize.said, (prize.id,)) for prize in terms.prizes)]
    refusals = (_check_said(rules, of, said, whose) for of, said, whose in parts)
    return next((refusal for refusal in refusals if refusal is not None), None)


def _check_said(rules: Prizes, of: str, said: Mapping[str, Value], whose: tuple[str, ...]) -> Refusal | None:
    for name, value in said.items():
        term, about = rules.terms_by_id.get(name), (*whose, name)
        if term is None or term.of != of:
            say = f"The terms of a {of} have no point called {name}."
            return Refusal("unknown_term", say, rules.terms_clause, about)
        if not _fits(value, term.value):
            say = f"Cannot be read: {term.name}{_of(whose)}. Write {_SORTS[term.value]}."
            return Refusal("term_not_readable", say, term.clause, about)
    return None


def _of(whose: tuple[str, ...]) -> str:
    """Return the prize meant, for a message."""
    return f" ({whose[0]})" if whose else ""


def _is_name(name: str) -> bool:
    return bool(name.strip()) and len(name) <= MOST_NAMED and name.isprintable()


def _fits(value: Value, kind: ValueKind) -> bool:
    if kind == "yes or no":
        return isinstance(value, bool)
    if kind in ("money", "count"):
        return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST
    fits = isinstance(value, str) and len(value) <= MOST_LETTERS
    return fits and (kind != "time" or _is_of_our_time(moment(str(value))))


def _is_of_our_time(at: datetime | None) -> bool:
    """Return whether a time is plausible and safe for date arithmetic: not a typo such as the year 206."""
    return at is not None and 2000 <= at.year < 3000


@acts_on("prizes.kinds", "prizes.terms", "prizes.terms_clause")
def check_terms(rules: Prizes, terms: Terms) -> Refusal | None:
    """Refuse terms that lack a point required by the book, with the clause of that point."""
    if not terms.prizes:
        return Refusal("term_missing", "The terms name no prize.", rules.terms_clause, ("prizes",))
    for term, said, whose in due_terms(rules, terms):
        value = said.get(term.id)
        if value is None or (isinstance(value, str) and not value.strip()):
            say = f"The terms do not say {term.name}{_of(whose)}."
            return Refusal("term_missing", say, term.clause, (*whose, term.id))
    return _check_order(rules, terms) or _check_alternatives(rules, terms)


def due_terms(rules: Prizes, terms: Terms) -> Iterator[tuple[Term, Mapping[str, Value], tuple[str, ...]]]:
    """Yield every required point, with the values to look in and the prize, in the book's order."""
    for term in rules.terms:
        if term.of == "promotion":
            if _is_due(term, terms.said):
                yield term, terms.said, ()
            continue
        for prize in terms.prizes:
            if _is_due(term, prize.said) and (not term.kinds or prize.kind in term.kinds):
                yield term, prize.said, (prize.id,)


def _is_due(term: Term, said: Mapping[str, Value]) -> bool:
    return not term.optional and (term.when is None or said.get(term.when) is True)


def _check_order(rules: Prizes, terms: Terms) -> Refusal | None:
    """Refuse times out of order: the start, the closing of entries, the award."""
    starts, closes, awarded = (terms.time(name) for name in ("starts", "entries_close", "awarded_at"))
    assert starts is not None and closes is not None and awarded is not None  # noqa: PT018
    steps: list[tuple[bool, Literal["entries_close", "awarded_at"], str]] = [
        (closes <= starts, "entries_close", "Entries must close after the promotion starts."),
        (awarded < closes, "awarded_at", "The prize must be awarded after the entries close."),
    ]
    for wrong, name, sentence in steps:
        if wrong:
            return Refusal("times_out_of_order", sentence, rules.clause_of(name), (name,))
    return None


def _check_alternatives(rules: Prizes, terms: Terms) -> Refusal | None:
    """Refuse an alternative in money for prizes that cannot have one."""
    for prize in terms.prizes:
        if "alternative" in prize.said:
            refusal = no_alternative(rules, prize)
            if refusal is not None:
                return refusal
    return None


def no_alternative(rules: Prizes, prize: Prize) -> Refusal | None:
    """Refuse to exchange a prize of this kind for money, if the book does."""
    kind, rule = rules.kinds_by_id[prize.kind], rules.alternative
    if not kind.monetary and kind.id not in rule.except_:
        return None
    sentence = f"A prize of {kind.name} has no {rule.called} alternative ({prize.id})."
    return Refusal("no_alternative", sentence, rule.clause, (prize.id, "alternative"))


@acts_on("prizes.prohibited", "prizes.prohibited_clause")
def check_prohibited(rules: Prizes, terms: Terms) -> Refusal | None:
    """Refuse a prize that is or contains what the book forbids, with the clause."""
    for prize in terms.prizes:
        for row in rules.prohibited:
            found = [thing for thing in row.things if thing in prize.contains]
            if row.above_litres is not None:
                if prize.millilitres <= row.above_litres * 1000:
                    continue
                what = f"more than {row.above_litres} litres of {row.things[0]}"
            elif found:
                what = found[0]
            else:
                continue
            sentence = f"No prize may be or contain: {what} ({prize.id}; {rules.prohibited_under})."
            return Refusal("prize_prohibited", sentence, row.clause, (prize.id,))
    return None


def shown_terms(rules: Prizes, terms: Terms) -> list[tuple[str, str, str]]:
    """Return the terms for people to read, point by point: the name, the value, and the clause behind it."""
    lines = [
        (term.name, _shown(terms.said[term.id], term), term.clause) for term in rules.terms if term.id in terms.said
    ]
    for prize in terms.prizes:
        for term in rules.terms:
            if term.of == "prize" and term.id in prize.said:
                lines.append((f"{prize.id}: {term.name}", _shown(prize.said[term.id], term), term.clause))
    return lines


def _shown(value: Value, term: Term) -> str:
    if term.value == "money":
        return dollars(int(value))
    if term.value == "yes or no":
        return "yes" if value else "no"
    return str(value)


# Values of terms, prizes and entries; money is in cents.

Value = str | int | bool  # a time is ISO 8601 text with its zone


class Prize(msgspec.Struct, frozen=True, gc=False):
    """One prize, or `count` alike; the value in `said` is that of a single one.

    `contains` declares which prohibited things it is or contains, `millilitres` how much liquor.
    """

    id: str
    kind: str
    said: dict[str, Value] = {}
    count: int = 1
    contains: tuple[str, ...] = ()
    millilitres: int = 0

    @property
    def value(self) -> int:
        """The value of a single one, in cents."""
        return int(self.said.get("value", 0))

    @property
    def worth(self) -> int:
        """The amount that thresholds apply to: the value, or the stated alternative if that is higher."""
        return max(self.value, int(self.said.get("alternative", 0)))


class Earning(msgspec.Struct, frozen=True, gc=False):
    """How play earns entries: one ticket for every `cents` staked, at these tables, on these wagers.

    No tables means all tables of the book, no wagers all of its wagers.
    """

    cents: int
    tables: tuple[str, ...] = ()
    wagers: tuple[str, ...] = ()


class Terms(msgspec.Struct, frozen=True, gc=False):
    """The terms and conditions of a promotion: its points, its prizes, and how play earns entries.

    Without `earning` entries are taken only by hand. With `one_prize_each` an entrant wins at most once.
    """

    said: dict[str, Value] = {}
    prizes: tuple[Prize, ...] = ()
    earning: Earning | None = None
    one_prize_each: bool = True

    def time(self, term: str) -> datetime | None:
        """Return a time of the terms, if they state it."""
        said = self.said.get(term)
        return moment(said) if isinstance(said, str) else None

    def time_in_words(self, term: str) -> str:
        """Return a time for people to read, in the zone in which the terms state it."""
        return str(self.said.get(term, "")).replace("T", " ")

    def prize(self, prize_id: str) -> Prize | None:
        """Return a prize by its id."""
        return next((prize for prize in self.prizes if prize.id == prize_id), None)


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One entry in the draw: its entrant and its weight."""

    id: str
    entrant: str
    weight: int = 1


class Part(msgspec.Struct, frozen=True, gc=False):
    """An amount in one form of payment."""

    form: str
    cents: int


def moment(text: str) -> datetime | None:
    """Read an ISO 8601 time; None if it is invalid or has no zone."""
    try:
        at = datetime.fromisoformat(text)
        return at.astimezone(UTC) if at.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None
