"""The web application of a house: all endpoints of the API, and all pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from croupier.server.api import (
    accounts,
    acts,
    books,
    commands,
    floor,
    front,
    promotions,
    records,
    registers,
    reports,
    sign_in,
    streaming,
    tables,
)
from croupier.server.endpoints import Application, Endpoint, Request, Response, get
from croupier.server.openapi import document_of
from croupier.server.pages import files, html, installing, par_sheets, rules
from croupier.server.running_house import RunningHouse

API = "/api/v1"
TOPICS = (
    commands, sign_in, accounts, tables, front, books, acts, streaming, reports, floor, promotions, registers, records,
)  # fmt: skip
PAGES = (files, installing, html, rules, par_sheets)


def make_app(running_house: RunningHouse) -> Application:
    """Build the application of a house."""
    return Application(running_house, _endpoints(), html.nothing_here)


def _endpoints() -> Iterator[Endpoint]:
    for topic in TOPICS:
        for one in topic.ENDPOINTS:
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
