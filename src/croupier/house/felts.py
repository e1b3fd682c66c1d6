"""A table as it is drawn for somebody: how it stands, what has fallen, which areas won, its lamps, who throws."""

from __future__ import annotations

from datetime import datetime
from zlib import crc32

from croupier.felt.drawing import draw
from croupier.felt.lamps import Lamp, is_marker, lamps, marked_value
from croupier.felt.results import Result, winning_areas
from croupier.felt.roads import Step, steps
from croupier.felt.spots import everything_standing, is_offered, spots_of
from croupier.house.documents import stamp
from croupier.house.live import Head
from croupier.house.own_acts import own_acts
from croupier.house.showing import ANOTHER, Eyes, show_table
from croupier.house.tables import TableState
from croupier.rules.book import Book
from croupier.rules.shelf import Shelf
from croupier.table.handing import next_offered
from croupier.table.placing import limit_for
from croupier.table.telling import Told, tell_limit
from croupier.table.thrower import next_thrower, title
from croupier.table.view import TableView


def draw_table(shelf: Shelf, state: TableState, look: Eyes) -> Told:
    """The felt of a table, drawn once; it stays until the number under `terms` is another."""
    rhythm = state.rhythm
    told: Told = {"table": state.name, "name": state.title, "terms": _terms(state), **draw(shelf, state.game)}
    told["rhythm"] = None if rhythm is None else {"open": rhythm.open, "last_call": rhythm.last_call}
    if look.person in state.game.settings.player_limits:
        told["own_limit"] = tell_limit(limit_for(state.game.settings, "", look.person, None))
    return told


def show_felt(shelf: Shelf, state: TableState, head: Head, look: Eyes, now: datetime) -> Told:
    """How a table stands, with all that a felt shows beside the chips. `now` is the time that its clocks go by."""
    told = show_table(shelf, state, head, look) | {"terms": _terms(state), "now": stamp(now)}
    if not state.game.is_open:
        return told
    view = TableView(shelf, state.game)
    book, thrower = view.game.book, next_thrower(view)
    told["results"] = [_result(book, *row, look) for row in zip(state.results, steps(book, state.results), strict=True)]
    told["wins"] = _wins(view, state.results)
    told["closed_areas"] = [place for place, spot in enumerate(spots_of(book)) if not is_offered(view, spot)]
    told["lamps"] = [_lamp(lamp) for lamp in _lamps(view, state.results)]
    told["marker"] = _marker(view)
    following = next_offered(view) if state.game.settings.manual_dice else None
    told["thrower"] = {"by": _seen(thrower, look), "title": title(view, thrower), "next": _seen(following, look)}
    told["own_acts"] = own_acts(shelf, state, look.person, now)
    told["shown_until"] = None if state.shown_until is None else stamp(state.shown_until)
    return told


def _terms(state: TableState) -> str:
    """What a felt was drawn from, in short: another text, another felt."""
    return f"{len(state.game.terms)}-{crc32(repr(state.game.settings).encode()):08x}"


def _wins(view: TableView, results: tuple[Result, ...]) -> list[Told]:
    if not results:
        return []
    areas = winning_areas(view.game, spots_of(view.game.book), results[-1])
    return [{"wager": wager, "pick": list(pick) if isinstance(pick, tuple) else pick} for wager, pick in areas]


def _lamps(view: TableView, results: tuple[Result, ...]) -> list[Lamp]:
    last = results[-1].faces if results and results[-1].void is None else None
    return lamps(view.game.book, view.state, last or None, everything_standing(view))


def _marker(view: TableView) -> Told | None:
    """The puck, or what else lies on a number, and the area where it lies; none where the book has no such thing."""
    book, value = view.game.book, marked_value(view.game.book, view.state)
    if not any(is_marker(book, phase) for phase in book.rules.phases):
        return None
    places = [place for place, spot in enumerate(spots_of(book)) if spot.travelled and spot.pick == value]
    return {"value": value, "area": None if value is None or not places else _box(book, places)}


def _box(book: Book, places: list[int]) -> int:
    """Of the areas that belong to a number the one that bears it on its label, or the largest."""
    areas = spots_of(book)
    return max(places, key=lambda place: areas[place].at[2] * areas[place].at[3])


def _lamp(lamp: Lamp) -> Told:
    return {"name": lamp.name, "words": lamp.words, "lit": lamp.lit, "of": lamp.of, "colour": lamp.colour}


def _result(book: Book, result: Result, step: Step, look: Eyes) -> Told:
    told: Told = {"faces": list(result.faces), "call": result.call, "title": result.title, "void": result.void}
    told |= {"turn": step.turn, "before": step.before, "after": step.after, "passes": step.passes}
    names = book.outcomes.names(result.faces) if result.faces else []
    return told | {"names": names, "by": _seen(result.by, look)}


def _seen(player: str | None, look: Eyes) -> str | None:
    """A player's name, for those who may know it."""
    return player if player is None or look.all or player == look.person else ANOTHER
