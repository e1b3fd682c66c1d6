"""HTML written on the server: escaped elements, the frame of a page, the page for 404, and the developers' page."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec

from croupier.documents.markup import Inside, Markup, element, items, joined, link
from croupier.house.names import ROLES
from croupier.server.api.requests import KEEPING_BOOKS, SUPERVISING
from croupier.server.endpoints import ANYONE, Application, Request, Response, get, not_found, problem_reply
from croupier.server.openapi import document_of
from croupier.server.pages.files import POLICY, translated
from croupier.server.pages.installing import THEMES

# The frame of every page made on the server: header, breadcrumbs, body and policy

STYLES = ("shared/style.css", "rules/rules.css")
# The pages in the header, and the roles that they are for, as `shared/session.js` has them.
PAGES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("/", "Tables", ()),
    ("/floor", "Floor", SUPERVISING),
    ("/duties", "Duties", SUPERVISING),
    ("/inspect", "Inspect", SUPERVISING),
    ("/registers", "Registers", KEEPING_BOOKS),
    ("/promotions", "Promotions", ()),
    ("/rules", "Rules", ()),
    ("/sheets", "PAR sheets", SUPERVISING),
    ("/me", "My book", ROLES),
)
# These pages quote the rules, which were approved in English; they say so to readers of other languages.
IN_ENGLISH = "These pages are in English only, like the rules that they quote."


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


class Reader(NamedTuple):
    """Who reads a page."""

    name: str
    roles: frozenset[str]


async def framed(request: Request, page: Page) -> Response[str]:
    """Return a page ready to send, with the header that its reader has on all pages."""
    asker = request.caller
    if asker is None:
        return dressed(request, page)
    account, _ = await request.running_house.account(asker.person)
    return dressed(request, page, Reader(account.name, frozenset(request.running_house.acting(asker).roles)))


def dressed(request: Request, page: Page, reader: Reader | None = None) -> Response[str]:
    """Return a page for a reader. Its content depends on them, so it must not be cached."""
    house, here = request.running_house.settings.name, request.path
    headers = {"content-security-policy": POLICY, "cache-control": "no-store", "vary": "cookie, authorization"}
    html = joined(
        Markup("<!doctype html>\n"),
        element("html", _head(page, house), _body(page, house, here, reader), lang="en"),
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
        element("link", rel="manifest", href="/manifest.webmanifest"),
        element("link", rel="apple-touch-icon", href="/web/shared/icon-180.png"),
        [
            element("meta", name="theme-color", content=colour, media=f"(prefers-color-scheme: {scheme})")
            for scheme, colour in THEMES
        ],
        [element("link", rel="stylesheet", href=_style(name)) for name in page.styles],
    )


def _style(name: str) -> str:
    return name if name.startswith("/") else f"/web/{name}"


def _body(page: Page, house: str, here: str, reader: Reader | None) -> Markup:
    icon = element("img", src="/web/shared/icon.svg", alt="", width=28, height=28)
    brand = link("/", icon, element("span", house), class_="brand", aria_label=house)
    roles = frozenset[str]() if reader is None else reader.roles
    links = [_to(address, name, here) for address, name, own in PAGES if not own or roles & set(own)]
    top = element("header", brand, element("nav", links, aria_label="Main"), _who(here, reader), id="top")
    main = element("main", _way(page), page.body, id="main", tabindex=-1)
    foot = element("footer", [element("p", words, lang=language) for language, words in translated(IN_ENGLISH).items()])
    return element("body", link("#main", "Skip to content", class_="skip"), top, main, foot, class_="paper")


def _who(here: str, reader: Reader | None) -> Markup:
    """Return who is signed in. The front page asks for passwords, and lets people sign out: it may run scripts."""
    if reader is None:
        return element("div", link(f"/?sign-in={quote(here)}", "Sign in", class_="button"), class_="who")
    name = element("span", reader.name, class_="name", title=", ".join(sorted(reader.roles)))
    return element("div", name, link("/?sign-out", "Sign out", class_="button"), class_="who")


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
    return dressed(request, Page("Page not found", joined(element("h1", "Page not found"), say), status=404))


# The developers' page: lists the endpoints of the API without scripts

_METHODS = ("get", "post", "delete")


@get("/developers", needs=ANYONE, in_document=False)
async def developers(request: Request) -> Response[str]:
    """Serve the list of all endpoints."""
    return await framed(request, Page("For developers", _developers_body(request.app)))


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
