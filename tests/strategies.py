"""Builds the lists in docs/strategies.md from the books and from the files of the included strategies.

`python -m tests.strategies` writes them; a test checks that the page is up to date.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

from croupier.money import format_cents
from croupier.rules import schema
from croupier.rules.machine import show_pick
from croupier.simulation.reading.reader import Included, included, included_for, read_strategy
from tests.tables import BOOKS, SHELF

PAGE = Path(__file__).parent.parent / "docs" / "strategies.md"


def page() -> str:
    """The whole page, with its lists up to date."""
    text = PAGE.read_text(encoding="utf-8")
    for mark, listing in (("wagers", wagers()), ("included", strategies())):
        begin, end = f"<!-- {mark} -->\n", "<!-- end -->\n"
        before, found, rest = text.partition(begin)
        assert found, f"the page has a place for its list of {mark}"
        text = before + begin + listing + "\n" + end + rest.partition(end)[2]
    return text


def wagers() -> str:
    """The wagers of each book, by the names that strategies use."""
    tables = []
    for book_id in BOOKS:
        book = SHELF.book(book_id)
        rows = [f"| {wager.name} | `{wager.id}` | {_picks(wager)} |" for wager in book.rules.wagers]
        tables.append("\n".join([f"\n`{book_id}`\n", "| wager | in a strategy | picks |", "|---|---|---|", *rows, ""]))
    return "".join(tables)


def _picks(wager: schema.Wager) -> str:
    return "→" if wager.travels else ", ".join(f"`{show_pick(pick)}`" for pick in wager.picks)


def strategies() -> str:
    """Every included strategy once, under the first of its games."""
    sections: dict[str, list[str]] = {}
    listed: set[str] = set()
    for book_id in BOOKS:
        for one in included_for([book_id]):
            if one.id not in listed:
                listed.add(one.id)
                sections.setdefault(SHELF.book(book_id).rules.book.game, []).append(paragraph(one))
    assert listed == {one.id for one in included()}, "each is written for a book of the package"
    return "".join(f"\n### {game}\n\n" + "\n\n".join(paragraphs) + "\n" for game, paragraphs in sections.items())


def paragraph(one: Included) -> str:
    """A strategy's name, its games, and its own description."""
    game = SHELF.game(SHELF.terms(one.books[0]))
    unit = format_cents(read_strategy(one.text, one.file, game).unit)
    books = ", ".join(f"`{book_id}`" for book_id in one.books)
    text = f"**{one.name}** (`{one.id}`, for {books}, unit {unit}). {one.about}"
    return fill(text, 120, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
