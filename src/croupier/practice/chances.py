"""The chances of every wager of a book, exactly as `croupier analyse` gives them."""

from __future__ import annotations

from functools import lru_cache

from croupier.contract.replies import BookChances, Chance
from croupier.maths.rows import Analysis, FigureRow, fits, percent
from croupier.rules.game import Terms
from croupier.rules.shelf import Shelf

MOST_KEPT = 64  # books under a pay table


@lru_cache(maxsize=MOST_KEPT)
def chances_of(terms: Terms) -> BookChances:
    """Return a row for each wager and pick of a book under a pay table; under the readings taken."""
    shelf = Shelf()
    found: dict[tuple[str, str, str], Chance] = {}
    for row in Analysis(shelf, terms.book).rows():
        if row.taken and fits(row, dict(terms.choices)):
            found.setdefault((row.wager, str(row.pick), row.start), _chance(row))
    outcomes = shelf.book(terms.book).outcomes
    return BookChances(book=terms.book, ways=len(outcomes), rows=list(found.values()))


def _chance(row: FigureRow) -> Chance:
    made = row.figures
    return Chance(
        wager=row.wager,
        pick=row.pick,
        name=row.name,
        clause=row.clause,
        wins=percent(made.chance("win"), 2),
        loses=percent(made.chance("lose"), 2),
        returns=percent(made.chance("void"), 2),
        edge=percent(made.edge),
        throws=f"{float(made.rolls):.3f}",
        p_win=str(made.chance("win")),
        p_lose=str(made.chance("lose")),
        p_void=str(made.chance("void")),
        exact_edge=str(made.edge),
    )
