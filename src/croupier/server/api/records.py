"""Endpoints to verify a house by: stored records, receipts, checkpoints of other houses; and health and metrics."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier import rulebooks
from croupier.contract.replies import Health, House, Records, SignIn, StoredRecord, Witnessed, WitnessedPage
from croupier.contract.requests import Body, EventNumber, TableName
from croupier.house.names import PROMOTIONS, TABLES, is_name, table_stream
from croupier.house.stored_events import stamp
from croupier.server.admission import WITNESS
from croupier.server.api.requests import After, Limit
from croupier.server.demonstration import PEOPLE
from croupier.server.endpoints import ANYONE, Request, Response, get, json_reply, post
from croupier.server.monitoring import CONTENT_TYPE
from croupier.server.problems import Problem
from croupier.store.checkpoints import STREAM, read_checkpoint
from croupier.store.contract import Reading, Store, StoreError
from croupier.store.receipts import Receipt
from croupier.store.records import Head, Record, anchor
from croupier.store.witnessing import MOST_STATEMENT, Handed, NotTaken


@get("/tables/{table}/records", needs=("operator", "inspector"), summary="Records as they are stored", tags=("tables",))
async def records(request: Request, table: TableName, after: After = 0, limit: Limit = 500) -> Records:
    """Documents and hashes, not checked by the house: the caller can check whether each follows from the one before.

    Each hash is the SHA-256 of the previous hash followed by the SHA-256 of the document.
    """
    running_house, stream = request.running_house, table_stream(table)
    head, found = await running_house.reading(_read, running_house.store, stream, after, limit)
    if not head.version or not is_name(table):
        raise Problem(404, "no_such_table", f"There is no table called {table}.")
    last = found[-1].version if len(found) == limit else None
    return Records(stream, anchor(stream).hex(), head.version, head.hash.hex(), list(map(_shown, found)), last)


def _read(store: Reading, stream: str, after: int, limit: int) -> tuple[Head, list[Record]]:
    return store.head(stream), store.read(stream, after, limit, verified=False)


def _shown(record: Record) -> StoredRecord:
    """Show a record. What a damaged store holds in place of bytes is shown as empty, which breaks the chain."""
    document, marked = _bytes(record.document), _bytes(record.hash)
    return StoredRecord(record.version, document.decode(errors="replace"), marked.hex())


def _bytes(stored: object) -> bytes:
    return stored if isinstance(stored, bytes) else b""


@get("/tables/{table}/receipts/{version}", needs=ANYONE, summary="A receipt", tags=("tables",))
async def receipt(request: Request, table: TableName, version: EventNumber) -> Receipt:
    """The house's signature under the hash of the table's record at this event. It names no one; anyone may ask for it.

    Compare it with an older one: the same event never has another hash.
    """
    running_house = request.running_house
    running_house.receipt_rate.check(_asker(request))
    _, head = await running_house.table(table)
    made = await running_house.processor.receipt(table_stream(table), version)
    if made is None:
        raise Problem(404, "no_such_event", f"The table's last event is {head.version}; there is no event {version}.")
    return made


def _asker(request: Request) -> str:
    if request.caller is not None:
        return f"person {request.caller.person}"
    return request.network


MOST_BODY_BYTES = MOST_STATEMENT + 64 * 1024  # with room for quotes escaped in JSON


STATUS = {"bad_checkpoint": 422, "witness_full": 409}


HouseKey = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", description="The public key of the other house.")]


Few = Annotated[int, Meta(ge=1, le=100, description="The maximum number to return.")]


class CheckpointBody(Body, frozen=True, kw_only=True):
    """A checkpoint: the signed line and its signature."""

    statement: Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_STATEMENT)]
    signature: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{128}$")]


class Taken(msgspec.Struct, frozen=True):
    """The checkpoint is kept. `number` is the highest number that this witness has of that house."""

    ok: bool
    number: int


@post(
    "/witness/{key}",
    needs=("operator",),
    scope=WITNESS,
    summary="Keep a checkpoint of another house",
    tags=("witness",),
    most_bytes=MOST_BODY_BYTES,
)
async def witness(request: Request, key: HouseKey, data: CheckpointBody) -> Taken:
    """For operators, and for programs with a token that an operator made with the scope `witness` and nothing else.

    Everything that house has signed is kept, even if it contradicts an earlier checkpoint; a duplicate is kept once.
    """
    running_house, asker = request.running_house, request.signed_in
    running_house.order_rate.check(asker.person)
    handed = Handed(data.statement, data.signature)
    try:
        highest = await asyncio.to_thread(running_house.keeper.take, key, handed, asker.person, running_house.clock())
    except NotTaken as error:
        raise Problem(STATUS[error.code], error.code, str(error)) from None
    return Taken(True, highest)


@get("/witness/{key}", needs=ANYONE, summary="Checkpoints kept for another house", tags=("witness",))
async def witnessed(request: Request, key: HouseKey, after: After = 0, limit: Few = 20) -> WitnessedPage:
    """Its checkpoints as it handed them over, for `croupier verify --witness`. `at` is when each came."""
    running_house = request.running_house
    found = await running_house.reading(running_house.keeper.kept, key, after, limit)
    entries = [Witnessed(one.at, one.statement, one.signature) for _, one in found]
    return WitnessedPage(entries, found[-1][0] if len(found) == limit else None)


@get("/health", needs=ANYONE, summary="Whether the house is up", replies={503: Health}, tags=("operation",))
async def health(request: Request) -> Response[Health]:
    """200 if orders can be taken: the store answers and has room. Otherwise 503, with a sentence.

    `disk` is `low` some time before it is `full`, with a `warning`. `witnesses` are those that checkpoints are handed
    to, with what is wrong; the house is open without them.
    """
    running_house = request.running_house
    try:
        await running_house.processor.check()
        is_well, say = running_house.is_open, "open" if running_house.is_open else "closing"
    except StoreError as error:
        is_well, say = False, running_house.sentence(error)
    disk = running_house.disk
    if is_well and disk.state == "full":
        is_well, say = False, disk.sentence()
    found = running_house.damaged.items()
    tables = {stream: running_house.sentence(error) for stream, error in found if stream.startswith(TABLES)}
    promotions = sum(stream.startswith(PROMOTIONS) for stream, _ in found)
    shown = Health(
        ok=is_well,
        house=running_house.settings.name,
        state=say,
        disk=disk.state,
        damaged=tables,
        damaged_accounts=len(found) - len(tables) - promotions,
        damaged_promotions=promotions,
        warning=disk.sentence() if disk.state == "low" else None,
        witnesses=running_house.witnesses.shown(),
    )
    return json_reply(shown, 200 if is_well else 503)


@get("/metrics", needs=ANYONE, summary="For Prometheus", tags=("operation",), kinds=(CONTENT_TYPE,))
async def metrics(request: Request) -> Response[bytes]:
    """Counts of requests, orders and events, the time orders took, and current gauges."""
    return Response(request.running_house.metrics.text(), kind=CONTENT_TYPE)


@get("/house", needs=ANYONE, summary="The house", tags=("operation",))
async def house(request: Request) -> House:
    """The name of the house, the key that it signs with, and the newest checkpoint, for anyone who wants to keep it.

    `at` is the time by the house's clock, and `zone` its time zone; `you` is the caller; `sign_ins` are the public
    ones of a demonstration.
    """
    running_house = request.running_house
    newest = await asyncio.to_thread(_newest_checkpoint, running_house.store)
    return House(
        house=running_house.settings.name,
        version=version("croupier"),
        at=stamp(running_house.clock()),
        zone=running_house.house.zone,
        key=running_house.key.public.hex,
        checkpoint=newest,
        sign_up=running_house.settings.sign_up,
        books=rulebooks.ids(),
        you=None if request.caller is None else request.caller.person,
        sign_ins=[SignIn(one.person, one.password, one.roles[0]) for one in PEOPLE]
        if running_house.settings.demonstration
        else [],
    )


def _newest_checkpoint(store: Store) -> str | None:
    version = store.head(STREAM).version
    return read_checkpoint(store.read(STREAM, version - 1)[0].document).shown().decode() if version else None


OPERATING = [health, metrics]


ENDPOINTS = [records, receipt, witness, witnessed, house]
