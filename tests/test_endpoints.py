"""Commands from programs: the answers to proper ones, and to those with odd headers and bodies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from croupier.house.orders import ORDERS, Order, body_of, path_names, read_order
from croupier.server.credentials import Issued
from tests.serving import Running, running, told

LINES = "/api/v1/tables/craps-nsw-2024/lines"
BET = b'{"line":{"do":"bet","wager":"field","amount":"5.00"}}'

Header = tuple[str, str]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("house"))) as opened:
        dealt = {"table": "dealt", "title": "Dealt", "line": {"book": "craps-nsw-2024"}}
        assert opened.person("otto").do("/tables", dealt).status_code == 200
        for table in ("craps-nsw-2024", "dealt"):
            assert opened.person("ann").do(f"/tables/{table}/seat", {"chips": "100.00"}).status_code == 200
        yield opened


@pytest.fixture(scope="module")
def token(house: Running) -> str:
    credentials, now = house.running_house.credentials, house.running_house.clock()
    issued = credentials.issue_token("ann", "a program", ("play",), now)
    assert isinstance(issued, Issued)
    return issued.secret


class Program:
    """A program with a token."""

    def __init__(self, house: Running, token: str) -> None:
        self._url = house.url
        self.usual = [("authorization", f"Bearer {token}"), ("content-type", "application/json")]

    def send(self, path: str, headers: list[Header], body: Any) -> httpx.Response:  # noqa: ANN401
        lines = [(name.encode(), value.encode("latin-1")) for name, value in headers]
        return httpx.post(self._url + path, headers=lines, content=body)


@pytest.fixture
def program(house: Running, token: str) -> Program:
    return Program(house, token)


COMMANDS: list[tuple[str, str, bytes, int, str | None]] = [
    # At a table without a clock: nothing closes the bets between the two.
    (
        "a refused line",
        "/api/v1/tables/dealt/lines",
        b'{"line":{"do":"bet","wager":"none","amount":"5.00"}}',
        422,
        "unknown_wager",
    ),
    ("a line of the dealer's", LINES, b'{"line":{"do":"roll","dice":[1,2]}}', 422, "runs_by_itself"),
    ("an old version", LINES, b'{"line":{"do":"bet","wager":"field"},"version":1}', 409, "table_moved_on"),
    ("an empty line", LINES, b'{"line":{}}', 422, "unknown_command"),
    ("no such table", "/api/v1/tables/none/lines", BET, 404, "no_such_table"),
    ("no table's name", "/api/v1/tables/No%20Table/lines", BET, 404, "no_such_table"),
    ("another's account", "/api/v1/accounts/ben/limits", b'{"loss":"5.00"}', 403, "not_allowed"),
    ("what a token may not do", "/api/v1/accounts/ben/chips", b'{"chips":"5.00","reason":"no"}', 403, "not_allowed"),
    ("a command", "/api/v1/tables/craps-nsw-2024/chips", b'{"chips":"1.00"}', 200, None),
]


@pytest.mark.parametrize(("what", "path", "body", "status", "code"), COMMANDS, ids=[row[0] for row in COMMANDS])
def test_a_command_sent_again_is_answered_the_same(
    program: Program, what: str, path: str, body: bytes, status: int, code: str | None
) -> None:
    headers = [*program.usual, ("idempotency-key", what.replace(" ", "-"))]
    first, second = (program.send(path, headers, body) for _ in range(2))
    assert (first.status_code, first.json().get("code")) == (status, code)
    assert told(first) == told(second)
    assert sorted(first.headers.multi_items()) == sorted(second.headers.multi_items())


KEY = ("idempotency-key", "odd")
NOT_A_KEY = "Idempotency-Key: visible letters only."
LENGTH = "Idempotency-Key: Expected `str` of length"
ODD_HEADERS: list[tuple[str, list[Header], str]] = [
    ("no key", [], "Idempotency-Key is missing."),
    ("an empty key", [("idempotency-key", "")], f"{LENGTH} >= 1."),
    ("a key that is too long", [("idempotency-key", "k" * 101)], f"{LENGTH} <= 100."),
    ("a key with a space", [("idempotency-key", "a b")], NOT_A_KEY),
    ("a key in other letters", [("idempotency-key", "schlüssel")], NOT_A_KEY),
]


@pytest.mark.parametrize(("what", "headers", "say"), ODD_HEADERS, ids=[row[0] for row in ODD_HEADERS])
def test_odd_keys_are_refused(program: Program, what: str, headers: list[Header], say: str) -> None:
    reply = program.send(LINES, [*program.usual, *headers], b'{"line":{}}')
    assert (reply.status_code, reply.json()["code"], reply.json()["message"]) == (400, "bad_request", say)


@pytest.mark.parametrize("more", [("idempotency-key", "another"), ("authorization", "Bearer another")])
def test_the_first_of_two_headers_counts(program: Program, more: Header) -> None:
    reply = program.send(LINES, [*program.usual, ("idempotency-key", f"two-{more[0]}"), more], b'{"line":{}}')
    assert reply.json()["code"] == "unknown_command"


ODD_BODIES: list[tuple[str, Any, int, str]] = [
    ("nothing", b"", 400, "The body is missing."),
    ("no JSON", b"{", 400, "The body is not JSON."),
    ("no UTF-8", b'{"line":{"do":"\xff"}}', 400, "The body is not UTF-8."),
    ("no object", b"[]", 400, "The body is not a JSON object."),
    ("a field that does not exist", b'{"line":{},"more":1}', 400, "There is no field more."),
    ("without the line", b"{}", 400, "line is missing."),
    ("a line that is none", b'{"line":1}', 400, "line: Expected `object`, got `int`."),
    ("a number as text", b'{"line":{},"version":"1"}', 400, "version: Expected `int | null`, got `str`."),
    ("a round that cannot be", b'{"line":{},"round":0}', 400, "round: Expected `int` >= 1."),
    ("too deep", b'{"line":{"a":' + b"[" * 9 + b"]" * 9 + b"}}", 400, "A line is nested at most 5 deep."),
    ("much too deep", b'{"line":{"a":' + b"[" * 5000 + b"]" * 5000 + b"}}", 400, "The body is nested too deep."),
    ("large", b'{"line":{"do":"' + b"x" * 60_000 + b'"}}', 422, ""),
    ("too large", b'{"line":{"do":"' + b"x" * 70_000 + b'"}}', 413, "The body is too large."),
    ("in two pieces", [b'{"line":', b"{}}"], 422, ""),
]


@pytest.mark.parametrize(("what", "body", "status", "say"), ODD_BODIES, ids=[row[0] for row in ODD_BODIES])
def test_odd_bodies_are_refused(program: Program, what: str, body: Any, status: int, say: str) -> None:  # noqa: ANN401
    reply = program.send(LINES, [*program.usual, ("idempotency-key", what.replace(" ", "-"))], body)
    assert (reply.status_code, reply.json()["message"] if say else "") == (status, say)


def test_a_name_that_is_too_long_is_refused(program: Program) -> None:
    reply = program.send(f"/api/v1/tables/{'t' * 41}/lines", [*program.usual, KEY], BET)
    assert (reply.status_code, reply.json()["message"]) == (400, "table: Expected `str` of length <= 40.")


@pytest.mark.parametrize("said", ["Bearer 0000", "Bearer", "Basic YTpi", "", None])
def test_without_a_valid_token_there_is_no_command(program: Program, said: str | None) -> None:
    headers = [program.usual[1], KEY, *([] if said is None else [("authorization", said)])]
    assert program.send(LINES, headers, BET).status_code == 401


def test_another_kind_of_body_is_refused(program: Program) -> None:
    reply = program.send(LINES, [program.usual[0], ("content-type", "text/plain"), KEY], BET)
    assert reply.status_code == 415


def test_a_command_is_carried_out_once(house: Running, program: Program) -> None:
    before = house.running_house.house.account("ann").chips
    headers = [*program.usual, ("idempotency-key", "once")]
    replies = [program.send("/api/v1/tables/craps-nsw-2024/chips", headers, b'{"chips":"2.00"}') for _ in range(2)]
    assert [reply.json()["ok"] for reply in replies] == [True, True]
    assert before - house.running_house.house.account("ann").chips == 200


# The document


@pytest.mark.parametrize("order", [order for order in ORDERS if order.api is not None], ids=lambda order: order.tag())
def test_the_example_of_an_order_is_one(order: type[Order]) -> None:
    assert order.api is not None
    body = msgspec.json.decode(msgspec.json.encode(order.api.example), type=body_of(order))
    path = {name: 7 if name == "event" else "one" for name in path_names(order)}
    assert isinstance(read_order(order, path, body), order)


def test_every_operation_has_a_readable_name_and_every_order_an_example(house: Running) -> None:
    document = httpx.get(f"{house.url}/api/openapi.json").json()
    operations = [one for item in document["paths"].values() for one in item.values()]
    names = [one["operationId"] for one in operations]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", name) for name in names)
    examples = {
        one["operationId"] for one in operations if "example" in str(one.get("requestBody", {}).get("content", ""))
    }
    assert examples == {order.tag() for order in ORDERS if order.api is not None} | {"practise"}
