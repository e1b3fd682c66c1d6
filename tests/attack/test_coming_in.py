"""Sign-ins from the wrong place, requests from other sites' pages, and values with a line break at the end."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import httpx
import pytest

from tests.attack.conftest import Held, Opened
from tests.mortal import Mortal
from tests.serving import Person

SIGN_IN = "/api/v1/sign-in"


@contextmanager
def coming_from(house: Mortal, address: str, headers: dict[str, str] | None = None) -> Iterator[httpx.Client]:
    """Someone at another loopback address."""
    transport = httpx.HTTPTransport(local_address=address)
    with httpx.Client(base_url=house.url, transport=transport, headers=headers, timeout=30) as http:
        yield http


def tried(http: httpx.Client, person: str, password: str, **headers: str) -> int:
    given = {"person": person, "password": password}
    return http.post(SIGN_IN, json=given, headers={k.replace("_", "-"): v for k, v in headers.items()}).status_code


def test_wrong_guesses_from_elsewhere(opened: Opened, held: Held) -> None:
    """Wrong passwords for someone else's name, from another address."""
    house = opened(failures=3)
    with coming_from(house, "127.0.1.1") as thief, coming_from(house, "127.0.1.2") as ann:
        assert [tried(thief, "ann", "not the password") for _ in range(4)] == [401, 401, 401, 429]
        assert tried(thief, "ann", "ann-at-croupier") == 429
        assert tried(ann, "ann", "ann-at-croupier") == 200
        assert tried(thief, "ann", "ann-at-croupier") == 429, "that she came in does not help the thief"
    held("the thief waits, and ann signs in")


def test_addresses_made_up(opened: Opened, held: Held) -> None:
    """Wrong passwords, each with a different X-Forwarded-For."""
    house = opened(failures=3, trusted_proxies="127.0.9.0/24")
    with coming_from(house, "127.0.1.1") as thief:
        guesses = [tried(thief, "ann", "not this one", x_forwarded_for=f"10.0.0.{n}") for n in range(4)]
    assert guesses == [401, 401, 401, 429]
    with coming_from(house, "127.0.9.1") as proxy:
        for guess in range(4):
            made_up = f"192.0.2.{guess}, 10.0.0.1"  # what the proxy itself saw comes last
            assert tried(proxy, "ben", "not this one", x_forwarded_for=made_up) == (429 if guess == 3 else 401)
        assert tried(proxy, "ben", "ben-at-croupier", x_forwarded_for="10.0.0.2") == 200
    held("nobody's word counts but a trusted proxy's, and of it the last")


def test_a_crowd_that_signs_in(opened: Opened, held: Held) -> None:
    """Hundreds of sign-ins at once, from one address and from many."""
    house = opened(failures=1000)
    check = {"person": "ann", "password": "not the password"}

    def guess(number: int) -> int:
        with coming_from(house, f"127.0.1.{1 + number % 40}") as http:
            return http.post(SIGN_IN, json=check).status_code

    with ThreadPoolExecutor(40) as crowd:
        statuses = set(crowd.map(guess, range(200)))
    assert statuses <= {401, 503}
    with coming_from(house, "127.0.2.1") as ann:
        assert tried(ann, "ann", "ann-at-croupier") == 200
    held(f"answered with {', '.join(map(str, sorted(statuses)))}, and ann signs in")


def test_sign_ins_without_end(opened: Opened, held: Held) -> None:
    """One person who signs in again and again without signing out."""
    house = opened(sessions_of_one_person=5)
    with ExitStack() as stack:
        ann = [Person(house.url, "ann", "ann-at-croupier") for _ in range(6)]
        for one in ann:
            stack.callback(one.http.close)
        with ann[1].http.stream("GET", "/api/v1/me/live", timeout=10) as live:
            assert live.status_code == 200
            thief = Person(house.url, "ann", "ann-at-croupier")
            stack.callback(thief.http.close)
            for _ in live.iter_bytes():  # it ends when the session does
                pass
        told = [one.get("/me") for one in (*ann, thief)]
        assert [one.status_code for one in told] == [401] * 2 + [200] * 5
        assert told[0].json()["code"] == "not_signed_in"
        assert "so this session, the oldest, has ended" in told[0].json()["message"]
        assert ann[1].do("/tables/craps-nsw-2024/seat", {"chips": "10.00"}).status_code == 401
        ben = Person(house.url, "ben", "ben-at-croupier")
        stack.callback(ben.http.close)
        assert ben.get("/me").status_code == 200
    held("five last, the oldest ends at once, and is told why")


def test_tokens_in_a_race(opened: Opened, held: Held) -> None:
    """Forty tokens requested at once."""
    house = opened()
    with ExitStack() as stack:
        ann = Person(house.url, "ann", "ann-at-croupier")
        stack.callback(ann.http.close)
        with ThreadPoolExecutor(16) as crowd:
            asked = crowd.map(lambda n: ann.post("/tokens", {"name": f"bot {n}", "scopes": ["play"]}), range(40))
            issued = sum(reply.status_code == 200 for reply in asked)
        assert issued == len(ann.get("/tokens").json()) <= 20
        with ThreadPoolExecutor(16) as crowd:
            for token in ann.get("/tokens").json():
                ann.http.delete(f"/api/v1/tokens/{token['name']}", headers=ann.headers)
            asked = crowd.map(lambda _: ann.post("/tokens", {"name": "the same", "scopes": ["play"]}), range(16))
            assert sum(reply.status_code == 200 for reply in asked) == 1
    held(f"{issued} issued, and one of sixteen with the same name")


@pytest.mark.any_store
def test_pages_of_strangers(opened: Opened, held: Held) -> None:
    """Requests under another host's name, and orders from another site's page."""
    house = opened(hosts="casino.example")
    port = house.url.rpartition(":")[2]
    given = {"person": "ann", "password": "ann-at-croupier"}
    with httpx.Client(base_url=house.url) as http:
        for host, status in (
            ("evil.example", 421),
            (f"evil.example:{port}", 421),
            ("casino.example", 200),
            (f"127.0.0.1:{port}", 200),
            (f"localhost:{port}", 200),
            ("[::1]:80", 200),
            ("127.0.0.1.evil.example", 421),
        ):
            assert http.get("/health", headers={"host": host}).status_code == status, host
        for origin, status in (
            ("http://evil.example", 403),
            ("null", 403),
            (f"http://127.0.0.1:{int(port) + 1}", 403),
            ("https://casino.example.evil.example", 403),
            ("https://casino.example", 200),
            (house.url, 200),
        ):
            assert http.post(SIGN_IN, json=given, headers={"origin": origin}).status_code == status, origin
            http.cookies.clear()
    held("421 and 403")


@pytest.mark.any_store
def test_bodies_without_a_type(opened: Opened, held: Held) -> None:
    """Orders without a content type."""
    house = opened()
    body = b'{"person":"ann","password":"ann-at-croupier"}'
    with httpx.Client(base_url=house.url) as http:
        assert http.post(SIGN_IN, content=body).status_code == 415
        assert http.post(SIGN_IN).status_code == 415
        assert http.post(SIGN_IN, content=body, headers={"content-type": "text/plain"}).status_code == 415
        assert http.post(SIGN_IN, content=body, headers={"content-type": "application/json"}).status_code == 200
    held("415")


def test_amounts_with_a_line_break(opened: Opened, held: Held) -> None:
    """Amounts that end in a line break."""
    house = opened()
    with ExitStack() as stack:
        ann, otto = (Person(house.url, name, f"{name}-at-croupier") for name in ("ann", "otto"))
        for one in (ann, otto):
            stack.callback(one.http.close)
        replies = [
            ann.do("/tables/craps-nsw-2024/seat", {"chips": "10.00\n"}),
            ann.do("/accounts/ann/limits", {"loss": "10.00\n"}),
            otto.do("/accounts/ann/chips", {"chips": "10.00\n", "reason": "because"}),
        ]
        told = [reply.json() for reply in replies]
    assert [reply.status_code for reply in replies] == [400] * 3
    assert all(one["message"].endswith(".") and "\n" not in one["message"] for one in told)
    held(f"400: {told[0]['message']}")
