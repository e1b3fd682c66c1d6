"""PAR sheets as pages and PDFs, for those who may see chances; others get a page that says who may."""

from __future__ import annotations

import asyncio
import re
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from threading import Lock
from typing import Any

from croupier import rulebooks
from croupier.documents.document import Document
from croupier.documents.markup import Markup, element, items, joined, link
from croupier.documents.par import par_sheet
from croupier.documents.rendering import STYLE, parts_of, pdf_of
from croupier.rules.shelf import Shelf
from croupier.server.api.requests import SUPERVISING
from croupier.server.endpoints import ANYONE, Request, Response, get
from croupier.server.pages.clause_links import book_address
from croupier.server.pages.html import Page, dressed, framed
from croupier.server.pages.rules import no_book
from croupier.server.problems import Problem

PDF = ".pdf"
STYLE_ADDRESS = "/sheets.css"
WAY = (("/sheets", "PAR sheets"),)
_WIDTHS = re.compile(r"<colgroup>.*?</colgroup>", re.DOTALL)  # inline styles, which the policy forbids
_making = Lock()  # one sheet at a time: each takes a core, and none should be made twice


@lru_cache(maxsize=16)
def _document(shelf: Shelf, book_id: str) -> Document:
    return par_sheet(shelf, book_id, version("croupier"))


@lru_cache(maxsize=16)
def _page(shelf: Shelf, book_id: str) -> Page:
    document = _document(shelf, book_id)
    head, body, foot = parts_of(document)
    others = [link(book_address(book_id), "The rules")]
    others += [link(f"/sheets/{book_id}{PDF}", "This sheet as a PDF")] if has_typst() else []
    sheet = joined(
        element("header", Markup(head)),
        element("p", [(one, " ") for one in others], class_="row links"),
        Markup(_WIDTHS.sub("", body)),
        element("footer", Markup(foot)),
    )
    inside = element("div", sheet, class_="sheet")
    return Page(
        f"{document.kind}, {document.title}", inside, WAY, styles=("shared/style.css", STYLE_ADDRESS, "rules/rules.css")
    )


@lru_cache(maxsize=16)
def _pdf(shelf: Shelf, book_id: str) -> bytes:
    return pdf_of(_document(shelf, book_id))


def has_typst() -> bool:
    """Return whether PDFs can be made here."""
    return find_spec("typst") is not None


def made(kind: str, shelf: Shelf, book_id: str) -> Page | bytes:
    """Return a sheet as a page or a PDF. It is made once; concurrent callers wait for it."""
    with _making:
        return _pdf(shelf, book_id) if kind == PDF else _page(shelf, book_id)


def denied(request: Request, error: Problem) -> Response[str]:
    """Reply with a page that says who may see the sheets."""
    who = ", ".join(f"{role}s" for role in SUPERVISING[:-1])
    say = f"PAR sheets give the probability of every result. They are for {who} and {SUPERVISING[-1]}s of the house."
    more = [
        element("p", error.message, data_code=error.code),
        element("p", link("/rules", "The rules"), " are for everyone."),
    ]
    if error.status == 401:
        more.append(element("p", link("/", "Sign in"), " and return to this page."))
    page = Page("PAR sheets", joined(element("h1", "PAR sheets"), element("p", say), more), status=error.status)
    return dressed(request, page)


@get("/sheets", needs=SUPERVISING, in_document=False, denied=denied)
async def all_sheets(request: Request) -> Response[str]:
    """Serve the list of sheets."""
    shelf = request.running_house.house.shelf
    names = items(link(f"/sheets/{one}", shelf.book(one).rules.book.title) for one in rulebooks.ids())
    about = element("p", "The exact mathematics of each book: edge, variance, length, and what every reading costs.")
    return await framed(request, Page("PAR sheets", joined(element("h1", "PAR sheets"), about, names)))


@get("/sheets/{name}", needs=SUPERVISING, in_document=False, denied=denied)
async def one_sheet(request: Request, name: str) -> Response[Any]:
    """Serve the sheet of a book, as a page or as a PDF."""
    kind = PDF if name.endswith(PDF) else ""
    book_id = name.removesuffix(PDF)
    if book_id not in rulebooks.ids():
        return await framed(request, no_book(book_id))
    if kind and not has_typst():
        say = "The PDF is made with Typst, which is not installed here."
        page = Page("No PDF", joined(element("h1", "No PDF"), element("p", say)), WAY, 404)
        return await framed(request, page)
    sheet = await asyncio.to_thread(made, kind, request.running_house.house.shelf, book_id)
    if isinstance(sheet, Page):
        return await framed(request, sheet)
    headers = {"content-disposition": f'inline; filename="{book_id}.par.pdf"'}
    return Response(sheet, 200, "application/pdf", headers)


@get(STYLE_ADDRESS, needs=ANYONE, in_document=False)
async def style(request: Request) -> Response[str]:
    """Serve the style sheet of PAR sheets, which the standalone files use as well."""
    return Response(STYLE.read_bytes(), kind="text/css")


ENDPOINTS = [all_sheets, one_sheet, style]
