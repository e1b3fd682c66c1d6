"""The rule books of the house: which wagers there are, how each is picked, and what it pays."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import get
from litestar.params import PathParameter

from croupier import rulebooks
from croupier.rules.game import Game
from croupier.rules.paying import terms_text
from croupier.rules.schema import Wager
from croupier.rules.shelf import Shelf
from croupier.server.api.asks import ANYONE, Ask, premises_of
from croupier.server.api.errors import PROBLEMS
from croupier.server.problems import Problem

BookName = Annotated[str, PathParameter(max_length=40, description="A book by its id.")]


class BookTitle(msgspec.Struct, frozen=True):
    """A book by its id."""

    id: str
    title: str


class Offered(msgspec.Struct, frozen=True):
    """A wager that can be made: `pick` is one of `picks`, or left out where there are none."""

    id: str
    name: str
    clause: str
    picks: list[int | str | list[int]]
    pays: str


class BookShown(msgspec.Struct, frozen=True):
    """A book with its wagers."""

    id: str
    title: str
    wagers: list[Offered]


@get("/books", opt={"needs": ANYONE}, summary="All rule books", responses=PROBLEMS, tags=["books"])
async def books(request: Ask) -> list[BookTitle]:
    """The books that tables are opened with."""
    premises = premises_of(request)
    return await premises.reading(titles, premises.house.shelf)


@get("/books/{book:str}", opt={"needs": ANYONE}, summary="A rule book", responses=PROBLEMS, tags=["books"])
async def book(request: Ask, book: BookName) -> BookShown:
    """Its wagers, with what each pays by the pay table that a table has unless it was opened with another."""
    if book not in rulebooks.ids():
        raise Problem(404, "no_such_book", "There is no book of that id; GET /api/v1/books lists them.")
    premises = premises_of(request)
    return await premises.reading(shown, premises.house.shelf, book)


def titles(shelf: Shelf) -> list[BookTitle]:
    """Every book by its id."""
    return [BookTitle(book_id, shelf.book(book_id).rules.book.title) for book_id in rulebooks.ids()]


def shown(shelf: Shelf, book_id: str) -> BookShown:
    """What a book offers. How likely anything is, no house tells its players."""
    game = shelf.game(shelf.terms(book_id))
    rules = game.book.rules
    return BookShown(book_id, rules.book.title, [_offered(game, wager) for wager in rules.wagers])


def _offered(game: Game, wager: Wager) -> Offered:
    picks = [list(pick) if isinstance(pick, tuple) else pick for pick in wager.picks]
    return Offered(wager.id, wager.name, wager.clause, picks, _pays(game, wager))


def _pays(game: Game, wager: Wager) -> str:
    """`4, 10 at 2 to 1; …`, on which part of the stake, and what it costs beside the stake."""
    pays, cost = terms_text(game, wager), wager.commission
    return pays if cost is None else f"{pays}; with it goes a commission of {cost.rate} of the {cost.of}"


HANDLERS = [books, book]
