"""The pages of the books: the list, and each book with its sections, wagers and clauses, which can be searched."""

from __future__ import annotations

from collections import Counter

from croupier import rulebooks
from croupier.documents.markup import Inside, Markup, element, facts, items, joined, link
from croupier.documents.wording import day
from croupier.rules.book import Book
from croupier.rules.shelf import Shelf
from croupier.server.pages.book_index import Known
from croupier.server.pages.citations import book_address, clause_link, section_of
from croupier.server.pages.clauses import CLASSES, badge
from croupier.server.pages.html import Page
from croupier.server.pages.wagers import wagers_list

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


def _about(known: Known) -> Markup:
    book = known.book
    sections = [link(f"#section-{section}", f"{section}. {title}") for section, title in book.sections.items()]
    classes = [(element("span", name, class_=f"pill {name}"), said) for name, said in CLASSES.items()]
    register = link(f"{book_address(book.id)}/readings", f"The register of readings ({len(book.readings)})")
    damage = [
        element("p", "The document at hand is damaged:"),
        items(book.rules.book.damage),
    ]
    return joined(
        _identity(book),
        damage if book.rules.book.damage else None,
        element("h2", "Contents"),
        items(sections, class_="names"),
        element("h2", "Wagers"),
        wagers_list(known),
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
