"""A page for developers: what the API of the house offers. No script, nothing from afar."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any

from litestar import Litestar, MediaType, Response, get

from croupier.server.api.asks import ANYONE, Ask, premises_of

_METHODS = ("get", "post", "delete")


@get("/developers", opt={"needs": ANYONE}, media_type=MediaType.HTML, include_in_schema=False)
async def developers(request: Ask) -> Response[str]:
    """All endpoints."""
    body = _api(request.app)
    return Response(_page(premises_of(request).settings.name, body), media_type=MediaType.HTML)


def _page(name: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="/web/icon.svg"><link rel="stylesheet" href="/web/style.css">'
        f"<title>For developers: {escape(name)}</title></head><body>"
        f'<header id="top"><a class="brand" href="/">{escape(name)}</a></header>'
        f"<main><h1>For developers</h1>{body}</main></body></html>"
    )


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table of cells that are HTML already."""
    head = "".join(f'<th scope="col">{cell}</th>' for cell in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


@lru_cache(maxsize=1)
def _api(app: Litestar) -> str:
    """It is always the same, and long in the making."""
    document: dict[str, Any] = app.openapi_schema.to_schema()
    rows = [
        (f"<code>{method.upper()} {escape(path)}</code>", escape(item[method].get("summary", "")), _about(item[method]))
        for path, item in document["paths"].items()
        for method in _METHODS
        if method in item
    ]
    say = '<p class="note">As an OpenAPI 3.1 document: <a href="/api/openapi.json">openapi.json</a>.</p>'
    return "<h2>API</h2>" + say + _table(("endpoint", "what it is", ""), rows)


def _about(operation: dict[str, Any]) -> str:
    return escape(str(operation.get("description") or ""))


HANDLERS = [developers]
