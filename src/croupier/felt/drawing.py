"""The static drawing of a felt: its areas, what each pays at this table, its limits on the sign, its lights."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from croupier.contract.replies import Area, BetLimits, Drawing, OwnLimit, PayLine, Ring, Road, TableSign, ThrowDrawn
from croupier.felt.areas import Spot, machine_pick, odds_texts, spots_of
from croupier.felt.results import marker_name, roads
from croupier.money import format_cents
from croupier.rules import offers, schema
from croupier.rules.describing import pay_lines, terms_text
from croupier.rules.shelf import Shelf
from croupier.table.commands import Limit, PlayerSign
from croupier.table.event_views import tell_limit, tell_own_sign, tell_sign
from croupier.table.placing import limit_for
from croupier.table.state import State
from croupier.table.view import TableView

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


def draw(shelf: Shelf, state: State) -> Drawing:
    """Return the felt of a table and its sign. `pays` is what an area may pay at any time, not just in this phase."""
    return _drawn(_ToDraw(shelf, state))


@lru_cache(maxsize=32)
def _drawn(one: _ToDraw) -> Drawing:
    view = _at_first(one.shelf, one.state)
    book, settings = view.game.book, view.state.settings
    layout, throw = book.layout, book.rules.throw
    assert layout is not None, "every book of the house has a layout"
    sign = {name: value for name, value in tell_sign(settings).items() if name not in _OWN}
    return Drawing(
        book=book.id,
        title=book.rules.book.title,
        clause=layout.clause,
        size=list(layout.size),
        narrow_size=list(layout.narrow_size),
        ring=None if layout.ring is None else Ring(layout.ring.at, layout.ring.narrow),
        areas=[_area(view, spot, area) for spot, area in zip(spots_of(book), layout.areas, strict=True)],
        throw=ThrowDrawn(list(throw.faces), throw.throw, throw.field, throw.command),
        chip=format_cents(settings.chip),
        sign=msgspec.convert({**tell_limit(settings.limit), **sign}, TableSign),
        closes_bets=book.rules.betting is not None,
        sleeps=book.call_clause is not None,
        roads=[Road(road.name, list(road.sides)) for road in roads(book)],
        marker=marker_name(book),
    )


def _at_first(shelf: Shelf, state: State) -> TableView:
    phases = TableView(shelf, state).game.book.rules.phases
    return TableView(shelf, msgspec.structs.replace(state, phases={phase.id: phase.start for phase in phases}))


def _area(view: TableView, spot: Spot, area: schema.Area) -> Area:
    wager, settings = spot.wager, view.state.settings
    lines = pay_lines(view.game, wager, [machine_pick(spot)])
    odds = odds_texts(view, spot, " to ")
    limits = show_limits(limit_for(settings, wager.id, None, machine_pick(spot)))
    return Area(
        wager=wager.id,
        pick=spot.pick,
        name=spot.name,
        label=spot.label,
        note=spot.note,
        clause=wager.clause,
        at=list(area.at),
        narrow=list(area.narrow),
        group=area.group,
        dice=[list(faces) for faces in area.dice],
        travelled=spot.travelled,
        pays=odds[-1] if len(odds) > 1 else odds[0],
        terms=terms_text(view.game, wager),
        lines=[PayLine(line.words, line.printed) for line in lines],
        least=format_cents(offers.smallest_stake(wager, settings)),
        fixed=wager.has_one_amount,
        optional=wager.optional is not None,
        behind=wager.flat,
        offered=wager.id not in settings.without,
        sleeps=wager.can_be_called,
        min=limits.min,
        max=limits.max,
    )


def show_limits(limit: Limit) -> BetLimits:
    """Return a minimum and a maximum."""
    return msgspec.convert(tell_limit(limit), BetLimits)


def show_own_limit(sign: PlayerSign) -> OwnLimit:
    """Return a player's own limits."""
    return msgspec.convert(tell_own_sign(sign), OwnLimit)
