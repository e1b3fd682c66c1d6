"""Requests that never end, floods of connections, and clients that never read."""

from __future__ import annotations

import select
import socket
import time
from contextlib import closing

import httpx
import pytest

from tests.attack.conftest import Held, Opened
from tests.attack.lines import MB, PATIENCE, answered, connected, first_line, is_open, many
from tests.mortal import Mortal
from tests.waiting import until

pytestmark = pytest.mark.any_store

HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
MOST_SLOWLY = 60  # bytes, ten a second: with the usual patience of a house more of them would come
GET = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/v1/sign-in HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/json\r\n"
ENDLESS = {
    "headers": (GET, b"x-more: " + b"a" * 1000 + b"\r\n"),
    "one header": (GET + b"x-more: ", b"a" * 65536),
    "the name of a header": (GET, b"a" * 65536),
    "the address": (b"GET /", b"a" * 65536),
    "what comes after the body": (POST + b"transfer-encoding: chunked\r\n\r\n0\r\nx: ", b"a" * 65536),
    "a body": (POST + b"transfer-encoding: chunked\r\n\r\n", b"1000\r\n" + b" " * 4096 + b"\r\n"),
    "the size of a piece": (POST + b"transfer-encoding: chunked\r\n\r\n1;", b"a" * 65536),
}


def poured(line: socket.socket, start: bytes, piece: bytes, most: int) -> int:
    """Send without end; return how much was accepted."""
    taken = 0
    try:
        line.sendall(start)
        while taken < most:
            line.sendall(piece)
            taken += len(piece)
    except OSError:
        pass
    return taken


def is_well(house: Mortal) -> bool:
    try:
        return httpx.get(f"{house.url}/health", timeout=PATIENCE).status_code == 200
    except httpx.TransportError:
        return False


def check_well(house: Mortal) -> None:
    assert is_well(house)


def served(lines: list[socket.socket]) -> int:
    """How many of them get a response to their request."""
    return sum(first_line(line) == b"HTTP/1.1 200 OK" for line in lines)


def peak_until_cut_off(house: Mortal) -> int:
    """Wait until the connections have come and gone; return the peak memory."""
    until(lambda: house.connections() > 0)
    peak = 0

    def is_cut_off() -> bool:
        nonlocal peak
        peak = max(peak, house.bytes_in_memory())
        return house.connections() == 0

    until(is_cut_off)
    return peak


@pytest.mark.parametrize("what", ENDLESS)
def test_endless(what: str, opened: Opened, held: Held) -> None:
    """A request that has a part that never ends."""
    house = opened()
    start, piece = ENDLESS[what]
    check_well(house)
    before = house.bytes_in_memory()
    with closing(connected(house)) as line:
        taken = poured(line, start, piece, 64 * MB)
        reply = answered(line)
    grown = house.bytes_in_memory() - before
    assert taken < 16 * MB  # most of it lies in buffers of the system
    assert grown < 8 * MB
    check_well(house)
    answer = reply.partition(b"\r\n")[0].decode() or "hung up"
    held(f"{what}: {answer}, {grown // 1024} KiB more memory")


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % (b"a" * 9000), b"414"),
        (b"GET /" + b"a" * 9000, b"414"),
        (GET + b"x-more: %s\r\n\r\n" % (b"a" * 40_000), b"431"),
        (GET + b"x-more: a\r\n" * 4000 + b"\r\n", b"431"),
        (GET + b"a:\r\n" * 200 + b"\r\n", b"431"),
        (GET + b"x-more: %s\r\n\r\n" % (b"a" * 20_000), b"200"),
    ],
    ids=["address", "address that goes on", "header", "headers", "very many headers", "large but allowed"],
)
def test_too_large_at_once(request_bytes: bytes, status: bytes, opened: Opened) -> None:
    """An oversized head, sent all at once."""
    with closing(connected(opened())) as line:
        line.sendall(request_bytes)
        assert first_line(line).startswith(b"HTTP/1.1 " + status)


def test_a_header_after_the_body(opened: Opened, held: Held) -> None:
    """A header that comes after the body."""
    signs_in = b'{"person":"ann","password":"ann-at-croupier"}'
    body = b"transfer-encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n" % (len(signs_in), signs_in)
    house = opened()
    with closing(connected(house)) as line:
        line.sendall(POST + body + b"\r\n")
        assert first_line(line).startswith(b"HTTP/1.1 200 ")
    with closing(connected(house)) as line:
        line.sendall(POST + body + b"x-csrf-token: late\r\n\r\n")
        reply = answered(line)
    assert reply.startswith(b"HTTP/1.1 400 ")
    assert b"Nothing may follow a body." in reply
    held("400")


def test_two_hosts(opened: Opened, held: Held) -> None:
    """A request for two hosts, of which only the first is the house."""
    house = opened()
    for second in (b"evil.example", b"localhost"):
        with closing(connected(house)) as line:
            line.sendall(GET + b"host: " + second + b"\r\n\r\n")
            assert first_line(line).startswith(b"HTTP/1.1 421 ")
    held("421")


def test_half_sent(opened: Opened, held: Held) -> None:
    """Half-sent requests, left open."""
    house = opened(head_seconds=1, body_seconds=2, idle_seconds=1)
    halves = {
        "nothing at all": b"",
        "half an address": b"GET /hea",
        "half a head": GET + b"x-more: ",
        "half a body": POST + b"content-length: 1000\r\n\r\n{",
        "a whole request, and then nothing": GET + b"\r\n",
    }
    lines = {what: connected(house) for what in halves}
    for what, line in lines.items():
        line.sendall(halves[what])
    until(lambda: not any(map(is_open, lines.values())))
    for line in lines.values():
        line.close()
    held("each is over in its time")


def test_line_breaks_between_requests(opened: Opened, held: Held) -> None:
    """A request, and then a line break instead of the next one."""
    house = opened(head_seconds=1, idle_seconds=1)
    with closing(connected(house)) as line:
        line.sendall(GET + b"\r\n")
        assert line.recv(65536).startswith(b"HTTP/1.1 200 ")
        line.sendall(b"\r\n")
        assert answered(line).startswith(b"HTTP/1.1 408 ")
    held("408, in the time that a request has")


def test_a_byte_at_a_time(opened: Opened, held: Held) -> None:
    """A head and a body that arrive one byte at a time."""
    house = opened(head_seconds=1, body_seconds=1)
    for start in (GET, POST + b"content-length: 1000\r\n\r\n"):
        with closing(connected(house)) as line:
            sent = poured(line, start, b"", 0)
            while is_open(line) and sent < MOST_SLOWLY:
                sent += poured(line, b"", b"a", 1)
                time.sleep(0.1)
            assert sent < MOST_SLOWLY
    held("each is over in its time")


def test_connections_from_one_address(opened: Opened, held: Held) -> None:
    """More connections from one address than are allowed."""
    house = opened(connections_from_one_address=50, idle_seconds=60)
    with many(house, 200, request=HEALTH) as lines:
        still = served(lines)
        assert still == 50
        check_well(house)  # from another address
    until(lambda: house.connections() == 0)
    with many(house, 50, request=HEALTH) as lines:
        assert served(lines) == 50
    held(f"{still} of 200 stay, others are let in, and places come free again")


def test_all_connections(opened: Opened, held: Held) -> None:
    """More connections in total than are allowed."""
    house = opened(connections=100, head_seconds=2)
    with many(house, 300, networks=50) as lines:
        until(lambda: sum(map(is_open, lines)) <= 100)
        until(lambda: is_well(house))
    held("the rest is told to come again, and those who say nothing make room")


def test_descriptors(opened: Opened, held: Held) -> None:
    """More connections than the machine has file descriptors for."""
    house = opened(most_files=256, connections_from_one_address=1000, head_seconds=60)
    size = len(house.said())
    with many(house, 600, networks=50) as lines:
        until(lambda: sum(map(is_open, lines)) < 256 // 2)  # it keeps the other half for its own files
    check_well(house)
    grown = len(house.said()) - size
    assert grown < 100_000
    assert "Too many open files" not in house.said(), "those whom it cannot serve it turns away itself"
    held(f"the house answers, and its log has {grown} bytes more")


def test_bad_requests_and_the_log(opened: Opened, held: Held) -> None:
    """Thousands of requests that are not HTTP."""
    house = opened(log="info")
    size = len(house.said())
    for _ in range(2000):
        with closing(connected(house)) as line:
            line.sendall(b"\x00\x01\x02\r\n\r\n")
            answered(line)
    grown = len(house.said()) - size
    assert grown < 50_000
    held(f"the log has {grown} bytes more")


def test_good_requests_and_the_log(opened: Opened, held: Held) -> None:
    """Thousands of identical requests that are answered, from someone who is not signed in."""
    house = opened(log="info")
    size = len(house.said())
    with httpx.Client(base_url=house.url) as http:
        for _ in range(2000):
            assert http.get("/api/v1/house").status_code == 200
        assert http.get("/api/v1/no-such-thing").status_code == 404
    until(lambda: '"status":404' in house.said()[size:])  # the log is written after the answer
    said = house.said()[size:]
    assert len(said) < 50_000
    held(f"the log has {len(said)} bytes more")


def test_nobody_reads(opened: Opened, held: Held) -> None:
    """Responses that are requested and never read."""
    house = opened(stalled_seconds=1)
    before = house.bytes_in_memory()
    with many(house, 100, networks=4, request=b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40):
        grown = peak_until_cut_off(house) - before
        check_well(house)
        connections = httpx.get(f"{house.url}/metrics").text
    assert grown < 128 * MB
    assert "croupier_listeners 0.0" in connections
    held(f"{grown // 1024} KiB more memory for 100 of them")


def test_requests_in_a_row(opened: Opened, held: Held) -> None:
    """Thousands of requests sent at once on each connection, before the first response is read."""
    house = opened()
    check_well(house)
    before = house.bytes_in_memory()
    request = b"GET / HTTP/1.1\r\n\r\n"
    with many(house, 100, networks=4, request=request * (64 * 1024 // len(request))) as lines:
        until(lambda: not any(map(is_open, lines)))
        grown = house.bytes_in_memory() - before
        check_well(house)
    assert grown < 64 * MB
    held(f"hung up, {grown // 1024} KiB more memory for 100 of them")


def test_who_reads_nothing_is_cut_off(opened: Opened, held: Held) -> None:
    """One response after another is requested, and none of them is read until it is too late."""
    house = opened(stalled_seconds=1)
    with closing(connected(house)) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        line.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40)
        peak_until_cut_off(house)
        came = answered(line).count(b"HTTP/1.1 200 ")
    assert came < 40
    held(f"{came} of 40 replies came")


def test_who_reads_nothing_holds_up_no_closing(opened: Opened, held: Held) -> None:
    """A client that requests reply after reply, and reads none of them while the house closes."""
    house = opened(shutdown_seconds=1, stalled_seconds=600)
    with closing(connected(house)) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        line.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40)
        until(lambda: select.select([line], [], [], 0)[0])
        house.close()
    held("it closes, and ends")
