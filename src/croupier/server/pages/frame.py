"""The frame of every page that is made on the server: the top of the house, where one is, the text, and its policy."""

from __future__ import annotations

import msgspec
from litestar import MediaType, Response

from croupier.server.api.asks import SUPERVISING, Ask, premises_of
from croupier.server.pages.files import POLICY
from croupier.server.pages.html import Html, Inside, element, joined, link

STYLES = ("style.css", "rules.css")
PAGES = (("/", "Tables"), ("/promotions", "Promotions"), ("/rules", "Rules"))
FOR_STAFF = (("/sheets", "PAR sheets"),)


class Page(msgspec.Struct, frozen=True):
    """A page without its frame. `way` leads to it: addresses with their names, the widest first."""

    title: str
    body: Html
    way: tuple[tuple[str, str], ...] = ()
    status: int = 200
    styles: tuple[str, ...] = STYLES


async def is_staff(request: Ask) -> bool:
    """Whether somebody may see figures of chance: the PAR sheets, and what rival readings would cost."""
    premises, asker = premises_of(request), request.user
    if asker is None:
        return False
    await premises.account(asker.person)
    return not premises.acting(asker).roles.isdisjoint(SUPERVISING)


def framed(request: Ask, page: Page, staff: bool = False) -> Response[str]:
    """A page as it is sent. Who looks decides what is in it, so nobody keeps it for others."""
    house = premises_of(request).settings.name
    here = request.scope["path"]
    headers = {"content-security-policy": POLICY, "cache-control": "no-store", "vary": "cookie, authorization"}
    html = joined(
        Html("<!doctype html>\n"),
        element("html", _head(page, house), _body(page, house, here, staff), lang="en"),
        Html("\n"),
    )
    return Response(html, status_code=page.status, headers=headers, media_type=MediaType.HTML)


def _head(page: Page, house: str) -> Html:
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{page.title} · {house}"),
        element("link", rel="icon", href="/web/icon.svg", type="image/svg+xml"),
        [element("link", rel="stylesheet", href=_style(name)) for name in page.styles],
    )


def _style(name: str) -> str:
    return name if name.startswith("/") else f"/web/{name}"


def _body(page: Page, house: str, here: str, staff: bool) -> Html:
    icon = element("img", src="/web/icon.svg", alt="", width=28, height=28)
    brand = link("/", icon, element("span", house), class_="brand")
    links = [_to(address, name, here) for address, name in (*PAGES, *(FOR_STAFF if staff else ()))]
    top = element("header", brand, element("nav", links, aria_label="Pages of the house"), id="top")
    main = element("main", _way(page), page.body, id="main", tabindex=-1)
    return element("body", link("#main", "To the content", class_="skip"), top, main, class_="paper")


def _to(address: str, name: str, here: str) -> Html:
    within = here == address or (address != "/" and here.startswith(f"{address}/"))
    return link(address, name, aria_current="page" if here == address else "true" if within else None)


def _way(page: Page) -> Inside:
    if not page.way:
        return None
    steps = [element("li", link(address, name)) for address, name in page.way]
    return element("nav", element("ol", steps), aria_label="Where this is", class_="way")
