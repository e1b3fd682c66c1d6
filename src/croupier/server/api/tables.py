"""Endpoints for tables: their state, their events, their state at any event, and the public record."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, NamedTuple

from msgspec import Meta

from croupier.contract.management import CorrectionPreview
from croupier.contract.replies import Drawing, Entries, Entry, Felt, ListedTable, NextThrow, Table
from croupier.contract.requests import EventNumber, TableName
from croupier.house.live_streams import Head
from croupier.house.names import table_stream
from croupier.house.queries import (
    Replays,
    Shown,
    TableState,
    Viewer,
    draw_table,
    list_table,
    possible_acts,
    preview_correction,
    preview_void,
    public_record,
    show_felt,
    show_next_throw,
    show_table,
)
from croupier.house.stored_events import read
from croupier.server.api.requests import After, Limit
from croupier.server.endpoints import ANYONE, SIGNED_IN, Request, Response, Stream, get, packed_reply
from croupier.server.problems import REFUSED, STATUS, Problem
from croupier.server.running_house import RunningHouse
from croupier.store.contract import Store
from croupier.store.exporting import every_record
from croupier.table.refusals import Refusal
from croupier.table.state import TableView

JSONL = "application/jsonl"


async def look(request: Request, table: str) -> tuple[TableState, Head, Viewer]:
    """Return a table, its head, and the caller's view of it."""
    running_house = request.running_house
    state, head = await running_house.table(table)
    if request.caller is not None:
        await running_house.account(request.caller.person)
    return state, head, running_house.look(request.caller, table)


@get("/tables", needs=ANYONE, summary="All tables", tags=("tables",))
async def tables(request: Request) -> list[ListedTable]:
    """Every table of the house as the public sees it: its limits, what is thrown there, and what `fell` last."""
    running_house = request.running_house
    return [
        list_table(running_house.house.shelf, state, running_house.house.head(table_stream(state.name)))
        for state in running_house.house.tables()
    ]


@get("/tables/{table}", needs=ANYONE, summary="A table", tags=("tables",))
async def table(request: Request, table: TableName) -> Table:
    """The state of the table. Players see their own chips and wagers, staff see all of them."""
    state, head, seen_by = await look(request, table)
    return show_table(request.running_house.house.shelf, state, head, seen_by)


@get("/tables/{table}/drawing", needs=ANYONE, summary="Drawing of a felt", tags=("tables",))
async def drawing(request: Request, table: TableName) -> Response[Drawing]:
    """The betting areas with what each pays, the limits, the dice: all that does not change from throw to throw.

    Draw it again when `terms` changes.
    """
    state, _, seen_by = await look(request, table)
    running_house = request.running_house
    if not state.game.is_open:
        raise Problem(404, "not_open", "The table has not been opened yet: it has no felt.")
    drawn = await running_house.reading(draw_table, running_house.house.shelf, state, seen_by)
    return await running_house.reading(packed_reply, drawn, request.takes_gzip)


@get("/tables/{table}/felt", needs=ANYONE, summary="A table's felt", tags=("tables",))
async def felt(request: Request, table: TableName) -> Felt:
    """The state of the table with results, winning areas, lamps and the thrower. Also sent live."""
    state, head, seen_by = await look(request, table)
    running_house = request.running_house
    return show_felt(running_house.house.shelf, state, head, seen_by, running_house.processor.clock())


@get("/tables/{table}/next", needs=ANYONE, summary="The next throw", tags=("tables",))
async def next_throw(request: Request, table: TableName) -> Response[NextThrow]:
    """What every outcome of the next throw would do: to each betting area, and to your own wagers.

    It says what wins and what is paid, never how likely that is.
    """
    state, head, seen_by = await look(request, table)
    if not state.game.is_open:
        raise Problem(404, "not_open", "The table has not been opened yet: it has no felt.")
    running_house = request.running_house
    shown = await running_house.reading(show_next_throw, running_house.house.shelf, state, head, seen_by)
    return await running_house.reading(packed_reply, shown, request.takes_gzip)


@get("/tables/{table}/events", needs=ANYONE, summary="History", tags=("tables",))
async def events(request: Request, table: TableName, after: After = 0, limit: Limit = 100) -> Entries:
    """What happened at a table, as far as the caller may see it."""
    state, _, seen_by = await look(request, table)
    running_house = request.running_house
    view = TableView(running_house.house.shelf, state.game)
    return await running_house.reading(_page, running_house.store, table_stream(table), after, limit, view, seen_by)


def _page(store: Store, stream: str, after: int, limit: int, view: TableView, look: Viewer) -> Entries:
    records = store.read(stream, after, limit)
    entries: list[Entry] = [Shown(view, entry).to(look) for entry in map(read, records)]
    return Entries(entries, records[-1].version if len(records) == limit else None)


Fallen = Annotated[str | None, Meta(max_length=20, description="The faces: 4-3, or HT.")]


Ground = Annotated[str | None, Meta(max_length=20, description="The clause, such as 9.4(a).")]


Forfeiting = Annotated[list[str] | None, Meta(description="The players whose wagers are forfeited.")]


@get("/tables/{table}/correction", needs=SIGNED_IN, summary="What a correction would change", tags=("tables",))
async def correction(
    request: Request, table: TableName, faces: Fallen = None, reason: Ground = None, forfeit: Forfeiting = None
) -> CorrectionPreview:
    """What it would change to correct the latest result to these faces, for those who run the table and may do it.

    With `reason` instead, to declare it invalid on that ground. Nothing happens. It is refused as the thing itself
    would be.
    """
    if (faces is None) == (reason is None):
        raise Problem(400, "bad_request", "Give either faces or reason.")
    state, _, _ = await look(request, table)
    running_house, person = request.running_house, request.signed_in.person
    role = state.staff.get(person)
    if role is None or role not in running_house.acting(request.signed_in).roles:
        raise Problem(403, "not_at_table", "Only staff at the table can see what a correction would change.")
    shelf, now = running_house.house.shelf, running_house.processor.clock()
    if reason is not None:
        found = preview_void(shelf, state, person, role, reason, forfeit or [], now)
    else:
        found = preview_correction(shelf, state, person, role, faces or "", now)
    if isinstance(found, Refusal):
        raise Problem(STATUS.get(found.code, REFUSED), found.code, found.message, found.clause)
    return found


@get("/tables/{table}/acts", needs=SIGNED_IN, summary="Acts possible now", tags=("tables",))
async def acts_now(request: Request, table: TableName) -> list[str]:
    """The acts that the table would accept from you now, found by trying them. None without a post or a seat."""
    state, _, _ = await look(request, table)
    running_house = request.running_house
    now = running_house.processor.clock()
    return await running_house.reading(possible_acts, running_house.house.shelf, state, request.signed_in.person, now)


@get("/tables/{table}/at/{version}", needs=ANYONE, summary="Replay", tags=("tables",))
async def replay(request: Request, table: TableName, version: EventNumber) -> Table:
    """The state of a table after an event, replayed from its stream."""
    state, head, seen_by = await _replayed(request, table, version)
    return show_table(request.running_house.house.shelf, state, head, seen_by)


@get("/tables/{table}/at/{version}/felt", needs=ANYONE, summary="Replay on the felt", tags=("tables",))
async def replay_felt(request: Request, table: TableName, version: EventNumber) -> Felt:
    """The felt as it was after an event."""
    state, head, seen_by = await _replayed(request, table, version)
    running_house = request.running_house
    return show_felt(running_house.house.shelf, state, head, seen_by, running_house.processor.clock())


@get("/tables/{table}/at/{version}/drawing", needs=ANYONE, summary="Drawing as of an event", tags=("tables",))
async def replay_drawing(request: Request, table: TableName, version: EventNumber) -> Response[Drawing]:
    """The areas, odds and limits that the table had at an event: its rules or its sign may have changed since."""
    state, _, seen_by = await _replayed(request, table, version)
    running_house = request.running_house
    drawn = await running_house.reading(draw_table, running_house.house.shelf, state, seen_by)
    return await running_house.reading(packed_reply, drawn, request.takes_gzip)


class _Replaying(NamedTuple):
    """The replays of a house, which share a cache. One runs at a time: it may take long, and anyone may ask for it."""

    replays: Replays
    turn: asyncio.Lock


def _replaying(running_house: RunningHouse) -> _Replaying:
    return _Replaying(Replays(running_house.store), asyncio.Lock())


async def _replayed(request: Request, table: str, version: int) -> tuple[TableState, Head, Viewer]:
    _, head, seen_by = await look(request, table)
    if version > head.version:
        raise Problem(404, "no_such_event", f"The table's last event is {head.version}; there is no event {version}.")
    running_house = request.running_house
    replaying = request.once(_replaying)
    async with replaying.turn:
        state, there = await running_house.reading(replaying.replays.at, table_stream(table), version)
    assert isinstance(state, TableState), "it is the stream of a table"
    if not state.game.is_open:
        raise Problem(404, "no_such_event", f"At event {version} the table was not open yet.")
    return state, there, seen_by


@get("/tables/{table}/record", needs=ANYONE, summary="The public record", kinds=(JSONL,), tags=("tables",))
async def record(request: Request, table: TableName) -> Stream:
    """JSON Lines for `croupier verify-dice`: every throw, without names."""
    state, _, _ = await look(request, table)
    running_house = request.running_house
    rules = running_house.house.shelf.game(state.game.terms[-1]).book.rules.throw
    stream = table_stream(table)
    lines = public_record(stream, rules, every_record(running_house.store, stream))
    headers = {"content-disposition": f'attachment; filename="{table}.jsonl"'}
    return Stream(await in_pieces(running_house, lines), JSONL, headers)


async def in_pieces(running_house: RunningHouse, lines: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield lines from a store in pieces, made in a thread.

    The first piece is made at once, so that an error can still be returned instead.
    """

    def some() -> bytes:
        taken: list[bytes] = []
        for line in lines:
            taken.append(line)
            if len(taken) == 1000:
                break
        return b"".join(taken)

    first = await running_house.reading(some)

    async def pieces() -> AsyncIterator[bytes]:
        piece = first
        while piece:
            yield piece
            piece = await running_house.reading(some)

    return pieces()


ENDPOINTS = [
    tables, table, drawing, felt, next_throw, events, correction, acts_now, replay, replay_felt, replay_drawing, record,
]  # fmt: skip
