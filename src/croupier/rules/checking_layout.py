"""Check the felt of a book: its squares, and the sheets that draw it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from croupier.rules.book import Book, shown_value
from croupier.rules.errors import RuleBookError
from croupier.rules.game import Game, choice_id
from croupier.rules.layout import (
    Area,
    Dice,
    DrawnArea,
    Line,
    PathError,
    Place,
    Point,
    Ring,
    Sheet,
    Words,
    outline,
    parsed_path,
    points_of,
    total_of,
)
from croupier.rules.machine import Pick

_FIELDS = ("{label}", "{note}", "{pays}", "{odds}", "{least}", "{pick}", "{word}")  # what printed words may stand for


def check_layout(book: Book) -> None:
    """Raise RuleBookError for the first mistake in the felt, if the book has one."""
    layout = book.layout
    if layout is None:
        return
    for area in layout.areas:
        _check_area(book, area)
    named: list[tuple[str, Area | Ring]] = [(f'area "{area.label}"', area) for area in layout.areas]
    if layout.ring is not None:
        named.append(("ring", layout.ring))
    _check_places(book, "felt", layout.size, [(name, lying.at) for name, lying in named])
    _check_places(book, "narrow felt", layout.narrow_size, [(name, lying.narrow) for name, lying in named])
    for where, reason in _mistakes_on_sheets(book):
        raise RuleBookError(book.file, where, reason)


def without_area(book: Book) -> list[str]:
    """Return the wagers without an area on the felt, each with its pick: they cannot be made in a browser."""
    if book.layout is None:
        return []
    drawn = {(area.wager, area.pick) for area in book.layout.areas}
    missing = []
    for wager in book.rules.wagers:
        states = _game(book).machine(wager.id, None).table if wager.can_move else ()
        numbers = [shown_value(wager.travels, state) for state in states]
        picks: list[Pick] = [*book.picks(wager), *(number for number in numbers if number is not None)]
        missing += [
            f"{wager.id} {'' if pick is None else pick}".rstrip() for pick in picks if (wager.id, pick) not in drawn
        ]
    return missing


# -- the squares ------------------------------------------------------------------------------------------------------


def _check_area(book: Book, area: Area) -> None:
    """Check that the wager and pick exist and that the faces drawn on the area can be thrown."""
    where, wager = f'area "{area.label}"', book.wagers.get(area.wager)
    if wager is None or (area.pick not in book.picks(wager) and not wager.can_move):
        raise RuleBookError(book.file, where, "is for a wager or pick that the book does not have")
    for face in (face for faces in area.dice for face in faces):
        if face not in book.rules.throw.faces:
            raise RuleBookError(book.file, where, f"draws the face {face}, which is never thrown")


def _check_places(book: Book, felt: str, size: tuple[int, int], places: list[tuple[str, Place]]) -> None:
    """Check that every place lies on the felt and that none overlap."""
    taken: dict[tuple[int, int], str] = {}
    columns, rows = size
    for name, (left, top, width, height) in places:
        if min(width, height) < 1 or min(left, top) < 0 or left + width > columns or top + height > rows:
            raise RuleBookError(book.file, name, f"does not lie on a {felt} of {columns} by {rows}")
        for square in product(range(left, left + width), range(top, top + height)):
            if square in taken:
                raise RuleBookError(book.file, name, f"overlaps the {taken[square]} on the {felt}")
            taken[square] = name


# -- the sheets -------------------------------------------------------------------------------------------------------


def _mistakes_on_sheets(book: Book) -> Iterator[tuple[str, str]]:
    layout = book.layout
    assert layout is not None
    names = [sheet.name for sheet in layout.narrow]
    if len(names) > 1 and (len(set(names)) < len(names) or "" in names):
        yield "layout.narrow", "each of several sheets needs a name of its own"
    if layout.wide is not None:
        yield from _mistakes_on(book, "wide sheet", layout.wide)
    for sheet in layout.narrow:
        yield from _mistakes_on(book, f'narrow sheet "{sheet.name}"', sheet)


def _mistakes_on(book: Book, name: str, sheet: Sheet) -> Iterator[tuple[str, str]]:
    layout, seen = book.layout, set()
    assert layout is not None
    known = {(area.wager, area.pick) for area in layout.areas}
    yield from ((name, reason) for reason in _misprinted(book, sheet, sheet.text, sheet.dice, sheet.lines, (0, 0)))
    for area in sheet.areas:
        where = f"{name}, area {area.wager}"
        if area.words and len(area.words) != len(area.places):
            yield where, f"has {len(area.words)} words for {len(area.places)} picks"
            continue
        for pick, by, _ in area.places:
            if (area.wager, pick) not in known:
                yield where, f"draws the pick {pick}, for which `areas` has no area" if pick else "is not in `areas`"
            if (area.wager, pick) in seen:
                yield where, "is drawn twice"
            seen.add((area.wager, pick))
            yield from ((where, reason) for reason in _misdrawn(book, sheet, area, by))


def _misdrawn(book: Book, sheet: Sheet, area: DrawnArea, by: Point) -> Iterator[str]:
    if area.outlines > 1 or (area.outlines == 0 and area.shows != "held"):
        yield "needs one outline: a path, a rect, a circle or a band"
    wager = book.wagers.get(area.wager)
    if area.shows == "odds" and wager is not None and wager.behind is None:
        yield "is shown with the odds of a flat wager, but lies behind none"
    try:
        reached = [*points_of(outline(area))]
    except PathError as mistake:
        yield str(mistake)
        return
    anchors = {"outline": reached if area.outlines else [], "chip": [area.chip]}
    anchors["puck"] = [] if area.puck is None else [area.puck]
    if area.room is not None:
        left, top, width, height = area.room
        anchors["room"] = [(left, top), (left + width, top + height)]
    for anchor, points in anchors.items():
        for point in points:
            if not _is_on(sheet, point, by):
                yield f"has its {anchor} at {_place(point, by)}, which is not on the sheet"
    dice = [*area.dice, *([] if area.bar is None else [area.bar])]
    yield from _misprinted(book, sheet, area.text, dice, area.lines, by)
    if area.totals is not None and wager is not None:
        printed, wins = {total for total, _, _ in area.totals.at}, _totals_won(book, area)
        if printed != wins:
            yield f"prints the totals {_list(printed)}, but wins on {_list(wins)}"


def _misprinted(
    book: Book, sheet: Sheet, text: list[Words], dice: list[Dice], lines: list[Line], by: Point
) -> Iterator[str]:
    for words in text:
        bare = words.says
        for field in _FIELDS:
            bare = bare.replace(field, "")
        if "{" in bare or "}" in bare:
            yield f'prints "{words.says}"; the words in braces are {", ".join(_FIELDS)}'
        if not _is_on(sheet, words.at, by):
            yield f'prints "{words.says}" at {_place(words.at, by)}, which is not on the sheet'
    for one in dice:
        if not _is_on(sheet, one.at, by):
            yield f"prints dice at {_place(one.at, by)}, which is not on the sheet"
        for face in one.faces:
            if face not in book.rules.throw.faces:
                yield f"prints the face {face}, which is never thrown"
    for line in lines:
        try:
            parsed_path(line.path)
        except PathError as mistake:
            yield f"draws a line that {mistake}"


def _is_on(sheet: Sheet, point: Point, by: Point) -> bool:
    return all(0 <= at + moved <= most for at, moved, most in zip(point, by, sheet.size, strict=True))


def _place(point: Point, by: Point) -> str:
    return ", ".join(f"{at + moved:g}" for at, moved in zip(point, by, strict=True))


def _totals_won(book: Book, area: DrawnArea) -> set[int]:
    machine = _game(book).machine(area.wager, area.pick)
    won = {
        outcome for state in machine.starts for outcome, entry in enumerate(machine.table[state]) if entry.then == "win"
    }
    return {total_of(book.outcomes.all[outcome]) for outcome in won}


def _game(book: Book) -> Game:
    return Game(book, {choice_id(choice): choice.default for choice in book.rules.pay_table.choices})


def _list(totals: set[int]) -> str:
    return " ".join(map(str, sorted(totals)))
