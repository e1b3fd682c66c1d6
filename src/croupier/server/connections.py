"""Every connection, before it is a request: how much may come, how long it may take, and how many there may be.

uvicorn reads HTTP by httptools, which keeps a header until its last byte has come, however far off that is. What it
keeps is bounded here. There are no timers: all connections are looked at once a second.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Any

from litestar.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from croupier.server.limits import is_among, network_of, networks
from croupier.server.problems import TurnedAway
from croupier.server.settings import Settings

MOST_HEAD_BYTES = 32 * 1024  # of a request: its address and headers; and of what lies between two pieces of its body
MOST_ADDRESS_BYTES = 8 * 1024
READ_AT_ONCE_BYTES = 64 * 1024

TOO_LONG = TurnedAway(414, "address_too_long", f"The address of a request has at most {MOST_ADDRESS_BYTES:,} bytes.")
TOO_LARGE = TurnedAway(431, "headers_too_large", f"The headers of a request have at most {MOST_HEAD_BYTES:,} bytes.")
TOO_SLOW = TurnedAway(408, "too_slow", "The request did not come to its end in time.")
TOO_MANY = TurnedAway(503, "too_many_connections", "There are too many connections: try again in a moment.")
TRAILING = TurnedAway(400, "bad_request", "Nothing comes after a body.")


class Crowd:
    """All connections of one server, and where they come from."""

    def __init__(self, settings: Settings, most: int | None = None) -> None:
        """`most` is how many the machine lets it have, where that is fewer than the settings say."""
        self.head_seconds = settings.head_seconds
        self.body_seconds = settings.body_seconds
        self.stalled_seconds = settings.stalled_seconds
        self._most = settings.connections if most is None else min(most, settings.connections)
        self._most_from_one = settings.connections_from_one_address
        self._proxies = networks(settings.trusted_proxies)
        self._from: Counter[str] = Counter()
        self._all = 0

    def enter(self, address: str) -> bool:
        """Count one more, unless that is too many. Through a proxy many people come from one address."""
        network = network_of(address)
        if self._all >= self._most:
            return False
        if self._from[network] >= self._most_from_one and not is_among(address, self._proxies):
            return False
        self._all += 1
        self._from[network] += 1
        return True

    def leave(self, address: str) -> None:
        """One has gone."""
        network = network_of(address)
        self._all -= 1
        self._from[network] -= 1
        if not self._from[network]:
            del self._from[network]


class Doorway(HttpToolsProtocol):
    """One connection."""

    crowd: Crowd

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401  # as uvicorn makes it
        super().__init__(*given, **named)
        self.url = b""
        self._has_entered = False
        self._is_refused = False
        self._is_in_head = False
        self._unseen = 0  # bytes that came since anything was read to its end
        self._due: float | None = None  # when the request, or the first one, must have come
        self._stalled: float | None = None  # since when nothing more can be written

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody comes."""
        super().connection_made(transport)
        transport.max_size = READ_AT_ONCE_BYTES  # type: ignore[attr-defined]  # or 256 KiB go past every bound
        self._address = self.client[0] if self.client is not None else "?"
        self._has_entered = self.crowd.enter(self._address)
        self._due = self.loop.time() + self.crowd.head_seconds
        if not self._has_entered:
            self._refuse(TOO_MANY)

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody goes."""
        if self._has_entered:
            self._has_entered = False
            self.crowd.leave(self._address)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Something has come."""
        if self._is_refused:
            return
        self._unseen += len(data)
        super().data_received(data)
        if self._is_in_head and len(self.url) > MOST_ADDRESS_BYTES:
            self._refuse(TOO_LONG)
        elif self._unseen > MOST_HEAD_BYTES:
            self._refuse(TOO_LARGE)

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        self._is_in_head = True
        self._due = self.loop.time() + self.crowd.head_seconds

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header; one that comes after the body would be taken for one that came before it."""
        if self._is_in_head:
            super().on_header(name, value)
        elif not self._is_refused:
            self._refuse(TRAILING)

    def on_headers_complete(self) -> None:
        """All headers are there: what comes next is the body, if any."""
        self._unseen = 0
        if len(self.url) > MOST_ADDRESS_BYTES:
            self._refuse(TOO_LONG)
        elif len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > MOST_HEAD_BYTES:
            self._refuse(TOO_LARGE)
        if self._is_refused:
            return
        self._is_in_head = False
        self._due = self.loop.time() + self.crowd.body_seconds
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of a body."""
        self._unseen = 0
        if not self._is_refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The last byte of a request."""
        self._unseen = 0
        self._due = None
        if not self._is_refused:
            super().on_message_complete()

    def pause_writing(self) -> None:
        """Whoever asked does not read what is sent."""
        self._stalled = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """They do again."""
        self._stalled = None
        super().resume_writing()

    def look(self, now: float) -> None:
        """End what has taken too long; a connection that is closed stays until the last byte is read."""
        if self._stalled is None and self.transport.is_closing():
            self._stalled = now
        if self._stalled is not None and now > self._stalled + self.crowd.stalled_seconds:
            self.transport.abort()
        elif self._due is not None and now > self._due:
            self._refuse(TOO_SLOW)

    def _refuse(self, why: TurnedAway) -> None:
        """Say why, where nothing else is being said, and hang up."""
        self._is_refused = True
        self._due = None
        if self.transport.is_closing():
            return
        if self._may_say():
            body = why.body
            head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)
            self.transport.write(STATUS_LINE[why.status] + head + body)
        self.transport.close()

    def _may_say(self) -> bool:
        """Whether what is said now would be taken for the reply to what is refused."""
        cycle: RequestResponseCycle | None = self.cycle  # there is none before the first request
        if cycle is None or cycle.response_complete:
            return True
        return not (self._is_in_head or self.pipeline or cycle.response_started)


# -- last words -------------------------------------------------------------------------------------------------------
# Who still waits when a house closes is told so, in the form of every error, and not by the server underneath.

CLOSING = TurnedAway(
    503, "closing", "The house closes, and this may have been done or not: send it again with its key."
)
HEADERS = [
    (b"content-type", b"application/json"),
    (b"content-length", b"%d" % len(CLOSING.body)),
    (b"connection", b"close"),
]


def with_last_words(app: ASGIApp) -> ASGIApp:
    """The application, whose requests are answered even where they are given up."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except asyncio.CancelledError:
            with suppress(RuntimeError):  # the answer has begun: it cannot be another
                await send({"type": "http.response.start", "status": CLOSING.status, "headers": HEADERS})
                await send({"type": "http.response.body", "body": CLOSING.body, "more_body": False})
                return
            raise

    return answered
