"""More guests than are allowed, and guests who never leave."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count

import httpx
import pytest

from croupier.store.opening import open_store
from tests.attack.conftest import Held, Opened
from tests.attack.test_coming_in import coming_from
from tests.mortal import Mortal
from tests.waiting import until

TABLE = "/api/v1/tables/craps-nsw-2024"


@contextmanager
def guest(house: Mortal, address: str = "127.0.0.1") -> Iterator[httpx.Client]:
    """A guest who has just arrived."""
    with coming_from(house, address) as http:
        told = http.post("/api/v1/guest", json={})
        assert told.status_code == 200, told.text
        http.headers["x-csrf-token"] = told.json()["csrf"]
        yield http


def test_too_many_guests(opened: Opened, held: Held) -> None:
    """More guests than are allowed, from one address and in total."""
    house = opened(guests=8, guests_from_one_address=5)
    statuses = []
    for number in range(14):
        with coming_from(house, "127.0.1.1" if number < 7 else f"127.0.2.{number}") as http:
            statuses.append(http.post("/api/v1/guest", json={}).status_code)
    assert statuses == [200] * 5 + [429] * 2 + [200] * 3 + [503] * 4
    with coming_from(house, "127.0.1.1") as ann:
        signed_in = ann.post("/api/v1/sign-in", json={"person": "ann", "password": "ann-at-croupier"})
        assert signed_in.status_code == 200
    held("429 for the 6th from one address, 503 for the 9th of all; others sign in")


@pytest.mark.any_store
def test_guests_at_once(opened: Opened, held: Held) -> None:
    """Sixteen guests who come at the same moment, from one address that may have three."""
    house = opened(guests_from_one_address=3)

    def come(_: int) -> int:
        with coming_from(house, "127.0.1.1") as http:
            return http.post("/api/v1/guest", json={}).status_code

    with ThreadPoolExecutor(16) as crowd:
        statuses = sorted(crowd.map(come, range(16)))
    assert statuses == [200] * 3 + [429] * 13
    held("three are let in")


def test_guests_are_forgotten(opened: Opened, backend: str, held: Held) -> None:
    """A guest who sits down and never does anything again, and one who signs out."""
    house = opened(guest_minutes=0.05)  # three seconds
    with guest(house) as idle, guest(house) as leaving, guest(house) as busy:
        names = [http.get("/api/v1/me").json()["person"] for http in (idle, leaving, busy)]
        for number, http in enumerate((idle, leaving, busy)):
            seat = http.post(f"{TABLE}/seat", json={"chips": "100.00"}, headers={"idempotency-key": f"sit-{number}"})
            assert seat.status_code == 200, seat.text
        assert leaving.post("/api/v1/sign-out", json={}).status_code == 200
        numbers = count()
        with httpx.Client(base_url=house.url) as http:
            given = {"person": "otto", "password": "otto-at-croupier"}
            http.post("/api/v1/sign-in", json=given)

            def is_alone() -> bool:
                key = {"idempotency-key": f"buy-{next(numbers)}"}
                more = busy.post(f"{TABLE}/chips", json={"chips": "1.00"}, headers=key)
                assert more.status_code == 200, more.text
                return list(http.get(TABLE).json()["chips"]) == names[2:]

            until(is_alone, pause=0.1)
            assert idle.get("/api/v1/me").status_code == 401
            books = [http.get(f"/api/v1/accounts/{name}").json()["chips"] for name in names[:2]]
            assert books == ["1000.00"] * 2
    house.close()
    store = open_store(backend, read_only=True)
    try:
        kept = b" ".join([one.name.encode() + b" " + (one.value or b"") for one in store.secrets()])
    finally:
        store.close()
    assert names[0].encode() not in kept
    assert names[1].encode() not in kept
    assert names[2].encode() in kept
    held("their seats are free, their chips in their books, and nothing is left of what they were let in with")


@pytest.mark.any_store
def test_names_of_guests(opened: Opened, held: Held) -> None:
    """Signing up for an account under a guest's name."""
    house = opened()
    body = {"person": "guest-000000", "name": "Guest", "password": "long enough for anybody"}
    with httpx.Client(base_url=house.url) as http:
        reply = http.post("/api/v1/sign-up", json=body)
    assert (reply.status_code, reply.json()["code"]) == (422, "bad_name")
    held("422")


def test_too_many_accounts(opened: Opened, held: Held) -> None:
    """More accounts in a day than one address may open."""
    house = opened(sign_ups_a_day=3)
    statuses = []
    with httpx.Client(base_url=house.url) as http:
        for number in range(5):
            body = {"person": f"new-{number}", "name": "New", "password": "long enough for anybody"}
            statuses.append(http.post("/api/v1/sign-up", json=body).status_code)
    assert statuses == [200] * 3 + [429] * 2
    held("429 for the 4th")
