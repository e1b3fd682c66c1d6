"""`croupier strategies`: lists the included strategies, explains one in plain sentences, checks a file of one's own."""

from __future__ import annotations

import argparse
import sys

import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from croupier import rulebooks
from croupier.rules.shelf import Shelf
from croupier.sim.reading.files import Included, StrategyError, find_text, included_for, problems, read_strategy
from croupier.sim.reading.lines import Lines
from croupier.sim.reading.reader import parse
from croupier.sim.reading.shapes import nearest, quoted

WRONG = 1  # the exit status for a file with mistakes

EXAMPLES = """examples:
  croupier strategies
  croupier strategies craps-nsw-2024
  croupier strategies iron-cross
  croupier strategies my-own.toml
"""


def add_strategies(command: argparse.ArgumentParser) -> None:
    """What may be typed after `croupier strategies`."""
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.epilog = EXAMPLES
    add = command.add_argument
    add(
        "what", metavar="BOOK|NAME|FILE", nargs="?",
        help="a book: its strategies and what they are about; the name of a strategy: its rules in plain sentences; a "
        "file of your own (.toml): everything that is wrong with it, or its rules; left out: the names of all that are "
        "included",
    )  # fmt: skip
    add(
        "--book", metavar="BOOK",
        help="explain or check it for this book only (it is checked for all that it is written for, and explained for "
        "the first of them)",
    )  # fmt: skip
    add("--json", action="store_true", help="print the same as JSON, for other programs")


def show_strategies(shelf: Shelf, given: argparse.Namespace) -> int:
    """List, explain or check; the result is the exit status. Raises Impossible."""
    books = [*rulebooks.ids(), *shelf.extra]
    if given.what is None or given.what in books:
        return _list(shelf, books if given.what is None else [given.what], given.json)
    text, file = find_text(given.what)
    named, wrong = _checked(shelf, books, text, file, given.book)
    if wrong:
        return _tell_problems(wrong, file, given.json)
    from croupier.cli.simulation.explaining import Explained  # it loads the kernels, and takes a while

    game = shelf.game(shelf.terms(given.book or named[0]))
    explained = Explained(given.what, named, game, read_strategy(text, file, game))
    if given.json:
        _print(explained.plain())
    else:
        explained.show(Console(highlight=False))
    return 0


def _print(value: object) -> None:
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


# -- a list -----------------------------------------------------------------------------------------------------------


def _list(shelf: Shelf, books: list[str], as_json: bool) -> int:
    """The included strategies of some books: all by their names, those of one book with what they are about."""
    found = {book: included_for(shelf.book(book).lineage) for book in books}
    if as_json:
        once = {one.id: one for strategies in found.values() for one in strategies}
        _print([{name: getattr(one, name) for name in ("id", "name", "about", "books")} for one in once.values()])
        return 0
    console = Console(highlight=False)
    for place, (book, strategies) in enumerate(found.items()):
        if place:
            console.print()
        console.print(Text.assemble((book, "bold"), "  ", (shelf.book(book).rules.book.title, "dim")))
        if len(books) > 1:
            _list_names(console, strategies)
        for one in strategies if len(books) == 1 else []:
            console.print(Text.assemble("\n", (one.id, "bold"), f"  {one.name}"))
            console.print(Padding(Text(one.about), (0, 0, 0, 4), expand=False))
        if not strategies:
            console.print("  none is included")
    return 0


def _list_names(console: Console, strategies: list[Included]) -> None:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    for one in strategies:
        table.add_row(Text(f"  {one.id}"), Text(one.name))
    console.print(table)


# -- a check ----------------------------------------------------------------------------------------------------------


def _checked(
    shelf: Shelf, books: list[str], text: str, file: str, asked: str | None
) -> tuple[list[str], list[StrategyError]]:
    """The books that a strategy is read for, and everything that is wrong with it for any of them."""
    try:
        value = parse(text.removeprefix("\ufeff"), file).get("book")
    except StrategyError as error:
        return [], [error]
    named = [value] if isinstance(value, str) else value
    if not isinstance(named, list) or not named or not all(isinstance(book, str) for book in named):
        # Without a book nothing else can be judged: only what is wrong about that is told.
        found = problems(text, file, shelf.game(shelf.terms(asked or books[0])))
        return [], [error for error in found if error.reason.startswith("book ")] or found
    wrong = []
    for book in named if asked is None else [asked]:
        if asked is None and book not in books:
            reason = f"there is no book {quoted(book)}; {nearest(book, books)}"
            wrong.append(StrategyError(file, Lines(text).at("book"), reason))
        else:
            wrong += problems(text, file, shelf.game(shelf.terms(book)))
    return named, sorted({str(error): error for error in wrong}.values(), key=lambda error: error.line or 0)


def _tell_problems(wrong: list[StrategyError], file: str, as_json: bool) -> int:
    if as_json:
        told = [{"line": error.line, "reason": error.reason, "clause": error.clause} for error in wrong]
        _print({"file": file, "problems": told})
    else:
        for error in wrong:
            print("".join(mark if mark.isprintable() else "?" for mark in _with_clause(error)))
    return WRONG


def _with_clause(error: StrategyError) -> str:
    return f"{error} ({error.clause})" if error.clause else str(error)
