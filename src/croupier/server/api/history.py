"""Endpoints for the past of a table: what fell there, single rounds, and the caller's own visit."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from datetime import datetime
from threading import Lock
from typing import Annotated

from msgspec import Meta

from croupier.contract.replies import PastRound, ThrowCounts, VisitCourse
from croupier.contract.requests import EventNumber, TableName
from croupier.house.names import table_stream
from croupier.house.queries import (
    CourseOfVisit,
    ThrowCount,
    Viewer,
    Visit,
    first_since,
    public_record,
    round_at,
    round_by_number,
)
from croupier.server.api.tables import JSONL, in_pieces, look
from croupier.server.endpoints import ANYONE, SIGNED_IN, Request, Stream, get
from croupier.server.problems import Problem
from croupier.server.running_house import RunningHouse
from croupier.store.contract import Reading
from croupier.store.records import Record

MOST_VISITS = 256  # whose course is kept; one that is needed again is read again
PAGE = 500  # records read together

RoundNumber = Annotated[int, Meta(ge=1, le=2**53, description="The number of a round.")]


class _Followed:
    """What is counted of the tables of a house, so that each event is read once. One count goes on at a time.

    A request that is cancelled leaves its thread at work, so there is a lock for threads as well.
    """

    def __init__(self, running_house: RunningHouse) -> None:
        self.turn = asyncio.Lock()
        self._lock = Lock()
        self._store = running_house.store
        self._shelf = running_house.house.shelf
        self._counts: dict[str, ThrowCount] = {}
        self._visits: OrderedDict[tuple[str, str, datetime], CourseOfVisit] = OrderedDict()

    def counts(self, table: str, version: int, look: Viewer) -> ThrowCounts:
        """Go on with the count of a table. Raises StoreError, UnknownFormat."""
        with self._lock:
            count = self._counts.pop(table, None) or ThrowCount(self._shelf)  # one that fails is started over
            count.go_on(self._store, table_stream(table), version)
            self._counts[table] = count
            return count.shown(max(version, count.version), look)

    def visit(self, table: str, version: int, person: str, visit: Visit) -> VisitCourse:
        """Go on with the course of a visit. Raises StoreError, UnknownFormat."""
        stream, key = table_stream(table), (table, person, visit.since)
        with self._lock:
            course = self._visits.pop(key, None)
            if course is None:
                course = CourseOfVisit(person, first_since(self._store, stream, version, visit))
            course.go_on(self._store, stream, version)
            self._visits[key] = course
            while len(self._visits) > MOST_VISITS:
                self._visits.popitem(last=False)
            return course.shown(max(version, course.version), visit)


@get("/tables/{table}/counts", needs=ANYONE, summary="What fell at a table", tags=("tables",))
async def counts(request: Request, table: TableName) -> ThrowCounts:
    """How often each total or named result fell, over the last 48 and 200 throws and over all; the longest turns.

    It says what fell, never what is to be expected. Of a long past, 20,000 events at most are counted for one request:
    ask again while `counted` is less than `version`.
    """
    state, head, seen_by = await look(request, table)
    if not state.game.is_open:
        raise Problem(404, "not_open", "The table has not been opened yet: nothing fell there.")
    followed = request.once(_Followed)
    async with followed.turn:
        return await request.running_house.reading(followed.counts, table, head.version, seen_by)


@get("/tables/{table}/visit", needs=SIGNED_IN, summary="Your visit to a table", tags=("tables",))
async def visit(request: Request, table: TableName) -> VisitCourse:
    """Your chips after each result since you sat down, in hand and on the felt: of your latest visit to this table.

    The last 500 results are listed. Of a long visit, 20,000 events at most are read for one request: ask again while
    `counted` is less than `version`.
    """
    running_house, person = request.running_house, request.signed_in.person
    _, head = await running_house.table(table)
    account, _ = await running_house.account(person)
    latest = next((one for one in reversed(account.visits) if one.table == table), None)
    if latest is None:
        raise Problem(404, "no_visit", "You have not played at this table yet.")
    followed = request.once(_Followed)
    async with followed.turn:
        return await running_house.reading(followed.visit, table, head.version, person, latest)


@get("/tables/{table}/rounds/{round}", needs=ANYONE, summary="A round", tags=("tables",))
async def past_round(request: Request, table: TableName, round: RoundNumber) -> PastRound:  # in the path
    """The events of a round of a table that runs by itself. Read them, and the felts after each, to see it again."""
    return await _by_number(request, table, round)


@get("/tables/{table}/throws/{version}", needs=ANYONE, summary="The throw of an event", tags=("tables",))
async def past_throw(request: Request, table: TableName, version: EventNumber) -> PastRound:
    """The events of the throw that an event belongs to: the one that settled it, or else the next."""
    running_house = request.running_house
    await running_house.table(table)
    found = await running_house.reading(round_at, running_house.store, table_stream(table), version)
    if found is None:
        raise Problem(404, "no_such_event", f"The table has no event {version}.")
    return found


@get(
    "/tables/{table}/rounds/{round}/record", needs=ANYONE, summary="Record of a round", kinds=(JSONL,), tags=("tables",)
)
async def round_record(request: Request, table: TableName, round: RoundNumber) -> Stream:  # in the path
    """The lines of the public record about one round, and the line before them, to check this round alone."""
    found = await _by_number(request, table, round)
    running_house = request.running_house
    state, _ = await running_house.table(table)
    rules = running_house.house.shelf.game(state.game.terms[-1]).book.rules.throw
    stream = table_stream(table)
    lines = public_record(stream, rules, _records(running_house.store, stream, max(0, found.first - 2), found.last))
    headers = {"content-disposition": f'attachment; filename="{table}-round-{round}.jsonl"'}
    return Stream(await in_pieces(running_house, lines), JSONL, headers)


async def _by_number(request: Request, table: str, number: int) -> PastRound:
    running_house = request.running_house
    await running_house.table(table)
    found = await running_house.reading(round_by_number, running_house.store, table_stream(table), number)
    if found is None:
        raise Problem(404, "no_such_round", f"The table has no round {number}.")
    return found


def _records(store: Reading, stream: str, after: int, end: int) -> Iterator[Record]:
    while after < end:
        records = store.read(stream, after, min(PAGE, end - after))
        yield from records
        after = records[-1].version


ENDPOINTS = [counts, visit, past_round, past_throw, round_record]
