"""The files of the pages: shells of HTML, scripts, styles. All are small and held in memory."""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import PathParameter

from croupier.server.api.asks import ANYONE, Ask, TableName
from croupier.server.problems import Problem
from croupier.web import STATIC

KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
# Pages have neither scripts nor styles within, and nothing from elsewhere; nobody else's page has them within.
POLICY = "; ".join(
    ("default-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "object-src 'none'")
)
FileName = Annotated[str, PathParameter(max_length=60, description="A file of the pages.")]


class File(msgspec.Struct, frozen=True):
    """A file as it is sent; `tag` tells one version from another."""

    kind: str
    content: bytes
    packed: bytes
    tag: str


@cache
def files() -> dict[str, File]:
    """Every file by its name."""
    return {path.name: _file(path) for path in sorted(STATIC.iterdir()) if path.suffix in KINDS}


def _file(path: Path) -> File:
    content = path.read_bytes()
    tag = f'"{sha256(content).hexdigest()[:24]}"'
    return File(KINDS[path.suffix], content, gzip.compress(content, mtime=0), tag)


def sent(request: Ask, name: str) -> Response[bytes]:
    """A file; nothing but a word where the browser has this very version of it. Raises Problem."""
    file = files().get(name)
    if file is None:
        raise Problem(404, "not_found", "There is nothing at this address.")
    headers = {"etag": file.tag, "cache-control": "no-cache", "content-security-policy": POLICY}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=file.kind)
    if "gzip" in request.headers.get("accept-encoding", ""):
        packed = {**headers, "content-encoding": "gzip", "vary": "accept-encoding"}
        return Response(file.packed, headers=packed, media_type=file.kind)
    return Response(file.content, headers=headers, media_type=file.kind)


@get("/web/{name:str}", opt={"needs": ANYONE}, include_in_schema=False)
async def file(request: Ask, name: FileName) -> Response[bytes]:
    """A script, a style, a picture."""
    return sent(request, name)


@get("/", opt={"needs": ANYONE}, include_in_schema=False)
async def lobby(request: Ask) -> Response[bytes]:
    """The tables of the house."""
    return sent(request, "lobby.html")


@get("/tables/{table:str}", opt={"needs": ANYONE}, include_in_schema=False)
async def table(request: Ask, table: TableName) -> Response[bytes]:
    """A player's felt."""
    return sent(request, "table.html")


@get("/tables/{table:str}/deal", opt={"needs": ANYONE}, include_in_schema=False)
async def deal(request: Ask, table: TableName) -> Response[bytes]:
    """The dealer's console."""
    return sent(request, "deal.html")


@get("/display/{table:str}", opt={"needs": ANYONE}, include_in_schema=False)
async def display(request: Ask, table: TableName) -> Response[bytes]:
    """A screen above a table."""
    return sent(request, "display.html")


@get("/floor", opt={"needs": ANYONE}, include_in_schema=False)
async def floor(request: Ask) -> Response[bytes]:
    """The supervisor's tables at a glance."""
    return sent(request, "floor.html")


@get("/inspect", opt={"needs": ANYONE}, include_in_schema=False)
async def inspect(request: Ask) -> Response[bytes]:
    """The inspector's replay."""
    return sent(request, "inspect.html")


@get("/me", opt={"needs": ANYONE}, include_in_schema=False)
async def me(request: Ask) -> Response[bytes]:
    """One's own book."""
    return sent(request, "me.html")


HANDLERS = [file, lobby, table, deal, display, floor, inspect, me]
