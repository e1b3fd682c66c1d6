"""Receipts that are asked for: what the house signs of any event of a table, for anybody."""

from __future__ import annotations

from litestar import get

from croupier.house.streams import table_stream
from croupier.server.api.asks import ANYONE, Ask, TableName, network, premises_of
from croupier.server.api.errors import PROBLEMS
from croupier.server.api.tables import Version
from croupier.server.problems import Problem
from croupier.store.receipts import Receipt


@get(
    "/tables/{table:str}/receipts/{version:int}",
    opt={"needs": ANYONE},
    summary="A receipt",
    responses=PROBLEMS,
    tags=["tables"],
)
async def receipt(request: Ask, table: TableName, version: Version) -> Receipt:
    """What the house signs: the hash of the table's record at this event. It names nobody, and is for anybody.

    Who holds an older one compares the two: the same event never has another hash.
    """
    premises = premises_of(request)
    premises.receipt_rate.check(_asker(request))
    _, head = await premises.table(table)
    made = await premises.desk.receipt(table_stream(table), version)
    if made is None:
        raise Problem(404, "no_such_event", f"The table has come to event {head.version}, not to {version}.")
    return made


def _asker(request: Ask) -> str:
    if request.user is not None:
        return f"person {request.user.person}"
    return network(request)


HANDLERS = [receipt]
