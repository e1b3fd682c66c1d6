"""The exact figures of every wager, pick and approved pay-table value of the five books under the readings."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from tests.brute import craps, sic_bo, snake_eyes, two_up
from tests.brute.lives import Figures, Life, Pick, figures
from tests.brute.snake_eyes import Displayed

BOOKS = (craps.BOOK, sic_bo.BOOK, two_up.BOOK, snake_eyes.NSW, snake_eyes.NZ)


class Row(NamedTuple):
    """One row of the analysis. The pick of a Craps Behind wager is the point.

    The pay table is "one" or "two" in snake-eyes-nsw-2019; in snake-eyes-nz it is the odds to 1 displayed for this
    wager, or the option of the Field; None where a book leaves no choice.
    """

    book: str
    wager: str
    pick: Pick
    pay_table: Displayed


def picks(book: str) -> dict[str, tuple[Pick, ...]]:
    """The wagers of a book with their picks."""
    known = {craps.BOOK: craps.PICKS, sic_bo.BOOK: sic_bo.PICKS, two_up.BOOK: two_up.PICKS}
    return known.get(book, snake_eyes.PICKS)


def rows() -> Iterator[Row]:
    """Every row of every book."""
    for book in BOOKS:
        for wager, choices in picks(book).items():
            for pick in choices:
                for pay_table in displayed(book, wager, pick):
                    yield Row(book, wager, pick, pay_table)


def displayed(book: str, wager: str, pick: Pick) -> tuple[Displayed, ...]:
    """The pay-table values that a book approves for a wager."""
    return snake_eyes.displays(book, wager, pick) if book in (snake_eyes.NSW, snake_eyes.NZ) else (None,)


def display_in_full(row: Row) -> object:
    """The pay table of a row as the `open` command of a table takes it."""
    if row.book != snake_eyes.NZ or row.pay_table is None:
        return row.pay_table
    return {"hardway": {str(row.pick): row.pay_table}} if row.wager == "hardway" else {row.wager: row.pay_table}


def life_of(row: Row) -> Life:
    """The life of a wager according to the text, while it is awake."""
    book, wager, pick, pay_table = row
    if book == craps.BOOK:
        return craps.life(wager, pick)
    if book == sic_bo.BOOK:
        return sic_bo.life(wager, pick)
    if book == two_up.BOOK:
        return two_up.life(wager, pick)
    return snake_eyes.life(book, wager, pick, pay_table)


def begun(row: Row) -> tuple[Life, dict[Any, Fraction]]:
    """The life of a wager under the adopted readings, and its possible first memories, each with its probability.

    Behind the Come belongs to a Come made right after a come out point, given that it has travelled to the number: it
    may be returned (CR-9). Decided together with the Come instead, it is the plain wager, `life_of(row)`.
    """
    if row.wager == "behind_come":
        assert isinstance(row.pick, int)
        return craps.behind_the_come(row.pick), dict(craps.pucks_behind(row.pick))
    life = life_of(row)
    return life, {life.start: Fraction(1)}


@cache
def figures_of_row(row: Row) -> Figures:
    """The figures of a row under the adopted readings."""
    return figures(*begun(row))


def figures_for(book: str, wager: str, pick: Pick = None, pay_table: Displayed = None) -> Figures:
    """The figures of one wager; without a pay table, with the first that the book permits."""
    chosen = displayed(book, wager, pick)[0] if pay_table is None else pay_table
    return figures_of_row(Row(book, wager, pick, chosen))
