"""Endpoints for reports on takings, balances and audits. For managers, operators and inspectors.

Also the whole store as a signed file, and the signed checkpoints, which are public.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from litestar import MediaType, Response, get
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, Operation, Schema
from litestar.openapi.spec.enums import OpenAPIType
from litestar.params import QueryParameter
from litestar.response import Stream
from litestar.types import Receive, Scope, Send
from msgspec.structs import asdict

from croupier.contract.management import Balance, BooksReport, HouseReport, Period, TableReport
from croupier.contract.replies import Checkpoint, Checkpoints
from croupier.house.reporting.reports import Row, Span, csv_text, period_rows, show_open, show_period, wager_rows
from croupier.money import format_cents
from croupier.server.api.errors import PROBLEMS
from croupier.server.api.requests import ANYONE, KEEPING_BOOKS, After, Ask, TableName, running_house_of
from croupier.server.reports import Exported, ReportWorker
from croupier.store.checkpoints import STREAM, read_checkpoint

CSV = "text/csv"
JSONL = "application/jsonl"
# The headings of tables that may have no rows.
EMPTY = {
    "wagers": ("table", "period", "wager", "turnover", "wagers", "win"),
    "open": ("table", "wager", "pick", "state", "wagers", "stake", "tokens", "commission", "worth"),
    "findings": ("stream", "version", "sentence"),
}
ATTACHED = [
    (b"content-type", JSONL.encode()),
    (b"content-disposition", b'attachment; filename="house.jsonl"'),
]
PIECE = 256 * 1024  # bytes of a file sent together

OneSpan = Annotated[Span, QueryParameter(name="span", description="By day, month or year, where the table is at home.")]
Format = Annotated[Literal["json", "csv"], QueryParameter(name="format", description="JSON, or one table as CSV.")]
TablePart = Annotated[
    Literal["periods", "wagers", "open"], QueryParameter(name="part", description="Which table, as CSV.")
]
HousePart = Annotated[Literal["periods", "wagers"], QueryParameter(name="part", description="Which table, as CSV.")]
BooksPart = Annotated[Literal["balances", "findings"], QueryParameter(name="part", description="Which table, as CSV.")]
Refusals = Annotated[bool, QueryParameter(name="refusals", description="With the commands that were refused.")]
# A checkpoint grows with the number of changed streams, so a page has fewer of them.
Statements = Annotated[int, QueryParameter(name="limit", ge=1, le=100, description="At most so many.")]


@dataclass
class AlsoCsv(Operation):
    """Documents that the reply may also be CSV."""

    def __post_init__(self) -> None:
        """Add the media type to those that the framework knows."""
        reply = (self.responses or {}).get("200")
        if isinstance(reply, OpenAPIResponse) and reply.content is not None:
            reply.content[CSV] = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))


def report(path: str, summary: str) -> get:
    """Declare a report at a path."""
    return get(
        path,
        opt={"needs": KEEPING_BOOKS},
        summary=summary,
        responses=PROBLEMS,
        tags=["reports"],
        operation_class=AlsoCsv,
    )


def report_worker_of(request: Ask) -> ReportWorker:
    """Return the report engine of this house."""
    return running_house_of(request).report_worker


@report("/reports/tables/{table:str}", "What a table took in")
async def table_report(
    request: Ask, table: TableName, span: OneSpan = "day", format: Format = "json", part: TablePart = "periods"
) -> Response[TableReport]:
    """Drop, win and hold, and what was to be expected, with the interval that holds 95 of 100 results."""
    await running_house_of(request).table(table)
    found = await report_worker_of(request).table(table, span)
    periods, standing = list(map(show_period, found.periods)), list(map(show_open, found.open))
    if format == "csv":
        return _csv(table, part, _of_periods(periods) | {"open": list(map(asdict, standing))})
    return Response(TableReport(table, found.version, span, periods, standing))


@report("/reports/house", "What the house took in")
async def house_report(
    request: Ask, span: OneSpan = "day", format: Format = "json", part: HousePart = "periods"
) -> Response[HouseReport]:
    """The same for all tables together."""
    periods = list(map(show_period, await report_worker_of(request).house(span)))
    if format == "csv":
        return _csv("house", part, _of_periods(periods))
    return Response(HouseReport(running_house_of(request).settings.name, span, periods))


@report("/reports/books", "All balances, and an audit")
async def books_report(request: Ask, format: Format = "json", part: BooksPart = "balances") -> Response[BooksReport]:
    """Every event is entered and replayed; whatever does not add up is named with its stream and its number."""
    found = await report_worker_of(request).books()
    balances, findings = [Balance(name, format_cents(cents)) for name, cents in found.balances.items()], found.findings
    if format == "csv":
        return _csv("books", part, {"balances": list(map(asdict, balances)), "findings": list(map(asdict, findings))})
    total = format_cents(found.total)
    return Response(BooksReport(not findings, found.events, found.streams, total, balances, findings))


def _of_periods(periods: list[Period]) -> dict[str, list[Row]]:
    return {"periods": period_rows(periods), "wagers": wager_rows(periods)}


def _csv(name: str, part: str, parts: dict[str, list[Row]]) -> Response[Any]:
    text = csv_text(parts[part]) or ",".join(EMPTY.get(part, ())) + "\n"
    headers = {"content-disposition": f'attachment; filename="{name}-{part}.csv"'}
    return Response(text, media_type=CSV, headers=headers)


# The whole store


@get(
    "/export",
    opt={"needs": ("operator", "inspector")},
    summary="The whole store",
    media_type=JSONL,
    responses=PROBLEMS,
    tags=["reports"],
)
async def export(request: Ask, refusals: Refusals = False) -> Stream:
    """All events as `croupier export` writes them, signed by the house, for `croupier verify`. Nothing private."""
    running_house = running_house_of(request)
    await running_house.seal()  # seal everything that is exported
    return Sending(await report_worker_of(request).export(running_house.clock(), running_house.key, refusals))


class Sending(Stream):
    """A file being sent. It bypasses the framework, so that the file is always removed in the end."""

    def __init__(self, made: Exported) -> None:
        self._made = made

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:  # noqa: ANN401  # in place of an ASGIResponse
        """Return itself: it needs no wrapping."""
        return self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file until the client disconnects."""
        gone = asyncio.create_task(_gone(receive))
        try:
            size = str(self._made.size).encode()
            await send(
                {"type": "http.response.start", "status": 200, "headers": [*ATTACHED, (b"content-length", size)]}
            )
            with self._made.file.open("rb") as file:
                while not gone.done() and (piece := await asyncio.to_thread(file.read, PIECE)):
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            self._made.remove()


async def _gone(receive: Receive) -> None:
    """Wait until the client disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass


@get(
    "/checkpoints",
    opt={"needs": ANYONE},
    summary="Signed statements",
    media_type=MediaType.JSON,
    responses=PROBLEMS,
    tags=["reports"],
)
async def checkpoints(request: Ask, after: After = 0, limit: Statements = 20) -> Checkpoints:
    """What the house has signed of its streams. `statement` and `signature`, each on a line, can be kept as a file."""
    records = await asyncio.to_thread(running_house_of(request).store.read, STREAM, after, limit)
    shown = [read_checkpoint(record.document) for record in records]
    entries = [
        Checkpoint(
            number=one.statement.number,
            at=one.statement.at,
            house=one.statement.house,
            key=one.statement.key,
            statement=one.line.decode(),
            signature=one.signature.hex(),
        )
        for one in shown
    ]
    return Checkpoints(entries, records[-1].version if len(records) == limit else None)


HANDLERS = [table_report, house_report, books_report, export, checkpoints]
