"""The terms that a scenario writes down: complete ones with stock values, and what a line changes in them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from msgspec.structs import replace

from croupier.money import MoneyError, parse_cents
from croupier.prizes.values import Prize, Terms, Value, moment
from croupier.rules.prizes import Prizes, Term

_SUMMER = timezone(timedelta(hours=11))  # Sydney in March

# The times in complete terms: they start on a Sunday, take entries for a week and draw three hours later.
STARTS = datetime(2026, 3, 1, 9, tzinfo=_SUMMER)
STOCK_TIMES = {
    "starts": STARTS,
    "entries_close": STARTS + timedelta(days=7),
    "awarded_at": STARTS + timedelta(days=7, hours=3),
}


def words_to_id(words: str) -> str:
    """`crossed cheque` is how people write `crossed_cheque`."""
    return words.strip().replace(" ", "_")


def complete_terms(rules: Prizes) -> Terms:
    """Every point that the book asks of a promotion, with a stock value; no prize yet."""
    return Terms({term.id: _stock(term) for term in rules.terms if term.of == "promotion" and _is_asked(term)})


def stock_prize(rules: Prizes, prize_id: str, kind: str, cents: int, count: int) -> Prize:
    """A prize with every point that the book asks of its kind."""
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
    """A value as the book's term wants it; what does not fit stays text, so that the engine refuses it."""
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
    """The terms with a point said, or left out where the value is None. None: there is no such prize or point."""
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
    """The terms with a prize in its old place, or as the last one."""
    if terms.prize(prize.id) is None:
        return replace(terms, prizes=(*terms.prizes, prize))
    return replace(terms, prizes=tuple(prize if old.id == prize.id else old for old in terms.prizes))


def without_prize(terms: Terms, prize_id: str) -> Terms:
    """The terms without a prize."""
    return replace(terms, prizes=tuple(prize for prize in terms.prizes if prize.id != prize_id))


def same_value(rules: Prizes, term_id: str, value: Value, text: str) -> bool:
    """Whether a value is what a line says; two ways to write a time are the same moment."""
    wanted = read_value(rules, term_id, text)
    if value == wanted:
        return True
    term = rules.terms_by_id.get(term_id)
    at = moment(text)
    return term is not None and term.value == "time" and at is not None and at == moment(str(value))
