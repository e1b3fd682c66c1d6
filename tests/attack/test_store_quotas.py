"""Disks filled by refused orders, and by accepted ones."""

from __future__ import annotations

import json

import httpx

from croupier.house.refused_orders import MOST_KEPT
from tests.attack.conftest import Held, Opened
from tests.attack.laid_open import LaidOpen
from tests.serving import Person

LINES = "/tables/craps-nsw-2024/lines"
LARGE = 60_000


def test_refused_bodies(opened: Opened, backend: str, held: Held) -> None:
    """Orders of 60 KB that are refused, one after the other."""
    house = opened()
    ann = Person(house.url, "ann", "ann-at-croupier")
    assert ann.do("/tables/craps-nsw-2024/seat", {"chips": "50.00"}).status_code == 200
    many = 50
    for number in range(many):
        line = {"do": ("fly", "x" * LARGE)[number % 2], "note": "y" * LARGE if number % 2 == 0 else "\x01\x02" * 20}
        reply = ann.do(LINES, {"line": line})
        assert reply.status_code == 422, reply.text
        assert len(reply.content) < 4 * MOST_KEPT
    ann.http.close()
    house.kill()
    store = LaidOpen(backend)
    refused = [bytes(document) for (document,) in store.ask("SELECT document FROM refusals")]
    assert len(refused) == many
    assert max(map(len, refused)) <= MOST_KEPT
    for document in refused:
        told = json.loads(document)
        assert (told["who"], told["deed"]["deed"], told["deed"]["table"]) == ("ann", "say", "craps-nsw-2024")
        assert told["bytes"] > LARGE
        assert len(told["sha256"]) == 64
    answers = [bytes(reply) for (reply,) in store.ask("SELECT reply FROM answers WHERE who = ?", "ann")]
    assert max(map(len, answers)) < 4 * MOST_KEPT
    kept = sum(map(len, refused)) + sum(map(len, answers))
    held(f"of {many * LARGE // 1000:,} KB {kept // 1000:,} KB are kept: a digest and at most {MOST_KEPT} bytes of each")


def test_quota_of_a_person(opened: Opened, held: Held) -> None:
    """One person who stores more and more."""
    house = opened(person_bytes_a_day=20_000)
    ann, ben = (Person(house.url, name, f"{name}-at-croupier") for name in ("ann", "ben"))
    assert ann.do("/tables/craps-nsw-2024/seat", {"chips": "50.00"}).status_code == 200
    tries, reply = 0, ann.do(LINES, {"line": {"do": "fly"}})
    while reply.status_code == 422:
        tries += 1
        assert tries < 200
        reply = ann.do(LINES, {"line": {"do": "fly"}})
    assert (reply.status_code, reply.json()["code"]) == (429, "stored_enough")
    assert int(reply.headers["retry-after"]) >= 1
    assert ann.get("/me").status_code == 200, "looking costs nothing"
    assert ben.do(LINES, {"line": {"do": "fly"}}).json()["code"] != "stored_enough"
    for one in (ann, ben):
        one.http.close()
    held(f"after {tries} orders nothing more of theirs is stored, and others go on")


def test_quota_of_guests(opened: Opened, held: Held) -> None:
    """Many guests, each with a little."""
    house = opened(guests_bytes_a_day=8_000)
    codes: list[str] = []
    for number in range(15):
        guest = guest_at(house.url, number)
        codes += [guest.do(LINES, {"line": {"do": "fly"}}).json()["code"] for _ in range(3)]
        guest.http.close()
        if codes[-1] == "guests_stored_enough":
            break
    assert codes[-1] == "guests_stored_enough"
    ann = Person(house.url, "ann", "ann-at-croupier")
    assert ann.do("/tables/craps-nsw-2024/seat", {"chips": "50.00"}).status_code == 200
    ann.http.close()
    held(f"after {len(codes)} orders of {number + 1} guests none of them has anything stored, and players go on")


def test_guests_who_come_and_go(opened: Opened, held: Held) -> None:
    """An endless stream of guests, each of whom does nothing and leaves again."""
    house = opened(guests_bytes_a_day=8_000)
    statuses: list[int] = []
    for _ in range(60):
        guest = Person(house.url)
        reply = guest.post("/guest")
        statuses.append(reply.status_code)
        if reply.status_code == 200:
            guest.headers = {"x-csrf-token": reply.json()["csrf"]}
            assert guest.post("/sign-out").status_code == 200
        guest.http.close()
    assert set(statuses) == {200, 429}
    assert reply.json()["code"] == "guests_stored_enough"
    held(f"the first {statuses.count(200)} came in, and then none until a part of the day is over")


def test_a_store_that_is_nearly_full(opened: Opened, backend: str, held: Held) -> None:
    """Orders that keep coming while the store runs out of room."""
    house = opened()
    taken = {row["name"]: row["value"] for row in gauges(house.url)}["croupier_store_bytes"]
    house.close()
    roomy = opened(store_most_bytes=int(taken) + 50_000_000, disk_low_bytes=100_000_000, disk_reserve_bytes=1_000_000)
    told = httpx.get(f"{roomy.url}/health")
    assert (told.status_code, told.json()["ok"], told.json()["disk"]) == (200, True, "low")
    assert "MB left" in told.json()["warning"]
    roomy.close()
    house = opened(store_most_bytes=int(taken) + 50_000_000, disk_reserve_bytes=60_000_000)
    told = httpx.get(f"{house.url}/health")
    assert (told.status_code, told.json()["ok"], told.json()["disk"]) == (503, False, "full")
    ann = Person(house.url, "ann", "ann-at-croupier")
    reply = ann.do("/tables/craps-nsw-2024/seat", {"chips": "50.00"})
    assert (reply.status_code, reply.json()["code"]) == (503, "disk_full")
    assert reply.json()["message"].startswith("The house takes no orders: its store has only ")
    new = {"person": "wanda", "name": "Wanda", "password": "a long password"}
    assert ann.post("/sign-up", new).json()["code"] == "disk_full"
    assert ann.post("/guest").json()["code"] == "disk_full"
    assert ann.get("/me").status_code == 200
    ann.http.close()
    house.close()
    held("/health says so while it is low, orders are refused with a sentence before it is full, and rounds go on")


def guest_at(url: str, number: int) -> Person:
    """Someone who plays without an account, in whichever way the house admits them."""
    guest = Person(url)
    reply = guest.post("/guest", {})
    if reply.status_code == 200:
        guest.headers = {"x-csrf-token": reply.json()["csrf"]}
        return guest
    name, password = f"guest-{number:08x}", "a long password"
    guest.post("/sign-up", {"person": name, "name": "Guest", "password": password})
    guest.http.close()
    return Person(url, name, password)


def gauges(url: str) -> list[dict[str, float | str]]:
    """The gauges that a house publishes."""
    lines = httpx.get(f"{url}/metrics").text.splitlines()
    pairs = [line.rsplit(" ", 1) for line in lines if line and not line.startswith("#")]
    return [{"name": name, "value": float(value)} for name, value in pairs]
