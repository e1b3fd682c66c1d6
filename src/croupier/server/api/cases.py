"""Open cases: disputes, errors and wrong payments that wait for a next step."""

from __future__ import annotations

from litestar import get

from croupier.house.cases import CaseShown, show_cases
from croupier.house.showing import Eyes
from croupier.server.api.asks import SIGNED_IN, SUPERVISING, Ask, TableName, premises_of
from croupier.server.api.errors import PROBLEMS
from croupier.server.api.tables import look


@get("/tables/{table:str}/cases", opt={"needs": SIGNED_IN}, summary="Open cases", responses=PROBLEMS, tags=["tables"])
async def table_cases(request: Ask, table: TableName) -> list[CaseShown]:
    """Who disputes what, since when, and what comes next. Players see their own, staff all of the table."""
    state, _, seen_by = await look(request, table)
    tables = [state] if state.game.is_open else []
    return show_cases(premises_of(request).house.shelf, tables, seen_by)


@get("/floor/cases", opt={"needs": SUPERVISING}, summary="All open cases", responses=PROBLEMS, tags=["floor"])
async def floor_cases(request: Ask) -> list[CaseShown]:
    """The open cases of all tables, the oldest first."""
    house = premises_of(request).house
    tables = [state for state in house.tables() if state.game.is_open]
    return show_cases(house.shelf, tables, Eyes(all=True))


HANDLERS = [table_cases, floor_cases]
