"""The pages of a clause and of its readings: text, class, uses, readings and proofs."""

from __future__ import annotations

from croupier.documents.markup import Inside, Markup, element, facts, items, joined, link, table
from croupier.rules import schema
from croupier.server.pages.book_index import CLASSES, Decided, Known, Uses, badge, with_blanks
from croupier.server.pages.books import pay_table
from croupier.server.pages.clause_links import (
    above,
    below,
    book_address,
    clause_address,
    clause_link,
    clause_links,
    clauses_read,
    reading_address,
    readings_on,
    section_of,
)
from croupier.server.pages.html import Page


def clause_page(known: Known, number: str) -> Page:
    """Build the page of one clause."""
    body = joined(
        element("h1", heading(number)),
        said(known, number),
        _parts(known, number),
        _uses(known, known.uses.get(number, Uses())),
        _readings(known, number),
        _proofs(known, number),
        _neighbours(known, number),
    )
    return Page(f"{heading(number)}, {known.book.rules.book.game}", body, way(known, number))


def heading(number: str) -> str:
    """Return the heading of a clause."""
    return f"Definition {number}" if '"' in number else f"Clause {number}"


def way(known: Known, number: str) -> tuple[tuple[str, str], ...]:
    """Return the breadcrumbs of a clause."""
    book = known.book
    section, steps, up = section_of(number), [], above(book, number)
    while up is not None:
        steps.append((clause_address(book.id, up), up))
        up = above(book, up)
    top = f"{section}. {book.sections[section]}" if section in book.sections else section
    within = (f"{book_address(book.id)}#section-{section}", top)
    return (("/rules", "Rules"), (book_address(book.id), book.rules.book.title), within, *reversed(steps))


def said(known: Known, number: str) -> Markup:
    """Return a clause's summary in our own words, and its class."""
    clause = known.clauses[number]
    rows: list[tuple[Inside, Inside]] = [("Class", (badge(clause), " ", CLASSES[clause.class_]))]
    rows += [("Why", known.text(clause.reason))] if clause.reason else []
    rows += [("When", clause.moment)] if clause.moment else []
    return joined(element("p", known.text(clause.summary, number), class_="summary"), facts(rows))


def clause_lines(known: Known, numbers: list[str]) -> Markup:
    """List clauses with their summaries."""
    rows = [
        (clause_link(known.book, number), " ", known.text(known.clauses[number].summary, number)) for number in numbers
    ]
    return items(rows, class_="clauses")


def _parts(known: Known, number: str) -> Markup:
    limbs = below(known.book, number)
    return joined(element("h2", "Its parts"), clause_lines(known, limbs)) if limbs else Markup()


# Uses


def _uses(known: Known, found: Uses) -> Markup:
    parts: list[Inside] = []
    if found.rows:
        parts += [element("h2", "What it decides"), decided_table(known, found.rows)]
    if found.pays:
        parts += [element("h2", "The pay table"), pay_table(known)]
    if found.refusals:
        rows = [(element("code", one.code), with_blanks(one.say), with_blanks(one.what)) for one in found.refusals]
        label = "Refusals that cite it"
        parts += [element("h2", label), table(("Code", "What is said", "Of what"), rows, label)]
    if found.acts:
        label = "What people do under it"
        done = [(element("code", one.act), with_blanks(one.says), one.by) for one in found.acts]
        parts += [element("h2", label), table(("Act", "In words", "By"), done, label)]
    if found.notes:
        lines = [text if address is None else link(address, text) for text, address in found.notes]
        parts += [element("h2", "Other uses"), items(map(_line, lines))]
    return joined(parts)


def _line(one: Inside) -> Inside:
    return with_blanks(one) if isinstance(one, str) and not isinstance(one, Markup) else one


def decided_table(known: Known, rows: list[Decided]) -> Markup:
    """Tabulate rows of wagers and phases in words, each with its wager."""
    cells = [
        (
            one.name if one.address is None else link(one.address, one.name),
            one.row.state or "–",
            (one.row.on, _where(one.row.where)),
            one.row.then,
        )
        for one in rows
    ]
    return table(("Of", "While", "On", "It"), cells, "What it decides")


def _where(where: str) -> Inside:
    return element("small", where) if where else None


# Readings and proofs


def _readings(known: Known, number: str) -> Markup:
    found, named = readings_on(known.book, number), known.clauses[number].readings
    if not found and not named:
        return Markup()
    elsewhere = [name for name in named if name not in {one.id for one in found}]
    more = element("p", "Read as in another book: ", known.text(", ".join(elsewhere))) if elsewhere else None
    return joined(element("h2", "How it is read"), [reading_card(known, reading) for reading in found], more)


def _proofs(known: Known, number: str) -> Markup:
    """Return scenarios, tests and code, folded: mostly inspectors want them."""
    row = known.trace[number]
    kinds = (("What proves it", row.tests), ("What in the software acts on it", row.code))
    found = [(name, names) for name, names in kinds if names]
    if not found:
        return Markup()
    folds = [
        element("details", element("summary", f"{name} ({len(names)})"), items(map(_proof, names), class_="proofs"))
        for name, names in found
    ]
    return joined(element("h2", "Proof"), folds)


def _proof(name: str) -> str:
    """Word `tests/test_x.py::test_a_thing` as `a thing (tests/test_x.py)`."""
    file, _, test = name.partition("::")
    return f"{test.removeprefix('test_').replace('_', ' ')} ({file})" if test else name


def _neighbours(known: Known, number: str) -> Markup:
    numbers = list(known.clauses)
    place = numbers.index(number)
    steps: list[Inside] = []
    if place > 0:
        before = numbers[place - 1]
        steps.append(link(clause_address(known.book.id, before), f"← {before}", rel="prev", class_="button"))
    if place + 1 < len(numbers):
        after = numbers[place + 1]
        steps.append(link(clause_address(known.book.id, after), f"{after} →", rel="next", class_="button"))
    return element("nav", steps, class_="row spread steps", aria_label="Clauses before and after")


# The register of readings: how ambiguous clauses are read, and the readings not taken

TAGS = {"MONEY": "affects money", "STATE": "affects the course of the game", "TEXT": "is about the text"}
LEFT_OUT = "Only people who may see PAR sheets see the reasons and what each reading is worth."


def register_page(known: Known) -> Page:
    """Build the page of all readings of a book."""
    rows = [
        (link(reading_address(known.book.id, one.id), one.id, class_="clause"), " ", known.text(one.question, one.id))
        for one in known.book.readings
    ]
    about = "Where the document is ambiguous, misprinted or silent, one reading is taken and registered here."
    body = joined(element("h1", "Readings"), element("p", about), items(rows, class_="clauses"))
    return Page(f"Readings, {known.book.rules.book.game}", body, _way(known))


def reading_page(known: Known, reading: schema.Reading) -> Page:
    """Build the page of one reading with its rivals."""
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


def reading_card(known: Known, reading: schema.Reading) -> Markup:
    """Return a reading as a card on the page of a clause that it concerns."""
    name = link(reading_address(known.book.id, reading.id), f"Reading {reading.id}")
    return element("article", element("h3", name), _said(known, reading, "h4"), class_="card reading")


def _way(known: Known) -> tuple[tuple[str, str], ...]:
    return ("/rules", "Rules"), (book_address(known.book.id), known.book.rules.book.title)


def _said(known: Known, reading: schema.Reading, level: str) -> Markup:
    """Return a reading's text. Only reasons and edges mention chances; without `full` they are left out."""
    rows: list[tuple[Inside, Inside]] = [("Open", known.text(reading.question, reading.id))]
    rows += [("Taken", known.text(reading.taken, reading.id))]
    rows += [("Because", known.text(reading.reason, reading.id))] if known.full else []
    rows += [("Edge", reading.edge)] if known.full and reading.edge else []
    return joined(facts(rows), _rivals(known, reading, level))


def _rivals(known: Known, reading: schema.Reading, level: str) -> Markup:
    if not reading.rivals:
        return Markup()
    rows = []
    for rival in reading.rivals:
        cost = f" Edge: {rival.edge}." if known.full and rival.edge else ""
        rows.append((element("strong", rival.name), ": ", known.text(rival.reading, reading.id), cost))
    return joined(element(level, "Not taken"), items(rows))
