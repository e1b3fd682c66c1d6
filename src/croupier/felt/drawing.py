"""The static drawing of a felt: its areas, what each pays at this table, its limits on the sign, its lights."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from croupier.felt.areas import Spot, machine_pick, odds_texts, spots_of
from croupier.felt.results import marker_name, roads
from croupier.money import format_cents
from croupier.rules import offers, schema
from croupier.rules.describing import pay_lines, terms_text
from croupier.rules.schema import acts_on
from croupier.rules.shelf import Shelf
from croupier.table.event_views import Told, tell_limit, tell_sign
from croupier.table.placing import limit_for
from croupier.table.state import State, TableView

_OWN = ("player_limits", "limits")  # fields of the sign: players' own limits, and the limits that areas show


class _ToDraw:
    """The inputs of a drawing, as a cache key: drawing is slow, and there are few different ones."""

    def __init__(self, shelf: Shelf, state: State) -> None:
        self.shelf = shelf
        self.state = State(settings=state.settings, terms=state.terms)
        self._key = (shelf, state.terms, repr(state.settings))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ToDraw) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@acts_on("layout")
def draw(shelf: Shelf, state: State) -> Told:
    """Return the felt of a table and its sign. `pays` is what an area may pay at any time, not just in this phase."""
    return {**_drawn(_ToDraw(shelf, state))}


@lru_cache(maxsize=32)
def _drawn(one: _ToDraw) -> Told:
    view = _at_first(one.shelf, one.state)
    book, settings = view.game.book, view.state.settings
    layout, throw = book.layout, book.rules.throw
    assert layout is not None, "every book of the house has a layout"
    sign = {name: value for name, value in tell_sign(settings).items() if name not in _OWN}
    return {
        "book": book.id,
        "title": book.rules.book.title,
        "clause": layout.clause,
        "size": list(layout.size),
        "narrow_size": list(layout.narrow_size),
        "ring": None if layout.ring is None else {"at": layout.ring.at, "narrow": layout.ring.narrow},
        "areas": [_area(view, spot, area) for spot, area in zip(spots_of(book), layout.areas, strict=True)],
        "throw": {"faces": list(throw.faces), "count": throw.throw, "field": throw.field, "command": throw.command},
        "chip": format_cents(settings.chip),
        "sign": {**tell_limit(settings.limit), **sign},
        "closes_bets": book.rules.betting is not None,
        "sleeps": book.call_clause is not None,
        "roads": [{"name": road.name, "sides": list(road.sides)} for road in roads(book)],
        "marker": marker_name(book),
    }


def _at_first(shelf: Shelf, state: State) -> TableView:
    phases = TableView(shelf, state).game.book.rules.phases
    return TableView(shelf, msgspec.structs.replace(state, phases={phase.id: phase.start for phase in phases}))


def _area(view: TableView, spot: Spot, area: schema.Area) -> Told:
    """Return an area; `pays` is short enough to print on it, `terms` is everything in the pay table."""
    wager, settings = spot.wager, view.state.settings
    lines = pay_lines(view.game, wager, [machine_pick(spot)])
    odds = odds_texts(view, spot, " to ")
    told: Told = {"wager": wager.id, "pick": spot.pick, "name": spot.name, "label": spot.label}
    told |= {"note": spot.note, "clause": wager.clause, "at": list(area.at), "narrow": list(area.narrow)}
    told |= {"group": area.group, "dice": [list(faces) for faces in area.dice], "travelled": spot.travelled}
    told |= {"pays": odds[-1] if len(odds) > 1 else odds[0], "terms": terms_text(view.game, wager)}
    told["lines"] = [{"for": line.words, "odds": line.printed} for line in lines]
    told |= {"least": format_cents(offers.smallest_stake(wager, settings)), "fixed": wager.has_one_amount}
    told |= {"optional": wager.optional is not None, "behind": wager.flat}
    told |= {"offered": wager.id not in settings.without, "sleeps": wager.can_be_called}
    return told | tell_limit(limit_for(settings, wager.id, None, machine_pick(spot)))
