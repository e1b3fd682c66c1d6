"""What the books say that a register is kept for: the clauses behind everything that could be entered in it."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rules.book import Book
from croupier.rules.prizes import Prizes

RETURN = "monthly_return"
_MONTH_END = "make_return"  # the effect of the act that makes the monthly return


def clauses_of(book: Book, register: str) -> tuple[str, ...]:
    """The clauses of a book behind a register, in the order of the book; none where it knows nothing of the kind."""
    cited = set(_cited(book, register))
    return tuple(clause for clause in book.clauses if clause in cited)


def _cited(book: Book, register: str) -> Iterator[str]:
    for act in book.conduct.acts:
        if act.register == register or (register == RETURN and act.effect == _MONTH_END):
            yield act.clause
    invalidated, pay_table = book.rules.void.invalidated, book.rules.pay_table
    if register == "invalidated_outcomes" and invalidated is not None:
        yield from (invalidated.clause, *invalidated.grounds)
    if register == "changes":
        yield from (clause for clause in (pay_table.change_clause, pay_table.sign_clause) if clause is not None)
    if book.prizes is not None:
        yield from _PRIZES.get(register, _nothing)(book.prizes)


def _of_promotions(prizes: Prizes) -> tuple[str, ...]:
    parts = (prizes.scrutineer, prizes.alternative, prizes.payment, prizes.filing, prizes.amending)
    more = (prizes.availability, prizes.winners, prizes.integrity)
    return (prizes.clause, prizes.terms_clause, *(part.clause for part in (*parts, *more)))


def _of_denied(prizes: Prizes) -> tuple[str, ...]:
    return prizes.refusals.clause, prizes.refusals.keep_clause


def _of_disputes(prizes: Prizes) -> tuple[str, ...]:
    return (prizes.disputes.clause,)


def _of_notices(prizes: Prizes) -> tuple[str, ...]:
    return (prizes.integrity.clause,)


def _nothing(_prizes: Prizes) -> tuple[str, ...]:
    return ()


_PRIZES = {
    "promotions": _of_promotions,
    "denied_claims": _of_denied,
    "disputes": _of_disputes,
    "malfunctions_and_notices": _of_notices,
}
