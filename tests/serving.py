"""A house over HTTP for tests: a real server on a port of its own, in a thread, with people of every role."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any, TypeVar

import httpx
import msgspec

from croupier.server import demonstration
from croupier.server.running_house import RunningHouse
from croupier.server.serving import HouseServer, address, bound
from croupier.server.settings import Settings

T = TypeVar("T")

_keys = count(1)


class Person:
    """Someone who is signed in, or an anonymous visitor; `do` sends a command with a key of its own."""

    def __init__(self, url: str, person: str | None = None, password: str | None = None) -> None:
        self.http = httpx.Client(base_url=url, timeout=30)
        self.headers: dict[str, str] = {}
        if person is not None:
            reply = self.http.post("/api/v1/sign-in", json={"person": person, "password": password})
            assert reply.status_code == 200, reply.text
            self.headers = {"x-csrf-token": reply.json()["csrf"]}

    def get(self, path: str, headers: dict[str, str] | None = None) -> httpx.Response:
        """Send a GET request."""
        return self.http.get(f"/api/v1{path}", headers=headers)

    def post(self, path: str, body: object = None, **headers: str) -> httpx.Response:
        """Send a POST that needs no key."""
        return self.http.post(f"/api/v1{path}", json={} if body is None else body, headers=self.headers | headers)

    def do(self, path: str, body: object = None, key: str | None = None) -> httpx.Response:
        """Give a command."""
        key = key or f"key-{next(_keys)}"
        return self.http.post(
            f"/api/v1{path}", json={} if body is None else body, headers=self.headers | {"idempotency-key": key}
        )


class Running:
    """A house that is open."""

    def __init__(self, running_house: RunningHouse, url: str) -> None:
        self.running_house = running_house
        self.url = url
        self.people: list[Person] = []

    def nobody(self) -> Person:
        """Someone who is not signed in."""
        self.people.append(Person(self.url))
        return self.people[-1]

    def person(self, name: str) -> Person:
        """Someone of the demonstration, signed in."""
        one = next(one for one in demonstration.PEOPLE if one.person == name)
        self.people.append(Person(self.url, one.person, one.password))
        return self.people[-1]

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something inside the house."""
        return asyncio.run_coroutine_threadsafe(work, self.running_house.loop).result(60)


@cache
def person(house: Running, name: str) -> Person:
    """Someone who stays signed in, since passwords are slow to check."""
    return house.person(name)


def did(who: Person, path: str, body: object) -> None:
    """Give a command that must not be refused."""
    reply = who.do(path, body)
    assert reply.status_code == 200, reply.text


def told(reply: httpx.Response) -> tuple[int, dict[str, Any]]:
    """The part of an answer that is the same when an order is sent again."""
    return reply.status_code, unsigned(reply.json())


def unsigned(body: dict[str, Any]) -> dict[str, Any]:
    """An answer without the signature of its receipt: each time it is signed again, together with others."""
    receipt = body.get("receipt") or {}
    return body | {"receipt": {name: receipt.get(name) for name in ("key", "stream", "version", "hash", "order")}}


def got(who: Person, path: str) -> Any:  # noqa: ANN401  # JSON
    """The answer at an address."""
    reply = who.get(path)
    assert reply.status_code == 200, reply.text
    return reply.json()


@contextmanager
def running(folder: Path, clock: Callable[[], datetime] | None = None, **changes: object) -> Iterator[Running]:
    """The demonstration house on an SQLite store in a folder, or on another store; with a clock of its own."""
    given: dict[str, Any] = {
        "store": f"sqlite:{folder / 'house.db'}",
        "key": str(folder / "house.key"),
        "port": 0,
        "demonstration": True,
        "sign_ins_a_minute": 1_000_000,
        "orders_a_second": 1_000_000,
        "sign_ups_a_day": 1_000_000,
        "sessions_of_one_person": 1_000_000,
    }
    settings = msgspec.convert(given | changes, Settings)
    opened, made, failed = Event(), [], []

    async def work() -> None:
        listening = bound(settings)
        running_house = RunningHouse(settings, clock=clock or (lambda: datetime.now(UTC)))
        try:
            await running_house.open()
            if settings.demonstration:
                await demonstration.furnish(running_house)
            server = HouseServer(running_house)
            made.append((running_house, address(settings, listening), server))
            opened.set()
            await server.serve(sockets=[listening])
            await running_house.close()
        except BaseException as error:
            failed.append(error)
            raise
        finally:
            listening.close()
            opened.set()

    thread = Thread(target=lambda: asyncio.run(work()), name="house", daemon=True)
    thread.start()
    assert opened.wait(60), "the house does not open"
    if failed:
        raise failed[0]
    running_house, url, server = made[0]
    house = Running(running_house, url)
    try:
        yield house
    finally:
        for one in house.people:
            one.http.close()
        server.stop()
        thread.join(60)
        assert not thread.is_alive(), "the house does not close"
