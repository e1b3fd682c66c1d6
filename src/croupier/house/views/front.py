"""The front page: the public list of tables, a small picture of each felt, and where books of one game pay different
prices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec.structs import asdict

from croupier.contract.replies import (
    Drawing,
    DrawnArea,
    Front,
    GameShown,
    LastResult,
    Lettering,
    ListedTable,
    Preview,
    PreviewArea,
    PriceRow,
    Prices,
    Throws,
)
from croupier.house.live_streams import Head
from croupier.house.table_state import TableState
from croupier.house.views.table import draw, is_attended, marker_of, terms_of
from croupier.house.views.visibility import PUBLIC_VIEWER, show_table
from croupier.rules.describing import pay_lines
from croupier.rules.game import Game
from croupier.rules.shelf import Shelf
from croupier.table.event_views import stake_limits
from croupier.table.state import TableView

SHOWN_RESULTS = 8


def list_table(shelf: Shelf, state: TableState, head: Head) -> ListedTable:
    """Return a public list entry of a table: also its limits, what is thrown there, and the last results."""
    view = TableView(shelf, state.game)
    throw = view.game.book.rules.throw
    fallen = [result for result in state.results if result.faces]
    counted = [result for result in fallen if result.void is None]
    return ListedTable(
        **asdict(show_table(shelf, state, head, PUBLIC_VIEWER)),
        limits=stake_limits(state.game.settings.limit),
        fell=list(fallen[-1].faces) if fallen else [],
        throws=Throws(list(throw.faces), throw.throw),
        results=[LastResult(list(result.faces), result.call) for result in counted[-SHOWN_RESULTS:]],
        marker=marker_of(view),
        attended=is_attended(state),
    )


def front_key(states: Iterable[TableState]) -> tuple[tuple[str, str], ...]:
    """Return what the front page depends on: the tables, and what their felts are drawn from."""
    return tuple((state.name, terms_of(state, PUBLIC_VIEWER)) for state in states)


def show_front(shelf: Shelf, states: Iterable[TableState]) -> Front:
    """Return the front page without what changes from throw to throw."""
    previews: list[Preview] = []
    felts: dict[str, int] = {}
    games: dict[str, Game] = {}
    for state in states:
        picture = preview(draw(shelf, state.game))
        if picture not in previews:  # tables with the same felt share one
            previews.append(picture)
        felts[state.name] = previews.index(picture)
        game = TableView(shelf, state.game).game
        games.setdefault(game.book.id, game)
    return Front([_shown(game) for game in games.values()], previews, felts, list(_prices(games.values())))


def _shown(game: Game) -> GameShown:
    book = game.book.rules.book
    return GameShown(book.id, book.title, book.game, book.place or book.jurisdiction, book.about)


# The small picture of a felt


def preview(drawing: Drawing) -> Preview:
    """Return a felt without bets: only the areas that always show."""
    sheet = drawing.wide
    marked = [area for area in sheet.areas if area.puck is not None]
    return Preview(
        size=sheet.size,
        cloth=sheet.cloth,
        areas=[_area(drawing, area) for area in sheet.areas if area.shows == "always"],
        text=sheet.text,
        dice=sheet.dice,
        lines=sheet.lines,
        puck=sheet.puck,
        pucks=[(drawing.areas[area.place].pick, *area.puck) for area in marked if area.puck is not None],
        fall=sheet.fall,
    )


def _area(drawing: Drawing, area: DrawnArea) -> PreviewArea:
    of, lettering = drawing.areas[area.place], None
    if area.box is not None:
        lettering = Lettering(area.box, of.label, of.note, of.pays, of.terms, of.dice)
    return PreviewArea(
        path=area.path,
        width=area.width,
        tone=area.tone,
        text=area.text,
        dice=area.dice,
        lines=area.lines,
        lettering=lettering,
    )


# Where books of one game pay different prices

_Line = tuple[str, str]  # a wager, and the words of a line of the pay table
_Paid = tuple[Fraction, str]


def _prices(games: Iterable[Game]) -> Iterator[Prices]:
    by_name: dict[str, list[Game]] = {}
    for game in games:
        by_name.setdefault(game.book.rules.book.game, []).append(game)
    for name, same in by_name.items():
        rows = list(_rows(same))
        if rows:
            yield Prices(name, [game.book.id for game in same], rows)


def _rows(games: list[Game]) -> Iterator[PriceRow]:
    """Yield every price in which books differ; picks of a wager with the same prices are in one row."""
    paid = [_paid(game) for game in games]
    names = games[0].book.wagers
    found: dict[tuple[str, tuple[_Paid, ...]], list[str]] = {}
    for wager, words in paid[0]:
        if all((wager, words) in one for one in paid):
            odds = tuple(one[wager, words] for one in paid)
            if len({value for value, _ in odds}) > 1:
                found.setdefault((wager, odds), []).append(words)
    for (wager, odds), picks in found.items():
        best = max(value for value, _ in odds)
        most = [place for place, (value, _) in enumerate(odds) if value == best]
        yield PriceRow(names[wager].name, ", ".join(filter(None, picks)), [printed for _, printed in odds], most)


def _paid(game: Game) -> dict[_Line, _Paid]:
    wagers = game.book.rules.wagers
    lines = ((wager.id, line) for wager in wagers for line in pay_lines(game, wager, game.book.picks(wager)))
    return {(wager, line.words): (line.odds, line.printed) for wager, line in lines}
