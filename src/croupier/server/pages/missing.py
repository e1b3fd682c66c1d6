"""An address at which there is nothing: a page for who came with a browser, the usual error for programs."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.exceptions import NotFoundException

from croupier.server.api.asks import Ask
from croupier.server.api.errors import bad_request
from croupier.server.pages.frame import Page, framed
from croupier.server.pages.html import element, joined, link

API = "/api/"


def nothing_here(request: Ask, error: NotFoundException) -> Response[Any]:
    """What somebody sees who mistyped an address."""
    by_browser = "text/html" in request.headers.get("accept", "")
    if not by_browser or request.scope["path"].startswith(API):
        return bad_request(request, error)
    say = element("p", "There is nothing at this address. The ", link("/", "tables"), " are on the first page.")
    return framed(request, Page("Nothing here", joined(element("h1", "Nothing here"), say), status=404))
