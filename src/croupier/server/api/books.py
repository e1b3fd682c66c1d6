"""Endpoints for rule books: their wagers, picks and payouts, and every clause."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from croupier import rulebooks
from croupier.contract import replies
from croupier.contract.replies import BookTitle, Clause, ClauseRead, Offered, Reading
from croupier.rules import schema
from croupier.rules.book import Book
from croupier.rules.describing import terms_text, with_its_cost
from croupier.rules.game import Game
from croupier.rules.schema import Wager
from croupier.rules.shelf import Shelf
from croupier.server.api.requests import BookName
from croupier.server.endpoints import ANYONE, Request, get
from croupier.server.pages.clause_links import above, below, clause_address, every_clause, meant, readings_on
from croupier.server.problems import Problem

ClauseNumber = Annotated[str, Meta(max_length=200, description="The number of a clause, as it is cited.")]


@get("/books", needs=ANYONE, summary="All rule books", tags=("books",))
async def books(request: Request) -> list[BookTitle]:
    """The books that tables are opened with."""
    running_house = request.running_house
    return await running_house.reading(titles, running_house.house.shelf)


@get("/books/{book}", needs=ANYONE, summary="A rule book", tags=("books",))
async def book(request: Request, book: BookName) -> replies.Book:
    """Its wagers, with what each pays under the default pay table."""
    check_book(book)
    running_house = request.running_house
    return await running_house.reading(shown, running_house.house.shelf, book)


@get("/books/{book}/clauses", needs=ANYONE, summary="All clauses", tags=("books",))
async def clauses(request: Request, book: BookName) -> list[Clause]:
    """Every definition and every clause of a book, in the order of the document."""
    check_book(book)
    running_house = request.running_house
    return await running_house.reading(listed, running_house.house.shelf.book(book))


@get("/books/{book}/clauses/{clause}", needs=ANYONE, summary="A clause", tags=("books",))
async def clause(request: Request, book: BookName, clause: ClauseNumber) -> ClauseRead:
    """A clause as refusals and settlements cite it, or the nearest one if there is none with that number."""
    check_book(book)
    running_house = request.running_house
    found = await running_house.reading(clause_shown, running_house.house.shelf.book(book), clause)
    if found is None:
        raise Problem(404, "no_such_clause", "The book has no clause with that number; /clauses lists them.")
    return found


def check_book(book: str) -> None:
    """Raise Problem if there is no such book."""
    if book not in rulebooks.ids():
        raise Problem(404, "no_such_book", "There is no book with that id; GET /api/v1/books lists them.")


def titles(shelf: Shelf) -> list[BookTitle]:
    """List every book by its id."""
    books = [shelf.book(book_id) for book_id in rulebooks.ids()]
    return [
        BookTitle(book.id, book.rules.book.title, book.prizes is not None, book.lesson is not None) for book in books
    ]


def shown(shelf: Shelf, book_id: str) -> replies.Book:
    """Return what a book offers, without probabilities: a house does not publish them to its players."""
    game = shelf.game(shelf.terms(book_id))
    rules = game.book.rules
    return replies.Book(book_id, rules.book.title, [_offered(game, wager) for wager in rules.wagers])


def _offered(game: Game, wager: Wager) -> Offered:
    picks = [list(pick) if isinstance(pick, tuple) else pick for pick in wager.picks]
    return Offered(wager.id, wager.name, wager.clause, picks, with_its_cost(terms_text(game, wager), wager))


def listed(book: Book) -> list[Clause]:
    """List every clause of a book."""
    return [_clause(book, number, clause) for number, clause in every_clause(book).items()]


def clause_shown(book: Book, cited: str) -> ClauseRead | None:
    """Return the clause that a citation means. Reasons and edges of readings are withheld: they reveal chances."""
    number = meant(book, cited)
    if number is None:
        return None
    readings = [Reading(one.id, one.question, one.taken) for one in readings_on(book, number)]
    own = _clause(book, number, every_clause(book)[number])
    return ClauseRead(own, above(book, number), below(book, number), readings)


def _clause(book: Book, number: str, clause: schema.Clause) -> Clause:
    return Clause(
        clause=number,
        class_=clause.class_,
        summary=clause.summary,
        reason=clause.reason,
        moment=clause.moment,
        readings=clause.readings,
        page=clause_address(book.id, number),
    )


ENDPOINTS = [books, book, clauses, clause]
