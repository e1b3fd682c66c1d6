"""Endpoints for live events: server-sent events from any position, each person with what they may see."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated

from msgspec import Meta

from croupier.contract.requests import TableName
from croupier.house.names import account_stream, table_stream
from croupier.house.queries import Viewer
from croupier.house.stored_events import read
from croupier.server.api.tables import look
from croupier.server.endpoints import ANYONE, EVENTS, SIGNED_IN, Header, Receive, Request, Send, Stream, get
from croupier.server.live import Chunk, EntryEncoder, Listener, Pictures, message
from croupier.server.problems import Problem
from croupier.server.running_house import RunningHouse
from croupier.store.contract import Store

KEEP_ALIVE_SECONDS = 15.0
LONGEST_SECONDS = 900.0  # then the listener reconnects and is authenticated again
AT_ONCE = 50  # past events read together
PIECE_BYTES = 16 * 1024  # sent together; the rest is kept back
LATE = message("late", {"message": "Too much has happened: reconnect from the last event."})
SLOW = message("late", {"message": "That took too long: reconnect from the last event."})
CLOSED = message("closed", {"message": "The house is closing: reconnect later."})

LastEventId = Annotated[
    str | None, Header("Last-Event-ID"), Meta(description="The last event received; browsers send it.")
]
From = Annotated[
    int | None,
    Meta(ge=0, le=2**53, description="The last event that you know; without it, only new events are sent."),
]
Felt = Annotated[bool, Meta(description="Whether to send the felt as well.")]
HEADERS = {"x-accel-buffering": "no"}

Listen = Callable[[], Listener]
Picture = Callable[[Viewer], bytes]  # the table's felt for a viewer


@get("/tables/{table}/live", needs=ANYONE, summary="What happens at a table", kinds=(EVENTS,), tags=("live",))
async def live_table(
    request: Request, table: TableName, last_event_id: LastEventId = None, after: From = None, felt: Felt = False
) -> Stream:
    """Server-sent events. `id` is the event's number; reconnect with it and nothing is missed.

    With `felt` there are messages named `felt` between them: how the table stands, at first and after each change.
    """
    await look(request, table)
    running_house, asker = request.running_house, request.caller
    person = None if asker is None else asker.person
    listen = partial(
        running_house.broadcaster.listen,
        table_stream(table),
        lambda: running_house.look(asker, table),
        person,
        request.network,
    )
    position = await _position(running_house, table_stream(table), last_event_id, after)
    picture = partial(_felt, request.once(_pictures), running_house, table)
    return Live(running_house, listen, position, picture if felt else None)


def _felt(pictures: Pictures, running_house: RunningHouse, table: str, look: Viewer) -> bytes:
    house, head = running_house.house, running_house.house.head(table_stream(table))
    return message("felt", pictures.felt_for(house.table(table), head, look, running_house.processor.clock()))


def _pictures(running_house: RunningHouse) -> Pictures:
    return Pictures(running_house.house.shelf)


@get("/me/live", needs=SIGNED_IN, summary="What happens to your account", kinds=(EVENTS,), tags=("live",))
async def live_account(request: Request, last_event_id: LastEventId = None, after: From = None) -> Stream:
    """The same for the events of your account."""
    running_house, person = request.running_house, request.signed_in.person
    await running_house.account(person)
    listen = partial(
        running_house.broadcaster.listen, account_stream(person), lambda: Viewer(person), person, request.network
    )
    return Live(running_house, listen, await _position(running_house, account_stream(person), last_event_id, after))


async def _position(
    running_house: RunningHouse, stream: str, last_event_id: str | None, after: int | None
) -> int | None:
    """Return where to start: the browser's last event, the requested one, or None for from now on.

    Another process may be ahead of this one, so the store is read. Raises Problem if the stream itself is behind: the
    listener would wait for events that never come.
    """
    if last_event_id is not None and last_event_id.isascii() and last_event_id.isdecimal():
        after = int(last_event_id[:18])
    if after is None:
        return None
    await running_house.processor.catch_up(stream, after)
    head = running_house.house.head(stream).version
    if after > head:
        raise Problem(409, "ahead", f"The stream's last event is {head}; there is no event {after}.")
    return after


class Live(Stream):
    """A stream of events."""

    def __init__(
        self, running_house: RunningHouse, listen: Listen, after: int | None, picture: Picture | None = None
    ) -> None:
        super().__init__((), EVENTS, HEADERS)
        self._running_house = running_house
        self._listen = listen
        self._after = after
        self._picture = picture

    async def __call__(self, receive: Receive, send: Send) -> None:
        """Send past events, then live ones, without gaps or duplicates. Raises Problem before anything is sent."""
        listener = self._listen()
        watching = asyncio.create_task(_watch(receive, listener))
        try:
            await send({"type": "http.response.start", "status": self.status, "headers": self.head()})
            await self._send_live(listener, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            watching.cancel()
            listener.leave()

    async def _send_live(self, listener: Listener, send: Send) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + self._running_house.settings.catch_up_seconds
        head = self._running_house.house.head(
            listener.stream
        ).version  # everything stored from here on reaches the listener
        position = head if self._after is None else self._after
        await _send(send, b"retry: 1000\n\n")
        while position < head and not listener.is_gone:
            if loop.time() > end:
                await _send(send, SLOW)
                return
            position = await self._send_past(listener, position, min(head, position + AT_ONCE), send)
        if self._picture is not None:
            await _send(send, self._picture(listener.look()))
        await _present(listener, position, send, self._picture)

    async def _send_past(self, listener: Listener, after: int, last: int, send: Send) -> int:
        """Send past events; return the version reached. A thread reads and encodes them; only the bytes are kept."""
        running_house, stream = self._running_house, listener.stream
        encoder = EntryEncoder.of(running_house.house, stream, running_house.broadcaster.issue)
        chunk = await running_house.reading(_past, running_house.store, stream, after, last, encoder, listener.look())
        await _send(send, chunk.data)
        return chunk.version


def _past(store: Store, stream: str, after: int, last: int, encoder: EntryEncoder, look: Viewer) -> Chunk:
    return encoder.encode(list(map(read, store.read(stream, after, last - after)))).to(look)


async def _watch(receive: Receive, listener: Listener) -> None:
    """Notice when the listener disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.hang_up()


async def _send(send: Send, data: bytes) -> None:
    """Send data in pieces, so that little is buffered for a client that does not read."""
    for start in range(0, len(data), PIECE_BYTES):
        piece = data[start : start + PIECE_BYTES] if len(data) > PIECE_BYTES else data
        await send({"type": "http.response.body", "body": piece, "more_body": True})


async def _present(listener: Listener, position: int, send: Send, picture: Picture | None) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + LONGEST_SECONDS
    listener.stay_awake(KEEP_ALIVE_SECONDS)
    while loop.time() < end:
        position, news = _news(listener, position, await listener.next(), picture)
        if listener.is_gone:
            return
        if news is not None:
            await _send(send, news)
        if listener.is_late:
            await _send(send, LATE)
            return
        if listener.is_closed:
            await _send(send, CLOSED)
            return


STILL_HERE = b": still here\n\n"


def _news(listener: Listener, position: int, chunks: list[Chunk], picture: Picture | None) -> tuple[int, bytes | None]:
    """Return the new position and what to send: new events, or a keep-alive if nothing has happened for long."""
    if not chunks:
        return position, None if listener.is_late or listener.is_closed else STILL_HERE
    fresh = [chunk.data for chunk in chunks if chunk.version > position]
    if not fresh:
        return position, None
    if picture is not None:
        fresh.append(picture(listener.look()))
    return chunks[-1].version, fresh[0] if len(fresh) == 1 else b"".join(fresh)


ENDPOINTS = [live_table, live_account]
