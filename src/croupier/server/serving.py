"""Serves a house: open it, announce its address, run until a signal, and close cleanly."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from types import FrameType

import uvicorn

from croupier.server import demonstration
from croupier.server.api.app import make_app
from croupier.server.connections import ConnectionLimits, Crowd, with_last_words
from croupier.server.endpoints import ASGIApp
from croupier.server.monitoring import start_logging
from croupier.server.running_house import RunningHouse
from croupier.server.settings import Settings, SettingsError, networks
from croupier.store.contract import Boundary, nothing

log = logging.getLogger("croupier.server")
WAITING = 2048  # connections not yet accepted
TAKEN_AT_ONCE = 128  # of them; each needs a file descriptor before it can be refused
OTHER_FILES = 128  # the store, its threads, the log
SEND_BUFFER_BYTES = 128 * 1024  # the system buffers at most twice that for a client that does not read
MOST_FILES = 65_536  # if the machine has no limit
TICKS_BETWEEN_LOOKS = 10
YOUNG_OBJECTS = 10_000  # between two runs of the garbage collector; Python's 700 are made by three orders
STOPPING = (signal.SIGINT, signal.SIGTERM)


def serve(settings: Settings, boundary: Boundary = nothing) -> None:
    """Serve a house until a signal arrives. Raises SettingsError or StoreError if it cannot be opened."""
    start_logging(settings.log)
    if settings.demonstration:
        demonstration.check_alone(settings)
    listening = bound(settings)
    try:
        asyncio.run(_serve(settings, listening, boundary))
    finally:
        listening.close()


def bound(settings: Settings) -> socket.socket:
    """Bind the socket before anything else is touched. Raises SettingsError.

    Connections that arrive while the house is opening wait in the backlog.
    """
    made = None
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        family, kind, protocol, _, place = found
        # With the protocol given as TCP, asyncio sends writes at once; otherwise every reply waits 40 ms for the other
        # side to acknowledge its first half.
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)  # inherited by all its connections
        made.bind(place)
        made.listen(WAITING)  # another house could take the port until then
    except OSError as error:
        if made is not None:
            made.close()
        where = f"{settings.host} port {settings.port}"
        raise SettingsError(f"The house cannot listen on {where}: {(error.strerror or str(error)).lower()}.") from None
    return made


def address(settings: Settings, listening: socket.socket) -> str:
    """Return the URL of the house for a browser."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{listening.getsockname()[1]}"


async def _serve(settings: Settings, listening: socket.socket, boundary: Boundary) -> None:
    running_house = RunningHouse(settings, boundary=boundary)
    await running_house.open()
    try:
        if settings.demonstration:
            await demonstration.furnish(running_house)
        server = HouseServer(running_house)
        _set_aside()
        with server.capture_signals():  # once it is announced as open, a signal must close it cleanly
            _say_where(running_house, address(settings, listening))
            await server.serve(sockets=[listening])
    finally:
        await running_house.close()


def _set_aside() -> None:
    """Exempt all current objects from garbage collection: scanning them again and again would delay every request."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])


def _say_where(running_house: RunningHouse, where: str) -> None:
    """Announce the address on standard output and in the log."""
    settings = running_house.settings
    log.info(
        "open", extra={"address": where, "store": running_house.store.name}
    )  # the store's name has no password in it
    print(f"The house is open at {where}", flush=True)
    if settings.demonstration:
        print("\nSign in as:", flush=True)
        for one in demonstration.PEOPLE:
            print(f"  {', '.join(one.roles):<11} {one.person:<5} {one.password}", flush=True)
        print("\nOpen it in a browser and pick a table. To deal one yourself, sign in as dora at", flush=True)
        print(f"{where}/tables/{demonstration.DEALT}/deal", flush=True)
        print("and as ann in a private window. Ctrl-C closes the house.", flush=True)


def files_allowed() -> int:
    """Raise the limit of open files as far as the machine allows, and return it."""
    if sys.platform == "win32":  # has no such limit
        return MOST_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return most if soft == resource.RLIM_INFINITY else soft


def configured(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    """Configure uvicorn for an application."""
    files = files_allowed()
    at_once = min(TAKEN_AT_ONCE, max(1, files // 8))
    crowd = Crowd(settings, max(1, files - at_once - min(OTHER_FILES, files // 2)))
    proxies = networks(settings.trusted_proxies)
    return uvicorn.Config(
        app,
        http=type("CrowdedConnectionLimits", (ConnectionLimits,), {"crowd": crowd}),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        backlog=at_once,
        timeout_keep_alive=max(1, round(settings.idle_seconds)),
        timeout_graceful_shutdown=max(1, round(settings.shutdown_seconds)),
    )


class HouseServer(uvicorn.Server):
    """Serves an open house. On a stop signal it disconnects the listeners at once."""

    def __init__(self, running_house: RunningHouse) -> None:
        self._running_house = running_house
        super().__init__(configured(with_last_words(make_app(running_house)), running_house.settings))

    async def on_tick(self, counter: int) -> bool:
        """Runs ten times a second; checks all connections on every tenth call."""
        if counter % TICKS_BETWEEN_LOOKS == 0:
            now = asyncio.get_running_loop().time()
            for connection in list(self.server_state.connections):
                if isinstance(connection, ConnectionLimits):
                    connection.look(now)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close; hang up on clients that still do not read, or the last words to them would wait for ever."""
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            if isinstance(connection, ConnectionLimits) and connection.flow.write_paused:
                connection.transport.abort()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle the stop signals while the server runs. Only possible in the main thread."""
        if current_thread() is not main_thread():
            yield
            return
        before = {one: signal.signal(one, self.handle_exit) for one in STOPPING}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Close; a second signal does not wait for requests."""
        log.info("closing", extra={"signal": signal.Signals(sig).name})
        self._running_house.close_doors()
        super().handle_exit(sig, frame)

    def stop(self) -> None:
        """Close, from any thread."""
        self._running_house.close_doors()
        self.should_exit = True
