"""The web application of a house: all endpoints of the API, and all pages."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from typing import Any, get_type_hints

import msgspec

from croupier.contract.replies import Done
from croupier.contract.requests import Body
from croupier.house.orders import ORDERS, Order, Promote, body_of, path_names, read_order
from croupier.server.api import (
    accounts,
    acts,
    books,
    floor,
    front,
    history,
    practice,
    promotions,
    records,
    registers,
    reports,
    sign_in,
    streaming,
    tables,
)
from croupier.server.api.requests import KEY
from croupier.server.endpoints import SIGNED_IN, Application, Endpoint, Parameter, Request, Response, get, json_reply
from croupier.server.openapi import document_of
from croupier.server.pages import files, html, installing, par_sheets, rules
from croupier.server.problems import status_of
from croupier.server.running_house import RunningHouse

API = "/api/v1"
TOPICS = (
    sign_in, accounts, tables, front, history, books, practice, acts, streaming, reports, floor, promotions, registers,
    records,
)  # fmt: skip
PAGES = (files, installing, html, rules, par_sheets)


def make_app(running_house: RunningHouse) -> Application:
    """Build the application of a house."""
    return Application(running_house, _endpoints(), html.nothing_here)


def _endpoints() -> Iterator[Endpoint]:
    for topic in (ORDERED, *(topic.ENDPOINTS for topic in TOPICS)):
        for one in topic:
            yield msgspec.structs.replace(one, path=API + one.path)
    yield from records.OPERATING
    yield openapi
    for page in PAGES:
        yield from page.ENDPOINTS


@get("/api/openapi.json", needs=None, in_document=False)
async def openapi(request: Request) -> Response[dict[str, Any]]:
    """Serve the OpenAPI document."""
    return Response(_encoded(request.app))


@cache
def _encoded(app: Application) -> bytes:
    return msgspec.json.encode(document_of(app))


# Endpoints for orders, made from their declarations in `croupier.house.orders`: each is a POST with an idempotency key.


def endpoint_of(order: type[Order]) -> Endpoint:
    """Return the endpoint of an order; the house itself decides who may give it."""
    api, body, hints = order.api, body_of(order), get_type_hints(order, include_extras=True)
    assert api is not None, f"{order.tag()} is not in the API"

    async def give(request: Request, key: str, data: Body, **path: Any) -> Response[Done]:  # noqa: ANN401
        given = read_order(order, path, data)
        if isinstance(given, Promote) and given.line.get("do") == "draw_prizes":
            await request.running_house.compute_draw(request.signed_in, given.promotion)
        told = await request.running_house.order(request.signed_in, key, given)
        return json_reply(told, status_of(told))

    return Endpoint(
        method="POST",
        path=api.path,
        name=order.tag(),
        call=give,
        needs=SIGNED_IN,
        summary=api.summary,
        description=inspect.getdoc(order) or "",
        tags=("commands",),
        parameters=(
            *(Parameter(name, "path", name, hints[name]) for name in sorted(path_names(order))),
            Parameter("key", "header", "Idempotency-Key", KEY),
        ),
        body=body,
        decode=msgspec.json.Decoder(body).decode,
        reply=Done,
        example=api.example,
    )


ORDERED = [endpoint_of(order) for order in ORDERS if order.api is not None]
