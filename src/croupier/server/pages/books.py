"""The pages of the books: the list, each book with its clauses, which can be searched, and each of its wagers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from croupier import rulebooks
from croupier.documents.markup import Inside, Markup, element, facts, items, joined, link, table
from croupier.documents.wording import day
from croupier.rules import describing, schema
from croupier.rules.book import Book
from croupier.rules.describing import Cited, any_of, pay_lines, share_text
from croupier.rules.game import Game, Terms, choice_id
from croupier.rules.machine import pick_words
from croupier.rules.shelf import Shelf
from croupier.server.pages.book_index import CLASSES, Known, badge
from croupier.server.pages.clause_links import book_address, clause_link, clause_links, section_of, wager_address
from croupier.server.pages.html import Page
from croupier.server.pages.machine_rows import wager_rows

_MANY = 20
LONGEST_QUERY = 100


def books_page(shelf: Shelf) -> Page:
    """Build the page that lists every book."""
    cards = [_card(shelf.book(book_id)) for book_id in rulebooks.ids()]
    about = (
        "The approved rules of five games, clause by clause, in our own words, with what the software does about each."
    )
    return Page("Rules", joined(element("h1", "Rules"), element("p", about), element("div", cards, class_="grid")))


def _card(book: Book) -> Markup:
    title = element("h2", link(book_address(book.id), book.rules.book.title))
    return element("article", title, _identity(book), class_="card")


def _identity(book: Book) -> Markup:
    names = book.rules.book
    classes = Counter[str](clause.class_ for clause in (*book.clauses.values(), *book.definitions.values()))
    counted = ", ".join(f"{classes[name]} {name}" for name in CLASSES if classes[name])
    rows: list[tuple[Inside, Inside]] = [
        ("Regulator", names.regulator),
        ("Instrument", names.instrument),
        ("Signed", day(names.signed) if names.signed else "undated"),
        ("Clauses", f"{sum(classes.values())}: {counted}"),
        ("Readings", len(book.readings)),
    ]
    return facts(rows)


def book_page(known: Known, query: str = "") -> Page:
    """Build the page of a book: all of it, or the clauses that match a query."""
    book = known.book
    found = _found(known, query)
    asked = query.split()
    body = joined(
        element("h1", book.rules.book.title),
        _search(book, query),
        _result(query, found) if asked else _about(known),
        _clauses(known, found),
    )
    return Page(book.rules.book.title, body, (("/rules", "Rules"),))


def _search(book: Book, query: str) -> Markup:
    label = element("label", element("span", "Find words or numbers"), _field(query))
    again = link(book_address(book.id), "All clauses", class_="button") if query.split() else None
    button = element("button", "Find", type="submit", class_="primary")
    return element("form", label, button, again, method="get", action=book_address(book.id), role="search")


def _field(query: str) -> Markup:
    return element("input", type="search", name="q", value=query, maxlength=LONGEST_QUERY)


def _result(query: str, found: list[str]) -> Markup:
    number = {0: "No clause has", 1: "One clause has"}.get(len(found), f"{len(found)} clauses have")
    return element("p", f"{number} “{' '.join(query.split())}”.", role="status")


def _playing(book: Book) -> Markup:
    """Lead to the first game, if the book has one, and to a practice table."""
    lesson = None if book.lesson is None else link(f"/learn/{book.id}", "A first game of two minutes", class_="button")
    return element("p", lesson, " ", link(f"/practice/{book.id}", "Practice table", class_="button"))


def _about(known: Known) -> Markup:
    book = known.book
    sections = [link(f"#section-{section}", f"{section}. {title}") for section, title in book.sections.items()]
    classes = [(element("span", name, class_=f"pill {name}"), said) for name, said in CLASSES.items()]
    register = link(f"{book_address(book.id)}/readings", f"The register of readings ({len(book.readings)})")
    damage = [
        element("p", "The source document is damaged:"),
        items(book.rules.book.damage),
    ]
    return joined(
        _playing(book),
        _identity(book),
        damage if book.rules.book.damage else None,
        element("h2", "Contents"),
        items(sections, class_="names"),
        element("h2", "Wagers"),
        items((link(wager_address(book.id, one.id), one.name) for one in book.rules.wagers), class_="names"),
        element("h2", "Readings"),
        element("p", "How doubtful clauses are read: ", register, "."),
        element("h2", "What the classes mean"),
        facts(classes),
    )


def _found(known: Known, query: str) -> list[str]:
    """List the clauses with every word of a query in their number, summary or reason."""
    words = query.lower().split()
    return [
        number
        for number, clause in known.clauses.items()
        if all(word in f"{number} {clause.summary} {clause.reason or ''}".lower() for word in words)
    ]


def _clauses(known: Known, numbers: list[str]) -> Markup:
    by_section: dict[str, list[str]] = {}
    for number in numbers:
        by_section.setdefault(section_of(number), []).append(number)
    parts = []
    for section in sorted(by_section, key=lambda name: list(known.book.sections).index(name)):
        title = f"{section}. {known.book.sections[section]}"
        lines = [_line(known, number) for number in by_section[section]]
        parts.append(element("section", element("h2", title), items(lines, class_="clauses"), id=f"section-{section}"))
    return joined(parts)


def _line(known: Known, number: str) -> Markup:
    clause = known.clauses[number]
    reason = element("p", known.text(clause.reason, number), class_="note") if clause.reason else None
    read = element("p", "Read by ", known.text(", ".join(clause.readings)), class_="note") if clause.readings else None
    head = element("p", clause_link(known.book, number), " ", known.text(clause.summary, number), " ", badge(clause))
    return joined(head, reason, read)


# Wagers: what each pays, how it is decided, how it is staked, and when it is inactive


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
        _decisions(known, wager),
        _cited_lines(known, "Making it and taking it down", [*_conditions(wager), *describing.making(wager)]),
        _cited_lines(known, "The stake", list(describing.staking(book, wager))),
        _cited_lines(known, "Sleeping", list(describing.sleeping(book, wager))),
    )
    way = (("/rules", "Rules"), (book_address(book.id), book.rules.book.title))
    return Page(f"{wager.name}, {book.rules.book.game}", body, way)


def _picks(wager: schema.Wager) -> list[tuple[Inside, Inside]]:
    picks = [pick_words(wager.id, pick)["pick"].replace(" ", "-") for pick in wager.picks]
    shown = ", ".join(picks) if len(picks) <= _MANY else f"{len(picks)} of them"
    return [("Picks", shown)] if picks else []


def _decisions(known: Known, wager: schema.Wager) -> Markup:
    rows = wager_rows(known.game, wager)
    has_states = any(row.state for row in rows)
    heads = ("While", "On", "It", "Clause") if has_states else ("On", "It", "Clause")
    cells: list[tuple[Inside, ...]] = []
    for row in rows:
        where = element("small", row.where) if row.where else None
        cell: tuple[Inside, ...] = ((row.on, where), row.then, clause_links(known.book, row.clauses))
        cells.append((row.state, *cell) if has_states else cell)
    return table(heads, cells, "How it is decided")


def _cited_lines(known: Known, title: str, lines: list[Cited]) -> Markup:
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
        return joined(element("p", f"{lines[0].odds}{instead}."), note, _about_odds(known))
    rows = [(line.words or ELSE, _unbroken(line.odds), "; ".join(line.instead)) for line in lines]
    return joined(_laid_out(known, rows, ("On", "Pays")), note)


def _unbroken(odds: str) -> str:
    return odds.replace(" ", "\u00a0")


def _laid_out(known: Known, rows: Sequence[tuple[Inside, ...]], heads: tuple[str, ...]) -> Markup:
    """Build the table, without the column of alternatives if the book has none."""
    choices = known.book.rules.pay_table.choices
    heads = (*heads, "Approved instead") if choices else heads
    cells = rows if choices else [row[:-1] for row in rows]
    return joined(table(heads, cells, "Pay table"), _about_odds(known))


def _about_odds(known: Known) -> Markup:
    included = known.book.rules.pay_table.reckoned == "for"
    said = "for the stake: they include the stake" if included else "to the stake, which is returned as well"
    return element("p", f"Odds are {said}.", class_="note")
