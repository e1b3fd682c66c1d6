"""The straight way for commands of programs: a token, a key and a body that are what they should be.

The framework takes a request apart in the most general way, and a busy house answers thousands a second. Whatever is
unusual in the least is left to it, so that it alone says what is wrong; who asks is checked by the same function.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec
from litestar import Request
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Receive, ReceiveMessage, Scope, Send

from croupier.server.api.asks import Key, TableName, admitted

MOST_BODY_BYTES = 16 * 1024  # of a command that takes this way; more is unusual

_KEY = get_args(Key)[1]
_is_key = re.compile(f"(?=.{{{_KEY.min_length},{_KEY.max_length}}}$){_KEY.pattern}", re.DOTALL).match
_LONGEST_NAME = get_args(TableName)[1].max_length


class _Given(NamedTuple):
    """A command that is in good order."""

    headers: dict[str, str]
    key: str
    data: msgspec.Struct


class Straight:
    """Goes before the framework's own handling of a command."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._decode: Callable[[bytes], msgspec.Struct] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One command."""
        message = await receive()
        handler: HTTPRouteHandler = scope["route_handler"]  # type: ignore[assignment]
        given = self._read(scope, handler, message)
        if given is None:
            await self._app(scope, _once_more(message, receive), send)
            return
        scope["user"] = await admitted(scope, given.headers, {})  # type: ignore[arg-type]
        request: Request[Any, Any, Any] = Request(scope, receive, send)
        reply = await handler.fn(request=request, data=given.data, key=given.key, **scope["path_params"])
        await reply(scope, receive, send)

    def _read(self, scope: Any, handler: HTTPRouteHandler, message: Any) -> _Given | None:  # noqa: ANN401
        """What was sent, where there is nothing unusual about it."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        key, body = headers.get("idempotency-key", ""), message.get("body", b"")
        is_usual = (
            message["type"] == "http.request"
            and not message.get("more_body")
            and len(body) <= MOST_BODY_BYTES
            and len(headers) == len(scope["headers"])  # none of them twice
            and "authorization" in headers
            and _is_key(key)
            and all(isinstance(name, str) and len(name) <= _LONGEST_NAME for name in scope["path_params"].values())
        )
        if not is_usual:
            return None
        if self._decode is None:
            self._decode = msgspec.json.Decoder(get_type_hints(handler.fn)["data"]).decode
        try:
            return _Given(headers, key, self._decode(body))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None


def _once_more(message: ReceiveMessage, receive: Receive) -> Receive:
    """What has been received is received again, and then what comes after it."""
    waiting = [message]

    async def received() -> ReceiveMessage:
        return waiting.pop() if waiting else await receive()

    return received
