"""Checks the prizes of a book: nothing twice, nothing that is not there, and all that the engine goes by."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.money import MoneyError, parse_cents
from croupier.rules.book import Book
from croupier.rules.citations import prize_citations
from croupier.rules.errors import RuleBookError
from croupier.rules.prizes import GOES_BY, Prizes, Term


def check_prizes(book: Book) -> None:
    """Raise RuleBookError for the first thing that is wrong with the prizes, where the book has any."""
    if book.prizes is None:
        return
    for where, reason in _mistakes(book.prizes):
        raise RuleBookError(book.prizes_file, f"prizes, {where}", reason)
    known = book.citable()
    for citation in prize_citations(book.prizes):
        if citation.clause not in known:
            reason = f"cites {citation.clause}, which is no clause of the book"
            raise RuleBookError(book.prizes_file, citation.place, reason)


def _mistakes(prizes: Prizes) -> Iterator[tuple[str, str]]:
    lists = {
        "kinds": [kind.id for kind in prizes.kinds],
        "terms": [term.id for term in prizes.terms],
        "prohibited": [row.id for row in prizes.prohibited],
        "things of prohibited": prizes.things,
        "payment.forms": [form.id for form in prizes.payment.forms],
        "winners.ways": [way.id for way in prizes.winners.ways],
    }
    for where, ids in lists.items():
        for name in sorted({name for name in ids if ids.count(name) > 1}):
            yield where, f'"{name}" is written twice'
    for term in prizes.terms:
        yield from _term(prizes, term)
    for kind in prizes.alternative.except_:
        if kind not in prizes.kinds_by_id:
            yield "alternative.except", f'speaks of a kind "{kind}" that there is not'
    for name, (of, value) in GOES_BY.items():
        found = prizes.terms_by_id.get(name)
        if found is None or (found.of, found.value) != (of, value):
            yield "terms", f'there must be a term "{name}" of each {of}, and it is {value}'
    yield from _figures(prizes)


def _term(prizes: Prizes, term: Term) -> Iterator[tuple[str, str]]:
    where = f"term {term.id}"
    for kind in term.kinds:
        if kind not in prizes.kinds_by_id or term.of != "prize":
            yield where, f'is for a kind "{kind}" that there is not, or not for prizes'
    if term.when is not None:
        other = prizes.terms_by_id.get(term.when)
        if other is None or other.value != "yes or no" or other.of != term.of:
            yield where, f'waits for "{term.when}", which is no question of yes or no about the same'


def _figures(prizes: Prizes) -> Iterator[tuple[str, str]]:
    amounts = {
        "scrutineer.above": prizes.scrutineer.above,
        "payment.winner_chooses_above": prizes.payment.winner_chooses_above,
        "refusals.keep_above": prizes.refusals.keep_above,
    }
    for where, text in amounts.items():
        try:
            parse_cents("0.00" if text is None else text)
        except MoneyError as error:
            yield where, str(error)
    counts = {
        "filing.hours_before": prizes.filing.hours_before,
        "winners.within_days": prizes.winners.within_days,
        "integrity.within_hours": prizes.integrity.within_hours,
        **{f"prohibited {row.id}": row.above_litres or 0 for row in prizes.prohibited},
    }
    for where, number in counts.items():
        if not 0 <= number <= 10_000:
            yield where, "is no number from 0 to 10000"
    yield from ((f"prohibited {row.id}", "names no thing") for row in prizes.prohibited if not row.things)
