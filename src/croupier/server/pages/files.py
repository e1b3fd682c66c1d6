"""The static files of the pages: HTML shells, scripts and styles, all small and held in memory."""

from __future__ import annotations

import gzip
import posixpath
import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from croupier.server.endpoints import ANYONE, Endpoint, Request, Response, get, not_found
from croupier.web import STATIC, checker, checker_policy

KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".png": "image/png",
}
# Pages have no inline scripts or styles, load nothing from elsewhere, and cannot be embedded.
POLICY = "; ".join(
    ("default-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "object-src 'none'")
)
FileName = Annotated[str, Meta(max_length=60, description="A folder or a file of the pages.")]


class File(msgspec.Struct, frozen=True):
    """A file ready to send; `tag` identifies its version."""

    kind: str
    content: bytes
    packed: bytes
    tag: str


class Page(NamedTuple):
    """A page filled by `page.js` in its folder: its initial title, its styles, and whether it has the common header.

    `like` are the pages whose looks it shares.
    """

    folder: str
    title: str
    styles: tuple[str, ...] = ()
    has_top: bool = True
    like: tuple[str, ...] = ()


_TABLE = (
    *("felt/felt", "felt/stage", "acts/acts", "results/roads", "results/panels", "results/check"),
    *("table/page", "table/what-wins"),
)
PAGES = {
    "/": Page("lobby", "Tables", ("felt/felt", "lobby/page")),
    "/tables/{table}": Page("table", "Table", _TABLE),
    "/tables/{table}/rounds/{round}": Page("round", "A round", ("felt/felt", "results/check", "round/page")),
    "/tables/{table}/throws/{version}": Page("round", "A throw", ("felt/felt", "results/check", "round/page")),
    "/tables/{table}/deal": Page("deal", "Dealer console", ("felt/felt", "acts/acts", "deal/page")),
    "/practice/{book}": Page("practice", "Practice table", (*_TABLE, "practice/page"), like=("table",)),
    "/learn/{book}": Page("learn", "First game", (*_TABLE, "practice/page", "learn/page"), like=("table", "practice")),
    "/display/{table}": Page("display", "Table display", ("felt/felt", "results/roads", "display/page"), has_top=False),
    "/floor": Page("floor", "Floor", ("acts/acts", "deal/page", "floor/page")),
    "/inspect": Page("inspect", "Inspection", ("felt/felt", "results/roads", "inspect/page")),
    "/me": Page("me", "My book", ("felt/felt", "me/page")),
    "/promotions": Page("promotions", "Promotions", ("promotions/page",)),
    "/promotions/{promotion}": Page("promotion", "Promotion", ("promotions/page", "promotion/page", "duties/page")),
    "/duties": Page("duties", "Duties", ("promotions/page", "duties/page")),
    "/registers": Page("registers", "Registers and returns", ("registers/page",)),
}
SHELL = "shell.html"
LANGUAGE = "shared/language.js"  # on every page, for the words of the shell
_IMPORT = re.compile(rb'^(?:import|export)[^;]*?"(\.\.?/[\w/-]+\.js)";', re.MULTILINE)
_TOP = '<a class="skip" href="#main" data-words>Skip to content</a><header id="top"></header>'
_FOOT = '<footer id="foot"></footer>'
WORDS = "words"  # the folder of translations, one file for each language


@cache
def _contents() -> dict[str, bytes]:
    """Return what lies in the folders, by `folder/name`."""
    paths = [path for path in sorted(STATIC.glob("*/*")) if path.suffix in KINDS]
    return {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in paths}


@cache
def languages() -> list[str]:
    """List the languages into which the pages are translated, by their codes."""
    return [Path(name).stem for name in _contents() if name.startswith(f"{WORDS}/")]


@cache
def translated(english: str) -> dict[str, str]:
    """Return a text of the pages in every language into which they are translated, by its code."""
    read = {language: msgspec.json.decode(_contents()[f"{WORDS}/{language}.json"]) for language in languages()}
    return {language: str(words[english]) for language, words in read.items() if english in words}


@cache
def files() -> dict[str, File]:
    """Return every script, style and image, by `folder/name`."""
    return {name: packed(name, content) for name, content in _contents().items()}


@cache
def shell_of(page: Page) -> File:
    """Return the HTML shell of a page."""
    return packed(SHELL, _shell(page, modules([f"{page.folder}/page.js", LANGUAGE], _contents())))


def modules(scripts: Sequence[str], found: Mapping[str, bytes]) -> list[str]:
    """List all modules that scripts import, directly or not, so that the browser can preload them together."""
    known = [*scripts]
    for name in known:  # grows in the loop
        known += [other for other in dict.fromkeys(_imported(name, found[name])) if other not in known]
    return known[len(scripts) :]


def _imported(name: str, script: bytes) -> list[str]:
    folder = posixpath.dirname(name)
    return [posixpath.normpath(posixpath.join(folder, path.decode())) for path in _IMPORT.findall(script)]


def _shell(page: Page, imported: list[str]) -> bytes:
    shell = (STATIC / SHELL).read_text(encoding="utf-8")
    styles = "".join(f'<link rel="stylesheet" href="/web/{name}.css" />' for name in page.styles)
    ahead = "".join(f'<link rel="modulepreload" href="/web/{name}" />' for name in imported)
    dressed = shell.replace("<!-- styles -->", styles).replace("<!-- modules -->", ahead)
    dressed = dressed.replace("<!-- top -->", _TOP if page.has_top else "")
    dressed = dressed.replace("<!-- foot -->", _FOOT if page.has_top else "")
    looks = " ".join((*page.like, page.folder))
    filled = Template(dressed).substitute(
        folder=page.folder, title=page.title, looks=looks, languages=" ".join(languages())
    )
    return filled.encode()


def packed(name: str, content: bytes) -> File:
    """Prepare a file for sending."""
    return packed_as(KINDS[Path(name).suffix], content)


def packed_as(kind: str, content: bytes) -> File:
    """Prepare content of a kind for sending."""
    tag = f'"{sha256(content).hexdigest()[:24]}"'
    return File(kind, content, gzip.compress(content, mtime=0), tag)


def answered(request: Request, file: File, policy: str) -> Response[Any]:
    """Return a file under a policy, or 304 if the browser has this version."""
    headers = {"etag": file.tag, "cache-control": "no-cache", "content-security-policy": policy}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(b"", 304, file.kind, headers)
    if request.takes_gzip:
        packed = {**headers, "content-encoding": "gzip", "vary": "accept-encoding"}
        return Response(file.packed, 200, file.kind, packed)
    return Response(file.content, 200, file.kind, headers)


@get("/web/{folder}/{name}", needs=ANYONE, in_document=False)
async def file(request: Request, folder: FileName, name: FileName) -> Response[bytes]:
    """Serve a script, a style or an image. Raises Problem."""
    found = files().get(f"{folder}/{name}")
    if found is None:
        raise not_found()
    return answered(request, found, POLICY)


def _endpoint(path: str, page: Page) -> Endpoint:
    @get(path, needs=ANYONE, in_document=False)
    async def shell(request: Request) -> Response[bytes]:
        return answered(request, shell_of(page), POLICY)

    return shell


# The checker page: the bytes that `croupier checker` writes, under the policy they contain


@cache
def _file() -> File:
    return packed("check.html", checker())


@get("/check", needs=ANYONE, in_document=False)
async def check(request: Request) -> Response[bytes]:
    """Serve the page that checks records, prize draws and receipts in the browser."""
    return answered(request, _file(), checker_policy())


ENDPOINTS = [file, check, *(_endpoint(path, page) for path, page in PAGES.items())]
