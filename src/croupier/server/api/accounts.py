"""Endpoints for accounts: the caller's own and their past wagers; for supervisors, everyone's."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from croupier.contract.management import RefusedCommand, RefusedCommands
from croupier.contract.replies import Account, Entries, OwnAccount, PastWagers
from croupier.contract.requests import PersonName
from croupier.house.names import ACCOUNTS, account_stream, name_of, table_stream
from croupier.house.queries import past_wagers, show_account, show_account_entry
from croupier.house.stored_events import read
from croupier.server.admission import GUEST
from croupier.server.api.requests import KEEPING_BOOKS, SUPERVISING, After, AfterName, Containing, Limit
from croupier.server.endpoints import SIGNED_IN, Request, get
from croupier.server.running_house import RunningHouse
from croupier.store.contract import Store
from croupier.table.state import TableView


@get("/me", needs=SIGNED_IN, summary="Your account", tags=("accounts",))
async def me(request: Request) -> OwnAccount:
    """Chips, roles, limits and tables; `within` are the roles that this request may use; for a page, `csrf`."""
    running_house, asker = request.running_house, request.signed_in
    account, head = await running_house.account(asker.person)
    within = sorted(running_house.acting(asker).roles)
    is_guest = asker.person.startswith(GUEST)
    return OwnAccount(**asdict(show_account(account, head.version, within)), csrf=asker.csrf, guest=is_guest)


@get("/me/events", needs=SIGNED_IN, summary="Your history", tags=("accounts",))
async def my_events(request: Request, after: After = 0, limit: Limit = 100) -> Entries:
    """Everything that happened to your account."""
    return await _page(request.running_house, request.signed_in.person, after, limit)


@get("/accounts", needs=SUPERVISING, summary="All accounts", tags=("accounts",))
async def accounts(
    request: Request, after: AfterName = "", containing: Containing = "", limit: Limit = 100
) -> list[str]:
    """The names of all accounts, in order, a page at a time; `after` is the last name of the page before."""
    running_house = request.running_house
    heads = await running_house.reading(running_house.store.heads, ACCOUNTS)
    names = [name_of(head.stream) for head in heads]
    return [name for name in names if name > after and containing in name][:limit]


@get("/accounts/{person}", needs=SUPERVISING, summary="An account", tags=("accounts",))
async def account(request: Request, person: PersonName) -> Account:
    """A person's account, for supervisors."""
    account, head = await request.running_house.account(person)
    return show_account(account, head.version)


@get("/accounts/{person}/events", needs=SUPERVISING, summary="History of an account", tags=("accounts",))
async def account_events(request: Request, person: PersonName, after: After = 0, limit: Limit = 100) -> Entries:
    """Everything that happened to a person's account."""
    await request.running_house.account(person)
    return await _page(request.running_house, person, after, limit)


async def _page(running_house: RunningHouse, person: str, after: int, limit: int) -> Entries:
    return await running_house.reading(_read_page, running_house.store, account_stream(person), after, limit)


def _read_page(store: Store, stream: str, after: int, limit: int) -> Entries:
    records = store.read(stream, after, limit)
    last = records[-1].version if len(records) == limit else None
    return Entries([show_account_entry(read(record)) for record in records], last)


@get("/refusals", needs=KEEPING_BOOKS, summary="Refused commands", tags=("accounts",))
async def refusals(request: Request, after: After = 0, limit: Limit = 100) -> RefusedCommands:
    """Refused commands: who gave which, when, and why it was refused. They are stored apart from the streams."""
    running_house = request.running_house
    return await running_house.reading(_read_refusals, running_house.store, after, limit)


def _read_refusals(store: Store, after: int, limit: int) -> RefusedCommands:
    found = store.refusals(after, limit)
    entries = [
        msgspec.convert({"number": one.number, **msgspec.json.decode(one.document)}, RefusedCommand) for one in found
    ]
    return RefusedCommands(entries, found[-1].number if len(found) == limit else None)


AtTable = Annotated[str, Meta(max_length=40, description="The name of a table.")]


Before = Annotated[
    int | None,
    Meta(ge=1, le=2**53, description="Only wagers settled before this event."),
]


Wagers = Annotated[int, Meta(ge=1, le=200, description="The maximum number to return.")]


@get("/me/wagers", needs=SIGNED_IN, summary="Your past wagers", tags=("accounts",))
async def my_wagers(request: Request, table: AtTable, before: Before = None, limit: Wagers = 50) -> PastWagers:
    """What was settled at a table, the newest first: stake, result, paid, returned, and the clause.

    The table's stream is read backwards, 10,000 events at most. So a page may have fewer than asked for, or none, and
    all the same a `next` to go on with.
    """
    running_house, person = request.running_house, request.signed_in.person
    state, _ = await running_house.table(table)
    view = TableView(running_house.house.shelf, state.game)
    return await running_house.reading(
        past_wagers, running_house.store, table_stream(table), view, person, before, limit
    )


ENDPOINTS = [me, my_events, accounts, account, account_events, refusals, my_wagers]
