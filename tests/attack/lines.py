"""An attacker's own connections: they send what no honest client would send, from any loopback address."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from tests.mortal import Mortal

MB = 2**20
PATIENCE = 20.0


def connected(house: Mortal, address: str = "127.0.0.1", seconds: float = PATIENCE) -> socket.socket:
    """A connection from a given loopback address."""
    at = urlsplit(house.url)
    assert at.hostname is not None
    return socket.create_connection((at.hostname, at.port or 80), timeout=seconds, source_address=(address, 0))


@contextmanager
def many(house: Mortal, count: int, networks: int = 1, request: bytes = b"") -> Iterator[list[socket.socket]]:
    """Many connections, spread over a number of addresses; each sends the same bytes."""
    lines = []
    try:
        for number in range(count):
            try:
                line = connected(house, f"127.0.1.{1 + number % networks}")
                line.sendall(request)
            except OSError:
                continue  # it was turned away at once
            lines.append(line)
        yield lines
    finally:
        for line in lines:
            line.close()


def answered(line: socket.socket, seconds: float = PATIENCE) -> bytes:
    """Everything received until the other side hangs up or the time is over."""
    line.settimeout(seconds)
    came = b""
    try:
        while piece := line.recv(65536):
            came += piece
    except OSError:
        pass
    return came


def received(line: socket.socket, end: bytes) -> bytes:
    """What is received, up to a number of bytes; less if the other side hangs up first."""
    line.settimeout(PATIENCE)
    came = b""
    try:
        while end not in came and (piece := line.recv(65536)):
            came += piece
    except ConnectionError:
        pass
    return came


def first_line(line: socket.socket) -> bytes:
    """The first line received; empty if the other side hangs up."""
    return received(line, b"\r\n").partition(b"\r\n")[0]


def is_open(line: socket.socket) -> bool:
    """Whether the other side has kept the connection open."""
    line.setblocking(False)
    try:
        while line.recv(65536):
            pass
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
