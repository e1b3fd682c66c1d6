"""Connections of an attacker's own: what no client in good faith would send, from any address of the loopback."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from tests.mortal import Mortal

MB = 2**20
PATIENCE = 20.0


def connected(house: Mortal, address: str = "127.0.0.1", seconds: float = PATIENCE) -> socket.socket:
    """A connection from an address of this machine."""
    at = urlsplit(house.url)
    assert at.hostname is not None
    return socket.create_connection((at.hostname, at.port or 80), timeout=seconds, source_address=(address, 0))


@contextmanager
def many(house: Mortal, count: int, networks: int = 1, request: bytes = b"") -> Iterator[list[socket.socket]]:
    """Many connections, spread over so many addresses; each sends the same."""
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
    """All that comes until the other side hangs up, or for so long."""
    line.settimeout(seconds)
    came = b""
    try:
        while piece := line.recv(65536):
            came += piece
    except OSError:
        pass
    return came


def is_open(line: socket.socket) -> bool:
    """Whether the other side has not hung up."""
    line.setblocking(False)
    try:
        while line.recv(65536):
            pass
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
