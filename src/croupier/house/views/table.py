"""A table drawn for a viewer: its state, past results, winning areas, lamps, and the thrower."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Literal
from zlib import crc32

import msgspec
from msgspec.structs import asdict

from croupier.contract.replies import (
    Area,
    AreaEffects,
    AreaKey,
    AreaRefusal,
    Drawing,
    DrawnRhythm,
    Felt,
    Lamp,
    Line,
    Marker,
    NextThrow,
    OutcomeAhead,
    OwnChecks,
    PayLine,
    Ring,
    Road,
    ShownResult,
    Sign,
    TableSign,
    ThrowDrawn,
    ThrowEffect,
    Thrower,
    WaitingWager,
)
from croupier.felt.areas import Spot, everything_standing, is_offered, machine_pick, odds_texts, spots_of, state_now
from croupier.felt.next_throw import AreaEffects as EffectsAhead
from croupier.felt.next_throw import OwnChange, effects_of, own_changes
from croupier.felt.past_results import (
    Result,
    Step,
    is_marker,
    lamps,
    marked_value,
    marker_name,
    roads,
    steps,
    winning_areas,
)
from croupier.felt.sheets import narrow_sheets, wide_sheet
from croupier.house.alerts import show_sign, signs_up
from croupier.house.live_streams import Head
from croupier.house.orders.rounds import playing_in
from croupier.house.stored_events import stamp
from croupier.house.table_state import TableState
from croupier.house.views.console import Console, own_acts, steps_of
from croupier.house.views.floor import show_cases
from croupier.house.views.visibility import ANOTHER, Viewer, show_table
from croupier.money import format_cents
from croupier.rules import offers
from croupier.rules.book import Book
from croupier.rules.describing import pay_lines, terms_text
from croupier.rules.layout import Area as LayoutArea
from croupier.rules.outcomes import Faces
from croupier.rules.shelf import Shelf
from croupier.table.checks_and_tokens import held, worth
from croupier.table.event_views import own_sign, printed_sign, stake_limits
from croupier.table.placing import limit_for
from croupier.table.state import State, TableView
from croupier.table.thrower import next_offered, next_thrower, title, with_the_house
from croupier.table.under_way import is_under_way, result_awaited
from croupier.table.waiting import Waiting, everything_waiting


class SharedFelt(msgspec.Struct, frozen=True):
    """The part of a felt that is the same for all viewers; `Felt` says what each field is."""

    wins: list[AreaKey]
    closed_areas: list[int]
    lamps: list[Lamp]
    marker: Marker | None
    betting: Literal["open", "closed", "late"]
    attended: bool
    seats: int | None
    taken_places: list[int]
    signs: list[Sign]
    ready: int
    playing: int


def draw_table(shelf: Shelf, state: TableState, look: Viewer) -> Drawing:
    """Return the felt of a table; a client draws it once for each value of `terms`."""
    rhythm, own = state.rhythm, state.game.settings.player_limits.get(look.person or "")
    return msgspec.structs.replace(
        draw(shelf, state.game),
        table=state.name,
        name=state.title,
        terms=terms_of(state, look),
        rhythm=None if rhythm is None else DrawnRhythm(rhythm.open, rhythm.last_call),
        own_limit=None if own is None else own_sign(own),
    )


def show_felt(
    shelf: Shelf, state: TableState, head: Head, look: Viewer, now: datetime, shared: SharedFelt | None = None
) -> Felt:
    """Return the state of a table with everything that a felt shows beside the chips. `now` is the table's time.

    `shared` is the result of `same_for_all` for this state, if the caller has it.
    """
    game, view = state.game, TableView(shelf, state.game)
    book = view.game.book
    own = {who: format_cents(cents) for who, cents in game.owing.items() if look.all or who == look.person}
    felt = Felt(
        **asdict(show_table(shelf, state, head, look)) | {"owing": own},
        **asdict(shared or same_for_all(shelf, state)),
        terms=terms_of(state, look),
        now=stamp(now),
        own_ready=state.round is not None and look.person in state.round.ready,
        results=[_result(book, *row, look) for row in zip(state.results, steps(book, state.results), strict=True)],
        thrower=_thrower(view, look),
        cases=show_cases(shelf, [state], look),
        own_checks=[] if look.person is None else _checks(game, look.person),
        own_acts=own_acts(shelf, state, look.person, now),
        shown_until=None if state.shown_until is None else stamp(state.shown_until),
        places=dict(game.places) if look.all else None,
        waiting=[_waiting(book, one) for one in everything_waiting(view)] if look.all else None,
    )
    console = steps_of(shelf, state, look.person, now) if look.all else None
    return felt if console is None else with_console(felt, console)


def with_console(felt: Felt, console: Console) -> Felt:
    """Return a felt with the steps of a person who has a post at the table."""
    return msgspec.structs.replace(felt, **asdict(console))


def same_for_all(shelf: Shelf, state: TableState) -> SharedFelt:
    """Return the part of an open table's felt that is the same for all viewers."""
    view = TableView(shelf, state.game)
    spots = spots_of(view.game.book)
    playing = set() if state.round is None else playing_in(state, state.round)
    return SharedFelt(
        wins=_wins(view, state.results),
        closed_areas=[place for place, spot in enumerate(spots) if not is_offered(view, spot)],
        lamps=lamps_of(view, state.results),
        marker=marker_of(view),
        betting=_betting(view),
        attended=is_attended(state),
        seats=state.game.settings.seats,
        taken_places=sorted(state.game.places.values()),
        signs=[show_sign(sign) for sign in signs_up(view.game.book, state.game.facts)],
        ready=0 if state.round is None else len(playing & state.round.ready),
        playing=len(playing),
    )


def is_attended(state: TableState) -> bool:
    """Return whether bets can be taken: the table runs by itself, or somebody is there to run it."""
    return state.rhythm is not None or bool(state.staff)


def is_like_others(state: TableState, person: str | None) -> bool:
    """Return whether a person has nothing of their own on a felt: no seat, no throw, no sign."""
    if person is None:
        return True
    own = (state.game.chips, state.game.settings.player_limits, [result.by for result in state.results])
    return not any(person in names for names in own)


def _betting(view: TableView) -> Literal["open", "closed", "late"]:
    """Return whether wagers are accepted: only `late` ones, confirmed if need be, while the dice are in the air."""
    if not is_under_way(view):
        return "open" if view.state.bets_open else "closed"
    return "late" if view.state.in_the_air and view.state.settings.late_bets else "closed"


def _checks(game: State, person: str) -> list[OwnChecks]:
    return [
        OwnChecks(colour, format_cents(worth(game, person, colour)), format_cents(cents))
        for colour, cents in held(game, person).items()
        if cents
    ]


def terms_of(state: TableState, look: Viewer) -> str:
    """Return a fingerprint of what a felt is drawn from. It reveals nothing of other players' signs."""
    settings = state.game.settings
    own = {name: limit for name, limit in settings.player_limits.items() if name == look.person}
    seen = repr(msgspec.structs.replace(settings, player_limits=own))
    return f"{len(state.game.terms)}-{crc32(seen.encode()):08x}"


def _waiting(book: Book, one: Waiting) -> WaitingWager:
    act = book.conduct.by_id.get(one.act)
    line: Line = {"do": one.act, "player": one.player, "wager": one.wager, "pick": one.pick}
    amount = None if one.cents is None else format_cents(one.cents)
    words = one.act if act is None or act.step is None else act.step.words
    return WaitingWager(one.kind, amount, line, words)


def _wins(view: TableView, results: tuple[Result, ...]) -> list[AreaKey]:
    """Return the areas that the latest result lit; they go dark when the next throw begins."""
    if not results or result_awaited(view):
        return []
    areas = winning_areas(view.game, spots_of(view.game.book), results[-1])
    return [AreaKey(wager, pick) for wager, pick in areas]


def lamps_of(view: TableView, results: tuple[Result, ...]) -> list[Lamp]:
    """Return the lamps of a table after these results, and its puck."""
    last = results[-1] if results and results[-1].void is None and results[-1].faces else None
    faces, full = (None, ()) if last is None else (last.faces, last.full)
    return lamps(view.game.book, view.state, faces, everything_standing(view), full)


def marker_of(view: TableView) -> Marker | None:
    """Return the puck, or another marker on a number, and the area where it lies; None if the book has none."""
    book, value = view.game.book, marked_value(view.game.book, view.state)
    if not any(is_marker(book, phase) for phase in book.rules.phases):
        return None
    places = [place for place, spot in enumerate(spots_of(book)) if spot.travelled and spot.pick == value]
    return Marker(value, None if value is None or not places else _box(book, places))


def _box(book: Book, places: list[int]) -> int:
    """Return the largest of the areas of a number: it bears the label."""
    areas = spots_of(book)
    return max(places, key=lambda place: areas[place].at[2] * areas[place].at[3])


def _thrower(view: TableView, look: Viewer) -> Thrower:
    """Return who throws; a player who is offered the dice does not have them yet."""
    game, thrower = view.state, next_thrower(view)
    hands_round = game.settings.manual_dice and view.game.book.rules.thrower is not None
    following = next_offered(view) if hands_round else None
    has_none = hands_round and thrower is None and not with_the_house(game)  # offered, or not yet
    return Thrower(_seen(thrower, look), None if has_none else title(view, thrower), _seen(following, look))


def _result(book: Book, result: Result, step: Step, look: Viewer) -> ShownResult:
    return ShownResult(
        faces=list(result.faces),
        call=result.call,
        title=result.title,
        void=result.void,
        turn=step.turn,
        before=step.before,
        after=step.after,
        passes=step.passes,
        names=book.outcomes.names(result.faces) if result.faces else [],
        by=_seen(result.by, look),
        was=list(result.was),
        round=result.round,
        version=result.version,
    )


def _seen(player: str | None, look: Viewer) -> str | None:
    """Return a player's name, if the viewer may know it."""
    return player if player is None or look.all or player == look.person else ANOTHER


def show_next_throw(shelf: Shelf, state: TableState, head: Head, look: Viewer) -> NextThrow:
    """Return what every outcome of the next throw would do to the areas, and to the viewer's own wagers."""
    view = TableView(shelf, state.game)
    book = view.game.book
    changes = None if look.person is None else own_changes(view, look.person)
    areas = [effects_of(view, spot, look.person) for spot in spots_of(book)]
    return NextThrow(
        version=head.version,
        outcomes=[
            _outcome(book, faces, None if changes is None else changes[place])
            for place, faces in enumerate(book.outcomes.all)
        ],
        areas=[_effects(area) for area in areas],
    )


def _effects(area: EffectsAhead) -> AreaEffects:
    refused = area.refused
    return AreaEffects(
        [ThrowEffect(**asdict(effect)) for effect in area.effects],
        list(area.which),
        None if refused is None else AreaRefusal(refused.message, refused.clause, refused.code),
    )


def _outcome(book: Book, faces: Faces, change: OwnChange | None) -> OutcomeAhead:
    own = {} if change is None else {name: format_cents(cents) for name, cents in asdict(change).items()}
    return OutcomeAhead(faces=list(faces), names=book.outcomes.names(faces), **own)


# The drawing: everything about a felt that does not change from throw to throw


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
    sign = stake_limits(settings.limit).plain() | printed_sign(settings).plain()
    return Drawing(
        book=book.id,
        title=book.rules.book.title,
        clause=layout.clause,
        size=list(layout.size),
        narrow_size=list(layout.narrow_size),
        ring=None if layout.ring is None else Ring(layout.ring.at, layout.ring.narrow),
        areas=[_area(view, spot, area) for spot, area in zip(spots_of(book), layout.areas, strict=True)],
        wide=wide_sheet(view),
        narrow=narrow_sheets(view),
        throw=ThrowDrawn(list(throw.faces), throw.throw, throw.field, throw.command, throw.ready),
        chip=format_cents(settings.chip),
        sign=msgspec.convert(sign, TableSign),
        closes_bets=book.rules.betting is not None,
        sleeps=book.call_clause is not None,
        roads=[Road(road.name, list(road.sides)) for road in roads(book)],
        marker=marker_name(book),
    )


def _at_first(shelf: Shelf, state: State) -> TableView:
    phases = TableView(shelf, state).game.book.rules.phases
    return TableView(shelf, msgspec.structs.replace(state, phases={phase.id: phase.start for phase in phases}))


def _area(view: TableView, spot: Spot, area: LayoutArea) -> Area:
    wager, settings = spot.wager, view.state.settings
    lines = pay_lines(view.game, wager, [machine_pick(spot)])
    odds = odds_texts(view, spot, " to ")
    limits = stake_limits(limit_for(settings, wager.id, None, machine_pick(spot)))
    bet = (view.game, wager, machine_pick(spot), state_now(view, spot))
    commission, unit = offers.commission_rate(*bet), offers.unit_chips(*bet, settings.exact_units) * settings.chip
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
        least=format_cents(max(unit, offers.smallest_stake(wager, settings))),
        fixed=wager.has_one_amount,
        optional=wager.optional is not None,
        behind=wager.flat,
        offered=wager.id not in settings.without,
        sleeps=wager.can_be_called,
        min=limits.min,
        max=limits.max,
        commission=str(commission) if commission else None,
    )
