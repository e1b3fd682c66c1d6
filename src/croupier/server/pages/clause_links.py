"""Clause numbers: their page addresses, resolving a citation to a clause, and links in running text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from urllib.parse import quote

from croupier import rulebooks
from croupier.documents.markup import Inside, Markup, joined, link, listed
from croupier.rules import schema
from croupier.rules.book import Book, definition_number
from croupier.rules.shelf import Shelf

LONGEST_CITATION = 200
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"'})
_CALLED = re.compile(r"^(?:clauses?|rules?|cl\.?|r\.|s\.?|§)\s+(?=[\d\"])", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:[,;&+–]|\band\b|\bor\b|\bto\b)\s*")
_LAST_LIMB = re.compile(r"(?:\.[^.()\s]*|\s*\([^()]*\)?|\s+[^\s]+)$")
# A clause in running text. Odds and multiples look alike: `7.5 to 1`, `2.4 times`.
_NAMED = re.compile(
    r"(?<![\w.$%|/+])(?P<clause>\d+\.\d+(?:\.\d+)*(?:\([a-z]+\))*)(?![\w%|]|\.\d| times| x | to 1\b(?!\.\d))"
    r"|\b(?P<reading>[A-Z]{1,2}-\d+)\b"
)


def book_address(book_id: str) -> str:
    """Return the address of a book's page."""
    return f"/rules/{quote(book_id, safe='')}"


def clause_address(book_id: str, clause: str) -> str:
    """Return the address of a clause's page."""
    return f"{book_address(book_id)}/{quote(clause, safe='()')}"


def wager_address(book_id: str, wager_id: str) -> str:
    """Return the address of a wager's page."""
    return f"{book_address(book_id)}/wagers/{quote(wager_id, safe='')}"


def reading_address(book_id: str, reading_id: str) -> str:
    """Return the address of a reading's page."""
    return f"{book_address(book_id)}/readings/{quote(reading_id, safe='')}"


def clause_link(book: Book, clause: str) -> Markup:
    """Link a clause by its number."""
    return link(clause_address(book.id, clause), clause, class_="clause")


def clause_links(book: Book, clauses: list[str]) -> Markup:
    """Link clauses by their numbers, each once."""
    return listed(clause_link(book, clause) for clause in dict.fromkeys(clauses))


# Resolving citations


@lru_cache(maxsize=32)
def every_clause(book: Book) -> Mapping[str, schema.Clause]:
    """Return clauses and definitions by number, in the order of the document: definitions come first."""
    return {**{definition_number(word): clause for word, clause in book.definitions.items()}, **book.clauses}


@lru_cache(maxsize=4096)
def meant(book: Book, cited: str) -> str | None:
    """Return the clause that a citation means, or the nearest one: its parent, else its first part."""
    said = " ".join(cited[:LONGEST_CITATION].translate(_QUOTES).split())
    for name in book.lineage:
        said = said.removeprefix(f"{name} ")
    exact = _exact(book, said)
    if exact is not None:
        return exact
    return next((found for part in _parts(said) if (found := _nearest(book, part))), None)


def _parts(said: str) -> Iterator[str]:
    """Split a citation that may name several clauses."""
    yield from filter(None, _BETWEEN.split(_CALLED.sub("", said)))


def _exact(book: Book, said: str) -> str | None:
    known = every_clause(book)
    if said in known:
        return said
    by_name = {number.lower(): number for number in known}
    by_name |= {word.lower(): definition_number(word) for word in book.definitions}
    return by_name.get(said.lower().strip('"')) or by_name.get(said.lower())


def _nearest(book: Book, said: str) -> str | None:
    """Find a clause by dropping the last limbs of a number, but not down to a bare section number."""
    rest = said.rstrip(". ")
    while rest:
        found = _exact(book, rest) or _first_part(book, rest)
        if found is not None:
            return found
        shorter = _LAST_LIMB.sub("", rest)
        if shorter == rest or shorter.isdecimal():
            return None
        rest = shorter
    return None


def _first_part(book: Book, number: str) -> str | None:
    """Return the first limb of a number that has no text of its own."""
    if not number[:1].isdecimal():
        return None
    limbs = (f"{number}.", f"{number}(")
    return next((known for known in book.clauses if known.startswith(limbs)), None)


def above(book: Book, clause: str) -> str | None:
    """Return the parent of a clause."""
    if '"' in clause:
        return clause.partition(" ")[0] if clause.partition(" ")[0] in book.clauses else None
    rest = _LAST_LIMB.sub("", clause)
    while rest != clause and rest:
        if rest in book.clauses:
            return rest
        clause, rest = rest, _LAST_LIMB.sub("", rest)
    return None


def below(book: Book, clause: str) -> list[str]:
    """Return the limbs of a clause."""
    return _limbs(book).get(clause, [])


@lru_cache(maxsize=32)
def _limbs(book: Book) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for number in every_clause(book):
        up = above(book, number)
        if up is not None:
            found.setdefault(up, []).append(number)
    return found


def section_of(clause: str) -> str:
    """Return the number of a clause's section."""
    return re.split(r"[.(\s]", clause, maxsplit=1)[0]


# Readings


def readings_on(book: Book, clause: str) -> list[schema.Reading]:
    """List the readings that concern a clause: those it names, and those that name it."""
    named = every_clause(book)[clause].readings
    return [item for item in book.readings if item.id in named or clause in clauses_read(book, item)]


def clauses_read(book: Book, reading: schema.Reading) -> list[str]:
    """List the clauses of this book that a reading is about."""
    return _read(book)[reading.id]


@lru_cache(maxsize=32)
def _read(book: Book) -> dict[str, list[str]]:
    others = set(rulebooks.ids()) - set(book.lineage)
    return {one.id: list(_cited(book, one, others)) for one in book.readings}


def _cited(book: Book, reading: schema.Reading, others: set[str]) -> Iterator[str]:
    """Yield the cited clauses of this book. A reading shared by several books puts the book's name first."""
    for cited in reading.clauses:
        first, _, rest = cited.partition(" ")
        number = rest if first in book.lineage else cited
        if first not in others and number in every_clause(book):
            yield number


# Links in running text


class Linking:
    """Links the clauses and readings that a text of a book names."""

    def __init__(self, shelf: Shelf, book: Book) -> None:
        self._book = book
        books = [book, *(shelf.book(book_id) for book_id in rulebooks.ids() if book_id != book.id)]
        self._homes = {item.id: known.id for known in reversed(books) for item in known.readings}

    def text(self, text: str, own: str | None = None) -> Markup:
        """Return a text with its links; `own` is the clause or reading it belongs to."""
        is_pay_table = own == self._book.rules.pay_table.clause  # its numbers are odds
        parts: list[Inside] = []
        done = 0
        for found in () if is_pay_table else _NAMED.finditer(text):
            address = self._address(found, own)
            if address is not None:
                parts += [text[done : found.start()], link(address, found[0])]
                done = found.end()
        return joined(parts, text[done:])

    def _address(self, found: re.Match[str], own: str | None) -> str | None:
        clause, reading = found["clause"], found["reading"]
        if clause is not None:
            return clause_address(self._book.id, clause) if clause in self._book.clauses and clause != own else None
        home = self._homes.get(reading)
        return reading_address(home, reading) if home is not None and reading != own else None
