"""Endpoints for the floor: all tables at a glance, alerts, duties and open cases. For supervisors and above."""

from __future__ import annotations

import asyncio
import logging

from croupier.contract.management import Alerts, Duties, Floor, Glance
from croupier.contract.replies import Case
from croupier.contract.requests import TableName
from croupier.house.names import table_stream
from croupier.house.queries import (
    PromotionState,
    Viewer,
    show_alerts,
    show_cases,
    show_duties,
    show_floor_table,
)
from croupier.house.stored_events import stamp
from croupier.server.api.requests import KEEPING_BOOKS, SUPERVISING
from croupier.server.api.tables import look
from croupier.server.endpoints import SIGNED_IN, Request, get
from croupier.server.reports import ReportWorker
from croupier.server.running_house import RunningHouse
from croupier.store.contract import StoreError

PATIENCE = 1.5  # seconds a request waits for the newest figures before it gets the last known ones

log = logging.getLogger("croupier.server")


class Glances:
    """The newest figures of all tables, computed once for all callers, and only where something is new."""

    def __init__(self, running_house: RunningHouse, report_worker: ReportWorker) -> None:
        self._running_house = running_house
        self._report_worker = report_worker
        self._known: dict[str, Glance] = {}
        self._under_way: asyncio.Task[None] | None = None

    async def at_hand(self) -> dict[str, Glance]:
        """Return the figures by table, without a long wait; a table that is missing is still being computed."""
        if self._under_way is None or self._under_way.done():
            self._under_way = asyncio.create_task(self._refresh(), name="croupier-glances")
        await asyncio.wait([self._under_way], timeout=PATIENCE)
        return self._known

    async def _refresh(self) -> None:
        house, now = self._running_house.house, self._running_house.clock()
        for state in house.tables():
            stream = table_stream(state.name)
            if stream in self._running_house.damaged:
                continue
            zone = house.shelf.game(state.game.terms[-1]).book.rules.book.timezone
            try:
                glance = await self._report_worker.glance(state.name, house.head(stream).version, zone, now)
            except StoreError as error:
                self._running_house.note_damage(error)
                log.error("no figures of %s", stream, extra={"reason": str(error)})
                continue
            self._known[state.name] = glance


def _glances(running_house: RunningHouse) -> Glances:
    return Glances(running_house, running_house.report_worker)


@get("/floor", needs=SUPERVISING, summary="All tables at a glance", tags=("floor",))
async def floor(request: Request) -> Floor:
    """State, limits, signs with their clocks, players, turnover, pace, and the win against the expected win."""
    running_house = request.running_house
    glances, now, house = await request.once(_glances).at_hand(), running_house.clock(), running_house.house
    tables = [state for state in house.tables() if state.game.is_open]
    return Floor(
        stamp(now),
        [
            show_floor_table(
                house.shelf, state, house.head(table_stream(state.name)).version, now, glances.get(state.name)
            )
            for state in tables
        ],
    )


@get("/floor/alerts", needs=SUPERVISING, summary="Alerts", tags=("floor",))
async def alerts(request: Request) -> Alerts:
    """Open, upcoming and recently answered alerts of all tables, with who answered and how.

    `duties` are those that were not done in time; people who keep the books also see those of promotions.
    """
    running_house = request.running_house
    tables = [state for state in running_house.house.tables() if state.game.is_open]
    seen = promotions_shown(request)
    return await running_house.reading(show_alerts, running_house.house.shelf, tables, running_house.clock(), seen)


def promotions_shown(request: Request) -> list[PromotionState]:
    """List the promotions whose duties the caller may see: all of them if the caller keeps the books."""
    running_house = request.running_house
    may = running_house.acting(request.signed_in).roles.intersection(KEEPING_BOOKS)
    return running_house.house.promotions() if may else []


@get("/duties", needs=SUPERVISING, summary="Duties", tags=("floor",))
async def duties(request: Request) -> Duties:
    """What must be done in time at all tables: when, under which clause and by whom; and what was done recently.

    Managers, operators and inspectors see the duties of promotions as well.
    """
    running_house = request.running_house
    house, seen = running_house.house, promotions_shown(request)
    return await running_house.reading(show_duties, house.shelf, house.tables(), seen, running_house.clock())


@get("/tables/{table}/cases", needs=SIGNED_IN, summary="Open cases", tags=("tables",))
async def table_cases(request: Request, table: TableName) -> list[Case]:
    """Open disputes: who, since when, and the next step. Players see their own, staff see all of the table."""
    state, _, seen_by = await look(request, table)
    tables = [state] if state.game.is_open else []
    return show_cases(request.running_house.house.shelf, tables, seen_by)


@get("/floor/cases", needs=SUPERVISING, summary="All open cases", tags=("floor",))
async def floor_cases(request: Request) -> list[Case]:
    """The open cases of all tables, the oldest first."""
    house = request.running_house.house
    tables = [state for state in house.tables() if state.game.is_open]
    return show_cases(house.shelf, tables, Viewer(all=True))


ENDPOINTS = [floor, alerts, duties, table_cases, floor_cases]
