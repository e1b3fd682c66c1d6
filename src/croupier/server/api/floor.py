"""The floor: all tables at a glance and the alerts, for those who supervise."""

from __future__ import annotations

import msgspec
from litestar import get

from croupier.house.documents import stamp
from croupier.house.floors import AlertsShown, FloorTable, show_alerts, show_floor_table
from croupier.house.streams import table_stream
from croupier.server.api.asks import SUPERVISING, Ask, premises_of
from croupier.server.api.duties import promotions_shown
from croupier.server.api.errors import PROBLEMS
from croupier.server.api.reports import reckoning_of
from croupier.server.glancing import Glances


class FloorShown(msgspec.Struct, frozen=True):
    """All tables, and the time of the house by which their clocks run."""

    at: str
    tables: list[FloorTable]


def _glances(request: Ask) -> Glances:
    """The figures of this house; they are begun when they are first asked for."""
    state = request.app.state
    if "glances" not in state:
        state.glances = Glances(premises_of(request), reckoning_of(request))
    glances: Glances = state.glances
    return glances


@get("/floor", opt={"needs": SUPERVISING}, summary="All tables at a glance", responses=PROBLEMS, tags=["floor"])
async def floor(request: Ask) -> FloorShown:
    """State, limits, signs with their clocks, players, turnover, pace, and the win against what was to be expected."""
    premises = premises_of(request)
    glances, now, house = await _glances(request).at_hand(), premises.clock(), premises.house
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
    premises = premises_of(request)
    tables = [state for state in premises.house.tables() if state.game.is_open]
    seen = promotions_shown(request)
    return await premises.reading(show_alerts, premises.house.shelf, tables, premises.clock(), seen)


HANDLERS = [floor, alerts]
