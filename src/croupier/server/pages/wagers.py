"""The page of a wager: what it pays, how it is decided, how it is staked, when it sleeps; and the pay tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from croupier.documents.markup import Inside, Markup, element, facts, items, joined, link, table
from croupier.rules import describing, schema
from croupier.rules.describing import Cited, any_of, pay_lines, share_text
from croupier.rules.game import Game, Terms, choice_id
from croupier.rules.machine import pick_words
from croupier.server.pages.book_index import Known
from croupier.server.pages.citations import book_address, clause_link, clause_links, wager_address
from croupier.server.pages.html import Page
from croupier.server.pages.machine_rows import wager_rows

_MANY = 20


def wager_page(known: Known, wager: schema.Wager) -> Page:
    """Build the page of one wager."""
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


def wagers_list(known: Known) -> Markup:
    """List every wager of a book by name."""
    rows = [link(wager_address(known.book.id, wager.id), wager.name) for wager in known.book.rules.wagers]
    return items(rows, class_="names")


def _picks(wager: schema.Wager) -> list[tuple[Inside, Inside]]:
    picks = [pick_words(wager.id, pick)["pick"].replace(" ", "-") for pick in wager.picks]
    shown = ", ".join(picks) if len(picks) <= _MANY else f"{len(picks)} of them"
    return [("Picks", shown)] if picks else []


def _rows(known: Known, wager: schema.Wager) -> Markup:
    rows = wager_rows(known.game, wager)
    has_states = any(row.state for row in rows)
    heads = ("While", "On", "It", "Clause") if has_states else ("On", "It", "Clause")
    cells: list[tuple[Inside, ...]] = []
    for row in rows:
        where = element("small", row.where) if row.where else None
        cell: tuple[Inside, ...] = ((row.on, where), row.then, clause_links(known.book, row.clauses))
        cells.append((row.state, *cell) if has_states else cell)
    return table(heads, cells, "How it is decided")


def _section(known: Known, title: str, lines: list[Cited]) -> Markup:
    if not lines:
        return Markup()
    rows = [(sentence, " ", clause_link(known.book, clause)) for sentence, clause in lines]
    return joined(element("h2", title), items(rows))


def _conditions(wager: schema.Wager) -> Iterator[Cited]:
    for condition in (*wager.place, *wager.take):
        yield f"Refused otherwise: “{condition.say}”", condition.clause


# Pay tables: what wagers pay, line by line, with every approved alternative

ELSE = "all else that wins"


class Paid(msgspec.Struct, frozen=True):
    """A line of the pay table: its case, its odds, and the approved alternatives, each with its choice."""

    words: str
    odds: str
    instead: tuple[str, ...]


def paid(known: Known, wager: schema.Wager) -> list[Paid]:
    """List the lines that pay a wager. If a choice sets several lines together, each alternative names the choice."""
    picks = known.book.picks(wager)
    own = pay_lines(known.game, wager, picks)
    instead: list[list[str]] = [[] for _ in own]
    for choice in known.book.rules.pay_table.choices:
        others = {option: pay_lines(game, wager, picks) for option, game in _alternatives(known, choice)}
        changed = [place for place, line in enumerate(own) if any(lines[place] != line for lines in others.values())]
        for place in changed:
            for option, lines in others.items():
                told = f" ({_option(choice, option)})" if len(changed) > 1 or not choice.key else ""
                if told or lines[place] != own[place]:
                    instead[place].append(f"{lines[place].printed}{told}")
    return [Paid(line.words, line.printed, tuple(instead[place])) for place, line in enumerate(own)]


def _alternatives(known: Known, choice: schema.Choice) -> Iterator[tuple[str, Game]]:
    """Yield the game under every other value of a choice."""
    name, chosen = choice_id(choice), known.game.choices
    for option in choice.options:
        if option != chosen[name]:
            yield option, known.shelf.game(Terms(known.book.id, tuple({**chosen, name: option}.items())))


def _option(choice: schema.Choice, option: str) -> str:
    return f"option {option}" if choice.key else f"pay table {option}"


def pay_table(known: Known) -> Markup:
    """Build the whole pay table."""
    rows = []
    for wager in known.book.rules.wagers:
        lines = paid(known, wager)
        for place, line in enumerate(lines):
            name: Inside = link(wager_address(known.book.id, wager.id), wager.name) if place == 0 else None
            words = line.words or (ELSE if len(lines) > 1 else "")
            rows.append((name, words, _unbroken(line.odds), "; ".join(line.instead)))
    return _laid_out(known, rows, ("Wager", "On", "Pays"))


def own_pay_table(known: Known, wager: schema.Wager) -> Markup:
    """Build the pay table of one wager."""
    lines, share = paid(known, wager), share_text(wager)
    note = element("p", f"Paid {share}.") if share else None
    if len(lines) == 1 and not lines[0].words:
        instead = f", or as approved: {any_of(lines[0].instead)}" if lines[0].instead else ""
        return joined(element("p", f"{lines[0].odds}{instead}."), note, _reckoned(known))
    rows = [(line.words or ELSE, _unbroken(line.odds), "; ".join(line.instead)) for line in lines]
    return joined(_laid_out(known, rows, ("On", "Pays")), note)


def _unbroken(odds: str) -> str:
    return odds.replace(" ", "\u00a0")


def _laid_out(known: Known, rows: Sequence[tuple[Inside, ...]], heads: tuple[str, ...]) -> Markup:
    """Build the table, without the column of alternatives if the book has none."""
    choices = known.book.rules.pay_table.choices
    heads = (*heads, "Approved instead") if choices else heads
    cells = rows if choices else [row[:-1] for row in rows]
    return joined(table(heads, cells, "Pay table"), _reckoned(known))


def _reckoned(known: Known) -> Markup:
    included = known.book.rules.pay_table.reckoned == "for"
    stake = "which is a part of what is paid" if included else "which comes back as well"
    return element("p", f"Odds are winnings {'for' if included else 'to'} the stake, {stake}.", class_="note")
