"""One connection at the edge, without a network or a clock: what it may send, and for how long."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from uvicorn.server import ServerState

from croupier.server import serving
from croupier.server.connections import MOST_HEADERS, MOST_PIPELINED, READ_AT_ONCE_BYTES, ConnectionLimits
from croupier.server.endpoints import Receive, Scope, Send
from croupier.server.settings import Settings

GET = b"GET /health HTTP/1.1\r\nhost: localhost\r\n"
SECONDS = Settings().head_seconds


class Wire(asyncio.Transport):
    """The other end of a connection: what was sent to it, and whether it was closed."""

    def __init__(self) -> None:
        super().__init__({"peername": ("192.0.2.1", 1)})
        self.came = b""
        self.is_closed = False
        self.is_paused = False

    def write(self, data: Any) -> None:  # noqa: ANN401
        self.came += data

    def close(self) -> None:
        self.is_closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.is_closed

    def pause_reading(self) -> None:
        self.is_paused = True

    def resume_reading(self) -> None:
        self.is_paused = False

    @property
    def statuses(self) -> list[str]:
        return [line.split(" ")[1] for line in self.came.decode().splitlines() if line.startswith("HTTP/1.1 ")]


class House:
    """A house with one connection: it answers at once, or only on demand."""

    def __init__(self, *, answers: bool = True) -> None:
        self.scope: Scope = {}
        self.may_answer = asyncio.Event()
        self.gone: list[str] = []
        self.wire = Wire()
        if answers:
            self.may_answer.set()

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            self.scope = scope
            if scope["path"] == "/live":
                while (message := await receive())["type"] != "http.disconnect":
                    pass
                self.gone.append(message["type"])
                return
            await self.may_answer.wait()
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
            await send({"type": "http.response.body", "body": b""})

        config = serving.configured(app, Settings())
        config.load()
        self.connection: ConnectionLimits = config.http_protocol_class(config, ServerState(), {})  # type: ignore[assignment,call-arg]
        self.connection.connection_made(self.wire)

    async def send(self, data: bytes) -> None:
        self.connection.data_received(data)
        for _ in range(5):  # steps of the loop: more than an answer takes
            await asyncio.sleep(0)

    def after(self, seconds: float) -> bool:
        """Whether the connection is open after this many seconds."""
        self.connection.look(asyncio.get_running_loop().time() + seconds)
        return not self.wire.is_closed


def test_line_breaks_do_not_keep_a_connection_open() -> None:
    """Each byte ends the idle time; only a request may extend it, and a request has its own time limit."""

    async def work() -> None:
        house = House()
        await house.send(GET + b"\r\n")
        assert house.wire.statuses == ["200"]
        for _ in range(3):
            await house.send(b"\r\n")
        assert house.after(SECONDS / 2)
        assert not house.after(SECONDS + 1)
        assert house.wire.statuses == ["200", "408"]

    asyncio.run(work())


@pytest.mark.parametrize(("count", "status"), [(MOST_HEADERS, "200"), (MOST_HEADERS + 1, "431")])
def test_headers_are_counted(count: int, status: str) -> None:
    """The shortest headers take a hundred times as much memory as they take on the wire."""

    async def work() -> None:
        house = House()
        await house.send(GET + b"a:\r\n" * (count - 1) + b"\r\n")
        assert house.wire.statuses == [status]
        assert len(house.connection.headers) <= MOST_HEADERS

    asyncio.run(work())


@pytest.mark.parametrize(("waiting", "is_open"), [(MOST_PIPELINED, True), (MOST_PIPELINED + 1, False)])
def test_requests_that_wait_for_a_reply_are_counted(waiting: int, is_open: bool) -> None:
    async def work() -> None:
        house = House(answers=False)
        await house.send((GET + b"\r\n") * (1 + waiting))
        assert house.wire.is_closed is not is_open
        assert len(house.connection.pipeline) <= MOST_PIPELINED
        house.may_answer.set()
        await house.send(b"")
        for _ in range(5 * waiting):
            await asyncio.sleep(0)
        assert len(house.wire.statuses) == (1 + waiting if is_open else 1)

    asyncio.run(work())


def test_who_hangs_up_is_gone_although_a_request_waited() -> None:
    """The listener, not only the request behind it, is told that the client has gone."""

    async def work() -> None:
        house = House()
        await house.send(b"GET /live HTTP/1.1\r\n\r\n" + GET + b"\r\n")
        assert house.gone == []
        house.connection.connection_lost(None)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert house.gone == ["http.disconnect"]
        assert not house.connection.pipeline

    asyncio.run(work())


@pytest.mark.parametrize("why", ["it does not read", "it has hung up", "a reply has begun"])
def test_a_reply_in_one_piece_is_for_a_client_that_can_take_one(why: str) -> None:
    async def work() -> None:
        house = House(answers=False)
        await house.send(GET + b"\r\n")
        match why:
            case "it does not read":
                house.connection.pause_writing()
            case "it has hung up":
                house.connection.connection_lost(None)
            case _:
                house.connection.cycle.response_started = True
        assert house.scope["send_whole"](200, b"", b"{}") is False
        assert house.wire.came == b""
        house.connection.resume_writing()  # or the request would wait for it for ever

    asyncio.run(work())


def test_a_reply_in_one_piece_is_the_only_one() -> None:
    async def work() -> None:
        house = House(answers=False)
        await house.send(GET + b"\r\n")
        assert [house.scope["send_whole"](200, b"", b"{}") for _ in range(2)] == [True, False]
        assert house.wire.came == b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"

    asyncio.run(work())


def test_little_is_read_at_once() -> None:
    """What is read before the limits are checked lies in memory for each connection."""
    sizes: list[int] = []

    async def work() -> None:
        house = House()
        kind = type(house.connection)

        class Measured(kind):  # type: ignore[misc,valid-type]
            def data_received(self, data: bytes) -> None:
                sizes.append(len(data))

        config = serving.configured(_nothing, Settings())
        config.load()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Measured(config, ServerState(), {}), "127.0.0.1", 0)
        async with server:
            _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(b"x" * 2**20)
            await writer.drain()
            while sum(sizes) < 2**20:
                await asyncio.sleep(0)
            writer.close()
            await writer.wait_closed()

    asyncio.run(work())
    assert max(sizes) <= READ_AT_ONCE_BYTES


async def _nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer nothing."""
