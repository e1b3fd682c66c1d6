"""The pages of the register: how doubtful clauses are read, and which other readings there would be."""

from __future__ import annotations

from croupier.rules import schema
from croupier.server.pages.citing import book_address, clause_links, clauses_read, reading_address
from croupier.server.pages.frame import Page
from croupier.server.pages.html import Html, Inside, element, facts, items, joined, link
from croupier.server.pages.known import Known

TAGS = {"MONEY": "touches money", "STATE": "touches the course of the game", "TEXT": "is about the text"}
LEFT_OUT = "Why it is read so, and what each reading is worth, is told to those who may see PAR sheets."


def register_page(known: Known) -> Page:
    """Every reading of a book."""
    rows = [
        (link(reading_address(known.book.id, one.id), one.id, class_="clause"), " ", known.text(one.question, one.id))
        for one in known.book.readings
    ]
    about = "Where the document is ambiguous, misprinted or silent, it is read in one way, and that is written down."
    body = joined(element("h1", "Readings"), element("p", about), items(rows, class_="clauses"))
    return Page(f"Readings, {known.book.rules.book.game}", body, _way(known))


def reading_page(known: Known, reading: schema.Reading) -> Page:
    """One reading with its rivals."""
    here = clauses_read(known.book, reading)
    rows: list[tuple[Inside, Inside]] = [("Clauses", clause_links(known.book, here))] if here else []
    rows += [("It", ", ".join(TAGS[tag] for tag in reading.tags))]
    body = joined(
        element("h1", f"Reading {reading.id}"),
        facts(rows),
        _said(known, reading, "h2"),
        None if known.full else element("p", LEFT_OUT, class_="note"),
    )
    way = (*_way(known), (f"{book_address(known.book.id)}/readings", "Readings"))
    return Page(f"Reading {reading.id}, {known.book.rules.book.game}", body, way)


def reading_card(known: Known, reading: schema.Reading) -> Html:
    """A reading on the page of a clause that it touches."""
    name = link(reading_address(known.book.id, reading.id), f"Reading {reading.id}")
    return element("article", element("h3", name), _said(known, reading, "h4"), class_="card reading")


def _way(known: Known) -> tuple[tuple[str, str], ...]:
    return ("/rules", "Rules"), (book_address(known.book.id), known.book.rules.book.title)


def _said(known: Known, reading: schema.Reading, level: str) -> Html:
    """Chances are spoken of in reasons and edges alone, so that players read the rest as it is."""
    rows: list[tuple[Inside, Inside]] = [("Open", known.text(reading.question, reading.id))]
    rows += [("Taken", known.text(reading.taken, reading.id))]
    rows += [("Because", known.text(reading.reason, reading.id))] if known.full else []
    rows += [("Edge", reading.edge)] if known.full and reading.edge else []
    return joined(facts(rows), _rivals(known, reading, level))


def _rivals(known: Known, reading: schema.Reading, level: str) -> Html:
    if not reading.rivals:
        return Html()
    rows = []
    for rival in reading.rivals:
        cost = f" Edge: {rival.edge}." if known.full and rival.edge else ""
        rows.append((element("strong", rival.name), ": ", known.text(rival.reading, reading.id), cost))
    return joined(element(level, "Not taken"), items(rows))
