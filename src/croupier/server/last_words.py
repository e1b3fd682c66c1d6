"""Who still waits when a house closes is told so, in the form of every error, and not by the server underneath."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from litestar.types import ASGIApp, Receive, Scope, Send

from croupier.server.problems import TurnedAway

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
