"""The available rule books: the package's and the user's own. Each is read once; user books are checked on reading."""

from __future__ import annotations

from pathlib import Path

from croupier.rules.book import Book
from croupier.rules.errors import RuleBookError
from croupier.rules.game import Game, Terms, choose
from croupier.rules.loading import RULES_FILES, Source, find_source


class Shelf:
    """The available books. Loads each once and caches what it compiles."""

    def __init__(self, paths: tuple[Path, ...] = ()) -> None:
        self.extra: dict[str, Path] = {}
        self._sources: dict[str, Source] = {}
        self._books: dict[tuple[str, tuple[str, ...]], Book] = {}
        self._games: dict[Terms, Game] = {}
        self._games_of_tables: dict[tuple[Terms, ...], list[Game]] = {}
        for path in paths:
            self.add(path)

    def add(self, path: Path) -> str:
        """Put one of the user's books on the shelf and return its id."""
        try:
            if not path.exists():
                raise RuleBookError(str(path), "", "there is no such file or folder")
            source = Source(path)
            identity = source.tree(*RULES_FILES).get("book")
        except OSError as error:
            raise RuleBookError(str(path), "", f"cannot be read ({error.strerror})") from None
        book_id = identity.get("id") if isinstance(identity, dict) else None
        if not isinstance(book_id, str):
            raise RuleBookError(str(path), "book.id", "the book does not say its id")
        self.extra[book_id] = path
        self._sources.pop(book_id, None)
        return book_id

    def book(self, book_id: str, readings: tuple[str, ...] = ()) -> Book:
        """Return a book by its id. Raises UnknownBook."""
        key = (book_id, readings)
        if key not in self._books:
            source = self._sources.get(book_id) or self._sources.setdefault(book_id, find_source(book_id, self.extra))
            book = Book(source, self.extra, readings)
            if book_id in self.extra and not readings:  # a rival reading can leave parts of the book unused
                from croupier.rules.checking import check_book  # the package's own books are checked by its tests

                check_book(book)
            self._books[key] = book
        return self._books[key]

    def game(self, terms: Terms) -> Game:
        """Return the game for wagers under these terms."""
        game = self._games.get(terms)
        if game is None:
            game = self._games[terms] = Game(self.book(terms.book, terms.readings), dict(terms.choices))
        return game

    def games(self, terms: tuple[Terms, ...]) -> list[Game]:
        """Return the games for all terms that a table has had, in order."""
        games = self._games_of_tables.get(terms)
        if games is None:
            games = self._games_of_tables[terms] = [self.game(each) for each in terms]
        return games

    def terms(self, book_id: str, pay_table: object = None, readings: tuple[str, ...] = ()) -> Terms:
        """Return the terms for a pay table as the protocol names it: none, an option, or an object of choices."""
        book = self.book(book_id, readings)
        chosen = choose(book.rules.pay_table, pay_table)
        return Terms(book=book_id, choices=tuple(chosen.items()), readings=readings)
