"""Endpoints for accounts: the caller's own and their past wagers; for supervisors, everyone's."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import get
from litestar.params import QueryParameter
from msgspec.structs import asdict

from croupier.contract.management import RefusedCommand, RefusedCommands
from croupier.contract.replies import Account, Entries, OwnAccount, PastWagers
from croupier.house.names import ACCOUNTS, account_stream, name_of, table_stream
from croupier.house.stored_events import read
from croupier.house.views.events import show_account, show_account_entry
from croupier.house.views.history import past_wagers
from croupier.server.api.errors import PROBLEMS
from croupier.server.api.requests import (
    KEEPING_BOOKS,
    SIGNED_IN,
    SUPERVISING,
    After,
    AfterName,
    Ask,
    Containing,
    Limit,
    PersonName,
    running_house_of,
    signed_in,
)
from croupier.server.running_house import RunningHouse
from croupier.store.contract import Store
from croupier.table.state import TableView


@get("/me", opt={"needs": SIGNED_IN}, summary="One's own account", responses=PROBLEMS, tags=["accounts"])
async def me(request: Ask) -> OwnAccount:
    """Chips, roles, limits, at which tables; `within`, the roles that this request may use; for a page, `csrf`."""
    running_house, asker = running_house_of(request), signed_in(request)
    account, head = await running_house.account(asker.person)
    within = sorted(running_house.acting(asker).roles)
    return OwnAccount(**asdict(show_account(account, head.version, within)), csrf=asker.csrf)


@get("/me/events", opt={"needs": SIGNED_IN}, summary="One's own history", responses=PROBLEMS, tags=["accounts"])
async def my_events(request: Ask, after: After = 0, limit: Limit = 100) -> Entries:
    """Everything that happened to one's own account."""
    return await _page(running_house_of(request), signed_in(request).person, after, limit)


@get("/accounts", opt={"needs": SUPERVISING}, summary="All accounts", responses=PROBLEMS, tags=["accounts"])
async def accounts(request: Ask, after: AfterName = "", containing: Containing = "", limit: Limit = 100) -> list[str]:
    """The names of all accounts, in order, a page at a time; `after` is the last name of the page before."""
    running_house = running_house_of(request)
    heads = await running_house.reading(running_house.store.heads, ACCOUNTS)
    names = [name_of(head.stream) for head in heads]
    return [name for name in names if name > after and containing in name][:limit]


@get("/accounts/{person:str}", opt={"needs": SUPERVISING}, summary="An account", responses=PROBLEMS, tags=["accounts"])
async def account(request: Ask, person: PersonName) -> Account:
    """Somebody's account, for those who supervise."""
    account, head = await running_house_of(request).account(person)
    return show_account(account, head.version)


@get(
    "/accounts/{person:str}/events",
    opt={"needs": SUPERVISING},
    summary="History of an account",
    responses=PROBLEMS,
    tags=["accounts"],
)
async def account_events(request: Ask, person: PersonName, after: After = 0, limit: Limit = 100) -> Entries:
    """Everything that happened to somebody's account."""
    await running_house_of(request).account(person)
    return await _page(running_house_of(request), person, after, limit)


async def _page(running_house: RunningHouse, person: str, after: int, limit: int) -> Entries:
    return await running_house.reading(_read_page, running_house.store, account_stream(person), after, limit)


def _read_page(store: Store, stream: str, after: int, limit: int) -> Entries:
    records = store.read(stream, after, limit)
    last = records[-1].version if len(records) == limit else None
    return Entries([show_account_entry(read(record)) for record in records], last)


@get("/refusals", opt={"needs": KEEPING_BOOKS}, summary="Refused commands", responses=PROBLEMS, tags=["accounts"])
async def refusals(request: Ask, after: After = 0, limit: Limit = 100) -> RefusedCommands:
    """Commands that were refused: who asked for what, when, and why not. They are kept apart from the streams."""
    running_house = running_house_of(request)
    return await running_house.reading(_read_refusals, running_house.store, after, limit)


def _read_refusals(store: Store, after: int, limit: int) -> RefusedCommands:
    found = store.refusals(after, limit)
    entries = [
        msgspec.convert({"number": one.number, **msgspec.json.decode(one.document)}, RefusedCommand) for one in found
    ]
    return RefusedCommands(entries, found[-1].number if len(found) == limit else None)


# The caller's settled wagers, with the throw and the clause that settled each

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
    running_house, person = running_house_of(request), signed_in(request).person
    state, _ = await running_house.table(table)
    view = TableView(running_house.house.shelf, state.game)
    return await running_house.reading(
        past_wagers, running_house.store, table_stream(table), view, person, before, limit
    )


HANDLERS = [me, my_events, accounts, account, account_events, refusals, my_wagers]
