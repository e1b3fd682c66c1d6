"""What a viewer may see of a table and its events: the same for the live stream, history and replay.

The staff of a table and supervisors of the house see everything. A player sees what anyone at the table can see, and
their own chips, wagers and results, but no other player's name, chips or stakes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

import msgspec

from croupier.contract import replies
from croupier.contract.replies import (
    Entry,
    Event,
    Exclusion,
    FullEntry,
    LaterLimits,
    Limits,
    Round,
    Table,
)
from croupier.house import events as house
from croupier.house.account_state import Account, Visit
from croupier.house.electronic.public_record import PUBLIC, kind
from croupier.house.live_streams import Head
from croupier.house.orders.rounds import is_waiting
from croupier.house.stored_events import Document, StoredEvent, stamp
from croupier.house.stored_events import Entry as StoredEntry
from croupier.house.table_state import TableState
from croupier.money import format_cents
from croupier.protocol import table_status
from croupier.rules.shelf import Shelf
from croupier.table import events as table
from croupier.table.event_views import event_rows, faces_field
from croupier.table.state import State, TableView

# Roles that see all tables, whether they run them or not.
SEE_ALL = frozenset({"supervisor", "manager", "operator", "inspector"})
ANOTHER = "another player"  # the thrower, if not the viewer
# Fields of event views that are keyed by players' names.
_OF_OTHERS = ("forfeit", "player_limits")
# Acts of staff that the person they are about is told of, without the name of who did them.
_ABOUT_THEM = frozenset({"ask_again", "take_silence", "confirm_late", "exclude_from_game", "exclude_from_casino"})
_SHOWN_OF_THEM = ("type", "act", "player", "person", "wager", "pick", "call", "clause")
# Facts that are on a public sign.
_ON_A_SIGN = ("table",)


class Viewer(NamedTuple):
    """The viewer: sees everything, or what one person may see; None is anonymous."""

    person: str | None = None
    all: bool = False


PUBLIC_VIEWER = Viewer()


def viewer(account: Account, state: TableState | None = None) -> Viewer:
    """Return the viewer for a person at a table."""
    role = None if state is None else state.staff.get(account.person)
    return Viewer(account.person or None, bool(account.roles & SEE_ALL) or role in account.roles)


class Shown:
    """One entry of a table's stream, for different viewers. What many share is computed once."""

    def __init__(self, view: TableView, entry: StoredEntry) -> None:
        self._view = view
        self._entry = entry
        self._places: dict[str, int] | None = None

    def concerns(self, person: str) -> bool:
        """Return whether a person sees more of it than others do."""
        document = self._entry.document
        return (
            document.who == person
            or person in _named(document.event)
            or _is_told(document.event, person)
            or self._own(document, person) is not None
        )

    def to(self, look: Viewer) -> Entry:
        """Return the view of the entry for a viewer."""
        document = self._entry.document
        if look.all:
            return full_entry(self._entry, self._rows(document.event))
        own = None if look.person is None else self._own(document, look.person)
        if own is None:
            rows = self._for_anybody(document.event, look.person)
        else:
            rows = [_without_others(row, look.person) for row in self._rows(own)]
        if look.person is not None and document.who == look.person:
            return full_entry(self._entry, rows)
        return Entry(
            version=self._entry.version,
            hash=self._entry.hash.hex(),
            at=document.at,
            type=kind(document.event),
            events=rows,
        )

    def _rows(self, event: StoredEvent) -> list[Event]:
        if isinstance(event, _OF_HOUSE):
            return [show_house_event(event)]
        rows = event_rows(self._view, event)  # type: ignore[arg-type]  # any other event is the game's
        return [row.plain() for row in rows]

    def _for_anybody(self, event: StoredEvent, person: str | None) -> list[Event]:
        if type(event) in PUBLIC:
            rows = [_without_others(row, person) for row in self._rows(event)]
            return [_without_player(row) for row in rows] if isinstance(event, _BY_PLAYERS) else rows
        match event:
            case table.AreaSettled():
                pick = self._view.shown_pick(event.area)
                told = {"wager": event.wager, "pick": pick, "result": event.result, "clause": event.clause}
                return [{"type": "area_settled", **told}]
            case table.ResultTakenBack():
                field, faces = faces_field(self._view, event.faces)
                return [{"type": "result_taken_back", field: faces, "clause": event.clause}]
            case table.ActDone() if _is_told(event, person):
                return [{name: row[name] for name in _SHOWN_OF_THEM if name in row} for row in self._rows(event)]
            case table.ActDone(call=str(call)):
                return [{"type": "act_done", "act": event.act, "call": call, "clause": event.clause}]
            case table.TurnPassed():
                return [{"type": "turn_passed", "clause": event.clause}]
        return []

    def _own(self, document: Document, person: str) -> StoredEvent | None:
        """Return the part of an event that is about one person."""
        event = document.event
        match event:
            case table.ActDone() | table.RulesShown():  # what a person did or asked for
                return event if document.who == person else None
            case table.AreaSettled():
                place = self._placed(stake[0] for stake in event.stakes).get(person)
                if place is None:
                    return None
                tokens = tuple(row for row in event.tokens if row[0] == person)
                checks = tuple(row for row in event.checks if row[0] == person)
                return msgspec.structs.replace(event, stakes=(event.stakes[place],), tokens=tokens, checks=checks)
            case table.ResultTakenBack():
                return _undone_of(event, person)
            case table.AreaMoved():
                place = self._placed(event.players).get(person)
                return None if place is None else msgspec.structs.replace(event, players=(person,))
        return event if getattr(event, "player", None) == person else None

    def _placed(self, players: Iterable[str]) -> dict[str, int]:
        if self._places is None:
            self._places = {player: place for place, player in enumerate(players)}
        return self._places


def _undone_of(event: table.ResultTakenBack, person: str) -> table.ResultTakenBack | None:
    """Return what an undone result had done to a person's wagers."""
    settled = tuple(
        msgspec.structs.replace(
            each,
            stakes=tuple(row for row in each.stakes if row[0] == person),
            tokens=tuple(row for row in each.tokens if row[0] == person),
            checks=tuple(row for row in each.checks if row[0] == person),
        )
        for each in event.settled
        if any(row[0] == person for row in each.stakes)
    )
    reduced = tuple(each for each in event.reduced if each.player == person)
    return msgspec.structs.replace(event, settled=settled, reduced=reduced, facts={}) if settled or reduced else None


def full_entry(entry: StoredEntry, events: list[Event]) -> FullEntry:
    """Return an entry with who did it, in which role, and by which order."""
    document = entry.document
    return FullEntry(
        version=entry.version,
        hash=entry.hash.hex(),
        at=document.at,
        type=kind(document.event),
        events=events,
        who=document.who,
        role=document.role,
        order=document.order,
    )


def _named(event: StoredEvent) -> Collection[str]:
    """Return who is named in an event that others see without the names."""
    match event:
        case table.Thrown(by=str(player)) | table.ThrowVoided(by=str(player)):
            return (player,)
        case table.OutcomeInvalidated():
            return event.forfeit
        case table.TableOpened() | table.SignChanged():
            return event.settings.player_limits
    return ()


def _is_told(event: StoredEvent, person: str | None) -> bool:
    """Return whether a person is told what staff did, because it is about them."""
    if person is None or not isinstance(event, table.ActDone) or event.act not in _ABOUT_THEM:
        return False
    return person in (event.said.get("player"), event.said.get("person"))


def _without_others(row: Event, person: str | None) -> Event:
    told = {name: value for name, value in row.items() if name not in _OF_OTHERS}
    for name in _OF_OTHERS:
        own = _only(row.get(name), person)
        if own:
            told[name] = own
    if told.get("by") not in (None, person):
        told["by"] = ANOTHER
    return told


def _without_player(row: Event) -> Event:
    return {name: value for name, value in row.items() if name != "player"}


def _only(told: object, person: str | None) -> object:
    """Return one person's part of a list of names, or of a mapping by name."""
    if isinstance(told, dict):
        return {name: value for name, value in told.items() if name == person}
    return [name for name in told if name == person] if isinstance(told, list) else None


# The table


def show_table(shelf: Shelf, state: TableState, head: Head, look: Viewer) -> Table:
    """Return the state of a table for a viewer."""
    book = shelf.game(state.game.terms[-1]).book
    return Table(
        table=state.name,
        title=state.title,
        book=book.id,
        version=head.version,
        zone=book.rules.book.timezone,
        hash=head.hash.hex(),
        open=state.game.facts.get("table") != "closed",
        players=len(state.game.chips),
        by_itself=state.rhythm is not None,
        round=show_round(state),
        seated=look.person in state.game.chips,
        staff=dict(state.staff) if look.all else None,
        **_holdings(shelf, state.game if look.all else _narrowed(state.game, look.person)),
    )


def _holdings(shelf: Shelf, game: State) -> dict[str, Any]:
    """Return what people hold and what the phases show, as fields of a table."""
    held = msgspec.structs.asdict(table_status(shelf, game))
    phases: dict[str, Any] = held.pop("phases")
    return held | phases


def _narrowed(game: State, person: str | None) -> State:
    """Return the game without anything that belongs to others."""
    own = person if person in game.chips or person in game.kept else None
    return msgspec.structs.replace(
        game,
        chips={own: game.chips[own]} if own is not None and own in game.chips else {},
        layout={area: {own: stakes[own]} for area, stakes in game.layout.items() if own in stakes}
        if own is not None
        else {},
        tokens={own: game.tokens[own]} if own in game.tokens else {},
        kept={own: game.kept[own]} if own is not None and own in game.kept else {},
        owing={person: game.owing[person]} if person is not None and person in game.owing else {},
        checks={own: game.checks[own]} if own in game.checks else {},
        facts={name: value for name, value in game.facts.items() if name in _ON_A_SIGN},
    )


def show_round(state: TableState) -> Round | None:
    """Return the round of a self-running table."""
    current = state.round
    if current is None:
        return None
    return Round(
        number=current.number,
        commitment=current.commitment,
        closes=stamp(current.closes),
        last_call=current.last_called,
        shut=current.shut is not None,
        waiting=is_waiting(state),
        protocol=current.protocol,
        numbers=len(current.numbers),
        brief=current.brief,
    )


# Accounts and their events


def show_account(account: Account, version: int, within: list[str] | None = None) -> replies.Account:
    """Return an account, for its owner and for staff who may see it."""
    later = None
    if account.later is not None and account.later_from is not None:
        later = LaterLimits(_money(account.later.loss), account.later.minutes, stamp(account.later_from))
    until = None if account.excluded_until is None else stamp(account.excluded_until)
    return replies.Account(
        person=account.person,
        name=account.name,
        roles=sorted(account.roles),
        card=account.card,
        chips=format_cents(account.chips),
        limits=Limits(_money(account.limits.loss), account.limits.minutes),
        later_limits=later,
        exclusion=Exclusion(until, account.excluded_by_house) if account.is_excluded else None,
        tables=[visit.table for visit in account.visits if visit.until is None],
        visits=[_visit(visit) for visit in account.visits],
        version=version,
        within=within,
    )


def _visit(visit: Visit) -> replies.Visit:
    taken, brought = format_cents(visit.taken), format_cents(visit.brought)
    until = None if visit.until is None else stamp(visit.until)
    return replies.Visit(visit.table, stamp(visit.since), taken, brought, until)


def show_account_entry(entry: StoredEntry) -> FullEntry:
    """Return one entry of an account's stream."""
    return full_entry(entry, [show_house_event(entry.document.event)])


def show_house_event(event: Any) -> Event:  # noqa: ANN401  # any event of the house
    """Return an event of the house as plain values, money as text."""
    plain: Event = msgspec.to_builtins(event)
    return {_MONEY.get(name, name): _TOLD[name](value) if name in _TOLD else value for name, value in plain.items()}


def _money(cents: int | None) -> str | None:
    return None if cents is None else format_cents(cents)


def _limits(told: dict[str, Any]) -> Event:
    return {"loss": _money(told["loss"]), "minutes": told["minutes"]}


_MONEY = {"cents": "amount"}
_TOLD: dict[str, Callable[[Any], object]] = {"cents": format_cents, "limits": _limits, "at_once": _limits}
_BY_PLAYERS = (house.NumberCommitted, house.NumberShown, house.PlayerReady)
_OF_HOUSE = (
    house.TableSet,
    house.StaffCame,
    house.StaffWent,
    house.PlayerAway,
    house.PlayerBack,
    house.RoundOpened,
    house.ClockSet,
    house.LastCalled,
    house.NumberCommitted,
    house.PlayerReady,
    house.BetsShut,
    house.NumberShown,
    house.DiceDrawn,
    house.RoundCancelled,
    house.AlertRaised,
    house.AlertAnswered,
    house.DutyAnswered,
)
