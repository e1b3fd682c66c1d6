"""The bare side of the HTTP benchmarks: an empty Litestar application on the same server.

`POST /lines` takes the headers and the body of a command, validates them and answers. `GET /live` is a stream of
server-sent events; `POST /tell` sends prepared bytes to every listener, and answers with its starting time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from time import monotonic
from typing import Annotated, Any

import msgspec
import uvicorn
from litestar import Litestar, get, post
from litestar.params import HeaderParameter, JSONBody, PathParameter
from litestar.response import Stream

from croupier.contract.replies import Done
from croupier.contract.requests import Body, Line, Number, Version
from croupier.server.serving import bound, configured
from croupier.server.settings import Settings

Authorization = Annotated[str, HeaderParameter(name="Authorization", max_length=200)]
Key = Annotated[str, HeaderParameter(name="Idempotency-Key", min_length=1, max_length=100, pattern=r"^[!-~]+$")]
TableName = Annotated[str, PathParameter(max_length=40)]


class LineBody(Body, frozen=True, kw_only=True):
    """The body of a line, with the same fields and limits as the house's own."""

    version: Version | None = None
    line: Line
    round: Annotated[int, msgspec.Meta(ge=1)] | None = None
    number: Number | None = None


class Size(msgspec.Struct, frozen=True):
    """The number of bytes to send to everyone."""

    bytes: int


class Told(msgspec.Struct, frozen=True):
    """The time at which sending started."""

    at: float


_listening: set[asyncio.Queue[bytes]] = set()


@post("/tables/{table:str}/lines", status_code=200)
async def say(table: TableName, data: JSONBody[LineBody], key: Key, authorization: Authorization) -> Done:
    """Accept a command and do nothing."""
    return Done(ok=True, versions={f"table/{table}": 1234567})


@get("/live")
async def live() -> Stream:
    """Stream everything that is sent."""
    return Stream(_heard(), media_type="text/event-stream")


async def _heard() -> AsyncIterator[bytes]:
    queue: asyncio.Queue[bytes] = asyncio.Queue()
    _listening.add(queue)
    try:
        yield b"retry: 1000\n\n"
        while True:
            yield await queue.get()
    finally:
        _listening.discard(queue)


@post("/tell", status_code=200)
async def tell(data: JSONBody[Size]) -> Told:
    """Send to every listener."""
    told = b"data: " + b"x" * (data.bytes - 8) + b"\n\n"
    at = monotonic()
    for queue in _listening:
        queue.put_nowait(told)
    return Told(at)


async def _serve() -> None:
    settings = Settings(port=0, connections_from_one_address=10_000)
    listening = bound(settings)
    listening.listen()
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    app: Any = Litestar([say, live, tell], openapi_config=None, logging_config=None)
    await uvicorn.Server(configured(app, settings)).serve(sockets=[listening])


if __name__ == "__main__":
    asyncio.run(_serve())
