"""Endpoints for registers and returns to regulators, by period: JSON, CSV or PDF."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta

from croupier.contract import management
from croupier.contract.management import RegisterColumn, RegisterTitle
from croupier.house.queries import (
    BY_ID,
    MOST_LETTERS,
    Claimants,
    Period,
    PeriodError,
    Register,
    Registers,
    Scope,
    ScopeError,
    csv_of,
    name_of_file,
    pdf_of_register,
    read_period,
)
from croupier.server.api.books import check_book
from croupier.server.api.reports import CSV
from croupier.server.api.requests import KEEPING_BOOKS
from croupier.server.endpoints import JSON, Request, Response, get, json_reply
from croupier.server.problems import Problem

PDF = "application/pdf"


PeriodText = Annotated[
    str,
    Meta(
        max_length=MOST_LETTERS,
        description="A month such as 2026-11, a day, a year, or two days with / between them; where each table is.",
    ),
]


OfTable = Annotated[str | None, Meta(max_length=40, description="Only entries of this table.")]


OfBook = Annotated[str | None, Meta(max_length=40, description="Only entries under this book.")]


RegisterId = Annotated[str, Meta(max_length=40, description="The id of a register; GET /registers lists them.")]


Form = Annotated[Literal["json", "csv", "pdf"], Meta(description="JSON, CSV or PDF.")]


T = TypeVar("T")


@get("/registers", needs=KEEPING_BOOKS, summary="All registers", tags=("registers",))
async def registers(
    request: Request, period: PeriodText, table: OfTable = None, book: OfBook = None
) -> management.Registers:
    """All registers for regulators, with the number of rows in a period."""
    asked, scope = _period(period), await _scope(request, table, book)

    def every(kept: Registers, _claimants: Claimants | None) -> list[Register]:
        return kept.made(asked, scope)

    made = await _kept(request, every)
    return management.Registers(
        period=asked.text,
        first=asked.first,
        last=asked.last,
        so_far=made[0].so_far,
        registers=[RegisterTitle(one.id, one.title, one.purpose, _clauses(one), len(one.rows)) for one in made],
    )


@get("/registers/{register}", needs=KEEPING_BOOKS, summary="A register", tags=("registers",), kinds=(JSON, CSV, PDF))
async def register(
    request: Request,
    register: RegisterId,
    period: PeriodText,
    table: OfTable = None,
    book: OfBook = None,
    format: Form = "json",
) -> Response[management.Register]:
    """One register with all rows. The same events and period give the same bytes, in every format."""
    if register not in BY_ID:
        raise Problem(404, "no_such_register", f"There is no register with that name; there are {', '.join(BY_ID)}.")
    asked, scope = _period(period), await _scope(request, table, book)
    house = request.running_house.settings.name

    def one(kept: Registers, claimants: Claimants | None) -> Response[Any]:
        return _replied(kept.register(register, asked, scope, claimants), format, house)

    try:
        reply: Response[management.Register] = await _kept(request, one, names=register == "denied_claims")
    except ImportError:
        raise Problem(404, "no_pdf", "A PDF is made with Typst, which is not installed here.") from None
    return reply


async def _kept(request: Request, asked: Callable[[Registers, Claimants | None], T], *, names: bool = False) -> T:
    """Evaluate a query on the registers. Raises Problem if the scope cannot match anything."""
    try:
        return await request.running_house.report_worker.registers(asked, names=names)
    except ScopeError as error:
        raise Problem(400, "bad_request", str(error)) from None


def _period(text: str) -> Period:
    """Read a period. Raises Problem."""
    try:
        return read_period(text)
    except PeriodError as error:
        raise Problem(400, "bad_period", str(error)) from None


async def _scope(request: Request, table: str | None, book: str | None) -> Scope:
    """Return the scope. Raises Problem if there is no such table or book."""
    if book is not None:
        check_book(book)
    if table is not None:
        await request.running_house.table(table)
    return Scope(table, book)


def _replied(made: Register, form: str, house: str) -> Response[Any]:
    if form == "json":
        return json_reply(_shown(made))
    kind, content = (CSV, csv_of(made)) if form == "csv" else (PDF, pdf_of_register(made, house))
    headers = {"content-disposition": f'attachment; filename="{name_of_file(made, form)}"'}
    return Response(content, kind=kind, headers=headers)


def _shown(made: Register) -> management.Register:
    names = [column.id for column in made.columns]
    return management.Register(
        register=made.id,
        title=made.title,
        purpose=made.purpose,
        clauses=_clauses(made),
        period=made.period,
        first=made.first,
        last=made.last,
        so_far=made.so_far,
        columns=[RegisterColumn(column.id, column.name) for column in made.columns],
        rows=[dict(zip(names, row, strict=True)) for row in made.rows],
    )


def _clauses(made: Register) -> dict[str, list[str]]:
    return {book: list(cited) for book, cited in made.clauses.items()}


ENDPOINTS = [registers, register]
