"""The rules as pages, clause by clause, without scripts: their addresses and caches."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from msgspec import Meta

from croupier import rulebooks
from croupier.documents.markup import element, items, joined, link
from croupier.rules.shelf import Shelf
from croupier.server.endpoints import ANYONE, Request, Response, get, redirect
from croupier.server.pages.book_index import known
from croupier.server.pages.books import LONGEST_QUERY, book_page, books_page, wager_page
from croupier.server.pages.clause_links import book_address, clause_address, meant, reading_address
from croupier.server.pages.clauses import clause_page, reading_page, register_page
from croupier.server.pages.html import Page, framed, may_see_chances

Query = Annotated[str, Meta(description="Words to be found.")]
LONGEST_ECHO = 40


# Caches; the page of a clause has some ten thousand characters


@lru_cache(maxsize=4)
def _books(shelf: Shelf) -> Page:
    return books_page(shelf)


@lru_cache(maxsize=16)
def _book(shelf: Shelf, book: str, full: bool) -> Page:
    return book_page(known(shelf, book, full))


@lru_cache(maxsize=2048)
def _clause(shelf: Shelf, book: str, number: str, full: bool) -> Page:
    return clause_page(known(shelf, book, full), number)


@lru_cache(maxsize=256)
def _wager(shelf: Shelf, book: str, wager: str, full: bool) -> Page:
    about = known(shelf, book, full)
    return wager_page(about, about.book.wagers[wager])


@lru_cache(maxsize=512)
def _reading(shelf: Shelf, book: str, reading: str, full: bool) -> Page:
    about = known(shelf, book, full)
    return reading_page(about, next(one for one in about.book.readings if one.id == reading))


@lru_cache(maxsize=16)
def _register(shelf: Shelf, book: str, full: bool) -> Page:
    return register_page(known(shelf, book, full))


# Addresses


@get("/rules", needs=ANYONE, in_document=False)
async def all_books(request: Request) -> Response[str]:
    """Serve the list of books."""
    running_house = request.running_house
    return await framed(request, await running_house.reading(_books, running_house.house.shelf))


@get("/rules/{book}", needs=ANYONE, in_document=False)
async def one_book(request: Request, book: str, q: Query = "") -> Response[str]:
    """Serve a book, or the clauses that match a query."""
    running_house, staff = request.running_house, await may_see_chances(request)
    if book not in rulebooks.ids():
        return await framed(request, no_book(book))
    shelf, asked = running_house.house.shelf, q[:LONGEST_QUERY]
    if not asked.split():
        return await framed(request, await running_house.reading(_book, shelf, book, staff))
    return await framed(request, await running_house.reading(lambda: book_page(known(shelf, book, staff), asked)))


@get("/rules/{book}/readings", needs=ANYONE, in_document=False)
async def register(request: Request, book: str) -> Response[str]:
    """Serve the readings of a book."""
    running_house, staff = request.running_house, await may_see_chances(request)
    if book not in rulebooks.ids():
        return await framed(request, no_book(book))
    return await framed(request, await running_house.reading(_register, running_house.house.shelf, book, staff))


@get("/rules/{book}/readings/{reading}", needs=ANYONE, in_document=False)
async def one_reading(request: Request, book: str, reading: str) -> Response[Any]:
    """Serve a reading; redirect to the book that has it."""
    running_house, staff = request.running_house, await may_see_chances(request)
    if book not in rulebooks.ids():
        return await framed(request, no_book(book))
    shelf = running_house.house.shelf
    home, name = await running_house.reading(_home, shelf, book, reading)
    if home is None:
        return await framed(request, _nothing(shelf, book, "reading", reading))
    if (home, name) != (book, reading):
        return redirect(reading_address(home, name))
    return await framed(request, await running_house.reading(_reading, shelf, book, reading, staff))


def _home(shelf: Shelf, book: str, reading: str) -> tuple[str | None, str]:
    """Return the book that has a reading, this one first, and the reading's exact id."""
    for book_id in (book, *rulebooks.ids()):
        for one in shelf.book(book_id).readings:
            if one.id.lower() == reading.lower():
                return book_id, one.id
    return None, reading


@get("/rules/{book}/wagers/{wager}", needs=ANYONE, in_document=False)
async def one_wager(request: Request, book: str, wager: str) -> Response[str]:
    """Serve a wager."""
    running_house, staff = request.running_house, await may_see_chances(request)
    if book not in rulebooks.ids():
        return await framed(request, no_book(book))
    shelf = running_house.house.shelf
    if wager not in shelf.book(book).wagers:
        return await framed(request, _nothing(shelf, book, "wager", wager))
    return await framed(request, await running_house.reading(_wager, shelf, book, wager, staff))


@get("/rules/{book}/{clause}", needs=ANYONE, in_document=False)
async def one_clause(request: Request, book: str, clause: str) -> Response[Any]:
    """Serve a cited clause; redirect to the nearest one if there is no such limb or the citation names several."""
    running_house, staff = request.running_house, await may_see_chances(request)
    if book not in rulebooks.ids():
        return await framed(request, no_book(book))
    shelf = running_house.house.shelf
    if clause in shelf.book(book).sections:
        return redirect(f"{book_address(book)}#section-{clause}")
    number = await running_house.reading(meant, shelf.book(book), clause)
    if number is None:
        return await framed(request, _nothing(shelf, book, "clause", clause))
    if number != clause:
        return redirect(clause_address(book, number))
    return await framed(request, await running_house.reading(_clause, shelf, book, number, staff))


# Not found


def no_book(book: str) -> Page:
    """Build the page for an unknown book, which lists the known ones."""
    names = items(link(book_address(known_id), known_id) for known_id in rulebooks.ids())
    say = element("p", f"There is no book called {_echo(book)}. The books are:")
    return Page("No such book", joined(element("h1", "No such book"), say, names), (("/rules", "Rules"),), 404)


def _nothing(shelf: Shelf, book: str, what: str, name: str) -> Page:
    title = shelf.book(book).rules.book.title
    say = element("p", f"{title} has no {what} called {_echo(name)}.")
    more = element(
        "p", link(book_address(book), "All of its clauses"), ", its wagers and its readings are on its page."
    )
    way = (("/rules", "Rules"), (book_address(book), title))
    return Page(f"No such {what}", joined(element("h1", f"No such {what}"), say, more), way, 404)


def _echo(text: str) -> str:
    return f"“{text}”" if len(text) <= LONGEST_ECHO and text.isprintable() else "that"


ENDPOINTS = [all_books, one_book, register, one_reading, one_wager, one_clause]
