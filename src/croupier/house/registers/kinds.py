"""The registers: what each is for, its columns, and the clauses behind it. Other modules fill them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from croupier.rules.book import Book
from croupier.rules.prizes import Prizes


class Column(NamedTuple):
    """A column: its id and heading. On paper it may be in small print `under` another."""

    id: str
    name: str
    under: str | None = None
    is_figure: bool = False


class Kind(NamedTuple):
    """A register: its id, title and purpose, and its own columns beside the common ones."""

    id: str
    title: str
    purpose: str
    own: tuple[Column, ...]

    @property
    def columns(self) -> tuple[Column, ...]:
        """All of its columns."""
        return (*EVERY, *self.own)


# Columns of every register.
EVERY = (
    Column("when", "When"),
    Column("where", "Where"),
    Column("book", "Book", under="where"),
    Column("clause", "Clause"),
    Column("who", "Who"),
    Column("title", "As", under="who"),
    Column("what", "What"),
)
CASE, AMOUNT, PATRON = Column("case", "Case"), Column("amount", "Amount", is_figure=True), Column("patron", "Patron")
WAY, FINDING = Column("way", "Way", under="case"), Column("finding", "Finding")
STANDING = Column("standing", "Standing", under="finding")

KINDS = (
    Kind(
        "monthly_return",
        "Monthly return of wrong payments",
        "Every single wrong payment above the book's amount that came to light in the period, as it stood at its end, "
        "or when the return was made where that was later.",
        (
            CASE,
            WAY,
            AMOUNT,
            Column("no_credit", "No credit", under="amount"),
            PATRON,
            FINDING,
            STANDING,
            Column("put_right", "Put right"),
            Column("returned", "Return made"),
            Column("returned_by", "Made by", under="returned"),
        ),
    ),
    Kind(
        "wrong_payments",
        "Wrong payments",
        "Every step in every case of a payment that was wrong, whatever its amount.",
        (CASE, WAY, AMOUNT, PATRON, FINDING, STANDING, Column("due", "Still due")),
    ),
    Kind(
        "disputes",
        "Disputes and complaints",
        "What players and patrons disputed, who decided it and how, and complaints to an inspector.",
        (CASE, PATRON, Column("standing", "Standing"), Column("decision", "Decision")),
    ),
    Kind(
        "exclusions",
        "Exclusions",
        "Who was excluded from a game, the casino or the house, by whom and until when, and what led to it.",
        (Column("person", "Person"), Column("from", "From"), Column("until", "Until")),
    ),
    Kind(
        "invalidated_outcomes",
        "Invalidated outcomes",
        "Outcomes that were taken back, and wagers that were found invalid, with what became of the money.",
        (
            Column("reason", "Ground"),
            Column("person", "Players named"),
            Column("given_back", "Given back", is_figure=True),
            Column("forfeited", "Forfeited", is_figure=True),
        ),
    ),
    Kind(
        "changes",
        "Changes of limits and pay tables",
        "Every change of what the sign states, of units and of the pay table, with the sign that announced it and "
        "whether its notice was kept.",
        (
            Column("before", "Before"),
            Column("now", "Now"),
            Column("sign", "Sign"),
            Column("notice", "Notice", under="sign"),
        ),
    ),
    Kind(
        "malfunctions_and_notices",
        "Malfunctions and notices",
        "Faults of the equipment and what was done about them, and everything of which an inspector was to be told.",
        (Column("about", "About"), Column("told", "Whom to tell"), Column("by_when", "By when", under="told")),
    ),
    Kind(
        "promotions",
        "Promotions",
        "Every step of every promotion, from its draft to its close.",
        (
            Column("award", "Award"),
            Column("amount", "Amount", is_figure=True),
            Column("told", "Told"),
            Column("by_when", "By when", under="told"),
        ),
    ),
    Kind(
        "denied_claims",
        "Denied claims",
        "Claims to prizes that were denied, with the reason; above the book's amount with name and address.",
        (
            Column("claim", "Claim"),
            Column("award", "Award", under="claim"),
            Column("value", "Value", is_figure=True),
            Column("claimant", "Claimant"),
            Column("reason", "Reason"),
            Column("name", "Name"),
            Column("address", "Address", under="name"),
        ),
    ),
)
BY_ID = {kind.id: kind for kind in KINDS}


# Clauses behind a register

RETURN = "monthly_return"
_MONTH_END = "make_return"  # the effect of the act that makes the monthly return


def clauses_of(book: Book, register: str) -> tuple[str, ...]:
    """Return the clauses of a book behind a register, in the order of the book."""
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
