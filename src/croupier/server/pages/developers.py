"""A page for developers: what the API of the house offers. No script, nothing from afar."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from litestar import Litestar, Response, get

from croupier.server.api.asks import ANYONE, Ask
from croupier.server.pages.frame import Page, framed, is_staff
from croupier.server.pages.html import Html, element, items, joined, link

_METHODS = ("get", "post", "delete")


@get("/developers", opt={"needs": ANYONE}, include_in_schema=False)
async def developers(request: Ask) -> Response[str]:
    """All endpoints."""
    return framed(request, Page("For developers", _body(request.app)), await is_staff(request))


@lru_cache(maxsize=1)
def _body(app: Litestar) -> Html:
    """It is always the same, and long in the making."""
    document: dict[str, Any] = app.openapi_schema.to_schema()
    endpoints = [
        _endpoint(f"{method.upper()} {path}", item[method])
        for path, item in document["paths"].items()
        for method in _METHODS
        if method in item
    ]
    whole = element("p", "As an OpenAPI 3.1 document: ", link("/api/openapi.json", "openapi.json"), ".", class_="note")
    return joined(
        element("h1", "For developers"), element("h2", "API"), whole, items(endpoints, class_="clauses endpoints")
    )


def _endpoint(name: str, operation: dict[str, Any]) -> Html:
    head = element("p", element("code", name), " ", element("strong", operation.get("summary")))
    told = [element("p", part) for part in _paragraphs(operation)]
    return joined(head, told)


def _paragraphs(operation: dict[str, Any]) -> list[str]:
    return [part.strip() for part in str(operation.get("description") or "").split("\n\n") if part.strip()]


HANDLERS = [developers]
