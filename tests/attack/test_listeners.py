"""Listeners that never read, and more listeners than are allowed."""

from __future__ import annotations

import select
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

import httpx
import pytest

from tests.attack.conftest import Held, Opened
from tests.attack.lines import MB, answered, connected, many, received
from tests.mortal import Mortal
from tests.serving import Person, did
from tests.waiting import until

TABLE = "past"
UNTIL_COLLECTED = 2000  # requests: memory grows by some 2 MB until the first garbage is collected, then no more
LIVE = f"GET /api/v1/tables/{TABLE}/live%s HTTP/1.1\r\nHost: localhost\r\n\r\n"


def listening(house: Mortal) -> int:
    text = httpx.get(f"{house.url}/metrics", timeout=10).text
    return int(float(text.partition("\ncroupier_listeners ")[2].split()[0]))


@contextmanager
def filled(house: Mortal, bets: int) -> Iterator[Person]:
    """Someone at a table who has bet and taken the bet down many times, so that the table has a long record."""
    with ExitStack() as stack:
        ann, mia = (Person(house.url, name, f"{name}-at-croupier") for name in ("ann", "mia"))
        for one in (ann, mia):
            stack.callback(one.http.close)
        did(mia, "/tables", {"table": TABLE, "title": "Past", "line": {"book": "craps-nsw-2024", "min": "1.00"}})
        did(ann, f"/tables/{TABLE}/seat", {"chips": "500.00"})
        for _ in range(bets):
            did(ann, f"/tables/{TABLE}/lines", {"line": {"do": "bet", "wager": "field", "amount": "1.00"}})
            did(ann, f"/tables/{TABLE}/lines", {"line": {"do": "take", "wager": "field"}})
        yield ann


def test_nobody_reads(opened: Opened, held: Held) -> None:
    """A hundred listeners that ask for the whole record and never read it."""
    house = opened(stalled_seconds=3, orders_a_second=1_000_000)
    with filled(house, 150) as ann:
        before = house.bytes_in_memory()
        with many(house, 100, networks=4, request=(LIVE % "?after=0&felt=true").encode()) as lines:
            until(lambda: listening(house) == len(lines))
            until(lambda: len(select.select(lines, [], [], 0)[0]) == len(lines))  # all have been sent something
            assert ann.get("/me").is_success
            grown = house.bytes_in_memory() - before
    assert grown < 100 * 256 * 1024
    held(f"{grown // len(lines) // 1024} KiB for each, and others are served")


@pytest.mark.long
def test_a_thousand_that_never_read(opened: Opened, held: Held) -> None:
    """A thousand listeners that never read, while others bet."""
    house = opened(stalled_seconds=600, listeners_from_one_address=1000)
    with filled(house, 100) as ann:
        before = house.bytes_in_memory()
        with many(house, 1000, networks=40, request=(LIVE % "?after=0&felt=true").encode()):
            slowest = 0.0
            for _ in range(100):
                start = time.monotonic()
                did(ann, f"/tables/{TABLE}/lines", {"line": {"do": "bet", "wager": "field", "amount": "1.00"}})
                did(ann, f"/tables/{TABLE}/lines", {"line": {"do": "take", "wager": "field"}})
                slowest = max(slowest, time.monotonic() - start)
            grown = house.bytes_in_memory() - before
    assert grown < 1000 * 300 * 1024
    assert slowest < 5
    held(f"{grown // 1000 // 1024} KiB for each, and the slowest of 100 bets and takings took {slowest * 1000:.0f} ms")


@pytest.mark.any_store
def test_too_many_from_one_address(opened: Opened, held: Held) -> None:
    """More listeners than are allowed, from one address and in total."""
    house = opened(listeners=30, listeners_from_one_address=20)
    live = (LIVE % "").replace(TABLE, "craps-nsw-2024").encode()
    with many(house, 25, request=live):
        until(lambda: listening(house) == 20)
        with closing(connected(house, "127.0.1.1")) as line:
            line.sendall(live)
            reply = answered(line, 1)
        assert reply.startswith(b"HTTP/1.1 429")
        assert b'"code":"too_many_listeners"' in reply
        assert b"retry-after: 10" in reply
        with many(house, 15, networks=15, request=live):  # 127.0.1.1 is among them
            until(lambda: listening(house) == 30)
    until(lambda: listening(house) == 0)
    held("429 for the 21st from one address, 503 for the 31st of all; places come free again")


@pytest.mark.any_store
def test_listeners_that_leave_another_request_behind(opened: Opened, held: Held) -> None:
    """Listeners that send a second request, which waits, and hang up: they must be dropped."""
    house = opened()
    live = (LIVE % "").replace(TABLE, "craps-nsw-2024").encode()
    with many(house, 20, request=live + live):
        until(lambda: listening(house) == 20)
    until(lambda: listening(house) == 0)
    held("their places come free at once")


@pytest.mark.any_store
def test_strangers_leave_nothing_behind(opened: Opened, held: Held) -> None:
    """Repeated requests from people who are not signed in."""
    house = opened()
    with httpx.Client(base_url=house.url) as http:
        for _ in range(UNTIL_COLLECTED):
            assert http.get("/api/v1/me").status_code == 401
        before = house.bytes_in_memory()
        for _ in range(2000):
            assert http.get("/api/v1/me").status_code == 401
        grown = house.bytes_in_memory() - before
    assert grown < MB // 2
    held(f"{grown // 1024} KiB more memory after 2,000")


@pytest.mark.any_store
def test_catching_up_without_end(opened: Opened, held: Held) -> None:
    """A listener that takes too long to read the past events."""
    house = opened(catch_up_seconds=0.001)
    with filled(house, 100), closing(connected(house)) as line:
        line.sendall((LIVE % "?after=0").encode())
        came = received(line, b"event: late")
    assert b"event: late" in came
    assert b"\nid: 1\n" in b"\n" + came.partition(b"\r\n\r\n")[2]
    assert b"\nid: 100\n" not in came
    held("told to come again from the last event")
