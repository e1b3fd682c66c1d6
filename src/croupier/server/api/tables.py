"""Endpoints for tables: their state, their events, their state at any event, and the public record."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Annotated

from litestar import get
from litestar.params import PathParameter, QueryParameter
from litestar.response import Stream

from croupier.contract.management import CorrectionPreview
from croupier.contract.replies import Drawing, Entries, Entry, Felt, ListedTable, Table
from croupier.house.electronic.public_record import public_record
from croupier.house.live_streams import Head
from croupier.house.names import table_stream
from croupier.house.stored_events import read
from croupier.house.tables import TableState
from croupier.house.views.console import possible_acts
from croupier.house.views.correction import preview_correction, preview_void
from croupier.house.views.events import Shown, Viewer, list_table, show_table
from croupier.house.views.history import Replays
from croupier.house.views.table import draw_table, show_felt
from croupier.server.api.errors import PROBLEMS
from croupier.server.api.requests import ANYONE, SIGNED_IN, After, Ask, Limit, TableName, running_house_of, signed_in
from croupier.server.problems import REFUSED, STATUS, Problem
from croupier.server.running_house import RunningHouse
from croupier.store.contract import Store
from croupier.store.exporting import every_record
from croupier.table.refusals import Refusal
from croupier.table.state import TableView

JSONL = "application/jsonl"


async def look(request: Ask, table: str) -> tuple[TableState, Head, Viewer]:
    """Return a table, its head, and the caller's view of it."""
    running_house = running_house_of(request)
    state, head = await running_house.table(table)
    if request.user is not None:
        await running_house.account(request.user.person)
    return state, head, running_house.look(request.user, table)


@get("/tables", opt={"needs": ANYONE}, summary="All tables", responses=PROBLEMS, tags=["tables"])
async def tables(request: Ask) -> list[ListedTable]:
    """Every table of the house, as anybody may see it: with its limits, what is thrown there, and what `fell` last."""
    running_house = running_house_of(request)
    return [
        list_table(running_house.house.shelf, state, running_house.house.head(table_stream(state.name)))
        for state in running_house.house.tables()
    ]


@get("/tables/{table:str}", opt={"needs": ANYONE}, summary="A table", responses=PROBLEMS, tags=["tables"])
async def table(request: Ask, table: TableName) -> Table:
    """How it stands; players see their own chips and wagers, staff all of them."""
    state, head, seen_by = await look(request, table)
    return show_table(running_house_of(request).house.shelf, state, head, seen_by)


@get(
    "/tables/{table:str}/drawing",
    opt={"needs": ANYONE},
    summary="To be drawn",
    responses=PROBLEMS,
    tags=["tables"],
)
async def drawing(request: Ask, table: TableName) -> Drawing:
    """The betting areas with what each pays, the limits, the dice: all that does not change from throw to throw.

    It is to be drawn again when `terms` is another than before.
    """
    state, _, seen_by = await look(request, table)
    running_house = running_house_of(request)
    if not state.game.is_open:
        raise Problem(404, "not_open", "The table has not been opened yet: it has no felt.")
    return await running_house.reading(draw_table, running_house.house.shelf, state, seen_by)


@get("/tables/{table:str}/felt", opt={"needs": ANYONE}, summary="A table's felt", responses=PROBLEMS, tags=["tables"])
async def felt(request: Ask, table: TableName) -> Felt:
    """How the table stands, with what has fallen, the areas that won, the lamps and who throws. Also told live."""
    state, head, seen_by = await look(request, table)
    running_house = running_house_of(request)
    return show_felt(running_house.house.shelf, state, head, seen_by, running_house.processor.clock())


@get("/tables/{table:str}/events", opt={"needs": ANYONE}, summary="History", responses=PROBLEMS, tags=["tables"])
async def events(request: Ask, table: TableName, after: After = 0, limit: Limit = 100) -> Entries:
    """What happened at a table, as far as whoever asks may see it."""
    state, _, seen_by = await look(request, table)
    running_house = running_house_of(request)
    view = TableView(running_house.house.shelf, state.game)
    return await running_house.reading(_page, running_house.store, table_stream(table), after, limit, view, seen_by)


def _page(store: Store, stream: str, after: int, limit: int, view: TableView, look: Viewer) -> Entries:
    records = store.read(stream, after, limit)
    entries: list[Entry] = [Shown(view, entry).to(look) for entry in map(read, records)]
    return Entries(entries, records[-1].version if len(records) == limit else None)


Fallen = Annotated[str | None, QueryParameter(name="faces", max_length=20, description="What fell: 4-3, or HT.")]
Ground = Annotated[str | None, QueryParameter(name="reason", max_length=20, description="The clause: 9.4(a).")]
Forfeiting = Annotated[list[str] | None, QueryParameter(name="forfeit", description="Whose wagers are forfeited.")]


@get(
    "/tables/{table:str}/correction",
    opt={"needs": SIGNED_IN},
    summary="What a correction would change",
    responses=PROBLEMS,
    tags=["tables"],
)
async def correction(
    request: Ask, table: TableName, faces: Fallen = None, reason: Ground = None, forfeit: Forfeiting = None
) -> CorrectionPreview:
    """What it would change to correct the latest result to these faces, for those who run the table and may do it.

    With `reason` instead, to declare it invalid on that ground. Nothing happens. It is refused as the thing itself
    would be.
    """
    if (faces is None) == (reason is None):
        raise Problem(400, "bad_request", "Say either faces or reason.")
    state, _, _ = await look(request, table)
    running_house, person = running_house_of(request), signed_in(request).person
    role = state.staff.get(person)
    if role is None or role not in running_house.acting(signed_in(request)).roles:
        raise Problem(403, "not_at_table", "Only those who run the table see what a correction would change.")
    shelf, now = running_house.house.shelf, running_house.processor.clock()
    if reason is not None:
        found = preview_void(shelf, state, person, role, reason, forfeit or [], now)
    else:
        found = preview_correction(shelf, state, person, role, faces or "", now)
    if isinstance(found, Refusal):
        raise Problem(STATUS.get(found.code, REFUSED), found.code, found.message, found.clause)
    return found


@get(
    "/tables/{table:str}/acts",
    opt={"needs": SIGNED_IN},
    summary="Acts possible now",
    responses=PROBLEMS,
    tags=["tables"],
)
async def acts_now(request: Ask, table: TableName) -> list[str]:
    """The acts that the table would take from you just now, as far as trying them tells. None without post or seat."""
    state, _, _ = await look(request, table)
    running_house = running_house_of(request)
    now = running_house.processor.clock()
    return await running_house.reading(possible_acts, running_house.house.shelf, state, signed_in(request).person, now)


Version = Annotated[int, PathParameter(ge=1, le=2**53, description="The number of an event.")]


@get(
    "/tables/{table:str}/at/{version:int}", opt={"needs": ANYONE}, summary="Replay", responses=PROBLEMS, tags=["tables"]
)
async def replay(request: Ask, table: TableName, version: Version) -> Table:
    """How a table stood after an event: its stream is played again up to there."""
    state, head, seen_by = await _replayed(request, table, version)
    return show_table(running_house_of(request).house.shelf, state, head, seen_by)


@get(
    "/tables/{table:str}/at/{version:int}/felt",
    opt={"needs": ANYONE},
    summary="Replay on the felt",
    responses=PROBLEMS,
    tags=["tables"],
)
async def replay_felt(request: Ask, table: TableName, version: Version) -> Felt:
    """The felt as it was after an event."""
    state, head, seen_by = await _replayed(request, table, version)
    running_house = running_house_of(request)
    return show_felt(running_house.house.shelf, state, head, seen_by, running_house.processor.clock())


@get(
    "/tables/{table:str}/at/{version:int}/drawing",
    opt={"needs": ANYONE},
    summary="To be drawn, as it was",
    responses=PROBLEMS,
    tags=["tables"],
)
async def replay_drawing(request: Ask, table: TableName, version: Version) -> Drawing:
    """The areas, odds and limits that the table had at an event: its rules or its sign may have changed since."""
    state, _, seen_by = await _replayed(request, table, version)
    running_house = running_house_of(request)
    return await running_house.reading(draw_table, running_house.house.shelf, state, seen_by)


def _replays(request: Ask) -> Replays:
    """Return the replays of this house; they share one cache."""
    state = request.app.state
    if "replays" not in state:
        state.replays = Replays(running_house_of(request).store)
    replays: Replays = state.replays
    return replays


def _turn(request: Ask) -> asyncio.Lock:
    """Allow one replay at a time: it may take long, and anyone may ask for it. Other reads do not wait for it."""
    state = request.app.state
    if "replay_turn" not in state:
        state.replay_turn = asyncio.Lock()
    turn: asyncio.Lock = state.replay_turn
    return turn


async def _replayed(request: Ask, table: str, version: int) -> tuple[TableState, Head, Viewer]:
    _, head, seen_by = await look(request, table)
    if version > head.version:
        raise Problem(404, "no_such_event", f"The table has come to event {head.version}, not to {version}.")
    running_house = running_house_of(request)
    async with _turn(request):
        state, there = await running_house.reading(_replays(request).at, table_stream(table), version)
    assert isinstance(state, TableState), "it is the stream of a table"
    if not state.game.is_open:
        raise Problem(404, "no_such_event", f"At event {version} the table was not open yet.")
    return state, there, seen_by


@get(
    "/tables/{table:str}/record",
    opt={"needs": ANYONE},
    summary="The public record",
    media_type=JSONL,
    responses=PROBLEMS,
    tags=["tables"],
)
async def record(request: Ask, table: TableName) -> Stream:
    """JSON Lines for `croupier verify-dice`: every throw, nobody's name."""
    state, _, _ = await look(request, table)
    running_house = running_house_of(request)
    rules = running_house.house.shelf.game(state.game.terms[-1]).book.rules.throw
    stream = table_stream(table)
    lines = public_record(stream, rules, every_record(running_house.store, stream))
    headers = {"content-disposition": f'attachment; filename="{table}.jsonl"'}
    return Stream(await in_pieces(running_house, lines), media_type=JSONL, headers=headers)


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


HANDLERS = [tables, table, drawing, felt, events, correction, acts_now, replay, replay_felt, replay_drawing, record]
