"""One's own past: every wager that was settled, with what fell and the clause that settled it."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from croupier.house.past_wagers import PastWagers, past_wagers
from croupier.house.streams import table_stream
from croupier.server.api.asks import SIGNED_IN, Ask, premises_of, signed_in
from croupier.server.api.errors import PROBLEMS
from croupier.table.view import TableView

AtTable = Annotated[str, QueryParameter(name="table", max_length=40, description="A table by its name.")]
Before = Annotated[
    int | None,
    QueryParameter(name="before", ge=1, le=2**53, description="Only what was settled before this event."),
]
Wagers = Annotated[int, QueryParameter(name="limit", ge=1, le=200, description="At most so many.")]


@get("/me/wagers", opt={"needs": SIGNED_IN}, summary="One's own past wagers", responses=PROBLEMS, tags=["accounts"])
async def my_wagers(request: Ask, table: AtTable, before: Before = None, limit: Wagers = 50) -> PastWagers:
    """What was settled at a table, the newest first: stake, result, paid, returned, and the clause.

    The table's stream is read backwards, 10,000 events at most. So a page may have fewer than asked for, or none, and
    all the same a `next` to go on with.
    """
    premises, person = premises_of(request), signed_in(request).person
    state, _ = await premises.table(table)
    view = TableView(premises.house.shelf, state.game)
    return await premises.reading(past_wagers, premises.store, table_stream(table), view, person, before, limit)


HANDLERS = [my_wagers]
