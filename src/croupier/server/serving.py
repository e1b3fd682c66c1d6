"""A house that is served: it opens, says where it is, works until it is told to stop, and closes in good order."""

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
from litestar.types import ASGIApp

from croupier.server import demonstration
from croupier.server.api.app import make_app
from croupier.server.connections import Crowd, Doorway, with_last_words
from croupier.server.limits import networks
from croupier.server.monitoring import start_logging
from croupier.server.running_house import RunningHouse
from croupier.server.settings import Settings, SettingsError
from croupier.store.contract import Boundary, nothing

log = logging.getLogger("croupier.server")
WAITING = 2048  # connections that nobody has taken yet
TAKEN_AT_ONCE = 128  # of them; each has a file of its own before anybody can turn it away
OTHER_FILES = 128  # the store, its threads, the log
SEND_BUFFER_BYTES = 128 * 1024  # the system keeps no more than twice that for somebody who does not read
MOST_FILES = 65_536  # where the machine has no bound of its own
TICKS_BETWEEN_LOOKS = 10
STOPPING = (signal.SIGINT, signal.SIGTERM)


def serve(settings: Settings, boundary: Boundary = nothing) -> None:
    """Serve a house until a signal comes. Raises SettingsError or StoreError where it cannot be opened."""
    start_logging(settings.log)
    if settings.demonstration:
        demonstration.check_alone(settings)
    listening = bound(settings)
    try:
        asyncio.run(_serve(settings, listening, boundary))
    finally:
        listening.close()


def bound(settings: Settings) -> socket.socket:
    """The socket to listen on, taken before anything else is touched. Raises SettingsError.

    Whoever comes while the house still opens waits at the door.
    """
    made = None
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        family, kind, protocol, _, place = found
        # Named as TCP, so that asyncio sends at once what is written: otherwise every reply waits 40 ms for the other
        # side to confirm its first half.
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)  # of all connections that it takes
        made.bind(place)
        made.listen(WAITING)  # until then another house could have the same port
    except OSError as error:
        if made is not None:
            made.close()
        where = f"{settings.host} port {settings.port}"
        raise SettingsError(f"The house cannot listen on {where}: {(error.strerror or str(error)).lower()}.") from None
    return made


def address(settings: Settings, listening: socket.socket) -> str:
    """Where the house is, for a browser."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{listening.getsockname()[1]}"


async def _serve(settings: Settings, listening: socket.socket, boundary: Boundary) -> None:
    premises = RunningHouse(settings, boundary=boundary)
    await premises.open()
    try:
        if settings.demonstration:
            await demonstration.furnish(premises)
        server = HouseServer(premises)
        _set_aside()
        with server.capture_signals():  # who is told that it is open may close it in good order
            _say_where(premises, address(settings, listening))
            await server.serve(sockets=[listening])
    finally:
        await premises.close()


def _set_aside() -> None:
    """What is there by now stays: looking through all of it for garbage would hold everybody up, again and again."""
    gc.collect()
    gc.freeze()


def _say_where(premises: RunningHouse, where: str) -> None:
    """For people, on standard output; the log has it too."""
    settings = premises.settings
    log.info("open", extra={"address": where, "store": premises.store.name})  # which has no password in it
    print(f"The house is open at {where}", flush=True)
    if settings.demonstration:
        print("\nSign in as:", flush=True)
        for one in demonstration.PEOPLE:
            print(f"  {', '.join(one.roles):<11} {one.person:<5} {one.password}", flush=True)
        print("\nOpen it in a browser and pick a table. To deal one yourself, sign in as dora at", flush=True)
        print(f"{where}/tables/{demonstration.DEALT}/deal", flush=True)
        print("and as ann in a private window. Ctrl-C closes the house.", flush=True)


def files_allowed() -> int:
    """How many files this process may have open: as many as the machine lets it have at all."""
    if sys.platform == "win32":  # which has no such bound
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
    """How an application is served."""
    files = files_allowed()
    at_once = min(TAKEN_AT_ONCE, max(1, files // 8))
    crowd = Crowd(settings, max(1, files - at_once - min(OTHER_FILES, files // 2)))
    proxies = networks(settings.trusted_proxies)
    return uvicorn.Config(
        app,
        http=type("Doorway", (Doorway,), {"crowd": crowd}),
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
    """Serves a house that is open. As soon as it is told to stop, those who listen are sent home."""

    def __init__(self, premises: RunningHouse) -> None:
        self._premises = premises
        super().__init__(configured(with_last_words(make_app(premises)), premises.settings))

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second: now and then all connections are looked at."""
        if counter % TICKS_BETWEEN_LOOKS == 0:
            now = asyncio.get_running_loop().time()
            for connection in list(self.server_state.connections):
                if isinstance(connection, Doorway):
                    connection.look(now)
        return await super().on_tick(counter)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals that mean the end while the server runs; only a main thread can."""
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
        """Close; a second signal does not wait for anybody."""
        log.info("closing", extra={"signal": signal.Signals(sig).name})
        self._premises.close_doors()
        super().handle_exit(sig, frame)

    def stop(self) -> None:
        """Close, from any thread."""
        self._premises.close_doors()
        self.should_exit = True
