"""The readings of a PAR sheet: how doubtful clauses about money are read, and what each rival would be worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from croupier import rulebooks
from croupier.maths.rows import Row
from croupier.rules import schema
from croupier.rules.book import Book
from croupier.rules.compiling import pick_words
from croupier.rules.shelf import Shelf
from croupier.sheets.document import Cell, Column, Facts, Group, Table
from croupier.sheets.wording import is_long, listed, signed, signed_percent

MANY_WAGERS = 6
FEW = 4

_COLUMNS = (
    Column("Rival", "left", 5),
    Column("Wager", "left", 2),
    Column("Worth to the player", "left", 3),
    Column("up to", "left", 3),
)


def reading_groups(shelf: Shelf, book: Book, rows: Sequence[Row]) -> list[Group]:
    """Every reading that touches money, in the order of the register, with its rivals as the rows compute them."""
    rivals = [row for row in rows if not row.taken]
    computed = dict.fromkeys(reading_id(row) for row in rivals if row.cost)
    own = {reading.id: reading for reading in book.readings if "MONEY" in reading.tags or reading.id in computed}
    asides = {id_: f"clauses {', '.join(_cited(book, reading))}" for id_, reading in own.items()}
    for id_ in computed:
        if id_ not in own:
            home, own[id_] = _found(shelf, id_)
            asides[id_] = f"registered with {home}"
    return [_group(own[id_], asides[id_], [row for row in rivals if reading_id(row) == id_]) for id_ in own]


def reading_id(row: Row) -> str:
    """The reading that a row is about: `SB-8` of the rival `SB-8 letter`."""
    return (row.reading or "").split(" ")[0]


def _found(shelf: Shelf, id_: str) -> tuple[str, schema.Reading]:
    """A reading that another book registers and this one shares, and that book's id."""
    every = ((book_id, reading) for book_id in rulebooks.ids() for reading in shelf.book(book_id).readings)
    return next((book_id, reading) for book_id, reading in every if reading.id == id_)


def _cited(book: Book, reading: schema.Reading) -> Iterator[str]:
    """The clauses of this book that a reading is about; readings common to several books name the book first."""
    for cited in reading.clauses:
        first, _, rest = cited.partition(" ")
        if first in book.lineage:
            yield rest
        elif first not in rulebooks.ids():
            yield cited


def _group(reading: schema.Reading, aside: str, rows: Sequence[Row]) -> Group:
    facts = [("Question", (reading.question,)), ("Taken", (reading.taken,))]
    if reading.edge:
        facts.append(("Edge as taken", (reading.edge,)))
    named = {rival.name: rival for rival in reading.rivals}
    lines: list[tuple[Cell, ...]] = []
    for name in dict.fromkeys([*named, *(rival_name(row) for row in rows)]):
        lines += _rival(name, named.get(name), [row for row in rows if rival_name(row) == name])
    parts: list[Facts | Table] = [Facts(tuple(facts))]
    if lines:
        parts.append(Table(_COLUMNS, tuple(lines)))
    return Group(reading.id, aside, tuple(parts))


def rival_name(row: Row) -> str:
    """The name of the rival: `letter` of `SB-8 letter`."""
    return (row.reading or "").partition(" ")[2]


def _rival(name: str, rival: schema.Rival | None, rows: Sequence[Row]) -> Iterator[tuple[Cell, ...]]:
    """A line for each wager that the rival changes; where it changes many, one for all of them."""
    said = Cell(name, rival.reading if rival else "")
    if not rows:
        edge = rival.edge if rival and rival.edge else "not computed"
        yield said, Cell("–"), Cell(edge), Cell("")
        return
    by_wager: dict[str, list[Row]] = {}
    for row in rows:
        by_wager.setdefault(row.name, []).append(row)
    if len(by_wager) > MANY_WAGERS:
        yield said, Cell(f"{len(by_wager)} wagers"), *_range(rows, with_name=True)
        return
    for wager, members in by_wager.items():
        yield said, Cell(wager), *_range(members, with_name=False)
        said = Cell(name)


def _range(rows: Sequence[Row], with_name: bool) -> tuple[Cell, Cell]:
    """The least and the most that a rival is worth to the player, and where; the second is empty if they are equal."""
    least, most = min(row.cost for row in rows), max(row.cost for row in rows)
    return _worth(least, rows, with_name), Cell("") if least == most else _worth(most, rows, with_name)


def _worth(cost: Fraction, rows: Sequence[Row], with_name: bool) -> Cell:
    """What a rival is worth, and on which wagers or picks, under which pay-table values and when."""
    alike = [row for row in rows if row.cost == cost]
    wagers = list(dict.fromkeys(row.name for row in alike))
    picks = list(dict.fromkeys(pick_words("", row.pick)["pick"] for row in alike if row.pick is not None))
    where = []
    if with_name:
        where.append(", ".join(wagers) if len(wagers) <= FEW else f"{len(wagers)} wagers")
    elif 0 < len(picks) <= MANY_WAGERS:
        where.append(", ".join(picks))
    tables = {row.pay_table for row in alike}
    if not with_name and tables != {row.pay_table for row in rows if row.pick in {other.pick for other in alike}}:
        where.append(listed(row.pay_table for row in alike if row.pay_table))
    where.append(listed(row.situation for row in alike if row.situation))
    if is_long(cost):
        return Cell(signed_percent(cost), "; ".join(filter(None, [signed(cost), *where])))
    return Cell(f"{signed(cost)} ({signed_percent(cost)})" if cost else "0", "; ".join(filter(None, where)))
