"""A table drawn for a viewer: its state, past results, winning areas, lamps, and the thrower."""

from __future__ import annotations

from datetime import datetime
from zlib import crc32

import msgspec

from croupier.felt.areas import everything_standing, is_offered, spots_of
from croupier.felt.drawing import draw
from croupier.felt.results import Lamp, Result, Step, is_marker, lamps, marked_value, steps, winning_areas
from croupier.house.alerts import show_sign, signs_up
from croupier.house.live_streams import Head
from croupier.house.stored_events import stamp
from croupier.house.tables import TableState
from croupier.house.views.console import own_acts, steps_of
from croupier.house.views.events import ANOTHER, Viewer, show_table
from croupier.house.views.floor import show_cases
from croupier.money import format_cents
from croupier.rules.book import Book
from croupier.rules.shelf import Shelf
from croupier.table.checks_and_tokens import held, worth
from croupier.table.event_views import Told, tell_own_sign
from croupier.table.state import State, TableView
from croupier.table.thrower import next_offered, next_thrower, title, with_the_house
from croupier.table.under_way import is_under_way, result_awaited
from croupier.table.waiting import Waiting, everything_waiting


def draw_table(shelf: Shelf, state: TableState, look: Viewer) -> Told:
    """Return the felt of a table; a client draws it once for each value of `terms`."""
    rhythm = state.rhythm
    told: Told = {"table": state.name, "name": state.title, "terms": _terms(state, look), **draw(shelf, state.game)}
    told["rhythm"] = None if rhythm is None else {"open": rhythm.open, "last_call": rhythm.last_call}
    if look.person in state.game.settings.player_limits:
        told["own_limit"] = tell_own_sign(state.game.settings.player_limits[look.person])
    return told


def show_felt(
    shelf: Shelf, state: TableState, head: Head, look: Viewer, now: datetime, common: Told | None = None
) -> Told:
    """Return the state of a table with everything that a felt shows beside the chips. `now` is the table's time.

    `common` is the result of `same_for_all` for this state, if the caller has it.
    """
    told = show_table(shelf, state, head, look) | {"terms": _terms(state, look), "now": stamp(now)}
    if not state.game.is_open:
        return told
    told |= same_for_all(shelf, state) if common is None else common
    view = TableView(shelf, state.game)
    book, thrower = view.game.book, next_thrower(view)
    told["results"] = [_result(book, *row, look) for row in zip(state.results, steps(book, state.results), strict=True)]
    hands_round = state.game.settings.manual_dice and book.rules.thrower is not None
    following = next_offered(view) if hands_round else None
    has_none = hands_round and thrower is None and not with_the_house(state.game)  # offered, or not yet
    named = None if has_none else title(view, thrower)
    told["thrower"] = {"by": _seen(thrower, look), "title": named, "next": _seen(following, look)}
    owing = state.game.owing.items()
    told["owing"] = {who: format_cents(cents) for who, cents in owing if look.all or who == look.person}
    if look.all:
        told["places"] = dict(state.game.places)
        told["waiting"] = [_waiting(book, one) for one in everything_waiting(view)]
        told |= steps_of(shelf, state, look.person, now)
    told["cases"] = msgspec.to_builtins(show_cases(shelf, [state], look))
    told["own_checks"] = [] if look.person is None else _checks(state.game, look.person)
    told["own_acts"] = own_acts(shelf, state, look.person, now)
    told["shown_until"] = None if state.shown_until is None else stamp(state.shown_until)
    return told


def same_for_all(shelf: Shelf, state: TableState) -> Told:
    """Return the part of an open table's felt that is the same for everybody."""
    view = TableView(shelf, state.game)
    spots = spots_of(view.game.book)
    return {
        "wins": _wins(view, state.results),
        "closed_areas": [place for place, spot in enumerate(spots) if not is_offered(view, spot)],
        "lamps": [_lamp(lamp) for lamp in lamps_of(view, state.results)],
        "marker": _marker(view),
        "betting": _betting(view),
        "attended": state.rhythm is not None or bool(state.staff),
        "seats": state.game.settings.seats,
        "taken_places": sorted(state.game.places.values()),
        "signs": [msgspec.to_builtins(show_sign(sign)) for sign in signs_up(view.game.book, state.game.facts)],
    }


def is_like_others(state: TableState, person: str | None) -> bool:
    """Return whether a person has nothing of their own on a felt: no seat, no throw, no sign."""
    if person is None:
        return True
    own = (state.game.chips, state.game.settings.player_limits, [result.by for result in state.results])
    return not any(person in names for names in own)


def _betting(view: TableView) -> str:
    """Return whether wagers are accepted: only `late` ones, confirmed if need be, while the dice are in the air."""
    if not is_under_way(view):
        return "open" if view.state.bets_open else "closed"
    return "late" if view.state.in_the_air and view.state.settings.late_bets else "closed"


def _checks(game: State, person: str) -> list[Told]:
    """Return a player's checks without a fixed value: colour, value of one, and total."""
    return [
        {"colour": colour, "value": format_cents(worth(game, person, colour)), "amount": format_cents(cents)}
        for colour, cents in held(game, person).items()
        if cents
    ]


def _terms(state: TableState, look: Viewer) -> str:
    """Return a fingerprint of what a felt is drawn from. It reveals nothing of other players' signs."""
    settings = state.game.settings
    own = {name: limit for name, limit in settings.player_limits.items() if name == look.person}
    seen = repr(msgspec.structs.replace(settings, player_limits=own))
    return f"{len(state.game.terms)}-{crc32(seen.encode()):08x}"


def _waiting(book: Book, one: Waiting) -> Told:
    """Return a wager that awaits the house, and the line, with its words, that deals with it."""
    act = book.conduct.by_id.get(one.act)
    line = {"do": one.act, "player": one.player, "wager": one.wager, "pick": one.pick}
    amount = None if one.cents is None else format_cents(one.cents)
    words = one.act if act is None or act.step is None else act.step.words
    return {"kind": one.kind, "amount": amount, "line": line, "words": words}


def _wins(view: TableView, results: tuple[Result, ...]) -> list[Told]:
    """Return the areas that the latest result lit; they go dark when the next throw begins."""
    if not results or result_awaited(view):
        return []
    areas = winning_areas(view.game, spots_of(view.game.book), results[-1])
    return [{"wager": wager, "pick": pick} for wager, pick in areas]


def lamps_of(view: TableView, results: tuple[Result, ...]) -> list[Lamp]:
    """Return the lamps of a table after these results, and its puck."""
    last = results[-1] if results and results[-1].void is None and results[-1].faces else None
    faces, full = (None, ()) if last is None else (last.faces, last.full)
    return lamps(view.game.book, view.state, faces, everything_standing(view), full)


def _marker(view: TableView) -> Told | None:
    """Return the puck, or another marker on a number, and the area where it lies; None if the book has none."""
    book, value = view.game.book, marked_value(view.game.book, view.state)
    if not any(is_marker(book, phase) for phase in book.rules.phases):
        return None
    places = [place for place, spot in enumerate(spots_of(book)) if spot.travelled and spot.pick == value]
    return {"value": value, "area": None if value is None or not places else _box(book, places)}


def _box(book: Book, places: list[int]) -> int:
    """Return the largest of the areas of a number: it bears the label."""
    areas = spots_of(book)
    return max(places, key=lambda place: areas[place].at[2] * areas[place].at[3])


def _lamp(lamp: Lamp) -> Told:
    return {"name": lamp.name, "words": lamp.words, "lit": lamp.lit, "of": lamp.of, "colour": lamp.colour}


def _result(book: Book, result: Result, step: Step, look: Viewer) -> Told:
    told: Told = {"faces": list(result.faces), "call": result.call, "title": result.title, "void": result.void}
    told |= {"turn": step.turn, "before": step.before, "after": step.after, "passes": step.passes}
    names = book.outcomes.names(result.faces) if result.faces else []
    return told | {"names": names, "by": _seen(result.by, look), "was": list(result.was), "round": result.round}


def _seen(player: str | None, look: Viewer) -> str | None:
    """Return a player's name, if the viewer may know it."""
    return player if player is None or look.all or player == look.person else ANOTHER
