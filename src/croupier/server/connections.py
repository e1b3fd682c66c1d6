"""Limits on connections before they become requests: how much they may send, how long they may take, and how many.

uvicorn parses HTTP with httptools, which buffers a header until its last byte arrives. This module bounds that
buffer. There are no timers: all connections are checked once a second.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from functools import partial
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from croupier.server.admission import is_among, network_of
from croupier.server.endpoints import ASGIApp, Receive, Scope, Send
from croupier.server.problems import TurnedAway
from croupier.server.settings import Settings, networks

MOST_HEAD_BYTES = 32 * 1024  # of a request's address and headers; also of the data between two pieces of its body
MOST_ADDRESS_BYTES = 8 * 1024
MOST_HEADERS = 100  # each takes far more memory here than on the wire
MOST_PIPELINED = 50  # requests that wait for the reply to one before them; no browser sends any
READ_AT_ONCE_BYTES = 64 * 1024
MOST_IGNORED_BYTES = 2**20  # of a body after the reply to it, as after 413: a client reads it once it has sent all

TOO_LONG = TurnedAway(414, "address_too_long", f"The URL of a request may have at most {MOST_ADDRESS_BYTES:,} bytes.")
TOO_LARGE = TurnedAway(
    431, "headers_too_large", f"The headers of a request may have at most {MOST_HEAD_BYTES:,} bytes."
)
TOO_MANY_HEADERS = TurnedAway(431, "headers_too_large", f"A request may have at most {MOST_HEADERS} headers.")
TOO_SLOW = TurnedAway(408, "too_slow", "The request took too long.")
TOO_MANY = TurnedAway(503, "too_many_connections", "There are too many connections: try again in a moment.")
TRAILING = TurnedAway(400, "bad_request", "Nothing may follow a body.")


class Crowd:
    """Counts all connections of one server by their network."""

    def __init__(self, settings: Settings, most: int | None = None) -> None:
        """`most` is the number the machine allows, if fewer than in the settings."""
        self.head_seconds = settings.head_seconds
        self.body_seconds = settings.body_seconds
        self.stalled_seconds = settings.stalled_seconds
        self._most = settings.connections if most is None else min(most, settings.connections)
        self._most_from_one = settings.connections_from_one_address
        self._proxies = networks(settings.trusted_proxies)
        self._from: Counter[str] = Counter()
        self._all = 0

    def enter(self, address: str) -> bool:
        """Count a new connection unless there are too many. Proxies are exempt from the limit per address."""
        network = network_of(address)
        if self._all >= self._most:
            return False
        if self._from[network] >= self._most_from_one and not is_among(address, self._proxies):
            return False
        self._all += 1
        self._from[network] += 1
        return True

    def leave(self, address: str) -> None:
        """Count a closed connection."""
        network = network_of(address)
        self._all -= 1
        self._from[network] -= 1
        if not self._from[network]:
            del self._from[network]


class ConnectionLimits(HttpToolsProtocol):
    """One connection, within the limits."""

    crowd: Crowd

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401  # uvicorn's arguments
        super().__init__(*given, **named)
        self.url = b""
        self._has_entered = False
        self._is_refused = False
        self._is_in_head = False
        self._unseen = 0  # bytes received since anything was parsed completely
        self._ignored = 0  # bytes of a body received since the reply to it
        self._due: float | None = None  # when the request, or the first one, must be complete
        self._answered: RequestResponseCycle | None = None  # whose reply is being made, or was last
        self._stalled: float | None = None  # since when nothing can be written

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or refuse it."""
        super().connection_made(transport)
        transport.max_size = READ_AT_ONCE_BYTES  # type: ignore[attr-defined]  # or 256 KiB would bypass every limit
        self._address = self.client[0] if self.client is not None else "?"
        self._has_entered = self.crowd.enter(self._address)
        self._due = self.loop.time() + self.crowd.head_seconds
        if not self._has_entered:
            self._refuse(TOO_MANY)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        if self._has_entered:
            self._has_entered = False
            self.crowd.leave(self._address)
        self.pipeline.clear()
        if self._answered is not None:  # uvicorn tells only the last request, which may still be waiting
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:  # noqa: ANN401  # of uvicorn
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def data_received(self, data: bytes) -> None:
        """Parse incoming data within the limits."""
        if self._is_refused:
            return
        self._unseen += len(data)
        if self._due is None and self.cycle.response_complete:
            # Line breaks before a request end the idle time, but do not begin the request.
            self._due = self.loop.time() + self.crowd.head_seconds
        super().data_received(data)
        if self._is_in_head and len(self.url) > MOST_ADDRESS_BYTES:
            self._refuse(TOO_LONG)
        elif self._unseen > MOST_HEAD_BYTES:
            self._refuse(TOO_LARGE)

    def on_message_begin(self) -> None:
        """Start the time limit for the headers at the first byte of a request."""
        super().on_message_begin()
        self._is_in_head = True
        self._ignored = 0
        self._due = self.loop.time() + self.crowd.head_seconds

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; refuse too many, and one after the body, which would be taken for one before it."""
        if self._is_refused:
            return
        if not self._is_in_head:
            self._refuse(TRAILING)
        elif len(self.headers) == MOST_HEADERS:
            self._refuse(TOO_MANY_HEADERS)
        else:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Check the size of the headers and start the time limit for the body."""
        self._unseen = 0
        if len(self.url) > MOST_ADDRESS_BYTES:
            self._refuse(TOO_LONG)
        elif len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > MOST_HEAD_BYTES:
            self._refuse(TOO_LARGE)
        elif len(self.pipeline) == MOST_PIPELINED:
            self._refuse(TOO_MANY)  # without a word, because other replies come first
        if self._is_refused:
            return
        self._is_in_head = False
        self._due = self.loop.time() + self.crowd.body_seconds
        super().on_headers_complete()
        if self.scope["method"] != "HEAD":  # whose reply has no body to wait for
            self.cycle.transport = ReplyTransport(self.transport)  # type: ignore[assignment]
            self.scope["send_whole"] = partial(self._send_whole, self.cycle)  # type: ignore[typeddict-unknown-key]

    def _send_whole(self, cycle: RequestResponseCycle, status: int, head: bytes, body: bytes) -> bool:
        """Send a reply in one piece, with the same bytes as the two messages of ASGI would have.

        False: the client does not read, so the reply must wait.
        """
        if self.flow.write_paused or cycle.disconnected or cycle.response_started:
            return False
        cycle.response_started = cycle.response_complete = True
        cycle.message_event.set()
        close = b"" if cycle.keep_alive else b"connection: close\r\n"
        self.transport.write(
            b"%b%bcontent-length: %d\r\n%b\r\n%b" % (STATUS_LINE[status], head, len(body), close, body)
        )
        if not cycle.keep_alive:
            self.transport.close()
        cycle.on_response()
        return True

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body; hang up on one that goes on and on after its reply."""
        self._unseen = 0
        if self._is_refused:
            return
        if self.cycle.response_complete:
            self._ignored += len(body)
            if self._ignored > MOST_IGNORED_BYTES:
                self._hang_up()
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """End the time limit at the last byte of a request."""
        self._unseen = 0
        self._due = None
        if not self._is_refused:
            super().on_message_complete()

    def pause_writing(self) -> None:
        """Note that the client does not read what is sent."""
        self._stalled = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Note that the client reads again."""
        self._stalled = None
        super().resume_writing()

    def look(self, now: float) -> None:
        """Enforce the time limits, also on a closing connection whose client has not read everything."""
        if self._stalled is None and self.transport.is_closing():
            self._stalled = now
        if self._stalled is not None and now > self._stalled + self.crowd.stalled_seconds:
            self.transport.abort()
        elif self._due is not None and now > self._due:
            self._refuse(TOO_SLOW)

    def _refuse(self, why: TurnedAway) -> None:
        """Send the reason, unless another response is in progress, and close the connection."""
        if not self.transport.is_closing() and self._may_say():
            body = why.body
            head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)
            self.transport.write(STATUS_LINE[why.status] + head + body)
        self._hang_up()

    def _hang_up(self) -> None:
        """Close the connection, and ignore what still comes."""
        self._is_refused = True
        self._due = None
        if not self.transport.is_closing():
            self.transport.close()

    def _may_say(self) -> bool:
        """Return whether a response sent now would be taken for the response to the refused request."""
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        if cycle is None or cycle.response_complete:
            return True
        return not (self._is_in_head or self.pipeline or cycle.response_started)


class ReplyTransport:
    """The way out of one reply. Its head waits for the first piece of its body: one system call instead of two.

    A reply without a length, such as live events, begins at once.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._has_begun = False
        self._held = b""

    def write(self, data: bytes) -> None:
        """Send a piece of the reply."""
        if not self._has_begun:
            self._has_begun = True
            if b"\r\ncontent-length: " in data:
                self._held = data
                return
        held, self._held = self._held, b""
        self._transport.write(held + data)

    def close(self) -> None:
        """Send what waits, and close the connection."""
        if self._held:
            self.write(b"")
        self._transport.close()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever else a transport has
        return getattr(self._transport, name)


# Requests still waiting when the house closes get an error in the house's own format, not the server's

CLOSING = TurnedAway(
    503, "closing", "The house is closing. This may or may not have been done: send it again with its key."
)
HEADERS = [
    (b"content-type", b"application/json"),
    (b"content-length", b"%d" % len(CLOSING.body)),
    (b"connection", b"close"),
]


def with_last_words(app: ASGIApp) -> ASGIApp:
    """Wrap the application so that cancelled requests are answered too."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except asyncio.CancelledError:
            with suppress(RuntimeError):  # a response has begun and cannot be replaced
                await send({"type": "http.response.start", "status": CLOSING.status, "headers": HEADERS})
                await send({"type": "http.response.body", "body": CLOSING.body, "more_body": False})
                return
            raise

    return answered
