"""Endpoints for reports on takings, balances and audits. For managers, operators and inspectors.

Also the whole store as a signed file, and the signed checkpoints, which are public.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import asdict

from croupier.contract.management import Balance, BooksReport, HouseReport, Period, TableReport
from croupier.contract.replies import Checkpoint, Checkpoints
from croupier.contract.requests import TableName
from croupier.house.queries import Row, Span, csv_text, period_rows, show_open, show_period, wager_rows
from croupier.money import format_cents
from croupier.server.api.requests import KEEPING_BOOKS, After
from croupier.server.endpoints import (
    ANYONE,
    JSON,
    Endpoint,
    Handler,
    Receive,
    Request,
    Response,
    Send,
    Stream,
    get,
    is_gone,
    json_reply,
)
from croupier.server.reports import Exported
from croupier.store.checkpoints import STREAM, read_checkpoint

CSV = "text/csv"


JSONL = "application/jsonl"


# The headings of tables that may have no rows.
EMPTY = {
    "wagers": ("table", "period", "wager", "turnover", "wagers", "win"),
    "open": ("table", "wager", "pick", "state", "wagers", "stake", "tokens", "commission", "worth"),
    "findings": ("stream", "version", "sentence"),
}


ATTACHED = {"content-disposition": 'attachment; filename="house.jsonl"'}


PIECE = 256 * 1024  # bytes of a file sent together


OneSpan = Annotated[Span, Meta(description="By day, month or year, in the time zone of the table.")]


Format = Annotated[Literal["json", "csv"], Meta(description="JSON, or one table as CSV.")]


TablePart = Annotated[Literal["periods", "wagers", "open"], Meta(description="Which table, as CSV.")]


HousePart = Annotated[Literal["periods", "wagers"], Meta(description="Which table, as CSV.")]


BooksPart = Annotated[Literal["balances", "findings"], Meta(description="Which table, as CSV.")]


Refusals = Annotated[bool, Meta(description="Include the refused commands.")]


# A checkpoint grows with the number of changed streams, so a page has fewer of them.
Statements = Annotated[int, Meta(ge=1, le=100, description="The maximum number to return.")]


def report(path: str, summary: str) -> Callable[[Handler], Endpoint]:
    """Declare a report at a path."""
    return get(path, needs=KEEPING_BOOKS, summary=summary, tags=("reports",), kinds=(JSON, CSV))


@report("/reports/tables/{table}", "What a table took in")
async def table_report(
    request: Request, table: TableName, span: OneSpan = "day", format: Format = "json", part: TablePart = "periods"
) -> Response[TableReport]:
    """Drop, win and hold, and the expected results with their 95% interval."""
    await request.running_house.table(table)
    found = await request.running_house.report_worker.table(table, span)
    periods, standing = list(map(show_period, found.periods)), list(map(show_open, found.open))
    if format == "csv":
        return _csv(table, part, _of_periods(periods) | {"open": list(map(asdict, standing))})
    return json_reply(TableReport(table, found.version, span, periods, standing))


@report("/reports/house", "What the house took in")
async def house_report(
    request: Request, span: OneSpan = "day", format: Format = "json", part: HousePart = "periods"
) -> Response[HouseReport]:
    """The same for all tables together."""
    periods = list(map(show_period, await request.running_house.report_worker.house(span)))
    if format == "csv":
        return _csv("house", part, _of_periods(periods))
    return json_reply(HouseReport(request.running_house.settings.name, span, periods))


@report("/reports/books", "All balances, and an audit")
async def books_report(
    request: Request, format: Format = "json", part: BooksPart = "balances"
) -> Response[BooksReport]:
    """Every event is posted and replayed; each discrepancy is listed with its stream and event number."""
    found = await request.running_house.report_worker.books()
    balances, findings = [Balance(name, format_cents(cents)) for name, cents in found.balances.items()], found.findings
    if format == "csv":
        return _csv("books", part, {"balances": list(map(asdict, balances)), "findings": list(map(asdict, findings))})
    total = format_cents(found.total)
    return json_reply(BooksReport(not findings, found.events, found.streams, total, balances, findings))


def _of_periods(periods: list[Period]) -> dict[str, list[Row]]:
    return {"periods": period_rows(periods), "wagers": wager_rows(periods)}


def _csv(name: str, part: str, parts: dict[str, list[Row]]) -> Response[Any]:
    text = csv_text(parts[part]) or ",".join(EMPTY.get(part, ())) + "\n"
    headers = {"content-disposition": f'attachment; filename="{name}-{part}.csv"'}
    return Response(text.encode(), kind=CSV, headers=headers)


@get("/export", needs=("operator", "inspector"), summary="The whole store", kinds=(JSONL,), tags=("reports",))
async def export(request: Request, refusals: Refusals = False) -> Stream:
    """All events as `croupier export` writes them, signed by the house, for `croupier verify`. Nothing private."""
    running_house = request.running_house
    await running_house.seal()  # seal everything that is exported
    return Sending(await request.running_house.report_worker.export(running_house.clock(), running_house.key, refusals))


class Sending(Stream):
    """A file being sent. It is removed in the end, whatever happens."""

    def __init__(self, made: Exported) -> None:
        super().__init__((), JSONL, ATTACHED | {"content-length": str(made.size)})
        self._made = made

    async def __call__(self, receive: Receive, send: Send) -> None:
        """Send the file until the client disconnects."""
        gone = asyncio.create_task(is_gone(receive))
        try:
            await send({"type": "http.response.start", "status": self.status, "headers": self.head()})
            with self._made.file.open("rb") as file:
                while not gone.done() and (piece := await asyncio.to_thread(file.read, PIECE)):
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            self._made.remove()


@get("/checkpoints", needs=ANYONE, summary="Signed statements", tags=("reports",))
async def checkpoints(request: Request, after: After = 0, limit: Statements = 20) -> Checkpoints:
    """What the house has signed of its streams. `statement` and `signature`, each on a line, can be kept as a file."""
    records = await asyncio.to_thread(request.running_house.store.read, STREAM, after, limit)
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


ENDPOINTS = [table_report, house_report, books_report, export, checkpoints]
