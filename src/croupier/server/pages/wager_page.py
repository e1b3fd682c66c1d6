"""The page of a wager: what it pays, how it is decided clause by clause, how it is staked, and when it sleeps."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rules import describing, schema
from croupier.rules.compiling import pick_words
from croupier.rules.describing import Cited
from croupier.server.pages.citing import book_address, clause_link, clause_links, wager_address
from croupier.server.pages.frame import Page
from croupier.server.pages.html import Html, Inside, element, facts, items, joined, link, table
from croupier.server.pages.known import Known
from croupier.server.pages.pay_tables import own_pay_table
from croupier.server.pages.rows import wager_rows

_MANY = 20


def wager_page(known: Known, wager: schema.Wager) -> Page:
    """One wager."""
    book = known.book
    body = joined(
        element("h1", wager.name),
        element("p", wager.help, class_="summary"),
        facts([("Clause", clause_link(book, wager.clause)), *_picks(wager)]),
        element("h2", "What it pays"),
        own_pay_table(known, wager),
        element("p", "Pay table: ", clause_link(book, book.rules.pay_table.clause), class_="note"),
        element("h2", "How it is decided"),
        _rows(known, wager),
        _section(known, "Making it and taking it down", [*_conditions(wager), *describing.making(wager)]),
        _section(known, "The stake", list(describing.staking(book, wager))),
        _section(known, "Sleeping", list(describing.sleeping(book, wager))),
    )
    way = (("/rules", "Rules"), (book_address(book.id), book.rules.book.title))
    return Page(f"{wager.name}, {book.rules.book.game}", body, way)


def wagers_list(known: Known) -> Html:
    """Every wager of a book by name."""
    rows = [link(wager_address(known.book.id, wager.id), wager.name) for wager in known.book.rules.wagers]
    return items(rows, class_="names")


def _picks(wager: schema.Wager) -> list[tuple[Inside, Inside]]:
    picks = [pick_words(wager.id, pick)["pick"].replace(" ", "-") for pick in wager.picks]
    shown = ", ".join(picks) if len(picks) <= _MANY else f"{len(picks)} of them"
    return [("Picks", shown)] if picks else []


def _rows(known: Known, wager: schema.Wager) -> Html:
    rows = wager_rows(known.game, wager)
    has_states = any(row.state for row in rows)
    heads = ("While", "On", "It", "Clause") if has_states else ("On", "It", "Clause")
    cells: list[tuple[Inside, ...]] = []
    for row in rows:
        where = element("small", row.where) if row.where else None
        cell: tuple[Inside, ...] = ((row.on, where), row.then, clause_links(known.book, row.clauses))
        cells.append((row.state, *cell) if has_states else cell)
    return table(heads, cells, "How it is decided")


def _section(known: Known, title: str, lines: list[Cited]) -> Html:
    if not lines:
        return Html()
    rows = [(sentence, " ", clause_link(known.book, clause)) for sentence, clause in lines]
    return joined(element("h2", title), items(rows))


def _conditions(wager: schema.Wager) -> Iterator[Cited]:
    for condition in (*wager.place, *wager.take):
        yield f"Refused otherwise: “{condition.say}”", condition.clause
