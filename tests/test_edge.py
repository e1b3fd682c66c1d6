"""The edge of a house, piece by piece: addresses, hosts, turns, the log, rounds when the clock is set back."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import cast

import pytest

from croupier.house import orders
from croupier.house.electronic.public_record import public_record
from croupier.house.electronic.verification import verify_dice
from croupier.house.events import Rhythm
from croupier.server import serving
from croupier.server.admission import Asker, Hosts, Turns, is_among, network_of, not_signed_in
from croupier.server.connections import Crowd
from croupier.server.credentials import Credentials
from croupier.server.endpoints import Receive, Scope, Send
from croupier.server.monitoring import Throttle
from croupier.server.problems import Problem
from croupier.server.running_house import RunningHouse
from croupier.server.settings import Settings, SettingsError, networks, read_settings
from croupier.server.system import SteadyClock
from croupier.store.records import Secret
from tests.houses import SHELF, TestHouse

PASSWORD = "correct horse battery"

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
    with pytest.raises(SettingsError, match=r"Setting trusted_proxies: 10\.0\.0\.1/8 is not an address"):
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


# Connections


def test_who_comes_through_a_proxy_shares_its_address_and_not_its_bound() -> None:
    given = {"connections": "10", "connections_from_one_address": "2", "trusted_proxies": "10.0.0.1"}
    crowd = Crowd(read_settings(None, {f"CROUPIER_{name.upper()}": value for name, value in given.items()}))
    assert [crowd.enter("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert [crowd.enter("10.0.0.1") for _ in range(9)] == [True] * 8 + [False]


@pytest.mark.parametrize("files", [16, 100, 256, 1024, 65_536])
def test_there_are_fewer_connections_than_files(files: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the file descriptors is for the store, its threads and the log, and for connections that are
    turned away."""
    monkeypatch.setattr(serving, "files_allowed", lambda: files)
    config = serving.configured(no_app, Settings())
    assert not isinstance(config.http, str)
    crowd: Crowd = vars(config.http)["crowd"]
    entered = sum(crowd.enter(f"10.0.{n >> 8}.{n & 255}") for n in range(files + 1))
    assert 1 <= entered <= Settings().connections
    assert entered + config.backlog <= files - min(serving.OTHER_FILES, files // 2)


async def no_app(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that is never called."""


@pytest.mark.skipif(sys.platform == "win32", reason="which has no such bound")
def test_a_house_raises_its_own_limit_of_files() -> None:
    """In a process of its own, which the system allows 300 files and gives 100 to begin with."""
    script = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 300))
from croupier.server.serving import files_allowed
print(files_allowed(), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["300"] * 3


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
        await asyncio.sleep(0)  # all of them come
        leave.set()
        await asyncio.gather(*waiting)
        await come("a")  # there is room again
        return told

    assert asyncio.run(queued()) == ["a busy 3", "c busy 3", "a", "a", "b", "b", "a"]


@pytest.mark.parametrize("needs_a_hash", ["hashed", "marked", "sign_in", "set_password"])
def test_every_hash_waits_its_turn(needs_a_hash: str) -> None:
    async def refused() -> str:
        house = RunningHouse(Settings())
        house._hashing = Turns(1, most=0, most_from_one=0)  # a queue that is full
        asker = Asker("ann")
        calls: dict[str, Callable[[], Awaitable[object]]] = {
            "hashed": lambda: house.hashed("ann", PASSWORD),
            "marked": lambda: house.marked("ann", PASSWORD, "key"),
            "sign_in": lambda: house.sign_in("ann", PASSWORD),
            "set_password": lambda: house.set_password(asker, None, "ann", PASSWORD),
        }
        with pytest.raises(Problem) as problem:
            await calls[needs_a_hash]()
        return problem.value.code

    assert asyncio.run(refused()) == "busy"


def test_hashes_are_made_two_at_a_time_and_only_so_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a house with the real limits; no hash finishes before all requests have arrived."""

    async def come() -> tuple[int, list[str]]:
        house, go_on, hashing = RunningHouse(Settings()), asyncio.Event(), list[object]()

        async def in_a_thread(work: Callable[[], object]) -> object:
            hashing.append(work)
            await go_on.wait()
            return work()

        monkeypatch.setattr(asyncio, "to_thread", in_a_thread)
        house.credentials = cast(Credentials, SimpleNamespace(hashed=lambda person, _: Secret(person, b"")))
        people = [f"{network}{number}" for network in "abcdefgh" for number in range(20)]
        waiting = [asyncio.ensure_future(house.hashed(one, PASSWORD, one[0])) for one in people]
        await asyncio.sleep(0)
        at_once = len(hashing)
        go_on.set()
        done = await asyncio.gather(*waiting, return_exceptions=True)
        return at_once, [one.code if isinstance(one, Problem) else "hashed" for one in done]

    from_one = ["hashed"] * 16 + ["busy"] * 4
    assert asyncio.run(come()) == (2, from_one * 4 + ["busy"] * 80)


# The log


def test_what_repeats_in_the_log_is_counted() -> None:
    now = 0.0
    throttle = Throttle(3, 10.0, lambda: now)

    def logged(level: int, say: str, *given: object) -> logging.LogRecord | None:
        record = logging.LogRecord("croupier", level, "", 0, say, given, None)
        return record if throttle.filter(record) else None

    assert [logged(logging.ERROR, "%s fails", n) is not None for n in range(5)] == [True] * 3 + [False] * 2
    assert logged(logging.ERROR, "something else") is not None
    assert [logged(logging.INFO, "a round opens") is not None for _ in range(5)] == [True] * 3 + [False] * 2
    now = 11.0
    first, second = logged(logging.ERROR, "%s fails", 5), logged(logging.ERROR, "%s fails", 6)
    assert first is not None
    assert second is not None
    assert first.__dict__["left_out"] == 2
    assert "left_out" not in second.__dict__


def asked(throttle: Throttle, count: int, **of_it: object) -> int:
    """How many of this many requests are logged."""
    records = [logging.makeLogRecord({"msg": "request", "levelno": logging.INFO, **of_it}) for _ in range(count)]
    return sum(map(throttle.filter, records))


def test_requests_that_repeat_are_counted_and_hide_no_others() -> None:
    now = 0.0
    throttle = Throttle(3, 10.0, lambda: now)
    assert asked(throttle, 100, method="GET", path="/health", status=200, person=None, milliseconds=1) == 3
    assert asked(throttle, 1, method="GET", path="/health", status=200, person=None, milliseconds=2) == 0
    assert asked(throttle, 1, method="GET", path="/health", status=503, person=None) == 1
    assert asked(throttle, 1, method="GET", path="/health", status=200, person="ann") == 1
    assert asked(throttle, 1, method="GET", path="/", status=200, person=None) == 1


def test_new_kinds_without_end_are_counted_together() -> None:
    now = 0.0
    throttle = Throttle(3, 10.0, lambda: now)
    told = sum(asked(throttle, 5, status=200, person=f"guest-{number}") for number in range(3000))
    assert told == 1000 * 3 + 3
    assert asked(throttle, 5, status=200, person="guest-0") == 0, "those that are known stay known"
    now = 11.0
    assert asked(throttle, 5, status=200, person="ann") == 3
    assert sum(asked(throttle, 5, status=200, person=f"guest-{number}") for number in range(3000)) <= 1000 * 3 + 3


def test_a_refusal_is_made_each_time() -> None:
    """An exception that is raised again and again keeps every frame that it ever passed through."""
    assert not_signed_in() is not not_signed_in()


# A clock that is put back


class Machine:
    """A machine with a clock that can be set back, and a count of seconds that cannot."""

    def __init__(self) -> None:
        self.now, self.seconds = datetime(2026, 11, 16, 20, 0, tzinfo=UTC), 0.0

    def pass_by(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.seconds += seconds


def test_the_time_of_a_house_is_the_machines() -> None:
    machine = Machine()
    clock = SteadyClock(lambda: machine.now, lambda: machine.seconds)
    for seconds in (0.0, 1.0, 3600.0):
        machine.pass_by(seconds)
        assert clock() == machine.now
    machine.now += timedelta(days=1)  # put on
    assert clock() == machine.now


@pytest.mark.parametrize("hours", [1, 24 * 365])
def test_a_clock_put_back_stops_no_table_and_shows_in_no_record(hours: int) -> None:
    """Rounds go on at their own pace, and the record verifies: what was announced for a time was done then."""
    machine = Machine()
    clock = SteadyClock(lambda: machine.now, lambda: machine.seconds)
    house = TestHouse()
    house.at = clock()
    ann, rhythm = house.person("ann"), Rhythm(open=20.0, last_call=5.0, shut=1.0, show=5.0, waits=False)
    table = house.clock_table("craps-nsw-2024", rhythm=rhythm)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    for second in range(240):
        if second == 57:
            machine.now -= timedelta(hours=hours)
        machine.pass_by(1.0)
        house.at = clock()
        while house.do(orders.RunOn(table=table))["ok"]:
            pass
    assert 6 <= house.house.table(table).rounds <= 9
    lines = public_record(
        f"table/{table}", SHELF.book("craps-nsw-2024").rules.throw, house.store.read(f"table/{table}")
    )
    assert verify_dice(lines).findings == ()


def test_a_house_is_ahead_of_a_machine_that_was_put_back_until_it_has_caught_up() -> None:
    machine = Machine()
    clock = SteadyClock(lambda: machine.now, lambda: machine.seconds)
    before = clock()
    machine.now -= timedelta(seconds=60)
    assert clock() == before
    machine.pass_by(60.0)
    assert clock() == before + timedelta(seconds=54)
    machine.pass_by(600.0)
    assert clock() == machine.now


def test_a_house_that_opens_again_goes_on_from_its_record() -> None:
    machine = Machine()
    clock = SteadyClock(lambda: machine.now, lambda: machine.seconds)
    clock.go_on_from(machine.now + timedelta(hours=2))
    assert clock() == machine.now + timedelta(hours=2)
