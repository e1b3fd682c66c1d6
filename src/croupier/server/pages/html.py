"""HTML written on the server: escaped elements, the frame of a page, the page for 404, and the developers' page."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from croupier.documents.markup import Inside, Markup, element, items, joined, link
from croupier.server.api.requests import SUPERVISING
from croupier.server.endpoints import ANYONE, Application, Request, Response, get, not_found, problem_reply
from croupier.server.openapi import document_of
from croupier.server.pages.files import POLICY

# The frame of every page made on the server: header, breadcrumbs, body and policy

STYLES = ("shared/style.css", "rules/rules.css")
PAGES = (("/", "Tables"), ("/promotions", "Promotions"), ("/rules", "Rules"))
FOR_STAFF = (("/sheets", "PAR sheets"),)


class Page(msgspec.Struct, frozen=True):
    """A page without its frame. `way` are its breadcrumbs: addresses with names, from the top down."""

    title: str
    body: Markup
    way: tuple[tuple[str, str], ...] = ()
    status: int = 200
    styles: tuple[str, ...] = STYLES


async def may_see_chances(request: Request) -> bool:
    """Return whether the caller may see chances: the PAR sheets, and the edges of rival readings."""
    running_house, asker = request.running_house, request.caller
    if asker is None:
        return False
    await running_house.account(asker.person)
    return not running_house.acting(asker).roles.isdisjoint(SUPERVISING)


def framed(request: Request, page: Page, staff: bool = False) -> Response[str]:
    """Return a page ready to send. Its content depends on the viewer, so it must not be cached."""
    house = request.running_house.settings.name
    here = request.path
    headers = {"content-security-policy": POLICY, "cache-control": "no-store", "vary": "cookie, authorization"}
    html = joined(
        Markup("<!doctype html>\n"),
        element("html", _head(page, house), _body(page, house, here, staff), lang="en"),
        Markup("\n"),
    )
    return Response(html.encode(), page.status, "text/html", headers)


def _head(page: Page, house: str) -> Markup:
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{page.title} · {house}"),
        element("link", rel="icon", href="/web/shared/icon.svg", type="image/svg+xml"),
        [element("link", rel="stylesheet", href=_style(name)) for name in page.styles],
    )


def _style(name: str) -> str:
    return name if name.startswith("/") else f"/web/{name}"


def _body(page: Page, house: str, here: str, staff: bool) -> Markup:
    icon = element("img", src="/web/shared/icon.svg", alt="", width=28, height=28)
    brand = link("/", icon, element("span", house), class_="brand")
    links = [_to(address, name, here) for address, name in (*PAGES, *(FOR_STAFF if staff else ()))]
    top = element("header", brand, element("nav", links, aria_label="Main"), id="top")
    main = element("main", _way(page), page.body, id="main", tabindex=-1)
    return element("body", link("#main", "Skip to content", class_="skip"), top, main, class_="paper")


def _to(address: str, name: str, here: str) -> Markup:
    within = here == address or (address != "/" and here.startswith(f"{address}/"))
    return link(address, name, aria_current="page" if here == address else "true" if within else None)


def _way(page: Page) -> Inside:
    if not page.way:
        return None
    steps = [element("li", link(address, name)) for address, name in page.way]
    return element("nav", element("ol", steps), aria_label="Breadcrumb", class_="way")


# Unknown addresses: a page for browsers, the usual error for programs

API = "/api/"


def nothing_here(request: Request) -> Response[Any]:
    """Reply to a request for an unknown address."""
    by_browser = "text/html" in request.headers.get("accept", "")
    if not by_browser or request.path.startswith(API):
        return problem_reply(not_found())
    say = element("p", "There is nothing at this address. Go to the ", link("/", "tables"), ".")
    return framed(request, Page("Page not found", joined(element("h1", "Page not found"), say), status=404))


# The developers' page: lists the endpoints of the API without scripts

_METHODS = ("get", "post", "delete")


@get("/developers", needs=ANYONE, in_document=False)
async def developers(request: Request) -> Response[str]:
    """Serve the list of all endpoints."""
    return framed(request, Page("For developers", _developers_body(request.app)), await may_see_chances(request))


@lru_cache(maxsize=1)
def _developers_body(app: Application) -> Markup:
    """Build the page's body; cached, because it is always the same and slow to build."""
    document = document_of(app)
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


def _endpoint(name: str, operation: dict[str, Any]) -> Markup:
    head = element("p", element("code", name), " ", element("strong", operation.get("summary")))
    told = [element("p", part) for part in _paragraphs(operation)]
    return joined(head, told)


def _paragraphs(operation: dict[str, Any]) -> list[str]:
    return [part.strip() for part in str(operation.get("description") or "").split("\n\n") if part.strip()]


ENDPOINTS = [developers]
