"""The edge of a house, piece by piece: addresses, hosts, turns, the log, rounds by a clock that is put back."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

import pytest

from croupier.house import orders
from croupier.house.events import Rhythm
from croupier.server.addresses import Hosts, is_among, network_of, networks
from croupier.server.asking import not_signed_in
from croupier.server.logs import Throttle
from croupier.server.problems import Problem
from croupier.server.settings import SettingsError, read_settings
from croupier.server.turns import Turns
from tests.houses import TestHouse

# Addresses


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/56"),
        ("2001:db8:1:ff:ffff::1", "2001:db8:1::/56"),
        ("fe80::1%eth0", "fe80::/56"),
        ("no address", "no address"),
        ("x" * 1000, "x" * 60),
    ],
)
def test_what_counts_as_one(address: str, network: str) -> None:
    assert network_of(address) == network


def test_who_is_a_proxy() -> None:
    those = networks("127.0.0.1, 10.0.0.0/8,2001:db8::/32")
    assert [is_among(one, those) for one in ("127.0.0.1", "10.9.9.9", "2001:db8::1", "127.0.0.2", "x")] == [
        *[True] * 3,
        *[False] * 2,
    ]
    with pytest.raises(SettingsError, match=r"Setting trusted_proxies: 10\.0\.0\.1/8 is no address"):
        read_settings(None, {"CROUPIER_TRUSTED_PROXIES": "10.0.0.1/8"})


@pytest.mark.parametrize(
    ("host", "is_known"),
    [
        ("localhost", True),
        ("LOCALHOST:8000", True),
        ("casino.example:443", True),
        ("Casino.Example", True),
        ("192.0.2.1:8000", True),
        ("[2001:db8::1]:8000", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("casino.example.", False),
        ("", False),
    ],
)
def test_under_which_names_a_house_is_known(host: str, is_known: bool) -> None:
    assert Hosts("127.0.0.1", "casino.example").knows(host) is is_known


@pytest.mark.parametrize(
    ("origin", "host", "is_own"),
    [
        ("http://localhost:8000", "localhost:8000", True),
        ("http://localhost", "localhost:80", True),
        ("https://casino.example", "casino.example:443", True),
        ("https://casino.example", "127.0.0.1:8000", True),  # a proxy that asks under another name
        ("http://localhost:9000", "localhost:8000", False),
        ("http://localhost:9000", "127.0.0.1:8000", False),
        ("null", "localhost:8000", False),
        ("", "", False),
        ("file://", "localhost", False),
        ("http://[", "localhost", False),
    ],
)
def test_whose_pages_give_orders(origin: str, host: str, is_own: bool) -> None:
    assert Hosts("127.0.0.1", "casino.example").is_own(origin, host) is is_own


# Turns


def test_a_queue_has_an_end_and_nobody_fills_it_alone() -> None:
    async def queued() -> list[str]:
        turns, told, leave = Turns(1, most=4, most_from_one=2), list[str](), asyncio.Event()

        async def come(network: str) -> None:
            try:
                async with turns.turn(network):
                    await leave.wait()
                    told.append(network)
            except Problem as problem:
                told.append(f"{network} {problem.code} {problem.wait}")

        waiting = [asyncio.ensure_future(come(network)) for network in ("a", "a", "a", "b", "b", "c")]
        await asyncio.sleep(0.01)
        leave.set()
        await asyncio.gather(*waiting)
        await come("a")  # there is room again
        return told

    assert asyncio.run(queued()) == ["a busy 3", "c busy 3", "a", "a", "b", "b", "a"]


# The log


def test_what_repeats_in_the_log_is_counted() -> None:
    now = 0.0
    throttle = Throttle(3, 10.0, lambda: now)

    def logged(level: int, say: str, *given: object) -> logging.LogRecord | None:
        record = logging.LogRecord("croupier", level, "", 0, say, given, None)
        return record if throttle.filter(record) else None

    assert [logged(logging.ERROR, "%s fails", n) is not None for n in range(5)] == [True] * 3 + [False] * 2
    assert logged(logging.ERROR, "something else") is not None
    assert all(logged(logging.INFO, "request") for _ in range(100))
    now = 11.0
    first, second = logged(logging.ERROR, "%s fails", 5), logged(logging.ERROR, "%s fails", 6)
    assert first is not None
    assert second is not None
    assert first.__dict__["left_out"] == 2
    assert "left_out" not in second.__dict__


def test_a_refusal_is_made_each_time() -> None:
    """One that is raised again and again keeps every frame that it ever went through."""
    assert not_signed_in() is not not_signed_in()


# A clock that is put back


@pytest.mark.parametrize("hours", [1, 24 * 365])
@pytest.mark.parametrize("seconds", [0, 3, 16, 20.5, 23])
def test_a_clock_put_back_stops_no_table(hours: int, seconds: float) -> None:
    """In whichever part of a round it is put back, the next throws come in their time."""
    house = TestHouse()
    ann, rhythm = house.person("ann"), Rhythm(open=20.0, last_call=5.0, shut=1.0, show=5.0, waits=False)
    table = house.clock_table("craps-nsw-2024", rhythm=rhythm)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.wait(seconds)
    house.at -= timedelta(hours=hours)
    before = house.house.table(table).rounds
    steps = 0
    for _ in range(200):
        house.at += timedelta(seconds=0.5)
        while house.do(orders.RunOn(table=table))["ok"]:
            steps += 1
            assert steps < 50, "it does not run wild either"
    assert 3 <= house.house.table(table).rounds - before <= 6
