"""Live events: server-sent events from any position on, each person with what they may see."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated

from litestar import get
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from croupier.house.deeds.scene import account_stream, table_stream
from croupier.house.documents import Entry, decode
from croupier.house.showing import Eyes
from croupier.server.api.asks import ANYONE, SIGNED_IN, Ask, TableName, premises_of, signed_in
from croupier.server.api.errors import PROBLEMS
from croupier.server.api.tables import look
from croupier.server.hub import Listener, Telling, message
from croupier.server.premises import Premises

KEEP_ALIVE_SECONDS = 15.0
LONGEST_SECONDS = 900.0  # then the listener comes again, and is asked again who they are
AT_ONCE = 500  # events of the past that are sent together

LastEventId = Annotated[
    str | None, HeaderParameter(name="Last-Event-ID", description="The last event that was received; browsers send it.")
]
From = Annotated[
    int | None,
    QueryParameter(name="after", ge=0, le=2**53, description="The last event that is known; without it, from now on."),
]
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


@get(
    "/tables/{table:str}/live",
    opt={"needs": ANYONE},
    summary="What happens at a table",
    responses=PROBLEMS,
    tags=["live"],
)
async def live_table(request: Ask, table: TableName, last_event_id: LastEventId = None, after: From = None) -> Stream:
    """Server-sent events. `id` is the event's number; who comes again with it misses nothing."""
    await look(request, table)
    premises, asker = premises_of(request), request.user
    person = None if asker is None else asker.person
    listen = partial(premises.hub.listen, table_stream(table), lambda: premises.look(asker, table), person)
    messages = _messages(premises, listen, last_event_id, after)
    return Stream(messages, media_type="text/event-stream", headers=HEADERS)


@get("/me/live", opt={"needs": SIGNED_IN}, summary="What happens to one's account", responses=PROBLEMS, tags=["live"])
async def live_account(request: Ask, last_event_id: LastEventId = None, after: From = None) -> Stream:
    """The same for the book of one's own account."""
    premises, person = premises_of(request), signed_in(request).person
    await premises.account(person)
    listen = partial(premises.hub.listen, account_stream(person), lambda: Eyes(person), person)
    messages = _messages(premises, listen, last_event_id, after)
    return Stream(messages, media_type="text/event-stream", headers=HEADERS)


def _position(last_event_id: str | None, after: int | None, head: int) -> int:
    """From where on: what the browser says, what was asked for, or from now on."""
    if last_event_id is not None and last_event_id.isascii() and last_event_id.isdecimal():
        return min(int(last_event_id[:18]), head)
    return head if after is None else min(after, head)


async def _messages(
    premises: Premises, listen: Callable[[], Listener], last_event_id: str | None, after: int | None
) -> AsyncIterator[bytes]:
    """What came before, then what comes; nothing twice and nothing left out."""
    listener = listen()
    stream = listener.stream
    head = premises.house.head(stream).version  # all that is stored from here on, the listener hears
    position = _position(last_event_id, after, head)
    try:
        yield b"retry: 1000\n\n"
        while position < head:
            telling = await _past(premises, stream, position, min(head, position + AT_ONCE))
            chunk = telling.to(listener.look())
            position = chunk.version
            yield chunk.data
        async for data in _present(listener, position):
            yield data
    finally:
        listener.leave()


async def _past(premises: Premises, stream: str, after: int, last: int) -> Telling:
    records = await asyncio.to_thread(premises.store.read, stream, after, last - after)
    entries = [Entry(one.version, one.hash, one.document, decode(one.document)) for one in records]
    return Telling(premises.house, stream, entries)


async def _present(listener: Listener, position: int) -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    end = loop.time() + LONGEST_SECONDS
    while loop.time() < end:
        chunks = await listener.next(KEEP_ALIVE_SECONDS)
        fresh = [chunk.data for chunk in chunks if chunk.version > position]
        if fresh:
            position = chunks[-1].version
            yield b"".join(fresh)
        if listener.is_late:
            yield message("late", {"message": "Too much has happened: come again from the last event."})
            return
        if listener.is_closed:
            yield message("closed", {"message": "The house closes: come again."})
            return
        if not chunks:
            yield b": still here\n\n"


HANDLERS = [live_table, live_account]
