"""For those who keep the house running: whether it is up, what can be watched, who it is."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Any

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec

from croupier import rulebooks
from croupier.house.documents import stamp
from croupier.house.streams import PROMOTIONS, TABLES
from croupier.server.api.asks import ANYONE, Ask, premises_of
from croupier.server.api.errors import PROBLEMS
from croupier.server.demonstration import PEOPLE
from croupier.server.metrics import CONTENT_TYPE
from croupier.server.premises import Premises
from croupier.store.checkpoints import STREAM, read_checkpoint
from croupier.store.contract import Store, StoreError


@get(
    "/health",
    opt={"needs": ANYONE},
    summary="Whether the house is up",
    responses=PROBLEMS | {503: ResponseSpec(dict[str, Any], description="It is not.", generate_examples=False)},
    tags=["operation"],
)
async def health(request: Ask) -> Response[dict[str, Any]]:
    """200 where orders can be taken: the store answers, and has room. 503 with a sentence where that is not so.

    `disk` is `low` some time before it is `full`, with a `warning`. `witnesses` are those that checkpoints are handed
    to, with what is wrong; the house is open without them.
    """
    premises = premises_of(request)
    try:
        await premises.desk.check()
        is_well, say = premises.is_open, "open" if premises.is_open else "closing"
    except StoreError as error:
        is_well, say = False, premises.sentence(error)
    disk = premises.disk
    if is_well and disk.state == "full":
        is_well, say = False, disk.sentence()
    told = {"ok": is_well, "house": premises.settings.name, "state": say, "disk": disk.state, **_damaged(premises)}
    if disk.state == "low":
        told["warning"] = disk.sentence()
    told["witnesses"] = premises.witnesses.shown()
    return Response(told, status_code=200 if is_well else 503)


def _damaged(premises: Premises) -> dict[str, Any]:
    """Tables that are damaged, and where; of all else, whose names may be nobody's business, how many."""
    found = premises.damaged.items()
    tables = {stream: premises.sentence(error) for stream, error in found if stream.startswith(TABLES)}
    promotions = sum(stream.startswith(PROMOTIONS) for stream, _ in found)
    accounts = len(found) - len(tables) - promotions
    return {"damaged": tables, "damaged_accounts": accounts, "damaged_promotions": promotions}


@get(
    "/metrics",
    opt={"needs": ANYONE},
    summary="For Prometheus",
    tags=["operation"],
    media_type=CONTENT_TYPE,
    responses=PROBLEMS,
)
async def metrics(request: Ask) -> Response[bytes]:
    """Counts of requests, orders and events, how long orders took, and what is so at the moment."""
    return Response(premises_of(request).metrics.text(), media_type=CONTENT_TYPE)


@get("/api/v1/house", opt={"needs": ANYONE}, summary="The house", tags=["operation"], responses=PROBLEMS)
async def house(request: Ask) -> dict[str, Any]:
    """Which house this is, the key that it signs with, and the newest checkpoint, for whoever wants to keep it.

    `at` is the time by the house's clock, and `zone` where the house is; `you` is who asks; `sign_ins` are those of a
    demonstration, which everybody knows.
    """
    premises = premises_of(request)
    newest = await asyncio.to_thread(_newest_checkpoint, premises.store)
    return {
        "house": premises.settings.name,
        "version": version("croupier"),
        "at": stamp(premises.clock()),
        "zone": premises.house.zone,
        "key": premises.key.public.hex,
        "checkpoint": newest,
        "sign_up": premises.settings.sign_up,
        "books": rulebooks.ids(),
        "you": None if request.user is None else request.user.person,
        "sign_ins": _sign_ins() if premises.settings.demonstration else [],
    }


def _sign_ins() -> list[dict[str, str]]:
    return [{"person": one.person, "password": one.password, "role": one.roles[0]} for one in PEOPLE]


def _newest_checkpoint(store: Store) -> str | None:
    version = store.head(STREAM).version
    return read_checkpoint(store.read(STREAM, version - 1)[0].document).shown().decode() if version else None


HANDLERS = [health, metrics, house]
