"""Endpoints for the floor: all tables at a glance, alerts, duties and open cases. For supervisors and above."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import JSONBody

from croupier.house import orders
from croupier.house.duties import DutiesShown, show_duties
from croupier.house.names import table_stream
from croupier.house.promotions import PromotionState
from croupier.house.stored_events import stamp
from croupier.house.views.events import Viewer
from croupier.house.views.floor import AlertsShown, CaseShown, FloorTable, show_alerts, show_cases, show_floor_table
from croupier.server.api.bodies import Body, Done
from croupier.server.api.commands import command, ordered
from croupier.server.api.errors import PROBLEMS
from croupier.server.api.promotions import PromotionName
from croupier.server.api.reports import report_worker_of
from croupier.server.api.requests import (
    KEEPING_BOOKS,
    SIGNED_IN,
    SUPERVISING,
    Ask,
    Key,
    TableName,
    running_house_of,
    signed_in,
)
from croupier.server.api.tables import look
from croupier.server.floor_figures import Glances


class FloorShown(msgspec.Struct, frozen=True):
    """All tables, and the time of the house, by which their clocks run."""

    at: str
    tables: list[FloorTable]


def _glances(request: Ask) -> Glances:
    """Return the figures of this house; create them on first use."""
    state = request.app.state
    if "glances" not in state:
        state.glances = Glances(running_house_of(request), report_worker_of(request))
    glances: Glances = state.glances
    return glances


@get("/floor", opt={"needs": SUPERVISING}, summary="All tables at a glance", responses=PROBLEMS, tags=["floor"])
async def floor(request: Ask) -> FloorShown:
    """State, limits, signs with their clocks, players, turnover, pace, and the win against what was to be expected."""
    running_house = running_house_of(request)
    glances, now, house = await _glances(request).at_hand(), running_house.clock(), running_house.house
    tables = [state for state in house.tables() if state.game.is_open]
    return FloorShown(
        stamp(now),
        [
            show_floor_table(
                house.shelf, state, house.head(table_stream(state.name)).version, now, glances.get(state.name)
            )
            for state in tables
        ],
    )


@get("/floor/alerts", opt={"needs": SUPERVISING}, summary="Alerts", responses=PROBLEMS, tags=["floor"])
async def alerts(request: Ask) -> AlertsShown:
    """What somebody must answer for, at all tables; what is to come; what was answered lately, by whom and how.

    `duties` are those that were not done in time: of promotions as well, for those who keep the books.
    """
    running_house = running_house_of(request)
    tables = [state for state in running_house.house.tables() if state.game.is_open]
    seen = promotions_shown(request)
    return await running_house.reading(show_alerts, running_house.house.shelf, tables, running_house.clock(), seen)


# Duties with a deadline: one list for those responsible, and answers for those not done in time


class DutyAnswerBody(Body, frozen=True, kw_only=True):
    """An answer for a duty: why it was not done in time, and what was done about it."""

    duty: Annotated[str, msgspec.Meta(min_length=1, max_length=400, description="A duty by its id.")]
    note: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    version: Annotated[int, msgspec.Meta(ge=0, description="Only if nothing has happened there since.")] | None = None


def promotions_shown(request: Ask) -> list[PromotionState]:
    """List the promotions whose duties the caller may see: all of them for those who keep the books."""
    running_house = running_house_of(request)
    may = running_house.acting(signed_in(request)).roles.intersection(KEEPING_BOOKS)
    return running_house.house.promotions() if may else []


@get("/duties", opt={"needs": SUPERVISING}, summary="Duties", responses=PROBLEMS, tags=["floor"])
async def duties(request: Ask) -> DutiesShown:
    """What is to be done in time at all tables, when, under which clause and by whom, and what was done lately.

    Managers, operators and inspectors see the duties of promotions as well.
    """
    running_house = running_house_of(request)
    house, seen = running_house.house, promotions_shown(request)
    return await running_house.reading(show_duties, house.shelf, house.tables(), seen, running_house.clock())


@command("/tables/{table:str}/duties/answer", "Answer for a duty at a table")
async def answer_duty(request: Ask, table: TableName, data: JSONBody[DutyAnswerBody], key: Key) -> Response[Done]:
    """For supervisors and above: of a duty that is overdue, or was done late; its alert is answered with it."""
    order = orders.AnswerDuty(table=table, version=data.version, duty=data.duty, note=data.note)
    return await ordered(request, key, order)


@command("/promotions/{promotion:str}/duties/answer", "Answer for a duty of a promotion")
async def answer_promotion_duty(
    request: Ask, promotion: PromotionName, data: JSONBody[DutyAnswerBody], key: Key
) -> Response[Done]:
    """For managers and operators: of a duty that is overdue, or was done late."""
    order = orders.AnswerPromotionDuty(promotion=promotion, version=data.version, duty=data.duty, note=data.note)
    return await ordered(request, key, order)


# Open cases: disputes, errors and wrong payments that await a next step


@get("/tables/{table:str}/cases", opt={"needs": SIGNED_IN}, summary="Open cases", responses=PROBLEMS, tags=["tables"])
async def table_cases(request: Ask, table: TableName) -> list[CaseShown]:
    """Who disputes what, since when, and what comes next. Players see their own, staff all of the table."""
    state, _, seen_by = await look(request, table)
    tables = [state] if state.game.is_open else []
    return show_cases(running_house_of(request).house.shelf, tables, seen_by)


@get("/floor/cases", opt={"needs": SUPERVISING}, summary="All open cases", responses=PROBLEMS, tags=["floor"])
async def floor_cases(request: Ask) -> list[CaseShown]:
    """The open cases of all tables, the oldest first."""
    house = running_house_of(request).house
    tables = [state for state in house.tables() if state.game.is_open]
    return show_cases(house.shelf, tables, Viewer(all=True))


HANDLERS = [floor, alerts, duties, answer_duty, answer_promotion_duty, table_cases, floor_cases]
