"""The index of a book for its pages: clauses, their uses and proofs. Cached: a book never changes at run time."""

from __future__ import annotations

import re
from functools import lru_cache

from croupier.documents.markup import Inside, Markup, element, joined
from croupier.rules.shelf import Shelf
from croupier.server.pages.citations import Linking, every_clause
from croupier.server.pages.clause_uses import Standing, standing
from croupier.trace import TraceRow, trace_book

_BRACES = re.compile(r"\{(\w+)\}")


class Known:
    """A book with everything the pages say about it. `full` is for those who may see PAR sheets."""

    def __init__(self, shelf: Shelf, book_id: str, full: bool) -> None:
        self.shelf = shelf
        self.book = shelf.book(book_id)
        self.game = shelf.game(shelf.terms(book_id))
        self.full = full
        self.clauses = every_clause(self.book)
        self.standing: dict[str, Standing] = standing(self.book, self.game)
        self.trace: dict[str, TraceRow] = {row.clause: row for row in trace_book(shelf, book_id)}
        self._linking = Linking(shelf, self.book)

    def text(self, text: str, own: str | None = None) -> Markup:
        """Return a text of the rules or the register with its links."""
        return self._linking.text(text, own)


@lru_cache(maxsize=16)
def known(shelf: Shelf, book_id: str, full: bool) -> Known:
    """Return the index of a book."""
    return Known(shelf, book_id, full)


def with_blanks(text: str) -> Markup:
    """Mark the blanks of a sentence that are filled in at the table."""
    parts: list[Inside] = []
    for place, part in enumerate(_BRACES.split(text)):
        parts.append(element("var", part) if place % 2 else part)
    return joined(parts)
