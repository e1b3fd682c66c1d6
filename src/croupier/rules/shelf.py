"""The available rule books: the package's and the user's own. Each is read once; user books are checked on reading.

`with_copy` puts a changed copy in place of a book, without touching the original.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

from croupier.rules import schema
from croupier.rules.book import Book
from croupier.rules.errors import PayTableError, RuleBookError
from croupier.rules.game import Game, Terms, choose
from croupier.rules.loading import RULES_FILES, Source, Tree, find_source, overlay
from croupier.rules.outcomes import parse_odds

Sets = Mapping[str, list[int | str]]


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
            raise RuleBookError(str(path), "book.id", "the book has no id")
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


# -- a changed copy of a book, in memory: rival readings, other odds, other sets -------------------------------------


class Copy(Source):
    """The files of a book with a change laid over their rules. The files are only read."""

    def __init__(self, source: Source, change: Tree) -> None:
        super().__init__(source.path)
        self.change = change

    def tree(self, *file_names: str) -> Tree:
        """Return the contents of the files; the change applies to the rules files only."""
        tree = super().tree(*file_names)
        return overlay(tree, self.change) if file_names == RULES_FILES else tree


class ShelfWithCopy(Shelf):
    """The books of another shelf, with a copy in place of one of them."""

    def __init__(self, shelf: Shelf, book_id: str, change: Tree) -> None:
        super().__init__()
        self.extra = shelf.extra
        self.copied = book_id
        self.copy = Book(Copy(find_source(book_id, shelf.extra), change), shelf.extra)

    def book(self, book_id: str, readings: tuple[str, ...] = ()) -> Book:
        """Return the copy under the id of its original, and every other book unchanged. Raises UnknownBook."""
        if book_id != self.copied:
            return super().book(book_id, readings)
        return Book(self.copy.source, self.extra, readings) if readings else self.copy


def with_copy(
    shelf: Shelf,
    book_id: str,
    readings: tuple[str, ...] = (),
    odds: Mapping[str, str] | None = None,
    sets: Sets | None = None,
) -> Shelf:
    """Return a shelf with a copy in place of a book: rival readings first, then odds by line and sets by name.

    Raises RuleBookError if the copy is inconsistent, PayTableError for an unknown line.
    """
    plain = shelf.book(book_id)
    change: Tree = {}
    for reading in readings:
        change = overlay(change, plain.rival(reading))
    read = ShelfWithCopy(shelf, book_id, change).copy
    for line, text in (odds or {}).items():
        change = overlay(change, other_odds(read, line, text))
    for name, members in (sets or {}).items():
        change = overlay(change, other_set(read, name, members))
    made = ShelfWithCopy(shelf, book_id, change)
    try:
        check_copy(made.copy)
    except RuleBookError as error:
        hint = missed_set(made.copy, read.rules.sets)
        raise RuleBookError(f"{book_id} as changed", error.where, error.reason + hint) from None
    return made


def other_odds(book: Book, line: str, text: str) -> Tree:
    """Return the change that gives a pay table line other odds, in every approved column that has the line."""
    table = book.rules.pay_table
    choices = [choice for choice in table.choices if line in choice.options[choice.default]]
    if line not in table.lines and not choices:
        raise PayTableError(f'The pay table has no line "{line}"; {_lines_like(table, line)}.', table.clause)
    try:
        parse_odds(text)
    except ValueError as reason:
        raise PayTableError(f"{line}: {reason}.", table.clause) from None
    if not choices:
        return {"pay_table": {"lines": {line: text}}}
    options = [{"key": each.key, "options": {name: {line: text} for name in each.options}} for each in choices]
    return {"pay_table": {"choices": options}}


def _lines_like(table: schema.PayTable, line: str) -> str:
    lines = [*table.lines, *(line for choice in table.choices for line in choice.options[choice.default])]
    near = get_close_matches(line, lines, n=4)
    return f"closest match: {', '.join(near)}" if near else f"its lines are {', '.join(lines)}"


def other_set(book: Book, name: str, members: list[int | str]) -> Tree:
    """Return the change that gives a top-level set of the book other members."""
    sets = book.rules.sets
    if name not in sets:
        known = ", ".join(sets)
        reason = f'there is no set "{name}"; ' + (f"there are {known}" if known else "the book has no sets")
        raise RuleBookError(book.id, "sets", reason)
    if not members:
        raise RuleBookError(book.id, "sets", f'the set "{name}" would be empty, and its rows could never happen')
    return {"sets": {name: members}}


def check_copy(book: Book) -> None:
    """Compile everything. Raises RuleBookError. Unused pay table lines are allowed, since this is only a copy."""
    game = Game(book, choose(book.rules.pay_table, None))
    _ = book.phase_machines  # compiles them: the property is lazy
    list(game.machines())
    for wager in book.rules.wagers:
        if wager.flat is not None:
            _check_behind(game, wager, game.wager(wager.flat))


def _check_behind(game: Game, wager: schema.Wager, flat: schema.Wager) -> None:
    """Refuse a wager behind another that begins in a state the other one never reaches: it could never be made."""
    reached = {state for pick in game.book.picks(flat) for state in game.machine(flat.id, pick).table}
    for pick in game.book.picks(wager):
        for start in game.machine(wager.id, pick).starts:
            if start not in reached:
                reason = f'begins in the state "{start}", which {flat.id} never reaches'
                raise RuleBookError(game.book.file, f"wager {wager.id}", reason)


def missed_set(book: Book, before: Sets) -> str:
    """Hint at a common slip when changing one set: a number that is now in two sets, or in none."""
    after = book.rules.sets
    for wager in book.rules.wagers:
        names = [name for name in after if _uses(wager, name)]
        then, now = (Counter(member for name in names for member in sets[name]) for sets in (before, after))
        found = [
            f"{member} is now in both {' and '.join(name for name in names if member in after[name])}"
            for member in now
            if now[member] > 1 >= then[member]
        ]
        found += [f"{member} is now in none of them" for member in then if not now[member]]
        if found and len(names) > 1:
            told = f"; {wager.name} ({wager.clause}) uses {', '.join(names)}: {', '.join(found)}"
            return f"{told}; change another of these sets as well"
    return ""


def _uses(wager: schema.Wager, name: str) -> bool:
    return name not in wager.sets and any(f"{{{name}}}" in row.on or name in row.each.values() for row in wager.rows)
