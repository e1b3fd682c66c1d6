"""HTTP clients on plain sockets, cheap enough never to be the bottleneck."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import cast

HOST = "127.0.0.1"


def posted(path: str, body: bytes, token: str, key: str) -> bytes:
    """Return a command as raw HTTP."""
    head = (
        f"POST {path} HTTP/1.1\r\nhost: {HOST}\r\naccept: */*\r\ncontent-type: application/json\r\n"
        f"authorization: Bearer {token}\r\nidempotency-key: {key}\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def asked(path: str, token: str | None) -> bytes:
    """Return a query as raw HTTP."""
    authorization = "" if token is None else f"authorization: Bearer {token}\r\n"
    return f"GET {path} HTTP/1.1\r\nhost: {HOST}\r\naccept: text/event-stream\r\n{authorization}\r\n".encode()


class Caller(asyncio.Protocol):
    """Sends requests one after another over one connection, each as soon as the previous one is answered."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._requests: list[bytes] = []
        self._got = self._answer = b""
        self._done: asyncio.Future[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    async def answer(self, request: bytes) -> bytes:
        """Send one request; return the response."""
        await self.send([request])
        return self._answer

    async def send(self, requests: Sequence[bytes]) -> None:
        """Send all requests, and wait for the last answer. Every answer must be a 200."""
        self._requests = list(reversed(requests))
        self._done = asyncio.get_running_loop().create_future()
        self._next()
        await self._done

    def _next(self) -> None:
        assert self._transport is not None
        assert self._done is not None
        if self._requests:
            self._transport.write(self._requests.pop())
        elif not self._done.done():
            self._done.set_result(None)

    def data_received(self, data: bytes) -> None:
        self._got = got = self._got + data
        head, end, body = got.partition(b"\r\n\r\n")
        if not end or len(body) < int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]):
            return
        self._got, self._answer = b"", body
        if head.startswith(b"HTTP/1.1 200"):
            self._next()
        elif self._done is not None:
            self._done.set_exception(AssertionError(got.decode()))

    def connection_lost(self, error: Exception | None) -> None:
        if self._done is not None and not self._done.done():
            self._done.set_exception(AssertionError(f"the server went away: {error}"))

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


async def callers(port: int, count: int) -> list[Caller]:
    """Open this many connections to a server."""
    loop = asyncio.get_running_loop()
    return [(await loop.create_connection(Caller, HOST, port))[1] for _ in range(count)]


class Hearer(asyncio.Protocol):
    """Listens to server-sent events, and notes how much has arrived and when the last of it came."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self.heard_at = 0.0
        self.heard = bytearray()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self.heard_at = monotonic()
        self.heard += data

    def close(self) -> None:
        """Close the connection."""
        if self.transport is not None:
            self.transport.abort()
