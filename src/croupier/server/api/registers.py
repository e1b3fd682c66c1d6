"""Endpoints for registers and returns to regulators, by period: JSON, CSV or PDF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from litestar import Response, get
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, Operation, Schema
from litestar.openapi.spec.enums import OpenAPIFormat, OpenAPIType
from litestar.params import PathParameter, QueryParameter

from croupier.contract import management
from croupier.contract.management import RegisterColumn, RegisterTitle
from croupier.house.registers import Claimants, Registers, Scope, ScopeError
from croupier.house.registers.files import csv_of, name_of_file, pdf_of_register
from croupier.house.registers.rows import BY_ID, MOST_LETTERS, Period, PeriodError, Register, read_period
from croupier.server.api.books import check_book
from croupier.server.api.errors import PROBLEMS
from croupier.server.api.reports import CSV, report_worker_of
from croupier.server.api.requests import KEEPING_BOOKS, Ask, running_house_of
from croupier.server.problems import Problem

PDF = "application/pdf"

PeriodText = Annotated[
    str,
    QueryParameter(
        name="period",
        max_length=MOST_LETTERS,
        description="A month such as 2026-11, a day, a year, or two days with / between them; where each table is.",
    ),
]
OfTable = Annotated[str | None, QueryParameter(name="table", max_length=40, description="Only what is of this table.")]
OfBook = Annotated[str | None, QueryParameter(name="book", max_length=40, description="Only what is under this book.")]
RegisterId = Annotated[str, PathParameter(max_length=40, description="A register by its id; GET /registers has them.")]
Form = Annotated[Literal["json", "csv", "pdf"], QueryParameter(name="format", description="JSON, CSV or PDF.")]

T = TypeVar("T")


@dataclass
class AlsoFiles(Operation):
    """Documents that the reply may also be CSV or PDF."""

    def __post_init__(self) -> None:
        """Add the media types to those that the framework knows."""
        reply = (self.responses or {}).get("200")
        if isinstance(reply, OpenAPIResponse) and reply.content is not None:
            reply.content[CSV] = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))
            reply.content[PDF] = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY))


@get("/registers", opt={"needs": KEEPING_BOOKS}, summary="All registers", responses=PROBLEMS, tags=["registers"])
async def registers(
    request: Ask, period: PeriodText, table: OfTable = None, book: OfBook = None
) -> management.Registers:
    """What is kept for those who supervise the house, with how much there is of it in a period."""
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


@get(
    "/registers/{register:str}",
    opt={"needs": KEEPING_BOOKS},
    summary="A register",
    responses=PROBLEMS,
    tags=["registers"],
    operation_class=AlsoFiles,
)
async def register(
    request: Ask,
    register: RegisterId,
    period: PeriodText,
    table: OfTable = None,
    book: OfBook = None,
    format: Form = "json",
) -> Response[management.Register]:
    """One of them, whole. The same events and the same period make the same bytes, in every format."""
    if register not in BY_ID:
        raise Problem(404, "no_such_register", f"There is no register of that name; there are {', '.join(BY_ID)}.")
    asked, scope = _period(period), await _scope(request, table, book)
    house = running_house_of(request).settings.name

    def one(kept: Registers, claimants: Claimants | None) -> Response[Any]:
        return _replied(kept.register(register, asked, scope, claimants), format, house)

    try:
        reply: Response[management.Register] = await _kept(request, one, names=register == "denied_claims")
    except ImportError:
        raise Problem(404, "no_pdf", "A PDF is made with Typst, which is not installed here.") from None
    return reply


async def _kept(request: Ask, asked: Callable[[Registers, Claimants | None], T], *, names: bool = False) -> T:
    """Evaluate a query on the registers. Raises Problem if the scope cannot match anything."""
    try:
        return await report_worker_of(request).registers(asked, names=names)
    except ScopeError as error:
        raise Problem(400, "bad_request", str(error)) from None


def _period(text: str) -> Period:
    """Read a period. Raises Problem."""
    try:
        return read_period(text)
    except PeriodError as error:
        raise Problem(400, "bad_period", str(error)) from None


async def _scope(request: Ask, table: str | None, book: str | None) -> Scope:
    """Return the scope. Raises Problem if there is no such table or book."""
    if book is not None:
        check_book(book)
    if table is not None:
        await running_house_of(request).table(table)
    return Scope(table, book)


def _replied(made: Register, form: str, house: str) -> Response[Any]:
    if form == "json":
        return Response(_shown(made))
    kind, content = (CSV, csv_of(made)) if form == "csv" else (PDF, pdf_of_register(made, house))
    headers = {"content-disposition": f'attachment; filename="{name_of_file(made, form)}"'}
    return Response(content, media_type=kind, headers=headers)


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


HANDLERS = [registers, register]
