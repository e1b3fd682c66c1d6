"""What makes a house installable: its manifest, its icons, and a worker that shows a page of its own without a
connection.

The worker keeps that page and nothing else: whatever a browser shows of the house has just come from it.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from string import Template
from typing import Any, NamedTuple

import msgspec

from croupier.server.endpoints import ANYONE, Request, Response, get
from croupier.server.pages.files import POLICY, File, answered, files, packed_as
from croupier.web import STATIC

THEMES = (("light", "#094d34"), ("dark", "#073826"))  # the top of every page, as in `style.css`
OFFLINE = "/offline"
KEPT = ("/web/offline/page.css", "/web/offline/page.js", "/web/shared/icon.svg")  # what that page needs


class Icon(NamedTuple):
    """An icon: its file in `shared`, its size, and what systems may do with it."""

    name: str
    pixels: int
    purpose: str = "any"


ICONS = (
    Icon("icon-180.png", 180, "touch"),
    Icon("icon-192.png", 192),
    Icon("icon-512.png", 512),
    Icon("icon-mask-192.png", 192, "maskable"),
    Icon("icon-mask-512.png", 512, "maskable"),
)


def _manifest(house: str) -> dict[str, Any]:
    icons = [
        {
            "src": f"/web/shared/{icon.name}",
            "sizes": f"{icon.pixels}x{icon.pixels}",
            "type": "image/png",
            "purpose": icon.purpose,
        }
        for icon in ICONS
        if icon.purpose != "touch"
    ]
    drawing = {"src": "/web/shared/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
    return {
        "name": house,
        "short_name": house,
        "description": "Dice and coin games, exactly by their approved rules. Play chips only.",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": THEMES[0][1],
        "background_color": THEMES[0][1],
        "icons": [drawing, *icons],
    }


@cache
def _manifest_file(house: str) -> File:
    return packed_as("application/manifest+json", msgspec.json.encode(_manifest(house)))


@cache
def _offline() -> File:
    return packed_as("text/html", (STATIC / "offline.html").read_bytes())


@cache
def _worker() -> File:
    """Return the worker. Another version of what it keeps makes it another worker, which keeps that instead."""
    kept = [_offline().tag, *(files()[path.removeprefix("/web/")].tag for path in KEPT)]
    version = sha256("".join(kept).encode()).hexdigest()[:12]
    script = Template((STATIC / "worker.js").read_text(encoding="utf-8"))
    return packed_as("text/javascript", script.substitute(version=version).encode())


@get("/manifest.webmanifest", needs=ANYONE, in_document=False)
async def manifest(request: Request) -> Response[Any]:
    """Serve what a browser has to know to install the house as an app."""
    return answered(request, _manifest_file(request.running_house.settings.name), POLICY)


@get(OFFLINE, needs=ANYONE, in_document=False)
async def offline(request: Request) -> Response[Any]:
    """Serve the page for when there is no connection; the worker fetches it beforehand."""
    return answered(request, _offline(), POLICY)


@get("/worker.js", needs=ANYONE, in_document=False)
async def worker(request: Request) -> Response[Any]:
    """Serve the worker, for all pages of the house."""
    return answered(request, _worker(), POLICY)


ENDPOINTS = [manifest, offline, worker]
