"""Endpoints for orders, made from their declarations in `croupier.house.orders`.

Each is a POST with an idempotency key; the house decides, stores, and only then replies.
"""

from __future__ import annotations

import inspect
from typing import Any, get_type_hints

import msgspec

from croupier.contract.replies import Done
from croupier.contract.requests import Body
from croupier.house.orders import ORDERS, Order, Promote, body_of, path_names, read_order
from croupier.server.api.requests import KEY
from croupier.server.endpoints import SIGNED_IN, Endpoint, Parameter, Request, Response, json_reply
from croupier.server.problems import status_of


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


ENDPOINTS = [endpoint_of(order) for order in ORDERS if order.api is not None]
