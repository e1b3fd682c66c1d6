"""The straight way for commands answers exactly what the framework would answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.server.api.requests import MOST_BODY_BYTES, Straight
from croupier.server.credentials import Issued
from tests.serving import Running, running, told

LINES = "/api/v1/tables/craps-nsw-2024/lines"
BET = b'{"line":{"do":"bet","wager":"field","amount":"5.00"}}'

Header = tuple[str, str]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("house"))) as opened:
        assert opened.person("ann").do("/tables/craps-nsw-2024/seat", {"chips": "100.00"}).status_code == 200
        yield opened


@pytest.fixture(scope="module")
def token(house: Running) -> str:
    credentials, now = house.running_house.credentials, house.running_house.clock()
    issued = credentials.issue_token("ann", "a program", ("play",), now)
    assert isinstance(issued, Issued)
    return issued.secret


class Ways:
    """Sends the same request both ways, and remembers whether the straight one was taken."""

    def __init__(self, house: Running, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self._house = house
        self.usual = [("authorization", f"Bearer {token}"), ("content-type", "application/json")]
        self._patch = monkeypatch
        self._read = Straight._read
        self.straight: list[bool] = []

    def send(self, path: str, headers: list[Header], body: Any) -> tuple[httpx.Response, httpx.Response]:  # noqa: ANN401
        def noted(*given: Any) -> Any:  # noqa: ANN401
            found = self._read(*given)
            self.straight.append(found is not None)
            return found

        lines = [(name.encode(), value.encode("latin-1")) for name, value in headers]
        self._patch.setattr(Straight, "_read", noted)
        first = httpx.post(self._house.url + path, headers=lines, content=body)
        self._patch.setattr(Straight, "_read", lambda *given: None)
        return first, httpx.post(self._house.url + path, headers=lines, content=body)


@pytest.fixture
def ways(house: Running, token: str, monkeypatch: pytest.MonkeyPatch) -> Ways:
    return Ways(house, token, monkeypatch)


def assert_same(first: httpx.Response, second: httpx.Response) -> None:
    assert told(first) == told(second)
    assert sorted(first.headers.multi_items()) == sorted(second.headers.multi_items())


IN_GOOD_ORDER: list[tuple[str, str, bytes]] = [
    ("a refused line", LINES, b'{"line":{"do":"bet","wager":"none","amount":"5.00"}}'),
    ("a line of the dealer's", LINES, b'{"line":{"do":"roll","dice":[1,2]}}'),
    ("an old version", LINES, b'{"line":{"do":"bet","wager":"field","amount":"5.00"},"version":1}'),
    ("an empty line", LINES, b'{"line":{}}'),
    ("no such table", "/api/v1/tables/none/lines", BET),
    ("no table's name", "/api/v1/tables/No%20Table/lines", BET),
    ("another's account", "/api/v1/accounts/ben/limits", b'{"loss":"5.00"}'),
    ("what a token may not do", "/api/v1/accounts/ben/chips", b'{"chips":"5.00","reason":"none"}'),
    ("no change", "/api/v1/tables/craps-nsw-2024/chips", b'{"chips":"1.00"}'),
]


@pytest.mark.parametrize(("what", "path", "body"), IN_GOOD_ORDER, ids=[row[0] for row in IN_GOOD_ORDER])
def test_what_is_in_good_order_goes_straight_and_is_answered_the_same(
    ways: Ways, what: str, path: str, body: bytes
) -> None:
    # The same key twice: where something is carried out, the framework's way brings the first answer.
    first, second = ways.send(path, [*ways.usual, ("idempotency-key", what.replace(" ", "-"))], body)
    assert ways.straight == [True]
    assert_same(first, second)
    assert first.status_code < 500


KEY = ("idempotency-key", "odd")
ODD_HEADERS: list[tuple[str, list[Header]]] = [
    ("no key", []),
    ("an empty key", [("idempotency-key", "")]),
    ("a key that is too long", [("idempotency-key", "k" * 101)]),
    ("a key with a space", [("idempotency-key", "a b")]),
    ("a key in other letters", [("idempotency-key", "schlüssel")]),
    ("two keys", [KEY, ("idempotency-key", "another")]),
    ("two tokens", [KEY, ("authorization", "Bearer another")]),
]


@pytest.mark.parametrize(("what", "headers"), ODD_HEADERS, ids=[row[0] for row in ODD_HEADERS])
def test_odd_headers_are_left_to_the_framework(ways: Ways, what: str, headers: list[Header]) -> None:
    first, second = ways.send(LINES, [*ways.usual, *headers], b'{"line":{}}')
    assert ways.straight == [False], what
    assert_same(first, second)


ODD_BODIES: list[tuple[str, Any]] = [
    ("nothing", b""),
    ("no JSON", b"{"),
    ("no UTF-8", b'{"line":{"do":"\xff"}}'),
    ("no object", b"[]"),
    ("a field that nobody knows", b'{"line":{},"more":1}'),
    ("without the line", b"{}"),
    ("a line that is none", b'{"line":1}'),
    ("a number as text", b'{"line":{},"version":"1"}'),
    ("a round that cannot be", b'{"line":{},"round":0}'),
    ("too deep", b'{"line":{"a":' + b"[" * 9 + b"]" * 9 + b"}}"),
    ("much too deep", b'{"line":{"a":' + b"[" * 5000 + b"]" * 5000 + b"}}"),
    ("large", b'{"line":{"do":"' + b"x" * MOST_BODY_BYTES + b'"}}'),
    ("too large", b'{"line":{"do":"' + b"x" * 70_000 + b'"}}'),
    ("in two pieces", [b'{"line":', b"{}}"]),
]


@pytest.mark.parametrize(("what", "body"), ODD_BODIES, ids=[row[0] for row in ODD_BODIES])
def test_odd_bodies_are_left_to_the_framework(ways: Ways, what: str, body: Any) -> None:  # noqa: ANN401
    first, second = ways.send(LINES, [*ways.usual, KEY], body)
    assert ways.straight == [False] or what == "in two pieces"  # which may arrive as one
    assert_same(first, second)


def test_a_name_that_is_too_long_is_left_to_the_framework(ways: Ways) -> None:
    first, second = ways.send(f"/api/v1/tables/{'t' * 41}/lines", [*ways.usual, KEY], BET)
    assert ways.straight == [False]
    assert_same(first, second)


@pytest.mark.parametrize(
    ("said", "straight"),
    [("Bearer 0000", True), ("Bearer", True), ("Basic YTpi", True), ("", True), (None, False)],
)
def test_who_is_not_let_in_is_told_the_same(ways: Ways, said: str | None, straight: bool) -> None:
    headers = [ways.usual[1], KEY, *([] if said is None else [("authorization", said)])]
    first, second = ways.send(LINES, headers, BET)
    assert ways.straight == [straight]
    assert_same(first, second)
    assert first.status_code == 401


def test_another_kind_of_body_is_refused_both_ways(ways: Ways) -> None:
    first, second = ways.send(LINES, [ways.usual[0], ("content-type", "text/plain"), KEY], BET)
    assert_same(first, second)
    assert first.status_code == 415


def test_a_command_that_goes_straight_is_carried_out_once(house: Running, ways: Ways) -> None:
    before = house.running_house.house.account("ann").chips
    headers = [*ways.usual, ("idempotency-key", "once")]
    first, second = ways.send("/api/v1/tables/craps-nsw-2024/chips", headers, b'{"chips":"2.00"}')
    assert ways.straight == [True]
    assert first.json()["ok"] is True
    assert_same(first, second)
    assert before - house.running_house.house.account("ann").chips == 200
